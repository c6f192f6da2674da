"""What every orientation method promises, asked of each one there is, for the kinds of columns that it takes."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable, Iterator
from dataclasses import FrozenInstanceError, dataclass, fields, is_dataclass, replace
from importlib import import_module
from inspect import isclass
from pathlib import Path
from typing import cast

import numpy as np
import pytest

import weft.evidence.orientation
from tests.support.slow import slow
from weft.errors import StudyError, WeftError
from weft.evidence.orientation.protocol import (
    STRUCTURES,
    Around,
    Judgement,
    OrientationMethod,
    SeesNeighbours,
    Verdict,
    judged,
    run,
)
from weft.evidence.orientation.registry import METHODS, method_named
from weft.studies import Column, Kind

CONTINUOUS, ORDINAL, CATEGORICAL, BINARY = Kind.CONTINUOUS, Kind.ORDINAL, Kind.CATEGORICAL, Kind.BINARY
PAIRS = [
    (CONTINUOUS, CONTINUOUS),
    (ORDINAL, ORDINAL),
    (CONTINUOUS, CATEGORICAL),
    (BINARY, CONTINUOUS),
    (CATEGORICAL, BINARY),
]


def methods_in_the_folder() -> Iterator[OrientationMethod]:
    """Those that can be made without saying anything."""
    for path in sorted(Path(weft.evidence.orientation.__path__[0]).glob("[!_]*.py")):
        module = import_module(f"weft.evidence.orientation.{path.stem}")
        for found in vars(module).values():
            if isclass(found) and found.__module__ == module.__name__ and is_dataclass(found):
                is_method = "name" in vars(found) and hasattr(found, "judge") and hasattr(found, "refusal")
                if is_method and all(field.name in vars(found) for field in fields(found)):
                    yield cast(OrientationMethod, found())


ALL: dict[str, OrientationMethod] = {method.name: method for method in methods_in_the_folder()}
ALL |= {name: method_named(name) for name in METHODS}
ALL["lvlingam"] = method_named("lvlingam", components=2, most=2)  # the same method, in a tenth of the time


@dataclass(frozen=True)
class Case:
    """A method, and the kinds of x and y to try it on."""

    method: str
    kinds: tuple[Kind, Kind]

    def __str__(self) -> str:
        return f"{self.method}:{','.join(self.kinds)}"

    def run(self, x: Column, y: Column) -> Verdict:
        return run(ALL[self.method], x, y)

    def judge(self, x: Column, y: Column) -> Judgement:
        return ALL[self.method].judge(x, y)


def as_column(name: str, kind: Kind, score: np.ndarray) -> Column:
    """A column of that kind from a continuous score: cut into levels where the kind has some."""
    if kind is CONTINUOUS:
        return Column(name, kind, score)
    cuts = {BINARY: [0.2], ORDINAL: [-0.8, 0.0, 0.8], CATEGORICAL: [-0.5, 0.5]}[kind]
    codes = np.digitize(score, cuts).astype(float)
    return Column(name, kind, codes, tuple(f"level {i}" for i in range(len(cuts) + 1)))


def draw(kinds: tuple[Kind, Kind], seed: int, rows: int = 120) -> tuple[Column, Column]:
    """Columns that depend on each other in a way that is neither linear nor Gaussian."""
    generator = np.random.default_rng(seed)
    x = generator.exponential(size=rows) - 1
    y = x + 0.4 * x**2 - 0.3 + 0.6 * generator.uniform(-1, 1, rows)
    return as_column("x", kinds[0], x), as_column("y", kinds[1], y)


def with_values(column: Column, change: Callable[[np.ndarray], np.ndarray]) -> Column:
    return replace(column, values=change(column.values))


def assert_sound(verdict: Verdict) -> None:
    """Numbers are numbers, and what is undecided says why."""
    assert verdict.allowed
    assert verdict.allowed <= set(STRUCTURES)
    assert 0.5 <= verdict.confidence <= 1
    assert math.isfinite(verdict.weight)
    assert all(not math.isnan(score) for score in verdict.scores.values())
    numbers = [value for value in verdict.diagnostic.values() if isinstance(value, float | int)]
    assert not any(math.isnan(number) for number in numbers)
    assert "\n" not in verdict.reason
    assert verdict.decided == bool(verdict.statements)
    assert all(one.weight > 0 and 0.5 <= one.probability <= 1 for one in verdict.statements)
    if verdict.outcomes is not None:
        assert sum(verdict.outcomes) == pytest.approx(1)
    if not verdict.decided:
        assert verdict.weight == 0


def accepted() -> list[Case]:
    return [
        Case(name, kinds) for name, method in ALL.items() for kinds in PAIRS if method.refusal(*draw(kinds, 1)) is None
    ]


CASES = accepted()
NUMBERS = [case for case in CASES if case.kinds == (CONTINUOUS, CONTINUOUS)]
every_case = pytest.mark.parametrize("case", CASES, ids=str)
every_case_of_numbers = pytest.mark.parametrize("case", NUMBERS, ids=str)
every_method = pytest.mark.parametrize("name", list(ALL))


def test_every_method_is_asked() -> None:
    assert {case.method for case in CASES} == set(ALL)
    assert {"kcdc", "igci", "lingam", "discrete", "mixed"} <= set(ALL)


@every_method
def test_is_an_orientation_method_with_its_name(name: str) -> None:
    method: OrientationMethod = type(ALL[name])()
    assert isinstance(method, OrientationMethod)
    assert method.name == name
    assert method.assumptions.text
    assert method.assumptions.kinds
    assert all(isinstance(value, float | int | str) for value in method.settings.values())
    assert method == type(method)()
    assert hash(method) == hash(type(method)())
    copy = pickle.loads(pickle.dumps(method))
    assert copy == method
    assert copy.settings == method.settings
    if is_dataclass(method) and fields(method):
        with pytest.raises(FrozenInstanceError):
            setattr(method, fields(method)[0].name, 1)


@every_method
@pytest.mark.parametrize("kind", list(Kind))
@pytest.mark.parametrize("place", [0, 1])
def test_wrong_kind_is_refused_in_one_sentence(name: str, kind: Kind, place: int) -> None:
    method = ALL[name]
    taken = next(case for case in CASES if case.method == name).kinds
    kinds = (kind, taken[1]) if place == 0 else (taken[0], kind)
    x, y = draw(kinds, 2)
    sentence = method.refusal(x, y)
    if sentence is None:
        assert {x.kind, y.kind} <= method.assumptions.kinds
        return
    assert "\n" not in sentence
    assert name in sentence
    assert "'x'" in sentence or "'y'" in sentence
    assert "use " in sentence
    verdict = run(method, x, y)
    assert not verdict.decided
    assert verdict.reason == sentence


@every_case
@pytest.mark.parametrize("seed", [11, slow(12)])
def test_swapping_the_columns_mirrors_the_judgement(case: Case, seed: int) -> None:
    x, y = draw(case.kinds, seed)
    judgement, swapped = case.judge(x, y), case.judge(y, x)
    expected = judgement.mirrored
    assert swapped.log_odds == pytest.approx(expected.log_odds, abs=1e-9)
    assert swapped.excluded == expected.excluded
    assert swapped.weight == expected.weight
    assert swapped.scores == pytest.approx(expected.scores, rel=1e-9, abs=1e-12)
    assert swapped.reason == expected.reason
    assert swapped.outcomes == (expected.outcomes and pytest.approx(expected.outcomes))
    assert swapped.diagnostic.keys() == expected.diagnostic.keys()
    assert case.run(y, x).allowed == {one.mirrored for one in case.run(x, y).allowed}


@every_case
def test_deterministic(case: Case) -> None:
    x, y = draw(case.kinds, 13)
    assert case.judge(x, y) == case.judge(x, y)


@every_case
def test_names_do_not_matter(case: Case) -> None:
    x, y = draw(case.kinds, 13)
    a, b = replace(x, name="zz"), replace(y, name="a")
    assert case.judge(a, b).log_odds == pytest.approx(case.judge(x, y).log_odds, abs=1e-9)


@every_case
def test_order_of_rows_hardly_matters(case: Case) -> None:
    x, y = draw(case.kinds, 14)
    order = np.random.default_rng(1).permutation(len(x.values))
    a, b = (with_values(column, lambda values: values[order]) for column in (x, y))
    assert case.judge(a, b).log_odds == pytest.approx(case.judge(x, y).log_odds, abs=0.2)


@every_case
@pytest.mark.parametrize(("scale", "shift"), [(1000.0, -5.0), slow(1e-3, 7.0), (1e150, 0.0)])
def test_units_do_not_matter(case: Case, scale: float, shift: float) -> None:
    x, y = draw(case.kinds, 15)

    def changed(column: Column) -> Column:
        if column.kind is CONTINUOUS:
            return with_values(column, lambda values: scale * values + shift)
        return column

    expected = case.judge(x, y)
    found = case.judge(changed(x), changed(y))
    assert found.log_odds == pytest.approx(expected.log_odds, abs=0.02)  # rounding, where a fit iterates
    assert found.excluded == expected.excluded


@every_case
def test_rows_with_missing_values_are_left_out(case: Case) -> None:
    x, y = draw(case.kinds, 16)

    def holed(column: Column, start: int) -> Column:
        values = column.values.copy()
        values[start : start + 10] = np.nan
        return replace(column, values=values)

    verdict = case.run(holed(x, 0), holed(y, 5))
    expected = case.run(*(with_values(column, lambda values: values[15:]) for column in (x, y)))
    assert verdict.rows == 105
    assert verdict == expected


@every_case
def test_twenty_rows(case: Case) -> None:
    verdict = case.run(*draw(case.kinds, 17, 20))
    assert verdict.rows == 20
    assert_sound(verdict)


@every_case
def test_nineteen_rows_are_undecided(case: Case) -> None:
    verdict = case.run(*draw(case.kinds, 17, 19))
    assert not verdict.decided
    assert "19 rows" in verdict.reason


@every_case
@pytest.mark.parametrize("place", [0, 1])
def test_constant_column_is_undecided_and_named(case: Case, place: int) -> None:
    columns = list(draw(case.kinds, 18))
    columns[place] = with_values(columns[place], np.zeros_like)
    verdict = case.run(*columns)
    assert not verdict.decided
    assert repr(columns[place].name) in verdict.reason
    assert "constant" in verdict.reason


@every_case
def test_different_lengths_are_an_error(case: Case) -> None:
    x, y = draw(case.kinds, 19)
    with pytest.raises(StudyError, match="rows"):
        case.run(x, with_values(y, lambda values: values[:50]))


def outlier(values: np.ndarray) -> np.ndarray:
    return np.where(np.arange(len(values)) == 7, 1e12, values)


HARD: dict[str, Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]] = {
    "ties": lambda x, y: (np.round(2 * x) / 2, np.round(2 * y) / 2),
    "three values and a number": lambda x, y: (np.clip(np.round(x), -1, 1), y),
    "two values each": lambda x, y: (np.sign(x), np.sign(y + 0.1)),
    "huge": lambda x, y: (1e300 * x, 1e-300 * y),
    "far from zero": lambda x, y: (1e12 + x, y - 1e9),
    "outlier": lambda x, y: (outlier(x), y),
    "half of it zero": lambda x, y: (np.where(x > -0.3, x, 0.0), np.where(y > -0.2, y, 0.0)),
    "one row differs": lambda x, y: ((np.arange(len(x)) == 3).astype(float), y),
    "a line": lambda x, y: (x, 2 * x + 1),
    "a falling line": lambda x, y: (x, -x),
    "a curve without noise": lambda x, y: (x, x**3),
    "a parabola without noise": lambda x, y: (x, x**2),
    "sorted apart": lambda x, y: (np.sort(x), np.sort(y)),
    "a grid": lambda x, y: (np.arange(len(x)) % 12 * 1.0, np.arange(len(x)) // 12 * 1.0),
}


def answer(case: Case, x: Column, y: Column) -> Verdict | str:
    """The verdict, or the words of the refusal; any other error is a failure."""
    try:
        return case.run(x, y)
    except WeftError as error:
        return str(error)


# One method takes as long as all the others together.
@pytest.mark.parametrize(
    ("case", "hard"),
    [
        slow(case, hard) if case.method == "lvlingam" and number % 5 else (case, hard)
        for case in NUMBERS
        for number, hard in enumerate(HARD)
    ],
    ids=str,
)
def test_hard_numbers_have_a_clear_answer(case: Case, hard: str) -> None:
    generator = np.random.default_rng(20)
    values = HARD[hard](generator.normal(size=144), generator.exponential(size=144) - 1)
    x, y = (Column(name, CONTINUOUS, value) for name, value in zip("xy", values, strict=True))
    verdict, swapped = answer(case, x, y), answer(case, y, x)
    if isinstance(verdict, str) or isinstance(swapped, str):
        assert verdict == swapped  # refused both ways, in the same words
    else:
        assert_sound(verdict)
        assert swapped.allowed == {one.mirrored for one in verdict.allowed}


@every_case
def test_rare_levels_and_ties_have_a_clear_answer(case: Case) -> None:
    for seed in (21, 22):
        x, y = draw(case.kinds, seed, 40)
        assert_sound(case.run(with_values(x, np.round), with_values(y, np.round)))


@every_case
def test_equal_columns_are_undecided(case: Case) -> None:
    x, _ = draw((case.kinds[0], case.kinds[0]), 23)
    if ALL[case.method].refusal(x, x) is None:
        assert not case.run(x, replace(x, name="y")).decided


@every_case
def test_independent_columns_are_undecided(case: Case) -> None:
    if ALL[case.method].assumptions.sees_confounding and not isinstance(ALL[case.method], SeesNeighbours):
        pytest.skip("about independent columns it may exclude what it likes")
    decided = 0
    for seed in range(8):
        scores = np.random.default_rng(700 + seed).normal(size=(2, 150))
        columns = (as_column(name, kind, score) for name, kind, score in zip("xy", case.kinds, scores, strict=True))
        decided += case.run(*columns).decided
    assert decided <= 2


@pytest.mark.parametrize("case", [slow(case) if case.method == "lvlingam" else case for case in NUMBERS], ids=str)
def test_gaussian_pairs_are_not_oriented(case: Case) -> None:
    oriented = 0
    for seed in range(8):
        x, noise = np.random.default_rng(800 + seed).normal(size=(2, 200))
        verdict = case.run(Column("x", CONTINUOUS, x), Column("y", CONTINUOUS, x + noise))
        oriented += {one.causes for one in verdict.allowed} != {True, False}
    assert oriented <= 2


# -- methods that look around ------------------------------------------------------------------------------------------

LOOKING = [name for name, method in ALL.items() if isinstance(method, SeesNeighbours)]
every_looking_method = pytest.mark.parametrize("name", LOOKING)


def looking(name: str) -> SeesNeighbours:
    method = ALL[name]
    assert isinstance(method, SeesNeighbours)
    return method


def among(seed: int = 31, rows: int = 200) -> tuple[Column, Column, Around]:
    """Two columns, what else acts on each, and one that both act on."""
    generator = np.random.default_rng(seed)
    x_cause, y_cause, both = (generator.exponential(size=rows) for _ in range(3))
    x = x_cause + generator.uniform(size=rows)
    y = x + y_cause + generator.uniform(size=rows)
    a, b, c = (Column(n, CONTINUOUS, v) for n, v in (("a", x_cause), ("b", y_cause), ("c", x + y + both)))
    levels = as_column("d", CATEGORICAL, both - 1)
    return Column("x", CONTINUOUS, x), Column("y", CONTINUOUS, y), Around((a, c), (b, c, levels))


def test_some_methods_look_around() -> None:
    assert {"auto", "combined", "gof"} <= set(LOOKING)


@every_looking_method
def test_neighbours_are_seen(name: str) -> None:
    x, y, around = among()
    assert looking(name).judge_among(x, y, around) != looking(name).judge_among(x, y, Around())


@every_looking_method
def test_swapping_mirrors_with_neighbours(name: str) -> None:
    x, y, around = among()
    there = looking(name).judge_among(x, y, around).mirrored
    back = looking(name).judge_among(y, x, Around(around.of_y, around.of_x))
    assert back.log_odds == pytest.approx(there.log_odds, abs=1e-9)
    assert back.outcomes == (there.outcomes and pytest.approx(there.outcomes))


@every_looking_method
def test_order_of_neighbours_does_not_matter(name: str) -> None:
    x, y, around = among()
    turned = Around(around.of_x[::-1], around.of_y[::-1])
    there, back = (looking(name).judge_among(x, y, one) for one in (around, turned))
    assert back.outcomes == (there.outcomes and pytest.approx(there.outcomes))


@every_looking_method
@pytest.mark.parametrize("seed", [32, 33])
def test_neighbours_that_are_hard(name: str, seed: int) -> None:
    x, y, _ = among(seed)
    hard = (
        replace(x, name="the same"),
        Column("constant", CONTINUOUS, np.zeros(len(x.values))),
        Column("two values", CONTINUOUS, np.sign(x.values - 1.0)),
        Column("huge", CONTINUOUS, 1e300 * y.values),
        Column("one row differs", BINARY, (np.arange(len(x.values)) == 3).astype(float), ("no", "yes")),
        *(Column(f"noise {i}", CONTINUOUS, np.random.default_rng(i).normal(size=len(x.values))) for i in range(8)),
    )
    assert_sound(run(ALL[name], x, y, around=Around(hard, hard)))


@every_looking_method
def test_missing_values_of_neighbours(name: str) -> None:
    x, y, around = among()

    def holed(column: Column, rows: int) -> Column:
        return with_values(column, lambda values: np.where(np.arange(len(values)) < rows, np.nan, values))

    few = Around((holed(around.of_x[0], 10),), ())  # left out with its rows
    rest = [with_values(one, lambda values: values[10:]) for one in (x, y, around.of_x[0])]
    assert judged(ALL[name], x, y, few) == judged(ALL[name], rest[0], rest[1], Around((rest[2],), ()))
    many = Around((holed(around.of_x[0], 60),), ())  # not looked at
    assert judged(ALL[name], x, y, many) == judged(ALL[name], x, y, Around())


@every_looking_method
def test_neighbours_of_another_length_are_an_error(name: str) -> None:
    x, y, around = among()
    short = Around((with_values(around.of_x[0], lambda values: values[:50]),), ())
    with pytest.raises(StudyError, match="take columns of one study"):
        judged(ALL[name], x, y, short)
