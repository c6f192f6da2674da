"""Absolute fit among neighbours, the regressions behind it, the published program of GRCI; each with a slow twin."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

import numpy as np
import pytest
from scipy import special

from tests.support.slow import slow
from weft.evidence.independence.kernels import FloatArray
from weft.evidence.orientation.additive import PENALTIES, Additive, Terms, level_terms, number_terms
from weft.evidence.orientation.calibration import even_features, odd_features, three_way
from weft.evidence.orientation.dependence import cause_features, dependence, residual_features
from weft.evidence.orientation.gof import Gof, both_fits
from weft.evidence.orientation.grci import Grci
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD
from weft.evidence.orientation.protocol import Around, Judgement, Verdict, run
from weft.studies import Column, Kind


def column(name: str, values: FloatArray) -> Column:
    return Column(name, Kind.CONTINUOUS, np.asarray(values))


class TestAdditive:
    def test_leave_one_out_is_what_a_loop_gives(self) -> None:
        generator = np.random.default_rng(0)
        points = generator.exponential(size=(2, 40))
        terms = [number_terms(one) for one in points]
        target = np.sin(3 * points[0]) + points[1] + 0.3 * generator.normal(size=40)
        losses = [_looped_loss(terms, target, float(penalty)) for penalty in PENALTIES]
        assert Additive(terms).fit(target).loss == pytest.approx(min(losses), rel=1e-3)

    def test_a_sum_of_a_line_and_a_curve_comes_back(self) -> None:
        generator = np.random.default_rng(1)
        line, bent = generator.lognormal(size=500), generator.uniform(-2, 2, size=500)
        target = 2 * line + np.tanh(2 * bent)
        fit = Additive([number_terms(line), number_terms(bent)]).fit(target + 0.1 * generator.normal(size=500))
        assert np.abs(fit.fitted - target).std() < 0.05

    def test_levels_have_their_means(self) -> None:
        codes = np.array([0.0, 0, 1, 1, 2, 2])
        fit = Additive([level_terms(codes)]).fit(np.array([1.0, 3, 5, 5, 0, 2]))
        assert fit.fitted == pytest.approx([2, 2, 5, 5, 1, 1], abs=1e-5)

    def test_a_column_twice_is_no_harm(self) -> None:
        values = np.random.default_rng(2).normal(size=100)
        once, twice = (Additive([number_terms(values)] * times).fit(values**2) for times in (1, 2))
        assert twice.fitted == pytest.approx(once.fitted, abs=0.05)


def _looped_loss(terms: Sequence[Terms], target: FloatArray, penalty: float) -> float:
    """Fit without each row in turn; the penalty is relative to the whole sample, intercept not penalised."""
    basis = np.column_stack([np.ones(len(target)), *(one.basis for one in terms)])
    rough = np.zeros((basis.shape[1], basis.shape[1]))
    start = 1
    for one in terms:
        end = start + one.basis.shape[1]
        rough[start:end, start:end] = one.penalty * float(np.sum(one.basis**2)) / float(np.trace(one.penalty))
        start = end
    errors = []
    for row in range(len(target)):
        others = np.arange(len(target)) != row
        gram = basis[others].T @ basis[others] + penalty * rough
        errors.append(target[row] - basis[row] @ np.linalg.lstsq(gram, basis[others].T @ target[others], rcond=None)[0])
    return float(np.mean(np.square(errors)))


def study(seed: int, rows: int) -> dict[str, Column]:
    """A -> x -> y <- b, x and y have a common effect c, and x and z only a hidden common cause."""
    generator = np.random.default_rng([5, seed])
    a, b, hidden = generator.exponential(size=(3, rows))
    x = a + hidden + generator.uniform(size=rows)
    y = x + 1.5 * b + generator.uniform(size=rows)
    c = x + y + generator.exponential(size=rows)
    z = hidden + 0.5 * generator.exponential(size=rows)
    return {name: column(name, values) for name, values in (("a", a), ("b", b), ("c", c), ("x", x), ("y", y), ("z", z))}


def around(table: dict[str, Column], of_x: str, of_y: str) -> Around:
    return Around(tuple(table[name] for name in of_x), tuple(table[name] for name in of_y))


class TestGof:
    @pytest.mark.parametrize("seed", range(3))
    def test_the_best_set_is_what_all_sets_give(self, seed: int) -> None:
        table = study(seed, 250)
        found = both_fits(table["x"], table["y"], around(table, "acz", "bcz"))
        for direction, cause, effect, others in (("forward", "x", "y", "bcz"), ("backward", "y", "x", "acz")):
            for model in ("linear", "additive"):
                expected = min(_best_of_all(table, cause, effect, others, model), 0.5)
                assert found[f"{model}_{direction}"] == pytest.approx(expected, rel=0.05, abs=1e-12)

    def test_the_effect_needs_its_other_cause(self) -> None:
        right = [_outcome(study(seed, 1500), "x", "y", "acz", "bc") for seed in range(6)]
        assert sum(one.allowed == FORWARD for one in right) >= 5
        backward = [_outcome(study(seed, 1500), "y", "x", "bc", "acz") for seed in range(6)]
        assert sum(one.allowed == BACKWARD for one in backward) >= 5

    def test_a_common_cause_is_not_called_a_cause(self) -> None:
        found = [_outcome(study(seed, 1500), "x", "z", "acy", "") for seed in range(10)]
        assert sum(one.allowed in (FORWARD, BACKWARD) for one in found) <= 1

    def test_gaussian_data_tell_nothing(self) -> None:
        decided = 0
        for seed in range(10):
            generator = np.random.default_rng([6, seed])
            x, b = generator.normal(size=(2, 1000))
            table = {"x": column("x", x), "b": column("b", b), "y": column("y", x + b + generator.normal(size=1000))}
            decided += _outcome(table, "x", "y", "", "b").decided
        assert decided <= 2

    def test_an_exact_function_fits(self) -> None:
        x = np.random.default_rng(7).normal(size=100)
        fits = both_fits(column("x", x), column("y", 3 * x - 1), Around())
        assert fits["linear_forward"] == fits["linear_backward"] == 0.5

    def test_only_the_strongest_neighbours_are_looked_at(self) -> None:
        table = study(0, 200)
        noise = np.random.default_rng(8).normal(size=(12, 200))
        many = tuple(column(f"noise{i:02}", values) for i, values in enumerate(noise))
        found = both_fits(table["x"], table["y"], Around((), (table["b"], *many)))
        assert found["neighbours"] == 5
        assert found["additive_forward"] >= 0.01  # b is among them

    def test_thinned_rows_are_the_same_ones_for_both_orders(self) -> None:
        table = study(1, 800)
        there = Gof(most_rows=300).judge_among(table["x"], table["y"], around(table, "a", "b"))
        back = Gof(most_rows=300).judge_among(table["y"], table["x"], around(table, "b", "a"))
        assert back.outcomes == pytest.approx(there.mirrored.outcomes)


def _outcome(table: dict[str, Column], x: str, y: str, of_x: str, of_y: str) -> Verdict:
    return run(Gof(), table[x], table[y], around=around(table, of_x, of_y))


def _best_of_all(table: dict[str, Column], cause: str, effect: str, others: str, model: str) -> float:
    best = 0.0
    for size in range(3):
        for some in combinations(others, size):
            names = (cause, *some)
            target = table[effect].values
            if model == "additive":
                left = target - Additive([number_terms(table[name].values) for name in names]).fit(target).fitted
            else:
                basis = np.column_stack([np.ones(len(target)), *(table[name].values for name in names)])
                left = target - basis @ np.linalg.lstsq(basis, target, rcond=None)[0]
            features = residual_features(left)
            p_values = [dependence(cause_features(table[name].values), features).p_value for name in names]
            best = max(best, len(names) * min(p_values))
    return best


FITS = {
    "linear_forward": 0.3,
    "linear_backward": 1e-7,
    "additive_forward": 0.4,
    "additive_backward": 1e-3,
    "unexplained": 0.6,
}
COEFFICIENTS = {
    "additive": 0.7,
    "linear": 1.1,
    "scores": 0.5,
    "agreeing": 0.4,
    "bias": 0.2,
    "neither": 0.3,
    "unexplained": 1.4,
}


class TestThreeWay:
    def test_is_the_formula(self) -> None:
        odd, even = odd_features(FITS, 0.8), even_features(FITS)
        found = three_way(FITS, 0.8, COEFFICIENTS)
        total = 0.7 * odd["additive"] + 1.1 * odd["linear"] + 0.5 * 0.8 + 0.4 * 0.8 * odd["additive"]
        direction = 2.5 * math.tanh(total / 2.5)
        common = 3 * math.tanh((0.2 + 0.3 * even["neither"] + 1.4 * math.log(0.6)) / 3)
        shares = np.exp([direction, common, -direction])
        assert found == pytest.approx(tuple(0.01 + 0.97 * shares / shares.sum()))

    def test_scores_that_contradict_the_fit_do_not_agree(self) -> None:
        assert odd_features(FITS, 0.8)["agreeing"] > 0
        assert odd_features(FITS, 50.0)["agreeing"] == odd_features(FITS, 2.0)["agreeing"]
        assert odd_features(FITS, -0.8)["agreeing"] == 0

    def test_swapping_mirrors(self) -> None:
        swapped = {
            **FITS,
            "linear_forward": 1e-7,
            "linear_backward": 0.3,
            "additive_forward": 1e-3,
            "additive_backward": 0.4,
        }
        for scores in (0.8, -0.8):
            assert three_way(swapped, -scores, COEFFICIENTS) == three_way(FITS, scores, COEFFICIENTS).mirrored


class TestGrci:
    @pytest.mark.parametrize("rows", [60, slow(400)])
    @pytest.mark.parametrize("ties", [False, True])
    def test_is_the_published_program(self, rows: int, ties: bool) -> None:
        generator = np.random.default_rng(rows)
        x = generator.gamma(2, size=rows)
        y = np.sin(x) + (0.2 + 0.3 * x) * generator.normal(size=rows)
        if ties:
            x, y = np.round(x, 1), np.round(y, 1)
        judgement: Judgement = Grci().judge(column("x", x), column("y", y))
        published = _published(x, y)
        assert float(judgement.diagnostic["score"]) == pytest.approx(published * math.sqrt(rows) / 10, abs=1e-6)


def _published(x: FloatArray, y: FloatArray) -> float:
    """The score by loops over rows: the mean of the digammas of the neighbours, forward less backward."""
    return _digammas(x, y) - _digammas(y, x)


def _digammas(cause: FloatArray, effect: FloatArray) -> float:
    mean, left_out = _spline(cause, effect, -math.inf)
    sizes = np.abs(left_out)
    scale, _ = _spline(cause, sizes, 0.05 * float(sizes.std(ddof=1)))
    one, other = ((side - side.mean()) / side.std(ddof=1) for side in (cause, (effect - mean) / scale))
    total = 0.0
    for row in range(len(one)):
        apart_one, apart_other = np.abs(one - one[row]), np.abs(other - other[row])
        reach = np.sort(np.maximum(apart_one, apart_other))[10]
        total += sum(float(special.digamma(np.sum(apart <= reach + 1e-12))) for apart in (apart_one, apart_other))
    return total / len(one)


def _spline(cause: FloatArray, target: FloatArray, floor: float) -> tuple[FloatArray, FloatArray]:
    """The fitted values and leave-one-out residuals of the linear spline with the least of these."""
    place = (cause - cause.min()) / np.ptp(cause)
    best: tuple[float, FloatArray, FloatArray] | None = None
    counts = dict.fromkeys(round(count) for count in np.linspace(2, max(2, math.sqrt(len(place) / 10)), 10))
    for count in (0, *counts):
        knots = [] if count == 0 else [place, *(np.maximum(place - k / (count - 1), 0) for k in range(1, count - 1))]
        design = np.column_stack([*knots, np.ones(len(place))])
        hat = design @ np.linalg.inv(design.T @ design + 1e-8 * np.eye(design.shape[1])) @ design.T
        fitted = np.maximum(hat @ target, floor)
        left_out = (target - fitted) / (1 - np.diag(hat))
        error = float(left_out @ left_out)
        if best is None or error < best[0]:
            best = (error, fitted, left_out)
    assert best is not None
    return best[1], best[2]
