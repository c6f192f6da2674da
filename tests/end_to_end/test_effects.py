"""``weft effects``: from a result file back to its tables."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

import weft
from tests.end_to_end.running import complaint, run
from tests.support.sized import CHAIN, tables


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A result, and the tables beside it: X acts on Y through M, which both studies have."""
    where = tmp_path_factory.mktemp("effects")
    tables(where)
    options = ("--test", "fisher-z", "--quiet", "-o", where / "r.json")
    assert run("discover", where / "a.csv", where / "b.csv", *options).exit_code == 0
    return where


ASSUMED = tuple(part for claim in CHAIN for part in ("--assume", claim))


def test_an_effect_of_variables_that_were_never_measured_together(folder: Path) -> None:
    printed = run("effects", folder / "r.json", "X", "Y", *ASSUMED, "--format", "json")
    found = json.loads(printed.stdout)
    assert (found["from"], found["to"], found["structures"], found["fair"]) == ("X", "Y", 1, True)
    case, *others = found["cases"]
    # No structure says so, but the claims that this rests on are not certain.
    assert {(one["kind"], one["share"]) for one in others} == {("zero", 0), ("not identified", 0)}
    assert sum(one["confidence"] for one in found["cases"]) == pytest.approx(1)
    assert (case["kind"], case["through"], case["study"], case["rows"]) == ("composed", ["M"], ["a", "b"], 3000)
    assert case["low"] < 1.0 < case["high"]
    assert found["sentence"].startswith("1 more of X changes Y by between")
    text = run("effects", folder / "r.json", "X", "Y", *ASSUMED)
    assert text.stdout.startswith(found["sentence"][:40])
    assert max(map(len, text.stdout.splitlines())) <= 80


def test_what_is_supposed_is_certain(folder: Path) -> None:
    claims = ("X causes M", "X and M are not confounded", *CHAIN)
    options = tuple(part for claim in claims for part in ("--assume", claim))
    found = json.loads(run("effects", folder / "r.json", "X", "M", *options, "--format", "json").stdout)
    assert [(one["kind"], one["confidence"]) for one in found["cases"]] == [("adjusted", 1.0)]


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
    head, *rows = run("effects", folder / "r.json").stdout.partition("\n\n")[0].splitlines()
    fields = [re.split(r"\s{2,}", row) for row in rows]
    assert [one[0] for one in fields] == [f"{one['per']} on {one['of']}" for one in found]
    assert [one[2] for one in fields] == [f"{100 * one['range']['confidence']:.0f} %" for one in found]
    assert all(len(one) == 1 + len(re.split(r"\s{2,}", head.strip())) for one in fields)
    assert max(map(len, (head, *rows))) <= 80


def test_effects_are_in_the_report_if_the_tables_are_there(folder: Path, tmp_path: Path) -> None:
    def shown(*options: str | Path) -> dict[str, Any]:
        assert run("report", *options, "-o", tmp_path / "r.html", "--patience", "0").exit_code == 0
        text = (tmp_path / "r.html").read_text(encoding="utf-8")
        found: dict[str, Any] = json.loads(text.partition('id="weft-view">')[2].partition("</script>")[0])
        return found

    view = shown(folder / "r.json")
    told = json.loads(run("effects", folder / "r.json", "--format", "json").stdout)["effects"]
    sentences = [one["sentence"] for one in view["effects"]]
    assert [one["sentence"] for one in told] == sentences[: len(told)]  # those that cannot be told come last
    assert view["no_effects"] == ""
    (tmp_path / "r.json").write_bytes((folder / "r.json").read_bytes())
    (folder / "a.csv").rename(tmp_path / "moved.csv")
    try:
        view = shown(tmp_path / "r.json")
        assert view["effects"] is None
        assert "the table of study 'a' is not there any more" in view["no_effects"]
    finally:
        (tmp_path / "moved.csv").rename(folder / "a.csv")


def test_what_would_identify_an_effect(folder: Path) -> None:
    found = json.loads(run("suggest", folder / "r.json", "--effect", "X", "Y", "--format", "json").stdout)
    assert 0 < found["now"] < 1
    assert found["rows"][0] == {
        "kind": "randomise", "text": "randomise X and measure Y", "variables": ["X", "Y"], "known": 1.0
    }  # fmt: skip
    text = run("suggest", folder / "r.json", "--effect", "X", "Y", "--top", "1").stdout
    assert "  100 %  randomise X and measure Y\n" in text
    assert "and " in text.splitlines()[-1]
    assert "there is no variable 'Q'" in complaint(run("suggest", folder / "r.json", "--effect", "X", "Q"))


def test_a_structure_for_dagitty_and_dowhy(folder: Path, tmp_path: Path) -> None:
    for name, start in (("first.dagitty", "mag {"), ("first.gml", "graph [")):
        assert run("convert", folder / "r.json", tmp_path / name).exit_code == 0
        assert (tmp_path / name).read_text(encoding="utf-8").startswith(start)
    assert run("convert", folder / "r.json", "-", "--to", "dagitty").stdout.startswith("mag {")


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
        (("--at-least", "high"), "--at-least is about one outcome"),
        (("X", "Y", "--at-least", "high"), "Y has no levels in an order"),
        (("X", "Y", "--data", "c=a.csv"), "there is no study 'c'"),
    ],
)
def test_what_cannot_be_asked(folder: Path, arguments: tuple[str, ...], said: str) -> None:
    assert said in complaint(run("effects", folder / "r.json", *arguments))


def test_answers_without_tables(tmp_path: Path) -> None:
    weft.solve(weft.oracle("X -> Y", [["X", "Y"]])).save(tmp_path / "r.json")
    assert "does not come from tables" in complaint(run("effects", tmp_path / "r.json", "X", "Y"))
