"""One answer from the answers of several studies to the same question.

Several studies may have measured x, y and the given variables; each gives a p-value for "x and y are independent given
these". The paper (part 1) pools them with Fisher's method, the default here.

============ ======================================================== =============================================
method       pooled p-value                                           strong when
============ ======================================================== =============================================
`fisher`     P(chi-square with 2k degrees >= -2 sum log p)            one study shows a clear dependence
`stouffer`   P(normal >= sum w z(p) / sqrt(sum w^2)), w = sqrt(rows)  all studies show a little of it
============ ======================================================== =============================================

Both assume that the studies have no rows in common. Both are increasing in every p-value, do not depend on the order of
the studies, are uniform if the p-values are, and leave the p-value of a single study as it is.

A p-value of 0 makes Fisher's pooled p-value 0; one of 1 only adds a study that saw nothing. Stouffer's method has no
answer to 0 and 1 at once (infinity minus infinity), so there the p-values are first moved into the range of numbers
that have a finite normal score: 0 becomes the least positive number (score 38.5), 1 the number before it (score
-8.2).

An oracle gives verdicts instead of p-values. They are pooled too, if they agree; there is no p-value then.

References
----------
Fisher, *Statistical Methods for Research Workers*, 4th ed., section 21.1 (1932).
Stouffer et al., *The American Soldier*, vol. 1 (1949); weights: Liptak, *On the combination of independent tests*
(1958).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist
from typing import Literal, Protocol, get_args

from weft.errors import EvidenceError

PoolingMethod = Literal["fisher", "stouffer"]
"""How p-values are pooled."""

_LEAST, _MOST = math.ulp(0.0), math.nextafter(1.0, 0.0)


class Answer(Protocol):
    """What a test says: the result of every independence test is one."""

    @property
    def p_value(self) -> float: ...  # noqa: D102
    @property
    def rows(self) -> int: ...  # noqa: D102


@dataclass(frozen=True, slots=True)
class Part:
    """The answer of one study: a p-value from so many rows, or an oracle's verdict."""

    study: str
    p_value: float | None
    rows: int = 0
    verdict: bool | None = None
    """From an oracle: whether x and y are independent."""

    def __post_init__(self) -> None:
        if (self.p_value is None) == (self.verdict is None):
            raise EvidenceError(f"study {self.study!r}: give a p-value or a verdict to pool, and not both")
        if self.p_value is not None:
            check_p_value(self.p_value, f"study {self.study!r}: ")

    @classmethod
    def of(cls, study: str, answer: Answer) -> Part:
        """The part of a study, from the result of a test."""
        return cls(study, float(answer.p_value), int(answer.rows))


@dataclass(frozen=True, slots=True)
class Pooled:
    """The pooled answer, and what it was pooled from."""

    p_value: float | None
    """``None`` if an oracle gave verdicts."""
    rows: int
    """Of all parts together."""
    parts: tuple[Part, ...]
    verdict: bool | None = None
    """From an oracle: whether x and y are independent."""

    def independent(self, alpha: float) -> bool:
        """Whether x and y are taken to be independent: as `is_independent` says, or the verdict if there is one."""
        if self.verdict is not None:
            return self.verdict
        assert self.p_value is not None
        return is_independent(self.p_value, alpha)


def is_independent(p_value: float, alpha: float) -> bool:
    """Whether a p-value is taken for independence at level alpha: the one definition, used everywhere.

    A p-value of exactly alpha is taken for dependence, so that at most a share alpha of the independent pairs are
    called dependent, and no more could be.

    >>> is_independent(0.43, alpha=0.05), is_independent(0.05, alpha=0.05)
    (True, False)
    """
    check_p_value(p_value)
    if not 0 < alpha < 1:
        raise EvidenceError(f"alpha is {alpha}; it must lie between 0 and 1, such as 0.05")
    return p_value > alpha


def check_p_value(p_value: float, where: str = "") -> None:
    """Refuse what is no p-value."""
    if not 0 <= p_value <= 1:
        raise EvidenceError(f"{where}{p_value} is not a p-value; it must lie between 0 and 1")


def pool(answers: Sequence[Part | Answer], method: PoolingMethod | str = "fisher") -> Pooled:
    """Pool the answers of the studies that measured the variables: parts, or results of tests as they are.

    >>> pooled = pool([Part("a", 0.04, rows=200), Part("b", 0.10, rows=400)])
    >>> round(pooled.p_value, 4), pooled.rows, pooled.independent(alpha=0.05)
    (0.0261, 600, False)
    """
    if method not in get_args(PoolingMethod):
        raise EvidenceError(
            f"there is no pooling method {method!r}; choose one of {', '.join(get_args(PoolingMethod))}"
        )
    if not answers:
        raise EvidenceError("there is nothing to pool: no study measured these variables")
    parts = [one if isinstance(one, Part) else Part.of(f"#{i}", one) for i, one in enumerate(answers, start=1)]
    rows = sum(part.rows for part in parts)
    if any(part.verdict is not None for part in parts):
        return Pooled(None, rows, tuple(parts), _common_verdict(parts))
    p_values = [part.p_value for part in parts if part.p_value is not None]
    if len(p_values) == 1:
        return Pooled(p_values[0], rows, tuple(parts))
    pooled = fisher(p_values) if method == "fisher" else stouffer(p_values, [part.rows for part in parts])
    return Pooled(pooled, rows, tuple(parts))


def fisher(p_values: Sequence[float]) -> float:
    """Fisher's pooled p-value.

    With s = -sum log p, the tail of the chi-square distribution with 2k degrees of freedom at 2s is that of a Poisson
    variable with mean s below k: exp(-s) (1 + s + ... + s^(k-1) / (k-1)!).

    >>> round(fisher([0.5, 0.5]), 4)
    0.5966
    """
    if any(p == 0 for p in p_values):
        return 0.0
    s = math.fsum(-math.log(p) for p in p_values)
    if s == 0:
        return 1.0
    return min(1.0, math.fsum(math.exp(j * math.log(s) - s - math.lgamma(j + 1)) for j in range(len(p_values))))


def stouffer(p_values: Sequence[float], rows: Sequence[int]) -> float:
    """Stouffer's pooled p-value, each study weighted by the square root of its rows.

    >>> round(stouffer([0.04, 0.10], rows=[200, 400]), 4)
    0.0198
    """
    for count in rows:
        if count < 1:
            raise EvidenceError(
                f"a study with {count} rows has no weight; pooling by 'stouffer' needs the rows of each"
            )
    normal = NormalDist()
    scores = [-normal.inv_cdf(min(max(p, _LEAST), _MOST)) for p in p_values]
    score = math.fsum(math.sqrt(n) * z for n, z in zip(rows, scores, strict=True)) / math.sqrt(sum(rows))
    return math.erfc(score / math.sqrt(2)) / 2


def _common_verdict(parts: Sequence[Part]) -> bool:
    """The verdict that all parts give."""
    verdicts = {part.verdict for part in parts}
    if None in verdicts:
        named = next(part.study for part in parts if part.verdict is None)
        raise EvidenceError(f"study {named!r} gives a p-value and others an oracle's verdict; they cannot be pooled")
    if len(verdicts) > 1:
        raise EvidenceError("the oracle's verdicts differ between studies; they must come from one graph")
    return verdicts == {True}
