"""What the statements about a pair given a set share: `Separated` and, denied, `Dependent`."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from weft.evidence.kinds.provenance import NOWHERE, Provenance, in_studies, sort_pair
from weft.graphs.mixed import quote


@dataclass(frozen=True, slots=True)
class GivenSet:
    """Something about ``x`` and ``y`` given a set of variables: a fact about the joint structure, not about one study.

    ``studies`` are those that took part in finding it, sorted; a test that pools several makes one statement. There
    need be none, but some study must have measured all the variables together.
    """

    kind: ClassVar[str]
    listed: ClassVar[str]
    of_study: ClassVar[bool] = False
    names_studies: ClassVar[bool] = True
    parts: ClassVar[Mapping[str, Callable[[str], object]]] = {"given": str}

    x: str
    y: str
    given: frozenset[str]
    studies: tuple[str, ...] = ()
    weight: float | None = None
    provenance: Provenance = NOWHERE

    def __post_init__(self) -> None:
        object.__setattr__(self, "given", frozenset(self.given))
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
        return cls(*pair, parts["given"], studies, weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the pair."""
        return {"given": sorted(self.given), **({"studies": list(self.studies)} if self.studies else {})}

    @property
    def together(self) -> frozenset[str]:
        """The pair and the set."""
        return self.given | {self.x, self.y}

    @property
    def where(self) -> str:
        """The set and the studies in words."""
        return f"{f' given {self.shown_set}' if self.given else ''}{self.in_studies}"

    @property
    def said_once(self) -> Hashable:
        """By the same studies, a set separates a pair or leaves it dependent, never both, and once."""
        return self.studies, self.x, self.y, self.given

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """What is wrong with the set, ``known`` being the variables that it may hold."""
        for name in sorted(self.given - known):
            yield "given", f"{name!r} is not a variable of {where}"
        for name in sorted(self.given & {self.x, self.y}):
            yield "given", f"{name!r} is one of the pair and cannot be given"

    # -- in words ----------------------------------------------------------------------------------------------------

    @property
    def shown_set(self) -> str:
        """The set in words."""
        return ", ".join(map(quote, sorted(self.given)))

    @property
    def in_studies(self) -> str:
        """The studies in words; nothing if there are none."""
        return in_studies(self.studies)
