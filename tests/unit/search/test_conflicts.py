"""A conflict names statements that cannot hold together, and each of them is needed; by going over every MAG."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator, Sequence

import pytest

from tests.support.clock import runs_out
from tests.support.graphs import all_mags
from tests.support.problems import answers, perturbed, random_claims, random_oracle, shown
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.search.conflicts import Conflict, find_conflict
from weft.search.problem import Problem, is_solution

METHODS = ("iod", "iod-bcd", "causal-iod")


def keeping(problem: Problem, statements: Collection[Statement]) -> Problem:
    """The problem with the constraints of these statements only.

    Not the same as a problem of these statements: IOD+BCD reads a relation only where the pair is connected in some
    study, and that is decided by all of the evidence.
    """
    return problem.without([key for key, one in problem.statements.items() if one.origin not in statements])


def solvable(problem: Problem, claims: Sequence[Claim]) -> bool:
    """Whether some MAG is a solution: by the definition for three variables, from its tables for four."""
    if len(problem.names) == 4:
        return bool(answers(problem, claims))
    narrowed = problem.with_claims(claims)
    return any(is_solution(narrowed, mag) for mag in all_mags(len(problem.names), selection=problem.selection))


def check(problem: Problem, claims: Sequence[Claim] = ()) -> bool:
    """Whether there is a conflict; if so, it has been checked."""
    where = shown(problem, claims)
    found = find_conflict(problem, claims)
    assert (found is None) == solvable(problem, claims), where
    if found is None:
        return False
    assert found.minimal, where
    assert len(set(found.statements)) == len(found.statements), where
    named = set(found.statements)
    assert not solvable(keeping(problem, named), claims), f"{found}: {where}"
    for statement in named:
        assert solvable(keeping(problem, named - {statement}), claims), f"'{statement}' is not needed: {where}"
    return True


def problems(chance: random.Random, method: str, sizes: Sequence[int]) -> Iterator[Problem]:
    while True:
        selection = chance.random() < 0.3
        _, evidence = random_oracle(chance, chance.choice(sizes), selection=selection)
        yield Problem.of(perturbed(chance, perturbed(chance, evidence)), method, selection=selection)


def check_until(conflicts: int, method: str, sizes: Sequence[int], *, claims: bool = False) -> None:
    chance = random.Random(f"{method} {sizes} {claims}")
    for problem in problems(chance, method, sizes):
        conflicts -= check(problem, random_claims(chance, problem.names) if claims else ())
        if not conflicts:
            return


@pytest.mark.parametrize("method", METHODS)
def test_random_conflicts_of_three_variables(method: str) -> None:
    check_until(15, method, (3,))


@pytest.mark.parametrize("method", METHODS)
def test_random_conflicts_of_four_variables(method: str) -> None:
    check_until(3, method, (4,))


@pytest.mark.parametrize("method", METHODS)
def test_random_conflicts_with_claims(method: str) -> None:
    check_until(10, method, (3,), claims=True)


@pytest.mark.slow
@pytest.mark.parametrize("claims", [False, True], ids=["alone", "claims"])
@pytest.mark.parametrize("method", METHODS)
def test_many_random_conflicts(method: str, claims: bool) -> None:
    check_until(80, method, (3, 4, 4), claims=claims)


# -- named ones --------------------------------------------------------------------------------------------------------


def conflict_of(*statements: Statement, claims: Sequence[str] = ()) -> Conflict | None:
    problem = Problem.of(Evidence((Scope("a", ("X", "Y", "Z")), Scope("b", ("X", "Y"))), statements), "causal-iod")
    return find_conflict(problem, [Claim.parse(claim) for claim in claims])


def related(x: str, y: str, structure: str) -> Relation:
    return Relation(x, y, frozenset({Structure(structure)}))


def test_two_relations_of_one_pair() -> None:
    first, second, innocent = related("X", "Y", "<->"), related("X", "Y", "->"), related("X", "Z", "->")
    found = conflict_of(first, second, innocent)
    assert found is not None
    assert set(found.statements) == {first, second}
    assert found.minimal


def test_separated_in_one_study_and_connected_in_another() -> None:
    separated, connected = Separated("X", "Y", frozenset({"Z"}), ("a",)), Connected("b", "X", "Y")
    assert conflict_of(separated, connected) is None  # Z may stand between them
    empty = Separated("X", "Y", frozenset(), ("a",))
    found = conflict_of(empty, connected, Connected("a", "Y", "Z"))
    assert found is not None
    assert set(found.statements) == {empty, connected}


def test_causes_that_make_a_cycle() -> None:
    cycle = {related("X", "Y", "->"), related("Y", "Z", "->"), related("Z", "X", "->")}
    found = conflict_of(*cycle)
    assert found is not None
    assert set(found.statements) == cycle


def test_claims_are_kept_and_not_named() -> None:
    separated = Separated("X", "Y", frozenset(), ("a",))
    found = conflict_of(separated, Connected("a", "Y", "Z"), claims=["X causes Y"])
    assert found == Conflict((separated,), minimal=True)


def test_claims_that_contradict_each_other_need_no_statement() -> None:
    found = conflict_of(Connected("a", "X", "Y"), claims=["X causes Y", "Y causes X"])
    assert found == Conflict((), minimal=True)


def test_confounding_claims_that_contradict_each_other() -> None:
    found = conflict_of(claims=["X and Y are confounded", "X and Y are not confounded"])
    assert found == Conflict((), minimal=True)


def test_consistent_evidence_has_no_conflict() -> None:
    problem = Problem.of(oracle("X -> Y; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))
    assert find_conflict(problem) is None


TWO_AND_ONE = (related("X", "Y", "<->"), related("X", "Y", "->"), Connected("a", "X", "Y"))
"""The first two contradict each other."""


def test_when_time_runs_out_at_once_all_statements_are_named_and_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), TWO_AND_ONE), "causal-iod")
    runs_out(monkeypatch, answered=0)
    found = find_conflict(problem)
    assert found is not None
    assert not found.minimal
    assert set(found.statements) == set(TWO_AND_ONE)


def test_when_time_runs_out_later_what_is_named_cannot_hold_together_and_may_be_too_much(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), TWO_AND_ONE), "causal-iod")
    runs_out(monkeypatch, answered=1)
    found = find_conflict(problem)
    assert found is not None
    assert not found.minimal
    assert set(TWO_AND_ONE[:2]) <= set(found.statements) <= set(TWO_AND_ONE)
