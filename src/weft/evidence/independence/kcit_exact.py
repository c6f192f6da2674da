"""The kernel test of conditional independence as published (KCIT), with full kernel matrices.

With Kx, Ky, Kz the centred Gaussian kernel matrices of (x, z/2), y and z, R = e (Kz + e I)^-1, A = R Kx R and B = R Ky
R, the statistic is the sum of A * B (elementwise), and its null is the gamma distribution with mean tr(A * B) and
variance 2 sum((A * B)^2). The published form writes these through eigenvectors of A and B; the sums are the same
without them: (A * B) has the same trace and the same sum of squares as the Gram matrix of all products of
eigenvectors. One Cholesky factor is left to compute. When nothing is conditioned on it is HSIC with the usual gamma
approximation.

Widths, ridge, scaling and null are those of causal-learn's KCI with its default settings (themselves those of the
authors' Matlab code), so that p-values agree with it to about 1e-4; they are fixed numbers that shrink in steps with
the rows. Known weakness: with a fixed ridge and width the regression on z can fail silently, and false positives
follow. Use ``kcit`` for work and this for comparison: it takes O(rows^3) time and five matrices of rows x rows.

Which of the two columns carries z matters slightly here, unlike in ``kcit``. So that the answer is the same whichever
way round it is asked, x is the column whose name comes first.

References
----------
Zhang, Peters, Janzing & Schölkopf, *Kernel-based conditional independence test and application in causal
discovery*, UAI 2011.

Gretton et al., *A kernel statistical test of independence*, NIPS 2008.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import linalg

from weft.errors import StudyError
from weft.evidence.independence.kcit import check_columns, no_freedom, refuse_categorical
from weft.evidence.independence.kernels import FloatArray, PowerSums, canonical_rows, centred_kernel, standardise
from weft.evidence.independence.protocol import Result
from weft.studies import Column

MOST_ROWS = 10_000
"""Beyond this the matrices do not fit into an ordinary machine (each takes 8 rows^2 bytes)."""


@dataclass(frozen=True)
class KcitExact:
    """The published kernel test of conditional independence.

    Parameters
    ----------
    ridge
        e above.

    >>> from weft.studies import Kind
    >>> generator = np.random.default_rng(0)
    >>> z, e, f = generator.standard_normal((3, 200))
    >>> x, y, given = (Column(n, Kind.CONTINUOUS, v) for n, v in [("x", z + e), ("y", z + f), ("z", z)])
    >>> KcitExact().test(x, y).p_value < 0.05 < KcitExact().test(x, y, [given]).p_value
    True
    """

    name: ClassVar[str] = "kcit-exact"
    ridge: float = 1e-3

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The ridge."""
        return {"ridge": self.ridge}

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """One sentence if a column is categorical."""
        return refuse_categorical(self.name, (x, y, *given))

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether x and y are independent given the columns."""
        check_columns(self.name, (x, y, *given))
        if len(x.values) > MOST_ROWS:
            raise StudyError(f"kcit-exact takes at most {MOST_ROWS} rows, not {len(x.values)}; use the test 'kcit'")
        one, other, *rest = _canonical_points(x, y, given)
        statistic, null = _conditional(one, other, np.hstack(rest), self.ridge) if rest else _marginal(one, other)
        p_value, undecided = null.gamma_tail(statistic), no_freedom(x, y, given)
        return Result(statistic=statistic, p_value=p_value, rows=len(one), undecided=undecided)


def _canonical_points(x: Column, y: Column, given: Sequence[Column]) -> list[FloatArray]:
    """The standardised columns, x and y and the given each in the order of their names, rows sorted by content."""
    pair, rest = (sorted(columns, key=lambda column: column.name) for columns in ((x, y), given))
    points = [standardise(column.values) for column in (*pair, *rest)]
    rows = canonical_rows(points)
    return [column[rows][:, None] for column in points]


def _marginal(x: FloatArray, y: FloatArray) -> tuple[float, PowerSums]:
    """HSIC: the statistic and its null, whose weights are products of eigenvalues."""
    rows = len(x)
    width = _by_rows(rows, 0.8, 0.5, 0.3)
    a, b = centred_kernel(x, width), centred_kernel(y, width)
    first = float(np.trace(a) * np.trace(b)) / rows
    second = float(np.sum(a * a) * np.sum(b * b)) / rows**2
    return float(np.sum(a * b)), PowerSums(first, second, math.nan)


def _conditional(x: FloatArray, y: FloatArray, z: FloatArray, ridge: float) -> tuple[float, PowerSums]:
    """KCIT: the statistic and its null, whose weights are the eigenvalues of A * B."""
    width = _by_rows(len(x), 1.2, 0.7, 0.4) * math.sqrt(z.shape[1])
    regression = centred_kernel(z, width)
    regression[np.diag_indices(len(z))] += ridge
    factor = linalg.cho_factor(regression, lower=True, overwrite_a=True, check_finite=False)

    def residual(kernel: FloatArray) -> FloatArray:
        half = ridge * linalg.cho_solve(factor, kernel, overwrite_b=True, check_finite=False)
        return np.asarray(ridge * linalg.cho_solve(factor, half.T, check_finite=False))

    product = residual(centred_kernel(np.hstack([x, z / 2]), width))
    product *= residual(centred_kernel(y, width))
    return float(product.sum()), PowerSums(float(np.trace(product)), float(np.sum(product * product)), math.nan)


def _by_rows(rows: int, few: float, some: float, many: float) -> float:
    """The authors' rule for widths, in standard deviations: below 200 rows, below 1200, and above."""
    if rows < 200:
        return few
    return some if rows < 1200 else many
