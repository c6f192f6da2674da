"""Knowledge files in TOML or JSON.

::

    statements = ["smoking causes cancer", "no direct edge age -> cancer"]   # sentences, see weft.knowledge.items
    tiers = [["age", "sex"], ["smoking"], ["cancer"]]                        # nothing causes an earlier tier
    causes_within_tiers = false                                              # true if left out
    no_causes_among = [["age", "sex"]]
    roots = ["age", "sex"]                                                   # nothing causes them
    sinks = ["cancer"]                                                       # they cause nothing
    causes = [["smoking", "cancer"]]                                         # pairs; likewise not_causes,
    not_confounded = [["age", "cancer"]]                                     # direct_edges, no_direct_edges,
                                                                             # not_adjacent, confounded
    [[allowed]]
    pair = ["smoking", "income"]
    structures = ["none", "<->"]                                             # read from the first to the second

    [[weighted]]                                                             # soft: may be given up at that weight
    statement = "income causes cancer"
    weight = 2.5                                                             # the log odds that it is right

    [randomised]                                                             # experiments: study = variables set in it
    trial = ["dose"]

Every key may be left out; a key that is not known is a mistake. JSON has the same keys. What is wrong is said in one
line with the file and the key: ``k.toml: causes[2]: ...``.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NoReturn

from weft.knowledge.bnlearn import read_list
from weft.knowledge.items import Item, Kind, KnowledgeError, checked_weight, cut, no_weight, shown
from weft.knowledge.knowledge import Experiment, Knowledge, parse, suggestion
from weft.knowledge.tetrad import read_tetrad
from weft.reading.files import label_of, text_of
from weft.reading.files import read as read_file
from weft.reading.json_text import decoded
from weft.reading.names import quote

KINDS = ("toml", "json", "tetrad", "whitelist", "blacklist")

_PAIRS = {
    "causes": Kind.CAUSES,
    "not_causes": Kind.NOT_CAUSES,
    "direct_edges": Kind.DIRECT,
    "no_direct_edges": Kind.NO_DIRECT,
    "not_adjacent": Kind.NOT_ADJACENT,
    "confounded": Kind.CONFOUNDED,
    "not_confounded": Kind.NOT_CONFOUNDED,
}
_KEYS = (
    "statements", "tiers", "causes_within_tiers", "no_causes_among", "roots", "sinks", *_PAIRS, "allowed",
    "weighted", "randomised",
)  # fmt: skip


def read(path: str | os.PathLike[str], kind: str | None = None) -> Knowledge:
    """Read a knowledge file of any kind; see :meth:`weft.knowledge.knowledge.Knowledge.read`."""
    name = label_of(path)
    if kind is not None and kind not in KINDS:
        raise KnowledgeError(f"there is no kind of knowledge file {kind!r}; choose one of {', '.join(KINDS)}")
    content = read_file(path, KnowledgeError)
    try:
        text = text_of(content, KnowledgeError)
        chosen = kind or _kind(name, text)
        if chosen == "tetrad":
            items = read_tetrad(text, name)
            return Knowledge(tuple(dict.fromkeys(items)))
        if chosen in ("whitelist", "blacklist"):
            return Knowledge(tuple(dict.fromkeys(read_list(text, chosen, name))))
        return from_document(_decoded(text, chosen), name)
    except KnowledgeError as error:
        raise KnowledgeError(f"{name}: {error}") from None


def _kind(name: str, text: str) -> str:
    """The kind of a file, by its name or its first line."""
    base = os.path.basename(name).lower()
    if base.endswith((".toml", ".json")):
        return base[-4:]
    if text.lstrip().startswith("/knowledge"):
        return "tetrad"
    for kind in ("whitelist", "blacklist"):
        if kind[:5] in base and base.endswith((".csv", ".txt", ".tsv")):
            return kind
    raise KnowledgeError(
        "what kind of file this is cannot be told; name it .toml or .json, start it with '/knowledge' (Tetrad), or "
        "put 'whitelist' or 'blacklist' into the name of a .csv (bnlearn)"
    )


def _decoded(text: str, kind: str) -> Mapping[str, Any]:
    document = decoded(text, KnowledgeError) if kind == "json" else _from_toml(text)
    if not isinstance(document, dict):
        _wrong("", 'an object such as {"statements": ["X causes Y"]}', document)
    return document


def _from_toml(text: str) -> object:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise KnowledgeError(f"this is not TOML: {' '.join(str(error).split())}") from None
    except RecursionError:
        raise KnowledgeError("this TOML cannot be read: it is nested too deeply") from None
    except ValueError:  # Python refuses to read integers of thousands of digits
        raise KnowledgeError("this TOML cannot be read: a number in it has too many digits") from None


# -- the content -----------------------------------------------------------------------------------------------------


def from_document(document: Mapping[str, Any], file: str) -> Knowledge:
    """Knowledge from the content of a file (dicts, lists and strings).

    >>> print(*from_document({"tiers": [["A"], ["B", "C"]], "causes_within_tiers": False}, "k.toml").items, sep=" | ")
    tiers: A < B, C | no causes among B, C
    """
    for key in document:
        if key not in _KEYS:
            raise KnowledgeError(f"{shown(str(key))} is not a key of a knowledge file; {suggestion(str(key), _KEYS)}")
    items: list[Item] = []
    experiments = list(_experiments(document.get("randomised", {}), file))
    for place, text in _members(document.get("statements", []), "statements"):
        with _at(place):
            found = parse(text, _origin(file, place))
        if isinstance(found, Item):
            items.append(found)
        else:
            experiments.append(found)
    items += _tiers(document, file)
    items += _lists(document, file)
    for key, kind in _PAIRS.items():
        for place, value in _members(document.get(key, []), key):
            x, y = _pair(value, place)
            with _at(place):
                items.append(Item.of_pair(kind, x, y, origin=_origin(file, place)))
    items += _allowed(document.get("allowed", []), file)
    items += _weighted(document.get("weighted", []), file)
    return Knowledge(tuple(dict.fromkeys(items))) + Knowledge(experiments=tuple(experiments))


def _origin(file: str, place: str) -> str:
    return f"{file}: {place}" if file else place


def _tiers(document: Mapping[str, Any], file: str) -> Iterator[Item]:
    tiers = [_names(tier, place) for place, tier in _members(document.get("tiers", []), "tiers")]
    within = document.get("causes_within_tiers", True)
    if not isinstance(within, bool):
        _wrong("causes_within_tiers", "true or false", within)
    if any(tiers):
        with _at("tiers"):
            ordered = Item(Kind.TIERS, tuple(filter(None, tiers)), origin=_origin(file, "tiers"))
        yield ordered
    for i, tier in enumerate(tiers):
        if not within and len(tier) > 1:
            yield Item(Kind.APART, (tier,), origin=_origin(file, f"tiers[{i}]"))


def _lists(document: Mapping[str, Any], file: str) -> Iterator[Item]:
    for place, value in _members(document.get("no_causes_among", []), "no_causes_among"):
        with _at(place):
            apart = Item(Kind.APART, (_names(value, "names"),), origin=_origin(file, place))
        yield apart
    for key, kind in (("roots", Kind.ROOT), ("sinks", Kind.SINK)):
        for i, name in enumerate(_names(document.get(key, []), key)):
            yield Item(kind, ((name,),), origin=_origin(file, f"{key}[{i}]"))


def _allowed(value: object, file: str) -> Iterator[Item]:
    if isinstance(value, Mapping):  # from Python: {("X", "Y"): ["->"]}
        value = [{"pair": pair, "structures": structures} for pair, structures in value.items()]
    for place, entry in _members(value, "allowed"):
        if not isinstance(entry, Mapping) or set(entry) != {"pair", "structures"}:
            _wrong(place, "a table with 'pair' and 'structures'", entry)
        x, y = _pair(entry["pair"], f"{place}.pair")
        structures = _names(entry["structures"], f"{place}.structures")
        with _at(place):
            item = Item.of_pair(Kind.ALLOWED, x, y, structures, _origin(file, place))
        yield item


def _weighted(value: object, file: str) -> Iterator[Item]:
    if isinstance(value, Mapping):  # from Python: {"X causes Y": 2.5}
        value = [{"statement": statement, "weight": weight} for statement, weight in value.items()]
    for place, entry in _members(value, "weighted"):
        if not isinstance(entry, Mapping) or set(entry) != {"statement", "weight"}:
            _wrong(place, "a table with 'statement' and 'weight'", entry)
        with _at(f"{place}.weight"):
            weight = checked_weight(entry["weight"])
        with _at(f"{place}.statement"):
            found = parse(entry["statement"], _origin(file, place))
            if not isinstance(found, Item):
                raise no_weight("randomised in ...")
            if found.weight is not None:
                raise KnowledgeError(f"{shown(entry['statement'])} has a weight already; leave one of the two out")
            item = replace(found, weight=weight)
        yield item


def _experiments(value: object, file: str) -> Iterator[Experiment]:
    if not isinstance(value, Mapping):
        _wrong("randomised", "a table of studies, each with the variables that were set in it", value)
    for study, variables in value.items():
        place = f"randomised.{cut(quote(str(study)))}"
        names = _names(variables, place)
        if not names:
            raise KnowledgeError(f"{place}: no variable is named; leave the study out if it was no experiment")
        with _at(place):
            experiment = Experiment(str(study), frozenset(names), _origin(file, place))
        yield experiment


# -- types -----------------------------------------------------------------------------------------------------------


@contextmanager
def _at(place: str) -> Iterator[None]:
    """Say where in the file something stands if it is wrong."""
    try:
        yield
    except KnowledgeError as error:
        raise KnowledgeError(f"{place}: {error}") from None


def _members(value: object, place: str) -> Iterator[tuple[str, object]]:
    if isinstance(value, str) or not isinstance(value, list | tuple):
        _wrong(place, "a list [...]", value)
    for i, one in enumerate(value):
        yield f"{place}[{i}]", one


def _names(value: object, place: str) -> tuple[str, ...]:
    names: list[str] = []
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)
    for where, name in _members(value, place):
        if not isinstance(name, str) or not name:
            _wrong(where, "a name in quotes", name)
        names.append(name)
    return tuple(names)


def _pair(value: object, place: str) -> tuple[str, str]:
    names = _names(value, place)
    if len(names) != 2:
        raise KnowledgeError(f"{place}: expected two names, found {len(names)}")
    return names[0], names[1]


def _wrong(place: str, expected: str, found: object) -> NoReturn:
    raise KnowledgeError(f"{place}: expected {expected}, found {shown(found)}".removeprefix(": "))
