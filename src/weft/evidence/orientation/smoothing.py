"""Regression of one column on another: penalised cubic splines, the penalty chosen by leave-one-out error.

The regression of t on c minimises sum w_i (t_i - f(c_i))^2 + penalty |D b|^2 over cubic splines f with coefficients b
on equally spaced knots; D takes second differences, so that a large penalty leaves a straight line. Knots are tried on
two scales of c, its values and its normal scores (a long tail needs the second, a straight line through a long tail
the first). Scale and penalty are those with the least leave-one-out error, which needs no second regression: the error
of a row left out is its residual over 1 - leverage. With k coefficients everything costs O(rows k^2), a few
milliseconds at 3000 rows.

References
----------
Eilers & Marx, *Flexible smoothing with B-splines and penalties*, Statist. Sci. 11 (1996).

Craven & Wahba, *Smoothing noisy data with spline functions*, Numer. Math. 31 (1979): leave-one-out.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from scipy import linalg

from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise

INTERVALS = 24
"""The most intervals between knots; the penalty does the smoothing."""
PENALTIES: FloatArray = 10.0 ** np.arange(-3.0, 8.0)
"""Candidate penalties, relative to the weight of the data."""
_HIGHEST_LEVERAGE = 0.999
_LEAST_PENALTY = 1e-7
"""Part of every regression, relative likewise: it fills the gaps between far values."""


@dataclass(frozen=True, eq=False)
class Fit:
    """A regression.

    Attributes
    ----------
    fitted
        The fitted value of each row.
    leverage
        The weight of each row in its own fitted value.
    loss
        The weighted mean square of the leave-one-out errors.
    freedom
        The effective number of parameters.
    """

    fitted: FloatArray
    leverage: FloatArray
    loss: float
    freedom: float

    def left_out(self, target: FloatArray) -> FloatArray:
        """The error in each row of the regression on all others (with the same penalty)."""
        return np.asarray((target - self.fitted) / (1 - self.leverage))


_Path: TypeAlias = tuple[FloatArray, FloatArray, FloatArray]
"""Directions, and for each penalty the shrinkage of each direction and the leverage of each row."""


class Spline:
    """Penalised cubic splines of given points, on equally spaced knots.

    >>> points = np.linspace(0, 1, 50)
    >>> fit = Spline(points).fit(2 * points + 1)
    >>> bool(abs(fit.fitted - 2 * points - 1).max() < 1e-9)
    True
    """

    def __init__(self, points: FloatArray, intervals: int = INTERVALS) -> None:
        intervals = max(1, min(intervals, len(np.unique(points)) - 1))
        self.basis = cubic_basis(points, intervals)
        differences = np.diff(np.eye(self.basis.shape[1]), 2, axis=0)
        self.penalty: FloatArray = differences.T @ differences
        self._even: _Path | None = None

    def fit(self, target: FloatArray, weights: FloatArray | None = None) -> Fit:
        """The regression with the least leave-one-out error; weights are relative, all equal if not given."""
        if weights is None:
            scaled = np.ones(len(target))
            if self._even is None:
                self._even = self._path(scaled)
            directions, shrinkage, leverage = self._even
        else:
            scaled = weights / weights.mean()
            directions, shrinkage, leverage = self._path(scaled)
        fitted = directions @ (shrinkage * (directions.T @ (scaled * target))[:, None])
        losses = scaled @ ((target[:, None] - fitted) / (1 - leverage)) ** 2 / len(target)
        best = int(losses.argmin())
        return Fit(fitted[:, best], leverage[:, best], float(losses[best]), float(shrinkage[:, best].sum()))

    def _path(self, weights: FloatArray) -> _Path:
        """What regressions with these weights take for all penalties, whatever the target is."""
        directions, roughness = self._directions(weights)
        shrinkage = 1 / (1 + np.multiply.outer(roughness, PENALTIES))
        leverage = (directions * directions) @ shrinkage
        leverage *= weights[:, None]
        return directions, shrinkage, np.minimum(leverage, _HIGHEST_LEVERAGE)

    def _directions(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Combinations of the basis in which data and penalty are both diagonal (Demmler & Reinsch)."""
        data = (self.basis * weights[:, None]).T @ self.basis
        penalty = self.penalty * (np.trace(data) / np.trace(self.penalty))
        data += _LEAST_PENALTY * penalty
        data[np.diag_indices_from(data)] += 1e-12 * np.trace(data)
        lower = linalg.cholesky(data, lower=True, check_finite=False)
        half = linalg.solve_triangular(lower, penalty, lower=True, check_finite=False)
        rough = linalg.solve_triangular(lower, half.T, lower=True, check_finite=False)
        roughness, turn = linalg.eigh((rough + rough.T) / 2, check_finite=False)
        roughness[:2] = 0.0  # straight lines, but for rounding, which a large penalty would multiply
        change = linalg.solve_triangular(lower, turn, lower=True, trans="T", check_finite=False)
        return self.basis @ change, np.maximum(roughness, 0.0)


class Smoother:
    """Regressions on one column: splines on its values and on its normal scores, whichever predicts better."""

    def __init__(self, cause: FloatArray) -> None:
        self.splines = tuple(Spline(scale(cause)) for scale in (standardise, normal_scores))

    def fit(self, target: FloatArray, weights: FloatArray | None = None) -> Fit:
        """The regression with the least leave-one-out error."""
        return min((spline.fit(target, weights) for spline in self.splines), key=lambda fit: fit.loss)


def cubic_basis(points: FloatArray, intervals: int) -> FloatArray:
    """The values of the intervals + 3 cubic B-splines at the points, from the least point to the greatest."""
    low, high = float(points.min()), float(points.max())
    place = (points - low) / (high - low if high > low else 1.0) * intervals
    cell = np.minimum(place.astype(np.intp), intervals - 1)
    t = place - cell
    pieces = (
        (1 - t) ** 3,
        3 * t**3 - 6 * t**2 + 4,
        -3 * t**3 + 3 * t**2 + 3 * t + 1,
        t**3,
    )
    basis = np.zeros((len(points), intervals + 3))
    rows = np.arange(len(points))
    for offset, piece in enumerate(pieces):
        basis[rows, cell + offset] = piece / 6
    return basis
