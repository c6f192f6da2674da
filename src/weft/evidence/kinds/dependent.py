"""A pair and a set that leaves it dependent: `Separated` denied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.given_set import GivenSet
from weft.evidence.kinds.provenance import behind, shown_pair, shown_weight


@dataclass(frozen=True, slots=True)
class Dependent(GivenSet):
    """``given`` does not separate ``x`` and ``y``; another set may. The pair is kept in sorted order.

    >>> print(Dependent("Z", "X", frozenset({"Y"}), ("a", "b")))
    X and Z are dependent given Y in studies 'a' and 'b'
    """

    kind: ClassVar[str] = "dependent"
    listed: ClassVar[str] = "dependent"

    def __str__(self) -> str:
        return f"{shown_pair(self)} are dependent{self.where}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> from weft.evidence.kinds import Provenance
        >>> print(Dependent("X", "Y", frozenset("Z"), ("a",), 2.1, Provenance("kcit", 0.001, 812)).sentence())
        X and Y are dependent given {Z} in study 'a' (kcit, p = 0.001, 812 rows, weight 2.1)
        """
        how = f"dependent given {{{self.shown_set}}}" if self.given else "dependent"
        data = behind(self.provenance, shown_weight(self.weight))
        return f"{shown_pair(self)} are {how}{self.in_studies}{data}"
