"""What is expected of each suggestion, against marginalising every solution one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from itertools import combinations
from math import log2
from statistics import mean, stdev

import pytest

from tests.support.problems import METHODS, random_oracle
from weft import oracle
from weft.graphs.ancestral import ancestors, descendants, marginal_mag
from weft.graphs.equivalence import pag_of
from weft.graphs.mixed import MixedGraph
from weft.solutions.solution_set import SolutionSet, solve
from weft.solutions.suggest import Kind, Suggestion, suggest


def outcome(mag: MixedGraph, row: Suggestion, method: str) -> object:
    """What would be seen if this were the truth."""
    if row.kind is Kind.RANDOMISE:
        assert row.variable is not None
        return descendants(mag, [row.variable])
    marginal = marginal_mag(mag, row.variables)
    independences = pag_of(marginal, selection=True)
    if method in ("iod", "ion"):
        return independences
    kept = set(row.variables)
    return independences, tuple(ancestors(mag, [name]) & kept for name in row.variables)


def check(solutions: SolutionSet) -> int:
    mags = list(solutions)
    found = suggest(solutions)
    assert (found.structures, found.exact) == (len(mags), True)
    assert found.reference is not None
    names = solutions.evidence.variables
    for row in (*found.rows, found.reference):
        sizes = Counter(outcome(mag, row, solutions.method) for mag in mags).values()
        assert row.outcomes == len(sizes), str(row)
        assert row.worst == max(sizes)
        assert row.expected == pytest.approx(sum(n * n for n in sizes) / len(mags))
        assert row.share == pytest.approx(row.expected / len(mags))
        assert row.bits == pytest.approx(sum(n / len(mags) * log2(len(mags) / n) for n in sizes), abs=1e-12)
        assert row is found.reference or row.outcomes > 1
        assert row.expected >= found.reference.expected or row.kind is Kind.RANDOMISE
    assert list(found.rows) == sorted(found.rows, key=lambda row: (row.expected, len(row.variables), str(row)))
    assert len(found.rows) + found.useless == candidates(solutions, names)
    return len(found.rows)


def candidates(solutions: SolutionSet, names: tuple[str, ...]) -> int:
    studies = [set(study.variables) for study in solutions.evidence.studies]
    pairs = sum(not any({x, y} <= study for study in studies) for x, y in combinations(names, 2))
    wider = [study | {name} for study in studies for name in names if name not in study]
    return pairs + sum(not any(one <= study for study in studies) for one in wider) + len(names)


@pytest.mark.parametrize("selection", [False, True])
@pytest.mark.parametrize("method", METHODS)
def test_small_problems(method: str, selection: bool) -> None:
    chance = random.Random(f"{method} {selection}")
    told = 0
    for size in (3, 3, 4, 4, 4):
        _, evidence = random_oracle(chance, size, studies=2, selection=selection)
        solutions = solve(evidence, method, selection=selection)
        if solutions.complete and 0 < solutions.exact_count() < 600:
            told += check(solutions)
    assert told


@pytest.mark.parametrize("method", ["iod", "causal-iod"])
def test_more_variables(method: str) -> None:
    chance = random.Random(method)
    told = 0
    while told < 12:
        _, evidence = random_oracle(chance, 6, studies=3, sparse=True)
        solutions = solve(evidence, method, limit=300)
        if solutions.complete and 1 < solutions.exact_count() < 300:
            told += check(solutions)


def test_the_share_that_is_left_does_not_depend_on_how_many_were_drawn() -> None:
    """Small samples tell the share of all on average, where at least one of the sample itself is always left."""
    solutions = solve(oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]]), "iod")
    every = suggest(solutions)
    assert every.exact
    assert every.reference is not None
    truth = {str(row): row.share for row in (*every.rows, every.reference)}
    shares: dict[str, list[float]] = {what: [] for what in truth}
    for seed in range(40):
        some = suggest(solutions, most=60, seed=seed)
        assert some.reference is not None
        assert not some.exact
        assert all(row.expected >= 1 for row in some.rows)
        for row in (*some.rows, some.reference):
            shares[str(row)].append(row.share)
    assert truth["measure all variables together"] < 1 / 60  # less than numbers of a sample could say
    for what, found in shares.items():
        error = max(stdev(found) / math.sqrt(len(found)), 1e-4)
        assert abs(mean(found) - truth[what]) < 4 * error, what
