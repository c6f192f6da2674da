"""What stands around a drawing: the heading above it, and below it what lines and letters mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from weft.graphs.mixed import Mark
from weft.report.lines import Line
from weft.report.names import printable, shortened
from weft.report.picture_layout import BADGE
from weft.report.routes import straight
from weft.report.scene import COMMON, INK, OPEN, QUIET, Drawn, Scene, draw_badge, lighter
from weft.report.view import View

if TYPE_CHECKING:
    from weft.report.canvas import Panel

TITLE, HEADLINE, SMALL = 13.0, 10.0, 8.5
"""Sizes of text."""


@dataclass(frozen=True)
class Said:
    """A sentence above the drawing."""

    text: str
    size: float
    colour: str
    bold: bool = False


def heading_of(view: View, notes: Sequence[str]) -> list[Said]:
    """The title, the headline and the notes of a view."""
    return [
        Said(view.title, TITLE, INK, bold=True),
        Said(view.headline, HEADLINE, INK),
        *(Said(note, SMALL, QUIET) for note in notes),
    ]


@dataclass(frozen=True)
class Key:
    """A sample of a line, or of a study's badge, and what it means."""

    text: str
    line: Drawn | None = None
    study: int | None = None
    outlined: bool = False


def _sample(mark_x: Mark, mark_y: Mark, width: float, colour: str = INK, dashed: bool = False) -> Drawn:
    return Drawn(Line(0, 1, mark_x, mark_y), width, colour, dashed)


def _mark_keys(lines: Sequence[Line], circle: str, common: str, colour: str) -> list[Key]:
    """What the marks mean that occur."""
    marks = {(line.mark_x, line.mark_y) for line in lines}
    keys: list[Key] = []
    if (Mark.TAIL, Mark.ARROW) in marks:
        keys.append(Key("causes", _sample(Mark.TAIL, Mark.ARROW, 1.6)))
    if (Mark.ARROW, Mark.ARROW) in marks:
        keys.append(Key(common, _sample(Mark.ARROW, Mark.ARROW, 1.6, colour)))
    if (Mark.TAIL, Mark.TAIL) in marks:
        keys.append(Key("no arrowhead: selection", _sample(Mark.TAIL, Mark.TAIL, 1.6)))
    if any(Mark.CIRCLE in both for both in marks):
        keys.append(Key(circle, _sample(Mark.CIRCLE, Mark.TAIL, 1.6)))
    return keys


_MORE = "the wider, the more structures have it"
_NEITHER = "common cause, neither causes the other"


def union_key(lines: Sequence[Line]) -> list[Key]:
    """What the lines of a union mean."""
    some = _sample(Mark.NONE, Mark.NONE, 1.8, lighter(INK, 0.4), dashed=True)
    keys = _certain_keys(lines, Key("in all structures", _sample(Mark.NONE, Mark.NONE, 2.8)), Key("in some", some))
    if len({line.sure for line in lines}) > 1:
        wide = Key("the wider, the surer that there is an edge", _sample(Mark.NONE, Mark.NONE, 2.8))
        keys.append(wide if any(line.confidence is not None for line in lines) else replace(wide, text=_MORE))
    return keys + _mark_keys(lines, "circle: arrowhead in some, tail in others", _NEITHER, COMMON)


def structure_key(lines: Sequence[Line]) -> list[Key]:
    """What the lines of one structure, or of one PAG, mean."""
    is_pag = any(Mark.CIRCLE in (line.mark_x, line.mark_y) for line in lines)
    keys = _certain_keys(
        lines,
        Key("joined in all structures" if is_pag else "in all structures", _sample(Mark.NONE, Mark.NONE, 2.2)),
        Key("joined in some" if is_pag else "in this one, not in all", _sample(Mark.NONE, Mark.NONE, 1.3, OPEN)),
    )
    return keys + _mark_keys(lines, "circle: arrowhead or tail, no test can tell", _NEITHER, INK)


def _certain_keys(lines: Sequence[Line], certain: Key, possible: Key) -> list[Key]:
    return [key for key, holds in ((certain, True), (possible, False)) if any(one.certain == holds for one in lines)]


def plain_key(lines: Sequence[Line]) -> list[Key]:
    """What the lines of a graph mean that belongs to no answer."""
    return _mark_keys(lines, "circle: arrowhead or tail", "common cause", COMMON)


def study_keys(scene: Scene) -> list[Key]:
    """What the letters mean."""
    keys = []
    for i, study in enumerate(scene.studies):
        rows = "" if study.rows is None else f" ({study.rows:,} rows)"
        keys.append(Key(f"{shortened(printable(study.name), 50)}{rows}", study=i))
    if any(one.was_set for one in scene.measured):
        first = next(i for one in scene.measured for i in sorted(one.was_set))
        keys.append(Key("white: set by the experimenter", study=first, outlined=True))
    return keys


_SAMPLE = 30.0
KEY_STEP = 15.0


def rows_of_keys(keys: Sequence[Key], width: float) -> list[list[tuple[float, Key]]]:
    """The keys in rows that fit, with where each begins."""
    from weft.report.canvas import text_width

    rows: list[list[tuple[float, Key]]] = []
    left = width
    for key in keys:
        wide = (_SAMPLE + 6 if key.line else BADGE + 5) + text_width(key.text, SMALL)
        if not rows or left + wide > width:
            rows.append([])
            left = 0.0
        rows[-1].append((left, key))
        left += wide + 16
    return rows


def draw_keys(panel: Panel, rows: Sequence[Sequence[tuple[float, Key]]]) -> None:
    """Draw what :func:`rows_of_keys` found."""
    for number, row in enumerate(rows):
        y = (number + 0.5) * KEY_STEP
        for left, key in row:
            start = left
            if key.line is not None:
                one = key.line
                panel.line(
                    straight((left, y), (left + _SAMPLE, y)),
                    None,
                    (one.line.mark_x, one.line.mark_y),
                    width=one.width,
                    colour=one.colour,
                    dashed=one.dashed,
                )
                start += _SAMPLE + 6
            elif key.study is not None:
                draw_badge(panel, left + BADGE / 2, y, key.study, outlined=key.outlined)
                start += BADGE + 5
            panel.text(start, y, key.text, SMALL, colour=INK)


def fitted(heading: Sequence[Said], width: float) -> list[Said]:
    """The sentences on as many lines as they need."""
    from weft.report.canvas import text_width

    found: list[Said] = []
    for said in heading:
        line = ""
        for word in printable(said.text).split(" "):
            word = shortened(word, 60)
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, said.size, said.bold) > width:
                found.append(Said(line, said.size, said.colour, said.bold))
                longer = word
            line = longer
        found.append(Said(line, said.size, said.colour, said.bold))
    return found


def heading_height(heading: Sequence[Said]) -> float:
    """The room that a heading takes."""
    return sum(said.size * 1.45 for said in heading) + (8 if heading else 0)


def draw_heading(panel: Panel, heading: Sequence[Said]) -> None:
    """Draw it."""
    y = 0.0
    for said in heading:
        panel.text(0, y + said.size * 0.72, said.text, said.size, colour=said.colour, bold=said.bold)
        y += said.size * 1.45
