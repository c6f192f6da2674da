"""A sign of life on standard error: only on a terminal, and only when it takes a while."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

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
