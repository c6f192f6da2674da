"""Part 1 of IOD: from tables to statements about who is separated by what, and who is connected.

For each study the skeleton and the separating sets are found as FCI finds them (:mod:`~weft.evidence.skeleton`). Each
test is made in every study that measured all its variables, and the p-values are pooled
(:mod:`~weft.evidence.pool`). A pair that stays adjacent in a study is `Connected` there, any other `Separated` by the
set that was found. Each statement has a weight, the log odds that it is right, from the p-values of all statements of
the run (:mod:`~weft.evidence.weights`); for a connected pair the p-value is the largest of all its tests. A statement
that is less sure than ``independence_confidence`` is not made: the pair is *undecided* in that study. A test at level
alpha must come down on one side, and near alpha it is as good as a coin; what is not known is better left open.

A test is left out in a study that gives it no verdict: too few rows have values in all of its columns, what is given
leaves a variable no freedom, or the table is too sparse to show dependence (:attr:`Result.undecided`). If no study
gives one, the set is undecided: it does not separate the pair, and does not count as a dependence. If that is so of
every set, nothing is said about the pair in that study.

References
----------
Tillman and Spirtes, *Learning equivalence classes of acyclic models with latent and selection variables from multiple
datasets with overlapping variables*, AISTATS 2011 (IOD).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, groupby

from weft.errors import StudyError
from weft.evidence.cache import ResultCache, result_key
from weft.evidence.independence.protocol import DegenerateError, IndependenceTest, Result, run
from weft.evidence.independence.registry import test_named
from weft.evidence.pool import Part, Pooled, PoolingMethod, is_independent, pool
from weft.evidence.skeleton import Progress, Query, Skeleton, no_progress, search_skeleton
from weft.evidence.statements import Connected, Evidence, Provenance, Scope, Separated
from weft.evidence.weights import fit_mixture
from weft.parallel import Workers
from weft.studies import Column, Study

_MOST_TOGETHER = 48
"""The most tests that a worker gets at once."""

Job = tuple[IndependenceTest, Column, Column, tuple[Column, ...]]


@dataclass(frozen=True)
class Collected:
    """The evidence in the tables, and what it took to find it."""

    evidence: Evidence
    tests_made: int
    tests_reused: int
    """Found in the cache."""
    impossible: tuple[str, ...]
    """Why tests could not be made, each reason once."""
    undecided: tuple[Separated | Connected, ...]
    """The statements that were not made, because they are not sure enough."""
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
    skeletons = [_skeleton(study, tester, max_given, progress) for study in studies]
    found = [
        statement
        for study, skeleton in zip(studies, skeletons, strict=True)
        for statement in _statements(study.name, skeleton, tester)
    ]
    statements, undecided = _weighed(found, independence_confidence)
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


def _skeleton(study: Study, tester: Tester, max_given: int | None, progress: Progress) -> Skeleton:
    def shown(label: str, done: int, total: int) -> None:
        def settled(count: int) -> None:
            progress(f"{study.name}: {label}", done + count, total)

        tester.settled = settled
        settled(0)

    return search_skeleton(study.variables, tester.ask, max_given=max_given, progress=shown)


def _statements(study: str, skeleton: Skeleton, tester: Tester) -> Iterator[Separated | Connected]:
    for pair in combinations(range(len(skeleton.names)), 2):
        x, y = skeleton.names[pair[0]], skeleton.names[pair[1]]
        query = skeleton.separated.get(pair)
        if query is not None:
            yield Separated(x, y, frozenset(query.given), (study,), provenance=tester.told(query))
        elif answered := [tester.told(one) for one in skeleton.tested[pair] if one in tester.answers]:
            nearest = max(answered, key=_p_value)  # it came nearest to separating the pair
            yield Connected(study, x, y, provenance=nearest)


def _weighed(
    found: Sequence[Separated | Connected], independence_confidence: float
) -> tuple[tuple[Separated | Connected, ...], tuple[Separated | Connected, ...]]:
    """The statements with their weights: those that are sure enough, and the others."""
    mixture = fit_mixture(_p_value(one.provenance) for one in found)
    weighed = [
        replace(one, weight=mixture.weight(_p_value(one.provenance), independent=isinstance(one, Separated)))
        for one in found
    ]
    least = math.log(independence_confidence / (1 - independence_confidence))
    sure = [one for one in weighed if one.weight and one.weight >= least]
    return tuple(sure), tuple(one for one in weighed if one not in sure)


def _p_value(provenance: Provenance) -> float:
    assert provenance.p_value is not None, "only an oracle answers without a p-value"
    return provenance.p_value


class Tester:
    """Answers queries from the studies: every study that measured the variables is asked, and the p-values are pooled.

    Each query is answered once. Each test of a study is looked up in the cache first, and stored there as soon as it
    is made.
    """

    def __init__(
        self,
        studies: Sequence[Study],
        test: IndependenceTest,
        alpha: float,
        *,
        pooling: PoolingMethod = "fisher",
        workers: Workers | None = None,
        cache: ResultCache | None = None,
    ) -> None:
        self._studies = tuple(studies)
        self._test = test
        self._alpha = alpha
        self._pooling = pooling
        self._workers = Workers() if workers is None else workers
        self._cache = ResultCache(None) if cache is None else cache
        self._fingerprints = [{column.name: fingerprint(column) for column in study.columns} for study in studies]
        self.answers: dict[Query, Pooled] = {}
        self._tests: dict[Query, str] = {}  # which test answered, where that was chosen by the kinds of the columns
        self.impossible: dict[str, None] = {}
        self.made = self.reused = 0
        self.settled: Callable[[int], None] = lambda count: None
        """Told how many of the queries that were asked last are settled."""

    def ask(self, queries: Sequence[Query]) -> list[bool]:
        """Whether each pair is independent given its set, as far as the studies tell."""
        self._answer([query for query in dict.fromkeys(queries) if query not in self.answers])
        return [query in self.answers and self.answers[query].independent(self._alpha) for query in queries]

    def told(self, query: Query) -> Provenance:
        """Where the answer to a query came from, with the pooled p-value."""
        pooled = self.answers[query]
        return Provenance(self._tests[query], pooled.p_value, pooled.rows)

    def dependent(self) -> tuple[tuple[str, str], ...]:
        """The pairs that were found to be dependent given nothing."""
        marginal = [(query, pooled) for query, pooled in self.answers.items() if not query.given]
        return tuple(sorted((query.x, query.y) for query, pooled in marginal if not pooled.independent(self._alpha)))

    def _answer(self, queries: Sequence[Query]) -> None:
        results: dict[tuple[Query, int], Result | str] = {}
        waiting: list[tuple[Query, int]] = []
        for query in queries:
            for k in self._measured(query):
                stored = self._cache.get(self._key(query, k))
                if stored is None:
                    waiting.append((query, k))
                else:
                    results[query, k] = Result(**stored)  # type: ignore[arg-type]
        self.reused += len(results)
        for settled, (query, k, result) in enumerate(self._made(waiting), start=1):
            if isinstance(result, Result):
                self._cache.put(self._key(query, k), _record(result))
            results[query, k] = result
            self.made += 1
            self.settled(len(queries) * settled // len(waiting))
        for query in queries:
            found = dict(self._verdicts({k: results[query, k] for k in self._measured(query)}))
            if parts := [Part.of(self._studies[k].name, result) for k, result in found.items()]:
                self.answers[query] = pool(parts, self._pooling)
                chosen = {str(result.diagnostic.get("test", self._test.name)) for result in found.values()}
                self._tests[query] = ", ".join(sorted(chosen))

    def _verdicts(self, results: Mapping[int, Result | str]) -> Iterator[tuple[int, Result]]:
        """The results that decide something; why others do not is noted, in an order that no worker changes."""
        for k, result in results.items():
            if isinstance(result, Result) and not result.undecided:
                yield k, result
            else:
                reason = result.undecided if isinstance(result, Result) else result
                self.impossible[f"study {self._studies[k].name!r}: {reason}"] = None

    def _made(self, waiting: Sequence[tuple[Query, int]]) -> Iterator[tuple[Query, int, Result | str]]:
        """The results, as they come. Tests given the same set go to one worker, since they share work."""
        together = groupby(sorted(waiting, key=_by_set), key=_by_set)
        most = 1 if self._workers.alone else _MOST_TOGETHER
        groups = [
            group[i : i + most] for _, found in together for group in [list(found)] for i in range(0, len(group), most)
        ]
        jobs = [[self._job(query, k) for query, k in group] for group in groups]
        for place, results in self._workers.run(_tested, jobs):
            for (query, k), result in zip(groups[place], results, strict=True):
                yield query, k, result

    def _measured(self, query: Query) -> list[int]:
        return [k for k, prints in enumerate(self._fingerprints) if query.variables <= prints.keys()]

    def _job(self, query: Query, k: int) -> Job:
        column = self._studies[k].column
        return self._test, column(query.x), column(query.y), tuple(map(column, query.given))

    def _key(self, query: Query, k: int) -> str:
        prints = self._fingerprints[k]
        pair = sorted((prints[query.x], prints[query.y]))  # tests are symmetric
        return result_key([pair, sorted(prints[name] for name in query.given)], self._test.name, self._test.settings)


def _by_set(place: tuple[Query, int]) -> tuple[int, tuple[str, ...]]:
    query, k = place
    return k, query.given


def _tested(jobs: Sequence[Job]) -> list[Result | str]:
    return [_result(*job) for job in jobs]


def _result(test: IndependenceTest, x: Column, y: Column, given: tuple[Column, ...]) -> Result | str:
    """The result, or why there is none."""
    try:
        return run(test, x, y, given)
    except DegenerateError as error:
        return str(error)


def _record(result: Result) -> Mapping[str, object]:
    return {
        "statistic": float(result.statistic),
        "p_value": float(result.p_value),
        "rows": int(result.rows),
        "diagnostic": {
            key: value if isinstance(value, str) else float(value) for key, value in result.diagnostic.items()
        },
        "undecided": result.undecided,
    }


def fingerprint(column: Column) -> str:
    """SHA-256 of what a test sees of a column: its kind and values; its name does not matter.

    The number of levels counts too, since a level may be there of which no row has a value.
    """
    digest = hashlib.sha256(f"{column.kind} {len(column.levels)} ".encode())
    digest.update(column.values.astype("<f8").tobytes())
    return digest.hexdigest()
