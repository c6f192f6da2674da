"""Every structure that is consistent with the evidence, as one value that answers questions lazily."""

from __future__ import annotations

import hashlib
import heapq
import math
import os
import time
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING, Protocol, overload

from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.statements import Evidence, Statement
from weft.graphs.ancestral import marginal_mag
from weft.graphs.equivalence import MagClasses, mags_of
from weft.graphs.mixed import MixedGraph
from weft.knowledge.experiments import undisturbed
from weft.knowledge.items import KnowledgeError
from weft.knowledge.knowledge import Knowledge
from weft.search.conflicts import Conflict, find_conflict
from weft.search.consequences import Consequences
from weft.search.engine import OutOfTime
from weft.search.problem import Problem
from weft.search.program import Found, Status
from weft.search.registry import open_search
from weft.search.repair import Repair
from weft.search.repaired import RepairedSearch
from weft.solutions.origin import Origin
from weft.solutions.summary import PairSummary, Summary, Tally
from weft.solutions.sureness import Sureness

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from weft.solutions.explain import Explanation
    from weft.solutions.suggest import Suggestions

CONFLICTS = ("hard", "repair")
"""What can be done about statements that contradict each other."""


class Search(Protocol):
    """What a solution set asks of an engine, about one problem under different claims."""

    problem: Problem

    def graphs(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Iterator[MixedGraph]:
        """Every solution once; raises :class:`~weft.search.engine.OutOfTime` at the deadline."""
        ...

    def count(
        self, claims: Sequence[Claim] = (), limit: int | None = None, deadline: float | None = None
    ) -> tuple[int, bool]:
        """The number of solutions, at most ``limit``, and whether these are all."""
        ...

    def find(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Found:
        """One solution, or the news that there is none."""
        ...

    def consequences(self, claims: Sequence[Claim] = (), deadline: float | None = None) -> Consequences:
        """What holds in all, in some, in none of the solutions."""
        ...


def solve(
    evidence: Evidence,
    method: str = "causal-iod",
    *,
    selection: bool = False,
    engine: str = "asp",
    limit: int | None = None,
    timeout: float | None = None,
    knowledge: Knowledge | None = None,
    conflicts: str = "hard",
    slack: float = 0.0,
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
        The most seconds that one question may take.
    knowledge
        What is already known. It is certain, except for items with a weight; the statements of studies that were
        experiments are turned into what they say about the undisturbed process (:mod:`weft.knowledge.experiments`).
    conflicts
        ``hard``: every statement must hold. ``repair``: a statement with a weight may be given up at that weight, and
        the answer is all MAGs of least total weight given up (see :mod:`weft.search.repair`). Without a contradiction
        that is the same, except that statements of weight 0 say nothing.
    slack
        With ``repair``: how much more than the least total weight may be given up.

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
    >>> says = (Connected("a", "X", "Y", weight=1.5), Separated("b", "X", "Y", frozenset(), weight=3.0))
    >>> solutions = solve(Evidence(studies, says), conflicts="repair")
    >>> print(*solutions)
    X; Y
    >>> solutions.repair().cost, str(solutions.repair().given_up[0])
    (1.5, "X and Y are connected in study 'a'")
    """
    check_question(limit, timeout, conflicts, slack)
    known = checked(knowledge or Knowledge(), evidence.variables)
    if known.experiments:
        evidence, known = undisturbed(evidence, known).evidence, replace(known, experiments=())
    relations = (*known.relations, *known.soft_relations)
    problem = Problem.of(evidence, method, selection=selection, known=relations).with_claims(known.claims)
    search: Search = RepairedSearch(engine, problem, slack) if conflicts == "repair" else open_search(engine, problem)
    return SolutionSet(
        evidence, method, selection, engine, limit, timeout, known.claims, known, conflicts, slack, _search=search
    )


def check_question(limit: int | None, timeout: float | None, conflicts: str, slack: float) -> None:
    """Refuse settings that make no sense."""
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


def checked(knowledge: Knowledge, variables: Iterable[str]) -> Knowledge:
    """The knowledge of these variables, if it does not contradict itself."""
    knowledge = knowledge.over(variables)
    if items := knowledge.contradiction():
        said = "; ".join(f"'{item}'" for item in items)
        raise KnowledgeError(f"the knowledge contradicts itself: {said} cannot hold together; correct one of them")
    return knowledge


def walk_limit(size: int) -> int:
    """How many structures are visited unless more are asked for: seconds of work, and larger graphs take longer.

    >>> walk_limit(6), walk_limit(20), walk_limit(100)
    (100000, 10000, 1000)
    """
    return 100_000 if size <= 10 else 10_000 if size <= 30 else 1_000


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
    contains_truth: bool
    complete: bool
    """Whether every solution was looked at."""


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

    def __init__(self, graphs: Iterator[MixedGraph], limit: int | None) -> None:
        self._graphs = graphs
        self._left = limit
        self.complete: bool | None = None
        """``None`` while the walk goes on; then whether it reached every solution."""

    def __iter__(self) -> Walk:
        return self

    def __next__(self) -> MixedGraph:
        if self.complete is not None:
            raise StopIteration
        try:
            graph = next(self._graphs)  # one more than the limit is looked for, to know whether there is more
        except (StopIteration, OutOfTime) as end:
            self.complete = isinstance(end, StopIteration)
            raise StopIteration from None
        if self._left is not None:
            if self._left == 0:
                self.complete = False
                raise StopIteration
            self._left -= 1
        return graph


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
    claims: tuple[Claim, ...] = ()
    """What is supposed: first what the knowledge says, then what was assumed."""
    knowledge: Knowledge = field(default_factory=Knowledge)
    conflicts: str = "hard"
    slack: float = 0.0
    origin: Origin | None = None
    """The tables behind it, if it comes from tables."""
    sureness: Sureness | None = None
    """How often each relation came out again with resampled rows, if that was asked for."""
    _search: Search = field(kw_only=True, repr=False, compare=False)

    @property
    def assumed(self) -> tuple[Claim, ...]:
        """What was assumed beyond the knowledge."""
        return self.claims[len(self.knowledge.claims) :]

    # -- how many, and which -----------------------------------------------------------------------------------------

    def __iter__(self) -> Walk:
        return Walk(self._search.graphs(self.claims, self._deadline()), self.limit)

    def count(self) -> int:
        """The number of consistent MAGs; if :attr:`complete` is false, of those found within the limits."""
        return self._counted[0]

    @property
    def complete(self) -> bool:
        """Whether :meth:`count` reached every solution within the limits."""
        return self._counted[1]

    @cached_property
    def _counted(self) -> tuple[int, bool]:
        return self._search.count(self.claims, self.limit, self._deadline())

    @property
    def consistent(self) -> bool | None:
        """Whether there is any solution; ``None`` if the time ran out before that was known."""
        found = self._search.find(self.claims, self._deadline())
        return {Status.FOUND: True, Status.NONE: False, Status.OUT_OF_TIME: None}[found.status]

    def pags(self) -> Pags:
        """The solutions by Markov equivalence class, in the order in which the classes turn up."""
        classes = MagClasses()
        members: list[list[MixedGraph]] = []
        walk = iter(self)
        for mag in walk:
            number = classes.add(mag)
            if number == len(members):
                members.append([])
            members[number].append(mag)
        entries = tuple(PagEntry(classes.pag(i), tuple(mags), self.selection) for i, mags in enumerate(members))
        return Pags(entries, bool(walk.complete))

    def sample(self, n: int, seed: int = 0) -> list[MixedGraph]:
        """``n`` different solutions (all, if there are fewer), each set of ``n`` equally likely.

        The same seed gives the same sample, in whichever order the engine finds the solutions: each has a lot, a hash
        of the seed and its marks, and the ``n`` smallest are drawn. It takes a walk over all solutions;
        :class:`~weft.errors.ProblemError` if the limits end it before.
        """
        if n < 0:
            raise ProblemError(f"a sample cannot have {n} graphs; ask for 0 or more")
        if n == 0:
            return []
        key = str(seed).encode()
        walk = iter(self)
        found = heapq.nsmallest(n, walk, key=lambda mag: hashlib.blake2b(mag.marks, key=key[:64]).digest())
        self._require_all(walk, "a fair sample")
        return found

    def _require_all(self, walk: Walk, purpose: str) -> None:
        if not walk.complete:
            raise ProblemError(
                f"{purpose} needs every solution, but a limit was reached first; raise the limit or the timeout"
            )

    # -- what they say -----------------------------------------------------------------------------------------------

    def summary(self, *, shares: bool | Tally = False) -> Summary:
        """What holds in all, some, none of the solutions, for every pair; by reasoning, not by listing them.

        With ``shares``, it also visits all the solutions and says in what share of them each edge and cause holds
        (or takes the counts from a walk that was made already).
        The limit on graphs plays no part otherwise; where the time runs out, what is not settled is ``unknown``.
        """
        names = self._search.problem.names
        consequences = self._search.consequences(self.claims, self._deadline())
        tally = shares if isinstance(shares, Tally) else self._tally() if shares else None
        return Summary(
            tuple(
                PairSummary(
                    names[x], names[y], pair.edges, pair.causes, pair.caused, pair.confounded,
                    tally.share(x, y) if tally else None,
                )
                for (x, y), pair in consequences.pairs.items()
            ),
            consequences.solvable,
        )  # fmt: skip

    def _tally(self) -> Tally:
        tally = Tally(self._search.problem.names)
        walk = iter(self)
        for mag in walk:
            tally.add(mag)
        self._require_all(walk, "a share")
        return tally

    def assume(self, *claims: str | Claim) -> SolutionSet:
        """The solutions in which the claims hold too (see :mod:`weft.evidence.claims`); shares the warm solver."""
        parsed = tuple(Claim.parse(claim) if isinstance(claim, str) else claim for claim in claims)
        self._search.problem.with_claims(parsed)  # refuses unknown variables
        return replace(self, claims=self.claims + parsed)

    def share(self, claim: str | Claim) -> float:
        """The share of the solutions in which a claim holds; by counting, whatever the limit on graphs.

        >>> from weft import oracle, solve
        >>> solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).share("X <-> Z")
        0.5
        """
        narrower = self.assume(claim)
        total, all_counted = self._search.count(self.claims, deadline=self._deadline())
        part, part_counted = self._search.count(narrower.claims, deadline=self._deadline())
        if not (all_counted and part_counted):
            raise ProblemError(f"the time ran out before the share of '{claim}' was known; raise the timeout")
        if not total:
            raise ProblemError("there is no solution, so there are no shares")
        return part / total

    def score(self, truth: MixedGraph | str) -> Score:
        """Precision and recall against a true graph; one with more variables is marginalised."""
        truth = MixedGraph.parse(truth) if isinstance(truth, str) else truth
        true_mag = marginal_mag(truth, self._search.problem.names)
        true_edges = set(true_mag.edges())
        edges = right = solutions = 0
        contains_truth = False
        walk = iter(self)
        for mag in walk:
            found = mag.edges()
            solutions += 1
            edges += len(found)
            right += len(true_edges.intersection(found))
            contains_truth = contains_truth or mag == true_mag
        return Score(
            _ratio(right, edges, solutions),
            _ratio(right, len(true_edges) * solutions, solutions),
            contains_truth,
            bool(walk.complete),
        )

    def explain(self, claim: str | Claim) -> Explanation:
        """Why a claim is certain, possible or impossible (see :mod:`weft.solutions.explain`)."""
        from weft.solutions.explain import explain

        return explain(self, claim)

    def suggest(self, *, most: int = 20_000, seed: int = 0) -> Suggestions:
        """What to do next so that the fewest solutions are left (see :mod:`weft.solutions.suggest`)."""
        from weft.solutions.suggest import suggest

        return suggest(self, most=most, seed=seed)

    def conflict(self) -> Conflict | None:
        """A minimal set of statements that cannot hold together, if there is no solution; else ``None``.

        With ``conflicts="repair"`` these are statements that cannot be given up.
        """
        if isinstance(self._search, RepairedSearch):
            return self._search.conflict(self.claims, self._deadline())
        return find_conflict(self._search.problem, self.claims, self._deadline())

    def repair(self) -> Repair | None:
        """What was given up so that the rest can hold together; ``None`` if nothing may be (``conflicts="hard"``).

        It speaks of the least cost that the knowledge allows, whatever the slack and what else was assumed.
        """
        return self._search.repair(self._deadline()) if isinstance(self._search, RepairedSearch) else None

    def other_repair(self) -> OtherRepair | None:
        """The best repair that keeps something which :meth:`repair` gives up, and what it would change.

        ``None`` if nothing had to be given up, there is no other way, or the time ran out before one was known.
        """
        if not isinstance(self._search, RepairedSearch):
            return None
        other = self._search.other_repair(self._deadline())
        if other is None or other.cost is None:
            return None
        then, now = set(self.without(other.given_up).summary().certain), set(self.summary().certain)
        return OtherRepair(other, tuple(sorted(now - then)), tuple(sorted(then - now)))

    def without(self, given_up: Collection[Statement]) -> SolutionSet:
        """The solutions in which everything but these statements holds, which may be none (after a repair only)."""
        if not isinstance(self._search, RepairedSearch):
            return self
        kept = self.evidence.with_statements(s for s in self.evidence.statements if s not in given_up)
        return replace(self, evidence=kept, conflicts="hard", slack=0.0, _search=self._search.without(given_up))

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

        if path is not None:
            check_file(path)
        view = view_of(self, patience=0, title=title)
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

        check_target(path)
        to_html(view_of(self, patience=PATIENCE if patience is None else patience, title=title), path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a result file (``weft-result/1``), which :func:`weft.load_result` reads."""
        from weft.solutions.result_file import save_result

        save_result(self, path)

    def _deadline(self) -> float | None:
        return None if self.timeout is None else time.monotonic() + self.timeout


def _ratio(part: int, whole: int, solutions: int) -> float:
    """A share; nothing wrong out of nothing is 1, and no solution at all is not a number."""
    if not solutions:
        return float("nan")
    return part / whole if whole else 1.0
