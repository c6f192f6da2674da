"""Part 1 of IOD on whole tables: time and memory of ``weft evidence``.

- *Sachs*: the 11 proteins, 7,466 rows, in the paper's two sets of variables. No row is in two studies (pooling
  supposes that): the rows, in random order, are cut in half. Two processes, an empty cache; with and
  without a limit on the sets (the goal is without).
- *Discrete*: 100,000 rows and 10 columns of two to four levels from a random DAG, cut into two studies of 8 columns
  each.

Each runs as a command in a process of its own, so that memory is that of all its processes together.
"""

from __future__ import annotations

import csv
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np

from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.graphs.simulate import random_admg

SACHS = Path(__file__).parents[2] / "shared" / "data" / "sachs_cyto_full.csv"
SEED = 20261118
_LEFT_OUT = ("PKA", "p44/42")
"""What the first and the second of the paper's sets of variables lack."""


def collecting(settings: Settings) -> Iterator[Row]:
    """Seconds and memory."""
    with tempfile.TemporaryDirectory() as folder:
        yield from _discrete(Path(folder), 5_000 if settings.quick else 100_000)
        if not SACHS.exists():
            yield skipped("Sachs, kcit", f"needs {SACHS}")
            return
        yield from _sachs(Path(folder), 400 if settings.quick else None)


def sachs_tables(folder: Path, most: int | None = None) -> list[Path]:
    """The Sachs data as two tables: the paper's two sets of variables, half of the rows (of so many) each."""
    with SACHS.open(encoding="utf-8") as file:
        header, *rows = csv.reader(file)
    order = np.random.default_rng(SEED).permutation(len(rows))[:most]
    halves = np.array_split(order, 2)
    files = []
    for half, lacking in zip(halves, _LEFT_OUT, strict=True):
        places = [place for place, name in enumerate(header) if name != lacking]
        files.append(folder / f"without {lacking.replace('/', ' ')}.csv")
        _write(files[-1], [[row[place] for place in places] for row in [header, *(rows[i] for i in half)]])
    return files


def _sachs(folder: Path, most: int | None) -> Iterator[Row]:
    files = sachs_tables(folder, most)
    for limit in (2, None):
        what = f"Sachs, kcit, {'any set' if limit is None else f'at most {limit} given'}: s"
        seconds, memory, report = run_command("evidence", files, "kcit", limit)
        yield Row(what, "< 120", f"{seconds:.0f}", "", seconds < 120, (report,), (seconds,))
        yield Row("  memory, MB", "< 2,000", f"{memory:.0f}", "", memory < 2000, values=(memory,))


def _discrete(folder: Path, rows: int) -> Iterator[Row]:
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
    seconds, memory, report = run_command("evidence", files, "g-square")
    yield Row(
        f"discrete, {rows:,} rows, g-square: seconds", "< 10", f"{seconds:.1f}", "", seconds < 10, (report,), (seconds,)
    )
    yield Row("  memory, MB", "", f"{memory:.0f}", values=(memory,))


def _causes_first(parents: Sequence[int]) -> Iterator[int]:
    done = 0
    while done.bit_count() < len(parents):
        for v, causes in enumerate(parents):
            if not done >> v & 1 and causes & ~done == 0:
                done |= 1 << v
                yield v


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows(rows)


def run_command(name: str, files: Sequence[Path], test: str, limit: int | None = None) -> tuple[float, float, str]:
    """Seconds, the most memory of all processes in MB (added up: they may not reach it together), the last line."""
    command = [sys.executable, "-c", "from weft.cli import main; main()", name, *map(str, files)]
    command += [] if limit is None else ["--max-given", str(limit)]
    command += ["--test", test, "--jobs", "2", "--no-cache", "-o", str(files[0].with_suffix(".json"))]
    start = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds = time.perf_counter() - start
    largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    report = re.sub(r"^weft: ", "", done.stderr.strip().splitlines()[-1])
    return seconds, 3 * largest, report
