"""bnlearn's white and black lists: tables with the columns ``from`` and ``to``, as ``write.csv`` writes them.

An arc of a white list is in the network: ``direct edge``. An arc of a black list is not: ``no direct edge``. Where a
white list has an arc both ways, bnlearn leaves the direction open; that is refused. (Where an arc stands in both
lists, bnlearn lets the white list win; here that is a contradiction, and is reported as one.)
"""

from __future__ import annotations

from collections.abc import Iterator

from weft.knowledge.items import Item, Kind, KnowledgeError
from weft.reading.csv_text import likely_delimiter, records


def read_list(text: str, kind: str, file: str = "") -> list[Item]:
    r"""The items of a white list or black list.

    >>> print(*read_list("from,to\nA,B\n", "blacklist"))
    no direct edge A -> B
    """
    items = list(_items(text, Kind.DIRECT if kind == "whitelist" else Kind.NO_DIRECT, file))
    if kind == "whitelist":
        places = {item.names: item.origin.removeprefix(f"{file}: ") for item in items}
        for (x, y), place in places.items():
            if (y, x) in places:
                raise KnowledgeError(
                    f"{place}: the arc between {x!r} and {y!r} is listed both ways (also {places[y, x]}), which leaves "
                    "its direction open; weft cannot impose that: keep one of the two"
                )
    return items


def _items(text: str, kind: Kind, file: str) -> Iterator[Item]:
    columns: tuple[int, int] | None = None
    for line, row in records(text, likely_delimiter(text), KnowledgeError):
        place = f"line {line}"
        if not any(cell.strip() for cell in row):
            continue
        if columns is None:
            columns = _columns(row, place)
            continue
        if len(row) <= max(columns):
            raise KnowledgeError(f"{place}: expected two names, found {', '.join(row)!r}")
        origin = f"{file}: {place}" if file else place
        yield _item(kind, row[columns[0]].strip(), row[columns[1]].strip(), place, origin)
    if columns is None:
        raise KnowledgeError("the file is empty; a list has the columns 'from' and 'to'")


def _columns(header: list[str], place: str) -> tuple[int, int]:
    names = [cell.strip().lower() for cell in header]
    if names.count("from") != 1 or names.count("to") != 1:
        raise KnowledgeError(f"{place}: expected a header with the columns 'from' and 'to', found {header!r}")
    return names.index("from"), names.index("to")


def _item(kind: Kind, x: str, y: str, place: str, origin: str) -> Item:
    try:
        return Item.of_pair(kind, x, y, origin=origin)
    except KnowledgeError as error:
        raise KnowledgeError(f"{place}: {error}") from None
