"""One structure as DoWhy reads it: GML of a DAG with the hidden common causes as nodes. Written, not read.

DoWhy takes for unobserved what is not a column of the data. A ``<->`` becomes a node that causes both. In a MAG an edge
``x -> y`` may hide a common cause of the two unless it is visible (:func:`~weft.graphs.adjustment.is_visible`); such an
edge gets a node as well, so that DoWhy identifies no effect that the structure does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from weft.errors import GraphError
from weft.formats.names import refuse_names
from weft.graphs.adjustment import is_visible
from weft.graphs.mixed import Mark, MixedGraph


def write_dowhy(graph: MixedGraph) -> str:
    """The structure as GML.

    >>> print(write_dowhy(MixedGraph.parse("I -> X; X -> Y")), end="")
    graph [
      directed 1
      node [ id 0 label "I" ]
      node [ id 1 label "X" ]
      node [ id 2 label "Y" ]
      node [ id 3 label "hidden cause of I and X" ]
      edge [ source 0 target 1 ]
      edge [ source 3 target 0 ]
      edge [ source 3 target 1 ]
      edge [ source 1 target 2 ]
    ]
    """
    if graph.has_circles or graph.has_selection:
        raise GraphError("DoWhy reads directed edges only; give one structure, without circles and without --")
    refuse_names(graph, re.compile("[\x00-\x1f\x7f]"), "a GML file", "it has a control character")
    names, edges = list(graph.names), []
    for edge in graph.edges():
        x, y = (edge.y, edge.x) if edge.mark_x == Mark.ARROW and edge.mark_y == Mark.TAIL else (edge.x, edge.y)
        if edge.symbol != "<->":
            edges.append((x, y))
        if edge.symbol == "<->" or not is_visible(graph, x, y):
            hidden = _unused(f"hidden cause of {x} and {y}", names)
            names.append(hidden)
            edges += [(hidden, x), (hidden, y)]
    place = {name: i for i, name in enumerate(names)}
    nodes = (f'  node [ id {i} label "{_escaped(name)}" ]' for i, name in enumerate(names))
    arrows = (f"  edge [ source {place[x]} target {place[y]} ]" for x, y in edges)
    return "\n".join(["graph [", "  directed 1", *nodes, *arrows, "]", ""])


def _unused(name: str, taken: list[str]) -> str:
    return next(one for one in _variants(name) if one not in taken)


def _variants(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name} ({number})"
        number += 1


def _escaped(name: str) -> str:
    """GML is ASCII; the rest is written as entities."""
    return re.sub(r'[&"]|[^ -~]', lambda found: f"&#{ord(found[0])};", name)
