"""Annealing says of a model what the definitions say, keeps that up step by step, and never beats the optimum.

An ADMG costs by the kernel what ``priced`` says of the doubling of its MAG that agrees with it (``doubling_of``).
``priced`` of the ADMG itself may differ: where it is not maximal, that takes the MAG, which hides no common cause.
"""

from __future__ import annotations

import itertools
import random
from dataclasses import replace

import numpy as np
import pytest

from tests.support.graphs import graph_from, letters
from tests.support.problems import METHODS, as_networks, perturbed, random_claims, random_oracle
from weft.effort import Effort
from weft.evidence.statements import Evidence
from weft.graphs.ancestral import directed_cycle, doubling_of, doublings, mag_of
from weft.graphs.criteria import is_confounded
from weft.graphs.mixed import MixedGraph
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, FIRST_RUN, Annealing, can_anneal, read_graph
from weft.search.problem import Problem, StatementKey
from weft.search.repair import Optimisation, optimum, priced, softened

EFFORT = FIRST_RUN // EVALUATIONS_PER_CONFLICT
"""Enough for one run."""


def random_admg(chance: random.Random, size: int) -> MixedGraph:
    """Any ADMG, dense or sparse."""
    names = list(letters(size))
    chance.shuffle(names)
    weights = (chance.choice((1, 3, 8)), 2, 1, chance.choice((0, 1)))
    symbols = ("", "->", "<->", "-> & <->")
    return graph_from(names, {pair: chance.choices(symbols, weights)[0] for pair in itertools.combinations(names, 2)})


def random_soft(
    chance: random.Random, size: int, method: str, *, hard: float = 0.1, claims: float = 0.3
) -> Problem | None:
    """A softened problem with contradictions, hard statements and, sometimes, claims; ``None`` if nothing is soft."""
    truth, evidence = random_oracle(chance, size)
    evidence = as_networks(truth, evidence) if method == "ion" else evidence
    problem, _ = softened(Problem.of(weighted(chance, perturbed(chance, evidence), hard), method))
    if chance.random() < claims:
        problem = replace(problem, claims=random_claims(chance, problem.names))
    return problem if can_anneal(problem) else None


def weighted(chance: random.Random, evidence: Evidence, hard: float) -> Evidence:
    return evidence.with_statements(
        replace(one, weight=None if chance.random() < hard else chance.expovariate(0.5)) for one in evidence.statements
    )


def some_kept(chance: random.Random, problem: Problem) -> list[StatementKey]:
    """Statements of which one must hold, sometimes."""
    keys = list(problem.costs)
    return chance.sample(keys, chance.randint(1, len(keys))) if chance.random() < 0.3 else []


@pytest.mark.parametrize("size", [2, 3, 4, 5])
def test_the_doubling_of_a_model_agrees_with_it(size: int) -> None:
    chance = random.Random(size)
    for _ in range(100):
        model = random_admg(chance, size)
        doubling = doubling_of(model)
        assert doubling in set(doublings(mag_of(model))), str(model)
        for x, y in itertools.combinations(range(size), 2):
            assert is_confounded(doubling, x, y) == is_confounded(model, x, y), (str(model), x, y)


@pytest.mark.parametrize("method", METHODS)
def test_a_model_costs_what_the_definitions_say(method: str) -> None:
    chance, allowed = random.Random(method), 0
    for _ in range(100):
        problem = random_soft(chance, chance.randint(2, 6), method)
        if problem is None:
            continue
        kept = some_kept(chance, problem)
        annealing = Annealing(problem, kept)
        for _ in range(5):
            model = random_admg(chance, len(problem.names))
            expected = priced(problem, doubling_of(model))
            cost = None if kept and expected.given_up.issuperset(kept) else expected.cost
            assert annealing.cost(model) == cost, (str(model), problem)
            allowed += cost is not None
    assert allowed > 50


@pytest.mark.parametrize("method", METHODS)
def test_a_walk_keeps_up_what_looking_at_everything_finds(method: str) -> None:
    chance = random.Random(method)
    for _ in range(60):
        problem = random_soft(chance, chance.randint(2, 7), method)
        if problem is None:
            continue
        annealing = Annealing(problem, some_kept(chance, problem))
        names = problem.names
        model = annealing.start(chance.randint(1, 1000), random_admg(chance, len(names)))
        for heat in (10**6, 10**5, 10**3):
            annealing.walk(model, heat, 100)
            graph = read_graph(names, model.graph)
            anew = annealing.start(1, graph)
            assert directed_cycle(graph) is None
            assert np.array_equal(model.graph, anew.graph)
            assert np.array_equal(model.answers, anew.answers)
            assert np.array_equal(model.totals[:3], anew.totals[:3])


@pytest.mark.parametrize("method", METHODS)
def test_the_best_found_is_never_better_than_the_optimum_and_mostly_as_good(method: str) -> None:
    chance, outcomes = random.Random(method), []
    for _ in range(25):
        problem = random_soft(chance, chance.randint(3, 5), method)
        if problem is None:
            continue
        kept = some_kept(chance, problem)
        best = Optimisation(problem, kept).run() if kept else optimum(problem)
        assert best.proven
        with Effort(EFFORT).here():
            costs = [found.cost for found in Annealing(problem, kept).run()]
        if best.cost is None:
            assert not costs
        else:
            assert min(costs, default=best.cost) >= best.cost
            outcomes.append(best.cost in costs)
    assert len(outcomes) > 10
    assert sum(outcomes) > 0.9 * len(outcomes)
