"""The order of the vertices within the layers of a drawing, so that few lines cross.

The third step of a layered drawing: a line over several layers is a chain of *bends*, one in each layer between. Then
each layer in turn is sorted by where the vertices of the layer before are (their mean or median), neighbours change
places where that helps, and the best order seen is kept. The sweep never ends with more crossings than it began with.
To find the least number is NP-hard; on small graphs the sweep finds it nearly always (see the tests).
"""

from __future__ import annotations

import random
from bisect import bisect_right, insort
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean, median

from weft.report.layering import Tie

_SWEEPS, _IDLE = 24, 3
"""How many sweeps there are at most, and how many without a gain end it."""
_SMALL, _CHANCES = 60, 8
"""A graph of so few links is swept from so many more orders."""


@dataclass(frozen=True)
class Proper:
    """A layered graph whose links join neighbouring layers: vertices come first, then the bends of long lines."""

    layers: tuple[int, ...]
    """The layer of each vertex and bend."""
    links: tuple[tuple[int, int], ...]
    """From one layer to the next below."""
    flat: tuple[tuple[int, int], ...]
    """Ties within a layer."""
    chains: dict[tuple[int, int], tuple[int, ...]]
    """For each tie between layers, smaller vertex first: its bends, from the top."""


def proper(layers: Sequence[int], ties: Sequence[Tie]) -> Proper:
    """Give every tie that passes a layer a bend there.

    >>> proper([0, 1, 2], [Tie(0, 1), Tie(0, 2)]).links
    ((0, 1), (0, 3), (3, 2))
    """
    all_layers = list(layers)
    links: list[tuple[int, int]] = []
    flat: list[tuple[int, int]] = []
    chains: dict[tuple[int, int], tuple[int, ...]] = {}
    for a, b in dict.fromkeys((min(t.upper, t.lower), max(t.upper, t.lower)) for t in ties):
        if layers[a] == layers[b]:
            flat.append((a, b))
            continue
        top, bottom = (a, b) if layers[a] < layers[b] else (b, a)
        chain = tuple(range(len(all_layers), len(all_layers) + layers[bottom] - layers[top] - 1))
        all_layers += range(layers[top] + 1, layers[bottom])
        links += zip((top, *chain), (*chain, bottom), strict=True)
        chains[a, b] = chain
    return Proper(tuple(all_layers), tuple(links), tuple(flat), chains)


Rows = list[list[int]]


def crossings(graph: Proper, rows: Sequence[Sequence[int]]) -> int:
    """How many links cross.

    >>> crossings(proper([0, 0, 1, 1], [Tie(0, 3), Tie(1, 2)]), [[0, 1], [2, 3]])
    1
    """
    place = {v: i for row in rows for i, v in enumerate(row)}
    between: list[list[tuple[int, int]]] = [[] for _ in rows]
    for upper, lower in graph.links:
        between[graph.layers[upper]].append((place[upper], place[lower]))
    return sum(map(_inversions, between))


def _inversions(pairs: list[tuple[int, int]]) -> int:
    seen: list[int] = []
    found = 0
    for _, lower in sorted(pairs):
        found += len(seen) - bisect_right(seen, lower)
        insort(seen, lower)
    return found


def start(graph: Proper) -> Rows:
    """A first order: what is joined is found together, from the first vertex on in depth.

    >>> start(proper([0, 0, 1, 1], [Tie(0, 3), Tie(1, 2)]))
    [[0, 1], [3, 2]]
    """
    joined = _neighbours(graph.links + graph.flat, len(graph.layers))
    rows: Rows = [[] for _ in range(max(graph.layers, default=-1) + 1)]
    seen: set[int] = set()
    for root in sorted(range(len(graph.layers)), key=lambda v: (graph.layers[v], v)):
        stack = [root]
        while stack:
            v = stack.pop()
            if v in seen:
                continue
            seen.add(v)
            rows[graph.layers[v]].append(v)
            stack += reversed(joined[v])
    return rows


def _neighbours(links: Sequence[tuple[int, int]], size: int) -> list[list[int]]:
    joined: list[list[int]] = [[] for _ in range(size)]
    for a, b in links:
        joined[a].append(b)
        joined[b].append(a)
    return joined


def ordered(graph: Proper) -> Rows:
    """The vertices and bends of each layer from left to right, with few crossings.

    >>> graph = proper([0, 0, 1, 1], [Tie(0, 3), Tie(1, 2)])
    >>> crossings(graph, ordered(graph))
    0
    """
    sweeper = _Sweeper(graph)
    best: Rows | None = None
    for first in _starts(graph):
        found = sweeper.improved(first)
        if best is None or sweeper.cost(found) < sweeper.cost(best):
            best = found
        if sweeper.cost(best) == sweeper.least:
            break
    return best or []


def _starts(graph: Proper) -> Iterator[Rows]:
    """Orders to sweep from: two by the graph, and for a small one, where sweeps are quick, some by chance."""
    first = start(graph)
    yield first
    yield [sorted(row) for row in first]
    rng = random.Random(0)  # always the same
    for _ in range(_CHANCES if len(graph.links) <= _SMALL else 0):
        yield [rng.sample(row, len(row)) for row in first]


class _Sweeper:
    """Improves orders of one graph."""

    def __init__(self, graph: Proper) -> None:
        size = len(graph.layers)
        self.graph = graph
        self.below: list[list[int]] = [[] for _ in range(size)]
        self.above: list[list[int]] = [[] for _ in range(size)]
        for upper, lower in graph.links:
            self.below[upper].append(lower)
            self.above[lower].append(upper)
        self.beside = _neighbours(graph.flat, size)
        self.least = 0, len(graph.flat)
        """No order can cost less."""

    def cost(self, rows: Rows) -> tuple[int, int]:
        """Crossings, then how far the ends of ties within a layer are apart."""
        place = {v: i for row in rows for i, v in enumerate(row)}
        return crossings(self.graph, rows), sum(abs(place[a] - place[b]) for a, b in self.graph.flat)

    def improved(self, rows: Rows) -> Rows:
        """The best order that sweeps from this one come to."""
        rows = [list(row) for row in rows]
        best, least = rows, self.cost(rows)
        rows = self._exchanged(rows)
        idle = 0
        for sweep in range(_SWEEPS):
            cost = self.cost(rows)
            idle = 0 if cost < least else idle + 1
            if cost < least:
                best, least = [list(row) for row in rows], cost
            if least == self.least or idle > _IDLE:
                break
            rows = self._exchanged(self._sorted(rows, downwards=sweep % 2 == 0, by_median=sweep % 4 < 2))
        return best

    def _sorted(self, rows: Rows, *, downwards: bool, by_median: bool) -> Rows:
        place = {v: float(i) for row in rows for i, v in enumerate(row)}
        middle = median if by_median else fmean
        joined = self.above if downwards else self.below
        found: Rows = [list(row) for row in rows]
        for number in range(len(rows)) if downwards else reversed(range(len(rows))):
            row = found[number]
            wanted = {v: middle(place[w] for w in joined[v]) if joined[v] else place[v] for v in row}
            row.sort(key=lambda v, wanted=wanted: (wanted[v], place[v]))  # type: ignore[misc]
            place.update((v, float(i)) for i, v in enumerate(row))
        return found

    def _exchanged(self, rows: Rows) -> Rows:
        """Neighbours change places as long as that saves crossings, or shortens ties within a layer."""
        place = {v: i for row in rows for i, v in enumerate(row)}
        for _ in range(_SWEEPS):
            changed = False
            for row in rows:
                for i in range(len(row) - 1):
                    v, w = row[i], row[i + 1]
                    if self._gain(v, w, place) > (0, 0):
                        row[i], row[i + 1] = w, v
                        place[v], place[w] = i + 1, i
                        changed = True
            if not changed:
                break
        return rows

    def _gain(self, v: int, w: int, place: dict[int, int]) -> tuple[int, int]:
        saved = 0
        for joined in (self.above, self.below):
            first, second = [place[u] for u in joined[v]], [place[u] for u in joined[w]]
            saved += sum((a > b) - (a < b) for a in first for b in second)
        i = place[v]
        nearer = sum(1 if place[u] > i else -1 for u in self.beside[v] if u != w)
        nearer += sum(1 if place[u] < i else -1 for u in self.beside[w] if u != v)
        return saved, nearer
