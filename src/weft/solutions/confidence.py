"""From the margin of a claim to how sure it is.

A margin is a sum of log odds as if all tests were independent and their weights right. They are not quite: errors in
common (a wrong model, a false separation that several statements rest on) are not seen in any weight. So the confidence
is a curve fitted to what was right on simulated data, for each kind of claim: it rises with the margin, and is capped.
``python -m benchmarks.confidence fit`` fits it; its protocol is there.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from weft.evidence.claims import Claim, Topic


class Curve(NamedTuple):
    """Log odds that a claim of some margin is right: in proportion to the margin beyond a threshold, up to a cap."""

    slope: float
    cap: float
    threshold: float = 0.0
    """Up to this margin a claim is open: a walk may have missed a denial that is as much cheaper."""

    def __call__(self, margin: float) -> float:
        """The probability.

        >>> Curve(1.0, 3.0)(0.0), Curve(1.0, 3.0)(100.0) == Curve(1.0, 3.0)(3.0), Curve(1.0, 3.0, 2.0)(2.0)
        (0.5, True, 0.5)
        """
        return 1 / (1 + math.exp(-min(self.slope * max(margin - self.threshold, 0.0), self.cap)))


# fitted: begin
CURVES: Mapping[str, Curve] = MappingProxyType(
    {
        "causes": Curve(1.26, 3.96),
        "not causes": Curve(1.13, 3.74),
        "adjacent": Curve(1.02, 2.87),
        "not adjacent": Curve(1.5, 4.18),
        "edge": Curve(1.5, 4.06),
        "not edge": Curve(1.5, 4.18),
        "confounded": Curve(1.36, 3.81),
        "not confounded": Curve(0.943, 3.4),
    }
)
# fitted: end

# fitted to estimates: begin
ESTIMATED: Mapping[str, Curve] = MappingProxyType(
    {
        "causes": Curve(2.32, 3.14, 1.76),
        "not causes": Curve(1.29, 3.18, 0),
        "adjacent": Curve(2.98, 3.18, 2.29),
        "not adjacent": Curve(4.9, 3.18, 2.23),
        "edge": Curve(3.66, 3.18, 2.24),
        "not edge": Curve(1.3, 3.18, 0),
        "confounded": Curve(1.13, 2.98, 0.451),
        "not confounded": Curve(1.1, 3.18, 0),
    }
)
# fitted to estimates: end


def kind_of(claim: Claim) -> str:
    """The kind of a claim, as it has a curve of its own.

    >>> kind_of(Claim.parse("X does not cause Y")), kind_of(Claim.parse("X -> Y")), kind_of(Claim.parse("X o-o Y"))
    ('not causes', 'edge', 'adjacent')
    """
    is_pair = claim.topic is Topic.EDGE and claim.symbol == "o-o"
    return f"{'' if claim.holds else 'not '}{'adjacent' if is_pair else claim.topic}"


def confidence_of(claim: Claim, margin: float, *, estimated: bool = False) -> float:
    """How sure a claim with this margin is, from 0 to 1: 0.5 where it is open, 1 where nothing could be given up.

    An estimated margin may be too large. So it makes a claim less sure, and never surer than an exact one.

    >>> confidence_of(Claim.parse("X causes Y"), math.inf), confidence_of(Claim.parse("X causes Y"), 0.0)
    (1.0, 0.5)
    """
    if margin < 0:
        return 1 - confidence_of(claim.negated, -margin, estimated=estimated)
    if margin == 0 or math.isinf(margin):
        return 0.5 if margin == 0 else 1.0
    exact = CURVES.get(kind_of(claim), CURVES["causes"])(margin)
    return min(exact, ESTIMATED.get(kind_of(claim), ESTIMATED["causes"])(margin)) if estimated else exact
