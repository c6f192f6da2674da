"""What all figures of one answer share: its layout, what stands in the boxes, and how lines look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.errors import WeftError
from weft.report.layout import Place
from weft.report.lines import Line, most_frequent, union_lines
from weft.report.picture_layout import (
    BADGE,
    BADGE_ROW,
    BADGE_STEP,
    BADGES_IN_ROW,
    LEADING,
    NAME,
    Box,
    PictureLayout,
    graph_layout,
)
from weft.report.view import StudyView, View

if TYPE_CHECKING:
    from weft.report.canvas import Panel

INK, QUIET, BORDER, COMMON, OPEN = "#1b1f24", "#5a6472", "#aab3bf", "#b34700", "#2a7ab8"
STUDIES = ("#00765a", "#8a4374", "#4b5563", "#a8324a", "#5b4a9e", "#5f6b1a", "#2f7373", "#7d5a4a")
"""The colours of the page."""


def check_matplotlib() -> None:
    """Say what to install if matplotlib is not there."""
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise WeftError("a figure needs the package 'matplotlib'; install weft[figures]") from None


# -- boxes and lines ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Measured:
    """The studies that measured a variable, and those in which the experimenter set it."""

    studies: tuple[int, ...] = ()
    was_set: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Scene:
    """Everything that all figures of one view share."""

    layout: PictureLayout
    measured: tuple[Measured, ...]
    studies: tuple[StudyView, ...]
    lines: tuple[Line, ...]
    """The lines of the union that are drawn."""
    left_out: int


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
    every = union_lines(view)
    lines = most_frequent(every, len(view.variables))
    measured = tuple(_measured(view, v) for v in range(len(view.variables)))
    return Scene(view.layout, measured, view.studies, lines, len(every) - len(lines))


def _measured(view: View, v: int) -> Measured:
    return Measured(
        tuple(i for i, study in enumerate(view.studies) if v in study.variables),
        frozenset(i for i, study in enumerate(view.studies) if v in study.was_set),
    )


def scene_of_graph(names: Sequence[str], lines: Sequence[Line]) -> Scene:
    """The scene of one graph that belongs to no answer."""
    check_matplotlib()
    return Scene(graph_layout(names, lines), (Measured(),) * len(names), (), tuple(lines), 0)


# -- how lines look ----------------------------------------------------------------------------------------------------


def union_style(line: Line) -> tuple[float, str, bool]:
    """Width, colour and whether it is dashed: the wider, the surer; the darker, the more structures have it."""
    # What is in all structures is darker than all else, on paper too.
    colour, least = (COMMON, 0.3) if line.bidirected else (INK, 0.4)
    return (
        0.9 + 1.9 * line.sure,
        colour if line.certain else lighter(colour, least + 0.3 * (1 - line.share)),
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
    layout = scene.layout
    for one in sorted(drawn, key=lambda one: (one.line.certain, one.line.share)):
        line = one.line
        panel.line(
            layout.route(line.x, line.y, line.second),
            (layout.boxes[line.x], layout.boxes[line.y]),
            (line.mark_x, line.mark_y),
            width=one.width,
            colour=one.colour,
            dashed=one.dashed,
            name=f"edge-{line.x}-{line.y}{'-second' if line.second else ''}",
            order=2.5 if line.certain else 2,
            pen=layout.pen,
        )
    for v, (box, measured) in enumerate(zip(layout.boxes, scene.measured, strict=True)):
        _draw_box(panel, v, box, measured, layout.scale)


def _draw_box(panel: Panel, v: int, box: Box, measured: Measured, scale: float) -> None:
    panel.box(box, fill="white", edge=BORDER, width=1.2, name=f"vertex-{v}")
    step = scale * NAME * LEADING
    y = box.top + 5 * scale + step / 2
    for i, text in enumerate(box.lines):
        panel.text(box.x, y + i * step, text, scale * NAME, colour=INK, where="center", name=f"name-{v}-{i}")
    top = box.top + len(box.lines) * step + scale * (6 + BADGE / 2)
    for i, study in enumerate(measured.studies):
        row, column = divmod(i, BADGES_IN_ROW)
        in_row = min(BADGES_IN_ROW, len(measured.studies) - row * BADGES_IN_ROW)
        draw_badge(
            panel,
            box.x + scale * BADGE_STEP * (column - (in_row - 1) / 2),
            top + scale * BADGE_ROW * row,
            study,
            outlined=study in measured.was_set,
            scale=scale,
            name=f"badge-{v}-{study}",
        )


def draw_badge(
    panel: Panel, x: float, y: float, study: int, *, outlined: bool, scale: float = 1.0, name: str = ""
) -> None:
    """A square with the letter of a study; white if the experimenter set the variable there."""
    colour = STUDIES[study % len(STUDIES)]
    panel.box(
        Place(x, y, scale * BADGE, scale * BADGE),
        fill="white" if outlined else colour,
        edge=colour,
        width=0.8,
        radius=2 * scale,
        name=name,
        order=5,
    )
    panel.text(x, y, letter(study), 7.0 * scale, colour=colour if outlined else "white", bold=True, where="center")
