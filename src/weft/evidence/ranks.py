"""Ranks; a module of its own, since ``scipy.stats``, which has them too, takes a second to import."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def mean_ranks(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """The ranks from 1 on; equal values share the mean of theirs.

    >>> mean_ranks(np.array([3.0, 1.0, 3.0, 7.0])).tolist()
    [2.5, 1.0, 2.5, 4.0]
    """
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(counts) - (counts - 1) / 2)[place], dtype=np.float64)
