"""Three probabilities, and the nested statements that say them."""

from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.evidence.orientation.outcomes import BACKWARD, COMMON, FORWARD, LEAST, Outcomes, cost, nested
from weft.evidence.orientation.protocol import STRUCTURES
from weft.graphs.criteria import Structure

PARTS = (FORWARD, COMMON, BACKWARD)
orders = pytest.mark.parametrize("values", list(permutations((0.85, 0.11, 0.04))), ids=str)
logarithms = st.floats(-30, 30)


def test_the_outcomes_share_the_structures() -> None:
    assert sum(map(len, PARTS)) == len(STRUCTURES)
    assert frozenset().union(*PARTS) == set(STRUCTURES)


@orders
def test_costs_differ_exactly_by_the_log_ratios(values: tuple[float, float, float]) -> None:
    statements = nested(Outcomes(*values), 0.8)
    assert len(statements) == 2
    narrow, wide = statements
    assert narrow.allowed < wide.allowed
    costs = {part: {cost(structure, statements) for structure in part} for part in PARTS}
    for (one, p), (other, q) in permutations(zip(PARTS, values, strict=True), 2):
        (first,), (second,) = costs[one], costs[other]
        assert first - second == pytest.approx(math.log(q / p))


@orders
def test_statements_say_how_probable_they_are(values: tuple[float, float, float]) -> None:
    probabilities = dict(zip(PARTS, values, strict=True))
    for stated in nested(Outcomes(*values), 0.8):
        assert stated.probability == pytest.approx(
            sum(p for part, p in probabilities.items() if part <= stated.allowed)
        )
        assert stated.weight > 0


def test_what_is_said_in_each_order() -> None:
    def said(*values: float) -> list[set[str]]:
        return [{str(one) for one in stated.allowed} for stated in nested(Outcomes(*values), 0.8)]

    forward, common = {"->", "-> & <->"}, {"<->"}
    backward = {"<-", "<- & <->"}
    assert said(0.85, 0.11, 0.04) == [forward, forward | common]  # x causes y; y does not cause x
    assert said(0.85, 0.04, 0.11) == [forward, forward | backward]  # x causes y; one causes the other
    assert said(0.11, 0.85, 0.04) == [common, common | forward]  # neither causes the other; y does not cause x
    assert said(0.04, 0.85, 0.11) == [common, common | backward]
    assert said(0.04, 0.11, 0.85) == [backward, backward | common]


def test_a_narrow_statement_that_is_not_sure_is_not_made() -> None:
    (only,) = nested(Outcomes(0.6, 0.35, 0.05), 0.8)
    assert only.allowed == FORWARD | COMMON
    assert only.weight == pytest.approx(math.log(0.95 / 0.05))  # forward and common count as one outcome
    assert nested(Outcomes(0.6, 0.35, 0.05), 0.96) == ()


def test_that_one_causes_the_other_is_not_said_alone() -> None:
    assert nested(Outcomes(0.5, 0.02, 0.48), 0.8) == ()
    assert nested(Outcomes(0.45, 0.1, 0.45), 0.5) == ()


def test_equal_outcomes_say_nothing() -> None:
    assert nested(Outcomes(1 / 3, 1 / 3, 1 / 3), 0.5) == ()
    (narrow,) = nested(Outcomes(0.8, 0.1, 0.1), 0.5)  # the other two are alike
    assert narrow.allowed == FORWARD
    assert narrow.weight == pytest.approx(math.log(8))


@given(logarithms, logarithms, logarithms)
def test_probabilities_from_logarithms(forward: float, common: float, backward: float) -> None:
    found = Outcomes.of(forward, common, backward)
    assert sum(found) == pytest.approx(1)
    assert min(found) >= LEAST * 0.999
    assert found.mirrored == Outcomes.of(backward, common, forward)
    assert found.mirrored.log_odds == -found.log_odds


@given(logarithms, logarithms, logarithms, st.sampled_from([0.5, 0.8, 0.95]))
def test_swapping_mirrors_the_statements(forward: float, common: float, backward: float, least: float) -> None:
    found = Outcomes.of(forward, common, backward)
    statements, mirrored = nested(found, least), nested(found.mirrored, least)
    assert [one.weight for one in statements] == pytest.approx([one.weight for one in mirrored])
    for one, other in zip(statements, mirrored, strict=True):
        assert one.allowed == {structure.mirrored for structure in other.allowed}
        assert one.probability == pytest.approx(other.probability)


@given(logarithms, logarithms, logarithms)
def test_weights_are_capped(forward: float, common: float, backward: float) -> None:
    statements = nested(Outcomes.of(forward, common, backward), 0.5)
    assert all(cost(structure, statements) <= math.log((1 - LEAST) / LEAST) + 1e-9 for structure in Structure)
