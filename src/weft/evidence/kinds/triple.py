"""What the statements about a pair and a variable in the middle share: `Noncollider` and, denied, `Collider`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from weft.evidence.kinds.provenance import NOWHERE, Provenance, behind, in_studies, shown_weight, sort_pair


@dataclass(frozen=True, slots=True)
class Triple:
    """Whether ``middle`` causes ``x`` or ``y``: a fact about the joint structure.

    ``studies`` are those that took part in finding it, sorted. There need be none, but some study must have measured
    the three together.
    """

    kind: ClassVar[str]
    listed: ClassVar[str]
    of_study: ClassVar[bool] = False
    names_studies: ClassVar[bool] = True
    parts: ClassVar[Mapping[str, Callable[[str], object]]] = {"middle": str}
    because: ClassVar[str]
    """What tests show it."""

    x: str
    y: str
    middle: str
    studies: tuple[str, ...] = ()
    weight: float | None = None
    provenance: Provenance = NOWHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "studies", tuple(sorted(set(self.studies))))
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
        middle = sorted(parts["middle"])
        return cls(*pair, middle[0] if len(middle) == 1 else "", studies, weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the pair."""
        return {"middle": [self.middle], **({"studies": list(self.studies)} if self.studies else {})}

    @property
    def together(self) -> frozenset[str]:
        """The pair and the middle."""
        return frozenset((self.x, self.y, self.middle))

    @property
    def where(self) -> str:
        """The studies in words."""
        return in_studies(self.studies)

    @property
    def said_once(self) -> Hashable:
        """By the same studies, the middle causes one of the pair or neither, never both, and once."""
        return "middle", self.studies, self.x, self.y, self.middle

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """What is wrong with the middle, ``known`` being the variables that it may be."""
        if not self.middle:
            yield "middle", "name one variable"
        elif self.middle not in known:
            yield "middle", f"{self.middle!r} is not a variable of {where}"
        elif self.middle in (self.x, self.y):
            yield "middle", f"{self.middle!r} is one of the pair and cannot be between the two"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop."""
        because = f", since these are {self.because}" if self.provenance.p_value is not None else ""
        return f"{self}{because}{behind(self.provenance, shown_weight(self.weight))}"
