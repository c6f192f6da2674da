"""An answer as CSV: a row for every claim, or for every pair; the same from command line and page."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from weft.solutions.documents import claims_document
from weft.solutions.findings import Finding, Summary
from weft.solutions.pairs import pairs_of

CLAIM_COLUMNS = ("claim", "holds", "confidence", "margin", "exact", "estimated", "drawn")


def claims_csv(found: Sequence[Finding]) -> str:
    """Claims as they are stated, in this order.

    >>> from weft import oracle, solve
    >>> print(claims_csv(solve(oracle("X -> Y", [["X", "Y"]])).summary(margins=True).claims[:1]), end="")
    claim,holds,confidence,margin,exact,estimated,drawn
    X causes Y,all,1.0,,True,False,
    """
    return _csv(CLAIM_COLUMNS, claims_document(found))


def pairs_csv(summary: Summary) -> str:
    """Every pair: in which solutions it has an edge and which, who causes whom, and how sure each of that is.

    >>> from weft import oracle, solve
    >>> lines = pairs_csv(solve(oracle("X -> Y", [["X", "Y"]])).summary(margins=True)).splitlines()
    >>> lines[0].split(",")[:4], lines[1].split(",")[:4]
    (['first', 'second', 'edge', 'edge_confidence'], ['X', 'Y', 'all', '1.0'])
    """
    pairs = pairs_of(summary)
    return _csv(pairs.columns, (one.row() for one in pairs))


def _csv(columns: Sequence[str], rows: Iterable[Mapping[str, Any]]) -> str:
    text = io.StringIO()
    table = csv.DictWriter(text, columns, extrasaction="ignore", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return text.getvalue()
