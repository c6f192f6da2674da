"""A question to an engine, and what a right answer is.

A problem holds the constraints that a MAG must meet, over vertex indices. :func:`is_solution` is the plain definition
of an answer, by graph code alone, which every engine is tested against.

The three methods of the paper differ only in what they make of the relations:

- ``iod`` (and ``ion``): nothing;
- ``iod-bcd``: for a pair connected in some study, *if* the MAG has an edge there, it is one that the relation allows;
- ``causal-iod``: the relation holds.

A problem may be *soft*: then some statements have a cost, and a MAG answers it if some latent-variable model of it
violates statements of at most the allowed total cost (see :class:`Softness`).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import NamedTuple, TypeVar

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Connected, Evidence, Relation, Separated
from weft.graphs.ancestral import doublings, is_mag
from weft.graphs.criteria import Structure, structure_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask, connected_masks, has_inducing_path

METHODS = ("iod", "iod-bcd", "causal-iod", "ion")


class Separation(NamedTuple):
    """``given`` (bits) m-separates x and y."""

    x: int
    y: int
    given: int
    origin: Separated


class Connection(NamedTuple):
    """An inducing path joins x and y relative to ``latent`` (bits)."""

    x: int
    y: int
    latent: int
    origin: Connected


class Orientation(NamedTuple):
    """If x and y are adjacent, their edge read from x is one of ``allowed``."""

    x: int
    y: int
    allowed: frozenset[str]
    origin: Relation


class PairRelation(NamedTuple):
    """The marginal causal structure of (x, y) is one of ``allowed``."""

    x: int
    y: int
    allowed: frozenset[Structure]
    origin: Relation


StatementKey = tuple[str, int]
"""A statement of a problem: ``separated``, ``connected``, ``oriented`` or ``relation``, and its number among these."""


Constraint = Separation | Connection | Orientation | PairRelation
C = TypeVar("C", Separation, Connection, Orientation, PairRelation)


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
    separations: tuple[Separation, ...] = ()
    connections: tuple[Connection, ...] = ()
    orientations: tuple[Orientation, ...] = ()
    relations: tuple[PairRelation, ...] = ()
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
            raise ProblemError(f"there is no method '{method}'; choose one of {', '.join(METHODS)}")
        index = {name: i for i, name in enumerate(evidence.variables)}

        def mask(names: Iterable[str]) -> int:
            return sum(1 << index[name] for name in names)

        everything = mask(evidence.variables)
        measured = {study.name: mask(study.variables) for study in evidence.studies}
        connected_pairs = {(s.x, s.y) for s in evidence.connected}
        return cls(
            evidence.variables,
            measured,
            tuple(Separation(index[s.x], index[s.y], mask(s.given), s) for s in evidence.separated),
            tuple(Connection(index[s.x], index[s.y], everything & ~measured[s.study], s) for s in evidence.connected),
            tuple(
                Orientation(index[r.x], index[r.y], frozenset(map(edge_of, r.allowed)), r)
                for r in evidence.relations
                if method == "iod-bcd" and (r.x, r.y) in connected_pairs
            ),
            tuple(
                PairRelation(index[r.x], index[r.y], r.allowed, r)
                for r in (*(evidence.relations if method == "causal-iod" else ()), *known)
            ),
            selection=selection,
        )

    @cached_property
    def statements(self) -> Mapping[StatementKey, Constraint]:
        """Every statement by its key."""
        lists: tuple[tuple[str, Sequence[Constraint]], ...] = (
            ("separated", self.separations),
            ("connected", self.connections),
            ("oriented", self.orientations),
            ("relation", self.relations),
        )
        return {(name, k): one for name, constraints in lists for k, one in enumerate(constraints)}

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

        def kept(name: str, constraints: tuple[C, ...]) -> tuple[C, ...]:
            return tuple(one for k, one in enumerate(constraints) if (name, k) not in keys)

        return replace(
            self,
            separations=kept("separated", self.separations),
            connections=kept("connected", self.connections),
            orientations=kept("oriented", self.orientations),
            relations=kept("relation", self.relations),
            soft=None,
        )

    def with_claims(self, claims: Iterable[Claim]) -> Problem:
        """The same question with more supposed; raises if a claim names an unknown variable."""
        claims = tuple(claims)
        for claim in claims:
            for name in (claim.x, claim.y):
                if name not in self.names:
                    raise ProblemError(f"'{claim}': '{name}' is not one of the variables {', '.join(self.names)}")
            if claim.x == claim.y:
                raise ProblemError(f"'{claim}': name two different variables")
        return replace(self, claims=self.claims + claims)


def edge_of(structure: Structure) -> str:
    """The edge of a MAG that goes with a structure; where neither a cause nor a common cause joins the pair, ``--``."""
    return "--" if structure is Structure.NONE else structure.value.removesuffix(" & <->")


def is_solution(problem: Problem, graph: MixedGraph) -> bool:
    """Whether a graph over the problem's variables answers the problem: the definition, by graph code alone."""
    return (
        is_mag(graph)
        and (problem.selection or not graph.has_selection)
        and all(_claimed(graph, claim) for claim in problem.claims if claim.topic is not Topic.CONFOUNDED)
        and any(True for _ in fitting_models(problem, graph))
    )


def holds_in(statement: Constraint, model: MixedGraph, mag: MixedGraph) -> bool:
    """Whether a statement holds in a latent-variable model and its MAG."""
    if isinstance(statement, Separation):
        return not connected_masks(mag, statement.x, statement.given) >> statement.y & 1
    if isinstance(statement, Connection):
        return has_inducing_path(mag, statement.x, statement.y, statement.latent)
    x, y = mag.names[statement.x], mag.names[statement.y]
    if isinstance(statement, Orientation):
        edge = mag.edge(x, y)
        return edge is None or edge in statement.allowed
    return structure_of(model, x, y) in statement.allowed


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
    in_mag = _affordable((one for one in problem.statements.items() if one[0][0] != "relation"), problem, mag, mag, 0)
    if in_mag is None:
        return
    relations = [one for one in problem.statements.items() if one[0][0] == "relation"]
    for model in doublings(mag):
        if _affordable(relations, problem, model, mag, in_mag) is not None and all(
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
        if not holds_in(statement, model, mag):
            if key not in costs:
                return None
            spent += costs[key]
            if allowed is not None and spent > allowed:
                return None
    return spent
