"""How many random examples a test of hypothesis tries, where that is not left to the profile."""

from __future__ import annotations

from typing import Any

from hypothesis import settings

PLAIN = 100
"""What hypothesis tries if nothing is said."""


def examples(count: int, **more: Any) -> settings:
    """So many examples, and as many times more as the profile has: twenty with ``make test-full``."""
    return settings(max_examples=count * max(1, settings().max_examples // PLAIN), **more)
