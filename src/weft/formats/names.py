"""Names that a format cannot hold are refused: a file must not read back differently."""

from __future__ import annotations

import re

from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph


def refuse_names(graph: MixedGraph, unfit: re.Pattern[str], what: str, reason: str) -> None:
    """Refuse a graph that has a name in which the pattern is found.

    >>> refuse_names(MixedGraph.parse('"a b" -> c'), re.compile(" "), "a Tetrad graph", "no blanks")
    Traceback (most recent call last):
    weft.errors.GraphError: 'a b' cannot stand in a Tetrad graph: no blanks; rename the variable
    """
    for name in graph.names:
        if unfit.search(name):
            raise GraphError(f"{name!r} cannot stand in {what}: {reason}; rename the variable")


def refuse_broken_unicode(graph: MixedGraph) -> None:
    """Refuse names with half of a surrogate pair, which no text file can hold."""
    refuse_names(graph, re.compile("[\ud800-\udfff]"), "a file", "it is not valid Unicode")
