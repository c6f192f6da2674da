"""Files that are not plain text: archives, and tables as other programs keep them, taken apart into columns.

================================ ================================= ==================================================
kind of file                     known by                          read by
================================ ================================= ==================================================
gzip, xz, bzip2, zip             how it begins                     Python, and then what is in it
Parquet, Feather (Arrow)         how it begins, or its ending      pyarrow, or else polars (``weft[parquet]``)
Excel (.xlsx, .xls), OpenDocument how it begins                    python-calamine (``weft[excel]``)
Stata, SPSS, SAS                 how it begins, or its ending      pyreadstat (``weft[stats]``)
SQLite                           how it begins                     Python
================================ ================================= ==================================================

Nothing in a file is run: macros and formulas of a workbook are not, and a database is opened for reading only. Where a
workbook or a database holds several tables, the user says which.
"""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import lzma
import sqlite3
import zipfile
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path, PurePath
from typing import Any

from weft.errors import Argument, StudyError
from weft.reading.files import label_of
from weft.reading.names import meant
from weft.studies.source import listed, shown

Table = list[tuple[object, object]]
"""The names and the columns of a table, the columns as they are."""

MOST_BYTES = 4 * 2**30
"""An archive that unpacks to more is refused: a small one can hold more than fits into any memory."""


@dataclass(frozen=True)
class Format:
    """A kind of file that is not text."""

    name: str
    starts: tuple[bytes, ...]
    """How such files begin."""
    endings: tuple[str, ...]
    """What their names end in, for those that do not begin in one way."""
    needs: str
    """What must be installed to read it, and by which extra."""
    take: Callable[[Path, bytes, str | None], Any]
    """The frame or the columns: of the file, its content, and the name of the table in it."""

    def fits(self, path: PurePath, content: bytes) -> bool:
        """Whether the file is of this kind, or should be."""
        return content.startswith(self.starts) if self.starts else path.suffix.lower() in self.endings


# -- archives --------------------------------------------------------------------------------------------------------

_PACKED = ((b"\x1f\x8b", gzip.open), (b"\xfd7zXZ\x00", lzma.open), (b"BZh", bz2.open))
_ZIP = b"PK\x03\x04"


def name_of(path: str | PurePath) -> str:
    """What a study is called that comes from a file: its name without its endings.

    >>> name_of("data/clinic.csv.gz"), name_of("clinic.2019.xlsx")
    ('clinic', 'clinic.2019')
    """
    plain = PurePath(path)
    return (plain.with_suffix("") if plain.suffix.lower() in (".gz", ".xz", ".bz2") else plain).stem


def unpacked(path: Path, content: bytes) -> tuple[Path, bytes]:
    """What is in an archive, and what that is called; the file itself if it is none."""
    try:
        for start, opened in _PACKED:
            if content.startswith(start):
                with opened(io.BytesIO(content)) as stream:
                    return path.with_suffix(""), _bounded(path, stream)
        if content.startswith(_ZIP) and not _is_workbook(content):
            return _from_zip(path, content)
    except (OSError, EOFError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, RuntimeError) as error:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        workbook = path.suffix.lower() in (".xlsx", ".xlsm", ".xlsb", ".ods")
        what = ("workbook cannot be read", "save") if workbook else ("archive cannot be unpacked", "pack")
        raise StudyError(f"{label_of(path)}: the {what[0]} ({reason}); {what[1]} it again") from None
    return path, content


def _bounded(path: Path, stream: Any) -> bytes:
    content = stream.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise StudyError(f"{label_of(path)}: unpacks to more than {MOST_BYTES // 2**30} GiB; take part of the rows")
    assert isinstance(content, bytes)
    return content


def _is_workbook(content: bytes) -> bool:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        names = archive.namelist()
    return "xl/workbook.xml" in names or "xl/workbook.bin" in names or "content.xml" in names


def _from_zip(path: Path, content: bytes) -> tuple[Path, bytes]:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        files = [one for one in archive.namelist() if not one.endswith("/") and not one.startswith(("__MACOSX/", "."))]
        if len(files) != 1:
            held = f"{len(files)} files, {listed(map(shown, files[:4]))}" if files else "no file"
            raise StudyError(f"{label_of(path)}: the archive holds {held}; unpack it, and give the table itself")
        with archive.open(files[0]) as stream:
            return path.with_name(PurePath(files[0]).name), _bounded(path, stream)


# -- tables of other programs ----------------------------------------------------------------------------------------


def table_of(path: Path, content: bytes, table: str | None) -> Any | None:
    """The frame or the columns of a file that is not text; ``None`` if it should be text."""
    found = next((one for one in FORMATS if one.fits(path, content)), None)
    if found is None:
        return None
    label = label_of(path)
    try:
        return found.take(path, content, table)
    except StudyError:
        raise
    except ImportError:
        package, extra = found.needs.split()
        raise StudyError(
            f"{label}: reading {found.name} needs {package}, which is not installed; pip install 'weft[{extra}]', or "
            "save the table as CSV"
        ) from None
    except Exception as error:  # whatever a reader says of a damaged file
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise StudyError(f"{label}: the file cannot be read as {found.name} ({reason}); save it again") from None


def format_of(path: Path, content: bytes) -> str | None:
    """The name of the kind of a file that is not text."""
    return next((one.name for one in FORMATS if one.fits(path, content)), None)


def _chosen(path: Path, names: Sequence[str], table: str | None, what: str) -> str:
    """The table that is meant, of those that a file holds."""
    if table is not None:
        if table in names:
            return table
        known = meant(table, names) or f"; there are {listed(map(shown, names))}"
        raise StudyError(f"{label_of(path)}: there is no {what} {shown(table)}{known}")
    if len(names) == 1:
        return names[0]
    if not names:
        raise StudyError(f"{label_of(path)}: no {what} with a table in it; save the table again")
    held = listed(map(shown, names[:6]))
    raise StudyError(f"{label_of(path)}: {len(names)} {what}s, {held}; say which with ", Argument("table", names[0]))


def _parquet(path: Path, content: bytes, table: str | None) -> Any:
    if not (content.startswith(b"PAR1") and content.endswith(b"PAR1") and len(content) > 8):
        raise StudyError(
            f"{label_of(path)}: not a whole Parquet file; save it again, or end its name in .csv if it is one"
        )
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        return import_module("polars").read_parquet(io.BytesIO(content))
    return parquet.ParquetFile(io.BytesIO(content)).read()


def _feather(path: Path, content: bytes, table: str | None) -> Any:
    try:
        feather: Any = import_module("pyarrow.feather")
    except ImportError:
        return import_module("polars").read_ipc(io.BytesIO(content))
    return feather.read_table(io.BytesIO(content))


def _workbook(path: Path, content: bytes, table: str | None) -> Table:
    calamine: Any = import_module("python_calamine")
    book = calamine.CalamineWorkbook.from_filelike(io.BytesIO(content))
    rows = {name: _filled(book.get_sheet_by_name(name).to_python()) for name in book.sheet_names}
    return _columns(rows[_chosen(path, [name for name, held in rows.items() if held], table, "sheet")])


def _filled(rows: list[list[Any]]) -> list[list[Any]]:
    """The rows with something in them, without the columns that are empty throughout."""
    rows = [row for row in rows if any(cell != "" for cell in row)]
    kept = [place for place in range(max(map(len, rows), default=0)) if any(_at(row, place) != "" for row in rows)]
    return [[_at(row, place) for place in kept] for row in rows]


def _at(row: list[Any], place: int) -> Any:
    return row[place] if place < len(row) else ""


def _columns(rows: list[list[Any]]) -> Table:
    """The first row holds the names; an empty cell is a missing value."""
    header, *rest = rows
    values = [[None if cell == "" else cell for cell in column] for column in zip(*rest, strict=True)]
    return list(zip(header, values or [[] for _ in header], strict=True))


def _labelled(reader: str) -> Callable[[Path, bytes, str | None], Table]:
    """A reader of pyreadstat: a column all of whose values have labels holds those."""

    def take(path: Path, content: bytes, table: str | None) -> Table:
        values, about = getattr(import_module("pyreadstat"), reader)(io.BytesIO(content), output_format="dict")
        return [
            (name, _with_labels(list(column), about.variable_value_labels.get(name))) for name, column in values.items()
        ]

    return take


def _with_labels(values: list[Any], labels: dict[Any, str] | None) -> list[Any]:
    present = [None if one is None or one != one or one == "" else one for one in values]
    if not labels or any(one is not None and one not in labels for one in present):
        return present
    return [None if one is None else str(labels[one]) for one in present]


_TABLES = """
    SELECT name FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite~_%' ESCAPE '~'
"""


def _sqlite(path: Path, content: bytes, table: str | None) -> Table:
    with contextlib.closing(sqlite3.connect(":memory:")) as database:
        database.deserialize(content)  # a copy in memory: the file is not touched, and may come out of an archive
        held = database.execute(_TABLES)
        name = _chosen(path, sorted(one for (one,) in held), table, "table")
        quoted = name.replace('"', '""')
        cursor = database.execute(f'SELECT * FROM "{quoted}"')
        header = [one[0] for one in cursor.description]
        rows = [["" if cell is None else cell for cell in row] for row in cursor]
    return _columns([header, *rows])


_PARQUET_NEEDS, _EXCEL_NEEDS, _STATS_NEEDS = "pyarrow parquet", "python-calamine excel", "pyreadstat stats"

FORMATS = (
    Format("Parquet", (b"PAR1",), (), _PARQUET_NEEDS, _parquet),
    Format("Parquet", (), (".parquet", ".pq"), _PARQUET_NEEDS, _parquet),
    Format("Feather", (b"ARROW1", b"FEA1"), (), _PARQUET_NEEDS, _feather),
    Format("an Excel or OpenDocument workbook", (_ZIP, b"\xd0\xcf\x11\xe0"), (), _EXCEL_NEEDS, _workbook),
    Format("SQLite", (b"SQLite format 3\x00",), (), "", _sqlite),
    Format("SPSS", (b"$FL2", b"$FL3"), (), _STATS_NEEDS, _labelled("read_sav")),
    Format("Stata", (), (".dta",), _STATS_NEEDS, _labelled("read_dta")),
    Format("SAS", (), (".sas7bdat",), _STATS_NEEDS, _labelled("read_sas7bdat")),
    Format("SAS transport", (), (".xpt", ".xport"), _STATS_NEEDS, _labelled("read_xport")),
)
