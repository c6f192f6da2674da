"""Single columns from lists, arrays and data frames, for questions that are asked without a study."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weft.errors import StudyError
from weft.studies import Column
from weft.studies.frames import raw_column
from weft.studies.kinds import Reading, column_of
from weft.studies.source import Source


def is_column(value: Any) -> bool:
    """Whether a value is a row of values, and not one value or a text."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes)


def columns_of(arrays: Mapping[str, Any], kinds: Mapping[str, str], caller: str) -> list[Column]:
    """The arrays, by name and all as long as the first, as columns; kinds are detected where they are not given.

    Not through a `Study`, which refuses what is wrong with a table as a whole: here two columns may well be equal.
    """
    first = next(iter(arrays))
    for name, values in arrays.items():
        if not is_column(values) or not hasattr(values, "__len__"):
            raise StudyError(f"'{name}' is {type(values).__name__}; give one value per row, as a list or an array")
        if len(values) != len(arrays[first]):
            raise StudyError(
                f"'{name}' has {len(values)} values and '{first}' has {len(arrays[first])}; give one per row"
            )
    for name in kinds:
        if name not in arrays:
            raise StudyError(f"kinds names {name!r}, and the columns are called {', '.join(arrays)}")
    reading = Reading(Source(caller))
    return [column_of(raw_column(name, one, reading.source), kinds.get(name), reading) for name, one in arrays.items()]
