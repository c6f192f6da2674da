"""Which pairs of a study's variables are connected, and what separates the others: the search that FCI makes.

1. *Adjacency search*. Start with every pair adjacent. For sets of size 0, 1, 2, ...: test each adjacent pair given each
   set of that size of neighbours of the one or of the other; a pair that is independent given one is adjacent no more.
   Neighbours are those at the beginning of the round, so that the order of the variables does not matter ("stable").
2. *Possible-d-sep*. With latent variables, neighbours may not be enough. Take the colliders that follow from what was
   found so far, and test each pair that is still adjacent given sets of vertices that a path of colliders or triangles
   leads to, as far as they lie on a cycle through the pair: others can neither open nor block a path between the two.

All studies are searched side by side, so that none has to wait for what another leaves of the budget. For each pair,
sets of one size are tried in the order in which they are likely to separate it, if that is known
(:mod:`~weft.evidence.promising`), else in that of their names. Tests are made in waves: the next few sets of every pair
that is still adjacent. So many can run at once, tests given the same set come together and can share work, and the
answer is the same for any number of workers. A pair is said to be separated by the first set that does so.

Where there is a budget (:mod:`~weft.evidence.budget`), sets of none and of one come first. Each larger size may then
take half of what is left, so that large sets are tried as well, the likely ones of them; what is left over in the end
goes to the sets that were passed over. Enough is kept for the rivals. Pairs with untried sets are noted.

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

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations, count

from weft.evidence.budget import Budget
from weft.graphs.mixed import bits

Pair = tuple[int, int]
"""Two variables by their places in the sorted names, the smaller first."""

Place = tuple[int, Pair]
"""A pair of a study: the study's place, and the pair."""

Given = tuple[int, ...]
"""A set of variables by their places, in order."""

Sides = tuple[int, int]
"""The vertices (as bits) of which sets are taken for a pair: those of the one, and those of the other."""

_FIRST, _GROWTH = 4, 4
"""Sets of a pair in the first wave, and how many times as many are tried by the end of each wave that follows.

Most pairs that can be separated are separated by one of their first sets; then longer waves share more work."""
_ALWAYS = 1
"""Sets of at most this size are not passed over for larger ones."""
_SPARE = 8
"""The sets of a pair that are put in order, in terms of what a fair share of the budget would pay for."""
_FEWEST = 64
"""So many are always put in order."""

Ahead = Callable[[int], None]
"""Told how many sets are still to be tried, as far as can be seen: those of pairs that are not separated by then."""


def _unheard(sets: int) -> None:
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


Ask = Callable[[Sequence[Query]], Sequence[float]]
"""Answers queries: how independent each pair seems to be given its set, such as by a p-value; 0 if it is dependent."""

Likeliest = Callable[[str, str, Sequence[tuple[str, ...]]], Sequence[float]]
"""For a pair and sets of one size, a number for each set: the smaller, the likelier that it separates the pair."""


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
    unfinished: set[Pair] = field(default_factory=set)
    """The adjacent pairs for which the budget ended before all sets were tried."""
    barely: set[Pair] = field(default_factory=set)
    """Those of them for which not even all single neighbours and the likeliest two of them were tried."""

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

    def note(self, pair: Pair, answers: Mapping[Query, float]) -> None:
        """Note the answers to queries that were asked at the same time."""
        self.tested.setdefault(pair, []).extend(answers)
        likeliest = max(answers, key=answers.__getitem__)  # of several sets that seem to separate; the first of equals
        if answers[likeliest]:
            x, y = pair
            self.adjacent[x] &= ~(1 << y)
            self.adjacent[y] &= ~(1 << x)
            self.separated[pair] = likeliest
            self.unfinished.discard(pair)
            self.barely.discard(pair)

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
    ahead: Ahead = _unheard,
) -> Skeleton:
    """Find which pairs of one study are connected, and a separating set for each of the others, without a budget."""
    return search_skeletons([names], ask, max_given=max_given, ahead=ahead)[0]


def search_skeletons(
    studies: Sequence[Sequence[str]],
    ask: Ask,
    *,
    max_given: int | None = None,
    budget: Budget[Query] | None = None,
    likeliest: Likeliest | None = None,
    ahead: Ahead = _unheard,
) -> list[Skeleton]:
    """Find which pairs of each study are connected, and a separating set for each of the others.

    Parameters
    ----------
    studies
        The variables of each study.
    ask
        Answers queries, many at a time.
    max_given
        The largest set to condition on; any size if ``None``.
    budget
        How many tests may be made.
    likeliest
        Which sets are likely to separate a pair; by default they are tried in the order of their names.
    ahead
        Told how far it is to the end.
    """
    search = _Search(
        [Skeleton.complete(names) for names in studies],
        ask,
        Budget(lambda query: 0) if budget is None else budget,
        likeliest,
        max_given,
        ahead,
    )
    search.among_neighbours(halving=True)
    search.nearby(halving=True)
    if any(skeleton.unfinished for skeleton in search.skeletons):
        search.begin_again()
        search.among_neighbours(halving=False)
        search.nearby(halving=False)
    return search.skeletons


def rivals(skeleton: Skeleton, pair: Pair, max_given: int | None = None) -> list[Query]:
    """For a pair that a set separates: the sets that differ from it by one variable in between.

    Those are the variables in the set, and the common neighbours of the pair: the middles of unshielded triples.
    """
    x, y = pair
    separating = frozenset(map(skeleton.names.index, skeleton.separated[pair].given))
    middles = separating.union(bits(skeleton.adjacent[x] & skeleton.adjacent[y]))
    sets = (separating ^ {middle} for middle in sorted(middles))
    return [skeleton.query(pair, sorted(one)) for one in sets if max_given is None or len(one) <= max_given]


def all_rivals(skeletons: Sequence[Skeleton], max_given: int | None = None) -> list[Query]:
    """The rivals of all separating sets, each once: first one of every pair, then the next of every pair, and so on."""
    found: dict[Query, int] = {}
    for skeleton in skeletons:
        for pair in skeleton.separated:
            for turn, query in enumerate(rivals(skeleton, pair, max_given)):
                found[query] = min(turn, found.get(query, turn))
    return sorted(found, key=lambda query: (found[query], _by_name(query)))


@dataclass(frozen=True)
class _Search:
    """The skeletons of all studies, side by side."""

    skeletons: list[Skeleton]
    ask: Ask
    budget: Budget[Query]
    likeliest: Likeliest | None
    max_given: int | None
    ahead: Ahead

    def among_neighbours(self, halving: bool) -> None:
        """The first phase: sets of neighbours."""
        for size in range(self._largest() + 1):
            neighbours = {
                (k, (x, y)): (one.adjacent[x], one.adjacent[y])
                for k, one in enumerate(self.skeletons)
                for x, y in one.pairs()
            }
            found, barely = self._test_sets(neighbours, size, halving)
            for k, pair in barely if size <= _ALWAYS + 1 else ():
                self.skeletons[k].barely.add(pair)
            if not found:
                break

    def nearby(self, halving: bool) -> None:
        """The second phase: sets of what colliders and triangles lead to."""
        candidates: dict[Place, Sides] = {}
        for k, one in enumerate(self.skeletons):
            reached = [one.possible_d_sep(v) for v in range(len(one.names))]
            for x, y in one.pairs():
                cycle = one.on_a_cycle_with((x, y))
                candidates[k, (x, y)] = reached[x] & cycle, reached[y] & cycle
        for size in range(1, self._largest() + 1):
            if not self._test_sets(candidates, size, halving)[0]:
                break

    def begin_again(self) -> None:
        """Make ready to try the sets that were passed over."""
        for skeleton in self.skeletons:
            skeleton.unfinished.clear()
            skeleton.barely.clear()

    def _largest(self) -> int:
        largest = max((len(one.names) for one in self.skeletons), default=2) - 2
        return largest if self.max_given is None else min(self.max_given, largest)

    def _test_sets(self, candidates: Mapping[Place, Sides], size: int, halving: bool) -> tuple[bool, list[Place]]:
        """Test every adjacent pair given sets of its candidates, until one separates it.

        Each wave has the next few sets of every pair that is still adjacent. Told are whether there are such sets, and
        the pairs of which too few were tried: not all sets of none and one, or none of the larger ones.
        """
        barely: list[Place] = []
        number = {place: _how_many(sides, place[1], size) for place, sides in candidates.items()}
        adjacent = [place for place in candidates if number[place] and not self._is_separated(place)]
        tried = {place: frozenset() if halving else self._tried(place, candidates[place], size) for place in adjacent}
        waiting = {place: number[place] - len(tried[place]) for place in adjacent}
        keep = self._kept(halving and size > _ALWAYS)
        likely = {place: self._likely(place, candidates[place], size, len(adjacent)) for place in adjacent}
        sets = {place: [one for one in likely[place] if one not in tried[place]] for place in adjacent}
        start, end = 0, _FIRST
        while wave := self._wave(sets, start, end):
            self.ahead(self._untried(waiting, size))
            paid = self.budget.taken(list(wave), keep)
            answers: dict[Place, dict[Query, float]] = {}
            for query, independence in zip(paid, self.ask(paid), strict=True):
                for place in wave[query]:
                    waiting[place] -= 1
                    answers.setdefault(place, {})[query] = independence
            for (k, pair), own in answers.items():
                self.skeletons[k].note(pair, own)
            start, end = end, end * _GROWTH
        for (k, pair), untried in waiting.items():
            if untried and not self._is_separated((k, pair)):
                self.skeletons[k].unfinished.add(pair)
                if size <= _ALWAYS or untried == number[k, pair]:
                    barely.append((k, pair))
        return any(number.values()), barely

    def _untried(self, waiting: Mapping[Place, int], size: int) -> int:
        """The sets of that size that wait, and the larger sets of neighbours, of the pairs that are adjacent now."""
        left = {place: number for place, number in waiting.items() if not self._is_separated(place)}
        return sum(left.values()) + sum(
            _how_many((self.skeletons[k].adjacent[x], self.skeletons[k].adjacent[y]), (x, y), larger)
            for k, (x, y) in left
            for larger in range(size + 1, self._largest() + 1)
        )

    def _is_separated(self, place: Place) -> bool:
        return place[1] in self.skeletons[place[0]].separated

    def _kept(self, halving: bool) -> int:
        """What must be left of the budget: enough for the rivals, and half of the rest if larger sets are to come."""
        if (left := self.budget.left) is None:
            return 0
        kept = min(self.budget.price(all_rivals(self.skeletons, self.max_given)), left // 2)
        return kept + (left - kept) // 2 if halving else kept

    def _tried(self, place: Place, sides: Sides, size: int) -> frozenset[Given]:
        """The sets of that size of candidates that were tried for a pair."""
        k, pair = place
        number = {name: v for v, name in enumerate(self.skeletons[k].names)}
        asked = (query.given for query in self.skeletons[k].tested.get(pair, ()) if len(query.given) == size)
        found = (tuple(number[name] for name in given) for given in asked)
        return frozenset(one for one in found if any(all(side >> v & 1 for v in one) for side in sides))

    def _likely(self, place: Place, sides: Sides, size: int, places: int) -> list[Given]:
        """The sets of that size of candidates of a pair, the likeliest first; no more than the budget may pay for."""
        pair = place[1]
        left = self.budget.left
        most = math.inf if left is None else max(_SPARE * left // places, _FEWEST)
        if _how_many(sides, pair, size) > most:
            largest = next(m for m in count(size) if math.comb(m + 1, size) > most)
            sides = self._narrowed(place, sides, largest)
        sets = sorted(_sets(sides, pair, size))
        numbers = self._numbers(place, sets)
        return [sets[i] for i in sorted(range(len(sets)), key=numbers.__getitem__)]

    def _narrowed(self, place: Place, sides: Sides, most: int) -> Sides:
        """Each side with so many of its candidates: those that are likely to separate the pair by themselves."""
        singles = sorted(_sets(sides, place[1], 1))
        numbers = dict(zip(singles, self._numbers(place, singles), strict=True))
        likely = sorted(singles, key=numbers.__getitem__)
        one, other = ([v for (v,) in likely if side >> v & 1][:most] for side in sides)
        return sum(1 << v for v in one), sum(1 << v for v in other)

    def _numbers(self, place: Place, sets: Sequence[Given]) -> Sequence[float]:
        """For each set, how likely it is to separate the pair: the smaller, the likelier."""
        if self.likeliest is None:
            return [0.0] * len(sets)
        k, (x, y) = place
        names = self.skeletons[k].names
        return self.likeliest(names[x], names[y], [tuple(names[v] for v in one) for one in sets])

    def _wave(self, sets: Mapping[Place, Sequence[Given]], start: int, end: int) -> dict[Query, list[Place]]:
        """The queries about the next few sets of every adjacent pair, each with the places that ask it, in order."""
        places: dict[Query, list[Place]] = {}
        turns: dict[Query, int] = {}
        for place, found in sets.items():
            if not self._is_separated(place):
                for turn, given in enumerate(found[start:end]):
                    query = self.skeletons[place[0]].query(place[1], given)
                    places.setdefault(query, []).append(place)
                    turns[query] = min(turn, turns.get(query, turn))
        return {query: places[query] for query in sorted(places, key=lambda one: (turns[one], _by_name(one)))}


def _by_name(query: Query) -> tuple[int, tuple[str, ...], str, str]:
    return len(query.given), query.given, query.x, query.y


def _sets(sides: Sides, pair: Pair, size: int) -> frozenset[Given]:
    """The sets of that size among the candidates of the one or of the other."""
    apart = ~(1 << pair[0] | 1 << pair[1])
    return frozenset(given for side in sides for given in combinations(bits(side & apart), size))


def _how_many(sides: Sides, pair: Pair, size: int) -> int:
    """How many sets :func:`_sets` has.

    >>> sides, pair = (0b11100, 0b111000), (0, 1)
    >>> _how_many(sides, pair, 2) == len(_sets(sides, pair, 2)) == 5
    True
    """
    one, other = (side & ~(1 << pair[0] | 1 << pair[1]) for side in sides)
    common = (one & other).bit_count()
    return math.comb(one.bit_count(), size) + math.comb(other.bit_count(), size) - math.comb(common, size)
