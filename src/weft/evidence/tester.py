"""Answers to the questions of a search, from tables: every study that measured the variables is asked.

Each test is made in every study that measured all its variables, and the p-values are pooled
(:mod:`~weft.evidence.pool`). A test is left out in a study that gives it no verdict: too few rows have values in all of
its columns, what is given leaves a variable no freedom, or the table is too sparse to show dependence
(:attr:`Result.undecided`).
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby

from weft.evidence.cache import ResultCache, result_key
from weft.evidence.independence.protocol import DegenerateError, IndependenceTest, Result, is_quick, run
from weft.evidence.pool import Part, Pooled, PoolingMethod, pool
from weft.evidence.skeleton import Query
from weft.evidence.statements import Provenance
from weft.parallel import Workers
from weft.studies import Column, Study

_MOST_TOGETHER = 48
"""The most tests that a worker gets at once."""

Job = tuple[IndependenceTest, Column, Column, tuple[Column, ...]]


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
        self._asked: set[Query] = set()  # those without an answer, too: to ask again would not help
        self._tests: dict[Query, str] = {}  # which test answered, where that was chosen by the kinds of the columns
        self.impossible: dict[str, None] = {}
        self.made = self.reused = 0
        self.settled: Callable[[int], None] = lambda count: None
        """Told how many tests there are results of, found or made, whenever one is made."""

    def ask(self, queries: Sequence[Query]) -> list[float]:
        """The p-value of each pair that is independent given its set, as far as the studies tell; else 0.

        An oracle gives a verdict without a p-value: then it is 1.
        """
        self._answer([query for query in dict.fromkeys(queries) if query not in self._asked])
        return [self._independence(query) for query in queries]

    def _independence(self, query: Query) -> float:
        if query not in self.answers or not self.answers[query].independent(self._alpha):
            return 0.0
        p_value = self.answers[query].p_value
        return 1.0 if p_value is None else p_value

    def cost(self, query: Query) -> int:
        """How many tests a query takes: one for each study that measured its variables, none if it was asked before."""
        return 0 if query in self._asked else len(self._measured(query))

    def told(self, query: Query) -> Provenance:
        """Where the answer to a query came from, with the pooled p-value."""
        pooled = self.answers[query]
        return Provenance(self._tests[query], pooled.p_value, pooled.rows)

    def dependent(self) -> tuple[tuple[str, str], ...]:
        """The pairs that were found to be dependent given nothing."""
        marginal = [(query, pooled) for query, pooled in self.answers.items() if not query.given]
        return tuple(sorted((query.x, query.y) for query, pooled in marginal if not pooled.independent(self._alpha)))

    def _answer(self, queries: Sequence[Query]) -> None:
        self._asked.update(queries)
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
        for query, k, result in self._made(waiting):
            if isinstance(result, Result):
                self._cache.put(self._key(query, k), _record(result))
            results[query, k] = result
            self.made += 1
            self.settled(self.made + self.reused)
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
        """The results, as they come. Quick tests are made here, others where there is room for them."""
        quick = [place for place in waiting if is_quick(*self._job(*place))]
        known = frozenset(quick)
        slow = [place for place in waiting if place not in known]
        yield from self._made_by(Workers(), quick, _MOST_TOGETHER)
        yield from self._made_by(self._workers, slow, 1 if self._workers.alone else _MOST_TOGETHER)

    def _made_by(
        self, workers: Workers, waiting: Sequence[tuple[Query, int]], most: int
    ) -> Iterator[tuple[Query, int, Result | str]]:
        """The results of workers. Tests given the same set go to one of them, at most so many, and share work."""
        together = groupby(sorted(waiting, key=_by_set), key=_by_set)
        groups = [
            group[i : i + most] for _, found in together for group in [list(found)] for i in range(0, len(group), most)
        ]
        jobs = [[self._job(query, k) for query, k in group] for group in groups]
        for place, results in workers.run(_tested, jobs):
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
