"""A view as plain values: what the page reads, and what the explorer answers (``web/src/view.ts`` has the types)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Statement
from weft.report.as_csv import claims_csv, pairs_csv
from weft.report.claims import ToldClaim, not_proven
from weft.report.glossary import TERMS
from weft.report.view import Confounding, Figures, View
from weft.search.consequences import Holds
from weft.search.repair import Repair
from weft.solutions.documents import statement_document
from weft.solutions.explain import Explanation, sentence_of
from weft.solutions.findings import Finding, Summary
from weft.solutions.solution_set import OtherRepair
from weft.solutions.structures import column_text, text_of
from weft.solutions.suggest import Suggestions

if TYPE_CHECKING:
    from weft.effects.answer import Case, Effects

FORMAT = "weft-view/4"
SHOWN_SUGGESTIONS, SHOWN_STATEMENTS, SHOWN_EFFECTS, SHOWN_CASES = 40, 60, 60, 12


def view_document(view: View) -> dict[str, Any]:
    """Everything that the page shows."""
    return figures_document(view) | {
        "format": FORMAT,
        "title": view.title,
        "lead": list(view.lead),
        "claims": [claim_document(one, view.variables) for one in view.claims],
        "glossary": dict(TERMS),
        "layout": asdict(view.layout),
        "variables": list(view.variables),
        "studies": [asdict(study) for study in view.studies],
        "shared": list(view.shared),
        "reasons": [reason_document(one, view.variables) for one in view.reasons],
        "unexplained": view.unexplained,
        "given_up": None if view.repair is None else given_up_document(view.repair),
        "other_repair": None if view.other_repair is None else _other_document(view.other_repair),
        "near_tie": view.near_tie is not None,
        "conflict": [] if view.conflict is None else [said_document(one) for one in view.conflict.statements],
        "next_steps": None if view.next_steps is None else next_steps_document(view.next_steps),
        "warnings": list(view.warnings),
        "known": list(view.known),
        "bootstrap": view.bootstrap,
        "effects": None if view.effects is None else effects_document(view.effects, view.variables),
        "no_effects": view.no_effects,
        "settings": dict(view.settings),
        "versions": dict(view.versions),
        "tables": tables_document(view.summary),
    }


def tables_document(summary: Summary) -> dict[str, str]:
    """The tables that a reader may save, packed: what ``weft claims`` writes as CSV."""
    stated = [one for one in summary.claims if (one.confidence or 0.0) >= 0.5]
    tables = {"claims": claims_csv(stated), "pairs": pairs_csv(summary)}
    return {name: text_of(text.encode("utf-8", "backslashreplace")) for name, text in tables.items()}


def figures_document(figures: Figures) -> dict[str, Any]:
    """What changes when more is assumed."""
    summary, structures = figures.summary, figures.structures
    confounding = [_confounding_document(one, summary.names, structures.number) for one in figures.confounding]
    return {
        "headline": figures.headline,
        "answer": list(figures.answer),
        "consistent": figures.consistent,
        "settled": summary.complete,
        "certain": list(summary.certain),
        "possible": list(summary.possible),
        "findings": [finding_document(one, summary.names) for one in summary.findings if _telling(one)],
        "graphs": structures.document() | {"confounding": confounding, "confounding_known": figures.confounding_known},
        "assumed": list(figures.assumed),
    }


def _telling(finding: Finding) -> bool:
    """Whether a finding says more than that a claim holds in no structure, which is what the page takes for granted."""
    return (
        finding.holds is not Holds.NONE
        or (finding.again is not None and finding.again.none < 1)
        or (finding.confidence is not None and finding.confidence > 0)
    )


def finding_document(finding: Finding, names: Sequence[str]) -> dict[str, Any]:
    """A finding, with positions for names."""
    again = finding.again
    return _subject_document(finding.claim, names) | {
        "holds": str(finding.holds),
        "share": finding.share,
        "again": None if again is None else [again.all, again.some, again.none],
        "confidence": finding.confidence,
        "margin": None if finding.margin is None or math.isinf(finding.margin) else finding.margin,
        "exact": finding.exact,
        "estimated": bool(not_proven(finding)),
    }


def claim_document(one: ToldClaim, names: Sequence[str]) -> dict[str, Any]:
    """A claim that is told first, as it is stated, and why."""
    reason = None if one.reason is None else reason_document(one.reason, names)
    stated = finding_document(one.finding, names)
    return stated | {"claim": str(one.claim), "claimed": one.claim.holds, "though": one.though, "reason": reason}


def _subject_document(claim: Claim, names: Sequence[str]) -> dict[str, Any]:
    """What a claim is about, as the page puts suppositions."""
    is_edge = claim.topic is Topic.EDGE
    return {
        "topic": "adjacent" if is_edge and claim.symbol == "o-o" else str(claim.topic),
        "x": names.index(claim.x),
        "y": names.index(claim.y),
        **({"symbol": claim.symbol} if is_edge and claim.symbol != "o-o" else {}),
    }


def _confounding_document(one: Confounding, names: Sequence[str], number: int) -> dict[str, Any]:
    return {
        "x": names.index(one.x),
        "y": names.index(one.y),
        "can": column_text(one.can, number),
        "can_lack": column_text(one.can_lack, number),
    }


def reason_document(found: Explanation, names: Sequence[str]) -> dict[str, Any]:
    """Why something is so in all, in some or in none of the structures."""
    shown = found.statements[:SHOWN_STATEMENTS]
    return _subject_document(found.claim, names) | {
        "claim": str(found.claim),
        "verdict": found.verdict.value,
        "lead": found.lead,
        "confidence": found.sure,
        "statements": [said_document(one, text) for one, text in zip(shown, found.reasons, strict=False)],
        "weakest": shown.index(found.weakest) if found.weakest in shown else None,
        "others": list(found.besides),
        "close": list(found.close),
        "left_out": max(0, len(found.statements) - SHOWN_STATEMENTS),
    }


def said_document(statement: Statement, text: str | None = None) -> dict[str, Any]:
    """A statement in words, and what is behind it."""
    parts = statement_document(statement)
    own = {key: parts[key] for key in ("kind", "source", "p_value", "rows", "weight")}
    study = statement.studies[0] if len(statement.studies) == 1 else None
    return {"text": text or f"{sentence_of(statement)}.", "study": study} | own


def given_up_document(repair: Repair) -> dict[str, Any] | None:
    """What a repair gave up; ``None`` if nothing."""
    statements = repair.sometimes or repair.given_up
    if not statements:
        return None
    return {
        "cost": repair.cost,
        "bound": repair.bound,
        "proven": repair.proven,
        "unique": repair.unique,
        "statements": [
            said_document(one) | {"always": None if repair.unique is None else one in repair.always}
            for one in statements
        ],
        "no_longer_certain": [],
        "newly_certain": [],
    }


def _other_document(other: OtherRepair) -> dict[str, Any] | None:
    document = given_up_document(other.repair)
    changes = {"no_longer_certain": list(other.no_longer_certain), "newly_certain": list(other.newly_certain)}
    return None if document is None else document | changes


def effects_document(effects: Sequence[Effects], names: Sequence[str]) -> list[dict[str, Any]]:
    """How large effects are, with positions for names; a page shows so many."""
    return [effect_document(one, names) for one in effects[:SHOWN_EFFECTS]]


def effect_document(effects: Effects, names: Sequence[str]) -> dict[str, Any]:
    """An effect: what is said of it, and its cases."""
    return {
        "x": names.index(effects.cause),
        "y": names.index(effects.outcome),
        "sentence": effects.sentence,
        "per": effects.per,
        "of": effects.of,
        "structures": effects.structures,
        "fair": effects.fair,
        "cases": [_case_document(one) for one in effects.cases[:SHOWN_CASES]],
    }


def _case_document(case: Case) -> dict[str, Any]:
    return {
        "kind": case.kind,
        "share": case.share,
        "confidence": case.confidence,
        "effect": case.effect,
        "low": case.low,
        "high": case.high,
        "text": case.in_words,
    }


def next_steps_document(found: Suggestions) -> dict[str, Any]:
    """What could be done next, the best first."""
    shown = found.rows[:SHOWN_SUGGESTIONS]
    return found.as_json() | {
        "rows": [row.as_json() for row in shown],
        "left_out": len(found.rows) - len(shown),
    }
