"""What a column is: numbers or text, which values are missing, and its kind.

Text is read the same wherever it stands, in a file or in a frame:

- Blanks around a value do not count. A value in :data:`MISSING` is missing, and so is null, NaN or None in a frame.
- A column whose values all read as numbers is a column of numbers. If at least half of them do, the others are
  mistakes, and the first is reported. Otherwise the column is text. Marks between thousands (``1,234.5``) are read over
  where they cannot be decimal marks.
- Many different texts that look like dates, or like numbers with a unit, are refused: they are no categories.

The kind follows from the values, not from how they are stored, so that a file and a frame of the same content agree:

=================================================================================== ===================================
the column has                                                                      its kind
=================================================================================== ===================================
two different values, true and false among them                                     binary
levels with a declared order (pandas ordered categories, polars Enum)               ordinal
text, or categories without an order                                                categorical
only whole numbers, at most 12 different ones, each 5 times or more on average      ordinal
other numbers                                                                       continuous
=================================================================================== ===================================

Levels stand in their declared order, else as numbers if all of them are, else by the alphabet; those that do not occur
are left out. ``kinds={"site": "categorical"}`` has the last word. Texts that are taken as categorical stay as they are
(``007``), but for the decimals of a whole number (``7.0`` is ``7``).
"""

from __future__ import annotations

import contextlib
import math
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.errors import Argument
from weft.reading.names import meant
from weft.studies.source import Source, listed, shown
from weft.studies.study import Column, Kind, KindWish
from weft.studies.texts import looks_like, thousands_mark

MISSING: tuple[str, ...] = (
    *("", "NA", "N/A", "n/a", "<NA>", "#N/A", "#NA", "#N/A N/A", "NaN", "nan", "-NaN", "-nan", "NULL", "null"),
    *("1.#IND", "-1.#IND", "1.#QNAN", "-1.#QNAN"),
)
"""The texts that stand for a missing value. ``None`` is not one of them: it is a level of many a questionnaire."""

MOST_ORDINAL_LEVELS = 12
ROWS_FOR_EACH_LEVEL = 5
"""Whole numbers with more levels, or fewer rows for each, are taken as continuous."""

FEWEST_IDENTIFIERS = 20
"""Text with more different values than this, and one for every second row, tells rows apart and is no variable."""

LARGEST_EXACT = 2**53
"""Beyond it not every whole number is a floating-point number: 2**53 + 1 would become 2**53."""

_DECIMALS_OF_WHOLE = re.compile(r"([+-]?\d+)\.0+")
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+")
_WHOLE = re.compile(r"[+-]?\d+")
_BOOLEAN = {"true": "True", "false": "False"}


@dataclass(frozen=True)
class Raw:
    """A column as it comes: either numbers (NaN for missing) or texts (None for missing)."""

    name: str
    numbers: NDArray[np.float64] | None = None
    texts: Sequence[str | None] | None = None
    categories: bool = False
    """Whether the texts were declared to be categories, even if they look like numbers."""
    order: tuple[str, ...] = ()
    """All categories in their declared order, if they have one."""


@dataclass(frozen=True)
class Reading:
    """How text is read."""

    source: Source
    missing: frozenset[str] = frozenset(MISSING)
    decimal: str = "."

    def number(self, text: str) -> float | None:
        """The number that a text reads as, if it does."""
        if "_" in text or (self.decimal != "." and "." in text):
            return None
        try:
            return float(text if self.decimal == "." else text.replace(self.decimal, "."))
        except ValueError:
            return None

    @property
    def missing_numbers(self) -> list[float]:
        """The numbers that stand for a missing value."""
        numbers = (self.number(text) for text in self.missing)
        return [number for number in numbers if number is not None and not math.isnan(number)]


def column_of(raw: Raw, wish: KindWish | None, reading: Reading) -> Column:
    """The column, of the kind that was asked for or of the kind that its values have."""
    kind, order = _understood(raw.name, wish, reading.source)
    as_text = kind is not Kind.CONTINUOUS and (order or raw.categories or kind is Kind.CATEGORICAL)
    numbers = None if as_text and raw.numbers is None else _numbers(raw, kind, reading)
    if numbers is not None:
        return _from_numbers(raw.name, numbers, kind, order, reading)
    return _from_texts(raw, kind, order or tuple(dict.fromkeys(map(_label, raw.order))), reading)


def _understood(name: str, wish: KindWish | None, source: Source) -> tuple[Kind | None, tuple[str, ...]]:
    """The kind that was asked for, and the order of the levels if that was said too."""
    if wish is None:
        return None, ()
    if isinstance(wish, str):
        if wish not in list(Kind):
            known = f"{', '.join(Kind)} or its levels in order{meant(wish, Kind)}"
            raise source.flaw(f"{shown(wish)} is not a kind; say {known}", column=name)
        return Kind(wish), ()
    order = tuple(_label(str(level)) for level in wish)
    if len(set(order)) < max(2, len(order)):
        raise source.flaw(f"{shown(list(wish))} is not a list of two or more different levels", column=name)
    return Kind.ORDINAL, order


# -- numbers ---------------------------------------------------------------------------------------------------------


def _numbers(raw: Raw, kind: Kind | None, reading: Reading) -> NDArray[np.float64] | None:
    """The column as finite numbers and NaN; None if it is text."""
    numbers = raw.numbers if raw.texts is None else _parsed(raw.name, raw.texts, kind, reading)
    if numbers is None:
        return None
    if markers := reading.missing_numbers:
        numbers = np.where(np.isin(numbers, markers), np.nan, numbers)
    infinite = np.flatnonzero(np.isinf(numbers))
    if len(infinite):
        row = int(infinite[0])
        value = shown(raw.texts[row]) if raw.texts is not None else str(numbers[row])
        raise reading.source.flaw(
            f"{value} is not a finite number; correct it, leave it empty, or leave the column out with ",
            Argument("drop", [raw.name]),
            column=raw.name,
            row=row,
        )
    if raw.texts is not None and kind is not Kind.CONTINUOUS:
        _check_exact(raw.name, raw.texts, numbers, reading.source)
    return numbers


def is_exact(number: Any) -> bool:
    """Whether a number, if it is a whole one, is the same as a floating-point number.

    >>> is_exact(2**53), is_exact(2**53 + 1), is_exact(0.1)
    (True, False, True)
    """
    if abs(number) <= LARGEST_EXACT or abs(number) > sys.float_info.max:
        return True  # what is too large becomes infinite, which is said elsewhere
    return bool(int(number) != number or int(float(number)) == number)


def _check_exact(name: str, texts: Sequence[str | None], numbers: NDArray[np.float64], source: Source) -> None:
    """Refuse whole numbers whose last digits would be lost: mostly they are identifiers, and two could become one."""
    for row in np.flatnonzero(np.abs(numbers) >= LARGEST_EXACT).tolist():
        text = str(texts[row]).strip()
        if _WHOLE.fullmatch(text) and not is_exact(int(text)):
            raise source.flaw(
                f"{shown(text)} is a whole number with more digits than a floating-point number holds; leave the "
                "column out with ",
                Argument("drop", [name]),
                ", take its values as names with ",
                Argument("kinds", {name: "categorical"}),
                ", or let them be rounded with ",
                Argument("kinds", {name: "continuous"}),
                column=name,
                row=row,
            )


def _parsed(name: str, texts: Sequence[str | None], kind: Kind | None, reading: Reading) -> NDArray[np.float64] | None:
    """The texts as numbers; None if they are text after all."""
    if reading.decimal == ".":  # the usual case, several times as fast as what follows
        plain = ("nan" if text is None or text in reading.missing else text for text in texts)
        with contextlib.suppress(ValueError):  # at the first text, as a rule
            numbers = np.array(list(map(float, plain)), dtype=np.float64)
            if "_" not in "".join(text for text in texts if text is not None and text not in reading.missing):
                return numbers  # (Python reads 1_000 as a number)
    meaning: dict[str | None, float] = {None: math.nan}
    strange: set[str] = set()
    times = Counter(texts)
    for text in times.keys() - {None}:
        assert text is not None
        value = text.strip()
        number = math.nan if value in reading.missing else reading.number(value)
        meaning[text] = math.nan if number is None else number
        if number is None:
            strange.add(text)
    if strange and (mark := thousands_mark(strange, reading.decimal)) is not None:
        read_over = {text: reading.number(text.strip().replace(mark, "")) for text in strange}
        meaning |= {text: number for text, number in read_over.items() if number is not None}
        strange = {text for text, number in read_over.items() if number is None}
    if not strange:
        return np.array([meaning[text] for text in texts], dtype=np.float64)
    strangers = sum(times[text] for text in strange)
    read = sum(count for text, count in times.items() if not math.isnan(meaning[text]))
    if kind is Kind.CONTINUOUS or (kind is None and read >= strangers):
        row = next(row for row, text in enumerate(texts) if text in strange)
        raise reading.source.flaw(*_not_a_number(name, str(texts[row]).strip(), kind, reading), column=name, row=row)
    return None


def _not_a_number(name: str, value: str, kind: Kind | None, reading: Reading) -> Iterator[str | Argument]:
    yield f"{shown(value)} is not a number; "
    if reading.decimal == "." and _DECIMAL_COMMA.fullmatch(value):
        yield from ("if the file has decimal commas, say ", Argument("decimal", ","))
        return
    yield from ("correct it", ", " if kind is None else ", or ")
    yield from (f"add {shown(value)} to ", Argument("missing"), " if it stands for a missing value")
    if kind is None:
        kinds = Argument("kinds", {name: "categorical"})
        yield from (", or say ", kinds, " if the column is not one of numbers")


def _from_numbers(
    name: str, numbers: NDArray[np.float64], kind: Kind | None, order: tuple[str, ...], reading: Reading
) -> Column:
    there = ~np.isnan(numbers)
    distinct = np.unique(numbers[there])
    kind = kind or _kind_of_numbers(distinct, int(there.sum()))
    if kind is Kind.CONTINUOUS:
        return Column(name, kind, numbers)
    labels = [number_label(number) for number in distinct.tolist()]
    codes = np.full(len(numbers), np.nan)
    codes[there] = np.searchsorted(distinct, numbers[there])
    return _levelled(name, kind, codes, labels, order, reading.source)


def _kind_of_numbers(distinct: NDArray[np.float64], rows: int) -> Kind:
    if len(distinct) == 2:
        return Kind.BINARY
    few = len(distinct) <= min(MOST_ORDINAL_LEVELS, rows // ROWS_FOR_EACH_LEVEL)
    return Kind.ORDINAL if few and (distinct == np.floor(distinct)).all() else Kind.CONTINUOUS


def number_label(number: float) -> str:
    """A number as a level is called."""
    return str(int(number)) if number.is_integer() and abs(number) < 2**53 else repr(number)


# -- text ------------------------------------------------------------------------------------------------------------


def _from_texts(raw: Raw, kind: Kind | None, order: tuple[str, ...], reading: Reading) -> Column:
    texts = raw.texts or ()
    label_of: dict[str | None, str | None] = {
        text: None if text is None or text.strip() in reading.missing else _label(text) for text in set(texts)
    }
    if not order and {str(label).lower() for label in label_of.values() if label is not None} <= _BOOLEAN.keys():
        label_of = {text: None if label is None else _BOOLEAN[label.lower()] for text, label in label_of.items()}
    labels = _sorted_labels({label for label in label_of.values() if label is not None})
    code = {label: float(code) for code, label in enumerate(labels)}
    code_of = {text: math.nan if label is None else code[label] for text, label in label_of.items()}
    codes = np.array(list(map(code_of.__getitem__, texts)))
    present = int((~np.isnan(codes)).sum())
    if kind is None and not raw.categories and len(labels) > MOST_ORDINAL_LEVELS:
        _check_categories(raw.name, labels, reading.source)
    if kind is None and not raw.categories and len(labels) > max(FEWEST_IDENTIFIERS, present // 2):
        raise reading.source.flaw(
            f"{len(labels)} different texts in {present} rows, such as {shown(labels[0])}, tell rows apart and are no "
            "variable; leave them out with ",
            Argument("drop", [raw.name]),
            ", or insist with ",
            Argument("kinds", {raw.name: "categorical"}),
            column=raw.name,
        )
    if kind is None:
        kind = Kind.BINARY if len(labels) == 2 else Kind.ORDINAL if raw.order else Kind.CATEGORICAL
    if kind is Kind.ORDINAL and not order and not all(_is_number(label) for label in labels):
        raise reading.source.flaw(
            "the order of the levels is not known; say it, from low to high: ",
            Argument("kinds", {raw.name: list(labels[:3])}),
            column=raw.name,
        )
    return _levelled(raw.name, kind, codes, labels, order, reading.source)


def _check_categories(name: str, labels: Collection[str], source: Source) -> None:
    """Refuse many different texts that are numbers or dates in disguise."""
    if (what := looks_like(labels)) is not None:
        raise source.flaw(
            f"{what}, leave the column out with ",
            Argument("drop", [name]),
            ", or take it as names with ",
            Argument("kinds", {name: "categorical"}),
            column=name,
        )


def _label(text: str) -> str:
    """The text of a level: 7.0 is 7, since missing values turn whole numbers into that."""
    text = text.strip()
    whole = _DECIMALS_OF_WHOLE.fullmatch(text)
    return whole[1] if whole else text


def _is_number(text: str) -> bool:
    try:
        return not math.isnan(float(text))
    except ValueError:
        return False


def _sorted_labels(labels: Collection[str]) -> list[str]:
    if all(map(_is_number, labels)):
        return sorted(labels, key=lambda label: (float(label), label))
    return sorted(labels)


# -- levels ----------------------------------------------------------------------------------------------------------


def _levelled(
    name: str, kind: Kind, codes: NDArray[np.float64], labels: list[str], order: tuple[str, ...], source: Source
) -> Column:
    """The column of these codes into ``labels``, with the levels put into the order that was declared."""
    if order:
        codes, labels = _reordered(name, codes, labels, order, source)
    if kind is Kind.BINARY and len(labels) > 2:
        most = listed(f"{shown(labels[int(code)])}" for code, _ in Counter(codes[~np.isnan(codes)]).most_common(3))
        raise source.flaw(f"a binary column has two values and this one {len(labels)}, such as {most}", column=name)
    return Column(name, kind, codes, tuple(labels) or ("",))


def _reordered(
    name: str, codes: NDArray[np.float64], labels: list[str], order: tuple[str, ...], source: Source
) -> tuple[NDArray[np.float64], list[str]]:
    if unknown := set(labels) - set(order):
        row = next(row for row, code in enumerate(codes) if code == code and labels[int(code)] in unknown)
        raise source.flaw(
            f"{shown(labels[int(codes[row])])} is not among the levels {listed(map(shown, order))}; add it",
            column=name,
            row=row,
        )
    kept = [label for label in order if label in labels]
    position = np.array([kept.index(label) for label in labels], dtype=np.float64)
    there = ~np.isnan(codes)
    moved = np.full(len(codes), np.nan)
    moved[there] = position[codes[there].astype(np.intp)]
    return moved, kept
