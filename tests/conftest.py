"""How many random examples hypothesis tries: ``pytest --hypothesis-profile=thorough`` for many more."""

from __future__ import annotations

import os

# Before numpy is imported: the suite runs in several processes, and threads would only stand in each other's way.
for _setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_setting, "1")

from hypothesis import HealthCheck, settings  # noqa: E402 (see above)

settings.register_profile("default", deadline=None)
settings.register_profile("ci", deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")
