"""A question that another thread ends."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest

import weft
from weft.search.engine import Stop
from weft.solutions.solution_set import SolutionSet


def _many() -> SolutionSet:
    """Far too many solutions to count: of twelve variables each was measured with its neighbours only."""
    pairs = [[f"V{i}", f"V{i + 1}"] for i in range(11)]
    return weft.solve(weft.oracle("; ".join(f"{x} -> {y}" for x, y in pairs), pairs), "iod")


class Telling(Stop):
    """A stop that tells when a solver has begun, which it could interrupt."""

    def __init__(self) -> None:
        super().__init__()
        self.begun = threading.Event()

    @contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        with super().calling(call):
            self.begun.set()
            yield


def _counted(solutions: SolutionSet) -> bool:
    solutions.count()
    return solutions.complete


def _walked(solutions: SolutionSet) -> bool | None:
    walk = iter(solutions)
    deque(walk, maxlen=0)
    return walk.complete


@pytest.mark.parametrize("question", [_counted, _walked])
def test_a_question_ends_when_another_thread_stops_it(question: Callable[[SolutionSet], bool | None]) -> None:
    solutions, stop = _many(), Telling()

    def request() -> None:
        stop.begun.wait()
        stop.request()

    other = threading.Thread(target=request)
    other.start()
    with stop.here():
        complete = question(solutions)  # without the stop it would take longer than anyone waits
    other.join()
    assert complete is False


def test_a_walk_ends_where_it_is_stopped() -> None:
    stop, found = Stop(), 0
    with stop.here():
        for _ in _many():
            found += 1
            if found == 100:
                stop.request()
    assert 100 <= found < 10_000


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
