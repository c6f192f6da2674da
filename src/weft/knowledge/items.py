r"""What an expert may say, as frozen values: each item with its meaning over latent-variable models, and in words.

A latent-variable model is an ADMG over all variables of all studies. An item *holds* in a model by these definitions,
and a MAG agrees with knowledge exactly if one and the same model with that MAG has every item:

================================== =====================================================================================
in words                           holds in a latent-variable model exactly if
================================== =====================================================================================
``X causes Y``                     X is an ancestor of Y
``X does not cause Y``             X is not an ancestor of Y; it says nothing about an edge, or about Y causing X
``direct edge X -> Y``             the model has that edge
``no direct edge X -> Y``          the model lacks that edge: X may still cause Y through other variables, and the two
                                   may be confounded, so that *the MAG may have the edge* ``X -> Y`` all the same
``X and Y are not adjacent``       no inducing path joins them: the MAG over all variables has no edge there
``X and Y are confounded``         they have a common cause, measured or not: a trek joins them (arrowheads at both
                                   ends, no collider, neither of the two inside)
``X and Y are not confounded``     no trek joins them
``the structure of X and Y is ->`` hiding all other variables leaves that structure; ``or`` lists several
``tiers: A, B < C < D``            no variable causes one of an earlier tier; within a tier anything goes
``no causes among A, B, C``        none of them causes another of them
``nothing causes X``               no variable is an ancestor of X (a root); X may be confounded
``X causes nothing``               X is no variable's ancestor (a sink)
================================== =====================================================================================

``no direct edge X Y``, ``direct edge X Y`` and ``not adjacent X Y`` are other ways to write the same; so are ``X is a
root`` and ``X is a sink``. A name that is not a plain word goes in double quotes, and so does ``nothing``
(:mod:`weft.reading.names`).

What is said is hard: it holds in every answer. Unless it has a *weight*, the log odds that it is right, at the end of
the sentence: ``X causes Y (weight 2.5)``. Then it is soft, and may be given up at that weight. What can have a weight
is what a set of marginal structures of one pair says exactly: ``causes``, ``does not cause``, ``confounded``, ``not
confounded`` and ``the structure of``.

>>> print(parse_item('"blood pressure" does not cause age'))
"blood pressure" does not cause age
>>> parse_item("X causes Y (weight 2.5)").weight
2.5
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import permutations
from numbers import Real
from typing import NamedTuple

from weft.errors import EvidenceError, WeftError
from weft.evidence.statements import as_structure
from weft.graphs.criteria import Structure, is_confounded, structure_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import descendant_mask, has_inducing_path
from weft.reading.names import Word, first_repeated, quote, words_in


class KnowledgeError(WeftError):
    """Knowledge that cannot be read, that names what is not there, or that cannot be imposed as it stands."""


class Kind(StrEnum):
    """What an item says."""

    CAUSES = "causes"
    NOT_CAUSES = "does not cause"
    DIRECT = "direct edge"
    NO_DIRECT = "no direct edge"
    NOT_ADJACENT = "not adjacent"
    CONFOUNDED = "confounded"
    NOT_CONFOUNDED = "not confounded"
    ALLOWED = "structure"
    TIERS = "tiers"
    APART = "no causes among"
    ROOT = "root"
    SINK = "sink"

    @property
    def is_of_pair(self) -> bool:
        """Whether it speaks of two variables."""
        return self not in (Kind.TIERS, Kind.APART, Kind.ROOT, Kind.SINK)

    @property
    def may_have_weight(self) -> bool:
        """Whether a set of marginal structures of one pair says exactly the same."""
        return self in (Kind.CAUSES, Kind.NOT_CAUSES, Kind.CONFOUNDED, Kind.NOT_CONFOUNDED, Kind.ALLOWED)


class Fact(NamedTuple):
    """One thing about one pair; every item is a conjunction of these."""

    kind: Kind
    x: str
    y: str
    allowed: frozenset[Structure] = frozenset()

    def holds(self, model: MixedGraph) -> bool:
        """Whether a latent-variable model has it, by definition."""
        a, b = model.index(self.x), model.index(self.y)
        match self.kind:
            case Kind.CAUSES | Kind.NOT_CAUSES:
                return bool(descendant_mask(model, 1 << a) >> b & 1) == (self.kind is Kind.CAUSES)
            case Kind.DIRECT | Kind.NO_DIRECT:
                return bool(model.children[a] >> b & 1) == (self.kind is Kind.DIRECT)
            case Kind.NOT_ADJACENT:
                return not has_inducing_path(model, a, b)
            case Kind.CONFOUNDED | Kind.NOT_CONFOUNDED:
                return is_confounded(model, a, b) == (self.kind is Kind.CONFOUNDED)
            case _:
                return structure_of(model, self.x, self.y) in self.allowed


@dataclass(frozen=True)
class Item:
    """One thing that is known, and where it was said (which does not count when items are compared).

    >>> item = Item(Kind.TIERS, (("A", "B"), ("C",)))
    >>> print(item)
    tiers: A, B < C
    >>> [(fact.x, fact.y) for fact in item.facts("ABCD")]
    [('C', 'A'), ('C', 'B')]
    """

    kind: Kind
    groups: tuple[tuple[str, ...], ...]
    """The names: two groups of one for a pair, one of one for a root or sink, one for each tier."""
    allowed: frozenset[Structure] = frozenset()
    origin: str = field(default="", compare=False)
    weight: float | None = None
    """The log odds that it is right; ``None``: it is certain."""

    def __post_init__(self) -> None:
        names = self.names
        for name in names:
            check_name(name)
        if self.kind.is_of_pair and tuple(map(len, self.groups)) != (1, 1):
            raise KnowledgeError(f"{self.kind.value!r} speaks of two variables; use Item.of_pair(kind, x, y)")
        if self.kind in (Kind.ROOT, Kind.SINK) and len(names) != 1:
            raise KnowledgeError(f"{self.kind.value!r} speaks of one variable, not {len(names)}; make an item of each")
        if (twice := first_repeated(names)) is not None:
            remedy = "name two different variables" if self.kind.is_of_pair else "keep one of the two"
            raise KnowledgeError(f"'{cut(self.sentence)}': {shown(twice)} appears twice; {remedy}")
        if self.weight is not None:
            self._check_weight()
            object.__setattr__(self, "weight", checked_weight(self.weight))

    def _check_weight(self) -> None:
        if not self.kind.may_have_weight:
            raise no_weight(self.sentence)
        if self.kind is Kind.ALLOWED and not self.allowed:
            raise KnowledgeError(f"'{cut(self.sentence)}': nothing is allowed; give at least one structure")

    @classmethod
    def of_pair(
        cls,
        kind: Kind,
        x: str,
        y: str,
        allowed: Iterable[str] = (),
        origin: str = "",
        weight: float | None = None,
    ) -> Item:
        """An item about two variables."""
        return cls(kind, ((x,), (y,)), frozenset(map(_structure, allowed)), origin, weight)

    @property
    def names(self) -> tuple[str, ...]:
        """The variables that it names."""
        return tuple(name for group in self.groups for name in group)

    def facts(self, variables: Iterable[str]) -> Iterator[Fact]:
        """What it says of pairs; ``variables`` are all there are, which roots and sinks speak of."""
        match self.kind:
            case Kind.TIERS:
                earlier: list[str] = []
                for tier in self.groups:
                    yield from (Fact(Kind.NOT_CAUSES, late, early) for late in tier for early in earlier)
                    earlier += tier
            case Kind.APART:
                yield from (Fact(Kind.NOT_CAUSES, x, y) for x, y in permutations(self.names, 2))
            case Kind.ROOT:
                yield from (Fact(Kind.NOT_CAUSES, x, self.names[0]) for x in variables if x != self.names[0])
            case Kind.SINK:
                yield from (Fact(Kind.NOT_CAUSES, self.names[0], y) for y in variables if y != self.names[0])
            case _:
                x, y = self.names
                yield Fact(self.kind, x, y, self.allowed)

    def holds(self, model: MixedGraph) -> bool:
        """Whether a latent-variable model has it, by definition.

        >>> parse_item("no direct edge X -> Z").holds(MixedGraph.parse("X -> Y; Y -> Z"))
        True
        """
        return all(fact.holds(model) for fact in self.facts(model.names))

    @property
    def structures(self) -> frozenset[Structure]:
        """The marginal structures of the pair, from the first to the second, in which it holds, if that is all it says.

        >>> sorted(one.value for one in parse_item("X causes Y").structures)
        ['->', '-> & <->']
        """
        match self.kind:
            case Kind.CAUSES | Kind.NOT_CAUSES:
                return frozenset(one for one in Structure if one.causes == (self.kind is Kind.CAUSES))
            case Kind.CONFOUNDED | Kind.NOT_CONFOUNDED:
                return frozenset(one for one in Structure if one.confounded == (self.kind is Kind.CONFOUNDED))
            case Kind.ALLOWED:
                return self.allowed
            case _:
                raise KnowledgeError(f"'{cut(self.sentence)}' is no set of structures of one pair")

    def __str__(self) -> str:
        if self.weight is None:
            return self.sentence
        return f"{self.sentence} (weight {repr(self.weight).removesuffix('.0')})"

    @property
    def sentence(self) -> str:
        """What it says in words, without the weight."""
        names = [quote(name) for name in self.names]
        if self.kind is Kind.TIERS:
            return f"tiers: {' < '.join(', '.join(map(quote, tier)) for tier in self.groups)}"
        if self.kind is Kind.APART:
            return f"no causes among {', '.join(names)}"
        structures = " or ".join(one.value for one in Structure if one in self.allowed) or "not one that there is"
        return _SPOKEN[self.kind].format(*names, structures=structures)


_SPOKEN = {
    Kind.CAUSES: "{0} causes {1}",
    Kind.NOT_CAUSES: "{0} does not cause {1}",
    Kind.DIRECT: "direct edge {0} -> {1}",
    Kind.NO_DIRECT: "no direct edge {0} -> {1}",
    Kind.NOT_ADJACENT: "{0} and {1} are not adjacent",
    Kind.CONFOUNDED: "{0} and {1} are confounded",
    Kind.NOT_CONFOUNDED: "{0} and {1} are not confounded",
    Kind.ALLOWED: "the structure of {0} and {1} is {structures}",
    Kind.ROOT: "nothing causes {0}",
    Kind.SINK: "{0} causes nothing",
}


def check_name(name: object, what: str = "variable") -> None:
    """Raise if this is not a name."""
    if not isinstance(name, str):
        raise KnowledgeError(f"{shown(name)} is not a name; give the name of a {what} as text")
    if not name:
        raise KnowledgeError(f"a name is empty; give the name of a {what}")


def checked_weight(value: object) -> float:
    """The weight that a number is.

    >>> checked_weight(0)
    Traceback (most recent call last):
    weft.knowledge.items.KnowledgeError: 0 is not a weight; give a positive finite number, the log odds of being right
    """
    try:
        weight = float(value) if isinstance(value, Real) and not isinstance(value, bool) else math.nan
    except OverflowError:
        weight = math.inf
    if not 0 < weight < math.inf:
        remedy = "give a positive finite number, the log odds of being right"
        raise KnowledgeError(f"{shown(value)} is not a weight; {remedy}")
    return weight


def no_weight(sentence: str) -> KnowledgeError:
    """What to say of a sentence that has a weight and cannot have one."""
    return KnowledgeError(
        f"'{cut(sentence)}' cannot have a weight; these can: 'X causes Y', 'X does not cause Y', 'X and Y are "
        "confounded', 'X and Y are not confounded', 'the structure of X and Y is ...'"
    )


# -- what errors show ------------------------------------------------------------------------------------------------

_MOST_SHOWN = 200
"""The most characters of anything of the user's that an error repeats."""


def cut(text: str) -> str:
    """A text without its middle, if it is very long.

    >>> len(cut("x" * 10_000))
    200
    """
    return text if len(text) <= _MOST_SHOWN else f"{text[: _MOST_SHOWN - 63]}...{text[-60:]}"


def shown(value: object) -> str:
    """Something of the user's in one line, as Python writes it."""
    try:
        return cut(repr(value))
    except ValueError:  # Python refuses to write integers of thousands of digits
        return "this number"
    except RecursionError:
        return "lists in lists without end"


def _structure(text: str) -> Structure:
    try:
        return as_structure(text)
    except EvidenceError as error:
        raise KnowledgeError(str(error)) from None


# -- words -----------------------------------------------------------------------------------------------------------


_PATTERNS: tuple[tuple[list[str], Kind], ...] = tuple(  # those that say more with the same words come first
    (pattern.split(), kind)
    for pattern, kind in (
        ("nothing causes X", Kind.ROOT),
        ("X is a root", Kind.ROOT),
        ("X causes nothing", Kind.SINK),
        ("X is a sink", Kind.SINK),
        ("X causes Y", Kind.CAUSES),
        ("X does not cause Y", Kind.NOT_CAUSES),
        ("no direct edge X -> Y", Kind.NO_DIRECT),
        ("no direct edge X Y", Kind.NO_DIRECT),
        ("direct edge X -> Y", Kind.DIRECT),
        ("direct edge X Y", Kind.DIRECT),
        ("not adjacent X Y", Kind.NOT_ADJACENT),
        ("X and Y are not adjacent", Kind.NOT_ADJACENT),
        ("X and Y are confounded", Kind.CONFOUNDED),
        ("X and Y are not confounded", Kind.NOT_CONFOUNDED),
    )
)
_STRUCTURE = ["the", "structure", "of", "X", "and", "Y", "is"]
_WEIGHT = re.compile(r"\( ?weight (\S+?) ?\)")
_NUMBER = re.compile(r"\+?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?")


def words_of(text: str) -> list[Word]:
    """Split a sentence into words; a colon at the end of a bare word is a word of its own.

    >>> [word.text for word in words_of('tiers: A, "b, c" < D')]
    ['tiers', ':', 'A', ',', 'b, c', '<', 'D']
    """
    found: list[Word] = []
    for word in words_in(text, ",", lambda flaw: KnowledgeError(f"{shown(text)}: {flaw}")):
        colon = not word.quoted and len(word.text) > 1 and word.text.endswith(":")
        found += [Word(word.text[:-1]), Word(":")] if colon else [word]
    return found


def without_weight(words: list[Word]) -> tuple[list[Word], float | None]:
    """The words of a sentence in front of ``(weight 2.5)``, and that weight if there is one.

    The words of the weight are bare. No name is mistaken for one: a name with a bracket is no plain word and goes in
    quotes, and where one stands without them, no sentence ends in two such names.
    """
    for count in (2, 3, 4):  # "(weight 2.5)", "( weight 2.5)", "( weight 2.5 )"
        end = words[-count:]
        match = _WEIGHT.fullmatch(" ".join(word.text for word in end))
        if match and not any(word.quoted for word in end):
            return words[:-count], checked_weight(float(match[1]) if _NUMBER.fullmatch(match[1]) else match[1])
    return words, None


def parse_item(text: str, origin: str = "") -> Item:
    """Read one item from words (see the module's text).

    >>> parse_item("X -> Y")
    Traceback (most recent call last):
    weft.knowledge.items.KnowledgeError: 'X -> Y' may mean two things; write 'X causes Y' or 'direct edge X -> Y'
    """
    words, weight = without_weight(words_of(text))
    if starts(words, "tiers", ":"):
        tiers = tuple(listed(tier, text) for tier in _split(_at_signs(words[2:]), "<"))
        return Item(Kind.TIERS, tiers, origin=origin, weight=weight)
    if starts(words, "no", "causes", "among"):
        return Item(Kind.APART, (listed(words[3:], text),), origin=origin, weight=weight)
    for pattern, kind in _PATTERNS:
        if _fits(pattern, words) and len(pattern) == len(words):
            groups = tuple((words[pattern.index(w)].text,) for w in "XY" if w in pattern)
            return Item(kind, groups, origin=origin, weight=weight)
    if _fits(_STRUCTURE, words):
        structures = " ".join(word.text for word in words[len(_STRUCTURE) :]).split(" or ")
        return Item.of_pair(Kind.ALLOWED, words[3].text, words[5].text, structures, origin, weight)
    raise _unreadable(text, words)


def _unreadable(text: str, words: list[Word]) -> KnowledgeError:
    if len(words) == 3 and words[1] == Word("->"):
        x, y = cut(quote(words[0].text)), cut(quote(words[2].text))
        return KnowledgeError(f"{shown(text)} may mean two things; write '{x} causes {y}' or 'direct edge {x} -> {y}'")
    if any(word.text.startswith("(weight") and not word.quoted for word in words):
        example = "'X causes Y (weight 2.5)'"
        return KnowledgeError(f"{shown(text)} is not something weft can read; a weight comes last, as in {example}")
    return KnowledgeError(
        f"{shown(text)} is not something weft can read; write for example 'X causes Y', 'X does not cause Y', "
        "'no direct edge X -> Y', 'X and Y are not adjacent', 'X and Y are not confounded', 'tiers: A, B < C', "
        "'nothing causes X' (and odd names in double quotes)"
    )


def starts(words: list[Word], *beginning: str) -> bool:
    """Whether a sentence starts with these bare words."""
    return words[: len(beginning)] == [Word(text) for text in beginning]


def _fits(pattern: list[str], words: list[Word]) -> bool:
    if len(words) < len(pattern):
        return False
    pairs = zip(pattern, words, strict=False)
    return all(_is_name(word) if want in ("X", "Y") else word == Word(want) for want, word in pairs)


def _is_name(word: Word) -> bool:
    return word.quoted or word.text not in (",", ":", "<", "->")


def _at_signs(words: list[Word]) -> list[Word]:
    """Take bare words such as ``A<B`` apart."""
    return [
        part
        for word in words
        for part in ([word] if word.quoted else [Word(t) for t in re.split(r"(<)", word.text) if t])
    ]


def _split(words: list[Word], sign: str) -> list[list[Word]]:
    parts: list[list[Word]] = [[]]
    for word in words:
        if word == Word(sign):
            parts.append([])
        else:
            parts[-1].append(word)
    return parts


def listed(words: list[Word], text: str) -> tuple[str, ...]:
    """The names of ``A, B, C``."""
    names: list[str] = []
    for part in _split(words, ","):
        if len(part) != 1 or not _is_name(part[0]):
            found = shown(" ".join(word.text for word in part))
            raise KnowledgeError(
                f"{shown(text)}: expected a name, found {found}; put ',' between names and names with blanks in quotes"
            )
        names.append(part[0].text)
    return tuple(names)
