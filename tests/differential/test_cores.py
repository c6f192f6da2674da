"""Repairs by cores and hitting sets are those that every model tried and the other way to a proof find."""

from __future__ import annotations

import functools
import itertools
import operator
import random
from collections.abc import Collection, Sequence

import numpy
import pytest

from benchmarks.problems import Family
from benchmarks.repair import Flipped
from tests.differential.test_repair import expected, models, random_evidence, weighted
from tests.support.problems import random_claims
from weft import oracle
from weft.effort import Effort
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Statement
from weft.graphs.criteria import Structure
from weft.graphs.simulate import random_dag, split_into_studies
from weft.search import repair as repairing
from weft.search.cores import Cores, shrunk, with_two_relations
from weft.search.cutting import cut_to, may_be_cut
from weft.search.hitting import HittingSets
from weft.search.problem import Problem, StatementKey
from weft.search.program import Program, Status, conflicts_met
from weft.search.repair import Optimisation, Optimum, softened

SEEDS = range(15)
CAUSAL = (Structure.CAUSES, Structure.CAUSED)
"""One causes the other, and they share no cause."""


@pytest.fixture
def always_by_cores(monkeypatch: pytest.MonkeyPatch) -> None:
    """Problems of any size are solved by cores, however large these are."""
    monkeypatch.setattr(repairing, "LARGE", 0)
    monkeypatch.setattr(repairing, "MANY", 0)
    monkeypatch.setattr(repairing, "are_local", lambda _: True)


def contradictory(seed: int, method: str = "causal-iod") -> tuple[random.Random, Problem]:
    """Random statements about three or four variables, about half of which contradict each other."""
    chance = random.Random(seed)
    evidence = random_evidence(chance, chance.choice((3, 4)), method, selection=False, conflict=True)
    return chance, Problem.of(weighted(chance, evidence), method)


def repaired(problem: Problem, keeping: Sequence[StatementKey] = ()) -> tuple[Optimisation, Optimum]:
    """What is found, and how."""
    looking = Optimisation(problem, keeping)
    return looking, looking.run()


# -- beside every model ------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("always_by_cores")
@pytest.mark.parametrize("method", ["iod", "causal-iod"])
def test_repair_by_cores_is_the_best_of_all_models(method: str) -> None:
    by_cores = 0
    for seed in SEEDS:
        _, problem = contradictory(seed, method)
        wanted = expected(problem)
        soft, _ = softened(problem)
        looking, found = repaired(soft)
        by_cores += looking._hitting is not None
        assert found.proven
        assert found.cost == (None if wanted is None else wanted.cost)
        if wanted is not None:
            assert found.settled
            assert {soft.statements[key].origin for key in found.always} == wanted.always
            assert {soft.statements[key].origin for key in found.sometimes} == wanted.sometimes
    assert by_cores > 2


@pytest.mark.usefixtures("always_by_cores")
def test_repair_by_cores_heeds_claims() -> None:
    for seed in SEEDS:
        chance, problem = contradictory(seed)
        problem = problem.with_claims(random_claims(chance, problem.names))
        wanted = expected(problem)
        _, found = repaired(softened(problem)[0])
        assert found.proven
        assert found.cost == (None if wanted is None else wanted.cost)


@pytest.mark.usefixtures("always_by_cores")
def test_other_repair_by_cores_is_the_best_that_keeps_something() -> None:
    tried = 0
    for seed in SEEDS:
        _, problem = contradictory(seed)
        soft, _ = softened(problem)
        _, best = repaired(soft)
        if best.given_up:
            tried += 1
            _, other = repaired(soft, sorted(best.given_up))
            assert other.proven
            assert other.cost == _best_keeping(soft, best)
    assert tried > 2


def _best_keeping(soft: Problem, best: Optimum) -> int | None:
    """The least cost of a model in which something holds that the best repair gives up, by going over all models."""
    keys = list(soft.statements)
    violated = [frozenset(keys[i] for i in model.violated) for model in models(soft)]
    allowed = [one for one in violated if one <= soft.costs.keys() and not best.given_up <= one]
    return min((sum(soft.costs[key] for key in one) for one in allowed), default=None)


# -- beside the other way ----------------------------------------------------------------------------------------------


def flipped(seed: int, size: int) -> Problem:
    """The benchmark's kind of problem: an oracle's statements, four of them turned into their opposites."""
    family = Family(size, 2, size - 2, method="iod")
    return Problem.of(Flipped(family, 4, calibrated=False, goal=1).evidence(seed), "iod")


@pytest.mark.parametrize("seed", range(3))
def test_cores_and_levels_prove_the_same(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    soft, _ = softened(flipped(seed, 7))
    by_levels, plain = repaired(soft)
    monkeypatch.setattr(repairing, "LARGE", 0)
    monkeypatch.setattr(repairing, "MANY", 0)
    by_cores, found = repaired(soft)
    assert (by_levels._hitting is None, by_cores._hitting is None) == (True, False)
    assert found._replace(graph=None, bound=0, given_up=frozenset()) == plain._replace(
        graph=None, bound=0, given_up=frozenset()
    )


@pytest.mark.usefixtures("always_by_cores")
def test_more_effort_finds_nothing_worse_and_the_same_finds_the_same() -> None:
    soft, _ = softened(flipped(5, 8))
    found = []
    for conflicts in (500, 1500, 1500, 5000, 20_000):
        with Effort(conflicts).here():
            found.append(repaired(soft)[1])
    assert found[1] == found[2]
    for less, more in itertools.pairwise(found):
        assert more.bound >= less.bound
        assert less.cost is None or (more.cost is not None and more.cost <= less.cost)
    assert found[-1].proven


# -- the parts of it ---------------------------------------------------------------------------------------------------


def test_cores_cannot_hold_together() -> None:
    """Each core has no model over all variables, and in its small problem none of it can be left out."""
    soft, _ = softened(flipped(1, 9))
    cores, given_up, seen = Cores(soft), frozenset[StatementKey](), 0
    while (answer := cores.ask(given_up)).status is Status.NONE:
        for core in answer.cores:
            seen += 1
            assert not core & given_up
            alone = soft.without([key for key in soft.statements if key not in core])
            assert Program(alone).find().status is Status.NONE
            for key in core:
                fewer = alone.without([key])
                assert Program(fewer).find().status is Status.FOUND
        given_up = given_up.union(*answer.cores)
    assert seen
    assert answer.model is not None
    kept = soft.without(given_up)
    assert all(one.holds_in(answer.model, answer.model.undoubled()) for one in kept.statements.values())


def test_directions_among_three_variables_are_looked_at_first() -> None:
    """Nothing else is asked, and what is found there are cores."""
    found = 0
    for seed in range(40):
        soft, _ = softened(contradictory(seed)[1])
        cores = Cores(soft)
        cores.ask(())
        assert not cores._waiting
        for few in with_two_relations(soft):
            assert few.bit_count() == 3
            inside = [key for key in soft.costs if soft.statements[key].scope & ~few == 0]
            assert sum(not soft.statements[key].in_mag for key in inside) >= 2
        for core in (one for part in cores._parts for one in part.cores((), 1, None)):
            alone = soft.without([key for key in soft.costs if key not in core])
            assert Program(alone).find().status is Status.NONE
            found += 1
    assert found


def about(problem: Problem, core: Collection[StatementKey]) -> int:
    """The variables (bits) that a core speaks of."""
    return functools.reduce(operator.or_, (problem.statements[key].scope for key in core))


def test_three_variables_prove_what_directions_cost() -> None:
    """A dense graph whose every direction is judged: at once nearly all is known that contradicts itself."""
    chance = random.Random(1)
    names = [f"X{k}" for k in range(6)]
    pairs = list(itertools.combinations(names, 2))
    says: list[Statement] = [Connected("all", x, y) for x, y in pairs]
    for x, y in pairs:
        says.append(Relation(x, y, frozenset({chance.choice(CAUSAL)}), weight=chance.uniform(0.1, 1)))
    soft, _ = softened(Problem.of(Evidence((Scope("all", tuple(names)),), tuple(says)), "causal-iod"))
    cores, hits = Cores(soft), HittingSets(soft.costs)
    for _ in range(30):
        hit = hits.cheapest()
        assert hit is not None
        answer = cores.ask(hit)
        if answer.status is not Status.NONE:
            break
        assert all(about(soft, core).bit_count() == 3 for core in answer.cores)
        for core in answer.cores:
            hits.add(core)
    assert answer.status is Status.FOUND
    assert hit is not None
    assert sum(soft.costs[key] for key in hit) == repaired(soft)[1].cost


def test_what_is_cut_has_a_solution_if_the_whole_has_one() -> None:
    refuted = 0
    for seed in SEEDS:
        _, problem = contradictory(seed)
        hard = problem.without(())
        assert may_be_cut(hard, ())
        whole = Program(hard).find().status
        for vertices in range(1, 1 << len(hard.names)):
            part = cut_to(hard, vertices)
            if Program(part).find().status is Status.NONE:
                refuted += 1
                assert whole is Status.NONE
    assert refuted


def test_hitting_sets_are_the_cheapest_of_all() -> None:
    chance = random.Random(1)
    for _ in range(60):
        keys = [("separated", k) for k in range(chance.randint(2, 7))]
        costs = {key: chance.randint(1, 4) for key in keys}
        keeping = chance.sample(keys, 2) if chance.random() < 0.4 else []
        hits = HittingSets(costs, keeping)
        for _ in range(chance.randint(0, 5)):
            hits.add(chance.sample(keys, chance.randint(1, len(keys))))
        subsets = [frozenset(one) for size in range(len(keys) + 1) for one in itertools.combinations(keys, size)]
        hitting = [one for one in subsets if all(one & core for core in hits.cores)]
        good = [one for one in hitting if not (keeping and one.issuperset(keeping))]
        _check_hits(hits, good, costs)


def _check_hits(hits: HittingSets, good: list[frozenset[StatementKey]], costs: dict[StatementKey, int]) -> None:
    def cost(one: frozenset[StatementKey]) -> int:
        return sum(costs[key] for key in one)

    found = hits.cheapest()
    if not good:
        assert found is None
        return
    least = min(map(cost, good))
    assert found in good
    assert cost(found) == least
    always = known = found
    while (other := hits.another(least, always, known)) is not None:
        assert other in good
        assert cost(other) == least
        assert not (other <= known and always <= other)
        always, known = always & other, known | other
    best = [one for one in good if cost(one) == least]
    assert always == frozenset.intersection(*best)
    assert known == frozenset.union(*best)


def test_shrunk_leaves_out_what_is_not_needed() -> None:
    chance = random.Random(2)
    for _ in range(50):
        bad = [set(chance.sample(range(8), chance.randint(1, 4))) for _ in range(3)]

        def refuted(items: Sequence[int], bad: list[set[int]] = bad) -> set[int] | None:
            return next((one for one in bad if one <= set(items)), None)

        needed = shrunk(refuted, range(8))
        assert refuted(needed)
        assert all(not refuted([one for one in needed if one != left_out]) for left_out in needed)


def test_conflicts_are_counted_as_clingo_does() -> None:
    rng = numpy.random.default_rng(3)
    graph = random_dag(7, rng, mean_degree=2)
    studies = list(split_into_studies(graph.names, rng, studies=2, overlap=4))
    program = Program(Problem.of(oracle(graph, studies)))
    assert conflicts_met(program.control) == 0
    program.ground_everything()
    program.find()
    assert conflicts_met(program.control) == int(program.control.statistics["solving"]["solvers"]["conflicts"])
