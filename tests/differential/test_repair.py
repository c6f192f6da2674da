"""Repairs are what going over every MAG finds: the least cost, the graphs, what is given up, and whether by necessity.

The twin is plain: for each MAG of up to four variables and each latent-variable model of it, the statements that do not
hold and their total cost, from the tables of :mod:`tests.support.problems`. The problems are perturbed, so that about
half contradict themselves; some statements have no weight (hard) or weight 0 (nothing).
"""

from __future__ import annotations

import itertools
import math
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy
import pytest

from tests.support.problems import (
    METHODS,
    _catalogue,
    _Entry,
    as_networks,
    opposite,
    perturbed,
    random_claims,
    random_oracle,
    said_once,
    shown,
)
from tests.support.slow import slow
from weft import Knowledge, SolutionSet, oracle, solve
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_dag, split_into_studies
from weft.search.asp import AspSearch
from weft.search.brute import Brute
from weft.search.consequences import Holds
from weft.search.enumeration import EnumeratingSearch
from weft.search.kinds import (
    Apartness,
    CauseOfNeither,
    CauseOfOne,
    Connection,
    Constraint,
    Dependence,
    Orientation,
    PairRelation,
    Separation,
)
from weft.search.problem import Problem, Softness, is_solution
from weft.search.repair import optimum, repair, softened, within
from weft.search.scale import MOST_COST

# -- the plain twin ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Model:
    """A latent-variable model: its MAG and the numbers of the statements (of the problem) that do not hold in it."""

    mag: MixedGraph
    violated: frozenset[int]


def list_of(problem: Problem) -> list[Constraint]:
    return list(problem.statements.values())


def models(problem: Problem) -> Iterator[Model]:
    """Every latent-variable model (of at most four variables)."""
    constraints = list_of(problem)
    for entry in _catalogue(len(problem.names), problem.selection):
        for confounded in entry.models:
            if not all(claimed(claim, problem.names, entry, confounded) for claim in problem.claims):
                continue
            numbers = (i for i, one in enumerate(constraints) if not holds(one, entry, confounded))
            yield Model(entry.mag, frozenset(numbers))


def claimed(claim: Claim, names: Sequence[str], entry: _Entry, confounded: frozenset[tuple[int, int]]) -> bool:
    x, y = names.index(claim.x), names.index(claim.y)
    if claim.topic is Topic.CONFOUNDED:
        return ((min(x, y), max(x, y)) in confounded) == claim.holds
    if claim.topic is Topic.CAUSES:
        return ((x, y) in entry.causes) == claim.holds
    mag = entry.mag
    return claim.fits_edge(mag.mark(claim.y, claim.x), mag.mark(claim.x, claim.y)) == claim.holds


def holds(one: Constraint, entry: _Entry, confounded: frozenset[tuple[int, int]]) -> bool:
    x, y = one.x, one.y
    if isinstance(one, Separation):
        return (x, y, one.given) in entry.separated
    if isinstance(one, Dependence):
        return (x, y, one.given) not in entry.separated
    if isinstance(one, Connection):
        return (x, y, one.latent) in entry.induced
    if isinstance(one, Apartness):
        return (x, y, one.latent) not in entry.induced
    if isinstance(one, CauseOfOne | CauseOfNeither):
        return ((x, y, one.middle) in entry.above) is isinstance(one, CauseOfOne)
    if isinstance(one, Orientation):
        return not any(
            (x, y, symbol) in entry.edges for symbol in ("->", "<-", "<->", "--") if symbol not in one.allowed
        )
    assert isinstance(one, PairRelation)
    causes, caused = (x, y) in entry.causes, (y, x) in entry.causes
    return Structure.of(causes=causes, caused=caused, confounded=(x, y) in confounded) in one.allowed


@dataclass(frozen=True)
class Expected:
    cost: int
    mags: frozenset[MixedGraph]
    always: frozenset[Statement]
    sometimes: frozenset[Statement]
    unique: bool


def units(weight: float) -> int:
    """A weight in thousandths, exactly."""
    return max(1, round(Fraction(weight) * 1000)) if weight else 0


def expected(problem: Problem, slack: int = 0) -> Expected | None:
    """The repair by going over every model, with costs in thousandths; ``None`` if the hard statements exclude all."""
    origins = [one.origin for one in list_of(problem)]
    costs = [None if s.weight is None else units(s.weight) for s in origins]
    priced = []
    for model in models(problem):
        paid = [costs[i] for i in model.violated]
        if None not in paid:
            priced.append((sum(cost or 0 for cost in paid), model))
    if not priced:
        return None
    least = min(cost for cost, _ in priced)
    repairs = {frozenset(i for i in model.violated if costs[i]) for cost, model in priced if cost == least}
    return Expected(
        least,
        frozenset(model.mag for cost, model in priced if cost <= least + slack),
        frozenset(origins[i] for i in frozenset.intersection(*repairs)),
        frozenset(origins[i] for i in frozenset.union(*repairs)),
        len(repairs) == 1,
    )


# -- random evidence with weights --------------------------------------------------------------------------------------


def weighted(chance: random.Random, evidence: Evidence, *, hard: float = 0.1, free: float = 0.05) -> Evidence:
    """The same evidence with weights, few different ones in half of the cases, so that repairs are not unique."""
    few = chance.random() < 0.6

    def weight() -> float | None:
        lot = chance.random()
        if lot < hard + free:
            return None if lot < hard else 0.0
        return float(chance.choice((1, 1, 1, 2))) if few else chance.expovariate(0.5)

    return evidence.with_statements(replace(s, weight=weight()) for s in evidence.statements)


def random_evidence(chance: random.Random, size: int, method: str, *, selection: bool, conflict: bool) -> Evidence:
    studies = 3 if conflict else None
    truth, evidence = random_oracle(chance, size, studies=studies, selection=selection and chance.random() < 0.8)
    if method == "ion":
        evidence = as_networks(truth, evidence)
    if conflict:
        evidence = perturbed(chance, evidence)
        evidence = evidence.with_statements(said_once(turned(chance, evidence, s) for s in evidence.statements))
    return evidence


def turned(chance: random.Random, evidence: Evidence, statement: Statement) -> Statement:
    """One statement in three says the opposite."""
    return statement if chance.random() > 1 / 3 else opposite(chance, evidence, statement)


def check(
    evidence: Evidence, method: str, *, selection: bool, slack: float = 0.0, knowledge: Knowledge | None = None
) -> Expected | None:
    """Compare the repair and its solutions with the twin."""
    problem = Problem.of(evidence, method, selection=selection)
    if knowledge is not None:
        known = knowledge.over(evidence.variables)
        relations = (*known.relations, *known.soft_relations)
        problem = Problem.of(evidence, method, selection=selection, known=relations).with_claims(known.claims)
    wanted = expected(problem, round(Fraction(slack) * 1000))
    where = "; ".join((shown(problem), *(str(s.weight) for s in evidence.statements)))
    solutions = solve(evidence, method, selection=selection, conflicts="repair", slack=slack, knowledge=knowledge)
    found = solutions.repair()
    assert found is not None
    assert found.proven, where
    if wanted is None:
        assert found.cost is None, where
        assert solutions.count() == 0
        assert solutions.consistent is False
        return None
    assert found.cost == found.bound == math.fsum(s.weight or 0.0 for s in found.given_up), where
    assert sum(units(s.weight or 0.0) for s in found.given_up) == wanted.cost, where
    assert found.unique is wanted.unique, where
    assert set(found.always) == wanted.always, where
    assert set(found.sometimes) == wanted.sometimes, where
    assert wanted.always <= set(found.given_up) <= wanted.sometimes, where
    graphs = list(solutions)
    assert set(graphs) == wanted.mags, where
    assert len(graphs) == len(wanted.mags), where
    assert solutions.count() == len(graphs)
    check_summary(solutions, graphs)
    return wanted


def check_summary(solutions: SolutionSet, graphs: Sequence[MixedGraph]) -> None:
    edges = [set(map(str, graph.edges())) for graph in graphs]
    assert set(solutions.summary().certain) == set.intersection(*edges)
    assert set(solutions.summary().possible) == set.union(*edges)


# -- random problems ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "selection"),
    [
        *(("iod", False), ("iod-bcd", True), ("causal-iod", False), ("ion", True)),
        *(slow("iod", True), slow("iod-bcd", False), slow("causal-iod", True), slow("ion", False)),
    ],
)
def test_random_conflicts(method: str, selection: bool) -> None:
    chance = random.Random(f"repairs {method} {selection}")
    found = []
    for size in (3,) * 23 + (4,):
        evidence = random_evidence(chance, size, method, selection=selection, conflict=True)
        slack = chance.choice((0.0, 0.0, 0.5, 1.0, 2.5))
        found.append(check(weighted(chance, evidence), method, selection=selection, slack=slack))
    costs = [one.cost for one in found if one]
    assert sum(cost > 0 for cost in costs) >= 3
    assert sum(len(one.sometimes) > len(one.always) for one in found if one) >= 1


@pytest.mark.slow
@pytest.mark.parametrize("selection", [False, True], ids=["plain", "selection"])
@pytest.mark.parametrize("method", METHODS)
def test_many_random_conflicts(method: str, selection: bool) -> None:
    chance = random.Random(f"many repairs {method} {selection}")
    for size in (3, 3, 3, 4) * 60:
        evidence = random_evidence(chance, size, method, selection=selection, conflict=True)
        slack = chance.choice((0.0, 0.0, 0.5, 1.0, 2.5))
        check(weighted(chance, evidence), method, selection=selection, slack=slack)


def test_enormous_weights_against_every_model() -> None:
    """One or two weights that dwarf the others: these are weighed against each other as if they stood alone."""
    chance = random.Random("enormous")
    found = []
    for number in range(30):
        method = METHODS[number % len(METHODS)]
        evidence = weighted(chance, random_evidence(chance, 3, method, selection=False, conflict=True))
        heavy = chance.sample(range(len(evidence.statements)), min(2, len(evidence.statements)))
        weights = dict(zip(heavy, chance.choice(((1e10, 1e10), (1e10, 3.5e12), (1e308, 7e9))), strict=False))
        statements = (replace(s, weight=weights.get(i, s.weight)) for i, s in enumerate(evidence.statements))
        slack = chance.choice((0.0, 0.0, 0.5, 1e10, 1e308))
        found.append(check(evidence.with_statements(statements), method, selection=False, slack=slack))
    assert sum(bool(one and 0 < one.cost < 10**9) for one in found) >= 5
    assert sum(bool(one and one.cost >= 10**9) for one in found) >= 1


ITEMS = (
    "{x} causes {y}",
    "{x} does not cause {y}",
    "{x} and {y} are not adjacent",
    "{x} and {y} are confounded",
    "{x} and {y} are not confounded",
    "nothing causes {x}",
    "the structure of {x} and {y} is none or -> & <->",
    "{x} causes {y} (weight 1.5)",
    "the structure of {x} and {y} is <-> or <- (weight 1)",
)


@pytest.mark.parametrize("method", METHODS)
def test_knowledge_is_never_given_up(method: str) -> None:
    """Hard items hold in every answer, items with a weight are given up like what data say."""
    chance = random.Random(f"knowledge {method}")
    costs = []
    for size in (3,) * 15 + (4,):
        evidence = random_evidence(chance, size, method, selection=False, conflict=chance.random() < 0.5)
        pairs = [chance.sample(evidence.variables, 2) for _ in range(chance.choice((1, 2)))]
        knowledge = Knowledge.of(*(chance.choice(ITEMS).format(x=x, y=y) for x, y in pairs))
        if knowledge.over(evidence.variables).contradiction():
            continue
        found = check(weighted(chance, evidence), method, selection=False, knowledge=knowledge)
        costs.append(found and found.cost)
    assert sum(bool(cost) for cost in costs) >= 5


def test_the_other_repair_is_the_best_that_keeps_something() -> None:
    """Over every model: the least cost among those in which a statement that was given up holds."""
    chance = random.Random("other repair")
    compared = 0
    for _ in range(40):
        evidence = weighted(chance, random_evidence(chance, 3, "causal-iod", selection=False, conflict=True))
        solutions, problem = solve(evidence, conflicts="repair"), Problem.of(evidence)
        best, other = solutions.repair(), solutions.other_repair()
        if best is None or not best.given_up:
            assert other is None
            continue
        origins = [one.origin for one in list_of(problem)]
        costs = [
            sum(round(1000 * (origins[i].weight or 0)) or (origins[i].weight or 0) * 1000 for i in model.violated)
            for model in models(problem)
            if all(origins[i].weight is not None for i in model.violated)
            and not {i for i, one in enumerate(origins) if one in best.given_up} <= model.violated
        ]
        assert (other is None) == (not costs)
        if other is not None:
            compared += 1
            assert other.repair.proven
            assert other.repair.cost == pytest.approx(min(costs) / 1000, abs=2e-3)
            then = set(solutions.without(other.repair.given_up).summary().certain)
            assert then - set(solutions.summary().certain) == set(other.newly_certain)
    assert compared >= 10


@pytest.mark.parametrize("method", METHODS)
def test_without_conflict_it_is_the_hard_answer(method: str) -> None:
    chance = random.Random(f"no conflict {method}")
    for size in (3, 3, 4, 4, 5, 6):
        plain = random_evidence(chance, min(size, 4), method, selection=False, conflict=False)
        if size > 4:
            plain = random_oracle(chance, size, studies=2)[1]
        evidence = weighted(chance, plain, hard=0.2, free=0)
        hard, soft = solve(evidence, method, limit=3000), solve(evidence, method, conflicts="repair", limit=3000)
        found = soft.repair()
        assert found is not None
        assert (found.cost, found.bound, found.proven, found.unique) == (0, 0, True, True)
        assert found.given_up == found.always == found.sometimes == ()
        assert set(hard) == set(soft) or not hard.complete
        assert hard.count() == soft.count()
        assert hard.summary() == soft.summary()
        assert hard.repair() is None


def test_engines_agree_on_soft_problems() -> None:
    """The definition, brute force and the solver, with claims, for any allowed cost."""
    chance = random.Random("soft engines")
    for number in range(24):
        selection, method = number % 3 == 0, METHODS[number % len(METHODS)]
        evidence = random_evidence(chance, 3, method, selection=selection, conflict=True)
        problem, _ = softened(Problem.of(weighted(chance, evidence), method, selection=selection))
        problem = replace(problem, soft=Softness(problem.costs, chance.choice((0, 1500, 3000, 6000, None))))
        for claims in ((), random_claims(chance, problem.names)):
            narrowed, search = problem.with_claims(claims), AspSearch(problem)
            wanted = {e.mag for e in _catalogue(3, selection) if is_solution(narrowed, e.mag)}
            assert set(Brute().graphs(narrowed)) == wanted
            assert set(search.graphs(claims)) == wanted, shown(problem, claims)
            assert search.count(claims) == (len(wanted), True)
            assert (search.find(claims).graph is not None) == bool(wanted)
            slow = EnumeratingSearch(Brute(), problem).consequences(claims)
            quick = search.consequences(claims)
            assert quick.solvable == slow.solvable
            assert all(holds == slow.holds[claim] for claim, holds in quick.holds.items())
            assert all(holds == quick.holds.get(claim, Holds.NONE) for claim, holds in slow.holds.items())


def test_brute_engine_repairs_too() -> None:
    chance = random.Random("brute repair")
    for method in METHODS:
        evidence = weighted(chance, random_evidence(chance, 3, method, selection=False, conflict=True))
        slow, quick = (solve(evidence, method, engine=one, conflicts="repair", slack=1) for one in ("brute", "asp"))
        assert set(slow) == set(quick)


def test_larger_problems_leave_all_but_what_is_given_up() -> None:
    """Too large for every MAG: the rest can hold together, and giving up less of the same statements is not enough."""
    for seed in range(3):
        evidence = flipped(9, 6, 4, seed)
        found = repair(Problem.of(evidence, "iod"))
        assert found.proven
        assert found.cost is not None
        kept = [s for s in evidence.statements if s not in found.given_up]
        assert solve(evidence.with_statements(kept), "iod").consistent
        for statement in found.given_up:
            assert not solve(evidence.with_statements([*kept, statement]), "iod").consistent


def flipped(size: int, overlap: int, flips: int, seed: int) -> Evidence:
    rng = numpy.random.default_rng(seed)
    graph = random_dag(size, rng, mean_degree=2)
    evidence = oracle(graph, split_into_studies(graph.names, rng, studies=2, overlap=overlap))
    statements: list[Connected | Separated] = [*evidence.connected, *evidence.separated]
    for i in rng.choice(len(statements), flips, replace=False):
        s = statements[i]
        statements[i] = (
            Separated(s.x, s.y, frozenset(), s.studies)
            if isinstance(s, Connected)
            else Connected(s.studies[0], s.x, s.y)
        )
    return evidence.with_statements(replace(s, weight=float(rng.exponential(2)) + 0.01) for s in statements)


# -- named ones --------------------------------------------------------------------------------------------------------

TWO = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))


def quarrel(left: float | None, right: float | None) -> Evidence:
    return Evidence(
        TWO, (Connected("a", "X", "Y", weight=left), Separated("X", "Y", frozenset(), ("b",), weight=right))
    )


def test_hard_statements_are_never_given_up() -> None:
    found = repair(Problem.of(quarrel(None, 1000.0), "iod"))
    assert (found.cost, found.proven) == (1000.0, True)
    assert [type(s) for s in found.given_up] == [Separated]
    solutions = solve(quarrel(None, None), "iod", conflicts="repair")
    nothing = solutions.repair()
    assert nothing is not None
    assert (nothing.cost, nothing.proven, nothing.given_up) == (None, True, ())
    conflict = solutions.conflict()
    assert conflict is not None
    assert len(conflict.statements) == 2


def test_equal_weights_give_two_repairs() -> None:
    solutions = solve(quarrel(2.0, 2.0), "iod", conflicts="repair")
    found = solutions.repair()
    assert found is not None
    assert (found.cost, found.unique, found.always, len(found.sometimes)) == (2.0, False, (), 2)
    assert solutions.count() == 4
    assert {str(mag) for mag in solutions.assume("X and Y are not adjacent")} == {"X; Y"}


def test_a_weight_of_nothing_says_nothing() -> None:
    alone = Evidence(TWO[:1], (Separated("X", "Y", frozenset(), ("a",), weight=0.0),))
    solutions = solve(alone, "iod", conflicts="repair")
    assert solutions.count() == 4
    assert solutions.repair() == replace(repair(Problem.of(alone, "iod")), graph=solutions.repair().graph)  # type: ignore[union-attr]
    assert solutions.repair().given_up == ()  # type: ignore[union-attr]


def test_slack_lets_the_next_best_in() -> None:
    evidence = quarrel(1.0, 1.5)
    assert [solve(evidence, "iod", conflicts="repair", slack=s).count() for s in (0, 0.499, 0.5)] == [1, 1, 4]


def test_enormous_and_tiny_weights() -> None:
    found = repair(Problem.of(quarrel(1e12, 1e-12), "iod"))
    assert [type(s) for s in found.given_up] == [Separated]
    problem, scale = softened(Problem.of(quarrel(1e12, 3e11), "iod"))
    assert sum(problem.costs.values()) == scale.total <= MOST_COST


def test_out_of_time() -> None:
    problem, _ = softened(Problem.of(flipped(11, 9, 8, 0), "iod"))
    exact = optimum(problem)
    assert exact.cost is not None
    for seconds in (0.0, 0.05, 0.2):
        found = optimum(problem, time.monotonic() + seconds)
        assert found.bound <= exact.cost
        assert found.cost is None or found.cost >= exact.cost
        assert found.proven is False or found.cost == exact.cost
    nothing = repair(Problem.of(flipped(11, 9, 8, 0), "iod"), time.monotonic())
    assert (nothing.proven, nothing.unique) == (False, None)
    late = solve(flipped(11, 9, 8, 0), "iod", conflicts="repair", timeout=1e-9)
    assert late.consistent is None
    assert (late.count(), late.complete) == (0, False)


def test_the_best_found_stands_in_where_the_proof_is_missing() -> None:
    """Everything that costs no more than the best found is an answer then: the optimal ones among them."""
    evidence = quarrel(2.0, 1.0)
    problem, _ = softened(Problem.of(evidence, "iod"))
    exact = optimum(problem)
    assert exact.cost == 1000
    poor = exact._replace(cost=2000, proven=False, settled=False)
    assert len(list(AspSearch(within(problem, poor)).graphs())) == 4


@pytest.mark.parametrize("settings", [{"conflicts": "soft"}, {"slack": 1.0}, {"conflicts": "repair", "slack": -1.0}])
def test_bad_settings(settings: dict[str, str | float]) -> None:
    with pytest.raises(ProblemError):
        solve(quarrel(1, 1), "iod", **settings)  # type: ignore[arg-type]


def test_powerset_refuses_what_it_cannot_weigh() -> None:
    with pytest.raises(ProblemError, match="powerset"):
        list(solve(quarrel(1, 1), "iod", engine="powerset", conflicts="repair"))
    assert solve(quarrel(1, 2), "iod", engine="powerset", conflicts="repair").count() == 1


def test_every_order_of_weights_of_a_cycle() -> None:
    """Three relations that make a cycle: the cheapest is given up."""
    studies = (Scope("a", ("A", "B", "C")),)
    for weights in itertools.permutations((1.0, 2.0, 3.0)):
        pairs = (("A", "B"), ("B", "C"), ("C", "A"))
        says = [
            Relation(x, y, frozenset({Structure("->")}), weight=w) for (x, y), w in zip(pairs, weights, strict=True)
        ]
        found = repair(Problem.of(Evidence(studies, tuple(says)), "causal-iod"))
        assert (found.cost, found.unique) == (1.0, True)
        assert [s.weight for s in found.given_up] == [1.0]
