"""Weights of any size as small whole numbers in the same order."""

from __future__ import annotations

import math
import random
from fractions import Fraction
from itertools import combinations, pairwise

import pytest

from weft.errors import ProblemError
from weft.search.scale import MOST_COST, Scale


def sums(scale: Scale, weights: list[float]) -> list[tuple[Fraction, int]]:
    """Every sum of weights, in units, and what it costs."""
    units = [max(1, round(Fraction(weight) * scale.units)) for weight in weights]
    costs = [scale.cost(weight) for weight in weights]
    places = range(len(weights))
    chosen = (some for number in range(len(weights) + 1) for some in combinations(places, number))
    return sorted((Fraction(sum(units[i] for i in some)), sum(costs[i] for i in some)) for some in chosen)


def random_weights(chance: random.Random) -> list[float]:
    kinds = (
        lambda: chance.expovariate(0.5),
        lambda: 10.0 ** chance.randint(6, 40) * chance.randint(1, 5),
        lambda: float(chance.randint(1, 5)),
        lambda: 1e-9,
        lambda: 1e308,
    )
    return [chance.choice(kinds)() for _ in range(chance.randint(1, 7))]


def test_sums_compare_as_before_and_limits_hold() -> None:
    chance = random.Random("scale")
    scaled = 0
    for _ in range(1500):
        weights = random_weights(chance)
        try:
            scale = Scale.of(weights)
        except ProblemError:
            continue
        scaled += len(scale.levels) > 1
        assert scale.total == sum(map(scale.cost, weights)) <= MOST_COST
        ordered = sums(scale, weights)
        for (lighter, less), (heavier, more) in pairwise(ordered):
            assert (lighter < heavier) == (less < more), weights
        least = chance.choice(ordered)
        slack = chance.choice((0.0, 0.001, 0.7, 5.0, 1e12, 1e308))
        limit = scale.allowed(least[1], slack)
        for units, cost in ordered:
            assert (units <= least[0] + round(Fraction(slack) * scale.units)) == (cost <= limit), (weights, slack)
    assert scaled > 500


def test_ordinary_weights_count_in_thousandths() -> None:
    scale = Scale.of([0.6, 1.3, 1e-9])
    assert [scale.cost(one) for one in (0.6, 1.3, 1e-9)] == [600, 1300, 1]
    assert scale.weight(1900) == 1.9


def test_thousands_of_ordinary_weights_count_in_coarser_units() -> None:
    weights = [690.123 + i / 1000 for i in range(4000)]
    scale = Scale.of(weights)
    assert scale.units == 100
    assert scale.total <= MOST_COST
    assert math.isclose(scale.weight(scale.total), sum(weights), rel_tol=1e-3)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        ([1e308, 1e308, 1.0], "the weights, up to 1e.308, add up to more than a number can hold"),
        ([1.0, 1e10 + 0.123, 1.3e10 + 0.457, 1.9e10 + 0.7], "weights from 1 to 1.9e.10 cannot be added up exactly"),
    ],
)
def test_what_cannot_be_added_up_is_refused(weights: list[float], message: str) -> None:
    with pytest.raises(ProblemError, match=message):
        Scale.of(weights)
