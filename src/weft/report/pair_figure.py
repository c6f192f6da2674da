"""A pair of columns, drawn both ways (the scatter with a fitted curve, and what the curve leaves), and all verdicts.

If x causes y with independent noise, the residuals of y on x look the same all along x, and those of x on y do not.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weft.errors import WeftError
from weft.evidence.complete import complete_rows
from weft.evidence.orientation.protocol import Verdict
from weft.evidence.orientation.smoothing import Smoother
from weft.graphs.criteria import Structure
from weft.reading.files import label_of, why_not_written
from weft.studies import Column

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_POINTS = 3000
"""More points than this are thinned in the drawing."""
_FORMATS = (".png", ".svg", ".pdf")
_LINE, _DOTS = "#c1440e", "#33658a"


def draw_pair(x: Column, y: Column, verdicts: Sequence[Verdict], path: str | os.PathLike[str]) -> None:
    """Draw the pair into a file, whose ending says the format (:func:`check_name`)."""
    check_name(path)
    figure = pair_figure(x, y, verdicts)
    try:
        figure.savefig(path, dpi=150)
    except OSError as error:
        raise WeftError(f"{label_of(path)}: {why_not_written(error)}") from None


def check_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name that does not say the format."""
    if not os.fspath(path).lower().endswith(_FORMATS):
        raise WeftError(f"{os.fspath(path)}: a picture's name ends in {', '.join(_FORMATS)}; choose one of these")


def pair_figure(x: Column, y: Column, verdicts: Sequence[Verdict]) -> Figure:
    """The figure: each column against the other, the residuals below, the verdicts beside."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise WeftError("a picture needs the package 'matplotlib'; install weft[figures]") from None
    one, other = complete_rows((x, y))
    figure = Figure(figsize=(13, 6.5), layout="constrained")
    grid = figure.add_gridspec(2, 3)
    for column, (cause, effect) in enumerate(((one, other), (other, one))):
        _draw_direction(figure.add_subplot(grid[0, column]), figure.add_subplot(grid[1, column]), cause, effect)
    _draw_verdicts(figure.add_subplot(grid[:, 2]), verdicts, x.name, y.name)
    return figure


def _draw_verdicts(axis: Any, verdicts: Sequence[Verdict], x: str, y: str) -> None:
    """A bar for each method, towards the direction it prefers and as long as it is sure; filled if it decides."""
    for place, verdict in enumerate(verdicts):
        towards = 1 if verdict.forced is Structure.CAUSES else -1
        length = towards * (2 * verdict.confidence - 1)
        axis.barh(place, length, color=_DOTS if verdict.decided else "white", edgecolor=_DOTS, linewidth=1.5)
        allowed = " | ".join(one.value for one in sorted(verdict.allowed)) if verdict.decided else "undecided"
        axis.text(-0.04 * towards, place, allowed, ha="right" if towards > 0 else "left", va="center", fontsize=8)
    axis.axvline(0, color="black", linewidth=1)
    axis.set_xlim(-1.05, 1.05)
    axis.set_xticks(
        [-1, 0, 1],
        [
            _plain(f"{_short(y, 14)}\ncauses {_short(x, 14)}"),
            "not known",
            _plain(f"{_short(x, 14)}\ncauses {_short(y, 14)}"),
        ],
    )
    axis.set_yticks(range(len(verdicts)), [verdict.method for verdict in verdicts])
    axis.invert_yaxis()
    axis.set_title("confidence; filled: decided")
    axis.spines[["top", "right", "left"]].set_visible(False)


def _draw_direction(above: Any, below: Any, cause: Column, effect: Column) -> None:
    curve = Smoother(cause.values).fit(effect.values).fitted
    shown = np.random.default_rng(0).permutation(len(curve))[:_POINTS]
    dots = {"s": 8, "color": _DOTS, "alpha": 0.5, "linewidths": 0}
    above.scatter(cause.values[shown], effect.values[shown], **dots)
    order = np.argsort(cause.values, kind="stable")
    above.plot(cause.values[order], curve[order], color=_LINE, linewidth=2)
    above.set_title(_plain(f"if {_short(cause.name)} causes {_short(effect.name)}"))
    above.set_ylabel(_plain(_short(effect.name)))
    below.scatter(cause.values[shown], (effect.values - curve)[shown], **dots)
    below.axhline(0, color=_LINE, linewidth=2)
    below.set_xlabel(_plain(_short(cause.name)))
    below.set_ylabel("what the curve leaves")
    for axis in (above, below):
        axis.spines[["top", "right"]].set_visible(False)


def _short(name: str, most: int = 30) -> str:
    return name if len(name) <= most else f"{name[: most - 1]}…"


def _plain(text: str) -> str:
    """A name is text, never a formula."""
    return text.replace("$", r"\$")
