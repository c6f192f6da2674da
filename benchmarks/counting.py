"""What cannot be walked: estimates and fair samples beside the truth, where it is known, and Protein."""

from __future__ import annotations

import math
import resource
import time
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from benchmarks.problems import Family
from benchmarks.settings import Settings
from benchmarks.table import Row, memory_row, time_row
from weft import SolutionSet, solve
from weft.effort import Effort
from weft.evidence.claims import Topic
from weft.evidence.file import load
from weft.search.counting import FACTOR, PROBABILITY, Cells, Drawing, Estimate, drawn, estimated
from weft.search.engine import OutOfTime

FEWEST, MOST = 100, 1_000_000
"""The problems have at least and at most so many structures."""
EXHAUSTIVE = 3_000
"""Up to so many structures, draws are counted structure by structure."""
PROTEIN = (("iod", "protein-iod.json"), ("causal-iod", "protein-causal-iod.json"))
"""Evidence files in build/, by ``weft evidence`` from the tables of ``weft reproduce``; skipped if missing."""


def counting(settings: Settings) -> Iterator[Row]:
    """Walkable problems of 6 to 8 variables; then Protein."""
    problems = list(_problems(len(settings.seeds(50))))
    kept, spent = [], []
    for solutions, number in problems:
        start = time.process_time()
        found = estimated(_cells(solutions), seed=1)
        spent.append(time.process_time() - start)
        value = found.value if isinstance(found, Estimate) else found
        kept.append(number / FACTOR <= value <= number * FACTOR)
    wanted = math.ceil(PROBABILITY * len(kept))
    sizes = sorted(number for _, number in problems)
    notes = (f"{sizes[0]:,} to {sizes[-1]:,} structures",)
    yield Row("estimates within 1.2", f">= {wanted}", str(sum(kept)), f"of {len(kept)}", sum(kept) >= wanted, notes)
    yield time_row("an estimate, processor time", spent)
    yield _structures_row([one for one in problems if one[1] <= EXHAUSTIVE][:10])
    yield _claims_row([one for one in problems if one[1] > EXHAUSTIVE][:10])
    yield from _protein()


def _problems(number: int) -> Iterator[tuple[SolutionSet, int]]:
    """Sets of solutions whose number is known, large and small ones in turn."""
    seed = 0
    while number:
        family = Family(6 + seed % 3, 2 + seed % 2, 2 + seed % 3, confounding=0.5 * (seed % 2), method="iod")
        solutions = solve(family.evidence(seed), ("iod", "causal-iod")[seed // 3 % 2], effort=None)
        count, whole = solutions._search.count((), MOST)
        seed += 1
        if whole and count >= FEWEST:
            number -= 1
            yield solutions, count


def _cells(solutions: SolutionSet) -> Cells:
    found = solutions._search.cells(solutions.supposed)
    assert found is not None
    return found


def _structures_row(problems: list[tuple[SolutionSet, int]]) -> Row:
    """Chi-square over structures, five draws for each on average."""
    values = []
    for solutions, number in problems:
        draws = 5 * number
        seen = Counter(islice(Drawing(_cells(solutions), number, 2), draws))
        square = sum((seen[graph] - 5) ** 2 / 5 for graph in solutions)
        values.append((square - (number - 1)) / math.sqrt(2 * (number - 1)))
    return _normal_row("chi-square over structures, sd from its mean", values)


def _claims_row(problems: list[tuple[SolutionSet, int]]) -> Row:
    """The share of each open claim among 2,000 drawn, in standard errors from the truth; the worst of each problem."""
    values = []
    for solutions, number in problems:
        sample = drawn(_cells(solutions), 2_000, number, 3)
        every = list(solutions.summary().edges)
        worst = 0.0
        for one in (one for one in every if one.claim.topic is Topic.EDGE):
            truth, _ = solutions._search.count((one.claim,), MOST)
            share = truth / number
            if 0.01 < share < 0.99:
                own = sum(mag.edge(one.claim.x, one.claim.y) == one.claim.symbol for mag in sample) / len(sample)
                worst = max(worst, abs(own - share) / math.sqrt(share * (1 - share) / len(sample)))
        values.append(worst)
    return _normal_row("shares of claims, standard errors off", values)


def _normal_row(what: str, values: list[float]) -> Row:
    worst = max(map(abs, values), default=math.nan)
    return Row(what, "< 4", f"{sorted(values)[len(values) // 2]:.1f}" if values else "", f"{worst:.1f}", worst < 4)


def _protein() -> Iterator[Row]:
    for method, name in PROTEIN:
        path = Path("build") / name
        if not path.exists():
            yield Row(f"Protein, {method}", median="skipped", notes=(f"there is no {path}",))
            continue
        solutions = solve(load(path), method, conflicts="repair", effort=None)
        start = time.process_time()
        total: int | Estimate | None = None
        try:
            with Effort(120_000).here():
                total = estimated(_cells(solutions), seed=0)
        except OutOfTime:
            pass
        spent = time.process_time() - start
        note = ("no estimate in time",) if total is None else (str(total),)
        value = math.inf if total is None else spent
        yield time_row(f"Protein, {method}: count", [value], goal=120, limit=spent, notes=note)
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    yield memory_row("memory", [memory], goal=1024)
