"""``weft report``: a result as a page that opens anywhere."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import click

from weft.cli import options
from weft.cli.failures import complain, exit_code

EXAMPLES = """\b
weft report result.json -o report.html
weft report result.json -o report.html --assume "X causes Y" --patience 120
"""


@click.command(short_help="Write a result as a page that opens in any browser.", epilog=EXAMPLES)
@click.argument("result")
@click.option("-o", "--output", required=True, metavar="FILE", help="Where the page goes, such as report.html.")
@options.assumed
@click.option("--title", metavar="TEXT", help="What stands above it.  [default: the names of the studies]")
@click.option(
    "--patience",
    type=click.FloatRange(min=0),
    default=60.0,
    show_default=True,
    metavar="SECONDS",
    help="For reasons, common causes and another repair; what is not reached is told.",
)
@options.seconds("The most that one question may take; what is not settled then is told.")
def report(
    result: str, output: str, claims: Sequence[str], title: str | None, patience: float, timeout: float | None
) -> int:
    """Write RESULT as one HTML file that needs no network and no server.

    RESULT is a result file (weft-result/1). The page shows the answer, the union of all structures, why each pair is as
    it is, the structures one by one, what was given up, the studies, and what to do next. What a reader supposes there
    narrows the structures at once. Any graph can be taken from it in the formats of weft convert.
    """
    import weft
    from weft.cli.progress import busy
    from weft.report.html import to_html
    from weft.report.view import view_of

    solutions = replace(weft.load_result(result).assume(*claims), timeout=timeout)
    with busy("working out what to show"):
        view = view_of(solutions, patience=patience, title=title)
    to_html(view, output)
    complain(f"the report is in {output}; open it in a browser")
    return exit_code(view.consistent)
