"""What one may assume of the answer, in words: ``X -> Y``, ``X causes Y``, ``not Z causes X``.

=============================== =======================================================================================
claim                           holds in a consistent MAG exactly if
=============================== =======================================================================================
``X -> Y``, ``<->``, ``--``     the MAG has that edge; a circle is a wild card: ``X o-> Y`` is an edge with an arrowhead
                                at Y, ``X o-o Y`` any edge
``X and Y are adjacent``        the MAG has an edge between them (``X o-o Y``)
``X causes Y``                  X is an ancestor of Y
``X and Y are confounded``      some latent-variable model with that MAG that fits the evidence has a trek between them
=============================== =======================================================================================

``not`` in front turns a claim round, and so does the plain English way: ``X does not cause Y``, ``X and Y are not
confounded``. (Not confounded: some fitting model has no trek. A MAG may allow both.) Names that are not plain words go
in double quotes (:mod:`weft.reading.names`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import combinations

from weft.errors import GraphError, ProblemError
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph
from weft.reading.arguments import check_argument
from weft.reading.names import QUOTED, Word, quote, words_in


class Topic(StrEnum):
    """What a claim is about."""

    EDGE = "edge"
    CAUSES = "causes"
    CONFOUNDED = "confounded"


@dataclass(frozen=True)
class Claim:
    """One claim about the pair (``x``, ``y``)."""

    topic: Topic
    x: str
    y: str
    holds: bool = True
    symbol: str = "o-o"
    """For :attr:`Topic.EDGE`: the edge, read from x to y, a circle for any mark."""

    @classmethod
    def parse(cls, text: str) -> Claim:
        """Read a claim from words (see the module's text).

        >>> Claim.parse("not Z causes X")
        Claim(topic=<Topic.CAUSES: 'causes'>, x='Z', y='X', holds=False, symbol='o-o')
        >>> print(Claim.parse("not Z causes X"))
        Z does not cause X
        """
        check_argument("a claim", text, str, "a text such as 'X causes Y'")
        rest, holds = text, True
        while not (claim := _phrase(rest) or _edge(rest)):  # the whole first: a variable may be called "not"
            negation = _NOT.match(rest)
            if not negation:
                raise ProblemError(f"{text!r} is not a claim; {_HOW_TO_WRITE}")
            rest, holds = rest[negation.end() :], not holds
        return claim if holds else claim.negated

    @classmethod
    def among(cls, text: str, names: Iterable[str]) -> Claim:
        """Read a claim about some of these variables; their names need no quotes where it is plain what is meant.

        >>> print(Claim.among("blood pressure causes heart attack", ["blood pressure", "heart attack"]))
        "blood pressure" causes "heart attack"
        """
        known = set(names)
        try:
            claim = cls.parse(text)
        except ProblemError:
            quoted = _parsed(_with_quotes(text, known))
            if quoted is not None:
                return quoted
            near = _nearest(text, known)
            how = f"did you mean {str(near)!r}?" if near else _HOW_TO_WRITE
            raise ProblemError(f"{text!r} is not a claim; {how}") from None
        if {claim.x, claim.y} <= known or (spelled := _with_quotes(text, known)) == text:
            return claim
        return cls.parse(spelled)

    @property
    def negated(self) -> Claim:
        """The opposite claim."""
        return replace(self, holds=not self.holds)

    def fits_edge(self, mark_x: int, mark_y: int) -> bool:
        """Whether an edge with these marks (0 where there is none) is the claimed one; :attr:`holds` apart."""
        wanted_x, wanted_y = EDGE_SYMBOLS[self.symbol]
        return mark_x != Mark.NONE and wanted_x in (Mark.CIRCLE, mark_x) and wanted_y in (Mark.CIRCLE, mark_y)

    @property
    def canonical(self) -> Claim:
        """The same claim in the one way in which it is looked up: ``Y -> X`` for ``X <- Y``, names in order.

        >>> print(Claim.parse("Y and X are confounded").canonical)
        X and Y are confounded
        """
        mark_x, mark_y = EDGE_SYMBOLS[self.symbol]
        symmetric = self.topic is not Topic.CAUSES and mark_x == mark_y
        turned = self.x > self.y if symmetric else self.topic is Topic.EDGE and _rank(mark_x) > _rank(mark_y)
        if not turned:
            return self
        return replace(self, x=self.y, y=self.x, symbol=Edge(self.x, mark_x, mark_y, self.y).reversed().symbol)

    @property
    def clause(self) -> str:
        """The claim as it stands after "that" and "whether"."""
        if self.topic is Topic.EDGE and self.symbol != "o-o" and not self.holds:
            return f"{self.negated} does not hold"
        return str(self)

    def __str__(self) -> str:
        x, y = quote(self.x), quote(self.y)
        negation = "" if self.holds else "not "
        if self.topic is Topic.CAUSES:
            return f"{x} causes {y}" if self.holds else f"{x} does not cause {y}"
        if self.topic is Topic.CONFOUNDED:
            return f"{x} and {y} are {negation}confounded"
        if self.symbol == "o-o":
            return f"{x} and {y} are {negation}adjacent"
        return f"{negation}{Edge(self.x, *EDGE_SYMBOLS[self.symbol], self.y)}"


def claims_about(x: str, y: str, *, selection: bool = False) -> Iterator[Claim]:
    """Everything that is asked of a pair: its edge, who causes whom, and a common cause.

    >>> print(*claims_about("X", "Y"), sep="; ")
    X and Y are adjacent; X -> Y; Y -> X; X <-> Y; X causes Y; Y causes X; X and Y are confounded
    """
    yield Claim(Topic.EDGE, x, y)
    yield Claim(Topic.EDGE, x, y, symbol="->")
    yield Claim(Topic.EDGE, y, x, symbol="->")
    yield from (Claim(Topic.EDGE, x, y, symbol=symbol) for symbol in ("<->", *(["--"] * selection)))
    yield Claim(Topic.CAUSES, x, y)
    yield Claim(Topic.CAUSES, y, x)
    yield Claim(Topic.CONFOUNDED, x, y)


def _rank(mark: int) -> int:
    """Where a mark stands in an edge that is written one way only: an arrowhead on the right, a tail on the left."""
    return {Mark.TAIL: 0, Mark.CIRCLE: 1, Mark.ARROW: 2}[Mark(mark)]


def _phrase(text: str) -> Claim | None:
    """The claim that is one of :data:`_PHRASES`, if it is one."""
    try:
        said = words_in(text, "", ProblemError)
    except ProblemError:
        return None
    for pattern, topic, holds in _PHRASES:
        fits = (want in ("X", "Y") or word == Word(want) for want, word in zip(pattern, said, strict=False))
        if len(said) == len(pattern) and all(fits):
            return Claim(topic, said[pattern.index("X")].text, said[pattern.index("Y")].text, holds)
    return None


def _edge(text: str) -> Claim | None:
    """The claim that is an edge in graph text and nothing else, if it is one."""
    try:
        graph = MixedGraph.parse(text)
    except GraphError:
        return None
    edges = graph.edges()
    if len(edges) != 1 or graph.size != 2:
        return None
    return Claim(Topic.EDGE, edges[0].x, edges[0].y, symbol=edges[0].symbol)


_NOT = re.compile(r"\s*not\s+")
_PHRASES: tuple[tuple[list[str], Topic, bool], ...] = tuple(
    (phrase.split(), topic, positive)
    for phrase, topic, positive in (
        ("X causes Y", Topic.CAUSES, True),
        ("X does not cause Y", Topic.CAUSES, False),
        ("X and Y are confounded", Topic.CONFOUNDED, True),
        ("X and Y are not confounded", Topic.CONFOUNDED, False),
        ("X and Y are adjacent", Topic.EDGE, True),
        ("X and Y are not adjacent", Topic.EDGE, False),
    )
)


_HOW_TO_WRITE = (
    "write 'X -> Y', 'X causes Y', 'X and Y are confounded' or 'X and Y are adjacent', with 'not' in front to deny it; "
    "put odd names in double quotes"
)
_NEAR = 0.6
"""From this similarity on, words may stand for others."""
_MOST_WORDS = 12
"""What has more words is no claim with a slip in it."""


def _parsed(text: str) -> Claim | None:
    try:
        return Claim.parse(text)
    except ProblemError:
        return None


def _nearest(text: str, names: Collection[str]) -> Claim | None:
    """The claim about some of these variables that a text with a slip in it may stand for.

    >>> print(_nearest("smokin status cause health", ["health", "smoking status"]))
    "smoking status" causes health
    """
    if negation := _NOT.match(text):
        near = _nearest(text[negation.end() :], names)
        return near.negated if near else None
    words = text.replace('"', " ").split()
    if len(words) > _MOST_WORDS or not names:
        return None
    found = [one for claim, between, after in _PATTERNS for one in _read_as(claim, between, after, words, names)]
    likeness, nearest = max(found, key=lambda one: one[0], default=(0.0, None))
    return nearest if likeness >= _NEAR else None


def _read_as(
    claim: Claim, between: str, after: str, words: Sequence[str], names: Collection[str]
) -> Iterator[tuple[float, Claim]]:
    """The claim about the variables that are nearest, for each way to cut the words, and how near that is."""
    size = len(words)
    for i, j in combinations(range(1, size), 2):
        for k in range(j + 1, size) if after else (size,):
            x, verb, y, rest = (" ".join(part) for part in (words[:i], words[i:j], words[j:k], words[k:]))
            sure = min(_alike(verb, between), _alike(rest, after))
            if sure < _NEAR:
                continue
            first, second = (max((_alike(one, name), name) for name in names) for one in (x, y))
            if first[1] != second[1]:
                yield min(sure, first[0], second[0]), replace(claim, x=first[1], y=second[1])


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, one.casefold(), other.casefold()).ratio()


_PATTERNS = (
    *(
        (
            Claim(topic, "X", "Y", positive),
            " ".join(words[1 : words.index("Y")]),
            " ".join(words[words.index("Y") + 1 :]),
        )
        for words, topic, positive in _PHRASES
    ),
    *((Claim(Topic.EDGE, "X", "Y", symbol=symbol), symbol, "") for symbol in ("->", "<->")),
)
"""Claims, with what stands between their variables and after them."""


def _with_quotes(text: str, names: Collection[str]) -> str:
    """The text with quotes around the names that need them, the longest first; what is in quotes stays as it is."""
    odd = sorted((name for name in names if quote(name) != name), key=len, reverse=True)
    if not odd:
        return text
    one = re.compile(rf"{QUOTED.pattern}|(?<!\w)(?:{'|'.join(map(re.escape, odd))})(?!\w)", re.DOTALL)
    return one.sub(lambda found: found[0] if found[0].startswith('"') else quote(found[0]), text)
