"""The benchmark for overlapping studies: ``python -m benchmarks networks``, which writes ``docs/benchmark.md``.

Tools (``tools/``) get the tables of cases (``overlapping.py``), each in a process of its own (``runs.py``), and claim
who causes whom. The page has the definitions; the run writes its figures into it (``page.py``). Outcomes are kept in
``build/benchmark.jsonl``. With ``--quick``: the smallest case of three sources, and the page goes to ``build/`` too.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from benchmarks.isolation import ROOT
from benchmarks.overlapping import ROWS, SOURCES, cases
from benchmarks.page import OURS, RIVAL, SURE, Total, figures, list_of_tools, shown, totals, with_part
from benchmarks.runs import FINISHED, Outcome, outcomes
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from benchmarks.tools import every_tool

PAGE = ROOT / "docs" / "benchmark.md"
KEPT = ROOT / "build" / "benchmark.jsonl"
QUICK = ("asia", "linear", "discrete")
LIMIT, QUICK_LIMIT = 300.0, 60.0
"""Processor seconds of a run."""
GOAL_WRONG, GOAL_SECONDS, GOAL_MEMORY = 0.05, 300.0, 2000.0


def networks(settings: Settings) -> Iterator[Row]:
    """Right and wrong causes of every tool, by source and rows; writes the page."""
    tools, limit = every_tool(), QUICK_LIMIT if settings.quick else LIMIT
    yield from (skipped(tool.name, tool.missing()) for tool in tools.values() if tool.missing())
    found: list[Outcome] = []
    for name, source in SOURCES.items():
        if name not in (settings.sources or (QUICK if settings.quick else SOURCES)):
            continue
        if source.missing():
            yield skipped(source.title, source.missing())
            continue
        able = [key for key, tool in tools.items() if source.kind in tool.takes and not tool.missing()]
        chosen = cases(name, quick=settings.quick, splits=settings.splits)
        own = outcomes([(key, case) for case in chosen for key in able], limit, KEPT)
        found += own
        for rows in ROWS:
            yield from rows_of(name, rows, totals([one for one in own if one.case.rows == rows]))
    target = KEPT.with_suffix(".md") if settings.quick else PAGE
    page = with_part(PAGE.read_text(encoding="utf-8"), "tools", list_of_tools())
    page = with_part(page, "figures", figures(found, limit, quick=settings.quick))
    target.write_text(page, encoding="utf-8")
    yield Row(f"written: {target.relative_to(ROOT)}")


def rows_of(source: str, rows: int, found: Sequence[Total]) -> Iterator[Row]:
    """A row for each tool: right and wrong causes at 95 %, or all where a tool has no confidence; and its time."""
    if not found:
        return
    yield Row(f"{SOURCES[source].title}, {rows} rows: causes, right / wrong")
    rival = next((one for one in found if one.tool == RIVAL), None)
    for one in found:
        asked = rival if SOURCES[source].large and one.tool == OURS else None
        yield Row(
            f"  {every_tool()[one.tool].name}",
            "" if asked is None else f">= {(asked.claimed(True) or (0, 0))[0]}",
            shown(one.claimed(True, SURE[0]) or one.claimed(True)),
            f"{one.most_seconds:.0f} s",
            None if asked is None else goal_reached(one, asked),
            (f"finished {one.finished}; does not cause: {shown(one.claimed(False, SURE[0]) or one.claimed(False))}",),
        )


def goal_reached(own: Total, rival: Total) -> bool:
    """At 95 %: as many right causes as the rival claims, at most 5 % wrong; every run within time and memory."""
    right, wrong = own.claimed(True, SURE[0]) or (0, 0)
    enough = right >= (rival.claimed(True) or (0, 0))[0] and wrong <= GOAL_WRONG * (right + wrong)
    finished = own.number(FINISHED) == len(own.runs)
    return enough and finished and own.most_seconds <= GOAL_SECONDS and own.most_memory <= GOAL_MEMORY
