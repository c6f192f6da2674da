"""The explorer in a browser: what its page shows when a solver is behind it."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import combinations, pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import weft
from tests.browser.explorer import Explorer, Process, in_thread
from tests.browser.samples import NASTY, SAMPLES
from weft.evidence.claims import Claim, Topic
from weft.search.consequences import Holds
from weft.solutions.solution_set import SolutionSet

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Route

Supposed = tuple[str, str, str, bool]
Open = Callable[[str], Explorer]

# What Chromium writes when a request comes to nothing, which no page can keep it from.
REFUSED = "error: Failed to load resource: net::ERR_CONNECTION_REFUSED"


def claim(supposed: Supposed) -> Claim:
    topic, x, y, holds = supposed
    return Claim({"causes": Topic.CAUSES, "confounded": Topic.CONFOUNDED}.get(topic, Topic.EDGE), x, y, holds)


def under(solutions: SolutionSet, supposed: list[Supposed]) -> SolutionSet:
    return replace(solutions, timeout=None, limit=None).assume(*map(claim, supposed))


def every_supposition(names: list[str]) -> list[Supposed]:
    return [
        one
        for x, y in combinations(names, 2)
        for holds in (True, False)
        for one in (("causes", x, y, holds), ("causes", y, x, holds), ("adjacent", x, y, holds))
    ] + [("confounded", x, y, holds) for x, y in combinations(names, 2) for holds in (True, False)]


def press(explorer: Explorer, supposed: Supposed) -> None:
    explorer.choose(*sorted(supposed[1:3], key=explorer.names.index))
    explorer.toggle(*supposed)


@pytest.fixture(scope="module")
def addresses(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], str]]:
    """A process of ``weft explore`` for each sample that is asked for."""
    folder = tmp_path_factory.mktemp("results")
    processes: dict[str, Process] = {}

    def address(name: str) -> str:
        if name not in processes:
            # The reasons of a real run take seconds; the page asks for those that it shows.
            options = ("--patience", "0") if name == "health" else ()
            processes[name] = Process(SAMPLES[name](), folder / f"{name}.json", *options)
        return processes[name].address

    yield address
    for process in processes.values():
        process.kill()


@pytest.fixture
def visit(browser: Browser) -> Iterator[Open]:
    """Opens pages by their address; afterwards nothing may have gone wrong in any of them."""
    opened: list[Explorer] = []

    def visit(address: str) -> Explorer:
        opened.append(Explorer(browser, address))
        return opened[-1]

    yield visit
    for explorer in opened:
        explorer.context.close()
    assert [problem for explorer in opened for problem in explorer.problems] == []


# -- the figures -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [pytest.param("health", marks=pytest.mark.slow), "selection", pytest.param("repaired", marks=pytest.mark.slow)],
)
def test_counts_after_toggles_are_those_of_assume(visit: Open, addresses: Callable[[str], str], name: str) -> None:
    explorer, solutions = visit(addresses(name)), SAMPLES[name]()
    draw = random.Random(3)
    supposed: list[Supposed] = []
    every = every_supposition(explorer.names)
    several = 0
    for number in range(9):
        if number == 5:
            explorer.page.get_by_role("button", name="Clear all").click()
            supposed = []
        topics = ("confounded",) if number % 2 else ("causes", "adjacent")
        new = draw.choice([one for one in every if one[0] in topics and one[1:3] not in [old[1:3] for old in supposed]])
        press(explorer, new)
        supposed.append(new)
        explorer.counted()
        assert explorer.remaining() == under(solutions, supposed).count(), supposed
        several += sum(one[0] == "confounded" for one in supposed) > 1
    assert several > 1, "the page alone could not have told these"


def test_the_table_the_reasons_and_the_suggestions_follow(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer, solutions = visit(addresses("health")), SAMPLES["health"]()
    supposed: list[Supposed] = [("confounded", "age", "smoking", False), ("causes", "age", "cough", True)]
    places = explorer.places("#graph")
    for one in supposed:
        press(explorer, one)
    explorer.settle()
    assert explorer.places("#graph") == places
    narrower = under(solutions, supposed)
    words = {"all": "in all", "some": "in some", "none": "in none"}
    summary = narrower.summary()
    for number, (x, y) in enumerate(summary.pairs):
        row = explorer.page.locator(f'#pairs tr[data-place="{number}"]')
        assert row.locator("td").nth(9).inner_text() == words[str(summary.holds(Claim(Topic.CONFOUNDED, x, y)))]
        assert row.locator("td").nth(1).inner_text() == f"edge {words[str(summary.holds(Claim(Topic.EDGE, x, y)))]}"
        assert row.locator("td").nth(2).inner_text() == "–", "no confidence under suppositions"  # noqa: RUF001
    why = explorer.page.locator(".why").inner_text()
    assert "age causes cough" in why
    assert "without your suppositions" not in why
    steps = explorer.page.locator("#next").inner_text()
    assert f"With what is supposed: how many of {narrower.count():,} structures" in steps


def test_an_address_says_what_is_supposed_and_the_answer_follows(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer, solutions = visit(addresses("selection")), SAMPLES["selection"]()
    page = explorer.page
    page.evaluate("location.hash = 'suppose=confounded,X,Y&suppose=confounded,Y,Z&suppose=causes,X,nobody'")
    page.locator("#answer .then").wait_for(state="visible")
    explorer.settle()
    narrower = under(solutions, [("confounded", "X", "Y", True), ("confounded", "Y", "Z", True)])
    assert explorer.remaining() == narrower.count()
    effects = sum(one.holds is Holds.ALL for one in narrower.summary().causes)
    assert f"{effects} causal effect" in page.locator("#answer .then").inner_text()
    assert page.locator(".ignored").is_visible(), "the solver's answer does not take it away"
    assert page.get_by_role("button", name="Copy link").count() == 0, "the address is a secret"
    page.get_by_role("button", name="Clear all").click()
    assert "suppose" not in page.url
    assert page.locator(".ignored").is_hidden()


def test_several_common_causes_are_counted_exactly_once_the_solver_has_answered(
    visit: Open, addresses: Callable[[str], str]
) -> None:
    explorer, solutions = visit(addresses("oracle")), SAMPLES["oracle"]()
    supposed: list[Supposed] = [("confounded", x, y, False) for x, y in combinations("XYZ", 2)]
    for one in supposed:
        press(explorer, one)
    explorer.counted()
    assert explorer.remaining() == under(solutions, supposed).count()
    assert " to " not in explorer.page.locator("#remaining").inner_text()


def test_when_nothing_remains_it_says_why(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer = visit(addresses("oracle"))
    press(explorer, ("causes", "X", "Y", True))
    press(explorer, ("causes", "Y", "X", True))
    explorer.settle()
    assert explorer.remaining() == 0
    assert "No structure remains" in explorer.page.locator("#graph .picture").inner_text()
    assert "contradict" in explorer.page.locator(".why").inner_text()


# -- sets that are too large to ship -----------------------------------------------------------------------------------


def test_what_is_not_shipped_is_asked_for(visit: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.solutions.solution_set.most_structures", lambda _: 20)
    walked = SAMPLES["oracle"]()  # perhaps, by another test: then everything is shown
    solutions = weft.solve(walked.evidence, walked.method, selection=walked.selection)
    with in_thread(solutions) as address:
        explorer = visit(address)
        bar = explorer.page.locator("#remaining")
        assert bar.inner_text().startswith(f"{under(solutions, []).count()} structures (shares are of ")
        figures = explorer.page.locator(".toggle small").all_inner_texts()
        assert figures
        assert set(figures) == {""}, "a count of what is shipped would be wrong"
        supposed: list[Supposed] = []
        for one in (("adjacent", "X", "Z", True), ("causes", "X", "Y", True), ("confounded", "Y", "Z", False)):
            press(explorer, one)
            supposed.append(one)
            explorer.counted()
            assert explorer.remaining() == under(solutions, supposed).count(), supposed
        assert under(solutions, supposed).exact_count() <= 20, "these are shipped"
        assert bar.inner_text().startswith(f"{under(solutions, supposed).count()} structures")
        assert "" not in explorer.page.locator(".toggle[aria-pressed=true] small").all_inner_texts()
        explorer.context.close()


# -- back and forth ----------------------------------------------------------------------------------------------------


def test_undo_is_instant_and_asks_nothing(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer, solutions = visit(addresses("health")), SAMPLES["health"]()
    supposed: list[Supposed] = [
        ("confounded", "cough", "smoking", False),
        ("confounded", "age", "tar", False),
        ("causes", "stroke", "tar", False),
    ]
    shown = []
    explorer.choose("age", "cough")
    for one in supposed:
        explorer.settle()
        shown.append(shown_now(explorer))
        explorer.page.evaluate("one => weft.state.toggle(one)", as_script(explorer, one))
    before = explorer.asked()
    for number, former in reversed(list(enumerate(shown))):
        explorer.page.get_by_role("button", name="Undo").click()
        assert explorer.remaining() == under(solutions, supposed[:number]).count()
        assert shown_now(explorer) == former
        assert explorer.page.evaluate("weft.live.done && !weft.state.provisional")
    assert explorer.asked() == before


def as_script(explorer: Explorer, supposed: Supposed) -> dict[str, object]:
    topic, x, y, holds = supposed
    return {"topic": topic, "x": explorer.names.index(x), "y": explorer.names.index(y), "holds": holds}


def shown_now(explorer: Explorer) -> list[str]:
    parts = ("#remaining", "#pairs tbody", "#next", ".why", ".where")
    return [explorer.page.locator(part).inner_text() for part in parts]


def test_rapid_toggling_ends_with_the_right_figures(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer, solutions = visit(addresses("health")), SAMPLES["health"]()
    explorer.choose("age", "cough")
    script = """() => {
        const buttons = [...document.querySelectorAll('.toggle')];
        const keys = buttons.map(b => `[data-topic="${b.dataset.topic}"][data-x="${b.dataset.x}"]` +
            `[data-y="${b.dataset.y}"][data-holds="${b.dataset.holds}"]`);
        let at = 0;
        return new Promise(done => { const timer = setInterval(() => {
            document.querySelector('.toggle' + keys[(at * 5) % keys.length]).click();
            if (++at === 11) { clearInterval(timer); done(); }
        }, 80); });
    }"""
    explorer.page.evaluate(script)
    explorer.counted()
    now = explorer.page.evaluate("weft.state.suppositions")
    supposed = [(one["topic"], explorer.names[one["x"]], explorer.names[one["y"]], one["holds"]) for one in now]
    assert len(supposed) > 1
    assert explorer.remaining() == under(solutions, supposed).count()


def test_two_readers_at_once_each_see_their_own(visit: Open, addresses: Callable[[str], str]) -> None:
    one, other = visit(addresses("health")), visit(addresses("health"))
    solutions = SAMPLES["health"]()
    steps: dict[Explorer, list[Supposed]] = {
        one: [("confounded", "age", "smoking", True), ("causes", "age", "cough", True)],
        other: [("confounded", "age", "smoking", False), ("causes", "age", "cough", False)],
    }
    for number in range(2):
        for explorer, supposed in steps.items():
            press(explorer, supposed[number])
        for explorer, supposed in steps.items():
            explorer.counted()
            assert explorer.remaining() == under(solutions, supposed[: number + 1]).count()
    clients = [{json.loads(text)["client"] for text in explorer.requests if text} for explorer in steps]
    assert [len(own) for own in clients] == [1, 1]
    assert clients[0] != clients[1]


# -- what can go wrong -------------------------------------------------------------------------------------------------


def test_without_the_solver_the_page_goes_on_by_itself(visit: Open, tmp_path: Path) -> None:
    solutions = SAMPLES["oracle"]()
    process = Process(solutions, tmp_path / "oracle.json")
    explorer = visit(process.address)
    press(explorer, ("causes", "X", "Y", True))
    explorer.settle()
    process.kill()
    press(explorer, ("adjacent", "X", "Z", False))
    said = explorer.page.locator(".trouble")
    said.wait_for(state="visible")
    assert said.inner_text() == "the solver does not answer (is weft explore still running?)"
    supposed: list[Supposed] = [("causes", "X", "Y", True), ("adjacent", "X", "Z", False)]
    assert explorer.remaining() == under(solutions, supposed).count()
    explorer.page.get_by_role("button", name="Undo").click()
    assert explorer.remaining() == under(solutions, supposed[:1]).count()
    assert REFUSED in explorer.problems
    explorer.problems[:] = [one for one in explorer.problems if one != REFUSED]


def test_a_busy_solver_is_asked_again(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer, solutions = visit(addresses("oracle")), SAMPLES["oracle"]()
    asked: list[Route] = []

    def answer(route: Route) -> None:
        asked.append(route)
        if len(asked) == 1:
            route.fulfill(status=503, headers={"Retry-After": "1"}, json={"error": "not now"})
        elif len(asked) > 2:
            route.continue_()

    explorer.page.route("**/ask", answer)
    supposed: list[Supposed] = [("confounded", "X", "Y", False), ("confounded", "Y", "Z", False)]
    press(explorer, supposed[0])
    explorer.page.locator(".trouble").wait_for(state="visible")
    assert "busy" in explorer.page.locator(".trouble").inner_text(), "until it is answered"
    while len(asked) < 2:
        explorer.page.wait_for_timeout(50)
    asked[1].fulfill(status=409, json={"error": "not now"})
    explorer.settle()
    assert not explorer.page.locator(".trouble").is_visible()
    press(explorer, supposed[1])
    explorer.counted()
    assert explorer.remaining() == under(solutions, supposed).count()
    told = [one for one in explorer.problems if "Failed to load resource" in one]
    assert len(told) == 2, "one line for each answer that was no answer"
    explorer.problems[:] = [one for one in explorer.problems if one not in told]


def test_names_are_text_and_the_server_is_all_that_is_asked(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer = visit(addresses("nasty"))
    page = explorer.page
    for x, y in pairwise(NASTY):
        press(explorer, ("causes", x, y, False))
    explorer.settle()
    page.locator("#graph").get_by_label("Every edge apart").check()
    assert page.title() != "owned"
    assert page.locator("img, b").count() == 0
    assert len(explorer.requests) > 1, "and the policy lets the page ask"


def test_by_keyboard_alone(visit: Open, addresses: Callable[[str], str]) -> None:
    explorer = visit(addresses("oracle"))
    page = explorer.page
    explorer.choose("X", "Y")
    explorer.settle()
    focused = "[document.activeElement.className, document.activeElement.getAttribute('aria-pressed')]"
    page.locator('.toggle[data-topic="confounded"]').first.focus()
    page.keyboard.press("Space")
    explorer.settle()
    assert page.evaluate(focused) == ["toggle", "true"], "the solver's answer leaves the focus where it is"
    page.locator(".chips button").first.focus()
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.textContent") == "Undo", "what was focused is gone"
