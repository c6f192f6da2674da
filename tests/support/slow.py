"""Parameters of a test that only ``make test-full`` tries: more of what the others check already."""

from __future__ import annotations

from typing import Any

import pytest


def slow(*values: Any, id: str | None = None) -> Any:
    """A set of parameters whose test is marked ``slow``."""
    return pytest.param(*values, marks=pytest.mark.slow, id=id)
