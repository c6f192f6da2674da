"""Many graphs over the same variables in little room, laid out so that a page can filter them at once.

A *column* is one bit for each graph: whether something is so in graph 0, 1, 2, ... Eight of them are a byte, the first
in its lowest bit, and a column is filled up to whole words of 32 bits, so that a page can take it as it is. For every
pair (x, y), x before y, there are two columns (three with selection):

====== ============================================
column the edge has
====== ============================================
0      an arrowhead at y
1      an arrowhead at x
2      no arrowhead, and is there: ``--``
====== ============================================

So ``->`` is column 0 alone, ``<-`` column 1 alone, ``<->`` both, and no edge none of them. PAGs are a byte for each
pair: the mark at x times 4, and the mark at y (:class:`~weft.graphs.mixed.Mark`). All of it is then compressed (zlib)
and written in base64.
"""

from __future__ import annotations

import base64
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

from weft.graphs.mixed import Mark, MixedGraph

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD = 4
"""Bytes in a word."""


def text_of(content: bytes) -> str:
    """Bytes as compressed base64.

    >>> len(text_of(bytes(10_000))) < 100
    True
    """
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def bytes_of(text: str) -> bytes:
    """The inverse of :func:`text_of`."""
    return zlib.decompress(base64.b64decode(text))


def column(flags: NDArray[np.bool_]) -> bytes:
    """A column from what is so in each graph.

    >>> import numpy
    >>> column(numpy.array([True, False, True])).hex()
    '05000000'
    """
    import numpy

    packed = numpy.packbits(flags, bitorder="little").tobytes()
    return packed + bytes(-len(packed) % WORD)


def flags_of(content: bytes, number: int) -> NDArray[np.bool_]:
    """The inverse of :func:`column`, for so many graphs."""
    import numpy

    return numpy.unpackbits(numpy.frombuffer(content, dtype=numpy.uint8), count=number, bitorder="little").astype(bool)


@dataclass(frozen=True)
class PairFlags:
    """For one pair (x, y), in which graphs the edge has an arrowhead at y, at x, or is ``--``."""

    at_y: NDArray[np.bool_]
    at_x: NDArray[np.bool_]
    undirected: NDArray[np.bool_]

    def counts(self) -> dict[str, int]:
        """How many graphs have each edge, read from x (``""``: none)."""
        both, either = self.at_y & self.at_x, self.at_y | self.at_x
        counts = {
            "->": int((self.at_y & ~self.at_x).sum()),
            "<-": int((self.at_x & ~self.at_y).sum()),
            "<->": int(both.sum()),
            "--": int(self.undirected.sum()),
        }
        return counts | {"": len(either) - sum(counts.values())}


class MarkTable:
    """The marks of many graphs over the same variables, as one array."""

    def __init__(self, names: Sequence[str], marks: Sequence[bytes]) -> None:
        import numpy

        self.size, self.number = len(names), len(marks)
        self._marks = numpy.frombuffer(b"".join(marks), dtype=numpy.uint8).reshape(self.number, self.size, self.size)

    def pair(self, x: int, y: int) -> PairFlags:
        """Two vertices in all graphs."""
        at_y, at_x = self._marks[:, x, y], self._marks[:, y, x]
        return PairFlags(at_y == Mark.ARROW, at_x == Mark.ARROW, (at_y == Mark.TAIL) & (at_x == Mark.TAIL))

    def causes(self) -> NDArray[np.int64]:
        """In how many graphs vertex a is an ancestor of vertex b, as entry (a, b)."""
        import numpy

        above = (self._marks == Mark.ARROW) & (self._marks.transpose(0, 2, 1) == Mark.TAIL)
        for middle in range(self.size):
            above |= above[:, :, middle, None] & above[:, None, middle, :]
        counts: NDArray[np.int64] = above.sum(axis=0, dtype=numpy.int64)
        return counts

    def columns(self, planes: int) -> bytes:
        """Every pair's columns, one after the other."""
        parts: list[bytes] = []
        for x, y in combinations(range(self.size), 2):
            pair = self.pair(x, y)
            parts += [column(flags) for flags in (pair.at_y, pair.at_x, pair.undirected)[:planes]]
        return b"".join(parts)


def pack_pags(pags: Iterable[MixedGraph]) -> bytes:
    """A byte for each pair of each PAG."""
    content = bytearray()
    for pag in pags:
        size, marks = pag.size, pag.marks
        content += bytes(marks[y * size + x] << 2 | marks[x * size + y] for x, y in combinations(range(size), 2))
    return bytes(content)


# -- and back ----------------------------------------------------------------------------------------------------------


def unpack_mag(names: Sequence[str], content: bytes, planes: int, number: int) -> MixedGraph:
    """One of the graphs that :meth:`MarkTable.columns` packed, by its number.

    >>> graph = MixedGraph.parse("X -> Y; Y <-> Z")
    >>> print(unpack_mag(graph.names, MarkTable(graph.names, [graph.marks]).columns(2), 2, 0))
    X -> Y; Y <-> Z
    """
    size = len(names)
    marks = bytearray(size * size)
    length = len(content) // max(1, planes * (size * (size - 1) // 2))
    for place, (x, y) in enumerate(combinations(range(size), 2)):
        at = [content[(place * planes + plane) * length + number // 8] >> number % 8 & 1 for plane in range(planes)]
        if any(at):
            marks[x * size + y] = Mark.ARROW if at[0] else Mark.TAIL
            marks[y * size + x] = Mark.ARROW if at[1] else Mark.TAIL
    return MixedGraph(tuple(names), bytes(marks))


def unpack_pag(names: Sequence[str], content: bytes, number: int) -> MixedGraph:
    """One of the graphs that :func:`pack_pags` packed, by its number.

    >>> pag = MixedGraph.parse("X o-> Y; Y <-> Z")
    >>> print(unpack_pag(pag.names, pack_pags([pag]), 0))
    X o-> Y; Y <-> Z
    """
    size = len(names)
    marks = bytearray(size * size)
    own = content[number * (size * (size - 1) // 2) :]
    for byte, (x, y) in zip(own, combinations(range(size), 2), strict=False):
        marks[y * size + x], marks[x * size + y] = byte >> 2, byte & 3
    return MixedGraph(tuple(names), bytes(marks))
