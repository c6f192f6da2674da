"""What a solution has or has not, by graph code and for the solver: edges, causes, common causes of two vertices."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from weft.evidence.claims import Claim, Topic
from weft.graphs.criteria import is_confounded
from weft.graphs.mixed import EDGE_SYMBOLS, MixedGraph, bits
from weft.graphs.separation import ancestor_mask
from weft.search.problem import Problem
from weft.search.program import Program

ANY_EDGE = "o-o"
"""Some edge, whatever its marks: that two vertices are adjacent."""


class Fact(NamedTuple):  # a tuple, because there are many in sets and dictionaries
    """Something that a solution has or has not: an edge, a cause, a common cause."""

    topic: Topic
    x: int
    y: int
    symbol: str = ANY_EDGE

    def claim(self, names: Sequence[str]) -> Claim:
        """The same about named variables."""
        return Claim(self.topic, names[self.x], names[self.y], symbol=self.symbol).canonical


def facts_about(problem: Problem) -> tuple[Fact, ...]:
    """Everything that is asked of each pair of vertices, as :func:`~weft.evidence.claims.claims_about` puts it."""
    pairs = combinations(range(len(problem.names)), 2)
    return tuple(fact for x, y in pairs for fact in _facts_about_pair(x, y, problem.selection))


def facts_per_pair(problem: Problem) -> int:
    """How many of these there are about each pair."""
    return len(_facts_about_pair(0, 1, problem.selection))


def _facts_about_pair(x: int, y: int, selection: bool) -> tuple[Fact, ...]:
    symbols = (ANY_EDGE, "->", "<-", "<->", *(["--"] * selection))
    edges = (Fact(Topic.EDGE, x, y, symbol) for symbol in symbols)
    return (*edges, Fact(Topic.CAUSES, x, y), Fact(Topic.CAUSES, y, x), Fact(Topic.CONFOUNDED, x, y))


Wanted = tuple[Fact, bool]
"""A fact, and whether a solution is wanted in which it holds or in which it does not."""


def literal_of(program: Program, fact: Fact, value: bool) -> int:
    """The literal that says that a fact holds, or that it does not."""
    if fact.topic is Topic.CAUSES:
        literal = program.literal("anc", fact.x, fact.y)
    elif fact.topic is Topic.CONFOUNDED:
        literal = program.confounded_literal(fact.x, fact.y)
    elif fact.symbol == ANY_EDGE:
        literal = program.literal("edge", fact.x, fact.y)
    else:
        literal = program.edge_literals(fact.x, fact.y).get(fact.symbol, -program.true)
    return literal if value else -literal


class Look:
    """Says of a solution whether facts hold in it; faster for many facts than each by its definition."""

    def __init__(self, model: MixedGraph) -> None:
        self._model = model
        self._above = [ancestor_mask(model, 1 << v) for v in range(model.size)]
        self._beside = [_united(model.spouses, above) for above in self._above]

    def __call__(self, fact: Fact) -> bool:
        """Whether the fact holds."""
        x, y, model = fact.x, fact.y, self._model
        if fact.topic is Topic.EDGE:
            found = (model.marks[y * model.size + x], model.marks[x * model.size + y])
            return found != (0, 0) if fact.symbol == ANY_EDGE else found == EDGE_SYMBOLS[fact.symbol]
        causes = bool(self._above[y] >> x & 1)
        if fact.topic is Topic.CAUSES:
            return causes
        if causes or self._above[x] >> y & 1 or model.has_selection:
            return is_confounded(model, x, y)
        # Neither causes the other: a vertex above both, or a bidirected edge between one above x and one above y.
        return bool((self._above[x] | self._beside[x]) & self._above[y])


def _united(masks: Sequence[int], vertices: int) -> int:
    union = 0
    for v in bits(vertices):
        union |= masks[v]
    return union
