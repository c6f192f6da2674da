"""What does not fit between tables that are to be used together, and what would mend it.

Looked for are: names that are nearly the same, or mean the same in another language; levels that mean the same; numbers
in another unit; numbers that stand for a missing value (-99); columns that only number or name the rows. All of these
are guesses by rule: each comes with what was seen, and with what one would write into ``studies.toml`` to mend it, and
nothing is changed unless the user says so.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from weft.reading.synonyms import concept, plain
from weft.studies.kinds import number_label
from weft.studies.source import listed, shown
from weft.studies.study import Column, Study


@dataclass(frozen=True)
class Mending:
    """What to write about a study: ``rename``, ``levels``, ``unit``, ``missing`` or ``drop``, and of which column."""

    study: str
    key: str
    column: str
    value: str | float | Mapping[str, str] | tuple[str, ...] | None = None


@dataclass(frozen=True)
class Misfit:
    """Something that may not be as it should be."""

    message: str
    """One line."""
    mending: Mending

    def __str__(self) -> str:
        return self.message


def misfits(studies: Sequence[Study]) -> tuple[Misfit, ...]:
    """Everything that looks as if it did not fit, study by study and then between them.

    >>> a = Study.of({"age": range(40), "sex": ["m", "f"] * 20}, "a")
    >>> b = Study.of({"Age": range(1, 41), "sex": ["male", "female"] * 20}, "b")
    >>> for one in misfits([a, b])[-2:]:
    ...     print(one)
    'age' in study 'a' and 'Age' in study 'b' may be one variable
    column 'sex': 'female' and 'male' in study 'b' may mean 'f' and 'm' in study 'a'
    """
    alone = [found for study in studies for found in (*_identifiers(study), *_codes(study))]
    names = tuple(_names(studies))
    renamed = mended(studies, names)
    return (*alone, *names, *_levels(renamed), *_units(renamed))


def mended(studies: Iterable[Study], found: Iterable[Misfit]) -> tuple[Study, ...]:
    """The studies with columns and levels called alike that may be the same, and without codes for missing values."""
    values = {(one.mending.study, one.mending.key, one.mending.column): one.mending.value for one in found}

    def of(study: Study, column: Column) -> Column:
        name = str(values.get((study.name, "rename", column.name), column.name))
        called, codes = values.get((study.name, "levels", name)), values.get((study.name, "missing", column.name))
        if isinstance(codes, tuple) and not column.levels:
            missing = np.isin(column.values, [float(code) for code in codes])
            column = replace(column, values=np.where(missing, np.nan, column.values))
        return _relabelled(replace(column, name=name), called if isinstance(called, Mapping) else {})

    return tuple(Study(study.name, tuple(of(study, one) for one in study.columns)) for study in studies)


def _relabelled(column: Column, called: Mapping[str, str]) -> Column:
    """The column with some levels called otherwise, all of them in the order of their names."""
    if not called:
        return column
    names = [called.get(level, level) for level in column.levels]
    order = sorted(names)
    place = np.array([order.index(name) for name in names], dtype=np.float64)
    values = column.values.copy()
    values[column.present] = place[column.values[column.present].astype(np.intp)]
    return replace(column, values=values, levels=tuple(order))


# -- one study -------------------------------------------------------------------------------------------------------

_IDENTIFIER = re.compile(r"(.*[_\W])?(id|nr|no|number|index|row|key|code|patient|subject|person|case)s?", re.I)
_CODES = (
    *(-9.0, -99.0, -999.0, -9999.0, -7.0, -8.0, -77.0, -88.0, -1.0),
    *(99.0, 999.0, 9999.0, 99999.0, 888.0, 777.0),
)
"""Numbers that are often written where there is none."""


def _identifiers(study: Study) -> Iterator[Misfit]:
    for column in study.columns:
        numbers = column.values if not column.levels else column.numbers()
        if numbers is None or column.levels:
            continue
        there = numbers[column.present]
        distinct = len(np.unique(there)) == len(there) and bool((there == np.floor(there)).all())
        counting = len(there) > 1 and bool((np.diff(there) == 1).all())
        if counting or (distinct and _IDENTIFIER.fullmatch(column.name)):
            what = "numbers the rows" if counting else "is another whole number in every row"
            message = f"study {shown(study.name)}, column {shown(column.name)}: {what}, so it may be no variable"
            yield Misfit(message, Mending(study.name, "drop", column.name))


def _codes(study: Study) -> Iterator[Misfit]:
    for column in study.columns:
        numbers = column.numbers()
        if numbers is None or len(column.levels) == 2:
            continue
        there = numbers[~np.isnan(numbers)]
        codes = tuple(number_label(code) for code in _CODES if _stands_alone(there, code))
        if codes:
            how_often = sum(int((there == float(code)).sum()) for code in codes)
            rows = "1 row" if how_often == 1 else f"{how_often:,} rows"
            yield Misfit(
                f"study {shown(study.name)}, column {shown(column.name)}: {listed(codes)} in {rows}, far from all "
                "other values, may stand for a missing value",
                Mending(study.name, "missing", column.name, codes),
            )


def _stands_alone(values: NDArray[np.float64], code: float) -> bool:
    """Whether a number occurs and lies far outside of the others: of another sign than all of them, or far above."""
    if not (values == code).any():
        return False
    others = values[~np.isin(values, _CODES)]
    if len(others) < 10:
        return False
    low, high = float(others.min()), float(others.max())
    if code < 0:
        return low >= 0 and (code <= -7 or high >= 5)
    return code > high + 3 * (high - low) and low >= 0


# -- names -----------------------------------------------------------------------------------------------------------

_LIKE = 0.84
"""From this similarity on two spellings are taken for one word."""


def _may_be_one(a: str, b: str) -> bool:
    first, second = plain(a), plain(b)
    if first == second:
        return True
    if re.sub(r"\D", "", first) != re.sub(r"\D", "", second):  # x1 and x2
        return False
    meanings = concept(a), concept(b)
    if None not in meanings:
        return meanings[0] == meanings[1]
    return min(len(first), len(second)) >= 5 and SequenceMatcher(None, first, second).ratio() >= _LIKE


def _names(studies: Sequence[Study]) -> Iterator[Misfit]:
    renamed: set[tuple[str, str, str]] = set()
    for a, b in combinations(studies, 2):
        for name in b.variables:
            alike = [one for one in a.variables if _may_be_one(one, name)]
            taken = {*b.variables, *(new for study, _, new in renamed if study == b.name)}
            if name in a.variables or not alike or alike[0] in taken:
                continue
            if any((b.name, name) == one[:2] for one in renamed):
                continue
            renamed.add((b.name, name, alike[0]))
            message = (
                f"{shown(alike[0])} in study {shown(a.name)} and {shown(name)} in study {shown(b.name)} may be one "
                "variable"
            )
            yield Misfit(message, Mending(b.name, "rename", name, alike[0]))


# -- levels ----------------------------------------------------------------------------------------------------------

_SAME: tuple[frozenset[str], ...] = tuple(
    frozenset(words.split())
    for words in (
        "yes y true 1 ja j oui o si s sim",
        "no n false 0 nein non nee nao",
        "m male man men mann mannlich maennlich homme masculin masculino hombre maschio uomo",
        "f female woman women w frau weiblich femme feminin femenino mujer femmina donna",
        "never nie jamais nunca mai",
        "current aktuell actuel actual",
        "former ex ehemalig ancien",
    )
)


_SEX = {"1": "male", "2": "female"}
"""What the numbers of ISO/IEC 5218 stand for."""


def _same_level(a: str, b: str) -> bool:
    first, second = plain(a), plain(b)
    return first == second or any({first, second} <= words for words in _SAME)


def _shared(studies: Sequence[Study]) -> Iterator[tuple[Study, Column, Study, Column]]:
    """Columns of one name, each beside that of the first study that has it."""
    first: dict[str, tuple[Study, Column]] = {}
    for study in studies:
        for column in study.columns:
            if column.name in first:
                yield (*first[column.name], study, column)
            else:
                first[column.name] = study, column


def _levels(studies: Sequence[Study]) -> Iterator[Misfit]:
    for a, first, b, second in _shared(studies):
        strange = [level for level in second.levels if level not in first.levels]
        free = [level for level in first.levels if level not in second.levels]
        called: dict[str, str] = {}
        of_sex = concept(second.name) is not None and "sex" in (concept(second.name) or ())
        for level in strange:
            word = _SEX.get(level, level) if of_sex and set(strange) <= _SEX.keys() else level
            meant = next((one for one in free if _same_level(one, word) and one not in called.values()), None)
            if meant is not None:
                called[level] = meant
        if called:
            message = (
                f"column {shown(second.name)}: {listed(map(shown, called))} in study {shown(b.name)} may mean "
                f"{listed(map(shown, called.values()))} in study {shown(a.name)}"
            )
            yield Misfit(message, Mending(b.name, "levels", second.name, called))


# -- units -----------------------------------------------------------------------------------------------------------

_FACTORS = {
    "thousands": 1000.0,
    "hundreds": 100.0,
    "tens": 10.0,
    "kilograms and pounds": 2.20462,
    "centimetres and inches": 2.54,
    "metres and feet": 3.28084,
    "years and months": 12.0,
    "years and days": 365.25,
    "hours and minutes": 60.0,
    "cholesterol in mmol/l and mg/dl": 38.67,
    "glucose in mmol/l and mg/dl": 18.016,
    "creatinine in mg/dl and umol/l": 88.42,
    "kPa and mmHg": 7.50062,
    "kcal and kJ": 4.184,
    "miles and kilometres": 1.60934,
}
_NEAR_MIDDLE, _NEAR_SPREAD = 0.12, 0.3
"""How far the ratios of medians and of spreads may be from a factor, as logarithms."""


def _units(studies: Sequence[Study]) -> Iterator[Misfit]:
    for a, first, b, second in _shared(studies):
        if first.levels or second.levels:
            continue
        found = _factor(first.values[first.present], second.values[second.present])
        if found is not None:
            what, factor = found
            message = (
                f"column {shown(second.name)}: the values in study {shown(b.name)} are about {_times(factor)} those in "
                f"study {shown(a.name)}; the units may differ ({what})"
            )
            yield Misfit(message, Mending(b.name, "unit", second.name, float(f"{factor:.6g}")))


def _factor(first: NDArray[np.float64], second: NDArray[np.float64]) -> tuple[str, float] | None:
    """A usual factor by which the second would have to be multiplied, and between which units that is."""
    low, middle, high = np.quantile(first, [0.25, 0.5, 0.75])
    low_2, middle_2, high_2 = np.quantile(second, [0.25, 0.5, 0.75])
    if min(middle * middle_2, high - low, high_2 - low_2) <= 0:
        return None
    middles, spreads = math.log(middle / middle_2), math.log((high - low) / (high_2 - low_2))
    for what, factor in _FACTORS.items():
        for sign in (1, -1):
            expected = sign * math.log(factor)
            if abs(middles - expected) < _NEAR_MIDDLE and abs(spreads - expected) < _NEAR_SPREAD:
                return what, factor**sign
    return None


def _times(factor: float) -> str:
    return f"1/{factor:.4g} of" if factor >= 1 else f"{1 / factor:.4g} times"
