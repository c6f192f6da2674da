"""What is stated about public networks: ``python -m benchmarks networks``.

The networks of the bnlearn repository in ``../shared/data/bnlearn`` (asia, cancer, sachs, child, alarm), split into two
and three studies that share 40 % of their variables. Nothing was fitted to them or chosen on them.

There are 10,000 rows of each, and no row is in two studies: where 5,000 rows for each of three studies are asked for,
each gets 3,333. Every column is categorical.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from benchmarks.evidence import Told, rows_of, told
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import split_into_studies
from weft.parallel import Workers
from weft.studies import Column, Kind, Study

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "bnlearn"
NAMES = ("asia", "cancer", "sachs", "child", "alarm")
SHARED = 0.4
REPETITIONS = 2
"""Splits of each network, number of studies and of rows."""
GOAL, LARGEST_ERROR = (8, 8, 8), 0.06
"""Per cent of the statements of each group that may be wrong."""


def network(name: str) -> MixedGraph:
    """The true graph."""
    text = (FOLDER / f"{name}.graph.txt").read_text(encoding="utf-8")
    nodes = re.search(r"Graph Nodes:\s*(\S+)", text)
    assert nodes is not None
    edges = re.findall(r"(\S+) --> (\S+)", text)
    return MixedGraph.parse("; ".join([*re.split("[;,]", nodes[1]), *(f"{x} -> {y}" for x, y in edges)]))


def studies_of(name: str, studies: int, rows: int, seed: int) -> tuple[MixedGraph, list[Study]]:
    """The graph, and the studies' tables."""
    graph = network(name)
    header, *lines = (FOLDER / f"{name}.txt").read_text(encoding="utf-8").split("\n")
    values = np.array([line.split() for line in lines if line.strip()], dtype=np.float64)
    rng = np.random.default_rng([seed, studies])
    split = split_into_studies(graph.names, rng, studies=studies, overlap=round(SHARED * len(graph.names)))
    each = min(rows, len(values) // studies)
    order = rng.permutation(len(values))
    places = {column: place for place, column in enumerate(header.split())}
    return graph, [
        Study(
            f"study{i + 1}", tuple(_column(one, values[order[i * each : (i + 1) * each], places[one]]) for one in own)
        )
        for i, own in enumerate(split)
    ]


def _column(name: str, values: np.ndarray) -> Column:
    levels, codes = np.unique(values, return_inverse=True)
    kind = Kind.BINARY if len(levels) == 2 else Kind.CATEGORICAL
    return Column(name, kind, codes.astype(np.float64), tuple(f"{int(one)}" for one in levels))


def _told(job: tuple[str, int, int, int]) -> Told:
    return told(*studies_of(*job))


def networks(settings: Settings) -> Iterator[Row]:
    """Wrong statements of each group, for each network and number of rows."""
    if not FOLDER.is_dir():
        yield skipped("public networks", f"{FOLDER} is not there")
        return
    for rows in (1000, 5000):
        every: list[Told] = []
        for name in NAMES:
            jobs = [(name, studies, rows, seed) for studies in (2, 3) for seed in settings.seeds(REPETITIONS)]
            found = dict(Workers(2).run(_told, jobs))
            every += found.values()
            yield from rows_of(f"{name}, {rows} rows", list(found.values()), rows, GOAL, LARGEST_ERROR)
        yield from rows_of(f"all networks, {rows} rows", every, rows, GOAL, LARGEST_ERROR)
