"""What is timed, each in a process of its own: ``python -m benchmarks.tasks NAME ARGUMENTS``, both in and out as JSON.

A fresh process makes the peak memory mean something, can be ended when its limit has passed, and starts every
measurement from the same state: everything imported, one tiny problem solved, nothing else.
"""

from __future__ import annotations

import json
import resource
import sys
import time
from collections.abc import Callable
from itertools import islice
from typing import Any

from benchmarks.problems import Family, synthetic_2
from weft import SolutionSet, oracle, solve

Answer = dict[str, Any]


def timed(work: Callable[[], Answer]) -> Answer:
    """Do some work; adds how long it took, by the clock and by the processor."""
    wall, processor = time.perf_counter(), time.process_time()
    answer = work()
    return answer | {"clock": time.perf_counter() - wall, "processor": time.process_time() - processor}


def every_mag_and_pag() -> Answer:
    """Synthetic 2, IOD: every MAG, every PAG, and what the paper's Algorithm 1 returns of each."""
    evidence = synthetic_2()

    def work() -> Answer:
        entries = solve(evidence, "iod").pags()
        returned = sum(len(entry.returned) for entry in entries)
        return {"mags": sum(len(entry.mags) for entry in entries), "pags": len(entries), "returned": returned}

    return timed(work)


def summary(seed: int, **family: Any) -> Answer:
    """Everything that holds in all and in some solutions, from the evidence on."""
    solutions = _solutions(seed, family)

    def work() -> Answer:
        found = solutions.summary()
        assert found.consistent, "the truth itself is a solution"
        assert found.complete
        return {"certain": found.certain, "possible": found.possible}

    return timed(work)


def first_solution(seed: int, **family: Any) -> Answer:
    """One graph, from the evidence on."""
    solutions = _solutions(seed, family)
    return timed(lambda: {"graph": str(next(iter(solutions)))})


def count(seed: int, limit: int, **family: Any) -> Answer:
    """How many solutions there are, up to the limit."""
    solutions = _solutions(seed, family, limit)
    return timed(lambda: {"graphs": solutions.count()})


def iterate(seed: int, limit: int, **family: Any) -> Answer:
    """Go over the solutions, up to the limit, and keep none."""
    solutions = _solutions(seed, family, limit)
    return timed(lambda: {"graphs": sum(1 for _ in islice(solutions, limit))})


def _solutions(seed: int, family: dict[str, Any], limit: int | None = None) -> SolutionSet:
    kind = Family(**family)
    return solve(kind.evidence(seed), kind.method, limit=limit)


def _warm_up() -> None:
    solutions = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]))
    assert solutions.summary().certain == ("X -> Y", "Y -> Z")
    assert [len(entry.mags) for entry in solutions.pags()] == [1]


TASKS: dict[str, Callable[..., Answer]] = {
    task.__name__: task for task in (every_mag_and_pag, summary, first_solution, count, iterate)
}


def main(name: str, arguments: str) -> None:
    """Do one task and print its answer."""
    _warm_up()
    answer = TASKS[name](**json.loads(arguments))
    print(json.dumps(answer | {"memory": _peak_memory()}))


def _peak_memory() -> float:
    """The most memory that this process has held, in megabytes."""
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / 1e6


if __name__ == "__main__":
    main(*sys.argv[1:])
