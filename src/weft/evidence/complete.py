"""Rows in which no value is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from weft.studies import Column


def complete_rows(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, of equal length, on the rows in which none of them is missing."""
    there = np.logical_and.reduce([column.present for column in columns])
    if there.all():
        return tuple(columns)
    return tuple(replace(column, values=column.values[there]) for column in columns)
