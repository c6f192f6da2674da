"""``--dask`` with a real scheduler and two workers: the same answer, whatever dies in the middle, or a way to go on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from tests.end_to_end.running import PROGRAM, content, drawn, write_studies
from tests.support.caches import stored
from tests.support.cluster import ROOT, cluster_of, kill
from tests.support.processes import linux_only
from tests.support.waiting import LONG_WAIT, until

pytestmark = linux_only

GRAPH = "A -> B; B -> C; C -> D; D -> E; A -> E"
SPLIT = (("A", "B", "C", "D"), ("B", "C", "D", "E"))
RUNS = 8
ASKED = ("--test", "kcit", "--orient", "lingam", "--bootstrap", str(RUNS), "--quiet")


class Answer(NamedTuple):
    printed: str
    result: dict[str, Any]
    """The result file, but for the seconds."""
    kept: int
    """The results in the cache."""


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_studies(tmp_path_factory.mktemp("tables"), drawn(GRAPH, SPLIT, rows=120))


@pytest.fixture(scope="module")
def here(tables: list[str], tmp_path_factory: pytest.TempPathFactory) -> Answer:
    """What a run in one process of this machine says."""
    folder = tmp_path_factory.mktemp("here")
    with started(tables, folder, "--jobs", "1") as running:
        return answer_of(running, folder)


@contextmanager
def started(tables: list[str], folder: Path, *more: str) -> Iterator[subprocess.Popen[str]]:
    kept = ["--cache", str(folder / "cache.sqlite"), "-o", str(folder / "result.json")]
    command = [*PROGRAM, "discover", *tables, *ASKED, *kept, *more]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as running:
        try:
            yield running
        finally:
            running.kill()


def answer_of(running: subprocess.Popen[str], folder: Path) -> Answer:
    printed, errors = running.communicate(timeout=LONG_WAIT)
    assert running.returncode == 0, errors
    return Answer(printed, content(folder / "result.json"), stored(folder / "cache.sqlite"))


def until_in_the_middle(running: subprocess.Popen[str], folder: Path, results: int) -> None:
    """Wait until so many results are kept, and more are to come."""
    until(lambda: stored(folder / "cache.sqlite") >= results or running.poll() is not None)
    assert running.poll() is None
    assert not (folder / "result.json").exists()


def test_workers_that_are_killed_in_the_middle_change_nothing(tables: list[str], here: Answer, tmp_path: Path) -> None:
    """One during the tests; then, when another has joined, the first of them during the bootstrap."""
    with (
        cluster_of(tmp_path, workers=2, threads=2) as cluster,
        started(tables, tmp_path, "--dask", cluster.address) as running,
    ):
        until_in_the_middle(running, tmp_path, 5)
        kill(cluster.workers[0])
        assert stored(tmp_path / "cache.sqlite") < here.kept - RUNS
        cluster.join()
        until_in_the_middle(running, tmp_path, here.kept - RUNS + 1)
        kill(cluster.workers[1])
        assert stored(tmp_path / "cache.sqlite") < here.kept
        assert answer_of(running, tmp_path) == here


def test_a_scheduler_that_is_killed_ends_the_run_and_the_same_command_goes_on(
    tables: list[str], here: Answer, tmp_path: Path
) -> None:
    with (
        cluster_of(tmp_path, workers=2) as cluster,
        started(tables, tmp_path, "--dask", cluster.address) as running,
    ):
        until_in_the_middle(running, tmp_path, here.kept - RUNS + 1)
        kill(cluster.scheduler)
        printed, errors = running.communicate(timeout=LONG_WAIT)
    assert (running.returncode, printed) == (4, "")
    assert errors == (
        f"weft: the Dask scheduler at '{cluster.address}' went away; test results so far are saved; the same command "
        "continues from there, with or without --dask\n"
    )
    kept = stored(tmp_path / "cache.sqlite")
    assert here.kept - RUNS + 1 <= kept < here.kept
    with started(tables, tmp_path, "--jobs", "1") as running:
        assert answer_of(running, tmp_path) == here  # just as many results are kept: none was made twice


WALKS = """
import os, signal, sys
from tests.differential.test_estimates import cases, walked
from weft.parallel import Workers, working
from weft.search import estimates

class Killing(Workers):
    def run(self, function, arguments):
        answers = super().run(function, arguments)
        yield next(answers)
        while victims:
            os.kill(victims.pop(), signal.SIGKILL)
        yield from answers

estimates.JOB = 3_000
(_, soft, scale, least), = cases("cluster", 1)
here = walked(soft, least, scale)
workers = Killing(dask=sys.argv[1])
workers._client.wait_for_workers(2, timeout=60)
victims = [int(sys.argv[2])] if sys.argv[2:] else list(workers._client.run(os.getpid).values())[:1]
with working(workers):
    there = walked(soft, least, scale)
print(len(victims), len(there.tried) > 10, there.seen() == here.seen() and there.tried == here.tried)
"""


@pytest.mark.parametrize("dying", ["worker", "scheduler"])
def test_margins_are_the_same_whoever_dies_in_the_middle(tmp_path: Path, dying: str) -> None:
    with cluster_of(tmp_path, workers=2) as cluster:
        victim = [str(cluster.scheduler.pid)] if dying == "scheduler" else []
        command = [sys.executable, "-c", WALKS, cluster.address, *victim]
        done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT, check=True, timeout=LONG_WAIT)
    assert done.stdout == "0 True True\n"
