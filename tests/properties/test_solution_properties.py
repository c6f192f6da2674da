"""What must hold of solution sets whatever the evidence: the truth is in them, more knowledge never adds to them."""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import strategies as st

from tests.support.examples import examples
from tests.support.graphs import graph_from, letters
from tests.support.problems import (
    LATENT,
    METHODS,
    as_networks,
    chances,
    perturbed,
    random_claims,
    random_oracle,
    random_studies,
    random_truth,
)
from weft.evidence.claims import Claim, Topic
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Statement
from weft.graphs.ancestral import doublings, marginal_mag
from weft.graphs.equivalence import mags_of, markov_equivalent, pag_of
from weft.graphs.mixed import MixedGraph
from weft.search.problem import Problem, is_solution
from weft.solutions.solution_set import SolutionSet, solve

MANY = 2_000
"""Sets with more solutions are not walked."""

methods = st.sampled_from(METHODS)
few = examples(15, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])


def contains(solutions: SolutionSet, mag: MixedGraph) -> bool:
    """Whether a MAG is among the solutions, by asking for its edges: the set may be too large to walk."""
    names = mag.names
    claims = [
        Claim(Topic.EDGE, x, y, symbol=symbol) if (symbol := mag.edge(x, y)) else Claim(Topic.EDGE, x, y, holds=False)
        for i, x in enumerate(names)
        for y in names[i + 1 :]
    ]
    narrowed = solutions.assume(*claims)
    found = set(narrowed)
    assert found <= {mag}
    assert narrowed.consistent is bool(found)
    return bool(found)


def evidence_for(truth: MixedGraph, studies: dict[str, list[str]], method: str) -> Evidence:
    evidence = oracle(truth, studies)
    return as_networks(truth, evidence) if method == "ion" else evidence


# -- the truth ---------------------------------------------------------------------------------------------------------


@examples(25)
@given(chances(), st.integers(2, 6), st.integers(0, 2), methods, st.booleans())
def test_the_truth_is_a_solution(
    chance: random.Random, size: int, latent: int, method: str, allow_selection: bool
) -> None:
    """ADMGs, doubled edges and variables that no study measured included; allowing for selection loses nothing."""
    truth = random_truth(chance, size, latent=latent)
    evidence = evidence_for(truth, random_studies(chance, size, chance.choice((1, 2, 3))), method)
    solutions = solve(evidence, method, selection=allow_selection)
    assert contains(solutions, marginal_mag(truth, evidence.variables))


@examples(20)
@given(chances(), st.integers(2, 6), methods)
def test_a_truth_with_selection_is_a_solution(chance: random.Random, size: int, method: str) -> None:
    truth = random_truth(chance, size, latent=chance.choice((0, 1)), selection=True)
    evidence = evidence_for(truth, random_studies(chance, size, chance.choice((1, 2, 3))), method)
    assert contains(solve(evidence, method, selection=True), marginal_mag(truth, evidence.variables))


@examples(15)
@given(st.data())
def test_any_model_is_a_solution_of_its_own_evidence(data: st.DataObject) -> None:
    """Edges drawn one by one, so that what fails here shrinks to a small graph."""
    size = data.draw(st.integers(2, 4))
    names = data.draw(st.permutations([*letters(size), *LATENT[: data.draw(st.integers(0, 2))]]))
    symbols = {
        (x, y): data.draw(st.sampled_from(("", "->", "<->", "-> & <->")))
        for i, x in enumerate(names)
        for y in names[i + 1 :]
    }
    truth = graph_from(names, symbols)
    evidence = oracle(truth, random_studies(data.draw(chances()), size, data.draw(st.integers(1, 3))))
    mag = marginal_mag(truth, evidence.variables)
    for method in ("iod", "iod-bcd", "causal-iod"):
        assert is_solution(Problem.of(evidence, method), mag)
        assert contains(solve(evidence, method), mag)


def test_membership_is_told_apart() -> None:
    solutions = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod-bcd")
    assert contains(solutions, MixedGraph.parse("X -> Y -> Z"))
    assert not contains(solutions, MixedGraph.parse("X <- Y -> Z"))


# -- more evidence -----------------------------------------------------------------------------------------------------


@few
@given(chances(), st.integers(2, 4), st.sampled_from(("iod", "causal-iod")), st.booleans())
def test_more_evidence_never_adds_solutions(chance: random.Random, size: int, method: str, selection: bool) -> None:
    _, evidence = random_oracle(chance, size, selection=selection)
    if chance.random() < 0.5:
        evidence = perturbed(chance, evidence)
    kept: list[Statement] = [s for s in evidence.statements if chance.random() < 0.7]
    more = solve(evidence, method, selection=selection)
    less = solve(evidence.with_statements(kept), method, selection=selection, limit=MANY)
    found = set(less)
    assume(less.complete)
    assert set(more) <= found


@few
@given(chances(), st.integers(2, 4))
def test_methods_that_use_more_keep_fewer(chance: random.Random, size: int) -> None:
    """Causal IOD is within IOD+BCD for perfect evidence, both within IOD, and that within IOD with selection."""
    _, evidence = random_oracle(chance, size)
    sets = [solve(evidence, method, limit=MANY) for method in ("causal-iod", "iod-bcd", "iod")]
    sets.append(solve(evidence, "iod", selection=True, limit=2 * MANY))
    assume(all(one.complete for one in sets))
    graphs = [set(one) for one in sets]
    assert graphs[0] <= graphs[1] <= graphs[2] <= graphs[3]
    assert {mag for mag in graphs[3] if not mag.has_selection} == graphs[2]


# -- claims ------------------------------------------------------------------------------------------------------------


def filtered(solutions: SolutionSet, claims: Sequence[Claim]) -> set[MixedGraph]:
    problem = Problem.of(solutions.evidence, solutions.method, selection=solutions.selection).with_claims(claims)
    return {mag for mag in solutions if is_solution(problem, mag)}


@examples(20, suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much])
@given(chances(), st.integers(2, 5), methods, st.booleans())
def test_to_assume_is_to_filter(chance: random.Random, size: int, method: str, selection: bool) -> None:
    _, evidence = random_oracle(chance, size, selection=selection)
    if chance.random() < 0.3:
        evidence = perturbed(chance, evidence)
    solutions = solve(evidence, method, selection=selection)
    assume(solve(evidence, method, selection=selection, limit=300).complete)
    first, second = random_claims(chance, evidence.variables), random_claims(chance, evidence.variables)
    narrowed = solutions.assume(*first)
    found = list(narrowed)
    assert len(set(found)) == len(found) == narrowed.count()
    assert set(found) == filtered(solutions, first)
    assert (
        set(narrowed.assume(*second)) == set(solutions.assume(*second, *first)) == filtered(solutions, first + second)
    )
    assert narrowed.consistent is bool(found)


@few
@given(chances(), st.integers(2, 4), st.sampled_from(("iod", "iod-bcd", "causal-iod")))
def test_several_claims_about_confounding_hold_in_one_model(chance: random.Random, size: int, method: str) -> None:
    _, evidence = random_oracle(chance, size)
    solutions = solve(evidence, method)
    assume(solve(evidence, method, limit=200).complete)
    pairs = [chance.sample(evidence.variables, 2) for _ in range(chance.choice((1, 2, 3)))]
    claims = [Claim(Topic.CONFOUNDED, x, y, chance.random() < 0.5) for x, y in pairs]
    assert set(solutions.assume(*claims)) == filtered(solutions, claims)


@few
@given(chances(), st.integers(2, 4))
def test_a_mag_fits_a_claim_or_its_opposite(chance: random.Random, size: int) -> None:
    """Every solution is in one of the two halves; for edges and causes in one only."""
    _, evidence = random_oracle(chance, size)
    solutions = solve(evidence, "iod-bcd")
    assume(solve(evidence, "iod-bcd", limit=300).complete)
    (claim, *_) = random_claims(chance, evidence.variables)
    fits, opposite = set(solutions.assume(claim)), set(solutions.assume(claim.negated))
    assert fits | opposite == set(solutions)
    if claim.topic is Topic.CONFOUNDED:
        for mag in fits & opposite:
            assert sum(1 for _ in doublings(mag)) > 1
    else:
        assert not fits & opposite


# -- classes -----------------------------------------------------------------------------------------------------------


@few
@given(chances(), st.integers(2, 5), methods, st.booleans())
def test_classes_partition_the_solutions(chance: random.Random, size: int, method: str, selection: bool) -> None:
    _, evidence = random_oracle(chance, size, selection=selection)
    solutions = solve(evidence, method, selection=selection)
    assume(solve(evidence, method, selection=selection, limit=400).complete)
    pags = solutions.pags()
    members = [mag for entry in pags for mag in entry.mags]
    assert pags.complete
    assert len(members) == len(set(members)) == solutions.count()
    assert set(members) == set(solutions)
    assert len({entry.pag for entry in pags}) == len(pags)
    for entry in pags:
        assert {pag_of(mag, selection=selection) for mag in entry.mags} == {entry.pag}
        everything = set(mags_of(entry.pag, selection=selection))
        assert entry.whole is (set(entry.mags) == everything)
        assert entry.returned == ((entry.pag,) if entry.whole else entry.mags)
    for one, other in itertools.pairwise(pags[:20]):
        assert not markov_equivalent(one.mags[0], other.mags[0])


@few
@given(chances(), st.integers(2, 4), st.booleans())
def test_independences_of_full_studies_are_met_by_whole_classes(
    chance: random.Random, size: int, selection: bool
) -> None:
    """IOD and ION cannot tell equivalent MAGs apart when everything was measured: each class is whole."""
    truth, evidence = random_oracle(chance, size, studies=1, selection=selection)
    for method in ("iod", "ion"):
        (entry,) = solve(evidence, method, selection=selection).pags()
        assert entry.whole
        assert entry.pag == pag_of(marginal_mag(truth, evidence.variables), selection=selection)


# -- samples -----------------------------------------------------------------------------------------------------------


@few
@given(chances(), st.integers(2, 4), st.integers(0, 30), st.integers(0, 10**9))
def test_a_sample_is_a_subset_without_repeats(chance: random.Random, size: int, number: int, seed: int) -> None:
    _, evidence = random_oracle(chance, size)
    solutions = solve(evidence, "iod-bcd")
    assume(solve(evidence, "iod-bcd", limit=300).complete)
    drawn = solutions.sample(number, seed)
    assert len(drawn) == len(set(drawn)) == min(number, solutions.exact_count())
    assert set(drawn) <= set(solutions)


@pytest.mark.parametrize("size", [1, 2, 4])
def test_samples_are_uniform(size: int) -> None:
    """Chi-square over the sets of that size, fixed seeds, at the 0.1 per cent level."""
    from scipy.stats import chisquare

    solutions = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod-bcd")
    possible = {1: 6, 2: 15, 4: 15}[size]
    draws: dict[frozenset[MixedGraph], int] = {}
    for seed in range(40 * possible):
        chosen = frozenset(solutions.sample(size, seed))
        draws[chosen] = draws.get(chosen, 0) + 1
    assert len(draws) == possible
    assert chisquare(list(draws.values())).pvalue > 0.001
