"""Figures: what is drawn is what the view says.

Covers ``figure.py``, ``canvas.py``, ``legend.py``, ``lines.py`` and ``scene.py``.
"""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ElementTree
from dataclasses import replace
from itertools import combinations, pairwise, product
from pathlib import Path
from typing import Any

import pytest
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Circle, FancyBboxPatch, PathPatch, Polygon

import weft
from tests.browser import samples
from tests.support.slow import slow
from weft.errors import WeftError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence, Scope
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph
from weft.report.canvas import Picture, content_of
from weft.report.figure import (
    MOST_PANELS,
    figure_of,
    graph_figure,
    grid,
    sheet_figure,
    structure,
    structure_figure,
    union_figure,
    write_figure,
)
from weft.report.lines import graph_lines, union_lines
from weft.report.names import printable, wrapped
from weft.report.scene import INK
from weft.report.view import View, view_of
from weft.search.consequences import Holds
from weft.solutions.structures import walked


def parts(figure: Figure, pattern: str) -> dict[str, Any]:
    """Everything drawn whose id matches, by its id."""
    drawn = [artist for axes in figure.axes for artist in (*axes.patches, *axes.texts)]
    return {gid: one for one in drawn if (gid := one.get_gid()) and re.fullmatch(pattern, gid)}


def words(figure: Figure) -> str:
    return "\n".join(text.get_text() for axes in figure.axes for text in axes.texts)


def grey(colour: Any) -> float:
    """How light a colour is without its hue: 0 black, 1 white."""
    red, green, blue = to_rgb(colour)
    return 0.299 * red + 0.587 * green + 0.114 * blue


@pytest.fixture(scope="module", params=["health", "selection", "long_names", "nasty"])
def view(request: pytest.FixtureRequest) -> View:
    return view_of(samples.SAMPLES[request.param](), patience=0)


# -- the union ---------------------------------------------------------------------------------------------------------


def test_a_line_for_each_pair_that_may_have_an_edge(view: View) -> None:
    drawn = parts(union_figure(view), r"edge-\d+-\d+")
    found = {tuple(sorted(map(int, gid.split("-")[1:]))) for gid in drawn}
    assert len(found) == len(drawn)
    names = view.variables
    adjacent = [
        pair for pair in combinations(names, 2) if view.summary.holds(Claim(Topic.EDGE, *pair)) is not Holds.NONE
    ]
    assert found == {(names.index(x), names.index(y)) for x, y in adjacent}


def test_wide_is_sure_dashed_is_not_in_all_and_dark_is_in_all(view: View) -> None:
    drawn = parts(union_figure(view), r"edge-\d+-\d+")
    lines = []
    for gid, patch in drawn.items():
        x, y = (view.variables[v] for v in sorted(map(int, gid.split("-")[1:])))
        adjacent = view.summary.finding(Claim(Topic.EDGE, x, y))
        certain = adjacent.holds is Holds.ALL
        assert adjacent.confidence is not None
        assert isinstance(patch, PathPatch)
        assert (patch.get_linestyle() == "solid") == certain
        lines.append((max(0.5, adjacent.confidence), patch.get_linewidth(), certain, grey(patch.get_edgecolor()[:3])))
    for (sure, width, certain, light), (other, other_width, other_certain, other_light) in product(lines, lines):
        assert (sure < other - 1e-9) == (width < other_width - 1e-9)
        if certain and not other_certain:
            assert light < other_light - 0.05  # also on paper without colours


def test_marks_are_those_of_all_structures(view: View) -> None:
    drawn = parts(union_figure(view), r"edge-\d+-\d+-at-[xy]")
    for line in union_lines(view):
        x, y = (view.variables[v] for v in line.pair)
        edges = {symbol: Claim(Topic.EDGE, x, y, symbol=symbol) for symbol in ("->", "<-", "<->", "--")}
        for end, (vertex, mark) in enumerate(((line.x, line.mark_x), (line.y, line.mark_y))):
            possible = {
                EDGE_SYMBOLS[symbol][0 if vertex == line.pair[0] else 1]
                for symbol, claim in edges.items()
                if view.summary.holds(claim) in (Holds.SOME, Holds.ALL)
            }
            assert {mark} == (possible if len(possible) == 1 else {Mark.CIRCLE})
            patch = drawn.get(f"edge-{line.x}-{line.y}-at-{'xy'[end]}")
            assert type(patch) is {Mark.ARROW: Polygon, Mark.CIRCLE: Circle, Mark.TAIL: type(None)}[mark]


def test_boxes_names_and_studies(view: View) -> None:
    figure = union_figure(view)
    boxes = parts(figure, r"vertex-\d+")
    assert len(boxes) == len(view.variables)
    for v, name in enumerate(view.variables):
        said = [text.get_text() for text in parts(figure, rf"name-{v}-\d+").values()]
        assert tuple(said) == wrapped(name)
        badges = parts(figure, rf"badge-{v}-\d+")
        assert set(badges) == {f"badge-{v}-{i}" for i, study in enumerate(view.studies) if v in study.variables}
        frame = boxes[f"vertex-{v}"]
        for badge in badges.values():
            assert frame.get_x() < badge.get_x() < frame.get_x() + frame.get_width() - badge.get_width()
            assert frame.get_y() < badge.get_y() < frame.get_y() + frame.get_height() - badge.get_height()
    text = words(figure)
    assert view.headline in text.replace("\n", " ")
    for study in view.studies:
        assert (study.name if study.rows is None else f"{study.name} ({study.rows:,} rows)") in text


def test_names_stay_in_their_boxes(view: View) -> None:
    assert_names_in_boxes(union_figure(view), view)


def assert_names_in_boxes(figure: Figure, view: View) -> None:
    content_of(figure, "png", dpi=figure.dpi)
    for v in range(len(view.variables)):
        frame = parts(figure, rf"vertex-{v}")[f"vertex-{v}"].get_window_extent()
        for text in parts(figure, rf"name-{v}-\d+").values():
            box = text.get_window_extent()
            assert frame.x0 < box.x0 < box.x1 < frame.x1
            assert frame.y0 - 1 < box.y0 < box.y1 < frame.y1 + 1


def test_nothing_lies_outside_the_figure(view: View) -> None:
    figure = union_figure(view)
    figure.draw_without_rendering()
    for axes in figure.axes:
        for artist in (*axes.patches, *axes.texts):
            box = artist.get_window_extent()
            assert -1 <= box.x0 <= box.x1 <= figure.bbox.width + 1
            assert -1 <= box.y0 <= box.y1 <= figure.bbox.height + 1


def test_variables_that_were_set_are_told_apart() -> None:
    one = view_of(samples.health(), patience=0)
    first = one.studies[0]
    changed = replace(one, studies=(replace(first, was_set=first.variables[:1]), *one.studies[1:]))
    figure = union_figure(changed)
    fills = {gid: badge.get_facecolor()[:3] for gid, badge in parts(figure, r"badge-\d+-0").items()}
    assert [gid for gid, fill in fills.items() if fill == (1.0, 1.0, 1.0)] == [f"badge-{first.variables[0]}-0"]
    assert "set by the experimenter" in words(figure)
    assert "set by the experimenter" not in words(union_figure(one))


# -- one graph ---------------------------------------------------------------------------------------------------------

KINDS = [symbol for symbol in EDGE_SYMBOLS if symbol not in ("-->", "<--", "---")]


@pytest.mark.parametrize("symbol", KINDS)
@pytest.mark.parametrize(("x", "y"), [("A", "B"), ("B", "A")])
def test_every_kind_of_edge_has_its_marks_in_both_readings(symbol: str, x: str, y: str) -> None:
    edge = Edge(x, *EDGE_SYMBOLS[symbol], y)
    figure = graph_figure(MixedGraph.build([x, y], [edge]))
    (shaft,) = parts(figure, r"edge-\d-\d").values()
    boxes = [parts(figure, r"vertex-\d")[f"vertex-{v}"] for v in (0, 1)]
    drawn: dict[str, object] = {}
    for mark in parts(figure, r"edge-\d-\d-at-[xy]").values():
        middle = mark.get_path().get_extents(mark.get_patch_transform())
        centre = (middle.y0 + middle.y1) / 2, (middle.x0 + middle.x1) / 2
        distances = [
            abs(box.get_y() + box.get_height() / 2 - centre[0]) + abs(box.get_x() + box.get_width() / 2 - centre[1])
            for box in boxes
        ]
        drawn["AB"[distances.index(min(distances))]] = type(mark)
    kinds: dict[Mark, type] = {Mark.ARROW: Polygon, Mark.CIRCLE: Circle}
    assert drawn == {end: kinds[mark] for end, mark in ((x, edge.mark_x), (y, edge.mark_y)) if mark in kinds}
    assert shaft.get_linestyle() == "solid"


def test_arrowheads_touch_their_box_and_point_at_it() -> None:
    figure = graph_figure(MixedGraph.parse("A -> B"))
    box, head = parts(figure, "vertex-1")["vertex-1"], parts(figure, "edge-0-1-at-y")["edge-0-1-at-y"]
    tip, *base = head.get_xy()[:3]
    assert tip[1] == pytest.approx(box.get_y(), abs=1.5)  # y goes down: the upper side
    assert all(corner[1] < tip[1] for corner in base)


def test_a_directed_and_a_bidirected_edge_of_one_pair_are_two_lines() -> None:
    figure = graph_figure(MixedGraph.parse("A -> B; A <-> B"))
    assert set(parts(figure, r"edge-\d-\d(-second)?")) == {"edge-0-1", "edge-0-1-second"}
    assert isinstance(parts(figure, "edge-0-1-second-at-x")["edge-0-1-second-at-x"], Polygon)


def test_structures_are_those_of_the_solution_set(view: View) -> None:
    solutions = weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod", selection=True)
    shown = view_of(solutions, patience=0)
    assert {structure(shown, n) for n in range(1, shown.structures.number + 1)} == set(solutions)
    assert set(shown.structures.pags) == {entry.pag for entry in solutions.pags()}


def test_one_structure(view: View) -> None:
    graph = structure(view, view.structures.number)
    figure = structure_figure(view, view.structures.number)
    edges = {f"edge-{graph.index(edge.x)}-{graph.index(edge.y)}": edge for edge in graph.edges()}
    drawn = parts(figure, r"edge-\d+-\d+")
    assert set(drawn) == set(edges)
    for gid, patch in drawn.items():
        assert (to_rgb(patch.get_edgecolor()) == to_rgb(INK)) == (str(edges[gid]) in view.summary.certain)
    assert f"structure {view.structures.number:,} of {view.structures.number:,}" in words(figure).replace("\n", " ")


def test_a_pag_has_the_places_of_the_union() -> None:
    view = view_of(samples.oracle(), patience=0)
    pag = view.structures.pags[0]
    figure, union = graph_figure(pag, view, title="class 1"), union_figure(view)
    assert positions(figure) == positions(union)
    marks = parts(figure, r"edge-\d-\d-at-[xy]").values()
    assert sum(isinstance(mark, Circle) for mark in marks) == pag.marks.count(Mark.CIRCLE)
    assert "no test can tell" in words(figure)


def test_another_graph_is_not_drawn_into_a_view() -> None:
    with pytest.raises(WeftError, match="different variables"):
        graph_figure(MixedGraph.parse("A -> B"), view_of(samples.oracle(), patience=0))


# -- many --------------------------------------------------------------------------------------------------------------


def positions(figure: Figure, prefix: str = "") -> list[tuple[float, ...]]:
    boxes = parts(figure, rf"{prefix}vertex-\d+").values()
    return [(b.get_x(), b.get_y(), b.get_width(), b.get_height()) for b in boxes if isinstance(b, FancyBboxPatch)]


def test_panels_have_the_same_places_and_their_own_edges(view: View) -> None:
    number = min(5, view.structures.number)
    figure = sheet_figure(view, number)
    for n in range(1, number + 1):
        assert positions(figure, f"s{n}-") == positions(union_figure(view))
        graph = structure(view, n)
        drawn = parts(figure, rf"s{n}-edge-\d+-\d+")
        assert set(drawn) == {f"s{n}-edge-{line.x}-{line.y}" for line in graph_lines(graph)}
        for line in graph_lines(graph, view):
            patch = drawn[f"s{n}-edge-{line.x}-{line.y}"]
            assert (to_rgb(patch.get_edgecolor()) == to_rgb(INK)) == line.certain
    panels = [axes for axes in figure.axes if any(patch.get_gid() for patch in axes.patches)]
    assert len(panels) == number
    assert len({(round(box.width, 6), round(box.height, 6)) for box in (one.get_position() for one in panels)}) == 1


@pytest.mark.parametrize("number", [1, 2, 7, 12, slow(30)])
def test_sheets_of_every_size(number: int) -> None:
    view = view_of(samples.oracle(), patience=0)
    figure = sheet_figure(view, number)
    assert len(parts(figure, r"s\d+-vertex-0")) == number
    wide, high = figure.get_size_inches()
    assert 0.4 < wide / high < 3
    assert f"The first {number} of 38 are drawn." in words(figure)


def test_a_sheet_of_more_than_there_are_has_all() -> None:
    view = view_of(weft.solve(weft.oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), patience=0)
    assert len(parts(sheet_figure(view, 50), r"s\d+-vertex-0")) == view.structures.number == 2
    for number in (0, MOST_PANELS + 1):
        with pytest.raises(WeftError, match=f"a sheet of {number} structures; choose from 1 to {MOST_PANELS}"):
            sheet_figure(view, number)


def test_the_grid_has_room_and_no_empty_row() -> None:
    for number, width, height in product(range(1, 31), (50.0, 200.0), (50.0, 200.0)):
        rows, columns = grid(number, width, height)
        assert (rows - 1) * columns < number <= rows * columns


# -- answers with nothing to draw --------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["union", "structure", "sheet"])
def test_no_solution_is_said(kind: str) -> None:
    view = view_of(samples.contradiction(), patience=0)
    figure = figure_of(view, kind)
    assert "No structure is consistent with the evidence." in words(figure)
    assert len(parts(figure, r"vertex-\d+")) == 2
    assert parts(figure, r"edge.*") == {}


@pytest.mark.parametrize("kind", ["union", "structure"])
def test_no_edge_is_said(kind: str) -> None:
    view = view_of(weft.solve(weft.oracle("X; Y", [["X", "Y"]])), patience=0)
    assert "No edge: all variables stand alone." in words(figure_of(view, kind))


def test_nothing_is_known() -> None:
    view = view_of(weft.solve(Evidence((Scope("a", ("X", "Y")),), ())), patience=0)
    assert len(parts(union_figure(view), r"edge-\d-\d")) == 1


def test_a_graph_of_one_vertex_or_none() -> None:
    assert len(parts(graph_figure(MixedGraph.parse("X")), r"vertex-\d")) == 1
    assert content_of(graph_figure(MixedGraph.parse("")), "png").startswith(b"\x89PNG")


def test_an_incomplete_set_says_so() -> None:
    evidence = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    view = view_of(weft.solve(evidence, "iod", limit=10), patience=0)
    assert "Shares are of the 10 that were found; there may be more." in words(union_figure(view))
    assert "of at least 10" in words(structure_figure(view, 1))


def test_what_is_not_known_is_drawn_as_possible() -> None:
    view = view_of(samples.oracle(), patience=0)
    findings = tuple(replace(one, share=None, holds=Holds.UNKNOWN) for one in view.summary.findings)
    nothing = replace(walked((), view.variables), complete=False)
    unknown = replace(view, summary=replace(view.summary, consistent=None, findings=findings), structures=nothing)
    figure = union_figure(unknown)
    assert "a dashed line is one that was not ruled out" in words(figure)
    assert "The time ran out before every pair was settled." in words(figure)
    drawn = parts(figure, r"edge-\d-\d")
    assert len(drawn) == 3
    assert all(patch.get_linestyle() != "solid" for patch in drawn.values())


def test_rare_lines_are_left_out_of_a_crowd(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(samples.health(), patience=0)
    every = union_lines(view)
    monkeypatch.setattr("weft.report.lines._CROWDED", 6)
    monkeypatch.setattr("weft.report.lines._LINES_A_VARIABLE", 1)
    figure = union_figure(view)
    drawn = parts(figure, r"edge-\d+-\d+")
    assert len(drawn) < len(every)
    shown = [line for line in every if f"edge-{line.x}-{line.y}" in drawn]
    hidden = [line for line in every if line not in shown]
    assert max(line.share for line in hidden) < min(line.share for line in shown)
    assert f"{len(hidden)} rarer lines are left out." in words(figure)


# -- text and files ----------------------------------------------------------------------------------------------------


def test_text_from_data_is_never_a_formula_or_markup(tmp_path: Path) -> None:
    names = [r"$\frac{1}{0}$", r"$\nothing{$", "a $ b", "<b>&amp;</b>", "\x00\x1b[31m\ud800", "漢字 🧬"]
    studies = {"$x^2$": names[:3], "<i>": names[2:]}
    graph = MixedGraph.build(names, [Edge(a, Mark.TAIL, Mark.ARROW, b) for a, b in pairwise(names)])
    view = view_of(weft.solve(weft.oracle(graph, studies), "iod-bcd"), patience=0, title="$title$")
    assert_names_in_boxes(union_figure(view), view)
    path = tmp_path / "figure.svg"
    write_figure(union_figure(view), path, view.title)
    texts = [text.text for text in ElementTree.parse(path).iter("{http://www.w3.org/2000/svg}text")]
    for expected in (*(" ".join(wrapped(name)) for name in names), "$x^2$", "<i>", "$title$"):
        assert expected in " ".join(text or "" for text in texts)
    for ending in ("png", "pdf"):
        write_figure(union_figure(view), tmp_path / f"figure.{ending}", view.title)


@pytest.mark.parametrize(("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF"), ("SVG", b"<")])
def test_the_same_view_gives_the_same_bytes(ending: str, start: bytes, tmp_path: Path) -> None:
    contents = []
    for attempt in range(2):
        path = tmp_path / f"{attempt}.{ending}"
        write_figure(sheet_figure(view_of(samples.selection(), patience=0), 3), path, "title")
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    assert contents[0].startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == [f"0.{ending}", f"1.{ending}"]


def test_text_stays_text(tmp_path: Path) -> None:
    write_figure(graph_figure(MixedGraph.parse("weight -> pressure")), tmp_path / "a.svg")
    assert ">pressure</text>" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    write_figure(graph_figure(MixedGraph.parse("weight -> pressure")), tmp_path / "a.pdf")
    assert b"/Type3" not in (tmp_path / "a.pdf").read_bytes()


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("a.gif", "a picture's name ends in .png, .svg, .pdf"),
        ("a", "a picture's name ends in"),
        ("no/such/folder/a.png", "there is no such directory"),
        (".", "a picture's name ends in"),
    ],
)
def test_bad_places_are_told(name: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(WeftError, match=said):
        write_figure(graph_figure(MixedGraph.parse("X -> Y")), tmp_path / name)


def test_without_matplotlib_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    view = view_of(samples.contradiction(), patience=0)
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    said = r"needs the package 'matplotlib'; install weft\[figures\]"
    with pytest.raises(WeftError, match=said):
        union_figure(view)
    with pytest.raises(WeftError, match=said):
        graph_figure(MixedGraph.parse("X -> Y"))


def test_long_names_are_shortened_in_the_middle() -> None:
    first, second = (wrapped("x" * 50 + "_".join(map(str, range(60))) + end) for end in ("1st", "2nd"))
    assert len(first) <= 4
    assert max(map(len, first)) <= 20
    assert first != second
    assert wrapped("") == ("“”",)
    assert printable("a\u202eb") == "ab"


# -- on the value ------------------------------------------------------------------------------------------------------


def test_plot(tmp_path: Path) -> None:
    solutions = samples.oracle()
    figure = solutions.plot("sheet", tmp_path / "sheet.svg", number=4, title="Chains")
    assert isinstance(figure, Figure)
    assert "Chains" in words(figure)
    assert len(parts(figure, r"s\d+-vertex-0")) == 4
    assert (tmp_path / "sheet.svg").read_bytes().startswith(b"<?xml")
    assert parts(solutions.plot(), r"edge.*")
    assert "structure 2 of 38" in words(solutions.plot("structure", number=2))
    with pytest.raises(WeftError, match="there is no structure 39; they are numbered from 1 to 38"):
        solutions.plot("structure", number=39)
    with pytest.raises(WeftError, match="no figure of the kind 'pie'; choose one of union, structure, sheet"):
        solutions.plot("pie")
    with pytest.raises(WeftError, match="ends in"):
        solutions.plot("union", "x.gif")


def test_a_figure_shows_itself_in_a_notebook_without_pyplot() -> None:
    figure = samples.oracle().plot()
    assert isinstance(figure, Picture)
    assert figure._repr_png_().startswith(b"\x89PNG")


def test_to_html(tmp_path: Path) -> None:
    samples.oracle().to_html(tmp_path / "report.html", patience=0, title="Chains")
    assert '"title":"Chains"' in (tmp_path / "report.html").read_text(encoding="utf-8")
    with pytest.raises(WeftError, match="no such directory"):
        samples.oracle().to_html(tmp_path / "no" / "report.html")
