"""The default engine: clingo walks the models of ``consistency.lp``.

Two programs serve one problem, both made when first needed and kept warm:

- for *enumeration*, everything is grounded up front, so that every model is a solution and clingo's own backtracking
  enumerates them without keeping any;
- for *reasoning* (one solution, what holds in all or some of them) statements are grounded on demand, which reaches
  much larger problems.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import MixedGraph
from weft.search.consequences import Consequences, Others, Reasoner
from weft.search.counting import Cells
from weft.search.engine import OutOfTime, check_time, is_over
from weft.search.problem import Problem
from weft.search.program import Found, Program, has_ended, interrupted_at, stoppable, wait_for
from weft.search.search import HardSearch


@dataclass(frozen=True)
class Asp:
    """Answer set programming with clingo."""

    name: ClassVar[str] = "asp"

    def graphs(self, problem: Problem, deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every consistent MAG once, lazily."""
        return AspSearch(problem).graphs(problem.claims, deadline)


class AspSearch(HardSearch):
    """Questions about one problem, under different claims, with warm solvers. The problem's own claims are ignored."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self._idle: dict[bool, list[Program]] = {False: [], True: []}
        self._reasoner: Reasoner | None = None

    def _about(self, problem: Problem) -> AspSearch:
        return AspSearch(problem)

    # -- enumeration -------------------------------------------------------------------------------------------------

    def graphs(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every solution under the claims, once each; raises :class:`OutOfTime` at the deadline."""
        check_time(deadline)  # to prepare a walk takes time too
        with _Lease(self, claims) as program:
            program.walk_at_most(None)
            assumptions = program.assumptions(claims)
            interrupted, found = True, 0
            while interrupted and not found:  # an interrupt meant for an earlier question may be pending
                with (
                    program.limited(),
                    interrupted_at(program.control, deadline),
                    program.control.solve(assumptions=assumptions, yield_=True) as handle,
                ):
                    for model in handle:
                        found += 1
                        yield program.read(model)
                        check_time(deadline)
                    interrupted = not has_ended(handle.get())
                if interrupted:
                    check_time(deadline)
            if interrupted:
                raise OutOfTime

    def count(
        self, claims: Sequence[Claim] = (), limit: int | None = None, deadline: float | None = None
    ) -> tuple[int, bool]:
        """The number of solutions under the claims, at most ``limit``; and whether these are all."""
        with _Lease(self, claims) as program:
            program.walk_at_most(None if limit is None else limit + 1)
            assumptions = program.assumptions(claims)
            interrupted, found = True, 0
            while interrupted and not found and not is_over(deadline):
                with (
                    program.limited(),
                    stoppable(program.control),
                    program.control.solve(assumptions=assumptions, async_=True) as handle,
                ):
                    wait_for(handle, deadline)
                    interrupted = not has_ended(handle.get())
                found = int(program.control.statistics["summary"]["models"]["enumerated"])
        if limit is not None and found > limit:
            return limit, False
        return found, not interrupted

    def cells(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Cells:
        """The solutions under the claims, cell by cell, in programs of their own."""
        check_time(deadline)
        return Cells(lambda: self._made(_needs_hiding(claims)), claims)

    def _lend(self, claims: Sequence[Claim]) -> Program:
        """An enumeration program that no other walk is using. Claims of confounding need hidden causes everywhere."""
        hide = _needs_hiding(claims)
        if self._idle[hide]:
            return self._idle[hide].pop()
        return self._made(hide)

    def _made(self, hide: bool) -> Program:
        program = Program(self.problem, hide_everywhere=hide)
        program.ground_everything()
        return program

    # -- reasoning ---------------------------------------------------------------------------------------------------

    @property
    def reasoner(self) -> Reasoner:
        """The program that grounds on demand."""
        if self._reasoner is None:
            self._reasoner = Reasoner(self.problem)
        return self._reasoner

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution under the claims, or the news that there is none."""
        return self.reasoner.find(claims, deadline)

    def consequences(
        self, claims: Sequence[Claim] = (), deadline: float | None = None, others: Others | None = None
    ) -> Consequences:
        """What holds in all, in some and in none of the solutions under the claims."""
        return self.reasoner.consequences(claims, deadline, others)


class _Lease:
    """Lends an enumeration program for one walk: a clingo program can walk only once at a time."""

    def __init__(self, search: AspSearch, claims: Sequence[Claim]) -> None:
        self._search = search
        self._claims = claims

    def __enter__(self) -> Program:
        self._program = self._search._lend(self._claims)
        return self._program

    def __exit__(self, *_: object) -> None:
        self._search._idle[_needs_hiding(self._claims)].append(self._program)


def _needs_hiding(claims: Sequence[Claim]) -> bool:
    return any(claim.topic is Topic.CONFOUNDED and claim.holds for claim in claims)
