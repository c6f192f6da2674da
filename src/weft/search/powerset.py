"""The paper's own search: part 2 of IOD (Tillman and Spirtes 2011) and Algorithm 1, step by step.

It takes what part 1 found, the statements of a :class:`~weft.search.problem.Problem`: *Sepset* (its separations) and
*IP* (its connections). Pairs that are apart, and dependences, the paper does not have: an edge that the former exclude
is not in G, and a PAG in which either fails is dropped. With the paper's names:

1. The global graph G (:func:`global_graph`): an edge between every two variables that no study separates, and an
   arrowhead wherever a study shows one. For Causal IOD and IOD+BCD, the edges of pairs whose relation is known are
   oriented too (Algorithm 1, line 2).
2. *RemoveEdges* (:func:`edges_to_remove`): G may have edges too many. For each subset, take these edges away: graph H.
3. *PossImmoralities* (:func:`immoralities_to_orient`): H may have immoralities (unshielded colliders) too few. For
   each subset, make these immoralities.
4. Apply Zhang's rules R1 to R10, take a MAG of the resulting PAG, and check that it is one, that the sets of Sepset
   separate, and that the pairs of IP have their inducing paths (:func:`consistent_pags`).
5. Go over every MAG of these PAGs and check the relations (Algorithm 1, line 5; :class:`Powerset`).

That is 2^(n+m) candidates for n edges to remove and m immoralities to orient. It is here to be read beside the paper
and compared with the other engines; :func:`sizes` says in advance how much work there is.

Where the paper's text leaves something open, this search takes the reading under which it finds every consistent MAG:

- R4 has to know whether a discriminated vertex is in the sets that separate the ends of its path. Where no study that
  measured the vertex separated the ends, both answers are tried.
- The marks that relations put into G say which immoralities there can be, but a PAG comes from edges and immoralities
  alone; one that contradicts a mark of H is dropped.
- *Possible-Sep* passes through every vertex that could be a collider (see :func:`possible_separators`), not only
  through the colliders of G. With these alone, an edge that is not there may never be removed: in the graph
  X -> B <- C, B -> D -> Y, C -> Y with the studies {B, X, Y}, {B, D, X}, {C, X} and {B, C, D, Y} it is X - Y.

References
----------
Tillman and Spirtes, *Learning equivalence classes of acyclic models with latent and selection variables from multiple
datasets with overlapping variables*, AISTATS 2011.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, combinations, product
from typing import ClassVar, NamedTuple, TypeVar

from weft.errors import ProblemError
from weft.graphs.equivalence import is_pag, mag_in, mags_of
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph, bits
from weft.graphs.pag import Discriminated, complete_orientation, complete_orientations
from weft.search.engine import check_time
from weft.search.kinds import Apartness, Dependence, Separation
from weft.search.kinds.oriented import edge_of
from weft.search.problem import Problem, is_solution

T = TypeVar("T")

Pair = tuple[int, int]


class Triple(NamedTuple):
    """Edges ``x - z - y``, ``x < y``."""

    x: int
    z: int
    y: int


@dataclass(frozen=True)
class Powerset:
    """The engine that searches the paper's power sets; any number of variables, but few are feasible."""

    name: ClassVar[str] = "powerset"

    def graphs(self, problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every consistent MAG once, PAG by PAG, lazily: Algorithm 1, lines 4 and 5.

        >>> from weft.evidence.oracle import oracle
        >>> evidence = oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])
        >>> for mag in Powerset().graphs(Problem.of(evidence, "causal-iod")):
        ...     print(mag)
        Y -> X; X <-> Z; Y <-> Z
        Y -> X; Y <-> Z
        """
        if problem.soft is not None:
            raise ProblemError("engine 'powerset' cannot weigh one repair against another; use engine 'asp' or 'brute'")
        for pag in consistent_pags(problem, deadline):
            for mag in mags_of(pag, selection=problem.selection):
                check_time(deadline)
                if is_solution(problem, mag):
                    yield mag


def consistent_pags(problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
    """The PAGs that part 2 of IOD returns, each once: those that agree with Sepset and IP.

    For Causal IOD and IOD+BCD, those among them whose MAGs may meet the relations.

    >>> from weft.evidence.oracle import oracle
    >>> for pag in consistent_pags(Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")):
    ...     print(pag)
    X o-o Y; X o-o Z; Y o-o Z
    X o-o Z; Y o-o Z
    X o-o Y; Y o-o Z
    X o-> Y; Z o-> Y
    X o-o Y; X o-o Z
    """
    global_ = global_graph(problem)
    for removed in power_set(edges_to_remove(problem, global_)):
        graph = _without(global_, removed)
        known = known_immoralities(problem, graph)
        for added in power_set(immoralities_to_orient(problem, graph)):
            check_time(deadline)
            yield from _pags_with(problem, graph, {*known, *added})


def _pags_with(problem: Problem, graph: MixedGraph, immoralities: set[Triple]) -> Iterator[MixedGraph]:
    """The consistent PAGs with the edges of H and exactly these immoralities."""
    start = _with_immoralities(graph, immoralities)
    if any(triple not in immoralities for triple in unshielded_triples(start) if _is_collider(start, triple)):
        return  # two of them make a third: another subset has all three
    for pag in complete_orientations(start, discriminated=_discriminated(problem), selection=problem.selection):
        if _agree(pag, graph) and _is_consistent(problem, pag):
            yield pag


def _is_consistent(problem: Problem, pag: MixedGraph) -> bool:
    """The three checks of part 2, on one MAG of the PAG: what they ask is the same for all its MAGs."""
    mag = mag_in(pag)
    return (
        all(s.holds_in(mag, mag) for s in problem.separations)  # (2) Sepset
        and all(c.holds_in(mag, mag) for c in problem.connections)  # (3) IP
        and all(a.holds_in(mag, mag) for a in problem.numbered(Apartness).values())
        and all(d.holds_in(mag, mag) for d in problem.numbered(Dependence).values())
        and is_pag(pag, selection=problem.selection)  # (1) it is a MAG indeed, and of this PAG
    )


def power_set(items: Sequence[T]) -> Iterator[tuple[T, ...]]:
    """Every subset, the smallest first, one at a time.

    >>> list(power_set("ab"))
    [(), ('a',), ('b',), ('a', 'b')]
    """
    return chain.from_iterable(combinations(items, size) for size in range(len(items) + 1))


# -- G, the global graph -----------------------------------------------------------------------------------------------


def global_graph(problem: Problem) -> MixedGraph:
    """The paper's G: all the edges that there may be, with the marks that they have if they are there.

    >>> from weft.evidence.oracle import oracle
    >>> print(global_graph(Problem.of(oracle("X -> Y; Z -> Y; Y -> W", [["X", "Y", "Z"], ["Y", "W"]]), "iod")))
    W o-o X; W o-o Y; W o-o Z; X o-> Y; Z o-> Y
    """
    size = len(problem.names)
    marks = bytearray(Mark.CIRCLE if a != b else Mark.NONE for a in range(size) for b in range(size))
    for s in (*problem.separations, *problem.numbered(Apartness).values()):
        marks[s.x * size + s.y] = marks[s.y * size + s.x] = Mark.NONE
    for a, b, mark in chain(_shown_arrowheads(problem), _related_marks(problem)):
        if marks[a * size + b] == Mark.CIRCLE:
            marks[a * size + b] = mark
    return MixedGraph(problem.names, bytes(marks))


def _shown_arrowheads(problem: Problem) -> Iterator[tuple[int, int, Mark]]:
    """The arrowheads of the immoralities in the studies' own graphs G_i.

    x and y are separated by a set without z, and both are connected to z, all in one study: z is not their cause.
    """
    connected = {(c.origin.study, *pair) for c in problem.connections for pair in ((c.x, c.y), (c.y, c.x))}
    for s in problem.separations:
        for study, z in product(_found_in(problem, s), range(len(problem.names))):
            if not s.given >> z & 1 and (study, s.x, z) in connected and (study, s.y, z) in connected:
                yield s.x, z, Mark.ARROW
                yield s.y, z, Mark.ARROW


def _related_marks(problem: Problem) -> Iterator[tuple[int, int, Mark]]:
    """The marks that a pair's edge has, if there is one, because its relation is known (Algorithm 1, line 2)."""
    allowed: list[tuple[int, int, Iterable[str]]] = [(o.x, o.y, o.allowed) for o in problem.orientations]
    allowed += [(r.x, r.y, map(edge_of, r.allowed)) for r in problem.relations]
    for x, y, edges in allowed:
        at_x, at_y = (set(ends) for ends in zip(*(EDGE_SYMBOLS[edge] for edge in edges), strict=True))
        yield from ((y, x, mark) for mark in at_x if len(at_x) == 1)
        yield from ((x, y, mark) for mark in at_y if len(at_y) == 1)


def _without(graph: MixedGraph, edges: Iterable[Pair]) -> MixedGraph:
    marks = bytearray(graph.marks)
    for a, b in edges:
        marks[a * graph.size + b] = marks[b * graph.size + a] = Mark.NONE
    return MixedGraph(graph.names, bytes(marks))


# -- RemoveEdges -------------------------------------------------------------------------------------------------------


def edges_to_remove(problem: Problem, graph: MixedGraph) -> list[Pair]:
    """The edges of G that need not be there: the paper's RemoveEdges.

    An edge must be there if a study found the pair connected and measured everything that could be needed to separate
    it: all of Adj(X) and Possible-Sep(X, Y), or all of Adj(Y) and Possible-Sep(X, Y).
    """
    needed = [1 << v | possible_separators(problem, graph, v) for v in range(graph.size)]
    certain = {
        (min(c.x, c.y), max(c.x, c.y))
        for c in problem.connections
        if not needed[c.x] & c.latent or not needed[c.y] & c.latent
    }
    pairs = combinations(range(graph.size), 2)
    return [(a, b) for a, b in pairs if graph.adjacencies[a] >> b & 1 and (a, b) not in certain]


def possible_separators(problem: Problem, graph: MixedGraph, x: int) -> int:
    """What may be needed to separate x from another vertex (as bits): Adj(x) and Possible-Sep.

    In a MAG, x is separated from any vertex y that is not adjacent by its Markov blanket among the ancestors of x
    and y: the ends of paths from x on which every inner vertex is a collider. Such a path is also one in G, and there
    every inner vertex b, between a and c, has a and c adjacent or could be a collider. (The paper keeps those on a path
    to y; taking all can only try more removals.)
    """
    reached, waiting = graph.adjacencies[x], [(x, b) for b in bits(graph.adjacencies[x])]
    seen = set(waiting)
    while waiting:
        a, b = waiting.pop()
        for c in bits(graph.adjacencies[b] & ~(1 << a | 1 << x)):
            if (b, c) not in seen and (graph.adjacencies[a] >> c & 1 or _may_be_collider(problem, graph, a, b, c)):
                reached |= 1 << c
                seen.add((b, c))
                waiting.append((b, c))
    return reached


def _may_be_collider(problem: Problem, graph: MixedGraph, a: int, b: int, c: int) -> bool:
    triple = Triple(min(a, c), b, max(a, c))
    return Mark.TAIL not in _marks_at_middle(graph, triple) and _shown_collider(problem, triple) is not False


# -- immoralities ------------------------------------------------------------------------------------------------------


def immoralities_to_orient(problem: Problem, graph: MixedGraph) -> list[Triple]:
    """The unshielded triples of H that may or may not be immoralities: the paper's PossImmoralities.

    That is all but those for which a study measured z and has a separating set of x and y (the set tells), those that
    are immoralities already, and those with a tail at z.
    """
    return [triple for triple in unshielded_triples(graph) if _is_open(problem, graph, triple)]


def known_immoralities(problem: Problem, graph: MixedGraph) -> list[Triple]:
    """The unshielded triples of H that must be immoralities: H says so, or a study's separating set does."""
    return [t for t in unshielded_triples(graph) if _is_collider(graph, t) or _shown_collider(problem, t)]


def _is_open(problem: Problem, graph: MixedGraph, triple: Triple) -> bool:
    return (
        _shown_collider(problem, triple) is None
        and not _is_collider(graph, triple)
        and Mark.TAIL not in _marks_at_middle(graph, triple)
    )


def triples(graph: MixedGraph) -> Iterator[Triple]:
    """All the x - z - y, each once, whether or not x and y are adjacent."""
    for z, adjacent in enumerate(graph.adjacencies):
        yield from (Triple(x, z, y) for x, y in combinations(bits(adjacent), 2))


def unshielded_triples(graph: MixedGraph) -> Iterator[Triple]:
    """All the x - z - y, each once, with x and y not adjacent."""
    return (triple for triple in triples(graph) if not graph.adjacencies[triple.x] >> triple.y & 1)


def _marks_at_middle(graph: MixedGraph, triple: Triple) -> tuple[int, int]:
    return graph.marks[triple.x * graph.size + triple.z], graph.marks[triple.y * graph.size + triple.z]


def _is_collider(graph: MixedGraph, triple: Triple) -> bool:
    return _marks_at_middle(graph, triple) == (Mark.ARROW, Mark.ARROW)


def _with_immoralities(graph: MixedGraph, immoralities: Iterable[Triple]) -> MixedGraph:
    """The edges of a graph with circles, and the arrowheads of these immoralities."""
    marks = bytearray(Mark.CIRCLE if mark else Mark.NONE for mark in graph.marks)
    for x, z, y in immoralities:
        marks[x * graph.size + z] = marks[y * graph.size + z] = Mark.ARROW
    return MixedGraph(graph.names, bytes(marks))


def _agree(pag: MixedGraph, graph: MixedGraph) -> bool:
    """Whether no arrowhead of one stands where the other has a tail."""
    clash = {(Mark.ARROW, Mark.TAIL), (Mark.TAIL, Mark.ARROW)}
    return clash.isdisjoint(zip(pag.marks, graph.marks, strict=True))


# -- Sepset ------------------------------------------------------------------------------------------------------------


def _shown_collider(problem: Problem, triple: Triple) -> bool | None:
    """Whether z is a collider between x and y, as far as a study tells that measured z and separates x and y."""
    for s in _separations_of(problem, triple.x, triple.y):
        if any(problem.studies[study] >> triple.z & 1 for study in _found_in(problem, s)):
            return not s.given >> triple.z & 1
    return None


def _discriminated(problem: Problem) -> Discriminated:
    """Answers R4 from Sepset: a path between t and c discriminates b, so b is a collider if it is not in the set."""
    return lambda t, a, b, c: _shown_collider(problem, Triple(t, b, c))


def _found_in(problem: Problem, s: Separation) -> Sequence[str]:
    """The studies that a separation comes from; if it names none, all that could have found it."""
    return s.origin.studies or [name for name, measured in problem.studies.items() if not s.vertices & ~measured]


def _separations_of(problem: Problem, x: int, y: int) -> Iterator[Separation]:
    return (s for s in problem.separations if {s.x, s.y} == {x, y})


# -- sizes -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PowersetSizes:
    """How much there is to search; ``None`` where finding out would take too long."""

    edges_to_remove: int
    """n: the outer loop has 2^n rounds."""
    immoralities_first: int
    """m in the first round, when no edge is removed: the inner loop has 2^m rounds."""
    immoralities_largest: int | None
    """The largest m of all rounds."""
    candidates: int | None
    """The sum of 2^m over all rounds."""
    triples_first: int | None
    """m in the first round by the wider count that gives the paper's figures, see :func:`sizes`; ``None`` if the rules
    contradict G."""


def sizes(problem: Problem, *, limit: int = 1 << 16) -> PowersetSizes:
    """The sizes of the power sets for a problem.

    Parameters
    ----------
    problem
        The question.
    limit
        The most rounds of the outer loop to look into for the largest round and the number of candidates.

    Notes
    -----
    For its Synthetic 2 the paper prints 29 for IOD and 8 for Causal IOD and does not say how it counted.
    :attr:`~PowersetSizes.triples_first` is a count that gives both, and was chosen because it does: apply Zhang's rules
    to G before the loops, then take every triple that has no tail at z and for which no study tells, whether or not x
    and y are adjacent. The search leaves these out: with x and y adjacent there is no immorality to orient, and
    to apply R1 before the immoralities are chosen rules out some that there can be.

    Examples
    --------
    >>> from weft.evidence.oracle import oracle
    >>> truth = "Y -> X; Y -> Z; Z -> W; W -> V; S -> V"
    >>> found = sizes(Problem.of(oracle(truth, [["X", "Y", "Z"], ["Z", "W", "S", "V"]]), "iod"))
    >>> found.edges_to_remove, found.immoralities_first, found.immoralities_largest, found.candidates
    (11, 5, 12, 129871)
    >>> found.triples_first
    29
    """
    global_ = global_graph(problem)
    removable = edges_to_remove(problem, global_)
    rounds: list[int] | None = None
    if 1 << len(removable) <= limit:
        rounds = [len(immoralities_to_orient(problem, _without(global_, removed))) for removed in power_set(removable)]
    return PowersetSizes(
        edges_to_remove=len(removable),
        immoralities_first=len(immoralities_to_orient(problem, global_)),
        immoralities_largest=max(rounds) if rounds else None,
        candidates=sum(1 << m for m in rounds) if rounds else None,
        triples_first=_triples_without_tail(problem, global_),
    )


def _triples_without_tail(problem: Problem, graph: MixedGraph) -> int | None:
    closed = complete_orientation(graph, discriminated=_discriminated(problem), selection=problem.selection)
    if closed is None:
        return None
    return sum(
        Mark.TAIL not in _marks_at_middle(closed, triple) and _shown_collider(problem, triple) is None
        for triple in triples(closed)
    )
