"""What perfect tests would say: every statement about studies of a graph that is known.

For each study and each pair of its variables:

- the pair is *connected* if there is an inducing path relative to the variables that the study lacks, for then no set
  of the study's other variables separates it;
- else the pair is *apart*, and one minimal set is stated that *separates* it (the empty one, if that will do);
- where such a pair has a variable in between, connected with both, the pair is *dependent* given the same set with that
  variable put in, or left out if it was in: this shows whether it is a collider. A few such rival sets are stated;
- if the pair is dependent by itself, its marginal causal structure is stated, once for all studies.

What is said of a pair and a set is stated once, with all the studies that show it.

An oracle gives verdicts, not numbers: there are no p-values and no weights. The pairs that are connected and one set
for each that is not pin what can be said of a study: the rest follows, and the answer would be the same without it.

How a separating set is found
-----------------------------
Let A be the ancestors of x, y and the selected vertices. If anything separates x and y within a study, the study's
variables in A do, and a set Z within A separates exactly if it cuts x from y among the walks inside A on which every
collider is open and every member of Z is closed as a non-collider (Richardson's augmented graph). Cuts in a graph are
simple: of the study's variables in A keep those that such walks from x touch first, then of these those that walks
from y still touch. What is left is minimal: without any one of its members x and y are connected. The same from y's
side gives another; the smaller is stated. That is at most four searches per pair, each linear in the edges.

References
----------
Richardson, *Markov properties for acyclic directed mixed graphs*, Scandinavian Journal of Statistics 30 (2003).
van der Zander, Liskiewicz and Textor, *Separators and adjustment sets in causal graphs*, AI Journal 270 (2019).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import combinations, islice

from weft.errors import EvidenceError, GraphError
from weft.evidence.statements import (
    Apart,
    Connected,
    Dependent,
    Evidence,
    Provenance,
    Relation,
    Scope,
    Separated,
    Statement,
    study_names,
)
from weft.graphs.ancestral import check_acyclic, marginal_mag
from weft.graphs.criteria import structure_of
from weft.graphs.mixed import Mark, MixedGraph, bits
from weft.graphs.separation import ancestor_mask, connected_masks, walk
from weft.reading.arguments import check_argument
from weft.reading.names import meant

ORACLE = Provenance(source="oracle")

Studies = Mapping[str, Iterable[str]] | Iterable[Iterable[str]]
"""The variables of each study, by the studies' names or in order."""

MOST_RIVALS = 3
"""The most sets that are said to leave a pair dependent in a study."""


def oracle(graph: MixedGraph | str, studies: Studies) -> Evidence:
    """Everything that perfect tests in each study would say about a known graph.

    Parameters
    ----------
    graph
        A DAG, ADMG or MAG (``--`` included), as a value or as text. Variables that no study lists are latent.
    studies
        The variables of each study: a mapping from names, or a sequence (the studies are then called a, b, c, ...).

    Notes
    -----
    Hiding a vertex that has a ``--`` edge leaves marks that look like causes: ``X -- U -> Y`` becomes ``X -> Y``. Where
    the MAG of the measured variables shows another structure than the graph has, none is stated.

    Examples
    --------
    >>> for statement in oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]).statements:
    ...     print(statement)
    X and Y are connected in study 'a'
    Y and Z are connected in study 'b'
    the structure of (X, Y) is ->
    the structure of (Y, Z) is ->
    """
    if isinstance(graph, str):
        graph = MixedGraph.parse(graph)
    check_argument("graph", graph, MixedGraph, "a weft.MixedGraph, or a text such as 'X -> Y; Y <-> Z'")
    scopes = as_scopes(studies)
    _check_graph(graph)
    _check_measured(graph, scopes)
    statements = [statement for scope in scopes for statement in separations(graph, scope, ORACLE)]
    return Evidence(scopes, (*stated_once(statements), *_relations(graph, scopes)))


def as_scopes(studies: Studies) -> tuple[Scope, ...]:
    """The studies, with names for those that came without."""
    if isinstance(studies, str):
        raise EvidenceError(f"studies: expected a list of lists of variables, found the string {studies!r}")
    check_argument("studies", studies, Iterable, "a list of lists of variables, or a dictionary of them by name")
    named = studies if isinstance(studies, Mapping) else _named(studies)
    for name, variables in named.items():
        check_argument(f"study {name!r}", variables, Iterable, "a list of variables")
        if isinstance(variables, str):
            raise EvidenceError(f"study {name!r}: expected a list of variables, found the string {variables!r}")
    return tuple(Scope(name, tuple(variables)) for name, variables in named.items())


def _named(studies: Iterable[Iterable[str]]) -> dict[str, Iterable[str]]:
    listed = list(studies)
    return dict(zip(study_names(len(listed)), listed, strict=True))


def separations(
    graph: MixedGraph, scope: Scope, provenance: Provenance
) -> Iterator[Connected | Apart | Separated | Dependent]:
    """What a study says of each pair of its variables: connected, or apart and separated by what, and by what not."""
    measured = graph.mask(scope.variables)
    selected = ancestor_mask(graph, graph.selected)
    above = {v: ancestor_mask(graph, 1 << graph.index(v)) | selected for v in scope.variables}
    connected = {graph.index(v): 0 for v in scope.variables}
    separating: dict[tuple[int, int], int] = {}
    for x, y in combinations(scope.variables, 2):
        a, b = graph.index(x), graph.index(y)
        given = _separating_set(graph, a, b, measured, above[x] | above[y])
        if given is None:
            connected[a] |= 1 << b
            connected[b] |= 1 << a
            yield Connected(scope.name, x, y, provenance=provenance)
        else:
            separating[a, b] = given
    for (a, b), given in separating.items():
        x, y = graph.names[a], graph.names[b]
        yield Apart(scope.name, x, y, provenance=provenance)
        yield Separated(x, y, frozenset(graph.names_of(given)), (scope.name,), provenance=provenance)
        for rival in _rivals(graph, a, b, given, connected[a] & connected[b]):
            yield Dependent(x, y, frozenset(graph.names_of(rival)), (scope.name,), provenance=provenance)


def _rivals(graph: MixedGraph, x: int, y: int, given: int, between: int) -> Iterator[int]:
    """A few sets that differ from a separating one by a variable in between, and leave the pair dependent."""
    rivals = (given ^ 1 << z for z in bits(between))
    return islice((rival for rival in rivals if connected_masks(graph, x, rival) >> y & 1), MOST_RIVALS)


def stated_once(statements: Iterable[Connected | Apart | Separated | Dependent]) -> Iterator[Statement]:
    """What is said of a pair and a set once, with all the studies that say it; the rest as it is."""
    found: dict[Separated | Dependent, list[str]] = {}
    for statement in statements:
        if isinstance(statement, Connected | Apart):
            yield statement
        else:
            found.setdefault(replace(statement, studies=()), []).extend(statement.studies)
    for fact, studies in found.items():
        yield replace(fact, studies=tuple(studies))


def _separating_set(graph: MixedGraph, x: int, y: int, measured: int, relevant: int) -> int | None:
    """Find a minimal subset of ``measured`` that separates x and y (as bits), or ``None`` if none does.

    ``relevant`` are the ancestors of x, y and the selected vertices.
    """
    candidates = measured & relevant & ~(1 << x | 1 << y)
    from_x = _touched(graph, x, candidates, relevant)
    if from_x >> y & 1:
        return None
    near_x = from_x & candidates
    near_y = _touched(graph, y, candidates, relevant) & candidates
    nearest_x = _touched(graph, y, near_x, relevant) & near_x
    nearest_y = _touched(graph, x, near_y, relevant) & near_y
    return min(nearest_x, nearest_y, key=int.bit_count)


def _touched(graph: MixedGraph, start: int, closed: int, relevant: int) -> int:
    """Where walks inside ``relevant`` lead, every collider open and ``closed`` vertices closed as non-colliders."""
    arrow, tail = walk(
        graph,
        graph.children[start] | graph.spouses[start],
        graph.parents[start] | graph.neighbours[start],
        colliders=relevant,
        noncolliders=~closed,
        avoid=~relevant | 1 << start,
    )
    return arrow | tail


def _relations(graph: MixedGraph, scopes: tuple[Scope, ...]) -> Iterator[Statement]:
    """The structure of each pair that some study measured and that is dependent by itself."""
    measured = {name for scope in scopes for name in scope.variables}
    dependent = {name: connected_masks(graph, graph.index(name), 0) for name in measured}
    pairs = {pair for scope in scopes for pair in combinations(scope.variables, 2)}
    hides_selection = graph.selected & ~graph.mask(measured)
    shown_by = marginal_mag(graph, measured) if hides_selection else None
    for x, y in sorted(pairs):
        if dependent[x] >> graph.index(y) & 1:
            structure = structure_of(graph, x, y)
            if shown_by is None or structure_of(shown_by, x, y) is structure:
                yield Relation(x, y, frozenset({structure}), provenance=ORACLE)


def _check_graph(graph: MixedGraph) -> None:
    if graph.has_circles:
        raise GraphError("a graph with circles stands for many models, and an oracle needs one; take one of its MAGs")
    check_acyclic(graph)
    for edge in graph.edges():
        for name, mark in ((edge.x, edge.mark_x), (edge.y, edge.mark_y)):
            if mark == Mark.ARROW and graph.neighbours[graph.index(name)]:
                raise GraphError(f"'{edge}' points at {name!r}, which has an undirected edge '--'; no MAG has both")


def _check_measured(graph: MixedGraph, scopes: tuple[Scope, ...]) -> None:
    known = set(graph.names)
    for scope in scopes:
        for name in scope.variables:
            if name not in known:
                hint = meant(name, known) or "; write a variable without edges by its name alone"
                raise EvidenceError(f"study {scope.name!r}: {name!r} is not a variable of the graph{hint}")
