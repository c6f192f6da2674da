"""What all solutions agree on, pair by pair."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, MixedGraph
from weft.graphs.separation import ancestor_mask
from weft.search.consequences import NO_EDGE, Holds

MIRRORED = {"->": "<-", "<-": "->", "<->": "<->", "--": "--", NO_EDGE: NO_EDGE}


@dataclass(frozen=True)
class PairShare:
    """In which share of the solutions something holds for a pair (x, y)."""

    edges: Mapping[str, float]
    causes: float
    caused: float


@dataclass(frozen=True)
class PairSummary:
    """What the solutions say of a pair (``x``, ``y``), in sorted order."""

    x: str
    y: str
    edges: Mapping[str, Holds]
    """For each edge read from x (``""``: no edge), in which solutions the pair has it; the others are excluded."""
    causes: Holds
    """x is an ancestor of y."""
    caused: Holds
    """y is an ancestor of x."""
    confounded: Holds
    """x and y have a common cause, in the latent-variable models that fit."""
    share: PairShare | None = None

    def edge(self, symbol: str) -> Holds:
        """In which solutions the pair has that edge, read from x."""
        return self.edges.get(symbol, Holds.NONE)


@dataclass(frozen=True)
class Summary:
    """What holds in all, in some, in none of the solutions, for every pair of variables."""

    pairs: tuple[PairSummary, ...]
    consistent: bool | None
    """Whether there is a solution at all; ``None`` if the time ran out before that was known."""

    @property
    def complete(self) -> bool:
        """Whether everything was settled before the time ran out."""
        answers = (answer for p in self.pairs for answer in (*p.edges.values(), p.causes, p.caused, p.confounded))
        return self.consistent is not None and Holds.UNKNOWN not in answers

    @property
    def certain(self) -> tuple[str, ...]:
        """The edges that every solution has, such as ``X -> Y``."""
        return self._edges({Holds.ALL})

    @property
    def possible(self) -> tuple[str, ...]:
        """The edges that at least one solution has; those that every solution has among them."""
        return self._edges({Holds.ALL, Holds.SOME})

    def _edges(self, answers: set[Holds]) -> tuple[str, ...]:
        return tuple(
            _edge_text(pair.x, symbol, pair.y)
            for pair in self.pairs
            for symbol, holds in pair.edges.items()
            if symbol != NO_EDGE and holds in answers
        )

    def pair(self, x: str, y: str) -> PairSummary:
        """What is said of a pair; read it in the order of its own ``x`` and ``y``, which are sorted."""
        for pair in self.pairs:
            if (pair.x, pair.y) == tuple(sorted((x, y))):
                return pair
        raise ProblemError(f"there is no pair of variables {x!r} and {y!r}")

    def holds(self, claim: str | Claim) -> Holds:
        """In which solutions a claim holds: an edge without circles, a cause, a common cause, or the negation of one.

        >>> from weft import oracle, solve
        >>> summary = solve(oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])).summary()
        >>> summary.holds("X causes Z"), summary.holds("X -> Z")
        (<Holds.ALL: 'all'>, <Holds.NONE: 'none'>)
        """
        claim = Claim.parse(claim) if isinstance(claim, str) else claim
        pair = self.pair(claim.x, claim.y)
        if not self.consistent:  # nothing holds in any solution where there is none
            return Holds.NONE if self.consistent is False else Holds.UNKNOWN
        forwards = pair.x == claim.x
        if claim.topic is Topic.CAUSES:
            answer = pair.causes if forwards else pair.caused
        elif claim.topic is Topic.CONFOUNDED:
            answer = pair.confounded
        elif claim.symbol == "o-o":
            answer = _opposite(pair.edge(NO_EDGE))
        elif "o" in claim.symbol:
            raise ProblemError(f"'{claim}': a summary does not cover marks at one end; ask with assume()")
        else:
            answer = pair.edge(claim.symbol if forwards else MIRRORED[claim.symbol])
        return answer if claim.holds else _opposite(answer)


def _opposite(holds: Holds) -> Holds:
    return {Holds.ALL: Holds.NONE, Holds.NONE: Holds.ALL}.get(holds, holds)


def _edge_text(x: str, symbol: str, y: str) -> str:
    edge = Edge(x, *EDGE_SYMBOLS[symbol], y)
    return str(edge.reversed() if symbol == "<-" else edge)


class Tally:
    """Counts over solutions as they pass by: how many have each edge, and each cause, for every pair."""

    def __init__(self, names: tuple[str, ...]) -> None:
        self.total = 0
        self._size = len(names)
        self._pairs = [(a, b) for a in range(self._size) for b in range(a + 1, self._size)]
        self._edges: dict[tuple[int, int], dict[tuple[int, int], int]] = {pair: {} for pair in self._pairs}
        self._causes = [[0] * self._size for _ in range(self._size)]

    def add(self, mag: MixedGraph) -> None:
        """Count one solution."""
        size, marks = self._size, mag.marks
        self.total += 1
        above = [ancestor_mask(mag, 1 << v) for v in range(size)]
        for a, b in self._pairs:
            counts = self._edges[a, b]
            ends = (marks[b * size + a], marks[a * size + b])
            counts[ends] = counts.get(ends, 0) + 1
            self._causes[a][b] += above[b] >> a & 1
            self._causes[b][a] += above[a] >> b & 1

    def edge_counts(self, a: int, b: int) -> dict[str, int]:
        """How many solutions have each edge between two vertices, read from the first."""
        symbols = {(0, 0): NO_EDGE} | {EDGE_SYMBOLS[symbol]: symbol for symbol in ("->", "<-", "<->", "--")}
        return {symbols[ends]: count for ends, count in self._edges[a, b].items()}

    def share(self, a: int, b: int) -> PairShare | None:
        """The shares of a pair; ``None`` if no solution has been counted."""
        if not self.total:
            return None
        edges = {symbol: count / self.total for symbol, count in self.edge_counts(a, b).items()}
        return PairShare(edges, self._causes[a][b] / self.total, self._causes[b][a] / self.total)
