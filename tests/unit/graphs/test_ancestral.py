"""Ancestral graphs, MAGs of models, hiding variables: named graphs, counts, and the definitions on all small graphs."""

from __future__ import annotations

import itertools

import pytest

from tests.support import textbook
from tests.support.graphs import (
    DOUBLED,
    SELECTION,
    SIMPLE,
    all_admgs,
    all_dags,
    all_graphs,
    all_mags,
    all_models,
    graph_from,
    letters,
    random_models,
    subsets,
    up_to_renaming,
)
from weft.errors import GraphError
from weft.graphs.ancestral import (
    ancestors,
    anteriors,
    check_acyclic,
    descendants,
    directed_cycle,
    doublings,
    is_admg,
    is_ancestral,
    is_dag,
    is_mag,
    is_maximal,
    latent_projection,
    mag_of,
    marginal_mag,
)
from weft.graphs.criteria import Structure, structure_of
from weft.graphs.mixed import MixedGraph

RANDOM_ADMGS = random_models(100, [4, 5], 11)
RANDOM_MODELS = random_models(100, [4], 12, selection=True)


class TestRelatives:
    GRAPH = MixedGraph.parse("A -> B -> C; D <-> B; E -- A; F -> E")

    def test_ancestors_and_descendants_include_the_vertices_themselves(self) -> None:
        assert ancestors(self.GRAPH, ["C"]) == {"A", "B", "C"}
        assert ancestors(self.GRAPH, ["D", "E"]) == {"D", "E", "F"}
        assert descendants(self.GRAPH, ["A"]) == {"A", "B", "C"}
        assert descendants(self.GRAPH, []) == frozenset()

    def test_anteriors_go_through_undirected_edges_too(self) -> None:
        assert anteriors(self.GRAPH, ["C"]) == {"A", "B", "C", "E", "F"}
        assert anteriors(self.GRAPH, ["F"]) == {"F"}

    def test_they_are_those_of_paths(self) -> None:
        for graph in [*all_models(3), *RANDOM_MODELS]:
            for v, w in itertools.permutations(graph.names, 2):
                symbols = [{edge.symbol for edge in path} for path in textbook.paths(graph, v, w)]
                directed = any(found == {"->"} for found in symbols)
                assert (v in ancestors(graph, [w])) is (w in descendants(graph, [v])) is directed, (graph, v, w)
                assert (v in anteriors(graph, [w])) is any(found <= {"->", "--"} for found in symbols), (graph, v, w)


class TestCycles:
    def test_acyclic_graphs_have_none(self) -> None:
        assert directed_cycle(MixedGraph.parse("A -> B -> C; A -> C; C <-> A")) is None
        check_acyclic(MixedGraph.parse("A -> B -> C; A -> C; C -- D"))

    def test_the_vertices_on_the_cycle_are_named(self) -> None:
        graph = MixedGraph.parse("A -> B -> C -> A; X -> A")
        assert directed_cycle(graph) == ("A", "B", "C")
        with pytest.raises(GraphError, match="directed cycle among A, B, C"):
            check_acyclic(graph)

    def test_vertices_below_or_between_cycles_are_not_on_one(self) -> None:
        assert directed_cycle(MixedGraph.parse("A -> B -> C -> A; C -> Y")) == ("A", "B", "C")
        between = MixedGraph.parse("A -> B -> C -> A; C -> M -> D; D -> E -> F -> D")
        assert directed_cycle(between) == ("A", "B", "C", "D", "E", "F")

    def test_a_cycle_has_no_mag_and_no_projection(self) -> None:
        graph = MixedGraph.parse("A -> B -> C -> A")
        for function in (mag_of, lambda g: marginal_mag(g, ["A"]), lambda g: latent_projection(g, ["A"])):
            with pytest.raises(GraphError, match="directed cycle"):
                function(graph)

    def test_a_graph_is_acyclic_exactly_if_no_edge_leads_back_to_an_ancestor(self) -> None:
        for graph in all_graphs(3, DOUBLED + SELECTION):
            backwards = any(e.symbol == "->" and e.y in textbook.ancestors(graph, [e.x]) for e in graph.edges())
            assert (directed_cycle(graph) is not None) is backwards, graph


class TestKinds:
    @pytest.mark.parametrize(
        ("text", "dag", "admg", "ancestral", "maximal"),
        [
            ("", True, True, True, True),
            ("A -> B -> C", True, True, True, True),
            ("A -> B -> C -> A", False, False, False, True),
            ("A -> B <-> C", False, True, True, True),
            ("A -> B; A <-> B", False, True, False, True),
            ("A -> B -> C; A <-> C", False, True, False, True),  # an almost directed cycle
            ("A -- B -> C", False, False, True, True),
            ("A -- B <-> C", False, False, False, True),
            ("A -- B <- C", False, False, False, True),
            ("A o-> B", False, False, False, True),
            ("A <-> B <-> C <-> D; B -> D; C -> A", False, True, True, False),  # the smallest that is not maximal
            ("A -> B <-> C; B -> C", False, True, False, False),
        ],
    )
    def test_named_graphs(self, text: str, dag: bool, admg: bool, ancestral: bool, maximal: bool) -> None:
        graph = MixedGraph.parse(text)
        assert (is_dag(graph), is_admg(graph), is_ancestral(graph), is_maximal(graph)) == (
            dag,
            admg,
            ancestral,
            maximal,
        )
        assert is_mag(graph) is (ancestral and maximal)

    def test_how_many_there_are(self) -> None:
        assert [len(all_dags(size)) for size in (1, 2, 3, 4)] == [1, 3, 25, 543]
        assert [len(all_admgs(size)) for size in (1, 2, 3)] == [1, 6, 200]
        assert [len(all_mags(size)) for size in (1, 2, 3, 4)] == [1, 4, 56, 2_492]
        assert [len(all_mags(size, selection=True)) for size in (1, 2, 3, 4)] == [1, 5, 72, 3_045]

    def test_dags_and_admgs_are_known_as_such(self) -> None:
        assert all(is_dag(graph) and is_mag(graph) for graph in all_dags(3))
        assert sum(is_dag(graph) for graph in all_graphs(3, DOUBLED + SELECTION)) == 25
        assert sum(is_admg(graph) for graph in all_graphs(3, DOUBLED + SELECTION)) == 200

    def test_mags_are_the_ancestral_graphs_whose_missing_edges_can_all_be_separated(self) -> None:
        sample = list(all_graphs(4, SIMPLE + SELECTION))[::41]
        for graph in [*all_graphs(3, DOUBLED + SELECTION), *sample]:
            assert is_ancestral(graph) is (textbook.is_ancestral(graph) and not graph.doubled), graph
            assert is_mag(graph) is (textbook.is_mag(graph) and not graph.doubled), graph

    def test_a_mag_is_its_own_mag(self) -> None:
        for graph in [*all_mags(3, selection=True), *all_mags(4, selection=True)[::5]]:
            assert mag_of(graph) == graph


class TestMagOf:
    @pytest.mark.parametrize(
        ("model", "mag"),
        [
            ("X -> Y; X <-> Y", "X -> Y"),
            ("X -> Y -> Z; X <-> Z", "X -> Y -> Z; X -> Z"),
            ("X -> Y -> Z; Y <-> Z", "X -> Y -> Z; X -> Z"),
            ("X -> Y <-> Z", "X -> Y <-> Z"),
            ("A <-> B <-> C <-> D; B -> D; C -> A", "A <-> B <-> C <-> D; B -> D; C -> A; A <-> D"),
            ("X -> Y -- Z", "X -- Y -- Z"),
            ("X <-> Y -- Z", "X <- Y -- Z"),
            ("X <-> Y <-> Z; Y -- W", "X <- Y -> Z; X <-> Z; Y -- W"),
        ],
    )
    def test_named_models(self, model: str, mag: str) -> None:
        assert mag_of(MixedGraph.parse(model)) == MixedGraph.parse(mag)

    def test_it_is_the_mag_by_definition_in_the_canonical_dag(self) -> None:
        for graph in [*all_models(3), *RANDOM_ADMGS, *RANDOM_MODELS]:
            assert mag_of(graph) == textbook.mag_by_definition(graph, graph.names), graph

    def test_it_keeps_ancestors_and_separations(self) -> None:
        for graph in RANDOM_ADMGS[:40]:
            mag = mag_of(graph)
            assert is_mag(mag)
            for name in graph.names:
                assert ancestors(mag, [name]) == ancestors(graph, [name])
            for x, y in itertools.combinations(graph.names, 2):
                for given in subsets([name for name in graph.names if name not in (x, y)]):
                    assert textbook.m_separated(mag, x, y, given) is textbook.m_separated(graph, x, y, given)

    def test_circles_have_no_mag(self) -> None:
        with pytest.raises(GraphError, match="take one of its MAGs"):
            mag_of(MixedGraph.parse("X o-> Y"))


class TestHiding:
    @pytest.mark.parametrize(
        ("graph", "keep", "marginal"),
        [
            ("X -> M -> Y", "XY", "X -> Y"),
            ("X <- M -> Y", "XY", "X <-> Y"),
            ("X -> M <- Y", "XY", "X; Y"),
            ("X -- M -> Y", "XY", "X -> Y"),
            ("X -- M -- Y", "XY", "X -- Y"),
            ("X <- A -- B -> Y", "XY", "X <-> Y"),
            ("X -> Y", "", ""),
        ],
    )
    def test_named_marginals(self, graph: str, keep: str, marginal: str) -> None:
        assert marginal_mag(MixedGraph.parse(graph), keep) == MixedGraph.parse(marginal)

    @pytest.mark.parametrize(
        ("graph", "keep", "projection"),
        [
            ("X -> M -> Y", "XY", "X -> Y"),
            ("X <- M -> Y; X -> Y", "XY", "X -> Y; X <-> Y"),
            ("X <-> M -> Y", "XY", "X <-> Y"),
            ("X -> M <-> Y", "XY", "X; Y"),
            ("X -> M; X <-> M; M -> Y", "XY", "X -> Y; X <-> Y"),
            ("C -> X -> Y; C -> Y", "XY", "X -> Y; X <-> Y"),
        ],
    )
    def test_named_projections(self, graph: str, keep: str, projection: str) -> None:
        assert latent_projection(MixedGraph.parse(graph), keep) == MixedGraph.parse(projection)

    def test_marginals_are_those_by_definition_in_the_canonical_dag(self) -> None:
        for graph in [*all_models(3), *RANDOM_ADMGS[:50], *RANDOM_MODELS[:50]]:
            for keep in subsets(graph.names):
                assert marginal_mag(graph, keep) == textbook.mag_by_definition(graph, keep), (graph, keep)

    def test_hiding_in_two_steps_is_hiding_at_once(self) -> None:
        for graph in [*all_models(3), *all_mags(4, selection=True)[::31], *RANDOM_ADMGS[:40], *RANDOM_MODELS[:40]]:
            for first in subsets(graph.names):
                halfway = marginal_mag(graph, first)
                for second in subsets(first):
                    assert marginal_mag(halfway, second) == marginal_mag(graph, second), (graph, first, second)

    def test_the_mag_of_the_projection_is_the_marginal_of_the_mag(self) -> None:
        for graph in [*all_admgs(3), *RANDOM_ADMGS]:
            for keep in subsets(graph.names):
                projected = mag_of(latent_projection(graph, keep))
                assert projected == marginal_mag(mag_of(graph), keep) == marginal_mag(graph, keep), (graph, keep)

    def test_projection_composes_and_keeps_everything_when_nothing_is_hidden(self) -> None:
        for graph in [*all_admgs(3), *RANDOM_ADMGS[:40]]:
            assert latent_projection(graph, graph.names) == graph
            for first in subsets(graph.names):
                halfway = latent_projection(graph, first)
                for second in subsets(first):
                    assert latent_projection(halfway, second) == latent_projection(graph, second), (
                        graph,
                        first,
                        second,
                    )

    def test_projections_are_those_by_definition(self) -> None:
        """A directed path, or a trek, with only hidden vertices inside."""
        for graph in [*all_admgs(3), *RANDOM_ADMGS[:60]]:
            for keep in subsets(graph.names):
                expected = {(x, y): _projected_pair(graph, keep, x, y) for x, y in itertools.combinations(keep, 2)}
                assert latent_projection(graph, keep) == graph_from(keep, expected), (graph, keep)

    def test_only_admgs_have_a_projection(self) -> None:
        for text in ("X -- Y", "X o-> Y"):
            with pytest.raises(GraphError, match="takes an ADMG"):
                latent_projection(MixedGraph.parse(text), ["X"])

    def test_what_is_kept_must_be_there(self) -> None:
        with pytest.raises(GraphError, match="'Q' is not a vertex"):
            marginal_mag(MixedGraph.parse("X -> Y"), ["X", "Q"])


def _projected_pair(graph: MixedGraph, keep: tuple[str, ...], x: str, y: str) -> str:
    through_hidden = [
        path
        for path in textbook.paths(graph, x, y)
        if not any(v in keep or collider for v, collider in textbook.inner(path))
    ]
    found = {(path[0].symbol[0] == "<", path[-1].symbol[-1] == ">") for path in through_hidden}
    kinds = {(False, True): "->", (True, False): "<-", (True, True): "<->"}
    return " & ".join(kinds[ends] for ends in sorted(found))


Relations = tuple[Structure, ...]


def relations(graph: MixedGraph) -> Relations:
    """The marginal causal structure of every pair."""
    return tuple(structure_of(graph, x, y) for x, y in itertools.combinations(graph.names, 2))


class TestDoublings:
    def test_named_mags(self) -> None:
        assert [str(model) for model in doublings(MixedGraph.parse("X <-> Y"))] == ["X <-> Y"]
        assert [str(model) for model in doublings(MixedGraph.parse("X -> Y"))] == ["X -> Y", "X -> Y; X <-> Y"]
        # Y -> Z cannot be doubled: X -> Y <-> Z would be an inducing path
        assert len(list(doublings(MixedGraph.parse("X -> Y -> Z")))) == 2

    def test_they_are_all_the_doublings_that_keep_the_mag(self) -> None:
        for mag in [*all_mags(3, selection=True), *all_mags(4, selection=True)[::13]]:
            directed = [edge for edge in mag.edges() if edge.symbol == "->"]
            candidates = [
                MixedGraph.parse("; ".join([str(mag), *(f"{edge.x} <-> {edge.y}" for edge in chosen)]))
                for size in range(len(directed) + 1)
                for chosen in itertools.combinations(directed, size)
            ]
            found = list(doublings(mag))
            assert len(found) == len(set(found))
            assert set(found) == {model for model in candidates if mag_of(model) == mag}, mag

    def test_they_have_the_relations_of_all_admgs_on_three_variables(self) -> None:
        everything = {(mag_of(model), relations(model)) for model in all_admgs(3)}
        doubled = {(mag, relations(model)) for mag in all_mags(3) for model in doublings(mag)}
        assert everything == doubled

    def test_they_have_the_relations_of_all_admgs_on_four_variables(self) -> None:
        """Up to renaming, every ADMG is one of 31 DAGs with any of the 64 sets of bidirected edges."""
        names = letters(4)
        shapes = up_to_renaming(all_dags(4))
        assert len(shapes) == 31
        pairs = list(itertools.combinations(names, 2))
        for dag, confounded in itertools.product(shapes, subsets(pairs)):
            bidirected = graph_from(names, dict.fromkeys(confounded, "<->"))
            model = MixedGraph.build(names, [*dag.edges(), *bidirected.edges()])
            wanted = relations(model)
            assert any(relations(doubling) == wanted for doubling in doublings(mag_of(model))), model

    def test_they_have_the_relations_of_random_admgs_on_five_variables(self) -> None:
        for model in random_models(150, [5], 13):
            wanted = relations(model)
            assert any(relations(doubling) == wanted for doubling in doublings(mag_of(model))), model
