"""How many random examples hypothesis tries (``--hypothesis-profile=thorough`` for many more), signals."""

from __future__ import annotations

import os
import signal

# Before numpy is imported: the suite runs in several processes, and threads would only stand in each other's way.
for _setting in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
    os.environ.setdefault(_setting, "1")

from _pytest.terminal import TerminalReporter  # noqa: E402
from hypothesis import HealthCheck, settings  # noqa: E402

settings.register_profile("default", deadline=None)
settings.register_profile("ci", max_examples=50, deadline=None, derandomize=True, print_blob=True)
settings.register_profile(
    "thorough", max_examples=2000, deadline=None, print_blob=True, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")

# Whoever runs the suite in the background (nohup make test &) lets it, and all that it starts, ignore Ctrl-C; the tests
# of Ctrl-C would wait for ever.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_terminal_summary(terminalreporter: TerminalReporter) -> None:
    """Say how many cases the theorems were checked on (:mod:`tests.differential.test_theorems`)."""
    reports = [one for one in terminalreporter.stats.get("passed", []) if one.when == "call"]
    counts = [value for one in reports for name, value in one.user_properties if name == "cases checked"]
    if counts:
        terminalreporter.write_line(f"soundness and completeness: {sum(counts):,} cases checked, no exception")
