"""Grounding on demand says what grounding up front says, on problems too large for going over every MAG.

The program that is grounded up front is asked about each fact by itself: is there a solution with it, is there one
without? The reasoner, which grounds on demand, answers all of these at once. Where there are few solutions they are
also walked, and checked by graph code alone.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Sequence

import pytest

from tests.support.problems import perturbed, random_claims, random_oracle, shown
from weft.evidence.claims import Claim, Topic, claims_about
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask
from weft.search.asp import AspSearch
from weft.search.consequences import Consequences, Holds
from weft.search.problem import Problem, is_solution
from weft.search.program import Status

FEW = 1_500
"""So many solutions are walked."""

Fact = tuple[Claim, Holds]


def random_problem(chance: random.Random, size: int) -> Problem:
    """A problem of one of the methods, some with selection, one in three from evidence that is not perfect."""
    selection = chance.random() < 0.3
    _, evidence = random_oracle(chance, size, studies=chance.choice((2, 3)), selection=selection, sparse=True)
    if chance.random() < 0.33:
        evidence = perturbed(chance, evidence)
    method = chance.choice(("iod", "iod-bcd", "causal-iod", "causal-iod"))
    return Problem.of(evidence, method, selection=selection)


def facts(problem: Problem, found: Consequences) -> Iterator[Fact]:
    """All that consequences say, each as a claim and where it holds."""
    for x, y in itertools.combinations(problem.names, 2):
        for claim in claims_about(x, y, selection=True):
            yield claim, found.holds.get(claim, Holds.NONE)


def up_front(search: AspSearch, claims: Sequence[Claim], claim: Claim) -> Holds:
    """Where a claim holds, by asking the program that is grounded up front for a solution with it and one without."""
    with_it, without_it = (search.count((*claims, one), limit=0) == (0, False) for one in (claim, claim.negated))
    return Holds.of(true_seen=with_it, false_seen=without_it, settled=True)


def check(problem: Problem, claims: Sequence[Claim] = ()) -> int:
    """Compare the two ways; the number of solutions that were walked."""
    on_demand, grounded = AspSearch(problem), AspSearch(problem)
    where = shown(problem, claims)
    solvable = grounded.count(claims, limit=0) == (0, False)
    one = on_demand.find(claims)
    assert one.status is (Status.FOUND if solvable else Status.NONE), where
    if one.graph is not None:
        assert is_solution(problem.with_claims(claims), one.graph.undoubled()), f"{one.graph}: {where}"
    found = on_demand.consequences(claims)
    assert found.solvable == solvable, where
    for claim, holds in facts(problem, found):
        assert holds is up_front(grounded, claims, claim), f"{claim} in {holds}: {where}"
    graphs = list(itertools.islice(grounded.graphs(claims), FEW + 1))
    if len(graphs) > FEW:
        return 0
    assert grounded.count(claims) == (len(graphs), True), where
    check_walk(problem, claims, graphs, found)
    return len(graphs)


def check_walk(problem: Problem, claims: Sequence[Claim], graphs: Sequence[MixedGraph], found: Consequences) -> None:
    """All solutions, one by one: each is one, none comes twice, and edges and causes hold where it was said."""
    where = shown(problem, claims)
    assert len(set(graphs)) == len(graphs), where
    narrowed = problem.with_claims(claims)
    assert all(is_solution(narrowed, graph) for graph in graphs[:: len(graphs) // 100 + 1]), where
    for claim, holds in facts(problem, found):
        if claim.topic is not Topic.CONFOUNDED:
            seen = {_holds_in(graph, claim) for graph in graphs}
            assert holds is Holds.of(true_seen=True in seen, false_seen=False in seen, settled=True), (
                f"{claim}: {where}"
            )


def _holds_in(graph: MixedGraph, claim: Claim) -> bool:
    if claim.topic is Topic.CAUSES:
        return bool(ancestor_mask(graph, 1 << graph.index(claim.y)) >> graph.index(claim.x) & 1)
    return claim.fits_edge(graph.mark(claim.y, claim.x), graph.mark(claim.x, claim.y)) == claim.holds


def compare(seed: str, sizes: Sequence[int]) -> list[int]:
    chance = random.Random(seed)
    walked = []
    for size in sizes:
        problem = random_problem(chance, size)
        walked.append(check(problem))
        if chance.random() < 0.3:
            walked.append(check(problem, random_claims(chance, problem.names)))
    return walked


def test_random_problems() -> None:
    walked = compare("random", (5, 6, 7, 8) * 3)
    assert sum(count > 1 for count in walked) > 5


@pytest.mark.slow
def test_many_random_problems() -> None:
    compare("many", (5, 6, 7, 8) * 60)
