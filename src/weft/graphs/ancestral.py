"""Ancestral and maximal graphs, and the graphs that hiding variables leaves behind.

A graph is *ancestral* if it has no directed cycle, no edge with an arrowhead at an ancestor of its other end, and no
arrowhead at a vertex that has an undirected edge. It is *maximal* if every two vertices that are not adjacent can be
separated, that is, have no inducing path. A maximal ancestral graph (MAG) stands for all latent-variable models
that agree on which variable is an ancestor of which and on every independence.

A latent-variable model is an ADMG; it has exactly one MAG (:func:`mag_of`): two vertices are adjacent if an inducing
path joins them, and the mark at a vertex is a tail if it is an ancestor of the other vertex (or of a selection
variable), else an arrowhead. Hiding variables of an ADMG gives its :func:`latent_projection`; hiding variables of a
MAG gives its :func:`marginal_mag`.

References
----------
Richardson and Spirtes, *Ancestral graph Markov models*, Annals of Statistics 30 (2002).
Verma and Pearl, *Equivalence and synthesis of causal models*, UAI 1990 (latent projection).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from weft.errors import GraphError
from weft.graphs.mixed import Edge, Mark, MixedGraph, bits, quote
from weft.graphs.separation import ancestor_mask, descendant_mask, has_inducing_path, walk


def ancestors(graph: MixedGraph, vertices: Iterable[str]) -> frozenset[str]:
    """The vertices with a directed path into one of the given ones, and these themselves.

    >>> sorted(ancestors(MixedGraph.parse("X -> Y -> Z; Z <-> W"), ["Z"]))
    ['X', 'Y', 'Z']
    """
    return frozenset(graph.names_of(ancestor_mask(graph, graph.mask(vertices))))


def descendants(graph: MixedGraph, vertices: Iterable[str]) -> frozenset[str]:
    """The vertices that a directed path reaches from one of the given ones, and these themselves."""
    return frozenset(graph.names_of(descendant_mask(graph, graph.mask(vertices))))


def anteriors(graph: MixedGraph, vertices: Iterable[str]) -> frozenset[str]:
    """The vertices with a path of ``--`` and ``->`` edges into one of the given ones, and these themselves.

    >>> sorted(anteriors(MixedGraph.parse("W -- X; X -> Y; Z -> X"), ["Y"]))
    ['W', 'X', 'Y', 'Z']
    """
    reached = frontier = graph.mask(vertices)
    while frontier:
        following = 0
        for v in bits(frontier):
            following |= graph.parents[v] | graph.neighbours[v]
        frontier = following & ~reached
        reached |= frontier
    return frozenset(graph.names_of(reached))


def directed_cycle(graph: MixedGraph) -> tuple[str, ...] | None:
    """The vertices on directed cycles, or ``None`` if the graph is acyclic."""
    left = (1 << graph.size) - 1
    while left:
        roots = sum(1 << v for v in bits(left) if not graph.parents[v] & left)
        if not roots:
            on_cycles = (v for v in bits(left) if descendant_mask(graph, graph.children[v]) >> v & 1)
            return graph.names_of(sum(1 << v for v in on_cycles))
        left &= ~roots
    return None


def check_acyclic(graph: MixedGraph) -> None:
    """Raise :class:`~weft.errors.GraphError` if there is a directed cycle."""
    if cycle := directed_cycle(graph):
        raise GraphError(f"the graph has a directed cycle among {', '.join(map(quote, cycle))}; a cause graph has none")


def is_dag(graph: MixedGraph) -> bool:
    """Whether every edge is directed and there is no directed cycle."""
    return not graph.doubled and all(e.symbol == "->" for e in graph.edges()) and directed_cycle(graph) is None


def is_admg(graph: MixedGraph) -> bool:
    """Whether every edge is ``->`` or ``<->`` and there is no directed cycle."""
    return not graph.has_circles and not graph.has_selection and directed_cycle(graph) is None


def is_ancestral(graph: MixedGraph) -> bool:
    """Whether the graph is ancestral (see the module's text); circles or doubled pairs make it not so.

    >>> is_ancestral(MixedGraph.parse("X -> Y -> Z; X <-> Y")), is_ancestral(MixedGraph.parse("X -> Y; Y -- Z"))
    (False, False)
    """
    if graph.has_circles or graph.doubled or directed_cycle(graph):
        return False
    for v in range(graph.size):
        if graph.neighbours[v] and (graph.parents[v] | graph.spouses[v]):
            return False
        if graph.spouses[v] & ancestor_mask(graph, 1 << v):
            return False
    return True


def is_maximal(graph: MixedGraph) -> bool:
    """Whether every two vertices that are not adjacent have no inducing path.

    >>> is_maximal(MixedGraph.parse("A <-> B <-> C <-> D; B -> D; C -> A"))
    False
    """
    everything = (1 << graph.size) - 1
    return not any(
        has_inducing_path(graph, a, b)
        for a in range(graph.size)
        for b in bits(everything >> a + 1 << a + 1 & ~graph.adjacencies[a])
    )


def is_mag(graph: MixedGraph) -> bool:
    """Whether the graph is ancestral and maximal."""
    return is_ancestral(graph) and is_maximal(graph)


def mag_of(graph: MixedGraph) -> MixedGraph:
    """The MAG of a latent-variable model: a DAG or ADMG, or one with ``--`` where selection was at work.

    >>> print(mag_of(MixedGraph.parse("X -> Y -> Z; X <-> Y")))
    X -> Y; Y -> Z
    >>> print(mag_of(MixedGraph.parse("X -> Y -> Z; Y <-> Z; X <-> Y")))
    X -> Y; X -> Z; Y -> Z
    """
    return marginal_mag(graph, graph.names)


def marginal_mag(graph: MixedGraph, keep: Iterable[str]) -> MixedGraph:
    """The MAG over ``keep`` that a MAG or a latent-variable model leaves when its other variables are hidden.

    >>> print(marginal_mag(MixedGraph.parse("X <- C -> Y -> Z"), ["X", "Y", "Z"]))
    X <-> Y; Y -> Z
    """
    if graph.has_circles:
        raise GraphError("a graph with circles stands for many models and has no MAG; take one of its MAGs")
    check_acyclic(graph)
    kept = graph.mask(keep)
    names = graph.names_of(kept)
    hidden = ~kept & ((1 << graph.size) - 1)
    selected = graph.selected
    size = len(names)
    marks = bytearray(size * size)
    vertices = list(bits(kept))
    above = [ancestor_mask(graph, 1 << v | selected) for v in vertices]
    for i, a in enumerate(vertices):
        for j in range(i + 1, size):
            b = vertices[j]
            if has_inducing_path(graph, a, b, hidden):
                marks[j * size + i] = Mark.TAIL if above[j] >> a & 1 else Mark.ARROW
                marks[i * size + j] = Mark.TAIL if above[i] >> b & 1 else Mark.ARROW
    return MixedGraph(names, bytes(marks))


def latent_projection(graph: MixedGraph, keep: Iterable[str]) -> MixedGraph:
    """The ADMG over ``keep`` that an ADMG leaves when its other variables are hidden.

    ``x -> y`` if a directed path leads from x to y with only hidden vertices inside; ``x <-> y`` if a path without
    collider, with only hidden vertices inside, has an arrowhead at both ends.

    >>> print(latent_projection(MixedGraph.parse("X <- C -> Y; X -> M -> Y"), ["X", "Y"]))
    X -> Y; X <-> Y
    """
    if not is_admg(graph):
        check_acyclic(graph)
        raise GraphError("latent projection takes an ADMG: only '->' and '<->' edges")
    kept = graph.mask(keep)
    hidden = ~kept
    edges: list[Edge] = []
    for v in bits(kept):
        effects, _ = walk(graph, graph.children[v], 0, colliders=0, noncolliders=hidden)
        confounded, _ = walk(graph, graph.spouses[v], graph.parents[v] & hidden, colliders=0, noncolliders=hidden)
        name = graph.names[v]
        edges += [Edge(name, Mark.TAIL, Mark.ARROW, graph.names[w]) for w in bits(effects & kept)]
        edges += [Edge(name, Mark.ARROW, Mark.ARROW, graph.names[w]) for w in bits(confounded & kept & ~(1 << v))]
    return MixedGraph.build(graph.names_of(kept), edges)


def doublings(mag: MixedGraph) -> Iterator[MixedGraph]:
    """The latent-variable models that a MAG allows, as far as they matter for causal relations.

    A directed edge of the MAG may hide a common cause: these are the graphs that put ``<->`` beside some of its
    directed edges and still have the same MAG. Every ADMG with that MAG agrees with one of them on which variable
    causes which, and on which pairs are confounded.

    >>> for model in doublings(MixedGraph.parse("X -> Y; Y -> Z")):
    ...     print(model)
    X -> Y; Y -> Z
    X -> Y; X <-> Y; Y -> Z
    """
    directed = [(a, b) for a in range(mag.size) for b in range(a + 1, mag.size) if _is_directed(mag, a, b)]

    def extend(model: MixedGraph, rest: list[tuple[int, int]]) -> Iterator[MixedGraph]:
        if not rest:
            yield model
            return
        yield from extend(model, rest[1:])
        doubled = MixedGraph(mag.names, mag.marks, model.doubled | {rest[0]})
        if is_maximal(doubled):  # more common causes only add inducing paths, so a failure is final
            yield from extend(doubled, rest[1:])

    return extend(mag, directed)


def doubling_of(graph: MixedGraph) -> MixedGraph:
    """The one of the :func:`doublings` of an ADMG's MAG that agrees with it on who causes whom and is confounded.

    A directed edge of the MAG hides a common cause if an inducing path with an arrowhead at both ends joins the pair.

    >>> print(doubling_of(MixedGraph.parse("X -> Y -> Z; Y <-> Z; X <-> Y")))
    X -> Y; X <-> Y; X -> Z; X <-> Z; Y -> Z; Y <-> Z
    """
    mag = mag_of(graph)
    hiding = ((a, b) for a in range(mag.size) for b in bits(mag.children[a]) if _is_hiding(graph, a, b))
    return MixedGraph(mag.names, mag.marks, frozenset((min(pair), max(pair)) for pair in hiding))


def _is_hiding(graph: MixedGraph, cause: int, effect: int) -> bool:
    """Whether an inducing path with an arrowhead at both ends joins a cause and its effect."""
    end = 1 << effect
    colliders = ancestor_mask(graph, end) & ~end
    arrow, _ = walk(graph, graph.spouses[cause], 0, colliders=colliders, noncolliders=0, avoid=1 << cause)
    return bool(arrow & end)


def _is_directed(graph: MixedGraph, a: int, b: int) -> bool:
    return bool((graph.children[a] | graph.parents[a]) >> b & 1)
