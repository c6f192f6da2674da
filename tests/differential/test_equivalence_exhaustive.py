"""Equivalence classes against brute force: MAGs with the same m-separations, marks that a whole class shares.

Equivalent MAGs have the same edges, so that five variables need one graph of edges of each shape only (34 of 1,024).
"""

from __future__ import annotations

import itertools
import random
from collections import defaultdict
from collections.abc import Iterable, Sequence

import networkx as nx
import pytest

from tests.support import textbook
from tests.support.graphs import SELECTION, SIMPLE, all_mags, graph_from, letters, pairs_and_subsets, random_models
from tests.support.slow import slow
from weft.graphs.ancestral import is_ancestral, is_maximal, mag_of
from weft.graphs.equivalence import MagClasses, is_pag, mag_in, mags_of, markov_equivalent, pag_of
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.graphs.pag import Discriminated, complete_orientation, complete_orientations
from weft.graphs.separation import connected_masks

BOTH = pytest.mark.parametrize("selection", [False, True])


def separations(graph: MixedGraph) -> tuple[int, ...]:
    """What is connected with each vertex, given each set: all m-separations as one value."""
    everything = 1 << graph.size
    return tuple(
        connected_masks(graph, x, given) for x in range(graph.size) for given in range(everything) if not given >> x & 1
    )


def classes_of(mags: Iterable[MixedGraph]) -> list[list[MixedGraph]]:
    classes = defaultdict(list)
    for mag in mags:
        classes[separations(mag)].append(mag)
    return list(classes.values())


def shared_marks(mags: Sequence[MixedGraph]) -> MixedGraph:
    """The edges of all these MAGs with the marks that they share, and circles elsewhere."""
    marks = bytes(
        here.pop() if len(here := set(column)) == 1 else Mark.CIRCLE
        for column in zip(*(m.marks for m in mags), strict=True)
    )
    return MixedGraph(mags[0].names, marks)


def check_classes(mags: Sequence[MixedGraph], *, selection: bool) -> int:
    """Check everything about all classes among the MAGs, which hold whole classes; return how many there are."""
    classes = classes_of(mags)
    sorter = MagClasses()
    for number, members in enumerate(classes):
        pag = shared_marks(members)
        assert {sorter.add(mag) for mag in members} == {number}
        assert sorter.pag(number) == pag
        assert pag_of(members[0], selection=selection) == pag_of(members[-1], selection=True) == pag
        assert is_pag(pag, selection=selection)
        assert mag_in(pag) in members
        listed = list(mags_of(pag, selection=selection))
        assert len(listed) == len(members)
        assert set(listed) == set(members)
    return len(classes)


def mags_on(size: int, edges: Sequence[tuple[str, str]], *, selection: bool) -> list[MixedGraph]:
    """Every MAG with exactly these edges."""
    choices = [symbol for symbol in SIMPLE if symbol] + list(SELECTION * selection)
    graphs = (
        graph_from(letters(size), dict(zip(edges, symbols, strict=True)))
        for symbols in itertools.product(choices, repeat=len(edges))
    )
    return [graph for graph in graphs if is_ancestral(graph) and is_maximal(graph)]


def shapes(size: int) -> list[list[tuple[str, str]]]:
    """The edges of one graph of each shape."""
    names = letters(size)
    return [
        [(names[a], names[b]) for a, b in sorted(map(sorted, graph.edges()))]
        for graph in nx.graph_atlas_g()
        if graph.number_of_nodes() == size
    ]


def answer_from(mag: MixedGraph) -> Discriminated:
    """Whether a vertex is a collider in the MAG on the path that discriminates it."""

    def answer(_t: int, a: int, b: int, c: int) -> bool:
        names = mag.names
        return mag.mark(names[a], names[b]) == mag.mark(names[c], names[b]) == Mark.ARROW

    return answer


class TestAllMags:
    @pytest.mark.parametrize(
        ("size", "selection", "mags", "classes"),
        [
            (2, False, 4, 2),
            (2, True, 5, 2),
            (3, False, 56, 11),
            (3, True, 72, 11),
            (4, False, 2492, 248),
            (4, True, 3045, 251),
        ],
    )
    def test_up_to_four_variables(self, size: int, selection: bool, mags: int, classes: int) -> None:
        every_mag = all_mags(size, selection=selection)
        assert len(every_mag) == mags
        assert check_classes(every_mag, selection=selection) == classes

    def test_five_variables(self) -> None:
        """One graph of edges of each shape; the slow test adds those of more than six edges."""
        for edges in shapes(5):
            if len(edges) <= 6:
                check_classes(mags_on(5, edges, selection=False), selection=False)

    @pytest.mark.slow
    @pytest.mark.parametrize(("selection", "count"), [(False, 16462), (True, 18307)])
    def test_five_variables_all(self, selection: bool, count: int) -> None:
        mags = [mags_on(5, edges, selection=selection) for edges in shapes(5)]
        assert sum(map(len, mags)) == count
        for some in mags:
            check_classes(some, selection=selection)

    @pytest.mark.slow
    def test_six_variables_sparse(self) -> None:
        for edges in shapes(6):
            if len(edges) <= 7:
                check_classes(mags_on(6, edges, selection=False), selection=False)

    def test_five_variables_with_selection(self) -> None:
        for edges in shapes(5):
            if len(edges) <= 5:
                check_classes(mags_on(5, edges, selection=True), selection=True)


class TestMarkovEquivalent:
    def test_every_pair_of_three_variables_by_the_textbook(self) -> None:
        mags = all_mags(3, selection=True)
        independences = {
            mag: [textbook.m_separated(mag, x, y, given) for x, y, given in pairs_and_subsets(mag)] for mag in mags
        }
        for a, b in itertools.product(mags, mags):
            assert markov_equivalent(a, b) == (independences[a] == independences[b])

    def test_every_pair_of_four_variables_with_the_same_edges(self) -> None:
        """Other pairs differ in an independence. Where many MAGs share their edges, a sample of them is taken."""
        chance = random.Random(1)
        by_edges = defaultdict(list)
        for mag in all_mags(4, selection=True):
            by_edges[mag.adjacencies].append(mag)
        for mags in by_edges.values():
            sample = mags if len(mags) <= 12 else chance.sample(mags, 12)
            seen = [separations(mag) for mag in sample]
            for i, j in itertools.combinations(range(len(sample)), 2):
                assert markov_equivalent(sample[i], sample[j]) == (seen[i] == seen[j])


class TestOrientationFromImmoralities:
    """What a search over edges and immoralities needs: all PAGs come from their own immoralities, and nothing else."""

    @pytest.mark.parametrize("selection", [slow(False), True])
    def test_every_pag_of_four_variables_once(self, selection: bool) -> None:
        found = [
            pag
            for edges in self._skeletons(4)
            for start in self._starts(edges)
            for pag in complete_orientations(start, discriminated=lambda t, a, b, c: None, selection=selection)
            if is_pag(pag, selection=selection)
        ]
        assert len(found) == len(set(found))
        assert set(found) == {pag_of(mag, selection=selection) for mag in all_mags(4, selection=selection)}

    @BOTH
    def test_with_the_mag_answering(self, selection: bool) -> None:
        for mag in all_mags(4, selection=selection):
            pag = complete_orientation(self._start(mag), discriminated=answer_from(mag), selection=selection)
            assert pag == pag_of(mag, selection=selection)

    @staticmethod
    def _skeletons(size: int) -> list[tuple[tuple[str, str], ...]]:
        pairs = list(itertools.combinations(letters(size), 2))
        return [chosen for count in range(len(pairs) + 1) for chosen in itertools.combinations(pairs, count)]

    @classmethod
    def _starts(cls, edges: Sequence[tuple[str, str]]) -> set[MixedGraph]:
        """The edges with circles, and with the immoralities of any orientation of them by arrowheads."""
        ends = [end for x, y in edges for end in ((x, y), (y, x))]
        starts = set()
        for chosen in itertools.product((False, True), repeat=len(ends)):
            arrows = {end for end, is_chosen in zip(ends, chosen, strict=True) if is_chosen}
            marks = [
                Edge(x, Mark.ARROW if (y, x) in arrows else Mark.TAIL, Mark.ARROW if (x, y) in arrows else Mark.TAIL, y)
                for x, y in edges
            ]
            starts.add(cls._start(MixedGraph.build(letters(4), marks)))
        return starts

    @staticmethod
    def _start(graph: MixedGraph) -> MixedGraph:
        """The edges with circles, and the immoralities of the graph."""
        immoral = {
            (x, b)
            for a, b, c in itertools.permutations(graph.names, 3)
            if graph.mark(a, b) == graph.mark(c, b) == Mark.ARROW and graph.edge(a, c) is None
            for x in (a, c)
        }

        def mark(x: str, y: str) -> Mark:
            return Mark.ARROW if (x, y) in immoral else Mark.CIRCLE

        return MixedGraph.build(graph.names, [Edge(e.x, mark(e.y, e.x), mark(e.x, e.y), e.y) for e in graph.edges()])


class TestRandomMags:
    @pytest.mark.parametrize(
        ("sizes", "count", "selection"),
        [
            *(((5, 6), 50, False), ((5, 6), 30, True), ((7, 8), 20, True)),
            *(slow((5, 6), 500, False), slow((5, 6), 500, True), slow((7, 8), 200, True)),
        ],
    )
    def test_the_listed_mags_share_exactly_the_marks_of_the_pag(
        self, sizes: Sequence[int], count: int, selection: bool
    ) -> None:
        for model in random_models(count, sizes, seed=5, selection=selection):
            mag = mag_of(model)
            pag = pag_of(mag, selection=True)
            members = list(itertools.islice(mags_of(pag, selection=True), 300))
            assert all(is_ancestral(member) and is_maximal(member) for member in members[:20])
            assert all(separations(member) == separations(mag) for member in members[:: max(1, len(members) // 4)])
            if len(members) < 300:
                assert mag in members
                assert shared_marks(members) == pag
