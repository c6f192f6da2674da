"""From a graph with marks that may be open (a PAG) to claims about who causes whom."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import permutations

from benchmarks.tools import Said
from weft.graphs.mixed import Mark, MixedGraph

Pairs = set[tuple[str, str]]


def claims_of(pag: MixedGraph) -> Iterator[Said]:
    """What a PAG says for certain.

    - ``x`` causes ``y`` if a path of edges ``->`` leads from x to y;
    - ``x`` does not cause ``y`` if no possibly directed path does: one on which no edge has an arrowhead at the end
      that comes first, or a tail at the end that comes next.

    >>> from weft.graphs.mixed import MixedGraph
    >>> [str(one.x + (" causes " if one.causes else " does not cause ") + one.y)
    ...  for one in claims_of(MixedGraph.parse("X o-> Y -> Z"))]
    ['Y does not cause X', 'Y causes Z', 'Z does not cause X', 'Z does not cause Y']
    """
    ends = [end for edge in pag.edges() for end in (edge, edge.reversed())]
    certain = reached((x, y) for x, at_x, at_y, y in ends if (at_x, at_y) == (Mark.TAIL, Mark.ARROW))
    possible = reached((x, y) for x, at_x, at_y, y in ends if at_x != Mark.ARROW and at_y != Mark.TAIL)
    for x, y in permutations(pag.names, 2):
        if (x, y) in certain:
            yield Said(x, y, True)
        if (x, y) not in possible:
            yield Said(x, y, False)


def ancestors(graph: MixedGraph) -> Pairs:
    """The pairs (x, y) such that a path of directed edges leads from x to y.

    >>> from weft.graphs.mixed import MixedGraph
    >>> sorted(ancestors(MixedGraph.parse("X -> Y -> Z; Z <-> W")))
    [('X', 'Y'), ('X', 'Z'), ('Y', 'Z')]
    """
    ends = [end for edge in graph.edges() for end in (edge, edge.reversed())]
    return reached((x, y) for x, at_x, at_y, y in ends if (at_x, at_y) == (Mark.TAIL, Mark.ARROW))


def reached(steps: Iterable[tuple[str, str]]) -> Pairs:
    """Who can be reached from whom, in one step or more.

    >>> sorted(reached([("X", "Y"), ("Y", "Z")]))
    [('X', 'Y'), ('X', 'Z'), ('Y', 'Z')]
    """
    following: dict[str, set[str]] = {}
    for x, y in steps:
        following.setdefault(x, set()).add(y)
    found: Pairs = set()
    for start, ahead in following.items():
        waiting = list(ahead)
        while waiting:
            place = waiting.pop()
            if (start, place) not in found:
                found.add((start, place))
                waiting += following.get(place, ())
    return found
