"""What a kind of constraint is: a statement over vertex indices that knows all that an engine asks of it.

A constraint is defined by :meth:`Constraint.holds_in`, by graph code alone. Everything else serves the solver: the part
of ``consistency.lp`` that says the same in logic has the name of the kind, and is grounded when a model fails it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Self

from weft.evidence.statements import Evidence, Relation, Statement
from weft.graphs.mixed import MixedGraph, bits

if TYPE_CHECKING:
    from weft.search.bounds import Bounds, Propagation


@dataclass(frozen=True)
class Asked:
    """What a problem is made from."""

    evidence: Evidence
    method: str
    known: tuple[Relation, ...]
    """What is known from elsewhere, which every method heeds."""

    @cached_property
    def index(self) -> Mapping[str, int]:
        """The vertex of each variable."""
        return {name: i for i, name in enumerate(self.evidence.variables)}

    def mask(self, names: Iterable[str]) -> int:
        """A set of variables as bits."""
        return sum(1 << self.index[name] for name in names)

    @cached_property
    def measured(self) -> Mapping[str, int]:
        """The variables (bits) that each study measured."""
        return {study.name: self.mask(study.variables) for study in self.evidence.studies}

    def unmeasured(self, study: str) -> int:
        """The variables (bits) that a study lacks."""
        return self.mask(self.evidence.variables) & ~self.measured[study]


class Part(NamedTuple):
    """A part of ``consistency.lp`` with its arguments: ``separated(k, x, y)``, ``maximal(x, y)`` and so on."""

    name: str
    arguments: tuple[int | tuple[str, int], ...]
    """Numbers, or keys of statements."""


class Around(NamedTuple):
    """What surrounds a constraint in a program."""

    bounds: Bounds
    selection: bool
    switched: bool
    """Whether the statement may be given up."""


@dataclass(frozen=True)
class Constraint(ABC):
    """A statement about the vertices ``x`` and ``y``."""

    kind: ClassVar[str]
    """Its name: in keys, and of its part ``kind(k, x, y)`` of ``consistency.lp``."""
    in_mag: ClassVar[bool] = True
    """Whether it speaks of the MAG; else of the latent-variable model."""
    parts_pair: ClassVar[bool] = False
    """Whether no inducing path joins the pair where it holds, so that there is no edge."""
    cuttable: ClassVar[bool] = True
    """Whether it holds in a graph just if it does where vertices outside its :attr:`scope` are hidden."""

    x: int
    y: int
    origin: Statement

    @classmethod
    @abstractmethod
    def made_of(cls, asked: Asked) -> Iterator[Self]:
        """What a method makes of the evidence."""

    @abstractmethod
    def holds_in(self, model: MixedGraph, mag: MixedGraph) -> bool:
        """Whether it holds in a latent-variable model and its MAG: the definition."""

    # -- vertices ----------------------------------------------------------------------------------------------------

    @property
    def pair(self) -> int:
        """The pair, as bits."""
        return 1 << self.x | 1 << self.y

    @property
    def vertices(self) -> int:
        """All that it names, as bits."""
        return self.pair

    @property
    def scope(self) -> int:
        """The vertices (bits) of which none may be hidden if it is to hold just where it did; all that it names."""
        return self.vertices

    def moved(self, place: Mapping[int, int]) -> Self:
        """The same with other numbers for the vertices; those without one are hidden."""
        return replace(self, x=place[self.x], y=place[self.y])

    # -- for the solver ----------------------------------------------------------------------------------------------

    def narrow(self, bounds: Propagation) -> None:  # noqa: B027 (it need not tell anything)
        """Tell the bounds what follows from it."""

    def hides(self, bounds: Bounds) -> int:
        """The vertices (bits) whose edges may have to hide a common cause for it."""
        return 0

    def facts(self, k: int, around: Around) -> Iterator[str]:
        """Facts for the base of the program, ``k`` being its number."""
        return iter(())

    def has_part(self, around: Around) -> bool:
        """Whether it has a part of its own; else the base or the bounds say it."""
        return True

    def is_said(self, around: Around) -> bool:
        """Whether the base says what its part says."""
        return False

    def needed_parts(self, k: int) -> Iterator[Part]:
        """The other parts that its own speaks of, ``k`` being its number."""
        return iter(())


def moved_set(vertices: int, place: Mapping[int, int]) -> int:
    """A set of vertices with other numbers; those without one are left out."""
    return sum(1 << place[v] for v in bits(vertices) if v in place)
