"""From pairs of columns to relations: bivariate causal discovery in every study, put together.

A pair that several studies measured is judged in each. The judgements are put together as those of samples from one
process: log odds of the direction add up. What the samples say about the three outcomes, beyond how common these are,
counts for less than their number (:data:`SHARED`). What one study excludes is excluded, unless nothing would be left:
then the studies contradict each other and the pair is undecided. An undecided pair makes no statement; a decided one at
most two, one inside the other (:mod:`weft.evidence.orientation.outcomes`).

A method that looks around is shown the pair's neighbours in each study: what is connected with x or with y there.

Declared sufficiency is a matter of the pair, not of the sample: it is enough that one study that measured the pair was
declared free of common causes.
"""

from __future__ import annotations

import math
import time
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from weft.errors import StudyError
from weft.evidence.cache import ResultCache, result_key
from weft.evidence.orientation.calibration import BASE
from weft.evidence.orientation.outcomes import Outcomes
from weft.evidence.orientation.protocol import (
    LEAST_CONFIDENCE_IN_STUDIES,
    STRUCTURES,
    Around,
    Judgement,
    OrientationMethod,
    SeesNeighbours,
    Verdict,
    judged,
    verdict_of,
)
from weft.evidence.orientation.registry import method_named
from weft.evidence.statements import Connected, Provenance, Relation
from weft.graphs.criteria import Structure
from weft.parallel import Workers
from weft.progress import PAIRS, Progress, no_progress
from weft.reading.names import meant
from weft.studies import Column, Study

Pair = tuple[str, str]
Job = tuple[OrientationMethod, Column, Column, Around | None]
SHARED = 1 / 3
"""The correlation of what several samples say wrongly about the outcomes of one pair.

Samples are drawn anew, but a model that does not fit the pair misleads in each of them. So k judgements count as k /
(1 + (k - 1) SHARED): two as one and a half, any number as less than three.

Measured on 208 pairs that tests found connected and two studies measured (``found_pairs`` in
``benchmarks/pair_studies.py``, seeds from 20000). The log loss, with two counting as 1, 1.4, 1.6 and 2: with
coefficients and wider limits that were fitted to other such pairs 0.655, 0.634, 0.635, 0.652; with those in use, which
are too cautious about linear data, 0.709, 0.674, 0.666, 0.662, on nonlinear data 0.776, 0.795, 0.815, 0.866. One
and a half is between what linear and what nonlinear data ask for. On 42 of the data sets on which the least confidence
was chosen, 1.4 instead of 2 made 22 instead of 26 relations wrong at 0.8, 12 instead of 15 at 0.85, 5 instead of 6 at
0.9.
"""
_TO_START = 0.5
"""Seconds after which other processes are asked for help: it takes that long to start them."""
Neighbours = Mapping[str, Mapping[str, Collection[str]]]
"""For each study, by name, and each of its variables: the variables that are connected with it there."""


@dataclass(frozen=True)
class Related:
    """What the pairs say about themselves."""

    verdicts: Mapping[Pair, Verdict]
    orientation: str
    """The name of the method that was asked."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The statements about the pairs that are decided, for each pair the narrower first."""
        return tuple(
            Relation(x, y, stated.allowed, stated.weight, Provenance(self.orientation, rows=verdict.rows))
            for (x, y), verdict in self.verdicts.items()
            for stated in verdict.statements
        )


def relate(
    studies: Sequence[Study],
    pairs: Iterable[Pair],
    *,
    orientation: str | OrientationMethod = "auto",
    neighbours: Neighbours | None = None,
    sufficient: bool | Collection[str] = False,
    least_confidence: float = LEAST_CONFIDENCE_IN_STUDIES,
    workers: Workers | None = None,
    cache: ResultCache | None = None,
    progress: Progress = no_progress,
) -> Related:
    """Judge pairs of variables, each in all studies that measured it.

    Parameters
    ----------
    studies
        The tables.
    pairs
        Dependent pairs of variables; each was measured by some study.
    orientation
        An orientation method, or its name.
    neighbours
        What is connected in each study (:func:`neighbours_of`), for methods that look around; by default every pair is
        judged alone.
    sufficient
        Whether pairs are declared to have no common cause: everywhere, or those of the studies that are named.
    least_confidence
        A statement that is less sure than this is not made.
    workers, cache, progress
        Where methods run, where their judgements are kept, and what to call to report progress.
    """
    chosen = method_named(orientation) if isinstance(orientation, str) else orientation
    declared = declared_sufficient(studies, sufficient)
    places = [
        (pair, study)
        for pair in sorted({(min(pair), max(pair)) for pair in pairs})
        for study in studies
        if set(pair) <= set(study.variables)
    ]
    jobs = [
        (chosen, study.column(x), study.column(y), _around(chosen, study, (x, y), neighbours))
        for (x, y), study in places
    ]
    found = _judgements(jobs, Workers() if workers is None else workers, cache, progress)
    verdicts = {}
    for pair in dict.fromkeys(pair for pair, _ in places):
        own = [(judgement, study) for (other, study), judgement in zip(places, found, strict=True) if other == pair]
        verdicts[pair] = verdict_of(
            together([judgement for judgement, _ in own]),
            chosen.name,
            sum(int((study.column(pair[0]).present & study.column(pair[1]).present).sum()) for _, study in own),
            sufficient=any(study.name in declared for _, study in own),
            least_confidence=least_confidence,
        )
    return Related(verdicts, chosen.name)


def neighbours_of(connected: Iterable[Connected]) -> Neighbours:
    """What is connected in each study.

    >>> neighbours_of([Connected("a", "X", "Y"), Connected("a", "Y", "Z")])["a"]["Y"] == {"X", "Z"}
    True
    """
    found: dict[str, dict[str, set[str]]] = {}
    for one in connected:
        for x, y in ((one.x, one.y), (one.y, one.x)):
            found.setdefault(one.study, {}).setdefault(x, set()).add(y)
    return found


def _around(method: OrientationMethod, study: Study, pair: Pair, neighbours: Neighbours | None) -> Around | None:
    """What a method is shown besides the pair; nothing if it does not look."""
    return None if neighbours is None or not isinstance(method, SeesNeighbours) else around_in(study, pair, neighbours)


def around_in(study: Study, pair: Pair, neighbours: Neighbours) -> Around:
    """The neighbours of the pair in the study, in order of their names."""
    own = neighbours.get(study.name, {})
    of_x, of_y = (tuple(study.column(name) for name in sorted({*own.get(one, ())} - {*pair})) for one in pair)
    return Around(of_x, of_y)


def together(judgements: Sequence[Judgement]) -> Judgement:
    """One judgement from those of several samples.

    >>> together([Judgement(1.5), Judgement(-0.5)]).log_odds
    1.0
    """
    if len(judgements) == 1:
        return judgements[0]
    outcomes = _outcomes_together([one.outcomes for one in judgements if one.outcomes is not None])
    odds = sum(judgement.log_odds for judgement in judgements) if outcomes is None else outcomes.log_odds
    scores = {
        structure: sum(values) / len(values)
        for structure in STRUCTURES
        if (values := [one.scores[structure] for one in judgements if structure in one.scores])
    }
    excluded = frozenset().union(*(judgement.excluded for judgement in judgements))
    weights = [judgement.weight for judgement in judgements if judgement.excluded and judgement.weight is not None]
    reasons = "; ".join(dict.fromkeys(judgement.reason for judgement in judgements if judgement.reason))
    if len(excluded) == len(STRUCTURES):
        return Judgement(0.0, scores, reason="the studies contradict each other")
    return Judgement(odds, scores, excluded, min(weights) if weights else None, reasons, outcomes=outcomes)


def _outcomes_together(outcomes: Sequence[Outcomes]) -> Outcomes | None:
    """The outcomes by all samples: each has seen how common the outcomes are, which counts once."""
    if not outcomes:
        return None
    counted = 1 / (1 + (len(outcomes) - 1) * SHARED)
    logarithms = [
        math.log(base) + counted * sum(math.log(one) - math.log(base) for one in column)
        for base, column in zip(BASE, zip(*outcomes, strict=True), strict=True)
    ]
    return Outcomes.of(*logarithms)


def declared_sufficient(studies: Sequence[Study], sufficient: bool | Collection[str]) -> frozenset[str]:
    """The names of the studies that are declared to have no hidden common causes; raises if there is no such study."""
    names = [study.name for study in studies]
    if isinstance(sufficient, bool):
        return frozenset(names if sufficient else ())
    for name in sufficient:
        if name not in names:
            known = meant(name, names) or f"; there are {', '.join(map(repr, names))}"
            raise StudyError(f"there is no study {name!r} to declare sufficient{known}")
    return frozenset(sufficient)


def _judgements(
    jobs: Sequence[Job], workers: Workers, cache: ResultCache | None, progress: Progress
) -> list[Judgement]:
    """The judgement of each pair of columns; those in the cache are taken from there."""
    kept = ResultCache(None) if cache is None else cache
    keys = [_key(*job) for job in jobs]
    found = {place: _from_record(stored) for place, key in enumerate(keys) if (stored := kept.get(key)) is not None}
    waiting = [place for place in range(len(jobs)) if place not in found]
    progress(PAIRS, len(found), len(jobs))
    for number, judgement in _made([jobs[place] for place in waiting], workers):
        place = waiting[number]
        found[place] = judgement
        kept.put(keys[place], _record(judgement))
        progress(PAIRS, len(found), len(jobs))
    return [found[place] for place in range(len(jobs))]


def _made(jobs: Sequence[Job], workers: Workers) -> Iterator[tuple[int, Judgement]]:
    """The judgements with the places of their jobs: quick ones are made before other processes would have started."""
    begun, done = time.perf_counter(), 0
    while done < len(jobs) and time.perf_counter() - begun < _TO_START:
        ((_, judgement),) = Workers().run(_judged, [jobs[done]])
        yield done, judgement
        done += 1
    yield from ((done + place, judgement) for place, judgement in workers.run(_judged, jobs[done:]))


def _judged(job: Job) -> Judgement:
    return judged(*job)


def _key(method: OrientationMethod, x: Column, y: Column, around: Around | None) -> str:
    """The method, its settings, and everything that it sees."""
    seen: list[object] = [x.name, x.fingerprint, y.name, y.fingerprint]
    if around is not None:
        seen += [[[column.name, column.fingerprint] for column in side] for side in (around.of_x, around.of_y)]
    return result_key(seen, f"orient {method.name}", method.settings)


def _record(judgement: Judgement) -> dict[str, object]:
    return {
        "log_odds": float(judgement.log_odds),
        "scores": {structure.value: float(score) for structure, score in judgement.scores.items()},
        "excluded": sorted(structure.value for structure in judgement.excluded),
        "weight": None if judgement.weight is None else float(judgement.weight),
        "reason": judgement.reason,
        "diagnostic": {key: one if isinstance(one, str) else float(one) for key, one in judgement.diagnostic.items()},
        "outcomes": judgement.outcomes and list(judgement.outcomes),
    }


def _from_record(record: Mapping[str, object]) -> Judgement:
    fields: dict[str, object] = dict(record)
    scores, excluded, outcomes = fields.pop("scores"), fields.pop("excluded"), fields.pop("outcomes", None)
    assert isinstance(scores, dict)
    assert isinstance(excluded, list)
    return Judgement(
        outcomes=Outcomes(*outcomes) if isinstance(outcomes, list) else None,
        scores={Structure(name): score for name, score in scores.items()},
        excluded=frozenset(map(Structure, excluded)),
        **fields,  # type: ignore[arg-type]
    )
