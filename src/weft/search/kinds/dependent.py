"""A set does not m-separate a pair: a separation denied."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from weft.evidence.statements import Dependent
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Asked
from weft.search.kinds.paths import OfConnectingPaths


@dataclass(frozen=True)
class Dependence(OfConnectingPaths):
    """``given`` (bits) leaves x and y connected."""

    kind: ClassVar[str] = "dependent"

    origin: Dependent

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every dependence."""
        for s in asked.evidence.dependent:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.mask(s.given))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """Some path connects the pair in the MAG given the set."""
        return self.joined(mag)
