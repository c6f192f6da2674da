"""65,304 structures on eleven variables: the report's size, how soon it can be used, how soon the solver answers."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Iterable, Iterator
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path
from shutil import which

from benchmarks.settings import Settings
from benchmarks.table import Row, memory_row, skipped, time_row
from tests.browser.conftest import FLAGS
from tests.browser.samples import many
from tests.support.live import drawn
from weft.report.html import to_html
from weft.report.live import Desk
from weft.report.question import Kind, Question
from weft.report.view import view_of

_REPEATS, _QUESTIONS = 5, 20
_TOGGLES = """() => [["causes", 0, 1, false], ["adjacent", 2, 5, false], ["causes", 8, 9, false]].map(
    ([topic, x, y, holds]) => {
        const start = performance.now();
        weft.state.toggle({topic, x, y, holds});
        document.body.offsetHeight;  // lays the page out
        return (performance.now() - start) / 1000;
    })"""


def report(settings: Settings) -> Iterator[Row]:
    """Size, time until everything can be used, and time from a toggle to new figures, with and without the solver."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "report.html"
        to_html(view_of(many(), patience=4), file)
        yield memory_row("size of the report", [file.stat().st_size / 1e6], goal=3)
        answered = _answered(settings.seeds(_QUESTIONS))  # the solver is warm, as it is when weft explore has its page
        yield time_row("from a question to the solver's figures", answered, goal=0.3)
        if find_spec("playwright") is None or which("chromium") is None:
            yield skipped("the page in Chromium", "there is no playwright, or no chromium")
            return
        ready, toggles = _opened(file, len(settings.seeds(_REPEATS)))
    yield time_row("from opening it to everything usable", ready, goal=1)
    yield time_row("from a toggle to new figures", toggles, goal=0.1)


def _answered(seeds: Iterable[int]) -> list[float]:
    """What it takes to answer random suppositions under which there is a structure left."""
    solutions, taken = many(), list[float]()
    desk = Desk(solutions)
    desk.open()
    for seed in seeds:
        rng, question, consistent = random.Random(seed), Question("page", Kind.FIGURES), False
        while not consistent:  # to see that nothing is left takes no time
            question = replace(question, suppositions=drawn(rng, desk.size))
            start = time.perf_counter()
            consistent = json.loads(desk.ask(question).result())["view"]["consistent"]
        taken.append(time.perf_counter() - start)
    desk.close()
    return taken


def _opened(file: Path, times: int) -> tuple[list[float], list[float]]:
    from playwright.sync_api import sync_playwright

    ready: list[float] = []
    toggles: list[float] = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=which("chromium"), args=FLAGS)
        for _ in range(times):
            page = browser.new_page(viewport={"width": 1366, "height": 850})
            page.goto(file.as_uri())
            page.wait_for_function("window.weft !== undefined")
            ready.append(page.evaluate("performance.getEntriesByName('weft-ready')[0].startTime") / 1000)
            page.wait_for_timeout(300)
            toggles += page.evaluate(_TOGGLES)
            page.close()
        browser.close()
    return ready, toggles
