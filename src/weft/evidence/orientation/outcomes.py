"""The three outcomes of a pair, how probable each is, and the statements that say so.

A pair (x, y) that depends on each other has one of three outcomes: *forward*, x causes y, confounded or not; *common*,
neither causes the other, so that they have a common cause only; *backward*, y causes x, confounded or not.

Nested statements
-----------------
A search pays for a statement that does not hold its weight. Three probabilities become two statements, one inside the
other. With p1 >= p2 >= p3, the outcomes in their order,

- "the first", with weight log p1/p2;
- "the first or the second", with weight log p2/p3.

The first outcome then costs nothing, the second log p1/p2, the third log p1/p2 + log p2/p3 = log p1/p3: the costs
differ exactly by the logarithms of the quotients of the probabilities. So, if forward is the most probable and backward
the least, "x causes y" costs log P(forward)/P(common), and "y does not cause x" log P(common)/P(backward).

A statement is made only if it is sure enough. If the first one is not, the two outcomes count as one, and "the first or
the second" has the weight log (p1 + p2)/p3. "One of the two causes the other" is never said alone: before anything is
seen it is the more probable already, so that it would be said of pairs that tell nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from weft.graphs.criteria import Structure

FORWARD = frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})
"""The structures in which x causes y."""
COMMON = frozenset({Structure.COMMON})
"""The structure in which neither causes the other."""
BACKWARD = frozenset(one.mirrored for one in FORWARD)
"""The structures in which y causes x."""

LEAST = 0.01
"""No outcome is less probable: nobody should be surer on the strength of two columns."""


class Outcomes(NamedTuple):
    """The probabilities of the three outcomes; they add up to 1.

    >>> Outcomes.of(2.0, 0.0, 0.0).forward > 0.7
    True
    """

    forward: float
    common: float
    backward: float

    @classmethod
    def of(cls, forward: float, common: float, backward: float, least: float = LEAST) -> Outcomes:
        """From logarithms of their probabilities, each up to one constant; none gets less than the least."""
        logarithms = (forward, common, backward)
        highest = max(logarithms)
        shares = [math.exp(one - highest) for one in logarithms]
        total = shares[0] + shares[2] + shares[1]  # so that swapping forward and backward changes not even the rounding
        return cls(*(least + (1 - 3 * least) * share / total for share in shares))

    @property
    def mirrored(self) -> Outcomes:
        """The same of (y, x)."""
        return Outcomes(self.backward, self.common, self.forward)

    @property
    def log_odds(self) -> float:
        """Of forward against backward; the same to the last bit, with the other sign, if x and y are swapped."""
        return math.log(self.forward) - math.log(self.backward)


EVEN = Outcomes(1 / 3, 1 / 3, 1 / 3)
"""Nothing is known."""


@dataclass(frozen=True)
class Stated:
    """A statement about a pair: its structure is one of ``allowed``."""

    allowed: frozenset[Structure]
    weight: float
    """What it costs to give it up."""
    probability: float
    """That it is true."""


def nested(outcomes: Outcomes, least: float) -> tuple[Stated, ...]:
    """The statements that say how probable the outcomes are, the narrower first; those that are less sure are left out.

    >>> for one in nested(Outcomes(0.9, 0.08, 0.02), 0.8):
    ...     print(sorted(map(str, one.allowed)), round(one.weight, 2), round(one.probability, 2))
    ['->', '-> & <->'] 2.42 0.9
    ['->', '-> & <->', '<->'] 1.39 0.98
    >>> [round(one.weight, 2) for one in nested(Outcomes(0.6, 0.35, 0.05), 0.8)]
    [2.94]
    """
    parts = ((outcomes.forward, FORWARD), (outcomes.common, COMMON), (outcomes.backward, BACKWARD))
    (first, one), (second, other), (third, last) = sorted(parts, key=lambda part: -part[0])
    narrow = Stated(one, math.log(first / second), first)
    wide = Stated(one | other, math.log(second / third), first + second)
    if first >= least and narrow.weight > 0:
        return (narrow, wide) if wide.weight > 0 else (narrow,)
    if last == COMMON or first + second < least or not wide.weight > 0:
        return ()
    return (Stated(wide.allowed, math.log((first + second) / third), wide.probability),)


def cost(structure: Structure, statements: Iterable[Stated]) -> float:
    """What a structure costs: the weights of the statements that do not allow it."""
    return sum(one.weight for one in statements if structure not in one.allowed)
