"""The engines by name. Add a new one here.

=============== ============================= ========================================================================
engine          module                        how
=============== ============================= ========================================================================
``asp``         :mod:`weft.search.asp`        answer set programming (clingo); the default, for problems of any size
``powerset``    :mod:`weft.search.powerset`   the paper's search, step by step; for comparison, few variables
``brute``       :mod:`weft.search.brute`      every MAG, checked one by one; at most five variables
=============== ============================= ========================================================================
"""

from __future__ import annotations

from weft.errors import ProblemError
from weft.search.asp import Asp, AspSearch
from weft.search.brute import Brute
from weft.search.engine import Engine
from weft.search.enumeration import EnumeratingSearch
from weft.search.powerset import Powerset
from weft.search.problem import Problem

ENGINES: dict[str, Engine] = {engine.name: engine for engine in (Asp(), Powerset(), Brute())}
"""The engines by their names."""


def open_search(name: str, problem: Problem) -> AspSearch | EnumeratingSearch:
    """A search with the engine of that name, which can be asked several questions about one problem."""
    if name not in ENGINES:
        raise ProblemError(f"there is no engine {name!r}; choose one of {', '.join(ENGINES)}")
    return AspSearch(problem) if name == Asp.name else EnumeratingSearch(ENGINES[name], problem)
