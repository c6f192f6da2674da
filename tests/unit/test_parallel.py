"""Workers: the same answers in this process, in others, and on a cluster."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Generator
from contextlib import closing
from contextvars import ContextVar
from itertools import pairwise
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from tests.support.caches import stored
from tests.support.cluster import cluster_of, kill
from tests.support.processes import linux_only, processes_of, workers_of
from tests.support.waiting import LONG_WAIT, until
from weft.errors import WeftError, WorkerError
from weft.parallel import Workers, anywhere, beside, most_processes, working
from weft.version import __version__


def doubled(number: int) -> tuple[int, int]:
    return 2 * number, os.getpid()


def listening(number: int) -> int:
    """The process, if a signal would reach it."""
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())
    return os.getpid()


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


def test_compiled_jobs_run_in_threads_of_this_process() -> None:
    for workers in (None, Workers(2), Workers(-1)):
        with working(workers):
            found = dict(anywhere(doubled, range(20)))
        assert found == {k: (2 * k, os.getpid()) for k in range(20)}


def test_what_a_thread_raises_is_raised_here_and_no_further_job_is_begun() -> None:
    begun, told = list[int](), threading.Event()

    def fail(number: int) -> None:
        begun.append(number)
        if number:
            assert told.wait(LONG_WAIT)
        raise ZeroDivisionError

    with working(Workers(2)), pytest.raises(ZeroDivisionError):
        list(anywhere(fail, range(100)))
    told.set()
    time.sleep(0.1)
    assert len(begun) <= 3


def test_beside() -> None:
    """It is begun at once, once, with the context of who began it; and its answer, or failure, stays."""
    said, may_end = ContextVar("said", default=""), threading.Event()
    calls = list[str]()

    def ask() -> str:
        assert may_end.wait(LONG_WAIT)
        calls.append(said.get())
        return said.get()

    said.set("before")
    wait = beside(ask)
    said.set("after")
    may_end.set()
    assert (wait(), wait(), calls) == ("before", "before", ["before"])
    failing = beside(lambda: 1 // 0)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            failing()


def test_rounding_does_not_depend_on_the_workers() -> None:
    here = dict(Workers(1).run(singular_values, [80, 90, 100]))
    assert dict(Workers(2).run(singular_values, [80, 90, 100])) == here


def test_on_one_core_ctrl_c_is_still_heard(monkeypatch: pytest.MonkeyPatch) -> None:
    """One process for each core is then this one, which must not ignore the signal as workers do."""
    monkeypatch.setenv("LOKY_MAX_CPU_COUNT", "1")
    before = signal.getsignal(signal.SIGINT)
    answers = list(Workers(-1).run(listening, range(4)))
    assert sorted(answers) == [(place, os.getpid()) for place in range(4)]
    assert signal.getsignal(signal.SIGINT) is before


def test_nothing_to_do() -> None:
    assert list(Workers(2).run(doubled, [])) == []


@pytest.mark.parametrize("n_jobs", [0, -2, 2.5, True, "4"])
def test_numbers_of_processes_that_make_no_sense(n_jobs: int) -> None:
    with pytest.raises(WeftError, match=r"n_jobs is .*; give the number of processes, or -1"):
        Workers(n_jobs)


def test_more_processes_than_a_machine_can_use_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(WeftError, match=rf"n_jobs is 100000; give at most {most_processes()} processes"):
        Workers(100_000)
    monkeypatch.setattr("joblib.cpu_count", lambda: 1)
    assert Workers(16).n_jobs == 16  # what runs on a laptop runs on a small machine
    with pytest.raises(WeftError, match="at most 16"):
        Workers(17)
    monkeypatch.setattr("joblib.cpu_count", lambda: 64)
    assert Workers(256).n_jobs == 256
    monkeypatch.setattr(sys, "platform", "win32")
    with pytest.raises(WeftError, match="at most 61"):
        Workers(62)


# -- workers that are lost, or that lose whom they work for ------------------------------------------------------------


def begun_for_ever(folder: str) -> None:
    (Path(folder) / str(os.getpid())).touch()
    time.sleep(3600)


def killed_at(number: int) -> int:
    if number == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return number


ENDLESS = """
import sys
from tests.unit.test_parallel import begun_for_ever
from weft.parallel import Workers
list(Workers(2).run(begun_for_ever, [sys.argv[1]] * 8))
"""


@linux_only
@pytest.mark.parametrize("sent", [signal.SIGKILL, signal.SIGTERM])
def test_workers_end_with_the_process_that_they_work_for(tmp_path: Path, sent: signal.Signals) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(tmp_path)], start_new_session=True, stderr=subprocess.DEVNULL
    ) as running:
        until(lambda: len(list(tmp_path.iterdir())) == 2)
        assert len(workers_of(running.pid)) == 2
        running.send_signal(sent)
        until(lambda: not processes_of(running.pid))
    assert running.returncode == -sent


@linux_only
def test_workers_that_are_starting_do_not_hear_ctrl_c(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", ENDLESS, str(tmp_path)], start_new_session=True, stdout=subprocess.PIPE
    ) as running:
        until(lambda: len(workers_of(running.pid)) == 2)
        for worker in workers_of(running.pid):
            os.kill(worker, signal.SIGINT)  # while Python begins
        until(lambda: len(list(tmp_path.iterdir())) == 2)
        running.kill()


@linux_only
def test_a_worker_that_is_killed_is_told() -> None:
    with pytest.raises(WorkerError, match="a process ended before its work was done"):
        list(Workers(2).run(killed_at, range(8)))
    assert len(list(Workers(2).run(doubled, range(8)))) == 8  # and others take its place


@linux_only
def test_who_stops_asking_hears_nothing_more() -> None:
    for _ in range(5):
        with closing(cast("Generator[object, None, None]", Workers(2).run(doubled, range(50)))) as answers:
            next(answers)  # what joblib warns of, or says in a thread of its own, would be an error here


# -- a cluster ---------------------------------------------------------------------------------------------------------


def run_in_a_process_of_its_own(script: str, *arguments: str) -> list[str]:
    """What it prints. Dask leaves threads and sockets behind that would fail other tests by their warnings."""
    command = [sys.executable, "-c", BEFORE + script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=LONG_WAIT)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


BEFORE = """
import dask
dask.config.set({"distributed.admin.tick.interval": "1h"})
from distributed import Client, LocalCluster
from weft import parallel
from weft.errors import WorkerError
from weft.parallel import Workers
from tests.unit.test_parallel import doubled, refused
HERE = {"threads_per_worker": 1, "processes": False, "dashboard_address": None}
"""


def refused(number: int) -> int:
    raise TimeoutError(f"{number} took too long")


def test_cluster() -> None:
    script = """
with LocalCluster(n_workers=1, **HERE) as cluster:
    with Client(cluster) as client:
        print(sorted((place, answer) for place, (answer, _) in Workers(dask=client).run(doubled, range(6))))
        print(sorted((p, a) for p, (a, _) in Workers(dask=cluster.scheduler_address).run(doubled, [21])))
        print(list(Workers(dask=client).run(doubled, [])))
"""
    assert run_in_a_process_of_its_own(script) == [str([(k, 2 * k) for k in range(6)]), "[(0, 42)]", "[]"]


def test_what_a_job_raises_is_not_taken_for_a_loss() -> None:
    script = """
with LocalCluster(n_workers=1, **HERE) as cluster, Client(cluster) as client:
    try:
        list(Workers(dask=client).run(refused, [7]))
    except TimeoutError as error:
        print(error)
"""
    assert run_in_a_process_of_its_own(script) == ["7 took too long"]


def test_a_cluster_without_workers_is_told() -> None:
    script = """
parallel.PATIENCE, parallel.PULSE = 0.5, 0.1
with LocalCluster(n_workers=0, **HERE) as cluster:
    try:
        list(Workers(dask=cluster.scheduler_address).run(doubled, range(6)))
    except WorkerError as error:
        print(str(error).replace(cluster.scheduler_address, "ADDRESS"))
"""
    said = "the Dask scheduler at 'ADDRESS' has no workers; start some"
    assert run_in_a_process_of_its_own(script) == [said]


def noted(folder: str, number: int) -> tuple[int, int]:
    """Takes a while; every time that it begins or ends, a file is made that says so."""
    mark = f"{number} {os.getpid()} {time.monotonic_ns()}"
    (Path(folder) / f"begun {mark}").touch()
    time.sleep(0.05)
    (Path(folder) / f"ended {mark} {time.monotonic_ns()}").touch()
    return 2 * number, os.getpid()


KILLED = """
import os, signal, sys
from functools import partial
from itertools import islice
from tests.unit.test_parallel import noted
folder, address = sys.argv[1:]
parallel.PATIENCE, parallel.PULSE = 3.0, 0.2
workers = Workers(dask=address)
workers._client.wait_for_workers(2, timeout=60)
first, second = (process for _, process in workers._client.run(doubled, 1).values())  # both are awake from here on
answers = workers.run(partial(noted, folder), range(60))
early = dict(islice(answers, 20))
found = early | dict(islice(answers, 10))  # meanwhile the cluster hears that nobody needs the first ones any more
os.kill(first, signal.SIGKILL)
found |= dict(answers)
print({place: answer for place, (answer, _) in found.items()} == {k: 2 * k for k in range(60)})
print(first, second, *(process for _, process in found.values()))
print(*early)
answers = workers.run(partial(noted, folder), range(60, 80))
next(answers)
os.kill(second, signal.SIGKILL)
try:
    list(answers)
except WorkerError as error:
    print(str(error).replace(address, "ADDRESS"))
"""


@linux_only
def test_jobs_of_a_worker_that_is_killed_are_done_by_another(tmp_path: Path) -> None:
    notes = tmp_path / "notes"
    notes.mkdir()
    with cluster_of(tmp_path, workers=2, threads=3) as cluster:
        same, processes, early, lost = run_in_a_process_of_its_own(KILLED, str(notes), cluster.address)
    assert same == "True"
    assert lost == "the Dask scheduler at 'ADDRESS' has no workers; start some"
    first, second, *answered_by = processes.split()
    made = Counter(one.name.split()[1] for one in notes.glob("ended *"))
    assert set(answered_by[:20]) == {first, second}
    assert {made[number] for number in early.split()} == {1}, "jobs were done again whose answers were known"
    for process in (first, second):  # a worker has three threads, and still does one job at a time
        spans = sorted(tuple(map(int, one.name.split()[3:])) for one in notes.glob(f"ended * {process} *"))
        assert len(spans) > 5
        assert all(end <= begin for (_, end), (begin, _) in pairwise(spans))


STRANGE = """
import sys, types
workers = Workers(dask=sys.argv[1])
def said(function):
    try:
        list(workers.run(function, [1]))
    except WorkerError as error:
        print(str(error).replace(sys.argv[1], "ADDRESS"))
lacking = types.ModuleType("weft.lacking")
exec("def new(number): return number", lacking.__dict__)
sys.modules["weft.lacking"] = lacking
said(lacking.new)
parallel.__version__ = "99.0"
said(doubled)
"""


@linux_only
def test_workers_without_this_weft_are_told(tmp_path: Path) -> None:
    with cluster_of(tmp_path, workers=1) as cluster:
        lacking, other = run_in_a_process_of_its_own(STRANGE, cluster.address)
    assert lacking == (
        "the Dask scheduler at 'ADDRESS', or a worker, has no module 'weft.lacking'; "
        f"install weft {__version__} and what it needs on all machines of the cluster"
    )
    assert other == f"a Dask worker has weft {__version__}, not 99.0; install the same on all machines"


@linux_only
def test_a_scheduler_that_dies_ends_the_run_at_once_and_what_was_tested_is_kept(tmp_path: Path) -> None:
    rng, cache = np.random.default_rng(0), tmp_path / "results.sqlite"
    for name in ("one", "two"):
        table = rng.standard_normal((1500, 8)).cumsum(axis=1)
        np.savetxt(tmp_path / f"{name}.csv", table, delimiter=",", header=",".join("ABCDEFGH"), comments="")
    command = [sys.executable, "-m", "weft", "evidence", "one.csv", "two.csv", "--quiet", "--cache", str(cache)]
    with (
        cluster_of(tmp_path, workers=1) as cluster,
        subprocess.Popen(
            [*command, "--dask", cluster.address],
            cwd=tmp_path,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as running,
    ):
        until(lambda: stored(cache) >= 5 or running.poll() is not None)
        kill(cluster.scheduler)
        output, errors = running.communicate()
    assert (running.returncode, output) == (4, "")
    assert errors == (
        f"weft: the Dask scheduler at '{cluster.address}' went away; test results so far are saved; the same command "
        "continues from there, with or without --dask\n"
    )
    assert stored(cache) >= 5


def test_no_scheduler_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.parallel.PATIENCE", 0.5)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(WeftError, match=r"no Dask scheduler answers at 'tcp://127\.0\.0\.1:9'"):
            Workers(dask="tcp://127.0.0.1:9")
