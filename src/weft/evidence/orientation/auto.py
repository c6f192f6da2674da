"""The method that fits the columns: `combined` for numbers, `discrete` for levels, `mixed` for both together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from weft.evidence.orientation.calibration import with_common
from weft.evidence.orientation.columns import NUMBERS
from weft.evidence.orientation.combined import Combined
from weft.evidence.orientation.discrete import Discrete
from weft.evidence.orientation.mixed_pair import Mixed
from weft.evidence.orientation.protocol import (
    Around,
    Assumptions,
    Judgement,
    OrientationMethod,
    judged,
)
from weft.studies import Column, Kind


@dataclass(frozen=True)
class Auto:
    """Picks by the kinds of the two columns.

    ========================================== ==========
    columns                                    method
    ========================================== ==========
    both continuous or ordinal                 combined
    both with levels, one or both unordered    discrete
    any other                                  mixed
    ========================================== ==========

    Which method it was stands in the judgement's diagnostic as ``method``.
    """

    name: ClassVar[str] = "auto"
    assumptions: ClassVar[Assumptions] = Assumptions(
        sees_confounding=True,
        linear=False,
        kinds=frozenset(Kind),
        text="Those of combined, discrete or mixed: whichever method takes the kinds of the columns.",
    )
    numbers: OrientationMethod = field(default_factory=Combined)
    levels: OrientationMethod = field(default_factory=Discrete)
    both: OrientationMethod = field(default_factory=Mixed)

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The settings of the three methods, each with the method's name before it."""
        methods = (self.numbers, self.levels, self.both)
        return {f"{method.name}.{key}": value for method in methods for key, value in method.settings.items()}

    def choose(self, x: Column, y: Column) -> OrientationMethod:
        """The method for these columns."""
        if x.kind in NUMBERS and y.kind in NUMBERS:
            return self.numbers
        return self.both if Kind.CONTINUOUS in (x.kind, y.kind) else self.levels

    def refusal(self, x: Column, y: Column) -> str | None:
        """What the chosen method says."""
        return self.choose(x, y).refusal(x, y)

    def judge(self, x: Column, y: Column) -> Judgement:
        """The chosen method's judgement of the pair alone."""
        chosen = self.choose(x, y)
        return _by(chosen, chosen.judge(x, y))

    def judge_among(self, x: Column, y: Column, around: Around) -> Judgement:
        """The chosen method's judgement, with the neighbours if it looks at them."""
        chosen = self.choose(x, y)
        return _by(chosen, judged(chosen, x, y, around))


def _by(chosen: OrientationMethod, judgement: Judgement) -> Judgement:
    """The judgement with the method's name; if it is one of a direction, with the usual share of common causes."""
    if judgement.outcomes is None and judgement.log_odds != 0 and not judgement.excluded:
        judgement = replace(judgement, outcomes=with_common(judgement.log_odds))
    return replace(judgement, diagnostic={**judgement.diagnostic, "method": chosen.name})
