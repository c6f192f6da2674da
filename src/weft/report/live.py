"""Answers while someone waits: one solver, kept warm, and the questions of one or more pages in turn.

A :class:`Desk` has one thread, which alone asks the solver: every question is about ``solutions.assume(...)``, and so
the programs that clingo has grounded and what it has learnt serve all of them. Whoever asks gets a future. A page that
asks something newer no longer waits for what it asked before (:meth:`~weft.report.question.Question.ends`): that is
ended, or dropped if it has not begun.

No question fails for lack of time. It is answered with what is known by then, and says what is not. Where there are
too many structures to walk, those of a fair sample that fit what is supposed tell at once about how many there are;
then they are counted and drawn anew, if the time suffices (:mod:`weft.search.counting`).
"""

from __future__ import annotations

import contextlib
import json
import threading
import time
from collections import deque
from concurrent.futures import Future, InvalidStateError
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft.errors import WeftError
from weft.evidence.claims import Claim, Topic
from weft.graphs.equivalence import MagClasses
from weft.report.document import effect_document, figures_document, next_steps_document, reason_document
from weft.report.question import Kind, Question
from weft.report.view import Budget, figures_of, next_steps_of, reasons_of, within
from weft.search.engine import OutOfTime, Stop
from weft.solutions.solution_set import SolutionSet
from weft.solutions.structures import Structures

if TYPE_CHECKING:
    from weft.studies import Study

MOST_WAITING = 16
FIGURES_SUMMARY, FIGURES_WALK = 2.0, 0.1
"""Seconds for what holds in all, some, none, and for the first structures."""
FIGURES_AT_ONCE, SHORTEST_WALK, LATE = 0.18, 0.03, 0.3
"""The walk is shorter (but no shorter than this) to answer at once; not if it is late already."""
GRAPHS, GRAPHS_SUMMARY, SHORTEST_GRAPHS_WALK, GRAPHS_CONFOUNDING = 10.0, 6.0, 2.0, 1.0
"""Seconds for all of it; at most for what holds in all, some, none; at least for the walk; for the common causes."""
NEXT_WALK = 4.5
"""Seconds to walk the structures for suggestions."""
NEXT_STRUCTURES, NEXT_STRUCTURES_IN_CLASSES = 20_000, 2_000
"""Where outcomes are equivalence classes, each structure takes ten times as long."""
EFFECTS_WALK = 1.0
"""Seconds to walk structures for effects."""
WHY_EACH = 5.0
"""An explanation takes at most twice as long: the verdict, and the reason for it."""
KEPT_CLASSES = 50_000


class Superseded(Exception):
    """The page asked something newer, or went away."""


class Busy(Exception):
    """Too many questions wait already."""


class Closed(Exception):
    """No more questions are taken."""


@dataclass(eq=False)
class _Task:
    """A question, whoever waits for its answer, and what ends it."""

    question: Question
    answer: Future[bytes] = field(default_factory=Future)
    stop: Stop = field(default_factory=Stop)


class Desk:
    """Answers questions about one solution set, one at a time.

    Parameters
    ----------
    solutions
        The answer that pages suppose more of. Nobody else may ask it anything while the desk is open.
    folder
        Where its result file is: the tables are looked for beside it, too.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> desk = Desk(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])))
    >>> desk.open()
    >>> answer = json.loads(desk.ask(Question("page", Kind.FIGURES)).result())
    >>> answer["view"]["certain"], answer["counted"]
    (['Y -> X', 'Y <-> Z'], [2, True])
    >>> desk.close()
    True
    """

    def __init__(self, solutions: SolutionSet, folder: Path | None = None) -> None:
        self.size = len(solutions.evidence.variables)
        self._answers = _Answers(solutions, folder)
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._running: _Task | None = None
        self._warming = Stop()
        self._is_open = True
        self._thread = threading.Thread(target=self._work, name="weft-solver", daemon=True)

    def open(self) -> None:
        """Begin to answer; until something is asked, the solver warms up."""
        self._thread.start()

    def ask(self, question: Question) -> Future[bytes]:
        """The answer to come, as JSON; to cancel it is to withdraw the question.

        The future raises :class:`Superseded` if the page asks something newer, :class:`Closed` if the desk is closed,
        and :class:`~weft.errors.WeftError` if the question cannot be answered.

        Raises
        ------
        Busy
            If too many questions wait.
        Closed
            If the desk is closed.
        """
        task = _Task(question)
        with self._changed:
            if not self._is_open:
                raise Closed
            self._warming.request()
            ended = [one for one in self._pending() if question.ends(one.question)]
            self._drop(ended)
            if room := len(self._waiting) < MOST_WAITING:
                self._waiting.append(task)
                self._changed.notify()
        for one in ended:
            _settle(one, Superseded())
        if not room:
            raise Busy
        task.answer.add_done_callback(lambda answer: self._withdraw(task) if answer.cancelled() else None)
        return task.answer

    def close(self, seconds: float = 1.0) -> bool:
        """End everything; whether the solver's thread came to its end within so many seconds."""
        with self._changed:
            self._is_open = False
            self._warming.request()
            left = self._pending()
            self._drop(left)
            self._changed.notify()
        for task in left:
            _settle(task, Closed())
        self._thread.join(seconds)
        return not self._thread.is_alive()

    def _pending(self) -> list[_Task]:
        return [*([] if self._running is None else [self._running]), *self._waiting]

    def _drop(self, tasks: list[_Task]) -> None:
        for task in tasks:
            task.stop.request()
            if task is not self._running:
                self._waiting.remove(task)

    def _withdraw(self, task: _Task) -> None:
        with self._changed:
            if task in self._pending():
                self._drop([task])

    # -- the solver's thread -----------------------------------------------------------------------------------------

    def _work(self) -> None:
        with self._warming.here():
            self._answers.warm_up()
        while (task := self._next()) is not None:
            try:
                with task.stop.here():
                    found: bytes | Exception = self._answers.to(task.question)
            except Exception as error:  # whatever it is, the next question must be answered
                found = error
            with self._changed:
                self._running = None
            # What was stopped may have come to an answer all the same, but to one that knows less than it could.
            _settle(task, Superseded() if task.stop.requested else found)

    def _next(self) -> _Task | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or not self._is_open)
            self._running = self._waiting.popleft() if self._is_open else None
            return self._running


def _settle(task: _Task, found: bytes | Exception) -> None:
    """Tell whoever waits, unless nobody does any more: two threads may come with different news, and one is first."""
    with contextlib.suppress(InvalidStateError):
        if isinstance(found, Exception):
            task.answer.set_exception(found)
        else:
            task.answer.set_result(found)


class _Answers:
    """The answer to each kind of question; what is worth keeping between them is kept."""

    def __init__(self, solutions: SolutionSet, folder: Path | None) -> None:
        self._solutions, self._folder = solutions, folder
        self._classes = MagClasses()

    def to(self, question: Question) -> bytes:
        """The answer as JSON."""
        names = self._solutions.evidence.variables
        solutions = self._solutions.assume(*question.claims(names))
        document: dict[str, Any] = {
            "kind": question.kind.value,
            "suppositions": [one.document() for one in question.suppositions],
        }
        if question.kind is Kind.NEXT:
            in_classes = solutions.selection or solutions.method in ("iod", "ion")
            most = NEXT_STRUCTURES_IN_CLASSES if in_classes else NEXT_STRUCTURES
            steps = next_steps_of(solutions, NEXT_WALK, most, self._sample(solutions))
            document["next_steps"] = None if steps is None else next_steps_document(steps)
        elif question.kind is Kind.WHY:
            assert question.pair is not None, "it is checked when the question is read"
            pair = tuple(combinations(names, 2))[question.pair]
            reasons = reasons_of(solutions, within(solutions, FIGURES_SUMMARY).summary(), pair, WHY_EACH)
            document |= {"pair": question.pair, "reasons": [reason_document(one, names) for one in reasons]}
        elif question.kind is Kind.EFFECTS:
            assert question.pair is not None, "it is checked when the question is read"
            document |= {"pair": question.pair} | self._effects(solutions, tuple(combinations(names, 2))[question.pair])
        elif question.kind is Kind.GRAPHS:
            document |= self._graphs(solutions)
        else:
            document |= self._figures(solutions)
        return json.dumps(document, allow_nan=False, separators=(",", ":")).encode("ascii")

    def _figures(self, solutions: SolutionSet) -> dict[str, Any]:
        start = time.monotonic()
        summary = within(solutions, FIGURES_SUMMARY).summary()
        taken = time.monotonic() - start
        walking = FIGURES_WALK if taken > LATE else min(FIGURES_WALK, max(SHORTEST_WALK, FIGURES_AT_ONCE - taken))
        figures = figures_of(solutions, summary, walking=walking, sample=self._sample(solutions), classes=self._met())
        return {"view": figures_document(figures), "counted": _number(figures.structures)}

    def _graphs(self, solutions: SolutionSet) -> dict[str, Any]:
        budget = Budget(GRAPHS)
        summary = within(solutions, GRAPHS_SUMMARY).summary()
        figures = figures_of(
            solutions,
            summary,
            walking=max(SHORTEST_GRAPHS_WALK, (budget.left() or 0) - GRAPHS_CONFOUNDING),
            confounding=GRAPHS_CONFOUNDING,
            fairly=True,
            sample=self._sample(solutions),
            classes=self._met(),
        )
        return {"view": figures_document(figures), "counted": _counted(solutions, figures.structures, budget.left())}

    def _sample(self, solutions: SolutionSet) -> Structures | None:
        """A fair sample that is known without any work, if the structures are too many to walk."""
        known = solutions.fair_sample
        more = solutions.supposed[len(self._solutions.supposed) :]
        return self._solutions.fair_sample_with(more) if known is None else known

    @cached_property
    def _tables(self) -> dict[str, Study]:
        from weft.solutions.effect_sizes import tables_of

        return tables_of(self._solutions, folder=self._folder)

    def _effects(self, solutions: SolutionSet, pair: tuple[str, str]) -> dict[str, Any]:
        """The effects of each of a pair on the other; under suppositions by shares of the structures."""
        from weft.solutions.effect_sizes import Sizes

        names = solutions.evidence.variables
        try:
            structures = within(solutions, EFFECTS_WALK).structures
            summary = within(solutions, FIGURES_SUMMARY).summary(margins=not solutions.assumed)
            sizes = Sizes(solutions, self._tables, structures=structures, summary=summary)
            found = [sizes.of(*pair), sizes.of(*reversed(pair))]
        except WeftError as error:
            return {"effects": None, "no_effects": str(error).splitlines()[0]}
        return {"effects": [effect_document(one, names) for one in found], "no_effects": ""}

    def _met(self) -> MagClasses:
        """The equivalence classes met so far, unless they are too many to keep."""
        if len(self._classes) > KEPT_CLASSES:
            self._classes = MagClasses()
        return self._classes

    def warm_up(self) -> None:
        """Ask what pages are likely to ask first, so that the programs for it are there."""
        solutions, names = self._solutions, self._solutions.evidence.variables
        try:
            self._figures(solutions)
            if len(names) > 1:  # claims of confounding have a program of their own
                self._figures(solutions.assume(Claim(Topic.CONFOUNDED, names[0], names[1])))
        except (OutOfTime, WeftError):
            pass  # it was stopped; or it cannot be asked, and then whoever asks is told


def _counted(solutions: SolutionSet, found: Structures, seconds: float | None) -> list[Any]:
    """The number of structures, and whether it is exact; to count on is quicker than to walk them."""
    if found.fair or not seconds:
        return _number(found)
    counted = within(solutions, seconds)
    total = counted.count()
    return [max(total, found.number) if isinstance(total, int) else found.number, counted.complete]


def _number(found: Structures) -> list[Any]:
    """How many structures there are at least, and whether that is all; an estimate stands beside a sample itself."""
    return [found.total, True] if isinstance(found.total, int) else [found.number, found.complete]
