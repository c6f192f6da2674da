"""A pair that no set of a study's other variables separates: the paper's IP."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from weft.evidence.kinds.provenance import NOWHERE, Provenance, behind, shown_pair, shown_weight, sort_pair


@dataclass(frozen=True, slots=True)
class Connected:
    """No set of the study's other variables separates ``x`` and ``y``. The pair is kept in sorted order.

    >>> print(Connected("a", "Y", "X"))
    X and Y are connected in study 'a'
    """

    kind: ClassVar[str] = "connected"
    listed: ClassVar[str] = "connected"
    of_study: ClassVar[bool] = True
    parts: ClassVar[Mapping[str, Callable[[str], object]]] = {}

    study: str
    x: str
    y: str
    weight: float | None = None
    provenance: Provenance = NOWHERE

    def __post_init__(self) -> None:
        sort_pair(self)

    @classmethod
    def of_parts(
        cls,
        study: str,
        pair: tuple[str, str],
        parts: Mapping[str, frozenset[str]],
        weight: float | None,
        provenance: Provenance,
    ) -> Connected:
        """The statement that an evidence file holds."""
        return cls(study, *pair, weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the study and the pair."""
        return {}

    @property
    def said_once(self) -> Hashable:
        """A pair is connected or separated in a study, never both, and once."""
        return self.study, self.x, self.y

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """Nothing more can be wrong with it."""
        return iter(())

    def __str__(self) -> str:
        return f"{shown_pair(self)} are connected in study {self.study!r}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> print(Connected("a", "X", "Y", 0.5, Provenance(p_value=0.004)).sentence())
        X and Y stay connected in study 'a', whatever is given (largest p = 0.004, weight 0.5)
        """
        data = behind(self.provenance, shown_weight(self.weight), p_value="largest p")
        return f"{shown_pair(self)} stay connected in study {self.study!r}, whatever is given{data}"
