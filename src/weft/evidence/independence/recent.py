"""What was computed last, kept as long as there is room."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Key = TypeVar("Key", bound=Hashable)
Value = TypeVar("Value")


class Recent(Generic[Key, Value]):
    """The values used last, at most so many bytes of them.

    (`functools.lru_cache` counts entries, whatever their size; and joblib restarts a worker that has grown by 300 MB.)

    >>> recent = Recent[str, bytes](10, size=len)
    >>> [recent.get(word, lambda: word.encode()) for word in ("warp", "weft", "loom")][-1], recent.bytes
    (b'loom', 8)
    >>> recent.find("loom"), recent.find("warp")
    (b'loom', None)
    """

    def __init__(self, most_bytes: int, size: Callable[[Value], int]) -> None:
        self._most = most_bytes
        self._size = size
        self._kept: dict[Key, Value] = {}
        self.bytes = 0

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """The value that is kept under the key, or else the one that is made now."""
        if key in self._kept:
            return self._used(key)
        value = make()
        self.keep(key, value)
        return value

    def find(self, key: Key) -> Value | None:
        """The value that is kept under the key, if there is one."""
        return self._used(key) if key in self._kept else None

    def keep(self, key: Key, value: Value) -> None:
        """Keep a value under a key that has none."""
        self.bytes += self._size(value)
        self._kept[key] = value
        while self.bytes > self._most:
            oldest = next(iter(self._kept))
            self.bytes -= self._size(self._kept.pop(oldest))

    def _used(self, key: Key) -> Value:
        self._kept[key] = self._kept.pop(key)  # dictionaries keep the order of insertion: the last used goes last
        return self._kept[key]

    def clear(self) -> None:
        """Let go of everything."""
        self._kept.clear()
        self.bytes = 0


class RecentOf(Generic[Value]):
    """The values made last of some objects, known by which objects these are, not by what is in them.

    That takes no time, however large they are. They must not change; as long as a value is kept, so are they.

    >>> recent, word = RecentOf[int](10, size=lambda length: length), ["warp"]
    >>> recent.get((word,), lambda: 4), recent.get((word,), lambda: 5), recent.get((["warp"],), lambda: 6)
    (4, 4, 6)
    """

    def __init__(self, most_bytes: int, size: Callable[[Value], int]) -> None:
        self._recent: Recent[tuple[int, ...], tuple[tuple[object, ...], Value]] = Recent(
            most_bytes, lambda kept: size(kept[1])
        )

    def get(self, objects: tuple[object, ...], make: Callable[[], Value]) -> Value:
        """The value that is kept for these objects, or else the one that is made now."""
        return self._recent.get(tuple(map(id, objects)), lambda: (objects, make()))[1]

    def clear(self) -> None:
        """Let go of everything."""
        self._recent.clear()
