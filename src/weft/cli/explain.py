"""``weft explain``: why something holds in all, some or none of the structures."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING

import click

from weft.cli import options
from weft.cli.failures import CONSISTENT, INCONSISTENT, OUT_OF_TIME

if TYPE_CHECKING:
    from weft.solutions.explain import Explanation

SHOWN_STATEMENTS = 20

EXAMPLES = """\b
weft explain result.json "X -> Y"
weft explain result.json "why not X causes Z"
weft explain result.json "X and Y are confounded" --assume "X -> Y"
"""


@click.command(short_help="Say why a claim holds or not, and what it rests on.", epilog=EXAMPLES)
@click.argument("result")
@click.argument("claim")
@options.assumed
@options.form()
@options.timeout
def explain(result: str, claim: str, claims: Sequence[str], form: str, timeout: float | None) -> int:
    """Say why CLAIM holds in all, some or none of the structures of RESULT.

    RESULT is a result file (weft-result/3). CLAIM is an edge ("X -> Y", "X <-> Y", "X o-> Y"), "X causes Y", "X and Y
    are adjacent" or "X and Y are confounded"; "not" in front denies it, and "why" or "why not" may stand before it.
    The answer names statements that settle it together, none of which can be left out, how sure the claim is, and what
    would follow without the weakest of them.
    """
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.solutions.explain import explain as explained

    solutions = loaded(result, claims, timeout)
    with busy("looking for the reason"):
        found = explained(solutions, claim)
    if form == "json":
        click.echo(json.dumps(found.as_json(), ensure_ascii=not speaks_unicode(), indent=2))
    else:
        for line in found.lines(SHOWN_STATEMENTS):
            click.echo(line)
    return exit_code(found)


def speaks_unicode() -> bool:
    """Whether standard output takes every character."""
    return (sys.stdout.encoding or "utf-8").lower().startswith("utf")


def exit_code(found: Explanation) -> int:
    """0 if the claim is settled or open, 1 if there is no solution, 3 if the time ran out."""
    from weft.solutions.explain import Verdict

    return {Verdict.CONTRADICTION: INCONSISTENT, Verdict.UNKNOWN: OUT_OF_TIME}.get(found.verdict, CONSISTENT)
