"""Every format by its name: the one place where the command line and the library look them up."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from weft.formats.causal_learn import read_causal_learn, write_causal_learn
from weft.formats.cytoscape import write_cytoscape
from weft.formats.dagitty import looks_like_dagitty, read_dagitty, write_dagitty, write_dagitty_mag
from weft.formats.dot import write_dot
from weft.formats.dowhy import write_dowhy
from weft.formats.edge_table import looks_like_edge_table, read_edges, read_parquet, write_edges, write_parquet
from weft.formats.graphml import write_graphml
from weft.formats.pcalg import read_pcalg, write_pcalg
from weft.formats.tetrad import looks_like_tetrad, read_tetrad, write_tetrad
from weft.formats.weft_text import looks_like_weft, read_weft, write_weft
from weft.graphs.mixed import MixedGraph


@dataclass(frozen=True)
class Format:
    """A way to write graphs.

    Parameters
    ----------
    name
        What users call it.
    suffixes
        How the names of its files end. A suffix that two formats have decides nothing.
    read, write
        From the content of a file, and to it; ``None`` where weft does not do it. The content is ``str``, or ``bytes``
        if the format is ``binary``.
    description
        A few words for a list of formats.
    looks
        Whether a text could be of this format; ``None`` if that is never guessed.
    binary
        Whether the content is bytes.
    """

    name: str
    suffixes: tuple[str, ...]
    read: Callable[[Any], MixedGraph] | None
    write: Callable[[MixedGraph], Any] | None
    description: str
    looks: Callable[[str], bool] | None = None
    binary: bool = False


# In the order in which a text is looked at: weft's own is the one that almost anything could be.
_ALL = (
    Format("tetrad", (".txt",), read_tetrad, write_tetrad, "Tetrad's graph text", looks_like_tetrad),
    Format("dagitty", (".dagitty",), read_dagitty, write_dagitty, "dagitty's pag { a @-> b }", looks_like_dagitty),
    Format("edges", (".csv",), read_edges, write_edges, "CSV with from, edge, to", looks_like_edge_table),
    Format("weft", (".weft", ".txt"), read_weft, write_weft, "weft's text, X -> Y; Y <-> Z", looks_like_weft),
    Format("parquet", (".parquet", ".pq"), read_parquet, write_parquet, "the same table as Parquet", binary=True),
    Format("pcalg", (), read_pcalg, write_pcalg, "pcalg's matrix of a PAG, as CSV"),
    Format("causal-learn", (), read_causal_learn, write_causal_learn, "causal-learn's matrix, as CSV"),
    Format("dagitty-mag", (), None, write_dagitty_mag, "a structure for dagitty, mag { a -> b }"),
    Format("dowhy", (".gml",), None, write_dowhy, "a structure for DoWhy, as GML with hidden common causes"),
    Format("dot", (".dot", ".gv"), None, write_dot, "Graphviz"),
    Format("graphml", (".graphml",), None, write_graphml, "GraphML"),
    Format("cytoscape", (".cyjs",), None, write_cytoscape, "Cytoscape's JSON"),
)

FORMATS: Mapping[str, Format] = {format.name: format for format in _ALL}
"""Every format by its name."""

READ = tuple(name for name, format in FORMATS.items() if format.read is not None)
WRITTEN = tuple(name for name, format in FORMATS.items() if format.write is not None)
