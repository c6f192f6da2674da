"""How sure an answer is: how often each relation came out again when the rows of the tables were resampled."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from weft.search.consequences import NO_EDGE, Holds
from weft.solutions.summary import Summary

Record = list[tuple[str, str, dict[str, str]]]
"""What one run says: for each pair and each :data:`FACTS`, in which of its solutions that holds."""

FACTS = ("->", "<-", "<->", "--", "no edge", "causes", "caused", "confounded")
"""What is asked of each pair (x, y): its edge in the MAG read from x, and how the two are related."""


@dataclass(frozen=True)
class Shares:
    """In which share of the runs something was certain, possible (open), impossible; the rest did not come so far."""

    certain: float
    possible: float
    impossible: float


@dataclass(frozen=True)
class PairSureness:
    """How often each of :data:`FACTS` was certain, possible, impossible for a pair."""

    x: str
    y: str
    shares: Mapping[str, Shares]


@dataclass(frozen=True)
class Sureness:
    """The runs taken together."""

    runs: int
    """How many runs were made."""
    answered: int
    """How many of them led to an answer; the shares are over these."""
    seed: int
    pairs: tuple[PairSureness, ...]

    def of(self, x: str, y: str) -> PairSureness:
        """What is known of a pair; it is kept in sorted order."""
        return next(pair for pair in self.pairs if (pair.x, pair.y) == tuple(sorted((x, y))))


def record_of(summary: Summary) -> Record:
    """What a run says, as plain values."""
    return [
        (
            pair.x,
            pair.y,
            {symbol or "no edge": str(pair.edge(symbol)) for symbol in ("->", "<-", "<->", "--", NO_EDGE)}
            | {"causes": str(pair.causes), "caused": str(pair.caused), "confounded": str(pair.confounded)},
        )
        for pair in summary.pairs
    ]


def taken_together(records: Iterable[Record | None], seed: int) -> Sureness:
    """The shares over all runs that led to an answer (the others are ``None``).

    >>> pair = {fact: "none" for fact in FACTS}
    >>> runs = [[("X", "Y", pair | {"->": "all"})], [("X", "Y", pair | {"->": "some", "<-": "some"})], None]
    >>> found = taken_together(runs, seed=0)
    >>> found.answered, found.of("Y", "X").shares["->"]
    (2, Shares(certain=0.5, possible=0.5, impossible=0.0))
    """
    listed = list(records)
    answers = [record for record in listed if record is not None]
    counts: dict[tuple[str, str], dict[str, dict[str, int]]] = {}
    for record in answers:
        for x, y, facts in record:
            for fact, holds in facts.items():
                own = counts.setdefault((x, y), {}).setdefault(fact, {})
                own[holds] = own.get(holds, 0) + 1

    def shares(own: Mapping[str, int]) -> Shares:
        return Shares(*(own.get(str(holds), 0) / len(answers) for holds in (Holds.ALL, Holds.SOME, Holds.NONE)))

    pairs = tuple(
        PairSureness(x, y, {fact: shares(facts[fact]) for fact in FACTS}) for (x, y), facts in sorted(counts.items())
    )
    return Sureness(len(listed), len(answers), seed, pairs)
