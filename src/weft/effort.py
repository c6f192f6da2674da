"""How hard a question may be worked on: counted, not timed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

USUAL = 100_000
"""The effort that one question may take, if nothing else is said: about a minute on a small machine."""
CALL = 5
"""To ask the solver anything takes about as long as so many conflicts."""
PER_SECOND = 1_000
"""About so many conflicts take a second on a small machine."""


_effort: ContextVar[Effort | None] = ContextVar("effort", default=None)


class Effort:
    """How many conflicts the solver may run into on what is asked inside :meth:`here`; each call counts as some.

    Conflicts, the dead ends of a search, are what its time goes into. They are counted, not timed, so that the answer
    does not depend on how busy the machine is. What is spent inside another effort is spent of that, too.

    >>> effort = Effort(10)
    >>> with effort.here():
    ...     effort.spend(4)
    ...     with portion(0.5) as half:
    ...         half.spend(3)
    ...         half.left, effort.left
    (0, 3)
    """

    def __init__(self, conflicts: int) -> None:
        self._whole = _effort.get()
        self.left: int = conflicts if self._whole is None else min(conflicts, self._whole.left)

    def spend(self, conflicts: int) -> None:
        """Count work that was done."""
        self.left -= conflicts
        if self._whole is not None:
            self._whole.spend(conflicts)

    @contextmanager
    def here(self) -> Iterator[Effort]:
        """All questions asked inside, by this thread, are limited."""
        token = _effort.set(self)
        try:
            yield self
        finally:
            _effort.reset(token)


@contextmanager
def portion(share: float, most: int | None = None) -> Iterator[Effort | None]:
    """Inside, only this share of the effort that is left, and at most so many conflicts, may be spent."""
    whole = _effort.get()
    if whole is None and most is None:
        yield None
        return
    part = None if whole is None else int(whole.left * share)
    with Effort(min(one for one in (part, most) if one is not None)).here() as effort:
        yield effort


def current_effort() -> Effort | None:
    """What may be spent on the question that this thread is at; ``None`` for any effort."""
    return _effort.get()


def effort_left() -> float:
    """The conflicts that the question may still run into; infinite for any effort."""
    effort = _effort.get()
    return math.inf if effort is None else effort.left


def spend(conflicts: int) -> None:
    """Count work that was done on the question, if its effort is limited."""
    if (effort := _effort.get()) is not None:
        effort.spend(conflicts)
