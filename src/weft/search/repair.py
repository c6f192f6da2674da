"""The best way out of a contradiction: which statements to give up so that the others can hold together.

Every statement with a weight may be given up at that weight; those without one (what an expert or an experiment says)
are hard. The *cost* of a latent-variable model is the total weight of the statements that do not hold in it. The answer
is all MAGs with a model of least cost; with a *slack*, all that cost at most so much more. If the statements do not
contradict each other the least cost is 0, and the answer is that of the hard problem.

How it is found:

- *from above*: annealing (:mod:`weft.search.annealing`) finds good models, of large problems too;
- *from below, by cores* (:mod:`weft.search.cores`), where nearly all statements speak of few variables each: a core is
  a small set of statements that cannot hold together. Every model gives up one of each core. So give up the cheapest
  set that hits all cores that are known (:mod:`weft.search.hitting`) and ask for a model of the rest. If there is one,
  it is a best one; else there are further cores. What hits them all at the same cost is asked about last, so that all
  best repairs are known;
- *from below, by levels*, elsewhere: the solver is asked for a model that costs at most so much, a quarter of the best
  known, then half, then more (:data:`LEVELS`). Statements that cost more than that are hard in this question, which
  leaves little to search. If there is no such model, every model costs more; if there is one, it is better than the
  best known. Last, the solver is asked for any *other* repair that costs no more than the best: if there is none, the
  best is proven, and it is the only one. Where statements speak of separations alone, one graph of all with the same
  separations is enough.

The two take turns, each time twice as long. The turns do not depend on the effort: with more of it the same is done
first, so more effort finds nothing worse. If it runs out before the two meet, both bounds are reported. A statement's
rules are grounded when a model fails it (see :mod:`weft.search.program`).

Cores or levels: on 12 problems of 20 variables with ten wrong statements, cores proved all in 1 to 11 s of processor
time; levels proved 5 of 8 in 2 to 54 s, and the others not in 70 s. On 18 problems of 11 variables levels are done
sooner as a rule (a second, where cores take 1.5), but on 2 of them not in 20 s, where cores take 4 and 5. Where most
statements say that a pair is apart in a study, and so speak of all its variables, cores are large: on evidence of that
kind about 15 variables the same effort raised the bound to 3.8 by cores and 6.9 by levels.

(Tried, and left out: *neighbourhoods*, in which the solver may change the edges among some vertices of the best model
and the rest stays. On eight problems of 20 variables with ten wrong statements, 40 neighbourhoods of 11 vertices each
around what was given up had nothing cheaper than what annealing had found; that is proven in a second. *Cores as the
solver names them*, of 20 to 80 statements: 7 of 9 problems of 11 and 15 variables not proven in 30 s. Shrunk with all
variables in the program they are as good as those of few variables, but that takes ten times as long.)

Small problems are first given to the solver's own optimisation for a moment (and those that are too large to be
annealed, for good). The statements are weak constraints (``cheapest`` in ``consistency.lp``), and clingo minimises what
they cost with unsatisfiable cores, heavy statements first.

Weights are compared in thousandths (see :mod:`weft.search.scale`), and what was given up is reported with its own
weight. **A statement of weight 0 says nothing**: to violate it costs nothing, so it is left out before anything else
and is never reported as given up. "Exactly the hard answer" is therefore meant for positive weights.

References
----------
Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012.
Hyttinen, Eberhardt and Jarvisalo, *Constraint-based causal discovery: conflict resolution with answer set
programming*, UAI 2014 (statements as weighted soft constraints).
Davies and Bacchus, *Solving MAXSAT by solving a sequence of simpler SAT instances*, CP 2011 (implicit hitting sets).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from weft.effort import portion
from weft.evidence.claims import Topic
from weft.evidence.statements import Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.search.annealing import Annealing, can_anneal
from weft.search.cores import Answer, Cores, are_local
from weft.search.cutting import may_be_cut
from weft.search.engine import OutOfTime, is_over
from weft.search.hitting import HittingSets
from weft.search.problem import Problem, Softness, StatementKey, claims_hold
from weft.search.program import Found, Program, Status, speaks_of_separations
from weft.search.scale import Scale

LARGE = 12
"""From so many variables on, a problem is annealed at once; below, the solver is often done before."""

GLANCE = 1_000
"""Conflicts that are spent at most on finding out that nothing contradicts, before anything else: as many as the first
annealing takes, which finds a model that costs nothing but proves nothing of others."""

SOON = 300
"""Conflicts that are spent at most on the solver's own optimisation of a problem that can be annealed."""

MANY = 11
"""From so many variables on cores are looked for."""

FEWER = 0.8
"""If no more than this share of the statements that may be given up still may be, programs are made anew."""

TURN = 4_000
"""Conflicts of the solver's turn after the first annealing; each further turn is twice as long."""

TURN_HITTING = 16_000
"""The same for cores and hitting sets, which find good models too, so that there is less to anneal for."""

TURNS = 4
"""So many runs of annealing at most; then all turns are the solver's."""

LEVELS = (0.25, 0.5, 0.75)
"""The shares of the best known cost that the solver is asked about before it is asked about all of it."""

SURPRISING = 0.01
"""Costs that are less probable are."""

OPTIMISATION = ("--opt-strategy=usc,oll,stratify", "--heuristic=Vmtf", "--strengthen=local")
"""How clingo optimises: cores, heavy statements first. Other strategies are 3 to 10 times slower here."""

SEARCH = ("--heuristic=Vmtf",)
"""How clingo looks for a model of some cost."""


@dataclass(frozen=True)
class Repair:
    """What was given up so that the rest can hold together."""

    cost: float | None
    """The total weight of the statements given up in the best solution found.

    ``None`` if there is no solution whatever is given up, or (where not :attr:`proven`) none was found in time.
    """
    bound: float
    """No solution costs less."""
    proven: bool
    """Whether the cost is the least there is (or, if there is no cost, that the hard statements cannot hold)."""
    given_up: tuple[Statement, ...] = ()
    """The statements that do not hold in the best solution found."""
    always: tuple[Statement, ...] = ()
    """Those given up in every optimal solution, as far as is known."""
    sometimes: tuple[Statement, ...] = ()
    """Those given up in at least one optimal solution, as far as is known."""
    unique: bool | None = None
    """Whether all optimal solutions give up the same statements; ``None`` if that is not known."""
    graph: MixedGraph | None = field(default=None, repr=False)
    """The best solution found."""
    slack: float = 0.0
    """How much more than the cost other solutions may cost: the slack, or what the coverage asks for."""
    chance: float | None = field(default=None, compare=False)
    """How probable a cost this large is, if the weights are right (:mod:`weft.search.coverage`)."""
    usual: float | None = field(default=None, compare=False)
    """What the truth would cost on average, if the weights are right."""

    def __repr__(self) -> str:
        cost = "no solution" if self.cost is None else f"cost {self.cost:.3g}"
        proven = "" if self.proven else ", not proven"
        return f"<Repair: {cost}, {len(self.given_up)} statements given up{proven}>"

    @property
    def surprising(self) -> bool:
        """Whether the statements contradict each other more than their own error rates allow."""
        return self.chance is not None and self.chance < SURPRISING


class Optimum(NamedTuple):
    """A repair in the terms of the engine: costs as the solver adds them up, statements by their keys."""

    cost: int | None
    bound: int
    proven: bool
    given_up: frozenset[StatementKey]
    always: frozenset[StatementKey]
    sometimes: frozenset[StatementKey]
    settled: bool
    """Whether ``always`` and ``sometimes`` are exact."""
    graph: MixedGraph | None


_NOTHING: frozenset[StatementKey] = frozenset()
UNKNOWN = Optimum(None, 0, False, _NOTHING, _NOTHING, _NOTHING, False, None)
"""Before anything has been looked for."""


class Priced(NamedTuple):
    """A model and what it costs; ``None`` if a hard statement fails in it."""

    cost: int | None
    given_up: frozenset[StatementKey]
    graph: MixedGraph | None


NOT_ALLOWED = Priced(None, _NOTHING, None)


def priced(problem: Problem, model: MixedGraph) -> Priced:
    """A model paid for in full. If it is not maximal, its MAG is taken instead, which has the same separations."""
    mag = marginal_mag(model, problem.names)
    model = model if model.undoubled() == mag else mag
    failing = frozenset(key for key, one in problem.statements.items() if not one.holds_in(model, mag))
    if not failing <= problem.costs.keys() or not claims_hold(problem.claims, model, mag):
        return NOT_ALLOWED
    return Priced(sum(problem.costs[key] for key in failing), failing, model)


def softened(problem: Problem) -> tuple[Problem, Scale]:
    """The problem with a cost for each statement that has a weight, and the scale of the costs.

    Statements of weight 0 are left out.
    """
    kept = problem.without([key for key, statement in problem.statements.items() if statement.origin.weight == 0])
    weights = {
        key: weight for key, statement in kept.statements.items() if (weight := statement.origin.weight) is not None
    }
    scale = Scale.of(weights.values())
    return replace(kept, soft=Softness({key: scale.cost(weight) for key, weight in weights.items()})), scale


def repair(problem: Problem, deadline: float | None = None) -> Repair:
    """The least that must be given up of a problem's statements, each at the weight that it came with.

    Parameters
    ----------
    problem
        The question; its claims are hard.
    deadline
        When to stop (of ``time.monotonic``), with the best found so far.

    Examples
    --------
    >>> from weft.evidence.statements import Connected, Evidence, Scope, Separated
    >>> studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    >>> says = (Connected("a", "X", "Y", weight=3.0), Separated("X", "Y", frozenset(), ("b",), weight=1.5))
    >>> found = repair(Problem.of(Evidence(studies, says), "iod"))
    >>> found.cost, found.proven, found.unique, *map(str, found.given_up)
    (1.5, True, True, "X and Y are separated in study 'b'")
    """
    soft, scale = softened(problem)
    return in_words(soft, optimum(soft, deadline), scale)


def in_words(problem: Problem, found: Optimum, scale: Scale) -> Repair:
    """An optimum of a softened problem with weights and statements."""
    same = found.always == found.sometimes

    def origins(keys: Collection[StatementKey]) -> tuple[Statement, ...]:
        return tuple(statement.origin for key, statement in problem.statements.items() if key in keys)

    given_up = origins(found.given_up)
    cost = None if found.cost is None else math.fsum(one.weight or 0.0 for one in given_up)
    bound = scale.weight(found.bound)
    return Repair(
        cost,
        bound if cost is None else cost if found.proven else min(bound, cost),
        found.proven,
        given_up,
        origins(found.always),
        origins(found.sometimes),
        None if found.cost is None or not found.proven else False if not same else True if found.settled else None,
        found.graph,
    )


def within(problem: Problem, found: Optimum, allowed: int | None = None) -> Problem:
    """The question whose solutions cost at most what is allowed: as little as the best that was found, if not given.

    What is given up in every solution is left out, and what is given up in none is hard, as far as that is known: the
    solutions are the same, and there is less to search.
    """
    assert found.cost is not None
    costs, allowed = problem.costs, found.cost if allowed is None else allowed
    dropped = _NOTHING
    soft = frozenset(key for key, cost in costs.items() if cost <= allowed)
    if allowed == found.cost and found.proven and found.settled:
        dropped, soft = found.always, found.sometimes - found.always
        allowed -= sum(costs[key] for key in dropped)
    kept = problem.without(dropped)
    if not soft:
        return kept
    return replace(kept, soft=Softness({key: costs[key] for key in kept.statements if key in soft}, allowed))


def optimum(problem: Problem, deadline: float | None = None) -> Optimum:
    """The least cost of a softened problem under its claims, and what is given up for it."""
    return Optimisation(problem).run(deadline)


class Optimisation:
    """A search for the least cost of a softened problem under its claims, which may stop and go on.

    Parameters
    ----------
    problem
        The question.
    keeping_one_of
        If given: only solutions in which one of these statements at least holds are looked for; then no more is found
        out about the other solutions that are as good.
    """

    def __init__(self, problem: Problem, keeping_one_of: Collection[StatementKey] = ()) -> None:
        self.found = UNKNOWN
        """What is known by now; the same object until more is."""
        self._problem = problem
        self._keeping = frozenset(keeping_one_of)
        self._hide = any(claim.topic is Topic.CONFOUNDED and claim.holds for claim in problem.claims)
        self._optimising: Program | None = None
        self._asking: tuple[int, Program, list[int]] | None = None
        """The level that is asked about, its program, and what is assumed there."""
        self._can_anneal = can_anneal(problem)
        self._annealing: Annealing | None = None
        self._runs = 0
        """How many runs of annealing there were."""
        self._turn = GLANCE
        """The conflicts that are left of the solver's turn."""
        many = bool(problem.costs) and len(problem.names) >= MANY
        self._can_hit = many and may_be_cut(problem, problem.claims) and are_local(problem)
        self._hitting: tuple[Cores, HittingSets] | None = None
        """The cores that are known, where they can be looked for."""
        self._soon = SOON if self._can_anneal and len(problem.names) < LARGE else 0
        self._others: tuple[frozenset[StatementKey], frozenset[StatementKey]] | None = None
        """What is given up in all and in some of the best repairs known, once there are two."""

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to find out."""
        found = self.found
        return found.proven and (found.cost is None or found.settled or bool(self._keeping))

    def take_over(self, found: Optimum) -> None:
        """Go on from what another search found. What is not proven is only a place to start from."""
        costs = self._problem.costs
        known = found.given_up | found.always | found.sometimes <= costs.keys()  # else it was among other statements
        if found.proven and known and found.cost in (None, sum(costs[key] for key in found.given_up)):
            self.found = found
        elif found.graph is not None and set(found.graph.names) == set(self._problem.names):
            self._learn(self._priced(found.graph))

    def run(self, deadline: float | None = None) -> Optimum:
        """Look on until the deadline; what was found is kept."""
        while not (self.is_over or is_over(deadline)):
            glanced = self._turn <= 0 or self.found.bound > 0
            if self.found.proven:
                self._learn_others(deadline)
                break
            if glanced and not self._can_anneal:
                (self._hit if self._can_hit else self._optimise)(deadline)
            elif glanced and self._soon > 0:
                with portion(1.0, self._soon):
                    self._optimise(deadline)
                self._soon = 0
            elif glanced and self._runs < TURNS and (self._turn <= 0 or self._runs == 0):
                if not self._anneal(deadline):
                    break
            else:
                self._take_turn(deadline, self._hit if glanced and self._can_hit else self._search)
        return self.found

    def _take_turn(self, deadline: float | None, look: Callable[[float | None], None]) -> None:
        """Let the solver look until its turn is over."""
        with portion(1.0, None if self._runs >= TURNS else self._turn) as effort:
            before = 0 if effort is None else effort.left
            look(deadline)
            self._turn -= 0 if effort is None else before - effort.left

    def _anneal(self, deadline: float | None) -> bool:
        """Look for good models in one run of annealing; whether the effort sufficed for it."""
        if self._annealing is None:
            self._annealing = Annealing(self._problem, self._keeping)
        for annealed in self._annealing.run(deadline, runs=1):
            self._learn(self._priced(annealed.model))
        if self._annealing.runs == self._runs:
            return False
        self._runs = self._annealing.runs
        self._turn = (TURN_HITTING if self._can_hit else TURN) << self._runs
        self._compare()
        return True

    def _hit(self, deadline: float | None) -> None:
        """Give up as little as hits all cores that are known, and ask for a model of the rest.

        If there is none, more is given up, all of the new cores, and so on until there is a model: this finds cores
        that have nothing in common, and a model that may be better than the best.
        """
        cores, hits = self._opened_to_hit()
        try:
            hit = hits.cheapest(deadline)
        except OutOfTime:
            return
        if hit is None:
            self._prove()
            return
        self._raise_bound(sum(self._problem.costs[key] for key in hit))
        while not self.found.proven:
            answer = cores.ask(hit, deadline)
            if answer.model is not None:
                self._take(self._priced(answer.model))
            if answer.status is not Status.NONE:
                return
            for core in answer.cores:
                hits.add(core)
                hit |= core
            if frozenset() in answer.cores:  # what is hard cannot hold, whatever is given up
                self._prove()

    def _opened_to_hit(self) -> tuple[Cores, HittingSets]:
        """The cores that are known, and what finds more; what costs more than the best known is hard there.

        It is opened anew, with the cores that are known, where a better model makes much more hard.
        """
        cost = self.found.cost
        problem = self._problem if cost is None else within(self._problem, UNKNOWN._replace(cost=cost))
        if self._hitting is None or len(problem.costs) <= FEWER * len(self._hitting[1].costs):
            hits = HittingSets(problem.costs, self._keeping)
            for core in () if self._hitting is None else self._hitting[1].cores:
                hits.add(core & problem.costs.keys())
            self._hitting = Cores(problem, hide=self._hide), hits
        return self._hitting

    def _optimise(self, deadline: float | None) -> None:
        """Ground what the cheapest models fail, until one that is paid for in full costs no more than the bound."""
        program, assumed = self._opened_to_optimise()
        while not self.found.proven:
            cheapest = program.cheapest(assumed, deadline)
            for model in cheapest.models:
                self._learn(self._priced(model))
            self._raise_bound(cheapest.bound)
            if cheapest.status is Status.OUT_OF_TIME:
                return
            if cheapest.status is Status.NONE:
                self._prove()
            program.ground(cheapest.missing)

    def _search(self, deadline: float | None) -> None:
        """Ask for a model of the level that is due, until the solver's turn is over."""
        level = self._level
        program, assumed = self._opened(level)
        differing = level == self.found.cost
        if differing:  # from the best: one that costs less keeps something that the best gives up, as another does
            assumed = [*assumed, *_one_at_least(program, self.found.given_up)]
        found = program.find(assumed, deadline)
        if found.graph is not None:
            self._take(self._priced(found.graph))
        elif found.status is Status.NONE and differing:
            self._prove()
            self.found = self.found._replace(settled=True)
        elif found.status is Status.NONE and level >= sum(self._problem.costs.values()):
            self._prove()
        elif found.status is Status.NONE:
            self._raise_bound(level + 1)

    @property
    def _level(self) -> int:
        """The cost of the models that the solver is to look for next, at most."""
        cost, bound = self.found.cost, self.found.bound
        if bound == 0:
            return 0
        if cost is None:
            return sum(self._problem.costs.values())
        following = (level for share in LEVELS if bound <= (level := int(share * cost)))
        return next(following, cost - 1 if self._keeping or self._others else cost)

    def _opened(self, level: int) -> tuple[Program, list[int]]:
        """The program of the models that cost at most so much, which stays warm, and what is assumed."""
        if self._asking is None or self._asking[0] != level:
            narrowed = within(self._problem, UNKNOWN._replace(cost=level))
            canonical = speaks_of_separations(narrowed) and not self._hide
            program = Program(narrowed, hide_everywhere=self._hide, canonical=canonical, options=SEARCH)
            if level and len(narrowed.names) < LARGE:  # all rules at once: they cost little, and save most conflicts
                program.ground_everything()
            assumed = program.assumptions(self._problem.claims)
            self._asking = level, program, [*assumed, *_one_at_least(program, self._keeping)]
        return self._asking[1:]

    def _take(self, priced: Priced) -> None:
        """Take a solution that is better than the best so far, or note what another gives up that is as good."""
        if priced.cost is not None and priced.cost == self.found.cost:
            always, sometimes = self._others or (self.found.given_up, self.found.given_up)
            self._others = always & priced.given_up, sometimes | priced.given_up
        self._learn(priced)
        self._compare()

    def _raise_bound(self, bound: int) -> None:
        """No solution costs less."""
        if bound > self.found.bound:
            self.found = self.found._replace(bound=bound)
        self._compare()

    def _compare(self) -> None:
        """Take the best for proven if it costs no more than any solution must."""
        if self.found.cost is not None and self.found.cost <= self.found.bound:
            self._prove()

    def _prove(self) -> None:
        """Take what was found for the best that there is."""
        given_up = self.found.given_up
        always, sometimes = (_NOTHING, _NOTHING) if self._keeping else self._others or (given_up, given_up)
        self.found = self.found._replace(proven=True, always=always, sometimes=sometimes, settled=self.found.cost == 0)

    def _opened_to_optimise(self) -> tuple[Program, list[int]]:
        """The program that optimises, which stays warm, and what is assumed."""
        if self._optimising is None:
            self._optimising = Program(self._problem, optimise=True, hide_everywhere=self._hide, options=OPTIMISATION)
            self._assumed = self._optimising.assumptions(self._problem.claims)
            if self._keeping:
                switches = (self._optimising.switches[key] for key in sorted(self._keeping))
                self._assumed.append(self._optimising.any_of(switches))
        return self._optimising, self._assumed

    def _learn(self, priced: Priced) -> None:
        """Take a solution that is better than the best so far."""
        if priced.cost is not None and (self.found.cost is None or priced.cost < self.found.cost):
            self.found = self.found._replace(cost=priced.cost, given_up=priced.given_up, graph=priced.graph)
            self._others = None

    def _priced(self, model: MixedGraph) -> Priced:
        """A model paid for in full, if one of the statements to be kept holds in it."""
        found = priced(self._problem, model)
        return NOT_ALLOWED if self._keeping and found.given_up.issuperset(self._keeping) else found

    def _learn_others(self, deadline: float | None) -> None:
        """Find what is given up in all and in some of the solutions that cost no more than the optimum.

        One program asks again and again for a solution that gives up something new, or keeps something so far always
        given up, until there is none.
        """
        if self._hitting is not None:
            self._hit_others(deadline)
            return
        narrowed = within(self._problem, self.found)
        if not narrowed.costs:
            self.found = self.found._replace(settled=True)
            return
        program = Program(narrowed, hide_everywhere=self._hide)
        assumed = program.assumptions(self._problem.claims)
        switches = program.switches
        while True:
            always, sometimes = self.found.always, self.found.sometimes
            wanted = [switches[key] for key in sorted(always)]  # in a fixed order, so that two runs do the same
            wanted += [-switches[key] for key in switches if key not in sometimes]
            other = program.find([*assumed, program.one_of(wanted)], deadline) if wanted else Found(Status.NONE)
            if other.graph is None:
                if other.status is Status.NONE:
                    self.found = self.found._replace(settled=True)
                return
            given_up = self._priced(other.graph).given_up
            self.found = self.found._replace(always=always & given_up, sometimes=sometimes | given_up)

    def _hit_others(self, deadline: float | None) -> None:
        """The same by cores: every set of statements that hits all of them at that cost is asked about."""
        cores, hits = self._opened_to_hit()
        assert self.found.cost is not None
        while not self.found.settled:
            always, sometimes = self.found.always, self.found.sometimes
            try:
                hit = hits.another(self.found.cost, always, sometimes, deadline)
            except OutOfTime:
                return
            answer = Answer(Status.NONE) if hit is None else cores.ask(hit, deadline)
            if hit is None:
                self.found = self.found._replace(settled=True)
            elif answer.model is not None:
                given_up = self._priced(answer.model).given_up
                self.found = self.found._replace(always=always & given_up, sometimes=sometimes | given_up)
            elif answer.status is Status.OUT_OF_TIME:
                return
            for core in answer.cores:
                hits.add(core)


def _one_at_least(program: Program, keys: Collection[StatementKey]) -> list[int]:
    """What to assume if one of these statements is to count; nothing if there are none, or one that always does."""
    switches = [program.switches.get(key) for key in sorted(keys)]  # in a fixed order, so that two runs do the same
    return [program.one_of(one for one in switches if one is not None)] if switches and None not in switches else []
