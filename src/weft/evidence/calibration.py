"""The constants behind the weights of statements.

Written by ``python -m benchmarks.evidence fit``, whose docstring has the protocol. :mod:`weft.evidence.weights` says
what the models are, :mod:`weft.evidence.seen` what the features are.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

# fitted: begin
MODELS: Mapping[str, Mapping[str, float]] = MappingProxyType({})
# fitted: end
