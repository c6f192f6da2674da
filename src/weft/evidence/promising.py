"""Which sets are likely to separate a pair: a guess that costs next to nothing, to choose what is tested first.

Every column becomes a few numbers a row: of numbers the normal scores, their squares and cubes (Hermite polynomials),
of levels the indicators of the most frequent ones. The moments of all these numbers, pooled over the studies, tell how
much of the association of x and y is left when what is linear in the numbers of a set is taken out of both:

    trace(C_xx^-1 C_xy C_yy^-1 C_yx),    C the covariance of the numbers of x and y given those of the set

(the sum of the squared partial canonical correlations). The less is left, the likelier the set is to separate them. It
is no test, and nothing is concluded from it: it only says in which order the tests are made.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import special

from weft.evidence.ranks import mean_ranks
from weft.studies import Column, Study

Floats = NDArray[np.float64]

_EACH = 3
"""Numbers for each column."""
_RIDGE = 1e-3
"""Added to each variance: moments that are pooled over studies need not belong to any one sample."""
_DIGITS = 6
"""Rounding, which the order of the studies changes, must not change the order of the sets."""


@dataclass(frozen=True, eq=False)
class Promising:
    """The moments of all variables, by which sets are put in order."""

    number: dict[str, int]
    """Where each variable is, in the order of the names."""
    moments: Floats
    """The covariances of the numbers of all variables."""

    @classmethod
    def of(cls, studies: Sequence[Study]) -> Promising:
        """From the tables."""
        names = sorted({name for study in studies for name in study.variables})
        number = {name: place for place, name in enumerate(names)}
        frequent = {
            name: _frequent([study.column(name) for study in studies if name in study.variables]) for name in names
        }
        sums = np.zeros((len(names) * _EACH, len(names) * _EACH))
        rows = np.zeros_like(sums)
        for study in sorted(studies, key=lambda one: one.name):
            own = sorted(study.variables)
            features = np.hstack([_features(study.column(name), frequent[name]) for name in own])
            present = np.repeat(np.column_stack([study.column(name).present for name in own]), _EACH, axis=1)
            places = np.concatenate([np.arange(_EACH) + _EACH * number[name] for name in own])
            sums[np.ix_(places, places)] += features.T @ features
            rows[np.ix_(places, places)] += present.T.astype(np.float64) @ present
        return cls(number, sums / np.maximum(rows, 1.0) + _RIDGE * np.eye(len(sums)))

    def left(self, x: str, y: str, sets: Sequence[tuple[str, ...]]) -> list[float]:
        """For each of these sets, all of one size: how much of the association of x and y it leaves."""
        if not sets:
            return []
        pair = self._places([(x, y)])
        whole = np.broadcast_to(self.moments[np.ix_(pair[0], pair[0])], (len(sets), 2 * _EACH, 2 * _EACH))
        if sets[0]:
            given = self._places(sets)
            within = self.moments[given[:, :, None], given[:, None, :]]
            across = self.moments[given[:, :, None], pair[:, None, :]]
            whole = whole - across.transpose(0, 2, 1) @ np.linalg.solve(within, across)
        first, second, both = whole[:, :_EACH, :_EACH], whole[:, _EACH:, _EACH:], whole[:, :_EACH, _EACH:]
        shares = np.linalg.solve(first, both) * np.linalg.solve(second, both.transpose(0, 2, 1)).transpose(0, 2, 1)
        return [float(one) for one in np.round(np.abs(shares.sum(axis=(1, 2))), _DIGITS)]

    def _places(self, sets: Sequence[tuple[str, ...]]) -> NDArray[np.intp]:
        numbers = np.array([[self.number[name] for name in one] for one in sets], dtype=np.intp)
        return (numbers[:, :, None] * _EACH + np.arange(_EACH)).reshape(len(sets), -1)


def _frequent(columns: Sequence[Column]) -> list[str]:
    """The levels of a variable that have an indicator: the most frequent ones but for the first, which follows."""
    counts: Counter[str] = Counter()
    for column in (one for one in columns if one.levels):
        codes = column.values[column.present].astype(np.intp)
        for level, count in zip(column.levels, np.bincount(codes, minlength=len(column.levels)).tolist(), strict=True):
            counts[level] += count
    return sorted(counts, key=lambda level: (-counts[level], level))[1 : 1 + _EACH]


def _features(column: Column, frequent: Sequence[str]) -> Floats:
    """The numbers of a column, each with mean 0 and variance 1; 0 where a value is missing."""
    found = np.zeros((len(column.values), _EACH))
    there = column.present
    if column.levels:
        codes = [column.levels.index(level) if level in column.levels else -1 for level in frequent]
        parts = [(column.values[there] == code).astype(np.float64) for code in codes]
    else:
        ranks = mean_ranks(column.values[there]) / (there.sum() + 1)
        parts = [special.eval_hermitenorm(degree, special.ndtri(ranks)) for degree in range(1, _EACH + 1)]
    for place, part in enumerate(parts):
        spread = float(part.std()) if len(part) else 0.0
        if spread > 0:
            found[there, place] = (part - part.mean()) / spread
    return found
