"""Cytoscape's JSON, for Cytoscape, Cytoscape.js and ``networkx.cytoscape_graph``: written, not read.

Edges have ``source_mark`` and ``target_mark``: ``arrow``, ``tail`` or ``circle``. They have no ids, which could clash
with the names.
"""

from __future__ import annotations

import json
import re

from weft.formats.names import refuse_names
from weft.graphs.mixed import Edge, MixedGraph


def write_cytoscape(graph: MixedGraph) -> str:
    """The graph as JSON."""
    refuse_names(graph, re.compile(r"^\Z"), "a Cytoscape file", "an id there is not empty")
    nodes = [{"data": {"id": name, "value": name, "name": name}} for name in graph.names]
    edges = [{"data": _edge(edge) | ({"key": edge.symbol} if graph.doubled else {})} for edge in graph.edges()]
    document = {
        "data": {},  # networkx asks for it, for "value" and for the two below
        "directed": True,
        "multigraph": bool(graph.doubled),
        "elements": {"nodes": nodes, "edges": edges},
    }
    return json.dumps(document, ensure_ascii=False, indent=1) + "\n"


def _edge(edge: Edge) -> dict[str, str]:
    return {
        "source": edge.x,
        "target": edge.y,
        "source_mark": edge.mark_x.name.lower(),
        "target_mark": edge.mark_y.name.lower(),
    }
