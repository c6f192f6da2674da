"""A problem as a clingo program that grows: each statement's rules are grounded when they are first needed.

The meaning is in ``consistency.lp``; this file makes its facts, hands it vertex sets, and reads graphs off its models.
A model that satisfies what has been grounded so far may still violate a statement that has not: :meth:`Program.find`
checks every model by plain graph code, grounds just the violated statements, and solves again, until a model passes
(or none is left: fewer constraints allow more models, so "none" needs no check).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass
from enum import Enum
from functools import cache, cached_property
from importlib.resources import files
from typing import Any, NamedTuple

import clingo
import clingo._internal
from clingo import Number, Symbol
from clingo.backend import HeuristicType

from weft.effort import CALL, current_effort
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph, bits
from weft.graphs.separation import has_inducing_path
from weft.search.bounds import Bounds, bounds_of, no_bounds
from weft.search.engine import current_stop, is_over
from weft.search.interplay import exclusions, implied, noncolliders
from weft.search.kinds import Apartness, Connection, Dependence, Separation
from weft.search.kinds.constraint import Around, Constraint, Part
from weft.search.problem import Problem, StatementKey

MOST_RULES = 5_000_000
"""The largest program that is tried: it takes about 1 GB and a minute to ground."""

COMMON_ATOMS = 10_000
"""A conflict takes about a millisecond in a program with so many atoms that are shown by name (2 ms with 12,000, 4 with
19,000, 7 with 27,000); in a larger one it counts as several, by the square of their number."""

SLICE = 0.2
"""Seconds to wait for the solver at a time."""


class Status(Enum):
    """What a search for one solution came to."""

    FOUND = "found"
    NONE = "none"
    OUT_OF_TIME = "out of time"


@dataclass(frozen=True)
class Found:
    """One solution (with the hidden common causes of its model as doubled edges), or why there is none."""

    status: Status
    graph: MixedGraph | None = None
    core: tuple[int, ...] = ()
    """Assumptions that cannot hold together, if there is no solution."""


class Cheapest(NamedTuple):
    """What one optimisation came to, by what was grounded at that time."""

    status: Status
    """Found: the last model is the best that the grounded rules allow."""
    models: tuple[MixedGraph, ...]
    """Better and better ones; what has not been grounded yet may fail in them."""
    missing: tuple[Part, ...]
    """The parts that fail in the last one."""
    bound: int
    """No model costs less."""


class Program:
    """The clingo program of a problem.

    Parameters
    ----------
    problem
        The question. Its claims are not part of the program: pass them as assumptions (:meth:`assumptions`), so that
        one program serves all of them.
    bounds
        What is already known about the solutions, if more than :func:`~weft.search.bounds.bounds_of` finds.
    hide_everywhere
        Whether every directed edge may hide a common cause, as questions about confounding need; otherwise only where
        a relation asks for one.
    may_give_up
        Whether each statement has a switch ``on(S)`` (see :attr:`switches`) instead of being a hard fact. If not, only
        the soft statements of the problem have one. The bounds follow from the statements without a switch.
    optimise
        Whether solving means to look for the models of least cost (:meth:`cheapest`).
    canonical
        Whether one graph of all with the same separations will do: see :func:`speaks_of_separations`.
    explicit
        Whether to say what statements exclude together (:func:`~weft.search.interplay.exclusions`), even if none of
        them may be given up. It follows anyway, but proofs are shorter by far, and the program is larger.
    options
        Command-line options for clingo.
    """

    def __init__(
        self,
        problem: Problem,
        *,
        bounds: Bounds | None = None,
        hide_everywhere: bool = False,
        may_give_up: bool = False,
        optimise: bool = False,
        canonical: bool = False,
        explicit: bool = False,
        options: Sequence[str] = (),
    ) -> None:
        self.problem = problem
        self._explicit = explicit
        self.size = len(problem.names)
        self.may_give_up = may_give_up
        _check_pairs(problem)
        self._certain = problem.without(problem.statements) if may_give_up else problem.hard
        """The problem with the statements that have no switch."""
        self.bounds = bounds or (no_bounds(problem) if may_give_up else bounds_of(self._certain))
        _check_rules(self.bounds)
        self.hiding = (1 << self.size) - 1 if hide_everywhere else self._needed_hiding()
        self._grounded: set[Part] = set()
        self._claim_literals: dict[Claim, int] = {}
        self._last_guard: int | None = None
        self._budgets: dict[int, int] = {}
        self._preferences: dict[int, int] = {}  # for each literal the external that makes the solver prefer it
        project = ["--project=project"] if (self.hiding or self._has_switches) and not optimise else []
        self.control = clingo.Control(["--warn=none", *project, *options])
        self.control.add("base", [], files("weft.search").joinpath("consistency.lp").read_text(encoding="utf-8"))
        self.control.add("base", [], " ".join(self._facts()))
        self._vertex_sets = _VertexSets(problem, self.bounds)
        parts = ["base", *(["cheapest"] if optimise else []), *(["canonical"] if canonical else [])]
        self.control.ground([(name, []) for name in parts], context=self._vertex_sets)

    @property
    def _has_switches(self) -> bool:
        return self.may_give_up or bool(self.problem.costs)

    def _around(self, key: StatementKey) -> Around:
        """What surrounds a statement."""
        return Around(self.bounds, self.problem.selection, self.may_give_up or key in self.problem.costs)

    def _needed_hiding(self) -> int:
        hiding = 0
        for one in self.problem.statements.values():
            hiding |= one.hides(self.bounds)
        return hiding

    # -- facts -------------------------------------------------------------------------------------------------------

    def _facts(self) -> Iterator[str]:
        bounds = self.bounds
        for x in range(self.size):
            higher = -1 << x + 1
            yield f"vertex({x})."
            yield from (f"may_to({x},{y})." for y in bits(bounds.may_point[x]))
            yield from (f"may_bi({x},{y})." for y in bits(bounds.may_confound[x] & higher))
            yield from (f"may_un({x},{y})." for y in bits(bounds.may_join[x] & higher))
            yield from (f"may_anc({x},{y})." for y in bits(bounds.may_cause[x]))
            yield from (f"must_anc({x},{y})." for y in bits(bounds.must_cause[x]))
        yield from (f"hiding({v})." for v in bits(self.hiding))
        yield "treks."
        if bounds.contradiction:
            yield ":-."
        for name, k in self._parts:
            yield f"{{on({name}({k}))}}." if self._around((name, k)).switched else f"on({name}({k}))."
        for key, one in self.problem.statements.items():
            yield from one.facts(key[1], self._around(key))
        if not self.problem.selection:
            yield from noncolliders(self._certain)
        if self._has_switches or self._explicit:
            yield from exclusions(self.problem)
        if self.problem.soft is not None:
            costs = self.problem.costs
            yield from (f"cost({name}({k}),{costs[name, k]})." for name, k in self._parts if (name, k) in costs)
            if self.problem.soft.allowed is not None:
                yield f"allowed({self.problem.soft.allowed})."

    # -- parts -------------------------------------------------------------------------------------------------------

    @cached_property
    def _parts(self) -> dict[StatementKey, Part]:
        """The part of every statement that nothing else says already, in a fixed order."""
        said = implied(self._certain)
        return {
            (name, k): Part(name, (k, one.x, one.y))
            for (name, k), one in self.problem.statements.items()
            if (name, k) not in said and one.has_part(self._around((name, k)))
        }

    @cached_property
    def _open_pairs(self) -> tuple[tuple[int, int], ...]:
        """The pairs that no statement keeps from having an inducing path."""
        closed = {(s.x, s.y) for s in self._certain.statements.values() if s.parts_pair}
        return tuple(
            (x, y)
            for x in range(self.size)
            for y in range(x + 1, self.size)
            if (x, y) not in closed and not self.bounds.independent[x] >> y & 1
        )

    @cached_property
    def _pairs(self) -> tuple[tuple[int, int], ...]:
        return tuple((x, y) for x in range(self.size) for y in range(x + 1, self.size))

    def ground(self, parts: Iterable[Part]) -> None:
        """Ground those of the parts that are not yet."""
        wanted = dict.fromkeys(parts)
        for key in [key for key, part in self._parts.items() if part in wanted]:
            wanted.update(dict.fromkeys(self.problem.statements[key].needed_parts(key[1])))
        new = [part for part in wanted if part not in self._grounded]
        self._grounded.update(new)
        self.control.ground([(part.name, [*map(_symbol, part.arguments)]) for part in new], context=self._vertex_sets)

    def ground_everything(self) -> None:
        """Ground all parts up front: then every model is a solution, and models can be enumerated."""
        statements = self.problem.statements
        self.ground(part for key, part in self._parts.items() if not statements[key].is_said(self._around(key)))
        self.ground(Part("maximal", (x, y)) for x, y in self._open_pairs)
        if self.hiding:
            self.ground(Part("hidden", (x, y)) for x, y in self._pairs)

    # -- literals ----------------------------------------------------------------------------------------------------

    @cached_property
    def _edge_terms(self) -> dict[Symbol, tuple[int, Mark, int, Mark]]:
        """For each edge atom, the places in the matrix of marks that it fills, and with what."""
        size, terms = self.size, {}
        for name, far, near in (
            ("to", Mark.ARROW, Mark.TAIL),
            ("bi", Mark.ARROW, Mark.ARROW),
            ("un", Mark.TAIL, Mark.TAIL),
        ):
            for atom in self.control.symbolic_atoms.by_signature(name, 2):
                x, y = (argument.number for argument in atom.symbol.arguments)
                terms[atom.symbol] = (x * size + y, far, y * size + x, near)
        return terms

    @cached_property
    def _hidden_literals(self) -> tuple[tuple[int, int, int], ...]:
        atoms = self.control.symbolic_atoms.by_signature("hid", 2)
        return tuple((a.literal, a.symbol.arguments[0].number, a.symbol.arguments[1].number) for a in atoms)

    @cached_property
    def true(self) -> int:
        """A literal that always holds."""
        with self.control.backend() as backend:
            literal: int = backend.add_atom()
            backend.add_rule([literal])
        return literal

    def literal(self, name: str, *arguments: int) -> int:
        """The literal of an atom of the program; of falsehood, if no rule can derive it."""
        return self._literal(name, [Number(argument) for argument in arguments])

    def _literal(self, name: str, arguments: Sequence[Symbol]) -> int:
        atom = self.control.symbolic_atoms[clingo.Function(name, arguments)]
        return -self.true if atom is None else atom.literal

    def edge_literals(self, x: int, y: int) -> dict[str, int]:
        """The literals of the edges that may stand between x and y, by their symbols read from x."""
        low, high, bounds = min(x, y), max(x, y), self.bounds
        edges = (
            ("->", bounds.may_point[x] >> y, "to", x, y),
            ("<-", bounds.may_point[y] >> x, "to", y, x),
            ("<->", bounds.may_confound[x] >> y, "bi", low, high),
            ("--", bounds.may_join[x] >> y, "un", low, high),
        )
        return {symbol: self.literal(name, a, b) for symbol, possible, name, a, b in edges if possible & 1}

    def confounded_literal(self, x: int, y: int) -> int:
        """The literal of "x and y are confounded"; grounds what it takes."""
        low, high = min(x, y), max(x, y)
        self.ground([Part("confounded", (low, high))])
        return self.literal("confounded", low, high)

    def any_of(self, literals: Iterable[int]) -> int:
        """A new literal that holds exactly if one of the given ones does."""
        with self.control.backend() as backend:
            either: int = backend.add_atom()
            for literal in literals:
                backend.add_rule([either], [literal])
        return either

    def all_of(self, literals: Iterable[int]) -> int:
        """A new literal that holds exactly if all of the given ones do."""
        with self.control.backend() as backend:
            both: int = backend.add_atom()
            backend.add_rule([both], list(literals))
        return both

    def assumptions(self, claims: Iterable[Claim]) -> list[int]:
        """The literals that say the claims."""
        said = self._claim_literals
        return [
            said[claim] if claim in said else said.setdefault(claim, self._claim_literal(claim)) for claim in claims
        ]

    def _claim_literal(self, claim: Claim) -> int:
        x, y = self.problem.names.index(claim.x), self.problem.names.index(claim.y)
        if claim.topic is Topic.CAUSES:
            literal = self.literal("anc", x, y)
        elif claim.topic is Topic.CONFOUNDED:
            if claim.holds and not (self.hiding >> x & 1 and self.hiding >> y & 1):
                raise ProblemError("a claim about confounding needs a program with hide_everywhere")
            literal = self.confounded_literal(x, y)
        else:
            edges = self.edge_literals(x, y)
            fitting = [edges[symbol] for symbol in edges if claim.fits_edge(*EDGE_SYMBOLS[symbol])]
            literal = fitting[0] if len(fitting) == 1 else self.any_of(fitting)
        return literal if claim.holds else -literal

    def one_of(self, literals: Iterable[int]) -> int:
        """A new literal: assuming it asks for one of the given ones. It serves until the next is made."""
        with self.control.backend() as backend:
            if self._last_guard is not None:
                backend.add_rule([], [self._last_guard])
            guard: int = backend.add_atom()
            self._last_guard = guard
            backend.add_rule([guard], choice=True)
            backend.add_rule([], [guard, *(-literal for literal in literals)])
        return guard

    def spending(self, cost: int) -> int:
        """A literal: assuming it allows no solution that costs more."""
        if cost not in self._budgets:
            self.control.ground([("budget", [Number(cost)])])
            self._budgets[cost] = self.literal("budget", cost)
        return self._budgets[cost]

    def prefer(self, literals: Iterable[int]) -> None:
        """Tell the solver to try these literals first (needs the option ``--heuristic=Domain``)."""
        with self.control.backend() as backend:
            for literal in literals:
                if literal not in self._preferences:
                    external = self._preferences[literal] = backend.add_atom()
                    sign = 1 if literal > 0 else -1
                    backend.add_heuristic(abs(literal), HeuristicType.Sign, sign, 1, [external])
                backend.add_external(self._preferences[literal], clingo.TruthValue.True_)

    def forget(self, literals: Iterable[int]) -> None:
        """Take :meth:`prefer` back."""
        with self.control.backend() as backend:
            for literal in literals:
                backend.add_external(self._preferences[literal], clingo.TruthValue.False_)

    @cached_property
    def switches(self) -> dict[StatementKey, int]:
        """The switch of each statement that may be given up."""
        return {
            (name, k): self._literal("on", [clingo.Function(name, [Number(k)])])
            for name, k in self._parts
            if self._around((name, k)).switched
        }

    def walk_at_most(self, models: int | None) -> None:
        """Let the next solve call stop after that many models."""
        solving = self.control.configuration.solve
        assert isinstance(solving, clingo.Configuration)
        solving.models = str(models or 0)

    def limited(self) -> AbstractContextManager[None]:
        """Let the solve call inside end when the effort is spent, and count what it took."""
        return limited(self.control, max(1, len(self.control.symbolic_atoms) ** 2 // COMMON_ATOMS**2))

    # -- models ------------------------------------------------------------------------------------------------------

    def read(self, model: clingo.Model) -> MixedGraph:
        """The MAG of a model."""
        marks = bytearray(self.size * self.size)
        terms = self._edge_terms
        for symbol in model.symbols(shown=True):
            at_y, far, at_x, near = terms[symbol]
            marks[at_y], marks[at_x] = far, near
        return MixedGraph(self.problem.names, bytes(marks))

    def _read_with_hidden(self, model: clingo.Model) -> MixedGraph:
        mag = self.read(model)
        hidden = frozenset((min(x, y), max(x, y)) for literal, x, y in self._hidden_literals if model.is_true(literal))
        return MixedGraph(mag.names, mag.marks, hidden)

    def find(self, assumptions: Sequence[int] = (), deadline: float | None = None) -> Found:
        """One solution under assumptions, checked; grounds whatever the check asks for.

        Nothing is asked once the time is over: how far a small question gets then is a matter of luck.
        """
        while not is_over(deadline):
            with (
                self.limited(),
                stoppable(self.control),
                self.control.solve(assumptions=list(assumptions), yield_=True, async_=True) as handle,
            ):
                wait_for(handle, deadline)
                model = handle.model()
                graph = self._read_with_hidden(model) if model else None
                off = self._off(model) if model else frozenset()
                unsatisfiable = bool(handle.get().unsatisfiable)
                core = tuple(handle.core()) if unsatisfiable else ()
            if graph is None:
                if unsatisfiable:
                    return Found(Status.NONE, core=core)
                continue
            missing = self._violated(graph, off)
            if not missing:
                return Found(Status.FOUND, graph)
            self.ground(missing)
        return Found(Status.OUT_OF_TIME)

    def cheapest(self, assumptions: Sequence[int] = (), deadline: float | None = None) -> Cheapest:
        """The least cost by what is grounded so far, by the solver's own optimisation (needs ``optimise``)."""
        models: list[MixedGraph] = []
        off: frozenset[StatementKey] = frozenset()
        bound = cost = 0

        def on_model(model: clingo.Model) -> None:
            nonlocal off, cost
            models.append(self._read_with_hidden(model))
            off, cost = self._off(model), sum(model.cost)

        def on_unsat(costs: Sequence[int]) -> None:
            nonlocal bound
            bound = max(bound, sum(costs))

        while True:
            with (
                self.limited(),
                stoppable(self.control),
                self.control.solve(
                    assumptions=list(assumptions), on_model=on_model, on_unsat=on_unsat, async_=True
                ) as handle,
            ):
                wait_for(handle, deadline)
                result = handle.get()
            if has_ended(result) or (models and not self.problem.costs):  # without costs any model is the cheapest
                status = Status.FOUND if result.satisfiable else Status.NONE
                missing = self._violated(models[-1], off) if models else ()
                return Cheapest(status, tuple(models), tuple(missing), cost)
            if is_over(deadline):
                return Cheapest(Status.OUT_OF_TIME, tuple(models), (), bound)

    def _off(self, model: clingo.Model) -> frozenset[StatementKey]:
        """The statements that a model gives up."""
        return frozenset(key for key, literal in self.switches.items() if not model.is_true(literal))

    def _violated(self, model: MixedGraph, off: Collection[StatementKey]) -> list[Part]:
        """The parts that a model fails and that are not grounded yet."""
        mag = model.undoubled()
        missing = [
            part
            for key, part in self._parts.items()
            if part not in self._grounded and key not in off and not self.problem.statements[key].holds_in(model, mag)
        ]
        missing += self._induced("maximal", self._open_pairs, mag)
        missing += self._induced("hidden", self._pairs, model) if model.doubled else ()
        return missing

    def _induced(self, name: str, pairs: Iterable[tuple[int, int]], graph: MixedGraph) -> Iterator[Part]:
        """The parts, not grounded yet, of pairs without an edge that an inducing path joins."""
        for x, y in pairs:
            part = Part(name, (x, y))
            if not graph.adjacencies[x] >> y & 1 and part not in self._grounded and has_inducing_path(graph, x, y):
                yield part


@contextmanager
def limited(control: clingo.Control, each: int = 1) -> Iterator[None]:
    """Let the solve call inside end when the effort is spent, and count what it took, if a conflict counts so much."""
    effort = current_effort()
    solving = control.configuration.solve
    assert isinstance(solving, clingo.Configuration)
    # The solver counts the conflicts of each call anew, and no limit of 0 can be set.
    solving.solve_limit = "umax,umax" if effort is None else f"{max(1, effort.left // each)},umax"
    try:
        yield
    finally:
        if effort is not None:
            effort.spend(CALL + each * conflicts_met(control))


def conflicts_met(control: clingo.Control) -> int:
    """The conflicts that the last solve call ran into.

    ``control.statistics`` has them too, among a thousand other numbers: to collect all of these takes 2 ms, longer than
    most calls do. So this goes straight to the one that is wanted, by the way that clingo's own module takes.
    """
    clingo_module: Any = clingo._internal
    call, library = clingo_module._c_call, clingo_module._lib
    statistics = call("clingo_statistics_t*", library.clingo_control_statistics, control._rep)
    place = call("uint64_t", library.clingo_statistics_root, statistics)
    for name in (b"solving", b"solvers", b"conflicts"):
        if not call("bool", library.clingo_statistics_map_has_subkey, statistics, place, name):
            return 0
        place = call("uint64_t", library.clingo_statistics_map_at, statistics, place, name)
    return int(call("double", library.clingo_statistics_value_get, statistics, place))


def speaks_of_separations(problem: Problem) -> bool:
    """Whether two graphs with the same separations both solve a problem, or neither does."""
    kinds = (Connection, Apartness, Separation, Dependence)
    alike = all(isinstance(one, kinds) for one in problem.statements.values())
    return alike and not problem.claims and not problem.selection


def has_ended(result: clingo.SolveResult) -> bool:
    """Whether a solve call went over all that there is; what the grounder refutes is not called exhausted."""
    return bool(result.exhausted or result.unsatisfiable)


def _check_pairs(problem: Problem) -> None:
    """Refuse a problem that is too large by far before any work on it."""
    size = len(problem.names)
    open_pairs = size * (size - 1) // 2 - len({(s.x, s.y) for s in problem.hard.statements.values() if s.parts_pair})
    if open_pairs * size > 10 * MOST_RULES:
        raise ProblemError(_too_large(problem.names, open_pairs))


def _check_rules(bounds: Bounds) -> None:
    """Refuse a problem whose ancestors alone would make too large a program."""
    rules = sum(bounds.may_cause[y].bit_count() for edges in bounds.may_point for y in bits(edges))
    if rules > MOST_RULES:
        open_edges = sum(edges.bit_count() for edges in bounds.may_point)
        raise ProblemError(_too_large(range(len(bounds.may_point)), open_edges))


def _too_large(variables: Sized, open_edges: int) -> str:
    return (
        f"the problem is too large: {len(variables):,} variables leave {open_edges:,} edges open; "
        "give studies that measure more of them together, or solve parts of it apart"
    )


def _symbol(argument: int | StatementKey) -> Symbol:
    return Number(argument) if isinstance(argument, int) else clingo.Function(argument[0], [Number(argument[1])])


class _VertexSets:
    """What ``consistency.lp`` asks by ``@name(...)``: vertex sets that depend on the problem."""

    def __init__(self, problem: Problem, bounds: Bounds) -> None:
        self._problem = problem
        self._may_cause = bounds.may_cause
        self._near = cache(bounds.relevant)
        self._everything = (1 << len(problem.names)) - 1

    @staticmethod
    def _numbers(mask: int) -> list[Symbol]:
        return [Number(v) for v in bits(mask)]

    def may_cause(self, x: Symbol, y: Symbol) -> Symbol:
        return Number(self._may_cause[x.number] >> y.number & 1)

    def near_pair(self, x: Symbol, y: Symbol) -> list[Symbol]:
        pair = 1 << x.number | 1 << y.number
        return self._numbers(self._near(pair) & ~pair)

    def near_hidden(self, x: Symbol, y: Symbol) -> list[Symbol]:
        if not self._problem.selection:
            return self.near_pair(x, y)
        return self._numbers(self._everything & ~(1 << x.number | 1 << y.number))

    def near(self, statement: Symbol) -> list[Symbol]:
        """What may lie near the vertices that a statement names, the pair apart."""
        one = self._statement(statement)
        return self._numbers(self._near(one.vertices) & ~one.pair)

    def vertices(self, statement: Symbol, name: Symbol) -> list[Symbol]:
        """One of the sets of vertices that a statement holds."""
        return self._numbers(getattr(self._statement(statement), name.name))

    def _statement(self, symbol: Symbol) -> Constraint:
        return self._problem.statements[symbol.name, symbol.arguments[0].number]


def wait_for(handle: clingo.SolveHandle, deadline: float | None) -> None:
    """Wait until the solver has something to say, or the deadline (of ``time.monotonic``) has come and it has ended.

    In slices, so that Ctrl-C is heard. No timer is needed, which would take longer to start than small questions take.
    """
    while not handle.wait(SLICE if deadline is None else min(SLICE, max(0.0, deadline - time.monotonic()))):
        if deadline is not None and time.monotonic() >= deadline:
            handle.cancel()  # returns when it has ended


def stoppable(control: clingo.Control) -> AbstractContextManager[None]:
    """Interrupt the solver when a stop is requested.

    An interrupt that comes when the solver has just finished stays pending and ends its next call at once. So whoever
    is interrupted before the deadline must ask again.
    """
    stop = current_stop()
    return nullcontext() if stop is None else stop.calling(control.interrupt)


@contextmanager
def interrupted_at(control: clingo.Control, deadline: float | None) -> Iterator[None]:
    """Interrupt the solver also when the deadline comes, if there is one: for walks, which wait for nobody."""
    with stoppable(control), nullcontext() if deadline is None else _timer(control.interrupt, deadline):
        yield


@contextmanager
def _timer(call: Callable[[], None], deadline: float) -> Iterator[None]:
    seconds = min(max(0.0, deadline - time.monotonic()), threading.TIMEOUT_MAX)
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()
    try:
        yield
    finally:
        timer.cancel()
        timer.join()  # it may be about to fire: an interrupt that comes late ends the *next* solve call
