"""A pair that no set of a study's other variables separates: the paper's IP."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.in_study import InStudy
from weft.evidence.kinds.provenance import behind, shown_pair, shown_weight


@dataclass(frozen=True, slots=True)
class Connected(InStudy):
    """No set of the study's other variables separates ``x`` and ``y``. The pair is kept in sorted order.

    >>> print(Connected("a", "Y", "X"))
    X and Y are connected in study 'a'
    """

    kind: ClassVar[str] = "connected"
    listed: ClassVar[str] = "connected"

    def __str__(self) -> str:
        return f"{shown_pair(self)} are connected{self.where}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> from weft.evidence.kinds import Provenance
        >>> print(Connected("a", "X", "Y", 0.5, Provenance(p_value=0.004)).sentence())
        X and Y stay connected in study 'a', whatever is given (largest p = 0.004, weight 0.5)
        """
        data = behind(self.provenance, shown_weight(self.weight), p_value="largest p")
        return f"{shown_pair(self)} stay connected{self.where}, whatever is given{data}"
