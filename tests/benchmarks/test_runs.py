"""Runs in processes of their own, and what is kept of them."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from benchmarks import runs
from benchmarks.overlapping import Case, Judged
from benchmarks.runs import FAILED, FINISHED, TOO_LONG, Outcome, key_of, outcomes, read, run

CASE = Case("linear", 2, 1000, 0)
OTHER = Case("linear", 2, 1000, 1)

_OWN = """
import sys
import benchmarks.tools.__main__ as process
class Own:
    def claims(self, studies):
        {body}
process.every_tool = lambda: {{"own": Own()}}
process.main("own", *sys.argv[1:])
"""


def own_tool(monkeypatch: pytest.MonkeyPatch, body: str) -> None:
    """Let runs be those of a tool that does this."""
    monkeypatch.setattr(
        runs,
        "command_of",
        lambda tool, case, limit: [
            sys.executable,
            "-c",
            _OWN.format(body=body),
            json.dumps(case.as_json()),
            str(limit),
        ],
    )


def test_a_run_tells_claims_time_and_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    # The truth is X2 -> X1; X3 -> X1; X1 <-> X4; X5 -> X1; X5 -> X2; X5 -> X4.
    body = "print('noise'); return [process.judged.__globals__['Said']('X5', 'X1', True, 0.9), "
    body += "process.judged.__globals__['Said']('X4', 'X1', True)]"
    own_tool(monkeypatch, body)
    found = run("own", CASE, 60)
    assert (found.end, found.why) == (FINISHED, "")
    assert found.claims == (Judged("X4", "X1", True, None, False), Judged("X5", "X1", True, 0.9, True))
    assert (found.pairs, found.causes) == (20, 5)
    assert 0 <= found.seconds < 30
    assert 20 < found.memory < 2000


def test_memory_is_the_peak(monkeypatch: pytest.MonkeyPatch) -> None:
    own_tool(monkeypatch, "return []")
    little = run("own", CASE, 60).memory
    own_tool(monkeypatch, "block = b'x' * 300_000_000; del block; return []")
    assert 250 < run("own", CASE, 60).memory - little < 350


def test_a_tool_that_takes_too_long_is_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    own_tool(monkeypatch, "\n        while True: pass")
    found = run("own", CASE, 1)
    assert (found.end, found.seconds, found.claims) == (TOO_LONG, 1, ())


def test_a_tool_that_sleeps_is_ended_by_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    own_tool(monkeypatch, "import time; time.sleep(600)")
    monkeypatch.setattr(runs, "START_UP", 3.0)
    assert run("own", CASE, 0.1).end == TOO_LONG


def test_a_tool_that_fails_is_told_with_its_last_word(monkeypatch: pytest.MonkeyPatch) -> None:
    own_tool(monkeypatch, "raise ValueError('the matrix is singular')")
    found = run("own", CASE, 60)
    assert (found.end, found.why) == (FAILED, "ValueError: the matrix is singular")
    own_tool(monkeypatch, "import os; os.kill(os.getpid(), 9)")
    assert run("own", CASE, 60).why == "ended by signal 9"


# -- what is kept ------------------------------------------------------------------------------------------------------


@pytest.fixture
def ran(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Case]]:
    """What was run, by a stand-in that claims one thing."""
    done: list[tuple[str, Case]] = []

    def stand_in(tool: str, case: Case, limit: float) -> Outcome:
        done.append((tool, case))
        return Outcome(tool, case, FINISHED, claims=(Judged("X1", "X2", True, 0.75, False),), seconds=len(done))

    monkeypatch.setattr(runs, "run", stand_in)
    return done


def test_what_is_kept_is_not_run_again(tmp_path: Path, ran: list[tuple[str, Case]]) -> None:
    kept = tmp_path / "build" / "kept.jsonl"
    first = outcomes([("weft_all", CASE)], 60, kept)
    both = outcomes([("weft_all", OTHER), ("weft_all", CASE)], 60, kept)
    assert ran == [("weft_all", CASE), ("weft_all", OTHER)]
    assert both[1] == first[0]
    assert [one.case for one in both] == [OTHER, CASE]
    assert outcomes([("weft_all", CASE)], 61, kept)[0].seconds == 3  # another limit may have another outcome


def test_a_line_that_was_cut_off_is_run_again(tmp_path: Path, ran: list[tuple[str, Case]]) -> None:
    kept = tmp_path / "kept.jsonl"
    outcomes([("weft_all", CASE), ("weft_all", OTHER)], 60, kept)
    text = kept.read_text("utf-8")
    kept.write_text(text[:-20], encoding="utf-8")
    found = outcomes([("weft_all", CASE), ("weft_all", OTHER)], 60, kept)
    assert len(ran) == 3
    assert {one for _, one in read(kept)} == {*found}


def test_an_outcome_rests_on_tool_version_limit_and_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = key_of("weft_all", CASE, 60)
    assert key_of("weft_all", CASE, 60) == plain
    keys = {plain, key_of("fci_alone", CASE, 60), key_of("weft_all", OTHER, 60), key_of("weft_all", CASE, 300)}
    monkeypatch.setattr(runs, "version_of", lambda tool: "another")
    keys.add(key_of("weft_all", CASE, 60))
    assert len(keys) == 5
