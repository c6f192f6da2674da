"""What an independence test is, and the one way to run it.

A test takes columns *without* missing values. :func:`run` makes that so: it leaves out the rows in which any of the
columns of this one question is missing (test-wise deletion; valid if values are missing completely at random), asks
the test whether it takes such columns, and refuses what no test could answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import ClassVar, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from weft.errors import StudyError
from weft.evidence.complete import complete_rows
from weft.studies import Column

FEWEST_ROWS = 5
"""Below this no test here has a p-value that means anything; a test may ask for more."""

_FEW = 100


@dataclass(frozen=True)
class Result:
    """The answer of a test.

    Attributes
    ----------
    statistic
        The test's own measure of dependence; comparable between results of the same test only.
    p_value
        The probability, under independence, of a statistic at least this large.
    rows
        How many rows were used, after the rows with missing values were left out.
    diagnostic
        What helps to judge the p-value; the test's docstring says which entries there are.
    undecided
        Why a large p-value says nothing for independence here, if so: the data could not have shown dependence. Such a
        result is no verdict, and is not used as one.

    >>> Result(statistic=2.5, p_value=0.01, rows=100).p_value
    0.01
    """

    statistic: float
    p_value: float
    rows: int
    diagnostic: Mapping[str, float | str] = field(default_factory=lambda: MappingProxyType({}))
    undecided: str = ""

    def __post_init__(self) -> None:
        # A plain dict: results travel between processes, and a read-only proxy cannot be pickled.
        object.__setattr__(self, "diagnostic", dict(self.diagnostic))


class DegenerateError(StudyError):
    """Nothing is left to test: too few rows have values in all columns, or what is given leaves one no freedom."""


@runtime_checkable
class IndependenceTest(Protocol):
    """A test of "x is independent of y given these columns"."""

    name: ClassVar[str]

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """Everything that changes the answer: with the name and the data, the key of a stored result."""
        ...

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """One sentence why the test does not take these columns; None if it does."""
        ...

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test columns of equal length without missing values."""
        ...


def is_quick(test: IndependenceTest, x: Column, y: Column, given: Sequence[Column] = ()) -> bool:
    """Whether a test takes less time than it would to send the columns to another process.

    A test says so by `quick`, a class attribute; one that leaves its questions to others, by a method `is_quick`.
    """
    asked = getattr(test, "is_quick", None)
    return bool(getattr(test, "quick", False) if asked is None else asked(x, y, given))


def run(test: IndependenceTest, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
    """Test x and y given the columns, on the rows in which none of them is missing.

    Raises
    ------
    StudyError
        If the test refuses the columns, or if they do not fit together.
    DegenerateError
        If what is left of them is too little.
    """
    columns = (x, y, *given)
    _check_fit(columns)
    sentence = test.refusal(x, y, given)
    if sentence is not None:
        raise StudyError(sentence)
    complete = complete_rows(columns)
    _check_left(complete)
    return test.test(complete[0], complete[1], complete[2:])


def _check_fit(columns: Sequence[Column]) -> None:
    names = [column.name for column in columns]
    for name in names:
        if names.count(name) > 1:
            raise StudyError(f"column {name!r} appears twice in one independence question; name each column once")
    for column in columns:
        if len(column.values) != len(columns[0].values):
            raise StudyError(
                f"column {column.name!r} has {len(column.values)} rows but {columns[0].name!r} has "
                f"{len(columns[0].values)}; test columns of one study"
            )


def _check_left(columns: Sequence[Column]) -> None:
    names = ", ".join(repr(column.name) for column in columns)
    rows = len(columns[0].values)
    if rows < FEWEST_ROWS:
        raise DegenerateError(
            f"only {rows} rows have values in all of {names}, at least {FEWEST_ROWS} are needed; "
            "leave out the column with most missing values"
        )
    for column in columns:
        if _is_constant(column.values):
            raise DegenerateError(
                f"column {column.name!r} is constant in the {rows} rows that have values in all of {names}; "
                "leave it out"
            )


def _is_constant(values: NDArray[np.float64]) -> bool:
    """Whether all values are the same; the first few mostly tell."""
    return bool(np.all(values[:_FEW] == values[0]) and np.all(values == values[0]))
