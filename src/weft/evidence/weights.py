"""How much each statement weighs: log posterior odds, from the p-values of all statements of a run.

When statements contradict each other, some must be given up, and it should be those that are least certain. A p-value
by itself is no measure of that (a large one is weak evidence for independence if most pairs are dependent). The
p-values of a whole run together are: under independence a p-value is uniform on (0, 1); under dependence it tends to
be small, which the density xi p^(xi - 1) of a Beta(xi, 1), 0 < xi < 1, describes. With a share pi0 of independent
pairs the density of all is

    f(p) = pi0 + (1 - pi0) xi p^(xi - 1),

and the posterior odds of dependence for a test with p-value p are (1 - pi0) xi p^(xi - 1) / pi0. This is how COmbINE
ranks its constraints ("maximum MAP ratio"), with pi0 by the method of Storey and Tibshirani and xi by maximum
likelihood.

One p-value goes in for each statement, not for each test: a connected pair is tested given many sets, and all these
tests would make dependence look more common than it is among pairs. (In simulations the log loss of the odds is .17
instead of .23 with 3,000 rows, .24 instead of .30 with 1,500, and the same with 500.)

Estimating pi0
--------------
Above some lambda nearly all p-values come from independent pairs, so pi0(lambda) = #{p > lambda} / (m (1 - lambda)),
at most 1. Storey and Tibshirani compute it for many lambda and extrapolate to 1 with a spline, for thousands of
genes. A run has tens or hundreds of p-values, for which that is far too unsteady (standard error .32 with 20
p-values, .25 with 60); at lambda = 1/2 the estimate is a little too large and much steadier, and in simulations with
8 to 300 p-values its odds were the better ones throughout (mean log loss with 20 p-values .37 against .59, with 300
.364 against .372). So lambda is 1/2.

What is done about few or extreme p-values
------------------------------------------
- The estimate of pi0 is shrunk towards 1/2 as if eight more tests had been seen, half of them independent. It never
  reaches 0 or 1, and with few p-values the odds stay modest.
- The likelihood of xi gets one more p-value, of 1/e^10 (for which xi is 1/10), as a dependent pair. It decides where
  there is nothing to learn from: then a p-value above .12 or so speaks for independence. (In simulations with two to
  twenty p-values this was a little better than 1/e^2 and 1/e^5 throughout.)
- A p-value below 1e-16 counts as 1e-16. Beyond that the approximations behind p-values no longer mean anything, one
  of 1e-300 would draw xi to 0 and make every ordinary one look independent, and 0 has no logarithm.
- Odds are for a p-value alone: tests that share variables or rows are not independent of each other.

References
----------
Triantafillou and Tsamardinos, *Constraint-based causal discovery from multiple interventions over overlapping variable
sets*, JMLR 16 (2015).
Storey, *A direct approach to false discovery rates*, JRSS B 64 (2002).
Storey and Tibshirani, *Statistical significance for genomewide studies*, PNAS 100 (2003).
Sellke, Bayarri and Berger, *Calibration of p values for testing precise null hypotheses*, American Statistician 55
(2001).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weft.evidence.pool import check_p_value

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

LEAST_P_VALUE = 1e-16
"""Smaller p-values count as this."""

_CUT = 0.5
"""Storey's lambda."""

_PRIOR_TESTS = 8
"""How many imagined tests are added, half of them independent."""


_PRIOR_SURPRISE = 10
"""Minus the logarithm of the p-value of the one dependent pair that is imagined."""


@dataclass(frozen=True, slots=True)
class Mixture:
    """What the p-values of a run come from: independent pairs (uniform) and dependent pairs (Beta(xi, 1))."""

    independent_share: float
    """The share of independent pairs, COmbINE's pi0: more than 0, less than 1."""
    exponent: float
    """COmbINE's xi, between 0 and 1: the smaller, the nearer to 0 are the p-values of dependent pairs."""
    count: int
    """How many p-values it was estimated from."""

    def log_odds(self, p_value: float) -> float:
        """The logarithm of the odds that a pair with this p-value is dependent.

        >>> mixture = Mixture(independent_share=0.5, exponent=0.1, count=100)
        >>> round(mixture.log_odds(0.001), 2), round(mixture.log_odds(0.9), 2)
        (3.91, -2.21)
        """
        check_p_value(p_value)
        prior = math.log1p(-self.independent_share) - math.log(self.independent_share)
        return prior + math.log(self.exponent) + (self.exponent - 1) * math.log(max(p_value, LEAST_P_VALUE))

    def weight(self, p_value: float, *, independent: bool) -> float:
        """The weight of a statement that the pair is independent, or that it is dependent: its log odds, at least 0.

        Where the odds speak against the statement that a test at level alpha made, the weight is 0: it can be given up
        for nothing.

        >>> mixture = Mixture(independent_share=0.5, exponent=0.1, count=100)
        >>> round(mixture.weight(0.9, independent=True), 2), mixture.weight(0.9, independent=False)
        (2.21, 0.0)
        """
        odds = self.log_odds(p_value)
        return max(0.0, -odds if independent else odds)


def fit_mixture(p_values: Iterable[float]) -> Mixture:
    """The mixture that the p-values of a run come from. Their order does not matter; there may be few, or none.

    >>> mixture = fit_mixture([i / 100 for i in range(100)] + [1e-6] * 100)
    >>> round(mixture.independent_share, 1)
    0.5
    """
    import numpy as np

    values = np.sort(np.fromiter((_checked(p) for p in p_values), dtype=np.float64))
    share = _independent_share(values)
    return Mixture(share, _exponent(np.log(values), share), len(values))


def log_odds(p_values: Sequence[float]) -> tuple[float, ...]:
    """For each p-value of a run the logarithm of the odds that its pair is dependent, estimated from all of them."""
    mixture = fit_mixture(p_values)
    return tuple(mixture.log_odds(p) for p in p_values)


def _checked(p_value: float) -> float:
    check_p_value(p_value)
    return max(float(p_value), LEAST_P_VALUE)


def _independent_share(values: Floats) -> float:
    """Storey's estimate of pi0 from p-values, shrunk towards 1/2."""
    count = len(values)
    above = float((values > _CUT).sum()) / (1 - _CUT)
    return (min(above, count) + _PRIOR_TESTS / 2) / (count + _PRIOR_TESTS)


def _exponent(logarithms: Floats, share: float) -> float:
    """The most likely xi between .001 and .999, with one more dependent p-value, by narrowing a grid."""
    import numpy as np

    low, high = math.log(0.001), math.log(0.999)
    for _ in range(12):
        grid = np.linspace(low, high, 33)
        best = int(np.argmax([_log_likelihood(logarithms, share, math.exp(u)) for u in grid]))
        low, high = float(grid[max(best - 1, 0)]), float(grid[min(best + 1, 32)])
    return math.exp((low + high) / 2)


def _log_likelihood(logarithms: Floats, share: float, xi: float) -> float:
    import numpy as np

    dependent = (1 - share) * xi * np.exp((xi - 1) * logarithms)
    return float(np.log(share + dependent).sum()) + math.log(xi) - _PRIOR_SURPRISE * (xi - 1)
