"""GRCI: the pairwise step of generalised root causal inference, for heteroscedastic noise.

The model is effect = f(cause) + g(cause) e, e independent of the cause. f and g are linear splines: pieces between
equally spaced knots, as many as have the least leave-one-out error. g is the regression of the absolute leave-one-out
residuals (the mean absolute deviation), kept above a twentieth of their spread; e is what the fitted f and g leave. The
direction in which cause and noise have less *mutual information* is the causal one. It is estimated from the 10 nearest
neighbours of each row (Kraskov), both standardised. The two directions then differ only in sums of log neighbour
counts: no entropy of a marginal has to be estimated on its own.

This is the authors' program, number by number: of 240 pairs of the sets AN, AN-s, LS, MN-U, SIM and SIM-G, whose
scores are published with those of LOCI, 239 agree to 0.0001 and one to 0.001. What it takes for that, none of it in the
text: the noise is made from *fitted* values, though everything is chosen by leave-one-out errors; the distance of
two rows is the greater of the two columns', and rows exactly as far as the tenth neighbour count as near; splines have
a ridge of 1e-8, and no limit on the leverage of a row, so that a knot beyond which a single row lies is never chosen;
ties stay as they are; all rows are used. One thing differs: whether a row is exactly as far as the tenth neighbour is
decided up to a tolerance, where the program leaves it to the last bit of a difference. That matters for columns of
whole numbers only (on the Tübingen pairs: 80.9 % instead of 81.6, by one pair).

The score is the mutual information backward minus forward, times the root of the number of rows over 10.

Scores
------
``->``, ``<-``: the mutual information of cause and noise in nats; smaller is better, and values a little below 0 mean
independent.

Diagnostic
----------
``score``; ``pieces_forward``, ``pieces_backward``: the number of parameters of f.

References
----------
Strobl & Lasko, *Identifying patient-specific root causes with the heteroscedastic noise model*, J. Comput. Sci. 72
(2023); their program is at github.com/ericstrobl/GRCI.

Immer, Schultheiss, Vogt, Schölkopf, Bühlmann & Marx, *On the identifiability and estimation of causal location-scale
noise models*, ICML 2023: its repository, github.com/aleximmer/loci, has scores pair by pair.

Kraskov, Stögbauer & Grassberger, *Estimating mutual information*, Phys. Rev. E 69 (2004).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

import numpy as np
from scipy import special
from scipy.spatial import cKDTree

from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import mutual_information, sampled
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

_NEIGHBOURS = 10
_CANDIDATES = 10
_LEAST_SCALE = 0.05
_RIDGE = 1e-8
_LEAST_FREEDOM = 1e-12
"""Of a row, which is 1 less its leverage; rounding may take it below 0."""
_ROUNDING = 1e-12
"""Of distances of standardised values."""
_EXACT = 1e-6
"""Residuals this small, relative to the effect, are those of the ridge: there is no noise."""


@dataclass(frozen=True)
class Grci(ForNumbers):
    """The heteroscedastic noise model, judged by the mutual information of cause and noise.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "grci"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="Mean and spread of the effect are functions of the cause; the noise is independent of the cause.",
    )
    most_rows: int = 20_000

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the mutual information of cause and noise in the two directions."""
        one, other = sampled(x, y, self.most_rows)
        (forward, pieces), (backward, pieces_back) = (
            _judged(cause, effect) for cause, effect in ((one, other), (other, one))
        )
        score = information_score(forward, backward, len(one))
        return Judgement(
            log_odds(self.name, score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="mutual information of cause and noise compared",
            diagnostic={"score": score, "pieces_forward": float(pieces), "pieces_backward": float(pieces_back)},
        )


def _judged(cause: FloatArray, effect: FloatArray) -> tuple[float, int]:
    noise, pieces = fitted_noise(cause, effect)
    return neighbour_information(standardise(cause), standardise(noise)), pieces


def information_score(forward: float, backward: float, rows: int) -> float:
    """The difference, in units in which chance does not grow with the rows."""
    return (backward - forward) * math.sqrt(rows) / 10


def neighbour_information(one: FloatArray, other: FloatArray) -> float:
    """The mutual information of two columns in nats; rows as far as the last neighbour count as near."""
    rows, neighbours = len(one), min(_NEIGHBOURS, len(one) - 1)
    points = np.column_stack([one, other])
    reach = cKDTree(points).query(points, k=neighbours + 1, p=np.inf)[0][:, -1] + _ROUNDING
    total = special.digamma(rows) + special.digamma(neighbours)
    for side in (one, other):
        ordered = np.sort(side)
        counts = np.searchsorted(ordered, side + reach, "right") - np.searchsorted(ordered, side - reach, "left")
        total -= float(special.digamma(np.maximum(counts, 1)).mean())
    return float(total)


def fitted_noise(cause: FloatArray, effect: FloatArray) -> tuple[FloatArray, int]:
    """The noise that the fitted mean and spread leave, and the number of parameters of the mean."""
    designs = tuple(_designs(cause))
    mean = _least_left_out(designs, effect)
    sizes = np.abs(mean.left_out)
    spread = float(sizes.std(ddof=1))
    if spread <= _EXACT * float(effect.std()):
        return np.zeros_like(effect), mean.parameters
    scale = _least_left_out(designs, sizes, floor=_LEAST_SCALE * spread)
    return (effect - mean.fitted) / scale.fitted, mean.parameters


def noise_information(cause: FloatArray, effect: FloatArray) -> float:
    """The mutual information of cause and noise on the scale of normal scores, the noise from leave-one-out residuals.

    Not the published method but what :mod:`weft.evidence.orientation.combined` weighs: mutual information is the same
    on every scale, and its estimate is better without long tails.
    """
    designs = tuple(_designs(cause))
    residual = _least_left_out(designs, effect).left_out
    sizes = np.abs(residual)
    spread = float(sizes.std()) or float(sizes.mean()) or 1.0
    predicted = sizes - _least_left_out(designs, sizes).left_out
    return scaled_information(cause, residual / np.maximum(predicted, _LEAST_SCALE * spread))


def scaled_information(cause: FloatArray, noise: FloatArray) -> float:
    """The mutual information of cause and noise, both brought to normal scores."""
    return mutual_information(normal_scores(cause), normal_scores(noise), _NEIGHBOURS)


class _Design(NamedTuple):
    """The columns of a regression, and what turns a target into coefficients."""

    columns: FloatArray
    solver: FloatArray


class _Regression(NamedTuple):
    left_out: FloatArray
    fitted: FloatArray
    parameters: int


def _designs(cause: FloatArray) -> Iterator[_Design]:
    """The linear splines on [0, 1]: constant, line, and more and more knots."""
    low, high = float(cause.min()), float(cause.max())
    place = (cause - low) / (high - low)
    constant = np.ones((len(place), 1))
    yield _design(constant)
    most = max(2.0, min(200.0, math.sqrt(len(place) / 10)))
    for count in np.unique(np.linspace(2, most, _CANDIDATES).round().astype(int)):
        inner = np.linspace(0, 1, count)[1:-1]
        yield _design(np.column_stack([place, np.maximum(place[:, None] - inner, 0.0), constant]))


def _design(columns: FloatArray) -> _Design:
    gram = columns.T @ columns
    gram[np.diag_indices_from(gram)] += _RIDGE
    return _Design(columns, np.asarray(np.linalg.solve(gram, columns.T), dtype=np.float64))


def _least_left_out(designs: Sequence[_Design], target: FloatArray, floor: float = -math.inf) -> _Regression:
    """The regression with the least leave-one-out error; its fitted values are kept above the floor."""

    def regression(design: _Design) -> _Regression:
        leverage = np.einsum("ij,ji->i", design.columns, design.solver)
        fitted = np.maximum(design.columns @ (design.solver @ target), floor)
        left_out = (target - fitted) / np.maximum(1 - leverage, _LEAST_FREEDOM)
        return _Regression(left_out, fitted, design.columns.shape[1])

    return min(map(regression, designs), key=lambda one: float(one.left_out @ one.left_out))
