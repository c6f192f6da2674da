"""Every MAG, one after the other, kept if it is a solution: the engine that the others are measured against.

Nothing here is clever. :func:`all_mags` tries every way to put an edge, or none, between each two variables;
:class:`Brute` asks :func:`~weft.search.problem.is_solution` of each. The only short cut of the engine: a pair that
some set separates is not adjacent, so no edge is tried there.

Five variables have 328,924 MAGs (without ``--``), and each further one multiplies that: five is where it ends.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from weft.errors import ProblemError
from weft.graphs.ancestral import is_ancestral, is_maximal
from weft.graphs.mixed import Mark, MixedGraph
from weft.search.engine import check_time
from weft.search.problem import Problem, is_solution

LARGEST = 5
"""The most variables that :class:`Brute` takes."""

_EDGES = ((Mark.TAIL, Mark.ARROW), (Mark.ARROW, Mark.TAIL), (Mark.ARROW, Mark.ARROW))
_SELECTION_EDGE = (Mark.TAIL, Mark.TAIL)


def all_mags(
    names: Iterable[str], selection: bool = False, *, apart: Collection[tuple[int, int]] = ()
) -> Iterator[MixedGraph]:
    """Every maximal ancestral graph over the variables, once, lazily.

    Edges are chosen pair by pair. A choice that makes a graph that is not ancestral is given up at once, since
    further edges cannot repair it: they only add arrowheads, ancestors and undirected edges. They can make a graph
    maximal, so that is asked at the end.

    Parameters
    ----------
    names
        The variables.
    selection
        Whether undirected edges, which stand for selection, are tried too.
    apart
        Pairs ``(a, b)``, ``a < b``, of indices into the sorted names that get no edge.

    Examples
    --------
    >>> for mag in all_mags(["X", "Y"], selection=True):
    ...     print(mag)
    X; Y
    X -> Y
    Y -> X
    X <-> Y
    X -- Y
    >>> sum(1 for mag in all_mags(["X", "Y", "Z"]))
    56
    """
    ordered = tuple(sorted(set(names)))
    size = len(ordered)
    # By the later vertex first: what is chosen among the first k vertices is a graph on these, checked before the rest.
    pairs = [(a, b) for b in range(size) for a in range(b) if (a, b) not in apart]
    edges = (*_EDGES, _SELECTION_EDGE) if selection else _EDGES

    def extend(graph: MixedGraph, chosen: int) -> Iterator[MixedGraph]:
        if chosen == len(pairs):
            if is_maximal(graph):
                yield graph
            return
        yield from extend(graph, chosen + 1)
        a, b = pairs[chosen]
        for mark_a, mark_b in edges:
            marks = bytearray(graph.marks)
            marks[b * size + a], marks[a * size + b] = mark_a, mark_b
            extended = MixedGraph(ordered, bytes(marks))
            if is_ancestral(extended):
                yield from extend(extended, chosen + 1)

    return extend(MixedGraph(ordered, bytes(size * size)), 0)


@dataclass(frozen=True)
class Brute:
    """The engine that looks at every MAG, up to five variables."""

    name: ClassVar[str] = "brute"

    def graphs(self, problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every consistent MAG once.

        Raises
        ------
        ProblemError
            If there are more than five variables.
        """
        if len(problem.names) > LARGEST:
            raise ProblemError(
                f"engine 'brute' takes up to {LARGEST} variables and there are {len(problem.names)}; use engine 'asp'"
            )
        apart = {(s.x, s.y) for s in problem.hard.statements.values() if s.parts_pair}
        mags = all_mags(problem.names, problem.selection, apart=apart)
        return _solutions(problem, mags, deadline)


def _solutions(problem: Problem, mags: Iterable[MixedGraph], deadline: float | None) -> Iterator[MixedGraph]:
    for mag in mags:
        check_time(deadline)
        if is_solution(problem, mag):
            yield mag
