"""Missing values: test-wise deletion beside multiple imputation (``python -m benchmarks.missing``).

The question is whether x and y are independent given z, which causes both (*null*), or x also causes y (*power*). Half
a thousand rows each; values are missing

- *mcar*: in each of the three columns, in a fifth of the rows, at random;
- *mar, one*: of x, the more often the larger z is;
- *mar, both*: of z, the more often the larger x + y is: what is missing depends on both ends of the pair;
- *mnar*: of x, the more often the larger x + y is: it depends on what is missing itself.

Test-wise deletion takes the rows in which all three are there. Multiple imputation completes the table ``M`` times, by
chained Bayesian linear regressions (numbers), or by drawing from the posterior of the joint table (levels), and pools:
partial correlations after Fisher's transformation by Rubin's rules; G² by the rule D3. Kernel tests have no rule of
their own, so that their p-values are pooled by the Cauchy combination, after the same linear imputation.

References
----------
Rubin, *Multiple Imputation for Nonresponse in Surveys* (1987).
Meng and Rubin, *Performing likelihood ratio tests with multiply-imputed data sets*, Biometrika 79 (1992): D3.
Witte, Foraita and Didelez, *Multiple imputation and test-wise deletion for causal discovery with incomplete cohort
data*, Statistics in Medicine 41 (2022).
Liu and Xie, *Cauchy combination test*, Journal of the American Statistical Association 115 (2020).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from weft.evidence.independence.protocol import IndependenceTest, Result, run
from weft.evidence.independence.registry import test_named
from weft.parallel import one_thread
from weft.studies import Column, Kind

FloatArray = NDArray[np.float64]

ALPHA = 0.05
ROWS = 500
M, ROUNDS = 10, 6
LEVELS = 3
WAYS = ("mcar", "mar, one", "mar, both", "mnar")


# -- data --------------------------------------------------------------------------------------------------------------


def linear(rng: np.random.Generator, effect: float, rows: int) -> FloatArray:
    """Three columns x, y, z of numbers with linear effects and normal noise."""
    z, e, f = rng.standard_normal((3, rows))
    x = 0.7 * z + e
    return np.column_stack([x, 0.7 * z + effect * x + f, z])


def curved(rng: np.random.Generator, effect: float, rows: int) -> FloatArray:
    """The same with curved effects."""
    z, e, f = rng.standard_normal((3, rows))
    x = z**2 / 1.5 + 0.7 * e
    return np.column_stack([x, z**2 / 1.5 + effect * x + 0.7 * f, z])


def levels(rng: np.random.Generator, effect: float, rows: int) -> FloatArray:
    """The same in three levels: x and y take the level of z two times in five; y that of x as often as it is said."""
    z, x, y = rng.integers(LEVELS, size=(3, rows))
    x = np.where(rng.random(rows) < 0.4, z, x)
    y = np.where(rng.random(rows) < 0.4, z, y)
    return np.column_stack([x, np.where(rng.random(rows) < effect, x, y), z]).astype(float)


def holes(table: FloatArray, way: str, rng: np.random.Generator) -> FloatArray:
    """The table with values missing."""
    x, y, z = (stats.zscore(one) for one in table.T)
    found = table.copy()
    if way == "mcar":
        found[rng.random(table.shape) < 0.2] = np.nan
        return found
    column, driver = {"mar, one": (0, 1.5 * z), "mar, both": (2, x + y), "mnar": (0, x + y)}[way]
    found[rng.random(len(table)) < 1 / (1 + np.exp(0.5 - driver)), column] = np.nan
    return found


# -- imputation --------------------------------------------------------------------------------------------------------


def completed_numbers(table: FloatArray, rng: np.random.Generator) -> FloatArray:
    """One completion by chained Bayesian linear regressions."""
    missing = np.isnan(table)
    found = np.where(missing, np.nanmean(table, axis=0), table)
    for _ in range(ROUNDS):
        for k in np.flatnonzero(missing.any(axis=0)):
            there = ~missing[:, k]
            design = np.column_stack([np.ones(len(table)), np.delete(found, k, axis=1)])
            inverse = np.linalg.inv(design[there].T @ design[there])
            mean = inverse @ design[there].T @ found[there, k]
            rest = found[there, k] - design[there] @ mean
            variance = rest @ rest / rng.chisquare(there.sum() - design.shape[1])
            drawn = rng.multivariate_normal(mean, variance * inverse, method="cholesky")
            noise = math.sqrt(variance) * rng.standard_normal((~there).sum())
            found[~there, k] = design[~there] @ drawn + noise
    return found


def completed_levels(table: FloatArray, rng: np.random.Generator) -> FloatArray:
    """One completion by data augmentation of the joint table, with a flat prior of one row in all."""
    missing = np.isnan(table)
    found = np.where(missing, rng.integers(LEVELS, size=table.shape), table).astype(int)
    width = table.shape[1]
    for _ in range(4 * ROUNDS):
        counts = np.full((LEVELS,) * width, LEVELS**-width, dtype=float)
        np.add.at(counts, tuple(found.T), 1.0)
        joint = rng.dirichlet(counts.ravel()).reshape(counts.shape)
        for k in np.flatnonzero(missing.any(axis=0)):
            gaps = missing[:, k]
            place = [found[gaps, j] if j != k else slice(None) for j in range(width)]
            odds = np.moveaxis(joint, k, -1)[tuple(one for j, one in enumerate(place) if j != k)]
            sums = np.cumsum(odds, axis=1)
            found[gaps, k] = (rng.random((gaps.sum(), 1)) * sums[:, -1:] > sums).sum(axis=1)
    return found.astype(float)


# -- tests -------------------------------------------------------------------------------------------------------------


def columns(table: FloatArray, kind: Kind) -> list[Column]:
    names = ("low", "middle", "high") if kind is Kind.CATEGORICAL else ()
    return [Column(name, kind, one, names) for name, one in zip("xyz", table.T, strict=True)]


def tested(test: IndependenceTest, table: FloatArray, kind: Kind) -> Result:
    """The test on the rows in which all three are there."""
    x, y, z = columns(table, kind)
    return run(test, x, y, [z])


def by_deletion(test: IndependenceTest, table: FloatArray, kind: Kind) -> float:
    return tested(test, table, kind).p_value


def by_rubin(test: IndependenceTest, tables: Sequence[FloatArray]) -> float:
    """Partial correlations, pooled after Fisher's transformation."""
    found = [tested(test, one, Kind.CONTINUOUS) for one in tables]
    z = [math.atanh(float(one.diagnostic["partial_correlation"])) for one in found]
    within, between = 1 / (len(tables[0]) - 4), (1 + 1 / M) * float(np.var(z, ddof=1))
    freedom = (M - 1) * (1 + within / max(between, 1e-12)) ** 2
    return 2 * float(stats.t.sf(abs(np.mean(z)) / math.sqrt(within + between), freedom))


def by_d3(test: IndependenceTest, tables: Sequence[FloatArray]) -> float:
    """G², pooled by the rule D3: what it would be at the parameters that all completed tables have in common."""
    counts = [_counted(one) for one in tables]
    saturated = np.mean(counts, axis=0)
    separate = np.mean([_independent(one) for one in counts], axis=0)
    k = LEVELS * (LEVELS - 1) ** 2
    own = float(np.mean([tested(test, one, Kind.CATEGORICAL).statistic for one in tables]))
    common = float(np.mean([2 * np.sum(one * np.log(saturated / separate)) for one in counts]))
    r = max((M + 1) / (k * (M - 1)) * (own - common), 1e-9)
    t = k * (M - 1)
    return float(stats.f.sf(max(common, 0.0) / (k * (1 + r)), k, 4 + (t - 4) * (1 + (1 - 2 / t) / r) ** 2))


def _counted(table: FloatArray) -> FloatArray:
    """The joint table, with a little in every cell so that none is empty in all."""
    counts = np.full((LEVELS,) * 3, 1e-6)
    np.add.at(counts, tuple(table.astype(int).T), 1.0)
    return counts


def _independent(counts: FloatArray) -> FloatArray:
    """What would be expected if x and y were independent given z."""
    expected: FloatArray = counts.sum(1, keepdims=True) * counts.sum(0, keepdims=True) / counts.sum((0, 1))
    return expected


def by_cauchy(test: IndependenceTest, tables: Sequence[FloatArray]) -> float:
    """Any p-values."""
    found = [by_deletion(test, one, Kind.CONTINUOUS) for one in tables]
    return float(stats.cauchy.sf(np.mean([math.tan((0.5 - min(p, 0.9999)) * math.pi) for p in found])))


@dataclass(frozen=True)
class Case:
    """A kind of data, the test for it, and how it is imputed and pooled."""

    name: str
    test: str
    draw: Callable[[np.random.Generator, float, int], FloatArray]
    kind: Kind
    complete: Callable[[FloatArray, np.random.Generator], FloatArray]
    pooled: Callable[[IndependenceTest, Sequence[FloatArray]], float]
    effect: float
    runs: int


CASES = (
    Case("linear, fisher-z", "fisher-z", linear, Kind.CONTINUOUS, completed_numbers, by_rubin, 0.15, 200),
    Case("levels, g-square", "g-square", levels, Kind.CATEGORICAL, completed_levels, by_d3, 0.15, 200),
    Case("curved, kcit", "kcit", curved, Kind.CONTINUOUS, completed_numbers, by_cauchy, 0.15, 40),
)


def rates(case: Case, way: str, effect: float, seed: int, runs: int, rows: int = ROWS) -> tuple[float, float, float]:
    """How often dependence is found: in the whole table, by deletion, by imputation."""
    test, counts = test_named(case.test), np.zeros(3)
    for number in range(runs):
        rng = np.random.default_rng([seed, number])
        whole = case.draw(rng, effect, rows)
        table = holes(whole, way, rng)
        tables = [case.complete(table, rng) for _ in range(M)]
        p_values = by_deletion(test, whole, case.kind), by_deletion(test, table, case.kind), case.pooled(test, tables)
        counts += np.array(p_values) <= ALPHA
    whole_rate, deleted, imputed = (100 * counts / runs).tolist()
    return whole_rate, deleted, imputed


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("cases", nargs="*", help="tests: fisher-z, g-square, kcit; all if none is named")
    parser.add_argument("--rows", type=int, default=ROWS)
    parser.add_argument("--runs", type=int, help="instead of 200, and 40 for kcit")
    chosen = parser.parse_args()
    print("| data, test | missing | null: whole | deletion | imputation | power: whole | deletion | imputation |")
    print(f"|{'---|' * 8}")
    with one_thread():
        for case in (one for one in CASES if not chosen.cases or one.test in chosen.cases):
            for way in WAYS:
                runs = chosen.runs or case.runs
                null, power = (
                    rates(case, way, effect, chosen.seed, runs, chosen.rows) for effect in (0.0, case.effect)
                )
                print(f"| {case.name} | {way} | {' | '.join(f'{one:.1f}' for one in (*null, *power))} |", flush=True)


if __name__ == "__main__":
    main()
