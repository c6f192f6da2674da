"""``weft`` and its commands: their options, and one call each."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from weft.cli.failures import Commands, complain
from weft.version import __version__

if TYPE_CHECKING:
    from weft.cli.tables import Reader
    from weft.evidence.statements import Evidence

# The library's lists, which tests compare: to import them here would slow the start.
METHODS = ("iod", "iod-bcd", "causal-iod", "ion")
ENGINES = ("asp", "powerset", "brute")
TESTS = ("auto", "kcit", "kcit-exact", "fisher-z", "g-square", "chi-square", "mixed")
POOLING = ("fisher", "stouffer")
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
    "What a column holds, where it should not be guessed: continuous, ordinal, categorical or binary, or its levels in "
    "order, as in size=S<M<L."
)

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}

# "\b" tells click to leave the lines as they are.
TOUR = """\b
See it work:    weft demo
From tables:    weft evidence clinic.csv registry.csv -o e.json
From a graph:   weft oracle "X -> Y -> Z" --study X,Y --study Y,Z -o e.json
Solve it:       weft solve e.json
In one line:    weft simulate --variables 6 | weft solve -

\b
Exit codes: 0 a consistent structure exists, 1 none does, 2 bad input,
3 the time ran out before that was known.
"""
ORACLE_EXAMPLES = """\b
weft oracle "X -> Y; Y -> Z" --study X,Y --study Y,Z -o evidence.json
weft oracle '"dose, mg" -> Y' --study 'trial="dose, mg",Y'
"""
EVIDENCE_EXAMPLES = """\b
weft evidence clinic.csv registry.parquet -o evidence.json
weft evidence uk=2019/a.csv us=2021/a.csv --kind stage=ordinal --drop id
weft evidence clinic.csv registry.csv | weft solve -
"""
ORIENT_EXAMPLES = """\b
weft orient clinic.csv weight pressure
weft orient clinic.csv weight pressure --picture pair.png
"""
SOLVE_EXAMPLES = """\b
Claims: "X -> Y", "X <-> Y", "X o-> Y" (any edge with an arrowhead at Y),
"X causes Y", "X and Y are adjacent", "X and Y are confounded";
"not" in front turns one round.

\b
weft solve evidence.json
weft solve evidence.json --assume "X -> Y" --assume "not Z causes X"
weft solve evidence.json --format json --count-only
"""
SIMULATE_EXAMPLES = """\b
weft simulate --variables 8 --studies 3 --seed 7 | weft solve -
"""


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True, epilog=TOUR)
@click.version_option(__version__, prog_name="weft", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Weave studies that share some variables into one causal picture.

    weft finds every causal structure over all the variables that is consistent with all the studies, says how many
    there are, what they agree on, and what is open.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


def _finite(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is not a finite number", context, parameter)
    return value


_least_confidence = click.option(
    "--least-confidence",
    type=click.FloatRange(0.5, 1, max_open=True),
    default=0.8,
    show_default=True,
    metavar="P",
    help="A direction that is less sure than this is left undecided.",
)
_sufficient = click.option(
    "--assume-sufficient",
    "sufficient",
    is_flag=False,
    flag_value="",
    multiple=True,
    metavar="[STUDY]",
    help="Declare that no pair, or no pair of this study, has a hidden common cause.",
)
_sufficient_flag = click.option(
    "--assume-sufficient", "sufficient", is_flag=True, help="Declare that the two have no hidden common cause."
)
_output = click.option(
    "-o", "--output", default="-", metavar="FILE", help="Where the evidence goes; standard output if not given."
)


@main.command(short_help="Write the evidence that perfect tests would find.", epilog=ORACLE_EXAMPLES)
@click.argument("graph")
@click.option(
    "--study",
    "studies",
    multiple=True,
    required=True,
    metavar="[NAME=]X,Y,...",
    help="The variables of a study; once for each study.",
)
@_output
def oracle(graph: str, studies: Sequence[str], output: str) -> None:
    """Write the evidence that perfect tests would find in studies of GRAPH.

    GRAPH is text such as "X -> Y; Y <-> Z; W", or - for standard input. A pair may carry -> and <->. Variables that no
    study measures are latent. Names with blanks, commas or arrows go in double quotes.
    """
    import weft
    from weft.cli.studies import read_studies

    named = read_studies(studies)
    text = sys.stdin.read() if graph == "-" else graph
    _warn_about_size(named.values())
    _write(weft.oracle(text, named), output)


_reading_options = (
    click.option("--kind", "kinds", multiple=True, metavar="COLUMN=KIND", help=KIND_HELP),
    click.option("--drop", multiple=True, metavar="COLUMN", help="Leave a column out; may be given many times."),
    click.option("--missing", multiple=True, metavar="TEXT", help="What stands for a missing value, such as -99."),
    click.option("--delimiter", metavar="CHAR", help="Between the fields of CSV.  [default: comma; tab in .tsv]"),
    click.option("--decimal", type=click.Choice([".", ","]), default=".", show_default=True, help="Decimal mark."),
    click.option("--encoding", default="utf-8", show_default=True, help="Of CSV."),
)


def _reading(command: Callable[..., Any]) -> Callable[..., Any]:
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


@main.command(short_help="Find in tables what is separated and what is connected.", epilog=EVIDENCE_EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@_output
@click.option(
    "--test",
    type=click.Choice(TESTS),
    metavar="TEST",
    default="auto",
    show_default=True,
    help=f"The independence test: {', '.join(TESTS)}. auto takes kcit for numbers, g-square for levels and mixed for "
    "both together.",
)
@click.option(
    "--alpha",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    default=0.01,
    show_default=True,
    help="A pair is dependent if its p-value is at most this.",
)
@click.option(
    "--pooling",
    type=click.Choice(POOLING),
    default="fisher",
    show_default=True,
    help="How p-values of several studies become one.",
)
@click.option(
    "--max-given",
    type=click.IntRange(min=0),
    metavar="N",
    help="Condition on at most N variables at a time.  [default: no limit]",
)
@click.option(
    "--orient",
    "orientation",
    type=click.Choice(ORIENTATIONS),
    metavar="METHOD",
    help=f"Also judge the causal structure of each dependent pair: {', '.join(ORIENTATIONS)}.  [default: no]",
)
@_sufficient
@_least_confidence
@_reading
@click.option(
    "--jobs", type=int, default=-1, show_default=True, metavar="N", help="How many processes; -1 is one for each core."
)
@click.option("--dask", metavar="ADDRESS", help="Run on the Dask cluster whose scheduler is there.")
@click.option(
    "--cache",
    envvar="WEFT_CACHE",
    metavar="FILE",
    help="Where results of tests are kept, so that none is made twice.  [default: a file in your cache folder]",
)
@click.option("--no-cache", is_flag=True, help="Keep no results of tests.")
def evidence(
    tables: Sequence[str],
    output: str,
    test: str,
    alpha: float,
    pooling: Literal["fisher", "stouffer"],
    max_given: int | None,
    orientation: str | None,
    sufficient: Sequence[str],
    least_confidence: float,
    reader: Reader,
    jobs: int,
    dask: str | None,
    cache: str | None,
    no_cache: bool,
) -> None:
    """Find which variables are separated by what in TABLES, and which are connected.

    Each TABLE is a CSV file with a header or a Parquet file, and is one study; studies share some columns. NAME= gives
    a study a name other than its file's. The evidence goes to --output; weft solve reads it.
    """
    from weft.cli.progress import metered
    from weft.cli.tables import open_cache, warn
    from weft.evidence.collect import collect
    from weft.evidence.relate import relate
    from weft.parallel import Workers

    if orientation is None and sufficient:
        raise click.UsageError("--assume-sufficient is about the structures of pairs; give --orient too")
    studies = reader.studies(tables)
    warn(studies)
    workers = Workers(jobs, dask)
    with open_cache(cache, memory=no_cache) as results, metered() as progress:
        found = collect(
            studies,
            test=test,
            alpha=alpha,
            pooling=pooling,
            max_given=max_given,
            workers=workers,
            cache=results,
            progress=progress,
        )
        made = found.evidence
        if orientation is not None:
            related = relate(
                studies,
                found.dependent,
                method=orientation,
                sufficient=True if "" in sufficient else sufficient,
                least_confidence=least_confidence,
                workers=workers,
                cache=results,
                progress=progress,
            )
            made = related.added_to(made)
    for reason in found.impossible:
        complain(f"warning: a test was left out: {reason}")
    _write(made, output)
    complain(
        f"{len(made.connected):,} pairs are connected and {len(made.separated):,} separated; "
        f"{found.tests_made:,} tests made, {found.tests_reused:,} known from before"
    )
    if orientation is not None:
        complain(f"{len(made.relations):,} of {len(found.dependent):,} dependent pairs have a direction")


@main.command(short_help="Judge the causal structure of one pair of columns.", epilog=ORIENT_EXAMPLES)
@click.argument("table")
@click.argument("x")
@click.argument("y")
@click.option(
    "--method",
    type=click.Choice(ORIENTATIONS),
    metavar="METHOD",
    help=f"Ask one method only: {', '.join(ORIENTATIONS)}.  [default: all of them]",
)
@_sufficient_flag
@_least_confidence
@_reading
@click.option("--picture", metavar="FILE", help="Draw the pair both ways: .png, .svg or .pdf (needs weft[figures]).")
def orient(
    table: str,
    x: str,
    y: str,
    method: str | None,
    sufficient: bool,
    least_confidence: float,
    reader: Reader,
    picture: str | None,
) -> None:
    """Judge which causal structure columns X and Y of TABLE have.

    Each method says which of ->, <-, <->, "-> & <->" and "<- & <->" it cannot exclude; "undecided" is all five. A
    method that does not see common causes allows them unless --assume-sufficient is given.
    """
    from weft.cli.pair import lines, verdicts

    if picture is not None:
        from weft.report.pair_figure import check_name, draw_pair

        check_name(picture)
    study = reader.study(table)
    found = verdicts(study, x, y, method, sufficient, least_confidence)
    for line in lines(study, x, y, found):
        click.echo(line)
    if picture is not None:
        draw_pair(study.column(x), study.column(y), found, picture)


@main.command(short_help="Find every structure that is consistent with evidence.", epilog=SOLVE_EXAMPLES)
@click.argument("evidence")
@click.option(
    "--method",
    type=click.Choice(METHODS),
    default="causal-iod",
    show_default=True,
    help="iod and ion use independences; iod-bcd also orients edges by the relations of pairs; causal-iod keeps "
    "to every relation.",
)
@click.option(
    "--engine",
    type=click.Choice(ENGINES),
    default="asp",
    show_default=True,
    help="asp is for every size; powerset and brute are slow twins to compare with.",
)
@click.option("--selection", is_flag=True, help="Allow undirected edges, which stand for selection.")
@click.option("--assume", "claims", multiple=True, metavar="CLAIM", help="Suppose a claim; may be given many times.")
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="For people or for programs.",
)
@click.option("--count-only", is_flag=True, help="Count all structures and list none.")
@click.option("--limit", type=click.IntRange(min=1), metavar="N", help="Stop at N structures.")
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    callback=_finite,
    metavar="SECONDS",
    help="Stop after that time and say what is known.",
)
def solve(
    evidence: str,
    method: str,
    engine: str,
    selection: bool,
    claims: Sequence[str],
    form: str,
    count_only: bool,
    limit: int | None,
    timeout: float | None,
) -> int:
    """Find every structure that is consistent with EVIDENCE.

    EVIDENCE is an evidence file (weft-evidence/1), or - for standard input. Text shows the first few structures and
    counts up to 100,000 (fewer with more than ten variables) unless --limit or --count-only is given; JSON lists all.
    """
    import weft
    from weft.cli import as_json, as_text
    from weft.cli.answer import Answer

    found = weft.load_evidence(evidence)
    if form == "text" and limit is None and not count_only:
        limit = as_text.text_limit(len(found.variables))
    solutions = weft.solve(found, method, selection=selection, engine=engine, limit=limit, timeout=timeout)
    answer = Answer.of(solutions.assume(*claims))
    if form == "json":
        as_json.write(answer, sys.stdout, count_only=count_only)
    else:
        for line in as_text.lines(answer, count_only=count_only):
            click.echo(line)
    return answer.exit_code


@main.command(short_help="Draw a random graph and write the evidence of its studies.", epilog=SIMULATE_EXAMPLES)
@click.option(
    "--variables", type=click.IntRange(min=2), default=6, show_default=True, metavar="N", help="How many variables."
)
@click.option(
    "--degree",
    type=click.FloatRange(min=0),
    callback=_finite,
    metavar="D",
    help="Mean number of direct causes and effects of a variable.  [default: 2, or all others if there are fewer]",
)
@click.option(
    "--latent",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    callback=_finite,
    metavar="D",
    help="Mean number of variables with which a variable shares a hidden common cause.",
)
@click.option(
    "--studies", type=click.IntRange(min=1), default=2, show_default=True, metavar="K", help="How many studies."
)
@click.option(
    "--overlap",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    metavar="M",
    help="How many variables all studies share.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same graph and studies.",
)
@_output
@click.option("--graph", "graph_file", metavar="FILE", help="Where the graph goes.")
def simulate(
    variables: int,
    degree: float | None,
    latent: float,
    studies: int,
    overlap: int,
    seed: int,
    output: str,
    graph_file: str | None,
) -> None:
    """Draw a random graph, split its variables into studies, and write their evidence.

    The evidence is what perfect tests would find. The graph goes to --graph; if that is not given, to standard output
    if the evidence goes to a file, and else to standard error.
    """
    import numpy

    import weft
    from weft.graphs.simulate import random_admg, split_into_studies

    most = variables - 1
    for name, value in (("--degree", degree), ("--latent", latent)):
        if value is not None and value > most:
            raise click.UsageError(f"{name} {value:g} is too much: each of {variables} variables has {most} others")
    rng = numpy.random.default_rng(seed)
    mean_degree = min(2, most) if degree is None else degree
    graph = random_admg(variables, rng, mean_degree=mean_degree, mean_bidirected_degree=latent)
    split = split_into_studies(graph.names, rng, studies=studies, overlap=overlap)
    _warn_about_size(split)
    _write(weft.oracle(graph, split), output)
    if graph_file is not None:
        Path(graph_file).write_text(f"{graph}\n", encoding="utf-8")
    elif output == "-":
        complain(f"the graph is {graph}")
    else:
        click.echo(str(graph))


@main.command()
def demo() -> None:
    """Solve the paper's examples and compare with its figures."""
    from weft.cli.demo import lines

    for line in lines():
        click.echo(line)


def _write(evidence: Evidence, output: str) -> None:
    import weft

    weft.dump_evidence(evidence, sys.stdout if output == "-" else output)


def _warn_about_size(studies: Iterable[Collection[str]]) -> None:
    """An oracle looks at every pair of a study's variables, each time at the whole graph."""
    largest = max((len(variables) for variables in studies), default=0)
    if largest > 300:
        pairs = largest * (largest - 1) // 2
        complain(f"a study of {largest:,} variables has {pairs:,} pairs to look at; this may take minutes or more")
