"""weft side by side with the first encoding (see :mod:`benchmarks.sketch`), and a check that the two agree."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from benchmarks.isolation import run_task
from benchmarks.problems import Family
from benchmarks.settings import Settings
from benchmarks.sketch import SKETCH, SketchRun, run_sketch
from benchmarks.table import Row, ratio_row, skipped, time_row

FAMILIES = (Family(20, 2, 5), Family(30, 3, 5))


@dataclass(frozen=True)
class Duel:
    """One problem, both ways."""

    ours: float
    cautious: SketchRun
    brave: SketchRun

    @property
    def theirs(self) -> float:
        """How long the sketch took for both kinds of consequences, or what it had used when it was stopped."""
        return self.cautious.seconds + self.brave.seconds

    @property
    def finished(self) -> bool:
        """Whether the sketch came to its end both times."""
        return self.cautious.finished and self.brave.finished


def sketch(settings: Settings) -> Iterator[Row]:
    """The summary of random Causal IOD problems, ours and the sketch's."""
    if not SKETCH.exists():
        yield skipped("the sketch", f"{SKETCH} is not there")
        return
    for family in FAMILIES:
        limit = min(settings.sketch_limit, 10) if settings.quick else settings.sketch_limit
        duels = [_duel(family, seed, limit, settings) for seed in settings.seeds(3)]
        yield from _rows(family, duels, limit)


def _duel(family: Family, seed: int, limit: float, settings: Settings) -> Duel:
    ours = run_task("summary", {**family.as_dict(), "seed": seed}, 600, settings)
    assert ours is not None, f"{family}, seed {seed}: the summary took more than ten minutes"
    evidence = family.evidence(seed)
    cautious, brave = (run_sketch(evidence, mode, limit, settings) for mode in ("cautious", "brave"))
    duel = Duel(ours["seconds"], cautious, brave)
    _check_agreement(frozenset(ours["certain"]), frozenset(ours["possible"]), duel)
    return duel


def _check_agreement(certain: frozenset[str], possible: frozenset[str], duel: Duel) -> None:
    """Stop the run if the answers differ. What a sketch that was stopped has found must fit as well."""
    cautious, brave = duel.cautious, duel.brave
    if cautious.finished:
        assert certain == cautious.edges, sorted(certain ^ (cautious.edges or set()))
    elif cautious.edges is not None:  # still too many: what the models so far have in common
        assert certain <= cautious.edges, sorted(certain - cautious.edges)
    if brave.finished:
        assert possible == brave.edges, sorted(possible ^ (brave.edges or set()))
    elif brave.edges is not None:  # still too few: what some model so far has
        assert possible >= brave.edges, sorted(brave.edges - possible)


def _rows(family: Family, duels: list[Duel], limit: float) -> Iterator[Row]:
    yield time_row(f"{family}: weft", [duel.ours for duel in duels])
    stopped = sum(not duel.finished for duel in duels)
    notes = (f"stopped after {limit:.0f} s for each mode in {stopped} of {len(duels)}",) if stopped else ()
    yield time_row("    the sketch, cautious + brave", [duel.theirs for duel in duels], notes=notes)
    ratios = [duel.ours / duel.theirs for duel in duels]
    yield ratio_row("    weft / sketch", ratios, goal=1 / 5, bounds=stopped > 0)
