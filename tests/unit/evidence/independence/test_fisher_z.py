"""Partial correlation against textbook formulas."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from weft.errors import StudyError
from weft.evidence.independence.fisher_z import FisherZ
from weft.studies import Column, Kind


def column(name: str, values: np.ndarray) -> Column:
    return Column(name, Kind.CONTINUOUS, values)


def by_inverse(x: np.ndarray, y: np.ndarray, given: np.ndarray) -> tuple[float, float]:
    """Partial correlation from the inverse of the correlation matrix, and its t test."""
    precision = np.linalg.inv(np.corrcoef(np.vstack([x, y, given])))
    r = -precision[0, 1] / np.sqrt(precision[0, 0] * precision[1, 1])
    freedom = len(x) - 2 - len(given)
    return r, 2 * stats.t.sf(abs(r) * np.sqrt(freedom / (1 - r**2)), freedom)


def test_without_given_it_is_pearsons_test() -> None:
    x, y = np.random.default_rng(61).standard_normal((2, 30))
    result = FisherZ().test(column("x", x), column("y", x + 3 * y))
    known = stats.pearsonr(x, x + 3 * y)
    assert result.diagnostic["partial_correlation"] == pytest.approx(known.statistic)
    assert result.p_value == pytest.approx(known.pvalue)


@pytest.mark.parametrize("size", [1, 2, 5])
def test_agrees_with_the_inverse_correlation_matrix(size: int) -> None:
    draws = np.random.default_rng(62 + size).standard_normal((size + 2, 40))
    draws[0] += draws[2:].sum(axis=0)
    draws[1] += draws[2] + 0.5 * draws[0]
    x, y, *given = (column(str(i), values) for i, values in enumerate(draws))
    r, p_value = by_inverse(draws[0], draws[1], draws[2:])
    result = FisherZ().test(x, y, given)
    assert result.diagnostic["partial_correlation"] == pytest.approx(r)
    assert result.p_value == pytest.approx(p_value)
    assert result.diagnostic["degrees_of_freedom"] == 38 - size


def test_exact_with_few_rows_and_many_given() -> None:
    p_values = []
    for seed in range(2000):
        x, y, *given = (
            column(str(i), v) for i, v in enumerate(np.random.default_rng((63, seed)).standard_normal((6, 9)))
        )
        p_values.append(FisherZ().test(x, y, given).p_value)
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    assert sum(p <= 0.01 for p in p_values) == pytest.approx(20, abs=15)


def test_redundant_given_changes_nothing() -> None:
    x, y, a, b = np.random.default_rng(64).standard_normal((4, 50))
    once = FisherZ().test(column("x", x), column("y", y), [column("a", a), column("b", b)])
    again = FisherZ().test(column("x", x), column("y", y), [column("a", a), column("b", b), column("c", a - 2 * b + 5)])
    assert again.p_value == pytest.approx(once.p_value)
    assert again.diagnostic["given_rank"] == once.diagnostic["given_rank"] == 2


def test_nearly_singular_given_is_still_accurate() -> None:
    x, y, a, b = np.random.default_rng(65).standard_normal((4, 60))
    near = FisherZ().test(column("x", x), column("y", y), [column("a", a), column("b", a + 1e-6 * b)])
    apart = FisherZ().test(column("x", x), column("y", y), [column("a", a), column("b", b)])
    assert near.p_value == pytest.approx(apart.p_value, rel=1e-6)


def test_function_of_the_given_is_an_error_that_names_it() -> None:
    x, a, b = np.random.default_rng(66).standard_normal((3, 50))
    with pytest.raises(StudyError, match="'y' is a linear function of 'a', 'b'"):
        FisherZ().test(column("x", x), column("y", 3 * a - b), [column("a", a), column("b", b)])


def test_too_few_rows_for_the_given() -> None:
    x, y, *given = (column(str(i), v) for i, v in enumerate(np.random.default_rng(67).standard_normal((6, 6))))
    with pytest.raises(StudyError, match="6 rows are too few"):
        FisherZ().test(x, y, given)


def test_perfect_correlation_has_finite_numbers() -> None:
    x = np.random.default_rng(68).standard_normal(30)
    result = FisherZ().test(column("x", x), column("y", -2 * x))
    assert result.diagnostic["partial_correlation"] == pytest.approx(-1)
    assert result.p_value < 1e-100
    assert np.isfinite([result.statistic, result.diagnostic["fisher_z"]]).all()
