"""Pooled p-values against scipy, and at the ends of the scale."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from weft.errors import EvidenceError
from weft.evidence.independence.protocol import Result
from weft.evidence.pool import Part, PoolingMethod, fisher, is_independent, pool, stouffer

P_VALUES = st.lists(st.floats(1e-12, 1 - 1e-12), min_size=1, max_size=8)
METHODS: tuple[PoolingMethod, ...] = ("fisher", "stouffer")


def parts(*p_values: float, rows: int = 100) -> list[Part]:
    return [Part(f"s{i}", p, rows) for i, p in enumerate(p_values)]


@given(P_VALUES)
def test_fisher_as_scipy(p_values: list[float]) -> None:
    assert fisher(p_values) == pytest.approx(stats.combine_pvalues(p_values, "fisher").pvalue, rel=1e-9)


@given(P_VALUES, st.randoms(use_true_random=False))
def test_stouffer_as_scipy(p_values: list[float], random: object) -> None:
    rows = [10 + 7 * i for i in range(len(p_values))]
    known = stats.combine_pvalues(p_values, "stouffer", weights=np.sqrt(rows)).pvalue
    assert stouffer(p_values, rows) == pytest.approx(known, rel=1e-7, abs=1e-14)


@pytest.mark.parametrize("method", METHODS)
def test_one_study_keeps_its_p_value(method: PoolingMethod) -> None:
    for p in (0.0, 1e-300, 0.1, 0.3, 1.0):
        assert pool(parts(p), method).p_value == p


def test_ends_of_the_scale() -> None:
    assert fisher([0.0, 1.0]) == 0.0
    assert fisher([1.0, 1.0, 1.0]) == 1.0
    assert fisher([1.0, 0.01]) == pytest.approx(0.01 * (1 - math.log(0.01)))
    assert fisher([1e-300] * 5) == 0.0
    assert fisher([1e-100, 1e-100]) == pytest.approx(1e-200 * (1 + 200 * math.log(10)), rel=1e-9)
    assert stouffer([0.0, 1.0], [50, 50]) < 1e-50
    assert stouffer([1.0, 1.0], [50, 50]) == pytest.approx(1.0)
    assert 0 <= stouffer([0.0, 0.0], [50, 50]) < 1e-300


@pytest.mark.parametrize("method", METHODS)
def test_uniform_if_the_parts_are(method: PoolingMethod) -> None:
    draws = np.random.default_rng(101).random((3000, 3))
    pooled = [
        pool([Part("a", a, 50), Part("b", b, 200), Part("c", c, 900)], method).p_value for a, b, c in draws.tolist()
    ]
    assert stats.kstest(pooled, "uniform").pvalue > 1e-3


@pytest.mark.parametrize("method", METHODS)
@given(p_values=P_VALUES, change=st.floats(0, 1))
def test_increasing_in_each_and_free_of_order(method: PoolingMethod, p_values: list[float], change: float) -> None:
    pooled = pool(parts(*p_values), method).p_value
    larger = pool(parts(max(p_values[0], change), *p_values[1:]), method).p_value
    assert pooled is not None
    assert larger is not None
    assert larger >= pooled - 1e-12
    assert pool(parts(*reversed(p_values)), method).p_value == pytest.approx(pooled, rel=1e-9)


def test_more_rows_weigh_more() -> None:
    assert stouffer([0.01, 0.5], [900, 100]) < stouffer([0.01, 0.5], [100, 900])


def test_results_of_tests_are_parts_as_they_are() -> None:
    pooled = pool([Result(1.0, 0.04, 200), Result(2.0, 0.1, 400)])
    assert pooled.p_value == fisher([0.04, 0.1])
    assert pooled.rows == 600


def test_rows_and_parts_are_kept() -> None:
    given_parts = [Part("a", 0.2, 30), Part("b", 0.4, 70)]
    pooled = pool(given_parts)
    assert pooled.rows == 100
    assert pooled.parts == tuple(given_parts)


def test_one_definition_of_independent() -> None:
    assert not is_independent(0.05, 0.05)
    assert is_independent(math.nextafter(0.05, 1), 0.05)
    assert pool(parts(0.05)).independent(0.05) is False
    assert pool(parts(0.06)).independent(0.05) is True


def test_verdicts() -> None:
    agreed = pool([Part("a", None, verdict=True), Part("b", None, verdict=True)])
    assert agreed.p_value is None
    assert agreed.independent(alpha=0.01)
    assert not pool([Part("a", None, verdict=False)]).independent(alpha=0.01)


@pytest.mark.parametrize(
    ("bad", "message"),
    [
        (lambda: pool([]), "no study measured"),
        (lambda: pool(parts(0.5), "mean"), "no pooling method 'mean'; choose one of fisher, stouffer"),
        (lambda: Part("a", 1.5), "study 'a': 1.5 is not a p-value"),
        (lambda: Part("a", math.nan), "nan is not a p-value"),
        (lambda: Part("a", None), "give a p-value or a verdict"),
        (lambda: is_independent(0.5, 0.0), "alpha is 0.0"),
        (lambda: is_independent(math.nan, 0.05), "not a p-value"),
        (lambda: pool([Part("a", 0.5), Part("b", 0.5)], "stouffer"), "needs the rows"),
        (lambda: pool([Part("a", 0.5), Part("b", None, verdict=True)]), "study 'a' gives a p-value"),
        (lambda: pool([Part("a", None, verdict=False), Part("b", None, verdict=True)]), "differ between studies"),
    ],
)
def test_bad_input_is_one_clear_line(bad: object, message: str) -> None:
    with pytest.raises(EvidenceError, match=message):
        bad()  # type: ignore[operator]
