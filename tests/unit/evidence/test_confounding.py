from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from weft.errors import StudyError
from weft.evidence.confounding import Confounding, spectral
from weft.studies import Column, Kind


def columns(causes: int, rows: int, strength: float, seed: int) -> tuple[Column, list[Column]]:
    """A target whose regression on its causes is confounded to that strength."""
    generator = np.random.default_rng([seed, causes])
    own = generator.normal(size=(rows, causes)) @ generator.normal(size=(causes, causes))
    confounder, loading = generator.normal(size=rows), generator.normal(size=causes)
    loading *= np.sqrt(causes) / np.linalg.norm(loading) * causes**0.25
    x = own + np.outer(confounder, loading)
    bias = np.linalg.solve(own.T @ own / rows + np.outer(loading, loading), loading)
    effects = generator.normal(size=causes)
    effects *= np.sqrt(1 - strength) / np.linalg.norm(effects)
    y = x @ effects + np.sqrt(strength) / np.linalg.norm(bias) * confounder + 0.3 * generator.normal(size=rows)
    return column("y", y), [column(f"x{i}", values) for i, values in enumerate(x.T)]


def column(name: str, values: np.ndarray) -> Column:
    return Column(name, Kind.CONTINUOUS, values)


class TestSpectral:
    def test_ranks_strengths(self) -> None:
        truth = np.linspace(0, 1, 40)
        found = [spectral(*columns(30, 1000, strength, seed)).strength for seed, strength in enumerate(truth)]
        assert stats.spearmanr(truth, found)[0] > 0.7

    def test_tells_the_extremes_apart(self) -> None:
        free, confounded = (
            [spectral(*columns(20, 1000, strength, seed)).strength for seed in range(15)] for strength in (0.0, 1.0)
        )
        assert np.mean(free) < 0.35
        assert np.mean(confounded) > 0.75

    def test_does_not_depend_on_units_or_order(self) -> None:
        target, causes = columns(12, 300, 0.5, 0)
        scaled = [column(one.name, (i + 1) * one.values - i) for i, one in enumerate(causes)]
        before, after = spectral(target, causes), spectral(column("y", 9 * target.values), scaled[::-1])
        assert after.strength == pytest.approx(before.strength, abs=0.011)
        assert after.explained == pytest.approx(before.explained)

    def test_leaves_out_rows_with_missing_values(self) -> None:
        target, causes = columns(10, 200, 0.5, 1)
        values = causes[0].values.copy()
        values[:30] = np.nan
        with_gaps = spectral(target, [column("x0", values), *causes[1:]])
        without = spectral(column("y", target.values[30:]), [column(one.name, one.values[30:]) for one in causes])
        assert with_gaps == without
        assert (with_gaps.rows, with_gaps.causes, with_gaps.target) == (170, 10, "y")

    def test_figures_are_shares(self) -> None:
        result = spectral(*columns(15, 400, 0.8, 2))
        assert isinstance(result, Confounding)
        assert 0 <= result.strength <= 1
        assert 0 < result.explained <= 1
        assert 0 <= result.misfit <= 1

    def test_uncorrelated_causes_say_nothing(self) -> None:
        """All eigenvalues alike: any weights fit, and the answer is a number all the same."""
        generator = np.random.default_rng(3)
        x = np.linalg.qr(generator.normal(size=(500, 12)) - 0.0)[0]
        result = spectral(column("y", x.sum(axis=1)), [column(f"x{i}", values) for i, values in enumerate(x.T)])
        assert 0 <= result.strength <= 1

    def test_refuses_fewer_than_ten_causes(self) -> None:
        target, causes = columns(12, 100, 0.5, 4)
        with pytest.raises(StudyError, match="'y' cannot be judged from 9 causes; give 10 or more"):
            spectral(target, causes[:9])

    def test_refuses_what_it_cannot_use(self) -> None:
        target, causes = columns(10, 100, 0.5, 5)
        with pytest.raises(StudyError, match="given twice"):
            spectral(target, [*causes, causes[0]])
        with pytest.raises(StudyError, match="constant"):
            spectral(target, [*causes, column("c", np.ones(100))])
        with pytest.raises(StudyError, match="determine each other"):
            spectral(target, [*causes, column("c", causes[0].values - causes[1].values)])
        with pytest.raises(StudyError, match="categorical"):
            spectral(target, [*causes, Column("c", Kind.CATEGORICAL, np.arange(100.0) % 3)])
        with pytest.raises(StudyError, match="has 50 rows"):
            spectral(target, [*causes, column("c", np.arange(50.0))])
        with pytest.raises(StudyError, match="only 15 rows"):
            spectral(column("y", target.values[:15]), [column(one.name, one.values[:15]) for one in causes])
