"""Pictures of the report's main states: ``python -m tests.browser.screenshots FOLDER [SAMPLE...]``."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from tests.browser.conftest import Report, launched
from tests.browser.samples import SAMPLES, fifty
from weft.report.html import to_html
from weft.report.view import view_of
from weft.solutions.solution_set import SolutionSet

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PARTS = ("answer", "graph", "pairs", "structures", "conflicts", "studies", "next", "about")
SHOWN: Mapping[str, Callable[[], SolutionSet]] = {**SAMPLES, "fifty": fifty}


def main(folder: Path) -> None:
    """Write a PNG for each state, and what the page looks like on paper."""
    from playwright.sync_api import sync_playwright

    folder.mkdir(parents=True, exist_ok=True)
    wanted = set(sys.argv[2:]) or set(SHOWN)
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
        browser.close()


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
    page.set_viewport_size({"width": 700, "height": 900})
    page.locator("#graph").evaluate("part => part.scrollIntoView()")
    page.wait_for_timeout(300)
    yield "narrow"


if __name__ == "__main__":
    main(Path(sys.argv[1]))
