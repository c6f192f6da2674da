"""Graphs from edges that stand on lines of a file, so that a message can name the line."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Sequence

from weft.errors import GraphError
from weft.graphs.mixed import Edge, MixedGraph, SizeError


def build(names: Iterable[str], edges: Sequence[tuple[str, Edge]]) -> MixedGraph:
    """A graph from its vertices and its edges, each with its place.

    >>> ahead, back = MixedGraph.parse("X -> Y").edges()[0], MixedGraph.parse("X <- Y").edges()[0]
    >>> build([], [("line 1", ahead), ("line 2", back)])
    Traceback (most recent call last):
    weft.errors.GraphError: line 2: 'Y <- X' and 'Y -> X' cannot stand together; only '->' beside '<->' may
    """
    names = list(names)

    def attempt(count: int) -> MixedGraph:
        return MixedGraph.build(names, [edge for _, edge in edges[:count]])

    try:
        return attempt(len(edges))
    except SizeError:
        raise
    except GraphError as error:
        place = edges[first_failure(len(edges), attempt) - 1][0]
        raise GraphError(f"{place}: {error}") from None


def first_failure(count: int, attempt: Callable[[int], object]) -> int:
    """The least number up to ``count`` whose attempt fails, if all attempts from there on fail."""

    def fails(number: int) -> bool:
        try:
            attempt(number)
        except GraphError:
            return True
        return False

    return bisect_left(range(count), True, key=fails)
