"""The page about a reproduction, as Markdown and as HTML, from the same blocks."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.report.view import number
from weft.reproduce.sections import Block, Lines, Plot, Section, Table, Text, table_of
from weft.version import __version__

TITLE = "The paper, reproduced"
_STYLE = (
    "body{font:16px/1.5 system-ui,sans-serif;max-width:75rem;margin:2rem auto;padding:0 1rem;color:#222}"
    "table{border-collapse:collapse;margin:1rem 0;font-size:.85rem;display:block;overflow-x:auto}"
    "td,th{border-bottom:1px solid #ddd;padding:.25rem .6rem;text-align:left;vertical-align:top}"
    "pre{background:#f6f6f6;padding:.8rem;overflow-x:auto}svg{max-width:100%;height:auto}"
)


@dataclass(frozen=True)
class Run:
    """How a reproduction was made."""

    command: str
    quick: bool
    seed: int
    jobs: int
    cores: int
    load: float | None
    """The machine's load when it ended: what else was running makes times longer."""
    seconds: Mapping[str, float]
    """For each experiment, the seconds of all its units added up."""


def blocks(run: Run, sections: Sequence[Section]) -> Iterator[tuple[str, Sequence[Block]]]:
    """The page as headings, each with its blocks."""
    yield "", tuple(_about(run, sections))
    yield "Table 2", (_table_text(), table_of([row for section in sections for row in section.rows]))
    for section in sections:
        yield section.title, section.blocks


def _about(run: Run, sections: Sequence[Section]) -> Iterator[Block]:
    size = "the quick setting" if run.quick else "the paper's sizes"
    load = "" if run.load is None else f" (load {run.load:.1f} when it ended)"
    where = f"{number(run.jobs, 'process', 'processes')} on {number(run.cores, 'core', 'cores')}{load}"
    yield Text(
        f"Written by `{run.command}` with weft {__version__}: {size}, seed {run.seed}, {where}. Every number and every "
        "reason below was computed by it (pieces that were finished before, with the same settings, are kept); do not "
        "edit this page, run it again."
    )
    yield Text(
        "The paper is Dhir and Lee, *Integrating overlapping datasets using bivariate causal discovery* (AAAI 2020); "
        "its figures are those of its Table 2."
    )
    names = {section.name: section.title for section in sections}
    rows = [(names[name], f"{seconds:,.0f}") for name, seconds in run.seconds.items()]
    rows += [("all together", f"{sum(run.seconds.values()):,.0f}")] if len(rows) > 1 else []
    yield Table(("experiment", "seconds of work, all processes added up"), tuple(rows))


def _table_text() -> Text:
    return Text(
        "MAGs: the number of consistent structures; PAGs: the number of their equivalence classes. P and R: precision "
        "and recall by the paper's definitions, edges with the orientation of the truth over edges, and over the edges "
        "of the truth times MAGs. Of repetitions, MAGs, PAGs, P, R and seconds are means. Seconds are those of the "
        "solver, tests not included. *Given up in*: the runs in which the evidence contradicted itself, so that the "
        "least weight of it was given up (*not proven least*: the best way out that was found in time); the other runs "
        "needed no repair. A dash in the paper's column means that it could not be computed there. *About*, "
        "*estimated*: a count with a guarantee, by random draws. *N drawn*: the figure is that of a fair sample. "
        "*N on walks*: of answers met on walks, which began at answers drawn fairly if the count has a guarantee. "
        "*By random walks*: without a guarantee. "
        "*First N*: none could be drawn in time, and the figure is that of the answers found first."
    )


# -- Markdown --------------------------------------------------------------------------------------------------------


def as_markdown(run: Run, sections: Sequence[Section], pictures: Mapping[str, str]) -> str:
    """The page as Markdown; ``pictures`` says in which file each plot is."""
    parts = [f"# {TITLE}"]
    for heading, content in blocks(run, sections):
        parts += [f"## {heading}"] if heading else []
        parts += [_markdown(block, pictures) for block in content]
    return "\n\n".join(parts) + "\n"


def _markdown(block: Block, pictures: Mapping[str, str]) -> str:
    if isinstance(block, Text):
        return block.text
    if isinstance(block, Lines):
        return "\n".join(("```text", *block.lines, "```"))
    if isinstance(block, Plot):
        return f"![{block.title}]({pictures[block.name]})" if block.name in pictures else _NO_PLOT
    lines = [block.head, ("---",) * len(block.head), *block.rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)


_NO_PLOT = "(A plot belongs here; matplotlib is not installed, so it was not drawn: `pip install weft[figures]`.)"


# -- HTML ------------------------------------------------------------------------------------------------------------


def as_html(run: Run, sections: Sequence[Section], drawings: Mapping[str, str]) -> str:
    """The page as one HTML file; ``drawings`` holds each plot as SVG."""
    parts = [f"<h1>{TITLE}</h1>"]
    for heading, content in blocks(run, sections):
        parts += [f"<h2>{html.escape(heading)}</h2>"] if heading else []
        parts += [_html(block, drawings) for block in content]
    head = f'<meta charset="utf-8"><title>{TITLE}</title><style>{_STYLE}</style>'
    return "\n".join(
        ('<!doctype html>\n<html lang="en">', f"<head>{head}</head>", "<body>", *parts, "</body></html>\n")
    )


def _html(block: Block, drawings: Mapping[str, str]) -> str:
    if isinstance(block, Text):
        return f"<p>{inline(block.text)}</p>"
    if isinstance(block, Lines):
        return f"<pre>{html.escape(chr(10).join(block.lines))}</pre>"
    if isinstance(block, Plot):
        return f"<figure>{drawings[block.name]}</figure>" if block.name in drawings else f"<p>{inline(_NO_PLOT)}</p>"
    head = "".join(f"<th>{inline(cell)}</th>" for cell in block.head)
    rows = ("".join(f"<td>{inline(cell)}</td>" for cell in row) for row in block.rows)
    return f"<table><tr>{head}</tr>" + "".join(f"<tr>{row}</tr>" for row in rows) + "</table>"


def inline(text: str) -> str:
    """Code and emphasis of a paragraph as HTML.

    >>> inline("*Not* `a -> b` & so on")
    '<em>Not</em> <code>a -&gt; b</code> &amp; so on'
    """
    parts = re.split(r"`([^`]*)`", text)
    return "".join(
        f"<code>{html.escape(part)}</code>"
        if place % 2
        else re.sub(r"\*([^*]+)\*", r"<em>\1</em>", html.escape(part, quote=False))
        for place, part in enumerate(parts)
    )
