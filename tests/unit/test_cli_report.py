"""``weft report``: from a result file to a page."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import weft
from tests.browser import samples
from weft.cli import main


def run(*arguments: str) -> Result:
    return CliRunner().invoke(main, list(arguments), prog_name="weft")


def shown(page: Path) -> dict[str, object]:
    """The view that stands in a page."""
    text = page.read_text(encoding="utf-8")
    found = re.search(r'<script type="application/json" id="weft-view">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    view: dict[str, object] = json.loads(found[1])
    return view


@pytest.fixture
def result(tmp_path: Path) -> str:
    path = tmp_path / "result.json"
    weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod").save(path)
    return str(path)


def test_a_page_is_written(result: str, tmp_path: Path) -> None:
    ran = run("report", result, "-o", str(tmp_path / "report.html"), "--title", "<Chains>")
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert "report.html" in ran.stderr
    view = shown(tmp_path / "report.html")
    assert view["title"] == "<Chains>"
    assert view["headline"] == "38 consistent structures (MAGs) in 5 equivalence classes (PAGs)."
    assert [path.name for path in tmp_path.iterdir() if "partial" in path.name] == []


def test_what_is_assumed_narrows_it(result: str, tmp_path: Path) -> None:
    ran = run("report", result, "-o", str(tmp_path / "report.html"), "--assume", "X causes Y")
    expected = weft.load_result(result).assume("X causes Y").count()
    assert ran.exit_code == 0
    view = shown(tmp_path / "report.html")
    assert str(view["headline"]).startswith(f"{expected} consistent")
    assert view["assumed"] == ["X causes Y"]


def test_no_structure_is_exit_code_1(tmp_path: Path) -> None:
    samples.contradiction().save(tmp_path / "result.json")
    ran = run("report", str(tmp_path / "result.json"), "-o", str(tmp_path / "report.html"))
    assert ran.exit_code == 1
    assert shown(tmp_path / "report.html")["consistent"] is False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.json", "-o", "x.html"], "there is no such file"),
        (["RESULT", "-o", "no/such/folder/x.html"], "no such directory"),
        (["RESULT", "-o", "x.html", "--assume", "X causes Q"], "Q"),
    ],
)
def test_bad_input_is_one_line(result: str, arguments: list[str], said: str) -> None:
    ran = run("report", *(result if one == "RESULT" else one for one in arguments))
    assert ran.exit_code == 2
    assert said in ran.stderr.splitlines()[-1]


def test_a_real_run_survives_the_file(tmp_path: Path) -> None:
    samples.health().save(tmp_path / "result.json")
    assert run("report", str(tmp_path / "result.json"), "-o", str(tmp_path / "report.html")).exit_code == 0
    view = shown(tmp_path / "report.html")
    assert view["bootstrap"] == [3, 3]
    assert view["given_up"] is not None
