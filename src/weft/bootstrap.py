"""How sure is the answer? The whole analysis is repeated, many times, on half of the rows of each table.

Each run draws half of a table's rows at random, without replacement, gathers the evidence and repairs it. What it
finds for each claim is kept in the cache under a key of the tables, the settings, the seed and the number of the run,
as soon as it is known: a run that was interrupted continues where it stopped, and asking for more runs makes only the
new ones.

Half of the rows are a sample of the same process, only smaller, so that every test keeps its level. A table drawn with
replacement, as Efron's bootstrap does, holds some rows several times. To a kernel test these look like dependence:
of independent columns of 500 rows it then rejects 22 % at level .01.

What the shares mean: how often a conclusion is found again from half of the data, as in stability selection. A
conclusion that comes back in nearly all halves does not hang on a few rows. One that seldom does needs all of the rows,
and a share speaks of half as many as the answer itself: shares are cautious about weak dependences and lenient about
separations, which fewer rows find more easily. A share is not the probability that the conclusion is true; what is
wrong in all of the data is wrong in its halves too.

References
----------
Meinshausen and Bühlmann, *Stability selection*, Journal of the Royal Statistical Society B 72 (2010): half-samples.
Politis, Romano and Wolf, *Subsampling* (1999): valid where the bootstrap is not.
Friedman, Goldszmidt and Wyner, *Data analysis with Bayesian networks: a bootstrap approach*, UAI 1999.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from weft.errors import ProblemError, WeftError
from weft.evidence.cache import ResultCache, result_key
from weft.gathering import gather
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.progress import RUNS, Progress, no_progress
from weft.reading.arguments import check_whole
from weft.settings import Question, Settings
from weft.solutions.findings import Bootstrap, Record, record_of, taken_together
from weft.solutions.solution_set import solve
from weft.studies import Study, usable


@dataclass(frozen=True)
class _Analysis:
    """What is repeated. A run is a job of its own, tests and solver together, told by its number only."""

    studies: tuple[Study, ...]
    knowledge: Knowledge
    settings: Settings
    question: Question
    seed: int


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
    analysis = _Analysis(tuple(studies), knowledge, settings, question, seed)
    keys = _keys(analysis, runs)
    found = {number: stored["facts"] for number, key in enumerate(keys) if (stored := kept.get(key)) is not None}
    waiting = [number for number in range(runs) if number not in found]
    progress(RUNS, len(found), runs)
    for place, record in (Workers() if workers is None else workers).run(partial(_run, analysis), waiting):
        found[waiting[place]] = record
        kept.put(keys[waiting[place]], {"facts": record})
        progress(RUNS, len(found), runs)
    return taken_together((found[number] for number in range(runs)), seed)  # type: ignore[misc]


def check_runs(runs: int, seed: int) -> None:
    """Refuse numbers that make no sense."""
    check_whole("bootstrap", runs)
    check_whole("seed", seed)
    if runs < 0:
        raise ProblemError(f"cannot make {runs} bootstrap runs; ask for 0 or more")
    if seed < 0:
        raise ProblemError(f"the seed is {seed}; give 0 or more")


def _run(analysis: _Analysis, number: int) -> Record | None:
    """One run; ``None`` if it leads to no answer: a column of few distinct values may be constant in it, for one."""
    try:
        halves = [half_of(study, analysis.seed, number, place) for place, study in enumerate(analysis.studies)]
        studies, _ = usable(halves)
        evidence = gather(studies, analysis.knowledge, analysis.settings).evidence
        summary = solve(
            evidence,
            analysis.settings.method,
            selection=analysis.question.selection,
            timeout=analysis.question.timeout,
            effort=analysis.question.effort,
            knowledge=analysis.knowledge,
            conflicts="repair",
            slack=analysis.question.slack,
            coverage=analysis.question.coverage,
        ).summary()
    except WeftError:
        return None
    return record_of(summary) if summary.consistent else None


def half_of(study: Study, seed: int, number: int, place: int) -> Study:
    """Half of the rows of a study (one more of an odd number), in their order; the same for the same numbers."""
    chosen = np.random.default_rng([seed, number, place]).choice(study.rows, (study.rows + 1) // 2, replace=False)
    rows = np.sort(chosen)
    return replace(study, columns=tuple(replace(column, values=column.values[rows]) for column in study.columns))


def _keys(analysis: _Analysis, runs: int) -> list[str]:
    """Under what each run is kept."""
    tables = [[study.name, study.fingerprint] for study in analysis.studies]  # knowledge and settings speak of names
    known, asked = analysis.knowledge.to_document(), analysis.settings.document() | analysis.question.document()
    return [result_key([tables, known, analysis.seed, number], "bootstrap/3", asked) for number in range(runs)]
