"""Two answers side by side: which claims changed, and what in the evidence is behind it.

Claims are compared as they are stated: "X causes Y, 97 %" in one and "open" in the other is a change; 97 and 96 % is
none. The reasons are what differs in what went in: tables, settings, knowledge, and statements that one has and the
other has not, or with another weight.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement

if TYPE_CHECKING:
    from weft.solutions.findings import Finding
    from weft.solutions.solution_set import SolutionSet

MUCH = 0.05
"""A confidence that differs by less is no change."""
WEIGHT = 0.5
"""So much must the weight of a statement differ to be told."""


@dataclass(frozen=True)
class Change:
    """A claim about which the two answers differ."""

    claim: Claim
    """As the newer answer states it, or the older where the newer leaves it open."""
    before: float | None
    after: float | None
    """How sure it is in either, from 0 to 1; ``None`` where that is not known."""

    @property
    def size(self) -> float:
        """How much it changed."""
        return abs(_value(self.after) - _value(self.before))

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {"claim": str(self.claim), "before": self.before, "after": self.after}


@dataclass(frozen=True)
class Comparison:
    """What changed from one answer to another."""

    changes: tuple[Change, ...]
    """The largest first."""
    reasons: tuple[str, ...]
    """What is different in what went in, a line each."""
    gained: tuple[Statement, ...]
    lost: tuple[Statement, ...]
    reweighed: tuple[tuple[Statement, Statement], ...]
    """Statements that both have, before and after."""

    def as_json(self) -> dict[str, Any]:
        """For programs."""
        return {
            "changes": [one.as_json() for one in self.changes],
            "reasons": list(self.reasons),
            "gained": [str(one) for one in self.gained],
            "lost": [str(one) for one in self.lost],
            "reweighed": [
                {"statement": str(new), "before": old.weight, "after": new.weight} for old, new in self.reweighed
            ],
        }


def compare(old: SolutionSet, new: SolutionSet) -> Comparison:
    """What changed from an older answer to a newer one."""
    before, after = _statements(old), _statements(new)
    return Comparison(
        tuple(sorted(_changes(old, new), key=lambda one: (-one.size, str(one.claim)))),
        tuple(_reasons(old, new)),
        tuple(one for key, one in after.items() if key not in before),
        tuple(one for key, one in before.items() if key not in after),
        tuple(
            (before[key], one)
            for key, one in after.items()
            if key in before and abs((one.weight or 0.0) - (before[key].weight or 0.0)) >= WEIGHT
        ),
    )


def _statements(solutions: SolutionSet) -> dict[str, Statement]:
    return {str(one): one for one in solutions.evidence.statements}


def _changes(old: SolutionSet, new: SolutionSet) -> Iterator[Change]:
    before, after = _sureness(old), _sureness(new)
    for claim in dict.fromkeys((*after, *before)):
        if claim in before and claim in after:
            was, now = before[claim].confidence, after[claim].confidence
            if was != now and abs(_value(now) - _value(was)) >= MUCH:
                ahead = _value(was) if _value(now) == 0.5 else _value(now)
                yield Change(claim, was, now) if ahead >= 0.5 else Change(claim.negated, _not(was), _not(now))


def _value(confidence: float | None) -> float:
    """A confidence as a number; what is not known is open."""
    return 0.5 if confidence is None else confidence


def _not(confidence: float | None) -> float | None:
    return None if confidence is None else 1 - confidence


def _sureness(solutions: SolutionSet) -> Mapping[Claim, Finding]:
    return {one.claim: one for one in solutions.summary(margins=True).findings}


def _reasons(old: SolutionSet, new: SolutionSet) -> Iterator[str]:
    gone, come = _apart(old.evidence.variables, new.evidence.variables)
    yield from (f"variable {name!r} is new" for name in come)
    yield from (f"variable {name!r} is gone" for name in gone)
    yield from _of_tables(old, new)
    yield from _of_settings(old, new)
    gone, come = _apart(map(str, old.knowledge.items), map(str, new.knowledge.items))
    yield from (f"known now: {item}" for item in come)
    yield from (f"known no more: {item}" for item in gone)
    gone, come = _apart(map(str, old.assumed), map(str, new.assumed))
    yield from (f"assumed now: {claim}" for claim in come)
    yield from (f"assumed no more: {claim}" for claim in gone)


def _apart(old: Iterable[str], new: Iterable[str]) -> tuple[list[str], list[str]]:
    """What only the first has, and what only the second."""
    first, second = list(old), list(new)
    return [one for one in first if one not in second], [one for one in second if one not in first]


def _of_tables(old: SolutionSet, new: SolutionSet) -> Iterator[str]:
    before = {} if old.origin is None else {one.name: one for one in old.origin.tables}
    after = {} if new.origin is None else {one.name: one for one in new.origin.tables}
    for name in dict.fromkeys((*before, *after)):
        if name not in before or name not in after:
            yield f"study {name!r} is {'new' if name in after else 'gone'}"
        elif before[name].fingerprint != after[name].fingerprint:
            rows = f"{before[name].rows:,} rows before, {after[name].rows:,} now"
            yield f"the table of study {name!r} is another ({rows})"


def _of_settings(old: SolutionSet, new: SolutionSet) -> Iterator[str]:
    before: dict[str, object] = {} if old.origin is None else dict(old.origin.settings)
    after: dict[str, object] = {} if new.origin is None else dict(new.origin.settings)
    for name in ("method", "selection", "slack", "coverage"):
        before[name], after[name] = getattr(old, name), getattr(new, name)
    for name in dict.fromkeys((*before, *after)):
        chosen = name.partition(".")[0]  # of another test, the settings are others, too
        if before.get(name) != after.get(name) and (name == chosen or before.get(chosen) == after.get(chosen)):
            yield f"{name} was {before.get(name)} and is {after.get(name)}"
