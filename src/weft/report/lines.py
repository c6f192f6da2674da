"""What is drawn between the vertices: lines with a mark at either end, from a view or from one graph.

The same choices as on the page (``web/src/parts/union.ts``): one line for each pair that may have an edge; a mark on
which the structures differ is a circle.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph
from weft.report.layering import Tie
from weft.search.consequences import Holds
from weft.solutions.findings import Finding

if TYPE_CHECKING:
    from weft.report.view import View

EDGES = ("->", "<-", "<->", "--")
_NOT_COUNTED = 0.3
"""How wide a possible line is drawn if no structure was gone over."""
_CROWDED, _LINES_A_VARIABLE = 60, 2
"""If there are more lines than that, and than so many for each variable, the rarest are left out."""


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
        The share of the structures that have an edge there: how dark it is drawn.
    certain
        Whether it is in all structures.
    second
        Whether it is the ``<->`` beside a directed edge.
    confidence
        How sure it is that there is an edge: how wide it is drawn. ``None`` if that is not known: then by the share.
    """

    x: int
    y: int
    mark_x: Mark
    mark_y: Mark
    share: float = 1.0
    certain: bool = True
    second: bool = False
    confidence: float | None = None

    @property
    def sure(self) -> float:
        """From 0, as likely as not, to 1, certain: how wide it is drawn."""
        return self.share if self.confidence is None else max(0.0, 2 * self.confidence - 1)

    @property
    def bidirected(self) -> bool:
        """Whether it has an arrowhead at both ends."""
        return self.mark_x == self.mark_y == Mark.ARROW

    @property
    def pair(self) -> tuple[int, int]:
        """The two vertices, the smaller first."""
        return min(self.x, self.y), max(self.x, self.y)


def _oriented(line: Line) -> Line:
    """Read towards its arrowhead."""
    if line.mark_x == Mark.ARROW != line.mark_y:
        return replace(line, x=line.y, y=line.x, mark_x=line.mark_y, mark_y=line.mark_x)
    return line


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
    return tuple(line for pair in view.summary.pairs for line in _merged(view, *pair))


def _merged(view: View, x: str, y: str) -> Iterator[Line]:
    adjacent = view.summary.finding(Claim(Topic.EDGE, x, y))
    possible = [EDGE_SYMBOLS[symbol] for symbol in EDGES if _may_be(_edge(view, x, symbol, y))]
    if possible and adjacent.holds is not Holds.NONE:
        certain = adjacent.holds is Holds.ALL
        share = 1.0 if certain else _NOT_COUNTED if adjacent.share is None else adjacent.share
        marks = [first if len({first, *others}) == 1 else Mark.CIRCLE for first, *others in zip(*possible, strict=True)]
        ends = (view.variables.index(x), view.variables.index(y), marks[0], marks[1])
        yield _oriented(Line(*ends, share, certain, confidence=adjacent.confidence))


def _edge(view: View, x: str, symbol: str, y: str) -> Finding:
    return view.summary.finding(Claim(Topic.EDGE, x, y, symbol=symbol))


def _may_be(edge: Finding) -> bool:
    if edge.holds is Holds.UNKNOWN:
        return edge.share is None or edge.share > 0
    return edge.holds is not Holds.NONE


def most_frequent(lines: Sequence[Line], variables: int) -> tuple[Line, ...]:
    """The certain lines, and so many others that a figure can show; those with the same share stay or go together."""
    most = max(_CROWDED, _LINES_A_VARIABLE * variables)
    if len(lines) <= most:
        return tuple(lines)
    limit = sorted((line.share for line in lines), reverse=True)[most]
    return tuple(line for line in lines if line.certain or line.share > limit)


def not_apart(view: View) -> Iterator[tuple[int, int]]:
    """The pairs that may have an edge, as far as is known."""
    if view.consistent is not False:
        for x, y in view.summary.pairs:
            if view.summary.holds(Claim(Topic.EDGE, x, y)) is not Holds.NONE:
                yield view.variables.index(x), view.variables.index(y)


def union_ties(view: View, lines: Sequence[Line]) -> tuple[Tie, ...]:
    """What these lines of a view say about who stands above whom.

    A direction counts if most of the structures with an edge have it, and the pair is among the ``max(12, 2n)`` of n
    variables whose direction is the most frequent: with all of them, each layer would hold one vertex.
    """
    leaning = {line.pair: _leaning(view, line) for line in lines}
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


def _leaning(view: View, line: Line) -> float:
    """The share of the direction that most edges of the pair have, negative if it goes from y to x; 0 if none is."""
    first, second = (view.variables[v] for v in line.pair)
    forth, back = (_edge(view, first, symbol, second).share for symbol in ("->", "<-"))
    known = (line.mark_x, line.mark_y) == EDGE_SYMBOLS["->"]
    if known or forth is None or back is None:
        return 0.0 if not known else line.share if line.x < line.y else -line.share
    if max(forth, back) <= (view.summary.finding(Claim(Topic.EDGE, first, second)).share or 0.0) / 2:
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
    is_pag = Mark.CIRCLE in graph.marks
    found: list[Line] = []
    for edge in graph.edges():
        x, y = graph.index(edge.x), graph.index(edge.y)
        second = (min(x, y), max(x, y)) in graph.doubled and edge.symbol == "<->"
        claim = Claim(Topic.EDGE, edge.x, edge.y, symbol="o-o" if is_pag else edge.symbol)
        certain = view is None or view.summary.holds(claim) is Holds.ALL
        found.append(Line(x, y, edge.mark_x, edge.mark_y, 1.0, certain, second))
    return tuple(found)


def graph_ties(lines: Sequence[Line]) -> tuple[Tie, ...]:
    """What the lines of one graph say about who stands above whom."""
    return tuple(
        Tie(line.x, line.y, directed=line.mark_y == Mark.ARROW != line.mark_x) for line in lines if not line.second
    )
