"""A sign of life on standard error: only on a terminal, and only when it takes a while."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeVar

from weft.bar import DELAY, Bar, Drawn, Terminal
from weft.cli.failures import complain
from weft.progress import ANSWER, Progress, no_progress
from weft.reading.names import printable

T = TypeVar("T")

_silent = False
"""Whether signs of life are unwanted, on a terminal too."""

BAR = "weft: {n_fmt}{unit}, {elapsed}"


def counted(items: Iterable[T], unit: str, *, quiet: bool = False) -> Iterator[T]:
    """Go over items with a running count."""
    if quiet or not _on_terminal():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, unit=f" {unit}", delay=DELAY, mininterval=0.5, leave=False, bar_format=BAR)


def _on_terminal() -> bool:
    return sys.stderr.isatty() and not _silent


class Log:
    """Tells what is being done and how far it is, and warnings, as plain lines."""

    EVERY = 10.0
    """Seconds between two lines about the same stage."""

    def __init__(self) -> None:
        self._label, self._last = "", 0.0
        self._warned: set[str] = set()

    def progress(self, label: str, done: int, total: int) -> None:
        """So much of a stage is done."""
        now = time.monotonic()
        if label != self._label or now - self._last >= self.EVERY:
            self._label, self._last = label, now
            self.say(f"{label}: {done:,} of about {total:,}")

    def warn(self, text: str) -> None:
        """Something that one should know, which is said once."""
        if text not in self._warned:
            self._warned.add(text)
            self.warning(text)

    def warning(self, text: str) -> None:
        """Something that one should know."""
        self.say(f"warning: {text}")

    def note(self, text: str) -> None:
        """Something that one may like to know."""
        self.say(text)

    def say(self, line: str) -> None:
        """One line on standard error."""
        complain(line)

    def stop(self) -> None:
        """Clear what moves on the terminal, before something else is written there."""


class QuietLog(Log):
    """Tells warnings only."""

    def progress(self, label: str, done: int, total: int) -> None:
        """Nothing."""

    def note(self, text: str) -> None:
        """Nothing."""


class BarLog(Log):
    """Draws one bar for the whole run."""

    def __init__(self, stages: Mapping[str, float]) -> None:
        super().__init__()
        self._bar = Bar(stages, Terminal())

    def progress(self, label: str, done: int, total: int) -> None:
        """Move the bar."""
        self._bar.report(label, done, total)

    def say(self, line: str) -> None:
        """One line above the bar."""
        with self._bar.aside():
            complain(line)

    def stop(self) -> None:
        """Take the bar away."""
        self._bar.stop()


class JsonLog(Log):
    """One JSON object a line, for programs."""

    EVERY = 1.0

    def progress(self, label: str, done: int, total: int) -> None:
        """So much of a stage is done."""
        now = time.monotonic()
        if label != self._label or done == total or now - self._last >= self.EVERY:
            self._label, self._last = label, now
            self._write(event="progress", stage=label, done=done, total=total)

    def warning(self, text: str) -> None:
        """Something that one should know."""
        self._write(event="warning", text=text)

    def say(self, line: str) -> None:
        """Anything else."""
        self._write(event="message", text=line)

    @staticmethod
    def _write(**values: object) -> None:
        print(json.dumps({"time": round(time.time(), 3), **values}), file=sys.stderr, flush=True)


@contextmanager
def told(stages: Mapping[str, float], *, quiet: bool, json_log: bool) -> Iterator[Log]:
    """How a long command tells what it does: a bar on a terminal, lines elsewhere, JSON or nothing on request.

    The stages are those of :class:`weft.progress.Whole`.
    """
    global _silent
    log = JsonLog() if json_log else QuietLog() if quiet else BarLog(stages) if sys.stderr.isatty() else Log()
    before, _silent = _silent, quiet or json_log
    try:
        yield log
    finally:
        log.stop()
        _silent = before


@contextmanager
def answering() -> Iterator[Progress]:
    """A bar for a command that works out an answer and does nothing else that takes long."""
    if not _on_terminal():
        yield no_progress
        return
    bar = Bar({ANSWER: 1.0}, Terminal())
    try:
        yield bar.report
    finally:
        bar.stop()


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say what is being done and since when, if it is not over soon, and take it back at the end."""
    if not _on_terminal():
        yield
        return
    begun = time.monotonic()

    def line(width: int) -> str:
        minutes, seconds = divmod(int(time.monotonic() - begun), 60)
        return f"weft: {printable(what)}, {minutes}:{seconds:02} so far"[:width]

    drawn = Drawn(line, Terminal())
    try:
        yield
    finally:
        drawn.stop()
