"""Connected pairs of simulated studies: what methods that look around are fitted on, and judged by.

A study is a sample from a random ADMG of four to nine variables (mean degree 2, half a bidirected edge for each
variable), of which up to three are not measured. Its pairs are those that are connected in truth, each with its
neighbours in truth and its true marginal structure (:func:`study_pairs`). Or there are two studies that share half of
the variables, and their pairs are those that the tests of :func:`weft.gather` find connected, each in all studies that
measured it, with the neighbours that the tests find (:func:`found_pairs`): that is what a user has. Six ways to draw
the data:

``linear``, ``nonlinear``
    Those of :mod:`weft.studies.simulate`.
``varied``
    Functions and distributions of ``pair_families.py``, with noise that is added, scaled by the effect or multiplied:
    not what any method here has for its model.
``recorded``
    The same as measurements: with errors, rounded, with limits of detection and a few wrong values (``instrument`` in
    ``pair_families.py``), each with a small probability.
``weak``
    Linear, coefficients of size 0.1 to 0.5.
``gaussian``
    Linear with Gaussian noise: no direction can be seen, and a method should abstain.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.pair_families import FloatArray, Generator, any_function, instrument, marginal, noise, standard
from weft.evidence.orientation.protocol import Around
from weft.evidence.relate import around_in, neighbours_of
from weft.evidence.statements import study_names
from weft.gathering import gather
from weft.graphs.ancestral import marginal_mag
from weft.graphs.criteria import Structure, structure_of
from weft.graphs.mixed import MixedGraph, bits
from weft.graphs.simulate import random_admg, split_into_studies
from weft.knowledge.knowledge import Knowledge
from weft.settings import Settings
from weft.studies import Column, Kind, Study
from weft.studies.simulate import draw_studies

Draw = Callable[[Sequence[FloatArray], int, Generator], FloatArray]


@dataclass(frozen=True, eq=False)
class StudyPair:
    """A pair that is connected in a study."""

    x: Column
    y: Column
    around: Around
    truth: Structure
    way: str
    rows: int


@dataclass(frozen=True, eq=False)
class FoundPair:
    """A pair that tests find connected, as each study that measured it has it."""

    places: tuple[StudyPair, ...]
    truth: Structure
    way: str
    rows: int


def weak(causes: Sequence[FloatArray], rows: int, generator: Generator) -> FloatArray:
    """Small effects; noise that is exponential, uniform or Laplace."""
    draws = (generator.exponential, generator.uniform, generator.laplace)
    total = standard(np.asarray(draws[generator.integers(3)](size=rows)))
    return _sum(total, causes, 0.1, 0.5, generator)


def gaussian(causes: Sequence[FloatArray], rows: int, generator: Generator) -> FloatArray:
    """Linear, Gaussian noise."""
    return _sum(generator.normal(size=rows), causes, 0.3, 1.2, generator)


def _sum(
    start: FloatArray, causes: Sequence[FloatArray], least: float, most: float, generator: Generator
) -> FloatArray:
    for cause in causes:
        start = start + generator.choice([-1, 1]) * generator.uniform(least, most) * cause
    return standard(start)


def varied(causes: Sequence[FloatArray], rows: int, generator: Generator) -> FloatArray:
    """Any functions; noise that is added, scaled or multiplied."""
    if not causes:
        return marginal(generator, rows)
    parts = [generator.uniform(0.4, 1) * standard(any_function(generator)(cause.clip(-4, 4))) for cause in causes]
    effect = standard(np.sum(parts, axis=0))
    kind = generator.random()
    if kind < 0.6:
        return standard(effect + generator.uniform(0.3, 1) * noise(generator, rows))
    within = effect.clip(-3, 3)
    if kind < 0.8:
        scale = generator.uniform(0.3, 0.8) * np.exp(generator.uniform(0.2, 0.6) * within)
        return standard(effect + scale * noise(generator, rows))
    return standard(np.exp(0.6 * within + generator.uniform(0.2, 0.6) * noise(generator, rows).clip(-4, 4)))


OWN: Mapping[str, Draw] = {"varied": varied, "recorded": varied, "weak": weak, "gaussian": gaussian}
WAYS = ("linear", "nonlinear", *OWN)


def table_of(graph: MixedGraph, rows: int, generator: Generator, way: str) -> dict[str, FloatArray]:
    """A sample of all variables."""
    if way not in OWN:
        (study,) = draw_studies(graph, [graph.names], rows, generator, way)
        return {column.name: column.values for column in study.columns}
    draw, size = OWN[way], len(graph.names)
    hidden = {(x, y): draw((), rows, generator) for x in range(size) for y in bits(graph.spouses[x]) if x < y}
    values: dict[int, FloatArray] = {}
    while len(values) < size:
        for v in range(size):
            if v not in values and all(parent in values for parent in bits(graph.parents[v])):
                causes = [values[p] for p in bits(graph.parents[v])] + [
                    one for ends, one in hidden.items() if v in ends
                ]
                values[v] = draw(causes, rows, generator)
    return {name: values[v] for v, name in enumerate(graph.names)}


def as_measured(generator: Generator, values: FloatArray) -> FloatArray:
    """What an instrument makes of a column."""
    if generator.random() < 0.3:
        values = values + generator.uniform(0.05, 0.3) * values.std() * noise(generator, len(values))
    return instrument(generator, values)


def study_pairs(way: str, seed: int, rows: int | None = None) -> Iterator[StudyPair]:
    """The connected pairs of the study of that number; 300 to 5000 rows unless given."""
    generator = np.random.default_rng([seed, *way.encode()])
    size = int(generator.integers(4, 10))
    graph = random_admg(size, generator, mean_degree=2, mean_bidirected_degree=0.5)
    measured = max(2, size - int(generator.integers(4)))
    names = sorted(generator.choice(graph.names, measured, replace=False).tolist())
    drawn = round(math.exp(generator.uniform(math.log(300), math.log(5000))))
    rows = drawn if rows is None else rows
    table = table_of(graph, rows, generator, way)
    if way == "recorded":
        table = {name: as_measured(generator, values) for name, values in table.items()}
    columns = {name: Column(name, Kind.CONTINUOUS, table[name]) for name in names}
    mag = marginal_mag(graph, names)
    near = {a: [b for b in names if a != b and mag.edge(a, b) is not None] for a in names}
    for a in names:
        for b in (b for b in near[a] if a < b):
            of_x, of_y = (tuple(columns[c] for c in near[one] if c not in (a, b)) for one in (a, b))
            yield StudyPair(columns[a], columns[b], Around(of_x, of_y), structure_of(graph, a, b), way, rows)


def two_studies(way: str, seed: int, rows: int | None = None) -> tuple[MixedGraph, list[Study]]:
    """An ADMG of five to eight variables, and two studies that share half of them; 300 to 5000 rows unless given."""
    generator = np.random.default_rng([seed, *way.encode(), 2])
    size = int(generator.integers(5, 9))
    graph = random_admg(size, generator, mean_degree=2, mean_bidirected_degree=0.5)
    split = split_into_studies(graph.names, generator, studies=2, overlap=size // 2)
    drawn = round(math.exp(generator.uniform(math.log(300), math.log(5000))))
    rows = drawn if rows is None else rows
    table = table_of(graph, 2 * rows, generator, way)
    if way == "recorded":
        table = {name: as_measured(generator, values) for name, values in table.items()}
    return graph, [
        Study(study, tuple(Column(name, Kind.CONTINUOUS, table[name][part * rows : (part + 1) * rows]) for name in own))
        for part, (study, own) in enumerate(zip(study_names(2), split, strict=True))
    ]


def found_pairs(way: str, seed: int, rows: int | None = None) -> Iterator[FoundPair]:
    """The pairs of two studies that are found connected, with the neighbours that are found."""
    graph, studies = two_studies(way, seed, rows)
    connected = gather(studies, Knowledge(), Settings(method="iod")).evidence.connected
    near = neighbours_of(connected)
    for x, y in sorted({(one.x, one.y) for one in connected}):
        truth = structure_of(graph, x, y)
        places = tuple(
            StudyPair(study.column(x), study.column(y), around_in(study, (x, y), near), truth, way, study.rows)
            for study in studies
            if {x, y} <= {*study.variables}
        )
        yield FoundPair(places, truth, way, studies[0].rows)
