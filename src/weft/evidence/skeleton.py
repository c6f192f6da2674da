"""Which pairs of a study's variables are connected, and what separates the others: the search that FCI makes.

1. *Adjacency search*. Start with every pair adjacent. For sets of size 0, 1, 2, ...: test each adjacent pair given each
   set of that size of neighbours of the one or of the other; a pair that is independent given one is adjacent no more.
   Neighbours are those at the beginning of the round, so that the order of the variables does not matter ("stable").
2. *Possible-d-sep*. With latent variables, neighbours may not be enough. Take the colliders that follow from what was
   found so far, and test each pair that is still adjacent given sets of vertices that a path of colliders or triangles
   leads to, as far as they lie on a cycle through the pair: others can neither open nor block a path between the two.

Tests are made in waves: the next few sets, each with every pair that is still adjacent and may be separated by it. So
many can run at once, tests given the same set come together and can share work, and the answer is the same for any
number of workers. A pair is said to be separated by the first set that does so, in the order of size and names.

That a set seems to separate a pair is weak evidence that it is this set: where dependence fades along a path, several
do. So each has *rivals* (:func:`rivals`), as in conservative PC: the same set with a variable in between taken out, or
put in. Only where the rivals clearly do not separate the pair is much known about the set.

References
----------
Spirtes, Glymour and Scheines, *Causation, Prediction, and Search* (2000), section 6.7 (FCI).
Colombo, Maathuis, Kalisch and Richardson, *Learning high-dimensional directed acyclic graphs with latent and selection
variables*, Ann. Statist. 40 (2012): the restriction to cycles.
Ramsey, Zhang and Spirtes, *Adjacency-faithfulness and conservative causal inference*, UAI 2006.
Colombo and Maathuis, *Order-independent constraint-based causal structure learning*, JMLR 15 (2014).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations

from weft.graphs.mixed import bits

Pair = tuple[int, int]
"""Two variables by their places in the sorted names, the smaller first."""

Candidates = Mapping[Pair, tuple[int, int]]
"""For each adjacent pair, the vertices (as bits) of which sets are taken: those of the one, and those of the other."""

_WAVE = 16
"""Sets in a wave. With more of them, more tests are made in vain; with fewer, workers wait."""

Progress = Callable[[str, int, int], None]
"""Told what is being done, how many tests of it are settled, and how many there are at most."""


def no_progress(label: str, done: int, total: int) -> None:
    """Tell nobody."""


@dataclass(frozen=True, slots=True)
class Query:
    """Are x and y independent given a set? The pair and the set are sorted."""

    x: str
    y: str
    given: tuple[str, ...] = ()

    @property
    def variables(self) -> frozenset[str]:
        """All the variables that it speaks of."""
        return frozenset((self.x, self.y, *self.given))


Ask = Callable[[Sequence[Query]], Sequence[bool]]
"""Answers queries: whether each pair is independent given its set."""


@dataclass
class Skeleton:
    """What the search knows of a study; complete when :func:`search_skeleton` returns it."""

    names: tuple[str, ...]
    adjacent: list[int]
    """For each variable, its neighbours as bits."""
    separated: dict[Pair, Query] = field(default_factory=dict)
    """For each pair that is not adjacent, the query that said so."""
    tested: dict[Pair, list[Query]] = field(default_factory=dict)
    """For each pair, the queries that were asked about it."""

    @classmethod
    def complete(cls, names: Sequence[str]) -> Skeleton:
        """Every pair adjacent."""
        everything = (1 << len(names)) - 1
        return cls(tuple(sorted(names)), [everything & ~(1 << v) for v in range(len(names))])

    def pairs(self) -> list[Pair]:
        """The adjacent pairs."""
        return [(x, y) for x, y in combinations(range(len(self.names)), 2) if self.adjacent[x] >> y & 1]

    def query(self, pair: Pair, given: Sequence[int]) -> Query:
        """The query for a pair and a set."""
        return Query(self.names[pair[0]], self.names[pair[1]], tuple(self.names[v] for v in sorted(given)))

    def note(self, pair: Pair, query: Query, independent: bool) -> None:
        """Note the answer to a query."""
        self.tested.setdefault(pair, []).append(query)
        if independent and pair not in self.separated:  # the first of several sets counts
            x, y = pair
            self.adjacent[x] &= ~(1 << y)
            self.adjacent[y] &= ~(1 << x)
            self.separated[pair] = query

    def has_path(self, pair: Pair) -> bool:
        """Whether a path leads from the one to the other."""
        return bool(self._reached(1 << pair[0], -1) >> pair[1] & 1)

    def possible_d_sep(self, x: int) -> int:
        """The ends, as bits, of paths from x on which every inner vertex is a collider or in a triangle."""
        waiting = [(x, neighbour) for neighbour in bits(self.adjacent[x])]
        seen = set(waiting)
        while waiting:
            a, b = waiting.pop()
            for c in bits(self.adjacent[b] & ~(1 << a | 1 << x)):
                if (b, c) not in seen and (self.adjacent[a] >> c & 1 or self._is_collider(a, b, c)):
                    seen.add((b, c))
                    waiting.append((b, c))
        reached = 0
        for _, end in seen:
            reached |= 1 << end
        return reached

    def on_a_cycle_with(self, pair: Pair) -> int:
        """The vertices, as bits, on cycles through an adjacent pair, the pair among them.

        A vertex is on one exactly if no single other vertex cuts it off from the pair (Menger).
        """
        x, y = pair
        found = (1 << len(self.names)) - 1
        for cut in range(len(self.names)):
            start = (1 << x | 1 << y) & ~(1 << cut)
            found &= self._reached(start, ~(1 << cut)) | 1 << cut
        return found

    def _reached(self, start: int, allowed: int) -> int:
        reached, waiting = start, start
        while waiting:
            v = waiting.bit_length() - 1
            new = self.adjacent[v] & allowed & ~reached
            reached |= new
            waiting = waiting & ~(1 << v) | new
        return reached

    def _is_collider(self, a: int, b: int, c: int) -> bool:
        """Whether b is a collider between its neighbours a and c, which are not adjacent."""
        return self.names[b] not in self.separated[min(a, c), max(a, c)].given


def search_skeleton(
    names: Sequence[str],
    ask: Ask,
    *,
    max_given: int | None = None,
    progress: Progress = no_progress,
) -> Skeleton:
    """Find which pairs are connected, and a separating set for each of the others.

    Parameters
    ----------
    names
        The variables.
    ask
        Answers queries, many at a time.
    max_given
        The largest set to condition on; any size if ``None``.
    progress
        Told how far it is.
    """
    skeleton = Skeleton.complete(names)
    limit = len(names) - 2 if max_given is None else min(max_given, len(names) - 2)
    for size in range(limit + 1):
        neighbours = {(x, y): (skeleton.adjacent[x], skeleton.adjacent[y]) for x, y in skeleton.pairs()}
        if not _test_sets(skeleton, neighbours, size, ask, progress, f"sets of {size}"):
            break
    reached = [skeleton.possible_d_sep(v) for v in range(len(names))]
    cycles = {pair: skeleton.on_a_cycle_with(pair) for pair in skeleton.pairs()}
    nearby = {(x, y): (reached[x] & cycle, reached[y] & cycle) for (x, y), cycle in cycles.items()}
    for size in range(1, limit + 1):
        if not _test_sets(skeleton, nearby, size, ask, progress, f"possible-d-sep, sets of {size}"):
            break
    return skeleton


def rivals(skeleton: Skeleton, pair: Pair, max_given: int | None = None) -> list[Query]:
    """For a pair that a set separates: the sets that differ from it by one variable in between.

    Those are the variables in the set, and the common neighbours of the pair: the middles of unshielded triples.
    """
    x, y = pair
    separating = frozenset(map(skeleton.names.index, skeleton.separated[pair].given))
    middles = separating.union(bits(skeleton.adjacent[x] & skeleton.adjacent[y]))
    sets = (separating ^ {middle} for middle in sorted(middles))
    return [skeleton.query(pair, sorted(one)) for one in sets if max_given is None or len(one) <= max_given]


def _test_sets(skeleton: Skeleton, candidates: Candidates, size: int, ask: Ask, progress: Progress, label: str) -> bool:
    """Test every adjacent pair given sets of its candidates, until one separates it; False if there are no such sets.

    Each wave has the next few sets, and every pair that is still adjacent and has one of them among its own.
    """
    sets = {pair: found for pair in skeleton.pairs() if (found := _sets(candidates[pair], pair, size))}
    in_order = sorted(set().union(*sets.values()))
    total = sum(map(len, sets.values()))
    for start in range(0, len(in_order), _WAVE):
        open_sets = {pair: found for pair, found in sets.items() if pair not in skeleton.separated}
        later = frozenset(in_order[start:])
        progress(label, total - sum(len(found & later) for found in open_sets.values()), total)
        next_sets = in_order[start : start + _WAVE]
        wave = [(pair, given) for given in next_sets for pair, found in open_sets.items() if given in found]
        queries = [skeleton.query(pair, given) for pair, given in wave]
        for (pair, _), query, independent in zip(wave, queries, ask(queries), strict=True):
            skeleton.note(pair, query, independent)
    return bool(sets)


def _sets(candidates: tuple[int, int], pair: Pair, size: int) -> frozenset[tuple[int, ...]]:
    """The sets of that size among the candidates of the one or of the other."""
    apart = ~(1 << pair[0] | 1 << pair[1])
    return frozenset(given for mask in candidates for given in combinations(bits(mask & apart), size))
