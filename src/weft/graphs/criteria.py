"""The marginal causal structure of a pair of variables: what it is, and two ways to read it off a graph.

Hide every variable but x and y: the latent projection onto the pair is one of six structures
(:class:`Structure`), the five of the paper's Figure 1 and none at all. Two facts decide which:

- x *causes* y if x is an ancestor of y;
- x and y are *confounded* if there is a trek between them: a path with an arrowhead at both ends, no collider, and
  neither x nor y inside.

:func:`structure_of` reads the structure off these facts. :func:`literal_structure` reads it off the paper's Table 1
(:data:`TABLE_1`): m-separation of x and y, given nothing, in four *mutilated* graphs, each with the edges into one of
the two (:func:`without_incoming`, the paper's overline) or out of it (:func:`without_outgoing`, underline) removed.
The mutilations are made one at a time. (The paper's text speaks once of removing "both their incoming edges"; with
both removed at once no collider-free path would be left, whatever the graph.)

The four columns, in words, for a graph without ``--``:

============================ ==========================================================
not m-separated in the graph exactly if
============================ ==========================================================
without edges into y         y causes x
without edges out of y       x causes y, or they are confounded
without edges into x         x causes y
without edges out of x       y causes x, or they are confounded
============================ ==========================================================

So the printed rows are right, each on its own figure and on every DAG, MAG and ADMG: the two readings are the same.
A MAG has one edge per pair, so on a MAG alone criteria 4 and 5 hold for a pair only if the common cause shows
elsewhere in the graph; for a pair that stands alone they need the ADMG, ``X -> Y; X <-> Y``.

With ``--`` (selection) the readings part. The paper does not say whether ``X -- Y`` is an incoming or an outgoing
edge; here it is neither and is never cut. In an ancestral graph the readings then differ exactly for the pairs that
are joined by a collider-free path with ``--`` at x or y. By ancestors and treks such a path counts for nothing; Table
1 takes it for a cause *and* a common cause (``X -- W -> Y`` passes criterion 4 for X and Y) or, with ``--`` at both
ends (``X -- Y``), the pair fits no row. For questions of cause use :func:`structure_of`.

References
----------
Dhir and Lee, *Integrating overlapping datasets using bivariate causal discovery*, AAAI 2020: Figure 1 and Table 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum

from weft.errors import GraphError
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.graphs.separation import ancestor_mask, m_separated, walk


class Structure(StrEnum):
    """The marginal causal structure of a pair (x, y): Figure 1 of the paper, and no structure at all."""

    NONE = "none"
    CAUSES = "->"  # Fig. 1a: x causes y, no common cause
    CAUSED = "<-"  # Fig. 1b
    COMMON = "<->"  # Fig. 1c: a common cause only
    CAUSES_COMMON = "-> & <->"  # Fig. 1d: x causes y, and they have a common cause
    CAUSED_COMMON = "<- & <->"  # Fig. 1e

    @classmethod
    def of(cls, *, causes: bool, caused: bool, confounded: bool) -> Structure:
        """The structure by its meaning. A pair cannot be each other's cause."""
        arrow = "->" if causes else "<-" if caused else ""
        text = " & ".join(part for part in (arrow, "<->" if confounded else "") if part)
        return cls(text or "none")

    @property
    def causes(self) -> bool:
        """Whether x is a cause of y."""
        return self.value.startswith("->")

    @property
    def caused(self) -> bool:
        """Whether y is a cause of x."""
        return self.value.startswith("<- ") or self.value == "<-"

    @property
    def confounded(self) -> bool:
        """Whether x and y have a common cause."""
        return self.value.endswith("<->")

    @property
    def mirrored(self) -> Structure:
        """The same structure read from y to x."""
        return Structure.of(causes=self.caused, caused=self.causes, confounded=self.confounded)


def is_confounded(graph: MixedGraph, x: int, y: int) -> bool:
    """Whether a trek joins vertices ``x`` and ``y``: arrowheads at both ends, no collider, neither inside.

    The search follows walks. Where there is such a walk there is such a path, in ADMGs and in MAGs and their doublings.
    In other graphs with ``--`` a walk may also turn round at a vertex that selection conditions on.
    """
    inside = ~(1 << x | 1 << y)
    arrow, _ = walk(graph, graph.spouses[x], graph.parents[x] & inside, colliders=0, noncolliders=inside)
    return bool(arrow >> y & 1)


def structure_of(graph: MixedGraph, x: str, y: str) -> Structure:
    """The marginal causal structure of (``x``, ``y``) in a latent-variable model, by ancestors and treks.

    >>> structure_of(MixedGraph.parse("C -> X; C -> Y; X -> Y"), "X", "Y").value
    '-> & <->'
    """
    a, b = graph.index(x), graph.index(y)
    if a == b:
        raise GraphError(f"'{x}' and '{y}' are the same vertex; name two")
    return Structure.of(
        causes=bool(ancestor_mask(graph, 1 << b) >> a & 1),
        caused=bool(ancestor_mask(graph, 1 << a) >> b & 1),
        confounded=is_confounded(graph, a, b),
    )


def without_incoming(graph: MixedGraph, vertex: str) -> MixedGraph:
    """The graph without the edges that have an arrowhead at ``vertex``: the paper's overline.

    >>> print(without_incoming(MixedGraph.parse("X -> Y; X <-> Y; Y -> Z"), "Y"))
    Y -> Z; X
    """
    graph.index(vertex)
    return _without(graph, lambda edge: _mark_at(edge, vertex) == Mark.ARROW)


def without_outgoing(graph: MixedGraph, vertex: str) -> MixedGraph:
    """The graph without the directed edges out of ``vertex``: the paper's underline.

    >>> print(without_outgoing(MixedGraph.parse("X -> Y; X <-> Y; Y -> Z"), "X"))
    X <-> Y; Y -> Z
    """
    graph.index(vertex)
    return _without(graph, lambda edge: edge.x == vertex and edge.symbol == "->")


def _without(graph: MixedGraph, is_cut: Callable[[Edge], bool]) -> MixedGraph:
    return MixedGraph.build(graph.names, (edge for edge in graph.edges() if not is_cut(edge)))


def _mark_at(edge: Edge, vertex: str) -> Mark:
    """The mark of an edge at one of its ends; no mark at a vertex that it does not touch."""
    return edge.mark_x if edge.x == vertex else edge.mark_y if edge.y == vertex else Mark.NONE


Columns = tuple[bool, bool, bool, bool]
"""Whether x and y are m-separated without edges into y, out of y, into x, out of x: the columns of Table 1."""

_MSEP, _CONN = True, False  # "msep" and the struck-out "msep"

TABLE_1: Mapping[Structure, Columns] = {
    # the graph without edges:     into y, out of y, into x, out of x
    Structure.CAUSES: (_MSEP, _CONN, _CONN, _MSEP),  # criterion 1, Fig. 1a
    Structure.CAUSED: (_CONN, _MSEP, _MSEP, _CONN),  # criterion 2, Fig. 1b
    Structure.COMMON: (_MSEP, _CONN, _MSEP, _CONN),  # criterion 3, Fig. 1c
    Structure.CAUSES_COMMON: (_MSEP, _CONN, _CONN, _CONN),  # criterion 4, Fig. 1d
    Structure.CAUSED_COMMON: (_CONN, _CONN, _MSEP, _CONN),  # criterion 5, Fig. 1e
    Structure.NONE: (_MSEP, _MSEP, _MSEP, _MSEP),  # not printed: the paper speaks of correlated pairs only
}
"""The paper's Table 1, and the row for a pair without any structure."""


def mutilated_separations(graph: MixedGraph, x: str, y: str) -> Columns:
    """What the four columns of Table 1 say of a pair: whether x and y are m-separated in each mutilated graph.

    >>> mutilated_separations(MixedGraph.parse("X <-> Y"), "X", "Y")
    (True, False, True, False)
    """
    if graph.has_circles:
        raise GraphError("a graph with circles stands for many graphs, which may differ here; take one of its MAGs")
    return (
        m_separated(without_incoming(graph, y), x, y),
        m_separated(without_outgoing(graph, y), x, y),
        m_separated(without_incoming(graph, x), x, y),
        m_separated(without_outgoing(graph, x), x, y),
    )


def criterion_holds(graph: MixedGraph, structure: Structure, x: str, y: str) -> bool:
    """Whether a pair passes the criterion of Table 1 for a structure, read literally.

    >>> criterion_holds(MixedGraph.parse("X -> M -> Y"), Structure.CAUSES, "X", "Y")
    True
    >>> criterion_holds(MixedGraph.parse("X -> M -> Y; X <-> M"), Structure.CAUSES, "X", "Y")
    False
    """
    return mutilated_separations(graph, x, y) == TABLE_1[structure]


def literal_structure(graph: MixedGraph, x: str, y: str) -> Structure | None:
    """The structure whose criterion in Table 1 a pair passes; ``None`` if it passes none, as with ``X -- Y``.

    >>> literal_structure(MixedGraph.parse("C -> X; C -> Y; X -> Y"), "X", "Y").value
    '-> & <->'
    """
    found = mutilated_separations(graph, x, y)
    return next((structure for structure, columns in TABLE_1.items() if columns == found), None)
