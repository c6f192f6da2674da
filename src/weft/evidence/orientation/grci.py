"""GRCI: the pairwise step of generalised root causal inference, for heteroscedastic noise.

The model is effect = f(cause) + g(cause) e, e independent of the cause. f and g are linear splines: pieces between
equally spaced knots, as many as have the least leave-one-out error. g is the regression of the absolute leave-one-out
residuals (the mean absolute deviation), kept above a twentieth of their spread. The direction in which cause and noise
have less *mutual information* is the causal one. It is estimated from the 10 nearest neighbours of each row (Kraskov,
:func:`weft.evidence.orientation.dependence.mutual_information`), both standardised. The two directions then differ only
in sums of log neighbour counts: no entropy of a marginal has to be estimated on its own.

Two settings leave the published method: ties are spread (:func:`weft.evidence.orientation.dependence.prepared`: they
would decide many a comparison of neighbours), and with ``scale="normal scores"`` neighbours are looked for on the scale
of normal scores. Mutual information is the same on every scale, but its estimate is better without long tails.

On pairs made as in the literature (1000 rows, 60 fresh ones each; in brackets what is published): additive noise with
Gaussian process and sigmoid functions 100 (100) and 97 %, location-scale noise 100 (98) and 100 %, multiplicative
uniform noise 80 (88) %.

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
(2023).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np

from weft.errors import StudyError
from weft.evidence.independence.kernels import FloatArray, normal_scores, standardise
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import mutual_information, prepared
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

Scale = Literal["values", "normal scores"]
_NEIGHBOURS = 10
_CANDIDATES = 10
_LEAST_SCALE = 0.05
_HIGHEST_LEVERAGE = 0.999


@dataclass(frozen=True)
class Grci(ForNumbers):
    """The heteroscedastic noise model, judged by the mutual information of cause and noise.

    Parameters
    ----------
    scale
        Where neighbours are looked for: ``values`` or ``normal scores``.
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
    scale: Scale = "values"
    most_rows: int = 3000

    def __post_init__(self) -> None:
        if self.scale not in get_args(Scale):
            raise StudyError(f"grci has no scale {self.scale!r}; choose one of {', '.join(get_args(Scale))}")

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the mutual information of cause and noise in the two directions."""
        one, other = prepared(x, y, self.most_rows)
        (forward, pieces), (backward, pieces_back) = (
            noise_information(cause, effect, self.scale) for cause, effect in ((one, other), (other, one))
        )
        score = information_score(forward, backward, len(one))
        return Judgement(
            log_odds(self.name, score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="mutual information of cause and noise compared",
            diagnostic={"score": score, "pieces_forward": float(pieces), "pieces_backward": float(pieces_back)},
        )


def information_score(forward: float, backward: float, rows: int) -> float:
    """The difference, in units in which chance does not grow with the rows."""
    return (backward - forward) * math.sqrt(rows) / 10


def noise_information(cause: FloatArray, effect: FloatArray, scale: Scale = "values") -> tuple[float, int]:
    """The mutual information of cause and noise, and the number of parameters of the regression."""
    low, high = float(cause.min()), float(cause.max())
    bases = tuple(_bases((cause - low) / (high - low)))
    residual, pieces = _least_left_out(bases, effect)
    sizes = np.abs(residual)
    spread = float(sizes.std()) or float(sizes.mean()) or 1.0
    predicted, _ = _least_left_out(bases, sizes)
    noise = residual / np.maximum(sizes - predicted, _LEAST_SCALE * spread)
    return scaled_information(cause, noise, scale), pieces


def scaled_information(cause: FloatArray, noise: FloatArray, scale: Scale) -> float:
    """The mutual information of cause and noise, both brought to that scale."""
    change = normal_scores if scale == "normal scores" else standardise
    return mutual_information(change(cause), change(noise), _NEIGHBOURS)


def _bases(place: FloatArray) -> Iterator[FloatArray]:
    """Orthonormal bases of the linear splines on [0, 1]: constant, line, and more and more knots."""
    most = max(2, min(200, round(math.sqrt(len(place) / 10))))
    constant = np.ones((len(place), 1))
    yield constant / math.sqrt(len(place))
    for count in np.unique(np.linspace(2, most, _CANDIDATES).round().astype(int)):
        inner = np.linspace(0, 1, count)[1:-1]
        columns = np.column_stack([constant, place, np.maximum(place[:, None] - inner, 0.0)])
        directions, lengths, _ = np.linalg.svd(columns, full_matrices=False)
        yield directions[:, lengths > 1e-8 * lengths[0]]


def _least_left_out(bases: tuple[FloatArray, ...], target: FloatArray) -> tuple[FloatArray, int]:
    """The leave-one-out residuals of the regression that has the smallest, and its number of parameters."""

    def left_out(basis: FloatArray) -> FloatArray:
        leverage = np.minimum(np.einsum("ij,ij->i", basis, basis), _HIGHEST_LEVERAGE)
        return np.asarray((target - basis @ (basis.T @ target)) / (1 - leverage))

    found = [(left_out(basis), basis.shape[1]) for basis in bases]
    return min(found, key=lambda one: float(one[0] @ one[0]))
