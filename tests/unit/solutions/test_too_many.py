"""What is said of more structures than are walked: by a fair sample, and never as if it were of all."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from weft import SolutionSet, oracle, solve
from weft.graphs.mixed import MixedGraph
from weft.report.live import Desk
from weft.report.question import Kind, Question, Supposition
from weft.search import how_many
from weft.search.counting import Estimate, NotKnown
from weft.solutions import solution_set
from weft.solutions.class_count import estimated_classes
from weft.solutions.structures import walked

TRUTH = "A -> B -> C; D -> C; E <-> D"
FIVE = oracle(TRUTH, [["A", "B", "C"], ["C", "D"], ["D", "E"]])
"""12,438 MAGs by IOD."""


@pytest.fixture(scope="module")
def every() -> SolutionSet:
    solutions = solve(FIVE, "iod")
    assert solutions.walked(None).number == 12_438
    return solutions


@pytest.fixture
def many(monkeypatch: pytest.MonkeyPatch) -> SolutionSet:
    """The same set, where 12,438 are too many to count or walk."""
    monkeypatch.setattr(how_many, "COUNTED_SOON", 500)
    monkeypatch.setattr(how_many, "WALKED", 0)
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 500)
    monkeypatch.setattr(solution_set, "FAIR_SAMPLE", 600)
    return solve(FIVE, "iod")


def within(found: object, truth: int) -> bool:
    assert isinstance(found, Estimate)
    return truth / found.factor <= found.value <= truth * found.factor


def test_scores_are_of_a_fair_sample_and_say_so(every: SolutionSet, many: SolutionSet) -> None:
    exact, found = every.score(TRUTH), many.score(TRUTH)
    assert exact.complete
    assert exact.basis == "all 12,438 structures"
    assert not found.complete
    assert found.fair
    assert found.basis.startswith("600 structures drawn fairly from about 1")
    assert abs(found.precision - exact.precision) < 0.03
    assert abs(found.recall - exact.recall) < 0.03
    assert exact.contains_truth is found.contains_truth is True
    assert many.score("A <- B; C -> D; E").contains_truth is False


def test_what_was_walked_is_shown_whole(every: SolutionSet) -> None:
    shown = every.shown()
    assert (shown.number, shown.total, shown.fair, shown.complete) == (12_438, None, True, True)


def test_scores_of_the_first_found_say_so() -> None:
    found = solve(FIVE, "iod", limit=100).score(TRUTH)
    assert not found.fair
    assert found.basis == "the first 100 structures found, which need not be typical"
    assert found.contains_truth is True, "it need not be among the first"


def test_classes_are_estimated_where_they_are_whole(
    every: SolutionSet, many: SolutionSet, monkeypatch: pytest.MonkeyPatch
) -> None:
    exact = every.count_classes()
    assert isinstance(exact, int)
    assert len(every.pags()) == exact
    assert within(many.count_classes(), exact)
    monkeypatch.setattr(solution_set, "FAIR_SAMPLE", 500)
    assert str(solve(FIVE, "iod").count_classes()) == "not known: too few structures were drawn to tell"


def test_classes_are_not_known_where_they_may_be_consistent_in_part(many: SolutionSet) -> None:
    assert isinstance(many.assume("A and B are adjacent").count_classes(), NotKnown)
    assert "in part" in str(many.assume("A and B are adjacent").count_classes())
    assert isinstance(solve(FIVE, "iod", limit=50).count_classes(), NotKnown)


@pytest.mark.slow
def test_classes_by_a_sample_keep_their_factor(every: SolutionSet) -> None:
    exact, names = every.count_classes(), every.evidence.variables
    assert isinstance(exact, int)
    for seed in range(10):
        sample = every.sample(2_000, seed)
        found = walked(sample, names, complete=False)
        assert within(estimated_classes(replace(found, total=12_438)), exact)


def test_what_is_supposed_narrows_the_sample(every: SolutionSet, many: SolutionSet) -> None:
    assert many.fair_sample is None
    assert many.fair_sample_with(many.assume("A causes B").supposed) is None
    whole = many.shown()
    assert many.fair_sample is whole
    claims = every.assume("A and B are adjacent", "D and E are adjacent").supposed
    part = many.fair_sample_with(claims)
    assert part is not None
    assert part.number < whole.number
    assert all(part.share(claim) == 1 for claim in claims)
    assert within(part.total, sum(1 for _ in every.assume("A and B are adjacent", "D and E are adjacent")))
    assert many.fair_sample_with(every.assume("A and B are confounded").supposed) is None


def test_the_explorer_says_about_how_many_are_left(every: SolutionSet, many: SolutionSet) -> None:
    exact = sum(1 for _ in every.assume("A causes B"))
    many.shown()
    desk = Desk(many)
    desk.open()
    try:
        for kind in (Kind.FIGURES, Kind.GRAPHS):
            answer: Any = json.loads(desk.ask(Question("page", kind, (Supposition("causes", 0, 1, True),))).result(60))
            graphs = answer["view"]["graphs"]
            assert graphs["fair"]
            said = graphs["drawn_from"]
            if graphs["complete"] or said["exact"]:  # they may be walked or counted in time
                assert answer["counted"] == [exact, True]
                continue
            assert answer["counted"] == [graphs["mags"], False]
            assert exact / said["factor"] <= said["mags"] <= exact * said["factor"]
            assert "drawn fairly" in answer["view"]["headline"]
    finally:
        assert desk.close(60)


def test_a_timeout_is_an_order_to_stop_unless_a_fair_sample_is_known(many: SolutionSet) -> None:
    hurried = replace(many, timeout=60.0)
    assert not hurried.shown().fair
    assert hurried.shown(fairly=True).fair
    assert hurried.shown().fair


def test_contains_asks_the_solver(every: SolutionSet) -> None:
    inside = set(every.sample(3))
    assert all(every.contains(mag) for mag in inside)
    assert every.contains(MixedGraph.parse("A -> B; C; D; E")) is False
    assert replace(every, timeout=1e-9).contains(next(iter(inside))) in (None, True)


def test_of_hardly_more_than_are_shown_some_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing all of few takes forever: the last ones are long in coming."""
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 20)
    found = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod").shown()
    assert (found.number, found.total, found.fair) == (9, 38, True)
