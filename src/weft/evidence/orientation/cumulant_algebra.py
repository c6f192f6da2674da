"""Linear restrictions on tilted cumulants, and their test: the algebra behind ``cumulant`` and ``lvlingam``.

Let (x, y) be a sum of independent sources, source k along the direction (u_k, v_k), and K(s, t) the logarithm of the
characteristic function E exp(i(s x + t y)). Then K is a sum of functions g_k(u_k s + v_k t), one for each source. Its
derivatives at 0 are the cumulants; its derivatives at another frequency w are the *tilted* cumulants: means,
covariances, ... of (x, y) under the weights exp(i w.(x, y)) / E exp(i w.(x, y)). Through the frequencies they hold what
the cumulants of all orders hold together, with the tails of the first two orders only, and odd orders do not vanish
for symmetric sources.

Operators that annihilate sources, one after the other until nothing is left:

- a source along an axis is known, and a *finite difference* of K removes it: g(t) does not change with s;
- a source along an unknown direction (u, v) is removed by the *derivative* v d/ds - u d/dt, whose coefficients are
  estimated. Two of them make a quadratic form in the derivatives with two real roots.

So each structure says that some form with few free coefficients, applied to rows of differences of tilted means (one
unknown direction) or tilted covariances (two), is 0 at every frequency:

===========  ==========================================  ======================  =======
structure    directions of the sources                   differences in          derivatives
===========  ==========================================  ======================  =======
->           (1, b), y axis                              s                       1
<-           (b, 1), x axis                              t                       1
<->          x axis, y axis, (a, c)                      s and t                 1
-> & <->     (1, b), y axis, (a, ab + c)                 s                       2
<- & <->     mirrored                                    t                       2
===========  ==========================================  ======================  =======

``<->`` is also ``-> & <->`` with one of the two directions on the x axis: the first coefficient is 0.

The restrictions are tested by the J statistic of the generalised method of moments in its continuous-updating form (the
coefficients minimise it with the covariance that belongs to them). It is calibrated by a bootstrap of recentred,
restudentised statistics with random row weights of mean, variance and third moment 1 (so that it gets the skewness of
the sums right, which resampling with its lost tail rows did not); a gamma distribution with the bootstrap's mean and
variance gives the p-value.

References
----------
Yeredor, *Blind source separation via the second characteristic function*, Signal Processing 80 (2000).
Comon and Rajih, *Blind identification of under-determined mixtures based on the characteristic function*, Signal
Processing 86 (2006).
Hansen, Heaton and Yaron, *Finite-sample properties of some alternative GMM estimators*, JBES 14 (1996).
Hall and Horowitz, *Bootstrap critical values for tests based on generalized-method-of-moments estimators*,
Econometrica 64 (1996). Mammen, *Bootstrap and wild bootstrap for high dimensional linear models*, Ann. Stat. 21 (1993).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import special

from weft.evidence.independence.kernels import standardise
from weft.evidence.orientation.protocol import STRUCTURES
from weft.graphs.criteria import Structure

Floats = NDArray[np.float64]
Complexes = NDArray[np.complex128]

STEP = 1.0
"""Distance of the two frequencies of a difference; columns have variance 1."""
RADIUS = 1.0
"""Distance of the frequencies from 0, by the columns' covariance: there |E exp| is about 0.6."""
ANGLES = 4
"""How many frequencies lie on the half circle (the other half has the conjugates)."""
_RIDGE = 1e-3
"""Added to covariances of rows, as a share of their mean variance."""


class Rows(NamedTuple):
    """Estimates that a form with the right coefficients takes to 0, with the influence of each observation."""

    values: Floats
    """One row for each real number that must vanish, one column for each coefficient."""
    influence: Floats
    """The same with a third axis for observations; its mean over them is 0."""


class PairRows(NamedTuple):
    """The rows for each sort of difference and each number of derivatives."""

    means_s: Rows
    means_t: Rows
    means_both: Rows
    covariances_s: Rows
    covariances_t: Rows


@dataclass(frozen=True)
class Fit:
    """A structure fitted to its rows.

    Attributes
    ----------
    statistic
        J, about chi-square with ``freedom`` degrees of freedom if the structure is right.
    coefficients
        Of the form, with norm 1.
    angles
        Of the estimated directions: source k goes along (cos, sin).
    """

    statistic: float
    freedom: int
    coefficients: Floats
    angles: Floats
    rows: Rows


class _Tilted(NamedTuple):
    """First and second cumulants under a tilt: (values, influence)."""

    means: tuple[Complexes, Complexes]
    covariances: tuple[Complexes, Complexes]


def standardised(values: Floats) -> Floats:
    """Mean 0 and variance 1."""
    centred = standardise(values)  # which squares no large number
    return np.asarray(centred / np.sqrt(np.mean(centred * centred)))


def swapped(x: Floats, y: Floats) -> bool:
    """Whether to exchange two standardised columns, so that a pair is looked at one way round whoever asks."""
    at = int(np.argmax(x != y))
    return bool(x[at] > y[at])


def pair_rows(x: Floats, y: Floats) -> PairRows:
    """All rows of two standardised columns whose correlation is not 1 or -1."""
    s, t = np.array([STEP / 2, 0.0]), np.array([0.0, STEP / 2])
    parts: list[list[tuple[Complexes, Complexes]]] = [[] for _ in PairRows._fields]
    for frequency in _frequencies(float(np.mean(x * y))):
        right, left, up, down = (_tilted(x, y, frequency + step) for step in (s, -s, t, -t))
        corners = [_tilted(x, y, frequency + step) for step in (s + t, -s - t, s - t, t - s)]
        parts[0].append(_difference([right.means], [left.means]))
        parts[1].append(_difference([up.means], [down.means]))
        parts[2].append(_difference([one.means for one in corners[:2]], [one.means for one in corners[2:]]))
        parts[3].append(_difference([right.covariances], [left.covariances]))
        parts[4].append(_difference([up.covariances], [down.covariances]))
    return PairRows(*(_real(part) for part in parts))


def _frequencies(correlation: float) -> list[Floats]:
    """0 and a half circle, by the columns' covariance; the same set when the columns are exchanged."""
    turns = np.pi * np.arange(ANGLES) / ANGLES
    along = RADIUS * np.cos(turns) / math.sqrt(2 * (1 + correlation))
    across = RADIUS * np.sin(turns) / math.sqrt(2 * (1 - correlation))
    return [np.zeros(2), *np.column_stack([along + across, along - across])]


def _tilted(x: Floats, y: Floats, frequency: Floats) -> _Tilted:
    tilt = np.exp(1j * (frequency[0] * x + frequency[1] * y))
    tilt /= tilt.mean()
    mean_x, mean_y = np.mean(tilt * x), np.mean(tilt * y)
    at_x, at_y = tilt * (x - mean_x), tilt * (y - mean_y)
    products = np.stack([at_x * (x - mean_x), at_x * (y - mean_y), at_y * (y - mean_y)])
    covariances = products.mean(axis=1)
    return _Tilted(
        (np.array([mean_x, mean_y]), np.stack([at_x, at_y])), (covariances, products - covariances[:, None] * tilt)
    )


def _difference(
    plus: Sequence[tuple[Complexes, Complexes]], minus: Sequence[tuple[Complexes, Complexes]]
) -> tuple[Complexes, Complexes]:
    values, influence = (np.asarray(sum(p[i] for p in plus) - sum(m[i] for m in minus)) for i in (0, 1))
    return values, influence


def _real(parts: Sequence[tuple[Complexes, Complexes]]) -> Rows:
    """Real and imaginary parts as rows of mean variance 1, without those that are 0 by symmetry."""
    values = np.array([half for value, _ in parts for half in (value.real, value.imag)])
    influence = np.array([half for _, one in parts for half in (one.real, one.imag)])
    scale = np.sqrt(np.mean(influence * influence, axis=(1, 2)))
    kept = scale > 1e-9
    scale = scale[kept]
    return Rows(values[kept] / scale[:, None], influence[kept] / scale[:, None, None])


def fit_direction(rows: Rows, columns: tuple[int, int] = (0, 1)) -> Fit:
    """Fit a form with two coefficients; for tilted means those that annihilate one direction."""
    chosen = Rows(rows.values[:, columns], rows.influence[:, columns])
    covariance = _covariance(chosen)
    centre, width = np.array([0.0]), np.pi / 2
    for points, shrink in ((181, 90.0), (9, 4.0), (9, 4.0), (9, 4.0)):
        grid = centre + width * np.linspace(-1, 1, points)
        statistics = _statistics(_line(grid), chosen, covariance)
        best = int(np.argmin(statistics))
        centre, width = grid[best], width / shrink
    coefficients = _line(np.atleast_1d(centre))[0]
    return Fit(float(statistics[best]), len(chosen.values) - 1, coefficients, np.atleast_1d(centre), chosen)


def fit_two_directions(rows: Rows) -> Fit:
    """Fit a quadratic form with two real roots, which annihilates two directions."""
    covariance = _covariance(rows)
    turns = np.pi * (np.arange(45) + 0.5) / 45
    grid = np.array([(one, other) for i, one in enumerate(turns) for other in turns[i + 1 :]])
    square = np.stack(np.meshgrid(*[np.linspace(-1, 1, 7)] * 2), -1).reshape(-1, 2)
    width = np.pi / 45
    for _ in range(5):
        statistics = _statistics(_quadratic(grid), rows, covariance)
        best = int(np.argmin(statistics))
        angles = grid[best]
        grid, width = angles + width * square, width / 3
    return Fit(float(statistics[best]), len(rows.values) - 2, _quadratic(angles[None])[0], angles, rows)


def no_effect_p_value(rows: Rows, column: int) -> float:
    """Whether one column of the rows is 0 by itself (then there is nothing to annihilate): chi-square p-value."""
    chosen = Rows(rows.values[:, [column]], rows.influence[:, [column]])
    statistic = _statistics(np.ones((1, 1)), chosen, _covariance(chosen))[0]
    return float(special.chdtrc(len(chosen.values), statistic))


def _line(angles: Floats) -> Floats:
    """The forms sin(a) d/ds - cos(a) d/dt, which annihilate the directions (cos a, sin a)."""
    return np.stack([np.sin(angles), -np.cos(angles)], axis=-1)


def _quadratic(angles: Floats) -> Floats:
    """Products of two such forms: coefficients of d/ds^2, d/ds d/dt and d/dt^2."""
    (s, c), (z, k) = ((np.sin(angles[:, i]), np.cos(angles[:, i])) for i in (0, 1))
    forms = np.stack([s * z, -(s * k + c * z), c * k], axis=-1)
    return np.asarray(forms / np.linalg.norm(forms, axis=-1, keepdims=True))


def _covariance(rows: Rows) -> Floats:
    """For each pair of coefficients, the covariances of all rows with all rows."""
    count, width, observations = rows.influence.shape
    flat = rows.influence.reshape(-1, observations)
    products = (flat @ flat.T / observations).reshape(count, width, count, width)
    return np.asarray(products.transpose(1, 3, 0, 2).reshape(width * width, count, count))


def _statistics(forms: Floats, rows: Rows, covariance: Floats) -> Floats:
    """J for each of some forms."""
    outer = (forms[:, :, None] * forms[:, None, :]).reshape(len(forms), -1)
    weights = _with_ridge(np.tensordot(outer, covariance, 1))
    residuals = forms @ rows.values.T
    solved = np.linalg.solve(weights, residuals[..., None])[..., 0]
    return np.asarray(rows.influence.shape[-1] * np.einsum("tr,tr->t", residuals, solved))


def _with_ridge(covariances: Floats) -> Floats:
    size = covariances.shape[-1]
    mean = np.trace(covariances, axis1=1, axis2=2) / size
    return np.asarray(covariances + (_RIDGE * mean + 1e-12)[:, None, None] * np.eye(size))


def bootstrap_weights(draws: int, rows: int, seed: int = 0) -> Floats:
    """Random row weights with mean, variance and third central moment 1: Mammen's two-point distribution, plus 1."""
    root = math.sqrt(5)
    often = np.random.default_rng(seed).random((draws, rows)) < (5 + root) / 10
    weights = np.where(often, (3 - root) / 2, (3 + root) / 2)
    return np.asarray(weights / weights.mean(axis=1, keepdims=True))


def bootstrap_p_value(fit: Fit, weights: Floats) -> float:
    """The p-value of a fit: how its J compares with those of recentred, reweighted samples."""
    draws = _bootstrap_statistics(fit, weights)
    mean, variance = float(draws.mean()), float(draws.var())
    if not variance > 1e-9 * mean * mean:
        return 1.0
    p_value = float(special.gammaincc(mean * mean / variance, fit.statistic * mean / variance))
    return min(max(p_value, 0.0), 1.0)


def _bootstrap_statistics(fit: Fit, weights: Floats) -> Floats:
    """J of each reweighted sample, with the form's coefficients fitted again to first order."""
    rows, count = fit.rows, len(fit.rows.values)
    observations = rows.influence.shape[-1]
    influence = np.einsum("p,rpn->rn", fit.coefficients, rows.influence)
    residuals = weights @ influence.T / observations
    upper = np.triu_indices(count)
    second = np.empty((len(weights), count, count))
    second[:, upper[0], upper[1]] = weights @ (influence[upper[0]] * influence[upper[1]]).T / observations
    second[:, upper[1], upper[0]] = second[:, upper[0], upper[1]]
    root = np.linalg.cholesky(_with_ridge(second - residuals[:, :, None] * residuals[:, None, :]))
    free = np.linalg.svd(fit.coefficients[None])[2][1:]  # the directions in which the coefficients can move
    slopes = np.einsum("qp,rpn->rqn", free, rows.influence).reshape(-1, observations)
    moved = (rows.values @ free.T) + ((weights - 1) @ slopes.T / observations).reshape(len(weights), count, -1)
    whitened = np.linalg.solve(root, residuals[..., None])
    basis = np.linalg.qr(np.linalg.solve(root, moved))[0]
    left = whitened - basis @ (basis.transpose(0, 2, 1) @ whitened)
    return np.asarray(observations * np.sum(left * left, axis=(1, 2)))


def shares(log_weights: Sequence[float]) -> dict[Structure, float]:
    """The five structures' shares from the logarithms of their weights, in the order of STRUCTURES."""
    logs = np.asarray(log_weights, dtype=np.float64)
    weights = np.exp(logs - logs.max())
    return dict(zip(STRUCTURES, (weights / weights.sum()).tolist(), strict=True))


def credible(posterior: dict[Structure, float], confidence: float) -> tuple[frozenset[Structure], float]:
    """The most probable structures with that probability together, and the log odds of them (at most 10)."""
    kept: set[Structure] = set()
    total = 0.0
    for structure in sorted(STRUCTURES, key=lambda one: -posterior[one]):
        if total >= confidence:
            break
        kept.add(structure)
        total += posterior[structure]
    rest = sum(share for structure, share in posterior.items() if structure not in kept)
    return frozenset(kept), min(math.log(total) - math.log(max(rest, 1e-300)), 10.0)


def log_odds_of(forward: float, backward: float) -> float:
    """Log odds of two probabilities, 10 at most either way; 0 if neither has any."""
    if max(forward, backward) < 1e-300:
        return 0.0
    return min(max(math.log(max(forward, 1e-300)) - math.log(max(backward, 1e-300)), -10.0), 10.0)
