"""``weft demo``: the whole way, from three tables to a report."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import click

from weft.cli import options
from weft.cli.failures import exit_code
from weft.errors import WeftError
from weft.reading.files import why_not_written

EXAMPLES = """\b
weft demo
weft demo -o somewhere --jobs 2
"""


@click.command(short_help="Go from three example tables to a report.", epilog=EXAMPLES)
@click.option(
    "-o",
    "--output",
    default="weft-demo",
    show_default=True,
    metavar="FOLDER",
    help="Where to write the tables, the result and the report.",
)
@options.jobs
def demo(output: str, n_jobs: int) -> int:
    """Run weft on three health studies that share two variables.

    The studies come with weft. They are simulated, so that the truth is known. Their tables are copied to a folder, and
    analysed as by weft discover.
    """
    import weft
    from weft.cli.progress import told
    from weft.examples import health
    from weft.progress import usual_stages
    from weft.report import text
    from weft.report.html import to_html
    from weft.report.view import view_of
    from weft.solutions.result_file import save_result

    folder = _made(output)
    with told(usual_stages(orients=True, answers=True), quiet=False, json_log=False) as log:
        files = [_copied(table.read_bytes(), folder / f"{name}.csv") for name, table in health.tables().items()]
        solutions = weft.discover(files, timeout=60, n_jobs=n_jobs, cache=None, progress=log.progress)
        view = view_of(solutions, patience=10, progress=log.progress)
        log.stop()
        for line in (*text.lines(view), "", *_truth(health.TRUTH, solutions.score(health.TRUTH).contains_truth)):
            click.echo(line)
        result, report = folder / "result.json", folder / "report.html"
        save_result(solutions, result, view)
        to_html(view, report)
    click.echo(f"Result          {result}")
    click.echo(f"Report          {report.resolve()}")
    return exit_code(view.consistent)


def _truth(truth: str, found: bool | None) -> Iterator[str]:
    from weft.report.text import wrapped

    where = {
        True: "among the structures",
        False: "not among the structures",
        None: "not known whether it is among them",
    }
    yield from wrapped(f"{truth} ({where[found]})", "The truth       ")


def _copied(table: bytes, path: Path) -> Path:
    """A table of the demo in its place, unless another one is there: somebody's own may have the same name."""
    if path.exists() and path.read_bytes() != table:
        raise WeftError(f"{path}: this file is there already and would be overwritten; name another folder with -o")
    path.write_bytes(table)
    return path


def _made(output: str) -> Path:
    """A folder that is there."""
    folder = Path(output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise WeftError(f"{output}: {why_not_written(error)}; name another folder with -o") from None
    return folder
