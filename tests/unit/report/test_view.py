"""The view says what the solution set says.

Covers ``view.py`` and ``html.py``.
"""

from __future__ import annotations

import json
from itertools import combinations

import pytest

import weft
from tests.browser import samples
from weft.evidence.statements import Apart, Connected, Evidence, Scope
from weft.report.document import view_document
from weft.report.html import embedded, page, to_html
from weft.report.view import View, view_of


@pytest.fixture(scope="module", params=["oracle", "selection", "repaired"])
def both(request: pytest.FixtureRequest) -> tuple[weft.SolutionSet, View]:
    return samples.SAMPLES[request.param](), samples.view(request.param)


def test_counts(both: tuple[weft.SolutionSet, View]) -> None:
    solutions, view = both
    assert (view.structures.number, view.structures.complete) == (solutions.count(), True)
    assert len(view.structures.class_sizes) == len(solutions.pags())
    assert sorted(view.structures.class_sizes) == sorted(len(entry.mags) for entry in solutions.pags())
    assert view.summary == solutions.summary(shares=True, margins=True)


def test_common_causes_are_those_of_assume(both: tuple[weft.SolutionSet, View]) -> None:
    solutions, view = both
    assert view.confounding_known
    shipped = {(one.x, one.y): one for one in view.confounding}
    everything, nothing = (view.structures.number, 0), (0, view.structures.number)
    for x, y in combinations(view.variables, 2):
        can = solutions.assume(f"{x} and {y} are confounded").count()
        lack = solutions.assume(f"{x} and {y} are not confounded").count()
        holds = view.summary.holds(f"{x} and {y} are confounded")
        if (x, y) not in shipped:
            assert {"all": everything, "none": nothing}[holds] == (can, lack)
            continue
        one = shipped[x, y]
        assert (one.can.bit_count(), one.can_lack.bit_count()) == (can, lack)
        narrower = set(solutions.assume(f"{x} and {y} are confounded"))
        assert {mag for i, mag in enumerate(view.structures) if one.can >> i & 1} == narrower


def test_every_pair_is_explained(both: tuple[weft.SolutionSet, View]) -> None:
    _, view = both
    assert view.unexplained == 0
    explained = {tuple(sorted((reason.claim.x, reason.claim.y))) for reason in view.reasons}
    assert explained == set(combinations(view.variables, 2))
    assert all(reason.lead for reason in view.reasons)


def test_what_was_given_up() -> None:
    shown = view_document(samples.view("repaired"))
    assert shown["given_up"]["cost"] == pytest.approx(1.5)
    assert "'a'" in shown["given_up"]["statements"][0]["text"]
    assert shown["given_up"]["statements"][0]["p_value"] == pytest.approx(0.004)
    assert shown["other_repair"]["cost"] == pytest.approx(3.0)


def test_no_solution() -> None:
    view = samples.view("contradiction")
    assert view.consistent is False
    assert view.conflict is not None
    assert (view.structures.number, len(view.conflict.statements)) == (0, 2)
    assert view.next_steps is None


def test_without_time_it_says_so() -> None:
    view = view_of(samples.oracle(), patience=0)
    assert view.reasons == ()
    assert view.unexplained > 0
    assert not view.confounding_known
    assert view.structures.number == 38


def test_a_limit_holds() -> None:
    evidence = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    view = view_of(weft.solve(evidence, "iod", limit=10))
    assert (view.structures.number, view.structures.complete) == (10, False)
    assert view.headline.startswith("At least 10 ")


def test_the_view_is_plain_data() -> None:
    for view in (samples.view("repaired"), view_of(samples.health(), patience=0)):
        text = json.dumps(view_document(view), allow_nan=False)
        assert json.loads(text)["headline"] == view.headline
    assert [study.name for study in view.studies] == ["clinic", "registry"]
    assert [study.rows for study in view.studies] == [500, 500]
    assert [view.variables[v] for v in view.shared] == ["age", "cough"]
    assert view.bootstrap == (3, 3)
    assert len(view.summary.pairs) == len(list(combinations(view.variables, 2)))


def test_no_name_ends_the_data(tmp_path: object) -> None:
    view = view_of(samples.nasty(), patience=1)
    assert "<" not in embedded(view_document(view))
    assert json.loads(embedded(view_document(view)))["variables"] == list(view.variables)
    text = page(view)
    assert text.count("<script") == text.count("</script>") == 2
    assert "'unsafe" not in text.partition("</head>")[0].partition("<style>")[0]


def test_a_report_that_cannot_be_written_is_told(tmp_path: pytest.TempPathFactory) -> None:
    with pytest.raises(weft.WeftError, match="no such directory"):
        to_html(samples.view("contradiction"), f"{tmp_path}/nowhere/report.html")


@pytest.mark.parametrize("conflicts", ["hard", "repair"])
@pytest.mark.parametrize("weight", [None, 1.5])
def test_who_cannot_repair_is_not_told_to(conflicts: str, weight: float | None) -> None:
    studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    says = (Connected("a", "X", "Y", weight=weight), Apart("b", "X", "Y"))
    view = view_of(weft.solve(Evidence(studies, says), conflicts=conflicts), patience=0)
    if conflicts == "repair" and weight:
        assert view.consistent
        return
    (answer,) = view.answer
    of_use = "weft discover and weft solve --repair would." if weight else "only statements with a weight may."
    assert answer.startswith("2 statements cannot hold together. ")
    assert answer.endswith(of_use)


def test_what_is_assumed_against_a_repair_is_no_matter_of_repair() -> None:
    solutions = weft.solve(weft.oracle("X -> Y", [["X", "Y"]]), conflicts="repair")
    (answer,) = view_of(solutions.assume("X causes Y", "Y causes X"), patience=0).answer
    assert "--repair" not in answer
