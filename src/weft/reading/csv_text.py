"""The records of CSV, with the lines that they start on.

Quoted fields may hold delimiters and line ends, and may be as long as the text: Python's own limit of 131,072
characters is lifted while a text is read.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator

from weft.errors import WeftError

Record = tuple[int, list[str]]
"""The line that a record starts on, and its cells."""


def records(text: str, delimiter: str, error: type[WeftError], label: str = "") -> Iterator[Record]:
    r"""Every record that has a cell; ``label`` goes in front of what is said about a mistake.

    >>> list(records('from,to\n"a, b",c\n', ",", WeftError))
    [(1, ['from', 'to']), (2, ['a, b', 'c'])]
    """
    limit = csv.field_size_limit(max(len(text), csv.field_size_limit()))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    line = 1
    try:
        for cells in reader:
            if cells:
                yield line, cells
            line = reader.line_num + 1
    except csv.Error as flaw:
        what = "a quote is opened and never closed" if "end of data" in str(flaw) else str(flaw)
        raise error(f"{label}line {line}: this is not CSV: {what}; check the quotes") from None
    finally:
        csv.field_size_limit(limit)


def likely_delimiter(text: str) -> str:
    r"""The first of comma, semicolon and tab in the first line that is not blank.

    >>> likely_delimiter("\nfrom;to\n")
    ';'
    """
    first = next((line for line in text.splitlines() if line.strip()), "")
    return next((sign for sign in ",;\t" if sign in first), ",")
