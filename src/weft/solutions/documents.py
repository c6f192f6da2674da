"""Answers as plain values, for JSON: what ``weft solve`` prints and what a result file holds."""

from __future__ import annotations

from typing import Any

from weft.evidence.statements import Statement
from weft.search.consequences import NO_EDGE
from weft.search.repair import Repair
from weft.solutions.solution_set import OtherRepair
from weft.solutions.summary import PairSummary
from weft.solutions.sureness import Sureness


def pair_document(pair: PairSummary, *, selection: bool) -> dict[str, Any]:
    """In which solutions a pair has which edge, and how it is related."""
    symbols = ("->", "<-", "<->", *(("--",) if selection else ()), NO_EDGE)
    document: dict[str, Any] = {
        "pair": [pair.x, pair.y],
        "edges": {symbol or "no edge": pair.edge(symbol) for symbol in symbols},
        "causes": pair.causes,
        "caused": pair.caused,
        "confounded": pair.confounded,
    }
    if pair.share is not None:
        edges = {symbol or "no edge": pair.share.edges.get(symbol, 0.0) for symbol in symbols}
        document["share"] = {"edges": edges, "causes": pair.share.causes, "caused": pair.share.caused}
    return document


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
        **({} if statement.study is None else {"study": statement.study}),
        **statement.content(),
        "weight": statement.weight,
        "source": behind.source,
        "p_value": behind.p_value,
        "rows": behind.rows,
    }


def sureness_document(sureness: Sureness) -> dict[str, Any]:
    """The shares of bootstrap runs in which something is certain, possible, impossible, pair by pair."""
    return {
        "runs": sureness.runs,
        "answered": sureness.answered,
        "seed": sureness.seed,
        "pairs": [
            {
                "pair": [pair.x, pair.y],
                "shares": {fact: [one.certain, one.possible, one.impossible] for fact, one in pair.shares.items()},
            }
            for pair in sureness.pairs
        ],
    }
