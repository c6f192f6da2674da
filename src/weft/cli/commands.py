"""``weft`` and its commands: their options, and one call each."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from weft.cli import options
from weft.cli.convert import convert
from weft.cli.demo import demo
from weft.cli.discover import discover
from weft.cli.explain import explain
from weft.cli.explore import explore
from weft.cli.failures import Commands, complain
from weft.cli.report import report
from weft.cli.reproduce import reproduce
from weft.cli.suggest import suggest
from weft.version import __version__

if TYPE_CHECKING:
    from weft.cli.tables import Reader
    from weft.evidence.statements import Evidence

SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 80}

# "\b" tells click to leave the lines as they are.
TOUR = """\b
See it work:    weft demo
From tables:    weft discover clinic.csv registry.csv -o result.json
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
"not" in front denies a claim.

\b
weft solve evidence.json
weft solve evidence.json --assume "X -> Y" --assume "not Z causes X"
weft solve evidence.json --format json --count-only
weft solve evidence.json --repair --timeout 60
"""
SIMULATE_EXAMPLES = """\b
weft simulate --variables 8 --studies 3 --seed 7 | weft solve -
weft simulate --tables data --rows 1000 && weft discover data/*.csv
"""


@click.group(cls=Commands, context_settings=SETTINGS, invoke_without_command=True, epilog=TOUR)
@click.version_option(__version__, prog_name="weft", message="%(prog)s %(version)s")
@click.pass_context
def main(context: click.Context) -> None:
    """Weave studies that share some variables into one causal picture.

    weft finds every causal structure over all the variables that is consistent with all the studies, says how many
    there are, what they agree on, and what remains open.
    """
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (demo, discover, explain, suggest, report, explore, convert, reproduce):
    main.add_command(command)


@main.command(short_help="Write the evidence that perfect tests would find.", epilog=ORACLE_EXAMPLES)
@click.argument("graph")
@click.option(
    "--study",
    "studies",
    multiple=True,
    required=True,
    metavar="[NAME=]X,Y,...",
    help="The variables of a study; give it once for each study.",
)
@options.output
def oracle(graph: str, studies: Sequence[str], output: str) -> None:
    """Write the evidence that perfect tests would find in studies of GRAPH.

    GRAPH is text such as "X -> Y; Y <-> Z; W", or - for standard input. A pair may have both -> and <->. Variables that
    no study measures are hidden. Put names with spaces, commas or arrows in double quotes.
    """
    import weft
    from weft.cli.studies import read_studies

    named = read_studies(studies)
    text = sys.stdin.read() if graph == "-" else graph
    _warn_about_size(named.values())
    _write(weft.oracle(text, named), output)


@main.command(short_help="Find the separated and the connected pairs in tables.", epilog=EVIDENCE_EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@options.output
@options.testing
@click.option(
    "--orient",
    "orientation",
    type=click.Choice(options.ORIENTATIONS),
    metavar="METHOD",
    help=f"Also judge the causal structure of each dependent pair: {', '.join(options.ORIENTATIONS)}.  [default: no]",
)
@options.sufficient
@options.least_confidence
@options.reading
@options.working
def evidence(
    tables: Sequence[str],
    output: str,
    test: str,
    alpha: float,
    pooling: Literal["fisher", "stouffer"],
    max_given: int | None,
    independence_confidence: float,
    orientation: str | None,
    sufficient: Sequence[str],
    least_confidence: float,
    reader: Reader,
    jobs: int,
    dask: str | None,
    cache: str | None,
    no_cache: bool,
) -> None:
    """Find which pairs of variables in TABLES are separated, and by what, and which are connected.

    Each TABLE is one study: a CSV file with a header, or a Parquet file. Studies share some columns. NAME= gives a
    study a name other than that of its file. weft solve reads the evidence.
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
            least_confidence=independence_confidence,
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
        f"{len(made.connected):,} pairs are connected, {len(made.separated):,} separated, "
        f"{len(found.undecided):,} undecided; "
        f"{found.tests_made:,} tests made, {found.tests_reused:,} reused"
    )
    if orientation is not None:
        complain(f"{len(made.relations):,} of {len(found.dependent):,} dependent pairs have a direction")


@main.command(short_help="Judge the causal structure of one pair of columns.", epilog=ORIENT_EXAMPLES)
@click.argument("table")
@click.argument("x")
@click.argument("y")
@click.option(
    "--method",
    type=click.Choice(options.ORIENTATIONS),
    metavar="METHOD",
    help=f"Ask one method only: {', '.join(options.ORIENTATIONS)}.  [default: all of them]",
)
@options.sufficient_flag
@options.least_confidence
@options.reading
@click.option("--picture", metavar="FILE", help="Draw the pair both ways, as .png, .svg or .pdf (needs weft[figures]).")
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
    """Judge the causal structure of the columns X and Y of TABLE.

    Each method says which of ->, <-, <->, "-> & <->" and "<- & <->" it cannot exclude; "undecided" means all five. A
    method that cannot see common causes allows for them, unless you give --assume-sufficient.
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
@options.method
@click.option(
    "--engine",
    type=click.Choice(options.ENGINES),
    default="asp",
    show_default=True,
    help="asp is for problems of any size; powerset and brute are slow, for comparison.",
)
@options.selection
@options.assumed
@options.form()
@click.option("--count-only", is_flag=True, help="Count all structures, but list none.")
@options.limit
@options.timeout
@options.knowledge
@click.option(
    "--repair", is_flag=True, help="Where statements contradict each other, give up those with the least total weight."
)
@options.slack
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
    knowledge_files: Sequence[str],
    repair: bool,
    slack: float,
) -> int:
    """Find every structure that is consistent with EVIDENCE.

    EVIDENCE is an evidence file (weft-evidence/1), or - for standard input. Text output shows the first few structures
    and counts up to 100,000 (fewer with more than ten variables), unless you give --limit or --count-only. JSON output
    lists all of them.
    """
    import weft
    from weft.cli import as_json, as_text
    from weft.cli.answer import Answer
    from weft.cli.tables import read_knowledge
    from weft.solutions.solution_set import walk_limit

    if slack and not repair:
        raise click.UsageError("--slack is about what may be given up; give --repair too")
    found = weft.load_evidence(evidence)
    if form == "text" and limit is None and not count_only:
        limit = walk_limit(len(found.variables))
    solutions = weft.solve(
        found,
        method,
        selection=selection,
        engine=engine,
        limit=limit,
        timeout=timeout,
        knowledge=read_knowledge(knowledge_files),
        conflicts="repair" if repair else "hard",
        slack=slack,
    )
    answer = Answer.of(solutions.assume(*claims))
    if form == "json":
        as_json.write(answer, sys.stdout, count_only=count_only)
    else:
        for line in as_text.lines(answer, count_only=count_only):
            click.echo(line)
    return answer.exit_code


@main.command(short_help="Draw a random graph and write the evidence of its studies.", epilog=SIMULATE_EXAMPLES)
@click.option(
    "--variables",
    type=click.IntRange(min=2),
    default=6,
    show_default=True,
    metavar="N",
    help="The number of variables.",
)
@click.option(
    "--degree",
    type=click.FloatRange(min=0),
    callback=options.finite,
    metavar="D",
    help="Mean number of direct causes and effects of a variable.  [default: 2, or all others if there are fewer]",
)
@click.option(
    "--latent",
    type=click.FloatRange(min=0),
    default=0.0,
    show_default=True,
    callback=options.finite,
    metavar="D",
    help="Mean number of variables with which a variable shares a hidden common cause.",
)
@click.option(
    "--studies", type=click.IntRange(min=1), default=2, show_default=True, metavar="K", help="The number of studies."
)
@click.option(
    "--overlap",
    type=click.IntRange(min=0),
    default=2,
    show_default=True,
    metavar="M",
    help="The number of variables that all studies share.",
)
@click.option(
    "--seed",
    type=click.IntRange(min=0),
    default=0,
    show_default=True,
    metavar="S",
    help="The same seed gives the same graph and studies.",
)
@options.output
@click.option("--graph", "graph_file", metavar="FILE", help="Where to write the graph.")
@click.option(
    "--tables",
    metavar="FOLDER",
    help="Simulate data instead, and write a table for each study there (study1.csv, ...).",
)
@click.option(
    "--rows",
    type=click.IntRange(min=1),
    default=500,
    show_default=True,
    metavar="N",
    help="The number of rows in each table.",
)
@click.option(
    "--way",
    type=click.Choice(options.WAYS),
    default="nonlinear",
    show_default=True,
    help="How causes act in the simulated tables.",
)
def simulate(
    variables: int,
    degree: float | None,
    latent: float,
    studies: int,
    overlap: int,
    seed: int,
    output: str,
    graph_file: str | None,
    tables: str | None,
    rows: int,
    way: Literal["nonlinear", "linear"],
) -> None:
    """Draw a random graph, split its variables into studies, and write their evidence or tables of data.

    The evidence is what perfect tests would find. Without --graph, the graph goes to standard output; if the
    evidence goes there, to standard error.
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
    if tables is not None:
        from weft.studies.simulate import draw_studies, write_tables

        for path in write_tables(draw_studies(graph, split, rows, rng, way), tables):
            complain(f"{rows:,} rows in {path}")
    else:
        _warn_about_size(split)
        _write(weft.oracle(graph, split), output)
    if graph_file is not None:
        Path(graph_file).write_text(f"{graph}\n", encoding="utf-8")
    elif output == "-" and tables is None:
        complain(f"the graph is {graph}")
    else:
        click.echo(str(graph))


def _write(evidence: Evidence, output: str) -> None:
    import weft

    weft.dump_evidence(evidence, sys.stdout if output == "-" else output)


def _warn_about_size(studies: Iterable[Collection[str]]) -> None:
    """An oracle looks at every pair of a study's variables, each time at the whole graph."""
    largest = max((len(variables) for variables in studies), default=0)
    if largest > 300:
        pairs = largest * (largest - 1) // 2
        complain(f"a study of {largest:,} variables has {pairs:,} pairs to examine; this may take minutes or more")
