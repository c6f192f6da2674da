"""The live solver: its answers are those of the solution set, and newer questions end older ones.

Covers ``live.py`` and ``question.py``.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import replace
from itertools import combinations
from typing import Any

import pytest

from tests.browser import samples
from tests.support.live import drawn, endless
from tests.support.sized import sized
from tests.support.waiting import LONG_WAIT, until_the_solver_works
from weft.report.document import finding_document, view_document
from weft.report.live import MOST_WAITING, Busy, Closed, Desk, Superseded
from weft.report.question import Kind, Question, QuestionError, Supposition, read_question
from weft.report.view import view_of
from weft.search.consequences import Holds
from weft.solutions.solution_set import SolutionSet


@contextmanager
def opened(solutions: SolutionSet) -> Iterator[Desk]:
    desk = Desk(solutions)
    desk.open()
    try:
        yield desk
    finally:
        assert desk.close(LONG_WAIT)


def document(answer: Future[bytes]) -> Any:
    return json.loads(answer.result(LONG_WAIT))


@pytest.fixture(scope="module")
def with_tables(tmp_path_factory: pytest.TempPathFactory) -> SolutionSet:
    return sized(tmp_path_factory.mktemp("tables"))


@pytest.mark.usefixtures("unhurried")
def test_effects_under_suppositions(with_tables: SolutionSet) -> None:
    names = with_tables.evidence.variables  # I, M, X, Y
    pair = list(combinations(names, 2)).index(("X", "Y"))
    with opened(with_tables) as desk:
        plain = document(desk.ask(Question("page", Kind.EFFECTS, (), pair)))
        chain = tuple(Supposition("edge", names.index(x), names.index(y), False, "->") for x, y in ("IM", "IY", "XY"))
        under = document(desk.ask(Question("page", Kind.EFFECTS, chain, pair)))
    there, back = plain["effects"]
    assert there["sentence"] == with_tables.effects("X", "Y").sentence
    assert back["sentence"] == with_tables.effects("Y", "X").sentence
    (case,) = under["effects"][0]["cases"]
    assert (case["kind"], case["confidence"], case["share"]) == ("composed", None, 1)
    assert case["low"] < 1.0 < case["high"]


def test_effects_without_tables() -> None:
    with opened(samples.oracle()) as desk:
        found = document(desk.ask(Question("page", Kind.EFFECTS, (), 0)))
    assert found["effects"] is None
    assert "does not come from tables" in found["no_effects"]


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("unhurried")
@pytest.mark.parametrize("sample", [samples.oracle, samples.selection, samples.repaired, samples.contradiction])
def test_figures_and_graphs_are_those_of_the_solutions(sample: Callable[[], SolutionSet]) -> None:
    solutions, rng = sample(), random.Random(7)
    names = solutions.evidence.variables
    left: set[int] = set()
    with opened(solutions) as desk:
        for kind in (Kind.FIGURES, Kind.GRAPHS):
            for supposed in [(), *(drawn(rng, len(names)) for _ in range(12))]:
                question = Question("page", kind, supposed)
                found, part = (one := document(desk.ask(question))), one["view"]
                narrower = solutions.assume(*question.claims(names))
                summary = narrower.summary()
                assert found["suppositions"] == [one.document() for one in supposed]
                assert found["counted"] == [narrower.count(), True]
                assert (part["graphs"]["mags"], part["graphs"]["complete"]) == (narrower.count(), True)
                assert part["graphs"]["pags"] == len(narrower.pags())
                assert part["consistent"] is summary.consistent is bool(narrower.count())
                assert part["settled"] is True
                assert part["certain"] == list(summary.certain)
                assert part["possible"] == list(summary.possible)
                telling = [one for one in summary.findings if one.holds is not Holds.NONE]
                assert [one["holds"] for one in part["findings"]] == [one.holds for one in telling]
                for shown, one in zip(part["findings"], telling, strict=True):
                    assert finding_document(replace(one, share=shown["share"]), names) == shown
                left.add(narrower.exact_count())
    assert len(left) > 1 or sample is samples.contradiction, "the suppositions made no difference"


def test_the_part_is_what_the_view_of_the_same_solutions_says() -> None:
    solutions = samples.oracle()
    supposed = (Supposition("confounded", 0, 2, True), Supposition("edge", 0, 1, True, "->"))
    with opened(solutions) as desk:
        part = document(desk.ask(Question("page", Kind.GRAPHS, supposed)))["view"]
    claims = Question("page", Kind.GRAPHS, supposed).claims(solutions.evidence.variables)
    whole = json.loads(json.dumps(view_document(view_of(solutions.assume(*claims)))))
    # How sure each claim is takes longer than a supposition may: it is not told here, and neither is what cannot be.
    unknown = {"confidence": None, "margin": None, "exact": False}
    whole["findings"] = [one | unknown for one in whole["findings"] if one["holds"] != "none"]
    assert part == {name: whole[name] for name in part}


def test_next_steps_and_reasons_follow_what_is_supposed() -> None:
    solutions = samples.oracle()
    supposed = (Supposition("causes", 0, 1, True),)
    narrower = solutions.assume("X causes Y")
    whole = json.loads(json.dumps(view_document(view_of(narrower))))
    with opened(solutions) as desk:
        steps = document(desk.ask(Question("page", Kind.NEXT, supposed)))["next_steps"]
        reasons = document(desk.ask(Question("page", Kind.WHY, supposed, pair=0)))["reasons"]
    assert steps == whole["next_steps"]
    assert steps["structures"] == narrower.count()
    assert reasons
    # Both name an example of what is possible, and need not name the same one.
    settled = [{**reason, "close": []} for reason in reasons]
    assert settled == [{**reason, "close": []} for reason in whole["reasons"] if {reason["x"], reason["y"]} == {0, 1}]
    assert any("X causes Y" in other for reason in reasons for other in reason["others"]), "it is one of the reasons"


def test_where_nothing_is_left_the_reason_says_why() -> None:
    supposed = (Supposition("causes", 0, 1, True), Supposition("causes", 1, 0, True))
    with opened(samples.oracle()) as desk:
        figures = document(desk.ask(Question("page", Kind.FIGURES, supposed)))["view"]
        steps = document(desk.ask(Question("page", Kind.NEXT, supposed)))["next_steps"]
        (reason,) = document(desk.ask(Question("page", Kind.WHY, supposed, pair=1)))["reasons"]
    assert figures["consistent"] is False
    assert figures["graphs"]["mags"] == 0
    assert figures["answer"] == ["What is assumed and the evidence cannot hold together."]
    assert steps is None
    assert reason["verdict"] == "contradiction"


def test_what_does_not_end_is_answered_with_what_is_known() -> None:
    with opened(endless()) as desk:
        found = document(desk.ask(Question("page", Kind.FIGURES, (Supposition("causes", 0, 3, False),))))
    assert found["view"]["graphs"]["complete"] is False
    assert found["counted"] == [found["view"]["graphs"]["mags"], False]
    known = "At least " if found["counted"][0] else "There are consistent structures; the time ran out"
    assert found["view"]["headline"].startswith(known)


# -- turns -------------------------------------------------------------------------------------------------------------


@pytest.mark.usefixtures("relentless")
def test_a_newer_question_ends_an_older_one() -> None:
    with opened(endless()) as desk:
        older = desk.ask(Question("page", Kind.GRAPHS))
        until_the_solver_works(desk)
        assert not older.done()
        newer = desk.ask(Question("page", Kind.FIGURES, (Supposition("adjacent", 0, 1, False),)))
        with pytest.raises(Superseded):
            older.result(0)
        assert document(newer)["kind"] == "figures"


def test_other_pages_and_later_stages_end_nothing() -> None:
    with opened(samples.oracle()) as desk:
        answers = [
            desk.ask(Question(client, kind, pair=0 if kind in (Kind.WHY, Kind.EFFECTS) else None))
            for client in ("one", "two")
            for kind in Kind
        ]
        assert [document(answer)["kind"] for answer in answers] == [*Kind, *Kind]


@pytest.mark.usefixtures("unhurried")
def test_only_so_many_wait() -> None:
    desk = Desk(samples.oracle())  # not open yet: nothing is answered
    answers = [desk.ask(Question(f"page{i}", Kind.FIGURES)) for i in range(MOST_WAITING)]
    with pytest.raises(Busy):
        desk.ask(Question("one-more", Kind.FIGURES))
    replaced = desk.ask(Question("page0", Kind.FIGURES))
    with pytest.raises(Superseded):
        answers[0].result(0)
    desk.open()
    assert document(replaced)["counted"] == [38, True]
    assert all(document(answer)["counted"] == [38, True] for answer in answers[1:])
    assert desk.close()


@pytest.mark.usefixtures("relentless")
def test_a_withdrawn_question_is_ended() -> None:
    with opened(endless()) as desk:
        given_up = desk.ask(Question("one", Kind.GRAPHS))
        waiting = desk.ask(Question("two", Kind.GRAPHS))
        until_the_solver_works(desk)
        assert given_up.cancel()
        assert waiting.cancel()
        assert document(desk.ask(Question("three", Kind.FIGURES)))["kind"] == "figures"


@pytest.mark.usefixtures("relentless")
def test_a_closed_desk_takes_no_questions() -> None:
    desk = Desk(endless())
    desk.open()
    running, waiting = desk.ask(Question("one", Kind.GRAPHS)), desk.ask(Question("two", Kind.GRAPHS))
    until_the_solver_works(desk)
    assert desk.close(LONG_WAIT)
    for answer in (running, waiting):
        with pytest.raises((Closed, Superseded)):
            answer.result(0)
    with pytest.raises(Closed):
        desk.ask(Question("three", Kind.FIGURES))


@pytest.mark.usefixtures("unhurried")
def test_a_question_that_fails_does_not_end_the_rest() -> None:
    with opened(samples.oracle()) as desk:
        with pytest.raises(AssertionError):
            desk.ask(Question("page", Kind.WHY)).result(LONG_WAIT)  # without a pair, which reading refuses
        assert document(desk.ask(Question("page", Kind.FIGURES)))["counted"] == [38, True]


# -- reading questions -------------------------------------------------------------------------------------------------

SUPPOSED: dict[str, object] = {"topic": "causes", "x": 0, "y": 1, "holds": True}
FINE: dict[str, object] = {"client": "a", "kind": "figures", "suppositions": [SUPPOSED]}


def changed(**parts: object) -> bytes:
    return json.dumps(FINE | parts).encode()


def supposing(**parts: object) -> bytes:
    return changed(suppositions=[SUPPOSED | parts])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "cannot be read"),
        (b"\xff\xfe", "not UTF-8"),
        (b"{", "not JSON"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
        (b'{"client": NaN}', "NaN is not a number"),
        (b'{"client": 1' + b"0" * 10_000 + b"}", "too many digits"),
        (b'{"client": "a", "client": "b"}', "twice"),
        (b"[]", "must be an object"),
        (b"null", "must be an object"),
        (b"{}", "has no client"),
        (changed(more=1), 'unknown key "more"'),
        (changed(client=""), "client must be"),
        (changed(client="a" * 65), "client must be"),
        (changed(client="a\n"), "client must be"),
        (changed(client=["a"]), "client must be"),
        (changed(kind="all"), 'kind is "all"'),
        (changed(kind={}), "kind is {}"),
        (changed(kind="x" * 1000), "..."),
        (changed(suppositions={}), "must be a list"),
        (changed(suppositions=[{}] * 501), "at most 500"),
        (changed(suppositions=[1]), "must be an object"),
        (changed(pair=0), "pair goes with"),
        (changed(kind="why"), "pair goes with"),
        (changed(kind="why", pair=3), "there are 3 pairs"),
        (changed(kind="why", pair=-1), "there are 3 pairs"),
        (changed(kind="why", pair=True), "whole number"),
        (changed(kind="why", pair=None), "whole number"),
        (supposing(topic="loves"), 'topic is "loves"'),
        (supposing(topic=[]), "topic is []"),
        (supposing(x=3), "there are 3 variables"),
        (supposing(x=10**4000), "there are 3 variables"),
        (supposing(x=0.0), "whole number"),
        (supposing(x="X"), "whole number"),
        (supposing(y=0), "two variables"),
        (supposing(holds=1), "true or false"),
        (supposing(symbol="->"), "symbol goes with"),
        (supposing(topic="edge"), "symbol goes with"),
        (supposing(topic="edge", symbol="o-o"), "symbol is"),
        (supposing(topic="edge", symbol="\ud800"), "symbol is"),
    ],
)
def test_a_bad_question_is_refused_in_one_short_line(text: bytes, message: str) -> None:
    with pytest.raises(QuestionError) as refused:
        read_question(text, 3)
    assert message in str(refused.value)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


def test_the_same_supposition_twice_is_one_claim() -> None:
    question = read_question(changed(suppositions=[SUPPOSED] * 3), 3)
    assert len(question.suppositions) == 3
    assert [str(claim) for claim in question.claims(("X", "Y", "Z"))] == ["X causes Y"]
