"""Structures laid over each other: one graph for what all of them have, or for what some have.

A mark in which structures differ is a circle. The graph is for looking at and for other programs: a circle says that
both marks occur, as in a PAG, but the graph need not be the PAG of an equivalence class.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations

from weft.graphs.mixed import Edge, Mark, MixedGraph


def certain_part(structures: Iterable[MixedGraph]) -> MixedGraph:
    """The edges between pairs that are adjacent in every structure.

    >>> print(certain_part([MixedGraph.parse("X -> Y; Z"), MixedGraph.parse("X -> Y; Y <-> Z")]))
    X -> Y; Z
    """
    return _overlaid(list(structures), everywhere=True)


def union(structures: Iterable[MixedGraph]) -> MixedGraph:
    """The edges between pairs that are adjacent in some structure.

    >>> print(union([MixedGraph.parse("X -> Y; Z"), MixedGraph.parse("X <-> Y; Y <-> Z")]))
    X o-> Y; Y <-> Z
    """
    return _overlaid(list(structures), everywhere=False)


def _overlaid(structures: Sequence[MixedGraph], *, everywhere: bool) -> MixedGraph:
    names = structures[0].names
    edges = []
    for x, y in combinations(names, 2):
        marks = [(one.mark(y, x), one.mark(x, y)) for one in structures]
        present = [pair for pair in marks if pair[0] != Mark.NONE]
        if present and (len(present) == len(marks) or not everywhere):
            edges.append(Edge(x, _common(at_x for at_x, _ in present), _common(at_y for _, at_y in present), y))
    return MixedGraph.build(names, edges)


def _common(marks: Iterable[Mark]) -> Mark:
    found = set(marks)
    return found.pop() if len(found) == 1 else Mark.CIRCLE
