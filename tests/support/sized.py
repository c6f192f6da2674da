"""Two small tables with effects that are known: I acts on X, X on M by 2, M on Y by 0.5; M is in both."""

from __future__ import annotations

from pathlib import Path

import numpy as np

import weft
from tests.end_to_end.running import write_csv
from weft.solutions.solution_set import SolutionSet

CHAIN = ("not I -> M", "not I -> Y", "not X -> Y")
"""What leaves one structure."""


def tables(folder: Path, names: tuple[str, str, str, str] = ("I", "X", "M", "Y")) -> tuple[Path, Path]:
    """The tables ``a.csv``, of the first three variables, and ``b.csv``, of the last two."""
    rng = np.random.default_rng(12)

    def noise(size: float) -> np.ndarray:
        return np.asarray(rng.exponential(size, 3000) - size)

    i = noise(1.0)
    x = i + noise(0.7)
    m = 2 * x + noise(3.0)
    y = 0.5 * m + noise(4.0)
    first, second = folder / "a.csv", folder / "b.csv"
    write_csv(first, {name: column[:1500].tolist() for name, column in zip(names, (i, x, m), strict=False)})
    write_csv(second, {names[2]: m[1500:].tolist(), names[3]: y[1500:].tolist()})
    return first, second


def sized(folder: Path, names: tuple[str, str, str, str] = ("I", "X", "M", "Y")) -> SolutionSet:
    """What is discovered from them."""
    return weft.discover(list(map(str, tables(folder, names))), independence="fisher-z")
