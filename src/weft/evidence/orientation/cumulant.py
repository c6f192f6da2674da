"""The five structures of a linear non-Gaussian pair, from its joint cumulants.

The model: x and y are linear in at most three independent sources: one noise for each, and one common cause. Each
structure then is a linear restriction on tilted joint cumulants (:mod:`.cumulant_algebra`), tested by a J statistic
that is calibrated by bootstrap: the true structure is rejected at its nominal rate.

From p-values to structures
---------------------------
``->`` is ``-> & <->`` without a common cause, and ``<->`` is ``-> & <->`` without an effect: where the simpler one
fits, the richer one fits too, and no test of fit can exclude it. So there is a rule of parsimony:

1. One of ``->`` and ``<-`` fits and the other is rejected: the odds of the one against all confounded structures
   together are (p / level)^0.8. They are even at the level, and at most some 40 : 1 (at level 0.01), since a weak
   common cause can never be ruled out.
2. Both fit (a Gaussian or an independent pair, or too few rows): undecided. Nothing is said about confounding
   where not even a direction could be rejected.
3. Neither fits: of ``-> & <->`` and ``<- & <->`` the likelihood is exp(-J / 2), and ``<->`` is compared with the better
   of them by the difference of J in the same rows, with a bonus of ``penalty`` log(rows) for its missing coefficient
   (the moment selection criterion of Andrews, BIC for J; 0.7 of it, by which both errors are about as frequent).
4. Nothing fits: undecided. The pair is not linear, or has more than one common cause.

The verdict is the smallest set of structures whose share of these weights reaches ``confidence``.

What it cannot do: *an effect that is not linear looks like a common cause* (a common cause bends the regression too).
Of 60 unconfounded pairs with 1000 rows each it called confounded 55 with a tanh effect, 59 with a square in it, 31
with a cube and 60 with noise that grows with x. So "confounded" means "confounded, if linear": do not take it for a
pair that a nonlinear method explains without a common cause. And where the effect of x on y cancels that of the common
cause, ``-> & <->`` looks like ``<->``.

Scores and diagnostic
---------------------
``scores``: the p-value of each structure. ``correlation``: of the pair. ``strongest_p_value``: the largest p-value.

References
----------
Hoyer, Shimizu, Kerminen and Palviainen, *Estimation of causal effects using linear non-Gaussian causal models with
hidden variables*, Int. J. Approx. Reasoning 49 (2008): which structures differ.
Andrews, *Consistent moment selection procedures for generalized method of moments estimation*, Econometrica 67 (1999).
Others in :mod:`.cumulant_algebra`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from weft.evidence.orientation.cumulant_algebra import (
    Fit,
    Floats,
    PairRows,
    bootstrap_p_value,
    bootstrap_weights,
    credible,
    fit_direction,
    fit_two_directions,
    log_odds_of,
    no_effect_p_value,
    pair_rows,
    shares,
    standardised,
    swapped,
)
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD
from weft.evidence.orientation.protocol import STRUCTURES, Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

_SHARPNESS = 0.8
"""Odds go with this power of the p-value: under other structures its density falls as p^-0.8."""
_LEAST_P_VALUE = 1e-12
_CLOSEST = 1 - 1e-4
"""Pairs with a larger correlation are one variable, as far as cumulants go."""
_UNSURE = math.log(3)
"""Log odds of a direction where both directions fit, at most: too little to be taken."""


@dataclass(frozen=True)
class Finding:
    """What the restrictions of the five structures amount to."""

    p_values: Mapping[Structure, float]
    shares: Mapping[Structure, float]
    """Of the weights that the rule of parsimony gives; they add up to 1."""
    independent: bool
    """Whether the pair may be independent at the level."""
    correlation: float

    @property
    def mirrored(self) -> Finding:
        """The same of (y, x)."""
        p_values, parts = (
            {structure.mirrored: value for structure, value in one.items()} for one in (self.p_values, self.shares)
        )
        return Finding(p_values, parts, self.independent, self.correlation)

    @property
    def likeliest(self) -> Structure:
        """The structure, if one had to be named."""
        return max(STRUCTURES, key=lambda structure: self.shares[structure])


@dataclass(frozen=True)
class Cumulant:
    """Which of the five structures a linear non-Gaussian pair has, by its cumulants.

    Parameters
    ----------
    level
        A structure with a p-value of this or less does not fit.
    confidence
        The share of the weights that the structures of the verdict must reach together.
    penalty
        What a coefficient costs, in units of log(rows) on the scale of J; 1 is BIC.
    draws
        Bootstrap samples.
    fewest
        With fewer rows the pair is undecided.

    >>> e, f, common = np.random.default_rng(0).exponential(size=(3, 2000))
    >>> x, y = (Column(n, Kind.CONTINUOUS, v) for n, v in [("x", e + common), ("y", f - common)])
    >>> print(*set(STRUCTURES) - Cumulant().judge(x, y).excluded)
    <->
    """

    name: ClassVar[str] = "cumulant"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=True,
        linear=True,
        kinds=frozenset({Kind.CONTINUOUS}),
        text="Linear effects of independent non-Gaussian sources, at most one common cause.",
    )
    level: float = 0.01
    confidence: float = 0.9
    penalty: float = 0.7
    draws: int = 150
    fewest: int = 100

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {
            "level": self.level,
            "confidence": self.confidence,
            "penalty": self.penalty,
            "draws": self.draws,
            "fewest": self.fewest,
        }

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence if a column does not hold numbers."""
        return refuse_levels(self.name, x, y)

    def judge(self, x: Column, y: Column) -> Judgement:
        """Judge the pair."""
        problem = too_plain(standardised(x.values), standardised(y.values), self.fewest)
        finding = self.find(x, y)
        return Judgement(0.0, reason=problem or "") if finding is None else self.judgement(finding)

    def find(self, x: Column, y: Column) -> Finding | None:
        """P-values and shares of all five structures, whether or not they decide; None for a hopeless pair."""
        one, other = standardised(x.values), standardised(y.values)
        if too_plain(one, other, self.fewest):
            return None
        return self._find(other, one).mirrored if swapped(one, other) else self._find(one, other)

    def _find(self, x: Floats, y: Floats) -> Finding:
        rows = pair_rows(x, y)
        fits = _fits(rows)
        weights = bootstrap_weights(self.draws, len(x))
        p_values = {structure: bootstrap_p_value(fit, weights) for structure, fit in fits.items()}
        independent = min(no_effect_p_value(rows.means_s, 1), no_effect_p_value(rows.means_t, 0)) > self.level
        parts = self._shares(rows, fits, p_values, len(x))
        return Finding(p_values, parts, independent, float(np.mean(x * y)))

    def _shares(
        self, rows: PairRows, fits: Mapping[Structure, Fit], p_values: Mapping[Structure, float], count: int
    ) -> dict[Structure, float]:
        """The rule of parsimony, in the logarithms of weights."""
        forward, backward = fits[Structure.CAUSES_COMMON].statistic, fits[Structure.CAUSED_COMMON].statistic
        # x's own direction on the x axis, or y's on the y axis: <-> in the rows of the structure it is compared with
        nested = fit_direction(rows.covariances_s, (1, 2)) if forward <= backward else fit_direction(rows.covariances_t)
        common = nested.statistic - self.penalty * math.log(count)
        confounded = -np.array([common, forward, backward]) / 2
        confounded -= np.logaddexp.reduce(confounded)
        simple = {
            structure: _SHARPNESS * math.log(max(p_values[structure], _LEAST_P_VALUE) / self.level)
            for structure in (Structure.CAUSES, Structure.CAUSED)
        }
        logs = simple | dict(
            zip((Structure.COMMON, Structure.CAUSES_COMMON, Structure.CAUSED_COMMON), confounded, strict=True)
        )
        return shares([logs[structure] for structure in STRUCTURES])

    def judgement(self, finding: Finding) -> Judgement:
        """What a finding amounts to."""
        p_values, parts = finding.p_values, finding.shares
        diagnostic = {"correlation": finding.correlation, "strongest_p_value": max(p_values.values())}
        odds = log_odds_of(*(sum(parts[one] for one in side) for side in (FORWARD, BACKWARD)))
        forward, backward = p_values[Structure.CAUSES], p_values[Structure.CAUSED]
        if finding.independent:
            return Judgement(0.0, p_values, reason="the two may be independent", diagnostic=diagnostic)
        if min(forward, backward) > self.level:
            odds = min(max(odds, -_UNSURE), _UNSURE)
            reason = "both directions fit: the pair is too nearly Gaussian for so many rows"
            return Judgement(odds, p_values, reason=reason, diagnostic=diagnostic)
        if p_values[finding.likeliest] <= self.level:
            reason = "no linear structure with one common cause fits"
            return Judgement(0.0, p_values, reason=reason, diagnostic=diagnostic)
        kept, weight = credible(dict(parts), self.confidence)
        reason = f"p = {p_values[finding.likeliest]:.2g} for the likeliest structure"
        return Judgement(odds, p_values, frozenset(STRUCTURES) - kept, weight, reason, diagnostic)


def refuse_levels(method: str, x: Column, y: Column) -> str | None:
    """One sentence if a column has levels instead of numbers."""
    for column in (x, y):
        if column.kind is not Kind.CONTINUOUS:
            return f"{method} is for linear effects between numbers, and {column.name!r} is {column.kind}; use 'auto'"
    return None


def too_plain(x: Floats, y: Floats, fewest: int) -> str | None:
    """One sentence if two standardised columns have too few rows, or are the same but for scale."""
    if len(x) < fewest:
        return f"{len(x)} rows are too few to tell five structures apart; it takes {fewest}"
    if abs(float(np.mean(x * y))) > _CLOSEST:
        return "the two are one variable on two scales"
    return None


def _fits(rows: PairRows) -> dict[Structure, Fit]:
    return {
        Structure.CAUSES: fit_direction(rows.means_s),
        Structure.CAUSED: fit_direction(rows.means_t),
        Structure.COMMON: fit_direction(rows.means_both),
        Structure.CAUSES_COMMON: fit_two_directions(rows.covariances_s),
        Structure.CAUSED_COMMON: fit_two_directions(rows.covariances_t),
    }
