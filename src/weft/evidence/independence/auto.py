"""The test that fits the columns: `kcit` for numbers, `g-square` for levels, `mixed` for both together."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from weft.evidence.independence.g_square import GSquare
from weft.evidence.independence.kcit import Kcit
from weft.evidence.independence.mixed import Mixed
from weft.evidence.independence.protocol import IndependenceTest, Result, is_quick
from weft.studies import Column, Kind


@dataclass(frozen=True)
class Auto:
    """Picks by the kinds of the columns of each question.

    ============================================= ==========
    columns                                       test
    ============================================= ==========
    all continuous                                kcit
    all discrete (ordinal, categorical, binary)   g-square
    any other                                     mixed
    ============================================= ==========

    Which test it was stands in the result's diagnostic as ``test``.
    """

    name: ClassVar[str] = "auto"
    numbers: IndependenceTest = field(default_factory=Kcit)
    levels: IndependenceTest = field(default_factory=GSquare)
    both: IndependenceTest = field(default_factory=Mixed)

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The settings of the three tests, each with the test's name before it."""
        tests = (self.numbers, self.levels, self.both)
        return {f"{test.name}.{key}": value for test in tests for key, value in test.settings.items()}

    def choose(self, x: Column, y: Column, given: Sequence[Column] = ()) -> IndependenceTest:
        """The test for these columns."""
        continuous = {column.kind is Kind.CONTINUOUS for column in (x, y, *given)}
        if len(continuous) > 1:
            return self.both
        return self.numbers if True in continuous else self.levels

    def is_quick(self, x: Column, y: Column, given: Sequence[Column] = ()) -> bool:
        """What the chosen test says."""
        return is_quick(self.choose(x, y, given), x, y, given)

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """What the chosen test says."""
        return self.choose(x, y, given).refusal(x, y, given)

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """The chosen test's answer."""
        chosen = self.choose(x, y, given)
        result = chosen.test(x, y, given)
        return replace(result, diagnostic={**result.diagnostic, "test": chosen.name})
