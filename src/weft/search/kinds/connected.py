"""An inducing path joins a pair, relative to what the study lacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from weft.evidence.statements import Connected
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import has_inducing_path
from weft.search.kinds.constraint import Asked, Constraint, Part, moved_set


@dataclass(frozen=True)
class Connection(Constraint):
    """An inducing path joins x and y relative to ``latent`` (bits)."""

    kind: ClassVar[str] = "connected"

    origin: Connected
    latent: int

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every connection."""
        for s in asked.evidence.connected:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.unmeasured(s.study))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG has such a path."""
        return has_inducing_path(mag, self.x, self.y, self.latent)

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(self, x=place[self.x], y=place[self.y], latent=moved_set(self.latent, place))

    def needed_parts(self, k: int) -> Iterator[Part]:
        """The inducing paths of the pair."""
        yield Part("inducing", ((self.kind, k), self.x, self.y))
