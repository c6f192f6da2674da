"""A question that another thread ends."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

import pytest

import weft
from weft.search.engine import Stop
from weft.solutions.solution_set import SolutionSet


def _many() -> SolutionSet:
    """Far too many solutions to count: of twelve variables each was measured with its neighbours only."""
    pairs = [[f"V{i}", f"V{i + 1}"] for i in range(11)]
    return weft.solve(weft.oracle("; ".join(f"{x} -> {y}" for x, y in pairs), pairs), "iod")


@pytest.mark.parametrize("question", [SolutionSet.count, lambda solutions: sum(1 for _ in solutions)])
def test_a_question_ends_when_a_stop_is_requested(question: Callable[[SolutionSet], int]) -> None:
    solutions, stop = _many(), Stop()
    timer = threading.Timer(0.5, stop.request)
    start = time.monotonic()
    timer.start()
    with stop.here():
        found = question(solutions)
    assert found > 0
    assert time.monotonic() - start < 20, "without the stop it would take longer than anyone waits"


def test_what_was_stopped_can_be_asked_again() -> None:
    solutions = weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")
    stop = Stop()
    stop.request()
    with stop.here():
        assert solutions.consistent is None
        assert not solutions.summary().complete
    assert solutions.consistent is True
    assert solutions.summary().complete
    assert solutions.count() == 38


def test_a_stop_calls_nobody_who_is_gone() -> None:
    stop, called = Stop(), list[str]()
    with stop.calling(lambda: called.append("gone")):
        pass
    with stop.calling(lambda: called.append("there")):
        stop.request()
    assert called == ["there"]
