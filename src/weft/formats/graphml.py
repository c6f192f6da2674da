"""GraphML: written, not read. Nodes have the attribute ``name``; edges have ``source_mark`` and ``target_mark``.

A mark is ``arrow``, ``tail`` or ``circle``. The ids are ``n0``, ``n1``, ...: GraphML allows no blanks in them.
"""

from __future__ import annotations

import re
from xml.sax.saxutils import escape

from weft.formats.names import refuse_names
from weft.graphs.mixed import Edge, MixedGraph

_UNFIT = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_HEAD = """\
<?xml version="1.0" encoding="UTF-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns">
  <key id="name" for="node" attr.name="name" attr.type="string"/>
  <key id="source_mark" for="edge" attr.name="source_mark" attr.type="string"/>
  <key id="target_mark" for="edge" attr.name="target_mark" attr.type="string"/>
  <graph edgedefault="directed">
"""
_FOOT = """\
  </graph>
</graphml>
"""


def write_graphml(graph: MixedGraph) -> str:
    """The graph as GraphML."""
    refuse_names(graph, _UNFIT, "a GraphML file", "it has a control character")
    nodes = [f'    <node id="n{i}">{_data("name", name)}</node>\n' for i, name in enumerate(graph.names)]
    return "".join([_HEAD, *nodes, *(_edge(graph, edge) for edge in graph.edges()), _FOOT])


def _edge(graph: MixedGraph, edge: Edge) -> str:
    ends = f'source="n{graph.index(edge.x)}" target="n{graph.index(edge.y)}"'
    marks = _data("source_mark", edge.mark_x.name.lower()) + _data("target_mark", edge.mark_y.name.lower())
    return f"    <edge {ends}>{marks}</edge>\n"


def _data(key: str, text: str) -> str:
    return f'<data key="{key}">{escape(text, {chr(13): "&#13;"})}</data>'
