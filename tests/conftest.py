"""How many random examples hypothesis tries: ``pytest --hypothesis-profile=thorough`` for many more."""

from __future__ import annotations

from hypothesis import HealthCheck, settings

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")
