"""The search for separating sets against an oracle: it must find exactly the pairs that can be separated."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np
import pytest

import weft
from tests.support.slow import slow
from weft.evidence.skeleton import Query, rivals, search_skeleton
from weft.graphs.mixed import MixedGraph, bits
from weft.graphs.separation import m_separated
from weft.graphs.simulate import random_admg


def ask_graph(graph: MixedGraph, asked: list[Query] | None = None) -> Callable[[Sequence[Query]], list[bool]]:
    def ask(queries: Sequence[Query]) -> list[bool]:
        if asked is not None:
            asked.extend(queries)
        return [m_separated(graph, query.x, query.y, query.given) for query in queries]

    return ask


def names_of(pairs: Sequence[tuple[int, int]], names: Sequence[str]) -> set[tuple[str, str]]:
    return {(names[x], names[y]) for x, y in pairs}


@pytest.mark.parametrize("seed", range(60))
def test_finds_what_can_be_separated(seed: int) -> None:
    rng = np.random.default_rng(seed)
    graph = random_admg(8, rng, mean_degree=2.5, mean_bidirected_degree=float(rng.choice([0, 1, 2])))
    measured = sorted(rng.choice(graph.names, size=6, replace=False).tolist())  # the other two are latent
    skeleton = search_skeleton(measured, ask_graph(graph))
    truth = weft.oracle(graph, [measured])
    assert names_of(skeleton.pairs(), skeleton.names) == {(one.x, one.y) for one in truth.connected}
    for query in skeleton.separated.values():
        assert m_separated(graph, query.x, query.y, query.given)
    assert len(skeleton.pairs()) + len(skeleton.separated) == 15


def test_neighbours_alone_are_not_enough() -> None:
    # A separating set may need vertices that only colliders lead to.
    graph = MixedGraph.parse("A -> B; B <-> C; C <-> D; D -> E; B -> E; C -> A; A <-> F; F <-> E")
    measured = list(graph.names)
    found = search_skeleton(measured, ask_graph(graph))
    truth = {(one.x, one.y) for one in weft.oracle(graph, [measured]).connected}
    assert names_of(found.pairs(), found.names) == truth


def test_possible_d_sep_is_needed_somewhere() -> None:
    # Among random graphs there must be some in which the first phase alone leaves an edge too many: else the second
    # phase would not be tested at all.
    beyond = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        graph = random_admg(9, rng, mean_degree=2, mean_bidirected_degree=2)
        skeleton = search_skeleton(graph.names, ask_graph(graph))
        for (x, y), query in skeleton.separated.items():
            neighbours = {skeleton.names[v] for v in range(9) if skeleton.adjacent[x] >> v & 1}
            others = {skeleton.names[v] for v in range(9) if skeleton.adjacent[y] >> v & 1}
            beyond += not (set(query.given) <= neighbours or set(query.given) <= others)
    assert beyond > 0


def test_order_of_the_variables_does_not_matter() -> None:
    graph = random_admg(7, np.random.default_rng(5), mean_degree=3)
    one = search_skeleton(graph.names, ask_graph(graph))
    other = search_skeleton(graph.names[::-1], ask_graph(graph))
    assert (one.names, one.adjacent, one.separated, one.tested) == (
        other.names,
        other.adjacent,
        other.separated,
        other.tested,
    )


def test_limit_on_the_size_of_sets() -> None:
    graph = MixedGraph.parse("X -> A -> Y; X -> B -> Y; X -> C -> Y")
    asked: list[Query] = []
    skeleton = search_skeleton(graph.names, ask_graph(graph, asked), max_given=2)
    assert max(len(query.given) for query in asked) == 2
    assert ("X", "Y") in names_of(skeleton.pairs(), skeleton.names)
    assert ("X", "Y") not in names_of(search_skeleton(graph.names, ask_graph(graph)).pairs(), skeleton.names)


def test_what_lies_ahead() -> None:
    """At first all sets of all pairs; then those of the pairs that are still adjacent."""
    told: list[int] = []
    graph = random_admg(7, np.random.default_rng(2), mean_degree=3)
    search_skeleton(graph.names, ask_graph(graph), ahead=told.append)
    assert told[0] == 21 * 2**5
    assert told[1] < told[0]


@pytest.mark.parametrize("seed", [*range(6), *map(slow, range(6, 20))])
def test_cycles_through_a_pair(seed: int) -> None:
    graph = random_admg(9, np.random.default_rng(seed), mean_degree=2.2)
    skeleton = search_skeleton(graph.names, ask_graph(graph))
    for block in nx.biconnected_component_edges(nx.Graph(skeleton.pairs())):
        edges = [(min(edge), max(edge)) for edge in block]
        expected = sum(1 << v for v in set().union(*map(set, edges)))
        assert {skeleton.on_a_cycle_with(edge) for edge in edges} == {expected}


def test_rivals_differ_by_a_variable_in_between() -> None:
    graph = MixedGraph.parse("A -> B -> C; A -> D; C -> D; C -> E")
    skeleton = search_skeleton(graph.names, ask_graph(graph))
    a, c = skeleton.names.index("A"), skeleton.names.index("C")
    assert skeleton.separated[a, c] == Query("A", "C", ("B",))
    # B is in the set, D is a common neighbour: one is taken out, the other put in.
    assert set(rivals(skeleton, (a, c))) == {Query("A", "C"), Query("A", "C", ("B", "D"))}
    assert rivals(skeleton, (a, c), max_given=1) == [Query("A", "C")]


@pytest.mark.parametrize("seed", range(30))
def test_every_rival_of_a_true_set_is_dependent_or_separates_as_well(seed: int) -> None:
    """With perfect tests a middle of an unshielded triple is in every separating set, or in none."""
    rng = np.random.default_rng([seed, 7])
    graph = random_admg(7, rng, mean_degree=2, mean_bidirected_degree=0.5)
    skeleton = search_skeleton(graph.names, ask_graph(graph))
    for pair, query in skeleton.separated.items():
        x, y = pair
        common = {skeleton.names[v] for v in bits(skeleton.adjacent[x] & skeleton.adjacent[y])}
        for rival in rivals(skeleton, pair):
            (middle,) = set(rival.given) ^ set(query.given)
            assert middle in common | set(query.given)
            if middle in common:
                assert not m_separated(graph, rival.x, rival.y, rival.given)


def test_of_sets_tried_at_the_same_time_the_likeliest_counts() -> None:
    """Both W and M seem to separate X and Y, M by far the more clearly; it does not matter which is asked first."""
    independence = {Query("X", "Y", ("M",)): 0.7, Query("X", "Y", ("W",)): 0.03}
    skeleton = search_skeleton(["M", "W", "X", "Y"], lambda queries: [independence.get(one, 0.0) for one in queries])
    assert skeleton.separated == {(2, 3): Query("X", "Y", ("M",))}
