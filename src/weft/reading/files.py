"""What is in a file or a stream, and what to say where it cannot be read or written.

A reader passes the class of its own errors, so that a message looks the same wherever the file goes.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import IO

from weft.errors import WeftError
from weft.reading.arguments import ArgumentError
from weft.reading.names import meant, printable

Place = str | os.PathLike[str] | IO[str] | IO[bytes]
"""A path, or a stream that is open."""

A_DIRECTORY = "this is a directory; name a file"
NO_FILE = "there is no such file"
NO_DIRECTORY = "there is no such directory to write to"


def label_of(place: Place) -> str:
    r"""What messages call a path or a stream; nothing if a stream has no name.

    >>> print(label_of("two\nlines.csv"))
    two\nlines.csv
    """
    name = os.fspath(place) if isinstance(place, str | os.PathLike) else getattr(place, "name", "")
    if not isinstance(name, str):  # the number of a stream
        return ""
    if not name and isinstance(place, str | os.PathLike):
        return "''"
    return {"<stdin>": "standard input", "<stdout>": "standard output"}.get(name, printable(name))


def read(source: Place, error: type[WeftError]) -> str | bytes:
    """What is in a file or a stream."""
    if not isinstance(source, str | os.PathLike) and not hasattr(source, "read"):
        raise ArgumentError(f"{source!r} is no file; give a path, or a file that is open")
    try:
        return Path(source).read_bytes() if isinstance(source, str | os.PathLike) else source.read()
    except (OSError, ValueError) as failure:  # ValueError: a name with a zero byte, a stream of text that is not UTF-8
        raise error(f"{label_of(source) or 'the stream'}: {why_not_read(failure)}") from None


def text_of(content: str | bytes, error: type[WeftError]) -> str:
    """The content as text: bytes are UTF-8, and a byte order mark is left out."""
    try:
        text = content if isinstance(content, str) else content.decode("utf-8")
    except UnicodeDecodeError as failure:
        raise error(_not_unicode(failure)) from None
    return text.removeprefix("\ufeff")


def why_not_read(failure: OSError | ValueError) -> str:
    """Why a file could not be read, and what to do if that is not obvious."""
    if isinstance(failure, UnicodeDecodeError):
        return _not_unicode(failure)
    return f"{NO_FILE}{_similar(failure.filename)}" if isinstance(failure, FileNotFoundError) else _reason(failure)


def _similar(path: object) -> str:
    """The file in the same folder that may be meant."""
    if not isinstance(path, str | os.PathLike):
        return ""
    wanted = Path(path)
    try:
        return meant(wanted.name, [one.name for one in wanted.parent.iterdir()])
    except OSError:
        return ""


def why_not_written(failure: OSError | ValueError) -> str:
    """Why a file could not be written, and what to do if that is not obvious."""
    return NO_DIRECTORY if isinstance(failure, FileNotFoundError) else _reason(failure)


def _reason(failure: OSError | ValueError) -> str:
    if isinstance(failure, IsADirectoryError):
        return A_DIRECTORY
    return str(getattr(failure, "strerror", None) or failure).lower()


def _not_unicode(failure: UnicodeDecodeError) -> str:
    line = failure.object.count(b"\n", 0, failure.start) + 1
    return f"line {line}: not UTF-8 text (at byte {failure.start}); save the file as UTF-8"
