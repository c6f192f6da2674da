"""Adjustment sets against dagitty's, in 200 MAGs: as it was recorded, and as it answers now where it is at hand."""

from __future__ import annotations

import json
import os
from itertools import combinations

import pytest

from tests.differential.dagitty.record import RECORDED, answers
from weft.graphs.adjustment import adjustment_set, is_adjustment_set
from weft.graphs.mixed import MixedGraph


def minimal_sets(graph: MixedGraph, x: str, y: str) -> list[list[str]]:
    """All adjustment sets of which nothing can be left out, by trying every set."""
    rest = [name for name in graph.names if name not in (x, y)]
    found: list[set[str]] = []
    for size in range(len(rest) + 1):
        for given in map(set, combinations(rest, size)):
            if not any(one <= given for one in found) and is_adjustment_set(graph, [x], y, given):
                found.append(given)
    return sorted(sorted(one) for one in found)


def test_the_same_minimal_adjustment_sets() -> None:
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert len(recorded) == 200
    known = 0
    for one in recorded:
        graph = MixedGraph.parse(one["mag"])
        for x, y, sets in one["pairs"]:
            assert minimal_sets(graph, x, y) == sets, (one["mag"], x, y)
            chosen = adjustment_set(graph, [x], y)
            assert (chosen is None) == (not sets)
            assert chosen is None or sorted(chosen) in sets
            known += bool(sets)
    assert known > 100


def test_what_was_recorded_is_what_dagitty_says() -> None:
    library = os.environ.get("WEFT_DAGITTY")
    if library is None:
        pytest.skip("WEFT_DAGITTY does not say where dagitty-alg.js is")
    recorded = json.loads(RECORDED.read_text(encoding="utf-8"))
    assert answers(library, [MixedGraph.parse(one["mag"]) for one in recorded]) == recorded
