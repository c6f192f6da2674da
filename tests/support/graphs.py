"""Graphs to test on: all of a kind over few variables, random ones, and hypothesis strategies.

Variables are ``A``, ``B``, ``C``, ... A *model* is what a graph can stand for: an ADMG, with ``--`` where selection
was at work; doubled pairs are included everywhere but in DAGs and MAGs.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import TypeVar

from hypothesis import strategies as st

from weft.graphs.ancestral import directed_cycle, is_mag, mag_of
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph

Item = TypeVar("Item")

DIRECTED = ("", "->", "<-")
SIMPLE = (*DIRECTED, "<->")
DOUBLED = (*SIMPLE, "-> & <->", "<- & <->")
SELECTION = ("--",)


def letters(size: int) -> tuple[str, ...]:
    """The first variables of the alphabet."""
    return tuple("ABCDEFGHIJ"[:size])


def graph_from(names: Sequence[str], symbols: Mapping[tuple[str, str], str]) -> MixedGraph:
    """A graph from what stands between each pair: an edge, two joined by ``&``, or nothing."""
    edges = [
        Edge(x, *EDGE_SYMBOLS[part], y) for (x, y), symbol in symbols.items() for part in symbol.split(" & ") if part
    ]
    return MixedGraph.build(names, edges)


def all_graphs(size: int, choices: Sequence[str]) -> Iterator[MixedGraph]:
    """Every graph, cyclic ones included, that has one of ``choices`` between each pair."""
    names = letters(size)
    pairs = list(itertools.combinations(names, 2))
    for symbols in itertools.product(choices, repeat=len(pairs)):
        yield graph_from(names, dict(zip(pairs, symbols, strict=True)))


@lru_cache
def all_dags(size: int) -> tuple[MixedGraph, ...]:
    """Every DAG: 1, 3, 25, 543 for one to four variables."""
    return _acyclic(size, DIRECTED)


@lru_cache
def all_admgs(size: int) -> tuple[MixedGraph, ...]:
    """Every ADMG: 1, 6, 200, 34,752 for one to four variables."""
    return _acyclic(size, DOUBLED)


@lru_cache
def all_models(size: int) -> tuple[MixedGraph, ...]:
    """Every ADMG, with any of its pairs joined by ``--`` instead."""
    return _acyclic(size, DOUBLED + SELECTION)


@lru_cache
def all_mags(size: int, *, selection: bool = False) -> tuple[MixedGraph, ...]:
    """Every MAG, with ``--`` if ``selection``."""
    return tuple(graph for graph in all_graphs(size, SIMPLE + SELECTION * selection) if is_mag(graph))


def _acyclic(size: int, choices: Sequence[str]) -> tuple[MixedGraph, ...]:
    return tuple(graph for graph in all_graphs(size, choices) if directed_cycle(graph) is None)


def renamed(graph: MixedGraph, names: Mapping[str, str]) -> MixedGraph:
    """The graph with other names for its vertices."""
    edges = [Edge(names[e.x], e.mark_x, e.mark_y, names[e.y]) for e in graph.edges()]
    return MixedGraph.build([names[name] for name in graph.names], edges)


def up_to_renaming(graphs: Sequence[MixedGraph]) -> list[MixedGraph]:
    """One graph of each shape: no two of those returned differ in the names only."""
    seen: set[MixedGraph] = set()
    chosen: list[MixedGraph] = []
    for graph in graphs:
        if graph in seen:
            continue
        chosen.append(graph)
        for order in itertools.permutations(graph.names):
            seen.add(renamed(graph, dict(zip(graph.names, order, strict=True))))
    return chosen


def random_models(count: int, sizes: Sequence[int], seed: int, *, selection: bool = False) -> list[MixedGraph]:
    """Random ADMGs of mixed density, with a fixed seed; with ``--`` between some pairs if ``selection``."""
    chance = random.Random(seed)
    choices = ("", "->", "<->", "-> & <->", *SELECTION * selection)
    models = []
    for _ in range(count):
        names = list(letters(chance.choice(sizes)))
        chance.shuffle(names)  # edges follow this order
        empty = chance.choice((1, 3, 6))
        weights = [1 if symbol else empty for symbol in choices]
        pairs = itertools.combinations(names, 2)
        models.append(graph_from(names, {pair: chance.choices(choices, weights)[0] for pair in pairs}))
    return models


def subsets(items: Sequence[Item]) -> Iterator[tuple[Item, ...]]:
    """Every subset, the empty one and the full one included."""
    for size in range(len(items) + 1):
        yield from itertools.combinations(items, size)


def pairs_and_subsets(graph: MixedGraph) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Every pair of vertices with every subset of the other vertices."""
    for x, y in itertools.combinations(graph.names, 2):
        for subset in subsets([name for name in graph.names if name not in (x, y)]):
            yield x, y, subset


# -- hypothesis --------------------------------------------------------------------------------------------------------


@st.composite
def _models(draw: st.DrawFn, max_size: int, choices: Sequence[str]) -> MixedGraph:
    names = letters(draw(st.integers(1, max_size)))
    order = draw(st.permutations(names))
    symbols = {pair: draw(st.sampled_from(choices)) for pair in itertools.combinations(order, 2)}
    return graph_from(names, symbols)


def dags(max_size: int = 6) -> st.SearchStrategy[MixedGraph]:
    """DAGs."""
    return _models(max_size, ("", "->"))


def admgs(max_size: int = 6) -> st.SearchStrategy[MixedGraph]:
    """ADMGs, doubled pairs included."""
    return _models(max_size, ("", "->", "<->", "-> & <->"))


def models(max_size: int = 6) -> st.SearchStrategy[MixedGraph]:
    """ADMGs, with ``--`` between some pairs: they need not be ancestral."""
    return _models(max_size, ("", "->", "<->", "-> & <->", "--"))


def mags(max_size: int = 6, *, selection: bool = False) -> st.SearchStrategy[MixedGraph]:
    """MAGs, with ``--`` if ``selection``."""
    return (models if selection else admgs)(max_size).map(mag_of)


def nasty_names() -> st.SearchStrategy[str]:
    """Variable names, among them such as could be taken for graph text."""
    parts = st.sampled_from(
        ["->", "<-", "<->", "--", "o", "o->", "o-o", "-", ";", '"', "\\", "\n", "\\n", " ", "X", "é"]
    )
    return st.one_of(st.text(max_size=8), st.lists(parts, max_size=5).map("".join))
