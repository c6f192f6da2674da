"""What graphs are drawn on: the one file that knows how matplotlib draws boxes, text and lines with marks.

Nothing here goes through pyplot, so that no window opens and no figure stays in memory. Text from data is text: never a
formula, whatever dollars are in it. Import it where something is drawn, since it loads matplotlib.
"""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache, lru_cache

import matplotlib
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon
from matplotlib.path import Path
from matplotlib.text import Text
from matplotlib.textpath import text_to_path

from weft.graphs.mixed import Mark
from weft.report.layout import Place
from weft.report.names import printable
from weft.report.routes import Route, clears, further

POINTS = 72
"""In an inch."""
_DPI, _MOST_PIXELS = 200, 8000
_BORDER = 0.6
"""Half of the line around a box."""
_FALLBACKS = (
    "Noto Sans CJK JP", "Noto Sans CJK SC", "Noto Sans", "WenQuanYi Zen Hei", "Hiragino Sans", "PingFang SC",
    "Microsoft YaHei", "Arial Unicode MS",
)  # fmt: skip
"""Fonts for scripts that matplotlib's own font lacks, if they are installed."""


class Picture(Figure):
    """A matplotlib figure that also shows itself in a notebook where pyplot was never imported."""

    def _repr_png_(self) -> bytes:
        return content_of(self, "png", dpi=self.dpi)


def new_picture(width: float, height: float) -> Picture:
    """An empty white figure, its size in points."""
    return Picture(figsize=(width / POINTS, height / POINTS), dpi=100, facecolor="white")


def content_of(figure: Figure, ending: str, title: str = "", dpi: float = _DPI) -> bytes:
    """The figure as a file; the same figure gives the same bytes.

    Text in SVG and PDF stays text that can be searched and edited.
    """
    content = io.BytesIO()
    dates = {"svg": {"Date": None}, "pdf": {"CreationDate": None}}.get(ending, {})
    named = {"Title": printable(title)} if title and ending != "png" else {}
    dpi = min(dpi, _MOST_PIXELS / max(figure.get_size_inches()))
    with (
        matplotlib.rc_context(
            {"svg.fonttype": "none", "svg.hashsalt": "weft", "pdf.fonttype": 42, "savefig.bbox": None}
        ),
        _missing_glyphs(),
    ):
        figure.savefig(content, format=ending, dpi=dpi, metadata=dates | named)
    return content.getvalue()


@contextmanager
def _missing_glyphs() -> Iterator[None]:
    """A sign that no installed font has is drawn as a box; a warning for each would help nobody."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="(Glyph|Matplotlib currently does not support)")
        yield


# -- text --------------------------------------------------------------------------------------------------------------


@cache
def _families() -> tuple[str, ...]:
    installed = {font.name for font in fontManager.ttflist}
    return ("DejaVu Sans", *(name for name in _FALLBACKS if name in installed), "sans-serif")


@cache
def _font(size: float, bold: bool) -> FontProperties:
    return FontProperties(family=list(_families()), size=size, weight="bold" if bold else "normal")


@lru_cache(maxsize=20_000)
def text_width(text: str, size: float, bold: bool = False) -> float:
    """How wide a text is, in points."""
    with _missing_glyphs():
        width, _, _ = text_to_path.get_text_width_height_descent(text, _font(size, bold), ismath=False)
    return float(width)


# -- drawing -----------------------------------------------------------------------------------------------------------


class Panel:
    """A part of a figure with coordinates of its own: points, x to the right and y down.

    Parameters
    ----------
    figure
        Where it is.
    frame
        Its left and upper side, its width and height, in points of the figure.
    origin
        Which of its own coordinates its left upper corner has.
    scale
        How large a point of its own is on the figure.
    prefix
        What the ids of its parts begin with.
    """

    def __init__(
        self,
        figure: Figure,
        frame: tuple[float, float, float, float],
        origin: tuple[float, float] = (0.0, 0.0),
        scale: float = 1.0,
        prefix: str = "",
    ) -> None:
        left, top, width, height = frame
        wide, high = figure.get_size_inches() * POINTS
        self.axes: Axes = figure.add_axes((left / wide, 1 - (top + height) / high, width / wide, height / high))
        self.axes.set_axis_off()
        self.axes.set_xlim(origin[0], origin[0] + width / scale)
        self.axes.set_ylim(origin[1] + height / scale, origin[1])
        self.scale, self.prefix = scale, prefix

    def _id(self, name: str) -> str | None:
        return f"{self.prefix}{name}" if name else None

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float,
        *,
        colour: str,
        bold: bool = False,
        where: str = "left",
        name: str = "",
    ) -> Text:
        """A line of text whose middle is at the height y."""
        drawn = self.axes.text(
            x, y + 0.36 * size, text,
            fontproperties=_font(size * self.scale, bold), color=colour, ha=where, va="baseline",
            parse_math=False, usetex=False, clip_on=False, zorder=6, gid=self._id(name),
        )  # fmt: skip
        return drawn

    def box(
        self,
        place: Place,
        *,
        fill: str,
        edge: str,
        width: float = 1.0,
        radius: float = 5.0,
        name: str = "",
        order: float = 4,
    ) -> FancyBboxPatch:
        """A box with rounded corners."""
        patch = FancyBboxPatch(
            (place.left, place.top), place.width, place.height,
            boxstyle=f"round,pad=0,rounding_size={radius}",
            facecolor=fill, edgecolor=edge, linewidth=width * self.scale,
            clip_on=False, zorder=order, gid=self._id(name),
        )  # fmt: skip
        self.axes.add_artist(patch)
        return patch

    def line(
        self,
        route: Route,
        ends: tuple[Place, Place] | None,
        marks: tuple[Mark, Mark],
        *,
        width: float,
        colour: str,
        dashed: bool,
        name: str = "",
        order: float = 2,
        pen: float = 1.0,
    ) -> None:
        """A line from box to box (or all along the route, without boxes), and the marks at its ends.

        The width, and marks and dashes with it, are in units of the pen.
        """
        back = route.reversed()
        first = _end(route, ends[0] if ends else None, marks[0], width, pen)
        second = _end(back, ends[1] if ends else None, marks[1], width, pen)
        shaft = route.between(first.inner, len(route.curves) - second.inner)
        self.axes.add_artist(  # which leaves the limits alone, and is quicker than add_patch
            PathPatch(
                _path(shaft), fill=False, edgecolor=colour, linewidth=width * pen * self.scale,
                # matplotlib gives dashes in widths of the line
                linestyle=(0, (4.5 / width, 3.2 / width)) if dashed else "solid",
                capstyle="butt", joinstyle="round", clip_on=False, zorder=order, gid=self._id(name),
            )
        )  # fmt: skip
        for end, which in ((first, "x"), (second, "y")):
            if end.mark in (Mark.ARROW, Mark.CIRCLE):
                patch = (
                    self._arrowhead(end, colour) if end.mark == Mark.ARROW else self._circle(end, width, colour, pen)
                )
                patch.set(clip_on=False, zorder=order + 1, gid=self._id(f"{name}-at-{which}" if name else ""))
                self.axes.add_artist(patch)

    def _arrowhead(self, end: _End, colour: str) -> Polygon:
        (x, y), (bx, by) = end.route.at(end.at), end.route.at(end.inner)
        nx, ny = 0.42 * (by - y), 0.42 * (x - bx)
        corners = [(x, y), (bx + nx, by + ny), (bx - nx, by - ny)]
        return Polygon(corners, closed=True, facecolor=colour, edgecolor=colour, linewidth=0.4 * self.scale)

    def _circle(self, end: _End, width: float, colour: str, pen: float) -> Circle:
        line = pen * min(1.6, 0.9 + 0.2 * width)
        radius = pen * _length(end.mark, width) / 2 - line / 2
        return Circle(end.route.at(end.at), radius, facecolor="white", edgecolor=colour, linewidth=line * self.scale)


@dataclass(frozen=True)
class _End:
    """The start of a route: where its mark is (a circle's middle, an arrowhead's tip), and where the line begins."""

    route: Route
    mark: Mark
    at: float
    inner: float


def _end(route: Route, box: Place | None, mark: Mark, width: float, pen: float) -> _End:
    length = pen * _length(mark, width)
    # A circle stands beside the box as a whole, an arrowhead touches its border.
    back = length / 2 if mark == Mark.CIRCLE else 0.0
    at = further(route, 0.0, back) if box is None else clears(route, box, back + _BORDER)
    return _End(route, mark, at, further(route, at, length - back))


def _length(mark: Mark, width: float) -> float:
    """What a mark takes of a line."""
    return {Mark.ARROW: 5.5 + 1.7 * width, Mark.CIRCLE: 5.6 + 0.7 * width}.get(mark, 0.0)


def _path(route: Route) -> Path:
    points: list[Sequence[float]] = [route.curves[0][0]]
    for curve in route.curves:
        points += curve[1:]
    return Path(points, [Path.MOVETO, *([Path.CURVE4] * (len(points) - 1))])
