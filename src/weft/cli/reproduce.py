"""``weft reproduce``: the paper's experiments, with its figures and ours side by side."""

from __future__ import annotations

from pathlib import Path

import click

from weft.cli import options
from weft.cli.failures import say_when_interrupted

# The library's list, which a test compares: to import it here would slow the start.
EXPERIMENTS = ("synthetic1", "synthetic2", "overlap", "sample-size", "protein", "cancer")

EXAMPLES = """\b
weft reproduce synthetic1
weft reproduce all --quick -o reproduction

\b
Each finished piece is saved in the folder: after Ctrl-C or a power cut, the
same command continues where it stopped.
"""


@click.command(short_help="Repeat the experiments of the paper.", epilog=EXAMPLES)
@click.argument("experiment", type=click.Choice([*EXPERIMENTS, "all"]), default="all")
@click.option(
    "--quick", is_flag=True, help="Take minutes instead of up to two hours: fewer repetitions, rows and seconds."
)
@click.option(
    "-o",
    "--output",
    default="reproduction",
    show_default=True,
    metavar="FOLDER",
    help="Where to write results.json, reproduction.md and reproduction.html, and finished pieces.",
)
@options.seed
@options.jobs
def reproduce(experiment: str, quick: bool, output: str, seed: int, jobs: int) -> None:
    """Repeat one experiment of the paper, or all, and print its Table 2 with the paper's figures and ours.

    Without --quick, the sizes are the paper's. The page reproduction.md explains each difference.
    """
    from weft.cli.progress import told
    from weft.reproduce.reproduce import reproduce as reproduced
    from weft.reproduce.sections import text_lines

    names = EXPERIMENTS if experiment == "all" else (experiment,)
    folder = Path(output)
    say_when_interrupted(f"finished pieces are saved in {output}; the same command continues from there")
    with told(quiet=False, json_log=False) as log:
        sections = reproduced(names, folder, quick=quick, seed=seed, jobs=jobs, progress=log.progress)
        log.stop()
        for line in text_lines([row for section in sections for row in section.rows]):
            click.echo(line)
        log.note(
            f"results.json, reproduction.md and reproduction.html are in {folder}; the page explains each difference"
        )
