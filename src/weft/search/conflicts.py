"""Why there is no solution: a minimal set of statements that cannot hold together.

Every statement gets a switch, the solver is asked for a solution with all switches on, and its proof that there is none
names some of them: a core. Then each statement of the core is tried: if there is still no solution without it, it is
not needed. What is left is minimal: leave out any one statement and the others can hold together.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.search.problem import Problem
from weft.search.program import Part, Program, Status


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
    program = Program(problem, may_give_up=True, hide_everywhere=True)
    assumed = program.assumptions(claims)
    hard = {
        part: literal
        for part, literal in program.switches.items()
        if (part.name, part.arguments[0]) not in problem.costs
    }
    found = program.find([*assumed, *hard.values()], deadline)
    if found.status is Status.FOUND:
        return None
    if found.status is Status.OUT_OF_TIME:
        return Conflict(tuple(_origin(problem, part) for part in hard), minimal=False)
    core = [literal for literal in found.core if literal not in assumed]
    needed: list[int] = []
    minimal = True
    while core:
        candidate = core.pop()
        found = program.find([*assumed, *needed, *core], deadline)
        if found.status is Status.NONE:
            core = [literal for literal in core if literal in found.core]
        else:
            needed.append(candidate)
            minimal = minimal and found.status is Status.FOUND
    parts = [part for part, switch in hard.items() if switch in needed]
    return Conflict(tuple(_origin(problem, part) for part in parts), minimal)


def _origin(problem: Problem, part: Part) -> Statement:
    """The statement behind a part of the program."""
    return problem.statements[part.name, part.arguments[0]].origin
