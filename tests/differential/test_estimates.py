"""Estimated margins against every model: never too small where the least cost is proven, and nearly always right."""

from __future__ import annotations

import math
import random

import numpy
import pytest

from tests.differential.test_margins import costs, expected_margins
from tests.differential.test_repair import random_evidence, weighted
from tests.support.problems import random_claim, shown
from weft import oracle, solve
from weft.effort import USUAL, Effort
from weft.evidence.claims import Claim
from weft.graphs.simulate import random_admg, split_into_studies
from weft.parallel import Workers, working
from weft.search.annealing import can_anneal
from weft.search.asp import AspSearch
from weft.search.consequences import Holds
from weft.search.estimates import Estimates
from weft.search.margins import LARGEST, estimated, least_costs
from weft.search.problem import Problem
from weft.search.repair import Optimum, optimum, softened
from weft.search.repaired import RepairedSearch
from weft.search.scale import Scale

EFFORT = 4_000


def cases(name: str, number: int) -> list[tuple[Problem, Problem, Scale, Optimum]]:
    """Problems of three and four variables that contradict themselves, softened, with the least cost."""
    chance = random.Random(name)
    found: list[tuple[Problem, Problem, Scale, Optimum]] = []
    while len(found) < number:
        size = 3 if len(found) % 4 else 4
        evidence = weighted(chance, random_evidence(chance, size, "causal-iod", selection=False, conflict=True))
        problem = Problem.of(evidence)
        if chance.random() < 0.3:
            problem = problem.with_claims([random_claim(chance, problem.names)])
        soft, scale = softened(problem)
        least = optimum(soft) if can_anneal(soft) else None
        if least is not None and least.graph is not None:
            found.append((problem, soft, scale, least))
    return found


def walked(soft: Problem, least: Optimum, scale: Scale, effort: int = EFFORT) -> Estimates:
    assert least.graph is not None
    walks = Estimates(soft, least.graph, scale.cost(3.6))
    with Effort(effort).here():
        walks.run()
    return walks


def test_estimates_are_never_too_small_and_mostly_right() -> None:
    compared = right = 0
    for problem, soft, scale, least in cases("estimates", 12):
        wanted, most = expected_margins(problem), scale.cost(3.6)
        largest = 1000 * scale.weight(most)
        lower = least_costs(soft, least, most)
        for fact, seen in walked(soft, least, scale).seen().items():
            sides = {value: lower[fact, value] for value in (True, False) if (fact, value) in lower}
            ahead = estimated(seen, sides, least, most)
            margin = wanted[fact.claim(problem.names)] * (1 if ahead.holds else -1)
            assert margin >= 0, f"{fact} is behind; {shown(problem)}"
            assert ahead.cost is not None
            told = 1000 * scale.weight(ahead.cost)
            if ahead.exact:
                assert told == pytest.approx(margin, abs=1e-6), f"{fact}; {shown(problem)}"
            elif not ahead.estimated:
                assert told <= margin, f"{fact} is proven to be at least {told}, but is {margin}; {shown(problem)}"
            else:
                assert told >= min(margin, largest) - 1e-6, f"{fact}: {told} is less than {margin}; {shown(problem)}"
            compared += 1
            same = told == pytest.approx(margin, abs=1e-6) or min(told, margin) >= largest
            right += same or not ahead.estimated
    assert compared > 200
    assert right >= 0.99 * compared


def test_bounds_never_cost_more_than_the_cheapest_model() -> None:
    telling = 0
    for problem, soft, scale, least in cases("lower bounds", 10):
        models = list(costs(problem))
        for (fact, value), cost in least_costs(soft, least, scale.cost(3.6)).items():
            claim = fact.claim(problem.names)
            cheapest = min((one for one, held in models if (claim in held) == value), default=math.inf)
            assert 1000 * scale.weight(cost) <= cheapest, f"{claim} {value}; {shown(problem)}"
            telling += 1
    assert telling > 20


def test_the_same_effort_finds_the_same_and_more_nothing_costlier() -> None:
    for _, soft, scale, least in cases("monotone", 2):
        less, again, more = (walked(soft, least, scale, effort).seen() for effort in (2_000, 2_000, 4_000))
        assert less == again
        for fact, one in less.items():
            for before, after in zip(one, more[fact], strict=True):
                assert before is None or (after is not None and after <= before)


def test_it_makes_no_difference_where_walks_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.search.estimates.JOB", 3_000)
    for _, soft, scale, least in cases("anywhere", 2):
        here = walked(soft, least, scale)
        with working(Workers(2)):
            there = walked(soft, least, scale)
        assert len(there.tried) > 10
        assert (there.seen(), there.tried, there.spent) == (here.seen(), here.tried, here.spent)


def test_walks_stand_in_for_the_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a problem is beyond the solver, nothing is said that all models do not bear out."""
    monkeypatch.setattr(RepairedSearch, "_is_large", lambda self, problem: can_anneal(self._soft))
    monkeypatch.setattr("weft.search.repaired.WALKING", EFFORT)
    chance = random.Random("instead")
    known = 0
    for _ in range(8):
        evidence = weighted(chance, random_evidence(chance, 3, "causal-iod", selection=False, conflict=True))
        problem = Problem.of(evidence)
        solutions = solve(evidence, conflicts="repair")
        models = list(costs(problem))
        if not can_anneal(softened(problem)[0]) or not models:
            continue
        least = min(cost for cost, _ in models)
        best = [held for cost, held in models if cost == least]
        for one in solutions.summary(margins=True).findings:
            truth = Holds.of(
                true_seen=any(one.claim in held for held in best),
                false_seen=any(one.claim not in held for held in best),
                settled=True,
            )
            assert one.holds in (truth, Holds.UNKNOWN), f"{one.claim}; {shown(problem)}"
            assert not (one.estimated and one.exact)
            known += one.holds is not Holds.UNKNOWN
        assert solutions.explain(Claim.parse("A causes B")).lead
        right = {mag.marks for mag in solve(evidence, conflicts="repair", engine="brute")}
        assert {mag.marks for mag in solutions} <= right
    assert known > 50


def test_estimates_are_as_the_solver_has_it() -> None:
    """On eight variables, where the cheapest models are many and far apart."""
    compared = same = 0
    for seed in range(3):
        rng = numpy.random.default_rng(seed)
        graph = random_admg(8, rng, mean_degree=2, mean_bidirected_degree=0.5)
        perfect = oracle(graph, split_into_studies(graph.names, rng, studies=2, overlap=4))
        problem = Problem.of(weighted(random.Random(f"larger {seed}"), perfect))
        with Effort(USUAL).here():
            exact = RepairedSearch(problem, 0.0, AspSearch).margins()
        walked_only = RepairedSearch(problem, 0.0, AspSearch)
        with Effort(USUAL).here():
            walked_only.repair()
            rough = walked_only.estimated_margins(())
        for claim, known in exact.items():
            if known.exact:
                wanted, told = (min(abs(one.weight), LARGEST) for one in (known, rough[claim]))
                assert told >= wanted - 1e-6, f"{claim}: {told} is less than {wanted}"
                compared += 1
                same += told <= wanted + 1e-6
    assert compared > 100
    assert same >= 0.98 * compared
