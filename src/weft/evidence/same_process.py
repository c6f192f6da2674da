"""Do the studies come from the same process? Variables that several studies measured, compared.

Combining studies assumes that one process made all of them: a variable that two studies measured has the same
distribution in both, and so has each pair of variables. This module looks for differences, and reports each with its
figures; whether to go on is for the reader to say.

Each variable is compared for each pair of studies that have it, and, where neither variable differs by itself, so is
each pair of variables. The statistics are

- for numbers and ordered levels, the energy distance of the two samples, 2 E|X - Y| - E|X - X'| - E|Y - Y'|, over its
  largest possible value 2 E|X - Y|: 0 for equal distributions, 1 for two different constants. For one variable it is
  twice the integral of the squared difference of the distribution functions, and takes time n log n;
- for other levels, the chi-square statistic of the table of levels by studies, over the number of rows (phi square);
- for a pair of variables, the energy distance between the products of their normal scores (by rank in both studies
  together; levels of which there are two count as numbers): a change of their dependence shifts these products. If
  one of the two has more levels than two and no order, phi square of the levels of both, numbers cut at quartiles.

P-values come from permutations of the rows over the two studies, so they hold whatever the distributions; drawing ends
early when a p-value is plainly large (Besag and Clifford). They are adjusted by Holm's method for the number of
comparisons, so that the chance of any warning at all is at most ``alpha`` if the process is the same. The draws follow
from the studies' fingerprints: the same data give the same figures, in whatever order the studies stand.

References
----------
G. J. Székely, M. L. Rizzo, Energy statistics: a class of statistics based on distances, J. Stat. Plan. Inference 143
(2013). J. Besag, P. Clifford, Sequential Monte Carlo p-values, Biometrika 78 (1991). S. Holm, A simple sequentially
rejective multiple test procedure, Scand. J. Stat. 6 (1979).
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from weft.errors import StudyError
from weft.evidence.ranks import mean_ranks
from weft.studies import Column, Kind, Study

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]
"""How many times the samples are permuted for the distribution of a statistic."""

_ENOUGH = 50
"""Drawing ends at so many permuted samples with a statistic as large as the one observed."""
_BATCH = 500
_FEWEST = 10
"""Samples with fewer rows are not compared."""


@dataclass(frozen=True)
class Comparison:
    """One variable, or two together, in two studies."""

    variables: tuple[str, ...]
    studies: tuple[str, str]
    measure: str
    """What the statistic is: ``energy distance``, ``energy distance of products`` or ``phi square``."""
    statistic: float
    p_value: float
    adjusted_p_value: float
    """After Holm's method over all comparisons of its sort (of single variables, or of pairs)."""
    rows: tuple[int, int]
    """The rows compared; at most the limit that was given, drawn at random."""
    shift: float | None = None
    """Mean in the second study minus mean in the first, in (pooled) standard deviations, over all rows."""
    spread: float | None = None
    """Standard deviation in the second study over that in the first, over all rows."""
    detail: str = ""
    """More figures: the level whose share differs most with its shares, or the correlations of a pair."""

    def __str__(self) -> str:
        first, second = map(repr, self.studies)
        what = " and ".join(map(repr, self.variables))
        if self.shift is not None and self.spread is not None:
            how = f": in {second} the mean is {self.shift:+.2f} standard deviations away, the spread {self.spread:.2g} "
            how += "times as large"
        else:
            how = f": {self.detail}" if self.detail else ""
        together = "together " if len(self.variables) > 1 else ""
        verb = "differ" if together else "differs"
        return (
            f"{what} {together}{verb} between studies {first} and {second}{how} ({self.measure} {self.statistic:.3g}, "
            f"p = {self.p_value:.2g}, {self.adjusted_p_value:.2g} after Holm, {self.rows[0]} and {self.rows[1]} rows)"
        )


def differences(
    studies: Iterable[Study], alpha: float = 0.05, *, pairs: bool = True, max_rows: int = 2000
) -> tuple[Comparison, ...]:
    """The comparisons that speak against one process behind all studies, by name of variable and study.

    Single variables and pairs of variables share ``alpha`` equally.

    Parameters
    ----------
    studies
    alpha
        The chance of any warning if the process is the same.
    pairs
        Whether to compare pairs of variables too.
    max_rows
        Of each study; a larger study is sampled.

    >>> rng = np.random.default_rng(1)
    >>> a = Study.of({"x": rng.normal(size=300), "y": rng.normal(size=300)}, "a")
    >>> b = Study.of({"x": rng.normal(1, 2, size=400), "y": rng.normal(size=400)}, "b")
    >>> for found in differences([a, b]):
    ...     print(found)
    'x' differs between studies 'a' and 'b': in 'b' the mean is +0.60 standard deviations away, the spread 2.3 times as
    large (energy distance 0.147, p = 0.001, 0.002 after Holm, 300 and 400 rows)
    """
    _permutations(0, alpha)  # alpha itself must be in range, not only its share
    share = alpha / 2 if pairs else alpha
    single = compare_variables(studies := list(studies), share, max_rows=max_rows)
    found = [comparison for comparison in single if comparison.adjusted_p_value <= share]
    if pairs:
        known = {(name, comparison.studies) for comparison in found for name in comparison.variables}
        joint = compare_pairs(studies, share, known, max_rows=max_rows)
        found += [comparison for comparison in joint if comparison.adjusted_p_value <= share]
    return tuple(found)


def compare_variables(studies: Iterable[Study], alpha: float = 0.05, *, max_rows: int = 2000) -> tuple[Comparison, ...]:
    """Every variable in every pair of studies that have it, alike or not.

    ``alpha`` only says how small the p-values must be able to become.
    """
    tasks = [(name, a, b) for a, b in combinations(studies, 2) for name in _shared(a, b)]
    limit = _permutations(len(tasks), alpha)
    return _adjusted(_compared(name, a, b, max_rows, limit) for name, a, b in tasks)


def compare_pairs(
    studies: Iterable[Study],
    alpha: float = 0.05,
    known: Collection[tuple[str, tuple[str, str]]] = (),
    *,
    max_rows: int = 2000,
) -> tuple[Comparison, ...]:
    """Every two variables together, in every pair of studies that have both, alike or not.

    Left out are pairs with a variable that is ``known`` to differ between the two studies: the pair would say nothing
    new. They still count in Holm's method, since the data chose them.
    """
    tasks = [(x, y, a, b) for a, b in combinations(studies, 2) for x, y in combinations(_shared(a, b), 2)]
    limit = _permutations(len(tasks), alpha)
    fresh = [task for task in tasks if not any((name, (task[2].name, task[3].name)) in known for name in task[:2])]
    return _adjusted((_compared_pair(x, y, a, b, max_rows, limit) for x, y, a, b in fresh), len(tasks) - len(fresh))


def _shared(a: Study, b: Study) -> list[str]:
    return sorted({*a.variables} & {*b.variables})


def _permutations(comparisons: int, alpha: float) -> int:
    """Enough that a p-value can be half as small as Holm's method may require."""
    if not 0 < alpha < 1:
        raise StudyError(f"alpha = {alpha} is not between 0 and 1; say 0.05, for example")
    return max(999, math.ceil(2 * comparisons / alpha) - 1)


# -- one variable ----------------------------------------------------------------------------------------------------


def _compared(name: str, a: Study, b: Study, max_rows: int, limit: int) -> Comparison | None:
    first, second = a.column(name), b.column(name)
    rng, swapped = _generator(a, b, name), _swap(a, b)
    numbers = _common_numbers(first, second)
    if numbers is not None:
        samples = _present(numbers[0]), _present(numbers[1])
        return _compared_numbers(name, (a.name, b.name), samples, rng, max_rows, limit, swapped)
    if first.levels and second.levels:
        return _compared_levels(name, (a.name, b.name), first, second, rng, limit, swapped)
    return None  # numbers in one study and texts in the other: weft.studies.check_studies says so


def _common_numbers(first: Column, second: Column) -> tuple[Floats, Floats] | None:
    """The values as numbers on one scale, if they are ordered in both studies."""
    kinds = {first.kind, second.kind}
    if Kind.CATEGORICAL in kinds or kinds == {Kind.BINARY}:
        return None
    numbers = first.numbers(), second.numbers()
    if numbers[0] is not None and numbers[1] is not None:
        return numbers[0], numbers[1]
    return (first.values, second.values) if first.levels and first.levels == second.levels else None


def _compared_numbers(
    name: str,
    studies: tuple[str, str],
    values: tuple[Floats, Floats],
    rng: np.random.Generator,
    max_rows: int,
    limit: int,
    swapped: bool,
) -> Comparison | None:
    x, y = values
    if min(len(x), len(y)) < _FEWEST:
        return None
    scale = max(float(np.abs(x).max()), float(np.abs(y).max())) or 1.0
    x, y = x / scale, y / scale  # so that no square overflows
    samples = [side[_sample(len(side), max_rows, rng)] for side in ((y, x) if swapped else (x, y))]
    statistic, p_value = _energy_test(samples[0], samples[1], rng, limit)
    deviations = float(x.std()), float(y.std())
    pooled = math.sqrt((deviations[0] ** 2 + deviations[1] ** 2) / 2)
    shift = float(y.mean() - x.mean()) / pooled if pooled else 0.0
    spread = deviations[1] / deviations[0] if deviations[0] else math.inf
    rows = min(len(x), max_rows), min(len(y), max_rows)
    return Comparison((name,), studies, "energy distance", statistic, p_value, p_value, rows, shift, spread)


def _energy_test(x: Floats, y: Floats, rng: np.random.Generator, limit: int) -> tuple[float, float]:
    """The energy distance of two samples of numbers, over its largest value, and the p-value.

    Between two neighbouring values the distribution functions differ by a constant. If there are many values, close
    ones count as one, their mean: with all of them it takes ten times as long. That is the same for every permutation,
    so the p-value is exact.
    """
    values = np.concatenate([x, y])
    cuts = np.unique(values)
    block = np.searchsorted(cuts if len(cuts) <= _BLOCKS else np.unique(np.quantile(values, _CUTS)), values)
    total, sums = np.bincount(block), np.bincount(block, weights=values)
    counts = np.bincount(block[: len(x)], minlength=len(total))[total > 0]
    total, sums = total[total > 0], sums[total > 0]
    gaps = np.diff(sums / total)
    ahead = np.cumsum(total)[:-1] / len(y)

    def statistics(drawn: NDArray[np.int64]) -> Floats:
        difference = np.cumsum(drawn, axis=1)[:, :-1] * (1 / len(x) + 1 / len(y)) - ahead
        return np.asarray(2 * np.square(difference) @ gaps, dtype=np.float64)

    observed = float(statistics(counts[None, :])[0])
    share = np.cumsum(counts)[:-1] / len(x), np.cumsum(total - counts)[:-1] / len(y)
    largest = 2 * float((share[0] * (1 - share[1]) + share[1] * (1 - share[0])) @ gaps)  # 2 E|X - Y|
    p_value = _p_value(observed, _permuted(total, len(x), statistics), rng, limit)
    return observed / largest if largest else 0.0, p_value


_BLOCKS = 256
"""So many different values are told apart."""
_CUTS = tuple(k / 64 for k in range(1, 64))
"""Where the blocks of close values end otherwise, as shares of all values."""


def _permuted(total: NDArray[np.int64], first: int, statistics: Callable[[NDArray[np.int64]], Floats]) -> Draw:
    """Statistics of permuted rows: how many of each level are in the first study, drawn without replacement."""

    def draw(rng: np.random.Generator, number: int) -> Floats:
        return statistics(rng.multivariate_hypergeometric(total, first, size=number, method="marginals"))

    return draw


def _compared_levels(
    name: str,
    studies: tuple[str, str],
    first: Column,
    second: Column,
    rng: np.random.Generator,
    limit: int,
    swapped: bool,
) -> Comparison | None:
    levels, codes = _common_codes(first, second)
    counts = np.array([np.bincount(_present(code).astype(np.intp), minlength=len(levels)) for code in codes])
    occurring = np.flatnonzero(counts.sum(axis=0))
    levels, counts = [levels[i] for i in occurring], counts[:, occurring]
    rows = int(counts[0].sum()), int(counts[1].sum())
    if min(rows) < _FEWEST:
        return None
    shares = counts / counts.sum(axis=1, keepdims=True)
    worst = int(np.abs(shares[1] - shares[0]).argmax())
    detail = f"{levels[worst]!r} has a share of {shares[0, worst]:.1%} and of {shares[1, worst]:.1%}"
    statistic, p_value = _phi_square_test(counts[::-1] if swapped else counts, rng, limit)
    return Comparison((name,), studies, "phi square", statistic, p_value, p_value, rows, detail=detail)


def _common_codes(first: Column, second: Column) -> tuple[list[str], tuple[Floats, Floats]]:
    """The levels of both columns by the alphabet, and the codes of each column into them."""
    levels = sorted({*first.levels, *second.levels})
    return levels, (_recoded(first, levels), _recoded(second, levels))


def _recoded(column: Column, levels: list[str]) -> Floats:
    there = column.present
    codes = np.full(len(there), np.nan)
    codes[there] = np.array([levels.index(level) for level in column.levels])[column.values[there].astype(np.intp)]
    return codes


def _phi_square_test(counts: NDArray[np.int64], rng: np.random.Generator, limit: int) -> tuple[float, float]:
    """Chi-square over the number of rows, for a table of two studies by levels that all occur; and the p-value."""
    total, (first, second) = counts.sum(axis=0), counts.sum(axis=1).tolist()
    expected = total * (first / (first + second))
    weights = (first + second) / (total * float(first) * float(second))

    def statistics(drawn: NDArray[np.int64]) -> Floats:
        return np.asarray(np.square(drawn - expected) @ weights, dtype=np.float64)

    observed = float(statistics(counts[:1])[0])
    return observed, _p_value(observed, _permuted(total, first, statistics), rng, limit)


# -- two variables together ------------------------------------------------------------------------------------------


def _compared_pair(x: str, y: str, a: Study, b: Study, max_rows: int, limit: int) -> Comparison | None:
    rng, swapped = _generator(a, b, x, y), _swap(a, b)
    sides = (b, a) if swapped else (a, b)
    chosen = [_both_present(study, x, y, max_rows, rng) for study in sides]
    rows = len(chosen[0]), len(chosen[1])
    axes = [_joint_axis(sides[0].column(name), sides[1].column(name), chosen) for name in (x, y)]
    if min(rows) < _FEWEST or axes[0] is None or axes[1] is None:
        return None
    u, v = axes[0].scores, axes[1].scores
    if u is None or v is None:
        statistic, p_value = _crossed_test(axes[0].classes, axes[1].classes, rows[0], rng, limit)
        measure, detail = "phi square", ""
    else:
        statistic, p_value = _energy_test((u * v)[: rows[0]], (u * v)[rows[0] :], rng, limit)
        parts = (slice(None, rows[0]), slice(rows[0], None))
        correlations = [_correlation(u[part], v[part]) for part in (parts[::-1] if swapped else parts)]
        measure = "energy distance of products"
        detail = "the correlation of their normal scores is {:+.2f} and {:+.2f}".format(*correlations)
    rows = (rows[1], rows[0]) if swapped else rows
    return Comparison((x, y), (a.name, b.name), measure, statistic, p_value, p_value, rows, detail=detail)


@dataclass(frozen=True)
class _Axis:
    """A variable in the rows of both studies, one after the other: centred scores, if it has an order, and classes."""

    scores: Floats | None
    classes: Floats


def _both_present(study: Study, x: str, y: str, max_rows: int, rng: np.random.Generator) -> NDArray[np.intp]:
    rows = np.flatnonzero(study.column(x).present & study.column(y).present)
    return np.asarray(rows[_sample(len(rows), max_rows, rng)])


def _joint_axis(first: Column, second: Column, chosen: Sequence[NDArray[np.intp]]) -> _Axis | None:
    def joint(values: tuple[Floats, Floats]) -> Floats:
        return np.concatenate([values[0][chosen[0]], values[1][chosen[1]]])

    numbers = _common_numbers(first, second)
    if numbers is not None:
        scores = _normal_scores(joint(numbers))
        return _Axis(scores, np.searchsorted(_QUARTILES, scores).astype(np.float64))
    if not (first.levels and second.levels):
        return None
    levels, codes = _common_codes(first, second)
    classes = joint(codes)
    return _Axis(classes - classes.mean() if len(levels) == 2 and len(classes) else None, classes)


_QUARTILES = (-0.6744897501960817, 0.0, 0.6744897501960817)
"""Of the normal distribution."""


def _normal_scores(values: Floats) -> Floats:
    from scipy import special

    return np.asarray(special.ndtri((mean_ranks(values) - 0.5) / max(1, len(values))), dtype=np.float64)


def _correlation(u: Floats, v: Floats) -> float:
    u, v = u - u.mean(), v - v.mean()
    norm = math.sqrt(float(u @ u) * float(v @ v))
    return float(u @ v) / norm if norm else 0.0


def _crossed_test(x: Floats, y: Floats, first: int, rng: np.random.Generator, limit: int) -> tuple[float, float]:
    """Compare how often each class of x meets each class of y."""
    _, crossed = np.unique(x * (y.max() + 1) + y, return_inverse=True)
    parts = crossed[:first], crossed[first:]
    return _phi_square_test(
        np.array([np.bincount(part, minlength=int(crossed.max()) + 1) for part in parts]), rng, limit
    )


# -- shared ----------------------------------------------------------------------------------------------------------


def _p_value(observed: float, draw: Draw, rng: np.random.Generator, limit: int) -> float:
    """Besag and Clifford's p-value: draw until enough are as large as the one observed, or the limit is reached."""
    threshold = observed * (1 - 1e-9)  # equal up to rounding is as large
    drawn = exceeding = 0
    while drawn < limit:
        number = min(max(2 * _ENOUGH, drawn), _BATCH, limit - drawn)
        hits = np.flatnonzero(draw(rng, number) >= threshold)
        if exceeding + len(hits) >= _ENOUGH:
            return _ENOUGH / (drawn + int(hits[_ENOUGH - exceeding - 1]) + 1)
        exceeding += len(hits)
        drawn += number
    return (exceeding + 1) / (limit + 1)


def _adjusted(found: Iterable[Comparison | None], others: int = 0) -> tuple[Comparison, ...]:
    """The comparisons that could be made, with p-values adjusted by Holm's method for them and so many others."""
    made = [comparison for comparison in found if comparison is not None]
    made.sort(key=lambda comparison: comparison.p_value)
    adjusted, highest = [], 0.0
    for position, comparison in enumerate(made):
        highest = max(highest, min(1.0, comparison.p_value * (len(made) + others - position)))
        adjusted.append(replace(comparison, adjusted_p_value=highest))
    return tuple(sorted(adjusted, key=lambda comparison: (comparison.variables, comparison.studies)))


def _present(values: Floats) -> Floats:
    return values[~np.isnan(values)]


def _sample(number: int, most: int, rng: np.random.Generator) -> NDArray[np.intp]:
    """The positions of a sample without replacement; all of them if they are not too many."""
    return np.arange(number) if number <= most else np.sort(rng.choice(number, most, replace=False))


def _swap(a: Study, b: Study) -> bool:
    """Whether the studies trade places in what is computed, so that their order does not matter."""
    return a.fingerprint > b.fingerprint


def _generator(a: Study, b: Study, *names: str) -> np.random.Generator:
    content = "\0".join([*sorted((a.fingerprint, b.fingerprint)), *names]).encode("utf-8", "surrogatepass")
    return np.random.default_rng(int.from_bytes(hashlib.sha256(content).digest()[:16], "little"))
