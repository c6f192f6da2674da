"""Summaries: what all solutions agree on."""

from __future__ import annotations

import itertools

import pytest

from tests.support.slow import slow
from weft.errors import ProblemError
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.search.consequences import NO_EDGE, Holds
from weft.search.registry import ENGINES
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
    total, fitting = solutions.count(), solutions.assume(claim).count()
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
            Separated("a", "A", "B", frozenset()),
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
    assert [(p.causes, p.caused, p.confounded, p.share) for p in summary.pairs] == [
        (p.causes, p.caused, p.confounded, p.share) for p in brute.pairs
    ]
    assert solutions.summary(shares=shares) == summary


# -- pairs -------------------------------------------------------------------------------------------------------------


def test_a_pair_is_found_in_either_order() -> None:
    summary = solve(MOTIVATING).summary()
    pair = summary.pair("Z", "X")
    assert pair is summary.pair("X", "Z")
    assert (pair.x, pair.y) == ("X", "Z")
    assert pair.edge("<->") is pair.edge(NO_EDGE) is Holds.SOME
    assert pair.edge("->") is pair.edge("--") is Holds.NONE
    assert [(p.x, p.y) for p in summary.pairs] == [("X", "Y"), ("X", "Z"), ("Y", "Z")]


@pytest.mark.parametrize(("x", "y"), [("X", "Q"), ("Q", "X"), ("X", "X")])
def test_no_such_pair(x: str, y: str) -> None:
    with pytest.raises(ProblemError, match=f"^there is no pair of variables '{x}' and '{y}'$"):
        solve(MOTIVATING).summary().pair(x, y)


@pytest.mark.parametrize("claim", ["X o-> Y", "X <-o Y", "X o-- Y"])
def test_marks_at_one_end_are_not_covered(claim: str) -> None:
    with pytest.raises(ProblemError, match=r"a summary does not tell about marks at one end; use assume\(\) to ask"):
        solve(MOTIVATING).summary().holds(claim)


# -- shares ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("selection", [False, True])
def test_shares_are_those_of_counting(selection: bool) -> None:
    solutions = solve(CHAIN, "iod", selection=selection)
    for pair in solutions.summary(shares=True).pairs:
        assert pair.share is not None
        assert sum(pair.share.edges.values()) == pytest.approx(1)
        assert pair.share.causes == solutions.share(f"{pair.x} causes {pair.y}")
        assert pair.share.caused == solutions.share(f"{pair.y} causes {pair.x}")
        for symbol, holds in pair.edges.items():
            claim = f"{pair.x} {symbol} {pair.y}" if symbol else f"not {pair.x} o-o {pair.y}"
            assert pair.share.edges.get(symbol, 0) == solutions.share(claim)
            assert (holds is Holds.NONE) == (symbol not in pair.share.edges)


def test_no_shares_unless_asked_or_without_solutions() -> None:
    assert all(pair.share is None for pair in solve(CHAIN).summary().pairs)
    assert all(pair.share is None for pair in solve(CONTRADICTION).summary(shares=True).pairs)


def test_a_summary_of_a_narrower_set() -> None:
    solutions = solve(CHAIN, "iod")
    narrowed = solutions.assume("X causes Z", "X and Z are not adjacent").summary()
    assert narrowed.holds("X -> Y") is narrowed.holds("Y -> Z") is Holds.ALL
    assert solutions.summary().holds("X -> Y") is Holds.SOME
