"""Answers as plain values, for JSON: what ``weft solve`` prints and what a result file holds."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from weft.evidence.claims import Claim
from weft.evidence.statements import Statement
from weft.search.consequences import Holds
from weft.search.repair import Repair
from weft.solutions.findings import Again, Finding, Summary
from weft.solutions.solution_set import OtherRepair
from weft.solutions.structures import Structures, total_document


def answer_document(summary: Summary, structures: Structures) -> dict[str, Any]:
    """The answer: how many structures there are, and what they say of every claim."""
    return {
        "consistent": summary.consistent,
        "mags": structures.number,
        "pags": len(structures.class_sizes),
        "complete": structures.complete,
        "fair": structures.fair,
        "drawn_from": total_document(structures.total),
        "more_than": structures.more_than or None,
        "worth": structures.worth,
        "certain": list(summary.certain),
        "possible": list(summary.possible),
        "settled": summary.complete,
    }


def claims_document(findings: Iterable[Finding]) -> list[dict[str, Any]]:
    """Claims, each as it is stated, with all that is known about them."""
    return [finding_document(one) for one in findings]


def finding_document(finding: Finding) -> dict[str, Any]:
    """A claim, and what is known about it."""
    again = finding.again
    beyond_doubt = finding.margin is None or math.isinf(finding.margin)  # JSON knows no infinity
    return {
        "claim": str(finding.claim),
        "holds": str(finding.holds),
        "confidence": finding.confidence,
        "margin": None if beyond_doubt else finding.margin,
        "exact": finding.exact,
        "estimated": finding.estimated,
        "drawn": finding.drawn,
        "share": finding.share,
        "bootstrap": None if again is None else {"all": again.all, "some": again.some, "none": again.none},
    }


def read_finding(document: Mapping[str, Any]) -> Finding:
    """The inverse of :func:`finding_document`; about the claim that is not denied."""
    again, confidence = document["bootstrap"], document["confidence"]
    found = Finding(
        Claim.parse(document["claim"]).canonical,
        Holds(document["holds"]),
        document["share"],
        None if again is None else Again(again["all"], again["some"], again["none"]),
        confidence,
        math.inf if confidence == 1 else document["margin"],
        document["exact"],
        document.get("estimated", False),  # files of before know no estimates
        document.get("drawn"),  # and no draws
    )
    return found if found.claim.holds else found.opposite


def repair_document(repair: Repair) -> dict[str, Any]:
    """What was given up, at which cost, and whether that is the least and the only way."""
    return {
        "cost": repair.cost,
        "bound": repair.bound,
        "proven": repair.proven,
        "unique": repair.unique,
        "given_up": [
            statement_document(statement)
            | {
                "in": None if repair.unique is None else "all" if statement in repair.always else "some",
                "best": statement in repair.given_up,
            }
            for statement in repair.sometimes or repair.given_up
        ],
    }


def other_document(other: OtherRepair) -> dict[str, Any]:
    """Another repair, and what would be different."""
    return repair_document(other.repair) | {
        "no_longer_certain": list(other.no_longer_certain),
        "newly_certain": list(other.newly_certain),
    }


def statement_document(statement: Statement) -> dict[str, Any]:
    """A statement in words and in parts, with its weight and what is behind it."""
    behind = statement.provenance
    return {
        "statement": str(statement),
        "pair": [statement.x, statement.y],
        "kind": statement.kind,
        **({"study": statement.studies[0]} if statement.of_study else {}),
        **statement.content(),
        "weight": statement.weight,
        "source": behind.source,
        "p_value": behind.p_value,
        "rows": behind.rows,
    }
