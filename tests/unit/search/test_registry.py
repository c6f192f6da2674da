"""Engines by name."""

from __future__ import annotations

import pytest

from weft.errors import ProblemError
from weft.evidence.oracle import oracle
from weft.search.asp import AspSearch
from weft.search.engine import OutOfTime, check_time
from weft.search.enumeration import EnumeratingSearch
from weft.search.problem import Problem
from weft.search.registry import ENGINES, open_search

CHAIN = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")


def test_each_engine_is_listed_under_its_own_name() -> None:
    assert set(ENGINES) == {"asp", "powerset", "brute"}
    assert all(engine.name == name for name, engine in ENGINES.items())


@pytest.mark.parametrize("name", ENGINES)
def test_a_search_keeps_its_problem_and_answers_it(name: str) -> None:
    search = open_search(name, CHAIN)
    assert isinstance(search, AspSearch if name == "asp" else EnumeratingSearch)
    assert search.problem is CHAIN
    assert search.count() == (38, True)


@pytest.mark.parametrize("name", ENGINES)
def test_engines_take_a_problem_alone(name: str) -> None:
    assert len(set(ENGINES[name].graphs(CHAIN))) == 38


def test_unknown_engine() -> None:
    with pytest.raises(ProblemError, match=r"^there is no engine 'sat'; choose one of asp, powerset, brute$"):
        open_search("sat", CHAIN)


def test_time_is_checked_only_against_a_deadline() -> None:
    check_time(None)
    check_time(float("inf"))
    with pytest.raises(OutOfTime):
        check_time(0.0)
