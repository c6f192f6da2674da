"""The same input gives the same answer, byte for byte: on a busy machine, with any number of processes, once more.

Processes of their own, so that nothing is warm and sets of names come in another order each time.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy
import pytest

import weft
from tests.differential.test_repair import random_evidence, weighted
from tests.end_to_end.running import PROGRAM, QUICK
from weft.graphs.simulate import random_admg, split_into_studies
from weft.studies.simulate import draw_studies, write_tables


def told(folder: Path, number: int, arguments: Sequence[str]) -> tuple[str, dict[str, Any]]:
    """What a run prints, and its result file but for the seconds."""
    result = folder / f"{number}.json"
    command = [*PROGRAM, *arguments, "-o", str(result)]
    environment = os.environ | {"PYTHONHASHSEED": str(number)}
    run = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert run.returncode in (0, 3), run.stderr
    return run.stdout, {key: value for key, value in json.loads(result.read_text("utf-8")).items() if key != "seconds"}


@contextmanager
def busy(processes: int) -> Iterator[None]:
    """Other programs take the processor meanwhile."""
    others = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(processes)]
    try:
        yield
    finally:
        for one in others:
            one.kill()
            one.wait()


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    rng = numpy.random.default_rng(4)
    graph = random_admg(6, rng, mean_degree=2, mean_bidirected_degree=0.5)
    studies = draw_studies(graph, split_into_studies(graph.names, rng, studies=2, overlap=3), 250, rng, "linear")
    return [str(path) for path in write_tables(studies, tmp_path_factory.mktemp("tables"))]


def test_of_tables(tmp_path: Path, tables: list[str]) -> None:
    asked = ["discover", *tables, *QUICK, "--no-cache"]
    once = told(tmp_path, 1, [*asked, "--jobs", "1"])
    with busy(2):
        again = told(tmp_path, 2, [*asked, "--jobs", "2"])
    assert again == once


@pytest.mark.parametrize("effort", [60, 100])
def test_of_what_takes_too_much(tmp_path: Path, effort: int) -> None:
    """The effort ends before everything is known: it ends at the same place each time."""
    chance = random.Random("too much")
    evidence = weighted(chance, random_evidence(chance, 4, "causal-iod", selection=True, conflict=True), hard=0, free=0)
    weft.dump_evidence(evidence, tmp_path / "evidence.json")
    asked = ["solve", str(tmp_path / "evidence.json"), "--repair", "--selection", "--effort", str(effort)]
    once = told(tmp_path, 1, asked)
    with busy(2):
        again = told(tmp_path, 2, asked)
    assert again == once
    unlimited = told(tmp_path, 3, asked[:-2])
    assert unlimited[1]["claims"] != once[1]["claims"], "the effort was enough: this tests nothing"
