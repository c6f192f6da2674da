"""Differences between studies: calibrated when there are none, found when there are, and exact in small cases."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy import stats

from tests.support.slow import slow
from weft.errors import StudyError
from weft.evidence import same_process
from weft.evidence.same_process import compare_pairs, compare_variables, differences
from weft.studies import Column, Kind, Study

Floats = NDArray[np.float64]


def study(name: str, **columns: Floats) -> Study:
    return Study(name, tuple(Column(key, Kind.CONTINUOUS, values) for key, values in columns.items()))


def levelled(name: str, codes: Floats, levels: tuple[str, ...], kind: Kind = Kind.CATEGORICAL) -> Study:
    return Study(name, (Column("c", kind, codes, levels),))


def energy_by_definition(x: Floats, y: Floats) -> float:
    """2 E|X - Y| - E|X - X'| - E|Y - Y'| over 2 E|X - Y|, from all pairs of rows."""
    between = np.abs(x[:, None] - y).mean()
    return float((2 * between - np.abs(x[:, None] - x).mean() - np.abs(y[:, None] - y).mean()) / (2 * between))


@pytest.mark.parametrize("seed", range(5))
def test_energy_distance_is_that_of_its_definition(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=37), np.round(rng.normal(0.5, 2, size=52), 1)  # ties
    (found,) = compare_variables([study("a", v=x), study("b", v=y)])
    assert found.statistic == pytest.approx(energy_by_definition(x, y))
    assert found.shift == pytest.approx((y.mean() - x.mean()) / np.sqrt((x.var() + y.var()) / 2))
    assert found.spread == pytest.approx(y.std() / x.std())


def test_phi_square_is_chi_square_over_rows() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.integers(0, 4, 80).astype(float), rng.integers(0, 3, 60).astype(float)
    (found,) = compare_variables([levelled("a", x, ("p", "q", "r", "s")), levelled("b", y, ("p", "q", "r"))])
    table = [np.bincount(part.astype(int), minlength=4) for part in (x, y)]
    assert found.statistic == pytest.approx(stats.chi2_contingency(table).statistic / 140)
    assert found.rows == (80, 60)


def test_p_value_against_every_permutation() -> None:
    x, y = np.array([0.1, 0.9, 1.7, 2.0, 2.2, 3.1]), np.array([1.9, 2.8, 3.3, 4.1])
    pool = np.concatenate([x, y])
    observed = energy_by_definition(x, y) * 2 * np.abs(x[:, None] - y).mean()
    as_large = 0
    splits = list(combinations(range(10), 6))
    for chosen in splits:
        inside = np.isin(np.arange(10), chosen)
        u, v = pool[inside], pool[~inside]
        as_large += energy_by_definition(u, v) * 2 * np.abs(u[:, None] - v).mean() >= observed - 1e-12
    _, p_value = same_process._energy_test(x, y, np.random.default_rng(1), 99_999)
    assert p_value == pytest.approx(as_large / len(splits), rel=0.5)
    drawn = [same_process._energy_test(x, y, np.random.default_rng(seed), 99_999)[1] for seed in range(60)]
    assert np.mean(drawn) == pytest.approx(as_large / len(splits), rel=0.1)


def test_phi_square_p_value_against_fishers_exact_test() -> None:
    counts = np.array([[7, 13], [15, 6]])
    drawn = [same_process._phi_square_test(counts, np.random.default_rng(seed), 99_999)[1] for seed in range(60)]
    assert np.mean(drawn) == pytest.approx(stats.fisher_exact(counts).pvalue, rel=0.1)


def discrete(rng: np.random.Generator, size: int) -> Floats:
    return rng.integers(0, 5, size).astype(float)


@pytest.mark.parametrize(
    "draw",
    [
        pytest.param(lambda rng, size: rng.normal(size=size), id="normal"),
        slow(lambda rng, size: rng.standard_cauchy(size), id="cauchy"),
        pytest.param(discrete, id="ties"),
    ],
)
def test_p_values_are_uniform_when_the_process_is_the_same(
    draw: Callable[[np.random.Generator, int], Floats],
) -> None:
    p_values, of_pairs = [], []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        x, y = draw(rng, 60), draw(rng, 90)
        both = [study("a", x=x, y=x + draw(rng, 60)), study("b", x=y, y=y + draw(rng, 90))]
        p_values.append(compare_variables(both)[0].p_value)
        of_pairs += [found.p_value for found in compare_pairs(both)]
    for sample in (p_values, of_pairs):
        assert stats.kstest(sample, "uniform").pvalue > 0.001
        assert np.mean(np.array(sample) <= 0.05) < 0.05 + 4 * np.sqrt(0.05 * 0.95 / 200)


def test_p_values_of_levels_are_uniform_when_the_process_is_the_same() -> None:
    levels = ("p", "q", "r", "s", "t")
    p_values = []
    for seed in range(200):
        rng = np.random.default_rng(seed)
        both = [levelled(name, discrete(rng, size), levels) for name, size in (("a", 60), ("b", 90))]
        p_values.append(compare_variables(both)[0].p_value)
    assert stats.kstest(p_values, "uniform").pvalue > 0.001


@pytest.mark.parametrize(("shift", "scale"), [(0.4, 1.0), (0.0, 1.8), (-0.4, 1.0)])
def test_shift_and_scale_are_found(shift: float, scale: float) -> None:
    found = 0
    for seed in range(20):
        rng = np.random.default_rng(seed)
        both = [study("a", v=rng.normal(size=300)), study("b", v=rng.normal(shift, scale, size=300))]
        found += len(differences(both))
    assert found >= 18


def test_another_dependence_is_found_where_no_variable_differs() -> None:
    rng = np.random.default_rng(3)
    x, y, u = rng.normal(size=500), rng.normal(size=500), rng.normal(size=600)
    both = [study("a", x=x, y=y), study("b", x=u, y=0.5 * u + np.sqrt(0.75) * rng.normal(size=600))]
    (found,) = differences(both)
    assert found.variables == ("x", "y")
    assert str(found).startswith("'x' and 'y' together differ between studies 'a' and 'b': the correlation of")
    assert differences(both, pairs=False) == ()


def test_another_dependence_of_levels_is_found() -> None:
    rng = np.random.default_rng(3)
    levels = ("p", "q", "r")
    both = []
    for name, linked in (("a", False), ("b", True)):
        code, other = rng.integers(0, 3, 600).astype(float), rng.integers(0, 3, 600)
        value = rng.normal(size=600) + np.array([0.0, 1.5, 3.0])[code.astype(int) if linked else other]
        columns = (Column("c", Kind.CATEGORICAL, code, levels), Column("v", Kind.CONTINUOUS, value))
        both.append(Study(name, columns))
    (found,) = differences(both)
    assert (found.variables, found.measure) == (("c", "v"), "phi square")


def test_levels_with_other_shares_are_found_and_named() -> None:
    rng = np.random.default_rng(0)
    a = levelled("a", rng.choice(3, 400, p=[0.5, 0.3, 0.2]).astype(float), ("p", "q", "r"))
    b = levelled("b", rng.choice(3, 400, p=[0.2, 0.3, 0.5]).astype(float), ("p", "q", "s"))
    (found,) = differences([a, b])
    assert "'s' has a share of 0.0% and of " in str(found)


def test_one_readable_line() -> None:
    rng = np.random.default_rng(0)
    (found,) = differences([study("a", v=rng.normal(size=100)), study("b", v=rng.normal(2, 1, size=100))])
    assert "\n" not in str(found)
    for part in ("'v' differs", "'a' and 'b'", "standard deviations", "p = 0.001", "after Holm", "100 and 100 rows"):
        assert part in str(found)


def test_holm_by_hand() -> None:
    rng = np.random.default_rng(0)
    columns = {name: rng.normal(size=200) for name in "wxyz"}
    moved = {name: rng.normal(shift, 1, size=200) for name, shift in zip("wxyz", (0.0, 0.2, 0.25, 1.0), strict=True)}
    made = sorted(compare_variables([study("a", **columns), study("b", **moved)]), key=lambda found: found.p_value)
    steps = [found.p_value * (4 - position) for position, found in enumerate(made)]
    assert [found.adjusted_p_value for found in made] == pytest.approx(np.minimum(1, np.maximum.accumulate(steps)))
    assert len({found.p_value for found in made}) > 1


def test_few_warnings_from_many_comparisons() -> None:
    warned = 0
    for seed in range(40):
        rng = np.random.default_rng(seed)
        warned += bool(differences([study(name, **{c: rng.normal(size=50) for c in "uvwxyz"}) for name in "abc"]))
    assert warned <= 8  # at most .05 of 40 is expected; more than 8 has a chance below 1e-3


def test_many_comparisons_can_still_be_significant() -> None:
    rng = np.random.default_rng(0)
    a, b = ({f"v{i}": rng.normal(shift, 1, size=60) for i in range(60)} for shift in (0, 3))
    assert len(differences([study("a", **a), study("b", **b)])) == 60


def test_same_figures_again_and_in_any_order() -> None:
    rng = np.random.default_rng(0)
    a, b = (study(name, x=rng.normal(size=size), y=rng.normal(size=size)) for name, size in (("a", 80), ("b", 70)))
    turned = [Study(s.name, s.columns[::-1]) for s in (b, a)]
    for compare in (compare_variables, compare_pairs):
        once = compare([a, b])
        assert compare([a, b]) == once
        again = compare([b, a])
        assert [found.p_value for found in again] == [found.p_value for found in once]
        assert [found.rows for found in again] == [found.rows[::-1] for found in once]
        assert [found.variables for found in compare(turned)] == [found.variables for found in once]


def test_large_studies_are_sampled() -> None:
    rng = np.random.default_rng(0)
    both = [study("a", v=rng.normal(size=5000)), study("b", v=rng.normal(size=300))]
    (found,) = compare_variables(both, max_rows=1000)
    assert found.rows == (1000, 300)


def test_close_values_among_many_count_as_one() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=700), rng.normal(0.3, size=600)
    (found,) = compare_variables([study("a", v=x), study("b", v=y)])
    assert found.statistic == pytest.approx(energy_by_definition(x, y), rel=0.01)
    assert found.p_value <= 0.001


def test_missing_values_are_left_out() -> None:
    rng = np.random.default_rng(0)
    x, y = rng.normal(size=100), rng.normal(size=100)
    x[::2] = np.nan
    (found,) = compare_variables([study("a", v=x), study("b", v=y)])
    assert found.rows == (50, 100)
    assert found.statistic == pytest.approx(energy_by_definition(x[1::2], y))


def test_numbers_and_texts_are_not_compared() -> None:
    rng = np.random.default_rng(0)
    text = levelled("a", discrete(rng, 50), ("p", "q", "r", "s", "t"))
    assert differences([text, study("b", c=rng.normal(size=50))]) == ()


def test_few_rows_are_not_compared() -> None:
    assert compare_variables([study("a", v=np.arange(9.0)), study("b", v=np.arange(50.0))]) == ()


def test_ordinal_and_continuous_share_a_scale() -> None:
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 3, 100).astype(float)
    few = levelled("a", codes, ("2", "4", "8"), Kind.ORDINAL)
    more = study("b", c=rng.normal(5, 2, size=100))
    (found,) = compare_variables([few, more])
    assert found.statistic == pytest.approx(energy_by_definition(2.0 ** (codes + 1), more.columns[0].values))


def test_huge_numbers() -> None:
    rng = np.random.default_rng(0)
    both = [study(name, v=rng.normal(size=50) * 1e300) for name in "ab"]
    (found,) = compare_variables(both)
    assert 0 < found.p_value <= 1
    assert np.isfinite([found.shift or 0, found.spread or 0]).all()


@pytest.mark.parametrize("alpha", [0.0, 1.0, -1.0])
def test_alpha_out_of_range(alpha: float) -> None:
    with pytest.raises(StudyError, match="between 0 and 1"):
        differences([study("a", v=np.arange(30.0)), study("b", v=np.arange(30.0))], alpha)
