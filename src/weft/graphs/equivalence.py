"""Markov equivalence of MAGs: the classes, their PAGs, and the MAGs of a PAG.

Two MAGs are *Markov equivalent* if they have the same m-separations; data alone cannot tell them apart. The PAG of a
MAG (:func:`pag_of`) shows what its whole class shares; :func:`mag_in` finds one MAG of a PAG, :func:`mags_of` all of
them, and :class:`MagClasses` sorts a stream of MAGs into classes.

Membership is decided by one fact. Let P be the PAG of a MAG, and let H be a MAG with the same edges and the same
unshielded colliders (see :mod:`~weft.graphs.pag`). *H is in the class exactly if it has every arrowhead and every tail
of P.* Only "if" is not plain. Run the rules for H: they begin with the same graph, and as long as every mark so far is
one of P, each discriminating path that R4 meets lies in both MAGs, and the marks that R4 takes from H are those of P.
So P is the PAG of H too; and MAGs with the same PAG are equivalent, since both are equivalent to :func:`mag_in` of it.
(The tests check every MAG of four variables, and every MAG of five up to the names of its variables.)

A class that holds a MAG without ``--`` has the same PAG whether or not its MAGs with ``--`` are counted in: undirected
edges widen what a circle stands for, not where circles are. Where R5 to R7 apply, every MAG of the class has a ``--``.

References
----------
Zhang, *On the completeness of orientation rules for causal discovery in the presence of latent confounders and
selection bias*, Artificial Intelligence 172 (2008): Theorem 2 is :func:`mag_in`.
Spirtes and Richardson, *A polynomial time algorithm for determining DAG equivalence in the presence of latent variables
and selection bias*, AISTATS 1997.
Ali, Richardson and Spirtes, *Markov equivalence for ancestral graphs*, Annals of Statistics 37 (2009).
Tarjan and Yannakakis, *Simple linear-time algorithms to test chordality of graphs...*, SIAM Journal on Computing 13
(1984): maximum cardinality search.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import reduce
from operator import or_

from weft.errors import GraphError
from weft.graphs.mixed import Mark, MixedGraph, bits
from weft.graphs.pag import (
    Contradiction,
    Discriminated,
    Draft,
    orient,
    orient_arrowheads,
    unshielded_colliders,
)

# -- equivalence and PAGs --------------------------------------------------------------------------------------------


def markov_equivalent(a: MixedGraph, b: MixedGraph) -> bool:
    """Whether two MAGs have the same m-separations; MAGs over different variables have not.

    >>> chain, fork = MixedGraph.parse("X -> Y -> Z"), MixedGraph.parse("X <- Y -> Z")
    >>> markov_equivalent(chain, fork), markov_equivalent(chain, MixedGraph.parse("X -> Y <- Z"))
    (True, False)
    """
    one, other = _mag_draft(a), _mag_draft(b)
    if a.names != b.names or one.adjacent != other.adjacent:
        return False
    if unshielded_colliders(one.adjacent, one.arrow) != unshielded_colliders(other.adjacent, other.arrow):
        return False
    pag = _pag(one)
    return all(
        not (arrow & ~here or tail & ~there)
        for arrow, here, tail, there in zip(pag.arrow, other.arrow, pag.tail, other.tail, strict=True)
    )


def pag_of(mag: MixedGraph, *, selection: bool = False) -> MixedGraph:
    """The PAG of the MAGs that are Markov equivalent to ``mag``.

    Parameters
    ----------
    mag
        A MAG, with or without ``--``.
    selection
        Whether MAGs with undirected edges count as members. If not, and each of them has one, there is no PAG:
        :class:`~weft.errors.GraphError`.

    Examples
    --------
    >>> print(pag_of(MixedGraph.parse("X -> Y; Z -> Y; Y -> W")))
    Y -> W; X o-> Y; Z o-> Y
    >>> print(pag_of(MixedGraph.parse("A -- B -- C -- D -- A"), selection=True))
    A -- B; A -- D; B -- C; C -- D
    """
    pag = _pag(_mag_draft(mag))
    if _has_line(pag) and not selection:
        raise GraphError("every MAG equivalent to this one has an undirected edge '--'; allow them with selection=True")
    return pag.freeze(mag.names)


def _mag_draft(graph: MixedGraph) -> Draft:
    draft = Draft.of(graph)
    if graph.has_circles:
        raise GraphError("a MAG has no circles; take one of the PAG's MAGs with mag_in or mags_of")
    ancestors = _ancestors(draft)
    if not _is_ancestral(draft, ancestors):
        raise GraphError("the graph is not ancestral, so it is no MAG; take its mag_of")
    if not _is_maximal(draft, ancestors):
        raise GraphError("the graph is not maximal, so it is no MAG; take its mag_of")
    return draft


def _has_line(draft: Draft) -> bool:
    """Whether some edge is undirected."""
    return any(here & far for here, far in zip(draft.tail, draft.tail_far, strict=True))


def _pag(mag: Draft) -> Draft:
    """The skeleton with circles and the unshielded colliders of the MAG, after the rules; the MAG itself answers R4."""
    pag = Draft.skeleton(mag.adjacent)
    for b, a, c in unshielded_colliders(mag.adjacent, mag.arrow):
        pag.put_arrow(b, a)
        pag.put_arrow(b, c)
    orient(pag, _discriminated_in(mag), selection=_has_line(mag))  # where R5 to R7 apply, every member has a --
    return pag


def _discriminated_in(mag: Draft) -> Discriminated:
    arrow = mag.arrow
    return lambda t, a, b, c: bool(arrow[b] >> c & 1)


def is_pag(graph: MixedGraph, *, selection: bool = False) -> bool:
    """Whether a graph is the PAG of some class of MAGs.

    >>> is_pag(MixedGraph.parse("X o-o Y; Y o-o Z")), is_pag(MixedGraph.parse("X o-> Y; Y o-o Z"))
    (True, False)
    """
    if graph.doubled:
        return False
    draft = Draft.of(graph)
    if _has_line(draft) and not selection:
        return False
    mag = _mag_in(draft)
    ancestors = _ancestors(mag)
    if not _is_ancestral(mag, ancestors) or not _is_maximal(mag, ancestors):
        return False
    pag = _pag(mag)
    return pag.arrow == draft.arrow and pag.tail == draft.tail


# -- MAGs, on drafts without circles ---------------------------------------------------------------------------------


def _ancestors(draft: Draft) -> list[int]:
    """For each vertex, those with a directed path of at least one edge into it."""
    return _closure([arrow & tail for arrow, tail in zip(draft.arrow, draft.tail_far, strict=True)])


def _closure(above: list[int]) -> list[int]:
    """For each vertex, those above it by one step or more."""
    for middle in range(len(above)):
        through = above[middle]
        if through:
            above = [mask | through if mask >> middle & 1 else mask for mask in above]
    return above


def _is_ancestral(draft: Draft, ancestors: list[int]) -> bool:
    for v, above in enumerate(ancestors):
        if above & (1 << v | draft.arrow_far[v]):  # a directed cycle, or an arrowhead at an ancestor
            return False
        if draft.arrow[v] and draft.tail[v] & draft.tail_far[v]:
            return False
    return True


def _is_maximal(draft: Draft, ancestors: list[int]) -> bool:
    """Whether no inducing path joins two vertices that are not adjacent, in an ancestral graph.

    Inside such a path every vertex is a collider and an ancestor of an end. There are two or more: a single one would
    have an arrowhead from its own descendant. So each has a spouse and a descendant, and few vertices qualify.
    """
    arrow_far = draft.arrow_far
    spouses = [here & far for here, far in zip(draft.arrow, arrow_far, strict=True)]
    hubs = _members_of_any(ancestors) & _members_of_any(spouses)
    ends = [v for v, far in enumerate(arrow_far) if far & hubs]
    return not any(
        _has_collider_path(spouses, arrow_far[x], arrow_far[y], hubs & (ancestors[x] | ancestors[y]))
        for x in ends
        for y in ends
        if x < y and not draft.adjacent[x] >> y & 1
    )


def _members_of_any(sets: list[int]) -> int:
    return reduce(or_, sets, 0)


def _has_collider_path(spouses: list[int], start: int, goal: int, inside: int) -> bool:
    """Whether a path of ``<->`` edges leads from ``start`` to ``goal``, all of it in ``inside``."""
    goal &= inside
    reached = frontier = start & inside if goal else 0
    while frontier and not reached & goal:
        following = 0
        for v in bits(frontier):
            following |= spouses[v]
        frontier = following & inside & ~reached
        reached |= frontier
    return bool(reached & goal)


# -- MAGs of a PAG ---------------------------------------------------------------------------------------------------


def mag_in(pag: MixedGraph) -> MixedGraph:
    """One MAG of a PAG's class, without any ``<->`` or ``--`` that is not in the PAG.

    ``o->`` becomes ``->`` and ``o--`` becomes ``<-``; the ``o-o`` edges, which form a chordal graph, become an acyclic
    directed graph without unshielded colliders: each points away from the vertex that maximum cardinality search visits
    first. A graph that is not a PAG gives a graph that need not be a MAG; :func:`is_pag` checks.

    >>> print(mag_in(MixedGraph.parse("X o-> Y; Z o-> Y; Y -> W; A o-o B; B o-o C")))
    A -> B; B -> C; Y -> W; X -> Y; Z -> Y
    """
    return _mag_in(Draft.of(pag)).freeze(pag.names)


def _mag_in(pag: Draft) -> Draft:
    mag = pag.copy()
    size = len(pag.arrow)
    circle_edges = [0] * size
    for v in range(size):
        circles = pag.circles(v)
        circle_edges[v] = circles & ~(pag.arrow_far[v] | pag.tail_far[v])
        for w in bits(circles & pag.arrow_far[v]):
            mag.put_tail(v, w)
        for w in bits(circles & pag.tail_far[v]):
            mag.put_arrow(v, w)
    visited = 0
    for v in _maximum_cardinality_order(circle_edges):
        for w in bits(circle_edges[v] & visited):
            mag.put_directed(w, v)
        visited |= 1 << v
    return mag


def _maximum_cardinality_order(neighbours: list[int]) -> Iterator[int]:
    """The vertices, next always one with the most neighbours among those before; if chordal, these form a clique."""
    visited = 0
    left = set(range(len(neighbours)))
    while left:
        v = max(left, key=lambda u: ((neighbours[u] & visited).bit_count(), -u))
        yield v
        visited |= 1 << v
        left.remove(v)


def mags_of(pag: MixedGraph, *, selection: bool = False) -> Iterator[MixedGraph]:
    """All MAGs of a PAG's class, one by one, in an order that depends on the PAG alone.

    Circles are filled in one after the other, depth first, and after each the rules R1 to R4 and ancestry fill in what
    follows or find a contradiction. Memory does not grow with the number of MAGs.

    Parameters
    ----------
    pag
        A PAG; anything else raises :class:`~weft.errors.GraphError`.
    selection
        Whether to list MAGs with undirected edges too.

    Examples
    --------
    >>> for mag in mags_of(MixedGraph.parse("X o-> Y; Z o-> Y"), selection=True):
    ...     print(mag)
    X -> Y; Z -> Y
    X -> Y; Y <-> Z
    X <-> Y; Z -> Y
    X <-> Y; Y <-> Z
    >>> len(list(mags_of(MixedGraph.parse("X o-o Y"), selection=True)))
    4
    """
    if _has_line(Draft.of(pag)) and not selection:
        raise GraphError("the PAG has an undirected edge '--'; allow such MAGs with selection=True")
    if not is_pag(pag, selection=selection):
        raise GraphError("the graph is not the PAG of any MAG; take pag_of a MAG")
    return (draft.freeze(pag.names) for draft in _members(Draft.of(pag), selection=selection))


def _members(pag: Draft, *, selection: bool) -> Iterator[Draft]:
    colliders = unshielded_colliders(pag.adjacent, pag.arrow)
    discriminated = _discriminated_in_class(_mag_in(pag))
    waiting = [pag.copy()]
    while waiting:
        draft = waiting.pop()
        try:
            ancestors = _fill_in(draft, discriminated, selection=selection)
        except Contradiction:
            continue
        if circle := _first_circle(draft):
            waiting += _both_marks(draft, *circle)
        elif _is_maximal(draft, ancestors) and unshielded_colliders(draft.adjacent, draft.arrow) == colliders:
            yield draft


def _both_marks(draft: Draft, v: int, w: int) -> tuple[Draft, Draft]:
    """The draft with an arrowhead and with a tail in place of the circle at v on its edge with w; the tail is last."""
    with_arrow = draft.copy()
    with_arrow.put_arrow(v, w)
    draft.put_tail(v, w)
    return with_arrow, draft


def _discriminated_in_class(mag: Draft) -> Discriminated:
    """Answers R4 for all members of a MAG's class, also where a path discriminates in some other member only.

    The anterior vertices of two that are not adjacent (those with a path of ``->`` and ``--`` into one of them)
    separate them, and what a path between them discriminates is a collider exactly if it is not in a separating set.
    """
    anterior = _closure(mag.tail_far)
    return lambda t, a, b, c: not (anterior[t] | anterior[c]) >> b & 1


def _fill_in(draft: Draft, discriminated: Discriminated, *, selection: bool) -> list[int]:
    """Fill in what follows for an ancestral graph from the marks so far; return each vertex's ancestors."""
    while True:
        orient_arrowheads(draft, discriminated)
        changed = _fill_in_lines(draft, selection=selection)
        ancestors = _ancestors(draft)
        if not _is_ancestral(draft, ancestors):
            raise Contradiction
        for v, above in enumerate(ancestors):
            for w in bits(above & draft.adjacent[v] & ~(draft.arrow[v] & draft.tail_far[v])):
                draft.put_directed(w, v)
                changed = True
        if not changed:
            return ancestors


def _fill_in_lines(draft: Draft, *, selection: bool) -> bool:
    """Make ``v --o w`` into ``v -> w`` where ``--`` cannot be, and ``v o-* w`` into ``v --* w`` if v has a ``--``."""
    changed = False
    for v, tail in enumerate(draft.tail):
        half = tail & ~(draft.arrow_far[v] | draft.tail_far[v])
        if half and (draft.arrow[v] or not selection):
            changed = True
            for w in bits(half):
                draft.put_arrow(w, v)
        circles = draft.circles(v)
        if circles and tail & draft.tail_far[v]:
            changed = True
            for w in bits(circles):
                draft.put_tail(v, w)
    return changed


def _first_circle(draft: Draft) -> tuple[int, int] | None:
    for v in range(len(draft.arrow)):
        circles = draft.circles(v)
        if circles:
            return v, (circles & -circles).bit_length() - 1
    return None


# -- sorting MAGs into classes ---------------------------------------------------------------------------------------

_EDGE = bytes([0]) + bytes([1]) * 255
_ARROW = bytes(ord("1") if mark == Mark.ARROW else ord("0") for mark in range(256))
_FIXED = bytes([255 if mark != Mark.CIRCLE else 0 for mark in range(256)])


class MagClasses:
    """Sorts MAGs over the same variables into Markov equivalence classes, as they come.

    The graphs are trusted to be MAGs. A class is looked up by the MAG's edges and unshielded colliders, then by the
    marks of the PAG, all compared at once as one number.

    Examples
    --------
    >>> classes = MagClasses()
    >>> [classes.add(MixedGraph.parse(text)) for text in ("X -> Y -> Z", "X -> Y <- Z", "X <- Y <- Z")]
    [0, 1, 0]
    >>> print(classes.pag(1))
    X o-> Y; Z o-> Y
    """

    def __init__(self) -> None:
        self._names: tuple[str, ...] | None = None
        self._pags: list[MixedGraph] = []
        self._triples: dict[bytes, tuple[int, ...]] = {}
        self._known: dict[tuple[bytes, tuple[int, ...]], list[tuple[int, int, int]]] = {}

    def __len__(self) -> int:
        """The number of classes so far."""
        return len(self._pags)

    def pag(self, number: int) -> MixedGraph:
        """The PAG of a class."""
        return self._pags[number]

    def add(self, mag: MixedGraph) -> int:
        """The number of the MAG's class: 0 for the first class met, 1 for the second, and so on."""
        if self._names is None:
            self._names = mag.names
        elif mag.names != self._names:
            raise GraphError(f"classes of MAGs over {', '.join(self._names)} take no MAG over {', '.join(mag.names)}")
        known = self._known.setdefault(self._key(mag), [])
        marks = int.from_bytes(mag.marks)
        for fixed, value, number in known:
            if marks & fixed == value:
                return number
        pag = _pag(Draft.of(mag)).freeze(mag.names)
        fixed = int.from_bytes(pag.marks.translate(_FIXED))
        known.append((fixed, int.from_bytes(pag.marks) & fixed, len(self._pags)))
        self._pags.append(pag)
        return len(self._pags) - 1

    def _key(self, mag: MixedGraph) -> tuple[bytes, tuple[int, ...]]:
        """The edges, and which unshielded triples are colliders (each as two bits of the mark matrix)."""
        edges = mag.marks.translate(_EDGE)
        triples = self._triples.get(edges)
        if triples is None:
            triples = self._triples[edges] = _unshielded_triples(mag)
        arrows = int(mag.marks.translate(_ARROW) or b"0", 2)
        return edges, tuple([triple for triple in triples if arrows & triple == triple])


def _unshielded_triples(graph: MixedGraph) -> tuple[int, ...]:
    """Each unshielded triple a, b, c as the bits of the two marks at b, in the matrix read as a binary number."""
    adjacent = list(graph.adjacencies)
    last = graph.size * graph.size - 1
    return tuple(
        1 << last - (a * graph.size + b) | 1 << last - (c * graph.size + b)
        for b, a, c in unshielded_colliders(adjacent, adjacent)
    )
