"""Everything that is shown of an answer, as one frozen value, computed once.

Text, JSON, figures, the page and the explorer render a :class:`View`; none of them asks the solver or computes a share.

Some of it takes long on a hard problem: the reasons for each edge, and which structures allow a common cause. They get
a budget of counted work (``patience``), the most telling first; what it does not reach is left out, and shown as "not
worked out".
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from weft.effort import PER_SECOND, Effort
from weft.errors import WeftError
from weft.evidence.claims import Claim, Topic
from weft.evidence.kinds import in_digits
from weft.graphs.equivalence import MagClasses
from weft.progress import ANSWER, Progress, no_progress
from weft.report.claims import ToldClaim, going_together, main_sentence, telling
from weft.search.conflicts import Conflict
from weft.search.consequences import Holds
from weft.search.counting import SURE, Estimate, rounded
from weft.search.engine import check_time
from weft.search.repair import Repair
from weft.solutions.aside import Aside
from weft.solutions.explain import Explanation, Verdict, explain
from weft.solutions.findings import Finding, Summary
from weft.solutions.origin import Origin
from weft.solutions.solution_set import SHOWING, OtherRepair, SolutionSet, effort_for_words
from weft.solutions.structures import Slice, Structures, walked
from weft.solutions.suggest import MOST, Suggestions, suggested
from weft.version import __version__

if TYPE_CHECKING:
    from weft.effects.answer import Effects
    from weft.report.picture_layout import PictureLayout

PATIENCE = 30.0
"""About so many seconds of work go into what is good to know and may take long."""
WALKING_SPEED = 20_000
"""About so many structures are walked in a second."""
TOLD_IN_TEXT = 16
"""Of so many of the claims that are told first text needs the reasons; a page shows them all."""
STEPS = 100
"""How finely :func:`view_of` tells how far it is."""
Part = Callable[[int, int], object]
"""Told how much of something is done, and how much there is."""
NEAR = 1.0
"""Repairs whose weights differ by no more than this are nearly tied: odds of less than three to one."""


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
class Confounding:
    """For one pair, the structures with a fitting model in which the two share a cause, and in which they do not."""

    x: str
    y: str
    can: Slice
    can_lack: Slice


@dataclass(frozen=True)
class Figures:
    """The part of a view that changes when more is assumed."""

    summary: Summary
    """What holds where, with shares and bootstrap."""
    structures: Structures
    answer: tuple[str, ...]
    """The answer in a few sentences."""
    assumed: tuple[str, ...]
    confounding: tuple[Confounding, ...] = ()
    confounding_known: bool = False
    """Whether :attr:`confounding` has every pair for which it is open."""

    @property
    def consistent(self) -> bool | None:
        """Whether there is a structure; ``None`` if the time ran out before that was known."""
        return self.summary.consistent

    @property
    def headline(self) -> str:
        """How many structures there are."""
        return headline(self.consistent, self.structures)


@dataclass(frozen=True)
class View(Figures):
    """All that is shown of an answer. Make one with :func:`view_of`."""

    title: str = ""
    lead: tuple[str, ...] = ()
    """What the studies together show, what is open and what would settle it, and what nearly came out otherwise."""
    claims: tuple[ToldClaim, ...] = ()
    """The claims that are told first."""
    variables: tuple[str, ...] = ()
    studies: tuple[StudyView, ...] = ()
    shared: tuple[int, ...] = ()
    """The variables that every study measured."""
    reasons: tuple[Explanation, ...] = ()
    unexplained: int = 0
    """How many questions the time did not reach."""
    repair: Repair | None = None
    """What was given up; ``None`` if nothing may be."""
    other_repair: OtherRepair | None = None
    conflict: Conflict | None = None
    """Statements that cannot hold together, if there is no solution."""
    next_steps: Suggestions | None = None
    warnings: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    bootstrap: tuple[int, int] | None = None
    """How many runs were made, and how many of them led to an answer."""
    effects: tuple[Effects, ...] | None = None
    """How large the effects of the causes that are claimed are, the surest first; ``None`` if that cannot be told."""
    no_effects: str = ""
    """Why it cannot."""
    settings: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)

    @property
    def near_tie(self) -> OtherRepair | None:
        """Another repair, if it is nearly as good as the one that was taken."""
        return _near_tie(self.repair, self.other_repair)

    @cached_property
    def layout(self) -> PictureLayout:
        """Where every picture of it has its variables, and how lines run between them."""
        from weft.report.picture_layout import picture_layout

        return picture_layout(self)


# -- computing it ------------------------------------------------------------------------------------------------------


class Budget:
    """Seconds that may be spent; ``None`` for any number."""

    def __init__(self, seconds: float | None) -> None:
        self._end = None if seconds is None else time.monotonic() + seconds

    def left(self, share: float = 1.0) -> float | None:
        """A share of the seconds that are left: 0 if they are over, ``None`` if there is no limit."""
        return None if self._end is None else max(0.0, self._end - time.monotonic()) * share


class Patience:
    """Work that may be done, in seconds of a small machine: counted and not timed, so that all machines do the same."""

    def __init__(self, seconds: float) -> None:
        self._effort = Effort(round(PER_SECOND * seconds))

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return max(0.0, self._effort.left / PER_SECOND)

    def here(self) -> AbstractContextManager[object]:
        """What is asked inside is counted."""
        return self._effort.here()


def view_of(
    solutions: SolutionSet,
    *,
    patience: float = PATIENCE,
    details: bool = True,
    title: str | None = None,
    seconds: float | None = None,
    everything: bool = False,
    progress: Progress = no_progress,
    folder: Path | None = None,
) -> View:
    """Everything that is shown of a solution set.

    Parameters
    ----------
    solutions
        The answer; its own limits hold.
    patience
        Work for the common causes and another repair, a quarter each at most, and for the reasons, which take what is
        left: about so many seconds, counted and not timed.
    details
        Whether reasons, effects, and the common causes that each structure allows, are worked out: what only a page
        shows. For effects the tables are read again.
    title
        What stands above it; the names of the studies if not given.
    seconds
        The most that it may take as a whole.
    everything
        Whether all structures are walked where there is no limit, however many they are.
    progress
        Told how many of its steps are done.
    folder
        Where the result file is: the tables are looked for beside it, too.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> view = view_of(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])))
    >>> view.headline
    '2 consistent structures (MAGs) in 2 equivalence classes (PAGs).'
    >>> view.summary.certain
    ('Y -> X', 'Y <-> Z')
    >>> view.summary.finding("X <-> Z").share
    0.5
    """
    names, studies, time_left = solutions.evidence.variables, solutions.evidence.studies, Budget(seconds)
    steps = Steps(progress)
    effort = SHOWING if details else effort_for_words(len(names))
    whole, quarter = Patience(patience), patience / 4
    with Aside(within(solutions, time_left.left())) as aside:
        drawing = aside.draw()
        count = partial(_structures, everything=everything, effort=effort)
        summary, counting = aside.summary(within(solutions, time_left.left(0.5)), partial(count, solutions, None))
        steps.over(5)
        counting = counting or aside.count(partial(count, within(solutions, time_left.left()), summary))
        asked = within(solutions, time_left.left())
        repair = asked.repair()
        steps.over(10)
        another = aside.later(partial(_other_repair, asked, repair, quarter))
        drawing()
        summary = asked.summary(margins=True)
        structures = counting()
        steps.over(20)
        figures = _figures(solutions, summary, structures, Patience(quarter if details else 0))
        other = another()
    typical = structures.fair or solutions.limit is not None or solutions.timeout is not None
    steps.over(25)
    with whole.here():
        told = _told(asked, figures.summary, Patience(patience * (0.5 if details else 0.1)), details, steps.until(60))
    steps.over(60)
    tell = steps.until(95)
    reasons, unexplained = (
        _reasons(asked, summary, whole, done=told, tell=tell) if details and figures.consistent else ((), 0)
    )
    steps.over(95)
    conflict = within(solutions, time_left.left()).conflict() if figures.consistent is False else None
    next_steps = _next_steps(solutions, structures) if structures.number and (details or typical) else None
    effects, no_effects = _effects(asked, structures, summary, folder) if details else (None, "")
    steps.over(STEPS)
    origin = solutions.origin or Origin((), solutions.evidence.settings)
    knowledge, bootstrap = solutions.knowledge, solutions.bootstrap
    return View(
        **vars(figures) | {"answer": tuple(_answer(figures, repair, conflict))},
        title=title or _title(solutions),
        lead=tuple(_lead(figures, told, solutions, repair, other, next_steps)),
        claims=told,
        variables=names,
        studies=tuple(_studies(solutions)),
        shared=tuple(i for i, name in enumerate(names) if all(name in one.variables for one in studies)),
        reasons=reasons,
        unexplained=unexplained,
        repair=repair,
        other_repair=other,
        conflict=conflict,
        next_steps=next_steps,
        warnings=origin.warnings,
        known=tuple(map(str, (*knowledge.claims, *knowledge.relations, *knowledge.soft_relations))),
        bootstrap=None if bootstrap is None else (bootstrap.runs, bootstrap.answered),
        effects=effects,
        no_effects=no_effects,
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
        own = [one for one in solutions.evidence.statements if study.name in one.studies]
        yield StudyView(
            study.name,
            None if table is None else table.rows,
            tuple(names.index(name) for name in study.variables),
            () if table is None else tuple(names.index(name) for name in table.interventions if name in names),
            len(own),
        )


# -- the structures ----------------------------------------------------------------------------------------------------


class Steps:
    """How much of an answer is worked out, in hundredths; most of the time goes into the reasons."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._done = progress, 0
        self.over(0)

    def over(self, done: int) -> None:
        """So much is done."""
        self._done = done
        self._progress(ANSWER, done, STEPS)

    def until(self, end: int) -> Part:
        """Whom to tell how much is done of what leads from here to there."""
        begin = self._done
        return lambda done, total: self.over(begin + (end - begin) * done // max(total, 1))


def _structures(
    solutions: SolutionSet,
    summary: Summary | None,
    *,
    everything: bool = False,
    fairly: bool = False,
    effort: int | None = None,
    classes: MagClasses | None = None,
) -> Structures:
    if summary is not None and summary.consistent is False:
        return walked((), solutions.evidence.variables, selection=solutions.selection)
    if everything:
        return solutions.walked(solutions.limit, classes)
    return solutions.shown(classes, fairly=fairly, effort=effort)


def _figures(solutions: SolutionSet, summary: Summary, structures: Structures, budget: Patience) -> Figures:
    confounding, known = _confounding(solutions, summary, structures, budget) if structures.complete else ((), False)
    summary = summary.with_shares(structures)
    return Figures(summary, structures, (), tuple(map(str, solutions.assumed)), confounding, known)


def _confounding(
    solutions: SolutionSet, summary: Summary, structures: Structures, budget: Patience
) -> tuple[tuple[Confounding, ...], bool]:
    """For each pair that may or may not share a cause, in which structures it can and in which it can lack one."""
    is_open = [
        one.claim
        for one in summary.findings
        if one.claim.topic is Topic.CONFOUNDED and one.holds in (Holds.SOME, Holds.UNKNOWN)
    ]
    walks = 2 * len(is_open) * structures.number
    if walks > WALKING_SPEED * budget.left:
        return (), False  # a few of many pairs are of little use, and the reasons need the time
    position = {mag.marks: i for i, mag in enumerate(structures)} if is_open else {}
    found: list[Confounding] = []
    for claim in is_open:
        columns = []
        for supposed in (claim, claim.negated):
            with budget.here():
                walk = iter(replace(solutions.assume(supposed), limit=None))
                columns.append(_slice_of(position[mag.marks] for mag in walk))
            if not walk.complete:
                return tuple(found), False
        found.append(Confounding(claim.x, claim.y, *columns))
    return tuple(found), True


def _slice_of(places: Iterable[int]) -> Slice:
    """The slice of what is so in these structures."""
    flags = bytearray()
    for place in places:
        if place // 8 >= len(flags):
            flags.extend(bytes(place // 8 + 1 - len(flags)))
        flags[place // 8] |= 1 << place % 8
    return int.from_bytes(flags, "little")


# -- reasons -----------------------------------------------------------------------------------------------------------


def _told(
    solutions: SolutionSet, summary: Summary, budget: Patience, details: bool, tell: Part
) -> tuple[ToldClaim, ...]:
    """The claims that are told first, each with its reason as far as the time allows; not what was known or assumed."""
    given = {claim.canonical for claim in solutions.supposed}
    together = going_together(solutions.evidence)
    found = [one for one in telling(summary, together) if one.claim.canonical not in given]
    most = len(found) if details else min(len(found), TOLD_IN_TEXT)
    told = []
    for place, one in enumerate(found):
        told.append(ToldClaim(one, _explained(solutions, one, budget) if place < most else None))
        tell(min(place + 1, most), most)
    return tuple(told)


def _explained(solutions: SolutionSet, finding: Finding, budget: Patience) -> Explanation | None:
    if not budget.left:
        return None
    with budget.here():
        found = explain(solutions, finding.claim, finding=finding)
    return None if found.verdict is Verdict.UNKNOWN else found


def _reasons(
    solutions: SolutionSet,
    summary: Summary,
    budget: Patience,
    only: tuple[str, str] | None = None,
    done: Sequence[ToldClaim] = (),
    tell: Part = lambda done, total: None,
) -> tuple[tuple[Explanation, ...], int]:
    """Why each pair (or only one) is as it is, the most telling questions first, as many as the time allows."""
    known = {one.claim: one.reason for one in done if one.reason is not None}
    pairs = summary.pairs if only is None else {only: summary.pairs[only]}
    questions = [question for findings in pairs.values() for question in _questions(findings)]
    questions.sort(key=lambda question: question[0])
    found: list[Explanation] = []
    for asked, (_, claim) in enumerate(questions):
        if not budget.left:
            return tuple(found), len(questions) - asked
        finding = summary.finding(claim)
        # Only where margins say at once what would follow without the weakest link: there are many questions.
        with budget.here():
            explanation = known.get(claim) or explain(
                solutions, claim, finding=None if finding.margin is None else finding, patience=0
            )
        if explanation.verdict is not Verdict.UNKNOWN:
            found.append(explanation)
        tell(asked + 1, len(questions))
    return tuple(found), len(questions) - len(found)


def _questions(findings: Sequence[Finding]) -> Iterator[tuple[int, Claim]]:
    """What can be asked of a pair, with a rank: what is open (quickly answered), what always holds, what never does."""
    rank = {Holds.SOME: 0, Holds.ALL: 1, Holds.NONE: 3, Holds.UNKNOWN: 4}
    adjacent, *edges = (one for one in findings if one.claim.topic is Topic.EDGE)
    one_edge = any(one.holds is Holds.ALL for one in edges)
    if not one_edge:  # a certain edge says that they are adjacent
        yield min(2, rank[adjacent.holds]), adjacent.claim
    for one in edges:
        if one.holds is Holds.ALL or not (one_edge or adjacent.holds is Holds.NONE):
            yield rank[one.holds], one.claim
    yield from ((rank[one.holds], one.claim) for one in findings if one.claim.topic is not Topic.EDGE)


def _other_repair(solutions: SolutionSet, repair: Repair | None, patience: float) -> OtherRepair | None:
    """The best different repair, if something was given up and it is found in time."""
    if repair is None or not repair.given_up:
        return None
    with Patience(patience).here():
        return solutions.other_repair()


def _next_steps(solutions: SolutionSet, structures: Structures, most: int = MOST) -> Suggestions:
    return suggested(structures, solutions.evidence.studies, solutions.method, most=most)


def _effects(
    solutions: SolutionSet, structures: Structures, summary: Summary, folder: Path | None
) -> tuple[tuple[Effects, ...] | None, str]:
    """How large effects are, or why that cannot be told."""
    from weft.solutions.effect_sizes import MOST_FOR_ALL, Sizes, tables_of

    try:
        tables = tables_of(solutions, folder=folder)
        return Sizes(solutions, tables, most=MOST_FOR_ALL, structures=structures, summary=summary).claimed(), ""
    except WeftError as error:
        return None, str(error).splitlines()[0]


# -- what follows when more is assumed --------------------------------------------------------------------------------


def figures_of(
    solutions: SolutionSet,
    summary: Summary,
    *,
    walking: float,
    confounding: float = 0.0,
    fairly: bool = False,
    sample: Structures | None = None,
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
        Seconds to walk the structures.
    confounding
        About how many seconds of work to find out which of them allow a common cause, if these are all.
    fairly
        Whether to draw a fair sample if there are too many to walk, as far as the time suffices.
    sample
        A fair sample that is known already; it is shown unless all can be walked, or a new one is drawn.
    classes
        The equivalence classes met before: what is known of them need not be worked out again.

    Raises
    ------
    OutOfTime
        If it was stopped (:class:`~weft.search.engine.Stop`).
    """
    structures = _structures(within(solutions, walking), summary, fairly=fairly, classes=classes)
    if sample is not None and not structures.fair:
        structures = sample
    check_time(None)  # whoever stopped the walk does not want the rest either
    figures = _figures(solutions, summary, structures, Patience(confounding))
    check_time(None)
    answer = tuple(_answer(figures, solutions.repair(), None))
    if solutions.assumed and summary.consistent is False:
        answer = ("What is assumed and the evidence cannot hold together.",)
    return replace(figures, answer=answer)


def reasons_of(
    solutions: SolutionSet, summary: Summary, pair: tuple[str, str], seconds: float
) -> tuple[Explanation, ...]:
    """Why one pair is as it is; if there is no structure at all, why there is none."""
    if summary.consistent is False:
        return (explain(within(solutions, seconds), Claim(Topic.EDGE, *pair)),)
    return _reasons(within(solutions, seconds), summary, Patience(seconds), only=pair)[0]


def next_steps_of(
    solutions: SolutionSet, seconds: float, most: int, sample: Structures | None = None
) -> Suggestions | None:
    """What could be done next, by so many structures at most; ``None`` if none was found in time.

    They are a fair ``sample`` that is known already, or those that are found first.
    """
    structures = sample or within(solutions, seconds).walked(min(most, solutions.limit or most))
    return _next_steps(solutions, structures, most) if structures.number else None


def within(solutions: SolutionSet, seconds: float | None) -> SolutionSet:
    """The same, with no more than so many seconds for a question."""
    if seconds is None:
        return solutions
    return replace(solutions, timeout=min(seconds, seconds if solutions.timeout is None else solutions.timeout))


# -- the answer in sentences -------------------------------------------------------------------------------------------


def number(count: int, one: str, many: str) -> str:
    """A number of things.

    >>> number(1, "study", "studies"), number(1200, "study", "studies")
    ('1 study', '1,200 studies')
    """
    return f"{count:,} {one if count == 1 else many}"


def headline(consistent: bool | None, found: Structures) -> str:
    """How many structures there are."""
    if consistent is False:
        return "No structure is consistent with the evidence."
    if consistent is None:
        return "Not known: the time ran out before a consistent structure was found."
    if not found.number:
        return "There are consistent structures; the time ran out before they were counted."
    if found.total is not None:
        return drawn_headline(found.number, found.total)
    if found.more_than:
        return many_headline(found.number, found.more_than, found.worth)
    if found.worth is not None:
        return f"Too many consistent structures (MAGs) to count; shares are of {_met(found.number, found.worth)}."
    structures = number(found.number, "consistent structure (MAG)", "consistent structures (MAGs)")
    classes = number(len(found.class_sizes), "equivalence class (PAG)", "equivalence classes (PAGs)")
    if found.complete:
        return f"{structures} in {classes}."
    return f"At least {structures} in at least {classes}; the count stopped there."


def many_headline(looked_at: int, more_than: int, worth: int | None = None) -> str:
    """How many structures there are at least, where they are too many to count.

    >>> many_headline(500, 2**24)
    'More than 1.6e7 consistent structures (MAGs), 99 % sure, too many to count; shares are of the first 500 found.'
    """
    unit = 10 ** max(0, len(str(more_than)) - 2)
    more = f"More than {rounded(more_than // unit * unit)} consistent structures (MAGs), {100 * SURE:g} % sure"
    shown = f"the first {looked_at:,} found" if worth is None else _met(looked_at, worth)
    return f"{more}, too many to count; shares are of {shown}."


def _met(looked_at: int, worth: int) -> str:
    """What shares are of, where structures were met on random walks."""
    return f"{looked_at:,} met on random walks, worth about {worth:,} independent draws"


def drawn_headline(drawn: int, total: int | Estimate) -> str:
    """How many structures there are, where what is shown is a fair sample.

    >>> drawn_headline(2_000, Estimate(3_100_000_000, 1.2, 0.95))
    'About 3.1e9 consistent structures (MAGs), within a factor 1.2, 95 %; shares are of 2,000 drawn fairly.'
    """
    if isinstance(total, int):
        return f"{total:,} consistent structures (MAGs); shares are of {drawn:,} drawn fairly."
    about = total.about[0].upper() + total.about[1:]
    return f"{about} consistent structures (MAGs), {total.guarantee}; shares are of {drawn:,} drawn fairly."


def _lead(
    figures: Figures,
    told: Sequence[ToldClaim],
    solutions: SolutionSet,
    repair: Repair | None,
    other: OtherRepair | None,
    next_steps: Suggestions | None,
) -> Iterator[str]:
    """The answer in a few sentences: what is shown, what is open and what would settle it, what is nearly tied."""
    if figures.consistent is not True:
        return
    yield main_sentence(told, solutions.evidence)
    is_open, pairs = len(open_pairs(figures.summary)), len(figures.summary.pairs)
    if not is_open:
        yield "Every pair has the same edge, or none, in all structures."
    elif next_steps is None or not next_steps.rows:
        yield f"Open: the edge of {is_open:,} of {number(pairs, 'pair', 'pairs')}."
    else:
        best = next_steps.rows[0]
        of = f"of {next_steps.structures:,} structures" if next_steps.exact else "of all structures"
        left = f"{next_steps.left(best)} {of} would be left on average"
        yield f"Open: the edge of {is_open:,} of {number(pairs, 'pair', 'pairs')}. To settle most: {best} ({left})."
    if (near := _near_tie(repair, other)) is not None and repair is not None:
        yield _tie_in_words(repair, near)
    yield from _doubts(repair, solutions.coverage)


def _doubts(repair: Repair | None, coverage: float | None) -> Iterator[str]:
    """What the structures cover, and whether the findings contradict each other more than they should."""
    if repair is None or repair.cost is None:
        return
    if coverage is not None:
        more = f"they give up at most {in_digits(repair.slack)} more than the least"
        yield f"The truth is among the structures with {100 * coverage:g} %, as on simulated data: {more}."
    if repair.surprising:
        yield (
            "The findings contradict each other more than their own error rates allow: a weight of "
            f"{in_digits(repair.cost)} must be given up, where {in_digits(repair.usual or 0.0)} is usual. The studies "
            "may differ, or a test may not fit the data."
        )


def _near_tie(repair: Repair | None, other: OtherRepair | None) -> OtherRepair | None:
    if repair is None or other is None or repair.cost is None or other.repair.cost is None:
        return None
    return other if other.repair.cost - repair.cost <= NEAR else None


def _tie_in_words(repair: Repair, near: OtherRepair) -> str:
    assert repair.cost is not None
    assert near.repair.cost is not None
    gone = (f"no longer {edge}" for edge in near.no_longer_certain)
    new = (f"but {edge}" for edge in near.newly_certain)
    change = _listed([*gone, *new], 4) or "no edge that is in all structures would change"
    return (
        f"Nearly tied: the findings contradict each other, and to give up a weight of {in_digits(near.repair.cost)} "
        f"would do almost as well as the {in_digits(repair.cost)} given up. Then: {change}."
    )


def _answer(figures: Figures, repair: Repair | None, conflict: Conflict | None) -> Iterator[str]:
    """What the structures have in common, and what had to be given up."""
    summary = figures.summary
    if figures.consistent is False:
        contradicting = 0 if conflict is None else len(conflict.statements)
        what = f"{contradicting:,} statements" if contradicting > 1 else "What was known or assumed and the evidence"
        yield f"{what} cannot hold together. {_way_out(repair, conflict)}"
        return
    yield f"In every one of them: {_listed(summary.certain)}." if summary.certain else "No edge is in all of them."
    direct = {
        (one.claim.x, one.claim.y) for one in summary.edges if one.claim.symbol == "->" and one.holds is Holds.ALL
    }
    far = [
        str(one.claim) for one in summary.causes if one.holds is Holds.ALL and (one.claim.x, one.claim.y) not in direct
    ]
    if far:
        yield f"Also in all of them, through other variables: {_listed(far)}."
    is_open = len(open_pairs(summary))
    yield (
        f"Open: {number(is_open, 'pair', 'pairs')} of {len(summary.pairs):,} may have one edge or another, or none."
        if is_open
        else "Every pair has the same edge, or none, in all of them."
    )
    if repair is not None and repair.given_up and repair.cost is not None:
        said = number(len(repair.sometimes or repair.given_up), "statement", "statements")
        weight = in_digits(repair.cost)
        yield f"The evidence contradicts itself; {said} of a total weight of {weight} had to be given up."


def _way_out(repair: Repair | None, conflict: Conflict | None) -> str:
    """What may be given up of what cannot hold together."""
    statements = () if conflict is None else conflict.statements
    if repair is not None or (statements and all(one.weight is None for one in statements)):
        return "Nothing of this may be given up: only statements with a weight may."
    return "Nothing was given up; weft discover and weft solve --repair would."


def open_pairs(summary: Summary) -> list[tuple[str, str]]:
    """The pairs that have one edge in some structures and another, or none, in others."""
    return [
        pair
        for pair, findings in summary.pairs.items()
        if any(one.holds is Holds.SOME for one in findings if one.claim.topic is Topic.EDGE)
    ]


def _listed(items: Sequence[str], most: int = 12) -> str:
    shown = "; ".join(items[:most])
    return f"{shown}; and {len(items) - most:,} more" if len(items) > most else shown
