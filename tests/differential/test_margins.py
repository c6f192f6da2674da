"""Margins are what going over every latent-variable model finds: with relations, knowledge, nested statements."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.differential.test_repair import claimed, holds, list_of, random_evidence, units, weighted
from tests.support.helped import help_at_once
from tests.support.problems import METHODS, _catalogue, random_claim, shown
from tests.support.slow import slow
from weft import Knowledge, SolutionSet, oracle, solve
from weft.effort import portion
from weft.evidence.claims import Claim, claims_about
from weft.evidence.orientation.outcomes import Outcomes, nested
from weft.evidence.statements import Evidence, Relation, Scope
from weft.search.consequences import Holds
from weft.search.estimates import Estimates
from weft.search.margins import Margins, sums_of
from weft.search.problem import Problem
from weft.search.repaired import RepairedSearch


def costs(problem: Problem) -> Iterator[tuple[int, set[Claim]]]:
    """What every model costs in which the hard statements and the claims hold, and the claims that hold in it."""
    constraints, names = list_of(problem), problem.names
    asked = [
        claim
        for x in range(len(names))
        for y in range(x + 1, len(names))
        for claim in claims_about(names[x], names[y], selection=problem.selection)
    ]
    for entry in _catalogue(len(names), problem.selection):
        for confounded in entry.models:
            if not all(claimed(claim, names, entry, confounded) for claim in problem.claims):
                continue
            weights = [one.origin.weight for one in constraints if not holds(one, entry, confounded)]
            if None not in weights:
                held = {claim for claim in asked if claimed(claim, names, entry, confounded)}
                yield sum(units(weight or 0.0) for weight in weights), held


def expected_margins(problem: Problem) -> dict[Claim, float]:
    """By how much each claim is ahead of its opposite: the definition, in thousandths."""
    models = list(costs(problem))
    names = problem.names
    found = {}
    for x in range(len(names)):
        for y in range(x + 1, len(names)):
            for claim in claims_about(names[x], names[y], selection=problem.selection):
                fails = min((cost for cost, held in models if claim not in held), default=math.inf)
                succeeds = min((cost for cost, held in models if claim in held), default=math.inf)
                found[claim.canonical] = fails - succeeds
    return found


def check(solutions: SolutionSet, problem: Problem, where: str) -> int:
    """Compare all margins with the definition; how many are neither 0 nor certain."""
    wanted, telling = expected_margins(problem), 0
    if any(math.isnan(margin) for margin in wanted.values()):  # no model at all
        assert all(one.confidence is None for one in solutions.claims())
        return 0
    for one in solutions.claims():
        margin = wanted[one.claim if one.claim.holds else one.claim.negated.canonical]
        margin = margin if one.claim.holds else -margin
        assert one.exact, where
        assert one.margin is not None
        assert one.margin == margin or round(1000 * one.margin) == margin, f"{one.claim}: {margin}; {where}"
        assert one.confidence is not None
        assert one.confidence >= 0.5
        assert (one.confidence == 1) == math.isinf(margin)
        if one.drawn is None:
            assert (one.confidence == 0.5) == (margin == 0)
            assert margin >= 0, f"{one.claim} is behind; {where}"
        telling += 0 < abs(margin) < math.inf
    return telling


@pytest.mark.parametrize(
    ("method", "selection"),
    [("iod", False), ("causal-iod", False), ("causal-iod", True), slow("iod-bcd", True), slow("ion", False)],
)
def test_random_problems(method: str, selection: bool) -> None:
    chance = random.Random(f"margins {method} {selection}")
    telling = 0
    for size in (3,) * 12 + (4,):
        evidence = random_evidence(chance, size, method, selection=selection, conflict=True)
        evidence = weighted(chance, evidence)
        problem = Problem.of(evidence, method, selection=selection)
        solutions = solve(evidence, method, selection=selection, conflicts="repair")
        telling += check(solutions, problem, shown(problem))
    assert telling >= 50


def test_what_walks_met_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solver is told of the models of walks at once, which it otherwise is where it takes long."""
    help_at_once(monkeypatch)
    asked, walked = 0, RepairedSearch._walks_under

    def counted(self: RepairedSearch, claims: tuple[Claim, ...], deadline: float | None) -> Estimates | None:
        nonlocal asked
        asked += 1
        return walked(self, claims, deadline)

    monkeypatch.setattr(RepairedSearch, "_walks_under", counted)
    monkeypatch.setattr("weft.search.repaired.FOR_ANY", 200)
    chance = random.Random("walks first")
    telling = 0
    for size in (3,) * 10 + (4,):
        evidence = weighted(chance, random_evidence(chance, size, "causal-iod", selection=False, conflict=True))
        problem = Problem.of(evidence)
        telling += check(solve(evidence, conflicts="repair"), problem, shown(problem))
    assert telling >= 40
    assert asked >= 5


def test_small_steps_find_the_same_as_a_large_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where one step to the largest margin takes too long, small ones go on with its program, as far as they get."""
    climbed, small = Margins._climb, 0

    def no_leap(self: Margins, rung: int, deadline: float | None) -> bool:
        nonlocal small
        if self._has_climbed and self._may_leap:
            with portion(1.0, 1):  # it learns what it can from a conflict
                climbed(self, rung, deadline)
            return False
        small += self._has_climbed
        return climbed(self, rung, deadline)

    monkeypatch.setattr(Margins, "_climb", no_leap)
    chance = random.Random("small steps")
    telling = 0
    for size in (3,) * 10 + (4, 4):
        evidence = weighted(chance, random_evidence(chance, size, "causal-iod", selection=False, conflict=True))
        problem = Problem.of(evidence)
        telling += check(solve(evidence, conflicts="repair"), problem, shown(problem))
    assert telling >= 40
    assert small >= 5


def test_sums_are_those_of_all_subsets() -> None:
    chance = random.Random("sums")
    for _ in range(20):
        costs, most = [chance.randint(1, 30) for _ in range(8)], chance.randint(0, 120)
        sums = {sum(some) for size in range(9) for some in combinations(costs, size)}
        assert {k for k in range(200) if sums_of(costs, most) >> k & 1} == {one for one in sums if one <= most}


@pytest.mark.slow
@pytest.mark.parametrize("method", METHODS)
def test_many_random_problems(method: str) -> None:
    chance = random.Random(f"many margins {method}")
    for size in (3, 3, 3, 4) * 15:
        selection = chance.random() < 0.3
        evidence = weighted(chance, random_evidence(chance, size, method, selection=selection, conflict=True))
        problem = Problem.of(evidence, method, selection=selection)
        solutions = solve(evidence, method, selection=selection, conflicts="repair")
        check(solutions, problem, shown(problem))


def test_under_knowledge_and_suppositions() -> None:
    """What is known or supposed is beyond doubt, and margins are those among the models that it allows."""
    chance = random.Random("margins under claims")
    compared = 0
    for _ in range(25):
        evidence = weighted(chance, random_evidence(chance, 3, "causal-iod", selection=False, conflict=True))
        known = Knowledge.of(chance.choice(("A causes B", "A does not cause C", "B and C are not adjacent")))
        solutions = solve(evidence, conflicts="repair", knowledge=known)
        problem = Problem.of(evidence).with_claims(known.over(evidence.variables).claims)
        check(solutions, problem, shown(problem, problem.claims))
        claim = random_claim(chance, problem.names)
        narrower, supposed = solutions.assume(claim), problem.with_claims([claim])
        if narrower.consistent:  # the margins are above the least cost of all, which allows the claim
            check(narrower, supposed, shown(supposed, supposed.claims))
            compared += 1
    assert compared >= 5


def test_nested_statements_cost_what_their_outcomes_cost() -> None:
    """Three outcomes of a pair: the margin of "x causes y" is the log odds against the next most probable outcome."""
    outcomes = Outcomes(0.85, 0.1, 0.05)
    relations = tuple(Relation("X", "Y", one.allowed, one.weight) for one in nested(outcomes, 0.8))
    assert len(relations) == 2
    solutions = solve(Evidence((Scope("a", ("X", "Y")),), relations), conflicts="repair")
    by_claim = {str(one.claim): one for one in solutions.claims()}
    assert by_claim["X causes Y"].margin == pytest.approx(math.log(0.85 / 0.1), abs=1e-3)
    assert by_claim["Y does not cause X"].margin == pytest.approx(math.log(0.85 / 0.05), abs=1e-3)


def test_oracle_evidence_is_beyond_doubt_or_open() -> None:
    solutions = solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))
    for one in solutions.claims():
        assert (one.margin, one.confidence, one.exact) in ((math.inf, 1.0, True), (0.0, 0.5, True))
        assert one.holds is (Holds.ALL if one.confidence == 1 else Holds.SOME)


def test_surest_first_and_at_least() -> None:
    chance = random.Random("order")
    evidence = weighted(
        chance, random_evidence(chance, 4, "causal-iod", selection=False, conflict=True), hard=0, free=0
    )
    solutions = solve(evidence, conflicts="repair")
    sure = [one.confidence or 0.0 for one in solutions.claims()]
    assert sure == sorted(sure, reverse=True)
    assert min(sure) < 0.8 < max(sure)
    assert [one.confidence for one in solutions.claims(0.8)] == [one for one in sure if one >= 0.8]
    names = len(evidence.variables)
    assert len(sure) == 7 * names * (names - 1) // 2
