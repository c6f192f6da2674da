"""Linear pairs by their cumulants: the five structures, and the algebra behind them.

Covers ``cumulant.py`` and ``cumulant_algebra.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.support.slow import slow
from weft.evidence.orientation import cumulant_algebra as algebra
from weft.evidence.orientation.cumulant import Cumulant
from weft.evidence.orientation.protocol import STRUCTURES, Judgement, OrientationMethod, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Floats = NDArray[np.float64]
METHOD = Cumulant()


def column(name: str, values: Floats) -> Column:
    return Column(name, Kind.CONTINUOUS, values)


def linear_pair(structure: Structure, rows: int, seed: int, draw: str = "exponential") -> tuple[Column, Column]:
    """A linear pair whose effects are far from cancelling each other."""
    generator = np.random.default_rng([seed, rows, STRUCTURES.index(structure)])
    first, second, common = (getattr(generator, draw)(size=rows) for _ in range(3))
    sign = generator.choice([-1.0, 1.0])
    strength = 0.9 * sign * structure.confounded
    cause = first + 0.8 * structure.confounded * common
    effect = sign * (structure.causes or structure.caused) * cause + strength * common + second
    pair = (effect, cause) if structure.caused else (cause, effect)
    return column("x", pair[0]), column("y", pair[1])


def allowed(judgement: Judgement) -> set[Structure]:
    return set(STRUCTURES) - judgement.excluded


class TestContract:
    def test_is_an_orientation_method(self) -> None:
        assert isinstance(METHOD, OrientationMethod)
        assert set(METHOD.settings) == {"level", "confidence", "penalty", "draws", "fewest"}
        assert METHOD.assumptions.sees_confounding

    @pytest.mark.parametrize("structure", STRUCTURES)
    @pytest.mark.parametrize("rows", [100, 700])
    def test_swapped_columns_mirror_the_judgement(self, structure: Structure, rows: int) -> None:
        x, y = linear_pair(structure, rows, 1)
        assert METHOD.judge(y, x) == METHOD.judge(x, y).mirrored

    @pytest.mark.parametrize("structure", [Structure.CAUSES, Structure.CAUSED_COMMON])
    def test_scale_and_shift_change_nothing(self, structure: Structure) -> None:
        x, y = linear_pair(structure, 500, 2)
        before = METHOD.judge(x, y)
        after = METHOD.judge(column("x", 1e4 * x.values - 7), column("y", 1e-3 * y.values + 2))
        assert after.excluded == before.excluded
        assert after.log_odds == pytest.approx(before.log_odds, rel=1e-6, abs=1e-6)
        assert dict(after.scores) == pytest.approx(dict(before.scores), rel=1e-5, abs=1e-9)

    def test_same_answer_every_time(self) -> None:
        x, y = linear_pair(Structure.COMMON, 300, 3)
        assert METHOD.judge(x, y) == Cumulant().judge(x, y)

    def test_refuses_levels(self) -> None:
        x, y = column("x", np.arange(200.0)), Column("y", Kind.BINARY, np.arange(200.0) % 2)
        refusal = METHOD.refusal(x, y)
        assert refusal is not None
        assert "'y' is binary" in refusal
        assert run(METHOD, x, y).allowed == set(STRUCTURES)

    @pytest.mark.parametrize(
        ("change", "reason"),
        [
            (lambda x: x[:50], "too few"),
            (lambda x: 2 * x - 1, "one variable"),
        ],
    )
    def test_hopeless_pairs_are_undecided(self, change: Callable[[Floats], Floats], reason: str) -> None:
        x = np.random.default_rng(0).exponential(size=200)
        y = change(x)
        judgement = METHOD.judge(column("x", x[: len(y)]), column("y", y))
        assert (judgement.log_odds, judgement.excluded) == (0.0, frozenset())
        assert reason in judgement.reason

    @pytest.mark.parametrize("levels", [2, 3, 5])
    def test_few_distinct_values_and_far_values_give_finite_answers(self, levels: int) -> None:
        generator = np.random.default_rng(levels)
        x = generator.integers(levels, size=300).astype(float)
        y = x + generator.integers(levels, size=300)
        y[0] = 1e6
        for pair in ((x, y), (x, generator.permutation(x)), (y, np.round(y / 3))):
            judgement = METHOD.judge(*(column(name, values) for name, values in zip("xy", pair, strict=True)))
            assert math.isfinite(judgement.log_odds)
            assert all(0 <= p_value <= 1 for p_value in judgement.scores.values())


class TestStructures:
    @pytest.mark.parametrize("draw", ["exponential", slow("laplace")])
    def test_names_the_structure(self, draw: str) -> None:
        """Of 25 pairs that are well apart, at least 22."""
        right = 0
        for structure in STRUCTURES:
            for seed in range(5):
                finding = METHOD.find(*linear_pair(structure, 3000, seed, draw))
                assert finding is not None
                right += finding.likeliest is structure
        assert right >= 22

    def test_the_true_structure_is_kept(self) -> None:
        """By 56 of 60 verdicts or more, and most verdicts exclude something."""
        kept = decided = 0
        for structure in STRUCTURES:
            for seed in range(12):
                judgement = METHOD.judge(*linear_pair(structure, 1000, 100 + seed))
                kept += structure in allowed(judgement)
                decided += bool(judgement.excluded)
        assert kept >= 56
        assert decided >= 50

    def test_the_true_structure_is_rejected_at_its_rate(self) -> None:
        """P-values of the truth below 0.1: 10 of 100 expected, three standard errors are 9."""
        p_values = [
            METHOD.judge(*linear_pair(structure, 600, 200 + seed)).scores[structure]
            for structure in STRUCTURES
            for seed in range(20)
        ]
        assert 2 <= sum(p_value < 0.1 for p_value in p_values) <= 19
        assert 0.4 < np.median(p_values) < 0.65

    def test_unconfounded_pairs_are_not_called_confounded(self) -> None:
        wrong = 0
        for structure in (Structure.CAUSES, Structure.CAUSED):
            for seed in range(25):
                kept = allowed(METHOD.judge(*linear_pair(structure, 1000, 300 + seed)))
                wrong += all(one.confounded for one in kept)
        assert wrong <= 4

    def test_direction_shows_in_the_log_odds(self) -> None:
        for seed in range(5):
            assert METHOD.judge(*linear_pair(Structure.CAUSES, 1000, 400 + seed)).log_odds > 2
            assert METHOD.judge(*linear_pair(Structure.CAUSED, 1000, 400 + seed)).log_odds < -2

    def test_gaussian_pairs_are_undecided(self) -> None:
        decided = 0
        for seed in range(20):
            e, f = np.random.default_rng(seed).normal(size=(2, 1000))
            decided += run(METHOD, column("x", e), column("y", 0.8 * e + f)).decided
        assert decided <= 1

    def test_independent_pairs_are_undecided(self) -> None:
        decided = 0
        for seed in range(20):
            e, f = np.random.default_rng(seed).exponential(size=(2, 1000))
            decided += run(METHOD, column("x", e), column("y", f)).decided
        assert decided <= 1

    def test_what_no_linear_structure_explains_is_undecided(self) -> None:
        """Two common causes: four sources."""
        generator = np.random.default_rng(0)
        e, f, first, second = generator.exponential(size=(4, 20000))
        judgement = METHOD.judge(column("x", e + first + second), column("y", f + 2 * first - second))
        assert "no linear structure" in judgement.reason
        assert (judgement.log_odds, judgement.excluded) == (0.0, frozenset())


class TestAlgebra:
    def pair(self) -> tuple[Floats, Floats]:
        e, f = np.random.default_rng(5).exponential(size=(2, 400))
        return algebra.standardised(e), algebra.standardised(f + 0.5 * e)

    def test_influence_is_the_derivative(self) -> None:
        """A row counted a little more changes the estimates by its influence."""
        x, y = self.pair()
        frequency, extra = np.array([0.7, -0.4]), 1e-6
        tilted = algebra._tilted(x, y, frequency)
        weights = np.ones(len(x))
        weights[17] += extra * len(x)
        weights /= weights.sum()
        tilt = weights * np.exp(1j * (frequency[0] * x + frequency[1] * y))
        tilt /= tilt.sum()
        mean_x, mean_y = tilt @ x, tilt @ y
        covariance = tilt @ ((x - mean_x) * (y - mean_y))
        assert (mean_x - tilted.means[0][0]) / extra == pytest.approx(tilted.means[1][0, 17], rel=1e-3)
        assert (mean_y - tilted.means[0][1]) / extra == pytest.approx(tilted.means[1][1, 17], rel=1e-3)
        assert (covariance - tilted.covariances[0][1]) / extra == pytest.approx(tilted.covariances[1][1, 17], rel=1e-3)

    def test_small_tilts_give_cumulants(self) -> None:
        """The slope of a tilted covariance at 0 is the third cumulant, times i."""
        x, y = self.pair()
        step = 1e-5
        slope = (
            algebra._tilted(x, y, np.array([step, 0.0])).covariances[0]
            - algebra._tilted(x, y, np.array([-step, 0.0])).covariances[0]
        ) / (2 * step)
        assert slope.imag == pytest.approx([np.mean(x**3), np.mean(x * x * y), np.mean(x * y * y)], abs=1e-6)

    def test_finds_the_directions(self) -> None:
        e, f, common = np.random.default_rng(1).exponential(size=(3, 100_000))
        x, y = e + common, f + 0.5 * (e + common) + common
        rows = algebra.pair_rows(algebra.standardised(x), algebra.standardised(y))
        angles = np.sort(algebra.fit_two_directions(rows.covariances_s).angles)
        expected = np.sort(np.arctan(np.array([0.5, 1.5]) * x.std() / y.std()))
        assert angles == pytest.approx(expected, abs=0.05)

    def test_forms_vanish_at_their_directions(self) -> None:
        angles = np.array([[0.3, 2.0]])
        quadratic = algebra._quadratic(angles)[0]
        for angle in angles[0]:
            u, v = math.cos(angle), math.sin(angle)
            assert quadratic @ [u * u, u * v, v * v] == pytest.approx(0, abs=1e-12)
            assert algebra._line(np.array([angle]))[0] @ [u, v] == pytest.approx(0, abs=1e-12)

    def test_weights_have_three_moments_of_one(self) -> None:
        weights = algebra.bootstrap_weights(50, 20_000)
        assert weights.min() > 0
        assert weights.mean() == pytest.approx(1)
        assert weights.var() == pytest.approx(1, abs=0.01)
        assert np.mean((weights - 1) ** 3) == pytest.approx(1, abs=0.02)

    def test_credible_set_is_the_smallest(self) -> None:
        posterior = algebra.shares([0.0, math.log(8), -9.0, math.log(3), -9.0])
        kept, weight = algebra.credible(posterior, 0.9)
        assert kept == {STRUCTURES[1], STRUCTURES[3]}
        rest = 1 - posterior[STRUCTURES[1]] - posterior[STRUCTURES[3]]
        assert weight == pytest.approx(math.log((1 - rest) / rest))
