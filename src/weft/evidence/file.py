"""The evidence file ``weft-evidence/1``: JSON that holds an :class:`~weft.evidence.statements.Evidence`.

::

    {"format": "weft-evidence/1", "variables": ["W", "X", "Y", "Z"],
     "studies": [{"name": "a", "variables": ["X", "Y"], "connected": [{"pair": ["X", "Y"]}], "separated": []},
                 {"name": "b", "variables": ["W", "Y", "Z"],
                  "connected": [{"pair": ["Y", "Z"]}, {"pair": ["W", "Z"], "weight": 2.5}],
                  "separated": [{"pair": ["W", "Y"], "given": ["Z"], "p_value": 0.43, "weight": 1.1}]}],
     "relations": [{"pair": ["X", "Y"], "allowed": ["->"], "source": "kcdc", "weight": 4.2}],
     "settings": {"independence": "kcit", "alpha": 0.01, "pooling": "fisher", "max_given": null},
     "tables": [{"name": "a", "rows": 400, "kinds": {"X": "continuous", "Y": "binary"}, "set": ["X"]}],
     "warnings": ["a test was left out: ..."]}

- ``allowed`` is read from the first of the pair to the second: any of ``none``, ``->``, ``<-``, ``<->``,
  ``-> & <->``, ``<- & <->``. A pair may have several relations; all hold.
- Every statement may have ``weight``, ``source``, ``p_value`` and ``rows``.
- ``settings`` says how the statements were found: text, numbers, true, false and null by name. It may be left out.
- ``tables`` says what they were found in, for each study: its ``rows`` and, if known, the ``kinds`` of its columns, the
  ``fingerprint`` of its content, and the variables that were ``set`` by the experimenter. The statements are about the
  process without that. ``warnings`` are sentences. Both may be left out.
- ``variables`` may be left out (the studies list theirs), and so may a list of statements that is empty.
- Nothing else may stand in the file: a key that is not known is a mistake.

What is wrong is said with its place in the file: ``studies[1].separated[0].given: 'Q' is not a variable of study
'b'``. Two kinds of check share the work: this module sees to keys and types, and what statements may say of which
studies is checked where :class:`~weft.evidence.statements.Evidence` is made; a
:class:`~weft.evidence.statements.Flaw` tells this module which statement it was.

What is written is in the order of :class:`~weft.evidence.statements.Evidence`, one statement a line. Time and memory
are linear in the length of the file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator
from typing import IO, Any, NamedTuple, NoReturn

from weft.errors import EvidenceError
from weft.evidence.kinds import KINDS
from weft.evidence.statements import NOWHERE, Evidence, Flaw, FlawError, Provenance, Scope, Setting, Statement, Table
from weft.reading.files import label_of, read, why_not_written
from weft.reading.json_text import decoded
from weft.reading.names import first_repeated

FORMAT = "weft-evidence/1"

_OPTIONAL = ("weight", "source", "p_value", "rows")
_IN_STUDY = {kind.listed: kind for kind in KINDS if kind.of_study}
"""The lists of statements in a study's object."""
_AT_TOP = {kind.listed: kind for kind in KINDS if not kind.of_study}
"""The lists of statements beside the studies."""
_KEYS = {  # what must be there, and what may be there too
    "document": (("format", "studies"), ("variables", *_AT_TOP, "settings", "tables", "warnings")),
    "study": (("name", "variables"), tuple(_IN_STUDY)),
    **{kind.kind: (("pair", *kind.parts), _OPTIONAL) for kind in KINDS},
    "table": (("name", "rows"), ("kinds", "fingerprint", "set")),
}


# -- reading ---------------------------------------------------------------------------------------------------------


def load(source: str | os.PathLike[str] | IO[str] | IO[bytes]) -> Evidence:
    """Read an evidence file: a path, an open file, or ``"-"`` for standard input.

    Raises
    ------
    EvidenceError
        If the file cannot be read or is not what it should be; the message starts with the file's name.
    """
    place = getattr(sys.stdin, "buffer", sys.stdin) if source == "-" else source
    name, content = "standard input" if source == "-" else label_of(place), read(place, EvidenceError)
    try:
        return parse_document(decoded(content, EvidenceError))
    except EvidenceError as error:
        raise EvidenceError(f"{name}: {error}" if name else str(error)) from None


def parse_document(document: object) -> Evidence:
    """Make evidence of a decoded evidence file (dicts, lists, strings and numbers).

    >>> parse_document({"format": "weft-evidence/1", "studies": [{"name": "a", "variables": ["X"]}]})
    Traceback (most recent call last):
    weft.errors.EvidenceError: studies[0].variables: a study of fewer than two variables says nothing about a pair
    """
    _check_format(document)
    fields = _fields(document, "", "document")
    studies: list[Scope] = []
    found = _Found([], [])
    for where, study in _items(fields["studies"], "studies"):
        inside = _fields(study, where, "study")
        name = _string(inside["name"], f"{where}.name")
        studies.append(Scope(name, tuple(_names(inside["variables"], f"{where}.variables"))))
        for listed in _IN_STUDY:
            found.add(inside.get(listed, []), f"{where}.{listed}", listed, name)
    for listed in _AT_TOP:
        found.add(fields.get(listed, []), listed, listed, "")
    if "variables" in fields:
        _check_variables(_set(fields["variables"], "variables"), studies)
    settings = _settings(fields.get("settings", {}))
    tables = _tables(fields.get("tables", []), studies)
    warnings = tuple(
        _string(one, where, "text in quotes") for where, one in _items(fields.get("warnings", []), "warnings")
    )
    try:
        return Evidence(tuple(studies), tuple(found.statements), settings, tables, warnings)
    except FlawError as error:
        raise EvidenceError(_located(error.flaw, found.lists)) from None


class _Found(NamedTuple):
    """The statements read so far, and where their lists stand in the file."""

    statements: list[Statement]
    lists: list[tuple[str, int]]
    """Where each list of statements stands, and how long it is."""

    def add(self, values: object, where: str, listed: str, study: str) -> None:
        """Read a list of statements."""
        new = [_statement(value, place, listed, study) for place, value in _items(values, where)]
        self.statements.extend(new)
        self.lists.append((where, len(new)))


def _check_format(document: object) -> None:
    """Tell a file of another kind before anything else is said about it."""
    if not isinstance(document, dict):
        _wrong("", f'an evidence file ({{"format": "{FORMAT}", ...}})', document)
    found = document.get("format")
    if "format" not in document:
        raise EvidenceError(f'this is not an evidence file: it lacks "format": "{FORMAT}"')
    if found != FORMAT:
        raise EvidenceError(f"format: expected '{FORMAT}', found {_described(found)}")


def _statement(value: object, where: str, listed: str, study: str) -> Statement:
    kind = (_IN_STUDY | _AT_TOP)[listed]
    fields = _fields(value, where, kind.kind)
    parts = {key: _set(fields[key], f"{where}.{key}") for key in kind.parts}
    for key, check in kind.parts.items():
        for text in sorted(parts[key]):
            try:
                check(text)
            except EvidenceError as error:
                raise EvidenceError(f"{where}.{key}: {error}") from None
    return kind.of_parts(study, _pair(fields["pair"], where), parts, _weight(fields, where), _provenance(fields, where))


def _weight(fields: dict[str, object], where: str) -> float | None:
    return _number(fields["weight"], f"{where}.weight") if "weight" in fields else None


def _provenance(fields: dict[str, object], where: str) -> Provenance:
    source = _string(fields["source"], f"{where}.source", "text in quotes") if "source" in fields else None
    p_value = _number(fields["p_value"], f"{where}.p_value") if "p_value" in fields else None
    found = Provenance(source, p_value, _whole(fields["rows"], f"{where}.rows") if "rows" in fields else None)
    return NOWHERE if found == NOWHERE else found


def _settings(value: object) -> dict[str, Setting]:
    if not isinstance(value, dict):
        _wrong("settings", "an object {...}", value)
    for key, setting in value.items():
        if not isinstance(setting, str | int | float | bool | None):
            _wrong(f"settings.{key}", "text, a number, true, false or null", setting)
    return value


def _tables(value: object, studies: list[Scope]) -> tuple[Table, ...]:
    tables: dict[str, Table] = {}
    for where, one in _items(value, "tables"):
        table = _table(one, where, {study.name: study for study in studies})
        if table.name in tables:
            raise EvidenceError(f"{where}.name: study {table.name!r} has a table already; keep one of the two")
        tables[table.name] = table
    return tuple(tables.values())


def _table(value: object, where: str, studies: dict[str, Scope]) -> Table:
    fields = _fields(value, where, "table")
    name, kinds = _string(fields["name"], f"{where}.name"), fields.get("kinds", {})
    if name not in studies:
        raise EvidenceError(f"{where}.name: there is no study {name!r}; there are {', '.join(map(repr, studies))}")
    if not isinstance(kinds, dict):
        _wrong(f"{where}.kinds", "an object {...}", kinds)
    if (rows := _whole(fields["rows"], f"{where}.rows")) < 0:
        raise EvidenceError(f"{where}.rows: {rows} is not a number of rows; give 0 or more")
    was_set = _set(fields.get("set", []), f"{where}.set")
    for one in sorted({*was_set, *kinds} - {*studies[name].variables}):
        part = "set" if one in was_set else "kinds"
        raise EvidenceError(f"{where}.{part}: {_shortened(one)} is not a variable of study {name!r}")
    return Table(
        name,
        rows,
        {column: _string(kind, f"{where}.kinds.{column}", "a kind in quotes") for column, kind in kinds.items()},
        _string(fields.get("fingerprint", ""), f"{where}.fingerprint", "text in quotes"),
        tuple(sorted(was_set)),
    )


# -- keys and types --------------------------------------------------------------------------------------------------


def _fields(value: object, where: str, kind: str) -> dict[str, object]:
    """Check that a value is an object with the keys of its kind and no others."""
    if not isinstance(value, dict):
        _wrong(where, "an object {...}", value)
    required, optional = _KEYS[kind]
    prefix = f"{where}: " if where else ""
    for key in value:
        if key not in required and key not in optional:
            raise EvidenceError(f"{prefix}{_unknown(key, required + optional)}")
    for key in required:
        if key not in value:
            hint = " (write [] if there is no condition)" if key == "given" else ""
            raise EvidenceError(f"{prefix}{key!r} is missing{hint}")
    return value


def _unknown(key: object, known: tuple[str, ...]) -> str:
    from difflib import get_close_matches

    close = get_close_matches(str(key), known, 1)
    hint = f"did you mean {close[0]!r}?" if close else f"there are {', '.join(map(repr, known))}"
    return f"{_shortened(key)} is not a key that can stand here; {hint}"


def _items(value: object, where: str) -> Iterator[tuple[str, object]]:
    """Go over the members of a list, each with its place."""
    if not isinstance(value, list):
        _wrong(where, "a list [...]", value)
    for i, item in enumerate(value):
        yield f"{where}[{i}]", item


def _names(value: object, where: str) -> list[str]:
    if not isinstance(value, list):
        _wrong(where, "a list of names", value)
    for i, name in enumerate(value):
        if not isinstance(name, str) or not name.isascii():
            _string(name, f"{where}[{i}]")
    return value


def _set(value: object, where: str) -> frozenset[str]:
    names = _names(value, where)
    found = frozenset(names)
    if len(found) < len(names):
        raise EvidenceError(f"{where}: {first_repeated(names)!r} is listed twice")
    return found


def _pair(value: object, where: str) -> tuple[str, str]:
    names = _names(value, f"{where}.pair")
    if len(names) != 2:
        raise EvidenceError(f"{where}.pair: expected two names, found {len(names)}")
    return names[0], names[1]


def _string(value: object, where: str, expected: str = "a name in quotes") -> str:
    if not isinstance(value, str):
        _wrong(where, expected, value)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError:
        raise EvidenceError(f"{where}: {_shortened(value)} holds half a character (a lone surrogate)") from None
    return value


def _number(value: object, where: str) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        _wrong(where, "a number", value)
    try:
        return float(value)
    except OverflowError:
        raise EvidenceError(f"{where}: the number is too large") from None


def _whole(value: object, where: str) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        _wrong(where, "a whole number", value)
    return value


def _wrong(where: str, expected: str, found: object) -> NoReturn:
    raise EvidenceError(f"{where}: expected {expected}, found {_described(found)}".removeprefix(": "))


def _described(value: object) -> str:
    if value is None or isinstance(value, bool):
        return json.dumps(value)
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    kind = "string" if isinstance(value, str) else "number" if isinstance(value, int | float) else "value"
    return f"the {kind} {_shortened(value)}"


def _shortened(value: object) -> str:
    shown = repr(value)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."


def _check_variables(listed: frozenset[str], studies: list[Scope]) -> None:
    """Compare the file's list of all variables with the studies' lists."""
    for i, study in enumerate(studies):
        for name in study.variables:
            if name not in listed:
                raise EvidenceError(f"studies[{i}].variables: {name!r} is missing in the list 'variables' at the top")
    for name in sorted(listed.difference(*(study.variables for study in studies))):
        raise EvidenceError(f"variables: {name!r} is a variable of no study; leave it out or add it to a study")


def _located(flaw: Flaw, lists: list[tuple[str, int]]) -> str:
    """Say where in the file a flaw is."""
    if flaw.kind == "evidence":
        return f"{flaw.part}: {flaw.text}"

    def place(position: int) -> str:
        return f"studies[{position}]" if flaw.kind == "study" else _statement_place(position, lists)

    first = "" if flaw.earlier is None else f" (first in {place(flaw.earlier)})"
    return f"{place(flaw.position)}.{flaw.part}: {flaw.text}{first}"


def _statement_place(position: int, lists: list[tuple[str, int]]) -> str:
    for where, length in lists:
        if position < length:
            return f"{where}[{position}]"
        position -= length
    raise AssertionError("a flaw's position is one of the statements'")


# -- writing ---------------------------------------------------------------------------------------------------------


def to_document(evidence: Evidence) -> dict[str, Any]:
    """The content of an evidence file as dicts, lists, strings and numbers, for :func:`json.dumps`.

    >>> from weft.evidence.statements import Connected
    >>> document = to_document(Evidence((Scope("a", ("X", "Y")),), (Connected("a", "Y", "X", weight=2.0),)))
    >>> document["studies"][0]["connected"]
    [{'pair': ['X', 'Y'], 'weight': 2.0}]
    """
    studies: dict[str, dict[str, Any]] = {
        study.name: {"name": study.name, "variables": list(study.variables)} | {listed: [] for listed in _IN_STUDY}
        for study in evidence.studies
    }
    at_top: dict[str, list[dict[str, Any]]] = {listed: [] for listed in _AT_TOP}
    for statement in evidence.statements:
        lists = at_top if statement.study is None else studies[statement.study]
        lists[statement.listed].append(_record(statement))
    document = {
        "format": FORMAT,
        "variables": list(evidence.variables),
        "studies": list(studies.values()),
        **at_top,
    }
    origin = {
        "settings": dict(evidence.settings),
        "tables": [_table_record(table) for table in evidence.tables],
        "warnings": list(evidence.warnings),
    }
    return document | {key: value for key, value in origin.items() if value}


def _table_record(table: Table) -> dict[str, Any]:
    found = {"kinds": dict(table.kinds), "fingerprint": table.fingerprint, "set": list(table.interventions)}
    return {"name": table.name, "rows": table.rows} | {key: value for key, value in found.items() if value}


def _record(statement: Statement) -> dict[str, Any]:
    record = {"pair": [statement.x, statement.y], **statement.content()}
    provenance = statement.provenance
    if provenance.source is not None:
        record["source"] = provenance.source
    if provenance.p_value is not None:
        record["p_value"] = float(provenance.p_value)
    if provenance.rows is not None:
        record["rows"] = int(provenance.rows)
    if statement.weight is not None:
        record["weight"] = float(statement.weight)
    return record


def dump(evidence: Evidence, target: str | os.PathLike[str] | IO[str]) -> None:
    """Write an evidence file to a path (as UTF-8) or to an open text file."""
    document = to_document(evidence)
    if not isinstance(target, str | os.PathLike):
        encoding = getattr(target, "encoding", None) or "utf-8"
        target.writelines(_lines(document, ascii_only=not encoding.lower().startswith("utf")))
        return
    try:
        with open(target, "w", encoding="utf-8", newline="\n") as file:
            file.writelines(_lines(document, ascii_only=False))
    except (OSError, ValueError) as error:
        raise EvidenceError(f"{label_of(target)}: {why_not_written(error)}") from None


def _lines(document: dict[str, Any], *, ascii_only: bool) -> Iterator[str]:
    """Lay the document out with one statement a line, so that two files can be compared line by line."""

    def text(value: object) -> str:
        return json.dumps(value, ensure_ascii=ascii_only, allow_nan=False)

    def listed(values: list[Any], margin: str) -> Iterator[str]:
        if not values:
            yield "[]"
            return
        for i, value in enumerate(values):
            yield f"{',' if i else '['}\n{margin} {text(value)}"
        yield f"\n{margin}]"

    yield f'{{"format": {text(document["format"])},\n "variables": {text(document["variables"])},\n "studies": ['
    for i, study in enumerate(document["studies"]):
        yield f'{"," if i else ""}\n  {{"name": {text(study["name"])}, "variables": {text(study["variables"])}'
        for name in _IN_STUDY:
            yield f',\n   "{name}": '
            yield from listed(study[name], "   ")
        yield "}"
    yield "\n ]"
    for name in _AT_TOP:
        yield f',\n "{name}": '
        yield from listed(document[name], " ")
    if "settings" in document:
        yield f',\n "settings": {text(document["settings"])}'
    for kind in ("tables", "warnings"):
        if kind in document:
            yield f',\n "{kind}": '
            yield from listed(document[kind], " ")
    yield "}\n"
