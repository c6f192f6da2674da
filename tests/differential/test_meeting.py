"""Walks that meet, against all solutions one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from functools import partial
from itertools import combinations

import numpy as np
import pytest

from benchmarks.problems import Family
from tests.differential.test_wandering import FIVE, PAIR, _counted, _solutions, problems
from tests.support.problems import shown
from weft import SolutionSet, solve
from weft.effort import Effort
from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.statements import Connected, Evidence
from weft.graphs.mixed import MixedGraph
from weft.parallel import Workers, working
from weft.search import how_many, meeting
from weft.search.asp import AspSearch
from weft.search.counting import Estimate
from weft.search.engine import OutOfTime
from weft.search.meeting import Coupling, Meeting, NotMetError, spread_out
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.wandering import HEATS, Course, number_edges, read_edges
from weft.solutions import solution_set

TWO_KINDS = solve(Family(15, 2, 5, method="iod").evidence(1), "iod")
"""Walks from some of its solutions do not find the way to others: eight from one solution agree all the same."""


def meeting_of(problem: Problem) -> Meeting:
    found = AspSearch(problem).meeting(problem.claims)
    assert found is not None
    return found


def test_starts_have_every_edge_that_any_solution_has() -> None:
    for problem in problems("starts", 12):
        starts = spread_out(AspSearch(problem).find, problem.names, problem.claims)
        every = _solutions(problem)
        assert set(starts) <= set(every), shown(problem)
        assert _edges(starts) == _edges(every), shown(problem)
        assert len(starts) <= 4 * math.comb(len(problem.names), 2)


def _edges(graphs: list[MixedGraph]) -> set[tuple[int, int]]:
    return {one for graph in graphs for one in enumerate(number_edges(graph))}


def test_starts_that_are_not_known_in_time_are_none() -> None:
    with pytest.raises(OutOfTime):
        spread_out(lambda claims: Found(Status.OUT_OF_TIME), ("X", "Y"), ())


def test_numbers_of_edges_come_back() -> None:
    for graph in _solutions(Problem.of(FIVE, "iod"))[::500]:
        assert read_edges(graph.names, number_edges(graph)) == graph


def test_draws_are_fair_and_independent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Chi-square over all structures: as for independent draws, on problems where walks meet."""
    monkeypatch.setattr(meeting, "PAIRS", 3_000)
    squares = []
    for problem in problems("fair", 10):
        every = _solutions(problem)
        try:
            met = meeting_of(problem).met(3)
        except NotMetError:
            continue
        seen = Counter(met.graphs)
        assert set(seen) <= set(every), shown(problem)
        if (expected := len(met.graphs) / len(every)) >= 5:
            square = sum((seen[graph] - expected) ** 2 / expected for graph in every)
            squares.append((square - len(every) + 1) / math.sqrt(2 * (len(every) - 1)))
    assert len(squares) >= 6
    assert max(squares) < 4
    assert abs(sum(squares) / len(squares)) < 1.5


def test_both_walks_of_a_pair_are_walks_as_any(monkeypatch: pytest.MonkeyPatch) -> None:
    """The one that stays behind draws as fairly as the other: the same steps are right for both."""
    problem = problems("behind", 1)[0]
    every, names = _solutions(problem), problem.names
    pairs = tuple(combinations(range(len(names)), 2))
    forth = Coupling(Course(problem, pairs, HEATS[-1]), 60 * len(pairs), 60 * len(pairs))
    chance, rows = random.Random(1), list[tuple[int, ...]]()
    for seed in range(1, 1_501):
        row = forth((chance.choice(every), chance.choice(every), seed)).row
        rows += [] if row is None else [tuple(row)]
    seen = Counter(read_edges(names, row) for row in rows)
    expected = len(rows) / len(every)
    square = sum((seen[graph] - expected) ** 2 / expected for graph in every)
    assert abs(square - len(every) + 1) < 4 * math.sqrt(2 * (len(every) - 1))


def test_the_same_solution_meets_itself_at_once() -> None:
    problem = Problem.of(FIVE, "iod")
    pairs, graph = tuple(combinations(range(5), 2)), _solutions(problem)[0]
    found = Coupling(Course(problem, pairs, HEATS[-1]), 0, 10)((graph, graph, 1))
    assert (found.steps, found.row) == (0, number_edges(graph))


def test_estimates_are_within_their_factor() -> None:
    """With many stages, although there are few structures: as often as promised."""
    off = []
    for problem in problems("estimates", 14):
        number = len(_solutions(problem))
        try:
            found = meeting_of(problem)
            estimate = found.estimated(found.met(5), partial(_counted, problem), 5, counted_bits=2.0)
        except NotMetError:
            continue
        assert estimate.walks == meeting.PAIRS
        off.append(abs(math.log(estimate.value / number)) / math.log(estimate.factor) if estimate.factor > 1 else 0.0)
    assert len(off) >= 10
    assert sum(one <= 1.001 for one in off) >= 0.8 * len(off)  # 95 % in the long run


def test_what_varies_more_is_less_certain() -> None:
    assert meeting._variance([(3, 10)] * 5) == 0
    few, many = ([(0, 10), (6, 10)] * k for k in (5, 50))
    assert meeting._variance(few) == pytest.approx(10 * meeting._variance(many), rel=0.15)
    ten = np.random.default_rng(1).binomial(10, 0.3, 4_000).tolist()  # independent draws: the binomial variance
    assert meeting._variance([(a, 10) for a in ten]) == pytest.approx(0.7 / 0.3 / 40_000, rel=0.1)


def test_walks_that_do_not_meet_tell_nothing() -> None:
    found = TWO_KINDS._search.meeting(())
    assert found is not None
    with pytest.raises(NotMetError):
        found.met(1)
    with pytest.raises(ProblemError, match="fair sample"):
        replace(TWO_KINDS, effort=5_000).sample(10)


def test_walks_from_one_solution_do_not_pass_for_more_than_they_are_worth() -> None:
    """They agree with each other, and have missed half of the solutions."""
    walks = TWO_KINDS._search.wandering(())
    assert walks is not None
    with pytest.raises(OutOfTime):
        walks.drawn(1)


def test_the_same_each_time_and_anywhere() -> None:
    found = meeting_of(Problem.of(FIVE, "iod"))
    alone = found.met(7)
    with working(Workers(2)):
        assert found.met(7) == alone
    assert found.met(8).graphs != alone.graphs
    spread = found.spread(alone, 400, 1)
    assert found.spread(alone, 400, 1) == spread
    assert len(set(spread.graphs)) == len(spread.graphs) >= 400
    assert len(alone.graphs) / 2 < spread.worth <= len(spread.graphs)


def test_they_end_with_the_effort_and_the_time() -> None:
    found = meeting_of(Problem.of(FIVE, "iod"))
    met = found.met(1)
    with Effort(3).here():
        with pytest.raises(OutOfTime):
            found.met(1)
        with pytest.raises(OutOfTime):
            found.estimated(met, lambda claims: (0, False), 1)
        with pytest.raises(OutOfTime):
            found.spread(met, 2_000, 1)
        assert len(found.spread(met, 2_000, 1, fewer=True).graphs) <= len(met.graphs)
    with pytest.raises(OutOfTime):
        found.met(1, deadline=0.0)
    assert len(found.spread(met, 300, 1, fewer=True).graphs) >= 300, "without a limit there are as many as wanted"


def test_there_are_no_walks_where_walks_know_too_little() -> None:
    connected = Evidence(PAIR, (Connected("a", "X", "Y"),))
    assert AspSearch(Problem.of(connected, "iod", selection=True)).meeting() is None
    assert AspSearch(Problem.of(connected, "iod")).meeting([Claim.parse("not X o-o Y")]) is None


@pytest.fixture
def only_walks(monkeypatch: pytest.MonkeyPatch) -> SolutionSet:
    """A set of 12,438 structures of which neither a walk over all, nor the sieve, nor cells tell the number."""
    monkeypatch.setattr(how_many, "COUNTED_SOON", 1_000)
    monkeypatch.setattr(how_many, "_sifted", lambda *asked: None)
    monkeypatch.setattr(how_many, "_by_cells", lambda *asked: None)
    monkeypatch.setattr(how_many, "WALKED", 0)
    monkeypatch.setattr(solution_set, "most_structures", lambda variables: 1_000)
    return solve(FIVE, "iod")


def test_a_solution_set_counts_and_draws_by_walks(only_walks: SolutionSet) -> None:
    number = only_walks.count()
    assert isinstance(number, Estimate)
    assert number.walks == meeting.PAIRS
    assert "by walks, 150 pairs of which met" in str(number)
    assert 12_438 / number.factor <= number.value <= 12_438 * number.factor
    sample = only_walks.sample(500, seed=3)
    assert len(set(sample)) == 500
    assert sample == only_walks.sample(500, seed=3)
    assert sample != only_walks.sample(500, seed=4)
    assert all(only_walks.contains(graph) for graph in sample[::50])
    structures = only_walks.structures
    assert structures.fair
    assert structures.total == number


def test_a_sample_needs_no_number(only_walks: SolutionSet, monkeypatch: pytest.MonkeyPatch) -> None:
    def none(*asked: object) -> Estimate:
        raise OutOfTime

    monkeypatch.setattr(Meeting, "estimated", none)
    assert not only_walks.complete
    assert only_walks.count() == 1_000
    assert len(set(only_walks.sample(300, seed=1))) == 300
