"""One question about two arrays: `weft.orient`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from weft.errors import StudyError
from weft.evidence.arrays import columns_of
from weft.evidence.orientation.protocol import LEAST_CONFIDENCE, OrientationMethod, Verdict, run
from weft.evidence.orientation.registry import method_named
from weft.parallel import one_thread
from weft.reading.arguments import check_argument


def orient(
    x: Sequence[Any] | Any,
    y: Sequence[Any] | Any,
    method: str | OrientationMethod = "auto",
    *,
    sufficient: bool = False,
    least_confidence: float = LEAST_CONFIDENCE,
    kinds: Mapping[str, str] | None = None,
    **settings: object,
) -> Verdict:
    """Judge which causal structure a pair of dependent variables has.

    Parameters
    ----------
    x, y
        One value per row: a list, an array, or a column of a data frame. Rows with a missing value are left out.
    method
        A method's name (see :mod:`weft.evidence.orientation`) or the method itself.
    sufficient
        Whether x and y are known to have no common cause. A method of direction cannot see one: its verdict "x causes
        y" then excludes the confounded structures, and otherwise allows them.
    least_confidence
        The verdict is undecided if the confidence in the direction is lower than this.
    kinds
        ``continuous``, ``ordinal``, ``categorical`` or ``binary`` for ``x`` and ``y``; detected if not given.
    settings
        The method's settings.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> x = rng.normal(size=1000)
    >>> verdict = orient(x, np.exp(x) + rng.uniform(size=1000))
    >>> sorted(map(str, verdict.allowed)), str(verdict.forced), verdict.confidence > 0.9
    (['->', '-> & <->'], '->', True)
    """
    if not hasattr(method, "settings"):
        check_argument("method", method, str, "the name of a method, such as 'auto', or a method")
    if isinstance(method, str):
        method = method_named(method, **settings)
    elif settings:
        raise StudyError(
            f"the method {method.name!r} has its settings already; give settings only with a method's name"
        )
    first, second = columns_of({"x": x, "y": y}, kinds or {}, "weft.orient")
    with one_thread():
        return run(method, first, second, sufficient=sufficient, least_confidence=least_confidence)
