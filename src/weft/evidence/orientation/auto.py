"""The method that fits the columns: `combined` for numbers, `discrete` for levels, `mixed` for both together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar

from weft.evidence.orientation.columns import NUMBERS
from weft.evidence.orientation.combined import Combined
from weft.evidence.orientation.discrete import Discrete
from weft.evidence.orientation.mixed_pair import Mixed
from weft.evidence.orientation.protocol import Assumptions, Judgement, OrientationMethod
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
        sees_confounding=False,
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
        """The chosen method's judgement."""
        chosen = self.choose(x, y)
        judgement = chosen.judge(x, y)
        return replace(judgement, diagnostic={**judgement.diagnostic, "method": chosen.name})
