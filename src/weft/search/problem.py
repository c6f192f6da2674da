"""A question to an engine, and what a right answer is.

A problem holds the constraints that a MAG must meet, over vertex indices. :func:`is_solution` is the plain definition
of an answer, by graph code alone, which every engine is tested against.

The three methods of the paper differ only in what they make of the relations:

- ``iod`` (and ``ion``): nothing;
- ``iod-bcd``: for a pair connected in some study, *if* the MAG has an edge there, it is one that the relation allows;
- ``causal-iod``: the relation holds.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

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

    @classmethod
    def of(cls, evidence: Evidence, method: str = "causal-iod", *, selection: bool = False) -> Problem:
        """The constraints that a method makes of evidence."""
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
                PairRelation(index[r.x], index[r.y], r.allowed, r) for r in evidence.relations if method == "causal-iod"
            ),
            selection=selection,
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
        and all(not connected_masks(graph, s.x, s.given) >> s.y & 1 for s in problem.separations)
        and all(has_inducing_path(graph, c.x, c.y, c.latent) for c in problem.connections)
        and all(_oriented(graph, o) for o in problem.orientations)
        and all(_claimed(graph, claim) for claim in problem.claims if claim.topic is not Topic.CONFOUNDED)
        and any(True for _ in fitting_models(problem, graph))
    )


def _oriented(graph: MixedGraph, wanted: Orientation) -> bool:
    edge = graph.edge(graph.names[wanted.x], graph.names[wanted.y])
    return edge is None or edge in wanted.allowed


def _claimed(graph: MixedGraph, claim: Claim) -> bool:
    if claim.topic is Topic.CAUSES:
        a, b = graph.index(claim.x), graph.index(claim.y)
        return bool(ancestor_mask(graph, 1 << b) >> a & 1) == claim.holds
    return claim.fits_edge(graph.mark(claim.y, claim.x), graph.mark(claim.x, claim.y)) == claim.holds


def fitting_models(problem: Problem, mag: MixedGraph) -> Iterator[MixedGraph]:
    """The latent-variable models with this MAG that meet the relations and the claims about confounding."""
    names = problem.names
    confounding = [claim for claim in problem.claims if claim.topic is Topic.CONFOUNDED]
    for model in doublings(mag):
        if all(structure_of(model, names[r.x], names[r.y]) in r.allowed for r in problem.relations) and all(
            structure_of(model, claim.x, claim.y).confounded == claim.holds for claim in confounding
        ):
            yield model
