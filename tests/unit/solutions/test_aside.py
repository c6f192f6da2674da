"""Parts of an answer that are worked out at the same time: the same answer, and only where that is sure."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from dataclasses import replace

import pytest

from tests.differential.test_repair import random_evidence, weighted
from weft import SolutionSet, solve
from weft.effort import Effort, current_effort
from weft.evidence.statements import Evidence
from weft.parallel import Workers
from weft.report.text import lines
from weft.report.view import view_of
from weft.search.engine import Stop, is_over
from weft.solutions.aside import Aside
from weft.solutions.result_file import result_document


def evidence_of(name: str) -> Evidence:
    chance = random.Random(name)
    return weighted(chance, random_evidence(chance, 5, "causal-iod", selection=False, conflict=True), hard=0, free=0)


def opened(name: str, n_jobs: int = 2) -> SolutionSet:
    return solve(evidence_of(name), conflicts="repair", n_jobs=n_jobs)


def asked_by(solutions: SolutionSet, begin: Callable[[Aside], Callable[[], object]]) -> object:
    with Aside(solutions) as aside:
        return begin(aside)()


@pytest.mark.parametrize("name", ["one", "two", "three"])
def test_the_same_answer_with_any_number_of_workers(name: str) -> None:
    documents, texts = [], []
    for n_jobs in (1, 2, 3):
        solutions = opened(name, n_jobs)
        view = view_of(solutions, patience=0, details=False)
        documents.append(result_document(solutions, view))
        texts.append(list(lines(view)))
    assert documents[0] == documents[1] == documents[2]
    assert texts[0] == texts[1] == texts[2]


def test_structures_are_asked_about_in_a_thread_once_the_repair_is_settled() -> None:
    solutions = opened("thread")
    assert asked_by(solutions, lambda aside: aside.count(threading.get_ident)) == threading.get_ident()
    solutions.repair()
    assert solutions.is_settled
    assert asked_by(solutions, lambda aside: aside.count(threading.get_ident)) != threading.get_ident()


def test_who_is_alone_or_limited_asks_one_after_the_other() -> None:
    settled = opened("alone")
    settled.repair()

    def is_shared(solutions: SolutionSet) -> bool:
        return asked_by(solutions, lambda aside: aside.count(threading.get_ident)) != threading.get_ident()

    assert is_shared(settled)
    assert not is_shared(replace(settled, _workers=Workers(1)))
    assert not is_shared(replace(settled, timeout=100.0))
    with Effort(1_000).here():
        assert not is_shared(settled)
    with Stop().here():
        assert not is_shared(settled)


def test_structures_are_asked_about_during_a_summary_with_an_effort_of_their_own() -> None:
    solutions = opened("early")

    def ask() -> tuple[int, object]:
        return threading.get_ident(), current_effort()

    with Aside(solutions) as aside:
        summary, counting = aside.summary(solutions, ask)
        assert counting is not None
        thread, effort = counting()
    assert summary == opened("early", n_jobs=1).summary()
    assert thread != threading.get_ident()
    assert effort is None


def test_structures_are_not_asked_about_during_a_summary_that_may_ask_the_same_program() -> None:
    solutions = opened("early")
    x, y = solutions.evidence.variables[:2]
    for limited in (
        opened("early", n_jobs=1),
        replace(opened("early"), timeout=100.0),
        replace(opened("early"), engine="powerset"),
        opened("early").assume(f"{x} does not cause {y}"),
        solve(evidence_of("early"), n_jobs=2),  # hard: nothing is settled by a repair
    ):
        with Aside(limited) as aside:
            summary, counting = aside.summary(limited, pytest.fail)
        assert counting is None
        assert summary == limited.summary()


def test_what_must_wait_is_asked_when_its_answer_is_called_for() -> None:
    asked = []

    def ask() -> int:
        asked.append(threading.get_ident())
        return len(asked)

    for solutions in (opened("later"), opened("later", n_jobs=1)):  # not settled; settled, but alone
        if not solutions.has_company:
            solutions.repair()
        asked.clear()
        with Aside(solutions) as aside:
            answer = aside.later(ask)
            assert not asked
            assert answer() == 1
        assert asked == [threading.get_ident()]
    settled = opened("later")
    settled.repair()
    asked.clear()
    assert asked_by(settled, lambda aside: aside.later(ask)) == 1
    assert asked != [threading.get_ident()]


def test_another_repair_is_the_same_beside_margins() -> None:
    """Whether it is looked for in a thread or after the margins."""
    found = []
    for n_jobs in (1, 2):
        solutions = opened("four", n_jobs)
        view = view_of(solutions, details=False)
        assert view.repair is not None
        assert view.repair.given_up
        found.append(view.other_repair)
    assert found[0] is not None
    assert found[0] == found[1]


def test_draws_that_were_begun_are_not_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = opened("draws")
    assert asked_by(solutions, lambda aside: aside.draw()) is None
    monkeypatch.setattr("weft.search.repaired.drawn_shares", None)
    assert any(one.drawn is not None for one in solutions.claims())


def test_what_is_not_waited_for_is_stopped() -> None:
    solutions = opened("stop")
    solutions.repair()
    heard = threading.Event()

    def ask() -> None:
        while not is_over(None):
            pass
        heard.set()

    with Aside(solutions) as aside:
        aside.count(ask)
    assert heard.wait(10)
