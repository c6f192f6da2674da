"""Options that several commands share, each once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])

# The library's lists, which tests compare: to import them here would slow the start.
METHODS = ("iod", "iod-bcd", "causal-iod", "ion")
ENGINES = ("asp", "powerset", "brute")
TESTS = ("auto", "kcit", "kcit-exact", "fisher-z", "g-square", "chi-square", "mixed")
POOLING = ("fisher", "stouffer")
WAYS = ("nonlinear", "linear")
ORIENTATIONS = (
    "auto",
    "combined",
    "anm",
    "lsnm",
    "mt-anm",
    "grci",
    "qccd",
    "reci",
    "gain",
    "kcdc",
    "igci",
    "lingam",
    "discrete",
    "mixed",
    "cumulant",
    "lvlingam",
)

KIND_HELP = (
    "The kind of a column, if weft should not guess it: continuous, ordinal, categorical or binary, or its levels in "
    "order, as in size=S<M<L."
)


def finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse what is not a number or not finite."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number", context, parameter)
    return value


least_confidence = click.option(
    "--least-confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.8,
    show_default=True,
    metavar="P",
    help="Leave a direction undecided if its confidence is lower than this.",
)
sufficient = click.option(
    "--assume-sufficient",
    "sufficient",
    is_flag=False,
    flag_value="",
    multiple=True,
    metavar="[STUDY]",
    help="Declare that the judged pairs, of all studies or of STUDY, have no common cause, measured or hidden.",
)
sufficient_flag = click.option(
    "--assume-sufficient", "sufficient", is_flag=True, help="Declare that the two columns have no common cause."
)
output = click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where to write the evidence; standard output if not given."
)


def seconds(help: str, default: float | None = None) -> Callable[[Command], Command]:
    """``--timeout``, with what it means to a command."""
    return click.option(
        "--timeout",
        type=click.FloatRange(min=0, min_open=True),
        callback=finite,
        default=default,
        show_default=default is not None,
        metavar="SECONDS",
        help=help,
    )


def patience(default: float, help: str) -> Callable[[Command], Command]:
    """``--patience``, with what it means to a command."""
    return click.option(
        "--patience",
        type=click.FloatRange(min=0),
        default=default,
        show_default=True,
        metavar="SECONDS",
        help=help,
    )


def form(help: str = "text for people, json for programs.") -> Callable[[Command], Command]:
    """``--format``."""
    return click.option(
        "--format", "form", type=click.Choice(["text", "json"]), default="text", show_default=True, help=help
    )


timeout = seconds("Stop after this time and report what is known.")
assumed = click.option(
    "--assume", "claims", multiple=True, metavar="CLAIM", help="Assume a claim; may be given several times."
)
slack = click.option(
    "--slack",
    type=click.FloatRange(min=0),
    callback=finite,
    default=0.0,
    metavar="W",
    help="Also accept structures that give up at most W more weight than the least.",
)
knowledge = click.option(
    "--knowledge",
    "knowledge_files",
    multiple=True,
    metavar="FILE",
    help="What you already know: TOML, JSON, a Tetrad knowledge file, or a bnlearn white or black list; may be given "
    "several times.",
)
method = click.option(
    "--method",
    type=click.Choice(METHODS),
    default="causal-iod",
    show_default=True,
    help="iod and ion use independences only; iod-bcd also orients edges by the relations of pairs; causal-iod "
    "requires every relation to hold.",
)
selection = click.option("--selection", is_flag=True, help="Allow undirected edges, which stand for selection.")
limit = click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N structures.")


def together(*options: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Several options as one decorator, in this order."""

    def decorate(command: Command) -> Command:
        for option in reversed(options):
            command = option(command)
        return command

    return decorate


testing = together(
    click.option(
        "--test",
        type=click.Choice(TESTS),
        metavar="TEST",
        default="auto",
        show_default=True,
        help=f"The independence test: {', '.join(TESTS)}. auto takes kcit for numbers, g-square for categories and "
        "mixed for both together.",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=0.01,
        show_default=True,
        help="Call a pair dependent if its p-value is at most this.",
    ),
    click.option(
        "--pooling",
        type=click.Choice(POOLING),
        default="fisher",
        show_default=True,
        help="How to combine the p-values of several studies.",
    ),
    click.option(
        "--max-given",
        type=click.IntRange(min=0),
        metavar="N",
        help="Condition on at most N variables at a time.  [default: no limit]",
    ),
    click.option(
        "--independence-confidence",
        type=click.FloatRange(0.5, 1, max_open=True),
        default=0.5,
        show_default=True,
        metavar="P",
        help="Leave a pair undecided in a study if the probability that it is separated, or connected, is lower than "
        "this.",
    ),
)
"""How independence is tested."""

seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The seed of the random numbers.",
)

jobs = click.option(
    "--jobs",
    type=int,
    default=-1,
    show_default=True,
    metavar="N",
    help="How many processes to use; -1 means one for each core.",
)

working = together(
    jobs,
    click.option("--dask", metavar="ADDRESS", help="Run tests on the Dask cluster with its scheduler at this address."),
    click.option(
        "--cache",
        envvar="WEFT_CACHE",
        metavar="FILE",
        help="Where to keep test results, so that no test runs twice.  [default: a file in your cache folder]",
    ),
    click.option("--no-cache", is_flag=True, help="Do not keep test results."),
)
"""Where tests run and where their results are kept."""

_reading_options = (
    click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help=KIND_HELP),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be given several times."),
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        help="What stands for a missing value, such as -99; may be given several times.",
    ),
    click.option(
        "--delimiter", metavar="CHAR", help="The field separator of CSV files.  [default: comma; tab in .tsv]"
    ),
    click.option(
        "--decimal",
        type=click.Choice([".", ","]),
        default=".",
        show_default=True,
        help="The decimal mark of CSV files.",
    ),
    click.option("--encoding", default="utf-8", show_default=True, help="The text encoding of CSV files."),
)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Give a command the options that say how to read tables; they reach it as one ``Reader``."""

    @wraps(command)
    def with_tables(
        kinds: Sequence[str],
        drop: Sequence[str],
        missing: Sequence[str],
        delimiter: str | None,
        decimal: str,
        encoding: str,
        **others: Any,
    ) -> Any:
        from weft.cli.tables import Reader

        return command(reader=Reader(kinds, drop, missing, delimiter, decimal, encoding), **others)

    for option in reversed(_reading_options):
        with_tables = option(with_tables)
    return with_tables
