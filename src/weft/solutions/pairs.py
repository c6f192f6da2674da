"""Every pair of variables, a row each: what edge it has, who causes whom, and how sure that is.

``weft claims --pairs``, the page and :meth:`weft.SolutionSet.pairs` all give these columns.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from weft.evidence.claims import Claim, Topic
from weft.reading.frames import frame_of, html_table
from weft.reading.names import quote
from weft.search.consequences import Holds
from weft.solutions.findings import Finding, Summary


@dataclass(frozen=True, repr=False)
class Pair:
    """Two variables, and what is found about them."""

    first: str
    second: str
    findings: dict[str, Finding]
    """By column: ``edge``, ``first_to_second``, ``first_causes_second`` and so on."""

    def row(self) -> dict[str, Any]:
        """As a row of a table."""
        cells: dict[str, Any] = {"first": self.first, "second": self.second}
        for name, found in self.findings.items():
            cells |= {name: str(found.holds), f"{name}_confidence": found.confidence}
        return cells

    def __str__(self) -> str:
        """What edges the pair may have.

        >>> from weft import oracle, solve
        >>> print(*solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])).pairs(), sep=chr(10))
        X, Y: X <- Y
        X, Z: no edge | X <-> Z
        Y, Z: Y <-> Z
        """
        x, y = quote(self.first), quote(self.second)
        open_edges = [
            f"{x} {_SYMBOLS[name]} {y}"
            for name, one in self.findings.items()
            if name in _SYMBOLS and one.holds in (Holds.ALL, Holds.SOME)
        ]
        none = [] if self.findings["edge"].holds is Holds.ALL else ["no edge"]
        return f"{x}, {y}: {' | '.join([*none, *open_edges])}"

    def __repr__(self) -> str:
        return f"<Pair {self}>"


class Pairs(tuple[Pair, ...]):
    """All pairs, as a tuple that shows itself as a table."""

    __slots__ = ()

    def to_frame(self) -> Any:
        """A data frame, a row for each pair, with the columns of ``weft claims --pairs --format csv``."""
        return frame_of((one.row() for one in self), self.columns)

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns."""
        asked = self[0].findings if self else dict(_about("", "", selection=False))
        return ("first", "second", *(column for name in asked for column in (name, f"{name}_confidence")))

    def __str__(self) -> str:
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        return f"<{len(self)} pairs>"

    def _repr_html_(self) -> str:
        shown = [str(one).rpartition(": ") for one in self[:_SHOWN]]
        more = f"<p>and {len(self) - _SHOWN:,} more</p>" if len(self) > _SHOWN else ""
        return html_table([(pair, edges) for pair, _, edges in shown], ("pair", "edge")) + more


_SHOWN = 20
"""Rows in a notebook."""
_SYMBOLS = {"first_to_second": "->", "second_to_first": "<-", "both_ways": "<->", "undirected": "--"}


def pairs_of(summary: Summary) -> Pairs:
    """All pairs of a summary."""
    selection = any(one.claim.symbol == "--" for one in summary.findings)
    return Pairs(
        Pair(x, y, {name: summary.finding(claim) for name, claim in _about(x, y, selection=selection)})
        for x, y in summary.pairs
    )


def _about(x: str, y: str, *, selection: bool) -> Iterator[tuple[str, Claim]]:
    """The columns of a pair, and the claims that they tell about."""
    yield "edge", Claim(Topic.EDGE, x, y)
    for name, symbol in _SYMBOLS.items():
        if selection or name != "undirected":
            yield name, Claim(Topic.EDGE, x, y, symbol=symbol)
    yield "first_causes_second", Claim(Topic.CAUSES, x, y)
    yield "second_causes_first", Claim(Topic.CAUSES, y, x)
    yield "confounded", Claim(Topic.CONFOUNDED, x, y)
