"""``weft`` and its commands: their options, and one call each."""

from __future__ import annotations

import sys
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import options
from weft.cli.check import check
from weft.cli.claims import claims
from weft.cli.compare import compare
from weft.cli.completion import completion
from weft.cli.convert import convert
from weft.cli.demo import demo
from weft.cli.discover import discover
from weft.cli.effects import effects
from weft.cli.evidence import evidence
from weft.cli.explain import explain
from weft.cli.explore import explore
from weft.cli.failures import Commands, complain, exit_code, show_defects
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
3 the time ran out before that was known, 4 the cluster or a process that work
ran on was lost, 70 a defect in weft, 130 Ctrl-C, 141 nobody reads the output,
143 SIGTERM.
"""
ORACLE_EXAMPLES = """\b
weft oracle "X -> Y; Y -> Z" --study X,Y --study Y,Z -o evidence.json
weft oracle '"dose, mg" -> Y' --study 'trial="dose, mg",Y'
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
@click.option(
    "--debug",
    is_flag=True,
    envvar="WEFT_DEBUG",
    help="Show where a defect in weft comes up (also with WEFT_DEBUG=1).",
)
@click.pass_context
def main(context: click.Context, debug: bool) -> None:
    """Weave studies that share some variables into one causal picture.

    weft finds every causal structure over all the variables that is consistent with all the studies, says how many
    there are, what they agree on, and what remains open.
    """
    if debug:
        show_defects()
    if context.invoked_subcommand is None:
        click.echo(context.get_help())


for command in (
    demo,
    check,
    discover,
    evidence,
    claims,
    effects,
    explain,
    suggest,
    report,
    explore,
    compare,
    convert,
    reproduce,
    completion,
):
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


@main.command(short_help="Judge the causal structure of one pair of columns.", epilog=ORIENT_EXAMPLES)
@click.argument("table")
@click.argument("x")
@click.argument("y")
@click.option(
    "--method",
    "orientation",
    cls=options.Listed,
    type=options.ORIENTATIONS,
    metavar="METHOD",
    help="Ask one method only: {names}.  [default: all of them]",
)
@options.sufficient_flag
@options.pair_confidence
@options.reading
@click.option("--picture", metavar="FILE", help="Draw the pair both ways, as .png, .svg or .pdf (needs weft[figures]).")
def orient(
    table: str,
    x: str,
    y: str,
    orientation: str | None,
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
    from weft.cli.tables import named_files
    from weft.cli.targets import check_targets

    if picture is not None:
        from weft.report.pair_figure import check_name, draw_pair

        check_name(picture)
        check_targets({"--picture": picture}, named_files([table]).values())
    study = reader.study(table)
    found = verdicts(study, x, y, orientation, sufficient, least_confidence)
    for line in lines(study, x, y, found):
        click.echo(line)
    if picture is not None:
        draw_pair(study.column(x), study.column(y), found, picture)


@main.command(short_help="Find every structure that is consistent with evidence.", epilog=SOLVE_EXAMPLES)
@click.argument("evidence")
@options.method
@click.option(
    "--engine",
    type=options.Names("weft.search.registry.ENGINES"),
    default="asp",
    show_default=True,
    help="asp is for problems of any size; powerset and brute are slow, for comparison.",
)
@options.selection
@options.assumed
@options.form()
@click.option("--count-only", is_flag=True, help="Count all structures and list none.")
@click.option("-o", "--output", metavar="FILE", help="Where to write the result file (weft-result/3).")
@options.limit
@options.effort
@options.timeout
@options.knowledge
@click.option(
    "--repair", is_flag=True, help="Where statements contradict each other, give up those with the least total weight."
)
@options.slack
@options.coverage
def solve(
    evidence: str,
    method: str,
    engine: str,
    selection: bool,
    claims: Sequence[str],
    form: str,
    count_only: bool,
    output: str | None,
    limit: int | None,
    effort: int,
    timeout: float | None,
    knowledge_files: Sequence[str],
    repair: bool,
    slack: float,
    coverage: float | None,
) -> int:
    """Find every structure that is consistent with EVIDENCE.

    EVIDENCE is an evidence file, or - for standard input; or a result file, of which more is assumed. Text shows the
    first few structures, and looks at 100,000 at most (fewer with more than nine variables) unless --limit or
    --count-only is given; JSON lists all. A result file is for weft explain, suggest, report and explore.
    """
    import weft
    from weft.cli.progress import answering, busy
    from weft.cli.tables import check_is_no_table, loaded, read_knowledge
    from weft.cli.targets import check_result, check_targets
    from weft.report import as_json, text
    from weft.report.view import view_of
    from weft.solutions.result_file import check_target, is_result, save_result

    if slack and not repair:
        raise click.UsageError("--slack is about what may be given up; give --repair too")
    if coverage is not None and not repair:
        raise click.UsageError("--coverage is about what may be given up; give --repair too")
    if output is not None:
        check_target(output)
        check_targets({"-o": output}, [evidence, *knowledge_files])
        check_result(output, "weft report RESULT -o")
    check_is_no_table(evidence)
    if is_result(evidence):
        if knowledge_files or repair:
            raise click.UsageError(
                f"{evidence} is a result, with knowledge and repair of its own; assume more with --assume"
            )
        solutions = replace(loaded(evidence, claims, timeout), limit=limit, effort=effort)
    else:
        solutions = weft.solve(
            weft.load_evidence(evidence),
            method,
            selection=selection,
            engine=engine,
            limit=limit,
            timeout=timeout,
            effort=effort,
            knowledge=read_knowledge(knowledge_files),
            conflicts="repair" if repair else "hard",
            slack=slack,
            coverage=coverage,
        ).assume(*claims)
    with answering() as progress:
        everything = form == "json" or count_only
        view = view_of(solutions, details=False, seconds=timeout, everything=everything, progress=progress)
    if output is not None:  # first, for whoever reads what is printed may go away (weft solve ... | head)
        with busy(f"writing {output}"):
            save_result(solutions, output, view)
    if form == "json":
        ascii_only = not (sys.stdout.encoding or "utf-8").lower().startswith("utf")
        sys.stdout.writelines(as_json.pieces(view, graphs=not count_only, ascii_only=ascii_only))
    else:
        for line in text.lines(view, structures=not count_only):
            click.echo(line)
    if output is not None:
        complain(f"the result is in {output}; weft explain, suggest, report and explore read it")
    return exit_code(view.consistent)


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
    type=options.Names("weft.studies.simulate.WAYS"),
    default="nonlinear",
    show_default=True,
    help="How causes act in the simulated tables; discrete variables have levels.",
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
    way: str,
) -> None:
    """Draw a random graph, split its variables into studies, and write their evidence or tables of data.

    The evidence is what perfect tests would find. Without --graph, the graph goes to standard output; if the
    evidence goes there, to standard error.
    """
    import numpy

    import weft
    from weft.cli.targets import check_targets
    from weft.graphs.simulate import random_admg, split_into_studies

    check_targets({"-o": output, "--graph": graph_file})
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
