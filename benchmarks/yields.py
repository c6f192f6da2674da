"""What weak statements are worth: ``python -m benchmarks.yields``.

Statements that are less sure than ``independence_confidence`` are not made. But a statement is a weighted vote, and
several weak ones add up. So here the same tables are judged with several such limits, and for each the claims that are
right and wrong are counted by their margin, beside the causes that FCI finds in each study alone, and the CPU time of
the search.

Data: discrete networks with hidden variables of ``populations.py`` in two studies, with ``MEASURED`` variables that
some study measured, or graphs of the simulator (``--source linear``, ``nonlinear``, ``discrete``); seeds from ``SEED``
up, on which nothing was fitted. *The most at 95 %*: the right and wrong claims above the margin from which on as many
as possible are right, and at most 5 % wrong. It is chosen after the fact: what a fitted curve may reach at best.

A first look, on twenty networks of 5,000 and twenty of 1,000 rows, too few to settle it: with a limit of .7 instead of
.9 there are several times as many claims, but hardly more causes of a margin of 2 or more, which 95 % asks for. On nine
linear data sets a limit of .7 for pairs alone did no harm, and for sets as well it lost causes (14 instead of 20).
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterator, Sequence
from itertools import count, islice, pairwise
from pathlib import Path

from benchmarks.confidence import FIT_EFFORT, Case, Judged, Said, at_precision, judged
from weft.search.margins import LARGEST

SEED = 90_000
MEASURED = range(8, 11)
"""How many variables the studies have together: with more, exact margins take long."""
RUNGS = (0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0, LARGEST, 1e9)
KINDS = ("causes", "not causes", "adjacent", "not adjacent")


def cases(source: str, rows: int, least: float, start: int = SEED) -> Iterator[Case]:
    """Data sets of a source, one after the other."""
    for seed in count(start):
        case = Case(source, rows, seed, least=least)
        studies = case.drawn()[1]
        measured = {name for study in studies for name in study.variables}
        if not source.startswith("population") or (len(studies) == 2 and len(measured) in MEASURED):
            yield case


def by_margin(kind: str, runs: Sequence[Judged]) -> str:
    """The right and wrong claims of a kind: the most at 95 %, all of them, and by their margins."""
    own = [one for run in runs for one in run.said if one.kind == kind and one.margin > 0]
    cells = [f"{low:g}+ {_counted([one for one in own if low <= one.margin < high])}" for low, high in pairwise(RUNGS)]
    right, wrong = at_precision([one._replace(confidence=min(one.margin, LARGEST)) for one in own], 0.95)
    return f"{kind}: the most at 95 % {right}/{wrong}, all {_counted(own)}; by margin {', '.join(cells)}"


def _counted(said: Sequence[Said]) -> str:
    right = sum(one.right for one in said)
    return f"{right}/{len(said) - right}"


def report(source: str, rows: int, least: float, number: int, folder: Path | None, effort: int) -> None:
    """Judge so many data sets, and print what was claimed."""
    start = time.process_time()
    kept = None if folder is None else str(folder)
    runs = [judged((case, kept, True, effort)) for case in islice(cases(source, rows, least), number)]
    spent = (time.process_time() - start) / len(runs)
    alone = [one.alone for one in runs if one.alone is not None]
    print(f"{source}, {rows} rows, statements from {least:g} on: {len(runs)} runs, ", end="")
    print(
        f"{sum(not one.settled for one in runs)} not settled, {spent:.1f} s of CPU each (tests and FCI included); ",
        end="",
    )
    print(f"FCI on each study alone {sum(one[0] for one in alone)}/{sum(one[1] for one in alone)}")
    for kind in KINDS:
        print(f"  {by_margin(kind, runs)}", flush=True)


def main() -> None:
    """Compare limits."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.yields", description=__doc__.splitlines()[0])
    parser.add_argument("--source", default="population discrete")
    parser.add_argument("--rows", type=int, nargs="+", default=[1000, 5000])
    parser.add_argument("--least", type=float, nargs="+", default=[0.9, 0.8, 0.7, 0.6, 0.55])
    parser.add_argument("--number", type=int, default=40, help="data sets of each number of rows")
    parser.add_argument("--effort", type=int, default=FIT_EFFORT)
    parser.add_argument("--keep", type=Path, metavar="FOLDER", help="where to keep what was found")
    options = parser.parse_args()
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
    for rows in options.rows:
        for least in options.least:
            report(options.source, rows, least, options.number, options.keep, options.effort)


if __name__ == "__main__":
    main()
