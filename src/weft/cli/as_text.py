"""The answer of ``weft solve`` for a reader: how many structures, what is certain, what is open, and the first few."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from itertools import accumulate, islice

from weft.cli.answer import Answer
from weft.cli.progress import counted
from weft.evidence.statements import Statement
from weft.graphs.mixed import MixedGraph
from weft.report.text import SHOWN_LINES, findings, wrapped
from weft.report.view import headline, number
from weft.search.repair import Repair
from weft.solutions.solution_set import OtherRepair, SolutionSet

SHOWN_GRAPHS, SHOWN_GRAPH_LINES, SHOWN_STATEMENTS = 6, 12, 20


def lines(answer: Answer, *, count_only: bool) -> Iterator[str]:
    """The answer, line by line."""
    graphs = counted(answer.graphs, "graphs")
    first = list(islice(graphs, SHOWN_GRAPHS))
    deque(graphs, maxlen=0)  # the others are only counted
    if answer.consistent is False:
        yield from _none(answer)
        return
    census = answer.census
    more = " Give more with --timeout." if answer.consistent is None else ""
    yield from wrapped(headline(answer.consistent, census.mags, census.pags, complete=census.complete) + more)
    yield from _question(answer.solutions)
    if (repair := answer.repair()) is not None:
        yield from _given_up(repair)
        if repair.proven and repair.given_up and (other := answer.other_repair()):
            yield from _other(other, repair)
    if answer.consistent is None:
        return
    yield ""
    yield from findings(answer.summary)
    if not count_only and first:
        yield ""
        yield from _structures(first, total=answer.census.mags)


def _structures(graphs: Sequence[MixedGraph], total: int) -> Iterator[str]:
    """The first few graphs, fewer if they are long."""
    blocks = [list(wrapped(str(graph), f"  {place}  ")) for place, graph in enumerate(graphs, 1)]
    shown = max(1, sum(length <= SHOWN_GRAPH_LINES for length in accumulate(map(len, blocks))))
    yield "The structures" if shown == total else "The first" if shown == 1 else f"The first {shown}"
    for block in blocks[:shown]:
        yield from block


def _question(solutions: SolutionSet) -> Iterator[str]:
    evidence = solutions.evidence
    counts = (
        number(len(evidence.variables), "variable", "variables"),
        number(len(evidence.studies), "study", "studies"),
        number(len(evidence.statements), "statement", "statements"),
    )
    selection = ", with selection" if solutions.selection else ""
    yield from wrapped(f"{', '.join(counts)}; method {solutions.method}{selection}, engine {solutions.engine}.")
    if solutions.claims:
        yield from wrapped("; ".join(map(str, solutions.claims)), "Assumed: ")


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
