"""Where a value stands, for messages: each is one line that names the file or study, the column, the row, the value."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from weft.errors import Argument, StudyError

_LONGEST = 60


@dataclass(frozen=True)
class Source:
    """A table, as messages call it."""

    label: str
    """The file, or ``study 'a'``."""
    lines: Sequence[int] | None = None
    """For each row, the line of the file that it starts on."""

    def flaw(self, *what: str | Argument, column: str | None = None, row: int | None = None) -> StudyError:
        """The error that says what is wrong with the table, one of its columns or one of its values."""
        parts = [] if column is None else [f"column {shown(column)}"]
        if row is not None:
            parts.append(f"index {row}" if self.lines is None else f"line {self.lines[row]}")
        return StudyError("".join(f"{part}: " for part in (self.label, ", ".join(parts)) if part), *what)


def shown(value: object) -> str:
    """The value as a short Python literal: a single line, whatever it holds."""
    literal = ascii(value) if not str(value).isprintable() else repr(value)
    return literal if len(literal) <= _LONGEST else f"{literal[: _LONGEST - 4]}...{literal[0]}"


def listed(items: Iterable[str]) -> str:
    """Some items as a list in English.

    >>> listed(["a", "b", "c"])
    'a, b and c'
    """
    *rest, last = list(items) or ["none"]
    return f"{', '.join(rest)} and {last}" if rest else last
