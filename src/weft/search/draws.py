"""Models drawn by how likely they are: in which share of them a claim holds is what its confidence goes by.

A weight is the logarithm of the odds that a statement is right. If statements are wrong independently of each other, a
model in which statements of a certain total weight, its cost, fail is as likely as

    exp(-cost - 3 * (edges ->) - 5 * (edges <->))

The first part is what the tables say. The second is what is supposed before any table is looked at: a world with few
edges is likelier than one with many, and a hidden cause that joins two of the measured variables is rarer than an
effect of one on the other. Without it, nearly all of what is drawn would be dense: there are so many more dense models.
That must not speak against what is said of a pair by itself: "X causes Y" with a weight of 2 is to have odds of exp(2).
So the cost of a relation is raised by the least that the edges cost which it needs.

Models are met in proportion to that on a Metropolis walk over ADMGs (:mod:`weft.search.kernel`). From one
group of likely models to the next the walk may never find the way. So there are many short *chains*, each from the
empty model and cooled down from a heat at which everything is possible, and the share is that of all of them together.
A chain is a job, which may run anywhere, and is the same each time. Shares are off by one point on average, by three
to five at worst on 5 to 12 variables; on 34 two sets of 32 chains differ by one point on average and by 20 at worst.

What it is worth, beside the *margin* of a claim, which compares the cheapest model with and without it, on the data
that the curves were fitted to: on 135 data sets of 5 to 18 variables, 310 right claims "X causes Y" at a precision of
95 % by the share and 246 by the margin; on those of levels alone, whose cheapest models disagree about nearly
everything, 42 and 7. The log loss is .42 and .47. Beside the share the margin tells nothing more. The two prices are
the best of nine pairs that were tried there, from (1, 1) to (4, 8); a heat of .6 or .35 instead of 1 does as well.

References
----------
Hyttinen, Eberhardt and Järvisalo, *Constraint-based causal discovery: conflict resolution with answer set programming*,
UAI 2014 (weights as log odds). Metropolis et al., *Equation of state calculations by fast computing machines*, 1953.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from functools import partial

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim
from weft.parallel import anywhere
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, Annealing
from weft.search.engine import OutOfTime, is_over
from weft.search.facts import facts_about, facts_per_pair
from weft.search.kinds import Constraint, PairRelation
from weft.search.problem import Problem

DIRECTED, CONFOUNDED = 3.0, 5.0
"""What an edge ``->`` and an edge ``<->`` cost by themselves, in weights."""
CHAINS, FEWEST = 32, 4
"""So many chains, if the effort suffices; with fewer than the second nothing is told."""
HOT, STAGES = 6.0, 50
"""The heat at which a chain begins, and in how many stages it cools down to 1."""
COOLING, FOR_A_PAIR = 10_000, 100
"""The evaluations of a chain until it is cool: in any case, and for each pair of variables."""
WARMING = 0.25
"""As a share of these, those before the first draw, evenly to all sides."""
BETWEEN, DRAWS = 400, 100
"""The evaluations from one draw to the next, and the draws of a chain."""
DIGITS = 6
"""Those of a share, which has no more than three that mean something; rounded, it can be told either way round."""


def drawn_shares(problem: Problem, unit: int, deadline: float | None = None) -> Mapping[Claim, float]:
    """The share of the models drawn in which each claim holds, by canonical claim.

    Parameters
    ----------
    problem
        The softened question under its claims, which are hard; see :func:`~weft.search.annealing.can_anneal`.
    unit
        The cost of a weight of 1.

    Raises
    ------
    OutOfTime
        If the time or the effort does not suffice.
    """
    each = math.ceil(_evaluations(problem) / EVALUATIONS_PER_CONFLICT)
    number = int(min(CHAINS, effort_left() // each))
    if is_over(deadline) or number < FEWEST:
        raise OutOfTime
    spend(number * each)
    found: dict[int, list[float] | None] = {}
    for place, shares in anywhere(partial(_chain, raised(problem, unit), unit), range(1, number + 1)):
        if is_over(deadline):
            raise OutOfTime
        found[place] = shares
    chains = [shares for _, shares in sorted(found.items()) if shares is not None]
    if len(chains) < FEWEST:  # the others met nothing that is allowed
        raise OutOfTime
    facts = facts_about(problem)
    return {
        fact.claim(problem.names): round(math.fsum(own) / len(own), DIGITS)
        for fact, own in zip(facts, zip(*chains, strict=True), strict=True)
    }


def raised(problem: Problem, unit: int) -> Problem:
    """The same question, where a relation costs more to give up, by the least that the edges cost which it needs."""
    assert problem.soft is not None
    costs = {key: cost + round(unit * _needed(problem.statements[key])) for key, cost in problem.costs.items()}
    return replace(problem, soft=replace(problem.soft, costs=costs))


def _needed(statement: Constraint) -> float:
    """The price of the edges without which a relation does not hold."""
    if not isinstance(statement, PairRelation):
        return 0.0
    return min(DIRECTED * (one.causes or one.caused) + CONFOUNDED * one.confounded for one in statement.allowed)


def _cooling(problem: Problem) -> int:
    return COOLING + FOR_A_PAIR * math.comb(len(problem.names), 2)


def _evaluations(problem: Problem) -> int:
    """Those of a chain."""
    return round(_cooling(problem) * (1 + WARMING)) + BETWEEN * DRAWS


def _chain(problem: Problem, unit: int, seed: int) -> list[float] | None:
    """The share of the draws of one chain in which each fact holds; ``None`` if no draw is allowed."""
    import numpy as np

    from weft.search.kernel import FAILING, tally

    per_pair, number = facts_per_pair(problem), 0
    counts = np.zeros(per_pair * math.comb(len(problem.names), 2), np.int64)
    walk, heat, cooling = Annealing(problem, prices=_prices(unit)), 256 * unit, _cooling(problem)
    model = walk.start(seed)
    for stage in range(STAGES):
        walk.walk(model, round(heat * HOT ** (1 - (stage + 1) / STAGES)), cooling // STAGES)
    walk.walk(model, heat, round(WARMING * cooling), evenly=True)
    for _ in range(DRAWS):
        walk.walk(model, heat, BETWEEN, evenly=True)
        if not model.totals[FAILING]:
            tally(model.graph, per_pair, counts)
            number += 1
    return [float(count) / number for count in counts] if number else None


def _prices(unit: int) -> tuple[int, int]:
    return round(DIRECTED * unit), round(CONFOUNDED * unit)
