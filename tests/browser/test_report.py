"""The report in a browser, from a file: every part, every toggle, every export."""

from __future__ import annotations

import random
import re
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib.image
import pytest

import weft
from tests.browser.conftest import Report, Shelf
from tests.browser.samples import NASTY, SAMPLES
from weft.evidence.claims import Claim, Topic, claims_about
from weft.formats import FORMATS, reads, writes
from weft.graphs.mixed import MixedGraph
from weft.report.figure import union_figure
from weft.report.html import to_html
from weft.report.view import View, view_of
from weft.search.consequences import Holds
from weft.solutions.explain import Explanation, sentence_of

if TYPE_CHECKING:
    from playwright.sync_api import Browser

NOTHING = "–"  # noqa: RUF001
OF_STRUCTURES = {"dagitty"}  # graphs that are not structures: the page writes dagitty-mag
NOT_ON_THE_PAGE = {"dowhy"}
TEXT_FORMATS = [
    name
    for name, format in FORMATS.items()
    if format.write is not None and not format.binary and name not in OF_STRUCTURES | NOT_ON_THE_PAGE
]


# -- what is there -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_it_opens_with_every_part(shelf: Shelf, name: str) -> None:
    report = shelf.open(name)
    page = report.page
    for part in ("answer", "graph", "pairs", "structures", "conflicts", "studies", "next", "about"):
        assert page.locator(f"section#{part} :is(h1, h2)").first.is_visible()
    assert page.locator(".headline").inner_text() == report.view.headline
    assert page.locator("#pairs tbody tr").count() == len(report.view.summary.pairs)
    assert page.locator(".overlap tbody tr").count() == len(report.view.variables)
    assert page.evaluate("document.documentElement.scrollWidth") <= 1366


def test_the_answer_of_a_real_run(shelf: Shelf) -> None:
    report = shelf.open("health")
    text = report.page.locator("#answer").inner_text()
    assert all(sentence in text for sentence in report.view.lead)
    text = report.page.locator("#structures").inner_text()
    assert all(sentence in text for sentence in report.view.answer)
    studies = report.page.locator("#studies").inner_text()
    assert "clinic" in studies
    assert "500" in studies
    about = report.page.locator("#about").inner_text()
    assert "fisher-z" in about
    assert weft.__version__ in about
    assert report.view.repair is not None
    assert f"{sentence_of(report.view.repair.sometimes[0])}." in report.page.locator("#conflicts").inner_text()
    assert report.view.next_steps is not None
    assert report.page.locator("#next tbody tr").count() == len(report.view.next_steps.rows)


def test_where_there_is_no_solution_it_says_why(shelf: Shelf) -> None:
    page = shelf.open("contradiction").page
    assert "cannot hold together" in page.locator("#conflicts").inner_text()
    assert page.locator("#conflicts .statements li").count() == 2
    assert page.locator("#structures .where").inner_text() == "There is none"
    assert set(page.locator("#pairs tbody td").all_inner_texts()[1:-1]) == {NOTHING}
    page.locator("#pairs tbody button").click()
    assert "There is no consistent structure" in page.locator("#pair").inner_text()
    assert page.locator("#pair .toggle").count() == 0


# -- why ---------------------------------------------------------------------------------------------------------------


def test_a_line_and_a_row_show_why(shelf: Shelf) -> None:
    report = shelf.open("health")
    page, view = report.page, report.view
    edge, reason = first_pair(view, Holds.ALL)
    page.locator("#graph .stage").scroll_into_view_if_needed()
    where = page.evaluate(f"weft.pictures[0].whereIs({edge})")
    page.mouse.click(where["x"], where["y"])
    assert page.locator(".why .claim").first.inner_text() == str(reason.claim)
    assert reason.lead in page.locator(".why").inner_text()
    assert reason.reasons[0] in page.locator(".why").inner_text()
    other, reason = first_pair(view, Holds.NONE)
    page.locator(f'#pairs tr[data-place="{other}"] button').click()
    shown = page.locator(".why").inner_text()
    assert reason.lead in shown
    assert page.locator(".sure tbody tr").count() >= 7, "the bootstrap shares of the pair"


def test_what_became_of_a_pair_in_bootstrap_runs(shelf: Shelf) -> None:
    report = shelf.open("health")
    page, summary = report.page, report.view.summary
    assert report.view.bootstrap is not None
    for place, (x, y) in enumerate(summary.pairs):
        page.locator(f'#pairs tr[data-place="{place}"] button').click()
        said = page.locator("#pair .sure").inner_text()
        assert "in runs on half of the rows" in said.lower()
        assert f"in {report.view.bootstrap[1]} runs, it was so in all, in some or in none of the structures" in said
        no_edge = Claim(Topic.EDGE, x, y, holds=False)
        claims = [no_edge if one == no_edge.negated else one for one in claims_about(x, y)]
        shown = [tuple(row.split("\t")[1:]) for row in page.locator(".sure tbody tr").all_inner_texts()]
        found = [summary.finding(one).again for one in claims]
        expected = [tuple(f"{share:.0%}".replace("%", " %") for share in (a.all, a.some, a.none)) for a in found if a]
        assert shown == [*expected[1:4], expected[0], *expected[4:]], "that there is no edge comes after the edges"


def first_pair(view: View, adjacent: Holds) -> tuple[int, Explanation]:
    """The first pair that is adjacent in all structures, or in none: its place, and why it is so."""
    pairs = enumerate(view.summary.pairs)
    place, pair = next((i, (x, y)) for i, (x, y) in pairs if view.summary.holds(Claim(Topic.EDGE, x, y)) is adjacent)
    about = (one for one in view.reasons if one.claim.topic is Topic.EDGE and (one.claim.x, one.claim.y) == pair)
    return place, next(about)  # where there is one edge in all, why it is this one


# -- the picture -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["health", "selection", "long_names", "nasty", "contradiction"])
def test_page_and_figure_put_every_variable_at_the_same_place(shelf: Shelf, name: str) -> None:
    report = shelf.open(name)
    figure = union_figure(report.view)
    drawn: dict[str | None, Any] = {patch.get_gid(): patch for axes in figure.axes for patch in axes.patches}
    boxes = [drawn[f"vertex-{v}"] for v in range(len(report.view.variables))]
    expected = [(box.get_x() + box.get_width() / 2, box.get_y() + box.get_height() / 2) for box in boxes]
    for part in ("#graph", "#structures"):
        assert report.places(part) == [pytest.approx(place, abs=0.01) for place in expected]


@pytest.mark.parametrize("name", ["health", "long_names", "nasty", "selection"])
def test_names_stay_in_their_boxes_and_lines_out_of_others(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    outside = page.locator("#graph .drawing").evaluate("""svg => [...svg.querySelectorAll('.box')].flatMap(box => {
        const frame = box.querySelector('.frame').getBoundingClientRect();
        return [...box.querySelectorAll('text')].filter(text => {
            const own = text.getBoundingClientRect();
            return own.left < frame.left || own.right > frame.right || own.top < frame.top || own.bottom > frame.bottom;
        }).map(text => text.textContent);
    })""")
    assert outside == []
    crossed = """svg => [...svg.querySelectorAll('.line')].flatMap(line => {
        const shaft = line.querySelector('.shaft'), length = shaft.getTotalLength(), matrix = shaft.getScreenCTM();
        const at = (part) => shaft.getPointAtLength(part * length).matrixTransform(matrix);
        const points = Array.from({length: 61}, (_, i) => at(i / 60));
        return [...svg.querySelectorAll('.frame')].filter(frame => {
            const {left, right, top, bottom} = frame.getBoundingClientRect();
            return points.some(({x, y}) => x > left + 1 && x < right - 1 && y > top + 1 && y < bottom - 1);
        }).map(() => line.dataset.id);
    })"""
    assert page.locator("#graph .drawing").evaluate(crossed) == []
    page.get_by_label("Every edge apart").check()
    assert page.locator("#graph .drawing").evaluate(crossed) == []


def test_places_stay_when_lines_are_swapped(shelf: Shelf) -> None:
    report = shelf.open("health")
    drawing = report.page.locator("#graph .drawing")
    before, seen = report.places("#graph"), drawing.get_attribute("viewBox")
    lines = drawing.locator(".line").count()
    report.choose("pressure", "smoking")
    report.toggle("adjacent", "pressure", "smoking", False)
    assert drawing.locator(".line").count() < lines
    assert (report.places("#graph"), drawing.get_attribute("viewBox")) == (before, seen)


def test_a_box_can_be_dragged_and_its_lines_follow(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    page = report.page
    page.locator("#graph .stage").scroll_into_view_if_needed()
    box = page.locator('#graph .box[data-v="0"] .frame').bounding_box()
    assert box is not None
    before = page.locator("#graph .shaft").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    page.mouse.move(box["x"] + 10, box["y"] + 10)
    page.mouse.down()
    page.mouse.move(box["x"] - 50, box["y"] + 20, steps=3)
    page.mouse.up()
    after = page.locator('#graph .box[data-v="0"] .frame').bounding_box()
    assert after is not None
    assert (after["x"] - box["x"], after["y"] - box["y"]) == pytest.approx((-60, 10), abs=2)
    lines = page.locator("#graph .shaft").evaluate_all("all => all.map(one => one.getAttribute('d'))")
    assert sum(old not in lines for old in before) == 2
    assert report.places("#structures") == report.places("#graph")


def test_arrows_do_not_break_over_lines(shelf: Shelf) -> None:
    page = shelf.open("health").page
    for place in range(6):
        page.locator(f'#pairs tr[data-place="{place}"] button').click()
        page.locator(".why details").evaluate_all("all => all.forEach(one => { one.open = true; })")
        for width in (1366, 700, 420):
            page.set_viewport_size({"width": width, "height": 800})
            broken = page.locator(".whole").evaluate_all(
                "all => all.filter(one => one.getClientRects().length > 1).map(one => one.textContent)"
            )
            assert broken == []
    bare = page.evaluate("""() => {
        const texts = document.createTreeWalker(document.querySelector('main'), NodeFilter.SHOW_TEXT), found = [];
        while (texts.nextNode()) {
            const { data, parentElement } = texts.currentNode;
            const own = parentElement.closest('.whole, option, textarea, .unseen');
            if (/\\S\\s(<->|->|<-|→|↔)\\s\\S/.test(data) && !own) found.push(data);
        }
        return found;
    }""")
    assert bare == []
    assert page.locator(".whole").count() >= 5


def test_a_long_edge_breaks_only_where_no_line_could_hold_it(browser: Browser, tmp_path: Path) -> None:
    names = [f"pressure_at_visit_{i}" for i in range(4)]
    graph = "; ".join(f"{x} -> {y}" for x, y in pairwise(names))
    view = view_of(weft.solve(weft.oracle(graph, [names])), patience=0)
    to_html(view, tmp_path / "report.html")
    report = Report(browser, tmp_path / "report.html", view)
    seen: list[tuple[bool, bool]] = []
    for width in (1366, 1024, 800, 700, 360):
        report.page.set_viewport_size({"width": width, "height": 800})
        seen += map(
            tuple,
            report.page.locator("#structures .prose .long").evaluate_all("""all => all.map(one => {
            const [height, free] = [one.getBoundingClientRect().height, one.parentElement.clientWidth];
            one.style.whiteSpace = 'nowrap';
            const whole = one.getBoundingClientRect(), result = [height > 1.5 * whole.height, one.scrollWidth > free];
            one.style.whiteSpace = '';
            return result;
        })"""),
        )
    report.context.close()
    assert all(too_long for broken, too_long in seen if broken)
    assert {broken for broken, _ in seen} == {True, False}


def test_a_statement_given_up_says_its_weight_once(shelf: Shelf) -> None:
    report = shelf.open("repaired")
    assert report.view.repair is not None
    (statement,) = report.view.repair.given_up
    said = report.page.locator("#conflicts .statements li").first.inner_text()
    assert said == f"{sentence_of(statement)}."
    assert said.count("weight 1.5") == 1


def test_variables_that_were_set_are_told_apart(browser: Browser, tmp_path: Path) -> None:
    view = view_of(SAMPLES["oracle"](), patience=0)
    first = view.studies[0]
    changed = replace(view, studies=(replace(first, was_set=first.variables[:1]), *view.studies[1:]))
    to_html(changed, tmp_path / "report.html")
    report = Report(browser, tmp_path / "report.html", changed)
    outlined = report.page.locator("#graph .drawing .mark.outlined")
    assert outlined.evaluate_all("all => all.map(one => one.closest('.box').dataset.v)") == [str(first.variables[0])]
    assert "set by the experimenter" in report.page.locator("#graph .legend").inner_text()
    report.context.close()


def test_lines_can_be_reached_by_keyboard(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    page = report.page
    page.locator("#graph .stage").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    spoken = page.locator("#graph [aria-live]").first.inner_text()
    page.keyboard.press("Enter")
    pair = re.match(r"(\w) and (\w)", spoken)
    assert pair is not None
    assert page.locator("#pair h3").inner_text() == f"{pair[1]} and {pair[2]}"


# -- suppositions ------------------------------------------------------------------------------------------------------

Supposed = tuple[str, str, str, bool]


def claim(supposed: Supposed) -> Claim:
    topic, x, y, holds = supposed
    return Claim({"causes": Topic.CAUSES, "confounded": Topic.CONFOUNDED}.get(topic, Topic.EDGE), x, y, holds)


def as_script(view: View, supposed: Supposed) -> dict[str, object]:
    topic, x, y, holds = supposed
    return {"topic": topic, "x": view.variables.index(x), "y": view.variables.index(y), "holds": holds}


def every_supposition(view: View) -> list[Supposed]:
    found: list[Supposed] = []
    for x, y in combinations(view.variables, 2):
        for holds in (True, False):
            found += [("causes", x, y, holds), ("causes", y, x, holds)]
            found += [("adjacent", x, y, holds), ("confounded", x, y, holds)]
    return found


@pytest.mark.parametrize("name", ["health", "oracle", "selection", "repaired", "nasty"])
def test_counts_after_toggles_are_those_of_assume(shelf: Shelf, name: str) -> None:
    report, solutions = shelf.open(name), SAMPLES[name]()
    every = every_supposition(report.view)
    draw = random.Random(1)
    questions = [[one] for one in every] + [draw.sample(every, 2) for _ in range(40)]
    questions += [draw.sample(every, 3) for _ in range(20)]
    asked = [[as_script(report.view, one) for one in question] for question in questions]
    rests = report.page.evaluate(
        "asked => asked.map(q => { const r = weft.state.solutions.rest(q); return [r.least, r.most, r.classes]; })",
        asked,
    )
    exact = 0
    for question, (least, most, classes) in zip(questions, rests, strict=True):
        narrower = solutions.assume(*map(claim, question))
        count = narrower.count()
        common_causes = [one for one in question if one[0] == "confounded"]
        assert least <= count <= most, question
        assert len(common_causes) > 1 or least == most, question
        if least == most:
            exact += 1
            assert classes == len(narrower.pags()), question
    assert exact > len(every)


def test_the_buttons_narrow_the_set(shelf: Shelf) -> None:
    report, solutions = shelf.open("health"), SAMPLES["health"]()
    page = report.page
    steps: list[Supposed] = [
        ("causes", "age", "cough", True),
        ("confounded", "cough", "smoking", False),
        ("adjacent", "pressure", "smoking", False),
        ("causes", "stroke", "tar", False),
    ]
    counts = [solutions.count()]
    for number, step in enumerate(steps, 1):
        report.choose(*sorted(step[1:3]))
        report.toggle(*step)
        counts.append(solutions.assume(*map(claim, steps[:number])).count())
        assert report.remaining() == counts[-1]
        assert page.locator(".chips li button").count() == number
    narrow = solutions.assume(*map(claim, steps)).summary(shares=True)
    for number, (x, y) in enumerate(narrow.pairs):
        cells = page.locator(f'#pairs tr[data-place="{number}"] .share').all_inner_texts()
        edges = [Claim(Topic.EDGE, x, y, symbol=symbol) for symbol in ("->", "<-", "<->")]
        causes = [Claim(Topic.CAUSES, x, y), Claim(Topic.CAUSES, y, x)]
        shares = [narrow.finding(one).share for one in (*edges, Claim(Topic.EDGE, x, y, holds=False), *causes)]
        assert None not in shares
        assert cells == [percent(share or 0.0) for share in shares]
    for count in reversed(counts[:-1]):
        page.get_by_role("button", name="Undo").click()
        assert report.remaining() == count
    report.choose("age", "cough")
    report.toggle("causes", "age", "cough", True)
    page.get_by_role("button", name="Clear all").click()
    assert report.remaining() == counts[0]


def percent(share: float) -> str:
    if share in (0.0, 1.0):
        return "100 %" if share else NOTHING
    return "< 1 %" if share < 0.01 else "> 99 %" if share > 0.99 else f"{int(share * 100 + 0.5)} %"


def test_when_nothing_remains_it_says_so(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    report.choose("X", "Y")
    report.toggle("causes", "X", "Y", True)
    report.toggle("causes", "Y", "X", True)
    assert report.remaining() == 0
    assert "No structure remains" in report.page.locator("#graph .picture").inner_text()
    assert "None remains" in report.page.locator("#structures").inner_text()


# -- the table ---------------------------------------------------------------------------------------------------------


def test_the_table_sorts_and_filters(shelf: Shelf) -> None:
    page = shelf.open("health").page
    rows = page.locator("#pairs tbody tr")
    page.locator("#filter").fill("smok")
    assert rows.count() == 5
    assert all("smoking" in text for text in rows.all_inner_texts())
    page.locator("#filter").fill("")
    page.locator("#status").select_option("apart")
    assert rows.count() == 4
    page.locator("#status").select_option("")
    head = page.get_by_role("button", name="1st causes 2nd")
    head.click()
    shares = [as_number(text) for text in page.locator("#pairs tbody td:nth-child(8)").all_inner_texts()]
    assert shares == sorted(shares, reverse=True)
    head.click()
    shares = [as_number(text) for text in page.locator("#pairs tbody td:nth-child(8)").all_inner_texts()]
    assert shares == sorted(shares)
    page.locator("#filter").fill("no such name")
    assert "No pair fits" in page.locator("#pairs tbody").inner_text()


def as_number(text: str) -> float:
    return 0.0 if text == NOTHING else float(text.strip("<> %"))


# -- one by one, and out -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["health", "selection", "nasty", "repaired"])
def test_every_graph_in_every_format(shelf: Shelf, name: str) -> None:
    report, solutions = shelf.open(name), SAMPLES[name]()
    script = """([kind, number]) => Array.from({length: number}, (_, i) => Object.fromEntries(weft.formats.map(f => {
        try { return [f, weft.write(f, kind, i)]; } catch (error) { return [f, null]; }
    })))"""
    wanted = {"mag": set(solutions), "pag": {entry.pag for entry in solutions.pags()}}
    for kind, graphs in wanted.items():
        written = report.page.evaluate(script, [kind, len(graphs)])
        found: set[MixedGraph] = set()
        for texts in written:
            assert sorted(texts) == sorted(TEXT_FORMATS)
            graph = reads(texts["weft"], "weft")
            found.add(graph)
            for format, text in texts.items():
                try:
                    expected = writes(graph, format)
                except weft.WeftError:
                    expected = None
                assert text == expected, format
        assert found == graphs


def test_stepping_through(shelf: Shelf, tmp_path: Path) -> None:
    report, solutions = shelf.open("oracle"), SAMPLES["oracle"]()
    page = report.page
    seen: set[MixedGraph] = set()
    for number in range(1, 39):
        assert page.locator(".where").inner_text() == f"Structure {number} of 38"
        seen.add(reads(page.locator("#export").input_value(), "weft"))
        page.get_by_role("button", name="Next").click()
    assert seen == set(solutions)
    page.get_by_label("Classes (PAGs)").check()
    assert page.locator(".where").inner_text() == "Class 1 of 5"
    page.get_by_role("button", name="Last").click()
    page.locator("#format").select_option("dagitty")
    with page.expect_download() as download:
        page.locator("#save").click()
    download.value.save_as(tmp_path / download.value.suggested_filename)
    graph = weft.read_graph(tmp_path / download.value.suggested_filename)
    assert graph in {entry.pag for entry in solutions.pags()}


def test_what_a_format_cannot_hold_is_refused_with_a_reason(shelf: Shelf) -> None:
    page = shelf.open("nasty").page
    page.locator("#format").select_option("tetrad")
    assert "cannot stand in a Tetrad graph" in page.locator("#structures .note").inner_text()
    assert page.locator("#save").is_disabled()


def test_the_picture_can_be_saved(shelf: Shelf, tmp_path: Path) -> None:
    page = shelf.open("oracle").page
    with page.expect_download() as download:
        page.get_by_role("button", name="Save picture").click()
    download.value.save_as(tmp_path / "graph.png")
    picture = matplotlib.image.imread(tmp_path / "graph.png")
    assert tuple(picture[0, 0]) == (1.0, 1.0, 1.0, 1.0)
    assert picture[:, :, :3].min() < 0.2, "names and lines are on it"


# -- safe, and for everyone --------------------------------------------------------------------------------------------


def test_names_are_text_and_nothing_else(shelf: Shelf) -> None:
    report = shelf.open("nasty")
    page = report.page
    for number in range(len(report.view.summary.pairs)):
        page.locator(f'#pairs tr[data-place="{number}"] button').click()
    page.locator("#graph").get_by_label("Every edge apart").check()
    assert page.title() != "owned"
    assert page.locator("img").count() == 0
    assert page.locator("b").count() == 0
    text = page.locator("#studies").inner_text()
    assert all(name in text for name in NASTY)
    assert "<b>bold</b>" in text


def test_the_policy_refuses_other_scripts(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    report.page.evaluate(
        "() => { const one = document.createElement('script'); one.textContent = 'window.owned = 1';"
        " document.body.append(one); }"
    )
    assert report.page.evaluate("window.owned") is None
    assert [problem for problem in report.problems if "Content Security Policy" not in problem] == []
    assert report.problems
    report.problems.clear()


def test_by_keyboard_alone(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    page = report.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "To the answer"
    reached: set[str] = set()
    for _ in range(80):
        page.keyboard.press("Tab")
        tag, where = page.evaluate(
            "[document.activeElement.tagName, document.activeElement.closest('section, .bar, header')?.id ?? '']"
        )
        reached.add(f"{tag} {where}")
    for wanted in ("SELECT graph", "BUTTON graph", "DIV graph", "INPUT pairs", "BUTTON pairs", "INPUT structures"):
        assert wanted in reached
    button = page.locator('.toggle[data-topic="causes"]').first
    button.focus()
    before = report.remaining()
    page.keyboard.press("Space")
    assert report.remaining() < before
    assert page.evaluate("document.activeElement.getAttribute('aria-pressed')") == "true", "the focus stays"
    page.keyboard.press("Space")
    assert report.remaining() == before


def test_dark_light_and_narrow(shelf: Shelf) -> None:
    report = shelf.open("long_names", color_scheme="dark")
    page = report.page
    colour = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(colour)
    page.get_by_role("button", name="Light").click()
    assert page.evaluate(colour) != dark
    for width in (1920, 1366, 1024, 600):
        page.set_viewport_size({"width": width, "height": 800})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_paper_is_light_even_in_the_dark(shelf: Shelf) -> None:
    page = shelf.open("oracle", color_scheme="dark").page
    colours = """name => { if (name) window.dispatchEvent(new Event(name));
        return [document.documentElement.dataset.theme,
                getComputedStyle(document.querySelector('#graph .frame')).fill]; }"""
    dark = page.evaluate(colours, "")
    assert dark[0] == "dark"
    assert page.evaluate(colours, "beforeprint") == ["light", "rgb(255, 255, 255)"]
    assert page.evaluate(colours, "afterprint") == dark


def test_paper_shows_all_of_the_picture(shelf: Shelf) -> None:
    report = shelf.open("oracle")
    page, boxes = report.page, report.view.layout.boxes
    for _ in range(4):
        page.locator("#graph").get_by_role("button", name="Larger").click()
    drawing = page.locator("#graph .drawing")
    larger = drawing.get_attribute("viewBox")
    page.evaluate("window.dispatchEvent(new Event('beforeprint'))")
    left, top, width, height = map(float, (drawing.get_attribute("viewBox") or "").split())
    assert left < min(box.left for box in boxes) < max(box.right for box in boxes) < left + width
    assert top < min(box.top for box in boxes) < max(box.bottom for box in boxes) < top + height
    page.evaluate("window.dispatchEvent(new Event('afterprint'))")
    assert drawing.get_attribute("viewBox") == larger


def test_it_prints(shelf: Shelf) -> None:
    assert shelf.open("health").page.pdf().startswith(b"%PDF")
