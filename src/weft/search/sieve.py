"""Solutions sifted out of a larger set of graphs whose number is known: a count with a guarantee, and fair draws.

Where parities are out of reach (:mod:`weft.search.counting`), most of the freedom is in the order of the variables. So
graphs are drawn from there: from a set that holds every solution, whose number N is known, all of them alike. A share p
of them are solutions. Then there are N p solutions, and those that were drawn are a fair, independent sample of them.
What p is off by is known exactly, whatever the solutions are like.

**The larger set.** A vertex is in the first *layer* if no arrow points at it, and else in the layer after the last of
its parents. Vertices of one layer are joined by ``<->`` or not at all; and each vertex of a layer has a parent in the
layer before. Graphs are put together layer by layer. How many there are is added up from the last layer to the first,
for each set of placed vertices, each last layer and each number of layers (:func:`~weft.search.kernel.fill`):
3^n sums. The set is kept small by what every solution fulfils and such sums can tell:

- an edge, and the place of a vertex before another, is possible only as far as the bounds allow
  (:mod:`weft.search.bounds`);
- to an ancestor there is no ``<->``, and in each earlier layer there is one at least;
- all vertices on an inducing path are ancestors of its ends. So two variables that are connected in a study have an
  edge, unless a variable that the study lacks is placed before. And it points at the later of the two, unless that
  one has a ``<->`` beyond the last layer.

On the eleven proteins of the paper one in 11,000 of the graphs is a solution of IOD, and one in 400,000 of Causal IOD;
without the last sentence, one in 65,000 and 3,300,000.

**Drawing.** Each step is taken as often as there are ways to go on, at most, so that in the end all graphs have the
same chance. Where there turn out to be fewer ways, the graph is given up by that share. A graph is also given up as
soon as a statement about placed vertices fails: nothing that follows is an ancestor of theirs, so nothing changes that.

**The guarantee.** Graphs are drawn until as many of them are solutions as are wanted. If that takes long, fewer will
do (:data:`HITS`), or as many as the effort suffices for. The number of draws up to the k-th solution, times p, has the
gamma distribution with shape k (nearly, and less spread); within so many draws, solutions have the Poisson
distribution. Its quantiles are the limits. Which of these ends the draws makes no difference: the later it is, the
fewer solutions are enough, so that whether p is missed on one side is whether some number of draws had too few
solutions, and on the other side, too many.

**Hidden causes.** A relation may ask for a common cause beside an effect, which a MAG does not show. Then graphs are
sifted by the rest of what it says, and what passes is checked by the definition, ``is_solution``.

**Jobs** have a fixed number of draws and a seed of their own, and may run anywhere; what they find is put together in
their order.

References
----------
Kuipers and Moffa, *Uniform random generation of large acyclic digraphs*, Statistics and Computing 25 (2015): layers.

Huber, *A Bernoulli mean estimate with known relative error distribution*, Random Structures & Algorithms 50 (2017).
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.effort import effort_left, spend
from weft.graphs.mixed import MixedGraph
from weft.parallel import anywhere
from weft.search.annealing import in_kernel, lot_of
from weft.search.bounds import bounds_of
from weft.search.counting import PROBABILITY, Estimate
from weft.search.engine import OutOfTime, is_over
from weft.search.problem import Problem, is_solution
from weft.search.wandering import Wandering, can_wander, read_edges

if TYPE_CHECKING:
    from weft.search.kernel import Bits, Layering, Numbers

MOST_VARIABLES = 13
"""With more, the sums take too much memory."""
HITS = 117
"""So many solutions make a factor of 1.2 with a probability of .95."""
FEWEST = 10
"""With fewer, the factor is above 2, and that is no estimate."""
WAVES = ((1, 100_000), (2, 250_000), (2, 1_000_000))
"""How many jobs are begun at a time, and how many graphs each of them draws; the last over and over again."""
TRIES_PER_CONFLICT = 300
"""So many draws take about as long as a conflict."""
SUMS_PER_CONFLICT = 60_000
"""So many of the terms that are added up, 4^n in all and some for each."""
MOST_STUDIES = 3
"""Of so many studies the variables that they lack are heeded: the sums take 3 times as long with each."""
ROOM = 100
"""So many graphs are noted before they are checked."""


class Sifted(NamedTuple):
    """What was found."""

    graphs: list[MixedGraph]
    """Solutions in the order in which they were drawn, independently of each other, all alike."""
    number: Estimate
    """How many there are."""


def can_sift(problem: Problem) -> bool:
    """Whether there are not too many variables, and no selection."""
    return 2 <= len(problem.names) <= MOST_VARIABLES and not problem.selection


class Sieve:
    """Draws that are solutions of a problem under its claims; see :func:`can_sift`."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem
        self._job = _Job(problem)

    def sifted(
        self,
        seed: int,
        wanted: int = HITS,
        soon: float = math.inf,
        enough: int = HITS,
        deadline: float | None = None,
    ) -> Sifted:
        """Solutions, and the number of all.

        Parameters
        ----------
        seed
            The same seed finds the same.
        wanted
            So many solutions, or as many as the effort suffices for.
        soon, enough
            The effort after which fewer are enough, and how many.
        deadline
            When to stop, with what was found by then.

        Raises
        ------
        OutOfTime
            If :data:`FEWEST` are not found, or that is as good as certain.
        """
        rows, tries, whole, most = list[list[int]](), 0, 0.0, wanted
        for drawn, found in self._waves(seed, wanted, deadline):
            whole = found.whole
            for row, when in zip(found.edges, found.when, strict=True):
                rows.append(row)
                if len(rows) == most:
                    return self._sifted(rows, whole, tries + when + 1, ended=True)
            tries += drawn
            most = min(enough, wanted) if tries >= soon * TRIES_PER_CONFLICT else wanted
            # In vain: not even a share of solutions that is larger by far than what was seen would suffice.
            vain = (len(rows) + 3) * (1 + effort_left() * TRIES_PER_CONFLICT / tries) < FEWEST
            if len(rows) >= most or vain or not whole:
                break
        return self._sifted(rows, whole, tries, ended=False)

    def wandering(self, start: MixedGraph) -> Wandering | None:
        """Walks over the solutions, to meet more of them; ``None`` if walks cannot find them."""
        return Wandering(self._problem, start) if can_wander(self._problem) else None

    def _sifted(self, rows: list[list[int]], whole: float, tries: int, *, ended: bool) -> Sifted:
        if len(rows) < FEWEST:
            raise OutOfTime
        low, high = limits(len(rows), PROBABILITY, ended=ended)
        value, factor = round(whole * math.sqrt(low * high) / tries), math.sqrt(high / low)
        graphs = [read_edges(self._problem.names, row) for row in rows]
        return Sifted(graphs, Estimate(value, math.ceil(100 * factor) / 100, PROBABILITY))

    def _waves(self, seed: int, wanted: int, deadline: float | None) -> Iterator[tuple[int, Found]]:
        """What jobs find, in their order, and how many graphs each draws, as long as the effort suffices."""
        sums = math.ceil(4 ** len(self._problem.names) / SUMS_PER_CONFLICT)
        wave = number = 0
        while True:
            jobs, tries = WAVES[min(wave, len(WAVES) - 1)]
            each = sums + math.ceil(tries / TRIES_PER_CONFLICT)
            jobs = int(min(jobs, effort_left() // each))
            if jobs <= 0 or is_over(deadline):
                return
            spend(jobs * each)
            asked = [((seed << 32) + number + k + 1, tries, wanted) for k in range(jobs)]
            found = dict(anywhere(self._job, asked))
            yield from ((tries, found[k]) for k in range(jobs))
            wave, number = wave + 1, number + jobs


class Found(NamedTuple):
    """What one job found."""

    edges: list[list[int]]
    """Of each solution: for each pair a number, see ``number_edges``."""
    when: list[int]
    """Which draws they were."""
    whole: float
    """The number of graphs to draw from."""


class _Job:
    """Draws of a seed. What they are drawn from is worked out once in each process, and goes to no other."""

    def __init__(self, problem: Problem) -> None:
        self._problem = problem

    def __reduce__(self) -> tuple[Any, ...]:
        return _Job, (self._problem,)

    @cached_property
    def _statements(self) -> tuple[Numbers, Bits]:
        table, masks, _ = in_kernel(self._problem, frozenset(), 0)
        return _without_hidden_causes(table), masks

    @cached_property
    def _layering(self) -> tuple[Layering, float]:
        return layering_of(self._problem, *self._statements)

    def __call__(self, job: tuple[int, int, int]) -> Found:
        """The solutions among so many draws of a seed, no more than are wanted."""
        import numpy as np

        from weft.search.kernel import sift

        problem, (seed, tries, wanted), (layering, whole) = self._problem, job, self._layering
        statements = (*self._statements, *_decided(*self._statements, len(problem.names)))
        allowed, lot, done = (problem.soft and problem.soft.allowed) or 0, lot_of(seed), 0
        edges, when = list[list[int]](), list[int]()
        rows, places = np.zeros((ROOM, math.comb(len(problem.names), 2)), np.uint8), np.zeros(ROOM, np.int64)
        while whole and done < tries and len(edges) < wanted:
            number, drawn = sift(layering, *statements, allowed, tries - done, lot, rows, places)
            for row, place in zip(rows[:number].tolist(), places[:number].tolist(), strict=True):
                if self._is_solution(row):
                    edges.append(row)
                    when.append(done + place)
            done += drawn
        return Found(edges, when, whole)

    def _is_solution(self, row: list[int]) -> bool:
        """Whether a graph that was sifted is a solution; it is if there is no question of hidden causes."""
        return can_wander(self._problem) or is_solution(self._problem, read_edges(self._problem.names, row))


def _without_hidden_causes(table: Numbers) -> Numbers:
    """The statements, where an effect need not have the hidden common cause beside it that is asked for."""
    from weft.search.kernel import ALLOWED, ASKS, STRUCTURE

    relaxed = table.copy()
    of_pairs = relaxed[:, ASKS] == STRUCTURE
    relaxed[of_pairs, ALLOWED] |= (relaxed[of_pairs, ALLOWED] & 0b1100000) >> 4  # "causes, and confounded": "causes"
    return relaxed


# -- what graphs are drawn from ----------------------------------------------------------------------------------------


def layering_of(problem: Problem, table: Numbers, masks: Bits) -> tuple[Layering, float]:
    """What the kernel draws from, and how many graphs there are."""
    import numpy as np

    from weft.search.kernel import Layering, fill

    size = len(problem.names)
    placed = np.array([number.bit_count() for number in range(1 << size)])
    rows = _starts(np.maximum(1, placed) << (size - placed))
    inner = _starts(1 << (size - placed))
    latents, linked = _lacking(table, masks, size)
    layering = Layering(
        _nones(table, masks, size), _may(problem), latents, linked, rows[:-1], inner[:-1],
        np.zeros(inner[-1]), np.zeros((inner[-1], size), np.float32), np.zeros(rows[-1]),
    )  # fmt: skip
    return layering, float(fill(layering, size))


def _starts(lengths: Numbers) -> Numbers:
    import numpy as np

    return np.concatenate([[0], np.cumsum(lengths)])


def _may(problem: Problem) -> Bits:
    """What the bounds say of each vertex, as :data:`~weft.search.kernel.MAY_POINT` and so on have it."""
    import numpy as np

    bounds, size = bounds_of(problem.hard), len(problem.names)
    from_each = (bounds.may_point, bounds.may_confound, bounds.may_cause, bounds.must_cause)
    to_each = [
        [sum(1 << u for u in range(size) if u != v and sets[u] >> v & 1) for v in range(size)] for sets in from_each
    ]
    return np.array(to_each, np.uint64)


def _nones(table: Numbers, masks: Bits, size: int) -> Bits:
    """To which others each vertex may stay without an edge, by what is placed before both of them.

    A pair that is connected in a study needs an edge as long as nothing is placed that the study lacks. In the first
    layer whatever says that two variables are not independent asks for an edge, too.
    """
    import numpy as np

    from weft.search.kernel import ALLOWED, ASKS, CONNECTING, HARD, INDUCING, STRUCTURE, X, Y

    sets = np.arange(1 << size, dtype=np.uint64)
    nones = np.full((1 << size, size), (1 << size) - 1, np.uint64)
    for row, mask in zip(table.tolist(), masks, strict=True):
        if row[HARD] and not row[ALLOWED] & 1:  # it fails if there is no path
            if row[ASKS] == INDUCING:
                apart = sets & mask == 0
            elif row[ASKS] == STRUCTURE or (row[ASKS] == CONNECTING and not mask):
                apart = sets == 0
            else:
                continue
            for u, v in ((row[X], row[Y]), (row[Y], row[X])):
                nones[apart, u] &= ~np.uint64(1 << v)
    return nones


def _lacking(table: Numbers, masks: Bits, size: int) -> tuple[Bits, Bits]:
    """The sets that studies lack, those first that most connections speak of, and who is connected there."""
    import numpy as np

    from weft.search.kernel import ALLOWED, ASKS, HARD, INDUCING, X, Y

    asked = [
        (int(mask), int(row[X]), int(row[Y]))
        for row, mask in zip(table, masks, strict=True)
        if row[ASKS] == INDUCING and row[HARD] and row[ALLOWED] == 0b10
    ]
    number = {mask: sum(one[0] == mask for one in asked) for mask, _, _ in asked if mask}
    chosen = sorted(number, key=lambda mask: (-number[mask], mask))[:MOST_STUDIES]
    linked = np.zeros((len(chosen), size), np.uint64)
    for mask, x, y in asked:
        if mask in chosen:
            linked[chosen.index(mask), x] |= np.uint64(1 << y)
            linked[chosen.index(mask), y] |= np.uint64(1 << x)
    return np.array(chosen, np.uint64), linked


def _decided(table: Numbers, masks: Bits, size: int) -> tuple[Bits, Numbers]:
    """The vertices that decide each statement once they are placed, and the statements that each vertex decides."""
    import numpy as np

    from weft.search.kernel import ASKS, CONNECTING, X, Y

    about = [
        1 << row[X] | 1 << row[Y] | (mask if row[ASKS] == CONNECTING else 0)
        for row, mask in zip(table.tolist(), masks.tolist(), strict=True)
    ]
    own = [[i for i, vertices in enumerate(about) if vertices >> v & 1] for v in range(size)]
    mine = np.full((size, max(map(len, own), default=0) + 1), -1, np.int64)
    for v, statements in enumerate(own):
        mine[v, : len(statements)] = statements
    return np.array(about, np.uint64), mine


# -- the guarantee -----------------------------------------------------------------------------------------------------


def limits(hits: int, probability: float, *, ended: bool) -> tuple[float, float]:
    """Between what the expected number of hits is with some probability at least, after so many of them.

    Parameters
    ----------
    hits
        How many there were.
    probability
        How sure the limits are to hold the truth.
    ended
        Whether the last hit ended the draws; else their number was fixed.

    Examples
    --------
    >>> low, high = limits(HITS, 0.95, ended=True)
    >>> round((high / low) ** 0.5, 3)
    1.199
    """
    from scipy.special import gammaincinv

    miss = (1 - probability) / 2
    return float(gammaincinv(hits, miss)), float(gammaincinv(hits if ended else hits + 1, 1 - miss))
