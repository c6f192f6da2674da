"""``--study name=X,Y`` as a study: a name, if there is one, and variables between commas.

Names with commas or ``=`` go in double quotes (:mod:`weft.reading.names`); blanks inside a name need none.
"""

from __future__ import annotations

from collections.abc import Sequence

from weft.errors import EvidenceError
from weft.evidence.statements import study_names
from weft.reading.names import split, unquoted


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
    """The name, if there is one in front of ``=``, and the variables. A variable that holds ``=`` goes in quotes."""

    def refused(flaw: str) -> EvidenceError:
        return EvidenceError(f"--study {text}: {flaw}")

    head, *rest = split(text, "=", refused)
    named = bool(rest) and len(split(head, ",", refused)) == 1
    listed = "=".join(rest) if named else text
    variables = [unquoted(part, refused) for part in split(listed, ",", refused)] if listed.strip() else []
    if "" in variables:
        raise refused("a variable's name is empty; take out the comma that is too many")
    return unquoted(head, refused) if named else None, variables
