"""The structures of an answer, walked once: many graphs over the same variables in little room, class by class.

Counts, shares, suggestions, the result file, pages and figures all read one :class:`Structures`. It is laid out so that
all graphs can be asked at once. A *column* is one bit for each graph: whether something is so in graph 0, 1, 2, ...
Eight of them are a byte, the first in its lowest bit, and a column is filled up to whole words of 32 bits, so that a
page can take it as it is. For every pair (x, y), x before y, there are two columns (three with selection):

====== ============================================
column the edge has
====== ============================================
0      an arrowhead at y
1      an arrowhead at x
2      no arrowhead, and is there: ``--``
====== ============================================

So ``->`` is column 0 alone, ``<-`` column 1 alone, ``<->`` both, and no edge none of them. PAGs are a byte for each
pair: the mark at x times 4, and the mark at y (:class:`~weft.graphs.mixed.Mark`). In files both are compressed (zlib)
and written in base64.
"""

from __future__ import annotations

import base64
import random
import zlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import accumulate, combinations
from operator import or_
from typing import TYPE_CHECKING, Any, overload

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph
from weft.reading.frames import frame_of, html_table
from weft.search.counting import Estimate

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

WORD = 32
"""Bits in a word."""
CHUNK = 1 << 14
"""So many graphs are packed at a time."""
MOST_STRUCTURES, MOST_CELLS = 100_000, 4_000_000
_SHOWN = 20
"""Structures that are printed, or shown in a notebook."""

Slice = int
"""A fact about all structures: bit g says whether it is so in structure g."""


def most_structures(size: int) -> int:
    """How many structures are walked at most unless more are asked for: so many that pages stay small and quick.

    >>> most_structures(6), most_structures(11), most_structures(50)
    (100000, 72727, 3265)
    """
    return min(MOST_STRUCTURES, MOST_CELLS // max(1, size * (size - 1) // 2))


def _fits(symbol: str, plain: str) -> bool:
    """Whether an edge without circles is one that a symbol stands for."""
    pairs = zip(EDGE_SYMBOLS[symbol], EDGE_SYMBOLS[plain], strict=True)
    return all(wanted in (Mark.CIRCLE, mark) for wanted, mark in pairs)


_PLAIN = {symbol: [one for one in ("->", "<-", "<->", "--") if _fits(symbol, one)] for symbol in EDGE_SYMBOLS}
_TURNED = {symbol: Edge("", *marks, "").reversed().symbol for symbol, marks in EDGE_SYMBOLS.items()}


@dataclass(frozen=True)
class Structures:
    """Consistent MAGs, class by class, sparse classes first. Make one with :func:`walked`.

    >>> graphs = [MixedGraph.parse(text) for text in ("X -> Y -> Z", "X -> Y <- Z", "X <- Y <- Z")]
    >>> found = walked(graphs, graphs[0].names)
    >>> found.number, found.class_sizes, *map(str, found.pags)
    (3, (2, 1), 'X o-o Y; Y o-o Z', 'X o-> Y; Z o-> Y')
    >>> found.share(Claim.parse("X causes Z"))
    0.3333333333333333
    >>> for mag in found:
    ...     print(mag)
    Y -> X; Z -> Y
    X -> Y; Y -> Z
    X -> Y; Z -> Y
    """

    names: tuple[str, ...]
    planes: int
    """How many columns a pair has."""
    number: int
    """How many structures there are here."""
    columns: bytes
    class_sizes: tuple[int, ...]
    """The structures stand class by class; so many are in each Markov equivalence class."""
    pag_marks: bytes
    complete: bool
    """Whether these are all."""
    total: int | Estimate | None = None
    """If these are not all: how many there are from which they were drawn fairly; ``None`` if they were not."""
    more_than: int = 0
    """If these are the first of too many to count: there are more than so many, see
    :class:`~weft.search.counting.TooMany`; 0 if that is not known."""
    worth: int | None = None
    """How many independent draws these are worth, if they were met on random walks (:mod:`weft.search.wandering`): from
    some that were drawn fairly, if a total is known; else from the first found."""

    @property
    def fair(self) -> bool:
        """Whether shares are those of all structures, exactly or but for the luck of the draw; or that of the walks."""
        return self.complete or self.total is not None or self.worth is not None

    @property
    def drawn(self) -> str:
        """What these are, where they are a fair sample: "5,000 structures drawn fairly from about 3.1e9 (...)"."""
        whole = f"{self.total:,}" if isinstance(self.total, int) else str(self.total)
        worth = "" if self.worth is None else f", worth about {self.worth:,} independent draws"
        return f"{self.number:,} structures drawn fairly from {whole}{worth}"

    @property
    def draws(self) -> int:
        """How many independent draws these are worth."""
        return self.number if self.worth is None else self.worth

    @property
    def met(self) -> str:
        """What these are, where they were met on random walks."""
        return f"{self.number:,} structures met on random walks, worth about {self.worth:,} independent draws"

    @property
    def basis(self) -> str:
        """What these are, in words.

        >>> walked([MixedGraph.parse("X -> Y")], ("X", "Y")).basis
        'all 1 structures'
        """
        if self.complete:
            return f"all {self.number:,} structures"
        if self.total is not None:
            return self.drawn
        if self.worth is not None:
            return self.met
        return f"the first {self.number:,} structures found, which need not be typical"

    # -- one by one --------------------------------------------------------------------------------------------------

    def __repr__(self) -> str:
        return f"<Structures: {self.number:,}{'' if self.complete else ' of more'}>"

    def __str__(self) -> str:
        more = f"\nand {self.number - _SHOWN:,} more" if self.number > _SHOWN else ""
        return "\n".join(map(str, self[:_SHOWN])) + more

    def _repr_html_(self) -> str:
        more = f"<p>and {self.number - _SHOWN:,} more</p>" if self.number > _SHOWN else ""
        return html_table(enumerate(map(str, self[:_SHOWN]), 1), ("", f"structure ({self.basis})")) + more

    def to_frame(self) -> Any:
        """A data frame, a row for each structure: its edges, and the number of its equivalence class."""
        rows = (
            {"structure": str(self[place]), "class": number}
            for number, (_, places) in enumerate(self.classes, 1)
            for place in places
        )
        return frame_of(rows, ("structure", "class"))

    def __len__(self) -> int:
        return self.number

    def __iter__(self) -> Iterator[MixedGraph]:
        for start in range(0, self.number, CHUNK):
            marks = self._marks(range(start, min(start + CHUNK, self.number)))
            yield from (MixedGraph(self.names, row.tobytes()) for row in marks)

    @overload
    def __getitem__(self, place: int) -> MixedGraph: ...
    @overload
    def __getitem__(self, place: slice) -> list[MixedGraph]: ...
    def __getitem__(self, place: int | slice) -> MixedGraph | list[MixedGraph]:
        if isinstance(place, slice):
            return [self[one] for one in range(self.number)[place]]
        return MixedGraph(self.names, self._marks([range(self.number)[place]])[0].tobytes())

    @property
    def pags(self) -> tuple[MixedGraph, ...]:
        """The PAG of each class."""
        return tuple(map(self._pag, range(len(self.class_sizes))))

    @property
    def classes(self) -> Iterator[tuple[MixedGraph, range]]:
        """Each class: its PAG, and the places of its structures."""
        ends = accumulate(self.class_sizes)
        for number, (end, size) in enumerate(zip(ends, self.class_sizes, strict=True)):
            yield self._pag(number), range(end - size, end)

    def _pag(self, number: int) -> MixedGraph:
        size, pairs = len(self.names), self._pairs
        marks = bytearray(size * size)
        for byte, (x, y) in zip(self.pag_marks[number * len(pairs) :], pairs, strict=False):
            marks[y * size + x], marks[x * size + y] = byte >> 2, byte & 3
        return MixedGraph(self.names, bytes(marks))

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple(combinations(range(len(self.names)), 2))

    def _marks(self, places: Sequence[int]) -> NDArray[np.uint8]:
        """The mark matrices of some structures, a row each."""
        import numpy

        size = len(self.names)
        found = numpy.zeros((len(places), size * size), dtype=numpy.uint8)
        if not self._pairs or not len(places):
            return found
        chosen = numpy.asarray(places)
        packed = numpy.frombuffer(self.columns, dtype=numpy.uint8).reshape(len(self._pairs), self.planes, -1)
        flags = (packed[:, :, chosen // 8] >> (chosen % 8).astype(numpy.uint8) & 1).astype(bool)
        for (x, y), own in zip(self._pairs, flags, strict=True):
            there = own.any(axis=0)
            found[there, x * size + y] = numpy.where(own[0], Mark.ARROW, Mark.TAIL)[there]
            found[there, y * size + x] = numpy.where(own[1], Mark.ARROW, Mark.TAIL)[there]
        return found

    def taken(self, places: Sequence[int]) -> Structures:
        """Some of the structures, by their places in increasing order; then these are not all."""
        import numpy

        chosen = numpy.asarray(places, dtype=numpy.int64)
        columns = [_column(self._flags(column)[chosen]) for column in range(len(self._pairs) * self.planes)]
        ends = [0, *accumulate(self.class_sizes)]
        sizes = numpy.diff(numpy.searchsorted(chosen, ends))
        kept = [number for number, size in enumerate(sizes) if size]
        width = len(self._pairs)
        pag_marks = b"".join(self.pag_marks[number * width : (number + 1) * width] for number in kept)
        class_sizes = tuple(int(sizes[number]) for number in kept)
        complete = self.complete and len(chosen) == self.number
        return Structures(
            self.names, self.planes, len(chosen), b"".join(columns), class_sizes, pag_marks, complete, self.total,
            self.more_than, self.worth,
        )  # fmt: skip

    def sampled(self, most: int, seed: int) -> Structures:
        """At most so many of the structures, drawn so that each set of so many is equally likely."""
        if self.number <= most:
            return self
        return self.taken(sorted(random.Random(seed).sample(range(self.number), most)))

    # -- all at once -------------------------------------------------------------------------------------------------

    @cached_property
    def everywhere(self) -> Slice:
        """The slice of what is so in every structure."""
        return (1 << self.number) - 1

    def _bytes(self, column: int) -> bytes:
        length = _words(self.number) * WORD // 8
        return self.columns[column * length : (column + 1) * length]

    def _flags(self, column: int) -> NDArray[np.bool_]:
        import numpy

        packed = numpy.frombuffer(self._bytes(column), dtype=numpy.uint8)
        return numpy.unpackbits(packed, count=self.number, bitorder="little").astype(bool)

    @cached_property
    def _slices(self) -> list[Slice]:
        return [int.from_bytes(self._bytes(column), "little") for column in range(len(self._pairs) * self.planes)]

    def edge(self, x: int, symbol: str, y: int) -> Slice:
        """Where two vertices have an edge such as ``->``; a circle stands for any mark, so ``o-o`` for any edge."""
        if x > y:
            x, y, symbol = y, x, _TURNED[symbol]
        size = len(self.names)
        first = (x * (2 * size - x - 1) // 2 + y - x - 1) * self.planes
        at_y, at_x = self._slices[first], self._slices[first + 1]
        undirected = self._slices[first + 2] if self.planes == 3 else 0
        edges = {"->": at_y & ~at_x, "<-": at_x & ~at_y, "<->": at_x & at_y, "--": undirected}
        return reduce(or_, (edges[plain] for plain in _PLAIN[symbol]))

    @cached_property
    def ancestors(self) -> tuple[tuple[Slice, ...], ...]:
        """For each vertex v and each w: where w is an ancestor of v, or v itself (Warshall's algorithm)."""
        size = len(self.names)
        above = [[self.everywhere if v == w else self.edge(w, "->", v) for w in range(size)] for v in range(size)]
        for middle in range(size):
            for v in range(size):
                if through := above[v][middle]:
                    above[v] = [old | new & through for old, new in zip(above[v], above[middle], strict=True)]
        return tuple(map(tuple, above))

    def where(self, claim: Claim) -> Slice:
        """Where a claim holds; not for claims of confounding, which a structure does not settle."""
        if claim.topic is Topic.CONFOUNDED:
            raise ProblemError(f"'{claim}': a structure alone does not say so")
        x, y = self.names.index(claim.x), self.names.index(claim.y)
        found = self.ancestors[y][x] if claim.topic is Topic.CAUSES else self.edge(x, claim.symbol, y)
        return found if claim.holds else self.everywhere & ~found

    def share(self, claim: Claim) -> float:
        """In which share of the structures a claim holds."""
        return self.where(claim).bit_count() / self.number

    # -- as plain values ---------------------------------------------------------------------------------------------

    def document(self) -> dict[str, Any]:
        """What files and pages hold of it."""
        return {
            "mags": self.number,
            "pags": len(self.class_sizes),
            "complete": self.complete,
            "fair": self.fair,
            "drawn_from": total_document(self.total),
            "more_than": self.more_than or None,
            "worth": self.worth,
            "planes": self.planes,
            "columns": text_of(self.columns),
            "class_sizes": list(self.class_sizes),
            "pag_marks": text_of(self.pag_marks),
        }

    @classmethod
    def read(cls, names: tuple[str, ...], document: Mapping[str, Any]) -> Structures:
        """The inverse of :meth:`document`."""
        return cls(
            names,
            document["planes"],
            document["mags"],
            bytes_of(document["columns"]),
            tuple(document["class_sizes"]),
            bytes_of(document["pag_marks"]),
            document["complete"],
            read_total(document.get("drawn_from")),
            document.get("more_than") or 0,
            document.get("worth"),
        )


def total_document(total: int | Estimate | None) -> dict[str, Any] | None:
    """How many structures a fair sample was drawn from, as plain values."""
    if total is None:
        return None
    if isinstance(total, int):
        return {"mags": total, "exact": True}
    walks = {"walks": total.walks} if total.walks else {}
    guarantee = {"factor": total.factor, "probability": total.probability, **walks, "text": str(total)}
    return {"mags": total.value, "exact": False, **guarantee}


def read_total(document: Mapping[str, Any] | None) -> int | Estimate | None:
    """The inverse of :func:`total_document`."""
    if document is None:
        return None
    if document["exact"]:
        return int(document["mags"])
    return Estimate(document["mags"], document["factor"], document["probability"], document.get("walks") or 0)


# -- making them -------------------------------------------------------------------------------------------------------


def walked(
    graphs: Iterable[MixedGraph],
    names: tuple[str, ...],
    *,
    selection: bool = False,
    complete: bool = True,
    classes: MagClasses | None = None,
) -> Structures:
    """Go over graphs once and keep them, packed and sorted by class; the solver finds them in any order.

    Parameters
    ----------
    graphs, names
        MAGs, and their variables.
    selection
        Whether they may have ``--`` edges.
    complete
        Whether these are all. If ``graphs`` has an attribute ``complete``, it says so once it has come to its end.
    classes
        The equivalence classes met before: what is known of them need not be worked out again.
    """
    import numpy

    planes = 3 if selection else 2
    classes = MagClasses() if classes is None else classes
    rows: list[NDArray[np.uint8]] = []
    numbers: list[int] = []
    waiting: list[bytes] = []
    for graph in graphs:
        numbers.append(classes.add(graph))
        waiting.append(graph.marks)
        if len(waiting) == CHUNK:
            rows.append(_packed(waiting, len(names), planes))
            waiting.clear()
    rows.append(_packed(waiting, len(names), planes))
    table, own = numpy.concatenate(rows), numpy.asarray(numbers, dtype=numpy.int64)
    # Readers get one order, whatever the solver's: sparse classes first.
    met = sorted(set(numbers), key=lambda number: _sparse_first(classes.pag(number)))
    rank = numpy.zeros(len(classes) or 1, dtype=numpy.int64)
    rank[met] = numpy.arange(len(met))
    order = numpy.lexsort((*table.T[::-1], rank[own])) if len(own) else own
    table, sizes = table[order], numpy.bincount(rank[own], minlength=len(met)) if len(own) else ()
    pag_marks = b"".join(_pag_bytes(classes.pag(number)) for number in met)
    complete = getattr(graphs, "complete", complete)
    columns = _columns(table, len(names) * (len(names) - 1) // 2 * planes)
    return Structures(names, planes, len(own), columns, tuple(map(int, sizes)), pag_marks, bool(complete))


def _sparse_first(pag: MixedGraph) -> tuple[int, bytes]:
    return len(pag.marks) - pag.marks.count(Mark.NONE), pag.marks


def _packed(marks: Sequence[bytes], size: int, planes: int) -> NDArray[np.uint8]:
    """Graphs as rows of bits, for each pair its planes; the first bit is the highest of its byte."""
    import numpy

    matrices = numpy.frombuffer(b"".join(marks), dtype=numpy.uint8).reshape(len(marks), size, size)
    xs, ys = numpy.triu_indices(size, 1)
    at_y, at_x = matrices[:, xs, ys], matrices[:, ys, xs]
    undirected = (at_y == Mark.TAIL) & (at_x == Mark.TAIL)
    flags = numpy.stack([at_y == Mark.ARROW, at_x == Mark.ARROW, undirected][:planes], axis=2)
    packed: NDArray[np.uint8] = numpy.packbits(flags.reshape(len(marks), len(xs) * planes), axis=1)
    return packed


def _columns(rows: NDArray[np.uint8], number: int) -> bytes:
    """The columns of rows of bits."""
    return b"".join(_column((rows[:, place // 8] >> 7 - place % 8 & 1).astype(bool)) for place in range(number))


def _column(flags: NDArray[np.bool_]) -> bytes:
    """A column from what is so in each graph.

    >>> import numpy
    >>> _column(numpy.array([True, False, True])).hex()
    '05000000'
    """
    import numpy

    packed = numpy.packbits(flags, bitorder="little").tobytes()
    return packed.ljust(_words(len(flags)) * WORD // 8, b"\0")


def _words(number: int) -> int:
    """How many words a column of so many bits takes."""
    return (number + WORD - 1) // WORD


def _pag_bytes(pag: MixedGraph) -> bytes:
    """A byte for each pair."""
    size, marks = pag.size, pag.marks
    return bytes(marks[y * size + x] << 2 | marks[x * size + y] for x, y in combinations(range(size), 2))


def text_of(content: bytes) -> str:
    """Bytes as compressed base64.

    >>> len(text_of(bytes(10_000))) < 100
    True
    """
    return base64.b64encode(zlib.compress(content, 9)).decode("ascii")


def bytes_of(text: str) -> bytes:
    """The inverse of :func:`text_of`."""
    return zlib.decompress(base64.b64decode(text))


def column_text(where: Slice, number: int) -> str:
    """A slice as a column in a file."""
    return text_of(where.to_bytes(_words(number) * WORD // 8, "little"))
