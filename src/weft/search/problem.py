"""A question to an engine, and what a right answer is.

A problem holds the constraints that a MAG must meet, over vertex indices (:mod:`weft.search.kinds`).
:func:`is_solution` is the plain definition of an answer, by graph code alone, which every engine is tested against.

The three methods of the paper differ only in what they make of the relations:

- ``iod`` (and ``ion``): nothing;
- ``iod-bcd``: for a pair connected in some study, *if* the MAG has an edge there, it is one that the relation allows;
- ``causal-iod``: the relation holds.

A problem may be *soft*: then some statements have a cost, and a MAG answers it if some latent-variable model of it
violates statements of at most the allowed total cost (see :class:`Softness`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cached_property
from typing import TypeVar

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence, Relation
from weft.graphs.ancestral import doublings, is_mag
from weft.graphs.criteria import structure_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask
from weft.reading.names import meant
from weft.search.kinds import KINDS, Connection, Constraint, Orientation, PairRelation, Separation
from weft.search.kinds.constraint import Asked

METHODS = ("iod", "iod-bcd", "causal-iod", "ion")


StatementKey = tuple[str, int]
"""A statement of a problem: the name of its kind and its number. It stays the same when others are left out."""

C = TypeVar("C", bound=Constraint)


@dataclass(frozen=True)
class Softness:
    """What it costs to violate statements, and how much may be spent. Statements without a cost are hard."""

    costs: Mapping[StatementKey, int]
    """Positive whole numbers."""
    allowed: int | None = None
    """The most that a solution may cost; ``None`` for any cost."""


@dataclass(frozen=True)
class Problem:
    """What is asked: every MAG over ``names`` that meets all constraints."""

    names: tuple[str, ...]
    studies: Mapping[str, int] = field(default_factory=dict)
    """The variables (bits) that each study measured."""
    statements: Mapping[StatementKey, Constraint] = field(default_factory=dict)
    """Every statement by its key, kind by kind."""
    claims: tuple[Claim, ...] = ()
    selection: bool = False
    soft: Softness | None = None

    @classmethod
    def of(
        cls,
        evidence: Evidence,
        method: str = "causal-iod",
        *,
        selection: bool = False,
        known: Iterable[Relation] = (),
    ) -> Problem:
        """What a method makes of evidence, and of relations ``known`` from elsewhere, which every method heeds."""
        if method not in METHODS:
            choice = f"choose one of {', '.join(METHODS)}{meant(method, METHODS)}"
            raise ProblemError(f"there is no method '{method}'; {choice}")
        asked = Asked(evidence, method, tuple(known))
        statements = {(kind.kind, k): one for kind in KINDS for k, one in enumerate(kind.made_of(asked))}
        return cls(evidence.variables, asked.measured, statements, selection=selection)

    def numbered(self, kind: type[C]) -> dict[int, C]:
        """The statements of a kind by their numbers."""
        return {k: one for (_, k), one in self.statements.items() if isinstance(one, kind)}

    @cached_property
    def separations(self) -> tuple[Separation, ...]:
        """The separations."""
        return tuple(self.numbered(Separation).values())

    @cached_property
    def connections(self) -> tuple[Connection, ...]:
        """The connections."""
        return tuple(self.numbered(Connection).values())

    @cached_property
    def orientations(self) -> tuple[Orientation, ...]:
        """What relations say of edges alone."""
        return tuple(self.numbered(Orientation).values())

    @cached_property
    def relations(self) -> tuple[PairRelation, ...]:
        """What relations say of pairs."""
        return tuple(self.numbered(PairRelation).values())

    @property
    def judges_directions(self) -> bool:
        """Whether something is said of the relations of pairs that may be wrong: as judged from data."""
        return any(one.origin.weight is not None for one in (*self.relations, *self.orientations))

    @property
    def costs(self) -> Mapping[StatementKey, int]:
        """The cost of each statement that may be violated."""
        return {} if self.soft is None else self.soft.costs

    @cached_property
    def hard(self) -> Problem:
        """The same question with the hard statements alone."""
        return self if self.soft is None else self.without(self.costs)

    def without(self, keys: Collection[StatementKey]) -> Problem:
        """The question without some of the statements, and not soft."""
        kept = {key: one for key, one in self.statements.items() if key not in keys}
        return replace(self, statements=kept, soft=None)

    def with_claims(self, claims: Iterable[Claim]) -> Problem:
        """The same question with more supposed; raises if a claim names an unknown variable."""
        claims = tuple(claims)
        for claim in claims:
            for name in (claim.x, claim.y):
                if name not in self.names:
                    close = get_close_matches(name, self.names, 1)
                    near = f"there is no variable '{name}'; did you mean '{close[0]}'?" if close else ""
                    far = f"'{name}' is not one of the variables {', '.join(self.names)}"
                    raise ProblemError(f"'{claim}': {near or far}")
            if claim.x == claim.y:
                raise ProblemError(f"'{claim}': name two different variables")
        return replace(self, claims=self.claims + claims)


def is_solution(problem: Problem, graph: MixedGraph) -> bool:
    """Whether a graph over the problem's variables answers the problem: the definition, by graph code alone."""
    return (
        is_mag(graph)
        and (problem.selection or not graph.has_selection)
        and all(_claimed(graph, claim) for claim in problem.claims if claim.topic is not Topic.CONFOUNDED)
        and any(True for _ in fitting_models(problem, graph))
    )


def _claimed(graph: MixedGraph, claim: Claim) -> bool:
    if claim.topic is Topic.CAUSES:
        a, b = graph.index(claim.x), graph.index(claim.y)
        return bool(ancestor_mask(graph, 1 << b) >> a & 1) == claim.holds
    return claim.fits_edge(graph.mark(claim.y, claim.x), graph.mark(claim.x, claim.y)) == claim.holds


def claims_hold(claims: Iterable[Claim], model: MixedGraph, mag: MixedGraph) -> bool:
    """Whether claims hold in a latent-variable model and its MAG."""
    return all(
        structure_of(model, claim.x, claim.y).confounded == claim.holds
        if claim.topic is Topic.CONFOUNDED
        else _claimed(mag, claim)
        for claim in claims
    )


def fitting_models(problem: Problem, mag: MixedGraph) -> Iterator[MixedGraph]:
    """The latent-variable models with this MAG that meet the statements and the claims about confounding.

    If the problem is soft: those in which the hard statements hold and that cost no more than is allowed.
    """
    confounding = [claim for claim in problem.claims if claim.topic is Topic.CONFOUNDED]
    spent = _affordable((one for one in problem.statements.items() if one[1].in_mag), problem, mag, mag, 0)
    if spent is None:
        return
    of_model = [one for one in problem.statements.items() if not one[1].in_mag]
    for model in doublings(mag):
        if _affordable(of_model, problem, model, mag, spent) is not None and all(
            structure_of(model, claim.x, claim.y).confounded == claim.holds for claim in confounding
        ):
            yield model


def _affordable(
    statements: Iterable[tuple[StatementKey, Constraint]],
    problem: Problem,
    model: MixedGraph,
    mag: MixedGraph,
    spent: int,
) -> int | None:
    """What has been spent once the statements that do not hold are paid for; ``None`` if it is too much."""
    costs, allowed = problem.costs, problem.soft.allowed if problem.soft else 0
    for key, statement in statements:
        if not statement.holds_in(model, mag):
            if key not in costs:
                return None
            spent += costs[key]
            if allowed is not None and spent > allowed:
                return None
    return spent
