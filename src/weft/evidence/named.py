"""Tests and methods by name: found, imported when asked for, and made with their settings.

Nothing is imported until one is asked for, so that the command line can list the names without loading numpy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from importlib import import_module
from typing import Any

from weft.errors import StudyError
from weft.reading.names import meant


@dataclass(frozen=True, slots=True)
class Entry:
    """Where a class lives, and what it is for."""

    module: str
    class_name: str
    summary: str

    def load(self) -> type[Any]:
        """The class."""
        found: type[Any] = getattr(import_module(self.module), self.class_name)
        return found


def made(what: str, entries: Mapping[str, Entry], name: str, settings: Mapping[str, object]) -> Any:
    """The object of that name, with those settings; ``what`` is what messages call it."""
    if name not in entries:
        article = "an " if what[0] in "aeiou" else "a "
        known = f"choose one of {', '.join(entries)}{meant(name, entries)}"
        raise StudyError(f"{name!r} is not the name of {article}{what}; {known}")
    found = entries[name].load()
    own = [one.name for one in fields(found)]
    for setting in settings:
        if setting not in own:
            has = f"it has {', '.join(own)}" if own else "it has none"
            raise StudyError(f"{name!r} has no setting {setting!r}; {has}{meant(setting, own)}")
    return found(**settings)
