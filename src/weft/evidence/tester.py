"""Answers to the questions of a search, from tables: every study that measured the variables is asked.

Each test is made in every study that measured all its variables, and the p-values are pooled
(:mod:`~weft.evidence.pool`). A test is left out in a study that gives it no verdict: too few rows have values in all of
its columns, what is given leaves a variable no freedom, or the table is too sparse to show dependence
(:attr:`Result.undecided`).

*What is plain is not asked again.* Where the study that is asked first makes it plain that a pair is dependent given a
set, so that the pooled p-value cannot be above :data:`PLAIN` whatever the others say, these are spared: a search only
wants to know that the set does not separate the pair. The bound stands for the p-value. Those that a statement rests on
are completed in the end (:meth:`Tester.complete`), so that the evidence is what it would be if all tests had been made.
Of 4,950 tests on 15 variables in three studies of 5,000 rows that spares a quarter. Tests given nothing are always
made.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import groupby

from weft.evidence.cache import ResultCache, result_key
from weft.evidence.independence.protocol import DegenerateError, IndependenceTest, Result, is_quick, run
from weft.evidence.pool import Part, Pooled, PoolingMethod, pool
from weft.evidence.skeleton import Query
from weft.evidence.statements import Provenance
from weft.parallel import Workers
from weft.studies import Column, Study

PLAIN = 1e-12
"""A pooled p-value that is no larger is not worked out, unless a statement rests on it."""
_LEAST = 1e-300
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
        self._columns = [{column.name: column.fingerprint for column in study.columns} for study in studies]
        self.answers: dict[Query, Pooled] = {}
        self._asked: set[Query] = set()  # those without an answer, too: to ask again would not help
        self._tests: dict[Query, str] = {}  # which test answered, where that was chosen by the kinds of the columns
        self.impossible: dict[str, None] = {}
        self.made = self.reused = self.spared = 0
        self.settled: Callable[[int], None] = lambda count: None
        """Told how many tests are done with, found, made or spared, whenever one is made."""
        self._logarithms: dict[tuple[str, str, int], list[float]] = {}  # of the p-values of each pair in each study
        self._spared: dict[Query, Mapping[int, Result | str]] = {}  # what is known of queries not put to all studies

    def ask(self, queries: Sequence[Query], whole: bool = False) -> list[float]:
        """The p-value of each pair that is independent given its set, as far as the studies tell; else 0.

        An oracle gives a verdict without a p-value: then it is 1. ``whole``: no study is spared.
        """
        self._answer([query for query in dict.fromkeys(queries) if query not in self._asked], whole)
        if whole:
            self.complete(queries)
        return [self._independence(query) for query in queries]

    def is_complete(self, query: Query) -> bool:
        """Whether every study that measured its variables was asked."""
        return query not in self._spared

    def complete(self, queries: Iterable[Query]) -> None:
        """Put queries to the studies that were spared before."""
        known = {query: self._spared.pop(query) for query in dict.fromkeys(queries) if query in self._spared}
        places = [(query, k) for query, found in known.items() for k in self._measured(query) if k not in found]
        results = self._results(places, spared=True)
        for query, found in known.items():
            self._settle(query, {**found, **results.get(query, {})})

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

    def _answer(self, queries: Sequence[Query], whole: bool) -> None:
        self._asked.update(queries)
        measured = {query: self._in_turn(query) for query in queries}
        now = {query: turns if whole or not query.given else turns[:1] for query, turns in measured.items()}
        results = self._results([(query, k) for query, turns in now.items() for k in turns])
        known = {query: results.get(query, {}) for query in queries}
        later = {query: turns[len(now[query]) :] for query, turns in measured.items()}
        plain = {query for query in queries if later[query] and self._is_plain(known[query], later[query])}
        self.spared += sum(len(later[query]) for query in plain)
        more = self._results([(query, k) for query in queries if query not in plain for k in later[query]])
        for query in queries:
            self._settle(query, known[query] | more.get(query, {}))

    def _in_turn(self, query: Query) -> list[int]:
        """The studies that measured the variables: those with most rows first, then those that saw most of the pair."""

        def turn(k: int) -> tuple[int, float, str]:
            seen = self._logarithms.get((query.x, query.y, k), [0.0])
            return -self._studies[k].rows, math.fsum(seen) / len(seen), self._studies[k].name

        return sorted(self._measured(query), key=turn)

    def _results(
        self, places: Sequence[tuple[Query, int]], spared: bool = False
    ) -> dict[Query, dict[int, Result | str]]:
        """What the studies say about queries, which may have been spared: the result of each test, or why not."""
        results: dict[Query, dict[int, Result | str]] = {}
        waiting: list[tuple[Query, int]] = []
        for query, k in places:
            stored = self._cache.get(self._key(query, k))
            if stored is None:
                waiting.append((query, k))
            else:
                results.setdefault(query, {})[k] = Result(**stored)  # type: ignore[arg-type]
        self.reused += len(places) - len(waiting)
        self.spared -= len(places) - len(waiting) if spared else 0
        for query, k, result in self._made(waiting):
            if isinstance(result, Result):
                self._cache.put(self._key(query, k), _record(result))
            results.setdefault(query, {})[k] = result
            self.made += 1
            self.spared -= int(spared)
            self.settled(self.made + self.reused + self.spared)
        return results

    def _is_plain(self, known: Mapping[int, Result | str], others: Sequence[int]) -> bool:
        """Whether a pair is dependent given a set, whatever other studies say."""
        decided = [one for one in known.values() if isinstance(one, Result) and not one.undecided]
        return bool(decided) and self._bound(decided, others) <= min(PLAIN, self._alpha)

    def _bound(self, decided: Sequence[Result], others: Sequence[int]) -> float:
        """What the pooled p-value is at most if other studies were asked as well: if all their rows said nothing."""
        silent = [Result(0.0, 1.0, self._studies[k].rows) for k in others]
        return pool([*decided, *silent], self._pooling).p_value or 0.0

    def _settle(self, query: Query, known: Mapping[int, Result | str]) -> None:
        """Note what the studies say about a query, all that were asked."""
        measured = self._measured(query)
        found = dict(self._verdicts({k: known[k] for k in measured if k in known}))
        if not found:
            return
        for k, result in found.items():
            self._logarithms.setdefault((query.x, query.y, k), []).append(math.log(max(result.p_value, _LEAST)))
        pooled = pool([Part.of(self._studies[k].name, result) for k, result in found.items()], self._pooling)
        if others := [k for k in measured if k not in known]:
            self._spared[query] = known
            pooled = replace(pooled, p_value=self._bound(list(found.values()), others))
        self.answers[query] = pooled
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
        return [k for k, columns in enumerate(self._columns) if query.variables <= columns.keys()]

    def _job(self, query: Query, k: int) -> Job:
        column = self._studies[k].column
        return self._test, column(query.x), column(query.y), tuple(map(column, query.given))

    def _key(self, query: Query, k: int) -> str:
        """The query and what the test sees of its columns.

        The names count: a result may name its columns. And of two columns with the same values, which may stand for
        each other in a test, one gives the other's p-value but for rounding.
        """
        seen = [(name, self._columns[k][name]) for name in (query.x, query.y, *query.given)]
        return result_key(seen, self._test.name, self._test.settings)


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
