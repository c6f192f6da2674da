"""studies.toml: what it says is done; what it cannot say is told in one line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weft
from weft.errors import StudyError, StudyErrors
from weft.plan import read_plan, spelled

ROWS = 300


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rng = np.random.default_rng(1)
    x = rng.normal(size=2 * ROWS)
    y = x + rng.normal(size=2 * ROWS)
    z = y + rng.normal(size=2 * ROWS)
    here = [
        "x;Y;id",
        *(f"{a:.4f};{1000 * b:.4f};p{i}" for i, (a, b) in enumerate(zip(x[:ROWS], y[:ROWS], strict=True))),
    ]
    (tmp_path / "here.csv").write_text("\n".join(here).replace(".", ","))
    there = ["y,z", *(f"{a:.4f},{b:.4f}" for a, b in zip(y[ROWS:], z[ROWS:], strict=True))]
    (tmp_path / "there.csv").write_text("\n".join(there))
    (tmp_path / "expert.toml").write_text('not_causes = [["z", "y"]]')
    return tmp_path


PLAN = """
[[study]]
file = "here.csv"
rename = { Y = "y" }
drop = ["id"]
unit = { y = 0.001 }

[[study]]
name = "second"
file = "there.csv"
experiment = ["y"]

[knowledge]
files = ["expert.toml"]
statements = ["y does not cause x"]

[settings]
independence = "fisher-z"
method = "iod"
alpha = 0.02
"""


def test_all_that_a_plan_says(folder: Path) -> None:
    (folder / "studies.toml").write_text(PLAN)
    plan = read_plan(folder / "studies.toml")
    first, second = plan.tables()
    assert (first.name, first.variables, second.name) == ("here", ("x", "y"), "second")
    assert np.ptp(first.column("y").values) < 20
    assert plan.knowledge.interventions == {"second": frozenset({"y"})}
    assert [str(one) for one in plan.knowledge.items] == ["y does not cause x", "z does not cause y"]


def test_python_and_a_plan_give_the_same_answer(folder: Path) -> None:
    (folder / "studies.toml").write_text(PLAN)
    plan = read_plan(folder / "studies.toml")
    by_hand = weft.discover(plan.tables(), plan.knowledge, independence="fisher-z", method="iod", alpha=0.02)
    assert set(weft.discover(folder / "studies.toml")) == set(by_hand)
    assert weft.gather(str(folder / "studies.toml")).settings["alpha"] == 0.02
    assert weft.gather(str(folder / "studies.toml"), alpha=0.03).settings["alpha"] == 0.03


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "no study; begin each with [[study]]"),
        ("[[study]]\nname = 'a'", 'study[0]: no file; say file = "clinic.csv"'),
        ("[[study]]\nfile = 'a.csv'\nrenam = {}", "study[0].renam is not known here; did you mean 'rename'?"),
        ("[[studies]]\nfile = 'a.csv'", "studies is not known here; did you mean 'study'?"),
        ("[[study]]\nfile = 'a.csv'\ndrop = 'id'", "study[0].drop: 'id' is not a list of texts"),
        ("[[study]]\nfile = 'a.csv'\nunit = { x = 'kg' }", "study[0].unit: {'x': 'kg'} is not a table of columns"),
        ("[[study]]\nfile = 'a.csv'\nlevels = { x = 'm' }", "study[0].levels.x: 'm' does not say"),
        ("[[study]]\nfile = 3", "study[0].file: 3 is not a text"),
        ("[[study]]\nfile = 'a.csv'\n[settings]\nalfa = 1", "settings.alfa is not known here; did you mean 'alpha'?"),
        ("[[study]]\nfile = 'a.csv'\n[settings]\nalpha = 'x'", "settings: alpha is 'x'; give a number"),
        ("[[study]]\nfile = 'a.csv'\n[settings]\nindependence = 'fisherz'", "settings: 'fisherz' is not the name of"),
        ("[[study]]\nfile = 'a.csv'\nmissing = '-99'", "study[0].missing: '-99' is not a list of texts, such as ["),
        ("[[study]\n", "this is not TOML"),
    ],
)
def test_what_a_plan_cannot_say(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "studies.toml").write_text(text)
    with pytest.raises(StudyError) as caught:
        read_plan(tmp_path / "studies.toml")
    assert str(caught.value).startswith(f"{tmp_path / 'studies.toml'}: {said}")
    assert len(str(caught.value).splitlines()) == 1


def test_all_tables_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    (tmp_path / "studies.toml").write_text("[[study]]\nfile = 'a.csv'\n[[study]]\nfile = 'b.csv'")
    with pytest.raises(StudyErrors) as caught:
        weft.discover(tmp_path / "studies.toml")
    assert len(caught.value.each) == 2


@pytest.mark.parametrize("value", ["plain", 'a "b" \\ c\n\u2028', ["x", "y"], {"a b": 0.5, "c": {"ä": "é"}}, True, 3])
def test_what_is_written_is_read_again(value: Any) -> None:
    import tomllib

    assert tomllib.loads(f"value = {spelled(value)}")["value"] == value
