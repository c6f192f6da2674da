"""An inducing path joins a pair, relative to what the study lacks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar, Self

from weft.evidence.statements import Connected
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Asked
from weft.search.kinds.paths import OfInducingPaths


@dataclass(frozen=True)
class Connection(OfInducingPaths):
    """An inducing path joins x and y relative to ``latent`` (bits)."""

    kind: ClassVar[str] = "connected"

    origin: Connected

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every connection."""
        for s in asked.evidence.connected:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.unmeasured(s.study))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG has such a path."""
        return self.joined(mag)
