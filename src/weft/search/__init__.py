"""From statements to every consistent MAG.

=========================================================== ===========================================================
what                                                        where
=========================================================== ===========================================================
the question, and the plain definition of a right answer    :mod:`weft.search.problem`
each kind of statement: its definition, bounds and facts    :mod:`weft.search.kinds`
what may be asked about a problem: the protocol             :mod:`weft.search.search`
the engines by name; what an engine is                      :mod:`weft.search.registry`, :mod:`weft.search.engine`
the default engine                                          :mod:`weft.search.asp`
its logic program, and the Python around it                 ``consistency.lp``, :mod:`weft.search.program`
what follows from the statements before any search          :mod:`weft.search.bounds`, :mod:`weft.search.interplay`
what holds in all, some, none of the solutions              :mod:`weft.search.consequences`
why there is no solution                                    :mod:`weft.search.conflicts`
the least that must be given up, if there is none           :mod:`weft.search.repair`, :mod:`weft.search.repaired`
how far each claim is ahead of its opposite                 :mod:`weft.search.margins`, :mod:`weft.search.facts`
what the truth costs, and the structures to cover it        :mod:`weft.search.coverage`
how hard a question may be worked on                        :mod:`weft.effort`
weights as whole numbers in the same order                  :mod:`weft.search.scale`
the paper's search; every MAG one by one                    :mod:`weft.search.powerset`, :mod:`weft.search.brute`
the same questions by listing all solutions                 :mod:`weft.search.enumeration`
=========================================================== ===========================================================
"""
