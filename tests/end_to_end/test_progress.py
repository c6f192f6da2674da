"""What is told while it works: a bar on a terminal, lines elsewhere, JSON or nothing on request."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import termios
from pathlib import Path

import pytest

from tests.end_to_end.running import PROGRAM, discover, drawn, write_studies
from weft.cli import progress


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Two studies that differ in scale, which is worth a warning."""
    one, two = drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=150)
    from dataclasses import replace

    shifted = replace(two, columns=tuple(replace(column, values=column.values * 5 + 9) for column in two.columns))
    return write_studies(tmp_path, [one, shifted])


def test_plain_lines_where_there_is_no_terminal(files: list[str], tmp_path: Path) -> None:
    result = discover(*files, "--bootstrap", "2", "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    told = result.stderr.splitlines()
    assert all(line.startswith("weft: ") for line in told)
    assert "\r" not in result.stderr
    assert "\x1b" not in result.stderr
    assert "weft: testing independence: 0 of about 2" in told
    assert any(line.startswith("weft: bootstrap runs: 0 of about 2") for line in told)
    (differs,) = (place for place, line in enumerate(told) if line.startswith("weft: warning: 'Y' differs between"))
    assert differs < next(place for place, line in enumerate(told) if "testing independence" in line), "told before"
    where = tmp_path / "r.json"
    assert told[-1] == f"weft: the result is in {where}; weft explain, suggest, report and explore read it"


def test_quiet_tells_warnings_only(files: list[str], tmp_path: Path) -> None:
    result = discover(*files, "--bootstrap", "2", "--quiet", "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    told = result.stderr.splitlines()
    assert told
    assert all(line.startswith("weft: warning: ") for line in told)
    same = write_studies(tmp_path, drawn("X -> Y; Y -> Z", (("X", "Y"), ("Y", "Z")), rows=150))
    assert discover(*same, "--quiet", "-o", tmp_path / "r.json").stderr == ""


def test_every_line_of_the_log_is_json(files: list[str], tmp_path: Path) -> None:
    result = discover(*files, "--bootstrap", "2", "--json-log", "-o", tmp_path / "r.json")
    assert result.exit_code == 0
    events = [json.loads(line) for line in result.stderr.splitlines()]
    assert {event["event"] for event in events} == {"progress", "warning", "message"}
    assert all(isinstance(event["time"], float) for event in events)
    steps = [event for event in events if event["event"] == "progress"]
    assert all(0 <= step["done"] <= step["total"] for step in steps)
    last = [step for step in steps if step["stage"] == "bootstrap runs"][-1]
    assert (last["done"], last["total"]) == (2, 2)
    (warning, *_) = (event["text"] for event in events if event["event"] == "warning")
    assert warning.startswith("'Y' differs between studies")
    assert str(tmp_path / "r.json") in events[-1]["text"]


def test_standard_output_is_the_same_however_much_is_told(files: list[str]) -> None:
    told = [discover(*files, *how).stdout for how in ([], ["--quiet"], ["--json-log"])]
    assert told[0] == told[1] == told[2]
    assert "\nStudy study1: X, Y (150 rows)\n" in told[0]


def test_lines_about_one_stage_do_not_follow_each_other_at_once(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr("weft.cli.progress.time.monotonic", lambda: now)
    log = progress.Log()
    for done in range(5):
        log.progress("tests", done, 5)
    now += 11
    log.progress("tests", 5, 5)
    log.progress("pairs", 0, 2)
    assert capsys.readouterr().err.splitlines() == [
        "weft: tests: 0 of about 5",
        "weft: tests: 5 of about 5",
        "weft: pairs: 0 of about 2",
    ]


@pytest.mark.parametrize(
    ("options", "bars"), [((), True), (("--quiet",), False), (("--json-log",), False)], ids=["bar", "quiet", "json"]
)
def test_a_bar_on_a_terminal(files: list[str], tmp_path: Path, options: tuple[str, ...], bars: bool) -> None:
    """Standard error is a terminal; the delay before a bar is shown is taken away."""
    program = [PROGRAM[0], "-c", "import weft.bar as b; b.DELAY = b.EVERY = 0.01\nfrom weft.cli import main; main()"]
    command = [*program, "discover", *files, "--test", "fisher-z", "--method", "iod", "--no-cache", "--jobs", "1"]
    ours, theirs = pty.openpty()
    termios.tcsetwinsize(theirs, (24, 100))
    output = str(tmp_path / "r.json")
    with subprocess.Popen(
        [*command, *options, "--bootstrap", "3", "-o", output], stdout=subprocess.PIPE, stderr=theirs
    ) as process:
        os.close(theirs)
        told = b""
        while True:
            try:
                part = os.read(ours, 65536)
            except OSError:  # the other end is closed
                break
            if not part:
                break
            told += part
        assert process.stdout is not None
        assert process.stdout.read().startswith(b"Together the 2 studies show ")
    os.close(ours)
    assert process.returncode == 0
    text = told.decode()
    drawn = [line for line in text.replace("\r\n", "\n").split("\r") if " %" in line and line.startswith("weft: ")]
    assert bool(drawn) is bars
    assert all(len(line) < 80 for line in drawn)
    shares = [int(line.split("|")[-1].split("%")[0]) for line in drawn]
    assert shares == sorted(shares)  # one bar for the whole run
    lines = [line.split("\r")[-1] for line in text.replace("\r\n", "\n").splitlines()]
    if "--json-log" in options:
        assert all(isinstance(json.loads(line), dict) for line in lines)
    elif not bars:
        assert all(line.startswith("weft: warning: ") for line in lines)
    else:
        assert "weft: the result is in" in text
