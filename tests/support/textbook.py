"""Slow twins of the graph algorithms: textbook definitions by enumeration of paths, and a DAG with everything explicit.

Nothing here uses the algorithms of ``weft.graphs``, only the edges of a graph.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator

import networkx as nx

from tests.support.graphs import subsets
from weft.graphs.mixed import Edge, Mark, MixedGraph


def paths(graph: MixedGraph, x: str, y: str) -> Iterator[list[Edge]]:
    """Every path from x to y as the edges along it, each read in the direction of travel; no vertex twice."""
    edges = [*graph.edges(), *(edge.reversed() for edge in graph.edges())]

    def extend(path: list[Edge], visited: tuple[str, ...]) -> Iterator[list[Edge]]:
        if visited[-1] == y:
            yield path
            return
        for edge in edges:
            if edge.x == visited[-1] and edge.y not in visited:
                yield from extend([*path, edge], (*visited, edge.y))

    return extend([], (x,))


def inner(path: list[Edge]) -> Iterator[tuple[str, bool]]:
    """The vertices inside a path, each with whether it is a collider."""
    for before, after in itertools.pairwise(path):
        yield before.y, before.mark_y == after.mark_x == Mark.ARROW


def ancestors(graph: MixedGraph, vertices: Collection[str]) -> set[str]:
    """The vertices with a directed path into one of the given ones, and these themselves."""
    found = set(vertices)
    while more := {e.x for e in graph.edges() if e.symbol == "->" and e.y in found} - found:
        found |= more
    return found


def selected(graph: MixedGraph) -> set[str]:
    """The vertices with an undirected edge."""
    return {name for edge in graph.edges() if edge.symbol == "--" for name in (edge.x, edge.y)}


def m_separated(graph: MixedGraph, x: str, y: str, given: Collection[str]) -> bool:
    """No path has all its non-colliders outside ``given`` and all its colliders ancestors of it (or selected)."""
    open_colliders = ancestors(graph, {*given, *selected(graph)})
    return not any(
        all(vertex in open_colliders if is_collider else vertex not in given for vertex, is_collider in inner(path))
        for path in paths(graph, x, y)
    )


def inducing_path(graph: MixedGraph, x: str, y: str, latent: Collection[str]) -> bool:
    """Some path has all its non-colliders in ``latent`` and all its colliders ancestors of x or y (or selected)."""
    above = ancestors(graph, {x, y, *selected(graph)})
    return any(
        all(vertex in above if is_collider else vertex in latent for vertex, is_collider in inner(path))
        for path in paths(graph, x, y)
    )


def separable(graph: MixedGraph, x: str, y: str) -> bool:
    """Whether some subset of the other vertices m-separates x and y."""
    others = [name for name in graph.names if name not in (x, y)]
    return any(m_separated(graph, x, y, given) for given in subsets(others))


def trek(graph: MixedGraph, x: str, y: str) -> bool:
    """Whether a path without colliders has an arrowhead at x and at y."""
    return any(
        path[0].mark_x == path[-1].mark_y == Mark.ARROW and not any(is_collider for _, is_collider in inner(path))
        for path in paths(graph, x, y)
    )


def is_ancestral(graph: MixedGraph) -> bool:
    """No arrowhead at an ancestor of the edge's other end, and none at a vertex with an undirected edge."""
    both_ways = [*graph.edges(), *(edge.reversed() for edge in graph.edges())]
    return not any(
        edge.mark_y == Mark.ARROW and (edge.y in ancestors(graph, {edge.x}) or edge.y in selected(graph))
        for edge in both_ways
    )


def is_mag(graph: MixedGraph) -> bool:
    """Ancestral, and every pair that is not adjacent can be separated."""
    return is_ancestral(graph) and all(
        graph.edge(x, y) is not None or separable(graph, x, y) for x, y in itertools.combinations(graph.names, 2)
    )


def canonical_dag(graph: MixedGraph) -> tuple[nx.DiGraph, frozenset[object]]:
    """The DAG that a graph with ``->``, ``<->`` and ``--`` abbreviates, and the selection variables in it.

    Each ``x <-> y`` becomes a latent common cause, each ``x -- y`` a common effect that is conditioned on.
    """
    dag = nx.DiGraph()
    dag.add_nodes_from(graph.names)
    selection = set()
    for edge in graph.edges():
        extra = (edge.symbol, edge.x, edge.y)
        if edge.symbol == "->":
            dag.add_edge(edge.x, edge.y)
        elif edge.symbol == "<->":
            dag.add_edges_from([(extra, edge.x), (extra, edge.y)])
        else:
            dag.add_edges_from([(edge.x, extra), (edge.y, extra)])
            selection.add(extra)
    return dag, frozenset(selection)


def mag_by_definition(graph: MixedGraph, keep: Collection[str]) -> MixedGraph:
    """The MAG over ``keep`` by d-separation in the canonical DAG.

    Two variables are adjacent if no subset of the other kept ones, together with the selection variables, separates
    them; the mark at one is a tail if it is an ancestor of the other or of a selection variable.
    """
    dag, selection = canonical_dag(graph)
    edges = []
    for x, y in itertools.combinations(sorted(keep), 2):
        others = [name for name in keep if name not in (x, y)]
        if any(nx.is_d_separator(dag, {x}, {y}, {*given, *selection}) for given in subsets(others)):
            continue
        above_x, above_y = (set().union(*(nx.ancestors(dag, v) for v in (end, *selection))) for end in (x, y))
        mark_x = Mark.TAIL if x in above_y else Mark.ARROW
        mark_y = Mark.TAIL if y in above_x else Mark.ARROW
        edges.append(Edge(x, mark_x, mark_y, y))
    return MixedGraph.build(keep, edges)
