"""A study: a table whose columns are variables, as read-only numbers.

A :class:`Column` of continuous numbers holds them as they are; a column of any other :class:`Kind` holds codes 0, 1,
..., k-1, and ``levels[code]`` is what stood in the table. A missing value is NaN.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.errors import StudyError
from weft.reading.names import first_repeated, meant
from weft.studies.source import listed, shown

KindWish = str | Sequence[str]
"""A kind's name, or the levels of an ordinal column from the lowest to the highest."""


class Kind(StrEnum):
    """What the values of a column mean."""

    CONTINUOUS = "continuous"
    """Numbers."""
    ORDINAL = "ordinal"
    """Levels with an order."""
    CATEGORICAL = "categorical"
    """Levels without an order."""
    BINARY = "binary"
    """Two levels."""


@dataclass(frozen=True, eq=False)
class Column:
    """One variable of a study.

    Attributes
    ----------
    name : str
        As in the table, without surrounding blanks.
    kind : Kind
    values : ndarray of float64
        One for each row, read-only; missing values are NaN. For every kind but continuous: codes into ``levels``.
    levels : tuple of str
        Empty for a continuous column; the codes themselves if left out for another.

    >>> Column("dose", Kind.ORDINAL, np.array([1.0, 0.0, np.nan]), ("low", "high")).labels()
    ['high', 'low', None]
    """

    name: str
    kind: Kind
    values: NDArray[np.float64]
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        values = np.array(self.values, dtype=np.float64)  # a copy: nobody else can write to it
        if values.ndim != 1:
            raise StudyError(f"column {shown(self.name)}: values have {values.ndim} dimensions; give one value a row")
        values += 0.0  # -0.0 becomes 0.0, and every NaN the same NaN: equal content has equal bytes
        values[np.isnan(values)] = np.nan
        values.flags.writeable = False
        object.__setattr__(self, "values", values)
        object.__setattr__(self, "kind", Kind(self.kind))
        if np.isinf(values).any():
            raise StudyError(f"column {shown(self.name)}: infinite values; replace them or take them as missing")
        if self.kind != Kind.CONTINUOUS:
            object.__setattr__(self, "levels", self._checked_levels(values[~np.isnan(values)]))
        elif self.levels:
            raise StudyError(f"column {shown(self.name)}: a continuous column has no levels; leave them out")

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of what a test sees of the column: its kind and values, not its name.

        The number of levels counts too, since a level may be there of which no row has a value.
        """
        digest = hashlib.sha256(f"{self.kind} {len(self.levels)} ".encode())
        digest.update(self.values.astype("<f8").tobytes())
        return digest.hexdigest()

    def _checked_levels(self, codes: NDArray[np.float64]) -> tuple[str, ...]:
        """The levels; the codes themselves as text if none are given."""
        highest = int(codes.max()) if len(codes) else 0
        levels = tuple(self.levels) or tuple(map(str, range(highest + 1)))
        if len(codes) and (codes.min() < 0 or highest >= len(levels) or (codes != np.floor(codes)).any()):
            raise StudyError(f"column {shown(self.name)}: codes must be whole numbers from 0 to {len(levels) - 1}")
        return levels

    @property
    def present(self) -> NDArray[np.bool_]:
        """For each row, whether the value is there."""
        return ~np.isnan(self.values)

    @cached_property
    def is_complete(self) -> bool:
        """Whether no value is missing."""
        return not np.isnan(self.values).any()

    def labels(self) -> list[str | None]:
        """What stood in the table, row by row; only for columns with levels."""
        return [None if value != value else self.levels[int(value)] for value in self.values.tolist()]

    def numbers(self) -> NDArray[np.float64] | None:
        """The numbers that stood in the table, codes undone; None if some level is not a number.

        >>> Column("stage", Kind.ORDINAL, np.array([1.0, 0.0]), ("2", "5")).numbers()
        array([5., 2.])
        """
        if not self.levels:
            return self.values
        try:
            scale = np.array([float(level) for level in self.levels])
        except ValueError:
            return None
        there = self.present
        numbers = np.full(len(self.values), np.nan)
        numbers[there] = scale[self.values[there].astype(np.intp)]
        return numbers if np.isfinite(scale).all() else None


@dataclass(frozen=True, eq=False)
class Study:
    """A table of data.

    Made by :meth:`of` and :meth:`read`, which check what the columns hold; the constructor only checks that the
    columns fit together.
    """

    name: str
    columns: tuple[Column, ...]
    source: Mapping[str, Any] = field(default_factory=dict)
    """The file that it was read from, and how; nothing for a table in memory."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "columns", tuple(self.columns))
        names = [column.name for column in self.columns]
        if (twice := first_repeated(names)) is not None:
            raise StudyError(f"study {shown(self.name)}: two columns are called {shown(twice)}; rename one")
        lengths = {len(column.values) for column in self.columns}
        if len(lengths) > 1:
            raise StudyError(f"study {shown(self.name)}: columns have {listed(map(str, sorted(lengths)))} rows")

    def __repr__(self) -> str:
        return f"<Study {shown(self.name)}: {len(self.columns)} variables, {self.rows:,} rows>"

    @classmethod
    def of(
        cls,
        data: object,
        name: str,
        kinds: Mapping[str, KindWish] | None = None,
        *,
        names: Sequence[str] | None = None,
        drop: Collection[str] = (),
        missing: Collection[str] = (),
        rename: Mapping[str, str] | None = None,
        levels: Mapping[str, Mapping[str, str]] | None = None,
        units: Mapping[str, float] | None = None,
    ) -> Study:
        """Take a study from a table in memory.

        Parameters
        ----------
        data
            A data frame (pandas, polars, pyarrow, or any other that narwhals knows), a mapping from names to lists or
            arrays, a numpy array with two dimensions and ``names``, or a numpy array with named fields.
        name
            What the study is called in statements and messages.
        kinds
            The kinds of some columns, for those not to be detected (see :mod:`weft.studies.kinds`): ``continuous``,
            ``ordinal``, ``categorical``, ``binary``, or the levels of an ordinal column from low to high.
        names
            The columns' names, for an array without any.
        drop
            Columns to leave out, before anything is checked.
        missing
            More texts that stand for a missing value, beside :data:`weft.studies.MISSING`. Those that are numbers
            (``"-99"``) also stand for one in columns of numbers.
        rename
            Other names for some columns. Everything else speaks of the new names.
        levels
            For some columns, other texts for some of their values: ``{"sex": {"m": "male"}}``.
        units
            For some columns, a factor that turns their numbers into the unit of the other studies.

        Raises
        ------
        StudyError
            In one line, with the column, the value, its row and a way out.

        >>> study = Study.of({"x": range(100), "size": ["S", "L", "M", "S"] * 25}, "a", {"size": ["S", "M", "L"]})
        >>> study.column("size").values[:4]
        array([0., 2., 1., 0.])
        """
        from weft.studies.build import Recipe, study_of_data

        recipe = Recipe(kinds or {}, drop, missing, {}, rename or {}, levels or {}, units or {})
        return study_of_data(data, name, recipe, names)

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        name: str | None = None,
        kinds: Mapping[str, KindWish] | None = None,
        *,
        drop: Collection[str] = (),
        missing: Collection[str] = (),
        rename: Mapping[str, str] | None = None,
        levels: Mapping[str, Mapping[str, str]] | None = None,
        units: Mapping[str, float] | None = None,
        encoding: str | None = None,
        delimiter: str | None = None,
        decimal: str | None = None,
        table: str | None = None,
    ) -> Study:
        """Read a study from a file: text with a header (CSV and its relatives), or one that another program wrote.

        Parquet and Feather files need ``weft[parquet]``, Excel and OpenDocument workbooks ``weft[excel]``, files of
        Stata, SPSS and SAS ``weft[stats]``. SQLite databases, and files packed with gzip, zip, xz or bzip2, need
        nothing more.

        Parameters
        ----------
        path
            The file. What it is shows in how it begins, or else in its ending (:mod:`weft.studies.formats`).
        name
            What the study is called; the file's name without its ending if not given.
        kinds, drop, missing, rename, levels, units
            As for :meth:`of`.
        encoding, delimiter, decimal
            How a text file is written; what is left out is found out from the file (:mod:`weft.studies.sniffing`).
        table
            The sheet of a workbook or the table of a database, where there are several.

        Raises
        ------
        StudyError
            In one line, with the file, the column, the value, its line and a way out; or
            :class:`~weft.errors.StudyErrors`, a line for each thing that is wrong.
        """
        from weft.studies.build import Recipe, study_of_file
        from weft.studies.files import Dialect

        dialect = Dialect(encoding, delimiter, decimal, table)
        recipe = Recipe(kinds or {}, drop, missing, {}, rename or {}, levels or {}, units or {}, dialect)
        return study_of_file(path, name, recipe)

    @property
    def variables(self) -> tuple[str, ...]:
        """The names of the columns, in their order."""
        return tuple(column.name for column in self.columns)

    @property
    def rows(self) -> int:
        """The number of rows."""
        return len(self.columns[0].values) if self.columns else 0

    def column(self, name: str) -> Column:
        """The column of that name."""
        for column in self.columns:
            if column.name == name:
                return column
        known = meant(name, self.variables) or f"; it has {listed_names(self.variables)}"
        raise StudyError(f"study {shown(self.name)} has no column {shown(name)}{known}")

    def select(self, variables: Iterable[str], name: str | None = None) -> Study:
        """The study of some of the columns, in the order given.

        >>> whole = Study.of({"x": range(100), "y": [i * i for i in range(100)], "z": [1, 2, 3, 4] * 25}, "whole")
        >>> whole.select(["z", "x"], "part").variables
        ('z', 'x')
        """
        columns = tuple(self.column(variable) for variable in variables)
        return Study(self.name if name is None else name, columns, self.source)

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the columns: names, kinds, levels and values, in their order; the study's name is left out.

        The same content has the same fingerprint whatever file or frame it came from; another order of the columns or
        of the rows is another content.
        """
        digest = hashlib.sha256(b"weft-study/1")
        for column in self.columns:
            texts = (column.name, str(column.kind), *column.levels)
            digest.update(len(texts).to_bytes(8, "little"))
            for text in texts:
                content = text.encode("utf-8", "surrogatepass")
                digest.update(len(content).to_bytes(8, "little") + content)
            digest.update(len(column.values).to_bytes(8, "little"))
            digest.update(np.ascontiguousarray(column.values, dtype="<f8").tobytes())
        return digest.hexdigest()


def listed_names(names: Sequence[str], most: int = 8) -> str:
    """The names in quotes, shortened if there are many."""
    rest = len(names) - most
    return listed([shown(name) for name in names[:most]] + ([f"{rest} more"] if rest > 0 else []))
