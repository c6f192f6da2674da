"""m-separation and inducing paths: which variables a mixed graph holds dependent.

Terms
-----
On a path, an inner vertex is a *collider* if both edges have an arrowhead at it. A path is *m-connecting* given Z if
no non-collider is in Z and every collider is an ancestor of a member of Z; x and y are *m-separated* by Z if there
is none. An *inducing path* between x and y relative to L is one whose every inner non-collider is in L and whose
every collider is an ancestor of x or y: no subset of the other variables outside L separates x and y exactly if there
is one. With ``--`` edges, which stand for selection, what is an ancestor of a selected vertex (one that has a
``--`` edge) counts as conditioned on; in an ancestral graph no collider is such a vertex.

All three questions are one search over states "(vertex, arrived at an arrowhead or at a tail)", linear in the number
of edges. Walks serve as well as paths: the shortest connecting walk can be chosen to be a path.

References
----------
Richardson and Spirtes, *Ancestral graph Markov models*, Annals of Statistics 30 (2002).
"""

from __future__ import annotations

from collections.abc import Iterable

from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph, bits


def ancestor_mask(graph: MixedGraph, vertices: int) -> int:
    """The given vertices and all that have a directed path into them (as bits)."""
    return _closure(graph.parents, vertices)


def descendant_mask(graph: MixedGraph, vertices: int) -> int:
    """The given vertices and all that a directed path reaches from them (as bits)."""
    return _closure(graph.children, vertices)


def _closure(step: tuple[int, ...], vertices: int) -> int:
    reached = frontier = vertices
    while frontier:
        following = 0
        for v in bits(frontier):
            following |= step[v]
        frontier = following & ~reached
        reached |= frontier
    return reached


def walk(
    graph: MixedGraph, arrow: int, tail: int, *, colliders: int, noncolliders: int, avoid: int = 0
) -> tuple[int, int]:
    """Where walks lead that have arrived in ``arrow`` at an arrowhead and in ``tail`` at a tail.

    A walk goes on through a vertex as a collider if it is in ``colliders``, as a non-collider if it is in
    ``noncolliders``, and never enters ``avoid``. Returns all states reached, the starting ones included.
    """
    allowed = ~avoid
    parents, children, spouses, neighbours = graph.parents, graph.children, graph.spouses, graph.neighbours
    arrow &= allowed
    tail &= allowed
    new_arrow, new_tail = arrow, tail
    while new_arrow or new_tail:
        next_arrow = next_tail = 0
        for v in bits((new_arrow | new_tail) & noncolliders):  # leave v at a tail
            next_arrow |= children[v]
            next_tail |= neighbours[v]
        for v in bits((new_tail & noncolliders) | (new_arrow & colliders)):  # leave v at an arrowhead
            next_arrow |= spouses[v]
            next_tail |= parents[v]
        new_arrow = next_arrow & allowed & ~arrow
        new_tail = next_tail & allowed & ~tail
        arrow |= new_arrow
        tail |= new_tail
    return arrow, tail


def connected_masks(graph: MixedGraph, x: int, given: int) -> int:
    """The vertices outside ``given`` that are m-connected with vertex ``x`` given that set (as bits)."""
    arrow, tail = walk(
        graph,
        graph.children[x] | graph.spouses[x],
        graph.parents[x] | graph.neighbours[x],
        colliders=ancestor_mask(graph, given | graph.selected),
        noncolliders=~given,
        avoid=1 << x,
    )
    return (arrow | tail) & ~given


def has_inducing_path(graph: MixedGraph, x: int, y: int, latent: int = 0) -> bool:
    """Whether an inducing path joins vertices ``x`` and ``y`` relative to ``latent`` (indices and bits)."""
    if graph.adjacencies[x] >> y & 1:
        return True
    end = 1 << y
    arrow, tail = walk(
        graph,
        graph.children[x] | graph.spouses[x],
        graph.parents[x] | graph.neighbours[x],
        colliders=ancestor_mask(graph, 1 << x | end | graph.selected) & ~end,
        noncolliders=latent & ~end,
        avoid=1 << x,
    )
    return bool((arrow | tail) & end)


def m_separated(graph: MixedGraph, x: str, y: str, given: Iterable[str] = ()) -> bool:
    """Whether ``given`` m-separates two different vertices.

    >>> chain = MixedGraph.parse("X -> Y -> Z")
    >>> m_separated(chain, "X", "Z"), m_separated(chain, "X", "Z", ["Y"])
    (False, True)
    """
    given_mask = graph.mask(given)
    a, b = _pair(graph, x, y)
    if given_mask & (1 << a | 1 << b):
        raise GraphError(f"{x!r} and {y!r} cannot be given when they are the pair to separate")
    return not connected_masks(graph, a, given_mask) >> b & 1


def inducing_path(graph: MixedGraph, x: str, y: str, latent: Iterable[str] = ()) -> bool:
    """Whether there is an inducing path between two different vertices relative to ``latent``.

    >>> inducing_path(MixedGraph.parse("X -> Y -> Z"), "X", "Z", latent=["Y"])
    True
    """
    a, b = _pair(graph, x, y)
    return has_inducing_path(graph, a, b, graph.mask(latent) & ~(1 << a | 1 << b))


def _pair(graph: MixedGraph, x: str, y: str) -> tuple[int, int]:
    if x == y:
        raise GraphError(f"{x!r} and {y!r} are the same vertex; name two")
    return graph.index(x), graph.index(y)
