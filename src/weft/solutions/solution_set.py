"""Every structure that is consistent with the evidence, as one value that answers questions lazily."""

from __future__ import annotations

import hashlib
import heapq
import math
import os
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial, reduce
from itertools import combinations
from operator import and_
from typing import TYPE_CHECKING, Any, Literal, overload

from weft.effort import USUAL, Effort, effort_left
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence, Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.equivalence import MagClasses, mags_of
from weft.graphs.mixed import MixedGraph
from weft.knowledge.experiments import undisturbed
from weft.knowledge.items import KnowledgeError
from weft.knowledge.knowledge import Knowledge
from weft.parallel import Workers, working
from weft.reading.arguments import check_argument, check_number, check_path, check_whole
from weft.search import how_many
from weft.search.conflicts import Conflict
from weft.search.counting import Estimate, NotKnown, part_of
from weft.search.engine import OutOfTime, is_over
from weft.search.how_many import COUNTING_SEED, FAIR_SAMPLE, Counted, Drawn
from weft.search.margins import Margin
from weft.search.problem import Problem
from weft.search.program import Status, speaks_of_separations
from weft.search.registry import CONFLICTS, open_search
from weft.search.repair import Repair
from weft.search.search import Search
from weft.search.wandering import COUNTED, Guess
from weft.solutions.class_count import estimated_classes
from weft.solutions.findings import Bootstrap, Findings, Summary, summary_of
from weft.solutions.origin import Origin, origin_of
from weft.solutions.structures import Structures, most_structures, walked

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from weft.effects import Effects
    from weft.solutions.explain import Explanation
    from weft.solutions.pairs import Pairs
    from weft.solutions.suggest import Suggestions
    from weft.solutions.suggest_effect import Remedies
    from weft.studies import Study


def solve(
    evidence: Evidence,
    method: str = "causal-iod",
    *,
    selection: bool = False,
    engine: str = "asp",
    limit: int | None = None,
    timeout: float | None = None,
    effort: int | None = USUAL,
    knowledge: Knowledge | None = None,
    conflicts: str = "hard",
    slack: float = 0.0,
    coverage: float | None = None,
    n_jobs: int = 1,
    dask: Any = None,
) -> SolutionSet:
    """All MAGs that are consistent with the evidence.

    Nothing is computed until the solution set is asked.

    Parameters
    ----------
    evidence
        What the studies say.
    method
        ``iod`` and ``ion`` (independences only), ``iod-bcd`` (and edges oriented by the relations) or ``causal-iod``
        (and every relation of a pair).
    selection
        Whether undirected edges, which stand for selection variables, are allowed.
    engine
        ``asp``, ``powerset`` or ``brute``; they give the same answer.
    limit
        The most graphs that iteration and counting visit.
    timeout
        The most seconds that one question may take: only a way to stop, for what is found then depends on the machine.
    effort
        The most conflicts that the solver may run into on one question; ``None`` for any number. The default takes
        about a minute where it is reached. The same effort gives the same answer, however busy the machine is.
    knowledge
        What is already known. It is certain, except for items with a weight; the statements of studies that were
        experiments are turned into what they say about the undisturbed process (:mod:`weft.knowledge.experiments`).
    conflicts
        ``hard``: every statement must hold. ``repair``: a statement with a weight may be given up at that weight, and
        the answer is all MAGs of least total weight given up (see :mod:`weft.search.repair`). Without a contradiction
        that is the same, except that statements of weight 0 say nothing.
    slack
        With ``repair``: how much more than the least total weight may be given up.
    coverage
        With ``repair``, instead of a slack: the probability with which the truth is to be among the structures, such as
        0.9, as on simulated data (see :mod:`weft.search.coverage`).
    n_jobs, dask
        Where walks for claims are made: in so many threads (-1: one for each core), or by a Dask client, or at its
        scheduler's address. With several, parts of the answer are worked out side by side. The answer is the same.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> solutions = solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]]))
    >>> solutions.count()
    2
    >>> for mag in solutions:
    ...     print(mag)
    Y -> X; Y <-> Z
    Y -> X; X <-> Z; Y <-> Z
    >>> print(*solutions.assume("X and Z are not adjacent"))
    Y -> X; Y <-> Z

    Two studies contradict each other:

    >>> from weft.evidence.statements import Connected, Evidence, Scope, Separated
    >>> studies = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    >>> says = (Connected("a", "X", "Y", weight=1.5), Separated("X", "Y", frozenset(), ("b",), weight=3.0))
    >>> solutions = solve(Evidence(studies, says), conflicts="repair")
    >>> print(*solutions)
    X; Y
    >>> solutions.repair().cost, str(solutions.repair().given_up[0])
    (1.5, "X and Y are connected in study 'a'")
    """
    wanted = "what weft.load_evidence, weft.oracle or weft.gather gives (for tables: weft.discover)"
    check_argument("evidence", evidence, Evidence, wanted)
    check_argument("selection", selection, bool, "True or False")
    check_question(limit, timeout, conflicts, slack, coverage, effort)
    known = checked(Knowledge() if knowledge is None else knowledge, evidence.variables)
    if known.experiments:
        evidence, known = undisturbed(evidence, known).evidence, replace(known, experiments=())
    relations = (*known.relations, *known.soft_relations)
    problem = Problem.of(evidence, method, selection=selection, known=relations).with_claims(known.claims)
    workers = Workers(n_jobs, dask)
    search = open_search(engine, problem, conflicts=conflicts, slack=slack, coverage=coverage)
    return SolutionSet(
        evidence, method, selection, engine, limit, timeout, effort, known.claims, known, conflicts, slack, coverage,
        origin_of(evidence) if evidence.tables else None, _search=search, _workers=workers,
    )  # fmt: skip


def _reopened(own: dict[str, Any]) -> SolutionSet:
    """A solution set with a solver that was just opened."""
    known, evidence = own["knowledge"], own["evidence"]
    relations = (*known.relations, *known.soft_relations)
    problem = Problem.of(evidence, own["method"], selection=own["selection"], known=relations).with_claims(known.claims)
    search = open_search(
        own["engine"], problem, conflicts=own["conflicts"], slack=own["slack"], coverage=own["coverage"]
    )
    return SolutionSet(**own, _search=search)


def check_question(
    limit: int | None, timeout: float | None, conflicts: str, slack: float, coverage: float | None = None,
    effort: int | None = None,
) -> None:  # fmt: skip
    """Refuse settings that make no sense."""
    check_whole("limit", limit, "for no limit")
    check_number("timeout", timeout, "for no limit")
    check_number("slack", slack)
    check_whole("effort", effort, "for no limit")
    if effort is not None and effort < 1:
        raise ProblemError(f"the effort is {effort}; it must be at least 1, or None for no limit")
    if limit is not None and limit < 1:
        raise ProblemError(f"the limit is {limit}; it must be at least 1")
    if timeout is not None and not 0 < timeout < math.inf:
        raise ProblemError(f"the timeout is {timeout} seconds; it must be more than 0 and finite")
    if conflicts not in CONFLICTS:
        raise ProblemError(f"conflicts is {conflicts!r}; choose one of {', '.join(CONFLICTS)}")
    if not 0 <= slack < math.inf:
        raise ProblemError(f"the slack is {slack}; it must be 0 or more and finite")
    if slack and conflicts == "hard":
        raise ProblemError(f"a slack of {slack} needs conflicts='repair'; set it, or leave the slack out")
    check_number("coverage", coverage, "for the structures of least cost")
    if coverage is not None:
        if not 0 < coverage < 1:
            raise ProblemError(f"the coverage is {coverage}; it must be more than 0 and less than 1, such as 0.9")
        if conflicts == "hard":
            raise ProblemError(f"a coverage of {coverage} needs conflicts='repair'; set it, or leave the coverage out")
        if slack:
            raise ProblemError(f"give a slack ({slack}) or a coverage ({coverage}), not both")


def checked(knowledge: Knowledge, variables: Iterable[str]) -> Knowledge:
    """The knowledge of these variables, if it does not contradict itself."""
    wanted = "weft.Knowledge.of('X causes Y', ...) or weft.Knowledge.read(path)"
    check_argument("knowledge", knowledge, Knowledge, wanted)
    knowledge = knowledge.over(variables)
    if items := knowledge.contradiction():
        said = "; ".join(f"'{item}'" for item in items)
        raise KnowledgeError(f"the knowledge contradicts itself: {said} cannot hold together; correct one of them")
    return knowledge


@dataclass(frozen=True)
class PagEntry:
    """A Markov equivalence class that holds consistent MAGs: its PAG, and these MAGs."""

    pag: MixedGraph
    mags: tuple[MixedGraph, ...]
    selection: bool = False

    @cached_property
    def whole(self) -> bool:
        """Whether every MAG of the PAG is consistent."""
        consistent = set(self.mags)
        return all(mag in consistent for mag in mags_of(self.pag, selection=self.selection))

    @property
    def returned(self) -> tuple[MixedGraph, ...]:
        """What the paper's Algorithm 1 returns, lines 6 and 7: the PAG if it is whole, else the consistent MAGs."""
        return (self.pag,) if self.whole else self.mags


@dataclass(frozen=True)
class Pags(Sequence[PagEntry]):
    """Solutions by Markov equivalence class; a sequence of entries."""

    entries: tuple[PagEntry, ...]
    complete: bool
    """Whether they hold every solution."""

    @overload
    def __getitem__(self, place: int) -> PagEntry: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[PagEntry, ...]: ...
    def __getitem__(self, place: int | slice) -> PagEntry | tuple[PagEntry, ...]:
        return self.entries[place]

    def __len__(self) -> int:
        return len(self.entries)


@dataclass(frozen=True)
class Score:
    """How near the solutions are to a true graph, as the paper defines it.

    An edge counts as right if the true MAG has the same edge with the same marks.
    """

    precision: float
    """Right edges / edges, over all solutions."""
    recall: float
    """Right edges / (edges of the truth x number of solutions)."""
    contains_truth: bool | None
    """Whether the truth is one of all solutions, looked at or not; ``None`` if the time ended before it was known."""
    complete: bool
    """Whether every solution was looked at."""
    fair: bool = True
    """Whether every solution was looked at, or a fair sample of them; else the first that were found."""
    basis: str = ""
    """What was looked at, in words."""


@dataclass(frozen=True)
class OtherRepair:
    """Another way out of a contradiction, and what would be different."""

    repair: Repair
    no_longer_certain: tuple[str, ...]
    """The edges that are certain now and would not be."""
    newly_certain: tuple[str, ...]
    """The edges that would be certain and are not now."""


class Walk:
    """Goes over solutions one by one, within limits, and knows at the end whether these were all."""

    def __init__(
        self,
        graphs: Iterator[MixedGraph],
        limit: int | None,
        *,
        whole: bool = True,
        effort: Effort | None = None,
    ) -> None:
        self._graphs = graphs
        self._effort = effort
        self._left = limit
        self._whole = whole
        self.complete: bool | None = None
        """``None`` while the walk goes on; then whether it reached every solution."""
        self.out_of_time = False
        """Whether the time or the effort ended it."""

    def __iter__(self) -> Walk:
        return self

    def __next__(self) -> MixedGraph:
        if self.complete is not None:
            raise StopIteration
        try:
            with nullcontext() if self._effort is None else self._effort.here():
                graph = next(self._graphs)  # one more than the limit is looked for, to know whether there is more
        except (StopIteration, OutOfTime) as end:
            self.out_of_time = isinstance(end, OutOfTime)
            self.complete = self._whole and not self.out_of_time
            raise StopIteration from None
        if self._left is not None:
            if self._left == 0:
                self.complete = False
                raise StopIteration
            self._left -= 1
        return graph


SHOWING = 20_000
"""The effort that goes into the number of structures before a page shows an answer, with a share for every line."""
SIFTING = 5_000
"""The effort that the sieve may take in any case: it sees sooner if it gets nowhere, and its draws are fair."""
WALKING = 3_000
"""The effort that random walks may take in any case where no number is found: a second or two."""
FIRST_FOUND = 500
"""So many are looked at where there are too many to draw from. They are alike anyway, and more would tell no more."""


def effort_for_words(variables: int) -> int:
    """The effort that goes into the number of structures before an answer is told in words, which must not wait for it.

    About a second: with more variables a conflict takes longer.
    """
    return 150_000 // max(variables, 1) ** 2


Patience = tuple[float, float]
"""The seconds and the conflicts that a question may take."""


class Known:
    """What has been worked out about one search so far; solution sets that differ only in their limits share it.

    An answer that more work might change is kept with the patience that it had, for questions that have no more.
    Answers that were not asked for in a long while give way to new ones. Several threads may ask at a time.
    """

    MOST = 64
    """How many answers are kept."""

    def __init__(self) -> None:
        self._answers: dict[tuple[object, ...], tuple[Any, Patience | None]] = {}
        self._lock = threading.Lock()

    def recall(self, question: tuple[object, ...], patience: Patience) -> Any:
        """The answer to a question with that patience; ``None`` if none is known that is good enough."""
        with self._lock:
            if question not in self._answers:
                return None
            answer, taken = self._answers[question]
            if taken is not None and (patience[0] > taken[0] or patience[1] > taken[1]):
                return None
            self._answers[question] = self._answers.pop(question)  # the last to be forgotten
            return answer

    def keep(self, question: tuple[object, ...], answer: object, patience: Patience, *, final: bool) -> None:
        """Remember an answer, and with what patience it was sought; ``final`` if more would not change it."""
        with self._lock:
            self._answers.pop(question, None)
            self._answers[question] = (answer, None if final else patience)
            while len(self._answers) > self.MOST:
                del self._answers[next(iter(self._answers))]


@dataclass(frozen=True)
class SolutionSet:
    """Every MAG that is consistent with the evidence. Make one with :func:`solve`.

    Iterating visits the MAGs one by one and keeps none of them. Where there is a limit or a timeout, ``walk =
    iter(solutions)`` says afterwards, by ``walk.complete``, whether it reached them all.
    """

    evidence: Evidence
    method: str
    selection: bool = False
    engine: str = "asp"
    limit: int | None = None
    timeout: float | None = None
    effort: int | None = None
    supposed: tuple[Claim, ...] = ()
    """What is supposed: first what the knowledge says, then what was assumed."""
    knowledge: Knowledge = field(default_factory=Knowledge)
    conflicts: str = "hard"
    slack: float = 0.0
    coverage: float | None = None
    """The probability with which the truth was asked to be among the structures; ``None`` for those of least cost."""
    origin: Origin | None = None
    """The tables behind it, if it comes from tables."""
    bootstrap: Bootstrap | None = None
    """What became of it on half of the rows, drawn again and again, if that was asked for."""
    _search: Search = field(kw_only=True, repr=False, compare=False)
    _known: Known = field(default_factory=Known, kw_only=True, repr=False, compare=False)
    _workers: Workers | None = field(default=None, kw_only=True, repr=False, compare=False)
    """Where work that can be shared out is done; a copy works by itself."""

    def __repr__(self) -> str:
        return f"<SolutionSet: {', '.join(self._described)}>"

    @property
    def _described(self) -> tuple[str, ...]:
        """What it is about, without working anything out."""
        evidence = self.evidence
        sizes = (f"{len(evidence.variables)} variables", f"{len(evidence.studies)} studies",
                 f"{len(evidence.statements)} statements")  # fmt: skip
        return (*sizes, self.method, *(f"assuming {claim}" for claim in self.assumed))

    def __str__(self) -> str:
        """The answer in words, as the command line words it."""
        return "\n".join(self._lines())

    def _repr_html_(self) -> str:
        """What a notebook shows: the same."""
        from weft.reading.frames import html_text

        return html_text(self._lines())

    def _lines(self) -> Iterator[str]:
        from weft.report.text import lines
        from weft.report.view import view_of

        return iter(lines(view_of(self, patience=0, details=False)))

    def __reduce__(self) -> tuple[Any, ...]:
        """A copy, or one that was pickled, asks a solver of its own; what was found so far is found again."""
        own = {one.name: getattr(self, one.name) for one in fields(self) if not one.name.startswith("_")}
        return _reopened, (own,)

    @property
    def assumed(self) -> tuple[Claim, ...]:
        """What was assumed beyond the knowledge."""
        return self.supposed[len(self.knowledge.claims) :]

    # -- how many, and which -----------------------------------------------------------------------------------------

    def __iter__(self) -> Walk:
        known = self._walked_before(self.limit)
        if known is not None:
            return Walk(iter(known), self.limit, whole=known.complete)
        effort = None if self.effort is None else Effort(self.effort)
        return Walk(self._search.graphs(self.supposed, self._deadline()), self.limit, effort=effort)

    @property
    def structures(self) -> Structures:
        """The consistent MAGs, looked at once and kept: all, a fair sample if they are too many, or the first found.

        Up to :func:`~weft.solutions.structures.most_structures` are all walked. Of more, some thousands are drawn
        fairly. Where the effort does not suffice to count them, they are met on random walks, without a bound on how
        uneven these are (:attr:`~weft.solutions.structures.Structures.worth`). With a limit or a timeout, or where
        walks do not do, they are the first that the solver finds, which need not be typical:
        :attr:`~weft.solutions.structures.Structures.fair` says so.
        """
        return self.shown()

    def shown(
        self, classes: MagClasses | None = None, *, fairly: bool = False, effort: int | None = None
    ) -> Structures:
        """The same as :attr:`structures`.

        Parameters
        ----------
        classes
            The equivalence classes met before.
        fairly
            Whether a timeout is time to draw a fair sample, too, and not an order to take what is found first.
        effort
            What may go into their number before the first that are found must do; that of a page if it is not given.
            With ``fairly``, all of the effort.
        """
        if self.limit is not None:
            return self.walked(self.most, classes)
        if (every := self.every_structure) is not None:
            return every  # they are at hand, however many they are
        known = self.fair_sample
        if known is None and self.timeout is not None and not fairly:
            return self.walked(self.most, classes)
        if known is None:
            wanted = SHOWING if effort is None else effort
            spent = self.effort if fairly else min(wanted, self.effort or wanted)
            if (first := self._first_found(spent)) is not None:
                return first
            counted = self._counted_to_show(spent)
            if not counted.is_known:
                walking = None if spent is None else max(spent, min(WALKING, self.effort or WALKING))
                first = self._met(walking, classes)
                first = first or self.walked(FIRST_FOUND if counted.more_than else self.most, classes)
                first = first if first.complete else replace(first, more_than=counted.more_than)
                if counted.more_than or first.worth is not None:
                    self._keep_first(first, spent)
                return first
            few = counted.exact and counted.about <= self.most
            drawn = (
                None
                if few
                else self._drawn(min(FAIR_SAMPLE, max(1, counted.about // 4)), COUNTING_SEED, counted, fewer=True)
            )
            if drawn is None:
                return self.walked(self.most, classes)
            names = self.evidence.variables
            found = walked(drawn.graphs, names, selection=self.selection, complete=False, classes=classes)
            known = replace(found, total=counted.total, worth=drawn.worth)
            self._keep(("drawn", self.supposed), known, final=self._search.is_final)
        return known

    def _met(self, effort: int | None, classes: MagClasses | None = None) -> Structures | None:
        """Structures met on random walks; ``None`` if the effort or the time does not suffice, or walks do not do."""
        deadline = self._deadline()
        try:
            with self._at_work(), nullcontext() if effort is None else Effort(effort).here():
                wandering = self._search.wandering(self.supposed, deadline)
                if wandering is None:
                    return None
                met = wandering.drawn(COUNTING_SEED, deadline)
        except OutOfTime:
            return None
        return replace(walked(met.graphs, self.evidence.variables, complete=False, classes=classes), worth=met.worth)

    def _first_found(self, effort: int | None) -> Structures | None:
        """The first that were found or met, if this effort does not suffice to count them, as far as that is known."""
        known: tuple[Structures, float] | None = self._known.recall(("first", self.supposed), self._patience)
        return known[0] if known is not None and known[1] >= (effort or math.inf) else None

    def _keep_first(self, structures: Structures, effort: int | None) -> None:
        self._keep(("first", self.supposed), (structures, effort or math.inf), final=False)

    @property
    def fair_sample(self) -> Structures | None:
        """The fair sample that was drawn before, if there are too many structures to walk and one was."""
        known: Structures | None = self._known.recall(("drawn", self.supposed), self._patience)
        return None if known is None or known.total is None else known

    def fair_sample_with(self, claims: Sequence[Claim]) -> Structures | None:
        """Those of the fair sample in which more claims hold: a fair sample of all in which they do, at no cost.

        It says about how many there are, by their share of the sample. ``None`` if no sample is known, if a structure
        does not tell whether a claim holds, or if too few of the sample are left to tell.
        """
        known = self.fair_sample
        if known is None or known.total is None or any(claim.topic is Topic.CONFOUNDED for claim in claims):
            return None
        where = reduce(and_, map(known.where, claims), known.everywhere)
        total = part_of(known.total, where.bit_count() / known.number, known.draws)
        if total is None:
            return None
        places = [place for place in range(known.number) if where >> place & 1]
        worth = None if known.worth is None else known.worth * len(places) // known.number
        return replace(known.taken(places), total=total, worth=worth)

    def _counted_to_show(self, effort: int | None) -> Counted:
        """How many structures there are, as far as that is known or found out with this effort."""
        known: Counted | None = self._known.recall(("count", self.supposed), self._patience)
        if known is None:
            whole = None if effort is None else Effort(max(effort, min(SIFTING, self.effort or SIFTING)))
            with working(self._workers), nullcontext() if whole is None else whole.here():
                deadline = self._deadline()
                known = how_many.count(self._search, self.supposed, deadline, walking=False, for_cells=effort)
            if known.is_known:
                self._keep(("count", self.supposed), known, final=known.exact and self._search.is_final)
        return known

    @property
    def most(self) -> int:
        """How many structures are walked at most."""
        return self.limit or most_structures(len(self.evidence.variables))

    @property
    def every_structure(self) -> Structures | None:
        """All consistent MAGs, if they were walked before; to ask for this takes no time."""
        found = self._walked_before(None)
        return found if found is not None and found.complete else None

    def walked(self, limit: int | None, classes: MagClasses | None = None) -> Structures:
        """The structures up to a limit of their own; ``classes`` are the equivalence classes met before."""
        known = self._walked_before(limit)
        if known is None:
            walk = iter(replace(self, limit=limit))
            known = walked(walk, self.evidence.variables, selection=self.selection, classes=classes)
            self._keep_structures(known, limit, final=not walk.out_of_time)
        return known

    def _walked_before(self, limit: int | None) -> Structures | None:
        """What a walk with that limit would find, if it is known."""
        same: Structures | None = self._known.recall(("structures", self.supposed, limit), self._patience)
        every: Structures | None = self._known.recall(("structures", self.supposed), self._patience)
        return every if same is None and every is not None and (limit is None or every.number <= limit) else same

    def _keep_structures(self, structures: Structures, limit: int | None, *, final: bool) -> None:
        final = final and self._search.is_final
        self._keep(("structures", self.supposed, limit), structures, final=final)
        if structures.complete:
            self._keep(("structures", self.supposed), structures, final=final)

    def _keep(self, question: tuple[object, ...], answer: object, *, final: bool) -> None:
        if not is_over(None):  # what was stopped knows less than its time would have allowed
            self._known.keep(question, answer, self._patience, final=final)

    def count(self) -> int | Estimate:
        """The number of consistent MAGs; an :class:`~weft.search.counting.Estimate` where they are too many to walk.

        An estimate says by which factor it may be wrong, and how probably it is not; and by how many pairs of random
        walks that is known, if nothing surer tells (``walks``, :mod:`weft.search.meeting`). A number is exact if
        :attr:`complete` is true; else a limit, the effort or the time ended the count, and it is how many were found.
        """
        return self._counted.total

    def exact_count(self) -> int:
        """The number of consistent MAGs; :class:`~weft.errors.ProblemError` if it is not known exactly.

        >>> from weft import oracle, solve
        >>> solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod").exact_count() < 100
        True
        """
        total, exact = self._counted[:2]
        if not exact or isinstance(total, Estimate):
            raise ProblemError(
                f"there are {total if isinstance(total, Estimate) else f'at least {total:,}'} solutions, "
                "too many to count exactly; raise the limit, the effort or the timeout"
            )
        return total

    @property
    def complete(self) -> bool:
        """Whether :meth:`count` is exact: it reached every solution within the limits."""
        return self._counted.exact

    @cached_property
    def _counted(self) -> Counted:
        known = self._walked_before(self.limit)
        if known is not None and (known.complete or self.limit is not None):
            return Counted(known.number, known.complete)
        if self.limit is not None:
            with self._at_work():
                return Counted(*self._search.count(self.supposed, self.limit, self._deadline()))
        total: Counted | None = self._known.recall(("count", self.supposed), self._patience)
        if total is None:
            with self._at_work():
                total = how_many.count(self._search, self.supposed, self._deadline())
            self._keep(("count", self.supposed), total, final=total.exact and self._search.is_final)
        return total

    def guess(self) -> Guess | NotKnown:
        """About how many consistent MAGs there are, by random walks: where :meth:`count` comes to no end.

        It has no guarantee, only what the walks show of it: see :mod:`weft.search.wandering`. It takes a minute or two.
        """
        deadline = self._deadline()
        try:
            with self._at_work():
                wandering = self._search.wandering(self.supposed, deadline)
                if wandering is None:
                    return NotKnown("no walk leads over these structures, or none was found in time")
                return wandering.guess(partial(self._count_few, deadline), COUNTING_SEED, deadline)
        except OutOfTime:
            return NotKnown("the effort or the time did not suffice")

    def _count_few(self, deadline: float | None, claims: Sequence[Claim]) -> tuple[int, bool]:
        return self._search.count((*self.supposed, *claims), COUNTED, deadline)

    def count_classes(self) -> int | Estimate | NotKnown:
        """The number of Markov equivalence classes (PAGs) that hold a consistent MAG.

        Exact where all MAGs can be walked. Else an :class:`~weft.search.counting.Estimate` by the classes of a fair
        sample, where either all MAGs of a class are consistent or none is (the evidence speaks of separations alone);
        else :class:`~weft.search.counting.NotKnown`.

        >>> from weft import oracle, solve
        >>> solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]), "iod").count_classes()
        5
        """
        found = self.walked(self.limit) if self._can_be_walked() else self.shown(fairly=True)
        if found.complete:
            return len(found.class_sizes)
        if found.total is None:
            return NotKnown("there are too many structures to draw fairly")
        if self.supposed or not speaks_of_separations(self._search.problem):
            return NotKnown("there are too many structures, and a class may be consistent in part")
        return estimated_classes(found)

    @property
    def consistent(self) -> bool | None:
        """Whether there is any solution; ``None`` if the time ran out before that was known."""
        with self._at_work():
            found = self._search.find(self.supposed, self._deadline())
        return {Status.FOUND: True, Status.NONE: False, Status.OUT_OF_TIME: None}[found.status]

    def pags(self) -> Pags:
        """The solutions by Markov equivalence class, sparse classes first."""
        found = self.walked(self.limit)
        mags = iter(found)
        entries = (PagEntry(pag, tuple(next(mags) for _ in own), self.selection) for pag, own in found.classes)
        return Pags(tuple(entries), found.complete)

    def sample(self, n: int, seed: int = 0) -> list[MixedGraph]:
        """``n`` different solutions (all, if there are fewer), drawn fairly.

        Where all solutions can be walked, each set of ``n`` is equally likely: each solution has a lot, a hash of the
        seed and its marks, and the ``n`` smallest are drawn. Where they are too many, they are sifted out of a larger
        set (:mod:`weft.search.sieve`), each as likely as any other; or drawn from random cells
        (:mod:`weft.search.counting`), and the chances of two solutions differ by less than 1 %; or met on walks that
        have forgotten where they began (:mod:`weft.search.meeting`), and no share is farther than 2.5 points from
        that of all, as far as walks show. The same seed gives the
        same sample. :class:`~weft.errors.ProblemError` if the limits, the effort or the time do not suffice.
        """
        for name, value in (("n", n), ("seed", seed)):
            check_whole(name, value)
            if value < 0:
                raise ProblemError(f"{name} is {value}; give a whole number that is not negative")
        if n == 0:
            return []
        if self._can_be_walked(n):
            key = hashlib.blake2b(f"{seed:x}".encode()).digest()  # as long as a key may be, whatever the seed's length
            lots = iter(self._all("a fair sample"))
            return heapq.nsmallest(n, lots, key=lambda mag: hashlib.blake2b(mag.marks, key=key).digest())
        found = self._drawn(n, int(seed), self._counted)
        if found is None:
            raise ProblemError(
                "a fair sample needs every solution, or their number, or random walks that meet, "
                "but the effort or time ended first; raise it, or assume more"
            )
        return found.graphs

    def _can_be_walked(self, number: int = 0) -> bool:
        """Whether the structures can all be walked, or must be since so many of them are wanted."""
        if self.limit is not None or self.every_structure is not None:
            return True
        counted = self._counted
        return counted.exact and counted.about <= max(most_structures(len(self.evidence.variables)), 10 * number)

    def _drawn(self, number: int, seed: int, counted: Counted, *, fewer: bool = False) -> Drawn | None:
        """Different structures, drawn fairly; ``None`` if the effort or the time ends before."""
        try:
            with self._at_work():
                return how_many.draw(self._search, self.supposed, counted, number, seed, self._deadline(), fewer=fewer)
        except OutOfTime:
            return None

    # -- what they say -----------------------------------------------------------------------------------------------

    def summary(self, *, shares: bool = False, margins: bool = False) -> Summary:
        """What holds in all, some, none of the solutions, claim by claim; by reasoning, not by going over them.

        With ``shares``, it also goes over all the solutions, or a fair sample if they are too many, and says in which
        share of them each claim holds; :class:`~weft.errors.ProblemError` if the limits end that before. With
        ``margins``, it also says how sure each claim is, and how far it is ahead of its opposite (see :meth:`claims`).
        """
        found = self.summed_up()
        found = found if self.bootstrap is None else found.with_bootstrap(self.bootstrap)
        if margins:
            judged = self._search.problem.judges_directions
            found = found.with_margins(self._margins(), self._drawn_shares(), judged=judged)
        return found.with_shares(self._typical("a share")) if shares else found

    def summed_up(self, once_settled: Callable[[], object] | None = None) -> Summary:
        """What holds in all, some, none of the solutions; if it has to be worked out, something else may begin then.

        ``once_settled`` is called as soon as it is settled which solutions there are, if that comes before the end.
        """
        found: Summary | None = self._known.recall(("summary", self.supposed), self._patience)
        if found is None:
            with self._at_work():
                deadline = self._deadline()
                if once_settled is not None:
                    self._search.settle(deadline)
                    if self.is_settled:
                        once_settled()
                consequences = self._search.consequences(self.supposed, deadline)
            found = summary_of(self._search.problem.names, consequences, selection=self.selection)
            self._keep_summary(found)
        return found

    def _margins(self) -> Mapping[Claim, Margin]:
        found: Mapping[Claim, Margin] | None = self._known.recall(("margins", self.supposed), self._patience)
        if found is None:
            with self._at_work():
                found = self._search.margins(self.supposed, self._deadline())
            self._keep_margins(found)
        return found

    def draw(self) -> None:
        """Draw the models that confidence goes by, for later questions."""
        self._drawn_shares()

    def _drawn_shares(self) -> Mapping[Claim, float]:
        found: Mapping[Claim, float] | None = self._known.recall(("draws", self.supposed), self._patience)
        if found is None:
            with self._at_work():
                found = self._search.drawn(self.supposed, self._deadline())
            self._keep_draws(found)
        return found

    def _keep_draws(self, drawn: Mapping[Claim, float]) -> None:
        self._keep(("draws", self.supposed), drawn, final=bool(drawn))

    def _keep_margins(self, margins: Mapping[Claim, Margin]) -> None:
        final = self._search.is_final and all(one.is_known for one in margins.values())
        self._keep(("margins", self.supposed), margins, final=final)

    def claims(self, least: float = 0.0) -> Findings:
        """What is claimed of every pair, the surest first, with confidence, margin and whether that is exact.

        The *confidence* of a claim goes by the share of likely models in which it holds (:mod:`weft.search.draws`,
        :mod:`weft.solutions.confidence`). Its *margin* is what would have to be given up to deny it, beyond the least
        that must be: above 0, it holds in all structures of least cost. A margin that the solver cannot know in time
        may be ``estimated``, by the cheapest structures that were found (:mod:`weft.search.estimates`).

        Parameters
        ----------
        least
            Claims that are less sure are left out.

        Examples
        --------
        >>> from weft import oracle, solve
        >>> for one in solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).claims(0.9)[:3]:
        ...     print(one.claim, one.confidence)
        Y causes X 1.0
        X and Y are adjacent 1.0
        Y -> X 1.0
        """
        check_number("least", least)
        return Findings(one for one in self.summary(margins=True).claims if (one.confidence or 0.0) >= least)

    def pairs(self) -> Pairs:
        """Every pair of variables: what edge it has, who causes whom, and how sure that is.

        >>> from weft import oracle, solve
        >>> pairs = solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).pairs()
        >>> pairs, pairs[0]
        (<3 pairs>, <Pair X, Y: X <- Y>)
        """
        from weft.solutions.pairs import pairs_of

        return pairs_of(self.summary(margins=True))

    def _keep_summary(self, summary: Summary) -> None:
        final = summary.complete and self._search.is_final
        self._keep(("summary", self.supposed), summary, final=final)

    def remember(
        self,
        summary: Summary,
        structures: Structures,
        margins: Mapping[Claim, Margin],
        drawn: Mapping[Claim, float],
    ) -> None:
        """Take over what another solution set with the same question, limits and patience found out."""
        self._keep_summary(summary)
        if margins:
            self._keep_margins(margins)
            self._keep_draws(drawn)
        self._keep_repair(self._search.repair(deadline=0.0))  # what is known already, without looking on
        if structures.total is not None:
            total = structures.total
            self._keep(("count", self.supposed), Counted(total, isinstance(total, int)), final=isinstance(total, int))
            self._keep(("drawn", self.supposed), structures, final=self._search.is_final)
            return
        if structures.more_than or structures.worth is not None:
            words = effort_for_words(len(structures.names))
            self._keep_first(structures, words if structures.worth is None else SHOWING)  # a page tries once more
            return
        self._keep_structures(structures, self.most, final=structures.complete or structures.number >= self.most)

    def _typical(self, purpose: str) -> Structures:
        """All structures, or a fair sample of them."""
        if self.limit is None and self.timeout is None and (found := self.shown()).fair:
            return found
        return self._all(purpose)

    def _all(self, purpose: str) -> Structures:
        found = self.walked(self.limit)
        if not found.complete:
            raise ProblemError(f"{purpose} needs every solution, but a limit was reached first; raise the limits")
        return found

    def assume(self, *claims: str | Claim) -> SolutionSet:
        """The solutions in which the claims hold too (see :mod:`weft.evidence.claims`); shares the warm solver."""
        for claim in claims:
            check_argument("claim", claim, (str, Claim), "a text such as 'X causes Y', or a weft.Claim")
        known = self.evidence.variables
        parsed = tuple(Claim.among(claim, known) if isinstance(claim, str) else claim for claim in claims)
        self._search.problem.with_claims(parsed)  # refuses unknown variables
        return replace(self, supposed=self.supposed + parsed)

    def share(self, claim: str | Claim) -> float:
        """The share of the solutions in which a claim holds; by counting, whatever the limit on graphs.

        Where there are too many to count, it is the share of a fair sample.

        >>> from weft import oracle, solve
        >>> solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).share("X <-> Z")
        0.5
        """
        narrower = self.assume(claim)
        known, asked = self.every_structure, narrower.supposed[-1]
        if known is not None and known.number and asked.topic is not Topic.CONFOUNDED:
            return known.share(asked)  # nothing is walked again
        whole = replace(self, limit=None)
        if isinstance(whole.count(), Estimate) and asked.topic is not Topic.CONFOUNDED and whole.shown().fair:
            return whole.shown().share(asked)
        with self._at_work():
            total, all_counted = self._search.count(self.supposed, deadline=self._deadline())
        with self._at_work():
            part, part_counted = self._search.count(narrower.supposed, deadline=self._deadline())
        if not (all_counted and part_counted):
            raise ProblemError(f"the time ran out before the share of '{claim}' was known; raise the timeout")
        if not total:
            raise ProblemError("there is no solution, so there are no shares")
        return part / total

    def score(self, truth: MixedGraph | str) -> Score:
        """Precision and recall against a true graph; one with more variables is marginalised.

        They are those of all solutions, or of a fair sample where there are too many. With a limit or a timeout, or
        where no fair sample can be drawn, they are those of the first solutions found: ``basis`` says which.
        """
        check_argument("truth", truth, (str, MixedGraph), "a weft.MixedGraph, or a text such as 'X -> Y; Y <-> Z'")
        truth = MixedGraph.parse(truth) if isinstance(truth, str) else truth
        true_mag = marginal_mag(truth, self._search.problem.names)
        found = self.shown() if self.limit is not None else self.every_structure or self.shown()
        true_edges = [found.where(Claim(Topic.EDGE, one.x, one.y, symbol=one.symbol)) for one in true_mag.edges()]
        edges = [found.where(Claim(Topic.EDGE, x, y)) for x, y in combinations(true_mag.names, 2)]
        right = sum(where.bit_count() for where in true_edges)
        return Score(
            _ratio(right, sum(where.bit_count() for where in edges), found.number),
            _ratio(right, len(true_edges) * found.number, found.number),
            self.contains(true_mag),
            found.complete,
            found.fair,
            found.basis,
        )

    def contains(self, mag: MixedGraph) -> bool | None:
        """Whether a MAG over the same variables is one of the solutions; ``None`` if the time ends before it is known.

        The solver is asked; nothing is listed.

        >>> from weft import MixedGraph, oracle, solve
        >>> solve(oracle("X -> Y", [["X", "Y"]])).contains(MixedGraph.parse("X -> Y"))
        True
        """
        check_argument("mag", mag, MixedGraph, "a weft.MixedGraph")
        edges = ((x, y, mag.edge(x, y)) for x, y in combinations(mag.names, 2))
        claims = (Claim(Topic.EDGE, x, y, edge is not None, edge or "o-o") for x, y, edge in edges)
        return self.assume(*claims).consistent

    def explain(self, claim: str | Claim) -> Explanation:
        """Why a claim is certain, possible or impossible (see :mod:`weft.solutions.explain`)."""
        from weft.solutions.explain import explain

        return explain(self, claim)

    def suggest(self, *, most: int = 20_000, seed: int = 0) -> Suggestions:
        """What to do next so that the fewest solutions are left (see :mod:`weft.solutions.suggest`)."""
        from weft.solutions.suggest import suggest

        return suggest(self, most=most, seed=seed)

    def suggest_effect(self, cause: str, outcome: str, *, most: int = 300, seed: int = 0) -> Remedies:
        """What would identify the effect of one variable on another (see :mod:`weft.solutions.suggest_effect`)."""
        from weft.solutions.suggest_effect import suggest_effect

        return suggest_effect(self, cause, outcome, most=most, seed=seed)

    def effects(
        self,
        cause: str,
        outcome: str,
        *,
        studies: Iterable[Study] | None = None,
        form: Literal["linear", "spline"] = "linear",
        at_least: str | None = None,
        most: int = 2_000,
        seed: int = 0,
    ) -> Effects:
        """How large the effect of one variable on another is, over the structures (see :mod:`weft.effects`).

        Parameters
        ----------
        cause, outcome
            Two variables.
        studies
            The tables; if they are not given, they are read again from the files that they came from.
        form
            ``linear``: the change for one unit of the cause; ``spline``: from its lower to its upper quartile.
        at_least
            A level of an outcome whose levels have an order: the effect is then on the probability of this level or a
            higher one.
        most, seed
            How many structures are looked at; if there are more, so many are drawn.
        """
        from weft.solutions.effect_sizes import Sizes, tables_of

        return Sizes(self, tables_of(self, studies), form=form, most=most, seed=seed).of(cause, outcome, at_least)

    def all_effects(
        self,
        *,
        studies: Iterable[Study] | None = None,
        form: Literal["linear", "spline"] = "linear",
        most: int = 300,
        seed: int = 0,
    ) -> tuple[Effects, ...]:
        """The effects of all pairs that are worth a number, the surest first; see :meth:`effects`."""
        from weft.solutions.effect_sizes import Sizes, tables_of

        return Sizes(self, tables_of(self, studies), form=form, most=most, seed=seed).all()

    def conflict(self) -> Conflict | None:
        """A minimal set of statements that cannot hold together, if there is no solution; else ``None``.

        With ``conflicts="repair"`` these are statements that cannot be given up.
        """
        with self._at_work():
            return self._search.conflict(self.supposed, self._deadline())

    def repair(self) -> Repair | None:
        """What was given up so that the rest can hold together; ``None`` if nothing may be (``conflicts="hard"``).

        It speaks of the least cost that the knowledge allows, whatever the slack and what else was assumed.
        """
        found: Repair | None = self._known.recall(("repair",), self._patience)
        if found is None:
            with self._at_work():
                found = self._search.repair(self._deadline())
            self._keep_repair(found)
        return found

    def _keep_repair(self, repair: Repair | None) -> None:
        if repair is not None:
            self._keep(("repair",), repair, final=repair.proven and repair.unique is not None)

    @property
    def is_final(self) -> bool:
        """Whether no later question can change which solutions there are: with ``repair``, once the best is proven."""
        return self._search.is_final

    @property
    def is_settled(self) -> bool:
        """Whether what one question finds out changes no answer to another (``weft.search.search.Search``)."""
        return self._search.is_settled

    @property
    def has_company(self) -> bool:
        """Whether several workers are at it."""
        return self._workers is not None and not self._workers.alone

    def other_repair(self) -> OtherRepair | None:
        """The best repair that keeps something which :meth:`repair` gives up, and what it would change.

        ``None`` if nothing had to be given up, there is no other way, or the time ran out before one was known.
        """
        found: OtherRepair | None = self._known.recall(("other repair", self.supposed), self._patience)
        if found is None:
            found = self._other_repair()
            self._keep(("other repair", self.supposed), found, final=found is not None and found.repair.proven)
        return found

    def _other_repair(self) -> OtherRepair | None:
        with self._at_work():
            other = self._search.other_repair(self._deadline())
        if other is None or other.cost is None:
            return None
        then, now = set(self.without(other.given_up).summary().certain), set(self.summary().certain)
        return OtherRepair(other, tuple(sorted(now - then)), tuple(sorted(then - now)))

    def without(self, given_up: Collection[Statement]) -> SolutionSet:
        """The solutions in which everything but these statements holds, which may be none."""
        kept = self.evidence.with_statements(s for s in self.evidence.statements if s not in given_up)
        return replace(
            self,
            evidence=kept,
            conflicts="hard",
            slack=0.0,
            coverage=None,
            _search=self._search.without(given_up),
            _known=Known(),
        )

    def plot(
        self,
        kind: str = "union",
        path: str | os.PathLike[str] | None = None,
        *,
        number: int | None = None,
        title: str | None = None,
    ) -> Figure:
        """A matplotlib figure of the answer (see :mod:`weft.report.figure`); needs ``weft[figures]``.

        Parameters
        ----------
        kind
            ``union``: all structures laid over each other; ``structure``: one of them; ``sheet``: many side by side.
        path
            Where it is also written, as .png, .svg or .pdf.
        number
            Which structure (the first, if not given), or how many on a sheet (12).
        title
            What stands above it; the names of the studies if not given.
        """
        from weft.report.figure import check_file, figure_of, write_figure
        from weft.report.view import view_of

        check_argument("title", title, (str, type(None)), "a text, or None for the names of the studies")
        if path is not None:
            check_path("path", path)
            check_file(path)
        view = view_of(self, patience=0, details=False, title=title)
        figure = figure_of(view, kind, number)
        if path is not None:
            write_figure(figure, path, view.title)
        return figure

    def to_html(self, path: str | os.PathLike[str], *, patience: float | None = None, title: str | None = None) -> None:
        """Write the answer as one HTML page that opens in any browser, as ``weft report`` does.

        ``patience`` is the number of seconds for reasons and other things that may take long.
        """
        from weft.report.html import to_html
        from weft.report.view import PATIENCE, view_of
        from weft.solutions.result_file import check_target

        check_path("path", path)
        check_number("patience", patience, f"for {PATIENCE:g} seconds")
        check_argument("title", title, (str, type(None)), "a text, or None for the names of the studies")
        check_target(path)
        if os.fspath(path).lower().endswith((".png", ".svg", ".pdf")):
            raise ProblemError(f"{os.fspath(path)}: to_html writes a page (.html); plot().savefig(...) draws a picture")
        to_html(view_of(self, patience=PATIENCE if patience is None else patience, title=title), path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a result file (``weft-result/3``), which :func:`weft.load_result` reads."""
        from weft.solutions.result_file import save_result

        check_path("path", path)
        save_result(self, path)

    @property
    def _patience(self) -> Patience:
        return self.timeout or math.inf, min(self.effort or math.inf, effort_left())

    @contextmanager
    def _at_work(self) -> Iterator[None]:
        """Everything inside is one question, with the effort of one."""
        with working(self._workers), nullcontext() if self.effort is None else Effort(self.effort).here():
            yield

    def _deadline(self) -> float | None:
        return None if self.timeout is None else time.monotonic() + self.timeout


def _ratio(part: int, whole: int, solutions: int) -> float:
    """A share; nothing wrong out of nothing is 1, and no solution at all is not a number."""
    if not solutions:
        return float("nan")
    return part / whole if whole else 1.0
