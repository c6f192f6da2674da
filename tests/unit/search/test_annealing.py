"""Annealing: what it is used for, that it repeats itself, and that more effort finds nothing worse."""

from __future__ import annotations

import random
import subprocess
import sys
from dataclasses import replace

import pytest

from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Scope
from weft.graphs.mixed import MixedGraph
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, FIRST_RUN, MOST_VARIABLES, Annealing, can_anneal
from weft.search.problem import Problem
from weft.search.repair import LARGE, Optimisation, priced, softened

ONE_RUN = FIRST_RUN // EVALUATIONS_PER_CONFLICT


def contradictory(variables: int = LARGE, turned: int = 12) -> Problem:
    """Chains in two studies with weights, of which some separated pairs are said to be connected."""
    names = [f"V{i:02}" for i in range(variables)]
    studies = {"a": names[: variables * 2 // 3], "b": names[variables // 3 :]}
    chains = (" -> ".join(names[i : i + 4]) for i in range(0, variables, 4))
    evidence = oracle(MixedGraph.parse("; ".join(chains)), studies)
    chance = random.Random(1)
    wrong = chance.sample(evidence.separated, turned)
    statements = [
        Connected(one.studies[0], one.x, one.y) if one in wrong else one
        for one in evidence.statements
        if (one.x, one.y) not in {(w.x, w.y) for w in wrong} or one in wrong
    ]
    weights = (replace(one, weight=chance.expovariate(0.5)) for one in statements)
    return softened(Problem.of(evidence.with_statements(weights), "iod"))[0]


def costs_within(problem: Problem, effort: int) -> list[int]:
    with Effort(effort).here():
        return [found.cost for found in Annealing(problem).run()]


def test_the_same_effort_finds_the_same() -> None:
    problem = contradictory()
    first, second = ([*_found(problem)] for _ in range(2))
    assert first == second
    assert len(first) == 1


def _found(problem: Problem) -> list[tuple[int, str]]:
    with Effort(ONE_RUN).here():
        return [(found.cost, str(found.model)) for found in Annealing(problem).run()]


def test_more_effort_only_adds_runs() -> None:
    problem = contradictory()
    assert costs_within(problem, ONE_RUN - 1) == []
    one, two = costs_within(problem, 3 * ONE_RUN - 1), costs_within(problem, 3 * ONE_RUN)
    assert len(one) == 1
    assert len(two) == 2
    assert two[:1] == one


def test_what_it_takes_is_counted() -> None:
    with Effort(2 * ONE_RUN).here() as effort:
        assert len(list(Annealing(contradictory()).run())) == 1
    assert effort.left == ONE_RUN


def test_what_is_found_is_paid_for_in_full_and_claims_hold() -> None:
    problem = replace(
        contradictory(), claims=(Claim.parse("V03 causes V01"), Claim.parse("V05 and V06 are confounded"))
    )
    with Effort(ONE_RUN).here():
        found = next(Annealing(problem).run())
    assert priced(problem, found.model).cost == found.cost


@pytest.mark.parametrize("variables", [LARGE, LARGE - 1])
def test_a_problem_that_the_solver_leaves_open_is_annealed(variables: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def exhausted(self: Optimisation, deadline: float | None) -> None:
        self._turn = 0

    monkeypatch.setattr(Optimisation, "_search", exhausted)
    monkeypatch.setattr(Optimisation, "_optimise", lambda self, deadline: None)
    problem = contradictory(variables)
    with Effort(3 * ONE_RUN - 1).here():  # for one run, not for two
        found = Optimisation(problem).run()
    assert [found.cost] == costs_within(problem, ONE_RUN)
    assert not found.proven


@pytest.mark.parametrize(("variables", "fits"), [(MOST_VARIABLES, True), (MOST_VARIABLES + 1, False)])
def test_only_what_fits_into_a_number_is_annealed(variables: int, fits: bool) -> None:
    names = tuple(f"V{i:02}" for i in range(variables))
    evidence = Evidence((Scope("a", names),), (Connected("a", names[0], names[-1], weight=1.0),))
    problem, _ = softened(Problem.of(evidence, "iod"))
    assert can_anneal(problem) == fits
    if fits:
        with Effort(ONE_RUN).here():
            assert [found.cost for found in Annealing(problem).run()] == [0]


def test_the_compiler_is_imported_only_where_annealing_runs() -> None:
    code = "import sys, weft, weft.search.repair; sys.exit('numba' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
