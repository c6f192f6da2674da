"""The guess which sets separate a pair: against what it is defined as, and against graphs."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from weft.evidence.promising import Promising
from weft.studies import Column, Kind, Study


def table(rows: int = 4000, seed: int = 0) -> dict[str, np.ndarray]:
    """X -> A -> Y and X -> B -> Y; C is an effect of Y, D of nothing."""
    rng = np.random.default_rng(seed)
    x, c, d = rng.standard_normal((3, rows))
    a, b = x + rng.standard_normal((2, rows))
    y = a + b + rng.standard_normal(rows)
    return {"X": x, "A": a, "B": b, "Y": y, "C": y + c, "D": d}


@pytest.mark.parametrize(("pair", "others", "best"), [("XY", "ABCD", ("A", "B")), ("XC", "ABDY", ("Y",))])
def test_the_separating_set_comes_first(pair: str, others: str, best: tuple[str, ...]) -> None:
    promising = Promising.of([Study.of(table(), "a")])
    sets = list(combinations(others, len(best)))
    numbers = promising.left(pair[0], pair[1], sets)
    assert sets[int(np.argmin(numbers))] == best


def test_it_is_a_partial_correlation_where_one_number_tells_all() -> None:
    """Binary columns have one indicator each: what is left is the squared partial correlation, but for the ridge."""
    rng = np.random.default_rng(1)
    z = rng.random(5000) < 0.5
    x, y = (np.where(rng.random(5000) < 0.3, rng.random(5000) < 0.5, z) for _ in range(2))
    study = Study("a", tuple(Column(n, Kind.BINARY, v.astype(float)) for n, v in zip("xyz", (x, y, z), strict=True)))
    promising = Promising.of([study])
    r = np.corrcoef([x, y, z])
    partial = (r[0, 1] - r[0, 2] * r[1, 2]) / np.sqrt((1 - r[0, 2] ** 2) * (1 - r[1, 2] ** 2))
    assert promising.left("x", "y", [()]) == pytest.approx([r[0, 1] ** 2], rel=0.01)
    assert promising.left("x", "y", [("z",)]) == pytest.approx([partial**2], abs=0.002)


def test_missing_values_constant_columns_and_other_levels_do_no_harm() -> None:
    rng = np.random.default_rng(2)
    x = rng.standard_normal(200)
    y = np.where(rng.random(200) < 0.3, np.nan, x)
    first = Study.of({"X": x, "Y": y, "G": rng.choice(["p", "q"], 200)}, "a")
    second = Study("b", (first.column("X"), Column("G", Kind.BINARY, np.zeros(200), ("q", "r")), first.column("Y")))
    numbers = Promising.of([first, second]).left("X", "Y", [("G",)])
    assert np.isfinite(numbers).all()
    assert numbers == Promising.of([second, first]).left("X", "Y", [("G",)])
    assert numbers[0] > 0.5


def test_no_sets() -> None:
    assert Promising.of([Study.of(table(50), "a")]).left("X", "Y", []) == []
