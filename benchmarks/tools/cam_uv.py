"""CAM-UV of the package lingam on each study alone, in an environment of its own: it wants an older numpy."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.tools import NUMBERS, Said, StoppedError
from benchmarks.tools.pag import claims_of
from weft.graphs.mixed import Edge, Mark, MixedGraph
from weft.studies import Study

PLACE = "LINGAM_PYTHON"
"""A variable of the environment: the Python that has lingam."""
HERE = Path(__file__).resolve().parents[2] / "build" / "lingam" / "bin" / "python"
"""Where that Python is looked for otherwise."""

_FIT = """
import json, sys, warnings
import lingam, numpy
warnings.simplefilter("ignore")
matrices = [lingam.CAMUV().fit(numpy.array(table)).adjacency_matrix_ for table in json.load(sys.stdin)]
print(json.dumps([[[None if one != one else one for one in row] for row in matrix.tolist()] for matrix in matrices]))
"""


@dataclass(frozen=True)
class CamUv:
    """Additive noise models with unobserved variables (Maeda and Shimizu 2021)."""

    name: str = "CAM-UV, each study alone"
    about: str = (
        "CAM-UV (lingam) on each study by itself, at its defaults; for numbers only. What it calls a parent is an edge "
        "`->`, a pair with an unobserved path an open edge `o-o`; claims are then made as for FCI."
    )
    takes: frozenset[str] = frozenset({NUMBERS})
    says_how_sure: bool = False

    def missing(self) -> str:
        return (
            "" if lingam_python() else f"lingam is not there; make an environment for it and set {PLACE} to its Python"
        )

    def version(self) -> str:
        command = [lingam_python(), "-c", "from importlib.metadata import version; print(version('lingam'))"]
        return f"lingam {subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()}"

    def claims(self, studies: Sequence[Study]) -> Iterator[Said]:
        tables = [np.column_stack([column.values for column in study.columns]).tolist() for study in studies]
        for study, matrix in zip(studies, fitted(tables), strict=True):
            yield from claims_of(graph_of(study.variables, matrix))


@cache
def lingam_python() -> str:
    """The Python that has lingam; empty if there is none."""
    if find_spec("lingam") is not None:
        return sys.executable
    place = os.environ.get(PLACE, str(HERE))
    return place if Path(place).exists() else ""


def fitted(tables: Any) -> Any:
    """For each table the matrix of CAM-UV: at (i, j) 1 if j is a parent of i, ``None`` if the pair is confounded."""
    done = subprocess.run([lingam_python(), "-c", _FIT], input=json.dumps(tables), capture_output=True, text=True)
    if done.returncode == -signal.SIGXCPU:
        raise StoppedError
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])
    return json.loads(done.stdout)


def graph_of(names: Sequence[str], matrix: Sequence[Sequence[float | None]]) -> MixedGraph:
    """Parents as ``->``, confounded pairs as ``o-o``.

    >>> print(graph_of("XYZ", [[0, 0, None], [1, 0, 0], [None, 0, 0]]))
    X -> Y; X o-o Z
    """
    edges = []
    for i, j in combinations(range(len(names)), 2):
        if matrix[i][j] is None:
            edges.append(Edge(names[i], Mark.CIRCLE, Mark.CIRCLE, names[j]))
        elif matrix[j][i]:
            edges.append(Edge(names[i], Mark.TAIL, Mark.ARROW, names[j]))
        elif matrix[i][j]:
            edges.append(Edge(names[j], Mark.TAIL, Mark.ARROW, names[i]))
    return MixedGraph.build(names, edges)


TOOL = CamUv()
