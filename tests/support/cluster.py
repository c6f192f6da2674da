"""A Dask cluster of real processes on this machine: a scheduler and its workers, which tests may kill."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.support.waiting import until

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Cluster:
    address: str
    scheduler: subprocess.Popen[bytes]
    workers: list[subprocess.Popen[bytes]]
    join: Callable[[], None]
    """Start one more worker."""


@contextmanager
def cluster_of(folder: Path, workers: int, *, threads: int = 1) -> Iterator[Cluster]:
    """A scheduler at a port that the system chose, with workers that nobody starts again; all end with the block."""
    file = folder / "scheduler.json"
    options = ["--no-dashboard", "--scheduler-file", str(file)]
    at_work = [*options, "--no-nanny", "--nthreads", str(threads), "--local-directory", str(folder)]
    hands: list[subprocess.Popen[bytes]] = []
    with ExitStack() as stack:
        scheduler = _started(stack, "dask_scheduler", "--host", "127.0.0.1", "--port", "0", *options)

        def join() -> None:
            hands.append(_started(stack, "dask_worker", *at_work))

        for _ in range(workers):
            join()
        until(lambda: file.exists() and file.read_text().endswith("}"))
        yield Cluster(json.loads(file.read_text())["address"], scheduler, hands, join)


def _started(stack: ExitStack, program: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A process that finds the jobs of tests where these are."""
    path = os.pathsep.join((str(ROOT), os.environ.get("PYTHONPATH", "")))
    process = stack.enter_context(
        subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{program}", *arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=os.environ | {"PYTHONPATH": path},
        )
    )
    stack.callback(process.kill)
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """End it at once, without a word."""
    process.send_signal(signal.SIGKILL)
    process.wait()
