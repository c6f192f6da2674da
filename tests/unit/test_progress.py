"""How far a run is: one number that only grows, and an estimate that does not jump."""

from __future__ import annotations

import io
import sys
from itertools import pairwise

import pytest

from tests.support.waiting import until
from weft import bar
from weft.errors import WeftError
from weft.progress import ANSWER, PAIRS, RUNS, TESTS, Look, Whole, in_words, no_progress, usual_stages

Step = tuple[float, str, int, int]
"""A report, and when it comes."""


class Clock:
    def __init__(self) -> None:
        self.time = 0.0

    def __call__(self) -> float:
        return self.time


def looks(stages: dict[str, float], steps: list[Step]) -> list[tuple[float, Look]]:
    """What is shown, twice a second, while the reports come."""
    clock = Clock()
    whole, seen = Whole(stages, clock), []
    for at, label, done, total in steps:
        while clock.time + bar.EVERY < at:
            clock.time += bar.EVERY
            seen.append((clock.time, whole.look()))
        clock.time = at
        whole.report(label, done, total)
    return seen


def a_run(tests: int, each: float, directions: float, runs: int, answer: float, reused: int = 0) -> list[Step]:
    """A run whose tests take the longer the more is given, and turn out to be half as many as was expected."""
    steps: list[Step] = [(0.0, TESTS, 0, 2 * tests)]
    now = 0.0
    for done in range(1, tests + 1):
        now += 0.0 if done <= reused else each * (0.5 + done / tests)
        steps.append((now, TESTS, done, 2 * tests - (tests if done > tests // 4 else 0)))
    steps.append((now, PAIRS, 0, 10))
    for done in range(1, 11):
        now += directions
        steps.append((now, PAIRS, done, 10))
    for done in range(runs + 1):
        now += tests * each * 0.4 if done else 0.0
        steps.append((now, RUNS, done, runs))
    return [*steps, (now, ANSWER, 0, 1), (now + answer, ANSWER, 1, 1)]


RUNS_OF_MANY_KINDS = {
    "usual": a_run(2000, 0.05, 2.0, 0, 40.0),
    "many runs": a_run(1000, 0.1, 1.0, 100, 20.0),
    "slow tests": a_run(1000, 3.0, 30.0, 0, 60.0),
    "slow directions": a_run(300, 0.02, 60.0, 0, 5.0),
    "slow answer": a_run(300, 0.02, 0.1, 0, 600.0),
    "continued": a_run(2000, 0.5, 2.0, 0, 40.0, reused=1200),
}


@pytest.mark.parametrize("name", RUNS_OF_MANY_KINDS)
def test_the_number_grows_and_the_estimate_does_not_jump(name: str) -> None:
    steps = RUNS_OF_MANY_KINDS[name]
    runs = max((total for _, label, _, total in steps if label == RUNS), default=0)
    seen = looks(usual_stages(orients=True, runs=runs, answers=True), steps)
    fractions = [look.fraction for _, look in seen]
    assert fractions == sorted(fractions)
    assert all(0 <= one < 1 for one in fractions)
    left = [look.left for _, look in seen if look.left is not None]
    assert len(left) > 10
    for before, after in pairwise(left):  # half a second later
        assert abs(after - before) <= max(2.0, 0.15 * max(before, after))


@pytest.mark.parametrize("name", ["usual", "many runs", "slow tests", "continued"])
def test_the_estimate_is_about_right(name: str) -> None:
    """From a third of the time on, within a factor of two, if the stages take the time that they are expected to."""
    steps = RUNS_OF_MANY_KINDS[name]
    times = {label: [at for at, one, _, _ in steps if one == label] for label in (TESTS, PAIRS, RUNS, ANSWER)}
    end = steps[-1][0]
    for at, look in looks({label: max(own) - min(own) for label, own in times.items()}, steps):
        if end / 3 < at < 0.9 * end:
            assert look.left is not None
            assert 0.5 < look.left / (end - at) < 2.0


def test_too_early_to_say() -> None:
    assert [look.left for at, look in looks({TESTS: 1.0}, [(0, TESTS, 0, 9), (4, TESTS, 4, 9)])] == [None] * 7


def test_a_stage_that_was_not_announced_is_named_and_changes_nothing() -> None:
    clock = Clock()
    whole = Whole({"experiment": 1.0}, clock)
    whole.report("experiment", 1, 2)
    before = whole.look()
    whole.report(TESTS, 0, 10)
    assert whole.look() == Look(TESTS, before.fraction, before.left, before.elapsed)


def test_without_stages_the_first_is_all() -> None:
    clock = Clock()
    whole = Whole({}, clock)
    whole.report("work", 0, 4)
    clock.time = 10.0
    whole.report("work", 2, 4)
    assert whole.look().fraction == pytest.approx(0.5, abs=0.2)


def test_nothing_to_do_is_done() -> None:
    clock = Clock()
    whole = Whole({TESTS: 1.0}, clock)
    whole.report(TESTS, 0, 0)
    clock.time = 10.0
    assert whole.look().left == 0


@pytest.mark.parametrize("left", [None, 10, 100, 3000, 36000])
@pytest.mark.parametrize("label", [TESTS, PAIRS, RUNS, ANSWER, "a stage with a name that goes on and on " * 3])
@pytest.mark.parametrize("width", [79, 40, 10])
def test_a_line_fits(label: str, left: float | None, width: int) -> None:
    line = bar.line_of(Look(label, 0.5, left, 60.0), width)
    assert len(line) <= width
    if width == 79:
        assert label[:30] in line
        assert in_words(left) in line


class Screen(io.StringIO):
    """A terminal."""

    def isatty(self) -> bool:
        return True


def looked_at(monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A terminal as standard error, from now on, and no waiting. (Before a test begins, pytest would undo it.)"""
    screen = Screen()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setattr(bar, "DELAY", 0.0)
    monkeypatch.setattr(bar, "EVERY", 0.01)
    return screen


def test_a_bar_is_drawn_and_taken_away(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = looked_at(monkeypatch)
    with bar.shown("auto", {TESTS: 1.0}) as told:
        told(TESTS, 1, 2)
        until(lambda: f"weft: {TESTS} |" in screen.getvalue())
    last = screen.getvalue().split("\r")[-2]
    assert last.strip() == ""
    assert len(last) >= 70  # it is written over


def test_a_bar_makes_room_for_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = looked_at(monkeypatch)
    drawn = bar.Bar({TESTS: 1.0}, bar.Terminal())
    drawn.report(TESTS, 1, 2)
    until(lambda: TESTS in screen.getvalue())
    with drawn.aside():
        print("a warning", file=screen)
        said = screen.getvalue()
    assert said.endswith("a warning\n")
    assert said.removesuffix("a warning\n").split("\r")[-2].strip() == ""
    drawn.stop()
    drawn.stop()  # twice is no harm


def test_nobody_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with bar.shown("auto", {TESTS: 1.0}) as told:
        assert told is no_progress
    monkeypatch.setattr(sys, "stderr", None)  # a program without a console
    assert bar.surface() is None


def test_a_function_is_told_itself() -> None:
    def own(label: str, done: int, total: int) -> None: ...

    with bar.shown(own, {}) as told:
        assert told is own
    with bar.shown(None, {}) as told:
        assert told is no_progress


@pytest.mark.parametrize("progress", [True, 3, "bar"])
def test_what_cannot_be_told_is_refused(progress: object) -> None:
    with pytest.raises(WeftError, match=r"progress is .*; give a function of a label and two numbers, 'auto', or None"):
        bar.check_progress(progress)
