"""What one may suppose of the answer, in words: ``X -> Y``, ``X causes Y``, ``not Z causes X``.

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
confounded``. (Not confounded: some fitting model has no trek. A MAG may allow both.)
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import NamedTuple

from weft.errors import GraphError, ProblemError
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph, quote


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
        >>> print(Claim.parse("X does not cause Y"))
        not X causes Y
        """
        rest, holds = text, True
        while not (claim := _phrase(rest) or _edge(rest)):  # the whole first: a variable may be called "not"
            negation = _NOT.match(rest)
            if not negation:
                raise ProblemError(
                    f"{text!r} is not a claim; write 'X -> Y', 'X causes Y', 'X and Y are confounded' or "
                    "'X and Y are adjacent', with 'not' in front to deny it; put odd names in double quotes"
                )
            rest, holds = rest[negation.end() :], not holds
        return claim if holds else claim.negated

    @property
    def negated(self) -> Claim:
        """The opposite claim."""
        return replace(self, holds=not self.holds)

    def fits_edge(self, mark_x: int, mark_y: int) -> bool:
        """Whether an edge with these marks (0 where there is none) is the claimed one; :attr:`holds` apart."""
        wanted_x, wanted_y = EDGE_SYMBOLS[self.symbol]
        return mark_x != Mark.NONE and wanted_x in (Mark.CIRCLE, mark_x) and wanted_y in (Mark.CIRCLE, mark_y)

    def __str__(self) -> str:
        x, y = quote(self.x), quote(self.y)
        text = {
            Topic.EDGE: str(Edge(self.x, *EDGE_SYMBOLS[self.symbol], self.y)),
            Topic.CAUSES: f"{x} causes {y}",
            Topic.CONFOUNDED: f"{x} and {y} are confounded",
        }[self.topic]
        return text if self.holds else f"not {text}"


def _phrase(text: str) -> Claim | None:
    """The claim that is one of :data:`_PHRASES`, if it is one."""
    words = [_Word(*match.groups()) for match in _WORD.finditer(text)]
    if any(word.stray for word in words):
        return None
    for pattern, topic, holds in _PHRASES:
        fits = (want in ("X", "Y") or want == word.bare for want, word in zip(pattern, words, strict=False))
        if len(words) == len(pattern) and all(fits):
            return Claim(topic, words[pattern.index("X")].name, words[pattern.index("Y")].name, holds)
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


class _Word(NamedTuple):
    """A word of a claim: in quotes, bare, or a quote that is never closed."""

    quoted: str | None
    bare: str | None
    stray: str | None

    @property
    def name(self) -> str:
        if self.quoted is None:
            return self.bare or ""
        return re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], self.quoted)


_WORD = re.compile(r'"((?:[^"\\]|\\.)*)"|([^\s"]+)|(")')
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
