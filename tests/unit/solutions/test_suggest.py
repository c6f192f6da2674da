"""Suggestions for small problems that can be checked by hand, and their words."""

from __future__ import annotations

import json
from dataclasses import replace
from math import log2
from pathlib import Path

import pytest
from click.testing import CliRunner

from weft.cli.suggest import exit_code
from weft.cli.suggest import suggest as command
from weft.errors import ProblemError
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Relation, Scope
from weft.graphs.criteria import Structure
from weft.solutions.solution_set import SolutionSet, solve
from weft.solutions.suggest import Kind, Suggestions, suggest

CAUSES = frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})


@pytest.fixture
def two() -> SolutionSet:
    """Y -> X; Y <-> Z, with X <-> Z or without."""
    return solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))


@pytest.fixture
def many() -> SolutionSet:
    """The paper's 38."""
    return solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")


def nothing() -> SolutionSet:
    says = (Relation("X", "Y", CAUSES), Relation("Y", "X", CAUSES))
    return solve(Evidence((Scope("a", ("X", "Y")),), says))


def test_the_motivating_example_needs_all_three_together(two: SolutionSet) -> None:
    found = suggest(two)
    assert [str(row) for row in found.rows] == ["measure X too in study 'b'", "measure Z too in study 'a'"]
    for row in found.rows:
        assert (row.kind, row.expected, row.worst, row.outcomes, row.bits) == (Kind.ADD, 1, 1, 2, 1)
        assert row.variables == ("X", "Y", "Z")
    assert found.reference is not None
    assert found.reference.expected == 1
    assert found.useless == 4  # the pair X, Z (dependent through Y anyway), and no experiment tells


def test_an_edge_of_two_variables() -> None:
    """->, <- and <->: independences tell nothing, setting one variable tells whether it is the cause."""
    found = suggest(solve(oracle("X -> Y", [["X", "Y"]]), "iod"))
    assert found.structures == 3
    assert [str(row) for row in found.rows] == [
        "randomise X and see which variables respond",
        "randomise Y and see which variables respond",
    ]
    for row in found.rows:
        assert row.expected == pytest.approx(5 / 3)
        assert (row.worst, row.outcomes) == (2, 2)
        assert row.bits == pytest.approx(log2(3) - 2 / 3)
    assert found.reference is not None
    assert (found.reference.outcomes, found.reference.expected, found.reference.bits) == (1, 3, 0)


def test_rows_are_in_order_of_what_is_left_then_of_effort(many: SolutionSet) -> None:
    found = suggest(many)
    keys = [(row.expected, len(row.variables), str(row)) for row in found.rows]
    assert keys == sorted(keys)
    assert {row.kind for row in found.rows} == {Kind.PAIR, Kind.ADD, Kind.RANDOMISE}
    assert all(1 <= row.expected <= row.worst < 38 for row in found.rows)


def test_one_solution_leaves_nothing_to_do() -> None:
    found = suggest(solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])))
    assert (found.structures, found.exact, found.rows, found.useless) == (1, True, (), 6)
    assert list(found.lines(10)) == ["There is one consistent structure: nothing is left to tell apart."]
    assert exit_code(found) == 0


def test_no_solution() -> None:
    found = suggest(nothing())
    assert (found.structures, found.rows, found.reference) == (0, (), None)
    assert list(found.lines(10)) == ["No structure is consistent, so there is nothing to tell apart."]
    assert exit_code(found) == 1


def test_a_sample_says_that_it_is_one(many: SolutionSet) -> None:
    found = suggest(many, most=20, seed=3)
    assert (found.structures, found.exact) == (20, False)
    assert found.how == "a fair sample of 20 of 38 solutions"
    assert found == suggest(many, most=20, seed=3)
    assert found != suggest(many, most=20, seed=4)


def test_solutions_that_are_not_all_known_are_not_called_typical(many: SolutionSet) -> None:
    found = suggest(replace(many, limit=9), most=5)
    assert (found.structures, found.exact) == (5, False)
    assert found.how == "a fair sample of 5 of the first 9 solutions found, which need not be typical of all"


def test_the_limit_of_the_solutions_holds() -> None:
    limited = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod", limit=7)
    found = suggest(limited)
    assert (found.structures, found.exact) == (7, False)
    with pytest.raises(ProblemError, match="most is 0; look at 1 solution at least"):
        suggest(limited, most=0)


def test_sets_that_a_study_measured_are_not_suggested() -> None:
    solutions = solve(oracle("X -> Y -> Z", [["X", "Y", "Z"], ["X", "Y"]]), "iod")
    assert {row.kind for row in suggest(solutions).rows} == {Kind.RANDOMISE}


def test_assumptions_count(many: SolutionSet) -> None:
    narrower = many.assume("X -> Y", "Y -> Z")
    assert suggest(narrower).structures == narrower.exact_count() < 38


def test_more_than_64_variables() -> None:
    """The width of a machine word is no limit, neither of variables nor of solutions."""
    names = [f"v{i:03}" for i in range(70)]
    graph = "; ".join([f"{names[0]} -> {names[1]}", f"{names[68]} -> {names[69]}", *names])
    found = suggest(solve(oracle(graph, [names]), "iod"))
    assert found.structures == 9
    assert {row.variable for row in found.rows} == {"v000", "v001", "v068", "v069"}
    assert all(row.expected == pytest.approx(5) for row in found.rows)


NASTY = ["a b", 'say "hi"', "<script>alert(1)</script>"]


def test_odd_names() -> None:
    x, y, z = NASTY
    studies = (Scope("it's", (x, y)), Scope("b\n", (y, z)))
    found = suggest(solve(Evidence(studies, ()), "iod"))
    shown = list(found.lines(100))
    assert all(len(line) <= 80 and "\n" not in line for line in shown)
    text = " ".join(" ".join(shown).split())
    assert 'measure "<script>alert(1)</script>" and "a b" together' in text
    assert '''measure "<script>alert(1)</script>" too in study "it's"''' in text
    assert r"""measure "a b" too in study 'b\n'""" in text
    assert json.loads(json.dumps(found.as_json()))["rows"][0]["variables"] == sorted(NASTY)


def test_text(many: SolutionSet) -> None:
    shown = list(suggest(many).lines(2))
    assert shown[0] == "38 structures were looked at: all solutions."
    assert shown[2].split() == ["left", "at", "worst", "outcomes", "bits", "what", "to", "do"]
    assert shown[5] == "and 4 more (--top N shows more)"
    assert shown[-1].startswith("For comparison") or shown[-2].startswith("For comparison")


def test_the_command(two: SolutionSet, tmp_path: Path) -> None:
    path = str(tmp_path / "result.json")
    two.save(path)
    run = CliRunner().invoke(command, [path], standalone_mode=False)
    assert run.exception is None
    assert run.return_value == 0
    assert "measure Z too in study 'a'" in run.output
    run = CliRunner().invoke(command, [path, "--format", "json", "--assume", "X <-> Z"], standalone_mode=False)
    assert json.loads(run.output)["structures"] == 1
    run = CliRunner().invoke(command, [path, "--assume", "X -> Q"], standalone_mode=False)
    assert isinstance(run.exception, ProblemError)


def test_out_of_time_is_told() -> None:
    found = Suggestions((), None, 0, False, "the first 0 solutions found", 0)
    assert exit_code(found) == 3
    assert list(found.lines(1)) == ["The time ran out before a consistent structure was found."]
