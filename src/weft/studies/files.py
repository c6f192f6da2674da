"""Text files (CSV and its relatives), taken apart into columns.

They are read with Python's own reader, whole records at a time: quoted fields may hold delimiters and line ends, and
nothing in a file is ever run. Every record must have as many fields as the header. Time and memory are linear in the
size of the file: a million numbers of 20 digits (100,000 rows) take one to two seconds and about 220 MB.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path

from weft.errors import Argument, StudyError
from weft.reading.files import label_of, read
from weft.reading.names import first_repeated, too_many
from weft.studies.kinds import Raw
from weft.studies.sniffing import DELIMITERS, cut_records, decimal_of, delimiter_of, encoding_of
from weft.studies.source import Source, shown

_MOST = 0.8
"""This share of the lines is most of them."""
_CALLED = {";": "semicolons", "\t": "tabs", "|": "bars", ",": "commas"}


@dataclass(frozen=True)
class Dialect:
    """How a file is written; what is ``None`` is found out from the file itself."""

    encoding: str | None = None
    delimiter: str | None = None
    decimal: str | None = None
    table: str | None = None
    """The sheet of a workbook, or the table of a database."""


@dataclass(frozen=True)
class Records:
    """A CSV file: its header, its columns as texts, and how it is written."""

    header: list[str]
    columns: list[tuple[str, ...]]
    source: Source
    dialect: Dialect

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


# -- CSV -------------------------------------------------------------------------------------------------------------


def read_csv(path: Path, content: bytes, wanted: Dialect, label: str) -> Records:
    """The header and the columns of a text file, written in the way that is wanted, or else in the way it looks."""
    if wanted.decimal not in (".", ",", None):
        wrong = Argument("decimal", wanted.decimal)
        raise StudyError(f"{label}: ", wrong, " is not a decimal mark; say '.' or ','")
    encoding = wanted.encoding or encoding_of(content)
    text = _decoded(content, label, encoding)
    delimiter = wanted.delimiter or delimiter_of(text) or _usual(path)
    if len(delimiter) != 1 or delimiter in '"\r\n' or not delimiter.isascii():
        wrong = Argument("delimiter", delimiter)
        raise StudyError(f"{label}: ", wrong, " is not a delimiter; say one character, such as ';'")
    found = cut_records(text, delimiter, f"{label}: ")
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
    _check_first_line(header, rows, label)
    for row, line in zip(rows, lines, strict=True):
        if len(row) != len(header):
            raise StudyError(
                f"{label}: line {line}: {_fields(len(row))} where the header has {len(header)}; complete the line, or "
                "save the file again if it was cut short"
            )
    decimal = wanted.decimal or ("." if delimiter == "," else decimal_of(rows))
    known = replace(wanted, encoding=encoding, delimiter=delimiter, decimal=decimal)
    return Records(header, list(zip(*rows, strict=True)), Source(label, lines), known)


def _usual(path: Path) -> str:
    return "\t" if path.suffix.lower() in (".tsv", ".tab") else ","


def _check_width(header: list[str], label: str) -> None:
    if refusal := too_many(len(header)):
        twice = first_repeated(name.strip() for name in header)
        raise StudyError(f"{label}: line 1: {refusal if twice is None else _two_called(twice)}")


def _two_called(name: str) -> str:
    return f"two columns are called {shown(name)}; rename one"


def _decoded(content: bytes, label: str, encoding: str) -> str:
    try:
        text = content.decode("utf-8-sig" if encoding.lower() in ("utf-8", "utf8", "utf_8") else encoding)
    except LookupError:
        unknown = Argument("encoding", encoding)
        raise StudyError(f"{label}: ", unknown, " is not known; say 'utf-8' or 'latin-1'") from None
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        byte = f"0x{content[error.start]:02x}" if error.start < len(content) else "the end"
        raise StudyError(
            f"{label}: line {line}: byte {byte} is not {encoding.upper()} text; leave out ",
            Argument("encoding"),
            " to have it found out, or say another",
        ) from None
    except (UnicodeError, ValueError):
        argument = Argument("encoding")
        raise StudyError(f"{label}: the file is not {encoding.upper()} text; say another ", argument) from None
    if "\0" in text:
        line = text.count("\n", 0, text.index("\0")) + 1
        raise StudyError(f"{label}: line {line}: a zero byte, so the file is not text; save the table as CSV")
    return text


def _check_header(header: list[str], rows: list[list[str]], delimiter: str, label: str) -> None:
    others = [mark for mark in DELIMITERS if mark not in (delimiter, " ") and mark in header[0]]
    if len(header) == 1 and others:
        raise StudyError(
            f"{label}: line 1: one field, {shown(header[0])}: the fields seem to be separated by "
            f"{_CALLED[others[0]]}, but not every line has as many of them; complete the lines, or say ",
            Argument("delimiter", others[0]),
        )
    if all(map(_is_number, header)) or _is_like_the_rows(header, rows):
        raise StudyError(
            f"{label}: line 1: {shown(header[0])} is a value where a name should be; the first line must be a header"
        )
    if not rows:
        raise StudyError(f"{label}: the file has a header and no rows; save the table again")


def _is_like_the_rows(header: list[str], rows: list[list[str]]) -> bool:
    """Whether every name is a number, or occurs in its own column."""
    full = [row for row in rows if len(row) == len(header)]
    return bool(full) and all(
        _is_number(name) or any(row[place] == name for row in full) for place, name in enumerate(header)
    )


def _check_first_line(header: list[str], rows: list[list[str]], label: str) -> None:
    """Refuse a title above the header."""
    ((width, times),) = Counter(map(len, rows)).most_common(1)
    if len(header) < width and times >= _MOST * len(rows):
        raise StudyError(
            f"{label}: line 1: fewer fields than most lines have; the header must come first: take away what stands "
            "above it"
        )


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _fields(number: int) -> str:
    return "1 field" if number == 1 else f"{number} fields"
