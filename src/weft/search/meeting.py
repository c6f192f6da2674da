"""Draws with a bound, and a number, where there is neither a larger set nor a cell: random walks that meet.

A random walk over solutions (:mod:`weft.search.wandering`) meets all of them alike in the long run. How long that is,
nobody knows beforehand, and walks that agree may all have missed the same. This is how it is found out: two walks begin
at different solutions and take the *same* random steps (the same edge is proposed for the same pair, and the same lot
decides). Each is a walk like any other. When they *meet*, they are one walk from there on, and have forgotten where
they began.

**The bound.** One walk of a pair goes t steps ahead; then both go on together. If they meet within t further steps, it
has gone long enough: what it was at then differs in distribution from what it will be at t steps later by no more than
the share of pairs that do not meet so soon, and so on for all later times (Biswas, Jacob and Vanetti's couplings with a
lag). So if none of 150 pairs takes longer, with 95 % fewer than 2.5 % of all such pairs would, and no share of such
draws is farther than that from its share of all solutions (:attr:`Met.uneven`; a little farther, since steps may end at
graphs that are no solutions, which are left out). Pairs that do not meet show that there is no bound: then nothing is
drawn.

**Where they begin** is what this rests on. If there were solutions that no walk from a start ever finds, no pair would
tell. So walks begin at solutions that were asked of the solver one by one, such that together they have every edge
that any solution has (:func:`spread_out`). On a problem of 15 variables eight walks from one solution agreed, worth
1,169 independent draws; from such starts half of the pairs did not meet in 2,000 sweeps.

**The number** is found edge by edge, as :meth:`~weft.search.wandering.Wandering.guess` does it, with as many walks as
there are fair draws, which begin at these. Among the draws one edge of some pair has a certain share; those that have
it are fair draws from the solutions that have it, and walks from them meet more of these; and so on until the solver
can count the rest. How far each share may be off is told by how far the walks are apart.

References
----------
Biswas, Jacob and Vanetti, *Estimating convergence of Markov chains with L-lag couplings*, NeurIPS 2019.

Jerrum, Valiant and Vazirani, *Random generation of combinatorial structures from a uniform distribution*, Theoretical
Computer Science 43 (1986).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from statistics import median
from typing import TYPE_CHECKING, NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import MixedGraph
from weft.parallel import anywhere
from weft.search.annealing import EDGES, start_of
from weft.search.counting import PROBABILITY, TRIES, Estimate, late_of
from weft.search.engine import OutOfTime, check_time
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.wandering import (
    COUNTED_BITS,
    HEATS,
    Course,
    cost_of,
    freedom,
    narrowed,
    number_edges,
    read_edges,
    rows_of,
    walk,
    worth_of,
)
from weft.search.wandering import Met as Wandered

if TYPE_CHECKING:
    from weft.search.wandering import Edges

PILOTS, PAIRS = 32, 150
"""So many pairs show how long it takes to meet; of so many others all must meet within a multiple of that."""
TOGETHER = 30
"""So many pairs are begun at a time."""
PATIENCE = 400
"""The sweeps within which pilots must meet; in a sweep each pair of variables is proposed once, on average."""
AHEAD = 2
"""So many times as long as the slowest pilots one walk goes ahead; that is doubled in a second try."""
COLD_FIRST = HEATS[::-2]
"""What is tried."""
STAGE_BITS = 1.7
"""About so many bits of the freedom of all edges go with each edge that is kept."""
OFTEN = 4
"""So many draws are made while walks forget where they were: they are alike, but cost less than they tell less."""
MOST_LOOKS, SPENT = 40, 0.9
"""More draws of each walk and stage are not worth their time; and they may take such a share of the effort."""
NORMAL = 2.0
"""The quantile for 95 %, and a little more, since walks of different stages are not independent."""
LARGEST = 2.0
"""What is farther off than this factor is no estimate."""


class NotMetError(OutOfTime):
    """Some walks did not meet in time."""


class Met(NamedTuple):
    """Draws that are nearly fair and independent."""

    graphs: list[MixedGraph]
    """In the order in which they were drawn; some may be the same."""
    pairs: int
    """So many pairs of walks met, all that there were."""
    uneven: float
    """By how much the share of anything among such draws is off at most, with 95 %."""
    heat: int
    """Of the walks that met."""
    sweeps: int
    """A walk has forgotten where it was after so many sweeps, as a rule."""


def spread_out(
    find: Callable[[Sequence[Claim]], Found], names: Sequence[str], claims: Sequence[Claim]
) -> list[MixedGraph]:
    """Solutions under claims that together have every edge that any of them has, and lack every one that any lacks.

    Raises
    ------
    OutOfTime
        If that is not known in time.
    """
    found, shown = list[MixedGraph](), set[tuple[int, int]]()
    for place, (x, y) in enumerate(combinations(range(len(names)), 2)):
        for number, edge in enumerate(EDGES[:4]):
            if (place, number) not in shown:
                claim = Claim(Topic.EDGE, names[x], names[y], bool(edge), edge or "o-o").canonical
                answer = find((*claims, claim))
                if answer.status is Status.OUT_OF_TIME:
                    raise OutOfTime
                if answer.graph is not None:
                    found.append(answer.graph.undoubled())
                    shown.update(enumerate(number_edges(found[-1])))
    return found


class Pair(NamedTuple):
    """What came of two walks by the same steps."""

    row: list[int] | None
    """The edges of the first when it was far enough ahead, if it was a solution."""
    steps: int
    """What both took from there until they met; more than they might if they did not."""


@dataclass(frozen=True)
class Coupling:
    """How two walks go; called with where they begin, and a seed."""

    course: Course
    """What steps there are: over which problem, pairs and heat."""
    ahead: int
    """The steps that the first takes alone."""
    most: int
    """Those that both may take."""

    @property
    def cost(self) -> int:
        """What a pair may take, in conflicts."""
        return cost_of(self.course.problem, self.ahead + 2 * self.most)

    def spent(self, pairs: Sequence[Pair]) -> int:
        """What pairs took."""
        steps = sum(self.ahead + 2 * min(one.steps, self.most) for one in pairs)
        return cost_of(self.course.problem, steps)

    def __call__(self, job: tuple[MixedGraph, MixedGraph, int]) -> Pair:
        """Walk from two solutions, with random numbers of a seed."""
        import numpy as np

        from weft.search.kernel import couple

        (one, other, seed), size = job, len(self.course.problem.names)
        table, masks, within = statements = self.course.statements
        first, second = (start_of(statements, size, seed, graph) for graph in (one, other))
        row = np.zeros(math.comb(size, 2), np.uint8)
        solved, steps = couple(
            table, masks, within, first.graph, first.answers, first.touched, first.totals,
            second.graph, second.answers, second.touched, second.totals, first.lot, *self.course.walk,
            self.ahead, self.most, row,
        )  # fmt: skip
        return Pair(row.tolist() if solved else None, steps)


class Meeting:
    """Walks over the solutions of a problem that begin at several of them: see :func:`spread_out`.

    Parameters
    ----------
    problem
        See :func:`~weft.search.wandering.can_wander`.
    starts
        Solutions.
    """

    def __init__(self, problem: Problem, starts: Sequence[MixedGraph]) -> None:
        self._problem, self._starts = problem, starts
        self._pairs = tuple(combinations(range(len(problem.names)), 2))

    def met(self, seed: int, deadline: float | None = None) -> Met:
        """A draw by each of :data:`PAIRS` walks, but for those that were at no solution.

        Raises
        ------
        OutOfTime
            If some do not meet, or if the time or the effort does not suffice.
        """
        sweep = len(self._pairs)
        lots = seed * (2 + TRIES)  # no two seeds share any
        course, pilots = self._piloted(lots, deadline)
        ahead = AHEAD * max(sweep, *(one.steps for one in pilots))
        pairs = self._all_met(course, ahead, lots + 1, deadline)
        graphs = [read_edges(self._problem.names, one.row) for one in pairs if one.row is not None]
        if not graphs:
            raise OutOfTime
        usual = math.ceil(median(one.steps for one in pilots) / sweep)
        return Met(graphs, len(pairs), late_of(len(pairs)) * len(pairs) / len(graphs), course.heat, max(1, usual))

    def _piloted(self, seed: int, deadline: float | None) -> tuple[Course, list[Pair]]:
        """The steps by which walks meet, and how long some take: cold ones if they do, which leave solutions seldom."""
        for heat in COLD_FIRST:
            course = Course(self._problem, self._pairs, heat)
            with suppress(NotMetError):
                return course, self._coupled(Coupling(course, 0, PATIENCE * len(self._pairs)), PILOTS, seed, deadline)
        raise NotMetError

    def _all_met(self, course: Course, ahead: int, seed: int, deadline: float | None) -> list[Pair]:
        """Pairs that all met, within so many steps or, if some do not, twice as many."""
        for turn in range(TRIES):
            with suppress(NotMetError):
                return self._coupled(Coupling(course, ahead << turn, ahead << turn), PAIRS, seed + turn, deadline)
        raise NotMetError

    def _coupled(self, coupling: Coupling, number: int, seed: int, deadline: float | None) -> list[Pair]:
        """What came of so many pairs, which begin at starts drawn by lot; all of them met.

        Raises
        ------
        OutOfTime
            If some did not, or if the time or the effort does not suffice.
        """
        lot, pairs = random.Random(f"{seed} {number}"), list[Pair]()
        while len(pairs) < number:
            check_time(deadline)
            jobs = [
                (lot.choice(self._starts), lot.choice(self._starts), (seed << 16) + len(pairs) + k + 1)
                for k in range(min(TOGETHER, number - len(pairs)))
            ]
            if effort_left() < coupling.cost * len(jobs):
                raise OutOfTime
            found = dict(anywhere(coupling, jobs))
            pairs += (new := [found[k] for k in range(len(jobs))])
            spend(coupling.spent(new))
            if any(one.steps > coupling.most for one in new):
                raise NotMetError
        return pairs

    def estimated(
        self,
        met: Met,
        count: Callable[[Sequence[Claim]], tuple[int, bool]],
        seed: int,
        deadline: float | None = None,
        counted_bits: float = COUNTED_BITS,
    ) -> Estimate:
        """About how many solutions there are.

        Parameters
        ----------
        met
            Draws of :meth:`met`.
        count
            The number of solutions under claims, at most :data:`~weft.search.wandering.COUNTED`, and whether these are
            all.
        counted_bits
            With so few bits of freedom left, the rest is counted.

        Raises
        ------
        OutOfTime
            If the time or the effort does not suffice for a factor of :data:`LARGEST`.
        """
        course = self._course(met)
        looks = self._looks(course, met)
        if looks < 1:
            raise OutOfTime
        course = replace(course, looks=looks)
        chance = random.Random(seed)
        found, stages = narrowed(
            count, course, met.graphs, partial(walk, deadline=deadline), partial(_by_lot, chance), seed, counted_bits
        )
        log = math.fsum(math.log(sum(a for a, _ in one) / sum(b for _, b in one)) for one in stages)
        factor = math.exp(NORMAL * math.sqrt(math.fsum(map(_variance, stages))))
        if factor > LARGEST:
            raise OutOfTime
        return Estimate(round(found / math.exp(log)), math.ceil(100 * factor) / 100, PROBABILITY, met.pairs)

    def spread(
        self, met: Met, number: int, seed: int, deadline: float | None = None, *, fewer: bool = False
    ) -> Wandered:
        """So many different solutions, on walks from such draws: as fair as these, but those of one walk are alike.

        With ``fewer``, as many as the effort suffices for.

        Raises
        ------
        OutOfTime
            If the time or the effort does not suffice.
        """
        course = self._course(met)
        looks: float = math.ceil(1.1 * number / len(met.graphs)) - 1  # some are met twice
        if fewer:
            looks = min(looks, SPENT * effort_left() / (course.cost * len(met.graphs)))
        chains = walk(replace(course, looks=int(looks)), met.graphs, seed, deadline) if looks >= 1 else []
        rows = [row for chain in chains for row in chain.tolist()]
        graphs = dict.fromkeys([*met.graphs, *(read_edges(self._problem.names, row) for row in rows)])
        worth = max(len(met.graphs), worth_of(chains) if looks >= 2 else 0)
        return Wandered(list(graphs), min(worth, len(graphs)))

    def bits(self, met: Met) -> float:
        """There are no more than so many solutions, in bits, by the shares of edges among such draws."""
        return freedom(rows_of(met.graphs), range(len(self._pairs)))

    def _course(self, met: Met) -> Course:
        """How to walk on from such draws, to one more."""
        return Course(self._problem, self._pairs, met.heat, 0, 1, math.ceil(met.sweeps / OFTEN))

    def _looks(self, course: Course, met: Met) -> int:
        """How many draws of each walk and stage the effort suffices for."""
        stages = max(1.0, (self.bits(met) - COUNTED_BITS) / STAGE_BITS)
        free = 1 - stages / (2 * len(self._pairs))  # on average: pairs that are kept as they are take no more steps
        each = stages * free * course.cost * len(met.graphs)
        return int(min(MOST_LOOKS, SPENT * effort_left() / each))


def _by_lot(chance: random.Random, having: Sequence[Edges], stage: int) -> list[list[int]]:
    """As many draws that have the edge as there are walks, each as seldom as can be."""
    every = [row for own in having for row in own.tolist()]
    chosen = list[list[int]]()
    while len(chosen) < len(having):
        chosen += chance.sample(every, min(len(every), len(having) - len(chosen)))
    return chosen


def _variance(stage: Sequence[tuple[int, int]]) -> float:
    """How uncertain the logarithm of a share is, by how far the walks are apart."""
    having, every = (sum(one) for one in zip(*stage, strict=True))
    share, walks = having / every, len(stage)
    squares = math.fsum((a - share * b) ** 2 for a, b in stage)
    return float(squares * walks / max(1, walks - 1) / having**2)
