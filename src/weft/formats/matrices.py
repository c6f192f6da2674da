"""Matrices of marks, as numbers and as CSV, for the programs that write graphs so.

The CSV has a header of names and a name before each row, as R's ``write.csv`` and pandas write it. What is read may
lack the names of the rows, or have numbers in their place. The first line must be a header. A matrix has one edge a
pair: a graph with ``->`` beside ``<->`` is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from weft.errors import GraphError
from weft.formats.csv_text import Record, record, records
from weft.graphs.mixed import Edge, EndpointMatrix, Mark, MixedGraph

_NUMBER = re.compile(r"\s*-?\d+(\.0*)?\s*")


@dataclass(frozen=True)
class Coding:
    """How a program writes marks: the number of each, and whether entry (a, b) is the mark at a or at b."""

    program: str
    marks: Mapping[object, Mark]
    at_row: bool
    hint: str = ""

    def __str__(self) -> str:
        listed = ", ".join(f"{number} {mark.name.lower()}" for number, mark in self.marks.items())
        return f"{self.program} has {listed}"


def from_matrix(matrix: Any, names: Iterable[str], coding: Coding) -> MixedGraph:
    """The graph of a square array, or of anything that numpy takes for one."""
    import numpy

    names = tuple(names)
    try:
        array = numpy.asarray(matrix)
    except ValueError:  # rows of different lengths
        array = numpy.empty(0)
    if array.shape != (len(names), len(names)):
        shape = " x ".join(map(str, array.shape))
        raise GraphError(f"{len(names)} names need a matrix of {len(names)} x {len(names)}, not {shape}")
    return _graph(array.tolist(), names, coding, [""] * len(names))


def read_matrix(text: str, coding: Coding) -> MixedGraph:
    """The graph of a matrix in CSV."""
    found = records(text)
    if not found:
        raise GraphError("the file is empty; a matrix has a header of names and a row for each")
    names, rows = _labelled(found)
    return _graph(rows, names, coding, [f"{place}: " for place, _ in found[1:]])


def write_matrix(matrix: EndpointMatrix) -> str:
    """A matrix in CSV."""
    rows = zip(matrix.names, matrix.matrix.tolist(), strict=True)
    lines = [record(["", *matrix.names]), *(record([name, *map(str, row)]) for name, row in rows)]
    return "".join(lines)


def _labelled(found: list[Record]) -> tuple[list[str], list[list[object]]]:
    """The names of the columns, and the rows without their names."""
    (place, header), *rows = found
    if _NUMBER.fullmatch(header[0]):
        raise GraphError(f"{place}: {header[0]!r} stands where a name should; the first line must name the variables")
    width = len(rows[0][1]) if rows else len(header)
    named = width == len(header) + 1 or len(rows) == len(header) - 1 or not header[0].strip()
    names = header[1:] if named and width == len(header) else header
    for place, cells in rows:
        if len(cells) != len(names) + named:
            raise GraphError(f"{place}: {len(cells)} fields where {len(names) + named} are needed; complete the line")
    if len(rows) != len(names):
        raise GraphError(f"{place}: {len(names)} names need {len(names)} rows, not {len(rows)}; complete the matrix")
    if named:
        _check_labels([cells[0] for _, cells in rows], names, [place for place, _ in rows])
    return names, [[_value(cell) for cell in cells[named:]] for _, cells in rows]


def _check_labels(labels: list[str], names: list[str], places: list[str]) -> None:
    """The rows must have the names of the columns, or count from 0 or 1."""
    if any(labels == [str(start + i) for i in range(len(names))] for start in (0, 1)):
        return
    for label, name, place in zip(labels, names, places, strict=True):
        if label != name:
            raise GraphError(f"{place}: the row of {name!r} is called {label!r}; put rows and columns in one order")


def _value(cell: str) -> object:
    try:
        return float(cell)
    except ValueError:
        return cell


def _graph(rows: Sequence[Sequence[object]], names: Sequence[str], coding: Coding, places: Sequence[str]) -> MixedGraph:
    _check_names(names)
    for place, name, row in zip(places, names, rows, strict=True):
        for other, value in zip(names, row, strict=True):
            if value not in coding.marks:
                raise GraphError(f"{place}{_entry(name, other, value)} is not a mark; {coding}")
            if name == other and value != 0:
                raise GraphError(f"{place}{_entry(name, other, value)}: an edge from a vertex to itself; write 0")
    edges: list[Edge] = []
    for a, b in combinations(range(len(names)), 2):
        there, back = rows[a][b], rows[b][a]
        if (there == 0) != (back == 0):
            both = f"{_entry(names[a], names[b], there)} and {_entry(names[b], names[a], back)}"
            raise GraphError(f"{places[b]}{both}: an edge has a mark at either end, or there is none{coding.hint}")
        at_a, at_b = (there, back) if coding.at_row else (back, there)
        if there != 0:
            edges.append(Edge(names[a], coding.marks[at_a], coding.marks[at_b], names[b]))
    return MixedGraph.build(names, edges)


def _check_names(names: Sequence[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if not isinstance(name, str):
            raise GraphError(f"{name!r} is not a name; names are text")
        if name in seen:
            raise GraphError(f"the name {name!r} appears twice; rename one of the two")
        seen.add(name)


def _entry(name: str, other: str, value: object) -> str:
    shown = f"{value:g}" if isinstance(value, float) else repr(value)
    return f"entry ({name!r}, {other!r}) = {shown}"
