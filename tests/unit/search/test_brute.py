"""Every MAG, found pair by pair, against the plain product of all edges; and the engine that filters them."""

from __future__ import annotations

import itertools

import pytest

from tests.support import graphs as support
from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.graphs.mixed import MixedGraph
from weft.search.brute import Brute, all_mags
from weft.search.problem import Problem, is_solution

CHAIN = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])


@pytest.mark.parametrize(
    ("size", "selection", "count"),
    [(0, False, 1), (1, True, 1), (2, False, 4), (2, True, 5), (3, False, 56), (3, True, 72), (4, False, 2492)],
)
def test_all_mags_are_those_of_the_plain_product(size: int, selection: bool, count: int) -> None:
    found = list(all_mags(support.letters(size), selection))
    assert len(found) == len(set(found)) == count
    assert set(found) == set(support.all_mags(size, selection=selection))


def test_all_mags_of_four_variables_with_selection() -> None:
    found = set(all_mags(support.letters(4), selection=True))
    assert found == set(support.all_mags(4, selection=True))


@pytest.mark.slow
def test_all_mags_of_five_variables() -> None:
    assert sum(1 for _ in all_mags(support.letters(5))) == 328_924


def test_all_mags_takes_the_names_in_any_order() -> None:
    assert set(all_mags(["Z", "X", "Y"])) == set(all_mags(["X", "Y", "Z"]))


def test_all_mags_keeps_pairs_apart() -> None:
    found = set(all_mags(["X", "Y", "Z"], apart={(0, 2)}))
    assert found == {mag for mag in all_mags(["X", "Y", "Z"]) if mag.edge("X", "Z") is None}


def test_all_mags_is_lazy() -> None:
    first = next(all_mags([f"V{i}" for i in range(30)]))
    assert not any(first.adjacencies)


@pytest.mark.parametrize(
    ("method", "selection", "count"),
    [("iod", False, 38), ("iod", True, 51), ("iod-bcd", False, 6), ("causal-iod", False, 1), ("ion", False, 38)],
)
def test_chain(method: str, selection: bool, count: int) -> None:
    found = list(Brute().graphs(Problem.of(CHAIN, method, selection=selection)))
    assert len(found) == len(set(found)) == count


def test_motivating_example() -> None:
    evidence = oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])
    found = set(Brute().graphs(Problem.of(evidence, "causal-iod")))
    assert found == {MixedGraph.parse("Y -> X; Y <-> Z"), MixedGraph.parse("Y -> X; Y <-> Z; X <-> Z")}


def test_separated_pairs_are_skipped_without_loss() -> None:
    evidence = oracle("A -> B; B -> C; C <-> D", [["A", "B", "C"], ["B", "C", "D"]])
    problem = Problem.of(evidence, "iod")
    assert problem.separations
    expected = {mag for mag in support.all_mags(4) if is_solution(problem, mag)}
    assert set(Brute().graphs(problem)) == expected


def test_claims_narrow_the_answer() -> None:
    problem = Problem.of(CHAIN, "iod")
    narrower = problem.with_claims([Claim.parse("X causes Z"), Claim.parse("not X -> Z")])
    everything = set(Brute().graphs(problem))
    found = set(Brute().graphs(narrower))
    assert found == {mag for mag in everything if is_solution(narrower, mag)}
    assert 0 < len(found) < len(everything)


def test_more_than_five_variables_are_refused_before_the_first_graph() -> None:
    names = tuple("ABCDEF")
    with pytest.raises(ProblemError, match="up to 5 variables and there are 6"):
        Brute().graphs(Problem(names))


def test_five_variables_are_taken() -> None:
    first = itertools.islice(Brute().graphs(Problem(tuple("ABCDE"))), 3)
    assert [str(mag) for mag in first] == ["A; B; C; D; E", "D -> E; A; B; C", "E -> D; A; B; C"]
