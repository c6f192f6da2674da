"""One question about arrays: `weft.independence`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from weft.errors import StudyError
from weft.evidence.arrays import columns_of, is_column
from weft.evidence.independence.protocol import IndependenceTest, Result, run
from weft.evidence.independence.registry import test_named
from weft.parallel import one_thread
from weft.reading.arguments import check_argument


def independence(
    x: Sequence[Any] | Any,
    y: Sequence[Any] | Any,
    given: Sequence[Any] | Any | None = None,
    test: str | IndependenceTest = "kcit",
    *,
    kinds: dict[str, str] | None = None,
    **settings: object,
) -> Result:
    """Test whether x and y are independent given some columns.

    Parameters
    ----------
    x, y
        One value per row: a list, an array, or a column of a data frame. Numbers or text; missing values are left out.
    given
        What to condition on: nothing, one column, an array with two dimensions (rows x columns), or a list of columns.
    test
        A test's name (see :mod:`weft.evidence.independence`) or the test itself.
    kinds
        ``continuous``, ``ordinal``, ``categorical`` or ``binary`` for the columns called ``x``, ``y``, ``given1``,
        ``given2``, ...; what is not said is detected as in a study.
    settings
        The test's settings.

    Examples
    --------
    >>> import numpy as np
    >>> z, e, f = np.random.default_rng(1).standard_normal((3, 400))
    >>> independence(z + e, z + f).p_value < 0.01, independence(z + e, z + f, z, test="fisher-z").p_value > 0.05
    (True, True)
    """
    if not hasattr(test, "settings"):
        check_argument("test", test, str, "the name of a test, such as 'kcit', or a test")
    if isinstance(test, str):
        test = test_named(test, **settings)
    elif settings:
        raise StudyError(f"the test {test.name!r} has its settings already; give settings only with a test's name")
    columns = {"x": x, "y": y} | {f"given{i}": one for i, one in enumerate(_columns(given), start=1)}
    first, second, *rest = columns_of(columns, kinds or {}, "weft.independence")
    with one_thread():
        return run(test, first, second, rest)


def _columns(given: Any) -> list[Any]:
    """The columns to condition on, one by one."""
    import numpy as np

    if given is None:
        return []
    if hasattr(given, "iter_columns") or hasattr(given, "columns"):  # a data frame
        return [given[name] for name in given.columns]
    if isinstance(given, np.ndarray):
        if given.ndim > 2:
            raise StudyError(f"'given' has {given.ndim} dimensions; give rows x columns, or a list of columns")
        return list(given.T) if given.ndim == 2 else [given]
    listed = list(given)
    if all(is_column(one) for one in listed):
        return listed
    return [listed]
