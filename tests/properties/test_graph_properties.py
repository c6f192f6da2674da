"""What holds for every graph: its text reads back, its MAG keeps what it means, simulations keep their promises."""

from __future__ import annotations

import itertools

import numpy
from hypothesis import given
from hypothesis import strategies as st

from tests.support import textbook
from tests.support.graphs import admgs, dags, graph_from, mags, models, nasty_names, subsets
from weft.graphs.ancestral import (
    ancestors,
    anteriors,
    descendants,
    doublings,
    is_admg,
    is_ancestral,
    is_dag,
    is_mag,
    latent_projection,
    mag_of,
    marginal_mag,
)
from weft.graphs.criteria import literal_structure, structure_of
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph, quote
from weft.graphs.separation import inducing_path, m_separated
from weft.graphs.simulate import random_admg, random_dag, split_into_studies

seeds = st.integers(0, 2**32 - 1)


@st.composite
def named_graphs(draw: st.DrawFn) -> MixedGraph:
    """Graphs with any edges, doubled ones included, and names that could be misread."""
    names = draw(st.lists(nasty_names(), max_size=5, unique=True))
    choices = ["", *EDGE_SYMBOLS, "-> & <->", "<- & <->"]
    return graph_from(names, {pair: draw(st.sampled_from(choices)) for pair in itertools.combinations(names, 2)})


class TestText:
    @given(named_graphs())
    def test_it_reads_back(self, graph: MixedGraph) -> None:
        assert MixedGraph.parse(str(graph)) == graph
        assert hash(MixedGraph.parse(str(graph))) == hash(graph)
        assert str(MixedGraph.parse(str(graph))) == str(graph)

    @given(named_graphs())
    def test_it_is_one_line(self, graph: MixedGraph) -> None:
        assert "\n" not in str(graph)
        assert eval(repr(graph)) == graph

    @given(named_graphs(), st.data())
    def test_the_order_of_statements_and_ends_does_not_matter(self, graph: MixedGraph, data: st.DataObject) -> None:
        edges = [edge if index % 2 else edge.reversed() for index, edge in enumerate(graph.edges())]
        statements = data.draw(st.permutations([*map(str, edges), *map(quote, graph.names)]))
        assert MixedGraph.parse("; ".join(statements)) == graph
        assert MixedGraph.parse("\n".join(statements)) == graph

    @given(nasty_names(), nasty_names(), st.sampled_from(sorted(EDGE_SYMBOLS)))
    def test_any_two_names_can_be_joined_by_any_edge(self, x: str, y: str, symbol: str) -> None:
        if x != y:
            graph = MixedGraph.parse(f"{quote(x)} {symbol} {quote(y)}")
            assert graph.names == tuple(sorted((x, y)))
            assert Edge(x, *EDGE_SYMBOLS[symbol], y) in [e for edge in graph.edges() for e in (edge, edge.reversed())]


class TestSeparation:
    @given(models(max_size=5), st.data())
    def test_it_is_that_of_all_paths(self, graph: MixedGraph, data: st.DataObject) -> None:
        if graph.size < 2:
            return
        x, y, *others = data.draw(st.permutations(graph.names))
        some = data.draw(st.sets(st.sampled_from(others))) if others else set()
        assert m_separated(graph, x, y, some) is textbook.m_separated(graph, x, y, some)
        assert inducing_path(graph, x, y, some) is textbook.inducing_path(graph, x, y, some)

    @given(models(max_size=6))
    def test_anteriors_ancestors_and_descendants_fit_together(self, graph: MixedGraph) -> None:
        for v, w in itertools.permutations(graph.names, 2):
            assert (v in ancestors(graph, [w])) is (w in descendants(graph, [v]))
            assert ancestors(graph, [w]) <= anteriors(graph, [w])


class TestMags:
    @given(models(max_size=5))
    def test_a_model_has_a_mag_with_the_same_separations(self, graph: MixedGraph) -> None:
        mag = mag_of(graph)
        assert is_mag(mag)
        assert mag_of(mag) == mag
        for x, y in itertools.combinations(graph.names, 2):
            for some in subsets([name for name in graph.names if name not in (x, y)]):
                assert m_separated(mag, x, y, some) is m_separated(graph, x, y, some)

    @given(admgs(max_size=7))
    def test_the_mag_of_an_admg_has_the_same_ancestors(self, graph: MixedGraph) -> None:
        mag = mag_of(graph)
        assert not mag.has_selection
        assert all(ancestors(mag, [name]) == ancestors(graph, [name]) for name in graph.names)

    @given(mags(selection=True), st.data())
    def test_marginals_are_mags_and_compose(self, mag: MixedGraph, data: st.DataObject) -> None:
        first = data.draw(st.sets(st.sampled_from(mag.names)))
        second = data.draw(st.sets(st.sampled_from(sorted(first)))) if first else set()
        halfway = marginal_mag(mag, first)
        assert is_mag(halfway)
        assert marginal_mag(halfway, second) == marginal_mag(mag, second)

    @given(admgs(max_size=7), st.data())
    def test_the_mag_of_a_projection_is_the_marginal_of_the_mag(self, graph: MixedGraph, data: st.DataObject) -> None:
        keep = data.draw(st.sets(st.sampled_from(graph.names)))
        projection = latent_projection(graph, keep)
        assert is_admg(projection)
        assert mag_of(projection) == marginal_mag(mag_of(graph), keep)

    @given(dags())
    def test_a_dag_is_its_own_mag(self, graph: MixedGraph) -> None:
        assert is_dag(graph)
        assert mag_of(graph) == graph

    @given(mags(max_size=5))
    def test_doublings_keep_the_mag_and_its_ancestors(self, mag: MixedGraph) -> None:
        found = list(doublings(mag))
        assert found[0] == mag
        for model in found:
            assert model.undoubled() == mag
            assert mag_of(model) == mag

    @given(admgs(max_size=5))
    def test_some_doubling_of_its_mag_agrees_with_a_model_on_all_relations(self, graph: MixedGraph) -> None:
        pairs = list(itertools.combinations(graph.names, 2))
        wanted = [structure_of(graph, x, y) for x, y in pairs]
        assert any([structure_of(model, x, y) for x, y in pairs] == wanted for model in doublings(mag_of(graph)))


class TestCriteria:
    @given(admgs(max_size=7))
    def test_table_1_is_the_reading_by_ancestors_and_treks(self, graph: MixedGraph) -> None:
        for x, y in itertools.combinations(graph.names, 2):
            assert literal_structure(graph, x, y) is structure_of(graph, x, y)

    @given(admgs(max_size=7), st.data())
    def test_hiding_other_variables_does_not_change_a_pair(self, graph: MixedGraph, data: st.DataObject) -> None:
        keep = sorted(data.draw(st.sets(st.sampled_from(graph.names))))
        projection = latent_projection(graph, keep)
        for x, y in itertools.combinations(keep, 2):
            assert structure_of(projection, x, y) is structure_of(graph, x, y)


class TestSimulation:
    @given(st.integers(0, 12), seeds)
    def test_random_graphs_are_of_their_kind(self, size: int, seed: int) -> None:
        assert is_dag(random_dag(size, numpy.random.default_rng(seed), steps=200))
        assert is_admg(random_admg(size, numpy.random.default_rng(seed), steps=200))

    @given(st.integers(1, 15), st.floats(0, 1), st.floats(0, 1), seeds)
    def test_mean_degrees_are_met(self, size: int, directed: float, bidirected: float, seed: int) -> None:
        degrees = {"->": directed * (size - 1), "<->": bidirected * (size - 1)}
        rng = numpy.random.default_rng(seed)
        graph = random_admg(size, rng, mean_degree=degrees["->"], mean_bidirected_degree=degrees["<->"])
        assert is_admg(graph)
        for symbol, degree in degrees.items():
            edges = sum(edge.symbol == symbol for edge in graph.edges())
            assert abs(edges - degree * size / 2) <= 0.5 + 1e-9

    @given(st.data(), seeds)
    def test_studies_share_exactly_the_overlap_and_deal_out_the_rest_evenly(
        self, data: st.DataObject, seed: int
    ) -> None:
        studies = data.draw(st.integers(2, 5))
        overlap = data.draw(st.integers(1, 4))
        own = data.draw(st.integers(studies if overlap == 1 else 0, 12))
        names = [f"V{i}" for i in range(overlap + own)]
        split = split_into_studies(names, numpy.random.default_rng(seed), studies=studies, overlap=overlap)
        assert len(split) == studies
        assert set().union(*split) == set(names)
        for one, other in itertools.combinations(split, 2):
            assert {*one} & {*other} == set.intersection(*map(set, split))
        assert len(set.intersection(*map(set, split))) == overlap
        assert max(map(len, split)) - min(map(len, split)) <= 1
        assert all(list(study) == sorted(set(study)) for study in split)
        assert split == split_into_studies(names, numpy.random.default_rng(seed), studies=studies, overlap=overlap)


class TestAncestral:
    @given(mags(selection=True))
    def test_mags_are_ancestral_by_the_textbook(self, mag: MixedGraph) -> None:
        assert is_ancestral(mag)
        assert textbook.is_ancestral(mag)
