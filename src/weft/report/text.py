"""A view as half a screen of text that can be pasted into a paper; and the pieces that all text is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from textwrap import wrap

from weft.graphs.mixed import quote
from weft.report.view import GivenUp, NextSteps, Said, View, number
from weft.search.consequences import NO_EDGE, Holds
from weft.solutions.summary import PairSummary, Summary

WIDTH = 78
LONG = 30
"""Two names that are longer than this together stand on a line of their own."""
SHOWN_PAIRS, SHOWN_LINES, SHOWN_STATEMENTS, SHOWN_STEPS = 8, 3, 3, 3


def lines(view: View) -> Iterator[str]:
    r"""What was measured, how many structures there are, what is certain, open and given up, and what to do next.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> evidence = oracle("Y -> X; Y <-> Z", {"one": ["X", "Y"], "two": ["Y", "Z"]})
    >>> print(*lines(view_of(solve(evidence))), sep="\n")
    Study one: X, Y
    Study two: Y, Z
    In all studies: Y
    <BLANKLINE>
    2 consistent structures (MAGs) in 2 equivalence classes (PAGs).
    3 variables, 2 studies, 4 statements; method causal-iod.
    <BLANKLINE>
    Edges in all    Y -> X; Y <-> Z
    Causes in all   Y causes X
    Causes in some  none
    Open pairs      1 of 3
      X, Z  no edge | X <-> Z
    Next            left, in expectation, of 2 structures:
      1.0  measure X too in study 'two'
      1.0  measure Z too in study 'one'
    """
    yield from _studies(view)
    yield ""
    yield from wrapped(view.headline)
    yield from wrapped(_question(view))
    if view.assumed:
        yield from wrapped("; ".join(view.assumed), "Assumed: ")
    if view.consistent is None:
        return
    yield ""
    if view.consistent is False:
        yield from wrapped(f"{view.answer[0]}")
        yield from _statements(view.conflict)
        return
    yield from findings(_summary(view))
    if view.bootstrap is not None:
        yield from _sure(view, *view.bootstrap)
    if view.settings.get("conflicts") == "repair":
        yield from _given_up(view.given_up, view.other_repair)
    if view.next_steps is not None:
        yield from _next(view.next_steps)


def _studies(view: View) -> Iterator[str]:
    for study in view.studies:
        was_set = f"set: {', '.join(quote(view.variables[v]) for v in study.was_set)}" if study.was_set else ""
        rows = "" if study.rows is None else f"{study.rows:,} rows"
        about = "; ".join(filter(None, (rows, was_set)))
        names = ", ".join(quote(view.variables[v]) for v in study.variables)
        yield from wrapped(f"{names} ({about})" if about else names, f"Study {quote(study.name)}: ")
    if len(view.studies) > 1:
        yield from wrapped(", ".join(quote(view.variables[v]) for v in view.shared) or "none", "In all studies: ")


def _question(view: View) -> str:
    counts = (
        number(len(view.variables), "variable", "variables"),
        number(len(view.studies), "study", "studies"),
        number(view.settings["statements"], "statement", "statements"),
    )
    selection = ", with selection" if view.settings["selection"] else ""
    return f"{', '.join(counts)}; method {view.settings['method']}{selection}."


# -- what is certain, what is open -------------------------------------------------------------------------------------


def _summary(view: View) -> Summary:
    """What the view says of the pairs, as the value that it was made from."""
    names = view.variables
    return Summary(
        tuple(
            PairSummary(
                names[pair.x],
                names[pair.y],
                {symbol: Holds(holds) for symbol, holds in pair.edges.items()},
                Holds(pair.causes),
                Holds(pair.caused),
                Holds(pair.confounded),
            )
            for pair in view.pairs
        ),
        view.consistent,
    )


def findings(summary: Summary) -> Iterator[str]:
    """What all structures agree on, and where they differ."""
    nothing = "none" if summary.complete else "none that is known yet"
    yield from listed(summary.certain, "Edges in all    ", nothing)
    yield from listed(_causes(summary, Holds.ALL), "Causes in all   ", nothing)
    yield from listed(_causes(summary, Holds.SOME), "Causes in some  ", nothing)
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
    width = max((len(name) for name in names if len(name) <= LONG), default=0)
    for name, pair in zip(names, shown, strict=True):
        if len(name) <= LONG:
            yield from wrapped(" | ".join(_edges(pair, quote(pair.x), quote(pair.y))), f"  {name:<{width}}  ")
        else:  # once is enough for long names
            yield from wrapped(f"{name}: {' | '.join(_edges(pair, '', ''))}", "  ")
    if len(shown) < len(pairs):
        yield f"  and {len(pairs) - len(shown):,} more"


def _edges(pair: PairSummary, x: str, y: str) -> Iterator[str]:
    """The edges that the pair may have, as text; what is not settled has a question mark."""
    for symbol, holds in sorted(pair.edges.items(), key=lambda item: item[0] != NO_EDGE):
        if holds is not Holds.NONE:
            text = f"{x} {symbol} {y}".strip() if symbol else "no edge"
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


def _sure(view: View, runs: int, answered: int) -> Iterator[str]:
    """How often the edges and causes that are certain were so with rows drawn anew."""
    edges, causes = [], []
    for pair in view.pairs:
        if pair.sure is None:
            continue
        x, y = quote(view.variables[pair.x]), quote(view.variables[pair.y])
        again = {fact: f"{certain:.0%}" for fact, (certain, _, _) in pair.sure.items()}
        edges += [
            f"{y} -> {x} {again[symbol]}" if symbol == "<-" else f"{x} {symbol} {y} {again[symbol]}"
            for symbol, holds in pair.edges.items()
            if symbol != NO_EDGE and holds == Holds.ALL
        ]
        causes += [f"{x} causes {y} {again['causes']}"] if pair.causes == Holds.ALL else []
        causes += [f"{y} causes {x} {again['caused']}"] if pair.caused == Holds.ALL else []
    failed = f" ({runs - answered:,} more led to no answer)" if runs > answered else ""
    yield from wrapped(f"certain again, of {answered:,} runs with rows drawn anew{failed}", "Sureness        ")
    yield from listed(edges, "  Edges         ", "none")
    yield from listed(causes, "  Causes        ", "none")


# -- what was given up, what to do next --------------------------------------------------------------------------------


def _given_up(repair: GivenUp | None, other: GivenUp | None) -> Iterator[str]:
    """What the repair gave up, and what the next best would change."""
    if repair is None or repair.cost is None:
        yield "Given up        nothing: the statements do not contradict each other"
        return
    best = "the least possible" if repair.proven else f"the best found in time; at least {repair.bound:.3g} is needed"
    only = {True: "; no other repair is as light", False: "; several repairs are equally light", None: ""}
    yield from wrapped(f"a weight of {repair.cost:.3g}, {best}{only[repair.unique]}", "Given up        ")
    yield from _statements(repair.statements)
    if other is not None and other.cost is not None:
        changes = [f"no longer {edge}" for edge in other.no_longer_certain] + list(other.newly_certain)
        cost = f"{'' if other.proven else 'at most '}{other.cost:.3g}"
        yield from listed(changes, f"  or, for {cost:<6}", "the same edges are certain")


def _statements(statements: Sequence[Said]) -> Iterator[str]:
    for one in statements[: SHOWN_STATEMENTS + (len(statements) == SHOWN_STATEMENTS + 1)]:
        yield from wrapped(f"{one.text}{' (Not in every repair.)' if one.always is False else ''}", "  - ")
    if (left := len(statements) - SHOWN_STATEMENTS) > 1:
        yield f"  and {left:,} more"


def _next(steps: NextSteps) -> Iterator[str]:
    if not steps.rows:
        if steps.structures > 1:
            yield "Next            nothing that could be measured or set would tell them apart"
        return
    yield f"Next            left, in expectation, of {number(steps.structures, 'structure', 'structures')}:"
    shown = steps.rows[:SHOWN_STEPS]
    width = max(len(f"{row.expected:,.1f}") for row in shown)
    for row in shown:
        yield from wrapped(row.text, f"  {row.expected:>{width},.1f}  ")


# -- layout ------------------------------------------------------------------------------------------------------------


def listed(items: Sequence[str], title: str, nothing: str) -> Iterator[str]:
    """Items after a title, as many as go on a few lines, and one at least.

    >>> list(listed(["apples", "pears"], "Fruit: ", "none")), list(listed([], "Fruit: ", "none"))
    (['Fruit: apples; pears'], ['Fruit: none'])
    """
    found = list(wrapped("; ".join(items) or nothing, title))
    shown = len(items)
    while len(found) > SHOWN_LINES and shown > 1:
        shown -= 1
        found = list(wrapped("; ".join((*items[:shown], f"and {len(items) - shown:,} more")), title))
    yield from found


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
