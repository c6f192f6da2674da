"""Draws of likely models against every model, one by one."""

from __future__ import annotations

import math

import pytest

from tests.differential.test_estimates import cases
from tests.support.graphs import all_admgs
from weft import oracle, solve
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.statements import Evidence, Relation, Scope
from weft.graphs.ancestral import marginal_mag
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.parallel import Workers, working
from weft.search.annealing import Annealing
from weft.search.draws import CONFOUNDED, DIRECTED, drawn_shares
from weft.search.engine import OutOfTime
from weft.search.kinds import PairRelation
from weft.search.problem import Problem, claims_hold
from weft.search.scale import Scale


def small_cases(name: str, number: int) -> list[tuple[Problem, Scale]]:
    """Softened problems of three variables."""
    found = [(soft, scale) for _, soft, scale, _ in cases(name, 2 * number) if len(soft.names) == 3]
    return found[:number]


def price_of(model: MixedGraph) -> float:
    """What its edges cost, as a weight."""
    directed = sum(children.bit_count() for children in model.children)
    confounded = sum(spouses.bit_count() for spouses in model.spouses) // 2
    return DIRECTED * directed + CONFOUNDED * confounded


def needed_by(statement: object) -> float:
    """What the edges cost at least with which a relation holds."""
    if not isinstance(statement, PairRelation):
        return 0.0
    prices = {"->": DIRECTED, "<-": DIRECTED, "<->": CONFOUNDED}
    return min(sum(prices[edge] for edge in one.value.split(" & ") if edge != "none") for one in statement.allowed)


def expected_shares(problem: Problem, unit: int, claims: list[Claim]) -> dict[Claim, float]:
    """The share of all models, each as likely as it is, in which each claim holds."""
    doubles = len(Annealing(problem)._choices) > 4
    total, shares = 0.0, dict.fromkeys(claims, 0.0)
    for graph in all_admgs(3):
        model = MixedGraph(problem.names, graph.marks, graph.doubled)
        mag = marginal_mag(model, model.names)
        failing = [key for key, one in problem.statements.items() if not one.holds_in(model, mag)]
        impossible = any(key not in problem.costs for key in failing) or not claims_hold(problem.claims, model, mag)
        if impossible or (model.doubled and not doubles):
            continue
        cost = sum(problem.costs[key] / unit + needed_by(problem.statements[key]) for key in failing)
        weight = math.exp(-cost - price_of(model))
        total += weight
        for claim in claims:
            shares[claim] += weight * claims_hold([claim], model, mag)
    return {claim: share / total for claim, share in shares.items()}


def test_shares_are_those_of_all_models(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.search.draws.CHAINS", 128)  # half the usual error, which is .02 here at most
    compared = 0
    for soft, scale in small_cases("draws", 8):
        found = drawn_shares(soft, scale.unit)
        for claim, wanted in expected_shares(soft, scale.unit, list(found)).items():
            assert found[claim] == pytest.approx(wanted, abs=0.03), str(claim)
            compared += 0.05 < wanted < 0.95
    assert compared > 20


def test_it_makes_no_difference_where_chains_run() -> None:
    ((soft, scale),) = small_cases("draws anywhere", 1)
    here = drawn_shares(soft, scale.unit)
    with working(Workers(2)):
        assert drawn_shares(soft, scale.unit) == here


def test_with_less_effort_fewer_chains_are_drawn_and_without_any_none() -> None:
    ((soft, scale),) = small_cases("draws for nothing", 1)
    whole = drawn_shares(soft, scale.unit)
    with Effort(2_000).here() as effort:
        some = drawn_shares(soft, scale.unit)
        assert 0 <= effort.left < 500
    assert some != whole
    assert all(share == pytest.approx(whole[claim], abs=0.2) for claim, share in some.items())
    with Effort(1_000).here(), pytest.raises(OutOfTime):
        drawn_shares(soft, scale.unit)


def test_where_nothing_may_be_given_up_nothing_is_drawn() -> None:
    assert {one.drawn for one in solve(oracle("X -> Y", [["X", "Y"]])).claims()} == {None}


@pytest.mark.parametrize("weight", [0.5, 2.0, 4.0])
@pytest.mark.parametrize(
    ("claim", "allowed"),
    [
        ("X causes Y", {Structure.CAUSES, Structure.CAUSES_COMMON}),
        ("X and Y are confounded", {Structure.COMMON, Structure.CAUSES_COMMON, Structure.CAUSED_COMMON}),
    ],
)
def test_what_is_said_of_a_pair_has_its_own_odds(claim: str, allowed: set[Structure], weight: float) -> None:
    said = Evidence((Scope("a", ("X", "Y")),), (Relation("X", "Y", frozenset(allowed), weight),))
    found = solve(said, conflicts="repair").summary(margins=True).finding(claim)
    assert found.drawn == pytest.approx(1 / (1 + math.exp(-weight)), abs=0.06)


def test_what_no_finding_speaks_of_is_as_likely_as_its_opposite() -> None:
    studies = (Scope("a", ("X", "Y")), Scope("b", ("Y", "Z")))
    said = Relation("X", "Y", frozenset({Structure.CAUSES, Structure.CAUSES_COMMON}), 3.0)
    found = solve(Evidence(studies, (said,)), conflicts="repair").claims()
    of_z = [one.confidence for one in found if "Z" in (one.claim.x, one.claim.y)]
    assert of_z == [0.5] * 14
    (other,) = [one for one in found if str(one.claim) == "Y does not cause X"]
    assert other.confidence is not None
    assert other.confidence > 0.9
