"""The orientation rules R1 to R10: from a skeleton with some arrowheads to a partial ancestral graph (PAG).

Terms
-----
MAGs are *Markov equivalent* if they have the same m-separations. The *PAG* of an equivalence class has the edges that
all its MAGs share, an arrowhead or a tail wherever all of them have it, and a circle everywhere else. A triple a, b, c
with edges a - b - c is *unshielded* if a and c are not adjacent; it is an *unshielded collider* (an immorality) if
both edges have an arrowhead at b. A path t, q1, ..., qk, b, c (k > 0) is *discriminating* for b if t and c are not
adjacent and every q is a collider on the path and a parent of c: then b is either in every set that separates t and c
(a non-collider) or in none (a collider), although b and its neighbours on the path may form a triangle. A path is
*uncovered* if every three vertices in a row are an unshielded triple, and *possibly directed* if some choice of its
circles makes it a directed path.

The rules take a graph whose unshielded colliders are oriented and fill in circles: R1 to R4 find arrowheads, R5 to R7
undirected edges (only selection makes them), R8 to R10 the remaining tails. Zhang proved them complete: what is still a
circle afterwards differs between members of the class. R4 alone needs to know more than the graph says, namely what
a discriminating path hides; the caller answers that (:data:`Discriminated`), from the MAG itself, from separating
sets or by trying both.

Where Zhang's rules speak of uncovered *paths*, a search over *walks* is used, which is quick (to go on, a walk need
only know its last edge). It is as sound: the proofs only follow arrowheads from one vertex to the next, and a directed
walk that returns to its start is as impossible as a directed cycle. As the rules with paths are complete, walks find
the same marks.

References
----------
Zhang, *On the completeness of orientation rules for causal discovery in the presence of latent confounders and
selection bias*, Artificial Intelligence 172 (2008); the numbers of the rules and their letters a, b, c, t (for alpha,
beta, gamma, theta) are from there.
Spirtes, Meek and Richardson, *An algorithm for causal inference in the presence of latent variables and selection
bias*, in *Computation, Causation, and Discovery* (1999).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from weft.errors import GraphError
from weft.graphs.mixed import Mark, MixedGraph, bits

Discriminated = Callable[[int, int, int, int], bool | None]
"""Given a discriminating path for b from t to c whose last vertices are a, b, c, as ``(t, a, b, c)``: is b a collider
on it? ``None``: not known."""

Question = tuple[int, int, int, int]


class Contradiction(Exception):
    """A mark is to be both an arrowhead and a tail: no MAG fits. It ends a branch and never leaves this package."""


# -- the working copy ------------------------------------------------------------------------------------------------


class Draft:
    """A graph whose marks are being filled in; the working value of the algorithms here, never handed out.

    Every attribute holds a vertex set (bits) for each vertex v: ``adjacent``; ``arrow`` and ``tail``, the w whose edge
    with v has that mark *at v*; ``arrow_far`` and ``tail_far``, the w whose edge with v has it *at w*. A mark that is
    neither is a circle.
    """

    __slots__ = ("adjacent", "arrow", "arrow_far", "tail", "tail_far")

    def __init__(
        self, adjacent: list[int], arrow: list[int], tail: list[int], arrow_far: list[int], tail_far: list[int]
    ) -> None:
        self.adjacent = adjacent
        self.arrow = arrow
        self.tail = tail
        self.arrow_far = arrow_far
        self.tail_far = tail_far

    @classmethod
    def of(cls, graph: MixedGraph) -> Draft:
        """A working copy of a graph; ``<->`` beside ``->`` is not for PAGs and raises."""
        if graph.doubled:
            raise GraphError("a pair carries both '->' and '<->'; MAGs and PAGs have one edge a pair: take mag_of")
        return cls(
            list(graph.adjacencies),
            list(graph.near(Mark.ARROW)),
            list(graph.near(Mark.TAIL)),
            list(graph.far(Mark.ARROW)),
            list(graph.far(Mark.TAIL)),
        )

    @classmethod
    def skeleton(cls, adjacent: list[int]) -> Draft:
        """A draft with these edges and circles everywhere."""
        size = len(adjacent)
        return cls(adjacent, [0] * size, [0] * size, [0] * size, [0] * size)

    def copy(self) -> Draft:
        """An independent draft with the same edges and marks."""
        return Draft(self.adjacent, self.arrow[:], self.tail[:], self.arrow_far[:], self.tail_far[:])

    def freeze(self, names: tuple[str, ...]) -> MixedGraph:
        """The graph as it stands."""
        size = len(names)
        marks = bytearray(size * size)
        for v, adjacent in enumerate(self.adjacent):
            known = self.arrow_far[v] | self.tail_far[v]
            straight = adjacent & ~self.arrow_far[v]
            row = v * size
            for w in bits(adjacent):  # pcalg's numbers in binary: circle 01, arrowhead 10, tail 11
                marks[row + w] = (known >> w & 1) << 1 | straight >> w & 1
        return MixedGraph(names, bytes(marks))

    def circles(self, v: int) -> int:
        """The w whose edge with v has a circle at v."""
        return self.adjacent[v] & ~(self.arrow[v] | self.tail[v])

    def circles_far(self, v: int) -> int:
        """The w whose edge with v has a circle at w."""
        return self.adjacent[v] & ~(self.arrow_far[v] | self.tail_far[v])

    def parents(self, v: int) -> int:
        """The w with ``w -> v``."""
        return self.arrow[v] & self.tail_far[v]

    def put_arrow(self, v: int, w: int) -> None:
        """Put an arrowhead at v on its edge with w."""
        if self.tail[v] >> w & 1:
            raise Contradiction
        self.arrow[v] |= 1 << w
        self.arrow_far[w] |= 1 << v

    def put_tail(self, v: int, w: int) -> None:
        """Put a tail at v on its edge with w."""
        if self.arrow[v] >> w & 1:
            raise Contradiction
        self.tail[v] |= 1 << w
        self.tail_far[w] |= 1 << v

    def put_directed(self, v: int, w: int) -> None:
        """Make the edge between v and w ``v -> w``."""
        self.put_tail(v, w)
        self.put_arrow(w, v)


def unshielded_colliders(adjacent: list[int], arrow: list[int]) -> tuple[tuple[int, int, int], ...]:
    """The unshielded colliders, each once as ``(b, a, c)`` with ``a < c``, in increasing order."""
    found: list[tuple[int, int, int]] = []
    for b, into in enumerate(arrow):
        left = into
        while left:
            a = (left & -left).bit_length() - 1
            left &= left - 1
            if strangers := left & ~adjacent[a]:
                found += ((b, a, c) for c in bits(strangers))
    return tuple(found)


# -- the rules -------------------------------------------------------------------------------------------------------

Rule = Callable[[Draft, int, int], bool]
"""Looks at one circle, at vertex v on its edge with w; fills it in if it can, and says whether it did."""


def _rule_1(draft: Draft, b: int, c: int) -> bool:
    """``a *-> b o-* c``, a and c not adjacent: b is no collider, so ``b -> c``."""
    if draft.arrow[b] & ~draft.adjacent[c]:
        draft.put_directed(b, c)
        return True
    return False


def _rule_2(draft: Draft, c: int, a: int) -> bool:
    """``a -> b *-> c`` or ``a *-> b -> c``, and ``a *-o c``: c is no ancestor of a, so ``a *-> c``."""
    between = draft.arrow_far[a] & draft.arrow[c]
    if between and between & (draft.tail[a] | draft.tail_far[c]):
        draft.put_arrow(c, a)
        return True
    return False


def _rule_3(draft: Draft, b: int, t: int) -> bool:
    """``a *-> b <-* c``, ``a *-o t o-* c``, a and c not adjacent, and ``t *-o b``: ``t *-> b``."""
    around = draft.arrow[b] & draft.adjacent[t]
    if around and _has_strangers(draft, around & draft.circles(t)):
        draft.put_arrow(b, t)
        return True
    return False


def _has_strangers(draft: Draft, vertices: int) -> bool:
    """Whether two of these vertices are not adjacent."""
    return any(vertices & ~draft.adjacent[v] & ~(1 << v) for v in bits(vertices))


def _rule_4(discriminated: Discriminated, unanswered: list[Question]) -> Rule:
    """A path discriminates b, and ``b o-* c``: ``b -> c`` if b is no collider, else ``a <-> b <-> c``."""

    def rule(draft: Draft, b: int, c: int) -> bool:
        question = _discriminating_path(draft, b, c)
        if not question:
            return False
        collider = discriminated(*question)
        if collider is None:
            unanswered.append(question)
            return False
        _settle(draft, question, collider)
        return True

    return rule


def _discriminating_path(draft: Draft, b: int, c: int) -> Question | None:
    """A discriminating path for b that ends with c, if there is one."""
    parents = draft.arrow[c] & draft.tail_far[c]
    for a in bits(draft.arrow_far[b] & parents):
        reached = frontier = 1 << a
        while frontier:
            q = frontier.bit_length() - 1
            if ends := draft.arrow[q] & ~draft.adjacent[c]:
                return (ends & -ends).bit_length() - 1, a, b, c
            following = draft.arrow[q] & draft.arrow_far[q] & parents & ~reached
            reached |= following
            frontier ^= 1 << q | following
    return None


def _settle(draft: Draft, question: Question, collider: bool) -> None:
    _, a, b, c = question
    if collider:
        draft.put_arrow(b, a)
        draft.put_arrow(b, c)
        draft.put_arrow(c, b)
    else:
        draft.put_directed(b, c)


def _rule_5(steps: list[int]) -> Rule:
    """``a o-o b`` on an uncovered cycle of ``o-o`` edges: an arrowhead would drive all the way round, so ``a -- b``.

    ``steps`` are the ``o-o`` edges before any is made undirected.
    """

    def rule(draft: Draft, a: int, b: int) -> bool:
        if not steps[a] >> b & 1:
            return False
        arrivals = _uncovered_walks(draft, steps, b, a)
        if not arrivals[b] & ~draft.adjacent[a] & ~(1 << a):
            return False
        draft.put_tail(a, b)
        draft.put_tail(b, a)
        return True

    return rule


def _uncovered_walks(draft: Draft, steps: list[int], start: int, first: int) -> list[int]:
    """For each vertex, those from which an uncovered walk that begins with ``start``, ``first`` arrives at it."""
    arrivals = [0] * len(steps)
    arrivals[first] = 1 << start
    ends = [(start, first)]
    while ends:
        before, here = ends.pop()
        for following in bits(steps[here] & ~draft.adjacent[before] & ~(1 << before)):
            if not arrivals[following] >> here & 1:
                arrivals[following] |= 1 << here
                ends.append((here, following))
    return arrivals


def _rule_6(draft: Draft, b: int, c: int) -> bool:
    """``a -- b o-* c``: no arrowhead stands at the end of an undirected edge, so ``b --* c``."""
    if draft.tail[b] & draft.tail_far[b]:
        draft.put_tail(b, c)
        return True
    return False


def _rule_7(draft: Draft, b: int, c: int) -> bool:
    """``a --o b o-* c``, a and c not adjacent: ``b --* c``."""
    if draft.circles(b) & draft.tail_far[b] & ~draft.adjacent[c] & ~(1 << c):
        draft.put_tail(b, c)
        return True
    return False


def _rule_8(draft: Draft, a: int, c: int) -> bool:
    """``a -> b -> c`` or ``a --o b -> c``, and ``a o-> c``: ``a -> c``."""
    if draft.arrow_far[a] >> c & 1 and draft.tail[a] & ~draft.tail_far[a] & draft.parents(c):
        draft.put_tail(a, c)
        return True
    return False


def _rules_9_and_10(steps: list[int]) -> Rule:
    """``a o-> c``, and one of two ways in which an arrowhead at a would make a an ancestor of c: ``a -> c``.

    R9: an uncovered possibly directed path a, b, ..., c with b and c not adjacent. R10: two such paths from a to
    parents of c, whose second vertices are different and not adjacent. ``steps`` are the steps that a possibly directed
    path may take; the tails of R8 to R10 leave them as they are.
    """
    reached: dict[int, list[tuple[int, int]]] = {}

    def rule(draft: Draft, a: int, c: int) -> bool:
        if not draft.arrow_far[a] >> c & 1:
            return False
        if a not in reached:
            reached[a] = [(first, _reached(draft, steps, a, first)) for first in bits(steps[a])]
        if _must_cause(draft, reached[a], c):
            draft.put_tail(a, c)
            return True
        return False

    return rule


def _reached(draft: Draft, steps: list[int], start: int, first: int) -> int:
    """The vertices at the end of uncovered walks that begin with ``start``, ``first``."""
    return sum(1 << v for v, before in enumerate(_uncovered_walks(draft, steps, start, first)) if before)


def _must_cause(draft: Draft, reached: list[tuple[int, int]], c: int) -> bool:
    """Whether R9 or R10 applies, given what walks from a reach by their first step."""
    parents = draft.parents(c)
    to_parents = 0
    for first, ends in reached:
        if ends >> c & 1 and not draft.adjacent[c] >> first & 1 and first != c:
            return True
        if ends & parents:
            to_parents |= 1 << first
    return _has_strangers(draft, to_parents)


# -- applying them ---------------------------------------------------------------------------------------------------


def _apply(draft: Draft, *rules: Rule) -> bool:
    """Try the rules on every circle, once; return whether one applied."""
    changed = False
    arrow, tail = draft.arrow, draft.tail
    for v, adjacent in enumerate(draft.adjacent):
        circles = adjacent & ~(arrow[v] | tail[v])
        while circles:
            w = circles.bit_length() - 1
            circles ^= 1 << w
            for rule in rules:
                if rule(draft, v, w):
                    changed = True
                    circles &= ~(arrow[v] | tail[v])
                    break
    return changed


def orient_arrowheads(draft: Draft, discriminated: Discriminated) -> Question | None:
    """Apply R1 to R4 until none applies; return a question of R4 that stayed without answer, if any."""
    unanswered: list[Question] = []
    rule_4 = _rule_4(discriminated, unanswered)
    while _apply(draft, _rule_1, _rule_2, _rule_3, rule_4):
        unanswered.clear()
    return unanswered[0] if unanswered else None


def orient_tails(draft: Draft, *, selection: bool) -> bool:
    """Apply R5 to R7 (if there may be selection) and R8 to R10 until none applies; return whether one did."""
    size = len(draft.adjacent)
    changed = False
    if selection:
        changed |= _apply(draft, _rule_5([draft.circles(v) & draft.circles_far(v) for v in range(size)]))
        while _apply(draft, _rule_6, _rule_7):
            changed = True
    forward = [draft.adjacent[v] & ~draft.arrow[v] & ~draft.tail_far[v] for v in range(size)]
    rules_9_and_10 = _rules_9_and_10(forward)
    while _apply(draft, _rule_8, rules_9_and_10):
        changed = True
    return changed


def orient(draft: Draft, discriminated: Discriminated, *, selection: bool) -> Question | None:
    """Apply all rules until none applies; return a question of R4 that stayed without answer, if any."""
    question = orient_arrowheads(draft, discriminated)
    while orient_tails(draft, selection=selection):
        question = orient_arrowheads(draft, discriminated)
    return question


def complete_orientations(
    graph: MixedGraph, *, discriminated: Discriminated, selection: bool = False
) -> Iterator[MixedGraph]:
    """Every graph that the rules R1 to R10 make of a graph whose unshielded colliders are oriented.

    There is one for each way to answer the questions of R4 that ``discriminated`` leaves open (by ``None``), so exactly
    one if it leaves none; ways that contradict themselves are left out. A graph that comes out is closed under the
    rules and has the unshielded colliders that came in; whether it is the PAG of a class, :func:`is_pag
    <weft.graphs.equivalence.is_pag>` decides.

    Parameters
    ----------
    graph
        Edges with circles, and with arrowheads or tails where they are known. It is not changed.
    discriminated
        Answers R4, over vertex indices; see :data:`Discriminated`.
    selection
        Whether there may be undirected edges (R5 to R7).

    Examples
    --------
    >>> graph = MixedGraph.parse("T o-> A; B o-> A; A o-o C; B o-o C")
    >>> for pag in complete_orientations(graph, discriminated=lambda t, a, b, c: None):
    ...     print(pag)
    A <-> B; A -> C; T o-> A; B <-> C
    B o-> A; A -> C; T o-> A; B -> C
    """
    start = Draft.of(graph)
    colliders = unshielded_colliders(start.adjacent, start.arrow)
    waiting = [start]
    while waiting:
        draft = waiting.pop()
        try:
            question = orient(draft, discriminated, selection=selection)
        except Contradiction:
            continue
        if question:
            waiting += _both_ways(draft, question)
        elif unshielded_colliders(draft.adjacent, draft.arrow) == colliders:
            yield draft.freeze(graph.names)


def _both_ways(draft: Draft, question: Question) -> Iterator[Draft]:
    for collider in (False, True):
        branch = draft.copy()
        try:
            _settle(branch, question, collider)
        except Contradiction:
            continue
        yield branch


def complete_orientation(
    graph: MixedGraph, *, discriminated: Discriminated, selection: bool = False
) -> MixedGraph | None:
    """The graph that the rules R1 to R10 make of a graph whose unshielded colliders are oriented.

    ``None`` if they lead to a contradiction or to a further unshielded collider: then no MAG has these edges and marks,
    no other unshielded collider, and the colliders that ``discriminated`` says. Where that says ``None`` the circle
    stays; :func:`complete_orientations` tries both ways instead, and tells more about the parameters.

    >>> def unknown(t, a, b, c):
    ...     return None
    >>> print(complete_orientation(MixedGraph.parse("A o-> B; C o-> B; B o-o D"), discriminated=unknown))
    A o-> B; C o-> B; B -> D
    """
    draft = Draft.of(graph)
    colliders = unshielded_colliders(draft.adjacent, draft.arrow)
    try:
        orient(draft, discriminated, selection=selection)
    except Contradiction:
        return None
    if unshielded_colliders(draft.adjacent, draft.arrow) != colliders:
        return None
    return draft.freeze(graph.names)
