"""From scores to log odds, with constants that were fitted on pairs with known directions.

Every method of direction has an antisymmetric *score*: positive if x -> y fits better, 0 if neither. Its log odds are
limit * tanh(slope * score / limit), an odd function with two constants. :mod:`weft.evidence.orientation.combined`
weighs several scores: each is divided by its usual size and bounded, then multiplied by its coefficient, and the sum is
bounded again. The constants are maximum likelihood estimates over the synthetic families of
``benchmarks/pair_families.py`` (pairs that do not tell their direction among them), the coefficients shrunk towards a
common one, and are written here by ``python -m benchmarks.directions fit``; the protocol is in that module's docstring.
No pair of a public benchmark was used in fitting.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Curve(NamedTuple):
    """The log odds for a small score, for each unit of it; and the largest log odds."""

    slope: float
    limit: float


class Weight(NamedTuple):
    """The usual size of a score, and its coefficient."""

    size: float
    coefficient: float


LARGEST = 2.0
"""No score counts as more than so many times its usual size."""
LIMIT = 3.5
"""No log odds of a combination are larger: nobody should be surer than 97 % on the strength of two columns."""

# fitted: begin
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "anm": Curve(0.379, 4),
        "lsnm": Curve(0.7123, 2.555),
        "lsnm-likelihood": Curve(1.349, 2.793),
        "mt-anm": Curve(1.088, 4),
        "gain": Curve(6.07, 4),
        "grci": Curve(9.719, 0.9252),
        "qccd": Curve(1.619, 4),
        "reci": Curve(3.128, 1.426),
    }
)
WEIGHTS: Mapping[str, Weight] = MappingProxyType(
    {
        "information": Weight(0.1542, 0.423),
        "fit": Weight(1.293, 0.4231),
        "simple": Weight(1.24, 0.424),
        "error": Weight(0.5179, 0.4239),
        "gain": Weight(0.1949, 0.4253),
        "quantiles": Weight(0.1718, 0.4229),
    }
)
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


def bounded(value: float, limit: float) -> float:
    """About the value if it is small, never beyond the limit; odd to the last bit.

    >>> round(bounded(0.1, 4.0), 4), bounded(-100.0, 4.0)
    (0.1, -4.0)
    """
    return limit * math.tanh(value / limit) if limit > 0 else 0.0
