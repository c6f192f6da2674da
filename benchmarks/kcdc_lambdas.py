"""What KCDC makes of the paper's own synthetic equations: ``python -m benchmarks.kcdc_lambdas``.

For every direct relation of Synthetic 1 and 2 (appendix of the paper), with exponential noise of varying scale: the
share of repetitions in which each setting takes the right direction, forced to decide. ``auto`` is shown beside it if
it is there: forced, and how often it decides at its usual least confidence.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import product

import numpy as np
from numpy.typing import NDArray

from weft.evidence.orientation.columns import canonical_pair
from weft.evidence.orientation.kcdc import KERNELS, RULES, Factor, Kcdc, KernelName, deviances
from weft.evidence.orientation.protocol import OrientationMethod, run
from weft.graphs.criteria import Structure
from weft.studies import Column, Kind

Table = dict[str, NDArray[np.float64]]

LAMBDAS = tuple(10.0**power for power in range(-6, 1))
WIDTHS = (0.25, 0.5, 1.0, 2.0, 4.0)
RELATIONS = {"synthetic 1": ("x -> y", "y -> z"), "synthetic 2": ("y -> x", "y -> z", "z -> w", "w -> v", "s -> v")}


def synthetic_1(generator: np.random.Generator, rows: int) -> Table:
    """x; y = 3 log(x^2) n_y; z = 4 y^2 n_z."""
    noise = _noise(generator, rows)
    x = noise()
    y = 3 * np.log(x**2) * noise()
    return {"x": x, "y": y, "z": 4 * y**2 * noise()}


def synthetic_2(generator: np.random.Generator, rows: int) -> Table:
    """y; x = 3 log(y^2) n_x; z = 4 y^2 n_z; w = sqrt(z) n_w; s; v = w^2 s^3 n_v."""
    noise = _noise(generator, rows)
    y = noise()
    x = 3 * np.log(y**2) * noise()
    z = 4 * y**2 * noise()
    w = np.sqrt(z) * noise()
    s = noise()
    return {"y": y, "x": x, "z": z, "w": w, "s": s, "v": w**2 * s**3 * noise()}


def _noise(generator: np.random.Generator, rows: int) -> Callable[[], NDArray[np.float64]]:
    """Exponential noise; the scale varies between a half and two, evenly in its logarithm."""
    return lambda: generator.exponential(2 ** generator.uniform(-1, 1), rows)


def pairs(seed: int, rows: int) -> list[tuple[Column, Column]]:
    """The direct relations, cause first, in the order of the headings."""
    generator = np.random.default_rng(seed)
    tables = {"synthetic 1": synthetic_1(generator, rows), "synthetic 2": synthetic_2(generator, rows)}
    found = []
    for name, relations in RELATIONS.items():
        for relation in relations:
            cause, effect = relation.split(" -> ")
            found.append(tuple(Column(one, Kind.CONTINUOUS, tables[name][one]) for one in (cause, effect)))
    return [(cause, effect) for cause, effect in found]


def shares(method: OrientationMethod, data: Sequence[Sequence[tuple[Column, Column]]]) -> NDArray[np.float64]:
    """For each relation: the share of right forced decisions, and of decisions."""
    outcomes = []
    for repetition in data:
        verdicts = [run(method, cause, effect) for cause, effect in repetition]
        outcomes.append([(one.forced is Structure.CAUSES and one.confidence > 0.5, one.decided) for one in verdicts])
    return np.asarray(np.mean(outcomes, axis=0))


def direct_shares(
    data: Sequence[Sequence[tuple[Column, Column]]], kernels: Sequence[KernelName], width: float
) -> dict[str, NDArray[np.float64]]:
    """For each setting of the direct rule: the share of right decisions on each relation.

    What :class:`Kcdc` does, but with one factor of each kernel for all lambdas.
    """
    right: dict[str, list[list[bool]]] = {}
    for repetition in data:
        found: dict[str, list[bool]] = {}
        for pair in repetition:
            sides = canonical_pair(*(column.values for column in pair))
            cause, effect = ({one: Factor.of(side, one, width, 300, 1e-7) for one in kernels} for side in sides)
            for one, other in product(kernels, kernels):
                forward = deviances(cause[one], effect[other], LAMBDAS)
                backward = deviances(effect[one], cause[other], LAMBDAS)
                for ridge, s, t in zip(LAMBDAS, forward, backward, strict=True):
                    found.setdefault(f"{one} / {other}, {width:g}, {ridge:g}", []).append(s < t)
        for name, answers in found.items():
            right.setdefault(name, []).append(answers)
    return {name: np.asarray(np.mean(answers, axis=0)) for name, answers in right.items()}


def kcdc_shares(
    data: Sequence[Sequence[tuple[Column, Column]]], every: bool
) -> Iterator[tuple[str, NDArray[np.float64]]]:
    """The rows of the table."""
    for width in WIDTHS if every else (1.0,):
        yield from direct_shares(data, KERNELS if every else ("rbf",), width).items()
    for rule in RULES[1:]:
        yield rule, shares(Kcdc(rule=rule), data)[:, 0]


def default_method() -> OrientationMethod | None:
    """``auto``, if it is there."""
    if find_spec("weft.evidence.orientation.auto") is None:
        return None
    method: OrientationMethod = import_module("weft.evidence.orientation.auto").Auto()
    return method


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.kcdc_lambdas", description=__doc__)
    parser.add_argument("--rows", type=int, default=1000)
    parser.add_argument("--repetitions", type=int, default=20)
    parser.add_argument("--seed", type=int, default=2020)
    parser.add_argument("--every", action="store_true", help="all kernels and widths too, some minutes")
    options = parser.parse_args()
    data = [pairs(options.seed + i, options.rows) for i in range(options.repetitions)]
    titles = [f"{name[-1]}: {relation}" for name, relations in RELATIONS.items() for relation in relations]
    width = 52 if options.every else 22
    print(f"Share of right directions, forced; {options.rows} rows, {options.repetitions} repetitions")
    print("kernels, width, lambda".ljust(width) + "".join(title.rjust(11) for title in titles), flush=True)
    worst = []
    for name, right in kcdc_shares(data, options.every):
        worst.append(right.min())
        print(name.ljust(width) + "".join(f"{share:11.2f}" for share in right), flush=True)
    best = f"the best of them is right on its worst relation in {max(worst):.2f}"
    good = f"{sum(one >= 0.95 for one in worst)} of {len(worst)}"
    print(f"KCDC right on every relation in 95 % of repetitions: {good}; {best}")
    auto = default_method()
    if auto is None:
        print("auto: not there yet")
        return
    found = shares(auto, data)
    print("auto".ljust(width) + "".join(f"{share:11.2f}" for share in found[:, 0]))
    print("auto decides".ljust(width) + "".join(f"{share:11.2f}" for share in found[:, 1]))


if __name__ == "__main__":
    main()
