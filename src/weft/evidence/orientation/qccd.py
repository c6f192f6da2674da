"""QCCD: the direction in which quantile regression needs the shorter code.

By the minimum description length principle the causal factorisation p(cause) p(effect | cause) is the shorter one. A
quantile score S(tau) = mean of (1[v <= q] - tau)(q - v) stands for the length of a code, with q the tau-quantile of v
or, for a conditional code, that of v given the other column. The sum over tau (the nodes of a Gauss-Legendre rule; the
median alone below 200 rows) is compared:

    L(x -> y) = S(x) + S(y | x),   L(y -> x) = S(y) + S(x | y)

Both columns are taken as normal scores. Conditional quantiles come from the copula density, a Gaussian kernel estimate
on a grid, its width n^(-1/6) times the covariance's root.

On pairs made as in the literature (1000 rows, 60 fresh ones each; in brackets what is published): additive noise with
Gaussian process and sigmoid functions 100 (100) and 85 %, location-scale noise 98 (100) and 75 %, multiplicative
uniform noise 98 (99) %.

The score is (L(y -> x) - L(x -> y)) / (S(x) + S(y)), times the root of the number of rows.

Scores
------
``->``, ``<-``: L over S(x) + S(y); smaller is better.

Diagnostic
----------
``score``.

References
----------
Tagasovska, Chavez-Demoulin & Vatter, *Distinguishing cause from effect using quantiles: bivariate quantile causal
discovery*, ICML 2020.

Nagler & Czado, *Evading the curse of dimensionality in nonparametric density estimation with simplified vine copulas*,
J. Multivar. Anal. 151 (2016): the kernel estimate on the scale of normal scores.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from weft.evidence.independence.kernels import FloatArray, normal_scores
from weft.evidence.orientation.calibration import log_odds
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import prepared
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

LEVELS = 7
"""Quantile levels, unless told otherwise."""
_CELLS = 128
_EDGE = 6.0
"""The grid goes from -6 to 6 standard deviations, far beyond the data: the Fourier transform is periodic."""
_FEW_ROWS = 200


@dataclass(frozen=True)
class Qccd(ForNumbers):
    """Quantile scores of the two factorisations.

    Parameters
    ----------
    levels
        The number of quantile levels.
    most_rows
        More rows than this are thinned.
    """

    name: ClassVar[str] = "qccd"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="Quantiles of the effect given the cause need a shorter code than those of the cause given the effect.",
    )
    levels: int = LEVELS
    most_rows: int = 20_000

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the two code lengths."""
        one, other = (normal_scores(side) for side in prepared(x, y, self.most_rows))
        forward, backward = code_lengths(one, other, self.levels)
        score = length_score(forward, backward, len(one))
        return Judgement(
            log_odds(self.name, score),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason="lengths of codes by quantiles compared",
            diagnostic={"score": score},
        )


def length_score(forward: float, backward: float, rows: int) -> float:
    """The difference, in units in which chance does not grow with the rows."""
    return (backward - forward) * math.sqrt(rows)


def code_lengths(one: FloatArray, other: FloatArray, levels: int = LEVELS) -> tuple[float, float]:
    """L(x -> y) and L(y -> x) of normal scores, relative to the code without any relation."""
    nodes, weights = np.polynomial.legendre.leggauss(1 if len(one) < _FEW_ROWS else levels)
    taus, weights = (nodes + 1) / 2, weights / 2
    density, other_density = _density(one, other), _density(other, one)
    alone = [float(weights @ _scores(side, np.quantile(side, taus), taus)) for side in (one, other)]
    given = [
        float(weights @ _scores(effect, _conditional(table, cause, taus), taus))
        for table, cause, effect in ((density, one, other), (other_density, other, one))
    ]
    total = sum(alone)
    return (alone[0] + given[0]) / total, (alone[1] + given[1]) / total


def _scores(values: FloatArray, quantiles: FloatArray, taus: FloatArray) -> FloatArray:
    """The quantile score at each level; quantiles are a row of numbers, or one such row for each value."""
    excess = quantiles - values[:, None]
    return np.asarray((((excess >= 0) - taus) * excess).mean(axis=0))


def _density(cause: FloatArray, effect: FloatArray) -> FloatArray:
    """The kernel estimate of the joint density on the grid; rows are values of the cause."""
    step = 2 * _EDGE / _CELLS
    place = [np.clip((side + _EDGE) / step - 0.5, 0, _CELLS - 1.001) for side in (cause, effect)]
    table = np.zeros((_CELLS, _CELLS))
    cells = [side.astype(np.intp) for side in place]
    parts = [side - cell for side, cell in zip(place, cells, strict=True)]
    for i in (0, 1):
        for j in (0, 1):
            share = (parts[0] if i else 1 - parts[0]) * (parts[1] if j else 1 - parts[1])
            np.add.at(table, (cells[0] + i, cells[1] + j), share)
    correlation = float(np.clip(np.mean(cause * effect), -0.999, 0.999))
    width = len(cause) ** (-1 / 6)
    wave, other_wave = 2 * np.pi * np.fft.fftfreq(_CELLS, step), 2 * np.pi * np.fft.rfftfreq(_CELLS, step)
    form = wave[:, None] ** 2 + 2 * correlation * np.multiply.outer(wave, other_wave) + other_wave**2
    smooth = np.fft.irfft2(np.fft.rfft2(table) * np.exp(-0.5 * width**2 * form), s=table.shape)
    return np.asarray(np.maximum(smooth, 0.0))


def _conditional(table: FloatArray, cause: FloatArray, taus: FloatArray) -> FloatArray:
    """The quantiles of the effect given each value of the cause."""
    step = 2 * _EDGE / _CELLS
    centres = (np.arange(_CELLS) + 0.5) * step - _EDGE
    cumulative = np.cumsum(table, axis=1) + 1e-12 * np.arange(1, _CELLS + 1)
    cumulative /= cumulative[:, -1:]
    edges = centres + step / 2
    curves = np.stack([np.interp(taus, row, edges) for row in cumulative])
    return np.column_stack([np.interp(cause, centres, curve) for curve in curves.T])
