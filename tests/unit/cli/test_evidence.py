"""``weft evidence``: from files to an evidence file, and one line for everything that can be wrong with a file."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner, Result

import weft
from tests.support.processes import linux_only, processes_of, workers_of
from tests.support.waiting import until
from weft.cli import main
from weft.cli.tables import column_kinds, named_files

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
    jobs = [] if "--jobs" in arguments else ["--jobs", "1"]
    result = CliRunner().invoke(main, ["evidence", *arguments, *jobs], prog_name="weft")
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def complaint(*arguments: str) -> str:
    """What is said about bad input: one line on standard error, nothing on standard output, exit code 2."""
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert re.fullmatch(r"weft: [^\n]+\n", result.stderr)
    return result.stderr.removeprefix("weft: ").strip()


def solved(*arguments: str) -> dict[str, Any]:
    result = CliRunner().invoke(main, ["solve", *arguments, "--format", "json", "--count-only"])
    assert result.exit_code == 0
    found: dict[str, Any] = json.loads(result.stdout)
    return found


def test_from_tables_to_structures(folder: Path) -> None:
    made = run("one.csv", "two.csv", "-o", "evidence.json")
    assert (made.exit_code, made.stdout) == (0, "")
    assert made.stderr.splitlines()[-2:] == [
        "weft: 2 pairs are connected, 0 apart, 0 undecided; 2 tests made, 0 reused, of at most 50",
        "weft: 0 of 2 pairs that were judged have a direction",  # linear and Gaussian: the data cannot tell
    ]
    document = json.loads((folder / "evidence.json").read_text(encoding="utf-8"))
    assert [study["name"] for study in document["studies"]] == ["one", "two"]
    (connected,) = document["studies"][0]["connected"]
    assert connected["pair"] == ["X", "Y"]
    assert connected["rows"] == 200
    assert connected["p_value"] < 0.01
    assert solved("evidence.json")["mags"] == 38  # nothing but two connections: DESIGN's chain without orientations


def test_the_file_says_where_it_comes_from(folder: Path) -> None:
    document = json.loads(run("one.csv", "two.csv", "--test", "fisher-z", "--alpha", "0.05").stdout)
    said = {key: value for key, value in document["settings"].items() if "." not in key}
    assert said == {
        "method": "causal-iod",
        "independence": "fisher-z",
        "alpha": 0.05,
        "pooling": "fisher",
        "max_given": None,
        "tests": 50,
        "independence_confidence": 0.9,
        "orientation": "auto",
        "pairs": "connected",
        "sufficient": False,
        "least_confidence": 0.87,
    }
    studies = [weft.Study.read(folder / f"{name}.csv") for name in ("one", "two")]
    assert document["tables"] == [
        {
            "name": study.name,
            "rows": 200,
            "kinds": dict.fromkeys(study.variables, "continuous"),
            "fingerprint": study.fingerprint,
            "source": {"file": f"{study.name}.csv"},
        }
        for study in studies
    ]


def test_no_pair_is_judged_for_a_method_that_has_no_use_for_it(folder: Path) -> None:
    made = run("one.csv", "two.csv", "--orient", "lvlingam", "--method", "iod")
    assert "judging directions" not in made.stderr
    assert "judged" not in made.stderr
    assert json.loads(made.stdout)["settings"]["method"] == "iod"


def test_what_is_said_of_how_far_it_is(folder: Path) -> None:
    quiet = run("one.csv", "two.csv", "--quiet")
    assert quiet.stderr == ""
    lines = [json.loads(line) for line in run("one.csv", "two.csv", "--json-log").stderr.splitlines()]
    assert {line["event"] for line in lines} == {"progress", "message"}
    assert lines[-2]["text"].startswith("2 pairs are connected")


def test_evidence_goes_to_standard_output_and_everything_else_does_not(folder: Path) -> None:
    made = run("one.csv", "two.csv")
    assert weft.load_evidence.__name__ == "load"
    assert json.loads(made.stdout)["format"] == "weft-evidence/2"


def test_nothing_is_tested_twice(folder: Path) -> None:
    first = run("one.csv", "two.csv")
    second = run("one.csv", "two.csv")
    assert second.stdout == first.stdout
    assert "0 tests made, 2 reused" in second.stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--no-cache").stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--test", "fisher-z").stderr
    assert "2 tests made, 0 reused" in run("one.csv", "two.csv", "--cache", str(folder / "other.sqlite")).stderr


def test_a_damaged_cache_is_told(folder: Path, own_cache: Path) -> None:
    run("one.csv", "two.csv")
    own_cache.write_bytes(own_cache.read_bytes()[:5000])
    made = run("one.csv", "two.csv")
    assert made.exit_code == 0
    assert "weft: warning: the cache " in made.stderr
    assert "a new one was started" in made.stderr
    assert "2 tests made, 0 reused" in made.stderr


def test_a_file_that_is_no_cache_is_not_touched(folder: Path) -> None:
    before = (folder / "one.csv").read_bytes()
    said = complaint("one.csv", "two.csv", "--cache", "one.csv")
    assert said == "the cache 'one.csv' is a file that weft did not make; give another file"
    assert (folder / "one.csv").read_bytes() == before
    assert sorted(path.name for path in folder.iterdir()) == ["one.csv", "two.csv"]


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
    told = [line.removeprefix("weft: warning: ") for line in made.stderr.splitlines() if "warning" in line]
    assert json.loads(made.stdout)["warnings"] == told


def truncated(path: Path) -> None:
    content = path.read_text(encoding="utf-8")
    path.write_text(content[: content.rindex(",")], encoding="utf-8")


def duplicate_header(path: Path) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace("X,Y", "Y,Y", 1), encoding="utf-8")


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
        (duplicate_header, ["one.csv", "'Y'"]),
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
        (["one.csv", "one.csv"], "two tables are called 'one'; name one with NAME=one.csv"),
        (["one.csv", "two.csv", "--alpha", "1.5"], "--alpha"),
        (["one.csv", "two.csv", "--test", "magic"], "--test"),
        (["one.csv", "two.csv", "--kind", "X"], "--kind X: write COLUMN=KIND"),
        (["one.csv", "two.csv", "--kind", "Q=binary"], "'Q'"),
        (["one.csv", "two.csv", "--kind", "X=odd"], "'odd'"),
        (["one.csv", "two.csv", "--drop", "Q"], "'Q'"),
        (["one.csv", "two.csv", "--jobs", "0"], "--jobs is 0; give the number of processes"),
        (["one.csv", "two.csv", "--test", "g-square"], "g-square"),
        (["one.csv", "two.csv", "--dask", "nowhere"], "no Dask scheduler answers at 'nowhere'"),
        (["one.csv", "two.csv", "-o", "missing/folder/e.json"], "missing/folder/e.json"),
        (["one.csv", "two.csv", "--cache", "."], "the cache .: this is a directory; name a file"),
        ([], "TABLE"),
    ],
)
@pytest.mark.filterwarnings("ignore")
def test_bad_arguments(folder: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str], said: str) -> None:
    monkeypatch.setattr("weft.parallel.PATIENCE", 0.5)
    assert said.lower() in complaint(*arguments).lower()


@linux_only
@pytest.mark.parametrize(
    ("sent", "to_all", "code", "word", "patient"),
    [
        (signal.SIGINT, True, 130, "interrupted", True),  # as a terminal does
        (signal.SIGINT, True, 130, "interrupted", False),
        (signal.SIGTERM, False, 143, "terminated", True),
        (signal.SIGTERM, True, 143, "terminated", False),  # as the program timeout does
    ],
)
def test_a_signal_ends_all_processes_in_one_line_and_keeps_what_was_done(
    folder: Path, own_cache: Path, sent: signal.Signals, to_all: bool, code: int, word: str, patient: bool
) -> None:
    many_tests(folder)
    # On a busy machine the main thread may be late; then the thread that listens ends the process.
    before = "" if patient else "import weft.cli.interrupts as i; i.PATIENCE = 0;"
    program = [sys.executable, "-c", f"{before}from weft.cli import main; main()"]
    command = [*program, "evidence", "one.csv", "two.csv", "--jobs", "2", "-o", "e.json", "--test", "kcit", "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        until(lambda: results_in(own_cache) >= 8 or process.poll() is not None)
        (os.killpg if to_all else os.kill)(process.pid, sent)
        _, stderr = process.communicate()
        until(lambda: not processes_of(process.pid))
    assert process.returncode == code
    assert stderr == f"weft: {word}; test results so far are saved; the same command continues from there\n"
    assert not (folder / "e.json").exists()
    assert results_in(own_cache) >= 8


@linux_only
def test_ctrl_c_while_workers_start_ends_in_one_line(folder: Path) -> None:
    many_tests(folder)
    command = [*PROGRAM, "evidence", "one.csv", "two.csv", "--jobs", "2", "--quiet"]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        until(lambda: len(workers_of(process.pid)) == 2 or process.poll() is not None)
        os.killpg(process.pid, signal.SIGINT)
        _, stderr = process.communicate()
    assert process.returncode == 130
    assert stderr == "weft: interrupted; test results so far are saved; the same command continues from there\n"


def many_tests(folder: Path) -> None:
    """Tables that keep two processes busy for long."""
    rng = np.random.default_rng(0)
    for name in ("one", "two"):
        table = rng.standard_normal((1500, 8)).cumsum(axis=1)
        np.savetxt(folder / f"{name}.csv", table, delimiter=",", header=",".join("ABCDEFGH"), comments="")


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
    made = run("one.csv", "two.csv")
    assert made.exit_code == 0
    assert made.stderr.splitlines()[-1] == "weft: 1 of 1 pairs that were judged have a direction"
    document = json.loads(made.stdout)
    relation, *wider = document["relations"]
    assert relation["pair"] == ["X", "Y"]
    assert relation["allowed"] == ["->", "-> & <->"]
    assert relation["source"] == "auto"
    assert relation["weight"] > 1
    assert all(set(one["allowed"]) > set(relation["allowed"]) for one in wider)
    assert document["settings"]["sufficient"] is False
    for option, said in (("--assume-sufficient", True), ("--assume-sufficient=one", "one")):
        document = json.loads(run("one.csv", "two.csv", option).stdout)
        assert document["relations"][0]["allowed"] == ["->"]
        assert document["settings"]["sufficient"] == said
    assert "'three'" in complaint("one.csv", "two.csv", "--assume-sufficient=three")


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
        (["one.csv", "X", "X"], "name two"),
        (["none.csv", "X", "Y"], "none.csv"),
        (["one.csv", "X", "Y", "--picture", "pair.gif"], "pair.gif"),
    ):
        result = orient(*arguments)
        assert (result.exit_code, said in result.stderr, result.stderr.count("\n")) == (2, True, 1)


def test_names_of_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "a=b.csv").write_text("", encoding="utf-8")
    assert named_files(["a=b.csv", "c=d=e.csv", "f/g=h.csv"]) == {"a=b": "a=b.csv", "c": "d=e.csv", "g=h": "f/g=h.csv"}


def test_kinds_of_columns() -> None:
    assert column_kinds(["a=b=ordinal", " x = 1 < 2 "]) == {"a=b": "ordinal", "x": ["1", "2"]}
