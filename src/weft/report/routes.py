"""How a line runs from box to box: straight if it can, else bent so that it runs through no other box.

A *route* is a chain of cubic Bezier curves from the middle of one box to the middle of the other. Bends are tried
first; if each of them hits something, the line takes its lanes: it passes every layer between where the layout kept
room, and a line within a layer goes over the boxes between. Lanes are always free.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from weft.report.layout import BELOW, Layout, Place

Point = tuple[float, float]
Cubic = tuple[Point, Point, Point, Point]

_SMALL = (0.0, 14.0, -14.0, 28.0, -28.0, 44.0, -44.0, 64.0, -64.0)
_LARGE = (90.0, -90.0, 120.0, -120.0, 160.0, -160.0, 220.0, -220.0, 300.0, -300.0)
_SAMPLES = 32
"""Points that are looked at on each curve."""
_ROOM = 4.0
"""How far a line keeps from a box."""
_PORT = 10.0
"""How far from a corner a line may leave a box."""
BESIDE = 9.0
"""How far apart two lines of one pair are."""


@dataclass(frozen=True)
class Route:
    """A chain of cubic curves; a parameter from 0 to their number says where on it one is."""

    curves: tuple[Cubic, ...]

    def at(self, t: float) -> Point:
        """The point at a parameter.

        >>> straight((0, 0), (30, 0)).at(0.5)
        (15.0, 0.0)
        """
        number = min(int(t), len(self.curves) - 1)
        return _point(self.curves[number], t - number)

    @cached_property
    def parameters(self) -> tuple[float, ...]:
        """Where it is looked at."""
        return tuple(i / _SAMPLES for i in range(_SAMPLES * len(self.curves) + 1))

    @cached_property
    def points(self) -> tuple[Point, ...]:
        """The points there."""
        return tuple(map(self.at, self.parameters))

    def between(self, start: float, end: float) -> Route:
        """The part between two parameters.

        >>> straight((0, 0), (30, 0)).between(0.0, 0.5).at(1.0)
        (15.0, 0.0)
        """
        parts: list[Cubic] = []
        for number, curve in enumerate(self.curves):
            low, high = max(0.0, start - number), min(1.0, end - number)
            if high > low:
                parts.append(_part(curve, low, high))
        return Route(tuple(parts) or (_part(self.curves[0], 0.0, 0.0),))

    def reversed(self) -> Route:
        """The same from the other end."""
        return Route(tuple((d, c, b, a) for a, b, c, d in reversed(self.curves)))


def straight(start: Point, end: Point, bend: float = 0.0) -> Route:
    """One curve, whose middle is that far to the right of the straight line (where y goes down)."""
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    length = math.hypot(dx, dy) or 1.0
    # A quadratic curve with its control point twice as far away passes there; here it is written as a cubic.
    x, y = (x0 + x1) / 2 - dy / length * 2 * bend, (y0 + y1) / 2 + dx / length * 2 * bend
    return Route((((x0, y0), _third(x0, x, y0, y), _third(x1, x, y1, y), (x1, y1)),))


def _third(x0: float, x: float, y0: float, y: float) -> Point:
    return x0 + (x - x0) * 2 / 3, y0 + (y - y0) * 2 / 3


def _point(curve: Cubic, t: float) -> Point:
    u = 1.0 - t
    p, q, r, s = u * u * u, 3 * u * u * t, 3 * u * t * t, t * t * t
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    return p * ax + q * bx + r * cx + s * dx, p * ay + q * by + r * cy + s * dy


def _part(curve: Cubic, low: float, high: float) -> Cubic:
    """De Casteljau's construction, twice."""
    right = _halves(curve, low)[1]
    return _halves(right, (high - low) / (1.0 - low) if low < 1.0 else 0.0)[0]


def _halves(curve: Cubic, t: float) -> tuple[Cubic, Cubic]:
    a, b, c, d = curve
    ab, bc, cd = _mix(a, b, t), _mix(b, c, t), _mix(c, d, t)
    abc, bcd = _mix(ab, bc, t), _mix(bc, cd, t)
    middle = _mix(abc, bcd, t)
    return (a, ab, abc, middle), (middle, bcd, cd, d)


def _mix(a: Point, b: Point, t: float) -> Point:
    return a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t


# -- finding one -------------------------------------------------------------------------------------------------------


def route(layout: Layout, a: int, b: int, aside: float = 0.0) -> Route:
    """How the line from vertex a to vertex b runs; ``aside`` moves it, for a second line of the same pair."""
    if a > b:
        return route(layout, b, a, aside).reversed()
    start, end = layout.places[a], layout.places[b]
    others = [place for v, place in enumerate(layout.places) if v not in (a, b)]

    def bent(bend: float) -> Route:
        return straight((start.x, start.y), (end.x, end.y), bend + aside)

    def free(one: Route) -> bool:
        return not hits(one, others)

    for found in map(bent, _SMALL):
        if free(found):
            return found
    in_lanes = _lanes(layout, a, b, aside)
    if in_lanes is not None and free(in_lanes):
        return in_lanes
    return next(filter(free, map(bent, _LARGE)), None) or min(
        (*map(bent, _SMALL + _LARGE), *([in_lanes] if in_lanes is not None else [])),
        key=lambda one: hits(one, others),
    )


def hits(one: Route, boxes: Sequence[Place]) -> int:
    """How many boxes a route runs through, or nearly so."""
    xs, ys = [x for x, _ in one.points], [y for _, y in one.points]
    left, right, top, bottom = min(xs) - _ROOM, max(xs) + _ROOM, min(ys) - _ROOM, max(ys) + _ROOM
    near = [box for box in boxes if box.right > left and box.left < right and box.bottom > top and box.top < bottom]
    return sum(_runs_through(one.points, box) for box in near)


def _runs_through(points: Sequence[Point], box: Place) -> bool:
    """Whether a chain of short straight pieces enters a box with some room around it."""
    far, high = box.width / 2 + _ROOM, box.height / 2 + _ROOM
    return any(
        _enters(x0 - box.x, y0 - box.y, x1 - box.x, y1 - box.y, far, high) for (x0, y0), (x1, y1) in pairwise(points)
    )


def _enters(x0: float, y0: float, x1: float, y1: float, far: float, high: float) -> bool:
    """Whether a straight piece meets the box from (-far, -high) to (far, high): what each side leaves of it."""
    low, top = 0.0, 1.0
    for start, end, size in ((x0, x1, far), (y0, y1, high)):
        step = end - start
        if step == 0:
            if abs(start) >= size:
                return False
            continue
        first, second = sorted(((-size - start) / step, (size - start) / step))
        low, top = max(low, first), min(top, second)
    return low < top


def _lanes(layout: Layout, a: int, b: int, aside: float) -> Route | None:
    layer_a, layer_b = layout.layers[a], layout.layers[b]
    if layer_a is None or layer_b is None:
        return None
    if layer_a == layer_b:
        return _over(layout, a, b, layer_a, aside)
    if (a, b) not in layout.lanes:
        return None
    down = layer_a < layer_b
    upper, lower = (a, b) if down else (b, a)
    found = _through(layout, upper, lower, [x + aside for x in layout.lanes[a, b]])
    return found if down else found.reversed()


def _through(layout: Layout, upper: int, lower: int, lanes: Sequence[float]) -> Route:
    """Down through the layers between, upright where boxes stand and curved in the room between the layers."""
    top, bottom = layout.places[upper], layout.places[lower]
    layer = layout.layers[upper]
    assert layer is not None
    bands = layout.bands[layer : layer + len(lanes) + 2]
    first, last = _port(top, lanes[0] if lanes else bottom.x), _port(bottom, lanes[-1] if lanes else top.x)
    stops = [(first, bands[0][1]), *((x, y) for x, band in zip(lanes, bands[1:], strict=False) for y in band)]
    stops.append((last, bands[-1][0]))
    curves = [_line((first, top.y), stops[0])]
    for number, (start, end) in enumerate(pairwise(stops)):
        curves.append(_curved(start, end) if number % 2 == 0 else _line(start, end))
    return Route((*curves, _line(stops[-1], (last, bottom.y))))


def _over(layout: Layout, a: int, b: int, layer: int, aside: float) -> Route:
    """Over the boxes between two of one layer."""
    start, end = layout.places[a], layout.places[b]
    top = layout.bands[layer][0] - _ROOM
    above = layout.bands[layer - 1][1] if layer else top - BELOW
    first, last = _port(start, end.x), _port(end, start.x)
    # The curve rises to three quarters of where its control points are, and stays below the layer above.
    height = min(0.85 * (top - above), 0.5 * BELOW + 0.04 * abs(last - first) + aside) * 4 / 3
    arch: Cubic = ((first, top), (first, top - height), (last, top - height), (last, top))
    return Route((_line((first, start.y), (first, top)), arch, _line((last, top), (last, end.y))))


def _port(box: Place, towards: float) -> float:
    """Where a line leaves a box upwards or downwards: somewhat on the side that it goes to."""
    most = max(0.0, box.width / 2 - _PORT)
    return box.x + max(-most, min(most, 0.3 * (towards - box.x)))


def _line(start: Point, end: Point) -> Cubic:
    return start, _mix(start, end, 1 / 3), _mix(start, end, 2 / 3), end


def _curved(start: Point, end: Point) -> Cubic:
    middle = (start[1] + end[1]) / 2
    return start, (start[0], middle), (end[0], middle), end


# -- where it ends -----------------------------------------------------------------------------------------------------


def leaves(one: Route, box: Place) -> float:
    """The last parameter at which a route that starts in a box is still in it."""

    def inside(t: float) -> bool:
        x, y = one.at(t)
        return abs(x - box.x) <= box.width / 2 and abs(y - box.y) <= box.height / 2

    outside = next((i for i, t in enumerate(one.parameters) if not inside(t)), len(one.parameters) - 1)
    return _switch(inside, one.parameters[max(0, outside - 1)], one.parameters[outside])


def further(one: Route, start: float, distance: float) -> float:
    """The first parameter behind ``start`` at which the route is that far from where it was."""
    x, y = one.at(start)

    def near(t: float) -> bool:
        there = one.at(t)
        return math.hypot(there[0] - x, there[1] - y) < distance

    later = [t for t in one.parameters if t > start]
    outside = next((i for i, t in enumerate(later) if not near(t)), None)
    if outside is None:
        return one.parameters[-1]
    return _switch(near, later[outside - 1] if outside else start, later[outside])


def _switch(holds: Callable[[float], bool], low: float, high: float) -> float:
    """Where something stops to hold between two parameters."""
    for _ in range(30):
        middle = (low + high) / 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low
