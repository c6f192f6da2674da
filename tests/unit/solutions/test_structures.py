"""Packed graphs unpack to what went in."""

from __future__ import annotations

from itertools import combinations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weft
from weft.graphs.separation import ancestor_mask
from weft.report.packed import MarkTable, bytes_of, column, flags_of, pack_pags, text_of


@given(st.lists(st.booleans(), max_size=200))
def test_columns_unpack(flags: list[bool]) -> None:
    packed = column(numpy.array(flags, dtype=bool))
    assert len(packed) % 4 == 0
    assert flags_of(packed, len(flags)).tolist() == flags


@given(st.binary(max_size=300))
def test_text_unpacks(content: bytes) -> None:
    assert bytes_of(text_of(content)) == content


@pytest.mark.parametrize("selection", [False, True])
def test_counts_and_columns_agree_with_the_graphs(selection: bool) -> None:
    evidence = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    graphs = list(weft.solve(evidence, "iod", selection=selection))
    table = MarkTable(graphs[0].names, [graph.marks for graph in graphs])
    content = table.columns(3)
    length = len(content) // 9  # three pairs, three planes
    for number, (x, y) in enumerate(combinations(range(3), 2)):
        names = graphs[0].names
        edges = [graph.edge(names[x], names[y]) for graph in graphs]
        assert {s: c for s, c in table.pair(x, y).counts().items() if c} == {
            (symbol or ""): edges.count(symbol) for symbol in set(edges)
        }
        at_y, at_x, undirected = (
            flags_of(content[(3 * number + plane) * length :][:length], len(graphs)) for plane in range(3)
        )
        symbols = {(True, False, False): "->", (False, True, False): "<-", (True, True, False): "<->"}
        symbols |= {(False, False, True): "--"}
        assert [symbols.get(bits) for bits in zip(at_y, at_x, undirected, strict=True)] == edges
    causes = table.causes()
    for a in range(3):
        for b in range(3):
            if a != b:
                assert causes[a, b] == sum(ancestor_mask(graph, 1 << b) >> a & 1 for graph in graphs)


def test_pags_unpack() -> None:
    pags = [entry.pag for entry in weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod").pags()]
    content = pack_pags(pags)
    assert len(content) == 3 * len(pags)
    for number, pag in enumerate(pags):
        for byte, (x, y) in zip(content[3 * number :], combinations(pag.names, 2), strict=False):
            assert (byte >> 2, byte & 3) == (pag.mark(y, x), pag.mark(x, y))
