"""Where the vertices of a drawing stand.

Covers ``layout.py``, ``layering.py`` and ``ordering.py``.
"""

from __future__ import annotations

import random
from itertools import combinations, pairwise, permutations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.report.layering import Tie, causal_order, layers_of, split_wide
from weft.report.layout import BELOW, BESIDE, Layout, layout_of, spread
from weft.report.ordering import Proper, crossings, ordered, proper, start


@st.composite
def tied(draw: st.DrawFn, most: int = 9, acyclic: bool = False) -> tuple[int, list[Tie]]:
    """A number of vertices and ties between some of them."""
    size = draw(st.integers(0, most))
    order = draw(st.permutations(range(size)))
    ties = []
    for a, b in combinations(range(size), 2):
        kind = draw(st.sampled_from(["none", "none", "none", "down", "free"] + ([] if acyclic else ["up"])))
        if kind != "none":
            upper, lower = (order[b], order[a]) if kind == "up" else (order[a], order[b])
            ties.append(Tie(upper, lower, draw(st.sampled_from([0.2, 1.0, 3.0])), directed=kind != "free"))
    return size, ties


def boxes(size: int, seed: int = 0) -> list[tuple[float, float]]:
    rng = random.Random(seed)
    return [(rng.choice([40.0, 90.0, 160.0]), rng.choice([30.0, 60.0])) for _ in range(size)]


# -- layers ------------------------------------------------------------------------------------------------------------


@given(tied(acyclic=True))
def test_directed_ties_without_cycles_point_down(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    layers = split_wide(layers_of(size, ties), [100.0] * size, 250.0)
    assert all(layers[tie.upper] < layers[tie.lower] for tie in ties if tie.directed)


@given(tied())
def test_layers_are_used_without_gaps(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    layers = layers_of(size, ties)
    assert set(layers) == set(range(max(layers, default=-1) + 1))


@given(tied())
def test_the_order_goes_against_at_most_half_of_the_weight(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    order = causal_order(size, ties)
    assert sorted(order) == list(range(size))
    directed = [tie for tie in ties if tie.directed]
    against = sum(tie.weight for tie in directed if order.index(tie.upper) > order.index(tie.lower))
    assert against <= sum(tie.weight for tie in directed) / 2


def test_the_lightest_tie_of_a_cycle_points_up() -> None:
    ties = [Tie(0, 1, 3.0), Tie(1, 2, 3.0), Tie(2, 0, 1.0)]
    assert layers_of(3, ties) == (0, 1, 2)


def test_ties_that_are_not_directed_do_not_say_who_is_above() -> None:
    directed = [Tie(0, 1), Tie(1, 2)]
    assert layers_of(3, [*directed, Tie(2, 0, directed=False)]) == layers_of(3, directed)


# -- order -------------------------------------------------------------------------------------------------------------


def twin(graph: Proper) -> int:
    """The least number of crossings, by trying every order."""
    rows = start(graph)
    return min(crossings(graph, order) for order in product(*map(permutations, rows)))


def counted_slowly(graph: Proper, rows: list[list[int]]) -> int:
    place = {v: i for row in rows for i, v in enumerate(row)}
    return sum(
        graph.layers[a] == graph.layers[c] and (place[a] - place[c]) * (place[b] - place[d]) < 0
        for (a, b), (c, d) in combinations(graph.links, 2)
    )


@given(tied(), st.randoms(use_true_random=False))
def test_crossings_are_counted_right(case: tuple[int, list[Tie]], rng: random.Random) -> None:
    size, ties = case
    graph = proper(layers_of(size, ties), ties)
    rows = start(graph)
    for row in rows:
        rng.shuffle(row)
    assert crossings(graph, rows) == counted_slowly(graph, rows)


@given(tied())
def test_the_sweep_loses_nothing_and_adds_no_crossing(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    graph = proper(layers_of(size, ties), ties)
    first, last = start(graph), ordered(graph)
    assert [sorted(row) for row in last] == [sorted(row) for row in first]
    assert crossings(graph, last) <= crossings(graph, first)


@given(tied())
def test_long_ties_bend_in_every_layer_that_they_pass(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    layers = layers_of(size, ties)
    graph = proper(layers, ties)
    assert all(graph.layers[lower] == graph.layers[upper] + 1 for upper, lower in graph.links)
    for tie in ties:
        if layers[tie.upper] != layers[tie.lower]:
            chain = graph.chains[min(tie.upper, tie.lower), max(tie.upper, tie.lower)]
            assert len(chain) == abs(layers[tie.upper] - layers[tie.lower]) - 1


def test_the_sweep_is_right_on_every_graph_of_three_above_three() -> None:
    links = [(a, b) for a in range(3) for b in range(3, 6)]
    for chosen in range(1 << len(links)):
        graph = proper([0, 0, 0, 1, 1, 1], [Tie(*link) for i, link in enumerate(links) if chosen >> i & 1])
        assert crossings(graph, ordered(graph)) == twin(graph)


def test_the_sweep_is_right_on_drawn_graphs_of_four_above_four() -> None:
    # No promise, but what it does; 400 others were tried too, and none was wrong.
    rng = random.Random(3)
    links = [(a, b) for a in range(4) for b in range(4, 8)]
    for _ in range(40):
        ties = [Tie(*link) for link in rng.sample(links, rng.randint(4, 10))]
        graph = proper([0, 0, 0, 0, 1, 1, 1, 1], ties)
        assert crossings(graph, ordered(graph)) == twin(graph)


# -- places ------------------------------------------------------------------------------------------------------------


def overlap(layout: Layout) -> list[tuple[int, int]]:
    return [
        (v, w)
        for (v, a), (w, b) in combinations(enumerate(layout.places), 2)
        if a.left < b.right and b.left < a.right and a.top < b.bottom and b.top < a.bottom
    ]


@given(tied(most=14), st.integers(0, 5))
def test_every_vertex_has_a_place_of_its_own(case: tuple[int, list[Tie]], seed: int) -> None:
    size, ties = case
    sizes = boxes(size, seed)
    layout = layout_of(sizes, ties)
    assert [(place.width, place.height) for place in layout.places] == sizes
    assert overlap(layout) == []
    for a, b in combinations(layout.places, 2):  # and there is room for lines between them
        across, down = max(a.left, b.left) - min(a.right, b.right), max(a.top, b.top) - min(a.bottom, b.bottom)
        assert across >= BESIDE - 0.01 or down >= min(BELOW, BESIDE) - 0.01
    assert min((place.left for place in layout.places), default=0.0) == pytest.approx(0.0, abs=0.01)
    assert min((place.top for place in layout.places), default=0.0) == pytest.approx(
        0.0, abs=60.0
    )  # a low box in a high layer


@given(tied(acyclic=True))
def test_effects_stand_below_their_causes(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    layout = layout_of(boxes(size), ties)
    for tie in ties:
        if tie.directed:
            assert layout.places[tie.upper].bottom < layout.places[tie.lower].top


@given(tied())
def test_the_same_ties_give_the_same_places(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    assert layout_of(boxes(size), ties) == layout_of(boxes(size), ties)


@given(
    st.lists(st.tuples(st.floats(-100, 100), st.floats(0, 30), st.floats(0.1, 5)), min_size=1, max_size=7),
)
def test_a_spread_row_keeps_its_gaps_and_cannot_be_bettered(row: list[tuple[float, float, float]]) -> None:
    wanted, gaps, weights = [one[0] for one in row], [one[1] for one in row][1:], [one[2] for one in row]
    found = spread(wanted, gaps, weights)

    def cost(places: list[float]) -> float:
        return sum(w * (x - want) ** 2 for x, want, w in zip(places, wanted, weights, strict=True))

    assert all(b - a >= gap - 1e-6 for (a, b), gap in zip(pairwise(found), gaps, strict=True))
    for low, high in combinations(range(len(found) + 1), 2):  # no part of the row gains by moving
        for step in (-0.5, 0.5):
            moved = [x + step if low <= i < high else x for i, x in enumerate(found)]
            if all(b - a >= gap - 1e-9 for (a, b), gap in zip(pairwise(moved), gaps, strict=True)):
                assert cost(moved) >= cost(found) - 1e-6
