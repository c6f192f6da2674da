"""From three messy files to an answer: weft check, the file that it writes, weft discover."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.end_to_end.running import PROGRAM


def weft_at(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """A command in a folder, as a user runs it."""
    return subprocess.run(
        [*PROGRAM, *arguments], cwd=folder, capture_output=True, text=True, encoding="utf-8", check=False,
        env={**os.environ, "PYTHONUTF8": "1"},
    )  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(3)
    n = 600
    age = rng.normal(55, 12, n)
    weight = 70 + 0.3 * (age - 55) + rng.gumbel(size=n) * 9
    pressure = 120 + 0.5 * (age - 55) + 0.3 * (weight - 70) + rng.gumbel(size=n) * 6
    sex = rng.integers(0, 2, n)
    first = pd.DataFrame({"age": age, "sex": np.where(sex, "m", "f"), "weight": weight, "pressure": pressure}).round(2)[
        :300
    ]
    first.loc[4:9, "weight"] = -99
    first.to_csv(tmp_path / "klinik.csv", index=False, sep=";", decimal=",", encoding="cp1252")
    second = pd.DataFrame({"Name": [f"N{i}" for i in range(n)], "Alter": age.round(), "weight": weight * 2.20462})
    second[300:].to_excel(tmp_path / "praxis.xlsx", index=False)
    return tmp_path


def test_from_messy_files_to_an_answer(folder: Path) -> None:
    checked = weft_at(folder, "check", "klinik.csv", "praxis.xlsx", "-o", "studies.toml")
    assert checked.returncode == 2  # a column of names must be left out
    assert max(map(len, checked.stdout.splitlines())) <= 80
    flat = " ".join(checked.stdout.split())
    for part in (
        "klinik.csv (text, utf-8, semicolons, decimal commas): 300 rows, 4 columns",
        "column 'Name': 300 different texts in 300 rows",
        "column 'weight': -99 in 6 rows, far from all other values, may stand for a missing value",
        "'age' in study 'klinik' and 'Alter' in study 'praxis' may be one variable",
        "are about 2.205 times those in study 'klinik'",
        'roots = ["age", "sex"]',
    ):
        assert part in flat
    plan = folder / "studies.toml"
    edited = re.sub(r"^# (\w+) = ", r"\1 = ", plan.read_text().replace('files = ["expert.toml"]', ""), flags=re.M)
    plan.write_text(edited)
    again = weft_at(folder, "check", "studies.toml")
    assert again.returncode == 0
    assert again.stdout.rstrip().endswith("The tables fit together.")
    refused = weft_at(folder, "check", "studies.toml", "-o", "other.toml")
    assert (refused.returncode, len(refused.stderr.splitlines())) == (2, 1)
    found = weft_at(folder, "discover", "studies.toml", "--test", "fisher-z", "--method", "iod", "-o", "r.json")
    assert found.returncode == 0, found.stderr
    assert "Study praxis: age, weight (300 rows)" in found.stdout
    assert "Known:" in found.stdout
    again = weft_at(folder, "evidence", "studies.toml", "--test", "fisher-z", "--method", "iod", "-o", "e.json")
    assert again.returncode == 0, again.stderr


def test_a_column_without_a_name_does_not_hide_the_others(folder: Path) -> None:
    pd.read_csv(folder / "klinik.csv", sep=";", decimal=",").to_csv(folder / "index.csv")
    checked = weft_at(folder, "check", "index.csv", "-o", "studies.toml")
    assert checked.returncode == 2
    assert "column 1 has no name" in checked.stdout
    assert "-99 in 6 rows" in " ".join(checked.stdout.split())
    assert 'drop = [""]' in (folder / "studies.toml").read_text()
    assert weft_at(folder, "check", "studies.toml").returncode == 0


def test_what_was_edited_is_not_overwritten(folder: Path) -> None:
    assert weft_at(folder, "check", "klinik.csv", "-o", "s.toml").returncode == 0
    assert weft_at(folder, "check", "klinik.csv", "-o", "s.toml").returncode == 0, "the same may be written again"
    edited = (folder / "s.toml").read_text().replace("# missing", "missing")
    (folder / "s.toml").write_text(edited)
    for name in ("s.toml", "s.csv"):
        refused = weft_at(folder, "check", "klinik.csv", "-o", name)
        assert (refused.returncode, refused.stdout, len(refused.stderr.splitlines())) == (2, "", 1)
    assert (folder / "s.toml").read_text() == edited


@pytest.mark.parametrize("command", [("solve", "klinik.csv"), ("report", "praxis.xlsx", "-o", "r.html")])
def test_a_table_where_a_result_is_read(folder: Path, command: tuple[str, ...]) -> None:
    refused = weft_at(folder, *command)
    assert refused.returncode == 2
    assert f"weft discover {command[1]} -o result.json" in refused.stderr


def test_a_file_that_cannot_be_read_is_told_once(folder: Path) -> None:
    (folder / "empty.csv").write_text("")
    checked = weft_at(folder, "check", "empty.csv")
    assert checked.returncode == 2
    assert checked.stdout.count("  - ") == 1


def test_tables_that_fit(folder: Path) -> None:
    rng = np.random.default_rng(0)
    for name, columns in (("a", ("x", "y")), ("b", ("y", "z"))):
        pd.DataFrame({one: rng.normal(size=100) for one in columns}).to_csv(folder / f"{name}.csv", index=False)
    checked = weft_at(folder, "check", "a.csv", "b.csv")
    assert checked.returncode == 0
    assert checked.stdout.rstrip().endswith("The tables fit together.")


def test_a_plan_is_given_alone(folder: Path) -> None:
    (folder / "studies.toml").write_text("[[study]]\nfile = 'klinik.csv'")
    for arguments in (("studies.toml", "klinik.csv"), ("studies.toml", "--drop", "age")):
        refused = weft_at(folder, "discover", *arguments)
        assert refused.returncode == 2
        assert len(refused.stderr.splitlines()) == 1


def test_what_is_wrong_with_the_tables_of_a_plan_is_told_in_its_words(folder: Path) -> None:
    (folder / "studies.toml").write_text("[[study]]\nfile = 'praxis.xlsx'")
    for command in ("discover", "check"):
        refused = weft_at(folder, command, "studies.toml")
        assert refused.returncode == 2
        said = " ".join((refused.stdout + refused.stderr).split())
        assert 'leave them out with drop = ["Name"], or insist with kind = { Name = "categorical" }' in said
    weft_at(folder, "check", "praxis.xlsx", "-o", "first.toml")
    assert 'with drop = ["Name"], or insist' in (folder / "first.toml").read_text()


def test_one_table_is_enough(folder: Path) -> None:
    arguments = ("--test", "fisher-z", "--orient", "lingam", "--missing", "-99")
    found = weft_at(folder, "discover", "klinik.csv", *arguments, "-o", "one.json")
    assert found.returncode == 0, found.stderr
    assert "Study klinik: age, pressure, sex, weight (300 rows)" in found.stdout
    assert weft_at(folder, "suggest", "one.json").returncode == 0
    assert weft_at(folder, "claims", "one.json").returncode == 0
