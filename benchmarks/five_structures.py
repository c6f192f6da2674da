"""The five structures of a linear non-Gaussian pair: who tells them apart?

``python -m benchmarks.five_structures [--pairs 40] [--methods cumulant,lvlingam,rcd,parce] [--families skewed,...]``
prints, for each method, family of noises and number of rows, the table of true by named structure (the likeliest one,
if the method does not decide), the share that is right, how often an unconfounded pair is called confounded, how often
the true structure is rejected at 5 % (where the scores are p-values), how often the verdict of the method keeps the
true structure, and the time.

Pairs: noises and common cause are standardised draws of one family (skewed: exponential, gamma, Weibull, beta;
symmetric: uniform, Laplace, signed square of a normal; mixed: either); effects of the common cause have sizes 0.6 to
1.2, of one variable on the other 0.5 to 1.2, with random signs. The seeds below were not looked at when the methods
were made.

RCD and BottomUpParceLiNGAM are those of the package ``lingam``; without it they are skipped with a message. They say
of a pair that it is confounded, but not which of the three structures it has: "confounded" is a column of its own.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.util
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.settings import Settings
from benchmarks.table import Row, skipped
from weft.evidence.orientation.cumulant import Cumulant
from weft.evidence.orientation.lvlingam import LvLingam
from weft.evidence.orientation.protocol import STRUCTURES
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Floats = NDArray[np.float64]
Draw = Callable[[np.random.Generator, int], Floats]

SEED = 5_000_000
FAMILIES = ("skewed", "symmetric", "mixed")
ROWS = (1000, 3000)
PEERS = {"rcd": "RCD", "parce": "BottomUpParceLiNGAM"}
MISSING = "needs the package lingam, in an environment of its own: pip install 'weft[bench-lingam]'"
OTHER = ("confounded", "none")
"""Answers of the peers that are not one of the five structures."""

_NOISES: dict[str, tuple[Draw, ...]] = {
    "skewed": (
        lambda random, rows: random.exponential(size=rows),
        lambda random, rows: random.gamma(2, size=rows),
        lambda random, rows: random.weibull(0.9, size=rows),
        lambda random, rows: random.beta(0.7, 3, size=rows),
    ),
    "symmetric": (
        lambda random, rows: random.uniform(-1, 1, rows),
        lambda random, rows: random.laplace(size=rows),
        lambda random, rows: np.sign(random.normal(size=rows)) * random.normal(size=rows) ** 2,
    ),
}

_GOALS = {("skewed", 1000): 0.80, ("skewed", 3000): 0.90, ("symmetric", 3000): 0.75}


def noise(random: np.random.Generator, rows: int, family: str) -> Floats:
    """Standardised draws from one of the family's distributions."""
    if family == "mixed":
        return noise(random, rows, "skewed" if random.random() < 0.5 else "symmetric")
    kinds = _NOISES[family]
    values = kinds[random.integers(len(kinds))](random, rows)
    return np.asarray((values - values.mean()) / values.std())


def pair(structure: Structure, rows: int, random: np.random.Generator, family: str) -> tuple[Column, Column]:
    """A pair with that structure."""

    def size(low: float) -> float:
        return float(random.uniform(low, 1.2) * random.choice([-1, 1]))

    first, second, common = (noise(random, rows, family) for _ in range(3))
    on_first, on_second, effect = size(0.6), size(0.6), size(0.5)
    if not structure.confounded:
        on_first = on_second = 0.0
    if not (structure.causes or structure.caused):
        effect = 0.0
    cause = first + on_first * common
    columns = [cause, effect * cause + on_second * common + second]
    if structure.caused:
        columns.reverse()
    x, y = (Column(name, Kind.CONTINUOUS, values) for name, values in zip("xy", columns, strict=True))
    return x, y


@dataclass
class Tally:
    """What a method said about pairs of one family and size."""

    counts: dict[tuple[str, str], int] = field(default_factory=dict)
    rejected: list[bool] = field(default_factory=list)
    """For each pair, whether the p-value of its structure was below 5 %."""
    kept: list[bool] = field(default_factory=list)
    """For each pair, whether its structure was among those of the verdict."""
    decided: list[bool] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    def add(self, truth: Structure, named: str) -> None:
        self.counts[truth, named] = self.counts.get((truth, named), 0) + 1

    @property
    def accuracy(self) -> float:
        right = sum(count for (truth, named), count in self.counts.items() if truth == named)
        return right / sum(self.counts.values())

    @property
    def false_confounding(self) -> float:
        """The share of unconfounded pairs that were called confounded."""
        plain = {key: count for key, count in self.counts.items() if not Structure(key[0]).confounded}
        wrong = sum(count for (_, named), count in plain.items() if named == "confounded" or named.endswith("<->"))
        return wrong / max(sum(plain.values()), 1)

    def lines(self) -> Iterator[str]:
        """The table: a line for each true structure."""
        named = [*STRUCTURES, *(other for other in OTHER if any(key[1] == other for key in self.counts))]
        yield f"{'true / named':>12}" + "".join(f"{one!s:>12}" for one in named)
        for truth in STRUCTURES:
            yield f"{truth!s:>12}" + "".join(f"{self.counts.get((truth, one), 0):>12}" for one in named)

    def summary(self) -> str:
        parts = [f"right {self.accuracy:.1%}", f"unconfounded called confounded {self.false_confounding:.1%}"]
        for label, values in (
            ("true structure rejected at 5 %", self.rejected),
            ("decided", self.decided),
            ("verdict keeps the true structure", self.kept),
        ):
            parts += [f"{label} {np.mean(values):.1%}"] if values else []
        return ", ".join([*parts, f"{np.median(self.seconds) * 1000:.0f} ms a pair"])


def measure(method: str, family: str, rows: int, pairs: int) -> Tally:
    """Ask a method about so many pairs of each structure."""
    ask = _peer(PEERS[method]) if method in PEERS else {"cumulant": _cumulant, "lvlingam": _lvlingam}[method]
    tally = Tally()
    for repeat in range(pairs):
        for index, structure in enumerate(STRUCTURES):
            seed = [SEED, rows, FAMILIES.index(family), repeat, index]
            x, y = pair(structure, rows, np.random.default_rng(seed), family)
            start = time.perf_counter()
            named = ask(x, y, structure, tally)
            tally.seconds.append(time.perf_counter() - start)
            tally.add(structure, named)
    return tally


def _cumulant(x: Column, y: Column, truth: Structure, tally: Tally) -> str:
    finding = METHOD.find(x, y)
    assert finding is not None
    judgement = METHOD.judgement(finding)
    tally.rejected.append(finding.p_values[truth] < 0.05)
    tally.kept.append(truth not in judgement.excluded)
    tally.decided.append(bool(judgement.excluded))
    return finding.likeliest


def _lvlingam(x: Column, y: Column, truth: Structure, tally: Tally) -> str:
    judgement = LvLingam().judge(x, y)
    tally.kept.append(truth not in judgement.excluded)
    tally.decided.append(bool(judgement.excluded))
    return max(STRUCTURES, key=lambda structure: judgement.scores[structure])


METHOD = Cumulant()


def _peer(class_name: str) -> Callable[[Column, Column, Structure, Tally], str]:
    model = getattr(importlib.import_module("lingam"), class_name)

    def ask(x: Column, y: Column, truth: Structure, tally: Tally) -> str:
        fitted: Any = model()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            fitted.fit(np.column_stack([x.values, y.values]))
        return _named(np.asarray(fitted.adjacency_matrix_, dtype=np.float64))

    return ask


def _named(adjacency: Floats) -> str:
    """What a matrix of lingam says: the entry at (i, j) is the effect of j on i, NaN if confounded."""
    if np.isnan(adjacency).any():
        return "confounded"
    if adjacency[1, 0] != 0:
        return Structure.CAUSES
    return Structure.CAUSED if adjacency[0, 1] != 0 else "none"


def five_structures(settings: Settings) -> Iterator[Row]:
    """Rows for the table of ``make bench``."""
    pairs = 4 if settings.quick else 40
    for family in FAMILIES:
        for rows in ROWS:
            tally = measure("cumulant", family, rows, pairs)
            goal = _GOALS.get((family, rows))
            yield Row(
                f"cumulant, {family}, n={rows}: right",
                goal=f">= {goal:.0%}" if goal else "",
                median=f"{tally.accuracy:.1%}",
                reached=tally.accuracy >= goal if goal else None,
                notes=(tally.summary(),),
                values=(tally.accuracy,),
            )
    yield from _other_rows(2 if settings.quick else 6)


def _other_rows(pairs: int) -> Iterator[Row]:
    for method in ("lvlingam", *PEERS):
        if method in PEERS and importlib.util.find_spec("lingam") is None:
            yield skipped(PEERS[method], MISSING)
            continue
        tally = measure(method, "skewed", 1000, pairs)
        yield Row(
            f"{method}, skewed, n=1000: right", "", f"{tally.accuracy:.1%}", notes=(tally.summary(), *tally.lines())
        )


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.five_structures", description=__doc__)
    parser.add_argument("--pairs", type=int, default=40, help="pairs of each structure")
    parser.add_argument("--methods", default="cumulant,lvlingam,rcd,parce")
    parser.add_argument("--families", default=",".join(FAMILIES))
    parser.add_argument("--rows", default=",".join(map(str, ROWS)))
    options = parser.parse_args()
    for method in options.methods.split(","):
        if method in PEERS and importlib.util.find_spec("lingam") is None:
            print(f"\n{PEERS[method]}: skipped; {MISSING}")
            continue
        for family in options.families.split(","):
            for rows in map(int, options.rows.split(",")):
                tally = measure(method, family, rows, options.pairs)
                print(f"\n{method}, {family}, n={rows}: {tally.summary()}")
                print("\n".join(tally.lines()), flush=True)


if __name__ == "__main__":
    main()
