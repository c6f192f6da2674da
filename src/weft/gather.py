"""From tables to evidence: lines 1 to 3 of the paper's Algorithm 1, with what is known of experiments.

A study in which variables were set by the experimenter follows another graph than the others (edges into these
variables are cut). So its tests are not pooled with theirs; what they say is turned into statements about the
undisturbed process (:mod:`weft.knowledge.experiments`), and directions of pairs are judged in the other studies only.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from itertools import chain
from os import PathLike
from typing import get_args

from weft.errors import StudyError
from weft.evidence.cache import ResultCache
from weft.evidence.collect import Collected, collect
from weft.evidence.independence.protocol import IndependenceTest
from weft.evidence.independence.registry import test_named
from weft.evidence.orientation.protocol import LEAST_CONFIDENCE, OrientationMethod
from weft.evidence.orientation.registry import method_named
from weft.evidence.pool import PoolingMethod
from weft.evidence.relate import declared_sufficient, relate
from weft.evidence.same_process import differences
from weft.evidence.skeleton import Progress, no_progress
from weft.evidence.statements import Evidence, Setting, study_names
from weft.knowledge.experiments import check_experiments, undisturbed
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers
from weft.reading.arguments import check_argument, check_number, check_whole
from weft.search.problem import METHODS
from weft.solutions.solution_set import check_question, checked
from weft.studies import Study, check_studies

PAIRS = ("connected", "dependent")


@dataclass(frozen=True)
class Settings:
    """How evidence is gathered and what is asked of it; :func:`weft.discover` says what each means."""

    method: str = "causal-iod"
    independence: str | IndependenceTest = "auto"
    alpha: float = 0.01
    pooling: PoolingMethod = "fisher"
    max_given: int | None = None
    independence_confidence: float = 0.5
    orientation: str | OrientationMethod = "auto"
    pairs: str = "connected"
    sufficient: bool | Collection[str] = False
    least_confidence: float = LEAST_CONFIDENCE
    selection: bool = False
    slack: float = 0.0
    limit: int | None = None
    timeout: float | None = None

    def __post_init__(self) -> None:
        choices = (("method", METHODS), ("pairs", PAIRS), ("pooling", get_args(PoolingMethod)))
        for name, known in choices:
            if getattr(self, name) not in known:
                raise StudyError(f"{name} is {getattr(self, name)!r}; choose one of {', '.join(known)}")
        check_whole("max_given", self.max_given, "for no limit")
        for name in ("alpha", "independence_confidence", "least_confidence"):
            check_number(name, getattr(self, name))
        for name, what in (("independence", "test"), ("orientation", "method")):
            if not hasattr(getattr(self, name), "settings"):
                check_argument(name, getattr(self, name), str, f"the name of a {what}, such as 'auto', or a {what}")
        check_argument("sufficient", self.sufficient, (bool, Collection), "True, False or the names of studies")
        check_argument("selection", self.selection, bool, "True or False")
        if self.max_given is not None and self.max_given < 0:
            raise StudyError(f"max_given is {self.max_given}; give 0 or more, or None for no limit")
        for name in ("independence_confidence", "least_confidence"):
            if not 0.5 <= getattr(self, name) < 1:
                raise StudyError(f"{name} is {getattr(self, name)}; give 0.5 or more, and less than 1")
        check_question(self.limit, self.timeout, "repair", self.slack)
        self.document()  # refuses names of tests and methods that are not known

    @property
    def orients(self) -> bool:
        """Whether the method makes use of the relations of pairs."""
        return self.method in ("iod-bcd", "causal-iod")

    def document(self) -> dict[str, Setting]:
        """The settings as plain values by name, those of the test and of the method for pairs included."""
        plain: dict[str, Setting] = {one.name: getattr(self, one.name) for one in fields(self)}
        if not isinstance(self.sufficient, bool):
            plain["sufficient"] = ", ".join(sorted(self.sufficient)) or False
        chosen: dict[str, IndependenceTest | OrientationMethod] = {
            "independence": test_named(self.independence) if isinstance(self.independence, str) else self.independence,
            "orientation": method_named(self.orientation) if isinstance(self.orientation, str) else self.orientation,
        }
        for key, one in chosen.items():
            plain |= {key: one.name} | {f"{key}.{name}": value for name, value in one.settings.items()}
        return plain


@dataclass(frozen=True)
class Gathered:
    """The evidence in the tables, and what one should know about it."""

    evidence: Evidence
    tests_made: int
    warnings: tuple[str, ...]


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
    declared_sufficient(studies, settings.sufficient)  # refuses an unknown study now, not after the tests
    experiments = knowledge.interventions
    parts = [
        collect(
            group,
            test=settings.independence,
            alpha=settings.alpha,
            pooling=settings.pooling,
            max_given=settings.max_given,
            least_confidence=settings.independence_confidence,
            workers=workers,
            cache=cache,
            progress=progress,
        )
        for group in _pooled_together(studies, experiments)
    ]
    evidence = _joined(studies, parts)
    observed = [study for study in studies if study.name not in experiments]
    if settings.orients and observed:
        evidence = relate(
            observed,
            _chosen_pairs(evidence, parts, observed, settings.pairs),
            method=settings.orientation,
            sufficient=settings.sufficient,
            least_confidence=settings.least_confidence,
            workers=workers,
            cache=cache,
            progress=progress,
        ).added_to(evidence)
    warnings = [f"a test was left out: {reason}" for part in parts for reason in part.impossible]
    if undecided := sum(len(part.undecided) for part in parts):
        total = undecided + sum(len(part.evidence.statements) for part in parts)
        warnings.append(
            f"undecided in a study, neither separated nor connected: {undecided:,} of {total:,} pairs, since their "
            f"tests are less sure than {settings.independence_confidence:g}"
        )
    if experiments:
        dependent = {part.evidence.studies[0].name: part.dependent for part in parts if len(part.evidence.studies) == 1}
        changed = undisturbed(evidence, knowledge, {name: dependent[name] for name in experiments if name in dependent})
        evidence = changed.evidence
        dropped = [one for one in changed.changes if one.statement is not None and not one.became]
        warnings += [f"{one.statement}: not used, since {one.reason}" for one in dropped]
        if not settings.orients:
            warnings.append(f"who responds to an experiment is a relation, which method {settings.method} does not use")
    return Gathered(evidence, sum(part.tests_made for part in parts), tuple(warnings))


def informed(studies: Sequence[Study], knowledge: Knowledge | None) -> Knowledge:
    """The knowledge, checked against the studies before anything runs: its names, and that it can be true."""
    known = checked(knowledge or Knowledge(), {name for study in studies for name in study.variables})
    check_experiments(known, [study.name for study in studies])
    assert known.constraints is not None  # refuses what cannot be imposed exactly
    return known


def compared(studies: Sequence[Study], knowledge: Knowledge) -> tuple[str, ...]:
    """What one should know about the studies; raises if they cannot be used together."""
    observed = [study for study in studies if study.name not in knowledge.interventions]
    found = differences(observed)
    warnings = [str(one) for one in (*check_studies(studies), *found)]
    if found:
        warnings.append("the method assumes that one process made all studies; take care with what follows")
    return tuple(warnings)


def _pooled_together(studies: Sequence[Study], experiments: Mapping[str, object]) -> Iterator[list[Study]]:
    """The studies whose tests are pooled: those without an experiment; each experiment is alone."""
    if observed := [study for study in studies if study.name not in experiments]:
        yield observed
    yield from ([study] for study in studies if study.name in experiments)


def _joined(studies: Sequence[Study], parts: Sequence[Collected]) -> Evidence:
    scopes = {scope.name: scope for part in parts for scope in part.evidence.studies}
    statements = tuple(chain.from_iterable(part.evidence.statements for part in parts))
    return Evidence(tuple(scopes[study.name] for study in studies), statements, parts[0].evidence.settings)


def _chosen_pairs(
    evidence: Evidence, parts: Sequence[Collected], observed: Sequence[Study], pairs: str
) -> set[tuple[str, str]]:
    names = {study.name for study in observed}
    if pairs == "connected":
        return {(one.x, one.y) for one in evidence.connected if one.study in names}
    return {pair for part in parts if part.evidence.studies[0].name in names for pair in part.dependent}


def as_studies(studies: Sequence[object] | Mapping[str, object]) -> list[Study]:
    """Tables as studies: a :class:`Study`, a path, a data frame, a mapping of columns; those without a name get one."""
    if isinstance(studies, str | PathLike) or hasattr(studies, "columns"):
        raise StudyError("this is one table; give a list of at least two, such as [first, second]")
    check_argument("studies", studies, Iterable, "a list of tables, or a dictionary of tables by name")
    own_name = not isinstance(studies, Mapping)
    tables = list(studies.values() if isinstance(studies, Mapping) else studies)
    named = zip(studies if isinstance(studies, Mapping) else study_names(len(tables)), tables, strict=True)
    found = []
    for name, one in named:
        if isinstance(one, Study):
            found.append(one if own_name else replace(one, name=name))
        elif isinstance(one, str | PathLike):
            found.append(Study.read(one) if own_name else Study.read(one, name))
        else:
            found.append(Study.of(one, name))
    return found
