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
Shah & Peters, *The hardness of conditional independence testing and the generalised covariance measure*, Ann.
Statist. 48 (2020).
Liu & Xie, *Cauchy combination test*, J. Amer. Statist. Assoc. 115 (2020).
Buckley & Eagleson, *An approximation to the distribution of quadratic forms in normal random variables*, Austral. J.
Statist. 30A (1988); Hall, *Chi squared approximations to the distribution of a sum of independent random variables*,
Ann. Probab. 11 (1983): three moments.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property, lru_cache
from itertools import count as counted
from itertools import groupby
from typing import Any, TypeAlias
from weakref import ref

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

FloatArray: TypeAlias = NDArray[np.float64]
Matrix: TypeAlias = NDArray[np.floating[Any]]
"""Numbers of either precision: with many rows large matrices are kept in single precision, and sums in double."""
Rows: TypeAlias = NDArray[np.intp]
"""Numbers of rows."""
Sums: TypeAlias = tuple[float, float, float]

_NEGLIGIBLE = 1e-7
"""Principal directions of features with a smaller share of the largest one's length are rounding."""
_LARGE = 0.9
"""P-values above this count as this in a combination."""
_BLOCK = 8
"""As many columns of a kernel as fit into the processor's cache."""
_STRIP = 64
"""So many rows of a symmetric matrix at a time are worked out from the diagonal on."""
_ENTRIES = 100_000
"""So many errors of several regressions are worked out at a time: they stay near the processor."""
_SINGLE = 2000
"""With more rows than this, large matrices are kept in single precision: twice as fast, half the memory."""
_UNEVEN = 1e-3
"""More than the share by which the squared length of what a basis explains may be wrong, in single precision."""
_DOUBLE = np.dtype(np.float64)
_SOME = 2000
"""About so many rows are enough for what is a small correction of the third moment."""


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

    >>> normal_scores(np.array([1.0, 5.0, 10.0, 1e9])).round(2).tolist()
    [-1.18, -0.33, 0.33, 1.18]
    """
    return scores_in_order(values)[0]


def scores_in_order(values: FloatArray) -> tuple[FloatArray, Rows | None]:
    """The normal scores, and the order that they were found by: see `untied_order`."""
    order = untied_order(values)
    if order is not None:
        scores = np.empty(len(values))
        scores[order] = _untied_scores(len(values))
        return scores, order
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    share = counts / len(values)
    scores = _quantiles((2 * np.cumsum(counts) - counts - len(values)) / (2 * len(values)))
    scores -= share @ scores  # over distinct values: the same rounding for any order of the rows
    length = math.sqrt(float(share @ scores**2) * len(values) / (len(values) - 1))
    return np.asarray(scores / length if length > 0 else scores)[place], None


def untied_order(values: FloatArray) -> Rows | None:
    """The rows in the order of the values; None if some are equal, since that leaves it open."""
    order = np.argsort(values)
    ordered = values[order]
    return order if np.all(ordered[1:] > ordered[:-1]) else None


@lru_cache(maxsize=8)
def _untied_scores(rows: int) -> FloatArray:
    """The scores of so many different values in their order: to the last bit, each is minus its mirror image."""
    scores = _quantiles((2 * np.arange(1, rows + 1) - 1 - rows) / (2 * rows))
    return np.asarray(scores / math.sqrt(float(scores @ scores) / (rows - 1)))


def _quantiles(from_the_middle: FloatArray) -> FloatArray:
    """The normal quantiles of shares, given by how far these are from one half; they turn with the sign."""
    return np.asarray(np.copysign(special.ndtri(0.5 - np.abs(from_the_middle)), from_the_middle))


def upright(columns: Sequence[FloatArray]) -> list[FloatArray]:
    """The columns with signs that depend on their joint content only, so that a column and its mirror image become one.

    The sign makes the sum of c * (squares of all others) positive, a sum that turns with c alone. The order of the rows
    does not matter. If it is zero (a fully symmetric design) the column stays as it is.
    """
    total = sum(column * column for column in columns)
    return [-column if sums_below_zero(column * (total - column * column)) else column for column in columns]


def sums_below_zero(values: FloatArray) -> bool:
    """Whether the sum of the values is negative; the same for any order, and not so for both them and their negatives.

    They are added as whole numbers, 62 bits of them, which needs no rounding.

    >>> sums_below_zero(np.array([0.1, 0.2, -0.3 - 1e-12])), sums_below_zero(np.array([1.0, -1.0]))
    (True, False)
    """
    largest = float(np.abs(values).max())
    if largest == 0:
        return False
    scale = 2.0 ** (62 - len(values).bit_length())
    return bool(np.rint(values / largest * scale).astype(np.int64).sum() < 0)


def precision(rows: int) -> np.dtype[Any]:
    """That of large matrices with so many rows."""
    return np.dtype(np.float32) if rows > _SINGLE else _DOUBLE


def canonical_rows(columns: Sequence[FloatArray]) -> Rows:
    """The rows sorted by the first column, ties by the next, and so on: an order that depends on their content only."""
    order = untied_order(columns[0])
    return order if order is not None else np.lexsort(columns[::-1])


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
    return _cholesky(points / (math.sqrt(2) * width), rank, tolerance, octaves)[0].T


def _cholesky(coordinates: FloatArray, rank: int, tolerance: float, octaves: int) -> tuple[FloatArray, list[int]]:
    squares = np.einsum("ij,ij->i", coordinates, coordinates)
    scratch = np.empty(len(coordinates))

    def column(pivot: int, out: FloatArray) -> None:
        _kernel_with(coordinates, squares, coordinates[pivot], out)
        _mean_of_octaves(out, octaves, scratch)

    return _pivoted(column, len(coordinates), rank, tolerance)


@dataclass(frozen=True, eq=False)
class LowRank:
    """Centred features, as a product that need not be formed.

    Attributes
    ----------
    columns
        Rows x rank, with mean zero.
    weights
        Rank x rank; the features are columns @ weights.
    pivots
        The points whose kernel with all rows the columns are, over root 2 times the width; none with few rows.
    """

    columns: Matrix
    weights: FloatArray
    pivots: FloatArray | None = None

    @property
    def rank(self) -> int:
        """How many features there are."""
        return int(self.columns.shape[1])

    def gram(self) -> FloatArray:
        """F'F for the features F."""
        columns = self.columns.astype(np.float64, copy=False)
        return np.asarray(self.weights.T @ (columns.T @ columns) @ self.weights)

    def turned(self, directions: FloatArray) -> Matrix:
        """The features times a matrix."""
        return turned(self.columns, self.weights @ directions)

    def along(self, basis: Matrix) -> FloatArray:
        """A basis, transposed, times the features."""
        return np.asarray((basis.T @ self.columns) @ self.weights, dtype=np.float64)


def low_rank(
    points: FloatArray, width: float, rank: int, tolerance: float, octaves: int = 1, among: int | None = None
) -> LowRank:
    """The features of `incomplete_cholesky`, centred; with pivots from a part of many rows.

    The pivots are taken from about ``among`` rows, evenly spread: every second, third, ... These rows are described as
    well as the tolerance says, and all others by the same pivots: with K the kernel of all rows with the pivots, and
    P the pivots' own features, a triangle, the features F have F P' = K. By default pivots are taken from all rows.
    """
    coordinates = points / (math.sqrt(2) * width)
    step = _step(len(points), among)
    if step == 1:
        factor, _ = _cholesky(coordinates, rank, tolerance, octaves)
        return LowRank(centred(factor.T), np.eye(len(factor)))
    some = np.ascontiguousarray(coordinates[::step])
    triangle, pivots = _pivots(_mean_of_octaves(_upper_kernel(some), octaves), rank, tolerance)
    return _described(coordinates, some[pivots], triangle, octaves)


def halved_low_rank(
    points: FloatArray, width: float, rank: int, tolerance: float, among: int | None = None
) -> Iterator[LowRank]:
    """`low_rank` of the width, of half of it, of a quarter, and so on without end.

    The kernel of half the width is the fourth power: of the rows from which pivots are taken, it is found without the
    exponentials, which in double precision take longer than all else there.
    """
    coordinates = points / (math.sqrt(2) * width)
    step = _step(len(points), among)
    if step == 1:
        yield from (low_rank(points, width / 2**octave, rank, tolerance) for octave in counted())
    some = np.ascontiguousarray(coordinates[::step])
    kernel = _upper_kernel(some)
    for octave in counted():
        triangle, pivots = _pivots(kernel, rank, tolerance)
        yield _described(coordinates * 2.0**octave, some[pivots] * 2.0**octave, triangle)
        np.square(kernel, out=kernel)
        np.square(kernel, out=kernel)


def _step(rows: int, among: int | None) -> int:
    """Pivots are taken from each so manieth row."""
    return 1 if among is None else max(rows // among, 1)


def _described(coordinates: FloatArray, pivots: FloatArray, triangle: FloatArray, octaves: int = 1) -> LowRank:
    """The features of all rows by these pivots, whose own features are the triangle."""
    inverse = linalg.solve_triangular(triangle, np.eye(len(pivots)), check_finite=False)
    return LowRank(_kernel_columns(coordinates, pivots, octaves), inverse / octaves, pivots)


def _kernel_columns(coordinates: FloatArray, pivots: FloatArray, octaves: int = 1) -> Matrix:
    """The sum of the kernels of all octaves of all rows with the pivots, each column with mean zero."""
    rows, _ = coordinates.shape
    factors = np.vstack([coordinates.T, np.einsum("ij,ij->i", coordinates, coordinates), np.ones(rows)])
    theirs = np.column_stack([2 * pivots, -np.ones(len(pivots)), -np.einsum("ij,ij->i", pivots, pivots)])
    kernel = np.empty((len(pivots), rows), dtype=precision(rows))
    total = np.ones(rows, dtype=kernel.dtype)
    for start in range(0, len(pivots), _BLOCK):
        block = kernel[start : start + _BLOCK]
        _kernel_sums(theirs[start : start + _BLOCK], factors, octaves, block)
        block -= (block @ total / rows)[:, None]
    return kernel.T


def _kernel_sums(theirs: FloatArray, factors: FloatArray, octaves: int, out: Matrix) -> None:
    """The sum of the kernels of all octaves of points with all rows, given by the factors of distances between them.

    Minus the squared distances, 2 ab - |b|^2 - |a|^2, are one product of matrices, in double precision, since
    differences of large numbers are taken. Rounding may leave one above zero, by far less than what is seen in single.
    """
    out[...] = theirs @ factors
    np.exp(out, out=out)
    power = out.copy() if octaves > 1 else out
    for _ in range(octaves - 1):
        np.square(power, out=power)
        np.square(power, out=power)  # half the width is the fourth power
        out += power


def _upper_kernel(coordinates: FloatArray) -> FloatArray:
    """The kernel of few rows with each other; below the diagonal anything finite."""
    squares = np.einsum("ij,ij->i", coordinates, coordinates)
    kernel: FloatArray = (2 * coordinates) @ coordinates.T
    kernel -= squares
    kernel -= squares[:, None]
    np.minimum(kernel, 0.0, out=kernel)
    for start in range(0, len(kernel), _STRIP):
        strip = kernel[start : start + _STRIP, start:]
        np.exp(strip, out=strip)
        kernel[start + _STRIP :, start : start + _STRIP] = 0.0
    np.fill_diagonal(kernel, 1.0)
    return kernel


def _mean_of_octaves(kernel: FloatArray, octaves: int, scratch: FloatArray | None = None) -> FloatArray:
    """The mean of a kernel and of those of half its width, a quarter, and so on, in its place."""
    if octaves == 1:
        return kernel
    power, scratch = kernel, np.empty_like(kernel) if scratch is None else scratch
    for _ in range(octaves - 1):
        np.square(power, out=scratch)
        np.square(scratch, out=scratch)
        kernel += scratch
        power = scratch
    kernel /= octaves
    return kernel


def _pivots(kernel: FloatArray, rank: int, tolerance: float) -> tuple[FloatArray, Rows]:
    """The pivots of `incomplete_cholesky` among few rows, and the upper triangle of their own features.

    With few rows the whole kernel is quick to make, and LAPACK to factor: until no entry that is left on the diagonal
    exceeds the tolerance, which is far enough for the mean of them. Below the diagonal the kernel may be anything.
    """
    factor, places, found, _ = linalg.lapack.dpstrf(kernel.T, tol=tolerance, lower=1)  # in LAPACK's order of memory
    upper = np.triu(factor.T[: min(found, rank)])
    left = len(kernel) - np.cumsum(np.einsum("ij,ij->i", upper, upper))
    count = min(int(np.sum(left > tolerance * len(kernel))) + 1, len(upper))
    return upper[:count, :count], places[:count] - 1


def centred(features: FloatArray) -> FloatArray:
    """The features with mean zero."""
    return np.asarray(features - features.mean(axis=0))


def pivoted_cholesky(column: Callable[[int], FloatArray], rows: int, rank: int, tolerance: float) -> FloatArray:
    """`incomplete_cholesky` of any kernel with ones on its diagonal, known by the columns of its matrix."""
    return _pivoted(lambda pivot, out: np.copyto(out, column(pivot)), rows, rank, tolerance)[0].T


def _pivoted(
    column: Callable[[int, FloatArray], None], rows: int, rank: int, tolerance: float
) -> tuple[FloatArray, list[int]]:
    """The features, one in each row, and the pivots; ``column`` writes that of a pivot where it is told to."""
    limit = min(rank, rows)
    factor = np.empty((limit, rows))
    left, taken = np.ones(rows), np.empty(rows)
    pivots: list[int] = []
    for count in range(limit):
        if np.add.reduce(left) <= tolerance * rows:
            return factor[:count], pivots
        pivot = int(left.argmax())
        pivots.append(pivot)
        new = factor[count]
        column(pivot, new)
        if count:
            new -= factor[:count, pivot] @ factor[:count]
        new /= math.sqrt(left[pivot])
        left -= np.multiply(new, new, out=taken)  # rounding may leave less than nothing, which is never the most
        left[pivot] = 0.0
    return factor, pivots


def _kernel_with(coordinates: FloatArray, squares: FloatArray, point: FloatArray, out: FloatArray) -> None:
    """The kernel of every row of the coordinates with a point, exp(-|a - b|^2); squares are those of their lengths."""
    if coordinates.shape[1] == 1:
        np.subtract(coordinates[:, 0], point[0], out=out)
        np.multiply(out, out, out=out)
        np.negative(out, out=out)
    else:
        np.matmul(coordinates, 2 * point, out=out)  # by |a - b|^2 = |a|^2 + |b|^2 - 2 ab
        out -= squares + point @ point
        np.minimum(out, 0.0, out=out)
    np.exp(out, out=out)


def principal(features: FloatArray, negligible: float = _NEGLIGIBLE) -> FloatArray:
    """The same features turned so that their columns are orthogonal, longest first, without the negligible ones."""
    values, directions = linalg.eigh(features.T @ features, check_finite=False)
    keep = values > negligible * max(float(values[-1]), 0.0)
    return np.asarray(turned(features, directions[:, keep][:, ::-1]), dtype=np.float64)


def leading(gram: FloatArray, most: int | None = None, share: float = 1.0) -> FloatArray:
    """The principal directions of features F with F'F = gram, longest first, without negligible ones.

    At most so many, and as few as hold this share of the trace.
    """
    values, directions = linalg.eigh(gram, check_finite=False, driver="evd")
    values, directions = values[::-1], directions[:, ::-1]
    held = np.cumsum(np.maximum(values, 0.0))
    keep = min(
        int(np.sum(values > _NEGLIGIBLE * max(float(values[0]), 0.0))),
        len(values) if most is None else most,
        int(np.searchsorted(held, share * held[-1])) + 1,
    )
    return np.asarray(directions[:, :keep])


def turned(features: Matrix, directions: Matrix) -> Matrix:
    """Their product, column after column in memory: what is done to features next is quickest so."""
    product: Matrix = (directions.T.astype(features.dtype) @ features.T).T
    return product


def crossed(one: Matrix, other: Matrix) -> FloatArray:
    """One matrix, transposed, times another, both with many rows, column after column in memory.

    With many rows and few columns SciPy's BLAS takes 8 % less time than NumPy's.
    """
    if not one.dtype == other.dtype == np.float32 or 0 in (one.size, other.size):
        return np.asarray(one.T @ other, dtype=np.float64)
    return np.asarray(linalg.blas.sgemm(1.0, one, other, trans_a=1), dtype=np.float64)


def gaussian_features(points: FloatArray, width: float, rank: int, tolerance: float, octaves: int = 1) -> FloatArray:
    """Centred principal features of a Gaussian kernel, or of the mean of several."""
    features = incomplete_cholesky(points, width, rank, tolerance, octaves)
    return principal(centred(features))


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
    products
        The basis, transposed, times others; the same for all smoothers with this basis.
    diagonals
        What `diagonal_with` found before. Few smoothers are best for anything: most pairs have met.
    """

    basis: Matrix
    shrinkage: FloatArray
    leverage: FloatArray
    products: dict[int, tuple[ref[Matrix], FloatArray]] = field(default_factory=dict)
    diagonals: dict[int, tuple[ref[Smoother], FloatArray]] = field(default_factory=dict)

    def product(self, other: Smoother) -> FloatArray:
        """The basis, transposed, times that of another; it is kept.

        The basis with fewer columns comes first, whoever asks first: rounding must not depend on that.
        """
        if other.basis.shape[1] < self.basis.shape[1]:
            return other.product(self).T
        known = self.products.get(id(other.basis))
        if known is None or known[0]() is not other.basis:
            known = ref(other.basis), np.asarray(self.basis.T @ other.basis, dtype=np.float64)
            self.products[id(other.basis)] = known
        return known[1]

    def diagonal_with(self, other: Smoother) -> FloatArray:
        """The diagonal of the product of the two, without intercepts; it is kept.

        As for `product`, the basis with fewer columns comes first.
        """
        if other.basis.shape[1] < self.basis.shape[1]:
            return other.diagonal_with(self)
        known = self.diagonals.get(id(other))
        if known is None or known[0]() is not other:
            if self.basis is other.basis:
                diagonal = (self.basis * self.basis) @ (self.shrinkage * other.shrinkage).astype(self.basis.dtype)
            else:
                through = self.shrinkage[:, None] * self.product(other) * other.shrinkage
                diagonal = np.einsum("ij,ij->i", turned(other.basis, through.T), self.basis)
            known = self.diagonals[id(other)] = ref(other), diagonal.astype(np.float64)
        return known[1]

    def residuals(self, targets: Matrix) -> Matrix:
        """What is left of centred targets."""
        targets = targets.astype(self.basis.dtype, copy=False)
        return targets - turned(self.basis, self.shrinkage[:, None] * (self.basis.T @ targets))

    def losses(self, targets: Matrix) -> FloatArray:
        """The squared leave-one-out error of each row of centred targets."""
        return self.losses_of(self.residuals(targets))

    def losses_of(self, residuals: Matrix) -> FloatArray:
        """The same from the residuals: each over 1 - leverage, so no regression is repeated."""
        return np.asarray(np.einsum("ij,ij->i", residuals, residuals) * self.penalty)

    @cached_property
    def penalty(self) -> FloatArray:
        """By what the square of each row's residual is multiplied for that of its leave-one-out error."""
        return np.asarray(1 / (1 - self.leverage) ** 2)

    @cached_property
    def removed(self) -> FloatArray:
        """The share of the variance along each column of the basis that is not among the residuals."""
        return np.asarray(1 - (1 - self.shrinkage) ** 2)

    @cached_property
    def even_diagonal(self) -> FloatArray:
        """The diagonal of I - 11'/n - B diag(removed) B': the variances of residuals of errors with variance 1."""
        own = (self.basis * self.basis) @ self.removed.astype(self.basis.dtype)
        return np.asarray(1 - 1 / len(own) - own.astype(np.float64))

    @cached_property
    def freedom(self) -> float:
        """The effective number of parameters, without the intercept."""
        return float(self.shrinkage.sum())


def mean_smoother(rows: int) -> Smoother:
    """The regression on nothing: every fitted value is the mean."""
    return Smoother(np.empty((rows, 0)), np.empty(0), np.full(rows, 1 / rows))


def mean_loss(targets: Matrix) -> float:
    """The sum of the squared leave-one-out errors of that on centred targets."""
    return float(np.einsum("ij,ij->", targets, targets, dtype=np.float64)) / (1 - 1 / len(targets)) ** 2


def ridge_smoothers(features: FloatArray, ridges: Sequence[float]) -> list[Smoother]:
    """Kernel ridge regressions on principal features, one for each ridge."""
    values = np.einsum("ij,ij->j", features, features)
    return _ridge_smoothers(features / np.sqrt(values), values, ridges)


@dataclass(frozen=True, eq=False)
class Outline:
    """What of the smoothers on some features takes longest to find, and little room to keep.

    Attributes
    ----------
    pivots
        Those of the features.
    weights
        The features' columns times these are the basis.
    values
        The squared lengths of the principal features.
    """

    pivots: FloatArray | None
    weights: Matrix
    values: FloatArray

    @property
    def nbytes(self) -> int:
        """The memory that it takes."""
        return int(self.weights.nbytes + self.values.nbytes + (0 if self.pivots is None else self.pivots.nbytes))


def outlined(features: LowRank) -> Outline:
    """The outline of the smoothers on the principal ones of any features.

    In single precision the shortest directions, small differences of large numbers, are orthogonal to some 3e-4.
    """
    gram = features.gram()
    directions = leading(gram)
    values = np.einsum("ij,ij->j", directions, gram @ directions)
    weights = features.weights @ (directions / np.sqrt(values))
    return Outline(features.pivots, weights.astype(features.columns.dtype), values)


def low_rank_smoothers(features: LowRank, ridges: Sequence[float]) -> list[Smoother]:
    """The same on the principal ones of any features."""
    return smoothers_of(features, outlined(features), ridges)


def smoothers_of(features: LowRank, outline: Outline, ridges: Sequence[float]) -> list[Smoother]:
    """The smoothers on features, whose outline is known."""
    return _ridge_smoothers(turned(features.columns, outline.weights), outline.values, ridges)


def smoothers_again(
    points: FloatArray, width: float, outlines: Sequence[Outline], ridges: Sequence[float]
) -> list[Smoother]:
    """The smoothers on features of `halved_low_rank`, to the last bit, from the outlines of the first few."""
    coordinates = points / (math.sqrt(2) * width)
    smoothers: list[Smoother] = []
    for octave, outline in enumerate(outlines):
        assert outline.pivots is not None, "features of few rows are made anew"
        columns = _kernel_columns(coordinates * 2.0**octave, outline.pivots)
        smoothers += _ridge_smoothers(turned(columns, outline.weights), outline.values, ridges)
    return smoothers


def _ridge_smoothers(basis: Matrix, values: FloatArray, ridges: Sequence[float]) -> list[Smoother]:
    shrinkages = values / (values + np.array(ridges)[:, None])
    own = (shrinkages.astype(basis.dtype) @ (basis * basis).T).astype(np.float64)
    leverages = np.minimum(own + 1 / len(basis), 0.999)
    products: dict[int, tuple[ref[Matrix], FloatArray]] = {}
    return [Smoother(basis, *both, products) for both in zip(shrinkages, leverages, strict=True)]


def best_fit(targets: Matrix, smoothers: Sequence[Smoother], slack: float) -> tuple[Smoother, float]:
    """The most flexible smoother whose leave-one-out error is within ``slack`` standard errors of the least.

    The standard error is that of the difference of the two errors over the rows. Why not simply the least error: what
    a regression fails to remove looks like dependence, and the least error is reached where as much is missed as
    overfitted. With it comes the sum of its squared leave-one-out errors.

    What cannot be chosen is not tried: if its residuals alone exceed the least error, and it is less flexible than the
    smoother with that. First come those with the basis of the one that looks best by its residuals and parameters.
    """
    along = {id(group[0].basis): _along(group[0].basis, targets) for group in _by_basis(smoothers)}
    residual = _residuals_at_least(targets, smoothers, along)
    freedom = np.array([one.freedom for one in smoothers])
    likely = smoothers[int((residual / (1 - freedom / len(targets)) ** 2).argmin())]
    losses, sums = np.empty((len(smoothers), len(targets))), np.full(len(smoothers), np.inf)
    known, wanted = np.zeros(len(smoothers), dtype=bool), np.array([one.basis is likely.basis for one in smoothers])
    while wanted.any():
        now: list[int] = np.flatnonzero(wanted).tolist()
        losses[now] = _losses_of_all([smoothers[place] for place in now], targets, along)
        sums[now] = losses[now].sum(axis=1)
        known |= wanted
        least = sums.argmin()
        wanted = ~known & ((residual <= sums[least]) | (freedom >= freedom[least]))
    places = np.flatnonzero(known)
    trials = Trials(tuple(freedom[places]), sums[places], losses[places] @ losses[places].T, len(targets))
    best = int(places[trials.best(slack)])
    return smoothers[best], float(sums[best])


def _along(basis: Matrix, targets: Matrix) -> Matrix:
    """The targets along a basis, one in each row; quicker than with the few targets first."""
    product: Matrix = (basis.T @ targets.astype(basis.dtype, copy=False)).T
    return product


def _residuals_at_least(targets: Matrix, smoothers: Sequence[Smoother], along: Mapping[int, Matrix]) -> FloatArray:
    """What the sum of the squared residuals of each smoother is no smaller than.

    It follows from the targets along an orthonormal basis, and a basis is that up to rounding only.
    """
    total = float(np.einsum("ij,ij->", targets, targets, dtype=np.float64))
    explained = {basis: np.einsum("ij,ij->j", one, one, dtype=np.float64) for basis, one in along.items()}
    return np.array([total * (1 - _UNEVEN) - float(one.removed @ explained[id(one.basis)]) for one in smoothers])


@dataclass(frozen=True, eq=False)
class Trials:
    """What the choice among smoothers takes from their squared leave-one-out errors on the same targets.

    Attributes
    ----------
    freedom
        The effective number of parameters of each smoother.
    sums, products
        The sums over the rows: of the errors of each, and of the products of the errors of every two.
    rows
        How many there are.
    """

    freedom: tuple[float, ...]
    sums: FloatArray
    products: FloatArray
    rows: int

    def best(self, slack: float, among: Sequence[int] | None = None) -> int:
        """The place of the best smoother, of all or of some; see `best_fit`."""
        places = np.arange(len(self.sums)) if among is None else np.asarray(among)
        sums, squares = self.sums[places], self.products.diagonal()[places]
        least = int(sums.argmin())
        above, beside = sums - sums[least], self.products[places, places[least]]
        variance = (squares - 2 * beside + squares[least]) / self.rows - (above / self.rows) ** 2
        within = above <= slack * np.sqrt(self.rows * np.maximum(variance, 0.0))  # the least one is, by none
        freedom = np.asarray(self.freedom)[places]
        return int(places[np.where(within, freedom, -1.0).argmax()])


def tried(targets: Matrix, smoothers: Sequence[Smoother]) -> Trials:
    """The leave-one-out errors of smoothers on centred targets."""
    along = {id(group[0].basis): _along(group[0].basis, targets) for group in _by_basis(smoothers)}
    losses = _losses_of_all(smoothers, targets, along)
    freedom = tuple(one.freedom for one in smoothers)
    return Trials(freedom, losses.sum(axis=1), losses @ losses.T, losses.shape[1])


def _by_basis(smoothers: Sequence[Smoother]) -> list[list[Smoother]]:
    """The smoothers in their order, cut where the basis changes."""
    return [list(group) for _, group in groupby(smoothers, key=lambda smoother: id(smoother.basis))]


def _losses_of_all(smoothers: Sequence[Smoother], targets: Matrix, along: Mapping[int, Matrix]) -> FloatArray:
    """The losses of smoothers, one in each row; ``along`` has the targets along each basis."""
    losses, start = np.empty((len(smoothers), len(targets))), 0
    for group in _by_basis(smoothers):
        _losses_in_basis(group, targets, along[id(group[0].basis)], losses[start : start + len(group)])
        start += len(group)
    return losses


def _losses_in_basis(smoothers: Sequence[Smoother], targets: Matrix, along: Matrix, losses: FloatArray) -> None:
    """The losses of smoothers that share a basis: one product of large matrices instead of many small ones."""
    basis = smoothers[0].basis
    across = targets.T.astype(basis.dtype, copy=False)
    weights = np.concatenate([along * smoother.shrinkage for smoother in smoothers]).astype(basis.dtype)
    together = max(_ENTRIES // len(weights), 1)
    for start in range(0, len(basis), together):
        rows = slice(start, start + together)
        missed = (weights @ basis[rows].T).reshape(len(smoothers), len(across), -1)
        missed -= across[:, rows]
        np.square(missed, out=missed)
        losses[:, rows] = missed.sum(axis=1)
    for row, smoother in zip(losses, smoothers, strict=True):
        row *= smoother.penalty


def freedom_factor(one: Smoother, other: Smoother, variance_one: FloatArray, variance_other: FloatArray) -> float:
    """By how much regression inflates the statistic beside the estimate of its null mean.

    Residuals M e of independent errors with variances V have covariance C = M V M. The statistic then has the mean sum
    of Cx * Cy (elementwise), while its estimate from the residuals, sum of |a_i|^2 |b_i|^2, knows the diagonals only.
    The quotient of the two is the n / (n - k) of ordinary regression, here for two smoothers and with variances that
    may differ from row to row. O(rows rank^2).
    """
    return inflation(residual_errors(one, variance_one), residual_errors(other, variance_other))


def even_freedom_factor(one: Smoother, other: Smoother) -> float:
    """`freedom_factor` where all variances are the same.

    C is M^2 then, which is I - 11'/n - B diag(E) B' with 1 - E = (1 - shrinkage)^2, as the basis B is orthonormal. Only
    the product of two different bases is one of large matrices, and smoothers keep that.
    """
    if one.basis is other.basis:
        shared = float(one.removed @ other.removed)
    else:
        shared = float(one.removed @ one.product(other) ** 2 @ other.removed)
    overlap = len(one.leverage) - 1 - float(one.removed.sum()) - float(other.removed.sum()) + shared
    return overlap / float(one.even_diagonal @ other.even_diagonal)


@dataclass(frozen=True, eq=False)
class ResidualErrors:
    """The covariance C = M V M of what a regression leaves of errors that are independent from row to row.

    M = I - B diag(shrinkage) B', B being the basis and before it the intercept's column, with length 1.

    Attributes
    ----------
    smoother, variance
        M and the diagonal of V.
    gram
        B' V B.
    diagonal
        That of C.
    others
        What is known about the bases of others, by their identity; see `across` and `beside`.
    """

    smoother: Smoother
    variance: FloatArray
    gram: FloatArray
    diagonal: FloatArray
    others: dict[tuple[str, int], tuple[ref[Matrix], FloatArray]] = field(default_factory=dict)

    def in_order(self, rows: Rows) -> ResidualErrors:
        """The rows in another order, if only rows with the same row of every basis change places."""
        return ResidualErrors(self.smoother, self.variance[rows], self.gram, self.diagonal[rows], self.others)

    def across(self, basis: Matrix) -> FloatArray:
        """B' V A for the basis A of another; it is kept."""
        return self._kept("across", basis, self._new_across)

    def beside(self, basis: Matrix) -> FloatArray:
        """A' V A for the basis A of another, with the intercept's column before it; it is kept."""
        return self._kept("beside", basis, lambda other: _weighted_gram(other, self.variance))

    def _kept(self, what: str, basis: Matrix, make: Callable[[Matrix], FloatArray]) -> FloatArray:
        known = self.others.get((what, id(basis)))
        if known is None or known[0]() is not basis:
            known = self.others[what, id(basis)] = ref(basis), make(basis)
        return known[1]

    def _new_across(self, basis: Matrix) -> FloatArray:
        own, variance = self.smoother.basis, self.variance.astype(basis.dtype)[:, None]
        if own.shape[1] < basis.shape[1]:
            return np.asarray((own * variance).T @ basis, dtype=np.float64)
        return np.asarray(own.T @ (basis * variance), dtype=np.float64)


def residual_errors(smoother: Smoother, variance: FloatArray) -> ResidualErrors:
    """The covariance of the residuals of errors with these variances."""
    basis = smoother.basis
    gram = _weighted_gram(basis, variance)
    factor = np.concatenate([[1.0], smoother.shrinkage])
    core = factor[:, None] * gram * factor
    # of M V M = V - V P - P V + P V P with P = B diag(shrinkage) B', whose diagonal is the leverage
    diagonal = forms(basis, core[1:, 1:])
    intercept = (core[0, 1:] * (2 / math.sqrt(len(basis)))).astype(basis.dtype)
    diagonal += basis @ intercept + core[0, 0] / len(basis)
    diagonal += variance * (1 - 2 * smoother.leverage)
    return ResidualErrors(smoother, variance, gram, diagonal)


def forms(rows: Matrix, core: FloatArray) -> FloatArray:
    """The quadratic form r'Cr of each row r, C symmetric.

    It is r'Tr as well, T the upper triangle of C with all twice but the diagonal, and that takes half the work.
    """
    triangle = np.asfortranarray(np.triu(2 * core) - np.diag(np.diag(core)), dtype=rows.dtype)
    times = linalg.blas.get_blas_funcs("trmm", (rows,))
    return np.asarray(np.einsum("ij,ij->i", times(1.0, triangle, rows, side=1), rows), dtype=np.float64)


def _weighted_gram(basis: Matrix, weights: FloatArray) -> FloatArray:
    """B' diag(weights) B for B, the basis with the intercept's column before it."""
    rows, rank = basis.shape
    weighted = basis * np.sqrt(weights).astype(basis.dtype)[:, None]
    gram = np.empty((rank + 1, rank + 1))
    gram[1:, 1:] = weighted.T @ weighted
    gram[0, 1:] = gram[1:, 0] = weights.astype(basis.dtype) @ basis / math.sqrt(rows)
    gram[0, 0] = weights.sum() / rows
    return gram


def inflation(one: ResidualErrors, other: ResidualErrors) -> float:
    """The sum of the elementwise product of two covariances, over that of their diagonals; see `freedom_factor`."""
    same = one.smoother.basis is other.smoother.basis
    return (_overlap_in_one_basis if same else _overlap)(one, other) / float(one.diagonal @ other.diagonal)


def _overlap_in_one_basis(one: ResidualErrors, other: ResidualErrors) -> float:
    """The sum of Cx * Cy without any product of large matrices.

    It is tr(Vx W Vy W) with W = Mx My, which in one basis is symmetric: W = I - B E B' with 1 - E = (1 - shrinkage of
    x)(1 - shrinkage of y).
    """
    kept = (1 - one.smoother.shrinkage) * (1 - other.smoother.shrinkage)
    both = np.concatenate([[1.0], 1 - kept])
    product = one.variance * other.variance
    diagonal = one.smoother.leverage + other.smoother.leverage - one.smoother.diagonal_with(other.smoother)
    within = product @ diagonal - product.mean()
    apart = np.sum((both[:, None] * one.gram * both) * other.gram)
    return float(product.sum() - 2 * within + apart)


def _overlap(one: ResidualErrors, other: ResidualErrors) -> float:
    """The sum of Cx * Cy for any two.

    It is the trace of Cx Cy. Let the basis A of x be the one with fewer columns, B that of y, S and T their shrinkage.
    Cx = Vx - P Vx - Vx P + P Vx P with P = A S A': Cy leaves nothing of the intercept. So it is the sum of vx times
    the diagonal of Cy, minus twice the trace of Vx Cy P, plus that of S A'VxA S A'CyA. Cy A = My Vy My A, and
    My A = A - B T B'A. Large matrices are multiplied for A'VyA, B'VyA and A'VxB, which a side has for all that have the
    same basis, and for the diagonal of the product of the two smoothers, which these keep.
    """
    if other.smoother.basis.shape[1] < one.smoother.basis.shape[1]:
        return _overlap(other, one)
    (x, y), shrinkage = (one.smoother, other.smoother), one.smoother.shrinkage
    removed = y.shrinkage[:, None] * x.product(y).T  # T B'A
    across, beside = other.across(x.basis), other.beside(x.basis)
    left = across - other.gram[1:, 1:] @ removed  # B'Vy My A
    mean = beside[0, 1:] - other.gram[0, 1:] @ removed  # the intercept's column, Vy, My A
    core = beside[1:, 1:] - across.T @ removed - removed.T @ left  # A'CyA
    taken = one.variance * other.variance @ (x.leverage - 1 / len(x.leverage) - x.diagonal_with(y))
    taken -= np.sum(one.across(y.basis).T * (y.shrinkage[:, None] * left * shrinkage))
    taken -= (one.gram[0, 1:] * shrinkage) @ mean
    kept = np.sum((shrinkage[:, None] * one.gram[1:, 1:] * shrinkage) * core)
    return float(one.variance @ other.diagonal - 2 * taken + kept)


def inflation_at_most(one: ResidualErrors, other: ResidualErrors) -> tuple[float, bool]:
    """A bound on `inflation` that takes no product of large matrices where that does; and whether it is exact.

    The sum of Cx * Cy is at most |Cx| |Cy| (Cauchy-Schwarz), and |M V M| at most |V|, as M shrinks.
    """
    if one.smoother.basis is other.smoother.basis:
        return inflation(one, other), True
    lengths = math.sqrt(float(one.variance @ one.variance) * float(other.variance @ other.variance))
    return lengths / float(one.diagonal @ other.diagonal), False


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
    """The null of |A'B|^2 if A and B, centred features, are independent; see `paired_power_sums`."""
    return paired_power_sums(sums_apart(one), sums_apart(other), len(one))


def paired_power_sums(one: Sums, other: Sums, rows: int) -> PowerSums:
    """The null of |A'B|^2 for independent features, from `sums_apart` of each.

    The statistic is the sum of K * L over all pairs of rows, K = A A', L = B B'. Pairing the rows at random, its
    diagonal hardly varies; variance and skewness come from pairs and triples of different rows (see below), whose mean
    products of K and of L multiply.
    """
    (first, second, third), (mean, square, cube) = one, other
    pairs, triples = rows * (rows - 1), rows * (rows - 1) * (rows - 2)
    return PowerSums(first * mean / (rows - 1), second * square / pairs, max(third * cube, 0.0) / triples)


def sums_apart(features: FloatArray, own: FloatArray | None = None) -> Sums:
    """The trace of K = F F', and the traces of the square and cube of K without its diagonal, which may be known."""
    diagonal = np.einsum("ij,ij->i", features, features) if own is None else own
    rank = features.shape[1]
    both = np.empty((2 * rank, len(features)))  # F and DF: with few columns one product is quicker than two
    both[:rank] = features.T
    np.multiply(features.T, diagonal, out=both[rank:])
    grams = features.T @ both.T
    gram = grams[:, :rank]
    return float(diagonal.sum()), *_without_diagonal(gram, diagonal, float(np.sum(gram * grams[:, rank:])))


def conditional_power_sums(one: FloatArray, other: FloatArray, most: int) -> PowerSums:
    """The null of |A'B|^2 for residual features.

    With H = (A A') * (B B'), elementwise, the statistic is the sum of all entries of H. Under independence the sign of
    each row of A is as good as the opposite one. Flipped at random, the statistic keeps its diagonal, so that its mean
    is tr H, its variance 2 tr O^2 and its third cumulant 8 tr O^3, O being H without its diagonal. (The eigenvalues of
    H itself, as in the published test, count the diagonal as if it varied: too much variance at a few hundred rows.)

    H = U U', U the products of every column of A with every column of B. Only the ``most`` products that matter most
    are formed; the diagonal is exact all the same, and the rest of variance and skewness is taken as if A and B were
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
    products = one.T[i] * other.T[j]
    gram = products @ products.T
    kept = np.einsum("ij,ij->j", products, products)
    products *= np.sqrt(kept)
    second, third = _without_diagonal(gram, kept, float(np.sum(gram * (products @ products.T))))
    rest = float((lengths**2).sum() - (lengths[i, j] ** 2).sum()) - float(diagonal @ diagonal - kept @ kept)
    third += float((lengths**3).sum() - (lengths[i, j] ** 3).sum())
    return PowerSums(float(diagonal.sum()), second + max(rest, 0.0), max(third, 0.0))


@dataclass(frozen=True, eq=False)
class Products:
    """What the null takes from the residual features of one side, whatever the other is: see `shared_power_sums`.

    Attributes
    ----------
    products
        Every product of two of the leading features, the first with itself, with the second, ...; one in each row.
    leading
        How many lead.
    lengths
        The squared length of every feature.
    own, leading_own
        For each row the sum of the squares of all features, and of those that lead.
    """

    products: Matrix
    leading: int
    lengths: FloatArray
    own: FloatArray
    leading_own: FloatArray

    @property
    def some(self) -> slice:
        """Rows that are enough for what is a small correction."""
        return slice(None, None, max(len(self.own) // _SOME, 1))

    @cached_property
    def among_some(self) -> Matrix:
        """The products in those rows, side by side in memory: each pair multiplies them."""
        return np.ascontiguousarray(self.products[:, self.some])

    def in_order(self, rows: Rows) -> Products:
        """The rows in another order."""
        products = reordered(self.products.T, rows).T
        return Products(products, self.leading, self.lengths, self.own[rows], self.leading_own[rows])


def products_of(features: Matrix, most: int) -> Products:
    """The products of features, longest first, of which at most so many lead."""
    leading = min(most, features.shape[1])
    products = np.empty((leading * (leading + 1) // 2, len(features)), features.dtype)
    start = 0
    for place in range(leading):
        end = start + leading - place
        np.multiply(features.T[place], features.T[place:leading], out=products[start:end])
        start = end
    squares = features * features
    columns, rows = np.ones(squares.shape[1], squares.dtype), np.ones(len(squares), squares.dtype)
    sums = squares @ columns, squares[:, :leading] @ columns[:leading], rows @ squares
    own, leading_own, lengths = (one.astype(np.float64) for one in sums)
    return Products(products, leading, lengths, own, leading_own)


def reordered(matrix: Matrix, rows: Rows) -> Matrix:
    """The rows in another order, where few change places."""
    moved = np.flatnonzero(rows != np.arange(len(rows)))
    if not len(moved):
        return matrix
    changed: Matrix = matrix.T.copy().T
    changed[moved] = matrix[rows[moved]]
    return changed


def shared_power_sums(one: Products, other: Products) -> PowerSums:
    """As `conditional_power_sums`, for many rows, from what each side has for all the others.

    Of the products of a column of A with one of B those of the leading columns are taken, i and j of A, k and l of B.
    Their Gram matrix has the entries sum of (A_i B_k) (A_j B_l) = sum of (A_i A_j) (B_k B_l): products within a side,
    which are formed once for all tests given the same set. Of the third moment, the trace of D (U U')^2 is a small
    correction, and some of the rows tell it.
    """
    rows = len(one.own)
    diagonal, weights = one.own * other.own, one.leading_own * other.leading_own
    sums = crossed(one.products.T, other.products.T)
    shown = weights[one.some]
    weighted = one.among_some * shown.astype(one.products.dtype)
    among = crossed(weighted.T, other.among_some.T)
    mixed = float(_times(one.leading) @ (sums * among) @ _times(other.leading))
    share = float(shown.sum() / weights.sum())
    second, third = _without_diagonal(_unfolded(sums, one.leading, other.leading), weights, mixed / share)
    lengths = np.multiply.outer(one.lengths, other.lengths) / rows
    taken = lengths[: one.leading, : other.leading]
    rest = float((lengths**2).sum() - (taken**2).sum()) - float(diagonal @ diagonal - weights @ weights)
    third += float(np.sum(lengths * lengths * lengths) - np.sum(taken * taken * taken))
    return PowerSums(float(diagonal.sum()), second + max(rest, 0.0), max(third, 0.0))


def _unfolded(sums: FloatArray, one: int, other: int) -> FloatArray:
    """The matrix of all (i, k) x (j, l) from that of all i <= j x k <= l."""
    whole = sums[_symmetric(one)][:, :, _symmetric(other)]
    return np.ascontiguousarray(whole.transpose(0, 2, 1, 3)).reshape(one * other, one * other)


@cache
def _symmetric(size: int) -> Rows:
    """For each i and j the place of the two, the smaller first, among all i <= j."""
    places = np.zeros((size, size), dtype=np.intp)
    i, j = np.triu_indices(size)
    places[i, j] = places[j, i] = np.arange(len(i))
    return places


@cache
def _times(size: int) -> FloatArray:
    """How many times each of all i <= j is there among all i and j."""
    i, j = np.triu_indices(size)
    return np.where(i == j, 1.0, 2.0)


def _without_diagonal(gram: FloatArray, diagonal: FloatArray, mixed: float) -> tuple[float, float]:
    """The traces of O^2 and O^3 for O = U U' without its diagonal D, from U'U, D, and the trace of D (U U')^2."""
    second = np.sum(gram * gram) - diagonal @ diagonal
    third = np.sum(gram * (gram @ gram)) - 3 * mixed + 2 * (diagonal * diagonal) @ diagonal
    return float(second), float(third)


def _largest(lengths: FloatArray, most: int) -> tuple[Rows, Rows]:
    """The places of the largest entries, at most so many, without those beyond all rounding."""
    flat = lengths.ravel()
    least = np.partition(flat, -most)[-most] if len(flat) > most else 0.0
    places = np.flatnonzero(flat >= least)  # to sort all of them would take longer than all else
    order = places[np.argsort(-flat[places], kind="stable")[:most]]
    i, j = np.unravel_index(order[flat[order] > 1e-9 * flat[order[0]]], lengths.shape)
    return i, j


# -------------------------------------------------------------------------------------------------------------- parts


def covariance_tail(one: FloatArray, other: FloatArray, inflation: float = 1.0) -> float:
    """The p-value of the covariance of two residuals: the generalised covariance measure of Shah & Peters.

    With R their products, row by row, T = sum R / sqrt(V) is standard normal for many rows. V is ``inflation`` (that
    of T^2 by the regressions: at most about n / (n - k) for n rows, k the smaller number of parameters of the two with
    the intercept, see `freedom_factor`) times the larger of two estimates: the sum of R^2, which is right
    whatever the variances of the rows, and (sum of one^2) (sum of other^2) / rows, which does not collapse if rare
    values of the two happen never to meet. As R is not centred in the first, |T| is at most the root of the rows and,
    for any numbers R with random signs, beyond t with a probability of at most 2 exp(-t^2 / 2): neither few rows nor
    far values make the far tail much heavier than the normal one.

    >>> round(covariance_tail(np.array([1.0, 1.0, 1.0, 1.0]), np.array([1.0, 1.0, 1.0, 1.0])), 4)  # T = 2
    0.0455
    """
    products = one * other
    variance = max(float(products @ products), float(one @ one) * float(other @ other) / len(one))
    return math.erfc(abs(float(products.sum())) / math.sqrt(2 * inflation * variance)) if variance > 0 else 1.0


def conditional_without(
    direction: FloatArray, one: Matrix, other: Matrix, cross: FloatArray, diagonal: FloatArray, null: PowerSums
) -> tuple[float, PowerSums]:
    """|A'B|^2 without what goes with one number a row, and its null from that of |A'B|^2 (`conditional_power_sums`).

    |A'B|^2 is |1'U|^2, U the products of every column of A with every column of B. Here U gives way to (I - rr') U, its
    residuals of a regression on r, the direction with length 1. H = U U', and O, H without its diagonal, lose r on both
    sides. O(rows columns of A columns of B): no product is formed, since U'v is A' diag(v) B. ``cross`` is A'B, and
    ``diagonal`` that of H.
    """
    length = math.sqrt(float(direction @ direction))
    if length == 0:
        return float(np.sum(cross**2)), null
    unit = direction / length
    along = _between(one, unit, other)
    statistic = float(np.sum((cross - unit.sum() * along) ** 2))
    image = np.einsum("ij,ij->i", turned(one, along), other).astype(np.float64) - diagonal * unit
    again = _between(one, image, other)
    moments = float(unit @ image), float(image @ image), float(np.sum(again**2) - diagonal @ image**2)
    return statistic, _compressed(null, float(np.sum(along**2)), moments)


def _between(one: Matrix, weights: FloatArray, other: Matrix) -> FloatArray:
    """A' diag(weights) B."""
    return crossed(one, weights.astype(other.dtype)[:, None] * other)


@dataclass(frozen=True, eq=False)
class Curve:
    """What a test without given columns takes from one column, whatever the other is.

    Attributes
    ----------
    unit
        The column, centred, with length 1.
    features
        Its centred features.
    own
        For each row the sum of their squares.
    sums
        `sums_apart` of them.
    along
        The features along the column.
    moments
        r'Or, r'O^2r and r'O^3r, r the column and O = F F' without its diagonal.
    """

    unit: FloatArray
    features: FloatArray
    own: FloatArray
    sums: Sums
    along: FloatArray
    moments: Sums

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.unit)

    def in_order(self, rows: Rows) -> Curve:
        """The rows in another order."""
        return Curve(
            self.unit[rows], self.features.take(rows, axis=0), self.own[rows], self.sums, self.along, self.moments
        )


def curve(column: FloatArray, features: FloatArray) -> Curve:
    """The curve of a centred column with these centred features."""
    unit = column / math.sqrt(float(column @ column))
    own = np.einsum("ij,ij->i", features, features)
    along = unit @ features
    return Curve(unit, features, own, sums_apart(features, own), along, _moments(unit, features, own, along))


def independent_without(one: Curve, other: Curve, cross: FloatArray, null: PowerSums) -> tuple[float, PowerSums]:
    """|A'B|^2 without the covariance of two columns, and its null from `paired_power_sums`; ``cross`` is A'B.

    With u and v the columns with length 1, A = u (u'A) + the rest and B = v (v'B) + the rest; of A'B the term with u'v
    is left out. Pairing the rows at random, all such terms are uncorrelated, and K x L (the Kronecker product) loses
    u x v on both sides.

    The rows' own share of |A'B|^2, the diagonal of K * L, hardly varies, unless rare values of the two fall together by
    chance (nine zeros in ten, say). What it has beyond its mean is no sign of dependence and is taken off.
    """
    rows, along, across = one.rows, one.along, other.along
    left = cross - float(one.unit @ other.unit) * np.outer(along, across)
    first = float(along @ along) * float(across @ across) / (rows - 1)
    moments = [m * n for m, n in zip(one.moments, other.moments, strict=True)]
    pairs, triples = rows * (rows - 1), rows * (rows - 1) * (rows - 2)
    excess = max(float(one.own @ other.own) - null.first, 0.0)
    return float(np.sum(left**2)) - excess, _compressed(null, first, moments, pairs, triples)


def _compressed(null: PowerSums, first: float, moments: Sequence[float], pairs: int = 1, triples: int = 1) -> PowerSums:
    """The sums without a direction r of O on both sides, from m_k = r' O^k r; ``first`` is that of the mean.

    With P = I - rr', tr (P O P)^2 = tr O^2 - 2 m_2 + m_1^2 and tr (P O P)^3 = tr O^3 - 3 m_3 + 3 m_1 m_2 - m_1^3.
    """
    m_1, m_2, m_3 = moments
    second = null.second - (2 * m_2 - m_1**2) / pairs
    third = null.third - (3 * m_3 - 3 * m_1 * m_2 + m_1**3) / triples
    return PowerSums(null.first - first, max(second, 0.0), max(third, 0.0))


def _moments(unit: FloatArray, features: FloatArray, diagonal: FloatArray, along: FloatArray) -> Sums:
    """r'Or, r'O^2r and r'O^3r for O = F F' without its diagonal; ``along`` is r'F."""
    image = features @ along - diagonal * unit
    again = image @ features
    return float(unit @ image), float(image @ image), float(again @ again - diagonal @ image**2)


def combined(*parts: tuple[float, float]) -> float:
    """One p-value from p-values, each with a weight, the weights adding up to 1: their Cauchy combination.

    cot(pi p) has the Cauchy distribution; a weighted mean of such variables has it as well if they are independent, and
    far out very nearly however they depend on each other. A small p-value counts by its weight: 1e-9 with the weight
    1/2 beside larger ones makes 2e-9, as in Bonferroni's rule; equal ones stay as they are. P-values above .9 count as
    .9, so that one near 1 does not outweigh a small one.

    >>> round(combined((0.01, 0.5), (0.5, 0.5)), 4), round(combined((0.03, 0.2), (0.03, 0.8)), 4)
    (0.02, 0.03)
    """
    counted = [(min(p_value, _LARGE), weight) for p_value, weight in parts if weight > 0]
    if len(counted) == 1:
        return next(p_value for p_value, weight in parts if weight > 0)
    if any(p_value == 0 for p_value, _ in counted):
        return 0.0
    total = sum(weight / math.tan(math.pi * p_value) for p_value, weight in counted)
    return math.atan2(1.0, total) / math.pi
