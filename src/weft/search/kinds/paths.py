"""What kinds share that speak of the same paths: one says that there is such a path, the other that there is not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import connected_masks, has_inducing_path
from weft.search.kinds.constraint import Constraint, Part, moved_set


@dataclass(frozen=True)
class OfInducingPaths(Constraint):
    """It speaks of the inducing paths between x and y relative to ``latent`` (bits), which a study lacks."""

    latent: int

    def joined(self, mag: MixedGraph) -> bool:
        """Whether there is such a path."""
        return has_inducing_path(mag, self.x, self.y, self.latent)

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(self, x=place[self.x], y=place[self.y], latent=moved_set(self.latent, place))

    def needed_parts(self, k: int) -> Iterator[Part]:
        """The inducing paths of the pair."""
        yield Part("inducing", ((self.kind, k), self.x, self.y))


@dataclass(frozen=True)
class OfConnectingPaths(Constraint):
    """It speaks of the paths that connect x and y given the set ``given`` (bits)."""

    given: int

    def joined(self, mag: MixedGraph) -> bool:
        """Whether there is such a path."""
        return bool(connected_masks(mag, self.x, self.given) >> self.y & 1)

    @property
    def vertices(self) -> int:
        """The pair and the set."""
        return self.pair | self.given

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(self, x=place[self.x], y=place[self.y], given=moved_set(self.given, place))

    def needed_parts(self, k: int) -> Iterator[Part]:
        """The paths that connect the pair given the set."""
        yield Part("connecting", ((self.kind, k), self.x, self.y))
