"""Part 1 of IOD: from tables to statements about pairs in studies, and about sets that separate them or do not.

For each study the skeleton and the separating sets are found as FCI finds them, with the rivals of each such set
(:mod:`~weft.evidence.skeleton`). Each test is made in every study that measured its variables
(:mod:`~weft.evidence.tester`). What is then stated, and how surely, is up to :mod:`~weft.evidence.weights`:

- a pair that some set seems to separate is `Apart` in that study, any other is `Connected`;
- the set is named (`Separated`) only if it has rivals, and these clearly do not separate the pair;
- of a pair that is not connected, the tests given nothing and given the rivals are `Dependent` where that is plain: a
  collider follows where a pair is dependent given the variable in between, the opposite where it is so without it.

Separations and dependences are about the joint structure: a test that pools several studies makes one statement.

A statement that is less sure than ``independence_confidence`` is not made. Where that leaves a pair neither connected
nor apart, it is *undecided* in that study. A test at level alpha must come down on one side; what is not known is
better left open. A set of which no study gives a verdict (a sparse table, for one) does not separate the pair, and does not
count as a dependence. If that is so of every set, nothing is said about the pair in that study.

References
----------
Tillman and Spirtes, *Learning equivalence classes of acyclic models with latent and selection variables from multiple
datasets with overlapping variables*, AISTATS 2011 (IOD).
Ramsey, Zhang and Spirtes, *Adjacency-faithfulness and conservative causal inference*, UAI 2006.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from weft.errors import StudyError
from weft.evidence.cache import ResultCache
from weft.evidence.independence.protocol import IndependenceTest
from weft.evidence.independence.registry import test_named
from weft.evidence.pool import PoolingMethod, is_independent
from weft.evidence.seen import Examined, Features, Seen, dependence, of_the_run, seen
from weft.evidence.skeleton import Progress, Query, Skeleton, no_progress, rivals, search_skeleton
from weft.evidence.statements import Apart, Connected, Dependent, Evidence, Scope, Separated, Statement
from weft.evidence.tester import Tester
from weft.evidence.weights import log_odds
from weft.parallel import Workers
from weft.studies import Study


@dataclass(frozen=True)
class Collected:
    """The evidence in the tables, and what it took to find it."""

    evidence: Evidence
    tests_made: int
    tests_reused: int
    """Found in the cache."""
    impossible: tuple[str, ...]
    """Why tests could not be made, each reason once."""
    undecided: tuple[Apart | Connected, ...]
    """The statements about pairs in studies that were not made, because they are not sure enough."""
    dependent: tuple[tuple[str, str], ...]
    """The pairs that are dependent given nothing, in the studies together: those that can be oriented."""


def collect(
    studies: Sequence[Study],
    *,
    independence: str | IndependenceTest = "auto",
    alpha: float = 0.01,
    pooling: PoolingMethod = "fisher",
    max_given: int | None = None,
    independence_confidence: float = 0.5,
    workers: Workers | None = None,
    cache: ResultCache | None = None,
    progress: Progress = no_progress,
) -> Collected:
    """Find which variables are separated by what, and which are connected, in every study.

    Parameters
    ----------
    studies
        The tables.
    independence
        An independence test, or its name.
    alpha
        A pair is taken to be dependent if its pooled p-value is at most this.
    pooling
        How the p-values of several studies are pooled.
    max_given
        The largest set to condition on; any size if ``None``. A pair that only a larger set separates stays connected.
    independence_confidence
        A statement whose probability to be right is less than this is not made.
    workers, cache, progress
        Where tests run, where their results are kept, and what to call to report progress.
    """
    if not 0.5 <= independence_confidence < 1:
        raise StudyError(f"independence_confidence is {independence_confidence}; give 0.5 or more, and less than 1")
    chosen = test_named(independence) if isinstance(independence, str) else independence
    is_independent(1.0, alpha)  # refuses an alpha that makes no sense, before anything runs
    for study in studies:
        _check_kinds(study, chosen)
    tester = Tester(studies, chosen, alpha, pooling=pooling, workers=workers, cache=cache)
    examined = examine(studies, tester, alpha, max_given, progress)
    statements, undecided = _stated(examined, tester, math.log(independence_confidence / (1 - independence_confidence)))
    scopes = tuple(Scope(study.name, study.variables) for study in studies)
    return Collected(
        Evidence(scopes, statements),
        tester.made,
        tester.reused,
        tuple(tester.impossible),
        undecided,
        tester.dependent(),
    )


def _check_kinds(study: Study, test: IndependenceTest) -> None:
    """Refuse columns that the test is not made for now, rather than after an hour."""
    for x, y in combinations(study.columns, 2):
        others = tuple(column for column in study.columns if column not in (x, y))
        if (sentence := test.refusal(x, y, others[:1])) is not None:
            raise StudyError(f"study {study.name!r}: {sentence}")


def examine(
    studies: Sequence[Study],
    tester: Tester,
    alpha: float,
    max_given: int | None = None,
    progress: Progress = no_progress,
) -> list[Examined]:
    """Make the tests: the skeleton of each study, and the rivals of every separating set."""
    skeletons = [_skeleton(study, tester, max_given, progress) for study in studies]
    _ask_rivals(skeletons, tester, max_given, progress)
    return [
        Examined(study, skeleton, tester.answers, alpha, max_given)
        for study, skeleton in zip(studies, skeletons, strict=True)
    ]


def _skeleton(study: Study, tester: Tester, max_given: int | None, progress: Progress) -> Skeleton:
    def shown(label: str, done: int, total: int) -> None:
        def settled(count: int) -> None:
            progress(f"{study.name}: {label}", done + count, total)

        tester.settled = settled
        settled(0)

    return search_skeleton(study.variables, tester.ask, max_given=max_given, progress=shown)


def _ask_rivals(skeletons: Sequence[Skeleton], tester: Tester, max_given: int | None, progress: Progress) -> None:
    queries = [
        query for skeleton in skeletons for pair in skeleton.separated for query in rivals(skeleton, pair, max_given)
    ]
    tester.settled = lambda count: progress("rivals of separating sets", count, len(queries))
    tester.ask(queries)


@dataclass(frozen=True)
class _Judged:
    """A pair in a study: what was seen, what that says, and whether it is sure enough to be said."""

    part: Examined
    seen: Seen
    statement: Apart | Connected
    sure: bool


def _judged(part: Examined, one: Seen, tester: Tester, least: float) -> _Judged:
    odds = log_odds("apart" if one.separable else "connected", one.adjacency)
    kind = Apart if one.separable else Connected
    statement = kind(one.study, one.query.x, one.query.y, max(odds, 0.0), tester.told(one.query))
    return _Judged(part, one, statement, odds > 0 and odds >= least)


def _stated(
    examined: Sequence[Examined], tester: Tester, least: float
) -> tuple[tuple[Statement, ...], tuple[Apart | Connected, ...]]:
    """The statements that are sure enough, and those about pairs in studies that are not."""
    run = of_the_run(examined)
    judged = [_judged(part, one, tester, least) for part in examined for one in seen(part, run)]
    of_sets: list[Separated | Dependent] = [*_separations(judged, tester), *_dependences(judged, tester, run)]
    return (
        (
            *(one.statement for one in judged if one.sure),
            *(one for one in of_sets if one.weight and one.weight >= least),
        ),
        tuple(one.statement for one in judged if not one.sure),
    )


def _separations(judged: Iterable[_Judged], tester: Tester) -> Iterable[Separated]:
    """The sets that separate pairs that are apart; what two studies say about one of them, the less sure."""
    found: dict[Query, Separated] = {}
    for one in judged:
        if one.sure and one.seen.naming is not None:
            query, odds = one.seen.query, log_odds("separated", one.seen.naming)
            if query not in found or odds < (found[query].weight or 0.0):
                found[query] = Separated(*_named(query, tester), odds, tester.told(query))
    return found.values()


def _dependences(judged: Sequence[_Judged], tester: Tester, run: Features) -> Iterable[Dependent]:
    """The sets that leave pairs dependent, for pairs that are not said to be connected where these were measured."""
    connected = [one for one in judged if one.sure and isinstance(one.statement, Connected)]
    implied = {(one.seen.query.x, one.seen.query.y, frozenset(one.part.skeleton.names)) for one in connected}
    found: dict[Query, Dependent] = {}
    for one in judged:
        pair = one.seen.query.x, one.seen.query.y
        for query in (Query(*pair), *one.seen.rivals):
            said = any(pair == (x, y) and query.variables <= measured for x, y, measured in implied)
            if not said and query in tester.answers and not tester.answers[query].independent(one.part.alpha):
                odds = log_odds("dependent", dependence(one.part, query, run))
                found[query] = Dependent(*_named(query, tester), odds, tester.told(query))
    return found.values()


def _named(query: Query, tester: Tester) -> tuple[str, str, frozenset[str], tuple[str, ...]]:
    """What a statement about a set says: the pair, the set, and the studies that took part."""
    studies = tuple(part.study for part in tester.answers[query].parts)
    return query.x, query.y, frozenset(query.given), studies
