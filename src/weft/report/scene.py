"""What all figures of one answer share: boxes, where they stand, how lines run and look."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.errors import WeftError
from weft.report.layout import Layout, Place, layout_of
from weft.report.lines import Line, graph_ties, union_lines, union_ties
from weft.report.routes import Route, Router
from weft.report.view import StudyView, View

if TYPE_CHECKING:
    from weft.report.canvas import Panel

INK, QUIET, BORDER, COMMON, OPEN = "#1b1f24", "#5a6472", "#aab3bf", "#b34700", "#2a7ab8"
STUDIES = ("#0067a5", "#b34700", "#00765a", "#8a4374", "#7a5a00", "#4b5563", "#2f6f8f", "#a8324a")
"""The colours of the page."""
NAME = 10.0
"""The size of a variable's name."""
BADGE = 10.0
"""The size of a study's letter in its square."""
_LEADING, _BADGES_IN_ROW = 1.25, 8
_MARK, _MOST_MARKS = 9.0, 10
"""The room for the mark of a line at a box, and for how many of them a box is made wider."""
_WIDEST, _MOST_LINES = 20, 4
"""Characters on a line of a name, and how many lines it has."""
_CROWDED, _LINES_A_VARIABLE = 60, 2
"""If there are more lines than that, and than so many for each variable, the rarest are left out."""


def check_matplotlib() -> None:
    """Say what to install if matplotlib is not there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise WeftError("a figure needs the package 'matplotlib'; install weft[figures]") from None


# -- boxes, places and lines -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Node:
    """What stands in a box."""

    lines: tuple[str, ...]
    studies: tuple[int, ...] = ()
    was_set: frozenset[int] = frozenset()
    """The studies in which the experimenter set it."""

    @property
    def badge_rows(self) -> int:
        """How many rows of letters there are."""
        return math.ceil(len(self.studies) / _BADGES_IN_ROW)

    def size(self, joined: int) -> tuple[float, float]:
        """The width and height of the box, with room for the marks of so many lines."""
        from weft.report.canvas import text_width

        badges = min(len(self.studies), _BADGES_IN_ROW) * (BADGE + 2)
        marks = min(joined, _MOST_MARKS) * _MARK
        wide = max(16 + max(text_width(line, NAME) for line in self.lines), 12 + badges, 16 + marks, 40)
        return math.ceil(wide), 10 + len(self.lines) * NAME * _LEADING + self.badge_rows * (BADGE + 2.5)


@dataclass(frozen=True)
class Scene:
    """Everything that all figures of one view share."""

    nodes: tuple[Node, ...]
    studies: tuple[StudyView, ...]
    layout: Layout
    lines: tuple[Line, ...]
    """The lines of the union that are drawn."""
    left_out: int
    router: Router

    def route(self, line: Line) -> Route:
        """How a line runs: the same way in every figure."""
        return self.router.route(line.x, line.y, line.second)


@dataclass(frozen=True)
class Drawn:
    """A line and how it is drawn."""

    line: Line
    width: float
    colour: str
    dashed: bool


def scene_of(view: View) -> Scene:
    """The scene of the union of all structures."""
    check_matplotlib()
    nodes = tuple(
        Node(
            wrapped(name),
            tuple(i for i, study in enumerate(view.studies) if v in study.variables),
            frozenset(i for i, study in enumerate(view.studies) if v in study.was_set),
        )
        for v, name in enumerate(view.variables)
    )
    every = union_lines(view)
    lines = _most_frequent(every, max(_CROWDED, _LINES_A_VARIABLE * len(nodes)))
    layout = layout_of(_sizes(nodes, lines), union_ties(view, lines))
    return Scene(nodes, view.studies, layout, lines, len(every) - len(lines), _router(layout, lines))


def scene_of_graph(names: Sequence[str], lines: Sequence[Line]) -> Scene:
    """The scene of one graph that belongs to no answer."""
    check_matplotlib()
    nodes = tuple(Node(wrapped(name)) for name in names)
    layout = layout_of(_sizes(nodes, lines), graph_ties(lines))
    return Scene(nodes, (), layout, tuple(lines), 0, _router(layout, lines))


def _sizes(nodes: Sequence[Node], lines: Sequence[Line]) -> list[tuple[float, float]]:
    joined = Counter(v for line in lines for v in (line.x, line.y))
    return [node.size(joined[v]) for v, node in enumerate(nodes)]


def _router(layout: Layout, lines: Sequence[Line]) -> Router:
    """The routes of the union, the most frequent lines first."""
    ordered = sorted(lines, key=lambda line: (-line.share, line.pair, line.second))
    return Router(layout, [(line.x, line.y, line.second) for line in ordered])


def _most_frequent(lines: Sequence[Line], most: int) -> tuple[Line, ...]:
    """The certain lines, and so many others that a figure can show; those with the same share stay or go together."""
    if len(lines) <= most:
        return tuple(lines)
    limit = sorted((line.share for line in lines), reverse=True)[most]
    return tuple(line for line in lines if line.certain or line.share > limit)


def wrapped(name: str) -> tuple[str, ...]:
    """A name on a few lines, broken where words end; of a very long one the middle is left out.

    >>> wrapped("concentration_of_high_sensitivity_C_reactive_protein")
    ('concentration_of_', 'high_sensitivity_C_', 'reactive_protein')
    """
    from weft.report.canvas import printable

    text = whole = printable(name)
    keep = _WIDEST * _MOST_LINES
    while len(lines := _broken(text)) > _MOST_LINES:
        keep -= 1
        text = shortened(whole, keep)
    return tuple(lines)


def _broken(text: str) -> list[str]:
    lines: list[str] = []
    while len(text) > _WIDEST:
        window = text[: _WIDEST + 1]
        after = max(window.rfind(" "), *(window[:_WIDEST].rfind(sign) + 1 for sign in "_-/."))
        at = after if after > _WIDEST / 3 else _WIDEST
        lines.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*lines, text] if text else lines


def shortened(text: str, most: int) -> str:
    """A text without its middle, if it is longer than that: long names often differ at their ends.

    >>> shortened("concentration", 8)
    'conc…ion'
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"


# -- how lines look ----------------------------------------------------------------------------------------------------


def union_style(line: Line) -> tuple[float, str, bool]:
    """Width, colour and whether it is dashed: the wider and darker, the more structures have it."""
    colour = COMMON if line.bidirected else INK
    return (
        0.9 + 1.9 * line.share,
        colour if line.certain else lighter(colour, 0.3 + 0.3 * (1 - line.share)),
        not line.certain,
    )


def structure_style(line: Line) -> tuple[float, str, bool]:
    """The same for a line of one structure: dark and wide if all structures have it."""
    return (2.2, INK, False) if line.certain else (1.3, OPEN, False)


def lighter(colour: str, by: float) -> str:
    """A colour mixed with white; not see-through, since crossings would be darker.

    >>> lighter("#000000", 0.5)
    '#808080'
    """
    parts = (int(colour[i : i + 2], 16) for i in (1, 3, 5))
    return "#" + "".join(f"{round(part + (255 - part) * by):02x}" for part in parts)


def letter(study: int) -> str:
    """What a study is called in figures: A, B, ..., Z, then 27, 28.

    >>> letter(1), letter(26)
    ('B', '27')
    """
    return chr(65 + study) if study < 26 else str(study + 1)


# -- drawing -----------------------------------------------------------------------------------------------------------


def draw_graph(panel: Panel, scene: Scene, drawn: Sequence[Drawn]) -> None:
    """Draw the lines, and the boxes over them."""
    places = scene.layout.places
    for one in sorted(drawn, key=lambda one: (one.line.certain, one.line.share)):
        line = one.line
        panel.line(
            scene.route(line),
            (places[line.x], places[line.y]),
            (line.mark_x, line.mark_y),
            width=one.width,
            colour=one.colour,
            dashed=one.dashed,
            name=f"edge-{line.x}-{line.y}{'-second' if line.second else ''}",
            order=2.5 if line.certain else 2,
        )
    for v, (node, place) in enumerate(zip(scene.nodes, places, strict=True)):
        _draw_node(panel, v, node, place)


def _draw_node(panel: Panel, v: int, node: Node, place: Place) -> None:
    panel.box(place, fill="white", edge=BORDER, width=1.2, name=f"vertex-{v}")
    step = NAME * _LEADING
    y = place.top + 5 + step / 2
    for i, text in enumerate(node.lines):
        panel.text(place.x, y + i * step, text, NAME, colour=INK, where="center", name=f"name-{v}-{i}")
    top = place.top + 5 + len(node.lines) * step + 1 + BADGE / 2
    for row in range(node.badge_rows):
        own = node.studies[row * _BADGES_IN_ROW : (row + 1) * _BADGES_IN_ROW]
        left = place.x - (len(own) - 1) / 2 * (BADGE + 2)
        for i, study in enumerate(own):
            draw_badge(
                panel,
                left + i * (BADGE + 2),
                top + row * (BADGE + 2.5),
                study,
                outlined=study in node.was_set,
                name=f"badge-{v}-{study}",
            )


def draw_badge(panel: Panel, x: float, y: float, study: int, *, outlined: bool, name: str = "") -> None:
    """A square with the letter of a study; white if the experimenter set the variable there."""
    colour = STUDIES[study % len(STUDIES)]
    panel.box(
        Place(x, y, BADGE, BADGE),
        fill="white" if outlined else colour,
        edge=colour,
        width=0.8,
        radius=2,
        name=name,
        order=5,
    )
    panel.text(x, y, letter(study), 7.0, colour=colour if outlined else "white", bold=True, where="center")
