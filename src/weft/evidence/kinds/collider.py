"""A variable that causes neither of a pair: `Noncollider` denied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.triple import Triple
from weft.graphs.mixed import quote


@dataclass(frozen=True, slots=True)
class Collider(Triple):
    """``middle`` causes neither ``x`` nor ``y``. The pair is kept in sorted order.

    So it is where the pair is independent as long as the middle is not given, and this is a neighbour of both: then two
    arrowheads meet there.

    >>> print(Collider("Z", "X", "Y"))
    Y causes neither X nor Z
    >>> from weft.evidence.kinds import Provenance
    >>> print(Collider("X", "Z", "Y", (), 2.1, Provenance("g-square", 0.43)).sentence())
    Y causes neither X nor Z, since these are independent only without it (g-square, p = 0.43, weight 2.1)
    """

    kind: ClassVar[str] = "collider"
    listed: ClassVar[str] = "colliders"
    because: ClassVar[str] = "independent only without it"

    def __str__(self) -> str:
        return f"{quote(self.middle)} causes neither {quote(self.x)} nor {quote(self.y)}{self.where}"
