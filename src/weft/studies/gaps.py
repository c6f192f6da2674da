"""Whether values are missing by chance, as far as the other columns of a study tell.

Each test leaves out the rows in which one of its own columns is missing. That is right if values are missing by chance,
or depend on what the test holds fixed. It misleads where it depends on both ends of a pair whether a third value is
missing: among the rows that are left, the two then go together. So this looks for columns whose gaps go with two or
more others, by rank sums (numbers) and chi-square (levels), at a level that holds for all comparisons of a study.

>>> import numpy as np
>>> x, y, z = np.random.default_rng(0).standard_normal((3, 500))
>>> z[x + y > 1] = np.nan
>>> print(*gaps([Study.of({"x": x, "y": y, "z": z}, "a")]))
study 'a', column 'z': which values are missing goes with 'x' and 'y'; tests that hold it fixed leave out rows for a
reason, and may find that these go together though they do not
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from weft.studies.source import listed, shown
from weft.studies.study import Column, Kind, Study

_LEVEL = 0.01
_FEWEST = 20
"""Rows with and without a value that it takes to say anything."""


def gaps(studies: Iterable[Study]) -> tuple[str, ...]:
    """One sentence for each column whose gaps go with two or more other columns."""
    return tuple(sentence for study in studies for sentence in _of(study))


def _of(study: Study) -> Iterator[str]:
    holed = [one for one in study.columns if _FEWEST <= np.count_nonzero(~one.present) <= study.rows - _FEWEST]
    compared = max(len(holed) * (len(study.columns) - 1), 1)
    for column in holed:
        others = [one for one in study.columns if one is not column]
        with_it = [one.name for one in others if _p_value(~column.present, one) <= _LEVEL / compared]
        if len(with_it) > 1:
            yield (
                f"study {shown(study.name)}, column {shown(column.name)}: which values are missing goes with "
                f"{listed(tuple(map(shown, with_it)))}; tests that hold it fixed leave out rows for a reason, and may "
                "find that these go together though they do not"
            )


def _p_value(missing: np.ndarray, other: Column) -> float:
    """Whether the values of a column differ between the rows in which another is missing and the others."""
    from scipy import stats

    values, missing = other.values[other.present], missing[other.present]
    if min(np.count_nonzero(missing), np.count_nonzero(~missing)) < _FEWEST or len(np.unique(values)) < 2:
        return 1.0
    if other.kind is Kind.CATEGORICAL:
        levels, places = np.unique(values, return_inverse=True)
        table = np.zeros((2, len(levels)))
        np.add.at(table, (missing.astype(int), places), 1)
        return float(stats.chi2_contingency(table).pvalue)
    return float(stats.mannwhitneyu(values[missing], values[~missing]).pvalue)
