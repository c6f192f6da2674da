"""A set m-separates a pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Separated
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Around, Asked
from weft.search.kinds.paths import OfConnectingPaths

if TYPE_CHECKING:
    from weft.search.bounds import Propagation


@dataclass(frozen=True)
class Separation(OfConnectingPaths):
    """``given`` (bits) m-separates x and y."""

    kind: ClassVar[str] = "separated"
    parts_pair: ClassVar[bool] = True

    origin: Separated

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every separation."""
        for s in asked.evidence.separated:
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.mask(s.given))

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """No path connects the pair in the MAG given the set."""
        return not self.joined(mag)

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
