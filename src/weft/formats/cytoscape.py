"""Cytoscape's JSON, for Cytoscape and Cytoscape.js: written, not read.

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
    nodes = [{"data": {"id": name, "name": name}} for name in graph.names]
    elements = {"nodes": nodes, "edges": [{"data": _edge(edge)} for edge in graph.edges()]}
    return json.dumps({"elements": elements}, ensure_ascii=False, indent=1) + "\n"


def _edge(edge: Edge) -> dict[str, str]:
    return {
        "source": edge.x,
        "target": edge.y,
        "source_mark": edge.mark_x.name.lower(),
        "target_mark": edge.mark_y.name.lower(),
    }
