"""Reports in a real browser: Debian's Chromium, driven by Playwright. Skipped, with a reason, where one is missing."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from tests.browser import samples
from tests.support.waiting import LONG_WAIT
from weft.report.html import to_html
from weft.report.view import View

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


def launched(playwright: Any) -> Browser:
    """Chromium without a window."""
    found = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if found is None:
        pytest.skip("there is no chromium; apt-get install chromium")
    browser: Browser = playwright.chromium.launch(executable_path=found, args=FLAGS)
    return browser


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    api = pytest.importorskip("playwright.sync_api", reason="there is no playwright; pip install playwright")
    with api.sync_playwright() as playwright:
        browser = launched(playwright)
        yield browser
        browser.close()


class Opened:
    """A page that is open, and what went wrong in it."""

    def __init__(self, browser: Browser, address: str, fragment: str = "", **options: Any) -> None:
        self.problems: list[str] = []
        self.requests: list[str] = []
        self._address = address
        self.context = browser.new_context(viewport={"width": 1366, "height": 850}, accept_downloads=True, **options)
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * LONG_WAIT)
        self.page.on("console", lambda message: self.problems.append(f"{message.type}: {message.text}"))
        self.page.on("pageerror", lambda error: self.problems.append(f"error: {error}"))
        self.page.on("dialog", self._asked)
        self.page.on("request", self._requested)
        self.page.goto(address + fragment)
        self.page.wait_for_function("() => window.weft !== undefined")
        self.names: list[str] = self.page.evaluate("weft.state.view.variables")

    def _asked(self, dialog: Any) -> None:
        self.problems.append(f"dialog: {dialog.message}")
        dialog.dismiss()

    def _requested(self, request: Any) -> None:
        if request.url.partition("#")[0] in (self._address, f"{self._address}ask"):
            self.requests.append(request.post_data or "")
        elif not request.url.startswith(("data:", "blob:")):
            self.problems.append(f"request: {request.url}")

    def remaining(self) -> int:
        """The count that the page shows."""
        return int(self.page.locator("#remaining strong").inner_text().replace(",", ""))

    def places(self, part: str) -> list[tuple[float, float]]:
        """Where the picture in a part of the page has its variables."""
        script = "all => all.map(box => { const { e, f } = box.transform.baseVal[0].matrix; return [e, f]; })"
        found: list[list[float]] = self.page.locator(f"{part} .drawing .box").evaluate_all(script)
        return [(x, y) for x, y in found]

    def choose(self, x: str, y: str) -> None:
        """Look at a pair."""
        self.page.get_by_label("First variable").select_option(str(self.names.index(x)))
        self.page.get_by_label("Second variable").select_option(str(self.names.index(y)))

    def toggle(self, topic: str, x: str, y: str, holds: bool) -> None:
        """Press the button of a supposition."""
        a, b = self.names.index(x), self.names.index(y)
        where = f'.toggle[data-topic="{topic}"][data-x="{a}"][data-y="{b}"][data-holds="{str(holds).lower()}"]'
        self.page.locator(where).click()


class Report(Opened):
    """A report that is open from its file."""

    def __init__(self, browser: Browser, file: Path, view: View, fragment: str = "", **options: Any) -> None:
        super().__init__(browser, file.as_uri(), fragment, **options)
        self.view = view


class Shelf:
    """Reports made once and opened as often as need be."""

    def __init__(self, browser: Browser, folder: Path) -> None:
        self._browser, self._folder = browser, folder
        self._views: dict[str, View] = {}
        self._open: list[Report] = []

    def open(self, name: str, **options: Any) -> Report:
        file = self._folder / f"{name}.html"
        if name not in self._views:
            self._views[name] = samples.view(name)
            to_html(self._views[name], file)
        report = Report(self._browser, file, self._views[name], **options)
        self._open.append(report)
        return report

    def close(self) -> list[str]:
        """Close what is open; what went wrong."""
        problems = [problem for report in self._open for problem in report.problems]
        for report in self._open:
            report.context.close()
        self._open = []
        return problems


@pytest.fixture(scope="session")
def _shelf(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Shelf:
    return Shelf(browser, tmp_path_factory.mktemp("reports"))


@pytest.fixture
def shelf(_shelf: Shelf) -> Iterator[Shelf]:
    """Opens reports; afterwards nothing may have gone wrong in any of them."""
    yield _shelf
    assert _shelf.close() == []
