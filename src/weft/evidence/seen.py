"""What the tests of a run showed of a pair in a study, in the numbers that its probabilities depend on.

A p-value alone says little about how surely a pair is apart. These things say more (:class:`Seen`), and the constants
of :mod:`weft.evidence.calibration` say how much:

============== ======================================================================================================
of the test    the p-value, its rows, the degrees of freedom (1 for columns of numbers)
of the search  how many sets were tried, how large the one is that separates, how many tests gave a verdict, and how
               plain the dependence was that the set explained away
of the place   how many variables the study has, how many of its pairs are adjacent, how many are dependent given
               nothing, how many neighbours the two have, whether any path connects them
of the run     how far above the limit of what can be seen the dependences of this run lie (if many are just above,
               many are below), and how many p-values lie just on the other side
============== ======================================================================================================

*Evidence* here is minus the logarithm of a p-value to base 10, capped: beyond a point the approximations behind
p-values no longer mean anything.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations
from operator import and_

from weft.evidence.pool import Pooled
from weft.evidence.skeleton import Pair, Query, Skeleton, rivals
from weft.evidence.weights import LEVELS, Features
from weft.graphs.mixed import bits
from weft.studies import Study

_MOST_EVIDENCE = 12.0
_STRONGEST = 20.0
"""Where it counts how plain the dependence was that a set explained away, evidence beyond this is not told apart."""
_LEAST_P_VALUE = 1e-300
_PLAIN = 40.0
"""Evidence beyond this is not told apart where the strengths of dependences are compared."""
_USUAL_STRENGTH, _PRIOR_PAIRS = 0.9, 4
"""The strength of a run in which no pair is connected, and how many connected pairs that counts as."""
_FEW = 0.05
"""Added to a share before its logarithm is taken."""
_MANY_VARIABLES, _MOST_VARIABLES = 12, 28
"""What each further variable of a study means is not the same up to the first and beyond it. No constant was fitted on
studies that are larger than the second: they count as this large."""
_JUST_INDEPENDENT = 0.1
"""A p-value between alpha and this is near the limit, on the side of independence."""


@dataclass(frozen=True)
class Seen:
    """What was seen of a pair in a study."""

    study: str
    pair: Pair
    query: Query
    """The set that seems to separate the pair or, if none does, the one that comes nearest to it."""
    separable: bool
    """Whether some set seems to separate the pair."""
    adjacency: Features
    """What the probability depends on that the pair is apart, or that it is connected."""
    naming: Features | None
    """What the probability depends on that it is this set, given that the pair is apart; None if there is no rival."""
    rivals: tuple[Query, ...]
    """The sets that differ from the separating one by a variable in between, and were tested."""


@dataclass(frozen=True)
class Examined:
    """A study, its skeleton, and the answers to all queries of the run."""

    study: Study
    skeleton: Skeleton
    answers: Mapping[Query, Pooled]
    alpha: float
    max_given: int | None = None

    def answered(self, pair: Pair) -> list[Query]:
        """The queries about a pair that were answered."""
        return [query for query in self.skeleton.tested.get(pair, ()) if query in self.answers]

    def pairs(self) -> Iterator[tuple[Pair, Query, bool]]:
        """Each pair of which something was seen, the query that says most, and whether its set seems to separate it."""
        for pair in combinations(range(len(self.skeleton.names)), 2):
            if (separated := self.skeleton.separated.get(pair)) is not None:
                yield pair, separated, True
            elif queries := self.answered(pair):
                yield pair, max(queries, key=self.p_value), False

    def telling(self) -> Iterator[Query]:
        """The queries whose p-values tell something, those that are plainly dependent given larger sets included.

        Of a pair that a set seems to separate, these are all, unless one is as plain as can be told; of any other pair,
        the one that comes nearest to separating it.
        """
        for pair, query, separable in self.pairs():
            yield query
            if separable and self.strongest(pair) < _STRONGEST:
                yield from self.answered(pair)

    def strongest(self, pair: Pair) -> float:
        """How plain the dependence of a pair is given the set where it is plainest."""
        return max((self.evidence(one, _STRONGEST) for one in self.answered(pair)), default=0.0)

    def p_value(self, query: Query) -> float:
        """The pooled p-value of a query that was answered."""
        p_value = self.answers[query].p_value
        assert p_value is not None, "only an oracle answers without a p-value"
        return p_value

    def evidence(self, query: Query, most: float = _MOST_EVIDENCE) -> float:
        """Against independence: minus the logarithm of the p-value to base 10, capped."""
        return min(-math.log10(max(self.p_value(query), _LEAST_P_VALUE)), most)

    def freedom(self, query: Query) -> int:
        """The degrees of freedom of a full table of levels; a column of numbers counts as one."""
        levels = {column.name: len(column.levels) for column in self.study.columns}
        own = math.prod(max(levels[name] - 1, 1) for name in (query.x, query.y))
        return own * math.prod(max(levels[name], 1) for name in query.given)

    def has_levels(self, query: Query) -> bool:
        """Whether one of the two variables is a column of levels."""
        return any(self.study.column(name).levels for name in (query.x, query.y))

    def dependent_share(self) -> float:
        """The share of pairs that are dependent given nothing."""
        marginal = [query for x, y in combinations(self.skeleton.names, 2) if (query := Query(x, y)) in self.answers]
        dependent = sum(self.p_value(query) <= self.alpha for query in marginal)
        return dependent / len(marginal) if marginal else 0.5


@dataclass(frozen=True)
class Middle:
    """What was seen of an unshielded triple: a pair that a set seems to separate, and a neighbour of both."""

    name: str
    """Of the variable in the middle."""
    query: Query
    """The set that seems to separate the pair."""
    rival: Query
    """The same with the middle taken out, or put in."""
    features: Features
    """What the probability depends on that the middle causes one of the pair, or neither."""

    @property
    def is_given(self) -> bool:
        """Whether the middle is in the set that seems to separate the pair: then it causes one of the two."""
        return self.name in self.query.given


def seen(part: Examined, run: Features) -> Iterator[Seen]:
    """What was seen of each pair of a study, of which something was."""
    place = _place(part, run)
    for pair, query, separable in part.pairs():
        tried = math.log(_tried(part.skeleton.tested[pair], query, separable))
        common = {**place, **_test(part, query), "tried": tried}
        yield (_apart if separable else _connected)(part, pair, query, common)


def middles(part: Examined, run: Features) -> Iterator[Middle]:
    """What was seen of each unshielded triple whose rival set was tested, and leaves the pair dependent."""
    place, skeleton = _place(part, run), part.skeleton
    for pair, query in skeleton.separated.items():
        for z in bits(skeleton.adjacent[pair[0]] & skeleton.adjacent[pair[1]]):
            name = skeleton.names[z]
            rival = Query(query.x, query.y, tuple(sorted({*query.given} ^ {name})))
            if rival in part.answers and not part.answers[rival].independent(part.alpha):
                own = {**_test(part, query), **_separation(part, pair, query), **_in_between(part, pair, name, rival)}
                yield Middle(name, query, rival, {**place, **own})


def _place(part: Examined, run: Features) -> Features:
    skeleton = part.skeleton
    return {
        **run,
        "variables": math.log(min(len(skeleton.names), _MANY_VARIABLES)),
        "larger": math.log(min(max(len(skeleton.names), _MANY_VARIABLES), _MOST_VARIABLES) / _MANY_VARIABLES),
        "density": math.log(len(skeleton.pairs()) / math.comb(len(skeleton.names), 2) + _FEW),
        "dependent": math.log(part.dependent_share() + _FEW),
    }


def _test(part: Examined, query: Query) -> Features:
    return {
        "rows": math.log10(part.answers[query].rows),
        "freedom": math.log10(part.freedom(query)),
        LEVELS: float(part.has_levels(query)),
    }


def _tried(tested: Sequence[Query], query: Query, separable: bool) -> int:
    """How many sets were tried; up to one that separates, as if they were tried in the order of their names.

    In which order they were tried, and how many at a time, says nothing about the pair. The constants were fitted to
    searches in that order.
    """
    if not separable:
        return len(tested)
    return sum((len(one.given), one.given) <= (len(query.given), query.given) for one in tested)


def _apart(part: Examined, pair: Pair, query: Query, common: Features) -> Seen:
    tested = tuple(one for one in rivals(part.skeleton, pair, part.max_given) if one in part.answers)
    own = {**common, **_separation(part, pair, query)}
    named = {**own, **_rivalry(part, tested)} if tested else None
    return Seen(part.study.name, pair, query, True, own, named, tested)


def _connected(part: Examined, pair: Pair, query: Query, common: Features) -> Seen:
    answered = len(part.answered(pair)) / len(part.skeleton.tested[pair])
    own = {**common, "evidence": math.sqrt(part.evidence(query)), "answered": answered}
    return Seen(part.study.name, pair, query, False, own, None, ())


def dependence(part: Examined, query: Query, run: Features) -> Features:
    """What the probability depends on that a pair is dependent given a set."""
    return {
        "evidence": math.sqrt(part.evidence(query)),
        "size": len(query.given),
        "rows": math.log10(part.answers[query].rows),
        LEVELS: float(part.has_levels(query)),
        "strength": run["strength"],
    }


def of_the_run(examined: Sequence[Examined]) -> Features:
    """What all tests of a run say together about how weak its dependences are."""
    found = [(part, query, separable) for part in examined for _, query, separable in part.pairs()]
    studies = [part.study for part in examined]
    above = [_times_the_limit(part, query, studies) for part, query, separable in found if not separable]
    independent = [part.p_value(query) for part, query, separable in found if separable]
    near = sum(p < _JUST_INDEPENDENT for p in independent)
    expected = (_JUST_INDEPENDENT - examined[0].alpha) * len(independent) if examined else 0.0
    return {
        "strength": (sum(above) + _PRIOR_PAIRS * _USUAL_STRENGTH) / (len(above) + _PRIOR_PAIRS),
        "near": math.log((near + 1) / (max(expected, 0.0) + 1)),
    }


def _times_the_limit(part: Examined, query: Query, studies: Sequence[Study]) -> float:
    """How much more evidence there is for a dependence than the level of the test asks for, as a logarithm.

    Where a part of the rows makes a dependence plain, a test looks at no more. All rows would have as many times more
    evidence as there are more of them, and that is what the constants were fitted to.
    """
    evidence = -math.log10(max(part.p_value(query), _LEAST_P_VALUE))
    whole = min(evidence / _share_looked_at(part, query, studies), -math.log10(_LEAST_P_VALUE))
    return math.log10(whole / -math.log10(part.alpha))


def _share_looked_at(part: Examined, query: Query, studies: Sequence[Study]) -> float:
    """The share of the rows with all variables of a query that its test looked at, in the studies with a verdict."""
    answer = part.answers[query]
    names = {one.study for one in answer.parts}
    measured = [study for study in studies if study.name in names]
    if answer.rows >= sum(study.rows for study in measured):  # as nearly always
        return 1.0
    present = (reduce(and_, (study.column(name).present for name in query.variables)) for study in measured)
    return min(1.0, answer.rows / max(sum(int(one.sum()) for one in present), 1))


def _separation(part: Examined, pair: Pair, query: Query) -> Features:
    x, y = (part.skeleton.adjacent[place].bit_count() for place in pair)
    return {
        "evidence": part.evidence(query, 2.0),
        "size": min(len(query.given), 3),
        "strongest": math.sqrt(part.strongest(pair)),
        "neighbours": min(x, y, 3),
        "path": float(part.skeleton.has_path(pair)),
    }


def _in_between(part: Examined, pair: Pair, name: str, rival: Query) -> Features:
    """How plain it is that a variable makes the difference, and how it hangs together with the pair.

    What passes through the middle is no stronger than the weaker of the two links (the data processing inequality).
    """
    alike = [one for one in part.answered(pair) if (name in one.given) == (name in rival.given)]
    weakest = min(_link(part, end, name) for end in (rival.x, rival.y))
    direct = _link(part, rival.x, rival.y)
    return {
        "rival": math.sqrt(part.evidence(rival, _PLAIN)),
        "alike": math.sqrt(min(part.evidence(one) for one in (rival, *alike))),
        "number": math.log(1 + len(alike)),
        "weakest": weakest,
        "direct": direct,
        "excess": max(direct - weakest, 0.0),
    }


def _link(part: Examined, x: str, y: str) -> float:
    """How plainly two variables depend on each other; 0 where there was no verdict."""
    query = Query(min(x, y), max(x, y))
    return math.sqrt(part.evidence(query, _PLAIN)) if query in part.answers else 0.0


def _rivalry(part: Examined, queries: Sequence[Query]) -> Features:
    return {
        "rival": math.sqrt(min(map(part.evidence, queries))),
        "open": sum(part.p_value(query) > part.alpha for query in queries),
    }
