"""Any function that scores a direction, as an orientation method.

A score such as that of CGNN or SAM, or of a network that a user trained, compares the two directions of a pair of
arrays and is positive if the first seems to cause the second. :class:`Scorer` gives it what the protocol asks for: the
columns come standardised, without missing values; the score is made antisymmetric, (score(x, y) - score(y, x)) / 2, so
that swapping the columns mirrors the judgement exactly; and it becomes log odds by a factor, ``scale``, bounded by
``bound``.

What a score of 1 means is for its owner to say: the ``scale`` should come from pairs whose direction is known. The
default bound is the log odds of 95 %.

The function must give the same score for the same arrays. If it raises, the error is a StudyError with its message; if
its score is not finite, the pair is undecided. Scores of the judgement: score(x, y) and score(y, x), standardised
columns.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TypeAlias

from weft.errors import StudyError, WeftError
from weft.evidence.independence.kernels import FloatArray, standardise
from weft.evidence.orientation.protocol import Assumptions, Judgement
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Score: TypeAlias = Callable[[FloatArray, FloatArray], float]

NUMBERS = Assumptions(
    sees_confounding=False,
    linear=False,
    kinds=frozenset({Kind.CONTINUOUS, Kind.ORDINAL}),
    text="a score supplied by the user",
)
"""What is assumed of a score if nothing is said."""


@dataclass(frozen=True)
class Scorer:
    """A user's score as an orientation method.

    Parameters
    ----------
    name
        What it is called in results.
    score
        ``score(x, y) -> float`` on arrays of equal length: positive if x seems to cause y.
    assumptions
        What reports say about it, and the kinds of columns that it takes.
    scale
        Log odds for a score of 1.
    bound
        The most log odds it may have.

    >>> import numpy as np
    >>> from weft.evidence.orientation.protocol import run
    >>> def skewness(x, y):  # the cause is the more skewed one, if the noise is not
    ...     return abs(np.mean(x**3)) - abs(np.mean(y**3))
    >>> method = Scorer("skewness", skewness, scale=4.0)
    >>> generator = np.random.default_rng(0)
    >>> x = generator.exponential(size=500)
    >>> y = x + generator.normal(size=500)
    >>> verdict = run(method, Column("x", Kind.CONTINUOUS, x), Column("y", Kind.CONTINUOUS, y))
    >>> sorted(map(str, verdict.allowed)), verdict.method
    (['->', '-> & <->'], 'skewness')
    """

    name: str
    score: Score
    assumptions: Assumptions = NUMBERS
    scale: float = 1.0
    bound: float = math.log(0.95 / 0.05)

    def __post_init__(self) -> None:
        if not (self.scale > 0 and self.bound > 0):
            raise StudyError(f"the scale and bound of {self.name!r} must be above 0; such as scale=1")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters, and which function it is."""
        function = f"{self.score.__module__}.{getattr(self.score, '__qualname__', type(self.score).__qualname__)}"
        return {"score": function, "scale": self.scale, "bound": self.bound}

    def refusal(self, x: Column, y: Column) -> str | None:
        """One sentence for a column of a kind that was not declared."""
        for column in (x, y):
            if column.kind not in self.assumptions.kinds:
                kinds = " or ".join(sorted(self.assumptions.kinds))
                return f"{self.name} takes {kinds} columns, and {column.name!r} is {column.kind}; use another method"
        return None

    def judge(self, x: Column, y: Column) -> Judgement:
        """Ask the function, both ways round."""
        one, other = standardise(x.values), standardise(y.values)
        forward, backward = self._ask(one, other, (x, y)), self._ask(other, one, (y, x))
        if not math.isfinite(forward - backward):
            return Judgement(0.0, reason=f"the score of {self.name!r} is not a finite number")
        log_odds = self.scale * (forward - backward) / 2
        return Judgement(
            max(-self.bound, min(self.bound, log_odds)),
            {Structure.CAUSES: forward, Structure.CAUSED: backward},
            reason=f"the score of {self.name!r}",
        )

    def _ask(self, x: FloatArray, y: FloatArray, pair: tuple[Column, Column]) -> float:
        try:
            return float(self.score(x.copy(), y.copy()))
        except WeftError:
            raise
        except Exception as error:  # whatever the function does, its user should read one line
            names = " and ".join(repr(column.name) for column in pair)
            raise StudyError(f"the score {self.name!r} failed on {names}: {type(error).__name__}: {error}") from error
