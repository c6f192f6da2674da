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
            },
            "levels": {
                "intercept": -2.564,
                "evidence": -1.058,
                "rows": 0.1873,
                "freedom": 0.596,
                "size": -1.044,
                "tried": -0.288,
                "variables": 1.544,
                "density": 0.2693,
                "dependent": -0.1166,
                "near": -0.2976,
                "neighbours": -0.0939,
                "strongest": 0.05797,
                "strength": 1.217,
                "path": 0.2499,
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
            },
            "levels": {
                "intercept": -0.2515,
                "evidence": 1.095,
                "tried": -0.1211,
                "answered": 6.811,
                "variables": -1.036,
                "rows": -0.2435,
                "freedom": 0.01214,
                "strength": -1.688,
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
            },
            "levels": {
                "intercept": 0.9723,
                "evidence": -1.283,
                "size": 0.5936,
                "strongest": -0.1163,
                "rival": 0.8863,
                "open": -2.495,
                "strength": -0.7289,
                "rows": 0.5648,
                "freedom": 0.532,
                "dependent": -2.452,
                "density": 0.3738,
                "variables": -2.102,
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
                "intercept": -0.05782,
                "evidence": 2.073,
                "size": 0.6514,
                "rows": -0.2348,
                "strength": -0.9843,
            },
        },
    }
)
# fitted: end
