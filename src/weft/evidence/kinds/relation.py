"""The marginal causal structures that a pair may have."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from weft.errors import EvidenceError
from weft.evidence.kinds.provenance import NOWHERE, Provenance, behind, shown_weight, sort_pair
from weft.graphs.criteria import Structure
from weft.graphs.mixed import quote


def as_structure(text: str) -> Structure:
    """The marginal structure that a string names.

    >>> as_structure("-> & <->")
    <Structure.CAUSES_COMMON: '-> & <->'>
    """
    try:
        return Structure(text)
    except ValueError:
        known = ", ".join(f"'{one.value}'" for one in Structure)
        raise EvidenceError(f"{text!r} is not a structure of a pair; there are {known}") from None


@dataclass(frozen=True, slots=True)
class Relation:
    """The marginal causal structure of (``x``, ``y``) is one of ``allowed``. The pair is kept in sorted order.

    ``allowed`` is read from ``x`` to ``y`` and turned round with the pair; strings will do.

    >>> print(Relation("Y", "X", frozenset({Structure("->")})))
    the structure of (X, Y) is <-
    """

    kind: ClassVar[str] = "relation"
    listed: ClassVar[str] = "relations"
    of_study: ClassVar[bool] = False
    names_studies: ClassVar[bool] = False
    studies: ClassVar[tuple[str, ...]] = ()
    together: ClassVar[frozenset[str]] = frozenset()
    parts: ClassVar[Mapping[str, Callable[[str], object]]] = {"allowed": as_structure}

    x: str
    y: str
    allowed: frozenset[Structure]
    weight: float | None = None
    provenance: Provenance = NOWHERE

    def __post_init__(self) -> None:
        allowed = frozenset(map(as_structure, self.allowed))
        if self.x > self.y:
            allowed = frozenset(one.mirrored for one in allowed)
        object.__setattr__(self, "allowed", allowed)
        sort_pair(self)

    @classmethod
    def of_parts(
        cls,
        studies: tuple[str, ...],
        pair: tuple[str, str],
        parts: Mapping[str, frozenset[str]],
        weight: float | None,
        provenance: Provenance,
    ) -> Relation:
        """The statement that an evidence file holds."""
        return cls(*pair, frozenset(map(as_structure, parts["allowed"])), weight, provenance)

    def content(self) -> dict[str, Any]:
        """What it says beyond the pair."""
        return {"allowed": [one.value for one in self._structures]}

    @property
    def said_once(self) -> Hashable:
        """A pair may have several relations; all hold."""
        return self

    def own_flaws(self, known: frozenset[str], where: str) -> Iterator[tuple[str, str]]:
        """Something must be allowed."""
        if not self.allowed:
            yield "allowed", "nothing is allowed; give at least one structure"

    @property
    def _structures(self) -> list[Structure]:
        """What is allowed, in a fixed order."""
        return [one for one in Structure if one in self.allowed]

    # -- in words ----------------------------------------------------------------------------------------------------

    def __str__(self) -> str:
        structures = " or ".join(one.value for one in self._structures) or "none that there is"
        return f"the structure of ({quote(self.x)}, {quote(self.y)}) is {structures}"

    def sentence(self) -> str:
        """What it says and the data behind it in plain English, without the full stop.

        >>> print(Relation("X", "Y", frozenset({"->", "-> & <->"}), 2.0, Provenance("anm")).sentence())
        X causes Y, judged by anm (weight 2)
        """
        return self._told(_in_words(self.allowed, quote(self.x), quote(self.y)))

    def edge_sentence(self) -> str:
        """The same where it speaks of the pair's edge alone, as ``iod-bcd`` has it.

        >>> print(Relation("X", "Y", frozenset({"->", "-> & <->"})).edge_sentence())
        If X and Y are adjacent, their edge is X -> Y (taken as given)
        """
        x, y = quote(self.x), quote(self.y)
        edges = " or ".join(dict.fromkeys(_edge(x, one, y) for one in self._structures))
        return self._told(f"If {x} and {y} are adjacent, their edge is {edges}")

    def _told(self, said: str) -> str:
        data, judge = self.provenance, self.provenance.source
        if self.weight is None:
            return f"{said}{behind(data, 'taken as given')}"
        weight = shown_weight(self.weight)
        if judge and not re.search(r"\s", judge):
            return f"{said}, judged by {judge}{behind(data, weight, source=False)}"
        return f"{said}{behind(data, weight)}"


def _edge(x: str, structure: Structure, y: str) -> str:
    if structure.caused:
        return f"{y} -> {x}"
    return f"{x} -> {y}" if structure.causes else f"{x} <-> {y}" if structure.confounded else f"{x} -- {y}"


def _in_words(allowed: frozenset[Structure], x: str, y: str) -> str:
    """What a set of structures says of a pair: by the facts that all of them share, if these say it all."""
    facts = (
        (lambda one: one.causes, f"{x} causes {y}"),
        (lambda one: one.caused, f"{y} causes {x}"),
        (lambda one: not (one.causes or one.caused), "neither causes the other"),
        (lambda one: not one.causes, f"{x} does not cause {y}"),
        (lambda one: not one.caused, f"{y} does not cause {x}"),
        (lambda one: one.confounded, f"{x} and {y} have a common cause"),
        (lambda one: not one.confounded, f"{x} and {y} have no common cause"),
        (lambda one: one is not Structure.NONE, f"{x} and {y} are causally related"),
    )
    chosen: list[str] = []
    left = frozenset(Structure)
    for test, text in facts:
        narrower = frozenset(one for one in left if test(one))
        if allowed <= narrower < left:
            left = narrower
            chosen.append(text)
    if left != allowed or not chosen:
        shown = " or ".join(one.value for one in Structure if one in allowed)
        return f"The causal structure of ({x}, {y}) is one of: {shown}"
    first, *rest = chosen
    if first == "neither causes the other":
        first = f"Neither of {x} and {y} causes the other"
    return ", and ".join([first, *(text.replace(f"{x} and {y} have", "they have") for text in rest)])
