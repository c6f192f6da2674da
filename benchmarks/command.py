"""The command line, as a user starts it: interpreter, imports and all."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

from benchmarks.problems import synthetic_2
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped, time_row
from weft import dump_evidence

_REPEATS = 5


def command_line(settings: Settings) -> Iterator[Row]:
    """``weft --help``, and ``weft solve`` on Synthetic 2."""
    if find_spec("weft.cli") is None:
        yield skipped("weft --help, weft solve", "there is no command line yet")
        return
    repeats = settings.seeds(_REPEATS)
    yield time_row("weft --help", [run(settings, "--help")[0] for _ in repeats], goal=0.3)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "evidence.json"
        dump_evidence(synthetic_2(), path)
        runs = [run(settings, "solve", str(path), "--method", "iod", "--format", "json") for _ in repeats]
    assert all(json.loads(output)["mags"] == 3913 for _, output in runs)
    yield time_row("weft solve, Synthetic 2, every graph", [seconds for seconds, _ in runs])


def run(settings: Settings, *arguments: str) -> tuple[float, str]:
    """The seconds that a command takes, and what it prints."""
    now = _processor_time_of_children if settings.processor else time.perf_counter
    start = now()
    done = subprocess.run([*program(), *arguments], capture_output=True, text=True, check=True)
    return now() - start, done.stdout


def program() -> list[str]:
    """The command that starts weft."""
    script = Path(sys.executable).parent / "weft"
    return [str(script)] if script.exists() else [sys.executable, "-m", "weft"]


def _processor_time_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
