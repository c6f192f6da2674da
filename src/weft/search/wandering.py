"""Solutions met on random walks: draws, and a guess at the number, where cells are out of reach.

From some thirty parities on eleven variables the solver finds nothing more in a cell (:mod:`weft.search.counting`), and
then nothing with a bound can be said about 10^15 solutions or more. A random walk does not mind how many there are. In
each step it proposes another edge, or none, for one pair of vertices, and takes the step if the graph is then no
farther from a solution, or by lot not much farther (Metropolis; :func:`~weft.search.kernel.wander`). In the
long run all solutions are met alike. How long that takes is not known beforehand, so that there is no bound on how
uneven the draws are. What can be told is whether several walks agree: how far their shares are apart says how many
independent draws all of them are *worth*.

The *guess* at the number goes from pair to pair. Among the draws one edge of some pair has a certain share; it is then
kept as it is, and the walks go on among the solutions that have it. When few enough are left, the solver counts them,
if it can; in the end there is one. That number over all the shares is the guess. It has no guarantee either. Each walk
gives a guess of its own, and these show how far it may be off.

Where some solutions are drawn fairly, by other means (:mod:`weft.search.sieve`), a walk from each of them meets more
(:meth:`Wandering.spread`). Each of these is drawn fairly, too, exactly: a step from a solution to the next leaves the
chances of all solutions as they are, equal. Only, those of one walk are alike.

A walk is over MAGs, and asks statements and claims of them, not of the models with hidden causes that a MAG stands for.
For most problems that is the same (:func:`can_wander`). A chain is a job, which may run anywhere, and is the same each
time.

References
----------
Metropolis et al., *Equation of state calculations by fast computing machines*, Journal of Chemical Physics 21 (1953).

Jerrum, Valiant and Vazirani, *Random generation of combinatorial structures from a uniform distribution*, Theoretical
Computer Science 43 (1986): from draws to a number.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property, partial
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import EDGE_SYMBOLS, MixedGraph
from weft.parallel import anywhere
from weft.search.annealing import EDGES, MOST_VARIABLES, excesses, in_kernel, start_of
from weft.search.counting import rounded
from weft.search.engine import OutOfTime, check_time
from weft.search.kinds import PairRelation
from weft.search.problem import Problem
from weft.search.program import Found

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from weft.search import kernel
    from weft.search.annealing import InKernel

    Edges = NDArray[np.uint8]

CHAINS, LOOKS = 8, 250
"""So many walks, and how often each is looked at; most of the graphs there are solutions."""
SWEEPS, BRISK = 12, 3
"""Between two looks each pair is proposed so often, on average; and if the effort does not suffice for that."""
SCATTERING = 0
"""Walks begin at the same solutions each time."""
WARMING = 200
"""The sweeps before the first draw, where a walk does not begin at a fair one."""
HEATS = (90, 64, 46, 33)
"""What is tried, in 256ths: with each statement that fails graphs are rarer by e^(1 / heat). The hotter, the sooner a
walk is elsewhere, and the fewer of the graphs that it meets are solutions."""
OFTEN = 0.5
"""If such a share of the steps ends at a solution, a heat will do."""
LONGEST, SHORTEST = 20, 10_000
"""A walk that takes so many times as many steps as it is to end at solutions is over; but not before so many steps."""
WORTH = 100
"""Draws that are worth less than so many independent ones tell too little."""
STEPS_PER_CONFLICT = 40_000
"""So many steps take about as long as a conflict, divided by the pairs of vertices that each has to look at."""
COUNTED_BITS, COUNTED = 13.0, 20_000
"""With so few bits of freedom left, the solver counts the rest; and it may find so many."""
MANY = 100
"""So many starts tell the shares of edges well enough to choose one."""
SHARE = 0.3
"""An edge with about this share is kept next: larger ones take more stages, smaller ones are known less well."""
T_VALUE = 2.365
"""Student's t for 95 % and the degrees of freedom of :data:`CHAINS` walks."""


@dataclass(frozen=True)
class Guess:
    """How many there are by random walks, without a guarantee. It is no number and no estimate with a bound.

    >>> str(Guess(3_100_000_000_000_000, 1.3))
    'about 3.1e15 by random walks, which agree within a factor 1.3; no guarantee'
    """

    value: int
    agreement: float
    """By which factor it may be off as far as the walks show, which may all have missed the same."""

    def __str__(self) -> str:
        return (
            f"about {rounded(self.value)} by random walks, which agree within a factor {self.agreement:.2g}; "
            "no guarantee"
        )


class Met(NamedTuple):
    """Solutions that were met on walks."""

    graphs: list[MixedGraph]
    """Different ones."""
    worth: int
    """About so many independent draws tell as much."""


def can_wander(problem: Problem) -> bool:
    """Whether MAGs show all that is asked, and there is no selection, and not too many variables."""
    return shows_all(problem) and not problem.selection and 2 <= len(problem.names) <= MOST_VARIABLES


def shows_all(problem: Problem) -> bool:
    """Whether the solutions of a problem are the MAGs in which its statements and claims hold.

    So it is if nothing asks for a common cause of a pair where one causes the other: hidden ones beside an edge cannot
    help then. (Where neither causes the other, they change nothing: with ``a <-> b`` beside ``a -> b``, a is a common
    cause by itself.)
    """
    relations = (one for one in problem.statements.values() if isinstance(one, PairRelation))
    return not any(_asks_for_hidden_causes(one) for one in relations) and not any(
        claim.topic is Topic.CONFOUNDED and claim.holds for claim in problem.claims
    )


def _asks_for_hidden_causes(relation: PairRelation) -> bool:
    """Whether one may cause the other if they have a common cause, but not without."""
    alone = {(one.causes, one.caused) for one in relation.allowed if not one.confounded}
    causal = [one for one in relation.allowed if one.confounded and (one.causes or one.caused)]
    return any((one.causes, one.caused) not in alone for one in causal)


class Wandering:
    """Random walks over the solutions of a problem under its claims.

    Parameters
    ----------
    problem
        See :func:`can_wander`.
    starts
        Solutions to begin at, as different as can be: walks that all begin at one agree where they never leave.
    """

    def __init__(self, problem: Problem, starts: Sequence[MixedGraph]) -> None:
        self._problem = problem
        self._starts = [starts[k % len(starts)] for k in range(CHAINS)]
        self._pairs = list(combinations(range(len(problem.names)), 2))

    def drawn(self, seed: int, deadline: float | None = None) -> Met:
        """Up to ``CHAINS * LOOKS`` solutions; with little effort they are nearer to each other, and worth less.

        Raises
        ------
        OutOfTime
            If the time or the effort does not suffice, or the walks do not agree.
        """
        course = Course(self._problem, tuple(self._pairs), self.heat(deadline))
        if effort_left() < course.cost * CHAINS:
            course = replace(course, sweeps=BRISK)
        chains = walk(course, self._starts, seed, deadline)
        worth = worth_of(chains)
        if worth < WORTH:
            raise OutOfTime
        graphs = dict.fromkeys(read_edges(self._problem.names, row) for chain in chains for row in chain.tolist())
        return Met(list(graphs), min(worth, len(graphs)))

    def spread(self, starts: Sequence[MixedGraph], number: int, seed: int, deadline: float | None = None) -> Met:
        """About so many solutions, on walks from some that were drawn fairly: each of them is, too.

        Raises
        ------
        OutOfTime
            If the time or the effort does not suffice.
        """
        looks = max(1, math.ceil(number / len(starts)) - 1)
        course = Course(self._problem, tuple(self._pairs), self.heat(deadline), 0, looks)
        chains = walk(course, starts, seed, deadline)
        rows = [row for chain in chains for row in chain.tolist()]
        graphs = dict.fromkeys([*starts, *(read_edges(self._problem.names, row) for row in rows)])
        return Met(list(graphs), min(max(len(starts), worth_of(chains)), len(graphs)))

    def guess(
        self,
        count: Callable[[Sequence[Claim]], tuple[int, bool]],
        seed: int,
        deadline: float | None = None,
    ) -> Guess:
        """About how many solutions there are.

        Parameters
        ----------
        count
            The number of solutions under claims, at most :data:`COUNTED`, and whether these are all.

        Raises
        ------
        OutOfTime
            If the time or the effort does not suffice.
        """
        course = Course(self._problem, tuple(self._pairs), self.heat(deadline))
        logs = [0.0] * CHAINS
        found, stages = narrowed(count, course, self._starts, partial(walk, deadline=deadline), _own_last, seed)
        for one in stages:
            logs = [log + _log_share(*own) for log, own in zip(logs, one, strict=True)]
        return _guessed(found, math.fsum(_log_share(*map(sum, zip(*one, strict=True))) for one in stages), logs)

    def heat(self, deadline: float | None) -> int:
        """The greatest heat at which enough of the steps end at solutions; or the least that is tried."""
        check_time(deadline)
        for heat in HEATS:
            course = Course(self._problem, tuple(self._pairs), heat, sweeps=1)
            if effort_left() < course.cost:
                raise OutOfTime
            spend(course.cost)
            walked = course((self._starts[0], 1))
            if len(walked.edges) == LOOKS and walked.steps * OFTEN <= LOOKS * len(self._pairs):
                break
        return heat


def scattered(
    find: Callable[[Sequence[Claim]], Found], names: Sequence[str], claims: Sequence[Claim], first: MixedGraph
) -> list[MixedGraph]:
    """A first solution under claims and others, each with some edge, or none, that was drawn by lot.

    As many as there are walks, or as are found in twice as many tries.
    """
    chance, found = random.Random(SCATTERING), [first]
    pairs = list(combinations(names, 2))
    for _ in range(2 * CHAINS):
        if len(found) == CHAINS:
            break
        (x, y), edge = chance.choice(pairs), chance.choice(EDGES[:4])
        answer = find((*claims, Claim(Topic.EDGE, x, y, bool(edge), edge or "o-o").canonical))
        if answer.graph is not None:
            found.append(answer.graph.undoubled())
    return found


class Walked(NamedTuple):
    """What a walk came to."""

    edges: Edges
    """Those of the solutions that were noted, one in each row: for each pair a number, see ``number_edges``."""
    steps: int
    """How many steps were taken from the first draw to the last."""


@dataclass(frozen=True)
class Course:
    """How to walk; called with a solution to begin at and a seed."""

    problem: Problem
    free: tuple[tuple[int, int], ...]
    """The pairs whose edges change; the others stay as they are."""
    heat: int
    warming: int = WARMING
    """The sweeps before the first draw."""
    looks: int = LOOKS
    """How many solutions are noted."""
    sweeps: int = SWEEPS
    """The sweeps between two of them."""

    @property
    def cost(self) -> int:
        """What a walk takes, in conflicts."""
        return cost_of(self.problem, (self.warming + self.looks * self.sweeps) * len(self.free))

    @cached_property
    def statements(self) -> InKernel:
        """The statements as the kernel takes them."""
        return in_kernel(self.problem, frozenset(), 0)

    @cached_property
    def walk(self) -> tuple[kernel.Numbers, int, int, kernel.Numbers, int]:
        """What else the kernel wants of a walk: the pairs, the cost allowed, a unit of costs, excesses, the heat."""
        import numpy as np

        costs, allowed = self.problem.costs.values(), (self.problem.soft and self.problem.soft.allowed) or 0
        pairs = np.array(self.free, np.int64).reshape(-1, 2)
        return pairs, allowed, max(1, sum(costs) // max(1, len(costs))), excesses(), self.heat

    def __call__(self, job: tuple[MixedGraph, int]) -> Walked:
        """Walk from a solution, with random numbers of a seed."""
        import numpy as np

        from weft.search.kernel import wander

        (start, seed), sweep, size = job, len(self.free), len(self.problem.names)
        table, masks, within = self.statements
        model = start_of(self.statements, size, seed, start)
        found = np.zeros((self.looks, math.comb(size, 2)), np.uint8)
        go = partial(wander, table, masks, within, *model, *self.walk)
        warming, between = self.warming * sweep, self.sweeps * sweep
        go(warming, max(SHORTEST, LONGEST * warming), found[:1])
        number, steps = go(between, max(SHORTEST, LONGEST * self.looks * between), found)
        return Walked(found[:number], steps)


def walk(course: Course, starts: Sequence[MixedGraph], seed: int, deadline: float | None = None) -> list[Edges]:
    """What the walk from each start notes.

    Raises
    ------
    OutOfTime
        If the time or the effort does not suffice, or a walk meets nothing.
    """
    check_time(deadline)
    if effort_left() < (cost := course.cost * len(starts)):
        raise OutOfTime
    spend(cost)
    jobs = [(graph, seed * len(starts) + k + 1) for k, graph in enumerate(starts)]
    walks = dict(anywhere(course, jobs))
    if not all(len(walk.edges) for walk in walks.values()):
        raise OutOfTime
    return [walks[k].edges for k in range(len(starts))]


def narrowed(
    count: Callable[[Sequence[Claim]], tuple[int, bool]],
    course: Course,
    starts: Sequence[MixedGraph],
    walks: Callable[[Course, Sequence[MixedGraph], int], list[Edges]],
    choose: Callable[[Sequence[Edges], int], list[list[int]]],
    seed: int,
    counted_bits: float | None = None,
) -> tuple[int, list[list[tuple[int, int]]]]:
    """Keep one edge after the other until the rest can be counted.

    Returns how many are left in the end, and for each stage how many of the draws of each walk have the edge that is
    kept next, of how many. That number over all the shares is the number of all.

    Parameters
    ----------
    count
        The number of solutions under claims, at most :data:`COUNTED`, and whether these are all.
    course, starts
        How to walk at first, and where the walks begin. Many starts choose the edge by themselves: of draws that chose
        it, too, more or fewer would have it than of others.
    walks
        Walks: what each of them notes.
    choose
        Where to begin next, of those draws of each walk that have the edge; with the number of the stage.
    seed
        The same seed finds the same.
    counted_bits
        With so few bits of freedom left, the rest is counted; :data:`COUNTED_BITS` if not given.

    Raises
    ------
    OutOfTime
        If the time or the effort does not suffice, or if no walk meets the edge that is to be kept.
    """
    counted_bits = COUNTED_BITS if counted_bits is None else counted_bits
    problem, pairs = course.problem, list(combinations(range(len(course.problem.names)), 2))
    names, free, kept, stages = problem.names, list(course.free), list[Claim](), list[list[tuple[int, int]]]()
    for stage in range(len(pairs)):
        chains = walks(replace(course, free=tuple(free)), starts, seed + stage)
        places = [pairs.index(pair) for pair in free]
        if freedom(chains, places) <= counted_bits:
            found, whole = count(kept)
            if whole:
                return found, stages
        place, edge = chosen(chains if len(starts) < MANY else rows_of(starts), places)
        having = [chain[chain[:, place] == edge] for chain in chains]
        if not any(map(len, having)):
            raise OutOfTime
        stages.append([(len(own), len(chain)) for own, chain in zip(having, chains, strict=True)])
        starts = [read_edges(names, row) for row in choose(having, stage)]
        x, y = pairs[place]
        free.remove((x, y))
        kept.append(Claim(Topic.EDGE, names[x], names[y], bool(edge), EDGES[edge] or "o-o").canonical)
    return 1, stages  # every pair is as in one solution


def rows_of(graphs: Sequence[MixedGraph]) -> list[Edges]:
    """Their edges, as one walk over them would note them."""
    import numpy as np

    return [np.array([number_edges(graph) for graph in graphs], np.uint8)]


def _own_last(having: Sequence[Edges], stage: int) -> list[list[int]]:
    """The last draw of each walk that has the edge, or of the first walk that has it."""
    others = next(own for own in having if len(own))
    return [(own if len(own) else others)[-1].tolist() for own in having]


def cost_of(problem: Problem, steps: int) -> int:
    """What so many steps take, in conflicts."""
    return math.ceil(steps * math.comb(len(problem.names), 2) / STEPS_PER_CONFLICT)


def read_edges(names: tuple[str, ...], numbers: Sequence[int]) -> MixedGraph:
    """A graph from the numbers of its edges, pair by pair.

    >>> print(read_edges(("X", "Y", "Z"), [1, 0, 3]))
    X -> Y; Y <-> Z
    """
    size, place = len(names), 0
    marks = bytearray(size * size)
    for x in range(size):
        for y in range(x + 1, size):
            if numbers[place]:
                at_x, at_y = EDGE_SYMBOLS[EDGES[numbers[place]]]
                marks[y * size + x], marks[x * size + y] = at_x, at_y
            place += 1
    return MixedGraph(names, bytes(marks))


def number_edges(graph: MixedGraph) -> list[int]:
    """The number of each pair's edge: the inverse of :func:`read_edges`.

    >>> number_edges(MixedGraph.parse("X -> Y; Y <-> Z"))
    [1, 0, 3]
    """
    parents, spouses = graph.parents, graph.spouses
    return [
        (parents[y] >> x & 1) + 2 * (parents[x] >> y & 1) + 3 * (spouses[x] >> y & 1)
        for x, y in combinations(range(len(graph.names)), 2)
    ]


# -- what the draws tell -----------------------------------------------------------------------------------------------


def worth_of(chains: Sequence[Edges]) -> int:
    """How many independent draws the draws of several walks are worth, by how far their shares are apart.

    A share p of m independent draws has the variance p (1 - p) / m. That m fits best, over all edges of all pairs.
    """
    import numpy as np

    shares = np.array([_shares(chain) for chain in chains])
    every, apart = shares.mean(axis=0), shares.var(axis=0, ddof=1)
    number = sum(map(len, chains))
    expected, found = float((every * (1 - every)).sum()), float(apart.sum())
    return number if found * number <= expected * len(chains) else int(len(chains) * expected / found)


def freedom(chains: Sequence[Edges], places: Sequence[int]) -> float:
    """The bits that the edges of these pairs have at most, by their shares: each pair's entropy, added up.

    So many solutions, in bits, are there at most: as if the pairs were independent.
    """
    import numpy as np

    shares = _shares(np.concatenate(chains)[:, list(places)])
    return float(-(shares * np.log2(np.maximum(shares, 1e-300))).sum())


def chosen(chains: Sequence[Edges], places: Sequence[int]) -> tuple[int, int]:
    """The pair, among these places, and the edge whose share of the draws is nearest to :data:`SHARE`, and not 0."""
    import numpy as np

    shares = _shares(np.concatenate(chains)[:, list(places)])
    off = np.where(shares > 0, abs(shares - SHARE), np.inf)
    edge, place = np.unravel_index(off.argmin(), off.shape)
    return places[int(place)], int(edge)


def _shares(drawn: Edges) -> NDArray[np.float64]:
    """The share of each edge, in the rows, among the draws of each pair, in the columns."""
    import numpy as np

    return np.array([(drawn == edge).mean(axis=0) for edge in range(len(EDGES))])


def _log_share(part: int, whole: int) -> float:
    """The logarithm of a share; of nothing, as if it were half a draw."""
    return math.log(max(part, 0.5) / whole)


def _guessed(found: int, log: float, logs: Sequence[float]) -> Guess:
    """The number, from what is left in the end and the share that it has of all; and from those of each walk."""
    middle = math.fsum(logs) / len(logs)
    spread = math.sqrt(math.fsum((one - middle) ** 2 for one in logs) / (len(logs) - 1) / len(logs))
    return Guess(round(Fraction(found) / Fraction(math.exp(log))), math.exp(T_VALUE * spread))
