"""How confounded is the regression of one target on many measured causes? A diagnostic of a whole study.

A pair says nothing about it, but with ten causes or more their covariance matrix does. If the causes x influence the
target y by a vector of effects that has nothing to do with the distribution of x, then the regression vector, seen in
the principal components of x, points in a generic direction. A common cause that acts on x by a vector b and on y by c
adds cov(x)^-1 b c to the regression vector: small principal components get more than their share. The *strength of
confounding* is the share of the confounder's part in the squared length of the regression vector,

    beta = |cov^-1 b c|^2 / (|effects|^2 + |cov^-1 b c|^2),

0 without confounding, 1 if all is confounded.

The estimate. The weights that the regression vector puts on the
eigenvectors of cov are compared with what the model expects of them,

    (1 - beta) uniform weights + beta (weights of T^-1 g on the eigenvectors of T), T = D + eta g g',

where D is diagonal with the eigenvalues of cov, g a generic unit vector in that basis (all entries alike), and
eta >= 0 says how strongly the confounder acts on the causes. Both weights are smoothed with a Gaussian kernel over the
eigenvalues, and beta and eta minimise the distance (sum of absolute differences) of the smoothed weights. Columns are
standardised first, so that the answer does not depend on units (the model is one of generic directions, for which
causes on comparable scales are the best bet).

It is a rough figure: in simulations from the model the mean error is 0.24 with ten causes and 0.11 with fifty (always
0.5 would have 0.25). It says how confounded the regression is as a whole, not by which cause, and supposes linear
effects, one confounder, and effects that are not adapted to the causes' covariance.

References
----------
Janzing and Schölkopf, *Detecting confounding in multivariate linear models via spectral analysis*, J. Causal Inference
6 (2018). Janzing and Schölkopf, *Detecting non-causal artifacts in multivariate linear regression models*, ICML 2018.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weft.errors import StudyError
from weft.evidence.complete import complete_rows
from weft.studies import Column, Kind

Floats = NDArray[np.float64]

FEWEST_CAUSES = 10
_STRENGTHS = np.linspace(0, 1, 101)
_CONFOUNDERS = np.concatenate([[0.0], np.geomspace(1e-2, 1e3, 60)])
"""Candidates for eta, in units of the mean variance of the causes."""
_SMOOTHING = 0.2
"""Width of the kernel over the eigenvalues, as a share of their range."""


@dataclass(frozen=True)
class Confounding:
    """How confounded a regression is.

    Attributes
    ----------
    strength
        beta, between 0 (not confounded) and 1.
    explained
        The share of the target's variance that the regression explains. If it is small, so is what strength says.
    misfit
        Distance of the observed weights from the model's, over that from uniform weights; 1 if the model explains
        nothing.
    causes, rows
        How many there were.
    """

    target: str
    strength: float
    explained: float
    misfit: float
    causes: int
    rows: int


def spectral(target: Column, causes: Sequence[Column]) -> Confounding:
    """The strength of confounding of the regression of a target on measured causes, rows with missing values left out.

    Raises
    ------
    StudyError
        In one sentence, if there are fewer than ten causes, too few rows, columns that are not numbers, or causes that
        determine each other.

    >>> generator = np.random.default_rng(0)
    >>> x = generator.normal(size=(1000, 20)) @ generator.normal(size=(20, 20))
    >>> y = x @ generator.normal(size=20) + generator.normal(size=1000)
    >>> columns = [Column(f"x{i}", Kind.CONTINUOUS, values) for i, values in enumerate(x.T)]
    >>> spectral(Column("y", Kind.CONTINUOUS, y), columns).strength < 0.5
    True
    """
    _check(target, causes)
    y, *xs = (column.values for column in complete_rows((target, *causes)))
    points = np.column_stack(xs)
    _check_rows(target, causes, y, points)
    points, y = (points - points.mean(axis=0)) / points.std(axis=0), (y - y.mean()) / y.std()
    values, vectors = np.linalg.eigh(points.T @ points / len(y))
    if values[0] < 1e-10 * values[-1]:
        raise StudyError(f"the causes of {target.name!r} determine each other linearly; leave out some of them")
    coefficients = (vectors.T @ (points.T @ y / len(y))) / values
    explained = float(np.sum(values * coefficients**2))
    strength, misfit = _strength(values, coefficients)
    return Confounding(target.name, strength, min(explained, 1.0), misfit, len(causes), len(y))


def _check(target: Column, causes: Sequence[Column]) -> None:
    if len(causes) < FEWEST_CAUSES:
        raise StudyError(
            f"the confounding of {target.name!r} cannot be judged from {len(causes)} causes; "
            f"give {FEWEST_CAUSES} or more"
        )
    names = [column.name for column in (target, *causes)]
    for column in (target, *causes):
        if column.kind is Kind.CATEGORICAL:
            raise StudyError(f"column {column.name!r} is categorical; give numbers or ordered levels")
        if names.count(column.name) > 1:
            raise StudyError(f"column {column.name!r} is given twice; give each once")
        if len(column.values) != len(target.values):
            raise StudyError(
                f"column {column.name!r} has {len(column.values)} rows but {target.name!r} has {len(target.values)}; "
                "take columns of one study"
            )


def _check_rows(target: Column, causes: Sequence[Column], y: Floats, points: Floats) -> None:
    if len(y) < 2 * len(causes):
        raise StudyError(
            f"only {len(y)} rows have values in {target.name!r} and its {len(causes)} causes; "
            f"at least {2 * len(causes)} are needed"
        )
    for column, values in zip((target, *causes), (y, *points.T), strict=True):
        if np.all(values == values[0]):
            raise StudyError(f"column {column.name!r} is constant in the rows without missing values; leave it out")


def _strength(values: Floats, coefficients: Floats) -> tuple[float, float]:
    """The best beta, and how badly it fits, by least squares over eta and beta."""
    count = len(values)
    kernel = _kernel(values)
    observed = kernel @ (coefficients**2 / np.sum(coefficients**2))
    uniform = kernel @ np.full(count, 1 / count)
    best, strength = np.inf, 0.0
    for eta in _CONFOUNDERS * values.mean():
        confounded = _confounded_weights(values, float(eta))
        model = np.outer(1 - _STRENGTHS, uniform) + np.outer(_STRENGTHS, kernel @ confounded)
        distances = np.sum(np.abs(model - observed), axis=1)
        at = int(np.argmin(distances))
        if distances[at] < best - 1e-12:
            best, strength = float(distances[at]), float(_STRENGTHS[at])
    scale = float(np.sum(np.abs(observed - uniform)))
    return strength, best / scale if scale > 1e-12 else 1.0


def _confounded_weights(values: Floats, eta: float) -> Floats:
    """The share of T^-1 g along each eigenvector of T."""
    count = len(values)
    turned, vectors = np.linalg.eigh(np.diag(values) + eta / count)
    weights = (vectors.sum(axis=0) / turned) ** 2
    return np.asarray(weights / weights.sum())


def _kernel(values: Floats) -> Floats:
    width = _SMOOTHING * (values[-1] - values[0]) + 1e-12
    return np.asarray(np.exp(-(((values[:, None] - values) / width) ** 2) / 2))
