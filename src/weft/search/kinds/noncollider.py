"""The vertex in the middle of a pair causes one of the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from weft.evidence.statements import Noncollider
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Asked
from weft.search.kinds.triple import OfMiddle


@dataclass(frozen=True)
class CauseOfOne(OfMiddle):
    """``middle`` is above x or y."""

    kind: ClassVar[str] = "noncollider"

    origin: Noncollider

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every such statement: it comes from independences, which all methods heed."""
        for s in asked.evidence.noncolliders:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.mask([s.middle]))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG says so."""
        return self.is_above(mag)
