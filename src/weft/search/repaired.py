"""Questions about the solutions of least cost: the contradiction is repaired first, when something is first asked.

Where time is short, the repair may take half of it. If the best repair is not proven by then, the best found stands
in: the solutions are those that cost no more than that (and the slack), which the optimal ones are among. It stands in
for that question only: a later question that is at least twice as patient as those before looks on from there, and
what is proven is kept.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences
from weft.search.engine import OutOfTime
from weft.search.enumeration import consequences_of
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.repair import Optimisation, Optimum, Repair, in_words, softened, within
from weft.search.search import Search

PATIENCE = 60.0
"""Seconds that a question without a deadline spends at first on a repair that is known but not proven."""


class RepairedSearch:
    """Questions about one problem, under different claims, to any engine, with contradictions repaired.

    Parameters
    ----------
    problem
        The question. Statements with a weight may be given up at that weight; its claims are hard.
    slack
        How much more than the least total weight may be given up.
    opened
        Opens a search about a problem in which nothing is given up, or at most the allowed cost.
    """

    def __init__(self, problem: Problem, slack: float, opened: Callable[[Problem], Search]) -> None:
        self.problem = problem
        self._open = opened
        self._soft, self._scale = softened(problem)
        self._slack = slack
        self._repairing = Optimisation(self._soft)
        self._patience = 0.0
        """The seconds that the most patient question so far spent on a repair."""
        self._other: tuple[Optimum, Optimisation] | None = None
        """The search for another repair, after the repair that it is to differ from."""
        self._among: tuple[Optimum, Search] | None = None
        """The search among the solutions that may be afforded, after the repair that they rest on."""

    # -- the repair --------------------------------------------------------------------------------------------------

    def repair(self, deadline: float | None = None) -> Repair:
        """What is given up; the best found so far, where the time does not suffice for a proof."""
        return in_words(self._soft, self._optimum(deadline), self._scale)

    def _optimum(self, deadline: float | None) -> Optimum:
        """The best repair known, looked for on if this question is worth it."""
        start, repairing = time.monotonic(), self._repairing
        if repairing.found.cost is not None and not repairing.is_over:
            if deadline is None:
                deadline = start + max(PATIENCE, 2 * self._patience)
            elif deadline - start < 2 * self._patience:
                return repairing.found
        if not repairing.is_over:
            repairing.run(deadline)
            self._patience = max(self._patience, time.monotonic() - start)
        return repairing.found

    @property
    def is_final(self) -> bool:
        """Whether the best repair is proven."""
        return self._repairing.found.proven

    def remembered(self) -> dict[str, Any]:
        """What was found so far, as plain values that :meth:`remember` takes back."""
        found = self._repairing.found
        plain = {name: sorted(map(list, getattr(found, name))) for name in ("given_up", "always", "sometimes")}
        graph = None if found.graph is None else str(found.graph)
        return found._asdict() | plain | {"graph": graph}

    def remember(self, found: Mapping[str, Any] | None) -> None:
        """Take over what another search among the same statements found: as final only if it was proven."""
        if found is not None:
            keys = {
                name: frozenset((kind, int(k)) for kind, k in found[name])
                for name in ("given_up", "always", "sometimes")
            }
            graph = None if found["graph"] is None else MixedGraph.parse(found["graph"])
            self._repairing.take_over(Optimum(**{**found, **keys, "graph": graph}))

    def other_repair(self, deadline: float | None = None) -> Repair | None:
        """The best of the repairs that keep something which the best repair gives up; ``None`` if there is none.

        It may be as good as that. If the time ends before anything is known, it has no cost and is not proven.
        """
        found = self._optimum(deadline)
        if not found.given_up:
            return None
        if self._other is None or self._other[0] is not found:
            self._other = found, Optimisation(self._soft, keeping_one_of=found.given_up)
        other = self._other[1].run(deadline)
        return None if other.proven and other.cost is None else in_words(self._soft, other, self._scale)

    def without(self, given_up: Collection[Statement]) -> Search:
        """A search among the solutions in which everything but these statements holds."""
        keys = {key for key, one in self._soft.statements.items() if one.origin in given_up}
        return self._open(self._soft.without(keys))

    def _opened(self, deadline: float | None) -> Search | None:
        """A search among the solutions that may be afforded; ``None`` if there are none."""
        found = self._optimum(_halfway(deadline))
        if found.cost is None:
            if not found.proven:
                raise OutOfTime
            return None
        if self._among is None or self._among[0] is not found:
            allowed = self._scale.allowed(found.cost, self._slack)
            self._among = found, self._open(within(self._soft, found, allowed))
        return self._among[1]

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
