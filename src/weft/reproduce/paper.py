"""What the paper prints: Table 2, line by line, and what its figures say about themselves.

Dhir and Lee, *Integrating overlapping datasets using bivariate causal discovery*, AAAI 2020.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

METHODS = {"iod": "IOD", "iod-bcd": "IOD+BCD", "causal-iod": "Causal IOD"}
"""The three methods: how weft calls them, and the paper."""


@dataclass(frozen=True)
class Printed:
    """A line of Table 2; ``None`` where the paper prints nothing, or a dash."""

    experiment: str
    condition: str
    method: str
    mags: float | None
    precision: float | None = None
    recall: float | None = None
    where: str = "Table 2"


def _lines() -> Iterator[Printed]:
    for experiment, condition, figures in (
        ("synthetic1", "", ((63, 0.34, 0.53), (8, 0.58, 0.69), (1, 1.0, 1.0))),
        ("synthetic2", "", ((None, None, None), (169, 0.40, 0.54), (1, 1.0, 1.0))),
        ("overlap", "2", ((650.5, 0.73, 0.84), (27.0, 0.91, 0.89), (15.9, 0.93, 0.90))),
        ("overlap", "3", ((402.0, 0.76, 0.87), (5.8, 0.96, 0.94), (5.3, 0.96, 0.95))),
        ("overlap", "4", ((230.5, 0.77, 0.91), (1.9, 0.98, 0.98), (1.8, 0.98, 0.99))),
        ("protein", "", ((61740, 0.40, 0.30), (13, 0.50, 0.37), (3, 0.50, 0.37))),
        ("cancer", "", ((42, None, None), (6, None, None), (6, None, None))),
    ):
        for method, (mags, precision, recall) in zip(METHODS, figures, strict=True):
            yield Printed(experiment, condition, method, mags, precision, recall)
    yield Printed("sample-size", "", "iod", 275, 0.68, 0.82)
    yield Printed("sample-size", "200", "causal-iod", 2, 0.78, 0.88)
    for rows in ("400", "600", "800", "1000"):
        yield Printed("sample-size", rows, "causal-iod", 1, 1.0, 1.0)


TABLE_2 = tuple(_lines())


def printed(experiment: str, method: str, condition: str = "") -> Printed | None:
    """The paper's line, if there is one.

    >>> printed("synthetic1", "iod").mags
    63
    """
    wanted = (experiment, condition, method)
    return next((one for one in TABLE_2 if (one.experiment, one.condition, one.method) == wanted), None)


# -- arithmetic ------------------------------------------------------------------------------------------------------


def possible_edges(
    mags: int, true_edges: int, precision: float, recall: float, most: int
) -> tuple[tuple[int, int], ...]:
    """Every (right edges, edges) over all MAGs that gives a printed precision and recall, by the paper's definitions.

    Precision is right / edges and recall right / (edges of the truth x MAGs), both rounded to two digits; one MAG has
    at most ``most`` edges. Nothing means that the printed figures cannot all be right.

    >>> possible_edges(8, 2, 0.58, 0.69, most=3)
    ((11, 19),)
    >>> possible_edges(63, 2, 0.34, 0.53, most=3)
    ()
    """
    whole = true_edges * mags
    return tuple(
        (right, edges)
        for right in range(math.floor((recall - 0.006) * whole), math.ceil((recall + 0.006) * whole) + 1)
        if _rounds_to(right / whole, recall)
        for edges in range(max(right, 1), most * mags + 1)
        if _rounds_to(right / edges, precision)
    )


def _rounds_to(value: float, shown: float) -> bool:
    """Whether a value is shown so with two digits; a half may go either way."""
    return abs(value - shown) <= 0.005 + 1e-12


def possible_true_edges(mags: int, precision: float, recall: float, variables: int) -> tuple[int, ...]:
    """How many edges the true graph can have had, given a printed precision and recall of so many MAGs.

    >>> possible_true_edges(2, 0.78, 0.88, variables=7)
    (4, 8, 12, 16)
    """
    most = variables * (variables - 1) // 2
    return tuple(n for n in range(1, most + 1) if possible_edges(mags, n, precision, recall, most))
