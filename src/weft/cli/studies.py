"""``--study name=X,Y`` as a study: a name, if there is one, and variables as in a line of CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence

from weft.errors import EvidenceError
from weft.evidence.statements import study_names

# A name in front of "=", bare or in double quotes. A variable that holds "=" goes in double quotes.
_NAMED = re.compile(r'\s*(?:"((?:[^"]|"")+)"|([^",=]*?))\s*=')


def read_studies(texts: Sequence[str]) -> dict[str, list[str]]:
    """The variables of each study by its name; studies without one are called a, b, c, ...

    >>> read_studies(["X,Y", "trial=Y, Z", '"dose, mg",Z'])
    {'a': ['X', 'Y'], 'trial': ['Y', 'Z'], 'b': ['dose, mg', 'Z']}
    """
    parts = [_split(text) for text in texts]
    given = {name for name, _ in parts}
    spare = iter([name for name in study_names(2 * len(parts)) if name not in given])
    studies: dict[str, list[str]] = {}
    for found, variables in parts:
        name = next(spare) if found is None else found
        if name in studies:
            raise EvidenceError(f"two studies are called {name!r}; give each its own name")
        studies[name] = variables
    return studies


def _split(text: str) -> tuple[str | None, list[str]]:
    """The name, if there is one, and the variables."""
    named = _NAMED.match(text)
    name = None
    if named:
        name = named[2] if named[1] is None else named[1].replace('""', '"')
        text = text[named.end() :]
    try:
        rows = list(csv.reader([text], skipinitialspace=True, strict=True))
    except csv.Error:
        raise EvidenceError(f"--study {text}: the quotes do not match; write a quote inside a name twice") from None
    variables = [variable.strip() for row in rows for variable in row]
    if "" in variables:
        raise EvidenceError(f"--study {text}: a variable's name is empty; remove the extra comma")
    return name, variables
