"""Numbers of repetitions: means as the paper has them, and medians and quartiles, since counts are heavy-tailed."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from weft.reproduce.outcome import NotFinished, Partial
from weft.search.counting import Estimate, NotKnown, rounded
from weft.search.wandering import Guess


@dataclass(frozen=True)
class Spread:
    """The figures of several repetitions."""

    mean: float
    low: float
    """The lower end of a 95 % interval of the mean, by the bootstrap."""
    high: float
    median: float
    lower: float
    """The lower quartile."""
    upper: float
    repetitions: int
    unfinished: int = 0
    """Repetitions whose time ran out."""
    bounded: bool = False
    """Whether those are in the figures with what was found by then, so that each figure is at least so much.

    Else they are left out.
    """
    estimated: int = 0
    """Repetitions whose figure is an estimate, a guess, or that of a sample."""


@dataclass(frozen=True)
class Share:
    """In how many of so many repetitions something was so."""

    part: int
    whole: int
    unknown: int = 0


Figure = int | float | bool | Estimate | Guess | NotKnown | NotFinished | Partial | Spread | Share | None


def spread(
    values: Iterable[float | Estimate | Guess | NotKnown | Partial | NotFinished],
) -> Spread | NotKnown | NotFinished:
    """Sum up repetitions; not finished, or not known, if nothing is known of any.

    >>> spread([1.0, 2.0, 3.0, 10.0]).median
    2.5
    >>> shown(spread([1, 3, NotFinished(60, at_least=8)]))
    'at least 4.00 (1 not finished)'
    >>> shown(spread([1, Estimate(3, 1.2, 0.95)]))
    '2.00 (1 estimated)'
    """
    listed = list(values)
    unknown = [one for one in listed if isinstance(one, NotFinished | NotKnown)]
    bounds = [float(one.at_least) for one in unknown if isinstance(one, NotFinished) and one.at_least]
    estimates = [
        one.value for one in listed if isinstance(one, Estimate | Guess) or (isinstance(one, Partial) and one.fair)
    ]
    exact = [float(one) for one in listed if isinstance(one, int | float)]
    known = [*exact, *map(float, estimates), *bounds]
    if not known:
        return unknown[0] if unknown else NotFinished(0.0)
    lower, median, upper = statistics.quantiles(known, n=4, method="inclusive") if len(known) > 1 else known * 3
    unfinished = len(listed) - len(known) + len(bounds)
    low, high = _interval(known)
    mean = statistics.fmean(known)
    return Spread(
        mean, low, high, median, lower, upper, len(listed), unfinished, bool(bounds), estimated=len(estimates)
    )


def _interval(values: Sequence[float], draws: int = 2000) -> tuple[float, float]:
    """Where the mean lies in 95 % of bootstrap samples of the values."""
    chance = random.Random(0)
    means = sorted(statistics.fmean(chance.choices(values, k=len(values))) for _ in range(draws))
    return means[draws // 40], means[-draws // 40 - 1]


def share(values: Iterable[bool | NotFinished]) -> Share:
    """In how many repetitions something was so.

    >>> share([True, False, True])
    Share(part=2, whole=3, unknown=0)
    """
    listed = list(values)
    known = [one for one in listed if not isinstance(one, NotFinished)]
    return Share(sum(known), len(known), len(listed) - len(known))


def shown(figure: Figure, digits: int = 2) -> str:
    """A figure as text: a mean, or a number, or why there is none.

    >>> shown(3913), shown(0.5), shown(None), shown(True), shown(NotFinished(60, 12))
    ('3,913', '0.50', '', 'yes', 'not finished in 60 s, at least 12')
    """
    if figure is None:
        return ""
    if isinstance(figure, bool):
        return "yes" if figure else "no"
    if isinstance(figure, Share):
        return f"{figure.part} of {figure.whole}" + (f" ({figure.unknown} not known)" if figure.unknown else "")
    if isinstance(figure, Spread):
        parts = ((figure.estimated, "estimated"), (figure.unfinished, "not finished"))
        notes = ", ".join(f"{number} {what}" for number, what in parts if number)
        least = "at least " if figure.bounded else ""
        return f"{least}{shown(figure.mean, digits)}{f' ({notes})' if notes else ''}"
    if isinstance(figure, float):
        return f"{figure:,.{digits}f}"
    return f"{figure:,}" if isinstance(figure, int) else str(figure)


def brief(figure: Figure, digits: int = 2) -> str:
    """The same for a narrow place: ``>=`` before a lower bound, ``~`` before an estimate, ``!`` before what is unfair.

    What is estimated has its guarantee, or is of a fair sample, or by random walks; what is unfair is of the first
    answers found.

    >>> brief(NotFinished(60, 12)), brief(spread([1, 3, NotFinished(60, at_least=8)])), brief(share([True, False]))
    ('>=12', '>=4.00', '1/2')
    """
    if isinstance(figure, NotFinished):
        return f">={figure.at_least:,}" if figure.at_least else "?"
    if isinstance(figure, NotKnown):
        return "?"
    if isinstance(figure, Estimate | Guess):
        return f"~{rounded(figure.value)}"
    if isinstance(figure, Partial):
        return f"{'~' if figure.fair else '!'}{shown(figure.value, digits)}"
    if isinstance(figure, Share):
        return f"{figure.part}/{figure.whole}"
    if isinstance(figure, Spread):
        mark = ">=" if figure.bounded else "!" if figure.unfinished else "~" if figure.estimated else ""
        return f"{mark}{shown(figure.mean, 0 if figure.mean >= 1000 else digits)}"
    return shown(figure, digits)


def quartiles(figure: Figure, digits: int = 2) -> str:
    """The median and the quartiles of repetitions, as text.

    >>> quartiles(spread([1.0, 2.0, 3.0, 10.0]))
    '2.50 [1.75, 4.75]'
    """
    if not isinstance(figure, Spread):
        return ""
    median, lower, upper = (f"{value:,.{digits}f}" for value in (figure.median, figure.lower, figure.upper))
    return f"{median} [{lower}, {upper}]"


def document(figure: Figure) -> Any:
    """As plain values; what is not a plain number says what it is."""
    if isinstance(figure, Estimate | Guess | NotKnown | NotFinished | Partial | Spread | Share):
        return {"kind": type(figure).__name__, **asdict(figure)}
    return figure
