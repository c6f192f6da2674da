"""How much a column and a residual depend on each other, and what else the methods of direction share.

*Dependence* is HSIC between the normal scores of the cause and the residual, bent by the arc tangent at twice its
median deviation so that no outlier rules, with the kernel of :mod:`weft.evidence.independence.kcit` (Gaussian, three
octaves). The statistic over its mean under independence is the ``ratio``, about 1 if they are independent and growing
with the rows if not; the p-value is that of the three-moment null, which does not know that the residual comes from a
regression. (Normal scores of residuals were tried: where the noise has an edge, as exponential noise has, a small error
of the regression moves them too much, and true models were rejected in 38 % of cases at a nominal 5 %.)

*Mutual information* is the estimate from nearest neighbours (Kraskov, Stögbauer & Grassberger, *Estimating mutual
information*, Phys. Rev. E 69 (2004), the first estimator). Where so many rows are equal that the nearest neighbours are
at distance 0, all rows there are neighbours (Gao, Kannan, Oh & Viswanath, *Estimating mutual information for
discrete-continuous mixtures*, NeurIPS 2017).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from scipy import special
from scipy.spatial import cKDTree

from weft.evidence.independence.kernels import (
    FloatArray,
    Sums,
    incomplete_cholesky,
    normal_scores,
    paired_power_sums,
    standardise,
    sums_apart,
)
from weft.evidence.independence.recent import RecentOf
from weft.evidence.orientation.columns import canonical_pair
from weft.evidence.orientation.protocol import Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

MOST_ROWS = 2000
"""More rows are thinned to so many, always the same ones."""
_WIDTH, _OCTAVES, _RANK, _TOLERANCE = 2.0, 3, 60, 1e-3
LEAST_PROBABILITY = 1e-300
_LEVEL = 0.01
"""A model with a smaller p-value does not fit."""


@dataclass(frozen=True)
class Dependence:
    """What HSIC says: the statistic over its mean under independence, and the p-value."""

    ratio: float
    p_value: float


def cause_features(values: FloatArray) -> FloatArray:
    """Centred features of the normal scores."""
    return _features(normal_scores(values))


def residual_features(values: FloatArray) -> FloatArray:
    """Centred features of the bent values."""
    centred = values - np.median(values)
    width = 1.5 * float(np.median(np.abs(centred))) or float(np.abs(centred).mean()) or 1.0
    return _features(2 * np.arctan(centred / (2 * width)))


def level_features(codes: FloatArray) -> FloatArray:
    """Centred features of levels: equal ones are alike, others are not."""
    return _centred(np.eye(len(np.unique(codes)))[np.unique(codes, return_inverse=True)[1]])


def _centred(features: FloatArray) -> FloatArray:
    return np.asarray(features - features.mean(axis=0))


def _features(points: FloatArray) -> FloatArray:
    factor = incomplete_cholesky(points[:, None], _WIDTH, _RANK, _TOLERANCE, _OCTAVES)
    return _centred(factor)


def dependence(one: FloatArray, other: FloatArray) -> Dependence:
    """HSIC of two matrices of features; nothing depends on a constant."""
    null = paired_power_sums(_sums(one), _sums(other), len(one))
    if null.first <= 0 or null.second <= 0:
        return Dependence(1.0, 1.0)
    cross = one.T @ other
    statistic = float(np.sum(cross * cross))
    p_value = min(max(null.three_moment_tail(statistic), LEAST_PROBABILITY), 1.0)
    return Dependence(max(statistic / null.first, 1e-3), p_value)


def _sums(features: FloatArray) -> Sums:
    """What the null takes from one side: the same features are compared with those of many others."""
    return _SUMS.get((features,), lambda: sums_apart(features))


_SUMS: RecentOf[Sums] = RecentOf(16, lambda _: 1)


def mutual_information(one: FloatArray, other: FloatArray, neighbours: int) -> float:
    """The mutual information of two columns on the scales given, in nats."""
    rows = len(one)
    neighbours = min(neighbours, rows - 1)
    points = np.column_stack([one, other])
    tree = cKDTree(points)
    radii = tree.query(points, k=neighbours + 1, p=np.inf)[0][:, -1]
    tied = radii == 0
    near = np.full(rows, neighbours)
    if tied.any():
        near[tied] = tree.query_ball_point(points[tied], 0.0, p=np.inf, return_length=True)
    total = special.digamma(rows) + float(special.digamma(near).mean())
    # Strictly nearer than the last neighbour; at distance 0, equal.
    reach = np.where(tied, 0.0, np.nextafter(radii * (1 - 1e-12), 0.0))
    for side in (one, other):
        ordered = np.sort(side)
        counts = np.searchsorted(ordered, side + reach, "right") - np.searchsorted(ordered, side - reach, "left")
        total -= float(special.digamma(counts).mean())
    return float(total)


def sampled(x: Column, y: Column, most: int) -> tuple[FloatArray, FloatArray]:
    """Both columns standardised, rows in an order of their own, thinned to the same rows if there are too many."""
    one, other = canonical_pair(x.values, y.values)
    if len(one) > most:
        rows = np.sort(np.random.default_rng(len(one)).choice(len(one), most, replace=False))
        one, other = one[rows], other[rows]
    return one, other


def prepared(x: Column, y: Column, most: int = MOST_ROWS) -> tuple[FloatArray, FloatArray]:
    """As :func:`sampled`, without ties.

    The two columns break their ties by different random numbers, lest they move together; which column takes which
    depends on the values, so that nothing changes if they are swapped. Equal columns take the same.
    """
    return without_ties(*sampled(x, y, most))


def without_ties(one: FloatArray, other: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Both columns without ties, standardised again."""
    draws = np.random.default_rng(len(one)).random((2, len(one)))
    ranks = [np.unique(side, return_inverse=True)[1] for side in (one, other)]
    place = [0, 0]
    if differ := np.flatnonzero(ranks[0] != ranks[1]).tolist():
        place[int(ranks[0][differ[0]] < ranks[1][differ[0]])] = 1
    return standardise(untied(one, draws[place[0]])), standardise(untied(other, draws[place[1]]))


def untied(values: FloatArray, draws: FloatArray) -> FloatArray:
    """The values with equal ones spread out evenly, up to half the way to the next value on either side.

    Undoes rounding as far as that can be done: which column was written down with fewer digits says nothing about
    causes, yet ties would decide many a comparison of densities. Equal values are spread in the order of the draws.

    >>> untied(np.array([1.0, 2.0, 5.0, 2.0]), np.array([0.1, 0.7, 0.4, 0.3])).tolist()
    [1.0, 3.0, 5.0, 2.0]
    """
    distinct, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    if len(distinct) == len(values) or len(distinct) == 1:
        return values
    gaps = np.diff(distinct) / 2
    below, above = np.concatenate([gaps[:1], gaps]), np.concatenate([gaps, gaps[-1:]])
    order = np.lexsort((draws, place))
    within = np.empty(len(values))
    within[order] = np.arange(len(values)) - np.repeat(np.cumsum(counts) - counts, counts) + 0.5
    share = within / counts[place]
    spread = distinct[place] - below[place] + share * (below + above)[place]
    return np.where(counts[place] > 1, spread, values)


def log_ratio(backward: float, forward: float) -> float:
    """The logarithm of the quotient of two positive scores."""
    return math.log(backward) - math.log(forward)


def fit_judgement(odds: float, score: float, forward: Dependence, backward: Dependence) -> Judgement:
    """The judgement of a method that tests whether cause and residual are independent, either way round."""
    return Judgement(
        odds,
        {Structure.CAUSES: forward.p_value, Structure.CAUSED: backward.p_value},
        reason=_fits(forward.p_value, backward.p_value),
        diagnostic={"score": score, "ratio_forward": forward.ratio, "ratio_backward": backward.ratio},
    )


def _fits(forward: float, backward: float) -> str:
    if min(forward, backward) >= _LEVEL:
        return "the model fits both directions"
    if max(forward, backward) < _LEVEL:
        return "the model fits neither direction"
    return "the model fits one direction only"
