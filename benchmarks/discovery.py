"""The whole way, from CSV to a result file: the cases of ``collecting.py``, with ``weft discover``."""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.collecting import CASES, measured, warm_up
from benchmarks.settings import Settings
from benchmarks.table import Row


def discovery(settings: Settings) -> Iterator[Row]:
    """Seconds and memory, and what the answer was."""
    warm_up()
    for case in CASES:
        yield from measured(case, "discover", settings)
