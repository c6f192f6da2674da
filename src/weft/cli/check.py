"""``weft check``: what is in tables, what does not fit between them, and a file that describes their analysis."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import options
from weft.cli.failures import BAD_INPUT, CONSISTENT, as_keys, spell
from weft.errors import WeftError

if TYPE_CHECKING:
    from weft.checking import Checked
    from weft.cli.tables import Reader

EXAMPLES = """\b
weft check clinic.csv registry.xlsx -o studies.toml
weft discover studies.toml -o result.json
"""


@click.command(short_help="Look at tables before they are used, and write studies.toml.", epilog=EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@click.option("-o", "--output", metavar="FILE", help="Where to write a first studies.toml, to be edited.")
@options.reading
def check(tables: Sequence[str], output: str | None, reader: Reader) -> int:
    """Say what is in TABLES, what does not fit between them, and what would mend it.

    Nothing is tested and nothing is changed. With -o, weft writes a file that describes the analysis (studies.toml):
    the tables, what must be left out of them, and behind # what may be meant. Edit it, look at it again with weft check
    studies.toml, then run weft discover on it.

    The exit code is 0 if weft discover would take the tables as they are, else 2.
    """
    from weft.checking import check as look
    from weft.checking import check_plan, first_plan
    from weft.cli.progress import busy
    from weft.cli.tables import named_files, plan_among
    from weft.cli.targets import check_targets
    from weft.plan import read_plan

    files = named_files(tables)
    check_targets({"-o": output}, files.values())
    plan = plan_among(tables, reader)
    if plan is not None and output is not None:
        raise click.UsageError(f"{plan} is there already, and -o writes a first one; edit it, or name the tables")
    if output is not None and not output.lower().endswith(".toml"):
        raise WeftError(f"{output}: its name must end in .toml, by which weft discover knows it; say -o studies.toml")
    with busy("reading the tables"):
        checked = look(files, reader.recipe()) if plan is None else check_plan(read_plan(plan))
    first = "" if output is None else first_plan(checked, Path(output).parent, as_keys)
    if output is not None and os.path.exists(output) and Path(output).read_text("utf-8", "replace") != first:
        raise WeftError(f"{output}: this file is there already, and may have been edited; name another, or delete it")
    for line in lines(checked):
        click.echo(line)
    if output is not None:
        Path(output).write_text(first, encoding="utf-8")
        click.echo(f"\n{output} is written; edit it, then: weft discover {output}")
    elif plan is None and any(one.columns for one in checked.files) and (checked.misfits or not checked.usable):
        click.echo("\nAdd -o studies.toml to write a file in which this can be mended.")
    return CONSISTENT if checked.usable else BAD_INPUT


def lines(checked: Checked) -> Iterator[str]:
    """The files, their variables side by side, what must be mended, what may not fit, what else to know."""
    from weft.report.text import wrapped

    for one in checked.files:
        size = f"{len(one.columns[0].values):,} rows, {len(one.columns)} columns" if one.columns else "nothing read"
        yield from wrapped(f"{one.file}{f' ({one.told})' if one.told else ''}: {size}", f"{one.name}: ")
    yield ""
    yield from _side_by_side(checked)
    problems = [f"{problem.worded(spell)}" for one in checked.files for problem in one.problems]
    groups = (
        ("Must be mended", [*problems, *([checked.unusable] if checked.unusable else [])]),
        ("May not fit", [f"{one.message} ({_said(one.mending.key)})" for one in checked.misfits]),
        ("Good to know", checked.warnings),
        ("Common knowledge; if it is true here, say it in studies.toml", [str(one) for one in checked.hints]),
    )
    for title, found in groups:
        if found:
            yield from ("", title)
            for message in found:
                yield from wrapped(message, "  - ")
    if checked.usable and not checked.misfits:
        yield from ("", "The tables fit together.")


def _said(key: str) -> str:
    return "drop it" if key == "drop" else f"say {key} in studies.toml"


_NAME, _CELL = 18, 28


def _side_by_side(checked: Checked) -> Iterator[str]:
    """Each variable with what it holds in every study, as many studies side by side as 80 columns hold."""
    from weft.checking import in_short

    held = {one.name: {column.name: in_short(column) for column in one.columns} for one in checked.files if one.columns}
    names = list(dict.fromkeys(name for own in held.values() for name in own))
    names.sort(key=lambda name: -sum(name in own for own in held.values()))  # what is shared comes first
    width = min(max(map(len, names), default=0), _NAME)
    for start in range(0, len(held), 2):
        some = dict(list(held.items())[start : start + 2])
        yield "  ".join([" " * width, *(cut(study, _CELL).ljust(_CELL) for study in some)]).rstrip()
        for name in names:
            if any(name in own for own in some.values()):
                cells = (cut(own.get(name, "-"), _CELL).ljust(_CELL) for own in some.values())
                yield "  ".join([cut(name, width).ljust(width), *cells]).rstrip()


def cut(text: str, width: int) -> str:
    """A text in one line of at most this width.

    >>> cut("a long name", 8)
    'a lon...'
    """
    from weft.reading.names import printable

    line = printable(" ".join(text.split()))
    return line if len(line) <= width else f"{line[: width - 3]}..."
