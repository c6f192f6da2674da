"""Log odds from the p-values of a run: are they as often right as they say?"""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import optimize, stats

from weft.errors import EvidenceError
from weft.evidence.weights import LEAST_P_VALUE, Mixture, fit_mixture, log_odds


def simulate(generator: np.random.Generator, count: int, share: float, family: str) -> tuple[np.ndarray, np.ndarray]:
    """P-values, and which of them come from dependent pairs."""
    dependent = generator.random(count) >= share
    effects = generator.beta(0.1, 1, count)
    if family == "normal":
        effects = np.asarray(2 * stats.norm.sf(np.abs(generator.normal(2.5, 1, count))))
    return np.where(dependent, effects, generator.random(count)), dependent


@pytest.mark.parametrize("family", ["beta", "normal"])
@pytest.mark.parametrize("count", [20, 60, 300])
def test_calibrated(family: str, count: int) -> None:
    generator = np.random.default_rng((111, count))
    odds: list[float] = []
    truth: list[bool] = []
    for _ in range(6000 // count):
        p_values, dependent = simulate(generator, count, generator.uniform(0.2, 0.8), family)
        odds += log_odds(p_values.tolist())
        truth += dependent.tolist()
    said, seen = 1 / (1 + np.exp(-np.array(odds))), np.array(truth)
    for low, high in [(0.0, 0.2), (0.2, 0.4), (0.4, 0.6), (0.6, 0.8), (0.8, 0.95), (0.95, 1.0)]:
        chosen = (said >= low) & (said <= high)
        assert chosen.sum() > 30
        assert seen[chosen].mean() == pytest.approx(said[chosen].mean(), abs=0.14)
    assert seen[said > 0.99].mean() > 0.97


def test_finds_the_mixture() -> None:
    p_values, _ = simulate(np.random.default_rng(112), 20_000, 0.6, "beta")
    mixture = fit_mixture(p_values.tolist())
    # At lambda = 1/2 the dependent pairs add (1 - .6) (1 - .5^.1) / .5 = .054.
    assert mixture.independent_share == pytest.approx(0.654, abs=0.02)
    assert mixture.exponent == pytest.approx(0.1, abs=0.02)
    assert mixture.count == 20_000


def test_exponent_is_the_most_likely() -> None:
    p_values, _ = simulate(np.random.default_rng(113), 80, 0.5, "normal")
    mixture = fit_mixture(p_values.tolist())
    pi0, seen = mixture.independent_share, np.append(p_values, math.exp(-10))

    def cost(xi: float) -> float:
        density = xi * seen ** (xi - 1)
        return -float(np.log(pi0 + (1 - pi0) * density[:-1]).sum() + np.log(density[-1]))

    best = optimize.minimize_scalar(cost, bounds=(0.001, 0.999), method="bounded", options={"xatol": 1e-10})
    assert mixture.exponent == pytest.approx(best.x, abs=1e-5)


@pytest.mark.parametrize(
    "p_values",
    [[], [0.5], [0.0], [1.0], [0.0, 1.0], [1.0] * 50, [0.0] * 50, [1e-300] * 3 + [0.04], [0.5] * 200],
    ids=str,
)
def test_few_and_extreme_p_values_give_finite_odds(p_values: list[float]) -> None:
    mixture = fit_mixture(p_values)
    assert 0 < mixture.independent_share < 1
    assert 0 < mixture.exponent < 1
    for p in (0.0, 1e-300, 0.01, 0.5, 1.0):
        assert math.isfinite(mixture.log_odds(p))
    assert mixture.log_odds(1e-4) > mixture.log_odds(0.5) > mixture.log_odds(1.0)


def test_with_nothing_to_learn_from_odds_are_modest() -> None:
    mixture = fit_mixture([])
    assert mixture == Mixture(0.5, pytest.approx(0.1, abs=1e-4), 0)  # type: ignore[arg-type]
    assert -3 < mixture.log_odds(1.0) < mixture.log_odds(0.15) < 0 < mixture.log_odds(0.05) < mixture.log_odds(0.01) < 2


def test_one_impossible_p_value_does_not_decide() -> None:
    ordinary = np.random.default_rng(114).beta(0.2, 1, 60).tolist()
    before, after = fit_mixture(ordinary), fit_mixture([*ordinary, 0.0])
    assert after.log_odds(0.001) == pytest.approx(before.log_odds(0.001), abs=0.3)
    assert before.log_odds(0.0) == before.log_odds(LEAST_P_VALUE)


def test_more_independent_pairs_make_dependence_less_likely() -> None:
    generator = np.random.default_rng(115)
    few, many = (simulate(generator, 500, share, "normal")[0].tolist() for share in (0.1, 0.9))
    assert fit_mixture(few).log_odds(0.03) > 0 > fit_mixture(many).log_odds(0.03)


def test_order_does_not_matter() -> None:
    p_values = np.random.default_rng(116).random(40).tolist()
    assert fit_mixture(p_values) == fit_mixture(p_values[::-1])


def test_weight_is_the_odds_of_what_is_said_and_never_negative() -> None:
    mixture = Mixture(0.5, 0.1, 10)
    for p in (1e-9, 0.01, 0.2, 1.0):
        separated, connected = mixture.weight(p, independent=True), mixture.weight(p, independent=False)
        assert min(separated, connected) == 0
        assert connected - separated == pytest.approx(mixture.log_odds(p))


@pytest.mark.parametrize("bad", [-0.1, 1.1, math.nan])
def test_no_p_value(bad: float) -> None:
    with pytest.raises(EvidenceError, match="is not a p-value"):
        fit_mixture([0.5, bad])
