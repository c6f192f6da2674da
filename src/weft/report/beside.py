"""Two results side by side: both pictures with one layout, the claims that differ, and what is behind it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from pathlib import PurePath
from typing import Any

from weft.report.lines import Line, most_frequent, union_lines
from weft.report.picture_layout import PictureLayout, joint_layout
from weft.report.view import View, view_of
from weft.solutions.compare import Comparison, compare
from weft.solutions.solution_set import SolutionSet


@dataclass(frozen=True)
class Side:
    """One of the two."""

    label: str
    lines: tuple[Line, ...]
    """What is drawn; ends are positions among :attr:`Beside.variables`."""
    absent: tuple[int, ...]
    """The variables that it is not about."""
    left_out: int
    """How many lines are not drawn since they are rare and too many."""
    consistent: bool | None


@dataclass(frozen=True)
class Beside:
    """Another result and that of the page."""

    variables: tuple[str, ...]
    """All that either is about."""
    layout: PictureLayout
    sides: tuple[Side, Side]
    """The other one first."""
    comparison: Comparison
    """From the other one to that of the page."""


def beside_of(solutions: SolutionSet, view: View, other: SolutionSet, labels: tuple[str, str]) -> Beside:
    """A page's answer, of which the view is there, and another one beside it.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> before, now = (solve(oracle(text, [["X", "Y"]])) for text in ("X; Y", "X -> Y"))
    >>> found = beside_of(now, view_of(now, patience=0), before, ("before", "now"))
    >>> [len(side.lines) for side in found.sides], str(found.comparison.changes[0].claim)
    ([0, 1], 'X -> Y')
    """
    views = (view_of(other, patience=0, details=False), view)
    names, layout = joint_layout(views[::-1])
    first, second = (_side(label, one, names) for label, one in zip(labels, views, strict=True))
    return Beside(names, layout, (first, second), compare(other, solutions))


def _side(label: str, view: View, names: tuple[str, ...]) -> Side:
    at = [names.index(name) for name in view.variables]
    every = union_lines(view)
    drawn = tuple(replace(line, x=at[line.x], y=at[line.y]) for line in most_frequent(every, len(view.variables)))
    absent = tuple(i for i, name in enumerate(names) if name not in view.variables)
    return Side(label, drawn, absent, len(every) - len(drawn), view.consistent)


def labels(other: str, own: str) -> tuple[str, str]:
    """What two files are called: by their names, or by more of their paths where the names are the same.

    >>> labels("old/result.json", "new/result.json"), labels("old/a.json", "b.json")
    (('old/result.json', 'new/result.json'), ('a.json', 'b.json'))
    """
    short = PurePath(other).name, PurePath(own).name
    return short if short[0] != short[1] else (other, own)


def beside_document(beside: Beside) -> dict[str, Any]:
    """As plain values, for the page (``web/src/view.ts`` has the types)."""
    return beside.comparison.as_json() | {
        "labels": [side.label for side in beside.sides],
        "variables": list(beside.variables),
        "layout": asdict(beside.layout),
        "lines": [[_line_document(line) for line in side.lines] for side in beside.sides],
        "absent": [list(side.absent) for side in beside.sides],
        "left_out": [side.left_out for side in beside.sides],
        "empty": [_empty(side) for side in beside.sides],
    }


def _line_document(line: Line) -> dict[str, Any]:
    own = asdict(line) | {"mark_x": int(line.mark_x), "mark_y": int(line.mark_y)}
    del own["second"]
    return own


def _empty(side: Side) -> str:
    return "There is no consistent structure to draw." if side.consistent is False else "No edge in any of them."
