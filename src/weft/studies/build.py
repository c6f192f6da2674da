"""From a file or a table in memory to a :class:`~weft.studies.study.Study`: take apart, name, understand, check.

All that is wrong, in all columns of all files, is told at once.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from weft.errors import Argument, StudyError, StudyErrors
from weft.reading.files import label_of
from weft.reading.names import too_many
from weft.studies.checks import check_study
from weft.studies.files import Dialect, content_of, read_csv
from weft.studies.formats import format_of, name_of, table_of, unpacked
from weft.studies.frames import raw_column, take_apart
from weft.studies.kinds import MISSING, Raw, Reading, column_of, number_label
from weft.studies.sniffing import decimal_of
from weft.studies.source import Source, shown
from weft.studies.study import Column, KindWish, Study, listed_names

Part = tuple[str, Callable[[], Raw]]
"""A column's name, and how to get what is in it."""

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


_SAID = ("kinds", "drop", "missing", "missing_in", "rename", "levels", "units")
_DIALECT = ("encoding", "delimiter", "decimal", "table")


@dataclass(frozen=True)
class Recipe:
    """What a user says about one table; :meth:`weft.studies.study.Study.read` explains each."""

    kinds: Mapping[str, KindWish] = field(default_factory=dict)
    drop: Collection[str] = ()
    missing: Collection[str] = ()
    missing_in: Mapping[str, Collection[str]] = field(default_factory=dict)
    """Texts that stand for a missing value in one column only."""
    rename: Mapping[str, str] = field(default_factory=dict)
    levels: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    units: Mapping[str, float] = field(default_factory=dict)
    dialect: Dialect = field(default_factory=Dialect)

    def document(self) -> dict[str, Any]:
        """What is said, as plain values that :meth:`of_document` takes back."""
        plain: dict[str, Any] = {
            "kinds": {key: wish if isinstance(wish, str) else list(wish) for key, wish in self.kinds.items()},
            "drop": sorted(self.drop),
            "missing": sorted(map(str, self.missing)),
            "missing_in": {key: sorted(map(str, one)) for key, one in self.missing_in.items()},
            "rename": dict(self.rename),
            "levels": {key: dict(one) for key, one in self.levels.items()},
            "units": dict(self.units),
            **{key: getattr(self.dialect, key) for key in _DIALECT},
        }
        return {key: value for key, value in plain.items() if value}

    @classmethod
    def of_document(cls, document: Mapping[str, Any]) -> Recipe:
        """What :meth:`document` gave; other keys are left alone."""
        own = {key: document[key] for key in _SAID if key in document}
        return cls(**own, dialect=Dialect(**{key: document.get(key) for key in _DIALECT}))


@dataclass(frozen=True)
class Opened:
    """A table that was opened: its columns, how to read them, and what kind of file it is."""

    parts: list[Part]
    reading: Reading
    told: str = ""
    """The kind of file and how it is written, in words."""

    @property
    def headers(self) -> list[str]:
        """The names of the columns."""
        return [header.strip() for header, _ in self.parts]


def study_of_data(data: object, name: str, recipe: Recipe, names: Sequence[str] | None) -> Study:
    """See :meth:`weft.studies.study.Study.of`."""
    if not isinstance(name, str):
        raise StudyError(f"{shown(name)} is not a name for a study; give a text")
    source = Source(f"study {shown(name)}")
    table = take_apart(data, names, source)
    return study_of(name, Opened(_parts_of_table(table, source), _reading(source, recipe, ".")), recipe)


def study_of_file(path: str | os.PathLike[str], name: str | None, recipe: Recipe) -> Study:
    """See :meth:`weft.studies.study.Study.read`."""
    study = study_of(name_of(os.fspath(path)) if name is None else name, opened(Path(path), recipe), recipe)
    return _remembering(study, path, recipe)


def _remembering(study: Study, path: str | os.PathLike[str], recipe: Recipe) -> Study:
    """The study, with where it can be read again."""
    return replace(study, source={"file": os.fspath(path), **recipe.document()})


def read_studies(
    files: Mapping[str, str | os.PathLike[str]],
    kinds: Mapping[str, KindWish] | None = None,
    *,
    drop: Collection[str] = (),
    missing: Collection[str] = (),
    encoding: str | None = None,
    delimiter: str | None = None,
    decimal: str | None = None,
    table: str | None = None,
) -> list[Study]:
    """Read several studies, by their names, from files.

    The arguments are those of :meth:`weft.studies.study.Study.read`, and hold for every file. ``kinds`` and ``drop``
    may name columns that only some of the files have.

    Raises
    ------
    StudyErrors
        All that is wrong with all the files.
    """
    common = Recipe(kinds or {}, drop, missing, dialect=Dialect(encoding, delimiter, decimal, table))
    _check_list(common, Source("the tables"))
    tables = everything({name: partial(opened, Path(path), common) for name, path in files.items()})
    headers = list(dict.fromkeys(header for one in tables.values() for header in one.headers))
    for option, keys in (("kinds", set(common.kinds)), ("drop", set(drop))):
        _check_known(option, sorted(keys - set(headers)), headers, Source("the tables"))
    recipes = {name: own_part(common, one) for name, one in tables.items()}
    found = everything({name: partial(study_of, name, one, recipes[name]) for name, one in tables.items()})
    return [_remembering(one, files[name], recipes[name]) for name, one in found.items()]


def own_part(recipe: Recipe, table: Opened) -> Recipe:
    """What is said about the columns that the table has: options hold for all files."""
    own = set(table.headers)
    kinds = {column: wish for column, wish in recipe.kinds.items() if column in own}
    return replace(recipe, kinds=kinds, drop=[column for column in recipe.drop if column in own])


Key = TypeVar("Key")
Made = TypeVar("Made")


def everything(jobs: Mapping[Key, Callable[[], Made]]) -> dict[Key, Made]:
    """What each of the jobs gives; if some fail, all of their errors at once."""
    made: dict[Key, Made] = {}
    wrong: list[StudyError] = []
    for key, job in jobs.items():
        try:
            made[key] = job()
        except StudyError as error:
            wrong.append(error)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else StudyErrors(*wrong)
    return made


def opened(path: Path, recipe: Recipe) -> Opened:
    """The columns of a file, and how to read them."""
    inside, content = unpacked(path, content_of(path))
    packed = f", {path.suffix.lstrip('.')}" if inside != path else ""
    table = table_of(inside, content, recipe.dialect.table)
    if table is not None:
        source = Source(label_of(path))
        columns = table if isinstance(table, list) else take_apart(table, None, source)
        decimal = recipe.dialect.decimal or _decimal_of_cells(table)
        told = f"{format_of(inside, content)}{packed}{_TOLD[decimal]}"
        return Opened(_parts_of_table(columns, source), _reading(source, recipe, decimal), told)
    records = read_csv(inside, content, recipe.dialect, label_of(path))
    parts: list[Part] = [
        (header, partial(records.raw, position, header.strip())) for position, header in enumerate(records.header)
    ]
    known = records.dialect
    told = f"text, {known.encoding}, {_CALLED.get(known.delimiter or '', repr(known.delimiter))}{packed}"
    decimal = known.decimal or "."
    return Opened(parts, _reading(records.source, recipe, decimal), f"{told}{_TOLD[decimal]}")


def _decimal_of_cells(table: object) -> str:
    """The decimal mark of numbers that a workbook or a database holds as texts."""
    if not isinstance(table, list):
        return "."
    return decimal_of([[cell for cell in values[:1000] if isinstance(cell, str)] for _, values in table])


_TOLD = {".": "", ",": ", decimal commas"}
_CALLED = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars", " ": "blanks"}


def _parts_of_table(table: Sequence[tuple[object, object]], source: Source) -> list[Part]:
    if refusal := too_many(len(table)):
        raise source.flaw(refusal)
    for name, _ in table:
        if not isinstance(name, str):
            raise source.flaw(f"the column name {shown(name)} is not a text; rename the columns")
    named = [(str(name), values) for name, values in table if not _PANDAS_INDEX.fullmatch(str(name))]
    return [(name, partial(raw_column, name.strip(), values, source)) for name, values in named]


def _check_list(recipe: Recipe, source: Source) -> None:
    """Refuse one text where a list of them is meant: it would be taken for its letters."""
    for option in ("missing", "drop"):
        value = getattr(recipe, option)
        if isinstance(value, str):
            given, meant = Argument(option, value), Argument(option, [value])
            raise source.flaw(given, " is one text; give a list, such as ", meant)


def _reading(source: Source, recipe: Recipe, decimal: str) -> Reading:
    _check_list(recipe, source)
    return Reading(source, frozenset((*MISSING, *(str(text).strip() for text in recipe.missing))), decimal)


def study_of(name: str, table: Opened, recipe: Recipe) -> Study:
    """The study in a table, as its user wants it to be read."""
    columns, wrong = understood(table, recipe)
    if wrong:
        raise wrong[0] if len(wrong) == 1 else StudyErrors(*wrong)
    study = Study(name, tuple(columns))
    check_study(study, table.reading.source)
    return study


def understood(table: Opened, recipe: Recipe) -> tuple[list[Column], list[StudyError]]:
    """The columns that can be read, and what is wrong with the others; raises if it is the table that is wrong."""
    source = table.reading.source
    _check_columns("rename", recipe.rename, table.headers, source)
    parts = [(recipe.rename.get(header.strip(), header), get) for header, get in table.parts]
    names = [header.strip() for header, _ in parts]
    for option, keys in (
        ("kinds", recipe.kinds), ("levels", recipe.levels), ("units", recipe.units), ("missing", recipe.missing_in),
    ):  # fmt: skip
        _check_columns(option, keys, names, source)
    _check_columns("drop", recipe.drop, [*names, *table.headers], source)
    dropped = {str(key).strip() for key in recipe.drop}
    kept = [
        (header, get)
        for (header, get), before in zip(parts, table.headers, strict=True)
        if not dropped & {header.strip(), before}
    ]
    _check_names([header for header, _ in kept], source)
    raw = [replace(get(), name=header.strip()) for header, get in kept]
    _check_lengths(raw, source)
    columns: list[Column] = []
    wrong: list[StudyError] = []
    for one in raw:
        try:
            columns.append(_column(one, recipe, table.reading))
        except StudyError as error:
            wrong.append(error)
    return columns, wrong


def _check_columns(option: str, keys: Iterable[str], names: list[str], source: Source) -> None:
    _check_known(option, sorted({str(key).strip() for key in keys} - set(names)), names, source)


def _column(raw: Raw, recipe: Recipe, reading: Reading) -> Column:
    wishes = {str(key).strip(): wish for key, wish in recipe.kinds.items()}
    renamed = _with_levels(raw, recipe.levels.get(raw.name, {}), reading.source)
    own = frozenset(map(str, recipe.missing_in.get(raw.name, ())))
    column = column_of(renamed, wishes.get(raw.name), replace(reading, missing=reading.missing | own))
    factor = recipe.units.get(raw.name)
    return column if factor is None else _in_unit(column, factor, reading.source)


def _with_levels(raw: Raw, called: Mapping[str, str], source: Source) -> Raw:
    """The column with some of its values renamed."""
    if not called:
        return raw
    texts = raw.texts if raw.numbers is None else [None if one != one else number_label(one) for one in raw.numbers]
    assert texts is not None
    there = {text.strip() for text in texts if text is not None}
    if unknown := sorted(set(map(str, called)) - there):
        close = get_close_matches(unknown[0], there, 1)
        hint = f"did you mean {shown(close[0])}?" if close else f"there are {listed_names(sorted(there))}"
        raise source.flaw(
            Argument("levels"), f" names {shown(unknown[0])}, which does not occur; {hint}", column=raw.name
        )
    changed = [None if text is None else called.get(text.strip(), text) for text in texts]
    return replace(raw, numbers=None, texts=changed, order=tuple(called.get(one, one) for one in raw.order))


def _in_unit(column: Column, factor: float, source: Source) -> Column:
    """The column with every number multiplied by a factor."""
    numbers = column.numbers()
    if numbers is None:
        raise source.flaw(Argument("units"), " is for columns of numbers; leave it out", column=column.name)
    if not column.levels:
        return replace(column, values=numbers * factor)
    return replace(column, levels=tuple(number_label(float(level) * factor) for level in column.levels))


def _check_known(option: str, unknown: list[str], names: list[str], source: Source) -> None:
    if unknown:
        close = get_close_matches(unknown[0], names, 1)
        hint = f"did you mean {shown(close[0])}?" if close else f"there are {listed_names(names)}"
        raise source.flaw(Argument(option), f" names {shown(unknown[0])}, which is not a column; {hint}")


def _check_names(names: list[str], source: Source) -> None:
    first: dict[str, int] = {}
    for position, name in enumerate(names):
        key = name.strip()
        if not key:
            raise source.flaw(
                f"column {position + 1} has no name; give it one, or leave it out with ",
                Argument("drop", [""]),
                " (pandas writes its row index that way unless it is told not to)",
            )
        if not key.isascii() and not _is_text(key):
            raise source.flaw(f"the name of column {position + 1}, {key!a}, is not valid Unicode; rename it")
        if key in first:
            other = names[first[key]]
            blanks = "" if other == name else f" but for blanks ({shown(other)}, {shown(name)})"
            raise source.flaw(
                f"columns {first[key] + 1} and {position + 1} are both called {shown(key)}{blanks}; rename one"
            )
        first[key] = position


def _is_text(name: str) -> bool:
    """Whether a name can be written to a file: a lone half of a surrogate pair cannot."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _check_lengths(columns: list[Raw], source: Source) -> None:
    lengths = [len(raw.texts if raw.texts is not None else raw.numbers) for raw in columns]  # type: ignore[arg-type]
    for raw, length in zip(columns, lengths, strict=True):
        if length != lengths[0]:
            raise source.flaw(
                f"{length} values, and column {shown(columns[0].name)} has {lengths[0]}; give as many", column=raw.name
            )
