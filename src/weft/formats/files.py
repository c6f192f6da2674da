"""Reading and writing graphs in any format: files, open streams, and text."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

from weft.errors import Argument, GraphError
from weft.formats.names import refuse_broken_unicode
from weft.formats.registry import FORMATS, Format
from weft.graphs.mixed import MixedGraph
from weft.reading.files import Place, label_of, read, text_of, why_not_written
from weft.reading.names import meant


def read_graph(source: Place, format: str | None = None) -> MixedGraph:
    """Read a graph from a path or an open stream.

    Parameters
    ----------
    source
        A path, or a stream of text or bytes. Text is UTF-8.
    format
        A name in :data:`~weft.formats.registry.FORMATS`. If not given, the suffix of the name tells, or else the
        content. A matrix is never guessed: a ``.csv`` is taken for a table of edges.

    Raises
    ------
    GraphError
        If the file cannot be read or is not what it should be; the message starts with its name.
    """
    name, content = label_of(source), read(source, GraphError)
    try:
        chosen = _readable(format) if format is not None else _guessed(name, content)
        return _graph(content, chosen)
    except GraphError as error:
        raise GraphError(*((f"{name}: ",) if name else ()), *error.args) from None


def reads(text: str, format: str | None = None) -> MixedGraph:
    """The graph that a text says; the format is told by the text if not given.

    >>> print(reads("X -> Y; Y <-> Z"))
    X -> Y; Y <-> Z
    """
    return _graph(text, _readable(format) if format is not None else _guessed("", text))


def write_graph(graph: MixedGraph, target: Place, format: str | None = None) -> None:
    """Write a graph to a path or an open stream; nothing is written if the format cannot hold the graph.

    Parameters
    ----------
    graph
        What to write.
    target
        A path, or a stream of text or bytes. Text is UTF-8.
    format
        A name in :data:`~weft.formats.registry.FORMATS`. If not given, the suffix of the name tells; ``.csv`` is a
        table of edges, never a matrix.

    Raises
    ------
    GraphError
        If the format is not known, cannot hold the graph, or the file cannot be written.
    """
    name = label_of(target)
    try:
        content = _content(graph, _writable(format) if format is not None else _by_suffix(name))
        _write(content, target)
    except GraphError as error:
        raise GraphError(*((f"{name}: ",) if name else ()), *error.args) from None


def writes(graph: MixedGraph, format: str) -> str:
    """The graph as text of a format.

    >>> print(writes(MixedGraph.parse("X o-> Y"), "dagitty"), end="")
    pag {
    X @-> Y
    }
    """
    content = _content(graph, _writable(format))
    if not isinstance(content, str):
        raise GraphError(f"{format} is not text; write it to a file")
    return content


# -- which format ----------------------------------------------------------------------------------------------------


def _known(name: str) -> Format:
    if name not in FORMATS:
        known = meant(name, FORMATS) or f"; there are {', '.join(FORMATS)}"
        raise GraphError(f"there is no format {name!r}{known}")
    return FORMATS[name]


def _readable(name: str) -> Format:
    chosen = _known(name)
    if chosen.read is None:
        raise GraphError(f"weft writes {name}, and does not read it; it reads {_list(lambda f: f.read)}")
    return chosen


def _writable(name: str) -> Format:
    chosen = _known(name)
    if chosen.write is None:
        raise GraphError(f"weft reads {name}, and does not write it; it writes {_list(lambda f: f.write)}")
    return chosen


def _list(use: Callable[[Format], object]) -> str:
    return ", ".join(name for name, format in FORMATS.items() if use(format) is not None)


def _with_suffix(name: str) -> list[Format]:
    suffix = os.path.splitext(name)[1].lower()
    return [format for format in FORMATS.values() if suffix in format.suffixes]


def _guessed(name: str, content: str | bytes) -> Format:
    """The format of what is read: by the name if that decides, or else the first that the content looks like."""
    candidates = _with_suffix(name)
    if len(candidates) == 1:
        return _readable(candidates[0].name)
    if isinstance(content, bytes) and content.startswith(b"PAR1"):
        return FORMATS["parquet"]
    text = text_of(content, GraphError)
    for format in FORMATS.values():
        if format.looks is not None and format.looks(text):
            return format
    raise GraphError(
        "the format cannot be told (a matrix is never guessed); name it with ",
        Argument("format"),
        f", one of {_list(lambda f: f.read)}",
    )


def _by_suffix(name: str) -> Format:
    candidates = _with_suffix(name)
    if len(candidates) == 1:
        return _writable(candidates[0].name)
    what = f"may be {' or '.join(format.name for format in candidates)}" if candidates else "cannot be told by the name"
    raise GraphError(f"the format {what}; name it with ", Argument("format"), f", one of {_list(lambda f: f.write)}")


# -- content ---------------------------------------------------------------------------------------------------------


def _graph(content: str | bytes, format: Format) -> MixedGraph:
    assert format.read is not None  # see _readable
    if not format.binary:
        return format.read(text_of(content, GraphError))
    if isinstance(content, str):
        raise GraphError(f"{format.name} is not text; open the file as bytes")
    return format.read(content)


def _content(graph: MixedGraph, format: Format) -> str | bytes:
    assert format.write is not None  # see _writable
    refuse_broken_unicode(graph)
    content: str | bytes = format.write(graph)
    return content


# -- paths and streams -----------------------------------------------------------------------------------------------


def _write(content: str | bytes, target: Place) -> None:
    data = content.encode("utf-8") if isinstance(content, str) else content
    try:
        if isinstance(target, str | os.PathLike):
            Path(target).write_bytes(data)
        else:
            _write_to_stream(content, data, target)
    except UnicodeEncodeError as error:
        raise GraphError(f"{error.object[error.start]!r} is not in {error.encoding}; open it as UTF-8") from None
    except BrokenPipeError:  # the command line knows what that means
        raise
    except (OSError, ValueError) as error:
        raise GraphError(why_not_written(error)) from None


def _write_to_stream(content: str | bytes, data: bytes, stream: Any) -> None:
    takes_text = hasattr(stream, "encoding")
    if takes_text and isinstance(content, bytes):
        raise GraphError("the format is not text; open the file as bytes")
    stream.write(content if takes_text else data)
