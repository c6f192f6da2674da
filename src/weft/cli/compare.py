"""``weft compare``: what changed from one answer to another, and why."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from weft.cli import options

if TYPE_CHECKING:
    from weft.solutions.compare import Change, Comparison

EXAMPLES = """\b
weft compare before.json after.json
"""
SHOWN = 12
"""So many changes and statements are listed in text."""


@click.command(short_help="Say what changed from one result to another.", epilog=EXAMPLES)
@click.argument("old")
@click.argument("new")
@options.form()
@options.timeout
def compare(old: str, new: str, form: str, timeout: float | None) -> None:
    """Say which claims changed from result OLD to result NEW, and what in tables, settings, knowledge and statements.

    A claim is listed if its confidence changed by 5 points or more. The exit code is 0 whether anything changed or not.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded
    from weft.solutions.compare import compare as compared

    with busy("comparing"):
        found = compared(loaded(old, (), timeout), loaded(new, (), timeout))
    if form == "json":
        click.echo(json.dumps(found.as_json(), ensure_ascii=not speaks_unicode(), indent=1, allow_nan=False))
        return
    for line in lines(found):
        click.echo(line)


def lines(found: Comparison) -> Iterator[str]:
    """The changes, what is different in what went in, and the statements."""
    groups = (
        ("Claims that changed", [_change(one) for one in found.changes]),
        ("What went in", found.reasons),
        ("Statements that are new", [str(one) for one in found.gained]),
        ("Statements that are gone", [str(one) for one in found.lost]),
        (
            "Statements that weigh otherwise",
            [f"{new}: {old.weight or 0:.2f} before, {new.weight or 0:.2f} now" for old, new in found.reweighed],
        ),
    )
    if not any(entries for _, entries in groups):
        yield "Nothing changed."
        return
    if not found.changes:
        yield "No claim changed by 5 points or more."
    for title, entries in groups:
        if entries:
            yield from _listed(title, list(entries))


def _listed(title: str, entries: list[str]) -> Iterator[str]:
    from weft.report.text import wrapped

    yield title
    for one in entries[:SHOWN]:
        yield from wrapped(one, "  - ")
    if len(entries) > SHOWN:
        yield f"  and {len(entries) - SHOWN:,} more (--format json lists all)"


def _change(change: Change) -> str:
    return f"{change.claim}: {_percent(change.before)} before, {_percent(change.after)} now"


def _percent(confidence: float | None) -> str:
    if confidence is None:
        return "not known"
    return "open" if confidence == 0.5 else "certain" if confidence == 1 else f"{100 * confidence:.0f} %"
