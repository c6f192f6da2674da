"""Every exception that weft raises on purpose.

Each message is one line that says what is wrong, where, and what to do. The command line prints it and exits with
code 2 (4 for a :class:`WorkerError`); a Python user can catch :class:`WeftError` to catch them all.
"""

from __future__ import annotations


class WeftError(Exception):
    """Something about the input that the user can put right."""


class GraphError(WeftError):
    """A graph that cannot be read, or that is not of the kind an operation needs."""


class StudyError(WeftError):
    """A table or a column that cannot be used as it is."""


class EvidenceError(WeftError):
    """Evidence that contradicts its own declarations, or an evidence file that cannot be read."""


class ProblemError(WeftError):
    """A question that an engine cannot take: unknown method, claim or engine, or a problem beyond its size."""


class WorkerError(WeftError):
    """The processes or the cluster that jobs ran on were lost; the input is not at fault."""
