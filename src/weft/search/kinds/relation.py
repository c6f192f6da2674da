"""A relation as Causal IOD reads it: the marginal causal structure of a pair."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Self

from weft.evidence.statements import Relation
from weft.graphs.criteria import Structure, structure_of
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.constraint import Around, Asked, Constraint, Part

if TYPE_CHECKING:
    from weft.search.bounds import Bounds, Propagation

# The arrow between a pair in the facts of relations: x causes y, y causes x, neither.
_CAUSES, _CAUSED, _NEITHER = 1, 2, 0


@dataclass(frozen=True)
class PairRelation(Constraint):
    """The marginal causal structure of (x, y) is one of ``allowed``."""

    kind: ClassVar[str] = "relation"
    in_mag: ClassVar[bool] = False

    origin: Relation
    allowed: frozenset[Structure]

    @classmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """Every relation, for ``causal-iod``; and what is known from elsewhere, for every method."""
        found = asked.evidence.relations if asked.method == "causal-iod" else ()
        for r in (*found, *asked.known):
            yield cls(asked.index[r.x], asked.index[r.y], r, r.allowed)

    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """The model has one of these structures there."""
        return structure_of(model, mag.names[self.x], mag.names[self.y]) in self.allowed

    def narrow(self, bounds: Propagation) -> None:
        """Who causes whom, where all the structures agree."""
        bounds.restrict_causes(self.x, self.y, {s.causes for s in self.allowed})
        bounds.restrict_causes(self.y, self.x, {s.caused for s in self.allowed})

    def hides(self, bounds: Bounds) -> int:
        """A cause that must share a hidden common cause with its effect."""
        arrows = self._arrows(bounds)
        return (arrows.get(_CAUSES) == "needs") << self.x | (arrows.get(_CAUSED) == "needs") << self.y

    def facts(self, k: int, around: Around) -> Iterator[str]:
        """What it says for each arrow; where there can be none, that is said with ancestors alone."""
        arrows = self._arrows(around.bounds)
        if not self._is_said(arrows, around):
            yield from (f"{verb}({k},{arrow})." for arrow, verb in arrows.items() if verb)
        elif arrows[_NEITHER]:
            yield f"{'common' if arrows[_NEITHER] == 'needs' else 'independent'}({self.x},{self.y})."

    def has_part(self, around: Around) -> bool:
        """Unless it says nothing that the bounds do not, or the base says it."""
        arrows = self._arrows(around.bounds)
        return any(arrows.values()) and not self._is_said(arrows, around)

    def needed_parts(self, k: int) -> Iterator[Part]:
        """Its rules speak of treks."""
        yield Part("confounded", (self.x, self.y))

    def _is_said(self, arrows: dict[int, str], around: Around) -> bool:
        """Whether neither can cause the other, so that ancestors say it all."""
        plain = not around.switched and not around.selection
        return plain and set(arrows) == {_NEITHER} and arrows[_NEITHER] != "forbids"

    def _arrows(self, bounds: Bounds) -> dict[int, str]:
        """For each arrow that the bounds allow: it "forbids" that, "needs" or "bars" a common cause then, or ""."""
        x, y = self.x, self.y
        certain = bounds.must_cause[x] >> y & 1 or bounds.must_cause[y] >> x & 1
        possible = {_CAUSES: bounds.may_cause[x] >> y & 1, _CAUSED: bounds.may_cause[y] >> x & 1, _NEITHER: not certain}
        said = {}
        for arrow in (arrow for arrow, may in possible.items() if may):
            confounded = {
                s.confounded for s in self.allowed if (s.causes, s.caused) == (arrow == _CAUSES, arrow == _CAUSED)
            }
            said[arrow] = {(): "forbids", (True,): "needs", (False,): "bars"}.get(tuple(confounded), "")
        return said
