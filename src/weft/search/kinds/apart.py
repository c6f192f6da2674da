"""No inducing path joins a pair, relative to what the study lacks: a connection denied."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Apart
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Asked, moved_set
from weft.search.kinds.paths import OfInducingPaths

if TYPE_CHECKING:
    from weft.search.bounds import Propagation


@dataclass(frozen=True)
class Apartness(OfInducingPaths):
    """No inducing path joins x and y relative to ``latent`` (bits)."""

    kind: ClassVar[str] = "apart"
    parts_pair: ClassVar[bool] = True

    origin: Apart
    measured: int
    """The variables (bits) of the study, some of which separate the pair."""

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every pair that is apart in a study."""
        for s in asked.evidence.apart:
            measured = asked.measured[s.study]
            yield cls(asked.index[s.x], asked.index[s.y], s, asked.unmeasured(s.study), measured)

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The MAG has no such path."""
        return not self.joined(mag)

    @property
    def scope(self) -> int:
        """The whole study: where one of its variables is hidden, nothing may be left that separates the pair."""
        return self.measured

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices."""
        return replace(super().moved(place), measured=moved_set(self.measured, place))

    def narrow(self, bounds: Propagation) -> None:
        """There is no edge."""
        bounds.part(self.x, self.y)
