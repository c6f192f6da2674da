"""Pictures of report and explorer in their main states: ``python -m tests.browser.screenshots FOLDER [NAME...]``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

from tests.browser.conftest import Report, launched
from tests.browser.explorer import Explorer, in_thread
from tests.browser.samples import SAMPLES, fifty, health, many
from weft.report.html import to_html
from weft.report.view import view_of
from weft.solutions.solution_set import SolutionSet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARTS = ("answer", "graph", "pairs", "structures", "conflicts", "studies", "next", "about")
SHOWN: Mapping[str, Callable[[], SolutionSet]] = {**SAMPLES, "fifty": fifty}
EXPLORED: Mapping[str, tuple[Callable[[], SolutionSet], int]] = {
    "explore": (health, 100_000),
    "explore-many": (many, 500),
}
"""What is explored, and how many structures are shipped at most."""
SCREENS = ((1366, 768), (1920, 1080), (1024, 768))


def main(folder: Path) -> None:
    """Write a PNG for each state, and what the page looks like on paper."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[2:]) or {*SHOWN, *EXPLORED}
    with TemporaryDirectory() as made, sync_playwright() as playwright:
        browser = launched(playwright)
        for name, sample in SHOWN.items():
            if name not in wanted:
                continue
            view = view_of(sample())
            file = Path(made) / f"{name}.html"
            to_html(view, file)
            for scheme in ("light", "dark") if name == "health" else ("light",):
                report = Report(browser, file, view, color_scheme=scheme)
                for state in states(browser, report, name):
                    report.page.screenshot(path=folder / f"{name}-{scheme}-{state}.png")
                if scheme == "light":
                    report.page.pdf(path=folder / f"{name}.pdf", format="A4")
                report.context.close()
        for name, (sample, most) in EXPLORED.items():
            if name in wanted:
                with patch("weft.solutions.solution_set.most_structures", lambda _, most=most: most):
                    explored(browser, sample(), folder, name)
        browser.close()


def explored(browser: Browser, solutions: SolutionSet, folder: Path, name: str) -> None:
    """The explorer before and after a supposition, on three screens, in the dark, on paper, and without its solver."""
    with in_thread(solutions) as address:
        explorer = Explorer(browser, address)
        page = explorer.page
        page.locator("#graph").evaluate("part => part.scrollIntoView()")
        for state in ("before", "asking", "after"):
            if state == "asking":
                page.locator('.toggle[data-topic="confounded"]').nth(1).click()
                page.wait_for_timeout(30)
            elif state == "after":
                explorer.settle()
            page.screenshot(path=folder / f"{name}-{state}.png")
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            page.locator("#graph").evaluate("part => part.scrollIntoView()")
            page.wait_for_timeout(300)
            page.screenshot(path=folder / f"{name}-{width}.png")
        page.get_by_role("button", name="Dark").click()
        page.wait_for_timeout(200)
        page.screenshot(path=folder / f"{name}-dark.png")
        page.locator("#next").evaluate("part => part.scrollIntoView()")
        page.screenshot(path=folder / f"{name}-dark-next.png")
        page.pdf(path=folder / f"{name}.pdf", format="A4")
    page.locator("#graph").evaluate("part => part.scrollIntoView()")
    page.locator('.toggle[data-topic="adjacent"]').nth(1).click()
    page.locator(".trouble").wait_for(state="visible")
    page.wait_for_timeout(400)
    page.screenshot(path=folder / f"{name}-gone.png")
    explorer.context.close()


def states(browser: Browser, report: Report, name: str) -> Iterator[str]:
    """Bring the page into one state after the other."""
    page = report.page
    for part in PARTS:
        page.locator(f"#{part}").evaluate("part => part.scrollIntoView()")
        page.wait_for_timeout(300)
        yield part
    if name == "contradiction":
        return
    page.locator("#graph").evaluate("part => part.scrollIntoView()")
    page.get_by_label("Every edge apart").check()
    page.wait_for_timeout(200)
    yield "graph-apart"
    page.get_by_label("One line a pair").check()
    page.locator(".toggle:not(:disabled)").nth(0).click()
    page.wait_for_timeout(200)
    yield "supposed"
    page.get_by_label("Classes (PAGs)").check()
    page.locator("#structures").evaluate("part => part.scrollIntoView()")
    page.wait_for_timeout(300)
    yield "classes"
    page.evaluate("scrollTo(0, 0)")
    page.wait_for_timeout(200)
    yield "answer-supposed"
    page.set_viewport_size({"width": 390, "height": 844})
    for part in ("answer", "graph", "pairs", "structures"):
        page.locator(f"#{part}").evaluate("part => part.scrollIntoView()")
        page.wait_for_timeout(300)
        yield f"telephone-{part}"
    page.set_viewport_size({"width": 700, "height": 900})
    page.locator("#graph").evaluate("part => part.scrollIntoView()")
    page.wait_for_timeout(300)
    yield "narrow"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
