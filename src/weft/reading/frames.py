"""Answers as data frames (pandas or polars, whichever is there) and as small tables of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib import import_module
from typing import Any

from weft.errors import WeftError

Cells = Mapping[str, Any]


def frame_of(rows: Iterable[Cells], columns: Sequence[str]) -> Any:
    """A data frame of pandas, or of polars where there is no pandas."""
    listed = list(rows)
    values = {name: [row.get(name) for row in listed] for name in columns}
    for package in ("pandas", "polars"):
        try:
            return import_module(package).DataFrame(values)
        except ImportError:
            continue
    raise WeftError("a data frame needs pandas or polars; pip install pandas, or pip install polars")


def html_table(rows: Iterable[Sequence[object]], titles: Sequence[str]) -> str:
    """A table; whatever is in the cells is text.

    >>> html_table([["<b>", 0.5]], ["claim", "sure"])
    '<table><tr><th>claim</th><th>sure</th></tr><tr><td>&lt;b&gt;</td><td>0.5</td></tr></table>'
    """
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    body = "".join(f"<tr>{''.join(f'<td>{escape(str(cell))}</td>' for cell in row)}</tr>" for row in rows)
    return f"<table><tr>{head}</tr>{body}</table>"


def html_text(lines: Iterable[str]) -> str:
    """Lines as they are, in columns: some themes of notebooks show <pre> in letters of different widths."""
    return f"<pre style='font-family: monospace'>{escape(chr(10).join(lines))}</pre>"
