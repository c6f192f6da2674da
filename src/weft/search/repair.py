"""The best way out of a contradiction: which statements to give up so that the others can hold together.

Every statement with a weight may be given up at that weight; those without one (what an expert or an experiment says)
are hard. The *cost* of a latent-variable model is the total weight of the statements that do not hold in it. The answer
is all MAGs with a model of least cost; with a *slack*, all that cost at most so much more. If the statements do not
contradict each other the least cost is 0, and the answer is that of the hard problem.

How it is found: by the solver's own optimisation. The statements are weak constraints (``cheapest`` in
``consistency.lp``), and clingo minimises what they cost with unsatisfiable cores, heavy statements first. A statement's
rules are grounded when a model fails it (see :mod:`weft.search.program`): with fewer rules the least cost can only be
lower, so it bounds the optimum from below, and each model, paid for in full, bounds it from above. Where the two
meet, the repair is optimal; if the time runs out before, both are reported.

Weights are counted in thousandths (in coarser units if their total passes a million); a positive weight counts as one
unit at least. **A statement of weight 0 says nothing**: to violate it costs nothing, so it is left out before anything
else and is never reported as given up. "Exactly the hard answer" is therefore meant for positive weights.

References
----------
Andres, Kaufmann, Matheis and Schaub, *Unsatisfiability-based optimization in clasp*, ICLP 2012.
Hyttinen, Eberhardt and Jarvisalo, *Constraint-based causal discovery: conflict resolution with answer set
programming*, UAI 2014 (statements as weighted soft constraints).
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from weft.evidence.claims import Topic
from weft.evidence.statements import Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.mixed import MixedGraph
from weft.search.problem import Problem, Softness, StatementKey, claims_hold, holds_in
from weft.search.program import Program, Status

UNITS = 1000
"""How many units of cost are one unit of weight."""

MOST_COST = 1 << 30
"""The largest total that the solver's integers hold with room to spare."""

GLANCE = 10.0
"""Seconds that are spent at most on finding out that there is no conflict, before what it costs is asked."""

OPTIMISATION = ("--opt-strategy=usc,oll,stratify", "--heuristic=Vmtf", "--strengthen=local")
"""How clingo optimises: cores, heavy statements first. Other strategies are 3 to 10 times slower here."""


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


class Optimum(NamedTuple):
    """A repair in the terms of the engine: costs in units, statements by their keys."""

    cost: int | None
    bound: int
    proven: bool
    given_up: frozenset[StatementKey]
    always: frozenset[StatementKey]
    sometimes: frozenset[StatementKey]
    settled: bool
    """Whether ``always`` and ``sometimes`` are exact."""
    graph: MixedGraph | None


def softened(problem: Problem) -> tuple[Problem, float]:
    """The problem with a cost for each statement that has a weight, and how many units of cost one of weight is.

    Statements of weight 0 are left out.
    """
    free = {key for key, statement in problem.statements.items() if statement.origin.weight == 0}
    kept = problem.without(free)
    weights = {
        key: weight for key, statement in kept.statements.items() if (weight := statement.origin.weight) is not None
    }
    units: float = UNITS
    while sum(weights.values()) * units > MOST_COST:
        units /= 10
    costs = {key: max(1, round(weight * units)) for key, weight in weights.items()}
    return replace(kept, soft=Softness(costs)), units


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
    >>> says = (Connected("a", "X", "Y", weight=3.0), Separated("b", "X", "Y", frozenset(), weight=1.5))
    >>> found = repair(Problem.of(Evidence(studies, says), "iod"))
    >>> found.cost, found.proven, found.unique, *map(str, found.given_up)
    (1.5, True, True, "X and Y are separated in study 'b'")
    """
    soft, units = softened(problem)
    return in_words(soft, optimum(soft, deadline), units)


def in_words(problem: Problem, found: Optimum, units: float) -> Repair:
    """An optimum of a softened problem with weights and statements."""
    same = found.always == found.sometimes

    def origins(keys: Collection[StatementKey]) -> tuple[Statement, ...]:
        return tuple(statement.origin for key, statement in problem.statements.items() if key in keys)

    return Repair(
        None if found.cost is None else found.cost / units,
        found.bound / units,
        found.proven,
        origins(found.given_up),
        origins(found.always),
        origins(found.sometimes),
        None if found.cost is None or not found.proven else False if not same else True if found.settled else None,
        found.graph,
    )


def within(problem: Problem, found: Optimum, slack: int = 0) -> Problem:
    """The question whose solutions cost at most ``slack`` units more than the best that was found.

    What is given up in every solution is left out, and what is given up in none is hard, as far as that is known: the
    solutions are the same, and there is less to search.
    """
    assert found.cost is not None
    costs, allowed = problem.costs, found.cost + slack
    dropped: frozenset[StatementKey] = frozenset()
    soft = frozenset(key for key, cost in costs.items() if cost <= allowed)
    if slack == 0 and found.proven and found.settled:
        dropped, soft = found.always, found.sometimes - found.always
        allowed -= sum(costs[key] for key in dropped)
    kept = problem.without(dropped)
    if not soft:
        return kept
    places = [key for key in problem.statements if key not in dropped]
    return replace(
        kept,
        soft=Softness(
            {new: costs[old] for new, old in zip(kept.statements, places, strict=True) if old in soft}, allowed
        ),
    )


def optimum(
    problem: Problem, deadline: float | None = None, *, keeping_one_of: Collection[StatementKey] = ()
) -> Optimum:
    """The least cost of a softened problem under its claims, and what is given up for it.

    With ``keeping_one_of``, of the solutions in which one of these statements at least holds; then no more is found
    out about the other solutions that are as good.
    """
    hide = any(claim.topic is Topic.CONFOUNDED and claim.holds for claim in problem.claims)
    if not keeping_one_of and (graph := _without_conflict(problem, hide, deadline)) is not None:
        nothing: frozenset[StatementKey] = frozenset()
        return Optimum(0, 0, True, nothing, nothing, nothing, True, graph)
    program = Program(problem, optimise=True, hide_everywhere=hide, options=OPTIMISATION)
    assumed = program.assumptions(problem.claims)
    if keeping_one_of:
        assumed.append(program.any_of(program.switch_of[key] for key in sorted(keeping_one_of)))
    best, bound = _Priced(None, frozenset(), None), 0
    while True:
        found = program.cheapest(assumed, deadline)
        best = min((best, *(_priced(problem, model, keeping_one_of) for model in found.models)), key=_cost)
        bound = max(bound, found.bound)
        if found.status is Status.NONE:
            return _optimum(best, bound, proven=True)
        if found.status is Status.OUT_OF_TIME:
            return _optimum(best, bound, proven=False)
        if best.cost is not None and best.cost <= bound:
            return _optimum(best, bound, proven=True) if keeping_one_of else _settled(problem, best, hide, deadline)
        program.ground(found.missing)


def _without_conflict(problem: Problem, hide: bool, deadline: float | None) -> MixedGraph | None:
    """A model in which every statement holds, if one is found soon: all of them hard leave little to search."""
    now = time.monotonic()
    soon = now + GLANCE if deadline is None else min(now + GLANCE, (now + deadline) / 2)
    program = Program(problem.without(()), hide_everywhere=hide)
    return program.find(program.assumptions(problem.claims), soon).graph


class _Priced(NamedTuple):
    """A model and what it costs; ``None`` if a hard statement fails in it."""

    cost: int | None
    given_up: frozenset[StatementKey]
    graph: MixedGraph | None


def _cost(priced: _Priced) -> float:
    return math.inf if priced.cost is None else priced.cost


def _priced(problem: Problem, model: MixedGraph, keeping_one_of: Collection[StatementKey]) -> _Priced:
    """A model paid for in full. If it is not maximal, its MAG is taken instead, which has the same separations."""
    mag = marginal_mag(model, problem.names)
    model = model if model.undoubled() == mag else mag
    failing = frozenset(key for key, one in problem.statements.items() if not holds_in(one, model, mag))
    if (
        not failing <= problem.costs.keys()
        or not claims_hold(problem.claims, model, mag)
        or (keeping_one_of and failing.issuperset(keeping_one_of))
    ):
        return _Priced(None, frozenset(), None)
    return _Priced(sum(problem.costs[key] for key in failing), failing, model)


def _optimum(best: _Priced, bound: int, *, proven: bool) -> Optimum:
    return Optimum(best.cost, bound, proven, best.given_up, frozenset(), frozenset(), False, best.graph)


def _settled(problem: Problem, best: _Priced, hide: bool, deadline: float | None) -> Optimum:
    """Find what is given up in all and in some of the solutions that cost no more than the optimum.

    One program asks again and again for a solution that gives up something new, or keeps something so far always given
    up, until there is none.
    """
    assert best.cost is not None
    always = sometimes = best.given_up
    found = Optimum(best.cost, best.cost, True, best.given_up, always, sometimes, False, best.graph)
    narrowed = within(problem, found)
    if not narrowed.costs:
        return found._replace(settled=True)
    program = Program(narrowed, hide_everywhere=hide)
    assumed = program.assumptions(problem.claims)
    switches = program.switch_of
    while True:
        wanted = [switches[key] for key in sorted(always)]  # in a fixed order, so that two runs do the same
        wanted += [-switches[key] for key in switches if key not in sometimes]
        if not wanted:
            return found._replace(always=always, sometimes=sometimes, settled=True)
        other = program.find([*assumed, program.one_of(wanted)], deadline)
        if other.graph is None:
            return found._replace(always=always, sometimes=sometimes, settled=other.status is Status.NONE)
        given_up = _priced(problem, other.graph, ()).given_up
        always, sometimes = always & given_up, sometimes | given_up
