"""Plots as SVG, drawn by matplotlib if it is installed."""

from __future__ import annotations

import io
import re

from weft.reproduce.sections import Plot

_COLOURS = ("#33658a", "#c1440e", "#4a7c59", "#86608e", "#b8860b")


def can_draw() -> bool:
    """Whether matplotlib is there."""
    from importlib.util import find_spec

    return find_spec("matplotlib") is not None


def as_svg(plot: Plot) -> str:
    """A plot as SVG; the same plot gives the same text."""
    from matplotlib import rc_context
    from matplotlib.figure import Figure

    with rc_context({"svg.hashsalt": plot.name, "svg.fonttype": "none"}):
        figure = Figure(figsize=(7, 4), layout="constrained")
        axis = figure.add_subplot()
        for colour, series in zip(_COLOURS, plot.series, strict=False):
            if series.low:
                axis.fill_between(series.x, series.low, series.high, color=colour, alpha=0.15, linewidth=0)
            line = "" if plot.points else "-"
            axis.plot(series.x, series.y, line, marker="o", markersize=4, color=colour, alpha=0.8, label=series.label)
        if plot.logarithmic:
            axis.set_yscale("log")
        axis.set_xlabel(plot.x)
        axis.set_ylabel(plot.y)
        axis.set_title(plot.title)
        axis.spines[["top", "right"]].set_visible(False)
        axis.legend(frameon=False)
        text = io.StringIO()
        figure.savefig(text, format="svg", metadata={"Date": None})
    lines = (line.rstrip() for line in text.getvalue().splitlines())
    return re.sub(r"^.*?(?=<svg)", "", "\n".join(lines), flags=re.DOTALL) + "\n"
