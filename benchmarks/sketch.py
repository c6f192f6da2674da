"""The first encoding, ``../shared/sketches/consistency.lp``, run plainly by clingo: what weft is measured against."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.isolation import ROOT, TaskFailedError
from benchmarks.settings import Settings
from weft import Evidence, Structure

SKETCH = ROOT.parent / "shared" / "sketches" / "consistency.lp"

_PREDICATES = {
    Structure.CAUSES: "directed({x},{y}).",
    Structure.CAUSED: "directed({y},{x}).",
    Structure.COMMON: "common({x},{y}).",
    Structure.CAUSES_COMMON: "dircommon({x},{y}).",
    Structure.CAUSED_COMMON: "dircommon({y},{x}).",
}


@dataclass(frozen=True)
class SketchRun:
    """What one run came to."""

    seconds: float
    """As clingo reports it: grounding and solving, without the start of the interpreter."""
    finished: bool
    edges: frozenset[str] | None
    """The consequences, or as many as were found in time; ``None`` if there was not even a first model."""


def run_sketch(evidence: Evidence, mode: str, limit: float, settings: Settings) -> SketchRun:
    """The edges in all solutions (mode ``cautious``) or in some (``brave``), with the sketch."""
    with tempfile.TemporaryDirectory() as folder:
        facts = Path(folder) / "facts.lp"
        facts.write_text("\n".join(_facts(evidence)), encoding="utf-8")
        output = _run_clingo(facts, mode, limit)
    if output is None:
        return SketchRun(limit, finished=False, edges=None)
    witnesses = output["Call"][-1].get("Witnesses")
    edges = _edges(witnesses[-1]["Value"], evidence.variables) if witnesses else None
    seconds = output["Time"]["CPU" if settings.processor else "Total"]
    return SketchRun(seconds, output["Models"]["More"] == "no", edges)


def _run_clingo(facts: Path, mode: str, limit: float) -> dict[str, Any] | None:
    command = [sys.executable, "-m", "clingo", str(SKETCH), str(facts)]
    options = ["-e", mode, f"--time-limit={limit:.0f}", "--outf=2", "--quiet=1", "--warn=none"]
    try:
        done = subprocess.run([*command, *options], capture_output=True, text=True, timeout=limit + 30, check=False)
    except subprocess.TimeoutExpired:
        return None
    try:
        output: dict[str, Any] = json.loads(done.stdout)
    except json.JSONDecodeError:
        raise TaskFailedError(f"clingo {SKETCH.name}: {done.stderr.strip()[-2000:]}") from None
    return output


def _facts(evidence: Evidence) -> Iterator[str]:
    """The evidence as the sketch's header asks for it; vertices are numbers in the order of the names."""
    number = {name: i for i, name in enumerate(evidence.variables)}
    yield from (f"node({v})." for v in number.values())
    for k, study in enumerate(evidence.studies):
        yield from (f"in({k},{number[name]})." for name in study.variables)
        for c in evidence.connected:
            if c.study == study.name:
                yield f"con({k},{number[c.x]},{number[c.y]})."
        for s in evidence.separated:
            if study.name in s.studies:
                yield f"sep({k},{number[s.x]},{number[s.y]})."
                yield from (f"z({k},{number[s.x]},{number[s.y]},{number[z]})." for z in s.given)
    for r in evidence.relations:
        (structure,) = r.allowed
        yield _PREDICATES[structure].format(x=number[r.x], y=number[r.y])


def _edges(atoms: list[str], names: tuple[str, ...]) -> frozenset[str]:
    """``to(0,1)`` and ``bi(0,1)`` as ``X -> Y`` and ``X <-> Y``."""
    found = set()
    for atom in atoms:
        kind, ends = atom.rstrip(")").split("(")
        x, y = (names[int(end)] for end in ends.split(","))
        found.add(f"{x} -> {y}" if kind == "to" else f"{x} <-> {y}")
    return frozenset(found)
