"""Weights as whole numbers that the solver can add up, in the same order.

Weights are counted in *units*, thousandths; a positive weight counts as one unit at least. The solver's integers hold a
total of about 10^9, so a few enormous weights need another scale. Order the weights. Where all from some place on are
multiples of a number g that is greater than the total of those before, these form a *level* of their own: whatever is
given up below it weighs less than one step g of it. So a step may cost the solver as little as the total cost below,
and one: sums compare as before, as numbers do by their first digits and then by the rest. A weight that is greater than
all others together is always a level, whatever it is.

Thousands of ordinary weights (:data:`ORDINARY` at most) may add up to too much as well; then a unit is a hundredth or a
tenth. Whatever else cannot be added up is refused: to round it would give up the wrong statement.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from weft.errors import ProblemError

UNITS = (1000, 100, 10)
"""So many units are one of weight; the first that will do."""

ORDINARY = 1000.0
"""The largest weight beside which others may be counted in coarser units: the smallest p-values have less."""

MOST_COST = 1 << 30
"""The largest total that the solver's integers hold with room to spare."""


class Level(NamedTuple):
    """Weights that count in steps greater than all lighter ones together."""

    step: int
    """In units."""
    cost: int
    """What a step costs the solver."""


@dataclass(frozen=True)
class Scale:
    """What weights cost the solver.

    >>> scale = Scale.of([0.6, 0.9, 1e12])
    >>> [scale.cost(one) for one in (0.6, 0.9, 1e12)]
    [1, 2, 4]
    >>> scale.allowed(4, slack=0.7), scale.weight(5)
    (5, 1000000000000.6)
    """

    units: int
    """So many are one of weight."""
    levels: tuple[Level, ...]
    """The heaviest first."""
    total: int
    """What all weights cost together."""

    @classmethod
    def of(cls, weights: Collection[float]) -> Scale:
        """The scale for these weights; raises if there is none."""
        _check_total(weights)
        for units in UNITS:
            levels, total = _levels(sorted(_in_units(weight, units) for weight in weights))
            if total <= MOST_COST:
                return cls(units, levels, total)
            if max(weights) > ORDINARY:
                break
        raise ProblemError(
            f"weights from {min(weights):.6g} to {max(weights):.6g} cannot be added up exactly; a weight is the log "
            "odds of being right: give smaller ones, or none at all to what must hold"
        )

    def cost(self, weight: float) -> int:
        """What it costs to give up a statement of that weight."""
        return self._cost(_in_units(weight, self.units))

    @property
    def unit(self) -> int:
        """What a weight of 1 costs on average."""
        return max(1, round(self.total / self.weight(self.total))) if self.total else 1

    def allowed(self, cost: int, slack: float) -> int:
        """The most that solutions cost which weigh at most so much more than one of a given cost."""
        return self._cost(self._units(cost) + round(Fraction(slack) * self.units))

    def weight(self, cost: int) -> float:
        """The weight that a cost stands for."""
        return self._units(cost) / self.units

    def _cost(self, units: int) -> int:
        """The cost of so many units; of those that no sum of weights has, what the next lighter sum costs."""
        cost, most = 0, self.total
        for level in self.levels:
            steps, units = divmod(units, level.step)
            if steps * level.cost > most:  # more than all that there is
                return cost + most
            cost, most = cost + steps * level.cost, min(most - steps * level.cost, level.cost - 1)
        return cost

    def _units(self, cost: int) -> int:
        units = 0
        for level in self.levels:
            steps, cost = divmod(cost, level.cost)
            units += steps * level.step
        return units


def _in_units(weight: float, units: int) -> int:
    """A weight in units, exactly, however large."""
    return max(1, round(Fraction(weight) * units))


def _check_total(weights: Collection[float]) -> None:
    try:
        math.fsum(weights)
    except OverflowError:
        raise ProblemError(
            f"the weights, up to {max(weights):.6g}, add up to more than a number can hold; give smaller ones, or none "
            "at all to what must hold"
        ) from None


def _levels(ordered: Sequence[int]) -> tuple[tuple[Level, ...], int]:
    """The levels of units in ascending order, the heaviest first, and what all cost together."""
    if sum(ordered) <= MOST_COST:
        return (Level(1, 1),), sum(ordered)
    levels: list[Level] = []
    total = 0
    for step, members in reversed(_steps(ordered)):
        levels.append(Level(step, total + 1))
        total += (total + 1) * (sum(members) // step)
    return tuple(reversed(levels)), total


def _steps(ordered: Sequence[int]) -> list[tuple[int, Sequence[int]]]:
    """The step of each level and the units in it, the heaviest first."""
    found: list[tuple[int, Sequence[int]]] = []
    while ordered:
        step, below = 0, sum(ordered)
        for place in range(len(ordered) - 1, -1, -1):
            step, below = math.gcd(step, ordered[place]), below - ordered[place]
            if step > below:
                break
        found.append((step, ordered[place:]))
        ordered = ordered[:place]
    return found
