"""What a method answers to evidence, as far as it is known in time.

*Not finished* is a value of its own, never a number that looks like an answer.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from weft.evidence.claims import Claim, Topic
from weft.evidence.statements import Evidence
from weft.graphs.ancestral import directed_cycle, marginal_mag
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import Edge, MixedGraph
from weft.reproduce.paper import METHODS
from weft.solutions.solution_set import SolutionSet, solve

if TYPE_CHECKING:
    from weft.search.repair import Repair


@dataclass(frozen=True)
class NotFinished:
    """The time ran out."""

    seconds: float
    """How long it was given."""
    at_least: int = 0
    """How many had been found by then."""

    def __str__(self) -> str:
        found = f", at least {self.at_least:,}" if self.at_least else ""
        return f"not finished in {self.seconds:g} s{found}"


@dataclass(frozen=True)
class Partial:
    """A figure of the first answers that the solver found in time, which are not a fair sample of all."""

    value: float
    answers: int

    def __str__(self) -> str:
        return f"{self.value:.2f} (first {self.answers:,})"


Counted = int | NotFinished
Rated = float | Partial | NotFinished


@dataclass(frozen=True)
class Score:
    """How near the answers are to one true graph, by the paper's definitions (:class:`weft.solutions` has them too)."""

    truth: str
    precision: Rated
    recall: Rated
    found: bool | NotFinished
    """Whether the truth is among the answers."""


@dataclass(frozen=True)
class Outcome:
    """What one method answers."""

    method: str
    mags: Counted
    pags: Counted
    scores: tuple[Score, ...]
    seconds: float
    """For the repair and the walk over the answers; tests are not included."""
    cost: float | None
    """The weight that had to be given up; ``None`` if no way out was found in time."""
    proven: bool
    """Whether less is not enough."""
    given_up: tuple[str, ...]

    @property
    def repaired(self) -> bool | NotFinished:
        """Whether the evidence contradicted itself."""
        if self.cost is None:
            return self.proven or NotFinished(self.seconds)
        return self.cost > 0

    def document(self) -> dict[str, Any]:
        """As plain values."""
        return asdict(self)

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Outcome:
        """The reverse of :meth:`document`."""
        fields = {**document, "mags": _read(document["mags"]), "pags": _read(document["pags"])}
        fields["scores"] = tuple(
            Score(one["truth"], *(_read(one[name]) for name in ("precision", "recall", "found")))
            for one in document["scores"]
        )
        return cls(**{**fields, "given_up": tuple(document["given_up"])})


def _read(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    return Partial(**value) if "value" in value else NotFinished(**value)


@dataclass(frozen=True)
class Truth:
    """A true graph by name. One with a directed cycle has edges to compare with, but is no answer of anything."""

    name: str
    graph: MixedGraph

    def edges(self, variables: Sequence[str]) -> frozenset[Edge]:
        """The edges of the true MAG over the variables, or of the graph itself if it has a cycle."""
        mag = self.mag(variables)
        return frozenset((self.graph if mag is None else mag).edges())

    def mag(self, variables: Sequence[str]) -> MixedGraph | None:
        """The true MAG; ``None`` if the graph has a directed cycle."""
        return None if directed_cycle(self.graph) else marginal_mag(self.graph, variables)


def outcomes(
    evidence: Evidence, truths: Sequence[Truth], patience: float, methods: Sequence[str] = tuple(METHODS)
) -> list[Outcome]:
    """What each method answers.

    >>> from weft import oracle
    >>> evidence = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
    >>> [one.mags for one in outcomes(evidence, [], 60.0)]
    [38, 6, 1]
    """
    return [outcome(evidence, method, truths, patience) for method in methods]


def outcome(evidence: Evidence, method: str, truths: Sequence[Truth], patience: float) -> Outcome:
    """What one method answers, each question within ``patience`` seconds."""
    start = time.perf_counter()
    solutions = solve(evidence, method, timeout=patience, conflicts="repair")
    repair = solutions.repair()
    assert repair is not None
    walked = _walked(solutions, truths, patience)
    passed = time.perf_counter() - start
    mags = walked.mags if isinstance(walked.mags, int) else _counted(solutions, walked.mags)
    return Outcome(
        method, mags, walked.pags, walked.scores, round(passed, 3), repair.cost, repair.proven, _given_up(repair)
    )


def _given_up(repair: Repair) -> tuple[str, ...]:
    return tuple(str(statement) for statement in repair.given_up)


@dataclass(frozen=True)
class _Walked:
    mags: Counted
    pags: Counted
    scores: tuple[Score, ...]


def _walked(solutions: SolutionSet, truths: Sequence[Truth], patience: float) -> _Walked:
    """Go over the answers once: how many, in how many classes, and how many edges are right."""
    variables = solutions.evidence.variables
    true_mags = [truth.mag(variables) for truth in truths]
    wanted = [_places(truth.edges(variables), variables) for truth in truths]
    right = [0] * len(truths)
    mags = edges = 0
    classes = MagClasses()
    walk = iter(solutions)
    for mag in walk:
        marks = mag.marks
        mags += 1
        edges += len(marks) - marks.count(0)  # each edge has two marks
        classes.add(mag)
        for number, places in enumerate(wanted):
            right[number] += sum(marks[a] == mark_a and marks[b] == mark_b for a, mark_a, b, mark_b in places)
    late = None if walk.complete else NotFinished(patience, mags)
    scores = tuple(
        Score(
            truth.name,
            _rated(2 * hits, edges, mags, late),
            _rated(hits, len(places) * mags, mags, late),
            mag is not None and contains(solutions, mag),
        )
        for truth, hits, places, mag in zip(truths, right, wanted, true_mags, strict=True)
    )
    return _Walked(late or mags, NotFinished(patience, len(classes)) if late else len(classes), scores)


def _places(edges: Iterable[Edge], variables: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where the two marks of each edge stand in the matrix of a graph over the variables, and what they are."""
    size, index = len(variables), {name: place for place, name in enumerate(variables)}
    both = ((index[edge.x], edge.mark_x, index[edge.y], edge.mark_y) for edge in edges)
    return [(y * size + x, mark_x, x * size + y, mark_y) for x, mark_x, y, mark_y in both]


def _rated(part: int, whole: int, mags: int, late: NotFinished | None) -> Rated:
    """A share; nothing wrong out of nothing is 1, and no answer at all has nothing right."""
    value = part / whole if whole else float(mags > 0)
    if late is None:
        return value
    return Partial(value, mags) if mags else late


def _counted(solutions: SolutionSet, walked: NotFinished) -> Counted:
    """The number of answers by the solver alone, which is quicker than to look at each."""
    count = solutions.count()
    if isinstance(count, int):
        return count if solutions.complete else NotFinished(walked.seconds, max(count, walked.at_least))
    return NotFinished(walked.seconds, walked.at_least)


def contains(solutions: SolutionSet, mag: MixedGraph) -> bool | NotFinished:
    """Whether a MAG is one of the answers, without listing them."""
    edges = ((x, y, mag.edge(x, y)) for x, y in combinations(mag.names, 2))
    claims = [Claim(Topic.EDGE, x, y, edge is not None, edge or "o-o") for x, y, edge in edges]
    answer = solutions.assume(*claims).consistent
    return NotFinished(solutions.timeout or 0.0) if answer is None else answer
