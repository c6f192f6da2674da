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
"""


@click.command(short_help="List what is claimed, and how sure each claim is.", epilog=EXAMPLES)
@click.argument("result")
@click.option(
    "--least",
    type=click.FloatRange(0, 1),
    callback=options.finite,
    default=0.5,
    metavar="P",
    help="Leave out claims that are less sure than this.  [default: 0.75 in text, else 0.5]",
)
@click.option("--pairs", is_flag=True, help="List all pairs, a row each, with what is claimed of them; as CSV only.")
@options.form("text for people, json and csv for programs.", "text", "json", "csv")
@options.assumed
@options.timeout
def claims(result: str, least: float, pairs: bool, form: str, claims: Sequence[str], timeout: float | None) -> int:
    """List what RESULT claims about every pair of variables, the surest first.

    RESULT is a result file (weft-result/3). The confidence goes by the share of likely models in which a claim holds:
    how often claims like it were right on simulated data. The margin is what would have to be given up to deny it,
    beyond the least that must be given up anyway; where it is 0, some structures of least cost deny the claim.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.report.as_csv import claims_csv, pairs_csv
    from weft.report.claims import LIKELY
    from weft.solutions.documents import claims_document

    if pairs and form != "csv":
        raise click.UsageError("--pairs writes a table; add --format csv")
    if pairs and _given("least"):
        raise click.UsageError("--pairs lists every pair; leave out --least")
    if form == "text" and not _given("least"):
        least = LIKELY
    solutions = loaded(result, claims, timeout)
    with busy("weighing the claims"):
        summary = solutions.summary(margins=True)
    found = [one for one in summary.claims if (one.confidence or 0.0) >= least]
    if form == "json":
        document = {"claims": claims_document(found)}
        click.echo(json.dumps(document, ensure_ascii=not speaks_unicode(), indent=2, allow_nan=False))
    elif form == "csv":
        click.echo(pairs_csv(summary) if pairs else claims_csv(found), nl=False)
    else:
        for line in lines(summary, found, least):
            click.echo(line)
    return {True: CONSISTENT, False: INCONSISTENT, None: OUT_OF_TIME}[summary.consistent]


def _given(option: str) -> bool:
    """Whether an option was typed."""
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def lines(summary: Summary, found: Sequence[Finding], least: float) -> Iterator[str]:
    """The claims that are surer than their opposites as a table; how many are less sure in one line."""
    from weft.report.claims import not_proven
    from weft.report.text import ESTIMATED, sureness, wrapped
    from weft.solutions.explain import in_percent

    if summary.consistent is not True:
        why = "No structure is consistent" if summary.consistent is False else "The time ran out"
        yield f"{why}, so that nothing can be claimed."
        return
    ahead = [one for one in found if (one.confidence or 0.0) > 0.5]
    for one in ahead:
        yield from wrapped(str(one.claim), f"{sureness(one):>9}  ")
    if any(map(not_proven, ahead)):
        yield ""
        yield from wrapped(ESTIMATED)
    if not any((one.confidence or 0.0) > 0.5 for one in summary.claims):
        yield "Nothing is claimed: every claim is as likely as its opposite."
    elif left := len(summary.claims) - len(ahead):
        yield from [""] * bool(ahead)
        yield from wrapped(f"{left:,} more are less than {in_percent(max(least, 0.5))} sure.")
