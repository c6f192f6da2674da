"""A sign of life on standard error: only on a terminal, and only when it takes a while."""

from __future__ import annotations

import json
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from weft.cli.failures import complain

T = TypeVar("T")

DELAY = 2.0
"""Seconds of silence before anything is said."""

BAR = "weft: {n_fmt}{unit}, {elapsed}"
METER = "weft: {desc}: {n_fmt} of at most {total_fmt} tests, {elapsed}, at most {remaining} left"


def counted(items: Iterable[T], unit: str, *, quiet: bool = False) -> Iterator[T]:
    """Go over items with a running count."""
    if quiet or not sys.stderr.isatty():
        yield from items
        return
    from tqdm import tqdm

    yield from tqdm(items, unit=f" {unit}", delay=DELAY, mininterval=0.5, leave=False, bar_format=BAR)


@contextmanager
def metered() -> Iterator[Callable[[str, int, int], None]]:
    """A function to be told what is being done, how much of it is done, and how much there is at most."""
    if not sys.stderr.isatty():
        yield lambda label, done, total: None
        return
    from tqdm import tqdm

    with tqdm(delay=DELAY, mininterval=0.5, leave=False, bar_format=METER, dynamic_ncols=True) as bar:

        def tell(label: str, done: int, total: int) -> None:
            if bar.desc != label:
                bar.reset(total)
                bar.set_description_str(label, refresh=False)
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

    def say(self, line: str) -> None:
        """One line on standard error."""
        complain(line)


class QuietLog(Log):
    """Tells warnings only."""

    def progress(self, label: str, done: int, total: int) -> None:
        """Nothing."""


class BarLog(Log):
    """Draws a bar for each stage."""

    def __init__(self, tell: Callable[[str, int, int], None]) -> None:
        super().__init__()
        self._tell = tell

    def progress(self, label: str, done: int, total: int) -> None:
        """Move the bar."""
        self._tell(label, done, total)


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

    @staticmethod
    def _write(**values: object) -> None:
        print(json.dumps({"time": round(time.time(), 3), **values}), file=sys.stderr, flush=True)


@contextmanager
def told(*, quiet: bool, json_log: bool) -> Iterator[Log]:
    """How a long command tells what it does: a bar on a terminal, lines elsewhere, JSON or nothing on request."""
    if json_log:
        yield JsonLog()
    elif quiet:
        yield QuietLog()
    elif sys.stderr.isatty():
        with metered() as tell:
            yield BarLog(tell)
    else:
        yield Log()


@contextmanager
def busy(what: str) -> Iterator[None]:
    """Say what is being done, if it is not over soon, and take it back at the end."""
    if not sys.stderr.isatty():
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
