"""A pair and a set that makes it independent: the paper's Sepset."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.given_set import GivenSet
from weft.evidence.kinds.provenance import behind, shown_pair, shown_weight


@dataclass(frozen=True, slots=True)
class Separated(GivenSet):
    """``given`` separates ``x`` and ``y``. The pair is kept in sorted order.

    >>> print(Separated("Z", "X", frozenset({"Y"}), ("a",)))
    X and Z are separated given Y in study 'a'
    """

    kind: ClassVar[str] = "separated"
    listed: ClassVar[str] = "separated"

    def __str__(self) -> str:
        return f"{shown_pair(self)} are separated{self.where}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> from weft.evidence.kinds import Provenance
        >>> print(Separated("X", "Z", frozenset("Y"), ("a",), 2.1, Provenance("kcit", 0.43, 812)).sentence())
        X and Z were separated by {Y} in study 'a' (kcit, p = 0.43, 812 rows, weight 2.1)
        """
        how = f"separated by {{{self.shown_set}}}" if self.given else "independent"
        data = behind(self.provenance, shown_weight(self.weight))
        return f"{shown_pair(self)} were {how}{self.in_studies}{data}"
