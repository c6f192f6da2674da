"""What an experiment has to say: rows of the table, and blocks of text, tables, lists and plots for a page."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from weft.reproduce.figures import Figure, brief, document, share, shown, spread
from weft.reproduce.outcome import Outcome
from weft.reproduce.paper import METHODS, Printed


@dataclass(frozen=True)
class Row:
    """One line of the table: the paper's figures, and ours."""

    experiment: str
    condition: str
    method: str
    paper: Printed | None
    mags: Figure
    pags: Figure
    precision: Figure
    recall: Figure
    truth_found: Figure
    seconds: Figure
    repaired: Figure
    """In how many runs the evidence contradicted itself, so that something was given up."""
    proven: bool = True
    """Whether what was given up is the least, in all runs; else the answers are those of the best way out found."""

    def document(self) -> dict[str, Any]:
        """As plain values."""
        figures = ("mags", "pags", "precision", "recall", "truth_found", "seconds", "repaired")
        named = {name: getattr(self, name) for name in ("experiment", "condition", "method", "proven")}
        printed = None if self.paper is None else asdict(self.paper)
        return {**named, "paper": printed, "ours": {name: document(getattr(self, name)) for name in figures}}


@dataclass(frozen=True)
class Text:
    """A paragraph; words between backquotes are code."""

    text: str


@dataclass(frozen=True)
class Lines:
    """Lines as they are, such as graphs."""

    lines: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """A small table."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True)
class Series:
    """A line or a cloud of points of a plot, with intervals if there are any."""

    label: str
    x: tuple[float, ...]
    y: tuple[float, ...]
    low: tuple[float, ...] = ()
    high: tuple[float, ...] = ()


@dataclass(frozen=True)
class Plot:
    """A plot: what is in it, not how it is drawn."""

    name: str
    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    logarithmic: bool = False
    points: bool = False
    """Points alone, without lines between them."""


Block = Text | Lines | Table | Plot


@dataclass(frozen=True)
class Section:
    """An experiment, told."""

    name: str
    title: str
    rows: tuple[Row, ...]
    blocks: tuple[Block, ...]


def row_of(experiment: str, condition: str, outcome: Outcome, paper: Printed | None, truth: str | None = None) -> Row:
    """The row of one run; ``truth`` names the true graph that it is compared with (the first, if not given)."""
    score = next((one for one in outcome.scores if truth in (None, one.truth)), None)
    precision, recall, found = (score.precision, score.recall, score.found) if score else (None, None, None)
    return Row(
        experiment, condition, METHODS[outcome.method], paper, outcome.mags, outcome.pags, precision, recall, found,
        outcome.seconds, outcome.repaired, outcome.proven,
    )  # fmt: skip


def row_of_many(experiment: str, condition: str, outcomes: Sequence[Outcome], paper: Printed | None) -> Row:
    """The row of several repetitions of one method."""
    scores = [one.scores[0] for one in outcomes]
    return Row(
        experiment,
        condition,
        METHODS[outcomes[0].method],
        paper,
        spread(one.mags for one in outcomes),
        spread(one.pags for one in outcomes),
        spread(one.precision for one in scores),
        spread(one.recall for one in scores),
        share(one.found for one in scores),
        spread(one.seconds for one in outcomes),
        share(one.repaired for one in outcomes),
        all(one.proven for one in outcomes),
    )


def by_method(runs: Iterable[Sequence[Mapping[str, Any]]]) -> dict[str, list[Outcome]]:
    """The outcomes of several runs, sorted by method."""
    found: dict[str, list[Outcome]] = {}
    for run in runs:
        for one in map(Outcome.read, run):
            found.setdefault(one.method, []).append(one)
    return found


# -- the table -------------------------------------------------------------------------------------------------------

HEAD = (
    "experiment", "method", "MAGs: paper", "ours", "PAGs", "P: paper", "ours", "R: paper", "ours", "truth among them",
    "seconds", "given up in",
)  # fmt: skip


def table_of(rows: Sequence[Row]) -> Table:
    """Table 2 with the paper's figures and ours side by side."""
    return Table(HEAD, tuple(_cells(row) for row in rows))


def _cells(row: Row) -> tuple[str, ...]:
    paper = row.paper
    mags, precision, recall = (None, None, None) if paper is None else (paper.mags, paper.precision, paper.recall)
    return (
        _heading(row),
        row.method,
        "" if paper is None else "-" if mags is None else shown(mags, 1),
        _count(row.mags),
        _count(row.pags),
        shown(precision),
        shown(row.precision),
        shown(recall),
        shown(row.recall),
        shown(row.truth_found),
        shown(row.seconds, 1),
        _given_up(row),
    )


def _count(figure: Figure) -> str:
    return shown(figure, 1)


def _given_up(row: Row) -> str:
    if row.repaired is False:
        return ""
    return shown(row.repaired) + ("" if row.proven else ", not proven least")


TERMINAL_HEAD = ("", "MAGs (paper)", "PAGs", "P (paper)", "R (paper)", "truth", "s")


def text_lines(rows: Sequence[Row]) -> Iterator[str]:
    """Table 2 for a terminal: a heading for each condition, and ours (the paper's) for each method."""
    for heading, group in groupby(rows, key=_heading):
        yield heading
        own = list(group)
        lines = [TERMINAL_HEAD, *map(_brief_cells, own)]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        yield _aligned(TERMINAL_HEAD, widths)
        for row, cells in zip(own, lines[1:], strict=True):
            yield _aligned(cells, widths)
            if (given_up := _given_up(row)) and not given_up.startswith("0 of"):
                yield f"  something had to be given up: {given_up}"
        yield ""
    yield "P, R: precision, recall. truth: is it an answer? s: seconds of the solver."
    yield ">=: the time ran out, a lower bound. ~: an estimate, or of a sample."
    yield "!: of the answers found in time, no sample of all. ?: not known."


def _aligned(cells: Sequence[str], widths: Sequence[int]) -> str:
    name, *figures = (
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(cells, widths, strict=True))
    )
    return "  ".join((name, *figures)).rstrip()


def _heading(row: Row) -> str:
    return f"{row.experiment}, {row.condition}" if row.condition else row.experiment


def _brief_cells(row: Row) -> tuple[str, ...]:
    paper = row.paper
    mags, precision, recall = (None, None, None) if paper is None else (paper.mags, paper.precision, paper.recall)
    return (
        row.method,
        _beside(brief(row.mags, 1), "-" if paper is not None and mags is None else shown(mags, 1)),
        brief(row.pags, 1),
        _beside(brief(row.precision), shown(precision)),
        _beside(brief(row.recall), shown(recall)),
        brief(row.truth_found),
        brief(row.seconds, 1),
    )


def _beside(ours: str, paper: str) -> str:
    return f"{ours} ({paper})" if paper else ours
