"""The constants behind the weights of statements.

Written by ``python -m benchmarks.evidence fit``, whose docstring has the protocol. :mod:`weft.evidence.weights` says
what the models are, :mod:`weft.evidence.seen` what the features are.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# fitted: begin
MODELS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "apart": {
            "intercept": 0.05699,
            "evidence": -1.148,
            "rows": -0.5423,
            "freedom": 0.2918,
            "size": -1.126,
            "tried": -0.1264,
            "variables": 1.226,
            "density": 0.08124,
            "dependent": 0.4007,
            "near": -0.3667,
            "neighbours": -0.3074,
            "strongest": 0.1629,
            "strength": 2.876,
            "levels": -0.5877,
            "path": 0.2831,
        },
        "connected": {
            "intercept": -1.827,
            "evidence": 1.483,
            "tried": 0.2042,
            "answered": 7.442,
            "variables": -1.081,
            "rows": -0.4739,
            "freedom": -0.2062,
            "strength": -0.9399,
            "levels": -0.07168,
        },
        "separated": {
            "intercept": 3.237,
            "evidence": -1.158,
            "size": -0.01637,
            "strongest": -0.0364,
            "rival": 0.9005,
            "open": -1.412,
            "strength": 1.636,
            "rows": -0.3505,
            "freedom": 0.6335,
            "dependent": -0.8236,
            "density": 0.1164,
            "levels": -1.265,
            "variables": -1.854,
        },
        "dependent": {
            "intercept": -0.8108,
            "evidence": 2.316,
            "size": 0.6284,
            "rows": 0.4437,
            "levels": 0.1707,
            "strength": -2.951,
        },
    }
)
# fitted: end
