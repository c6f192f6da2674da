"""Looking for the best repair: by turns, within the effort, from where it stopped, and never called proven without."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from tests.differential.test_annealing import random_soft, some_kept
from tests.support.graphs import letters
from tests.unit.search.test_annealing import contradictory
from weft.effort import CALL, Effort
from weft.evidence.claims import Claim
from weft.graphs.equivalence import pag_of
from weft.graphs.mixed import MixedGraph
from weft.search import repair
from weft.search.problem import Problem
from weft.search.program import Program, speaks_of_separations
from weft.search.repair import LARGE, Optimisation, Optimum, optimum, priced


def found_within(problem: Problem, effort: int) -> tuple[Optimum, int]:
    """What is found, and what is left of the effort."""
    with Effort(effort).here() as counted:
        return Optimisation(problem).run(), counted.left


@pytest.fixture
def only_from_below(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither annealing nor the solver's own optimisation helps."""
    monkeypatch.setattr(repair, "SOON", 0)
    monkeypatch.setattr(repair, "TURNS", 0)


@pytest.mark.usefixtures("only_from_below")
@pytest.mark.parametrize("method", ["iod", "iod-bcd", "causal-iod"])
def test_asking_from_below_finds_what_the_solvers_own_optimisation_does(method: str) -> None:
    chance, compared = random.Random(method), 0
    for _ in range(25):
        problem = random_soft(chance, chance.randint(3, 5), method)
        if problem is None:
            continue
        problem = replace(problem, selection=chance.random() < 0.3)
        kept = some_kept(chance, problem)
        by_cores = Optimisation(problem, kept)
        by_cores._optimise(None)
        asked = Optimisation(problem, kept).run()
        assert asked.proven
        assert asked.cost == by_cores.found.cost
        if asked.cost is not None:
            assert asked.graph is not None
            assert priced(problem, asked.graph).cost == asked.cost
            compared += 1
        if asked.cost and not kept:  # what all best repairs give up, by the search that looks for others
            again = Optimisation(problem)
            again.take_over(asked._replace(settled=False, always=asked.given_up, sometimes=asked.given_up))
            others = again.run()
            assert (asked.always, asked.sometimes) == (others.always, others.sometimes)
    assert compared > 10


@pytest.mark.usefixtures("only_from_below")
def test_a_poor_repair_is_bettered() -> None:
    problem = contradictory(6, 3)
    best = optimum(problem)
    poor = Optimisation(problem)
    poor.take_over(repair.UNKNOWN._replace(cost=0, graph=MixedGraph(problem.names, bytes(len(problem.names) ** 2))))
    assert poor.found.cost is not None
    assert best.cost is not None
    assert poor.found.cost > best.cost
    assert poor.run().cost == best.cost


def test_more_effort_finds_nothing_worse_and_the_same_effort_the_same() -> None:
    problem, costs, bounds = contradictory(LARGE + 2, 14), [], []
    for effort in (300, 1_600, 4_000):
        found, left = found_within(problem, effort)
        assert left > -2 * CALL
        costs.append(float("inf") if found.cost is None else found.cost)
        bounds.append(found.bound)
        if effort == 1_600:
            assert found == found_within(problem, effort)[0]
    assert costs == sorted(costs, reverse=True)
    assert bounds == sorted(bounds)
    assert costs[-1] < float("inf")


def test_what_was_stopped_goes_on() -> None:
    problem = contradictory(6, 3)
    whole, parts = optimum(problem), Optimisation(problem)
    for _ in range(1_000):
        if parts.is_over:
            break
        with Effort(20 if parts.found.cost is not None else 2_000).here():
            before = parts.found
            parts.run()
        assert parts.found.bound >= before.bound
        assert before.cost is None or (parts.found.cost is not None and parts.found.cost <= before.cost)
    assert (parts.found.cost, parts.found.proven) == (whole.cost, True)
    fresh = Optimisation(problem)
    fresh.take_over(parts.found)
    assert fresh.is_over


@pytest.mark.parametrize("size", [2, 3, 4])
def test_one_graph_at_least_of_all_with_the_same_separations_is_canonical(size: int) -> None:
    every, some = (classes(size, canonical) for canonical in (False, True))
    assert set(some) == set(every)
    assert len(some) < len(every)


def classes(size: int, canonical: bool) -> list[MixedGraph]:
    """The PAG of each graph."""
    program = Program(Problem(letters(size)), canonical=canonical)
    program.ground_everything()
    program.walk_at_most(None)
    with program.control.solve(yield_=True) as handle:
        return [pag_of(program.read(model)) for model in handle]


def test_only_what_separations_tell_is_canonical() -> None:
    problem = contradictory(6, 3)
    assert speaks_of_separations(problem)
    assert not speaks_of_separations(problem.with_claims([Claim.parse("V00 causes V01")]))
