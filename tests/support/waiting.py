"""Waiting for what another thread or process does: for the event itself, never for a time in which it should come."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from weft.report.live import Desk

LONG_WAIT = 300.0
"""Seconds after which a test gives up: far more than any machine needs, so that a mistake fails instead of hanging."""
LONGER_AND_LONGER = (0.2, 2.0, 20.0, LONG_WAIT)
"""Deadlines for what must have begun but not ended by then: which of them is long enough depends on the machine."""


def until(happened: Callable[[], object]) -> None:
    """Come back when something has happened."""
    end = time.monotonic() + LONG_WAIT
    while not happened():
        assert time.monotonic() < end, "it did not happen"
        time.sleep(0.01)


def until_the_solver_works(desk: Desk) -> None:
    """Come back when the solver is at work on a question, where only an interruption ends it."""
    until(lambda: (task := desk._running) is not None and bool(task.stop._calls))
