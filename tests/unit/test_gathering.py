"""From tables to evidence: what is pooled, what is judged, and what is remembered."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weft
from weft import Knowledge, MixedGraph
from weft.errors import StudyError, StudyErrors
from weft.evidence.budget import EACH_PAIR
from weft.evidence.cache import ResultCache
from weft.gathering import Gathered, as_studies, from_tables, gather, informed
from weft.settings import Settings
from weft.studies import Study
from weft.studies.simulate import draw_studies

LINEAR = Settings(independence="fisher-z", orientation="lingam")


def studies(seed: int = 0) -> list[Study]:
    graph = MixedGraph.parse("A -> B; B -> C; C -> D")
    return draw_studies(graph, [["A", "B", "C"], ["B", "C", "D"]], 400, np.random.default_rng(seed), "linear")


def gathered(settings: Settings, knowledge: Knowledge | None = None) -> Gathered:
    tables = studies()
    return from_tables(tables, informed(tables, knowledge), settings)


def test_the_evidence_remembers_where_it_comes_from() -> None:
    tables = studies()
    found = from_tables(tables, informed(tables, Knowledge.of(randomised={"study2": ["B", "D"]})), LINEAR).evidence
    of_tests = {"tests": EACH_PAIR * 6, "tests.made": found.settings["tests.made"]}
    assert found.settings == LINEAR.document() | of_tests
    assert [(one.name, one.rows, one.fingerprint) for one in found.tables] == [
        (study.name, study.rows, study.fingerprint) for study in tables
    ]
    assert found.tables[0].kinds == dict.fromkeys("ABC", "continuous")
    assert [one.interventions for one in found.tables] == [(), ("B", "D")]


@pytest.mark.parametrize("pairs", ["connected", "dependent"])
def test_which_pairs_are_judged(pairs: str) -> None:
    settings = replace(LINEAR, pairs=pairs)  # type: ignore[arg-type]
    found = gathered(settings)
    connected = {(one.x, one.y) for one in found.evidence.connected}
    judged = {(one.x, one.y) for one in found.evidence.relations if one.provenance.source == "lingam"}
    if pairs == "connected":
        assert found.judged == len(connected) == 3
        assert judged <= connected
    else:
        assert found.judged == 5  # every pair that a study measured is dependent along the chain
        assert judged - connected


@pytest.mark.parametrize("method", ["iod", "ion"])
def test_no_pair_is_judged_where_relations_are_not_used(method: str) -> None:
    found, oriented = gathered(replace(LINEAR, method=method)), gathered(LINEAR)
    assert (found.judged, found.evidence.relations) == (0, ())
    assert oriented.evidence.relations
    assert found.evidence.connected == oriented.evidence.connected
    assert found.evidence.separated == oriented.evidence.separated


def test_pairs_are_judged_in_studies_without_an_experiment_only() -> None:
    found = gathered(LINEAR, Knowledge.of(randomised={"study2": ["D"]})).evidence
    judged = {(one.x, one.y): one.provenance.rows for one in found.relations if one.provenance.source == "lingam"}
    assert judged
    assert set(judged.values()) == {400}
    assert all("D" not in pair for pair in judged)


def test_what_is_undecided_is_counted_and_told() -> None:
    found = gathered(replace(LINEAR, independence_confidence=0.99))
    assert found.undecided > 0
    (told,) = found.evidence.warnings
    assert told.startswith(f"undecided in a study, neither apart nor connected: {found.undecided} of 6 pairs")


def test_tests_that_are_known_are_counted() -> None:
    with ResultCache(None) as cache:
        first, again = (gather(studies(), Knowledge(), LINEAR, cache=cache) for _ in range(2))
    assert first.tests_made > 0
    assert (first.tests_reused, again.tests_made) == (0, 0)
    assert again.tests_reused == first.tests_made
    assert again.evidence == first.evidence


def test_warnings_about_the_tables_come_first() -> None:
    one, two = studies()
    shifted = replace(two, columns=tuple(replace(column, values=3 * column.values + 9) for column in two.columns))
    settings = replace(LINEAR, independence_confidence=0.99)
    warnings = from_tables([one, shifted], Knowledge(), settings).evidence.warnings
    assert "differs between studies" in warnings[0]
    assert warnings[-1].startswith("undecided")
    assert gather([one, shifted], Knowledge(), settings).evidence.warnings == warnings[-1:]
    set_there = Knowledge.of(randomised={two.name: ["B", "C"]})
    about_an_experiment = from_tables([one, shifted], set_there, settings).evidence.warnings
    assert not any("differs between" in warning for warning in about_an_experiment)  # it was meant to


def test_a_study_that_is_not_there_cannot_be_sufficient() -> None:
    with pytest.raises(StudyError, match="there is no study 'c' to declare sufficient"):
        gathered(replace(LINEAR, sufficient=["c"]))


def test_tables_of_any_kind_become_studies() -> None:
    columns = {"X": [1.0, 2.0] * 20, "Y": list(range(40))}
    listed = as_studies([Study.of(columns, "own"), columns])
    assert [study.name for study in listed] == ["own", "b"]
    named = as_studies({"one": Study.of(columns, "own"), "two": columns})
    assert [study.name for study in named] == ["one", "two"]
    assert [study.name for study in as_studies(Study.of(columns, "own"))] == ["own"]  # type: ignore[arg-type]
    with pytest.raises(StudyError, match="no such file"):
        as_studies("table.csv")


@pytest.mark.parametrize("experiment", [False, True])
def test_a_budget_of_tests_is_for_all_and_is_told(experiment: bool) -> None:
    tables = studies()
    known = informed(tables, Knowledge.of(randomised={"study2": ["B", "D"]}) if experiment else None)
    whole = from_tables(tables, known, LINEAR)
    short = from_tables(tables, known, replace(LINEAR, tests=8))
    assert short.tests_allowed == short.evidence.settings["tests"] == 8
    assert short.tests_made <= 8
    assert short.evidence.settings["tests.made"] == short.tests_made
    assert whole.evidence.settings["tests.made"] == whole.tests_made > 8
    assert not any("the budget of" in one for one in whole.evidence.warnings)
    (warning,) = (one for one in short.evidence.warnings if "the budget of" in one)
    assert warning.startswith("the budget of 8 tests ended before all sets were tried: ")
    assert " of 6 pairs, study by study, are judged by the likeliest sets alone" in warning


def test_all_that_is_wrong_with_all_tables_is_told_with_arguments_that_exist(tmp_path: Path) -> None:
    names = {"id": [f"p{i}" for i in range(50)], "x": range(50), "y": [i * i % 7 for i in range(50)]}
    with pytest.raises(StudyErrors) as caught:
        weft.discover([names, tmp_path / "none.csv", {**names, "w": range(50)}])
    first, second, third = str(caught.value).splitlines()
    assert "drop=['id'], or insist with kinds={'id': 'categorical'} (arguments of weft.Study.of" in first
    assert second.endswith("none.csv: there is no such file")
    assert third != first
    fitting = weft.Study.of(names, "a", drop=["id"])
    assert weft.gather([fitting], independence="fisher-z", method="iod", progress=None).variables == ("x", "y")


def test_a_page_is_no_picture(tmp_path: Path) -> None:
    with pytest.raises(weft.WeftError, match=r"x\.png: to_html writes a page \(\.html\); plot\(\)\.savefig"):
        weft.solve(weft.oracle("X -> Y", [["X", "Y"]])).to_html(tmp_path / "x.png")
