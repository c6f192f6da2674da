"""How lines run between boxes."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.report.test_layout import boxes, tied
from weft.report.layering import Tie
from weft.report.layout import Place, layout_of
from weft.report.routes import Router, clears, further, hits, straight


@given(tied(most=10), st.integers(0, 5))
def test_no_line_runs_through_another_box(case: tuple[int, list[Tie]], seed: int) -> None:
    size, ties = case
    layout = layout_of(boxes(size, seed), ties)
    lines = [(tie.upper, tie.lower, False) for tie in ties]
    router = Router(layout, lines)
    for a, b, _ in lines:
        others = [place for v, place in enumerate(layout.places) if v not in (a, b)]
        assert hits(router.route(a, b), others) == 0


@given(tied(most=8))
def test_a_line_goes_from_box_to_box_and_is_the_same_backwards(case: tuple[int, list[Tie]]) -> None:
    size, ties = case
    layout = layout_of(boxes(size), ties)
    router = Router(layout, [(tie.upper, tie.lower, False) for tie in ties])
    for tie in ties:
        route = router.route(tie.upper, tie.lower)
        for point, v in ((route.points[0], tie.upper), (route.points[-1], tie.lower)):
            place = layout.places[v]
            assert place.left <= point[0] <= place.right
            assert place.top <= point[1] <= place.bottom
        back = router.route(tie.lower, tie.upper)
        assert all(math.dist(p, q) < 1e-6 for p, q in zip(back.points[::-1], route.points, strict=True))


def test_a_line_past_a_box_is_bent() -> None:
    layout = layout_of([(40, 30)] * 3, [Tie(0, 1), Tie(1, 2), Tie(0, 2)])
    router = Router(layout, [(0, 1, False), (1, 2, False), (0, 2, False)])
    xs = [x for x, _ in router.route(0, 2).points]
    assert not min(xs) > layout.places[1].left or not max(xs) < layout.places[1].right


def test_two_lines_of_a_pair_are_apart() -> None:
    layout = layout_of([(60, 30)] * 2, [Tie(0, 1)])
    router = Router(layout, [(0, 1, False), (0, 1, True)])
    middle, other = router.route(0, 1).at(0.5), router.route(0, 1, True).at(0.5)
    assert math.dist(middle, other) > 8


def test_lines_leave_a_box_in_the_order_of_where_they_go() -> None:
    layout = layout_of([(120, 30)] * 4, [Tie(0, 1), Tie(0, 2), Tie(0, 3)])
    router = Router(layout, [(0, v, False) for v in (1, 2, 3)])
    starts = {layout.places[v].x: router.route(0, v).points[0][0] for v in (1, 2, 3)}
    ordered = [starts[x] for x in sorted(starts)]
    assert ordered == sorted(ordered)
    assert all(b - a >= 10 for a, b in combinations(ordered, 2))


def test_parts_and_distances() -> None:
    route = straight((0.0, 0.0), (100.0, 0.0))
    assert route.at(clears(route, Place(0, 0, 20, 20), 5.0)) == pytest.approx((15.0, 0.0), abs=1e-3)
    assert route.at(further(route, 0.0, 30.0)) == pytest.approx((30.0, 0.0), abs=1e-3)
    assert further(route, 0.3, 0.0) == 0.3
    part = route.between(further(route, 0.0, 30.0), further(route, 0.0, 60.0))
    assert part.at(0.5) == pytest.approx((45.0, 0.0), abs=1e-3)
    assert straight((0.0, 0.0), (100.0, 0.0), 20.0).at(0.5) == pytest.approx((50.0, 20.0))
