"""Pairwise LiNGAM: the likelihood ratio of the two linear models with non-Gaussian noise.

Model: y = b x + e with e independent of x, against x = c y + f with f independent of y. With standardised columns and
residuals u = (y - r x) / sqrt(1 - r^2), v = (x - r y) / sqrt(1 - r^2), r being the correlation, the mean difference of
the log-likelihoods is

    R = H(y) + H(v) - H(x) - H(u),

H being the differential entropy. It is approximated by Hyvärinen's maximum-entropy formula,

    H(s) = (1 + log 2 pi) / 2 - k1 (mean log cosh s - 0.37457)^2 - k2 (mean s exp(-s^2 / 2))^2,
    k1 = 79.047, k2 = 7.4129.

R > 0 speaks for x -> y. For Gaussian data both models are the same and R is noise.

The log odds
------------
t = R / sqrt(standard error^2 + (4 / n)^2). The standard error comes from the rows (delta method, with the estimation
of means, variances and slope). Near Gaussian data it goes to zero together with R, in the order of 1 / n; the second
term is twice the standard deviation of R for a Gaussian pair (simulated: up to 2 / n, at correlations from 0.5 to
0.8). The log odds are those of a normal variable with value t, log(Phi(t) / Phi(-t)), bounded by ``trust`` (log odds
of 95 %). So 2 to 3 % of Gaussian pairs are decided at the least confidence of 0.8; of pairs with uniform, Laplace,
exponential noise at 300 rows 98 % or more, rightly.

A relation that is not linear is seen as a strong preference for either direction. So the residual of the preferred
direction is tested for independence of the cause (``kcit``); if the p-value is below ``check``, that model does not
fit, the other one fits still less well by likelihood, and the log odds are cut to those of 60 %: undecided.

Scores and diagnostic
---------------------
The scores are the mean log-likelihoods of the two models (larger is better). ``standard_errors``: |t|. ``p_value``: of
the test of the preferred model. ``correlation``: its absolute value.

References
----------
Hyvärinen & Smith, *Pairwise likelihood ratios for estimation of non-Gaussian structural equation models*, JMLR 14
(2013).

Hyvärinen, *New approximations of differential entropy for independent component analysis and projection pursuit*,
NIPS 1997.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from scipy import special

from weft.evidence.independence.kcit import Kcit
from weft.evidence.independence.kernels import FloatArray
from weft.evidence.orientation.columns import NUMBERS, ForNumbers, canonical_pair
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

_K1, _K2, _GAUSSIAN_LOG_COSH = 79.047, 7.4129, 0.37457
_GAUSSIAN_SPREAD = 4.0
"""Twice n times the standard deviation of R for a Gaussian pair."""
_MISFIT = math.log(0.6 / 0.4)
_SAME = 1 - 1e-10
"""Beyond this correlation one column is a multiple of the other and the residual is rounding."""


@dataclass(frozen=True)
class Lingam(ForNumbers):
    """The pairwise likelihood ratio of linear non-Gaussian models.

    Parameters
    ----------
    trust
        The bound of the log odds.
    check
        The p-value below which the preferred model does not fit; 0 for no check.

    >>> generator = np.random.default_rng(0)
    >>> x, noise = generator.exponential(size=(2, 500))
    >>> judgement = Lingam().judge(Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, x + noise))
    >>> judgement.log_odds > 2
    True
    """

    name: ClassVar[str] = "lingam"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=True,
        kinds=NUMBERS,
        text="the effect is linear in its cause, with independent noise, and not everything is Gaussian",
    )
    trust: float = math.log(0.95 / 0.05)
    check: float = 1e-3

    def judge(self, x: Column, y: Column) -> Judgement:
        """The likelihood ratio, in its standard errors, as log odds."""
        one, other = canonical_pair(x.values, y.values)
        correlation = float(one @ other) / (len(one) - 1)
        if abs(correlation) > _SAME:
            return Judgement(0.0, reason="one column is a multiple of the other, so both directions fit alike")
        (forward, influence), (backward, influence_back) = (
            _log_likelihood(cause, effect, correlation) for cause, effect in ((one, other), (other, one))
        )
        error = float(np.std(influence - influence_back)) / math.sqrt(len(one))
        surety = (forward - backward) / math.hypot(error, _GAUSSIAN_SPREAD / len(one))
        log_odds = _bounded(float(special.log_ndtr(surety) - special.log_ndtr(-surety)), self.trust)
        cause, effect = (one, other) if surety >= 0 else (other, one)
        p_value = _fit(cause, effect, correlation) if surety != 0 else 1.0
        reason = "the likelihood ratio of the two linear models"
        if p_value < self.check:
            log_odds = _bounded(log_odds, _MISFIT)
            reason = "the better linear model does not fit: its noise depends on the cause"
        return Judgement(
            log_odds,
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason=reason,
            diagnostic={"standard_errors": abs(surety), "p_value": p_value, "correlation": abs(correlation)},
        )


def _log_likelihood(cause: FloatArray, effect: FloatArray, correlation: float) -> tuple[float, FloatArray]:
    """The mean log-likelihood of cause -> effect, and the influence of each row on it."""
    spread = math.sqrt(1 - correlation**2)
    residual = (effect - correlation * cause) / spread
    before, influence_before = _entropy(cause)
    after, influence_after = _entropy(residual, cause)
    return -before - after - math.log(spread), -influence_before - influence_after


def _entropy(values: FloatArray, regressor: FloatArray | None = None) -> tuple[float, FloatArray]:
    """The entropy of standardised values, and the influence of each row on it.

    The values were centred, scaled and, if there is a regressor, made uncorrelated with it; how a row changes those
    fits is part of its influence.
    """
    log_cosh = np.logaddexp(values, -values) - math.log(2)
    bell = np.exp(-(values**2) / 2)
    terms = (
        (_K1, log_cosh, _GAUSSIAN_LOG_COSH, np.tanh(values)),
        (_K2, values * bell, 0.0, (1 - values**2) * bell),
    )
    total, influence = (1 + math.log(2 * math.pi)) / 2, np.zeros(len(values))
    for factor, term, gaussian, slope in terms:
        distance = float(term.mean()) - gaussian
        total -= factor * distance**2
        change = term - term.mean() - slope.mean() * values - np.mean(slope * values) * (values**2 - 1) / 2
        if regressor is not None:
            change = change - np.mean(slope * regressor) * regressor * values
        influence -= 2 * factor * distance * change
    return total, influence


def _fit(cause: FloatArray, effect: FloatArray, correlation: float) -> float:
    """The p-value of "the residual is independent of the cause"."""
    noise = Column("noise", Kind.CONTINUOUS, effect - correlation * cause)
    # least squares left nothing linear, so that the kernel statistic alone is to be judged
    return Kcit(linear=0.0, whole=1.0).test(Column("cause", Kind.CONTINUOUS, cause), noise).p_value


def _bounded(log_odds: float, bound: float) -> float:
    return max(-bound, min(bound, log_odds))
