"""A view as figures for papers and slides: the union of all structures, one structure, or many side by side.

The same picture as on the page: boxes with the letters of the studies that measured a variable, and lines with the
marks of the field. All figures of one view have the same places. Nothing is computed here but where things go.
"""

from __future__ import annotations

import math
import os
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.errors import WeftError
from weft.graphs.mixed import Mark, MixedGraph
from weft.report.layout import Layout, Place, layout_of
from weft.report.lines import Line, graph_lines, graph_ties, union_lines, union_ties
from weft.report.packed import bytes_of, unpack_mag
from weft.report.routes import Route, Router, straight
from weft.report.view import StudyView, View
from weft.solutions.result_file import check_target, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from weft.report.canvas import Panel

INK, QUIET, BORDER, COMMON, OPEN = "#1b1f24", "#5a6472", "#aab3bf", "#b34700", "#2a7ab8"
STUDIES = ("#0067a5", "#b34700", "#00765a", "#8a4374", "#7a5a00", "#4b5563", "#2f6f8f", "#a8324a")
"""The colours of the page."""
NAME, TITLE, HEADLINE, SMALL = 10.0, 13.0, 10.0, 8.5
"""Sizes of text."""
_LEADING = 1.25
_BADGE, _BADGES_IN_ROW = 10.0, 8
_MARK, _MOST_MARKS = 9.0, 10
"""The room for the mark of a line at a box, and for how many of them a box is made wider."""
_WIDEST, _MOST_LINES = 20, 4
_MARGIN = 14.0
_LEAST_WIDTH = 400.0
_CROWDED, _LINES_A_VARIABLE = 60, 2
"""If there are more lines than that, and than so many for each variable, the rarest are left out."""
MOST_PANELS = 100
"""On a sheet."""
KINDS = ("union", "structure", "sheet")


# -- the figures -------------------------------------------------------------------------------------------------------


def union_figure(view: View) -> Figure:
    """All structures laid over each other: a line for each pair that may have an edge.

    A solid, dark line is in all structures, a dashed and lighter one in some; the wider, the more. An end on which they
    differ is a circle.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> figure = union_figure(view_of(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), patience=0))
    >>> [text.get_text() for axes in figure.axes for text in axes.texts][:2]
    ['a and b', '2 consistent structures (MAGs) in 2 equivalence classes (PAGs).']
    """
    scene = _scene(view)
    drawn = [_Drawn(line, *_union_style(line)) for line in scene.lines]
    return _single(scene, drawn, _heading(view, _union_notes(view, scene)), _union_key)


def _union_notes(view: View, scene: _Scene) -> list[str]:
    """What must be said beside the headline."""
    if view.consistent is False:
        return []
    notes = []
    if view.consistent and not scene.lines:
        notes.append("No edge: all variables stand alone.")
    if not view.graphs.mags:
        notes.append("No structure was counted: a dashed line is one that was not ruled out.")
    elif not view.graphs.complete:
        notes.append(f"Widths are shares of the {view.graphs.mags:,} that were found; there may be more.")
    if not view.settled:
        notes.append("The time ran out before every pair was settled.")
    if scene.left_out:
        rarer = "1 rarer line is" if scene.left_out == 1 else f"{scene.left_out:,} rarer lines are"
        notes.append(f"{rarer} left out.")
    return notes


def graph_figure(graph: MixedGraph, view: View | None = None, *, title: str | None = None) -> Figure:
    """One graph: a MAG, a PAG, or any other.

    Parameters
    ----------
    graph
        What is drawn.
    view
        The answer that it belongs to: then it has the places of :func:`union_figure`, the letters of the studies, and
        edges that all structures have are dark.
    title
        What stands above it.

    Examples
    --------
    >>> figure = graph_figure(MixedGraph.parse("X o-> Y; Y <-> Z"), title="A PAG")
    >>> [patch.get_gid() for axes in figure.axes for patch in axes.patches if "-at-" in (patch.get_gid() or "")]
    ['edge-0-1-at-x', 'edge-0-1-at-y', 'edge-1-2-at-x', 'edge-1-2-at-y']
    """
    if view is not None and view.variables != graph.names:
        raise WeftError("the graph and the view have different variables; draw the graph alone")
    lines = graph_lines(graph, view)
    scene = _scene_of_graph(graph.names, lines) if view is None else _scene(view)
    heading = [_Said(text, TITLE, INK, bold=True) for text in ([title] if title else [])]
    if not lines:
        heading.append(_Said("No edge: all variables stand alone.", HEADLINE, QUIET))
    drawn = [_Drawn(line, *(_union_style(line) if view is None else _structure_style(line))) for line in lines]
    return _single(scene, drawn, heading, _plain_key if view is None else _structure_key)


def structure_figure(view: View, number: int) -> Figure:
    """One of the structures, counted from 1 in the order of the report."""
    if not view.graphs.mags:
        return union_figure(view)
    graph = structure(view, number)
    return graph_figure(graph, view, title=f"{view.title}: structure {number:,} of {_how_many(view)}")


def structure(view: View, number: int) -> MixedGraph:
    """One of the structures of a view, counted from 1."""
    if not 1 <= number <= view.graphs.mags:
        have = f"they are numbered from 1 to {view.graphs.mags:,}" if view.graphs.mags else "the result has none"
        raise WeftError(f"there is no structure {number:,}; {have}")
    return unpack_mag(view.variables, bytes_of(view.graphs.columns), view.graphs.planes, number - 1)


def _how_many(view: View) -> str:
    return f"{'' if view.graphs.complete else 'at least '}{view.graphs.mags:,}"


def sheet_figure(view: View, number: int = 12) -> Figure:
    """The first structures side by side, in the same places: edges that all structures have are dark."""
    if not 1 <= number <= MOST_PANELS:
        raise WeftError(f"a sheet of {number} structures; choose from 1 to {MOST_PANELS}")
    if not view.graphs.mags:
        return union_figure(view)
    shown = min(number, view.graphs.mags)
    scene = _scene(view)
    graphs = [graph_lines(structure(view, one), view) for one in range(1, shown + 1)]
    heading = _heading(
        view, [] if shown == view.graphs.mags else [f"The first {shown:,} of {_how_many(view)} are drawn."]
    )
    return _sheet(scene, graphs, heading)


def figure_of(view: View, kind: str = "union", number: int | None = None) -> Figure:
    """One of the :data:`KINDS` of figures.

    Parameters
    ----------
    view
        What is shown.
    kind
        ``union``, ``structure`` or ``sheet``.
    number
        Which structure is drawn (the first if not given), or how many are on the sheet (12).
    """
    if kind == "union":
        return union_figure(view)
    if kind == "structure":
        return structure_figure(view, 1 if number is None else number)
    if kind == "sheet":
        return sheet_figure(view, 12 if number is None else number)
    raise WeftError(f"there is no figure of the kind {kind!r}; choose one of {', '.join(KINDS)}")


def write_figure(figure: Figure, path: str | os.PathLike[str], title: str = "") -> None:
    """Write a figure as .png, .svg or .pdf, as its name says; it is there as a whole or not at all."""
    from weft.report.canvas import content_of

    check_file(path)
    write_whole(path, content_of(figure, os.fspath(path).lower().rpartition(".")[2], title))


def check_file(path: str | os.PathLike[str]) -> None:
    """Refuse a name or a place that no figure can be written to, and say if matplotlib is not there."""
    from weft.report.pair_figure import check_name

    check_name(path)
    check_target(path)
    _check_matplotlib()


def _check_matplotlib() -> None:
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise WeftError("a figure needs the package 'matplotlib'; install weft[figures]") from None


# -- boxes, places and lines -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Node:
    """What stands in a box."""

    lines: tuple[str, ...]
    studies: tuple[int, ...] = ()
    was_set: frozenset[int] = frozenset()
    """The studies in which the experimenter set it."""

    @property
    def badge_rows(self) -> int:
        return math.ceil(len(self.studies) / _BADGES_IN_ROW)

    def size(self, joined: int) -> tuple[float, float]:
        """The width and height of the box, with room for the marks of so many lines."""
        from weft.report.canvas import text_width

        badges = min(len(self.studies), _BADGES_IN_ROW) * (_BADGE + 2)
        marks = min(joined, _MOST_MARKS) * _MARK
        wide = max(16 + max(text_width(line, NAME) for line in self.lines), 12 + badges, 16 + marks, 40)
        return math.ceil(wide), 10 + len(self.lines) * NAME * _LEADING + self.badge_rows * (_BADGE + 2.5)


@dataclass(frozen=True)
class _Scene:
    """Everything that all figures of one view share."""

    nodes: tuple[_Node, ...]
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
class _Drawn:
    """A line and how it is drawn."""

    line: Line
    width: float
    colour: str
    dashed: bool


def _scene(view: View) -> _Scene:
    _check_matplotlib()
    nodes = tuple(
        _Node(
            wrapped(name),
            tuple(i for i, study in enumerate(view.studies) if v in study.variables),
            frozenset(i for i, study in enumerate(view.studies) if v in study.was_set),
        )
        for v, name in enumerate(view.variables)
    )
    every = union_lines(view)
    lines = _most_frequent(every, max(_CROWDED, _LINES_A_VARIABLE * len(nodes)))
    layout = layout_of(_sizes(nodes, lines), union_ties(view, lines))
    return _Scene(nodes, view.studies, layout, lines, len(every) - len(lines), _router(layout, lines))


def _scene_of_graph(names: Sequence[str], lines: Sequence[Line]) -> _Scene:
    _check_matplotlib()
    nodes = tuple(_Node(wrapped(name)) for name in names)
    layout = layout_of(_sizes(nodes, lines), graph_ties(lines))
    return _Scene(nodes, (), layout, tuple(lines), 0, _router(layout, lines))


def _sizes(nodes: Sequence[_Node], lines: Sequence[Line]) -> list[tuple[float, float]]:
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


def _union_style(line: Line) -> tuple[float, str, bool]:
    colour = COMMON if line.bidirected else INK
    return (
        0.9 + 1.9 * line.share,
        colour if line.certain else _lighter(colour, 0.3 + 0.3 * (1 - line.share)),
        not line.certain,
    )


def _structure_style(line: Line) -> tuple[float, str, bool]:
    return (2.2, INK, False) if line.certain else (1.3, OPEN, False)


def _lighter(colour: str, by: float) -> str:
    """A colour mixed with white; not see-through, since crossings would be darker.

    >>> _lighter("#000000", 0.5)
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


def _draw_graph(panel: Panel, scene: _Scene, drawn: Sequence[_Drawn]) -> None:
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


def _draw_node(panel: Panel, v: int, node: _Node, place: Place) -> None:
    panel.box(place, fill="white", edge=BORDER, width=1.2, name=f"vertex-{v}")
    step = NAME * _LEADING
    y = place.top + 5 + step / 2
    for i, text in enumerate(node.lines):
        panel.text(place.x, y + i * step, text, NAME, colour=INK, where="center", name=f"name-{v}-{i}")
    top = place.top + 5 + len(node.lines) * step + 1 + _BADGE / 2
    for row in range(node.badge_rows):
        own = node.studies[row * _BADGES_IN_ROW : (row + 1) * _BADGES_IN_ROW]
        left = place.x - (len(own) - 1) / 2 * (_BADGE + 2)
        for i, study in enumerate(own):
            _draw_badge(
                panel,
                left + i * (_BADGE + 2),
                top + row * (_BADGE + 2.5),
                study,
                outlined=study in node.was_set,
                name=f"badge-{v}-{study}",
            )


def _draw_badge(panel: Panel, x: float, y: float, study: int, *, outlined: bool, name: str = "") -> None:
    """A square with the letter of a study; white if the experimenter set the variable there."""
    colour = STUDIES[study % len(STUDIES)]
    panel.box(
        Place(x, y, _BADGE, _BADGE),
        fill="white" if outlined else colour,
        edge=colour,
        width=0.8,
        radius=2,
        name=name,
        order=5,
    )
    panel.text(x, y, letter(study), 7.0, colour=colour if outlined else "white", bold=True, where="center")


# -- around the drawing ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Said:
    """A sentence above the drawing."""

    text: str
    size: float
    colour: str
    bold: bool = False


def _heading(view: View, notes: Sequence[str]) -> list[_Said]:
    return [
        _Said(view.title, TITLE, INK, bold=True),
        _Said(view.headline, HEADLINE, INK),
        *(_Said(note, SMALL, QUIET) for note in notes),
    ]


@dataclass(frozen=True)
class _Key:
    """A sample of a line, or of a study's badge, and what it means."""

    text: str
    line: _Drawn | None = None
    study: int | None = None
    outlined: bool = False


def _sample(mark_x: Mark, mark_y: Mark, width: float, colour: str = INK, dashed: bool = False) -> _Drawn:
    return _Drawn(Line(0, 1, mark_x, mark_y), width, colour, dashed)


def _mark_keys(lines: Sequence[Line], circle: str, common: str, colour: str) -> list[_Key]:
    """What the marks mean that occur."""
    marks = {(line.mark_x, line.mark_y) for line in lines}
    keys: list[_Key] = []
    if (Mark.TAIL, Mark.ARROW) in marks:
        keys.append(_Key("causes", _sample(Mark.TAIL, Mark.ARROW, 1.6)))
    if (Mark.ARROW, Mark.ARROW) in marks:
        keys.append(_Key(common, _sample(Mark.ARROW, Mark.ARROW, 1.6, colour)))
    if (Mark.TAIL, Mark.TAIL) in marks:
        keys.append(_Key("no arrowhead: selection", _sample(Mark.TAIL, Mark.TAIL, 1.6)))
    if any(Mark.CIRCLE in both for both in marks):
        keys.append(_Key(circle, _sample(Mark.CIRCLE, Mark.TAIL, 1.6)))
    return keys


_NEITHER = "common cause, neither causes the other"


def _union_key(lines: Sequence[Line]) -> list[_Key]:
    some = _sample(Mark.NONE, Mark.NONE, 1.8, _lighter(INK, 0.4), dashed=True)
    keys = _certain_keys(
        lines, _Key("in all structures", _sample(Mark.NONE, Mark.NONE, 2.8)), _Key("in some; the wider, the more", some)
    )
    return keys + _mark_keys(lines, "circle: arrowhead in some, tail in others", _NEITHER, COMMON)


def _structure_key(lines: Sequence[Line]) -> list[_Key]:
    is_pag = any(Mark.CIRCLE in (line.mark_x, line.mark_y) for line in lines)
    keys = _certain_keys(
        lines,
        _Key("joined in all structures" if is_pag else "in all structures", _sample(Mark.NONE, Mark.NONE, 2.2)),
        _Key("joined in some" if is_pag else "in this one, not in all", _sample(Mark.NONE, Mark.NONE, 1.3, OPEN)),
    )
    return keys + _mark_keys(lines, "circle: arrowhead or tail, no test can tell", _NEITHER, INK)


def _certain_keys(lines: Sequence[Line], certain: _Key, possible: _Key) -> list[_Key]:
    return [key for key, holds in ((certain, True), (possible, False)) if any(one.certain == holds for one in lines)]


def _plain_key(lines: Sequence[Line]) -> list[_Key]:
    return _mark_keys(lines, "circle: arrowhead or tail", "common cause", COMMON)


def _study_keys(scene: _Scene) -> list[_Key]:
    keys = []
    for i, study in enumerate(scene.studies):
        rows = "" if study.rows is None else f" ({study.rows:,} rows)"
        keys.append(_Key(f"{shortened(_printable(study.name), 50)}{rows}", study=i))
    if any(node.was_set for node in scene.nodes):
        first = next(i for node in scene.nodes for i in sorted(node.was_set))
        keys.append(_Key("white: set by the experimenter", study=first, outlined=True))
    return keys


def _printable(text: str) -> str:
    from weft.report.canvas import printable

    return printable(text)


_SAMPLE = 30.0
_KEY_STEP = 15.0


def _rows_of_keys(keys: Sequence[_Key], width: float) -> list[list[tuple[float, _Key]]]:
    """The keys in rows that fit, with where each begins."""
    from weft.report.canvas import text_width

    rows: list[list[tuple[float, _Key]]] = []
    left = width
    for key in keys:
        wide = (_SAMPLE + 6 if key.line else _BADGE + 5) + text_width(key.text, SMALL)
        if not rows or left + wide > width:
            rows.append([])
            left = 0.0
        rows[-1].append((left, key))
        left += wide + 16
    return rows


def _draw_keys(panel: Panel, rows: Sequence[Sequence[tuple[float, _Key]]]) -> None:
    for number, row in enumerate(rows):
        y = (number + 0.5) * _KEY_STEP
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
                _draw_badge(panel, left + _BADGE / 2, y, key.study, outlined=key.outlined)
                start += _BADGE + 5
            panel.text(start, y, key.text, SMALL, colour=INK)


def _fitted(heading: Sequence[_Said], width: float) -> list[_Said]:
    """The sentences on as many lines as they need."""
    from weft.report.canvas import text_width

    found: list[_Said] = []
    for said in heading:
        line = ""
        for word in _printable(said.text).split(" "):
            word = shortened(word, 60)
            longer = f"{line} {word}" if line else word
            if line and text_width(longer, said.size, said.bold) > width:
                found.append(_Said(line, said.size, said.colour, said.bold))
                longer = word
            line = longer
        found.append(_Said(line, said.size, said.colour, said.bold))
    return found


def _heading_height(heading: Sequence[_Said]) -> float:
    return sum(said.size * 1.45 for said in heading) + (8 if heading else 0)


def _draw_heading(panel: Panel, heading: Sequence[_Said]) -> None:
    y = 0.0
    for said in heading:
        panel.text(0, y + said.size * 0.72, said.text, said.size, colour=said.colour, bold=said.bold)
        y += said.size * 1.45


# -- putting it together -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Extent:
    left: float
    top: float
    width: float
    height: float


def _extent(scene: _Scene, lines: Sequence[Line]) -> _Extent:
    """What a drawing takes, lines included."""
    points = [point for line in lines for point in scene.route(line).points]
    places = scene.layout.places
    xs = [*(x for x, _ in points), *(p.left for p in places), *(p.right for p in places)] or [0.0]
    ys = [*(y for _, y in points), *(p.top for p in places), *(p.bottom for p in places)] or [0.0]
    room = 5.0
    left, top = min(xs) - room, min(ys) - room
    return _Extent(left, top, max(xs) + room - left, max(ys) + room - top)


def _frame(
    heading: Sequence[_Said], keys: Sequence[_Key], studies: Sequence[_Key], width: float, height: float
) -> tuple[Figure, tuple[float, float]]:
    """A figure with room for a drawing of that size, and where that begins."""
    from weft.report.canvas import Panel, new_picture

    inner = max(width, _LEAST_WIDTH)
    said = _fitted(heading, inner)
    rows = _rows_of_keys(keys, inner) + _rows_of_keys(studies, inner)
    above, below = _heading_height(said), len(rows) * _KEY_STEP
    gap = 10 if rows else 0
    figure = new_picture(inner + 2 * _MARGIN, above + height + gap + below + 2 * _MARGIN)
    if said:
        _draw_heading(Panel(figure, (_MARGIN, _MARGIN, inner, above)), said)
    if rows:
        _draw_keys(Panel(figure, (_MARGIN, _MARGIN + above + height + gap, inner, below)), rows)
    return figure, (_MARGIN + (inner - width) / 2, _MARGIN + above)


_KeyOf = Callable[[Sequence[Line]], list[_Key]]


def _single(scene: _Scene, drawn: Sequence[_Drawn], heading: Sequence[_Said], key: _KeyOf) -> Figure:
    from weft.report.canvas import Panel

    lines = [one.line for one in drawn]
    extent = _extent(scene, [*lines, *scene.lines])
    figure, (left, top) = _frame(heading, key(lines), _study_keys(scene), extent.width, extent.height)
    panel = Panel(figure, (left, top, extent.width, extent.height), (extent.left, extent.top))
    _draw_graph(panel, scene, drawn)
    return figure


_PAGE = 760.0
"""A sheet is made so wide, if names stay readable."""
_SMALLEST = 0.45
_PANEL_GAP, _PANEL_TITLE = 14.0, 14.0


def grid(number: int, width: float, height: float) -> tuple[int, int]:
    """Rows and columns for that many panels of that size, so that the whole is somewhat wider than high.

    >>> grid(12, 100, 100), grid(1, 100, 100), grid(5, 300, 100)
    ((3, 4), (1, 1), (3, 2))
    """

    def badness(columns: int) -> tuple[float, int]:
        rows = math.ceil(number / columns)
        empty = rows * columns - number
        return abs(math.log(columns * width / (rows * height) / 1.35)) + 0.6 * empty / columns, columns

    columns = min(range(1, number + 1), key=badness)
    return math.ceil(number / columns), columns


def _sheet(scene: _Scene, graphs: Sequence[Sequence[Line]], heading: Sequence[_Said]) -> Figure:
    from weft.report.canvas import Panel

    every = [line for lines in graphs for line in lines]
    extent = _extent(scene, every)
    rows, columns = grid(len(graphs), extent.width, extent.height)
    scale = max(_SMALLEST, min(1.0, (_PAGE - _PANEL_GAP * (columns - 1)) / (columns * extent.width)))
    wide, high = extent.width * scale, extent.height * scale + _PANEL_TITLE
    width, height = columns * wide + (columns - 1) * _PANEL_GAP, rows * high + (rows - 1) * _PANEL_GAP
    keys = _structure_key(every)
    figure, (left, top) = _frame(heading, keys, _study_keys(scene), width, height)
    for number, lines in enumerate(graphs):
        row, column = divmod(number, columns)
        x, y = left + column * (wide + _PANEL_GAP), top + row * (high + _PANEL_GAP)
        title = Panel(figure, (x, y, wide, _PANEL_TITLE))
        title.text(0, _PANEL_TITLE / 2, f"{number + 1:,}", SMALL, colour=QUIET, bold=True)
        panel = Panel(
            figure,
            (x, y + _PANEL_TITLE, wide, high - _PANEL_TITLE),
            (extent.left, extent.top),
            scale,
            f"s{number + 1}-",
        )
        _draw_graph(panel, scene, [_Drawn(line, *_structure_style(line)) for line in lines])
    return figure
