"""Graphs in the formats of other programs: read and written without loss, or refused in one line.

=================== ==================================================================================================
module              what is in it
=================== ==================================================================================================
`files`             :func:`read_graph`, :func:`write_graph`, and :func:`reads`, :func:`writes` on text
`registry`          :data:`FORMATS`: every format by its name
`weft_text`         ``X -> Y; Y <-> Z``, weft's own
`edge_table`        a table with the columns from, edge, to; as CSV or Parquet
`pcalg`             pcalg's matrix of a PAG
`causal_learn`      causal-learn's matrix of endpoints
`tetrad`            Tetrad's graph text
`dagitty`           dagitty's ``pag { a @-> b }``
`networkx`          networkx graphs, whose edges have ``marks``
`dot`, `graphml`,   written only: Graphviz, GraphML, Cytoscape
`cytoscape`
`matrices`,         what the modules above share: matrices as CSV, CSV itself, the checks of names, and edges with the
`csv_text`,         lines they stand on
`names`, `located`
=================== ==================================================================================================

>>> graph = reads("pag { A @-> B; C }")
>>> print(graph)
A o-> B; C
>>> print(writes(graph, "edges"), end="")
from,edge,to
A,o->,B
C,,
"""

from __future__ import annotations

from weft.formats.causal_learn import from_causallearn
from weft.formats.files import read_graph, reads, write_graph, writes
from weft.formats.networkx import from_networkx
from weft.formats.pcalg import from_pcalg
from weft.formats.registry import FORMATS, Format

__all__ = [
    "FORMATS",
    "Format",
    "from_causallearn",
    "from_networkx",
    "from_pcalg",
    "read_graph",
    "reads",
    "write_graph",
    "writes",
]
