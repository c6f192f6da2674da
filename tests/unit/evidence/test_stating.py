"""What is stated about data: no more than the tests show, each once, and as often right as it says."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import pytest

from tests.support.slow import slow
from weft.evidence.collect import Collected, collect
from weft.evidence.statements import Dependent, Separated, Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, split_into_studies
from weft.search.problem import Problem
from weft.studies import Study
from weft.studies.simulate import draw_studies

WAYS = {"linear": "fisher-z", "discrete": "auto"}


GROUPS = {
    "pairs": ("connected", "apart"),
    "sets": ("separated", "dependent"),
    "triples": ("noncollider", "collider"),
}


def told(graph: str, split: Sequence[str], rows: int = 3000, seed: int = 1, confidence: float = 0.9) -> Collected:
    drawn = draw_studies(MixedGraph.parse(graph), [*split], rows, np.random.default_rng(seed), "linear")
    return collect(drawn, independence="fisher-z", independence_confidence=confidence)


def about(statements: Sequence[Statement], kind: type[Separated | Dependent]) -> set[tuple[str, str, str]]:
    return {(one.x, one.y, "".join(sorted(one.given))) for one in statements if isinstance(one, kind)}


def test_a_chain_and_a_collider() -> None:
    chain = told("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence.statements
    assert ("X", "Z", "Y") in about(chain, Separated)
    assert ("X", "Z", "") in about(chain, Dependent), "what makes Y no collider"
    assert ("W", "Y", "") in about(chain, Separated)
    assert ("W", "Y", "Z") in about(chain, Dependent), "what makes Z a collider"


def test_a_pooled_test_makes_one_statement() -> None:
    found = told("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence
    assert found.separated
    assert found.dependent
    for one in (*found.separated, *found.dependent):
        assert one.studies == ("study1", "study2")
    assert len({(one.x, one.y, one.given) for one in (*found.separated, *found.dependent)}) == len(
        found.separated + found.dependent
    )


def test_nothing_is_said_of_sets_where_a_connection_says_it() -> None:
    found = told("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence
    connected = {(one.x, one.y) for one in found.connected}
    assert connected == {("X", "Y"), ("Y", "Z"), ("W", "Z")}
    assert not connected & {(one.x, one.y) for one in found.dependent}


def test_no_dependence_where_a_set_separates() -> None:
    found = told("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence
    assert not about(found.statements, Separated) & about(found.statements, Dependent)
    assert all((one.provenance.p_value or 0) <= 0.01 for one in found.dependent)
    assert all((one.provenance.p_value or 0) > 0.01 for one in found.separated)


def test_a_faint_chain_names_no_set() -> None:
    """A - B - C - D with weak links: A and D look independent given nothing, and given anything else."""
    rng = np.random.default_rng(5)
    tables = []
    for name in "ab":
        a, u, v, w = rng.standard_normal((4, 1500))
        b = 0.25 * a + u
        c = 0.25 * b + v
        tables.append(Study.of({"A": a, "B": b, "C": c, "D": 0.25 * c + w}, name))
    found = collect(tables, independence="fisher-z").evidence
    assert ("A", "D") not in {(one.x, one.y) for one in found.separated}


def levels(graph: str, split: Sequence[str], rows: int = 2000, seed: int = 3) -> Collected:
    drawn = draw_studies(MixedGraph.parse(graph), [*split], rows, np.random.default_rng(seed), "discrete")
    return collect(drawn)


def test_the_variable_that_makes_the_difference() -> None:
    """Of levels no set is named, but a variable without which two others are dependent causes one of them."""
    found = levels("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence
    assert not found.separated
    assert ("X", "Z", "Y") in {(one.x, one.y, one.middle) for one in found.noncolliders}
    for one in (*found.noncolliders, *found.colliders):
        assert one.studies == ("study1", "study2")
        assert (one.provenance.p_value or 0) > 0.01
        assert (one.weight or 0) >= math.log(9)


def test_where_a_set_is_named_its_middles_follow() -> None:
    found = told("X -> Y -> Z; W -> Z", ["XYZW", "XYZW"]).evidence
    named = {(one.x, one.y) for one in found.separated}
    assert named
    assert not named & {(one.x, one.y) for one in (*found.noncolliders, *found.colliders)}


def right(evidence: Collected, graph: MixedGraph) -> list[tuple[str, bool]]:
    mag = marginal_mag(graph, evidence.evidence.variables)
    problem = Problem.of(evidence.evidence)
    return [(kind, one.holds_in(graph, mag)) for (kind, _), one in problem.statements.items()]


def counted(way: str, rows: int, seeds: range) -> tuple[dict[str, tuple[int, int]], int, int]:
    """For adjacencies, sets and triples, how many are wrong of how many; decided pairs, and all."""
    wrong = {"pairs": (0, 0), "sets": (0, 0), "triples": (0, 0)}
    decided = pairs = 0
    for seed in seeds:
        rng = np.random.default_rng([seed, 4711])
        size = int(rng.integers(5, 9))
        graph = random_admg(size, rng, mean_degree=2, mean_bidirected_degree=0.5)
        split = split_into_studies(graph.names, rng, studies=2, overlap=size // 2)
        found = collect(draw_studies(graph, split, rows, rng, way), independence=WAYS[way])
        for kind, is_right in right(found, graph):
            group = next(name for name, kinds in GROUPS.items() if kind in kinds)
            wrong[group] = wrong[group][0] + (not is_right), wrong[group][1] + 1
        decided, pairs = decided + found.pairs - len(found.undecided), pairs + found.pairs
    return wrong, decided, pairs


@pytest.mark.parametrize(("way", "least_decided"), [("linear", 0.7), ("discrete", 0.2)])
def test_most_of_it_is_right(way: str, least_decided: float) -> None:
    wrong, decided, pairs = counted(way, 3000, range(30))
    assert wrong["pairs"][1] > 100
    assert wrong["pairs"][0] <= 0.05 * wrong["pairs"][1]
    assert wrong["sets"][1] > 20
    assert wrong["sets"][0] <= 0.08 * wrong["sets"][1]
    assert (wrong["triples"][1] > 10) is (way == "discrete"), "fisher-z says nothing of them"
    assert wrong["triples"][0] <= 0.08 * wrong["triples"][1]
    assert decided >= least_decided * pairs, "silence is no achievement"


@slow
@pytest.mark.parametrize("rows", [500, 1000, 3000])
@pytest.mark.parametrize("way", WAYS)
def test_the_weights_mean_what_they_say(way: str, rows: int) -> None:
    said: list[tuple[float, bool]] = []
    for seed in range(100, 160):
        rng = np.random.default_rng([seed, 4711])
        graph = random_admg(7, rng, mean_degree=2, mean_bidirected_degree=0.5)
        split = split_into_studies(graph.names, rng, studies=2, overlap=3)
        studies = draw_studies(graph, split, rows, rng, way)
        found = collect(studies, independence=WAYS[way], independence_confidence=0.5)
        mag = marginal_mag(graph, found.evidence.variables)
        said += [
            (one.origin.weight or 0.0, one.holds_in(graph, mag))
            for one in Problem.of(found.evidence).statements.values()
        ]
    sure = [(1 / (1 + math.exp(-weight)), is_right) for weight, is_right in said]
    above = [is_right for share, is_right in sure if share >= 0.95]
    assert len(above) > 50
    assert np.mean(above) > 0.93
