"""A pair that some set of a study's other variables separates: `Connected` denied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from weft.evidence.kinds.in_study import InStudy
from weft.evidence.kinds.provenance import behind, shown_pair, shown_weight


@dataclass(frozen=True, slots=True)
class Apart(InStudy):
    """Some set of the study's other variables separates ``x`` and ``y``. The pair is kept in sorted order.

    Which set is not said: `Separated` does.

    >>> print(Apart("a", "Y", "X"))
    X and Y are apart in study 'a'
    """

    kind: ClassVar[str] = "apart"
    listed: ClassVar[str] = "apart"

    def __str__(self) -> str:
        return f"{shown_pair(self)} are apart{self.where}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> from weft.evidence.kinds import Provenance
        >>> print(Apart("a", "X", "Z", 0.5, Provenance(p_value=0.4)).sentence())
        X and Z are apart in study 'a': some set of its variables makes them independent (p = 0.4, weight 0.5)
        """
        data = behind(self.provenance, shown_weight(self.weight))
        return f"{self}: some set of its variables makes them independent{data}"
