"""The layout that all pictures of an answer share."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import pytest

import weft
from tests.browser import samples
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import MixedGraph
from weft.report.document import view_document
from weft.report.lines import graph_lines, union_lines
from weft.report.names import wrapped
from weft.report.picture_layout import PictureLayout, graph_layout, picture_layout
from weft.report.routes import hits
from weft.report.view import View, view_of
from weft.search.consequences import Holds


@pytest.fixture(scope="module", params=["health", "selection", "long_names", "nasty", "repaired"])
def view(request: pytest.FixtureRequest) -> View:
    return view_of(samples.SAMPLES[request.param](), patience=0)


def test_a_box_for_each_variable_and_a_course_for_each_pair_that_may_be_joined(view: View) -> None:
    assert [box.lines for box in view.layout.boxes] == [wrapped(name) for name in view.variables]
    holds = {pair: view.summary.holds(Claim(Topic.EDGE, *pair)) for pair in view.summary.pairs}
    place = view.variables.index
    joined = {(place(x), place(y)) for (x, y), where in holds.items() if where is not Holds.NONE}
    assert {(course.x, course.y) for course in view.layout.courses} == joined
    assert len(view.layout.courses) == len(joined)


def test_courses_go_from_box_to_box_and_through_no_other(view: View) -> None:
    boxes = view.layout.boxes
    for course in view.layout.courses:
        for (x, y), box in ((course.points[0], boxes[course.x]), (course.points[-1], boxes[course.y])):
            assert box.left <= x <= box.right
            assert box.top <= y <= box.bottom
        others = [box for v, box in enumerate(boxes) if v not in (course.x, course.y)]
        assert hits(view.layout.route(course.x, course.y), others) == 0


def test_it_is_shipped_whole(view: View) -> None:
    shipped = json.loads(json.dumps(view_document(view)))["layout"]
    assert shipped == json.loads(json.dumps(asdict(view.layout)))
    assert len(shipped["boxes"]) == len(view.variables)


def test_the_same_answer_has_the_same_layout(view: View) -> None:
    assert picture_layout(view) == view.layout == replace(view).layout


def test_only_the_structures_shape_it(view: View) -> None:
    assert replace(view, title="another", reasons=(), answer=()).layout == view.layout


def test_pairs_that_may_be_joined_one_day_have_a_course_too() -> None:
    view = view_of(samples.health(), patience=0)
    apart = next(one for one in view.summary.pairs if view.summary.holds(Claim(Topic.EDGE, *one)) is Holds.NONE)
    findings = tuple(
        replace(one, holds=Holds.UNKNOWN) if {one.claim.x, one.claim.y} == set(apart) else one
        for one in view.summary.findings
    )
    changed = replace(view, summary=replace(view.summary, findings=findings))
    x, y = map(view.variables.index, apart)
    assert (x, y) not in {line.pair for line in union_lines(changed)}
    assert (x, y) in {(course.x, course.y) for course in changed.layout.courses}


def test_without_a_structure_there_are_boxes_and_no_courses() -> None:
    layout = view_of(samples.contradiction(), patience=0).layout
    assert (len(layout.boxes), layout.courses) == (2, ())


def test_a_line_that_no_structure_has_still_finds_a_way_around_boxes() -> None:
    chain = weft.solve(weft.oracle("A -> B -> C", [["A", "B", "C"]]), "iod-bcd")
    layout = view_of(chain, patience=0).layout
    assert {(course.x, course.y) for course in layout.courses} == {(0, 1), (1, 2)}
    assert hits(layout.route(0, 2), [layout.boxes[1]]) == 0


def of_chains(number: int) -> PictureLayout:
    """So many chains of five."""
    graph = MixedGraph.parse("; ".join(f"A{i} -> B{i} -> C{i} -> D{i} -> E{i}" for i in range(number)))
    return graph_layout(graph.names, graph_lines(graph))


def test_names_are_larger_in_a_large_picture() -> None:
    assert of_chains(2).scale == 1.0
    large = of_chains(24)
    assert large.scale > 1.0
    assert large.boxes[0].height == pytest.approx(large.scale * of_chains(2).boxes[0].height)
    assert 1.0 < large.pen < large.scale
