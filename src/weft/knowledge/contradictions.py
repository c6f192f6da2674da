"""Whether knowledge contradicts itself: a search for one latent-variable model that has every fact.

The search keeps what every model that is left must have: who causes whom (``must``) and who cannot (``may``), edges
and common causes that were asked for. From that it makes the *least* model: an edge from each cause to its next
effects and nothing else that was not asked for. If the least model has every fact, there is a model. If it lacks one,
each way to put that right is tried in turn:

- a common cause is missing: any two variables above the pair may be joined by ``<->``, or one variable above both will
  do; the directed paths from there that must avoid one of the pair are laid edge by edge, from below;
- an inducing path or a trek is there that must not be: the edges and common causes that were asked for are in every
  model that is left, so one of the other edges ``u -> v`` must go: there is a variable between u and v;
- a direct edge ``u -> v`` is forbidden: likewise;
- a structure is not allowed: one of the allowed ones it must be.

Every model that is left has one of these, so the search is complete. It takes time exponential in the worst case (the
question is NP-hard: it holds the consistency of partial orders) and a few steps in practice. Variables that no item
names are interchangeable; only one that is still unused is tried.

Why :mod:`weft.search` is not asked instead:

- ``no direct edge X -> Y`` speaks of the latent-variable model, and the search's models have every edge of their MAG:
  it cannot tell an edge that stands for an inducing path from a direct one. Knowledge is imposed on a search only
  where the item comes to the same as "X does not cause Y" or "not adjacent"
  (:attr:`~weft.knowledge.Knowledge.constraints`), and to know where that is takes the closure below. Here the item is
  exact, so that a contradiction that rests on it is called one.
- Before any evidence there is nothing that excludes edges, and the search's program grows with the cube of the
  variables: for tiers over 60 variables 4 seconds and 230 MB, over 100 variables 18 seconds and 930 MB, against 0.01
  seconds here.
- While the variables are not known, there may be any number of others; a search needs to know them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from operator import or_

from weft.graphs.criteria import Structure
from weft.graphs.mixed import Edge, Mark, MixedGraph, bits
from weft.knowledge.items import Fact, Kind

Pair = tuple[int, int]
Masks = tuple[int, ...]


def most_steps(size: int) -> int:
    """The steps that a search may take, by the number of variables: about two seconds' worth.

    >>> most_steps(4), most_steps(40)
    (20000, 500)
    """
    return min(20_000, 800_000 // max(size, 1) ** 2)


class UndecidedError(Exception):
    """The search took too many steps."""


class _Impossible(Exception):
    """What is certain and what is impossible contradict each other."""


def find_model(facts: Iterable[Fact], names: Sequence[str], steps: int | None = None) -> MixedGraph | None:
    """A latent-variable model over ``names`` that has every fact; ``None`` if there is none.

    Raises :class:`UndecidedError` when that is not known after so many steps (:func:`most_steps`, if not given).

    >>> facts = [Fact(Kind.CAUSES, "X", "Y"), Fact(Kind.NOT_ADJACENT, "X", "Y")]
    >>> print(find_model(facts, "XY"), "|", find_model(facts, "XYZ"))
    None | X -> Z; Z -> Y
    """
    space = _Space.of(facts, names)
    steps = most_steps(len(names)) if steps is None else steps
    open_ways = [iter((space.start,))]
    while open_ways:
        state = next(open_ways[-1], None)
        if state is None:
            open_ways.pop()
            continue
        if not steps:
            raise UndecidedError
        steps -= 1
        try:
            state = space.closed(state)
        except _Impossible:
            continue
        ways = space.ways(state)
        if ways is None:
            return space.graph(state)
        open_ways.append(ways)
    return None


def never_causes(facts: Iterable[Fact], names: Sequence[str]) -> frozenset[tuple[str, str]] | None:
    """The (x, y) for which the facts exclude that x causes y, as far as their closure tells; ``None``: a contradiction.

    >>> sorted(never_causes([Fact(Kind.CAUSES, "X", "Y"), Fact(Kind.NOT_CAUSES, "X", "Z")], "XYZ"))
    [('X', 'Z'), ('Y', 'X'), ('Y', 'Z')]
    """
    space = _Space.of(facts, names)
    try:
        state = space.closed(space.start)
    except _Impossible:
        return None
    return frozenset(
        (x, y) for i, x in enumerate(names) for j, y in enumerate(names) if i != j and not state.may[i] >> j & 1
    )


@dataclass(frozen=True)
class _State:
    """What every model that is left has. Vertex sets are bits, one per vertex."""

    must: Masks
    """The effects that each vertex has."""
    may: Masks
    """The effects that each vertex may have."""
    edges: Masks
    """The children that were asked for."""
    common: Masks
    """The ``<->`` that were asked for."""
    confounded: frozenset[Pair]
    """Pairs that a trek must join, and no way was chosen yet."""
    settled: frozenset[Pair]
    """Pairs that a trek must join, and a way was chosen."""
    unconfounded: frozenset[Pair]
    paths: tuple[tuple[int, int, int], ...]
    """The (a, b, c) where a directed path must lead from a to b around c."""


@dataclass(frozen=True)
class _Space:
    """What does not change in a search."""

    names: tuple[str, ...]
    not_adjacent: Masks
    no_direct: Masks
    """For each vertex those that it must not point at, the vertices that it is not adjacent to included."""
    allowed: tuple[tuple[int, int, frozenset[Structure]], ...]
    alike: tuple[int, ...]
    """Sets of vertices that no fact tells apart."""
    start: _State = field(repr=False)

    @classmethod
    def of(cls, facts: Iterable[Fact], names: Sequence[str]) -> _Space:
        facts = list(dict.fromkeys(facts))
        index = {name: i for i, name in enumerate(names)}
        size = len(names)

        def masks(kind: Kind, *, both: bool = False) -> list[int]:
            found = [0] * size
            for fact in facts:
                if fact.kind is kind:
                    found[index[fact.x]] |= 1 << index[fact.y]
                    found[index[fact.y]] |= both << index[fact.x]
            return found

        def pairs(kind: Kind) -> frozenset[Pair]:
            ends = ((index[fact.x], index[fact.y]) for fact in facts if fact.kind is kind)
            return frozenset((min(pair), max(pair)) for pair in ends)

        edges, not_adjacent = masks(Kind.DIRECT), masks(Kind.NOT_ADJACENT, both=True)
        others = [(1 << size) - 1 & ~(1 << v) for v in range(size)]
        start = _State(
            must=tuple(map(or_, masks(Kind.CAUSES), edges)),
            may=tuple(may & ~never for may, never in zip(others, masks(Kind.NOT_CAUSES), strict=True)),
            edges=tuple(edges),
            common=(0,) * size,
            confounded=pairs(Kind.CONFOUNDED),
            settled=frozenset(),
            unconfounded=pairs(Kind.NOT_CONFOUNDED),
            paths=(),
        )
        return cls(
            tuple(names),
            tuple(not_adjacent),
            tuple(map(or_, masks(Kind.NO_DIRECT), not_adjacent)),
            tuple((index[fact.x], index[fact.y], fact.allowed) for fact in facts if fact.kind is Kind.ALLOWED),
            _alike(facts, names),
            start,
        )

    # -- what follows ------------------------------------------------------------------------------------------------

    def closed(self, state: _State) -> _State:
        """What follows from a state; raises if it contradicts itself."""
        before = None
        while before != state:
            before = state
            state = self._decided(state)
            must, may = list(state.must), list(state.may)
            _close(must, may)
            for x in range(len(must)):
                may[x] &= _reach(may, self.no_direct, x)
                if must[x] & ~may[x] or state.edges[x] & self.no_direct[x] or state.common[x] & self.not_adjacent[x]:
                    raise _Impossible
            state = replace(state, must=tuple(must), may=tuple(may))
        both = (state.confounded | state.settled) & state.unconfounded
        if both or not all(self._may_be_confounded(state, x, y) for x, y in state.confounded):
            raise _Impossible
        if any(_is_confounded(state, x, y) for x, y in state.unconfounded):
            raise _Impossible
        return state

    def _left(self, state: _State, x: int, y: int, allowed: frozenset[Structure]) -> list[Structure]:
        """The allowed structures that a state does not exclude."""
        pair = (min(x, y), max(x, y))
        confounded = pair in state.confounded or pair in state.settled
        return [
            one
            for one in Structure
            if one in allowed
            and (state.may[x] >> y & 1 if one.causes else not state.must[x] >> y & 1)
            and (state.may[y] >> x & 1 if one.caused else not state.must[y] >> x & 1)
            and (pair not in state.unconfounded if one.confounded else not confounded)
        ]

    def _decided(self, state: _State) -> _State:
        """Take what all structures that are left of a pair have in common."""
        for x, y, allowed in self.allowed:
            left = self._left(state, x, y, allowed)
            if not left:
                raise _Impossible
            state = _with_structures(state, x, y, left)
        return state

    def _may_be_confounded(self, state: _State, x: int, y: int) -> bool:
        """Whether a trek could be there if everything that is not excluded were."""
        above = [self._may_lead_to(state, x, y), self._may_lead_to(state, y, x)]
        if above[0] & above[1]:
            return True
        return any(above[1] & ~(self.not_adjacent[s] | 1 << s) for s in bits(above[0]))

    def _may_lead_to(self, state: _State, target: int, around: int) -> int:
        """The vertices from which a directed path may lead to the target around a vertex, and the target."""
        reached = frontier = 1 << target
        while frontier:
            new = sum(
                1 << v for v in range(len(self.names)) if v != around and state.may[v] & ~self.no_direct[v] & frontier
            )
            frontier = new & ~reached
            reached |= frontier
        return reached

    # -- the least model, and what is wrong with it ------------------------------------------------------------------

    def graph(self, state: _State) -> MixedGraph:
        """The least model of a state."""
        edges = [
            Edge(self.names[x], Mark.TAIL, Mark.ARROW, self.names[y])
            for x, children in enumerate(_children(state))
            for y in bits(children)
        ]
        edges += [
            Edge(self.names[x], Mark.ARROW, Mark.ARROW, self.names[y])
            for x, spouses in enumerate(state.common)
            for y in bits(spouses >> x << x)
        ]
        return MixedGraph.build(self.names, edges)

    def ways(self, state: _State) -> Iterator[_State] | None:
        """The ways to put right the first thing that is wrong with the least model; ``None`` if nothing is."""
        model = _Model.of(state)
        for x, children in enumerate(model.children):
            for y in bits(children & self.no_direct[x]):
                return self._between(state, [(x, y)])
        for number, (a, b, around) in enumerate(state.paths):
            if model.path(a, b, around) is None:
                return self._next_edge(state, number)
        for x, y in sorted(state.confounded):
            if model.trek(x, y) is None:
                return self._common_causes(state, x, y)
        for x, y in sorted(state.unconfounded):
            if (trek := model.trek(x, y)) is not None:
                return self._between(state, trek)
        for x, spouses in enumerate(self.not_adjacent):
            for y in bits(spouses >> x << x):
                if (path := model.inducing_path(x, y)) is not None:
                    return self._between(state, path)
        for x, y, allowed in self.allowed:
            if model.structure(x, y) not in allowed and len(left := self._left(state, x, y, allowed)) > 1:
                return (_with_structures(state, x, y, [one]) for one in left)
        return None

    def _candidates(self, state: _State) -> list[int]:
        """The vertices, but of those that are alike and still unused only two: a step takes two at most."""
        used = 0
        for masks in (state.must, state.common):
            for v, mask in enumerate(masks):
                used |= mask | bool(mask) << v
        dull = {v for alike in self.alike for v in list(bits(alike & ~used))[2:]}
        return [v for v in range(len(self.names)) if v not in dull]

    def _between(self, state: _State, edges: Sequence[Pair]) -> Iterator[_State]:
        """Put a variable between the ends of one of the edges that nobody asked for."""
        candidates = self._candidates(state)
        for u, v in edges:
            if not state.edges[u] >> v & 1:
                for m in candidates:
                    if m not in (u, v) and state.may[u] >> m & state.may[m] >> v & 1:
                        yield replace(state, must=_joined(state.must, (u, m), (m, v)))

    def _next_edge(self, state: _State, number: int) -> Iterator[_State]:
        """Lay the last edge of a path that is asked for."""
        start, end, around = state.paths[number]
        rest = state.paths[:number] + state.paths[number + 1 :]
        for a in [start, *(v for v in self._candidates(state) if v != start)]:
            if a not in (end, around) and state.may[a] >> end & 1:
                left = rest if a == start else (*rest, (start, a, around))
                yield replace(
                    state, must=_joined(state.must, (a, end)), edges=_joined(state.edges, (a, end)), paths=left
                )

    def _common_causes(self, state: _State, x: int, y: int) -> Iterator[_State]:
        """Join a pair by a trek."""
        state = replace(state, confounded=state.confounded - {(x, y)}, settled=state.settled | {(x, y)})
        candidates = self._candidates(state)
        left = [x, *(v for v in candidates if v not in (x, y) and state.may[v] >> x & 1)]
        right = [y, *(v for v in candidates if v not in (x, y) and state.may[v] >> y & 1)]
        tops: list[Pair] = [(s, t) for s in left for t in right]
        for s, t in sorted(tops, key=lambda top: (top[0] != x) + (top[1] != y) - (top[0] == top[1])):
            common = state.common if s == t else _joined(state.common, (s, t), (t, s))
            paths = [(s, x, y)] * (s != x) + [(t, y, x)] * (t != y)
            must = _joined(state.must, *((a, b) for a, b, _ in paths))
            yield replace(state, must=must, common=common, paths=tuple(dict.fromkeys((*state.paths, *paths))))


@dataclass(frozen=True)
class _Model:
    """The least model of a state, and what it holds."""

    children: Masks
    parents: Masks
    common: Masks
    effects: Masks

    @classmethod
    def of(cls, state: _State) -> _Model:
        children = _children(state)
        parents = [0] * len(children)
        for x, mask in enumerate(children):
            for y in bits(mask):
                parents[y] |= 1 << x
        return cls(children, tuple(parents), state.common, state.must)

    def _above(self, x: int, around: int) -> dict[int, int]:
        """The vertices with a directed path to x around a vertex, each with its next step, and x itself."""
        steps = {x: x}
        waiting = [x]
        while waiting:
            v = waiting.pop()
            for p in bits(self.parents[v]):
                if p != around and p not in steps:
                    steps[p] = v
                    waiting.append(p)
        return steps

    def path(self, start: int, end: int, around: int) -> list[Pair] | None:
        """The edges of a directed path around a vertex."""
        steps = self._above(end, around)
        return _chain(steps, start, end) if start in steps else None

    def trek(self, x: int, y: int) -> list[Pair] | None:
        """The directed edges of a trek."""
        left, right = self._above(x, y), self._above(y, x)
        for s in left:
            for t in right:
                if s == t or self.common[s] >> t & 1:
                    return _chain(left, s, x) + _chain(right, t, y)
        return None

    def inducing_path(self, x: int, y: int) -> list[Pair] | None:
        """The directed edges of an inducing path: at most one at either end, since all inside is collider."""
        for a, b in ((x, y), (y, x)):
            if self.children[a] >> b & 1:
                return [(a, b)]
        if self.common[x] >> y & 1:
            return []
        ends = 1 << x | 1 << y
        open_ = sum(1 << v for v, effects in enumerate(self.effects) if effects & ends) & ~ends
        first = (self.children[x] | self.common[x]) & open_
        origin = {v: v for v in bits(first)}  # where on the path each vertex is reached from x
        waiting = list(origin)
        while waiting:
            v = waiting.pop()
            if (self.children[y] | self.common[y]) >> v & 1:
                return [(a, b) for a, b in ((x, origin[v]), (y, v)) if not self.common[a] >> b & 1]
            for w in bits(self.common[v] & open_):
                if w not in origin:
                    origin[w] = origin[v]
                    waiting.append(w)
        return None

    def structure(self, x: int, y: int) -> Structure:
        """The structure of a pair."""
        causes, caused = bool(self.effects[x] >> y & 1), bool(self.effects[y] >> x & 1)
        return Structure.of(causes=causes, caused=caused, confounded=self.trek(x, y) is not None)


def _alike(facts: Sequence[Fact], names: Sequence[str]) -> tuple[int, ...]:
    """Sets of vertices that are interchangeable: what is excluded of one is excluded of each, and nothing else said."""
    said: dict[str, set[object]] = {name: set() for name in names}
    for fact in facts:
        excludes = fact.kind in (Kind.NOT_CAUSES, Kind.NO_DIRECT)
        said[fact.x].add((fact.kind, "x", fact.y) if excludes else (fact, "x"))
        said[fact.y].add((fact.kind, "y", fact.x) if excludes else (fact, "y"))
    sets: dict[frozenset[object], int] = {}
    for v, name in enumerate(names):
        key = frozenset(said[name])
        sets[key] = sets.get(key, 0) | 1 << v
    return tuple(sets.values())


def _is_confounded(state: _State, x: int, y: int) -> bool:
    """Whether a trek is there in every model that is left, as far as can be seen at once."""
    left, right = _leads_to(state, x, y), _leads_to(state, y, x)
    return bool(left & right) or any(state.common[s] & right for s in bits(left))


def _leads_to(state: _State, target: int, around: int) -> int:
    """The vertices from which a directed path surely leads to the target around a vertex, and the target."""
    reached = 1 << target
    waiting = [target]
    while waiting:
        v = waiting.pop()
        shut_out = not state.may[around] >> v & 1  # then every path to v goes around
        for w, (effects, children) in enumerate(zip(state.must, state.edges, strict=True)):
            sure = effects >> v & (shut_out or not state.may[w] >> around & 1) or children >> v & 1
            if sure and w != around and not reached >> w & 1:
                reached |= 1 << w
                waiting.append(w)
    return reached


def _chain(steps: dict[int, int], start: int, end: int) -> list[Pair]:
    edges: list[Pair] = []
    while start != end:
        edges.append((start, steps[start]))
        start = steps[start]
    return edges


def _children(state: _State) -> Masks:
    """The edges of the least model: to the next effects, and those that were asked for."""
    found = []
    for effects, asked in zip(state.must, state.edges, strict=True):
        farther = 0
        for v in bits(effects):
            farther |= state.must[v]
        found.append(effects & ~farther | asked)
    return tuple(found)


def _joined(masks: Masks, *pairs: Pair) -> Masks:
    changed = list(masks)
    for a, b in pairs:
        changed[a] |= 1 << b
    return tuple(changed)


def _with_structures(state: _State, x: int, y: int, left: Sequence[Structure]) -> _State:
    """Take what all of some structures of a pair have in common."""
    must, may = list(state.must), list(state.may)
    for a, b, answers in ((x, y, {one.causes for one in left}), (y, x, {one.caused for one in left})):
        if answers == {True}:
            must[a] |= 1 << b
        elif answers == {False}:
            may[a] &= ~(1 << b)
    pair = (min(x, y), max(x, y))
    confounded, unconfounded = state.confounded, state.unconfounded
    answers = {one.confounded for one in left}
    if answers == {True} and pair not in state.settled:
        confounded |= {pair}
    elif answers == {False}:
        unconfounded |= {pair}
    return replace(state, must=tuple(must), may=tuple(may), confounded=confounded, unconfounded=unconfounded)


def _close(must: list[int], may: list[int]) -> None:
    """Causes are transitive and acyclic."""
    before = None
    while before != (must, may):
        before = (must.copy(), may.copy())
        for x in range(len(must)):
            for y in bits(must[x]):
                must[x] |= must[y]
                may[y] &= may[x]  # y's effects are x's effects; and y does not cause x
            if must[x] & ~may[x]:
                raise _Impossible
        causes = sum(1 << v for v, effects in enumerate(must) if effects)
        for x in range(len(must)):
            for y in bits(may[x] & causes):
                if must[y] & ~may[x]:  # if x caused y, it would cause what y causes
                    may[x] &= ~(1 << y)


def _reach(may: list[int], no_direct: Masks, x: int) -> int:
    """What a chain of possible direct edges leads to from x."""
    if not may[x] & no_direct[x]:
        return may[x]
    reached = frontier = may[x] & ~no_direct[x]
    while frontier:
        following = 0
        for v in bits(frontier):
            following |= may[v] & ~no_direct[v]
        frontier = following & may[x] & ~reached
        reached |= frontier
    return reached
