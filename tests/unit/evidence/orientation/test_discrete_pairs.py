"""Pairs with levels: right where the models tell, undecided where they do not, counted on fixed seeds.

Covers ``discrete.py`` and ``mixed_pair.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import product

import numpy as np
import pytest
from scipy import special, stats

from benchmarks.levels import LevelPair, fit_ratio
from tests.support.slow import slow
from weft.evidence.orientation.auto import Auto
from weft.evidence.orientation.calibration import MIXED, function_feature, of_functions, of_ratio
from weft.evidence.orientation.discrete import (
    Discrete,
    additive_noise,
    compared,
    fitted_function,
    least_noise,
    log_odds_of_fits,
    on_grid,
)
from weft.evidence.orientation.mixed_pair import Mixed, logit_fit, one_shape
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD
from weft.evidence.orientation.protocol import Judgement, OrientationMethod, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Draw = Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]]


def with_levels(name: str, values: np.ndarray, kind: Kind = Kind.ORDINAL) -> Column:
    levels, codes = np.unique(values, return_inverse=True)
    return Column(name, kind, codes.astype(float), tuple(map(str, levels)))


def counted(method: OrientationMethod, pairs: list[tuple[Column, Column]]) -> tuple[int, int]:
    """How many of the pairs are decided for "x causes y", and how many against."""
    verdicts = [run(method, x, y) for x, y in pairs]
    decided = [verdict.forced for verdict in verdicts if verdict.decided]
    return decided.count(Structure.CAUSES), decided.count(Structure.CAUSED)


# ------------------------------------------------------------------------------------------------------ ordered levels


def additive(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    levels = int(generator.integers(3, 8))
    x = generator.choice(levels, rows, p=generator.dirichlet(2 * np.ones(levels)))
    function = generator.permutation(levels)
    return x, function[x] + generator.choice(3, rows, p=generator.dirichlet(np.ones(3)))


def cut_gaussian(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    x, noise = generator.normal(size=(2, rows))
    y = 0.7 * x + 0.7 * noise
    return np.digitize(x, [-1, -0.3, 0.4, 1.2]), np.digitize(y, [-1.2, -0.4, 0.3, 1])


def ordered_logit(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    x = generator.choice(5, rows, p=generator.dirichlet(3 * np.ones(5)))
    return x, np.digitize(x + generator.logistic(size=rows), [0, 1.5, 3, 4.5])


def ordinal_pairs(draw: Callable[..., tuple[np.ndarray, np.ndarray]], runs: int, rows: int):  # type: ignore[no-untyped-def]
    found = []
    for seed in range(runs):
        x, y = draw(np.random.default_rng([81, seed]), rows)
        found.append((with_levels("x", x), with_levels("y", y)))
    return found


def test_additive_noise_is_found() -> None:
    right, wrong = counted(Discrete(), ordinal_pairs(additive, 40, 800))
    assert right >= 32
    assert wrong == 0


@pytest.mark.parametrize("draw", [cut_gaussian, ordered_logit])
def test_other_mechanisms_are_undecided(draw: Callable[..., tuple[np.ndarray, np.ndarray]]) -> None:
    assert sum(counted(Discrete(), ordinal_pairs(draw, 30, 800))) <= 2


def hidden_classes(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Only a common cause: both columns are drawn by tables of one hidden class."""
    hidden = generator.integers(0, 3, rows)
    tables = [generator.dirichlet(np.full(4, 1.5), size=3).cumsum(axis=1)[hidden, :-1] for _ in range(2)]
    one, other = ((generator.random(rows)[:, None] >= table).sum(axis=1) for table in tables)
    return one, other


def hidden_number(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    """Only a common cause: both columns are cut from one hidden number with noise."""
    hidden = generator.normal(size=rows)
    one, other = (np.digitize(hidden + 0.6 * generator.normal(size=rows), [-1, 0, 1]) for _ in range(2))
    return one, other


@pytest.mark.parametrize("draw", [hidden_classes, hidden_number])
def test_a_common_cause_is_not_called_a_cause(draw: Callable[..., tuple[np.ndarray, np.ndarray]]) -> None:
    for one, other in ordinal_pairs(draw, 10, 1000):
        assert run(Auto(), one, other).allowed not in (FORWARD, BACKWARD)


def test_fitted_function_has_the_least_entropy() -> None:
    # Against all functions; coordinate descent may miss the best one, but rarely.
    def pooled(table: np.ndarray, shifts: tuple[int, ...]) -> float:
        noise = np.zeros(2 * table.shape[1])
        for row, shift in zip(table, shifts, strict=True):
            noise[table.shape[1] - shift :][: table.shape[1]] += row
        return -float(special.xlogy(noise, noise).sum())

    reached = 0
    for seed in range(20):
        generator = np.random.default_rng([82, seed])
        x, y = additive(generator, 200)
        table = np.zeros((x.max() + 1, y.max() + 1))
        np.add.at(table, (x, y), 1)
        table = table[table.sum(axis=1) > 0][:4]
        least = min(pooled(table, shifts) for shifts in product(range(table.shape[1]), repeat=len(table)))
        reached += pooled(table, tuple(fitted_function(table))) <= least + 1e-6
    assert reached >= 17


def test_function_is_recovered() -> None:
    generator = np.random.default_rng(83)
    x = generator.integers(0, 5, 1000)
    function = np.array([3, 0, 4, 4, 1])
    y = function[x] + generator.choice(4, 1000, p=[0.1, 0.2, 0.6, 0.1])
    table = np.zeros((5, 8))
    np.add.at(table, (x, y), 1)
    found = fitted_function(table)
    assert np.array_equal(found - found[0], function - function[0])


def test_p_value_of_the_true_direction_is_not_too_small() -> None:
    p_values = []
    for seed in range(60):
        p_values.append(additive_noise(*additive(np.random.default_rng([84, seed]), 400)))
    assert sum(p < 0.05 for p in p_values) <= stats.binom.ppf(0.999, 60, 0.05)


def test_two_levels_are_undecided_with_the_reason() -> None:
    generator = np.random.default_rng(85)
    x = generator.integers(0, 2, 300)
    y = x + generator.integers(0, 3, 300)
    for column in (with_levels("x", x), with_levels("x", x, Kind.BINARY)):
        verdict = run(Discrete(), column, with_levels("y", y))
        assert not verdict.decided
        assert verdict.confidence == 0.5
        assert "'x' has two levels" in verdict.reason


def test_levels_are_placed_on_the_grid_of_their_numbers() -> None:
    assert on_grid(with_levels("x", np.array([0.5, 1.0, 2.5, 0.5]))).tolist() == [0, 1, 4, 0]
    assert on_grid(with_levels("x", np.array([1.0, 10.0, 10000.0, 1.0]))).tolist() == [0, 1, 2, 0]
    assert on_grid(with_levels("x", np.array(["a", "c", "b", "a"]))).tolist() == [0, 2, 1, 0]


def test_many_levels_are_undecided() -> None:
    x = np.arange(200)
    verdict = run(Discrete(), with_levels("x", x), with_levels("y", x % 7))
    assert not verdict.decided
    assert "too many" in verdict.reason


# ---------------------------------------------------------------------------------------------------- unordered levels


def noisy_function(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    x = generator.choice(6, rows, p=generator.dirichlet(3 * np.ones(6)))
    noise = generator.choice(2, rows, p=[0.9, 0.1])
    return x, generator.integers(0, 6, (6, 2))[x, noise]


def random_table(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    x = generator.choice(4, rows, p=generator.dirichlet(3 * np.ones(4)))
    table = generator.dirichlet(np.full(4, 0.5), size=4).cumsum(axis=1)[x, :-1]
    return x, (generator.random(rows)[:, None] >= table).sum(axis=1)


def unordered_pairs(draw: Callable[..., tuple[np.ndarray, np.ndarray]], runs: int, rows: int):  # type: ignore[no-untyped-def]
    found = []
    for seed in range(runs):
        x, y = draw(np.random.default_rng([86, seed]), rows)
        found.append((with_levels("x", x, Kind.CATEGORICAL), with_levels("y", y, Kind.CATEGORICAL)))
    return found


def test_a_function_with_little_noise_is_found() -> None:
    right, wrong = counted(Discrete(), unordered_pairs(noisy_function, 40, 2000))
    assert right >= 12
    assert wrong == 0


@pytest.mark.parametrize("draw", [cut_gaussian, ordered_logit, random_table, hidden_classes, hidden_number])
def test_unordered_levels_that_are_no_function_are_undecided(
    draw: Callable[..., tuple[np.ndarray, np.ndarray]],
) -> None:
    assert counted(Discrete(), unordered_pairs(draw, 40, 1000)) == (0, 0)


def test_two_names_of_the_same_levels_have_no_direction() -> None:
    x = np.random.default_rng(94).integers(0, 4, 500)
    verdict = run(Discrete(), with_levels("x", x, Kind.CATEGORICAL), with_levels("y", 3 - x, Kind.CATEGORICAL))
    assert not verdict.decided
    assert verdict.confidence == 0.5
    assert "neither" in verdict.reason


def test_outcomes_of_functions() -> None:
    shares = np.linspace(0, 1, 21)
    forward = [of_functions(share, 0.9).forward for share in shares]
    assert forward == sorted(forward, reverse=True)
    assert 0.85 < forward[0] < 0.93
    assert forward[0] == forward[1] == of_functions(0.1, 0.9).forward
    for one, other in product(shares, shares):
        assert of_functions(one, other) == of_functions(other, one).mirrored
        assert function_feature(one, other) == -function_feature(other, one)


def test_least_noise() -> None:
    assert least_noise(np.eye(3)) == pytest.approx(0)
    assert least_noise(np.ones((4, 4))) == pytest.approx(math.log(4))
    # No coupling has less entropy than the row with the most, nor more than all rows together.
    table = np.random.default_rng(87).dirichlet(np.ones(4), 3)
    entropies = special.entr(table).sum(axis=1)
    assert entropies.max() - 1e-9 <= least_noise(table) <= entropies.sum() + 1e-9


def test_labels_do_not_matter() -> None:
    x, y = noisy_function(np.random.default_rng([86, 2]), 300)
    one = Discrete().judge(with_levels("x", x, Kind.CATEGORICAL), with_levels("y", y, Kind.CATEGORICAL))
    assert abs(one.log_odds) > 0.5
    turned = np.array([3, 0, 4, 1, 5, 2])
    other = Discrete().judge(with_levels("x", turned[x], Kind.CATEGORICAL), with_levels("y", y, Kind.CATEGORICAL))
    assert one.log_odds == pytest.approx(other.log_odds)


def test_log_odds_of_fits() -> None:
    assert log_odds_of_fits(0.3, 0.3) == 0
    assert log_odds_of_fits(0.0, 0.0) == 0
    assert log_odds_of_fits(1.0, 0.0) == -log_odds_of_fits(0.0, 1.0)
    assert 1.39 < log_odds_of_fits(0.5, 1e-3) < log_odds_of_fits(0.5, 0.0) < math.log(9)
    assert log_odds_of_fits(0.04, 0.0) == pytest.approx(0.3)


# --------------------------------------------------------------------------------------------------------- mixed pairs

SHAPES: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "exponential": lambda generator, rows: generator.exponential(size=rows) - 1,
    "uniform": lambda generator, rows: generator.uniform(-1.7, 1.7, rows),
    "laplace": lambda generator, rows: generator.laplace(size=rows),
    "two peaks": lambda generator, rows: generator.choice([-0.9, 0.9], rows) + 0.45 * generator.normal(size=rows),
    "normal": lambda generator, rows: generator.normal(size=rows),
}


def levels_cause(generator: np.random.Generator, shape: str, levels: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    d = generator.integers(0, levels, rows)
    scales = np.exp(generator.uniform(-0.5, 0.5, levels))
    return d, np.cumsum(generator.uniform(0.3, 1.2, levels))[d] + scales[d] * SHAPES[shape](generator, rows)


def number_causes(generator: np.random.Generator, shape: str, levels: int, rows: int) -> tuple[np.ndarray, np.ndarray]:
    c = SHAPES[shape](generator, rows)
    chances = np.outer(c, np.linspace(-1.5, 1.5, levels)) + generator.gumbel(size=(rows, levels))
    return chances.argmax(axis=1), c


def mixed_pairs(draw: Callable[..., tuple[np.ndarray, np.ndarray]], shape: str, levels: int):  # type: ignore[no-untyped-def]
    found = []
    for seed in range(12):
        d, c = draw(np.random.default_rng([89, seed]), shape, levels, 700)
        found.append((with_levels("d", d, Kind.CATEGORICAL), Column("c", Kind.CONTINUOUS, c)))
    return found


@pytest.mark.parametrize(
    ("shape", "levels"),
    [
        *(("exponential", 2), ("uniform", 4), ("laplace", 2), ("two peaks", 4)),
        *(slow("exponential", 4), slow("uniform", 2), slow("laplace", 4), slow("two peaks", 2)),
    ],
)
def test_levels_that_move_and_scale_a_number(shape: str, levels: int) -> None:
    right, wrong = counted(Mixed(), mixed_pairs(levels_cause, shape, levels))
    # Of two levels with Laplace noise, 7 of the 12 pairs have p-values that differ by less than a factor of 1e5: too
    # little to be stated, since in networks one such direction in six is wrong.
    assert right >= (4 if (shape, levels) == ("laplace", 2) else 6)
    assert wrong == 0


@pytest.mark.parametrize(
    ("shape", "levels"),
    [
        *(("uniform", 2), ("laplace", 4), ("two peaks", 2)),
        *(slow("uniform", 4), slow("laplace", 2), slow("two peaks", 4)),
    ],
)
def test_number_that_makes_a_logistic_choice(shape: str, levels: int) -> None:
    wrong, right = counted(Mixed(), mixed_pairs(number_causes, shape, levels))
    assert right >= 6
    assert wrong == 0


@pytest.mark.parametrize(
    ("draw", "levels"), [(levels_cause, 2), (number_causes, 4), slow(levels_cause, 4), slow(number_causes, 2)]
)
def test_normal_numbers_are_mostly_undecided(draw: Callable[..., tuple[np.ndarray, np.ndarray]], levels: int) -> None:
    forward, backward = counted(Mixed(), mixed_pairs(draw, "normal", levels))
    wrong = backward if draw is levels_cause else forward
    assert forward + backward <= 6
    assert wrong == 0


def test_a_curved_choice_fits_neither_model() -> None:
    pairs = []
    for seed in range(12):
        generator = np.random.default_rng([90, seed])
        c = generator.laplace(size=700)
        d = (np.cos(2 * c) + 0.3 * generator.logistic(size=700) > 0).astype(int)
        pairs.append((with_levels("d", d, Kind.BINARY), Column("c", Kind.CONTINUOUS, c)))
    assert sum(counted(Mixed(), pairs)) <= 1


def number_and_levels_of_one_cause(generator: np.random.Generator, rows: int) -> tuple[np.ndarray, np.ndarray]:
    hidden = generator.normal(size=rows)
    d = np.digitize(hidden + 0.6 * generator.normal(size=rows), [-1, 0, 1])
    return d, hidden + 0.6 * generator.exponential(size=rows)


def test_a_common_cause_of_a_number_and_levels_is_not_called_a_cause() -> None:
    for seed in range(10):
        d, c = number_and_levels_of_one_cause(np.random.default_rng([95, seed]), 1000)
        verdict = run(Mixed(), with_levels("d", d, Kind.CATEGORICAL), Column("c", Kind.CONTINUOUS, c))
        assert verdict.allowed not in (FORWARD, BACKWARD)


def test_outcomes_of_a_ratio() -> None:
    ratios = np.linspace(-2, 2, 41)
    forward = [of_ratio(ratio).forward for ratio in ratios]
    assert forward == sorted(forward)
    assert 0.85 < forward[-1] < 0.93
    assert all(of_ratio(ratio) == of_ratio(-ratio).mirrored for ratio in ratios)
    assert of_ratio(2.0).common < of_ratio(0.0).common


def test_compared_p_values() -> None:
    assert compared(0.3, 0.3) == compared(0.0, 0.0) == 0
    assert compared(1.0, 0.0) == -compared(0.0, 1.0) == pytest.approx(2.0)
    assert compared(0.05, 0.0) > 1 > compared(0.04, 0.0) == 0.14


def test_coefficients_come_back_from_outcomes_made_with_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("benchmarks.levels.RIDGE", 0.0)
    generator = np.random.default_rng(96)
    structures = (Structure.CAUSES, Structure.COMMON, Structure.CAUSED)
    pairs = []
    for comparison in generator.choice([-1, 1], 20_000) * generator.choice([0.5, 1.5, 2.0], 20_000):
        outcomes = of_ratio(comparison)
        truth = structures[generator.choice(3, p=outcomes)]
        judgement = Judgement(outcomes.log_odds, diagnostic={"compared": comparison}, outcomes=outcomes)
        pairs.append(LevelPair("mixed", 0, 500, ("x", "y"), (3, 500), truth, judgement))
    assert fit_ratio(pairs) == pytest.approx(dict(MIXED), abs=0.15)


def test_p_values_of_the_true_models_are_uniform() -> None:
    shapes, logits = [], []
    for seed in range(60):
        generator = np.random.default_rng([91, seed])
        d, c = levels_cause(generator, "exponential", 3, 300)
        shapes.append(one_shape(d, c, 3, 100))
        d, c = number_causes(generator, "uniform", 3, 300)
        logits.append(logit_fit(d, (c - c.mean()) / c.std(), 3, 1))
    for p_values in (shapes, logits):
        assert sum(p < 0.05 for p in p_values) <= stats.binom.ppf(0.999, 60, 0.05)
        assert stats.kstest(p_values, "uniform").pvalue > 1e-3


def test_logit_agrees_with_a_slow_fit() -> None:
    from scipy import optimize

    from weft.evidence.orientation.mixed_pair import _fitted_chances

    generator = np.random.default_rng(92)
    d, c = number_causes(generator, "normal", 3, 200)
    powers = c[:, None] ** np.arange(3.0)

    def loss(flat: np.ndarray) -> float:
        scores = np.column_stack([powers @ flat.reshape(3, 2), np.zeros(200)])
        return float(np.sum(special.logsumexp(scores, axis=1) - scores[np.arange(200), d]))

    best = optimize.minimize(loss, np.zeros(6), method="BFGS", options={"gtol": 1e-6}).x.reshape(3, 2)
    expected = special.softmax(np.column_stack([powers @ best, np.zeros(200)]), axis=1)[:, :2]
    assert np.allclose(_fitted_chances(powers, np.eye(3)[d][:, :2]), expected, atol=1e-4)


def test_separated_levels_and_rare_levels_have_an_answer() -> None:
    c = np.linspace(-2, 2, 100)
    separated = run(Mixed(), with_levels("d", c > 0, Kind.BINARY), Column("c", Kind.CONTINUOUS, c))
    assert 0.5 <= separated.confidence < 1
    rare = run(Mixed(), with_levels("d", np.arange(100) > 96, Kind.BINARY), Column("c", Kind.CONTINUOUS, c))
    assert not rare.decided
    assert "'d' has no two levels with 8 rows" in rare.reason


def test_mixed_needs_exactly_one_number() -> None:
    number, other = (Column(name, Kind.CONTINUOUS, np.arange(30.0)) for name in "ab")
    level = with_levels("d", np.arange(30) % 3)
    assert "use 'auto'" in str(Mixed().refusal(number, other))
    assert "use 'discrete'" in str(Mixed().refusal(level, level))
    assert Mixed().refusal(number, level) is None
