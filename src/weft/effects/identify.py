"""How the effect of x on y can be known in one structure, from studies of some of its variables each.

- *zero*: x does not cause y.
- *adjusted*: some studies measured x, y and an adjustment set (:mod:`weft.graphs.adjustment`); or set x by lot.
- *composed*: every directed path goes through some mediators M. In a linear model the effect of x on y is then the sum,
  over M, of the effect of x on the mediator times the joint effect of that mediator on y; each of these may come from
  another study. So x and y need not have been measured together.
- *not identified*: none of these, with the reason.

A study in which other variables were set does not follow the structure, and is not used.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations

from weft.graphs.adjustment import adjustment_set, causal_vertices, is_amenable
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import ancestor_mask
from weft.knowledge.common_sense import given_by_nature

MOST_MEDIATORS = 3
"""Effects are composed through at most so many mediators at a time."""


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

    through: tuple[str, ...]
    first: tuple[Adjusted | Composed, ...]
    """The effect of x on each mediator."""
    second: Adjusted | Composed
    """The joint effects of the mediators on y."""


@dataclass(frozen=True)
class NotIdentified:
    """The studies do not tell the effect."""

    reason: str
    remedy: str
    """What would."""


Identified = Adjusted | Composed
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
    found = _identified(graph, x, y, setting)
    return _why_not(graph, x, y, setting) if found is None else found


def causes(graph: MixedGraph, x: str, y: str) -> bool:
    """Whether x is an ancestor of y."""
    return bool(ancestor_mask(graph, 1 << graph.index(y)) >> graph.index(x) & 1)


def _identified(graph: MixedGraph, x: str, y: str, setting: Setting) -> Identified | None:
    return _adjusted(graph, (x,), y, setting) or _composed(graph, x, y, setting)


def _adjusted(graph: MixedGraph, exposures: tuple[str, ...], y: str, setting: Setting) -> Adjusted | None:
    legs = []
    for study in setting.names:
        given = _given(graph, exposures, y, study, setting)
        if given is not None:
            legs.append(Leg(study, exposures, y, tuple(sorted(given))))
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


def _composed(graph: MixedGraph, x: str, y: str, setting: Setting) -> Composed | None:
    between = sorted(causal_vertices(graph, [x], y) - {y})
    for size in range(1, MOST_MEDIATORS + 1):
        for through in combinations(between, size):
            if _cuts(graph, x, y, through):
                found = _through(graph, x, y, through, setting)
                if found is not None:
                    return found
    return None


def _cuts(graph: MixedGraph, x: str, y: str, through: tuple[str, ...]) -> bool:
    """Whether every directed path goes through one of these, and each of them is needed for that."""
    return _separates(graph, x, y, through) and not any(
        _separates(graph, x, y, tuple(one for one in through if one != spare)) for spare in through
    )


def _separates(graph: MixedGraph, x: str, y: str, through: tuple[str, ...]) -> bool:
    """Whether no directed path from x to y avoids these."""
    return bool(through) and y not in _reached(graph, x, set(through))


def _reached(graph: MixedGraph, x: str, avoid: set[str]) -> set[str]:
    seen, waiting = {x}, [x]
    while waiting:
        for child in graph.names_of(graph.children[graph.index(waiting.pop())]):
            if child not in seen and child not in avoid:
                seen.add(child)
                waiting.append(child)
    return seen


def _through(graph: MixedGraph, x: str, y: str, through: tuple[str, ...], setting: Setting) -> Composed | None:
    first = []
    for mediator in through:
        found = _identified(graph, x, mediator, setting)
        if found is None:
            return None
        first.append(found)
    second = _adjusted(graph, through, y, setting)
    if second is None and len(through) == 1:
        composed = _composed(graph, through[0], y, setting)
        return None if composed is None else Composed(through, tuple(first), composed)
    return None if second is None else Composed(through, tuple(first), second)


def _why_not(graph: MixedGraph, x: str, y: str, setting: Setting) -> NotIdentified:
    """The nearest reason, and what would help."""
    if graph.has_selection:
        return NotIdentified("a selection variable is behind an edge", _by_lot(x))
    if not is_amenable(graph, [x], y, unconfounded=setting.unconfounded):
        return NotIdentified(f"{x} and what it causes first may have a hidden common cause", _by_lot(x))
    wanted = adjustment_set(graph, [x], y, unconfounded=setting.unconfounded)
    if wanted is None:
        return NotIdentified(f"no variables would do to hold fixed for {x} and {y}", _by_lot(x))
    remedy = f"measure {', '.join(sorted({x, y, *wanted}))} together"
    if any({x, y} <= measured for measured in setting.studies.values()):
        return NotIdentified(f"no study measured {', '.join(sorted(wanted))} with {x} and {y}", remedy)
    return NotIdentified(f"no study measured {x} and {y} together, nor all that leads from one to the other", remedy)


def _by_lot(x: str) -> str:
    """An experiment, where there can be one."""
    return f"measure what {x} and its effects may have in common" if given_by_nature(x) else f"randomise {x}"


def legs_of(how: Identified) -> Iterator[Leg]:
    """Every regression that an identification rests on."""
    if isinstance(how, Adjusted):
        yield from how.legs
        return
    for one in (*how.first, how.second):
        yield from legs_of(one)
