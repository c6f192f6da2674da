"""What a cache of results holds, seen from outside."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path


def stored(cache: Path) -> int:
    """How many results a cache holds."""
    if not cache.exists():
        return 0
    with closing(sqlite3.connect(cache)) as connection:
        try:
            return int(connection.execute("SELECT count(*) FROM results").fetchone()[0])
        except sqlite3.OperationalError:  # not laid out yet
            return 0
