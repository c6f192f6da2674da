"""Explanations against going over every MAG: the verdict, that the statements imply it, that no fewer of them do."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import combinations

import pytest

from tests.support.problems import METHODS, answers, perturbed, random_claim, random_claims, random_oracle, shown
from tests.support.slow import slow
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence, Statement
from weft.search.brute import all_mags
from weft.search.conflicts import _part
from weft.search.problem import Problem, fitting_models, is_solution
from weft.search.program import Status
from weft.search.registry import open_search
from weft.solutions.explain import Explanation, Verdict, Without, explain
from weft.solutions.solution_set import SolutionSet, solve

REASON = (Verdict.CERTAIN, Verdict.IMPOSSIBLE)


def consistent(
    evidence: Evidence, statements: tuple[Statement, ...], method: str, selection: bool, claims: tuple[Claim, ...]
) -> bool:
    """Whether some MAG has the statements and the claims."""
    whole = Problem.of(evidence, method, selection=selection)  # what is connected matters to iod-bcd
    keys = [key for key, one in whole.statements.items() if one.origin not in statements]
    return bool(answers(whole.without(keys), claims))


def check_reason(
    found: Explanation, evidence: Evidence, method: str, selection: bool, supposed: tuple[Claim, ...]
) -> None:
    """That the statements and assumptions contradict what is supposed, and that leaving out any one undoes it."""
    assert found.minimal
    assert not consistent(evidence, found.statements, method, selection, found.assumed + supposed)
    for one in found.statements:
        fewer = tuple(other for other in found.statements if other != one)
        assert consistent(evidence, fewer, method, selection, found.assumed + supposed), f"{one} is not needed"
    for claim in found.assumed:
        rest = tuple(other for other in found.assumed if other != claim)
        assert consistent(evidence, found.statements, method, selection, rest + supposed), f"{claim} is not needed"


def verdict(problem: Problem, claims: tuple[Claim, ...], claim: Claim) -> Verdict:
    """By the definition."""
    holds, fails = answers(problem, (*claims, claim)), answers(problem, (*claims, claim.negated))
    if holds and fails:
        return Verdict.POSSIBLE
    return Verdict.CERTAIN if holds else Verdict.IMPOSSIBLE if fails else Verdict.CONTRADICTION


@pytest.mark.parametrize("selection", [False, True])
@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("seed", [0, 1, *map(slow, range(2, 8))])
def test_three_variables(seed: int, method: str, selection: bool) -> None:
    chance = random.Random(f"{seed} {method} {selection}")
    _, evidence = random_oracle(chance, 3, selection=selection)
    if chance.random() < 0.4:
        evidence = perturbed(chance, evidence)
    problem = Problem.of(evidence, method, selection=selection)
    solutions = solve(evidence, method, selection=selection)
    names = problem.names
    claims = random_claims(chance, names) if chance.random() < 0.4 else ()
    for _ in range(8):
        claim = random_claim(chance, names)
        found = explain(solutions.assume(*claims), claim)
        assert found.verdict is verdict(problem, claims, claim), shown(problem, (*claims, claim))
        if found.verdict in REASON:
            supposed = (claim.negated,) if found.verdict is Verdict.CERTAIN else (claim,)
            check_reason(found, evidence, method, selection, supposed)
        if found.verdict is Verdict.CONTRADICTION:
            check_reason(found, evidence, method, selection, ())
        if found.verdict is Verdict.POSSIBLE:
            assert found.holds_in is not None
            assert found.fails_in is not None
            assert is_solution(problem.with_claims((*claims, claim)), found.holds_in.undoubled())
            assert is_solution(problem.with_claims((*claims, claim.negated)), found.fails_in.undoubled())
        assert set(found.assumed) <= set(claims)


@pytest.mark.parametrize("method", [slow("iod"), "causal-iod"])
def test_a_part_over_fewer_variables_is_the_same_question(method: str) -> None:
    """Statements and claims that speak of some variables only can hold over these exactly if they can over all."""
    chance = random.Random(method)
    seen = {True: 0, False: 0}
    fewer = 0
    while min(seen.values()) < 25:
        evidence = perturbed(chance, random_oracle(chance, 4)[1])
        problem = Problem.of(evidence, method)
        claims = tuple(
            claim
            for claim in random_claims(chance, problem.names)
            if claim.holds or claim.topic is not Topic.EDGE  # an absent edge is a matter of all variables
        )
        keys = frozenset(chance.sample(list(problem.statements), min(len(problem.statements), chance.randint(0, 4))))
        part = _part(problem, keys, claims)
        fewer += 0 < len(part.names) < 4
        if part.names:
            whole = problem.without([key for key in problem.statements if key not in keys])
            solvable = open_search("asp", part).find(claims).status is Status.FOUND
            assert solvable == bool(answers(whole, claims)), shown(whole, claims)
            seen[solvable] += 1
    assert fewer > 25


def weighted(chance: random.Random, evidence: Evidence) -> Evidence:
    """Some statements with a weight, the relations among them always; a few of weight 0."""
    weights = (0.0, 0.5, 1.0, 1.0, 2.0, 3.5)
    return evidence.with_statements(
        replace(one, weight=chance.choice(weights) if chance.random() < 0.9 else None) for one in evidence.statements
    )


@pytest.mark.parametrize("slack", [0.0, 1.0])
@pytest.mark.parametrize("method", ["iod", "iod-bcd", "causal-iod"])
@pytest.mark.parametrize("seed", [0, 1, *map(slow, range(2, 8))])
def test_repaired(seed: int, method: str, slack: float) -> None:
    """The verdict is about all repairs; the reason holds without what was given up."""
    chance = random.Random(f"repair {seed} {method}")
    evidence = weighted(chance, perturbed(chance, random_oracle(chance, 3)[1]))
    solutions = solve(evidence, method, conflicts="repair", slack=slack)
    claims = random_claims(chance, evidence.variables) if chance.random() < 0.3 else ()
    brute = solve(evidence, method, conflicts="repair", slack=slack, engine="brute")
    for _ in range(5):
        claim = random_claim(chance, evidence.variables)
        narrower = solutions.assume(*claims)
        found = explain(narrower, claim)
        holds = brute.assume(*claims, claim).exact_count() > 0
        fails = brute.assume(*claims, claim.negated).exact_count() > 0
        assert (found.verdict in (Verdict.POSSIBLE, Verdict.CERTAIN)) == holds
        assert (found.verdict in (Verdict.POSSIBLE, Verdict.IMPOSSIBLE)) == fails
        if found.verdict in REASON:
            supposed = (claim.negated,) if found.verdict is Verdict.CERTAIN else (claim,)
            check_reason(found, evidence, method, False, supposed)
            assert not set(found.statements) & set(found.given_up)
            assert all(one.weight != 0 for one in found.statements)
            kept = tuple(one for one in evidence.statements if one not in found.given_up and one.weight != 0)
            assert consistent(evidence, kept, method, False, claims), "the repair contradicts what was assumed"
            assert sum(one.weight or 0 for one in found.given_up) <= _cost(solutions) + slack + 1e-9


def _cost(solutions: SolutionSet) -> float:
    repair = solutions.repair()
    assert repair is not None
    return repair.cost or 0.0


@pytest.mark.parametrize("engine", ["brute", "powerset"])
def test_other_engines_explain_the_same(engine: str) -> None:
    chance = random.Random(11)
    for _ in range(10):
        _, evidence = random_oracle(chance, 3)
        claim = random_claim(chance, evidence.variables)
        assert explain(solve(evidence, engine=engine), claim) == explain(solve(evidence), claim)


def test_examples_of_confounding_are_models_that_show_it() -> None:
    chance = random.Random(5)
    shown_hidden = 0
    for _ in range(40):
        _, evidence = random_oracle(chance, 3)
        problem = Problem.of(evidence, "iod")
        for x, y in combinations(problem.names, 2):
            claim = Claim.parse(f"{x} and {y} are confounded")
            found = explain(solve(evidence, "iod"), claim)
            for model, wanted in ((found.holds_in, claim), (found.fails_in, claim.negated)):
                if model is not None:
                    assert model in set(fitting_models(problem.with_claims([wanted]), model.undoubled()))
                    shown_hidden += bool(model.doubled)
    assert shown_hidden > 5


def test_what_always_holds_needs_no_statement() -> None:
    """Over all MAGs of three variables: a claim that holds in each is put down to nothing."""
    mags = list(all_mags(("A", "B", "C")))
    assert len(mags) == 56
    _, evidence = random_oracle(random.Random(2), 3)
    solutions = solve(evidence.with_statements(()), "iod")
    for text in ("A -> B", "A causes C", "A -- B", "A o-o B", "A <-> C"):
        claim = Claim.parse(text)
        found = explain(solutions, claim)
        everywhere = Problem.of(evidence.with_statements(()), "iod")
        holds = sum(is_solution(everywhere.with_claims([claim]), mag) for mag in mags)
        assert found.verdict is (Verdict.IMPOSSIBLE if not holds else Verdict.POSSIBLE)
        assert found.statements == ()


@pytest.mark.parametrize("known", [False, True], ids=["asked", "from margins"])
@pytest.mark.parametrize("method", ["iod", "causal-iod"])
@pytest.mark.parametrize("seed", [*range(6), *map(slow, range(6, 40))])
def test_without_the_weakest_link(seed: int, method: str, known: bool) -> None:
    """What is said of it against solving anew without that statement."""
    chance = random.Random(f"{seed} {method} without")
    _, evidence = random_oracle(chance, 4, studies=2)
    weights = (0.5, 1.0, 1.5, 2.0, 3.0)  # coarse, so that there are ties
    said = [replace(one, weight=chance.choice(weights)) for one in perturbed(chance, evidence).statements]
    evidence = evidence.with_statements(said)
    solutions = solve(evidence, method, conflicts="repair")
    findings = solutions.summary(margins=True).findings if known else solutions.summary().findings
    for one in chance.sample(findings, 6):
        found = explain(solve(evidence, method, conflicts="repair"), one.claim, finding=one if known else None)
        if found.weakest is None or found.verdict not in REASON:
            continue
        rest = evidence.with_statements(other for other in said if other != found.weakest)
        margin = solve(rest, method, conflicts="repair").summary(margins=True).finding(one.claim).margin
        assert margin is not None
        ahead = margin if found.verdict is Verdict.CERTAIN else -margin
        assert found.without_weakest is (Without.AHEAD if ahead > 0 else Without.BEHIND if ahead < 0 else Without.OPEN)
