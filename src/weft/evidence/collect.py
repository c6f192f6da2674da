"""Part 1 of IOD: from tables to statements about pairs in studies, and about sets that separate them or do not.

For each study the skeleton and the separating sets are found as FCI finds them, with the rivals of each such set
(:mod:`~weft.evidence.skeleton`). Each test is made in every study that measured its variables
(:mod:`~weft.evidence.tester`). :mod:`~weft.evidence.seen` sums up what that showed of each pair, and
:mod:`~weft.evidence.stating` says which statements follow, and how surely.

References
----------
Tillman and Spirtes, *Learning equivalence classes of acyclic models with latent and selection variables from multiple
datasets with overlapping variables*, AISTATS 2011 (IOD).
Ramsey, Zhang and Spirtes, *Adjacency-faithfulness and conservative causal inference*, UAI 2006.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from weft.errors import StudyError
from weft.evidence.budget import Budget, Tests, most_tests
from weft.evidence.cache import ResultCache
from weft.evidence.independence.protocol import IndependenceTest
from weft.evidence.independence.registry import test_named
from weft.evidence.pool import PoolingMethod, is_independent
from weft.evidence.promising import Promising
from weft.evidence.seen import Examined
from weft.evidence.skeleton import all_rivals, search_skeletons
from weft.evidence.statements import Apart, Connected, Evidence, Scope
from weft.evidence.stating import stated
from weft.evidence.tester import Tester
from weft.parallel import Workers, one_thread
from weft.progress import TESTS, Progress, no_progress
from weft.studies import Study


@dataclass(frozen=True)
class Collected:
    """The evidence in the tables, and what it took to find it."""

    evidence: Evidence
    tests_made: int
    tests_reused: int
    """Found in the cache."""
    tests_spared: int
    """Not needed, since another study made the dependence plain (:mod:`~weft.evidence.tester`)."""
    tests_allowed: int | None
    """The most that these could be together; None for any number."""
    unfinished: int
    """Pairs of a study that are judged by a part of their sets, because the budget of tests ended."""
    impossible: tuple[str, ...]
    """Why tests could not be made, each reason once."""
    undecided: tuple[Apart | Connected, ...]
    """The statements about pairs in studies that were not made, because they are not sure enough."""
    pairs: int
    """Pairs of variables of a study about which there was a verdict: decided or not."""
    dependent: tuple[tuple[str, str], ...]
    """The pairs that are dependent given nothing, in the studies together: those that can be oriented."""


def collect(
    studies: Sequence[Study],
    *,
    independence: str | IndependenceTest = "auto",
    alpha: float = 0.01,
    pooling: PoolingMethod = "fisher",
    max_given: int | None = None,
    tests: Tests = "auto",
    independence_confidence: float = 0.9,
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
    tests
        The most tests to make, those found in the cache included; by default :data:`~weft.evidence.budget.EACH_PAIR`
        for each pair of variables of a study, on average; any number if ``None``. A pair for which it ended is judged
        by the sets that were tried.
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
    allowed = most_tests(tests, pairs_of(studies))
    with one_thread():
        examined = examine(studies, tester, alpha, max_given, allowed, progress)
        said = stated(examined, tester, independence_confidence)
    scopes = tuple(Scope(study.name, study.variables) for study in studies)
    return Collected(
        Evidence(scopes, said.statements),
        tester.made,
        tester.reused,
        tester.spared,
        allowed,
        sum(len(one.skeleton.unfinished) for one in examined),
        tuple(tester.impossible),
        said.undecided,
        said.pairs,
        tester.dependent(),
    )


def pairs_of(studies: Sequence[Study]) -> int:
    """How many pairs of variables there are, study by study."""
    return sum(math.comb(len(study.variables), 2) for study in studies)


def _check_kinds(study: Study, test: IndependenceTest) -> None:
    """Refuse columns that the test is not made for now, rather than after an hour."""
    for x, y in combinations(study.columns, 2):
        others = tuple(column for column in study.columns if column not in (x, y))
        if (sentence := test.refusal(x, y, others[:1])) is not None:
            raise StudyError(f"study {study.name!r}: {sentence}")


def _likely(seen: int, allowed: int | None, there: int) -> int:
    """How many tests are still to be made: between those that can be seen, and those that may and can be made.

    Of the larger sets that can be seen, some will not be needed; others come into sight only later.
    """
    if allowed is None:
        return seen
    most = max(min(allowed, there), 0)
    return round(math.sqrt(min(seen, most) * most))


def examine(
    studies: Sequence[Study],
    tester: Tester,
    alpha: float,
    max_given: int | None = None,
    tests: int | None = None,
    progress: Progress = no_progress,
) -> list[Examined]:
    """Make the tests: the skeleton of each study, and the rivals of every separating set."""
    budget = Budget(tester.cost, tests)
    all_sets = sum(math.comb(len(study.variables), 2) * 2 ** (len(study.variables) - 2) for study in studies)

    def ahead(sets: int) -> None:
        expected = budget.spent + _likely(sets, budget.left, all_sets - budget.spent)
        tester.settled = lambda done: progress(TESTS, done, max(done, expected))
        tester.settled(tester.made + tester.reused + tester.spared)

    skeletons = search_skeletons(
        [study.variables for study in studies],
        tester.ask,
        max_given=max_given,
        budget=budget,
        likeliest=Promising.of(studies).left,
        ahead=ahead,
    )
    queries = budget.taken(all_rivals(skeletons, max_given))
    ahead(0)  # what they take is spent already
    tester.ask(queries, whole=True)
    examined = [
        Examined(study, skeleton, tester.answers, alpha, max_given)
        for study, skeleton in zip(studies, skeletons, strict=True)
    ]
    _complete(examined, tester)
    return examined


def _complete(examined: Sequence[Examined], tester: Tester) -> None:
    """Make the tests that were spared and that probabilities depend on.

    A bound is above what it bounds. So the query that comes nearest to separating a pair is known when the one with the
    largest p-value or bound is complete.
    """
    while open_queries := [query for part in examined for query in part.telling() if not tester.is_complete(query)]:
        tester.complete(open_queries)
