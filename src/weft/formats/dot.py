"""Graphviz's DOT, for pictures: written, not read. A circle is ``odot``."""

from __future__ import annotations

import re

from weft.formats.names import refuse_names
from weft.graphs.mixed import Edge, Mark, MixedGraph

_ARROWS = {Mark.ARROW: "normal", Mark.TAIL: "none", Mark.CIRCLE: "odot"}


def write_dot(graph: MixedGraph) -> str:
    """The graph as DOT.

    >>> print(write_dot(MixedGraph.parse("X o-> Y; Y -> Z")), end="")
    digraph {
      "X";
      "Y";
      "Z";
      "X" -> "Y" [dir=both, arrowtail=odot, arrowhead=normal];
      "Y" -> "Z";
    }
    """
    refuse_names(graph, re.compile("\0"), "a DOT file", "it has a zero byte")
    nodes = [f"  {_quoted(name)}{_label(name)};" for name in graph.names]
    edges = [f"  {_quoted(edge.x)} -> {_quoted(edge.y)}{_style(edge)};" for edge in graph.edges()]
    return "\n".join(["digraph {", *nodes, *edges, "}", ""])


def _quoted(name: str) -> str:
    """A name in quotes. DOT has no way to write a backslash before a quote, so each becomes two."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


def _label(name: str) -> str:
    """What is to be seen where the name would be taken for something else: escapes, and entities such as ``&amp;``."""
    return f" [label={_quoted(name.replace('&', '&amp;'))}]" if re.search(r"[\\\n&]|^$", name) else ""


def _style(edge: Edge) -> str:
    if (edge.mark_x, edge.mark_y) == (Mark.TAIL, Mark.ARROW):
        return ""
    return f" [dir=both, arrowtail={_ARROWS[edge.mark_x]}, arrowhead={_ARROWS[edge.mark_y]}]"
