"""Every exception that weft raises on purpose.

Each message is one line that says what is wrong, where, and what to do. The command line prints it and exits with
code 2 (4 for a :class:`WorkerError`); a Python user can catch :class:`WeftError` to catch them all.

A message may name an argument that puts things right. Python calls it ``drop=['id']`` and the command line ``--drop
id``, so a message is made of parts, and an :class:`Argument` is a part that is worded by whoever shows the message.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Argument:
    """An argument of weft's functions that a message speaks of, and the value that it should have or has.

    As text it is what one writes in Python.

    >>> print(Argument("drop", ["id"]), Argument("kinds", {"size": ["S", "M"]}), Argument("missing"))
    drop=['id'] kinds={'size': ['S', 'M']} missing=
    """

    keyword: str
    value: str | list[str] | Mapping[str, str | list[str] | None] | None = None
    """``None`` where only the argument's name is meant; for the kind of a column, where it is not known."""

    def __str__(self) -> str:
        if isinstance(self.value, Mapping):
            kinds = ", ".join(f"{name!r}: {'...' if kind is None else repr(kind)}" for name, kind in self.value.items())
            return f"{self.keyword}={{{kinds}}}"
        return f"{self.keyword}={'' if self.value is None else repr(self.value)}"


class WeftError(Exception):
    """Something about the input that the user can put right.

    >>> error = WeftError("column 'id' tells rows apart; leave it out with ", Argument("drop", ["id"]))
    >>> print(error)
    column 'id' tells rows apart; leave it out with drop=['id']
    >>> error.remedies
    (Argument(keyword='drop', value=['id']),)
    """

    def worded(self, spell: Callable[[Argument], str] = str) -> str:
        """The message, with every argument spelled in that way."""
        return "".join(spell(part) if isinstance(part, Argument) else part for part in self._message)

    @property
    def each(self) -> tuple[WeftError, ...]:
        """What is wrong, one by one; see :class:`StudyErrors`."""
        return (self,)

    @property
    def remedies(self) -> tuple[Argument, ...]:
        """The arguments that the message speaks of."""
        return tuple(part for part in self._message if isinstance(part, Argument))

    @property
    def _message(self) -> tuple[str | Argument, ...]:
        """What an error carries besides (as :class:`weft.evidence.statements.FlawError` does) is no part of it."""
        return tuple(part for part in self.args if isinstance(part, str | Argument))

    def __str__(self) -> str:
        return self.worded()


class GraphError(WeftError):
    """A graph that cannot be read, or that is not of the kind an operation needs."""


class StudyError(WeftError):
    """A table or a column that cannot be used as it is."""


class StudyErrors(StudyError):
    """Several things that are wrong with tables, all told at once: a line each.

    >>> print(StudyErrors(StudyError("a.csv: no rows"), StudyError("b.csv: no header")))
    a.csv: no rows
    b.csv: no header
    """

    @property
    def each(self) -> tuple[WeftError, ...]:
        """The errors one by one."""
        return tuple(inner for one in self.args for inner in one.each)

    def worded(self, spell: Callable[[Argument], str] = str) -> str:
        """One message a line."""
        return "\n".join(one.worded(spell) for one in self.each)

    @property
    def remedies(self) -> tuple[Argument, ...]:
        """The arguments that the messages speak of."""
        return tuple(remedy for one in self.each for remedy in one.remedies)


class EvidenceError(WeftError):
    """Evidence that contradicts its own declarations, or an evidence file that cannot be read."""


class ProblemError(WeftError):
    """A question that an engine cannot take: unknown method, claim or engine, or a problem beyond its size."""


class WorkerError(WeftError):
    """The processes or the cluster that jobs ran on were lost; the input is not at fault."""
