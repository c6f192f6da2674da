"""Two results side by side."""

from __future__ import annotations

import json

import weft
from weft.report.beside import Beside, beside_document, beside_of
from weft.report.view import view_of
from weft.solutions.compare import compare
from weft.solutions.solution_set import SolutionSet


def made(now: SolutionSet, before: SolutionSet) -> Beside:
    return beside_of(now, view_of(now, patience=0), before, ("before", "now"))


def solved(graph: str, *studies: list[str]) -> SolutionSet:
    return weft.solve(weft.oracle(graph, list(studies)))


def test_results_about_other_variables_share_one_layout() -> None:
    now, before = solved("B -> C", ["B", "C"]), solved("A -> C; C -> D", ["A", "C", "D"])
    found = made(now, before)
    assert found.variables == ("A", "B", "C", "D")
    assert [side.absent for side in found.sides] == [(1,), (0, 3)]
    assert [{(line.x, line.y) for line in side.lines} for side in found.sides] == [{(0, 2), (2, 3)}, {(1, 2)}]
    places = [(box.x, box.y) for box in found.layout.boxes]
    assert len(set(places)) == 4
    assert {(course.x, course.y) for course in found.layout.courses} == {(0, 2), (2, 3), (1, 2)}
    assert found.comparison == compare(before, now)


def test_the_same_result_twice_differs_in_nothing() -> None:
    now = solved("X -> Y; Y <-> Z", ["X", "Y"], ["Y", "Z"])
    found = made(now, now)
    assert found.sides[0].lines == found.sides[1].lines
    assert not found.comparison.changes
    assert not found.comparison.reasons


def test_a_contradiction_has_no_lines_and_says_so() -> None:
    now = solved("X -> Y", ["X", "Y"])
    document = beside_document(made(now, now.assume("Y causes X")))
    assert document["lines"][0] == []
    assert document["empty"][0] == "There is no consistent structure to draw."
    assert json.loads(json.dumps(document, allow_nan=False)) == document | {
        "layout": json.loads(json.dumps(document["layout"]))
    }
