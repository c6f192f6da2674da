"""A pair and a set that makes it independent: the paper's Sepset."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from weft.evidence.kinds.provenance import NOWHERE, Provenance, behind, shown_pair, shown_weight, sort_pair
from weft.graphs.mixed import quote


@dataclass(frozen=True, slots=True)
class Separated:
    """``given`` separates ``x`` and ``y`` in a study. The pair is kept in sorted order.

    >>> print(Separated("a", "Z", "X", frozenset({"Y"})))
    X and Z are separated given Y in study 'a'
    """

    kind: ClassVar[str] = "separated"
    listed: ClassVar[str] = "separated"
    of_study: ClassVar[bool] = True
    parts: ClassVar[Mapping[str, Callable[[str], object]]] = {"given": str}

    study: str
    x: str
    y: str
    given: frozenset[str]
    weight: float | None = None
    provenance: Provenance = NOWHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", frozenset(self.given))
        sort_pair(self)

    @classmethod
    def of_parts(
        cls,
        study: str,
        pair: tuple[str, str],
        parts: Mapping[str, frozenset[str]],
        weight: float | None,
        provenance: Provenance,
    ) -> Separated:
        """The statement that an evidence file holds."""
        return cls(study, *pair, parts["given"], weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the study and the pair."""
        return {"given": sorted(self.given)}

    @property
    def said_once(self) -> Hashable:
        """A pair is connected or separated in a study, never both, and once."""
        return self.study, self.x, self.y

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """What is wrong with the set, ``known`` being the variables that it may hold."""
        for name in sorted(self.given - known):
            yield "given", f"{name!r} is not a variable of {where}"
        for name in sorted(self.given & {self.x, self.y}):
            yield "given", f"{name!r} is one of the pair and cannot be given"

    def __str__(self) -> str:
        given = f" given {self._set}" if self.given else ""
        return f"{shown_pair(self)} are separated{given} in study {self.study!r}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> print(Separated("a", "X", "Z", frozenset("Y"), 2.1, Provenance("kcit", 0.43, 812)).sentence())
        X and Z were separated by {Y} in study 'a' (kcit, p = 0.43, 812 rows, weight 2.1)
        """
        how = f"separated by {{{self._set}}}" if self.given else "independent"
        data = behind(self.provenance, shown_weight(self.weight))
        return f"{shown_pair(self)} were {how} in study {self.study!r}{data}"

    @property
    def _set(self) -> str:
        return ", ".join(map(quote, sorted(self.given)))
