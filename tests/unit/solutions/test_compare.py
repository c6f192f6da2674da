"""What changed between two answers."""

from __future__ import annotations

import weft
from weft.solutions.compare import compare
from weft.solutions.overlaid import certain_part, union

STUDIES = {"a": ["X", "Y"], "b": ["Y", "Z"]}


def test_an_answer_and_itself() -> None:
    solutions = weft.solve(weft.oracle("X -> Y -> Z", STUDIES))
    found = compare(solutions, solutions)
    assert (found.changes, found.reasons, found.gained, found.lost, found.reweighed) == ((), (), (), (), ())


def test_what_knowledge_changes() -> None:
    evidence = weft.oracle("X -> Y -> Z", STUDIES)
    old = weft.solve(evidence, method="iod")
    new = weft.solve(evidence, method="iod", knowledge=weft.Knowledge.of("X causes Z"))
    found = compare(old, new)
    assert found.reasons == ("known now: X causes Z",)
    changed = {str(one.claim): (one.before, one.after) for one in found.changes}
    assert changed["X causes Z"] == (0.5, 1.0)
    assert changed["Z does not cause X"] == (0.5, 1.0)


def test_what_another_study_changes() -> None:
    old = weft.solve(weft.oracle("X -> Y -> Z", {"a": ["X", "Y"], "b": ["Y", "Z"]}), method="iod")
    new = weft.solve(weft.oracle("X -> Y -> Z", {"a": ["X", "Y"], "b": ["X", "Y", "Z"]}), method="iod")
    found = compare(old, new)
    assert {str(one) for one in found.gained} >= {"X and Z are apart in study 'b'"}
    assert not found.lost
    assert found.changes


def test_structures_laid_over_each_other() -> None:
    solutions = list(weft.solve(weft.oracle("Y -> X; Y <-> Z", STUDIES)))
    assert str(certain_part(solutions)) == "Y -> X; Y <-> Z"
    assert str(union(solutions)) == "Y -> X; X <-> Z; Y <-> Z"
