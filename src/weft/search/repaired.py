"""Questions about the solutions of least cost: the contradiction is repaired first, when something is first asked.

Where time is short, the repair may take half of it. If the best repair is not proven by then, the best found stands
in: the solutions are those that cost no more than that (and the slack), which the optimal ones are among.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph
from weft.search.asp import AspSearch
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences
from weft.search.engine import OutOfTime
from weft.search.enumeration import EnumeratingSearch, consequences_of
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.registry import open_search
from weft.search.repair import Optimum, Repair, in_words, optimum, softened, within


class RepairedSearch:
    """Questions about one problem, under different claims, to any engine, with contradictions repaired."""

    def __init__(self, engine: str, problem: Problem, slack: float) -> None:
        self.problem = problem
        self._engine = engine
        self._soft, self._units = softened(problem)
        self._slack = round(slack * self._units)
        self._found: Optimum | None = None
        self._other: Optimum | None = None
        self._search: AspSearch | EnumeratingSearch | None = None

    @property
    def proven(self) -> bool:
        """Whether the repair is proven to be the best."""
        return self._found is not None and self._found.proven

    # -- the repair --------------------------------------------------------------------------------------------------

    def repair(self, deadline: float | None = None) -> Repair:
        """What was given up; once a repair has been found it stays."""
        return in_words(self._soft, self._optimum(deadline), self._units)

    def _optimum(self, deadline: float | None) -> Optimum:
        if self._found is not None:
            return self._found
        found = optimum(self._soft, deadline)
        if found.proven or found.cost is not None:
            self._found = found
        return found

    def remembered(self) -> dict[str, object] | None:
        """What was found so far, as plain values that :meth:`remember` takes back."""
        found = self._found
        if found is None:
            return None
        plain = {name: sorted(map(list, getattr(found, name))) for name in ("given_up", "always", "sometimes")}
        graph = None if found.graph is None else str(found.graph)
        return found._asdict() | plain | {"graph": graph}

    def remember(self, found: dict[str, Any] | None) -> None:
        """Take over what another search among the same statements found."""
        if found is not None:
            keys = {
                name: frozenset((kind, int(k)) for kind, k in found[name])
                for name in ("given_up", "always", "sometimes")
            }
            graph = None if found["graph"] is None else MixedGraph.parse(found["graph"])
            self._found = Optimum(**found | keys | {"graph": graph})

    def other_repair(self, deadline: float | None = None) -> Repair | None:
        """The best of the repairs that keep something which the best repair gives up; ``None`` if there is none.

        It may be as good as that. If the time ends before anything is known, it has no cost and is not proven.
        """
        found = self._optimum(deadline)
        if not found.given_up:
            return None
        if self._other is None:
            other = optimum(self._soft, deadline, keeping_one_of=found.given_up)
            if not other.proven:
                return in_words(self._soft, other, self._units)
            self._other = other
        return None if self._other.cost is None else in_words(self._soft, self._other, self._units)

    def without(self, given_up: Collection[Statement]) -> AspSearch | EnumeratingSearch:
        """A search among the solutions in which everything but these statements holds."""
        keys = {key for key, one in self._soft.statements.items() if one.origin in given_up}
        return open_search(self._engine, self._soft.without(keys))

    def _opened(self, deadline: float | None) -> AspSearch | EnumeratingSearch | None:
        """A search among the solutions that may be afforded; ``None`` if there are none."""
        if self._search is None:
            found = self._optimum(_halfway(deadline))
            if found.cost is None:
                if not found.proven:
                    raise OutOfTime
                return None
            self._search = open_search(self._engine, within(self._soft, found, self._slack))
        return self._search

    def conflict(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Conflict | None:
        """Hard statements that cannot hold together with the claims, within the cost that is allowed; if there are."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return Conflict((), minimal=False)
        return find_conflict(self._soft.hard if search is None else search.problem, claims, deadline)

    # -- questions ---------------------------------------------------------------------------------------------------

    def graphs(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every solution under the claims, once each; raises :class:`OutOfTime` at the deadline."""
        search = self._opened(deadline)
        if search is not None:
            yield from search.graphs(claims, deadline)

    def count(
        self, claims: Sequence[Claim] = (), limit: int | None = None, deadline: float | None = None
    ) -> tuple[int, bool]:
        """The number of solutions under the claims, at most ``limit``; and whether these are all."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return 0, False
        return (0, True) if search is None else search.count(claims, limit, deadline)

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution under the claims, or the news that there is none."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return Found(Status.OUT_OF_TIME)
        return Found(Status.NONE) if search is None else search.find(claims, deadline)

    def consequences(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Consequences:
        """What holds in all, in some and in none of the solutions under the claims."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return consequences_of(self.problem, (), complete=False)
        return consequences_of(self.problem, ()) if search is None else search.consequences(claims, deadline)


def _halfway(deadline: float | None) -> float | None:
    now = time.monotonic()
    return None if deadline is None else now + (deadline - now) / 2
