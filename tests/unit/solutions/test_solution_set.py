"""Solution sets: counting, limits, walking, classes, samples, shares, scores, conflicts and errors."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.support.waiting import LONGER_AND_LONGER
from weft.errors import ProblemError, WeftError
from weft.evidence.claims import Claim, Topic
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.report.text import lines
from weft.report.view import view_of
from weft.search.conflicts import Conflict
from weft.search.counting import Estimate
from weft.search.registry import ENGINES
from weft.solutions.result_file import load_result
from weft.solutions.solution_set import SolutionSet, solve

CHAIN = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
MOTIVATING = oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])
CONTRADICTION = Evidence(
    (Scope("a", ("X", "Y")),),
    (Relation("X", "Y", frozenset({Structure.COMMON})), Relation("X", "Y", frozenset({Structure.CAUSES}))),
)
SILENT = Evidence((Scope("a", tuple("ABCDEFGH")),))
"""Eight variables and nothing said: more graphs than anyone can walk."""
TINY = 1e-9

every_engine = pytest.mark.parametrize("engine", ENGINES)


def chain(limit: int | None = None, *, engine: str = "asp", timeout: float | None = None) -> SolutionSet:
    """The 38 solutions of IOD for a chain."""
    return solve(CHAIN, "iod", engine=engine, limit=limit, timeout=timeout)


# -- limits ------------------------------------------------------------------------------------------------------------


@every_engine
@pytest.mark.parametrize(("limit", "count"), [(1, 1), (37, 37), (38, 38), (39, 38), (None, 38)])
def test_a_limit_on_graphs(engine: str, limit: int | None, count: int) -> None:
    solutions = chain(limit, engine=engine)
    complete = limit is None or limit >= 38
    assert solutions.count() == count
    assert solutions.complete is complete
    walk = iter(solutions)
    assert walk.complete is None
    assert len(set(walk)) == count
    assert walk.complete is complete
    pags = solutions.pags()
    assert sum(len(entry.mags) for entry in pags) == count
    assert pags.complete is complete
    assert solutions.score("X -> Y -> Z").complete is complete


def test_a_walk_that_is_over_stays_over() -> None:
    walk = iter(chain(5))
    assert len(list(walk)) == 5
    assert list(walk) == []
    assert walk.complete is False


def test_a_walk_does_not_know_before_its_end() -> None:
    walk = iter(chain(38))
    for _ in range(38):
        next(walk)
    assert walk.complete is None
    assert next(walk, None) is None
    assert walk.complete is True


@pytest.mark.parametrize("limit", [1, 37, 38, 39])
def test_shares_ignore_the_limit(limit: int) -> None:
    share = chain().share("X causes Z")
    assert 0 < share < 1
    assert chain(limit).share("X causes Z") == share == chain().assume("X causes Z").exact_count() / 38


@pytest.mark.parametrize("limit", [1, 37])
def test_what_needs_every_solution_refuses_a_limit_that_is_too_low(limit: int) -> None:
    with pytest.raises(ProblemError, match=r"^a fair sample needs every solution, but a limit was reached first"):
        chain(limit).sample(1)
    with pytest.raises(ProblemError, match=r"^a share needs every solution, but a limit was reached first"):
        chain(limit).summary(shares=True)


@pytest.mark.parametrize("limit", [38, 39])
def test_what_needs_every_solution_takes_a_limit_that_is_high_enough(limit: int) -> None:
    assert set(chain(limit).sample(38)) == set(chain())
    assert chain(limit).summary(shares=True) == chain().summary(shares=True)


def test_a_limit_says_nothing_about_consistency_and_summaries() -> None:
    assert chain(1).consistent is True
    assert chain(1).summary() == chain().summary()
    assert chain(1).conflict() is None


def test_a_limit_goes_with_narrower_sets() -> None:
    narrower = chain(3).assume("X causes Z")
    assert (narrower.limit, narrower.count(), narrower.complete) == (3, 3, False)


# -- time --------------------------------------------------------------------------------------------------------------


@every_engine
def test_hardly_any_time(engine: str) -> None:
    solutions = solve(Evidence((Scope("a", tuple("ABCDE")),)), "iod", engine=engine, timeout=TINY)
    walk = iter(solutions)
    found = list(walk)
    assert walk.complete is False
    assert len(found) < 328_924
    assert solutions.complete is False
    assert solutions.pags().complete is False
    assert solutions.score(MixedGraph.parse("A; B; C; D; E")).complete is False
    assert solutions.consistent in (True, None)
    with pytest.raises(ProblemError, match="a fair sample needs every solution"):
        solutions.sample(3)
    with pytest.raises(ProblemError, match="the time ran out before the share of 'A -> B' was known; raise"):
        solutions.share("A -> B")


def test_a_walk_ends_in_time_and_says_so() -> None:
    walked = counted = 0
    for seconds in LONGER_AND_LONGER:
        solutions = solve(SILENT, "iod", timeout=seconds)
        walk = iter(solutions)
        walked, total = sum(1 for _ in walk), solutions.count()
        counted = total.value if isinstance(total, Estimate) else total
        assert walk.complete is False
        assert solutions.complete is False
        if walked and counted:
            break
    assert walked > 0
    assert counted > 0


@pytest.mark.parametrize("engine", ["powerset", "brute"])
def test_time_runs_out_while_nothing_is_found(engine: str) -> None:
    """Every graph over five variables is gone over, and none has the two claims."""
    evidence = Evidence((Scope("a", tuple("ABCDE")),))
    solutions = solve(evidence, "iod", engine=engine, timeout=0.05).assume("A causes B", "B causes A")
    walk = iter(solutions)
    assert list(walk) == []
    assert walk.complete is False
    assert (solutions.count(), solutions.complete, solutions.consistent) == (0, False, None)
    assert solutions.summary().consistent is None


@every_engine
def test_time_enough_changes_nothing(engine: str) -> None:
    solutions = chain(engine=engine, timeout=600)
    assert solutions.count() == len(set(solutions)) == 38
    assert solutions.complete is True
    assert solutions.summary() == chain(engine=engine).summary()


# -- walking -----------------------------------------------------------------------------------------------------------


@every_engine
def test_two_walks_at_once(engine: str) -> None:
    solutions = chain(engine=engine)
    first, second = zip(*zip(solutions, solutions, strict=True), strict=True)
    assert set(first) == set(second)
    assert len(set(first)) == 38


@every_engine
def test_a_walk_abandoned_half_way_and_another(engine: str) -> None:
    solutions = chain(engine=engine)
    walk = iter(solutions)
    begun = [next(walk) for _ in range(7)]
    assert len(set(solutions)) == 38
    assert solutions.count() == 38
    assert len({*begun, *walk}) == 38


def test_questions_inside_a_loop_over_the_same_set() -> None:
    solutions = chain()
    seen = 0
    for _ in solutions:
        seen += 1
        if seen % 8 == 1:
            assert chain().count() == replace(solutions).count() == 38
            assert solutions.count() == 38
            assert sum(1 for _ in solutions) == 38
            assert solutions.assume("X causes Z").exact_count() < 38
            assert solutions.consistent
            assert solutions.summary().consistent
    assert seen == 38


def test_narrower_sets_walk_side_by_side() -> None:
    solutions = chain()
    with_it, without_it = solutions.assume("X causes Z"), solutions.assume("not X causes Z")
    found = set()
    for mag in with_it:
        found.add(mag)
        found.update(without_it)
    assert found == set(solutions)


# -- samples -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("number", [0, 1, 5, 38, 39])
def test_samples(number: int) -> None:
    drawn = chain().sample(number, seed=7)
    assert len(drawn) == len(set(drawn)) == min(number, 38)
    assert set(drawn) <= set(chain())


@every_engine
def test_a_seed_gives_the_same_sample_again(engine: str) -> None:
    """Whatever the set was asked in between: a warm solver may walk the solutions in another order."""
    evidence = oracle("A -> B; B -> C; C -> D", [["A", "B"], ["B", "C"], ["C", "D"]])
    solutions = solve(evidence, "iod-bcd", engine=engine)
    first = solutions.sample(5, seed=1)
    solutions.assume("A causes D").count()
    assert [set(solutions.sample(5, seed=1)) for _ in range(3)] == [set(first)] * 3
    assert set(solve(evidence, "iod-bcd", engine=engine).sample(5, seed=1)) == set(first)
    assert set(solutions.sample(5, seed=2)) != set(first)


def test_the_whole_seed_counts() -> None:
    solutions, long = chain(), 10**5000
    assert solutions.sample(19, seed=long) != solutions.sample(19, seed=long + 1)
    assert solutions.sample(5, seed=np.int64(3)) == solutions.sample(5, seed=3)  # type: ignore[arg-type]


@pytest.mark.parametrize("seed", [-1, 1.5, "1", None, True])
def test_seeds_that_make_no_sense(seed: Any) -> None:
    with pytest.raises(WeftError, match=r"^seed is .*; give a whole number"):
        chain().sample(3, seed=seed)


# -- claims ------------------------------------------------------------------------------------------------------------


def test_claims_as_words_and_as_values() -> None:
    words = chain().assume("X causes Z", "X -> Z")
    assert words.supposed == (Claim.parse("X causes Z"), Claim.parse("X -> Z"))
    assert set(words) == set(chain().assume(Claim.parse("X -> Z"))) != set()
    assert chain().assume() == chain()


@every_engine
def test_claims_that_contradict_each_other(engine: str) -> None:
    nothing = chain(engine=engine).assume("X causes Z", "Z causes X")
    assert (nothing.count(), nothing.complete, nothing.consistent, list(nothing)) == (0, True, False, [])
    assert len(nothing.pags()) == 0
    assert nothing.pags().complete
    assert nothing.sample(3) == []
    assert nothing.conflict() == Conflict((), minimal=True)


@pytest.mark.parametrize("share", ["X <-> Z", "X and Z are adjacent", "X and Z are not adjacent"])
def test_shares(share: str) -> None:
    assert solve(MOTIVATING).share(share) == 0.5


def test_a_share_of_nothing() -> None:
    with pytest.raises(ProblemError, match="there is no solution, so there are no shares"):
        solve(CONTRADICTION).share("X -> Y")


# -- classes and scores ------------------------------------------------------------------------------------------------


def test_classes_are_a_sequence() -> None:
    pags = chain().pags()
    assert [entry.pag for entry in pags[1:3]] == [pags[1].pag, pags[2].pag]
    assert pags[-1] in pags
    assert all(entry.whole and entry.returned == (entry.pag,) for entry in pags)


def test_a_class_that_is_not_whole_returns_its_mags() -> None:
    (entry,) = solve(CHAIN).pags()
    assert not entry.whole
    assert entry.returned == entry.mags == (MixedGraph.parse("X -> Y -> Z"),)


def test_a_perfect_score() -> None:
    score = solve(CHAIN).score("X -> Y -> Z")
    assert (score.precision, score.recall, score.contains_truth, score.complete) == (1, 1, True, True)


def test_a_score_by_hand() -> None:
    """Y -> X; Y <-> Z, and the same with X <-> Z: 4 of 5 edges are right, and all 2 of the truth are found in both."""
    score = solve(MOTIVATING).score(MixedGraph.parse("Y -> X; Y <-> Z"))
    assert (score.precision, score.recall, score.contains_truth) == (4 / 5, 1, True)
    wrong = solve(MOTIVATING).score("X -> Y; Y <-> Z")
    assert (wrong.precision, wrong.recall, wrong.contains_truth) == (2 / 5, 1 / 2, False)


def test_a_truth_with_more_variables_is_marginalised() -> None:
    assert solve(MOTIVATING).score("Y -> X; L -> Y; L -> Z") == solve(MOTIVATING).score("Y -> X; Y <-> Z")


def test_a_score_of_nothing_is_not_a_number() -> None:
    score = solve(CONTRADICTION).score("X -> Y")
    assert math.isnan(score.precision)
    assert math.isnan(score.recall)
    assert (score.contains_truth, score.complete) == (False, True)


def test_a_score_without_edges() -> None:
    evidence = Evidence((Scope("a", ("X", "Y")),), (Separated("X", "Y", frozenset(), ("a",)),))
    score = solve(evidence).score("X; Y")
    assert (score.precision, score.recall, score.contains_truth) == (1, 1, True)


# -- contradictions ----------------------------------------------------------------------------------------------------


@every_engine
def test_contradictory_relations_of_one_pair(engine: str) -> None:
    solutions = solve(CONTRADICTION, engine=engine)
    assert (solutions.count(), solutions.consistent, list(solutions)) == (0, False, [])
    assert solutions.summary().consistent is False
    found = solutions.conflict()
    assert found is not None
    assert set(found.statements) == set(CONTRADICTION.statements)
    assert found.minimal


def test_iod_does_not_mind_the_relations() -> None:
    assert solve(CONTRADICTION, "iod").count() == 4
    assert solve(CONTRADICTION, "iod").conflict() is None


def test_a_conflict_under_a_claim_names_the_statements() -> None:
    found = solve(CHAIN).assume("Z causes X").conflict()
    assert found is not None
    assert found.statements
    assert solve(CHAIN).conflict() is None


# -- errors ------------------------------------------------------------------------------------------------------------


def test_errors_are_one_line_each() -> None:
    solutions = chain()
    for ask, message in (
        (lambda: solve(CHAIN, "pc"), "there is no method 'pc'"),
        (lambda: solve(CHAIN, engine="sat"), "there is no engine 'sat'"),
        (lambda: solve(CHAIN, limit=0), "the limit is 0; it must be at least 1"),
        (lambda: solve(CHAIN, timeout=0), "the timeout is 0 seconds; it must be more than 0"),
        (lambda: solutions.assume("X causes Q"), "'X causes Q': 'Q' is not one of the variables X, Y, Z"),
        (lambda: solutions.assume("X is nice"), "'X is nice' is not a claim"),
        (lambda: solutions.share("X causes X"), "name two different variables"),
    ):
        with pytest.raises(ProblemError) as error:
            ask()
        assert message in str(error.value)
        assert "\n" not in str(error.value)


def test_brute_refuses_six_variables_when_asked() -> None:
    evidence = Evidence((Scope("a", tuple("ABCDEF")),), (Connected("a", "A", "B"),))
    with pytest.raises(ProblemError, match="engine 'brute' takes up to 5 variables and there are 6; use engine 'asp'"):
        solve(evidence, engine="brute").count()


def test_a_result_whose_repair_was_not_proven_is_looked_into_again(tmp_path: Path) -> None:
    """The time ended at a poor repair; read back, it stands in for hurried questions and is no more than that."""
    studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    says = (Connected("a", "X", "Y", weight=2.0), Separated("X", "Y", frozenset(), ("b",), weight=1.0))
    hurried = solve(Evidence(studies, says), "iod", conflicts="repair", timeout=1e-9)
    hurried._search.remember(
        {
            "cost": 2000, "bound": 0, "proven": False, "given_up": [["connected", 0]], "always": [], "sometimes": [],
            "settled": False, "graph": "X; Y",
        }
    )  # fmt: skip
    hurried.save(tmp_path / "result.json")
    loaded = load_result(tmp_path / "result.json")
    assert not loaded.is_final
    standing_in = replace(loaded, timeout=1e-9).repair()
    assert standing_in is not None
    assert (standing_in.cost, standing_in.proven) == (2.0, False)
    best = replace(loaded, timeout=None).repair()
    assert best is not None
    assert (best.cost, best.proven, best.given_up) == (1.0, True, (says[1],))
    assert loaded.is_final


def test_a_share_of_structures_that_were_walked_needs_no_solver(monkeypatch: pytest.MonkeyPatch) -> None:
    solutions = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")
    claims = ("X -> Z", "not X causes Z", "X o-> Y")
    counted = [solutions.share(claim) for claim in claims]
    assert len(solutions.structures) == 38
    monkeypatch.setattr(type(solutions._search), "count", None)
    assert [solutions.share(claim) for claim in claims] == counted


# -- too many to walk --------------------------------------------------------------------------------------------------

MANY = oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]])
"""12,438 structures by IOD."""


@pytest.fixture
def few_walked(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 12,438 structures were too many to walk."""
    monkeypatch.setattr("weft.search.how_many.COUNTED_SOON", 1_000)
    monkeypatch.setattr("weft.search.how_many.WALKED", 0)
    monkeypatch.setattr("weft.solutions.structures.MOST_STRUCTURES", 1_000)


@pytest.fixture
def no_sieve(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if there were too many variables for it."""
    monkeypatch.setattr("weft.search.search.can_sift", lambda problem: False)


@pytest.mark.usefixtures("few_walked")
@pytest.mark.parametrize("means", ["sieve", "cells"])
def test_what_is_too_many_to_walk_is_estimated_and_drawn_fairly(
    means: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    if means == "cells":
        request.getfixturevalue("no_sieve")
    solutions = solve(MANY, "iod")
    total = solutions.count()
    assert isinstance(total, Estimate)
    assert 12_438 / total.factor <= total.value <= 12_438 * total.factor
    assert solutions.complete is False
    assert solve(MANY, "iod").count() == total, "the same estimate each time"
    found = solutions.structures
    assert (found.complete, found.fair, found.total, found.worth) == (False, True, total, None)
    assert 2_700 < found.number <= total.value // 4, "the sieve draws some of 12,438 twice"
    assert found.drawn == f"{found.number:,} structures drawn fairly from {total}"
    every = solve(MANY, "iod").walked(None)
    for one in solutions.summary(shares=True).findings:
        if one.share is not None:
            assert abs(one.share - every.share(one.claim)) < 0.05
            assert solutions.share(one.claim) == one.share
    assert solutions.suggest().how == found.drawn
    assert set(solutions.sample(50, seed=3)) <= set(every)
    assert solutions.sample(50, seed=3) == solve(MANY, "iod").sample(50, seed=3)
    solutions.save(tmp_path / "result.json")
    read = load_result(tmp_path / "result.json")
    assert (read.structures, read.count()) == (found, total)


@pytest.mark.usefixtures("few_walked")
def test_first_found_structures_are_not_called_fair() -> None:
    assert solve(MANY, "iod", limit=100).structures.fair is False
    assert solve(MANY, "iod", limit=20_000).structures.fair is True
    stopped = solve(MANY, "iod", effort=40)
    assert isinstance(stopped.count(), int)
    assert stopped.complete is False
    assert stopped.structures.fair is False
    with pytest.raises(ProblemError, match="a fair sample needs every solution, or their number"):
        stopped.sample(3)


@pytest.mark.usefixtures("few_walked", "no_sieve")
@pytest.mark.parametrize("walks", [True, False])
def test_what_is_too_many_to_count_has_a_lower_bound(
    walks: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is shown by structures met on random walks, or, if walks do not do, by those found first."""
    monkeypatch.setattr("weft.solutions.solution_set.SHOWING", 600)  # does not suffice for an estimate
    monkeypatch.setattr("weft.report.view.effort_for_words", lambda variables: 600)
    if not walks:
        monkeypatch.setattr("weft.search.search.can_wander", lambda problem: False)
    solutions = solve(MANY, "iod")
    found = solutions.structures
    assert (found.complete, found.fair, found.total) == (False, walks, None)
    assert 1_000 < (found.worth or 0) <= found.number if walks else (found.worth, found.number) == (None, 500)
    assert 1_000 <= found.more_than < 12_438
    how = "met on random walks" if walks else "the first 500 found"
    words = view_of(solutions, details=False)
    assert words.headline.startswith("More than ")
    assert how in words.headline
    assert (words.next_steps is not None) is walks, "what is not typical is no reason to do anything"
    assert any("Next            not told" in line for line in lines(words)) is not walks
    assert ("random walks" if walks else "the first") in found.basis
    assert ("random walks" if walks else "the first") in solutions.suggest().how
    solutions.save(tmp_path / "result.json")
    assert load_result(tmp_path / "result.json").structures == found
    assert solve(MANY, "iod").structures == found, "the same each time"


@pytest.mark.usefixtures("few_walked", "no_sieve")
def test_words_rest_on_walks_where_their_effort_is_too_little_to_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weft.search.counting.ROUGH", 1 << 30)  # no cell tells anything
    monkeypatch.setattr("weft.report.view.effort_for_words", lambda variables: 20)
    words = view_of(solve(MANY, "iod"), details=False)
    assert words.structures.fair
    assert 100 <= (words.structures.worth or 0) <= words.structures.number
    assert words.next_steps is not None
    assert f"worth about {words.structures.worth:,} independent draws" in words.headline


@pytest.mark.usefixtures("few_walked", "no_sieve")
def test_shares_of_walks_are_near_those_of_all(monkeypatch: pytest.MonkeyPatch) -> None:
    every = solve(MANY, "iod").walked(None)
    monkeypatch.setattr("weft.solutions.solution_set.SHOWING", 600)
    met = solve(MANY, "iod").structures
    assert met.worth is not None
    for x, y in combinations(met.names, 2):
        for symbol in ("->", "<-", "<->"):
            claim = Claim(Topic.EDGE, x, y, symbol=symbol)
            wanted = every.share(claim)
            assert abs(met.share(claim) - wanted) < 0.01 + 4 * math.sqrt(wanted * (1 - wanted) / met.worth), claim


@pytest.mark.usefixtures("few_walked")
def test_what_is_assumed_is_estimated_too() -> None:
    narrower = solve(MANY, "iod").assume("A and E are not adjacent")
    total, exact = narrower.count(), sum(1 for _ in narrower)
    assert isinstance(total, Estimate)
    assert exact / 1.2 <= total.value <= exact * 1.2
    assert {mag.edge("A", "E") for mag in narrower.sample(20)} == {None}
