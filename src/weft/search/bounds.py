"""What follows from the statements before any search: which edges and ancestors are possible, which are certain.

The bounds are sound, not complete: every solution lies within them (tested against brute force), and they need not
be tight. They make the solver's program small. Each rule is a line of graph theory:

- a relation that allows only "x causes y" makes x an ancestor of y; one that never allows it excludes this;
- x and y separated by nothing: neither is an ancestor of the other, they have no common ancestor, and the same goes
  for every ancestor of x with every ancestor of y (a connection between these would run on to x and y);
- ancestors are transitive and acyclic;
- the connections of one study and the separations by its variables pin the PAG of its marginal MAG: an arrowhead there
  excludes an ancestor, a tail (where there is no selection) makes one; without a statement about every pair, only the
  immoralities are read off;
- x and y apart in a study: they have no edge;
- an edge ``x -> y`` makes x an ancestor of y; an ancestor needs a chain of possible edges.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass
from math import comb

from weft.graphs.mixed import Mark, MixedGraph, bits
from weft.graphs.pag import complete_orientation
from weft.search.problem import Problem


@dataclass(frozen=True)
class Bounds:
    """Possible and certain parts of a solution. Every field holds one vertex set (bits) per vertex."""

    may_point: tuple[int, ...]
    """For each x the y with a possible edge ``x -> y``."""
    may_confound: tuple[int, ...]
    """For each x the y with a possible edge ``x <-> y``."""
    may_join: tuple[int, ...]
    """For each x the y with a possible edge ``x -- y``."""
    may_cause: tuple[int, ...]
    """For each x the y of which x may be an ancestor."""
    must_cause: tuple[int, ...]
    """For each x the y of which x is an ancestor for certain."""
    independent: tuple[int, ...]
    """For each x the y that nothing connects when nothing is given, for certain."""
    contradiction: bool
    """Whether the statements cannot hold together, as far as these rules see."""

    def relevant(self, vertices: int) -> int:
        """The vertices that may be ancestors (with ``--`` edges: anterior) of the given ones, and these.

        Only these can lie on an inducing path between two of them, or matter for a separation.
        """
        reached = frontier = vertices
        while frontier:
            following = 0
            for v in range(len(self.may_cause)):
                if self.may_cause[v] & frontier or self.may_join[v] & frontier:
                    following |= 1 << v
            frontier = following & ~reached if any(self.may_join) else 0
            reached |= following
        return reached


def no_bounds(problem: Problem) -> Bounds:
    """Bounds that exclude nothing."""
    everything = (1 << len(problem.names)) - 1
    others = tuple(everything & ~(1 << v) for v in range(len(problem.names)))
    nothing = (0,) * len(problem.names)
    return Bounds(others, others, others if problem.selection else nothing, others, nothing, nothing, False)


class _Contradiction(Exception):
    """Certain and impossible at once."""


def bounds_of(problem: Problem) -> Bounds:
    """Propagate the rules of the module's text until nothing changes."""
    work = Propagation(problem)
    try:
        work.run()
        contradiction = False
    except _Contradiction:
        contradiction = True
    return Bounds(
        tuple(work.may_point),
        tuple(work.may_confound),
        tuple(work.may_join),
        tuple(work.may_cause),
        tuple(work.must_cause),
        tuple(work.independent),
        contradiction,
    )


class Propagation:
    """The working state of :func:`bounds_of`; sets only shrink (``may``) or grow (``must``, ``independent``)."""

    def __init__(self, problem: Problem) -> None:
        size = len(problem.names)
        everything = (1 << size) - 1
        others = [everything & ~(1 << v) for v in range(size)]
        self.size = size
        self.may_cause = list(others)
        self.must_cause = [0] * size
        self.independent = [0] * size
        self.may_point = list(others)
        self.may_confound = list(others)
        self.may_join = list(others) if problem.selection else [0] * size
        for statement in problem.statements.values():
            statement.narrow(self)
        self.studies_fit = True
        for name in problem.studies:
            self._take_over(_study_pag(problem, name), problem.selection)

    # -- what a statement may tell -----------------------------------------------------------------------------------

    def part(self, x: int, y: int) -> None:
        """No edge joins x and y."""
        self.restrict_edge(x, y, ())

    def make_independent(self, x: int, y: int) -> None:
        """Nothing connects x and y when nothing is given."""
        self.independent[x] |= 1 << y
        self.independent[y] |= 1 << x

    def restrict_edge(self, x: int, y: int, allowed: Collection[str]) -> None:
        """The edge between x and y, if there is one, is one of these, read from x."""
        for symbol, table, a, b in (
            ("->", self.may_point, x, y),
            ("<-", self.may_point, y, x),
            ("<->", self.may_confound, x, y),
            ("<->", self.may_confound, y, x),
            ("--", self.may_join, x, y),
            ("--", self.may_join, y, x),
        ):
            if symbol not in allowed:
                table[a] &= ~(1 << b)

    def restrict_causes(self, x: int, y: int, answers: set[bool]) -> None:
        """Whether x causes y, by the answers that are allowed."""
        if answers == {True}:
            self.must_cause[x] |= 1 << y
        elif answers == {False}:
            self.may_cause[x] &= ~(1 << y)

    # -- what follows ------------------------------------------------------------------------------------------------

    def _take_over(self, pag: MixedGraph | None, selection: bool) -> None:
        """Learn from the PAG of a study, over all vertices: its marks say who is an ancestor of whom."""
        if pag is None:
            self.studies_fit = False
            return
        for x, (causes, not_caused) in enumerate(zip(pag.children, pag.far(Mark.ARROW), strict=True)):
            if not selection:
                self.must_cause[x] |= causes
            for y in bits(not_caused):
                self.may_cause[y] &= ~(1 << x)

    def run(self) -> None:
        """Apply the rules of the module's text until nothing changes."""
        if not self.studies_fit:
            raise _Contradiction
        before = None
        while before != (now := self._state()):
            before = now
            self._close_ancestors()
            self._spread_independence()
            self._restrict_edges()
            self._require_chains()

    def _state(self) -> tuple[tuple[int, ...], ...]:
        return tuple(map(tuple, (self.may_cause, self.must_cause, self.independent, self.may_point, self.may_confound)))

    def _close_ancestors(self) -> None:
        may, must = self.may_cause, self.must_cause
        for x in range(self.size):
            for y in bits(must[x]):
                must[x] |= must[y]
        for x in range(self.size):
            for y in bits(must[x]):
                may[y] &= may[x]  # y's effects are x's effects; and y does not cause x
            if must[x] & ~may[x]:
                raise _Contradiction
            for y in bits(may[x]):
                if must[y] & ~may[x]:  # if x caused y, it would cause what y causes
                    may[x] &= ~(1 << y)

    def _spread_independence(self) -> None:
        may, must, independent = self.may_cause, self.must_cause, self.independent
        for x in range(self.size):
            for y in bits(must[x]):
                independent[x] |= independent[y]  # what is independent of an effect of x is independent of x
        for x in range(self.size):
            for y in bits(independent[x]):
                independent[y] |= 1 << x
        for x in range(self.size):
            if independent[x] & (1 << x):
                raise _Contradiction
            may[x] &= ~independent[x]
            for y in bits(may[x]):
                if must[x] & independent[y]:  # x would be a common ancestor of an independent pair
                    may[x] &= ~(1 << y)

    def _restrict_edges(self) -> None:
        for x in range(self.size):
            self.may_point[x] &= self.may_cause[x] & ~self.independent[x]
            caused_by = sum(1 << v for v in range(self.size) if self.must_cause[v] >> x & 1)
            self.may_confound[x] &= ~(self.must_cause[x] | caused_by | self.independent[x])
            self.may_join[x] &= ~(self.must_cause[x] | self.independent[x])
            if caused_by:  # x has an arrowhead, so no undirected edge
                self.may_join[x] = 0
        for x in range(self.size):
            for y in bits(self.may_join[x]):
                if not self.may_join[y] >> x & 1:
                    self.may_join[x] &= ~(1 << y)

    def _require_chains(self) -> None:
        for x in range(self.size):
            reached = frontier = self.may_point[x]
            while frontier:
                following = 0
                for y in bits(frontier):
                    following |= self.may_point[y]
                frontier = following & self.may_cause[x] & ~reached
                reached |= frontier
            self.may_cause[x] &= reached
            if self.must_cause[x] & ~reached:
                raise _Contradiction


def _study_pag(problem: Problem, study: str) -> MixedGraph | None:
    """The PAG of a study's marginal MAG, as far as its statements tell; ``None`` if they contradict each other.

    The graph is over all vertices; those that the study did not measure have no edges.
    """
    size, measured = len(problem.names), problem.studies[study]
    separated = {(s.x, s.y): s.given for s in problem.separations if not s.vertices & ~measured}
    connected = {(c.x, c.y) for c in problem.connections if c.origin.study == study}
    marks = bytearray(size * size)
    for x, y in connected:
        marks[x * size + y] = marks[y * size + x] = Mark.CIRCLE
    for x, z, y, given in unshielded_triples(problem, study):
        if not given:
            marks[x * size + z] = marks[y * size + z] = Mark.ARROW
    graph = MixedGraph(problem.names, bytes(marks))
    if len(connected.union(separated)) < comb(measured.bit_count(), 2):
        return graph  # without a set that separates it, a pair may be adjacent, and what is between may be a collider
    return complete_orientation(
        graph,
        discriminated=lambda t, a, b, c: not separated[min(t, c), max(t, c)] >> b & 1,
        selection=problem.selection,
    )


def unshielded_triples(problem: Problem, study: str) -> list[tuple[int, int, int, bool]]:
    """The (x, z, y, z is given) where the study connects x - z - y and a set of its variables separates x and y."""
    connected: defaultdict[int, int] = defaultdict(int)
    for c in problem.connections:
        if c.origin.study == study:
            connected[c.x] |= 1 << c.y
            connected[c.y] |= 1 << c.x
    return [
        (s.x, z, s.y, bool(s.given >> z & 1))
        for s in problem.separations
        if not s.vertices & ~problem.studies[study]
        for z in bits(connected[s.x] & connected[s.y])
    ]
