"""How sure is the answer? The whole analysis is repeated, many times, on rows resampled from each table.

Each run draws as many rows as a table has, with replacement, gathers the evidence and repairs it. What it finds for
each pair is kept in the cache under a key of the tables, the settings, the seed and the number of the run, as soon as
it is known: a run that was interrupted continues where it stopped, and asking for more runs makes only the new ones.

A table that holds some rows twice looks more dependent than it is, to a kernel test above all: shares are somewhat
pessimistic about separations.

References
----------
Efron, *Bootstrap methods: another look at the jackknife*, Annals of Statistics 7 (1979).
Friedman, Goldszmidt and Wyner, *Data analysis with Bayesian networks: a bootstrap approach*, UAI 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from weft.errors import ProblemError, WeftError
from weft.evidence.cache import ResultCache, result_key
from weft.evidence.skeleton import Progress, no_progress
from weft.gathering import gather
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.reading.arguments import check_whole
from weft.settings import Question, Settings
from weft.solutions.findings import Bootstrap, Record, record_of, taken_together
from weft.solutions.solution_set import solve
from weft.studies import Study

PATIENCE = 60.0
"""Seconds that a run may take to summarise its solutions, if no timeout is set."""


@dataclass(frozen=True)
class _Job:
    studies: tuple[Study, ...]
    knowledge: Knowledge
    settings: Settings
    question: Question
    seed: int
    number: int


def resampled(
    studies: Sequence[Study],
    knowledge: Knowledge,
    settings: Settings,
    question: Question,
    runs: int,
    seed: int = 0,
    *,
    workers: Workers | None = None,
    cache: ResultCache | None = None,
    progress: Progress = no_progress,
) -> Bootstrap | None:
    """What becomes of the answer in so many runs; ``None`` if none is asked for."""
    check_runs(runs, seed)
    if not runs:
        return None
    kept = ResultCache(None) if cache is None else cache
    jobs = [_Job(tuple(studies), knowledge, settings, question, seed, number) for number in range(runs)]
    keys = [_key(job) for job in jobs]
    found = {place: stored["facts"] for place, key in enumerate(keys) if (stored := kept.get(key)) is not None}
    waiting = [place for place in range(runs) if place not in found]
    progress("bootstrap runs", len(found), runs)
    for number, record in (Workers() if workers is None else workers).run(_run, [jobs[place] for place in waiting]):
        found[waiting[number]] = record
        kept.put(keys[waiting[number]], {"facts": record})
        progress("bootstrap runs", len(found), runs)
    return taken_together((found[place] for place in range(runs)), seed)  # type: ignore[misc]


def check_runs(runs: int, seed: int) -> None:
    """Refuse numbers that make no sense."""
    check_whole("bootstrap", runs)
    check_whole("seed", seed)
    if runs < 0:
        raise ProblemError(f"cannot make {runs} bootstrap runs; ask for 0 or more")
    if seed < 0:
        raise ProblemError(f"the seed is {seed}; give 0 or more")


def _run(job: _Job) -> Record | None:
    """One run; ``None`` if it leads to no answer: a column of few distinct values may be constant in it, for one."""
    try:
        studies = [drawn_anew(study, job.seed, job.number, place) for place, study in enumerate(job.studies)]
        evidence = gather(studies, job.knowledge, job.settings).evidence
        summary = solve(
            evidence,
            job.settings.method,
            selection=job.question.selection,
            timeout=job.question.timeout or PATIENCE,
            knowledge=job.knowledge,
            conflicts="repair",
            slack=job.question.slack,
        ).summary()
    except WeftError:
        return None
    return record_of(summary) if summary.consistent else None


def drawn_anew(study: Study, seed: int, number: int, place: int) -> Study:
    """As many rows of a study, drawn with replacement; the same for the same numbers."""
    rows = np.random.default_rng([seed, number, place]).integers(study.rows, size=study.rows)
    return replace(study, columns=tuple(replace(column, values=column.values[rows]) for column in study.columns))


def _key(job: _Job) -> str:
    tables = [[study.name, study.fingerprint] for study in job.studies]  # knowledge and settings speak of the names
    fingerprints = [tables, job.knowledge.to_document(), job.seed, job.number]
    return result_key(fingerprints, "bootstrap/2", job.settings.document() | job.question.document())
