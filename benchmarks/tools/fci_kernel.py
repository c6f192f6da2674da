"""FCI on each study alone, with a kernel test: for effects that are not linear."""

from __future__ import annotations

from benchmarks.tools import NUMBERS
from benchmarks.tools.alone import FciAlone

TOOL = FciAlone(
    name="FCI, each study alone, KCI",
    about="FCI (causal-learn) on each study by itself, at .01, with the kernel test KCI at its defaults; for "
    "numbers only.",
    takes=frozenset({NUMBERS}),
    test="kci",
)
