"""The answer in thirty seconds: what the first screen says, and that all of it is what the result file says."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.browser.conftest import Report, Shelf
from tests.browser.samples import SAMPLES
from weft.evidence.claims import Claim, Topic
from weft.report.glossary import TERMS
from weft.report.scene import STUDIES
from weft.solutions.explain import in_percent
from weft.solutions.result_file import result_document

NOTHING = "–"  # noqa: RUF001
DATA = ("health", "repaired", "tied")


def saved(name: str, report: Report) -> dict[str, Any]:
    """What the result file holds, claim by claim."""
    document = json.loads(json.dumps(result_document(SAMPLES[name](), report.view)))
    return {one["claim"]: one for one in document["claims"]}


@pytest.mark.parametrize("name", ["health", "oracle", "repaired", "tied", "long_names"])
def test_the_first_screen_has_the_claims_and_the_picture(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    page.set_viewport_size({"width": 1280, "height": 800})
    picture, claims = page.locator("#graph .stage").bounding_box(), page.locator("#claims").bounding_box()
    assert picture is not None
    assert claims is not None
    assert 0 < picture["y"] < 800 - 250, "at least a good part of the picture is seen"
    assert claims["y"] < 800 - 250
    assert claims["x"] + claims["width"] <= picture["x"], "the claims stand beside it"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1280


@pytest.mark.parametrize("name", sorted(SAMPLES))
def test_claims_are_those_of_the_result_file_and_in_order(shelf: Shelf, name: str) -> None:
    report = shelf.open(name)
    page, view = report.page, report.view
    in_file = saved(name, report)
    more = page.locator("#claims > button")
    if more.is_visible():
        more.click()
    rows = page.locator("#claims details")
    assert rows.count() == len(view.claims)
    said = rows.locator(".said").all_inner_texts()
    sure = rows.locator(".sureness").all_inner_texts()
    for i, told in enumerate(view.claims):
        same = in_file[str(told.claim)]
        assert " ".join(said[i].split()) == " ".join(str(told.claim).split())
        about = "~" if same["estimated"] else ""
        assert same["confidence"] == 1 or sure[i] == f"{about}{in_percent(same['confidence'])}"
        assert sure[i] == told.sure
        again = rows.nth(i).locator(".again")
        assert again.count() == (same["bootstrap"] is not None)
        if same["bootstrap"] is not None:
            assert again.inner_text() == f"bootstrap {in_percent(same['bootstrap']['all'])}"
    causes = [
        in_file[claim]["confidence"] for claim in map(str, (one.claim for one in view.claims)) if " causes " in claim
    ]
    assert causes == sorted(causes, reverse=True), "the surest first"


@pytest.mark.parametrize("name", DATA)
def test_every_figure_of_a_pair_is_that_of_the_result_file(shelf: Shelf, name: str) -> None:
    report = shelf.open(name)
    in_file = saved(name, report)
    for place, (x, y) in enumerate(report.view.summary.pairs):
        cells = report.page.locator(f'#pairs tr[data-place="{place}"] td').all_inner_texts()
        adjacent, apart = Claim(Topic.EDGE, x, y), Claim(Topic.EDGE, x, y, holds=False)
        stated = in_file.get(str(adjacent)) or in_file[str(apart)]
        ahead = "edge" if str(adjacent) in in_file else "none"
        confidence = stated["confidence"]
        assert cells[2] == ("open" if confidence == 0.5 else f"{ahead} {in_percent(confidence)}")
        for cell, (a, symbol, b) in zip(cells[3:6], ((x, "->", y), (y, "->", x), (x, "<->", y)), strict=True):
            claim = Claim(Topic.EDGE, a, b, symbol=symbol).canonical
            one = in_file.get(str(claim))
            share = one["share"] if one is not None else 1 - in_file[str(claim.negated)]["share"]
            assert cell == (NOTHING if share == 0 else in_percent(share))


def test_a_claim_is_one_click_from_its_weakest_link(shelf: Shelf) -> None:
    report = shelf.open("health")
    page, view = report.page, report.view
    several = next(i for i, one in enumerate(view.claims[:8]) if one.reason and len(one.reason.statements) > 1)
    told = view.claims[several]
    assert told.reason is not None
    assert told.weakest is not None
    row = page.locator("#claims details").nth(several)
    assert told.reason.sentence_of(told.weakest) in row.locator(".rests").inner_text()
    row.locator("summary").click()
    marked = row.locator(".weakest")
    marked.first.wait_for()  # a browser tells that something was opened a little later
    assert marked.count() == 1
    assert told.reason.sentence_of(told.weakest) in marked.inner_text()
    shown = row.inner_text()
    assert told.reason.lead in shown
    assert all(sentence in shown for sentence in told.reason.close)
    pair = sorted((told.claim.x, told.claim.y))
    assert page.evaluate("weft.state.selected") == list(view.summary.pairs).index((pair[0], pair[1]))


@pytest.mark.parametrize("name", DATA)
def test_what_rests_on_data_is_not_called_certain(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    for place in range(page.locator("#pairs tbody tr").count()):
        page.locator(f'#pairs tr[data-place="{place}"] button').click()
        text = page.locator("#pair").inner_text().lower()
        assert "certain" not in text
        assert "impossible" not in text
    assert "certain" not in page.locator("#answer").inner_text().lower()
    assert "certain" not in page.locator("#claims").inner_text().lower()


def test_near_ties_are_told_where_people_look(shelf: Shelf) -> None:
    report = shelf.open("tied")
    assert report.view.near_tie is not None
    note = report.page.locator("#answer .tie")
    assert note.inner_text() == report.view.lead[-1]
    assert "2 would do almost as well as the 1.5 given up" in note.inner_text()
    assert report.page.locator("#answer .tie").is_visible()
    assert shelf.open("repaired").page.locator("#answer .tie").count() == 0, "twice as heavy is no tie"


def test_words_of_the_field_are_explained(shelf: Shelf) -> None:
    page = shelf.open("health").page
    terms = page.locator(".term")
    found = {(one.get_attribute("data-term"), one.get_attribute("title")) for one in terms.all()}
    assert found <= set(TERMS.items())
    assert {word for word, _ in found} >= {"MAG", "PAG", "confidence", "claim", "bootstrap", "confounded"}
    first = terms.first
    first.focus()
    shown = first.evaluate("one => getComputedStyle(one, '::after').content")
    assert json.loads(shown) == first.get_attribute("title"), "the keyboard shows it, too"


def test_a_line_is_as_wide_as_its_edge_is_sure(shelf: Shelf) -> None:
    report = shelf.open("health")
    page, view = report.page, report.view
    width = "Number(one.querySelector('.shaft').getAttribute('stroke-width'))"
    script = f"all => all.map(one => [Number(one.dataset.pair), {width}])"
    widths = dict(page.locator("#graph .line").evaluate_all(script))
    pairs = list(view.summary.pairs)
    sure = {place: view.summary.finding(Claim(Topic.EDGE, *pairs[place])).confidence or 0.0 for place in widths}
    ordered = sorted(widths, key=lambda place: (max(0.5, sure[place]), widths[place]))
    assert len(widths) > 3
    assert [widths[place] for place in ordered] == sorted(widths.values())
    assert (
        len({round(max(0.5, one), 6) for one in sure.values()}) == len({round(one, 6) for one in widths.values()}) > 1
    )
    assert "the wider, the surer (confidence) that there is an edge" in page.locator(".legend").inner_text()


def test_under_suppositions_there_are_shares_only(shelf: Shelf) -> None:
    report = shelf.open("health")
    page = report.page
    assert page.locator("#claims .supposing").is_hidden()
    page.locator(".toggle:not(:disabled)").nth(0).click()
    assert page.locator("#claims .supposing").is_visible()
    assert set(page.locator("#pairs tbody td:nth-child(3)").all_inner_texts()) == {NOTHING}
    assert "no confidence is known" in page.locator(".legend").inner_text()
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#claims .supposing").is_hidden()
    assert set(page.locator("#pairs tbody td:nth-child(3)").all_inner_texts()) != {NOTHING}


def test_each_colour_means_one_thing(shelf: Shelf) -> None:
    page = shelf.open("health").page
    value = "name => getComputedStyle(document.documentElement).getPropertyValue(name).trim()"
    studies = [page.evaluate(value, f"--study-{i}") for i in range(len(STUDIES))]
    assert studies == list(STUDIES), "as in the figures"
    others = [page.evaluate(value, f"--{name}") for name in ("accent", "both", "focus", "ink", "quiet")]
    assert len({*studies, *others}) == len(studies) + len(others)


@pytest.mark.parametrize("name", ["health", "tied", "long_names"])
def test_on_a_narrow_screen_nothing_covers_a_heading(shelf: Shelf, name: str) -> None:
    page = shelf.open(name).page
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    for part, heading in (("graph", "#claims h3"), ("pairs", "#pairs-title"), ("structures", "#structures-title")):
        page.evaluate(f"location.hash = '{part}'")
        page.wait_for_timeout(150)
        script = """one => {
            const { left, top, width, height } = one.getBoundingClientRect();
            const there = document.elementFromPoint(left + width / 2, top + height / 2);
            return one.contains(there) || there === one;
        }"""
        assert page.locator(heading).evaluate(script), f"{heading} is covered"
