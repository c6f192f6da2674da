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
            "intercept": -0.371,
            "evidence": -1.076,
            "rows": -0.4644,
            "freedom": 0.2285,
            "size": -0.9931,
            "tried": -0.2545,
            "variables": 1.703,
            "density": 0.315,
            "dependent": 0.4659,
            "near": -0.3413,
            "neighbours": -0.2639,
            "strongest": 0.138,
            "strength": 2.295,
            "levels": -0.6036,
            "path": 0.3362,
        },
        "connected": {
            "intercept": -1.131,
            "evidence": 1.257,
            "tried": 0.244,
            "answered": 7.236,
            "variables": -1.431,
            "rows": -0.3429,
            "freedom": -0.1275,
            "strength": -0.8523,
            "levels": -0.08189,
        },
        "separated": {
            "intercept": 2.554,
            "evidence": -1.193,
            "size": 0.167,
            "strongest": -0.1174,
            "rival": 1.045,
            "open": -1.22,
            "strength": 1.418,
            "rows": -0.4386,
            "freedom": 0.4181,
            "dependent": -1.369,
            "density": 0.6289,
            "levels": -1.251,
            "variables": -1.268,
        },
        "dependent": {
            "intercept": -0.342,
            "evidence": 2.265,
            "size": 0.4625,
            "rows": 0.0954,
            "levels": 0.4013,
            "strength": -2.082,
        },
    }
)
# fitted: end
