"""Texts that stand for something else: numbers with marks between thousands or with a unit, and dates."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable

_MARKS = ",.' \u00a0\u202f\u2019"
"""What stands between thousands, if it is not the decimal mark."""
_NUMBER = r"[<>~]?\s*[+-]?\d+(?:[.,]\d+)?"
_WITH_UNIT = re.compile(rf"{_NUMBER}\s*(?P<unit>[^\W\d_][^\d]{{0,14}}|[%°‰€$£]\S{{0,4}})")
_DATE = re.compile(
    r"(\d{4}[-/.]\d{1,2}[-/.]\d{1,2}|\d{1,2}[-/.]\d{1,2}[-/.](\d{4}|\d{2})|\d{1,2}[ -][A-Za-zä]{3,9}\.?[ -]\d{2,4})"
    r"([T ]\d{1,2}:\d{2}.*)?|\d{1,2}:\d{2}(:\d{2})?"
)
_NEARLY_ALL = 0.9


def _grouped(decimal: str) -> re.Pattern[str]:
    """A number with the same mark between all of its thousands."""
    marks = re.escape("".join(mark for mark in _MARKS if mark != decimal))
    return re.compile(
        rf"[+-]?[1-9]\d{{0,2}}(?P<mark>[{marks}])\d{{3}}(?:(?P=mark)\d{{3}})*(?:{re.escape(decimal)}\d+)?"
    )


def thousands_mark(strange: Iterable[str], decimal: str) -> str | None:
    """What stands between the thousands of all of these texts, if there is no doubt about it.

    A lone ``1,234`` may be a decimal number; ``1,234.5`` and ``1,234,567`` cannot.

    >>> thousands_mark(["1,234.5", "2,345"], "."), thousands_mark(["1,234"], "."), thousands_mark(["1 234"], ",")
    (',', None, ' ')
    """
    pattern = _grouped(decimal)
    found = [pattern.fullmatch(text.strip()) for text in strange]
    marks = {one["mark"] for one in found if one is not None}
    if None in found or len(marks) != 1:
        return None
    (mark,) = marks
    plain = mark not in ",." or any(decimal in one[0] or one[0].count(mark) > 1 for one in found if one is not None)
    return mark if plain else None


def looks_like(labels: Collection[str]) -> str | None:
    """What texts look like that are no names of categories, in words; ``None`` if they may be.

    >>> print(looks_like(["12 kg", "13.5 kg"]))
    looks like numbers with the unit 'kg', such as '12 kg'; write the numbers alone
    """
    some = sorted(labels)
    if len([one for one in some if _DATE.fullmatch(one)]) >= _NEARLY_ALL * len(some):
        return f"holds dates or times, such as {some[0]!r}; turn them into numbers (such as days since the first)"
    units = [found["unit"].strip() for one in some if (found := _WITH_UNIT.fullmatch(one))]
    if len(units) >= _NEARLY_ALL * len(some) and len(set(units)) == 1:
        example = next(one for one in some if _WITH_UNIT.fullmatch(one))
        return f"looks like numbers with the unit {units[0]!r}, such as {example!r}; write the numbers alone"
    grouped = [one for one in some if any(_grouped(decimal).fullmatch(one) for decimal in ".,")]
    if grouped and all(one in grouped or re.fullmatch(_NUMBER, one) for one in some):
        return f"looks like numbers with marks between thousands, such as {grouped[0]!r}; write them without"
    return None
