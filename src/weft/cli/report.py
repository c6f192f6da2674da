"""``weft report``: a result as a page that opens anywhere, or as a figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from weft.cli import options
from weft.cli.failures import complain, exit_code

EXAMPLES = """\b
weft report result.json -o report.html
weft report result.json -o report.html --assume "X causes Y" --patience 120
weft report new.json -o report.html --beside old.json
weft report result.json --figure union.pdf
weft report result.json --figure first.svg --structure 1
weft report result.json --figure sheet.png --sheet 12
"""


@click.command(short_help="Write a result as a page for any browser, or as a figure.", epilog=EXAMPLES)
@click.argument("result")
@click.option("-o", "--output", metavar="FILE", help="Where to write the page, such as report.html.")
@click.option("--beside", metavar="FILE", help="Show another result beside this one, such as an earlier one.")
@click.option("--figure", metavar="FILE", help="Where to write a figure: .svg, .pdf or .png (needs weft[figures]).")
@click.option(
    "--structure", type=click.IntRange(min=1), metavar="N", help="Draw the N-th structure instead of the union of all."
)
@click.option("--sheet", type=click.IntRange(1, 100), metavar="N", help="Draw the first N structures side by side.")
@options.assumed
@click.option("--title", metavar="TEXT", help="The title of the page or figure.  [default: the names of the studies]")
@options.patience(4.0, "How long to look for reasons, common causes and another repair; the page says what is missing.")
@options.seconds("The time limit of each question to the solver; the page says what is not settled.")
def report(
    result: str,
    output: str | None,
    beside: str | None,
    figure: str | None,
    structure: int | None,
    sheet: int | None,
    claims: Sequence[str],
    title: str | None,
    patience: float,
    timeout: float | None,
) -> int:
    """Write RESULT as one HTML file that needs no network and no server, or as a figure, or both.

    RESULT is a result file (weft-result/3). The page shows the answer, the union of all structures, why each pair is as
    it is, the structures one by one, what was given up, the studies, and what to do next. What a reader assumes there
    narrows the structures at once. Any graph on the page can be saved in the formats of weft convert.

    With --beside, the page shows the pictures of two results with the same places, the claims that differ, and what is
    different in what went in; --assume is about RESULT alone.

    The figure shows the union of all structures, or some of them (--structure, --sheet).
    """
    from weft.cli.progress import answering
    from weft.cli.tables import loaded
    from weft.cli.targets import check_page, check_targets
    from weft.report.beside import beside_of, labels
    from weft.report.figure import check_file, figure_of, write_figure
    from weft.report.html import to_html
    from weft.report.view import view_of
    from weft.solutions.result_file import check_target

    kind, number = _asked(output, figure, structure, sheet)
    if beside is not None and output is None:
        raise click.UsageError("--beside is about the page; add -o report.html")
    check_targets({"-o": output, "--figure": figure}, [result, beside])
    check_page("-o", output, "--figure")
    if output is not None:
        check_target(output)
    if figure is not None:
        check_file(figure)
    solutions = loaded(result, claims, timeout)
    other = None if beside is None else loaded(beside, (), timeout)
    with answering() as progress:
        view = view_of(
            solutions, patience=patience, details=output is not None, title=title, progress=progress,
            folder=Path(result).parent,
        )  # fmt: skip
        two = None if beside is None or other is None else beside_of(solutions, view, other, labels(beside, result))
        drawn = None if figure is None else figure_of(view, kind, number)
    if output is not None:
        to_html(view, output, two)
        complain(f"the report is in {output}; open it in a browser")
        if view.unexplained:
            complain(f"{view.unexplained:,} reasons were not worked out in time; --patience 60 gives them a minute")
    if figure is not None and drawn is not None:
        write_figure(drawn, figure, view.title)
        complain(f"the figure is in {figure}")
    return exit_code(view.consistent)


def _asked(output: str | None, figure: str | None, structure: int | None, sheet: int | None) -> tuple[str, int | None]:
    """The kind of figure and its number; refuses options that do not fit together."""
    if output is None and figure is None:
        raise click.UsageError("say where to write the page (-o report.html) or a figure (--figure union.pdf)")
    if structure is not None and sheet is not None:
        raise click.UsageError("--structure draws one and --sheet many; choose one of them")
    if figure is None and (structure is not None or sheet is not None):
        raise click.UsageError("--structure and --sheet say what a figure shows; add --figure FILE")
    return (
        ("structure", structure)
        if structure is not None
        else ("sheet", sheet)
        if sheet is not None
        else ("union", None)
    )
