"""Tests of conditional independence, of x and y given other columns.

Every test is a small frozen object behind one protocol
(:class:`~weft.evidence.independence.protocol.IndependenceTest`): it says which columns it refuses, and answers with a
statistic, a p-value, the rows used and a diagnostic. All of them are deterministic, symmetric in x and y, and do not
depend on the order of the rows or of the given columns.

============  =================  ==============================================================================
name          module             made for
============  =================  ==============================================================================
kcit          ``kcit``           numbers, any smooth relation: low rank, leave-one-out regressions (the default)
kcit-exact    ``kcit_exact``     the same idea with full kernel matrices, as published; for comparison, n <= 2000
fisher-z      ``fisher_z``       numbers, linear relations
g-square      ``g_square``       levels (likelihood ratio)
chi-square    ``g_square``       levels (Pearson)
mixed         ``mixed``          any kinds together
============  =================  ==============================================================================

``protocol`` has the interface and :func:`~weft.evidence.independence.protocol.run` (missing values, refusals),
``kernels`` the algebra that kernel tests share, ``oracle`` the verdicts of a known graph, ``registry`` the names.
Nothing is imported here, because the command line must start without numpy.
"""
