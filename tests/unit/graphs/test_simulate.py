"""Random graphs and splits into studies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy
import pytest

from tests.support.graphs import all_admgs, all_dags, letters
from weft.errors import EvidenceError, GraphError
from weft.graphs.ancestral import is_admg, is_dag
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies


def rng(seed: int = 0) -> numpy.random.Generator:
    return numpy.random.default_rng(seed)


def chi_square(draws: list[MixedGraph], outcomes: tuple[MixedGraph, ...]) -> float:
    """Pearson's statistic against the uniform distribution."""
    counts = Counter(draws)
    assert set(counts) <= set(outcomes)
    expected = len(draws) / len(outcomes)
    return sum((counts[outcome] - expected) ** 2 / expected for outcome in outcomes)


# The upper 0.1 % points of chi-square with 24 and 5 degrees of freedom.
CRITICAL_24 = 51.18
CRITICAL_5 = 20.52


class TestUniformDag:
    def test_all_25_dags_on_three_variables_are_equally_likely(self) -> None:
        source = rng(1)
        draws = [random_dag(letters(3), source) for _ in range(5_000)]
        assert chi_square(draws, all_dags(3)) < CRITICAL_24

    def test_that_test_tells_a_random_order_with_random_edges_apart(self) -> None:
        source = rng(1)
        draws = [random_dag(letters(3), source, mean_degree=int(source.integers(4)) * 2 / 3) for _ in range(5_000)]
        assert chi_square(draws, all_dags(3)) > 2 * CRITICAL_24

    def test_a_short_chain_is_not_yet_uniform(self) -> None:
        source = rng(1)
        draws = [random_dag(letters(3), source, steps=4) for _ in range(5_000)]
        assert chi_square(draws, all_dags(3)) > 2 * CRITICAL_24

    def test_all_6_admgs_on_two_variables_are_equally_likely(self) -> None:
        source = rng(2)
        draws = [random_admg(letters(2), source) for _ in range(3_000)]
        assert chi_square(draws, all_admgs(2)) < CRITICAL_5

    def test_every_step_adds_or_removes_one_edge_or_none(self) -> None:
        for steps in range(12):
            before, after = random_dag(4, rng(5), steps=steps), random_dag(4, rng(5), steps=steps + 1)
            # the same seed draws the same pairs, so that one chain is the other's beginning
            assert len(set(before.edges()) ^ set(after.edges())) <= 1

    def test_no_steps_leave_no_edges(self) -> None:
        assert random_dag(4, rng(), steps=0) == MixedGraph.parse("X1; X2; X3; X4")

    def test_dags_of_any_size_are_acyclic(self) -> None:
        for size in (0, 1, 2, 5, 12, 25):
            graph = random_dag(size, rng(size))
            assert graph.size == size
            assert is_dag(graph)

    def test_a_chain_of_several_blocks_of_random_numbers_goes_on(self) -> None:
        long, longer = (random_dag(6, rng(3), steps=(1 << 16) + extra) for extra in (0, 50))
        assert is_dag(longer)
        assert long != longer


class TestMeanDegree:
    @pytest.mark.parametrize(
        ("size", "mean_degree", "edges"), [(20, 2, 20), (5, 4, 10), (5, 0, 0), (10, 1.5, 8), (1, 0, 0)]
    )
    def test_the_number_of_edges_follows(self, size: int, mean_degree: float, edges: int) -> None:
        graph = random_dag(size, rng(3), mean_degree=mean_degree)
        assert is_dag(graph)
        assert len(graph.edges()) == edges
        bidirected = random_admg(size, rng(3), mean_degree=0, mean_bidirected_degree=mean_degree)
        assert [edge.symbol for edge in bidirected.edges()] == ["<->"] * edges

    def test_every_dag_with_that_many_edges_can_come(self) -> None:
        source = rng(4)
        found = {random_dag(letters(3), source, mean_degree=4 / 3) for _ in range(500)}
        assert found == {graph for graph in all_dags(3) if len(graph.edges()) == 2}

    def test_two_ordered_pairs_are_equally_likely(self) -> None:
        source = rng(5)
        draws = [random_dag(letters(3), source, mean_degree=2 / 3) for _ in range(3_000)]
        one_edge = tuple(graph for graph in all_dags(3) if len(graph.edges()) == 1)
        assert len(one_edge) == 6
        assert chi_square(draws, one_edge) < CRITICAL_5


class TestAdmg:
    def test_every_admg_on_three_variables_can_come(self) -> None:
        source = rng(6)
        assert {random_admg(letters(3), source) for _ in range(4_000)} == set(all_admgs(3))

    def test_doubled_pairs_are_included(self) -> None:
        graph = random_admg(6, rng(7), mean_degree=5, mean_bidirected_degree=5)
        assert is_admg(graph)
        assert len(graph.doubled) == 15


class TestNames:
    def test_numbered_variables_sort_in_their_order(self) -> None:
        assert random_dag(3, rng()).names == ("X1", "X2", "X3")
        assert random_dag(100, rng(), mean_degree=1).names[8:11] == ("X009", "X010", "X011")

    def test_a_numpy_integer_is_a_number(self) -> None:
        assert random_dag(numpy.int64(2), rng()).names == ("X1", "X2")  # type: ignore[arg-type]

    def test_the_order_of_the_names_does_not_matter(self) -> None:
        assert random_dag(["B", "A", "C"], rng(8)) == random_dag(["A", "B", "C"], rng(8))

    def test_the_same_seed_gives_the_same_graph(self) -> None:
        makers: list[Callable[[int], MixedGraph]] = [
            lambda seed: random_dag(8, rng(seed)),
            lambda seed: random_dag(8, rng(seed), mean_degree=2),
            lambda seed: random_admg(8, rng(seed)),
        ]
        for make in makers:
            assert make(1) == make(1)
            assert make(1) != make(2)


class TestErrors:
    @pytest.mark.parametrize("degree", [-0.1, 3.1, float("nan"), float("inf")])
    def test_an_impossible_degree(self, degree: float) -> None:
        with pytest.raises(GraphError, match=r"mean_degree is .*, but for 4 variables it must be between 0 and 3"):
            random_dag(4, rng(), mean_degree=degree)
        with pytest.raises(GraphError, match=r"mean_bidirected_degree is .* must be between 0 and 3"):
            random_admg(4, rng(), mean_bidirected_degree=degree)

    def test_more_variables_than_weft_takes(self) -> None:
        with pytest.raises(GraphError, match="100,000 variables are too many; weft takes at most 5,000"):
            random_dag(100_000, numpy.random.default_rng(0), mean_degree=2)

    def test_a_name_listed_twice(self) -> None:
        with pytest.raises(GraphError, match="variable A is listed twice"):
            random_dag("ABA", rng())
        with pytest.raises(EvidenceError, match="variable A is listed twice"):
            split_into_studies("ABCA", rng())

    def test_negative_numbers(self) -> None:
        with pytest.raises(GraphError, match="cannot have -1 variables"):
            random_dag(-1, rng())
        with pytest.raises(GraphError, match="cannot make -1 steps"):
            random_dag(3, rng(), steps=-1)

    @pytest.mark.parametrize(
        ("size", "studies", "overlap", "message"),
        [
            (5, 0, 1, "cannot split into 0 studies"),
            (5, 2, 6, "only 5"),
            (5, 2, 0, "unconnected"),
            (5, 2, -1, "unconnected"),
            (5, 1, -1, "unconnected"),
            (4, 4, 1, "leave one with 1"),
            (1, 1, 1, "leave one with 1"),
            (0, 1, 0, "leave one with 0"),
        ],
    )
    def test_an_impossible_split(self, size: int, studies: int, overlap: int, message: str) -> None:
        with pytest.raises(EvidenceError, match=message) as caught:
            split_into_studies(letters(size), rng(), studies=studies, overlap=overlap)
        assert "\n" not in str(caught.value)


class TestSplit:
    @pytest.mark.parametrize(
        ("size", "studies", "overlap", "sizes"),
        [
            (3, 2, 1, [2, 2]),
            (6, 2, 1, [4, 3]),
            (10, 3, 2, [5, 5, 4]),
            (5, 1, 0, [5]),
            (4, 2, 4, [4, 4]),
            (5, 3, 4, [5, 4, 4]),
        ],
    )
    def test_sizes(self, size: int, studies: int, overlap: int, sizes: list[int]) -> None:
        split = split_into_studies(letters(size), rng(9), studies=studies, overlap=overlap)
        assert [len(study) for study in split] == sizes

    def test_every_split_of_three_variables_can_come(self) -> None:
        source = rng(10)
        found = {split_into_studies("ABC", source) for _ in range(200)}
        assert found == {
            (("A", "B"), ("A", "C")),
            (("A", "C"), ("A", "B")),
            (("A", "B"), ("B", "C")),
            (("B", "C"), ("A", "B")),
            (("A", "C"), ("B", "C")),
            (("B", "C"), ("A", "C")),
        }
