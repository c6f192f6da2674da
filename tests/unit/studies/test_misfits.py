"""What does not fit between tables is found; what fits is left alone."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from weft.studies import Study, check_studies
from weft.studies.misfits import Misfit, mended, misfits

RNG = np.random.default_rng(5)
AGE = RNG.normal(50, 12, 200).clip(18).round(1)
WEIGHT = RNG.normal(75, 11, 200)


def found(first: dict[str, Any], second: dict[str, Any]) -> list[Misfit]:
    other = {"filler": RNG.normal(size=200)}
    return list(misfits([Study.of(first | other, "a"), Study.of(second | other, "b")]))


@pytest.mark.parametrize(
    ("here", "there"),
    [
        ("age", "Age"),
        ("age", "Alter"),
        ("blood pressure", "blood_pressure"),
        ("education", "eduction"),
        ("sex", "gender"),
    ],
)
def test_names_that_may_be_one_variable(here: str, there: str) -> None:
    (one,) = found({here: AGE}, {there: AGE[::-1]})
    assert (one.mending.study, one.mending.key, one.mending.column, one.mending.value) == ("b", "rename", there, here)


@pytest.mark.parametrize(("here", "there"), [("x1", "x2"), ("age", "cage"), ("weight", "height"), ("gene12", "gene21")])
def test_names_that_are_two(here: str, there: str) -> None:
    assert not found({here: AGE}, {there: AGE[::-1]})


def test_no_two_columns_get_one_name() -> None:
    renamed = [one.mending.value for one in found({"age": AGE}, {"Age": AGE[::-1], "AGE": AGE + 1})]
    assert renamed == ["age"]


@pytest.mark.parametrize(
    ("here", "there", "called"),
    [
        (["m", "f"], ["male", "female"], {"male": "m", "female": "f"}),
        (["no", "yes"], [0, 1], {"0": "no", "1": "yes"}),
        (["Low", "High"], ["low", "HIGH"], {"HIGH": "High", "low": "Low"}),
        (["a", "b"], ["a", "b"], None),
        ([1, 2], ["m", "f"], None),
        (["a", "b"], ["c", "d"], None),
    ],
)
def test_levels_that_may_mean_the_same(here: list[Any], there: list[Any], called: dict[str, str] | None) -> None:
    one = found({"group": here * 100}, {"group": there * 100})
    assert [each.mending.value for each in one] == ([] if called is None else [called])


def test_the_usual_numbers_for_sex() -> None:
    (one,) = found({"sex": ["m", "f"] * 100}, {"sex": [1, 2] * 100})
    assert one.mending.value == {"1": "m", "2": "f"}
    assert not found({"sex": ["m", "f"] * 100}, {"sex": [0, 1] * 100})


def test_what_is_mended_fits() -> None:
    first = Study.of({"sex": ["m", "f"] * 100, "age": AGE, "x": WEIGHT}, "a")
    second = Study.of({"Geschlecht": ["w", "m"] * 100, "Alter": np.where(AGE > 60, -99, AGE), "x": -WEIGHT}, "b")
    fitting = mended([first, second], misfits([first, second]))
    assert not misfits(fitting)
    sex = fitting[1].column("sex")
    assert [sex.levels[int(code)] for code in sex.values[:2]] == ["f", "m"]
    assert np.isnan(fitting[1].column("age").values).sum() == (AGE > 60).sum()


@pytest.mark.parametrize(
    ("here", "there", "told"),
    [
        (["low", "mid", "high"], ["klein", "mittel", "gross"], True),
        (["low", "mid", "high"], ["low", "mid", "top"], True),
        (["a", "b", "c"], ["a", "b", "c", "d"], False),
        ([1, 2, 3, 4], [2, 3, 4, 5], False),
    ],
)
def test_levels_that_differ_are_told_before_the_tests(here: list[Any], there: list[Any], told: bool) -> None:
    columns = ({"group": (levels * 70)[:200], "x": RNG.normal(size=200)} for levels in (here, there))
    studies = [Study.of(one, name) for one, name in zip(columns, "ab", strict=True)]
    assert any("has the values" in str(one) for one in check_studies(studies)) is told


def test_levels_of_columns_that_are_to_be_renamed() -> None:
    keys = {
        one.mending.key: one.mending.column
        for one in found({"sex": ["m", "f"] * 100}, {"Sexe": ["homme", "femme"] * 100})
    }
    assert keys == {"rename": "Sexe", "levels": "sex"}


@pytest.mark.parametrize("factor", [2.20462, 1000.0, 0.01, 1 / 38.67])
def test_units_that_differ_by_a_usual_factor(factor: float) -> None:
    (one,) = found({"weight": WEIGHT}, {"weight": RNG.normal(76, 11, 200) * factor})
    assert one.mending.key == "unit"
    assert isinstance(one.mending.value, float)
    assert one.mending.value * factor == pytest.approx(1, rel=1e-4)


def test_another_distribution_is_no_other_unit() -> None:
    assert not found({"weight": WEIGHT}, {"weight": RNG.normal(75 * 2.2, 11, 200)})
    assert not found({"weight": WEIGHT}, {"weight": RNG.normal(90, 14, 200)})


@pytest.mark.parametrize("code", [-99, -9, 999])
def test_codes_that_may_stand_for_a_missing_value(code: int) -> None:
    ages = AGE.copy()
    ages[[3, 77]] = code
    (one,) = found({"age": ages}, {"z": WEIGHT})
    assert (one.mending.key, one.mending.column, one.mending.value) == ("missing", "age", (str(code),))


def test_numbers_that_are_not_codes() -> None:
    temperature = RNG.normal(0, 40, 200).round()
    temperature[5] = -99
    assert not found({"temperature": temperature, "weight": np.append(WEIGHT[1:], 99.0)}, {"z": WEIGHT})


def test_columns_that_only_tell_rows_apart() -> None:
    ids = RNG.permutation(10_000)[:200]
    dropped = [one.mending.column for one in found({"patient_id": ids, "nr": range(200), "count": ids}, {"z": WEIGHT})]
    assert dropped == ["patient_id", "nr"]
