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
from weft.solutions.confidence import confidence_of

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
    assert min(sure) >= 0.5
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


def test_text_lists_what_is_likely_and_counts_the_rest(result: Path) -> None:
    claims = weft.load_result(result).claims()
    for options, least, said in (
        ((), 0.75, "75 %"),
        (("--least", "0.9"), 0.9, "90 %"),
        (("--least", "0"), 0.5, "50 %"),
    ):
        lines = run("claims", result, *options).stdout.splitlines()
        sure = [one for one in claims if (one.confidence or 0.0) >= least and one.confidence != 0.5]
        assert [line.split("%", 1)[1].strip() for line in lines[: len(sure)]] == [str(one.claim) for one in sure]
        left = len(claims) - len(sure)
        assert lines[len(sure) :] == (["", f"{left} more are less than {said} sure."] if left else [])


def test_a_claim_has_the_share_of_the_draws(result: Path) -> None:
    found = {one["claim"]: one for one in json.loads(run("claims", result, "--format", "json").stdout)["claims"]}
    assert 0.6 < found["X causes Y"]["drawn"] < 1
    for claim in weft.load_result(result).claims():
        assert found[str(claim.claim)]["drawn"] == claim.drawn
        assert claim.confidence is not None
        assert claim.confidence > confidence_of(claim.claim, claim.margin or 0.0, drawn=claim.drawn, judged=True) - 1e-6
    row = next(csv.DictReader(io.StringIO(run("claims", result, "--format", "csv").stdout)))
    assert float(row["drawn"]) == found[row["claim"]]["drawn"]


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
