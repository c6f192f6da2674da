"""``weft reproduce``: what is kept, what is done again, what is written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from weft import oracle, solve
from weft.cli import main
from weft.evidence.statements import Connected, Evidence, Scope, Separated
from weft.graphs.mixed import MixedGraph
from weft.reproduce import plots
from weft.reproduce.figures import Share, brief, shown, spread
from weft.reproduce.outcome import NotFinished, Outcome, Partial, Score, Truth, outcome
from weft.reproduce.overlap import measure, of_size, studies
from weft.reproduce.page import TITLE, Run, as_html, as_markdown
from weft.reproduce.paper import printed
from weft.reproduce.registry import EXPERIMENTS
from weft.reproduce.reproduce import reproduce
from weft.reproduce.runner import Context, Experiment, Size, run
from weft.reproduce.sections import Lines, Plot, Section, Series, Table, Text, row_of
from weft.reproduce.units import Done, Store, Unit
from weft.search import how_many
from weft.search.counting import Estimate, NotKnown
from weft.solutions import solution_set

OUTCOME = Outcome("iod", 38, 5, (Score("truth", 0.25, 0.5, True),), 0.1, 0.0, True, ())
NEVER = Score("truth", Partial(0.5, 7), NotFinished(2), False)
LATE = Outcome("iod", NotFinished(2, 7), NotFinished(2, 3), (NEVER,), 2.0, 1.5, False, ("a",))
HOW = Run("weft reproduce", True, 0, 1, 2, 0.5, {"toy": 1.0})


def toy(calls: list[str]) -> Experiment:
    """An experiment that says when it is measured."""

    def units(size: Size) -> list[Unit]:
        return [Unit("toy", f"{number}", {"seed": size.seed + number}) for number in range(size.of(full=3, quick=2))]

    def measure(unit: Unit, context: Context) -> Mapping[str, Any]:
        calls.append(unit.name)
        return {"value": unit.number("seed")}

    def section(done: Sequence[Done]) -> Section:
        return Section("toy", "Toy", (), tuple(Text(str(one.result["value"])) for one in done))

    return Experiment("toy", "Toy", units, measure, section)


def test_the_command_line_knows_every_experiment() -> None:
    said = CliRunner().invoke(main, ["reproduce", "--help"], prog_name="weft").stdout.replace("\n", "").replace(" ", "")
    assert f"EXPERIMENT:{','.join(EXPERIMENTS)}orall" in said


@pytest.mark.parametrize("quick", [True, False])
def test_units_have_files_of_their_own(quick: bool) -> None:
    for experiment in EXPERIMENTS.values():
        units = experiment.units(Size(quick))
        assert len({unit.file for unit in units}) == len(units) > 0


class TestResuming:
    def test_what_is_done_is_not_done_again(self, tmp_path: Path) -> None:
        calls: list[str] = []
        first = run(toy(calls), Size(), Store(tmp_path), 1)
        assert calls == ["0", "1", "2"]
        assert run(toy(calls), Size(), Store(tmp_path), 1) == first
        assert calls == ["0", "1", "2"]

    def test_what_is_missing_is_done(self, tmp_path: Path) -> None:
        calls: list[str] = []
        run(toy(calls), Size(quick=True), Store(tmp_path), 1)
        assert [one.result["value"] for one in run(toy(calls), Size(), Store(tmp_path), 1)] == [0, 1, 2]
        assert calls == ["0", "1", "2"]

    def test_another_setting_does_not_count(self, tmp_path: Path) -> None:
        calls: list[str] = []
        run(toy(calls), Size(), Store(tmp_path), 1)
        assert [one.result["value"] for one in run(toy(calls), Size(seed=9), Store(tmp_path), 1)] == [9, 10, 11]
        assert len(calls) == 6

    @pytest.mark.parametrize("damage", ["", "{", "[]", '{"version": "0.0.0"}'])
    def test_what_cannot_be_read_is_done_again(self, tmp_path: Path, damage: str) -> None:
        calls: list[str] = []
        (done, *_) = run(toy(calls), Size(), Store(tmp_path), 1)
        (tmp_path / done.unit.file).write_text(damage)
        run(toy(calls), Size(), Store(tmp_path), 1)
        assert calls == ["0", "1", "2", "0"]

    def test_another_version_does_not_count(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        calls: list[str] = []
        run(toy(calls), Size(), Store(tmp_path), 1)
        monkeypatch.setattr("weft.reproduce.units.__version__", "99")
        run(toy(calls), Size(), Store(tmp_path), 1)
        assert len(calls) == 6


class TestOutcomes:
    @pytest.mark.parametrize("one", [OUTCOME, LATE], ids=["finished", "late"])
    def test_they_come_back_from_json(self, one: Outcome) -> None:
        assert Outcome.read(json.loads(json.dumps(one.document()))) == one

    def test_a_repair_is_told(self) -> None:
        studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
        says = (Connected("a", "X", "Y", weight=1.5), Separated("X", "Y", frozenset(), ("b",), weight=3.0))
        found = outcome(Evidence(studies, says), "iod", [], 60.0)
        assert (found.mags, found.cost, found.repaired, len(found.given_up)) == (1, 1.5, True, 1)

    def test_time_that_ran_out_is_told(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr("weft.search.search.can_sift", lambda problem: False)
        nothing = Evidence((Scope("a", tuple("ABCDEFG")),))
        found = outcome(nothing, "iod", [], 0.3)
        assert isinstance(found.mags, NotFinished)
        assert found.mags.seconds == 0.3
        assert "not finished in 0.3 s" in str(found.mags)


def test_lower_bounds_are_told() -> None:
    assert shown(spread([NotFinished(3), NotFinished(3)])) == "not finished in 3 s"
    assert shown(spread([1.0, NotFinished(3)])) == "1.00 (1 not finished)"
    assert shown(spread([1.0, NotFinished(3, 5)])) == "at least 3.00 (1 not finished)"
    assert shown(spread([1.0, Partial(0.5, 10)])) == "1.00 (1 not finished)"
    assert shown(Partial(0.5, 1234)) == "0.50 (first 1,234)"
    assert shown(Share(2, 3, 1)) == "2 of 3 (1 not known)"


# -- pages -------------------------------------------------------------------------------------------------------------

PLOT = Plot("curve", "A curve", "x", "y", (Series("one", (1.0, 2.0), (1.0, 4.0), (0.5, 3.0), (2.0, 5.0)),))
SECTION = Section(
    "toy",
    "Toy",
    (row_of("Toy", "", OUTCOME, printed("synthetic1", "iod")), row_of("Toy", "late", LATE, None)),
    (Text("*Why* `a -> b` < 1"), Lines(("a -> b",)), Table(("h",), (("x | y",),)), PLOT),
)


class Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in {"meta", "br"}:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_markdown() -> None:
    text = as_markdown(HOW, [SECTION], {"curve": "curve.svg"})
    assert "| Toy | IOD | 63 | 38 | 5 | 0.34 | 0.25 | 0.53 | 0.50 | yes | 0.1 |  |" in text
    assert "| Toy, late | IOD |  | not finished in 2 s, at least 7 |" in text
    assert "x \\| y" in text
    assert "![A curve](curve.svg)" in text


def test_html_is_well_formed() -> None:
    page = as_html(HOW, [SECTION], {})
    tags = Tags()
    tags.feed(page)
    assert tags.open == []
    assert "<em>Why</em> <code>a -&gt; b</code> &lt; 1" in page
    assert "matplotlib is not installed" in page


def test_a_plot_is_drawn_alike_each_time() -> None:
    drawing = plots.as_svg(PLOT)
    assert drawing.startswith("<svg")
    assert "A curve" in drawing
    assert plots.as_svg(replace(PLOT, logarithmic=True)) != drawing == plots.as_svg(PLOT)


# -- the command -------------------------------------------------------------------------------------------------------


def test_everything_is_written(tmp_path: Path) -> None:
    (section,) = reproduce(["cancer"], tmp_path, quick=True)
    assert len(section.rows) == 6
    results = json.loads((tmp_path / "results.json").read_text())
    assert results["format"] == "weft-reproduction/1"
    assert results["command"].startswith("weft reproduce cancer --quick")
    assert results["table"][0]["ours"]["mags"] == 38
    assert results["table"][0]["paper"]["mags"] == 42
    assert len(results["experiments"]["cancer"]) == 3
    assert (tmp_path / "reproduction.md").read_text().startswith("# The paper, reproduced")
    assert (tmp_path / "reproduction.html").read_text().startswith("<!doctype html>")


def test_the_command_prints_the_table_and_goes_on(tmp_path: Path) -> None:
    arguments = ["reproduce", "cancer", "--quick", "-o", str(tmp_path / "out"), "--jobs", "1"]
    first = CliRunner().invoke(main, arguments)
    assert first.exit_code == 0, first.output
    assert "MAGs (paper)" in first.stdout
    assert "Causal IOD" in first.stdout
    assert "Cancer: 0 of about 3" in first.stderr
    again = CliRunner().invoke(main, arguments)
    assert "Cancer: 3 of about 3" in again.stderr
    assert again.stdout == first.stdout


def test_without_matplotlib_the_page_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.reproduce.reproduce.can_draw", lambda: False)
    monkeypatch.setattr("weft.reproduce.reproduce.EXPERIMENTS", {"toy": replace(toy([]), section=lambda done: SECTION)})
    reproduce(["toy"], tmp_path)
    assert "matplotlib is not installed" in (tmp_path / "reproduction.md").read_text()


def test_a_folder_that_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    ran = CliRunner().invoke(main, ["reproduce", "cancer", "-o", str(tmp_path / "file" / "out")])
    assert ran.exit_code == 2
    assert len(ran.stderr.splitlines()) == 1
    assert "-o" in ran.stderr


def test_an_unknown_experiment() -> None:
    ran = CliRunner().invoke(main, ["reproduce", "nothing"])
    assert ran.exit_code == 2
    assert "synthetic1" in ran.stderr


PAGE = Path(__file__).parents[3] / "docs" / "reproduction.md"


def test_the_page_in_the_documentation_was_written_by_the_command() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert text.startswith(f"# {TITLE}\n\nWritten by `weft reproduce all")
    assert all(f"\n## {experiment.title}\n" in text for experiment in EXPERIMENTS.values())
    assert all((PAGE.parent / picture).exists() for picture in re.findall(r"!\[[^]]*\]\(([^)]+)\)", text))


def test_the_page_in_the_documentation_says_what_perfect_tests_give() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for start in (
        "Synthetic 1, perfect tests | IOD | 63 | 38 | 5 |",
        "Synthetic 2, perfect tests | Causal IOD | 1 | 12 | 8 |",
    ):
        assert f"| {start}" in text


def test_what_is_too_much_to_go_over_is_estimated_and_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = "A -> B -> C; D -> C; E <-> D"
    evidence = oracle(graph, [["A", "B", "C"], ["C", "D"], ["D", "E"]])
    truth = Truth("truth", MixedGraph.parse(graph))
    exact = outcome(evidence, "iod", [truth], 600.0)
    assert (exact.mags, exact.scores[0].found) == (12_438, True)
    monkeypatch.setattr(how_many, "COUNTED_SOON", 500)
    monkeypatch.setattr(how_many, "WALKED", 0)
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 500)
    monkeypatch.setattr(solution_set, "FAIR_SAMPLE", 600)
    found = outcome(evidence, "iod", [truth], 600.0)
    assert isinstance(found.mags, Estimate)
    assert 12_438 / found.mags.factor <= found.mags.value <= 12_438 * found.mags.factor
    assert isinstance(found.pags, Estimate | NotKnown)
    score, right = found.scores[0], exact.scores[0]
    assert isinstance(score.precision, Partial)
    assert isinstance(right.precision, float)
    assert score.precision.fair
    assert abs(score.precision.value - right.precision) < 0.03
    assert Outcome.read(json.loads(json.dumps(found.document()))) == found
    assert brief(found.mags).startswith("~")
    assert shown(score.precision).endswith("(600 drawn)")
    assert shown(spread([found.mags, 10])).endswith("(1 estimated)")
    assert shown(spread([NotKnown("why")])) == "not known: why"


def test_the_nearest_density_is_that_of_the_nearest_mean() -> None:
    found = measure(Unit("overlap", "4-edges", {"seed": 0, "patience": 60, "edges": 4, "graphs": 2}), Context())
    assert set(found) == {"2", "3", "4"}
    assert all(len(own) == 2 for methods in found.values() for own in methods.values())
    evidence = oracle(of_size(0, 1, 4), studies(3))
    assert found["3"]["iod"][1] == solve(evidence, "iod").exact_count()
