"""Cells of random parities: against walks over all solutions."""

from __future__ import annotations

import itertools
import math
import random
from collections import Counter

import numpy
import pytest

from weft import SolutionSet, oracle, solve
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.statements import Connected, Evidence, Scope, Separated
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg
from weft.search.counting import (
    UNEVEN,
    Cells,
    Drawing,
    Estimate,
    Parities,
    TooMany,
    drawn,
    echelon,
    estimated,
    part_of,
)
from weft.search.engine import OutOfTime

SILENT = Evidence((Scope("a", tuple("WXYZ")),))
"""Nothing is said about four variables: 2,492 MAGs."""
CHAIN = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
FIVE = oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]])
"""12,438 MAGs by IOD."""


def at_odds() -> Evidence:
    """Two studies that contradict each other."""
    scopes = (Scope("a", tuple("XYZ")), Scope("b", tuple("XYZ")))
    says = (
        Connected("a", "X", "Y", weight=1.0),
        Separated("X", "Y", frozenset(), ("b",), weight=1.5),
        Connected("a", "Y", "Z", weight=2.0),
    )
    return Evidence(scopes, says)


def cells_of(solutions: SolutionSet) -> Cells:
    found = solutions._search.cells(solutions.supposed)
    assert found is not None
    return found


SETS = {
    "iod": lambda: solve(CHAIN, "iod"),
    "iod-bcd": lambda: solve(CHAIN, "iod-bcd"),
    "causal-iod": lambda: solve(CHAIN, "causal-iod"),
    "ion": lambda: solve(CHAIN, "ion"),
    "selection": lambda: solve(CHAIN, "iod", selection=True),
    "repaired": lambda: solve(at_odds(), "iod", conflicts="repair"),
    "slack": lambda: solve(at_odds(), "iod", conflicts="repair", slack=1.0),
    "coverage": lambda: solve(at_odds(), "iod", conflicts="repair", coverage=0.9),
    "assumed": lambda: solve(CHAIN, "iod").assume("X causes Z"),
    "denied": lambda: solve(CHAIN, "iod").assume("X and Z are not adjacent", "X does not cause Y"),
    "confounded": lambda: solve(CHAIN, "iod").assume(Claim.parse("X and Z are confounded")),
    "two": lambda: solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]), "causal-iod"),
    "one": lambda: solve(CHAIN, "causal-iod").assume("X -> Y"),
    "none": lambda: solve(CHAIN, "causal-iod").assume("Y -> X"),
}


@pytest.mark.parametrize("name", SETS)
def test_the_cells_of_parities_part_the_solutions(name: str) -> None:
    solutions = SETS[name]()
    every = set(solutions)
    for number in (0, 1, 4):
        cells = cells_of(solutions)
        parities = cells.parities(number, random.Random(number))
        seen: list[MixedGraph] = []
        for odd in range(1 << number):
            cell = parities.cell(_Given(odd))
            own = cells.solutions(cell, 10_000, None)
            assert cells.size(cell, 10_000, None) == len(own)
            seen += own
        assert len(seen) == len(set(seen)) == len(every)
        assert set(seen) == every


class _Given(random.Random):
    """Says what it was told to say."""

    def __init__(self, bits: int) -> None:
        super().__init__(0)
        self._bits = bits

    def getrandbits(self, number: int, /) -> int:
        return self._bits


@pytest.mark.parametrize("name", SETS)
def test_small_sets_are_counted_exactly(name: str) -> None:
    solutions = SETS[name]()
    number = len(list(solutions))
    assert estimated(cells_of(solutions), 0) == number


def test_parities_in_reduced_form_make_the_same_cells() -> None:
    chance = random.Random(5)
    for _ in range(50):
        width, number = chance.randint(1, 6), chance.randint(1, 7)
        masks = [chance.getrandbits(width) for _ in range(number)]
        rows = echelon(masks)
        pivots = [row.mask.bit_length() - 1 for row in rows if row.mask]
        assert all(sum(row.mask >> pivot & 1 for row in rows) == 1 for pivot in pivots)
        for odd, marks in itertools.product(range(1 << number), range(1 << width)):
            plain = all((mask & marks).bit_count() % 2 == odd >> k & 1 for k, mask in enumerate(masks))
            reduced = all((row.mask & marks).bit_count() % 2 == (row.combined & odd).bit_count() % 2 for row in rows)
            assert plain == reduced


def test_two_solutions_meet_in_a_cell_as_often_as_chance_has_it() -> None:
    """Pairwise: 3 parities put two of the 38 solutions of the chain into one cell with probability 1/8."""
    solutions = SETS["iod"]()
    cells, source, together, draws = cells_of(solutions), random.Random(3), 0, 150
    for _ in range(draws):
        size = cells.size(cells.parities(3, source).cell(source), 38, None)
        together += size * (size - 1)
    expected = draws * 38 * 37 / 64  # both in this cell: 1/8 * 1/8
    assert abs(together / expected - 1) < 0.25


def test_estimates_keep_their_factor() -> None:
    solutions = solve(FIVE, "iod")
    found = [estimated(cells_of(solutions), seed) for seed in range(8)]
    values = [one.value for one in found if isinstance(one, Estimate) and (one.factor, one.probability) == (1.2, 0.95)]
    assert len(values) == 8
    assert len(set(values)) > 1, "they are estimates"
    assert all(12_438 / 1.2 <= value <= 12_438 * 1.2 for value in values)


@pytest.mark.slow
def test_estimates_keep_their_factor_as_often_as_they_say() -> None:
    solutions = solve(FIVE, "iod")
    found = [estimated(cells_of(solutions), seed, factor=1.1, probability=0.8) for seed in range(60)]
    kept = sum(isinstance(one, Estimate) and 12_438 / 1.1 <= one.value <= 12_438 * 1.1 for one in found)
    assert kept >= 0.8 * 60


def test_every_structure_is_drawn_as_often() -> None:
    solutions = solve(SILENT, "iod")
    draws = 7_500
    small = 64 * 2_492  # from cells of some 20: of larger ones, draws without replacement, chi-square is smaller
    seen = Counter(itertools.islice(Drawing(cells_of(solutions), small, 1), draws))
    assert set(seen) <= set(solutions)
    mean = draws / 2_492
    chi_square = sum((seen[graph] - mean) ** 2 / mean for graph in solutions)
    assert abs(chi_square - 2_491) / math.sqrt(2 * 2_491) < 4
    assert UNEVEN <= 0.01


def test_shares_of_a_sample_are_those_of_all() -> None:
    solutions = solve(FIVE, "iod")
    every = solutions.walked(None)
    sample = drawn(cells_of(solutions), 1_500, 12_438, 4)
    for x, y in itertools.combinations(every.names, 2):
        share = sum(mag.edge(x, y) is not None for mag in sample) / 1_500
        exact = every.share(Claim.parse(f"{x} and {y} are adjacent"))
        assert abs(share - exact) < 4.5 * math.sqrt(0.25 / 1_500)


def test_the_same_seed_gives_the_same() -> None:
    first, again = (solve(FIVE, "iod") for _ in range(2))
    again.summary()  # a solver that knows more finds solutions in another order
    assert estimated(cells_of(first), 7) == estimated(cells_of(again), 7)
    sample = drawn(cells_of(first), 100, 12_438, 7)
    assert sample == drawn(cells_of(again), 100, 12_438, 7)
    assert len(set(sample)) == 100
    assert sample != drawn(cells_of(first), 100, 12_438, 8)
    assert drawn(cells_of(first), 0, 12_438, 7) == []


def test_effort_and_time_end_it() -> None:
    solutions = solve(FIVE, "iod")
    with Effort(60).here(), pytest.raises(OutOfTime):
        estimated(cells_of(solutions), 0)
    with pytest.raises(OutOfTime):
        estimated(cells_of(solutions), 0, deadline=0.0)
    with Effort(60).here(), pytest.raises(OutOfTime):
        drawn(cells_of(solutions), 1_000, 12_438, 0)


def test_what_is_too_many_has_a_lower_bound() -> None:
    solutions = solve(FIVE, "iod")
    bounds = set()
    for effort in (1, 200, 400, 800):
        with Effort(effort).here(), pytest.raises(TooMany) as caught:
            estimated(cells_of(solutions), 0)
        bounds.add(caught.value.more_than)
    assert 0 in bounds
    assert 512 < max(bounds) < 12_438
    with pytest.raises(TooMany) as caught:
        estimated(cells_of(solutions), 0, deadline=0.0)
    assert caught.value.more_than == 0


def test_sets_of_none_one_and_two() -> None:
    assert [estimated(cells_of(SETS[name]()), 0) for name in ("none", "one", "two")] == [0, 1, 2]
    assert [len(SETS[name]().sample(5)) for name in ("none", "one", "two")] == [0, 1, 2]
    assert [SETS[name]().count_classes() for name in ("none", "one", "two")] == [0, 1, 2]


@pytest.mark.parametrize("method", ["iod", "iod-bcd", "causal-iod", "ion"])
@pytest.mark.parametrize("selection", [False, True])
def test_random_problems_are_counted_as_they_are_walked(method: str, selection: bool) -> None:
    """With cells so small that hardly a count is exact by chance: an estimate is, or it is within its factor."""
    rng, seen = numpy.random.default_rng(17), 0
    for _ in range(3):
        graph = random_admg(4, rng, mean_degree=1.5, mean_bidirected_degree=0.5)
        names = graph.names
        evidence = oracle(graph, [names[:3], names[1:]])
        solutions = solve(evidence, method, selection=selection)
        for narrower in (solutions, solutions.assume(f"{names[0]} does not cause {names[3]}")):
            number = len(list(narrower))
            found = estimated(cells_of(narrower), 1)
            assert found == number if isinstance(found, int) else number / 1.2 <= found.value <= 1.2 * number
            seen += number > 0
    assert seen > 3


def test_parts_are_within_their_factor_as_often_as_they_say() -> None:
    chance, kept, known = random.Random(2), 0, 0
    for _ in range(400):
        share, drawn_ones = chance.choice([0.02, 0.1, 0.5, 0.95]), 1_000
        seen = sum(chance.random() < share for _ in range(drawn_ones))
        found = part_of(1_000_000, seen / drawn_ones, drawn_ones)
        known += found is not None
        kept += found is not None and share * 1e6 / found.factor <= found.value <= share * 1e6 * found.factor
    assert known > 250
    assert kept >= 0.95 * known


def test_a_part_that_was_hardly_seen_is_not_estimated() -> None:
    assert part_of(10**9, 0.0, 2_000) is None
    assert part_of(Estimate(10**9, 1.2, 0.95, 150), 0.03, 5_000) is None  # by walks a share may be 2 points off
    by_walks = part_of(Estimate(10**9, 1.2, 0.95, 150), 0.5, 2_000)
    otherwise = part_of(Estimate(10**9, 1.2, 0.95), 0.5, 2_000)
    assert by_walks is not None
    assert otherwise is not None
    assert (by_walks.walks, otherwise.walks) == (150, 0)
    assert by_walks.factor > otherwise.factor + 0.04
    assert part_of(10**9, 0.003, 2_000) is None
    assert part_of(10**9, 0.5, 0) is None
    whole = part_of(Estimate(10**9, 1.2, 0.95), 1.0, 2_000)
    assert whole is not None
    assert (whole.value, whole.probability) == (10**9, 0.9)
    assert whole.factor > 1.2


def test_no_parity_is_no_cell_but_all() -> None:
    assert Parities(0).cell(random.Random(0)) == []


@pytest.mark.parametrize(
    ("estimate", "text"),
    [
        (Estimate(3_149_000_000, 1.2, 0.95), "about 3.1e9 (within a factor 1.2, 95 %)"),
        (Estimate(123_456, 1.2, 0.95), "about 120,000 (within a factor 1.2, 95 %)"),
    ],
)
def test_estimates_in_words(estimate: Estimate, text: str) -> None:
    assert str(estimate) == text
