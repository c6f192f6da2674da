"""``weft demo``, and the studies that it is about."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import Result

import weft
from tests.end_to_end.running import run
from weft.examples import health


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """The folder that it made, and what it printed."""
    place = tmp_path_factory.mktemp("place")
    with pytest.MonkeyPatch.context() as changed:
        changed.setenv("WEFT_CACHE", str(place / "results.sqlite"))
        return place / "made here" / "demo", run("demo", "-o", place / "made here" / "demo", "--jobs", "1")


def test_from_three_tables_to_a_report(demo: tuple[Path, Result]) -> None:
    folder, result = demo
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines()[:-2])) <= 80
    truth = " ".join(result.stdout.partition("The truth ")[2].partition("Result")[0].split())
    assert truth == f"{health.TRUTH} (among the structures)"
    assert result.stdout.splitlines()[-1] == f"Report          {folder.resolve() / 'report.html'}"
    assert sorted(path.name for path in folder.iterdir()) == [
        "clinic.csv",
        "lab.csv",
        "report.html",
        "result.json",
        "survey.csv",
    ]
    assert (folder / "report.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    solutions = weft.load_result(folder / "result.json")
    assert f"{solutions.count()} consistent structures (MAGs)" in result.stdout
    assert weft.MixedGraph.parse(health.TRUTH) in set(solutions)


def test_what_no_study_measured_together_is_known_in_the_end(demo: tuple[Path, Result]) -> None:
    folder, _ = demo
    together = [set(columns) for _, columns in health.STUDIES.values()]
    assert not any({"activity", "stiffness"} <= one or {"activity", "glucose"} <= one for one in together)
    summary = weft.load_result(folder / "result.json").summary()
    assert str(summary.holds("activity causes stiffness")) == "all"
    assert str(summary.holds("activity causes glucose")) == "all"


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    result = run("demo", "-o", tmp_path / "file")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert "name another folder with -o" in result.stderr


def test_the_shipped_tables_are_what_is_drawn() -> None:
    assert health.draw() == {name: table.read_text(encoding="utf-8") for name, table in health.tables().items()}
    for name, (rows, columns) in health.STUDIES.items():
        study = weft.Study.read(str(health.tables()[name]))
        assert set(study.variables) == set(columns)
        assert study.rows == rows


@pytest.mark.slow
def test_how_often_the_truth_is_found_in_such_studies(tmp_path: Path) -> None:
    found = 0
    for seed in range(10):
        files = []
        for name, text in health.draw(seed).items():
            files.append(tmp_path / f"{name}.csv")
            files[-1].write_text(text, encoding="utf-8")
        found += weft.discover(files).score(health.TRUTH).contains_truth is True
    assert found == 8


def test_nobodys_own_table_is_overwritten(tmp_path: Path) -> None:
    own = tmp_path / "lab.csv"
    own.write_text("mine\n", encoding="utf-8")
    result = run("demo", "-o", tmp_path)
    assert result.exit_code == 2
    assert (
        result.stderr
        == f"weft: {own}: this file is there already and would be overwritten; name another folder with -o\n"
    )
    assert own.read_text(encoding="utf-8") == "mine\n"
