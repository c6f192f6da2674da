"""FCI on each study alone, with a kernel test: for effects that are not linear."""

from __future__ import annotations

from benchmarks.tools import NUMBERS
from benchmarks.tools.fci_alone import FciAlone

TOOL = FciAlone(
    name="FCI, each study alone, KCI",
    about="The same for numbers, with causal-learn's kernel test (KCI) at its defaults instead of Fisher-z.",
    takes=frozenset({NUMBERS}),
    test="kci",
)
