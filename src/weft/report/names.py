"""Names as they stand in drawings: on a few lines, with a width that no usual font exceeds.

The widths are those of DejaVu Sans, which figures are set in; the usual fonts of browsers are narrower. So a box that
is wide enough here is so everywhere, and where it stands does not depend on what is installed.
"""

from __future__ import annotations

import unicodedata
from functools import cache

_WIDEST, _MOST_LINES = 20, 4
"""Characters on a line of a name, and how many lines it has."""
_WIDTHS = {
    0.28: "'ijl",
    0.32: "IJ,. ",
    0.36: "/:;\\|f-",
    0.42: "()[]t!r",
    0.47: '"',
    0.53: "*_`sz?",
    0.58: "cLFk",
    0.64: "vxyPTYoaeEhnubdgpqS0123456789${}",
    0.70: "KAVXZBRC",
    0.79: "UNHDG&OQ",
    0.87: "w#+<=>^~M",
    1.00: "%mW@",
}
_ADVANCE = {sign: width for width, signs in _WIDTHS.items() for sign in signs}
_FAMILIAR, _OTHER, _LAST_FAMILIAR = 0.85, 1.15, "\u05ff"
"""For Latin, Greek, Cyrillic and Hebrew letters, and for all else, which may be drawn as a box."""


def printable(text: str) -> str:
    r"""Text on one line, without what cannot be drawn or written into a file.

    >>> printable("a\n b\x00")
    'a b�'
    >>> printable(" ")
    '“ ”'
    """
    if not text.strip():
        return f"“{' ' * min(1, len(text))}”"
    kinds = {
        "Cc": "\N{REPLACEMENT CHARACTER}",
        "Cs": "\N{REPLACEMENT CHARACTER}",
        "Cn": "\N{REPLACEMENT CHARACTER}",
        "Cf": "",
    }
    return "".join(kinds.get(unicodedata.category(sign), sign) for sign in " ".join(text.split()))


def wrapped(name: str) -> tuple[str, ...]:
    """A name on a few lines, broken where words end; of a very long one the middle is left out.

    >>> wrapped("concentration_of_high_sensitivity_C_reactive_protein")
    ('concentration_of_', 'high_sensitivity_C_', 'reactive_protein')
    """
    text = whole = printable(name)
    keep = _WIDEST * _MOST_LINES
    while len(lines := _broken(text)) > _MOST_LINES:
        keep -= 1
        text = shortened(whole, keep)
    return tuple(lines)


def _broken(text: str) -> list[str]:
    lines: list[str] = []
    while len(text) > _WIDEST:
        window = text[: _WIDEST + 1]
        after = max(window.rfind(" "), *(window[:_WIDEST].rfind(sign) + 1 for sign in "_-/."))
        at = after if after > _WIDEST / 3 else _WIDEST
        lines.append(text[:at].rstrip())
        text = text[at:].lstrip()
    return [*lines, text] if text else lines


def shortened(text: str, most: int) -> str:
    """A text without its middle, if it is longer than that: long names often differ at their ends.

    >>> shortened("concentration", 8)
    'conc…ion'
    """
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"


def width_of(text: str, size: float) -> float:
    """How wide a text is at most, in letters of that size.

    >>> width_of("tar", 10.0)
    14.8
    """
    return round(size * sum(map(_advance, text)), 3)


@cache
def _advance(sign: str) -> float:
    """In parts of the size."""
    if unicodedata.combining(sign):
        return 0.0
    base = unicodedata.normalize("NFD", sign)[0]
    return _ADVANCE.get(base, _FAMILIAR if sign <= _LAST_FAMILIAR else _OTHER)
