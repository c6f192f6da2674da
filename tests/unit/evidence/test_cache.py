"""Results on disk: kept at once, found again, and never trusted when they should not be."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

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


def damage_header(path: Path) -> None:
    path.write_bytes(b"not a database at all, but long enough to be read as one" * 100)


def damage_middle(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096:] = os.urandom(len(content) - 4096)
    path.write_bytes(bytes(content))


def cut_short(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:5000])


def make_foreign(path: Path) -> None:
    path.unlink()
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE payroll (name TEXT)")
    connection.close()


def make_newer(path: Path) -> None:
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA user_version = 99")
    connection.close()


@pytest.mark.parametrize("damage", [damage_header, damage_middle, cut_short, make_foreign, make_newer])
def test_a_damaged_file_is_reported_set_aside_and_begun_anew(tmp_path: Path, damage: object) -> None:
    path = tmp_path / "results.sqlite"
    with ResultCache(path) as cache:
        for key in range(300):
            cache.put(str(key), RESULT)
    assert callable(damage)
    damage(path)
    spoilt = path.read_bytes()
    with ResultCache(path) as cache:
        (warning,) = cache.warnings
        assert warning.startswith(f"the cache {str(path)!r} cannot be used (")
        assert warning.endswith("it was set aside as 'results.sqlite.damaged', and a new one was started")
        assert "\n" not in warning
        assert len(cache) == 0
        cache.put("a", RESULT)
    assert (tmp_path / "results.sqlite.damaged").read_bytes() == spoilt
    with ResultCache(path) as cache:
        assert (cache.warnings, cache.get("a")) == ([], RESULT)


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
    with pytest.raises(WeftError, match=r"the cache '.*'"):
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
