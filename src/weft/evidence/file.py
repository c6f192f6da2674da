"""The evidence file ``weft-evidence/2``: JSON that holds an :class:`~weft.evidence.statements.Evidence`.

::

    {"format": "weft-evidence/2", "variables": ["W", "X", "Y", "Z"],
     "studies": [{"name": "a", "variables": ["X", "Y"], "connected": [{"pair": ["X", "Y"]}], "apart": []},
                 {"name": "b", "variables": ["W", "Y", "Z"],
                  "connected": [{"pair": ["Y", "Z"]}, {"pair": ["W", "Z"], "weight": 2.5}],
                  "apart": [{"pair": ["W", "Y"], "p_value": 0.43, "weight": 2.1}]}],
     "separated": [{"pair": ["W", "Y"], "given": ["Z"], "studies": ["b"], "p_value": 0.43, "weight": 1.1}],
     "dependent": [{"pair": ["W", "Y"], "given": [], "studies": ["b"], "p_value": 0.001, "weight": 4.0}],
     "noncolliders": [{"pair": ["W", "Y"], "middle": ["Z"], "studies": ["b"], "p_value": 0.43, "weight": 3.0}],
     "relations": [{"pair": ["X", "Y"], "allowed": ["->"], "source": "kcdc", "weight": 4.2}],
     "settings": {"independence": "kcit", "alpha": 0.01, "pooling": "fisher", "max_given": null},
     "tables": [{"name": "a", "rows": 400, "kinds": {"X": "continuous", "Y": "binary"}, "set": ["X"]}],
     "warnings": ["a test was left out: ..."]}

- ``connected`` and ``apart`` stand in a study: all of its variables decide. ``separated`` and ``dependent`` stand
  beside the studies: they are facts about the joint structure. ``studies`` names those that took part in finding one;
  it may be left out, but some study must have measured all the variables together.
- ``noncolliders`` and ``colliders`` name the variable in the ``middle`` of a pair, which causes one of the two, or
  neither. They stand beside the studies, too.
- ``allowed`` is read from the first of the pair to the second: any of ``none``, ``->``, ``<-``, ``<->``,
  ``-> & <->``, ``<- & <->``. A pair may have several relations; all hold.
- Every statement may have ``weight``, ``source``, ``p_value`` and ``rows``. The source of one that is no relation may
  be called ``test`` too.
- ``settings`` says how the statements were found: text, numbers, true, false and null by name. It may be left out.
- ``tables`` says what they were found in, for each study: its ``rows`` and, if known, the ``kinds`` of its columns, the
  ``fingerprint`` of its content, and the variables that were ``set`` by the experimenter. The statements are about the
  process without that. ``warnings`` are sentences. Both may be left out.
- ``variables`` may be left out (the studies list theirs), and so may a list of statements that is empty.
- Nothing else may stand in the file: a key that is not known is a mistake.

Version 1 is read too. It has ``separated`` in each study, and neither ``apart`` nor ``dependent``. A pair that is
separated there by a set is `Apart` in that study, and `Separated` by that set. Its weight goes to both, so that a
repair that gives up the two pays twice for what was one test.

What is wrong is said with its place in the file: ``separated[0].given: 'Q' is not a variable of study 'b'``. Two kinds
of check share the work: this module sees to keys and types, and what statements may say of which studies is checked
where :class:`~weft.evidence.statements.Evidence` is made; a :class:`~weft.evidence.statements.Flaw` tells this module
which statement it was.

What is written is in the order of :class:`~weft.evidence.statements.Evidence`, one statement a line. Time and memory
are linear in the length of the file.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Iterator, Mapping
from typing import IO, Any, NamedTuple, NoReturn

from weft.errors import EvidenceError
from weft.evidence.kinds import KINDS
from weft.evidence.statements import (
    NOWHERE,
    Apart,
    Collider,
    Connected,
    Evidence,
    Flaw,
    FlawError,
    Noncollider,
    Provenance,
    Relation,
    Scope,
    Separated,
    Setting,
    Statement,
    Table,
)
from weft.reading.arguments import check_argument
from weft.reading.files import label_of, read, why_not_written
from weft.reading.json_text import decoded
from weft.reading.names import first_repeated

FORMAT = "weft-evidence/2"
"""The format that is written."""

_IN_STUDY = tuple(kind for kind in KINDS if kind.of_study)
"""The kinds whose lists stand in a study's object."""
_AT_TOP = tuple(kind for kind in KINDS if not kind.of_study)
"""The kinds whose lists stand beside the studies."""


_LATER = frozenset(kind.listed for kind in (Noncollider, Collider))
"""Lists that came to the format later: they are written only where they hold something."""


class _Layout:
    """Where a version of the format keeps its statements: the kinds that each list makes."""

    def __init__(
        self, in_study: Mapping[str, tuple[type[Statement], ...]], at_top: Mapping[str, tuple[type[Statement], ...]]
    ) -> None:
        self.in_study, self.at_top = in_study, at_top
        self.keys: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
            "document": (("format", "studies"), ("variables", *at_top, "settings", "tables", "warnings")),
            "study": (("name", "variables"), tuple(in_study)),
            "table": (("name", "rows"), ("kinds", "fingerprint", "set", "source")),
            **{listed: _statement_keys(kinds[-1], inside=True) for listed, kinds in in_study.items()},
            **{listed: _statement_keys(kinds[-1], inside=False) for listed, kinds in at_top.items()},
        }
        """What must be there, and what may be there too, in each part of the file."""

    def kinds(self, listed: str) -> tuple[type[Statement], ...]:
        """What an entry of a list makes, one of each."""
        return self.in_study.get(listed) or self.at_top[listed]


def _statement_keys(kind: type[Statement], *, inside: bool) -> tuple[tuple[str, ...], tuple[str, ...]]:
    named = ("studies",) if kind.names_studies and not inside else ()
    source = ("source",) if kind is Relation else ("source", "test")
    return ("pair", *kind.parts), (*named, "weight", *source, "p_value", "rows")


_LAYOUTS = {
    "weft-evidence/1": _Layout(
        {"connected": (Connected,), "separated": (Apart, Separated)}, {"relations": (Relation,)}
    ),
    FORMAT: _Layout({kind.listed: (kind,) for kind in _IN_STUDY}, {kind.listed: (kind,) for kind in _AT_TOP}),
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

    >>> parse_document({"format": "weft-evidence/2", "studies": [{"name": "a", "variables": ["X"]}]})
    Traceback (most recent call last):
    weft.errors.EvidenceError: studies[0].variables: a study of fewer than two variables says nothing about a pair
    """
    layout = _layout(document)
    fields = _fields(document, "", "document", layout)
    studies: list[Scope] = []
    found = _Found([], [], layout)
    for where, study in _items(fields["studies"], "studies"):
        inside = _fields(study, where, "study", layout)
        name = _string(inside["name"], f"{where}.name")
        studies.append(Scope(name, tuple(_names(inside["variables"], f"{where}.variables"))))
        for listed in layout.in_study:
            found.add(inside.get(listed, []), f"{where}.{listed}", listed, (name,))
    for listed in layout.at_top:
        found.add(fields.get(listed, []), listed, listed, ())
    if "variables" in fields:
        _check_variables(_set(fields["variables"], "variables"), studies)
    settings = _settings(fields.get("settings", {}))
    tables = _tables(fields.get("tables", []), studies, layout)
    warnings = tuple(
        _string(one, where, "text in quotes") for where, one in _items(fields.get("warnings", []), "warnings")
    )
    try:
        return Evidence(tuple(studies), tuple(found.statements), settings, tables, warnings)
    except FlawError as error:
        raise EvidenceError(_located(error.flaw, found.places)) from None


class _Found(NamedTuple):
    """The statements read so far, and where in the file each stands."""

    statements: list[Statement]
    places: list[str]
    layout: _Layout

    def add(self, values: object, where: str, listed: str, studies: tuple[str, ...]) -> None:
        """Read a list of statements; each entry makes one of every kind that the list holds."""
        for place, value in _items(values, where):
            fields = _fields(value, place, listed, self.layout)
            named = studies or tuple(_set(fields.get("studies", []), f"{place}.studies"))
            for kind in self.layout.kinds(listed):
                self.statements.append(_statement(fields, place, kind, named))
                self.places.append(place)


def _layout(document: object) -> _Layout:
    """The layout of the file's version; tells a file of another kind before anything else is said about it."""
    if not isinstance(document, dict):
        _wrong("", f'an evidence file ({{"format": "{FORMAT}", ...}})', document)
    found = document.get("format")
    if "format" not in document:
        raise EvidenceError(f'this is not an evidence file: it lacks "format": "{FORMAT}"')
    if not isinstance(found, str) or found not in _LAYOUTS:
        raise EvidenceError(f"format: expected '{FORMAT}', found {_described(found)}")
    return _LAYOUTS[found]


def _statement(fields: dict[str, object], where: str, kind: type[Statement], studies: tuple[str, ...]) -> Statement:
    parts = {key: _set(fields[key], f"{where}.{key}") for key in kind.parts}
    for key, check in kind.parts.items():
        for text in sorted(parts[key]):
            try:
                check(text)
            except EvidenceError as error:
                raise EvidenceError(f"{where}.{key}: {error}") from None
    pair = _pair(fields["pair"], where)
    return kind.of_parts(studies, pair, parts, _weight(fields, where), _provenance(fields, where))


def _weight(fields: dict[str, object], where: str) -> float | None:
    return _number(fields["weight"], f"{where}.weight") if "weight" in fields else None


def _provenance(fields: dict[str, object], where: str) -> Provenance:
    if "test" in fields and "source" in fields:
        raise EvidenceError(f"{where}: 'test' is another name for 'source'; keep one of the two")
    key = "test" if "test" in fields else "source"
    source = _string(fields[key], f"{where}.{key}", "text in quotes") if key in fields else None
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


def _tables(value: object, studies: list[Scope], layout: _Layout) -> tuple[Table, ...]:
    tables: dict[str, Table] = {}
    for where, one in _items(value, "tables"):
        table = _table(_fields(one, where, "table", layout), where, {study.name: study for study in studies})
        if table.name in tables:
            raise EvidenceError(f"{where}.name: study {table.name!r} has a table already; keep one of the two")
        tables[table.name] = table
    return tuple(tables.values())


def _table(fields: dict[str, object], where: str, studies: dict[str, Scope]) -> Table:
    name, kinds = _string(fields["name"], f"{where}.name"), fields.get("kinds", {})
    if name not in studies:
        raise EvidenceError(f"{where}.name: there is no study {name!r}; there are {', '.join(map(repr, studies))}")
    if not isinstance(kinds, dict):
        _wrong(f"{where}.kinds", "an object {...}", kinds)
    if (rows := _whole(fields["rows"], f"{where}.rows")) < 0:
        raise EvidenceError(f"{where}.rows: {rows} is not a number of rows; give 0 or more")
    was_set, source = _set(fields.get("set", []), f"{where}.set"), fields.get("source", {})
    if not isinstance(source, dict) or not isinstance(source.get("file", ""), str):
        _wrong(f"{where}.source", 'an object such as {"file": "clinic.csv"}', source)
    for one in sorted({*was_set, *kinds} - {*studies[name].variables}):
        part = "set" if one in was_set else "kinds"
        raise EvidenceError(f"{where}.{part}: {_shortened(one)} is not a variable of study {name!r}")
    return Table(
        name,
        rows,
        {column: _string(kind, f"{where}.kinds.{column}", "a kind in quotes") for column, kind in kinds.items()},
        _string(fields.get("fingerprint", ""), f"{where}.fingerprint", "text in quotes"),
        tuple(sorted(was_set)),
        source,
    )


# -- keys and types --------------------------------------------------------------------------------------------------


def _fields(value: object, where: str, part: str, layout: _Layout) -> dict[str, object]:
    """Check that a value is an object with the keys of its part of the file and no others."""
    if not isinstance(value, dict):
        _wrong(where, "an object {...}", value)
    required, optional = layout.keys[part]
    prefix = f"{where}: " if where else ""
    for key in value:
        if key not in required and key not in optional:
            if part == "study" and key in layout.at_top:
                raise EvidenceError(f"{prefix}{key!r} stands beside 'studies' in {FORMAT}, not in a study")
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


def _located(flaw: Flaw, places: list[str]) -> str:
    """Say where in the file a flaw is."""
    if flaw.kind == "evidence":
        return f"{flaw.part}: {flaw.text}"

    def place(position: int) -> str:
        return f"studies[{position}]" if flaw.kind == "study" else places[position]

    first = "" if flaw.earlier is None else f" (first in {place(flaw.earlier)})"
    return f"{place(flaw.position)}.{flaw.part}: {flaw.text}{first}"


# -- writing ---------------------------------------------------------------------------------------------------------


def to_document(evidence: Evidence) -> dict[str, Any]:
    """The content of an evidence file as dicts, lists, strings and numbers, for :func:`json.dumps`.

    >>> from weft.evidence.statements import Connected
    >>> document = to_document(Evidence((Scope("a", ("X", "Y")),), (Connected("a", "Y", "X", weight=2.0),)))
    >>> document["studies"][0]["connected"]
    [{'pair': ['X', 'Y'], 'weight': 2.0}]
    """
    studies: dict[str, dict[str, Any]] = {
        study.name: {"name": study.name, "variables": list(study.variables), **{kind.listed: [] for kind in _IN_STUDY}}
        for study in evidence.studies
    }
    at_top: dict[str, list[dict[str, Any]]] = {kind.listed: [] for kind in _AT_TOP}
    for statement in evidence.statements:
        lists = studies[statement.studies[0]] if statement.of_study else at_top
        lists[statement.listed].append(_record(statement))
    document = {
        "format": FORMAT,
        "variables": list(evidence.variables),
        "studies": list(studies.values()),
        **{listed: found for listed, found in at_top.items() if found or listed not in _LATER},
    }
    origin = {
        "settings": dict(evidence.settings),
        "tables": [_table_record(table) for table in evidence.tables],
        "warnings": list(evidence.warnings),
    }
    return document | {key: value for key, value in origin.items() if value}


def _table_record(table: Table) -> dict[str, Any]:
    found = {
        "kinds": dict(table.kinds), "fingerprint": table.fingerprint, "set": list(table.interventions),
        "source": dict(table.source),
    }  # fmt: skip
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
    check_argument("evidence", evidence, Evidence, "what weft.oracle, weft.gather or weft.load_evidence gives")
    if not hasattr(target, "writelines"):
        check_argument("target", target, (str, os.PathLike), "a path, or a text file that is open")
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
        for kind in _IN_STUDY:
            yield f',\n   "{kind.listed}": '
            yield from listed(study[kind.listed], "   ")
        yield "}"
    yield "\n ]"
    for kind in (kind for kind in _AT_TOP if kind.listed in document):
        yield f',\n "{kind.listed}": '
        yield from listed(document[kind.listed], " ")
    if "settings" in document:
        yield f',\n "settings": {text(document["settings"])}'
    for name in ("tables", "warnings"):
        if name in document:
            yield f',\n "{name}": '
            yield from listed(document[name], " ")
    yield "}\n"
