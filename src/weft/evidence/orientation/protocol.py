"""What an orientation method is, what it answers, and the one way to run it.

A method looks at the values of two columns and judges which of the five structures of the paper's Figure 1 the pair
has. There are two kinds. A method *of direction* compares "x causes y" with "y causes x" and says nothing about common
causes; a *confounder-aware* method can exclude each of the five by itself. Both abstain where the data do not tell:
the verdict then is *undecided*, allows all five structures, and adds no constraint to a search.

Declared sufficiency
--------------------
A method of direction that finds "x causes y" has not seen that there is no common cause. So its verdict allows
``->`` and ``-> & <->``. Whoever knows that the pair is not confounded may declare it (``sufficient=True``): the verdict
then is ``->`` alone. The verdict says which it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

import numpy as np

from weft.errors import StudyError
from weft.evidence.complete import complete_rows
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

STRUCTURES: tuple[Structure, ...] = tuple(one for one in Structure if one is not Structure.NONE)
"""The five structures of Figure 1."""

FORWARD = frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})
"""The structures in which x causes y."""

BACKWARD = frozenset(one.mirrored for one in FORWARD)
"""The structures in which y causes x."""

FEWEST_ROWS = 20
"""With fewer rows than this no method here is asked: the pair is undecided."""

LEAST_CONFIDENCE = 0.8
"""A direction that is less sure than this is not taken: the pair is undecided."""


@dataclass(frozen=True)
class Assumptions:
    """What a method takes for granted; shown in reports."""

    sees_confounding: bool
    """Whether it can exclude, or find, a common cause. If not it is a method of direction."""
    linear: bool
    """Whether it assumes that effects are linear."""
    kinds: frozenset[Kind]
    """The kinds of columns it takes."""
    text: str
    """One sentence: the model behind it."""


@dataclass(frozen=True)
class Judgement:
    """What a method found in a pair (x, y).

    Attributes
    ----------
    log_odds
        Natural logarithm of the odds of "x causes y" against "y causes x", calibrated as well as the method can;
        0 if there is no preference, or if the method has none to give.
    scores
        How well structures fit, by the method's own measure; its docstring says which (p-values where it has them).
        A method of direction scores ``->`` and ``<-`` only.
    excluded
        Structures that a confounder-aware method excludes by itself; a method of direction leaves it empty.
    weight
        Log odds that the pair has none of the structures in ``excluded``; None for a method of direction.
    reason
        One short sentence for people: why, or why it is undecided.
    diagnostic
        What helps to judge the judgement.
    """

    log_odds: float
    scores: Mapping[Structure, float] = field(default_factory=dict)
    excluded: frozenset[Structure] = frozenset()
    weight: float | None = None
    reason: str = ""
    diagnostic: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def mirrored(self) -> Judgement:
        """The same judgement of (y, x)."""
        return Judgement(
            -self.log_odds,
            {structure.mirrored: score for structure, score in self.scores.items()},
            frozenset(structure.mirrored for structure in self.excluded),
            self.weight,
            self.reason,
            self.diagnostic,
        )


UNDECIDED = Judgement(0.0)
"""No preference, and nothing excluded."""


@runtime_checkable
class OrientationMethod(Protocol):
    """A method of bivariate causal discovery."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def assumptions(self) -> Assumptions:
        """What it takes for granted."""
        ...

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """Everything that changes the answer: with the name and the data, the key of a stored judgement."""
        ...

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence why the method does not take these columns; None if it does."""
        ...

    def judge(self, x: Column, y: Column) -> Judgement:
        """Judge two columns of equal length without missing values, neither of them constant, of 20 rows or more.

        Swapping the columns mirrors the judgement; shifting and rescaling continuous columns (by a positive factor)
        changes nothing beyond rounding.
        """
        ...


@dataclass(frozen=True)
class Verdict:
    """The answer about a pair (x, y).

    >>> verdict = verdict_of(Judgement(log_odds=3.0), "anm", rows=500, sufficient=False)
    >>> sorted(map(str, verdict.allowed)), str(verdict.forced), round(verdict.confidence, 2)
    (['->', '-> & <->'], '->', 0.95)
    """

    allowed: frozenset[Structure]
    """The structures that cannot be excluded; all five if the pair is undecided."""
    forced: Structure
    """``->`` or ``<-``: the direction, if one had to be named."""
    confidence: float
    """0.5 to 1: that ``forced`` is right, given that one of the two causes the other."""
    weight: float
    """Log odds that ``allowed`` is right; 0 if the pair is undecided."""
    scores: Mapping[Structure, float]
    method: str
    rows: int
    sufficient: bool
    """Whether the pair was declared not to be confounded."""
    reason: str = ""
    diagnostic: Mapping[str, float | str] = field(default_factory=dict)

    @property
    def decided(self) -> bool:
        """Whether anything is excluded."""
        return len(self.allowed) < len(STRUCTURES)


def run(
    method: OrientationMethod,
    x: Column,
    y: Column,
    *,
    sufficient: bool = False,
    least_confidence: float = LEAST_CONFIDENCE,
) -> Verdict:
    """Judge a pair on the rows in which neither value is missing.

    Columns that the method is not made for, and pairs with too few rows or a constant column, are undecided with the
    reason; columns that do not fit together raise.

    Raises
    ------
    StudyError
        If the columns have different lengths.
    """
    rows = int((x.present & y.present).sum()) if len(x.values) == len(y.values) else 0
    judgement = judged(method, x, y)
    return verdict_of(judgement, method.name, rows, sufficient=sufficient, least_confidence=least_confidence)


def judged(method: OrientationMethod, x: Column, y: Column) -> Judgement:
    """The judgement of a pair on the rows in which neither value is missing; undecided if none can be made."""
    if len(x.values) != len(y.values):
        raise StudyError(
            f"column {x.name!r} has {len(x.values)} rows but {y.name!r} has {len(y.values)}; "
            "take two columns of one study"
        )
    x, y = complete_rows((x, y))
    problem = method.refusal(x, y) or _degenerate(x, y)
    return Judgement(0.0, reason=problem) if problem is not None else method.judge(x, y)


def verdict_of(
    judgement: Judgement,
    method: str,
    rows: int,
    *,
    sufficient: bool,
    least_confidence: float = LEAST_CONFIDENCE,
) -> Verdict:
    """The verdict that a judgement amounts to."""
    if not 0.5 <= least_confidence < 1:
        raise StudyError(f"the least confidence is {least_confidence}; give 0.5 or more, and less than 1")
    confidence = 1 / (1 + math.exp(-min(abs(judgement.log_odds), 700.0)))
    allowed, weight = frozenset(STRUCTURES), 0.0
    if judgement.excluded:
        allowed, weight = allowed - judgement.excluded, judgement.weight or 0.0
    elif judgement.log_odds != 0 and confidence >= least_confidence:
        allowed, weight = (FORWARD if judgement.log_odds > 0 else BACKWARD), abs(judgement.log_odds)
    if sufficient and len(allowed) < len(STRUCTURES):
        unconfounded = frozenset(structure for structure in allowed if not structure.confounded)
        allowed = unconfounded or allowed
    return Verdict(
        allowed,
        Structure.CAUSES if judgement.log_odds >= 0 else Structure.CAUSED,
        confidence,
        weight,
        dict(judgement.scores),
        method,
        rows,
        sufficient,
        judgement.reason,
        dict(judgement.diagnostic),
    )


def _degenerate(x: Column, y: Column) -> str | None:
    rows = len(x.values)
    if rows < FEWEST_ROWS:
        return f"only {rows} rows have values in both {x.name!r} and {y.name!r}; at least {FEWEST_ROWS} are needed"
    for column in (x, y):
        if np.all(column.values == column.values[0]):
            return f"column {column.name!r} is constant in the {rows} rows that have values in both"
    return None
