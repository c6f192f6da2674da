"""Which layer of a drawing each vertex stands on, so that causes stand above their effects.

The first two steps of a layered drawing (Sugiyama, Tagawa and Toda, 1981): cycles are broken by the order of Eades, Lin
and Smyth (1993), and every vertex goes below its causes, as near to what it is tied to as that allows.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

_SAME_LAYER = 1.6
"""What a tie within a layer costs; one between neighbouring layers costs 1, since it is easier to draw."""
_MOST_PASSES = 20


@dataclass(frozen=True)
class Tie:
    """Two vertices that a line will join.

    Parameters
    ----------
    upper, lower
        The vertices; if the tie is directed, the first should stand above the second.
    weight
        How much it matters.
    directed
        Whether it says anything about above and below.
    """

    upper: int
    lower: int
    weight: float = 1.0
    directed: bool = True


def causal_order(size: int, ties: Sequence[Tie]) -> tuple[int, ...]:
    """The vertices in an order against which little weight of directed ties goes; none, if they have no cycle.

    It is the greedy order of Eades, Lin and Smyth: take vertices without causes from the front, those without effects
    from the end, and else the one whose effects outweigh its causes most.

    >>> causal_order(3, [Tie(2, 1), Tie(1, 0)])
    (2, 1, 0)
    >>> causal_order(3, [Tie(0, 1, 3), Tie(1, 2, 3), Tie(2, 0, 1)])
    (0, 1, 2)
    """
    below: list[dict[int, float]] = [{} for _ in range(size)]
    above: list[dict[int, float]] = [{} for _ in range(size)]
    for tie in ties:
        if tie.directed:
            below[tie.upper][tie.lower] = below[tie.upper].get(tie.lower, 0) + tie.weight
            above[tie.lower][tie.upper] = above[tie.lower].get(tie.upper, 0) + tie.weight
    left = set(range(size))
    first: list[int] = []
    last: list[int] = []
    while left:
        chosen = min(v for v in left if not above[v]) if any(not above[v] for v in left) else None
        if chosen is not None:
            first.append(chosen)
        elif any(not below[v] for v in left):
            chosen = max(v for v in left if not below[v])
            last.append(chosen)
        else:
            chosen = max(left, key=lambda v: (sum(below[v].values()) - sum(above[v].values()), -v))
            first.append(chosen)
        left.remove(chosen)
        for other in below[chosen]:
            above[other].pop(chosen, None)
        for other in above[chosen]:
            below[other].pop(chosen, None)
    return (*first, *reversed(last))


def layers_of(size: int, ties: Sequence[Tie]) -> tuple[int, ...]:
    """The layer of each vertex, 0 at the top.

    Of the directed ties, those that fit into :func:`causal_order` point down, and the others up. Ties that are not
    directed draw their ends near each other and otherwise say nothing.

    >>> layers_of(4, [Tie(0, 1), Tie(1, 2), Tie(0, 3)])
    (0, 1, 2, 1)
    >>> layers_of(3, [Tie(0, 1, directed=False), Tie(1, 2, directed=False)])
    (1, 0, 1)
    """
    order = causal_order(size, ties)
    place = {v: i for i, v in enumerate(order)}
    below: list[set[int]] = [set() for _ in range(size)]
    above: list[set[int]] = [set() for _ in range(size)]
    for tie in ties:
        if tie.directed:
            upper, lower = sorted((tie.upper, tie.lower), key=place.__getitem__)
            below[upper].add(lower)
            above[lower].add(upper)
    layers = [0] * size
    for v in order:
        layers[v] = max((layers[w] + 1 for w in above[v]), default=0)
    return _drawn_together(layers, order, above, below, ties)


def _drawn_together(
    layers: list[int], order: Sequence[int], above: list[set[int]], below: list[set[int]], ties: Sequence[Tie]
) -> tuple[int, ...]:
    """Move each vertex, between its causes and its effects, to where its ties are shortest, until none gains."""
    deepest = max(max(layers, default=0), math.isqrt(max(0, len(layers) - 1)))
    tied: list[list[tuple[int, float]]] = [[] for _ in layers]
    for tie in ties:
        tied[tie.upper].append((tie.lower, tie.weight))
        tied[tie.lower].append((tie.upper, tie.weight))

    def cost(v: int, layer: int) -> float:
        return sum(weight * (abs(layer - layers[w]) or _SAME_LAYER) for w, weight in tied[v])

    for _ in range(_MOST_PASSES):
        moved = False
        for v in order:
            top = max((layers[w] + 1 for w in above[v]), default=0)
            bottom = min((layers[w] - 1 for w in below[v]), default=deepest)
            best = min(range(top, bottom + 1), key=lambda layer: (round(cost(v, layer), 9), layer))
            if cost(v, best) < cost(v, layers[v]) - 1e-9:
                layers[v], moved = best, True
        if not moved:
            break
    used = {layer: i for i, layer in enumerate(sorted(set(layers)))}
    return tuple(used[layer] for layer in layers)


def split_wide(layers: Sequence[int], widths: Sequence[float], widest: float) -> tuple[int, ...]:
    """Lay a layer that is wider than that in several, so that a drawing does not become one long row.

    Vertices of one layer are not tied by a directed tie, so that this points no line up.

    >>> split_wide([0, 0, 0, 1], [10, 10, 10, 10], 20)
    (0, 1, 0, 2)
    """
    found = [0] * len(layers)
    top = 0
    for layer in sorted(set(layers)):
        members = [v for v, own in enumerate(layers) if own == layer]
        rows = max(1, math.ceil(sum(widths[v] for v in members) / widest))
        rows = min(rows, len(members))
        for i, v in enumerate(members):
            found[v] = top + i % rows
        top += rows
    return tuple(found)
