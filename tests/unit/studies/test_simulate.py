"""Data drawn from a graph obey the graph."""

from __future__ import annotations

import numpy as np
import pytest

import weft
from weft.errors import GraphError
from weft.graphs.mixed import MixedGraph
from weft.studies.simulate import Way, draw_studies, draw_table


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


def test_same_seed_same_data() -> None:
    graph = MixedGraph.parse("X -> Y; X <-> Y")
    one, other = (draw_table(graph, 50, np.random.default_rng(7)) for _ in range(2))
    assert all((one[name] == other[name]).all() for name in graph.names)


def test_graphs_that_are_no_model() -> None:
    with pytest.raises(GraphError, match="without directed cycles"):
        draw_table(MixedGraph.parse("X -> Y -> Z -> X"), 10, np.random.default_rng(0))
    with pytest.raises(GraphError, match="no way 'cubic'"):
        draw_table(MixedGraph.parse("X -> Y"), 10, np.random.default_rng(0), "cubic")  # type: ignore[arg-type]
