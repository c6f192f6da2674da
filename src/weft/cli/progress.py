"""A sign of life on standard error: only on a terminal, and only when it takes a while."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from typing import TypeVar

from weft.cli.failures import complain
from weft.reading.names import printable

T = TypeVar("T")

DELAY = 2.0
"""Seconds of silence before anything is said."""

_silent = False
"""Whether signs of life are unwanted, on a terminal too."""

BAR = "weft: {n_fmt}{unit}, {elapsed}"
METER = "weft: {desc}: {n_fmt} of at most {total_fmt}, {elapsed}, at most {remaining} left"


def counted(items: Iterable[T], unit: str, *, quiet: bool = False) -> Iterator[T]:
    """Go over items with a running count."""
    if quiet or not _on_terminal():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, unit=f" {unit}", delay=DELAY, mininterval=0.5, leave=False, bar_format=BAR)


def _on_terminal() -> bool:
    return sys.stderr.isatty() and not _silent


@contextmanager
def metered() -> Iterator[Callable[[str, int, int], None]]:
    """A function that is called with what is being done, how much of it is done, and how much there is at most."""
    if not _on_terminal():
        yield lambda label, done, total: None
        return
    from tqdm import tqdm

    with tqdm(delay=DELAY, mininterval=0.5, leave=False, bar_format=METER, dynamic_ncols=True) as bar:

        def tell(label: str, done: int, total: int) -> None:
            if bar.desc != label:
                bar.reset(total)
                bar.set_description_str(printable(label), refresh=False)
            bar.update(done - bar.n)

        yield tell


class Log:
    """Tells what is being done and how far it is, and warnings, as plain lines."""

    EVERY = 10.0
    """Seconds between two lines about the same stage."""

    def __init__(self) -> None:
        self._label, self._last = "", 0.0

    def progress(self, label: str, done: int, total: int) -> None:
        """So much of a stage is done."""
        now = time.monotonic()
        if label != self._label or now - self._last >= self.EVERY:
            self._label, self._last = label, now
            self.say(f"{label}: {done:,} of at most {total:,}")

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
    """Draws a bar for each stage."""

    def __init__(self) -> None:
        super().__init__()
        self._bars = ExitStack()
        self._tell = self._bars.enter_context(metered())

    def progress(self, label: str, done: int, total: int) -> None:
        """Move the bar."""
        self._tell(label, done, total)

    def stop(self) -> None:
        """Take the bar away."""
        self._bars.close()


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
def told(*, quiet: bool, json_log: bool) -> Iterator[Log]:
    """How a long command tells what it does: a bar on a terminal, lines elsewhere, JSON or nothing on request."""
    global _silent
    log = JsonLog() if json_log else QuietLog() if quiet else BarLog() if sys.stderr.isatty() else Log()
    before, _silent = _silent, quiet or json_log
    try:
        yield log
    finally:
        log.stop()
        _silent = before


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say what is being done, if it is not over soon, and take it back at the end."""
    if not _on_terminal():
        yield
        return
    line = f"weft: {what} ..."
    said = threading.Event()

    def say() -> None:
        said.set()
        print(line, end="\r", file=sys.stderr, flush=True)

    timer = threading.Timer(DELAY, say)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        if said.is_set():
            print(" " * len(line), end="\r", file=sys.stderr, flush=True)
