"""The tables of a command line: their names, their columns' kinds, and what to warn about."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from weft.cli.failures import complain
from weft.cli.progress import busy

if TYPE_CHECKING:
    from weft.evidence.cache import ResultCache
    from weft.knowledge import Knowledge
    from weft.studies import Study

MOST_DIFFERENCES = 5
"""How many differences between studies are listed one by one."""

_NAMED = re.compile(r"([^=/\\]+)=(.+)")


def named_files(arguments: Sequence[str]) -> dict[str, str]:
    """The files by the names of their studies: ``clinic=data/a.csv``, or a file alone, which gives its own name.

    >>> named_files(["clinic=data/a.csv", "data/b.parquet"])
    {'clinic': 'data/a.csv', 'b': 'data/b.parquet'}
    """
    files: dict[str, str] = {}
    for argument in arguments:
        named = None if os.path.exists(argument) else _NAMED.fullmatch(argument)
        name, path = (named[1].strip(), named[2]) if named else (Path(argument).stem, argument)
        if name in files:
            raise click.UsageError(f"two tables are called {name!r}; name one with NAME={path}")
        files[name] = path
    return files


def column_kinds(wishes: Iterable[str]) -> dict[str, str | list[str]]:
    """``COLUMN=KIND`` or ``COLUMN=low<middle<high``, as :meth:`weft.studies.Study.read` takes them.

    >>> column_kinds(["sex=binary", "size=S<M<L"])
    {'sex': 'binary', 'size': ['S', 'M', 'L']}
    """
    kinds: dict[str, str | list[str]] = {}
    for wish in wishes:
        column, equals, kind = wish.rpartition("=")
        if not equals or not column.strip():
            raise click.UsageError(f"--kind {wish}: write COLUMN=KIND, or COLUMN=low<middle<high for levels in order")
        levels = [level.strip() for level in kind.split("<")]
        kinds[column.strip()] = levels if len(levels) > 1 else levels[0]
    return kinds


@dataclass(frozen=True)
class Reader:
    """How the tables of a command are to be read: the values of its options."""

    kinds: Sequence[str]
    drop: Sequence[str]
    missing: Sequence[str]
    delimiter: str | None
    decimal: str
    encoding: str

    def studies(self, tables: Sequence[str]) -> list[Study]:
        """The studies that the arguments name."""
        from weft.studies import read_studies

        return read_studies(
            named_files(tables),
            column_kinds(self.kinds),
            drop=self.drop,
            missing=self.missing or None,
            encoding=self.encoding,
            delimiter=self.delimiter,
            decimal=self.decimal,
        )

    def study(self, table: str) -> Study:
        """The one study that an argument names."""
        return self.studies([table])[0]


def read_knowledge(files: Sequence[str]) -> Knowledge:
    """What all the knowledge files say together."""
    from weft.knowledge import Knowledge

    return sum((Knowledge.read(file) for file in files), Knowledge())


def open_cache(path: str | None, *, memory: bool) -> ResultCache:
    """The cache in that file, in the user's cache folder if none is named, or in memory; warnings are said."""
    from weft.evidence.cache import ResultCache

    if path is None and not memory:
        from platformdirs import user_cache_path

        path = str(user_cache_path("weft", appauthor=False) / "results.sqlite")
    cache = ResultCache(None if memory else path)
    for warning in cache.warnings:
        complain(f"warning: {warning}")
    return cache


def warn(studies: Sequence[Study]) -> None:
    """Say on standard error what one should know about the studies; refuse those that cannot be used together."""
    from weft.evidence.same_process import differences
    from weft.studies import check_studies

    for warning in check_studies(studies):
        complain(f"warning: {warning}")
    with busy("comparing the variables that several studies measured"):
        found = differences(studies)
    for difference in found[:MOST_DIFFERENCES]:
        complain(f"warning: {difference}")
    if len(found) > MOST_DIFFERENCES:
        complain(f"warning: {len(found) - MOST_DIFFERENCES} more differences between studies")
    if found:
        complain("warning: the method assumes that one process made all studies; take care with what follows")
