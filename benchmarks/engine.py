"""weft alone: Synthetic 2, large problems, harder families, enumeration."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from benchmarks.isolation import run_task
from benchmarks.problems import Family
from benchmarks.settings import Settings
from benchmarks.table import Row, memory_row, rate_row, time_row

_REPEATS = 3


def synthetic_2(settings: Settings) -> Iterator[Row]:
    """Every MAG and PAG of the paper's Synthetic 2 under IOD."""
    answers = [_finished("every_mag_and_pag", {}, settings) for _ in settings.seeds(_REPEATS)]
    assert all((answer["mags"], answer["pags"]) == (3913, 332) for answer in answers), "DESIGN.md, PEERS.md"
    yield time_row("every MAG and PAG, in a warm process", [answer["seconds"] for answer in answers], goal=1)


def large(settings: Settings) -> Iterator[Row]:
    """Causal IOD at 50 and 100 variables."""
    fifty, hundred = Family(50, 2, 10), Family(100, 2, 30)
    yield _times(f"{fifty}: summary", "summary", fifty, 3, settings, goal=60, limit=120)
    yield _times(f"{hundred}: first", "first_solution", hundred, 2, settings, goal=30, limit=60)
    if not settings.quick:
        yield _times("    summary", "summary", hundred, 2, settings, goal=600, limit=900)


HARDER = {
    "degree 3": [Family(30, 2, 8, degree=3), Family(40, 2, 10, degree=3), Family(50, 2, 12, degree=3)],
    "degree 4": [Family(30, 2, 8, degree=4), Family(40, 2, 10, degree=4), Family(50, 2, 12, degree=4)],
    "IOD": [Family(10, 2, 3, method="iod"), Family(15, 2, 5, method="iod"), Family(20, 2, 7, method="iod")],
    "degree 1.5 + 0.5 <->": [Family(30, 2, 8, degree=1.5, confounding=0.5)],
    "degree 2 + 1 <->": [Family(30, 2, 8, degree=2, confounding=1)],
}
"""Families that the goals do not speak of: denser truths, no relations at all, latent confounding."""


def harder(settings: Settings) -> Iterator[Row]:
    """The summary of harder problems, as far as it comes within the limit."""
    for title, families in HARDER.items():
        for family in families[:1] if settings.quick else families:
            limit = 10 if settings.quick else settings.hard_limit
            what = f"{title}, {family.variables} variables, overlap {family.overlap}"
            yield _times(what, "summary", family, 3, settings, limit=limit)


EIGHT = {
    "IOD": Family(8, 2, 2, method="iod"),
    "Causal IOD": Family(8, 4, 1, degree=1, confounding=1.5),
}


def enumeration(settings: Settings) -> Iterator[Row]:
    """Counting and going over the solutions of 8-variable problems, up to a million of them."""
    for title, family in EIGHT.items():
        arguments = [{**family.as_dict(), "seed": seed, "limit": settings.graphs} for seed in settings.seeds(3)]
        counted = [_finished("count", one, settings) for one in arguments]
        walked = [_finished("iterate", one, settings) for one in arguments]
        graphs = [answer["graphs"] for answer in walked]
        assert [answer["graphs"] for answer in counted] == graphs
        note = (f"over {', '.join(f'{n:,}' for n in graphs)} graphs",)
        yield rate_row(f"{title}: count(), MAGs per second", [_rate(a) for a in counted], goal=100_000, notes=note)
        yield rate_row(f"{title}: iteration, graphs per second", [_rate(a) for a in walked], goal=20_000)
        memory = [answer["memory"] for answer in counted + walked]
        yield memory_row(f"{title}: peak memory of either", memory, goal=300)


def _rate(answer: dict[str, Any]) -> float:
    return float(answer["graphs"] / answer["seconds"])


def _times(
    what: str, task: str, family: Family, seeds: int, settings: Settings, *, limit: float, goal: float | None = None
) -> Row:
    arguments = [{**family.as_dict(), "seed": seed} for seed in settings.seeds(seeds)]
    answers = [run_task(task, one, limit, settings) for one in arguments]
    values = [answer["seconds"] if answer else math.inf for answer in answers]
    late = values.count(math.inf)
    notes = (f"{late} of {len(values)} not within {limit:.0f} s",) if late else ()
    return time_row(what, values, goal=goal, limit=limit, notes=notes)


def _finished(task: str, arguments: dict[str, Any], settings: Settings) -> dict[str, Any]:
    answer = run_task(task, arguments, 600, settings)
    assert answer is not None, f"{task} {arguments} took more than ten minutes"
    return answer
