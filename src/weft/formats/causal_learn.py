"""causal-learn's matrix of endpoints (``GeneralGraph.graph``).

Entry (a, b) is the mark at **a**: -1 tail, 0 none, 1 arrowhead, 2 circle. So ``a -> b`` is -1 at (a, b) and 1
at (b, a). As CSV, with names: ``pandas.DataFrame(g.graph, names, names).to_csv()``.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from weft.formats.matrices import Coding, from_matrix, read_matrix, write_matrix
from weft.graphs.mixed import Mark, MixedGraph

CODING = Coding("causal-learn", {-1: Mark.TAIL, 0: Mark.NONE, 1: Mark.ARROW, 2: Mark.CIRCLE}, at_row=True)


def from_causallearn(matrix: Any, names: Iterable[str]) -> MixedGraph:
    """The graph of an array; the inverse of :meth:`~weft.graphs.mixed.MixedGraph.to_causallearn`.

    >>> print(from_causallearn([[0, 2], [1, 0]], ["X", "Y"]))
    X o-> Y
    """
    return from_matrix(matrix, names, CODING)


def read_causal_learn(text: str) -> MixedGraph:
    r"""The graph of a CSV file.

    >>> print(read_causal_learn(",X,Y\nX,0,-1\nY,1,0\n"))
    X -> Y
    """
    return read_matrix(text, CODING)


def write_causal_learn(graph: MixedGraph) -> str:
    """The matrix as CSV."""
    return write_matrix(graph.to_causallearn())
