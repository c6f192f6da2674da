"""What an engine is: anything that turns a problem into its solutions."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import ClassVar, Protocol

from weft.effort import current_effort
from weft.graphs.mixed import MixedGraph
from weft.search.problem import Problem


class OutOfTime(Exception):
    """The deadline came, or the effort was spent, before the search was through."""


class Engine(Protocol):
    """Anything that enumerates the solutions of a problem."""

    name: ClassVar[str]

    def graphs(self, problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every consistent MAG once, lazily, in no particular order; :class:`OutOfTime` is raised at the deadline."""
        ...


class Stop:
    """Ends from another thread what runs inside :meth:`here`, as if its deadline had come.

    >>> stop = Stop()
    >>> with stop.here():
    ...     before = is_over(None)
    ...     stop.request()
    ...     before, is_over(None)
    (False, True)
    >>> is_over(None)
    False
    """

    def __init__(self) -> None:
        self.requested = False
        self._lock = threading.Lock()
        self._calls: list[Callable[[], None]] = []

    def request(self) -> None:
        """End it, now and whatever is asked later."""
        with self._lock:
            self.requested = True
            for call in self._calls:
                call()

    @contextmanager
    def here(self) -> Iterator[None]:
        """All questions asked inside, by this thread, can be stopped."""
        token = _stop.set(self)
        try:
            yield
        finally:
            _stop.reset(token)

    @contextmanager
    def calling(self, call: Callable[[], None]) -> Iterator[None]:
        """Call this if the stop is requested inside; never afterwards."""
        with self._lock:
            self._calls.append(call)
            if self.requested:
                call()
        try:
            yield
        finally:
            with self._lock:
                self._calls.remove(call)


_stop: ContextVar[Stop | None] = ContextVar("stop", default=None)


def current_stop() -> Stop | None:
    """What may end the question that this thread is at."""
    return _stop.get()


def halfway(deadline: float | None) -> float | None:
    """The deadline of something that may take half of the time that is left."""
    now = time.monotonic()
    return None if deadline is None else now + (deadline - now) / 2


def check_time(deadline: float | None) -> None:
    """Raise :class:`OutOfTime` if the deadline has come, the effort is spent, or a stop was requested."""
    if is_over(deadline):
        raise OutOfTime


def is_over(deadline: float | None) -> bool:
    """Whether the deadline (of ``time.monotonic``) has come, the :class:`Effort` is spent, or a :class:`Stop` came."""
    stop, effort = _stop.get(), current_effort()
    return (
        (stop is not None and stop.requested)
        or (effort is not None and effort.left <= 0)
        or (deadline is not None and time.monotonic() >= deadline)
    )
