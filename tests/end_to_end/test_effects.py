"""``weft effects``: from a result file back to its tables."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

import weft
from tests.end_to_end.running import complaint, run, write_csv


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result, and the tables beside it: X acts on Y through M, which both studies have."""
    where = tmp_path_factory.mktemp("effects")
    rng = np.random.default_rng(12)

    def noise(size: float) -> np.ndarray:
        return np.asarray(rng.exponential(size, 3000) - size)

    i = noise(1.0)
    x = i + noise(0.7)
    m = 2 * x + noise(3.0)
    y = 0.5 * m + noise(4.0)
    write_csv(where / "a.csv", {"I": i[:1500].tolist(), "X": x[:1500].tolist(), "M": m[:1500].tolist()})
    write_csv(where / "b.csv", {"M": m[1500:].tolist(), "Y": y[1500:].tolist()})
    options = ("--test", "fisher-z", "--quiet", "-o", where / "r.json")
    assert run("discover", where / "a.csv", where / "b.csv", *options).exit_code == 0
    return where


ASSUMED = ("--assume", "not I -> M", "--assume", "not I -> Y", "--assume", "not X -> Y")


def test_an_effect_of_variables_that_were_never_measured_together(folder: Path) -> None:
    printed = run("effects", folder / "r.json", "X", "Y", *ASSUMED, "--format", "json")
    found = json.loads(printed.stdout)
    assert (found["from"], found["to"], found["structures"], found["fair"]) == ("X", "Y", 1, True)
    case, none = found["cases"]
    assert (none["kind"], none["share"]) == ("zero", 0)  # no structure says so, but the claim is not certain
    assert case["confidence"] + none["confidence"] == pytest.approx(1)
    assert (case["kind"], case["through"], case["study"], case["rows"]) == ("composed", ["M"], ["a", "b"], 3000)
    assert case["low"] < 1.0 < case["high"]
    assert found["sentence"].startswith("1 more of X changes Y by between")
    text = run("effects", folder / "r.json", "X", "Y", *ASSUMED)
    assert text.stdout.startswith(found["sentence"][:40])
    assert max(map(len, text.stdout.splitlines())) <= 80


def test_text_json_csv_and_python_say_the_same(folder: Path) -> None:
    found = json.loads(run("effects", folder / "r.json", "X", "M", "--format", "json").stdout)
    rows = run("effects", folder / "r.json", "X", "M", "--format", "csv").stdout.splitlines()
    assert len(rows) == 1 + len(found["cases"])
    python = weft.load_result(folder / "r.json").effects("X", "M")
    assert python.as_json() == found
    assert list(python.to_frame()["kind"]) == [case["kind"] for case in found["cases"]]
    assert sum(case["share"] for case in found["cases"]) == pytest.approx(1)


def test_all_causes_that_are_claimed(folder: Path) -> None:
    found = json.loads(run("effects", folder / "r.json", "--format", "json").stdout)["effects"]
    assert {(one["from"], one["to"]) for one in found} >= {("X", "M"), ("X", "Y")}


def test_a_picture(folder: Path) -> None:
    assert run("effects", folder / "r.json", "X", "Y", "--figure", folder / "f.svg").exit_code == 0
    assert "change of Y for 1 more of X" in (folder / "f.svg").read_text(encoding="utf-8")


def test_tables_that_moved_changed_or_are_gone(folder: Path, tmp_path: Path) -> None:
    result = tmp_path / "r.json"
    result.write_bytes((folder / "r.json").read_bytes())
    for name in ("a.csv", "b.csv"):
        (folder / name).rename(tmp_path / f"moved-{name}")
    try:
        gone = run("effects", result, "X", "Y")
        assert gone.exit_code == 2
        for name, line in zip("ab", gone.stderr.splitlines(), strict=True):  # all that is wrong, a line each
            assert f"{name}.csv: the table of study '{name}' is not there any more; say where it is with --data" in line
        moved = ("--data", f"a={tmp_path / 'moved-a.csv'}", "--data", f"b={tmp_path / 'moved-b.csv'}")
        assert run("effects", result, "X", "Y", *moved).exit_code == 0
        lines = (tmp_path / "moved-b.csv").read_text().splitlines()
        (tmp_path / "less.csv").write_text("\n".join(lines[:-1]))
        changed = (*moved[:2], "--data", f"b={tmp_path / 'less.csv'}")
        assert "less.csv: the table has changed since the analysis" in complaint(
            run("effects", result, "X", "Y", *changed)
        )
    finally:
        (tmp_path / "moved-a.csv").rename(folder / "a.csv")
        (tmp_path / "moved-b.csv").rename(folder / "b.csv")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("X",), "name the cause and the outcome"),
        (("X", "Q"), "there is no variable 'Q'"),
        (("X", "X"), "X is the cause and the outcome"),
        (("--figure", "f.svg"), "--figure draws one effect"),
        (("X", "Y", "--data", "c=a.csv"), "there is no study 'c'"),
    ],
)
def test_what_cannot_be_asked(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint(run("effects", folder / "r.json", *arguments))


def test_answers_without_tables(tmp_path: Path) -> None:
    weft.solve(weft.oracle("X -> Y", [["X", "Y"]])).save(tmp_path / "r.json")
    assert "does not come from tables" in complaint(run("effects", tmp_path / "r.json", "X", "Y"))
