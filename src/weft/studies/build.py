"""From a file or a table in memory to a :class:`~weft.studies.study.Study`: take apart, name, understand, check."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from difflib import get_close_matches
from functools import partial
from pathlib import Path

from weft.errors import Argument, StudyError
from weft.reading.files import label_of
from weft.reading.names import too_many
from weft.studies.checks import check_study
from weft.studies.files import Dialect, content_of, is_parquet, read_csv, read_parquet
from weft.studies.frames import raw_column, take_apart
from weft.studies.kinds import MISSING, Raw, Reading, column_of
from weft.studies.source import Source, shown
from weft.studies.study import KindWish, Study, listed_names

Part = tuple[str, Callable[[], Raw]]
"""A column's name, and how to get what is in it."""

_PANDAS_INDEX = re.compile(r"__index_level_\d+__")


def study_of_data(
    data: object,
    name: str,
    kinds: Mapping[str, KindWish],
    names: Sequence[str] | None,
    drop: Collection[str],
    missing: Collection[str] | None,
) -> Study:
    """See :meth:`weft.studies.study.Study.of`."""
    if not isinstance(name, str):
        raise StudyError(f"{shown(name)} is not a name for a study; give a text")
    source = Source(f"study {shown(name)}")
    return _study(name, _parts_of_table(data, names, source), kinds, drop, _reading(source, missing, "."))


def study_of_file(
    path: str | os.PathLike[str],
    name: str | None,
    kinds: Mapping[str, KindWish],
    drop: Collection[str],
    missing: Collection[str] | None,
    dialect: Dialect,
) -> Study:
    """See :meth:`weft.studies.study.Study.read`."""
    parts, reading = _opened(Path(path), missing, dialect)
    return _study(Path(path).stem if name is None else name, parts, kinds, drop, reading)


def read_studies(
    files: Mapping[str, str | os.PathLike[str]],
    kinds: Mapping[str, KindWish] | None = None,
    *,
    drop: Collection[str] = (),
    missing: Collection[str] | None = None,
    encoding: str = "utf-8",
    delimiter: str | None = None,
    decimal: str = ".",
) -> list[Study]:
    """Read several studies, by their names, from CSV or Parquet files.

    The arguments are those of :meth:`weft.studies.study.Study.read`, and hold for every file. ``kinds`` and ``drop``
    may name columns that only some of the files have.
    """
    dialect = Dialect(encoding, delimiter, decimal)
    opened = {name: _opened(Path(path), missing, dialect) for name, path in files.items()}
    headers = list(dict.fromkeys(header.strip() for parts, _ in opened.values() for header, _ in parts))
    for option, keys in (("kinds", set(kinds or {})), ("drop", set(drop))):
        _check_known(option, sorted(keys - set(headers)), headers, Source("the tables"))
    studies = []
    for name, (parts, reading) in opened.items():
        own = {header.strip() for header, _ in parts}
        own_kinds = {column: wish for column, wish in (kinds or {}).items() if column in own}
        studies.append(_study(name, parts, own_kinds, [column for column in drop if column in own], reading))
    return studies


def _opened(path: Path, missing: Collection[str] | None, dialect: Dialect) -> tuple[list[Part], Reading]:
    """The columns of a file, and how to read them."""
    content = content_of(path)
    if is_parquet(path, content):
        source = Source(label_of(path))
        return _parts_of_table(read_parquet(path, content), None, source), _reading(source, missing, ".")
    records = read_csv(path, content, dialect)
    parts: list[Part] = [
        (header, partial(records.raw, position, header.strip())) for position, header in enumerate(records.header)
    ]
    return parts, _reading(records.source, missing, dialect.decimal)


def _parts_of_table(data: object, names: Sequence[str] | None, source: Source) -> list[Part]:
    table = take_apart(data, names, source)
    if refusal := too_many(len(table)):
        raise source.flaw(refusal)
    for name, _ in table:
        if not isinstance(name, str):
            raise source.flaw(f"the column name {shown(name)} is not a text; rename the columns")
    named = [(str(name), values) for name, values in table if not _PANDAS_INDEX.fullmatch(str(name))]
    return [(name, partial(raw_column, name.strip(), values, source)) for name, values in named]


def _reading(source: Source, missing: Collection[str] | None, decimal: str) -> Reading:
    if isinstance(missing, str):
        given, meant = Argument("missing", missing), Argument("missing", [missing])
        raise source.flaw(given, " is one text; give a list, such as ", meant)
    return Reading(source, frozenset(str(text).strip() for text in (MISSING if missing is None else missing)), decimal)


def _study(
    name: str, parts: list[Part], kinds: Mapping[str, KindWish], drop: Collection[str], reading: Reading
) -> Study:
    source = reading.source
    if isinstance(drop, str):
        raise source.flaw(Argument("drop", drop), " is one text; give a list, such as ", Argument("drop", [drop]))
    wanted = {str(key).strip(): wish for key, wish in kinds.items()}
    dropped = {str(key).strip() for key in drop}
    stripped = [header.strip() for header, _ in parts]
    for option, keys in (("kinds", set(wanted)), ("drop", dropped)):
        _check_known(option, sorted(keys - set(stripped)), stripped, source)
    kept = [(header, get) for header, get in parts if header.strip() not in dropped]
    _check_names([header for header, _ in kept], source)
    raw = [get() for _, get in kept]
    _check_lengths(raw, source)
    study = Study(name, tuple(column_of(column, wanted.get(column.name), reading) for column in raw))
    check_study(study, source)
    return study


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
