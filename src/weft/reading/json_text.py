"""Strict JSON: what a reader could take in two ways is refused, with the line that it stands on.

Python's own reader lets the last of two equal keys win and takes ``NaN`` for a number. Here both are mistakes, and so
are lists within lists without end and whole numbers of thousands of digits, which nobody writes on purpose.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator
from typing import Any, NoReturn

from weft.errors import WeftError
from weft.reading.files import text_of


def decoded(content: str | bytes, error: type[WeftError]) -> Any:
    r"""The value that JSON in UTF-8 says.

    >>> decoded('{"a": 1,\n "a": 2}', WeftError)
    Traceback (most recent call last):
    weft.errors.WeftError: line 2: the key 'a' appears twice; keep one of the two
    """
    text = text_of(content, error)
    if not text.strip():
        raise error("the file is empty; JSON is expected")
    try:
        return json.loads(text, object_pairs_hook=_object_of, parse_constant=_refused)
    except json.JSONDecodeError as flaw:
        raise error(f"line {flaw.lineno}, column {flaw.colno}: this is not JSON: {flaw.msg}") from None
    except RecursionError:
        raise error("this JSON cannot be read: it is nested too deeply") from None
    except ValueError:
        raise error(next(_flaws(text))) from None


def _object_of(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a key appears twice")
    return found


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a number in JSON")


# -- where it is wrong -------------------------------------------------------------------------------------------------
# Python's reader does not say where a key is repeated. It has read the text, so that only a few kinds of words matter.

_WORD = re.compile(r'"(?:[^"\\]|\\.)*+"|[{}\[\]:]|NaN|-?Infinity|-?\d++(?![.eE])', re.DOTALL)


def _flaws(text: str) -> Iterator[str]:
    """What is wrong with a text that is JSON but for that, from top to bottom."""
    keys: list[set[str]] = []  # of each object, or list, that is open
    last, line, end = "", 1, 0
    for match in _WORD.finditer(text):
        word = match[0]
        line, end = line + text.count("\n", end, match.start()), match.start()
        if word in "{[":
            keys.append(set())
        elif word in "]}":
            keys.pop()
        elif word == ":":
            key = json.loads(last) if "\\" in last else last[1:-1]
            if key in keys[-1]:
                yield f"line {line}: the key {key!r} appears twice; keep one of the two"
            keys[-1].add(key)
        elif word.endswith(("NaN", "Infinity")):
            yield f"line {line}: {word} is not a number in JSON; write a number, or leave it out"
        elif word[0] != '"' and len(word) > sys.get_int_max_str_digits() > 0:
            yield f"line {line}: this JSON cannot be read: a number in it has too many digits"
        last = word
