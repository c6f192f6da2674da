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

from functools import partial

from weft.errors import ProblemError
from weft.reading.names import meant
from weft.search.asp import Asp, AspSearch
from weft.search.brute import Brute
from weft.search.engine import Engine
from weft.search.enumeration import EnumeratingSearch
from weft.search.powerset import Powerset
from weft.search.problem import Problem
from weft.search.repaired import RepairedSearch
from weft.search.search import Search

ENGINES: dict[str, Engine] = {engine.name: engine for engine in (Asp(), Powerset(), Brute())}
"""The engines by their names."""


CONFLICTS = ("hard", "repair")
"""What can be done about statements that contradict each other."""


def open_search(
    engine: str, problem: Problem, *, conflicts: str = "hard", slack: float = 0.0, coverage: float | None = None
) -> Search:
    """A search with the engine of that name, which can be asked several questions about one problem.

    With ``conflicts="repair"``, statements with a weight may be given up, and its solutions are those of the least
    total weight given up, or of at most ``slack`` more, or of as much more as ``coverage`` asks for.
    """
    if engine not in tuple(ENGINES):  # whatever it is: not everything can be looked up in a dictionary
        raise ProblemError(f"there is no engine {engine!r}; choose one of {', '.join(ENGINES)}{meant(engine, ENGINES)}")
    if conflicts not in CONFLICTS:
        raise ProblemError(f"there is no way {conflicts!r} to take conflicts; choose one of {', '.join(CONFLICTS)}")
    if conflicts == "repair":
        return RepairedSearch(problem, slack, partial(_open_hard, engine), coverage)
    return _open_hard(engine, problem)


def _open_hard(engine: str, problem: Problem) -> AspSearch | EnumeratingSearch:
    return AspSearch(problem) if engine == Asp.name else EnumeratingSearch(ENGINES[engine], problem)
