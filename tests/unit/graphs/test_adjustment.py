"""Adjustment against what a regression shows in linear models, over all small graphs."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest

from tests.support.graphs import all_mags, subsets
from tests.support.linear import Linear
from weft.errors import GraphError
from weft.graphs.adjustment import adjustment_set, forbidden, is_adjustment_set, is_amenable, is_visible
from weft.graphs.ancestral import doublings, mag_of
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.graphs.simulate import random_admg


@pytest.mark.parametrize("size", [3, 4])
def test_an_edge_is_visible_if_no_model_of_the_mag_can_hide_a_common_cause(size: int) -> None:
    for mag in all_mags(size):
        for edge in mag.edges():
            if edge.symbol == "->":
                doubled = MixedGraph.build(mag.names, [*mag.edges(), Edge(edge.x, Mark.ARROW, Mark.ARROW, edge.y)])
                assert is_visible(mag, edge.x, edge.y) == (mag_of(doubled) != mag), (mag, edge)


def test_every_set_in_every_mag_of_three_and_some_of_four() -> None:
    """A set is an adjustment set exactly if regressions show the effect in all models of the MAG."""
    rng = np.random.default_rng(7)
    fours = list(all_mags(4))
    chosen = [fours[i] for i in rng.choice(len(fours), 150, replace=False)]
    right = 0
    for mag in (*all_mags(3), *chosen):
        models = [Linear(model, rng) for model in doublings(mag)]
        for x, y in permutations(mag.names, 2):
            rest = [name for name in mag.names if name not in (x, y)]
            sets = {given: is_adjustment_set(mag, [x], y, given) for given in subsets(rest)}
            for given, claimed in sets.items():
                assert claimed == all(model.shows((x,), y, given) for model in models), (mag, x, y, given)
            for within in subsets(rest):
                found = adjustment_set(mag, [x], y, within)
                assert (found is not None) == any(sets[given] for given in subsets(list(within))), (mag, x, y, within)
                if found is not None:
                    assert found <= set(within)
                    assert sets[tuple(sorted(found))]
                    assert not any(sets[tuple(sorted(found - {one}))] for one in found)  # nothing can be left out
                    right += 1
    assert right > 1000


def test_every_set_in_random_models() -> None:
    rng = np.random.default_rng(11)
    for _ in range(60):
        graph = random_admg(5, rng)
        model = Linear(graph, rng)
        for exposures in (("X1",), ("X2",), ("X1", "X3")):
            for y in ("X4", "X5"):
                rest = [name for name in graph.names if name not in (*exposures, y)]
                for given in subsets(rest):
                    claimed = is_adjustment_set(graph, exposures, y, given, model=True)
                    assert claimed == model.shows(exposures, y, given), (graph, exposures, y, given)


def test_known_examples() -> None:
    graph = MixedGraph.parse("V1 -> X; V2 -> X; X -> Y; V2 <-> Y; V1 -> Y")
    assert is_amenable(graph, ["X"], "Y", model=True)
    assert adjustment_set(graph, ["X"], "Y", model=True) == frozenset({"V1", "V2"})
    assert forbidden(graph, ["X"], "Y") == {"Y"}
    assert adjustment_set(MixedGraph.parse("X -> Y; X <-> Y"), ["X"], "Y", model=True) is None


def test_selection_identifies_nothing() -> None:
    assert adjustment_set(MixedGraph.parse("C -> X -> Y; A -- B"), ["X"], "Y") is None


def test_variables_must_differ() -> None:
    with pytest.raises(GraphError, match="different variables"):
        is_adjustment_set(MixedGraph.parse("X -> Y"), ["X"], "Y", ["Y"])
    with pytest.raises(GraphError, match="one of the exposures"):
        adjustment_set(MixedGraph.parse("X -> Y"), ["X", "Y"], "Y")
