"""A table of edges: the columns ``from``, ``edge`` and ``to``, one row an edge, as CSV or Parquet.

::

    from,edge,to
    X,-->,Y
    X,<->,Y
    Z,,

An edge is ``-->``, ``<->``, ``---``, ``o->``, ``o-o`` or ``--o``, also turned round or in weft's short form. A row with
neither edge nor ``to`` is a vertex that may have no edge. Other columns are ignored. A name cannot be empty.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from typing import Any

from weft.errors import Argument, GraphError
from weft.formats.csv_text import record, records
from weft.formats.located import build
from weft.formats.names import refuse_names
from weft.formats.tetrad import long_symbol
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph

COLUMNS = ("from", "edge", "to")
_EMPTY = re.compile(r"^\Z")

Row = tuple[str, str, str, str]
"""Where a row stands, and its three cells."""


def looks_like_edge_table(text: str) -> bool:
    """Whether the first line has the three columns."""
    header = text.lstrip().partition("\n")[0].lower()
    return {*COLUMNS} <= {cell.strip(' "\r') for cell in re.split("[,;\t]", header)}


# -- CSV -------------------------------------------------------------------------------------------------------------


def read_edges(text: str) -> MixedGraph:
    r"""The graph of a CSV file.

    >>> print(read_edges("from,edge,to\nX,o->,Y\nZ,,\n"))
    X o-> Y; Z
    """
    found = records(text)
    if not found:
        raise GraphError("the file is empty; a table of edges has the columns 'from', 'edge' and 'to'")
    place, header = found[0]
    names = [cell.strip().lower() for cell in header]
    if any(names.count(column) != 1 for column in COLUMNS):
        raise GraphError(
            f"{place}: expected a header with the columns 'from', 'edge' and 'to', found {header!r}; if this is a "
            "matrix, which is never guessed, say ",
            Argument("format", "pcalg"),
            " or ",
            Argument("format", "causal-learn"),
        )
    positions = [names.index(column) for column in COLUMNS]
    return _graph(_row(place, cells, positions) for place, cells in found[1:])


def _row(place: str, cells: list[str], positions: list[int]) -> Row:
    if len(cells) <= max(positions):
        raise GraphError(f"{place}: expected a name, an edge and a name, found {cells!r}")
    x, symbol, y = (cells[position] for position in positions)
    return place, x, symbol.strip(), y


def write_edges(graph: MixedGraph) -> str:
    """The graph as CSV."""
    return record(COLUMNS) + "".join(map(record, _rows(graph)))


# -- Parquet ---------------------------------------------------------------------------------------------------------


def read_parquet(content: bytes) -> MixedGraph:
    """The graph of a Parquet file; needs pyarrow."""
    pyarrow, parquet = _pyarrow()
    try:
        table = parquet.ParquetFile(io.BytesIO(content)).read()
        columns = [table.column(name).to_pylist() for name in COLUMNS]
    except KeyError:
        raise GraphError(
            f"expected the columns 'from', 'edge' and 'to', found {', '.join(table.column_names)}"
        ) from None
    except (pyarrow.ArrowException, OSError, ValueError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise GraphError(f"this is not a whole Parquet file ({reason}); save it again") from None
    texts = ([str(cell or "") for cell in column] for column in columns)
    return _graph((f"row {number}", *cells) for number, cells in enumerate(zip(*texts, strict=True), 1))


def write_parquet(graph: MixedGraph) -> bytes:
    """The graph as a Parquet file; needs pyarrow."""
    pyarrow, parquet = _pyarrow()
    rows = list(_rows(graph))
    columns = {name: pyarrow.array([row[i] for row in rows], pyarrow.string()) for i, name in enumerate(COLUMNS)}
    target = io.BytesIO()
    parquet.write_table(pyarrow.table(columns), target)
    return target.getvalue()


def _pyarrow() -> tuple[Any, Any]:
    try:
        return import_module("pyarrow"), import_module("pyarrow.parquet")
    except ImportError:
        raise GraphError(
            "pyarrow, which Parquet needs, is not installed; pip install 'weft[parquet]', or use CSV"
        ) from None


# -- both ------------------------------------------------------------------------------------------------------------


def _graph(rows: Iterable[Row]) -> MixedGraph:
    names: list[str] = []
    edges: list[tuple[str, Edge]] = []
    for place, x, symbol, y in rows:
        if x and not symbol and not y:
            names.append(x)
        elif x and symbol in EDGE_SYMBOLS and y:
            edges.append((place, Edge(x, *EDGE_SYMBOLS[symbol], y)))
        elif x and y:
            raise GraphError(f"{place}: {symbol!r} is not an edge; write one such as '-->', '<->' or 'o->'")
        elif x or symbol or y:
            raise GraphError(f"{place}: a name is empty; write a name, an edge and a name, or one name alone")
    return build(names, edges)


def _rows(graph: MixedGraph) -> Iterator[tuple[str, str | None, str | None]]:
    refuse_names(graph, _EMPTY, "a table of edges", "a name there is not empty")
    for edge in graph.edges():
        yield edge.x, long_symbol(edge), edge.y
    for name, adjacent in zip(graph.names, graph.adjacencies, strict=True):
        if not adjacent:
            yield name, None, None
