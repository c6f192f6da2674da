"""Part 1 of IOD on whole tables: time and memory of ``weft evidence``; ``discovery.py`` has the same cases to the end.

- *Numbers*: three studies of random ADMGs (mean degree 3); 10 variables, 1,000 rows each, fisher-z; and 15 variables,
  5,000 rows each, nonlinear, with the defaults.
- *Numbers and levels*: 10 variables, a third of them recorded as two and a third as three levels; studies of 20,000,
  1,200 and 150 rows.
- *Levels*: 100,000 rows and 10 columns of two to four levels from a random DAG, cut into two studies of 8 columns each.
- *Sachs*: the 11 proteins, 7,466 rows, in the paper's two sets of variables. No row is in two studies (pooling
  supposes that): the rows, in random order, are cut in half. No limit on the sets.

Two processes, an empty cache. Each runs as a command in a process of its own, so that memory is that of all its
processes together.
"""

from __future__ import annotations

import csv
import json
import os
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.graphs.simulate import random_admg
from weft.studies import Column, Kind, Study
from weft.studies.simulate import draw_studies

SACHS = Path(__file__).parents[2] / "shared" / "data" / "sachs_cyto_full.csv"
SEED = 20261118
_LEFT_OUT = ("PKA", "p44/42")
"""What the first and the second of the paper's sets of variables lack."""


@dataclass(frozen=True)
class Case:
    """Tables, the options for them, and the seconds that the whole way may take."""

    what: str
    seconds: float
    tables: Callable[[Path, bool], list[Path]]
    """Writes them to a folder; smaller ones for a quick look."""
    options: tuple[str, ...] = ()

    @property
    def is_there(self) -> bool:
        """Whether its data are."""
        return self.tables is not sachs_tables or SACHS.exists()


def collecting(settings: Settings) -> Iterator[Row]:
    """Seconds and memory, up to the evidence."""
    for case in CASES:
        yield from measured(case, "evidence", settings)


def measured(case: Case, command: str, settings: Settings) -> Iterator[Row]:
    """The rows of a case: what a command takes."""
    if not case.is_there:
        yield skipped(case.what, f"needs {SACHS}")
        return
    with tempfile.TemporaryDirectory() as folder:
        files = case.tables(Path(folder), settings.quick)
        took = run_command(command, files, case.options)
        seconds = took.processor if settings.processor else took.seconds
        notes = (took.report, *answer_of(files)) if command == "discover" else (took.report,)
    goal = f"< {case.seconds:g}"
    yield Row(f"{case.what}: s", goal, f"{seconds:.1f}", "", seconds < case.seconds, notes, (seconds,))
    yield Row("  memory, MB", "< 2,000", f"{took.memory:.0f}", "", took.memory < 2000, values=(took.memory,))


def warm_up() -> None:
    """Answer a small question, so that what is compiled once for a machine is there."""
    with tempfile.TemporaryDirectory() as folder:
        run_command("discover", CASES[0].tables(Path(folder), True), CASES[0].options)


def answer_of(files: Sequence[Path]) -> Iterator[str]:
    """What ``weft discover`` answered, in a line."""
    result = json.loads(_result(files).read_text(encoding="utf-8"))
    answer, repair = result["answer"], result["repair"]
    more = "" if answer["complete"] else "at least "
    yield f"{more}{answer['mags']:,} MAGs; {len(repair['given_up'])} statements given up at {repair['cost']:.2f}, " + (
        "proven the least" if repair["proven"] else f"at least {repair['bound']:.2f} needed"
    )


def sachs_tables(folder: Path, quick: bool = False) -> list[Path]:
    """The Sachs data as two tables: the paper's two sets of variables, half of the rows each."""
    with SACHS.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    order = np.random.default_rng(SEED).permutation(len(rows))[: 400 if quick else None]
    halves = np.array_split(order, 2)
    files = []
    for half, lacking in zip(halves, _LEFT_OUT, strict=True):
        places = [place for place, name in enumerate(header) if name != lacking]
        files.append(folder / f"without {lacking.replace('/', ' ')}.csv")
        _write(files[-1], [[row[place] for place in places] for row in [header, *(rows[i] for i in half)]])
    return files


def numbers(size: int, rows: int, way: str) -> Callable[[Path, bool], list[Path]]:
    """Three studies of numbers, each without a fifth of the variables."""

    def tables(folder: Path, quick: bool) -> list[Path]:
        return _written(folder, _drawn(size, (min(rows, 200) if quick else rows,) * 3, way))

    return tables


def mixed_tables(folder: Path, quick: bool) -> list[Path]:
    """Three studies of numbers and levels, of very different sizes."""
    studies = _drawn(10, (300, 200, 150) if quick else (20_000, 1_200, 150), "nonlinear")
    return _written(folder, [replace(one, columns=tuple(map(_recorded, one.columns))) for one in studies])


def _drawn(size: int, rows: Sequence[int], way: str) -> list[Study]:
    """Studies of one and the same process, each with its number of rows."""
    rng = np.random.default_rng(SEED)
    graph = random_admg(size, rng, mean_degree=3, mean_bidirected_degree=0.5)
    split = [sorted(rng.choice(graph.names, size * 4 // 5, replace=False).tolist()) for _ in rows]
    drawn = draw_studies(graph, split, max(rows), rng, way)
    return [_first_rows(study, number) for study, number in zip(drawn, rows, strict=True)]


def _first_rows(study: Study, number: int) -> Study:
    return replace(study, columns=tuple(replace(one, values=one.values[:number]) for one in study.columns))


def _recorded(column: Column) -> Column:
    """Every third variable as it is, every third in two levels, every third in three; the same in every study."""
    cuts = [[], [0.0], [-0.5, 0.5]][int(column.name.strip("X")) % 3]
    if not cuts:
        return column
    codes = np.digitize(column.values, cuts).astype(np.float64)
    return Column(column.name, Kind.CATEGORICAL if len(cuts) > 1 else Kind.BINARY, codes, tuple("abc"[: len(cuts) + 1]))


def _written(folder: Path, studies: Sequence[Study]) -> list[Path]:
    files = [folder / f"{study.name}.csv" for study in studies]
    for file, study in zip(files, studies, strict=True):
        columns = [list(one.labels() if one.levels else map(repr, one.values.tolist())) for one in study.columns]
        _write(file, [study.variables, *zip(*columns, strict=True)])
    return files


def discrete_tables(folder: Path, quick: bool) -> list[Path]:
    """Two studies of levels."""
    rows = 5_000 if quick else 100_000
    rng = np.random.default_rng(SEED)
    graph = random_admg(10, rng, mean_degree=3)
    levels = rng.integers(2, 5, size=10)
    table = np.zeros((rows, 10), dtype=np.int64)
    for v in _causes_first([graph.parents[v] for v in range(10)]):
        scores = np.zeros((rows, levels[v])) + rng.gumbel(size=(rows, levels[v]))
        for parent in range(10):
            if graph.parents[v] >> parent & 1:
                scores += rng.normal(scale=0.7, size=(levels[parent], levels[v]))[table[:, parent]]
        table[:, v] = scores.argmax(axis=1)
    files = []
    for name, part, columns in (("first", table[: rows // 2], range(8)), ("second", table[rows // 2 :], range(2, 10))):
        files.append(folder / f"{name}.csv")
        texts = [[f"level {value}" for value in row] for row in part[:, columns].tolist()]
        _write(files[-1], [[graph.names[v] for v in columns], *texts])
    return files


def _causes_first(parents: Sequence[int]) -> Iterator[int]:
    done = 0
    while done.bit_count() < len(parents):
        for v, causes in enumerate(parents):
            if not done >> v & 1 and causes & ~done == 0:
                done |= 1 << v
                yield v


def _write(path: Path, rows: Sequence[Sequence[str | None]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


class Took(NamedTuple):
    """What a command took."""

    seconds: float
    processor: float
    """Seconds of all its processes."""
    memory: float
    """The most memory of all its processes in MB, added up: they may not reach it together."""
    report: str
    """The last line of its progress."""


_MEASURED = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(code)
"""
"""Runs a command and tells the most memory that one of its processes took: only a parent of its own knows that."""


def run_command(name: str, files: Sequence[Path], options: Sequence[str] = ()) -> Took:
    """Run a command of weft on tables, in two processes and without a cache.

    Bytecode is kept, as where weft is installed.
    """
    command = [sys.executable, "-c", _MEASURED, sys.executable, "-m", "weft", name, *map(str, files), *options]
    command += ["--jobs", "2", "--no-cache", "-o", str(_result(files))]
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    seconds, after = time.perf_counter() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    processor = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    *lines, memory = done.stderr.splitlines()
    told = [line for line in lines if "tests made" in line or "the result is in" not in line]
    return Took(seconds, processor, 3 * int(memory) / 1024, re.sub(r"^weft: ", "", told[-1]))


def _result(files: Sequence[Path]) -> Path:
    return files[0].with_suffix(".json")


CASES = (
    Case("10 variables, 3 x 1,000, fisher-z", 10, numbers(10, 1_000, "linear"), ("--test", "fisher-z")),
    Case("15 variables, 3 x 5,000, numbers", 90, numbers(15, 5_000, "nonlinear")),
    Case("10, 20,000/1,200/150 rows, mixed", 120, mixed_tables),
    Case("10 with levels, 100,000 rows", 5, discrete_tables),
    Case("Sachs, 11 variables, 7,466 rows", 180, sachs_tables),
)
"""The goals are for two quiet cores, and for the whole way to an answer."""
