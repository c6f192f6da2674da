"""The constants behind the weights of statements.

Written by ``python -m benchmarks.evidence fit``, whose docstring has the protocol. :mod:`weft.evidence.weights` says
what the models are, :mod:`weft.evidence.seen` what the features are.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# fitted: begin
MODELS: Mapping[str, Mapping[str, Mapping[str, float]]] = MappingProxyType(
    {
        "apart": {
            "numbers": {
                "intercept": 0.7965,
                "evidence": -1.168,
                "rows": -0.856,
                "freedom": 0,
                "size": -1.221,
                "tried": -0.01517,
                "variables": 1.121,
                "density": -0.2529,
                "dependent": 0.7707,
                "near": -0.3517,
                "neighbours": -0.4145,
                "strongest": 0.1411,
                "strength": 3.441,
                "path": 0.2362,
                "larger": 0,
            },
            "levels": {
                "intercept": -2.394,
                "evidence": -1.019,
                "rows": 0.1461,
                "freedom": 0.5565,
                "size": -1.382,
                "tried": -0.02175,
                "variables": 1.467,
                "density": 0.311,
                "dependent": -0.1013,
                "near": -0.3722,
                "neighbours": -0.1489,
                "strongest": 0.08043,
                "strength": 1.457,
                "path": 0.2088,
                "larger": 0.6087,
            },
        },
        "connected": {
            "numbers": {
                "intercept": 1.407,
                "evidence": 2.11,
                "tried": 0.5563,
                "answered": 0,
                "variables": -0.397,
                "rows": -0.2853,
                "freedom": 0,
                "strength": -0.4187,
                "larger": 0,
            },
            "levels": {
                "intercept": -2.177,
                "evidence": 0.6158,
                "tried": -0.306,
                "answered": 8.636,
                "variables": -0.6371,
                "rows": 0.03503,
                "freedom": -0.1267,
                "strength": -1.493,
                "larger": -0.3182,
            },
        },
        "separated": {
            "numbers": {
                "intercept": 3.838,
                "evidence": -1.168,
                "size": -0.3147,
                "strongest": -0.005759,
                "rival": 0.8596,
                "open": -1.05,
                "strength": 2.236,
                "rows": -0.4107,
                "freedom": 0,
                "dependent": 0.005474,
                "density": -0.1442,
                "variables": -2.265,
                "larger": 0,
            },
            "levels": {
                "intercept": 0.7851,
                "evidence": -1.236,
                "size": 0.564,
                "strongest": -0.1251,
                "rival": 0.7773,
                "open": -2.346,
                "strength": -0.02188,
                "rows": 0.5113,
                "freedom": 0.1069,
                "dependent": -2.039,
                "density": 0.6749,
                "variables": -1.648,
                "larger": -0.7741,
            },
        },
        "dependent": {
            "numbers": {
                "intercept": -1.575,
                "evidence": 2.464,
                "size": 0.7049,
                "rows": 0.9481,
                "strength": -3.97,
            },
            "levels": {
                "intercept": 0.05655,
                "evidence": 2.08,
                "size": 0.7447,
                "rows": -0.09488,
                "strength": -1.575,
            },
        },
    }
)
# fitted: end
