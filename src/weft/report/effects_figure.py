"""An effect as a forest plot: a line for each case, its estimate with the interval, and how sure it is."""

from __future__ import annotations

import os
from textwrap import wrap
from typing import TYPE_CHECKING

from weft.effects.answer import Case, Effects, number
from weft.errors import WeftError
from weft.report.pair_figure import check_name

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST = 12
"""So many cases are drawn, the surest."""
_ROW, _WIDTH = 30, 560
"""The height of a line and the width of the figure, in points."""
_WIDEST, _WIDEST_LABEL = 46, 66
"""The longest line of what a case is, and of what is counted, in letters."""
_INK, _QUIET = "#33658a", "#777777"


def forest(effects: Effects) -> Figure:
    """The figure."""
    try:
        from weft.report.canvas import new_picture
    except ImportError:
        raise WeftError("a picture needs the package 'matplotlib'; install weft[figures]") from None
    shown = effects.cases[:MOST]
    figure = new_picture(_WIDTH, _ROW * (len(shown) + 3))
    axis = figure.add_axes((0.42, 1.6 / (len(shown) + 3), 0.44, (len(shown) + 0.4) / (len(shown) + 3)))
    axis.axvline(0, color=_QUIET, linewidth=0.8)
    for place, case in enumerate(shown):
        _draw(axis, place, case)
    axis.set_ylim(len(shown) - 0.5, -0.5)
    axis.set_yticks(range(len(shown)), [_plain(_what(case)) for case in shown], fontsize=8)
    axis.tick_params(axis="y", length=0)
    axis.tick_params(axis="x", labelsize=8)
    axis.spines[["top", "right", "left"]].set_visible(False)
    axis.set_xlabel(_plain(_lines(f"change of {effects.of} for {effects.per}", _WIDEST_LABEL)), fontsize=8)
    return figure


def _draw(axis: object, place: int, case: Case) -> None:
    from typing import Any, cast

    plot = cast("Any", axis)
    if case.effect is None or case.low is None or case.high is None:
        plot.text(0.5, place, "not identified", transform=plot.get_yaxis_transform(), ha="center", va="center",
                  fontsize=8, color=_QUIET, style="italic")  # fmt: skip
    else:
        plot.plot([case.low, case.high], [place, place], color=_INK, linewidth=1.6, solid_capstyle="butt")
        plot.plot([case.effect], [place], marker="s", color=_INK, markersize=3 + 5 * (case.confidence or case.share))
    sure = case.share if case.confidence is None else case.confidence
    plot.text(1.03, place, f"{100 * sure:.0f} %", transform=plot.get_yaxis_transform(), va="center", fontsize=8)


def _what(case: Case) -> str:
    """A case in a few words."""
    if case.kind == "zero":
        return "no effect"
    if case.kind == "not identified" or case.effect is None:
        return _lines(case.reason)
    through = f"; through {', '.join(case.through)}" if case.through else ""
    fixed = f"; given {', '.join(case.adjusted_for)}" if case.adjusted_for else ""
    return _lines(f"{number(case.effect)} in {', '.join(case.studies)}{through}{fixed}")


def _lines(text: str, width: int = _WIDEST) -> str:
    """At most two lines."""
    return "\n".join(wrap(text, width, max_lines=2, placeholder=" …"))


def _plain(text: str) -> str:
    """A name is text, never a formula."""
    return text.replace("$", r"\$")


def write_forest(effects: Effects, path: str | os.PathLike[str]) -> None:
    """Write the figure to a file, whose ending says the format."""
    from weft.report.figure import write_figure

    check_name(path)
    write_figure(forest(effects), path, f"effect of {effects.cause} on {effects.outcome}")
