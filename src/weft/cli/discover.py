"""``weft discover``: from several tables to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from weft.cli import options
from weft.cli.failures import exit_code, speak_json

if TYPE_CHECKING:
    from weft.cli.tables import Reader

# "\b" tells click to leave the lines as they are.
EXAMPLES = """\b
weft discover clinic.csv cohort.parquet registry.csv -o result.json
weft discover clinic.csv registry.csv --knowledge expert.toml --bootstrap 100
weft discover uk=2019/a.csv us=2021/a.csv --kind stage=ordinal --drop id

\b
Results of tests are kept in a cache as they come: after Ctrl-C, or a power
cut, the same command goes on where it stopped.
"""


@click.command(short_help="From tables to every consistent structure.", epilog=EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@click.option("-o", "--output", metavar="FILE", help="Where the result goes (weft-result/1).")
@click.option(
    "--report", "report_file", metavar="FILE", help="Where a report for a browser goes, as weft report makes."
)
@options.knowledge
@options.method
@options.testing
@click.option(
    "--orient",
    "orientation",
    type=click.Choice(options.ORIENTATIONS),
    metavar="METHOD",
    default="auto",
    show_default=True,
    help=f"How the causal structure of a pair is judged: {', '.join(options.ORIENTATIONS)}.",
)
@click.option(
    "--pairs",
    type=click.Choice(["connected", "dependent"]),
    default="connected",
    show_default=True,
    help="Which pairs are judged: those connected in a study, or all that are dependent.",
)
@options.sufficient
@options.least_confidence
@options.reading
@options.selection
@options.slack
@options.limit
@options.seconds("For each question to the solver; then the best found so far is the answer, and says so.", 120.0)
@click.option(
    "--bootstrap",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Do everything N times again with rows drawn anew, to see how sure the answer is.",
)
@options.seed
@options.working
@click.option("--quiet", is_flag=True, help="Say nothing of how far it is.")
@click.option("--json-log", is_flag=True, help="Say how far it is, and warnings, as one JSON object a line.")
def discover(
    tables: Sequence[str],
    output: str | None,
    report_file: str | None,
    knowledge_files: Sequence[str],
    method: str,
    test: str,
    alpha: float,
    pooling: Literal["fisher", "stouffer"],
    max_given: int | None,
    independence_confidence: float,
    orientation: str,
    pairs: Literal["connected", "dependent"],
    sufficient: Sequence[str],
    least_confidence: float,
    reader: Reader,
    selection: bool,
    slack: float,
    limit: int | None,
    timeout: float,
    bootstrap: int,
    seed: int,
    jobs: int,
    dask: str | None,
    cache: str | None,
    no_cache: bool,
    quiet: bool,
    json_log: bool,
) -> int:
    """Find every causal structure that is consistent with TABLES.

    Each TABLE is a CSV file with a header or a Parquet file, and is one study; studies share some columns. NAME= gives
    a study a name other than its file's. Where tests contradict each other, the least weight of them is given up.
    """
    import weft
    from weft.cli.progress import busy, told
    from weft.cli.tables import named_files, open_cache, read_knowledge
    from weft.cli.targets import check_targets
    from weft.report import text
    from weft.report.html import to_html
    from weft.report.view import view_of
    from weft.solutions.result_file import check_target

    if json_log:
        speak_json()
    for option, target in (("-o", output), ("--report", report_file)):
        if target == "-":
            raise click.UsageError(f"{option} -: the answer goes to standard output; name a file")
        if target is not None:
            check_target(target)
    read = [*named_files(tables).values(), *knowledge_files, cache]
    check_targets({"-o": output, "--report": report_file}, read)
    studies = reader.studies(tables)
    known = read_knowledge(knowledge_files)
    with told(quiet=quiet, json_log=json_log) as log:
        with open_cache(cache, memory=no_cache) as results:
            solutions = weft.discover(
                studies,
                known,
                method=method,
                independence=test,
                alpha=alpha,
                pooling=pooling,
                max_given=max_given,
                independence_confidence=independence_confidence,
                orientation=orientation,
                pairs=pairs,
                sufficient=True if "" in sufficient else sufficient,
                least_confidence=least_confidence,
                selection=selection,
                slack=slack,
                limit=limit,
                timeout=timeout,
                bootstrap=bootstrap,
                seed=seed,
                n_jobs=jobs,
                dask=dask,
                cache=results,
                progress=log.progress,
            )
        log.stop()
        assert solutions.origin is not None
        for warning in solutions.origin.warnings:
            log.warning(warning)
        with busy("working out the answer"):
            view = view_of(solutions, details=report_file is not None)
        for line in text.lines(view):
            click.echo(line)
        if output is not None:
            with busy(f"writing {output}"):
                solutions.save(output)
            log.note(f"the result is in {output}; weft explain, suggest, report and explore read it")
        if report_file is not None:
            to_html(view, report_file)
            log.note(f"the report is in {report_file}; open it in a browser")
    return exit_code(view.consistent)
