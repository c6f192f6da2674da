"""Workers: the same answers in this process, in others, and on a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import warnings

import pytest

from tests.support.waiting import LONG_WAIT
from weft.errors import WeftError
from weft.parallel import Workers


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def singular_values(size: int) -> list[float]:
    import numpy as np

    table = np.random.default_rng(size).standard_normal((1500, size))
    values: list[float] = np.linalg.svd(table.T @ table, compute_uv=False).tolist()
    return values


@pytest.mark.parametrize("n_jobs", [1, 2, -1])
def test_answers_come_with_their_places(n_jobs: int) -> None:
    found = dict(Workers(n_jobs).run(doubled, range(20)))
    assert {place: answer for place, (answer, _) in found.items()} == {k: 2 * k for k in range(20)}


def test_processes_are_used_when_asked_for() -> None:
    assert {process for _, (_, process) in Workers(1).run(doubled, range(4))} == {os.getpid()}
    assert os.getpid() not in {process for _, (_, process) in Workers(2).run(doubled, range(4))}


def test_rounding_does_not_depend_on_the_workers() -> None:
    here = dict(Workers(1).run(singular_values, [80, 90, 100]))
    assert dict(Workers(2).run(singular_values, [80, 90, 100])) == here


def test_on_one_core_ctrl_c_is_still_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process for each core is then this one, which must not ignore the signal as workers do."""
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    before = signal.getsignal(signal.SIGINT)
    assert {process for _, (_, process) in Workers(-1).run(doubled, range(4))} == {os.getpid()}
    assert signal.getsignal(signal.SIGINT) is before


def test_nothing_to_do() -> None:
    assert list(Workers(2).run(doubled, [])) == []


@pytest.mark.parametrize("n_jobs", [0, -2])
def test_numbers_of_processes_that_make_no_sense(n_jobs: int) -> None:
    with pytest.raises(WeftError, match=r"n_jobs is .*; give the number of processes, or -1"):
        Workers(n_jobs)


def test_cluster() -> None:
    # In a process of its own: Dask leaves threads and sockets behind that would fail other tests by their warnings.
    script = """
import dask
dask.config.set({"distributed.admin.tick.interval": "1h"})
from distributed import Client, LocalCluster
from weft.parallel import Workers
from tests.unit.test_parallel import doubled
with LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as cluster:
    with Client(cluster) as client:
        print(sorted((place, answer) for place, (answer, _) in Workers(dask=client).run(doubled, range(6))))
        print(sorted((p, a) for p, (a, _) in Workers(dask=cluster.scheduler_address).run(doubled, [21])))
"""
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, timeout=LONG_WAIT, check=False
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == [str([(k, 2 * k) for k in range(6)]), "[(0, 42)]"]


def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.parallel.PATIENCE", 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(WeftError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
            Workers(dask="tcp://127.0.0.1:9")
