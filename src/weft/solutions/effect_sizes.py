"""The effects that a solution set implies: which structures and tables, how sure; :mod:`weft.effects` does the rest."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import permutations
from pathlib import Path
from typing import TYPE_CHECKING

from weft.effects.again import same_as, tables_again
from weft.effects.answer import Effects, effects_of, sureness
from weft.effects.estimate import EffectError, Estimator, Form, reaching
from weft.effects.identify import Setting
from weft.evidence.claims import Claim, Topic
from weft.search.consequences import Holds
from weft.studies import Study

if TYPE_CHECKING:
    from weft.solutions.findings import Summary
    from weft.solutions.solution_set import SolutionSet
    from weft.solutions.structures import Structures

MOST_FOR_ONE, MOST_FOR_ALL = 2_000, 300
"""So many structures are looked at for one effect, and for each of all pairs."""


def tables_of(
    solutions: SolutionSet,
    studies: Iterable[Study] | None = None,
    data: Mapping[str, str] | None = None,
    folder: Path | None = None,
) -> dict[str, Study]:
    """The tables behind an answer, which must be what they were.

    Parameters
    ----------
    solutions
        The answer.
    studies
        The tables, if they are at hand; else they are read again from the files that they came from.
    data
        Where tables are now that have moved, by the name of their study.
    folder
        Where the result file is.
    """
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


class Sizes:
    """Effects in one solution set; structures are drawn and regressions made once.

    Parameters
    ----------
    solutions
        The answer.
    tables
        What :func:`tables_of` gives.
    form
        ``linear`` or ``spline``.
    most, seed
        How many structures are looked at; if there are more, so many are drawn.
    structures, summary
        Those of the answer, if they are known already. With a summary that has no confidences, cases have none.
    """

    def __init__(
        self,
        solutions: SolutionSet,
        tables: Mapping[str, Study],
        *,
        form: Form = "linear",
        most: int = MOST_FOR_ONE,
        seed: int = 0,
        structures: Structures | None = None,
        summary: Summary | None = None,
    ) -> None:
        self._solutions, self._tables, self._form = solutions, tables, form
        walked = solutions.structures if structures is None else structures
        if not walked.number:
            raise EffectError("no structure is consistent with the studies, so that no effect can be told")
        self._structures = list(walked.sampled(most, seed))
        self._fair = walked.fair
        self._summary = solutions.summary(margins=True) if summary is None else summary
        self._setting = setting_of(solutions, self._summary)
        self._supposed = {claim.canonical for claim in solutions.supposed}
        pairs = permutations(solutions.evidence.variables, 2)
        self._hidden = {pair: self._sure(Topic.CONFOUNDED, *pair) or 0.0 for pair in pairs}
        self._estimator = Estimator(tables, form)

    def of(self, x: str, y: str, at_least: str | None = None) -> Effects:
        """The effect of one variable on another, or on the probability that it has some level or a higher one."""
        check_names(self._solutions, x, y)
        causes = self._sure(Topic.CAUSES, x, y)
        tables, estimator = self._tables, self._estimator
        if at_least is not None:
            tables = {name: reaching(study, y, at_least) for name, study in tables.items()}
            estimator = Estimator(tables, self._form)
        return effects_of(
            self._structures, x, y, tables, self._setting, causes=causes, hidden=self._hidden, fair=self._fair,
            form=self._form, estimator=estimator,
        )  # fmt: skip

    def claimed(self) -> tuple[Effects, ...]:
        """The effects of all causes that are claimed; first those that can be told, the surest first."""
        pairs = permutations(self._solutions.evidence.variables, 2)
        claimed = [(x, y) for x, y in pairs if (self._sure(Topic.CAUSES, x, y) or 0.0) > 0.5]
        return tuple(sorted((self.of(x, y) for x, y in claimed), key=sureness))

    def all(self) -> tuple[Effects, ...]:
        """All effects that are worth a number, the surest first: those of causes that are claimed."""
        return tuple(one for one in self.claimed() if one.known)

    def _sure(self, topic: Topic, x: str, y: str) -> float | None:
        """How sure it is, if that is known of claims; what is supposed is certain."""
        finding = self._summary.finding(Claim(topic, x, y))
        if finding.confidence is None:
            return None
        if finding.claim in self._supposed:
            return 1.0
        return 0.0 if finding.claim.negated in self._supposed else finding.confidence


def check_names(solutions: SolutionSet, x: str, y: str) -> None:
    """Refuse what is not two variables."""
    from weft.knowledge.knowledge import suggestion

    known = solutions.evidence.variables
    for name in (x, y):
        if name not in known:
            raise EffectError(f"there is no variable {name!r}; {suggestion(name, known)}")
    if x == y:
        raise EffectError(f"{x} is the cause and the outcome; name two variables")


def setting_of(solutions: SolutionSet, summary: Summary) -> Setting:
    """What was measured and set in which study, and which pairs have nothing hidden behind them."""
    tables = () if solutions.origin is None else solutions.origin.tables
    unconfounded = {
        (x, y)
        for x, y in permutations(solutions.evidence.variables, 2)
        if summary.holds(Claim(Topic.CONFOUNDED, x, y)) is Holds.NONE
    }
    return Setting(
        {one.name: frozenset(one.variables) for one in solutions.evidence.studies},
        {one.name: frozenset(one.interventions) for one in tables if one.interventions},
        frozenset(unconfounded),
    )
