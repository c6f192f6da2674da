"""Partial correlation: the test for linear relations.

x and y are each regressed on the given columns (with an intercept) by least squares; r is the correlation of the two
residuals. If x and y are jointly normal given the rest and independent, then

    t = r sqrt(df / (1 - r^2)),    df = rows - 2 - rank of the given columns,

has Student's t distribution *exactly*, at every size. That is the p-value here. Fisher's z, sqrt(df - 1) artanh(r),
which gave the test its name, is the normal approximation of the same thing: the two agree to about .001 near p = .05,
but far out they part (20 rows, r = .86: 1.2e-6 by t, 1.0e-7 by z), and pooling lives on small p-values. Fisher's z
stands in the diagnostic for comparison with other software.

Which columns
-------------
Continuous, ordinal (the codes 0, 1, 2, ... serve as scores) and binary columns (one 0/1 contrast, the same whichever
level is 1). A categorical column has no order to put on a line and is refused. What the test sees is the linear part
of a relation only: it can miss curved dependence between x and y, and a curved influence of a given column stays in
the residuals and can make independent x and y look dependent.

Singular given sets
-------------------
A given column that is a linear function of the others adds nothing: the residuals, and so the test, are those without
it, and the degrees of freedom count the rank. If x or y itself is a linear function of the given columns, no residual
is left to correlate: that is an error that names the column.

References
----------
Fisher, *The distribution of the partial correlation coefficient*, Metron 3 (1924).
Anderson, *An Introduction to Multivariate Statistical Analysis*, 3rd ed., section 4.3 (2003).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from weft.evidence.independence.protocol import DegenerateError, Result
from weft.studies import Column, Kind

_SINGULAR = 1e-9
"""A standardised column with a smaller share of its length left after regression is a function of the regressors."""

_ROUNDING = 2.0**-52
"""A correlation nearer to 1 or -1 than this is that number; statistics stay finite."""


@dataclass(frozen=True)
class FisherZ:
    """Student's t test of a partial correlation.

    >>> import numpy as np
    >>> x = Column("x", Kind.CONTINUOUS, np.array([1.0, 2.0, 3.0, 4.0, 5.0]))
    >>> y = Column("y", Kind.CONTINUOUS, np.array([2.0, 1.0, 4.0, 3.0, 5.0]))
    >>> result = FisherZ().test(x, y)
    >>> round(float(result.diagnostic["partial_correlation"]), 3), round(result.p_value, 3)
    (0.8, 0.104)
    """

    name: ClassVar[str] = "fisher-z"
    quick: ClassVar[bool] = True

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """There is nothing to set."""
        return {}

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """One sentence if a column is categorical."""
        for column in (x, y, *given):
            if column.kind is Kind.CATEGORICAL:
                return (
                    f"fisher-z needs numbers or ordered levels, and {column.name!r} is categorical; "
                    "use the test 'mixed', or 'g-square' if every column is discrete"
                )
        return None

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether the partial correlation of x and y is zero."""
        rows = len(x.values)
        basis = _orthonormal_basis([column.values for column in given], rows)
        freedom = rows - 1 - basis.shape[1]  # the basis holds the intercept
        if freedom < 1:
            raise DegenerateError(
                f"{rows} rows are too few for fisher-z on {x.name!r} and {y.name!r} given {len(given)} columns; "
                "condition on fewer columns"
            )
        r = float(np.clip(_residual(x, basis, given) @ _residual(y, basis, given), -1.0, 1.0))
        t = r * math.sqrt(freedom / max((1 - r) * (1 + r), _ROUNDING))
        return Result(
            statistic=t,
            p_value=min(1.0, 2 * float(special.stdtr(freedom, -abs(t)))),
            rows=rows,
            diagnostic={
                "partial_correlation": r,
                "degrees_of_freedom": float(freedom),
                "fisher_z": math.sqrt(freedom - 1) * math.atanh(max(-1 + _ROUNDING, min(r, 1 - _ROUNDING))),
                "given_rank": float(basis.shape[1] - 1),
            },
        )


def _standardised(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The values with mean 0 and length 1, free of overflow; zeros if they are all the same."""
    scale = float(np.abs(values).max(initial=0.0))
    if scale == 0:
        return np.zeros_like(values)
    scaled = values / scale
    centred = scaled - scaled.mean()
    centred -= centred.mean()  # once more: the rounding of a large mean
    length = float(np.linalg.norm(centred))
    return centred / length if length > 1e-14 * math.sqrt(len(values)) else np.zeros_like(values)


def _orthonormal_basis(columns: Sequence[NDArray[np.float64]], rows: int) -> NDArray[np.float64]:
    """An orthonormal basis of the span of the intercept and the columns, as many columns as their rank."""
    intercept = np.full((rows, 1), 1 / math.sqrt(rows))
    if not columns:
        return intercept
    matrix = np.column_stack([_standardised(column) for column in columns])
    factor, triangle, _ = linalg.qr(matrix, mode="economic", pivoting=True, check_finite=False)
    rank = int(np.count_nonzero(np.abs(np.diag(triangle)) > _SINGULAR))
    return np.hstack([intercept, factor[:, :rank]])


def _residual(column: Column, basis: NDArray[np.float64], given: Sequence[Column]) -> NDArray[np.float64]:
    """What the basis leaves of a column, with length 1."""
    residual = _standardised(column.values)
    for _ in range(2):  # twice is enough: the second pass removes what rounding left of the first
        residual = residual - basis @ (basis.T @ residual)
    length = float(np.linalg.norm(residual))
    if length < _SINGULAR:
        names = ", ".join(repr(one.name) for one in given)
        cause = f"is a linear function of {names}" if given else "is constant"
        raise DegenerateError(f"{column.name!r} {cause}, so fisher-z has nothing left to test; leave a column out")
    return residual / length
