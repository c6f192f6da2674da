"""What may be asked about a problem: the one protocol that all answers rest on.

=============================================== =======================================================================
search                                          answers by
=============================================== =======================================================================
:class:`~weft.search.asp.AspSearch`             logic programs that stay warm
:class:`~weft.search.enumeration.EnumeratingSearch`  going over all solutions, with any engine
:class:`~weft.search.repaired.RepairedSearch`   repairing contradictions first, and then asking one of the two
=============================================== =======================================================================

:func:`weft.search.registry.open_search` opens one.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Protocol

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences, Others
from weft.search.counting import Cells
from weft.search.margins import Margin, settled_margins
from weft.search.meeting import Meeting, spread_out
from weft.search.problem import Problem
from weft.search.program import Found
from weft.search.repair import Repair
from weft.search.sieve import Sieve, can_sift
from weft.search.wandering import Wandering, can_wander, scattered


class Search(Protocol):
    """Questions about one problem, under different claims. The problem's own claims are not supposed by themselves."""

    problem: Problem

    # -- solutions ---------------------------------------------------------------------------------------------------

    def graphs(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every solution once; raises :class:`~weft.search.engine.OutOfTime` at the deadline."""
        ...

    def count(
        self, claims: Sequence[Claim] = (), limit: int | None = None, deadline: float | None = None
    ) -> tuple[int, bool]:
        """The number of solutions, at most ``limit``, and whether these are all."""
        ...

    def cells(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Cells | None:
        """The solutions in random cells, to count and draw from; ``None`` if the engine can only list them.

        Raises :class:`~weft.search.engine.OutOfTime` if it is not known in time which solutions there are.
        """
        ...

    def wandering(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Wandering | None:
        """Random walks over the solutions; ``None`` if there are none, or not in time, or walks cannot find them."""
        ...

    def sieve(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Sieve | None:
        """Solutions sifted out of a larger set; ``None`` if there are too many variables.

        Raises :class:`~weft.search.engine.OutOfTime` if it is not known in time which solutions there are.
        """
        ...

    def meeting(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Meeting | None:
        """Walks that begin at solutions of every kind; ``None`` if there are none, or walks cannot find them.

        Raises :class:`~weft.search.engine.OutOfTime` if it is not known in time which solutions there are.
        """
        ...

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution, or the news that there is none."""
        ...

    def consequences(
        self, claims: Sequence[Claim] = (), deadline: float | None = None, others: Others | None = None
    ) -> Consequences:
        """What holds in all, in some, in none of the solutions; ``others`` brings solutions that help."""
        ...

    def margins(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, Margin]:
        """By how much each claim is ahead of its opposite, by canonical claim; what is not listed cannot be."""
        ...

    def drawn(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, float]:
        """The share of models, drawn by how likely they are, in which each claim holds; empty if there is none."""
        ...

    # -- contradictions ----------------------------------------------------------------------------------------------

    def conflict(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Conflict | None:
        """Statements that cannot hold together with the claims; ``None`` if there is a solution."""
        ...

    def repair(self, deadline: float | None = None) -> Repair | None:
        """What is given up so that the rest can hold together; ``None`` if nothing may be."""
        ...

    def other_repair(self, deadline: float | None = None) -> Repair | None:
        """The best repair that keeps something which the best one gives up; ``None`` if there is none.

        If the time ends before anything is known, it has no cost and is not proven.
        """
        ...

    def without(self, given_up: Collection[Statement]) -> Search:
        """A search among the solutions in which every statement but these holds."""
        ...

    @property
    def is_final(self) -> bool:
        """Whether no later question can change which solutions there are: not before the best repair is proven."""
        ...

    @property
    def is_settled(self) -> bool:
        """Whether no answer depends on what was asked before, so that threads may ask: structures, margins, repairs."""
        ...

    def settle(self, deadline: float | None = None) -> None:
        """Find out which solutions there are, as any other question does first; :attr:`is_settled` says if it did."""
        ...

    # -- from one session to the next --------------------------------------------------------------------------------

    def remembered(self) -> dict[str, Any] | None:
        """What was found so far and is worth keeping, as plain values that :meth:`remember` takes back."""
        ...

    def remember(self, found: Mapping[str, Any] | None) -> None:
        """Take over what another search among the same statements found."""
        ...


class HardSearch(Search):
    """What searches have in common in which nothing is given up."""

    @abstractmethod
    def _about(self, problem: Problem) -> Search:
        """The same kind of search about another problem."""

    def wandering(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Wandering | None:
        """Random walks over the solutions; ``None`` if there are none, or not in time, or walks cannot find them."""
        problem = replace(self.problem, claims=tuple(claims))
        find = self._anew(deadline)
        start = find(claims).graph if can_wander(problem) else None
        return None if start is None else Wandering(problem, scattered(find, problem.names, claims, start.undoubled()))

    def _anew(self, deadline: float | None) -> Callable[[Sequence[Claim]], Found]:
        """What finds solutions that do not depend on what this search was asked before."""
        return partial(self._about(self.problem).find, deadline=deadline)

    def sieve(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Sieve | None:
        """Solutions sifted out of a larger set; ``None`` if there are too many variables."""
        problem = replace(self.problem, claims=tuple(claims))
        return Sieve(problem) if can_sift(problem) else None

    def meeting(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Meeting | None:
        """Walks that begin at solutions of every kind; ``None`` if there are none, or walks cannot find them."""
        problem = replace(self.problem, claims=tuple(claims))
        if not can_wander(problem):
            return None
        starts = spread_out(self._anew(deadline), problem.names, claims)
        return Meeting(problem, starts) if starts else None

    def margins(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, Margin]:
        """What all solutions agree on is beyond doubt."""
        return settled_margins(self.consequences(claims, deadline))

    def drawn(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Mapping[Claim, float]:
        """None: where nothing may be given up, no model costs anything."""
        return {}

    def conflict(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Conflict | None:
        """Statements that cannot hold together with the claims; ``None`` if there is a solution."""
        return find_conflict(self.problem, claims, deadline)

    def repair(self, deadline: float | None = None) -> None:
        """Nothing may be given up."""
        return None

    def other_repair(self, deadline: float | None = None) -> None:
        """Nothing may be given up."""
        return None

    def without(self, given_up: Collection[Statement]) -> Search:
        """A search among the solutions in which every statement but these holds."""
        keys = [key for key, one in self.problem.statements.items() if one.origin in given_up]
        return self._about(self.problem.without(keys)) if keys else self

    @property
    def is_final(self) -> bool:
        """Which solutions there are is fixed by the problem."""
        return True

    @property
    def is_settled(self) -> bool:
        """Margins ask the program that finds a structure to begin a walk at, which serves one thread at a time."""
        return False

    def settle(self, deadline: float | None = None) -> None:
        """There is nothing to do first."""

    def remembered(self) -> None:
        """Nothing is worth keeping."""
        return None

    def remember(self, found: Mapping[str, Any] | None) -> None:
        """Nothing is of use."""
        return None
