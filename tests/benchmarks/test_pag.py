"""From graphs to claims."""

from __future__ import annotations

import doctest
from itertools import permutations
from types import ModuleType

import numpy as np
import pytest

from benchmarks import overlapping
from benchmarks.tools import cam_uv, causal_learn, pag
from benchmarks.tools.pag import ancestors, claims_of, reached
from weft.graphs.ancestral import ancestors as names_of_ancestors
from weft.graphs.ancestral import mag_of, marginal_mag
from weft.graphs.equivalence import pag_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg


def said(text: str) -> set[str]:
    """The claims of a graph, such as ``X>Y`` for "X causes Y" and ``X|Y`` for "X does not cause Y"."""
    return {f"{one.x}{'>' if one.causes else '|'}{one.y}" for one in claims_of(MixedGraph.parse(text))}


@pytest.mark.parametrize("module", [pag, causal_learn, cam_uv, overlapping], ids=lambda module: module.__name__)
def test_the_examples_in_docstrings_hold(module: ModuleType) -> None:
    found = doctest.testmod(module)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize(
    ("graph", "claims"),
    [
        ("X -> Y", {"X>Y", "Y|X"}),
        ("X <-> Y", {"X|Y", "Y|X"}),
        ("X o-> Y", {"Y|X"}),
        ("X o-o Y", set()),
        ("X -- Y", {"X|Y", "Y|X"}),
        ("X; Y", {"X|Y", "Y|X"}),
        # A chain through a circle may be directed; through a spouse it may not.
        ("X o-o Y; Y o-o Z", set()),
        ("X o-o Y; Y <-> Z", {"X|Z", "Y|Z", "Z|Y", "Z|X"}),
        # The collider and what it causes.
        ("X o-> Z; Y o-> Z; Z -> W", {"Z>W", "X|Y", "Y|X", "Z|X", "Z|Y", "W|X", "W|Y", "W|Z"}),
        # An open edge at the start keeps the causes of the other end open, but not what follows for certain.
        ("X o-> Y; Y -> Z; Z -> W", {"Y>Z", "Y>W", "Z>W", "Y|X", "Z|X", "Z|Y", "W|X", "W|Y", "W|Z"}),
        # What tests on data may lead to: a directed cycle claims both directions.
        ("X -> Y; Y -> Z; Z -> X", {"X>Y", "X>Z", "Y>Z", "Y>X", "Z>X", "Z>Y"}),
    ],
)
def test_claims_of_a_pag(graph: str, claims: set[str]) -> None:
    assert said(graph) == claims


def test_the_claims_of_true_pags_are_right() -> None:
    number = {True: 0, False: 0}
    for seed in range(60):
        graph = random_admg(6, np.random.default_rng(seed), mean_degree=2, mean_bidirected_degree=0.5)
        truth = ancestors(graph)
        for one in claims_of(pag_of(marginal_mag(graph, graph.names[:5]))):
            assert ((one.x, one.y) in truth) == one.causes, f"{one} in {graph}"
            number[one.causes] += 1
    assert min(number.values()) > 20  # enough of both kinds


@pytest.mark.parametrize("seed", range(10))
def test_ancestors_are_those_of_weft(seed: int) -> None:
    graph = random_admg(7, np.random.default_rng(seed), mean_degree=2, mean_bidirected_degree=1)
    slow = {(x, y) for x, y in permutations(graph.names, 2) if x in names_of_ancestors(graph, [y])}
    assert ancestors(graph) == slow
    assert {(one.x, one.y) for one in claims_of(mag_of(graph)) if one.causes} == slow  # nothing is open in a MAG


@pytest.mark.parametrize("seed", range(10))
def test_who_is_reached_against_powers_of_the_matrix(seed: int) -> None:
    names, steps = "ABCDEF", np.random.default_rng(seed).random((6, 6)) < 0.25
    ways = sum(np.linalg.matrix_power(steps.astype(int), length) for length in range(1, 7))
    wanted = {(names[i], names[j]) for i, j in np.argwhere(ways > 0)}
    assert reached((names[i], names[j]) for i, j in np.argwhere(steps)) == wanted
