"""The kernel test for columns of any kinds: what is special to it."""

from __future__ import annotations

import numpy as np
import pytest

from weft.errors import StudyError
from weft.evidence.independence import kernels, mixed
from weft.evidence.independence.mixed import Mixed, forget
from weft.studies import Column, Kind


def numbers(name: str, values: np.ndarray) -> Column:
    return Column(name, Kind.CONTINUOUS, values)


def levels(name: str, codes: np.ndarray) -> Column:
    return Column(name, Kind.CATEGORICAL, codes.astype(float))


def another_curve_for_each_group(seed: int, rows: int, direct: float) -> tuple[Column, Column, list[Column]]:
    generator = np.random.default_rng((81, seed))
    group, z = generator.integers(0, 3, rows), generator.standard_normal(rows)
    curve = np.choose(group, [np.sin(2 * z), -z, z**2])
    x = curve + 0.6 * generator.standard_normal(rows)
    y = curve + 0.6 * generator.standard_normal(rows) + direct * (x - curve)
    return numbers("x", x), numbers("y", y), [levels("group", group), numbers("z", z)]


def test_another_curve_for_each_group_is_removed() -> None:
    p_values = [Mixed().test(*another_curve_for_each_group(seed, 250, 0.0)).p_value for seed in range(60)]
    assert sum(p <= 0.05 for p in p_values) <= 9
    assert max(p_values) > 0.5


def test_dependence_beyond_the_curves_is_seen() -> None:
    p_values = [Mixed().test(*another_curve_for_each_group(seed, 250, 0.4)).p_value for seed in range(10)]
    assert sum(p <= 0.05 for p in p_values) >= 9


def test_levels_without_order_and_a_spread_that_differs() -> None:
    # Same mean in every level, other spread: invisible to linear tests.
    generator = np.random.default_rng(82)
    group = generator.integers(0, 3, 300)
    x = generator.standard_normal(300) * np.choose(group, [2.0, 0.5, 1.5])
    assert Mixed().test(numbers("x", x), levels("group", group)).p_value < 1e-3


@pytest.mark.parametrize("seed", range(3))
def test_names_of_levels_and_direction_of_scales_do_not_matter(seed: int) -> None:
    x, y, (group, z) = another_curve_for_each_group(seed, 150, 0.2)
    renamed = levels("group", np.array([2, 0, 1])[group.values.astype(int)])
    one = Mixed().test(x, y, [group, z])
    other = Mixed().test(numbers("x", -x.values), y, [numbers("z", 5 - z.values), renamed])
    assert other.p_value == pytest.approx(one.p_value, rel=1e-5)


def test_bad_settings() -> None:
    with pytest.raises(StudyError, match="mixed: width, rank and tolerance must be positive"):
        Mixed(width=0.0)


class TestManyRows:
    def test_a_plain_dependence_needs_a_part_of_the_rows(self) -> None:
        dependent, independent = (another_curve_for_each_group(0, 3300, direct) for direct in (1.0, 0.0))
        glanced = Mixed().test(*dependent)
        assert (glanced.rows, glanced.p_value <= 1e-6) == (825, True)
        whole = Mixed(glance=0).test(*dependent)
        assert (whole.rows, whole.p_value <= glanced.p_value) == (3300, True)
        assert Mixed().test(*independent) == Mixed(glance=0).test(*independent)

    @pytest.mark.parametrize(("seed", "direct"), [(1, 0.0), (2, 0.05), (3, 0.08)])
    def test_what_is_spared_hardly_matters(self, seed: int, direct: float, monkeypatch: pytest.MonkeyPatch) -> None:
        """The slow twin: pivots from all rows, double precision, a null of its own."""
        columns = another_curve_for_each_group(seed, 2200, direct)
        forget()
        quick = Mixed().test(*columns)
        monkeypatch.setattr(mixed, "_MANY_ROWS", 10**9)
        monkeypatch.setattr(kernels, "_SINGLE", 10**9)
        forget()
        slow = Mixed().test(*columns)
        forget()
        assert np.log(quick.p_value) == pytest.approx(np.log(slow.p_value), rel=0.1, abs=0.05)
        assert (quick.p_value < 0.01) == (slow.p_value < 0.01)


def test_what_tests_share_does_not_change_them(monkeypatch: pytest.MonkeyPatch) -> None:
    x, y, given = another_curve_for_each_group(4, 200, 0.2)
    w = numbers("w", x.values + np.random.default_rng(5).standard_normal(200))
    forget()
    alone = Mixed().test(x, y, given)
    forget()
    made, original = [], Mixed._smoothers

    def counted(test: Mixed, columns: list[Column]) -> object:
        made.append(columns)
        return original(test, columns)

    monkeypatch.setattr(Mixed, "_smoothers", counted)
    for pair in ((x, w), (w, y), (x, y)):
        last = Mixed().test(*pair, given)
    assert last == alone
    assert len(made) == 1


@pytest.mark.parametrize("decimals", [0, 15])
def test_rows_are_sorted_by_as_few_keys_as_settle_their_order(decimals: int) -> None:
    generator = np.random.default_rng(6)
    keys = [generator.integers(0, 3, 80).astype(float), *np.round(generator.standard_normal((3, 80)), decimals)]
    enough = mixed._enough(keys)
    assert np.array_equal(np.lexsort(enough[::-1]), np.lexsort(keys[::-1]))
    assert len(enough) == (4 if decimals == 0 else 2)
