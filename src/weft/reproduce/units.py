"""A unit of work, and the folder that keeps what came of it.

Each unit is one JSON file, written as a whole when the unit is done. Its name holds a hash of everything that the
result depends on (the settings and the version of weft). So a run continues where it stopped, and takes nothing for its
own that was made in another way.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from weft.errors import WeftError
from weft.reading.files import why_not_written
from weft.solutions.result_file import write_whole
from weft.version import __version__

FORMAT = "weft-reproduction-unit/1"

Plain = str | int | float | bool | None


@dataclass(frozen=True)
class Unit:
    """One piece of an experiment.

    >>> Unit("overlap", "2-00", {"seed": 0}).file == Unit("overlap", "2-00", {"seed": 1}).file
    False
    """

    experiment: str
    name: str
    settings: Mapping[str, Plain] = field(hash=False)

    @property
    def file(self) -> Path:
        """Where it belongs in the folder."""
        return Path("units") / self.experiment / f"{self.name}-{self._digest}.json"

    def number(self, name: str) -> int:
        """A setting that is a whole number."""
        value = self.settings[name]
        assert isinstance(value, int)
        return value

    @property
    def identity(self) -> dict[str, Any]:
        """Everything that the result depends on."""
        return {
            "format": FORMAT,
            "version": __version__,
            "experiment": self.experiment,
            "unit": self.name,
            "settings": dict(self.settings),
        }

    @property
    def _digest(self) -> str:
        return hashlib.sha256(json.dumps(self.identity, sort_keys=True).encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Done:
    """A unit, what came of it, and how long it took."""

    unit: Unit
    result: Mapping[str, Any]
    seconds: float

    @property
    def settings(self) -> Mapping[str, Plain]:
        """Those of the unit."""
        return self.unit.settings

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return {**self.unit.identity, "seconds": self.seconds, "result": dict(self.result)}


@dataclass(frozen=True)
class Store:
    """A folder of finished units."""

    folder: Path

    def load(self, unit: Unit) -> Done | None:
        """What is kept of a unit; ``None`` if there is nothing, or nothing that can be read and is its own."""
        try:
            document = json.loads((self.folder / unit.file).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(document, dict) or any(document.get(key) != value for key, value in unit.identity.items()):
            return None
        result, seconds = document.get("result"), document.get("seconds")
        return Done(unit, result, seconds) if isinstance(result, dict) and isinstance(seconds, int | float) else None

    def save(self, done: Done) -> None:
        """Keep a unit."""
        path = self.folder / done.unit.file
        make_folder(path.parent)
        write_whole(path, json.dumps(done.document(), indent=1, allow_nan=False) + "\n")


def make_folder(path: Path) -> None:
    """Make a folder unless it is there."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WeftError(f"{path}: {why_not_written(error)}; give another folder with -o") from None
