"""The solver's program: one solution under assumptions, several walks at once, deadlines, and refusals."""

from __future__ import annotations

import gc
import itertools
import time
import weakref

import pytest

from tests.support.waiting import LONGER_AND_LONGER
from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.asp import AspSearch
from weft.search.brute import Brute
from weft.search.engine import OutOfTime
from weft.search.problem import Problem, is_solution
from weft.search.program import Program, Status

CHAIN = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")
EVERYTHING = Problem.of(Evidence((Scope("a", tuple("ABCDEFGH")),)), "iod")
"""Eight variables and nothing said: far more graphs than anyone can walk."""


def claims(*texts: str) -> list[Claim]:
    return [Claim.parse(text) for text in texts]


# -- one solution ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "texts",
    [
        ("X causes Z",),
        ("not X causes Z", "X and Z are adjacent"),
        ("X and Z are confounded",),
        ("X -> Z", "X and Z are confounded"),
        ("X o-> Y", "Z o-> Y"),
        ("not X o-o Z", "X and Z are not confounded"),
    ],
)
def test_find_under_assumptions(texts: tuple[str, ...]) -> None:
    program = Program(CHAIN, hide_everywhere=True)
    found = program.find(program.assumptions(claims(*texts)))
    assert found.status is Status.FOUND
    assert found.graph is not None
    assert is_solution(CHAIN.with_claims(claims(*texts)), found.graph.undoubled())


def test_a_program_that_nobody_uses_is_let_go() -> None:
    program = Program(CHAIN, hide_everywhere=True)
    program.find(program.assumptions(claims("X causes Z", "X and Z are confounded")))
    still_there = weakref.ref(program)
    del program
    gc.collect()
    assert still_there() is None


def test_assumptions_do_not_stay() -> None:
    program = Program(CHAIN, hide_everywhere=True)
    impossible = program.assumptions(claims("X causes Z", "Z causes X"))
    for _ in range(3):
        none = program.find(impossible)
        assert none.status is Status.NONE
        assert none.core
        assert set(none.core) <= set(impossible)
        assert program.find().status is Status.FOUND


def test_one_program_answers_like_a_new_one() -> None:
    """Every edge claim about every pair, one after the other, on a program that has been solved many times."""
    warm = Program(CHAIN, hide_everywhere=True)
    for (x, y), symbol in itertools.product(itertools.permutations("XYZ", 2), ("->", "<->", "--", "o->", "o-o")):
        claim = Claim.parse(f"{x} {symbol} {y}")
        for one in (claim, claim.negated):
            expected = any(True for _ in Brute().graphs(CHAIN.with_claims([one])))
            found = warm.find(warm.assumptions([one]))
            assert found.status is (Status.FOUND if expected else Status.NONE), one


def test_a_solution_shows_the_hidden_common_cause() -> None:
    evidence = Evidence((Scope("a", ("X", "Y")),), (Relation("X", "Y", frozenset({Structure.CAUSES_COMMON})),))
    found = Program(Problem.of(evidence)).find()
    assert str(found.graph) == "X -> Y; X <-> Y"


def test_confounding_cannot_be_assumed_where_nothing_may_be_hidden() -> None:
    program = Program(CHAIN)
    with pytest.raises(ProblemError, match="hide_everywhere"):
        program.assumptions(claims("X and Y are confounded"))


def test_contradictory_relations_of_one_pair() -> None:
    relations = (Relation("X", "Y", frozenset({Structure.COMMON})), Relation("X", "Y", frozenset({Structure.CAUSES})))
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), relations))
    assert Program(problem).find().status is Status.NONE
    assert AspSearch(problem).count() == (0, True)
    assert list(Brute().graphs(problem)) == []


# -- switches ----------------------------------------------------------------------------------------------------------


def test_statements_can_be_switched_off() -> None:
    relations = (Relation("X", "Y", frozenset({Structure.COMMON})), Relation("X", "Y", frozenset({Structure.CAUSES})))
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), (Connected("a", "X", "Y"), *relations)))
    program = Program(problem, may_give_up=True, hide_everywhere=True)
    assert set(program.switches) == {("connected", 0), ("relation", 0), ("relation", 1)}
    connected, *related = program.switches.values()
    first, second = sorted(related, key=lambda literal: str(program.find([connected, literal]).graph))
    assert program.find([connected, first, second]).status is Status.NONE
    assert {program.find([connected, literal]).status for literal in (first, second)} == {Status.FOUND}
    assert program.find().status is Status.FOUND


# -- deadlines ---------------------------------------------------------------------------------------------------------


def test_a_walk_ends_at_the_deadline() -> None:
    found: list[MixedGraph] = []
    count = 0
    for seconds in LONGER_AND_LONGER:
        with pytest.raises(OutOfTime):
            found.extend(AspSearch(EVERYTHING).graphs((), time.monotonic() + seconds))
        count, complete = AspSearch(EVERYTHING).count((), deadline=time.monotonic() + seconds)
        assert not complete
        if found and count:
            break
    assert found
    assert count > 0


def test_a_walk_whose_time_is_over_before_it_starts() -> None:
    with pytest.raises(OutOfTime):
        list(AspSearch(EVERYTHING).graphs((), time.monotonic() - 1))
    assert AspSearch(EVERYTHING).count((), deadline=time.monotonic() - 1)[1] is False


def test_find_says_that_time_is_over_or_is_right() -> None:
    program = Program(CHAIN, hide_everywhere=True)
    impossible = program.assumptions(claims("X causes Z", "Z causes X"))
    for seconds in (-1.0, 0.0, 0.0005, 0.001, 0.002) * 10:
        found = program.find((), time.monotonic() + seconds)
        assert found.status in (Status.FOUND, Status.OUT_OF_TIME)
        none = program.find(impossible, time.monotonic() + seconds)
        assert none.status in (Status.NONE, Status.OUT_OF_TIME)
    assert program.find().status is Status.FOUND
    assert program.find(impossible).status is Status.NONE


def test_a_deadline_that_comes_too_late_does_not_end_the_next_count() -> None:
    """A deadline that falls just after the end of one question must not interrupt the next one."""
    search = AspSearch(CHAIN)
    for step in range(300):
        search.count((), deadline=time.monotonic() + 0.0005 * (step % 10))
        assert search.count() == (38, True)


def test_a_deadline_that_comes_too_late_does_not_end_the_next_walk() -> None:
    search = AspSearch(CHAIN)
    for step in range(300):
        search.count((), deadline=time.monotonic() + 0.0005 * (step % 10))
        assert len(set(search.graphs())) == 38


# -- several walks at once ---------------------------------------------------------------------------------------------


def test_two_walks_side_by_side() -> None:
    search = AspSearch(CHAIN)
    pairs = list(zip(search.graphs(), search.graphs(), strict=True))
    assert len(pairs) == 38
    for column in zip(*pairs, strict=True):
        assert len(set(column)) == 38


def test_walks_under_different_claims_side_by_side() -> None:
    search = AspSearch(CHAIN)
    first, second = claims("X causes Z"), claims("X and Z are confounded")
    found = list(itertools.zip_longest(search.graphs(first), search.graphs(second)))
    for column, narrowed in zip(zip(*found, strict=True), (first, second), strict=True):
        assert {mag for mag in column if mag} == set(Brute().graphs(CHAIN.with_claims(narrowed)))


def test_an_abandoned_walk_leaves_nothing_behind() -> None:
    search = AspSearch(CHAIN)
    expected = set(search.graphs())
    for stop in (0, 1, 5, 37):
        walk = search.graphs()
        assert len(list(itertools.islice(walk, stop))) == stop
        del walk
        assert set(search.graphs()) == expected
        assert search.count() == (38, True)


def test_an_abandoned_walk_that_is_still_held() -> None:
    search = AspSearch(CHAIN)
    walk = search.graphs()
    begun = list(itertools.islice(walk, 5))
    assert len(set(search.graphs())) == 38
    assert search.count(claims("X causes Z"))[0] < 38
    rest = list(walk)
    assert len(set(begun + rest)) == len(begun) + len(rest) == 38


def test_questions_between_the_steps_of_a_walk() -> None:
    search = AspSearch(CHAIN)
    for number, mag in enumerate(search.graphs()):
        assert is_solution(CHAIN, mag)
        if number % 10 == 0:
            assert search.count() == (38, True)
            assert search.find().status is Status.FOUND
            assert search.consequences().solvable
    assert number == 37


@pytest.mark.parametrize(
    ("limit", "expected"),
    [(0, (0, False)), (1, (1, False)), (37, (37, False)), (38, (38, True)), (39, (38, True)), (None, (38, True))],
)
def test_count_up_to_a_limit(limit: int | None, expected: tuple[int, bool]) -> None:
    search = AspSearch(CHAIN)
    assert search.count((), limit) == expected
    assert len(list(search.graphs())) == 38  # the limit does not stay
    assert search.count() == (38, True)


# -- refusals ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [300, 800])
def test_a_problem_that_is_too_large(size: int) -> None:
    problem = Problem(tuple(f"V{i:03}" for i in range(size)))
    with pytest.raises(
        ProblemError, match=rf"^the problem is too large: {size} variables leave [0-9,]+ edges"
    ) as error:
        Program(problem)
    assert "\n" not in str(error.value)
