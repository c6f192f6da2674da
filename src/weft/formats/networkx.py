"""networkx graphs, whose edges have the attribute ``marks={"A": "-", "B": ">"}``: the mark at either end.

A mark is ``-`` (tail), ``>`` (arrowhead) or ``o`` (circle). An edge of a directed graph without ``marks`` is ``->``.
The way there is :meth:`weft.graphs.mixed.MixedGraph.to_networkx`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from weft.errors import GraphError
from weft.graphs.mixed import NETWORKX_MARKS, Edge, Mark, MixedGraph

_MARKS = {sign: mark for mark, sign in NETWORKX_MARKS.items()}


def from_networkx(graph: Any) -> MixedGraph:
    """The graph of a networkx ``Graph``, ``DiGraph``, ``MultiGraph`` or ``MultiDiGraph``.

    >>> print(from_networkx(MixedGraph.parse("A o-> B; C").to_networkx()))
    A o-> B; C
    """
    for node in graph.nodes:
        if not isinstance(node, str):
            raise GraphError(f"the node {node!r} is not text; say networkx.relabel_nodes(graph, str)")
    directed = graph.is_directed()
    return MixedGraph.build(graph.nodes, [_edge(x, y, data, directed) for x, y, data in graph.edges(data=True)])


def _edge(x: str, y: str, data: Mapping[str, Any], directed: bool) -> Edge:
    marks = data.get("marks")
    if marks is None and directed:
        return Edge(x, Mark.TAIL, Mark.ARROW, y)
    if not isinstance(marks, Mapping) or {*marks} != {x, y} or any(mark not in [*_MARKS] for mark in marks.values()):
        example = {x: "-", y: ">"}
        raise GraphError(f"the edge between {x!r} and {y!r} has marks={marks!r}; give it such as marks={example!r}")
    return Edge(x, _MARKS[marks[x]], _MARKS[marks[y]], y)
