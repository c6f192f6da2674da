"""Overlapping studies with a known truth: what the tools of ``tools/`` are given, and how their claims are judged.

- *Public networks* (``public.py``): nothing was fitted to them.
- *Simulated, 27 variables*: one network of the size and density of the larger public ones (27 variables, 52 edges),
  drawn once with the mechanisms of ``populations.py``.
- *Simulators* (:mod:`weft.studies.simulate`): random ADMGs of 5 to 8 variables, a new one for each seed.

weft's constants were fitted on other draws of the last two, with other seeds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from functools import cache, partial
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.populations import draw_network
from benchmarks.public import FOLDER, NAMES, SHARED, dealt, studies_of
from benchmarks.tools import LEVELS, NUMBERS, Said
from benchmarks.tools.pag import ancestors
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies
from weft.studies import Study, usable
from weft.studies.simulate import WAYS, draw_studies

SEED = 900_000
"""Where the seeds of the simulators begin; nothing else uses these."""
STUDIES, ROWS = (2, 3), (1000, 5000)
VARIABLES, EDGES, NETWORK_ROWS = 27, 52, 15_000

Drawn = tuple[MixedGraph, list[Study]]


# -- where data come from ----------------------------------------------------------------------------------------------


def simulated(way: str, studies: int, rows: int, seed: int) -> Drawn:
    """A random ADMG, and studies that share 40 % of its variables."""
    rng = np.random.default_rng([SEED + seed, list(WAYS).index(way), studies])
    size = int(rng.integers(5, 9))
    graph = random_admg(size, rng, mean_degree=2, mean_bidirected_degree=0.5)
    split = split_into_studies(graph.names, rng, studies=studies, overlap=round(SHARED * size))
    return graph, draw_studies(graph, split, rows, rng, way)


@cache
def larger_network() -> tuple[MixedGraph, NDArray[np.float64]]:
    """The graph of the larger network, and a sample of it."""
    rng = np.random.default_rng([SEED, VARIABLES])
    graph = random_dag(VARIABLES, rng, mean_degree=2 * EDGES / VARIABLES)
    return graph, draw_network(graph, NETWORK_ROWS, rng)


def larger(studies: int, rows: int, seed: int) -> Drawn:
    """Studies of the larger network."""
    graph, values = larger_network()
    return graph, dealt(graph.names, graph.names, values, studies, rows, seed)


@dataclass(frozen=True)
class Source:
    """Where data come from."""

    title: str
    kind: str
    """Of its tables: numbers or levels."""
    draw: Callable[[int, int, int], Drawn]
    """From the number of studies, of rows, and a seed."""
    seeds: int
    about: str
    needs_files: bool = False
    large: bool = False

    def missing(self) -> str:
        """Why there are no data; empty if there are."""
        return f"{FOLDER} is not there" if self.needs_files and not FOLDER.is_dir() else ""


def _public(name: str) -> Source:
    about = "A public network, its variables dealt out anew for each seed."
    return Source(name, LEVELS, partial(studies_of, name), 2, about, True, name in ("child", "alarm"))


def _way(way: str) -> Source:
    kind = LEVELS if way == "discrete" else NUMBERS
    about = "A new random graph for each seed, 5 to 8 variables, with hidden common causes."
    return Source(f"simulator, {way}", kind, partial(simulated, way), 5, about)


SOURCES: Mapping[str, Source] = {
    **{name: _public(name) for name in NAMES},
    "larger": Source(
        f"simulated, {VARIABLES} variables",
        LEVELS,
        larger,
        2,
        f"One random network of {VARIABLES} variables and {EDGES} edges, its variables dealt out anew for each seed.",
        large=True,
    ),
    **{way: _way(way) for way in WAYS},
}


@dataclass(frozen=True)
class Case:
    """Tables to be given to the tools."""

    source: str
    """A key of :data:`SOURCES`."""
    studies: int
    rows: int
    seed: int

    def drawn(self) -> Drawn:
        """The true graph and the tables, without columns that are constant in their study."""
        graph, studies = SOURCES[self.source].draw(self.studies, self.rows, self.seed)
        return graph, list(usable(studies)[0])

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


def cases(source: str, *, quick: bool, splits: int | None = None) -> list[Case]:
    """All cases of a source, or so many of each size; for a look the smallest one."""
    seeds = range(1 if quick else SOURCES[source].seeds)[:splits]
    rows, studies = ROWS[: 1 if quick else None], STUDIES[: 1 if quick else None]
    return [Case(source, k, n, seed) for n in rows for k in studies for seed in seeds]


# -- what is right -----------------------------------------------------------------------------------------------------


class Judged(NamedTuple):
    """A claim, and whether it is right."""

    x: str
    y: str
    causes: bool
    confidence: float | None
    right: bool


def judged(said: Iterable[Said], graph: MixedGraph, measured: Iterable[str]) -> list[Judged]:
    """Each claim once, with the greatest confidence it was made with, and whether it holds in the true graph."""
    truth, names = ancestors(graph), set(measured)
    surest: dict[tuple[str, str, bool], float | None] = {}
    for one in said:
        if one.x == one.y or not {one.x, one.y} <= names:
            raise ValueError(f"{one} is not about two variables that were measured")
        before = surest.get((one.x, one.y, one.causes))
        own = one.confidence if before is None or one.confidence is None else max(before, one.confidence)
        surest[one.x, one.y, one.causes] = before if own is None else own
    return [
        Judged(x, y, causes, confidence, ((x, y) in truth) == causes)
        for (x, y, causes), confidence in sorted(surest.items(), key=lambda item: item[0])
    ]


def number_of_pairs(graph: MixedGraph, measured: Iterable[str]) -> tuple[int, int]:
    """How many ordered pairs of measured variables there are, and how many of them are cause and effect."""
    truth, pairs = ancestors(graph), list(permutations(set(measured), 2))
    return len(pairs), sum(pair in truth for pair in pairs)


def right_and_wrong(claims: Iterable[Judged], causes: bool, least: float | None = None) -> tuple[int, int]:
    """How many claims of one kind are right and wrong; with a least confidence, those that are as sure.

    >>> said = [Judged("X", "Y", True, 0.97, True), Judged("Y", "Z", True, 0.6, False)]
    >>> right_and_wrong(said, True), right_and_wrong(said, True, 0.9)
    ((1, 1), (1, 0))
    """
    own = [one for one in claims if one.causes == causes]
    if least is not None:
        own = [one for one in own if one.confidence is not None and one.confidence >= least]
    right = sum(one.right for one in own)
    return right, len(own) - right
