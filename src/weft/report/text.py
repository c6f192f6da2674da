"""A view as text: half a screen that can be pasted into a paper; and the pieces that all text is made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from itertools import accumulate, groupby, islice

from weft.evidence.claims import Claim, Topic
from weft.evidence.kinds import in_digits
from weft.evidence.statements import Statement
from weft.graphs.mixed import quote
from weft.report.claims import ToldClaim, grouped, not_proven
from weft.report.view import View, number, open_pairs
from weft.search.conflicts import Conflict
from weft.search.consequences import Holds
from weft.search.repair import Repair
from weft.solutions.explain import in_percent, sentence_of
from weft.solutions.findings import Finding, Summary
from weft.solutions.paragraphs import WIDTH as WIDTH  # the command line finds these here, too
from weft.solutions.paragraphs import wrapped as wrapped
from weft.solutions.solution_set import OtherRepair
from weft.solutions.suggest import Suggestions

LONG = 30
"""Two names that are longer than this together stand on a line of their own."""
SHOWN_PAIRS, SHOWN_LINES, SHOWN_STATEMENTS, SHOWN_STEPS = 4, 3, 3, 3
SHOWN_GRAPHS, SHOWN_GRAPH_LINES = 6, 12
SHOWN_CLAIMS = 4
BOOTSTRAP = "Bootstrap, a second opinion: how often in {runs} runs on half of the rows."
ESTIMATED = "With ~: an estimate by the cheapest structures that were found; nothing proves it."
NOT_TYPICAL = "not told: no fair sample of the structures was had in time; weft suggest takes longer"


def lines(view: View, *, structures: bool = False) -> Iterator[str]:
    r"""What the studies show and how surely, what is open; then the structures, what was given up and what to do next.

    With ``structures``, the first few of them too.

    >>> from weft import oracle, solve
    >>> from weft.report.view import view_of
    >>> evidence = oracle("Y -> X; Y <-> Z", {"one": ["X", "Y"], "two": ["Y", "Z"]})
    >>> print(*lines(view_of(solve(evidence)), structures=True), sep="\n")
    Together the 2 studies show 1 causal effect, certain.
      certain  Y causes X
      certain  Y and Z are confounded
    Open pairs      1 of 3
      X, Z  no edge | X <-> Z
    Next            structures left on average, of 2:
      1.0  measure X too in study 'two'
      1.0  measure Z too in study 'one'
    <BLANKLINE>
    2 consistent structures (MAGs) in 2 equivalence classes (PAGs).
    3 variables, 2 studies, 4 statements; method causal-iod.
    Study one: X, Y
    Study two: Y, Z
    In all studies: Y
    Edges in all    Y -> X; Y <-> Z
    Causes in all   Y causes X
    The structures
      1  Y -> X; Y <-> Z
      2  Y -> X; X <-> Z; Y <-> Z
    """
    if view.lead:
        yield from _told(view)
        yield ""
    yield from wrapped(view.headline)
    yield from wrapped(_question(view))
    yield from _studies(view)
    if view.known:
        yield from wrapped("; ".join(view.known), "Known: ")
    if view.assumed:
        yield from wrapped("; ".join(view.assumed), "Assumed: ")
    if view.consistent is None:
        return
    if view.consistent is False:
        yield ""
        yield from _none(view)
        return
    yield from _in_all(view.summary)
    if view.repair is not None:
        yield from _given_up(view.repair, view.other_repair)
    if structures and view.structures.number:
        yield from _structures(view)


# -- the answer first --------------------------------------------------------------------------------------------------


def _told(view: View) -> Iterator[str]:
    """One sentence, the claims with their confidence and what they rest on, what is open and what would settle it."""
    yield from wrapped(view.lead[0])
    groups = list(grouped(view.claims))
    shown = groups[: SHOWN_CLAIMS + (len(groups) == SHOWN_CLAIMS + 1)]
    width = max((len(group[0].sure) for group in shown), default=0)
    again = view.bootstrap is not None and any(one.finding.again is not None for one in view.claims)
    for weakest, alike in groupby(shown, key=lambda group: group[0].weakest):
        groups_alike = list(alike)
        for group in groups_alike:
            share = "" if (runs := group[0].finding.again) is None else f" (bootstrap {in_percent(runs.all)})"
            likely = f", {group[0].though}" if group[0].is_open else ""
            yield from wrapped(f"{_claims_in_words(group)}{likely}{share}", f"  {group[0].sure:>{width}}  ")
        if weakest is not None:
            several = len(groups_alike)
            rests = "rests mostly on" if several == 1 else f"these {several} rest mostly on"
            yield from wrapped(f"{rests}: {sentence_of(weakest)}", " " * (width + 4))
    if left := sum(map(len, groups[len(shown) :])):
        yield f"  and {left:,} more (weft claims lists all)"
    if any(not_proven(one.finding) for one in view.claims):
        yield from wrapped(ESTIMATED, "  ")
    if again and view.bootstrap is not None:
        yield from wrapped(BOOTSTRAP.format(runs=f"{view.bootstrap[1]:,}"), "  ")
    yield from _open(view.summary)
    if view.next_steps is not None:
        yield from _next(view.next_steps)
    elif view.structures.number and not view.structures.fair:
        yield from wrapped(NOT_TYPICAL, f"{'Next':<16}")
    for sentence in view.lead[2:]:  # what is nearly tied, covered, or surprising; the two before are told in lists
        yield from wrapped(sentence)


def _claims_in_words(group: Sequence[ToldClaim]) -> str:
    """What is claimed; of several effects of one cause in one line."""
    first, *others = (one.claim for one in group)
    return ", ".join([str(first), *(quote(one.y) for one in others)])


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


# -- what is in all structures, what is open ---------------------------------------------------------------------------


def _in_all(summary: Summary) -> Iterator[str]:
    """What all structures agree on."""
    nothing = "none" if summary.complete else "none known yet"
    yield from listed(summary.certain, "Edges in all    ", nothing)
    if causes := _causes(summary, Holds.ALL):
        yield from listed(causes, "Causes in all   ", nothing)


def _open(summary: Summary) -> Iterator[str]:
    """Where they differ."""
    pairs = open_pairs(summary)
    if not pairs and summary.complete:
        yield "Open pairs      none: every pair has the same edge, or none, in all"
    else:
        yield f"Open pairs      {len(pairs):,} of {len(summary.pairs):,}"
        yield from _open_pairs(summary, pairs)
    if unknown := sum(any(one.holds is Holds.UNKNOWN for one in own) for own in summary.pairs.values()):
        yield f"Not settled     {unknown:,} of {len(summary.pairs):,} pairs: the time ran out"


def _open_pairs(summary: Summary, pairs: Sequence[tuple[str, str]]) -> Iterator[str]:
    shown = pairs[: SHOWN_PAIRS + (len(pairs) == SHOWN_PAIRS + 1)]
    names = [f"{quote(x)}, {quote(y)}" for x, y in shown]
    width = max((len(name) for name in names if len(name) <= LONG), default=0)
    for name, (x, y) in zip(names, shown, strict=True):
        if len(name) <= LONG:
            yield from wrapped(" | ".join(_edges(summary, x, y)), f"  {name:<{width}}  ")
        else:  # once is enough for long names
            yield from wrapped(f"{name}: {' | '.join(_edges(summary, x, y, names=False))}", "  ")
    if len(shown) < len(pairs):
        yield f"  and {len(pairs) - len(shown):,} more"


def _edges(summary: Summary, x: str, y: str, *, names: bool = True) -> Iterator[str]:
    """The edges that the pair may have, read from x; what is not settled has a question mark."""
    none = summary.finding(Claim(Topic.EDGE, x, y, holds=False))
    symbols = ("->", "<-", "<->", "--")
    edges = [(symbol, summary.finding(Claim(Topic.EDGE, x, y, symbol=symbol))) for symbol in symbols]
    for text, finding in (("no edge", none), *edges):
        if finding.holds is not Holds.NONE:
            shown = f"{quote(x)} {text} {quote(y)}" if names and finding is not none else text
            yield f"{shown}?" if finding.holds is Holds.UNKNOWN else shown


def sureness(finding: Finding) -> str:
    """How sure a claim is, in a word: never "certain" if it rests on data; ``~`` if that is an estimate."""
    if finding.confidence is None:
        return "not known"
    return "certain" if finding.confidence == 1 else f"{not_proven(finding)}{in_percent(finding.confidence)}"


def _causes(summary: Summary, wanted: Holds) -> list[str]:
    """Who causes whom: ``X causes Y, Z``."""
    effects: dict[str, list[str]] = {}
    for one in summary.causes:
        if one.holds is wanted:
            effects.setdefault(one.claim.x, []).append(quote(one.claim.y))
    return [f"{quote(cause)} causes {', '.join(effects[cause])}" for cause in sorted(effects)]


# -- what was given up, what contradicts, what to do next --------------------------------------------------------------


def _given_up(repair: Repair, other: OtherRepair | None) -> Iterator[str]:
    """What the repair gave up, and what the next best would change."""
    if repair.cost is None:
        return
    statements = repair.sometimes or repair.given_up
    if not statements:
        yield "Given up        nothing: the statements do not contradict each other"
        return
    bound = f"the best found in time; at least {in_digits(repair.bound)} is needed"
    best = "the least possible" if repair.proven else bound
    only = {True: "; no other repair is as light", False: "; several repairs are equally light", None: ""}
    yield from wrapped(f"a weight of {in_digits(repair.cost)}, {best}{only[repair.unique]}", "Given up        ")
    sometimes = {one for one in statements if repair.unique is False and one not in repair.always}
    yield from _statements(statements, sometimes)
    if other is not None and other.repair.cost is not None:
        gone, new = (f"no longer {edge}" for edge in other.no_longer_certain), (f"now {e}" for e in other.newly_certain)
        first, *rest = (*gone, *new) or ("the same edges are in all structures",)
        cost = f"a weight of {'' if other.repair.proven else 'at most '}{in_digits(other.repair.cost)}"
        yield from listed([f"{cost}: {first}", *rest], "  Another way   ", "none")


def _statements(statements: Sequence[Statement], sometimes: Set[Statement] = frozenset()) -> Iterator[str]:
    for one in statements[: SHOWN_STATEMENTS + (len(statements) == SHOWN_STATEMENTS + 1)]:
        yield from wrapped(f"{sentence_of(one)}.{' (Not in every repair.)' if one in sometimes else ''}", "  - ")
    if (left := len(statements) - SHOWN_STATEMENTS) > 1:
        yield f"  and {left:,} more"


def _none(view: View) -> Iterator[str]:
    """Why there is no structure."""
    for sentence in view.answer:
        yield from wrapped(sentence)
    conflict = view.conflict or Conflict((), minimal=True)
    yield from _statements(conflict.statements)
    if conflict.statements:
        minimal = "Give up any one of them and the others can hold."
        yield minimal if conflict.minimal else "The time ran out: fewer of them may be enough for the conflict."


def _next(steps: Suggestions) -> Iterator[str]:
    if not steps.rows:
        if steps.structures > 1:
            yield "Next            nothing that could be measured or set would tell them apart"
        return
    of = f"structures left on average, of {steps.structures:,}" if steps.exact else "of all structures, left on average"
    yield f"Next            {of}:"
    shown = steps.rows[:SHOWN_STEPS]
    width = max(len(steps.left(row)) for row in shown)
    for row in shown:
        yield from wrapped(str(row), f"  {steps.left(row):>{width}}  ")


def _structures(view: View) -> Iterator[str]:
    """The first few graphs, fewer if they are long."""
    first = islice(view.structures, SHOWN_GRAPHS)
    blocks = [list(wrapped(str(graph), f"  {place}  ")) for place, graph in enumerate(first, 1)]
    shown = max(1, sum(length <= SHOWN_GRAPH_LINES for length in accumulate(map(len, blocks))))
    if view.structures.total is not None:
        yield "One of them" if shown == 1 else f"{shown} of those drawn"
    else:
        whole = shown == view.structures.number
        yield "The structures" if whole else "The first" if shown == 1 else f"The first {shown}"
    for block in blocks[:shown]:
        yield from block


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
