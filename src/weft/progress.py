"""How far a run is: one number and one estimate for all of its stages together.

A stage reports what it does, how much of it is done and how much there is, as far as can be said (:data:`Progress`).
:class:`Whole` makes one number of that. A stage that runs goes on as fast as in the second half of its time so far,
which leaves out what was found in a cache. A stage that is still to come is expected to take a time in proportion to
those before it (:func:`usual_stages`). The estimate that is shown follows what is known by and by, and is rounded, so
that it does not jump.

>>> seconds = 0.0
>>> whole = Whole({TESTS: 1, PAIRS: 1}, lambda: seconds)
>>> for done in range(0, 101, 10):
...     seconds = float(3 * done)
...     whole.report(TESTS, done, 100)
>>> look = whole.look()
>>> round(look.fraction, 1), in_words(look.left)
(0.7, 'about 3 minutes left')
"""

from __future__ import annotations

import math
import time
from bisect import bisect_right
from collections.abc import Callable, Mapping
from dataclasses import dataclass

Progress = Callable[[str, int, int], None]
"""Called with what is being done, how much of it is done, and how much there is as far as is known."""

TESTS = "testing independence"
PAIRS = "judging directions"
RUNS = "bootstrap runs"
ANSWER = "working out the answer"

_EARLY = 5.0
"""Seconds before an estimate is ventured."""
_INERTIA = 10.0
"""Seconds in which the estimate that is shown goes most of the way to the one that is known."""
_BASE = 5.0
"""Seconds that a stage of weight 1 is expected to take before anything is known."""


def no_progress(label: str, done: int, total: int) -> None:
    """Do nothing."""


def usual_stages(*, orients: bool, runs: int = 0, answers: bool = False) -> dict[str, float]:
    """The stages of a run, with what they are expected to take in proportion to each other.

    A bootstrap run is everything again on half of the rows, its answer without reasons.
    """
    once = {TESTS: 1.0} | ({PAIRS: 0.3} if orients else {})
    repeated = {RUNS: runs * 0.5 * (sum(once.values()) + 0.5)} if runs else {}
    return once | repeated | ({ANSWER: 1.0} if answers else {})


@dataclass(frozen=True)
class Look:
    """How far it is."""

    label: str
    fraction: float
    """Of the whole; it never falls."""
    left: float | None
    """About how many seconds are left; None if it is too early to say."""
    elapsed: float


class Whole:
    """What all stages together come to.

    Parameters
    ----------
    stages
        What is to come, in order, with weights in proportion to the time that each is expected to take. A stage that is
        not among them is told by its name and does not change the estimate, unless there are no others.
    now
        The clock.
    """

    def __init__(self, stages: Mapping[str, float], now: Callable[[], float] = time.monotonic) -> None:
        self._weights = dict(stages)
        self._now = now
        self._begun = self._entered = self._looked = now()
        self._label, self._words = "", ""
        self._past = 0.0  # the weight of what is over
        self._points: list[tuple[float, float]] = []  # seconds in this stage, and how much of it was done
        self._left: float | None = None
        self._fraction = 0.0

    def report(self, label: str, done: int, total: int) -> None:
        """So much of a stage is done."""
        self._words = label
        if not self._weights:
            self._weights[label] = 1.0
        if label not in self._weights:
            return
        if label != self._label:
            self._enter(label)
        seconds, part = self._now() - self._entered, 1.0 if done >= total else done / total
        if self._points and part < self._points[-1][1]:
            part = self._points[-1][1]
        if not self._points or part > self._points[-1][1]:
            self._points.append((seconds, part))

    def look(self) -> Look:
        """How far it is now."""
        now = self._now()
        elapsed, since = now - self._begun, now - self._looked
        known, self._looked = self._seconds_left(now), now
        if self._left is None:
            self._left = known if elapsed >= _EARLY else None
        else:
            expected = max(self._left - since, 1.0)  # and from there a part of the way, in proportion
            self._left = expected * (max(known, 1.0) / expected) ** (1 - math.exp(-since / _INERTIA))
        left = known if self._left is None else self._left
        self._fraction = max(self._fraction, min(elapsed / max(elapsed + left, 1e-9), 0.99))
        return Look(self._words, self._fraction, self._left, elapsed)

    def _enter(self, label: str) -> None:
        names = list(self._weights)
        self._label, self._entered = label, self._now()
        self._past = sum(self._weights[one] for one in names[: names.index(label)])
        self._points = []

    def _seconds_left(self, now: float) -> float:
        """Of this stage, and of those to come: so much for each weight as those until here."""
        weight = self._weights.get(self._label, 0.0)
        before, seconds = self._entered - self._begun, now - self._entered
        each = (before + _BASE) / (self._past + 1.0)
        own = self._of_this_stage(seconds, weight * each)
        each = (before + seconds + own + _BASE) / (self._past + weight + 1.0)
        names = list(self._weights)
        later = names[names.index(self._label) + 1 :] if self._label else names
        return own + each * sum(self._weights[one] for one in later)

    def _of_this_stage(self, seconds: float, expected: float) -> float:
        """As fast as in the second half of its time; where that says nothing, as expected, or half as long again."""
        done = self._points[-1][1] if self._points else 0.0
        if done >= 1:
            return 0.0
        place = bisect_right(self._points, (seconds / 2, 1.0))
        halfway = self._points[place - 1][1] if place else 0.0
        if seconds > 1 and done > halfway:
            return (1 - done) * (seconds / 2) / (done - halfway)
        return max((1 - done) * expected - seconds, seconds / 2)


def in_words(seconds: float | None) -> str:
    """About how long it will take; nothing if that is not known.

    >>> [in_words(one) for one in (20, 80, 400, 2000, 9000)]
    ['less than a minute left', 'about a minute left', 'about 7 minutes left', 'about 35 minutes left',
     'about 2 hours left']
    """
    if seconds is None:
        return ""
    if seconds < 50:
        return "less than a minute left"
    minutes = round(seconds / 60) if seconds < 600 else 5 * round(seconds / 300)
    if minutes < 60:
        return "about a minute left" if minutes <= 1 else f"about {minutes} minutes left"
    hours = round(seconds / 3600)
    return "about an hour left" if hours <= 1 else f"about {hours:,} hours left"
