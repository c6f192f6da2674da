"""Draws in proportion to exp(-cost) against every model, one by one."""

from __future__ import annotations

import math

import pytest

from tests.differential.test_estimates import cases
from tests.support.graphs import all_admgs
from weft import oracle, solve
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.parallel import Workers, working
from weft.search.annealing import Annealing
from weft.search.draws import Drawn, drawn_shares
from weft.search.engine import OutOfTime
from weft.search.problem import Problem, claims_hold
from weft.search.repair import Optimum
from weft.search.scale import Scale


def small_cases(name: str, number: int) -> list[tuple[Problem, Scale, MixedGraph]]:
    """Softened problems of three variables, with a cheapest model."""
    found: list[tuple[Problem, Problem, Scale, Optimum]] = [
        one for one in cases(name, 2 * number) if len(one[1].names) == 3
    ]
    return [(soft, scale, least.graph) for _, soft, scale, least in found[:number] if least.graph is not None]


def expected_shares(problem: Problem, unit: int, claims: list[Claim]) -> dict[Claim, float]:
    """The share of all models, each with the weight exp(-cost), in which each claim holds."""
    doubles = len(Annealing(problem)._choices) > 4
    total, shares = 0.0, dict.fromkeys(claims, 0.0)
    for graph in all_admgs(3):
        model = MixedGraph(problem.names, graph.marks, graph.doubled)
        mag = marginal_mag(model, model.names)
        failing = [key for key, one in problem.statements.items() if not one.holds_in(model, mag)]
        impossible = any(key not in problem.costs for key in failing) or not claims_hold(problem.claims, model, mag)
        if impossible or (model.doubled and not doubles):
            continue
        weight = math.exp(-sum(problem.costs[key] for key in failing) / unit)
        total += weight
        for claim in claims:
            shares[claim] += weight * claims_hold([claim], model, mag)
    return {claim: share / total for claim, share in shares.items()}


def test_shares_are_those_of_all_models() -> None:
    compared = 0
    for soft, scale, start in small_cases("draws", 8):
        found = drawn_shares(soft, start, scale.unit)
        for claim, wanted in expected_shares(soft, scale.unit, list(found)).items():
            assert found[claim].share == pytest.approx(wanted, abs=0.04), str(claim)
            compared += 0.05 < wanted < 0.95
    assert compared > 20


def test_it_makes_no_difference_where_chains_run() -> None:
    ((soft, scale, start),) = small_cases("draws anywhere", 1)
    here = drawn_shares(soft, start, scale.unit)
    with working(Workers(2)):
        assert drawn_shares(soft, start, scale.unit) == here


def test_without_effort_there_is_no_opinion() -> None:
    ((soft, scale, start),) = small_cases("draws for nothing", 1)
    with Effort(100).here(), pytest.raises(OutOfTime):
        drawn_shares(soft, start, scale.unit)


def test_chains_that_disagree_say_nothing() -> None:
    assert Drawn(0.5, 0.1).is_known
    assert not Drawn(0.5, 0.9).is_known


def test_where_nothing_may_be_given_up_there_is_no_second_opinion() -> None:
    assert solve(oracle("X -> Y", [["X", "Y"]])).second_opinion() == {}
