"""CSV and Parquet files, taken apart into columns.

CSV is read with Python's own reader, whole records at a time: quoted fields may hold delimiters and line ends, and
nothing in a file is ever run. Every record must have as many fields as the header. Time and memory are linear in the
size of the file: a million numbers of 20 digits (100,000 rows) take one to two seconds and about 220 MB.
"""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from weft.errors import StudyError
from weft.studies.kinds import Raw
from weft.studies.source import Source, shown

_PARQUET = b"PAR1"
_FOREIGN = (  # how files begin that people take for CSV
    (b"PK\x03\x04", "an Excel workbook or a zip archive; save the table as CSV"),
    (b"\xd0\xcf\x11\xe0", "an old Excel workbook; save the table as CSV"),
    (b"\x1f\x8b", "compressed with gzip; unpack it first"),
    (b"\xff\xfe", "UTF-16 text; save it as UTF-8, or say encoding='utf-16'"),
    (b"\xfe\xff", "UTF-16 text; save it as UTF-8, or say encoding='utf-16'"),
)
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


def label_of(path: Path) -> str:
    """The file as messages call it."""
    return str(path) if str(path).isprintable() else ascii(str(path))


def content_of(path: Path) -> bytes:
    """What is in the file."""
    label = label_of(path)
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        raise StudyError(f"{label}: no such file; check the name and the folder ({shown(os.getcwd())})") from None
    except IsADirectoryError:
        raise StudyError(f"{label}: a folder, not a file; name the files in it") from None
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        reason = getattr(error, "strerror", None) or str(error)
        raise StudyError(f"{label}: cannot be read ({reason}); check the name and the permissions") from None
    if not content:
        raise StudyError(f"{label}: the file is empty (0 bytes); save the table again")
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
            f"{label}: reading Parquet needs pyarrow, which is not there; pip install 'weft[parquet]', or save the "
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
        raise StudyError(f"{label}: decimal={shown(dialect.decimal)} is not a decimal mark; say '.' or ','")
    delimiter = dialect.delimiter or ("\t" if path.suffix.lower() in (".tsv", ".tab") else ",")
    if len(delimiter) != 1 or delimiter in '"\r\n ' or not delimiter.isascii():
        raise StudyError(f"{label}: delimiter={shown(delimiter)} is not a delimiter; say one character, such as ';'")
    records, lines = _records(_decoded(content, label, dialect.encoding), delimiter, label)
    if not records:
        raise StudyError(f"{label}: the file has no text; a header and rows are needed")
    header, rows = records[0], records[1:]
    _check_header(header, rows, delimiter, label)
    for row, line in zip(rows, lines[1:], strict=True):
        if len(row) != len(header):
            raise StudyError(
                f"{label}: line {line}: {_fields(len(row))} where the header has {len(header)}; complete the line, or "
                "save the file again if it was cut short"
            )
    return Records(header, list(zip(*rows, strict=True)), Source(label, lines[1:]))


def _decoded(content: bytes, label: str, encoding: str) -> str:
    utf_16 = encoding.lower().replace("_", "-").startswith("utf-16")
    for start, what in _FOREIGN:
        if content.startswith(start) and not utf_16:
            raise StudyError(f"{label}: not CSV but {what}")
    try:
        text = content.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8", "utf_8") else encoding)
    except LookupError:
        raise StudyError(f"{label}: encoding={shown(encoding)} is not known; say 'utf-8' or 'latin-1'") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"0x{content[error.start]:02x}" if error.start < len(content) else "the end"
        raise StudyError(
            f"{label}: line {line}: byte {byte} is not {encoding.upper()} text; save the file as UTF-8, or say its "
            "encoding, such as encoding='latin-1'"
        ) from None
    except (UnicodeError, ValueError):
        raise StudyError(f"{label}: the file is not {encoding.upper()} text; say its encoding=") from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise StudyError(f"{label}: line {line}: a zero byte, so the file is not text; save the table as CSV")
    return text


def _records(text: str, delimiter: str, label: str) -> tuple[list[list[str]], list[int]]:
    """The records that are not blank, and the line that each starts on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    records: list[list[str]] = []
    lines: list[int] = []
    line = 1
    try:
        for record in reader:
            if len(record) > 1 or "".join(record).strip():
                records.append(record)
                lines.append(line)
            line = reader.line_num + 1
    except csv.Error as error:
        what = str(error)
        if "end of data" in what or "field larger" in what:
            what = "a quote is opened and never closed"
        raise StudyError(f"{label}: line {line}: {what}; correct the quotes, or save the file again") from None
    return records, lines


def _check_header(header: list[str], rows: list[list[str]], delimiter: str, label: str) -> None:
    others = [mark for mark in _DELIMITERS if mark != delimiter and mark in header[0]]
    if len(header) == 1 and others:
        commas = others[0] != "," and any("," in field or len(row) > 1 for row in rows[:1] for field in row)
        decimal = " and decimal=',' (the numbers have decimal commas)" if commas else ""
        raise StudyError(
            f"{label}: line 1: one field, {shown(header[0])}: the fields seem to be separated by "
            f"{_DELIMITERS[others[0]]}; say delimiter={shown(others[0])}{decimal}"
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
