"""The questions that ``weft solve`` asks of a solution set, within its limits, and its exit code."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from weft.cli.failures import exit_code
from weft.cli.progress import busy
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import MixedGraph
from weft.search.conflicts import Conflict
from weft.search.repair import Repair
from weft.solutions.solution_set import OtherRepair, SolutionSet
from weft.solutions.summary import Summary

PATIENCE = 30.0
"""Seconds that are spent on a question that is good to know and was not asked."""


class Clock:
    """What is left of the time for the whole command."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, share: float = 1.0) -> float | None:
        """A share of the seconds that are left, none if it is over; ``None`` if there is no limit."""
        return None if self._end is None else max(self._end - time.monotonic(), 0.0) * share


class Census:
    """One walk over the solutions: each is handed on and forgotten, and counted with its Markov equivalence class."""

    def __init__(self, solutions: SolutionSet) -> None:
        self._solutions = solutions
        self._classes = MagClasses()
        self.mags = 0
        self.complete = False
        """Whether the walk is over and reached every solution."""

    @property
    def pags(self) -> int:
        """The number of Markov equivalence classes met so far."""
        return len(self._classes)

    def __iter__(self) -> Iterator[MixedGraph]:
        if self._solutions.timeout == 0:
            return  # even to prepare a walk takes time
        walk = iter(self._solutions)
        for mag in walk:
            self.mags += 1
            self._classes.add(mag)
            yield mag
        self.complete = bool(walk.complete)


@dataclass
class Answer:
    """What is known about a solution set so far. First :attr:`summary`, then the census, then the conflict."""

    solutions: SolutionSet
    summary: Summary
    census: Census
    clock: Clock

    @classmethod
    def of(cls, solutions: SolutionSet) -> Answer:
        """Sum the solutions up, in at most half of the time; the census has the rest."""
        clock = Clock(solutions.timeout)
        with busy("settling what holds in all consistent structures"):
            summary = replace(solutions, timeout=clock.left(0.5)).summary()
        return cls(solutions, summary, Census(replace(solutions, timeout=clock.left())), clock)

    @property
    def graphs(self) -> Iterator[MixedGraph]:
        """The solutions; iterate over them once, before the properties below."""
        if self.summary.consistent is False:
            self.census.complete = True
            return iter(())
        return iter(self.census)

    @property
    def consistent(self) -> bool | None:
        """Whether there is a solution; ``None`` if the time ran out before that was known."""
        if self.census.mags:
            return True
        return False if self.census.complete else self.summary.consistent

    def repair(self) -> Repair | None:
        """What was given up, if that was asked for; known since the summary, as far as the time was enough."""
        with busy("looking for the least that must be given up"):
            return replace(self.solutions, timeout=self.clock.left()).repair()

    def other_repair(self) -> OtherRepair | None:
        """The best different repair, if it is found in a while."""
        with busy("looking for the next best repair"):
            return replace(self.solutions, timeout=min(PATIENCE, self.clock.left() or PATIENCE)).other_repair()

    def conflict(self) -> Conflict | None:
        """Why there is no solution."""
        with busy("looking for the statements that contradict each other"):
            return replace(self.solutions, timeout=self.clock.left()).conflict()

    @property
    def exit_code(self) -> int:
        """The exit code of the command."""
        return exit_code(self.consistent)
