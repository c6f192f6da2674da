"""``weft report``: from a result file to a page or a figure."""

from __future__ import annotations

import json
import re
import sys
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
        (["RESULT"], "say where to write the page (-o report.html) or a figure (--figure union.pdf)"),
        (["RESULT", "--figure", "x.gif"], "x.gif: a picture's name ends in .png, .svg, .pdf"),
        (["RESULT", "--figure", "no/such/folder/x.png"], "no such directory"),
        (["RESULT", "--figure", "x.png", "--structure", "39"], "no structure 39; they are numbered from 1 to 38"),
        (["RESULT", "--figure", "x.png", "--structure", "0"], "0 is not in the range"),
        (["RESULT", "--figure", "x.png", "--sheet", "101"], "101 is not in the range"),
        (["RESULT", "--figure", "x.png", "--sheet", "2", "--structure", "2"], "choose one of them"),
        (["RESULT", "-o", "x.html", "--sheet", "2"], "add --figure FILE"),
    ],
)
def test_bad_input_is_one_line(
    result: str, arguments: list[str], said: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = run("report", *(result if one == "RESULT" else one for one in arguments))
    assert ran.exit_code == 2
    assert said in ran.stderr.splitlines()[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["result.json"]


def test_a_real_run_survives_the_file(tmp_path: Path) -> None:
    samples.health().save(tmp_path / "result.json")
    written = tmp_path / "report.html"
    assert run("report", str(tmp_path / "result.json"), "-o", str(written), "--patience", "0").exit_code == 0
    view = shown(written)
    assert view["bootstrap"] == [3, 3]
    assert view["given_up"] is not None


# -- figures -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ending", "start"), [("svg", b"<?xml"), ("png", b"\x89PNG"), ("pdf", b"%PDF")], ids=["svg", "png", "pdf"]
)
def test_a_figure_is_written(result: str, tmp_path: Path, ending: str, start: bytes) -> None:
    target = tmp_path / f"union.{ending}"
    ran = run("report", result, "--figure", str(target))
    assert (ran.exit_code, ran.stdout) == (0, "")
    assert ran.stderr.splitlines()[-1] == f"weft: the figure is in {target}"
    assert target.read_bytes().startswith(start)
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["result.json", target.name])


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ([], "38 consistent structures (MAGs)"),
        (["--structure", "7"], "structure 7 of 38"),
        (["--sheet", "3"], "The first 3 of 38 are drawn."),
        (["--title", "<Chains>"], "&lt;Chains&gt;"),
        (["--assume", "X causes Y"], "consistent structures"),
    ],
)
def test_what_a_figure_shows(result: str, tmp_path: Path, options: list[str], said: str) -> None:
    assert run("report", result, "--figure", str(tmp_path / "x.svg"), *options).exit_code == 0
    assert said in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_a_page_and_a_figure_at_once(result: str, tmp_path: Path) -> None:
    page, figure = tmp_path / "report.html", tmp_path / "union.svg"
    ran = run("report", result, "-o", str(page), "--figure", str(figure))
    assert ran.exit_code == 0
    assert shown(page)["reasons"]
    assert figure.exists()


def test_a_figure_alone_spends_no_time_on_reasons(result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("a reason was asked for")

    monkeypatch.setattr("weft.report.view.explain", refuse)
    assert run("report", result, "--figure", str(tmp_path / "x.svg")).exit_code == 0


def test_a_figure_of_no_structure_is_exit_code_1(tmp_path: Path) -> None:
    samples.contradiction().save(tmp_path / "result.json")
    for options in ([], ["--structure", "1"], ["--sheet", "4"]):
        ran = run("report", str(tmp_path / "result.json"), "--figure", str(tmp_path / "x.svg"), *options)
        assert ran.exit_code == 1
        assert "No structure is consistent" in (tmp_path / "x.svg").read_text(encoding="utf-8")


def test_without_matplotlib_a_figure_is_refused_and_a_page_is_not(
    result: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    ran = run("report", result, "--figure", str(tmp_path / "x.svg"))
    assert ran.exit_code == 2
    assert ran.stderr.splitlines()[-1] == "weft: a figure needs the package 'matplotlib'; install weft[figures]"
    assert run("report", result, "-o", str(tmp_path / "x.html"), "--patience", "0").exit_code == 0
