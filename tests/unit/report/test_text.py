"""A view as half a screen of text."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

import weft
from tests.browser.samples import SAMPLES, fifty, health
from tests.support.clock import runs_out
from tests.support.waiting import LONG_WAIT
from weft.report.text import WIDTH, lines, sureness, wrapped
from weft.report.view import view_of
from weft.solutions.explain import in_percent, sentence_of


@pytest.mark.parametrize("name", [*SAMPLES, "fifty"])
def test_it_is_half_a_screen_of_short_lines(name: str) -> None:
    solutions = fifty() if name == "fifty" else SAMPLES[name]()
    text = list(lines(view_of(replace(solutions, limit=200, timeout=5), patience=2, details=False)))
    longest = max(map(len, solutions.evidence.variables))
    assert len(text) <= (40 if longest < 30 else 60)
    assert all(len(line) <= max(WIDTH, 2 * longest + 30) for line in text), "a name is not broken, nor is an edge"


def test_a_real_run_has_all_that_a_paper_needs() -> None:
    view = view_of(health(), patience=LONG_WAIT, details=False)
    text = "\n".join(lines(view))
    flat = " ".join(text.split())
    assert "Study clinic: age, cough, smoking, tar (500 rows)" in text
    assert "In all studies: age, cough" in text
    assert view.headline in flat
    assert view.repair is not None
    assert view.next_steps is not None
    assert view.bootstrap == (3, 3)
    for certain in view.summary.certain:
        assert certain in re.search(r"Edges in all(.*?)Causes", text, re.DOTALL)[1]  # type: ignore[index]
    assert f"Given up a weight of {view.repair.cost:.3g}, the least possible" in flat
    assert all(sentence_of(one) in flat for one in view.repair.sometimes)
    assert view.other_repair is not None
    changes = [f"no longer {edge}" for edge in view.other_repair.no_longer_certain]
    changes += [f"now {edge}" for edge in view.other_repair.newly_certain]
    assert f"Another way a weight of {view.other_repair.repair.cost:.3g}: {changes[0]}" in flat
    for step in view.next_steps.rows[:3]:
        assert f"  {step.expected:,.1f}  {step}\n" in f"{text}\n"
    assert str(view.next_steps.rows[3]) not in flat
    assert "how often in 3 runs on half of the rows" in flat, text
    told = view.claims[0]
    assert told.finding.again is not None
    assert told.weakest is not None
    assert text.startswith(view.lead[0][:40])
    assert f"{sureness(told.finding)} {told.claim} (bootstrap {in_percent(told.finding.again.all)})" in flat
    assert sentence_of(told.weakest) in flat


def test_neither_an_edge_nor_a_name_in_quotes_is_broken() -> None:
    first, second = '"systolic blood pressure at rest"', '"the weight of the patient, kg"'
    for filling in range(0, 80, 3):
        edge = f"{first} -> {second}"
        text = "\n".join(wrapped(f"{'x' * filling} {edge}; {second} causes Y", "Edges in all    "))
        assert edge in text
        assert f"{second} causes" in " ".join(text.split())
        assert text.count(second) == 2


def test_without_a_solution_it_says_what_contradicts() -> None:
    text = "\n".join(lines(view_of(SAMPLES["contradiction"]())))
    assert "No structure is consistent with the evidence." in text
    assert text.count("  - ") == 2
    assert "Edges in all" not in text


def test_where_the_time_ran_out_nothing_is_claimed(monkeypatch: pytest.MonkeyPatch) -> None:
    runs_out(monkeypatch, answered=0)
    solutions = weft.solve(weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]))
    text = "\n".join(lines(view_of(solutions, details=False, seconds=0)))
    assert "the time ran out" in text
    assert "Edges in all    none known yet" in text or "Edges in all" not in text
