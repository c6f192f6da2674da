"""m-separation and inducing paths: named graphs, and slow twins on all small graphs."""

from __future__ import annotations

import networkx as nx
import pytest

from tests.support import textbook
from tests.support.graphs import all_dags, all_models, pairs_and_subsets, random_models, subsets
from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask, descendant_mask, inducing_path, m_separated

MODELS = [*all_models(3), *random_models(120, [4], 1), *random_models(80, [4], 2, selection=True)]
LARGER = [*random_models(30, [5], 3), *random_models(20, [5], 4, selection=True)]


class TestNamedGraphs:
    @pytest.mark.parametrize(
        ("text", "separating", "connecting"),
        [
            ("X -> M -> Y", ["M"], [""]),
            ("X <- M -> Y", ["M"], [""]),
            ("X -> M <- Y", [""], ["M"]),
            ("X -> M <- Y; M -> D", [""], ["M", "D", "DM"]),
            ("X <-> M <-> Y", [""], ["M"]),
            ("X -- M -- Y", ["M"], [""]),
            ("X -- M -> Y", ["M"], [""]),
            ("X <-> M -> Y", ["M"], [""]),
            ("X -> M -> Y; M <-> Y", [], ["", "M"]),
            ("X -> M -> Y; X <-> M", ["M"], [""]),
            ("X <- A -> M <- B -> Y", ["", "A", "B", "AM", "BM", "ABM", "AB"], ["M"]),  # the M graph
            ("X; Y; M", ["", "M"], []),
        ],
    )
    def test_separating_and_connecting_sets(self, text: str, separating: list[str], connecting: list[str]) -> None:
        graph = MixedGraph.parse(text)
        assert all(m_separated(graph, "X", "Y", given) for given in separating)
        assert not any(m_separated(graph, "X", "Y", given) for given in connecting)

    @pytest.mark.parametrize(
        ("text", "latent", "expected"),
        [
            ("X -> Y", "", True),
            ("X -> M -> Y", "", False),
            ("X -> M -> Y", "M", True),
            ("X <- M -> Y", "M", True),
            ("X -> M <- Y", "M", False),
            ("X -> M <-> Y; M -> Y", "", True),
            ("X -> M <-> Y", "", False),
            ("X <-> A <-> B <-> Y; A -> Y; B -> X", "", True),
            ("X <-> A <-> B <-> Y; A -> Y", "", False),
            ("X -> A <-> B <- Y; A -- C; B -- C", "", True),  # colliders that selection opens
        ],
    )
    def test_inducing_paths(self, text: str, latent: str, expected: bool) -> None:
        assert inducing_path(MixedGraph.parse(text), "X", "Y", latent) is expected

    def test_what_is_latent_may_name_the_pair(self) -> None:
        assert not inducing_path(MixedGraph.parse("X -> M -> Y"), "X", "Y", ["X", "Y"])

    def test_masks_of_ancestors_descendants_and_selected(self) -> None:
        graph = MixedGraph.parse("A -> B -> C; D <-> B; E -- A; C <-> A")
        assert graph.names_of(ancestor_mask(graph, graph.mask("C"))) == ("A", "B", "C")
        assert graph.names_of(descendant_mask(graph, graph.mask("B"))) == ("B", "C")
        assert graph.names_of(graph.selected) == ("A", "E")
        assert ancestor_mask(graph, 0) == 0


class TestErrors:
    def test_one_vertex_is_no_pair(self) -> None:
        graph = MixedGraph.parse("X -> Y")
        with pytest.raises(GraphError, match="same vertex"):
            m_separated(graph, "X", "X")
        with pytest.raises(GraphError, match="same vertex"):
            inducing_path(graph, "X", "X")

    def test_the_pair_cannot_be_given(self) -> None:
        with pytest.raises(GraphError, match="cannot be given"):
            m_separated(MixedGraph.parse("X -> Y; Z"), "X", "Y", ["Z", "X"])

    def test_unknown_vertices_are_named(self) -> None:
        graph = MixedGraph.parse("X -> Y")
        with pytest.raises(GraphError, match="'Q'"):
            m_separated(graph, "X", "Y", ["Q"])
        with pytest.raises(GraphError, match="'Q'"):
            inducing_path(graph, "X", "Q")


class TestAgainstTheTextbook:
    def test_m_separation_is_that_of_all_paths(self) -> None:
        for graph in MODELS:
            for x, y, given in pairs_and_subsets(graph):
                expected = textbook.m_separated(graph, x, y, given)
                assert m_separated(graph, x, y, given) is expected, (graph, x, y, given)
                assert m_separated(graph, y, x, given) is expected, (graph, y, x, given)

    def test_m_separation_is_that_of_all_paths_on_five_variables(self) -> None:
        for graph in LARGER:
            for x, y, given in pairs_and_subsets(graph):
                assert m_separated(graph, x, y, given) is textbook.m_separated(graph, x, y, given), (graph, x, y, given)

    def test_m_separation_is_d_separation_in_a_dag(self) -> None:
        for graph in all_dags(3) + all_dags(4)[::5]:
            dag = nx.DiGraph([(edge.x, edge.y) for edge in graph.edges()])
            dag.add_nodes_from(graph.names)
            for x, y, given in pairs_and_subsets(graph):
                assert m_separated(graph, x, y, given) is nx.is_d_separator(dag, {x}, {y}, set(given)), (graph, x, y)

    def test_m_separation_is_d_separation_given_the_selection_variables(self) -> None:
        """Every ``<->`` drawn as a latent common cause, every ``--`` as a common effect that is conditioned on."""
        for graph in MODELS:
            dag, selection = textbook.canonical_dag(graph)
            for x, y, given in pairs_and_subsets(graph):
                expected = nx.is_d_separator(dag, {x}, {y}, {*given, *selection})
                assert m_separated(graph, x, y, given) is expected, (graph, x, y, given)

    def test_inducing_paths_are_those_of_all_paths(self) -> None:
        for graph in [*MODELS, *LARGER]:
            for x, y, latent in pairs_and_subsets(graph):
                expected = textbook.inducing_path(graph, x, y, latent)
                assert inducing_path(graph, x, y, latent) is expected, (graph, x, y, latent)
                assert inducing_path(graph, y, x, latent) is expected, (graph, y, x, latent)

    def test_an_inducing_path_means_that_nothing_observed_separates(self) -> None:
        for graph in [*MODELS, *LARGER]:
            for x, y, latent in pairs_and_subsets(graph):
                observed = [name for name in graph.names if name not in (x, y, *latent)]
                separable = any(m_separated(graph, x, y, given) for given in subsets(observed))
                assert inducing_path(graph, x, y, latent) is not separable, (graph, x, y, latent)
