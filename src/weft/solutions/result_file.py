"""The result file ``weft-result/3``: JSON that holds an answer, and all that it takes to ask further questions.

=================== ================================================================================================
key                 holds
=================== ================================================================================================
``format``          ``weft-result/3``
``checksum``        SHA-256 of everything else but ``seconds``: a file that was changed is refused
``question``        ``method``, ``selection``, ``conflicts`` (``hard`` or ``repair``), ``slack``, ``coverage``,
                    ``limit`` (of graphs), ``timeout`` and ``effort`` (for a question), ``assumed`` (claims)
``tables``          for each table: name, rows, the kind of each column, its fingerprint, the variables set in it
``settings``        how the evidence was gathered
``knowledge``       what was known beforehand, as a knowledge file holds it
``known_from``      where each item of the knowledge was said, in the order of ``knowledge``
``evidence``        every statement with its weight, test, p-value and rows (as an evidence file holds them)
``answer``          ``consistent``; ``mags``, ``pags`` (how many were looked at), ``complete`` (whether these are all),
                    ``fair`` and ``drawn_from`` (whether and from how many they were drawn fairly), ``more_than``
                    (where there are too many to count: more than so many), ``worth`` (if they were met on random
                    walks: how many independent draws they are worth); ``certain`` and ``possible`` edges,
                    ``settled`` (whether these are exact); the first ``graphs``;
                    ``structures``: all that were looked at, packed (:mod:`weft.solutions.structures`)
``claims``          every claim about a pair, as it is stated, the surest first: its ``confidence`` (0.5 to 1), its
                    ``margin`` (``null`` where nothing could be given up to deny it) and whether that is ``exact``
                    or ``estimated`` (else it is as much at least); the solutions in which it ``holds`` (``all``,
                    ``some``, ``none``, ``unknown``), the ``share`` of the structures looked at, and what became of it
                    in the ``bootstrap``
``repair``          what was given up, and ``other``: the best different repair and what it would change
``bootstrap``       how many ``runs`` were made, how many were ``answered``, and the ``seed``
``warnings``        what one should know before relying on it
``versions``        of weft and of what it rests on
``seconds``         how long each stage took: the only part in which two runs on the same tables differ
=================== ================================================================================================

Nothing in it is executed. Read back, it is a :class:`~weft.solutions.solution_set.SolutionSet` again: the statements
are there, so every further question can be put to the solver; what was given up, what holds in all and in some, and the
structures are remembered and not searched again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, islice
from pathlib import Path
from typing import Any, Protocol

from weft.errors import WeftError
from weft.evidence.claims import claims_about
from weft.evidence.file import parse_document, to_document
from weft.knowledge.files import from_document
from weft.knowledge.knowledge import Knowledge
from weft.reading.files import A_DIRECTORY, NO_DIRECTORY, label_of, read, why_not_written
from weft.reading.json_text import decoded
from weft.search.margins import Margin
from weft.search.repair import Repair
from weft.solutions.documents import answer_document, claims_document, other_document, read_finding, repair_document
from weft.solutions.findings import Bootstrap, Finding, Summary
from weft.solutions.origin import Origin, Table
from weft.solutions.solution_set import OtherRepair, SolutionSet, solve
from weft.solutions.structures import Structures

FORMAT = "weft-result/3"
MOST_GRAPHS = 1_000
"""How many graphs are also written as text."""

_KEYS = (
    "format", "checksum", "question", "tables", "settings", "knowledge", "known_from", "evidence", "answer", "claims",
    "repair",    "bootstrap", "warnings", "versions", "seconds",
)  # fmt: skip


class ResultError(WeftError):
    """A result file that cannot be read or written, or is not what it should be."""


# -- writing ---------------------------------------------------------------------------------------------------------


class Answer(Protocol):
    """What was found out, and perhaps shown; :class:`weft.report.view.View` is one."""

    @property
    def summary(self) -> Summary:
        """What holds where, with the shares of the structures."""
        ...

    @property
    def structures(self) -> Structures:
        """The structures that were looked at."""
        ...

    @property
    def repair(self) -> Repair | None:
        """What was given up."""
        ...

    @property
    def other_repair(self) -> OtherRepair | None:
        """The best different repair."""
        ...


@dataclass(frozen=True)
class _Answer:
    summary: Summary
    structures: Structures
    repair: Repair | None
    other_repair: OtherRepair | None


def save_result(solutions: SolutionSet, path: str | os.PathLike[str], answer: Answer | None = None) -> None:
    """Write a result file; it is there as a whole or not at all.

    With ``answer``, it says what that says, which was shown to someone; else it asks what has not been asked yet.
    """
    check_target(path)
    text = json.dumps(result_document(solutions, answer), indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(path, f"{text}\n")


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a place that no result can be written to, before the work begins."""
    if Path(path).is_dir():
        raise ResultError(f"{label_of(path)}: {A_DIRECTORY}")
    if not Path(path).parent.is_dir():
        raise ResultError(f"{label_of(path)}: {NO_DIRECTORY}")


def write_whole(path: str | os.PathLike[str], written: str | bytes) -> None:
    """Write a file that is there as a whole or not at all."""
    check_target(path)
    target = Path(path)
    try:
        content = written.encode() if isinstance(written, str) else written
        if target.exists() and not target.is_file():  # a pipe or a device, which is not to be replaced
            target.write_bytes(content)
        else:
            _replace(target.resolve(), content)  # a link stays a link
    except (OSError, ValueError) as error:
        raise ResultError(f"{label_of(path)}: {why_not_written(error)}") from None


def _replace(target: Path, content: bytes) -> None:
    partial = target.with_name(f"{target.name[:40]}.{secrets.token_hex(4)}.partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def result_document(solutions: SolutionSet, answer: Answer | None = None) -> dict[str, Any]:
    """The content of the result file."""
    origin = solutions.origin or Origin((), {})
    answer = answer or _answer_of(solutions)
    document = {
        "format": FORMAT,
        "question": {
            "method": solutions.method,
            "selection": solutions.selection,
            "conflicts": solutions.conflicts,
            "slack": solutions.slack,
            "coverage": solutions.coverage,
            "limit": solutions.limit,
            "timeout": solutions.timeout,
            "effort": solutions.effort,
            "assumed": [str(claim) for claim in solutions.assumed],
        },
        "tables": [_table(table) for table in origin.tables],
        "settings": dict(origin.settings),
        "knowledge": solutions.knowledge.to_document(),
        "known_from": _known_from(solutions.knowledge),
        "evidence": to_document(replace(solutions.evidence, tables=(), settings={}, warnings=())),
        "answer": _answer_document(answer),
        "claims": claims_document(answer.summary.claims),
        "repair": None if answer.repair is None else _repair_document(solutions, answer.repair, answer.other_repair),
        "bootstrap": None if solutions.bootstrap is None else _bootstrap(solutions.bootstrap),
        "warnings": list(origin.warnings),
        "versions": dict(origin.versions),
    }
    return {"format": FORMAT, "checksum": _checksum(document)} | document | {"seconds": dict(origin.seconds)}


def _known_from(knowledge: Knowledge) -> list[str]:
    """Where each item was said, in the order in which they are read back."""
    origins = {item: item.origin for item in knowledge.items}
    return [origins[item] for item in from_document(knowledge.to_document(), "").items]


def _bootstrap(bootstrap: Bootstrap) -> dict[str, Any]:
    return {"runs": bootstrap.runs, "answered": bootstrap.answered, "seed": bootstrap.seed}


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "rows": table.rows,
        "kinds": dict(table.kinds),
        "fingerprint": table.fingerprint,
        "set": list(table.interventions),
        "source": dict(table.source),
    }


def _answer_of(solutions: SolutionSet) -> Answer:
    repair, other = solutions.repair(), None
    if repair is not None and repair.given_up:
        other = solutions.other_repair()
    structures = solutions.structures
    return _Answer(solutions.summary(margins=True).with_shares(structures), structures, repair, other)


def _answer_document(answer: Answer) -> dict[str, Any]:
    return answer_document(answer.summary, answer.structures) | {
        "graphs": [str(mag) for mag in islice(answer.structures, MOST_GRAPHS)],
        "structures": answer.structures.document(),
    }


def _repair_document(solutions: SolutionSet, repair: Repair, other: OtherRepair | None) -> dict[str, Any]:
    others = {"other": None if other is None else other_document(other)} if repair.given_up else {}
    return repair_document(repair) | others | {"found": solutions._search.remembered()}


def _checksum(document: Mapping[str, Any]) -> str:
    text = json.dumps(
        {key: value for key, value in document.items() if key not in ("checksum", "seconds")},
        sort_keys=True,
        ensure_ascii=True,
    )
    return hashlib.sha256(text.encode()).hexdigest()


# -- reading ---------------------------------------------------------------------------------------------------------


def is_result(path: str | os.PathLike[str]) -> bool:
    """Whether a file calls itself a result of weft; for commands that take other files too."""
    try:
        with open(path, "rb") as file:
            return b'"weft-result/' in file.read(200)
    except OSError:
        return False


def load_result(path: str | os.PathLike[str]) -> SolutionSet:
    """Read a result file back, as a solution set that can be asked further.

    Raises
    ------
    ResultError
        If the file cannot be read, is not a result, or was changed after it was written.
    """
    name, content = label_of(path), read(path, ResultError)
    document = _checked(name, content)
    try:
        return _solutions(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, WeftError) as error:
        # The checksum is right, so that another version of weft wrote it, or someone with patience.
        raise ResultError(f"{name}: this version of weft cannot read it ({type(error).__name__}: {error})") from None


def _checked(name: str, content: str | bytes) -> dict[str, Any]:
    """The content of a file that is what weft wrote."""
    again = "; make it again with weft discover"
    try:
        document = decoded(content, ResultError)
    except ResultError as error:
        raise ResultError(f"{name}: this is not a result file, or not all of it is there ({error}){again}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        kind = document.get("format") if isinstance(document, dict) else None
        hint = "; weft solve reads evidence" if str(kind).startswith("weft-evidence/") else again
        raise ResultError(f'{name}: this is not a result file: it lacks "format": "{FORMAT}"{hint}')
    if missing := [key for key in _KEYS if key not in document]:
        raise ResultError(f'{name}: it lacks "{missing[0]}"; it was changed after weft wrote it{again}')
    if not _unchanged(document):
        raise ResultError(f"{name}: it was changed after weft wrote it (its checksum does not fit){again}")
    return document


def _unchanged(document: dict[str, Any]) -> bool:
    """Whether the checksum fits, and the seconds, which it leaves out, are what they should be."""
    seconds = document["seconds"]
    if not isinstance(seconds, dict) or not all(map(_is_duration, seconds.values())):
        return False
    try:
        return bool(document["checksum"] == _checksum(document))
    except RecursionError:  # nested as deeply as can just be read
        return False


def _is_duration(value: object) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e12  # type: ignore[operator]


def _solutions(document: dict[str, Any]) -> SolutionSet:
    question, repair = document["question"], document["repair"]
    tables = tuple(
        Table(one["name"], one["rows"], one["kinds"], one["fingerprint"], tuple(one["set"]), one.get("source", {}))
        for one in document["tables"]
    )
    evidence = parse_document(document["evidence"])
    settings, warnings = document["settings"], tuple(document["warnings"])
    solutions = solve(
        replace(evidence, tables=tables, settings=settings, warnings=warnings),
        question["method"],
        selection=question["selection"],
        limit=question["limit"],
        timeout=question["timeout"],
        effort=question["effort"],
        knowledge=_known(document["knowledge"], document["known_from"]),
        conflicts=question["conflicts"],
        slack=question["slack"],
        coverage=question["coverage"],
    )
    if repair is not None:
        solutions._search.remember(repair["found"])
    origin = Origin(tables, settings, warnings, document["versions"], document["seconds"])
    findings = tuple(_in_order(map(read_finding, document["claims"]), solutions))
    bootstrap = None if document["bootstrap"] is None else _read_bootstrap(document["bootstrap"], findings)
    found = replace(solutions, origin=origin, bootstrap=bootstrap).assume(*question["assumed"])
    _remember(found, findings, document["answer"])
    return found


def _in_order(findings: Iterable[Finding], solutions: SolutionSet) -> Iterator[Finding]:
    """The findings pair by pair, as a summary has them."""
    by_claim = {one.claim: one for one in findings}
    for x, y in combinations(solutions.evidence.variables, 2):
        yield from (by_claim[claim.canonical] for claim in claims_about(x, y, selection=solutions.selection))


def _read_bootstrap(document: dict[str, Any], findings: Sequence[Finding]) -> Bootstrap:
    shares = {one.claim: one.again for one in findings if one.again is not None}
    return Bootstrap(document["runs"], document["answered"], document["seed"], shares)


def _remember(solutions: SolutionSet, findings: Sequence[Finding], answer: Mapping[str, Any]) -> None:
    """Take over what was worked out before the file was written, as far as more time would not change it."""
    names = solutions.evidence.variables
    structures = Structures.read(names, answer["structures"])
    margins = {one.claim: Margin(one.margin, one.exact, one.estimated) for one in findings if one.margin is not None}
    plain = tuple(Finding(one.claim, one.holds) for one in findings)
    summary = Summary(names, plain, answer["consistent"])
    drawn = {one.claim: one.drawn for one in findings if one.drawn is not None}
    solutions.remember(summary, structures, margins, drawn)


def _known(document: dict[str, Any], origins: list[str]) -> Knowledge:
    known = from_document(document, "")
    items = (replace(item, origin=origin) for item, origin in zip(known.items, origins, strict=True))
    return replace(known, items=tuple(items))
