"""The effects that a solution set implies: which structures and tables, how sure; :mod:`weft.effects` does the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

from weft.effects.again import same_as, tables_again
from weft.effects.answer import Effects, effects_of, table
from weft.effects.estimate import EffectError, Form
from weft.effects.identify import Setting
from weft.evidence.claims import Claim, Topic
from weft.search.consequences import Holds
from weft.studies import Study

if TYPE_CHECKING:
    from weft.solutions.findings import Summary
    from weft.solutions.solution_set import SolutionSet

MOST_FOR_ONE, MOST_FOR_ALL = 2_000, 300
"""So many structures are looked at for one effect, and for each of all pairs."""


class Sizes:
    """Effects in one solution set; tables are read and structures drawn once.

    Parameters
    ----------
    solutions
        The answer.
    studies
        The tables, if they are at hand; else they are read again from the files that they came from.
    data
        Where tables are now that have moved, by the name of their study.
    form
        ``linear`` or ``spline``.
    most, seed
        How many structures are looked at; if there are more, so many are drawn.
    folder
        Where the result file is.
    """

    def __init__(
        self,
        solutions: SolutionSet,
        studies: Iterable[Study] | None = None,
        data: Mapping[str, str] | None = None,
        *,
        form: Form = "linear",
        most: int = MOST_FOR_ONE,
        seed: int = 0,
        folder: Path | None = None,
    ) -> None:
        self._solutions, self._form = solutions, form
        self._studies = _tables(solutions, studies, data, folder)
        walked = solutions.structures
        if not walked.number:
            raise EffectError("no structure is consistent with the studies, so that no effect can be told")
        self._structures = list(walked.sampled(most, seed))
        self._fair = walked.fair
        self._summary = solutions.summary(margins=True)
        self._setting = _setting(solutions, self._studies, self._summary)

    def of(self, x: str, y: str) -> Effects:
        """The effect of one variable on another."""
        for name in (x, y):
            if name not in self._solutions.evidence.variables:
                from weft.knowledge.knowledge import suggestion

                known = self._solutions.evidence.variables
                raise EffectError(f"there is no variable {name!r}; {suggestion(name, known)}")
        if x == y:
            raise EffectError(f"{x} is the cause and the outcome; name two variables")
        causes = self._summary.finding(Claim(Topic.CAUSES, x, y)).confidence
        return effects_of(
            self._structures, x, y, self._studies, self._setting, causes=causes, fair=self._fair, form=self._form
        )

    def all(self) -> tuple[Effects, ...]:
        """All effects that are worth a number, the surest first: those of causes that are claimed."""
        claimed = [
            (x, y)
            for x, y in permutations(self._solutions.evidence.variables, 2)
            if (self._summary.finding(Claim(Topic.CAUSES, x, y)).confidence or 0.0) > 0.5
        ]
        return table(claimed, self.of)


def _tables(
    solutions: SolutionSet, studies: Iterable[Study] | None, data: Mapping[str, str] | None, folder: Path | None
) -> dict[str, Study]:
    known = () if solutions.origin is None else solutions.origin.tables
    if not known:
        raise EffectError("this answer does not come from tables, so that no effect can be estimated")
    if studies is None:
        return tables_again(known, folder, data)
    given = {study.name: study for study in studies}
    lost = [one.name for one in known if one.name not in given]
    if lost:
        raise EffectError(f"studies has no table for study {lost[0]!r}; give all of them")
    return {one.name: same_as(given[one.name], one, f"study {one.name!r}") for one in known}


def _setting(solutions: SolutionSet, studies: Mapping[str, Study], summary: Summary) -> Setting:
    assert solutions.origin is not None
    unconfounded = {
        (x, y)
        for x, y in permutations(solutions.evidence.variables, 2)
        if summary.holds(Claim(Topic.CONFOUNDED, x, y)) is Holds.NONE
    }
    return Setting(
        {name: frozenset(study.variables) for name, study in studies.items()},
        {one.name: frozenset(one.interventions) for one in solutions.origin.tables if one.interventions},
        frozenset(unconfounded),
    )
