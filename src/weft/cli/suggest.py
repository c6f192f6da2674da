"""``weft suggest``: what to measure or to randomise next."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from weft.cli import options
from weft.cli.failures import CONSISTENT, INCONSISTENT, OUT_OF_TIME

if TYPE_CHECKING:
    from weft.solutions.suggest import Suggestions
    from weft.solutions.suggest_effect import Remedies

EXAMPLES = """\b
weft suggest result.json
weft suggest result.json --top 3 --assume "X -> Y"
weft suggest result.json --effect weight pressure
"""


@click.command(short_help="Say what to measure or to randomise next.", epilog=EXAMPLES)
@click.argument("result")
@click.option(
    "--top", type=click.IntRange(min=1), default=10, show_default=True, metavar="N", help="The number of rows to show."
)
@click.option(
    "--effect",
    nargs=2,
    metavar="CAUSE OUTCOME",
    help="Say instead what would let the effect of CAUSE on OUTCOME be told.",
)
@options.form("text for people, json (with all rows) for programs.")
@options.assumed
@options.timeout
def suggest(
    result: str, top: int, effect: tuple[str, str] | None, form: str, claims: Sequence[str], timeout: float | None
) -> int:
    """Say which study or experiment would tell the structures of RESULT apart best.

    RESULT is a result file (weft-result/3). Each consistent structure counts as equally likely. What could be done:
    measure two variables together that no study did, measure one more variable in a study, or randomise a variable and
    see which others respond. "left" is how many structures would be left on average, if no test were wrong;
    where only some of them were looked at, it is the share of all.

    With --effect, what could be done is ranked by the share of the structures in which the effect would be known.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.solutions.suggest import Suggestions
    from weft.solutions.suggest import suggest as suggested

    solutions = loaded(result, claims, timeout)
    found: Suggestions | Remedies
    with busy("looking for what tells the structures apart"):
        found = suggested(solutions) if effect is None else solutions.suggest_effect(*effect)
    if form == "json":
        click.echo(json.dumps(found.as_json(), ensure_ascii=not speaks_unicode(), indent=2))
    else:
        for line in found.lines(top):
            click.echo(line)
    return exit_code(found) if isinstance(found, Suggestions) else CONSISTENT


def exit_code(found: Suggestions) -> int:
    """0 if there are solutions, 1 if there is none, 3 if the time ran out before one was found."""
    return CONSISTENT if found.structures else INCONSISTENT if found.exact else OUT_OF_TIME
