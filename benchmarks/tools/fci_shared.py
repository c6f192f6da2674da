"""FCI on the complete cases of the joined table: all rows, and the variables that every study measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.tools import LEVELS, NUMBERS, Said, causal_learn
from benchmarks.tools.pag import claims_of
from weft.studies import Study


@dataclass(frozen=True)
class FciShared:
    """The columns without holes."""

    name: str = "FCI, shared variables"
    about: str = (
        "FCI (causal-learn), same tests and level, on all rows of all studies and the variables that every study "
        "measured. No row has all variables, so this is what is left of the complete cases. It says nothing about the "
        "other variables."
    )
    takes: frozenset[str] = frozenset({NUMBERS, LEVELS})
    says_how_sure: bool = False

    def missing(self) -> str:
        return causal_learn.missing()

    def version(self) -> str:
        return f"causal-learn {causal_learn.installed()}"

    def claims(self, studies: Sequence[Study]) -> Iterator[Said]:
        names, table = causal_learn.joined(studies)
        kept = [place for place in range(len(names)) if not np.isnan(table[:, place]).any()]
        if len(kept) > 1:
            pag = causal_learn.pag_of([names[i] for i in kept], table[:, kept], causal_learn.usual_test(studies))
            yield from claims_of(pag)


TOOL = FciShared()
