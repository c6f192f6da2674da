"""FCI on one table of all rows, with holes where a study did not measure a variable."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.tools import LEVELS, NUMBERS, Said, causal_learn
from benchmarks.tools.pag import claims_of
from weft.studies import Study


@dataclass(frozen=True)
class FciJoined:
    """Each test takes the rows that are complete for it."""

    name: str = "FCI, joined, test by test"
    about: str = (
        "FCI (causal-learn), same tests and level, on all rows of all studies in one table with holes. Each test takes "
        "the rows that have all of its variables. Where there are none, it finds no independence: variables that were "
        "never measured together stay adjacent."
    )
    takes: frozenset[str] = frozenset({NUMBERS, LEVELS})
    says_how_sure: bool = False

    def missing(self) -> str:
        return causal_learn.missing()

    def version(self) -> str:
        return f"causal-learn {causal_learn.installed()}"

    def claims(self, studies: Sequence[Study]) -> Iterator[Said]:
        names, table = causal_learn.joined(studies)
        test = causal_learn.register_with_holes(causal_learn.usual_test(studies))
        yield from claims_of(causal_learn.pag_of(names, table, test))


TOOL = FciJoined()
