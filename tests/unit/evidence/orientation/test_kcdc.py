"""KCDC against its definition, and its rules."""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest

from weft.errors import StudyError
from weft.evidence.independence.kernels import incomplete_cholesky, pivoted_cholesky
from weft.evidence.orientation.columns import canonical_pair
from weft.evidence.orientation.kcdc import (
    KERNELS,
    TRUST,
    Kcdc,
    KernelName,
    dense_deviance,
    median_distance,
    profile,
)
from weft.evidence.orientation.protocol import run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind


def columns(x: np.ndarray, y: np.ndarray) -> tuple[Column, Column]:
    return Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y)


def heteroscedastic(seed: int, rows: int) -> tuple[Column, Column]:
    generator = np.random.default_rng(seed)
    x = generator.normal(size=rows)
    return columns(x, x**2 + generator.exponential(size=rows) * (1 + np.abs(x)))


def multiplicative(seed: int, rows: int) -> tuple[Column, Column]:
    """As in the paper's synthetic data; far values, which are the hard case of a low rank."""
    x, noise = np.random.default_rng(seed).exponential(size=(2, rows))
    return columns(x, 4 * x**2 * noise)


@pytest.mark.parametrize(("kernel_in", "kernel_out"), list(product(KERNELS, KERNELS)))
@pytest.mark.parametrize("ridge", [1e-1, 1e-3])
@pytest.mark.parametrize("pair", [heteroscedastic, multiplicative])
def test_low_rank_is_the_dense_formula(kernel_in: KernelName, kernel_out: KernelName, ridge: float, pair) -> None:  # type: ignore[no-untyped-def]
    x, y = pair(1, 400)
    scores = Kcdc(ridge, kernel_in, kernel_out, width=0.8).judge(x, y).scores
    forward = dense_deviance(x.values, y.values, ridge, kernel_in, kernel_out, 0.8)
    backward = dense_deviance(y.values, x.values, ridge, kernel_in, kernel_out, 0.8)
    assert scores[Structure.CAUSES] == pytest.approx(forward, rel=3e-3)
    assert scores[Structure.CAUSED] == pytest.approx(backward, rel=3e-3)


def test_dense_formula_is_the_definition() -> None:
    x, y = multiplicative(2, 40)
    ridge = 0.02
    a, b = (column.values / column.values.std(ddof=1) for column in (x, y))

    def median(values: np.ndarray) -> float:
        return float(np.median([abs(s - t) for i, s in enumerate(values) for t in values[:i]]))

    def kernel(s: float, t: float, width: float) -> float:
        return math.exp(-((s - t) ** 2) / (2 * width**2))

    inputs = np.array([[kernel(s, t, median(a)) for t in a] for s in a])
    outputs = np.array([[kernel(s, t, median(b)) for t in b] for s in b])
    norms = []
    for i in range(40):
        alpha = np.linalg.inv(inputs + 40 * ridge * np.eye(40)) @ inputs[:, i]
        norms.append(math.sqrt(sum(alpha[j] * alpha[k] * outputs[j, k] for j in range(40) for k in range(40))))
    # The median of an even number of distances is the mean of two neighbours there, the lower one here.
    assert dense_deviance(x.values, y.values, ridge) == pytest.approx(np.var(norms), rel=0.02)


@pytest.mark.parametrize("rows", [2, 3, 30, 31, 200])
def test_median_distance(rows: int) -> None:
    for values in (np.random.default_rng(rows).normal(size=rows), np.arange(float(rows)) % 7):
        pairs = sorted(abs(s - t) for i, s in enumerate(values) for t in values[:i])
        assert median_distance(values) == pytest.approx(pairs[(len(pairs) - 1) // 2], rel=1e-12, abs=1e-12)


def test_median_distance_of_mostly_ties_is_not_zero() -> None:
    assert median_distance(np.array([0.0] * 50 + [1.0, 3.0])) == pytest.approx(2.0)


def test_pivoted_cholesky_is_that_of_the_kernels_module() -> None:
    values = np.random.default_rng(3).normal(size=80)
    ours = pivoted_cholesky(lambda pivot: profile(np.abs(values - values[pivot]), "rbf", 0.7), 80, 40, 1e-8)
    assert np.allclose(ours, incomplete_cholesky(values[:, None], 0.7, 40, 1e-8), atol=1e-10)


@pytest.mark.parametrize("kernel", KERNELS)
def test_pivoted_cholesky_reproduces_the_kernel(kernel: KernelName) -> None:
    values = np.random.default_rng(4).normal(size=60)
    full = profile(np.abs(values[:, None] - values[None, :]), kernel, 1.0)
    factor = pivoted_cholesky(lambda pivot: full[pivot].copy(), 60, 60, 1e-12)
    assert np.allclose(factor @ factor.T, full, atol=1e-6)
    assert np.allclose(np.diag(full), 1)


def test_direct_rule_takes_the_smaller_deviance() -> None:
    for ridge in (1e-1, 1e-3):
        x, y = multiplicative(5, 300)
        judgement = Kcdc(ridge).judge(x, y)
        forward, backward = judgement.scores[Structure.CAUSES], judgement.scores[Structure.CAUSED]
        assert (judgement.log_odds > 0) == (forward < backward)
        ratio = abs(forward - backward) / min(forward, backward)
        assert judgement.diagnostic["ratio"] == pytest.approx(ratio, rel=1e-9)
        assert abs(judgement.log_odds) == pytest.approx(TRUST * math.tanh(math.log1p(ratio)), rel=1e-9)


def test_majority_and_confidence_are_made_of_direct_ones() -> None:
    x, y = heteroscedastic(6, 150)
    lambdas = (1e-1, 1e-3)
    direct = [
        Kcdc(ridge, kernel_in, kernel_out).judge(x, y)
        for kernel_in, kernel_out in product(KERNELS, KERNELS)
        for ridge in lambdas
    ]
    share = np.mean([one.log_odds > 0 for one in direct])
    majority = Kcdc(rule="majority", lambdas=lambdas).judge(x, y)
    assert majority.scores[Structure.CAUSES] == pytest.approx(share)
    assert majority.log_odds == pytest.approx(TRUST * (2 * share - 1))
    surest = max(direct, key=lambda one: one.diagnostic["ratio"])
    confidence = Kcdc(rule="confidence", lambdas=lambdas).judge(x, y)
    assert confidence.log_odds == pytest.approx(surest.log_odds)
    assert confidence.scores == pytest.approx(surest.scores)
    assert confidence.diagnostic["settings"] == len(direct) == 18


def test_lambda_decides_on_the_papers_own_equations() -> None:
    # Synthetic 1, y -> z: the answer turns with lambda, which is why KCDC is not the default.
    small, large = [], []
    for seed in range(5):
        generator = np.random.default_rng(900 + seed)
        x, n_y, n_z = generator.exponential(size=(3, 500))
        y = 3 * np.log(x**2) * n_y
        pair = columns(y, 4 * y**2 * n_z)
        small.append(Kcdc(ridge=1e-3).judge(*pair).log_odds > 0)
        large.append(Kcdc(ridge=1.0).judge(*pair).log_odds > 0)
    assert (sum(small), sum(large)) == (0, 5)


def test_trust_bounds_the_confidence() -> None:
    x, y = multiplicative(7, 200)
    modest = run(Kcdc(), x, y)
    assert not modest.decided
    assert modest.confidence <= 0.7
    assert run(Kcdc(trust=3.0), x, y).decided


def test_canonical_pair_turns_with_the_columns() -> None:
    x, y = np.random.default_rng(8).normal(size=(2, 50)).round(1)
    one, other = canonical_pair(x, y)
    swapped = canonical_pair(y, x)
    assert np.array_equal(one, swapped[1])
    assert np.array_equal(other, swapped[0])


@pytest.mark.parametrize("wrong", [{"ridge": 0.0}, {"kernel_in": "gauss"}, {"rule": "best"}, {"lambdas": ()}])
def test_wrong_settings_are_an_error(wrong: dict[str, object]) -> None:
    with pytest.raises(StudyError, match="kcdc"):
        Kcdc(**wrong)  # type: ignore[arg-type]
