"""The odds of statements: what they depend on, and how statements that contain each other share them out."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.evidence.calibration import MODELS
from weft.evidence.weights import INTERCEPT, LEVELS, LIMIT, NUMBERS, log_odds, nested, probability

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
