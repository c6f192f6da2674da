"""The tools of the benchmark, one a file: tables in, claims out.

A file of this folder that has a ``TOOL`` takes part; nothing else needs to know about it (see ``docs/benchmark.md``).
What several tools share is in files without one: ``pag.py`` makes claims of a graph, ``causal_learn.py`` calls FCI.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import NamedTuple, Protocol

from weft.studies import Study

NUMBERS, LEVELS = "numbers", "levels"
"""The kinds of tables: every column continuous, or every column categorical."""


class Said(NamedTuple):
    """A claim: that ``x`` causes ``y``, directly or through others, or that it does not."""

    x: str
    y: str
    causes: bool
    confidence: float | None = None
    """From 0 to 1; ``None`` if the tool does not say how sure it is."""


class StoppedError(Exception):
    """A program that the tool started was ended, since its time was over."""


class Tool(Protocol):
    """What takes part in the benchmark."""

    @property
    def name(self) -> str:
        """What the tables call it."""

    @property
    def about(self) -> str:
        """What it does, for the list on the page: a sentence."""

    @property
    def takes(self) -> frozenset[str]:
        """The kinds of tables that it is made for: :data:`NUMBERS`, :data:`LEVELS`, or both."""

    @property
    def says_how_sure(self) -> bool:
        """Whether its claims have a confidence."""

    def missing(self) -> str:
        """Why it cannot run here, and what to install; empty if it can."""

    def version(self) -> str:
        """The version that would run. What was measured is measured again when this changes, or the tool's file."""

    def claims(self, studies: Sequence[Study]) -> Iterable[Said]:
        """What it claims after seeing the tables, and nothing but the tables."""


def every_tool() -> Mapping[str, Tool]:
    """The tools of this folder, by the names of their files; weft first."""
    files = sorted((one.name for one in pkgutil.iter_modules(__path__)), key=lambda name: (name != "weft_all", name))
    modules = {name: import_module(f"{__name__}.{name}") for name in files if name != "__main__"}
    return {name: module.TOOL for name, module in modules.items() if hasattr(module, "TOOL")}


def sources_of(name: str) -> list[Path]:
    """The files that a tool consists of: its own, and what is shared."""
    others = set(every_tool()) - {name}
    return sorted(path for path in Path(__file__).parent.glob("*.py") if path.stem not in others)
