"""Data drawn from a graph obey the graph."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weft
from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg
from weft.studies import Kind, Study
from weft.studies.simulate import WAYS, Way, draw_studies, draw_table, write_tables


@pytest.mark.parametrize("way", ["linear", "nonlinear"])
def test_dependences_are_those_of_the_graph(way: Way) -> None:
    graph = MixedGraph.parse("X -> Y -> Z; Z <-> W; V")
    wrong = 0
    for seed in range(10):
        table = draw_table(graph, 600, np.random.default_rng(seed), way)

        def p_value(x: str, y: str, *given: str, table: dict[str, np.ndarray] = table) -> float:
            return weft.independence(table[x], table[y], [table[name] for name in given] or None).p_value

        wrong += p_value("X", "Y") > 0.01
        wrong += p_value("Z", "W") > 0.01
        wrong += p_value("X", "Z", "Y") < 0.01
        wrong += p_value("X", "W") < 0.01
        wrong += p_value("X", "V") < 0.01
    assert wrong <= 3  # of 50


def test_studies_share_no_rows_and_one_model() -> None:
    graph = MixedGraph.parse("X -> Y; Y -> Z")
    first, second = draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 300, np.random.default_rng(2))
    assert (first.rows, second.rows, first.name, second.name) == (300, 300, "study1", "study2")
    assert not set(first.column("Y").values) & set(second.column("Y").values)
    assert abs(first.column("Y").values.mean() - second.column("Y").values.mean()) < 0.3


def random_table(seed: int, way: Way) -> tuple[MixedGraph, dict[str, np.ndarray]]:
    """A thousand rows of a random ADMG of five to eight variables."""
    rng = np.random.default_rng(seed)
    graph = random_admg(int(rng.integers(5, 9)), rng, mean_degree=2, mean_bidirected_degree=1)
    return graph, draw_table(graph, 1000, rng, way)


@pytest.mark.parametrize("way", ["linear", "nonlinear"])
def test_no_row_carries_a_variable(way: Way) -> None:
    """Of 1,000 rows, a single one at 15 standard deviations alone gives a kurtosis of 50."""
    kurtoses = [np.mean(values**4) for seed in range(200) for values in random_table(seed, way)[1].values()]
    assert max(kurtoses) < 50


def levels_p_value(table: dict[str, np.ndarray], x: str, y: str, *given: str) -> float:
    """Of the test for levels."""
    columns = [table[name] for name in (x, y, *given)]
    kinds = dict.fromkeys(["x", "y", *(f"given{i}" for i in range(1, len(given) + 1))], "categorical")
    return weft.independence(columns[0], columns[1], columns[2:] or None, test="g-square", kinds=kinds).p_value


def test_levels_depend_as_the_graph_says() -> None:
    graph = MixedGraph.parse("X -> Y -> Z; Z <-> W; V")
    false_alarms, strengths = 0, []
    for seed in range(40):
        table = draw_table(graph, 2000, np.random.default_rng(seed), "discrete")
        strengths += [levels_p_value(table, "X", "Y"), levels_p_value(table, "Z", "W")]
        independent = [("X", "Z", "Y"), ("X", "W"), ("X", "V")]
        false_alarms += sum(levels_p_value(table, *question) < 0.01 for question in independent)
    assert false_alarms <= 5  # of 120: more than that has probability 0.002
    assert 0.1 < np.mean(np.array(strengths) > 0.01) < 0.5  # some are too weak to be seen
    assert np.mean(np.array(strengths) < 1e-10) > 0.3  # and many strong


def test_a_discrete_variable_has_two_to_four_levels_and_all_occur() -> None:
    drawn = [values for seed in range(50) for values in random_table(seed, "discrete")[1].values()]
    shares = [np.bincount(values.astype(int)) / len(values) for values in drawn]
    assert {len(share) for share in shares} == {2, 3, 4}
    assert min(share.min() for share in shares) > 0


def test_levels_are_written_as_text(tmp_path: Path) -> None:
    graph = MixedGraph.parse("X -> Y; Y <-> Z")
    drawn = draw_studies(graph, [["X", "Y"], ["Y", "Z"]], 400, np.random.default_rng(3), "discrete")
    for study, path in zip(drawn, write_tables(drawn, tmp_path), strict=True):
        read = Study.read(path)
        assert {column.kind for column in study.columns} <= {Kind.CATEGORICAL, Kind.BINARY}
        assert [column.labels() for column in read.columns] == [column.labels() for column in study.columns]
        assert [column.kind for column in read.columns] == [column.kind for column in study.columns]


@pytest.mark.parametrize("way", WAYS)
def test_same_seed_same_data(way: Way) -> None:
    graph = MixedGraph.parse("X -> Y; X <-> Y")
    one, other = (draw_table(graph, 50, np.random.default_rng(7), way) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in graph.names)


def test_graphs_that_are_no_model() -> None:
    with pytest.raises(GraphError, match="without directed cycles"):
        draw_table(MixedGraph.parse("X -> Y -> Z -> X"), 10, np.random.default_rng(0))
    with pytest.raises(GraphError, match="no way 'cubic'"):
        draw_table(MixedGraph.parse("X -> Y"), 10, np.random.default_rng(0), "cubic")
