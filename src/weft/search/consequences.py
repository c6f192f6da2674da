"""What holds in all, in some, in none of the solutions, without enumerating them.

For every fact that could go either way a *witness* is wanted: a solution in which it holds, and one in which it does
not. Each round asks the solver for a solution that witnesses at least one fact still open (and tells it, by the sign
heuristic, to witness as many as it can); when there is none, all open facts are settled at once. Every solution is
checked by graph code, and "there is none" holds already for the part of the program that has been grounded: the
answer is exact.

Where that takes long (:data:`ALONE`) and there is somebody who can walk over models, two things help. A walk proves
nothing, but it meets most witnesses sooner than the solver finds them: whoever walked brings the solutions that were
met (*others*). And the rest is asked of a program that says what the statements exclude together, for shorter proofs:
on 15 variables, that 80 facts cannot be took 25,000 conflicts without, and 10 with it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from weft.effort import portion
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import MixedGraph
from weft.search.bounds import Bounds
from weft.search.facts import ANY_EDGE, Fact, Look, Wanted, literal_of
from weft.search.problem import Problem
from weft.search.program import Found, Program, Status

ALONE = 600
"""Conflicts after which the solver is helped. Smaller problems are done by then, and a larger program and a walk take
as long as some thousands of conflicts."""
LAST, MOST_LAST = 0.2, 10_000
"""The share of the effort, and the conflicts, that may go into the last common causes. Of 11 problems of ten variables,
9 settled them with less than that share, and for the other two all of it did not suffice either. On three problems of
10, 11 and 15 variables all that 20,000 conflicts found was found by the first 8,300."""


class Holds(StrEnum):
    """In which solutions something holds."""

    ALL = "all"
    SOME = "some"
    NONE = "none"
    UNKNOWN = "unknown"
    """The time ran out before it was settled."""

    @classmethod
    def of(cls, *, true_seen: bool, false_seen: bool, settled: bool) -> Holds:
        """From the witnesses; ``settled`` if what has no witness cannot be."""
        if true_seen and false_seen:
            return cls.SOME
        if not settled:
            return cls.UNKNOWN
        return cls.ALL if true_seen else cls.NONE

    @property
    def opposite(self) -> Holds:
        """In which solutions the opposite holds."""
        return {Holds.ALL: Holds.NONE, Holds.NONE: Holds.ALL}.get(self, self)


@dataclass(frozen=True)
class Consequences:
    """In which solutions each claim holds."""

    holds: Mapping[Claim, Holds]
    """By claim (:attr:`~weft.evidence.claims.Claim.canonical`, not negated); what is not listed holds in none."""
    solvable: bool | None
    """Whether there is a solution; ``None`` if the time ran out before that was known."""

    def narrowed(self, bounds: Bounds, names: Sequence[str]) -> Bounds:
        """Bounds on the same solutions, with what holds in all or in none of them."""
        places = {name: place for place, name in enumerate(names)}
        point, confound, join, cause, caused = map(
            list, (bounds.may_point, bounds.may_confound, bounds.may_join, bounds.may_cause, bounds.must_cause)
        )
        for claim, held in self.holds.items():
            x, y = places[claim.x], places[claim.y]
            if claim.topic is Topic.CAUSES and held is Holds.ALL:
                caused[x] |= 1 << y
            elif claim.topic is Topic.CAUSES and held is Holds.NONE:
                cause[x] &= ~(1 << y)
            elif claim.topic is Topic.EDGE and held is Holds.NONE:
                for symbol, table, a, b in (
                    ("->", point, x, y), ("<-", point, y, x), ("<->", confound, x, y), ("<->", confound, y, x),
                    ("--", join, x, y), ("--", join, y, x),
                ):  # fmt: skip
                    if claim.symbol in (symbol, ANY_EDGE):
                        table[a] &= ~(1 << b)
        return replace(
            bounds, may_point=tuple(point), may_confound=tuple(confound), may_join=tuple(join), may_cause=tuple(cause),
            must_cause=tuple(caused),
        )  # fmt: skip


Others = Callable[[], Iterable[MixedGraph]]
"""Brings solutions, under the same claims, that were found in another way."""


class Reasoner:
    """A program for questions about all solutions, grounded on demand and kept for the next question."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.program = _reasoning_program(problem)
        self._pairs = [(x, y) for x in range(self.program.size) for y in range(x + 1, self.program.size)]

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution under the claims."""
        return self.program.find(self.program.assumptions(claims), deadline)

    def consequences(
        self, claims: Sequence[Claim] = (), deadline: float | None = None, others: Others | None = None
    ) -> Consequences:
        """What holds in all, some, none of the solutions under the claims; ``others`` brings solutions that help."""
        facts = [fact for pair in self._pairs for fact in self._edge_facts(*pair)]
        facts += [Fact(Topic.CAUSES, *ends) for x, y in self._pairs for ends in ((x, y), (y, x))]
        confounded = [Fact(Topic.CONFOUNDED, x, y) for x, y in self._pairs]
        witnesses = _Witnesses(facts + confounded, excluded=self._known_confounding())
        found = self.find(claims, deadline)
        if found.graph is None:
            witnesses.settled.update(witnesses.facts if found.status is Status.NONE else ())
            return _summed_up(witnesses, self.problem.names, solvable=False if found.status is Status.NONE else None)
        witnesses.add(found.graph)
        # Treks are dear to ground. Settle edges and causes first: their solutions witness most treks as well, and the
        # exact bounds that they give make a much smaller program for the rest.
        most = None if others is None else ALONE
        helped = not _settle(facts, witnesses, self.program, claims, deadline, most) and others is not None
        if others is not None and helped:
            for model in others():
                witnesses.add(model)
            explicit = _reasoning_program(self.problem, self.program.bounds, explicit=True)
            _settle(facts, witnesses, explicit, claims, deadline)
        if not witnesses.wanted(confounded):
            witnesses.settled.update(confounded)
        elif witnesses.settled.issuperset(facts):
            tight = _reasoning_program(self.problem, _exact_bounds(self.program.bounds, witnesses), explicit=helped)
            with portion(LAST, MOST_LAST):
                _settle(confounded, witnesses, tight, claims, deadline)
        return _summed_up(witnesses, self.problem.names, solvable=True)

    def _edge_facts(self, x: int, y: int) -> Iterable[Fact]:
        yield Fact(Topic.EDGE, x, y)
        yield from (Fact(Topic.EDGE, x, y, symbol) for symbol in self.program.edge_literals(x, y))

    def _known_confounding(self) -> Iterable[Wanted]:
        """What a statement about the pair itself excludes: no solution need be sought for that."""
        for x, y in self._pairs:
            if self.program.bounds.independent[x] >> y & 1:
                yield Fact(Topic.CONFOUNDED, x, y), True
        for relation in self.problem.hard.relations:
            if len(answers := {structure.confounded for structure in relation.allowed}) == 1:
                yield Fact(Topic.CONFOUNDED, relation.x, relation.y), not answers.pop()


def _reasoning_program(problem: Problem, bounds: Bounds | None = None, *, explicit: bool = False) -> Program:
    return Program(problem, bounds=bounds, hide_everywhere=True, explicit=explicit, options=["--heuristic=Domain"])


def _settle(
    facts: Sequence[Fact],
    witnesses: _Witnesses,
    program: Program,
    claims: Sequence[Claim],
    deadline: float | None,
    most: int | None = None,
) -> bool:
    """Find witnesses for the open facts until there are no more (whether that is so), or the time is over.

    If ``most`` is given, with so many conflicts at most.
    """
    assumptions = program.assumptions(claims)
    literals = {wanted: literal_of(program, *wanted) for wanted in witnesses.wanted(facts)}
    program.prefer(literals.values())
    with portion(1.0, most):
        while literals:
            found = program.find([*assumptions, program.one_of(literals.values())], deadline)
            if found.graph is None:
                break
            witnesses.add(found.graph)
            program.forget(literals.pop(wanted) for wanted in list(literals) if witnesses.has(wanted))
    program.forget(literals.values())
    settled = not literals or found.status is Status.NONE
    if settled:
        witnesses.settled.update(facts)
    return settled


class _Witnesses:
    """Which facts have been seen to hold, and not to hold, in some solution."""

    def __init__(self, facts: Iterable[Fact], excluded: Iterable[Wanted]) -> None:
        self.facts = tuple(facts)
        self.settled: set[Fact] = set()
        """The facts for which what has not been seen cannot be."""
        self._unseen: set[Wanted] = {(fact, value) for fact in self.facts for value in (True, False)}
        self._excluded = frozenset(excluded)

    def has(self, wanted: Wanted) -> bool:
        """Whether such a solution has been seen."""
        return wanted not in self._unseen

    def wanted(self, facts: Iterable[Fact]) -> list[Wanted]:
        """The solutions to look for. Of a pair's edges and the lack of one, each is asked for, which shows the rest."""
        candidates = (
            (fact, value)
            for fact in facts
            for value in (True, False)
            if fact.topic is not Topic.EDGE or value is not (fact.symbol == ANY_EDGE)
        )
        return [wanted for wanted in candidates if wanted in self._unseen and wanted not in self._excluded]

    def add(self, model: MixedGraph) -> None:
        """Note all that a solution witnesses."""
        look = Look(model)
        self._unseen = {wanted for wanted in self._unseen if wanted in self._excluded or look(wanted[0]) != wanted[1]}

    def holds(self, fact: Fact) -> Holds:
        """In which solutions a fact holds, by what is known now."""
        return Holds.of(
            true_seen=self.has((fact, True)), false_seen=self.has((fact, False)), settled=fact in self.settled
        )


def _exact_bounds(bounds: Bounds, witnesses: _Witnesses) -> Bounds:
    """The bounds once edges and causes are settled: what was never seen is impossible."""
    size = len(bounds.may_cause)
    may = {symbol: [0] * size for symbol in ("->", "<->", "--")}
    may_cause, must_cause = [0] * size, [0] * size
    for fact in witnesses.facts:
        x, y, holds = fact.x, fact.y, witnesses.holds(fact)
        if fact.topic is Topic.CAUSES:
            may_cause[x] |= (holds is not Holds.NONE) << y
            must_cause[x] |= (holds is Holds.ALL) << y
        elif fact.topic is Topic.EDGE and fact.symbol != ANY_EDGE and holds is not Holds.NONE:
            if fact.symbol == "<-":
                may["->"][y] |= 1 << x
            else:
                may[fact.symbol][x] |= 1 << y
                may[fact.symbol][y] |= (fact.symbol != "->") << x
    return replace(
        bounds,
        may_point=tuple(may["->"]),
        may_confound=tuple(may["<->"]),
        may_join=tuple(may["--"]),
        may_cause=tuple(may_cause),
        must_cause=tuple(must_cause),
    )


def _summed_up(witnesses: _Witnesses, names: Sequence[str], *, solvable: bool | None) -> Consequences:
    return Consequences({fact.claim(names): witnesses.holds(fact) for fact in witnesses.facts}, solvable)
