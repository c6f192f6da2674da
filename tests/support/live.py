"""What is asked of the live solver in tests and benchmarks."""

from __future__ import annotations

import random

import weft
from weft.report.question import EDGES, Supposition
from weft.solutions.solution_set import SolutionSet

TOPICS = ("causes", "adjacent", "confounded", "edge")


def endless(size: int = 12) -> SolutionSet:
    """Far too many structures to count: each variable was measured with its neighbours only."""
    pairs = [[f"V{i}", f"V{i + 1}"] for i in range(size - 1)]
    return weft.solve(weft.oracle("; ".join(f"{x} -> {y}" for x, y in pairs), pairs), "iod")


def drawn(rng: random.Random, size: int) -> tuple[Supposition, ...]:
    """One to three suppositions of any kind."""
    found = []
    for _ in range(rng.randint(1, 3)):
        x, y = rng.sample(range(size), 2)
        topic = rng.choice(TOPICS)
        symbol = rng.choice(EDGES) if topic == "edge" else None
        found.append(Supposition(topic, x, y, rng.random() < 0.6, symbol))
    return tuple(found)
