"""Text in lines of 78 columns: what every answer in words is made of."""

from __future__ import annotations

import re
from collections.abc import Iterator
from textwrap import wrap

from weft.graphs.mixed import EDGE_SYMBOLS
from weft.reading.names import QUOTED

WIDTH = 78

# An edge stays on one line, and so do a name in quotes and a percentage: their blanks are hidden from the wrapping.
_TOGETHER = re.compile(rf"{QUOTED.pattern}| (?:{'|'.join(map(re.escape, EDGE_SYMBOLS))}) |(?<=\d) %", re.DOTALL)


def wrapped(text: str, title: str = "") -> Iterator[str]:
    """Text in lines, the first with a title, the others as far in.

    >>> list(wrapped("X -> Y; " * 12, "Edges  "))[1]
    '       X -> Y; X -> Y; X -> Y;'
    >>> list(wrapped('X -> "the name of a variable"; ' * 3))[1]
    'X -> "the name of a variable";'
    >>> list(wrapped("x" * 74 + " 98 %"))[1]
    '98 %'
    """
    found = wrap(
        _TOGETHER.sub(lambda found: found[0].replace(" ", "\N{NO-BREAK SPACE}"), text),
        WIDTH,
        initial_indent=title,
        subsequent_indent=" " * len(title),
        break_long_words=False,
        break_on_hyphens=False,
    )
    yield from (line.replace("\N{NO-BREAK SPACE}", " ") for line in found)
