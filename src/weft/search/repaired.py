"""Questions about the solutions of least cost: the contradiction is repaired first, when something is first asked.

The repair may take half of the effort and of the time. If the best is not proven by then, the best found stands in: the
solutions are those that cost no more than that (and the slack), which the optimal ones are among. It stands in for that
question only: a later question that is at least twice as patient as those before looks on from there, and what is
proven is kept.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from weft.effort import current_effort, portion
from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences, Holds
from weft.search.counting import Cells
from weft.search.coverage import TrueCost
from weft.search.engine import OutOfTime, halfway
from weft.search.enumeration import consequences_of
from weft.search.facts import facts_about
from weft.search.margins import (
    LARGEST,
    SMALL,
    UNKNOWN,
    Ahead,
    Margin,
    Margins,
    settled_margins,
    standing_facts,
)
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.repair import Optimisation, Optimum, Repair, in_words, softened, within
from weft.search.search import Search


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
    coverage
        If given, instead of the slack: the probability with which the truth is to be among the solutions.
    """

    def __init__(
        self, problem: Problem, slack: float, opened: Callable[[Problem], Search], coverage: float | None = None
    ) -> None:
        self.problem = problem
        self._coverage = coverage
        self._open = opened
        self._soft, self._scale = softened(problem)
        self._slack = slack
        self._repairing = Optimisation(self._soft)
        self._seconds = self._conflicts = 0.0
        """What the most patient question so far spent on a repair."""
        self._other: tuple[Optimum, Optimisation] | None = None
        """The search for another repair, after the repair that it is to differ from."""
        self._agreed: tuple[Optimum, tuple[Claim, ...], Consequences] | None = None
        """What the solutions of least cost agree on, if known, with the repair and the claims that it is about."""
        self._margins: dict[tuple[Claim, ...], tuple[Optimum, Margins]] = {}
        """The search for margins under the claims last asked about, after the repair that it rests on."""
        self._among: tuple[Optimum, Search] | None = None
        """The search among the solutions that may be afforded, after the repair that they rest on."""

    # -- the repair --------------------------------------------------------------------------------------------------

    def repair(self, deadline: float | None = None) -> Repair:
        """What is given up; the best found so far, where the time does not suffice for a proof."""
        found = in_words(self._soft, self._optimum(deadline), self._scale)
        if found.cost is None:
            return found
        return replace(
            found, slack=self._slack_above(found.cost), chance=self._true_cost.probability(found.cost),
            usual=self._true_cost.mean,
        )  # fmt: skip

    @cached_property
    def _true_cost(self) -> TrueCost:
        return TrueCost.of(one.origin for one in self._soft.statements.values())

    def _slack_above(self, cost: float) -> float:
        """How much more than that cost a solution may cost."""
        if self._coverage is None:
            return self._slack
        return self._true_cost.allowed(self._coverage, cost) - cost

    def _optimum(self, deadline: float | None) -> Optimum:
        """The best repair known, looked for on if this question is worth it."""
        repairing = self._repairing
        if not repairing.is_over and self._is_worth_it(deadline):
            start, before = time.monotonic(), _left()
            repairing.run(deadline)
            self._seconds = max(self._seconds, time.monotonic() - start)
            self._conflicts = max(self._conflicts, before - _left() if math.isfinite(before) else 0.0)
        return repairing.found

    def _is_worth_it(self, deadline: float | None) -> bool:
        """Whether a question is so much more patient than those before that it may find more than they did."""
        if self._repairing.found.cost is None:
            return True
        seconds = math.inf if deadline is None else deadline - time.monotonic()
        return seconds >= 2 * self._seconds and _left() >= 2 * self._conflicts

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
        with portion(0.5):
            found = self._optimum(halfway(deadline))
        if found.cost is None:
            if not found.proven:
                raise OutOfTime
            return None
        if self._among is None or self._among[0] is not found:
            allowed = self._scale.allowed(found.cost, self._slack_above(self._scale.weight(found.cost)))
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

    def cells(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Cells | None:
        """The solutions under the claims, cell by cell; ``None`` also if there are none."""
        search = self._opened(deadline)
        return None if search is None else search.cells(claims, deadline)

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
        if search is None:
            return consequences_of(self.problem, ())
        answer = search.consequences(claims, deadline)
        if not self._slack and self._coverage is None and Holds.UNKNOWN not in answer.holds.values():
            self._agreed = self._repairing.found, tuple(claims), answer
        return answer

    def margins(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, Margin]:
        """By how much each claim is ahead: what it would cost to deny it, beyond the least cost."""
        with portion(0.5):
            found = self._optimum(halfway(deadline))
        names = self.problem.names
        if found.cost is None or not found.proven:  # ahead of what is not known
            every = facts_about(len(names), selection=self.problem.selection)
            return {fact.claim(names): UNKNOWN for fact in every}
        consequences = self._at_least_cost(found, tuple(claims), deadline)
        if not consequences.solvable:
            return settled_margins(consequences)
        key = tuple(claims)
        if key not in self._margins or self._margins[key][0] is not found:
            soft = replace(self._soft, claims=key)
            most = self._scale.total if len(names) <= SMALL else self._scale.cost(LARGEST)
            self._margins = {key: (found, Margins(soft, found, standing_facts(soft, consequences), most))}
        ahead = self._margins[key][1].run(deadline)
        return settled_margins(consequences) | {fact.claim(names): self._margin(one) for fact, one in ahead.items()}

    def _at_least_cost(self, found: Optimum, claims: tuple[Claim, ...], deadline: float | None) -> Consequences:
        """What holds in all, some, none of the solutions of least cost."""
        if self._agreed is not None and self._agreed[:2] == (found, claims):
            return self._agreed[2]
        return self._open(within(self._soft, found)).consequences(claims, deadline)

    def _margin(self, ahead: Ahead) -> Margin:
        weight = math.inf if ahead.cost is None else self._scale.weight(ahead.cost)
        return Margin(weight if ahead.holds else -weight, ahead.exact)


def _left() -> float:
    """The conflicts that the question may still run into."""
    effort = current_effort()
    return math.inf if effort is None else effort.left
