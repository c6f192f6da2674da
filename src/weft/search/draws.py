"""Models drawn in proportion to exp(-cost): a second opinion on every claim, beside its margin.

A weight is the log of the odds that a statement is right. If statements were wrong independently of each other, and
all models as likely beforehand, exp(-cost) would be how likely a model is, and the share of the draws in which a claim
holds its probability. Neither is so: the statements rest on the same rows, and there are many more dense models than
sparse ones. So a share is no confidence. What it adds to a margin, which knows only the cheapest model on either side,
is how *many* cheap models there are.

The draws are those of a Metropolis walk (:mod:`weft.search.annealing_kernel`) over ADMGs. Several *chains* begin at the
cheapest model known, each with a seed of its own; how far their shares are apart shows whether the walk was long
enough. A chain is a job, which may run anywhere, and is the same each time.

References
----------
Hyttinen, Eberhardt and Järvisalo, *Constraint-based causal discovery: conflict resolution with answer set programming*,
UAI 2014 (weights as log odds). Metropolis et al., *Equation of state calculations by fast computing machines*, 1953.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from functools import partial
from typing import NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim
from weft.graphs.mixed import MixedGraph
from weft.parallel import anywhere
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, Annealing
from weft.search.engine import OutOfTime, is_over
from weft.search.facts import facts_about, facts_per_pair
from weft.search.problem import Problem

CHAINS = 4
WARMING, BETWEEN, DRAWS = 50_000, 100, 1_000
"""The evaluations before the first draw of a chain and from one draw to the next, and the draws of a chain."""
FAR = 0.2
"""Shares of chains that are farther apart than this say nothing."""


class Drawn(NamedTuple):
    """What the draws say about a claim."""

    share: float
    """Of the models drawn, those in which it holds."""
    apart: float
    """How far the shares of two chains are apart at most."""

    @property
    def is_known(self) -> bool:
        """Whether the chains agree."""
        return self.apart <= FAR


def drawn_shares(
    problem: Problem, start: MixedGraph, unit: int, deadline: float | None = None
) -> Mapping[Claim, Drawn]:
    """The share of the models drawn in which each claim holds.

    Parameters
    ----------
    problem
        The softened question under its claims; see :func:`~weft.search.annealing.can_anneal`.
    start
        A cheap model, where the chains begin.
    unit
        The cost of a weight of 1.

    Raises
    ------
    OutOfTime
        If the time or the effort does not suffice.
    """
    cost = CHAINS * math.ceil((WARMING + BETWEEN * DRAWS) / EVALUATIONS_PER_CONFLICT)
    if is_over(deadline) or effort_left() < cost:
        raise OutOfTime
    spend(cost)
    chains: list[list[float]] = []
    for _, shares in anywhere(partial(_chain, problem, start, unit), range(1, CHAINS + 1)):
        if is_over(deadline) or shares is None:  # a chain that met nothing that is allowed
            raise OutOfTime
        chains.append(shares)
    facts = facts_about(problem)
    return {
        fact.claim(problem.names): Drawn(math.fsum(own) / CHAINS, max(own) - min(own))
        for fact, own in zip(facts, zip(*chains, strict=True), strict=True)
    }


def _chain(problem: Problem, start: MixedGraph, unit: int, seed: int) -> list[float] | None:
    """The share of the draws of one chain in which each fact holds; ``None`` if no draw is allowed."""
    import numpy as np

    from weft.search.annealing_kernel import FAILING, tally

    per_pair, number = facts_per_pair(problem), 0
    counts = np.zeros(per_pair * math.comb(len(problem.names), 2), np.int64)
    walk, heat = Annealing(problem), 256 * unit
    model = walk.start(seed, start)
    walk.walk(model, heat, WARMING, evenly=True)
    for _ in range(DRAWS):
        walk.walk(model, heat, BETWEEN, evenly=True)
        if not model.totals[FAILING]:
            tally(model.graph, per_pair, counts)
            number += 1
    return [float(count) / number for count in counts] if number else None


def drawn_share(claim: Claim, draws: Mapping[Claim, Drawn]) -> float | None:
    """The share of the draws in which a claim holds; ``None`` if that is not known."""
    own = draws.get((claim if claim.holds else claim.negated).canonical)
    return None if own is None or not own.is_known else own.share if claim.holds else 1 - own.share
