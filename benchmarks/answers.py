"""From a command to its answer, where there are many structures: one walk serves the screen, the file and the page."""

from __future__ import annotations

import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import numpy

from benchmarks.command import program, run
from benchmarks.settings import Settings
from benchmarks.table import Row, time_row
from tests.browser.samples import many
from weft.graphs.simulate import random_admg, split_into_studies
from weft.studies.simulate import draw_studies, write_tables

_SEEDS = (2, 3, 6)
"""Of the seeds from 0, the first few whose structures are too many to be walked to the end, without contradictions."""
_REPEATS = 3


def answers(settings: Settings) -> Iterator[Row]:
    """``weft discover`` on ten variables, and ``weft report`` and ``weft explore`` of 65,304 structures."""
    with tempfile.TemporaryDirectory() as folder:
        seeds = _SEEDS[: len(settings.seeds(len(_SEEDS)))]
        yield time_row(
            "weft discover, 10 variables, too many to walk", [_discover(settings, folder, s) for s in seeds], goal=12
        )
        result = str(Path(folder) / "result.json")
        many().save(result)
        repeats = settings.seeds(_REPEATS)
        report = ("report", result, "-o", str(Path(folder) / "report.html"))
        yield time_row("weft report, 65,304 structures", [run(settings, *report)[0] for _ in repeats], goal=6)
        yield time_row("weft explore, until its page is there", [_explore(result) for _ in repeats], goal=3)


def _discover(settings: Settings, folder: str, seed: int) -> float:
    """Three studies of 1,000 rows that share three of ten variables, from files to the screen and a result file."""
    rng = numpy.random.default_rng(seed)
    graph = random_admg(10, rng, mean_degree=2, mean_bidirected_degree=0.0)
    split = split_into_studies(graph.names, rng, studies=3, overlap=3)
    tables = write_tables(draw_studies(graph, split, 1000, rng, "linear"), str(Path(folder) / f"tables{seed}"))
    output = str(Path(folder) / f"result{seed}.json")
    options = ("--test", "fisher-z", "--no-cache", "--quiet", "-o", output)
    seconds, text = run(settings, "discover", *map(str, tables), *options)
    assert "consistent structures (MAGs)" in " ".join(text.split())
    return seconds


def _explore(result: str) -> float:
    """From the start of the command to the whole page."""
    start = time.perf_counter()
    command = [*program(), "explore", result, "--no-browser"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as process:
        assert process.stdout is not None
        with urllib.request.urlopen(process.stdout.readline().strip()) as answer:
            assert b"weft-view" in answer.read()
        taken = time.perf_counter() - start
        process.terminate()
    return taken
