"""What would identify an effect, against the definition: the same question with the study there."""

from __future__ import annotations

from dataclasses import replace

import pytest

import weft
from weft.effects.estimate import EffectError
from weft.effects.identify import NotIdentified, Setting, identify
from weft.evidence.statements import Table
from weft.solutions.origin import Origin
from weft.solutions.solution_set import SolutionSet


def answer(graph: str, *studies: list[str]) -> SolutionSet:
    return weft.solve(weft.oracle(graph, list(studies)))


def test_an_edge_that_may_hide_something_needs_an_experiment() -> None:
    found = answer("X -> Y; X <-> Y", ["X", "Y"]).suggest_effect("X", "Y")
    assert (found.now, [one.text for one in found]) == (0, ["randomise X and measure Y"])
    assert "known (or 0) in 0 % of 1 structure." in str(found)


def test_nobody_can_randomise_an_age() -> None:
    assert not answer("age -> Y; age <-> Y", ["age", "Y"]).suggest_effect("age", "Y").rows


def test_what_is_known_needs_nothing() -> None:
    found = answer("I -> X; X -> Y", ["I", "X", "Y"]).suggest_effect("X", "Y")
    assert (found.now, found.rows) == (1, ())
    assert str(found).endswith("Nothing more is needed.")
    assert answer("X -> Y", ["X", "Y"]).suggest_effect("Y", "X").now == 1  # 0 is known


def test_a_confounder_that_another_study_measured() -> None:
    solutions = answer("I -> X; J -> X; X -> Y; C -> X; C -> Y", ["I", "J", "X", "Y"], ["I", "J", "C", "X"], ["C", "Y"])
    found = solutions.suggest_effect("X", "Y")
    graphs = list(solutions.structures)
    names = {"studies": {str(i): frozenset(one.variables) for i, one in enumerate(solutions.evidence.studies)}}
    for row in found:
        studies = {**names["studies"], "new": frozenset(row.variables)}
        setting = Setting(studies, {"new": frozenset("X")} if row.kind == "randomise" else {})
        known = sum(not isinstance(identify(one, "X", "Y", setting), NotIdentified) for one in graphs)
        assert row.known == pytest.approx(known / len(graphs))
        assert row.known > found.now
    assert [one.known for one in found] == sorted((one.known for one in found), reverse=True)
    assert "measure C, X and Y together" in [one.text for one in found]
    assert list(found.to_frame()["known"]) == [round(one.known, 6) for one in found]


def test_an_experiment_that_measures_more_is_still_one() -> None:
    solutions = answer("X -> M; X <-> M; M -> Y; M <-> Y", ["X", "M"], ["M", "Y"])
    tables = tuple(
        Table(one.name, 100, dict.fromkeys(one.variables, "continuous"), interventions=("X",) if place == 0 else ())
        for place, one in enumerate(solutions.evidence.studies)
    )
    trial = replace(solutions, origin=Origin(tables, {}))
    more = {one.text: one.known for one in trial.suggest_effect("X", "Y")}
    assert more["measure Y too in study 'a'"] == 1


def test_what_is_not_two_variables() -> None:
    with pytest.raises(EffectError, match="there is no variable 'Q'"):
        answer("X -> Y", ["X", "Y"]).suggest_effect("X", "Q")
