"""A whole analysis in one file: ``studies.toml`` names the tables and says how to read them, what is known and set.

::

    [[study]]
    name = "clinic"                                # the file's name without its ending if left out
    file = "data/clinic.xlsx"                      # as seen from this file
    table = "people"                               # the sheet of a workbook, or the table of a database
    drop = ["id"]
    rename = { Alter = "age" }                     # everything below speaks of the new names
    kind = { stage = "ordinal", size = ["S", "M", "L"] }
    levels = { sex = { m = "male", f = "female" } }
    unit = { weight = 0.453592 }                   # numbers are multiplied by this
    missing = ["-99"]                              # or of some columns: missing = { age = ["-99", "999"] }
    experiment = ["dose"]                          # set by the experimenter in this study
    # delimiter, decimal, encoding                 # of a text file, where they are not found out

    [knowledge]                                    # the keys of a knowledge file, and
    files = ["expert.toml"]

    [settings]                                     # what weft.discover takes, by its names
    alpha = 0.01

``weft check`` writes a first one; ``weft discover studies.toml`` and ``weft.discover("studies.toml")`` run it. A key
that is not known is a mistake, and is told with the file and the key.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import partial
from pathlib import Path
from typing import Any, NoReturn

from weft.errors import StudyError, WeftError
from weft.knowledge.files import from_document
from weft.knowledge.knowledge import Knowledge, suggestion
from weft.reading.files import label_of, read, text_of
from weft.settings import Question, Settings
from weft.studies.build import Recipe, everything, study_of_file
from weft.studies.files import Dialect
from weft.studies.formats import name_of
from weft.studies.source import shown
from weft.studies.study import Study

_STUDY = (
    "name", "file", "table", "drop", "rename", "kind", "levels", "unit", "missing", "experiment", "delimiter",
    "decimal", "encoding",
)  # fmt: skip
_KEYS = ("study", "knowledge", "settings")
USUAL: Mapping[str, Any] = {one.name: one.default for one in (*fields(Settings), *fields(Question))} | {
    "bootstrap": 0,
    "seed": 0,
}
"""The settings of an analysis, with their defaults."""


@dataclass(frozen=True)
class PlannedStudy:
    """A table of a plan."""

    name: str
    file: Path
    recipe: Recipe
    experiment: tuple[str, ...] = ()


@dataclass(frozen=True)
class Plan:
    """What a ``studies.toml`` says."""

    studies: tuple[PlannedStudy, ...]
    knowledge: Knowledge
    settings: Mapping[str, Any]
    """Arguments of :func:`weft.discover`, by name."""
    file: str = ""

    def tables(self) -> list[Study]:
        """The studies, read; if something is wrong with some files, all of it is told."""
        jobs = {one.name: partial(study_of_file, one.file, one.name, one.recipe) for one in self.studies}
        return list(everything(jobs).values())

    def applied(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """The arguments of a call, with what the plan says; an argument other than its default goes first."""
        said = {key: one for key, one in self.settings.items() if key in arguments and arguments[key] == USUAL[key]}
        more = arguments["knowledge"]
        known = self.knowledge if more is None else self.knowledge + more
        return {**arguments, **said, "studies": self.tables(), "knowledge": known}


def plan_at(studies: object) -> Plan | None:
    """The plan, if one is named where tables could be."""
    if not isinstance(studies, str | os.PathLike) or not os.fspath(studies).lower().endswith(".toml"):
        return None
    return read_plan(studies)


def read_plan(path: str | os.PathLike[str]) -> Plan:
    """Read a ``studies.toml``.

    Raises
    ------
    StudyError
        In one line, with the file, the key and a way out.
    """
    label, folder = label_of(path), Path(path).parent
    try:
        document = tomllib.loads(text_of(read(path, StudyError), StudyError))
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        _wrong(label, f"this is not TOML: {' '.join(str(error).split())}")
    _check_keys(document, _KEYS, label, "")
    entries = document.get("study")
    if not isinstance(entries, list) or not entries or not all(isinstance(one, dict) for one in entries):
        _wrong(label, 'no study; begin each with [[study]] and name its file: file = "clinic.csv"')
    studies = tuple(_study(one, folder, f"study[{place}]", label) for place, one in enumerate(entries))
    settings = document.get("settings", {})
    if not isinstance(settings, dict):
        _wrong(label, "settings: write [settings] and a line for each")
    _check_keys(settings, tuple(USUAL), label, "settings.")
    _check_settings(settings, label)
    return Plan(studies, _knowledge(document.get("knowledge", {}), studies, folder, label), settings, label)


def _check_settings(settings: Mapping[str, Any], label: str) -> None:
    from weft.evidence.independence.registry import test_named
    from weft.evidence.orientation.registry import method_named

    try:
        for of in (Settings, Question):
            of(**{one.name: settings[one.name] for one in fields(of) if one.name in settings})
        test_named(settings.get("independence", Settings.independence))
        method_named(settings.get("orientation", Settings.orientation))
    except WeftError as error:
        raise StudyError(f"{label}: settings: ", *error.args) from None


def _study(entry: Mapping[str, Any], folder: Path, place: str, label: str) -> PlannedStudy:
    _check_keys(entry, _STUDY, label, f"{place}.")
    file = _text(entry, "file", place, label)
    if file is None:
        _wrong(label, f'{place}: no file; say file = "clinic.csv"')
    missing = entry.get("missing", [])
    of_all, of_some = ((), missing) if isinstance(missing, dict) else (missing, {})
    recipe = Recipe(
        kinds=_table(entry, "kind", place, label),
        drop=_texts(entry.get("drop", []), f"{place}.drop", label),
        missing=_texts(of_all, f"{place}.missing", label),
        missing_in={key: _texts(one, f"{place}.missing.{key}", label) for key, one in of_some.items()},
        rename=_table(entry, "rename", place, label, str),
        levels={
            key: _inner(one, f"{place}.levels.{key}", label)
            for key, one in _table(entry, "levels", place, label).items()
        },
        units={key: float(one) for key, one in _table(entry, "unit", place, label, int, float).items()},
        dialect=Dialect(*(_text(entry, key, place, label) for key in ("encoding", "delimiter", "decimal", "table"))),
    )
    name = _text(entry, "name", place, label) or name_of(file)
    return PlannedStudy(name, folder / file, recipe, _texts(entry.get("experiment", []), f"{place}.experiment", label))


def _knowledge(value: object, studies: Sequence[PlannedStudy], folder: Path, label: str) -> Knowledge:
    if not isinstance(value, dict):
        _wrong(label, "knowledge: write [knowledge] and the keys of a knowledge file")
    files = _texts(value.get("files", []), "knowledge.files", label)
    own = from_document({key: one for key, one in value.items() if key != "files"}, label)
    set_in = {one.name: list(one.experiment) for one in studies if one.experiment}
    experiments = from_document({"randomised": set_in} if set_in else {}, label)
    return sum((Knowledge.read(folder / file) for file in files), own + experiments)


# -- types -----------------------------------------------------------------------------------------------------------


def _check_keys(found: Mapping[str, Any], known: Sequence[str], label: str, place: str) -> None:
    for key in found:
        if key not in known:
            _wrong(label, f"{place}{key} is not known here; {suggestion(key, known)}")


def _text(entry: Mapping[str, Any], key: str, place: str, label: str) -> str | None:
    value = entry.get(key)
    if value is not None and not isinstance(value, str):
        _wrong(label, f"{place}.{key}: {shown(value)} is not a text; put it in quotes")
    return value


def _texts(value: object, place: str, label: str) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not all(isinstance(one, str) for one in value):
        such_as = spelled([value]) if isinstance(value, str) else '["id"]'
        _wrong(label, f"{place}: {shown(value)} is not a list of texts, such as {such_as}")
    return tuple(value)


def _table(entry: Mapping[str, Any], key: str, place: str, label: str, *kinds: type) -> dict[str, Any]:
    value = entry.get(key, {})
    if not isinstance(value, dict) or (kinds and not all(isinstance(one, kinds) for one in value.values())):
        _wrong(label, f"{place}.{key}: {shown(value)} is not a table of columns, such as {{ age = ... }}")
    return value


def _inner(value: object, place: str, label: str) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(one, str) for one in value.values()):
        _wrong(label, f'{place}: {shown(value)} does not say what levels are called, such as {{ m = "male" }}')
    return value


def _wrong(label: str, what: str) -> NoReturn:
    raise StudyError(f"{label}: {what}")


# -- writing ---------------------------------------------------------------------------------------------------------


def spelled(value: object) -> str:
    """A value as TOML has it.

    >>> print(spelled({"a b": ["x"], "c": 0.5}))
    { "a b" = ["x"], c = 0.5 }
    """
    if isinstance(value, Mapping):
        return f"{{ {', '.join(f'{key_of(key)} = {spelled(one)}' for key, one in value.items())} }}"
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(spelled, value))}]"
    if isinstance(value, str):
        return f'"{"".join(_signs(value))}"'
    return str(value).lower() if isinstance(value, bool) else repr(value)


def key_of(name: str) -> str:
    """A name as a key of TOML."""
    return name if name and all(sign.isascii() and (sign.isalnum() or sign in "_-") for sign in name) else spelled(name)


def _signs(text: str) -> Iterator[str]:
    for sign in text:
        if sign in '"\\':
            yield f"\\{sign}"
        else:
            yield sign if sign.isprintable() else f"\\U{ord(sign):08x}"
