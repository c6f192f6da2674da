"""The effect of x on y over all structures that are left: its cases, how common and how sure each is, one sentence.

Structures in which the effect is known in the same way have one estimate, and are one *case*. A case has the *share* of
the structures it holds in, and a *confidence*: that of "x causes y" (or of its denial, for the case without an effect),
shared out among the cases by their shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from weft.effects.estimate import (
    AT_LEAST,
    DISAGREE,
    LEVEL,
    EffectError,
    Estimate,
    Estimator,
    Form,
    check_form,
)
from weft.effects.identify import (
    Adjusted,
    Composed,
    Identification,
    Leg,
    NotIdentified,
    Setting,
    Zero,
    by_lot,
    identify,
)
from weft.graphs.mixed import MixedGraph, quote
from weft.reading.frames import frame_of
from weft.studies import Column, Kind, Study

KEYS = (
    "kind", "share", "confidence", "effect", "low", "high", "study", "adjusted_for", "through", "rows", "disagree",
    "reason", "remedy",
)  # fmt: skip
"""The columns of a table of cases: the keys of :meth:`Case.as_json`."""
_NEARLY_ALL = 0.95
_TOLD = ("adjusted", "composed")
"""The cases with an estimate."""
_OPEN = 0.4
"""From this confidence on it is open whether something hidden is behind a pair; below, the opposite is claimed."""
BORNE_OUT = 0.95
"""What is claimed of single pairs leaves out that several claims may be wrong at once. Fitted: of the ranges that would
be said with more than 70 % without this factor, the share that held the truth, over the mean of what would be said (640
runs as in ``benchmarks/effects.py``, seeds from 300,000 and 310,000 on). An experiment does not need it."""
Sort = Literal["zero", "adjusted", "composed", "not identified"]


@dataclass(frozen=True)
class Case:
    """One way in which the effect is known, or not."""

    kind: Sort
    share: float
    """Of the structures."""
    confidence: float | None = None
    """That it is so; ``None`` if that is not known."""
    effect: float | None = None
    low: float | None = None
    high: float | None = None
    """The 95 % interval."""
    studies: tuple[str, ...] = ()
    adjusted_for: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    rows: int = 0
    disagree: bool = False
    """Whether the studies that were pooled tell different effects."""
    reason: str = ""
    """Why it is not identified, in most of the structures where it is not."""
    remedy: str = ""
    """What would identify it there."""
    unconfounded: tuple[tuple[str, str], ...] = ()
    """Pairs (exposure, outcome) of its regressions: where something hidden is behind one of them, it is wrong."""

    @property
    def in_words(self) -> str:
        """What it is, and where it comes from."""
        if self.kind == "zero":
            return "no effect: the one does not cause the other"
        if self.kind == "not identified" or self.effect is None or self.low is None or self.high is None:
            return f"not identified: {self.reason}; {self.remedy}"
        where = f"{'study' if len(self.studies) == 1 else 'studies'} {', '.join(self.studies)}, {self.rows:,} rows"
        fixed = f"; held fixed: {', '.join(self.adjusted_for)}" if self.adjusted_for else ""
        through = f"; through {', '.join(self.through)}" if self.through else ""
        clash = "; the studies disagree" if self.disagree else ""
        return f"{number(self.effect)} ({number(self.low)} to {number(self.high)}) in {where}{through}{fixed}{clash}"

    def as_json(self) -> dict[str, Any]:
        """As ``weft effects --format json`` prints it."""
        found: dict[str, Any] = {"kind": self.kind, "share": round(self.share, 6), "confidence": self.confidence}
        if self.effect is not None:
            found |= {"effect": self.effect, "low": self.low, "high": self.high}
        if self.kind in _TOLD:
            found["study"] = self.studies[0] if len(self.studies) == 1 else list(self.studies)
            found |= {"adjusted_for": list(self.adjusted_for), "through": list(self.through), "rows": self.rows}
            found["disagree"] = self.disagree
        if self.kind == "not identified":
            found |= {"reason": self.reason, "remedy": self.remedy}
        return found


@dataclass(frozen=True)
class Range:
    """Where an effect lies, if the studies tell it."""

    low: float
    high: float
    confidence: float | None
    """That there is an effect and that it lies there, also in that intervals miss the truth at times."""

    def as_json(self) -> dict[str, Any]:
        """As ``weft effects --format json`` prints it."""
        return {"low": self.low, "high": self.high, "confidence": self.confidence}


@dataclass(frozen=True)
class Effects:
    """How large the effect of one variable on another is."""

    cause: str
    outcome: str
    structures: int
    """That were looked at."""
    fair: bool
    """Whether they are all there are, or drawn fairly from them."""
    cases: tuple[Case, ...]
    """The surest first."""
    form: Form = "linear"
    per: str = ""
    """What the effect is of: one unit more, one level instead of the other, from one quartile to the other."""
    of: str = ""
    """What it is counted in."""

    @property
    def known(self) -> tuple[Case, ...]:
        """The cases with an estimate."""
        return tuple(one for one in self.cases if one.kind in _TOLD and one.effect is not None)

    @property
    def usual(self) -> tuple[Case, ...]:
        """The more common of these, which make up nearly all: a rare one shall not widen the range that is said."""
        total = sum(one.share for one in self.known)
        kept: list[Case] = []
        for one in sorted(self.known, key=lambda one: -one.share):
            if sum(each.share for each in kept) >= _NEARLY_ALL * total:
                break
            kept.append(one)
        return tuple(kept)

    @property
    def range(self) -> Range | None:
        """Over the usual cases; ``None`` if no structure tells the effect."""
        known = self.usual
        if not known:
            return None
        low, high = min(one.low or 0.0 for one in known), max(one.high or 0.0 for one in known)
        sure = [one.confidence for one in known if one.confidence is not None]
        return Range(low, high, round(LEVEL * sum(sure), 4) if len(sure) == len(known) else None)

    @property
    def sentence(self) -> str:
        """All of it in plain words."""
        return " ".join(_sentences(self))

    def __str__(self) -> str:
        return self.sentence

    def __repr__(self) -> str:
        return f"<Effects of {self.cause} on {self.outcome}: {len(self.cases)} cases>"

    def __len__(self) -> int:
        return len(self.cases)

    def __iter__(self) -> Iterator[Case]:
        return iter(self.cases)

    def __getitem__(self, place: int) -> Case:
        return self.cases[place]

    def to_frame(self) -> Any:
        """A data frame, a row for each case."""
        return frame_of((one.as_json() for one in self.cases), KEYS)

    def as_json(self) -> dict[str, Any]:
        """As ``weft effects --format json`` prints it."""
        return {
            "from": self.cause,
            "to": self.outcome,
            "structures": self.structures,
            "fair": self.fair,
            "form": self.form,
            "per": self.per,
            "of": self.of,
            "range": None if self.range is None else self.range.as_json(),
            "cases": [one.as_json() for one in self.cases],
            "sentence": self.sentence,
        }


def effects_of(
    structures: Iterable[MixedGraph],
    x: str,
    y: str,
    studies: Mapping[str, Study],
    setting: Setting,
    *,
    causes: float | None = None,
    hidden: Mapping[tuple[str, str], float] | None = None,
    fair: bool = True,
    form: Form = "linear",
    estimator: Estimator | None = None,
) -> Effects:
    """The effect of x on y in each of the structures.

    Parameters
    ----------
    structures
        MAGs: all that are left, or some drawn fairly.
    x, y
        The cause and the outcome.
    studies, setting
        The tables, and what was measured and set in them.
    causes
        The confidence that x causes y, from 0 to 1, if it is known.
    hidden
        The confidence that two variables have a hidden common cause, from 0 to 1.
    fair
        Whether the structures are all, or were drawn fairly.
    form
        ``linear``, or ``spline`` for the change from the lower to the upper quartile of x.
    estimator
        One for these studies and this form, which may have made some of the regressions already.
    """
    check_form(form)
    if x == y:
        raise EffectError(f"{x} is the cause and the outcome; name two variables")
    found = Counter(identify(graph, x, y, setting) for graph in structures)
    total = sum(found.values())
    estimator = estimator or Estimator(studies, form)
    cases = [_case(how, number / total, estimator) for how, number in found.items()]
    column = next(study.column(x) for study in studies.values() if x in study.variables)
    outcome = next(study.column(y) for study in studies.values() if y in study.variables)
    sure = sorted(_with_confidence(_joined(cases), x, y, causes, hidden or {}), key=_order)
    return Effects(x, y, total, fair, tuple(sure), form, _per(column, form), _of(outcome))


def _order(case: Case) -> tuple[int, bool]:
    """The surest first; of those that are said to be equally sure, those with an estimate."""
    return round(100 * _sureness(case)), case.kind not in _TOLD


def _sureness(case: Case) -> float:
    return -(case.share if case.confidence is None else case.confidence)


def _case(how: Identification, share: float, estimator: Estimator) -> Case:
    if isinstance(how, Zero):
        return Case("zero", share, effect=0.0, low=0.0, high=0.0)
    if isinstance(how, NotIdentified):
        return Case("not identified", share, reason=how.reason, remedy=how.remedy)
    try:
        return _estimated(how, share, estimator.effect(how), tuple(estimator.legs(how)))
    except EffectError as error:
        return Case("not identified", share, reason=str(error), remedy=error.remedy)


def _estimated(how: Adjusted | Composed, share: float, estimate: Estimate, legs: Sequence[Leg]) -> Case:
    low, high = estimate.interval()
    given = sorted({name for leg in legs for name in leg.given})
    return Case(
        "adjusted" if isinstance(how, Adjusted) else "composed",
        share,
        effect=estimate.value,
        low=low,
        high=high,
        studies=tuple(sorted(estimate.influence)),
        adjusted_for=tuple(given),
        through=how.through if isinstance(how, Composed) else (),
        rows=sum(estimate.rows.values()),
        unconfounded=tuple(sorted({(x, leg.outcome) for leg in legs if not leg.by_lot for x in leg.exposures})),
        disagree=estimate.disagreement < DISAGREE,
    )


def _joined(cases: Sequence[Case]) -> list[Case]:
    """Cases that say the same as one; where it is not identified, with the most common reason."""
    shares: dict[Case, float] = {}
    for one in cases:
        key = replace(one, share=0.0)
        shares[key] = shares.get(key, 0.0) + one.share
    joined = [replace(one, share=share) for one, share in shares.items()]
    unknown = sorted((one for one in joined if one.kind == "not identified"), key=lambda one: (-one.share, one.reason))
    known = [one for one in joined if one.kind != "not identified"]
    return [*known, *(replace(one, share=sum(each.share for each in unknown)) for one in unknown[:1])]


def _with_confidence(
    cases: Sequence[Case], x: str, y: str, causes: float | None, hidden: Mapping[tuple[str, str], float]
) -> Sequence[Case]:
    """The cases with their confidence: of "x does not cause y", or a part of that of "x causes y", by share.

    Where something hidden is behind one of the regressions of a case, the effect is not identified, however many
    structures show it. What no structure shows is a case as well, so that all add up to 1.
    """
    if causes is None:
        return cases
    causing = sum(one.share for one in cases if one.kind != "zero")
    told = [one for one in cases if one.kind in _TOLD]
    share = sum(one.share for one in told)
    known = [replace(one, confidence=_chance(one, causing, share, causes, hidden)) for one in told]
    zero = next((one for one in cases if one.kind == "zero"), Case("zero", 0.0, effect=0.0, low=0.0, high=0.0))
    unknown = next((one for one in cases if one.kind == "not identified"), _not_shown(x, y, causes, bool(known)))
    left = max(0.0, causes - sum(one.confidence or 0.0 for one in known))
    rest = (replace(zero, confidence=round(1 - causes, 4)), replace(unknown, confidence=round(left, 4)))
    return [*known, *(one for one in rest if one.share or one.confidence)]


def _not_shown(x: str, y: str, causes: float, known: bool) -> Case:
    """The case that x causes y and no structure that was looked at tells how much."""
    if known:
        why = f"the structures may be wrong, and {x} and {y} have a hidden common cause all the same"
        remedy = by_lot(x)
    else:
        claim = f"{quote(x)} causes {quote(y)}"
        why = f"{claim} in none of the structures that were looked at"
        there = f"look at those in which it does, with --assume '{claim}'"
        remedy = there if causes >= _OPEN else "give weft discover a --coverage to look at more"
    return Case("not identified", 0.0, reason=why, remedy=remedy)


def _chance(case: Case, causing: float, told: float, causes: float, hidden: Mapping[tuple[str, str], float]) -> float:
    """Less what may be hidden behind a pair although it is denied; where that is open, as sure as that nothing is."""
    behind = [hidden.get(pair, 0.0) for pair in case.unconfounded]
    shared_out = max(0.0, causes - sum(one for one in behind if one < _OPEN)) * case.share / causing
    most = 1 - max((one for one in behind if one >= _OPEN), default=0.0)
    rests_on_data = case.unconfounded and (causes < 1 or any(behind))
    return round(min(shared_out, most * case.share / told) * (BORNE_OUT if rests_on_data else 1), 4)


# -- in words ----------------------------------------------------------------------------------------------------------


def _per(column: Column, form: Form) -> str:
    if column.kind is Kind.BINARY and len(column.levels) == 2:
        return f"{column.name} = {column.levels[1]} instead of {column.levels[0]}"
    if form == "spline" and not column.levels:
        return f"{column.name} at its upper instead of its lower quartile"
    return f"1 more of {column.name}"


def _of(column: Column) -> str:
    if column.kind is Kind.BINARY and len(column.levels) == 2:
        level = column.levels[1]
        return f"the probability of {column.name} {level if level.startswith(AT_LEAST) else f'= {level}'}"
    if column.kind is Kind.ORDINAL and column.numbers() is None:
        return f"the level of {column.name} ({', '.join(f'{level} = {k}' for k, level in enumerate(column.levels))})"
    return column.name


def number(value: float) -> str:
    """A figure with as many digits as mean something.

    >>> number(0.123456), number(1234.5), number(-0.0)
    ('0.123', '1230', '0')
    """
    text = f"{value + 0.0:.3g}"
    return f"{float(text):.0f}" if "e+" in text and abs(value) < 1e6 else text


def _percent(cases: Iterable[Case]) -> str:
    chosen = list(cases)
    sure = [one.confidence for one in chosen]
    if any(one is None for one in sure):
        return f"{100 * sum(one.share for one in chosen):.0f} % of the structures"
    return f"{100 * sum(one for one in sure if one is not None):.0f} %"


def _sentences(effects: Effects) -> Iterator[str]:
    zero = [one for one in effects.cases if one.kind == "zero"]
    unknown = [one for one in effects.cases if one.kind == "not identified"]
    parts, known, span = [], effects.usual, effects.range
    if span is not None:
        how_sure = _percent(known) if span.confidence is None else f"{100 * span.confidence:.0f} %"
        amount = f"{effects.per} changes {effects.of} by between {number(span.low)} and {number(span.high)}"
        parts.append(f"{amount} ({how_sure})")
    if zero:
        parts.append(f"{effects.cause} does not cause {effects.outcome} ({_percent(zero)})")
    if unknown:
        parts.append(f"the effect cannot be told from these studies ({_percent(unknown)})")
    if not known and not zero:
        parts = ["The effect" + one.removeprefix("the effect") for one in parts]
    yield f"{'; '.join(parts)}."
    if len(known) < len(effects.known):
        share = _percent(one for one in effects.known if one not in known)
        yield f"In a few structures{'' if share.startswith('0 ') else f' ({share})'} the estimate lies outside."
    if any(one.disagree for one in known):
        yield "The studies that were pooled disagree about it."
    if unknown and not known:
        yield f"Why: {unknown[0].reason}; {unknown[0].remedy}."


def sureness(effects: Effects) -> float:
    """The less, the surer it is that the effect can be told: to sort by."""
    return sum(map(_sureness, effects.known))
