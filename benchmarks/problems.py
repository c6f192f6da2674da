"""The problems that are timed. Every one is determined by its size and its seed."""

from __future__ import annotations

from dataclasses import asdict, dataclass

import numpy

from weft import Evidence, oracle
from weft.graphs.mixed import MixedGraph
from weft.graphs.simulate import random_admg, random_dag, split_into_studies

SYNTHETIC_2 = "Y -> X; Y -> Z; Z -> W; W -> V; S -> V"
SYNTHETIC_2_STUDIES = ("XYZ", "ZWSV")


@dataclass(frozen=True)
class Family:
    """Random graphs of one kind, split at random into studies that share some variables, with perfect tests."""

    variables: int
    studies: int
    overlap: int
    degree: float = 2
    """Mean number of directed edges per variable."""
    confounding: float = 0
    """Mean number of bidirected edges per variable."""
    method: str = "causal-iod"

    def evidence(self, seed: int) -> Evidence:
        """What an oracle says of the graph that the seed determines."""
        return oracle(*self.drawn(seed))

    def drawn(self, seed: int) -> tuple[MixedGraph, list[tuple[str, ...]]]:
        """The graph, and the variables of each study."""
        rng = numpy.random.default_rng(seed)
        graph = self._graph(rng)
        return graph, list(split_into_studies(graph.names, rng, studies=self.studies, overlap=self.overlap))

    def _graph(self, rng: numpy.random.Generator) -> MixedGraph:
        if not self.confounding:
            return random_dag(self.variables, rng, mean_degree=self.degree)
        return random_admg(self.variables, rng, mean_degree=self.degree, mean_bidirected_degree=self.confounding)

    def as_dict(self) -> dict[str, object]:
        """The family as plain values, to hand to another process."""
        return asdict(self)

    def __str__(self) -> str:
        shown = f"{self.variables} variables, {self.studies} studies, overlap {self.overlap}"
        return f"{shown}, latent" if self.confounding else shown


def synthetic_2() -> Evidence:
    """The paper's second synthetic problem, in the split that DESIGN.md fixes."""
    return oracle(SYNTHETIC_2, [list(study) for study in SYNTHETIC_2_STUDIES])
