"""Why there is no solution: a minimal set of statements that cannot hold together.

First the question is made small. If something is claimed, the statements near to it are tried, twice as many each time,
until they leave no solution. Then every statement gets a switch, the solver is asked for a solution with all switches
on, and its proof that there is none names some of them: a *core*. Last, the core is shrunk until it is minimal: leave
out any one statement and the others can hold together.

Most of it rests on looking at few variables at a time (:mod:`weft.search.cutting`): with all variables and few
statements the solver may wander for minutes.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import TypeVar

from weft.effort import effort_left, portion, spend
from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.search.cutting import cut_to, may_be_cut
from weft.search.engine import is_over
from weft.search.interplay import implied
from weft.search.problem import Problem, StatementKey
from weft.search.program import Program, Status

T = TypeVar("T")

TRIED = 500
"""Conflicts that go at most into whether some of the statements are enough: what takes longer is too many of them."""
MADE = 40
"""To make a program of some of the statements takes about as long as so many conflicts."""


@dataclass(frozen=True)
class Conflict:
    """Statements that cannot hold together (under the claims that were made)."""

    statements: tuple[Statement, ...]
    minimal: bool
    """Whether every one of them is needed; ``False`` if the time ran out before that was known."""


def find_conflict(problem: Problem, claims: Sequence[Claim] = (), deadline: float | None = None) -> Conflict | None:
    """Statements that cannot hold together; ``None`` if there is a solution.

    The conflict is empty if the claims contradict each other without any statement. If the problem is soft, it names
    hard statements; the soft ones may be given up within the allowed cost.
    """
    if problem.soft is None:
        problem = problem.without(implied(problem))  # what a set is said to separate takes fewer variables to look at
    cuttable = may_be_cut(problem, claims) and not problem.costs
    if cuttable and claims:
        problem = _near_enough(problem, claims, deadline)
    program = Program(problem, may_give_up=True, hide_everywhere=True)
    assumed = program.assumptions(claims)
    switches = {literal: key for key, literal in program.switches.items() if key not in problem.costs}
    found = program.find([*assumed, *switches], deadline)
    if found.status is Status.FOUND:
        return None
    if found.status is Status.OUT_OF_TIME:
        return Conflict(_origins(problem, switches.values()), minimal=False)
    statuses: list[Status] = []

    def refuted(keys: Sequence[StatementKey]) -> bool:
        if cuttable:
            spend(MADE)
        if effort_left() <= 0:
            statuses.append(Status.OUT_OF_TIME)
            return False
        if cuttable:
            asked, on = Program(_part(problem, frozenset(keys), claims), hide_everywhere=True), []
        else:
            asked, on = program, [literal for literal, key in switches.items() if key in keys]
        with portion(1.0, TRIED) if cuttable else nullcontext():
            statuses.append(asked.find([*asked.assumptions(claims), *on], deadline).status)
        return statuses[-1] is Status.NONE

    needed = least(refuted, [switches[literal] for literal in found.core if literal in switches])
    minimal = Status.OUT_OF_TIME not in statuses
    return Conflict(_origins(problem, [key for key in switches.values() if key in needed]), minimal)


def _origins(problem: Problem, keys: Collection[StatementKey]) -> tuple[Statement, ...]:
    return tuple(problem.statements[key].origin for key in keys)


def least(refuted: Callable[[Sequence[T]], bool], items: Sequence[T]) -> tuple[T, ...]:
    """Items of which none can be left out if they are to be refuted together, as all of them are.

    By halves (Junker, *QuickXplain*, AAAI 2004): few of many items are found with few questions. Whoever answers
    "not refuted" without knowing gets more items than are needed, which are still refuted together.

    >>> least(lambda numbers: {2, 7} <= set(numbers), range(100))
    (2, 7)
    """

    def among(background: tuple[T, ...], items: tuple[T, ...], news: bool) -> tuple[T, ...]:
        if not items or (news and refuted(background)):
            return ()
        if len(items) == 1:
            return items
        half = len(items) // 2
        second = among(background + items[:half], items[half:], True)
        first = among(background + second, items[:half], bool(second))
        return first + second

    return among((), tuple(items), True)


# -- few variables at a time -------------------------------------------------------------------------------------------


def _near_enough(problem: Problem, claims: Sequence[Claim], deadline: float | None) -> Problem:
    """A part of a problem that has no solution under the claims either, if the whole has none."""
    keys = _nearest(problem, {name for claim in claims for name in (claim.x, claim.y)})
    number = 1
    while number < len(keys) and not is_over(deadline):
        part = _part(problem, frozenset(keys[:number]), claims)
        program = Program(part, hide_everywhere=True)
        with portion(1.0, TRIED):
            status = program.find(program.assumptions(claims), deadline).status
        if status is Status.NONE:
            return part
        number *= 2
    return problem


def _part(problem: Problem, keys: Collection[StatementKey], claims: Sequence[Claim]) -> Problem:
    """The question with some of the statements alone, over the variables that they and the claims speak of."""
    kept = problem.without([key for key in problem.statements if key not in keys])
    mentioned = sum({1 << problem.names.index(name) for claim in claims for name in (claim.x, claim.y)})
    for one in kept.statements.values():
        mentioned |= one.scope
    return replace(cut_to(kept, mentioned), claims=())


def _nearest(problem: Problem, names: Collection[str]) -> list[StatementKey]:
    """The statements, those first that the fewest steps from pair to pair lead to from the given variables."""
    left = {key: {one.origin.x, one.origin.y} for key, one in problem.statements.items()}
    reached, found = set(names), list[StatementKey]()
    while left:
        inside = [key for key, pair in left.items() if pair <= reached]
        touching = inside or [key for key, pair in left.items() if pair & reached] or list(left)
        found += touching
        reached = reached.union(*(left.pop(key) for key in touching))
    return found
