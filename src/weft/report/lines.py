"""What is drawn between the vertices: lines with a mark at either end, from a view or from one graph.

The same choices as on the page (``web/src/parts/union.ts``): one line for each pair that may have an edge; a mark on
which the structures differ is a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph
from weft.report.layering import Tie
from weft.report.view import EDGES, PairView, View

_NOT_COUNTED = 0.3
"""How wide a possible line is drawn if no structure was visited."""


@dataclass(frozen=True)
class Line:
    """A line between the vertices x and y.

    Parameters
    ----------
    x, y
        The vertices; the line is read towards its arrowhead.
    mark_x, mark_y
        What stands at either end.
    share
        The share of the structures that have an edge there: how wide it is drawn.
    certain
        Whether it is in all structures.
    second
        Whether it is the ``<->`` beside a directed edge.
    """

    x: int
    y: int
    mark_x: Mark
    mark_y: Mark
    share: float = 1.0
    certain: bool = True
    second: bool = False

    @property
    def bidirected(self) -> bool:
        """Whether it has an arrowhead at both ends."""
        return self.mark_x == self.mark_y == Mark.ARROW

    @property
    def pair(self) -> tuple[int, int]:
        """The two vertices, the smaller first."""
        return min(self.x, self.y), max(self.x, self.y)


def _oriented(x: int, mark_x: Mark, mark_y: Mark, y: int, share: float, certain: bool) -> Line:
    if mark_x == Mark.ARROW != mark_y:
        return Line(y, x, mark_y, mark_x, share, certain)
    return Line(x, y, mark_x, mark_y, share, certain)


# -- the union ---------------------------------------------------------------------------------------------------------


def union_lines(view: View) -> tuple[Line, ...]:
    """One line for each pair that has an edge in some structure.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> for line in union_lines(view_of(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), patience=0)):
    ...     print(line.x, line.mark_x.name, line.mark_y.name, line.y, line.share, line.certain)
    1 TAIL ARROW 0 1.0 True
    0 ARROW ARROW 2 0.5 False
    1 ARROW ARROW 2 1.0 True
    """
    if view.consistent is False:
        return ()
    return tuple(line for pair in view.pairs for line in _merged(pair))


def _merged(pair: PairView) -> Iterator[Line]:
    possible = [EDGE_SYMBOLS[symbol] for symbol in EDGES if _may_be(pair, symbol)]
    if possible and pair.edges.get("") != "all":
        certain = pair.edges.get("") == "none"
        share = 1.0 if certain else _NOT_COUNTED if pair.share is None else 1 - pair.share[""]
        marks = [first if len({first, *others}) == 1 else Mark.CIRCLE for first, *others in zip(*possible, strict=True)]
        yield _oriented(pair.x, marks[0], marks[1], pair.y, share, certain)


def _may_be(pair: PairView, symbol: str) -> bool:
    holds = pair.edges.get(symbol, "none")
    if holds == "unknown":
        return pair.share is None or pair.share[symbol] > 0
    return holds != "none"


def union_ties(view: View, lines: Sequence[Line]) -> tuple[Tie, ...]:
    """What these lines of a view say about who stands above whom.

    A direction counts if most of the structures with an edge have it, and the pair is among the ``max(12, 2n)`` of n
    variables whose direction is the most frequent: with all of them, each layer would hold one vertex.
    """
    pairs = {(pair.x, pair.y): pair for pair in view.pairs}
    leaning = {line.pair: _leaning(pairs[line.pair], line) for line in lines}
    counted = sorted((pair for pair in leaning if leaning[pair]), key=lambda pair: (-abs(leaning[pair]), pair))
    counting = set(counted[: max(12, 2 * len(view.variables))])
    return tuple(
        Tie(
            *(line.pair if leaning[line.pair] >= 0 else line.pair[::-1]),
            weight=0.1 + line.share,
            directed=line.pair in counting,
        )
        for line in lines
    )


def _leaning(pair: PairView, line: Line) -> float:
    """The share of the direction that most edges of the pair have, negative if it goes from y to x; 0 if none is."""
    if (line.mark_x, line.mark_y) == EDGE_SYMBOLS["->"] or pair.share is None:
        known = (line.mark_x, line.mark_y) == EDGE_SYMBOLS["->"]
        return 0.0 if not known else line.share if line.x == pair.x else -line.share
    forth, back = pair.share["->"], pair.share["<-"]
    if max(forth, back) <= (1 - pair.share[""]) / 2:
        return 0.0
    return forth if forth > back else -back


# -- one graph ---------------------------------------------------------------------------------------------------------


def graph_lines(graph: MixedGraph, view: View | None = None) -> tuple[Line, ...]:
    """The edges of one graph; with a view, the certain ones are those that all structures have.

    In a PAG a circle leaves open what the edge is; there, an edge is certain if all structures have some edge between
    the two.

    >>> [(line.x, line.y, line.second) for line in graph_lines(MixedGraph.parse("B -> A; A <-> B; C o-> A"))]
    [(1, 0, False), (0, 1, True), (2, 0, False)]
    """
    pairs = {} if view is None else {(pair.x, pair.y): pair for pair in view.pairs}
    is_pag = Mark.CIRCLE in graph.marks
    found: list[Line] = []
    for edge in graph.edges():
        x, y = graph.index(edge.x), graph.index(edge.y)
        second = (min(x, y), max(x, y)) in graph.doubled and edge.symbol == "<->"
        certain = not pairs or _is_certain(
            pairs[min(x, y), max(x, y)], edge.symbol if x < y else edge.reversed().symbol, is_pag
        )
        found.append(Line(x, y, edge.mark_x, edge.mark_y, 1.0, certain, second))
    return tuple(found)


def _is_certain(pair: PairView, symbol: str, is_pag: bool) -> bool:
    return pair.edges.get("") == "none" if is_pag else pair.edges.get(symbol) == "all"


def graph_ties(lines: Sequence[Line]) -> tuple[Tie, ...]:
    """What the lines of one graph say about who stands above whom."""
    return tuple(
        Tie(line.x, line.y, directed=line.mark_y == Mark.ARROW != line.mark_x) for line in lines if not line.second
    )
