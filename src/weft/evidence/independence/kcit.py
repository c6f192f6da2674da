"""The kernel test of conditional independence, fast and calibrated: the default for numbers.

The idea is that of KCIT (Zhang et al. 2011), and of HSIC (Gretton et al. 2008) when nothing is conditioned on: take
features of x and of y that are rich enough to tell any two distributions apart, remove from both what the given
columns z explain, and see whether anything of one is correlated with anything of the other. The statistic is |A'B|^2,
A and B the residual features. Where this test differs from the published one (which is ``kcit-exact``):

*Low rank.* Features come from pivoted incomplete Cholesky factors: O(rows rank^2) time, O(rows rank) memory. With many
rows the pivots come from a part of them.

*The regressions on z are chosen by the data*, separately for x and for y: width and ridge by leave-one-out error, the
most flexible choice within a standard error of the best. With a fixed width and ridge, whatever of z a regression
misses is dependence between the residuals, and false positives follow (three of four for x, y = sin(3z) + noise at 250
rows).

*Both sides see z*: the features are those of (x, z/2) and of (y, z/2), which makes the test symmetric, and powerful
against dependence whose sign changes with z.

*Normal scores.* Every column is replaced by the normal quantiles of its ranks. Independence given z is the same
question for increasing functions of the columns, and the answer no longer hangs on units or on a single far value.

*A line is looked for apart from all else.* A kernel spreads its attention over all shapes, and a weak linear relation
drowns in the noise of the others (a correlation of .038 at 5,000 rows: p = .42 by the kernel alone, .007 by
`fisher-z`). So three p-values are combined, each with a weight (Cauchy combination):

- ``linear``: that of the covariance of x and y themselves, or of what such regressions on z leave of them (the
  generalised covariance measure, GCM);
- ``nonlinear``: that of |A'B|^2 without the part of the products of features that goes with the products of those
  residuals. The line is the largest single part of the statistic and of its noise; without it other shapes are
  seen better, which makes up for the share of the level that the linear part takes;
- ``kernel``: that of |A'B|^2 as a whole, which is best at what is both.

A linear part in the kernel itself costs too much: what is added to one direction is noise for all the others. (Half
the linear kernel of x beside the Gaussian ones sees more lines still, and 27 of 100 squares instead of 67, 22 waves
instead of 58; these three p-values, 66 and 63.)
Where x and y have two values each, a line is all there is, and ``nonlinear`` is ``kernel``.

*What is plain is not worked out.* Each part by itself bounds the p-value from above: the line's, and the kernel's. If
such a bound is no larger than ``plain``, it is the answer, and the expensive rest is left: the null's moments, the
correction for the regressions, the part without the line. With columns given, what its own regression on them leaves
of x, and of y, is looked at first of all. A decision at any larger level is the same. Words tell such p-values as
"p < 1e-6". With 2,000 rows or fewer there is little to save, and every p-value is worked out.

*Tests given the same set share their work*: the order of the rows, the regressions on z, and for each variable its
features, residuals and the products of these that the null takes. With more than 2,000 rows large matrices are in
single precision, and sums in double.

Tried for speed, and not worth it: the diagonals of the correction for the regressions from some of the rows (p-values
change by up to .4 %, since rows far out have most of the leverage); candidates for a regression left out by their
errors in some of the rows (those that are too flexible are the expensive ones, and differ too little there); sums of
products of features in single precision (small differences of large numbers); smaller pieces that stay in the
processor's cache; the null of ``nonlinear`` from the 32 leading features of each side (p-values change by up to .7 %);
two products of the same pair as one; matrices row after row in memory (quicker only as long as they are in the cache).

*The null* of |A'B|^2 is a weighted chi-square by its first three moments (Hall-Buckley-Eagleson), those of random signs
of the rows, after division of the statistic by the degrees of freedom that the regressions used up.

Diagnostic
----------
``linear``, ``nonlinear``, ``kernel``
    The three p-values. The result's statistic is that of ``kernel``. Where a bound was enough, those that were not
    needed are missing; where ``linear`` alone was, the statistic is the squared sum of the products over the rows.
``gain_least``, ``gain_most``
    The share of the leave-one-out error of the features of x, y that the regression on z removed: the smaller and the
    larger one. Near 0: z explains nothing, *or* the relation to z is too hard for this many rows. The p-value cannot
    tell the two apart.
``freedom_most``
    The larger effective number of parameters of the two regressions.
``regression``
    "fine"; or "hard" if a regression went to the end of its range (more than a tenth of the rows as parameters): z may
    not be removed, and a small p-value is to be mistrusted. (The sine of a sum of three variables at 200 rows defeats
    every method.) "determined" if x or y is a function of z: nothing is left to depend on anything, and the p-value is
    1.
``rank``
    The larger number of features of x, y.

References
----------
Zhang, Peters, Janzing & Schölkopf, *Kernel-based conditional independence test and application in causal
discovery*, UAI 2011.

Gretton et al., *A kernel statistical test of independence*, NIPS 2008.

Shah & Peters, *The hardness of conditional independence testing and the generalised covariance measure*, Annals of
Statistics 48 (2020).

Liu & Xie, *Cauchy combination test: a powerful test with analytic p-value calculation under arbitrary dependency
structures*, Journal of the American Statistical Association 115 (2020).

Daudin, *Partial association measures and an application to qualitative regression*, Biometrika 67 (1980).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import islice
from typing import ClassVar, TypeAlias

import numpy as np

from weft.errors import StudyError
from weft.evidence.independence.kernels import (
    Curve,
    FloatArray,
    LowRank,
    Matrix,
    Outline,
    PowerSums,
    Products,
    ResidualErrors,
    Rows,
    Smoother,
    Trials,
    best_fit,
    canonical_rows,
    centred,
    combined,
    conditional_power_sums,
    conditional_without,
    covariance_tail,
    crossed,
    curve,
    halved_low_rank,
    incomplete_cholesky,
    independent_without,
    inflation,
    inflation_at_most,
    leading,
    low_rank,
    low_rank_smoothers,
    mean_loss,
    mean_smoother,
    outlined,
    paired_power_sums,
    products_of,
    reordered,
    residual_errors,
    scores_in_order,
    shared_power_sums,
    smoothers_again,
    smoothers_of,
    sums_below_zero,
    tried,
    turned,
    untied_order,
    upright,
)
from weft.evidence.independence.protocol import DegenerateError, Result
from weft.evidence.independence.recent import Recent, RecentOf
from weft.studies import Column, Kind
from weft.studies.checks import unexplained

_NOTHING = 1e-9
"""A share of a column's spread that is rounding."""

_SOME_ROWS = 100
"""So many rows mostly show that a column is no function of others."""

FEWEST_ROWS = 20
_WIDEST, _WIDTHS = math.sqrt(8), 5
"""The widest of the kernels for the regressions on one standardised column, and how many there are, each half as wide
as the one before; times the root of the number of columns for more."""
_RIDGES = tuple(10.0**power for power in range(-3, 2))
_GIVEN_TOLERANCE = 1e-4
_TARGETS = 15
"""Width and ridge are chosen for so many leading features; the others are mostly noise."""
_PRODUCTS = 250
"""How many products of features make up the second and third moments of the null distribution."""
_FEWER_PRODUCTS, _FEWER_FEATURES, _MANY_ROWS = 150, 100, 500
"""With more rows than this, fewer products and features are enough."""
_LEADING, _SHARED_ROWS = 12, 2000
"""With more rows than this, the products are those of so many leading features of each side, which tests share."""
_NEGLECTED = 5e-3
"""The shortest directions of the residuals with this share of the trace are left out."""
_AMONG = 400
"""Pivots are looked for among about so many rows."""
_GLANCE_ROWS, _GLANCE_LEAST = 800, 4
"""About so many rows are looked at first, if there are so many times as many."""
_UNEVEN = 0.25
"""They may be more or fewer by this share."""
_GLANCE_GIVEN, _GLANCE_ALWAYS = 2, 16
"""Given more columns, too few dependences are plain from a part of the rows; and what the pairs share, all rows of it,
is needed for one of them at least. With so many times as many rows a glance costs little beside that."""
_DETERMINED = 1 - 1e-5
"""A column whose features the regression explains to this share is a function of z: what is left is rounding."""
_ALL_LINEAR = 1e-3
"""Of the null's mean so much or less is left where x and y have two values each: their only relation is a line."""
_HARD = 0.1
"""The regressions count as hard beyond this many parameters for a row."""


Diagnostic: TypeAlias = dict[str, float | str]
Measured: TypeAlias = tuple[float, PowerSums]
"""A statistic and its null."""


@dataclass(frozen=True)
class Kcit:
    """The low-rank kernel test of conditional independence.

    Parameters
    ----------
    width, octaves
        The kernel for x and y is the mean of Gaussian kernels of the widths width, width / 2, ..., so many of them, in
        standard deviations (times the root of the number of given columns): the wide ones see trends, the narrow ones
        waves.
    rank
        The most features of one kernel (with more than 500 rows, 100 for x and y: the others change nothing).
    tolerance
        The share of a kernel's trace that its features may miss.
    slack
        How many standard errors above the least leave-one-out error a more flexible regression may be.
    glance
        With 3,200 rows or more and at most two given columns, or with 12,800 rows or more, about 800 rows are looked at
        first (every fourth, fifth, ... in the order of the given columns): with columns given, what its own regression
        on them leaves of x, and of y; else, and with 12,800 rows or more, the whole test. A p-value of those that is no
        larger than this is the answer: the dependence is plain, and more digits of its p-value are not worth the time.
        It adds no more than itself to the chance of a false positive; the result says how many rows were used. 0 for no
        such look.
    plain
        With more than 2,000 rows, a p-value of at most this is not worked out: as soon as one of its parts shows that
        it is no larger, a bound on it is the answer. 0 to work out every p-value.
    linear, whole
        The weights of the p-values ``linear`` and ``kernel`` (see the module); ``nonlinear`` has the rest. With 0 and 1
        it is the kernel statistic alone.

    >>> generator = np.random.default_rng(0)
    >>> z, e, f = generator.standard_normal((3, 300))
    >>> x, y, given = (Column(n, Kind.CONTINUOUS, v) for n, v in [("x", z + e), ("y", np.sin(z) + f), ("z", z)])
    >>> Kcit().test(x, y).p_value < 0.05 < Kcit().test(x, y, [given]).p_value
    True
    """

    name: ClassVar[str] = "kcit"
    width: float = 2.0
    octaves: int = 3
    rank: int = 150
    tolerance: float = 1e-3
    slack: float = 1.0
    glance: float = 1e-6
    plain: float = 1e-12
    linear: float = 0.4
    whole: float = 0.2

    def __post_init__(self) -> None:
        if not (self.linear >= 0 and self.whole >= 0 and self.linear + self.whole <= 1):
            raise StudyError("kcit: the weights linear and whole must not be negative, and at most 1 together")

    @property
    def settings(self) -> Mapping[str, float | int | str]:
        """The parameters."""
        return {
            "width": self.width,
            "octaves": self.octaves,
            "rank": self.rank,
            "tolerance": self.tolerance,
            "slack": self.slack,
            "glance": self.glance,
            "plain": self.plain,
            "linear": self.linear,
            "whole": self.whole,
        }

    def rank_with(self, rows: int) -> int:
        """The most features of a side with so many rows."""
        return min(self.rank, _FEWER_FEATURES) if rows > _MANY_ROWS else self.rank

    def refusal(self, x: Column, y: Column, given: Sequence[Column]) -> str | None:
        """One sentence if a column is categorical."""
        return refuse_categorical(self.name, (x, y, *given))

    def test(self, x: Column, y: Column, given: Sequence[Column] = ()) -> Result:
        """Test whether x and y are independent given the columns."""
        check_columns(self.name, (x, y, *given))
        return replace(self._tested(x, y, given), undecided=no_freedom(x, y, given))

    def _tested(self, x: Column, y: Column, given: Sequence[Column]) -> Result:
        question = _question(x, y, given)
        return self._glanced_at(question) or self._answer(question)

    def _glanced_at(self, question: Question) -> Result | None:
        """The answer where a part of the rows makes the dependence plain."""
        step, given = question.rows // _GLANCE_ROWS, len(question.z)
        if self.glance <= 0 or step < (_GLANCE_LEAST if given <= _GLANCE_GIVEN else _GLANCE_ALWAYS):
            return None
        part = question.part(step)
        if given and (line := self._plain_line(part, self.glance)) is not None:
            return line
        if given and step < _GLANCE_ALWAYS:
            return None
        whole = self._answer(part)
        return whole if whole.p_value <= self.glance else None

    def _answer(self, question: Question) -> Result:
        if not question.z:
            return self._marginal(question)
        if question.rows > _SHARED_ROWS and (line := self._plain_line(question, self.plain)) is not None:
            return line
        place = question.place
        one, other = (_side(self, place.sorted(side), place.z) for side in (question.x, question.y))
        rows = place.beside(question.x, question.y) if place.tied else None
        return self._conditional(one, other, rows)

    def _marginal(self, question: Question) -> Result:
        """HSIC; its null needs traces only, so that the features need not be turned."""
        rows = _canonical_pair(question.x, question.y)
        x, y = question.x[rows], question.y[rows]
        count = len(x)
        linear = covariance_tail(x - x.mean(), y - y.mean(), count / (count - 1))
        if self._is_plain(bound := self._bound(linear), count):
            return Result(_squared_sum(x, y), bound, count, {"linear": linear})
        places = _places(question.y, rows)
        ordered = np.empty_like(y)
        ordered[places] = y
        one, other = _curve(self, x.tobytes()), _curve(self, ordered.tobytes()).in_order(places)
        cross = one.features.T @ other.features
        null = paired_power_sums(one.sums, other.sums, count)
        whole, rest = (float(np.sum(cross**2)), null), independent_without(one, other, cross, null)
        diagnostic: Diagnostic = {"rank": float(max(cross.shape))}
        return self._result(whole, rest, linear, count, diagnostic)

    def _plain_line(self, question: Question, level: float) -> Result | None:
        """The answer where a line is plain in what its own regression on z leaves of x, and of y.

        (That with most parameters need not leave least of z: it may describe a smooth function worse.)
        """
        if level <= 0:
            return None
        place = question.place
        sides = place.sorted(question.x), place.sorted(question.y, after=question.x)
        (one, free), (other, freer) = (_line(self, side, place.z) for side in sides)
        if min(one @ one, other @ other) <= (1 - _DETERMINED) * question.rows:  # scores have variance 1
            return None
        linear = covariance_tail(one, other, question.rows / (question.rows - 1 - min(free, freer)))
        if (bound := self._bound(linear)) > level:
            return None
        diagnostic: Diagnostic = {"freedom_most": max(free, freer), "regression": "fine", "linear": linear}
        return Result(_squared_sum(one, other), bound, question.rows, diagnostic)

    def _bound(self, linear: float, kernel: float = 1.0) -> float:
        """What the p-value is at most, whatever the parts are that are not known yet; it increases with each."""
        return combined((linear, self.linear), (1.0, 1 - self.linear - self.whole), (kernel, self.whole))

    def _is_plain(self, bound: float, rows: int) -> bool:
        return rows > _SHARED_ROWS and bound <= self.plain

    def _result(self, whole: Measured, rest: Measured, linear: float, rows: int, diagnostic: Diagnostic) -> Result:
        """The p-values of all of the statistic, of what is left of it without the line, and of the line, together."""
        statistic, null = whole
        kernel = _tail(*whole)
        nonlinear = _tail(*rest) if rest[1].first > _ALL_LINEAR * null.first else kernel
        p_value = combined((linear, self.linear), (nonlinear, 1 - self.linear - self.whole), (kernel, self.whole))
        each: Diagnostic = {"linear": linear, "nonlinear": nonlinear, "kernel": kernel}
        return Result(statistic / rows, p_value, rows, {**diagnostic, **each})

    def _conditional(self, one: Side, other: Side, order: Rows | None) -> Result:
        """KCIT; ``order`` has the rows of the other side in the order of the one, if that is not the same."""
        rows, freedom = len(one.line), max(one.smoother.freedom, other.smoother.freedom)
        diagnostic: Diagnostic = {
            "gain_least": min(one.gain, other.gain),
            "gain_most": max(one.gain, other.gain),
            "freedom_most": freedom,
            "regression": "hard" if freedom > _HARD * rows else "fine",
        }
        if max(one.gain, other.gain) > _DETERMINED:
            nothing: Diagnostic = {"regression": "determined", "linear": 1.0, "nonlinear": 1.0, "kernel": 1.0}
            return Result(0.0, 1.0, rows, {**diagnostic, **nothing})
        line = other.line if order is None else other.line[order]
        linear = covariance_tail(one.line, line, rows / (rows - 1 - min(one.line_freedom, other.line_freedom)))
        if self._is_plain(bound := self._bound(linear), rows):
            return Result(_squared_sum(one.line, line), bound, rows, {**diagnostic, "linear": linear})
        left, right = one.rest, other.rest if order is None else other.rest.in_order(order)
        diagnostic["rank"] = float(max(left.residuals.shape[1], right.residuals.shape[1]))
        cross = crossed(left.residuals, right.residuals)
        statistic, null = float(np.sum(cross**2)), _null(left, right)
        inflated, exact = inflation_at_most(left.errors, right.errors)
        at_least = statistic / max(inflated, 1.0)
        kernel = _tail(at_least, null)
        if self._is_plain(bound := self._bound(linear, kernel), rows):
            return Result(at_least / rows, bound, rows, {**diagnostic, "linear": linear, "kernel": kernel})
        inflated = max(inflated if exact else inflation(left.errors, right.errors), 1.0)
        less, less_null = conditional_without(
            one.line * line, left.residuals, right.residuals, cross, left.own * right.own, null
        )
        return self._result((statistic / inflated, null), (less / inflated, less_null), linear, rows, diagnostic)


@dataclass(frozen=True, eq=False)
class Side:
    """What is known of x given z: the regression on z that suits its features, and what is left of x itself."""

    features: LowRank
    """Those of (x, z/2)."""
    gram: FloatArray
    smoother: Smoother
    gain: float
    line: FloatArray
    """What is left of x itself."""
    line_freedom: float
    """The effective number of parameters of that regression."""

    @cached_property
    def rest(self) -> Rest:
        """What is left of the features: R = F - U S U'F. It is made when it is needed first.

        Of R only the directions that matter are formed. They follow from R'R, and that from F'F and U'F.
        """
        smoother, features = self.smoother, self.features
        explained = features.along(smoother.basis)
        shrunk = smoother.shrinkage[:, None] * explained
        left = self.gram - explained.T @ ((2 - smoother.shrinkage)[:, None] * shrunk)
        directions = leading(left, share=1 - _NEGLECTED)
        residuals = features.turned(directions)
        residuals -= turned(smoother.basis, shrunk @ directions)
        products = products_of(residuals, _LEADING if len(residuals) > _SHARED_ROWS else 0)
        return Rest(residuals, products, residual_errors(smoother, products.own / (1 - smoother.leverage)))


@dataclass(frozen=True, eq=False)
class Rest:
    """What the regression on z leaves of the features of (x, z/2).

    The variance of each row's error is its squared residual, made up for what the regression took.
    """

    residuals: Matrix
    products: Products
    errors: ResidualErrors

    @property
    def own(self) -> FloatArray:
        """The squared length of each row."""
        return self.products.own

    def in_order(self, rows: Rows) -> Rest:
        """The rows in another order, if only rows with equal z change places."""
        return Rest(reordered(self.residuals, rows), self.products.in_order(rows), self.errors.in_order(rows))


def _null(one: Rest, other: Rest) -> PowerSums:
    rows = len(one.residuals)
    if rows > _SHARED_ROWS:
        return shared_power_sums(one.products, other.products)
    return conditional_power_sums(
        np.asarray(one.residuals), np.asarray(other.residuals), _PRODUCTS if rows <= _MANY_ROWS else _FEWER_PRODUCTS
    )


@dataclass(frozen=True, eq=False)
class Place:
    """The given columns, rows sorted by their content; the same for all pairs."""

    order: Rows
    group: Rows
    """For each row in that order, the number of its value of z: rows with equal z are a group."""
    z: bytes
    """The columns, rows in that order."""
    parts: dict[int, Rows | None] = field(default_factory=dict)
    """What `part` found before."""

    @property
    def tied(self) -> bool:
        """Whether rows have equal z."""
        return bool(self.group[-1] < len(self.group) - 1)

    @cached_property
    def ties(self) -> Rows:
        """The places in that order of the rows that share their z with others. Only these change places."""
        again = self.group[1:] == self.group[:-1]
        return np.flatnonzero(np.concatenate([again, [False]]) | np.concatenate([[False], again]))

    def sorted(self, side: FloatArray, after: FloatArray | None = None) -> bytes:
        """A side in its own order, whatever it is tested with; or rows with equal z in the order of another before."""
        if after is None or not self.tied:
            return _SORTED.get((self, side), lambda: side[self.order_with(side)].tobytes())
        return side[self.order_with(after, side)].tobytes()

    def order_with(self, *sides: FloatArray) -> Rows:
        """The rows sorted by z, then by sides; by one: the side's own order, whatever it is tested with."""
        order = self.order.copy()
        tied = self.order[self.ties]
        order[self.ties] = tied[np.lexsort((*(side[tied] for side in reversed(sides)), self.group[self.ties]))]
        return order

    def beside(self, x: FloatArray, y: FloatArray) -> Rows:
        """For each row in the order of z, then x, then y, its place in y's own order; in x's own it is where it is."""
        tied, group = self.order[self.ties], self.group[self.ties]
        together = np.lexsort((y[tied], x[tied], group))
        places = np.arange(len(self.order))
        places[self.ties[np.lexsort((y[tied][together], group))]] = self.ties
        return places

    def part(self, step: int) -> Rows | None:
        """Every so manieth group, from the first, second, ... on; None if groups are too large for a fair part."""
        if step not in self.parts:
            start = self.group % step
            excess = np.abs(np.bincount(start, minlength=step) * step / len(start) - 1)
            self.parts[step] = self.order[start == excess.argmin()] if excess.min() <= _UNEVEN else None
        return self.parts[step]


@dataclass(frozen=True, eq=False)
class Question:
    """The scores of x, y and of the given columns, with signs that follow from their content; rows in any order.

    Rounding depends on the order of operations, and the low-rank features on which row comes first. With signs, and
    then rows in an order, that follow from the content, the same question has the same answer whichever way round it
    is asked. As far as possible those of the given columns follow from these alone, and those of a side from it and
    the given, so that they are the same for all pairs.
    """

    x: FloatArray
    y: FloatArray
    z: tuple[FloatArray, ...]

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.x)

    @property
    def place(self) -> Place:
        """The given columns, sorted."""
        return _PLACES.get(self.z, lambda: _new_place(self.z))

    def part(self, step: int) -> Question:
        """One in so many of the rows.

        Where possible all or none of those with equal z, so that they are the same for all pairs.
        """
        columns = (self.x, self.y, *self.z)
        if self.z and (rows := self.place.part(step)) is not None:
            x, y, *z = (_PARTS.get((column, rows), partial(_rows_of, column, rows)) for column in columns)
        else:
            rows = canonical_rows([*self.z, self.x, self.y])[::step]
            x, y, *z = (column[rows] for column in columns)
        return Question(x, y, tuple(z))


def _rows_of(column: FloatArray, rows: Rows) -> FloatArray:
    return column[rows]


def _question(x: Column, y: Column, given: Sequence[Column]) -> Question:
    pair, rest = (sorted(columns, key=lambda column: column.name) for columns in ((x, y), given))
    sides, z = ([scores_of(column.values) for column in columns] for columns in (pair, rest))
    if not z:
        one, other = (
            side if turned is side else _mirrored(side) for side, turned in zip(sides, upright(sides), strict=True)
        )
        return Question(one, other, ())
    upright_z = _upright_given(z) if len(z) > 1 else _upright_alone(z[0], sides)
    one, other = (_upright_side(side, upright_z) for side in sides)
    return Question(one, other, upright_z)


# Tests given the same set come together (weft.evidence.skeleton) and share most of their work: the regressions on z,
# and each variable's side. Scores are known by what is in a column, and of a question's columns the same scores, signs
# and orders of rows are the same arrays, which can be looked up without a look at what is in them. What takes long is
# known by its content again, as bytes: it may have been made for others.


def scores_of(values: FloatArray) -> FloatArray:
    """The normal scores of a column, which are kept."""
    return _OWN_SCORES.get((values,), lambda: _SCORES.get(values.tobytes(), lambda: _new_scores(values)))


def _new_scores(values: FloatArray) -> FloatArray:
    scores, order = scores_in_order(values)
    _ORDERS.get((scores,), lambda: order)
    return scores


def _order(scores: FloatArray) -> Rows | None:
    """The rows in the order of a column's scores; None if some are equal."""
    return _ORDERS.get((scores,), lambda: untied_order(scores))


def _mirrored(scores: FloatArray) -> FloatArray:
    return _MIRRORED.get((scores,), partial(_new_mirrored, scores))


def _new_mirrored(scores: FloatArray) -> FloatArray:
    mirrored, order = -scores, _order(scores)
    _ORDERS.get((mirrored,), lambda: None if order is None else order[::-1])
    return mirrored


def _canonical_pair(x: FloatArray, y: FloatArray) -> Rows:
    """`canonical_rows` of a pair."""
    order = _order(x)
    return order if order is not None else np.lexsort((y, x))


def _places(scores: FloatArray, rows: Rows) -> Rows:
    """Where in the order of a column's scores each of these rows is; of equal ones the first comes first."""
    order, places = _order(scores), np.empty_like(rows)
    if order is not None:
        places[order] = np.arange(len(rows))
        return places[rows]
    places[np.argsort(scores[rows], kind="stable")] = np.arange(len(rows))
    return places


def _upright_given(z: Sequence[FloatArray]) -> tuple[FloatArray, ...]:
    return _GIVEN.get(tuple(z), lambda: tuple(upright(z)))


def _upright_alone(z: FloatArray, sides: Sequence[FloatArray]) -> tuple[FloatArray]:
    """A single given column with the sign that follows from the sides."""
    upside_down = sums_below_zero(z * sum(side * side for side in sides))
    return (_mirrored(z) if upside_down else z,)


def _upright_side(side: FloatArray, z: Sequence[FloatArray]) -> FloatArray:
    """The side with the sign that makes the sum of side * (squares of z) positive."""
    return _UPRIGHT.get((side, *z), partial(_turned_upright, side, z))


def _turned_upright(side: FloatArray, z: Sequence[FloatArray]) -> FloatArray:
    return -side if sums_below_zero(side * sum(column * column for column in z)) else side


def _new_place(z: Sequence[FloatArray]) -> Place:
    order = canonical_rows(z)
    points = np.column_stack(z)[order]
    changes = np.any(points[1:] != points[:-1], axis=1)
    return Place(order, np.concatenate([[0], np.cumsum(changes)]), points.tobytes())


def _side(test: Kcit, x: bytes, z: bytes) -> Side:
    return _SIDES.get((test, x, z), lambda: _new_side(test, x, z))


def _new_side(test: Kcit, x: bytes, z: bytes) -> Side:
    """The regression is chosen for the leading features, and applied to all."""
    given = np.frombuffer(z).reshape(len(x) // 8, -1)
    points = np.column_stack([np.frombuffer(x), given / 2])
    width, rank = test.width * math.sqrt(given.shape[1]), test.rank_with(len(points))
    features = low_rank(points, width, rank, test.tolerance, test.octaves, _AMONG)
    gram = features.gram()
    targets = features.turned(leading(gram, most=_TARGETS))
    smoothers = _smoothers(test.rank, z, len(points))
    smoother, loss = best_fit(targets, smoothers, test.slack)
    gain = 1.0 - loss / mean_loss(targets)
    itself = centred(points[:, :1])
    line = _line_smoother(test, itself, smoother, smoothers, x, z)
    left = line.residuals(itself)[:, 0].astype(np.float64)
    return Side(features, gram, smoother, gain, left, line.freedom)


def _line(test: Kcit, x: bytes, z: bytes) -> tuple[FloatArray, float]:
    """What its own regression on z leaves of a column itself, and the effective number of parameters of that."""
    return _LINES.get((test, x, z), lambda: _new_line(test, x, z))


def _new_line(test: Kcit, x: bytes, z: bytes) -> tuple[FloatArray, float]:
    itself = centred(np.frombuffer(x)[:, None])
    smoothers = _smoothers(test.rank, z, len(itself))
    line = _line_smoother(test, itself, smoothers[0], smoothers, x, z)
    return line.residuals(itself)[:, 0].astype(np.float64), line.freedom


def _curve(test: Kcit, values: bytes) -> Curve:
    """A column by itself, in its own order. Without ties the scores of all columns are the same, and so is this."""
    return _CURVES.get((test, values), lambda: _new_curve(test, np.frombuffer(values)))


def _new_curve(test: Kcit, values: FloatArray) -> Curve:
    features = incomplete_cholesky(values[:, None], test.width, test.rank, test.tolerance, test.octaves)
    return curve(values - values.mean(), centred(features))


def _line_smoother(
    test: Kcit, itself: FloatArray, smoother: Smoother, smoothers: Sequence[Smoother], x: bytes, z: bytes
) -> Smoother:
    """The regression of a column itself: that of its features, or its own choice among the more flexible ones.

    What a regression misses is dependence between the residuals, and of a step, say, more is missed than of its
    features. If the narrowest kernel of all is chosen, a narrower one is tried as well.
    """
    trials = _TRIALS.get((test.rank, x, z), lambda: tried(itself, smoothers))
    among = [k for k, one in enumerate(smoothers) if one is smoother or one.freedom > smoother.freedom]
    line = smoothers[trials.best(test.slack, among)]
    if line.basis is not smoothers[-1].basis or len(smoothers) <= _WIDTHS * len(_RIDGES):
        return line
    narrow = _NARROW.get(
        (test.rank, z, len(itself)), lambda: _narrow_smoothers(test.rank, np.frombuffer(z).reshape(len(itself), -1))
    )
    return best_fit(itself, [line, *(one for one in narrow if one.freedom > line.freedom)], test.slack)[0]


def _smoothers(rank: int, z: bytes, rows: int) -> list[Smoother]:
    return _SMOOTHERS.get((rank, z, rows), lambda: _new_smoothers(rank, np.frombuffer(z).reshape(rows, -1)))


def _new_smoothers(rank: int, z: FloatArray) -> list[Smoother]:
    """The candidates for the regressions on z, from wide kernels to narrow ones as far as the rank allows.

    A search comes back to a set when others have come between. With many rows the outline of its regressions is still
    there then: a hundredth of their size, and more than half of the work.
    """
    key = rank, hashlib.blake2b(z.tobytes(), digest_size=16).digest(), len(z)
    widest = _WIDEST * math.sqrt(z.shape[1])
    known = _OUTLINES.find(key)
    if known is not None:
        return [mean_smoother(len(z)), *smoothers_again(z, widest, known, _RIDGES)]
    smoothers, outlines = [mean_smoother(len(z))], []
    for features in islice(halved_low_rank(z, widest, rank, _GIVEN_TOLERANCE, _AMONG), _WIDTHS):
        outlines.append(outlined(features))
        smoothers += smoothers_of(features, outlines[-1], _RIDGES)
        if features.rank >= rank:
            break  # a narrower kernel would be described worse still
    if len(z) > _SHARED_ROWS:
        _OUTLINES.keep(key, tuple(outlines))
    return smoothers


def _narrow_smoothers(rank: int, z: FloatArray) -> list[Smoother]:
    """Those of a kernel half as wide as the narrowest one."""
    width = _WIDEST / 2**_WIDTHS * math.sqrt(z.shape[1])
    return low_rank_smoothers(low_rank(z, width, rank, _GIVEN_TOLERANCE, among=_AMONG), _RIDGES)


def _bytes_of_array(array: FloatArray) -> int:
    return int(array.nbytes)


def _bytes_of_side(side: Side) -> int:
    """What is made later (`Side.rest`) counts as large as what is there already. The basis is shared."""
    return int(2 * side.features.columns.nbytes + side.line.nbytes + side.gram.nbytes)


def _bytes_of_curve(one: Curve) -> int:
    return int(one.features.nbytes + 3 * one.unit.nbytes)


def _bytes_of_smoothers(smoothers: list[Smoother]) -> int:
    return sum(basis.nbytes for basis in {id(one.basis): one.basis for one in smoothers}.values())


def _bytes_of_place(place: Place) -> int:
    return int(place.order.nbytes + place.group.nbytes + 2 * len(place.z))  # the key is as large as z


_SCORES: Recent[bytes, FloatArray] = Recent(5_000_000, _bytes_of_array)
_OWN_SCORES: RecentOf[FloatArray] = RecentOf(5_000_000, _bytes_of_array)
_ORDERS: RecentOf[Rows | None] = RecentOf(5_000_000, lambda order: 1 if order is None else int(order.nbytes))
_MIRRORED: RecentOf[FloatArray] = RecentOf(2_000_000, _bytes_of_array)
_UPRIGHT: RecentOf[FloatArray] = RecentOf(2_000_000, _bytes_of_array)
_SORTED: RecentOf[bytes] = RecentOf(5_000_000, len)
_PARTS: RecentOf[FloatArray] = RecentOf(1_000_000, _bytes_of_array)
_GIVEN: RecentOf[tuple[FloatArray, ...]] = RecentOf(5_000_000, lambda z: sum(map(_bytes_of_array, z)))
_PLACES: RecentOf[Place] = RecentOf(10_000_000, _bytes_of_place)
_SIDES: Recent[tuple[Kcit, bytes, bytes], Side] = Recent(140_000_000, _bytes_of_side)  # 8 of 20,000 rows
_LINES: Recent[tuple[Kcit, bytes, bytes], tuple[FloatArray, float]] = Recent(20_000_000, lambda one: int(one[0].nbytes))
_TRIALS: Recent[tuple[int, bytes, bytes], Trials] = Recent(2_000_000, lambda trials: int(trials.products.nbytes))
_FUNCTIONS: Recent[tuple[bytes, bytes], bool] = Recent(64, lambda _: 1)
_DETERMINED_BY: RecentOf[bool] = RecentOf(32, lambda _: 1)  # few: where values are missing, columns live on by this
_CURVES: Recent[tuple[Kcit, bytes], Curve] = Recent(10_000_000, _bytes_of_curve)
_SMOOTHERS: Recent[tuple[int, bytes, int], list[Smoother]] = Recent(40_000_000, _bytes_of_smoothers)  # of 20,000 rows
_OUTLINES: Recent[tuple[int, bytes, int], tuple[Outline, ...]] = Recent(
    48_000_000, lambda outlines: sum(one.nbytes for one in outlines)
)  # some 250 sets
_NARROW: Recent[tuple[int, bytes, int], list[Smoother]] = Recent(12_000_000, _bytes_of_smoothers)


def forget() -> None:
    """Let go of what tests share, and of its memory."""
    for by_content in (_FUNCTIONS, _SCORES, _SIDES, _LINES, _TRIALS, _CURVES, _SMOOTHERS, _OUTLINES, _NARROW):
        by_content.clear()
    for by_identity in (_OWN_SCORES, _ORDERS, _MIRRORED, _UPRIGHT, _SORTED, _PARTS, _GIVEN, _PLACES, _DETERMINED_BY):
        by_identity.clear()


def refuse_categorical(test: str, columns: Sequence[Column]) -> str | None:
    """One sentence for the first categorical column; ordered levels and two levels are numbers enough."""
    for column in columns:
        if column.kind is Kind.CATEGORICAL:
            return f"{test} needs numbers or ordered levels, and {column.name!r} is categorical; use the test 'mixed'"
    return None


def check_columns(test: str, columns: Sequence[Column]) -> None:
    """Raise for too few rows, and for a column that is constant or not finite."""
    rows = len(columns[0].values)
    if rows < FEWEST_ROWS:
        raise DegenerateError(f"{rows} rows are too few for {test}, which needs {FEWEST_ROWS}; use the test 'fisher-z'")
    for column in columns:
        if not np.isfinite(column.values).all():
            raise StudyError(f"column {column.name!r} has values that are missing or infinite; leave those rows out")
        if (column.values == column.values[0]).all():
            raise DegenerateError(f"column {column.name!r} is constant, so {test} has nothing to test; leave it out")


def as_numbers(column: Column) -> FloatArray:
    """A column as points, one number a row."""
    return column.values[:, None]


def no_freedom(
    x: Column, y: Column, given: Sequence[Column], points: Callable[[Column], FloatArray] = as_numbers
) -> str:
    """Why a p-value decides nothing, if x or y is a linear function of the given columns.

    It is then independent of everything given them, whatever causes what: there is nothing to learn from a test.
    """
    if not given:
        return ""
    for column in (x, y):
        if _DETERMINED_BY.get((points, column, *given), partial(_is_determined, column, given, points)):
            names = ", ".join(repr(one.name) for one in given)
            return f"{column.name!r} is a function of {names}"
    return ""


def _is_determined(column: Column, given: Sequence[Column], points: Callable[[Column], FloatArray]) -> bool:
    return _is_function(points(column), np.hstack([points(one) for one in given]))


def _is_function(column: FloatArray, held: FloatArray) -> bool:
    """Whether a column is a linear function of others: mostly some of the rows show that it is not.

    The best function for all rows leaves in some of them no less than the best function for these.
    """
    some = slice(None, None, max(len(column) // _SOME_ROWS, 1))
    if any(unexplained(np.column_stack([one[some], held[some]])) * _share(one, some) >= _NOTHING for one in column.T):
        return False
    key = column.tobytes(), held.tobytes()
    return _FUNCTIONS.get(key, lambda: all(unexplained(np.column_stack([one, held])) < _NOTHING for one in column.T))


def _share(values: FloatArray, rows: slice) -> float:
    """The length of the values of some rows from their mean, as a share of that of all."""
    scaled = values / np.abs(values).max()  # so that no square overflows
    some, everything = (float(np.linalg.norm(part - part.mean())) for part in (scaled[rows], scaled))
    return some / everything


def _squared_sum(one: FloatArray, other: FloatArray) -> float:
    """The statistic where the line alone decides: its part of it."""
    return float(one @ other) ** 2 / len(one)


def _tail(statistic: float, null: PowerSums) -> float:
    return min(max(null.three_moment_tail(statistic), 0.0), 1.0)
