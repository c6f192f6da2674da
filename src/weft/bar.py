"""The bar of a run (:mod:`weft.progress`), where somebody looks on: on a terminal, or below the cell of a notebook."""

from __future__ import annotations

import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any, Literal, Protocol

from weft.progress import Look, Progress, Whole, in_words, no_progress
from weft.reading.arguments import check_argument
from weft.reading.names import printable

Told = Progress | Literal["auto"] | None
"""Who is told: a function; a bar, where somebody looks on; nobody."""

DELAY = 2.0
"""Seconds of silence before anything is shown."""
EVERY = 0.5
"""Seconds between two looks at the bar."""
WIDTH = 80
"""The most columns that a bar takes."""
_LABEL = 34
"""The most of them for what is being done."""


class Surface(Protocol):
    """Where a bar is drawn."""

    def draw(self, line: str) -> None:
        """Put this in the place of what was there; nothing clears it."""


class Terminal:
    """The last line of standard error."""

    def __init__(self) -> None:
        self._length = 0

    def draw(self, line: str) -> None:
        """Write over the line, and leave the cursor at its beginning."""
        blank = " " * (self._length - len(line))
        if line or self._length:
            print(f"\r{line}{blank}", end="\r", file=sys.stderr, flush=True)
        self._length = len(line)


class Notebook:
    """A place below the cell of a notebook."""

    def __init__(self) -> None:
        self._handle: Any = None

    def draw(self, line: str) -> None:
        """Show the line instead of the one before."""
        from IPython.display import display

        if self._handle is not None:
            self._handle.update({"text/plain": line}, raw=True)
        elif line:
            self._handle = display({"text/plain": line}, raw=True, display_id=True)  # type: ignore[no-untyped-call]


def surface() -> Surface | None:
    """Where somebody would see a bar: a notebook or a terminal; None if there is nobody."""
    if (shell := sys.modules.get("IPython")) is not None:
        kernel = shell.get_ipython()
        if kernel is not None and hasattr(kernel, "kernel"):
            return Notebook()
    return Terminal() if sys.stderr is not None and sys.stderr.isatty() else None


class Drawn:
    """A line that is drawn by a thread of its own, so that it moves while the solver or a long test works.

    Parameters
    ----------
    line
        What it says now, in at most so many columns.
    on
        Where it stands.
    """

    def __init__(self, line: Callable[[int], str], on: Surface) -> None:
        self._line, self._surface = line, on
        self._lock, self._end = threading.Lock(), threading.Event()
        self._thread = threading.Thread(target=self._go_on, daemon=True)
        self._thread.start()

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Inside, the line is away, and something else can be written."""
        with self._lock:
            self._surface.draw("")
            yield

    def stop(self) -> None:
        """Take the line away, for good."""
        if not self._end.is_set():
            self._end.set()
            self._thread.join()
            self._surface.draw("")

    def _go_on(self) -> None:
        if hasattr(signal, "pthread_sigmask"):
            signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())  # they are the main thread's business
        waiting = DELAY
        while not self._end.wait(waiting):
            waiting = EVERY
            with self._lock:
                self._surface.draw(self._line(min(shutil.get_terminal_size().columns, WIDTH) - 1))


class Bar(Drawn):
    """A bar for the whole of a run."""

    def __init__(self, stages: Mapping[str, float], on: Surface) -> None:
        self._whole, self._reports = Whole(stages), threading.Lock()
        super().__init__(self._shown, on)

    def report(self, label: str, done: int, total: int) -> None:
        """So much of a stage is done; what is shown follows."""
        with self._reports:
            self._whole.report(label, done, total)

    def _shown(self, width: int) -> str:
        with self._reports:
            return line_of(self._whole.look(), width)


def line_of(look: Look, width: int) -> str:
    """What the bar shows, in so many columns.

    >>> print(line_of(Look("testing independence", 0.25, 200.0, 70.0), 79))
    weft: testing independence |█████▌                |  25 %, about 3 minutes left
    """
    from tqdm import tqdm

    line: str = tqdm.format_meter(
        round(1000 * look.fraction),
        1000,
        look.elapsed,
        ncols=width,
        ascii=not (sys.stderr.encoding or "utf-8").lower().startswith("utf"),
        prefix=_short(printable(look.label)) or "starting",
        bar_format="weft: {desc} |{bar}| {percentage:3.0f} %{postfix}",
        postfix=in_words(look.left) or None,
    )
    return line[:width]


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 3]}..."


@contextmanager
def shown(progress: Told, stages: Mapping[str, float]) -> Iterator[Progress]:
    """Who is told, until the work is done: the function that was given, a bar where somebody looks on, or nobody."""
    if progress == "auto":
        place = surface()
        if place is None:
            yield no_progress
            return
        bar = Bar(stages, place)
        try:
            yield bar.report
        finally:
            bar.stop()
    else:
        yield no_progress if progress is None else progress


def check_progress(progress: object) -> None:
    """Refuse what can be told nothing."""
    if progress != "auto" and not callable(progress):
        check_argument("progress", progress, type(None), "a function of a label and two numbers, 'auto', or None")
