"""``weft reproduce``: the paper's experiments, with its figures and ours side by side."""

from __future__ import annotations

from pathlib import Path

import click

from weft.cli import options
from weft.cli.failures import say_when_ended

EXAMPLES = """\b
EXPERIMENT: synthetic1, synthetic2, overlap, sample-size, protein, cancer
or all, which is the default

\b
weft reproduce synthetic1
weft reproduce all --quick -o reproduction

\b
Each finished piece is saved in the folder: after Ctrl-C or a power cut, the
same command continues where it stopped.
"""


@click.command(short_help="Run the paper's experiments again.", epilog=EXAMPLES)
@click.argument(
    "experiment",
    type=options.Names("weft.reproduce.registry.EXPERIMENTS", "all"),
    default="all",
    metavar="[EXPERIMENT]",
)
@click.option("--quick", is_flag=True, help="Minutes instead of up to two hours: fewer repetitions, rows and seconds.")
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
def reproduce(experiment: str, quick: bool, output: str, seed: int, n_jobs: int) -> None:
    """Run EXPERIMENT, one of the paper's or all of them, and print its Table 2 with the paper's figures and ours.

    Without --quick, the sizes are the paper's. The page reproduction.md explains each difference.
    """
    from weft.cli.progress import told
    from weft.reproduce.registry import EXPERIMENTS
    from weft.reproduce.reproduce import reproduce as reproduced
    from weft.reproduce.sections import text_lines

    names = tuple(EXPERIMENTS) if experiment == "all" else (experiment,)
    folder = Path(output)
    say_when_ended(f"what was done so far is kept in {output}; the same command goes on from there")
    stages = {EXPERIMENTS[name].title: 1.0 for name in names}
    with told(stages, quiet=False, json_log=False) as log:
        sections = reproduced(names, folder, quick=quick, seed=seed, n_jobs=n_jobs, progress=log.progress)
        log.stop()
        for line in text_lines([row for section in sections for row in section.rows]):
            click.echo(line)
        log.note(
            f"results.json, reproduction.md and reproduction.html are in {folder}; the page explains each difference"
        )
