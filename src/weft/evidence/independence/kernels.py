"""The algebra that kernel tests share: low-rank features, regression on features, and null distributions.

Terms
-----
*Gaussian kernel*: k(a, b) = exp(-|a - b|^2 / (2 width^2)). *Features*: a matrix F with F F' equal to the kernel matrix
up to a tolerance; its rows are the points as the kernel sees them. With features everything costs O(rows rank^2) and
no matrix of rows x rows is ever made.

*Weighted chi-square*: sum of w_i times independent chi-square variables with one degree of freedom, the null
distribution of kernel statistics for many rows. It is known here by its power sums s_r = sum of w_i^r, r = 1, 2, 3,
which are traces and need no eigenvalues; its cumulants are s_1, 2 s_2, 8 s_3.

References
----------
Fine & Scheinberg, *Efficient SVM training using low-rank kernel representations*, JMLR 2 (2001): incomplete Cholesky.
Buckley & Eagleson, *An approximation to the distribution of quadratic forms in normal random variables*, Austral. J.
Statist. 30A (1988); Hall, *Chi squared approximations to the distribution of a sum of independent random variables*,
Ann. Probab. 11 (1983): three moments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

FloatArray: TypeAlias = NDArray[np.float64]

_NEGLIGIBLE = 1e-7
"""Principal directions of features with a smaller share of the largest one's length are rounding."""


# ------------------------------------------------------------------------------------------------------------- points


def standardise(values: FloatArray) -> FloatArray:
    """The values with mean 0 and standard deviation 1 (ddof=1), free of overflow; zeros if they are all the same.

    >>> standardise(np.array([1e300, 2e300, 4e300])).round(3).tolist()
    [-0.873, -0.218, 1.091]
    """
    if np.all(values == values[0]):
        return np.zeros_like(values)
    scaled = values / np.abs(values).max()
    centred = scaled - scaled.mean()
    centred = centred / np.abs(centred).max()  # before squaring: the spread may be tiny beside the mean
    centred -= centred.mean()
    return np.asarray(centred / math.sqrt(float(centred @ centred) / (len(values) - 1)))


def normal_scores(values: FloatArray) -> FloatArray:
    """The normal quantiles of the ranks, ties at their mean rank, scaled to standard deviation 1.

    A strictly increasing map of the values, and conditional independence does not change under such maps; what changes
    is that one far value no longer squeezes all others together.

    >>> normal_scores(np.array([1.0, 10.0, 1e9])).round(3).tolist()
    [-1.0, 0.0, 1.0]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    share = counts / len(values)
    middle = (2 * np.cumsum(counts) - counts - len(values)) / (2 * len(values))  # exact, and turns with the sign
    scores = np.copysign(special.ndtri(0.5 - np.abs(middle)), middle)
    scores -= share @ scores  # over distinct values: the same rounding for any order of the rows
    length = math.sqrt(float(share @ scores**2) * len(values) / (len(values) - 1))
    return np.asarray(scores / length if length > 0 else scores)[place]


def upright(columns: Sequence[FloatArray]) -> list[FloatArray]:
    """The columns with signs that depend on their joint content only, so that a column and its mirror image become one.

    The sign makes the sum of c * (squares of all others) positive, a sum that turns with c alone. It is added exactly,
    so that the order of the rows does not matter. If it is zero (a fully symmetric design) the column stays as it is.
    """
    total = sum(column * column for column in columns)
    return [-column if math.fsum(column * (total - column * column)) < 0 else column for column in columns]


def canonical_rows(columns: Sequence[FloatArray]) -> NDArray[np.intp]:
    """The rows sorted by the first column, ties by the next, and so on: an order that depends on their content only."""
    return np.lexsort(tuple(reversed([*columns])))


def squared_distances(points: FloatArray) -> FloatArray:
    """The matrix of squared Euclidean distances between the rows."""
    total = np.zeros((len(points), len(points)))
    for column in points.T:  # by differences: exact zeros for equal rows, which |a|^2 - 2ab + |b|^2 would not give
        total += (column[:, None] - column[None, :]) ** 2
    return total


def centred_kernel(points: FloatArray, width: float) -> FloatArray:
    """The Gaussian kernel matrix of the rows, its features moved to mean zero (H K H with H = I - 11'/n)."""
    kernel = np.exp(squared_distances(points) * (-0.5 / width**2))
    means = kernel.mean(axis=0)
    kernel -= means[None, :] + means[:, None]
    kernel += means.mean()
    return kernel


# ----------------------------------------------------------------------------------------------------------- features


def incomplete_cholesky(points: FloatArray, width: float, rank: int, tolerance: float, octaves: int = 1) -> FloatArray:
    """Features of a Gaussian kernel, or of the mean of several: the pivoted Cholesky factor, stopped early.

    The next pivot is the row that the features so far describe worst, the first one of several. It stops at ``rank``
    columns or when the mean of the diagonal that is not described falls below ``tolerance``.

    Parameters
    ----------
    points
        One row for each point.
    width, octaves
        The kernel is the mean of Gaussian kernels of the widths width, width / 2, width / 4, ...: so many of them.
    rank, tolerance
        When to stop.

    Returns
    -------
    ndarray
        Rows x columns; column i is zero at earlier pivots.

    >>> features = incomplete_cholesky(np.array([[0.0], [1.0], [1.0]]), 1.0, 3, 1e-9)
    >>> features.shape, (features @ features.T).round(3)[0].tolist()
    ((3, 2), [1.0, 0.607, 0.607])
    """
    coordinates = np.ascontiguousarray(points.T) / (math.sqrt(2) * width)
    return pivoted_cholesky(lambda pivot: _kernel_column(coordinates, pivot, octaves), len(points), rank, tolerance)


def pivoted_cholesky(column: Callable[[int], FloatArray], rows: int, rank: int, tolerance: float) -> FloatArray:
    """Features of any kernel with ones on its diagonal, known by the columns of its matrix; see `incomplete_cholesky`.

    ``column`` gives a new array each time, which is written to.
    """
    limit = min(rank, rows)
    factor = np.empty((limit, rows))
    left = np.ones(rows)
    for count in range(limit):
        if left.sum() <= tolerance * rows:
            return factor[:count].T
        pivot = int(left.argmax())
        new = column(pivot)
        if count:
            new -= factor[:count, pivot] @ factor[:count]
        new /= math.sqrt(left[pivot])
        factor[count] = new
        new *= new
        left -= new
        np.maximum(left, 0.0, out=left)
        left[pivot] = 0.0
    return factor.T


def _kernel_column(coordinates: FloatArray, pivot: int, octaves: int) -> FloatArray:
    """The mean kernel of every point with one; exp(-|a - b|^2) is the widest."""
    distances = coordinates[0] - coordinates[0, pivot]
    distances *= distances
    for coordinate in coordinates[1:]:
        difference = coordinate - coordinate[pivot]
        difference *= difference
        distances += difference
    kernel: FloatArray = np.exp(np.negative(distances, out=distances), out=distances)
    if octaves == 1:
        return kernel
    total: FloatArray = kernel.copy()
    for _ in range(octaves - 1):
        kernel *= kernel
        kernel *= kernel  # half the width is the fourth power
        total += kernel
    total /= octaves
    return total


def principal(features: FloatArray, negligible: float = _NEGLIGIBLE) -> FloatArray:
    """The same features turned so that their columns are orthogonal, longest first, without the negligible ones."""
    values, directions = linalg.eigh(features.T @ features, check_finite=False)
    keep = values > negligible * max(float(values[-1]), 0.0)
    turned: FloatArray = features @ directions[:, keep][:, ::-1]
    return turned


def gaussian_features(points: FloatArray, width: float, rank: int, tolerance: float, octaves: int = 1) -> FloatArray:
    """Centred principal features of a Gaussian kernel, or of the mean of several."""
    features = incomplete_cholesky(points, width, rank, tolerance, octaves)
    return principal(features - features.mean(axis=0))


# --------------------------------------------------------------------------------------------------------- regression


@dataclass(frozen=True, eq=False)
class Smoother:
    """A linear smoother with intercept: fitted values = mean + basis diag(shrinkage) basis' targets.

    Attributes
    ----------
    basis
        Orthonormal columns with mean zero.
    shrinkage
        One factor in [0, 1] for each column.
    leverage
        The diagonal of the smoother: the weight of each row in its own fitted value.
    """

    basis: FloatArray
    shrinkage: FloatArray
    leverage: FloatArray

    def residuals(self, targets: FloatArray) -> FloatArray:
        """What is left of centred targets."""
        return targets - self.basis @ (self.shrinkage[:, None] * (self.basis.T @ targets))

    def losses(self, targets: FloatArray) -> FloatArray:
        """The squared leave-one-out error of each row of centred targets."""
        return self.losses_of(self.residuals(targets))

    def losses_of(self, residuals: FloatArray) -> FloatArray:
        """The same from the residuals: each over 1 - leverage, so no regression is repeated."""
        return np.asarray(np.einsum("ij,ij->i", residuals, residuals) / (1 - self.leverage) ** 2)

    @property
    def freedom(self) -> float:
        """The effective number of parameters, without the intercept."""
        return float(self.shrinkage.sum())


def mean_smoother(rows: int) -> Smoother:
    """The regression on nothing: every fitted value is the mean."""
    return Smoother(np.empty((rows, 0)), np.empty(0), np.full(rows, 1 / rows))


def ridge_smoothers(features: FloatArray, ridges: Sequence[float]) -> list[Smoother]:
    """Kernel ridge regressions on principal features, one for each ridge."""
    values = np.einsum("ij,ij->j", features, features)
    basis = features / np.sqrt(values)
    squares = basis * basis
    smoothers = []
    for ridge in ridges:
        shrinkage = values / (values + ridge)
        leverage = np.minimum(squares @ shrinkage + 1 / len(basis), 0.999)
        smoothers.append(Smoother(basis, shrinkage, leverage))
    return smoothers


def best_smoother(targets: FloatArray, smoothers: Sequence[Smoother], slack: float) -> Smoother:
    """The most flexible smoother whose leave-one-out error is within ``slack`` standard errors of the least.

    The standard error is that of the difference of the two errors over the rows. Why not simply the least error: what
    a regression fails to remove looks like dependence, and the least error is reached where as much is missed as
    overfitted.
    """
    losses = [loss for group in _by_basis(smoothers) for loss in _all_losses(group, targets)]
    least = min(losses, key=np.sum)
    good = [smoother for smoother, loss in zip(smoothers, losses, strict=True) if _within(loss - least, slack)]
    return max(good, key=lambda smoother: smoother.freedom)


def _by_basis(smoothers: Sequence[Smoother]) -> list[list[Smoother]]:
    """The smoothers in their order, cut where the basis changes."""
    return [list(group) for _, group in groupby(smoothers, key=lambda smoother: id(smoother.basis))]


def _all_losses(smoothers: Sequence[Smoother], targets: FloatArray) -> list[FloatArray]:
    """The losses of smoothers that share a basis: one product of large matrices instead of many small ones."""
    basis, count = smoothers[0].basis, targets.shape[1]
    projected = basis.T @ targets
    fitted = basis @ np.hstack([smoother.shrinkage[:, None] * projected for smoother in smoothers])
    return [
        smoother.losses_of(targets - fitted[:, i * count : (i + 1) * count]) for i, smoother in enumerate(smoothers)
    ]


def _within(excess: FloatArray, slack: float) -> bool:
    """Whether a sum is at most so many of its standard errors above zero."""
    return bool(excess.sum() <= slack * math.sqrt(len(excess)) * excess.std())


def freedom_factor(
    one: Smoother,
    other: Smoother,
    variance_one: FloatArray | None = None,
    variance_other: FloatArray | None = None,
) -> float:
    """By how much regression inflates the statistic beside the estimate of its null mean.

    Residuals M e of independent errors with variances V have covariance C = M V M. The statistic then has the mean sum
    of Cx * Cy (elementwise), while its estimate from the residuals, sum of |a_i|^2 |b_i|^2, knows the diagonals only.
    The quotient of the two is the n / (n - k) of ordinary regression, here for two smoothers and with variances that
    may differ from row to row (by default they are equal). O(rows rank^2): C - V has twice the rank of the smoother.
    """
    even = np.ones(len(one.leverage))
    variance_one = even if variance_one is None else variance_one
    variance_other = even if variance_other is None else variance_other
    left_one, right_one = _covariance_change(one, variance_one)
    left_other, right_other = _covariance_change(other, variance_other)
    full = 2 * np.sum((right_one.T @ left_other) * (left_one.T @ right_other))
    full += 2 * np.sum((right_one.T @ right_other) * (left_one.T @ left_other))
    change_one = 2 * np.einsum("ij,ij->i", left_one, right_one)
    change_other = 2 * np.einsum("ij,ij->i", left_other, right_other)
    diagonal = (variance_one + change_one) @ (variance_other + change_other)
    return float(1 + (full - change_one @ change_other) / diagonal)


def _covariance_change(smoother: Smoother, variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """L and R with M V M = V + L R' + R L', M = I - 11'/n - basis diag(shrinkage) basis'."""
    rows = len(variance)
    basis = np.column_stack([np.full(rows, 1 / math.sqrt(rows)), smoother.basis])
    left = basis * np.concatenate([[1.0], smoother.shrinkage])
    weighted = variance[:, None] * basis
    return left, left @ (basis.T @ weighted) / 2 - weighted


# -------------------------------------------------------------------------------------------------------------- nulls


@dataclass(frozen=True)
class PowerSums:
    """A weighted chi-square distribution, known by the sums of the first three powers of its weights."""

    first: float
    second: float
    third: float

    def gamma_tail(self, statistic: float) -> float:
        """P(sum >= statistic) by the gamma distribution with the same mean and variance.

        >>> round(PowerSums(2.0, 2.0, 2.0).gamma_tail(4.0), 6) == round(math.exp(-2), 6)
        True
        """
        shape = self.first**2 / (2 * self.second)
        scale = 2 * self.second / self.first
        return float(special.gammaincc(shape, max(statistic, 0.0) / scale))

    def three_moment_tail(self, statistic: float) -> float:
        """P(sum >= statistic) by the shifted chi-square with the same mean, variance, skewness (Hall-Buckley-Eagleson).

        >>> round(PowerSums(2.0, 2.0, 2.0).three_moment_tail(4.0), 6) == round(math.exp(-2), 6)
        True
        """
        if self.third <= 1e-6 * self.second**1.5:  # no skewness to speak of: the limit is the normal distribution
            return float(special.ndtr((self.first - statistic) / math.sqrt(2 * self.second)))
        freedom = self.second**3 / self.third**2
        position = (statistic - self.first) * self.second / self.third + freedom
        return float(special.gammaincc(freedom / 2, max(position, 0.0) / 2))


def independent_power_sums(one: FloatArray, other: FloatArray) -> PowerSums:
    """The null of |A'B|^2 if A and B, centred features, are independent.

    The statistic is the sum of K * L over all pairs of rows, K = A A', L = B B'. Pairing the rows at random, its
    diagonal hardly varies; variance and skewness come from pairs and triples of different rows (see below), whose mean
    products of K and of L multiply.
    """
    rows = len(one)
    (first, second, third), (mean, square, cube) = (_apart(features) for features in (one, other))
    pairs, triples = rows * (rows - 1), rows * (rows - 1) * (rows - 2)
    return PowerSums(first * mean / (rows - 1), second * square / pairs, max(third * cube, 0.0) / triples)


def _apart(features: FloatArray) -> tuple[float, float, float]:
    """The trace of K = F F', and the traces of the square and cube of K without its diagonal."""
    gram = features.T @ features
    diagonal = np.einsum("ij,ij->i", features, features)
    squares = np.einsum("ij,ij->i", features @ gram, features)
    return float(diagonal.sum()), *_without_diagonal(gram, diagonal, squares)


def conditional_power_sums(one: FloatArray, other: FloatArray, most: int) -> PowerSums:
    """The null of |A'B|^2 for residual features.

    With H = (A A') * (B B'), elementwise, the statistic is the sum of all entries of H. Under independence the sign of
    each row of A is as good as the opposite one. Flipped at random, the statistic keeps its diagonal, so that its mean
    is tr H, its variance 2 tr O^2 and its third cumulant 8 tr O^3, O being H without its diagonal. (The eigenvalues of
    H itself, as in the published test, count the diagonal as if it varied: too much variance at a few hundred rows.)

    H = U U', U the products of every column of A with every column of B. Only the ``most`` products that matter most
    are formed; the diagonal is exact all the same, and the rest of the variance is taken as if A and B were
    independent. With few rows the matrix of rows x rows is the smaller one and everything is exact.
    """
    diagonal = np.einsum("ij,ij->i", one, one) * np.einsum("ij,ij->i", other, other)
    if len(one) <= most:
        product = (one @ one.T) * (other @ other.T)
        np.fill_diagonal(product, 0.0)
        square = product @ product
        return PowerSums(float(diagonal.sum()), float(np.trace(square)), max(float(np.sum(product * square)), 0.0))
    lengths = np.multiply.outer(np.einsum("ij,ij->j", one, one), np.einsum("ij,ij->j", other, other)) / len(one)
    i, j = _largest(lengths, most)
    products = one[:, i] * other[:, j]
    gram = products.T @ products
    kept = np.einsum("ij,ij->i", products, products)
    squares = np.einsum("ij,ij->i", products @ gram, products)
    second, third = _without_diagonal(gram, kept, squares)
    rest = float((lengths**2).sum() - (lengths[i, j] ** 2).sum()) - float(diagonal @ diagonal - kept @ kept)
    return PowerSums(float(diagonal.sum()), second + max(rest, 0.0), max(third, 0.0))


def _without_diagonal(gram: FloatArray, diagonal: FloatArray, squares: FloatArray) -> tuple[float, float]:
    """The traces of O^2 and O^3 for O = U U' without its diagonal, from U'U and the diagonals of U U' and (U U')^2."""
    second = np.sum(gram * gram) - diagonal @ diagonal
    third = np.sum(gram * (gram @ gram)) - 3 * (diagonal @ squares) + 2 * np.sum(diagonal**3)
    return float(second), float(third)


def _largest(lengths: FloatArray, most: int) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The places of the largest entries, at most so many, without those beyond all rounding."""
    order = np.argsort(-lengths, axis=None, kind="stable")[:most]
    flat = lengths.ravel()[order]
    i, j = np.unravel_index(order[flat > 1e-9 * flat[0]], lengths.shape)
    return i, j
