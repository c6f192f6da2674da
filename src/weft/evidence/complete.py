"""Rows in which no value is missing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from weft.studies import Column


def complete_rows(columns: Sequence[Column]) -> tuple[Column, ...]:
    """The columns, of equal length, on the rows in which none of them is missing."""
    if all(column.is_complete for column in columns):
        return tuple(columns)
    there = np.logical_and.reduce([column.present for column in columns])
    return tuple(replace(column, values=column.values[there]) for column in columns)
