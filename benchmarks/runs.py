"""Tools run on cases, each in a process of its own, and what came of it kept as a line of JSON.

What was kept is not run again, unless the tool's version or its files have changed, or the data: an interrupted
benchmark goes on where it was.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.isolation import ROOT
from benchmarks.overlapping import Case, Judged
from benchmarks.tools import every_tool, sources_of
from benchmarks.tools.__main__ import STOPPED

FINISHED, TOO_LONG, FAILED = "finished", "too long", "failed"
PATIENCE = 20
"""How much longer than its limit of processor time a run may take by the clock: the machine may be busy."""
START_UP = 60.0
"""Seconds by the clock for what comes before: imports, the tables."""
AT_ONCE = 2


@dataclass(frozen=True)
class Outcome:
    """What came of a tool on a case."""

    tool: str
    case: Case
    end: str
    """:data:`FINISHED`, :data:`TOO_LONG` or :data:`FAILED`."""
    why: str = ""
    """The last line of what a tool that failed had to say."""
    claims: tuple[Judged, ...] = ()
    pairs: int = 0
    """Ordered pairs of variables that were measured."""
    causes: int = 0
    """How many of them are cause and effect."""
    seconds: float = 0.0
    """Processor time, from the tables to the claims; the limit if it took too long."""
    clock: float = 0.0
    memory: float = 0.0
    """The most that was held, in megabytes."""

    def as_json(self) -> dict[str, Any]:
        """Plain values."""
        return {**self.__dict__, "case": self.case.as_json()}

    @classmethod
    def of_json(cls, fields: Mapping[str, Any]) -> Outcome:
        """What :meth:`as_json` gave."""
        claims = tuple(Judged(*one) for one in fields["claims"])
        return cls(**{**fields, "case": Case(**fields["case"]), "claims": claims})


def outcomes(jobs: Sequence[tuple[str, Case]], limit: float, kept: Path) -> list[Outcome]:
    """What came of each tool and case, in this order; new outcomes are added to what is kept."""
    before = dict(read(kept))

    def outcome(job: tuple[str, Case]) -> Outcome:
        key = key_of(*job, limit)
        if key not in before:
            before[key] = run(*job, limit)
            keep(key, before[key], kept)
        return before[key]

    with ThreadPoolExecutor(AT_ONCE) as pool:
        return list(pool.map(outcome, jobs))


def keep(key: str, outcome: Outcome, kept: Path) -> None:
    """Add a line to the file. One write each, so that two threads do not mix theirs."""
    kept.parent.mkdir(parents=True, exist_ok=True)
    cut = kept.exists() and not kept.read_bytes().endswith(b"\n")  # by a machine that stopped
    with kept.open("a", encoding="utf-8") as file:
        file.write("\n" * cut + json.dumps({"key": key, **outcome.as_json()}) + "\n")


def read(kept: Path) -> Iterator[tuple[str, Outcome]]:
    """What was kept, by key; a line that was cut off when the machine stopped is left out."""
    for line in kept.read_text(encoding="utf-8").splitlines() if kept.exists() else ():
        try:
            fields = json.loads(line)
        except json.JSONDecodeError:
            continue
        yield fields.pop("key"), Outcome.of_json(fields)


def key_of(tool: str, case: Case, limit: float) -> str:
    """What an outcome rests on, in short: the tool's version and files, the limit, and the tables."""
    return digest(
        [tool, version_of(tool), f"{limit:g}", *(path.read_text("utf-8") for path in sources_of(tool)), _tables(case)]
    )


@cache
def version_of(tool: str) -> str:
    """The version of a tool, asked once."""
    return every_tool()[tool].version()


@cache
def _tables(case: Case) -> str:
    graph, studies = case.drawn()
    values = (
        f"{one.name} {one.levels} {np.ascontiguousarray(one.values).tobytes().hex()}"
        for s in studies
        for one in s.columns
    )
    return digest([str(graph), *values])


def digest(parts: Iterable[str]) -> str:
    """A short name for texts."""
    found = sha256()
    for part in parts:
        found.update(f"{len(part)} ".encode() + part.encode())
    return found.hexdigest()[:16]


def command_of(tool: str, case: Case, limit: float) -> list[str]:
    """What starts a run."""
    return [sys.executable, "-m", "benchmarks.tools", tool, json.dumps(case.as_json()), f"{limit:g}"]


def run(tool: str, case: Case, limit: float) -> Outcome:
    """Run a tool in a process of its own, which is ended when its time is over."""
    one_thread = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}
    process = subprocess.Popen(
        command_of(tool, case, limit),
        cwd=ROOT,
        env=os.environ | one_thread | {"PYTHONHASHSEED": "0"},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,  # so that what the tool started can be ended with it
    )
    try:
        printed, complaint = process.communicate(timeout=PATIENCE * limit + START_UP)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
        return Outcome(tool, case, TOO_LONG, seconds=limit)
    if process.returncode in (STOPPED, -signal.SIGXCPU):
        return Outcome(tool, case, TOO_LONG, seconds=limit)
    if process.returncode:
        said = [f"ended by signal {-process.returncode}"] if process.returncode < 0 else complaint.strip().splitlines()
        return Outcome(tool, case, FAILED, (said or ["without a word"])[-1][:200])
    answer = json.loads(printed)
    claims = tuple(Judged(*one) for one in answer.pop("claims"))
    return Outcome(tool, case, FINISHED, claims=claims, **answer)
