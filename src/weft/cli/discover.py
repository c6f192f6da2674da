"""``weft discover``: from several tables to an answer."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from weft.cli import options
from weft.cli.failures import exit_code

if TYPE_CHECKING:
    from weft.cli.tables import Reader
    from weft.cli.work import Work

# "\b" tells click to leave the lines as they are.
EXAMPLES = """\b
weft discover clinic.csv cohort.parquet registry.csv -o result.json
weft discover clinic.csv registry.csv --knowledge expert.toml --bootstrap 100
weft discover uk=2019/a.csv us=2021/a.csv --kind stage=ordinal --drop id
weft discover studies.toml

\b
Test results are saved as they come: after Ctrl-C or a power cut, the same
command continues where it stopped.
"""


@click.command(short_help="Find every structure that is consistent with tables.", epilog=EXAMPLES)
@click.argument("tables", nargs=-1, required=True, metavar="[NAME=]TABLE...")
@click.option("-o", "--output", metavar="FILE", help="Where to write the result file (weft-result/3).")
@click.option(
    "--report", "report_file", metavar="FILE", help="Where to write a page for a browser, as weft report does."
)
@options.knowledge
@options.gathering
@options.reading
@options.selection
@options.slack
@options.coverage
@options.limit
@options.effort
@options.timeout
@click.option(
    "--bootstrap",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Repeat the analysis N times on half of the rows, drawn at random, to see how sure the answer is.",
)
@options.seed
@options.working
def discover(
    tables: Sequence[str],
    output: str | None,
    report_file: str | None,
    knowledge_files: Sequence[str],
    settings: Mapping[str, Any],
    reader: Reader,
    selection: bool,
    slack: float,
    coverage: float | None,
    limit: int | None,
    effort: int,
    timeout: float | None,
    bootstrap: int,
    seed: int,
    work: Work,
) -> int:
    """Find every causal structure that is consistent with TABLES.

    Each TABLE is one study: text with a header (CSV), Excel, Parquet, SPSS, Stata, SAS or SQLite. Studies share some
    columns; one study is enough to ask what it says by itself. NAME= gives a study a name other than that of its
    file. A studies.toml (weft check writes one) describes a whole analysis. Where findings contradict each other,
    weft gives up those with the least total weight.
    """
    import weft
    from weft.cli.progress import busy
    from weft.cli.tables import named_files, plan_among, read_knowledge
    from weft.cli.targets import check_page, check_result, check_targets
    from weft.plan import read_plan
    from weft.progress import usual_stages
    from weft.report import text
    from weft.report.html import to_html
    from weft.report.view import view_of
    from weft.settings import ORIENTING
    from weft.solutions.result_file import check_target, save_result

    for option, target in (("-o", output), ("--report", report_file)):
        if target == "-":
            raise click.UsageError(f"{option} -: the answer goes to standard output; name a file")
        if target is not None:
            check_target(target)
    read = [*named_files(tables).values(), *knowledge_files, work.cache]
    check_targets({"-o": output, "--report": report_file}, read)
    check_page("--report", report_file, "weft report RESULT --figure")
    check_result(output, "--report")
    plan = plan_among(tables, reader)
    said: dict[str, Any] = {
        **settings,
        "knowledge": read_knowledge(knowledge_files),
        "selection": selection,
        "slack": slack,
        "coverage": coverage,
        "limit": limit,
        "timeout": timeout,
        "effort": effort,
        "bootstrap": bootstrap,
        "seed": seed,
    }
    said = {**said, "studies": reader.studies(tables)} if plan is None else read_plan(plan).applied(said)
    stages = usual_stages(orients=said["method"] in ORIENTING, runs=said["bootstrap"], answers=True)
    with work.begun(stages) as (log, cache):
        solutions = weft.discover(
            **said, n_jobs=work.n_jobs, dask=work.dask, cache=cache, progress=log.progress, warn=log.warn
        )
        assert solutions.origin is not None
        for warning in solutions.origin.warnings:
            log.warn(warning)
        view = view_of(solutions, details=report_file is not None, progress=log.progress)
        log.stop()
        if output is not None:  # first, for whoever reads what is printed may go away (weft discover ... | head)
            with busy(f"writing {output}"):
                save_result(solutions, output, view)
        if report_file is not None:
            to_html(view, report_file)
        for line in text.lines(view):
            click.echo(line)
        if output is not None:
            log.note(f"the result is in {output}; weft explain, suggest, report and explore read it")
        if report_file is not None:
            log.note(f"the report is in {report_file}; open it in a browser")
    return exit_code(view.consistent)
