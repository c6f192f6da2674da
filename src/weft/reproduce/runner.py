"""Runs the units of experiments that are not done yet, and hands back all of them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weft.parallel import Workers
from weft.progress import Progress, no_progress
from weft.reproduce.sections import Section
from weft.reproduce.units import Done, Store, Unit


@dataclass(frozen=True)
class Size:
    """How much of an experiment is run: the whole of it, or a part that takes minutes."""

    quick: bool = False
    seed: int = 0

    def of(self, full: int, quick: int) -> int:
        """A number that depends on it."""
        return quick if self.quick else full


@dataclass(frozen=True)
class Context:
    """What a unit may use: processes, a file for results of tests, and someone to tell how far it is."""

    n_jobs: int = 1
    cache: Path | None = None
    progress: Progress = field(default=no_progress, compare=False)


@dataclass(frozen=True)
class Experiment:
    """An experiment of the paper."""

    name: str
    title: str
    units: Callable[[Size], Sequence[Unit]]
    measure: Callable[[Unit, Context], Mapping[str, Any]]
    section: Callable[[Sequence[Done]], Section]
    wide: bool = False
    """Whether one unit uses all processes itself; else units run side by side."""


def run(experiment: Experiment, size: Size, store: Store, n_jobs: int, progress: Progress = no_progress) -> list[Done]:
    """All units of an experiment: those kept from before, and those that were missing."""
    units = list(experiment.units(size))
    done = {place: kept for place, unit in enumerate(units) if (kept := store.load(unit)) is not None}
    waiting = [place for place in range(len(units)) if place not in done]
    progress(experiment.title, len(done), len(units))
    context = Context(n_jobs, store.folder / "tests.sqlite", progress) if experiment.wide else Context()
    workers = Workers(1 if experiment.wide else n_jobs)
    for number, finished in workers.run(_worked, [(experiment, units[place], context) for place in waiting]):
        store.save(finished)
        done[waiting[number]] = finished
        progress(experiment.title, len(done), len(units))
    return [done[place] for place in range(len(units))]


def _worked(job: tuple[Experiment, Unit, Context]) -> Done:
    experiment, unit, context = job
    start = time.perf_counter()
    result = experiment.measure(unit, context)
    return Done(unit, result, round(time.perf_counter() - start, 3))
