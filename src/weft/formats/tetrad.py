"""Tetrad's graph text.

::

    Graph Nodes:
    X;Y;Z

    Graph Edges:
    1. X o-> Y
    2. Y --> Z dd nl

What follows an edge (``dd nl``, bootstrap shares) is ignored, and so is every other section. ``(L)`` and ``[S]`` among
the nodes are Tetrad's latent and selection variables; they are read as vertices like any other. Nodes may stand
between commas. Tetrad takes a line apart at blanks, so names have none.
"""

from __future__ import annotations

import re
from collections.abc import Container, Iterator

from weft.errors import GraphError
from weft.formats.located import build
from weft.formats.names import refuse_names
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph

_NODES, _EDGES = "Graph Nodes:", "Graph Edges:"
_EDGE = re.compile(r"\d+\.\s*(\S+)\s+(\S+)\s+(\S+)(?:\s.*)?")
_UNFIT = re.compile(r"[\s,;]|^$|^\(.*\)$|^\[.*\]$", re.DOTALL)


def looks_like_tetrad(text: str) -> bool:
    """Whether the text starts as Tetrad's does."""
    return text.lstrip().startswith((_NODES, _EDGES))


def read_tetrad(text: str) -> MixedGraph:
    r"""The graph of a file.

    >>> print(read_tetrad("Graph Nodes:\nX;Y;Z\n\nGraph Edges:\n1. X o-> Y dd nl\n"))
    X o-> Y; Z
    """
    names: dict[str, None] = {}
    edges: list[tuple[str, Edge]] = []
    section = ""
    for place, line in _lines(text):
        if line in (_NODES, _EDGES):
            section = line
        elif section == _NODES:
            words = (word.strip() for word in re.split("[,;]", line))
            names |= {_node(word, place): None for word in words if word}
        elif match := _EDGE.fullmatch(line) if section == _EDGES else None:
            edges.append((place, _edge(match, names, place)))
        elif line.endswith(":") and section:
            section = "another"
        elif section in ("", _EDGES):
            wanted = "'1. X --> Y'" if section else f"{_NODES!r}"
            raise GraphError(f"{place}: expected {wanted}, found {line!r}")
    if not section:
        raise GraphError(f"the file is empty; a Tetrad graph starts with {_NODES!r}")
    return build(names, edges)


def write_tetrad(graph: MixedGraph) -> str:
    """The graph as Tetrad reads it."""
    refuse_names(graph, _UNFIT, "a Tetrad graph", "names there are not empty and have no blanks, ',', ';' or '(...)'")
    edges = [f"{i}. {edge.x} {long_symbol(edge)} {edge.y}" for i, edge in enumerate(graph.edges(), 1)]
    return "\n".join([_NODES, ";".join(graph.names), "", _EDGES, *edges, ""])


def long_symbol(edge: Edge) -> str:
    """An edge in three signs: ``-->``, ``<->``, ``---``, ``o->``, ``o-o``, ``--o``.

    >>> long_symbol(MixedGraph.parse("X -> Y").edges()[0])
    '-->'
    """
    left = {Mark.ARROW: "<", Mark.TAIL: "-", Mark.CIRCLE: "o"}[edge.mark_x]
    right = {Mark.ARROW: ">", Mark.TAIL: "-", Mark.CIRCLE: "o"}[edge.mark_y]
    return f"{left}-{right}"


def _lines(text: str) -> Iterator[tuple[str, str]]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            yield f"line {number}", line.strip()


def _node(word: str, place: str) -> str:
    name = word[1:-1] if _UNFIT.search(word) else word  # (L) or [S]
    if _UNFIT.search(name):
        raise GraphError(f"{place}: {word!r} is not a name of Tetrad's; names have no blanks")
    return name


def _edge(match: re.Match[str], names: Container[str], place: str) -> Edge:
    x, symbol, y = match.groups()
    if symbol not in EDGE_SYMBOLS:
        raise GraphError(f"{place}: {symbol!r} is not an edge; write one such as '-->', '<->' or 'o->'")
    for name in (x, y):
        if name not in names:
            raise GraphError(f"{place}: {name!r} is not among the nodes; add it to them")
    return Edge(x, *EDGE_SYMBOLS[symbol], y)
