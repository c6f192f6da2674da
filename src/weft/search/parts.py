"""Questions that fall into independent parts: these are worked on wherever there are workers, at a counted effort.

The margins of claims, one claim each; walks from different seeds; neighbourhoods of one model. A part is a plain
function and its argument, which travel to the worker; what all parts share, such as the problem, is bound to the
function by ``functools.partial``.

The answer does not depend on the workers. Each part may take a number of conflicts that is fixed before, whoever works
on it. How many parts are begun is decided by the effort that is left before any of them. Answers are handed out in the
order of the arguments, and what a part spent is counted when its answer is.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate
from typing import TypeVar

from weft.effort import apart, current_effort
from weft.parallel import current_workers
from weft.search.engine import is_over

Argument = TypeVar("Argument")
Answer = TypeVar("Answer")

Part = Callable[[Argument, float | None], Answer]
"""Takes its argument and a deadline (of ``time.monotonic``)."""


def in_parts(
    function: Part[Argument, Answer],
    arguments: Sequence[Argument],
    most: Sequence[int],
    deadline: float | None = None,
) -> Iterator[Answer]:
    """The answer for each argument, in their order, as far as the effort and the time suffice.

    Parameters
    ----------
    function, arguments
        The parts. They must not depend on each other, nor on anything that is not in them.
    most
        The conflicts that each part may take at most. One that the effort does not suffice for is not begun, nor are
        those after it.
    deadline
        When to stop (of ``time.monotonic``). A part that is not done by then should say so in its answer.

    Examples
    --------
    >>> from weft.effort import Effort
    >>> def spent(conflicts, deadline):
    ...     current_effort().spend(conflicts)
    ...     return conflicts
    >>> with Effort(20).here() as effort:
    ...     print(list(in_parts(spent, [2, 1, 4, 6, 3, 5], most=[5] * 6)), effort.left)
    [2, 1, 4, 6, 3] 4
    """
    waiting = list(zip(most, arguments, strict=True))
    while waiting and not is_over(deadline):
        effort = current_effort()
        allowed = accumulate(conflicts for conflicts, _ in waiting)
        number = len(waiting) if effort is None else sum(1 for total in allowed if total <= effort.left)
        if not number:
            return
        end = None if deadline is None else time.time() + deadline - time.monotonic()
        for answer, conflicts in current_workers().in_order(partial(_limited, function, end), waiting[:number]):
            if effort is not None:
                effort.spend(conflicts)
            yield answer
        waiting = waiting[number:]


def _limited(function: Part[Argument, Answer], end: float | None, part: tuple[int, Argument]) -> tuple[Answer, int]:
    """The answer and what it cost. The end is by the clock on the wall, the only one that processes share."""
    most, argument = part
    deadline = None if end is None else time.monotonic() + end - time.time()
    with apart(most) as effort:
        return function(argument, deadline), most - effort.left
