"""Columns whose gaps go with others are told; gaps by chance, or that go with one column, are not."""

from __future__ import annotations

import numpy as np
import pytest

from weft.studies import Study
from weft.studies.gaps import gaps


def drawn(seed: int = 0, rows: int = 600) -> tuple[dict[str, np.ndarray], np.random.Generator]:
    rng = np.random.default_rng(seed)
    x, y, z = rng.standard_normal((3, rows))
    return {"x": x, "y": y, "z": z}, rng


def told(columns: dict[str, object]) -> tuple[str, ...]:
    return gaps([Study.of(columns, "a")])


def test_gaps_by_chance_are_not_told() -> None:
    found = 0
    for seed in range(40):
        columns, rng = drawn(seed)
        for values in columns.values():
            values[rng.random(len(values)) < 0.2] = np.nan
        found += len(told(dict(columns)))
    assert found == 0


def test_gaps_that_go_with_one_column_do_no_harm() -> None:
    columns, _ = drawn()
    columns["z"][columns["x"] > 0.8] = np.nan
    assert told(dict(columns)) == ()


@pytest.mark.parametrize("levels", [False, True])
def test_gaps_that_go_with_two_columns_are_told(levels: bool) -> None:
    columns, _ = drawn()
    columns["z"][columns["x"] + columns["y"] > 1] = np.nan
    x: object = np.where(columns["x"] > 0, "high", "low").tolist() if levels else columns["x"]
    (sentence,) = told({**columns, "x": x})
    assert sentence.startswith("study 'a', column 'z': which values are missing goes with ")
    assert "'x'" in sentence
    assert "'y'" in sentence


def test_too_few_to_say() -> None:
    columns, _ = drawn()
    columns["z"][np.argsort(columns["x"] + columns["y"])[-19:]] = np.nan
    assert told(dict(columns)) == ()
