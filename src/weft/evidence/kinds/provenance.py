"""Where a statement came from, and what all kinds of statements share."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Protocol

from weft.graphs.mixed import quote


@dataclass(frozen=True, slots=True)
class Provenance:
    """Where a statement came from; everything is optional."""

    source: str | None = None
    """The test, method, expert or experiment."""
    p_value: float | None = None
    rows: int | None = None


NOWHERE = Provenance()

LEAST_SHOWN = 1e-6
"""Smaller p-values are not told apart in words."""


class OfPair(Protocol):
    """A statement about two variables."""

    @property
    def x(self) -> str: ...  # noqa: D102

    @property
    def y(self) -> str: ...  # noqa: D102


def sort_pair(statement: OfPair) -> None:
    """Keep the pair of a frozen statement in sorted order."""
    if statement.x > statement.y:
        x, y = statement.y, statement.x
        object.__setattr__(statement, "x", x)
        object.__setattr__(statement, "y", y)


def shown_pair(statement: OfPair) -> str:
    """The pair in words."""
    return f"{quote(statement.x)} and {quote(statement.y)}"


def in_studies(studies: tuple[str, ...]) -> str:
    """Studies in words; nothing if there are none.

    >>> in_studies(("a", "b", "c"))
    " in studies 'a', 'b' and 'c'"
    """
    *others, last = map(repr, studies) if studies else ("",)
    if not others:
        return f" in study {last}" if last else ""
    return f" in studies {', '.join(others)} and {last}"


def in_digits(weight: float) -> str:
    """A weight to read: three significant digits, from 1,000 on the whole number, 1e+06 and its like only beyond that.

    >>> in_digits(2.0), in_digits(0.20174), in_digits(0.0000123), in_digits(1234.5), in_digits(2.5e7)
    ('2', '0.202', '0.0000123', '1,234', '2.5e+07')
    """
    short = f"{weight:.3g}"
    if "e" not in short or not 1e-6 <= weight < 1e6:
        return short
    return f"{weight:,.0f}" if weight > 1 else f"{Decimal(short):f}"


def shown_weight(weight: float | None) -> str:
    """A weight in words; nothing if there is none."""
    return "" if weight is None else f"weight {in_digits(weight)}"


def shown_p_value(p_value: float) -> str:
    """What is said of a p-value: of one that is plainly small no more than that.

    No test is that exact so far out, and some tell no more than a bound (`kcit`).

    >>> shown_p_value(0.0432), shown_p_value(3e-9)
    ('= 0.043', '< 1e-6')
    """
    return f"= {p_value:.2g}" if p_value >= LEAST_SHOWN else "< 1e-6"


def behind(provenance: Provenance, weight: str, *, p_value: str = "p", source: bool = True) -> str:
    """The data behind a statement, in parentheses.

    >>> behind(Provenance("kcit", 0.43, 1812), "weight 2.1")
    ' (kcit, p = 0.43, 1,812 rows, weight 2.1)'
    """
    parts = [" ".join(provenance.source.split())] if provenance.source and source else []
    if provenance.p_value is not None:
        parts.append(f"{p_value} {shown_p_value(provenance.p_value)}")
    if provenance.rows is not None:
        parts.append(f"{provenance.rows:,} rows")
    if weight:
        parts.append(weight)
    return f" ({', '.join(parts)})" if parts else ""
