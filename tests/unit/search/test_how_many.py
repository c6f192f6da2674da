"""Which means counts and draws, and what comes of it."""

from __future__ import annotations

from typing import Any

import pytest

from weft import oracle
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.search import how_many
from weft.search.asp import AspSearch
from weft.search.bounds import Bounds, bounds_of
from weft.search.counting import Estimate
from weft.search.engine import OutOfTime
from weft.search.how_many import COUNTING_SEED, FAIR_SAMPLE, Counted, count, draw
from weft.search.problem import Problem, is_solution
from weft.search.sieve import Sieve, Sifted

FIVE = Problem.of(oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]]), "iod")
"""12,438 MAGs."""
HIDDEN = Problem.of(
    oracle("A -> B; A <-> B; C <-> B; D <-> B; E <-> B", [["A", "B"], ["B", "C"], ["B", "D"], ["B", "E"]]), "causal-iod"
)
"""No walk leads over its solutions: a relation asks for a common cause beside an effect."""


@pytest.fixture(autouse=True)
def few(monkeypatch: pytest.MonkeyPatch) -> None:
    """As if 12,438 were too many to walk."""
    monkeypatch.setattr(how_many, "COUNTED_SOON", 20)
    monkeypatch.setattr(how_many, "WALKED", 0)


def within(found: Counted, truth: int) -> bool:
    assert isinstance(found.total, Estimate)
    return truth / found.total.factor <= found.total.value <= truth * found.total.factor


def test_the_sieve_comes_first() -> None:
    found = count(AspSearch(FIVE), (), None, walking=False)
    assert found.sifted is not None
    assert within(found, 12_438)
    assert found.is_known
    assert not found.exact
    assert found.about == found.sifted.number.value


def test_without_it_cells_count() -> None:
    problem = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod", selection=True)
    found = count(AspSearch(problem), (), None)
    assert (found.total, found.exact, found.sifted) == (51, True, None)


def test_what_can_be_walked_is_walked_after_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(how_many, "WALKED", 10)
    with Effort(50_000).here():
        assert count(AspSearch(FIVE), (), None) == Counted(12_438, True)
    with Effort(900).here():
        assert within(count(AspSearch(FIVE), (), None), 12_438)


def test_under_claims() -> None:
    claims = [Claim.parse("A causes B")]
    found = count(AspSearch(FIVE), claims, None, walking=False)
    assert within(found, AspSearch(FIVE).count(claims)[0])


def test_with_too_little_effort_it_is_not_known() -> None:
    with Effort(30).here():
        found = count(AspSearch(FIVE), (), None)
    assert not found.is_known
    assert found.sifted is None
    assert found.more_than >= 19


def test_draws_of_the_count_are_used_again() -> None:
    search = AspSearch(FIVE)
    counted = count(search, (), None, walking=False)
    assert counted.sifted is not None
    found = draw(search, (), counted, FAIR_SAMPLE, COUNTING_SEED, fewer=True)
    assert found.graphs == list(dict.fromkeys(counted.sifted.graphs))
    assert found.worth is None


def test_other_draws_are_of_their_seed_and_different() -> None:
    search = AspSearch(FIVE)
    counted = count(search, (), None, walking=False)
    first, again, other = (draw(search, (), counted, 300, seed) for seed in (5, 5, 6))
    assert first == again
    assert first != other
    assert len(set(first.graphs)) == 300
    assert first.worth is None
    assert all(is_solution(FIVE, graph) for graph in first.graphs[:20])


def test_where_few_are_sifted_walks_meet_more(monkeypatch: pytest.MonkeyPatch) -> None:
    search = AspSearch(FIVE)
    counted = count(search, (), None, walking=False)
    assert counted.sifted is not None
    few = counted._replace(sifted=counted.sifted._replace(graphs=counted.sifted.graphs[:40]))
    found = draw(search, (), few, 500, COUNTING_SEED, fewer=True)
    assert len(set(found.graphs)) == 500
    assert found.graphs[:40] == list(dict.fromkeys(few.sifted.graphs))[:40] if few.sifted else False
    assert 40 <= (found.worth or 0) <= 500


def test_where_no_walk_leads_fewer_must_do() -> None:
    search = AspSearch(HIDDEN)
    counted = count(search, (), None, walking=False)
    assert counted.sifted is not None
    few = counted._replace(sifted=counted.sifted._replace(graphs=counted.sifted.graphs[:12]))
    found = draw(search, (), few, 30, COUNTING_SEED, fewer=True)
    assert 1 < len(found.graphs) <= 12
    with Effort(1).here(), pytest.raises(OutOfTime):
        draw(search, (), few, 30, 5)


def test_cells_are_drawn_from_where_there_is_no_sieve() -> None:
    problem = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod", selection=True)
    search = AspSearch(problem)
    found = draw(search, (), count(search, (), None, walking=False), 10, 1)
    assert len(set(found.graphs)) == 10
    assert found.worth is None


def test_the_sieve_is_told_what_solutions_agree_on_if_it_finds_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    told = list[Bounds]()

    def sifted(self: Sieve, *arguments: Any, hurried: bool = False, **settings: Any) -> Sifted:
        if hurried:
            raise OutOfTime
        told.append(self.bounds)
        return plain(self, *arguments, **settings)

    plain = Sieve.sifted
    monkeypatch.setattr(Sieve, "sifted", sifted)
    search, claims = AspSearch(FIVE), [Claim.parse("A -> B")]
    found = count(search, claims, None, walking=False)
    assert within(found, search.count(claims)[0])
    closer = search.consequences(claims).narrowed(bounds_of(FIVE), FIVE.names)
    assert closer != bounds_of(FIVE)
    assert found.sifted is not None
    draw(search, claims, found, 200, 1)
    assert told == [closer, closer], "counted and drawn with the same"
