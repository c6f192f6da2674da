"""The paper's search finds exactly what going over every MAG finds, each graph once.

The problems come from random models with hidden variables, seen by one to three studies. In some of them statements are
left out, relations leave a choice, or a test went wrong.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator

import pytest

from tests.support.graphs import all_mags, graph_from, letters
from tests.support.problems import opposite, said_once
from tests.support.slow import slow
from weft.errors import WeftError
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Relation, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.brute import Brute
from weft.search.powerset import Powerset, sizes
from weft.search.problem import Problem

METHODS = ("iod", "iod-bcd", "causal-iod")


def check(problem: Problem) -> int:
    """Compare the engines; the number of answers."""
    found = list(Powerset().graphs(problem))
    expected = set(Brute().graphs(problem))
    lost, extra = expected.difference(found), set(found) - expected
    assert not lost, f"lost {sorted(map(str, lost))[:3]} of {problem}"
    assert not extra, f"extra {sorted(map(str, extra))[:3]} for {problem}"
    assert len(found) == len(expected), f"repetitions for {problem}"
    return len(expected)


# -- random problems ---------------------------------------------------------------------------------------------------


def random_model(chance: random.Random, size: int) -> MixedGraph:
    names = [*letters(size), *"PQ"[: chance.choice((0, 0, 1, 2))]]  # P and Q are never measured
    chance.shuffle(names)
    symbols = ("", "->", "<->", "-> & <->", "--")
    weights = (chance.choice((1, 2, 4)), 2, 1, 0.5, chance.choice((0, 0, 0.5)))
    return graph_from(names, {pair: chance.choices(symbols, weights)[0] for pair in itertools.combinations(names, 2)})


def random_studies(chance: random.Random, size: int) -> list[list[str]]:
    number = chance.choice((1, 2, 2, 3))
    largest = max(2, size - 1) if number > 1 else size
    return [sorted(chance.sample(letters(size), chance.randint(2, largest))) for _ in range(number)]


def blurred(chance: random.Random, evidence: Evidence) -> Iterator[Statement]:
    """The statements, with some left out, some relations less certain and some results wrong."""
    left_out, vague, wrong = (chance.choice((0, 0, rate)) for rate in (0.4, 0.5, 0.15))
    for statement in evidence.statements:
        if chance.random() < left_out:
            continue
        if isinstance(statement, Relation):
            more = chance.sample(list(Structure), 2) if chance.random() < vague else ()
            yield Relation(statement.x, statement.y, statement.allowed.union(more))
        elif chance.random() < wrong:
            yield opposite(chance, evidence, statement)
        else:
            yield statement


def random_evidence(chance: random.Random, size: int) -> Evidence:
    while True:
        studies = random_studies(chance, size)
        try:
            evidence = oracle(random_model(chance, size), studies)
            if len(evidence.variables) == size:
                return evidence.with_statements(said_once(blurred(chance, evidence)))
        except WeftError:  # studies that do not overlap, or a model that is not ancestral
            continue


@pytest.mark.parametrize(
    ("method", "selection"),
    [
        *(("iod", True), ("iod-bcd", False), ("causal-iod", True), ("causal-iod", False)),
        *(slow("iod", False), slow("iod-bcd", True)),
    ],
)
def test_random_problems(method: str, selection: bool) -> None:
    chance = random.Random(f"{method} {selection}")
    answers = [
        check(Problem.of(random_evidence(chance, size), method, selection=selection))
        for size in (2,) * 2 + (3,) * 12 + (4,) * 3
    ]
    assert sum(count > 0 for count in answers) > len(answers) / 2
    assert len(set(answers)) > 5


@pytest.mark.slow
@pytest.mark.parametrize("selection", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_many_random_problems(method: str, selection: bool) -> None:
    chance = random.Random(f"many {method} {selection}")
    for _ in range(300):
        check(Problem.of(random_evidence(chance, chance.choice((3, 4))), method, selection=selection))


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_random_problems_of_five_variables(method: str) -> None:
    chance = random.Random(f"five {method}")
    problems = (Problem.of(random_evidence(chance, 5), method) for _ in itertools.count())
    feasible = (p for p in problems if len(p.separations) > 2 and (sizes(p).candidates or 10**6) < 20_000)
    for problem in itertools.islice(feasible, 10):
        check(problem)


# -- every truth of three variables ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("studies", "method"),
    [
        *((("AB", "BC"), "causal-iod"), (("AB", "BC", "AC"), "iod")),
        *(slow(("AB", "BC"), "iod"), slow(("AB", "BC", "AC"), "causal-iod")),
    ],
    ids=lambda value: value if isinstance(value, str) else " ".join(value),
)
def test_every_truth_of_three_variables(studies: tuple[str, ...], method: str) -> None:
    for truth in all_mags(3, selection=True):
        evidence = oracle(truth, [list(study) for study in studies])
        problem = Problem.of(evidence, method, selection=truth.has_selection)
        assert truth in set(Powerset().graphs(problem))
        check(problem)
