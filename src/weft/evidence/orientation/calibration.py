"""From scores to log odds, with constants that were fitted on pairs with known directions.

Every method of direction has an antisymmetric *score*: positive if x -> y fits better, 0 if neither. Its log odds are
limit * tanh(slope * score / limit), an odd function with two constants. The constants, and the coefficients of
:mod:`weft.evidence.orientation.auto`, are maximum likelihood estimates over the synthetic families of
``benchmarks/pair_families.py`` (pairs that do not tell their direction among them), and are written here by
``python -m benchmarks.directions fit``; the protocol is in that module's docstring. No pair of a public benchmark was
used.
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


# fitted: begin
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "anm": Curve(0.4692, 4),
        "lsnm": Curve(0.8333, 2.612),
        "lsnm-likelihood": Curve(1.736, 4),
        "mt-anm": Curve(1.26, 4),
        "gain": Curve(8.185, 4),
        "grci": Curve(6.793, 1.058),
        "qccd": Curve(2.519, 3.412),
        "reci": Curve(2.839, 1.599),
    }
)
COEFFICIENTS: Mapping[str, float] = MappingProxyType({"gain": 6.123, "fit": 0.3029, "simple": 0.9038})
LIMIT = 4.0
# fitted: end


def log_odds(method: str, score: float) -> float:
    """The calibrated log odds of a method's score."""
    curve = CURVES.get(method, Curve(1.0, 4.0))
    return bounded(curve.slope * score, curve.limit)


def bounded(value: float, limit: float) -> float:
    """About the value if it is small, never beyond the limit; odd to the last bit.

    >>> round(bounded(0.1, 4.0), 4), bounded(-100.0, 4.0)
    (0.1, -4.0)
    """
    return limit * math.tanh(value / limit) if limit > 0 else 0.0
