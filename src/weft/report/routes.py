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

from weft.report.layout import BELOW, Layout, Place, spread

Point = tuple[float, float]
Cubic = tuple[Point, Point, Point, Point]

_BENDS = (
    0.0,
    14.0,
    -14.0,
    28.0,
    -28.0,
    44.0,
    -44.0,
    64.0,
    -64.0,
    90.0,
    -90.0,
    120.0,
    -120.0,
    160.0,
    -160.0,
    220.0,
    -220.0,
)
"""How far the middle of a line may be beside the straight way; that is also its price."""
_LANES, _HIT, _SHARED = 70.0, 1000.0, 8.0
"""The price of taking lanes, of running through a box, and of each point that lies on another line."""
_NEAR, _MEET = 4.0, 12.0
"""Lines nearer than that are hard to tell apart; but so near to a box they may be."""
_CROSSING = 6
"""How many points lie on another line where the two merely cross."""
_INSIDE, _APART = 8.0, 17.0
"""How far inside a box lines start, and how far from each other."""
_SAMPLES = 32
"""Points that are looked at on each curve."""
_ROOM = 4.0
"""How far a line keeps from a box."""
_PORT = 8.0
"""How far from a corner a line may leave a box."""


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


class Router:
    """Finds the routes of a drawing one after the other; each keeps away from those before it, where it can.

    Parameters
    ----------
    layout
        Where the boxes are.
    lines
        The lines that will be drawn (two vertices, and whether it is the second line of its pair): each gets a place of
        its own at either box. Those that come first get the straightest ways.
    """

    def __init__(self, layout: Layout, lines: Sequence[tuple[int, int, bool]] = ()) -> None:
        self._layout = layout
        self._ports = ports(layout, [(min(a, b), max(a, b), second) for a, b, second in lines])
        self._found: dict[tuple[int, int, bool], Route] = {}
        self._taken: set[tuple[int, int]] = set()
        for a, b, second in lines:
            self.route(a, b, second)

    def route(self, a: int, b: int, second: bool = False) -> Route:
        """How the line from vertex a to vertex b runs."""
        if a > b:
            return self.route(b, a, second).reversed()
        if (a, b, second) not in self._found:
            found = self._best(a, b, second)
            self._found[a, b, second] = found
            self._taken.update(cell for point in self._outside(found, a, b) for cell in _cells(point))
        return self._found[a, b, second]

    def _best(self, a: int, b: int, second: bool) -> Route:
        """The straightest that hits no box and runs along no other line."""
        others = [place for v, place in enumerate(self._layout.places) if v not in (a, b)]
        at_a, at_b = self._ports.get((a, b, second)) or ports(self._layout, [(a, b, second)])[a, b, second]
        best, least = None, math.inf
        for found, price in candidates(self._layout, a, b, at_a, at_b):
            if price >= least:  # they come in the order of their price
                break
            shared = sum(_cell(point) in self._taken for point in self._outside(found, a, b))
            cost = price + _HIT * hits(found, others) + _SHARED * max(0, shared - _CROSSING)
            if cost < least:
                best, least = found, cost
        assert best is not None
        return best

    def _outside(self, one: Route, a: int, b: int) -> list[Point]:
        """The points of a route that are not near its ends, where lines meet anyway."""
        ends = self._layout.places[a], self._layout.places[b]
        return [
            (x, y)
            for x, y in one.points
            if all(abs(x - end.x) > end.width / 2 + _MEET or abs(y - end.y) > end.height / 2 + _MEET for end in ends)
        ]


def _cell(point: Point) -> tuple[int, int]:
    return int(point[0] // _NEAR), int(point[1] // _NEAR)


def _cells(point: Point) -> list[tuple[int, int]]:
    """The cell of a point, and those around it."""
    x, y = _cell(point)
    return [(x + i, y + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]


def ports(layout: Layout, lines: Sequence[tuple[int, int, bool]]) -> dict[tuple[int, int, bool], tuple[Point, Point]]:
    """Where each line (smaller vertex first) starts and ends, inside its boxes.

    Lines leave a box upwards or downwards, in the order of where they go to, and far enough apart for their marks;
    those to a neighbour in the same layer leave it at the side.
    """
    sides: dict[tuple[int, str], list[tuple[float, tuple[int, int, bool]]]] = {}
    found: dict[tuple[tuple[int, int, bool], int], Point] = {}
    for line in dict.fromkeys(lines):
        for v, w in (line[:2], line[1::-1]):
            side = _side(layout, v, w)
            if side == "beside":
                found[line, v] = layout.places[v].x, layout.places[v].y
            else:
                sides.setdefault((v, side), []).append((_towards(layout, v, w), line))
    for (v, side), leaving in sides.items():
        box = layout.places[v]
        y = box.bottom - _INSIDE if side == "below" else box.top + _INSIDE
        leaving.sort()
        for x, (_, line) in zip(_spread_on(box, [x for x, _ in leaving]), leaving, strict=True):
            found[line, v] = x, y
    return {line: (found[line, line[0]], found[line, line[1]]) for line in dict.fromkeys(lines)}


def _side(layout: Layout, v: int, w: int) -> str:
    """On which side of its box a line from v to w leaves it."""
    here, there = layout.places[v], layout.places[w]
    if there.top > here.bottom:
        return "below"
    if there.bottom < here.top:
        return "above"
    level = [place for u, place in enumerate(layout.places) if u not in (v, w) and layout.layers[u] == layout.layers[v]]
    between = any(min(here.x, there.x) < place.x < max(here.x, there.x) for place in level)
    return "above" if between else "beside"


def _towards(layout: Layout, v: int, w: int) -> float:
    """The x that a line from v to w goes to first."""
    lanes = layout.lanes.get((min(v, w), max(v, w)), ())
    if not lanes:
        return layout.places[w].x
    return lanes[0] if layout.places[v].y < layout.places[w].y else lanes[-1]


def _spread_on(box: Place, towards: Sequence[float]) -> list[float]:
    """Places on the upper or lower side of a box for lines that go there, somewhat on the sides that they go to."""
    most = max(0.0, box.width / 2 - _PORT)
    gap = min(_APART, 2 * most / max(1, len(towards) - 1))
    wanted = [box.x + max(-most, min(most, 0.3 * (x - box.x))) for x in towards]
    last = len(towards) - 1
    return [
        min(max(x, box.x - most + i * gap), box.x + most - (last - i) * gap)
        for i, x in enumerate(spread(wanted, [gap] * last, [1.0] * len(wanted)))
    ]


def candidates(layout: Layout, a: int, b: int, start: Point, end: Point) -> list[tuple[Route, float]]:
    """The ways from a to b, the simplest first, each with its price."""
    found = [(straight(start, end, bend), abs(bend)) for bend in _BENDS]
    in_lanes = _lanes(layout, a, b, start[0], end[0])
    if in_lanes is not None:
        found.append((in_lanes, _LANES))
    return sorted(found, key=lambda one: one[1])


def hits(one: Route, boxes: Sequence[Place]) -> int:
    """How many boxes a route runs through, or nearly so."""
    points = one.points[::2]
    xs, ys = [x for x, _ in points], [y for _, y in points]
    left, right, top, bottom = min(xs) - _ROOM, max(xs) + _ROOM, min(ys) - _ROOM, max(ys) + _ROOM
    near = [box for box in boxes if box.right > left and box.left < right and box.bottom > top and box.top < bottom]
    return sum(_runs_through(points, box) for box in near)


def _runs_through(points: Sequence[Point], box: Place) -> bool:
    """Whether a chain of short straight pieces enters a box with some room around it."""
    far, high = box.width / 2 + _ROOM, box.height / 2 + _ROOM
    moved = [(x - box.x, y - box.y) for x, y in points]
    return any(
        _enters(x0, y0, x1, y1, far, high)
        for (x0, y0), (x1, y1) in pairwise(moved)
        # most pieces are wholly on one side
        if (x0 < far or x1 < far)
        and (x0 > -far or x1 > -far)
        and (y0 < high or y1 < high)
        and (y0 > -high or y1 > -high)
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


def _lanes(layout: Layout, a: int, b: int, at_a: float, at_b: float) -> Route | None:
    layer_a, layer_b = layout.layers[a], layout.layers[b]
    if layer_a is None or layer_b is None:
        return None
    if layer_a == layer_b:
        return _over(layout, layer_a, (at_a, layout.places[a].y), (at_b, layout.places[b].y))
    if (a, b) not in layout.lanes:
        return None
    upper, lower = (at_a, layout.places[a].y), (at_b, layout.places[b].y)
    if layer_a < layer_b:
        return _through(layout, layer_a, layout.lanes[a, b], upper, lower)
    return _through(layout, layer_b, layout.lanes[a, b], lower, upper).reversed()


def _through(layout: Layout, layer: int, lanes: Sequence[float], upper: Point, lower: Point) -> Route:
    """Down through the layers between, upright where boxes stand and curved in the room between the layers."""
    bands = layout.bands[layer : layer + len(lanes) + 2]
    stops = [(upper[0], bands[0][1]), *((x, y) for x, band in zip(lanes, bands[1:], strict=False) for y in band)]
    stops.append((lower[0], bands[-1][0]))
    curves = [_line(upper, stops[0])]
    for number, (start, end) in enumerate(pairwise(stops)):
        curves.append(_curved(start, end) if number % 2 == 0 else _line(start, end))
    return Route((*curves, _line(stops[-1], lower)))


def _over(layout: Layout, layer: int, start: Point, end: Point) -> Route:
    """Over the boxes between two of one layer."""
    top = layout.bands[layer][0] - _ROOM
    above = layout.bands[layer - 1][1] if layer else top - BELOW
    # The curve rises to three quarters of where its control points are, and stays below the layer above.
    height = min(0.85 * (top - above), 0.5 * BELOW + 0.04 * abs(end[0] - start[0])) * 4 / 3
    arch: Cubic = ((start[0], top), (start[0], top - height), (end[0], top - height), (end[0], top))
    return Route((_line(start, (start[0], top)), arch, _line((end[0], top), end)))


def _line(start: Point, end: Point) -> Cubic:
    return start, _mix(start, end, 1 / 3), _mix(start, end, 2 / 3), end


def _curved(start: Point, end: Point) -> Cubic:
    middle = (start[1] + end[1]) / 2
    return start, (start[0], middle), (end[0], middle), end


# -- where it ends -----------------------------------------------------------------------------------------------------


def clears(one: Route, box: Place, distance: float) -> float:
    """The first parameter at which a route that starts in a box is that far from it."""

    def near(t: float) -> bool:
        x, y = one.at(t)
        aside = max(0.0, abs(x - box.x) - box.width / 2), max(0.0, abs(y - box.y) - box.height / 2)
        return math.hypot(*aside) < distance

    outside = next((i for i, t in enumerate(one.parameters) if not near(t)), len(one.parameters) - 1)
    return _switch(near, one.parameters[max(0, outside - 1)], one.parameters[outside])


def further(one: Route, start: float, distance: float) -> float:
    """The first parameter behind ``start`` at which the route is that far from where it was."""
    x, y = one.at(start)

    def near(t: float) -> bool:
        there = one.at(t)
        return math.hypot(there[0] - x, there[1] - y) < distance

    if distance <= 0:
        return start
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
