"""CSV: records with the lines that they start on, and cells that read back as they are."""

from __future__ import annotations

import re
from collections.abc import Iterable

from weft.errors import GraphError
from weft.reading import csv_text
from weft.reading.csv_text import likely_delimiter

Record = tuple[str, list[str]]
"""Where a record stands ("line 3"), and its cells."""

_PLAIN = re.compile(r'[^\s",;]+(?: [^\s",;]+)*')


def records(text: str) -> list[Record]:
    r"""The records that are not empty lines. The delimiter is the first of comma, semicolon and tab in the first line.

    >>> records('from,to\n"a, b",c\n')
    [('line 1', ['from', 'to']), ('line 2', ['a, b', 'c'])]
    """
    return [(f"line {line}", cells) for line, cells in csv_text.records(text, likely_delimiter(text), GraphError)]


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
