"""What ``weft check`` looks at: tables as they were read, what does not fit between them; and a first studies.toml."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from weft.errors import Argument, StudyError
from weft.evidence.same_process import differences
from weft.knowledge.common_sense import Hint, hints
from weft.plan import Plan, key_of, spelled
from weft.studies import Column, Study, check_studies, usable
from weft.studies.build import Opened, Recipe, opened, own_part, understood
from weft.studies.checks import check_study
from weft.studies.gaps import gaps
from weft.studies.misfits import Misfit, mended, misfits
from weft.studies.source import listed


@dataclass(frozen=True)
class Looked:
    """One file, as far as it could be read."""

    name: str
    file: str
    told: str
    """What kind of file it is and how it is written; nothing if it cannot be opened."""
    columns: tuple[Column, ...]
    """Those that can be read."""
    problems: tuple[StudyError, ...]
    """What must be put right before the table can be used."""

    @property
    def study(self) -> Study | None:
        """The study of the columns that can be read."""
        return Study(self.name, self.columns) if self.columns else None

    @property
    def refused(self) -> tuple[str, ...]:
        """The columns that can only be left out, or are best."""
        found = [remedy.value for one in self.problems for remedy in one.remedies if remedy.keyword == "drop"]
        return tuple(name for value in found if isinstance(value, list) for name in value)


@dataclass(frozen=True)
class Checked:
    """All that is to be said about some tables before they are used."""

    files: tuple[Looked, ...]
    misfits: tuple[Misfit, ...]
    warnings: tuple[str, ...]
    """What else one should know of the studies."""
    hints: tuple[Hint, ...]
    unusable: str = ""
    """Why the studies cannot be used together, if so."""

    @property
    def usable(self) -> bool:
        """Whether ``weft discover`` would take the tables as they are."""
        return not self.unusable and not any(one.problems for one in self.files)


def check(files: Mapping[str, str], recipe: Recipe) -> Checked:
    """Look at tables, by the names of their studies, without testing anything but whether they differ."""
    return _together([_looked(name, file, recipe, for_all=True) for name, file in files.items()])


def check_plan(plan: Plan) -> Checked:
    """Look at the tables of a plan, read as it says."""
    found = _together([_looked(one.name, str(one.file), one.recipe, for_all=False) for one in plan.studies])
    return replace(found, hints=()) if plan.knowledge.items else found


def _together(looked: Sequence[Looked]) -> Checked:
    studies = [one.study for one in looked if one.study is not None]
    found = misfits(studies)
    alike = mended(studies, found)
    known = hints(dict.fromkeys(name for study in alike for name in study.variables))
    if not studies:
        return Checked(tuple(looked), found, (), known)
    try:
        check_studies(studies)
        warnings = _warnings(alike, found)
    except StudyError as error:
        return Checked(tuple(looked), found, (), known, str(error))
    return Checked(tuple(looked), found, warnings, known)


def _looked(name: str, file: str, recipe: Recipe, *, for_all: bool) -> Looked:
    """The file as it can be read; what options say for all files (``for_all``) need not concern this one."""
    wrong: list[StudyError]
    try:
        table = opened(Path(file), recipe)
        columns, wrong = _read(table, own_part(recipe, table) if for_all else recipe)
    except StudyError as error:
        return Looked(name, file, "", (), error.each)  # type: ignore[arg-type]  # errors of tables are such
    try:
        check_study(Study(name, tuple(columns)), table.reading.source)
    except StudyError as error:
        wrong += error.each  # type: ignore[arg-type]
        empty = {value[0] for one in error.remedies if isinstance(value := one.value, list)}
        columns = [column for column in columns if column.name not in empty] if empty else []
    return Looked(name, file, table.told, tuple(columns), tuple(wrong))


def _read(table: Opened, recipe: Recipe) -> tuple[list[Column], list[StudyError]]:
    """The columns that can be read, and what is wrong; a column without a name does not hide the others."""
    try:
        return understood(table, recipe)
    except StudyError as error:
        unnamed = Argument("drop", [""])
        if unnamed not in error.remedies:
            raise
        columns, wrong = understood(table, replace(recipe, drop=[*recipe.drop, ""]))
        return columns, [error, *wrong]


def _warnings(studies: Sequence[Study], found: Sequence[Misfit]) -> tuple[str, ...]:
    """What else is worth knowing; what is a misfit already is not said again."""
    noted = check_studies(studies)
    said = {(one.mending.study, one.mending.column) for one in found}
    fresh = [one for one in noted if not any((study, name) in said for study in one.studies for name in one.variables)]
    differing = differences(usable(studies)[0]) if len(studies) > 1 else ()
    units = {one.mending.column for one in found if one.mending.key in ("unit", "levels")}
    real = [str(one) for one in differing if not units & set(one.variables)]
    return (*map(str, fresh), *real, *gaps(studies))


# -- in words --------------------------------------------------------------------------------------------------------


def in_short(column: Column) -> str:
    """What a column holds, in a few words.

    >>> import numpy as np
    >>> from weft.studies import Kind
    >>> in_short(Column("x", Kind.CONTINUOUS, np.array([1.0, 2.5, np.nan, 4.0])))
    '1 to 4, 25 % missing'
    """
    there = column.values[column.present]
    missing = 1 - len(there) / max(len(column.values), 1)
    rest = f", {missing:.0%} missing".replace("%", " %") if missing >= 0.005 else ""
    if not len(there):
        return "all missing"
    if not column.levels:
        return f"{there.min():.4g} to {there.max():.4g}{rest}"
    few = listed(column.levels) if len(column.levels) <= 3 else f"{column.levels[0]} ... {column.levels[-1]}"
    return f"{column.kind}, {len(column.levels)}: {few}{rest}"


# -- studies.toml ----------------------------------------------------------------------------------------------------


def first_plan(checked: Checked, folder: Path, spell: Callable[[Argument], str] = str) -> str:
    """A ``studies.toml`` for these tables: what must be said is said, what may be meant stands behind ``#``."""
    blocks = [_HEADING, *(_entry(one, checked.misfits, folder, spell) for one in checked.files)]
    blocks.append("\n".join(_knowledge(checked.hints)))
    blocks.append("[settings]\n# alpha = 0.01\n# coverage = 0.9")
    return "\n\n".join(blocks) + "\n"


_HEADING = """\
# The tables of one analysis. Take the # away from lines that are right, then: weft discover studies.toml"""


def _entry(looked: Looked, found: Iterable[Misfit], folder: Path, spell: Callable[[Argument], str]) -> str:
    lines = ["[[study]]", f"name = {spelled(looked.name)}", f"file = {spelled(_seen_from(folder, looked.file))}"]
    lines += [f"# {' '.join(one.worded(spell).split())}" for one in looked.problems]
    if looked.refused:
        lines.append(f"drop = {spelled(looked.refused)}")
    return "\n".join([*lines, *_mended(looked, [one for one in found if one.mending.study == looked.name])])


def _seen_from(folder: Path, file: str) -> str:
    path, base = Path(file).resolve(), folder.resolve()
    return path.relative_to(base).as_posix() if path.is_relative_to(base) else path.as_posix()


def _mended(looked: Looked, found: Sequence[Misfit]) -> Iterator[str]:
    """A line for each key, behind a ``#``, with what was seen above it."""
    by_key: dict[str, list[Misfit]] = {}
    for one in found:
        by_key.setdefault(one.mending.key, []).append(one)
    for key, several in by_key.items():
        yield from (f"# {one.message}:" for one in several)
        if key == "drop":
            columns = (*looked.refused, *(one.mending.column for one in several))
            yield f"# drop = {spelled(columns)}"
        else:
            table = ", ".join(f"{key_of(one.mending.column)} = {spelled(one.mending.value)}" for one in several)
            yield f"# {key} = {{ {table} }}"


def _knowledge(found: Iterable[Hint]) -> Iterator[str]:
    yield "[knowledge]"
    yield '# files = ["expert.toml"]'
    for one in found:
        yield f"# {one.message}:"
        yield f"# {one.line}"
