"""What holds in all, some and none of the solutions: reasoning says what going over them says."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from itertools import islice

import pytest

from tests.support.helped import help_at_once
from tests.support.problems import random_claims, random_problem, shown
from tests.support.slow import slow
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.asp import AspSearch
from weft.search.brute import Brute
from weft.search.consequences import Consequences, Holds, Others
from weft.search.enumeration import EnumeratingSearch, consequences_of
from weft.search.problem import Problem, fitting_models

CHAIN = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")


def as_table(found: Consequences) -> dict[Claim, Holds]:
    """What holds in any solution: an engine may leave out what it knows to be excluded."""
    return {claim: holds for claim, holds in found.holds.items() if holds is not Holds.NONE}


def check(asp: AspSearch, claims: Sequence[Claim] = (), others: Others | None = None) -> Consequences:
    expected = EnumeratingSearch(Brute(), asp.problem).consequences(claims)
    found = asp.consequences(claims, others=others)
    where = shown(asp.problem, claims)
    assert found.solvable == expected.solvable, where
    assert as_table(found) == as_table(expected), where
    return found


# -- in which solutions ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("true_seen", "false_seen", "settled", "expected"),
    [
        (True, True, True, Holds.SOME),
        (True, True, False, Holds.SOME),
        (True, False, True, Holds.ALL),
        (False, True, True, Holds.NONE),
        (False, False, True, Holds.NONE),
        (True, False, False, Holds.UNKNOWN),
        (False, True, False, Holds.UNKNOWN),
        (False, False, False, Holds.UNKNOWN),
    ],
)
def test_holds(true_seen: bool, false_seen: bool, settled: bool, expected: Holds) -> None:
    assert Holds.of(true_seen=true_seen, false_seen=false_seen, settled=settled) is expected


@pytest.mark.parametrize(
    ("method", "selection"),
    [
        *(("iod", True), ("iod-bcd", False), ("causal-iod", True)),
        *(slow("iod", False), slow("iod-bcd", True), slow("causal-iod", False)),
    ],
)
def test_reasoning_is_enumeration(method: str, selection: bool) -> None:
    """Each question alone and, on the same warm solver, under two different sets of claims."""
    chance = random.Random(f"consequences {method} {selection}")
    solvable = []
    for _ in range(14):
        asp = AspSearch(random_problem(chance, 3, method, selection=selection))
        names = asp.problem.names
        for claims in ((), random_claims(chance, names), random_claims(chance, names), ()):
            solvable.append(check(asp, claims).solvable)
    assert solvable.count(True) > 10
    assert solvable.count(False) > 2


@pytest.mark.parametrize("method", ["iod", "iod-bcd", "causal-iod"])
@pytest.mark.parametrize("known", [0, 2])
def test_help_changes_no_answer(method: str, known: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """At once a program that says what statements exclude together, and some solutions that others found."""
    help_at_once(monkeypatch)
    chance, asked = random.Random(f"help {method}"), list[int]()
    for _ in range(10):
        problem = random_problem(chance, 3, method)
        for claims in ((), random_claims(chance, problem.names)):
            supposed = problem.with_claims(claims)

            def others(supposed: Problem = supposed) -> list[MixedGraph]:
                asked.append(known)
                mags = islice(Brute().graphs(supposed), known)
                return [model for mag in mags for model in fitting_models(supposed, mag)]

            check(AspSearch(problem), claims, others)
    assert len(asked) > 5


@pytest.mark.slow
@pytest.mark.parametrize("method", ["iod-bcd", "causal-iod"])
def test_reasoning_is_enumeration_for_four_variables(method: str) -> None:
    chance = random.Random(f"four {method}")
    for _ in range(25):
        asp = AspSearch(random_problem(chance, 4, method))
        for claims in ((), random_claims(chance, asp.problem.names)):
            check(asp, claims)


def test_claims_of_one_question_do_not_stay_for_the_next() -> None:
    asp = AspSearch(CHAIN)
    before = as_table(asp.consequences())
    for text in ("X causes Z", "X and Z are confounded", "X and Z are not adjacent", "not X o-> Y"):
        assert as_table(check(asp, [Claim.parse(text)])) != before
    assert as_table(asp.consequences()) == before


def test_a_claim_and_its_opposite() -> None:
    claim = Claim.parse("X causes Z")
    found = check(AspSearch(CHAIN), [claim, claim.negated])
    assert found.solvable is False
    assert set(found.holds.values()) == {Holds.NONE}


def test_atoms_that_the_solver_drops_after_a_solve() -> None:
    """Solving settles some atoms for good, and clingo then forgets them: their literals are still asked for."""
    evidence = Evidence(
        (Scope("a", ("A", "B")), Scope("b", ("A", "B", "C"))),
        (
            Separated("A", "B", frozenset(), ("a",)),
            Connected("b", "B", "C"),
            Relation("A", "C", frozenset({Structure.COMMON})),
        ),
    )
    asp = AspSearch(Problem.of(evidence, "causal-iod"))
    for _ in range(2):
        found = check(asp)
    assert found.solvable
    for text in ("A causes C", "A and C are confounded", "A and B are confounded", "A o-> B", "not B -> C"):
        check(asp, [Claim.parse(text)])


# -- running out of time -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("search", [AspSearch(CHAIN), EnumeratingSearch(Brute(), CHAIN)], ids=["asp", "brute"])
def test_out_of_time_is_never_taken_for_an_answer(search: AspSearch | EnumeratingSearch) -> None:
    """Whatever was settled before the deadline is right; the rest is unknown."""
    complete = as_table(search.consequences())
    for seconds in (-1.0, 0.0, 0.001, 0.003, 0.01):
        found = search.consequences((), time.monotonic() + seconds)
        assert found.solvable in (True, None)
        for claim, holds in found.holds.items():
            assert holds in (Holds.UNKNOWN, complete.get(claim, Holds.NONE))
    assert as_table(search.consequences()) == complete


# -- from given models -------------------------------------------------------------------------------------------------


def test_consequences_of_given_models() -> None:
    models = [MixedGraph.parse("X -> Y; X <-> Y"), MixedGraph.parse("X -> Y")]
    found = consequences_of(Problem(("X", "Y")), models)
    assert {str(claim): str(holds) for claim, holds in found.holds.items()} == {
        "X and Y are adjacent": "all", "X -> Y": "all", "Y -> X": "none", "X <-> Y": "none",
        "X causes Y": "all", "Y causes X": "none", "X and Y are confounded": "some",
    }  # fmt: skip


def test_incomplete_models_settle_only_what_was_seen_both_ways() -> None:
    models = [MixedGraph.parse("X -> Y; X <-> Y"), MixedGraph.parse("X -> Y")]
    found = consequences_of(Problem(("X", "Y")), models, complete=False)
    assert found.solvable is True
    assert found.holds.pop(Claim.parse("X and Y are confounded")) is Holds.SOME  # type: ignore[attr-defined]
    assert set(found.holds.values()) == {Holds.UNKNOWN}


@pytest.mark.parametrize(("complete", "solvable"), [(True, False), (False, None)])
def test_no_models(complete: bool, solvable: bool | None) -> None:
    assert consequences_of(Problem(("X", "Y")), [], complete=complete).solvable is solvable
