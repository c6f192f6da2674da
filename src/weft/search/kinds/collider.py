"""The vertex in the middle of a pair causes neither."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Collider
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Asked
from weft.search.kinds.triple import OfMiddle

if TYPE_CHECKING:
    from weft.search.bounds import Propagation


@dataclass(frozen=True)
class CauseOfNeither(OfMiddle):
    """``middle`` is above neither x nor y."""

    kind: ClassVar[str] = "collider"

    origin: Collider

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every such statement: it comes from independences, which all methods heed."""
        for s in asked.evidence.colliders:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.mask([s.middle]))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG says so."""
        return not self.is_above(mag)

    def narrow(self, bounds: Propagation) -> None:
        """It causes neither."""
        z = self.middle.bit_length() - 1
        bounds.restrict_causes(z, self.x, {False})
        bounds.restrict_causes(z, self.y, {False})
