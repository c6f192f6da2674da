"""The solver finds exactly what going over every MAG finds: the graphs, how many, one of them, and what they share.

The problems have two to four variables and come from random models with hidden variables, doubled edges and (some)
selection, seen by one to three studies. The evidence is perfect, or statements are missing, vague, wrong or made up, so
that many problems have no solution. Half of the questions suppose something on top.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Sequence

import pytest

from tests.support.problems import (
    METHODS,
    Answer,
    answers,
    random_claims,
    random_oracle,
    random_problem,
    shown,
)
from tests.support.slow import slow
from weft.evidence.claims import Claim, Topic, claims_about
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.criteria import Structure, is_confounded
from weft.graphs.mixed import MixedGraph
from weft.search.asp import Asp, AspSearch
from weft.search.brute import Brute
from weft.search.consequences import Consequences, Holds
from weft.search.problem import Problem
from weft.search.program import Found, Status

# -- what is compared --------------------------------------------------------------------------------------------------


def check(problem: Problem, claims: Sequence[Claim] = (), search: AspSearch | None = None) -> int:
    """Compare all that the solver says about one question with the tables; the number of solutions."""
    search = search or AspSearch(problem)
    expected = answers(problem, claims)
    where = shown(problem, claims)
    check_graphs(list(search.graphs(claims)), expected, where)
    assert search.count(claims) == (len(expected), True), where
    check_found(search.find(claims), expected, where)
    check_consequences(search.consequences(claims), expected, where)
    return len(expected)


def check_graphs(found: Sequence[MixedGraph], expected: Sequence[Answer], where: str) -> None:
    wanted = {answer.mag for answer in expected}
    lost, extra = wanted.difference(found), set(found) - wanted
    assert not lost, f"lost {sorted(map(str, lost))[:3]}: {where}"
    assert not extra, f"extra {sorted(map(str, extra))[:3]}: {where}"
    assert len(found) == len(wanted), f"repetitions: {where}"


def check_found(found: Found, expected: Sequence[Answer], where: str) -> None:
    """One solution, grounded on demand: a consistent MAG together with one of its models that fit."""
    assert found.status is (Status.FOUND if expected else Status.NONE), where
    if found.graph is not None:
        models = {answer.mag: answer.confounded for answer in expected}
        assert found.graph.undoubled() in models, f"{found.graph}: {where}"
        pairs = itertools.combinations(range(found.graph.size), 2)
        confounded = frozenset(pair for pair in pairs if is_confounded(found.graph, *pair))
        assert confounded in models[found.graph.undoubled()], f"{found.graph}: {where}"


def holds(seen: Iterable[bool]) -> Holds:
    """In which solutions something holds, from each of them."""
    return {(True,): Holds.ALL, (False, True): Holds.SOME}.get(tuple(sorted(set(seen))), Holds.NONE)


def check_consequences(found: Consequences, expected: Sequence[Answer], where: str) -> None:
    assert found.solvable == bool(expected), where
    names = expected[0].mag.names if expected else ()
    for x, y in itertools.combinations(range(len(names)), 2):
        for claim in claims_about(names[x], names[y], selection=True):
            answer = found.holds.get(claim, Holds.NONE)
            assert answer is wanted(claim, names, expected), f"{claim}: {where}"
    if not expected:
        assert set(found.holds.values()) <= {Holds.NONE}, where


def wanted(claim: Claim, names: Sequence[str], expected: Sequence[Answer]) -> Holds:
    x, y = names.index(claim.x), names.index(claim.y)
    if claim.topic is Topic.CAUSES:
        return holds((x, y) in answer.causes for answer in expected)
    if claim.topic is Topic.CONFOUNDED:
        return holds((x, y) in model for answer in expected for model in answer.confounded)
    edges = [answer.mag.edge(claim.x, claim.y) for answer in expected]
    return holds(edge is not None if claim.symbol == "o-o" else edge == claim.symbol for edge in edges)


few_combinations = pytest.mark.parametrize(
    ("method", "selection"),
    [
        *(("iod", False), ("iod-bcd", True), ("causal-iod", False), ("causal-iod", True), ("ion", True)),
        *(slow("iod", True), slow("iod-bcd", False), slow("ion", False)),
    ],
)


# -- random problems ---------------------------------------------------------------------------------------------------


def compare(seed: str, count: int, method: str, *, selection: bool) -> list[int]:
    """Compare on so many problems, each without and with claims put to the same warm solver; numbers of solutions."""
    chance = random.Random(seed)
    found = []
    for _ in range(count):
        problem = random_problem(chance, chance.choice((2, 3, 3, 3, 4, 4)), method, selection=selection)
        search = AspSearch(problem)
        found.append(check(problem, (), search))
        found.append(check(problem, random_claims(chance, problem.names), search))
    return found


@few_combinations
def test_random_problems(method: str, selection: bool) -> None:
    found = compare(f"problems {method} {selection}", 30, method, selection=selection)
    assert sum(count > 0 for count in found) > len(found) / 3
    assert sum(count == 0 for count in found) > len(found) / 10
    assert len(set(found)) > 10


def test_random_problems_of_three_variables() -> None:
    """More of the small ones, which are quick and hold most of the difficulties."""
    chance = random.Random("three")
    for _ in range(100):
        selection = chance.random() < 0.4
        check(random_problem(chance, 3, chance.choice(METHODS), selection=selection))


@pytest.mark.slow
@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("method", METHODS)
def test_many_random_problems(method: str, selection: bool) -> None:
    compare(f"many {method} {selection}", 2000, method, selection=selection)


# -- named ones --------------------------------------------------------------------------------------------------------


def stated(studies: dict[str, str], *statements: Statement) -> Evidence:
    return Evidence(tuple(Scope(name, tuple(variables)) for name, variables in studies.items()), statements)


def related(x: str, y: str, structure: str) -> Relation:
    return Relation(x, y, frozenset({Structure(structure)}))


CONTRADICTIONS: dict[str, list[Statement]] = {
    "two relations of a pair": [related("A", "B", "<->"), related("A", "B", "->")],
    "causes that make a cycle": [related("A", "B", "->"), related("B", "C", "->"), related("C", "A", "->")],
    "a cause of a cause is none": [related("A", "B", "->"), related("B", "C", "->"), related("A", "C", "<->")],
    "separated but a cause": [Separated("A", "B", frozenset(), ("a",)), related("A", "B", "->")],
    "separated but confounded": [Separated("A", "B", frozenset(), ("a",)), related("A", "B", "<->")],
    "no structure but connected": [Connected("a", "A", "B"), related("A", "B", "none")],
}


@pytest.mark.parametrize("name", CONTRADICTIONS)
def test_contradictions(name: str) -> None:
    problem = Problem.of(stated({"a": "ABC"}, *CONTRADICTIONS[name]), "causal-iod")
    assert check(problem) == 0


@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("structure", Structure)
def test_every_structure_of_a_pair_alone(structure: Structure, selection: bool) -> None:
    evidence = stated({"a": "ABC"}, Relation("A", "B", frozenset({structure})))
    assert check(Problem.of(evidence, "causal-iod", selection=selection)) > 0


def test_nothing_said_at_all() -> None:
    assert check(Problem.of(stated({"a": "ABCD"}), "iod")) == 2492
    assert check(Problem.of(stated({"a": "ABCD"}), "iod", selection=True)) == 3045


# -- the tables themselves ---------------------------------------------------------------------------------------------


@few_combinations
def test_the_tables_say_what_the_definition_says(method: str, selection: bool) -> None:
    chance = random.Random(f"tables {method} {selection}")
    for size in (2, *(3,) * 6, 4):
        problem = random_problem(chance, size, method, selection=selection)
        narrowed = problem.with_claims(random_claims(chance, problem.names))
        for question in (problem, narrowed):
            expected = {answer.mag for answer in answers(question)}
            assert set(Brute().graphs(question)) == expected
            assert set(Asp().graphs(question)) == expected


def test_the_truth_is_an_answer_of_the_tables() -> None:
    chance = random.Random("truth")
    for _ in range(200):
        truth, evidence = random_oracle(chance, chance.choice((2, 3, 4)))
        mag = marginal_mag(truth, evidence.variables)
        assert mag in {answer.mag for answer in answers(Problem.of(evidence, "causal-iod"))}
