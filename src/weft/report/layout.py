"""Where the vertices of a drawing stand: causes above effects, few crossings, room for names.

A layered drawing in four steps: cycles are broken and layers chosen (:mod:`weft.report.layering`), the order within
each layer is found (:mod:`weft.report.ordering`), and then the places, here. All is deterministic, and computed once
from the union of all graphs, so that each of them can be drawn in the same places.

Lengths are in points; x goes to the right and y down, as on a page.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, pairwise

from weft.report.layering import Tie, layers_of, split_wide
from weft.report.ordering import Proper, Rows, crossings, ordered, proper

BESIDE, BELOW = 30.0, 46.0
"""The least room between boxes beside and below each other."""
_LANE = 12.0
"""The room that a line takes where it passes a layer."""
_STRAIGHT = 10.0
"""How much more it matters that a long line is straight than that a short one is."""
_PASSES = 40
_NARROW = 460.0
"""A layer may always be so wide."""


@dataclass(frozen=True)
class Place:
    """A box: its middle and its size."""

    x: float
    y: float
    width: float
    height: float

    @property
    def left(self) -> float:
        """Its left side."""
        return self.x - self.width / 2

    @property
    def right(self) -> float:
        """Its right side."""
        return self.x + self.width / 2

    @property
    def top(self) -> float:
        """Its upper side."""
        return self.y - self.height / 2

    @property
    def bottom(self) -> float:
        """Its lower side."""
        return self.y + self.height / 2


@dataclass(frozen=True)
class Layout:
    """Where everything stands."""

    places: tuple[Place, ...]
    """One for each vertex."""
    layers: tuple[int | None, ...]
    """The layer of each vertex; ``None`` for one that nothing is tied to."""
    bands: tuple[tuple[float, float], ...]
    """The upper and the lower side of each layer."""
    lanes: Mapping[tuple[int, int], tuple[float, ...]]
    """For each tie, smaller vertex first: where it may pass the layers between, from the top."""
    crossings: int

    @property
    def extent(self) -> tuple[float, float]:
        """The right and the lower side of all boxes; the left and upper one are 0."""
        right = max((place.right for place in self.places), default=0.0)
        return right, max((place.bottom for place in self.places), default=0.0)


def layout_of(sizes: Sequence[tuple[float, float]], ties: Sequence[Tie]) -> Layout:
    """Find a place for every vertex.

    Parameters
    ----------
    sizes
        The width and height of each vertex's box.
    ties
        Which vertices are joined.

    Examples
    --------
    >>> found = layout_of([(40, 20)] * 3, [Tie(0, 1), Tie(0, 2)])
    >>> [(place.x, place.y) for place in found.places]
    [(55.0, 10.0), (20.0, 76.0), (90.0, 76.0)]
    """
    tied = sorted({v for tie in ties for v in (tie.upper, tie.lower)})
    number = {v: i for i, v in enumerate(tied)}
    own = [replace(tie, upper=number[tie.upper], lower=number[tie.lower]) for tie in ties]
    own_sizes = [sizes[v] for v in tied]
    layers = split_wide(layers_of(len(tied), own), [width + BESIDE for width, _ in own_sizes], _widest(own_sizes))
    graph = proper(layers, own)
    rows = ordered(graph)
    across = _across(graph, rows, [width for width, _ in own_sizes])
    bands = _bands(graph, rows, across, [height for _, height in own_sizes])
    places: list[Place | None] = [None] * len(sizes)
    for v, i in number.items():
        places[v] = Place(across[i], sum(bands[layers[i]]) / 2, *sizes[v])
    lanes = {(tied[a], tied[b]): tuple(across[bend] for bend in chain) for (a, b), chain in graph.chains.items()}
    return Layout(
        _with_the_others(places, sizes),
        tuple(layers[number[v]] if v in number else None for v in range(len(sizes))),
        bands,
        lanes,
        crossings(graph, rows),
    )


def _widest(sizes: Sequence[tuple[float, float]]) -> float:
    area = sum((width + BESIDE) * (height + BELOW) for width, height in sizes)
    return max(_NARROW, 1.6 * math.sqrt(area))


# -- from left to right ------------------------------------------------------------------------------------------------


def _across(graph: Proper, rows: Rows, widths: Sequence[float]) -> list[float]:
    """The x of every vertex and bend: in its row's order, and near what it is joined to."""
    size = len(widths)
    wide = [*widths, *([_LANE] * (len(graph.layers) - size))]
    joined: list[list[tuple[int, float]]] = [[] for _ in wide]
    for a, b in graph.links:
        weight = _STRAIGHT if a >= size and b >= size else 1.0
        joined[a].append((b, weight))
        joined[b].append((a, weight))
    across = [0.0] * len(wide)
    gaps = [[_gap(v, w, wide, size) for v, w in pairwise(row)] for row in rows]
    placed = list(zip(rows, gaps, strict=True))
    for row, apart in placed:
        for v, x in zip(row, spread([0.0] * len(row), apart, [1.0] * len(row)), strict=True):
            across[v] = x
    for number in range(_PASSES):
        for row, apart in placed if number % 2 == 0 else reversed(placed):
            weights = [sum(weight for _, weight in joined[v]) for v in row]
            wanted = [
                sum(weight * across[w] for w, weight in joined[v]) / total if total else across[v]
                for v, total in zip(row, weights, strict=True)
            ]
            for v, x in zip(row, spread(wanted, apart, [weight or 0.1 for weight in weights]), strict=True):
                across[v] = x
    left = min((across[v] - wide[v] / 2 for v in range(size)), default=0.0)
    return [round(x - left, 3) for x in across]


def _gap(v: int, w: int, wide: Sequence[float], size: int) -> float:
    room = BESIDE if v < size and w < size else _LANE
    return (wide[v] + wide[w]) / 2 + room


def spread(wanted: Sequence[float], gaps: Sequence[float], weights: Sequence[float]) -> list[float]:
    """Places in a row, in this order and at least so far apart, as near as can be (by squares) to those wanted.

    >>> spread([0, 0, 50], [10, 10], [1, 1, 1])
    [-5.0, 5.0, 50.0]
    """
    offsets = list(accumulate(gaps, initial=0.0))[: len(wanted)]
    # Without the gaps the places must only not decrease: the regression that pools neighbours who violate that.
    pools: list[tuple[float, float, int]] = []  # mean, weight, members
    for want, offset, weight in zip(wanted, offsets, weights, strict=True):
        mean, heavy, many = want - offset, weight, 1
        while pools and pools[-1][0] > mean:
            other, other_heavy, other_many = pools.pop()
            mean = (mean * heavy + other * other_heavy) / (heavy + other_heavy)
            heavy, many = heavy + other_heavy, many + other_many
        pools.append((mean, heavy, many))
    means = [mean for mean, _, many in pools for _ in range(many)]
    return [mean + offset for mean, offset in zip(means, offsets, strict=True)]


# -- from top to bottom ------------------------------------------------------------------------------------------------


def _bands(
    graph: Proper, rows: Rows, across: Sequence[float], heights: Sequence[float]
) -> tuple[tuple[float, float], ...]:
    """The upper and lower side of each layer; further apart where lines would be flat."""
    farthest = [0.0] * len(rows)
    for a, b in graph.links:
        layer = graph.layers[a]
        farthest[layer] = max(farthest[layer], abs(across[a] - across[b]))
    bands: list[tuple[float, float]] = []
    top = 0.0
    for row, far in zip(rows, farthest, strict=True):
        tall = max((heights[v] for v in row if v < len(heights)), default=0.0)
        bands.append((top, top + tall))
        top += tall + min(2.6 * BELOW, max(BELOW, 0.28 * far))
    return tuple(bands)


def _with_the_others(places: Sequence[Place | None], sizes: Sequence[tuple[float, float]]) -> tuple[Place, ...]:
    """What nothing is tied to stands below, in rows."""
    found = [place for place in places if place is not None]
    others = [v for v, place in enumerate(places) if place is None]
    area = sum((width + BESIDE) * (height + BESIDE) for width, height in (sizes[v] for v in others))
    widest = max([_NARROW, 1.3 * math.sqrt(area), *(place.right for place in found)])
    middle = max((place.right for place in found), default=0.0) / 2
    top = max((place.bottom + BELOW for place in found), default=0.0)
    everywhere = list(places)
    for row in _rows(others, sizes, widest):
        taken = sum(sizes[v][0] for v in row) + BESIDE * (len(row) - 1)
        left, tallest = max(0.0, middle - taken / 2), max(sizes[v][1] for v in row)
        for v in row:
            width, height = sizes[v]
            everywhere[v] = Place(round(left + width / 2, 3), round(top + height / 2, 3), width, height)
            left += width + BESIDE
        top += tallest + BESIDE
    return tuple(place for place in everywhere if place is not None)


def _rows(members: Sequence[int], sizes: Sequence[tuple[float, float]], widest: float) -> list[list[int]]:
    """Vertices in rows that are not wider than that."""
    rows: list[list[int]] = []
    left = 0.0
    for v in members:
        if not rows or left + sizes[v][0] > widest:
            rows.append([])
            left = 0.0
        rows[-1].append(v)
        left += sizes[v][0] + BESIDE
    return rows
