"""No command writes over what it reads, by whatever name."""

from __future__ import annotations

import os
import re
from pathlib import Path

import click
import numpy as np
import pytest
from click.testing import CliRunner, Result

import weft
from weft.cli import main
from weft.cli.targets import check_targets
from weft.errors import WeftError


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A file of each kind that a command reads."""
    rng = np.random.default_rng(4)
    for name in ("one.csv", "two.csv"):
        np.savetxt(tmp_path / name, rng.standard_normal((50, 2)), delimiter=",", header="X,Y", comments="")
    (tmp_path / "known.toml").write_text('required = ["X causes Y"]\n', encoding="utf-8")
    (tmp_path / "graph.weft").write_text("X -> Y\n", encoding="utf-8")
    weft.solve(weft.oracle("X -> Y", [["X", "Y"]])).save(tmp_path / "result.json")
    os.symlink("one.csv", tmp_path / "link.csv")
    os.link(tmp_path / "one.csv", tmp_path / "hard.svg")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("WEFT_CACHE", raising=False)
    return tmp_path


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="weft")


OVERWRITING = [
    "evidence one.csv two.csv -o one.csv",
    "evidence one.csv two.csv -o ./link.csv",
    "evidence a=one.csv two.csv -o one.csv",
    "evidence link.csv two.csv -o one.csv",
    "evidence one.csv two.csv --cache result.json -o result.json",
    "discover one.csv two.csv -o two.csv",
    "solve evidence.json -o evidence.json",
    "discover one.csv two.csv --report one.csv",
    "discover one.csv two.csv --knowledge known.toml -o known.toml",
    "discover one.csv two.csv -o new --report ./new",
    "orient one.csv X Y --picture hard.svg",
    "report result.json -o result.json",
    "report result.json -o new.svg --figure new.svg",
    "convert graph.weft graph.weft --to dot",
    "convert graph.weft ../{folder}/graph.weft --to edges",
    "simulate -o new --graph new",
    "check one.csv two.csv -o two.csv",
    "effects result.json X Y --data one=hard.svg --figure hard.svg",
]


@pytest.mark.parametrize("command", OVERWRITING)
def test_what_is_read_is_not_overwritten(folder: Path, command: str) -> None:
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    found = run(*command.format(folder=folder.name).split())
    assert (found.exit_code, found.stdout) == (2, "")
    assert re.fullmatch(r"weft: [^\n]+: this file is [^\n]+, and would be overwritten; name another\n", found.stderr)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_is_not_read_may_be_overwritten(folder: Path) -> None:
    assert run("report", "result.json", "-o", "one.csv").exit_code == 0
    assert (folder / "one.csv").read_text(encoding="utf-8").startswith("<!doctype html>")
    check_targets({"-o": "-", "--graph": "-"}, ["-"])
    check_targets({"-o": "new", "--graph": "newer", "--report": None}, ["nowhere", None])
    with pytest.raises(WeftError, match="-o nowhere: this file is read"):
        check_targets({"-o": "nowhere"}, ["./nowhere"])


@pytest.mark.parametrize(
    ("command", "way"),
    [
        ("report result.json -o x.png", "-o writes a page (.html); --figure x.png draws a picture"),
        ("discover one.csv --report x.pdf", "weft report RESULT --figure x.pdf draws a picture"),
        ("discover one.csv -o x.html", "-o writes a result (.json); --report x.html writes the page"),
        ("solve evidence.json -o x.html", "-o writes a result (.json); weft report RESULT -o x.html writes the page"),
        ("solve evidence.json -o x.csv", "weft claims RESULT --format csv > x.csv writes a table"),
        ("convert result.json x.svg", "weft report RESULT --figure x.svg draws it"),
    ],
)
def test_a_name_that_is_for_something_else(folder: Path, command: str, way: str) -> None:
    found = run(*command.split())
    assert (found.exit_code, found.stdout, found.stderr.count("\n")) == (2, "", 1)
    assert way in found.stderr
    assert not list(folder.glob("x.*"))


def test_every_command_that_writes_a_file_is_tested_here() -> None:
    tested = {command.split()[0] for command in OVERWRITING}
    writing = {name for name, command in main.commands.items() if any(map(_is_written, command.params))}
    assert writing - {"demo", "reproduce", "oracle"} == tested  # which read no file


def _is_written(parameter: click.Parameter) -> bool:
    named = isinstance(parameter, click.Option) and parameter.metavar == "FILE"
    return parameter.name == "target" or (named and parameter.name not in ("knowledge_files", "cache"))
