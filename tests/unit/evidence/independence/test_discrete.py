"""G-square and chi-square against scipy, against a slow twin, and against permutations.

Covers ``g_square.py``, which has chi-square too.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np
import pytest
from scipy import stats

from weft.errors import StudyError
from weft.evidence.independence.g_square import ChiSquare, GSquare, _moments, _tabulate
from weft.studies import Column, Kind


def column(name: str, codes: np.ndarray) -> Column:
    return Column(name, Kind.CATEGORICAL, codes.astype(float), tuple(map(str, range(int(codes.max()) + 1))))


def slow(x: np.ndarray, y: np.ndarray, given: list[np.ndarray]) -> tuple[float, float, int]:
    """G-square, chi-square and degrees of freedom, stratum by stratum, cell by cell."""
    g = chi = 0.0
    freedom = 0
    for stratum in sorted(set(zip(*given, strict=True))) if given else [()]:
        rows = [i for i in range(len(x)) if all(z[i] == level for z, level in zip(given, stratum, strict=True))]
        xs, ys = [int(x[i]) for i in rows], [int(y[i]) for i in rows]
        freedom += (len(set(xs)) - 1) * (len(set(ys)) - 1)
        for a, b in product(set(xs), set(ys)):
            seen = sum(1 for i, j in zip(xs, ys, strict=True) if (i, j) == (a, b))
            expected = xs.count(a) * ys.count(b) / len(rows)
            chi += (seen - expected) ** 2 / expected
            g += 2 * seen * math.log(seen / expected) if seen else 0.0
    return g, chi, freedom


@pytest.mark.parametrize("seed", range(5))
def test_unconditional_as_scipy(seed: int) -> None:
    generator = np.random.default_rng((71, seed))
    x = generator.integers(0, 3, 400)
    y = np.where(generator.random(400) < 0.1, x, generator.integers(0, 4, 400))
    table = np.zeros((3, 4))
    np.add.at(table, (x, y), 1)
    for test, family in ((GSquare(), "log-likelihood"), (ChiSquare(), "pearson")):
        known = stats.chi2_contingency(table, correction=False, lambda_=family)
        result = test.test(column("x", x), column("y", y))
        assert result.statistic == pytest.approx(known.statistic)
        assert result.p_value == pytest.approx(known.pvalue)
        assert result.diagnostic["degrees_of_freedom"] == known.dof
        assert result.diagnostic["null"] == "chi-square"
        assert result.diagnostic["least_expected"] == pytest.approx(known.expected_freq.min())


@pytest.mark.parametrize(("rows", "levels"), [(12, 2), (60, 3), (300, 3), (300, 6)])
@pytest.mark.parametrize("size", [0, 1, 2, 3])
def test_conditional_as_the_slow_twin(rows: int, levels: int, size: int) -> None:
    draws = np.random.default_rng((72, rows, levels, size)).integers(0, levels, (size + 2, rows))
    draws[1] = np.where(draws[0] == 0, 0, draws[1])
    g, chi, freedom = slow(draws[0], draws[1], list(draws[2:]))
    x, y, *given = (column(str(i), codes) for i, codes in enumerate(draws))
    for test, statistic in ((GSquare(sparse="chi-square"), g), (ChiSquare(sparse="chi-square"), chi)):
        result = test.test(x, y, given)
        assert result.diagnostic["degrees_of_freedom"] == freedom
        assert result.statistic == pytest.approx(statistic if freedom else 0.0, abs=1e-9)
        assert result.p_value == pytest.approx(stats.chi2.sf(statistic, freedom) if freedom else 1.0)


def test_levels_that_do_not_occur_do_not_count() -> None:
    x, y = np.random.default_rng(73).integers(0, 2, (2, 200))
    plain, gaps = GSquare().test(column("x", x), column("y", y)), GSquare().test(column("x", 7 * x), column("y", 3 + y))
    assert gaps.p_value == pytest.approx(plain.p_value)
    assert gaps.diagnostic["degrees_of_freedom"] == 1


def test_numbers_of_strata_beyond_any_array() -> None:
    # 40 given columns of 4 levels are 2^80 possible strata; 30 of them repeat the first.
    draws = np.random.default_rng(74).integers(0, 4, (4, 300))
    x, y, a, b = (column(str(i), codes) for i, codes in enumerate(draws))
    copies = [column(f"copy {i}", draws[2]) for i in range(38)]
    assert GSquare().test(x, y, [a, b, *copies]).p_value == pytest.approx(GSquare().test(x, y, [a, b]).p_value)


@pytest.mark.parametrize("rows", [2, 3, 4, 5, 9, 30])
def test_moments_are_those_of_all_permutations(rows: int) -> None:
    generator = np.random.default_rng((75, rows))
    x, y = np.arange(rows) % 2, generator.integers(0, 3, rows)
    y[:2] = 0, 1
    none: list[np.ndarray] = []
    mean, variance = (float(one[0]) for one in _moments(_tabulate(x.astype(float), y.astype(float), none)))
    drawn = [slow(x, generator.permutation(y), none)[1] for _ in range(4000)]
    error = float(np.std(drawn)) / math.sqrt(len(drawn))
    assert np.mean(drawn) == pytest.approx(mean, abs=4 * error + 1e-9)
    assert np.var(drawn) == pytest.approx(variance, rel=0.25, abs=1e-9)


@pytest.mark.parametrize("test", [GSquare(), ChiSquare()], ids=lambda test: test.name)
@pytest.mark.parametrize(("rows", "strata", "levels"), [(100, 27, 3), (250, 9, 5), (1000, 81, 2)])
def test_sparse_tables_keep_the_level(test: GSquare | ChiSquare, rows: int, strata: int, levels: int) -> None:
    p_values, usual = [], []
    for seed in range(300):
        generator = np.random.default_rng((76, rows, strata, seed))
        x, y = (column(name, generator.integers(0, levels, rows)) for name in "xy")
        z = column("z", generator.integers(0, strata, rows))
        p_values.append(test.test(x, y, [z]).p_value)
        usual.append(GSquare(sparse="chi-square").test(x, y, [z]).p_value)
    for alpha in (0.05, 0.01):
        assert sum(p <= alpha for p in p_values) <= stats.binom.ppf(0.9995, 300, alpha)
    assert sum(p <= 0.05 for p in p_values) >= stats.binom.ppf(0.0005, 300, 0.05)
    assert sum(p <= 0.05 for p in usual) > 30, "the usual null would have done"


def test_sparse_tables_still_see_dependence() -> None:
    generator = np.random.default_rng(77)
    x, z = generator.integers(0, 3, 200), generator.integers(0, 20, 200)
    y = np.where(generator.random(200) < 0.5, x, generator.integers(0, 3, 200))
    result = GSquare().test(column("x", x), column("y", y), [column("z", z)])
    assert result.diagnostic["null"] == "moments"
    assert result.p_value < 1e-4


def test_every_row_its_own_stratum_says_nothing() -> None:
    x, y = np.random.default_rng(78).integers(0, 2, (2, 50))
    result = GSquare().test(column("x", x), column("y", y), [column("z", np.arange(50))])
    assert (result.statistic, result.p_value) == (0.0, 1.0)
    assert result.diagnostic["rows_used"] == 0
    assert result.diagnostic["null"] == "none"
    assert result.undecided == "'x' and 'y' do not both vary given 'z'"


@pytest.mark.parametrize("test", [GSquare(), ChiSquare()], ids=lambda test: test.name)
def test_a_sparse_table_is_no_verdict(test: GSquare | ChiSquare) -> None:
    """Eight cells: five rows in each are enough, fewer are not. A level or stratum that does not occur has no cell."""
    cells = np.tile(np.arange(8), 5)
    x, y, z = column("x", cells // 4), column("y", cells // 2 % 2), column("z", 3 * (cells % 2))
    assert not test.test(x, y, [z]).undecided
    fewer = [Column(one.name, one.kind, one.values[:39]) for one in (x, y, z)]
    said = test.test(fewer[0], fewer[1], fewer[2:]).undecided
    assert said == f"4.9 rows for each cell of 'x' and 'y' given 'z', and {test.name} needs 5"
    assert not GSquare(rows_for_a_verdict=4).test(fewer[0], fewer[1], fewer[2:]).undecided


def test_unknown_rule_for_sparse_tables() -> None:
    with pytest.raises(StudyError, match="g-square: sparse is 'no'; choose one of moments, chi-square"):
        GSquare(sparse="no")  # type: ignore[arg-type]
