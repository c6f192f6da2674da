"""From pairs of columns to relations: bivariate causal discovery in every study, put together.

A pair that several studies measured is judged in each. The judgements are put together as those of independent
samples from one process: log odds of the direction add up; what one study excludes is excluded, unless nothing would
be left: then the studies contradict each other and the pair is undecided. An undecided pair makes no statement.

Declared sufficiency is a matter of the pair, not of the sample: it is enough that one study that measured the pair was
declared free of common causes.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass

from weft.errors import StudyError
from weft.evidence.cache import ResultCache, result_key
from weft.evidence.orientation.protocol import (
    LEAST_CONFIDENCE,
    STRUCTURES,
    Judgement,
    OrientationMethod,
    Verdict,
    judged,
    verdict_of,
)
from weft.evidence.orientation.registry import method_named
from weft.evidence.skeleton import Progress, no_progress
from weft.evidence.statements import Provenance, Relation
from weft.evidence.tester import fingerprint
from weft.graphs.criteria import Structure
from weft.parallel import Workers
from weft.studies import Column, Study

Pair = tuple[str, str]
Job = tuple[OrientationMethod, Column, Column]


@dataclass(frozen=True)
class Related:
    """What the pairs say about themselves."""

    verdicts: Mapping[Pair, Verdict]
    orientation: str
    """The name of the method that was asked."""

    @property
    def relations(self) -> tuple[Relation, ...]:
        """A statement for each pair that is decided."""
        return tuple(
            Relation(x, y, verdict.allowed, verdict.weight, Provenance(self.orientation, rows=verdict.rows))
            for (x, y), verdict in self.verdicts.items()
            if verdict.decided
        )


def relate(
    studies: Sequence[Study],
    pairs: Iterable[Pair],
    *,
    orientation: str | OrientationMethod = "auto",
    sufficient: bool | Collection[str] = False,
    least_confidence: float = LEAST_CONFIDENCE,
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
    sufficient
        Whether pairs are declared to have no common cause: everywhere, or those of the studies that are named.
    least_confidence
        A direction that is less sure than this is not taken.
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
    jobs = [(chosen, study.column(x), study.column(y)) for (x, y), study in places]
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


def together(judgements: Sequence[Judgement]) -> Judgement:
    """One judgement from those of several samples.

    >>> together([Judgement(1.5), Judgement(-0.5)]).log_odds
    1.0
    """
    if len(judgements) == 1:
        return judgements[0]
    odds = sum(judgement.log_odds for judgement in judgements)
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
    return Judgement(odds, scores, excluded, min(weights) if weights else None, reasons)


def declared_sufficient(studies: Sequence[Study], sufficient: bool | Collection[str]) -> frozenset[str]:
    """The names of the studies that are declared to have no hidden common causes; raises if there is no such study."""
    names = [study.name for study in studies]
    if isinstance(sufficient, bool):
        return frozenset(names if sufficient else ())
    for name in sufficient:
        if name not in names:
            known = ", ".join(map(repr, names))
            raise StudyError(f"there is no study {name!r} to declare sufficient; there are {known}")
    return frozenset(sufficient)


def _judgements(
    jobs: Sequence[Job], workers: Workers, cache: ResultCache | None, progress: Progress
) -> list[Judgement]:
    """The judgement of each pair of columns; those in the cache are taken from there."""
    kept = ResultCache(None) if cache is None else cache
    keys = [_key(*job) for job in jobs]
    found = {place: _from_record(stored) for place, key in enumerate(keys) if (stored := kept.get(key)) is not None}
    waiting = [place for place in range(len(jobs)) if place not in found]
    for number, judgement in workers.run(_judged, [jobs[place] for place in waiting]):
        place = waiting[number]
        found[place] = judgement
        kept.put(keys[place], _record(judgement))
        progress("directions of pairs", len(found), len(jobs))
    return [found[place] for place in range(len(jobs))]


def _judged(job: Job) -> Judgement:
    return judged(*job)


def _key(method: OrientationMethod, x: Column, y: Column) -> str:
    return result_key([x.name, fingerprint(x), y.name, fingerprint(y)], f"orient {method.name}", method.settings)


def _record(judgement: Judgement) -> dict[str, object]:
    return {
        "log_odds": float(judgement.log_odds),
        "scores": {structure.value: float(score) for structure, score in judgement.scores.items()},
        "excluded": sorted(structure.value for structure in judgement.excluded),
        "weight": None if judgement.weight is None else float(judgement.weight),
        "reason": judgement.reason,
        "diagnostic": {key: one if isinstance(one, str) else float(one) for key, one in judgement.diagnostic.items()},
    }


def _from_record(record: Mapping[str, object]) -> Judgement:
    fields: dict[str, object] = dict(record)
    scores, excluded = fields.pop("scores"), fields.pop("excluded")
    assert isinstance(scores, dict)
    assert isinstance(excluded, list)
    return Judgement(
        scores={Structure(name): score for name, score in scores.items()},
        excluded=frozenset(map(Structure, excluded)),
        **fields,  # type: ignore[arg-type]
    )
