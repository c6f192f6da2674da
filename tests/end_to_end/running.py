"""Tables on disk, and the command line in this process or in one of its own."""

from __future__ import annotations

import csv
import json
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from click.testing import CliRunner, Result

from weft import MixedGraph
from weft.cli import main
from weft.studies import Study
from weft.studies.simulate import draw_studies

PROGRAM = [sys.executable, "-m", "weft"]
QUICK = ("--test", "fisher-z", "--orient", "lingam", "--least-confidence", "0.8")
CHAIN = "A -> B; B -> C; C -> D"
CHAIN_SPLIT = (("A", "B", "C"), ("B", "C", "D"))
CONFLICTING = "A -> B; B -> C; C -> D; A -> D; B <-> D; D -> E"
CONFLICTING_SPLIT = (("A", "B", "C", "D"), ("B", "C", "D", "E"))
LOOSE: dict[str, Any] = {"alpha": 0.05, "least_confidence": 0.5, "independence_confidence": 0.5}
"""Settings that let tests say what they are not sure of, so that they contradict each other."""
LOOSELY = ("--alpha", "0.05", "--least-confidence", "0.5", "--independence-confidence", "0.5")
"""The same as options."""


def drawn(graph: str, split: Sequence[Sequence[str]], *, rows: int = 400, seed: int = 0) -> list[Study]:
    """Linear data without Gaussian noise, which LiNGAM can orient."""
    return draw_studies(MixedGraph.parse(graph), split, rows, np.random.default_rng(seed), "linear")


def conflicting() -> list[Study]:
    """So few rows that the tests contradict each other, if they say all that they believe (``LOOSE``)."""
    return drawn(CONFLICTING, CONFLICTING_SPLIT, rows=60, seed=0)


def columns_of(study: Study) -> dict[str, list[float]]:
    return {column.name: column.values.tolist() for column in study.columns}


def write_csv(path: Path, columns: Mapping[str, Sequence[object]]) -> Path:
    """Values are written so that the same numbers are read."""
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(columns)
        writer.writerows(zip(*columns.values(), strict=True))
    return path


def write_studies(folder: Path, studies: Sequence[Study]) -> list[str]:
    return [str(write_csv(folder / f"{study.name}.csv", columns_of(study))) for study in studies]


def run(*arguments: str | Path, jobs: int | None = 1) -> Result:
    """A command in this process; what is no exit is raised."""
    listed = list(map(str, arguments))
    if listed[0] in ("discover", "evidence") and jobs is not None:
        listed += ["--jobs", str(jobs)]
    result = CliRunner().invoke(main, listed, prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def discover(*arguments: str | Path, jobs: int | None = 1) -> Result:
    return run("discover", *arguments, *QUICK, jobs=jobs)


def complaint(result: Result) -> str:
    """What is said about bad input: one line on standard error, nothing on standard output, exit code 2."""
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"weft: [^\n]+\n", result.stderr)
    return str(result.stderr).removeprefix("weft: ").strip()


def content(path: Path) -> dict[str, Any]:
    """A result file without what may differ between two runs."""
    document: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    del document["seconds"]
    return document
