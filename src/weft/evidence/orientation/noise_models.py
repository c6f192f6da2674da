"""Six models of an effect given its cause, fitted alike: three transforms of the effect, noise with or without a scale.

    h(effect) = f(cause) + g(cause) e,   h: identity, log of the distance from the origin, or normal scores;
                                         g: constant (*additive*) or a function (*location-scale*)

f and log g are penalised splines (:mod:`weft.evidence.orientation.smoothing`), fitted in turn: f with weights 1 / g^2,
log g to the logarithms of the residuals, then by scoring steps of the Gaussian likelihood. All that is asked of e is
that it be independent of the cause. Two measures of a fit:

*Dependence*
    HSIC of cause and e (:mod:`weft.evidence.orientation.dependence`): 1 if the model is right.
*Gain*
    How much the model knows about the effect from its cause, in nats: H(h(effect)) - mean log g - H(e), the entropies
    by spacings, e from leave-one-out residuals. It is at most the mutual information of the two columns, which is the
    same for both directions, and reaches it if the model is right: what is missing is the mutual information of cause
    and e. It does not change if the effect is measured on another scale. Nothing is measured more exactly than to a
    fiftieth of its spread: beyond that the gain is bounded.

References
----------
Vasicek, *A test for normality based on sample entropy*, J. R. Statist. Soc. B 38 (1976): entropy by spacings.

Robertson & Cryer, *An iterative procedure for estimating the mode*, JASA 69 (1974): the half-sample mode.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise
from weft.evidence.orientation.dependence import Dependence, cause_features, dependence, residual_features
from weft.evidence.orientation.smoothing import Fit, Smoother

_ROUNDS = 2
_FARTHEST = 3.0
"""A residual counts for the scale as if it were at most so many standard deviations."""
_LEAST_SCALE = 1e-3
"""Relative to the effect's standard deviation: measurements are not finer than this."""
_EDGE, _GAPS, _NEAREST = 0.15, 5, 0.003
"""A mode with a smaller share of the values on one side is at the edge; so many gaps are looked at there; and such a
share of values is too close to the origin for its logarithm to mean anything."""
_FINEST = 0.02
"""Noise that is smaller, relative to the effect's spread, counts as this large for the gain."""


class Model(NamedTuple):
    """A transform of the effect, and whether the noise has a scale that depends on the cause."""

    transform: str
    scaled: bool

    def __str__(self) -> str:
        return f"{self.transform}, scaled" if self.scaled else self.transform


@dataclass(frozen=True, eq=False)
class Fitted:
    """A fitted model.

    Attributes
    ----------
    noise, left_out
        e of each row, from the fitted values and from leave-one-out errors.
    scale
        g of each row.
    features
        Those of the cause, see :func:`weft.evidence.orientation.dependence.cause_features`.
    target
        The transformed effect, standardised.
    """

    noise: FloatArray
    left_out: FloatArray
    scale: FloatArray
    features: FloatArray
    target: FloatArray

    @property
    def dependence(self) -> Dependence:
        """The dependence of cause and noise."""
        return dependence(self.features, residual_features(self.noise))

    @property
    def gain(self) -> float:
        """How much the model knows about the effect from its cause, in nats."""
        left = spacing_entropy(self.left_out) + float(np.log(self.scale).mean()) - spacing_entropy(self.target)
        return -0.5 * math.log(math.exp(2 * min(left, 50.0)) + _FINEST**2)

    @property
    def log_likelihood(self) -> float:
        """The Gaussian log likelihood of a row of the target, from leave-one-out errors."""
        return -float(np.log(self.scale).mean()) - math.log(_spread(self.left_out)) - 0.5 * math.log(2 * math.pi) - 0.5


def fitted_models(cause: FloatArray, effect: FloatArray, models: Sequence[Model]) -> dict[Model, Fitted]:
    """The models fitted to standardised columns."""
    smoother, features = Smoother(cause), cause_features(cause)
    targets = {
        name: standardise(TRANSFORMS[name](effect)) for name in dict.fromkeys(model.transform for model in models)
    }
    plain = {name: smoother.fit(target) for name, target in targets.items()}
    return {model: _fitted(model, smoother, features, targets, plain) for model in models}


def _fitted(
    model: Model,
    smoother: Smoother,
    features: FloatArray,
    targets: Mapping[str, FloatArray],
    plain: Mapping[str, Fit],
) -> Fitted:
    target, location = targets[model.transform], plain[model.transform]
    scale = np.ones(len(target))
    for _ in range(_ROUNDS if model.scaled else 0):
        scale = _scale(smoother, location.left_out(target))
        location = smoother.fit(target, scale**-2)
    return Fitted((target - location.fitted) / scale, location.left_out(target) / scale, scale, features, target)


def _scale(smoother: Smoother, residual: FloatArray) -> FloatArray:
    """The spread of the residuals as a function of the cause."""
    sizes = np.abs(residual)
    floor = max(0.1 * float(np.median(sizes)), _LEAST_SCALE * float(sizes.mean()), 1e-9)
    logarithm = smoother.fit(np.log(np.maximum(sizes, floor))).fitted
    for _ in range(2):
        scale = np.exp(logarithm)
        scale *= _spread(residual / scale)
        ratio = np.minimum(sizes / scale, _FARTHEST) ** 2
        logarithm = smoother.fit(np.log(scale) + 0.5 * (ratio - ratio.mean())).fitted
    scale = np.maximum(np.exp(logarithm), _LEAST_SCALE)
    return np.asarray(scale * max(_spread(residual / scale), 1e-9))


def _spread(values: FloatArray) -> float:
    """The root mean square, never quite zero."""
    return math.sqrt(float(np.mean(values * values))) + 1e-12


def spacing_entropy(values: FloatArray) -> float:
    """The differential entropy in nats, from the distances of values that are the root of their number apart in order.

    >>> draws = np.random.default_rng(0).uniform(size=5000)
    >>> round(spacing_entropy(4 * draws) - spacing_entropy(draws), 6) == round(math.log(4), 6)
    True
    """
    ordered, rows = np.sort(values), len(values)
    apart = max(2, round(math.sqrt(rows)))
    place = np.arange(rows)
    high, low = np.minimum(place + apart, rows - 1), np.maximum(place - apart, 0)
    width = ordered[high] - ordered[low]
    least = 1e-4 * float(values.std()) + 1e-12
    return float(np.log(np.maximum(width, least) * rows / (high - low)).mean())


def log_distance(values: FloatArray) -> FloatArray:
    """The logarithm of the distance from the origin; the few values that are nearest count as equally near."""
    distance = np.abs(values - origin(values))
    positive = distance[distance > 0]
    least = max(float(np.quantile(distance, _NEAREST)), float(positive.min()))
    return np.asarray(np.log(np.maximum(distance, least)))


def origin(values: FloatArray) -> float:
    """Where a product of factors would vanish: the mode, or the edge of the data if the mode is close to it.

    An edge is known much better than a mode: it lies one mean gap beyond the last value, the mean being over a few.
    """
    mode = half_sample_mode(values)
    below = float(np.mean(values < mode))
    if _EDGE <= below <= 1 - _EDGE:
        return mode
    ordered = np.sort(values if below < _EDGE else -values)
    edge = float(ordered[0] - (ordered[_GAPS] - ordered[0]) / _GAPS)
    return edge if below < _EDGE else -edge


def half_sample_mode(values: FloatArray) -> float:
    """The mode: again and again the half of the values that lies closest together, until few are left.

    >>> half_sample_mode(np.array([0.0, 5.0, 5.5, 6.5, 9.0, 20.0]))
    5.25
    """
    left = np.sort(values)
    while len(left) > 3:
        half = (len(left) + 1) // 2
        start = int((left[half - 1 :] - left[: len(left) - half + 1]).argmin())
        left = left[start : start + half]
    if len(left) == 3:
        left = left[:2] if left[1] - left[0] < left[2] - left[1] else left[1:]
    return float(left.mean())


TRANSFORMS: Mapping[str, Callable[[FloatArray], FloatArray]] = {
    "identity": lambda values: values,
    "log": log_distance,
    "normal scores": normal_scores,
}
"""The transforms of an effect."""
ADDITIVE: tuple[Model, ...] = tuple(Model(name, False) for name in TRANSFORMS)
"""The models whose noise has no scale."""
LOCATION_SCALE: tuple[Model, ...] = tuple(Model(name, True) for name in TRANSFORMS)
"""The models whose noise has one."""
SIMPLE: tuple[Model, ...] = (Model("identity", scaled=False), Model("log", scaled=False))
"""Additive and multiplicative noise."""
MODELS = ADDITIVE + LOCATION_SCALE
"""All six."""
EXACT: tuple[Model, ...] = tuple(model for model in MODELS if model.transform != "log")
"""Those whose transform keeps all of the effect; a distance forgets the side, so that its gain is a bound only."""


def least_dependent(fits: Mapping[Model, Fitted], models: Sequence[Model]) -> tuple[Model, Dependence]:
    """The model that leaves the least dependence, and what it leaves."""
    found = {model: fits[model].dependence for model in models}
    best = min(found, key=lambda model: found[model].ratio)
    return best, found[best]


def gain_score(forward: float, backward: float, rows: int) -> float:
    """The difference of two gains, bounded by 1, in units in which chance does not grow with the rows."""
    return math.tanh((forward - backward) * math.sqrt(rows) / 6)
