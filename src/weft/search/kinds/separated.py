"""A set m-separates a pair."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Separated
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import connected_masks
from weft.search.kinds.constraint import Around, Asked, Constraint, Part, moved_set

if TYPE_CHECKING:
    from weft.search.bounds import Propagation


@dataclass(frozen=True)
class Separation(Constraint):
    """``given`` (bits) m-separates x and y."""

    kind: ClassVar[str] = "separated"
    parts_pair: ClassVar[bool] = True

    origin: Separated
    given: int

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every separation."""
        for s in asked.evidence.separated:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.mask(s.given))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """No path connects the pair in the MAG given the set."""
        return not connected_masks(mag, self.x, self.given) >> self.y & 1

    @property
    def vertices(self) -> int:
        """The pair and the set."""
        return self.pair | self.given

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(self, x=place[self.x], y=place[self.y], given=moved_set(self.given, place))

    def narrow(self, bounds: Propagation) -> None:
        """There is no edge; given nothing, neither causes the other and they have no common cause."""
        bounds.part(self.x, self.y)
        if not self.given:
            bounds.make_independent(self.x, self.y)

    def facts(self, k: int, around: Around) -> Iterator[str]:
        """A separation given nothing is said with ancestors alone."""
        if not self.given and not around.selection:
            yield f"independent({k},{self.x},{self.y})." if around.switched else f"independent({self.x},{self.y})."

    def has_part(self, around: Around) -> bool:
        """Unless the base says it, and it cannot be given up."""
        return around.switched or not self.is_said(around)

    def is_said(self, around: Around) -> bool:
        """Given nothing, without selection."""
        return not self.given and not around.selection

    def needed_parts(self, k: int) -> Iterator[Part]:
        """The paths that connect the pair given the set."""
        yield Part("connecting", ((self.kind, k), self.x, self.y))
