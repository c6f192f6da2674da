"""Options that several commands share, each once; here the command line's words become the library's names.

``--test`` is ``independence``, ``--orient`` is ``orientation``, ``--assume-sufficient`` is ``sufficient``, ``--jobs``
is ``n_jobs``; the other options are called as what they set. Defaults are those of :mod:`weft.settings`; what can be
chosen is asked of the library when it is needed (:class:`Names`).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click

from weft.reading.names import meant
from weft.settings import PAIR_CONFIDENCE, PAIRS, Question, Settings

if TYPE_CHECKING:
    from weft.cli.tables import Reader
    from weft.cli.work import Work

Command = TypeVar("Command", bound=Callable[..., Any])
Option = Callable[[Command], Command]


class Choice(click.Choice):  # type: ignore[type-arg]  # generic from click 8.2 on
    """One of some names; of another, what it may stand for is said, or else all of them."""

    def get_invalid_choice_message(self, value: Any, ctx: click.Context | None) -> str:
        """What is said of another name."""
        near = meant(str(value), self.choices)
        return f"there is no {value!r}{near}" if near else super().get_invalid_choice_message(value, ctx).rstrip(".")


class Names(Choice):
    """The names in a registry (or tuple, or ``Literal``) of the library, which is imported when they are needed.

    So a name stands in its registry alone, and ``weft --help`` does not wait for what it does not show.

    >>> Names("weft.search.problem.METHODS").choices
    ('iod', 'iod-bcd', 'causal-iod', 'ion')
    """

    def __init__(self, registry: str, *more: str) -> None:
        super().__init__(())
        self._registry, self._more = registry, more

    @property
    def choices(self) -> tuple[str, ...]:
        """The names, in the order of the registry."""
        module, _, name = self._registry.rpartition(".")
        found = getattr(import_module(module), name)
        return (*(get_args(found) or found), *self._more)

    @choices.setter
    def choices(self, value: object) -> None:
        """Nothing: they are the library's."""


class Budgeted(click.ParamType):  # type: ignore[type-arg]  # generic from click 8.2 on
    """A number of tests, ``auto``, or ``all``, which Python calls None."""

    name = "tests"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """As Python has it."""
        if value in ("auto", "all"):
            return None if value == "all" else value
        if not str(value).isdecimal() or int(value) < 1:
            self.fail(f"{value!r} is not a number of tests; give 1 or more, auto, or all for no limit", param, ctx)
        return int(value)


class Listed(click.Option):
    """An option whose help lists what can be chosen, where it says ``{names}``."""

    def get_help_record(self, ctx: click.Context) -> tuple[str, str] | None:
        """What stands in the help."""
        record = super().get_help_record(ctx)
        if record is None or not isinstance(self.type, click.Choice):
            return record
        return record[0], record[1].replace("{names}", ", ".join(self.type.choices))


TESTS = Names("weft.evidence.independence.registry.TESTS")
ORIENTATIONS = Names("weft.evidence.orientation.registry.METHODS")

KIND_HELP = (
    "The kind of a column, if weft should not guess it: continuous, ordinal, categorical or binary, or its levels in "
    "order, as in size=S<M<L."
)


def finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Refuse what is not a number or not finite."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number", context, parameter)
    return value


def _least_confidence(default: float) -> Option[Callable[..., Any]]:
    return click.option(
        "--least-confidence",
        type=click.FloatRange(0.5, 1, max_open=True),
        default=default,
        show_default=True,
        metavar="P",
        help="Leave a direction undecided if its confidence is lower than this.",
    )


least_confidence = _least_confidence(Settings.least_confidence)
pair_confidence = _least_confidence(PAIR_CONFIDENCE)


def _declared(context: click.Context, parameter: click.Parameter, value: tuple[str, ...]) -> bool | tuple[str, ...]:
    """What is sufficient: everything if a study is not named, else the studies that are."""
    return True if "" in value else value


sufficient = click.option(
    "--assume-sufficient",
    "sufficient",
    is_flag=False,
    flag_value="",
    multiple=True,
    callback=_declared,
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


def form(help: str = "text for people, json for programs.", *choices: str) -> Callable[[Command], Command]:
    """``--format``, which is text or json if no choices are given."""
    forms = Choice(choices or ("text", "json"))
    return click.option("--format", "form", type=forms, default="text", show_default=True, help=help)


timeout = seconds("Stop after this time and report what is known.")
effort = click.option(
    "--effort",
    type=click.IntRange(min=1),
    default=Question.effort,
    show_default=True,
    metavar="N",
    help="The most dead ends that the solver may run into on one question. The same effort gives the same answer on "
    "any machine; the default takes about a minute where it is reached.",
)
assumed = click.option(
    "--assume", "claims", multiple=True, metavar="CLAIM", help="Assume a claim; may be given several times."
)
slack = click.option(
    "--slack",
    type=click.FloatRange(min=0),
    callback=finite,
    default=Question.slack,
    metavar="W",
    help="Also accept structures that give up at most W more weight than the least.",
)
coverage = click.option(
    "--coverage",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    callback=finite,
    metavar="P",
    help="Accept as many structures as it takes for the truth to be among them with probability P, such as 0.9.",
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
    type=Names("weft.search.problem.METHODS"),
    default=Settings.method,
    show_default=True,
    help="iod and ion use independences only; iod-bcd also orients edges by the relations of pairs; causal-iod "
    "requires every relation to hold.",
)
selection = click.option("--selection", is_flag=True, help="Allow undirected edges, which stand for selection.")
limit = click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop after N structures.")


seed = click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The seed of everything that is drawn at random.",
)


def _processes(context: click.Context, parameter: click.Parameter, value: int) -> int:
    if value not in (1, -1):  # what most people want is not worth an import
        from weft.parallel import check_processes

        check_processes(value, "--jobs")
    return value


jobs = click.option(
    "--jobs",
    "n_jobs",
    type=int,
    callback=_processes,
    default=-1,
    show_default=True,
    metavar="N",
    help="How many processes; -1 is one for each core.",
)


# -- groups of options that reach a command as one value ---------------------------------------------------------------


def together(name: str, made: Callable[..., Any], *options: Option[Callable[..., Any]]) -> Option[Callable[..., Any]]:
    """Several options as one decorator, in this order; the command gets what is ``made`` of them, as ``name``."""

    def own() -> None:
        """Takes the options, to see how they are called."""

    for option in options:
        option(own)
    keys = [parameter.name for parameter in own.__click_params__]  # type: ignore[attr-defined]

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(command)
        def with_value(**values: Any) -> Any:
            found = made(**{key: values.pop(key) for key in keys})
            return command(**{name: found}, **values)

        for option in reversed(options):
            with_value = option(with_value)
        return with_value

    return decorate


gathering = together(
    "settings",
    dict,
    method,
    click.option(
        "--test",
        "independence",
        cls=Listed,
        type=TESTS,
        metavar="TEST",
        default=Settings.independence,
        show_default=True,
        help="The independence test: {names}. auto takes kcit for numbers, g-square for levels and mixed for both "
        "together.",
    ),
    click.option(
        "--alpha",
        type=click.FloatRange(0, 1, min_open=True, max_open=True),
        default=Settings.alpha,
        show_default=True,
        metavar="P",
        help="Call a pair dependent if its p-value is at most this.",
    ),
    click.option(
        "--pooling",
        type=Names("weft.evidence.pool.PoolingMethod"),
        default=Settings.pooling,
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
        "--tests",
        type=Budgeted(),
        default=Settings.tests,
        show_default=True,
        metavar="N",
        help="The most tests to make, the likeliest sets first; all for no limit. auto: 25 for each pair of variables "
        "of a study, on average.",
    ),
    click.option(
        "--independence-confidence",
        type=click.FloatRange(0.5, 1, max_open=True),
        default=Settings.independence_confidence,
        show_default=True,
        metavar="P",
        help="Say nothing about a pair in a study, or about a set, if the probability of being right is lower than "
        "this.",
    ),
    click.option(
        "--orient",
        "orientation",
        cls=Listed,
        type=ORIENTATIONS,
        metavar="METHOD",
        default=Settings.orientation,
        show_default=True,
        help="How the causal structure of a pair is judged: {names}.",
    ),
    click.option(
        "--pairs",
        type=Choice(PAIRS),
        default=Settings.pairs,
        show_default=True,
        help="Which pairs are judged: those connected in a study, or all that are dependent.",
    ),
    sufficient,
    least_confidence,
)
"""How evidence is gathered: the keywords that :func:`weft.gather` and :func:`weft.discover` share."""


def _work(**values: Any) -> Work:
    from weft.cli.work import Work

    return Work(**values)


working = together(
    "work",
    _work,
    jobs,
    click.option(
        "--dask",
        metavar="ADDRESS",
        help="Run tests, bootstrap runs and walks on the Dask cluster with its scheduler at this address.",
    ),
    click.option(
        "--cache",
        envvar="WEFT_CACHE",
        metavar="FILE",
        help="Where to keep test results, so that no test runs twice.  [default: a file in your cache folder]",
    ),
    click.option("--no-cache", is_flag=True, help="Keep no results of tests."),
    click.option("--quiet", is_flag=True, help="Do not show any progress."),
    click.option("--json-log", is_flag=True, help="Write progress and warnings as JSON, one object per line."),
)
"""Where tests run, where their results are kept, and how far it is."""


def _reader(**values: Any) -> Reader:
    from weft.cli.tables import Reader

    return Reader(**values)


reading = together(
    "reader",
    _reader,
    click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help=KIND_HELP),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be given several times."),
    click.option(
        "--missing",
        multiple=True,
        metavar="TEXT",
        help="What else stands for a missing value, beside NA, an empty field and the like, such as -99; may be given "
        "several times.",
    ),
    click.option("--delimiter", metavar="CHAR", help="The field separator of text files.  [default: found out]"),
    click.option(
        "--decimal", type=click.Choice([".", ","]), help="The decimal mark of text files.  [default: found out]"
    ),
    click.option("--encoding", help="The encoding of text files, such as cp1252.  [default: found out]"),
    click.option("--table", "inner_table", metavar="NAME", help="The sheet of a workbook or the table of a database."),
)
"""How tables are read."""
