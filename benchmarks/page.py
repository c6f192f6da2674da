"""The figures of ``docs/benchmark.md``: what tools claimed, summed up, as tables in Markdown."""

from __future__ import annotations

import os
import platform
import re
import statistics
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from benchmarks.overlapping import ROWS, SOURCES, right_and_wrong
from benchmarks.runs import FAILED, FINISHED, TOO_LONG, Outcome, version_of
from benchmarks.tools import LEVELS, NUMBERS, every_tool

OURS, RIVAL = "weft_all", "fci_alone"
SURE = (0.95, 0.9, 0.75)
"""The confidences that are asked for; claims of the last and above are what weft tells of its own accord."""
_COUNTED = tuple(f"{what}≥ {SURE[0]:g}".replace("0.", ".") for what in ("causes, ", "does not cause, "))
_OTHERS = (*(f"≥ {least:g}".replace("0.", ".") for least in SURE[1:]), "all")
_HEADINGS = ("tool", "rows", "finished", _COUNTED[0], *_OTHERS, _COUNTED[1], *_OTHERS, "seconds", "MB")


@dataclass(frozen=True)
class Total:
    """The runs of one tool on several cases."""

    tool: str
    runs: tuple[Outcome, ...]

    def claimed(self, causes: bool, least: float | None = None) -> tuple[int, int] | None:
        """Claims that are right and wrong; ``None`` where a confidence is asked for and the tool has none."""
        if least is not None and not every_tool()[self.tool].says_how_sure:
            return None
        counts = [right_and_wrong(one.claims, causes, least) for one in self.runs]
        return sum(right for right, _ in counts), sum(wrong for _, wrong in counts)

    def surest(self, right: int) -> tuple[int, int] | None:
        """Its surest causes, as few as hold so many that are right: right and wrong; ``None`` if it has fewer.

        Claims that are as sure as each other are taken together.
        """
        said = [one for run in self.runs for one in run.claims if one.causes and one.confidence is not None]
        for least in sorted({one.confidence or 0.0 for one in said}, reverse=True):
            found = right_and_wrong(said, True, least)
            if found[0] >= right:
                return found
        return None

    def number(self, end: str) -> int:
        """How many runs ended in this way."""
        return sum(one.end == end for one in self.runs)

    @property
    def most_seconds(self) -> float:
        return max(one.seconds for one in self.runs)

    @property
    def most_memory(self) -> float:
        """Of the runs that finished."""
        return max((one.memory for one in self.runs), default=0.0)

    @property
    def finished(self) -> str:
        """How many runs finished, and what became of the others."""
        others = [f"{self.number(end)} {end}" for end in (TOO_LONG, FAILED) if self.number(end)]
        return f"{self.number(FINISHED)} of {len(self.runs)}" + (f" ({', '.join(others)})" if others else "")

    @property
    def time(self) -> str:
        """The median and the longest time."""
        timed = sorted((one.seconds, one.end == TOO_LONG) for one in self.runs if one.end != FAILED)
        if not timed:
            return "—"
        return ", ".join(
            f"{'> ' * over}{_short(seconds)}" for seconds, over in (statistics.median_low(timed), timed[-1])
        )

    def cells(self) -> list[str]:
        """Its line of a table, the tool's name and the rows apart."""
        claims = [shown(self.claimed(causes, least)) for causes in (True, False) for least in (*SURE, None)]
        memory = f"{self.most_memory:.0f}" if self.number(FINISHED) else "—"
        return [self.finished, *claims, self.time, memory]


def _short(seconds: float) -> str:
    return f"{seconds:.0f}" if seconds >= 10 else f"{seconds:.1f}"


def shown(counts: tuple[int, int] | None) -> str:
    """Right and wrong, as tables show them."""
    return "—" if counts is None else f"{counts[0]} / {counts[1]}"


def totals(found: Sequence[Outcome]) -> list[Total]:
    """One for each tool, in the order of the tools."""
    by_tool: dict[str, list[Outcome]] = {}
    for one in found:
        by_tool.setdefault(one.tool, []).append(one)
    return [Total(tool, tuple(by_tool[tool])) for tool in every_tool() if tool in by_tool]


def with_part(page: str, name: str, part: str) -> str:
    """A page with a new part between the two lines that say where it belongs."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    found, number = re.subn(f"{begin}\n.*?{end}", lambda _: f"{begin}\n\n{part}\n\n{end}", page, flags=re.DOTALL)
    if number != 1:
        raise ValueError(f"the page has {number} parts between {begin} and {end}; one is needed")
    return found


def list_of_tools() -> str:
    """What each tool does."""
    return "\n".join(f"- **{tool.name}**: {tool.about}" for tool in every_tool().values())


def figures(found: Sequence[Outcome], limit: float, *, quick: bool) -> str:
    """All tables: first sums over the sources of a kind, then source by source."""
    lines = [*_opening(found, limit, quick), ""]
    for kind in (LEVELS, NUMBERS):
        own = [one for one in found if SOURCES[one.case.source].kind == kind]
        lines += _section(f"All tables of {kind}", "The sum over all sources below that have such tables.", own)
    for name, source in SOURCES.items():
        lines += _section(source.title.capitalize(), source.about, [one for one in found if one.case.source == name])
    return "\n".join(lines).strip()


def _opening(found: Sequence[Outcome], limit: float, quick: bool) -> Iterator[str]:
    if quick:
        yield (
            "**These figures come from `--quick`**: one small case of each of a few sources, to show what the tables "
            "look like. They say nothing about which tool is better.\n"
        )
    used = {one.case.source for one in found}
    if not quick and (left_out := [source.title for name, source in SOURCES.items() if name not in used]):
        yield f"This run left out: {'; '.join(left_out)}.\n"
    versions = sorted({version_of(tool) for tool in {one.tool for one in found}})
    yield (
        f"{date.today()}; {len(found)} runs, each ended after {limit:g} seconds of processor time; {os.cpu_count()} "
        f"cores; Python {platform.python_version()}, {', '.join(versions)}."
    )


def _section(title: str, about: str, found: Sequence[Outcome]) -> Iterator[str]:
    if not found:
        return
    yield from (f"### {title}", "", about, "", _sizes(found), "")
    yield from table(found)
    yield ""
    if sentences := list(_as_many(found)):
        yield from (" ".join(sentences), "")
    for one in found:
        if one.end == FAILED:
            case = f"{one.case.source}, {one.case.studies} studies, {one.case.rows} rows, seed {one.case.seed}"
            yield f"- {every_tool()[one.tool].name} failed ({case}): {one.why}"
            yield ""


def _as_many(found: Sequence[Outcome]) -> Iterator[str]:
    """With each number of rows: how many are wrong where weft claims as many right causes as its rival does."""
    for rows in ROWS:
        by_tool = {one.tool: one for one in totals([one for one in found if one.case.rows == rows])}
        rival, own = by_tool.get(RIVAL), by_tool.get(OURS)
        right, wrong = (0, 0) if rival is None else rival.claimed(True) or (0, 0)
        if own is None or not right:
            continue
        surest = own.surest(right)
        told = f"{every_tool()[RIVAL].name}: {right} right {'cause' if right == 1 else 'causes'}, {wrong} wrong. "
        yield f"{rows:,} rows, {told}" + (
            "weft has fewer right ones."
            if surest is None
            else f"Of weft's surest, {surest[0]} right, {surest[1]} wrong."
        )


def _sizes(found: Sequence[Outcome]) -> str:
    """How much there is to find, with each number of rows; the same for all tools."""
    parts = []
    for rows in ROWS:
        own = {one.case: one for one in found if one.case.rows == rows and one.end == FINISHED}.values()
        if own:
            pairs, causes = sum(one.pairs for one in own), sum(one.causes for one in own)
            cases = "1 case" if len(own) == 1 else f"{len(own)} cases"
            parts.append(f"{cases} with {rows:,} rows: {pairs:,} ordered pairs, {causes:,} of them cause and effect")
    return f"{'; '.join(parts)}." if parts else "No run finished."


def table(found: Sequence[Outcome]) -> Iterator[str]:
    """The lines of a table: each tool with each number of rows."""
    yield f"| {' | '.join(_HEADINGS)} |"
    yield f"|{'---|' * 2}{'---:|' * (len(_HEADINGS) - 2)}"
    for rows in ROWS:
        for one in totals([one for one in found if one.case.rows == rows]):
            yield f"| {' | '.join([every_tool()[one.tool].name, f'{rows:,}', *one.cells()])} |"
