"""The marginal structure of a pair: Table 1 on its own figures, and both readings on all small graphs."""

from __future__ import annotations

import itertools
from collections.abc import Iterable

import pytest

from tests.support import textbook
from tests.support.graphs import all_admgs, all_mags, all_models, random_models
from tests.support.slow import slow
from weft.errors import GraphError
from weft.graphs.ancestral import doublings, is_ancestral, latent_projection
from weft.graphs.criteria import (
    TABLE_1,
    Structure,
    criterion_holds,
    literal_structure,
    mutilated_separations,
    structure_of,
    without_incoming,
    without_outgoing,
)
from weft.graphs.mixed import Mark, MixedGraph

# Each figure as an ADMG and as the paper draws it, with the latent variable as a vertex.
FIGURE_1 = {
    Structure.NONE: ["X; Y"],
    Structure.CAUSES: ["X -> Y"],
    Structure.CAUSED: ["X <- Y"],
    Structure.COMMON: ["X <-> Y", "X <- L -> Y"],
    Structure.CAUSES_COMMON: ["X -> Y; X <-> Y", "X -> Y; X <- L -> Y"],
    Structure.CAUSED_COMMON: ["X <- Y; X <-> Y", "X <- Y; X <- L -> Y"],
}
FIGURES = [(structure, text) for structure, texts in FIGURE_1.items() for text in texts]


class TestStructure:
    def test_its_meaning_is_three_facts(self) -> None:
        facts = {s.value: (s.causes, s.caused, s.confounded) for s in Structure}
        assert facts == {
            "none": (False, False, False),
            "->": (True, False, False),
            "<-": (False, True, False),
            "<->": (False, False, True),
            "-> & <->": (True, False, True),
            "<- & <->": (False, True, True),
        }

    @pytest.mark.parametrize("structure", Structure)
    def test_it_is_determined_by_its_facts_and_mirrors(self, structure: Structure) -> None:
        causes, caused, confounded = structure.causes, structure.caused, structure.confounded
        assert Structure.of(causes=causes, caused=caused, confounded=confounded) is structure
        mirrored = structure.mirrored
        assert (mirrored.causes, mirrored.caused, mirrored.confounded) == (caused, causes, confounded)
        assert mirrored.mirrored is structure


class TestMutilation:
    GRAPH = MixedGraph.parse("A -> V; B <-> V; V -> C; D -> V; D <-> V; V -> E; V <-> E; V -- F; A -> C")

    def test_incoming_edges_have_an_arrowhead_at_the_vertex(self) -> None:
        assert without_incoming(self.GRAPH, "V") == MixedGraph.parse("B; D; V -> C; V -> E; V -- F; A -> C")

    def test_outgoing_edges_are_the_directed_ones_out_of_the_vertex(self) -> None:
        expected = MixedGraph.parse("A -> V; B <-> V; D -> V; D <-> V; V <-> E; V -- F; A -> C")
        assert without_outgoing(self.GRAPH, "V") == expected

    def test_every_edge_is_cut_or_kept_whole(self) -> None:
        for graph in all_models(3):
            for vertex in graph.names:
                cut_in = {
                    e
                    for e in graph.edges()
                    if Mark.ARROW in (e.mark_x if e.x == vertex else None, e.mark_y if e.y == vertex else None)
                }
                cut_out = {e for e in graph.edges() if e.x == vertex and e.symbol == "->"}
                assert set(without_incoming(graph, vertex).edges()) == set(graph.edges()) - cut_in
                assert set(without_outgoing(graph, vertex).edges()) == set(graph.edges()) - cut_out
                assert without_incoming(graph, vertex).names == graph.names

    def test_an_unknown_vertex_is_named(self) -> None:
        for mutilate in (without_incoming, without_outgoing):
            with pytest.raises(GraphError, match="'Q' is not a vertex"):
                mutilate(self.GRAPH, "Q")


class TestTable1:
    def test_it_is_as_printed(self) -> None:
        """Columns: without edges into Y, out of Y, into X, out of X; 1 is "msep", 0 the struck-out "msep"."""
        printed = {"->": "1001", "<-": "0110", "<->": "1010", "-> & <->": "1000", "<- & <->": "0010"}
        table = {structure.value: "".join(str(int(column)) for column in TABLE_1[structure]) for structure in TABLE_1}
        assert table == {**printed, "none": "1111"}

    @pytest.mark.parametrize(("structure", "text"), FIGURES)
    def test_each_criterion_holds_for_its_own_figure_and_no_other(self, structure: Structure, text: str) -> None:
        graph = MixedGraph.parse(text)
        assert [s for s in Structure if criterion_holds(graph, s, "X", "Y")] == [structure]
        assert literal_structure(graph, "X", "Y") is structure
        assert literal_structure(graph, "Y", "X") is structure.mirrored

    def test_criteria_4_and_5_cannot_hold_in_a_mag_of_the_pair_alone(self) -> None:
        """A MAG has one edge per pair: direct-and-common needs an ADMG, or a third variable that shows it."""
        found = {literal_structure(mag, "A", "B") for mag in all_mags(2)}
        assert found == {Structure.NONE, Structure.CAUSES, Structure.CAUSED, Structure.COMMON}
        assert literal_structure(MixedGraph.parse("X -> Y; C -> X; C -> Y"), "X", "Y") is Structure.CAUSES_COMMON

    def test_mutilations_are_made_one_at_a_time(self) -> None:
        """The motivating example's Fig. 2b fails criterion 3; cutting into both ends at once would not show it."""
        graph = MixedGraph.parse("Y -> X -> Z; Y <-> Z")
        assert not criterion_holds(graph, Structure.COMMON, "Y", "Z")
        both = without_incoming(without_incoming(graph, "Y"), "Z")
        assert textbook.m_separated(both, "Y", "Z", ())

    def test_circles_are_refused(self) -> None:
        with pytest.raises(GraphError, match="take one of its MAGs"):
            literal_structure(MixedGraph.parse("X o-> Y"), "X", "Y")

    def test_one_vertex_is_no_pair(self) -> None:
        for function in (literal_structure, structure_of, mutilated_separations):
            with pytest.raises(GraphError, match="same vertex"):
                function(MixedGraph.parse("X -> Y"), "X", "X")


def assert_readings_agree(graphs: Iterable[MixedGraph]) -> None:
    for graph in graphs:
        for x, y in itertools.combinations(graph.names, 2):
            assert literal_structure(graph, x, y) is structure_of(graph, x, y), (graph, x, y)


class TestTheTwoReadingsAgree:
    @pytest.mark.parametrize("step", [6, slow(1)])
    def test_on_mags_of_four_variables(self, step: int) -> None:
        """On every one with ``make test-full``."""
        assert len(all_mags(4)) == 2_492
        assert_readings_agree(all_mags(4)[::step])

    def test_on_every_admg_of_three_variables(self) -> None:
        assert len(all_admgs(3)) == 200
        assert_readings_agree(all_admgs(3))

    def test_on_random_admgs_with_doubled_edges(self) -> None:
        admgs = random_models(250, [4, 5], 21)
        assert sum(len(graph.doubled) for graph in admgs) > 200
        assert_readings_agree(admgs)

    def test_each_structure_occurs_among_them(self) -> None:
        assert {literal_structure(graph, "A", "B") for graph in all_admgs(3)} == set(Structure)


class TestAncestorsAndTreks:
    def test_causing_is_a_directed_path_and_confounding_a_trek(self) -> None:
        """Also in what a MAG with ``--`` stands for, where a doubled edge may put an arrowhead beside ``--``."""
        selected = [model for mag in all_mags(4, selection=True)[::23] for model in doublings(mag)]
        for graph in [*all_models(3), *random_models(60, [4, 5], 22), *selected]:
            for x, y in itertools.permutations(graph.names, 2):
                structure = structure_of(graph, x, y)
                assert structure.causes is (x in textbook.ancestors(graph, [y])), (graph, x, y)
                assert structure.confounded is textbook.trek(graph, x, y), (graph, x, y)
                assert structure_of(graph, y, x) is structure.mirrored, (graph, x, y)

    def test_it_is_the_latent_projection_onto_the_pair(self) -> None:
        for graph in [*all_admgs(3), *random_models(100, [4, 5], 23)]:
            for x, y in itertools.combinations(graph.names, 2):
                projected = latent_projection(graph, [x, y]).edge(x, y)
                assert structure_of(graph, x, y).value == (projected or "none"), (graph, x, y)


class TestSelection:
    @pytest.mark.parametrize(
        ("text", "literal", "by_ancestors"),
        [
            ("X -- Y", None, Structure.NONE),
            ("X -- W -- Y", None, Structure.NONE),
            ("X -- W -> Y", Structure.CAUSES_COMMON, Structure.NONE),
            ("X -- W -> Y; X -> Y", Structure.CAUSES_COMMON, Structure.CAUSES),
            ("X -> Y; X -- W", Structure.CAUSES, Structure.CAUSES),
            ("X <- W -- V -> Y", Structure.COMMON, Structure.COMMON),
        ],
    )
    def test_named_graphs(self, text: str, literal: Structure | None, by_ancestors: Structure) -> None:
        graph = MixedGraph.parse(text)
        assert literal_structure(graph, "X", "Y") is literal
        assert structure_of(graph, "X", "Y") is by_ancestors

    def test_where_the_readings_differ_in_ancestral_graphs(self) -> None:
        """Exactly where a collider-free path has ``--`` at an end of the pair; as the module's text says."""
        differing = 0
        for graph in [*all_mags(3, selection=True), *all_mags(4, selection=True)[::3]]:
            assert is_ancestral(graph)
            for x, y in itertools.combinations(graph.names, 2):
                ends = set(_undirected_ends(graph, x, y))
                literal, by_ancestors = literal_structure(graph, x, y), structure_of(graph, x, y)
                assert (literal is not by_ancestors) is bool(ends), (graph, x, y)
                differing += bool(ends)
                if ends == {x}:
                    assert literal is Structure.CAUSES_COMMON, (graph, x, y)
                elif ends == {y}:
                    assert literal is Structure.CAUSED_COMMON, (graph, x, y)
                elif ends:
                    assert literal is None, (graph, x, y)
        assert differing > 500


def _undirected_ends(graph: MixedGraph, x: str, y: str) -> Iterable[str]:
    """The ends of collider-free paths between x and y at which the path has ``--``."""
    for path in textbook.paths(graph, x, y):
        if not any(is_collider for _, is_collider in textbook.inner(path)):
            if path[0].symbol == "--":
                yield x
            if path[-1].symbol == "--":
                yield y
