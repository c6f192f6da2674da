"""What is stated about public networks: ``python -m benchmarks statements``.

The networks of ``public.py``, split into two and three studies that share 40 % of their variables.
"""

from __future__ import annotations

from collections.abc import Iterator

from benchmarks.evidence import Told, rows_of, told
from benchmarks.public import FOLDER, NAMES, studies_of
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.parallel import Workers

REPETITIONS = 2
"""Splits of each network, number of studies and of rows."""
GOAL, LARGEST_ERROR = (8, 8, 8, 8), 0.06
"""Per cent of the statements of each group that may be wrong."""


def _told(job: tuple[str, int, int, int]) -> Told:
    return told(*studies_of(*job))


def statements(settings: Settings) -> Iterator[Row]:
    """Wrong statements of each group, for each network and number of rows."""
    if not FOLDER.is_dir():
        yield skipped("public networks", f"{FOLDER} is not there")
        return
    for rows in (1000, 5000):
        every: list[Told] = []
        for name in NAMES:
            jobs = [(name, studies, rows, seed) for studies in (2, 3) for seed in settings.seeds(REPETITIONS)]
            found = dict(Workers(2).run(_told, jobs))
            every += found.values()
            yield from rows_of(f"{name}, {rows} rows", list(found.values()), rows, GOAL, LARGEST_ERROR)
        yield from rows_of(f"all networks, {rows} rows", every, rows, GOAL, LARGEST_ERROR)
