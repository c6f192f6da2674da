"""Questions to the engines that can only enumerate."""

from __future__ import annotations

import time

import pytest

from tests.support.waiting import LONGER_AND_LONGER
from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Scope, Separated
from weft.search.brute import Brute
from weft.search.engine import Engine, OutOfTime
from weft.search.enumeration import EnumeratingSearch
from weft.search.powerset import Powerset
from weft.search.problem import Problem, is_solution
from weft.search.program import Status

CHAIN = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")

# There is a lot to go over and, under these claims, nothing to find.
NAMES = tuple("ABCDE")
SILENT = Problem.of(Evidence((Scope("a", NAMES),)), "iod")
HOPELESS = [Claim.parse("A causes B"), Claim.parse("B causes A")]

engines = pytest.mark.parametrize("engine", [Brute(), Powerset()], ids=lambda engine: engine.name)


@engines
@pytest.mark.parametrize(
    ("limit", "expected"), [(1, (1, False)), (37, (37, False)), (38, (38, True)), (39, (38, True)), (None, (38, True))]
)
def test_count_up_to_a_limit(engine: Engine, limit: int | None, expected: tuple[int, bool]) -> None:
    assert EnumeratingSearch(engine, CHAIN).count((), limit) == expected


@engines
def test_claims_narrow(engine: Engine) -> None:
    search = EnumeratingSearch(engine, CHAIN)
    claims = [Claim.parse("X causes Z")]
    found = set(search.graphs(claims))
    assert found == {mag for mag in search.graphs() if is_solution(CHAIN.with_claims(claims), mag)}
    assert search.count(claims) == (len(found), True)
    assert 0 < len(found) < 38


@engines
def test_find(engine: Engine) -> None:
    search = EnumeratingSearch(engine, CHAIN)
    found = search.find()
    assert found.status is Status.FOUND
    assert found.graph is not None
    assert is_solution(CHAIN, found.graph)
    assert search.find([Claim.parse("X causes Z"), Claim.parse("Z causes X")]).status is Status.NONE


@engines
def test_the_deadline_is_heard_while_nothing_is_found(engine: Engine) -> None:
    """Going over all of it takes minutes; without a look at the clock between answers this would not come back."""
    search = EnumeratingSearch(engine, SILENT)
    with pytest.raises(OutOfTime):
        list(search.graphs(HOPELESS, time.monotonic() + 0.05))
    assert search.count(HOPELESS, deadline=time.monotonic() + 0.05) == (0, False)
    assert search.find(HOPELESS, time.monotonic() + 0.05).status is Status.OUT_OF_TIME
    assert search.consequences(HOPELESS, time.monotonic() + 0.05).solvable is None


@engines
def test_a_walk_that_runs_out_of_time_keeps_what_it_found(engine: Engine) -> None:
    for seconds in LONGER_AND_LONGER:
        count, complete = EnumeratingSearch(engine, SILENT).count((), deadline=time.monotonic() + seconds)
        assert not complete
        if count:
            break
    assert count > 0


def test_unknown_variables_are_refused() -> None:
    with pytest.raises(ProblemError, match="'Q' is not one of the variables"):
        EnumeratingSearch(Brute(), CHAIN).graphs([Claim.parse("Q causes X")])


def test_inconsistent_evidence() -> None:
    evidence = Evidence(
        (*CHAIN_STUDIES, Scope("c", ("X", "Y"))),
        (*oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]).connected, Separated("X", "Y", frozenset(), ("c",))),
    )
    search = EnumeratingSearch(Brute(), Problem.of(evidence, "iod"))
    assert search.count() == (0, True)
    assert search.find().status is Status.NONE
    assert search.consequences().solvable is False


CHAIN_STUDIES = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]).studies
