"""The experiments by name, in the order of the paper's Table 2. Add a new one here."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from weft.reproduce import cancer, overlap, protein, sample_size, synthetic
from weft.reproduce.runner import Experiment

_ALL = (
    synthetic.experiment("synthetic1"),
    synthetic.experiment("synthetic2"),
    overlap.EXPERIMENT,
    sample_size.EXPERIMENT,
    protein.EXPERIMENT,
    cancer.EXPERIMENT,
)

EXPERIMENTS: Mapping[str, Experiment] = MappingProxyType({one.name: one for one in _ALL})
"""The experiments by their names."""
