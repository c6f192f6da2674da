"""``weft evidence``: from files to an evidence file, and one line for everything that can be wrong with a file."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import weft
from weft.cli import main, options
from weft.cli.tables import column_kinds, named_files
from weft.evidence.independence.registry import TESTS
from weft.evidence.orientation.registry import METHODS
from weft.evidence.pool import PoolingMethod

PROGRAM = [sys.executable, "-m", "weft"]


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path_factory.mktemp("cache") / "results.sqlite"
    monkeypatch.setenv("WEFT_CACHE", str(path))
    return path


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two studies of X -> Y -> Z, which share Y."""
    rng = np.random.default_rng(4)
    for name, columns in (("one", "XY"), ("two", "YZ")):
        x = rng.standard_normal(200)
        y = x + 0.7 * rng.standard_normal(200)
        z = y + 0.7 * rng.standard_normal(200)
        table = {"X": x, "Y": y, "Z": z}
        rows = [",".join(columns), *(",".join(f"{table[c][i]:.6f}" for c in columns) for i in range(200))]
        (tmp_path / f"{name}.csv").write_text("\n".join(rows), encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["evidence", *arguments, "--jobs", "1"], prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def complaint(*arguments: str) -> str:
    """What is said about bad input: one line on standard error, nothing on standard output, exit code 2."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"weft: [^\n]+\n", result.stderr)
    return result.stderr.removeprefix("weft: ").strip()


def test_from_tables_to_structures(folder: Path) -> None:
    made = run("one.csv", "two.csv", "-o", "evidence.json")
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr == "weft: 2 pairs are connected, 0 separated, 0 undecided; 2 tests made, 0 reused\n"
    document = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    assert [study["name"] for study in document["studies"]] == ["one", "two"]
    assert document["settings"] == {
        "test": "auto",
        "alpha": 0.01,
        "pooling": "fisher",
        "max_given": None,
        "independence_confidence": 0.5,
    }
    (connected,) = document["studies"][0]["connected"]
    assert connected["pair"] == ["X", "Y"]
    assert connected["rows"] == 200
    assert connected["p_value"] < 0.01
    solved = CliRunner().invoke(main, ["solve", "evidence.json", "--format", "json", "--count-only"])
    assert solved.exit_code == 0
    assert json.loads(solved.stdout)["mags"] == 38  # nothing but two connections: DESIGN's chain without orientations


def test_evidence_goes_to_standard_output_and_everything_else_does_not(folder: Path) -> None:
    made = run("one.csv", "two.csv")
    assert weft.load_evidence.__name__ == "load"
    assert json.loads(made.stdout)["format"] == "weft-evidence/1"


def test_nothing_is_tested_twice(folder: Path) -> None:
    first = run("one.csv", "two.csv")
    second = run("one.csv", "two.csv")
    assert second.stdout == first.stdout
    assert "0 tests made, 2 reused" in second.stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--no-cache").stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--test", "fisher-z").stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--cache", str(folder / "other.sqlite")).stderr


def test_a_damaged_cache_is_told(folder: Path, own_cache: Path) -> None:
    own_cache.write_text("something else entirely, and not a little of it", encoding="utf-8")
    made = run("one.csv", "two.csv")
    assert made.exit_code == 0
    assert "weft: warning: the cache " in made.stderr
    assert "a new one was started" in made.stderr
    assert "2 tests made, 0 reused" in made.stderr


def test_names_kinds_and_columns_left_out(folder: Path) -> None:
    text = (folder / "one.csv").read_text(encoding="utf-8").splitlines()
    (folder / "one.csv").write_text(
        "\n".join(["id,size," + text[0], *(f"{i},{'SML'[i % 3]},{line}" for i, line in enumerate(text[1:]))])
    )
    made = run("uk=one.csv", "us=two.csv", "--drop", "id", "--kind", "size=S<M<L", "--max-given", "0")
    assert made.exit_code == 0
    document = json.loads(made.stdout)
    assert [(study["name"], study["variables"]) for study in document["studies"]] == [
        ("uk", ["X", "Y", "size"]),
        ("us", ["Y", "Z"]),
    ]
    assert document["settings"]["max_given"] == 0


def test_studies_that_differ_are_told(folder: Path) -> None:
    lines = (folder / "two.csv").read_text(encoding="utf-8").splitlines()
    shifted = [",".join([f"{3 * float(line.split(',')[0]) + 9:.4f}", line.split(",")[1]]) for line in lines[1:]]
    (folder / "two.csv").write_text("\n".join([lines[0], *shifted]), encoding="utf-8")
    made = run("one.csv", "two.csv")
    assert made.exit_code == 0
    assert "weft: warning: 'Y' differs between studies 'one' and 'two'" in made.stderr
    assert "the method assumes that one process made all studies" in made.stderr


def truncated(path: Path) -> None:
    content = path.read_text(encoding="utf-8")
    path.write_text(content[: content.rindex(",")], encoding="utf-8")


def semicolons(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(",", ";"), encoding="utf-8")


def duplicate_header(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("X,Y", "Y,Y", 1), encoding="utf-8")


def latin_1(path: Path) -> None:
    path.write_bytes(path.read_text(encoding="utf-8").replace("X,Y", "Größe,Y", 1).encode("latin-1"))


def ten_rows(path: Path) -> None:
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:11]), encoding="utf-8")


def all_missing(path: Path) -> None:
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([header, *(f"NA,{line.split(',')[1]}" for line in lines)]), encoding="utf-8")


def empty(path: Path) -> None:
    path.write_bytes(b"")


def words(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("\n", "\nten ", 1), encoding="utf-8")


def infinite(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join([lines[0], "inf,1.0", *lines[2:]]), encoding="utf-8")


@pytest.mark.parametrize(
    ("spoil", "words_said"),
    [
        (truncated, ["one.csv", "line 201", "cut short"]),
        (semicolons, ["one.csv", "semicolons"]),
        (duplicate_header, ["one.csv", "'Y'"]),
        (latin_1, ["one.csv", "latin-1"]),
        (ten_rows, ["one.csv", "10 rows"]),
        (all_missing, ["one.csv", "'X'", "missing"]),
        (empty, ["one.csv", "empty"]),
        (words, ["one.csv", "'X'"]),
        (infinite, ["one.csv", "'X'", "inf"]),
        (Path.unlink, ["one.csv", "no such file"]),
    ],
)
def test_bad_files(folder: Path, spoil: Callable[[Path], None], words_said: list[str]) -> None:
    spoil(folder / "one.csv")
    said = complaint("one.csv", "two.csv")
    for word in words_said:
        assert word in said


def test_a_parquet_file_of_no_bytes(folder: Path) -> None:
    (folder / "none.parquet").write_bytes(b"")
    assert complaint("none.parquet", "two.csv").startswith("none.parquet: ")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["one.csv"], "at least two are needed"),
        (["one.csv", "one.csv"], "two tables are called 'one'; name one with NAME=one.csv"),
        (["one.csv", "two.csv", "--alpha", "1.5"], "--alpha"),
        (["one.csv", "two.csv", "--test", "magic"], "--test"),
        (["one.csv", "two.csv", "--kind", "X"], "--kind X: write COLUMN=KIND"),
        (["one.csv", "two.csv", "--kind", "Q=binary"], "'Q'"),
        (["one.csv", "two.csv", "--kind", "X=odd"], "'odd'"),
        (["one.csv", "two.csv", "--drop", "Q"], "'Q'"),
        (["one.csv", "two.csv", "--jobs", "0"], "n_jobs is 0"),
        (["one.csv", "two.csv", "--test", "g-square"], "g-square"),
        (["one.csv", "two.csv", "--dask", "nowhere"], "no Dask scheduler answers at 'nowhere'"),
        (["one.csv", "two.csv", "-o", "missing/folder/e.json"], "missing/folder/e.json"),
        (["one.csv", "two.csv", "--cache", "."], "is a folder"),
        ([], "TABLE"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_bad_arguments(folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    monkeypatch.setattr("weft.parallel.PATIENCE", 0.5)
    if "--jobs" in arguments:
        result = CliRunner().invoke(main, ["evidence", *arguments], prog_name="weft")
        assert (result.exit_code, said in result.stderr) == (2, True)
    else:
        assert said.lower() in complaint(*arguments).lower()


def test_ctrl_c_ends_cleanly_and_keeps_what_was_done(folder: Path, own_cache: Path) -> None:
    rng = np.random.default_rng(0)
    for name in ("one", "two"):
        table = rng.standard_normal((1500, 8)).cumsum(axis=1)
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", header=",".join("ABCDEFGH"), comments="")
    command = [*PROGRAM, "evidence", "one.csv", "two.csv", "--jobs", "2", "-o", "e.json"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        deadline = time.monotonic() + 60
        while time.monotonic() < deadline and results_in(own_cache) < 8:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to all processes of the run
        _, stderr = process.communicate(timeout=30)
    assert process.returncode == 130
    assert [line for line in stderr.splitlines() if "warning" not in line] == ["weft: interrupted"]
    assert not (folder / "e.json").exists()
    assert results_in(own_cache) >= 8


def results_in(path: Path) -> int:
    import sqlite3

    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
    except sqlite3.OperationalError:  # not laid out yet
        return 0
    finally:
        connection.close()


def test_directions_join_the_evidence(folder: Path) -> None:
    rng = np.random.default_rng(8)
    for name in ("one", "two"):
        x = rng.uniform(-1, 1, 600)
        table = np.column_stack([x, np.exp(2 * x) + 0.2 * rng.standard_normal(600)])
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", header="X,Y", comments="")
    made = run("one.csv", "two.csv", "--orient", "auto")
    assert made.exit_code == 0
    assert made.stderr.splitlines()[-1] == "weft: 1 of 1 dependent pairs have a direction"
    document = json.loads(made.stdout)
    (relation,) = document["relations"]
    assert relation["pair"] == ["X", "Y"]
    assert relation["allowed"] == ["->", "-> & <->"]
    assert relation["source"] == "auto"
    assert relation["weight"] > 1
    assert document["settings"]["sufficient"] == "no"
    for option, said in (("--assume-sufficient", "all"), ("--assume-sufficient=one", "one")):
        document = json.loads(run("one.csv", "two.csv", "--orient", "auto", option).stdout)
        assert document["relations"][0]["allowed"] == ["->"]
        assert document["settings"]["sufficient"] == said
    assert "'three'" in complaint("one.csv", "two.csv", "--orient", "auto", "--assume-sufficient=three")
    assert "give --orient too" in complaint("one.csv", "two.csv", "--assume-sufficient=one")


def orient(*arguments: str) -> Result:
    result = CliRunner().invoke(main, ["orient", *arguments], prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_one_pair(folder: Path) -> None:
    shown = orient("one.csv", "X", "Y", "--method", "lingam", "--picture", "pair.svg")
    assert shown.exit_code == 0
    assert shown.stdout.startswith("X = X (continuous), Y = Y (continuous), 200 rows with both\n")
    assert "common causes: may be there" in shown.stdout
    assert "It does not see common causes." in " ".join(shown.stdout.split())
    assert max(map(len, shown.stdout.splitlines())) < 80
    assert (folder / "pair.svg").read_text(encoding="utf-8").startswith("<?xml")
    assert "declared absent" in orient("one.csv", "X", "Y", "--method", "lingam", "--assume-sufficient").stdout
    for arguments, said in (
        (["one.csv", "X", "Q"], "no column 'Q'"),
        (["one.csv", "X", "X"], "name two columns"),
        (["none.csv", "X", "Y"], "none.csv"),
        (["one.csv", "X", "Y", "--picture", "pair.gif"], "pair.gif"),
    ):
        result = orient(*arguments)
        assert (result.exit_code, said in result.stderr, result.stderr.count("\n")) == (2, True, 1)


def test_choices_are_those_of_the_library() -> None:
    from typing import get_args

    assert tuple(TESTS) == options.TESTS
    assert get_args(PoolingMethod) == options.POOLING
    assert tuple(METHODS) == options.ORIENTATIONS


def test_names_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b.csv").write_text("", encoding="utf-8")
    assert named_files(["a=b.csv", "c=d=e.csv", "f/g=h.csv"]) == {"a=b": "a=b.csv", "c": "d=e.csv", "g=h": "f/g=h.csv"}


def test_kinds_of_columns() -> None:
    assert column_kinds(["a=b=ordinal", " x = 1 < 2 "]) == {"a=b": "ordinal", "x": ["1", "2"]}
