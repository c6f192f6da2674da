"""CSV: records with the lines that they start on, and cells that read back as they are."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from weft.errors import GraphError

Record = tuple[str, list[str]]
"""Where a record stands ("line 3"), and its cells."""

_PLAIN = re.compile(r'[^\s",;]+(?: [^\s",;]+)*')


def records(text: str) -> list[Record]:
    r"""The records that are not empty lines. The delimiter is the first of comma, semicolon and tab in the first line.

    >>> records('from,to\n"a, b",c\n')
    [('line 1', ['from', 'to']), ('line 2', ['a, b', 'c'])]
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = next((sign for sign in ",;\t" if sign in first), ",")
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    found: list[Record] = []
    line = 1
    try:
        for cells in reader:
            if cells:
                found.append((f"line {line}", cells))
            line = reader.line_num + 1
    except csv.Error as error:
        raise GraphError(f"line {line}: this is not CSV: {error}; check the quotes") from None
    return found


def record(cells: Iterable[str | None]) -> str:
    r"""One line of CSV; every cell that could be misread is quoted, and ``None`` is a cell with nothing in it.

    >>> record(["a, b", "c", None])
    '"a, b",c,\n'
    """
    return ",".join(map(_quoted, cells)) + "\n"


def _quoted(cell: str | None) -> str:
    if cell is None or _PLAIN.fullmatch(cell):
        return cell or ""
    escaped = cell.replace('"', '""')
    return f'"{escaped}"'
