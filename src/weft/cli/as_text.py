"""The answer of ``weft solve`` for a reader: how many structures, what is certain, what is open, and the first few."""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice
from textwrap import wrap

from weft.cli.answer import Answer
from weft.cli.progress import counted
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph, quote
from weft.search.consequences import NO_EDGE, Holds
from weft.search.repair import Repair
from weft.solutions.solution_set import OtherRepair, SolutionSet
from weft.solutions.summary import PairSummary, Summary
from weft.solutions.sureness import Sureness

WIDTH = 78
SHOWN_GRAPHS, SHOWN_GRAPH_LINES, SHOWN_PAIRS, SHOWN_LINES, SHOWN_STATEMENTS = 6, 12, 8, 3, 20


def lines(answer: Answer, *, count_only: bool) -> Iterator[str]:
    """The answer, line by line."""
    graphs = counted(answer.graphs, "graphs")
    first = list(islice(graphs, SHOWN_GRAPHS))
    deque(graphs, maxlen=0)  # the others are only counted
    if answer.consistent is False:
        yield from _none(answer)
        return
    yield from wrapped(headline(answer))
    yield from _question(answer.solutions)
    if (repair := answer.repair()) is not None:
        yield from _given_up(repair)
        if repair.proven and repair.given_up and (other := answer.other_repair()):
            yield from _other(other, repair)
    if answer.consistent is None:
        return
    yield ""
    yield from findings(answer.summary)
    if answer.solutions.sureness is not None:
        yield from _sure(answer.summary, answer.solutions.sureness)
    if not count_only and first:
        yield ""
        yield from _structures(first, total=answer.census.mags)


def _structures(graphs: Sequence[MixedGraph], total: int) -> Iterator[str]:
    """The first few graphs, fewer if they are long."""
    blocks = [list(wrapped(str(graph), f"  {number}  ")) for number, graph in enumerate(graphs, 1)]
    shown = max(1, sum(length <= SHOWN_GRAPH_LINES for length in accumulate(map(len, blocks))))
    yield "The structures" if shown == total else "The first" if shown == 1 else f"The first {shown}"
    for block in blocks[:shown]:
        yield from block


def headline(answer: Answer) -> str:
    """How many structures there are."""
    census = answer.census
    if answer.consistent is None:
        return "Not known: the time ran out before a consistent structure was found. Give more with --timeout."
    if not census.mags:
        return "There are consistent structures; the time ran out before they were counted."
    mags = _number(census.mags, "consistent structure (MAG)", "consistent structures (MAGs)")
    pags = _number(census.pags, "equivalence class (PAG)", "equivalence classes (PAGs)")
    if census.complete:
        return f"{mags} in {pags}."
    return f"At least {mags} in at least {pags}; the count stopped there."


def _number(count: int, one: str, many: str) -> str:
    return f"{count:,} {one if count == 1 else many}"


def _question(solutions: SolutionSet) -> Iterator[str]:
    evidence = solutions.evidence
    counts = (
        _number(len(evidence.variables), "variable", "variables"),
        _number(len(evidence.studies), "study", "studies"),
        _number(len(evidence.statements), "statement", "statements"),
    )
    selection = ", with selection" if solutions.selection else ""
    yield from wrapped(f"{', '.join(counts)}; method {solutions.method}{selection}, engine {solutions.engine}.")
    if solutions.claims:
        yield from wrapped("; ".join(map(str, solutions.claims)), "Assumed: ")


# -- what is certain, what is open -----------------------------------------------------------------------------------


def findings(summary: Summary) -> Iterator[str]:
    """What all structures agree on, and where they differ."""
    nothing = "none" if summary.complete else "none that is known yet"
    yield from _listed(summary.certain, "Edges in all    ", nothing)
    yield from _listed(_causes(summary, Holds.ALL), "Causes in all   ", nothing)
    yield from _listed(_causes(summary, Holds.SOME), "Causes in some  ", nothing)
    pairs = [pair for pair in summary.pairs if Holds.SOME in pair.edges.values()]
    if not pairs and summary.complete:
        yield "Open pairs      none: every pair has the same edge, or none, in all"
    else:
        yield f"Open pairs      {len(pairs):,} of {len(summary.pairs):,}"
        yield from _open_pairs(pairs)
    if unknown := sum(Holds.UNKNOWN in (*p.edges.values(), p.causes, p.caused, p.confounded) for p in summary.pairs):
        yield f"Not settled     {unknown:,} of {len(summary.pairs):,} pairs: the time ran out"


def _open_pairs(pairs: Sequence[PairSummary]) -> Iterator[str]:
    shown = pairs[: SHOWN_PAIRS + (len(pairs) == SHOWN_PAIRS + 1)]
    names = [f"{quote(pair.x)}, {quote(pair.y)}" for pair in shown]
    width = min(max(map(len, names), default=0), 30)
    for name, pair in zip(names, shown, strict=True):
        yield from wrapped(" | ".join(_edges(pair)), f"  {name:<{width}}  ")
    if len(shown) < len(pairs):
        yield f"  and {len(pairs) - len(shown):,} more (--format json lists all)"


def _edges(pair: PairSummary) -> Iterator[str]:
    """The edges that the pair may have, as text; what is not settled has a question mark."""
    for symbol, holds in sorted(pair.edges.items(), key=lambda item: item[0] != NO_EDGE):
        if holds is not Holds.NONE:
            text = f"{quote(pair.x)} {symbol} {quote(pair.y)}" if symbol else "no edge"
            yield f"{text}?" if holds is Holds.UNKNOWN else text


def _causes(summary: Summary, wanted: Holds) -> list[str]:
    """Who causes whom: ``X causes Y, Z``."""
    effects: dict[str, list[str]] = {}
    for pair in summary.pairs:
        if pair.causes is wanted:
            effects.setdefault(pair.x, []).append(quote(pair.y))
        if pair.caused is wanted:
            effects.setdefault(pair.y, []).append(quote(pair.x))
    return [f"{quote(cause)} causes {', '.join(effects[cause])}" for cause in sorted(effects)]


def _sure(summary: Summary, sureness: Sureness) -> Iterator[str]:
    """How often the edges and causes that are certain were so with rows drawn anew."""
    edges, causes = [], []
    for pair in summary.pairs:
        shares = sureness.of(pair.x, pair.y).shares
        x, y = quote(pair.x), quote(pair.y)
        edges += [
            f"{y} -> {x} {shares[symbol].certain:.0%}"
            if symbol == "<-"
            else f"{x} {symbol} {y} {shares[symbol].certain:.0%}"
            for symbol, holds in pair.edges.items()
            if symbol != NO_EDGE and holds is Holds.ALL
        ]
        causes += [f"{x} causes {y} {shares['causes'].certain:.0%}"] if pair.causes is Holds.ALL else []
        causes += [f"{y} causes {x} {shares['caused'].certain:.0%}"] if pair.caused is Holds.ALL else []
    failed = sureness.runs - sureness.answered
    yield ""
    yield from wrapped(
        f"Certain again in how many of {sureness.answered:,} runs with rows drawn anew"
        + (f" ({failed:,} more led to no answer):" if failed else ":")
    )
    yield from _listed(edges, "  Edges         ", "none")
    yield from _listed(causes, "  Causes        ", "none")


# -- what was given up -----------------------------------------------------------------------------------------------


def _given_up(repair: Repair) -> Iterator[str]:
    """The repair: its weight, whether it is the best and the only one, and the statements."""
    if repair.cost is None:
        return
    yield ""
    if repair.proven and not repair.sometimes:
        yield "Nothing had to be given up: the statements do not contradict each other."
        return
    best = "the least possible" if repair.proven else f"the best found in time; at least {repair.bound:.3g} is needed"
    yield from wrapped(f"Given up: a weight of {repair.cost:.3g}, {best}.")
    statements = repair.sometimes or repair.given_up
    for statement in statements[:SHOWN_STATEMENTS]:
        only_some = "; not in every repair" if repair.unique is False and statement not in repair.always else ""
        yield from wrapped(f"{statement} ({_reason(statement)}{only_some})", "  - ")
    if (left := len(statements) - SHOWN_STATEMENTS) > 0:
        yield f"  and {left:,} more (--format json lists all)"
    if repair.unique is not None:
        only = "No other repair is as light." if repair.unique else "Several repairs are equally light."
        yield only


def _other(other: OtherRepair, best: Repair) -> Iterator[str]:
    """What a different repair would give up instead, and what it would change."""
    at_most = "" if other.repair.proven else "at most "
    yield f"A different repair costs {at_most}{other.repair.cost:.3g}."
    for verb, statements, others in (
        ("keeps", best.given_up, other.repair.given_up),
        ("gives up", other.repair.given_up, best.given_up),
    ):
        changed = [statement for statement in statements if statement not in others]
        for statement in changed[:SHOWN_LINES]:
            yield from wrapped(f"{statement} ({_reason(statement)})", f"  - it {verb}: ")
        if len(changed) > SHOWN_LINES:
            yield f"  - it {verb} {len(changed) - SHOWN_LINES:,} more"
    if other.no_longer_certain:
        yield from wrapped(f"Then these would no longer be certain: {'; '.join(other.no_longer_certain)}.")
    if other.newly_certain:
        yield from wrapped(f"Then these would be certain: {'; '.join(other.newly_certain)}.")
    if not other.no_longer_certain and not other.newly_certain:
        yield "The same edges would be certain."


def _reason(statement: Statement) -> str:
    """The weight of a statement, and what is behind it."""
    behind = statement.provenance
    p_value = "" if behind.p_value is None else f", p = {behind.p_value:.2g}"
    return f"weight {statement.weight:.3g}{p_value}{f', {behind.source}' if behind.source else ''}"


# -- why there is none -----------------------------------------------------------------------------------------------


def _none(answer: Answer) -> Iterator[str]:
    claims = answer.solutions.claims
    yield f"No structure is consistent with the evidence{' and the assumptions' if claims else ''}."
    yield from _question(answer.solutions)
    conflict = answer.conflict()
    if conflict is None:
        return
    yield ""
    if not conflict.statements:
        repaired = answer.solutions.conflicts == "repair"
        yield "The assumptions contradict every such repair." if repaired else "The assumptions contradict each other."
        return
    together = " under the assumptions" if claims else ""
    yield f"These statements cannot hold together{together}:"
    for statement in conflict.statements[:SHOWN_STATEMENTS]:
        yield from wrapped(str(statement), "  - ")
    if (left := len(conflict.statements) - SHOWN_STATEMENTS) > 0:
        yield f"  and {left:,} more (--format json lists all)"
    if conflict.minimal:
        yield "Give up any one of them and the others can hold."
    else:
        yield "The time ran out: fewer of them may be enough for the conflict."


# -- layout ----------------------------------------------------------------------------------------------------------


def _listed(items: Sequence[str], title: str, nothing: str) -> Iterator[str]:
    """Items after a title, as many as go on a few lines."""
    for shown in range(len(items), -1, -1):
        left = len(items) - shown
        rest = [f"and {left:,} more"] if left else [] if items else [nothing]
        found = list(wrapped("; ".join([*items[:shown], *rest]), title))
        if len(found) <= SHOWN_LINES:
            yield from found
            return


# An edge stays on one line: its blanks are hidden from the wrapping.
_EDGE = re.compile(r" (->|<-|<->|--) ")


def wrapped(text: str, title: str = "") -> Iterator[str]:
    """Text in lines, the first with a title, the others as far in.

    >>> list(wrapped("X -> Y; " * 12, "Edges  "))[1]
    '       X -> Y; X -> Y; X -> Y;'
    """
    found = wrap(
        _EDGE.sub("\N{NO-BREAK SPACE}\\1\N{NO-BREAK SPACE}", text),
        WIDTH,
        initial_indent=title,
        subsequent_indent=" " * len(title),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (line.replace("\N{NO-BREAK SPACE}", " ") for line in found)
