"""How much each statement weighs: the logarithm of the odds that it is right, given all that the tests of a run showed.

When statements contradict each other, some must be given up, and it should be those that are least certain. A p-value
by itself is no measure of that: where weak dependences are common, and among measured variables with hidden ones behind
them they are, a large p-value is hardly evidence of independence. In populations that look like real ones
(``benchmarks/populations.py``), of the pairs with p > .8 given nothing one in four is dependent.

So the odds are functions of all that was seen (:mod:`weft.evidence.seen`), fitted where the truth is known:

============== ====================================================== ==============================================
model          the odds                                               asked of
============== ====================================================== ==============================================
`apart`        that some set of the study's variables separates them  a pair that some set seems to separate
`connected`    that none does                                         a pair that no set seems to separate
`separated`    that it is this set, given that the pair is apart      a pair and set with rivals that were tested
`dependent`    that this set does not separate the pair               any test of a pair that is not connected
`noncollider`  that it causes one of the pair                         a common neighbour in the set that separates it
`collider`     that it causes neither                                 one outside, which would not leave it separated
============== ====================================================== ==============================================

The outcomes of a pair are {connected | apart by another set | separated by this set}. Where it is connected, `Apart`
and `Separated` both fail. So the weight is shared out between them (:func:`nested`), such that the costs of the
outcomes differ by the logarithms of their probabilities.

Each model is a logistic regression, an intercept and a coefficient for each feature; there is one for pairs of numbers
and one for pairs with levels. (A boosted ensemble of trees, with every feature there is, had no better log loss on runs
that were left out.) No odds are larger than those of :data:`LIMIT`: errors that tests have in common are not in any
p-value.

What does not do: a mixture that is fitted to the p-values of the run alone (Triantafillou and Tsamardinos,
*Constraint-based causal discovery from multiple interventions over overlapping variable sets*, JMLR 16, 2015). It
cannot see weak dependences, since their p-values look uniform.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from itertools import accumulate
from typing import Literal

from weft.evidence.calibration import MODELS

Model = Literal["apart", "connected", "separated", "dependent", "noncollider", "collider"]

Features = Mapping[str, float]
"""Numbers by name, of which odds are a function."""

INTERCEPT, LEVELS, NUMBERS = "intercept", "levels", "numbers"
LIMIT = 5.0
"""The largest weight: 99.3 %."""


def log_odds(model: Model, features: Features) -> float:
    """The logarithm of the odds that a statement is right, capped.

    >>> features = {"evidence": 3.0, "size": 1, "rows": 3.0, "levels": 0.0, "strength": 1.0}
    >>> 2 < log_odds("dependent", features) <= LIMIT
    True
    """
    coefficients = MODELS[model][LEVELS if features[LEVELS] else NUMBERS]
    total = sum(value if name == INTERCEPT else value * features[name] for name, value in coefficients.items())
    return max(-LIMIT, min(total, LIMIT))


def probability(weight: float | None) -> float:
    """The probability that a weight, the logarithm of odds, stands for.

    >>> probability(0.0), round(probability(2.0), 2)
    (0.5, 0.88)
    """
    return 1 / (1 + math.exp(-(weight or 0.0)))


def nested(apart: float, named: float) -> tuple[float, float]:
    """The weights of `Apart` and of `Separated`, from the odds of apart, and of this set given apart.

    Where the set separates the pair nothing is given up; where another does, the second weight; where the pair is
    connected, both. These costs are the logarithms of the probabilities of the outcomes, but for one thing: if another
    set is less probable than a connection, it costs as much, since no weight can be negative.

    >>> apart, named = 3.0, 1.0    # the probabilities 0.95 and 0.73
    >>> connected, other = probability(-3.0), probability(3.0) * probability(-1.0)
    >>> this = 1 - connected - other
    >>> weights = nested(apart, named)
    >>> round(weights[1] - math.log(this / other), 9), round(sum(weights) - math.log(this / connected), 9)
    (0.0, 0.0)
    """
    total = apart + math.log(probability(named))  # this set against connected
    separated = max(min(named, total), 0.0)
    return max(total - separated, 0.0), separated


def chained(weights: Iterable[float]) -> tuple[float, ...]:
    """How probable statements are of which each follows from the one before, by their weights, the narrowest first.

    The weight of a statement inside another speaks only of the outcomes that the other leaves: it is not its log odds.
    The outcomes are: all hold; all but the first; all but the first two; and so on, until none does. Each costs the
    weights of what does not hold, and costs are logarithms of probabilities (:func:`nested`, and the same of pairs in
    :mod:`weft.evidence.orientation.outcomes`). A statement by itself has its log odds for its weight.

    >>> [round(one, 6) for one in chained([math.log(0.9 / 0.08), math.log(0.08 / 0.02)])]  # outcomes of 90, 8 and 2 %
    [0.9, 0.98]
    """
    shares = [math.exp(-cost) for cost in accumulate(weights, initial=0.0)]
    return tuple(held / sum(shares) for held in list(accumulate(shares))[:-1])
