"""Tetrad's knowledge files.

::

    /knowledge
    addtemporal
    1 age sex
    2* smoking income
    3 cancer
    forbiddirect
    age cancer
    requiredirect
    smoking cancer

- ``addtemporal``: tiers. A later tier does not cause an earlier one. Tetrad forbids the direct edges; where all
  variables stand in tiers that is the same, since a chain of edges from a later to an earlier tier has a step that
  goes back.
- ``2*``: no edges within the tier, which, with the tiers, is: none of them causes another.
- ``2-``: the tier may point only at the next tier: no direct edges to later ones.
- ``forbiddirect``: no direct edge from the first to the second. ``requiredirect``: a direct edge.

Names stand between blanks, or between commas if the first line is ``/knowledge comma``; double quotes are read. Lines
that start with ``//`` or ``#`` are comments. Patterns (``X*``) and groups are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product

from weft.knowledge.items import Item, Kind, KnowledgeError

_SECTIONS = {"addtemporal": None, "forbiddirect": Kind.NO_DIRECT, "requiredirect": Kind.DIRECT}
_TIER = re.compile(r"(\d+)(\*?)(-?)(\*?)")
_BLANK_SEPARATED, _COMMA_SEPARATED = (re.compile(rf'"([^"]*)"|([^{sign}"]+)') for sign in (r"\s", ","))

Tier = tuple[tuple[str, ...], str, str]
"""The names of a tier, its sign (``*``, ``-``, both or none) and where it stands."""


def read_tetrad(text: str, file: str = "") -> list[Item]:
    r"""The items of a knowledge file.

    >>> for item in read_tetrad("/knowledge\naddtemporal\n1 A B\n2* C D\n\nforbiddirect\nA C"):
    ...     print(item)
    tiers: A, B < C, D
    no causes among C, D
    no direct edge A -> C
    """
    items: list[Item] = []
    tiers: dict[int, Tier] = {}
    section: str | None = None
    for number, words in _lines(text):
        place = f"line {number}"
        origin = f"{file}: {place}" if file else place
        if len(words) == 1 and words[0].lower() in _SECTIONS:
            section = words[0].lower()
        elif section is None or words[0].lower() in ("forbidgroup", "requiregroup"):
            known = ", ".join(_SECTIONS)
            said = " ".join(words)
            raise KnowledgeError(f"{place}: {said!r} stands in no section that weft reads; there are {known}")
        elif section == "addtemporal":
            tier, names, signs = _tier(words, place)
            if tier in tiers and (old := tiers[tier])[1] != signs:
                raise KnowledgeError(f"{place}: tier {tier} has other signs than in {old[2]}; make them the same")
            tiers[tier] = (tiers[tier][0] if tier in tiers else ()) + names, signs, origin
        else:
            items.append(_edge(section, words, place, origin))
    return [*_of_tiers(tiers), *items]


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """The words of each line that has some, after the first, which must say what the file is."""
    lines = [(i, line.strip()) for i, line in enumerate(text.splitlines(), 1)]
    lines = [(i, line) for i, line in lines if line and not line.startswith(("//", "#"))]
    head = lines[0][1].lower().split() if lines else []
    if head not in (["/knowledge"], ["/knowledge", "comma"]):
        first = repr(lines[0][1]) if lines else "nothing"
        raise KnowledgeError(f"a Tetrad knowledge file starts with '/knowledge', this one with {first}")
    for number, line in lines[1:]:
        if line.count('"') % 2:
            raise KnowledgeError(f"line {number}: a quote in {line!r} is never closed")
        words = (_COMMA_SEPARATED if len(head) == 2 else _BLANK_SEPARATED).findall(line)
        yield number, [quoted or bare.strip() for quoted, bare in words if quoted or bare.strip()]


def _tier(words: list[str], place: str) -> tuple[int, tuple[str, ...], str]:
    match = _TIER.fullmatch(words[0].strip())
    names = words[1:]
    if match is None and (apart := re.match(r"(\d+[*-]*)\s+(.*)", words[0])):  # "1 A, B" in a file with commas
        match, names = _TIER.fullmatch(apart[1]), [apart[2], *names]
    if match is None:
        found = f"expected the number of a tier, found {words[0]!r}"
        raise KnowledgeError(f"{place}: {found}; write '1 X Y', '1* X Y' or '1- X Y'")
    _check_names(names, place)
    signs = ("*" if match[2] or match[4] else "") + match[3]
    return int(match[1]), tuple(names), signs


def _check_names(names: list[str], place: str) -> None:
    for name in names:
        if "*" in name:
            raise KnowledgeError(f"{place}: {name!r} is a pattern, which weft does not read; write the names out")


def _edge(section: str, words: list[str], place: str, origin: str) -> Item:
    names = [word for word in words if word not in ("-->", "->", "==>", "=>")]
    if len(names) != 2:
        raise KnowledgeError(f"{place}: expected two names below {section!r}, found {' '.join(words)!r}")
    _check_names(names, place)
    kind = _SECTIONS[section]
    assert kind is not None  # addtemporal is read elsewhere
    try:
        return Item.of_pair(kind, names[0], names[1], origin=origin)
    except KnowledgeError as error:
        raise KnowledgeError(f"{place}: {error}") from None


def _of_tiers(tiers: dict[int, Tier]) -> Iterator[Item]:
    ordered = [tiers[number] for number in sorted(tiers) if tiers[number][0]]
    if not ordered:
        return
    yield Item(Kind.TIERS, tuple(names for names, _, _ in ordered), origin=ordered[0][2])
    for names, signs, origin in ordered:
        if "*" in signs and len(names) > 1:
            yield Item(Kind.APART, (names,), origin=origin)
    numbers = [number for number in sorted(tiers) if tiers[number][0]]
    for number, later in product(numbers, numbers):
        if later > number + 1 and "-" in tiers[number][1]:
            for x, y in product(tiers[number][0], tiers[later][0]):
                yield Item.of_pair(Kind.NO_DIRECT, x, y, origin=tiers[number][2])
