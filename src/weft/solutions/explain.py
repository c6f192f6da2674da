"""Why a claim is certain, possible or impossible: the few statements behind it, in sentences.

A claim is *certain* if it holds in every solution, *impossible* if in none, *possible* if in some but not in all. That
a claim is certain means that its opposite contradicts the statements; that it is impossible, that it contradicts them
itself. So the reason is a conflict (:mod:`weft.search.conflicts`): a set of statements that cannot hold together with
the claim, or with its opposite. It is *minimal*: take any one statement out, and the others leave the question open.
There may be other such sets; one of them is given.

What was assumed before (:meth:`SolutionSet.assume`, or an expert's knowledge) counts as the statements do: only what is
needed is named. As much as possible is put down to statements: an assumption is named only if the statements do not do
without it.

Where contradictions were repaired, the reason is sought among the statements that one best repair keeps. What holds in
every solution holds under each repair, so there is a reason in this one; under another repair it may be a different
one.

A possible claim comes with two solutions, one in which it holds and one in which it does not, and with what would
decide it.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import reduce
from operator import and_
from typing import TYPE_CHECKING, Any

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Relation, Statement
from weft.graphs.mixed import EDGE_SYMBOLS, Mark, MixedGraph, quote
from weft.search.conflicts import least
from weft.search.program import Found, Status
from weft.search.registry import open_search
from weft.search.search import Search

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


@dataclass(frozen=True)
class Explanation:
    """Why a claim is certain, possible or impossible. Made by :func:`explain`."""

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
        """What follows from that: whether all of it is needed, what would decide an open claim, what was given up."""
        return (*_needed(self), *_tail(self))

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

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "claim": str(self.claim),
            "verdict": self.verdict.value,
            "statements": [self._document(one) for one in self.statements],
            "known": [str(claim) for claim in self.known],
            "assumed": [str(claim) for claim in self.assumed],
            "minimal": self.minimal,
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


# -- the answer ------------------------------------------------------------------------------------------------------


def explain(solutions: SolutionSet, claim: str | Claim) -> Explanation:
    """Why a claim is certain, possible or impossible.

    Parameters
    ----------
    solutions
        The solutions in question. Their timeout, if there is one, is the most that each of the two halves of the work
        may take: the verdict, and the reason for it.
    claim
        Anything that :mod:`weft.evidence.claims` reads, ``why`` or ``why not`` in front allowed.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> found = explain(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])), "X <-> Z")
    >>> found.verdict, str(found.holds_in), str(found.fails_in)
    (<Verdict.POSSIBLE: 'possible'>, 'Y -> X; X <-> Z; Y <-> Z', 'Y -> X; Y <-> Z')
    """
    claim = read_question(claim) if isinstance(claim, str) else claim
    solutions.assume(claim)  # refuses unknown variables
    return _Inquiry(solutions, claim).explanation()


def read_question(text: str) -> Claim:
    """The claim that a question is about.

    >>> print(read_question("why not X -> Y"))
    X -> Y
    """
    try:
        return Claim.parse(text)  # the whole first: a variable may be called "why"
    except ProblemError:
        question = re.match(r"\s*why(\s+not)?\s+", text)
        if not question:
            raise
    return Claim.parse(text[question.end() :])


class _Inquiry:
    """The working state of :func:`explain`."""

    def __init__(self, solutions: SolutionSet, claim: Claim) -> None:
        self.solutions = solutions
        self.claim = claim
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
        if verdict is Verdict.CONTRADICTION:
            statements, supposed = self._reason(self._without_solution())
        elif verdict in (Verdict.CERTAIN, Verdict.IMPOSSIBLE):
            statements, supposed = self._reason(
                self.search.without(given_up), self.claim.negated if holds.graph else self.claim
            )
        known = self.solutions.knowledge
        return Explanation(
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
        )

    def _example(self, found: Found) -> MixedGraph | None:
        if found.graph is None:
            return None
        return found.graph if self.claim.topic is Topic.CONFOUNDED else found.graph.undoubled()

    # -- reasons -----------------------------------------------------------------------------------------------------

    def _given_up(self, model: MixedGraph | None) -> tuple[tuple[Statement, ...], bool]:
        """What one best repair under the assumptions gives up, and whether there are other repairs."""
        repair = None if model is None else self.search.repair(self.deadline)
        if repair is None or model is None:
            return (), False
        others = repair.unique is not True or self.solutions.slack > 0
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
    return open_search("asp", solutions._search.problem, conflicts=solutions.conflicts, slack=solutions.slack)


def _experiment(cause: str, effect: str) -> str:
    return f"an experiment that sets {cause}, to see whether {effect} responds,"


# -- in words --------------------------------------------------------------------------------------------------------


def _lead(found: Explanation) -> str:
    number = len(found.statements)
    these = "this statement" if number == 1 else f"these {number} statements together"
    besides = _besides(found)
    said, verdict = found.claim.clause, found.verdict
    if verdict is Verdict.UNKNOWN:
        return f"The time ran out before it was known whether {said}."
    if verdict is Verdict.CONTRADICTION:
        why = " and ".join([these] * (number > 0) + besides)
        return f"Nothing can be said about whether {said}, since there is no solution: {why} cannot hold."
    if verdict is Verdict.POSSIBLE:
        return f"It is open whether {said}."
    reason = "it contradicts" if verdict is Verdict.IMPOSSIBLE else "it follows from"
    if number:
        return f"It is {verdict} that {said}: {reason} {' and '.join([these, *besides])}."
    always = "in every structure there is" if verdict is Verdict.CERTAIN else "in no structure there is"
    why = f"{reason} {' and '.join(besides)}" if besides else f"it holds {always}, whatever the evidence"
    return f"It is {verdict} that {said}: {why}."


def _besides(found: Explanation) -> list[str]:
    return ["what was known beforehand"] * bool(found.known) + ["what was assumed"] * bool(found.assumed)


def _needed(found: Explanation) -> Iterator[str]:
    number = len(found.statements) + len(found.known) + len(found.assumed)
    if not found.minimal:
        yield "The time ran out: fewer of these may be enough."
    elif number == 1 and found.verdict is not Verdict.CONTRADICTION:
        yield "Without it, nothing here would settle the question."
    elif number > 1:
        contradiction = found.verdict is Verdict.CONTRADICTION
        yield (
            "Without any one of these, the others can hold together."
            if contradiction
            else "Without any one of these, the rest would not be enough."
        )


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
