"""One answer, said once: text, JSON, the result file, the page and the figure of a solution set state the same numbers.

The sets are generated: consistent, contradictory and repaired ones, complete ones and some that a limit cuts short.
"""

from __future__ import annotations

import json
import random
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

import weft
from tests.support.problems import chances, perturbed, random_oracle
from weft.evidence.claims import Claim
from weft.evidence.statements import Evidence
from weft.report import as_json, text
from weft.report.document import view_document
from weft.report.figure import union_figure
from weft.report.html import embedded
from weft.report.lines import union_lines
from weft.report.question import Supposition
from weft.report.view import View, view_of
from weft.solutions import solution_set
from weft.solutions.result_file import save_result

few = settings(max_examples=25, suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture])


def generated(chance: random.Random) -> weft.SolutionSet:
    _, evidence = random_oracle(chance, chance.choice((3, 4, 4)), studies=2, selection=chance.random() < 0.3)
    if chance.random() < 0.5:
        evidence = weighted(chance, perturbed(chance, evidence))
    return weft.solve(
        evidence,
        chance.choice(("iod", "causal-iod")),
        selection=chance.random() < 0.3,
        limit=chance.choice((None, 5, 40)),
        conflicts=chance.choice(("hard", "repair")),
    )


def weighted(chance: random.Random, evidence: Evidence) -> Evidence:
    return evidence.with_statements(
        replace(one, weight=round(chance.uniform(0.5, 4), 2)) for one in evidence.statements
    )


@few
@given(chances())
def test_every_medium_states_the_same(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, chance: random.Random) -> None:
    monkeypatch.setattr(solution_set, "most_structures", lambda size: 30)
    solutions, everything = generated(chance), chance.random() < 0.5
    view = view_of(solutions, patience=0, everything=everything)
    printed = json.loads("".join(as_json.pieces(view)))
    page = json.loads(embedded(view_document(view)))
    # What was shown is written as it is; where nothing beyond the usual was asked for, saving finds the same by itself.
    save_result(solutions, tmp_path / "result.json", view if everything else None)
    saved = json.loads((tmp_path / "result.json").read_text(encoding="utf-8"))
    again = view_of(weft.load_result(tmp_path / "result.json"), patience=0)

    check_counts(view, printed, saved["answer"], page)
    check_claims(view, printed["claims"], saved["claims"], page)
    check_told(view, saved["claims"], page)
    check_text(view)
    check_repair(view, printed, saved["repair"], page)
    check_figure(view)
    # Read back, the file says the same in every medium, letter by letter.
    assert list(text.lines(again, structures=True)) == list(text.lines(view, structures=True))
    assert as_json.document(again) == as_json.document(view)
    assert view_document(again) == view_document(view)


def check_counts(view: View, printed: dict[str, Any], saved: dict[str, Any], page: dict[str, Any]) -> None:
    expected = (view.structures.number, len(view.structures.class_sizes), view.structures.complete)
    for document in (printed, saved, saved["structures"], page["graphs"]):
        assert (document["mags"], document["pags"], document["complete"]) == expected
    assert len(printed["graphs"]) == view.structures.number
    assert printed["graphs"][:1000] == saved["graphs"]
    assert printed["consistent"] is saved["consistent"] is page["consistent"] is view.consistent
    for key in ("certain", "possible", "settled"):
        assert printed[key] == saved[key] == page[key]
    assert page["headline"] == view.headline
    said = [int(number.replace(",", "")) for number in re.findall(r"\d[\d,]*", view.headline)]
    total = view.structures.total
    numbers = list(expected[:2]) if total is None else [total, expected[0]]  # all, and those that were drawn
    assert said == ([] if not view.structures.number else numbers)


def check_claims(view: View, printed: list[Any], saved: list[Any], page: dict[str, Any]) -> None:
    assert printed == saved
    names = view.variables
    shown = {claim_of(one, names): one for one in page["findings"]}
    unsure = [-(one["confidence"] or 0.0) for one in printed]
    assert unsure == sorted(unsure), "the surest first"
    for one in printed:
        claim = Claim.parse(one["claim"]).canonical
        finding = view.summary.finding(claim)
        assert (one["holds"], one["share"]) == (finding.holds, finding.share)
        assert (one["confidence"], one["exact"]) == (finding.confidence, finding.exact)
        assert one["confidence"] is None or one["confidence"] >= 0.5, "as it is stated"
        positive = finding if claim.holds else finding.opposite
        told = shown.pop(positive.claim, None)
        if told is None:
            assert (positive.holds, positive.confidence or 0.0) == ("none", 0.0)
        else:
            assert (told["holds"], told["confidence"]) == (positive.holds, positive.confidence)
            assert told["share"] == pytest.approx(positive.share), "what is left of 1, and of that again"
    assert not shown, "the page tells of no other claims"


def check_told(view: View, saved: list[Any], page: dict[str, Any]) -> None:
    """What is told first is stated as the file states it, on the page and in text."""
    by_claim = {one["claim"]: one for one in saved}
    assert [one["claim"] for one in page["claims"]] == [str(one.claim) for one in view.claims]
    for one in page["claims"]:
        same = by_claim[one["claim"]]
        for key in ("holds", "share", "confidence", "margin", "exact", "estimated"):
            assert one[key] == same[key]
    flat = " ".join(" ".join(text.lines(view)).split())
    assert not view.lead or flat.startswith(view.lead[0])
    assert view.near_tie is None or view.lead[-1] in flat
    for one in view.claims[:1]:
        assert f"{one.sure} {one.claim}" in flat


def claim_of(one: dict[str, Any], names: tuple[str, ...]) -> Claim:
    return Supposition(one["topic"], one["x"], one["y"], True, one.get("symbol")).claim(names).canonical


def check_text(view: View) -> None:
    flat = " ".join(" ".join(text.lines(view, structures=True)).split())
    assert view.headline in flat
    if view.consistent:
        listed = re.search(r"Edges in all (.*?)(?: Causes in all| Given up| The structures| The first|$)", flat)
        assert listed is not None
        shown = [] if listed[1].startswith("none") else re.sub(r"; and [\d,]+ more$", "", listed[1]).split("; ")
        assert shown == list(view.summary.certain)[: len(shown)]


def check_repair(view: View, printed: dict[str, Any], saved: Any, page: dict[str, Any]) -> None:
    if view.repair is None:
        assert printed["repair"] is saved is page["given_up"] is None
        return
    for key in ("cost", "bound", "proven", "unique", "given_up"):
        assert printed["repair"][key] == saved[key]
    if page["given_up"] is not None:
        assert page["given_up"]["cost"] == saved["cost"]
        assert len(page["given_up"]["statements"]) == len(saved["given_up"])
        cost = f"{saved['cost']:.3g}"
        assert f"a weight of {cost}," in " ".join(text.lines(view)) or view.consistent is False


def check_figure(view: View) -> None:
    drawn = union_figure(view)
    words = "\n".join(one.get_text() for axes in drawn.axes for one in axes.texts)
    assert " ".join(view.headline.split()) in " ".join(words.split())
    for line in union_lines(view):
        x, y = (view.variables[v] for v in line.pair)
        adjacent = view.summary.finding(f"{x} and {y} are adjacent")
        assert line.certain is (adjacent.holds == "all")
        assert line.share == pytest.approx(1.0 if line.certain else adjacent.share)
