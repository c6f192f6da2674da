"""How a text file is written: its encoding, what stands between its fields, its decimal mark.

Each file is looked at by itself. A byte order mark says what the encoding is; without one, text that is valid UTF-8 is
UTF-8, text of which every second byte is zero is UTF-16, and anything else is taken as Windows' western encoding
(cp1252), or latin-1 where that has no such letter. Fields are separated by whatever cuts the first records into the
same number of fields, more than one. Numbers have decimal commas if some look like ``1,5`` and none like ``1.5``.

What was guessed is told (``weft check``), and what the user says is never guessed.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator, Sequence

from weft.errors import StudyError
from weft.reading.csv_text import records

_MARKS = (  # UTF-32 first: its little-endian mark begins like that of UTF-16
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
DELIMITERS = (",", ";", "\t", "|", " ")
"""What may stand between fields; runs of blanks count as one."""

_LOOKED_AT = 100
"""So many records are looked at."""
_ALIKE = 0.8
"""The share of the records that must have as many fields as the header: a damaged line is told of later."""
_SAMPLE = 200_000
"""So many characters are looked at for a decimal mark and a delimiter."""
_COMMA, _POINT = re.compile(r"[+-]?\d+,\d+(e[+-]?\d+)?", re.I), re.compile(r"[+-]?\d*\.\d+(e[+-]?\d+)?", re.I)


def encoding_of(content: bytes) -> str:
    """The encoding of a text.

    >>> encoding_of("Größe".encode()), encoding_of("Größe".encode("cp1252")), encoding_of("a,b".encode("utf-16"))
    ('utf-8', 'cp1252', 'utf-16')
    """
    for mark, encoding in _MARKS:
        if content.startswith(mark):
            return encoding
    for encoding in (*_zeros(content[:_SAMPLE]), "utf-8", "cp1252"):
        try:
            content.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return "latin-1"


def _zeros(content: bytes) -> Iterator[str]:
    """UTF-16 without a mark: western letters have a zero for every second byte."""
    half = len(content) // 2
    for encoding, place in (("utf-16-le", 1), ("utf-16-be", 0)):
        if content[place::2].count(0) > 0.9 * half and content[1 - place :: 2].count(0) < 0.1 * half:
            yield encoding


def delimiter_of(text: str) -> str | None:
    r"""What stands between the fields of a text; ``None`` if it has but one field a record, or nothing fits.

    >>> delimiter_of("x;y\n1,5;2,5\n"), delimiter_of("x,y\n1,2\n"), delimiter_of("x  y\n1   2\n"), delimiter_of("x\n1")
    (';', ',', ' ', None)
    """
    sample = _beginning(text)
    fitting = {sign: width for sign in DELIMITERS if (width := _width(sample, sign)) > 1}
    # Blanks may stand inside names and values. Of the others, what cuts the header into most fields is meant: a file
    # of decimal commas and semicolons may be cut evenly by commas as well.
    return max(fitting, key=lambda sign: (sign != " ", fitting[sign], -DELIMITERS.index(sign)), default=None)


def _beginning(text: str) -> str:
    """The first characters, up to the end of a line."""
    if len(text) <= _SAMPLE:
        return text
    return text[: text.rfind("\n", 0, _SAMPLE) + 1] or text[:_SAMPLE]


def _width(sample: str, delimiter: str) -> int:
    """The fields that the header and nearly all of the first records have; 0 if they differ."""
    try:
        cut = [cells for _, (_, cells) in zip(range(_LOOKED_AT), cut_records(sample, delimiter), strict=False)]
    except StudyError:
        return 0
    filled = [cells for cells in cut if len(cells) > 1 or cells[0].strip()]
    alike = sum(len(cells) == len(filled[0]) for cells in filled)
    return len(filled[0]) if filled and alike >= _ALIKE * len(filled) else 0


def cut_records(text: str, delimiter: str, label: str = "") -> Iterable[tuple[int, list[str]]]:
    """The records of a text; where blanks separate fields, several count as one."""
    if delimiter == " ":
        text = "\n".join(re.sub(r"[ \t]+", " ", line.strip()) for line in text.splitlines())
    return records(text, delimiter, StudyError, label)


def decimal_of(rows: Sequence[Sequence[str]]) -> str:
    """The decimal mark of the numbers among the fields of some rows.

    >>> decimal_of([["1,5", "2"], ["a", ""]]), decimal_of([["1.5", "2,5"]]), decimal_of([["1", "2"]])
    (',', '.', '.')
    """
    cells = [cell.strip() for row in rows[:1000] for cell in row]
    commas, points = any(map(_COMMA.fullmatch, cells)), any(map(_POINT.fullmatch, cells))
    return "," if commas and not points else "."
