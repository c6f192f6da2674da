"""LiNGAM, IGCI and the adapter: identifiable pairs are right, unidentifiable ones undecided, counted on fixed seeds.

Covers ``lingam.py``, ``igci.py`` and ``adapter.py``.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np
import pytest
from scipy import stats

from weft.errors import StudyError
from weft.evidence.orientation import lingam
from weft.evidence.orientation.adapter import Scorer
from weft.evidence.orientation.columns import canonical_pair
from weft.evidence.orientation.igci import Estimator, Igci, Reference, entropy
from weft.evidence.orientation.lingam import Lingam
from weft.evidence.orientation.protocol import OrientationMethod, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

NOISE: dict[str, Callable[[np.random.Generator, int], np.ndarray]] = {
    "uniform": lambda generator, rows: generator.uniform(-1, 1, rows),
    "laplace": lambda generator, rows: generator.laplace(size=rows),
    "exponential": lambda generator, rows: generator.exponential(size=rows),
}


def columns(x: np.ndarray, y: np.ndarray) -> tuple[Column, Column]:
    return Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y)


def counted(method: OrientationMethod, draw: Callable[[np.random.Generator], tuple[np.ndarray, np.ndarray]], runs: int):  # type: ignore[no-untyped-def]
    """How many of the pairs are decided for "x causes y", and how many against."""
    verdicts = [run(method, *columns(*draw(np.random.default_rng([71, seed])))) for seed in range(runs)]
    decided = [verdict.forced for verdict in verdicts if verdict.decided]
    return decided.count(Structure.CAUSES), decided.count(Structure.CAUSED)


# -------------------------------------------------------------------------------------------------------------- lingam


@pytest.mark.parametrize("noise", NOISE)
def test_lingam_is_right_on_linear_pairs(noise: str) -> None:
    def draw(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x, other = NOISE[noise](generator, 500), NOISE[noise](generator, 500)
        return x, generator.uniform(0.5, 2) * generator.choice([-1, 1]) * x + other

    right, wrong = counted(Lingam(), draw, 40)
    assert right >= 36
    assert wrong == 0


def test_lingam_leaves_gaussian_pairs_undecided() -> None:
    def draw(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x, other = generator.normal(size=(2, 400))
        return x, generator.uniform(0.3, 2) * x + other

    assert sum(counted(Lingam(), draw, 120)) <= 8


def test_lingam_leaves_curves_undecided_but_only_with_its_check() -> None:
    def draw(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x, other = generator.normal(size=(2, 500))
        return x, np.tanh(2 * x) + 0.3 * other

    assert counted(Lingam(), draw, 20) == (0, 0)
    assert counted(Lingam(check=0.0), draw, 20) == (0, 20)
    assert "the better linear model does not fit" in Lingam().judge(*columns(*draw(np.random.default_rng(1)))).reason


def test_lingam_entropy_of_densities_near_the_gaussian() -> None:
    places = (np.arange(20000) + 0.5) / 20000
    for distribution, tolerance in ((stats.norm(), 0.001), (stats.t(12), 0.004), (stats.gamma(20), 0.006)):
        values = distribution.ppf(places)
        values = (values - values.mean()) / values.std()
        expected = float(distribution.entropy()) - math.log(float(distribution.std()))
        assert lingam._entropy(values)[0] == pytest.approx(expected, abs=tolerance)


@pytest.mark.parametrize("noise", NOISE)
def test_lingam_influence_is_what_leaving_out_a_row_changes(noise: str) -> None:
    generator = np.random.default_rng(5)
    rows = 300
    x = NOISE[noise](generator, rows)
    y = 0.8 * x + NOISE[noise](generator, rows)

    def ratio(x: np.ndarray, y: np.ndarray) -> tuple[float, np.ndarray]:
        one, other = canonical_pair(x, y)
        r = float(one @ other) / (len(one) - 1)
        forward, backward = lingam._log_likelihood(one, other, r), lingam._log_likelihood(other, one, r)
        return forward[0] - backward[0], forward[1] - backward[1]

    whole, influence = ratio(x, y)
    jackknife = [(rows - 1) * (whole - ratio(np.delete(x, i), np.delete(y, i))[0]) for i in range(rows)]
    assert np.std(jackknife) == pytest.approx(np.std(influence), rel=0.05)


def test_lingam_says_that_a_multiple_has_no_direction() -> None:
    x = np.random.default_rng(6).exponential(size=100)
    judgement = Lingam().judge(*columns(x, -3 * x))
    assert judgement.log_odds == 0
    assert "multiple" in judgement.reason


# ---------------------------------------------------------------------------------------------------------------- igci


@pytest.mark.parametrize("reference", ["uniform", "gaussian"])
@pytest.mark.parametrize("estimator", ["entropy", "slope"])
def test_igci_is_right_on_its_own_model(reference: Reference, estimator: Estimator) -> None:
    # No noise, a cause with the reference density, a function that is not linear.
    method = Igci(reference, estimator)
    right = 0
    for seed in range(30):
        generator = np.random.default_rng([72, seed])
        x = generator.uniform(size=300) if reference == "uniform" else generator.normal(size=300)
        power = generator.uniform(0.3, 0.6) if generator.random() < 0.5 else generator.uniform(1.7, 3)
        y = np.sign(x) * np.abs(x) ** power
        right += method.judge(*columns(x, y)).log_odds > 0
    assert right >= 28


def test_igci_cannot_see_noise_so_it_stays_modest() -> None:
    def draw(generator: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
        x, other = generator.normal(size=(2, 300))
        return x, np.tanh(2 * x) + 0.3 * other

    assert counted(Igci(), draw, 10) == (0, 0)
    right, wrong = counted(Igci(trust=3.0), draw, 10)
    assert right == 0
    assert wrong >= 8


def test_igci_entropy_is_that_of_the_density() -> None:
    generator = np.random.default_rng(7)
    for values, expected in (
        (generator.uniform(0, 2, 20000), math.log(2)),
        (generator.normal(size=20000), 0.5 * math.log(2 * math.pi * math.e)),
    ):
        found, variance = entropy(values)
        assert found == pytest.approx(expected, abs=5 * math.sqrt(variance))
        assert found == pytest.approx(expected, abs=0.05)


def test_igci_slope_is_the_mean_logarithm_of_the_derivative() -> None:
    x = np.linspace(0, 1, 2001)
    scores = Igci(estimator="slope").judge(*columns(x, x**2)).scores
    assert scores[Structure.CAUSES] == pytest.approx(math.log(2) - 1, abs=0.01)  # mean of log 2x over [0, 1]
    assert scores[Structure.CAUSED] == pytest.approx(-scores[Structure.CAUSES], abs=0.01)


def test_igci_needs_a_density() -> None:
    x, y = np.random.default_rng(8).normal(size=(2, 100))
    judgement = Igci().judge(*columns(x, np.round(y)))
    assert judgement.log_odds == 0
    assert "'y'" in judgement.reason


def test_igci_wrong_settings_are_an_error() -> None:
    with pytest.raises(StudyError, match="choose one of uniform, gaussian"):
        Igci(reference="normal")  # type: ignore[arg-type]


# ------------------------------------------------------------------------------------------------------------- adapter


def skewness(x: np.ndarray, y: np.ndarray) -> float:
    return float(abs(np.mean(x**3)) - abs(np.mean(y**3)))


def one_sided(x: np.ndarray, y: np.ndarray) -> float:
    """Not antisymmetric, and it writes into what it is given."""
    x += 1.0
    return float(np.mean(np.abs(y)) ** 2 + np.mean(x * x * y))


@pytest.mark.parametrize("score", [skewness, one_sided])
def test_scorer_mirrors_and_leaves_the_data_alone(score: Callable[[np.ndarray, np.ndarray], float]) -> None:
    scorer = Scorer("mine", score, scale=0.5)
    x, y = columns(*np.random.default_rng(9).exponential(size=(2, 60)))
    before = x.values.copy()
    assert scorer.judge(y, x) == scorer.judge(x, y).mirrored
    assert np.array_equal(x.values, before)
    assert isinstance(scorer, OrientationMethod)
    other_units = Column("x", Kind.CONTINUOUS, 5 * x.values - 3)
    assert scorer.judge(other_units, y).log_odds == pytest.approx(scorer.judge(x, y).log_odds)


def test_scorer_scale_and_bound() -> None:
    x, y = columns(*np.random.default_rng(10).normal(size=(2, 60)))
    assert Scorer("mine", lambda x, y: 0.25 if x is not y else 0.0).judge(x, y).log_odds == 0  # both ways alike

    def knows(a: np.ndarray, b: np.ndarray) -> float:
        return 0.7 if abs(a[0] - (x.values[0] - x.values.mean()) / x.values.std(ddof=1)) < 1e-9 else -0.7

    assert Scorer("mine", knows, scale=2).judge(x, y).log_odds == pytest.approx(1.4)
    assert Scorer("mine", knows, scale=200).judge(x, y).log_odds == pytest.approx(math.log(19))
    assert Scorer("mine", knows, scale=200, bound=7).judge(x, y).log_odds == pytest.approx(7)


def test_scorer_failures_are_one_line() -> None:
    def fails(x: np.ndarray, y: np.ndarray) -> float:
        raise ZeroDivisionError("no luck")

    x, y = columns(*np.random.default_rng(11).normal(size=(2, 60)))
    with pytest.raises(StudyError, match="'mine' failed on 'x' and 'y': ZeroDivisionError: no luck"):
        Scorer("mine", fails).judge(x, y)
    undecided = run(cast(OrientationMethod, Scorer("mine", lambda x, y: math.nan)), x, y)
    assert not undecided.decided
    assert "not a finite number" in undecided.reason
    with pytest.raises(StudyError, match="scale"):
        Scorer("mine", skewness, scale=0)


def test_scorer_refuses_other_kinds_and_names_its_function() -> None:
    x, _ = columns(*np.random.default_rng(12).normal(size=(2, 60)))
    levels = Column("z", Kind.CATEGORICAL, np.arange(60.0) % 3)
    sentence = Scorer("mine", skewness).refusal(x, levels)
    assert sentence == "mine takes continuous or ordinal columns, and 'z' is categorical; use another method"
    assert str(Scorer("mine", skewness).settings["score"]).endswith("skewness")
