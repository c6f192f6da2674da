"""What the truth costs, if the weights are right; and the structures that coverage asks for."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Sequence

import pytest

from tests.differential.test_repair import expected, random_evidence, weighted
from weft import solve
from weft.errors import ProblemError
from weft.evidence.orientation.outcomes import Outcomes, nested
from weft.evidence.statements import Apart, Connected, Dependent, Evidence, Relation, Scope, Separated, Statement
from weft.search.coverage import UNIT, TrueCost, chains, level_of, outcomes
from weft.search.problem import Problem

RELATIONS = tuple(Relation("X", "Y", one.allowed, one.weight) for one in nested(Outcomes(0.85, 0.1, 0.05), 0.8))
STATEMENTS: tuple[Statement, ...] = (
    Connected("a", "X", "Y", weight=2.13),
    Apart("a", "X", "Z", weight=1.4),
    Separated("X", "Z", frozenset("Y"), ("a", "b"), weight=0.9),
    Apart("b", "X", "Z", weight=0.7),
    Dependent("X", "Z", frozenset(), ("a",), weight=3.0),
    *RELATIONS,
    Connected("b", "Y", "Z", weight=None),
    Connected("b", "X", "Y", weight=0.0),
)


def test_nested_statements_are_drawn_together() -> None:
    kinds = sorted(tuple(type(one).__name__ for one in chain) for chain in chains(STATEMENTS))
    assert kinds == [("Apart",), ("Connected",), ("Dependent",), ("Relation", "Relation"), ("Separated", "Apart")]


def test_outcomes_of_a_pair_are_as_probable_as_they_were() -> None:
    """The two statements that say three probabilities say just these."""
    (chain,) = chains(RELATIONS)
    costs, probabilities = zip(*outcomes(chain), strict=True)
    assert probabilities == pytest.approx((0.85, 0.1, 0.05))
    assert costs == pytest.approx((0, math.log(8.5), math.log(17)))


def every_outcome(statements: Sequence[Statement]) -> list[tuple[float, float]]:
    """The costs of all combinations of outcomes, and how probable they are."""
    return [
        (sum(cost for cost, _ in drawn), math.prod(chance for _, chance in drawn))
        for drawn in itertools.product(*(outcomes(chain) for chain in chains(statements)))
    ]


def test_distribution_is_that_of_all_combinations() -> None:
    found, every = TrueCost.of(STATEMENTS), every_outcome(STATEMENTS)
    assert found.mean == pytest.approx(sum(cost * chance for cost, chance in every), abs=0.02)
    for cost in (0.0, 0.5, 1.0, 2.0, 3.5, 6.0, 20.0):
        exact = sum(chance for own, chance in every if own >= cost - 3 * UNIT)
        least = sum(chance for own, chance in every if own >= cost + 3 * UNIT)
        assert least - 1e-9 <= found.probability(cost) <= exact + 1e-9


@pytest.mark.parametrize("coverage", [0.5, 0.8, 0.9, 0.95])
@pytest.mark.parametrize("least", [0.0, 1.4, 3.0])
def test_quantile_is_by_definition(coverage: float, least: float) -> None:
    every = [(cost, chance) for cost, chance in every_outcome(STATEMENTS) if cost >= least - UNIT]
    total = sum(chance for _, chance in every)
    found = TrueCost.of(STATEMENTS).quantile(coverage, least)
    assert sum(chance for cost, chance in every if cost <= found + 3 * UNIT) / total >= coverage
    assert sum(chance for cost, chance in every if cost < found - 3 * UNIT) / total < coverage


def test_more_coverage_allows_no_less() -> None:
    levels = [level_of(k / 100) for k in range(101)]
    assert levels == sorted(levels)
    assert (levels[0], levels[-1]) == (0.0, 1.0)
    allowed = [TrueCost.of(STATEMENTS).allowed(k / 100, 1.4) for k in range(100)]
    assert allowed == sorted(allowed)
    assert allowed[0] == 1.4
    assert allowed[-1] > allowed[0]


@pytest.mark.parametrize("least", [0.0, 1.4])
def test_the_level_of_a_cost_is_just_enough_for_it(least: float) -> None:
    found = TrueCost.of(STATEMENTS)
    assert found.level(least, least) == 0.0
    for cost, _ in every_outcome(STATEMENTS):
        if cost > least + 3 * UNIT:
            level = found.level(cost, least)
            assert 0 < level <= 1 + 1e-9
            assert found.quantile(level, least) == pytest.approx(cost, abs=3 * UNIT)
            assert found.quantile(level - 1e-6, least) <= cost + 3 * UNIT


def test_cost_that_no_weights_allow() -> None:
    found = TrueCost.of(STATEMENTS)
    assert found.quantile(0.9, least=1000.0) == 1000.0
    assert found.probability(1000.0) == 0.0


def test_structures_are_those_that_cost_no_more() -> None:
    chance = random.Random("coverage")
    wider = 0
    for _ in range(15):
        evidence = weighted(chance, random_evidence(chance, 3, "causal-iod", selection=False, conflict=True), hard=0)
        least = expected(Problem.of(evidence))
        assert least is not None
        for coverage in (0.9, 0.99):
            solutions = solve(evidence, conflicts="repair", coverage=coverage)
            repair = solutions.repair()
            assert repair is not None
            assert repair.cost is not None
            allowed = TrueCost.of(evidence.statements).allowed(coverage, repair.cost)
            wanted = expected(Problem.of(evidence), round(1000 * (allowed - repair.cost)))
            assert wanted is not None
            assert set(solutions) == wanted.mags
            assert solutions.coverage == coverage
            wider += len(wanted.mags) > len(least.mags)
    assert wider >= 5


def test_contradictions_beyond_what_the_weights_allow() -> None:
    """Two studies that contradict each other on every pair, though each is sure of it."""
    names = ("X", "Y", "Z")
    pairs = list(itertools.combinations(names, 2))
    says = [Connected("a", *pair, weight=4.0) for pair in pairs]
    says_not = [Separated(*pair, frozenset(), ("b",), weight=4.0) for pair in pairs]
    studies = (Scope("a", names), Scope("b", names))
    torn = solve(Evidence(studies, (*says, *says_not)), conflicts="repair").repair()
    agreed = solve(Evidence(studies, tuple(says)), conflicts="repair").repair()
    assert torn is not None
    assert agreed is not None
    assert torn.surprising
    assert torn.usual is not None
    assert torn.cost is not None
    assert torn.usual < 1 < torn.cost
    assert not agreed.surprising


@pytest.mark.parametrize(
    ("settings", "complaint"),
    [
        ({"coverage": 1.0}, "the coverage is 1.0; it must be more than 0 and less than 1"),
        ({"coverage": 0.9, "conflicts": "hard"}, "a coverage of 0.9 needs conflicts='repair'"),
        ({"coverage": 0.9, "slack": 1.0}, "a slack (1.0) or a coverage (0.9), not both"),
    ],
)
def test_refused(settings: dict[str, object], complaint: str) -> None:
    with pytest.raises(ProblemError) as refused:
        solve(Evidence((Scope("a", ("X", "Y")),), ()), **{"conflicts": "repair"} | settings)  # type: ignore[arg-type]
    assert complaint in str(refused.value)
