"""The table that a run prints: one row per figure, written as soon as it is known."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import asdict, dataclass

_WIDTHS = (41, 9, 10, 10)
_HEADINGS = ("what", "goal", "median", "worst")


@dataclass(frozen=True)
class Row:
    """One figure: what was measured, what it should be, what it is."""

    what: str
    goal: str = ""
    median: str = ""
    worst: str = ""
    reached: bool | None = None
    """Whether the worst value keeps the goal; ``None`` if there is no goal or nothing was measured."""
    notes: tuple[str, ...] = ()
    """Lines printed below the row."""
    values: tuple[float, ...] = ()
    """The single values, in the order of the seeds; infinite where the limit was passed."""

    def as_json(self) -> dict[str, object]:
        """The row as plain values; JSON knows no infinity, so that a value past the limit is ``null``."""
        return asdict(self) | {"values": [value if math.isfinite(value) else None for value in self.values]}

    def __str__(self) -> str:
        verdict = {True: "yes", False: "NO", None: ""}[self.reached]
        line = _line((self.what, self.goal, self.median, self.worst), verdict)
        return "\n".join([line, *(f"    {note}" for note in self.notes)])


def heading() -> str:
    """The first lines of the table."""
    line = _line(_HEADINGS, "reached")
    return f"{line}\n{'-' * len(line)}"


def _line(cells: Sequence[str], verdict: str) -> str:
    what, *others = cells
    padded = [what.ljust(_WIDTHS[0]), *(cell.rjust(width) for cell, width in zip(others, _WIDTHS[1:], strict=True))]
    return f"{''.join(padded)}  {verdict}".rstrip()


def section(title: str) -> str:
    """A line between groups of rows."""
    return f"\n{title}"


def skipped(what: str, why: str) -> Row:
    """A row for something that could not be measured here."""
    return Row(what, median="skipped", notes=(why,))


def time_row(
    what: str,
    values: Sequence[float],
    *,
    goal: float | None = None,
    limit: float = math.inf,
    notes: tuple[str, ...] = (),
) -> Row:
    """A row of durations in seconds; the infinite ones are those that passed the limit."""
    median, worst = statistics.median_low(values), max(values)
    return Row(
        what,
        "" if goal is None else f"< {seconds(goal)}",
        seconds(median, limit),
        seconds(worst, limit),
        None if goal is None else worst < goal,
        notes,
        tuple(values),
    )


def rate_row(what: str, values: Sequence[float], *, goal: float, notes: tuple[str, ...] = ()) -> Row:
    """A row of rates per second; the worst is the lowest."""
    median, worst = statistics.median_low(values), min(values)
    return Row(what, f">= {goal:,.0f}", f"{median:,.0f}", f"{worst:,.0f}", worst >= goal, notes, tuple(values))


def memory_row(what: str, values: Sequence[float], *, goal: float, notes: tuple[str, ...] = ()) -> Row:
    """A row of peak memory in megabytes."""
    median, worst = statistics.median_low(values), max(values)
    return Row(what, f"< {goal:.0f} MB", f"{median:.0f} MB", f"{worst:.0f} MB", worst < goal, notes, tuple(values))


def ratio_row(what: str, values: Sequence[float], *, goal: float, bounds: bool, notes: tuple[str, ...] = ()) -> Row:
    """A row of ratios of times, shown as fractions of 1; with ``bounds`` the true ones are smaller."""
    median, worst = statistics.median_low(values), max(values)
    reached = None if bounds and worst > goal else worst <= goal
    shown = [f"{'< ' if bounds else ''}{_fraction(value)}" for value in (median, worst)]
    return Row(what, f"<= 1/{1 / goal:.0f}", shown[0], shown[1], reached, notes, tuple(values))


def _fraction(value: float) -> str:
    return f"{value:.2f}" if value > 0.5 else f"1/{1 / value:.1f}" if value > 0.1 else f"1/{1 / value:.0f}"


def seconds(value: float, limit: float = math.inf) -> str:
    """A duration with two or three figures that mean something."""
    if value == math.inf:
        return f"> {limit:.0f} s"
    return (
        f"{value:.0f} s" if value >= 10 or value == int(value) else f"{value:.1f} s" if value >= 1 else f"{value:.2f} s"
    )
