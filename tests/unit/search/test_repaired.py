"""A repair that is not proven stands in for one question; what is proven is kept. No test depends on the clock."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.asp import AspSearch
from weft.search.consequences import Consequences, Holds
from weft.search.problem import Problem
from weft.search.program import Status
from weft.search.registry import open_search
from weft.search.repair import Optimisation, Optimum
from weft.search.search import Search

STUDIES = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")), Scope("c", ("X", "Y")))
SAYS = (
    Connected("a", "X", "Y", weight=2.0),
    Connected("c", "X", "Y", weight=0.5),
    Separated("X", "Y", frozenset(), ("b",), weight=1.0),
)
PROBLEM = Problem.of(Evidence(STUDIES, SAYS), "iod")
DEAREST = MixedGraph.parse("X; Y")
"""It gives up both connections, at 2.5; the best gives up the separation, at 1."""


def poor() -> dict[str, Any]:
    """What a hurried search would leave behind: a repair that is not the best, and not proven."""
    return {
        "cost": 2500, "bound": 0, "proven": False, "given_up": [["connected", 0], ["connected", 1]], "always": [],
        "sometimes": [], "settled": False, "graph": str(DEAREST),
    }  # fmt: skip


def opened(found: dict[str, Any] | None = None) -> Search:
    search = open_search("asp", PROBLEM, conflicts="repair")
    search.remember(found)
    return search


def past() -> float:
    return time.monotonic() - 1


def test_a_repair_that_is_not_proven_stands_in_for_hurried_questions_only() -> None:
    search = opened(poor())
    hurried = search.repair(past())
    assert hurried is not None
    assert (hurried.cost, hurried.proven, hurried.unique) == (2.5, False, None)
    assert not search.is_final
    assert set(map(str, search.graphs())) == {"X -> Y", "X <-> Y", "Y -> X"}
    best = search.repair()
    assert best is not None
    assert (best.cost, best.proven, best.unique, best.given_up) == (1.0, True, True, (SAYS[2],))
    assert search.is_final


def test_solutions_opened_for_a_poor_repair_are_not_kept() -> None:
    """While the poor one stands in, all that cost no more than it are solutions: the optimal ones among them."""
    search = opened(poor())
    assert search.find((), past()).status in (Status.FOUND, Status.OUT_OF_TIME)
    assert search.count() == (3, True)
    assert opened().count() == (3, True)


def test_what_is_proven_is_not_looked_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    search = opened()
    first = search.repair()
    monkeypatch.setattr(Optimisation, "run", _never)
    assert search.repair() == first
    assert search.count() == (3, True)
    assert opened(search.remembered()).repair() == first


def _never(*_: object) -> Optimum:
    raise AssertionError("it was proven already")


def counted(monkeypatch: pytest.MonkeyPatch) -> list[float | None]:
    """The deadlines of the searches for a repair, none of which comes to an end."""
    asked: list[float | None] = []
    run: Callable[[Optimisation, float | None], Optimum] = Optimisation.run

    def hurried(self: Optimisation, deadline: float | None = None) -> Optimum:
        asked.append(deadline)
        return run(self, past())

    monkeypatch.setattr(Optimisation, "run", hurried)
    return asked


def test_only_a_more_patient_question_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    search, asked = opened(poor()), counted(monkeypatch)
    search.repair(math.inf)
    search._seconds = 1e6  # type: ignore[attr-defined]  # as if it had been looked for that long
    search.repair(time.monotonic() + 1e6)
    assert len(asked) == 1
    search.repair(time.monotonic() + 4e6)
    assert len(asked) == 2
    search._conflicts = 1000  # type: ignore[attr-defined]
    with Effort(1900).here():
        search.repair()
    assert len(asked) == 2
    with Effort(2000).here():
        search.repair()
    assert len(asked) == 3
    search.repair()  # without any limit it is looked for until it is found
    assert len(asked) == 4


def test_another_repair_differs_from_the_one_that_is_best_now() -> None:
    search = opened(poor())
    assert search.repair(past()) is not None
    other = search.other_repair()
    assert other is not None
    assert (other.cost, other.proven, set(other.given_up)) == (2.5, True, set(SAYS[:2]))


@pytest.mark.parametrize(
    "change",
    [
        {"proven": True, "cost": 7},  # its cost is not that of what it gives up
        {"proven": True, "given_up": [["connected", 5]]},  # there is no such statement
        {"graph": "X -> Z"},  # over other variables
        {"graph": None},
    ],
)
def test_what_does_not_fit_is_not_believed(change: dict[str, Any]) -> None:
    best = opened(poor() | change).repair()
    assert best is not None
    assert (best.cost, best.proven) == (1.0, True)


def test_hard_searches_repair_nothing() -> None:
    for engine in ("asp", "brute"):
        search = open_search(engine, PROBLEM)
        assert (search.repair(), search.other_repair(), search.remembered(), search.is_final) == (
            None,
            None,
            None,
            True,
        )
        search.remember(None)
        conflict = search.conflict()
        assert conflict is not None
        assert len(conflict.statements) == 2
        assert search.without(()) is search
        assert search.without(SAYS[:2]).count() == (1, True)


def test_slack_beyond_all_weights_allows_everything() -> None:
    for slack in (3.0, 1e308):
        assert open_search("asp", PROBLEM, conflicts="repair", slack=slack).count() == (4, True)


def test_one_enormous_weight_does_not_change_which_of_the_others_is_given_up() -> None:
    """Weights 1.001 and 1.004 of two studies of A and B, beside what cannot be given up in another pair."""
    studies = (Scope("a", ("A", "B", "C")), Scope("b", ("A", "B")))
    for heavy in (1e10, 1e300, 1e308):
        says = (
            Connected("a", "A", "B", weight=1.004),
            Separated("A", "B", frozenset(), ("b",), weight=1.001),
            Connected("a", "A", "C", weight=heavy),
            Separated("B", "C", frozenset({"A"}), ("a",), weight=2.0),
        )
        problem = Problem.of(Evidence(studies, says), "iod")
        best = open_search("asp", problem, conflicts="repair").repair()
        assert best is not None
        assert (best.cost, best.given_up, best.proven) == (1.001, (says[1],), True)
        lighter = Problem.of(Evidence(studies, (replace(says[0], weight=1.0), *says[1:])), "iod")
        best = open_search("asp", lighter, conflicts="repair").repair()
        assert best is not None
        assert (best.cost, best.given_up) == (1.0, (replace(says[0], weight=1.0),))


def test_an_enormous_weight_that_must_be_given_up_costs_what_it_weighs() -> None:
    says = (Connected("a", "X", "Y", weight=1e308), Separated("X", "Y", frozenset(), ("b",)))
    best = open_search("asp", Problem.of(Evidence(STUDIES[:2], says), "iod"), conflicts="repair").repair()
    assert best is not None
    assert (best.cost, best.bound, best.proven) == (1e308, 1e308, True)


def test_margins_rest_on_what_a_summary_left_open(monkeypatch: pytest.MonkeyPatch) -> None:
    """What as much effort did not settle is not asked again; with more effort it is."""
    search = opened()
    asked: list[int] = []
    whole = AspSearch.consequences

    def unsettled(
        self: AspSearch, claims: Sequence[Claim] = (), deadline: float | None = None, others: object = None
    ) -> Consequences:
        asked.append(1)
        found = whole(self, claims, deadline)
        return replace(found, holds=dict.fromkeys(found.holds, Holds.UNKNOWN))

    monkeypatch.setattr(AspSearch, "consequences", unsettled)
    monkeypatch.setattr("weft.search.repaired.can_anneal", lambda problem: False)
    with Effort(1_000).here():
        search.consequences()
    with Effort(900).here():
        assert not any(one.is_known for one in search.margins().values())
    assert len(asked) == 1
    with Effort(5_000).here():
        search.margins()
    assert len(asked) == 2


EIGHT = tuple("ABCDEFGH")
"""More variables than margins are told to any size for."""


@pytest.mark.parametrize("effort", [1, 20_000])
def test_what_nobody_may_deny_is_certain_however_many_variables_there_are(effort: int) -> None:
    links = [Connected("a", x, y, weight=3.0) for x, y in pairwise(EIGHT)]
    known = Relation("A", "B", frozenset({Structure.CAUSES, Structure.CAUSES_COMMON}))
    problem = Problem.of(Evidence((Scope("a", EIGHT),), tuple(links)), known=[known])
    supposed = [Claim.parse("D does not cause C"), Claim.parse("F <- E")]
    with Effort(effort).here():
        found = open_search("asp", problem, conflicts="repair").margins(supposed)
    certain = {
        str(claim if one.weight > 0 else claim.negated) for claim, one in found.items() if math.isinf(one.weight)
    }
    assert {"A causes B", "B does not cause A", "not A <-> B", "D does not cause C", "E -> F"} <= certain
    assert found[Claim.parse("B and C are adjacent").canonical].weight < math.inf
