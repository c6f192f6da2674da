"""``weft effects``: how large an effect is, over every structure that is left."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli import options

if TYPE_CHECKING:
    from weft.effects import Case, Effects

EXAMPLES = """\b
weft effects result.json weight pressure
weft effects result.json weight pressure --form spline --figure effect.svg
weft effects result.json --format csv > effects.csv
"""
MOST_CASES = 12
"""So many are told in words, the surest."""
WIDEST_LABEL = 30
"""A longer one has a line for itself."""
FORMS = options.Names("weft.effects.estimate.FORMS")


@click.command(short_help="Say how large effects are, over all structures.", epilog=EXAMPLES)
@click.argument("result")
@click.argument("cause", required=False)
@click.argument("outcome", required=False)
@click.option(
    "--form",
    "shape",
    type=FORMS,
    default="linear",
    show_default=True,
    help="linear: the change for one unit of the cause. spline: from its lower to its upper quartile.",
)
@click.option(
    "--at-least",
    metavar="LEVEL",
    help="For an outcome whose levels have an order: the probability of this level or a higher one.",
)
@click.option(
    "--data",
    multiple=True,
    metavar="STUDY=FILE",
    help="Where the table of a study is now, if it has moved; may be given several times.",
)
@click.option("--figure", metavar="FILE", help="Where to draw the cases, as a forest plot: .png, .svg or .pdf.")
@options.form("text for people, json and csv for programs.", "text", "json", "csv")
@options.assumed
@options.timeout
def effects(
    result: str,
    cause: str | None,
    outcome: str | None,
    shape: str,
    at_least: str | None,
    data: Sequence[str],
    figure: str | None,
    form: str,
    claims: Sequence[str],
    timeout: float | None,
) -> None:
    """Say how large the effect of CAUSE on OUTCOME is, or of all causes that are claimed.

    RESULT is a result file of weft discover. Its tables are read again, and must be what they were. In each structure
    the effect is 0, or a study shows it when the right variables are held fixed, or it is composed of effects that
    different studies show, or the studies do not tell it.
    """
    from weft.cli.explain import speaks_unicode
    from weft.cli.progress import busy
    from weft.cli.tables import loaded, named_files
    from weft.cli.targets import check_targets
    from weft.solutions.effect_sizes import MOST_FOR_ALL, MOST_FOR_ONE, Sizes, tables_of

    if cause is not None and outcome is None:
        raise click.UsageError("name the cause and the outcome, or neither")
    if figure is not None and cause is None:
        raise click.UsageError("--figure draws one effect; name its cause and its outcome")
    if at_least is not None and cause is None:
        raise click.UsageError("--at-least is about one outcome; name it, and the cause")
    if figure is not None:
        from weft.report.pair_figure import check_name

        check_name(figure)
        check_targets({"--figure": figure}, [result, *named_files(data).values()])
    solutions = loaded(result, claims, timeout)
    most = MOST_FOR_ALL if cause is None else MOST_FOR_ONE
    with busy("estimating effects"):
        tables = tables_of(solutions, data=named_files(data), folder=Path(result).parent)
        sizes = Sizes(solutions, tables, form="spline" if shape == "spline" else "linear", most=most)
        found = sizes.all() if cause is None or outcome is None else (sizes.of(cause, outcome, at_least),)
    if figure is not None:
        from weft.report.effects_figure import write_forest

        write_forest(found[0], figure)
    if form == "json":
        documents = [one.as_json() for one in found]
        document = {"effects": documents} if cause is None else documents[0]
        click.echo(json.dumps(document, ensure_ascii=not speaks_unicode(), indent=1, allow_nan=False))
    elif form == "csv":
        click.echo(as_csv(found), nl=False)
    else:
        for line in table(found) if cause is None else lines(found[0]):
            click.echo(line)


def as_csv(found: Sequence[Effects]) -> str:
    """A row for each case of each effect."""
    from weft.effects.answer import KEYS

    text = io.StringIO()
    rows = csv.DictWriter(text, ("from", "to", *KEYS), lineterminator="\n")
    rows.writeheader()
    for one in found:
        for case in one.cases:
            plain = {
                key: "; ".join(value) if isinstance(value, list) else value for key, value in case.as_json().items()
            }
            rows.writerow({"from": one.cause, "to": one.outcome, **plain})
    return text.getvalue()


def lines(effects: Effects) -> Iterator[str]:
    """The sentence, and then each case."""
    from weft.report.text import wrapped

    yield from wrapped(effects.sentence)
    looked = f"{effects.structures:,} structures" if effects.structures != 1 else "1 structure"
    yield from wrapped(f"Cases, of {looked}{'' if effects.fair else ', the first that were found'}:")
    for one in effects.cases[:MOST_CASES]:
        yield from wrapped(one.in_words, f"  {_percent(_sure(one)):>5}  ")
    rare = effects.cases[MOST_CASES:]
    if rare:
        what = f"{len(rare):,} other ways (--format json has them)"
        yield from wrapped(what, f"  {_percent(sum(map(_sure, rare))):>5}  ")


def _sure(case: Case) -> float:
    return case.share if case.confidence is None else case.confidence


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def table(found: Sequence[Effects]) -> Iterator[str]:
    """A row for each effect that is worth a number."""
    from weft.report.text import wrapped

    if not found:
        yield from wrapped("No effect can be told: no cause is claimed whose effect a study shows in some structure.")
        return
    labels = [f"{one.per} on {one.of.partition(' (')[0]}" for one in found]
    wide = max((len(one) for one in labels if len(one) <= WIDEST_LABEL), default=0)
    yield f"{'':{wide}}  {'changes it by between':<21}  sure  no effect  not told"
    for label, one in zip(labels, found, strict=True):
        if len(label) > wide:
            yield from wrapped(label)
        yield f"{label if len(label) <= wide else '':{wide}}  {_row(one)}"
    yield ""
    yield from wrapped(
        "sure: that there is an effect and that it lies there. not told: there is one, and these studies do not tell "
        "how large it is. With the names of a cause and an outcome, weft effects says why, and where a number is from."
    )
    clashes = [f"{one.cause} on {one.outcome}" for one in found if any(case.disagree for case in one.usual)]
    if clashes:
        yield from wrapped(f"The studies that were pooled disagree about: {', '.join(clashes)}.")
    if not found[0].fair:
        yield from wrapped(
            f"The {found[0].structures:,} structures that were looked at are the first that were found; they need not "
            "be typical of all."
        )


def _row(effects: Effects) -> str:
    """The range and how sure it is, beside the other cases."""
    from weft.effects.answer import number

    span = effects.range
    assert span is not None  # what has none is not worth a row
    zero, unknown = (
        _percent(sum(_sure(one) for one in effects.cases if one.kind == kind)) for kind in ("zero", "not identified")
    )
    shown = sum(map(_sure, effects.usual)) if span.confidence is None else span.confidence
    return f"{f'{number(span.low)} and {number(span.high)}':<21}  {_percent(shown):>4}  {zero:>9}  {unknown:>8}"
