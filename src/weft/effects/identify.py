"""How the effect of x on y can be known in one structure, from studies of some of its variables each.

- *zero*: x does not cause y.
- *adjusted*: some studies measured x, y and an adjustment set (:mod:`weft.graphs.adjustment`); or set x by lot.
- *composed*: every directed path goes through some variables M, of which x may be one. In a linear model the effect of
  x on y is then the sum, over M, of the effect of x on the variable (1 for x itself) times the joint effect of that
  variable on y; each of these may come from another study. So x and y need not have been measured together. (A directed
  path counts where it leaves M for the last time, so any such M will do.) It is enough that the joint effects come from
  one regression, while the effect of x on each of M may be composed again: where the joint effects of M on y are
  composed through N, those of x on N are composed through M.
- *not identified*: none of these, with the reason.

A study in which other variables were set does not follow the structure, and is not used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from typing import TypeAlias

from weft.graphs.adjustment import adjustment_set, causal_vertices, is_amenable
from weft.graphs.mixed import MixedGraph, bits
from weft.graphs.separation import ancestor_mask
from weft.knowledge.common_sense import given_by_nature

MOST_EXPOSURES = 4
"""The last regression of a composed effect has at most so many exposures."""
MOST_TRIED = 2_000
"""So many sets are tried for it, the smallest first."""


@dataclass(frozen=True)
class Setting:
    """What was measured where."""

    studies: Mapping[str, frozenset[str]]
    """The variables of each study."""
    experiments: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """The variables that were set by lot in a study."""
    unconfounded: frozenset[tuple[str, str]] = frozenset()
    """Pairs (cause, effect) of which it is known that nothing hidden causes both."""

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The studies in a fixed order."""
        return tuple(sorted(self.studies))


@dataclass(frozen=True)
class Leg:
    """A regression in one study."""

    study: str
    exposures: tuple[str, ...]
    outcome: str
    given: tuple[str, ...]
    by_lot: bool = False
    """Whether the exposures were set by lot there."""


@dataclass(frozen=True)
class Zero:
    """The effect is 0."""


@dataclass(frozen=True)
class Adjusted:
    """Each of these regressions, in another study, shows the effect."""

    legs: tuple[Leg, ...]


@dataclass(frozen=True)
class Composed:
    """The effect goes through mediators: to each of them, and from all of them jointly."""

    first: tuple[Identified | None, ...]
    """The effect of x on each exposure of the last regression; ``None`` for x itself, whose factor is 1."""
    second: Adjusted
    """The joint effects of the mediators on y, and of x if it also acts past them."""

    @property
    def through(self) -> tuple[str, ...]:
        """The last variables on the way, x left out."""
        exposures = self.second.legs[0].exposures
        return tuple(name for name, how in zip(exposures, self.first, strict=True) if how is not None)


@dataclass(frozen=True)
class NotIdentified:
    """The studies do not tell the effect."""

    reason: str
    remedy: str
    """What would."""


Identified: TypeAlias = "Adjusted | Composed"
Identification = Zero | Adjusted | Composed | NotIdentified


def identify(graph: MixedGraph, x: str, y: str, setting: Setting) -> Identification:
    """How the effect of x on y can be known if this MAG is the structure.

    >>> graph = MixedGraph.parse("I -> X; X -> M; M -> Y")
    >>> setting = Setting({"a": frozenset("IXM"), "b": frozenset("MY")})
    >>> identify(graph, "X", "Y", setting).through
    ('M',)
    >>> identify(graph, "Y", "X", setting)
    Zero()
    """
    if not causes(graph, x, y):
        return Zero()
    found = _Identifying(graph, x, setting).of(y)
    return _why_not(graph, x, y, setting) if found is None else found


def causes(graph: MixedGraph, x: str, y: str) -> bool:
    """Whether x is an ancestor of y."""
    return bool(ancestor_mask(graph, 1 << graph.index(y)) >> graph.index(x) & 1)


class _Identifying:
    """How the effects of one variable are identified; each outcome is looked at once."""

    def __init__(self, graph: MixedGraph, x: str, setting: Setting) -> None:
        self._graph, self._x, self._setting = graph, x, setting
        self._known: dict[str, Identified | None] = {}

    def of(self, y: str) -> Identified | None:
        """How the effect on a descendant is identified, if it is."""
        if y not in self._known:
            self._known[y] = _adjusted(self._graph, (self._x,), y, self._setting) or self._composed(y)
        return self._known[y]

    def _composed(self, y: str) -> Composed | None:
        between = causal_vertices(self._graph, [self._x], y) - {y}
        tried: set[tuple[str, ...]] = set()
        for size in range(1, MOST_EXPOSURES + 1):
            for measured in map(self._setting.studies.__getitem__, self._setting.names):
                for last in combinations(sorted((between | {self._x}) & measured) if y in measured else (), size):
                    if len(tried) == MOST_TRIED:
                        return None
                    if last not in tried and _cuts(self._graph, self._x, y, last):
                        tried.add(last)
                        if (found := self._through(last, y)) is not None:
                            return found
        return None

    def _through(self, last: tuple[str, ...], y: str) -> Composed | None:
        second = _adjusted(self._graph, last, y, self._setting)
        if second is None:
            return None
        first = []
        for mediator in last:
            found = None if mediator == self._x else self.of(mediator)
            if found is None and mediator != self._x:
                return None
            first.append(found)
        return Composed(tuple(first), second)


def _adjusted(graph: MixedGraph, exposures: tuple[str, ...], y: str, setting: Setting) -> Adjusted | None:
    legs = []
    for study in setting.names:
        given = _given(graph, exposures, y, study, setting)
        if given is not None:
            legs.append(Leg(study, exposures, y, tuple(sorted(given)), study in setting.experiments))
    return Adjusted(tuple(legs)) if legs else None


def _given(
    graph: MixedGraph, exposures: tuple[str, ...], y: str, study: str, setting: Setting
) -> Collection[str] | None:
    """What to hold fixed in a study, if that shows the joint effects."""
    measured = setting.studies[study]
    if not measured.issuperset({*exposures, y}):
        return None
    assigned = setting.experiments.get(study, frozenset())
    if not assigned:
        return adjustment_set(graph, exposures, y, measured, unconfounded=setting.unconfounded)
    if not assigned.issuperset(exposures):
        return None
    blocked = assigned - set(exposures)  # paths through these are cut in this study
    return None if blocked & causal_vertices(graph, exposures, y) else ()


def _cuts(graph: MixedGraph, x: str, y: str, last: tuple[str, ...]) -> bool:
    """Whether every directed path from x to y goes through one of these, and they are not x alone."""
    if x in last:
        return len(last) > 1
    avoid, outcome = graph.mask(last), graph.index(y)
    seen = frontier = 1 << graph.index(x)
    while frontier and not seen >> outcome & 1:
        following = 0
        for v in bits(frontier):
            following |= graph.children[v]
        frontier = following & ~seen & ~avoid
        seen |= frontier
    return not seen >> outcome & 1


def _why_not(graph: MixedGraph, x: str, y: str, setting: Setting) -> NotIdentified:
    """The nearest reason, and what would help."""
    if graph.has_selection:
        return NotIdentified("a selection variable is behind an edge", by_lot(x))
    if not is_amenable(graph, [x], y, unconfounded=setting.unconfounded):
        return NotIdentified(f"{x} and what it causes first may have a hidden common cause", by_lot(x))
    wanted = adjustment_set(graph, [x], y, unconfounded=setting.unconfounded)
    if wanted is None:
        return NotIdentified(f"no variables would do to hold fixed for {x} and {y}", by_lot(x))
    remedy = f"measure {', '.join(sorted({x, y, *wanted}))} together"
    if any({x, y} <= measured for measured in setting.studies.values()):
        return NotIdentified(f"no study measured {', '.join(sorted(wanted))} with {x} and {y}", remedy)
    return NotIdentified(f"no study measured {x} and {y} together, nor all that leads from one to the other", remedy)


def by_lot(x: str) -> str:
    """An experiment, where there can be one."""
    return f"measure what {x} and its effects may have in common" if given_by_nature(x) else f"randomise {x}"


def exposure_of(how: Identified) -> str:
    """The cause that an identification is about."""
    if isinstance(how, Adjusted):
        return how.legs[0].exposures[0]
    return exposure_of(next(one for one in how.first if one is not None))


def legs_of(how: Identified) -> Iterator[Leg]:
    """Every regression that an identification rests on."""
    if isinstance(how, Adjusted):
        yield from how.legs
        return
    for one in (*how.first, how.second):
        if one is not None:
            yield from legs_of(one)
