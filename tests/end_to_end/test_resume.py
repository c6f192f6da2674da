"""A run that was killed or interrupted goes on where it stopped, and ends as if nothing had happened."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.end_to_end.running import PROGRAM, content, drawn, run, write_studies
from tests.support.waiting import LONG_WAIT

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


# weft, which gets a signal when it has stored so many results.
SIGNALLED = """
import os, sys
from weft.cli import main
from weft.evidence.cache import ResultCache
results, sent = int(sys.argv.pop(1)), int(sys.argv.pop(1))
put = ResultCache.put
def counted(cache, key, result):
    global results
    put(cache, key, result)
    results -= cache.path is not None  # not one in memory, which a bootstrap run has
    if not results:
        os.kill(os.getpid(), sent)
ResultCache.put = counted
main()
"""


def signalled(
    results: int, sent: signal.Signals, tables: list[str], cache: Path, output: Path, *more: str
) -> subprocess.CompletedProcess[str]:
    """A run that gets a signal when it has stored so many results."""
    command = [sys.executable, "-c", SIGNALLED, str(results), str(int(sent)), "discover", *tables]
    return subprocess.run([*command, "--cache", str(cache), "-o", str(output), *more], capture_output=True, text=True)


@pytest.mark.parametrize("more", [SLOW, (*QUICK, "--bootstrap", "15")], ids=["tests", "bootstrap"])
def test_killed_at_random_points(tables: list[str], tmp_path: Path, more: tuple[str, ...]) -> None:
    whole = tmp_path / "whole.json"
    assert run("discover", *tables, *more, "--cache", tmp_path / "a.sqlite", "-o", whole, jobs=None).exit_code == 0
    everything = stored(tmp_path / "a.sqlite")
    draw, cache, output = random.Random(len(more)), tmp_path / "b.sqlite", tmp_path / "r.json"
    kept = 0
    for share in (0.2, 0.8):
        results = int(everything * share) - kept + draw.randrange(3)
        killed = signalled(results, signal.SIGKILL, tables, cache, output, *more)
        assert killed.returncode == -signal.SIGKILL
        assert not output.exists()
        assert not list(tmp_path.glob("*.partial"))
        kept += results
        assert stored(cache) == kept  # nothing is lost, and nothing was made twice
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
        process.kill()
        process.communicate()
        if output.exists():  # as a whole or not at all
            assert content(output) == content(whole)
    assert run("discover", *tables, *QUICK, "--cache", cache, "-o", output, jobs=None).exit_code == 0
    assert content(output) == content(whole)


@pytest.mark.parametrize(
    ("more", "results"), [(SLOW, 5), ((*QUICK, "--bootstrap", "200"), 50)], ids=["tests", "bootstrap"]
)
def test_ctrl_c_says_how_to_go_on(tables: list[str], tmp_path: Path, more: tuple[str, ...], results: int) -> None:
    cache, output = tmp_path / "d.sqlite", tmp_path / "r.json"
    ended = signalled(results, signal.SIGINT, tables, cache, output, "--quiet", *more)
    assert ended.returncode == 130
    assert ended.stdout == ""
    assert ended.stderr == "weft: interrupted; test results so far are saved; the same command continues from there\n"
    assert not output.exists()
    assert stored(cache) >= results


def test_ctrl_c_without_a_cache_promises_nothing(tables: list[str], tmp_path: Path) -> None:
    command = [*PROGRAM, "discover", *tables, *QUICK, "--no-cache", "--json-log", "--bootstrap", "500"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as process:
        assert process.stderr is not None
        while '"bootstrap runs"' not in (line := process.stderr.readline()) and line:
            pass
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate(timeout=LONG_WAIT)
    assert process.returncode == 130
    last = stderr.splitlines()[-1]
    assert "interrupted" in last
    assert "saved" not in last
