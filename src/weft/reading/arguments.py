"""What Python users pass: a value of the wrong type is refused where it enters, by the name of its argument."""

from __future__ import annotations

import os
from collections.abc import Callable
from numbers import Integral, Real
from typing import Any

from weft.errors import WeftError
from weft.reading.names import printable

_LONGEST = 60


class ArgumentError(WeftError, TypeError):
    """An argument of the wrong type; a TypeError too, as Python users expect."""


def check_argument(name: str, value: object, kind: type | tuple[type, ...], wanted: str) -> None:
    """Refuse a value that is of none of these kinds; True and False are no numbers.

    >>> check_argument("limit", 2.5, (int, type(None)), "a whole number, or None")
    Traceback (most recent call last):
    weft.reading.arguments.ArgumentError: limit is 2.5; give a whole number, or None
    """
    kinds = kind if isinstance(kind, tuple) else (kind,)
    if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
        raise ArgumentError(f"{name} is {_shown(value)}; give {wanted}")


def check_whole(name: str, value: object, or_none: str = "") -> None:
    """Refuse what is not a whole number, nor None if something is said that None means."""
    wanted = f"a whole number{f', or None {or_none}' if or_none else ''}"
    check_argument(name, value, (Integral, type(None)) if or_none else Integral, wanted)


def check_number(name: str, value: object, or_none: str = "") -> None:
    """Refuse what is not a number, nor None if something is said that None means."""
    wanted = f"a number{f', or None {or_none}' if or_none else ''}"
    check_argument(name, value, (Real, type(None)) if or_none else Real, wanted)


def check_path(name: str, value: object) -> None:
    """Refuse what is no path to write to."""
    check_argument(name, value, (str, os.PathLike), "the path of a file")


def check_callable(name: str, value: Callable[..., Any] | None, wanted: str) -> None:
    """Refuse what can neither be called nor is None."""
    if value is not None and not callable(value):
        raise ArgumentError(f"{name} is {_shown(value)}; give {wanted}, or None")


def _shown(value: object) -> str:
    """The value in one short line."""
    text = printable(" ".join(repr(value).split()))
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 3]}..."
