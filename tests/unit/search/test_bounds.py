"""What follows before any search: each rule on a small case, and that no rule loses a solution."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from tests.support.problems import METHODS, Answer, answers, random_problem, shown
from tests.support.slow import slow
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph, bits
from weft.graphs.separation import ancestor_mask, connected_masks
from weft.search.bounds import Bounds, bounds_of, no_bounds, unshielded_triples
from weft.search.problem import Problem

A, B, C, D = range(4)


def problem_of(*statements: Statement, method: str = "causal-iod", selection: bool = False) -> Problem:
    return Problem.of(Evidence((Scope("a", tuple("ABCD")),), statements), method, selection=selection)


def related(x: str, y: str, *allowed: str) -> Relation:
    return Relation(x, y, frozenset(map(Structure, allowed)))


def separated(x: str, y: str, given: str = "") -> Separated:
    return Separated(x, y, frozenset(given), ("a",))


def has(table: tuple[int, ...], x: int, y: int) -> bool:
    return bool(table[x] >> y & 1)


# -- the rules ---------------------------------------------------------------------------------------------------------


def test_nothing_said_excludes_nothing() -> None:
    for selection in (False, True):
        problem = problem_of(selection=selection)
        assert bounds_of(problem) == no_bounds(problem)


def test_a_relation_that_allows_only_causes_makes_it_certain() -> None:
    bounds = bounds_of(problem_of(related("A", "B", "->", "-> & <->")))
    assert has(bounds.must_cause, A, B)
    assert not has(bounds.may_cause, B, A)
    assert not has(bounds.may_point, B, A)
    assert not has(bounds.may_confound, A, B)
    assert not has(bounds.may_confound, B, A)


def test_a_relation_that_never_allows_causes_excludes_it() -> None:
    bounds = bounds_of(problem_of(related("A", "B", "none", "<->", "<-")))
    assert not has(bounds.may_cause, A, B)
    assert not has(bounds.may_point, A, B)
    assert has(bounds.may_cause, B, A)
    assert not any(bounds.must_cause)


def test_causes_are_transitive() -> None:
    bounds = bounds_of(problem_of(related("A", "B", "->"), related("B", "C", "->")))
    assert has(bounds.must_cause, A, C)
    assert not has(bounds.may_cause, C, A)


def test_a_separated_pair_has_no_edge() -> None:
    bounds = bounds_of(problem_of(separated("A", "B", "C"), selection=True))
    for table in (bounds.may_point, bounds.may_confound, bounds.may_join):
        assert not has(table, A, B)
        assert not has(table, B, A)
    assert has(bounds.may_cause, A, B)  # by way of C or D
    assert not any(bounds.independent)


def test_independence_spreads_to_causes() -> None:
    bounds = bounds_of(problem_of(separated("A", "B"), related("C", "A", "->")))
    assert has(bounds.independent, C, B)
    assert has(bounds.independent, B, C)
    assert not has(bounds.may_cause, C, B)
    assert not has(bounds.may_confound, C, B)


def test_a_collider_causes_neither_end() -> None:
    bounds = bounds_of(problem_of(Connected("a", "A", "C"), Connected("a", "B", "C"), separated("A", "B", "D")))
    assert not has(bounds.may_cause, C, A)
    assert not has(bounds.may_cause, C, B)
    assert has(bounds.may_cause, A, C)


def test_a_cause_needs_a_chain_of_edges() -> None:
    apart = [separated("A", "B", "C"), separated("A", "C", "B"), separated("A", "D", "B")]
    bounds = bounds_of(problem_of(*apart))
    assert bounds.may_cause[A] == 0
    assert bounds_of(problem_of(*apart, related("A", "B", "->"))).contradiction


def test_iod_bcd_restricts_edges_only() -> None:
    statements = (Connected("a", "A", "B"), related("A", "B", "->"))
    bounds = bounds_of(problem_of(*statements, method="iod-bcd"))
    assert has(bounds.may_point, A, B)
    assert not has(bounds.may_point, B, A)
    assert not has(bounds.may_confound, A, B)
    assert has(bounds.may_cause, B, A)
    assert not any(bounds.must_cause)


@pytest.mark.parametrize(
    "statements",
    [
        (related("A", "B", "->"), related("A", "B", "<->")),
        (related("A", "B", "->"), related("B", "C", "->"), related("C", "A", "->")),
        (related("A", "B", "->"), separated("A", "B")),
    ],
)
def test_contradictions_are_seen(statements: tuple[Statement, ...]) -> None:
    problem = problem_of(*statements)
    assert bounds_of(problem).contradiction
    assert not answers(problem)


def test_unshielded_triples() -> None:
    problem = problem_of(Connected("a", "A", "C"), Connected("a", "B", "C"), separated("A", "B", "C"))
    assert unshielded_triples(problem, "a") == [(A, C, B, True)]


def test_relevant_vertices_are_those_that_may_cause() -> None:
    bounds = bounds_of(problem_of(related("A", "B", "none", "<-", "<->"), related("C", "B", "none", "<-", "<->")))
    assert set(bits(bounds.relevant(1 << B))) == {B, D}


# -- no solution is lost -----------------------------------------------------------------------------------------------


def outside(bounds: Bounds, answer: Answer) -> str | None:
    """How a solution breaks the bounds, if it does."""
    mag = answer.mag
    above = [ancestor_mask(mag, 1 << v) & ~(1 << v) for v in range(mag.size)]
    below = [sum((above[y] >> x & 1) << y for y in range(mag.size)) for x in range(mag.size)]
    checks: dict[str, Callable[[int], bool]] = {
        "->": lambda v: not mag.children[v] & ~bounds.may_point[v],
        "<->": lambda v: not mag.spouses[v] & ~bounds.may_confound[v],
        "--": lambda v: not mag.neighbours[v] & ~bounds.may_join[v],
        "may cause": lambda v: not below[v] & ~bounds.may_cause[v],
        "must cause": lambda v: not bounds.must_cause[v] & ~below[v],
        "independent": lambda v: not bounds.independent[v] & connected_masks(mag, v, 0),
        "relevant": lambda v: not _anteriors(mag, v) & ~bounds.relevant(1 << v),
    }
    return next((name for name, holds in checks.items() if not all(map(holds, range(mag.size)))), None)


def _anteriors(mag: MixedGraph, v: int) -> int:
    """The vertices from which a path of ``--`` and then ``->`` edges leads to v."""
    reached = above = ancestor_mask(mag, 1 << v)
    while above & mag.selected:
        more = reached
        for w in bits(reached & mag.selected):
            more |= mag.neighbours[w]
        if more == reached:
            break
        reached = above = more
    return reached


@pytest.mark.parametrize("count", [120, slow(1000)])
@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("method", METHODS)
def test_every_solution_lies_within(method: str, selection: bool, count: int) -> None:
    chance = random.Random(f"bounds {method} {selection}")
    contradictions = 0
    for _ in range(count):
        problem = random_problem(chance, chance.choice((3, 3, 4)), method, selection=selection)
        bounds, found = bounds_of(problem), answers(problem)
        contradictions += bounds.contradiction
        assert not (bounds.contradiction and found), shown(problem)
        for answer in chance.sample(found, min(len(found), 60)):
            assert not (broken := outside(bounds, answer)), f"{broken} in {answer.mag}: {shown(problem)}"
    assert contradictions or method != "causal-iod"
