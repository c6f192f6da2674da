"""The tables behind a result, read again: an effect needs the data, which a result file does not hold.

Each table is looked for where it was, as seen from here and from the result file; its content must be what it was.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from weft.errors import Argument, StudyError
from weft.evidence.statements import Table
from weft.reading.names import meant
from weft.studies import Study
from weft.studies.build import Recipe, everything, study_of_file


def tables_again(
    tables: Sequence[Table], folder: Path | None = None, moved: Mapping[str, str] | None = None
) -> dict[str, Study]:
    """The studies by name, read again.

    Parameters
    ----------
    tables
        What is known of them.
    folder
        Where the result file is.
    moved
        Where some of them are now, by the name of their study.

    Raises
    ------
    StudyError
        In a line each: a table that is not there, or has changed.
    """
    places = moved or {}
    for name in places:
        if name not in {table.name for table in tables}:
            names = [table.name for table in tables]
            known = meant(name, names) or f"; there are {', '.join(map(repr, names))}"
            raise StudyError(f"there is no study {name!r}{known}")
    return everything({one.name: partial(_again, one, folder, places.get(one.name)) for one in tables})


def _again(table: Table, folder: Path | None, moved: str | None) -> Study:
    if not table.source and moved is None:
        raise StudyError(f"study {table.name!r} did not come from a file; give its table with ", Argument("studies"))
    path = Path(moved) if moved is not None else _found(str(table.source["file"]), folder, table.name)
    study = study_of_file(path, table.name, Recipe.of_document(table.source))
    return same_as(study, table, str(path))


def same_as(study: Study, table: Table, label: str) -> Study:
    """The columns of a study that were used, if they are what they were."""
    lost = [name for name in table.kinds if name not in study.variables]
    if lost:
        raise StudyError(f"{label}: column {lost[0]!r} is gone since the analysis; run weft discover again")
    used = study.select(table.kinds)
    if table.fingerprint and used.fingerprint != table.fingerprint:
        raise StudyError(f"{label}: the table has changed since the analysis; run weft discover again")
    return used


def _found(file: str, folder: Path | None, name: str) -> Path:
    places = [Path(file)]
    if folder is not None:
        places += [folder / file, folder / os.path.basename(file)]
    for place in places:
        if place.exists():
            return place
    raise StudyError(
        f"{file}: the table of study {name!r} is not there any more; say where it is with ",
        Argument("data", [f"{name}=FILE"]),
    )
