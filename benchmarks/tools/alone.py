"""FCI on each study alone, with one test or another; what any of the studies says is claimed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from benchmarks.tools import LEVELS, NUMBERS, Said, causal_learn
from benchmarks.tools.pag import claims_of
from weft.studies import Study


@dataclass(frozen=True)
class FciAlone:
    """The claims of each study's PAG, put together."""

    name: str
    about: str
    takes: frozenset[str] = frozenset({NUMBERS, LEVELS})
    says_how_sure: bool = False
    test: str = ""
    """Of causal-learn; if empty, the usual one."""

    def missing(self) -> str:
        return causal_learn.missing()

    def version(self) -> str:
        return f"causal-learn {causal_learn.installed()}"

    def claims(self, studies: Sequence[Study]) -> Iterator[Said]:
        test = self.test or causal_learn.usual_test(studies)
        for study in studies:
            table = np.column_stack([column.values for column in study.columns])
            yield from claims_of(causal_learn.pag_of(study.variables, table, test))
