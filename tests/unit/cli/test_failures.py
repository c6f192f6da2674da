"""What ends a command before its time: one line on standard error, and an exit code that says which kind it is."""

from __future__ import annotations

import re
import subprocess
import sys

import click
import pytest
from click.testing import CliRunner, Result

from weft.cli import failures
from weft.cli.commands import TOUR
from weft.cli.failures import Commands, say_when_ended
from weft.errors import WeftError, WorkerError

REPORT = f"please report it at {failures.ISSUES} with the command and the output of weft --debug"


def run(error: BaseException, *arguments: str, words: str = "") -> Result:
    """A command that raises this."""

    @click.group(cls=Commands)
    @click.option("--debug", is_flag=True, envvar="WEFT_DEBUG")
    def group(debug: bool) -> None:
        if debug:
            failures.show_defects()

    @group.command()
    @click.option("--dask")
    def command(dask: str | None) -> None:
        say_when_ended(words)
        raise error

    return CliRunner().invoke(group, list(arguments) or ["command"], prog_name="weft")


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (KeyError("x"), "KeyError: 'x'"),
        (ValueError("two\nlines"), "ValueError: two lines"),
        (AssertionError(), "AssertionError"),
        (RecursionError("too deep"), "RecursionError: too deep"),
        (EOFError("Ran out of input"), "EOFError: Ran out of input"),
    ],
)
def test_a_defect_is_one_line_and_no_answer(error: Exception, said: str) -> None:
    found = run(error)
    assert (found.exit_code, found.stdout) == (70, "")
    assert found.stderr == f"weft: a defect in weft: {said}; {REPORT}\n"


def test_debug_shows_where(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = run(KeyError("x"), "--debug", "command")
    assert shown.exit_code == 70
    assert shown.stderr.startswith("Traceback (most recent call last):\n")
    assert shown.stderr.endswith(f"KeyError: 'x'\nweft: a defect in weft: KeyError: 'x'; {REPORT}\n")
    assert "Traceback" not in run(KeyError("x")).stderr, "what one command was told is not told to the next"
    monkeypatch.setenv("WEFT_DEBUG", "1")
    assert "Traceback" in run(KeyError("x")).stderr


def test_the_program_has_the_option() -> None:
    program = """
import weft, weft.cli
def broken(path): raise KeyError(path)
weft.load_evidence = broken
weft.cli.main()
"""
    for before, told_where in (([], False), (["--debug"], True)):
        done = subprocess.run(
            [sys.executable, "-c", program, *before, "solve", "e.json"], capture_output=True, text=True, check=False
        )
        assert (done.returncode, done.stdout) == (70, "")
        assert done.stderr.splitlines()[-1] == f"weft: a defect in weft: KeyError: 'e.json'; {REPORT}"
        assert ("Traceback" in done.stderr, done.stderr.count("\n") > 1) == (told_where, told_where)


def test_lost_workers_are_not_bad_input() -> None:
    kept = "test results so far are saved; the same command continues from there"
    found = run(WorkerError("the scheduler went away"), "command", "--dask", "here", words=kept)
    assert (found.exit_code, found.stdout) == (4, "")
    assert found.stderr == f"weft: the scheduler went away; {kept}, with or without --dask\n"
    assert run(WorkerError("a process ended"), words=kept).stderr == f"weft: a process ended; {kept}\n"
    assert run(WorkerError("a process ended")).stderr == "weft: a process ended\n"
    assert run(WeftError("no such column")).exit_code == 2


def test_the_exit_codes_are_listed_alike() -> None:
    assert failures.__doc__ is not None
    listed = set(re.findall(r"^(\d+) ", failures.__doc__, re.MULTILINE))
    told = set(re.findall(r"\b\d+\b", TOUR.partition("Exit codes:")[2]))
    assert listed == told == {"0", "1", "2", "3", "4", "70", "130", "141", "143"}
