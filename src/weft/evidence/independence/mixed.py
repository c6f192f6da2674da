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

With many rows pivots come from a part of them, the null from the leading features, and a plain dependence is seen on a
part of the rows first, as in ``kcit``.

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
from functools import cached_property, partial
from typing import ClassVar, TypeAlias

import numpy as np

from weft.errors import StudyError
from weft.evidence.independence.kcit import check_columns, no_freedom, scores_of
from weft.evidence.independence.kernels import (
    FloatArray,
    Matrix,
    PowerSums,
    Products,
    Rows,
    Smoother,
    best_fit,
    conditional_power_sums,
    even_freedom_factor,
    gaussian_features,
    independent_power_sums,
    leading,
    low_rank,
    low_rank_smoothers,
    mean_loss,
    mean_smoother,
    principal,
    products_of,
    ridge_smoothers,
    shared_power_sums,
    turned,
)
from weft.evidence.independence.protocol import Result
from weft.evidence.independence.recent import Recent
from weft.studies import Column, Kind

_UNORDERED = (Kind.CATEGORICAL, Kind.BINARY)
_GIVEN_WIDTHS = tuple(math.sqrt(2) / factor for factor in (0.5, 1, 2, 4, 8))
_RIDGES = tuple(10.0**power for power in range(-3, 3))
_GIVEN_TOLERANCE = 1e-5
_TARGETS = 20
_PRODUCTS = 250
_MANY_ROWS, _AMONG, _LEADING, _NEGLECTED = 2000, 500, 12, 5e-3
"""With more rows than this: pivots from about so many, as many leading features for the null, a share of the trace of
the residuals that is left out."""
_GLANCE_ROWS, _GLANCE_LEAST = 800, 4
"""About so many rows are looked at first, if there are so many times as many."""
_APART = 6.0
"""Levels this many times farther apart than numbers have nothing to say about each other."""


@dataclass(frozen=True)
class Mixed:
    """The kernel test of conditional independence for columns of any kinds.

    Parameters
    ----------
    width
        The Gaussian kernel's width for x and y in standard deviations (times the root of the number of given columns).
    rank, tolerance, slack, glance
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
    glance: float = 1e-6

    def __post_init__(self) -> None:
        least = min(self.slack, self.glance)
        if not (min(self.width, self.rank, self.tolerance) > 0 and self.tolerance < 1 and least >= 0):
            raise StudyError(
                "mixed: width, rank and tolerance must be positive, tolerance below 1, slack and glance not negative"
            )

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {
            "width": self.width,
            "rank": self.rank,
            "tolerance": self.tolerance,
            "slack": self.slack,
            "glance": self.glance,
        }

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """None: every kind is taken."""
        return None

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether x and y are independent given the columns."""
        check_columns(self.name, (x, y, *given))
        columns = _canonical(x, y, given)
        step = len(x.values) // _GLANCE_ROWS
        if self.glance > 0 and step >= _GLANCE_LEAST:
            part = _part(columns, step)
            if all(len(np.unique(column.values)) > 1 for column in part):
                glanced = self._tested(part)
                if glanced.p_value <= self.glance:
                    return replace(glanced, undecided=no_freedom(x, y, given, _points))
        return replace(self._tested(columns), undecided=no_freedom(x, y, given, _points))

    def _tested(self, columns: Sequence[Column]) -> Result:
        first, second, *rest = columns
        if not rest:
            return self._marginal(_points(first), _points(second))
        return self._conditional(_points(first), _points(second), rest)

    def _marginal(self, x: FloatArray, y: FloatArray) -> Result:
        a, b = (np.asarray(self._features(side, 1.0), dtype=np.float64) for side in (x, y))
        statistic = _squared_covariance(a, b)
        return _result(statistic, independent_power_sums(a, b), len(x), {"rank": float(max(a.shape[1], b.shape[1]))})

    def _conditional(self, x: FloatArray, y: FloatArray, given: Sequence[Column]) -> Result:
        z = np.hstack([_points(column) for column in given])
        key = (self, tuple(column.kind for column in given), z.tobytes())
        one, other = (_SIDES.get((*key, side.tobytes()), partial(self._side, side, z, given, key)) for side in (x, y))
        statistic = _squared_covariance(one.residuals, other.residuals) / even_freedom_factor(
            one.smoother, other.smoother
        )
        diagnostic: dict[str, float | str] = {
            "gain_least": min(one.gain, other.gain),
            "gain_most": max(one.gain, other.gain),
            "freedom_most": max(one.smoother.freedom, other.smoother.freedom),
            "rank": float(max(one.residuals.shape[1], other.residuals.shape[1])),
        }
        return _result(statistic, _null(one, other), len(x), diagnostic)

    def _side(self, side: FloatArray, z: FloatArray, given: Sequence[Column], key: _Given) -> Side:
        candidates = _SMOOTHERS.get(key, partial(self._smoothers, given))
        features = self._features(np.hstack([side, z / 2]), math.sqrt(len(given)))
        targets = features[:, :_TARGETS]
        smoother, loss = best_fit(targets, candidates, self.slack)
        residuals = _principal(smoother.residuals(features))
        return Side(residuals, smoother, 1.0 - loss / mean_loss(targets))

    def _features(self, points: FloatArray, scale: float) -> Matrix:
        if len(points) <= _MANY_ROWS:
            return gaussian_features(points, self.width * scale, self.rank, self.tolerance)
        features = low_rank(points, self.width * scale, self.rank, self.tolerance, among=_AMONG)
        return features.turned(leading(features.gram()))

    def _smoothers(self, given: Sequence[Column]) -> list[Smoother]:
        """The candidates for the regressions on the given columns."""
        smoothers = [mean_smoother(len(given[0].values))]
        for points in _regressors(given):
            for width in _GIVEN_WIDTHS:
                scaled = width * math.sqrt(len(given))
                if len(points) <= _MANY_ROWS:
                    features = gaussian_features(points, scaled, self.rank, _GIVEN_TOLERANCE)
                    smoothers += ridge_smoothers(features, _RIDGES)
                else:
                    low = low_rank(points, scaled, self.rank, _GIVEN_TOLERANCE, among=_AMONG)
                    smoothers += low_rank_smoothers(low, _RIDGES)
        return smoothers


@dataclass(frozen=True, eq=False)
class Side:
    """What the regression on z leaves of the features of (x, z/2)."""

    residuals: Matrix
    smoother: Smoother
    gain: float

    @cached_property
    def products(self) -> Products:
        """What the null takes from them with many rows."""
        return products_of(self.residuals, _LEADING)


def _bytes_of(smoothers: Sequence[Smoother]) -> int:
    return sum(basis.nbytes for basis in {id(one.basis): one.basis for one in smoothers}.values())


# Tests given the same set come together and share the regressions on it, and sides if no rows have equal z.
_Given: TypeAlias = tuple[Mixed, tuple[Kind, ...], bytes]
_SMOOTHERS: Recent[_Given, list[Smoother]] = Recent(130_000_000, _bytes_of)
_SIDES: Recent[tuple[Mixed, tuple[Kind, ...], bytes, bytes], Side] = Recent(
    100_000_000,
    lambda side: int(2.5 * side.residuals.nbytes),  # with their products, which are made later
)


def forget() -> None:
    """Let go of what tests share, and of its memory."""
    _SMOOTHERS.clear()
    _SIDES.clear()


def _part(columns: Sequence[Column], step: int) -> list[Column]:
    """One in so many of the rows, evenly over the given columns; levels numbered as they come."""
    rows = np.arange(0, len(columns[0].values), step)  # they are in the order of the given
    return [Column(column.name, column.kind, _relabelled(column, rows)) for column in columns]


def _principal(residuals: Matrix) -> Matrix:
    """The residuals turned, longest first; with many rows without the shortest."""
    if len(residuals) <= _MANY_ROWS:
        return principal(np.asarray(residuals, dtype=np.float64))
    gram = np.asarray(residuals.T @ residuals, dtype=np.float64)
    return turned(residuals, leading(gram, share=1 - _NEGLECTED))


def _null(one: Side, other: Side) -> PowerSums:
    if len(one.residuals) > _MANY_ROWS:
        return shared_power_sums(one.products, other.products)
    return conditional_power_sums(np.asarray(one.residuals), np.asarray(other.residuals), _PRODUCTS)


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
    Of several given columns all follows from these alone, as far as it can, so that it is the same for all pairs.
    """
    pair, rest = (
        [column if column.kind in _UNORDERED else _as_scores(column) for column in sorted(some, key=_name)]
        for some in ((x, y), given)
    )
    weights = np.sum([_evenly(column) for column in (*pair, *rest)], axis=0)
    among = np.sum([_evenly(column) for column in rest], axis=0) if len(rest) > 1 else weights
    columns = [*(_turned(column, weights) for column in pair), *(_turned(column, among) for column in rest)]
    order = _in_order(columns)
    return [Column(column.name, column.kind, _relabelled(column, order)) for column in columns]


def _name(column: Column) -> str:
    return column.name


def _in_order(columns: Sequence[Column]) -> Rows:
    """The rows sorted by the given columns, one after the other, then by the pair; by content only."""
    pair, given = columns[:2], columns[2:]
    keys = [key for column in given for key in _row_keys(column, _numbers(given))]
    keys += [key for column in (*given, *pair) for key in _row_keys(column, _numbers(columns))]
    return np.lexsort(_enough(keys)[::-1])


def _enough(keys: Sequence[FloatArray]) -> Sequence[FloatArray]:
    """The keys up to the first without equal values, which leaves nothing open for others."""
    for place, key in enumerate(keys, start=1):
        ordered = np.sort(key)
        if np.all(ordered[1:] > ordered[:-1]):
            return keys[:place]
    return keys


def _numbers(columns: Sequence[Column]) -> list[FloatArray]:
    return [column.values for column in columns if column.kind not in _UNORDERED]


def _as_scores(column: Column) -> Column:
    return Column(column.name, Kind.CONTINUOUS, scores_of(column.values))


def _evenly(column: Column) -> FloatArray:
    """Something about each row that is the same whichever way a scale runs and whatever the levels are called."""
    if column.kind not in _UNORDERED:
        return column.values**2
    codes = column.values.astype(np.intp)
    return np.asarray(np.bincount(codes)[codes] / len(codes))


def _turned(column: Column, weights: FloatArray) -> Column:
    """The scores with the sign that makes their weighted sum positive; levels as they are."""
    if column.kind in _UNORDERED:
        return column
    return Column(column.name, column.kind, -column.values) if column.values @ weights < 0 else column


def _row_keys(column: Column, numbers: Sequence[FloatArray]) -> list[FloatArray]:
    """What to sort rows by: the numbers, or of a level how often it occurs and what numbers it occurs with."""
    if column.kind not in _UNORDERED:
        return [column.values]
    codes = column.values.astype(np.intp)
    counts = np.bincount(codes)
    sums = [np.asarray(np.round(np.bincount(codes, number), 6), dtype=np.float64) for number in numbers]
    return [counts[codes].astype(np.float64), *(total[codes] for total in sums)]


def _relabelled(column: Column, order: Rows) -> FloatArray:
    """The values in that order of the rows, levels numbered as they come."""
    values = column.values[order]
    if column.kind not in _UNORDERED:
        return values
    _, first, codes = np.unique(values, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[codes].astype(np.float64)


def _squared_covariance(a: Matrix, b: Matrix) -> float:
    cross = np.asarray(a.T @ b, dtype=np.float64)
    return float(np.sum(cross * cross))


def _result(statistic: float, null: PowerSums, rows: int, diagnostic: Mapping[str, float | str]) -> Result:
    p_value = min(max(null.three_moment_tail(statistic), 0.0), 1.0)
    return Result(statistic=statistic / rows, p_value=p_value, rows=rows, diagnostic=diagnostic)
