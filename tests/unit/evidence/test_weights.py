"""The odds of statements: what they depend on, and how statements that contain each other share them out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.truth import how_sure
from weft.evidence.calibration import MODELS
from weft.evidence.orientation.outcomes import COMMON, FORWARD, Outcomes
from weft.evidence.orientation.outcomes import nested as nested_outcomes
from weft.evidence.statements import Apart, Relation, Separated
from weft.evidence.weights import INTERCEPT, LEVELS, LIMIT, NUMBERS, chained, log_odds, nested, probability

ODDS = st.floats(0.01, LIMIT)


def features_of(model: str, kind: str) -> dict[str, float]:
    return {name: 1.0 for name in MODELS[model][kind] if name != INTERCEPT} | {LEVELS: float(kind == LEVELS)}


@pytest.mark.parametrize("kind", [NUMBERS, LEVELS])
@pytest.mark.parametrize("model", MODELS)
def test_odds_are_a_sum_and_capped(model: str, kind: str) -> None:
    coefficients, features = MODELS[model][kind], features_of(model, kind)
    assert log_odds(model, features) == pytest.approx(  # type: ignore[arg-type]
        max(-LIMIT, min(sum(coefficients.values()), LIMIT))
    )
    far = features | {"evidence": 1000.0 * math.copysign(1, coefficients["evidence"])}
    assert log_odds(model, far) == LIMIT  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", [NUMBERS, LEVELS])
def test_more_evidence_of_dependence_speaks_for_what_it_should(kind: str) -> None:
    assert MODELS["dependent"][kind]["evidence"] > 0
    assert MODELS["connected"][kind]["evidence"] > 0
    assert MODELS["apart"][kind]["evidence"] < 0
    assert MODELS["separated"][kind]["evidence"] < 0
    assert MODELS["separated"][kind]["rival"] > 0, "rivals that are clearly dependent speak for the set"
    assert MODELS["separated"][kind]["open"] < 0, "rivals that separate the pair as well speak against it"
    assert MODELS["apart"][kind]["strength"] > 0, "where dependences are plain, none is overlooked"


@given(apart=ODDS, named=ODDS)
def test_costs_are_the_logarithms_of_the_probabilities(apart: float, named: float) -> None:
    connected = 1 - probability(apart)
    other, this = probability(apart) * (1 - probability(named)), probability(apart) * probability(named)
    of_apart, of_set = nested(apart, named)
    assert of_apart >= 0
    assert of_set >= 0
    costs = {"connected": of_apart + of_set, "other": of_set}
    if this >= connected:
        assert costs["connected"] == pytest.approx(math.log(this / connected), abs=1e-9)
    if other >= connected and this >= other:
        assert costs["other"] == pytest.approx(math.log(this / other), abs=1e-9)
    if other < connected <= this:
        assert costs["other"] == costs["connected"], "what is least probable costs no less than a connection"


def test_weights_by_themselves_would_count_twice() -> None:
    """The sum of log P(apart)/P(connected) and log P(set)/P(other set) overstates the odds against a connection."""
    apart, named = 3.0, 2.0
    exact = math.log(probability(apart) * probability(named) / probability(-apart))
    assert sum(nested(apart, named)) == pytest.approx(exact)
    assert apart + named > exact + 2


def test_probability() -> None:
    assert probability(None) == probability(0.0) == 0.5
    assert probability(math.log(9)) == pytest.approx(0.9)


@given(ODDS, ODDS)
def test_the_weights_of_a_pair_and_its_set_give_back_their_probabilities(apart: float, named: float) -> None:
    weights = nested(apart, named)
    if min(weights) > 0:
        expected = (probability(apart) * probability(named), probability(apart))
        assert chained(reversed(weights)) == pytest.approx(expected)


@given(st.tuples(*[st.floats(-3, 3)] * 3), st.floats(0.5, 0.95))
def test_the_weights_of_relations_give_back_their_probabilities(
    logarithms: tuple[float, float, float], least: float
) -> None:
    outcomes = Outcomes.of(*logarithms)
    stated = nested_outcomes(outcomes, least)
    if len({*outcomes}) == 3:  # two outcomes that are alike make one statement, whose weight compares one of them
        assert chained(one.weight for one in stated) == pytest.approx([one.probability for one in stated])


def test_a_statement_is_as_sure_as_those_inside_and_around_it_leave_it() -> None:
    narrow, wide = Relation("X", "Y", FORWARD, math.log(9)), Relation("X", "Y", FORWARD | COMMON, math.log(2))
    other = Relation("X", "Z", FORWARD, math.log(3))
    apart, separated = Apart("a", "X", "Y", math.log(2)), Separated("X", "Y", frozenset("Z"), ("a",), math.log(9))
    sure = how_sure([wide, apart, narrow, other, separated])
    assert sure[narrow] == sure[separated] == pytest.approx(18 / 21)
    assert sure[wide] == sure[apart] == pytest.approx(20 / 21)
    assert sure[other] == pytest.approx(3 / 4)
