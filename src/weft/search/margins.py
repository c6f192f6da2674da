"""By how much each claim is ahead of its opposite: the *margin*, exact, by the solver.

The cost of a latent-variable model is the total weight of the statements that do not hold in it
(:mod:`weft.search.repair`). The margin of a claim is the least cost of a model in which it fails, minus the least cost
of one in which it holds: what would have to be given up to deny it. A claim with a margin of 0 is open.

How they are found: all claims that hold in every solution of least cost *stand*. Ask for a model within some cost in
which one of those that stand fails, until every one that can fail at that cost has failed. Each model that is found
says what it costs at most to deny all that fail in it. Then ask for a model that denies one of them for less than is
known, until there is none: that one proof settles them all, and they stand no more. Go on with a higher cost, until a
denial would cost so much that it is no matter. (To ask for the *cheapest* model that denies one of them, as a repair
does, takes some twenty times longer: with a limit on the cost most statements cannot be given up at all, which leaves
little to search.)

The first step is small, and shows whether the solver gets anywhere. The second goes all the way: what small steps
learn is learnt anew in each, and on five problems of 8 to 10 variables one large step took two thirds of the time of
four. If it takes too much of the effort, small steps tell at least of the smaller margins.

Two things spare questions. What a model costs is the sum of some of the statements' costs (:func:`sums_of`): where
there is no such sum, nothing is asked. And models that walks met are taken over (:meth:`Margins.note`), so that mostly
proofs are left.

Where the solver does not get that far, :func:`estimated` tells what is known: by the models that a walk found
(:mod:`weft.search.estimates`), and by what the bounds exclude.

References
----------
Magliacane, Claassen and Mooij, *Ancestral causal inference*, NIPS 2016 (the score of a claim).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from weft.effort import portion
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import MixedGraph
from weft.search.bounds import Bounds, bounds_of
from weft.search.consequences import Consequences, Holds
from weft.search.engine import halfway, is_over
from weft.search.estimates import Seen
from weft.search.facts import ANY_EDGE, Fact, Look, Wanted, facts_about, literal_of
from weft.search.problem import Problem
from weft.search.program import Program, Status
from weft.search.repair import Optimum, priced, within

RUNGS = 5
"""So many small steps lead to the largest margin."""
LEAP = 0.6
"""The share of the effort that one step from the first rung to the last may take, before smaller ones are tried."""

LARGEST = 3.6
"""Margins above this are not told apart: from here on no claim is surer (:mod:`weft.solutions.confidence`)."""
SMALL = 6
"""With so many variables it takes no time to know all margins, however large."""


class Margin(NamedTuple):
    """By how much a claim is ahead of its opposite."""

    weight: float
    """What it would cost to deny it; negative if the opposite is ahead, infinite if it cannot be denied at all."""
    exact: bool
    """Whether it is proven to be just that; else it is as much at least, in either direction, or it is estimated."""
    estimated: bool = False
    """Whether it is an estimate, by models that a walk found (:mod:`weft.search.estimates`); it may be less."""

    @property
    def is_known(self) -> bool:
        """Whether to look on would change nothing: it is exact, or proven to be so large that it is no matter."""
        return self.exact or (abs(self.weight) >= LARGEST and not self.estimated)


OPEN, UNKNOWN = Margin(0.0, exact=True), Margin(0.0, exact=False)
CERTAIN, IMPOSSIBLE = Margin(math.inf, exact=True), Margin(-math.inf, exact=True)


def settled_margins(consequences: Consequences) -> dict[Claim, Margin]:
    """The margins where nothing may be given up: what holds in all or in none is beyond doubt."""
    found = {Holds.ALL: CERTAIN, Holds.NONE: IMPOSSIBLE, Holds.SOME: OPEN, Holds.UNKNOWN: UNKNOWN}
    return {claim: found[holds] for claim, holds in consequences.holds.items()}


def settled_by(claims: Iterable[Claim]) -> dict[Claim, Margin]:
    """The margins of claims that nobody may deny.

    >>> found = settled_by([Claim.parse("Y <- X"), Claim.parse("not X -> Z")])
    >>> {str(claim): one.weight for claim, one in found.items()}
    {'X -> Y': inf, 'X -> Z': -inf}
    """
    canonical = [claim.canonical for claim in claims]
    return {one if one.holds else one.negated: CERTAIN if one.holds else IMPOSSIBLE for one in canonical}


def standing_facts(problem: Problem, consequences: Consequences) -> dict[Fact, bool]:
    """The facts that all solutions agree on, and whether they hold there."""
    holds = {fact: consequences.holds.get(fact.claim(problem.names), Holds.NONE) for fact in facts_about(problem)}
    return {fact: one is Holds.ALL for fact, one in holds.items() if one in (Holds.ALL, Holds.NONE)}


def sums_of(costs: Iterable[int], most: int) -> int:
    """What models may cost, up to some cost: the sums of some of the costs, as the bits of a number.

    >>> [cost for cost in range(10) if sums_of([2, 3, 7], 8) >> cost & 1]
    [0, 2, 3, 5, 7]
    """
    sums, up_to = 1, (1 << most + 1) - 1
    for cost in costs:
        sums |= sums << cost & up_to
    return sums


class Ahead(NamedTuple):
    """By how much a fact, or that it is not so, is ahead."""

    holds: bool
    """Which of the two is ahead."""
    cost: int | None
    """What its opposite costs more than the least; ``None`` if it cannot be, whatever is given up."""
    exact: bool
    """Whether that is so; else it costs at least as much, or that is estimated."""
    estimated: bool = False
    """Whether it is an estimate, by the cheapest model known."""


class Margins:
    """A search for margins that may stop and go on.

    Parameters
    ----------
    problem
        The softened question; its claims are hard.
    least
        The least cost, proven.
    standing
        The facts that all solutions of least cost agree on, and whether they hold there.
    most
        Margins above this are not told apart.
    """

    def __init__(self, problem: Problem, least: Optimum, standing: Mapping[Fact, bool], most: int) -> None:
        assert least.cost is not None
        assert least.proven
        self._problem, self._optimum, self._least = problem, least, least.cost
        self._holds = dict(standing)
        self._standing = dict.fromkeys(standing)  # a dictionary keeps its order, so that two runs do the same
        """The facts whose margin is not known."""
        self._denied: dict[Fact, int] = {}
        """The cost of the cheapest model known in which a fact is not as it stands."""
        self._bound = self._least
        """No model that costs as much or less denies one of those that stand."""
        self._has_climbed = False
        self._may_leap = True
        self._warm: tuple[int, Program] | None = None
        """The program that was asked last, and what models may cost there."""
        self._total = sum(problem.costs.values())
        self._last = min(self._least + most, self._total)
        self._sums = sums_of(problem.costs.values(), self._last)
        self._rungs = [self._least + (self._last - self._least) * k // RUNGS for k in range(1, RUNGS + 1)]

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to find out."""
        return not self._standing or self._bound >= self._last

    def run(self, deadline: float | None = None, first: int | None = None) -> Mapping[Fact, Ahead]:
        """Look on until the deadline; what was found is kept.

        If ``first`` is given, the first rung may take so many conflicts: who does not get there gets nowhere.
        """
        while not self.is_over:
            leaps = self._has_climbed and self._may_leap
            rung = self._last if leaps else next(one for one in self._rungs if one > self._bound)
            if not self._may_cost(self._bound + 1, rung):  # there is nothing between the two
                self._bound = rung
                continue
            with portion(LEAP if leaps else 1.0, None if self._has_climbed else first):
                self._has_climbed |= self._climb(rung, halfway(deadline) if leaps else deadline)
            if self._bound < rung:
                if not leaps or is_over(deadline):
                    break
                self._may_leap = False
        return {fact: self._ahead(fact) for fact in self._holds}

    def note(self, model: MixedGraph, cost: int) -> None:
        """Take over what a model denies that was paid for already."""
        look = Look(model)
        for one in self._standing:
            if look(one) != self._holds[one]:
                self._denied[one] = min(cost, self._denied.get(one, cost))

    def _may_cost(self, least: int, most: int) -> bool:
        """Whether a model may cost so much at least, and so much at most."""
        return self._sums >> least & (1 << most + 1 - least) - 1 != 0

    def _climb(self, rung: int, deadline: float | None) -> bool:
        """Settle all facts that can be denied at this cost; whether there was time enough."""
        program, assumed = self._opened(rung)
        wanted = {fact: literal_of(program, fact, not self._holds[fact]) for fact in self._standing}
        program.prefer(wanted.values())
        # Those that are not known to be denied by any model this cheap.
        open_facts = {one: literal for one, literal in wanted.items() if self._denied.get(one, rung + 1) > rung}
        while open_facts:
            found = program.find([*assumed, program.one_of(open_facts.values())], deadline)
            if found.status is Status.OUT_OF_TIME:
                return False
            if found.graph is None:
                break
            self._learn(found.graph)
            program.forget(open_facts.pop(one) for one in list(open_facts) if self._denied.get(one, rung + 1) <= rung)
        program.forget(wanted.values())
        return self._refine(program, assumed, wanted, rung, deadline)

    def _opened(self, rung: int) -> tuple[Program, list[int]]:
        """The program of models that cost no more than a rung, and what is assumed.

        That of the first rung is small. All others share one, of the last rung, which stays warm: what it has learnt
        of dearer models holds for cheaper ones, too.
        """
        most = self._last if self._has_climbed else rung
        if self._warm is None or self._warm[0] != most:
            narrowed = within(self._problem, self._optimum, most)
            self._warm = most, Program(narrowed, hide_everywhere=True, options=["--heuristic=Domain"])
        program = self._warm[1]
        assumed = program.assumptions(self._problem.claims)
        return program, assumed if rung == most else [*assumed, program.spending(rung)]

    def _refine(
        self, program: Program, assumed: list[int], wanted: Mapping[Fact, int], rung: int, deadline: float | None
    ) -> bool:
        """Find cheaper models of what can be denied at this cost, until there are none; whether there was time enough.

        All of them are asked for at once: one proof that nothing is cheaper than is known settles everything.
        """
        settled = [one for one in self._standing if self._denied.get(one, rung + 1) <= rung]
        while cheaper := self._cheaper(program, wanted, settled):
            found = program.find([*assumed, program.one_of(cheaper)], deadline)
            if found.status is Status.OUT_OF_TIME:
                return False
            if found.graph is None:
                break
            self._learn(found.graph)
        for one in settled:
            del self._standing[one]
        self._bound = rung
        return True

    def _cheaper(self, program: Program, wanted: Mapping[Fact, int], facts: Iterable[Fact]) -> list[int]:
        """A literal for each cost of denials: a model denies one of the facts that are denied at it, for less."""
        at_cost: dict[int, list[int]] = {}
        for one in facts:
            if self._may_cost(self._bound + 1, self._denied[one] - 1):
                at_cost.setdefault(self._denied[one], []).append(wanted[one])
        return [
            program.all_of([program.any_of(denials), program.spending(cost - 1)]) for cost, denials in at_cost.items()
        ]

    def _learn(self, model: MixedGraph) -> None:
        """Note what a model denies, and what that costs."""
        found = priced(self._problem, model)
        assert found.cost is not None
        assert found.graph is not None
        self.note(found.graph, found.cost)

    def _ahead(self, fact: Fact) -> Ahead:
        if fact not in self._standing:
            return Ahead(self._holds[fact], self._denied[fact] - self._least, exact=True)
        if self._bound >= self._total:  # everything may be given up, and still nothing denies it
            return Ahead(self._holds[fact], None, exact=True)
        return Ahead(self._holds[fact], self._bound - self._least, exact=False)


# -- what is known without the solver ----------------------------------------------------------------------------------


def excluded(bounds: Bounds, fact: Fact, value: bool) -> bool:
    """Whether bounds exclude that a fact holds, or that it does not."""
    x, y = fact.x, fact.y
    if fact.topic is Topic.CAUSES:
        return not bounds.may_cause[x] >> y & 1 if value else bool(bounds.must_cause[x] >> y & 1)
    if not value:
        return False
    if fact.topic is Topic.CONFOUNDED:
        return bool(bounds.independent[x] >> y & 1)
    possible = {
        "->": bounds.may_point[x] >> y & 1,
        "<-": bounds.may_point[y] >> x & 1,
        "<->": bounds.may_confound[x] >> y & 1,
        "--": bounds.may_join[x] >> y & 1,
    }
    return not (any(possible.values()) if fact.symbol == ANY_EDGE else possible[fact.symbol])


def least_costs(problem: Problem, found: Optimum, most: int) -> dict[Wanted, int]:
    """What a model costs at least in which a fact holds, or does not; only where the bounds say anything.

    A model that costs no more than some limit keeps every statement that costs more than that, and what follows from
    these beforehand (:mod:`weft.search.bounds`). The limits are spread from the cost that was found to ``most`` more.
    """
    assert found.cost is not None
    facts = facts_about(problem)
    costs: dict[Wanted, int] = {}
    limits = sorted({found.cost + most * k // RUNGS for k in range(RUNGS + 1)})
    for limit in limits:
        bounds = bounds_of(within(problem, found, limit).hard)
        if bounds.contradiction:  # there is no model this cheap at all
            continue
        for wanted in ((fact, value) for fact in facts for value in (True, False)):
            if excluded(bounds, *wanted):
                costs[wanted] = limit + 1
    return costs


def estimated(seen: Seen, least: Mapping[bool, int], found: Optimum, most: int) -> Ahead:
    """By how much a fact or its opposite is ahead, by the cheapest models known and what models cost at least.

    Parameters
    ----------
    seen
        What the cheapest known models cost without the fact and with it.
    least
        What models without and with it cost at least, as far as that is known.
    found
        The cheapest model known.
    most
        Margins above this are not told apart.
    """
    assert found.cost is not None
    holds = seen.with_it is not None and (seen.without is None or seen.with_it <= seen.without)
    ahead, behind = (seen.with_it, seen.without) if holds else (seen.without, seen.with_it)
    ahead = found.cost if ahead is None else ahead
    gap = None if behind is None else behind - ahead
    sure = max(least.get(not holds, 0), found.bound) - ahead  # the denial costs at least so much more
    if gap is not None and found.proven and gap <= max(0, sure):
        return Ahead(holds, gap, exact=True)
    if sure >= most or (sure > 0 and gap is None):
        return Ahead(holds, sure, exact=False)
    return Ahead(holds, most if gap is None else max(gap, 0), exact=False, estimated=True)
