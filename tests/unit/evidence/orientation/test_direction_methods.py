"""Methods that tell the direction of two numbers: their contract, and how often they are right.

Covers ``anm.py``, ``lsnm.py``, ``mt_anm.py``, ``gain.py``, ``grci.py``, ``qccd.py``, ``reci.py`` and ``combined.py``,
and what they share: ``dependence.py``, ``noise_models.py``, ``smoothing.py`` and ``calibration.py``.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest

from tests.support.slow import slow
from weft.errors import StudyError
from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise
from weft.evidence.orientation import calibration
from weft.evidence.orientation.anm import Anm
from weft.evidence.orientation.combined import Combined
from weft.evidence.orientation.dependence import (
    cause_features,
    dependence,
    mutual_information,
    prepared,
    residual_features,
    untied,
    without_ties,
)
from weft.evidence.orientation.gain import Gain
from weft.evidence.orientation.grci import Grci
from weft.evidence.orientation.lsnm import Lsnm
from weft.evidence.orientation.mt_anm import MtAnm
from weft.evidence.orientation.noise_models import MODELS, fitted_models, half_sample_mode, origin, spacing_entropy
from weft.evidence.orientation.protocol import OrientationMethod, run
from weft.evidence.orientation.qccd import Qccd
from weft.evidence.orientation.reci import Reci
from weft.evidence.orientation.smoothing import PENALTIES, Smoother, Spline
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

METHODS: tuple[OrientationMethod, ...] = (
    Anm(),
    Lsnm(),
    Lsnm("likelihood"),
    MtAnm(),
    Gain(),
    Grci(),
    Qccd(),
    Reci(),
    Combined(),
)
ALL = pytest.mark.parametrize(
    "method", METHODS, ids=lambda method: f"{method.name}-{getattr(method, 'form', getattr(method, 'scale', ''))}"
)
Pair = tuple[Column, Column]


def column(name: str, values: FloatArray, kind: Kind = Kind.CONTINUOUS) -> Column:
    return Column(name, kind, values)


def pair(x: FloatArray, y: FloatArray) -> Pair:
    return column("x", x), column("y", y)


def additive(seed: int, rows: int = 300) -> Pair:
    """A bent curve with additive noise."""
    generator = np.random.default_rng([1, seed])
    x = generator.uniform(-2, 2, rows)
    return pair(x, x**2 + x + 0.7 * generator.normal(size=rows))


def location_scale(seed: int, rows: int = 400) -> Pair:
    """Mean and spread that change with the cause."""
    generator = np.random.default_rng([2, seed])
    x = generator.normal(size=rows)
    return pair(x, np.sin(2 * x) + (0.2 + 0.5 / (1 + np.exp(-3 * x))) * generator.normal(size=rows))


def multiplicative(seed: int, rows: int = 500) -> Pair:
    """The paper's 3 log(x^2) times exponential noise."""
    generator = np.random.default_rng([3, seed])
    x = generator.exponential(size=rows)
    return pair(x, 3 * np.log(x**2) * generator.exponential(size=rows))


def share_right(method: OrientationMethod, family: Callable[[int], Pair], count: int) -> float:
    return float(np.mean([method.judge(*family(seed)).log_odds > 0 for seed in range(count)]))


class TestSmoothing:
    @pytest.mark.parametrize("weighted", [False, True])
    def test_leave_one_out_is_what_a_loop_gives(self, weighted: bool) -> None:
        generator = np.random.default_rng(0)
        points = generator.uniform(size=30)
        target = np.sin(6 * points) + 0.3 * generator.normal(size=30)
        weights = generator.uniform(0.2, 2, size=30) if weighted else np.ones(30)
        spline = Spline(points, intervals=8)
        fit = spline.fit(target, weights if weighted else None)
        losses = [_looped_loss(spline, target, weights, float(penalty)) for penalty in PENALTIES]
        assert fit.loss == pytest.approx(min(losses), rel=1e-4)

    def test_straight_line_comes_back_exactly(self) -> None:
        cause = np.random.default_rng(1).lognormal(
            sigma=1.5, size=200
        )  # a long tail: normal scores would bend the line
        target = 3 * cause - 1
        assert np.abs(Smoother(cause).fit(target).fitted - target).max() < 1e-6 * np.ptp(target)

    def test_no_penalty_bends_a_line(self) -> None:
        """However far the points are spread: what rounding leaves of it would differ from processor to processor."""
        for seed in range(10):
            generator = np.random.default_rng(seed)
            points = generator.lognormal(sigma=2, size=200)
            fit = Spline(points).fit(points + generator.normal(scale=points.std(), size=200))
            assert fit.freedom >= 2

    def test_noise_is_smoothed_away(self) -> None:
        generator = np.random.default_rng(2)
        cause, target = generator.normal(size=(2, 500))
        fit = Smoother(cause).fit(target)
        assert fit.freedom < 6
        assert fit.fitted.std() < 0.25

    def test_follows_waves(self) -> None:
        generator = np.random.default_rng(3)
        cause = generator.uniform(size=500)
        wave = np.sin(20 * cause)
        assert np.corrcoef(Smoother(cause).fit(wave + 0.3 * generator.normal(size=500)).fitted, wave)[0, 1] > 0.98

    def test_weights_decide_whom_to_follow(self) -> None:
        cause = np.repeat(np.linspace(0, 1, 50), 2)
        target = np.tile([0.0, 1.0], 50)
        weights = np.tile([9.0, 1.0], 50)
        assert Smoother(cause).fit(target, weights).fitted == pytest.approx(np.full(100, 0.1), abs=1e-6)

    def test_few_distinct_values(self) -> None:
        cause = np.tile([0.0, 1.0, 5.0], 20)
        target = np.tile([1.0, -1.0, 2.0], 20) + np.repeat([0.1, -0.1], 30)
        fit = Smoother(cause).fit(target)
        assert [round(float(value), 1) for value in fit.fitted[:3]] == [1.0, -1.0, 2.0]


def _looped_loss(spline: Spline, target: FloatArray, weights: FloatArray, penalty: float) -> float:
    """The weighted mean square of errors, every row left out in turn from a regression solved from scratch."""
    weights = weights / weights.mean()
    data = (spline.basis * weights[:, None]).T @ spline.basis
    unit = spline.penalty * np.trace(data) / np.trace(spline.penalty)
    total = 0.0
    for row in range(len(target)):
        kept = weights.copy()
        kept[row] = 0
        matrix = (spline.basis * kept[:, None]).T @ spline.basis + (penalty + 1e-7) * unit
        found = np.linalg.lstsq(matrix, spline.basis.T @ (kept * target), rcond=None)[0]
        total += weights[row] * (target[row] - spline.basis[row] @ found) ** 2
    return total / len(target)


class TestMeasures:
    def test_dependence_of_independent_columns_is_one_on_average(self) -> None:
        generator = np.random.default_rng(0)
        found = [dependence(cause_features(x), residual_features(y)) for x, y in generator.normal(size=(200, 2, 150))]
        assert np.mean([one.ratio for one in found]) == pytest.approx(1, abs=0.08)
        assert np.mean([one.p_value < 0.1 for one in found]) == pytest.approx(0.1, abs=0.06)

    def test_dependence_is_seen(self) -> None:
        x = np.random.default_rng(1).normal(size=300)
        assert dependence(cause_features(x), residual_features(x**2)).p_value < 1e-6

    def test_nothing_depends_on_a_constant(self) -> None:
        x = np.random.default_rng(1).normal(size=50)
        assert dependence(cause_features(x), residual_features(np.zeros(50))).p_value == 1

    def test_mutual_information_of_gaussian_columns(self) -> None:
        x, e = np.random.default_rng(2).normal(size=(2, 4000))
        y = 0.8 * x + 0.6 * e
        assert mutual_information(x, y, 10) == pytest.approx(-0.5 * math.log(1 - 0.64), abs=0.05)
        assert mutual_information(x, e, 10) == pytest.approx(0, abs=0.05)

    def test_entropy_of_known_densities(self) -> None:
        generator = np.random.default_rng(3)
        assert spacing_entropy(generator.uniform(size=5000)) == pytest.approx(0, abs=0.05)
        assert spacing_entropy(generator.normal(size=5000)) == pytest.approx(1.419, abs=0.05)

    def test_gain_is_at_most_the_mutual_information_and_reaches_it(self) -> None:
        generator = np.random.default_rng(4)
        x, e = generator.normal(size=(2, 2000))
        truth = -0.5 * math.log(1 - 0.64)
        for fit in fitted_models(x, standardise(0.8 * x + 0.6 * e), MODELS).values():
            assert fit.gain < truth + 0.06
        assert fitted_models(x, standardise(0.8 * x + 0.6 * e), MODELS[:1])[MODELS[0]].gain > truth - 0.06

    def test_spread_ties_keep_their_order_and_their_middle(self) -> None:
        values = np.random.default_rng(5).integers(0, 6, size=200).astype(float)
        draws = np.random.default_rng(6).random(200)
        spread = untied(values, draws)
        assert len(np.unique(spread)) == 200
        assert np.array_equal(np.round(spread), values)
        assert spread[values == 3].mean() == pytest.approx(3)
        assert np.allclose(untied(2 * values + 7, draws), 2 * spread + 7)

    def test_columns_without_ties_stay(self) -> None:
        values = np.random.default_rng(6).normal(size=50)
        assert untied(values, values) is values

    def test_spread_ties_of_two_columns_do_not_move_together(self) -> None:
        x, y = np.random.default_rng(7).integers(0, 2, size=(2, 2000)).astype(float)
        inside = (x == 0) & (y == 0)
        spread = without_ties(x, y)
        assert abs(np.corrcoef(spread[0][inside], spread[1][inside])[0, 1]) < 0.15

    def test_spread_ties_are_swapped_with_the_columns(self) -> None:
        x, y = np.random.default_rng(8).integers(0, 4, size=(2, 300)).astype(float)
        one, other = without_ties(x, y)
        swapped = without_ties(y, x)
        assert np.array_equal(swapped[0], other)
        assert np.array_equal(swapped[1], one)
        assert np.array_equal(*without_ties(x, x))

    def test_order_of_rows_does_not_matter_with_ties(self) -> None:
        values = np.random.default_rng(9).integers(0, 4, size=(2, 300)).astype(float)
        values[1] += 5 * values[0]
        order = np.random.default_rng(10).permutation(300)
        expected = prepared(*pair(*values))
        found = prepared(*pair(*values[:, order]))
        assert np.allclose(found, expected, atol=1e-9)

    def test_mutual_information_of_levels_is_that_of_their_table(self) -> None:
        x = np.random.default_rng(11).integers(0, 3, size=3000).astype(float)
        y = np.where(np.random.default_rng(12).random(3000) < 0.5, x, 0.0)
        table = np.array([[np.mean((x == a) & (y == b)) for b in range(3)] for a in range(3)])
        alone = np.multiply.outer(table.sum(axis=1), table.sum(axis=0))
        exact = float(np.sum(table[table > 0] * np.log(table[table > 0] / alone[table > 0])))
        assert mutual_information(x, y, 10) == pytest.approx(exact, abs=0.02)

    def test_mode_and_origin(self) -> None:
        generator = np.random.default_rng(8)
        values = generator.exponential(size=1000)
        assert abs(origin(values)) < 0.01
        assert abs(origin(-values)) < 0.01
        assert origin(values + 10) == pytest.approx(origin(values) + 10)
        signed = generator.normal(size=1000) * generator.exponential(size=1000) ** 2
        assert abs(half_sample_mode(signed)) < 0.05
        assert origin(signed) == half_sample_mode(signed)


class TestContract:
    @ALL
    def test_is_a_method(self, method: OrientationMethod) -> None:
        assert isinstance(method, OrientationMethod)
        assert method.assumptions.sees_confounding == (method.name == "combined")
        assert method.settings
        assert method.assumptions.text.endswith(".")

    @ALL
    @pytest.mark.parametrize("family", [additive, slow(location_scale), slow(multiplicative)])
    def test_swapping_mirrors_exactly(self, method: OrientationMethod, family: Callable[[int], Pair]) -> None:
        x, y = family(0)
        there, back = method.judge(x, y), method.judge(y, x)
        assert back.log_odds == -there.log_odds
        assert back.scores == there.mirrored.scores

    @ALL
    def test_shift_and_scale_change_nothing(self, method: OrientationMethod) -> None:
        x, y = location_scale(1)
        moved = method.judge(*pair(1e3 * x.values - 5, 1e-4 * y.values + 2))
        assert moved.log_odds == pytest.approx(method.judge(x, y).log_odds, abs=1e-3)

    @ALL
    def test_deterministic(self, method: OrientationMethod) -> None:
        x, y = location_scale(2, rows=2500)
        assert method.judge(x, y) == method.judge(x, y)

    @ALL
    @pytest.mark.parametrize(
        "case",
        [
            "ties",
            "two values",
            "one far value",
            "twenty rows",
            "tiny",
            "identical",
            "mirror image",
            "spike",
            "both binary",
        ],
    )
    def test_awkward_columns_have_a_finite_answer(self, method: OrientationMethod, case: str) -> None:
        generator = np.random.default_rng(9)
        x, y = generator.normal(size=(2, 100))
        y = x + y
        cases: dict[str, tuple[FloatArray, FloatArray]] = {
            "ties": (np.round(x), np.round(y)),
            "two values": ((x > 0).astype(float), y),
            "one far value": (np.append(x, 1e12), np.append(y, -1e9)),
            "twenty rows": (x[:20], y[:20]),
            "tiny": (x * 1e-200, y * 1e200),
            "identical": (x, x),
            "mirror image": (x, -x),
            "spike": (np.where(x < 1, 0.0, x), y),
            "both binary": ((x > 1.5).astype(float), (y > 0).astype(float)),
        }
        judgement = method.judge(*pair(*cases[case]))
        assert math.isfinite(judgement.log_odds)
        assert all(math.isfinite(score) for score in judgement.scores.values())
        if case == "identical":
            assert judgement.log_odds == 0

    @ALL
    def test_run_answers_what_cannot_be_judged(self, method: OrientationMethod) -> None:
        x, y = additive(0)
        constant = run(method, column("x", np.ones(300)), y)
        levels = run(method, column("group", np.tile([0.0, 1.0, 2.0], 100), Kind.CATEGORICAL), y)
        short = run(method, column("x", x.values[:10]), column("y", y.values[:10]))
        assert not constant.decided
        assert "constant" in constant.reason
        assert "group" in levels.reason
        assert "use the method 'mixed'" in levels.reason
        assert not short.decided

    @ALL
    def test_missing_values_are_left_out(self, method: OrientationMethod) -> None:
        x, y = additive(1)
        holes = x.values.copy()
        holes[::7] = np.nan
        kept = ~np.isnan(holes)
        verdict = run(method, column("x", holes), y)
        assert verdict.rows == kept.sum()
        direct = method.judge(*pair(x.values[kept], y.values[kept]))
        assert verdict.scores == direct.scores


class TestFamilies:
    @pytest.mark.parametrize(
        ("method", "family", "least"),
        [
            (Anm(repetitions=0), additive, 0.95),
            (MtAnm(), additive, 0.95),
            slow(Gain(), additive, 0.8),
            (Combined(), additive, 0.9),
            (Lsnm(), location_scale, 0.95),
            (Lsnm("likelihood"), location_scale, 0.9),
            (Gain(), location_scale, 0.95),
            (Grci(), location_scale, 0.8),
            (Qccd(), location_scale, 0.8),
            (Reci(), location_scale, 0.9),
            slow(Combined(), location_scale, 0.95),
            (MtAnm(), multiplicative, 0.95),
            slow(Combined(), multiplicative, 0.95),
        ],
        ids=lambda value: getattr(value, "__name__", str(value)),
    )
    def test_right_where_the_model_holds(
        self, method: OrientationMethod, family: Callable[[int], Pair], least: float
    ) -> None:
        assert share_right(method, family, 20) >= least

    def test_p_values_of_the_true_model_are_about_uniform(self) -> None:
        p_values = []
        for seed in range(40):
            x, y = additive(seed, rows=200)
            p_values.append(Anm().judge(x, y).scores[Structure.CAUSES])
        assert 0.3 < np.mean(np.array(p_values) < 0.5) < 0.72
        assert np.mean(np.array(p_values) < 0.05) <= 0.15

    def test_p_values_of_the_wrong_model_are_small(self) -> None:
        p_values = [Anm().judge(*additive(seed)).scores[Structure.CAUSED] for seed in range(15)]
        assert np.mean(np.array(p_values) < 0.05) >= 0.8

    def test_multiplicative_pairs_are_told_by_the_logarithm(self) -> None:
        diagnostic = MtAnm().judge(*multiplicative(0)).diagnostic
        assert diagnostic["transform_forward"] == "log"

    def test_unknown_form(self) -> None:
        with pytest.raises(StudyError, match="lsnm has no form 'aic'; choose one of hsic, likelihood"):
            Lsnm("aic")  # type: ignore[arg-type]


class TestCalibration:
    def test_every_method_has_its_curve(self) -> None:
        assert set(calibration.CURVES) == {
            "anm",
            "lsnm",
            "lsnm-likelihood",
            "mt-anm",
            "gain",
            "grci",
            "qccd",
            "reci",
        }

    @pytest.mark.parametrize("method", sorted(calibration.CURVES))
    def test_log_odds_grow_with_the_score_and_are_odd_and_bounded(self, method: str) -> None:
        grid = np.linspace(-50, 50, 101)
        odds = [calibration.log_odds(method, float(score)) for score in grid]
        assert all(low <= high for low, high in itertools.pairwise(odds))
        assert odds == [-value for value in reversed(odds)]
        assert max(odds) <= 4

    def test_normal_scores_are_what_qccd_sees(self) -> None:
        x, y = location_scale(3)
        bent = pair(np.exp(normal_scores(x.values)), y.values**3)
        assert Qccd().judge(*bent).log_odds == pytest.approx(Qccd().judge(x, y).log_odds, abs=1e-9)
