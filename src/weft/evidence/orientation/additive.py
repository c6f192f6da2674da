"""Additive regression of one column on several others: penalised splines, the penalty chosen by leave-one-out error.

The regression of t on columns z_1, ..., z_k is f_1(z_1) + ... + f_k(z_k). Each f is a straight line in the values plus
cubic splines on two scales, the values and their normal scores (a long tail needs the second); a column with levels has
a constant for each level instead. Second differences of the splines' coefficients are penalised, all by one penalty,
that with the least leave-one-out error. So there is one decomposition for each *set* of columns, whatever is regressed
on it, and everything costs O(rows x coefficients^2): some milliseconds at 3000 rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import linalg

from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise
from weft.evidence.orientation.smoothing import Fit, cubic_basis

INTERVALS = 8
"""Between knots, on each scale: a cause among others has less to say than a cause alone."""
PENALTIES: FloatArray = 10.0 ** np.arange(-4.0, 6.0)
_LEAST_PENALTY = 1e-8
"""Part of every regression: it settles what the two scales have in common."""
_HIGHEST_LEVERAGE = 0.999


@dataclass(frozen=True, eq=False)
class Terms:
    """What one column contributes to a regression: columns with mean zero, and the penalty on their coefficients."""

    basis: FloatArray
    penalty: FloatArray


def number_terms(values: FloatArray) -> Terms:
    """A line and splines on two scales."""
    scaled = standardise(values)
    distinct = len(np.unique(values))
    if distinct < 4:
        return level_terms(values)
    splines = [cubic_basis(scale, min(INTERVALS, distinct - 1)) for scale in (scaled, normal_scores(values))]
    basis = np.column_stack([scaled, *splines])
    penalty = linalg.block_diag(np.zeros((1, 1)), *(_second_differences(one.shape[1]) for one in splines))
    return Terms(basis - basis.mean(axis=0), penalty)


def level_terms(codes: FloatArray) -> Terms:
    """A constant for each level but the last."""
    places = np.unique(codes, return_inverse=True)[1]
    basis = np.eye(int(places.max()) + 1)[places][:, :-1]
    return Terms(basis - basis.mean(axis=0), np.zeros((basis.shape[1], basis.shape[1])))


def _second_differences(size: int) -> FloatArray:
    differences = np.diff(np.eye(size), 2, axis=0)
    return np.asarray(differences.T @ differences)


class Additive:
    """Additive regressions on a set of columns.

    >>> points = np.linspace(0, 1, 60)
    >>> fit = Additive([number_terms(points), number_terms(np.sin(40 * points))]).fit(3 * points)
    >>> bool(abs(fit.fitted - 3 * points).max() < 1e-6)
    True
    """

    def __init__(self, terms: Sequence[Terms]) -> None:
        basis = np.column_stack([one.basis for one in terms])
        data = basis.T @ basis
        penalty = linalg.block_diag(*(one.penalty * _relative(one, len(basis)) for one in terms))
        size = float(np.trace(data)) / len(data)
        data[np.diag_indices_from(data)] += _LEAST_PENALTY * size
        lower = linalg.cholesky(data, lower=True, check_finite=False)
        half = linalg.solve_triangular(lower, penalty, lower=True, check_finite=False)
        rough = linalg.solve_triangular(lower, half.T, lower=True, check_finite=False)
        roughness, turn = linalg.eigh((rough + rough.T) / 2, check_finite=False)
        change = linalg.solve_triangular(lower, turn, lower=True, trans="T", check_finite=False)
        self._directions: FloatArray = basis @ change
        self._shrinkage: FloatArray = 1 / (1 + np.multiply.outer(np.maximum(roughness, 0.0), PENALTIES))
        leverage = (self._directions * self._directions) @ self._shrinkage + 1 / len(basis)
        self._leverage: FloatArray = np.minimum(leverage, _HIGHEST_LEVERAGE)

    def fit(self, target: FloatArray) -> Fit:
        """The regression with the least leave-one-out error."""
        mean = float(target.mean())
        fitted = self._directions @ (self._shrinkage * (self._directions.T @ (target - mean))[:, None])
        losses = (((target - mean)[:, None] - fitted) / (1 - self._leverage)) ** 2
        losses = losses.mean(axis=0)
        best = int(losses.argmin())
        freedom = float(self._shrinkage[:, best].sum()) + 1
        return Fit(fitted[:, best] + mean, self._leverage[:, best], float(losses[best]), freedom)


def _relative(terms: Terms, rows: int) -> float:
    """What makes a penalty of 1 weigh as much as the data."""
    rough = float(np.trace(terms.penalty))
    return float(np.sum(terms.basis**2)) / rough if rough > 0 else 0.0
