"""Bivariate causal discovery: what a pair of dependent variables says about its own causal structure.

Every method is a small frozen object behind one protocol
(:class:`~weft.evidence.orientation.protocol.OrientationMethod`): it says which columns it refuses and what it assumes,
and answers with a :class:`~weft.evidence.orientation.protocol.Judgement`.
:func:`~weft.evidence.orientation.protocol.run` makes a :class:`~weft.evidence.orientation.protocol.Verdict` of it:
the structures that cannot be excluded, with a confidence; all five of them if the pair is undecided. All methods are
deterministic; with the columns swapped the verdict is mirrored.

======================== ==============================================================================================
modules                  hold
======================== ==============================================================================================
auto                     the default: the right method for the kinds of the columns
combined                 several judgements of numbers, weighed against each other and calibrated
anm, lsnm, mt_anm        models with independent noise; ``noise_models``, ``smoothing`` and ``dependence`` serve them
grci, qccd, reci, gain   other scores of direction
kcdc, igci, lingam       the methods that the paper cites
discrete, mixed_pair     columns with levels
cumulant, lvlingam       see common causes, in linear non-Gaussian pairs; ``cumulant_algebra`` serves them
adapter                  any function of two arrays as a method
calibration              from scores to log odds
======================== ==============================================================================================

``registry`` has the names. Nothing is imported here, because the command line must start without numpy.
"""
