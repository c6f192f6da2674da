"""Questions about all solutions, answered by listing all of them: for the engines that can do nothing else.

Slow and obvious. The same questions to the ``asp`` engine (:class:`~weft.search.asp.AspSearch`) are tested against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from weft.evidence.claims import Claim, claims_about
from weft.graphs.mixed import MixedGraph
from weft.search.consequences import Consequences, Holds, Others
from weft.search.engine import Engine, OutOfTime
from weft.search.problem import Problem, claims_hold, fitting_models
from weft.search.program import Found, Status
from weft.search.search import HardSearch


class EnumeratingSearch(HardSearch):
    """Questions about one problem, under different claims, to any engine."""

    def __init__(self, engine: Engine, problem: Problem) -> None:
        self.problem = problem
        self._engine = engine

    def _about(self, problem: Problem) -> EnumeratingSearch:
        return EnumeratingSearch(self._engine, problem)

    def graphs(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every solution under the claims, once each; raises :class:`OutOfTime` at the deadline."""
        return self._engine.graphs(self.problem.with_claims(claims), deadline)

    def count(
        self, claims: Sequence[Claim] = (), limit: int | None = None, deadline: float | None = None
    ) -> tuple[int, bool]:
        """The number of solutions under the claims, at most ``limit``; and whether these are all."""
        found = 0
        try:
            for _ in self.graphs(claims, deadline):
                if found == limit:
                    return found, False
                found += 1
        except OutOfTime:
            return found, False
        return found, True

    def cells(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> None:
        """These engines can only list them."""
        return None

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution under the claims, or the news that there is none."""
        try:
            graph = next(self.graphs(claims, deadline), None)
        except OutOfTime:
            return Found(Status.OUT_OF_TIME)
        return Found(Status.NONE if graph is None else Status.FOUND, graph)

    def consequences(
        self, claims: Sequence[Claim] = (), deadline: float | None = None, others: Others | None = None
    ) -> Consequences:
        """What holds in all, in some and in none of the solutions under the claims; no others are needed."""
        models: list[MixedGraph] = []
        complete = True
        try:
            for mag in self.graphs(claims, deadline):
                models.extend(fitting_models(self.problem.with_claims(claims), mag))
        except OutOfTime:
            complete = False
        return consequences_of(self.problem, models, complete=complete)


def consequences_of(problem: Problem, models: Sequence[MixedGraph], *, complete: bool = True) -> Consequences:
    """What holds in all, in some and in none of the given latent-variable models."""
    seen = [(model, model.undoubled()) for model in models]
    found = {
        claim: _holds((claims_hold([claim], model, mag) for model, mag in seen), complete)
        for x, y in combinations(problem.names, 2)
        for claim in claims_about(x, y, selection=problem.selection)
    }
    return Consequences(found, solvable=bool(models) or (False if complete else None))


def _holds(answers: Iterable[bool], complete: bool) -> Holds:
    seen = set(answers)
    return Holds.of(true_seen=True in seen, false_seen=False in seen, settled=complete)
