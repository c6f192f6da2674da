r"""Covariate adjustment: which variables to hold fixed so that a regression shows a causal effect.

Terms
-----
The *total effect* of x on y is what changes in y where x is set from outside. In a linear model it is the sum, over
all directed paths from x to y, of the products of their coefficients; it is 0 if there is none. With several exposures
X the *joint* effects are those of setting all of them at once.

A path from X to y is *proper* if only its first vertex is in X, and *causal* if it is directed towards y. A set Z is an
*adjustment set* if, in every model that the graph stands for, the regression of y on X and Z has the effects of X on y
for its coefficients (in general: if averaging the distribution of y given X and Z over Z gives that of y where X is
set). By the *generalised adjustment criterion* that is so exactly if

- the graph is *amenable*: every proper causal path begins with a *visible* edge. In a MAG, an edge ``x -> v`` may hide
  a common cause of the two. It is visible, and hides none, if there is a vertex c that is not adjacent to v with an
  edge into x, or with a path into x of colliders that are all parents of v;
- Z holds no *forbidden* vertex: none on a proper causal path (but those of X), nor a descendant of one;
- Z m-separates X from y in the *proper back-door graph*, that lacks the first edges of the proper causal paths.

If there is such a set among some variables, then the ancestors of X and y among them that are not forbidden are one
(:func:`adjustment_set`), so one test finds it, in time linear in the number of edges. Here it is then made smaller, one
vertex at a time, until nothing can be left out.

In an ADMG (``model=True``) every edge is meant as it stands: ``x -> v`` hides nothing unless ``x <-> v`` stands beside
it. In graphs with ``--`` no effect is identified here: what was selected is not what would be if x were set.

References
----------
Perković, Textor, Kalisch and Maathuis, *Complete graphical characterization and construction of adjustment sets in
Markov equivalence classes of ancestral graphs*, JMLR 18 (2018). Van der Zander, Liśkiewicz and Textor, *Constructing
separators and adjustment sets in ancestral graphs*, UAI 2014. Shpitser, VanderWeele and Robins, *On the validity of
covariate adjustment for estimating causal effects*, UAI 2010. Zhang, *Causal reasoning with ancestral graphs*, JMLR 9
(2008): visible edges.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph, bits
from weft.graphs.separation import ancestor_mask, descendant_mask, walk


def is_visible(graph: MixedGraph, x: str, y: str) -> bool:
    """Whether the edge ``x -> y`` of a MAG hides no common cause of the two.

    >>> is_visible(MixedGraph.parse("X -> Y"), "X", "Y"), is_visible(MixedGraph.parse("C -> X -> Y"), "X", "Y")
    (False, True)
    """
    a, b = graph.index(x), graph.index(y)
    if not graph.children[a] >> b & 1:
        raise GraphError(f"there is no edge {x} -> {y}")
    return _is_visible(graph, a, b)


def _is_visible(graph: MixedGraph, x: int, y: int) -> bool:
    chain = 1 << x  # x, and the colliders on paths into it that are all parents of y
    while more := _spouses(graph, chain) & graph.parents[y] & ~chain:
        chain |= more
    far = ~(graph.adjacencies[y] | 1 << y | 1 << x)
    return any((graph.parents[v] | graph.spouses[v]) & far for v in bits(chain))


def _spouses(graph: MixedGraph, vertices: int) -> int:
    found = 0
    for v in bits(vertices):
        found |= graph.spouses[v]
    return found


def causal_vertices(graph: MixedGraph, exposures: Iterable[str], outcome: str) -> frozenset[str]:
    """The vertices on proper causal paths, the exposures left out.

    >>> sorted(causal_vertices(MixedGraph.parse("X -> M -> Y; X -> W; C -> Y"), ["X"], "Y"))
    ['M', 'Y']
    """
    return frozenset(graph.names_of(_causal(graph, graph.mask(exposures), graph.index(outcome))))


def _causal(graph: MixedGraph, exposures: int, outcome: int) -> int:
    first = 0
    for x in bits(exposures):
        first |= graph.children[x]
    return _reached(graph.children, first, exposures) & _reached(graph.parents, 1 << outcome, exposures)


def _reached(step: tuple[int, ...], vertices: int, avoid: int) -> int:
    reached = frontier = vertices & ~avoid
    while frontier:
        following = 0
        for v in bits(frontier):
            following |= step[v]
        frontier = following & ~reached & ~avoid
        reached |= frontier
    return reached


def forbidden(graph: MixedGraph, exposures: Iterable[str], outcome: str) -> frozenset[str]:
    """What no adjustment set may hold: the vertices on proper causal paths and their descendants.

    >>> sorted(forbidden(MixedGraph.parse("X -> M -> Y; M -> D; C -> Y"), ["X"], "Y"))
    ['D', 'M', 'Y']
    """
    causal = _causal(graph, graph.mask(exposures), graph.index(outcome))
    return frozenset(graph.names_of(descendant_mask(graph, causal)))


def is_amenable(
    graph: MixedGraph,
    exposures: Iterable[str],
    outcome: str,
    *,
    unconfounded: Collection[tuple[str, str]] = (),
    model: bool = False,
) -> bool:
    """Whether every proper causal path begins with an edge that hides no common cause.

    Parameters
    ----------
    graph, exposures, outcome
    unconfounded
        Pairs (cause, effect) that are known to have no hidden common cause: their edges count as visible.
    model
        Whether the graph is a latent-variable model (ADMG), whose edges hide nothing.

    >>> graph = MixedGraph.parse("X -> Y")
    >>> is_amenable(graph, ["X"], "Y"), is_amenable(graph, ["X"], "Y", unconfounded=[("X", "Y")])
    (False, True)
    """
    known = {(graph.index(x), graph.index(y)) for x, y in unconfounded}
    return _is_amenable(graph, graph.mask(exposures), graph.index(outcome), known, model)


def _is_amenable(
    graph: MixedGraph, exposures: int, outcome: int, known: Collection[tuple[int, int]], model: bool
) -> bool:
    if graph.has_selection:
        return False
    causal = _causal(graph, exposures, outcome)
    return model or all(
        (x, v) in known or _is_visible(graph, x, v) for x in bits(exposures) for v in bits(graph.children[x] & causal)
    )


def is_adjustment_set(
    graph: MixedGraph,
    exposures: Iterable[str],
    outcome: str,
    given: Iterable[str],
    *,
    unconfounded: Collection[tuple[str, str]] = (),
    model: bool = False,
) -> bool:
    """Whether a set shows the effects of the exposures on the outcome, by the generalised adjustment criterion.

    >>> graph = MixedGraph.parse("C -> X -> Y; C -> Y; I -> X")
    >>> is_adjustment_set(graph, ["X"], "Y", ["C"]), is_adjustment_set(graph, ["X"], "Y", [])
    (True, False)
    """
    exposed, y, covariates = graph.mask(exposures), graph.index(outcome), graph.mask(given)
    if covariates & (exposed | 1 << y) or exposed >> y & 1:
        raise GraphError("exposures, the outcome and what is given must be different variables")
    known = {(graph.index(a), graph.index(b)) for a, b in unconfounded}
    return _is_amenable(graph, exposed, y, known, model) and _shows(graph, exposed, y, covariates)


def _shows(graph: MixedGraph, exposures: int, outcome: int, given: int) -> bool:
    """The second and the third condition."""
    causal = _causal(graph, exposures, outcome)
    return not given & descendant_mask(graph, causal) and _blocks(graph, exposures, outcome, given, causal)


def _blocks(graph: MixedGraph, exposures: int, outcome: int, given: int, causal: int) -> bool:
    """Whether a set without forbidden vertices m-separates X from y in the proper back-door graph.

    Walks from X that never come back to it use an edge out of X only at their beginning, so it is enough to leave the
    first edges of causal paths out there. (No ancestor of the set is lost with them: its vertices are not forbidden.)
    """
    arrow = tail = 0
    for x in bits(exposures):
        arrow |= (graph.children[x] & ~causal) | graph.spouses[x]
        tail |= graph.parents[x] | graph.neighbours[x]
    arrow, tail = walk(graph, arrow, tail, colliders=ancestor_mask(graph, given), noncolliders=~given, avoid=exposures)
    return not (arrow | tail) >> outcome & 1


def adjustment_set(
    graph: MixedGraph,
    exposures: Iterable[str],
    outcome: str,
    within: Iterable[str] | None = None,
    *,
    unconfounded: Collection[tuple[str, str]] = (),
    model: bool = False,
) -> frozenset[str] | None:
    """An adjustment set among the variables ``within`` of which nothing can be left out; ``None`` if there is none.

    >>> graph = MixedGraph.parse("C -> X -> Y; C -> D -> Y; I -> X")
    >>> sorted(adjustment_set(graph, ["X"], "Y")), sorted(adjustment_set(graph, ["X"], "Y", ["C", "I"]))
    (['D'], ['C'])
    >>> adjustment_set(graph, ["X"], "Y", ["I"]) is None
    True
    """
    exposed, y = graph.mask(exposures), graph.index(outcome)
    known = {(graph.index(a), graph.index(b)) for a, b in unconfounded}
    if exposed >> y & 1:
        raise GraphError("the outcome is one of the exposures; name another")
    if not _is_amenable(graph, exposed, y, known, model):
        return None
    causal = _causal(graph, exposed, y)
    allowed = (1 << graph.size) - 1 if within is None else graph.mask(within)
    own = ancestor_mask(graph, exposed | 1 << y) & allowed
    own &= ~(descendant_mask(graph, causal) | exposed | 1 << y)
    if not _blocks(graph, exposed, y, own, causal):
        return None
    near = causal | 1 << y
    # What acts on the outcome makes the estimate more precise, so it is left out last.
    for v in sorted(bits(own), key=lambda v: bool(graph.children[v] & near)):
        if _blocks(graph, exposed, y, own & ~(1 << v), causal):
            own &= ~(1 << v)
    return frozenset(graph.names_of(own))
