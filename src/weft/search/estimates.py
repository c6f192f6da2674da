"""The cheapest known models with and without each fact, by a walk: margins where exact ones are out of reach.

The walk is that of :mod:`weft.search.annealing`, and every so often what the model at hand shows is *recorded*: for
each fact (an edge, a cause, a common cause) the cheapest model that has it, and the cheapest that has it not.

*Free runs* begin at the empty model, as a search for a repair does. Models that are as cheap may differ in the
direction of a dozen edges at once, and no short walk leads from one to the other; but each run ends at one of its own.
(On a public network of 37 variables with three studies of 1,000 rows, walks that all began at the cheapest model found
45 causes with a margin above 0, 13 of them wrong. In as much time 40 free runs left 6 of them, 2 wrong: to all others
they met an opposite that is as cheap.) Then each fact that is ahead of its opposite is *walked at* by itself, with the
opposite as a hard claim: from the cheapest model known that denies it, or from one of the cheapest of all, in turn.

Every model that counts is paid for in full by :func:`~weft.search.repair.priced`, and looked at by graph code. So each
cost that is told is that of a real model: never less than the least there is, and nothing proves that it is the least.
Hence what the denial of a fact costs more than the cheapest model is an *upper bound* of its margin if the cheapest
model is proven to be so, and an estimate in any case.

*Rounds* have fixed lengths and fixed seeds, each walk twice as long as in the round before; a walk that the effort does
not suffice for is not begun. So the same effort finds the same, and more effort nothing costlier.

The free runs of a round do not wait for each other, nor do its walks at facts, which are cut into jobs of a fixed
length. They may run in several threads or on a cluster (:func:`~weft.parallel.anywhere`); what they found is put
together in their order. So where they run makes no difference.
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
    from weft.search import kernel

FREE, SHORTEST, AIMED = 300, 20_000, 1_000
"""In the first round, the evaluations of a free run for each pair of variables, of the shortest one, and of a walk at a
fact."""
RUNS, FEWER = 16, 4
"""The free runs of the first round; each further one has so many times fewer."""
COOLING = 0.6
"""The share of a free run in which it cools down; what it meets after that is recorded."""
JOB = 200_000
"""The evaluations of a job: walks at several facts, one after the other."""
FEW = 4
"""Fewer jobs than this are not worth sending anywhere."""
BURST = 50
"""So many evaluations lie between two models that are recorded."""
FREE_HEATS = (0.2, 0.1, 0.05)
AIMED_HEATS = (0.3, 0.2, 0.12, 0.08, 0.05)
"""The heats of a walk one after the other, in mean costs of a statement."""


class Seen(NamedTuple):
    """What the cheapest known models cost in which a fact fails and holds; ``None`` where none is known."""

    without: int | None
    with_it: int | None


class Records:
    """The cheapest models with and without each fact, as the kernel has them."""

    def __init__(self, problem: Problem, least: kernel.Numbers | None = None) -> None:
        import numpy as np

        self._per_pair = facts_per_pair(problem)
        number = self._per_pair * math.comb(len(problem.names), 2)
        self.least = np.full((number, 2), -1, np.int64) if least is None else least.copy()
        """The costs of the cheapest models recorded, without and with each fact; -1 for none."""
        self.where = np.full((number, 2), -1, np.int64)
        """The numbers of these models; -1 if they were known before."""
        self.models: list[tuple[kernel.Bits, int]] = []
        """Models and their costs."""

    def note(self, graph: kernel.Bits, cost: int) -> None:
        """Record a model if it is the cheapest in anything."""
        from weft.search.kernel import record

        if record(graph, cost, self._per_pair, self.least, self.where, len(self.models)):
            self.models.append((graph.copy(), cost))

    def is_ahead(self, place: int, fact: Fact) -> bool:
        """Whether only a fact or its opposite is known to be as cheap as the cheapest model."""
        without, with_it = self.least[place]
        return bool(without != with_it) and fact.symbol != "--"


class Walk(NamedTuple):
    """A free run, or a walk at a fact."""

    place: int
    """Of the fact among all facts; of a free run among those of its stage."""
    start: kernel.Bits | None = None
    """Where it begins; a free run at the empty model."""


@dataclass(frozen=True)
class Stage:
    """What walks that do not wait for each other have in common: the free runs of a round, or its walks at facts."""

    problem: Problem
    window: int
    number: int
    """Rounds and stages are counted from 0; each round has two stages."""
    bottom: int
    """The cost of the cheapest model known."""
    least: kernel.Numbers
    """What was recorded before."""

    @property
    def is_free(self) -> bool:
        """Whether these are free runs."""
        return self.number % 2 == 0

    @property
    def round(self) -> int:
        """The number of its round."""
        return self.number // 2

    @property
    def evaluations(self) -> int:
        """Those of one walk."""
        free = max(SHORTEST, FREE * math.comb(len(self.problem.names), 2))
        return (free if self.is_free else AIMED) << self.round

    @property
    def effort(self) -> int:
        """What one walk takes."""
        return math.ceil(self.evaluations / EVALUATIONS_PER_CONFLICT)


class Walked(NamedTuple):
    """What the walks of a job found."""

    models: list[tuple[kernel.Bits, int]]
    places: list[int]
    """Of the walks that were made."""


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
        self._records = Records(problem)
        self._stages = 0
        self._stage: Stage
        self._waiting: list[Walk] = []
        """What is still to be walked in this stage."""
        self._paid: dict[int, tuple[int, MixedGraph] | None] = {}
        """The models that were paid for, with their costs."""
        self._shown: dict[Wanted, int] = {}
        """What they cost in which a fact holds, and in which it does not."""
        first = _Aimed(problem).start(1, start)
        self._records.note(first.graph, int(first.totals[_COST]))
        self.spent = 0
        """The effort that went into walks so far."""
        self.tried: set[Fact] = set()
        """The facts whose opposite was walked at. Of others, that no cheap denial is known says nothing."""

    @property
    def bottom(self) -> int:
        """The cost of the cheapest model."""
        return min(cost for _, cost in self._records.models)

    # -- walking -----------------------------------------------------------------------------------------------------

    def run(self, deadline: float | None = None) -> None:
        """Walk on as long as the effort suffices; over when every fact and its opposite cost the same."""
        while not is_over(deadline):
            if not self._waiting:
                if not self._ahead():
                    return
                self._begin()
            affordable = int(min(len(self._waiting) * self._stage.effort, max(0, effort_left()))) // self._stage.effort
            if not affordable:
                return
            self._walk_on(self._waiting[:affordable], deadline)
            if is_over(deadline):
                return  # what was not reached is walked when it goes on
            del self._waiting[:affordable]

    def _begin(self) -> None:
        """Begin the next stage."""
        stage = Stage(self._problem, self._window, self._stages, self.bottom, self._records.least.copy())
        if stage.is_free:
            self._waiting = [Walk(run) for run in range(max(1, RUNS // FEWER**stage.round))]
        else:
            self._waiting = self._at_facts(stage)
        self._stage, self._stages = stage, self._stages + 1

    def _ahead(self) -> list[int]:
        """The places of the facts that are ahead of their opposites, or behind them."""
        return [place for place, fact in enumerate(self.facts) if self._records.is_ahead(place, fact)]

    def _at_facts(self, stage: Stage) -> list[Walk]:
        """The walks at the facts that are ahead: from what denies them, in every other round, or from the cheapest."""
        models = self._records.models
        cheapest = [graph for graph, cost in models if cost == stage.bottom]
        walks = []
        for place in self._ahead():
            known = int(self._records.where[place, _denying(stage, self._records, place)])
            from_known = known >= 0 and stage.round % 2 == 0
            walks.append(Walk(place, models[known][0] if from_known else cheapest[place % len(cheapest)]))
        return walks

    def _walk_on(self, walks: Sequence[Walk], deadline: float | None) -> None:
        """Walk, in jobs, and put together what they found, in their order."""
        stage, each = self._stage, max(1, JOB // self._stage.evaluations)
        jobs = [list(walks[k : k + each]) for k in range(0, len(walks), each)]
        found: dict[int, Walked] = {}
        run = anywhere if len(jobs) >= FEW else Workers().run
        for number, walked in run(partial(_walked, stage), jobs):
            found[number] = walked
            if is_over(deadline):
                break
        for number in sorted(found):
            for graph, cost in found[number].models:
                self._records.note(graph, cost)
            if not stage.is_free:
                self.tried.update(self.facts[place] for place in found[number].places)
            cost = stage.effort * len(found[number].places)
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
"""Places in the totals of a walk (``kernel``)."""


def _denying(stage: Stage, records: Records, place: int) -> int:
    """The column of the opposite of a fact that is ahead: 0 for that it is not so."""
    return 0 if records.least[place, 1] == stage.bottom else 1


def _walked(stage: Stage, walks: Sequence[Walk]) -> Walked:
    """A job of a stage: one walk after the other; none at a fact whose opposite an earlier one has found."""
    facts, walk = facts_about(stage.problem), _Aimed(stage.problem)
    records, places = Records(stage.problem, stage.least), []
    for one in walks:
        seed = stage.number * (len(facts) + RUNS) + one.place + 2
        if one.start is None:
            model = walk.start(seed)
            walk.cool(model, round(COOLING * stage.evaluations))
            _go(walk, model, FREE_HEATS, round((1 - COOLING) * stage.evaluations), records, stage)
        elif records.is_ahead(one.place, facts[one.place]):
            claim = facts[one.place].claim(stage.problem.names)
            walk.aim(claim if _denying(stage, records, one.place) else claim.negated)
            _go(walk, walk.restart(seed, one.start), AIMED_HEATS, stage.evaluations, records, stage)
        else:
            continue
        places.append(one.place)
    needed = sorted({int(number) for number in records.where.flat if number >= 0})
    return Walked([records.models[number] for number in needed], places)


def _go(
    walk: _Aimed,
    model: kernel.Model,
    heats: Sequence[float],
    evaluations: int,
    records: Records,
    stage: Stage,
) -> None:
    """Walk, and record models that do not cost too much."""
    bursts = max(1, evaluations // (BURST * len(heats)))
    for heat in map(walk.heat, heats):
        for _ in range(bursts):
            walk.walk(model, heat, BURST)
            cost = int(model.totals[_COST])
            if not model.totals[_FAILING] and cost <= stage.bottom + stage.window:
                records.note(model.graph, cost)
    if (least := int(model.totals[_LEAST])) >= 0:
        records.note(model.best, least)


class _Aimed(Annealing):
    """Annealing with one more hard claim, which may change from walk to walk."""

    def __init__(self, problem: Problem) -> None:
        import numpy as np

        from weft.search.kernel import BOTH, FROM, HARD, TO

        anything = Claim(Topic.EDGE, problem.names[0], problem.names[1])
        super().__init__(replace(problem, claims=(*problem.claims, anything)))
        self._row = int(self._statements[0][:, HARD].sum()) - 1  # what is hard comes first, and this last of it
        self._usual, self._doubled = self._choices, np.array([0, TO, FROM, BOTH, TO + BOTH, FROM + BOTH], np.int64)
        self.aim(None)

    def aim(self, claim: Claim | None) -> None:
        """Make a claim hard, or none.

        Two edges at once between a pair are proposed only where they matter: they make a walk much longer.
        """
        from weft.search import kernel as kernel

        table, masks, within = self._statements
        asked = None if claim is None else claimed_by(claim, self._names)
        self._choices = self._doubled if claim is not None and claim.topic is Topic.CONFOUNDED else self._usual
        if asked is None:
            table[self._row, kernel.ALLOWED] = -1  # whatever the answer
            return
        table[self._row, : kernel.PRICE] = (getattr(kernel, asked.asks), asked.x, asked.y, asked.allowed)
        masks[self._row], within[self._row] = 0, 1 << asked.x | 1 << asked.y

    def heat(self, share: float) -> int:
        """A heat in mean costs of a statement, as the kernel takes it."""
        return max(1, round(share * self._mean * 256))

    def restart(self, seed: int, graph: kernel.Bits) -> kernel.Model:
        """Where a walk begins, with a model of the kernel."""
        return self.start(seed, read_graph(self._names, graph))
