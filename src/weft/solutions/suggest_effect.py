"""What would identify an effect: which study or experiment would let its size be told, in how many of the structures.

Suppose that a new study were there, and each structure the true one. The effect is *known* in a structure if it is 0
there, or if the old studies and the new one identify it (:mod:`weft.effects.identify`). What could be done is ranked by
the share of the structures in which the effect would be known. What the new study would say about the structures
themselves, which is what ``suggest`` ranks by, comes on top of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from weft.effects.identify import NotIdentified, Setting, causes, identify
from weft.errors import ProblemError
from weft.graphs.adjustment import adjustment_set
from weft.graphs.mixed import MixedGraph, quote
from weft.reading.frames import frame_of
from weft.solutions.effect_sizes import MOST_FOR_ALL, check_names, setting_of
from weft.solutions.paragraphs import wrapped
from weft.solutions.suggest import Kind, candidates

if TYPE_CHECKING:
    from weft.solutions.solution_set import SolutionSet

_NEW = "\0new"
"""The new study; no file is called so."""


@dataclass(frozen=True)
class Remedy:
    """Something that could be done, and where the effect would be known then."""

    kind: str
    """``measure`` or ``randomise``."""
    variables: tuple[str, ...]
    """What is measured, sorted."""
    text: str
    known: float
    """The share of the structures in which the effect would be known."""

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {"kind": self.kind, "text": self.text, "variables": list(self.variables), "known": round(self.known, 6)}


@dataclass(frozen=True)
class Remedies:
    """What would identify an effect, the best first."""

    cause: str
    outcome: str
    structures: int
    """How many were looked at."""
    now: float
    """The share of the structures in which the effect is known as it is."""
    rows: tuple[Remedy, ...]
    """What would make it known in more of them."""

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Remedies for the effect of {self.cause} on {self.outcome}: {len(self.rows)}>"

    def __iter__(self) -> Iterator[Remedy]:
        return iter(self.rows)

    def __getitem__(self, place: int) -> Remedy:
        return self.rows[place]

    def __len__(self) -> int:
        return len(self.rows)

    def lines(self, top: int = 10) -> Iterator[str]:
        """The best of them in words."""
        looked = f"{self.structures:,} structures" if self.structures != 1 else "1 structure"
        yield from wrapped(
            f"The effect of {self.cause} on {self.outcome} is known (or 0) in {_percent(self.now)} of {looked}."
        )
        if not self.rows:
            yield "Nothing that weft can suggest would tell more." if self.now < 1 else "Nothing more is needed."
            return
        yield "It would be known in"
        for row in self.rows[:top]:
            yield from wrapped(row.text, f"  {_percent(row.known):>5}  ")
        if len(self.rows) > top:
            yield f"and {len(self.rows) - top:,} more (--top N shows more)"

    def to_frame(self) -> Any:
        """A data frame, a row for each."""
        return frame_of((one.as_json() for one in self.rows), ("text", "kind", "variables", "known"))

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "from": self.cause,
            "to": self.outcome,
            "structures": self.structures,
            "now": round(self.now, 6),
            "rows": [row.as_json() for row in self.rows],
        }


def _percent(share: float) -> str:
    return f"{100 * share:.0f} %"


def suggest_effect(
    solutions: SolutionSet, cause: str, outcome: str, *, most: int = MOST_FOR_ALL, seed: int = 0
) -> Remedies:
    """What would identify the effect of one variable on another.

    Parameters
    ----------
    solutions
        The answer; it need not come from tables.
    cause, outcome
        Two variables.
    most, seed
        How many structures to look at; if there are more, so many are drawn.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> answer = solve(oracle("X -> Y", [["X", "Y"]]), "iod-bcd")
    >>> print(suggest_effect(answer, "X", "Y").rows[0].text)
    randomise X and measure Y
    """
    check_names(solutions, cause, outcome)
    walked = solutions.structures
    if not walked.number:
        raise ProblemError("no structure is consistent with the studies, so that there is no effect to ask for")
    graphs = list(walked.sampled(most, seed))
    setting = setting_of(solutions, solutions.summary())
    unknown = [one for one in graphs if isinstance(identify(one, cause, outcome, setting), NotIdentified)]
    found = {}
    for kind, variables, text, assigned in _options(unknown, cause, outcome, solutions, setting):
        wider = _with(setting, variables, assigned)
        left = sum(isinstance(identify(one, cause, outcome, wider), NotIdentified) for one in unknown)
        if left < len(unknown):
            found[text] = Remedy(kind, variables, text, 1 - left / len(graphs))
    rows = sorted(found.values(), key=lambda one: (-one.known, len(one.variables), one.text))
    return Remedies(cause, outcome, len(graphs), 1 - len(unknown) / len(graphs), tuple(rows))


def _options(
    unknown: Sequence[MixedGraph], x: str, y: str, solutions: SolutionSet, setting: Setting
) -> Iterator[tuple[str, tuple[str, ...], str, frozenset[str]]]:
    """What could be done: its kind, what is measured, in words, and what is set by lot."""
    nothing = frozenset[str]()
    from weft.knowledge.common_sense import given_by_nature

    names, studies = solutions.evidence.variables, solutions.evidence.studies
    for kind, variables, variable, study in candidates(names, studies):
        if kind is Kind.PAIR:
            yield "measure", variables, _together(variables), nothing
        elif kind is Kind.ADD:
            assert variable is not None
            assert study is not None
            assigned = setting.experiments.get(study, nothing)  # an experiment that measures more is still one
            yield "measure", variables, f"measure {quote(variable)} too in study {study!r}", assigned
    wanted = (adjustment_set(one, [x], y) for one in unknown if causes(one, x, y))
    for others in dict.fromkeys(one for one in wanted if one is not None):
        variables = tuple(sorted({x, y, *others}))
        yield "measure", variables, _together(variables), nothing
    yield "measure", tuple(names), "measure all variables together", nothing
    if given_by_nature(x) is None:
        yield "randomise", tuple(sorted((x, y))), f"randomise {quote(x)} and measure {quote(y)}", frozenset({x})


def _together(variables: Sequence[str]) -> str:
    *first, last = map(quote, variables)
    return f"measure {', '.join(first)} and {last} together"


def _with(setting: Setting, variables: tuple[str, ...], assigned: frozenset[str]) -> Setting:
    """The studies and a new one, in which some variables are set by lot."""
    experiments = {**setting.experiments, _NEW: assigned} if assigned else setting.experiments
    return replace(setting, studies={**setting.studies, _NEW: frozenset(variables)}, experiments=experiments)
