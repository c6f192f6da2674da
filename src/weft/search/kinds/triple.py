"""What the kinds share that say whether the vertex in the middle of a pair causes one of the two."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Self

from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask
from weft.search.kinds.constraint import Constraint, Part, moved_set


@dataclass(frozen=True)
class OfMiddle(Constraint):
    """It speaks of whether ``middle`` (one vertex, as bits) is above x or y.

    Where there is selection, above a selection variable counts too: that also leaves no two arrowheads there.
    """

    middle: int

    def is_above(self, mag: MixedGraph) -> bool:
        """Whether it is an ancestor of one of the two, or of a vertex with an undirected edge."""
        return bool(ancestor_mask(mag, self.pair | mag.selected) & self.middle)

    @property
    def vertices(self) -> int:
        """The pair and the middle."""
        return self.pair | self.middle

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(self, x=place[self.x], y=place[self.y], middle=moved_set(self.middle, place))

    def needed_parts(self, k: int) -> Iterator[Part]:
        """Whether the middle is above the pair."""
        yield Part("middle", ((self.kind, k), self.x, self.y))
