"""pcalg's matrix of a PAG (``amat.pag``): entry (a, b) is the mark at **b**; 0 none, 1 circle, 2 arrowhead, 3 tail.

From R: ``write.csv(fci.fit@amat, "pag.csv")``. pcalg has another coding for DAGs and CPDAGs (``amat.cpdag``, 0 and 1),
which is not read.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from weft.formats.matrices import Coding, from_matrix, read_matrix, write_matrix
from weft.graphs.mixed import Mark, MixedGraph

CODING = Coding(
    "pcalg", {int(mark): mark for mark in Mark}, at_row=False, hint=" (pcalg's coding of CPDAGs is not read)"
)


def from_pcalg(matrix: Any, names: Iterable[str]) -> MixedGraph:
    """The graph of an array; the inverse of :meth:`~weft.graphs.mixed.MixedGraph.to_pcalg`.

    >>> print(from_pcalg([[0, 2], [1, 0]], ["X", "Y"]))
    X o-> Y
    """
    return from_matrix(matrix, names, CODING)


def read_pcalg(text: str) -> MixedGraph:
    r"""The graph of a CSV file.

    >>> print(read_pcalg('"","X","Y"\n"X",0,2\n"Y",3,0\n'))
    X -> Y
    """
    return read_matrix(text, CODING)


def write_pcalg(graph: MixedGraph) -> str:
    """The matrix as CSV."""
    return write_matrix(graph.to_pcalg())
