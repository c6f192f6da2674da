"""weft's own text, ``X -> Y; Y <-> Z; W``, over one line or many."""

from __future__ import annotations

import re

from weft.errors import GraphError
from weft.formats.located import first_failure
from weft.graphs.mixed import MixedGraph, SizeError

_EDGE = re.compile(r"<-|->|--|\bo-o\b")


def looks_like_weft(text: str) -> bool:
    """Whether there is an edge in the text; names alone could be anything."""
    return _EDGE.search(text) is not None


def read_weft(text: str) -> MixedGraph:
    r"""The graph that the text says.

    >>> read_weft("X -> Y\nY ->")
    Traceback (most recent call last):
    weft.errors.GraphError: line 2: graph text: 'Y ->' ends with an edge; name its second vertex
    """
    try:
        return MixedGraph.parse(text)
    except SizeError:
        raise
    except GraphError as error:
        lines = text.split("\n")
        number = first_failure(len(lines), lambda count: MixedGraph.parse("\n".join(lines[:count])))
        raise GraphError(f"line {number}: {error}") from None


def write_weft(graph: MixedGraph) -> str:
    """The graph on one line."""
    return f"{graph}\n"
