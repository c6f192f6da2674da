"""Any kinds of columns together: the kernel test with levels as the corners of a simplex.

A continuous or ordinal column becomes one number per row (normal scores, as in ``kcit``). A categorical or binary
column becomes one 0/1 number per level, so that any two different levels are equally far apart, as far as two numbers
typically are (squared distance 2). A Gaussian kernel on such points is a delta kernel on the levels up to a constant.
From there the test is that of :mod:`~weft.evidence.independence.kcit`: features of (x, z/2) and (y, z/2), what
regression on z explains removed, and the squared covariance of what is left compared with a weighted chi-square
distribution.

One thing more is needed. Levels among the given columns may change the *shape* of a regression (another curve for
each group), which one common width cannot follow: narrow enough to keep the groups apart, it is too narrow for the
numbers. So where z has numbers and levels, every width is tried with levels at their distance and with levels so far
apart that each group has its own regression; leave-one-out error decides, for x and y separately.

The diagnostic has `gain_least`, `gain_most` (the share of the leave-one-out error that the regressions of x and of y
on z removed), `freedom_most` (the larger effective number of parameters), and `rank`.

References
----------
Zhang, Peters, Janzing and Schölkopf, *Kernel-based conditional independence test and application in causal
discovery*, UAI 2011.
Gretton et al., *A kernel statistical test of independence*, NIPS 2008 (discrete kernels).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np

from weft.errors import StudyError
from weft.evidence.independence.kcit import check_columns, no_freedom
from weft.evidence.independence.kernels import (
    FloatArray,
    PowerSums,
    Smoother,
    best_smoother,
    conditional_power_sums,
    freedom_factor,
    gaussian_features,
    independent_power_sums,
    mean_smoother,
    normal_scores,
    principal,
    ridge_smoothers,
)
from weft.evidence.independence.protocol import Result
from weft.studies import Column, Kind

_UNORDERED = (Kind.CATEGORICAL, Kind.BINARY)
_GIVEN_WIDTHS = tuple(math.sqrt(2) / factor for factor in (0.5, 1, 2, 4, 8))
_RIDGES = tuple(10.0**power for power in range(-3, 3))
_GIVEN_TOLERANCE = 1e-5
_TARGETS = 20
_PRODUCTS = 250
_APART = 6.0
"""Levels this many times farther apart than numbers have nothing to say about each other."""


@dataclass(frozen=True)
class Mixed:
    """The kernel test of conditional independence for columns of any kinds.

    Parameters
    ----------
    width
        The Gaussian kernel's width for x and y in standard deviations (times the root of the number of given columns).
    rank, tolerance, slack
        As for :class:`~weft.evidence.independence.kcit.Kcit`.

    >>> generator = np.random.default_rng(0)
    >>> group = generator.integers(0, 3, 300)
    >>> x, y = (Column(n, Kind.CONTINUOUS, v) for n, v in zip("xy", group**2 + generator.standard_normal((2, 300))))
    >>> given = Column("group", Kind.CATEGORICAL, group, ("a", "b", "c"))
    >>> Mixed().test(x, y).p_value < 0.05 < Mixed().test(x, y, [given]).p_value
    True
    """

    name: ClassVar[str] = "mixed"
    width: float = 1.0
    rank: int = 150
    tolerance: float = 1e-4
    slack: float = 0.5

    def __post_init__(self) -> None:
        if not (min(self.width, self.rank, self.tolerance) > 0 and self.tolerance < 1 and self.slack >= 0):
            raise StudyError("mixed: width, rank and tolerance must be positive, tolerance below 1, slack not negative")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {"width": self.width, "rank": self.rank, "tolerance": self.tolerance, "slack": self.slack}

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """None: every kind is taken."""
        return None

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether x and y are independent given the columns."""
        check_columns(self.name, (x, y, *given))
        first, second, *rest = _canonical(x, y, given)
        if not rest:
            return self._marginal(_points(first), _points(second))
        result = self._conditional(_points(first), _points(second), rest)
        return replace(result, undecided=no_freedom(x, y, given, _points))

    def _marginal(self, x: FloatArray, y: FloatArray) -> Result:
        a, b = (self._features(side, 1.0) for side in (x, y))
        statistic = _squared_covariance(a, b)
        return _result(statistic, independent_power_sums(a, b), len(x), {"rank": float(max(a.shape[1], b.shape[1]))})

    def _conditional(self, x: FloatArray, y: FloatArray, given: Sequence[Column]) -> Result:
        z = np.hstack([_points(column) for column in given])
        candidates = self._smoothers(given)
        residuals, smoothers, gains = [], [], []
        for side in (x, y):
            features = self._features(np.hstack([side, z / 2]), math.sqrt(len(given)))
            smoother = best_smoother(features[:, :_TARGETS], candidates, self.slack)
            smoothers.append(smoother)
            residuals.append(principal(smoother.residuals(features)))
            gains.append(_gain(smoother, features[:, :_TARGETS]))
        statistic = _squared_covariance(*residuals) / freedom_factor(smoothers[0], smoothers[1])
        diagnostic: dict[str, float | str] = {
            "gain_least": min(gains),
            "gain_most": max(gains),
            "freedom_most": max(smoother.freedom for smoother in smoothers),
            "rank": float(max(side.shape[1] for side in residuals)),
        }
        return _result(statistic, conditional_power_sums(residuals[0], residuals[1], _PRODUCTS), len(x), diagnostic)

    def _features(self, points: FloatArray, scale: float) -> FloatArray:
        return gaussian_features(points, self.width * scale, self.rank, self.tolerance)

    def _smoothers(self, given: Sequence[Column]) -> list[Smoother]:
        """The candidates for the regressions on the given columns."""
        smoothers = [mean_smoother(len(given[0].values))]
        for points in _regressors(given):
            for width in _GIVEN_WIDTHS:
                features = gaussian_features(points, width * math.sqrt(len(given)), self.rank, _GIVEN_TOLERANCE)
                smoothers += ridge_smoothers(features, _RIDGES)
        return smoothers


def _points(column: Column, apart: float = 1.0) -> FloatArray:
    """A column as points: its scores, or one corner of a simplex for each level that occurs."""
    if column.kind not in _UNORDERED:
        return column.values[:, None]
    _, codes, counts = np.unique(column.values, return_inverse=True, return_counts=True)
    return np.eye(len(counts))[codes] * apart


def _regressors(given: Sequence[Column]) -> list[FloatArray]:
    """The given columns as points, and where there are numbers and levels, once more with the levels far apart."""
    kinds = {column.kind in _UNORDERED for column in given}
    distances = (1.0, _APART) if len(kinds) == 2 else (1.0,)
    return [np.hstack([_points(column, apart) for column in given]) for apart in distances]


def _canonical(x: Column, y: Column, given: Sequence[Column]) -> list[Column]:
    """The pair in the order of its names, then the given in the order of theirs, rows, levels and signs set by content.

    Rounding and the choice of pivots depend on the order of operations. Put in one order first, the same question has
    the same answer whichever way round it is asked, whatever the levels are called and whichever way a scale runs.
    """
    columns = [*sorted((x, y), key=lambda column: column.name), *sorted(given, key=lambda column: column.name)]
    columns = [column if column.kind in _UNORDERED else _as_scores(column) for column in columns]
    weights = np.sum([_evenly(column) for column in columns], axis=0)
    columns = [column if column.kind in _UNORDERED else _turned(column, weights) for column in columns]
    numbers = [column.values for column in columns if column.kind not in _UNORDERED]
    keys = [key for column in columns for key in _row_keys(column, numbers)]
    order = np.lexsort(keys[::-1])
    return [Column(column.name, column.kind, _relabelled(column, order)) for column in columns]


def _as_scores(column: Column) -> Column:
    return Column(column.name, Kind.CONTINUOUS, normal_scores(column.values))


def _evenly(column: Column) -> FloatArray:
    """Something about each row that is the same whichever way a scale runs and whatever the levels are called."""
    if column.kind not in _UNORDERED:
        return column.values**2
    codes = column.values.astype(np.intp)
    return np.asarray(np.bincount(codes)[codes] / len(codes))


def _turned(column: Column, weights: FloatArray) -> Column:
    """The scores with the sign that makes their weighted sum positive."""
    return Column(column.name, column.kind, -column.values) if column.values @ weights < 0 else column


def _row_keys(column: Column, numbers: Sequence[FloatArray]) -> list[FloatArray]:
    """What to sort rows by: the numbers, or of a level how often it occurs and what numbers it occurs with."""
    if column.kind not in _UNORDERED:
        return [column.values]
    codes = column.values.astype(np.intp)
    counts = np.bincount(codes)
    sums = [np.asarray(np.round(np.bincount(codes, number), 6), dtype=np.float64) for number in numbers]
    return [counts[codes].astype(np.float64), *(total[codes] for total in sums)]


def _relabelled(column: Column, order: np.ndarray[tuple[int], np.dtype[np.intp]]) -> FloatArray:
    """The values in that order of the rows, levels numbered as they come."""
    values = column.values[order]
    if column.kind not in _UNORDERED:
        return values
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.float64)


def _gain(smoother: Smoother, targets: FloatArray) -> float:
    """The share of the leave-one-out error that the regression removed."""
    return 1.0 - float(smoother.losses(targets).sum() / mean_smoother(len(targets)).losses(targets).sum())


def _squared_covariance(a: FloatArray, b: FloatArray) -> float:
    cross = a.T @ b
    return float(np.sum(cross * cross))


def _result(statistic: float, null: PowerSums, rows: int, diagnostic: Mapping[str, float | str]) -> Result:
    p_value = min(max(null.three_moment_tail(statistic), 0.0), 1.0)
    return Result(statistic=statistic / rows, p_value=p_value, rows=rows, diagnostic=diagnostic)
