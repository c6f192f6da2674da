"""Findings: what is known about each claim."""

from __future__ import annotations

import itertools

import pytest

from tests.support.slow import slow
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic, claims_about
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.search.consequences import Holds
from weft.search.registry import ENGINES
from weft.solutions.findings import Again, Finding
from weft.solutions.solution_set import SolutionSet, solve

CHAIN = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
MOTIVATING = oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])
CONTRADICTION = Evidence(
    (Scope("a", ("X", "Y")),),
    (Relation("X", "Y", frozenset({Structure.COMMON})), Relation("X", "Y", frozenset({Structure.CAUSES}))),
)

every_engine = pytest.mark.parametrize("engine", ENGINES)


def where(solutions: SolutionSet, claim: str) -> Holds:
    """In which solutions a claim holds, by counting; for claims about edges and causes."""
    total, fitting = solutions.exact_count(), solutions.assume(claim).exact_count()
    return Holds.of(true_seen=fitting > 0, false_seen=fitting < total, settled=True)


@every_engine
def test_edges(engine: str) -> None:
    summary = solve(MOTIVATING, engine=engine).summary()
    assert summary.certain == ("Y -> X", "Y <-> Z")
    assert summary.possible == ("Y -> X", "X <-> Z", "Y <-> Z")
    assert summary.consistent is True
    assert summary.complete


@pytest.mark.parametrize(
    ("engine", "method"),
    [
        *(("asp", "iod"), ("asp", "iod-bcd"), ("asp", "causal-iod"), ("brute", "iod"), ("powerset", "iod-bcd")),
        *(
            slow("brute", "iod-bcd"),
            slow("brute", "causal-iod"),
            slow("powerset", "iod"),
            slow("powerset", "causal-iod"),
        ),
    ],
)
def test_every_claim_that_a_summary_covers(engine: str, method: str) -> None:
    solutions = solve(CHAIN, method, engine=engine)
    summary = solutions.summary()
    for x, y in itertools.permutations("XYZ", 2):
        claims = [f"{x} {symbol} {y}" for symbol in ("->", "<-", "<->", "--", "o-o")]
        claims += [f"{x} causes {y}", f"{x} and {y} are adjacent"]
        for claim in claims:
            assert summary.holds(claim) is where(solutions, claim), claim
            assert summary.holds(f"not {claim}") is where(solutions, f"not {claim}"), claim


@every_engine
def test_confounding(engine: str) -> None:
    summary = solve(MOTIVATING, engine=engine).summary()
    assert summary.holds("Y and Z are confounded") is Holds.ALL
    assert summary.holds("X and Y are confounded") is Holds.NONE
    assert summary.holds("X and Y are not confounded") is Holds.ALL
    assert solve(CHAIN, "iod", engine=engine).summary().holds("X and Z are confounded") is Holds.SOME


@every_engine
@pytest.mark.parametrize(
    "claim", ["X -> Y", "X causes Y", "X and Y are confounded", "X and Y are adjacent", "Y causes X", "X -- Y"]
)
def test_nothing_holds_in_any_solution_where_there_is_none(engine: str, claim: str) -> None:
    summary = solve(CONTRADICTION, engine=engine).summary()
    assert summary.consistent is False
    assert summary.certain == summary.possible == ()
    assert summary.holds(claim) is Holds.NONE
    assert summary.holds(f"not {claim}") is Holds.NONE


@every_engine
def test_nothing_is_known_when_there_was_no_time(engine: str) -> None:
    names = tuple("ABCDE")
    hopeless = solve(Evidence((Scope("a", names),)), "iod", engine=engine, timeout=1e-9)
    summary = hopeless.summary()
    assert summary.consistent in (True, None)
    assert not summary.complete
    assert summary.certain == ()
    for claim in ("A -> B", "not A -> B", "A and B are confounded"):
        assert summary.holds(claim) in (Holds.UNKNOWN, Holds.SOME)


@pytest.mark.parametrize("shares", [False, True])
def test_atoms_that_the_solver_drops_after_a_solve(shares: bool) -> None:
    """A summary must not fail when clingo forgets atoms that an earlier solve settled for good."""
    evidence = Evidence(
        (Scope("a", ("A", "B")), Scope("b", ("A", "B", "C"))),
        (
            Separated("A", "B", frozenset(), ("a",)),
            Connected("b", "B", "C"),
            Relation("A", "C", frozenset({Structure.COMMON})),
        ),
    )
    solutions = solve(evidence)
    assert solutions.consistent
    summary = solutions.summary(shares=shares)
    brute = solve(evidence, engine="brute").summary(shares=shares)
    assert summary.certain == brute.certain
    assert set(summary.possible) == set(brute.possible)
    assert summary == brute
    assert solutions.summary(shares=shares) == summary


# -- pairs -------------------------------------------------------------------------------------------------------------


def test_a_claim_is_found_however_it_is_put() -> None:
    summary = solve(MOTIVATING).summary()
    assert summary.finding("Z <-> X") is summary.finding("X <-> Z")
    assert summary.finding("X <- Y") is summary.finding("Y -> X")
    assert summary.finding("Z and X are confounded") is summary.finding("X and Z are confounded")
    assert list(summary.pairs) == [("X", "Y"), ("X", "Z"), ("Y", "Z")]
    for (x, y), findings in summary.pairs.items():
        assert [one.claim for one in findings] == list(claims_about(x, y))


def test_the_opposite_claim_has_the_opposite_finding() -> None:
    again = Again(0.5, 0.25, 0.125)
    finding = Finding(Claim.parse("X causes Y"), Holds.ALL, 1.0, again, 0.75)
    assert finding.opposite == Finding(
        Claim.parse("X does not cause Y"), Holds.NONE, 0.0, Again(0.125, 0.25, 0.5), 0.25
    )
    assert finding.opposite.opposite == finding
    summary = solve(MOTIVATING).summary(shares=True)
    for one in summary.findings:
        assert summary.finding(one.claim) == one
        assert summary.finding(one.claim.negated) == one.opposite


@pytest.mark.parametrize(("x", "y"), [("X", "Q"), ("Q", "X"), ("X", "X")])
def test_no_such_pair(x: str, y: str) -> None:
    with pytest.raises(ProblemError, match=f"^there is no pair of variables '{x}' and '{y}'$"):
        solve(MOTIVATING).summary().holds(Claim(Topic.CAUSES, x, y))


@pytest.mark.parametrize("claim", ["X o-> Y", "X <-o Y", "X o-- Y"])
def test_marks_at_one_end_are_not_covered(claim: str) -> None:
    with pytest.raises(ProblemError, match=r"a summary does not cover marks at one end; ask with assume\(\)"):
        solve(MOTIVATING).summary().holds(claim)


# -- shares ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", [False, True])
def test_shares_are_those_of_counting(selection: bool) -> None:
    solutions = solve(CHAIN, "iod", selection=selection)
    for one in solutions.summary(shares=True).findings:
        if one.claim.topic is Topic.CONFOUNDED:
            assert one.share is None
        else:
            assert one.share == solutions.share(one.claim)
            assert (one.holds is Holds.NONE) == (one.share == 0)
            assert (one.holds is Holds.ALL) == (one.share == 1)


def test_no_shares_unless_asked_or_without_solutions() -> None:
    assert all(one.share is None for one in solve(CHAIN).summary().findings)
    assert all(one.share is None for one in solve(CONTRADICTION).summary(shares=True).findings)


def test_a_summary_of_a_narrower_set() -> None:
    solutions = solve(CHAIN, "iod")
    narrowed = solutions.assume("X causes Z", "X and Z are not adjacent").summary()
    assert narrowed.holds("X -> Y") is narrowed.holds("Y -> Z") is Holds.ALL
    assert solutions.summary().holds("X -> Y") is Holds.SOME
