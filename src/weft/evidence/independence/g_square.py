"""G-square and Pearson's chi-square: contingency tables, for discrete columns.

In each stratum z (each combination of levels of the given columns that occurs) the counts n(x,y,z) are compared with
what independence within the stratum predicts, e(x,y,z) = n(x,z) n(y,z) / n(z):

    G-square    2 sum n log(n / e)          chi-square    sum (n - e)^2 / e

Only cells that occur enter a logarithm, and the cells that do not occur add exactly their e to chi-square, so neither
needs the full table: the cost is that of counting, linear in the rows, whatever the number of possible strata.

Degrees of freedom
------------------
Each stratum gives (levels of x seen in it - 1) (levels of y seen in it - 1), and the degrees of freedom are the sum.
A stratum without rows, or in which x or y does not vary, gives none; a level that a stratum lacks does not count in
it. If nothing is left (x is a function of the given columns, for one), the table says nothing against independence,
and nothing for it: the statistic is 0, the p-value 1, and the result is undecided.

Sparse tables
-------------
The chi-square distribution is right only where enough rows are expected in every cell. Conditioning soon ends that,
and G-square then calls nearly everything dependent: 100 rows, three levels each, 27 strata, independent: .96 at alpha
.05 (Pearson's statistic: .33). So if the least expected count of any cell is below 5 sqrt(strata) (Cochran's rule;
the errors of the strata add up, their spread only as the root), the p-value of both tests is that of Pearson's
statistic by its exact mean and variance, given the margins of every stratum (Haldane, Dawson):

    mean      n (r - 1) (c - 1) / (n - 1)
    variance  2 n / (n - 3) (v_r - w_r) (v_c - w_c) + n^2 / (n - 1) w_r w_c,
              v_r = (r - 1) (n - r) / (n - 1),  w_r = (n sum 1/n_i - r^2) / (n - 2),  and so for the columns,

summed over the strata and matched by a gamma distribution (.04 on the same tables). Strata where the margins leave
the statistic no freedom say nothing and are left out. ``sparse="chi-square"`` keeps the chi-square distribution for
every table, as other software does.

So the level is kept; power is not. In a table with fewer than 5 rows a cell (``rows_for_a_verdict``, over the strata in
which both variables vary) dependence is seldom seen, and a large p-value means nothing: the result is *undecided*, and
no verdict is made of it.

The diagnostic says how far to trust the answer: `rows_per_cell` (over the strata that were used), `rows_used` (share
of the rows that lie in strata where both x and y vary), `least_expected`, `degrees_of_freedom` and which `null` gave
the p-value.

Ordinal columns are treated as unordered levels.

References
----------
Spirtes, Glymour and Scheines, *Causation, Prediction, and Search*, 2nd ed., section 10.3.1 (2000).
Haldane, *The mean and variance of chi-square, when used as a test of homogeneity, when expectations are small*,
Biometrika 31 (1940).
Dawson, *A simplified expression for the variance of the chi-square function on a contingency table*, Biometrika 41
(1954).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal, NamedTuple, get_args

import numpy as np
from numpy.typing import NDArray
from scipy import special

from weft.errors import StudyError
from weft.evidence.independence.protocol import Result
from weft.evidence.independence.recent import Recent
from weft.studies import Column, Kind

Floats = NDArray[np.float64]
Codes = NDArray[np.int64]
SparseRule = Literal["moments", "chi-square"]

_ENOUGH_EXPECTED = 5.0
"""Rows expected in every cell from which the chi-square distribution is trusted, in one stratum."""

_LARGEST_KEY = 2**62
"""Cells are numbered within the range of 64-bit integers."""


@dataclass(frozen=True)
class _TableTest:
    """What the two tests share: the counting and the null distribution."""

    sparse: SparseRule = "moments"
    rows_for_a_verdict: float = 5.0
    name: ClassVar[str]
    quick: ClassVar[bool] = True

    def __post_init__(self) -> None:
        if self.sparse not in get_args(SparseRule):
            raise StudyError(f"{self.name}: sparse is {self.sparse!r}; choose one of {', '.join(get_args(SparseRule))}")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """How sparse tables are treated."""
        return {"sparse": self.sparse, "rows_for_a_verdict": self.rows_for_a_verdict}

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """One sentence if a column is continuous."""
        for column in (x, y, *given):
            if column.kind is Kind.CONTINUOUS:
                return (
                    f"{self.name} counts levels, and {column.name!r} is continuous; use the test 'mixed', "
                    "or 'kcit' if every column is continuous"
                )
        return None

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether x and y are independent in every stratum."""
        table = _tabulate(x.values, y.values, [column.values for column in given])
        undecided = self._undecided(table, x, y, given)
        if table.freedom == 0:
            return Result(0.0, 1.0, table.rows, table.diagnostic("none"), undecided)
        statistic = self._statistic(table)
        if self.sparse == "moments" and table.is_sparse:
            return Result(statistic, _moment_p_value(table), table.rows, table.diagnostic("moments"), undecided)
        p_value = float(special.chdtrc(table.freedom, statistic))
        return Result(statistic, p_value, table.rows, table.diagnostic("chi-square"), undecided)

    def _undecided(self, table: _Table, x: Column, y: Column, given: Sequence[Column]) -> str:
        """Why the table is too empty for a verdict, if it is."""
        held = f" given {', '.join(repr(column.name) for column in given)}" if given else ""
        if table.freedom == 0:
            return f"{x.name!r} and {y.name!r} do not both vary{held}"
        if table.rows_per_cell < self.rows_for_a_verdict:
            return (
                f"{table.rows_per_cell:.1f} rows for each cell of {x.name!r} and {y.name!r}{held}, and "
                f"{self.name} needs {self.rows_for_a_verdict:g}"
            )
        return ""

    def _statistic(self, table: _Table) -> float:
        raise NotImplementedError


@dataclass(frozen=True)
class GSquare(_TableTest):
    """The likelihood ratio test in a contingency table.

    >>> import numpy as np
    >>> x = Column("x", Kind.BINARY, np.repeat([0.0, 1.0], 40), ("no", "yes"))
    >>> y = Column("y", Kind.BINARY, np.tile([0.0, 0.0, 1.0, 1.0], 20), ("no", "yes"))
    >>> GSquare().test(x, y).p_value
    1.0
    """

    name: ClassVar[str] = "g-square"

    def _statistic(self, table: _Table) -> float:
        return max(0.0, 2 * float(np.sum(table.cells * np.log(table.cells / table.expected))))


@dataclass(frozen=True)
class ChiSquare(_TableTest):
    """Pearson's test in a contingency table (without a continuity correction)."""

    name: ClassVar[str] = "chi-square"

    def _statistic(self, table: _Table) -> float:
        return float(table.pearson.sum())


@dataclass(frozen=True, eq=False)
class _Margin:
    """How often the levels of one variable occur in each stratum."""

    levels: Floats
    """How many occur."""
    least: Floats
    """Rows of the rarest of them."""
    reciprocals: Floats
    """Sum of 1 / rows over them."""


@dataclass(frozen=True, eq=False)
class _Table:
    """A contingency table over the strata that occur, without its empty cells."""

    rows: int
    cells: Floats
    """The counts above zero."""
    expected: Floats
    """What independence predicts for these cells."""
    pearson: Floats
    """Pearson's statistic of each stratum."""
    sizes: Floats
    """Rows of each stratum."""
    x: _Margin
    y: _Margin

    @property
    def used(self) -> NDArray[np.bool_]:
        """The strata in which both variables vary."""
        used: NDArray[np.bool_] = (self.x.levels > 1) & (self.y.levels > 1)
        return used

    @property
    def freedom(self) -> int:
        """The degrees of freedom."""
        return int(((self.x.levels - 1) * (self.y.levels - 1)).sum())

    @property
    def rows_per_cell(self) -> float:
        """Over the strata used; 0 if there is none."""
        cells = float((self.x.levels * self.y.levels)[self.used].sum())
        return float(self.sizes[self.used].sum()) / cells if cells else 0.0

    @property
    def least_expected(self) -> float:
        """The least number of rows expected in a cell of the strata used."""
        return float((self.x.least * self.y.least / self.sizes)[self.used].min(initial=np.inf))

    @property
    def is_sparse(self) -> bool:
        """Whether too few rows are expected in some cell. Errors of strata add up, their spread only as the root."""
        return self.least_expected < _ENOUGH_EXPECTED * float(np.sqrt(np.count_nonzero(self.used)))

    def diagnostic(self, null: str) -> dict[str, float | str]:
        """How full the table is, and which null distribution was used."""
        used = self.used
        return {
            "degrees_of_freedom": float(self.freedom),
            "rows_per_cell": self.rows_per_cell,
            "rows_used": float(self.sizes[used].sum()) / self.rows,
            "strata": float(len(self.sizes)),
            "least_expected": self.least_expected if used.any() else 0.0,
            "null": null,
        }


def _tabulate(x: Floats, y: Floats, given: Sequence[Floats]) -> _Table:
    """Count the combinations of levels that occur. Only the counting goes over the rows; the rest over the cells."""
    keys, cells, x_levels, y_levels = _occurring_cells(x, y, given)
    labels = keys // (x_levels * y_levels)
    stratum = np.cumsum(
        np.diff(labels, prepend=labels[0]) > 0, dtype=np.int64
    )  # 0, 1, ... without the strata that do not occur
    n_strata = int(stratum[-1]) + 1
    sizes = _sums(stratum, cells, n_strata)
    x_margin, in_x = _margin(stratum, keys // y_levels % x_levels, cells, x_levels)
    y_margin, in_y = _margin(stratum, keys % y_levels, cells, y_levels)
    expected = in_x * in_y / sizes[stratum]
    # A stratum's expected counts sum to its rows, so what its empty cells add is what the others leave.
    occurring = _sums(stratum, (cells - expected) ** 2 / expected, n_strata)
    pearson = occurring + np.maximum(sizes - _sums(stratum, expected, n_strata), 0.0)
    return _Table(len(x), cells, expected, pearson, sizes, x_margin, y_margin)


def _occurring_cells(x: Floats, y: Floats, given: Sequence[Floats]) -> tuple[Codes, Floats, int, int]:
    """The cells that occur, as increasing numbers of (stratum, x, y); their counts; the levels of x and of y."""
    strata, size = _strata(len(x), given)
    (x_codes, x_levels), (y_codes, y_levels) = _codes(x), _codes(y)
    if size * x_levels * y_levels > _LARGEST_KEY:
        strata, size = _compressed(strata)
    keys = (strata * x_levels + x_codes) * y_levels + y_codes
    return *_count(keys, size * x_levels * y_levels), x_levels, y_levels


def _strata(rows: int, given: Sequence[Floats]) -> tuple[Codes, int]:
    """The number of each row's stratum, and a number that is larger; tests with the same set share it."""

    def made() -> _Numbered:
        strata, size = np.zeros(rows, dtype=np.int64), 1
        for values in given:
            codes, levels = _codes(values)
            if size * levels > _LARGEST_KEY:
                strata, size = _compressed(strata)
            strata, size = strata * levels + codes, size * levels
        return _Numbered(tuple(given), strata, size)

    if not given:
        return np.zeros(rows, dtype=np.int64), 1
    found = _STRATA.get(tuple(map(id, given)), made)
    return found.codes, found.size


def _codes(values: Floats) -> tuple[Codes, int]:
    """A column's values as codes 0, 1, ... below a number of levels not much larger than the rows."""

    def made() -> _Numbered:
        codes = values.astype(np.int64)
        levels = int(codes.max()) + 1
        codes, levels = _compressed(codes) if levels > 4 * len(codes) + 1024 else (codes, levels)
        return _Numbered((values,), codes, levels)

    found = _CODES.get(id(values), made)
    return found.codes, found.size


class _Numbered(NamedTuple):
    """Codes below a size, and the values that they are of: as long as these are kept, no others have their `id`."""

    of: tuple[Floats, ...]
    codes: Codes
    size: int


def _bytes(kept: _Numbered) -> int:
    return int(kept.codes.nbytes) + sum(int(values.nbytes) for values in kept.of)


_CODES: Recent[int, _Numbered] = Recent(60_000_000, _bytes)
_STRATA: Recent[tuple[int, ...], _Numbered] = Recent(20_000_000, _bytes)


def _compressed(codes: Codes) -> tuple[Codes, int]:
    """Codes 0, 1, ... for those that occur, in the same order, and how many there are."""
    distinct, inverse = np.unique(codes, return_inverse=True)
    return inverse.astype(np.int64), len(distinct)


def _count(keys: Codes, size: int) -> tuple[Codes, Floats]:
    """The keys that occur, increasing, and how often."""
    if size > 16 * len(keys) + 1024:  # an array of that size would cost more than sorting
        distinct, counts = np.unique(keys, return_counts=True)
        return distinct, counts.astype(np.float64)
    full = np.bincount(keys, minlength=size)
    occurring = np.flatnonzero(full)
    return occurring, full[occurring].astype(np.float64)


def _sums(groups: NDArray[np.int64], values: Floats, count: int) -> Floats:
    """The sum of the values in each group."""
    return np.asarray(np.bincount(groups, values, count), dtype=np.float64)


def _margin(stratum: Codes, level: Codes, cells: Floats, levels: int) -> tuple[_Margin, Floats]:
    """The margin of one variable, and for each cell the count of its level in its stratum."""
    n_strata = int(stratum[-1]) + 1
    keys, of_cell = np.unique(stratum * levels + level, return_inverse=True)
    counts = _sums(of_cell, cells, len(keys))
    owner = keys // levels
    margin = _Margin(
        levels=np.bincount(owner, minlength=n_strata).astype(np.float64),
        least=np.minimum.reduceat(counts, np.flatnonzero(np.diff(owner, prepend=-1))),
        reciprocals=_sums(owner, 1 / counts, n_strata),
    )
    return margin, counts[of_cell]


def _moment_p_value(table: _Table) -> float:
    """The p-value of Pearson's statistic by its exact mean and variance given the margins of every stratum."""
    mean, variance = _moments(table)
    free = table.used & (variance > 1e-9 * mean)
    if not free.any():
        return 1.0
    total_mean, total_variance = float(mean[free].sum()), float(variance[free].sum())
    statistic = float(table.pearson[free].sum())
    return float(special.gammaincc(total_mean**2 / total_variance, statistic * total_mean / total_variance))


def _moments(table: _Table) -> tuple[Floats, Floats]:
    """Mean and variance of Pearson's statistic in each stratum; both 0 where a variable does not vary."""
    n, r, c = table.sizes, table.x.levels, table.y.levels
    mean = n * (r - 1) * (c - 1) / np.maximum(n - 1, 1)
    v_r, w_r = _spread(n, r, table.x.reciprocals)
    v_c, w_c = _spread(n, c, table.y.reciprocals)
    variance = 2 * n / np.where(n > 3, n - 3, 1) * (v_r - w_r) * (v_c - w_c) + n**2 / np.maximum(n - 1, 1) * w_r * w_c
    # Below four rows the formula divides by zero. Two rows leave no freedom; three do only in a 2 x 2 table, whose
    # margins are (2, 1), where the statistic is 3 in one of three arrangements and 3/4 in the others.
    few = np.where((n == 3) & (r == 2) & (c == 2), 9 / 8, 0.0)
    return mean, np.where(table.used, np.where(n > 3, np.maximum(variance, 0.0), few), 0.0)


def _spread(n: Floats, levels: Floats, reciprocals: Floats) -> tuple[Floats, Floats]:
    v = (levels - 1) * (n - levels) / np.maximum(n - 1, 1)
    w = (n * reciprocals - levels**2) / np.maximum(n - 2, 1)
    return v, w
