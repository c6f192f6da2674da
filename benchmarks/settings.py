"""How thorough a run is."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Settings:
    """What the command line asks for."""

    quick: bool = False
    """One seed instead of several, and less of everything: a look, not a measurement."""
    sketch_limit: float = 120
    """Seconds that each run of the sketch may take."""
    hard_limit: float = 60
    """Seconds that each problem of the harder families may take."""
    processor: bool = False
    """Report processor time instead of the clock's: what to look at while other programs use the machine."""
    splits: int | None = None
    """Of each source of the benchmark for overlapping studies, no more cases than this with the same sizes."""
    sources: tuple[str, ...] = ()
    """Only these sources of it; all if there are none."""

    @property
    def patience(self) -> float:
        """How much longer than its limit, by the clock, a task may take before it is ended."""
        return 5 if self.processor else 1

    def seeds(self, wanted: int) -> range:
        """The seeds of a family of problems."""
        return range(1 if self.quick else wanted)

    @property
    def graphs(self) -> int:
        """How many graphs enumeration goes over."""
        return 100_000 if self.quick else 1_000_000
