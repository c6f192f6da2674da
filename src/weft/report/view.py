"""Everything that is shown of an answer, as one frozen value of plain data, computed once.

Text, figures, the report and the explorer render a :class:`View`; none of them asks the solver or computes a share.

Some of it takes long on a hard problem: the reasons for each edge, and which structures allow a common cause. They get
a budget (``patience``), the most telling first; what it does not reach is left out and told as "not worked out".

Which structures are shipped: all, if they are not too many (:func:`most_graphs`), sorted by their Markov equivalence
class; else the first so many that were found, and then :attr:`Graphs.complete` is false and every share is one of
these only.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import TYPE_CHECKING, Any

from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Statement
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph, quote
from weft.report.packed import MarkTable, column, pack_pags, text_of
from weft.search.consequences import NO_EDGE, Holds
from weft.search.engine import check_time
from weft.search.repair import Repair
from weft.solutions.documents import statement_document
from weft.solutions.explain import Explanation, Verdict, explain, sentence_of
from weft.solutions.origin import Origin
from weft.solutions.solution_set import SolutionSet
from weft.solutions.suggest import MOST, Suggestion, suggest
from weft.solutions.summary import PairSummary, Summary
from weft.version import __version__

if TYPE_CHECKING:
    from weft.report.picture_layout import PictureLayout

FORMAT = "weft-view/1"
PATIENCE = 30.0
"""Seconds for what is good to know and may take long."""
MOST_GRAPHS, MOST_CELLS = 100_000, 4_000_000
SHOWN_SUGGESTIONS, SHOWN_STATEMENTS = 40, 60
EDGES = ("->", "<-", "<->", "--")


def most_graphs(size: int) -> int:
    """How many structures are shipped at most: so many that a report stays small and quick.

    >>> most_graphs(6), most_graphs(11), most_graphs(50)
    (100000, 72727, 3265)
    """
    return min(MOST_GRAPHS, MOST_CELLS // max(1, size * (size - 1) // 2))


# -- the parts ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class StudyView:
    """A study: what it measured, on how many rows, and what was set by the experimenter."""

    name: str
    rows: int | None
    variables: tuple[int, ...]
    """Positions among :attr:`View.variables`."""
    was_set: tuple[int, ...] = ()
    statements: int = 0
    """How many statements of its own it gave."""


@dataclass(frozen=True)
class PairView:
    """What the answer says of the pair (x, y); the two are positions among :attr:`View.variables`."""

    x: int
    y: int
    edges: Mapping[str, str]
    """For each edge read from x (``""``: none): in ``all``, ``some``, ``none`` of the solutions, or ``unknown``."""
    causes: str
    caused: str
    confounded: str
    studies: tuple[int, ...]
    """The studies that measured both."""
    share: Mapping[str, float] | None = None
    """The share of the structures gone over with each edge, and with ``causes`` and ``caused``."""
    sure: Mapping[str, tuple[float, float, float]] | None = None
    """The shares of the bootstrap runs in which each fact was certain, possible, impossible."""


@dataclass(frozen=True)
class Confounding:
    """For one pair, the structures with a fitting model in which the two share a cause, and in which they do not."""

    pair: int
    """Its position among :attr:`View.pairs`."""
    can: str
    """A column (:mod:`weft.report.packed`)."""
    can_lack: str


@dataclass(frozen=True)
class Graphs:
    """The structures that are shipped."""

    mags: int
    pags: int
    complete: bool
    """Whether these are all."""
    planes: int
    """How many columns a pair has."""
    columns: str
    class_sizes: tuple[int, ...]
    """The structures stand class by class; so many are in each."""
    pag_marks: str
    confounding: tuple[Confounding, ...] = ()
    confounding_known: bool = True
    """Whether :attr:`confounding` has every pair for which it is open."""


@dataclass(frozen=True)
class Said:
    """A statement in words, and what is behind it."""

    text: str
    kind: str
    study: str | None = None
    source: str | None = None
    p_value: float | None = None
    rows: int | None = None
    weight: float | None = None
    always: bool | None = None
    """Of a statement given up: whether every best repair gives it up."""


@dataclass(frozen=True)
class Reason:
    """Why something is certain, possible or impossible."""

    pair: int
    claim: str
    verdict: str
    lead: str
    statements: tuple[Said, ...]
    others: tuple[str, ...]
    """What was known or assumed, in sentences."""
    close: tuple[str, ...]
    left_out: int = 0
    """How many more statements there are."""


@dataclass(frozen=True)
class GivenUp:
    """What a repair gave up."""

    cost: float | None
    bound: float
    proven: bool
    unique: bool | None
    statements: tuple[Said, ...]
    no_longer_certain: tuple[str, ...] = ()
    newly_certain: tuple[str, ...] = ()


@dataclass(frozen=True)
class Next:
    """Something that could be done next."""

    text: str
    kind: str
    expected: float
    worst: int
    outcomes: int
    bits: float


@dataclass(frozen=True)
class NextSteps:
    """What could be done, the best first."""

    rows: tuple[Next, ...]
    reference: Next | None
    structures: int
    how: str
    useless: int
    left_out: int


@dataclass(frozen=True)
class Figures:
    """The part of a view that changes when more is supposed."""

    headline: str
    answer: tuple[str, ...]
    """The answer in a few sentences."""
    consistent: bool | None
    settled: bool
    """Whether ``all``, ``some`` and ``none`` are known for every pair."""
    certain: tuple[str, ...]
    possible: tuple[str, ...]
    pairs: tuple[PairView, ...]
    graphs: Graphs
    assumed: tuple[str, ...]


@dataclass(frozen=True)
class View(Figures):
    """All that is shown of an answer. Make one with :func:`view_of`."""

    title: str
    variables: tuple[str, ...]
    studies: tuple[StudyView, ...]
    shared: tuple[int, ...]
    """The variables that every study measured."""
    reasons: tuple[Reason, ...]
    unexplained: int
    """How many questions the time did not reach."""
    given_up: GivenUp | None
    other_repair: GivenUp | None
    conflict: tuple[Said, ...]
    """Statements that cannot hold together, if there is no solution."""
    next_steps: NextSteps | None
    warnings: tuple[str, ...]
    known: tuple[str, ...]
    bootstrap: tuple[int, int] | None
    """How many runs were made, and how many of them led to an answer."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    format: str = FORMAT

    @cached_property
    def layout(self) -> PictureLayout:
        """Where every picture of it has its variables, and how lines run between them."""
        from weft.report.picture_layout import picture_layout

        return picture_layout(self)

    def document(self) -> dict[str, Any]:
        """The same as dictionaries and lists, for JSON."""
        return asdict(self) | {"layout": asdict(self.layout)}


# -- computing it ------------------------------------------------------------------------------------------------------


class Budget:
    """Seconds that may be spent."""

    def __init__(self, seconds: float) -> None:
        self._end = time.monotonic() + seconds

    def left(self) -> float:
        """The seconds that are left; 0 if they are over."""
        return max(0.0, self._end - time.monotonic())


def view_of(
    solutions: SolutionSet, *, patience: float = PATIENCE, details: bool = True, title: str | None = None
) -> View:
    """Everything that is shown of a solution set.

    Parameters
    ----------
    solutions
        The answer; its own limits hold.
    patience
        Seconds for the common causes and another repair, a quarter each at most, and for the reasons, which take what
        is left.
    details
        Whether reasons, and the common causes that each structure allows, are worked out: what only a page shows.
    title
        What stands above it; the names of the studies if not given.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> view = view_of(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])))
    >>> view.headline
    '2 consistent structures (MAGs) in 2 equivalence classes (PAGs).'
    >>> view.certain
    ('Y -> X', 'Y <-> Z')
    >>> view.pairs[1].share["<->"]
    0.5
    """
    names, studies = solutions.evidence.variables, solutions.evidence.studies
    summary = solutions.summary()
    walked = _walked(solutions, summary)
    pairs = tuple(_pairs(solutions, summary, walked.table))
    whole, quarter = Budget(patience), patience / 4
    graphs = _graphs(solutions, summary, walked, Budget(quarter if details else 0))
    given_up = _given_up(solutions.repair())
    other = None if given_up is None else _other_repair(solutions, quarter)
    reasons, unexplained = _reasons(solutions, summary, whole) if details and summary.consistent else ((), 0)
    conflict = _conflict(solutions) if summary.consistent is False else ()
    next_steps = _next_steps(solutions) if graphs.mags else None
    origin = solutions.origin or Origin((), solutions.evidence.settings)
    knowledge, sureness = solutions.knowledge, solutions.sureness
    answer = tuple(_answer(summary, pairs, names, given_up, next_steps, len(conflict)))
    return View(
        **vars(_figures(solutions, summary, pairs, graphs, answer)),
        title=title or _title(solutions),
        variables=names,
        studies=tuple(_studies(solutions)),
        shared=tuple(i for i, name in enumerate(names) if all(name in one.variables for one in studies)),
        reasons=reasons,
        unexplained=unexplained,
        given_up=given_up,
        other_repair=other,
        conflict=conflict,
        next_steps=next_steps,
        warnings=origin.warnings,
        known=tuple(map(str, (*knowledge.claims, *knowledge.relations, *knowledge.soft_relations))),
        bootstrap=None if sureness is None else (sureness.runs, sureness.answered),
        settings=_question(solutions) | dict(origin.settings),
        versions={"weft": __version__} | dict(origin.versions),
    )


def _title(solutions: SolutionSet) -> str:
    named = [study.name for study in solutions.evidence.studies]
    shown = named if len(named) <= 4 else [*named[:3], f"{len(named) - 3} more"]
    return f"{', '.join(shown[:-1])} and {shown[-1]}" if len(shown) > 1 else shown[0]


def _question(solutions: SolutionSet) -> dict[str, Any]:
    return {
        "method": solutions.method,
        "selection": solutions.selection,
        "conflicts": solutions.conflicts,
        "slack": solutions.slack,
        "engine": solutions.engine,
        "statements": len(solutions.evidence.statements),
    }


def _studies(solutions: SolutionSet) -> Iterator[StudyView]:
    names = solutions.evidence.variables
    tables = {table.name: table for table in (solutions.origin.tables if solutions.origin is not None else ())}
    for study in solutions.evidence.studies:
        table = tables.get(study.name)
        own = [one for one in solutions.evidence.statements if getattr(one, "study", None) == study.name]
        yield StudyView(
            study.name,
            None if table is None else table.rows,
            tuple(names.index(name) for name in study.variables),
            () if table is None else tuple(names.index(name) for name in table.interventions if name in names),
            len(own),
        )


# -- the structures ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Walked:
    """Structures that were gone over, class by class."""

    marks: list[bytes]
    table: MarkTable
    class_sizes: tuple[int, ...]
    pags: list[MixedGraph]
    complete: bool


def _walked(solutions: SolutionSet, summary: Summary, classes: MagClasses | None = None) -> _Walked:
    names = solutions.evidence.variables
    if summary.consistent is False:
        return _Walked([], MarkTable(names, []), (), [], True)
    most = most_graphs(len(names))
    walk = iter(replace(solutions, limit=min(most, solutions.limit or most)))
    classes = MagClasses() if classes is None else classes
    members: dict[int, list[bytes]] = {}
    for mag in walk:
        members.setdefault(classes.add(mag), []).append(mag.marks)
    check_time(None)  # whoever stopped the walk does not want the rest either
    # The solver finds them in any order; readers get one: sparse classes first.
    found = [(classes.pag(number), sorted(own)) for number, own in members.items()]
    found.sort(key=lambda one: (sum(map(bool, one[0].marks)), one[0].marks))
    marks = [one for _, own in found for one in own]
    sizes = tuple(len(own) for _, own in found)
    return _Walked(marks, MarkTable(names, marks), sizes, [pag for pag, _ in found], bool(walk.complete))


def _graphs(solutions: SolutionSet, summary: Summary, walked: _Walked, budget: Budget) -> Graphs:
    confounding, known = _confounding(solutions, summary, walked.marks, budget) if walked.complete else ((), False)
    planes = 3 if solutions.selection else 2
    return Graphs(
        mags=len(walked.marks),
        pags=len(walked.pags),
        complete=walked.complete,
        planes=planes,
        columns=text_of(walked.table.columns(planes)),
        class_sizes=walked.class_sizes,
        pag_marks=text_of(pack_pags(walked.pags)),
        confounding=confounding,
        confounding_known=known,
    )


def _pairs(solutions: SolutionSet, summary: Summary, table: MarkTable) -> Iterator[PairView]:
    names, studies = solutions.evidence.variables, solutions.evidence.studies
    symbols = (*EDGES[: 4 if solutions.selection else 3], NO_EDGE)
    causes = table.causes() if table.number else None
    sure = {} if solutions.sureness is None else {(one.x, one.y): one.shares for one in solutions.sureness.pairs}
    for (x, y), pair in zip(combinations(range(len(names)), 2), summary.pairs, strict=True):
        share = None
        if causes is not None:
            counts = table.pair(x, y).counts() | {"causes": int(causes[x, y]), "caused": int(causes[y, x])}
            share = {fact: counts[fact] / table.number for fact in (*symbols, "causes", "caused")}
        shares = sure.get((pair.x, pair.y))
        yield PairView(
            x,
            y,
            {symbol: str(pair.edge(symbol)) for symbol in symbols},
            str(pair.causes),
            str(pair.caused),
            str(pair.confounded),
            tuple(i for i, study in enumerate(studies) if {pair.x, pair.y} <= {*study.variables}),
            share,
            None
            if shares is None
            else {fact: (one.certain, one.possible, one.impossible) for fact, one in shares.items()},
        )


def _confounding(
    solutions: SolutionSet, summary: Summary, mags: Sequence[bytes], budget: Budget
) -> tuple[tuple[Confounding, ...], bool]:
    """For each pair that may or may not share a cause, in which structures it can and in which it can lack one."""
    import numpy

    position = {marks: i for i, marks in enumerate(mags)}
    found: list[Confounding] = []
    for number, pair in enumerate(summary.pairs):
        if pair.confounded in (Holds.ALL, Holds.NONE):
            continue
        columns = []
        for holds in (True, False):
            if not (left := budget.left()):
                return tuple(found), False
            narrower = solutions.assume(Claim(Topic.CONFOUNDED, pair.x, pair.y, holds))
            walk = iter(replace(narrower, limit=None, timeout=left))
            flags = numpy.zeros(len(mags), dtype=bool)
            for mag in walk:
                flags[position[mag.marks]] = True
            if not walk.complete:
                return tuple(found), False
            columns.append(text_of(column(flags)))
        found.append(Confounding(number, *columns))
    return tuple(found), True


# -- reasons -----------------------------------------------------------------------------------------------------------


def _reasons(
    solutions: SolutionSet, summary: Summary, budget: Budget, only: int | None = None
) -> tuple[tuple[Reason, ...], int]:
    """Why each pair (or only one) is as it is, the most telling questions first, as many as the time allows."""
    questions = [question for question in _questions(solutions, summary) if only in (None, question[1])]
    questions.sort(key=lambda question: question[0])
    found: list[Reason] = []
    for done, (_, pair, claim) in enumerate(questions):
        if not (left := budget.left()):
            return tuple(found), len(questions) - done
        timeout = left if solutions.timeout is None else min(left, solutions.timeout)
        explanation = explain(replace(solutions, timeout=timeout), claim)
        if explanation.verdict is not Verdict.UNKNOWN:
            found.append(_reason(pair, explanation))
    return tuple(found), len(questions) - len(found)


def _questions(solutions: SolutionSet, summary: Summary) -> Iterator[tuple[int, int, Claim]]:
    """What can be asked of each pair, with a rank: what is certain, what is open, then what is impossible."""
    edge_rank = {Holds.ALL: 0, Holds.SOME: 2, Holds.NONE: 4, Holds.UNKNOWN: 6}
    for number, pair in enumerate(summary.pairs):
        none = pair.edge(NO_EDGE)
        if Holds.ALL not in pair.edges.values() or none is Holds.ALL:  # a certain edge says that they are adjacent
            yield 1 if none in (Holds.ALL, Holds.NONE) else 3, number, Claim(Topic.EDGE, pair.x, pair.y)
        for symbol in EDGES[: 4 if solutions.selection else 3]:
            if pair.edge(symbol) is Holds.ALL or Holds.ALL not in pair.edges.values():
                yield edge_rank[pair.edge(symbol)], number, _edge_claim(pair, symbol)
        for topic, x, y, holds in (
            (Topic.CAUSES, pair.x, pair.y, pair.causes),
            (Topic.CAUSES, pair.y, pair.x, pair.caused),
            (Topic.CONFOUNDED, pair.x, pair.y, pair.confounded),
        ):
            yield 3 if holds is Holds.ALL else 5, number, Claim(topic, x, y)


def _edge_claim(pair: PairSummary, symbol: str) -> Claim:
    if symbol == "<-":
        return Claim(Topic.EDGE, pair.y, pair.x, symbol="->")
    return Claim(Topic.EDGE, pair.x, pair.y, symbol=symbol)


def _reason(pair: int, found: Explanation) -> Reason:
    sentences = found.sentences()
    statements, others = len(found.statements), len(found.known) + len(found.assumed)
    return Reason(
        pair,
        _claim_text(found.claim),
        found.verdict.value,
        sentences[0],
        tuple(_said(one, found.sentence_of(one)) for one in found.statements[:SHOWN_STATEMENTS]),
        tuple(sentences[1 + statements : 1 + statements + others]),
        tuple(sentences[1 + statements + others :]),
        max(0, statements - SHOWN_STATEMENTS),
    )


def _claim_text(claim: Claim) -> str:
    if claim.topic is Topic.EDGE and claim.symbol == "o-o":
        return f"{quote(claim.x)} and {quote(claim.y)} are {'' if claim.holds else 'not '}adjacent"
    return str(claim)


def _said(statement: Statement, text: str | None = None, always: bool | None = None) -> Said:
    parts = statement_document(statement)
    return Said(
        f"{text or sentence_of(statement)}.",
        parts["kind"],
        parts.get("study"),
        parts["source"],
        parts["p_value"],
        parts["rows"],
        parts["weight"],
        always,
    )


# -- what was given up, what contradicts, what to do next --------------------------------------------------------------


def _given_up(repair: Repair | None) -> GivenUp | None:
    statements = () if repair is None else repair.sometimes or repair.given_up
    if repair is None or not statements:
        return None
    return GivenUp(
        repair.cost,
        repair.bound,
        repair.proven,
        repair.unique,
        tuple(_said(one, always=None if repair.unique is None else one in repair.always) for one in statements),
    )


def _other_repair(solutions: SolutionSet, patience: float) -> GivenUp | None:
    other = replace(solutions, timeout=min(patience, solutions.timeout or patience)).other_repair()
    given_up = None if other is None else _given_up(other.repair)
    if other is None or given_up is None:
        return None
    return replace(given_up, no_longer_certain=other.no_longer_certain, newly_certain=other.newly_certain)


def _conflict(solutions: SolutionSet) -> tuple[Said, ...]:
    conflict = solutions.conflict()
    return () if conflict is None else tuple(map(_said, conflict.statements))


def _next_steps(solutions: SolutionSet, most: int = MOST) -> NextSteps:
    found = suggest(solutions, most=most)
    shown = tuple(map(_next, found.rows[:SHOWN_SUGGESTIONS]))
    reference = None if found.reference is None else _next(found.reference)
    return NextSteps(shown, reference, found.structures, found.how, found.useless, len(found.rows) - len(shown))


def _next(one: Suggestion) -> Next:
    return Next(str(one), one.kind.value, one.expected, one.worst, one.outcomes, one.bits)


# -- what follows when more is supposed --------------------------------------------------------------------------------


def figures_of(
    solutions: SolutionSet,
    summary: Summary,
    *,
    walking: float,
    confounding: float = 0.0,
    classes: MagClasses | None = None,
) -> Figures:
    """The figures of a solution set whose summary is known.

    Parameters
    ----------
    solutions
        The answer; its own limits hold.
    summary
        What :meth:`~weft.solutions.solution_set.SolutionSet.summary` says of it.
    walking
        Seconds to go over the structures.
    confounding
        Seconds to find out which of them allow a common cause, if these are all.
    classes
        The equivalence classes met before: what is known of them need not be worked out again.

    Raises
    ------
    OutOfTime
        If it was stopped (:class:`~weft.search.engine.Stop`).
    """
    walked = _walked(within(solutions, walking), summary, classes)
    pairs = tuple(_pairs(solutions, summary, walked.table))
    check_time(None)
    graphs = _graphs(solutions, summary, walked, Budget(confounding))
    check_time(None)
    given_up = _given_up(solutions.repair())
    answer = tuple(_answer(summary, pairs, solutions.evidence.variables, given_up, None, 0))
    if solutions.assumed and summary.consistent is False:
        answer = ("What is supposed and the evidence cannot hold together.",)
    return _figures(solutions, summary, pairs, graphs, answer)


def _figures(
    solutions: SolutionSet, summary: Summary, pairs: tuple[PairView, ...], graphs: Graphs, answer: tuple[str, ...]
) -> Figures:
    consistent = True if graphs.mags else summary.consistent
    return Figures(
        headline=headline(consistent, graphs.mags, graphs.pags, complete=graphs.complete),
        answer=answer,
        consistent=consistent,
        settled=summary.complete,
        certain=summary.certain,
        possible=summary.possible,
        pairs=pairs,
        graphs=graphs,
        assumed=tuple(map(str, solutions.assumed)),
    )


def reasons_of(solutions: SolutionSet, summary: Summary, pair: int, seconds: float) -> tuple[Reason, ...]:
    """Why one pair is as it is; if there is no structure at all, why there is none."""
    if summary.consistent is False:
        one = summary.pairs[pair]
        return (_reason(pair, explain(within(solutions, seconds), Claim(Topic.EDGE, one.x, one.y))),)
    return _reasons(solutions, summary, Budget(seconds), only=pair)[0]


def next_steps_of(solutions: SolutionSet, seconds: float, most: int) -> NextSteps | None:
    """What could be done next, by so many structures at most; ``None`` if none was found in time."""
    found = _next_steps(within(solutions, seconds), most)
    return found if found.structures else None


def within(solutions: SolutionSet, seconds: float) -> SolutionSet:
    """The same, with no more than so many seconds for a question."""
    return replace(solutions, timeout=min(seconds, solutions.timeout or seconds))


# -- the answer in sentences -------------------------------------------------------------------------------------------


def number(count: int, one: str, many: str) -> str:
    """A number of things.

    >>> number(1, "study", "studies"), number(1200, "study", "studies")
    ('1 study', '1,200 studies')
    """
    return f"{count:,} {one if count == 1 else many}"


def headline(consistent: bool | None, mags: int, pags: int, *, complete: bool) -> str:
    """How many structures there are, of which so many were gone over."""
    if consistent is False:
        return "No structure is consistent with the evidence."
    if consistent is None:
        return "Not known: the time ran out before a consistent structure was found."
    if not mags:
        return "There are consistent structures; the time ran out before they were counted."
    structures = number(mags, "consistent structure (MAG)", "consistent structures (MAGs)")
    classes = number(pags, "equivalence class (PAG)", "equivalence classes (PAGs)")
    if complete:
        return f"{structures} in {classes}."
    return f"At least {structures} in at least {classes}; the count stopped there."


def _answer(
    summary: Summary,
    pairs: Sequence[PairView],
    names: Sequence[str],
    given_up: GivenUp | None,
    next_steps: NextSteps | None,
    contradicting: int,
) -> Iterator[str]:
    if summary.consistent is False:
        what = f"{contradicting:,} statements" if contradicting > 1 else "What was known or assumed and the evidence"
        yield f"{what} cannot hold together. Nothing was given up; weft discover and weft solve --repair would."
        return
    yield f"In every one of them: {_listed(summary.certain)}." if summary.certain else "No edge is in all of them."
    causes = [
        f"{quote(names[x])} causes {quote(names[y])}"
        for pair in pairs
        for x, y, holds in ((pair.x, pair.y, pair.causes), (pair.y, pair.x, pair.caused))
        if holds == Holds.ALL and _edge_text(names[x], names[y]) not in summary.certain
    ]
    if causes:
        yield f"Also certain, by a longer way: {_listed(causes)}."
    is_open = sum(Holds.SOME in pair.edges.values() for pair in pairs)
    yield (
        f"Open: {number(is_open, 'pair', 'pairs')} of {len(pairs):,} may have one edge or another, or none."
        if is_open
        else "Every pair has the same edge, or none, in all of them."
    )
    if given_up is not None and given_up.cost is not None:
        said = number(len(given_up.statements), "statement", "statements")
        yield f"The evidence contradicts itself; {said} of a total weight of {given_up.cost:.3g} had to be given up."
    if next_steps is not None and next_steps.rows:
        best = next_steps.rows[0]
        yield (
            f"To learn most next, {best.text}: of {next_steps.structures:,} structures "
            f"{best.expected:,.1f} would be left in expectation."
        )


def _listed(items: Sequence[str], most: int = 12) -> str:
    shown = "; ".join(items[:most])
    return f"{shown}; and {len(items) - most:,} more" if len(items) > most else shown


def _edge_text(x: str, y: str) -> str:
    return str(Edge(x, *EDGE_SYMBOLS["->"], y))
