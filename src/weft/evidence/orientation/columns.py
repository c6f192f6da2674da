"""What methods for numbers ask of their columns, and how they prepare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import ClassVar

import numpy as np

from weft.evidence.independence.kernels import FloatArray, canonical_rows, standardise
from weft.studies import Column, Kind

NUMBERS = frozenset({Kind.CONTINUOUS, Kind.ORDINAL})
"""Kinds whose values can be compared as numbers."""


@dataclass(frozen=True)
class ForNumbers:
    """What methods for numbers share: their settings are their fields, and levels without an order are refused."""

    name: ClassVar[str]

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence if a column has levels without an order."""
        return refuse_levels(self.name, x, y)


def refuse_levels(method: str, x: Column, y: Column) -> str | None:
    """One sentence for the first column that has neither numbers nor ordered levels."""
    for column in (x, y):
        if column.kind not in NUMBERS:
            way = "'mixed'" if Kind.CONTINUOUS in (x.kind, y.kind) else "'discrete'"
            return (
                f"{method} needs numbers or ordered levels, and {column.name!r} is {column.kind}; use the method {way}"
            )
    return None


def canonical_pair(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The columns standardised, rows in an order that depends neither on theirs nor on which column comes first.

    By their sum, then by their distance; rows that agree in both are mirror images of each other and stay together.
    """
    one, other = standardise(x), standardise(y)
    rows = canonical_rows([one + other, np.abs(one - other)])
    return np.ascontiguousarray(one[rows]), np.ascontiguousarray(other[rows])
