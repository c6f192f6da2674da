"""From scores to log odds and to three outcomes, with constants that were fitted on pairs with known structures.

Every method of direction has an antisymmetric *score*: positive if x -> y fits better, 0 if neither. Its log odds are
limit * tanh(slope * score / limit), an odd function with two constants.
:mod:`weft.evidence.orientation.combined` weighs several scores: each is divided by its usual size and bounded, then
multiplied by its coefficient, and the sum is bounded again.

Three outcomes
--------------
The probabilities of "x causes y", "only a common cause" and "y causes x" are proportional to exp D, exp S and exp -D,
each raised to a least probability (:class:`weft.evidence.orientation.outcomes.Outcomes`). D is a sum of *odd* features,
which change their sign if x and y are swapped, S a sum of *even* ones, which do not; both are bounded. With t(p) the
logarithm of a p-value, from 0 (1e-4 and less) to 1 (0.5 and more):

============ ==== =================================================================================================
feature      for  is
============ ==== =================================================================================================
additive     D    t forward less t backward, of the additive model (:mod:`weft.evidence.orientation.gof`)
linear       D    the same of the linear model
scores       D    the log odds of the seven scores together; not for ``gof``
agreeing     D    where additive and scores have the same sign, additive times the size of scores (2 at most)
bias         S    1
neither      S    (1 - t forward) (1 - t backward), of the additive model: both directions misfit
neither line S    the same of the linear model
unexplained  S    the logarithm of the share of the variance that x and y leave of each other (the mean of the two)
============ ==== =================================================================================================

There are two sets of coefficients: for a pair of a study, and for a pair alone, of which nothing else is known.

Unordered levels
----------------
have one feature, *function*: how nearly y is a function of x, less how nearly x is one of y. *Nearly* goes by the share
of the effect's entropy that must be noise (:func:`weft.evidence.orientation.discrete.noise_share`), from 0 (a half and
more) to 1 (a tenth and less). D is its bounded multiple, S a constant.

A number and levels
-------------------
have one feature, *ratio*: the cube of the compared p-values (:func:`weft.evidence.orientation.discrete.compared`), from
-1 to 1. D is its bounded multiple, S a constant and a multiple of its size. Among the powers 1, 1.5, 2 and 3 the cube
has the largest log loss by cross-validation (0.899 against 0.889), and the fewest wrong statements: 6.6 and 5.8 %
instead of 8.3 and 6.9 %, for one in seven statements less.

Both are fitted by ``python -m benchmarks.levels fit``.

A method of direction does not see common causes. The share of pairs that have nothing else, among pairs with log odds
as large as these, is a logistic function of their size (:func:`with_common`).

The constants are maximum likelihood estimates, with a penalty, over simulated pairs: the families of
``benchmarks/pair_families.py`` and the studies of ``benchmarks/pair_studies.py``. They are written here by ``python -m
benchmarks.directions fit``; the protocol is in that module's docstring. No pair of a public benchmark was used.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from weft.evidence.orientation.outcomes import Outcomes


class Curve(NamedTuple):
    """The log odds for a small score, for each unit of it; and the largest log odds."""

    slope: float
    limit: float


class Weight(NamedTuple):
    """The usual size of a score, and its coefficient."""

    size: float
    coefficient: float


class Share(NamedTuple):
    """The share of common causes, as log odds, at log odds of 0; and how much less it is for each unit of these."""

    level: float
    slope: float


LARGEST = 2.0
"""No score counts as more than so many times its usual size."""
LIMIT = 3.5
"""No log odds of a combination are larger: nobody should be surer than 97 % on the strength of two columns."""

DIRECTION_LIMIT, COMMON_LIMIT = 2.5, 3.0
"""D and S are not larger."""
LEVELS_LIMIT = 1.6
"""Nor is D of pairs with levels: about 90 %. All that is known of them is from few families of networks."""
_NEARLY, _HARDLY = 0.1, 0.5
_SURE_SCORES = 2.0
_MISFIT, _FIT = math.log10(1e-4), math.log10(0.5)

# fitted: begin
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "anm": Curve(0.379, 4),
        "lsnm": Curve(0.7123, 2.555),
        "lsnm-likelihood": Curve(1.349, 2.793),
        "mt-anm": Curve(1.088, 4),
        "gain": Curve(6.07, 4),
        "grci": Curve(11.55, 0.5465),
        "qccd": Curve(1.619, 4),
        "reci": Curve(3.128, 1.426),
    }
)
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "information": Weight(0.1529, 0.4351),
        "fit": Weight(1.318, 0.4354),
        "simple": Weight(1.19, 0.4365),
        "error": Weight(0.5221, 0.4356),
        "gain": Weight(0.1942, 0.4375),
        "quantiles": Weight(0.1833, 0.4357),
        "grci": Weight(0.3737, 0.434),
    }
)
COMBINED: Mapping[str, float] = MappingProxyType(
    {
        "additive": 0.6818,
        "linear": 1.281,
        "scores": 0.746,
        "agreeing": 0.6119,
        "bias": 0.002654,
        "neither": -0.231,
        "neither line": 0.4606,
        "unexplained": 2.311,
    }
)
COMBINED_ALONE: Mapping[str, float] = MappingProxyType(
    {
        "additive": 0,
        "linear": 0.1974,
        "scores": 0.3352,
        "agreeing": 0.1516,
        "bias": -0.01104,
        "neither": 0.04782,
        "neither line": 0.05215,
        "unexplained": 1.151,
    }
)
GOF: Mapping[str, float] = MappingProxyType(
    {
        "additive": 1.698,
        "linear": 0.9894,
        "bias": -0.03119,
        "neither": -0.3197,
        "neither line": 0.2332,
        "unexplained": 2.436,
    }
)
GOF_ALONE: Mapping[str, float] = MappingProxyType(
    {
        "additive": 0.1869,
        "linear": 0,
        "bias": -0.005015,
        "neither": 0.03645,
        "neither line": -0.3015,
        "unexplained": 0.9202,
    }
)
LEVELS: Mapping[str, float] = MappingProxyType(
    {
        "function": 2.616,
        "bias": -2.667,
    }
)
MIXED: Mapping[str, float] = MappingProxyType(
    {
        "ratio": 1.909,
        "bias": -1.061,
        "size": -0.7597,
    }
)
SHARE = Share(-0.9465, 0.5439)
BASE = Outcomes(0.4142, 0.1716, 0.4142)
# fitted: end


def log_odds(method: str, score: float) -> float:
    """The calibrated log odds of a method's score."""
    curve = CURVES.get(method, Curve(1.0, 4.0))
    return bounded(curve.slope * score, curve.limit)


def weighed(scores: Mapping[str, float]) -> float:
    """The log odds of several scores together; scores without a weight do not count."""
    parts = (
        weight.coefficient * bounded(scores.get(name, 0.0) / weight.size, LARGEST) for name, weight in WEIGHTS.items()
    )
    return bounded(sum(parts), LIMIT)


def three_way(fits: Mapping[str, float], scores: float, coefficients: Mapping[str, float]) -> Outcomes:
    """The outcomes by absolute fits (:func:`weft.evidence.orientation.gof.both_fits`) and the log odds of scores.

    Features without a coefficient do not count.
    """
    direction, common = (
        bounded(sum(coefficients.get(name, 0.0) * one for name, one in features.items()), limit)
        for features, limit in ((odd_features(fits, scores), DIRECTION_LIMIT), (even_features(fits), COMMON_LIMIT))
    )
    return Outcomes.of(direction, common, -direction)


def odd_features(fits: Mapping[str, float], scores: float) -> dict[str, float]:
    """The features that change their sign if x and y are swapped."""
    additive = fit_of(fits["additive_forward"]) - fit_of(fits["additive_backward"])
    return {
        "additive": additive,
        "linear": fit_of(fits["linear_forward"]) - fit_of(fits["linear_backward"]),
        "scores": scores,
        "agreeing": additive * min(abs(scores), _SURE_SCORES) if additive * scores > 0 else 0.0,
    }


def even_features(fits: Mapping[str, float]) -> dict[str, float]:
    """The features that do not change if x and y are swapped."""

    def neither(model: str) -> float:
        return (1 - fit_of(fits[f"{model}_forward"])) * (1 - fit_of(fits[f"{model}_backward"]))

    return {
        "bias": 1.0,
        "neither": neither("additive"),
        "neither line": neither("linear"),
        "unexplained": math.log(max(fits["unexplained"], 0.01)),
    }


def fit_of(p_value: float) -> float:
    """From 0, a model that does not fit, to 1.

    >>> fit_of(1e-9), fit_of(0.7), round(fit_of(0.05), 2)
    (0.0, 1.0, 0.73)
    """
    place = (math.log10(max(p_value, 1e-99)) - _MISFIT) / (_FIT - _MISFIT)
    return max(0.0, min(1.0, place))


def of_functions(forward: float, backward: float) -> Outcomes:
    """The outcomes of two columns of unordered levels, by the share of noise in y given x, and in x given y.

    >>> of_functions(0.1, 0.9).forward > 0.8 > of_functions(0.4, 0.9).forward
    True
    """
    direction = bounded(LEVELS["function"] * function_feature(forward, backward), LEVELS_LIMIT)
    return Outcomes.of(direction, bounded(LEVELS["bias"], COMMON_LIMIT), -direction)


def function_feature(forward: float, backward: float) -> float:
    """How much more nearly y is a function of x than x of y: -1 to 1.

    >>> function_feature(0.05, 0.9), function_feature(0.6, 0.9), round(function_feature(0.9, 0.3), 2)
    (1.0, 0.0, -0.5)
    """
    one, other = (max(0.0, min(1.0, (_HARDLY - share) / (_HARDLY - _NEARLY))) for share in (forward, backward))
    return one - other


def of_ratio(compared: float) -> Outcomes:
    """The outcomes of a number and levels, by the compared p-values of the two directions, -2 to 2.

    >>> of_ratio(2.0).forward > 0.8 > of_ratio(1.5).forward > of_ratio(1.0).forward > 0.5
    True
    """
    ratio = ratio_feature(compared)
    direction = bounded(MIXED["ratio"] * ratio, LEVELS_LIMIT)
    return Outcomes.of(direction, bounded(MIXED["bias"] + MIXED["size"] * abs(ratio), COMMON_LIMIT), -direction)


def ratio_feature(compared: float) -> float:
    """From -1 to 1; hardly anything for p-values that do not differ by much more than a factor of a thousand.

    >>> [ratio_feature(one) for one in (-2.0, 0.0, 1.0)]
    [-1.0, 0.0, 0.125]
    """
    return (compared / 2) ** 3


def with_common(log_odds: float) -> Outcomes:
    """The three outcomes of a pair by log odds of the direction alone.

    >>> with_common(3.0).forward > with_common(3.0).common > with_common(3.0).backward
    True
    """
    common = 1 / (1 + math.exp(SHARE.slope * abs(log_odds) - SHARE.level))
    # log odds of 50 are as good as certainty; beyond them the logarithms would be lost
    forward = 1 / (1 + math.exp(-max(-50.0, min(50.0, log_odds))))
    parts = ((1 - common) * forward, common, (1 - common) * (1 - forward))
    return Outcomes.of(*(math.log(max(part, 1e-30)) for part in parts))


def bounded(value: float, limit: float) -> float:
    """About the value if it is small, never beyond the limit; odd to the last bit.

    >>> round(bounded(0.1, 4.0), 4), bounded(-100.0, 4.0)
    (0.1, -4.0)
    """
    return limit * math.tanh(value / limit) if limit > 0 else 0.0
