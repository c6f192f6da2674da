"""How often intervals of effects hold the truth: ``python -m benchmarks effects``.

Random linear models of ADMGs with 4 to 8 variables, two or three studies that share some, 3,000 rows each, noise that
is Gaussian in half of them and skewed in the others. The structure is the true MAG, so what is measured is the
estimation: the interval of every effect that is identified in it, adjusted or composed, against the true effect.
Nothing was fitted or chosen on these seeds.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from itertools import permutations

import numpy as np

from benchmarks.settings import Settings
from benchmarks.table import Row
from weft.effects.answer import effects_of
from weft.effects.identify import Setting, causes
from weft.graphs.ancestral import mag_of
from weft.graphs.mixed import Mark, MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies
from weft.studies import Study

MODELS, FIRST_SEED, ROWS = 500, 7000, 3000
LOWEST, HIGHEST = 93.0, 97.0


def effects(settings: Settings) -> Iterator[Row]:
    """Coverage of the intervals, by how the effect was identified."""
    covered: Counter[str] = Counter()
    total: Counter[str] = Counter()
    seconds = 0.0
    for seed in range(FIRST_SEED, FIRST_SEED + (20 if settings.quick else MODELS)):
        start = time.process_time()
        for kind, holds in _one(seed):
            total[kind] += 1
            covered[kind] += holds
        seconds += time.process_time() - start
    for kind in ("adjusted", "composed"):
        share = 100 * covered[kind] / max(total[kind], 1)
        goal, reached = f"{LOWEST:.0f}-{HIGHEST:.0f} %", LOWEST <= share <= HIGHEST
        yield Row(
            f"{kind}: intervals that hold the truth", goal, f"{share:.1f} %", "", reached, (f"of {total[kind]:,}",)
        )
    yield Row("all models, processor time", "", f"{seconds:.0f} s")


def _one(seed: int) -> Iterator[tuple[str, bool]]:
    """Each identified effect of one model, and whether its interval holds the truth."""
    rng = np.random.default_rng(seed)
    size = 4 + seed % 5
    drawn = random_admg(size, rng, mean_degree=1.8) if seed % 2 else random_dag(size, rng, mean_degree=2)
    coefficients, errors = _model(drawn, rng)
    split = split_into_studies(drawn.names, rng, studies=2 + seed % 2, overlap=2)
    studies = {}
    for place, own in enumerate(split):
        values = _rows(coefficients, errors, rng, gaussian=seed % 4 < 2)
        columns = {name: values[:, drawn.index(name)] for name in own}
        studies[f"s{place}"] = Study.of(columns, f"s{place}")
    setting = Setting({name: frozenset(one.variables) for name, one in studies.items()})
    graph = mag_of(drawn)
    total = np.linalg.inv(np.eye(size) - coefficients)
    for x, y in permutations(graph.names, 2):
        if causes(graph, x, y):
            (case,) = effects_of([graph], x, y, studies, setting).cases
            if case.low is not None and case.high is not None:
                yield case.kind, bool(case.low <= total[drawn.index(y), drawn.index(x)] <= case.high)


def _model(graph: MixedGraph, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The coefficients, and how each hidden common cause and each noise enters."""
    size = graph.size
    coefficients, sources = np.zeros((size, size)), [*np.eye(size)]
    for edge in graph.edges():
        a, b = graph.index(edge.x), graph.index(edge.y)
        strength = rng.uniform(0.3, 0.9) * rng.choice([-1, 1])
        if edge.symbol == "<->":
            source = np.zeros(size)
            source[[a, b]] = strength, rng.uniform(0.3, 0.9)
            sources.append(source)
        elif edge.mark_y == Mark.ARROW:
            coefficients[b, a] = strength
        else:
            coefficients[a, b] = strength
    return coefficients, np.array(sources)


def _rows(coefficients: np.ndarray, sources: np.ndarray, rng: np.random.Generator, *, gaussian: bool) -> np.ndarray:
    shape = (ROWS, len(sources))
    noise = rng.normal(size=shape) if gaussian else rng.exponential(size=shape) - 1
    return np.asarray(noise @ sources @ np.linalg.inv(np.eye(len(coefficients)) - coefficients).T)
