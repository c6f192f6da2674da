"""What holds for tests and doctests alike: none uses the user's cache, or more processes than it asks for."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

# The suite itself runs in several processes. This is what joblib asks, and so what "one for each core" comes to.
os.environ["LOKY_MAX_CPU_COUNT"] = "1"


@pytest.fixture(autouse=True)
def own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A cache for each test, so that none finds what another, or the user, has left."""
    path = tmp_path_factory.mktemp("cache") / "results.sqlite"
    monkeypatch.setenv("WEFT_CACHE", str(path))
    return path
