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
- two variables that are connected in a study and have no edge have an inducing path instead, over what the study
  lacks. Its vertices are ancestors of its ends, and so placed before. One of the lacking variables is an ancestor of
  one of the two. And at the later of the two, v, the path ends with an arrow from a lacking variable, or with a
  ``<->`` from an ancestor of the other, u: a path that leaves v by a tail would make v an ancestor of u, and one that
  comes from a vertex with a tail there, if the study has that vertex, is not inducing.

Of the last rule some is known by what is placed (:func:`_nones`): then the edge is certain. The rest is counted for
each v, over all edges that it may have to what is placed (:func:`~weft.search.kernel.fill_below`). Both rules about
ancestors are put together by a bound: one more ``<->`` makes it easier to have a path, never harder, so that to forbid
it to some vertices leaves at most the share of the ways that it would leave if paths did not matter. That is not so for
the variables that studies lack, whose arrow to v makes a path, too; for two of these it is counted what is left.

On the eleven proteins of the paper one in 37,000 of the graphs is a solution of Causal IOD, and one in 11,000 of IOD,
where bounds tell nothing about ancestors. As long as the last rule was used only for v without ``<->`` beyond the last
layer, it was one in 550,000 of Causal IOD; without it, one in 3,300,000.

**Drawing.** Each step is taken as often as there are ways to go on, at most, so that in the end all graphs have the
same chance. The ways to put a vertex are listed, now that its ancestors are known, up to one whose rank was drawn.
Where there turn out to be fewer, the graph is given up. A graph is also given up as
soon as a statement about placed vertices fails: nothing that follows is an ancestor of theirs, so nothing changes that.

**Closer bounds.** What holds in all or in none of the solutions (:mod:`weft.search.consequences`) says more than the
bounds that are worked out beforehand. The proteins with 41 directions by KCDC, of which 8 are kept:
101 possible arrows become 22, and 1.3e22 graphs to draw from become 5.6e9, of which one in 1,700 is a solution.

**The guarantee.** Graphs are drawn until as many of them are solutions as are wanted. If that takes long, fewer will
do (:data:`HITS`), or as many as the effort suffices for. The number of draws up to the k-th solution, times p, has the
gamma distribution with shape k (nearly, and less spread); within so many draws, solutions have the Poisson
distribution. Its quantiles are the limits. Which of these ends the draws makes no difference: the later it is, the
fewer solutions are enough, so that whether p is missed on one side is whether some number of draws had too few
solutions, and on the other side, too many.

**Selection.** No arrowhead is at a vertex with ``--``. So all of these, the *top*, are placed before the first layer,
whose vertices they may point at, and to them there is no ``<->``. For each set that may be the top, the layers below it
are added up as above, and so are the ways to join it, in which none of it stays alone: 4^n sums in all. What is said
above of the later of two variables holds for those below the top: no path arrives at them from ``--``, and none that
leaves them by a tail comes back. Two variables of the top that are connected in a study need ``--`` between them,
unless the study lacks another one of the top.

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
import sys
from collections.abc import Iterator
from functools import cached_property, reduce
from itertools import combinations, count
from operator import or_
from threading import Lock
from typing import TYPE_CHECKING, Any, NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.independence.recent import Recent
from weft.graphs.mixed import MixedGraph, bits
from weft.parallel import anywhere
from weft.search.annealing import in_kernel, lot_of
from weft.search.bounds import Bounds, bounds_of
from weft.search.counting import PROBABILITY, Estimate
from weft.search.engine import OutOfTime, is_over
from weft.search.problem import Problem, is_solution
from weft.search.wandering import Wandering, can_wander, read_edges, shows_all

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from weft.search.kernel import Bits, Layering, Numbers

MOST_VARIABLES, MOST_WITH_SELECTION = 14, 12
"""With more, the sums take too much memory; and with selection, too long."""
HITS = 117
"""So many solutions make a factor of 1.2 with a probability of .95."""
FEWEST = 10
"""With fewer, the factor is above 2, and that is no estimate."""
WAVES = ((1, 100_000), (2, 250_000), (2, 1_000_000))
"""How many jobs are begun at a time, and how many graphs each of them draws; the last over and over again."""
TRIES_PER_CONFLICT = 300
"""So many draws take about as long as a conflict."""
SUMS_PER_CONFLICT = 20_000
"""So many of the terms that are added up, 4^n in all and some for each; with selection, 5^n."""
MOST_STUDIES = 6
"""Of so many studies the variables that they lack are heeded; nearly all problems have fewer."""
MOST_ASIDE = 2
"""Of so many of these variables it is counted apart whether ``<->`` joins them: each doubles the memory."""
MOST_BYTES = 100_000_000
"""With selection, so much is kept of what graphs are drawn from; all of it for ten variables."""
FIRST_TURNS = 1_000
"""So many draws are dealt out to tops at first, or as many as take as long as the sums do."""
SCATTERED = 0xD1B54A32D192ED03
"""An odd number of 64 bits, whose multiples make seeds that are far apart; the first is the job's own."""
ROOM = 100
"""So many graphs are noted before they are checked."""


class Sifted(NamedTuple):
    """What was found."""

    graphs: list[MixedGraph]
    """Solutions in the order in which they were drawn, independently of each other, all alike."""
    number: Estimate
    """How many there are."""
    bounds: Bounds
    """What solutions were known to be like beforehand."""


def can_sift(problem: Problem) -> bool:
    """Whether there are not too many variables."""
    return 2 <= len(problem.names) <= (MOST_WITH_SELECTION if problem.selection else MOST_VARIABLES)


def adding_up(problem: Problem) -> int:
    """About as many conflicts take as long as the sums."""
    terms = math.pow(5 if problem.selection else 4, len(problem.names))
    return math.ceil(terms / SUMS_PER_CONFLICT)


class Sieve:
    """Draws that are solutions of a problem under its claims; see :func:`can_sift`.

    Parameters
    ----------
    problem
        The question.
    bounds
        What is known of all solutions under the claims: what the hard statements tell at once, if not given. The
        closer it is, the fewer draws are in vain.
    """

    def __init__(self, problem: Problem, bounds: Bounds | None = None) -> None:
        self._problem = problem
        self.bounds = bounds or bounds_of(problem.hard)
        self._job = _Job(problem, self.bounds)

    def with_bounds(self, bounds: Bounds) -> Sieve:
        """The same with more that is known of all solutions."""
        return self if bounds == self.bounds else Sieve(self._problem, bounds)

    def sifted(
        self,
        seed: int,
        wanted: int = HITS,
        soon: float = math.inf,
        enough: int = HITS,
        deadline: float | None = None,
        *,
        hurried: bool = False,
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
        hurried
            Whether to give up after ``soon`` if :data:`FEWEST` are not found by then.

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
            late = tries >= soon * TRIES_PER_CONFLICT
            most = min(enough, wanted) if late else wanted
            # In vain: not even a share of solutions that is larger by far than what was seen would suffice.
            vain = (len(rows) + 3) * (1 + effort_left() * TRIES_PER_CONFLICT / tries) < FEWEST
            if len(rows) >= most or vain or not whole or (hurried and late and len(rows) < FEWEST):
                break
        return self._sifted(rows, whole, tries, ended=False)

    def wandering(self, start: MixedGraph) -> Wandering | None:
        """Walks over the solutions, to meet more of them; ``None`` if walks cannot find them."""
        return Wandering(self._problem, [start]) if can_wander(self._problem) else None

    def _sifted(self, rows: list[list[int]], whole: float, tries: int, *, ended: bool) -> Sifted:
        if len(rows) < FEWEST:
            raise OutOfTime
        low, high = limits(len(rows), PROBABILITY, ended=ended)
        value, factor = round(whole * math.sqrt(low * high) / tries), math.sqrt(high / low)
        graphs = [read_edges(self._problem.names, row) for row in rows]
        return Sifted(graphs, Estimate(value, math.ceil(100 * factor) / 100, PROBABILITY), self.bounds)

    def _waves(self, seed: int, wanted: int, deadline: float | None) -> Iterator[tuple[int, Found]]:
        """What jobs find, in their order, and how many graphs each draws, as long as the effort suffices."""
        sums = adding_up(self._problem)
        if effort_left() < sums:
            return
        spend(sums)  # jobs on this machine share them
        again = sums if self._problem.selection else 0  # there may be no room to keep them: let a job be worth it
        wave = number = 0
        while True:
            jobs, tries = WAVES[min(wave, len(WAVES) - 1)]
            tries = max(tries, again * TRIES_PER_CONFLICT)
            each = again + math.ceil(tries / TRIES_PER_CONFLICT)
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
    """Draws of a seed. What they are drawn from is worked out in each process, and goes to no other.

    With selection there are many sets to draw from, one for each top. A draw is first one of a top, as often as the top
    has graphs, and then of a graph. The numbers are kept, and the sets as far as there is room.
    """

    def __init__(self, problem: Problem, bounds: Bounds) -> None:
        self._problem, self._bounds = problem, bounds
        self._lock = Lock()  # a thread waits for what another one adds up
        room = MOST_BYTES if problem.selection else sys.maxsize  # without selection there is one, and it is kept
        self._layerings: Recent[int, tuple[Layering, float]] = Recent(room, lambda one: bytes_of(one[0]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _Job, (self._problem, self._bounds)

    @cached_property
    def _statements(self) -> tuple[Numbers, Bits]:
        table, masks, _ = in_kernel(self._problem, frozenset(), 0)
        return _without_hidden_causes(table), masks

    @cached_property
    def _decided(self) -> tuple[Bits, Numbers]:
        return _decided(*self._statements, len(self._problem.names))

    @cached_property
    def _shows_all(self) -> bool:
        return shows_all(self._problem)

    @cached_property
    def _numbers(self) -> dict[int, float]:
        """How many graphs there are to draw from with each top."""
        return {top: number for top in tops(self._bounds) if (number := self._layering(top)[1])}

    def _layering(self, top: int) -> tuple[Layering, float]:
        """What to draw from with this top, and how many graphs that are."""
        with self._lock:
            return self._layerings.get(top, lambda: layering_of(self._bounds, *self._statements, top))

    def __call__(self, job: tuple[int, int, int]) -> Found:
        """The solutions among so many draws of a seed, no more than are wanted."""
        seed, tries, wanted = job
        hits, lots = list[tuple[int, list[int]]](), (seed ^ k * SCATTERED for k in count())
        for turns in self._turns(seed, tries):
            found = [
                (int(places[when]), row)
                for top, places in turns
                for when, row in self._drawn(top, next(lots), len(places), wanted - len(hits))
            ]
            hits += sorted(found)
            if len(hits) >= wanted:
                break
        hits = hits[:wanted]
        return Found([row for _, row in hits], [when for when, _ in hits], sum(self._numbers.values()))

    def _turns(self, seed: int, tries: int) -> Iterator[list[tuple[int, Numbers]]]:
        """Which of so many draws are of each top: of all of them, or of the first, then of twice as many, and so on."""
        import numpy as np

        tops, numbers = list(self._numbers), np.array(list(self._numbers.values()))
        if len(tops) <= 1:
            yield [(top, np.arange(tries)) for top in tops]
            return
        number = max(FIRST_TURNS, adding_up(self._problem) * TRIES_PER_CONFLICT)
        chance, done = np.random.Generator(np.random.PCG64(seed)), 0
        while done < tries:
            chosen = chance.choice(len(tops), min(number, tries - done), p=numbers / numbers.sum())
            yield [(top, done + np.flatnonzero(chosen == k)) for k, top in enumerate(tops) if (chosen == k).any()]
            done, number = done + len(chosen), 2 * number

    def _drawn(self, top: int, seed: int, tries: int, wanted: int) -> Iterator[tuple[int, list[int]]]:
        """The solutions among so many draws with one top, and which draws they were."""
        import numpy as np

        from weft.search.kernel import sift

        problem, layering, lot, done, found = self._problem, self._layering(top)[0], lot_of(seed), 0, 0
        allowed, statements = (problem.soft and problem.soft.allowed) or 0, (*self._statements, *self._decided)
        rows, places = np.zeros((ROOM, math.comb(len(problem.names), 2)), np.uint8), np.zeros(ROOM, np.int64)
        while done < tries and found < wanted:
            number, drawn = sift(layering, *statements, allowed, tries - done, lot, rows, places)
            for row, place in zip(rows[:number].tolist(), places[:number].tolist(), strict=True):
                if self._is_solution(row):
                    found += 1
                    yield done + place, row
            done += drawn

    def _is_solution(self, row: list[int]) -> bool:
        """Whether a graph that was sifted is a solution; it is if there is no question of hidden causes."""
        return self._shows_all or is_solution(self._problem, read_edges(self._problem.names, row))


def _without_hidden_causes(table: Numbers) -> Numbers:
    """The statements, where an effect need not have the hidden common cause beside it that is asked for."""
    from weft.search.kernel import ALLOWED, ASKS, STRUCTURE

    relaxed = table.copy()
    of_pairs = relaxed[:, ASKS] == STRUCTURE
    relaxed[of_pairs, ALLOWED] |= (relaxed[of_pairs, ALLOWED] & 0b1100000) >> 4  # "causes, and confounded": "causes"
    return relaxed


# -- what graphs are drawn from ----------------------------------------------------------------------------------------


def tops(bounds: Bounds) -> list[int]:
    """The sets of vertices that may be those with ``--``: without selection, none has it."""
    caused = reduce(or_, bounds.must_cause)
    able = [v for v, others in enumerate(bounds.may_join) if others and not caused >> v & 1]
    found = (sum(1 << v for v in some) for k in range(len(able) + 1) for some in combinations(able, k))
    return [top for top in found if all(bounds.may_join[v] & top for v in bits(top))]


def layering_of(bounds: Bounds, table: Numbers, masks: Bits, top: int = 0) -> tuple[Layering, float]:
    """What the kernel draws from, if ``--`` joins these vertices, and how many graphs there are."""
    import numpy as np

    from weft.search.kernel import Layering, fill, ways_to_tie

    size = len(bounds.may_point)
    sets = np.arange(1 << size)
    placed, within = sum(sets >> v & 1 for v in range(size)), sets & top == top
    below = placed - top.bit_count()
    rows = _starts(np.where(within, np.maximum(1, below) << (size - placed), 0))
    inner = _starts(np.where(within, 1 << (size - placed), 0))
    starts = _starts(np.where(within, (size - placed) << placed, 0))
    may, (latents, linked) = _may(bounds, top), _lacking(table, masks, size)
    aside = _aside(latents, size)
    layering = Layering(
        _nones(table, masks, may, top), may, latents, linked, rows[:-1], inner[:-1], starts[:-1],
        np.zeros(inner[-1]), aside, np.zeros((starts[-1], len(aside) + 1), np.float32), np.zeros(rows[-1]),
        np.uint64(top), *_ties(bounds, table, masks, top),
    )  # fmt: skip
    return layering, float(ways_to_tie(layering) * fill(layering, size))


def bytes_of(layering: Layering) -> int:
    """The memory that it takes."""
    return sum(one.nbytes for one in layering)


def _starts(lengths: Numbers) -> Numbers:
    import numpy as np

    return np.concatenate([[0], np.cumsum(lengths)])


def _may(bounds: Bounds, top: int) -> Bits:
    """What the bounds say of each vertex, as :data:`~weft.search.kernel.MAY_POINT` and so on have it.

    Nothing points at a vertex with ``--``, and ``<->`` does not join it to any.
    """
    import numpy as np

    from weft.search.kernel import MAY_JOIN, MUST_BE_ABOVE

    size = len(bounds.may_point)
    from_each = (bounds.may_point, bounds.may_confound, bounds.may_cause, bounds.must_cause)
    to_each = [
        [sum(1 << u for u in range(size) if u != v and sets[u] >> v & 1) for v in range(size)] for sets in from_each
    ]
    may = np.array(to_each, np.uint64)
    may[:MUST_BE_ABOVE, list(bits(top))] = 0
    may[MAY_JOIN] &= ~np.uint64(top)
    return may


def _ties(bounds: Bounds, table: Numbers, masks: Bits, top: int) -> tuple[Bits, Bits]:
    """Which others of the top ``--`` may join each of them to, and must.

    It must if the two are connected in a study that lacks none of the others: no other path leads from one to the other
    over vertices that the study lacks.
    """
    import numpy as np

    from weft.search.kernel import ALLOWED, ASKS, HARD, INDUCING, X, Y

    size = len(bounds.may_join)
    may = [bounds.may_join[v] & top if top >> v & 1 else 0 for v in range(size)]
    must = [0] * size
    for row, mask in zip(table.tolist(), masks.tolist(), strict=True):
        pair = 1 << row[X] | 1 << row[Y]
        if row[HARD] and row[ASKS] == INDUCING and not row[ALLOWED] & 1 and top & pair == pair and not mask & top:
            must[row[X]] |= 1 << row[Y]
            must[row[Y]] |= 1 << row[X]
    return np.array(may, np.uint64), np.array(must, np.uint64)


def _nones(table: Numbers, masks: Bits, may: Bits, top: int = 0) -> Bits:
    """To which others each vertex may stay without an edge, by what is placed before both of them.

    A pair that is connected in a study needs an edge unless what is placed can make the inducing path that it has else:
    a variable that the study lacks may be above one of the two, and the later one (both, in one layer) may have an edge
    at the end of such a path. In the first layer whatever says that two variables are not independent asks for an edge.
    """
    import numpy as np

    from weft.search.kernel import ALLOWED, ASKS, CONNECTING, HARD, INDUCING, MAY_BE_ABOVE, STRUCTURE, X, Y

    size = may.shape[1]
    every, one = np.arange(1 << size, dtype=np.uint64), np.uint64(1)
    sets = every[every & np.uint64(top) == top]
    nones = np.full((1 << size, size), (1 << size) - 1, np.uint64)
    for row, mask in zip(table.tolist(), masks, strict=True):
        if row[HARD] and not row[ALLOWED] & 1:  # it fails if there is no path
            x, y = row[X], row[Y]
            if row[ASKS] == INDUCING:
                above = sets & mask & (may[MAY_BE_ABOVE, x] | may[MAY_BE_ABOVE, y]) != 0
                at_x, at_y = (_ends(sets, mask, may, *ends) | (sets >> np.uint64(ends[0]) & one != 0)
                              for ends in ((x, y), (y, x)))  # fmt: skip
                apart = ~(above & at_x & at_y)
            elif row[ASKS] == STRUCTURE or (row[ASKS] == CONNECTING and not mask):
                apart = sets == 0
            else:
                continue
            for u, v in ((x, y), (y, x)):
                nones[sets[apart], u] &= ~np.uint64(1 << v)
    return nones


def _ends(sets: Bits, mask: Bits, may: Bits, v: int, u: int) -> NDArray[np.bool_]:
    """Whether an inducing path from u may end at v, by what is placed before: see :mod:`weft.search.sieve`."""
    from weft.search.kernel import MAY_BE_ABOVE, MAY_JOIN, MAY_POINT

    ends: NDArray[np.bool_] = sets & (mask & may[MAY_POINT, v] | may[MAY_JOIN, v] & may[MAY_BE_ABOVE, u]) != 0
    return ends


def _aside(latents: Bits, size: int) -> Bits:
    """The sets of variables that studies lack to which ``<->`` is counted apart: all subsets of the first few."""
    import numpy as np

    lacking = int(np.bitwise_or.reduce(latents, initial=0))
    apart = [1 << v for v in range(size) if lacking >> v & 1][: MOST_ASIDE if size < MOST_VARIABLES else 0]
    return np.array([sum(some) for k in range(len(apart) + 1) for some in combinations(apart, k)], np.uint64)


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
