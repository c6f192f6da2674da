"""The result file ``weft-result/1``: JSON that holds an answer, and all that it takes to ask further questions.

=================== ================================================================================================
key                 holds
=================== ================================================================================================
``format``          ``weft-result/1``
``checksum``        SHA-256 of everything else but ``seconds``: a file that was changed is refused
``question``        ``method``, ``selection``, ``conflicts`` (``hard`` or ``repair``), ``slack``, ``limit`` (of graphs),
                    ``assumed`` (claims beyond the knowledge)
``tables``          for each table: name, rows, the kind of each column, its fingerprint, the variables set in it
``settings``        how the evidence was gathered
``knowledge``       what was known beforehand, as a knowledge file holds it
``known_from``      where each item of the knowledge was said, in the order of ``knowledge``
``evidence``        every statement with its weight, test, p-value and rows (``weft-evidence/1``)
``answer``          ``consistent``; ``mags``, ``pags`` (how many were gone over), ``complete`` (whether these are all);
                    ``certain`` and ``possible`` edges, ``settled`` (whether these are exact), ``pairs`` (with the share
                    of the solutions in which each edge and cause holds; ``shares`` says over which); the first
                    ``graphs``
``repair``          what was given up, and ``other``: the best different repair and what it would change
``bootstrap``       for each pair the share of runs in which each relation is certain, possible, impossible
``warnings``        what one should know before relying on it
``versions``        of weft and of what it rests on
``seconds``         how long each stage took: the only part in which two runs on the same tables differ
=================== ================================================================================================

Nothing in it is executed. Read back, it is a :class:`~weft.solutions.solution_set.SolutionSet` again: the statements
are there, so every further question can be put to the solver; what was given up is remembered and not searched again.
"""

from __future__ import annotations

import hashlib
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from weft.errors import WeftError
from weft.evidence.file import parse_document, to_document
from weft.graphs.equivalence import MagClasses
from weft.knowledge.files import from_document
from weft.knowledge.knowledge import Knowledge
from weft.search.repaired import RepairedSearch
from weft.solutions.documents import other_document, pair_document, repair_document, sureness_document
from weft.solutions.origin import Origin, Table
from weft.solutions.solution_set import SolutionSet, solve, walk_limit
from weft.solutions.summary import Tally
from weft.solutions.sureness import PairSureness, Shares, Sureness

FORMAT = "weft-result/1"
PATIENCE = 60.0
"""Seconds that are spent on a different repair, if no timeout is set."""
MOST_GRAPHS = 1_000
"""The most graphs that are written to the file."""

_KEYS = (
    "format", "checksum", "question", "tables", "settings", "knowledge", "known_from", "evidence", "answer", "repair",
    "bootstrap", "warnings", "versions", "seconds",
)  # fmt: skip


class ResultError(WeftError):
    """A result file that cannot be read or written, or is not what it should be."""


# -- writing ---------------------------------------------------------------------------------------------------------


def save_result(solutions: SolutionSet, path: str | os.PathLike[str]) -> None:
    """Write a result file; it is there as a whole or not at all."""
    check_target(path)
    text = json.dumps(result_document(solutions), indent=1, ensure_ascii=False, allow_nan=False)
    write_whole(path, f"{text}\n")


def check_target(path: str | os.PathLike[str]) -> None:
    """Refuse a place that no result can be written to, before the work begins."""
    name = os.fspath(path)
    if not name or Path(name).is_dir():
        raise ResultError(f"{name or repr(name)}: this is a directory; name a file")
    if not Path(name).parent.is_dir():
        raise ResultError(f"{name}: there is no such directory to write to")


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
        raise ResultError(f"{os.fspath(path)}: {getattr(error, 'strerror', None) or error}") from None


def _replace(target: Path, content: bytes) -> None:
    partial = target.with_name(f"{target.name[:40]}.{secrets.token_hex(4)}.partial")
    try:
        partial.write_bytes(content)
        os.replace(partial, target)
    finally:
        partial.unlink(missing_ok=True)


def result_document(solutions: SolutionSet) -> dict[str, Any]:
    """The content of the result file; it answers what has not been asked yet."""
    origin = solutions.origin or Origin((), {})
    repair = solutions.repair()
    given_up = None if repair is None else repair_document(repair)
    if given_up is not None and repair is not None and repair.given_up:
        other = replace(solutions, timeout=solutions.timeout or PATIENCE).other_repair()
        given_up["other"] = None if other is None else other_document(other)
    document = {
        "format": FORMAT,
        "question": {
            "method": solutions.method,
            "selection": solutions.selection,
            "conflicts": solutions.conflicts,
            "slack": solutions.slack,
            "limit": solutions.limit,
            "assumed": [str(claim) for claim in solutions.assumed],
        },
        "tables": [_table(table) for table in origin.tables],
        "settings": dict(origin.settings),
        "knowledge": solutions.knowledge.to_document(),
        "known_from": _known_from(solutions.knowledge),
        "evidence": to_document(solutions.evidence),
        "answer": _answer(solutions),
        "repair": given_up if given_up is None else given_up | _keys(solutions),
        "bootstrap": None if solutions.sureness is None else sureness_document(solutions.sureness),
        "warnings": list(origin.warnings),
        "versions": dict(origin.versions),
    }
    return {"format": FORMAT, "checksum": _checksum(document)} | document | {"seconds": dict(origin.seconds)}


def _known_from(knowledge: Knowledge) -> list[str]:
    """Where each item was said, in the order in which they are read back."""
    origins = {item: item.origin for item in knowledge.items}
    return [origins[item] for item in from_document(knowledge.to_document(), "").items]


def _table(table: Table) -> dict[str, Any]:
    return {
        "name": table.name,
        "rows": table.rows,
        "kinds": dict(table.kinds),
        "fingerprint": table.fingerprint,
        "set": list(table.interventions),
    }


def _answer(solutions: SolutionSet) -> dict[str, Any]:
    limited = replace(solutions, limit=solutions.limit or walk_limit(len(solutions.evidence.variables)))
    names = solutions.evidence.variables
    classes, tally, walk = MagClasses(), Tally(names), iter(limited)
    first: list[str] = []
    for mag in walk:
        classes.add(mag)
        tally.add(mag)
        if len(first) < MOST_GRAPHS:
            first.append(str(mag))
    summary = solutions.summary(shares=tally if tally.total else False)
    return {
        "consistent": True if tally.total else summary.consistent,
        "mags": tally.total,
        "pags": len(classes),
        "complete": bool(walk.complete),
        "shares": "exact" if walk.complete else f"over the first {tally.total} found, which is no fair sample",
        "certain": list(summary.certain),
        "possible": list(summary.possible),
        "settled": summary.complete,
        "pairs": [pair_document(pair, selection=solutions.selection) for pair in summary.pairs],
        "graphs": first,
    }


def _keys(solutions: SolutionSet) -> dict[str, Any]:
    assert isinstance(solutions._search, RepairedSearch)
    return {"found": solutions._search.remembered()}


def _checksum(document: Mapping[str, Any]) -> str:
    text = json.dumps(
        {key: value for key, value in document.items() if key not in ("checksum", "seconds")},
        sort_keys=True,
        ensure_ascii=True,
    )
    return hashlib.sha256(text.encode()).hexdigest()


# -- reading ---------------------------------------------------------------------------------------------------------


def load_result(path: str | os.PathLike[str]) -> SolutionSet:
    """Read a result file back, as a solution set that can be asked further.

    Raises
    ------
    ResultError
        If the file cannot be read, is not a result, or was changed after it was written.
    """
    name = os.fspath(path)
    document = _checked(name)
    try:
        return _solutions(document)
    except (KeyError, TypeError, ValueError, AttributeError, IndexError, WeftError) as error:
        # The checksum is right, so that another version of weft wrote it, or someone with patience.
        raise ResultError(f"{name}: this version of weft cannot read it ({type(error).__name__}: {error})") from None


def _checked(name: str) -> dict[str, Any]:
    """The content of a file that is what weft wrote."""
    again = "; make it again with weft discover"
    try:
        text = Path(name).read_text(encoding="utf-8")
    except FileNotFoundError:
        raise ResultError(f"{name}: there is no such file") from None
    except IsADirectoryError:
        raise ResultError(f"{name}: this is a directory; name a file") from None
    except (OSError, ValueError) as error:
        raise ResultError(f"{name}: not a result file ({error})") from None
    try:
        document = json.loads(text, object_pairs_hook=_object_of)
    except (ValueError, RecursionError) as error:
        place = f"line {error.lineno}: {error.msg}" if isinstance(error, json.JSONDecodeError) else str(error)
        raise ResultError(f"{name}: this is not JSON, or not all of it is there ({place}){again}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        kind = document.get("format") if isinstance(document, dict) else None
        hint = "; weft solve reads evidence" if kind == "weft-evidence/1" else again
        raise ResultError(f'{name}: this is not a result file: it lacks "format": "{FORMAT}"{hint}')
    if missing := [key for key in _KEYS if key not in document]:
        raise ResultError(f'{name}: it lacks "{missing[0]}"; it was changed after weft wrote it{again}')
    if not _unchanged(document):
        raise ResultError(f"{name}: it was changed after weft wrote it (its checksum does not fit){again}")
    return document


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key stands there twice")
    return found


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
    solutions = solve(
        parse_document(document["evidence"]),
        question["method"],
        selection=question["selection"],
        limit=question["limit"],
        knowledge=_known(document["knowledge"], document["known_from"]),
        conflicts=question["conflicts"],
        slack=question["slack"],
    )
    if repair is not None and isinstance(solutions._search, RepairedSearch):
        solutions._search.remember(repair["found"])
    tables = tuple(
        Table(one["name"], one["rows"], one["kinds"], one["fingerprint"], tuple(one["set"]))
        for one in document["tables"]
    )
    origin = Origin(
        tables, document["settings"], tuple(document["warnings"]), document["versions"], document["seconds"]
    )
    sureness = None if document["bootstrap"] is None else _sureness(document["bootstrap"])
    return replace(solutions, origin=origin, sureness=sureness).assume(*question["assumed"])


def _known(document: dict[str, Any], origins: list[str]) -> Knowledge:
    known = from_document(document, "")
    items = (replace(item, origin=origin) for item, origin in zip(known.items, origins, strict=True))
    return replace(known, items=tuple(items))


def _sureness(document: dict[str, Any]) -> Sureness:
    pairs = tuple(
        PairSureness(one["pair"][0], one["pair"][1], {fact: Shares(*shares) for fact, shares in one["shares"].items()})
        for one in document["pairs"]
    )
    return Sureness(document["runs"], document["answered"], document["seed"], pairs)
