"""Conflict repair: oracle evidence of random graphs with some statements turned into their opposites.

Each problem has two studies, a statement for each pair in each study, and exponential weights (mean 2). A flipped
connection becomes a separation given up to three random variables; a flipped separation becomes a connection. A weight
is the log odds that a statement is right, so *calibrated* flips prefer light statements, as errors of tests do; others
hit any statement alike, which makes heavy, harder conflicts.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy

from benchmarks.problems import Family
from benchmarks.settings import Settings
from benchmarks.table import Row, time_row
from weft import Connected, Evidence, Relation, Separated
from weft.search.problem import Problem
from weft.search.repair import Repair
from weft.search.repair import repair as repaired


@dataclass(frozen=True)
class Flipped:
    """Random problems in which some statements are wrong."""

    family: Family
    flips: int
    calibrated: bool
    """Whether a statement is flipped with the probability that its weight says it is wrong with."""
    goal: float
    """Seconds within which the optimal repair should be proven."""

    def evidence(self, seed: int) -> Evidence:
        """The evidence that the seed determines."""
        rng = numpy.random.default_rng([seed, self.flips])
        evidence = self.family.evidence(seed)
        statements: list[Separated | Connected | Relation] = [
            *evidence.connected, *evidence.separated, *evidence.relations,
        ]  # fmt: skip
        tests = [i for i, one in enumerate(statements) if not isinstance(one, Relation)]
        weights = rng.exponential(2, len(statements))
        wrong = 1 / (1 + numpy.exp(weights[tests]))
        for i in rng.choice(tests, self.flips, replace=False, p=wrong / wrong.sum() if self.calibrated else None):
            statements[i] = _flipped(evidence, statements[i], rng)
        return evidence.with_statements(
            replace(one, weight=float(w)) for one, w in zip(statements, weights, strict=True)
        )


def _flipped(
    evidence: Evidence, statement: Separated | Connected | Relation, rng: numpy.random.Generator
) -> Separated | Connected:
    assert not isinstance(statement, Relation)
    study, x, y = statement.studies[0], statement.x, statement.y
    if isinstance(statement, Separated):
        return Connected(study, x, y)
    others = [v for v in evidence.study(study).variables if v not in (x, y)]
    return Separated(x, y, frozenset(rng.choice(others, rng.integers(4), replace=False).tolist()), (study,))


PROBLEMS = tuple(
    Flipped(Family(variables, 2, overlap, method="iod"), flips, calibrated, goal)
    for variables, overlap, flips, goal in ((11, 9, 8, 2), (15, 10, 8, 10), (20, 10, 10, 120))
    for calibrated in (True, False)
)


def repair(settings: Settings) -> Iterator[Row]:
    """The optimal repair, with its proof and with what all optimal solutions give up."""
    for one in PROBLEMS:
        values, found = [], []
        for seed in settings.seeds(5):
            problem = Problem.of(one.evidence(seed), one.family.method)
            statements = len(problem.separations) + len(problem.connections)
            start = time.process_time() if settings.processor else time.perf_counter()
            answer = repaired(problem, time.monotonic() + 1.5 * one.goal)
            passed = (time.process_time() if settings.processor else time.perf_counter()) - start
            values.append(passed if answer.proven and answer.unique is not None else math.inf)
            found.append(answer)
        kind = "" if one.calibrated else " (any)"
        what = f"{one.family.variables} variables, {one.flips} of {statements} flipped{kind}"
        yield time_row(what, values, goal=one.goal, limit=1.5 * one.goal, notes=tuple(_notes(found)))


def _notes(found: list[Repair]) -> Iterator[str]:
    """What is known where the time ran out."""
    for seed, answer in enumerate(found):
        if not answer.proven:
            yield f"seed {seed}: between {answer.bound:.2f} and {answer.cost or math.inf:.2f}"
