"""``weft claims``: text, JSON and CSV of what a result claims."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

import weft
from tests.end_to_end.running import complaint, run
from weft.evidence.statements import Apart, Connected, Evidence, Relation, Scope
from weft.graphs.criteria import Structure

STUDIES = (Scope("a", ("X", "Y")), Scope("b", ("Y", "Z")))
SAYS = (
    Connected("a", "X", "Y", weight=3.0),
    Apart("b", "Y", "Z", weight=2.5),
    Relation("X", "Y", frozenset({Structure.CAUSES, Structure.CAUSES_COMMON}), 2.0),
)


@pytest.fixture
def result(tmp_path: Path) -> Path:
    path = tmp_path / "result.json"
    weft.solve(Evidence(STUDIES, SAYS), conflicts="repair").save(path)
    return path


def test_json_is_what_python_says(result: Path) -> None:
    found = json.loads(run("claims", result, "--format", "json").stdout)["claims"]
    claims = weft.load_result(result).claims()
    assert [one["claim"] for one in found] == [str(one.claim) for one in claims]
    by_claim = {one["claim"]: one for one in found}
    assert by_claim["X causes Y"]["holds"] == "all"
    assert by_claim["X causes Y"]["margin"] == 2.0
    assert by_claim["X causes Y"]["exact"] is True
    assert 0.8 < by_claim["X causes Y"]["confidence"] < 0.99
    assert by_claim["Y and Z are not adjacent"]["margin"] == 2.5
    sure = [one["confidence"] for one in found]
    assert sure == sorted(sure, reverse=True)
    assert min(sure) == 0.5
    saved = json.loads(result.read_text(encoding="utf-8"))["claims"]
    assert [one["claim"] for one in saved] == [one["claim"] for one in found]
    assert [one["confidence"] for one in saved] == sure


def test_csv_has_a_line_for_each(result: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("claims", result, "--format", "csv", "--least", "0.8").stdout)))
    assert rows
    assert all(float(row["confidence"]) >= 0.8 for row in rows)
    assert {"claim": "X causes Y", "holds": "all", "margin": "2.0", "exact": "True"}.items() <= next(
        row for row in rows if row["claim"] == "X causes Y"
    ).items()


def test_text_lists_what_is_ahead_and_counts_what_is_open(result: Path) -> None:
    lines = run("claims", result).stdout.splitlines()
    claims = weft.load_result(result).claims()
    ahead = [one for one in claims if one.margin]
    assert [line.split("%", 1)[1].strip() for line in lines[: len(ahead)]] == [str(one.claim) for one in ahead]
    assert lines[-1].startswith(f"{len(claims) - len(ahead)} more are open")


def test_a_second_opinion_stands_beside_the_confidence(result: Path) -> None:
    found = json.loads(run("claims", result, "--format", "json", "--second-opinion").stdout)["claims"]
    by_claim = {one["claim"]: one["drawn"] for one in found}
    assert 0.6 < by_claim["X causes Y"] < 1
    draws = weft.load_result(result).second_opinion()
    assert draws[weft.Claim.parse("X causes Y")].share == by_claim["X causes Y"]
    assert {one["claim"]: one["drawn"] for one in found if one["claim"].startswith("not ")}
    assert all(0 <= share <= 1 for share in by_claim.values())
    row = next(csv.DictReader(io.StringIO(run("claims", result, "--format", "csv", "--second-opinion").stdout)))
    assert float(row["drawn"]) == by_claim[row["claim"]]
    head, first, *_ = run("claims", result, "--second-opinion").stdout.splitlines()
    assert head.split() == ["sure", "drawn"]
    assert first.count("%") == 2
    said = complaint(run("claims", result, "--pairs", "--format", "csv", "--second-opinion"))
    assert "leave out --second-opinion" in said


def test_what_is_assumed_counts(result: Path) -> None:
    said = run("claims", result, "--assume", "X and Y are confounded", "--format", "json").stdout
    by_claim = {one["claim"]: one for one in json.loads(said)["claims"]}
    assert by_claim["X and Y are confounded"]["confidence"] == 1
    assert by_claim["X and Y are confounded"]["margin"] is None


def test_without_a_structure_nothing_is_claimed(tmp_path: Path) -> None:
    studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    torn = Evidence(studies, (Connected("a", "X", "Y"), Apart("b", "X", "Y")))
    weft.solve(torn).save(tmp_path / "torn.json")
    found = run("claims", tmp_path / "torn.json")
    assert found.exit_code == 1
    assert "No structure is consistent" in found.stdout


def test_refused(result: Path) -> None:
    assert "--least" in complaint(run("claims", result, "--least", "2"))
