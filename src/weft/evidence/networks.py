"""Evidence from the graph that each study found, instead of its data: the input of ION.

A partial ancestral graph (PAG) stands for a Markov equivalence class of MAGs, so it says exactly which pairs of its
study can be separated, and by what. Any MAG of the class will do to read that from, and a study that comes as a MAG
or a DAG is read in the same way: only its independences count, and no causal relation is taken from it.

References
----------
Danks, Glymour and Tillman, *Integrating locally learned causal structures with overlapping variables*, NIPS 21 (2009).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from weft.errors import EvidenceError, GraphError
from weft.evidence.oracle import separations, stated_once
from weft.evidence.statements import Evidence, Provenance, Scope, study_names
from weft.graphs.ancestral import directed_cycle, is_ancestral, is_maximal
from weft.graphs.equivalence import is_pag, mag_in, pag_of
from weft.graphs.mixed import Edge, MixedGraph, quote

NETWORK = Provenance(source="network")

Networks = Mapping[str, MixedGraph | str] | Iterable[MixedGraph | str]
"""A graph per study, by the studies' names or in order."""


def from_networks(networks: Networks) -> Evidence:
    """What the studies' PAGs (or MAGs, or DAGs) state of separations and connections.

    Parameters
    ----------
    networks
        A graph over each study's variables, as a value or as text: a mapping from the studies' names, or a sequence
        (the studies are then called a, b, c, ...).

    Raises
    ------
    EvidenceError
        If a graph is neither a MAG nor a PAG, or the studies do not overlap.

    Examples
    --------
    >>> for statement in from_networks(["X o-o Y; Y o-o Z", "Z o-o W"]).statements:
    ...     print(statement)
    X and Y are connected in study 'a'
    Y and Z are connected in study 'a'
    X and Z are apart in study 'a'
    X and Z are separated given Y in study 'a'
    X and Z are dependent in study 'a'
    W and Z are connected in study 'b'
    """
    mags = {name: _mag(name, graph) for name, graph in _named(networks).items()}
    scopes = tuple(Scope(name, mag.names) for name, mag in mags.items())
    found = (s for scope in scopes for s in separations(mags[scope.name], scope, NETWORK))
    return Evidence(scopes, tuple(stated_once(found)))


def _named(networks: Networks) -> Mapping[str, MixedGraph | str]:
    if isinstance(networks, MixedGraph | str):
        raise EvidenceError("give a list of graphs, one for each study, or a mapping from the studies' names to graphs")
    if isinstance(networks, Mapping):
        return networks
    listed = list(networks)
    return dict(zip(study_names(len(listed)), listed, strict=True))


def _mag(study: str, network: MixedGraph | str) -> MixedGraph:
    """One MAG of the class that a study's graph stands for."""
    try:
        graph = MixedGraph.parse(network) if isinstance(network, str) else network
        mag = mag_in(graph) if graph.size else graph
    except GraphError as error:
        raise EvidenceError(f"study {study!r}: {error}") from None
    if flaw := _flaw_of_mag(mag):
        whose = "with its circles filled in it" if graph.has_circles else "it"
        raise EvidenceError(f"study {study!r}: the graph is neither a PAG nor a MAG: {whose} {flaw}")
    if graph.has_circles and not is_pag(graph, selection=True):
        given, due = _first_difference(graph, pag_of(mag, selection=True))
        raise EvidenceError(
            f"study {study!r}: the graph is not a PAG: it has '{given}' where its class of MAGs has '{due}'"
        )
    return mag


def _flaw_of_mag(graph: MixedGraph) -> str:
    if cycle := directed_cycle(graph):
        return f"has a directed cycle among {', '.join(map(quote, cycle))}"
    if not is_ancestral(graph):
        return "is not ancestral (an arrowhead stands at an ancestor of the edge's other end, or at a vertex with '--')"
    return "" if is_maximal(graph) else "is not maximal (an inducing path joins two vertices that are not adjacent)"


def _first_difference(one: MixedGraph, other: MixedGraph) -> tuple[Edge, Edge]:
    """Find an edge that two graphs with the same skeleton mark differently, read in the same direction."""
    by_pair = {frozenset((edge.x, edge.y)): edge for edge in other.edges()}
    pairs = ((edge, by_pair[frozenset((edge.x, edge.y))]) for edge in one.edges())
    same_way = ((edge, due if due.x == edge.x else due.reversed()) for edge, due in pairs)
    return next((edge, due) for edge, due in same_way if edge != due)
