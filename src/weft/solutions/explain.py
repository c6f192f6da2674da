"""Why a claim holds in all, in some, in none of the solutions: the few statements behind it, in sentences.

A claim holds in every solution (the verdict *certain*) if its opposite contradicts the statements, in none
(*impossible*) if it contradicts them itself; else it is *possible*. So the reason is a conflict
(:mod:`weft.search.conflicts`): a set of statements that cannot hold together with the claim, or with its opposite. It
is *minimal*: take any one statement out, and the others leave the question open. There may be other such sets; one of
them is given.

What was assumed before (:meth:`SolutionSet.assume`, or an expert's knowledge) counts as the statements do: only what is
needed is named. As much as possible is put down to statements: an assumption is named only if the statements do not do
without it.

Where contradictions were repaired, the reason is sought among the statements that one best repair keeps. What holds in
every solution holds under each repair, so there is a reason in this one; under another repair it may be a different
one.

Where it is not settled but estimated which side is ahead (:mod:`weft.search.estimates`), what is named is no proof: the
statements that the cheapest known model gives up which denies it.

A possible claim comes with two solutions, one in which it holds and one in which it does not, and with what would
decide it.

What rests on data is never called certain in words: it *follows from the findings*, with its confidence
(:mod:`weft.solutions.confidence`), and it is as strong as its *weakest link*: the statement of least weight among those
that settle it. What would become of the claim without that one is said too. Giving up one statement of weight w makes a
margin smaller by w at most, so where the claim is further ahead than that, it stays ahead; where nothing was given up
and the margin is just w, it would be open; else the solver is asked.
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from weft.effort import PER_SECOND, portion
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Relation, Statement
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph, quote
from weft.reading.frames import html_text
from weft.search.conflicts import least
from weft.search.program import Found, Status
from weft.search.registry import open_search
from weft.search.repaired import RepairedSearch
from weft.search.search import Search
from weft.solutions.findings import Finding
from weft.solutions.paragraphs import wrapped

if TYPE_CHECKING:
    from weft.solutions.solution_set import SolutionSet


class Verdict(StrEnum):
    """In which solutions a claim holds."""

    CERTAIN = "certain"
    POSSIBLE = "possible"
    IMPOSSIBLE = "impossible"
    UNKNOWN = "unknown"
    """The time ran out before it was settled."""
    CONTRADICTION = "contradiction"
    """There is no solution at all, so the question has no answer."""


class Without(StrEnum):
    """What would become of a claim if the weakest statement that it rests on were not there."""

    AHEAD = "ahead"
    """It would still be ahead of its opposite, thanks to other statements."""
    OPEN = "open"
    BEHIND = "behind"
    """Its opposite would be ahead."""


PATIENCE = 5.0
"""Seconds to find out what would follow without one statement."""
REASON = 20_000
"""Conflicts that go into a reason at most; if they do not suffice, it is not minimal."""
_ALIKE = 0.002
"""Weights and margins that differ by less are the same: they are counted in thousandths."""


@dataclass(frozen=True)
class Explanation:
    """Why a claim holds in all, some or none of the solutions. Made by :func:`explain`."""

    claim: Claim
    verdict: Verdict
    statements: tuple[Statement, ...] = ()
    """The statements that settle it together; if there is no solution at all, those that contradict each other."""
    known: tuple[Claim, ...] = ()
    """What the knowledge says and is needed beside the statements."""
    assumed: tuple[Claim, ...] = ()
    """What was assumed and is needed beside these."""
    minimal: bool = True
    """Whether every one of these is needed; ``False`` if the time ran out before."""
    holds_in: MixedGraph | None = None
    """A solution in which the claim holds; for a claim of confounding, one of its latent-variable models."""
    fails_in: MixedGraph | None = None
    """A solution in which it does not."""
    missing: str | None = None
    """For a possible claim: what would decide it."""
    given_up: tuple[Statement, ...] = ()
    """What the repair gave up under which this was explained."""
    other_repairs: bool = False
    """Whether the solutions come from other repairs too."""
    oriented: frozenset[Statement] = frozenset()
    """Those relations that say no more than which way an edge points, if there is one (``iod-bcd``)."""
    finding: Finding | None = None
    """How sure the claim is, if that is known."""
    without_weakest: Without | None = None
    """What would become of it without its weakest link; ``None`` if that is not known."""

    @property
    def weakest(self) -> Statement | None:
        """The weakest link: of the statements that settle it, the one of least weight; ``None`` if none has a weight.

        >>> from weft.evidence.statements import Relation
        >>> sure, less = Relation("X", "Y", frozenset({"->"}), 4.0), Relation("Y", "Z", frozenset({"->"}), 2.0)
        >>> Explanation(Claim.parse("X causes Z"), Verdict.CERTAIN, (sure, less)).weakest == less
        True
        """
        if self.verdict is Verdict.CONTRADICTION:
            return None
        return min((one for one in self.statements if one.weight is not None), key=_weight, default=None)

    @property
    def sure(self) -> float | None:
        """How sure it is that the claim holds, or that it does not, whichever is explained; ``None`` if not known."""
        return None if self.told is None else self.told.confidence

    @property
    def told(self) -> Finding | None:
        """What is known of the claim or of its opposite: of what follows or is ahead, else of what is surer."""
        if self.finding is None:
            return None
        if self.verdict is Verdict.CERTAIN or self.verdict is Verdict.IMPOSSIBLE:
            return self.finding if self.verdict is Verdict.CERTAIN else self.finding.opposite
        ahead = self.finding if (self.finding.margin or 0.0) > 0 else self.finding.opposite
        return ahead if self.leans else self.finding.stated

    @property
    def leans(self) -> bool:
        """Whether it is open in the structures that were allowed, but one side is ahead."""
        return self.verdict is Verdict.POSSIBLE and bool(self.statements)

    @property
    def given_up_here(self) -> tuple[Statement, ...]:
        """Those of the statements given up that are about the same two variables."""
        pair = {self.claim.x, self.claim.y}
        return tuple(one for one in self.given_up if {one.x, one.y} == pair)

    @property
    def lead(self) -> str:
        """The answer in one sentence."""
        return _lead(self)

    @property
    def reasons(self) -> tuple[str, ...]:
        """The statements in sentences."""
        return tuple(f"{self.sentence_of(one)}." for one in self.statements)

    @property
    def besides(self) -> tuple[str, ...]:
        """What else is needed, in sentences: what was known, and what was assumed."""
        known = (f"Known beforehand: {claim.clause}." for claim in self.known)
        return (*known, *(f"Assumed: {claim.clause}." for claim in self.assumed))

    @property
    def close(self) -> tuple[str, ...]:
        """What follows: whether all of it is needed, the weakest link, what would decide it, what was given up."""
        return (*_needed(self), *_link(self), *_tail(self))

    def sentences(self) -> list[str]:
        """The explanation in plain English, a sentence each.

        >>> from weft import oracle, solve
        >>> solutions = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]]))
        >>> for sentence in explain(solutions, "X causes Z").sentences():
        ...     print(sentence)
        It is certain that X causes Z: it follows from these 2 statements together.
        X causes Y, and they have no common cause (oracle, taken as given).
        Y causes Z, and they have no common cause (oracle, taken as given).
        Without any one of these, the rest would not be enough.
        """
        return [self.lead, *self.reasons, *self.besides, *self.close]

    def lines(self, most: int | None = None) -> Iterator[str]:
        """The explanation in lines, what it rests on as a list of at most so many."""
        yield from wrapped(self.lead)
        listed = (*self.reasons, *self.besides)
        for sentence in listed[:most]:
            yield from wrapped(sentence, "  - ")
        if most is not None and len(listed) > most:
            yield f"  and {len(listed) - most:,} more (--format json lists all)"
        for sentence in self.close:
            yield from wrapped(sentence)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Explanation of '{self.claim}': {self.verdict}, {len(self.statements)} statements>"

    def _repr_html_(self) -> str:
        return html_text(self.lines())

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "claim": str(self.claim),
            "verdict": self.verdict.value,
            "confidence": None if self.finding is None else self.finding.confidence,
            "margin": None if self.finding is None else _finite(self.finding.margin),
            "statements": [self._document(one) for one in self.statements],
            "known": [str(claim) for claim in self.known],
            "assumed": [str(claim) for claim in self.assumed],
            "minimal": self.minimal,
            "weakest": None if self.weakest is None else self._document(self.weakest),
            "without_weakest": self.without_weakest,
            "holds_in": None if self.holds_in is None else str(self.holds_in),
            "fails_in": None if self.fails_in is None else str(self.fails_in),
            "missing": self.missing,
            "given_up": [self._document(one) for one in self.given_up],
            "given_up_here": [self._document(one) for one in self.given_up_here],
            "other_repairs": self.other_repairs,
            "lead": self.lead,
            "besides": list(self.besides),
            "close": list(self.close),
        }

    def _document(self, statement: Statement) -> dict[str, Any]:
        from weft.solutions.documents import statement_document

        return statement_document(statement) | {"sentence": self.sentence_of(statement)}

    def sentence_of(self, statement: Statement) -> str:
        """One of the statements in plain English, without the full stop."""
        return sentence_of(statement, oriented=statement in self.oriented)


def _weight(statement: Statement) -> float:
    return math.inf if statement.weight is None else statement.weight


def _finite(margin: float | None) -> float | None:
    """A margin as JSON has it, which knows no infinity."""
    return None if margin is None or math.isinf(margin) else margin


# -- the answer ------------------------------------------------------------------------------------------------------


def explain(
    solutions: SolutionSet, claim: str | Claim, *, finding: Finding | None = None, patience: float = PATIENCE
) -> Explanation:
    """Why a claim holds in all, some or none of the solutions.

    Parameters
    ----------
    solutions
        The solutions in question. Their timeout, if there is one, is the most that each of the two halves of the work
        may take: the verdict, and the reason for it.
    claim
        Anything that :mod:`weft.evidence.claims` reads, ``why`` or ``why not`` in front allowed.
    finding
        What is known of the claim, with its margin; if not given, it is taken from what was worked out before.
    patience
        About how many seconds of work, counted and not timed, may go into what would become of the claim without its
        weakest link; with 0 that is not asked.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> found = explain(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), "X <-> Z")
    >>> found.verdict, str(found.holds_in), str(found.fails_in)
    (<Verdict.POSSIBLE: 'possible'>, 'Y -> X; X <-> Z; Y <-> Z', 'Y -> X; Y <-> Z')
    """
    claim = read_question(claim, solutions.evidence.variables) if isinstance(claim, str) else claim
    solutions.assume(claim)  # refuses unknown variables
    finding = _known_finding(solutions, claim) if finding is None else finding
    with solutions._at_work():
        return _Inquiry(solutions, claim, finding, patience).explanation()


def _known_finding(solutions: SolutionSet, claim: Claim) -> Finding | None:
    """What is known of a claim, with its margin, if that takes no time."""
    known, supposed = solutions._known, solutions.supposed
    if any(known.recall((what, supposed), solutions._patience) is None for what in ("summary", "margins", "draws")):
        return None
    try:
        return solutions.summary(margins=True).finding(claim)
    except ProblemError:  # a summary does not cover marks at one end
        return None


def read_question(text: str, names: Iterable[str] = ()) -> Claim:
    """The claim that a question about these variables is about.

    >>> print(read_question("why not X -> Y"))
    X -> Y
    """
    names = tuple(names)
    try:
        return Claim.among(text, names)  # the whole first: a variable may be called "why"
    except ProblemError:
        question = re.match(r"\s*why(\s+not)?\s+", text)
        if not question:
            raise
    return Claim.among(text[question.end() :], names)


class _Inquiry:
    """The working state of :func:`explain`."""

    def __init__(self, solutions: SolutionSet, claim: Claim, finding: Finding | None, patience: float) -> None:
        self.solutions = solutions
        self.claim = claim
        self.finding, self.patience = finding, patience
        self.claims = solutions.supposed
        self.search = _reasoning(solutions)
        # After a repair, what was given up under assumptions is read off a model, which a structure is not.
        self.structures = None if solutions.conflicts == "repair" and solutions.assumed else solutions.every_structure
        self.deadline = self._later()
        self.minimal = True

    def _later(self) -> float | None:
        return None if self.solutions.timeout is None else time.monotonic() + self.solutions.timeout

    def find(self, *claims: Claim) -> Found:
        """A solution in which claims hold too: among the structures if all are known, else by the solver."""
        if self.structures is None or any(claim.topic is Topic.CONFOUNDED for claim in claims):
            return self.search.find((*self.claims, *claims), self.deadline)
        where = reduce(and_, map(self.structures.where, claims), self.structures.everywhere)
        if not where:
            return Found(Status.NONE)
        return Found(Status.FOUND, self.structures[(where & -where).bit_length() - 1])

    def explanation(self) -> Explanation:
        holds, fails = self.find(self.claim), self.find(self.claim.negated)
        verdict = _VERDICTS.get((holds.status, fails.status), Verdict.UNKNOWN)
        missing = self._missing() if verdict is Verdict.POSSIBLE else None
        self.deadline = self._later()
        given_up, others = self._given_up(holds.graph or fails.graph)
        statements: tuple[Statement, ...] = ()
        supposed: tuple[Claim, ...] = ()
        refuted = self._refuted(verdict, given_up)
        if verdict is Verdict.CONTRADICTION:
            statements, supposed = self._reason(self._without_solution())
        elif refuted is not None:
            statements, supposed = self._reason(self.search.without(given_up), refuted)
        elif verdict is Verdict.UNKNOWN:
            statements = self._in_the_way(given_up)
        known = self.solutions.knowledge
        found = Explanation(
            self.claim,
            verdict,
            statements,
            tuple(one for one in supposed if one in known.claims),
            tuple(one for one in supposed if one not in known.claims),
            self.minimal,
            self._example(holds),
            self._example(fails),
            missing,
            given_up,
            others,
            frozenset(one.origin for one in self.search.problem.orientations) - frozenset(known.relations),
            self.finding,
        )
        if refuted is None or found.weakest is None:
            return found
        return replace(found, without_weakest=self._without(found, refuted))

    def _example(self, found: Found) -> MixedGraph | None:
        if found.graph is None:
            return None
        return found.graph if self.claim.topic is Topic.CONFOUNDED else found.graph.undoubled()

    @property
    def _is_beyond(self) -> bool:
        """Whether the solutions are beyond the solver, so that only what is small is asked of it."""
        return isinstance(self.search, RepairedSearch) and self.search.is_beyond

    # -- reasons -----------------------------------------------------------------------------------------------------

    def _refuted(self, verdict: Verdict, given_up: tuple[Statement, ...]) -> Claim | None:
        """The claim or its opposite, whichever the statements that are kept refute; ``None`` if neither."""
        if verdict in (Verdict.CERTAIN, Verdict.IMPOSSIBLE):
            return self.claim.negated if verdict is Verdict.CERTAIN else self.claim
        if verdict is not Verdict.POSSIBLE or self.finding is None or not self.finding.margin:
            return None
        # More than the least may be given up, and then it does not hold in all; where the least is, it does.
        if self._is_beyond:
            return None
        behind = self.claim.negated if self.finding.margin > 0 else self.claim
        found = self.search.without(given_up).find((*self.claims, behind), self.deadline)
        return behind if found.status is Status.NONE else None

    def _in_the_way(self, given_up: tuple[Statement, ...]) -> tuple[Statement, ...]:
        """What the cheapest model known gives up that denies the claim which is ahead, beyond what is given up anyway.

        It is no proof: another model may deny the claim and give up less, or something else.
        """
        if self.finding is None or not self.finding.margin or not isinstance(self.search, RepairedSearch):
            return ()
        self.minimal = False
        behind = self.claim.negated if self.finding.margin > 0 else self.claim
        return tuple(one for one in self.search.denial(self.claims, behind) if one not in given_up)

    def _without(self, found: Explanation, behind: Claim) -> Without | None:
        """What would become of the claim that is ahead, were it not for the weakest statement that it rests on."""
        weakest = found.weakest
        assert weakest is not None
        assert weakest.weight is not None
        margin = None if self.finding is None or not self.finding.margin else abs(self.finding.margin)
        if margin is not None and weakest.weight < margin - _ALIKE:
            return Without.AHEAD
        if margin is not None and found.finding is not None and found.finding.exact and not found.given_up:
            others = [_weight(one) for one in found.statements if one is not weakest]
            # Whatever denies the claim gives up one of these, and only one of them is as light as that.
            if abs(weakest.weight - margin) < _ALIKE and min(others, default=math.inf) > margin + _ALIKE:
                return Without.OPEN
        if not self.patience or self._is_beyond:
            return None
        less = self._less(weakest, found.given_up)
        with portion(1.0, round(PER_SECOND * self.patience)):
            fails = less.find((*self.claims, behind), self.deadline)
            if fails.status is not Status.FOUND:
                return Without.AHEAD if fails.status is Status.NONE else None
            holds = less.find((*self.claims, behind.negated), self.deadline)
        return {Status.FOUND: Without.OPEN, Status.NONE: Without.BEHIND}.get(holds.status)

    def _less(self, statement: Statement, given_up: tuple[Statement, ...]) -> Search:
        """The search as if there were no such statement: what had to be given up for it may come back."""
        if not given_up:
            return self.search.without([statement])
        problem = self.search.problem
        keys = [key for key, one in problem.statements.items() if one.origin == statement]
        return open_search("asp", problem.without(keys), conflicts="repair")

    def _given_up(self, model: MixedGraph | None) -> tuple[tuple[Statement, ...], bool]:
        """What one best repair under the assumptions gives up, and whether there are other repairs."""
        repair = None if model is None else self.search.repair(self.deadline)
        if repair is None or model is None:
            return (), False
        others = repair.unique is not True or repair.slack > 0
        if self.claims == self.search.problem.claims:  # nothing was assumed beyond the knowledge
            return repair.given_up, others
        mag = model.undoubled()  # the best repair of all need not agree with what was assumed
        statements = self.search.problem.statements.values()
        return tuple(one.origin for one in statements if not one.holds_in(model, mag) and one.origin.weight), others

    def _without_solution(self) -> Search:
        """A search whose statements are those that cannot hold with what was supposed."""
        repair, statements = self.search.repair(self.deadline), self.search.problem.statements.values()
        if repair is None:
            return self.search
        if repair.cost is not None:  # what was assumed contradicts every repair that may be afforded
            return self.search.without(repair.given_up)
        return self.search.without([one.origin for one in statements if one.origin.weight is not None])

    def _reason(self, search: Search, *opposite: Claim) -> tuple[tuple[Statement, ...], tuple[Claim, ...]]:
        """Statements, and claims among those that were supposed, which cannot hold together (with one more)."""

        def refuted(claims: Sequence[Claim]) -> bool:
            status = search.find((*claims, *opposite), self.deadline).status
            self.minimal = self.minimal and status is not Status.OUT_OF_TIME
            return status is Status.NONE

        with portion(1.0, REASON):
            supposed = least(refuted, self.claims)
            conflict = search.conflict((*supposed, *opposite), self.deadline)
        assert conflict is not None, "what has no solution has a conflict"
        self.minimal = self.minimal and conflict.minimal
        return conflict.statements, supposed

    # -- what would decide it ----------------------------------------------------------------------------------------

    def _missing(self) -> str:
        claim = self.claim
        x, y = quote(claim.x), quote(claim.y)
        if claim.topic is Topic.CAUSES:
            return f"An{_experiment(x, y)[2:]} would decide it."
        if claim.topic is Topic.CONFOUNDED:
            return (
                f"How {x} and {y} go together when an experiment sets one of them (each in turn), compared with how "
                "they do when both are only observed, would decide it."
            )
        wanted = " and ".join(self._open_facts())
        return f"{wanted[:1].upper()}{wanted[1:]} would decide it."

    def _open_facts(self) -> Iterator[str]:
        """What an edge hangs on and is not settled: whether the two are adjacent, and who causes whom."""
        claim = self.claim
        x, y = quote(claim.x), quote(claim.y)
        adjacent = Claim(Topic.EDGE, claim.x, claim.y)
        if self.find(adjacent.negated).status is not Status.NONE:
            together = any({claim.x, claim.y} <= set(study.variables) for study in self.solutions.evidence.studies)
            unseen = "" if together else " (no study measured the two together)"
            yield f"a study of {x} and {y} together with all other variables{unseen}, to see whether they are adjacent,"
        marks: tuple[int, ...] = EDGE_SYMBOLS[claim.symbol]
        if self.solutions.selection and claim.symbol != "o-o":
            yield f"an account of what {x} and {y} cause, the selection of cases included,"
            return
        if Mark.TAIL in marks:  # a cause is never the other's effect as well, so the tail is all that matters
            marks = tuple(mark if mark == Mark.TAIL else Mark.CIRCLE for mark in marks)
        for mark, cause, effect in ((marks[0], claim.x, claim.y), (marks[1], claim.y, claim.x)):
            causes = Claim(Topic.CAUSES, cause, effect)
            if mark != Mark.CIRCLE and all(
                self.find(adjacent, one).status is not Status.NONE for one in (causes, causes.negated)
            ):
                yield _experiment(quote(cause), quote(effect))


_VERDICTS = {
    (Status.FOUND, Status.FOUND): Verdict.POSSIBLE,
    (Status.FOUND, Status.NONE): Verdict.CERTAIN,
    (Status.NONE, Status.FOUND): Verdict.IMPOSSIBLE,
    (Status.NONE, Status.NONE): Verdict.CONTRADICTION,
}


def _reasoning(solutions: SolutionSet) -> Search:
    """A search that finds latent-variable models and grounds on demand; the solutions' own if it can."""
    if solutions.engine == "asp":
        return solutions._search
    return open_search(
        "asp",
        solutions._search.problem,
        conflicts=solutions.conflicts,
        slack=solutions.slack,
        coverage=solutions.coverage,
    )


def _experiment(cause: str, effect: str) -> str:
    return f"an experiment that sets {cause}, to see whether {effect} responds,"


# -- in words --------------------------------------------------------------------------------------------------------


def in_percent(share: float) -> str:
    """A share as per cent; what is not nothing is never 0 %, and what is not all is never 100 %.

    >>> in_percent(0.954), in_percent(0.999), in_percent(1.0), in_percent(0.001)
    ('95 %', '> 99 %', '100 %', '< 1 %')
    """
    if 0 < share < 0.01 or 0.99 < share < 1:
        return "< 1 %" if share < 0.5 else "> 99 %"
    return f"{math.floor(100 * share + 0.5)} %"  # as the page rounds


def _lead(found: Explanation) -> str:
    number = len(found.statements)
    these = "this statement" if number == 1 else f"these {number} statements together"
    besides = _besides(found)
    said, verdict = found.claim.clause, found.verdict
    if verdict is Verdict.UNKNOWN:
        return _lead_of_estimate(found) or f"The time ran out before it was known whether {said}."
    if verdict is Verdict.CONTRADICTION:
        why = " and ".join([these] * (number > 0) + besides)
        return f"Nothing can be said about whether {said}, since there is no solution: {why} cannot hold."
    if found.leans:
        ahead = found.claim if found.told is None else found.told.claim
        reason = f"it rests on {' and '.join([these, *besides])}, and some structures that may be afforded deny it"
        return f"It is likely{_how_sure(found)} that {ahead.clause}: {reason}."
    if verdict is Verdict.POSSIBLE:
        return f"It is open whether {said}{_likely(found)}."
    opening = _opening(found)
    reason = "it contradicts" if verdict is Verdict.IMPOSSIBLE else "it follows from"
    if number:
        return f"{opening} {said}{_how_sure(found)}: {reason} {' and '.join([these, *besides])}."
    always = "in every structure there is" if verdict is Verdict.CERTAIN else "in no structure there is"
    why = f"{reason} {' and '.join(besides)}" if besides else f"it holds {always}, whatever the evidence"
    return f"{opening} {said}: {why}."


def _lead_of_estimate(found: Explanation) -> str | None:
    """What is told of a claim that is not settled, if one side is likelier."""
    stated = found.told
    if stated is None or (stated.confidence or 0.0) <= 0.5:
        return None
    number = len(found.statements)
    these = "this statement" if number == 1 else f"these {number} statements"
    why = f": the cheapest structure known that denies it gives up {these}" if number else ""
    return f"It is likely{_how_sure(found)} that {stated.claim.clause}, but not proven{why}."


def _opening(found: Explanation) -> str:
    """How a settled claim is put: what rests on data is not called certain."""
    if found.weakest is None:
        return f"It is {found.verdict} that"
    return "The findings say that" if found.verdict is Verdict.CERTAIN else "The findings exclude that"


def _how_sure(found: Explanation) -> str:
    if found.sure is None or found.sure == 1:
        return ""
    but = ", since most models that are likely deny it" if found.sure < 0.5 else ""
    return f" ({in_percent(found.sure)} sure{but})"


def _likely(found: Explanation) -> str:
    """Which side most of the likely models are on, where the structures of least cost differ."""
    stated = found.told
    if stated is None or stated.drawn is None or (stated.confidence or 0.0) <= 0.5:
        return ""
    word = "likely" if stated.claim.holds == found.claim.holds else "unlikely"
    return f", since structures that fit as well differ; it is {word}{_how_sure(found)} by most models that are likely"


def _besides(found: Explanation) -> list[str]:
    return ["what was known beforehand"] * bool(found.known) + ["what was assumed"] * bool(found.assumed)


def _needed(found: Explanation) -> Iterator[str]:
    number = len(found.statements) + len(found.known) + len(found.assumed)
    if found.verdict is Verdict.UNKNOWN:
        return
    if not found.minimal:
        yield "The time ran out: fewer of these may be enough."
    elif number == 1 and found.verdict is not Verdict.CONTRADICTION:
        if found.without_weakest is None:
            yield "Without it, nothing here would settle the question."
    elif number > 1:
        contradiction = found.verdict is Verdict.CONTRADICTION
        yield (
            "Without any one of these, the others can hold together."
            if contradiction
            else "Without any one of these, the rest would not be enough."
        )


_WITHOUT = {
    Without.AHEAD: "the claim would still be ahead, thanks to others",
    Without.OPEN: "the claim would be open",
    Without.BEHIND: "the opposite would be ahead",
}


def _link(found: Explanation) -> Iterator[str]:
    """The weakest link, if there are several, and what would follow without it."""
    without = "" if found.without_weakest is None else f"Without it, {_WITHOUT[found.without_weakest]}."
    if found.weakest is not None and len(found.statements) > 1:
        yield f"The weakest of these: {found.sentence_of(found.weakest)}.{' ' * bool(without)}{without}"
    elif without:
        yield without


def _tail(found: Explanation) -> Iterator[str]:
    if found.verdict in (Verdict.POSSIBLE, Verdict.UNKNOWN):
        if found.holds_in is not None:
            yield f"It holds in {found.holds_in}."
        if found.fails_in is not None:
            yield f"It does not hold in {found.fails_in}."
    if found.missing is not None:
        yield found.missing
    settled = found.verdict in (Verdict.CERTAIN, Verdict.IMPOSSIBLE)
    for one in found.given_up_here:
        yield f"Given up because it contradicts weightier evidence: {found.sentence_of(one)}."
    if found.other_repairs and found.given_up and settled:
        yield "Other repairs of the contradictions agree on this, though their reasons may differ."


def sentence_of(statement: Statement, *, oriented: bool = False) -> str:
    """A statement and the data behind it in plain English, without the full stop.

    If ``oriented``, a relation speaks of the edge alone, as ``iod-bcd`` has it.
    """
    return statement.edge_sentence() if oriented and isinstance(statement, Relation) else statement.sentence()
