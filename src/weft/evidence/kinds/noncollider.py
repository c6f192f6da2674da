"""A variable that causes one of a pair, or both."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.triple import Triple
from weft.graphs.mixed import quote


@dataclass(frozen=True, slots=True)
class Noncollider(Triple):
    """``middle`` causes ``x`` or ``y``. The pair is kept in sorted order.

    So it is where the pair is independent only given the middle, and this is a neighbour of both: then no arrowheads
    meet there.

    >>> print(Noncollider("Z", "X", "Y", ("a", "b")))
    Y causes X or Z in studies 'a' and 'b'
    >>> from weft.evidence.kinds import Provenance
    >>> print(Noncollider("X", "Z", "Y", ("a",), 2.1, Provenance("g-square", 0.43, 812)).sentence())
    Y causes X or Z in study 'a', since these are independent only given it (g-square, p = 0.43, 812 rows, weight 2.1)
    """

    kind: ClassVar[str] = "noncollider"
    listed: ClassVar[str] = "noncolliders"
    because: ClassVar[str] = "independent only given it"

    def __str__(self) -> str:
        return f"{quote(self.middle)} causes {quote(self.x)} or {quote(self.y)}{self.where}"
