"""The answer: a set of consistent MAGs that can be counted, listed, summarised and narrowed down.

- :mod:`weft.solutions.solution_set`: :func:`~weft.solutions.solution_set.solve` and what it returns
- :mod:`weft.solutions.structures`: the MAGs, walked once and packed
- :mod:`weft.solutions.findings`: what they say of every claim
"""
