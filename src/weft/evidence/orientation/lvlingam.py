"""LiNGAM with a latent common cause, by maximum likelihood (Hoyer et al. 2008).

The model is that of ``cumulant``: x and y are linear in independent non-Gaussian sources, one noise for each and at
most one common cause. Here every source has a density of its own, a mixture of normal densities, and each structure is
an overcomplete independent component analysis in which the directions of some sources are known:

    ->  (1, b), (0, 1)      <->  (1, 0), (0, 1), (1, d)      -> & <->  (1, b), (0, 1), (1, d)

and the mirror images. With a mixture for each source the pair's density is a finite mixture over all combinations of
components, and so are the gradients of its logarithm; they are maximised by L-BFGS, from the directions that the
cumulants give.

Structures are compared by BIC. Two components each, as in the original, are too few: where the mixture misses the
shape of a noise, a third source makes up for it, and every unconfounded pair looks confounded. So the unconfounded
structures, for which the likelihood is a product of one-dimensional densities, get as many components as BIC wants up
to ``most``, and the three sources of a confounded structure only ``components`` each. What a common cause has to
explain is then what the best pair of independent noises cannot.

As with ``cumulant``, "confounded" means "confounded, if linear".

Scores and diagnostic
---------------------
``scores``: -BIC / 2 of each structure over the number of rows, minus that of the best one (which has 0).
``components_most``: the largest number of components that BIC chose for a noise of an unconfounded structure.

The log odds are differences of -BIC / 2, times ``temper``: the likelihood of a density that is only nearly right is
too sure of itself.

References
----------
Hoyer, Shimizu, Kerminen and Palviainen, *Estimation of causal effects using linear non-Gaussian causal models with
hidden variables*, Int. J. Approx. Reasoning 49 (2008).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import optimize

from weft.evidence.orientation.cumulant import refuse_levels, too_plain
from weft.evidence.orientation.cumulant_algebra import (
    Floats,
    PairRows,
    credible,
    fit_direction,
    fit_two_directions,
    log_odds_of,
    pair_rows,
    shares,
    standardised,
    swapped,
)
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD
from weft.evidence.orientation.protocol import STRUCTURES, Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

_LEAST_VARIANCE = 0.05**2
"""Of a component, in units of the columns: narrower ones would sit on single values."""
_STEEPEST = 8.0
"""Largest slope of a direction to start from."""
_COUNTS = (1, 2, 3, 4, 6, 8)
"""The numbers of components that are tried."""
_GAUSSIAN = 1e-6
"""Directions whose scores differ by less are alike."""
_UNSURE = math.log(3)
"""Log odds of a direction where neither is excluded, at most: too little to be taken."""


class _Density(NamedTuple):
    """A fitted density of one noise: minus the log likelihood, free parameters, and the components."""

    loss: float
    parameters: int
    components: int


@dataclass(frozen=True)
class LvLingam:
    """Which of the five structures a linear non-Gaussian pair has, by the likelihood of mixtures.

    Parameters
    ----------
    components
        Normal densities for each source of a confounded structure.
    most
        The most of them for a noise of an unconfounded structure.
    confidence
        The probability that the structures of the verdict must reach together.
    temper
        What log likelihoods are multiplied with before they become probabilities.
    rows
        The most rows that are looked at; evenly spaced ones, if there are more.
    fewest
        With fewer rows the pair is undecided.

    >>> e, f = np.random.default_rng(0).exponential(size=(2, 400))
    >>> x, y = (Column(n, Kind.CONTINUOUS, v) for n, v in [("x", e), ("y", f - e)])
    >>> print(*set(STRUCTURES) - LvLingam(components=2).judge(x, y).excluded)
    ->
    """

    name: ClassVar[str] = "lvlingam"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=True,
        linear=True,
        kinds=frozenset({Kind.CONTINUOUS}),
        text="Linear effects of independent sources, each a mixture of normal ones, at most one common cause.",
    )
    components: int = 3
    most: int = 8
    confidence: float = 0.9
    temper: float = 0.2
    rows: int = 3000
    fewest: int = 100

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {
            "components": self.components,
            "most": self.most,
            "confidence": self.confidence,
            "temper": self.temper,
            "rows": self.rows,
            "fewest": self.fewest,
        }

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence if a column does not hold numbers."""
        return refuse_levels(self.name, x, y)

    def judge(self, x: Column, y: Column) -> Judgement:
        """Judge the pair."""
        step = max(1, math.ceil(len(x.values) / self.rows))
        thin = [column.values[::step] for column in (x, y)]
        if any(np.all(values == values[0]) for values in thin):
            return Judgement(0.0, reason=f"a column is constant in every {step}. row; look at more rows")
        one, other = map(standardised, thin)
        problem = too_plain(one, other, self.fewest)
        if problem:
            return Judgement(0.0, reason=problem)
        if swapped(one, other):
            return self._judge(other, one).mirrored
        return self._judge(one, other)

    def _judge(self, x: Floats, y: Floats) -> Judgement:
        evidence, components = self._evidence(x, y)
        best = max(evidence.values())
        scores = {structure: (value - best) / len(x) for structure, value in evidence.items()}
        diagnostic: dict[str, float | str] = {"components_most": float(components)}
        if abs(evidence[Structure.CAUSES] - evidence[Structure.CAUSED]) < _GAUSSIAN * len(x):
            return Judgement(
                0.0, scores, reason="both directions fit alike: the pair is Gaussian", diagnostic=diagnostic
            )
        posterior = shares([self.temper * evidence[structure] for structure in STRUCTURES])
        kept, weight = credible(posterior, self.confidence)
        odds = log_odds_of(*(sum(posterior[one] for one in side) for side in (FORWARD, BACKWARD)))
        if Structure.CAUSES in kept and Structure.CAUSED in kept:
            odds = min(max(odds, -_UNSURE), _UNSURE)
            reason = "both directions fit nearly alike"
            return Judgement(odds, scores, reason=reason, diagnostic=diagnostic)
        reason = f"{max(posterior.values()):.0%} for the likeliest structure"
        return Judgement(odds, scores, frozenset(STRUCTURES) - kept, weight, reason, diagnostic)

    def _evidence(self, x: Floats, y: Floats) -> tuple[dict[Structure, float], int]:
        """-BIC / 2 of each structure, and the largest number of components of a noise."""
        rows, cost = pair_rows(x, y), math.log(len(x)) / 2
        sides = [[self._noise(one, None, cost), self._noise(other, one, cost)] for one, other in ((x, y), (y, x))]
        evidence = {
            structure: -sum(noise.loss + cost * noise.parameters for noise in noises)
            for structure, noises in zip((Structure.CAUSES, Structure.CAUSED), sides, strict=True)
        }
        points = np.column_stack([x, y])
        for structure, (directions, mirrored) in _starts(rows).items():
            loss, parameters = _mixture_of_sources(points[:, ::-1] if mirrored else points, directions, self.components)
            evidence[structure] = -(loss + cost * parameters)
        return evidence, max(noise.components for noises in sides for noise in noises)

    def _noise(self, values: Floats, cause: Floats | None, cost: float) -> _Density:
        """The density of a column, or of what a cause leaves of it, with the number of components that BIC likes."""
        fits = [_density(values, cause, count) for count in _COUNTS if count <= self.most]
        return min(fits, key=lambda fit: fit.loss + cost * fit.parameters)


def _density(values: Floats, cause: Floats | None, count: int) -> _Density:
    """A mixture for the values, or for ``values - b cause`` with b included in the fit."""
    slope = 0.0 if cause is None else float(np.mean(values * cause))
    regressors = np.zeros((len(values), 0)) if cause is None else cause[:, None]
    start = np.concatenate(
        [_start(values - regressors.sum(axis=1) * slope, count), np.full(regressors.shape[1], slope)]
    )

    def loss(parameters: Floats) -> tuple[float, Floats]:
        return _residual_loss(values, regressors, parameters, count)

    return _Density(_minimised(loss, start), len(start) - 1, count)


def _residual_loss(values: Floats, regressors: Floats, parameters: Floats, count: int) -> tuple[float, Floats]:
    """Minus the log likelihood of what the regressors leave of the values, and its gradient."""
    left = (values - regressors @ parameters[3 * count :])[:, None]
    weights, means, variances, chain = _components(parameters[: 3 * count], count)
    standard = (left - means) / variances
    logs = np.log(weights) - 0.5 * np.log(2 * np.pi * variances) - 0.5 * (left - means) * standard
    total = np.logaddexp.reduce(logs, axis=1)
    share = np.exp(logs - total[:, None])
    slopes = share * standard
    by_variance = 0.5 * np.sum(share * (standard**2 - 1 / variances), axis=0)
    gradient = chain(share.sum(axis=0), slopes.sum(axis=0), by_variance)
    return -float(total.sum()), -np.concatenate([gradient, slopes.sum(axis=1) @ regressors])


def _start(values: Floats, count: int) -> Floats:
    """Components at the quantiles: log weights, means, logarithms of standard deviations."""
    means = np.quantile(values, (np.arange(count) + 0.5) / count)
    spread = float(values.std()) / math.sqrt(count)
    return np.concatenate([np.zeros(count), means, np.full(count, math.log(max(spread, 0.05)))])


Chain = Callable[[Floats, Floats, Floats], Floats]
"""The gradient by the free parameters from those by log weights (as sums of shares), means and variances."""


def _components(parameters: Floats, count: int) -> tuple[Floats, Floats, Floats, Chain]:
    """Weights, means and variances of a mixture, and the chain rule back to the parameters."""
    logits, means, logs = parameters.reshape(3, count)
    weights = np.exp(logits - np.logaddexp.reduce(logits))
    weights = np.maximum(weights, 1e-12)
    scaled = np.exp(2 * np.clip(logs, -20, 5))

    def chain(share: Floats, by_mean: Floats, by_variance: Floats) -> Floats:
        return np.concatenate([share - weights * share.sum(), by_mean, by_variance * 2 * scaled])

    return weights, means, scaled + _LEAST_VARIANCE, chain


def _minimised(loss: Callable[[Floats], tuple[float, Floats]], start: Floats) -> float:
    options = {"maxiter": 200, "ftol": 1e-8}
    return float(optimize.minimize(loss, start, jac=True, method="L-BFGS-B", options=options).fun)


def _starts(rows: PairRows) -> dict[Structure, tuple[Floats, bool]]:
    """For each confounded structure the slopes of the free directions, and whether the columns are exchanged.

    A slope that is fixed at 0 (the x axis) is NaN.
    """
    common = _slopes(fit_direction(rows.means_both).angles)
    forward = _slopes(fit_two_directions(rows.covariances_s).angles)
    backward = _slopes(np.pi / 2 - fit_two_directions(rows.covariances_t).angles)
    return {
        Structure.COMMON: (np.array([np.nan, common[0]]), False),
        Structure.CAUSES_COMMON: (forward, False),
        Structure.CAUSED_COMMON: (backward, True),
    }


def _slopes(angles: Floats) -> Floats:
    cosines = np.where(np.abs(np.cos(angles)) < 1e-9, 1e-9, np.cos(angles))
    return np.asarray(np.clip(np.sin(angles) / cosines, -_STEEPEST, _STEEPEST))


def _mixture_of_sources(points: Floats, slopes: Floats, count: int) -> tuple[float, int]:
    """Minus the log likelihood of three sources along (1, slope), (1, slope) and (0, 1), and the free parameters.

    The first slope may be NaN: fixed at 0.
    """
    sources = _Sources.of(points, ~np.isnan(slopes), count)
    variances = _variances(points, np.nan_to_num(slopes))
    start = np.concatenate([slopes[sources.free], *(_start_source(variance, count) for variance in variances)])
    return _minimised(sources.loss, start), len(start) - 3


@dataclass(frozen=True)
class _Sources:
    """The likelihood of three sources, a finite mixture over the combinations of their components."""

    moments: Floats
    """For each row 1, x, y, xx, xy, yy."""
    free: NDArray[np.bool_]
    """Which of the two slopes is not fixed at 0."""
    count: int
    combinations: NDArray[np.intp]
    """The component of each source, one row for each combination."""
    chosen: Floats
    """For each source and component, 1 for the combinations that have it."""

    @classmethod
    def of(cls, points: Floats, free: NDArray[np.bool_], count: int) -> _Sources:
        x, y = points.T
        moments = np.column_stack([np.ones(len(x)), x, y, x * x, x * y, y * y])
        combinations = np.array(list(product(range(count), repeat=3)))
        chosen = np.stack([combinations[:, source] == np.arange(count)[:, None] for source in range(3)])
        return cls(moments, free, count, combinations, chosen.astype(np.float64))

    def loss(self, parameters: Floats) -> tuple[float, Floats]:
        """Minus the log likelihood, and its gradient."""
        mixing = self._mixing(parameters)
        parts = [_components(one, self.count) for one in parameters[self.free.sum() :].reshape(3, -1)]
        log_weights = self._combined([np.log(part[0]) for part in parts]).sum(axis=1)
        means = self._combined([part[1] for part in parts])
        variances = self._combined([part[2] for part in parts])
        centre = means @ mixing.T
        precision, log_determinant = _inverse(np.einsum("ik,ck,jk->cij", mixing, variances, mixing))
        logs = self.moments @ _coefficients(log_weights, centre, precision, log_determinant)
        top = logs.max(axis=1)
        share = np.exp(logs - top[:, None])
        totals = share.sum(axis=1)
        sums = (self.moments / totals[:, None]).T @ share
        by_centre, by_covariance = _moment_gradients(sums, precision, centre)
        by_mixing = by_centre.T @ means + 2 * np.einsum("cij,jk,ck->ik", by_covariance, mixing, variances)
        by_mean, by_variance = by_centre @ mixing, np.einsum("ik,cij,jk->ck", mixing, by_covariance, mixing)
        gradients = [
            part[3](one @ sums[0], one @ by_mean[:, k], one @ by_variance[:, k])
            for k, (part, one) in enumerate(zip(parts, self.chosen, strict=True))
        ]
        return -float(np.sum(np.log(totals) + top)), -np.concatenate([by_mixing[1, :2][self.free], *gradients])

    def _mixing(self, parameters: Floats) -> Floats:
        slopes = np.zeros(2)
        slopes[self.free] = parameters[: self.free.sum()]
        return np.array([[1.0, 1.0, 0.0], [*slopes, 1.0]])

    def _combined(self, parts: Sequence[Floats]) -> Floats:
        """A property of the components as one of the combinations, one column for each source."""
        return np.stack([part[self.combinations[:, k]] for k, part in enumerate(parts)], axis=1)


def _coefficients(log_weights: Floats, centre: Floats, precision: Floats, log_determinant: Floats) -> Floats:
    """The log density of each combination as coefficients of 1, x, y, xx, xy, yy."""
    linear = np.einsum("cij,cj->ci", precision, centre)
    constant = log_weights - 0.5 * (log_determinant + np.einsum("ci,ci->c", linear, centre)) - math.log(2 * math.pi)
    quadratic = [precision[:, 0, 0] / 2, precision[:, 0, 1], precision[:, 1, 1] / 2]
    return np.vstack([constant, linear.T, -np.stack(quadratic)])


def _inverse(matrices: Floats) -> tuple[Floats, Floats]:
    """Inverses and log determinants of symmetric matrices of two rows."""
    a, b, d = matrices[:, 0, 0], matrices[:, 0, 1], matrices[:, 1, 1]
    determinant = a * d - b * b
    inverse = np.stack([d, -b, -b, a], axis=-1).reshape(-1, 2, 2) / determinant[:, None, None]
    return inverse, np.log(determinant)


def _moment_gradients(sums: Floats, precision: Floats, centre: Floats) -> tuple[Floats, Floats]:
    """The log likelihood's gradients by the centres and covariances of the combinations.

    ``sums`` are the sums over rows of share times 1, x, y, xx, xy, yy, one column for each combination.
    """
    weight, first = sums[0], sums[1:3].T
    second = np.stack([sums[3], sums[4], sums[4], sums[5]], axis=-1).reshape(-1, 2, 2)
    outer = np.einsum("ci,cj->cij", first, centre)
    spread = second - outer - outer.transpose(0, 2, 1) + weight[:, None, None] * np.einsum("ci,cj->cij", centre, centre)
    by_centre = np.einsum("cij,cj->ci", precision, first - weight[:, None] * centre)
    return by_centre, 0.5 * (precision @ spread @ precision - weight[:, None, None] * precision)


def _variances(points: Floats, slopes: Floats) -> Floats:
    """Variances of three sources along these directions that fit the columns' covariance as far as they can."""
    covariance = points.T @ points / len(points)
    apart = slopes[1] - slopes[0]
    second = (covariance[0, 1] - slopes[0]) / apart if abs(apart) > 1e-3 else 0.5
    second = min(max(second, 0.15), 0.85)
    third = covariance[1, 1] - slopes[0] ** 2 * (1 - second) - slopes[1] ** 2 * second
    return np.array([1 - second, second, max(third, 0.15)])


def _start_source(variance: float, count: int) -> Floats:
    """Components spread over a source of that variance, not quite symmetric, so that skewness can go either way."""
    places = np.linspace(-0.9, 1.1, count) if count > 1 else np.zeros(1)
    spread = math.sqrt(variance)
    return np.concatenate([np.zeros(count), spread * places, np.full(count, math.log(0.6 * spread))])
