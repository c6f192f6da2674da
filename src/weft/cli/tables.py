"""The files of a command line: tables, with their names and their columns' kinds, and knowledge."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import click

from weft.cli.failures import speak_of_plan
from weft.errors import WeftError
from weft.reading.names import split, unquoted

if TYPE_CHECKING:
    from weft.knowledge import Knowledge
    from weft.solutions.solution_set import SolutionSet
    from weft.studies import Study
    from weft.studies.build import Recipe

_TABLES = (".csv", ".tsv", ".txt", ".xlsx", ".xls", ".ods", ".parquet", ".feather", ".sav", ".dta", ".toml")
_NAMED = re.compile(r"([^=/\\]+)=(.+)")


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """The files by the names of their studies: ``clinic=data/a.csv``, or a file alone, which gives its own name.

    >>> named_files(["clinic=data/a.csv", "data/b.parquet"])
    {'clinic': 'data/a.csv', 'b': 'data/b.parquet'}
    """
    from weft.studies.formats import name_of

    files: dict[str, str] = {}
    for argument in arguments:
        named = None if os.path.exists(argument) else _NAMED.fullmatch(argument)
        name, path = (named[1].strip(), named[2]) if named else (name_of(argument), argument)
        if name in files:
            raise click.UsageError(f"two tables are called {name!r}; name one with NAME={path}")
        files[name] = path
    return files


def column_kinds(wishes: Iterable[str]) -> dict[str, str | list[str]]:
    """``COLUMN=KIND`` or ``COLUMN=low<middle<high``, as :meth:`weft.studies.Study.read` takes them.

    Names with ``=`` or ``<`` go in double quotes (:mod:`weft.reading.names`).

    >>> column_kinds(["sex=binary", 'age="<40"<40-60<"> 60"'])
    {'sex': 'binary', 'age': ['<40', '40-60', '> 60']}
    """
    kinds: dict[str, str | list[str]] = {}
    for wish in wishes:

        def refused(flaw: str, wish: str = wish) -> WeftError:
            return WeftError(f"--kind {wish}: {flaw}")

        *column, kind = split(wish, "=", refused)
        name = unquoted("=".join(column), refused)
        levels = [unquoted(level, refused) for level in split(kind, "<", refused)]
        if not name:
            raise refused("write COLUMN=KIND, or COLUMN=low<middle<high for levels in order")
        kinds[name] = levels if len(levels) > 1 else levels[0]
    return kinds


@dataclass(frozen=True)
class Reader:
    """How the tables of a command are to be read: the values of its options."""

    kinds: Sequence[str]
    drop: Sequence[str]
    missing: Sequence[str]
    delimiter: str | None
    decimal: str | None
    encoding: str | None
    inner_table: str | None
    """The sheet of a workbook, or the table of a database."""

    def studies(self, tables: Sequence[str]) -> list[Study]:
        """The studies that the arguments name."""
        from weft.studies import read_studies

        return read_studies(
            named_files(tables),
            column_kinds(self.kinds),
            drop=self.drop,
            missing=self.missing,
            encoding=self.encoding,
            delimiter=self.delimiter,
            decimal=self.decimal,
            table=self.inner_table,
        )

    def recipe(self) -> Recipe:
        """What the options say about every table."""
        from weft.studies.build import Recipe
        from weft.studies.files import Dialect

        dialect = Dialect(self.encoding, self.delimiter, self.decimal, self.inner_table)
        return Recipe(column_kinds(self.kinds), self.drop, self.missing, dialect=dialect)

    @property
    def is_silent(self) -> bool:
        """Whether no option says anything about tables."""
        return not (self.kinds or self.drop or self.missing) and not any(
            (self.encoding, self.delimiter, self.decimal, self.inner_table)
        )

    def study(self, table: str) -> Study:
        """The one study that an argument names."""
        return self.studies([table])[0]


def plan_among(tables: Sequence[str], reader: Reader) -> str | None:
    """The file that describes the whole analysis, if that is what a command was given instead of tables."""
    plans = [one for one in tables if one.lower().endswith(".toml")]
    if not plans:
        return None
    if len(tables) > 1:
        raise click.UsageError(f"{plans[0]} describes a whole analysis; give it alone, and name the other tables in it")
    if not reader.is_silent:
        raise click.UsageError(f"how tables are read is said in {plans[0]}; put it there instead of into options")
    speak_of_plan()
    return plans[0]


def read_knowledge(files: Sequence[str]) -> Knowledge:
    """What all the knowledge files say together."""
    from weft.knowledge import Knowledge

    return sum((Knowledge.read(file) for file in files), Knowledge())


def check_is_no_table(path: str) -> None:
    """Refuse a table where what was found in tables is read."""
    if path.lower().endswith(_TABLES) and os.path.exists(path):
        raise WeftError(f"{path}: this looks like a table; weft discover {path} -o result.json makes a result of it")


def loaded(path: str, claims: Sequence[str], timeout: float | None) -> SolutionSet:
    """A result file with more assumed; without a timeout of its own, a question may take as long as it was given."""
    import weft

    check_is_no_table(path)
    solutions = weft.load_result(path).assume(*claims)
    return solutions if timeout is None else replace(solutions, timeout=timeout)
