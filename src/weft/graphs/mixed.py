"""One value for every kind of graph: DAG, ADMG, MAG and PAG.

A *mixed graph* has named vertices and, between two vertices, an edge with a mark at either end: an arrowhead, a tail
or a circle ("could be either"). That covers ``->``, ``<->``, ``--``, ``o->``, ``o-o`` and ``o--``. In an *acyclic
directed mixed graph* (ADMG) a pair may carry ``->`` and ``<->`` at the same time: a cause and a common cause.

Graphs are written as text, ``X -> Y; Y <-> Z; A o-> B; C -- D``; a name alone is a vertex without edges. Names that are
not plain words go in double quotes (:mod:`weft.reading.names`).

Vertices are kept in sorted order, so that two graphs are equal exactly if they have the same vertices and edges.
Inside, a vertex is its index and a set of vertices is the bits of an ``int``: this keeps the algorithms of the
sibling modules short, and fast up to hundreds of variables. See :func:`bits`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from operator import and_
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.errors import GraphError
from weft.reading.arguments import check_argument
from weft.reading.names import Word, too_many, words_in
from weft.reading.names import quote as quote  # graph text spells names so; layers above find it here

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray


class Mark(IntEnum):
    """What stands at one end of an edge; the numbers are pcalg's."""

    NONE = 0
    CIRCLE = 1
    ARROW = 2
    TAIL = 3


_LEFT = {Mark.ARROW: "<", Mark.TAIL: "-", Mark.CIRCLE: "o"}
_RIGHT = {Mark.ARROW: ">", Mark.TAIL: "-", Mark.CIRCLE: "o"}


def _symbol(mark_x: Mark, mark_y: Mark) -> str:
    both_plain = Mark.CIRCLE not in (mark_x, mark_y)
    if both_plain and mark_x == Mark.TAIL:
        return "->" if mark_y == Mark.ARROW else "--"
    if both_plain and mark_y == Mark.TAIL:
        return "<-"
    return f"{_LEFT[mark_x]}-{_RIGHT[mark_y]}"


class Edge(NamedTuple):
    """An edge between ``x`` and ``y`` with the mark at either end.

    >>> print(Edge("X", Mark.CIRCLE, Mark.ARROW, "Y"))
    X o-> Y
    """

    x: str
    mark_x: Mark
    mark_y: Mark
    y: str

    @property
    def symbol(self) -> str:
        """The edge without its names: ``->``, ``<->``, ``o->`` and so on."""
        return _symbol(self.mark_x, self.mark_y)

    def reversed(self) -> Edge:
        """The same edge read from its other end."""
        return Edge(self.y, self.mark_y, self.mark_x, self.x)

    def __str__(self) -> str:
        return f"{quote(self.x)} {self.symbol} {quote(self.y)}"


class SizeError(GraphError):
    """A graph with more vertices than weft takes."""


def _symbols() -> dict[str, tuple[Mark, Mark]]:
    marks = (Mark.CIRCLE, Mark.ARROW, Mark.TAIL)
    table = {_symbol(x, y): (x, y) for x in marks for y in marks}
    long_forms = {"-->": "->", "<--": "<-", "---": "--"}
    return table | {long: table[short] for long, short in long_forms.items()}


NETWORKX_MARKS: Mapping[Mark, str] = {Mark.ARROW: ">", Mark.TAIL: "-", Mark.CIRCLE: "o"}
"""How :meth:`MixedGraph.to_networkx` writes marks."""


class EndpointMatrix(NamedTuple):
    """A graph as another package has it: a square array of marks, and the names of its rows and columns."""

    matrix: NDArray[numpy.int64]
    names: tuple[str, ...]


EDGE_SYMBOLS: Mapping[str, tuple[Mark, Mark]] = _symbols()
"""Each way to write an edge, with the marks at its left and its right end."""

# A bare word may hold an edge that was written without blanks ("X->Y"); circles need the blanks ("foo" is a name).
_EMBEDDED = re.compile(r"(<->|<--|-->|---|<-|->|--)")
_ENDS = (Word(";"), Word("\n"))


def bits(mask: int) -> Iterator[int]:
    """The members of a vertex set that is written as the bits of an ``int``, in increasing order.

    >>> list(bits(0b1010))
    [1, 3]
    """
    while mask:
        low = mask & -mask
        yield low.bit_length() - 1
        mask ^= low


@dataclass(frozen=True)
class MixedGraph:
    """A frozen, hashable graph with arrowheads, tails and circles.

    Make one with :meth:`parse` or :meth:`build`; the constructor takes the normal form and trusts it.

    Parameters
    ----------
    names
        The vertices, sorted.
    marks
        The matrix of marks, row by row: entry (a, b) is the :class:`Mark` at b of the edge between a and b.
    doubled
        The pairs ``(a, b)``, ``a < b``, whose directed edge stands beside a bidirected one.

    Examples
    --------
    >>> graph = MixedGraph.parse("X -> Y; Y <-> Z; W")
    >>> graph.names
    ('W', 'X', 'Y', 'Z')
    >>> print(graph)
    X -> Y; Y <-> Z; W
    >>> graph == MixedGraph.parse("W; Z <-> Y; Y <- X")
    True
    """

    names: tuple[str, ...]
    marks: bytes
    doubled: frozenset[tuple[int, int]] = field(default=frozenset())

    # -- making ------------------------------------------------------------------------------------------------------

    @classmethod
    def parse(cls, text: str) -> MixedGraph:
        """Read ``X -> Y; Y <-> Z; W``. A chain such as ``X -> Y -> Z`` is allowed; odd names go in double quotes."""
        check_argument("a graph's text", text, str, "a text such as 'X -> Y; Y <-> Z'")
        names: list[str] = []
        edges: list[Edge] = []
        for statement in _statements(text):
            chain = _chain(statement)
            names.extend(chain[::2])
            for left, symbol, right in zip(chain[::2], chain[1::2], chain[2::2], strict=False):
                edges.append(Edge(left, *EDGE_SYMBOLS[symbol], right))
        return cls.build(names, edges)

    @classmethod
    def build(cls, names: Iterable[str], edges: Iterable[Edge]) -> MixedGraph:
        """A graph from its vertices (repetitions are allowed) and edges; the edges' ends need not be listed."""
        edges = list(edges)
        ordered = tuple(sorted({*names, *(e.x for e in edges), *(e.y for e in edges)}))
        index = {name: i for i, name in enumerate(ordered)}
        size = len(ordered)
        if refusal := too_many(size):
            raise SizeError(refusal)
        marks = bytearray(size * size)
        doubled: set[tuple[int, int]] = set()
        for edge in edges:
            a, b = index[edge.x], index[edge.y]
            if a == b:
                raise GraphError(f"'{edge}' joins a vertex to itself; leave it out")
            old = (marks[b * size + a], marks[a * size + b])
            new = (edge.mark_x, edge.mark_y)
            if not any(old):
                marks[b * size + a], marks[a * size + b] = new
            elif old != new and not _is_double(old, new):
                first = Edge(edge.x, Mark(old[0]), Mark(old[1]), edge.y)
                raise GraphError(f"'{first}' and '{edge}' cannot stand together; only '->' beside '<->' may")
            elif old != new:
                doubled.add((min(a, b), max(a, b)))
                directed = old if old != (Mark.ARROW, Mark.ARROW) else new
                marks[b * size + a], marks[a * size + b] = directed
        return cls(ordered, bytes(marks), frozenset(doubled))

    # -- reading -----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        lonely = (quote(name) for name, adjacent in zip(self.names, self.adjacencies, strict=True) if not adjacent)
        return "; ".join([*map(str, self.edges()), *lonely])

    def __repr__(self) -> str:
        return f"MixedGraph.parse({str(self)!r})"

    def __hash__(self) -> int:
        return hash((self.marks, self.doubled))

    @property
    def size(self) -> int:
        """The number of vertices."""
        return len(self.names)

    @cached_property
    def _index(self) -> dict[str, int]:
        return {name: i for i, name in enumerate(self.names)}

    def index(self, name: str) -> int:
        """The position of a vertex among :attr:`names`."""
        try:
            return self._index[name]
        except KeyError:
            known = ", ".join(map(quote, self.names)) or "none"
            raise GraphError(f"{name!r} is not a vertex of the graph; it has {known}") from None

    def mask(self, names: Iterable[str]) -> int:
        """A set of vertices as the bits of an ``int``."""
        return sum({1 << self.index(name) for name in names})

    def names_of(self, mask: int) -> tuple[str, ...]:
        """The names of a set of vertices, sorted."""
        return tuple(self.names[i] for i in bits(mask))

    def edges(self) -> tuple[Edge, ...]:
        """Every edge once, in the order of the names; a doubled pair gives its directed edge, then ``<->``.

        A directed edge is read from cause to effect, and one with an arrowhead at one end towards the arrowhead.
        """
        found: list[Edge] = []
        size = self.size
        for a in range(size):
            for b in bits(self.adjacencies[a] >> a + 1 << a + 1):
                edge = Edge(
                    self.names[a], Mark(self.marks[b * size + a]), Mark(self.marks[a * size + b]), self.names[b]
                )
                backwards = edge.mark_x == Mark.ARROW != edge.mark_y
                found.append(edge.reversed() if backwards else edge)
                if (a, b) in self.doubled:
                    found.append(Edge(self.names[a], Mark.ARROW, Mark.ARROW, self.names[b]))
        return tuple(found)

    def mark(self, x: str, y: str) -> Mark:
        """The mark at ``y`` of the edge between ``x`` and ``y`` (of the directed one, if the pair is doubled)."""
        return Mark(self.marks[self.index(x) * self.size + self.index(y)])

    def edge(self, x: str, y: str) -> str | None:
        """The edge between two vertices read from ``x``, as ``->``, ``<-``, ``<->``, ``o->``...; ``None`` if none.

        >>> MixedGraph.parse("X -> Y; X <-> Y; Z").edge("Y", "X")
        '<- & <->'
        """
        a, b = self.index(x), self.index(y)
        if not self.adjacencies[a] >> b & 1:
            return None
        symbol = _symbol(self.mark(y, x), self.mark(x, y))
        return f"{symbol} & <->" if (min(a, b), max(a, b)) in self.doubled else symbol

    @property
    def matrix(self) -> NDArray[numpy.uint8]:
        """The marks as a read-only array; entry (a, b) is the mark at b (pcalg's convention)."""
        import numpy

        return numpy.frombuffer(self.marks, dtype=numpy.uint8).reshape(self.size, self.size)

    # -- for other packages -------------------------------------------------------------------------------------------

    def to_networkx(self) -> Any:
        """A networkx graph whose edges have ``marks``: ``-`` tail, ``>`` arrowhead, ``o`` circle, by vertex.

        It is a ``networkx.Graph``; if some pair has ``->`` and ``<->``, a ``networkx.MultiGraph``. Needs networkx. The
        way back is :func:`weft.formats.from_networkx`.

        >>> MixedGraph.parse("A -> B").to_networkx().edges["A", "B"]
        {'marks': {'A': '-', 'B': '>'}}
        """
        try:
            import networkx
        except ImportError:
            raise GraphError("networkx is not installed; pip install networkx") from None
        graph = networkx.MultiGraph() if self.doubled else networkx.Graph()
        graph.add_nodes_from(self.names)
        for edge in self.edges():
            marks = {edge.x: NETWORKX_MARKS[edge.mark_x], edge.y: NETWORKX_MARKS[edge.mark_y]}
            graph.add_edge(edge.x, edge.y, marks=marks)
        return graph

    def to_pcalg(self) -> EndpointMatrix:
        """The matrix as pcalg has it for PAGs: entry (a, b) is the mark at **b**; 0 none, 1 circle, 2 arrow, 3 tail.

        A pair with ``->`` and ``<->`` does not fit and is refused. The way back is :func:`weft.formats.from_pcalg`.

        >>> MixedGraph.parse("X o-> Y").to_pcalg().matrix.tolist()
        [[0, 2], [1, 0]]
        """
        self._check_single("pcalg's matrix")
        return EndpointMatrix(self.matrix.astype("int64"), self.names)

    def to_causallearn(self) -> EndpointMatrix:
        """The matrix as causal-learn has it: entry (a, b) is the mark at **a**; -1 tail, 0 none, 1 arrow, 2 circle.

        A pair with ``->`` and ``<->`` does not fit and is refused. The way back is
        :func:`weft.formats.from_causallearn`.

        >>> MixedGraph.parse("X -> Y").to_causallearn().matrix.tolist()
        [[0, -1], [1, 0]]
        """
        import numpy

        self._check_single("causal-learn's matrix")
        codes = numpy.array([0, 2, 1, -1])  # of none, circle, arrowhead and tail
        return EndpointMatrix(codes[self.matrix.T], self.names)

    def _check_single(self, what: str) -> None:
        for a, b in sorted(self.doubled):
            pair = f"{self.names[a]!r} and {self.names[b]!r}"
            raise GraphError(f"{pair} are joined by '->' and by '<->'; {what} has one edge for a pair")

    # -- vertex sets by kind of edge, as bits, one per vertex --------------------------------------------------------

    def far(self, mark: Mark) -> tuple[int, ...]:
        """For each vertex v, the w with that mark at w's end of the edge between v and w."""
        size, rows = self.size, self.marks
        return tuple(_read_bits(rows[i : i + size], mark) for i in range(0, size * size, size or 1))

    def near(self, mark: Mark) -> tuple[int, ...]:
        """For each vertex v, the w with that mark at v's end of the edge between v and w."""
        size, rows = self.size, self.marks
        return tuple(_read_bits(rows[v::size], mark) for v in range(size))

    @cached_property
    def _ends(self) -> tuple[tuple[int, ...], ...]:
        """The vertex sets that the kinds of edges are made of: near and far arrowheads, near and far tails."""
        return self.near(Mark.ARROW), self.far(Mark.ARROW), self.near(Mark.TAIL), self.far(Mark.TAIL)

    @cached_property
    def parents(self) -> tuple[int, ...]:
        """For each vertex v, the p with ``p -> v``."""
        return tuple(map(and_, self._ends[0], self._ends[3]))

    @cached_property
    def children(self) -> tuple[int, ...]:
        """For each vertex v, the c with ``v -> c``."""
        return tuple(map(and_, self._ends[2], self._ends[1]))

    @cached_property
    def spouses(self) -> tuple[int, ...]:
        """For each vertex v, the s with ``v <-> s``, doubled pairs included."""
        masks = list(map(and_, self._ends[0], self._ends[1]))
        for a, b in self.doubled:
            masks[a] |= 1 << b
            masks[b] |= 1 << a
        return tuple(masks)

    @cached_property
    def neighbours(self) -> tuple[int, ...]:
        """For each vertex v, the u with ``v -- u``."""
        return tuple(map(and_, self._ends[2], self._ends[3]))

    @cached_property
    def selected(self) -> int:
        """The vertices that have a ``--`` edge."""
        return sum(1 << v for v, neighbours in enumerate(self.neighbours) if neighbours)

    @cached_property
    def adjacencies(self) -> tuple[int, ...]:
        """For each vertex, the vertices that an edge joins it to."""
        size, rows = self.size, self.marks
        return tuple(_read_bits(rows[i : i + size], None) for i in range(0, size * size, size or 1))

    # -- simple kinds ------------------------------------------------------------------------------------------------

    @property
    def has_circles(self) -> bool:
        """Whether some mark is a circle, as in most PAGs."""
        return Mark.CIRCLE in self.marks

    @property
    def has_selection(self) -> bool:
        """Whether some edge is undirected."""
        return bool(self.selected)

    def undoubled(self) -> MixedGraph:
        """The same graph without the ``<->`` that stand beside a directed edge."""
        return MixedGraph(self.names, self.marks) if self.doubled else self


# For each mark, and for None ("any mark"), the byte of each possible mark as the digit 0 or 1.
_DIGITS = {
    wanted: bytes(ord("1") if (mark == wanted if wanted else mark) else ord("0") for mark in range(256))
    for wanted in (None, Mark.CIRCLE, Mark.ARROW, Mark.TAIL)
}


def _read_bits(marks: bytes, wanted: Mark | None) -> int:
    """The places where a wanted mark stands, as bits. Reading binary digits is the fastest way there is."""
    return int(marks[::-1].translate(_DIGITS[wanted]), 2)


def _is_double(one: tuple[int, int], other: tuple[int, int]) -> bool:
    bidirected = (Mark.ARROW, Mark.ARROW)
    directed = {(Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL)}
    return (one == bidirected and other in directed) or (other == bidirected and one in directed)


def _statements(text: str) -> Iterator[list[Word]]:
    """The statements of graph text, each a list of words; edges that were written without blanks are words too."""
    statement: list[Word] = []
    for word in words_in(text, ";\n", lambda flaw: GraphError(f"graph text: {flaw}")):
        if word in _ENDS:
            if statement:
                yield statement
            statement = []
        elif word.quoted or word.text in EDGE_SYMBOLS:
            statement.append(word)
        else:
            statement.extend(Word(part) for part in _EMBEDDED.split(word.text) if part)
    if statement:
        yield statement


def _chain(statement: list[Word]) -> list[str]:
    """Check that words read as name, edge, name, edge, ..., name."""
    for place, word in enumerate(statement):
        is_edge = not word.quoted and word.text in EDGE_SYMBOLS
        if is_edge != (place % 2 == 1):
            wanted = "an edge such as '->'" if place % 2 else "a name"
            raise GraphError(f"graph text: '{_shown(statement)}': expected {wanted} where '{_shown([word])}' stands")
    if len(statement) % 2 == 0:
        raise GraphError(f"graph text: '{_shown(statement)}' ends with an edge; name its second vertex")
    return [word.text for word in statement]


def _shown(statement: list[Word]) -> str:
    return " ".join(quote(word.text) if word.quoted else word.text for word in statement)
