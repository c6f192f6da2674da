"""The one layout of all pictures of an answer: where the variables stand and how lines run between them.

It is computed once, from the union of all structures, and is part of the view: the page and the figures draw it, and
none of them moves anything. So every picture of an answer has the same places, whatever lines it shows.

Lengths are in points; x goes to the right and y down.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from weft.report.layering import Tie
from weft.report.layout import Layout, Place, layout_of
from weft.report.lines import Line, graph_ties, most_frequent, not_apart, union_lines, union_ties
from weft.report.names import width_of, wrapped
from weft.report.routes import Point, Route, Router

if TYPE_CHECKING:
    from weft.report.view import View

NAME, LEADING = 10.0, 1.25
"""The size of a variable's name, and how far its lines are apart in such sizes."""
BADGE, BADGES_IN_ROW = 10.0, 8
"""The size of a study's letter in its square, and how many stand beside each other."""
BADGE_STEP, BADGE_ROW = BADGE + 2.0, BADGE + 2.5
"""From one square to the next, and from one row to the next."""
_MARK, _MOST_MARKS = 9.0, 10
"""The room for the mark of a line at a box, and for how many of them a box is made wider."""
_SCALES, _READABLE = (1.0, 2.0), 10.0
"""How much larger boxes may be, and from which size on names can be read when all is seen at once."""
_SCREEN = 820.0, 540.0
"""The room for a picture on a small screen."""
_MOST_COURSES = 300
"""Where there are more lines than that, none is seen well, and to find a way for each would take long."""


# -- what is shown -----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Box(Place):
    """The box of a variable."""

    lines: tuple[str, ...]
    """Its name, as it is written there."""


@dataclass(frozen=True)
class Course:
    """How a line between two variables runs."""

    x: int
    y: int
    """Positions among the variables, the smaller first."""
    points: tuple[Point, ...]
    """A chain of cubic Bezier curves from x to y: where it starts, and three points for each curve."""
    second: bool = False
    """Whether it is for the ``<->`` beside a directed edge."""

    @property
    def route(self) -> Route:
        """The same as curves."""
        ends = range(3, len(self.points), 3)
        return Route(tuple((self.points[i - 3], self.points[i - 2], self.points[i - 1], self.points[i]) for i in ends))


@dataclass(frozen=True)
class PictureLayout:
    """Where everything stands in each picture of an answer."""

    boxes: tuple[Box, ...]
    """One for each variable."""
    courses: tuple[Course, ...]
    """One for each pair that may be joined; not for the rarest, if they are very many."""
    scale: float
    """How much larger boxes and names are than usual, so that names can be read in a large picture."""

    @property
    def pen(self) -> float:
        """How much larger lines and their marks are."""
        return round(math.sqrt(self.scale), 3)

    def route(self, a: int, b: int, second: bool = False) -> Route:
        """How a line from a to b runs; the second line of a pair has a way of its own."""
        if a > b:
            return self.route(b, a, second).reversed()
        return self._courses.get((a, b, second)) or self._router.route(a, b, second)

    @cached_property
    def _courses(self) -> Mapping[tuple[int, int, bool], Route]:
        return {(course.x, course.y, course.second): course.route for course in self.courses}

    @cached_property
    def _router(self) -> Router:
        """For lines that no structure has: around the boxes."""
        return Router(Layout(self.boxes, (None,) * len(self.boxes), (), {}, 0))


# -- computing it ------------------------------------------------------------------------------------------------------


def picture_layout(view: View) -> PictureLayout:
    """The layout of an answer: that of the lines that most structures have; the other lines run between.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> found = picture_layout(view_of(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), patience=0))
    >>> [box.lines for box in found.boxes], found.boxes[1].y < found.boxes[0].y
    ([('X',), ('Y',), ('Z',)], True)
    >>> [(course.x, course.y) for course in found.courses]
    [(0, 1), (1, 2), (0, 2)]
    """
    lines = most_frequent(union_lines(view), len(view.variables))
    studies = [sum(v in study.variables for study in view.studies) for v in range(len(view.variables))]
    drawn = [(line.x, line.y, False) for line in _by_share(lines)]
    known = {line.pair for line in lines}
    others = [(x, y, False) for x, y in not_apart(view) if (x, y) not in known]
    return _picture_layout(
        view.variables, studies, lines, union_ties(view, lines), [*drawn, *others[: max(0, _MOST_COURSES - len(drawn))]]
    )


def graph_layout(names: Sequence[str], lines: Sequence[Line]) -> PictureLayout:
    """The layout of one graph that belongs to no answer."""
    drawn = [(line.x, line.y, line.second) for line in _by_share(lines)]
    return _picture_layout(names, [0] * len(names), lines, graph_ties(lines), drawn)


def joint_layout(views: Sequence[View]) -> tuple[tuple[str, ...], PictureLayout]:
    """One layout for several answers, perhaps about other variables, and the names of all variables in its order.

    Where they differ about a pair, the first goes before. Boxes have no room for letters of studies.
    """
    names = tuple(sorted({name for view in views for name in view.variables}))
    lines: dict[tuple[int, int], Line] = {}
    ties: dict[tuple[int, int], Tie] = {}
    for view in views:
        at = [names.index(name) for name in view.variables]
        own = most_frequent(union_lines(view), len(view.variables))
        for line in own:
            moved = replace(line, x=at[line.x], y=at[line.y])
            lines.setdefault(moved.pair, moved)
        for tie in union_ties(view, own):
            upper, lower = at[tie.upper], at[tie.lower]
            ties.setdefault((min(upper, lower), max(upper, lower)), replace(tie, upper=upper, lower=lower))
    drawn = [(line.x, line.y, False) for line in _by_share(list(lines.values()))]
    return names, _picture_layout(names, [0] * len(names), list(lines.values()), list(ties.values()), drawn)


def _by_share(lines: Sequence[Line]) -> list[Line]:
    """The most frequent first, since they get the straightest ways."""
    return sorted(lines, key=lambda line: (-line.share, line.pair, line.second))


def _picture_layout(
    names: Sequence[str],
    studies: Sequence[int],
    lines: Sequence[Line],
    ties: Sequence[Tie],
    drawn: Sequence[tuple[int, int, bool]],
) -> PictureLayout:
    texts = [wrapped(name) for name in names]
    joined = Counter(v for line in lines for v in (line.x, line.y))
    sizes = [_size(text, own, joined[v]) for v, (text, own) in enumerate(zip(texts, studies, strict=True))]
    layout, scale = _readable(sizes, ties)
    boxes = tuple(
        Box(place.x, place.y, place.width, place.height, text) for place, text in zip(layout.places, texts, strict=True)
    )
    return PictureLayout(boxes, tuple(_courses(layout, drawn)), scale)


def _courses(layout: Layout, drawn: Sequence[tuple[int, int, bool]]) -> Iterator[Course]:
    router = Router(layout, drawn)
    for a, b, second in drawn:
        x, y = min(a, b), max(a, b)
        curves = router.route(x, y, second).curves
        points = (curves[0][0], *(point for curve in curves for point in curve[1:]))
        yield Course(x, y, tuple((round(px, 1), round(py, 1)) for px, py in points), second)


def _size(lines: Sequence[str], studies: int, joined: int) -> tuple[float, float]:
    """The width and height of a box, with room for its name, its letters and the marks of so many lines."""
    badges = min(studies, BADGES_IN_ROW) * BADGE_STEP
    marks = min(joined, _MOST_MARKS) * _MARK
    wide = max(16 + max(width_of(line, NAME) for line in lines), 12 + badges, 16 + marks, 40)
    return math.ceil(wide), 10 + len(lines) * NAME * LEADING + math.ceil(studies / BADGES_IN_ROW) * BADGE_ROW


def _readable(sizes: Sequence[tuple[float, float]], ties: Sequence[Tie]) -> tuple[Layout, float]:
    """The first layout whose names can be read when all of it is on the screen, or the one where they are largest."""
    best: tuple[float, Layout, float] | None = None
    for scale in _SCALES:
        layout = layout_of([(scale * width, scale * height) for width, height in sizes], ties)
        across, down = (room / max(1.0, taken) for room, taken in zip(_SCREEN, layout.extent, strict=True))
        letters = NAME * scale * min(across, down)
        if best is None or letters > best[0]:
            best = letters, layout, scale
        if letters >= _READABLE:
            break
    assert best is not None
    return best[1:]
