"""What the statements about a pair within one study share: `Connected` and, denied, `Apart`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from weft.evidence.kinds.provenance import NOWHERE, Provenance, sort_pair


@dataclass(frozen=True, slots=True)
class InStudy:
    """Something about ``x`` and ``y`` that all the variables of a study decide together."""

    kind: ClassVar[str]
    listed: ClassVar[str]
    of_study: ClassVar[bool] = True
    names_studies: ClassVar[bool] = False
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
        studies: tuple[str, ...],
        pair: tuple[str, str],
        parts: Mapping[str, frozenset[str]],
        weight: float | None,
        provenance: Provenance,
    ) -> Self:
        """The statement that an evidence file holds."""
        (study,) = studies
        return cls(study, *pair, weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the study and the pair."""
        return {}

    @property
    def studies(self) -> tuple[str, ...]:
        """The study."""
        return (self.study,)

    @property
    def together(self) -> frozenset[str]:
        """The pair."""
        return frozenset((self.x, self.y))

    @property
    def where(self) -> str:
        """The study in words."""
        return f" in study {self.study!r}"

    @property
    def said_once(self) -> Hashable:
        """A pair is connected or apart in a study, never both, and once."""
        return self.study, self.x, self.y

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """Nothing more can be wrong with it."""
        return iter(())
