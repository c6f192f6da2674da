"""Data frames, mappings and arrays, taken apart into columns of numbers or texts.

Frames of every library go through narwhals. A frame that has not been computed yet (lazy) is refused rather than
collected: that may take hours, or more memory than there is.
"""

from __future__ import annotations

import datetime
import math
import numbers
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.errors import Argument, StudyError
from weft.reading.names import first_repeated
from weft.studies.kinds import LARGEST_EXACT, Raw, is_exact
from weft.studies.source import Source, shown

_COLUMNS = "a data frame, a mapping from names to lists, or a numpy array with names="


def take_apart(data: object, names: Sequence[str] | None, source: Source) -> list[tuple[object, object]]:
    """The names and the columns of a table, the columns as they are."""
    if isinstance(data, np.ndarray):
        return _of_array(data, names, source)
    if names is not None:
        raise source.flaw("names= is for arrays, and this table has names of its own; leave it out")
    if isinstance(data, Mapping):
        return list(data.items())
    return _of_frame(data, source)


def raw_column(name: str, values: object, source: Source) -> Raw:
    """The numbers or texts of one column."""
    if isinstance(values, np.ndarray):
        return _raw_array(name, values, source)
    if isinstance(values, (str, bytes, Mapping)) or not isinstance(values, Iterable):
        raise source.flaw(f"{shown(values)} is not a list of values", column=name)
    series = _as_series(values)
    return _raw_list(name, list(values), source) if series is None else _raw_series(name, series, source)


# -- tables ----------------------------------------------------------------------------------------------------------


def _of_array(data: NDArray[Any], names: Sequence[str] | None, source: Source) -> list[tuple[object, object]]:
    if data.dtype.names:
        if names is not None:
            raise source.flaw("names= is for arrays without any, and this one has named fields; leave it out")
        return [(name, data[name]) for name in data.dtype.names]
    if data.ndim != 2:
        raise source.flaw(f"an array with {data.ndim} dimensions is not a table; give one with two")
    if names is None:
        raise source.flaw(f"an array has no names; give its {data.shape[1]} columns some with names=")
    if isinstance(names, str) or len(names) != data.shape[1]:
        raise source.flaw(f"{len(names)} names for {data.shape[1]} columns; give one for each")
    return list(zip(names, data.T, strict=True))


def _of_frame(data: object, source: Source) -> list[tuple[object, object]]:
    import narwhals.stable.v2 as nw
    from narwhals.exceptions import DuplicateError

    try:
        frame = nw.from_native(data, pass_through=True, allow_series=True)
    except DuplicateError:
        labels = list(getattr(data, "column_names", ()) or getattr(data, "columns", ()))  # pyarrow's, and others'
        raise source.flaw(f"two columns are called {shown(first_repeated(labels))}; rename one") from None
    if isinstance(frame, nw.LazyFrame):
        raise source.flaw("the frame is lazy; pass what its .collect() (or .compute()) gives")
    if isinstance(frame, nw.Series):
        raise source.flaw(f"one column ({type(data).__name__}) is not a table; give {_COLUMNS}")
    if isinstance(frame, nw.DataFrame):
        return [(name, frame.get_column(name)) for name in frame.columns]
    hint = "; if it is lazy, collect it first" if hasattr(data, "collect") or hasattr(data, "compute") else ""
    raise source.flaw(f"{type(data).__name__} is not a table; give {_COLUMNS}{hint}")


# -- columns ---------------------------------------------------------------------------------------------------------


def _raw_array(name: str, values: NDArray[Any], source: Source) -> Raw:
    if values.ndim != 1:
        raise source.flaw(f"values have {values.ndim} dimensions; give one value a row", column=name)
    if values.dtype.kind in "mM":
        raise _dates(name, source)
    if isinstance(values, np.ma.MaskedArray):
        return _raw_list(name, values.tolist(), source)  # masked values become None
    if values.dtype.kind == "f" or (values.dtype.kind in "iu" and _all_exact(values)):
        return Raw(name, numbers=values.astype(np.float64))
    return _raw_list(name, values.tolist(), source)


def _all_exact(values: Any) -> bool:
    """Whether whole numbers of a fixed size are so small that all of them are exact as floating-point numbers."""
    extremes = (values.min(), values.max()) if len(values) else ()
    return all(abs(int(one)) <= LARGEST_EXACT for one in extremes if isinstance(one, numbers.Integral))  # or missing


def _dates(name: str, source: Source, kind: str = "") -> StudyError:
    return source.flaw(
        f"holds dates or times{kind}; turn it into numbers first (such as days since the first date), or leave it out "
        "with ",
        Argument("drop", [name]),
        column=name,
    )


def _as_series(values: object) -> Any:
    """The values as a narwhals Series, if they are a column of some data frame library."""
    import narwhals.stable.v2 as nw

    series = nw.from_native(values, pass_through=True, series_only=True)
    return series if isinstance(series, nw.Series) else None


def _raw_series(name: str, series: Any, source: Source) -> Raw:
    import narwhals.stable.v2 as nw

    dtype = series.dtype
    if dtype.is_float() or (dtype.is_integer() and _all_exact(series)):
        return Raw(name, numbers=np.asarray(series.cast(nw.Float64).to_numpy(), dtype=np.float64))
    if dtype.is_temporal():
        raise _dates(name, source, f" ({dtype})")
    values = _raw_list(name, series.to_list(), source)
    if dtype == nw.Categorical or isinstance(dtype, nw.Enum):
        order = tuple(map(str, dtype.categories)) if isinstance(dtype, nw.Enum) else ()
        texts = values.texts if values.numbers is None else list(map(_number_text, values.numbers.tolist()))
        return Raw(name, texts=texts, categories=True, order=order)
    return values


def _raw_list(name: str, values: list[Any], source: Source) -> Raw:
    """Python values: all of them numbers, or all of them texts once the numbers among them are written out."""
    types = set(map(type, values))
    if types <= {float, int, type(None)}:  # the two usual cases, at once
        numbers = np.array([math.nan if value is None else _float(value) for value in values])
        if not (np.abs(numbers) > LARGEST_EXACT).any():
            return Raw(name, numbers=numbers)
    if types <= {str, type(None)}:
        return Raw(name, texts=values)
    cells = [_cell(name, row, value, source) for row, value in enumerate(values)]
    if any(isinstance(cell, str) for cell in cells):
        return Raw(name, texts=[_number_text(cell) if isinstance(cell, float) else cell for cell in cells])
    return Raw(name, numbers=np.array([math.nan if cell is None else cell for cell in cells], dtype=np.float64))


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:  # a whole number of more than 308 digits
        return math.inf if value > 0 else -math.inf


def _cell(name: str, row: int, value: Any, source: Source) -> float | str | None:
    """A number, a text, or None for a missing value."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return None
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, str):
        return str(value)
    if isinstance(value, (datetime.date, datetime.time, datetime.timedelta)):
        raise _dates(name, source)
    if isinstance(value, numbers.Real) or type(value).__name__ == "Decimal":
        return None if value != value else _float(value) if is_exact(value) else str(int(value))
    scalar = getattr(value, "as_py", None)  # pyarrow's scalars
    if callable(scalar):
        return _cell(name, row, scalar(), source)
    kind = type(value).__name__
    raise source.flaw(f"{shown(value)} ({kind}) is neither a number nor a text; convert it", column=name, row=row)


def _number_text(number: float) -> str | None:
    if math.isnan(number):
        return None
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)
