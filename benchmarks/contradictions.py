"""What must be given up of real evidence: the repair found in a minute beside the best known and the cost of the truth.

The larger networks of ``overlapping.py``, two studies each, evidence as :func:`weft.discover` gathers it. *Best known*
is the cheapest model found in four times as long. No repair may cost more than the true graph does, and one should cost
at most 1.5 times as much as the best known.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator

from benchmarks.confidence import true_cost
from benchmarks.overlapping import ROWS, SOURCES, Case
from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.gathering import gather
from weft.graphs.ancestral import marginal_mag
from weft.knowledge.knowledge import Knowledge
from weft.search.problem import Problem
from weft.search.repair import repair
from weft.settings import Settings as Gathering

SECONDS, LONGER, FACTOR = 60.0, 4, 1.5


def contradictions(settings: Settings) -> Iterator[Row]:
    """A row for each network and number of rows."""
    for name, source in SOURCES.items():
        if not source.large or name not in (settings.sources or SOURCES):
            continue
        if source.missing():
            yield skipped(source.title, source.missing())
            continue
        for rows in ROWS[: 1 if settings.quick else None]:
            yield row_of(Case(name, 2, rows, 0), SECONDS / 10 if settings.quick else SECONDS)


def row_of(case: Case, seconds: float) -> Row:
    """The cost of the repair, the best known, and that of the true graph."""
    graph, studies = case.drawn()
    evidence = gather(studies, Knowledge(), Gathering()).evidence
    problem = Problem.of(evidence)
    found = repair(problem, time.monotonic() + seconds)
    best = found if found.proven else repair(problem, time.monotonic() + LONGER * seconds)
    cost, least = found.cost or 0.0, min(found.cost or 0.0, best.cost or 0.0)
    truth = true_cost(evidence, marginal_mag(graph, evidence.variables))
    proof = "proven the least" if found.proven else f"at least {found.bound:.2f} is needed"
    return Row(
        f"{SOURCES[case.source].title}, 2 x {case.rows:,}: cost",
        f"<= {min(FACTOR * least, truth):.2f}",
        f"{math.inf if found.cost is None else cost:.2f}",
        "",
        found.cost is not None and cost <= min(FACTOR * least, truth) + 1e-9,
        (f"{len(evidence.statements)} statements; {proof}; best known {least:.2f}; the true graph costs {truth:.2f}",),
        (cost, least, truth),
    )
