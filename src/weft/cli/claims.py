"""``weft claims``: what the studies say about every pair, and how sure each claim is."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click

from weft.cli import options
from weft.cli.failures import CONSISTENT, INCONSISTENT, OUT_OF_TIME

if TYPE_CHECKING:
    from weft.solutions.findings import Finding, Summary

EXAMPLES = """\b
weft claims result.json --least 0.9
weft claims result.json --format csv > claims.csv
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
@options.form("text for people, json and csv for programs.", "text", "json", "csv")
@options.assumed
@options.timeout
def claims(result: str, least: float, form: str, claims: Sequence[str], timeout: float | None) -> int:
    """List what RESULT claims about every pair of variables, the surest first.

    RESULT is a result file (weft-result/3). The margin of a claim is what would have to be given up to deny it, beyond
    the least that must be given up anyway. The confidence goes by the margin: how often claims like it were right on
    simulated data. A claim with a margin of 0 is open.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.solutions.documents import claims_document

    solutions = loaded(result, claims, timeout)
    with busy("weighing the claims"):
        summary = solutions.summary(margins=True)
    found = [one for one in summary.claims if (one.confidence or 0.0) >= least]
    if form == "json":
        document = {"claims": claims_document(found)}
        click.echo(json.dumps(document, ensure_ascii=not speaks_unicode(), indent=2, allow_nan=False))
    elif form == "csv":
        click.echo(_csv(found), nl=False)
    else:
        for line in lines(summary, found):
            click.echo(line)
    return {True: CONSISTENT, False: INCONSISTENT, None: OUT_OF_TIME}[summary.consistent]


def _csv(found: Sequence[Finding]) -> str:
    from weft.solutions.documents import finding_document

    text = io.StringIO()
    keys = ("claim", "holds", "confidence", "margin", "exact", "estimated")
    table = csv.DictWriter(text, keys, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(finding_document(one) for one in found)
    return text.getvalue()


def lines(summary: Summary, found: Sequence[Finding]) -> Iterator[str]:
    """The claims that are ahead of their opposite as a table; the others in one line."""
    from weft.report.text import ESTIMATED, sureness, wrapped

    if summary.consistent is not True:
        why = "No structure is consistent" if summary.consistent is False else "The time ran out"
        yield f"{why}, so that nothing can be claimed."
        return
    ahead = [one for one in found if one.margin]
    for one in ahead:
        yield from wrapped(str(one.claim), f"{sureness(one):>9}  ")
    if any(one.estimated for one in ahead):
        yield ""
        yield from wrapped(ESTIMATED)
    left = sum(not one.margin for one in summary.claims)
    if not ahead:
        yield "Nothing is claimed: every claim is as likely as its opposite."
    elif left:
        yield ""
        yield from wrapped(f"{left:,} more are open: they cost no more than their opposites.")
