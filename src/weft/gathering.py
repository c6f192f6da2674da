"""From tables to evidence: lines 1 to 3 of the paper's Algorithm 1, with what is known of experiments.

A study in which variables were set by the experimenter follows another graph than the others (edges into these
variables are cut). So its tests are not pooled with theirs; what they say is turned into statements about the
undisturbed process (:mod:`weft.knowledge.experiments`), and directions of pairs are judged in the other studies only.

:func:`from_tables` is all that happens before the solver: :func:`weft.gather`, :func:`weft.discover` and ``weft
evidence`` call it. :func:`gather` is its part that the bootstrap repeats.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain
from os import PathLike

from weft.errors import StudyError, StudyErrors
from weft.evidence.budget import shares
from weft.evidence.cache import ResultCache
from weft.evidence.collect import Collected, collect, pairs_of
from weft.evidence.relate import declared_sufficient, neighbours_of, relate
from weft.evidence.same_process import differences
from weft.evidence.statements import Evidence, Setting, Table, study_names
from weft.knowledge.common_sense import hints
from weft.knowledge.experiments import check_experiments, undisturbed
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.progress import Progress, no_progress
from weft.reading.arguments import check_argument
from weft.settings import Settings
from weft.solutions.solution_set import checked
from weft.studies import Study, check_studies, usable
from weft.studies.build import everything

_MOST_REASONS = 5
"""Why tests were left out is said of so many; sparse tables may leave thousands out."""


@dataclass(frozen=True)
class Gathered:
    """The evidence in the tables, with where it came from, and what it took to find it."""

    evidence: Evidence
    undecided: int
    """Pairs of a study of which nothing is said, since their tests are not sure enough."""
    pairs: int
    """Pairs of a study about which there was a verdict, decided or not."""
    judged: int
    """Pairs that were asked for their causal structure."""
    tests_made: int
    tests_reused: int
    """Found in the cache."""
    tests_spared: int
    """Not needed, since another study made the dependence plain."""
    tests_allowed: int | None
    """The most that these could be together; None for any number."""


def from_tables(
    studies: Sequence[Study],
    knowledge: Knowledge,
    settings: Settings,
    *,
    workers: Workers | None = None,
    cache: ResultCache | None = None,
    progress: Progress = no_progress,
    warn: Callable[[str], object] | None = None,
) -> Gathered:
    """Compare the tables with each other, and find what they say; the knowledge is :func:`informed`."""
    declared_sufficient(studies, settings.sufficient)  # refuses an unknown study now, not after the tests
    noted = (*compared(studies, knowledge), *_common_sense(studies, knowledge))
    if warn is not None:
        for one in noted:
            warn(one)
    found = gather(usable(studies)[0], knowledge, settings, workers=workers, cache=cache, progress=progress)
    return replace(found, evidence=replace(found.evidence, warnings=(*noted, *found.evidence.warnings)))


def gather(
    studies: Sequence[Study],
    knowledge: Knowledge,
    settings: Settings,
    *,
    workers: Workers | None = None,
    cache: ResultCache | None = None,
    progress: Progress = no_progress,
) -> Gathered:
    """Find what the tables say: separations, connections and, if the method uses them, relations of pairs."""
    experiments = knowledge.interventions
    groups = list(_pooled_together(studies, experiments))
    budgets = shares(settings.tests, list(map(pairs_of, groups)))
    parts = [
        collect(
            group,
            independence=settings.independence,
            alpha=settings.alpha,
            pooling=settings.pooling,
            max_given=settings.max_given,
            tests=tests,
            independence_confidence=settings.independence_confidence,
            workers=workers,
            cache=cache,
            progress=told,
        )
        for group, tests, told in zip(groups, budgets, _in_turn(progress, budgets), strict=True)
    ]
    evidence = _joined(studies, parts)
    observed = [study for study in studies if study.name not in experiments]
    pairs = _chosen_pairs(evidence, parts, observed, settings) if settings.orients else set()
    if pairs:
        related = relate(
            observed,
            pairs,
            orientation=settings.orientation,
            neighbours=neighbours_of(evidence.connected),
            sufficient=_among(observed, settings.sufficient),
            least_confidence=settings.least_confidence,
            workers=workers,
            cache=cache,
            progress=progress,
        )
        evidence = evidence.with_statements((*evidence.statements, *related.relations))
    evidence, dropped = _of_the_undisturbed_process(evidence, knowledge, parts)
    return Gathered(
        replace(
            evidence,
            settings=settings.document() | _tests(parts),
            tables=tuple(_table(study, experiments) for study in studies),
            warnings=(*_warnings(parts, settings), *dropped, *_unused(experiments, settings)),
        ),
        sum(len(part.undecided) for part in parts),
        sum(part.pairs for part in parts),
        len(pairs),
        sum(part.tests_made for part in parts),
        sum(part.tests_reused for part in parts),
        sum(part.tests_spared for part in parts),
        _allowed(parts),
    )


def informed(studies: Sequence[Study], knowledge: Knowledge | None) -> Knowledge:
    """The knowledge, checked against the studies before anything runs: its names, and that it can be true."""
    known = checked(
        Knowledge() if knowledge is None else knowledge,
        {name for study in usable(studies)[0] for name in study.variables},
    )
    check_experiments(known, [study.name for study in studies])
    assert known.constraints is not None  # refuses what cannot be imposed exactly
    return known


def _common_sense(studies: Sequence[Study], knowledge: Knowledge) -> tuple[str, ...]:
    """What the names suggest that everybody knows, where nothing is said to be known."""
    if knowledge.items:
        return ()
    return tuple(f"no knowledge is given; {hint}" for hint in hints({one for s in studies for one in s.variables}))


def compared(studies: Sequence[Study], knowledge: Knowledge) -> tuple[str, ...]:
    """What one should know about the studies; raises if they cannot be used together."""
    noted = check_studies(studies)
    found = differences(study for study in usable(studies)[0] if study.name not in knowledge.interventions)
    warnings = [str(one) for one in (*noted, *found)]
    if found:
        warnings.append("the method assumes that one process made all studies; take care with what follows")
    return tuple(warnings)


def _pooled_together(studies: Sequence[Study], experiments: Mapping[str, object]) -> Iterator[list[Study]]:
    """The studies whose tests are pooled: those without an experiment; each experiment is alone."""
    if observed := [study for study in studies if study.name not in experiments]:
        yield observed
    yield from ([study] for study in studies if study.name in experiments)


def _in_turn(progress: Progress, budgets: Sequence[int | None]) -> Iterator[Progress]:
    """Whom each group of studies tells, one after the other, so that their tests are counted together."""
    over = 0
    for place in range(len(budgets)):
        later, now = sum(one or 0 for one in budgets[place + 1 :]), 0

        def told(label: str, done: int, total: int, over: int = over, later: int = later) -> None:
            nonlocal now
            now = done
            progress(label, over + done, over + total + later)

        yield told
        over += now


def _joined(studies: Sequence[Study], parts: Sequence[Collected]) -> Evidence:
    scopes = {scope.name: scope for part in parts for scope in part.evidence.studies}
    statements = tuple(chain.from_iterable(part.evidence.statements for part in parts))
    return Evidence(tuple(scopes[study.name] for study in studies), statements)


def _chosen_pairs(
    evidence: Evidence, parts: Sequence[Collected], observed: Sequence[Study], settings: Settings
) -> set[tuple[str, str]]:
    names = {study.name for study in observed}
    if settings.pairs == "connected":
        return {(one.x, one.y) for one in evidence.connected if one.study in names}
    return {pair for part in parts if part.evidence.studies[0].name in names for pair in part.dependent}


def _among(studies: Sequence[Study], sufficient: bool | Collection[str]) -> bool | Collection[str]:
    """What is declared sufficient of these studies: the named ones may be experiments, or left out."""
    return sufficient if isinstance(sufficient, bool) else [one.name for one in studies if one.name in sufficient]


def _of_the_undisturbed_process(
    evidence: Evidence, knowledge: Knowledge, parts: Sequence[Collected]
) -> tuple[Evidence, tuple[str, ...]]:
    """What the statements say about the process without experiments, and why some of them are not used."""
    experiments = knowledge.interventions
    if not experiments:
        return evidence, ()
    dependent = {part.evidence.studies[0].name: part.dependent for part in parts if len(part.evidence.studies) == 1}
    changed = undisturbed(evidence, knowledge, {name: dependent[name] for name in experiments if name in dependent})
    dropped = [one for one in changed.changes if one.statement is not None and not one.became]
    return changed.evidence, tuple(f"{one.statement}: not used, since {one.reason}" for one in dropped)


def _table(study: Study, experiments: Mapping[str, frozenset[str]]) -> Table:
    kinds = {column.name: str(column.kind) for column in study.columns}
    settings = tuple(sorted(experiments.get(study.name, ())))
    return Table(study.name, study.rows, kinds, study.fingerprint, settings, study.source)


def _allowed(parts: Sequence[Collected]) -> int | None:
    """The most tests that could be made, of all parts."""
    allowed = [part.tests_allowed for part in parts]
    return None if None in allowed else sum(one for one in allowed if one is not None)


def _tests(parts: Sequence[Collected]) -> dict[str, Setting]:
    """The most tests that could be made, and how many were, with or without a cache."""
    return {"tests": _allowed(parts), "tests.made": sum(part.tests_made + part.tests_reused for part in parts)}


def _warnings(parts: Sequence[Collected], settings: Settings) -> Iterator[str]:
    reasons = [reason for part in parts for reason in part.impossible]
    yield from (f"a test was left out: {reason}" for reason in reasons[:_MOST_REASONS])
    if (more := len(reasons) - _MOST_REASONS) > 0:
        yield f"{more:,} more {'test was' if more == 1 else 'tests were'} left out for such reasons"
    if unfinished := sum(part.unfinished for part in parts):
        total = sum(math.comb(len(scope.variables), 2) for part in parts for scope in part.evidence.studies)
        yield (
            f"the budget of {_allowed(parts):,} tests ended before all sets were tried: {unfinished:,} of {total:,} "
            "pairs, study by study, are judged by the likeliest sets alone"
        )
    if undecided := sum(len(part.undecided) for part in parts):
        total = sum(part.pairs for part in parts)
        yield (
            f"undecided in a study, neither apart nor connected: {undecided:,} of {total:,} pairs, since their tests "
            f"are less sure than {settings.independence_confidence:g}"
        )


def _unused(experiments: Mapping[str, object], settings: Settings) -> Iterator[str]:
    if experiments and not settings.orients:
        yield f"who responds to an experiment is a relation, which method {settings.method} does not use"


def as_studies(studies: Sequence[object] | Mapping[str, object] | str | PathLike[str]) -> list[Study]:
    """Tables as studies: a :class:`Study`, a path, a data frame, a mapping of columns; those without a name get one."""
    if isinstance(studies, str | PathLike | Study) or hasattr(studies, "columns"):
        studies = [studies]  # one table is enough
    check_argument("studies", studies, Iterable, "a list of tables, or a dictionary of tables by name")
    own_name = not isinstance(studies, Mapping)
    tables = list(studies.values() if isinstance(studies, Mapping) else studies)
    named = zip(studies if isinstance(studies, Mapping) else study_names(len(tables)), tables, strict=True)
    jobs = {place: partial(_as_study, one, name, own_name) for place, (name, one) in enumerate(named)}
    return list(everything(jobs).values())


def _as_study(table: object, name: str, own_name: bool) -> Study:
    """One table as a study; what is wrong says where its remedies are arguments."""
    if isinstance(table, Study):
        return table if own_name else replace(table, name=name)
    from_file = isinstance(table, str | PathLike)
    try:
        if isinstance(table, str | PathLike):
            return Study.read(table) if own_name else Study.read(table, name)
        return Study.of(table, name)
    except StudyError as error:
        where = f" (arguments of weft.Study.{'read' if from_file else 'of'}, whose result can be given here)"
        told = [StudyError(*one.args, where) if one.remedies else one for one in error.each]
        raise StudyErrors(*told) if len(told) > 1 else told[0] from None
