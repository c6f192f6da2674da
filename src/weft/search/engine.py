"""What an engine is: anything that turns a problem into its solutions."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import ClassVar, Protocol

from weft.graphs.mixed import MixedGraph
from weft.search.problem import Problem


class OutOfTime(Exception):
    """The deadline came before the search was through."""


class Engine(Protocol):
    """Anything that enumerates the solutions of a problem."""

    name: ClassVar[str]

    def graphs(self, problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every consistent MAG once, lazily, in no particular order; :class:`OutOfTime` is raised at the deadline."""
        ...


def check_time(deadline: float | None) -> None:
    """Raise :class:`OutOfTime` if the deadline has come."""
    if is_over(deadline):
        raise OutOfTime


def is_over(deadline: float | None) -> bool:
    """Whether the deadline (of ``time.monotonic``), if there is one, has come."""
    return deadline is not None and time.monotonic() >= deadline
