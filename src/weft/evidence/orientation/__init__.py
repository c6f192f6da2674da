"""Bivariate causal discovery: what a pair of dependent variables says about its own causal structure.

Every method is a small frozen object behind one protocol
(:class:`~weft.evidence.orientation.protocol.OrientationMethod`): it says which columns it refuses and what it assumes,
and answers with a :class:`~weft.evidence.orientation.protocol.Judgement`.
:func:`~weft.evidence.orientation.protocol.run` makes a :class:`~weft.evidence.orientation.protocol.Verdict` of it:
the structures that cannot be excluded, with a confidence; all five of them if the pair is undecided. All methods are
deterministic; with the columns swapped the verdict is mirrored.

``registry`` has the names. Nothing is imported here, because the command line must start without numpy.
"""
