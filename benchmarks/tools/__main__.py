"""One tool on one case, in this process: ``python -m benchmarks.tools TOOL CASE LIMIT``, the answer as JSON.

Prints the claims, each with whether it is right, the processor seconds and the peak memory in megabytes, those of
programs that the tool started included. When its processor time is over, the process ends itself.
"""

from __future__ import annotations

import json
import re
import resource
import sys
import time
from contextlib import redirect_stdout
from pathlib import Path

from benchmarks.overlapping import Case, judged, number_of_pairs
from benchmarks.tools import StoppedError, every_tool

STOPPED = 75
"""The exit code if a program that the tool started was ended."""


def main(name: str, case: str, limit: str) -> None:
    """Run the tool and print what it claims."""
    graph, studies = Case(**json.loads(case)).drawn()
    measured = {one for study in studies for one in study.variables}
    tool = every_tool()[name]
    clock, processor = time.perf_counter(), used()
    most = int(processor + float(limit) + 1)
    resource.setrlimit(resource.RLIMIT_CPU, (most, most + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with redirect_stdout(sys.stderr):
        try:
            said = list(tool.claims(studies))
        except StoppedError:
            sys.exit(STOPPED)
    passed, spent = time.perf_counter() - clock, used() - processor
    pairs, causes = number_of_pairs(graph, measured)
    answer = {"claims": judged(said, graph, measured), "pairs": pairs, "causes": causes}
    print(json.dumps(answer | {"seconds": spent, "clock": passed, "memory": peak_memory()}))


def used() -> float:
    """Processor seconds of this process and of those that it has waited for."""
    own = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in own)


def peak_memory() -> float:
    """The most that this process, or one that it started, has held."""
    unit = 1 if sys.platform == "darwin" else 1024  # bytes there, kilobytes elsewhere
    started = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return max(_own_peak(), started) * unit / 1e6


def _own_peak() -> int:
    """Where the system tells, of this program alone: what getrusage tells begins with what its parent held."""
    status = Path("/proc/self/status")
    found = re.search(r"VmHWM:\s+(\d+) kB", status.read_text()) if status.exists() else None
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss if found is None else int(found[1])


if __name__ == "__main__":
    main(*sys.argv[1:])
