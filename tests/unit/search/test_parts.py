"""Independent parts of a question: the same answers and the same effort, wherever they are worked on."""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.differential.test_repair import random_evidence, weighted
from tests.support.cluster import cluster_of
from tests.support.processes import linux_only
from tests.support.waiting import LONG_WAIT
from weft.effort import Effort, current_effort
from weft.evidence.claims import Claim, claims_about
from weft.parallel import Workers, current_workers
from weft.search.engine import is_over
from weft.search.parts import in_parts
from weft.search.problem import Problem
from weft.search.repair import optimum, softened
from weft.solutions.solution_set import solve


def question() -> tuple[Problem, list[Claim]]:
    """A problem that contradicts itself, and the claims about two pairs, with their opposites."""
    chance = random.Random("parts")
    evidence = weighted(
        chance, random_evidence(chance, 4, "causal-iod", selection=False, conflict=True), hard=0, free=0
    )
    problem = softened(Problem.of(evidence, "causal-iod"))[0]
    a, b, c, *_ = problem.names
    claims = [*claims_about(a, b), *claims_about(b, c)]
    return problem, [one for claim in claims for one in (claim, claim.negated)]


def least_with(problem: Problem, claim: Claim, deadline: float | None) -> int | None:
    """The least cost with a claim: what margins are made of."""
    return optimum(replace(problem, claims=(claim,)), deadline).cost


def spent(conflicts: int, deadline: float | None) -> int:
    effort = current_effort()
    assert effort is not None
    effort.spend(conflicts)
    return conflicts


def over(number: int, deadline: float | None) -> bool:
    assert deadline is not None
    return is_over(deadline)


def asked() -> tuple[list[int | None], int]:
    """The least cost with each claim, and the effort that is left."""
    problem, claims = question()
    with Effort(100_000).here() as effort:
        return list(in_parts(partial(least_with, problem), claims, [5_000] * len(claims))), effort.left


@pytest.fixture(scope="module")
def alone() -> tuple[list[int | None], int]:
    return asked()


def test_parts_are_what_they_are_one_by_one(alone: tuple[list[int | None], int]) -> None:
    problem, claims = question()
    costs, left = alone
    assert costs == [least_with(problem, claim, None) for claim in claims]
    assert len(set(costs)) > 2
    assert left < 100_000


def test_in_processes(alone: tuple[list[int | None], int]) -> None:
    with Workers(2).here():
        assert asked() == alone


CLUSTER = """
import sys
from tests.unit.search.test_parts import asked
from weft.parallel import Workers
workers = Workers(dask=sys.argv[1])
with workers.here():
    print(asked())
workers._client.close()
with workers.here():
    print(asked())
"""


@linux_only
def test_on_a_cluster_and_when_it_is_closed(tmp_path: Path, alone: tuple[list[int | None], int]) -> None:
    with cluster_of(tmp_path, workers=2) as cluster:
        command = [sys.executable, "-c", CLUSTER, cluster.address]
        said = subprocess.run(command, capture_output=True, text=True, check=True, timeout=LONG_WAIT)
    assert said.stdout.splitlines() == [str(alone), str(alone)]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_what_the_effort_does_not_suffice_for_is_not_begun(n_jobs: int) -> None:
    with Workers(n_jobs).here(), Effort(20).here() as effort:
        assert list(in_parts(spent, [2, 1, 4, 6, 3, 5], [5] * 6)) == [2, 1, 4, 6, 3]
        assert effort.left == 4
    with Workers(n_jobs).here(), Effort(20).here() as effort:
        assert list(in_parts(spent, [1, 2, 4], [1, 25, 4])) == [1]  # the order is kept: those after it wait, too
        assert effort.left == 19


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_only_what_was_seen_is_counted(n_jobs: int) -> None:
    with Workers(n_jobs).here(), Effort(20).here() as effort:
        parts = in_parts(spent, [2, 1, 4, 3], [5] * 4)
        assert isinstance(parts, Iterator)
        assert [next(parts), next(parts)] == [2, 1]
        assert effort.left == 17


def test_any_effort() -> None:
    assert list(in_parts(spent, [7, 7, 7], [5] * 3)) == [7, 7, 7]


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_deadlines_are_told(n_jobs: int) -> None:
    with Workers(n_jobs).here():
        assert list(in_parts(over, [1, 2], [5, 5], time.monotonic() + 600)) == [False, False]
        assert list(in_parts(over, [1, 2], [5, 5], time.monotonic())) == []


def test_a_solution_set_lends_its_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """And so do those that are made of it, with other limits."""
    chance = random.Random("lent")
    evidence = random_evidence(chance, 3, "iod", selection=False, conflict=False)
    solutions = replace(solve(evidence, "iod"), workers=(two := Workers(2)))
    kind = type(solutions._search)
    find, seen = kind.find, []

    def seen_by(*given: Any) -> Any:
        seen.append(current_workers())
        return find(*given)

    monkeypatch.setattr(kind, "find", seen_by)
    assert solutions.consistent in (True, False)
    assert replace(solutions, limit=1).consistent in (True, False)
    assert seen == [two, two]
    assert current_workers().alone
