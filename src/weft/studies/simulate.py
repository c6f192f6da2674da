"""Data drawn from a graph: every variable a function of its causes and of noise of its own.

A bidirected edge is a hidden variable that causes both ends. Two ways to draw:

``linear``
    Sums of the causes with coefficients of size 0.5 to 1.2 and random signs, plus noise that is exponential, uniform
    or Laplace.
``nonlinear``
    Sums of functions of the causes (a saturating, a quadratic or an exponential one), plus or times noise. The effect
    and its noise have about equal shares.

Every variable is scaled to standard deviation 1 before it goes on to its effects.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import NDArray

from weft.errors import GraphError, StudyError
from weft.graphs.mixed import MixedGraph, bits
from weft.reading.files import label_of, why_not_written
from weft.studies.study import Column, Kind, Study

if TYPE_CHECKING:
    from numpy.random import Generator

Floats = NDArray[np.float64]
Way = Literal["linear", "nonlinear"]


def draw_studies(
    graph: MixedGraph, studies: Iterable[Sequence[str]], rows: int, rng: Generator, way: Way = "nonlinear"
) -> list[Study]:
    """A sample for each study, of its variables only; all from one model, no row in two studies.

    >>> graph = MixedGraph.parse("X -> Y; Y <-> Z")
    >>> [study.variables for study in draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 50, np.random.default_rng(0))]
    [('X', 'Y'), ('Y', 'Z')]
    """
    listed = [tuple(variables) for variables in studies]
    table = draw_table(graph, rows * len(listed), rng, way)
    return [
        Study(
            f"study{i + 1}",
            tuple(Column(name, Kind.CONTINUOUS, table[name][i * rows : (i + 1) * rows]) for name in variables),
        )
        for i, variables in enumerate(listed)
    ]


def write_tables(studies: Iterable[Study], folder: str | os.PathLike[str]) -> list[Path]:
    """Write each study as a CSV file into a folder, which is made if it is not there; gives the files."""
    paths = []
    try:
        Path(folder).mkdir(parents=True, exist_ok=True)
        for study in studies:
            paths.append(Path(folder) / f"{study.name}.csv")
            with paths[-1].open("w", encoding="utf-8", newline="") as file:
                table = csv.writer(file, lineterminator="\n")
                table.writerow(study.variables)
                columns = [[f"{value:.6g}" for value in study.column(name).values] for name in study.variables]
                table.writerows(zip(*columns, strict=True))
    except OSError as error:
        raise StudyError(f"{label_of(folder)}: {why_not_written(error)}") from None
    return paths


def draw_table(graph: MixedGraph, rows: int, rng: Generator, way: Way = "nonlinear") -> dict[str, Floats]:
    """A sample of all variables of a DAG or ADMG, by name."""
    if way not in get_args(Way):
        raise GraphError(f"there is no way {way!r} to draw data; choose one of {', '.join(get_args(Way))}")
    size = len(graph.names)
    hidden = {(x, y): _noise(rng, rows) for x in range(size) for y in bits(graph.spouses[x]) if x < y}
    values: dict[int, Floats] = {}
    while len(values) < size:
        ready = [v for v in range(size) if v not in values and all(p in values for p in bits(graph.parents[v]))]
        if not ready:
            raise GraphError("data can be drawn from a graph without directed cycles and undirected edges only")
        for v in ready:
            causes = [values[p] for p in bits(graph.parents[v])] + [one for pair, one in hidden.items() if v in pair]
            values[v] = _linear(causes, rows, rng) if way == "linear" else _nonlinear(causes, rows, rng)
    return {name: values[v] for v, name in enumerate(graph.names)}


def _linear(causes: Sequence[Floats], rows: int, rng: Generator) -> Floats:
    total = _noise(rng, rows)
    for cause in causes:
        total = total + rng.choice([-1, 1]) * rng.uniform(0.5, 1.2) * cause
    return _scaled(total)


def _nonlinear(causes: Sequence[Floats], rows: int, rng: Generator) -> Floats:
    if not causes:
        return _noise(rng, rows)
    effect = _scaled(np.sum([_bent(cause, rng) for cause in causes], axis=0))
    if rng.random() < 0.3:
        return _scaled(effect + np.exp(effect / 2) * 0.7 * _noise(rng, rows))
    return _scaled(effect + rng.uniform(0.5, 1.0) * _noise(rng, rows))


def _bent(cause: Floats, rng: Generator) -> Floats:
    sign, slope = rng.choice([-1, 1]), rng.uniform(0.8, 1.8)
    shape = rng.integers(3)
    if shape == 0:
        return np.asarray(sign * np.tanh(2 * slope * cause))
    if shape == 1:
        return np.asarray(sign * _scaled(cause + slope * 0.5 * cause**2))
    return np.asarray(sign * _scaled(np.exp(0.8 * slope * np.clip(cause, -3, 3))))


def _noise(rng: Generator, rows: int) -> Floats:
    draws = (rng.exponential, rng.uniform, rng.laplace)
    return _scaled(np.asarray(draws[rng.integers(3)](size=rows)))


def _scaled(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std())
