"""Results on disk: kept at once, found again, and never trusted when they should not be."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.support.processes import linux_only
from weft.errors import WeftError
from weft.evidence.cache import ResultCache, result_key

RESULT = {"p_value": 0.25, "rows": 12, "diagnostic": {"note": "Grüße"}}


def test_what_is_put_is_found_by_another(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "results.sqlite"
    with ResultCache(path) as cache:
        assert cache.get("a") is None
        cache.put("a", RESULT)
        with ResultCache(path) as other:  # while the first is still open
            assert other.get("a") == RESULT
            other.put("a", {"p_value": 1.0})
        assert cache.get("a") == {"p_value": 1.0}
        assert len(cache) == 1
        assert cache.warnings == []


def test_in_memory() -> None:
    with ResultCache(None) as cache:
        cache.put("a", RESULT)
        assert cache.get("a") == RESULT
    with ResultCache(None) as cache:
        assert cache.get("a") is None


def test_numbers_come_back_bit_by_bit() -> None:
    values = {"small": 5e-324, "third": 1 / 3, "nan": float("nan"), "infinite": float("inf")}
    with ResultCache(None) as cache:
        cache.put("a", values)
        found = cache.get("a")
        assert found is not None
        assert [str(found[key]) for key in sorted(values)] == [str(values[key]) for key in sorted(values)]


def damage_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(bytes(content))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


@pytest.mark.parametrize("damage", [damage_middle, cut_short])
def test_a_damaged_file_is_reported_set_aside_and_begun_anew(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    path = tmp_path / "results.sqlite"
    (tmp_path / "results.sqlite.damaged").write_text("of somebody else")
    with ResultCache(path) as cache:
        for key in range(300):
            cache.put(str(key), RESULT)
    damage(path)
    spoilt = path.read_bytes()
    with ResultCache(path) as cache:
        (warning,) = cache.warnings
        assert warning.startswith(f"the cache {str(path)!r} cannot be used (")
        assert warning.endswith("it was set aside as 'results.sqlite.damaged-2', and a new one was started")
        assert "\n" not in warning
        assert len(cache) == 0
        cache.put("a", RESULT)
    assert (tmp_path / "results.sqlite.damaged-2").read_bytes() == spoilt
    assert (tmp_path / "results.sqlite.damaged").read_text() == "of somebody else"
    with ResultCache(path) as cache:
        assert (cache.warnings, cache.get("a")) == ([], RESULT)


def text(path: Path) -> None:
    path.write_text("A,B\n1,2\n" * 100, encoding="utf-8")


def few_bytes(path: Path) -> None:
    path.write_bytes(b"S")


def payroll(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("CREATE TABLE payroll (name TEXT)")
    connection.commit()
    connection.close()


def without_tables(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 7")
    connection.close()


@pytest.mark.parametrize("make", [text, few_bytes, payroll, without_tables])
def test_a_file_that_weft_did_not_make_is_refused_and_left_as_it_is(
    tmp_path: Path, make: Callable[[Path], None]
) -> None:
    path = tmp_path / "precious"
    make(path)
    before = path.read_bytes(), path.stat().st_mtime_ns
    with pytest.raises(WeftError, match=r"the cache '.*precious' is a file that weft did not make; give another file"):
        ResultCache(path)
    assert (path.read_bytes(), path.stat().st_mtime_ns) == before
    assert list(tmp_path.iterdir()) == [path]


def test_a_cache_that_became_another_file_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    large = {"note": "x" * 20_000}  # more in all than SQLite keeps in memory
    with ResultCache(path) as cache:
        for key in range(300):
            cache.put(str(key), large)
    with ResultCache(path) as cache:
        content = b"written over it from outside\n" * (path.stat().st_size // 20)
        path.write_bytes(content)
        with pytest.raises(WeftError, match="that weft did not make"):
            [cache.get(str(key)) for key in range(300)]
        assert path.read_bytes()[: len(content)] == content


@linux_only
def test_a_pipe_is_no_cache(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(WeftError, match="that weft did not make"):
        ResultCache(tmp_path / "pipe")


def test_an_empty_file_becomes_a_cache(tmp_path: Path) -> None:
    (tmp_path / "new").touch()
    with ResultCache(tmp_path / "new") as cache:
        cache.put("a", RESULT)
        assert (cache.get("a"), cache.warnings) == (RESULT, [])


def test_a_cache_of_another_version_is_refused_and_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with ResultCache(path) as cache:
        cache.put("a", RESULT)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(WeftError, match="cannot be used: another version of weft made it; give another file"):
        ResultCache(path)
    assert path.read_bytes() == before


@linux_only
def test_a_cache_is_known_from_the_first_moment(tmp_path: Path) -> None:
    """Killed right after it began, before SQLite has moved anything from its log into the file."""
    path = tmp_path / "results.sqlite"
    script = f"""
import os, signal
from weft.evidence.cache import ResultCache
ResultCache({str(path)!r}).put("a", {{}})
os.kill(os.getpid(), signal.SIGKILL)
"""
    assert subprocess.run([sys.executable, "-c", script], check=False).returncode == -signal.SIGKILL
    with ResultCache(path) as cache:
        assert (cache.get("a"), cache.warnings) == ({}, [])


def test_a_changed_row_is_forgotten(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    with ResultCache(path) as cache:
        cache.put("a", {"p_value": 0.25})
        cache.put("b", {"p_value": 0.5})
    connection = sqlite3.connect(path)
    connection.execute("""UPDATE results SET content = '{"p_value": 0.99}' WHERE key = 'a'""")
    connection.commit()
    connection.close()
    with ResultCache(path) as cache:
        assert cache.get("a") is None
        assert cache.get("b") == {"p_value": 0.5}


def test_damage_that_shows_later(tmp_path: Path) -> None:
    path = tmp_path / "results.sqlite"
    large = {"note": "x" * 20_000}  # more in all than SQLite keeps in memory
    with ResultCache(path) as cache:
        for key in range(300):
            cache.put(str(key), large)
    with ResultCache(path) as cache:
        damage_middle(path)
        found = [cache.get(str(key)) for key in range(300)]
        assert all(one in (None, large) for one in found)
        assert None in found
        cache.put("new", RESULT)
        assert cache.get("new") == RESULT
        assert len(cache.warnings) == 1


@pytest.mark.parametrize("name", ["", "file/below"])
def test_a_place_where_no_file_can_be(tmp_path: Path, name: str) -> None:
    (tmp_path / "file").write_text("text", encoding="utf-8")
    with pytest.raises(WeftError, match=r"^the cache .*(this is a directory; name a file|give another file)$"):
        ResultCache(tmp_path / name)


def test_key_depends_on_everything() -> None:
    keys = {
        result_key(["x", "y"], "kcit", {"rank": 100}),
        result_key(["y", "x"], "kcit", {"rank": 100}),
        result_key(["x", "y"], "hsic", {"rank": 100}),
        result_key(["x", "y"], "kcit", {"rank": 101}),
        result_key(["x", "y"], "kcit", {}),
    }
    assert len(keys) == 5


def test_key_depends_on_the_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = result_key(["x"], "kcit", {})
    monkeypatch.setattr("weft.evidence.cache.__version__", "99.0")
    assert result_key(["x"], "kcit", {}) != before
