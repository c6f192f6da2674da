"""Regressions with robust errors, and estimates that can be multiplied, added and pooled.

A regression is by least squares. Its errors are *robust*: each row counts with its own residual (HC3: divided by one
minus the row's leverage), so that they hold for unequal variances, and for outcomes that are 0 or 1.

==================== ==================================================================================================
a column of          enters as
==================== ==================================================================================================
numbers              itself; in the spline form, a natural cubic spline with knots at its quantiles
levels in an order   its numbers, or 0, 1, 2, ... if the levels are not numbers
two levels           0 and 1: an effect on it is a difference of risks
levels without order one column of 0 and 1 for each but the first; it can be held fixed, but has no single effect
==================== ==================================================================================================

In the linear form an effect is the change of the outcome for one unit of the exposure. In the spline form it is the
change of the mean outcome where the exposure goes from its lower to its upper quartile.

An :class:`Estimate` knows how much each row of each study moved it (its *influence*): the sum of the squares is its
variance. So the product of two estimates, say of the two legs of a composed effect, has the right error by the delta
method, whether they come from two studies or partly from the same rows.

References
----------
MacKinnon and White, *Some heteroskedasticity-consistent covariance matrix estimators*, J. Econometrics 29 (1985).
Birge, *The calculation of errors by the method of least squares*, Physical Review 40 (1932).
Cochran, *The combination of estimates from different experiments*, Biometrics 10 (1954).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from weft.effects.identify import Adjusted, Composed, Identified, Leg, exposure_of
from weft.errors import WeftError
from weft.studies import Column, Kind, Study

Form = Literal["linear", "spline"]
FORMS: tuple[Form, ...] = ("linear", "spline")
LEVEL = 0.95
"""Intervals hold the truth with this probability."""
_SPARE_ROWS = 10
"""A regression needs so many rows more than columns."""
_COLLINEAR = 1e-6
"""An exposure of which the others leave less than this share of its spread cannot be told from them."""
_SMALLEST, _LARGEST = 1e-160, 1e160
"""Numbers beyond these cannot be multiplied by each other."""
_ROUNDING = 1e-13
"""What varies less than this, beside its size, is lost in rounding."""
_ONE_ROW = 0.9
"""A row that makes up more than this share of what varies decides everything alone."""
_DETERMINED = 1e-6
"""An outcome of which less than this share is left over has no error."""
AT_LEAST = "at least "
"""How the level of a column begins that says whether another level is reached."""
_LINEAR = "ask for the linear form"
_KNOTS = (0.05, 0.35, 0.65, 0.95)
DISAGREE = 0.01
"""Studies disagree if estimates that differ as much are less probable than this."""

Floats = NDArray[np.float64]


class EffectError(WeftError):
    """An effect that cannot be estimated from these tables, and what would help."""

    def __init__(self, why: str, remedy: str = "gather other data") -> None:
        super().__init__(why)
        self.remedy = remedy


@dataclass(frozen=True)
class Estimate:
    """A number with its error."""

    value: float
    influence: Mapping[str, Floats]
    """For each study, how much each of its rows moved the estimate."""
    rows: Mapping[str, int]
    """The rows of each study that took part."""
    disagreement: float = 1.0
    """How probable it is that studies differ as much as they do, if they have one effect in common."""

    @property
    def error(self) -> float:
        """The standard error."""
        return math.hypot(*(_length(one) for one in self.influence.values()))

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Where the truth is, with that probability."""
        from scipy import stats

        # With few rows the error itself is uncertain; the smallest study counts.
        width = float(stats.t.ppf((1 + level) / 2, max(min(self.rows.values()) - 2, 1))) * self.error
        return self.value - width, self.value + width

    def times(self, other: Estimate) -> Estimate:
        """The product, by the delta method."""
        return _combined(self.value * other.value, [(other.value, self), (self.value, other)])

    def scaled(self, factor: float) -> Estimate:
        """The estimate times a number."""
        return _combined(factor * self.value, [(factor, self)])

    def plus(self, other: Estimate) -> Estimate:
        """The sum."""
        return _combined(self.value + other.value, [(1.0, self), (1.0, other)])


def _length(vector: Floats) -> float:
    """The Euclidean length, also where squares are too large or too small for a computer."""
    largest = float(np.abs(vector).max(initial=0.0))
    return largest * float(np.linalg.norm(vector / largest)) if 0 < largest < math.inf else largest


def _combined(value: float, parts: Sequence[tuple[float, Estimate]], wider: float = 1.0) -> Estimate:
    """An estimate that moves with others, each by a factor; its error may be made wider."""
    influence: dict[str, Floats] = {}
    rows: dict[str, int] = {}
    for factor, part in parts:
        for study, moved in part.influence.items():
            influence[study] = influence.get(study, 0.0) + wider * factor * moved
            rows[study] = max(rows.get(study, 0), part.rows[study])
    return Estimate(value, influence, rows, min(part.disagreement for _, part in parts))


def pooled(estimates: Sequence[Estimate]) -> Estimate:
    """Several estimates of one effect as one, the more precise with the larger weight.

    Where they disagree, there is more between them than their errors. The error is then made as many times larger as it
    takes for them to differ no more than usual (the ratio of Birge).

    >>> half = Estimate(1.0, {"a": np.array([1.0])}, {"a": 50}), Estimate(3.0, {"b": np.array([1.0])}, {"b": 50})
    >>> round(pooled(half).value, 3), round(pooled(half).error, 3)
    (2.0, 0.707)
    """
    if len(estimates) == 1:
        return estimates[0]
    from scipy import stats

    errors = np.array([one.error for one in estimates])
    precision = (errors.min() / errors) ** 2
    share = precision / precision.sum()
    value = float(sum(part * one.value for part, one in zip(share, estimates, strict=True)))
    found = _combined(value, [(float(part), one) for part, one in zip(share, estimates, strict=True)])
    spread = sum(((one.value - value) / error) ** 2 for error, one in zip(errors, estimates, strict=True))
    apart = float(stats.chi2.sf(spread, len(estimates) - 1))
    if apart < DISAGREE:
        found = _combined(value, [(1.0, found)], math.sqrt(spread / (len(estimates) - 1)))
    return Estimate(found.value, found.influence, found.rows, min(found.disagreement, apart))


# -- what an identification comes to -----------------------------------------------------------------------------------


class Estimator:
    """Effects from tables; each regression is made once.

    Parameters
    ----------
    studies
        The tables, by name.
    form
        How an exposure acts: in a straight line, or by a spline. What is composed is always linear; in the spline form
        it is counted from the lower to the upper quartile, too.
    """

    def __init__(self, studies: Mapping[str, Study], form: Form = "linear") -> None:
        self._studies = studies
        self._form = form
        self._made: dict[tuple[Leg, Form], tuple[Estimate, ...]] = {}

    def effect(self, how: Identified) -> Estimate:
        """The effect of one exposure."""
        if isinstance(how, Adjusted):
            return self._jointly(how, self._form)[0]
        found = self._composed(how)
        return found if self._form == "linear" else found.scaled(self._step(how))

    def _step(self, how: Composed) -> float:
        """How far the quartiles of the cause are apart, where what it does is estimated; 1 if it has levels."""
        cause = exposure_of(how)
        studies = sorted({leg.study for leg in self.legs(how) if cause in leg.exposures})
        columns = [self._studies[name].column(cause) for name in studies]
        if any(column.levels for column in columns):
            return 1.0
        low, high = np.quantile(np.concatenate([one.values[one.present] for one in columns]), [0.25, 0.75])
        if low == high:
            raise _cannot(self._studies[studies[0]], _same_quartiles(cause), _LINEAR)
        return float(high - low)

    def _composed(self, how: Composed) -> Estimate:
        last = self._jointly(how.second, "linear")
        parts = (b if a is None else self._linear(a).times(b) for a, b in zip(how.first, last, strict=True))
        return reduce(Estimate.plus, parts)

    def _linear(self, how: Identified) -> Estimate:
        return self._jointly(how, "linear")[0] if isinstance(how, Adjusted) else self._composed(how)

    def _jointly(self, how: Adjusted, form: Form) -> tuple[Estimate, ...]:
        """The joint effects of the exposures, each pooled over the studies that can tell; others are left out."""
        made = [self._regression(leg, form) for leg in self._that_tell(how, form)]
        return tuple(pooled(one) for one in zip(*made, strict=True))

    def legs(self, how: Identified) -> Iterator[Leg]:
        """The regressions that an effect is estimated by."""
        if isinstance(how, Adjusted):
            yield from self._that_tell(how, self._form)
            return
        for one in (*how.first, how.second):
            if one is not None:
                yield from self._that_tell(one, "linear") if isinstance(one, Adjusted) else self.legs(one)

    def _that_tell(self, how: Adjusted, form: Form) -> list[Leg]:
        """The regressions that can be made; where the exposures were set by lot in some studies, those of them alone.

        An experiment shows the effect whatever the structure is, so nothing that rests on a structure is mixed with it.
        """
        able, refusals = [], []
        for leg in how.legs:
            try:
                self._regression(leg, form)
                able.append(leg)
            except EffectError as error:
                refusals.append(error)
        if not able:
            raise refusals[0]
        return [leg for leg in able if leg.by_lot] or able

    def _regression(self, leg: Leg, form: Form) -> tuple[Estimate, ...]:
        if (leg, form) not in self._made:
            self._made[leg, form] = regression(self._studies[leg.study], leg, form)
        return self._made[leg, form]


# -- one regression ----------------------------------------------------------------------------------------------------


def regression(study: Study, leg: Leg, form: Form = "linear") -> tuple[Estimate, ...]:
    """The effects of the exposures, by least squares in one study.

    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=500)
    >>> study = Study.of({"x": x, "y": 2 * x + rng.normal(size=500)}, "a")
    >>> round(regression(study, Leg("a", ("x",), "y", ()))[0].value, 1)
    2.0
    """
    columns = [study.column(name) for name in (*leg.exposures, leg.outcome, *leg.given)]
    there = np.logical_and.reduce([column.present for column in columns])
    rows = int(there.sum())
    _check_size(rows, 1 + len(columns), leg, study)
    single = {name: _measured(study.column(name), there, study) for name in (*leg.exposures, leg.outcome)}
    design, contrasts = _design([(study.column(name), single[name]) for name in leg.exposures], form, study)
    covariates = [part for name in leg.given for part in _covariate(study.column(name), there, form, study)]
    matrix = np.column_stack([np.ones(rows), *design, *covariates])
    _check_size(rows, matrix.shape[1], leg, study)
    _check_told_apart(matrix, len(design), leg, study)
    y = single[leg.outcome]
    coefficients, moved, left_over = _least_squares(matrix, y.standard)
    if left_over < _DETERMINED:
        others = ", ".join((*leg.exposures, *leg.given))
        raise _cannot(study, f"{leg.outcome} follows from {others} without any error, as a copy of a column would")
    wanted = np.zeros((len(contrasts), matrix.shape[1]))
    wanted[:, 1 : 1 + len(design)] = contrasts
    with np.errstate(over="ignore"):
        effects = (wanted @ coefficients) * y.unit
        influences = np.zeros((study.rows, len(contrasts)))
        influences[there] = moved @ wanted.T * y.unit
    if not (np.isfinite(effects).all() and np.isfinite(influences).all()):
        raise _cannot(study, f"the numbers of {', '.join(leg.exposures)} and {leg.outcome} are too large or too small")
    return tuple(
        Estimate(float(value), {study.name: influences[:, place]}, {study.name: rows})
        for place, value in enumerate(effects)
    )


def _cannot(study: Study, why: str, remedy: str = "gather other data") -> EffectError:
    return EffectError(f"study {study.name!r}: {why}", remedy)


def _same_quartiles(name: str) -> str:
    return f"the lower and the upper quartile of {name} are the same"


@dataclass(frozen=True)
class _Measured:
    """A column with mean 0 and standard deviation 1, so that neither its unit nor where it begins matters."""

    standard: Floats
    unit: float
    """What 1 stands for."""


def _standardised(values: Floats, name: str, study: Study, *, levels: bool) -> _Measured:
    """Refused where rounding, or a single row, would decide what is found."""
    size = float(np.abs(values).max())
    usable = _SMALLEST < size < _LARGEST
    scaled = values / size if usable else np.zeros(1)
    centred = scaled - scaled.mean()
    spread = float(centred.std())
    if spread <= _ROUNDING:
        why = f"{name} has numbers too large or too small, or varies too little beside their size"
        raise _cannot(study, why, "give it in another unit, or counted from another zero")
    found = _Measured(centred / spread, spread * size)
    if not levels and float((found.standard**2).max()) > _ONE_ROW * len(values):
        raise _cannot(study, f"a single row makes up nearly all that varies in {name}", "look at its value there")
    return found


def _measured(column: Column, there: NDArray[np.bool_], study: Study) -> _Measured:
    """An exposure or the outcome; refused where no number would have a meaning."""
    values, name = _numbers(column, study.name)[there], column.name
    others = int(len(values) - np.unique(values, return_counts=True)[1].max())
    if not others:
        raise _cannot(study, f"{name} is constant in the {len(values):,} rows that have all values")
    if others < _SPARE_ROWS:
        same = f"{name} is the same in all but {others} of {len(values):,} rows"
        raise _cannot(study, f"{same}, too few for a regression")
    return _standardised(values, name, study, levels=bool(column.levels))


def _check_size(rows: int, columns: int, leg: Leg, study: Study) -> None:
    if rows < columns + _SPARE_ROWS:
        names = ", ".join((*leg.exposures, leg.outcome, *leg.given))
        raise _cannot(study, f"only {rows} rows have values of {names}, too few for a regression")


def _check_told_apart(matrix: Floats, exposures: int, leg: Leg, study: Study) -> None:
    """Refuse an exposure that is a linear function of the others."""
    for place in range(1, 1 + exposures):
        column = matrix[:, place]
        others = np.delete(matrix, place, axis=1)
        rest = column - others @ np.linalg.lstsq(others, column, rcond=None)[0]
        if np.linalg.norm(rest) < _COLLINEAR * np.linalg.norm(column - column.mean()):
            exposure = leg.exposures[min(place, len(leg.exposures)) - 1]
            rivals = ", ".join(sorted({*leg.exposures, *leg.given} - {exposure}))
            if not rivals:
                raise _cannot(study, f"{exposure} has too few different values for a curve", _LINEAR)
            raise _cannot(study, f"{exposure} cannot be told from {rivals}: they are collinear")


def _least_squares(matrix: Floats, y: Floats) -> tuple[Floats, Floats, float]:
    """The coefficients, how much each row moved them, and the share of y that is left over."""
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    kept = sizes > sizes[0] * 1e-10
    left, inverse = left[:, kept], right[kept].T / sizes[kept]
    coefficients = inverse @ (left.T @ y)
    residual = y - left @ (left.T @ y)
    leverage = np.minimum((left**2).sum(axis=1), 1 - 1e-9)
    moved = (left * (residual / (1 - leverage))[:, None]) @ inverse.T
    return coefficients, moved, float(np.linalg.norm(residual) / np.linalg.norm(y))


def _numbers(column: Column, study: str) -> Floats:
    """A column that has one effect as numbers."""
    if column.kind is Kind.CATEGORICAL and len(column.levels) > 2:
        raise EffectError(
            f"study {study!r}: {column.name} has {len(column.levels)} levels without an order, so that no single "
            "number says its effect",
            f"give their order to weft discover, as in --kind {column.name}=low<middle<high",
        )
    if column.kind is Kind.BINARY:
        return column.values
    numbers = column.numbers()
    return column.values if numbers is None else numbers


def reaching(study: Study, name: str, level: str) -> Study:
    """The study in which a column with levels in an order says only whether it reaches one of them.

    >>> study = Study.of({"pain": list("0123") * 25, "x": range(100)}, "a", {"pain": ["0", "1", "2", "3"]})
    >>> reaching(study, "pain", "2").column("pain").values[:4].tolist()
    [0.0, 0.0, 1.0, 1.0]
    """
    if name not in study.variables:
        return study
    column = study.column(name)
    if column.kind is not Kind.ORDINAL:
        raise EffectError(f"study {study.name!r}: {name} has no levels in an order, so that there is none to reach")
    if level not in column.levels[1:]:
        known = ", ".join(column.levels[1:])
        raise EffectError(
            f"study {study.name!r}: {name} has no level {level!r} above its lowest; choose one of {known}"
        )
    reached = np.where(column.present, column.values >= column.levels.index(level), np.nan)
    own = Column(name, Kind.BINARY, reached, (f"below {level}", f"{AT_LEAST}{level}"))
    return Study(study.name, tuple(own if one.name == name else one for one in study.columns), study.source)


def _covariate(column: Column, there: NDArray[np.bool_], form: Form, study: Study) -> Iterable[Floats]:
    """The columns that stand for one that is held fixed; none if it is constant."""
    if column.kind is Kind.CATEGORICAL:
        values = column.values[there]
        return [(values == code).astype(float) for code in np.unique(values)[1:]]
    numbers = _numbers(column, study.name)[there]
    if np.ptp(numbers) == 0:
        return []
    values = _standardised(numbers, column.name, study, levels=bool(column.levels)).standard
    return _spline(values)(values) if form == "spline" and not column.levels else [values]


def _design(exposures: Sequence[tuple[Column, _Measured]], form: Form, study: Study) -> tuple[list[Floats], Floats]:
    """The columns of the exposures, and which combinations of their coefficients are the effects."""
    column, x = exposures[0]
    if form == "linear" or len(exposures) > 1 or column.levels:
        return [one.standard for _, one in exposures], np.diag([1 / one.unit for _, one in exposures])
    low, high = np.quantile(x.standard, [0.25, 0.75])
    if low == high:
        raise _cannot(study, _same_quartiles(column.name), _LINEAR)
    basis = _spline(x.standard)
    change = [
        float(above[0] - below[0]) for below, above in zip(basis(np.array([low])), basis(np.array([high])), strict=True)
    ]
    return list(basis(x.standard)), np.array([change])


def _spline(x: Floats) -> Callable[[Floats], list[Floats]]:
    """The basis of a natural cubic spline with knots at quantiles; a straight line where they coincide."""
    knots = np.unique(np.quantile(x, _KNOTS))
    if len(knots) < 3:
        return lambda values: [values]
    *inner, before, last = knots
    width = last - knots[0]

    def cubic(values: Floats, knot: float) -> Floats:
        return np.asarray((np.clip(values - knot, 0, None) ** 3 - np.clip(values - last, 0, None) ** 3) / (last - knot))

    def basis(values: Floats) -> list[Floats]:
        return [values, *((cubic(values, knot) - cubic(values, before)) / width**2 for knot in inner)]

    return basis


def check_form(form: str, known: Collection[str] = FORMS) -> None:
    """Refuse a form that is not known."""
    if form not in known:
        raise EffectError(f"form is {form!r}; choose one of {', '.join(known)}")
