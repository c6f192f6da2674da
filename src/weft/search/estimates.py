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
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING, NamedTuple

from weft.effort import current_effort
from weft.evidence.claims import Claim, Topic
from weft.graphs.ancestral import doubling_of
from weft.graphs.mixed import MixedGraph
from weft.search.annealing import EVALUATIONS_PER_CONFLICT, Annealing, claimed_by, read_graph
from weft.search.engine import is_over
from weft.search.facts import Fact, Look, Wanted, facts_about
from weft.search.problem import Problem
from weft.search.repair import priced

if TYPE_CHECKING:
    from weft.search import annealing_kernel

FREE, AIMED = 100_000, 1_000
"""The evaluations of a free walk and of one at a fact, in the first round."""
BURST = 50
"""So many evaluations lie between two models that are recorded."""
FREE_HEATS = (0.3, 0.2, 0.1, 0.05)
AIMED_HEATS = (0.3, 0.2, 0.12, 0.08, 0.05)
"""The heats of a walk one after the other, in mean costs of a statement."""


class Seen(NamedTuple):
    """What the cheapest known models cost in which a fact fails and holds; ``None`` where none is known."""

    without: int | None
    with_it: int | None


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
        import numpy as np

        self._problem, self._window = problem, window
        self.facts = tuple(facts_about(len(problem.names), selection=problem.selection))
        self._walk = _Aimed(problem)
        self._least = np.full((len(self.facts), 2), -1, np.int64)
        """The costs of the cheapest models recorded, without and with each fact; -1 for none."""
        self._where = np.full((len(self.facts), 2), -1, np.int64)
        """The numbers of these models."""
        self._models: list[annealing_kernel.Bits] = []
        self._legs = self._planned()
        self._leg: tuple[int, Fact | None, bool, int] | None = None
        """The next walk: its seed, the fact and the value that it is to find (if any), and its evaluations."""
        self._paid: dict[int, tuple[int, MixedGraph] | None] = {}
        """The models that were paid for, with their costs."""
        self._shown: dict[Wanted, int] = {}
        """What they cost in which a fact holds, and in which it does not."""
        first = self._walk.start(1, start)
        self._record(first.graph, int(first.totals[_COST]))
        self._best = first.graph.copy()
        self._bottom = int(first.totals[_COST])
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
        """Walk on as long as the effort suffices."""
        while not is_over(deadline):
            self._leg = next(self._legs, None) if self._leg is None else self._leg
            if self._leg is None:
                return
            seed, fact, value, evaluations = self._leg
            effort, cost = current_effort(), math.ceil(evaluations / EVALUATIONS_PER_CONFLICT)
            if effort is not None and effort.left < cost:
                return
            self._go(seed, fact, value, evaluations, deadline)
            self.spent += cost
            if fact is not None:
                self.tried.add(fact)
            if effort is not None:
                effort.spend(cost)
            self._leg = None

    def _planned(self) -> Iterator[tuple[int, Fact | None, bool, int]]:
        """The walks, one after the other; over when every fact and its opposite cost the same."""
        seeds = count(1)
        for length in count():
            if not self._ahead():
                return
            yield next(seeds), None, True, FREE << length
            for place in self._ahead():
                if self._is_ahead(place):  # an earlier walk may have found its opposite
                    holds = self._least[place, 1] == self._bottom
                    yield next(seeds), self.facts[place], not holds, AIMED << length

    def _ahead(self) -> list[int]:
        return [place for place in range(len(self.facts)) if self._is_ahead(place)]

    def _is_ahead(self, place: int) -> bool:
        """Whether only a fact or its opposite is known to be as cheap as the cheapest model."""
        without, with_it = self._least[place]
        return bool(without != with_it) and self.facts[place].symbol != "--"

    def _go(self, seed: int, fact: Fact | None, value: bool, evaluations: int, deadline: float | None) -> None:
        """One walk from the cheapest model; a stop or the deadline cuts it short."""
        self._walk.aim(None if fact is None else self._claim(fact, value))
        model = self._walk.restart(seed, self._best)
        heats = FREE_HEATS if fact is None else AIMED_HEATS
        bursts = max(1, evaluations // (BURST * len(heats)))
        for heat in heats:
            whole = self._walk.heat(heat)
            for burst in range(bursts):
                if burst % 256 == 255 and is_over(deadline):
                    break
                self._walk.walk(model, whole, BURST)
                cost = int(model.totals[_COST])
                if not model.totals[_FAILING] and cost <= self._bottom + self._window:
                    self._record(model.graph, cost)
        least = int(model.totals[_LEAST])
        if least >= 0:
            self._record(model.best, least)
        if 0 <= least < self._bottom:
            self._bottom, self._best = least, model.best.copy()

    def _claim(self, fact: Fact, value: bool) -> Claim:
        claim = fact.claim(self._problem.names)
        return claim if value else claim.negated

    def _record(self, graph: annealing_kernel.Bits, cost: int) -> None:
        from weft.search.annealing_kernel import record

        per_pair = 8 if self._problem.selection else 7
        if record(graph, cost, per_pair, self._least, self._where, len(self._models)):
            self._models.append(graph.copy())

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
        for place, column in zip(*(self._where >= 0).nonzero(), strict=True):
            shows.setdefault(int(self._where[place, column]), []).append((int(place), int(column)))
        for number, entries in sorted(shows.items(), key=lambda one: (-len(one[1]), one[0])):
            if number not in self._paid and not all(self._is_shown(*entry) for entry in entries):
                self._paid[number] = self._payment(number)
                self._look(self._paid[number])

    def _is_shown(self, place: int, column: int) -> bool:
        """Whether a model that was paid for shows a fact, or that it is not so, at the cost that was recorded."""
        cost = self._shown.get((self.facts[place], column == 1))
        return cost is not None and cost <= self._least[place, column]

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
        graph = read_graph(self._problem.names, self._models[number])
        paid = priced(self._problem, doubling_of(graph))
        return None if paid.cost is None or paid.graph is None else (paid.cost, paid.graph)


_COST, _FAILING, _LEAST = 0, 1, 3
"""Places in the totals of a walk (``annealing_kernel``)."""


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
