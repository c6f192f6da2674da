"""What ``weft orient`` prints: one pair of columns, as every method sees it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING

import click

from weft.reading.names import quote

if TYPE_CHECKING:
    from weft.evidence.orientation.protocol import Verdict
    from weft.studies import Study

_WIDTH = 79


def verdicts(
    study: Study, x: str, y: str, orientation: str | None, sufficient: bool, least_confidence: float
) -> list[Verdict]:
    """The verdict of one method, or of all of them."""
    from weft.evidence.orientation.protocol import run
    from weft.evidence.orientation.registry import METHODS, method_named

    if x == y:
        raise click.UsageError(f"both columns are {x!r}; name two different columns")
    first, second = study.column(x), study.column(y)
    return [
        run(method_named(name), first, second, sufficient=sufficient, least_confidence=least_confidence)
        for name in ([orientation] if orientation is not None else METHODS)
    ]


def lines(study: Study, x: str, y: str, found: Sequence[Verdict]) -> Iterator[str]:
    """The verdicts as a table, the reasons below each."""
    first, second = study.column(x), study.column(y)
    yield f"X = {quote(x)} ({first.kind}), Y = {quote(y)} ({second.kind}), {found[0].rows:,} rows with both"
    yield "common causes: " + (
        "declared absent" if found[0].sufficient else "may be there, unless a method excludes them"
    )
    yield ""
    yield f"{'method':<10} {'cannot exclude':<24} {'direction, if forced':<22} confidence"
    for verdict in found:
        allowed = " | ".join(one.value for one in sorted(verdict.allowed)) if verdict.decided else "undecided"
        forced = "X -> Y" if verdict.forced.value == "->" else "Y -> X"
        direction = forced if verdict.confidence > 0.5 else "none"
        yield f"{verdict.method:<10} {allowed:<24} {direction:<22} {verdict.confidence:.2f}"
        yield from _indented(verdict.reason)
        yield from _indented(_assumed(verdict.method))


def _assumed(method: str) -> str:
    """What a method takes for granted."""
    from weft.evidence.orientation.registry import method_named

    assumptions = method_named(method).assumptions
    sees = "sees" if assumptions.sees_confounding else "does not see"
    return f"Assumes: {assumptions.text.rstrip('.')}. It {sees} common causes."


def _indented(text: str) -> list[str]:
    return wrap(text, _WIDTH, initial_indent=" " * 11, subsequent_indent=" " * 11)
