from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import islice
from typing import Any

import numpy as np
import pytest
from scipy import stats

from weft.evidence.independence import kernels
from weft.evidence.independence.kernels import (
    PowerSums,
    Smoother,
    best_fit,
    canonical_rows,
    centred_kernel,
    combined,
    conditional_power_sums,
    conditional_without,
    covariance_tail,
    crossed,
    curve,
    even_freedom_factor,
    forms,
    freedom_factor,
    gaussian_features,
    halved_low_rank,
    incomplete_cholesky,
    independent_power_sums,
    independent_without,
    inflation,
    inflation_at_most,
    leading,
    low_rank,
    low_rank_smoothers,
    mean_smoother,
    normal_scores,
    outlined,
    principal,
    products_of,
    reordered,
    residual_errors,
    ridge_smoothers,
    scores_in_order,
    shared_power_sums,
    smoothers_again,
    squared_distances,
    standardise,
    sums_apart,
    sums_below_zero,
    tried,
)


def points(rows: int, columns: int, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).standard_normal((rows, columns))


def octave_kernel(data: np.ndarray, width: float, octaves: int) -> np.ndarray:
    """The obvious twin: the mean of full kernel matrices."""
    squares = squared_distances(data)
    return np.asarray(np.mean([np.exp(-squares / (2 * (width / 2**k) ** 2)) for k in range(octaves)], axis=0))


def without(direction: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[float, PowerSums]:
    diagonal = np.sum(a * a, axis=1) * np.sum(b * b, axis=1)
    return conditional_without(direction, a, b, a.T @ b, diagonal, conditional_power_sums(a, b, len(a)))


def without_a_line(x: np.ndarray, y: np.ndarray, a: np.ndarray, b: np.ndarray) -> tuple[float, PowerSums]:
    return independent_without(curve(x, a), curve(y, b), a.T @ b, independent_power_sums(a, b))


class TestPoints:
    @pytest.mark.parametrize("scale", [1e-300, 1e-9, 1.0, 1e9, 1e300])
    def test_standardise_is_free_of_units(self, scale: float) -> None:
        data = points(50, 1)[:, 0]
        assert standardise(data * scale) == pytest.approx((data - data.mean()) / data.std(ddof=1), abs=1e-12)

    def test_standardise_with_a_large_mean(self) -> None:
        data = points(50, 1)[:, 0]
        assert standardise(data + 1e9) == pytest.approx(standardise(data), abs=1e-5)

    def test_constant_becomes_zero(self) -> None:
        assert standardise(np.full(5, 3.7)).tolist() == [0.0] * 5

    def test_normal_scores_depend_on_ranks_only(self) -> None:
        data = points(50, 1)[:, 0]
        assert normal_scores(np.exp(5 * data)).tolist() == normal_scores(data).tolist()

    def test_normal_scores_turn_with_the_sign(self) -> None:
        data = np.round(points(50, 1)[:, 0], 1)
        assert normal_scores(-data) == pytest.approx(-normal_scores(data), abs=1e-12)

    def test_the_sign_of_a_sum_does_not_depend_on_the_order(self) -> None:
        generator = np.random.default_rng(4)
        for _ in range(50):
            values = generator.standard_normal(99) * 10.0 ** generator.integers(-6, 6)
            values[-1] = -values[:-1].sum() + generator.choice([-1, 1]) * 1e-9 * np.abs(values).max()
            below = sums_below_zero(values)
            assert below == (math.fsum(values) < 0)
            assert sums_below_zero(generator.permutation(values)) == below
            assert sums_below_zero(-values) != below
        assert not sums_below_zero(np.zeros(3))

    def test_ties_stay_ties(self) -> None:
        scores = normal_scores(np.array([3.0, 1.0, 3.0, 2.0]))
        assert scores[0] == scores[2]
        assert scores[1] < scores[3] < scores[0]

    def test_without_ties_they_are_the_quantiles_of_the_ranks(self) -> None:
        values = np.random.default_rng(0).standard_normal(501)
        quantiles = stats.norm.ppf((stats.rankdata(values) - 0.5) / 501)
        assert normal_scores(values) == pytest.approx(quantiles / quantiles.std(ddof=1), abs=1e-12)
        assert np.array_equal(normal_scores(-values), -normal_scores(values))
        tied = np.append(values, values[:1])  # the way with ties, but for one of them
        assert normal_scores(tied) == pytest.approx(
            np.append(normal_scores(values), normal_scores(values)[0]), abs=0.01
        )

    def test_scores_come_with_the_order_unless_that_is_open(self) -> None:
        values = np.random.default_rng(0).standard_normal(101)
        scores, order = scores_in_order(values)
        assert order is not None
        assert order.tolist() == sorted(range(101), key=values.__getitem__)
        assert np.array_equal(scores, normal_scores(values))
        assert scores_in_order(np.append(values, values[:1]))[1] is None

    @pytest.mark.parametrize("decimals", [0, 15])
    def test_rows_in_the_order_of_their_content(self, decimals: int) -> None:
        columns = [np.round(column, decimals) for column in points(200, 3).T]
        assert canonical_rows(columns).tolist() == sorted(range(200), key=lambda row: [one[row] for one in columns])
        assert canonical_rows(columns[:1]).tolist() == np.argsort(columns[0], kind="stable").tolist()


class TestFeatures:
    @pytest.mark.parametrize("octaves", [1, 3])
    @pytest.mark.parametrize("columns", [1, 2])
    def test_cholesky_reaches_its_tolerance(self, octaves: int, columns: int) -> None:
        data = points(120, columns)
        features = incomplete_cholesky(data, 2.0, 120, 1e-8, octaves)
        kernel = octave_kernel(data, 2.0, octaves)
        assert np.abs(features @ features.T - kernel).max() <= 120 * 1e-8
        assert features.shape[1] < 120

    def test_rank_is_a_limit(self) -> None:
        assert incomplete_cholesky(points(100, 3), 0.1, 17, 1e-8).shape == (100, 17)

    def test_duplicated_rows_need_no_column_of_their_own(self) -> None:
        data = np.repeat(points(7, 2), 10, axis=0)
        features = incomplete_cholesky(data, 1.0, 70, 1e-12)
        assert features.shape[1] == 7
        assert np.isfinite(features).all()

    def test_principal_columns_are_orthogonal_and_sorted(self) -> None:
        features = points(40, 6)
        turned = principal(features)
        gram = turned.T @ turned
        assert gram == pytest.approx(np.diag(np.diag(gram)), abs=1e-9)
        assert np.all(np.diff(np.diag(gram)) <= 0)
        assert turned @ turned.T == pytest.approx(features @ features.T, abs=1e-9)

    @pytest.mark.parametrize("octaves", [1, 3])
    def test_pivots_from_a_part_of_the_rows_describe_all(self, octaves: int) -> None:
        data = points(400, 2)
        features = low_rank(data, 2.0, 150, 1e-7, octaves, among=200)
        kernel = octave_kernel(data, 2.0, octaves)
        kernel = kernel - kernel.mean(axis=0)
        formed = features.columns @ features.weights
        missed = kernel - kernel.mean(axis=1)[:, None] - formed @ formed.T
        assert -1e-9 < np.trace(missed) / np.trace(kernel) < 0.05  # a far point that is no pivot may be missed
        assert np.linalg.norm(missed) / np.linalg.norm(kernel) < 0.05
        assert np.abs(formed.mean(axis=0)).max() < 1e-9
        assert features.rank == formed.shape[1] <= 150

    @pytest.mark.parametrize("among", [None, 40])
    def test_low_rank_features_need_not_be_formed(self, among: int | None) -> None:
        features = low_rank(points(120, 2), 1.0, 30, 1e-3, among=among)
        formed, other = features.columns @ features.weights, points(120, 3, seed=1)
        assert features.gram() == pytest.approx(formed.T @ formed, abs=1e-8)
        assert features.along(other) == pytest.approx(other.T @ formed, abs=1e-8)
        turn = points(features.rank, 4, seed=2)
        assert features.turned(turn) == pytest.approx(formed @ turn, abs=1e-8)

    @pytest.mark.parametrize("rank", [10, 60])
    def test_pivots_among_few_rows_are_those_of_the_slow_way(self, rank: int) -> None:
        data = points(90, 2)
        kernel = kernels._mean_of_octaves(kernels._upper_kernel(data), 2)
        triangle, pivots = kernels._pivots(kernel, rank, 1e-3)
        factor, expected = kernels._cholesky(data, rank, 1e-3, 2)
        assert pivots.tolist() == expected
        assert triangle == pytest.approx(factor[:, expected], abs=1e-9)
        assert len(pivots) == rank or rank == 60

    @pytest.mark.parametrize("rows", [90, 500, 2300])  # pivots from all rows; from some; in single precision
    def test_halving_the_width_again_and_again(self, rows: int) -> None:
        data = points(rows, 2)
        for octave, features in enumerate(islice(halved_low_rank(data, 2.0, 60, 1e-4, among=200), 4)):
            alone = low_rank(data, 2.0 / 2**octave, 60, 1e-4, among=200)
            assert features.rank == alone.rank
            assert features.columns == pytest.approx(alone.columns, abs=1e-6)
            assert features.gram() == pytest.approx(alone.gram(), rel=1e-4, abs=1e-3)

    def test_kernels_of_rows_with_pivots(self) -> None:
        data = points(2300, 3)
        features = low_rank(data, 1.0, 40, 1e-4, octaves=3, among=400)
        kernel = kernels._mean_of_octaves(kernels._upper_kernel(data[::5] / math.sqrt(2)), 3)
        pivots = data[::5][kernels._pivots(kernel, 40, 1e-4)[1]]
        squares = ((data[:, None] - pivots) ** 2).sum(axis=2)
        sums = sum(np.exp(-squares / 2 * 4.0**octave) for octave in range(3))
        assert features.columns == pytest.approx(sums - sums.mean(axis=0), abs=5e-6)  # sixteenth powers in single

    def test_single_precision_is_enough(self, monkeypatch: pytest.MonkeyPatch) -> None:
        data = points(600, 2)
        double = low_rank(data, 1.0, 60, 1e-4, among=200)
        monkeypatch.setattr(kernels, "_SINGLE", 100)
        single = low_rank(data, 1.0, 60, 1e-4, among=200)
        assert [one.columns.dtype.name for one in (double, single)] == ["float64", "float32"]
        assert single.columns == pytest.approx(double.columns, abs=1e-6)
        exact, close = low_rank_smoothers(double, [0.01])[0], low_rank_smoothers(single, [0.01])[0]
        assert close.basis.dtype.name == "float32"
        assert close.freedom == pytest.approx(exact.freedom, rel=1e-3)
        targets = points(600, 3, seed=1)
        targets -= targets.mean(axis=0)
        assert close.residuals(targets) == pytest.approx(exact.residuals(targets), abs=1e-3)
        assert close.losses(targets) == pytest.approx(exact.losses(targets), rel=0.02)
        principal_ones = np.asarray(double.turned(leading(double.gram())), dtype=np.float64)
        assert exact.leverage == pytest.approx(ridge_smoothers(principal_ones, [0.01])[0].leverage, rel=1e-6)

    def test_pivots_from_all_rows_by_default(self) -> None:
        data = points(90, 2)
        plain = incomplete_cholesky(data, 1.0, 40, 1e-4)
        features = low_rank(data, 1.0, 40, 1e-4, among=50)  # every single row: there are fewer than twice as many
        assert features.columns @ features.weights == pytest.approx(plain - plain.mean(axis=0), abs=1e-12)

    def test_leading_directions(self) -> None:
        gram = np.diag([1.0, 100.0, 10.0, 1e-9])
        assert np.abs(leading(gram)).argmax(axis=0).tolist() == [1, 2, 0]
        assert leading(gram, most=2).shape == (4, 2)
        assert leading(gram, share=0.9).shape == (4, 1)
        assert leading(gram, share=0.95).shape == (4, 2)

    def test_features_equal_the_centred_kernel(self) -> None:
        data = points(60, 2)
        features = gaussian_features(data, 1.5, 60, 1e-9)
        assert features @ features.T == pytest.approx(centred_kernel(data, 1.5), abs=1e-5)


class TestRegression:
    def test_leave_one_out_errors_equal_repeated_regressions(self) -> None:
        z, targets = points(25, 1), points(25, 2, seed=1)
        features = gaussian_features(z, 1.0, 25, 1e-10)
        (smoother,) = ridge_smoothers(features, [0.5])
        centred = targets - targets.mean(axis=0)
        for row in range(25):
            rest = np.delete(np.arange(25), row)
            # With an unpenalised intercept: centre features and targets on the other rows.
            middle, level = features[rest].mean(axis=0), centred[rest].mean(axis=0)
            design = features[rest] - middle
            penalised = design.T @ design + 0.5 * np.eye(design.shape[1])
            weights = np.linalg.solve(penalised, design.T @ (centred[rest] - level))
            error = centred[row] - level - (features[row] - middle) @ weights
            assert smoother.losses(centred)[row] == pytest.approx(error @ error, rel=1e-8)

    def test_nothing_to_explain_takes_nothing(self) -> None:
        targets = points(200, 3, seed=1)
        smoothers = [mean_smoother(200), *ridge_smoothers(gaussian_features(points(200, 1), 1.0, 50, 1e-8), [1e-3])]
        assert best_fit(targets - targets.mean(axis=0), smoothers, 0.0)[0].freedom == 0

    def test_the_best_fit_comes_with_its_errors(self) -> None:
        z, targets = points(100, 1), points(100, 2, seed=1)
        targets = np.sin(2 * z) + targets - (np.sin(2 * z) + targets).mean(axis=0)
        bases = [gaussian_features(z, width, 50, 1e-8) for width in (2.0, 0.5)]
        smoothers = [mean_smoother(100), *(one for basis in bases for one in ridge_smoothers(basis, [0.1, 1.0, 10.0]))]
        chosen, loss = best_fit(targets, smoothers, 0.0)
        assert loss == pytest.approx(chosen.losses(targets).sum(), rel=1e-9)
        assert loss == pytest.approx(min(one.losses(targets).sum() for one in smoothers), rel=1e-9)

    @pytest.mark.parametrize("slack", [0.0, 0.5, 1.0, 3.0])
    def test_the_choice_is_that_by_the_errors_of_every_row(self, slack: float) -> None:
        z, noise = points(150, 1), points(150, 2, seed=1)
        targets = np.sin(2 * z) + noise - (np.sin(2 * z) + noise).mean(axis=0)
        bases = [gaussian_features(z, width, 50, 1e-8) for width in (2.0, 1.0, 0.5)]
        smoothers = [mean_smoother(150), *(one for basis in bases for one in ridge_smoothers(basis, [0.1, 1.0, 10.0]))]
        for among in (range(10), range(3, 10), [0, 2, 9]):
            losses = {place: smoothers[place].losses(targets) for place in among}
            least = min(among, key=lambda place: losses[place].sum())
            excess = {place: losses[place] - losses[least] for place in among}
            limit = {place: slack * math.sqrt(150) * one.std() for place, one in excess.items()}
            good = [place for place in among if excess[place].sum() <= limit[place]]
            expected = max(good, key=lambda place: smoothers[place].freedom)
            assert tried(targets, smoothers).best(slack, among) == expected

    def test_slack_prefers_the_flexible(self) -> None:
        z = points(200, 1)
        targets = np.sin(3 * z) + 0.3 * points(200, 1, seed=1)
        smoothers = ridge_smoothers(gaussian_features(z, 0.5, 100, 1e-8), [1e-3, 1e-2, 0.1, 1.0, 10.0])
        chosen = [best_fit(targets - targets.mean(), smoothers, slack)[0].freedom for slack in (0.0, 1.0, 1e9)]
        assert chosen == sorted(chosen)
        assert chosen[2] == max(smoother.freedom for smoother in smoothers)

    @pytest.mark.parametrize("rows", [150, 2300])
    def test_what_is_not_tried_would_not_have_been_chosen(self, rows: int, monkeypatch: pytest.MonkeyPatch) -> None:
        z = points(rows, 1)
        widths = (4.0, 2.0, 1.0, 0.5, 0.2)
        smoothers = [mean_smoother(rows)]
        for width in widths:
            smoothers += low_rank_smoothers(low_rank(z, width, 60, 1e-5, among=400), [1e-3, 0.1, 10.0])
        counted: list[int] = []
        all_losses = kernels._losses_of_all

        def counting(some: Sequence[Smoother], *rest: Any) -> np.ndarray:
            counted.append(len(some))
            return all_losses(some, *rest)

        monkeypatch.setattr(kernels, "_losses_of_all", counting)
        for seed, frequency in enumerate((0.0, 0.3, 1.0, 3.0, 10.0)):
            noise = 0.3 * points(rows, 4, seed=seed + 1)
            targets = np.sin(frequency * (z + np.arange(4))) + noise
            targets = (targets - targets.mean(axis=0)).astype(smoothers[-1].basis.dtype)
            trials = tried(targets, smoothers)
            for slack in (0.0, 0.5, 1.0, 5.0):
                counted.clear()
                chosen, loss = best_fit(targets, smoothers, slack)
                assert chosen is smoothers[trials.best(slack)]
                assert loss == pytest.approx(trials.sums[trials.best(slack)], rel=1e-5)
                assert sum(counted) < len(smoothers) or frequency in (0.0, 0.3)

    @pytest.mark.parametrize("same_basis", [False, True])
    def test_freedom_factor_equals_full_matrices(self, same_basis: bool) -> None:
        seeds = (0, 0) if same_basis else (0, 1)
        bases = [gaussian_features(points(40, 1, seed), 0.7, 40, 1e-9) for seed in seeds]
        smoothers = [ridge_smoothers(basis, [ridge])[0] for basis, ridge in zip(bases, (0.1, 1.0), strict=True)]
        if same_basis:
            smoothers = ridge_smoothers(bases[0], [0.1, 1.0])
        variances = np.random.default_rng(2).exponential(1.0, (2, 40))
        covariances = []
        for smoother, variance in zip(smoothers, variances, strict=True):
            left = np.eye(40) - 1 / 40 - smoother.basis @ np.diag(smoother.shrinkage) @ smoother.basis.T
            covariances.append(left @ np.diag(variance) @ left)
        expected = np.sum(covariances[0] * covariances[1]) / (np.diag(covariances[0]) @ np.diag(covariances[1]))
        assert freedom_factor(smoothers[0], smoothers[1], variances[0], variances[1]) == pytest.approx(
            expected, rel=1e-10
        )
        assert expected != pytest.approx(1, abs=0.01)

    def test_products_over_many_rows(self) -> None:
        one, other = points(90, 5), points(90, 3, seed=1)
        single = one.astype(np.float32), other.astype(np.float32)
        expected = one.T @ other
        assert crossed(one, other) == pytest.approx(expected, abs=1e-12)
        assert crossed(*single) == pytest.approx(expected, abs=1e-4)
        assert crossed(*map(np.asfortranarray, single)) == pytest.approx(expected, abs=1e-4)
        assert crossed(single[0], other) == pytest.approx(expected, abs=1e-4)
        assert crossed(single[0], single[1][:, :0]).shape == (5, 0)

    def test_quadratic_forms_by_half_of_the_matrix(self) -> None:
        rows, core = points(50, 7), points(7, 7, seed=1)
        core = core + core.T
        expected = [row @ core @ row for row in rows]
        assert forms(rows, core) == pytest.approx(expected, abs=1e-12)
        assert forms(np.asfortranarray(rows), core) == pytest.approx(expected, abs=1e-12)
        assert forms(rows.astype(np.float32), core) == pytest.approx(expected, abs=1e-4)
        assert forms(rows[:, :0], core[:0, :0]).tolist() == [0.0] * 50

    def test_the_diagonal_of_two_smoothers(self) -> None:
        z = points(60, 1)
        smoothers = [
            mean_smoother(60),
            *(
                one
                for width in (2.0, 0.7)
                for one in ridge_smoothers(gaussian_features(z, width, 40, 1e-9), [1e-2, 1.0])
            ),
        ]
        for one in smoothers:
            for other in smoothers:
                whole = [(both.basis * both.shrinkage) @ both.basis.T for both in (one, other)]
                assert one.diagonal_with(other) == pytest.approx(np.diag(whole[0] @ whole[1]), abs=1e-12)
                assert one.diagonal_with(other) is one.diagonal_with(other)

    def test_rows_with_equal_z_may_change_places(self) -> None:
        z = np.repeat(points(20, 1), 2, axis=0)
        swapped = np.arange(40) ^ 1  # the two rows of each value
        one, other = ridge_smoothers(gaussian_features(z, 0.7, 40, 1e-9), [0.1, 1.0])
        first, second = np.random.default_rng(2).exponential(1.0, (2, 40))
        moved = residual_errors(other, second).in_order(swapped)
        expected = inflation(residual_errors(one, first), residual_errors(other, second[swapped]))
        assert inflation(residual_errors(one, first), moved) == pytest.approx(expected, rel=1e-10)
        unmoved = inflation(residual_errors(one, first), residual_errors(other, second))
        assert unmoved != pytest.approx(expected, rel=1e-6)

    @pytest.mark.parametrize("same_basis", [False, True])
    def test_inflation_in_single_precision(self, same_basis: bool) -> None:
        z, chance = points(2300, 2), np.random.default_rng(1)
        smoothers = [low_rank_smoothers(low_rank(z, width, 60, 1e-4, among=400), [0.01, 1.0]) for width in (2.0, 0.7)]
        one, other = smoothers[0] if same_basis else (smoothers[0][1], smoothers[1][0])
        variances = np.exp(z[:, 0] / 2) * chance.exponential(1.0, (2, 2300))
        found = inflation(*(residual_errors(*both) for both in zip((one, other), variances, strict=True)))
        assert found > 1.005
        left = [np.eye(2300) - 1 / 2300 - (s.basis * s.shrinkage) @ s.basis.T for s in (one, other)]
        full = [part * variance @ part.T for part, variance in zip(left, variances, strict=True)]
        assert found == pytest.approx(np.sum(full[0] * full[1]) / (np.diag(full[0]) @ np.diag(full[1])), rel=3e-5)

    def test_what_is_known_beside_a_basis_that_is_gone_is_not_taken_for_another(self) -> None:
        z = points(60, 1)
        (one,) = ridge_smoothers(gaussian_features(z, 0.7, 40, 1e-9), [0.1])
        errors = residual_errors(one, np.ones(60))
        for width in (2.0, 1.0, 0.5, 0.25):
            (other,) = ridge_smoothers(gaussian_features(z, width, 40, 1e-9), [0.1])
            whole = [(both.basis * both.shrinkage) @ both.basis.T for both in (one, other)]
            assert one.diagonal_with(other) == pytest.approx(np.diag(whole[0] @ whole[1]), abs=1e-12)
            fresh = inflation(residual_errors(one, np.ones(60)), residual_errors(other, np.ones(60)))
            assert inflation(errors, residual_errors(other, np.ones(60))) == pytest.approx(fresh, rel=1e-12)
            assert one.product(other) == pytest.approx(one.basis.T @ other.basis, abs=1e-12)
            del other

    @pytest.mark.parametrize("same_basis", [False, True])
    def test_inflation_is_no_larger_than_its_bound(self, same_basis: bool) -> None:
        for seed in range(20):
            z = points(80, 2, seed)
            bases = [gaussian_features(z[:, :1], width, 40, 1e-6) for width in (0.3, 0.3 if same_basis else 2.0)]
            one, other = (ridge_smoothers(basis, [0.01])[0] for basis in bases)
            if same_basis:
                one, other = ridge_smoothers(bases[0], [0.01, 1.0])
            variances = np.random.default_rng(seed).exponential(1.0, (2, 80)) ** 2
            errors = residual_errors(one, variances[0]), residual_errors(other, variances[1])
            bound, exact = inflation_at_most(*errors)
            assert exact == same_basis
            assert inflation(*errors) <= bound
            assert inflation(*errors) > 1

    def test_freedom_factor_of_ordinary_regression(self) -> None:
        (smoother,) = ridge_smoothers(principal(points(60, 5) - points(60, 5).mean(axis=0)), [0.0])
        kept = 1 - smoother.leverage
        assert even_freedom_factor(smoother, smoother) == pytest.approx((60 - 6) / (kept @ kept), rel=1e-9)

    @pytest.mark.parametrize("same_basis", [False, True])
    @pytest.mark.parametrize(("rows", "close"), [(60, 1e-9), (2300, 1e-6)])  # the latter in single precision
    def test_even_variances_need_no_large_products(self, rows: int, close: float, same_basis: bool) -> None:
        z = points(rows, 2)
        wide, narrow = (
            low_rank_smoothers(low_rank(z, width, 60, 1e-4, among=400), [0.01, 1.0]) for width in (2.0, 0.7)
        )
        one, other = wide if same_basis else (wide[1], narrow[0])
        expected = freedom_factor(one, other, np.ones(rows), np.ones(rows))
        assert even_freedom_factor(one, other) == pytest.approx(expected, rel=close)
        assert even_freedom_factor(other, one) == pytest.approx(expected, rel=close)
        assert expected > 1.001

    @pytest.mark.parametrize("rows", [500, 2300])  # in double precision, and in single
    def test_smoothers_made_again_are_the_same_to_the_last_bit(self, rows: int) -> None:
        data, ridges = points(rows, 2), [0.01, 1.0]
        features = list(islice(halved_low_rank(data, 2.0, 60, 1e-4, among=200), 3))
        made = [smoother for one in features for smoother in low_rank_smoothers(one, ridges)]
        outlines = [outlined(one) for one in features]
        again = smoothers_again(data, 2.0, outlines, ridges)
        assert len(again) == len(made) == 6
        for one, other in zip(made, again, strict=True):
            assert np.array_equal(one.basis, other.basis)
            assert np.array_equal(one.shrinkage, other.shrinkage)
            assert np.array_equal(one.leverage, other.leverage)
        assert sum(outline.nbytes for outline in outlines) < sum(one.columns.nbytes for one in features)


class TestNulls:
    @pytest.mark.parametrize("most", [1, 7, 60, 99, 100, 200])
    def test_the_largest_are_those_of_a_sort_of_all(self, most: int) -> None:
        lengths = np.random.default_rng(most).integers(1, 9, (10, 10)).astype(float)  # many are equal
        lengths[3] *= 1e-12
        order = np.argsort(-lengths, axis=None, kind="stable")[:most]
        kept = order[lengths.ravel()[order] > 1e-9 * lengths.max()]
        i, j = kernels._largest(lengths, most)
        assert (10 * i + j).tolist() == kept.tolist()

    @pytest.mark.parametrize("weights", [[1.0], [3.0, 1.0], [5.0, 1.0, 1.0, 1.0], list(0.7 ** np.arange(12))])
    def test_tails_of_a_weighted_chi_square(self, weights: list[float]) -> None:
        w = np.array(weights)
        draws = np.random.default_rng(0).chisquare(1, (200_000, len(w))) @ w
        sums = PowerSums(w.sum(), (w**2).sum(), (w**3).sum())
        for level, gamma_slack, three_slack in [(0.05, 0.25, 0.12), (0.01, 0.4, 0.2), (0.001, 0.8, 0.4)]:
            cut = float(np.quantile(draws, 1 - level))
            assert sums.three_moment_tail(cut) == pytest.approx(level, rel=three_slack)
            assert sums.gamma_tail(cut) == pytest.approx(level, rel=gamma_slack)

    def test_one_weight_is_a_chi_square(self) -> None:
        sums = PowerSums(2.0, 4.0, 8.0)
        assert sums.three_moment_tail(20.0) == pytest.approx(stats.chi2.sf(10, 1), rel=1e-12)
        assert sums.gamma_tail(20.0) == pytest.approx(stats.chi2.sf(10, 1), rel=1e-12)

    def test_far_tail_does_not_become_zero(self) -> None:
        assert 0 < PowerSums(1.0, 1.0, 1.0).three_moment_tail(200.0) < 1e-40

    def test_conditional_sums_are_those_of_random_signs(self) -> None:
        a, b = points(30, 4), points(30, 5, seed=1)
        product = (a @ a.T) * (b @ b.T)
        sums = conditional_power_sums(a, b, 400)
        signs = np.random.default_rng(2).choice([-1.0, 1.0], (200_000, 30))
        draws = np.einsum("ij,ij->i", signs @ product, signs)
        assert sums.first == pytest.approx(draws.mean(), rel=0.01)
        assert 2 * sums.second == pytest.approx(draws.var(), rel=0.02)
        assert 8 * sums.third == pytest.approx(((draws - draws.mean()) ** 3).mean(), rel=0.1)

    def test_conditional_sums_by_products_equal_full_matrices(self) -> None:
        a, b = (gaussian_features(points(500, 2, seed), 1.5, 100, 1e-6) for seed in (0, 1))
        exact, short = conditional_power_sums(a, b, 500), conditional_power_sums(a, b, 250)
        assert short.first == pytest.approx(exact.first, rel=1e-9)
        assert short.second == pytest.approx(exact.second, rel=0.01)
        assert short.third == pytest.approx(exact.third, rel=0.02)

    def test_conditional_sums_by_all_products_are_exact(self) -> None:
        a, b = (principal(points(60, 4, seed)) for seed in (0, 1))
        exact, short = conditional_power_sums(a, b, 60), conditional_power_sums(a, b, 59)
        assert (short.first, short.second, short.third) == pytest.approx((exact.first, exact.second, exact.third))

    def test_shared_sums_of_all_features_are_exact(self) -> None:
        a, b = (principal(points(60, columns, seed)) for seed, columns in enumerate((4, 5)))
        exact, shared = conditional_power_sums(a, b, 60), shared_power_sums(products_of(a, 9), products_of(b, 9))
        assert (shared.first, shared.second, shared.third) == pytest.approx((exact.first, exact.second, exact.third))

    def test_shared_sums_of_leading_features_are_close(self, monkeypatch: pytest.MonkeyPatch) -> None:
        a, b = (gaussian_features(points(900, 2, seed), 1.5, 100, 1e-6) for seed in (0, 1))
        monkeypatch.setattr(kernels, "_SOME", 300)
        exact, shared = conditional_power_sums(a, b, 900), shared_power_sums(products_of(a, 12), products_of(b, 12))
        assert shared.first == pytest.approx(exact.first, rel=1e-9)
        assert shared.second == pytest.approx(exact.second, rel=0.02)
        assert shared.third == pytest.approx(exact.third, rel=0.04)

    def test_few_rows_change_places(self) -> None:
        a, b = (np.asfortranarray(points(50, 3, seed)) for seed in (0, 1))
        order = np.arange(50)
        assert reordered(a, order) is a
        order[[3, 7, 20]] = [20, 3, 7]
        assert np.array_equal(reordered(a, order), a[order])
        moved, expected = products_of(a, 3).in_order(order), products_of(a[order], 3)
        assert moved.products == pytest.approx(expected.products)
        other = products_of(b, 3)
        assert shared_power_sums(moved, other).second == pytest.approx(shared_power_sums(expected, other).second)

    def test_independent_sums_are_those_of_random_pairing(self) -> None:
        generator = np.random.default_rng(3)
        a, b = (gaussian_features(points(80, 1, seed), 1.0, 80, 1e-8) for seed in (0, 1))
        draws = np.array([np.sum((a.T @ b[generator.permutation(80)]) ** 2) for _ in range(8000)])
        sums = independent_power_sums(a, b)
        assert sums.first == pytest.approx(draws.mean(), rel=0.01)
        assert 2 * sums.second == pytest.approx(draws.var(), rel=0.1)
        assert 8 * sums.third == pytest.approx(((draws - draws.mean()) ** 3).mean(), rel=0.25)

    def test_sums_apart_equal_full_matrices(self) -> None:
        features = points(70, 9)
        kernel = features @ features.T
        apart = kernel - np.diag(np.diag(kernel))
        expected = np.trace(kernel), np.trace(apart @ apart), np.trace(apart @ apart @ apart)
        assert sums_apart(features) == pytest.approx(expected, rel=1e-10)
        assert sums_apart(np.asfortranarray(features), np.diag(kernel)) == pytest.approx(expected, rel=1e-10)

    def test_without_skewness_the_null_is_normal(self) -> None:
        assert PowerSums(5.0, 2.0, 0.0).three_moment_tail(5 + 2 * 1.959964) == pytest.approx(0.025, rel=1e-5)


class TestParts:
    def test_covariance_by_hand(self) -> None:
        one, other = points(30, 2).T
        products = [float(a) * float(b) for a, b in zip(one, other, strict=True)]
        spread = max(sum(r * r for r in products), sum(a * a for a in one) * sum(b * b for b in other) / 30)
        t = abs(sum(products)) / np.sqrt(1.1 * spread)
        assert covariance_tail(one, other, 1.1) == pytest.approx(2 * stats.norm.sf(t), rel=1e-12)
        assert covariance_tail(np.zeros(30), other) == 1.0

    def test_a_single_far_value_proves_nothing(self) -> None:
        """One product that outweighs all others has either sign by chance, whatever its size."""
        one, other = points(50, 2).T
        one[0], other[0] = 1e6, 1e6
        assert covariance_tail(one, other) > 0.3

    def test_rare_values_that_never_meet_prove_nothing(self) -> None:
        """Each of two has 10 values far out among 200; that none of them fall together is to be expected."""
        one, other = np.full((2, 200), -0.05)
        one[:10], other[10:20] = 0.95, 0.95
        assert covariance_tail(one, other) > 0.3
        products = one * other
        assert abs(products.sum()) / np.sqrt(products @ products) > 2.3  # as it would by the sum of squares alone

    def test_beyond_normal_tails_only_by_chance(self) -> None:
        """Random signs of products with few large ones: the bound holds far out, where pooling looks."""
        generator = np.random.default_rng(3)
        sizes = generator.standard_t(1.5, 40)
        signs = generator.choice([-1.0, 1.0], (20_000, 40))
        p_values = np.array([covariance_tail(sizes * sign, np.ones(40)) for sign in signs])
        for level in (0.01, 0.001, 0.0001):
            assert np.mean(p_values < level) < 1.5 * level + 2e-4

    def test_without_a_direction_equals_full_matrices(self) -> None:
        a, b, direction = points(60, 4), points(60, 3, seed=1), points(60, 1, seed=2)[:, 0]
        statistic, null = without(direction, a, b)
        unit = direction / np.linalg.norm(direction)
        leave = np.eye(60) - np.outer(unit, unit)
        products = np.einsum("ij,ik->ijk", a, b).reshape(60, -1)
        left = leave @ products
        assert statistic == pytest.approx(np.sum(left.sum(axis=0) ** 2))
        whole = products @ products.T
        apart = leave @ (whole - np.diag(np.diag(whole))) @ leave
        assert null.first == pytest.approx(np.trace(left @ left.T))
        assert null.second == pytest.approx(np.trace(apart @ apart))
        assert null.third == pytest.approx(max(np.trace(apart @ apart @ apart), 0))
        assert null.third > 0

    def test_independent_sums_without_a_line_are_those_of_random_pairing(self) -> None:
        """The slow twin: the statistics of many pairings, each without its own covariance of the columns."""
        generator = np.random.default_rng(5)
        x, y = generator.standard_normal(60), generator.exponential(1.0, 60)
        x, y = x - x.mean(), y - y.mean()
        a, b = (gaussian_features(column[:, None], 1.0, 60, 1e-6) for column in (x, y))
        _, null = without_a_line(x, y, a, b)
        drawn = []
        for _ in range(20_000):
            order = generator.permutation(60)
            paired = b[order]
            line = (a.T @ x) / (x @ x) * (x @ y[order])
            drawn.append(np.sum((a.T @ paired - np.outer(line, (y @ b) / (y @ y))) ** 2))
        assert null.first == pytest.approx(np.mean(drawn), rel=0.02)
        assert 2 * null.second == pytest.approx(np.var(drawn), rel=0.15)
        assert 8 * null.third == pytest.approx(stats.moment(drawn, 3), rel=0.4)

    def test_rare_values_that_meet_count_once(self) -> None:
        """Of 100 rows, one has a rare value of x and of y: a sign of dependence by the kernel, not by what is left."""
        x, y = np.random.default_rng(6).integers(0, 2, (2, 100)) / 10
        x[0], y[0] = 3.0, 3.0
        x, y = x - x.mean(), y - y.mean()
        a, b = (gaussian_features(column[:, None], 1.0, 80, 1e-6) for column in (x, y))
        null = independent_power_sums(a, b)
        statistic, less = without_a_line(x, y, a, b)
        assert null.three_moment_tail(float(np.sum((a.T @ b) ** 2))) < 1e-3
        assert less.three_moment_tail(statistic) > 0.05

    def test_independent_without_is_less_than_all(self) -> None:
        x, y = (points(80, 2) - points(80, 2).mean(axis=0)).T
        a, b = (gaussian_features(column[:, None], 1.0, 80, 1e-6) for column in (x, y))
        null = independent_power_sums(a, b)
        _, less = without_a_line(x, y, a, b)
        assert less.first < null.first
        assert less.second < null.second
        assert less.third < null.third

    def test_without_the_only_direction_nothing_is_left(self) -> None:
        a, b = points(60, 1), points(60, 1, seed=1)
        statistic, null = without((a * b)[:, 0], a, b)
        assert statistic == pytest.approx(0, abs=1e-9 * float((a.T @ b)[0, 0] ** 2))
        assert null.first == pytest.approx(0, abs=1e-9 * float(np.sum((a * b) ** 2)))

    def test_without_nothing_it_is_the_same(self) -> None:
        a, b = points(60, 4), points(60, 3, seed=1)
        null = conditional_power_sums(a, b, 60)
        statistic, same = without(np.zeros(60), a, b)
        assert statistic == pytest.approx(np.sum((a.T @ b) ** 2))
        assert same == null

    @pytest.mark.parametrize("p_values", [(0.03, 0.4, 0.7), (1e-12, 0.2, 1e-3), (0.6, 0.7, 0.8)])
    def test_combined_is_the_tail_of_a_cauchy_variable(self, p_values: tuple[float, ...]) -> None:
        weights = (0.4, 0.4, 0.2)
        mean = sum(w * stats.cauchy.isf(p) for p, w in zip(p_values, weights, strict=True))
        assert combined(*zip(p_values, weights, strict=True)) == pytest.approx(stats.cauchy.sf(mean), rel=1e-6)

    def test_combined_at_the_ends(self) -> None:
        assert combined((1e-300, 0.5), (1.0, 0.5)) == pytest.approx(2e-300)
        assert combined((0.0, 0.5), (1.0, 0.5)) == 0.0
        assert combined((1.0, 0.5), (1.0, 0.5)) == pytest.approx(0.9)
        assert combined((0.0, 0.0), (0.95, 1.0)) == 0.95  # a weight of 0: as if it were not there

    @pytest.mark.parametrize("correlation", [0.0, 0.5, 0.9, 1.0])
    def test_combined_keeps_its_level(self, correlation: float) -> None:
        generator = np.random.default_rng(4)
        common, one, other = generator.standard_normal((3, 40_000))
        share = np.sqrt(correlation)
        both = (2 * stats.norm.sf(np.abs(share * common + np.sqrt(1 - correlation) * own)) for own in (one, other))
        p_values = np.array([combined((p, 0.5), (q, 0.5)) for p, q in zip(*both, strict=True)])
        for level in (0.05, 0.01, 0.001):
            assert np.mean(p_values < level) < 1.15 * level + 3 * np.sqrt(level / 40_000)
