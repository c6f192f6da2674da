"""The cases of an effect, and how sure they are."""

from __future__ import annotations

import numpy as np
import pytest

from weft.effects.answer import BORNE_OUT, KEYS, Effects, Range, effects_of
from weft.effects.estimate import LEVEL, EffectError, reaching
from weft.effects.identify import Setting
from weft.graphs.mixed import MixedGraph
from weft.studies import Column, Kind, Study

RNG = np.random.default_rng(4)
FIRST, NOISE = RNG.normal(size=200), RNG.normal(size=200)
STUDIES = {"a": Study.of({"I": FIRST, "X": FIRST + NOISE, "Y": 2 * NOISE + RNG.normal(size=200)}, "a")}
SETTING = Setting({"a": frozenset("IXY")})
KNOWN, UNKNOWN, ZERO = (
    MixedGraph.parse(text) for text in ("I -> X; X -> Y", "I -> X; X -> Y; I -> Y", "I -> X; Y -> X")
)


def found(*graphs: MixedGraph, causes: float | None) -> Effects:
    return effects_of(graphs, "X", "Y", STUDIES, SETTING, causes=causes)


def sure(effects: Effects) -> dict[str, float | None]:
    return {one.kind: one.confidence for one in effects.cases}


def test_the_confidence_that_it_causes_is_shared_out_among_what_it_may_be() -> None:
    effects = found(KNOWN, UNKNOWN, UNKNOWN, ZERO, causes=0.9)
    told = 0.3 * BORNE_OUT
    assert sure(effects) == {
        "not identified": pytest.approx(0.9 - told),
        "adjusted": pytest.approx(told),
        "zero": pytest.approx(0.1),
    }
    assert [one.share for one in effects.cases] == [0.5, 0.25, 0.25]


def test_what_no_structure_shows_is_not_certain_to_be_wrong() -> None:
    told = 0.9 * BORNE_OUT
    here = {"adjusted": pytest.approx(told), "not identified": pytest.approx(0.9 - told), "zero": pytest.approx(0.1)}
    assert sure(found(KNOWN, causes=0.9)) == here
    never = found(ZERO, causes=0.2)
    assert sure(never) == {"zero": 0.8, "not identified": 0.2}
    assert never.cases[1].reason == "X causes Y in none of the structures that were looked at"
    assert never.sentence.startswith("X does not cause Y (80 %); the effect cannot be told from these studies (20 %).")


def test_a_hidden_common_cause_that_is_not_excluded_for_sure_makes_it_less_sure() -> None:
    doubted = effects_of([KNOWN], "X", "Y", STUDIES, SETTING, causes=0.9, hidden={("X", "Y"): 0.05, ("I", "X"): 0.3})
    told = 0.85 * BORNE_OUT
    assert sure(doubted) == {
        "adjusted": pytest.approx(told),
        "zero": pytest.approx(0.1),
        "not identified": pytest.approx(0.9 - told),
    }
    reason = next(one.reason for one in doubted.cases if one.kind == "not identified")
    assert reason == "the structures may be wrong, and X and Y have a hidden common cause all the same"
    is_open = effects_of([KNOWN], "X", "Y", STUDIES, SETTING, causes=0.9, hidden={("X", "Y"): 0.5})
    told = 0.5 * BORNE_OUT
    assert sure(is_open) == {
        "adjusted": pytest.approx(told),
        "zero": pytest.approx(0.1),
        "not identified": pytest.approx(0.9 - told),
    }
    trial = Setting(SETTING.studies, {"a": frozenset("X")})
    set_by_lot = effects_of([KNOWN], "X", "Y", STUDIES, trial, causes=0.9, hidden={("X", "Y"): 0.05})
    assert sure(set_by_lot) == {"adjusted": 0.9, "zero": 0.1}


def test_a_range_is_as_sure_as_its_cases_and_their_intervals() -> None:
    effects = found(KNOWN, UNKNOWN, ZERO, causes=0.9)
    (case,) = effects.known
    assert case.confidence is not None
    assert effects.range == Range(case.low, case.high, pytest.approx(LEVEL * case.confidence, abs=1e-4))  # type: ignore[arg-type]
    assert f"({100 * LEVEL * case.confidence:.0f} %); X does not cause Y (10 %)" in effects.sentence
    assert effects.as_json()["range"] == {
        "low": case.low,
        "high": case.high,
        "confidence": pytest.approx(0.95 * case.confidence, abs=1e-4),
    }
    assert found(UNKNOWN, ZERO, causes=0.9).range is None
    by_share = found(KNOWN, ZERO, causes=None)
    assert by_share.range == Range(case.low, case.high, None)  # type: ignore[arg-type]
    assert "(50 % of the structures); X does not cause Y" in by_share.sentence


def test_what_lies_outside_the_range_is_told_with_its_share() -> None:
    others = [MixedGraph.parse("I -> X; X -> Y; J")] * 39 + [MixedGraph.parse("I -> X; X -> Y; J -> X; J -> Y")]
    other = RNG.normal(size=200)
    study = Study.of({"I": FIRST, "J": other, "X": FIRST + NOISE, "Y": 2 * NOISE + RNG.normal(size=200)}, "a")
    effects = effects_of(others, "X", "Y", {"a": study}, Setting({"a": frozenset("IJXY")}), causes=1.0)
    assert (len(effects.known), len(effects.usual)) == (2, 1)
    assert effects.sentence.endswith("In a few structures (2 %) the estimate lies outside.")


def test_an_experiment_is_not_mixed_with_what_rests_on_a_structure() -> None:
    """The other study has a hidden common cause that the structure does not show."""
    wrong = Study.of({"I": FIRST, "X": FIRST + NOISE, "Y": -5 * NOISE + RNG.normal(size=200)}, "b")
    lot = RNG.normal(size=200)
    trial = Study.of({"X": lot, "Y": 2 * lot + RNG.normal(size=200)}, "t")
    setting = Setting({"b": frozenset("IXY"), "t": frozenset("XY")}, {"t": frozenset("X")})
    effects = effects_of([KNOWN, UNKNOWN], "X", "Y", {"b": wrong, "t": trial}, setting, causes=0.9)
    assert sure(effects) == {"adjusted": 0.9, "zero": 0.1}
    (case,) = effects.known
    assert (case.studies, case.rows, case.disagree, case.adjusted_for) == (("t",), 200, False, ())
    assert case.effect == pytest.approx(2, abs=0.3)
    # A trial that gave everyone the same shows nothing, and the other study is asked.
    same = Study("t", (Column("X", Kind.CONTINUOUS, np.full(200, 3.0)), trial.column("Y")))
    assert effects_of([KNOWN], "X", "Y", {"b": wrong, "t": same}, setting).cases[0].studies == ("b",)


def test_levels_in_an_order_are_told() -> None:
    level = np.digitize(NOISE, [-0.5, 0.5])
    words = [("low", "middle", "high")[one] for one in level]
    columns = {"I": FIRST, "X": FIRST + NOISE, "Y": words}
    study = Study.of(columns, "a", {"Y": ["low", "middle", "high"]})
    effects = effects_of([KNOWN], "X", "Y", {"a": study}, SETTING)
    assert effects.of == "the level of Y (low = 0, middle = 1, high = 2)"
    reached = effects_of([KNOWN], "X", "Y", {"a": reaching(study, "Y", "high")}, SETTING)
    assert reached.of == "the probability of Y at least high"
    binary = Study.of({"I": FIRST, "X": FIRST + NOISE, "Y": (level == 2).astype(int)}, "a")
    assert reached.cases[0].effect == effects_of([KNOWN], "X", "Y", {"a": binary}, SETTING).cases[0].effect
    with pytest.raises(EffectError, match="no level 'low' above its lowest; choose one of middle, high"):
        reaching(study, "Y", "low")
    with pytest.raises(EffectError, match="X has no levels in an order"):
        reaching(study, "X", "high")


def test_what_is_certain_needs_no_other_case() -> None:
    assert sure(found(KNOWN, causes=1.0)) == {"adjusted": 1.0}
    assert sure(found(ZERO, causes=0.0)) == {"zero": 1.0}
    assert sure(found(KNOWN, UNKNOWN, causes=None)) == {"adjusted": None, "not identified": None}


@pytest.mark.parametrize("causes", [0.0, 0.03, 0.5, 0.97, 1.0])
@pytest.mark.parametrize("graphs", [(KNOWN,), (ZERO,), (KNOWN, ZERO, UNKNOWN)])
def test_confidences_add_up_to_one(causes: float, graphs: tuple[MixedGraph, ...]) -> None:
    cases = found(*graphs, causes=causes).cases
    assert sum(one.confidence or 0.0 for one in cases) == pytest.approx(1)
    assert sum(one.share for one in cases) == pytest.approx(1)


def test_a_table_has_every_key_of_a_case() -> None:
    keys = {key for one in found(KNOWN, UNKNOWN, ZERO, causes=0.5).cases for key in one.as_json()}
    assert keys == set(KEYS)
