"""FCI of causal-learn, on one table, and on one with holes."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import PackageNotFoundError, version
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.studies import Column, Study

Floats = NDArray[np.float64]

ALPHA = 0.01
"""The level of every test: weft's default."""
_MARKS = {-1: Mark.TAIL, 1: Mark.ARROW, 2: Mark.CIRCLE}


def missing() -> str:
    """Why FCI cannot run; empty if it can."""
    return "" if installed() else "causal-learn is not installed; pip install 'weft[bench]'"


def installed() -> str:
    """The version of causal-learn; empty if it is not there."""
    try:
        return version("causal-learn")
    except PackageNotFoundError:
        return ""


def usual_test(studies: Sequence[Study]) -> str:
    """Chi-square for levels, Fisher-z for numbers."""
    return "chisq" if any(column.levels for study in studies for column in study.columns) else "fisherz"


def pag_of(names: Sequence[str], table: Floats, test: str) -> MixedGraph:
    """What FCI makes of a table."""
    from causallearn.search.ConstraintBased.FCI import fci

    found, _ = fci(table, test, ALPHA, show_progress=False, verbose=False)
    return graph_of(names, found.graph)


def graph_of(names: Sequence[str], ends: Any) -> MixedGraph:
    """The graph of causal-learn's matrix: at (i, j) the mark at i of the edge between i and j, 0 if there is none.

    >>> print(graph_of("XYZ", np.array([[0, -1, 0], [1, 0, 2], [0, 1, 0]])))
    X -> Y; Y o-> Z
    """
    edges = (
        Edge(names[i], _MARKS[int(ends[i][j])], _MARKS[int(ends[j][i])], names[j])
        for i, j in combinations(range(len(names)), 2)
        if ends[i][j]
    )
    return MixedGraph.build(names, edges)


def joined(studies: Sequence[Study]) -> tuple[tuple[str, ...], Floats]:
    """One table of all rows and all variables; NaN where a study did not measure the variable.

    Levels are numbered alike for all studies.
    """
    names = tuple(sorted({name for study in studies for name in study.variables}))
    levels = {
        name: sorted(
            {one for study in studies for column in study.columns if column.name == name for one in column.levels}
        )
        for name in names
    }
    parts = []
    for study in studies:
        part = np.full((len(study.columns[0].values), len(names)), np.nan)
        for column in study.columns:
            part[:, names.index(column.name)] = _recoded(column, levels[column.name])
        parts.append(part)
    return names, np.vstack(parts)


def _recoded(column: Column, levels: Sequence[str]) -> Floats:
    if not levels:
        return column.values
    codes = np.array([levels.index(one) for one in column.levels], dtype=np.float64)
    return codes[column.values.astype(np.intp)]


def register_with_holes(test: str) -> str:
    """A test that looks at the rows that have all of its variables; where there are none, nothing is independent.

    Returns the name under which causal-learn knows it.
    """
    from causallearn.utils.cit import CIT, CIT_Base, register_ci_test

    class WithHoles(CIT_Base):  # type: ignore[misc]
        method = f"{test} with holes"

        def __init__(self, data: Floats, **options: Any) -> None:
            super().__init__(data, **options)
            self.patterns = np.unique(~np.isnan(data), axis=0)  # one for each study, and far fewer than rows

        def __call__(self, x: int, y: int, given: Sequence[int] | None = None) -> float:
            columns = [int(x), int(y), *(int(one) for one in given or ())]
            if not self.patterns[:, columns].all(axis=1).any():
                return 0.0
            rows = self.data[:, columns]
            complete = rows[~np.isnan(rows).any(axis=1)]
            return float(CIT(complete, method=test)(0, 1, list(range(2, len(columns)))))

    register_ci_test(WithHoles.method, WithHoles)
    return str(WithHoles.method)
