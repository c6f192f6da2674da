"""A relation as IOD+BCD reads it: it says which edge a pair has, if it has one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Relation
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Around, Asked, Constraint

if TYPE_CHECKING:
    from weft.search.bounds import Propagation


def edge_of(structure: Structure) -> str:
    """The edge of a MAG that goes with a structure; where neither a cause nor a common cause joins the pair, ``--``."""
    return "--" if structure is Structure.NONE else structure.value.removesuffix(" & <->")


@dataclass(frozen=True)
class Orientation(Constraint):
    """If x and y are adjacent, their edge read from x is one of ``allowed``."""

    kind: ClassVar[str] = "oriented"
    cuttable: ClassVar[bool] = False

    origin: Relation
    allowed: frozenset[str]

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """The relations of pairs that are connected in some study, for ``iod-bcd``."""
        connected = {(s.x, s.y) for s in asked.evidence.connected}
        for r in asked.evidence.relations if asked.method == "iod-bcd" else ():
            if (r.x, r.y) in connected:
                yield cls(asked.index[r.x], asked.index[r.y], r, frozenset(map(edge_of, r.allowed)))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG has no edge there, or one of these."""
        edge = mag.edge(mag.names[self.x], mag.names[self.y])
        return edge is None or edge in self.allowed

    def narrow(self, bounds: Propagation) -> None:
        """There is no other edge."""
        bounds.restrict_edge(self.x, self.y, self.allowed)

    def facts(self, k: int, around: Around) -> Iterator[str]:
        """The edges that it bans."""
        yield from (f'bans({k},"{edge}").' for edge in ("->", "<-", "<->", "--") if edge not in self.allowed)

    def has_part(self, around: Around) -> bool:
        """If it may be given up; else the bounds say it."""
        return around.switched
