"""FCI on each study alone, with the usual tests."""

from __future__ import annotations

from benchmarks.tools.alone import FciAlone

TOOL = FciAlone(
    name="FCI, each study alone",
    about="FCI (causal-learn) on each study by itself, Fisher-z for numbers and chi-square for levels, at .01; what "
    "any study's PAG says is claimed. Where two studies contradict each other, both claims count.",
)
