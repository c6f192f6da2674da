"""What the solutions say of each claim: the one vocabulary in which answers are told, shown and written.

A :class:`Finding` is a claim with all that is known about it: in which solutions it holds, in which share of the
structures, and what became of it in runs on half of the rows. Text, JSON, the page, figures and the explorer
all show findings; a new figure about a claim is added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations
from typing import Any

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic, claims_about
from weft.reading.arguments import check_argument
from weft.reading.frames import frame_of, html_table
from weft.search.consequences import Consequences, Holds
from weft.search.draws import DIGITS
from weft.search.margins import IMPOSSIBLE, Margin
from weft.solutions.confidence import coherent, confidence_of
from weft.solutions.structures import Structures


@dataclass(frozen=True)
class Again:
    """In which share of repeated runs a claim held in all, in some, in none of the structures.

    What is missing to 1 are runs in which that was not settled.
    """

    all: float
    some: float
    none: float

    @property
    def opposite(self) -> Again:
        """The same of the opposite claim."""
        return Again(self.none, self.some, self.all)


@dataclass(frozen=True)
class Finding:
    """A claim, and what is known about it."""

    claim: Claim
    holds: Holds
    """In which solutions it holds."""
    share: float | None = None
    """In which share of the structures that were looked at it holds; ``None`` if that is not known."""
    again: Again | None = None
    """What became of it in bootstrap runs, if there were any."""
    confidence: float | None = None
    """How sure it is, from 0 to 1; ``None`` where that was not worked out."""
    margin: float | None = None
    """What must be given up to deny it, beyond the least; negative if its opposite is ahead, infinite for certainty."""
    exact: bool = False
    """Whether the margin is proven to be just that; else it is as much at least, in either direction, or estimated."""
    estimated: bool = False
    """Whether the margin is an estimate: by the cheapest structures that were found, so that it may be smaller."""
    drawn: float | None = None
    """In which share of the models that were drawn by how likely they are it holds; ``None`` if none were drawn."""

    def __str__(self) -> str:
        """The claim, where it holds, and how sure it is.

        >>> print(Finding(Claim.parse("X causes Y"), Holds.ALL, confidence=0.98))
        X causes Y (in all structures, 98 %)
        """
        where = "not known" if self.holds is Holds.UNKNOWN else f"in {self.holds} structures"
        return f"{self.claim} ({', '.join(filter(None, (where, _percent(self))))})"

    def __repr__(self) -> str:
        return f"<Finding: {self}>"

    @property
    def opposite(self) -> Finding:
        """The same knowledge about the opposite claim."""
        return Finding(
            self.claim.negated,
            self.holds.opposite,
            None if self.share is None else 1 - self.share,
            None if self.again is None else self.again.opposite,
            _rest(self.confidence),
            None if self.margin is None else 0.0 - self.margin,  # which is never -0
            self.exact,
            self.estimated,
            _rest(self.drawn),
        )

    @property
    def stated(self) -> Finding:
        """The same knowledge about the claim or its opposite, whichever is surer; about the claim if neither is."""
        unsure = self.confidence is None or self.confidence == 0.5
        behind = self.holds is Holds.NONE if unsure else (self.confidence or 0.0) < 0.5
        return self.opposite if behind else self


class Findings(tuple[Finding, ...]):
    """Several findings, as a tuple that shows itself as a table."""

    __slots__ = ()

    def to_frame(self) -> Any:
        """A data frame, a row for each claim."""
        return frame_of((_row(one) for one in self), ("claim", "holds", "confidence", "margin", "exact", "share"))

    def __str__(self) -> str:
        return "\n".join(f"{_percent(one):>8}  {one.claim}" for one in self)

    def __repr__(self) -> str:
        return f"<{len(self)} findings>"

    def _repr_html_(self) -> str:
        rows = [(_percent(one), one.claim, one.holds) for one in self[:_SHOWN]]
        more = f"<p>and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return html_table(rows, ("sure", "claim", "in structures")) + more


_SHOWN = 20
"""Rows in a notebook."""


def _told(findings: Iterable[Finding]) -> str:
    """What holds in all of the structures, and what in some."""
    kept = [one for one in findings if one.holds in (Holds.ALL, Holds.SOME)]
    return "; ".join(f"{one.claim} ({one.holds})" for one in kept)


def _row(one: Finding) -> dict[str, Any]:
    own = {"claim": str(one.claim), "holds": str(one.holds)}
    return own | {key: getattr(one, key) for key in ("confidence", "margin", "exact", "share")}


def _percent(one: Finding) -> str:
    return "" if one.confidence is None else "certain" if one.confidence == 1 else f"{100 * one.confidence:.0f} %"


@dataclass(frozen=True)
class Bootstrap:
    """What became of every claim in runs on half of the rows of each table."""

    runs: int
    """How many runs were made."""
    answered: int
    """How many of them led to an answer; the shares are over these."""
    seed: int
    shares: Mapping[Claim, Again]
    """By canonical claim."""


@dataclass(frozen=True)
class Summary:
    """What holds in all, in some, in none of the solutions: every claim about every pair of variables."""

    names: tuple[str, ...]
    findings: tuple[Finding, ...]
    """Pair by pair, and for each pair in the order of :func:`~weft.evidence.claims.claims_about`."""
    consistent: bool | None
    """Whether there is a solution at all; ``None`` if the time ran out before that was known."""

    def __repr__(self) -> str:
        state = {True: "consistent", False: "inconsistent", None: "not known"}[self.consistent]
        return f"<Summary: {state}, {len(self.findings)} findings>"

    def __len__(self) -> int:
        return len(self.findings)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def __getitem__(self, place: int) -> Finding:
        return self.findings[place]

    def to_frame(self) -> Any:
        """A data frame, a row for each pair: what edge it may have, and who causes whom."""
        return frame_of(
            ({"x": x, "y": y, "claims": _told(own)} for (x, y), own in self.pairs.items()),
            ("x", "y", "claims"),
        )  # fmt: skip

    @property
    def complete(self) -> bool:
        """Whether everything was settled before the time ran out."""
        return self.consistent is not None and all(one.holds is not Holds.UNKNOWN for one in self.findings)

    @property
    def certain(self) -> tuple[str, ...]:
        """The edges that every solution has, such as ``X -> Y``."""
        return tuple(str(one.claim) for one in self.edges if one.holds is Holds.ALL)

    @property
    def possible(self) -> tuple[str, ...]:
        """The edges that at least one solution has; those that every solution has among them."""
        return tuple(str(one.claim) for one in self.edges if one.holds in (Holds.ALL, Holds.SOME))

    @property
    def edges(self) -> Iterator[Finding]:
        """The findings about one edge each: ``X -> Y`` and its like."""
        return (one for one in self.findings if one.claim.topic is Topic.EDGE and one.claim.symbol != "o-o")

    @property
    def causes(self) -> Iterator[Finding]:
        """The findings about who causes whom."""
        return (one for one in self.findings if one.claim.topic is Topic.CAUSES)

    @cached_property
    def pairs(self) -> Mapping[tuple[str, str], tuple[Finding, ...]]:
        """The findings by pair of names, in sorted order."""
        found: dict[tuple[str, str], list[Finding]] = {pair: [] for pair in combinations(self.names, 2)}
        for one in self.findings:
            x, y = sorted((one.claim.x, one.claim.y))
            found[x, y].append(one)
        return {pair: tuple(own) for pair, own in found.items()}

    @cached_property
    def _by_claim(self) -> Mapping[Claim, Finding]:
        return {one.claim: one for one in self.findings}

    def finding(self, claim: str | Claim) -> Finding:
        """What is known about a claim: an edge without circles, a cause, a common cause, or the opposite of one.

        >>> from weft import oracle, solve
        >>> summary = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])).summary()
        >>> summary.finding("X does not cause Z").holds
        <Holds.NONE: 'none'>
        """
        check_argument("claim", claim, (str, Claim), "a text such as 'X causes Y', or a weft.Claim")
        claim = (Claim.among(claim, self.names) if isinstance(claim, str) else claim).canonical
        if claim.x == claim.y or not {claim.x, claim.y} <= set(self.names):
            raise ProblemError(f"there is no pair of variables {claim.x!r} and {claim.y!r}")
        positive = claim if claim.holds else claim.negated
        found = self._by_claim.get(positive)
        if found is None:
            if "o" in claim.symbol:
                raise ProblemError(f"'{claim}': a summary does not cover marks at one end; ask with assume()")
            found = Finding(positive, Holds.UNKNOWN if self.consistent is None else Holds.NONE)
        return found if claim.holds or self.consistent is False else found.opposite

    def holds(self, claim: str | Claim) -> Holds:
        """In which solutions a claim holds; see :meth:`finding`.

        >>> from weft import oracle, solve
        >>> summary = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])).summary()
        >>> summary.holds("X causes Z"), summary.holds("X -> Z")
        (<Holds.ALL: 'all'>, <Holds.NONE: 'none'>)
        """
        return self.finding(claim).holds

    def with_shares(self, structures: Structures) -> Summary:
        """The same, with the share of these structures in which each claim holds, and whether there are any.

        Whether two variables have a common cause is no matter of a structure alone, so that has no share.
        """
        if not structures.number:
            return replace(self, consistent=False if structures.complete else self.consistent)
        return replace(self, consistent=True)._replaced(
            replace(one, share=None if one.claim.topic is Topic.CONFOUNDED else structures.share(one.claim))
            for one in self.findings
        )

    def with_margins(
        self, margins: Mapping[Claim, Margin], drawn: Mapping[Claim, float], *, judged: bool = False
    ) -> Summary:
        """The same, with the margin of each claim, the share of the draws in which it holds, and how sure it is.

        ``judged`` says whether directions of pairs were judged from data (:mod:`weft.solutions.confidence`).
        """
        if self.consistent is False:
            return self
        found = [
            _weighed(one, margins.get(one.claim, IMPOSSIBLE), drawn.get(one.claim), judged)  # not listed: it cannot be
            for one in self.findings
        ]
        sure = coherent({one.claim: one.confidence for one in found if one.confidence is not None})  # which all have
        return self._replaced(replace(one, confidence=round(sure[one.claim], DIGITS)) for one in found)

    @property
    def claims(self) -> Findings:
        """What is claimed of every pair, stated so that none is behind its opposite; the surest first.

        Where there is no solution, a claim holds in none and so does its opposite: nothing is turned round.
        """
        stated = (one if self.consistent is False else one.stated for one in self.findings)
        return Findings(sorted(stated, key=_unsure))

    def with_bootstrap(self, bootstrap: Bootstrap) -> Summary:
        """The same, with what became of each claim in bootstrap runs."""
        return self._replaced(replace(one, again=bootstrap.shares.get(one.claim)) for one in self.findings)

    def _replaced(self, findings: Iterable[Finding]) -> Summary:
        return replace(self, findings=tuple(findings))


def _rest(share: float | None) -> float | None:
    """What is left of 1; rounded, so that what is left of that is the same again."""
    return None if share is None else round(1 - share, DIGITS)


def _weighed(finding: Finding, margin: Margin, share: float | None, judged: bool) -> Finding:
    """The same finding with its margin, the share of the draws in which it holds, and how sure it is by itself."""
    sure = confidence_of(finding.claim, margin.weight, estimated=margin.estimated, drawn=share, judged=judged)
    return replace(
        finding, margin=margin.weight, exact=margin.exact, estimated=margin.estimated, drawn=share, confidence=sure
    )


_ORDER = {Topic.CAUSES: 0, Topic.EDGE: 1, Topic.CONFOUNDED: 2}


def _unsure(finding: Finding) -> tuple[float, float, bool, int]:
    """Where a finding stands among the claims: by confidence, by margin; then what is so before what is not."""
    return -(finding.confidence or 0.0), -(finding.margin or 0.0), not finding.claim.holds, _ORDER[finding.claim.topic]


def summary_of(names: tuple[str, ...], consequences: Consequences, *, selection: bool) -> Summary:
    """What a search found out, claim by claim."""
    findings = tuple(
        Finding(claim, consequences.holds.get(claim, Holds.NONE))
        for x, y in combinations(names, 2)
        for claim in claims_about(x, y, selection=selection)
    )
    return Summary(names, findings, consequences.solvable)


# -- bootstrap runs ----------------------------------------------------------------------------------------------------

Record = dict[str, str]
"""What one run says: for each claim, in which of its solutions it holds."""


def record_of(summary: Summary) -> Record:
    """What a run says, as plain values."""
    return {str(one.claim): str(one.holds) for one in summary.findings}


def taken_together(records: Iterable[Record | None], seed: int) -> Bootstrap:
    """The shares over all runs that led to an answer (the others are ``None``).

    >>> found = taken_together([{"X -> Y": "all"}, {"X -> Y": "some"}, None], seed=0)
    >>> found.answered, found.shares[Claim.parse("X -> Y")]
    (2, Again(all=0.5, some=0.5, none=0.0))
    """
    listed = list(records)
    answers = [record for record in listed if record is not None]
    counts: dict[str, dict[str, int]] = {}
    for record in answers:
        for claim, holds in record.items():
            own = counts.setdefault(claim, {})
            own[holds] = own.get(holds, 0) + 1

    def again(own: Mapping[str, int]) -> Again:
        return Again(*(own.get(str(holds), 0) / len(answers) for holds in (Holds.ALL, Holds.SOME, Holds.NONE)))

    shares = {Claim.parse(claim).canonical: again(own) for claim, own in counts.items()}
    return Bootstrap(len(listed), len(answers), seed, shares)
