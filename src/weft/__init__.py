"""weft: weave several studies that measured different but overlapping variables into one causal picture.

>>> import weft
>>> evidence = weft.oracle("X -> Y -> Z", studies=[["X", "Y"], ["Y", "Z"]])
>>> solutions = weft.solve(evidence)
>>> solutions.count()
1
>>> print(*solutions)
X -> Y; Y -> Z
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from weft.discover import discover, gather
from weft.version import __version__

if TYPE_CHECKING:
    from weft.errors import WeftError
    from weft.evidence.claims import Claim
    from weft.evidence.file import dump as dump_evidence
    from weft.evidence.file import load as load_evidence
    from weft.evidence.independence.api import independence
    from weft.evidence.networks import from_networks
    from weft.evidence.oracle import oracle
    from weft.evidence.orientation.api import orient
    from weft.evidence.statements import (
        Apart,
        Collider,
        Connected,
        Dependent,
        Evidence,
        Noncollider,
        Relation,
        Separated,
    )
    from weft.formats.files import read_graph, write_graph
    from weft.graphs.criteria import Structure
    from weft.graphs.mixed import MixedGraph
    from weft.knowledge.knowledge import Knowledge
    from weft.solutions.result_file import load_result
    from weft.solutions.solution_set import SolutionSet, solve
    from weft.studies.study import Study

__all__ = [
    "Apart",
    "Claim",
    "Collider",
    "Connected",
    "Dependent",
    "Evidence",
    "Knowledge",
    "MixedGraph",
    "Noncollider",
    "Relation",
    "Separated",
    "SolutionSet",
    "Structure",
    "Study",
    "WeftError",
    "__version__",
    "discover",
    "dump_evidence",
    "from_networks",
    "gather",
    "independence",
    "load_evidence",
    "load_result",
    "oracle",
    "orient",
    "read_graph",
    "solve",
    "write_graph",
]

# Where each name lives. They are imported when first used, so that the command line starts at once.
_HOMES = {
    "weft.errors": ("WeftError",),
    "weft.evidence.claims": ("Claim",),
    "weft.evidence.file": ("dump_evidence", "load_evidence"),
    "weft.evidence.independence.api": ("independence",),
    "weft.evidence.networks": ("from_networks",),
    "weft.evidence.oracle": ("oracle",),
    "weft.evidence.orientation.api": ("orient",),
    "weft.evidence.statements": (
        "Apart",
        "Collider",
        "Connected",
        "Dependent",
        "Evidence",
        "Noncollider",
        "Relation",
        "Separated",
    ),
    "weft.formats.files": ("read_graph", "write_graph"),
    "weft.graphs.criteria": ("Structure",),
    "weft.graphs.mixed": ("MixedGraph",),
    "weft.knowledge.knowledge": ("Knowledge",),
    "weft.solutions.result_file": ("load_result",),
    "weft.solutions.solution_set": ("SolutionSet", "solve"),
    "weft.studies.study": ("Study",),
}


def __getattr__(name: str) -> object:
    for module, names in _HOMES.items():
        if name in names:
            found: object = getattr(import_module(module), name.removesuffix("_evidence"))
            globals()[name] = found
            return found
    raise AttributeError(f"module 'weft' has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__
