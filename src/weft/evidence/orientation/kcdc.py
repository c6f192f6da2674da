"""KCDC: kernel conditional deviance, the method that the paper's experiments use.

The idea: if x causes y, the mechanism x -> y does not depend on the value of x, so that the conditional distributions
of y given x = x_i are equally complex for all i. Complexity is the norm of the conditional mean embedding. With kernel
matrices K (of the input x) and L (of the output y), and the ridge ``lambda``,

    alpha_i = (K + n lambda I)^-1 k_i,      norm_i = sqrt(alpha_i' L alpha_i),      S(x -> y) = variance of norm_i,

k_i being column i of K. The direction with the smaller S is taken for the causal one. Both columns are standardised;
a kernel's width is ``width`` times the median distance between two rows:

    rbf  exp(-d^2 / (2 w^2))      rational quadratic  1 / (1 + d^2 / (2 w^2))      laplace  exp(-d / w)

The *confidence ratio* is |S1 - S2| / min(S1, S2); 1 + ratio is the quotient of the larger S and the smaller one.

Rules
-----
``direct``
    One kernel for inputs, one for outputs, one lambda.
``majority``
    A vote over all pairs of the three kernels and all of ``lambdas``.
``confidence``
    Of the same settings, the one with the largest confidence ratio decides.

How far to trust it
-------------------
Not far. The sign hangs on lambda, which the papers that use it do not state. With RBF kernels of median width, forced
decisions: on the Tuebingen pairs 44.7 % right with lambda 1e-3 and 70.2 % with 1e-1; on additive-noise pairs 58 % and
20 %, on location-scale pairs 48 % and 31 %, on multiplicative-noise pairs 20 % and none. On the five direct relations
of the paper's own Synthetic 2 with lambda 1e-3 (1,000 rows, 20 repetitions) it is right in .15, 0, .85, 0, 0 of the
runs, and none of 180 settings gets all five. Measured with this implementation on the seven direct relations of
Synthetic 1 and 2 (scales of the noise from 1/2 to 2): with lambda 1e-3 or less none is right in more than .20 of the
runs; with lambda 1 six of them always are, and z -> w never. ``python -m benchmarks.kcdc_lambdas`` prints the table.

So the log odds are bounded by ``trust``, by default those of 70 %, the best figure above:

    direct, confidence   trust * tanh(log(S(y -> x) / S(x -> y)))
    majority             trust * (votes for - votes against) / votes

Below the usual least confidence of 0.8 that leaves every pair undecided. Who wants its decisions all the same, as to
reproduce the paper, sets a larger ``trust``.

Low rank
--------
K = F F' and L = G G' by pivoted incomplete Cholesky factors, so that norm_i^2 = |G'F (F'F + n lambda I)^-1 f_i|^2, f_i
being row i of F: O(n rank^2) instead of O(n^3). :func:`dense_deviance` is the formula as it stands.

Scores and diagnostic
---------------------
The scores are S of both directions under ``direct`` and ``confidence`` (smaller is better), and shares of the votes
under ``majority`` (larger is better). ``ratio``: the confidence ratio (of the median setting for a vote). ``settings``:
how many were tried. ``rank``: the most features of a kernel.

References
----------
Mitrovic, Sejdinovic & Teh, *Causal inference via kernel deviance measures*, NeurIPS 2018.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import ClassVar, Literal, TypeAlias, get_args

import numpy as np
from scipy import linalg

from weft.errors import StudyError
from weft.evidence.independence.kernels import FloatArray, pivoted_cholesky, principal, standardise
from weft.evidence.orientation.columns import NUMBERS, canonical_pair, refuse_levels
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column

KernelName = Literal["rbf", "rational-quadratic", "laplace"]
Rule = Literal["direct", "majority", "confidence"]
KERNELS: tuple[KernelName, ...] = get_args(KernelName)
RULES: tuple[Rule, ...] = get_args(Rule)

TRUST = math.log(0.7 / 0.3)
"""The log odds of being right in 70 % of cases."""
_NOTHING = 1e-14
"""Norms are at most about 1; a variance of them below this is rounding."""


@dataclass(frozen=True)
class Kcdc:
    """Kernel conditional deviance.

    Parameters
    ----------
    ridge
        The lambda of the direct rule.
    kernel_in, kernel_out
        The kernels of the direct rule, for the candidate cause and for the candidate effect.
    width
        Kernel widths, in median distances.
    rule
        Direct, majority or confidence.
    lambdas
        Those of the other two rules.
    trust
        The bound of the log odds.
    rank, tolerance
        The most features of one kernel, and the share of its trace that they may miss.

    >>> from weft.studies import Kind
    >>> generator = np.random.default_rng(0)
    >>> x = generator.normal(size=200)
    >>> y = Column("y", Kind.CONTINUOUS, np.tanh(x) + 0.3 * generator.normal(size=200))
    >>> judgement = Kcdc(ridge=1e-2).judge(Column("x", Kind.CONTINUOUS, x), y)
    >>> abs(judgement.log_odds) < TRUST
    True
    """

    name: ClassVar[str] = "kcdc"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=False,
        linear=False,
        kinds=NUMBERS,
        text="the conditional distributions of the effect are equally complex for all values of the cause",
    )
    ridge: float = 1e-3
    kernel_in: KernelName = "rbf"
    kernel_out: KernelName = "rbf"
    width: float = 1.0
    rule: Rule = "direct"
    lambdas: tuple[float, ...] = (1e-1, 1e-2, 1e-3, 1e-4)
    trust: float = TRUST
    rank: int = 300
    tolerance: float = 1e-7

    def __post_init__(self) -> None:
        object.__setattr__(self, "lambdas", tuple(self.lambdas))
        for value, known in ((self.kernel_in, KERNELS), (self.kernel_out, KERNELS), (self.rule, RULES)):
            if value not in known:
                raise StudyError(f"kcdc: there is no {value!r}; choose one of {', '.join(known)}")
        if not self.lambdas or min(self.ridge, self.width, *self.lambdas) <= 0:
            raise StudyError("kcdc: lambda and width must be above 0; such as ridge=1e-3, width=1")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {
            "ridge": self.ridge,
            "kernel_in": self.kernel_in,
            "kernel_out": self.kernel_out,
            "width": self.width,
            "rule": self.rule,
            "lambdas": ", ".join(f"{one:g}" for one in self.lambdas),
            "trust": self.trust,
            "rank": self.rank,
            "tolerance": self.tolerance,
        }

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence if a column has two levels or levels without an order."""
        return refuse_levels(self.name, x, y)

    def judge(self, x: Column, y: Column) -> Judgement:
        """Compare the deviances of the two directions."""
        one, other = canonical_pair(x.values, y.values)
        kernels = KERNELS if self.rule != "direct" else tuple(sorted({self.kernel_in, self.kernel_out}))
        factors = [{kernel: self._factor(side, kernel) for kernel in kernels} for side in (one, other)]
        rank = max(factor.features.shape[1] for side in factors for factor in side.values())
        forward = np.array(list(self._deviances(factors[0], factors[1])))
        backward = np.array(list(self._deviances(factors[1], factors[0])))
        diagnostic: dict[str, float | str] = {"settings": float(len(forward)), "rank": float(rank)}
        if max(forward.max(), backward.max()) < _NOTHING:
            return Judgement(0.0, reason="the conditional norms do not vary in either direction", diagnostic=diagnostic)
        logarithms = np.log(np.maximum(backward, _NOTHING)) - np.log(np.maximum(forward, _NOTHING))
        if self.rule == "majority":
            return self._vote(logarithms, diagnostic)
        surest = int(np.abs(logarithms).argmax())
        return Judgement(
            self.trust * math.tanh(float(logarithms[surest])),
            {Structure.CAUSES: float(forward[surest]), Structure.CAUSED: float(backward[surest])},
            reason="the direction with the smaller variance of conditional norms",
            diagnostic={**diagnostic, "ratio": _ratio(logarithms[surest])},
        )

    def _vote(self, logarithms: FloatArray, diagnostic: Mapping[str, float | str]) -> Judgement:
        share = float(np.mean(logarithms > 0)), float(np.mean(logarithms < 0))
        return Judgement(
            self.trust * (share[0] - share[1]),
            {Structure.CAUSES: share[0], Structure.CAUSED: share[1]},
            reason="the vote of kernels and lambdas",
            diagnostic={**diagnostic, "ratio": _ratio(np.median(np.abs(logarithms)))},
        )

    def _deviances(self, cause: Factors, effect: Factors) -> Iterator[float]:
        """S of one direction, for each setting."""
        pairs: Sequence[tuple[KernelName, KernelName]] = [(self.kernel_in, self.kernel_out)]
        lambdas: Sequence[float] = [self.ridge]
        if self.rule != "direct":
            pairs, lambdas = list(product(KERNELS, KERNELS)), self.lambdas
        for kernel_in, kernel_out in pairs:
            yield from deviances(cause[kernel_in], effect[kernel_out], lambdas)

    def _factor(self, values: FloatArray, kernel: KernelName) -> Factor:
        return Factor.of(values, kernel, self.width, self.rank, self.tolerance)


@dataclass(frozen=True, eq=False)
class Factor:
    """A kernel matrix as F F', the columns of F orthogonal."""

    features: FloatArray
    values: FloatArray
    """The squared lengths of the columns."""

    @classmethod
    def of(cls, points: FloatArray, kernel: KernelName, width: float, rank: int, tolerance: float) -> Factor:
        """Of standardised points; the width is in median distances."""
        width *= median_distance(points)
        features = pivoted_cholesky(
            lambda pivot: profile(np.abs(points - points[pivot]), kernel, width), len(points), rank, tolerance
        )
        turned = principal(features, 1e-14)
        return cls(turned, np.einsum("ij,ij->j", turned, turned))


Factors: TypeAlias = Mapping[KernelName, Factor]


def deviances(cause: Factor, effect: Factor, lambdas: Sequence[float]) -> list[float]:
    """S(cause -> effect) for each lambda."""
    rows = len(cause.features)
    cross = effect.features.T @ cause.features
    found = []
    for ridge in lambdas:
        weights = cross / (cause.values + rows * ridge)
        squares = np.einsum("ij,ij->i", cause.features @ (weights.T @ weights), cause.features)
        found.append(float(np.var(np.sqrt(np.maximum(squares, 0.0)))))
    return found


def dense_deviance(
    x: FloatArray,
    y: FloatArray,
    ridge: float,
    kernel_in: KernelName = "rbf",
    kernel_out: KernelName = "rbf",
    width: float = 1.0,
) -> float:
    """S(x -> y) by the definition, with matrices of rows x rows. O(n^3): for tests and small tables.

    >>> x = np.linspace(-1, 1, 30)
    >>> math.isclose(dense_deviance(x, x, 1e-2), dense_deviance(x, x + 1, 1e-2))
    True
    """
    inputs, outputs = (
        profile(np.abs(side[:, None] - side[None, :]), kernel, width * median_distance(side))
        for side, kernel in ((standardise(x), kernel_in), (standardise(y), kernel_out))
    )
    alpha = linalg.solve(inputs + len(x) * ridge * np.eye(len(x)), inputs, assume_a="pos")
    squares = np.einsum("ij,ij->j", alpha, outputs @ alpha)
    return float(np.var(np.sqrt(np.maximum(squares, 0.0))))


def profile(distances: FloatArray, kernel: KernelName, width: float) -> FloatArray:
    """The kernel as a function of the distance."""
    if kernel == "laplace":
        return np.asarray(np.exp(-distances / width))
    halves = distances**2 / (2 * width**2)
    return np.asarray(np.exp(-halves) if kernel == "rbf" else 1 / (1 + halves))


def median_distance(values: FloatArray) -> float:
    """The median distance between two rows, without looking at every pair; of distinct values if it would be zero.

    The number of pairs within a distance is found in the sorted values in O(n log n), and the median by bisection.

    >>> round(median_distance(np.array([0.0, 1.0, 1.5, 4.0, 9.0])), 9)  # 0.5, 1, 1.5, 2.5, 3 | 4, 5, 7.5, 8, 9
    3.0
    """
    ordered = np.sort(values)
    low, high = 0.0, float(ordered[-1] - ordered[0])
    places = np.arange(1, len(ordered) + 1)
    half = (len(ordered) * (len(ordered) - 1) // 2 + 1) // 2
    for _ in range(60):
        middle = (low + high) / 2
        within = int((np.searchsorted(ordered, ordered + middle, side="right") - places).sum())
        low, high = (low, middle) if within >= half else (middle, high)
    if high > 1e-12 * (ordered[-1] - ordered[0]):
        return high
    return median_distance(np.unique(values))


def _ratio(logarithm: float) -> float:
    """The confidence ratio, from the logarithm of the quotient."""
    return math.expm1(min(abs(float(logarithm)), 700.0))
