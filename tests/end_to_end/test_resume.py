"""A run that was killed or interrupted goes on where it stopped, and ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

from tests.end_to_end.running import PROGRAM, content, drawn, run, write_studies
from tests.support.processes import wait_until

GRAPH = "A -> B; B -> C; C -> D; D -> E; A -> E"
SPLIT = (("A", "B", "C", "D"), ("B", "C", "D", "E"))
SLOW = ("--test", "kcit", "--orient", "lingam", "--jobs", "1")
QUICK = ("--test", "fisher-z", "--orient", "lingam", "--jobs", "1")


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return write_studies(tmp_path_factory.mktemp("tables"), drawn(GRAPH, SPLIT, rows=150))


def stored(cache: Path) -> int:
    """How many results are kept."""
    if not cache.exists():
        return 0
    connection = sqlite3.connect(cache)
    try:
        return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not laid out yet
        return 0
    finally:
        connection.close()


def started(tables: list[str], cache: Path, output: Path, *more: str) -> subprocess.Popen[str]:
    command = [*PROGRAM, "discover", *tables, "--cache", str(cache), "-o", str(output), *more]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def wait_for(cache: Path, results: int, process: subprocess.Popen[str]) -> None:
    wait_until(lambda: stored(cache) >= results or process.poll() is not None)


def end(process: subprocess.Popen[str], sent: signal.Signals) -> tuple[str, str]:
    if process.poll() is None:
        os.killpg(process.pid, sent)
    return process.communicate()


@pytest.mark.parametrize("more", [SLOW, (*QUICK, "--bootstrap", "40")], ids=["tests", "bootstrap"])
def test_killed_at_random_points(tables: list[str], tmp_path: Path, more: tuple[str, ...]) -> None:
    whole = tmp_path / "whole.json"
    assert run("discover", *tables, *more, "--cache", tmp_path / "a.sqlite", "-o", whole, jobs=None).exit_code == 0
    everything = stored(tmp_path / "a.sqlite")
    draw, cache, output = random.Random(len(more)), tmp_path / "b.sqlite", tmp_path / "r.json"
    kept = [0]
    for share in (0.2, 0.7):
        process = started(tables, cache, output, *more)
        wait_for(cache, int(everything * share), process)
        time.sleep(draw.uniform(0, 0.1))
        end(process, signal.SIGKILL)
        assert process.returncode == -signal.SIGKILL
        assert not output.exists()
        assert not list(tmp_path.glob("*.partial"))
        kept.append(stored(cache))
        assert kept[-1] >= kept[-2]  # nothing is lost
    assert kept[1] > 0
    assert kept[-1] >= int(everything * 0.7)
    resumed = run("discover", *tables, *more, "--cache", cache, "-o", output, jobs=None)
    assert resumed.exit_code == 0
    assert content(output) == content(whole)
    assert stored(cache) == everything  # and so fewer were made than the first time


def test_killed_while_the_answer_is_worked_out_or_written(tables: list[str], tmp_path: Path) -> None:
    cache, output = tmp_path / "c.sqlite", tmp_path / "r.json"
    whole = tmp_path / "whole.json"
    assert run("discover", *tables, *QUICK, "--cache", cache, "-o", whole, jobs=None).exit_code == 0
    draw = random.Random(7)
    for _ in range(3):
        process = started(tables, cache, output, *QUICK)
        time.sleep(draw.uniform(0.5, 2.0))
        end(process, signal.SIGKILL)
        if output.exists():  # as a whole or not at all
            assert content(output) == content(whole)
    assert run("discover", *tables, *QUICK, "--cache", cache, "-o", output, jobs=None).exit_code == 0
    assert content(output) == content(whole)


@pytest.mark.parametrize("more", [SLOW, (*QUICK, "--bootstrap", "2000")], ids=["tests", "bootstrap"])
def test_ctrl_c_says_how_to_go_on(tables: list[str], tmp_path: Path, more: tuple[str, ...]) -> None:
    cache, output = tmp_path / "d.sqlite", tmp_path / "r.json"
    process = started(tables, cache, output, "--quiet", *more)
    wait_for(cache, 50 if more[-1] == "2000" else 5, process)
    stdout, stderr = end(process, signal.SIGINT)
    assert process.returncode == 130
    assert stdout == ""
    assert stderr == "weft: interrupted; test results so far are saved; the same command continues from there\n"
    assert not output.exists()
    assert stored(cache) >= 5


def test_ctrl_c_without_a_cache_promises_nothing(tables: list[str], tmp_path: Path) -> None:
    command = [*PROGRAM, "discover", *tables, *QUICK, "--no-cache", "--json-log", "--bootstrap", "500"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        while '"bootstrap runs"' not in (line := process.stderr.readline()) and line:
            pass
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=60)
    assert process.returncode == 130
    last = stderr.splitlines()[-1]
    assert "interrupted" in last
    assert "is kept" not in last
