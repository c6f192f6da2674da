"""Parts of an answer that are worked out at the same time, where there are several workers.

How many structures there are, by how much each claim is ahead and what likely models say hardly depend on each other.
The solver and the walks are no Python, and let other threads run. Each part has an effort of its own, so what it finds
does not depend on who comes first. The others wait:

- where the time is limited, or an effort that parts would have to share, or somebody may stop it: then what is asked
  first gets more;
- the structures and another repair, until it is settled which structures there are
  (:attr:`weft.search.search.Search.is_settled`).
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import copy_context
from typing import TypeVar

from weft.effort import current_effort
from weft.parallel import beside
from weft.search.engine import Stop, current_stop
from weft.solutions.findings import Summary
from weft.solutions.solution_set import SolutionSet

Answer = TypeVar("Answer")


class Aside:
    """Begins parts of an answer about one solution set; what is not done when it is left is stopped."""

    def __init__(self, solutions: SolutionSet) -> None:
        self._solutions = solutions
        self._stop = Stop()
        limited = solutions.timeout is not None or current_effort() is not None or current_stop() is not None
        self._may_share = solutions.has_company and not limited

    def __enter__(self) -> Aside:
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.request()

    def draw(self) -> Callable[[], object]:
        """Begin to draw models, which waits for nothing; call what is returned before they are asked for."""
        return self._begun(self._solutions.draw) if self._may_share else lambda: None

    def summary(
        self, solutions: SolutionSet, count: Callable[[], Answer]
    ) -> tuple[Summary, Callable[[], Answer] | None]:
        """What holds where; and, where it was begun meanwhile to ask about the structures, what to call for the answer.

        That needs no program which a summary asks, if the walks begin at the best repair: not if more was assumed.
        """
        begun: list[Callable[[], Answer]] = []
        outside = copy_context()  # its effort is not that of the summary
        may_begin = self._may_share and solutions.engine == "asp" and not solutions.assumed
        found = solutions.summed_up((lambda: begun.append(outside.run(self._begun, count))) if may_begin else None)
        return found, begun[0] if begun else None

    def count(self, question: Callable[[], Answer]) -> Callable[[], Answer]:
        """Begin to ask about the structures, and call what is returned for the answer; if it must be, ask first."""
        if self._may_share and self._solutions.is_settled:
            return self._begun(question)
        answer = question()
        return lambda: answer

    def later(self, question: Callable[[], Answer]) -> Callable[[], Answer]:
        """Begin to ask, and call what is returned for the answer; if it must be, that asks only then."""
        return self._begun(question) if self._may_share and self._solutions.is_settled else question

    def _begun(self, question: Callable[[], Answer]) -> Callable[[], Answer]:
        def asked() -> Answer:
            with self._stop.here():
                return question()

        return beside(asked)
