"""Small sets of statements that cannot hold together, or a model of all that was not given up.

Every statement that may be given up has a switch in one program, which stays warm. It is asked for a model with all
switches on but some. If there is none, the solver's proof names some of the others: a *core*. It names dozens, since
nothing keeps it from using more than it needs, and such a core says little: of many statements one is cheap.

The cores that say something are *local*: on 20 variables with ten wrong statements nearly all are made of three to six
statements about four to six variables. So the solver is asked again about few variables at a time
(:mod:`weft.search.cutting`), which takes some milliseconds: variables are left out, half of them first, those that the
core speaks of least, as long as the rest of the statements cannot hold together. In the small problem that is left, the
solver names a core of few statements, and each that is not needed is left out, the lightest first: to hit a core must
be dear. A second core there must do without the lightest of the first, and so on. Small problems are kept: when other
statements are given up, they are asked first whether the rest can hold together there.

Directions that were judged, each without a common cause, contradict each other among three variables as a rule. So
where two of three pairs have relations that may be given up, the three are looked at before anything else. Of the
proteins' 41 directions by KCDC, cores of three variables raise the bound to 9.4 in 2 s, which is nearly all that must
be given up, 9.467; before, the bound was 5.8 after 140 s. Where relations are few this takes .3 to 2 s for nothing.
(Tried, and left out: all sets of four, five, six and eight variables, which prove nothing more there. And all sets of
three: where statements are separations and connections alone there is next to nothing to find, and it takes 1 to 2 s
more with 11 variables and 4 s with 15.)

References
----------
Davies and Bacchus, *Solving MAXSAT by solving a sequence of simpler SAT instances*, CP 2011 (implicit hitting sets).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import combinations
from typing import TypeVar

from weft.effort import portion, spend
from weft.graphs.mixed import MixedGraph
from weft.search.bounds import bounds_of
from weft.search.cutting import cut_to
from weft.search.engine import is_over
from weft.search.problem import Problem, Softness, StatementKey
from weft.search.program import Program, Status, speaks_of_separations

Keys = frozenset[StatementKey]
T = TypeVar("T")

FEW = 6
"""With so many variables nothing more needs to be left out: the solver finds small cores there at once."""
KEPT = 7
"""Problems of so many variables are kept, to be asked again; in larger ones the solver may take longer to answer."""
FAR = 0.1
"""Cores are looked for if no larger share of the statements speaks of more variables."""
TRIED = 200
"""Conflicts that go at most into whether the statements about some variables can hold together."""
MADE = 10
"""To make a program of few variables takes about as long as so many conflicts."""
AT_ONCE = 4
"""So many cores at most are looked for in one small problem."""
WHOLE = 15
"""Up to so many variables all rules are grounded at once: they cost little, and save conflicts."""
SEARCH = ("--heuristic=Vmtf",)
"""How clingo looks for a model."""


def are_local(problem: Problem) -> bool:
    """Whether nearly all statements speak of few variables, so that cores are small."""
    far = sum(one.scope.bit_count() > FEW for one in problem.statements.values())
    return far <= FAR * len(problem.statements)


@dataclass(frozen=True)
class Answer:
    """What came of the question for a model of all statements that are not given up."""

    status: Status
    model: MixedGraph | None = None
    cores: tuple[Keys, ...] = ()
    """If there is none: sets of statements not given up, of each of which one must be. The first is never missing."""


class Cores:
    """Questions which statements of a softened problem can hold together, under its claims.

    Parameters
    ----------
    problem
        The question, with the statements that may be given up at a cost; one that may be cut
        (:func:`~weft.search.cutting.may_be_cut`).
    hide
        Whether every directed edge may hide a common cause, as claims about confounding need.
    """

    def __init__(self, problem: Problem, *, hide: bool = False) -> None:
        self._problem = replace(problem, soft=Softness(problem.costs))
        self._hide = hide
        self._canonical = speaks_of_separations(problem) and not hide
        self._program = Program(self._problem, hide_everywhere=hide, canonical=self._canonical, options=SEARCH)
        if len(problem.names) <= WHOLE:
            self._program.ground_everything()
        self._assumed = self._program.assumptions(problem.claims)
        self._switches = heavy_first(self._program.switches, problem.costs)
        self._parts = list[_Part]()
        """The small problems in which cores were found."""
        self._waiting = with_two_relations(problem)
        """Three variables each, which are to be looked at before anything else."""

    def ask(self, given_up: Collection[StatementKey], deadline: float | None = None) -> Answer:
        """Look for a model in which all that is not given up holds."""
        while self._waiting and not is_over(deadline):
            part = self._part(self._waiting.pop())
            if part.cores((), 1, deadline):
                self._parts.append(part)
        known = [core for one in self._parts for core in one.cores(given_up, 1, deadline)]
        if known:
            return Answer(Status.NONE, cores=tuple(dict.fromkeys(known)))
        on = {literal: key for key, literal in self._switches.items() if key not in given_up}
        found = self._program.find([*self._assumed, *on], deadline)
        if found.status is not Status.NONE:
            return Answer(found.status, found.graph)
        named = frozenset(on[literal] for literal in found.core if literal in on)
        vertices = self._few_vertices(self._problem.without(given_up), named, deadline)
        if is_over(deadline):  # what is left then is no small problem
            return Answer(Status.OUT_OF_TIME)
        part = self._part(vertices)
        local = part.cores(given_up, AT_ONCE, deadline)
        if local and vertices.bit_count() <= KEPT:
            self._parts.append(part)
        return Answer(Status.NONE, cores=local or (named,))

    def _part(self, vertices: int) -> _Part:
        """The small problem about some vertices (bits)."""
        return _Part(cut_to(self._problem, vertices), self._problem.costs, self._hide, self._canonical)

    def _few_vertices(self, kept: Problem, named: Collection[StatementKey], deadline: float | None) -> int:
        """Few vertices (bits) that hard statements about them alone cannot hold of."""
        touching = [sum(kept.statements[key].scope >> v & 1 for key in named) for v in range(len(kept.names))]
        waiting = sorted(range(len(kept.names)), key=lambda v: touching[v])
        vertices, step = (1 << len(waiting)) - 1, len(waiting) // 2
        while waiting and step and vertices.bit_count() > FEW and not is_over(deadline):
            fewer = vertices & ~sum(1 << v for v in waiting[:step])
            if self._is_refuted(cut_to(kept, fewer), deadline):
                vertices = fewer
                del waiting[:step]
            elif step > 1:
                step //= 2
            else:
                del waiting[0]
        return vertices

    def _is_refuted(self, part: Problem, deadline: float | None) -> bool:
        """Whether a problem is seen to have no solution."""
        if not part.statements:
            return False
        spend(MADE)
        bounds = bounds_of(part)
        if bounds.contradiction:
            return True
        program = Program(part, bounds=bounds, hide_everywhere=self._hide, canonical=self._canonical)
        with portion(1.0, TRIED):
            return program.find(program.assumptions(part.claims), deadline).status is Status.NONE


def with_two_relations(problem: Problem) -> list[int]:
    """The sets of three variables (bits) of which two pairs at least have relations that may be given up."""
    judged = sorted({one.pair for key, one in problem.statements.items() if key in problem.costs and not one.in_mag})
    return sorted({one | other for one, other in combinations(judged, 2) if one & other})


class _Part:
    """The statements about few variables, in a small program that stays warm."""

    def __init__(self, problem: Problem, costs: Mapping[StatementKey, int], hide: bool, canonical: bool) -> None:
        own = {key: costs[key] for key in problem.statements if key in costs}
        spend(MADE)
        soft = replace(problem, soft=Softness(own))
        self._program = Program(soft, hide_everywhere=hide, canonical=canonical, options=SEARCH)
        self._program.ground_everything()
        self._assumed = self._program.assumptions(problem.claims)
        self._switches = heavy_first(self._program.switches, own)
        self._names = {literal: key for key, literal in self._switches.items()}

    def cores(self, given_up: Collection[StatementKey], most: int, deadline: float | None) -> tuple[Keys, ...]:
        """So many cores at most of the statements that are not given up; none if it takes too long to find one."""
        found = list[Keys]()
        left = [key for key in self._switches if key not in given_up]
        while len(found) < most and (core := self._refuted(left, deadline)) is not None:
            needed = shrunk(partial(self._refuted, deadline=deadline), [key for key in left if key in core])
            found.append(frozenset(needed))
            if not needed:
                break
            left.remove(needed[-1])
        return tuple(found)

    def _refuted(self, keys: Iterable[StatementKey], deadline: float | None) -> Keys | None:
        """Those of some statements that are enough to contradict each other; ``None`` if they are not seen to."""
        with portion(1.0, TRIED):
            found = self._program.find([*self._assumed, *(self._switches[key] for key in keys)], deadline)
        named = frozenset(self._names[literal] for literal in found.core if literal in self._names)
        return named if found.status is Status.NONE else None


def heavy_first(switches: Mapping[StatementKey, int], costs: Mapping[StatementKey, int]) -> dict[StatementKey, int]:
    """Switches in an order in which the solver meets heavy statements first, and may do without light ones."""
    return dict(sorted(switches.items(), key=lambda one: (-costs[one[0]], one[0])))


def shrunk(refuted: Callable[[Sequence[T]], Collection[T] | None], items: Sequence[T]) -> list[T]:
    """Items of which none can be left out if they are to be refuted together, as all of them are.

    The last are left out first. ``refuted`` says which of the items it is given are enough, or ``None`` if it cannot
    refute them.

    >>> shrunk(lambda numbers: {2, 7} if {2, 7} <= set(numbers) else None, range(10))
    [2, 7]
    """
    waiting, needed = list(items), list[T]()
    while waiting:
        last = waiting.pop()
        enough = refuted([*waiting, *needed])
        if enough is None:
            needed.insert(0, last)
        else:
            waiting = [one for one in waiting if one in enough]
            needed = [one for one in needed if one in enough]
    return needed
