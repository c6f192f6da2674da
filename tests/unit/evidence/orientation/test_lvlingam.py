from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.unit.evidence.orientation.test_cumulant import allowed, column, linear_pair
from weft.evidence.orientation import lvlingam
from weft.evidence.orientation.lvlingam import LvLingam
from weft.evidence.orientation.protocol import STRUCTURES, OrientationMethod, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Floats = NDArray[np.float64]
QUICK = LvLingam(components=2, most=6)


def numeric_gradient(loss: object, at: Floats) -> Floats:
    assert callable(loss)
    step = 1e-6
    return np.array([(loss(at + step * one)[0] - loss(at - step * one)[0]) / (2 * step) for one in np.eye(len(at))])


class TestContract:
    def test_is_an_orientation_method(self) -> None:
        assert isinstance(QUICK, OrientationMethod)
        assert QUICK.settings["components"] == 2
        assert QUICK.assumptions.sees_confounding

    def test_swapped_columns_mirror_the_judgement(self) -> None:
        x, y = linear_pair(Structure.CAUSES_COMMON, 200, 1)
        assert QUICK.judge(y, x) == QUICK.judge(x, y).mirrored

    def test_scale_and_shift_change_nothing(self) -> None:
        x, y = linear_pair(Structure.CAUSES, 200, 2)
        before = QUICK.judge(x, y)
        after = QUICK.judge(column("x", 1e3 * x.values - 7), column("y", 1e-3 * y.values + 2))
        assert after.excluded == before.excluded
        # the optimum is found to a tolerance only
        assert dict(after.scores) == pytest.approx(dict(before.scores), abs=2e-3)

    def test_refuses_levels(self) -> None:
        x, y = column("x", np.arange(200.0)), Column("y", Kind.ORDINAL, np.arange(200.0) % 3)
        assert "'y' is ordinal" in run(QUICK, x, y).reason

    def test_few_rows_and_equal_columns_are_undecided(self) -> None:
        x = np.random.default_rng(0).exponential(size=200)
        assert "too few" in QUICK.judge(column("x", x[:30]), column("y", x[30:60])).reason
        assert "one variable" in QUICK.judge(column("x", x), column("y", x + 1)).reason

    def test_ties_and_far_values_give_finite_answers(self) -> None:
        generator = np.random.default_rng(3)
        x = generator.integers(3, size=200).astype(float)
        y = x + generator.integers(3, size=200).astype(float)
        y[0] = 1e4
        judgement = QUICK.judge(column("x", x), column("y", y))
        assert math.isfinite(judgement.log_odds)
        assert max(judgement.scores.values()) == 0

    def test_many_rows_are_thinned(self) -> None:
        x, y = linear_pair(Structure.CAUSES, 600, 4)
        thin = LvLingam(components=2, most=2, rows=300)
        every_other = LvLingam(components=2, most=2).judge(column("x", x.values[::2]), column("y", y.values[::2]))
        assert thin.judge(x, y) == every_other


class TestLikelihood:
    def test_gradient_of_the_sources(self) -> None:
        x, y = linear_pair(Structure.CAUSES_COMMON, 100, 5)
        points = np.column_stack([x.values, y.values])
        for free in ([True, True], [False, True]):
            sources = lvlingam._Sources.of(points, np.array(free), 2)
            at = np.random.default_rng(0).normal(size=sum(free) + 18) * 0.5
            assert sources.loss(at)[1] == pytest.approx(numeric_gradient(sources.loss, at), rel=1e-4, abs=1e-4)

    def test_likelihood_is_a_density(self) -> None:
        """It integrates to 1 over the plane."""
        side = np.linspace(-12, 12, 41)
        free = np.array([True, True])
        at = np.random.default_rng(1).normal(size=20) * 0.4
        points = (np.array([[x, y]]) for x in side for y in side)
        density = sum(math.exp(-lvlingam._Sources.of(point, free, 2).loss(at)[0]) for point in points)
        assert density * 0.6**2 == pytest.approx(1, abs=0.01)

    def test_gradient_of_a_noise(self) -> None:
        x, y = linear_pair(Structure.CAUSES, 100, 6)

        def loss(parameters: Floats) -> tuple[float, Floats]:
            return lvlingam._residual_loss(y.values, x.values[:, None], parameters, 3)

        at = np.random.default_rng(2).normal(size=10) * 0.5
        assert loss(at)[1] == pytest.approx(numeric_gradient(loss, at), rel=1e-4, abs=1e-4)


class TestStructures:
    def test_does_not_see_confounders_that_are_not_there(self) -> None:
        for seed in range(2):
            assert allowed(QUICK.judge(*linear_pair(Structure.CAUSES, 500, 10 + seed))) == {Structure.CAUSES}

    def test_sees_those_that_are_there(self) -> None:
        for structure in (Structure.COMMON, Structure.CAUSED_COMMON):
            kept = allowed(LvLingam(most=4).judge(*linear_pair(structure, 800, 20)))
            assert structure in kept
            assert all(one.confounded for one in kept)

    def test_gaussian_pairs_are_undecided(self) -> None:
        for seed in range(2):
            e, f = np.random.default_rng(seed).normal(size=(2, 300))
            verdict = run(QUICK, column("x", e), column("y", e + f))
            assert verdict.allowed == set(STRUCTURES)
