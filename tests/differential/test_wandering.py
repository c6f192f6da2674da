"""Random walks over solutions, against all solutions one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Sequence
from functools import partial

import numba
import numpy as np
import pytest

from tests.differential.test_repair import random_evidence, weighted
from tests.support.graphs import all_admgs
from tests.support.problems import random_claim, shown
from weft import oracle, solve
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.statements import Connected, Evidence, Relation, Scope
from weft.graphs.ancestral import is_mag
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.parallel import Workers, working
from weft.search import kernel, wandering
from weft.search.annealing import in_kernel, start_of
from weft.search.asp import AspSearch
from weft.search.brute import Brute
from weft.search.engine import OutOfTime
from weft.search.problem import Problem, is_solution
from weft.search.repair import optimum, softened, within
from weft.search.wandering import Course, Guess, Wandering, can_wander, chosen, freedom, read_edges, worth_of

FIVE = oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]])
"""12,438 MAGs by IOD."""


def problems(name: str, number: int) -> list[Problem]:
    """Problems of three and four variables with ten solutions at least: hard ones, and softened ones within a cost."""
    chance, found = random.Random(name), list[Problem]()
    while len(found) < number:
        method = chance.choice(["iod", "iod-bcd", "causal-iod"])
        evidence = random_evidence(chance, chance.choice([3, 4]), method, selection=False, conflict=False)
        problem = Problem.of(evidence, method)
        if chance.random() < 0.5:
            soft, scale = softened(Problem.of(weighted(chance, evidence), method))
            least = optimum(soft)
            problem = within(soft, least, least.cost + scale.cost(2.0)) if least.cost is not None else problem
        if chance.random() < 0.3:
            problem = problem.with_claims([random_claim(chance, problem.names)])
        if can_wander(problem) and len(list(_solutions(problem))) >= 10:
            found.append(problem)
    return found


def _solutions(problem: Problem) -> list[MixedGraph]:
    return list(AspSearch(problem).graphs(problem.claims))


def _counted(problem: Problem, claims: Sequence[Claim]) -> tuple[int, bool]:
    return AspSearch(problem).count((*problem.claims, *claims))


def wandering_of(problem: Problem) -> Wandering:
    found = AspSearch(problem).wandering(problem.claims)
    assert found is not None
    return found


def drawn_by(walks: Wandering, problem: Problem, seed: int = 1) -> list[np.ndarray]:
    course = Course(problem, tuple(walks._pairs), walks.heat(None))
    return wandering.walk(course, walks._starts, seed)


def test_solutions_are_met_alike() -> None:
    """Every solution is met, nothing else is, and each as often as any other as far as the draws can tell."""
    squares = []
    for problem in problems("alike", 14):
        walks, every = wandering_of(problem), _solutions(problem)
        chains = drawn_by(walks, problem)
        met = Counter(read_edges(problem.names, row) for chain in chains for row in chain.tolist())
        assert set(met) <= set(every), shown(problem)
        worth, number = worth_of(chains), sum(met.values())
        assert worth >= number / 4, shown(problem)
        expected = number / len(every)
        if expected >= 10:
            assert set(met) == set(every), shown(problem)
            square = sum((met[graph] - expected) ** 2 / expected for graph in every) * worth / number
            squares.append((square - len(every) + 1) / math.sqrt(2 * (len(every) - 1)))
    assert len(squares) >= 8
    assert max(squares) < 5
    assert abs(sum(squares) / len(squares)) < 3


def test_what_is_met_is_a_solution_by_definition() -> None:
    for problem in problems("definition", 6):
        for graph in wandering_of(problem).drawn(3).graphs:
            assert is_solution(problem, graph), f"{graph}; {shown(problem)}"


def test_a_guess_by_stages_is_near_the_number(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wandering, "COUNTED_BITS", 2.0)
    off = []
    for problem in problems("guess", 8):
        found = wandering_of(problem).guess(partial(_counted, problem), 5)
        number = len(_solutions(problem))
        off.append(abs(math.log(found.value / number)) / math.log(found.agreement))
        assert number / 1.5 < found.value < number * 1.5, shown(problem)
    assert sum(one <= 1 for one in off) >= 6  # 95 % of them, in the long run


def test_few_solutions_are_counted_at_once() -> None:
    problem = Problem.of(Evidence((Scope("a", tuple("WXYZ")),)), "iod")
    found = wandering_of(problem).guess(partial(_counted, problem), 1)
    assert found == Guess(2_492, 1.0)


def test_without_a_count_the_stages_go_on_to_one_solution() -> None:
    """As where the solver is of no help."""
    found = wandering_of(Problem.of(FIVE, "iod")).guess(lambda claims: (0, False), 2)
    assert 12_438 / 1.5 < found.value < 12_438 * 1.5
    assert found.agreement > 1


def test_walks_are_the_same_each_time_and_anywhere() -> None:
    problem = problems("same", 1)[0]
    alone = wandering_of(problem).drawn(7)
    with working(Workers(2)):
        assert wandering_of(problem).drawn(7) == alone
    assert wandering_of(problem).drawn(8) != alone


def test_a_walk_ends_with_the_effort_and_the_time() -> None:
    walks = wandering_of(Problem.of(FIVE, "iod"))
    with Effort(1).here(), pytest.raises(OutOfTime):
        walks.drawn(1)
    with pytest.raises(OutOfTime):
        walks.drawn(1, deadline=0.0)


def test_with_little_effort_walks_are_short_and_their_draws_worth_less() -> None:
    walks = wandering_of(Problem.of(FIVE, "iod"))
    with Effort(100_000).here() as whole:
        long = walks.drawn(1)
    with Effort((100_000 - whole.left) // 2).here() as half:
        brisk = walks.drawn(1)
    assert half.left > 0
    assert wandering.WORTH <= brisk.worth < long.worth


def test_draws_that_are_worth_too_little_are_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wandering, "WORTH", 10_000)
    with pytest.raises(OutOfTime):
        wandering_of(Problem.of(FIVE, "iod")).drawn(1)


# -- where they may go -------------------------------------------------------------------------------------------------

PAIR = (Scope("a", ("X", "Y")),)


def related(*allowed: Structure) -> Problem:
    evidence = Evidence(PAIR, (Connected("a", "X", "Y"), Relation("X", "Y", frozenset(allowed))))
    return Problem.of(evidence, "causal-iod")


@pytest.mark.parametrize(
    ("allowed", "can"),
    [
        ((Structure.CAUSES,), True),
        ((Structure.CAUSES, Structure.CAUSES_COMMON), True),
        ((Structure.CAUSES_COMMON,), False),
        ((Structure.COMMON,), True),
        ((Structure.CAUSES, Structure.COMMON), True),
        ((Structure.CAUSES, Structure.COMMON, Structure.CAUSED_COMMON), False),
    ],
)
def test_walks_know_nothing_of_hidden_causes_that_must_be(allowed: tuple[Structure, ...], can: bool) -> None:
    assert can_wander(related(*allowed)) is can


def test_neither_selection_nor_a_claim_of_confounding_is_walked() -> None:
    problem = Problem.of(Evidence(PAIR, (Connected("a", "X", "Y"),)), "iod")
    assert can_wander(problem)
    assert not can_wander(Problem.of(Evidence(PAIR, (Connected("a", "X", "Y"),)), "iod", selection=True))
    assert not can_wander(problem.with_claims([Claim.parse("X and Y are confounded")]))
    assert can_wander(problem.with_claims([Claim.parse("X and Y are not confounded")]))


def test_there_is_no_walk_without_a_solution() -> None:
    problem = Problem.of(oracle("X -> Y", [["X", "Y"]]), "iod")
    assert AspSearch(problem).wandering([Claim.parse("not X o-o Y")]) is None


def test_other_engines_walk_too() -> None:
    from weft.search.enumeration import EnumeratingSearch

    problem = Problem.of(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod")
    assert EnumeratingSearch(Brute(), problem).wandering() is not None


# -- the kernel and the sums -------------------------------------------------------------------------------------------


@numba.njit
def _flaws(graph: np.ndarray) -> int:
    return kernel.flaws(graph)


def test_a_graph_without_flaws_is_a_mag() -> None:
    checked = Counter[bool]()
    for size in (2, 3):
        for graph in all_admgs(size):
            if not graph.doubled:
                nothing = in_kernel(Problem(graph.names, {}), frozenset(), 0)
                sets = start_of(nothing, size, 1, graph).graph
                assert (_flaws(sets) == 0) == is_mag(graph), str(graph)
                checked[is_mag(graph)] += 1
    assert min(checked.values()) > 5


def test_draws_are_worth_what_their_walks_agree_on() -> None:
    chance = np.random.default_rng(1)
    same = [chance.integers(0, 4, (250, 40)).astype(np.uint8) for _ in range(8)]
    assert 1_000 < worth_of(same) <= 2_000
    stuck = [np.repeat(chance.integers(0, 4, (5, 40)), 50, axis=0).astype(np.uint8) for _ in range(8)]
    assert 25 < worth_of(stuck) < 70


def test_freedom_and_the_next_pair() -> None:
    chains = [np.array([[0, 1, 2], [0, 3, 2], [0, 0, 1], [0, 2, 2]], np.uint8)]
    assert freedom(chains, [1]) == pytest.approx(2.0)
    assert freedom(chains, [0]) == 0
    assert chosen(chains, [0, 2]) == (2, 1)


def test_a_guess_is_no_number() -> None:
    assert not isinstance(Guess(10, 1.1), int)
    assert "no guarantee" in str(Guess(10, 1.1))


def test_a_set_of_solutions_guesses() -> None:
    solutions = solve(FIVE, "iod")
    found = solutions.guess()
    assert isinstance(found, Guess)
    assert 12_438 / 1.3 < found.value < 12_438 * 1.3
