"""A live solver that takes its time."""

from __future__ import annotations

import pytest

from weft.report import live


@pytest.fixture
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of a second may be too short for 38 structures on a machine that has much else to do."""
    monkeypatch.setattr(live, "FIGURES_SUMMARY", 30.0)
    for name in ("FIGURES_WALK", "SHORTEST_WALK"):
        monkeypatch.setattr(live, name, 30.0)


@pytest.fixture
def relentless(monkeypatch: pytest.MonkeyPatch) -> None:
    """All structures are gone over for longer than any test waits: what ends it is a stop, not the time."""
    monkeypatch.setattr(live, "GRAPHS", 3600.0)
    monkeypatch.setattr(live, "GRAPHS_SUMMARY", 3600.0)
