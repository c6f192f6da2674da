"""What every independence test promises, asked of each one in the registry, for the kinds of columns that it takes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np
import pytest
from scipy import stats

from tests.support.slow import slow
from weft.errors import StudyError
from weft.evidence.independence.protocol import IndependenceTest, Result, run
from weft.evidence.independence.registry import TESTS, test_named
from weft.studies import Column, Kind

CONTINUOUS, ORDINAL, CATEGORICAL, BINARY = Kind.CONTINUOUS, Kind.ORDINAL, Kind.CATEGORICAL, Kind.BINARY


@dataclass(frozen=True)
class Case:
    """A test, and the kinds of x, y and the given column to try it on."""

    test: str
    kinds: tuple[Kind, Kind, Kind]

    def __str__(self) -> str:
        return f"{self.test}:{','.join(self.kinds)}"


CASES = [
    Case("kcit", (CONTINUOUS, CONTINUOUS, CONTINUOUS)),
    Case("kcit-exact", (CONTINUOUS, CONTINUOUS, CONTINUOUS)),
    Case("fisher-z", (CONTINUOUS, CONTINUOUS, CONTINUOUS)),
    Case("fisher-z", (BINARY, CONTINUOUS, ORDINAL)),
    Case("g-square", (CATEGORICAL, CATEGORICAL, CATEGORICAL)),
    Case("g-square", (BINARY, ORDINAL, CATEGORICAL)),
    Case("chi-square", (CATEGORICAL, BINARY, CATEGORICAL)),
    Case("mixed", (CONTINUOUS, CATEGORICAL, CONTINUOUS)),
    Case("mixed", (ORDINAL, CONTINUOUS, CATEGORICAL)),
    Case("mixed", (CATEGORICAL, BINARY, CATEGORICAL)),
    Case("auto", (CONTINUOUS, CONTINUOUS, CONTINUOUS)),
    Case("auto", (BINARY, CATEGORICAL, CATEGORICAL)),
    Case("auto", (CATEGORICAL, CONTINUOUS, CONTINUOUS)),
]
REFUSALS = [
    ("kcit", CATEGORICAL),
    ("kcit-exact", CATEGORICAL),
    ("fisher-z", CATEGORICAL),
    ("g-square", CONTINUOUS),
    ("chi-square", CONTINUOUS),
]
TAKES_EVERYTHING = {"mixed", "auto"}

every_case = pytest.mark.parametrize("case", CASES, ids=str)


def as_column(name: str, kind: Kind, score: np.ndarray) -> Column:
    """A column of that kind from a continuous score: cut into levels where the kind has some."""
    if kind is CONTINUOUS:
        return Column(name, kind, score)
    cuts = {BINARY: [0.2], ORDINAL: [-0.8, 0.0, 0.8], CATEGORICAL: [-0.5, 0.5]}[kind]
    codes = np.digitize(score, cuts).astype(float)
    return Column(name, kind, codes, tuple(f"level {i}" for i in range(len(cuts) + 1)))


def draw(case: Case, seed: int, rows: int, dependence: float = 0.0) -> tuple[Column, Column, Column]:
    """x and y, related as strongly as said, and z, related to neither."""
    x, noise, z = np.random.default_rng(seed).standard_normal((3, rows))
    y = dependence * x + np.sqrt(1 - dependence**2) * noise
    names = zip("xyz", case.kinds, (x, y, z), strict=True)
    first, second, given = (as_column(name, kind, score) for name, kind, score in names)
    return first, second, given


def with_values(column: Column, change: Callable[[np.ndarray], np.ndarray]) -> Column:
    return replace(column, values=change(column.values))


def assert_same(one: Result, other: Result, tolerance: float = 1e-7) -> None:
    assert one.p_value == pytest.approx(other.p_value, rel=1e-5, abs=tolerance)
    assert one.statistic == pytest.approx(other.statistic, rel=1e-5, abs=tolerance)
    assert one.rows == other.rows


def test_every_test_is_asked() -> None:
    assert {case.test for case in CASES} == set(TESTS)
    assert {name for name, _ in REFUSALS} | TAKES_EVERYTHING == set(TESTS)


@every_case
def test_is_an_independence_test_with_its_name(case: Case) -> None:
    made = test_named(case.test)
    assert isinstance(made, IndependenceTest)
    assert made.name == case.test
    assert all(isinstance(value, float | int | str) for value in made.settings.values())
    assert hash(tuple(made.settings.items())) == hash(tuple(test_named(case.test).settings.items()))


@every_case
@pytest.mark.parametrize("dependence", [0.0, 0.3])
def test_symmetric(case: Case, dependence: float) -> None:
    x, y, z = draw(case, 811, 120, dependence)
    made = test_named(case.test)
    assert_same(run(made, x, y), run(made, y, x))
    assert_same(run(made, x, y, [z]), run(made, y, x, [z]))


@every_case
def test_deterministic(case: Case) -> None:
    x, y, z = draw(case, 812, 120, 0.2)
    assert run(test_named(case.test), x, y, [z]) == run(test_named(case.test), x, y, [z])


@every_case
def test_order_of_rows_does_not_matter(case: Case) -> None:
    columns = draw(case, 813, 120, 0.2)
    order = np.random.default_rng(1).permutation(120)
    x, y, z = columns
    a, b, c = (with_values(column, lambda values: values[order]) for column in columns)
    made = test_named(case.test)
    assert_same(run(made, x, y), run(made, a, b))
    assert_same(run(made, x, y, [z]), run(made, a, b, [c]))


@every_case
def test_order_of_given_does_not_matter(case: Case) -> None:
    x, y, z = draw(case, 814, 150, 0.2)
    more = replace(draw(case, 815, 150)[2], name="more")
    made = test_named(case.test)
    assert_same(run(made, x, y, [z, more]), run(made, x, y, [more, z]))


@every_case
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, -5.0), (-1e-3, 7.0), (1e150, 0.0)])
def test_units_and_labels_do_not_matter(case: Case, scale: float, shift: float) -> None:
    columns = draw(case, 816, 120, 0.2)

    def changed(column: Column) -> Column:
        if column.kind is CONTINUOUS:
            return with_values(column, lambda values: scale * values + shift)
        if column.kind is ORDINAL:
            return column
        turned = with_values(column, lambda values: (values + 1) % len(column.levels))
        return replace(turned, levels=column.levels[-1:] + column.levels[:-1])

    x, y, z = columns
    a, b, c = map(changed, columns)
    made = test_named(case.test)
    ours, theirs = run(made, x, y, [z]), run(made, a, b, [c])
    assert ours.p_value == pytest.approx(theirs.p_value, rel=1e-4, abs=1e-6)
    assert abs(ours.statistic) == pytest.approx(abs(theirs.statistic), rel=1e-4, abs=1e-6)
    assert run(made, x, y).p_value == pytest.approx(run(made, a, b).p_value, rel=1e-4, abs=1e-6)


# What 'auto' chooses is asked under its own name.
@pytest.mark.parametrize("case", [slow(case) if case.test == "auto" else case for case in CASES], ids=str)
@pytest.mark.parametrize("conditional", [False, True])
def test_uniform_under_independence(case: Case, conditional: bool) -> None:
    repetitions = 100
    made = test_named(case.test)
    p_values = []
    for seed in range(repetitions):
        x, y, z = draw(case, 90_000 + seed, 100)
        p_values.append(run(made, x, y, [z] if conditional else []).p_value)
    for alpha in (0.05, 0.01):
        rejected = sum(p <= alpha for p in p_values)
        assert rejected <= stats.binom.ppf(0.9995, repetitions, alpha)
    assert sum(p <= 0.05 for p in p_values) >= stats.binom.ppf(0.0005, repetitions, 0.05)
    assert stats.kstest(p_values, "uniform").pvalue > 1e-3
    assert 0 <= min(p_values) <= max(p_values) <= 1


@every_case
def test_strong_dependence_is_seen(case: Case) -> None:
    made = test_named(case.test)
    for seed in (1, 2, 3):
        x, y, z = draw(case, 820 + seed, 200, 0.9)
        assert run(made, x, y).p_value < 1e-6
        assert run(made, x, y, [z]).p_value < 1e-4


@every_case
def test_a_common_cause_explains_the_dependence(case: Case) -> None:
    # z is what makes x and y dependent, and all of it is given (levels, where z has levels).
    made = test_named(case.test)
    alone, given = [], []
    for seed in range(10):
        scores = np.random.default_rng(830 + seed).standard_normal((3, 250))
        z = as_column("z", case.kinds[2], scores[2])
        cause = (z.values - z.values.mean()) / z.values.std()
        x, y = (as_column(n, k, 1.2 * cause + s) for n, k, s in zip("xy", case.kinds, scores[:2], strict=False))
        alone.append(run(made, x, y).p_value)
        given.append(run(made, x, y, [z]).p_value)
    assert np.median(alone) < 1e-3
    assert sum(p <= 0.05 for p in given) <= 3


@every_case
def test_twenty_rows_are_enough(case: Case) -> None:
    x, y, z = draw(case, 840, 20)
    for given in ([], [z]):
        result = run(test_named(case.test), x, y, given)
        assert result.rows == 20
        assert 0 <= result.p_value <= 1


@every_case
def test_ties(case: Case) -> None:
    columns = draw(case, 841, 90, 0.5)
    x, y, z = (with_values(column, np.round) for column in columns)
    for given in ([], [z]):
        assert 0 <= run(test_named(case.test), x, y, given).p_value <= 1


@every_case
def test_rows_with_missing_values_are_left_out(case: Case) -> None:
    columns = draw(case, 842, 120, 0.3)

    def holed(column: Column, start: int) -> Column:
        values = column.values.copy()
        values[start : start + 10] = np.nan
        return replace(column, values=values)

    x, y, z = (holed(column, start) for column, start in zip(columns, (0, 5, 110), strict=True))
    kept = slice(15, 110)
    a, b, c = (with_values(column, lambda values: values[kept]) for column in columns)
    made = test_named(case.test)
    result = run(made, x, y, [z])
    assert result.rows == 95
    assert_same(result, run(made, a, b, [c]))


@every_case
@pytest.mark.parametrize("place", [0, 1, 2])
def test_constant_column_is_an_error_that_names_it(case: Case, place: int) -> None:
    columns = list(draw(case, 843, 60))
    columns[place] = with_values(columns[place], np.zeros_like)
    with pytest.raises(StudyError, match=f"'{'xyz'[place]}'.*constant"):
        run(test_named(case.test), columns[0], columns[1], columns[2:])


@pytest.mark.parametrize(("name", "refused"), REFUSALS)
@pytest.mark.parametrize("place", [0, 1, 2])
def test_wrong_kind_is_refused_in_one_sentence(name: str, refused: Kind, place: int) -> None:
    case = next(case for case in CASES if case.test == name)
    kinds = [*case.kinds]
    kinds[place] = refused
    x, y, z = draw(Case(name, (kinds[0], kinds[1], kinds[2])), 844, 60)
    made = test_named(name)
    sentence = made.refusal(x, y, [z])
    assert sentence is not None
    assert "\n" not in sentence
    assert f"'{'xyz'[place]}'" in sentence
    assert name in sentence
    assert "use " in sentence
    with pytest.raises(StudyError) as caught:
        run(made, x, y, [z])
    assert str(caught.value) == sentence


@every_case
def test_its_own_kinds_are_not_refused(case: Case) -> None:
    x, y, z = draw(case, 845, 60)
    assert test_named(case.test).refusal(x, y, [z]) is None
