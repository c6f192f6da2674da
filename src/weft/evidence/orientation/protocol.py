"""What an orientation method is, what it answers, and the one way to run it.

A method looks at the values of two columns and judges which of the five structures of the paper's Figure 1 the pair
has. There are three kinds. A method *of direction* compares "x causes y" with "y causes x" and says nothing about
common causes. A method *of outcomes* says how probable each of three outcomes is: x causes y, only a common cause, y
causes x (:mod:`weft.evidence.orientation.outcomes`). A *confounder-aware* method can exclude each of the five
structures by itself. All abstain where the data do not tell: the verdict then is *undecided*, allows all five
structures, and adds no constraint to a search.

What a method of direction cannot see is there all the same: a pair that has only a common cause. So the share of such
pairs among those with log odds as large as these (:func:`weft.evidence.orientation.calibration.with_common`) makes
three outcomes of its two.

Neighbours
----------
A method may look around (:class:`SeesNeighbours`): at the columns of the study that are connected with x or with y
there. What it saw is part of the key under which its judgement is kept. A pair alone, of which nothing else is known,
is not the same as a pair of a study in which neither has a neighbour.

Declared sufficiency
--------------------
A method of direction that finds "x causes y" has not seen that there is no common cause. So its verdict allows
``->`` and ``-> & <->``. Whoever knows that the pair is not confounded may declare it (``sufficient=True``): the verdict
then is ``->`` alone, and a common cause is no outcome any more. The verdict says which it was.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

import numpy as np

from weft.errors import StudyError
from weft.evidence.complete import complete_rows
from weft.evidence.orientation.calibration import with_common
from weft.evidence.orientation.outcomes import BACKWARD, FORWARD, Outcomes, Stated, nested
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

STRUCTURES: tuple[Structure, ...] = tuple(one for one in Structure if one is not Structure.NONE)
"""The five structures of Figure 1."""

FEWEST_ROWS = 20
"""With fewer rows than this no method here is asked: the pair is undecided."""

LEAST_CONFIDENCE = 0.8
"""A statement about a pair by itself that is less sure than this is not made."""
LEAST_CONFIDENCE_IN_STUDIES = 0.87
"""The same of the pairs of studies: an answer is right only if all of them are, so each must be surer.

Chosen on simulated data of seeds 1000 to 1008 (``benchmarks/truth.py``: 36 linear and 36 nonlinear data sets, two
studies of 3000 rows each). The true graph was among the answers of so many of them, relations were wrong, and the
median number of answers was that part of IOD's, whose answers had it in 32 and 31:

================================== ====== ========= ================= ============ =====
least confidence                   linear nonlinear wrong: linear, %  nonlinear, % part
================================== ====== ========= ================= ============ =====
0.80, and judgements add up        24     18        3.3               7.9          1/22
0.85, and they count less          31     22        1.1               5.1          1/15
0.87, the same                     31     24        0.6               3.5          1/12
0.88, the same                     31     24        0.6               3.4          1/10
================================== ====== ========= ================= ============ =====

How they count less is in :data:`weft.evidence.relate.SHARED`.
"""

_FEWEST_PRESENT = 0.9
"""A neighbour that is missing in more of the pair's rows is not looked at."""


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
    outcomes
        How probable "x causes y", "only a common cause" and "y causes x" are, by a method that can tell; then the log
        odds are those of the first against the last, but for the least probability of an outcome. None for a method of
        direction, and where there is no judgement.
    """

    log_odds: float
    scores: Mapping[Structure, float] = field(default_factory=dict)
    excluded: frozenset[Structure] = frozenset()
    weight: float | None = None
    reason: str = ""
    diagnostic: Mapping[str, float | str] = field(default_factory=dict)
    outcomes: Outcomes | None = None

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
            self.outcomes and self.outcomes.mirrored,
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


@dataclass(frozen=True, eq=False)
class Around:
    """The columns of the study that are connected with x, and with y, there; each without the other of the two."""

    of_x: tuple[Column, ...] = ()
    of_y: tuple[Column, ...] = ()

    @property
    def columns(self) -> tuple[Column, ...]:
        """All of them, each once, by name."""
        by_name = {column.name: column for column in (*self.of_x, *self.of_y)}
        return tuple(by_name[name] for name in sorted(by_name))

    def among(self, columns: Sequence[Column]) -> Around:
        """The same neighbours, as they are in these columns; the others are left out."""
        by_name = {column.name: column for column in columns}
        of_x, of_y = (
            tuple(by_name[one.name] for one in side if one.name in by_name) for side in (self.of_x, self.of_y)
        )
        return Around(of_x, of_y)


@runtime_checkable
class SeesNeighbours(Protocol):
    """What a method has that looks around."""

    def judge_among(self, x: Column, y: Column, around: Around) -> Judgement:
        """As ``judge``, of two columns of a study with these neighbours there, whose order does not matter."""
        ...


@dataclass(frozen=True)
class Verdict:
    """The answer about a pair (x, y).

    >>> verdict = verdict_of(Judgement(log_odds=3.0), "anm", rows=500, sufficient=False)
    >>> sorted(map(str, verdict.allowed)), str(verdict.forced), round(verdict.confidence, 2)
    (['->', '-> & <->'], '->', 0.95)
    """

    allowed: frozenset[Structure]
    """The structures that cannot be excluded, by the narrowest statement; all five if the pair is undecided."""
    forced: Structure
    """``->`` or ``<-``: the direction, if one had to be named."""
    confidence: float
    """0.5 to 1: that ``forced`` is right, given that one of the two causes the other."""
    weight: float
    """What it costs to give the narrowest statement up; 0 if the pair is undecided."""
    scores: Mapping[Structure, float]
    method: str
    rows: int
    sufficient: bool
    """Whether the pair was declared not to be confounded."""
    reason: str = ""
    diagnostic: Mapping[str, float | str] = field(default_factory=dict)
    outcomes: Outcomes | None = None
    """How probable the three outcomes are; None if the method does not say."""
    statements: tuple[Stated, ...] = ()
    """What is stated about the pair, the narrower first: at most two statements, one inside the other."""

    @property
    def decided(self) -> bool:
        """Whether anything is excluded."""
        return len(self.allowed) < len(STRUCTURES)


def run(
    method: OrientationMethod,
    x: Column,
    y: Column,
    *,
    around: Around | None = None,
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
    judgement = judged(method, x, y, around)
    return verdict_of(judgement, method.name, rows, sufficient=sufficient, least_confidence=least_confidence)


def judged(method: OrientationMethod, x: Column, y: Column, around: Around | None = None) -> Judgement:
    """The judgement of a pair on the rows in which neither value is missing; undecided if none can be made.

    Without anything around, the pair is judged alone. A method that looks around sees the neighbours that are hardly
    ever missing in these rows, on the rows in which no value of all of them is.
    """
    near = () if around is None else around.columns
    for column in (y, *near):
        if len(x.values) != len(column.values):
            raise StudyError(
                f"column {x.name!r} has {len(x.values)} rows but {column.name!r} has {len(column.values)}; "
                "take columns of one study"
            )
    one, other = complete_rows((x, y))
    problem = method.refusal(one, other) or _degenerate(one, other)
    if problem is not None:
        return Judgement(0.0, reason=problem)
    if around is None or not isinstance(method, SeesNeighbours):
        return method.judge(one, other)
    both = x.present & y.present
    kept = [column for column in near if np.mean(column.present[both]) >= _FEWEST_PRESENT]
    first, second, *others = complete_rows((x, y, *kept))
    if _degenerate(first, second) is not None:
        return method.judge_among(one, other, Around())
    return method.judge_among(first, second, around.among(others))


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
    confidence = _sure(abs(judgement.log_odds))
    outcomes = judgement.outcomes
    if outcomes is None and judgement.log_odds != 0 and not judgement.excluded:
        outcomes = with_common(judgement.log_odds)
    statements = _statements(judgement, outcomes, sufficient, least_confidence)
    return Verdict(
        statements[0].allowed if statements else frozenset(STRUCTURES),
        Structure.CAUSES if judgement.log_odds >= 0 else Structure.CAUSED,
        confidence,
        statements[0].weight if statements else 0.0,
        dict(judgement.scores),
        method,
        rows,
        sufficient,
        judgement.reason,
        dict(judgement.diagnostic),
        outcomes,
        statements,
    )


def _statements(judgement: Judgement, outcomes: Outcomes | None, sufficient: bool, least: float) -> tuple[Stated, ...]:
    """What a judgement amounts to in statements."""
    if judgement.excluded:
        weight = judgement.weight or 0.0
        found: tuple[Stated, ...] = (Stated(frozenset(STRUCTURES) - judgement.excluded, weight, _sure(weight)),)
    elif sufficient:
        odds, sure = abs(judgement.log_odds), _sure(abs(judgement.log_odds))
        forward = FORWARD if judgement.log_odds > 0 else BACKWARD
        found = (Stated(forward, odds, sure),) if odds > 0 and sure >= least else ()
    else:
        found = nested(outcomes, least) if outcomes is not None else ()
    return tuple(map(_unconfounded, found)) if sufficient else found


def _unconfounded(stated: Stated) -> Stated:
    """The statement without the structures that have a common cause, if any is left."""
    left = frozenset(structure for structure in stated.allowed if not structure.confounded)
    return replace(stated, allowed=left or stated.allowed)


def _sure(log_odds: float) -> float:
    return 1 / (1 + math.exp(-min(log_odds, 700.0)))


def _degenerate(x: Column, y: Column) -> str | None:
    rows = len(x.values)
    if rows < FEWEST_ROWS:
        return f"only {rows} rows have values in both {x.name!r} and {y.name!r}; at least {FEWEST_ROWS} are needed"
    for column in (x, y):
        if np.all(column.values == column.values[0]):
            return f"column {column.name!r} is constant in the {rows} rows that have values in both"
    return None
