"""Good models of problems that contradict themselves, soon: simulated annealing over latent-variable models.

The solver proves what the least cost is, but from some twenty variables on, with evidence from data, it finds neither a
proof nor a good model in time. Here a walk over ADMGs changes the edges of a pair of vertices, or of two pairs with a
vertex in common, and takes the step if the model then costs less, or not too much more: a lot decides, and the *heat*,
which falls during a run. What is best on the way is an upper bound of the least cost; whether it is the least is
for the solver to say.

The walk goes over all ADMGs, not only MAGs and their doublings: an ADMG costs what the doubling of its MAG does that
agrees with it (:func:`~weft.graphs.ancestral.doubling_of`), and single edges can be changed freely. Statements and
claims are asked of the ADMG itself. What is hard (claims included) costs a penalty while walking; a model in which it
fails is never an answer.

With selection the walk is the same: it finds no model with ``--``, but one without is a model of such a problem too.

*Runs* have fixed lengths, each twice as long as the one before, and fixed seeds. The effort decides how many there are:
one that it does not suffice for is not begun. So the same effort finds the same, and more effort nothing worse.

References
----------
Kirkpatrick, Gelatt and Vecchi, *Optimization by simulated annealing*, Science 220 (1983).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from weft.effort import effort_left, spend
from weft.evidence.claims import Claim, Topic
from weft.graphs.ancestral import doubling_of
from weft.graphs.criteria import Structure
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph, bits
from weft.search.engine import is_over
from weft.search.kinds import (
    Apartness,
    CauseOfNeither,
    CauseOfOne,
    Connection,
    Constraint,
    Dependence,
    Orientation,
    PairRelation,
    Separation,
)
from weft.search.problem import Problem, StatementKey

if TYPE_CHECKING:
    from weft.search import kernel

    InKernel = tuple[kernel.Numbers, kernel.Bits, kernel.Bits]

MOST_VARIABLES = 63
"""A set of so many vertices fits into one number of the machine."""

EVALUATIONS_PER_CONFLICT = 200
"""To evaluate so many models takes about as long as the solver takes for a conflict."""

FIRST_RUN = 200_000
"""The evaluations of the first run; each further one has twice as many."""

HOT, COLD = 0.4, 0.08
"""The heat at the beginning and at the end of a run, in mean costs of a statement."""

STAGES = 200
"""The heat falls so many times in a run."""

EDGES = ("", "->", "<-", "<->", "--")
"""The edges of a MAG in the order of their numbers in the kernel; walks meet no ``--``."""


class Asked(NamedTuple):
    """A statement or claim in the terms of the kernel (a row of its table)."""

    asks: str
    x: int
    y: int
    mask: int
    allowed: int


def asked_by(one: Constraint) -> Asked:
    """What a statement asks, and the answers with which it holds."""
    if isinstance(one, Connection | Apartness):
        return Asked("INDUCING", one.x, one.y, one.latent, 0b10 if isinstance(one, Connection) else 0b01)
    if isinstance(one, Dependence | Separation):
        return Asked("CONNECTING", one.x, one.y, one.given, 0b10 if isinstance(one, Dependence) else 0b01)
    if isinstance(one, CauseOfOne | CauseOfNeither):
        return Asked("ABOVE", one.x, one.y, one.middle, 0b10 if isinstance(one, CauseOfOne) else 0b01)
    if isinstance(one, PairRelation):
        return Asked("STRUCTURE", one.x, one.y, 0, sum(1 << _number(s) for s in one.allowed))
    assert isinstance(one, Orientation)
    return Asked("EDGE", one.x, one.y, 0, 1 | sum(1 << k for k, edge in enumerate(EDGES) if edge in one.allowed))


def _number(structure: Structure) -> int:
    return structure.causes + 2 * structure.caused + 4 * structure.confounded


def claimed_by(claim: Claim, names: tuple[str, ...]) -> Asked:
    """What a claim asks, and the answers with which it holds."""
    x, y = names.index(claim.x), names.index(claim.y)
    if claim.topic is Topic.EDGE:
        marks = [EDGE_SYMBOLS[edge] if edge else (Mark.NONE, Mark.NONE) for edge in EDGES]
        fitting = (claim.fits_edge(*ends) == claim.holds for ends in marks)
        return Asked("EDGE", x, y, 0, sum(fits << k for k, fits in enumerate(fitting)))
    of_model = (s.causes if claim.topic is Topic.CAUSES else s.confounded for s in Structure)
    fitting = (said == claim.holds for said in of_model)
    return Asked("STRUCTURE", x, y, 0, sum(fits << _number(s) for s, fits in zip(Structure, fitting, strict=True)))


def can_anneal(problem: Problem) -> bool:
    """Whether there are costs, and not too many variables."""
    return bool(problem.costs) and 2 <= len(problem.names) <= MOST_VARIABLES


@dataclass(frozen=True)
class Annealed:
    """The cheapest model of a run, as the latent-variable model that ``priced`` takes, and its cost."""

    cost: int
    model: MixedGraph


class Annealing:
    """A search for cheap models of a softened problem under its claims, which may stop and go on.

    Parameters
    ----------
    problem
        The question; see :func:`can_anneal`.
    keeping_one_of
        If given: only models in which one of these statements at least holds are looked for.
    prices
        What an edge ``->`` and an edge ``<->`` cost by themselves, beside the statements that fail.
    """

    def __init__(
        self, problem: Problem, keeping_one_of: Collection[StatementKey] = (), prices: tuple[int, int] = (0, 0)
    ) -> None:
        self._names = problem.names
        self._prices = _prices(*prices)
        self._must_keep = bool(keeping_one_of)
        self._penalty = 1 + 2 * max(problem.costs.values())
        self._mean = sum(problem.costs.values()) / len(problem.costs)
        self._statements = in_kernel(problem, frozenset(keeping_one_of), self._penalty)
        self._choices, self._excesses = _choices(self._statements[0]), excesses()
        self.runs = 0
        """How many runs there were."""

    def run(self, deadline: float | None = None, runs: int | None = None) -> Iterator[Annealed]:
        """The cheapest model of each further run that found one, as long as the effort suffices for the next run.

        If ``runs`` is given, so many at most.
        """
        last = math.inf if runs is None else self.runs + runs
        while self.runs < last and not is_over(deadline):
            evaluations = FIRST_RUN << self.runs
            cost = math.ceil(evaluations / EVALUATIONS_PER_CONFLICT)
            if effort_left() < cost:
                return
            found = self._anneal(evaluations, self.runs + 1, deadline)
            spend(cost)
            self.runs += 1
            if found is not None:
                yield found

    def _anneal(self, evaluations: int, seed: int, deadline: float | None) -> Annealed | None:
        """One run from the empty model."""
        from weft.search.kernel import LEAST

        model = self.start(seed)
        self.cool(model, evaluations, deadline)
        least = int(model.totals[LEAST])
        return None if least < 0 else Annealed(least, doubling_of(read_graph(self._names, model.best)))

    def cool(self, model: kernel.Model, evaluations: int, deadline: float | None = None) -> None:
        """Walk on by so many evaluations while the heat falls."""
        for heat in self._heats():
            if is_over(deadline):
                return
            self.walk(model, heat, evaluations // STAGES)

    def _heats(self) -> Iterator[int]:
        """The heats of a run, in 256ths of the unit of costs: each the same share of the one before."""
        hot, cold = HOT * self._mean * 256, COLD * self._mean * 256
        return (round(hot * (cold / hot) ** (k / (STAGES - 1))) for k in range(STAGES))

    def start(self, seed: int, graph: MixedGraph | None = None) -> kernel.Model:
        """Where a walk begins: with an ADMG, the empty one if none is given."""
        return start_of(self._statements, len(self._names), seed, graph, must_keep=self._must_keep)

    def walk(self, model: kernel.Model, heat: int, evaluations: int, *, evenly: bool = False) -> None:
        """Walk on by so many evaluations, at this heat; ``evenly``: to all sides alike, for fair draws."""
        from weft.search.kernel import anneal

        table, masks, within = self._statements
        how = self._penalty, self._must_keep, evenly, self._prices
        anneal(table, masks, within, *model, self._choices, self._excesses, heat, evaluations, *how)

    def cost(self, graph: MixedGraph) -> int | None:
        """What an ADMG costs by the kernel; ``None`` if it is not allowed."""
        from weft.search.kernel import LEAST

        least = int(self.start(1, graph).totals[LEAST])
        return None if least < 0 else least


def read_graph(names: tuple[str, ...], sets: kernel.Bits) -> MixedGraph:
    """An ADMG from the sets that the kernel has of each vertex."""
    _, children, spouses, _ = sets.tolist()
    size = len(names)
    marks, doubled = bytearray(size * size), set()
    for a in range(size):
        for b in bits(spouses[a]):
            marks[a * size + b] = Mark.ARROW
        for b in bits(children[a] & spouses[a]):
            doubled.add((min(a, b), max(a, b)))
    for a in range(size):
        for b in bits(children[a]):
            marks[a * size + b], marks[b * size + a] = Mark.ARROW, Mark.TAIL
    return MixedGraph(names, bytes(marks), frozenset(doubled))


def in_kernel(problem: Problem, keeping: frozenset[StatementKey], penalty: int) -> InKernel:
    """The statements and claims of a problem, costly ones first, as the kernel takes them.

    A table; the set that each speaks of; the vertices whose ancestors its answer depends on. What is hard has the
    penalty for its cost.
    """
    import numpy as np

    from weft.search import kernel as kernel

    costs = problem.costs
    said = [(costs.get(key), key in keeping, asked_by(one)) for key, one in problem.statements.items()]
    said += [(None, False, claimed_by(claim, problem.names)) for claim in problem.claims]
    said.sort(key=lambda one: -(penalty if one[0] is None else one[0]))
    rows = [
        (getattr(kernel, one.asks), one.x, one.y, one.allowed, penalty if cost is None else cost, cost is None, kept)
        for cost, kept, one in said
    ]
    within = [one.mask if one.asks == "CONNECTING" else 1 << one.x | 1 << one.y for _, _, one in said]
    masks = [one.mask for _, _, one in said]
    table = np.array(rows, np.int64).reshape(-1, 7)  # even if there are none
    return table, np.array(masks, np.uint64), np.array(within, np.uint64)


def start_of(
    statements: InKernel, size: int, seed: int, graph: MixedGraph | None, *, must_keep: bool = False
) -> kernel.Model:
    """Where a walk over so many vertices begins."""
    import numpy as np

    from weft.search import kernel as kernel

    table, masks, _ = statements
    sets = np.zeros((4, size), np.uint64)
    if graph is not None:
        sets[:3] = np.array([graph.parents, graph.children, graph.spouses], np.uint64)
    answers, touched = np.zeros(len(table), np.int64), np.zeros(len(table), np.uint64)
    totals = np.array([0, 0, 0, -1], np.int64)
    model = kernel.Model(sets, answers, touched, totals, sets.copy(), lot_of(seed))
    kernel.settle(table, masks, sets, answers, touched, totals, model.best, must_keep)
    return model


def lot_of(seed: int) -> kernel.Bits:
    """Where the random numbers of a seed begin."""
    import numpy as np

    return np.array([seed * 0x9E3779B97F4A7C15 % (1 << 64)], np.uint64)


def _choices(table: kernel.Numbers) -> kernel.Numbers:
    """The edges that a pair may have; two at once only where it matters who is confounded."""
    import numpy as np

    from weft.search.kernel import ASKS, BOTH, FROM, STRUCTURE, TO

    doubled = [TO + BOTH, FROM + BOTH] if (table[:, ASKS] == STRUCTURE).any() else []
    return np.array([0, TO, FROM, BOTH, *doubled], np.int64)


def _prices(directed: int, confounded: int) -> kernel.Numbers:
    """What the edges of a pair cost, by the sum that stands for them in the kernel."""
    import numpy as np

    from weft.search.kernel import BOTH, FROM, TO

    return np.array(
        [directed * bool(edges & (TO | FROM)) + confounded * bool(edges & BOTH) for edges in range(8)], np.int64
    )


@cache
def excesses() -> kernel.Numbers:
    """How much worse a step may be, in 4096ths of the heat, by lot: exponentially distributed."""
    import numpy as np

    from weft.search.kernel import LOTS

    return np.array([round(-math.log((k + 0.5) / LOTS) * 4096) for k in range(LOTS)], np.int64)
