"""Results of tests on disk, so that work once done is never done again.

One SQLite file holds one row a result, written as soon as the result is known: a run that is killed loses at most the
tests in flight. The key is a hash of everything that the result depends on: the fingerprints of the columns, the test
and its settings, and the version of weft. A cache that is damaged is reported, set aside and begun anew, and a row
whose checksum does not fit is forgotten: nothing is trusted, and nothing in it is executed. A file that weft did not
make is refused and left as it is: its first bytes tell. Several runs may share a file.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain, count
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Union

from weft.errors import WeftError
from weft.reading.arguments import check_argument
from weft.reading.files import A_DIRECTORY, label_of
from weft.version import __version__

_APPLICATION = 0x77656674  # "weft": tells our files from other SQLite files
_MAGIC, _APPLICATION_AT, _HEADER = b"SQLite format 3\0", 68, 100  # https://www.sqlite.org/fileformat.html, 1.3
_SCHEMA = 1
_PATIENCE = 30.0
"""Seconds to wait for another run that is writing to the same file."""


Kept = Union["ResultCache", str, PathLike[str], None]
"""Where results are kept: a cache, a file, the user's cache (``"auto"``), or nowhere."""


class ResultCache:
    """A file of results, each a dictionary of plain values.

    Parameters
    ----------
    path
        The file; it is made if it is not there. ``None`` keeps the results in memory only.

    Attributes
    ----------
    warnings
        What was found to be wrong with the file, one sentence each.

    >>> cache = ResultCache(None)
    >>> cache.put("key", {"p_value": 0.25})
    >>> cache.get("key"), cache.get("another")
    ({'p_value': 0.25}, None)
    """

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else Path(path)
        self.warnings: list[str] = []
        self._connection = self._open()

    def get(self, key: str) -> dict[str, object] | None:
        """The stored result, or ``None``."""
        try:
            row = self._connection.execute("SELECT content, checksum FROM results WHERE key = ?", (key,)).fetchone()
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from None
        except sqlite3.DatabaseError as error:
            self._connection = self._begin_anew(str(error))
            return None
        if row is None or row[1] != _checksum(key, row[0]):
            return None
        found: dict[str, object] = json.loads(row[0])
        return found

    def put(self, key: str, result: Mapping[str, object]) -> None:
        """Store a result; when this returns, no end of the process can lose it."""
        content = json.dumps(dict(result), sort_keys=True)
        row = (key, content, _checksum(key, content))
        try:
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", row)
        except sqlite3.OperationalError as error:
            raise self._unusable(error) from None
        except sqlite3.DatabaseError as error:
            self._connection = self._begin_anew(str(error))
            self._connection.execute("INSERT OR REPLACE INTO results VALUES (?, ?, ?)", row)

    def __len__(self) -> int:
        return int(self._connection.execute("SELECT count(*) FROM results").fetchone()[0])

    def close(self) -> None:
        """Close the file."""
        self._connection.close()

    def __enter__(self) -> ResultCache:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _open(self) -> sqlite3.Connection:
        if self.path is None:
            return _prepared(_connect(":memory:"))
        try:
            if self.path.is_dir():
                raise WeftError(f"the cache {label_of(self.path)}: {A_DIRECTORY}")
            self._check_ours()
            self.path.parent.mkdir(parents=True, exist_ok=True)
            return _prepared(_connect(self.path))
        except (OSError, sqlite3.OperationalError) as error:
            raise self._unusable(error) from None
        except sqlite3.DatabaseError as error:
            return self._begin_anew(str(error))

    def _unusable(self, error: Exception) -> WeftError:
        return WeftError(f"the cache {str(self.path)!r} cannot be used: {error}; give another file")

    def _check_ours(self) -> None:
        """Refuse a file that weft did not make, before anything is done to it."""
        if self.path is not None and self.path.exists() and not _is_ours(self.path):
            raise WeftError(f"the cache {str(self.path)!r} is a file that weft did not make; give another file")

    def _begin_anew(self, reason: str) -> sqlite3.Connection:
        if self.path is None:
            raise WeftError(f"the cache in memory is damaged ({reason}); start again")
        self._check_ours()  # it may be another file by now
        aside = _free_name(self.path)
        self.path.replace(aside)
        for companion in ("-wal", "-shm"):
            self.path.with_name(self.path.name + companion).unlink(missing_ok=True)
        self.warnings.append(
            f"the cache {str(self.path)!r} cannot be used ({reason}); it was set aside as {aside.name!r}, "
            "and a new one was started"
        )
        return _prepared(_connect(self.path))


def usual() -> ResultCache:
    """The user's cache: in the file that ``WEFT_CACHE`` names, or in the folder that this system has for caches.

    Nobody asked for that folder. So where it cannot be used, results are kept in memory, with a warning.
    """
    if named := os.environ.get("WEFT_CACHE"):
        return ResultCache(named)
    from platformdirs import user_cache_path

    path = user_cache_path("weft", appauthor=False) / "results.sqlite"
    try:
        return ResultCache(path)
    except WeftError as error:
        memory = ResultCache(None)
        memory.warnings.append(f"{error}; results of this run are not kept")
        return memory


@contextmanager
def opened(cache: Kept) -> Iterator[ResultCache | None]:
    """The cache, or the one in that file, or the user's; those are closed afterwards."""
    wanted = "the path of a file, a ResultCache, 'auto', or None to keep nothing"
    check_argument("cache", cache, (ResultCache, str, PathLike, type(None)), wanted)
    if not isinstance(cache, str | PathLike):
        yield cache
        return
    with usual() if cache == "auto" else ResultCache(Path(cache)) as results:
        yield results


def _connect(path: str | Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None, timeout=_PATIENCE)


def _prepared(connection: sqlite3.Connection) -> sqlite3.Connection:
    """The connection to a file that is ours and whole; a new one gets its table."""
    try:
        if _value(connection, "SELECT count(*) FROM sqlite_master") == 0:
            _lay_out(connection)
        elif _value(connection, "PRAGMA user_version") != _SCHEMA:
            raise sqlite3.OperationalError("another version of weft made it")
        elif (verdict := _value(connection, "PRAGMA quick_check")) != "ok":
            raise sqlite3.DatabaseError(str(verdict).splitlines()[0])
        connection.execute("PRAGMA synchronous = NORMAL")
    except BaseException:
        connection.close()
        raise
    return connection


def _is_ours(path: Path) -> bool:
    """Whether weft made a file, or it is empty; from its first bytes, since SQLite may write to what it opens."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        header = file.read(_HEADER)
    application = int.from_bytes(header[_APPLICATION_AT : _APPLICATION_AT + 4], "big")
    return not header or (header.startswith(_MAGIC) and application == _APPLICATION)


def _free_name(path: Path) -> Path:
    """Where to set a file aside without writing over another."""
    endings = chain((".damaged",), (f".damaged-{number}" for number in count(2)))
    return next(name for ending in endings if not (name := path.with_name(path.name + ending)).exists())


def _value(connection: sqlite3.Connection, question: str) -> object:
    return connection.execute(question).fetchone()[0]


def _lay_out(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA application_id = {_APPLICATION}")  # first, so that it is never a file of nobody's
    connection.execute("PRAGMA journal_mode = WAL")  # one write a result, and none waits for the disk
    connection.execute("BEGIN IMMEDIATE")  # another run may be doing the same
    connection.execute(f"PRAGMA user_version = {_SCHEMA}")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, content TEXT, checksum TEXT) WITHOUT ROWID"
    )
    connection.execute("COMMIT")


def _checksum(key: str, content: str) -> str:
    return hashlib.sha256(f"{key} {content}".encode()).hexdigest()[:16]


def result_key(fingerprints: Sequence[object], method: str, settings: Mapping[str, object]) -> str:
    """The key of a result: everything that it depends on, the version of weft included.

    >>> result_key(["x", "y"], "kcit", {}) == result_key(["x", "y"], "kcit", {"rank": 50})
    False
    """
    text = json.dumps([__version__, list(fingerprints), method, dict(settings)], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()
