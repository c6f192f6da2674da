"""How sure a claim is: from the share of likely models in which it holds, or from its margin.

:mod:`weft.search.draws` draws models by how likely they are. In which share of them a claim holds would be its
probability, if the weights were right, the statements wrong independently of each other, and the draws endless. None of
that is quite so. So the confidence is a curve that was fitted to what was right on simulated data, one for each topic:
the log odds of a claim rise with those of its share, and are capped. Where directions of pairs were judged, by the
shapes of their dependences, there are other curves: such a judgement rests on more assumptions than a test, and if it
is wrong so is all that follows from it. (Of the causes that held in 80 to 95 % of the draws, 376 of 448 were right
without such judgements, and 194 of 282 with them.)

A denial needs more than that. Few edges are supposed, so that most of the likely models have none between two
variables that nobody looked at. So what some structure of least cost has (a margin of 0) is not denied by itself, but
only by what is claimed in its place: a claim is at least as sure as each that it follows from. ``X -> Y`` makes "X
causes Y" as sure, and "Y does not cause X".

Where no models can be drawn (with selection, with more than 63 variables, or for want of effort), it goes by the
margin, by other curves: the log odds rise with the margin, and are capped.

``python -m benchmarks.draws fit`` and ``python -m benchmarks.confidence fit`` fit the curves; the protocols are there.
"""

from __future__ import annotations

import math
from bisect import bisect_left
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


KNOTS = (0.004, 0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98, 0.996)
"""Shares of the draws at which curves are bent; what is drawn still less often, or more often, is not told apart."""


class Bends(NamedTuple):
    """How sure a claim is that holds in a share of the draws: log odds on lines in those of the share."""

    odds: tuple[float, ...]
    """At the :data:`KNOTS`."""

    def __call__(self, share: float) -> float:
        """The probability.

        >>> even = Bends(tuple(map(log_odds, KNOTS)))
        >>> even(0.5), round(even(0.2), 9), round(even(0.8), 9), even(0.0) == even(0.001)
        (0.5, 0.2, 0.8, True)
        """
        drawn = min(max(share, KNOTS[0]), KNOTS[-1])
        after = max(1, bisect_left(KNOTS, drawn))
        low, high = log_odds(KNOTS[after - 1]), log_odds(KNOTS[after])
        part = (log_odds(drawn) - low) / (high - low)
        odds = self.odds[after - 1] + part * (self.odds[after] - self.odds[after - 1])
        return 1 / (1 + math.exp(-odds))


def log_odds(share: float) -> float:
    """The logarithm of the odds."""
    return math.log(share / (1 - share))


# fitted to draws: begin
DRAWN: Mapping[bool, Mapping[str, Bends]] = MappingProxyType(
    {
        False: {
            "causes": Bends((-3.08, -3.08, -2.02, -0.903, -0.539, 0.49, 2.49, 3.43, 3.43)),
            "adjacent": Bends((-4.18, -3.37, -1.78, -0.679, 0.713, 2.39, 4.18, 4.18, 4.18)),
            "edge": Bends((-4.18, -2.95, -2.14, -0.647, 0.0736, 1.14, 2.68, 4.18, 4.18)),
            "confounded": Bends((-3.48, -2.51, -0.756, 0.0466, 0.0967, 0.754, 2.11, 4.18, 4.18)),
        },
        True: {
            "causes": Bends((-4.18, -3.26, -2.63, -1.5, -0.596, 0.296, 1.05, 2.14, 3.83)),
            "adjacent": Bends((-4.18, -3.43, -2.38, -1.02, 0.453, 1.58, 2.5, 4.18, 4.18)),
            "edge": Bends((-4.18, -2.98, -2.43, -0.956, 0.0666, 1.26, 2.45, 4.18, 4.18)),
            "confounded": Bends((-3.83, -2.09, -1.57, -0.566, 0.196, 1.02, 3.37, 4.18, 4.18)),
        },
    }
)
# fitted to draws: end

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


def confidence_of(
    claim: Claim, margin: float, *, estimated: bool = False, drawn: float | None = None, judged: bool = False
) -> float:
    """How sure a claim is by itself, from 0 to 1: 0.5 where it is open, 1 where nothing could be given up.

    Parameters
    ----------
    claim, margin
        The claim and its margin; an infinite one decides.
    estimated
        Whether the margin is estimated. It may be too large then, so that it makes a claim less sure.
    drawn
        The share of the models drawn in which the claim holds, if there is one.
    judged
        Whether directions of pairs were judged from data: then a share makes a claim less sure.

    Examples
    --------
    >>> confidence_of(Claim.parse("X causes Y"), math.inf), confidence_of(Claim.parse("X causes Y"), 0.0)
    (1.0, 0.5)
    >>> confidence_of(Claim.parse("X causes Y"), 0.0, drawn=0.95) > 0.8
    True
    >>> confidence_of(Claim.parse("X does not cause Y"), 0.0, drawn=0.95)
    0.5
    """
    if not claim.holds:
        turned = None if drawn is None else 1 - drawn
        return 1 - confidence_of(claim.negated, 0.0 - margin, estimated=estimated, drawn=turned, judged=judged)
    if math.isinf(margin):
        return 1.0 if margin > 0 else 0.0
    if drawn is None:
        return _by_margin(claim, margin, estimated=estimated)
    sure = DRAWN[judged][kind_of(claim)](drawn)
    return sure if margin else max(0.5, sure)


def _by_margin(claim: Claim, margin: float, *, estimated: bool) -> float:
    if margin < 0:
        return 1 - _by_margin(claim.negated, -margin, estimated=estimated)
    exact = CURVES.get(kind_of(claim), CURVES["causes"])(margin)
    return min(exact, ESTIMATED.get(kind_of(claim), ESTIMATED["causes"])(margin)) if estimated else exact


def coherent(sure: Mapping[Claim, float]) -> Mapping[Claim, float]:
    """How sure claims are (none of them a denial) if each is at least as sure as what it follows from.

    >>> edge, causes = Claim.parse("X -> Y"), Claim.parse("X causes Y")
    >>> found = coherent({edge: 0.9, causes: 0.8, Claim.parse("Y causes X"): 0.5})
    >>> [f"{claim}: {how:.1f}" for claim, how in found.items()]
    ['X -> Y: 0.9', 'X causes Y: 0.9', 'Y causes X: 0.1']
    """
    pairs: dict[tuple[str, str], dict[Claim, frozenset[int]]] = {}
    for claim in sure:
        if claim.topic is not Topic.CONFOUNDED:
            pair = (claim.x, claim.y) if claim.x < claim.y else (claim.y, claim.x)
            pairs.setdefault(pair, {})[claim] = _states(claim)
    found = dict(sure)
    for claims in pairs.values():
        said = [(states, sure[claim]) for claim, states in claims.items()]
        said += [(ANY - states, 1 - how) for states, how in said]
        for claim, states in claims.items():
            holds = max(how for others, how in said if others <= states)
            fails = max(how for others, how in said if others <= ANY - states)
            if max(holds, fails) > 0.5:
                found[claim] = holds if holds > fails else 1 - fails
    return found


STATES = (("", ""), ("", "->"), ("", "<-"), ("->", "->"), ("<-", "<-"), ("<->", ""), ("--", ""))
"""What may be between two variables, the first by name on the left: the edge, and who causes whom."""
ANY = frozenset(range(len(STATES)))


def _states(claim: Claim) -> frozenset[int]:
    """The numbers of the states in which a claim about an edge or a cause holds; :attr:`~Claim.holds` apart."""
    symbol = "->" if claim.topic is Topic.CAUSES else claim.symbol
    symbol = "<-" if symbol == "->" and claim.x > claim.y else symbol
    about = [cause if claim.topic is Topic.CAUSES else edge for edge, cause in STATES]
    return frozenset(k for k, one in enumerate(about) if (one != "" if symbol == "o-o" else one == symbol))
