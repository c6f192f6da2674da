"""Where an answer came from: the tables, the settings, the warnings, the versions, the time it took."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import TYPE_CHECKING

from weft.evidence.statements import Setting
from weft.version import __version__

if TYPE_CHECKING:
    from weft.studies import Study


@dataclass(frozen=True)
class Table:
    """A table that went in."""

    name: str
    rows: int
    kinds: Mapping[str, str]
    """The kind of each column, by name."""
    fingerprint: str
    """SHA-256 of its content."""
    interventions: tuple[str, ...] = ()
    """The variables that were set by the experimenter."""


@dataclass(frozen=True)
class Origin:
    """How a solution set was made from tables."""

    tables: tuple[Table, ...]
    settings: Mapping[str, Setting]
    warnings: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """How long each stage took. Two runs on the same tables differ in this only."""


class Clock:
    """How long each stage took."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Measure what happens within."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = round(time.perf_counter() - start, 3)


def origin_of(
    studies: Sequence[Study],
    interventions: Mapping[str, frozenset[str]],
    settings: Mapping[str, Setting],
    warnings: Sequence[str],
    clock: Clock,
) -> Origin:
    """What is to be remembered of a run."""
    tables = tuple(
        Table(
            study.name,
            study.rows,
            {column.name: str(column.kind) for column in study.columns},
            study.fingerprint,
            tuple(sorted(interventions.get(study.name, ()))),
        )
        for study in studies
    )
    versions = {"weft": __version__, "python": platform.python_version()} | {
        package: version(package) for package in ("clingo", "numpy", "scipy")
    }
    return Origin(tables, settings, tuple(warnings), versions, dict(clock.seconds))
