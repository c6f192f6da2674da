"""Linear models of a graph: what regressions show in them, and what the effects are."""

from __future__ import annotations

import numpy as np

from weft.graphs.mixed import Mark, MixedGraph

EXACT = 1e-7


class Linear:
    """A linear model of an ADMG with random coefficients: what regressions show, and what the effects are."""

    def __init__(self, graph: MixedGraph, rng: np.random.Generator) -> None:
        size = graph.size
        self.graph = graph
        coefficients, sources = np.zeros((size, size)), [*np.eye(size)]  # the noise of each variable, hidden causes
        for edge in graph.edges():
            a, b = graph.index(edge.x), graph.index(edge.y)
            strength = rng.uniform(0.3, 0.9) * rng.choice([-1, 1])
            if edge.symbol == "<->":
                source = np.zeros(size)
                source[[a, b]] = strength, rng.uniform(0.3, 0.9)
                sources.append(source)
            elif edge.mark_y == Mark.ARROW:
                coefficients[b, a] = strength
            else:
                coefficients[a, b] = strength
        self.coefficients = coefficients
        self.sources = np.array(sources) @ np.linalg.inv(np.eye(size) - coefficients).T  # what each moves in all
        self.covariance = self.sources.T @ self.sources

    def effects(self, exposures: tuple[str, ...], outcome: str) -> np.ndarray:
        """The effects of setting all exposures."""
        places = [self.graph.index(x) for x in exposures]
        cut = self.coefficients.copy()
        cut[places] = 0
        total = np.linalg.inv(np.eye(self.graph.size) - cut)
        return np.asarray(total[self.graph.index(outcome), places])

    def regression(self, exposures: tuple[str, ...], outcome: str, given: tuple[str, ...]) -> np.ndarray:
        places = [self.graph.index(x) for x in (*exposures, *given)]
        y = self.graph.index(outcome)
        found = np.linalg.solve(self.covariance[np.ix_(places, places)], self.covariance[places, y])
        return np.asarray(found[: len(exposures)])

    def shows(self, exposures: tuple[str, ...], outcome: str, given: tuple[str, ...]) -> bool:
        difference = self.regression(exposures, outcome, given) - self.effects(exposures, outcome)
        return bool(np.abs(difference).max() < EXACT)

    def draw(self, rows: int, rng: np.random.Generator, *, skewed: bool = False) -> dict[str, np.ndarray]:
        """Rows of the model, with noise that is Gaussian, or exponential."""
        shape = (rows, len(self.sources))
        noise = rng.exponential(size=shape) - 1 if skewed else rng.normal(size=shape)
        values = noise @ self.sources
        return {name: values[:, self.graph.index(name)] for name in self.graph.names}
