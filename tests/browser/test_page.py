"""A state of the page can be sent; the answer follows what is supposed; two results; tables and drawings to save."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner

from tests.browser.conftest import Report, Shelf
from tests.browser.samples import NASTY, SAMPLES
from weft.cli.commands import main as weft
from weft.report.beside import beside_of
from weft.report.html import to_html
from weft.search.consequences import Holds

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def fragment(report: Report) -> str:
    return report.page.url.partition("#")[2]


def supposed(report: Report) -> list[str]:
    return report.page.locator(".chips li:not(.hint) > span").all_inner_texts()


# -- in the address ----------------------------------------------------------------------------------------------------


def test_a_state_can_be_sent(shelf: Shelf) -> None:
    first = shelf.open("oracle")
    first.choose("X", "Z")
    first.toggle("causes", "X", "Z", False)
    first.toggle("adjacent", "X", "Z", True)
    assert fragment(first) == "suppose=not-causes,X,Z&suppose=adjacent,X,Z"
    second = shelf.open("oracle", fragment=f"#{fragment(first)}")
    assert supposed(second) == supposed(first) == ["X does not cause Z", "X and Z are adjacent"]
    assert second.remaining() == first.remaining() < 38
    assert second.page.locator(".ignored").is_hidden()
    for _ in range(2):
        first.page.get_by_role("button", name="Undo").click()
    assert "#" not in first.page.url


def test_names_of_any_kind_stand_in_the_address(shelf: Shelf) -> None:
    first = shelf.open("nasty")
    a, b = NASTY[:2]
    first.choose(a, b)
    first.toggle("causes", a, b, True)
    assert re.fullmatch(r"suppose=[A-Za-z0-9%_.,-]+", fragment(first)), "nothing that ends a link in a text"
    second = shelf.open("nasty", fragment=f"#{fragment(first)}")
    assert second.page.evaluate("weft.state.suppositions") == first.page.evaluate("weft.state.suppositions")
    assert second.page.title() != "owned"


def test_what_cannot_be_supposed_is_ignored_and_told(shelf: Shelf) -> None:
    markup = "<img src=x onerror=\"document.title='owned'\">"
    wrong = [
        "causes,X,nobody",
        "causes,X,X",
        "hates,X,Y",
        "causes,X",
        markup,
        "causes,%E0,Y",
        "not-causes,X,Z",
        "causes,@9,X",
    ]
    pieces = "&".join(f"suppose={one}" for one in ["causes,X,Z", *wrong])
    report = shelf.open("oracle", fragment=f"#nowhere&{pieces}")
    assert supposed(report) == ["X causes Z"]
    note = report.page.locator(".ignored")
    assert note.is_visible()
    said = note.inner_text()
    assert said.count("this page has no such variable") == 3
    assert said.count("it is not of the form") == 3
    assert "it names one variable twice" in said
    assert "another one says the opposite" in said
    assert note.locator("*").count() == 0, "text, and nothing else"
    assert report.page.title() != "owned"
    assert fragment(report) == "suppose=causes,X,Z", "what is ignored is not handed on"
    report.page.get_by_role("button", name="Clear all").click()
    assert note.is_hidden()


def test_where_nothing_can_be_supposed_it_says_so(shelf: Shelf) -> None:
    report = shelf.open("contradiction", fragment="#suppose=causes,X,Y")
    assert "nothing can be supposed here" in report.page.locator(".ignored").inner_text()
    assert report.page.evaluate("weft.state.suppositions") == []


def test_links_to_parts_keep_what_is_supposed(shelf: Shelf) -> None:
    report = shelf.open("oracle", fragment="#pairs&suppose=causes,X,Z")
    page = report.page
    in_sight = "one => { const { top } = one.getBoundingClientRect(); return top >= 0 && top < innerHeight / 2; }"
    assert page.locator("#pairs").evaluate(in_sight)
    left = report.remaining()
    page.get_by_role("navigation").get_by_role("link", name="Studies").click()
    page.wait_for_function("() => location.hash.includes('&')")
    assert fragment(report) == "studies&suppose=causes,X,Z"
    assert report.remaining() == left
    page.go_back()
    page.wait_for_function("() => location.hash.startsWith('#pairs')")
    assert supposed(report) == ["X causes Z"]


# -- the answer --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "claim", "piece"),
    [
        ("oracle", "X causes Z", "causes,X,Z"),
        ("oracle", "X and Y are adjacent", "adjacent,X,Y"),
        ("health", "cough and pressure are adjacent", "adjacent,cough,pressure"),
        ("repaired", "W does not cause Y", "not-causes,W,Y"),
    ],
)
def test_the_answer_follows_what_is_supposed(shelf: Shelf, name: str, claim: str, piece: str) -> None:
    report = shelf.open(name)
    then = report.page.locator("#answer .then")
    assert then.is_hidden()
    report.page.evaluate(f"location.hash = 'suppose={piece}'")
    then.wait_for(state="visible")
    said = then.inner_text()
    summary = SAMPLES[name]().assume(claim).summary()
    causes = [one for one in summary.causes if one.holds is Holds.ALL]
    assert re.search(rf"suppose, {len(causes)} causal effects? (is|are) in all structures", said)
    before = report.view.summary
    for one in causes:
        new = before.holds(one.claim) is not Holds.ALL and str(one.claim) != claim
        assert (str(one.claim) in said) == new
    settled = {pair for pair, own in summary.pairs.items() if any(_settles(one.claim.symbol, one) for one in own)}
    left = len(summary.pairs) - len(settled)
    assert f"the edge of {left} of" in said if left else "Open" not in said
    assert "each is that of the whole answer" in said
    rows = report.page.locator("#claims details")
    for i, told in enumerate(report.view.claims):
        now = rows.nth(i).locator(".then").inner_text() if i < 8 else ""
        if now and "not told" not in now:
            holds = summary.holds(told.claim)
            assert (now.removeprefix("supposing that: ") in ("in all", "in none")) == (holds is not Holds.SOME)
        assert rows.nth(i).locator(".sureness").text_content() == told.sure, "which does not follow"
    report.page.get_by_role("button", name="Clear all").click()
    assert then.is_hidden()


def _settles(symbol: str, finding: object) -> bool:
    """Whether a finding says which edge all structures have, or that none has any."""
    claim, holds = finding.claim, finding.holds  # type: ignore[attr-defined]
    if claim.topic != "edge":
        return False
    return holds is Holds.NONE if symbol == "o-o" else holds is Holds.ALL


def test_when_nothing_is_left_the_answer_says_so(shelf: Shelf) -> None:
    report = shelf.open("health", fragment="#suppose=causes,stroke,age")
    assert report.remaining() == 0
    assert "no structure is left" in report.page.locator("#answer .then").inner_text()


# -- to save -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["health", "selection", "nasty", "contradiction"])
def test_tables_are_those_of_the_command_line(shelf: Shelf, tmp_path: Path, name: str) -> None:
    page = shelf.open(name).page
    SAMPLES[name]().save(tmp_path / "result.json")
    for button, file, options in (("Claims as CSV", "claims.csv", ()), ("Pairs as CSV", "pairs.csv", ("--pairs",))):
        with page.expect_download() as waiting:
            page.get_by_role("button", name=button).click()
        assert waiting.value.suggested_filename == file
        waiting.value.save_as(tmp_path / file)
        ran = CliRunner().invoke(weft, ["claims", str(tmp_path / "result.json"), "--format", "csv", *options])
        assert (tmp_path / file).read_text(encoding="utf-8") == ran.stdout
        assert len(ran.stdout.splitlines()) > (0 if name == "contradiction" else 3)


@pytest.mark.parametrize("name", ["health", "nasty"])
def test_a_drawing_can_be_saved(shelf: Shelf, tmp_path: Path, name: str) -> None:
    report = shelf.open(name, color_scheme="dark")
    with report.page.expect_download() as waiting:
        report.page.locator("#graph").get_by_role("button", name="Save as SVG").click()
    assert waiting.value.suggested_filename == "graph.svg"
    waiting.value.save_as(tmp_path / "graph.svg")
    root = ElementTree.parse(tmp_path / "graph.svg").getroot()
    space = "{http://www.w3.org/2000/svg}"
    boxes = [one for one in root.iter(f"{space}g") if one.get("class") == "box"]
    assert len(boxes) == len(report.names)
    lines = [one for one in root.iter(f"{space}g") if (one.get("class") or "").split()[:1] == ["line"]]
    assert len(lines) == report.page.locator("#graph .line").count()
    assert root.findtext(f"{space}title") == report.view.title
    names = {one.get("fill") for box in boxes for one in box.iter(f"{space}text") if one.get("class") == "name"}
    assert names == {"rgb(27, 31, 36)"}, "dark letters, even from a dark page"
    assert report.page.evaluate("document.documentElement.dataset.theme") == "dark"


def test_the_picture_is_there_in_words(shelf: Shelf) -> None:
    report = shelf.open("health")
    words = report.page.locator("#graph .words")
    words.locator("summary").click()
    words.locator("li").first.wait_for()
    said = words.locator("li").all_inner_texts()
    assert len(said) == report.page.locator("#graph .line").count()
    assert any(re.match(r"age and pressure: an edge in all structures, 9\d % sure", one) for one in said)
    report.page.evaluate("location.hash = 'suppose=causes,stroke,age'")
    report.page.locator("#answer .then").wait_for(state="visible")
    assert words.locator("li").all_inner_texts() == ["No structure remains. Take a supposition back."]


# -- two results -------------------------------------------------------------------------------------------------------


def test_two_results_side_by_side(browser: Browser, tmp_path: Path) -> None:
    now, before = SAMPLES["oracle"](), SAMPLES["repaired"]()
    now.save(tmp_path / "now.json")
    before.save(tmp_path / "before.json")
    page_file, files = tmp_path / "page.html", [str(tmp_path / name) for name in ("now.json", "before.json")]
    ran = CliRunner().invoke(weft, ["report", files[0], "--beside", files[1], "-o", str(page_file), "--patience", "1"])
    assert ran.exit_code == 0, ran.output
    from weft.report.view import view_of

    view = view_of(now, patience=0)
    expected = beside_of(now, view, before, ("before.json", "now.json"))
    report = Report(browser, page_file, view)
    part = report.page.locator("#beside")
    assert part.locator("figcaption h3").all_inner_texts() == ["before.json", "now.json"]
    names = ["W", "X", "Y", "Z"]
    assert [part.locator(".drawing").nth(i).locator(".box .name").all_text_contents() for i in (0, 1)] == [names, names]
    places = report.places("#beside")
    assert places[:4] == places[4:], "the same places"
    for i, side in enumerate(expected.sides):
        assert part.locator(".drawing").nth(i).locator(".line").count() == len(side.lines) > 0
    assert part.locator("figure").nth(1).locator(".box.absent").all_text_contents() == ["W"]
    assert "Not in this result (dashed): W" in part.locator("figure").nth(1).inner_text()
    assert part.locator("figure").nth(0).locator(".box.absent").count() == 0
    rows = part.locator("table.list tbody tr")
    changes = expected.comparison.changes
    assert rows.count() == len(changes) > 0
    assert rows.nth(0).locator("th").inner_text() == str(changes[0].claim)
    text = part.inner_text()
    assert all(reason in text for reason in expected.comparison.reasons)
    assert report.problems == []
    report.context.close()


def test_beside_needs_a_page(tmp_path: Path) -> None:
    SAMPLES["oracle"]().save(tmp_path / "a.json")
    file = str(tmp_path / "a.json")
    ran = CliRunner().invoke(weft, ["report", file, "--beside", file, "--figure", str(tmp_path / "a.svg")])
    assert ran.exit_code == 2
    assert "--beside is about the page; add -o report.html" in ran.output


# -- small screens and paper -------------------------------------------------------------------------------------------

BEYOND = """all => all.filter(one => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && !one.closest('.scroll') && !one.classList.contains('skip') && (left < 0 || right > innerWidth);
}).map(one => one.outerHTML)"""


@pytest.mark.parametrize("name", ["health", "long_names", "nasty", "selection", "contradiction"])
def test_everything_is_in_reach_on_a_telephone(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    page.set_viewport_size({"width": 390, "height": 844})
    page.wait_for_timeout(150)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert page.locator("a, button, input, select, textarea, summary, [tabindex]").evaluate_all(BEYOND) == []


@pytest.mark.parametrize("name", ["health", "repaired", "selection"])
def test_nothing_is_wider_than_paper(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    page.set_viewport_size({"width": 680, "height": 1000})  # A4 without its margins
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.evaluate("document.documentElement.scrollWidth") <= 680


def test_paper_reads_as_a_report(shelf: Shelf) -> None:
    report = shelf.open("health", color_scheme="dark")
    page = report.page
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    seen = "all => all.filter(one => one.getClientRects().length).map(one => one.textContent)"
    controls = page.locator("button:not(.link, .sort), input, select, textarea, nav, .tools").evaluate_all(seen)
    assert controls == []
    said = page.locator("#claims .said").evaluate_all(seen)
    assert said == [str(one.claim) for one in report.view.claims], "all of them"
    headings = page.locator("h2").evaluate_all(
        "all => all.filter(one => one.offsetHeight > 8).map(one => one.textContent)"
    )
    assert len(headings) == 8
    assert page.locator("#pairs tbody tr").count() == 15
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert page.evaluate("getComputedStyle(document.body).color") == "rgb(0, 0, 0)"
    assert page.locator("#graph .drawing").bounding_box()["height"] > 100  # type: ignore[index]
    assert page.locator(".warnings li").first.is_visible()
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(".warnings li").first.is_visible()


# -- for those who do not see it, or have no mouse ---------------------------------------------------------------------

AXE = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"


def violations(page: Page) -> list[str]:
    """What axe-core finds."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    found = page.evaluate("axe.run()")["violations"]
    return [f"{one['impact']} {one['id']}: {[node['target'] for node in one['nodes']]}" for one in found]


@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core; run npm install in web/")
@pytest.mark.parametrize(
    ("name", "address", "scheme", "width"),
    [
        ("health", "#suppose=adjacent,cough,pressure&suppose=nonsense", "light", 1366),
        ("health", "", "dark", 390),
        ("selection", "", "dark", 1366),
        ("nasty", "", "light", 390),
        ("contradiction", "", "light", 1366),
    ],
)
def test_axe_finds_nothing(shelf: Shelf, name: str, address: str, scheme: str, width: int) -> None:
    page = shelf.open(name, fragment=address, color_scheme=scheme, bypass_csp=True).page
    page.set_viewport_size({"width": width, "height": 850})
    page.locator("#graph .words summary").click()
    assert violations(page) == []


@pytest.mark.skipif(not AXE.exists(), reason="there is no axe-core; run npm install in web/")
def test_axe_finds_nothing_in_two_results(browser: Browser, tmp_path: Path, shelf: Shelf) -> None:
    view = shelf.open("oracle").view
    now, before = SAMPLES["oracle"](), SAMPLES["repaired"]()
    to_html(view, tmp_path / "page.html", beside_of(now, view, before, ("before", "now")))
    report = Report(browser, tmp_path / "page.html", view, bypass_csp=True)
    assert violations(report.page) == []
    report.context.close()


def test_tab_reaches_every_control_and_shows_where_it_is(shelf: Shelf) -> None:
    page = shelf.open("oracle", fragment="#suppose=causes,X,Z").page
    wanted = page.evaluate(
        """() => {
            const kinds = 'a[href], button, input, select, textarea, summary, [tabindex="0"]';
            const taken = one => one.disabled || (one.type === 'radio' && !one.checked);
            const all = [...document.querySelectorAll(kinds)];
            const open = all.filter(one => one.checkVisibility() && !taken(one));
            open.forEach((one, i) => one.dataset.tab = i);
            return open.length;
        }"""
    )
    assert wanted > 40
    reached: dict[str, bool] = {}
    for _ in range(wanted + 1):
        page.keyboard.press("Tab")
        here = page.evaluate(
            """() => {
                const one = document.activeElement, style = getComputedStyle(one);
                return [one.dataset.tab ?? '', style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2];
            }"""
        )
        reached[here[0]] = here[1]
    assert {str(i) for i in range(wanted)} <= set(reached)
    assert all(reached[str(i)] for i in range(wanted)), "the focus is seen"
