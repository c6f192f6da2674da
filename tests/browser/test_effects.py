"""How large effects are, on the page and in the explorer."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.browser.conftest import Report, Shelf
from tests.browser.explorer import Explorer, in_thread
from tests.browser.samples import NASTY
from tests.support.sized import sized
from weft.report.html import to_html
from weft.report.view import view_of
from weft.solutions.solution_set import SolutionSet

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def solutions(tmp_path_factory: pytest.TempPathFactory) -> SolutionSet:
    return sized(tmp_path_factory.mktemp("sized"))


@pytest.fixture(scope="module")
def report(solutions: SolutionSet, browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Report]:
    view, file = view_of(solutions, patience=0), tmp_path_factory.mktemp("page") / "sized.html"
    to_html(view, file)
    opened = Report(browser, file, view)
    yield opened
    assert opened.problems == []
    opened.context.close()


def test_every_effect_is_there_with_its_cases(report: Report) -> None:
    effects = report.view.effects
    assert effects
    assert report.page.locator("#effects .effect").count() == len(effects)
    texts = report.page.locator("#effects .effect").all_inner_texts()
    assert all(one.sentence in text for one, text in zip(effects, texts, strict=True))
    first = report.page.locator("#effects .effect").first
    assert first.locator("tbody tr").count() == len(effects[0].cases)
    words = first.locator("tbody td:last-child").all_inner_texts()
    assert words == [one.in_words for one in effects[0].cases]


def test_the_interval_is_where_it_should_be(report: Report) -> None:
    """The picture has the estimate between the ends, and 0 where the line is."""
    assert report.view.effects is not None
    effect = report.view.effects[0]
    case = effect.known[0]
    assert case.low is not None
    assert case.low > 0  # X acts on M by about 2
    row = report.page.locator("#effects .effect").first.locator("tr.adjusted").first
    zero, bar, dot = (row.locator(f".{name}").bounding_box() for name in ("zero", "interval", "estimate"))
    assert zero
    assert bar
    assert dot
    assert zero["x"] < bar["x"] < dot["x"] + dot["width"] / 2 < bar["x"] + bar["width"]


def test_the_chosen_pair_has_its_effect(report: Report) -> None:
    assert report.view.effects is not None
    sentence = next(one.sentence for one in report.view.effects if (one.cause, one.outcome) == ("X", "M"))
    report.choose("M", "X")
    assert sentence in report.page.locator("#pair .sizes").inner_text()
    report.toggle("causes", "X", "M", True)
    assert "without your suppositions" in report.page.locator("#pair .sizes").inner_text()
    assert "without your suppositions" in report.page.locator("#effects").inner_text()
    report.toggle("causes", "X", "M", True)


@pytest.mark.parametrize("width", [390, 1280])
def test_nothing_is_wider_than_the_screen(report: Report, width: int) -> None:
    report.page.set_viewport_size({"width": width, "height": 800})
    report.page.locator("#effects details").evaluate_all("all => all.forEach(one => one.open = true)")
    widest = report.page.locator("#effects, #effects *, #pair .sizes *").evaluate_all(
        "all => Math.max(...all.map(one => one.getBoundingClientRect().right))"
    )
    assert widest <= width


def test_without_tables_the_page_says_how_to_get_them(shelf: Shelf) -> None:
    text = shelf.open("oracle").page.locator("#effects").inner_text()
    assert "does not come from tables" in text
    assert "weft effects" in text


def test_names_are_text(browser: Browser, tmp_path: Path) -> None:
    a, b, c, _, d = NASTY
    view = view_of(sized(tmp_path, (a, b, c, d)), patience=0)
    assert view.effects
    to_html(view, tmp_path / "nasty.html")
    report = Report(browser, tmp_path / "nasty.html", view)
    assert view.effects[0].sentence in report.page.locator("#effects .effect").first.inner_text()
    assert report.page.locator("#effects img, #effects script").count() == 0
    assert report.page.title() != "owned"
    assert report.problems == []
    report.context.close()


def test_what_if(solutions: SolutionSet, browser: Browser) -> None:
    """The solver tells the effects of the chosen pair under what is supposed."""
    with in_thread(solutions) as address:
        explorer = Explorer(browser, address)
        explorer.choose("X", "Y")
        explorer.settle()
        part = explorer.page.locator("#pair .sizes")
        assert solutions.effects("X", "Y").sentence in part.inner_text()
        explorer.choose("I", "X")
        explorer.toggle("confounded", "I", "X", False)
        explorer.choose("X", "Y")
        explorer.settle()
        under = solutions.assume("I and X are not confounded")
        shares = {round(100 * one.share) for one in under.effects("X", "Y").cases if one.share}
        figures = part.locator("tbody td.figure").all_inner_texts()
        assert {int(text.strip("<> %")) for text in figures} == shares
        assert "of the structures" in part.inner_text()
        explorer.toggle("causes", "X", "Y", True)  # what is supposed is certain, but the rest is not known to be
        explorer.settle()
        assert "% of the structures)" in part.locator("p").first.inner_text(), part.inner_text()
        assert explorer.problems == []
        explorer.context.close()
