"""Public networks as overlapping studies: the networks of the bnlearn repository in ``../shared/data/bnlearn``.

There are 10,000 rows of each, and no row is in two studies: where 5,000 rows for each of three studies are asked for,
each gets 3,333. Every column is categorical. Nothing was fitted to them or chosen on them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import split_into_studies
from weft.studies import Column, Kind, Study

FOLDER = Path(__file__).resolve().parents[2] / "shared" / "data" / "bnlearn"
NAMES = ("asia", "cancer", "sachs", "child", "alarm")
SHARED = 0.4


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
    return graph, dealt(graph.names, header.split(), values, studies, rows, seed)


def dealt(
    names: Sequence[str], header: Sequence[str], values: NDArray[np.float64], studies: int, rows: int, seed: int
) -> list[Study]:
    """A table of levels, its variables and rows dealt out to studies that share 40 % of the variables."""
    rng = np.random.default_rng([seed, studies])
    split = split_into_studies(names, rng, studies=studies, overlap=round(SHARED * len(names)))
    each = min(rows, len(values) // studies)
    order = rng.permutation(len(values))
    places = {column: place for place, column in enumerate(header)}
    return [
        Study(
            f"study{i + 1}", tuple(_column(one, values[order[i * each : (i + 1) * each], places[one]]) for one in own)
        )
        for i, own in enumerate(split)
    ]


def _column(name: str, values: NDArray[np.float64]) -> Column:
    levels, codes = np.unique(values, return_inverse=True)
    kind = Kind.BINARY if len(levels) == 2 else Kind.CATEGORICAL
    return Column(name, kind, codes.astype(np.float64), tuple(f"{int(one)}" for one in levels))
