"""CSV and Parquet files, taken apart into columns.

CSV is read with Python's own reader, whole records at a time: quoted fields may hold delimiters and line ends, and
nothing in a file is ever run. Every record must have as many fields as the header. Time and memory are linear in the
size of the file: a million numbers of 20 digits (100,000 rows) take one to two seconds and about 220 MB.
"""

from __future__ import annotations

import io
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from weft.errors import Argument, StudyError
from weft.reading.csv_text import records
from weft.reading.files import label_of, read
from weft.reading.names import first_repeated, too_many
from weft.studies.kinds import Raw
from weft.studies.source import Source, shown

_PARQUET = b"PAR1"
_FOREIGN = (  # how files begin that people take for CSV
    (b"PK\x03\x04", "an Excel workbook or a zip archive; save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the table as CSV"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
)
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")
_DELIMITERS = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}


@dataclass(frozen=True)
class Dialect:
    """How a CSV file is written."""

    encoding: str = "utf-8"
    delimiter: str | None = None
    decimal: str = "."


@dataclass(frozen=True)
class Records:
    """A CSV file: its header, and its columns as texts."""

    header: list[str]
    columns: list[tuple[str, ...]]
    source: Source

    def raw(self, position: int, name: str) -> Raw:
        """The column at this position."""
        return Raw(name, texts=self.columns[position])


def content_of(path: Path) -> bytes:
    """What is in the file."""
    content = read(path, StudyError)
    assert isinstance(content, bytes)  # so it is for a path
    if not content:
        raise StudyError(f"{label_of(path)}: the file is empty (0 bytes); save the table again")
    return content


# -- Parquet ---------------------------------------------------------------------------------------------------------


def is_parquet(path: Path, content: bytes) -> bool:
    """Whether the file holds Parquet, or should."""
    return content.startswith(_PARQUET) or path.suffix.lower() in (".parquet", ".pq")


def read_parquet(path: Path, content: bytes) -> Any:
    """The frame in a Parquet file, read by pyarrow or else by polars."""
    label = label_of(path)
    if not (content.startswith(_PARQUET) and content.endswith(_PARQUET) and len(content) > 8):
        raise StudyError(f"{label}: not a whole Parquet file; save it again, or end its name in .csv if it is one")
    try:
        return _parquet_frame(content)
    except ImportError:
        raise StudyError(
            f"{label}: reading Parquet needs pyarrow, which is not installed; pip install 'weft[parquet]', or save the "
            "table as CSV"
        ) from None
    except Exception as error:  # whatever a reader says of a damaged file
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        raise StudyError(f"{label}: the Parquet file cannot be read ({reason}); save it again") from None


def _parquet_frame(content: bytes) -> Any:
    try:
        parquet: Any = import_module("pyarrow.parquet")
    except ImportError:
        polars: Any = import_module("polars")
        return polars.read_parquet(io.BytesIO(content))
    return parquet.ParquetFile(io.BytesIO(content)).read()


# -- CSV -------------------------------------------------------------------------------------------------------------


def read_csv(path: Path, content: bytes, dialect: Dialect) -> Records:
    """The header and the columns of a CSV file."""
    label = label_of(path)
    if dialect.decimal not in (".", ","):
        wrong = Argument("decimal", dialect.decimal)
        raise StudyError(f"{label}: ", wrong, " is not a decimal mark; say '.' or ','")
    delimiter = dialect.delimiter or ("\t" if path.suffix.lower() in (".tsv", ".tab") else ",")
    if len(delimiter) != 1 or delimiter in '"\r\n ' or not delimiter.isascii():
        wrong = Argument("delimiter", delimiter)
        raise StudyError(f"{label}: ", wrong, " is not a delimiter; say one character, such as ';'")
    found = records(_decoded(content, label, dialect.encoding), delimiter, StudyError, f"{label}: ")
    filled = ((line, cells) for line, cells in found if len(cells) > 1 or cells[0].strip())
    _, header = next(filled, (0, []))
    if not header:
        raise StudyError(f"{label}: the file has no text; a header and rows are needed")
    _check_width(header, label)  # before the rows, of which there may be very many
    lines, rows = [], []
    for line, cells in filled:
        lines.append(line)
        rows.append(cells)
    _check_header(header, rows, delimiter, label)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise StudyError(
                f"{label}: line {line}: {_fields(len(row))} where the header has {len(header)}; complete the line, or "
                "save the file again if it was cut short"
            )
    return Records(header, list(zip(*rows, strict=True)), Source(label, lines))


def _check_width(header: list[str], label: str) -> None:
    if refusal := too_many(len(header)):
        twice = first_repeated(name.strip() for name in header)
        raise StudyError(f"{label}: line 1: {refusal if twice is None else _two_called(twice)}")


def _two_called(name: str) -> str:
    return f"two columns are called {shown(name)}; rename one"


def _decoded(content: bytes, label: str, encoding: str) -> str:
    utf_16 = encoding.lower().replace("_", "-").startswith("utf-16")
    for start, what in _FOREIGN:
        if content.startswith(start) and not utf_16:
            raise StudyError(f"{label}: not CSV but {what}")
    if content.startswith(_UTF_16) and not utf_16:
        remedy = Argument("encoding", "utf-16")
        raise StudyError(f"{label}: not UTF-8 but UTF-16 text; save it as UTF-8, or say ", remedy)
    try:
        text = content.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8", "utf_8") else encoding)
    except LookupError:
        unknown = Argument("encoding", encoding)
        raise StudyError(f"{label}: ", unknown, " is not known; say 'utf-8' or 'latin-1'") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"0x{content[error.start]:02x}" if error.start < len(content) else "the end"
        raise StudyError(
            f"{label}: line {line}: byte {byte} is not {encoding.upper()} text; save the file as UTF-8, or say its "
            "encoding, such as ",
            Argument("encoding", "latin-1"),
        ) from None
    except (UnicodeError, ValueError):
        argument = Argument("encoding")
        raise StudyError(f"{label}: the file is not {encoding.upper()} text; say another ", argument) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise StudyError(f"{label}: line {line}: a zero byte, so the file is not text; save the table as CSV")
    return text


def _check_header(header: list[str], rows: list[list[str]], delimiter: str, label: str) -> None:
    others = [mark for mark in _DELIMITERS if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        commas = others[0] != "," and any("," in field or len(row) > 1 for row in rows[:1] for field in row)
        decimal = (" and ", Argument("decimal", ","), " (the numbers have decimal commas)") if commas else ()
        raise StudyError(
            f"{label}: line 1: one field, {shown(header[0])}: the fields seem to be separated by "
            f"{_DELIMITERS[others[0]]}; say ",
            Argument("delimiter", others[0]),
            *decimal,
        )
    if all(map(_is_number, header)):
        raise StudyError(
            f"{label}: line 1: {shown(header[0])} is a number where a name should be; the first line must be a header"
        )
    if not rows:
        raise StudyError(f"{label}: the file has a header and no rows; save the table again")


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fields(number: int) -> str:
    return "1 field" if number == 1 else f"{number} fields"
