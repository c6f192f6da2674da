"""Data that the weights of statements are fitted on: networks that look more like real ones than the simulator's.

:func:`weft.studies.simulate.draw_studies` draws small graphs with effects that are mostly strong. Real networks are
larger, studies measure a part of their variables (so that the hidden ones make the marginal graph dense and its links
weak), effects are of all sizes, and dependence fades along chains. So here:

- *graphs*: DAGs of 8 to 24 variables (``large``: 20 to 50, all with levels), mean degree 1.2 to 3.6; edges anywhere,
  mostly between neighbours in the order (chains), or mostly from a few hubs;
- *studies*: two or three, of the variables that are not hidden (none, 15 or 30 % are), sharing 40 %;
- *numbers*: linear or nonlinear sums of the causes plus noise, Gaussian in some runs; a run has a scale of its effects,
  .12 to 1.2;
- *levels*: two to five; a variable follows its causes by a table of random probabilities (from nearly deterministic to
  nearly independent), as a noisy "or" of rare events, as a nearly deterministic function, or by thresholds of a sum;
- *both*: ``mixed`` networks, in which each variable is a number (moved, and perhaps scaled, by levels that cause it) or
  has levels (a choice by propensities, or thresholds of a sum); and ``cut`` ones, in which half of the numbers of a
  network of numbers are recorded as levels.

None of it was adjusted to any public network.
"""

from __future__ import annotations

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from weft.graphs.mixed import Edge, Mark, MixedGraph, bits
from weft.graphs.simulate import split_into_studies
from weft.studies import Column, Kind, Study

Floats = NDArray[np.float64]
Parents = list[list[int]]

MOST_MEASURED = {"discrete": 18, "linear": 12, "nonlinear": 12, "mixed": 12, "cut": 12, "large": 40}
"""Of all studies together; tests of numbers take longer."""
SIZES = {"discrete": (8, 25), "large": (20, 51)}
"""From how many to below how many variables a network has; others are smaller, since tests of numbers take longer."""
_USUAL_SIZES = (8, 16)
_MOST_PARENTS, _MOST_LEVELS = 5, 8


def draw_population(seed: int, way: str, rows: int) -> tuple[MixedGraph, list[Study]]:
    """A network, hidden variables included, and studies of some of its variables."""
    rng = np.random.default_rng([seed, list(MOST_MEASURED).index(way), 77])
    size = int(rng.integers(*SIZES.get(way, _USUAL_SIZES)))
    parents, studies = _parents(size, rng), int(rng.choice([2, 2, 3]))
    columns = _table(parents, rows * studies, rng, way)
    names = [f"X{i:02}" for i in rng.permutation(size)]
    measured = max(5, round(size * (1 - rng.choice([0, 0, 0.15, 0.3]))))
    shown = sorted(rng.permutation(names)[: min(measured, MOST_MEASURED[way])].tolist())
    split = split_into_studies(shown, rng, studies=studies, overlap=max(1, round(0.4 * len(shown))))
    graph = MixedGraph.build(
        sorted(names), [Edge(names[p], Mark.TAIL, Mark.ARROW, names[v]) for v in range(size) for p in parents[v]]
    )
    tables = [
        Study(f"study{i + 1}", tuple(found))
        for i, variables in enumerate(split)
        if len(found := list(_columns(variables, names, columns, slice(i * rows, (i + 1) * rows)))) > 1
    ]
    return graph, tables


def draw_network(graph: MixedGraph, rows: int, rng: Generator) -> Floats:
    """Levels of every variable of a DAG, a column for each of its names."""
    order: list[int] = []
    while len(order) < graph.size:
        order += [v for v in range(graph.size) if v not in order and all(p in order for p in bits(graph.parents[v]))]
    columns = _levels([[order.index(p) for p in bits(graph.parents[v])] for v in order], rows, rng)
    return np.column_stack([columns[order.index(v)] for v in range(graph.size)])


def _table(parents: Parents, rows: int, rng: Generator, way: str) -> list[Floats]:
    if way in ("discrete", "large"):
        return _levels(parents, rows, rng)
    if way == "mixed":
        return _both(parents, rows, rng)
    if way == "cut":
        return _cut(_numbers(parents, rows, rng, str(rng.choice(["linear", "nonlinear"]))), rng)
    return _numbers(parents, rows, rng, way)


def _has_levels(values: Floats) -> bool:
    return len(np.unique(values)) <= _MOST_LEVELS


def _columns(variables: tuple[str, ...], names: list[str], columns: list[Floats], rows: slice) -> list[Column]:
    found = []
    for name in variables:
        values = columns[names.index(name)][rows]
        if not _has_levels(columns[names.index(name)]):
            found.append(Column(name, Kind.CONTINUOUS, values))
            continue
        levels, codes = np.unique(values, return_inverse=True)
        if len(levels) > 1:  # a study cannot use a column that is constant in it
            kind = Kind.BINARY if len(levels) == 2 else Kind.CATEGORICAL
            found.append(Column(name, kind, codes.astype(np.float64), tuple(f"level {int(one)}" for one in levels)))
    return found


# -- graphs ----------------------------------------------------------------------------------------------------------


def _parents(size: int, rng: Generator) -> Parents:
    """For each variable those that cause it, all of them earlier."""
    shape, edges = rng.integers(3), round(rng.uniform(1.2, 3.6) * size / 2)
    chosen: set[tuple[int, int]] = {(v - 1, v) for v in range(1, size) if shape == 1 and rng.random() < 0.8}
    degrees = np.ones(size)
    for _ in range(10 * edges):
        if len(chosen) >= edges:
            break
        effect = int(rng.integers(1, size))
        if shape == 0:
            cause = int(rng.integers(effect))
        elif shape == 1:
            cause = max(0, effect - int(rng.geometric(0.35)))
        else:
            cause = int(rng.choice(effect, p=degrees[:effect] / degrees[:effect].sum()))
        if (cause, effect) not in chosen:
            chosen.add((cause, effect))
            degrees[cause] += 1
    return [[cause for cause, effect in sorted(chosen) if effect == v][:_MOST_PARENTS] for v in range(size)]


# -- numbers ---------------------------------------------------------------------------------------------------------


def _numbers(parents: Parents, rows: int, rng: Generator, way: str) -> list[Floats]:
    scale, gaussian = np.exp(rng.uniform(np.log(0.12), np.log(1.2))), rng.random() < 0.3
    columns: list[Floats] = []
    for causes in parents:
        total = _noise(rows, rng, gaussian)
        for cause in causes:
            effect = columns[cause] if way == "linear" else _bent(columns[cause], rng)
            total = total + rng.choice([-1, 1]) * scale * rng.uniform(0.3, 1.4) * effect
        columns.append(_scaled(total))
    return columns


def _noise(rows: int, rng: Generator, gaussian: bool) -> Floats:
    draws = (rng.normal, rng.exponential, rng.uniform, rng.laplace)
    return _scaled(np.asarray(draws[0 if gaussian else rng.integers(len(draws))](size=rows)))


def _bent(cause: Floats, rng: Generator) -> Floats:
    within = np.clip(cause, -3, 3)
    shapes = (np.tanh(2 * within), within + 0.5 * within**2, np.sin(rng.uniform(1, 2.5) * within), np.abs(within))
    return _scaled(shapes[rng.integers(len(shapes))])


def _scaled(values: Floats) -> Floats:
    return np.asarray((values - values.mean()) / (values.std() + 1e-9))


# -- levels ----------------------------------------------------------------------------------------------------------


def _levels(parents: Parents, rows: int, rng: Generator) -> list[Floats]:
    mechanisms = rng.choice(4, size=len(parents), p=rng.dirichlet([1.5, 1, 0.6, 1]))
    weakest = np.exp(rng.uniform(0, np.log(30)))
    columns: list[Floats] = []
    for own, mechanism in zip(parents, mechanisms, strict=True):
        causes, levels = [columns[cause] for cause in own], int(rng.choice([2, 2, 2, 3, 3, 4, 5]))
        if not causes or mechanism == 0:
            column = _from_table(causes, levels, rows, rng, weakest)
        else:
            column = (_noisy_or, _nearly_determined, _thresholds)[mechanism - 1](causes, levels, rows, rng)
        columns.append(column)
    return columns


def _from_table(causes: list[Floats], levels: int, rows: int, rng: Generator, weakest: float) -> Floats:
    usual = 0.97 * rng.dirichlet(np.full(levels, np.exp(rng.uniform(np.log(0.7), np.log(15))))) + 0.03 / levels
    combination = np.zeros(rows, dtype=np.intp)
    for cause in causes:
        _, combination = np.unique(combination * 8 + cause.astype(np.intp), return_inverse=True)
    if causes:
        concentration = np.exp(rng.uniform(-0.3, np.log(1.5 + weakest)))
        table = rng.dirichlet(np.maximum(concentration * usual, 0.02), size=int(combination.max()) + 1)
    else:
        table = usual[None, :]
    even = rng.choice([0.0, 0.01, 0.05])
    cumulative = np.cumsum((1 - even) * table + even / levels, axis=1)[:, :-1]
    return np.asarray((rng.random(rows)[:, None] >= cumulative[combination]).sum(axis=1), dtype=np.float64)


def _noisy_or(causes: list[Floats], levels: int, rows: int, rng: Generator) -> Floats:
    without = np.full(rows, 1 - np.exp(rng.uniform(np.log(0.003), np.log(0.3))))
    for cause in causes:
        without = without * (1 - rng.uniform(0.05, 0.95) * cause / max(cause.max(), 1.0))
    happens = (rng.random(rows) >= without).astype(np.float64)
    return np.asarray(happens * (1 + rng.integers(0, levels - 1, size=rows) if levels > 2 else 1))


def _nearly_determined(causes: list[Floats], levels: int, rows: int, rng: Generator) -> Floats:
    value = np.sum(causes, axis=0) if rng.random() < 0.5 else np.max(causes, axis=0)
    wrong = rng.random(rows) < rng.choice([0, 0.005, 0.02, 0.05])
    return np.asarray(np.where(wrong, rng.integers(0, levels, size=rows), np.minimum(value, levels - 1)))


def _thresholds(causes: list[Floats], levels: int, rows: int, rng: Generator) -> Floats:
    total = rng.logistic(size=rows) * rng.uniform(0.3, 1)
    for cause in causes:
        total = total + rng.choice([-1, 1]) * rng.uniform(0.1, 1.2) * _scaled(cause)
    return np.asarray(
        np.digitize(total, np.sort(rng.uniform(-1.2, 1.2, size=levels - 1)) * total.std()), dtype=np.float64
    )


# -- numbers and levels ----------------------------------------------------------------------------------------------


def _both(parents: Parents, rows: int, rng: Generator) -> list[Floats]:
    scale, gaussian = np.exp(rng.uniform(np.log(0.3), np.log(1.5))), rng.random() < 0.3
    columns: list[Floats] = []
    for own in parents:
        causes, levels = [columns[cause] for cause in own], int(rng.choice([2, 2, 3, 4, 5]))
        if rng.random() < 0.5:
            columns.append(_moved(causes, rows, rng, scale, gaussian))
        elif rng.random() < 0.5:
            columns.append(_chosen(causes, levels, rows, rng, scale))
        else:
            columns.append(_thresholds([_acting(cause, rng) for cause in causes], levels, rows, rng))
    return columns


def _moved(causes: list[Floats], rows: int, rng: Generator, scale: float, gaussian: bool) -> Floats:
    """A number: what its causes add to noise that may be wider for some of their values."""
    total = _noise(rows, rng, gaussian)
    for cause in causes:
        if rng.random() < 0.2:
            total = total * np.exp(0.4 * _acting(cause, rng).clip(-2, 2))
    for cause in causes:
        total = total + rng.choice([-1, 1]) * scale * rng.uniform(0.3, 1.4) * _acting(cause, rng)
    return _scaled(total)


def _chosen(causes: list[Floats], levels: int, rows: int, rng: Generator, scale: float) -> Floats:
    """Unordered levels: each has a propensity, and the largest wins."""
    propensities = rng.gumbel(size=(rows, levels)) + rng.normal(0, 0.5, size=levels)
    for cause in causes:
        propensities += np.outer(_acting(cause, rng), rng.normal(0, 1.5 * scale, size=levels))
    return np.asarray(propensities.argmax(axis=1), dtype=np.float64)


def _acting(cause: Floats, rng: Generator) -> Floats:
    """How a cause acts: a number straight or bent, each level by a size of its own."""
    if _has_levels(cause):
        return _scaled(rng.normal(size=_MOST_LEVELS)[cause.astype(np.intp)])
    return cause if rng.random() < 0.5 else _bent(cause, rng)


def _cut(columns: list[Floats], rng: Generator) -> list[Floats]:
    """Half of the numbers, recorded as levels."""
    found = []
    for values in columns:
        cuts = np.quantile(values, np.sort(rng.uniform(0.1, 0.9, size=int(rng.choice([1, 1, 2, 3, 4])))))
        found.append(np.digitize(values, cuts).astype(np.float64) if rng.random() < 0.5 else values)
    return found
