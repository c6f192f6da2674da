"""Where an answer came from: the tables, the settings, the warnings, the versions, the time it took."""

from __future__ import annotations

import platform
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.metadata import version

from weft.evidence.statements import Evidence, Setting, Table
from weft.version import __version__

__all__ = ["Clock", "Origin", "Table", "origin_of"]


@dataclass(frozen=True)
class Origin:
    """How a solution set was made from tables."""

    tables: tuple[Table, ...]
    settings: Mapping[str, Setting]
    warnings: tuple[str, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict, compare=False)
    """How long each stage took. Two runs on the same tables differ in this only."""

    def __repr__(self) -> str:
        return f"<Origin: {len(self.tables)} tables, {len(self.warnings)} warnings, {sum(self.seconds.values()):.0f} s>"


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


def origin_of(evidence: Evidence, clock: Clock | None = None) -> Origin:
    """What is to be remembered of a run: where its evidence came from, and how long it took."""
    versions = {"weft": __version__, "python": platform.python_version()} | {
        package: version(package) for package in ("clingo", "numpy", "scipy")
    }
    return Origin(evidence.tables, evidence.settings, evidence.warnings, versions, dict(clock.seconds) if clock else {})
