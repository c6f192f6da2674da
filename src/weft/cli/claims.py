"""``weft claims``: what the studies say about every pair, and how sure each claim is."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from click.core import ParameterSource

from weft.cli import options
from weft.cli.failures import CONSISTENT, INCONSISTENT, OUT_OF_TIME

if TYPE_CHECKING:
    from weft.solutions.findings import Finding, Summary

EXAMPLES = """\b
weft claims result.json --least 0.9
weft claims result.json --format csv > claims.csv
weft claims result.json --pairs --format csv > pairs.csv
weft claims result.json --second-opinion
"""


@click.command(short_help="List what is claimed, and how sure each claim is.", epilog=EXAMPLES)
@click.argument("result")
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    callback=options.finite,
    default=0.5,
    metavar="P",
    help="Leave out claims that are less sure than this; 0.5 lists the open ones, too.  [default: in text, above 0.5]",
)
@click.option("--pairs", is_flag=True, help="List all pairs, a row each, with what is claimed of them; as CSV only.")
@click.option(
    "--second-opinion",
    "again",
    is_flag=True,
    help="Add the share of models, drawn by their weight, in which each claim holds.",
)
@options.form("text for people, json and csv for programs.", "text", "json", "csv")
@options.assumed
@options.timeout
def claims(
    result: str, least: float, pairs: bool, again: bool, form: str, claims: Sequence[str], timeout: float | None
) -> int:
    """List what RESULT claims about every pair of variables, the surest first.

    RESULT is a result file (weft-result/3). The margin of a claim is what would have to be given up to deny it, beyond
    the least that must be given up anyway. The confidence goes by the margin: how often claims like it were right on
    simulated data. A claim with a margin of 0 is open. A margin compares the two cheapest models with and without a
    claim; --second-opinion looks at all: models are drawn in proportion to exp(-cost), and where a claim holds in few
    of them although its margin is large, it hangs by a thread. The share itself is no confidence.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.report.as_csv import claims_csv, pairs_csv
    from weft.search.draws import drawn_share
    from weft.solutions.documents import claims_document

    if pairs and form != "csv":
        raise click.UsageError("--pairs writes a table; add --format csv")
    for option in ("least", "again") if pairs else ():
        if _given(option):
            name = {"least": "--least", "again": "--second-opinion"}[option]
            raise click.UsageError(f"--pairs lists every pair; leave out {name}")
    solutions = loaded(result, claims, timeout)
    with busy("weighing the claims"):
        summary = solutions.summary(margins=True)
        draws = solutions.second_opinion() if again else {}
    found = [one for one in summary.claims if (one.confidence or 0.0) >= least]
    drawn = [drawn_share(one.claim, draws) for one in found] if again else None
    if form == "json":
        document = {"claims": claims_document(found, drawn)}
        click.echo(json.dumps(document, ensure_ascii=not speaks_unicode(), indent=2, allow_nan=False))
    elif form == "csv":
        click.echo(pairs_csv(summary) if pairs else claims_csv(found, drawn), nl=False)
    else:
        for line in lines(summary, found, drawn):
            click.echo(line)
    return {True: CONSISTENT, False: INCONSISTENT, None: OUT_OF_TIME}[summary.consistent]


def _given(option: str) -> bool:
    """Whether an option was typed."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def lines(summary: Summary, found: Sequence[Finding], drawn: Sequence[float | None] | None = None) -> Iterator[str]:
    """The claims that are ahead of their opposite as a table; the others in one line."""
    from weft.report.text import ESTIMATED, sureness, wrapped
    from weft.solutions.explain import in_percent

    if summary.consistent is not True:
        why = "No structure is consistent" if summary.consistent is False else "The time ran out"
        yield f"{why}, so that nothing can be claimed."
        return
    ahead = [one for one in found if one.margin]
    if drawn is not None and ahead:
        yield f"{'sure':>9}  {'drawn':>9}"
    shares = {} if drawn is None else dict(zip((one.claim for one in found), drawn, strict=True))
    for one in ahead:
        share = shares.get(one.claim)
        told = f"{'not known' if share is None else in_percent(share):>9}  " if shares else ""
        yield from wrapped(str(one.claim), f"{sureness(one):>9}  {told}")
    if any(one.estimated for one in ahead):
        yield ""
        yield from wrapped(ESTIMATED)
    left = sum(not one.margin for one in summary.claims)
    if not ahead:
        yield "Nothing is claimed: every claim is as likely as its opposite."
    elif left:
        yield ""
        yield from wrapped(f"{left:,} more are open: they cost no more than their opposites.")
