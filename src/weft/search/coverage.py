"""How much must be given up so that the truth is among the structures, with a given probability.

If every weight is what it says, the log odds of being right, then the truth violates each statement with the
probability that its weight leaves, and its cost is a sum of the weights of those. So the structures that cost no more
than the 90 % quantile of that sum hold the truth with 90 %. The truth costs no less than the cheapest structure, which
is known: the quantile is of the sum given that it is at least the least cost.

*Nested* statements fail together: where one implies another (that a set separates a pair, and that the pair is apart;
that x causes y, and that y does not cause x), the outcomes are that none fails, the narrower one alone, or both, with
probabilities in proportion to exp(-cost). All other statements are taken as independent.

That is what the weights say. They are careful: fitted to hard networks, they leave room for more errors than most data
have, and over some thirty statements that adds up. On simulated data the structures of least cost alone held the truth
in nearly nine of ten runs. So the quantile that is used for a coverage is lower, the one that was enough in the runs of
``python -m benchmarks.confidence fit`` (:func:`level_of`), as in conformal prediction.

The same sum says whether the least cost is *surprising*: if a sum that large is improbable, the evidence contradicts
itself more than its own error rates allow.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

from weft.evidence.statements import Apart, Relation, Separated, Statement

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

UNIT = 0.01
"""Costs are counted in steps of this."""
CERTAIN = 30.0
"""A statement of this weight never fails: with 10^-13."""

# fitted: begin
LEVELS = ((0.5, 0), (0.8, 0.35), (0.9, 0.84), (0.95, 0.97), (0.99, 1))
# fitted: end


def level_of(coverage: float) -> float:
    """The quantile of what the truth costs that is enough for a coverage: 0 where the least cost is.

    >>> level_of(0.0), level_of(1.0)
    (0.0, 1.0)
    """
    points = ((0.0, 0.0), *LEVELS, (1.0, 1.0))
    for (low, start), (high, end) in pairwise(points):
        if coverage <= high:
            return start + (end - start) * (coverage - low) / (high - low)
    return 1.0


@dataclass(frozen=True)
class TrueCost:
    """The distribution of what the truth costs, if the weights are right.

    >>> from weft.evidence.statements import Connected
    >>> cost = TrueCost.of([Connected("a", "X", "Y", weight=2.0), Connected("a", "X", "Z", weight=1.0)])
    >>> round(cost.probability(0.5), 3), round(cost.quantile(0.9, least=0.0), 2)
    (0.356, 2.0)
    """

    chances: NDArray[np.float64]
    """Of costs of 0, 1, 2 ... steps."""

    @classmethod
    def of(cls, statements: Iterable[Statement]) -> TrueCost:
        """By the weights of statements; those without a weight are certain."""
        import numpy as np

        chances = np.ones(1)
        for chain in chains(statements):
            chances = _added(chances, outcomes(chain))
        return cls(chances)

    @property
    def mean(self) -> float:
        """What the truth costs on average."""
        import numpy as np

        return float(UNIT * (self.chances @ np.arange(len(self.chances))))

    def probability(self, cost: float) -> float:
        """The probability that the truth costs so much or more."""
        return float(self.chances[self._steps(cost) :].sum())

    def allowed(self, coverage: float, least: float) -> float:
        """What a structure may cost so that the truth is among them with this probability, the least cost being so."""
        return self.quantile(level_of(coverage), least)

    def level(self, cost: float, least: float) -> float:
        """The probability that the truth costs no more than this, given that it costs at least so much.

        0 where it costs just that: then no more need be allowed than the least.
        """
        if cost <= least + UNIT / 2:
            return 0.0
        above = self.chances[self._steps(least) :]
        total = above.sum()
        return float(above[: self._steps(cost) - self._steps(least) + 1].sum() / total) if total > 0 else 1.0

    def quantile(self, probability: float, least: float) -> float:
        """What the truth costs at most, with this probability, given that it costs at least so much."""
        import numpy as np

        if probability <= 0:
            return least
        start = self._steps(least)
        above = self.chances[start:]
        total = above.sum()
        if not total > 0:  # the weights allow no such cost
            return least
        place = int(np.searchsorted(np.cumsum(above), probability * total * (1 - 1e-12)))
        return max(least, UNIT * (start + min(place, len(above) - 1)))

    @staticmethod
    def _steps(cost: float) -> int:
        return max(0, math.floor(min(cost, 1e12) / UNIT + 0.5 - 1e-9))


def chains(statements: Iterable[Statement]) -> list[tuple[Statement, ...]]:
    """Statements that imply each other together, the narrowest first; every other one alone.

    >>> apart = Apart("a", "X", "Y", weight=1.0)
    >>> [len(one) for one in chains([apart, Separated("X", "Y", frozenset(), ("a",), weight=2.0)])]
    [2]
    """
    of_pair: dict[tuple[str, str], list[Statement]] = defaultdict(list)
    for one in dict.fromkeys(statements):
        if one.weight is not None and 0 < one.weight < CERTAIN:
            of_pair[one.x, one.y].append(one)
    return [chain for own in of_pair.values() for chain in _chains_of(own)]


def _chains_of(own: Sequence[Statement]) -> Iterable[tuple[Statement, ...]]:
    """The chains among the statements about one pair."""
    left = list(own)
    for one in own:
        if one not in left:
            continue
        left.remove(one)
        chain = [one]
        while wider := [other for other in left if _implies(chain[-1], other)]:
            chain.append(wider[0])
            left.remove(wider[0])
        while narrower := [other for other in left if _implies(other, chain[0])]:
            chain.insert(0, narrower[0])
            left.remove(narrower[0])
        yield tuple(chain)


def _implies(one: Statement, other: Statement) -> bool:
    """Whether a statement about a pair contains another one of the same pair."""
    if isinstance(one, Relation) and isinstance(other, Relation):
        return one.allowed < other.allowed
    return isinstance(one, Separated) and isinstance(other, Apart) and other.study in one.studies


def outcomes(chain: Sequence[Statement]) -> list[tuple[float, float]]:
    """What the outcomes of a chain cost, and how probable they are."""
    costs = [0.0]
    for one in chain:
        costs.append(costs[-1] + (one.weight or 0.0))
    shares = [math.exp(-cost) for cost in costs]
    return [(cost, share / sum(shares)) for cost, share in zip(costs, shares, strict=True)]


def _added(chances: NDArray[np.float64], found: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """The distribution with one more chain."""
    import numpy as np

    steps = [round(cost / UNIT) for cost, _ in found]
    total = np.zeros(len(chances) + max(steps))
    for step, (_, probability) in zip(steps, found, strict=True):
        total[step : step + len(chances)] += probability * chances
    return total
