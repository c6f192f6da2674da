"""Additive noise: the effect is a smooth function of the cause plus noise that is independent of the cause.

In the causal direction y = f(x) + e with e independent of x; except for special cases (linear and Gaussian) no such
model exists backwards. f is a penalised spline (:mod:`weft.evidence.orientation.smoothing`), and the independence of
cause and residual is tested by HSIC (:mod:`weft.evidence.orientation.dependence`). The method's score is the logarithm
of the quotient of the two HSIC ratios, backward over forward.

Scores
------
``->``, ``<-``: the p-value of the model in that direction. Residuals of a regression are not the noise: their HSIC can
be smaller or larger than that of independent columns. So its null distribution is that of data made from the fitted
model (the same cause, its fitted values, residuals drawn with replacement) and fitted again: the gamma distribution
with the mean and variance of so many repetitions.

Diagnostic
----------
``score``; ``ratio_forward``, ``ratio_backward``: HSIC over its mean for independent columns.

References
----------
Hoyer, Janzing, Mooij, Peters & Schölkopf, *Nonlinear causal discovery with additive noise models*, NIPS 2008.

Mooij, Peters, Janzing, Zscheischler & Schölkopf, *Distinguishing cause from effect using observational data: methods
and benchmarks*, JMLR 17 (2016).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from weft.evidence.independence.kernels import FloatArray
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import (
    LEAST_PROBABILITY,
    MOST_ROWS,
    Dependence,
    cause_features,
    dependence,
    fit_judgement,
    log_ratio,
    prepared,
    residual_features,
)
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.evidence.orientation.smoothing import Smoother
from weft.studies import Column


@dataclass(frozen=True)
class Anm(ForNumbers):
    """The additive noise model, judged by the independence of cause and residual.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    repetitions
        How often the fitted model is repeated for the p-values; they change neither score nor log odds.
    """

    name: ClassVar[str] = "anm"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="The effect is a smooth function of the cause plus noise independent of the cause.",
    )
    most_rows: int = MOST_ROWS
    repetitions: int = 20

    def judge(self, x: Column, y: Column) -> Judgement:
        """Test the independence of cause and residual in both directions."""
        one, other = prepared(x, y, self.most_rows)
        forward, backward = (self._tested(cause, effect) for cause, effect in ((one, other), (other, one)))
        score = log_ratio(backward.ratio, forward.ratio)
        return fit_judgement(log_odds(self.name, score), score, forward, backward)

    def _tested(self, cause: FloatArray, effect: FloatArray) -> Dependence:
        """The dependence of cause and residual, with the p-value from repetitions of the fitted model."""
        smoother, features = Smoother(cause), cause_features(cause)
        fitted = smoother.fit(effect).fitted
        residual = effect - fitted
        found = dependence(features, residual_features(residual))
        if self.repetitions < 2:
            return found
        generator = np.random.default_rng(len(cause))
        draws = (generator.choice(residual, len(residual)) for _ in range(self.repetitions))
        ratios = [_ratio(smoother, features, fitted + draw) for draw in draws]
        return Dependence(found.ratio, gamma_tail(found.ratio, ratios))


def additive(cause: FloatArray, effect: FloatArray) -> float:
    """The HSIC ratio of cause and residual under an additive noise model."""
    return _ratio(Smoother(cause), cause_features(cause), effect)


def _ratio(smoother: Smoother, features: FloatArray, effect: FloatArray) -> float:
    return dependence(features, residual_features(effect - smoother.fit(effect).fitted)).ratio


def gamma_tail(value: float, sample: Sequence[float]) -> float:
    """P(more than the value) under the gamma distribution with the sample's mean and variance."""
    mean, variance = float(np.mean(sample)), max(float(np.var(sample, ddof=1)), 1e-12)
    tail = float(special.gammaincc(mean * mean / variance, value * mean / variance))
    return min(max(tail, LEAST_PROBABILITY), 1.0)
