"""Pairs of one continuous column and one with levels.

Write c for the continuous column and d for the other. Each direction has a model that can fail:

*d causes c*: location and scale. c = m(d) + s(d) * noise with noise independent of d, so that c, standardised within
the levels, has one and the same shape in all of them. Tested by comparing, between levels, the means of six smooth
bounded functions of the standardised values; the null by permutations, standardised again each time.

*c causes d*: a logistic choice. The log odds of the levels are linear in c. Tested by a score test against smooth
functions of the rank of c. Before this direction is called a misfit, log odds quadratic in c must fail too.

c -> d is preferred if the linear logit fits and one shape does not; d -> c if one shape fits and neither logit does.
The p-values are compared (:func:`~weft.evidence.orientation.discrete.compared`), and how probable the three outcomes
then are was fitted (:func:`~weft.evidence.orientation.calibration.of_ratio`).

What that can see
-----------------
With Gaussian noise both directions have a model (a shift makes linear log odds, a change of scale quadratic ones):
undecided. Without, one of them fails as the rows grow. Simulated, 1,000 rows, 2 and 4 levels: noise that is
exponential, uniform, Laplace or has two peaks is decided in 80 to 95 % of pairs (two levels with Laplace noise: 50 %);
a logistic choice by a uniform, Laplace or two-peaked c in 80 to 100 %, by a Gaussian or exponential c (which bends the
shapes little) in 0 to 15 %; none of them wrongly. Quadratic or otherwise curved effects of c on d, Poisson counts and
gamma shapes mostly fit neither model or both: undecided. Known to mislead: log odds in the square root of a Gaussian
|c|, with the sign of c, are decided the wrong way in 9 of 40 pairs at 1,000 rows and in 4 of 40 at 3,000.

Scores and diagnostic
---------------------
The scores are p-values: of one shape for "levels cause the number", of the linear logit for the other direction.
``quadratic``: that of the quadratic logit. ``levels``: how many were compared; those with fewer than 8 rows are left
out. ``compared``: the p-values, as if the levels came first.

References
----------
Immer et al., *On the identifiability and estimation of causal location-scale noise models*, ICML 2023.

Rao, *Large sample tests of statistical hypotheses concerning several parameters*, 1948: the score test.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import linalg, special

from weft.evidence.independence.kernels import FloatArray, standardise
from weft.evidence.orientation.calibration import of_ratio
from weft.evidence.orientation.discrete import FITS, compared
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.evidence.ranks import mean_ranks
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Codes: TypeAlias = NDArray[np.intp]

_FEWEST_IN_LEVEL = 8
_MOST_LEVELS = 12
_FEWEST_DISTINCT = 12
_MOST_ROWS = 3000
"""Of more rows so many are taken, evenly over the sorted table: the permutations need not more."""
_WAVES = 4
_RIDGE = 1e-6
"""A prior on the logit's slopes that only matters when the levels are separated."""


@dataclass(frozen=True)
class Mixed:
    """Location and scale by level, against a logistic choice of the level.

    Parameters
    ----------
    permutations
        How many make up the null of "one shape".

    >>> generator = np.random.default_rng(0)
    >>> d = generator.integers(0, 2, 600)
    >>> c = Column("c", Kind.CONTINUOUS, d + generator.exponential(size=600))
    >>> judgement = Mixed().judge(Column("d", Kind.BINARY, d), c)
    >>> judgement.log_odds > 1.5
    True
    """

    name: ClassVar[str] = "mixed"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=frozenset(Kind),
        text="levels that cause a number move and scale it; a number that causes levels makes a logistic choice",
    )
    permutations: int = 100

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {"permutations": self.permutations}

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence unless exactly one column is continuous."""
        numbers = [column.kind is Kind.CONTINUOUS for column in (x, y)]
        if all(numbers):
            return f"{self.name} needs one column with levels, and {x.name!r} and {y.name!r} are continuous; use 'auto'"
        if not any(numbers):
            return f"{self.name} needs a continuous column, and {x.name!r} and {y.name!r} have levels; use 'discrete'"
        return None

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the two models."""
        if x.kind is Kind.CONTINUOUS:
            return self._judge(y, x).mirrored
        return self._judge(x, y)

    def _judge(self, d: Column, c: Column) -> Judgement:
        """Forward: the levels d cause the number c."""
        codes, values = _used(d.values, c.values)
        levels = int(codes.max()) + 1 if len(codes) else 0
        problem = _problem(d, c, codes, values, levels)
        if problem is not None:
            return Judgement(0.0, reason=problem)
        shape = one_shape(codes, values, levels, self.permutations)
        linear, quadratic = (logit_fit(codes, values, levels, degree) for degree in (1, 2))
        richer = max(linear, quadratic)
        comparison = compared(shape, richer) if shape >= richer else compared(min(shape, linear), linear)
        outcomes = of_ratio(comparison) if comparison else None
        reason = "one shape in all levels, against a logistic choice of the level"
        if max(shape, linear) < FITS:
            reason = "neither one shape in all levels nor a logistic choice of the level fits"
        return Judgement(
            outcomes.log_odds if outcomes else 0.0,
            {Structure.CAUSES: shape, Structure.CAUSED: linear},
            reason=reason,
            diagnostic={"quadratic": quadratic, "levels": float(levels), "compared": comparison},
            outcomes=outcomes,
        )


def _used(codes: FloatArray, values: FloatArray) -> tuple[Codes, FloatArray]:
    """Rows of the levels that have enough of them, sorted; codes 0, 1, ... and standardised values."""
    _, code, counts = np.unique(codes, return_inverse=True, return_counts=True)
    kept = np.flatnonzero(counts[code] >= _FEWEST_IN_LEVEL)
    if len(kept) == 0:
        return np.empty(0, dtype=np.intp), np.empty(0)
    code, value = np.unique(code[kept], return_inverse=True)[1], standardise(values[kept])
    rows = np.lexsort((value, code))
    if len(rows) > _MOST_ROWS:
        rows = rows[np.linspace(0, len(rows) - 1, _MOST_ROWS).astype(np.intp)]
    code = np.unique(code[rows], return_inverse=True)[1]
    return code.astype(np.intp), value[rows]


def _problem(d: Column, c: Column, codes: Codes, values: FloatArray, levels: int) -> str | None:
    """Why the two cannot be compared; None if they can."""
    if levels < 2:
        return f"column {d.name!r} has no two levels with {_FEWEST_IN_LEVEL} rows each"
    if levels > _MOST_LEVELS:
        return f"column {d.name!r} has more than {_MOST_LEVELS} levels"
    if len(np.unique(values)) < _FEWEST_DISTINCT:
        return f"column {c.name!r} has too few distinct values to see the shape of its distribution"
    if _spreads(codes, values, levels)[1].min() < 1e-9:
        return f"column {c.name!r} does not vary within a level of {d.name!r}"
    return None


# ------------------------------------------------------------------------------------------- levels cause a number


def one_shape(codes: Codes, values: FloatArray, levels: int, permutations: int) -> float:
    """The p-value of "standardised within its level, the number has the same distribution in all levels".

    The statistic is compared with its values for permuted rows by a gamma distribution of the same mean and variance.
    """
    noise = _within(codes, values, levels)
    observed = _shape_statistic(codes, noise, levels)
    generator = np.random.default_rng(0)
    null = np.array(
        [
            _shape_statistic(codes, _within(codes, generator.permutation(noise), levels), levels)
            for _ in range(permutations)
        ]
    )
    mean, variance = float(null.mean()), float(null.var(ddof=1))
    if not variance > 0:
        return 1.0
    return float(special.gammaincc(mean**2 / variance, observed * mean / variance))


def _spreads(codes: Codes, values: FloatArray, levels: int) -> tuple[FloatArray, FloatArray]:
    """Mean and standard deviation in each level."""
    counts = np.bincount(codes, minlength=levels)
    means = np.bincount(codes, values, levels) / counts
    return means, np.sqrt(np.bincount(codes, (values - means[codes]) ** 2, levels) / counts)


def _within(codes: Codes, values: FloatArray, levels: int) -> FloatArray:
    means, spreads = _spreads(codes, values, levels)
    return np.asarray((values - means[codes]) / np.maximum(spreads, 1e-12)[codes])


def _shape_statistic(codes: Codes, noise: FloatArray, levels: int) -> float:
    """How far the means of some functions of the noise differ between levels, in their variances."""
    square = noise**2
    bell = np.exp(-square / 2)
    functions = (
        np.tanh(noise),
        np.tanh(noise / 2),
        bell,
        np.sqrt(np.sqrt(bell)),
        noise * bell,
        (square - 3) * noise * bell,
    )
    counts = np.bincount(codes, minlength=levels)
    total = 0.0
    for function in functions:
        centred = function - function.mean()
        sums = np.bincount(codes, centred, levels)
        total += float((sums**2 / counts).sum() / max(float(centred @ centred) / len(centred), 1e-12))
    return total


# ------------------------------------------------------------------------------------------- a number causes levels


def logit_fit(codes: Codes, values: FloatArray, levels: int, degree: int) -> float:
    """The p-value of "the log odds of the levels are polynomials of the number".

    A score test: what the model leaves of the levels is compared with cosines of the number's rank, less what the
    estimated coefficients explain.
    """
    powers = values[:, None] ** np.arange(degree + 1)
    chosen = np.eye(levels)[codes][:, :-1]
    chances = _fitted_chances(powers, chosen)
    ranks = (mean_ranks(values) - 0.5) / len(values)
    waves = np.cos(math.pi * np.outer(ranks, np.arange(1, _WAVES + 1)))
    score = ((chosen - chances).T @ waves).ravel()
    cross = _information(chances, waves, powers)
    own = _information(chances, powers, powers) + _RIDGE * np.eye(cross.shape[1])
    variance = _information(chances, waves, waves) - cross @ linalg.solve(own, cross.T, assume_a="sym")
    lengths, directions = linalg.eigh((variance + variance.T) / 2)
    kept = lengths > 1e-6 * max(float(lengths[-1]), 1e-9)
    if not kept.any():
        return 1.0
    statistic = float(((directions[:, kept].T @ score) ** 2 / lengths[kept]).sum())
    return float(special.chdtrc(int(kept.sum()), statistic))


def _fitted_chances(powers: FloatArray, chosen: FloatArray) -> FloatArray:
    """The chance of every level but the last in each row, by Newton's method with halved steps."""
    size = powers.shape[1], chosen.shape[1]
    coefficients = np.zeros(size)

    def objective(candidate: FloatArray) -> float:
        scores = powers @ candidate
        total = np.logaddexp.reduce(np.column_stack([scores, np.zeros(len(scores))]), axis=1)
        return float(np.sum(scores * chosen) - total.sum() - _RIDGE * np.sum(candidate**2) / 2)

    best = objective(coefficients)
    for _ in range(50):
        chances = _chances(powers @ coefficients)
        gradient = powers.T @ (chosen - chances) - _RIDGE * coefficients
        information = _information(chances, powers, powers) + _RIDGE * np.eye(size[0] * size[1])
        step = linalg.solve(information, gradient.T.ravel(), assume_a="sym").reshape(size[1], size[0]).T
        for _ in range(20):
            value = objective(coefficients + step)
            if value >= best:
                break
            step = step / 2
        else:
            break
        coefficients, gain, best = coefficients + step, value - best, value
        if gain < 1e-9:
            break
    return _chances(powers @ coefficients)


def _chances(scores: FloatArray) -> FloatArray:
    return np.asarray(special.softmax(np.column_stack([scores, np.zeros(len(scores))]), axis=1)[:, :-1])


def _information(chances: FloatArray, left: FloatArray, right: FloatArray) -> FloatArray:
    """The blocks sum over rows of chance_a (1[a = b] - chance_b) left' right, for all levels a, b."""
    same = np.einsum("na,ni,nj->aij", chances, left, right, optimize=True)
    both = np.einsum("nai,nbj->aibj", chances[:, :, None] * left[:, None, :], chances[:, :, None] * right[:, None, :])
    levels = np.arange(chances.shape[1])
    blocks = -both
    blocks[levels, :, levels, :] += same
    return np.asarray(blocks.reshape(len(levels) * left.shape[1], len(levels) * right.shape[1]))
