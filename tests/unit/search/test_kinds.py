"""Each kind of statement is known by one name everywhere, and a statement keeps its key."""

from __future__ import annotations

from importlib.resources import files

from weft.evidence.kinds import KINDS as STATED
from weft.evidence.oracle import oracle
from weft.search.kinds import KINDS, Separation
from weft.search.problem import Problem

ENCODING = files("weft.search").joinpath("consistency.lp").read_text(encoding="utf-8")


def test_every_kind_has_its_part_of_the_encoding() -> None:
    for kind in KINDS:
        assert f"#program {kind.kind}(k,x,y)." in ENCODING
        assert f"on({kind.kind}(k))" in ENCODING


def test_names_are_different() -> None:
    assert len({kind.kind for kind in KINDS}) == len(KINDS)
    assert len({kind.kind for kind in STATED}) == len({kind.listed for kind in STATED}) == len(STATED)


def test_a_statement_keeps_its_key_when_others_are_left_out() -> None:
    evidence = oracle("A -> B; B -> C; D -> C", [["A", "B", "C"], ["A", "B", "C", "D"]])
    problem = Problem.of(evidence)
    first = next(iter(problem.numbered(Separation)))
    left = problem.without([("separated", first), ("connected", 0)])
    assert left.statements == {
        key: one for key, one in problem.statements.items() if key not in (("separated", first), ("connected", 0))
    }
    assert len(left.statements) == len(problem.statements) - 2
    assert problem.without(()).statements == problem.statements


def test_a_statement_is_moved_with_its_vertices() -> None:
    problem = Problem.of(oracle("A -> B; B -> C", [["A", "B", "C"]]), "iod")
    (separation,) = problem.separations
    assert (separation.x, separation.y, separation.given, separation.vertices) == (0, 2, 0b010, 0b111)
    moved = separation.moved({0: 3, 1: 0, 2: 1})
    assert (moved.x, moved.y, moved.given, moved.origin) == (3, 1, 0b001, separation.origin)
