"""The cases of an effect, and how sure they are."""

from __future__ import annotations

import numpy as np
import pytest

from weft.effects.answer import KEYS, Effects, effects_of
from weft.effects.identify import Setting
from weft.graphs.mixed import MixedGraph
from weft.studies import Study

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
    assert sure(effects) == {"not identified": 0.6, "adjusted": 0.3, "zero": 0.1}
    assert [one.share for one in effects.cases] == [0.5, 0.25, 0.25]


def test_what_no_structure_shows_is_not_certain_to_be_wrong() -> None:
    assert sure(found(KNOWN, causes=0.9)) == {"adjusted": 0.9, "zero": 0.1}
    never = found(ZERO, causes=0.2)
    assert sure(never) == {"zero": 0.8, "not identified": 0.2}
    assert never.cases[1].reason == "X causes Y in none of the structures that were looked at"
    assert never.sentence.startswith("X does not cause Y (80 %); the effect cannot be told from these studies (20 %).")


def test_a_hidden_common_cause_that_is_not_excluded_for_sure_makes_it_less_sure() -> None:
    doubted = effects_of([KNOWN], "X", "Y", STUDIES, SETTING, causes=0.9, hidden={("X", "Y"): 0.05, ("I", "X"): 0.3})
    assert sure(doubted) == {"adjusted": 0.85, "zero": 0.1, "not identified": 0.05}
    assert doubted.cases[2].reason == "X and Y may have a hidden common cause all the same"
    is_open = effects_of([KNOWN], "X", "Y", STUDIES, SETTING, causes=0.9, hidden={("X", "Y"): 0.5})
    assert sure(is_open) == {"adjusted": 0.5, "zero": 0.1, "not identified": 0.4}
    trial = Setting(SETTING.studies, {"a": frozenset("X")})
    set_by_lot = effects_of([KNOWN], "X", "Y", STUDIES, trial, causes=0.9, hidden={("X", "Y"): 0.05})
    assert sure(set_by_lot) == {"adjusted": 0.9, "zero": 0.1}


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
