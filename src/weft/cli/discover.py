"""``weft discover``: from several tables to an answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Literal

import click

from weft.cli import options
from weft.cli.failures import exit_code, say_when_interrupted, speak_json

if TYPE_CHECKING:
    from weft.cli.tables import Reader

# "\b" tells click to leave the lines as they are.
EXAMPLES = """\b
weft discover clinic.csv cohort.parquet registry.csv -o result.json
weft discover clinic.csv registry.csv --knowledge expert.toml --bootstrap 100
weft discover uk=2019/a.csv us=2021/a.csv --kind stage=ordinal --drop id

\b
Test results are saved as they come: after Ctrl-C or a power cut, the same
command continues where it stopped.
"""


@click.command(short_help="Find every structure that is consistent with tables.", epilog=EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@click.option("-o", "--output", metavar="FILE", help="Where to write the result (weft-result/1).")
@click.option(
    "--report", "report_file", metavar="FILE", help="Where to write a page for a browser, as weft report does."
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
    help=f"How to judge the causal structure of a pair: {', '.join(options.ORIENTATIONS)}.",
)
@click.option(
    "--pairs",
    type=click.Choice(["connected", "dependent"]),
    default="connected",
    show_default=True,
    help="Which pairs to judge: those connected in a study, or all that are dependent.",
)
@options.sufficient
@options.least_confidence
@options.reading
@options.selection
@options.slack
@options.limit
@options.seconds("The time limit of each question to the solver; the answer then says what is not settled.", 120.0)
@click.option(
    "--bootstrap",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Repeat the analysis N times on resampled rows, to see how sure the answer is.",
)
@options.seed
@options.working
@click.option("--quiet", is_flag=True, help="Do not report progress.")
@click.option("--json-log", is_flag=True, help="Report progress and warnings as JSON, one object per line.")
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

    Each TABLE is one study: a CSV file with a header, or a Parquet file. Studies share some columns. NAME= gives a
    study a name other than that of its file. Where findings contradict each other, weft gives up those with the least
    total weight.
    """
    import weft
    from weft.cli.progress import busy, told
    from weft.cli.tables import open_cache, read_knowledge
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
    studies = reader.studies(tables)
    known = read_knowledge(knowledge_files)
    with told(quiet=quiet, json_log=json_log) as log:
        with open_cache(cache, memory=no_cache) as results:
            if not no_cache:
                say_when_interrupted("test results so far are saved; the same command continues from there")
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
