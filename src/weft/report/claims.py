"""The claims that are worth telling first: few, the surest first, each with what it rests on mostly.

An answer makes some hundred claims, most of them of little interest ("not X <-> Y"). Told first are, in this order:
who causes whom; who shares a cause, where the two are adjacent; who is adjacent, where no more is known; and who does
not cause whom, though the two go together and the other direction is not claimed. Each holds in all structures of least
cost, or is *likely*: some of these deny it, but most of the likely models have it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Connected, Dependent, Evidence, Statement
from weft.search.consequences import Holds
from weft.solutions.explain import Explanation, in_percent
from weft.solutions.findings import Finding, Summary

Pair = frozenset[str]

LIKELY = 0.75
"""From this confidence on, what is open is told, too."""


@dataclass(frozen=True)
class ToldClaim:
    """A claim that is told first, and what it rests on."""

    finding: Finding
    """As it is stated: it is surer than its opposite."""
    reason: Explanation | None = None
    """Why; ``None`` if that was not worked out."""

    @property
    def claim(self) -> Claim:
        """What is claimed."""
        return self.finding.claim

    @property
    def is_open(self) -> bool:
        """Whether it is only likely: some structures of least cost deny it."""
        return not _follows(self.finding)

    @property
    def though(self) -> str:
        """What is added to a claim that is only likely; empty if it follows."""
        against = (self.finding.margin or 0.0) < 0
        doubt = "though the structures that fit best deny it" if against else "though not in all structures"
        return doubt if self.is_open else ""

    @property
    def weakest(self) -> Statement | None:
        """What it rests on mostly, if it follows from data, and if it is known that it does."""
        return None if self.reason is None or not self.reason.minimal or self.is_open else self.reason.weakest

    @property
    def sure(self) -> str:
        """How sure it is, in a word: what rests on data is not certain, though nothing of it may be given up."""
        confidence = self.finding.confidence
        if confidence is None:
            return "not known"
        settled = "certain" if self.reason is None or self.reason.weakest is None else "in all"
        return settled if confidence == 1 else f"{not_proven(self.finding)}{in_percent(confidence)}"


def not_proven(finding: Finding) -> str:
    """The mark of a confidence that goes by an estimated margin."""
    return "~" if finding.estimated and finding.drawn is None else ""


def telling(summary: Summary, together: Collection[Pair]) -> tuple[Finding, ...]:
    """The claims that are told first, in the order in which they are.

    Parameters
    ----------
    summary
        What is known of every claim, with margins.
    together
        The pairs that go together, by what the studies found.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> found = solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).summary(margins=True)
    >>> for one in telling(found, [frozenset("XY"), frozenset("YZ")]):
    ...     print(one.claim)
    Y causes X
    Y and Z are confounded
    """
    if summary.consistent is not True:
        return ()
    ahead = [one for one in summary.claims if _is_ahead(one)]
    causes = [one for one in ahead if one.claim.topic is Topic.CAUSES and one.claim.holds]
    adjacent = {_pair(one): one for one in ahead if _says_adjacent(one.claim)}
    shared = [one for one in ahead if _says_shared(one.claim) and _pair(one) in adjacent]
    explained = {_pair(one) for one in (*causes, *shared)}
    joined = [one for pair, one in adjacent.items() if pair not in explained]
    caused = {_pair(one) for one in causes}
    denied = [
        one
        for one in ahead
        if one.claim.topic is Topic.CAUSES
        and not one.claim.holds
        and _pair(one) not in caused | {_pair(other) for other in shared}
        and (_pair(one) in together or _pair(one) in adjacent)
    ]
    return (*causes, *shared, *joined, *denied)


def _is_ahead(finding: Finding) -> bool:
    """Whether a claim follows, or is likely."""
    return _follows(finding) or (finding.confidence or 0.0) >= LIKELY


def _follows(finding: Finding) -> bool:
    """Whether a claim holds in all structures of least cost, as far as it is known."""
    return finding.holds is Holds.ALL if finding.margin is None else finding.margin > 0


def _pair(finding: Finding) -> Pair:
    return frozenset((finding.claim.x, finding.claim.y))


def _says_adjacent(claim: Claim) -> bool:
    return claim.topic is Topic.EDGE and claim.symbol == "o-o" and claim.holds


def _says_shared(claim: Claim) -> bool:
    return claim.topic is Topic.CONFOUNDED and claim.holds


def going_together(evidence: Evidence) -> set[Pair]:
    """The pairs that a study found to be connected, or dependent given some set."""
    return {frozenset((one.x, one.y)) for one in evidence.statements if isinstance(one, (Connected, Dependent))}


# -- in one sentence ---------------------------------------------------------------------------------------------------


def main_sentence(found: Collection[ToldClaim], evidence: Evidence) -> str:
    """What the studies together show, in one sentence.

    >>> from weft import oracle, solve
    >>> evidence = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    >>> summary = solve(evidence).summary(margins=True)
    >>> main_sentence([ToldClaim(one) for one in telling(summary, going_together(evidence))], evidence)
    'Together the 2 studies show 3 causal effects, all certain; 1 joins variables that no study measured together.'
    """
    number = len(evidence.studies)
    studies = "The study shows" if number == 1 else f"Together the {number:,} studies show"
    causes = [one for one in found if one.claim.topic is Topic.CAUSES and one.claim.holds]
    follow = [one for one in causes if not one.is_open]
    likely = [one for one in causes if one.is_open]
    if not causes:
        return f"{studies} no causal effect{_else_shown(found)}."
    if not follow:
        effects = "1 causal effect is" if len(likely) == 1 else f"{len(likely):,} causal effects are"
        sentence = f"{studies} no causal effect in all structures, but {effects} likely"
        return f"{sentence}{_range(likely)}{_far(likely, evidence)}."
    effects = "1 causal effect" if len(follow) == 1 else f"{len(follow):,} causal effects"
    sentence = f"{studies} {effects}{_range(follow)}{_far(follow, evidence)}."
    if not likely:
        return sentence
    more = "1 more is" if len(likely) == 1 else f"{len(likely):,} more are"
    return f"{sentence} {more} likely{_range(likely)}{_far(likely, evidence)}."


def _far(causes: Collection[ToldClaim], evidence: Evidence) -> str:
    """How many of them no study could see by itself."""
    far = sum(not _measured_together(one.claim, evidence) for one in causes)
    if not far:
        return ""
    which = "it" if len(causes) == 1 else f"{far:,}"
    return f"; {which} {'joins' if far == 1 else 'join'} variables that no study measured together"


def _else_shown(found: Collection[ToldClaim]) -> str:
    kinds = (
        (sum(_says_shared(one.claim) for one in found), "common cause", "common causes"),
        (sum(_says_adjacent(one.claim) for one in found), "edge of unknown direction", "edges of unknown direction"),
    )
    said = [f"{count:,} {one if count == 1 else many}" for count, one, many in kinds if count]
    return f", but {' and '.join(said)}" if said else ""


def _range(found: Collection[ToldClaim]) -> str:
    """Between what and what their confidence is."""
    sure = [one.finding.confidence for one in found if one.finding.confidence is not None]
    if not sure:
        return ""
    least, most = in_percent(min(sure)), in_percent(max(sure))
    if min(sure) == 1 and any(one.weakest is not None for one in found):
        return ", if no finding may be wrong"
    if min(sure) == 1:
        return ", certain" if len(found) == 1 else ", all certain"
    highest = "certain" if max(sure) == 1 else f"{most} sure"
    return f", {highest}" if least == most else f", from {highest} to {least}"


def _measured_together(claim: Claim, evidence: Evidence) -> bool:
    return any({claim.x, claim.y} <= set(study.variables) for study in evidence.studies)


def grouped(found: Collection[ToldClaim]) -> Iterator[tuple[ToldClaim, ...]]:
    """The claims; together those about several effects of one cause, equally sure and resting on the same."""
    groups: dict[object, list[ToldClaim]] = {}
    for one in found:
        claim, finding = one.claim, one.finding
        alike = claim.topic is Topic.CAUSES
        key = (claim.x, claim.holds, finding.confidence, one.weakest, finding.again, one.though) if alike else claim
        groups.setdefault(key, []).append(one)
    yield from map(tuple, groups.values())
