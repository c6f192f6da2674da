"""The solver finds exactly what the paper's own search finds, on problems of four to six variables.

Going over every MAG ends at five variables; the paper's search reaches some problems beyond. A problem is taken if the
search has few candidates (:func:`~weft.search.powerset.sizes`), which is known beforehand.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from tests.support.problems import perturbed, random_claims, random_oracle, shown
from weft.evidence.claims import Claim
from weft.search.asp import AspSearch
from weft.search.enumeration import EnumeratingSearch
from weft.search.powerset import Powerset, edges_to_remove, global_graph, sizes
from weft.search.problem import Problem


def check(problem: Problem, claims: Sequence[Claim] = ()) -> int:
    """Compare the engines; the number of answers."""
    found = list(AspSearch(problem).graphs(claims))
    expected = set(EnumeratingSearch(Powerset(), problem).graphs(claims))
    lost, extra = expected.difference(found), set(found) - expected
    where = shown(problem, claims)
    assert not lost, f"lost {sorted(map(str, lost))[:3]}: {where}"
    assert not extra, f"extra {sorted(map(str, extra))[:3]}: {where}"
    assert len(found) == len(expected), f"repetitions: {where}"
    return len(found)


def feasible_problems(
    chance: random.Random, size: int, methods: Sequence[str], candidates: int, *, selection: bool = False
) -> Iterator[Problem]:
    """Problems that the paper's search has few candidates for, one in five from evidence that is not perfect."""
    while True:
        _, evidence = random_oracle(chance, size, selection=selection, sparse=chance.random() < 0.5)
        if chance.random() < 0.2:
            evidence = perturbed(chance, evidence)
        problem = Problem.of(evidence, chance.choice(methods), selection=selection)
        # Cheap first: the number of rounds alone excludes most.
        if 1 << len(edges_to_remove(problem, global_graph(problem))) <= candidates:
            found = sizes(problem, limit=candidates).candidates
            if found is not None and 1 < found <= candidates:
                yield problem


def compare(
    seed: str, count: int, size: int, methods: Sequence[str], candidates: int, *, selection: bool = False
) -> list[int]:
    chance = random.Random(seed)
    problems = feasible_problems(chance, size, methods, candidates, selection=selection)
    answers = []
    for problem in itertools.islice(problems, count):
        answers.append(check(problem))
        answers.append(check(problem, random_claims(chance, problem.names)))
    return answers


RELATED = ("iod-bcd", "causal-iod")


@pytest.mark.parametrize(
    ("size", "methods", "count", "candidates"),
    [
        (4, ("iod",), 8, 150),
        (4, RELATED, 8, 200),
        (5, ("iod",), 5, 300),
        (5, RELATED, 10, 400),
        (6, RELATED, 4, 500),
    ],
    ids=["iod-4", "related-4", "iod-5", "related-5", "related-6"],
)
def test_random_problems(size: int, methods: tuple[str, ...], count: int, candidates: int) -> None:
    answers = compare(f"{size} {methods}", count, size, methods, candidates)
    assert sum(number > 0 for number in answers) > len(answers) / 3
    assert max(answers) > 1


@pytest.mark.parametrize("method", RELATED)
def test_random_problems_with_selection(method: str) -> None:
    answers = compare(f"selection {method}", 5, 4, (method,), 100, selection=True)
    assert sum(number > 0 for number in answers) > len(answers) / 3


@pytest.mark.slow
@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("method", ["iod", *RELATED])
@pytest.mark.parametrize("size", [4, 5, 6])
def test_many_random_problems(size: int, method: str, selection: bool) -> None:
    count = {4: 60, 5: 30, 6: 15}[size]
    compare(f"many {size} {method} {selection}", count, size, (method,), 4000, selection=selection)
