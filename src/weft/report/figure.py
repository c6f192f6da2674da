"""A view as figures for papers and slides: the union of all structures, one structure, or many side by side.

The same picture as on the page: boxes with the letters of the studies that measured a variable, and lines with the
marks of the field. All figures of one view have the same places. Nothing is computed here but where things go.
"""

from __future__ import annotations

import math
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.errors import WeftError
from weft.graphs.mixed import MixedGraph
from weft.reading.arguments import check_whole
from weft.report.legend import (
    HEADLINE,
    KEY_STEP,
    SMALL,
    TITLE,
    Key,
    Said,
    draw_heading,
    draw_keys,
    fitted,
    heading_height,
    heading_of,
    plain_key,
    rows_of_keys,
    structure_key,
    study_keys,
    union_key,
)
from weft.report.lines import Line, graph_lines
from weft.report.scene import (
    INK,
    QUIET,
    Drawn,
    Scene,
    check_matplotlib,
    draw_graph,
    scene_of,
    scene_of_graph,
    structure_style,
    union_style,
)
from weft.report.view import View
from weft.solutions.result_file import check_target, write_whole

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_MARGIN = 14.0
_LEAST_WIDTH = 400.0
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
    scene = scene_of(view)
    drawn = [Drawn(line, *union_style(line)) for line in scene.lines]
    return _single(scene, drawn, heading_of(view, _union_notes(view, scene)), union_key)


def _union_notes(view: View, scene: Scene) -> list[str]:
    """What must be said beside the headline."""
    if view.consistent is False:
        return []
    notes = []
    if view.consistent and not scene.lines:
        notes.append("No edge: all variables stand alone.")
    if not view.structures.number:
        notes.append("No structure was counted: a dashed line is one that was not ruled out.")
    elif not view.structures.fair:
        notes.append(f"Shares are of the {view.structures.number:,} that were found; there may be more.")
    if not view.summary.complete:
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
    scene = scene_of_graph(graph.names, lines) if view is None else scene_of(view)
    heading = [Said(text, TITLE, INK, bold=True) for text in ([title] if title else [])]
    if not lines:
        heading.append(Said("No edge: all variables stand alone.", HEADLINE, QUIET))
    drawn = [Drawn(line, *(union_style(line) if view is None else structure_style(line))) for line in lines]
    return _single(scene, drawn, heading, plain_key if view is None else structure_key)


def structure_figure(view: View, number: int) -> Figure:
    """One of the structures, counted from 1 in the order of the report."""
    if not view.structures.number:
        return union_figure(view)
    graph = structure(view, number)
    return graph_figure(graph, view, title=f"{view.title}: structure {number:,} of {_how_many(view)}")


def structure(view: View, number: int) -> MixedGraph:
    """One of the structures of a view, counted from 1."""
    if not 1 <= number <= view.structures.number:
        have = (
            f"they are numbered from 1 to {view.structures.number:,}"
            if view.structures.number
            else "the result has none"
        )
        raise WeftError(f"there is no structure {number:,}; {have}")
    return view.structures[number - 1]


def _how_many(view: View) -> str:
    if view.structures.total is not None:
        return view.structures.drawn
    return f"{'' if view.structures.complete else 'at least '}{view.structures.number:,}"


def sheet_figure(view: View, number: int = 12) -> Figure:
    """The first structures side by side, in the same places: edges that all structures have are dark."""
    if not 1 <= number <= MOST_PANELS:
        raise WeftError(f"a sheet of {number} structures; choose from 1 to {MOST_PANELS}")
    if not view.structures.number:
        return union_figure(view)
    shown = min(number, view.structures.number)
    scene = scene_of(view)
    graphs = [graph_lines(structure(view, one), view) for one in range(1, shown + 1)]
    heading = heading_of(
        view, [] if shown == view.structures.number else [f"The first {shown:,} of {_how_many(view)} are drawn."]
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
    check_whole("number", number, "for the first structure, or twelve of them on a sheet")
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
    check_matplotlib()


# -- putting it together -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Extent:
    left: float
    top: float
    width: float
    height: float


def _extent(scene: Scene, lines: Sequence[Line]) -> _Extent:
    """What a drawing takes, lines included."""
    points = [point for line in lines for point in scene.layout.route(line.x, line.y, line.second).points]
    places = scene.layout.boxes
    xs = [*(x for x, _ in points), *(p.left for p in places), *(p.right for p in places)] or [0.0]
    ys = [*(y for _, y in points), *(p.top for p in places), *(p.bottom for p in places)] or [0.0]
    room = 5.0
    left, top = min(xs) - room, min(ys) - room
    return _Extent(left, top, max(xs) + room - left, max(ys) + room - top)


def _frame(
    heading: Sequence[Said], keys: Sequence[Key], studies: Sequence[Key], width: float, height: float
) -> tuple[Figure, tuple[float, float]]:
    """A figure with room for a drawing of that size, and where that begins."""
    from weft.report.canvas import Panel, new_picture

    inner = max(width, _LEAST_WIDTH)
    said = fitted(heading, inner)
    rows = rows_of_keys(keys, inner) + rows_of_keys(studies, inner)
    above, below = heading_height(said), len(rows) * KEY_STEP
    gap = 10 if rows else 0
    figure = new_picture(inner + 2 * _MARGIN, above + height + gap + below + 2 * _MARGIN)
    if said:
        draw_heading(Panel(figure, (_MARGIN, _MARGIN, inner, above)), said)
    if rows:
        draw_keys(Panel(figure, (_MARGIN, _MARGIN + above + height + gap, inner, below)), rows)
    return figure, (_MARGIN + (inner - width) / 2, _MARGIN + above)


_KeyOf = Callable[[Sequence[Line]], list[Key]]


def _single(scene: Scene, drawn: Sequence[Drawn], heading: Sequence[Said], key: _KeyOf) -> Figure:
    from weft.report.canvas import Panel

    lines = [one.line for one in drawn]
    extent = _extent(scene, [*lines, *scene.lines])
    scale = 1 / scene.layout.scale  # so that names are as large as in other figures
    wide, high = scale * extent.width, scale * extent.height
    figure, (left, top) = _frame(heading, key(lines), study_keys(scene), wide, high)
    panel = Panel(figure, (left, top, wide, high), (extent.left, extent.top), scale)
    draw_graph(panel, scene, drawn)
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


def _sheet(scene: Scene, graphs: Sequence[Sequence[Line]], heading: Sequence[Said]) -> Figure:
    from weft.report.canvas import Panel

    every = [line for lines in graphs for line in lines]
    extent = _extent(scene, every)
    rows, columns = grid(len(graphs), extent.width, extent.height)
    fitting = (_PAGE - _PANEL_GAP * (columns - 1)) / (columns * extent.width)
    scale = max(_SMALLEST / scene.layout.scale, min(1 / scene.layout.scale, fitting))
    wide, high = extent.width * scale, extent.height * scale + _PANEL_TITLE
    width, height = columns * wide + (columns - 1) * _PANEL_GAP, rows * high + (rows - 1) * _PANEL_GAP
    keys = structure_key(every)
    figure, (left, top) = _frame(heading, keys, study_keys(scene), width, height)
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
        draw_graph(panel, scene, [Drawn(line, *structure_style(line)) for line in lines])
    return figure
