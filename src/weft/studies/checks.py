"""What a study must be to be used, and what several studies must be together.

===================================================================== =================================================
found                                                                 answer
===================================================================== =================================================
fewer than two columns, or than :data:`MINIMUM_ROWS` rows             error
a column with all values missing, or all but a few                    error
no study, or two of the same name                                     error
studies that nothing links, not even through other studies            error: no answer would follow from both
a column with the same value in all rows                              left out of that study, with a warning
a study that is left with fewer than two columns                      left out, with a warning; an error if all are
two columns that say the same (copies, or the same levels renamed)    warning: given one, nothing of the other is left
a column that is a linear combination of others, or nearly            warning: given the others it does not vary
too many columns, or too few complete rows, to look for combinations  warning
half of a column missing, or two columns seldom present together      warning
a column that numbers the rows, a level that hardly occurs            warning
names that differ in capitals only, kinds or levels that differ       warning
===================================================================== =================================================

A column that is a function of others is no reason to refuse a study: tests for which nothing is left are not made
(:class:`~weft.evidence.independence.protocol.DegenerateError`), and all others are.

References
----------
G. H. Golub, C. F. Van Loan, Matrix Computations, 4th ed. (2013), section 5.4.2: QR with column pivoting finds the rank.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from weft.errors import Argument, StudyError, StudyErrors
from weft.reading.names import first_repeated
from weft.studies.source import Source, listed, shown
from weft.studies.study import Column, Kind, Study, listed_names

MINIMUM_ROWS = 20
"""A study, and each of its columns, needs as many rows with a value."""

RARE = 5
"""A level with fewer rows than this hardly occurs."""

MOST_COLUMNS = 1000
"""With more columns, linear combinations are not looked for: it would take minutes."""

_ALL_MISSING = "every value is missing"

_EXACT, _NEAR = 1e-9, 1e-4
"""Below this share of a column's spread, what the others leave unexplained is rounding; or nearly nothing."""


@dataclass(frozen=True)
class StudyWarning:
    """Something about the studies that the user should know; its text is one line."""

    message: str
    studies: tuple[str, ...]
    variables: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.message


# -- one study -------------------------------------------------------------------------------------------------------


def check_study(study: Study, source: Source) -> None:
    """Raise a StudyError if the study cannot be used as it is."""
    if len(study.columns) < 2:
        raise source.flaw(f"{'one column' if study.columns else 'no columns'}; a study needs at least two")
    if study.rows < MINIMUM_ROWS:
        few = "1 row is" if study.rows == 1 else f"{study.rows} rows are"
        raise source.flaw(f"{few} too few; a study needs at least {MINIMUM_ROWS}: gather more, or leave it out")
    empty = [_too_few(column, source) for column in study.columns if column.present.sum() < MINIMUM_ROWS]
    if empty:
        raise empty[0] if len(empty) == 1 else StudyErrors(*empty)


def _too_few(column: Column, source: Source) -> StudyError:
    values = int(column.present.sum())
    few = f"only {values} values are not missing, and {MINIMUM_ROWS} are needed" if values else _ALL_MISSING
    return source.flaw(f"{few}; leave the column out with ", Argument("drop", [column.name]), column=column.name)


def usable(studies: Iterable[Study]) -> tuple[tuple[Study, ...], tuple[StudyWarning, ...]]:
    """The studies without the columns that no test can use, and what was left out.

    Raises
    ------
    StudyError
        If nothing is left.

    >>> a = Study.of({"x": range(40), "y": [i * i for i in range(40)], "site": ["north"] * 40}, "a")
    >>> (kept,), (warning,) = usable([a])
    >>> kept.variables, str(warning)
    (('x', 'y'), "study 'a', column 'site': constant: 'north' in every row; the column is left out of this study")
    """
    kept, warnings = [], []
    for study in studies:
        flaws = {column.name: flaw for column in study.columns if (flaw := _flaw(column)) is not None}
        warnings += [
            _warning(study, f"{flaw}; the column is left out of this study", name) for name, flaw in flaws.items()
        ]
        rest = [name for name in study.variables if name not in flaws]
        if len(rest) >= 2:
            kept.append(study.select(rest) if flaws else study)
        else:
            left = f"only {shown(rest[0])} is" if rest else "nothing is"
            warnings.append(_warning(study, f"{left} left to test; the study is left out"))
    if warnings and not kept:
        raise StudyError(f"nothing is left to test: {warnings[0]}")
    return tuple(kept), tuple(warnings)


def _flaw(column: Column) -> str | None:
    """Why no test can use a column, if that is so."""
    values = column.values[column.present]
    if not len(values):  # in a part of the rows
        return _ALL_MISSING
    if (values == values[0]).all():
        value = shown(column.levels[int(values[0])]) if column.levels else f"{values[0]:g}"
        return f"constant: {value} in every row"
    return None


def _warning(study: Study, text: str, *variables: str) -> StudyWarning:
    place = f", column {shown(variables[0])}" if len(variables) == 1 else ""
    return StudyWarning(f"study {shown(study.name)}{place}: {text}", (study.name,), variables)


def _copies(columns: Sequence[Column]) -> Iterator[tuple[str, str]]:
    """Pairs of columns that are equal, or whose levels correspond one to one."""
    seen: dict[bytes, str] = {}
    for column in columns:
        values = column.values
        if column.levels:  # number the levels by their first row, so that renaming them changes nothing
            there = column.present
            _, first, code = np.unique(values[there], return_index=True, return_inverse=True)
            values = values.copy()
            values[there] = np.argsort(np.argsort(first))[code]
        key = (b"levels" if column.levels else b"numbers") + values.tobytes()
        if key in seen:
            yield seen[key], column.name
        seen.setdefault(key, column.name)


# -- linear combinations ---------------------------------------------------------------------------------------------


def _combinations(study: Study, tolerance: float) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Columns that are linear functions of others up to the tolerance, with those others."""
    names, table = _numeric_table(study.columns)
    rows = np.flatnonzero(~np.isnan(table).any(axis=1))
    if not 2 <= len(names) <= MOST_COLUMNS or len(rows) <= len(names) + 1:
        return
    # A combination that holds in all rows holds in some; those found in some are then tried on all.
    sample = table[rows[np.linspace(0, len(rows) - 1, min(len(rows), max(2000, 2 * len(names)))).astype(np.intp)]]
    varying = np.flatnonzero(sample.min(axis=0) < sample.max(axis=0))
    for dependent, others in _dependent(sample[:, varying], tolerance):
        last, *rest = sorted((int(varying[i]) for i in (dependent, *others)), reverse=True)
        if rest and unexplained(table[:, [last, *rest]]) < tolerance:
            yield names[last], tuple(names[i] for i in sorted(rest))


def _numeric_table(columns: Iterable[Column]) -> tuple[list[str], NDArray[np.float64]]:
    """The columns that are numbers or have two levels, side by side."""
    found = []
    for column in columns:
        numbers = column.numbers()
        if numbers is None and column.kind is Kind.BINARY:
            numbers = column.values
        if numbers is not None and column.kind is not Kind.CATEGORICAL:
            found.append((column.name, numbers))
    return [name for name, _ in found], np.column_stack([numbers for _, numbers in found] or [np.empty(0)])


def _standardised(table: NDArray[np.float64]) -> NDArray[np.float64]:
    table = table / np.abs(table).max(axis=0).clip(min=np.finfo(float).tiny)  # so that no square overflows
    table = table - table.mean(axis=0)
    norms = np.linalg.norm(table, axis=0)
    return np.asarray(table / np.where(norms > 0, norms, 1.0))


def _dependent(table: NDArray[np.float64], tolerance: float) -> Iterator[tuple[int, list[int]]]:
    """Columns without a share of their own, each with the columns that give it."""
    from scipy import linalg

    if not table.size:
        return
    triangle, order = linalg.qr(_standardised(table), mode="r", pivoting=True, check_finite=False)
    sizes = np.abs(np.diag(triangle))
    rank = int((sizes > tolerance).sum())
    for position in range(rank, table.shape[1]):
        weights = linalg.solve_triangular(triangle[:rank, :rank], triangle[:rank, position])
        involved = np.flatnonzero(np.abs(weights) > max(1e-6, tolerance))
        yield int(order[position]), [int(order[i]) for i in involved]


def unexplained(table: NDArray[np.float64]) -> float:
    """The share of the first column's spread that a linear function of the others leaves, over their complete rows."""
    scaled = _standardised(table[~np.isnan(table).any(axis=1)])
    weights, *_ = np.linalg.lstsq(scaled[:, 1:], scaled[:, 0], rcond=None)
    return float(np.linalg.norm(scaled[:, 0] - scaled[:, 1:] @ weights))


# -- several studies -------------------------------------------------------------------------------------------------


def check_studies(studies: Iterable[Study]) -> tuple[StudyWarning, ...]:
    r"""What one should know about these studies before they are used together.

    Raises
    ------
    StudyError
        If they cannot be: none, two of one name, or studies that share nothing.

    >>> a = Study.of({"x": range(40), "y": [i * i for i in range(40)]}, "a")
    >>> b = Study.of({"Y": [i % 7 for i in range(40)], "x": range(3, 43)}, "b")
    >>> print(*check_studies([a, b]), sep="\n")
    study 'a', column 'x': numbers the rows; drop it if it means nothing
    study 'b', column 'x': numbers the rows; drop it if it means nothing
    'y' in study 'a' and 'Y' in study 'b' are taken as two variables; rename one if they are the same
    """
    studies = list(studies)
    if not studies:
        raise StudyError("no study; give at least one table")
    names = [study.name for study in studies]
    if (twice := first_repeated(names)) is not None:
        raise StudyError(f"two studies are called {shown(twice)}; give each a name of its own")
    kept, left_out = usable(studies)
    _check_linked(kept)
    single = [warning for study in kept for warning in _study_warnings(study)]
    return (*left_out, *single, *_name_warnings(kept), *_kind_warnings(kept))


def _check_linked(studies: Sequence[Study]) -> None:
    """Raise if the studies fall into groups without a variable in common."""
    reached, variables = {0}, set(studies[0].variables)
    while grown := [i for i, s in enumerate(studies) if i not in reached and not variables.isdisjoint(s.variables)]:
        reached.update(grown)
        variables.update(*(studies[i].variables for i in grown))
    rest = [study.name for i, study in enumerate(studies) if i not in reached]
    if rest:
        inside = [study.name for i, study in enumerate(studies) if i in reached]
        raise StudyError(
            f"no variable links {_studies(inside)} with {_studies(rest)}; give the variables that are the same the "
            "same name, or leave studies out"
        )


def _studies(names: Sequence[str]) -> str:
    return f"{'study' if len(names) == 1 else 'studies'} {listed_names(names)}"


def _study_warnings(study: Study) -> Iterator[StudyWarning]:
    warning = partial(_warning, study)
    for column in study.columns:
        missing = 1 - column.present.mean()
        if missing >= 0.5:
            yield warning(f"{missing:.0%} of the values are missing", column.name)
        if not column.levels and study.rows > 1 and (np.diff(column.values) == 1).all():
            yield warning("numbers the rows; drop it if it means nothing", column.name)
        if column.levels:
            counts = np.bincount(column.values[column.present].astype(np.intp), minlength=len(column.levels))
            if counts.min() < RARE:
                level, rows = shown(column.levels[int(counts.argmin())]), int(counts.min())
                yield warning(f"{level} occurs in {rows} {'row' if rows == 1 else 'rows'} only", column.name)
    yield from (warning(*found) for found in _seldom_together(study))
    yield from (warning(*found) for found in _said_by_others(study))


def _seldom_together(study: Study) -> Iterator[tuple[str, ...]]:
    present = np.column_stack([column.present for column in study.columns]).astype(np.float32)
    together = present.T @ present
    for i, j in np.argwhere(np.triu(together < MINIMUM_ROWS, 1)).tolist():
        x, y = study.variables[i], study.variables[j]
        rows = int(together[i, j])
        yield f"{shown(x)} and {shown(y)} are both present in {rows} rows only, too few to test them", x, y


def _said_by_others(study: Study) -> Iterator[tuple[str, ...]]:
    """Copies, and linear functions of other columns."""
    copies = set()
    for first, second in _copies(study.columns):
        copies.add(second)
        yield f"{shown(first)} and {shown(second)} say the same in every row; drop one", first, second
    yield from _combined(study.select(name for name in study.variables if name not in copies))


def _combined(study: Study) -> Iterator[tuple[str, ...]]:
    names, table = _numeric_table(study.columns)
    complete = int((~np.isnan(table).any(axis=1)).sum())
    if len(names) > MOST_COLUMNS or (len(names) >= 2 and complete <= len(names) + 1):
        yield (
            f"{len(names)} columns of numbers and {complete} complete rows: columns that are linear functions of "
            "others were not looked for",
        )
    exact = {name for name, _ in _combinations(study, _EXACT)}
    for name, others in _combinations(study, _NEAR):
        how = "exactly" if name in exact else "nearly"
        yield f"{shown(name)} is {how} a linear function of {listed_names(others)}", name, *others


def _name_warnings(studies: Sequence[Study]) -> Iterator[StudyWarning]:
    for a, b in combinations(studies, 2):
        folded = {name.casefold(): name for name in b.variables if name not in a.variables}
        for name in a.variables:
            other = folded.get(name.casefold())
            if other is not None and name not in b.variables:
                yield StudyWarning(
                    f"{shown(name)} in study {shown(a.name)} and {shown(other)} in study {shown(b.name)} are taken as "
                    "two variables; rename one if they are the same",
                    (a.name, b.name),
                    (name, other),
                )


def _kind_warnings(studies: Sequence[Study]) -> Iterator[StudyWarning]:
    variables = dict.fromkeys(name for study in studies for name in study.variables)
    for name in variables:
        holders = [(study.name, study.column(name)) for study in studies if name in study.variables]
        kinds = {column.kind for _, column in holders}
        if _lacks_levels([column for _, column in holders]):
            continue
        if len(kinds) > 1:
            said = listed(f"{column.kind} in study {shown(study)}" for study, column in holders)
            text = f"column {shown(name)} is {said}; say of which kind it is"
        elif _levels_differ([column for _, column in holders]):
            said = listed(f"{listed(map(shown, column.levels))} in study {shown(study)}" for study, column in holders)
            text = f"column {shown(name)} has the values {said}; use the same for the same"
        else:
            continue
        yield StudyWarning(text, tuple(study for study, _ in holders), (name,))


def _levels_differ(columns: Sequence[Column]) -> bool:
    """Whether columns of one kind have levels that may mean the same and are called otherwise.

    These are two that are not the same two, or words of which each of two columns has some that the other lacks.
    """
    if columns[0].kind is Kind.BINARY:
        return len({column.levels for column in columns}) > 1
    words = [set(column.levels) for column in columns if column.numbers() is None]
    return any(a - b and b - a for a, b in combinations(words, 2))


def _lacks_levels(columns: Sequence[Column]) -> bool:
    """Whether the columns have levels of one set, of which some lack a few: then two may be left, which look binary."""
    most = max(columns, key=lambda column: len(column.levels))
    return len(most.levels) > 2 and all(
        column.levels and set(column.levels) <= set(most.levels) and column.kind in (most.kind, Kind.BINARY)
        for column in columns
    )
