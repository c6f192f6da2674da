"""Absolute fit: a model with independent noise is tried in each direction, given what else acts on the effect.

Methods of direction compare two fits. Here each direction must fit by itself. If x causes y directly, and y has no
hidden common cause with what is taken into account, then y is a function of x and of others among its neighbours in the
study plus noise that is independent of all of them. So x -> y *fits* if some set Z, x and at most two other neighbours
of y, leaves a residual that is independent of each member:

    p(x -> y) = max over Z of |Z| times the least p-value of HSIC between the residual of y given Z and a member of Z.

Two kinds of regression are tried: *linear*, and *additive* (:mod:`weft.evidence.orientation.additive`). What each
outcome leaves:

- x causes y: forward fits, backward does not, as the rows grow (but for Gaussian noise in a linear model: both do);
- a common cause only, or one besides a direct effect: neither fits;
- a linear model that fits says more than an additive one. With noise that is not Gaussian no linear model fits where x
  does not cause y (Darmois and Skitovich), a common cause or not; with functions of any shape, y = g(hidden) + noise
  and x = f(hidden) + little noise look much like a function of x.

Without neighbours this is the additive noise model with an absolute judgement.

The null distribution of HSIC does not know that the residual comes from a regression; the p-values of true models are
about uniform all the same (5 % quantile of 100: 0.015 at 500 rows, 0.08 at 3000).

Scores
------
``->``, ``<-``: p of the additive model in that direction.

Diagnostic
----------
``linear_forward``, ``linear_backward``, ``additive_forward``, ``additive_backward``: the four p-values, at most 1;
``unexplained``: the share of the variance that x and y leave of each other, additive models of nothing else, the mean
of both directions; ``neighbours``: how many were looked at.

References
----------
Shimizu et al., *A linear non-Gaussian acyclic model for causal discovery*, JMLR 7 (2006).

Maeda & Shimizu, *Causal additive models with unobserved variables*, UAI 2021: sets of regressors whose residual stays
dependent tell of hidden variables. (Their test, residual against residual, was tried and gains nothing here:
``benchmarks/outcomes.py`` has the figures.)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weft.evidence.independence.kernels import FloatArray, canonical_rows, standardise
from weft.evidence.orientation.additive import Additive, Terms, level_terms, number_terms
from weft.evidence.orientation.calibration import GOF, GOF_ALONE, three_way
from weft.evidence.orientation.columns import NUMBERS, ForNumbers
from weft.evidence.orientation.dependence import cause_features, dependence, level_features, residual_features
from weft.evidence.orientation.protocol import Around, Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

_Residual: TypeAlias = Callable[[str, tuple[str, ...]], FloatArray]

MOST_ROWS = 3000
MOST_NEIGHBOURS = 5
"""Of each of the two; those that depend on it most."""
LARGEST_SET = 3
_ENOUGH = 0.5
"""A set with such a p-value fits; no better one is looked for."""
_EXACT = 1e-6
"""A residual this small, relative to its column, is rounding: an exact function, which fits."""


@dataclass(frozen=True)
class Gof(ForNumbers):
    """A model with independent noise in each direction, judged by its absolute fit among the neighbours.

    Parameters
    ----------
    most_rows
        More rows than this are thinned.

    >>> from weft.studies import Kind
    >>> generator = np.random.default_rng(0)
    >>> x, z = generator.exponential(size=(2, 1000))
    >>> y = x + 2 * z + generator.uniform(size=1000)
    >>> one, other, third = (Column(name, Kind.CONTINUOUS, v) for name, v in (("x", x), ("y", y), ("z", z)))
    >>> judgement = Gof().judge_among(one, other, Around(of_y=(third,)))
    >>> judgement.outcomes.forward > 0.8
    True
    """

    name: ClassVar[str] = "gof"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=True,
        linear=False,
        kinds=NUMBERS,
        text="The effect is a sum of functions of its causes, of which at most two others were measured, plus noise "
        "independent of them.",
    )
    most_rows: int = MOST_ROWS

    def judge(self, x: Column, y: Column) -> Judgement:
        """Judge the pair alone."""
        return self._judged(x, y, Around(), GOF_ALONE)

    def judge_among(self, x: Column, y: Column, around: Around) -> Judgement:
        """Judge a pair of a study."""
        return self._judged(x, y, around, GOF)

    def _judged(self, x: Column, y: Column, around: Around, coefficients: Mapping[str, float]) -> Judgement:
        """Look for a set that makes each direction fit."""
        fits = both_fits(x, y, around, self.most_rows)
        outcomes = three_way(fits, 0.0, coefficients)
        return Judgement(
            outcomes.log_odds,
            {Structure.CAUSES: fits["additive_forward"], Structure.CAUSED: fits["additive_backward"]},
            reason="a sum of functions of the neighbours, plus independent noise, tried in each direction",
            diagnostic=fits,
            outcomes=outcomes,
        )


def both_fits(x: Column, y: Column, around: Around, most_rows: int = MOST_ROWS) -> dict[str, float]:
    """The p-values of both kinds of model in both directions, and the number of neighbours that were looked at."""
    rows = _rows(x.values, y.values, most_rows)
    table = _Table({column.name: _at(column, rows) for column in (*around.columns, x, y)})
    near_x, near_y = (table.strongest(end.name, side) for end, side in ((x, around.of_x), (y, around.of_y)))
    forward, backward = table.fits(x.name, y.name, near_y), table.fits(y.name, x.name, near_x)
    return {
        "linear_forward": forward.linear,
        "linear_backward": backward.linear,
        "additive_forward": forward.additive,
        "additive_backward": backward.additive,
        "unexplained": (table.unexplained(x.name, y.name) + table.unexplained(y.name, x.name)) / 2,
        "neighbours": float(len({*near_x, *near_y})),
    }


@dataclass(frozen=True)
class Fits:
    """The p-values of one direction."""

    linear: float
    additive: float


def _rows(x: FloatArray, y: FloatArray, most: int) -> NDArray[np.intp]:
    """The rows that are looked at, in an order that depends neither on theirs nor on which column comes first."""
    one, other = standardise(x), standardise(y)
    rows = canonical_rows([one + other, np.abs(one - other)])
    if len(rows) <= most:
        return rows
    return rows[np.sort(np.random.default_rng(len(rows)).choice(len(rows), most, replace=False))]


def _at(column: Column, rows: NDArray[np.intp]) -> Column:
    return replace(column, values=column.values[rows])


class _Table:
    """Columns of one study, and what was computed of them: each regression is made once."""

    def __init__(self, columns: Mapping[str, Column]) -> None:
        self._columns = columns
        self._values = {name: standardise(column.values) for name, column in columns.items()}
        self._features = {name: _features(column) for name, column in columns.items()}
        self._terms: dict[str, Terms] = {}
        self._additive: dict[tuple[str, ...], Additive] = {}

    def strongest(self, name: str, others: Sequence[Column]) -> tuple[str, ...]:
        """The neighbours that depend most on a column, at most so many; those that do not vary here are left out."""
        ratios = {
            other.name: dependence(self._features[name], self._features[other.name]).ratio
            for other in others
            if np.ptp(self._values[other.name]) > 0
        }
        return tuple(sorted(sorted(ratios, key=lambda one: (-ratios[one], one))[:MOST_NEIGHBOURS]))

    def fits(self, cause: str, effect: str, others: Sequence[str]) -> Fits:
        """How well "cause -> effect" fits, with others among the causes."""
        sets = [(cause, *some) for size in range(LARGEST_SET) for some in combinations(others, size)]
        return Fits(*(self._best(effect, sets, residual) for residual in (self._linear_residual, self._residual)))

    def unexplained(self, cause: str, effect: str) -> float:
        """The share of the effect's variance that the cause alone leaves."""
        return min(float(self._residual(effect, (cause,)).var() / self._values[effect].var()), 1.0)

    def _best(self, effect: str, sets: Iterable[tuple[str, ...]], residual: _Residual) -> float:
        best = 0.0
        for causes in sets:
            best = max(best, self._tested(causes, residual(effect, causes), best))
            if best >= _ENOUGH:
                return _ENOUGH
        return best

    def _tested(self, causes: tuple[str, ...], left: FloatArray, at_least: float) -> float:
        """The p-value of a set, by what it leaves; 0 as soon as it is known not to reach the least."""
        if float(left.std()) < _EXACT:
            return 1.0
        features, p_value = residual_features(left), 1.0
        for cause in causes:
            p_value = min(p_value, dependence(self._features[cause], features).p_value)
            if len(causes) * p_value <= at_least:
                return 0.0
        return min(len(causes) * p_value, 1.0)

    def _residual(self, effect: str, causes: tuple[str, ...]) -> FloatArray:
        key = tuple(sorted(causes))
        if key not in self._additive:
            self._additive[key] = Additive([self._terms_of(name) for name in key])
        return np.asarray(self._values[effect] - self._additive[key].fit(self._values[effect]).fitted)

    def _linear_residual(self, effect: str, causes: tuple[str, ...]) -> FloatArray:
        parts = [self._level_basis(name) for name in sorted(causes)]
        basis = np.column_stack(parts)
        return np.asarray(self._values[effect] - basis @ np.linalg.lstsq(basis, self._values[effect], rcond=None)[0])

    def _level_basis(self, name: str) -> FloatArray:
        return self._values[name][:, None] if self._columns[name].kind in NUMBERS else self._terms_of(name).basis

    def _terms_of(self, name: str) -> Terms:
        if name not in self._terms:
            column = self._columns[name]
            self._terms[name] = (number_terms if column.kind in NUMBERS else level_terms)(column.values)
        return self._terms[name]


def _features(column: Column) -> FloatArray:
    return cause_features(column.values) if column.kind in NUMBERS else level_features(column.values)
