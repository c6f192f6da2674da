"""The whole way on real data: the Sachs tables, from CSV to a result file, with two processes and an empty cache.

The paper's split: 11 proteins, 9 of them in both studies, 7,466 rows. Each run is a command of its own.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.collecting import SACHS, run_command, sachs_tables
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped


def discovery(settings: Settings) -> Iterator[Row]:
    """Seconds, memory, and whether there is an answer; with sets of at most two given, and of any size."""
    if not SACHS.exists():
        yield skipped("Sachs, from CSV to result", f"needs {SACHS}")
        return
    with tempfile.TemporaryDirectory() as folder:
        files = sachs_tables(Path(folder), 400 if settings.quick else None)
        for limit in (2, None):
            seconds, memory, _ = run_command("discover", files, "auto", limit)
            result = json.loads(files[0].with_suffix(".json").read_text(encoding="utf-8"))
            what = f"Sachs, {'any set' if limit is None else f'at most {limit} given'}: seconds"
            yield Row(what, "< 180", f"{seconds:.0f}", "", seconds < 180, tuple(_notes(result)), (seconds,))
            yield Row("  memory, MB", "< 2,000", f"{memory:.0f}", "", memory < 2000, values=(memory,))
            answered = bool(result["answer"]["mags"])
            yield Row("  an answer", "yes", "yes" if answered else "no", "", answered, values=(float(answered),))


def _notes(result: dict[str, dict[str, object]]) -> Iterator[str]:
    answer, repair = result["answer"], result["repair"]
    more = "" if answer["complete"] else "at least "
    given_up = repair["given_up"]
    assert isinstance(given_up, list)
    yield f"{more}{answer['mags']:,} MAGs; {len(given_up)} statements given up at {repair['cost']:.2f}, " + (
        "proven the least" if repair["proven"] else f"at least {repair['bound']:.2f} needed"
    )
