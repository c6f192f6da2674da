"""Data drawn from a graph: every variable a function of its causes and of noise of its own.

A bidirected edge is a hidden variable that causes both ends. Three ways to draw:

``linear``
    Sums of the causes with coefficients of size 0.5 to 1.2 and random signs, plus noise that is exponential, uniform
    or Laplace.
``nonlinear``
    Sums of functions of the causes (a saturating, a quadratic or an exponential one), plus or times noise. The effect
    and its noise have about equal shares. What a function bends, or multiplies, is clipped at three standard deviations
    first, and exponents at 2.5: otherwise a single row could carry a variable, and nobody would see the others.
``discrete``
    Levels: each variable, hidden ones too, has two to four of them, and a table of probabilities for each combination
    of levels of its causes. A variable has probabilities of its own, drawn around even ones; those of each combination
    are drawn around these, from a Dirichlet distribution whose concentration is 1 (the causes decide nearly
    everything) to 20 (they hardly matter). A share of 5 % is even, so that every level occurs.

Every number is scaled to standard deviation 1 before it goes on to its effects.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weft.errors import GraphError, StudyError
from weft.graphs.mixed import MixedGraph, bits
from weft.reading.files import label_of, why_not_written
from weft.studies.study import Column, Kind, Study

if TYPE_CHECKING:
    from numpy.random import Generator

Floats = NDArray[np.float64]
Way = str
"""A name in :data:`WAYS`."""

_LEVELS = "abcd"
"""What the levels of discrete variables are called: letters, since numbers would be read as ordered."""
_FARTHEST, _STEEPEST = 3.0, 2.5
"""Standard deviations beyond which a cause acts no further where it acts nonlinearly; the largest exponent."""
_EVEN = 0.05


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
    column = WAYS[way].column
    return [
        Study(
            f"study{i + 1}",
            tuple(column(name, table[name], slice(i * rows, (i + 1) * rows)) for name in variables),
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
                table.writerows(zip(*map(_fields, study.columns), strict=True))
    except OSError as error:
        raise StudyError(f"{label_of(folder)}: {why_not_written(error)}") from None
    return paths


def _fields(column: Column) -> Sequence[str | None]:
    return column.labels() if column.levels else [f"{value:.6g}" for value in column.values]


def draw_table(graph: MixedGraph, rows: int, rng: Generator, way: Way = "nonlinear") -> dict[str, Floats]:
    """A sample of all variables of a DAG or ADMG, by name; levels as codes 0, 1, ..."""
    if way not in WAYS:
        raise GraphError(f"there is no way {way!r} to draw data; choose one of {', '.join(WAYS)}")
    size = len(graph.names)
    hidden = {(x, y): WAYS[way].hidden(rows, rng) for x in range(size) for y in bits(graph.spouses[x]) if x < y}
    values: dict[int, Floats] = {}
    while len(values) < size:
        ready = [v for v in range(size) if v not in values and all(p in values for p in bits(graph.parents[v]))]
        if not ready:
            raise GraphError("data can be drawn from a graph without directed cycles and undirected edges only")
        for v in ready:
            causes = [values[p] for p in bits(graph.parents[v])] + [one for pair, one in hidden.items() if v in pair]
            values[v] = WAYS[way].draw(causes, rows, rng)
    return {name: values[v] for v, name in enumerate(graph.names)}


# -- numbers ---------------------------------------------------------------------------------------------------------


def _linear(causes: Sequence[Floats], rows: int, rng: Generator) -> Floats:
    total = _noise(rows, rng)
    for cause in causes:
        total = total + rng.choice([-1, 1]) * rng.uniform(0.5, 1.2) * cause
    return _scaled(total)


def _nonlinear(causes: Sequence[Floats], rows: int, rng: Generator) -> Floats:
    if not causes:
        return _noise(rows, rng)
    effect = _scaled(np.sum([_bent(cause, rng) for cause in causes], axis=0))
    if rng.random() < 0.3:
        return _scaled(effect + np.exp(_clipped(effect) / 2) * 0.7 * _clipped(_noise(rows, rng)))
    return _scaled(effect + rng.uniform(0.5, 1.0) * _noise(rows, rng))


def _bent(cause: Floats, rng: Generator) -> Floats:
    sign, slope = rng.choice([-1, 1]), rng.uniform(0.8, 1.8)
    shape = rng.integers(3)
    within = _clipped(cause)
    if shape == 0:
        return np.asarray(sign * np.tanh(2 * slope * within))
    if shape == 1:
        return np.asarray(sign * _scaled(within + slope * 0.5 * within**2))
    return np.asarray(sign * _scaled(np.exp(_clipped(0.8 * slope * within, _STEEPEST))))


def _clipped(values: Floats, most: float = _FARTHEST) -> Floats:
    return np.clip(values, -most, most)


def _noise(rows: int, rng: Generator) -> Floats:
    draws = (rng.exponential, rng.uniform, rng.laplace)
    return _scaled(np.asarray(draws[rng.integers(3)](size=rows)))


def _scaled(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / values.std())


def _numbers(name: str, values: Floats, rows: slice) -> Column:
    return Column(name, Kind.CONTINUOUS, values[rows])


# -- levels ----------------------------------------------------------------------------------------------------------


def _discrete(causes: Sequence[Floats], rows: int, rng: Generator) -> Floats:
    own = rng.dirichlet(np.full(rng.integers(2, len(_LEVELS) + 1), 10.0))
    combination = _combinations(causes, rows)
    if causes:
        concentration = np.exp(rng.uniform(0, np.log(20)))
        table = rng.dirichlet(concentration * own, size=int(combination.max()) + 1)
    else:
        table = own[None, :]
    cumulative = np.cumsum((1 - _EVEN) * table + _EVEN / len(own), axis=1)
    # The last sum of shares is left out: it is 1 but for rounding.
    codes = (rng.random(rows)[:, None] >= cumulative[combination, :-1]).sum(axis=1)
    return np.asarray(codes, dtype=np.float64)


def _combinations(causes: Sequence[Floats], rows: int) -> NDArray[np.intp]:
    """Which combination of levels of the causes each row has; only those that occur are numbered."""
    found = np.zeros(rows, dtype=np.intp)
    for cause in causes:
        _, found = np.unique(found * len(_LEVELS) + cause.astype(np.intp), return_inverse=True)
    return found


def _levels(name: str, codes: Floats, rows: slice) -> Column:
    levels = tuple(_LEVELS[: int(codes.max()) + 1])
    return Column(name, Kind.BINARY if len(levels) == 2 else Kind.CATEGORICAL, codes[rows], levels)


# -- the ways --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mechanism:
    """One way to draw: a hidden variable, a variable from its causes, and the column of a study, some of the rows."""

    hidden: Callable[[int, Generator], Floats]
    draw: Callable[[Sequence[Floats], int, Generator], Floats]
    column: Callable[[str, Floats, slice], Column]


WAYS: Mapping[Way, Mechanism] = {
    "linear": Mechanism(_noise, _linear, _numbers),
    "nonlinear": Mechanism(_noise, _nonlinear, _numbers),
    "discrete": Mechanism(partial(_discrete, ()), _discrete, _levels),
}
