"""The cheapest known models with and without each fact, by a walk: margins where exact ones are out of reach.

The walk is that of :mod:`weft.search.annealing`. It starts from the cheapest model known, and every so often what the
model at hand shows is *recorded*: for each fact (an edge, a cause, a common cause) the cheapest model that has it, and
the cheapest that has it not. Free walks find most of what is nearly tied. Then each fact that is ahead of its opposite
is walked at by itself, with the opposite as a hard claim.

Every model that counts is paid for in full by :func:`~weft.search.repair.priced`, and looked at by graph code. So each
cost that is told is that of a real model: never less than the least there is, and nothing proves that it is the least.
Hence what the denial of a fact costs more than the cheapest model is an *upper bound* of its margin if the cheapest
model is proven to be so, and an estimate in any case.

*Rounds* have fixed lengths and fixed seeds, each twice as long as the one before; a walk that the effort does not
suffice for is not begun. So the same effort finds the same, and more effort nothing costlier.

In a round the walks at facts all begin at the same model. They are cut into jobs of a fixed length, which may run in
other processes or on a cluster (:func:`~weft.parallel.anywhere`); what they found is put together in their
order. So where they run makes no difference.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim, Topic
from weft.graphs.ancestral import doubling_of
from weft.graphs.mixed import MixedGraph
from weft.parallel import Workers, anywhere
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, Annealing, claimed_by, read_graph
from weft.search.engine import is_over
from weft.search.facts import Fact, Look, Wanted, facts_about, facts_per_pair
from weft.search.problem import Problem
from weft.search.repair import priced

if TYPE_CHECKING:
    from weft.search import annealing_kernel

FREE, AIMED = 100_000, 1_000
"""The evaluations of a free walk and of one at a fact, in the first round."""
JOB = 200_000
"""The evaluations of a job: walks at several facts, one after the other."""
FEW = 4
"""Fewer jobs than this are not worth sending anywhere."""
BURST = 50
"""So many evaluations lie between two models that are recorded."""
FREE_HEATS = (0.3, 0.2, 0.1, 0.05)
AIMED_HEATS = (0.3, 0.2, 0.12, 0.08, 0.05)
"""The heats of a walk one after the other, in mean costs of a statement."""


class Seen(NamedTuple):
    """What the cheapest known models cost in which a fact fails and holds; ``None`` where none is known."""

    without: int | None
    with_it: int | None


class Records:
    """The cheapest models with and without each fact, as the kernel has them."""

    def __init__(self, problem: Problem, least: annealing_kernel.Numbers | None = None) -> None:
        import numpy as np

        self._per_pair = facts_per_pair(problem)
        number = self._per_pair * math.comb(len(problem.names), 2)
        self.least = np.full((number, 2), -1, np.int64) if least is None else least.copy()
        """The costs of the cheapest models recorded, without and with each fact; -1 for none."""
        self.where = np.full((number, 2), -1, np.int64)
        """The numbers of these models; -1 if they were known before."""
        self.models: list[tuple[annealing_kernel.Bits, int]] = []
        """Models and their costs."""

    def note(self, graph: annealing_kernel.Bits, cost: int) -> None:
        """Record a model if it is the cheapest in anything."""
        from weft.search.annealing_kernel import record

        if record(graph, cost, self._per_pair, self.least, self.where, len(self.models)):
            self.models.append((graph.copy(), cost))

    def is_ahead(self, place: int, fact: Fact) -> bool:
        """Whether only a fact or its opposite is known to be as cheap as the cheapest model."""
        without, with_it = self.least[place]
        return bool(without != with_it) and fact.symbol != "--"


@dataclass(frozen=True)
class Round:
    """What the walks at facts of a round have in common."""

    problem: Problem
    window: int
    number: int
    best: annealing_kernel.Bits
    """The model at which they begin."""
    bottom: int
    """Its cost."""
    least: annealing_kernel.Numbers
    """What was recorded before."""

    @property
    def evaluations(self) -> int:
        """Those of one walk."""
        return AIMED << self.number


class Walked(NamedTuple):
    """What the walks of a job found."""

    models: list[tuple[annealing_kernel.Bits, int]]
    tried: list[int]
    """The places of the facts that were walked at."""


class Estimates:
    """A search for the cheapest models with and without each fact, which may stop and go on.

    Parameters
    ----------
    problem
        The softened question under its claims; see :func:`~weft.search.annealing.can_anneal`.
    start
        A cheap model, where the walks begin.
    window
        Models that cost so much more than the cheapest are recorded only for what nothing cheaper shows.
    """

    def __init__(self, problem: Problem, start: MixedGraph, window: int) -> None:
        self._problem, self._window = problem, window
        self.facts = facts_about(problem)
        self._walk = _Aimed(problem)
        self._records = Records(problem)
        self._round: Round | None = None
        self._rounds = 0
        self._waiting: list[int] = []
        """The places of the facts that the round is still to walk at."""
        self._paid: dict[int, tuple[int, MixedGraph] | None] = {}
        """The models that were paid for, with their costs."""
        self._shown: dict[Wanted, int] = {}
        """What they cost in which a fact holds, and in which it does not."""
        first = self._walk.start(1, start)
        self._best, self._bottom = first.graph.copy(), int(first.totals[_COST])
        self._records.note(first.graph, self._bottom)
        self.spent = 0
        """The effort that went into walks so far."""
        self.tried: set[Fact] = set()
        """The facts whose opposite was walked at. Of others, that no cheap denial is known says nothing."""

    @property
    def bottom(self) -> int:
        """The cost of the cheapest model."""
        return self._bottom

    # -- walking -----------------------------------------------------------------------------------------------------

    def run(self, deadline: float | None = None) -> None:
        """Walk on as long as the effort suffices; over when every fact and its opposite cost the same."""
        while not is_over(deadline):
            if self._round is None and not (self._ahead() and self._begin(deadline)):
                return
            assert self._round is not None
            walk = _effort_of(self._round.evaluations)
            affordable = int(min(len(self._waiting) * walk, max(0, effort_left()))) // walk
            if self._waiting and not affordable:
                return
            self._walk_at(self._round, self._waiting[:affordable], deadline)
            if is_over(deadline):
                return  # what was not reached is walked at when it goes on
            del self._waiting[:affordable]
            if not self._waiting:
                self._round = None

    def _begin(self, deadline: float | None) -> bool:
        """Begin a round with a free walk; whether the effort suffices."""
        evaluations = FREE << self._rounds
        cost = _effort_of(evaluations)
        if effort_left() < cost:
            return False
        model = self._walk.restart(self._rounds * (len(self.facts) + 1) + 1, self._best)
        _go(self._walk, model, FREE_HEATS, evaluations, self._records, self._bottom + self._window, deadline)
        self._take_best()
        self._spend(cost)
        self._waiting = self._ahead()
        self._round = Round(
            self._problem, self._window, self._rounds, self._best, self._bottom, self._records.least.copy()
        )
        self._rounds += 1
        return True

    def _ahead(self) -> list[int]:
        """The places of the facts that are ahead of their opposites, or behind them."""
        return [place for place, fact in enumerate(self.facts) if self._records.is_ahead(place, fact)]

    def _walk_at(self, whole: Round, places: Sequence[int], deadline: float | None) -> None:
        """Walk at facts, in jobs, and put together what they found, in their order."""
        each = max(1, JOB // whole.evaluations)
        jobs = [list(places[k : k + each]) for k in range(0, len(places), each)]
        found: dict[int, Walked] = {}
        run = anywhere if len(jobs) >= FEW else Workers().run
        for number, walked in run(partial(_walked, whole), jobs):
            found[number] = walked
            if is_over(deadline):
                break
        for number in sorted(found):
            for graph, cost in found[number].models:
                self._records.note(graph, cost)
            self.tried.update(self.facts[place] for place in found[number].tried)
            self._spend(_effort_of(whole.evaluations) * len(found[number].tried))
        self._take_best()

    def _take_best(self) -> None:
        """The cheapest model of all is where the next walks begin."""
        graph, cost = min(self._records.models, key=lambda one: one[1])
        if cost < self._bottom:
            self._best, self._bottom = graph, cost

    def _spend(self, cost: int) -> None:
        self.spent += cost
        spend(cost)

    # -- what was found ----------------------------------------------------------------------------------------------

    def seen(self) -> dict[Fact, Seen]:
        """What the cheapest known models with and without each fact cost, paid for in full."""
        self._pay()
        return {fact: Seen(self._shown.get((fact, False)), self._shown.get((fact, True))) for fact in self.facts}

    def witnesses(self) -> list[tuple[int, MixedGraph]]:
        """The models that show all of that, and what each costs; the cheapest first."""
        self._pay()
        return sorted((one for one in self._paid.values() if one is not None), key=lambda one: one[0])

    def _pay(self) -> None:
        """Pay for models until everything that was recorded is shown by one that was paid for.

        Those first that most was recorded of: most models show nothing that others do not show as cheaply.
        """
        shows: dict[int, list[tuple[int, int]]] = {}
        where = self._records.where
        for place, column in zip(*(where >= 0).nonzero(), strict=True):
            shows.setdefault(int(where[place, column]), []).append((int(place), int(column)))
        for number, entries in sorted(shows.items(), key=lambda one: (-len(one[1]), one[0])):
            if number not in self._paid and not all(self._is_shown(*entry) for entry in entries):
                self._paid[number] = self._payment(number)
                self._look(self._paid[number])

    def _is_shown(self, place: int, column: int) -> bool:
        """Whether a model that was paid for shows a fact, or that it is not so, at the cost that was recorded."""
        cost = self._shown.get((self.facts[place], column == 1))
        return cost is not None and cost <= self._records.least[place, column]

    def _look(self, paid: tuple[int, MixedGraph] | None) -> None:
        """Note what a model shows, and at what cost."""
        if paid is None:
            return
        cost, look = paid[0], Look(paid[1])
        for fact in self.facts:
            key = fact, look(fact)
            self._shown[key] = min(cost, self._shown.get(key, cost))

    def _payment(self, number: int) -> tuple[int, MixedGraph] | None:
        """A model and its cost; ``None`` if it is not allowed."""
        graph = read_graph(self._problem.names, self._records.models[number][0])
        paid = priced(self._problem, doubling_of(graph))
        return None if paid.cost is None or paid.graph is None else (paid.cost, paid.graph)


# -- one walk ----------------------------------------------------------------------------------------------------------


_COST, _FAILING, _LEAST = 0, 1, 3
"""Places in the totals of a walk (``annealing_kernel``)."""


def _effort_of(evaluations: int) -> int:
    return math.ceil(evaluations / EVALUATIONS_PER_CONFLICT)


def _walked(whole: Round, places: Sequence[int]) -> Walked:
    """A job of a round: walk at facts one after the other, unless an earlier walk has found the opposite."""
    facts, walk = facts_about(whole.problem), _Aimed(whole.problem)
    records, tried = Records(whole.problem, whole.least), []
    for place in places:
        if records.is_ahead(place, facts[place]):
            claim = facts[place].claim(whole.problem.names)
            walk.aim(claim.negated if records.least[place, 1] == whole.bottom else claim)
            model = walk.restart(whole.number * (len(facts) + 1) + place + 2, whole.best)
            _go(walk, model, AIMED_HEATS, whole.evaluations, records, whole.bottom + whole.window)
            tried.append(place)
    needed = sorted({int(number) for number in records.where.flat if number >= 0})
    return Walked([records.models[number] for number in needed], tried)


def _go(
    walk: _Aimed,
    model: annealing_kernel.Model,
    heats: Sequence[float],
    evaluations: int,
    records: Records,
    most: int,
    deadline: float | None = None,
) -> None:
    """One walk, which records models up to a cost; a stop or the deadline cuts it short."""
    bursts = max(1, evaluations // (BURST * len(heats)))
    for heat in map(walk.heat, heats):
        for burst in range(bursts):
            if burst % 256 == 255 and is_over(deadline):
                break
            walk.walk(model, heat, BURST)
            cost = int(model.totals[_COST])
            if not model.totals[_FAILING] and cost <= most:
                records.note(model.graph, cost)
    if (least := int(model.totals[_LEAST])) >= 0:
        records.note(model.best, least)


class _Aimed(Annealing):
    """Annealing with one more hard claim, which may change from walk to walk."""

    def __init__(self, problem: Problem) -> None:
        import numpy as np

        from weft.search.annealing_kernel import BOTH, FROM, HARD, TO

        anything = Claim(Topic.EDGE, problem.names[0], problem.names[1])
        super().__init__(replace(problem, claims=(*problem.claims, anything)))
        self._row = int(self._statements[0][:, HARD].sum()) - 1  # what is hard comes first, and this last of it
        self._choices = np.array([0, TO, FROM, BOTH, TO + BOTH, FROM + BOTH], np.int64)
        self.aim(None)

    def aim(self, claim: Claim | None) -> None:
        """Make a claim hard, or none."""
        from weft.search import annealing_kernel as kernel

        table, masks, within = self._statements
        asked = None if claim is None else claimed_by(claim, self._names)
        if asked is None:
            table[self._row, kernel.ALLOWED] = -1  # whatever the answer
            return
        table[self._row, : kernel.PRICE] = (getattr(kernel, asked.asks), asked.x, asked.y, asked.allowed)
        masks[self._row], within[self._row] = 0, 1 << asked.x | 1 << asked.y

    def heat(self, share: float) -> int:
        """A heat in mean costs of a statement, as the kernel takes it."""
        return max(1, round(share * self._mean * 256))

    def restart(self, seed: int, graph: annealing_kernel.Bits) -> annealing_kernel.Model:
        """Where a walk begins, with a model of the kernel."""
        return self.start(seed, read_graph(self._names, graph))
