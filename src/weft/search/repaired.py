"""Questions about the solutions of least cost: the contradiction is repaired first, when something is first asked.

The repair may take half of the effort and of the time. If the best is not proven by then, the best found stands in: the
solutions are those that cost no more than that (and the slack), which the optimal ones are among. It stands in for that
question only: a later question that is at least twice as patient as those before looks on from there, and what is
proven is kept.

Problems that are *beyond* the solver (see :data:`MOST_OPEN`) are walked at instead (:mod:`weft.search.estimates`): the
models that a walk finds show what may be, the bounds what cannot, margins are estimated, and the rest is not known.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

from weft.effort import effort_left, portion
from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph, bits
from weft.search.annealing import Annealing, can_anneal
from weft.search.bounds import bounds_of
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences, Holds, Others
from weft.search.counting import Cells
from weft.search.coverage import TrueCost
from weft.search.draws import drawn_shares
from weft.search.engine import OutOfTime, current_stop, halfway
from weft.search.enumeration import consequences_of
from weft.search.estimates import Estimates
from weft.search.facts import Fact, facts_about
from weft.search.margins import (
    LARGEST,
    SMALL,
    UNKNOWN,
    Ahead,
    Margin,
    Margins,
    estimated,
    excluded,
    least_costs,
    settled_by,
    settled_margins,
    standing_facts,
)
from weft.search.meeting import Meeting
from weft.search.problem import Problem, claims_hold, is_solution
from weft.search.program import Found, Status
from weft.search.repair import (
    LARGE,
    NOT_ALLOWED,
    Optimisation,
    Optimum,
    Priced,
    Repair,
    in_words,
    priced,
    softened,
    within,
)
from weft.search.repair import UNKNOWN as NOTHING_KNOWN
from weft.search.search import Search
from weft.search.sieve import Sieve
from weft.search.wandering import Wandering, can_wander, scattered

MOST_OPEN = 4_000
"""With more chains of a possible edge and a possible cause, a conflict takes the solver some ten times longer, and its
programs take hundreds of megabytes."""

WALKING, FOR_A_PAIR, FOR_ANY = 40_000, 60, 4_000
"""Conflicts' effort that walks for estimates take at most, in all and for each pair of variables; and for few pairs, so
that there is a walk at all."""

EXACT = 20_000
"""Conflicts that go into exact margins at most where they can be estimated."""
FIRST = 5_000
"""Conflicts that the first of these may take, for margins up to some weight: if they do not suffice, all will not."""


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
        self._agreed: tuple[Optimum, tuple[Claim, ...], Consequences, float] | None = None
        """What the solutions of least cost agree on, with the repair and the claims that it is about.

        Last the effort with which more could be found out: infinite if there is nothing more.
        """
        self._margins: dict[tuple[Claim, ...], tuple[Optimum, Margins]] = {}
        """The search for margins under the claims last asked about, after the repair that it rests on."""
        self._among: tuple[Optimum, Search] | None = None
        """The search among the solutions that may be afforded, after the repair that they rest on."""
        self._sized: tuple[Search, bool] | None = None
        """A search, and whether it is beyond the solver."""
        self._walks: dict[tuple[Claim, ...], tuple[Optimum, Estimates]] = {}
        """The walks under the claims last asked about, after the repair that they rest on."""

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
            start, before = time.monotonic(), effort_left()
            repairing.run(deadline)
            self._seconds = max(self._seconds, time.monotonic() - start)
            self._conflicts = max(self._conflicts, before - effort_left() if math.isfinite(before) else 0.0)
        return repairing.found

    def _is_worth_it(self, deadline: float | None) -> bool:
        """Whether a question is so much more patient than those before that it may find more than they did."""
        if self._repairing.found.cost is None:
            return True
        seconds = math.inf if deadline is None else deadline - time.monotonic()
        return seconds >= 2 * self._seconds and effort_left() >= 2 * self._conflicts

    @property
    def is_final(self) -> bool:
        """Whether the best repair is proven."""
        return self._repairing.found.proven

    @property
    def is_settled(self) -> bool:
        """Whether all is known about the best repairs, and the solver, not a walk, tells of their solutions.

        Margins are found by programs of their own; the walks that estimate them find no better repair.
        """
        repairing = self._repairing
        return repairing.is_over and repairing.found.cost is not None and not self.is_beyond

    def settle(self, deadline: float | None = None) -> None:
        """Look for the repair, as any question about its solutions does first."""
        with suppress(OutOfTime):
            self._opened(deadline)

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
        if search is not None and self._is_beyond(search):
            yield from dict.fromkeys(model.undoubled() for model in self._walked_to(claims, deadline))
            raise OutOfTime
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
        if search is not None and self._is_beyond(search):
            number = len({model.undoubled() for model in self._walked_to(claims, deadline)})
            return number if limit is None else min(number, limit), False
        return (0, True) if search is None else search.count(claims, limit, deadline)

    def cells(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Cells | None:
        """The solutions under the claims, cell by cell; ``None`` also if there are none."""
        search = self._opened(deadline)
        return None if search is None else search.cells(claims, deadline)

    def sieve(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Sieve | None:
        """Solutions under the claims sifted out of a larger set; ``None`` also if there are none."""
        search = self._opened(deadline)
        return None if search is None else search.sieve(claims, deadline)

    def wandering(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Wandering | None:
        """Random walks over the solutions under the claims; ``None`` if that cannot be, or not in time."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return None
        if search is None:
            return None
        problem, best = replace(search.problem, claims=tuple(claims)), self._repairing.found.graph
        if best is not None and can_wander(problem) and is_solution(problem, best.undoubled()):
            start = best.undoubled()
            if self._is_beyond(search):  # the solver would take long
                return Wandering(problem, [start])
            anew = partial(self._open(search.problem).find, deadline=deadline)
            return Wandering(problem, scattered(anew, problem.names, claims, start))
        return None if self._is_beyond(search) else search.wandering(claims, deadline)

    def meeting(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Meeting | None:
        """Walks that begin at solutions of every kind; ``None`` also where the solver cannot be asked for these."""
        search = self._opened(deadline)
        return None if search is None or self._is_beyond(search) else search.meeting(claims, deadline)

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution under the claims, or the news that there is none."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return Found(Status.OUT_OF_TIME)
        if search is not None and self._is_beyond(search):
            return self._walk_to(search, tuple(claims), deadline)
        return Found(Status.NONE) if search is None else search.find(claims, deadline)

    def consequences(
        self, claims: Sequence[Claim] = (), deadline: float | None = None, others: Others | None = None
    ) -> Consequences:
        """What holds in all, in some and in none of the solutions under the claims."""
        try:
            search = self._opened(deadline)
        except OutOfTime:
            return consequences_of(self.problem, (), complete=False)
        if search is None:
            return consequences_of(self.problem, ())
        if self._is_beyond(search):
            return self._witnessed(search, tuple(claims), deadline)
        effort = effort_left()
        allowed = self._allowed
        answer = search.consequences(claims, deadline, others or self._others(tuple(claims), allowed, deadline))
        whole = Holds.UNKNOWN not in answer.holds.values()
        counted = deadline is None and current_stop() is None  # else the clock may have ended it
        if not self._slack and self._coverage is None and (whole or counted):
            self._agreed = self._repairing.found, tuple(claims), answer, math.inf if whole else effort
        return answer

    def margins(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, Margin]:
        """By how much each claim is ahead: what it would cost to deny it, beyond the least cost.

        Infinite where nobody may deny it. Else exact where the solver gets that far, or estimated, if there is a walk
        for such problems.
        """
        found, certain = self._weighed_margins(tuple(claims), deadline), self._certain(claims)
        return {claim: certain.get(claim, one) for claim, one in found.items()}

    def _certain(self, claims: Sequence[Claim]) -> dict[Claim, Margin]:
        """The margins of what is supposed, and of what follows beforehand from that which nobody may give up."""
        bounds, names = bounds_of(self._soft.hard), self.problem.names
        followed = (
            fact.claim(names) if value else fact.claim(names).negated
            for fact in self._facts
            for value in (True, False)
            if excluded(bounds, fact, not value)
        )
        return settled_by((*followed, *claims))

    def _weighed_margins(self, key: tuple[Claim, ...], deadline: float | None) -> dict[Claim, Margin]:
        with portion(0.5):
            found = self._optimum(halfway(deadline))
        may_walk = can_anneal(self._soft)
        if found.cost is None or not (found.proven or may_walk):  # ahead of what is not known
            return {fact.claim(self.problem.names): UNKNOWN for fact in self._facts}
        if not found.proven or self._is_large(within(self._soft, found)):
            return self.estimated_margins(key, deadline)
        if not may_walk:
            return self._exact(found, key, deadline)
        with portion(0.7, EXACT):
            exact = self._exact(found, key, deadline, None if len(self.problem.names) <= SMALL else FIRST)
        if all(one.is_known for one in exact.values()):
            return exact
        rough = self.estimated_margins(key, deadline)
        return {claim: one if one.is_known else rough[claim] for claim, one in exact.items()}

    def _exact(
        self, found: Optimum, key: tuple[Claim, ...], deadline: float | None, first: int | None = None
    ) -> dict[Claim, Margin]:
        """The margins by the solver, as far as it gets."""
        names = self.problem.names
        consequences = self._at_least_cost(found, key, deadline)
        if not consequences.solvable:
            return settled_margins(consequences)
        if key not in self._margins or self._margins[key][0] is not found:
            self._margins = {key: (found, self._begun(found, key, consequences))}
        ahead = self._margins[key][1].run(deadline, first)
        return settled_margins(consequences) | {fact.claim(names): self._margin(one) for fact, one in ahead.items()}

    def _begun(self, found: Optimum, key: tuple[Claim, ...], consequences: Consequences) -> Margins:
        """A search for margins that knows what walks met, if there were any."""
        soft = replace(self._soft, claims=key)
        most = self._scale.total if len(soft.names) <= SMALL else self._scale.cost(LARGEST)
        margins = Margins(soft, found, standing_facts(soft, consequences), most)
        if key in self._walks and self._walks[key][0] is found:
            for cost, model in self._walks[key][1].witnesses():
                margins.note(model, cost)
        return margins

    def drawn(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, float]:
        """The share of models, drawn by how likely they are, in which each claim holds.

        Nothing where there is no such walk, or where the effort or the time does not suffice.
        """
        if self.problem.selection or not can_anneal(self._soft):
            return {}
        try:
            return drawn_shares(replace(self._soft, claims=tuple(claims)), self._scale.unit, deadline)
        except OutOfTime:
            return {}

    def _at_least_cost(self, found: Optimum, claims: tuple[Claim, ...], deadline: float | None) -> Consequences:
        """What holds in all, some, none of the solutions of least cost."""
        if self._agreed is not None and self._agreed[:2] == (found, claims) and effort_left() <= self._agreed[3]:
            return self._agreed[2]
        assert found.cost is not None
        others = self._others(claims, found.cost, deadline)
        return self._open(within(self._soft, found)).consequences(claims, deadline, others)

    def _margin(self, ahead: Ahead) -> Margin:
        weight = math.inf if ahead.cost is None else self._scale.weight(ahead.cost)
        return Margin(weight if ahead.holds else 0.0 - weight, ahead.exact, ahead.estimated)

    # -- what is beyond the solver -----------------------------------------------------------------------------------

    @cached_property
    def _facts(self) -> tuple[Fact, ...]:
        return facts_about(self.problem)

    @property
    def is_beyond(self) -> bool:
        """Whether walks answer for the solver, as far as that was found out."""
        return self._among is not None and self._is_beyond(self._among[1])

    def _is_beyond(self, search: Search) -> bool:
        """Whether the solver cannot be asked about these solutions, and walks can."""
        if self._sized is None or self._sized[0] is not search:
            self._sized = search, self._is_large(search.problem)
        return self._sized[1]

    def _is_large(self, problem: Problem) -> bool:
        """Whether so much is open that the solver does not get anywhere."""
        if len(problem.names) < LARGE or not can_anneal(self._soft):
            return False
        bounds = bounds_of(problem.hard)
        chains = sum(bounds.may_cause[y].bit_count() for edges in bounds.may_point for y in bits(edges))
        return chains > MOST_OPEN

    def _walks_under(self, claims: tuple[Claim, ...], deadline: float | None) -> Estimates | None:
        """The walks under claims, gone on with; ``None`` if no model is known in which the claims hold."""
        found = self._repairing.found
        if claims not in self._walks or self._walks[claims][0] is not found:
            soft = replace(self._soft, claims=claims)
            start = found.graph
            if start is None or not claims_hold(claims, start, start.undoubled()):
                start = self._annealed(soft, deadline).graph
            if start is None:
                return None
            self._walks = {claims: (found, Estimates(soft, start, self._scale.cost(LARGEST)))}
        walks = self._walks[claims][1]
        most = min(WALKING, max(FOR_ANY, FOR_A_PAIR * math.comb(len(self.problem.names), 2)))
        with portion(1.0, max(0, most - walks.spent)):
            walks.run(deadline)
        if found.cost is not None and walks.bottom < found.cost and claims == self.problem.claims:
            self._repairing.take_over(NOTHING_KNOWN._replace(graph=walks.witnesses()[0][1]))
            if self._repairing.found is not found:
                self._walks = {claims: (self._repairing.found, walks)}
        return walks

    def _others(self, claims: tuple[Claim, ...], allowed: int, deadline: float | None) -> Others | None:
        """Whoever brings models that cost no more than is allowed, if walks can find them; what it finds is kept.

        Not before the best repair is proven: they might find a better one, and then the solutions are others.
        """
        if not self._repairing.found.proven or not can_anneal(self._soft):
            return None

        return lambda: _models_of(self._walks_under(claims, deadline), allowed)

    def _walked_to(self, claims: Sequence[Claim], deadline: float | None) -> list[MixedGraph]:
        """The models of solutions that walks under the claims found."""
        walks = self._walks_under(tuple(claims), deadline)
        return _models_of(walks, self._allowed)

    @property
    def _allowed(self) -> int:
        """The most that a solution may cost."""
        cost = self._repairing.found.cost
        assert cost is not None
        return self._scale.allowed(cost, self._slack_above(self._scale.weight(cost)))

    def _walk_to(self, search: Search, claims: tuple[Claim, ...], deadline: float | None) -> Found:
        """One solution under the claims that a walk found, or what the bounds say."""
        for _, walks in self._walks.values():
            for cost, model in walks.witnesses():
                if cost <= self._allowed and claims_hold(claims, model, model.undoubled()):
                    return Found(Status.FOUND, model)
        bounds, places = bounds_of(search.problem.hard), self.problem.names.index
        for one in claims:
            claim = one.canonical
            if "o" in claim.symbol and claim.symbol != "o-o":
                continue
            if excluded(bounds, Fact(claim.topic, places(claim.x), places(claim.y), claim.symbol), claim.holds):
                return Found(Status.NONE)
        annealed = self._annealed(replace(self._soft, claims=claims), deadline)
        if annealed.cost is not None and annealed.cost <= self._allowed:
            return Found(Status.FOUND, annealed.graph)
        return Found(Status.OUT_OF_TIME)

    @staticmethod
    def _annealed(problem: Problem, deadline: float | None) -> Priced:
        """The cheapest model that a short annealing finds."""
        best = NOT_ALLOWED
        with portion(0.5, WALKING // 8):
            for annealed in Annealing(problem).run(deadline):
                found = priced(problem, annealed.model)
                if found.cost is not None and (best.cost is None or found.cost < best.cost):
                    best = found
        return best

    def denial(self, claims: Sequence[Claim], denied: Claim) -> tuple[Statement, ...]:
        """What the cheapest model gives up that walks under claims found with one more; nothing if none is known."""
        if tuple(claims) not in self._walks:
            return ()
        for _, model in self._walks[tuple(claims)][1].witnesses():
            mag = model.undoubled()
            if claims_hold([denied], model, mag):
                return tuple(one.origin for one in self._soft.statements.values() if not one.holds_in(model, mag))
        return ()

    def _witnessed(self, search: Search, claims: tuple[Claim, ...], deadline: float | None) -> Consequences:
        """What the models of a walk show, and what the bounds exclude."""
        walks = self._walks_under(claims, deadline)
        if walks is None:
            return consequences_of(self.problem, (), complete=False)
        bounds, allowed, names = bounds_of(search.problem.hard), self._allowed, self.problem.names
        holds = {
            fact.claim(names): Holds.of(
                true_seen=seen.with_it is not None and seen.with_it <= allowed,
                false_seen=seen.without is not None and seen.without <= allowed,
                settled=excluded(bounds, fact, True) or excluded(bounds, fact, False),
            )
            for fact, seen in walks.seen().items()
        }
        return Consequences(holds, True)

    def estimated_margins(self, claims: tuple[Claim, ...], deadline: float | None = None) -> dict[Claim, Margin]:
        """The margins by walks, once a repair was looked for: what :meth:`margins` falls back on."""
        walks = self._walks_under(claims, deadline)
        names, found = self.problem.names, self._repairing.found
        if walks is None:
            return {fact.claim(names): UNKNOWN for fact in self._facts}
        most = self._scale.cost(LARGEST)
        if not claims_hold(claims, *_twice(found.graph)):  # the least cost under the claims is another
            found = found._replace(cost=walks.bottom, bound=min(found.bound, walks.bottom), proven=False)
        least = least_costs(self._soft, found, most)
        margins = {}
        for fact, seen in walks.seen().items():
            ahead = estimated(seen, _sides(least, fact), found, most)
            untried = ahead.estimated and ahead.cost and fact not in walks.tried
            margins[fact.claim(names)] = UNKNOWN if untried else self._margin(ahead)
        return margins


def _models_of(walks: Estimates | None, allowed: int) -> list[MixedGraph]:
    """The models that walks found and that cost no more than is allowed."""
    return [] if walks is None else [model for cost, model in walks.witnesses() if cost <= allowed]


def _twice(model: MixedGraph | None) -> tuple[MixedGraph, MixedGraph]:
    """A model and its MAG."""
    assert model is not None
    return model, model.undoubled()


def _sides(least: Mapping[tuple[Fact, bool], int], fact: Fact) -> dict[bool, int]:
    """What a model costs at least in which a fact holds, and in which it does not."""
    return {value: least[fact, value] for value in (True, False) if (fact, value) in least}
