"""Where the paper's figures differ from ours, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations, product

import weft
from weft.graphs.ancestral import is_ancestral
from weft.graphs.equivalence import markov_equivalent
from weft.graphs.mixed import Mark, MixedGraph

CHAIN = weft.oracle("X -> Y; Y -> Z", [["X", "Y"], ["Y", "Z"]])
SYNTHETIC_2 = "Y -> X; Y -> Z; Z -> W; W -> V; S -> V"


def fillings(pag: MixedGraph, symbols: tuple[str, ...], fixed: dict[tuple[str, str], str]) -> Iterator[MixedGraph]:
    """Every ancestral graph that comes from putting a mark on each circle, Markov equivalent or not."""
    choices = []
    for x, y in combinations(pag.names, 2):
        if edge := pag.edge(x, y):
            graphs = (MixedGraph.parse(f"{x} {symbol} {y}") for symbol in symbols)
            fits = [
                g
                for g in graphs
                if all(m in (Mark.CIRCLE, g.mark(*ends)) for ends in ((x, y), (y, x)) if (m := pag.mark(*ends)))
            ]
            choices.append([g.edges()[0] for g in fits if fixed.get((x, y)) in (None, g.edge(x, y))])
            assert edge
    for edges in product(*choices):
        if is_ancestral(graph := MixedGraph.build(pag.names, edges)):
            yield graph


def test_where_the_papers_63_and_8_come_from() -> None:
    entries = weft.solve(CHAIN, "iod").pags()
    plain = ("->", "<-", "<->")
    assert sum(1 for entry in entries for _ in fillings(entry.pag, (*plain, "--"), {})) == 63
    oriented = {("X", "Y"): "->", ("Y", "Z"): "->"}
    filled = [(graph, entry) for entry in entries for graph in fillings(entry.pag, plain, oriented)]
    assert len(filled) == 8
    wrong = {str(graph) for graph, entry in filled if not markov_equivalent(graph, entry.mags[0])}
    assert wrong == {"X -> Z; Y -> Z", "X <-> Z; Y -> Z"}
    assert {str(graph) for graph, _ in filled} - wrong == set(map(str, weft.solve(CHAIN, "iod-bcd")))


def test_no_split_of_synthetic_2_gives_the_papers_figures() -> None:
    counts = set()
    for size in range(1, 5):
        for first in combinations("VWXYS", size):
            studies = [[*first, "Z"], [v for v in "VWXYSZ" if v not in first]]
            evidence = weft.oracle(SYNTHETIC_2, studies)
            counts |= {(method, weft.solve(evidence, method).count()) for method in ("iod-bcd", "causal-iod")}
    assert ("causal-iod", 12) in counts
    assert {("iod-bcd", 169), ("causal-iod", 1)}.isdisjoint(counts)
