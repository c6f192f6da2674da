"""What a method answers to evidence, as far as it is known in time.

*Not finished* is a value of its own, never a number that looks like an answer.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from weft.effort import USUAL
from weft.evidence.statements import Evidence
from weft.graphs.ancestral import directed_cycle, marginal_mag
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import Edge, MixedGraph
from weft.reproduce.paper import METHODS
from weft.search.counting import Estimate, NotKnown
from weft.search.wandering import Guess
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
    """A figure of some of the answers: of a fair sample, of some met on random walks, or of the first found in time.

    >>> print(Partial(0.5, 2_000, fair=True), Partial(0.5, 2_000, fair=True, walks=True), Partial(0.5, 2_000))
    0.50 (2,000 drawn) 0.50 (2,000 on walks) 0.50 (first 2,000)
    """

    value: float
    answers: int
    fair: bool = False
    """Whether it is that of all but for the luck of the draw, or that of the walks."""
    walks: bool = False

    def __str__(self) -> str:
        number = f"{self.answers:,}"
        answers = f"{number} on walks" if self.walks else f"{number} drawn" if self.fair else f"first {number}"
        return f"{self.value:.2f} ({answers})"


EFFORT = 2 * USUAL
"""The effort of a question at most: so much it takes to count Protein by Causal IOD within a factor of 1.2."""
GONE_OVER = 1_000_000
"""Up to so many answers, each is looked at."""

Counted = int | Estimate | Guess | NotKnown | NotFinished
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
    kinds = {"factor": Estimate, "agreement": Guess, "answers": Partial, "why": NotKnown, "seconds": NotFinished}
    return next(kind(**value) for name, kind in kinds.items() if name in value)


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
    solutions = solve(evidence, method, timeout=patience, effort=EFFORT, conflicts="repair")
    repair = solutions.repair()
    assert repair is not None
    found = _looked_at(solutions, truths, patience)
    passed = time.perf_counter() - start
    return Outcome(
        method, found.mags, found.pags, found.scores, round(passed, 3), repair.cost, repair.proven, _given_up(repair)
    )


def counted(solutions: SolutionSet) -> Any:
    """How many answers there are, as plain values: exactly, about, or at least; see :func:`read_count`."""
    total = solutions.count()
    if isinstance(total, Estimate):
        return asdict(total)
    return total if solutions.complete else asdict(NotFinished(solutions.timeout or 0.0, total))


def read_count(document: Any) -> Counted:
    """The reverse of :func:`counted`."""
    found: Counted = _read(document)
    return found


def _given_up(repair: Repair) -> tuple[str, ...]:
    return tuple(str(statement) for statement in repair.given_up)


@dataclass(frozen=True)
class _Found:
    mags: Counted
    pags: Counted
    scores: tuple[Score, ...]


def _looked_at(solutions: SolutionSet, truths: Sequence[Truth], patience: float) -> _Found:
    """All answers if they can be gone over in time, else a fair sample, or one by walks, or those found first."""
    total = solutions.count()
    if solutions.complete and isinstance(total, int) and total <= GONE_OVER:
        walked = _walked(solutions, truths, patience)
        if isinstance(walked.mags, int):
            return walked
    sample = solutions.shown(fairly=True)
    if not sample.fair:
        found = _walked(solutions, truths, patience)
        if isinstance(total, Estimate) or solutions.complete:
            return replace(found, mags=total)
        if isinstance(found.mags, NotFinished):
            return replace(found, mags=NotFinished(patience, max(total, found.mags.at_least)))
        return found
    tally = _Tally(truths, solutions.evidence.variables)
    for mag in sample:
        tally.add(mag)
    walks = sample.worth is not None
    scores = tally.scores(
        solutions, lambda value: value if sample.complete else Partial(value, sample.number, fair=True, walks=walks)
    )
    mags: Counted = total
    if isinstance(total, int) and not solutions.complete:
        guess = solutions.guess()
        mags = guess if isinstance(guess, Guess) else NotFinished(patience, total)
    return _Found(mags, solutions.count_classes(), scores)


def _walked(solutions: SolutionSet, truths: Sequence[Truth], patience: float) -> _Found:
    """Go over the answers once: how many, in how many classes, and how many edges are right."""
    tally, classes = _Tally(truths, solutions.evidence.variables), MagClasses()
    walk = iter(solutions)
    for mag in walk:
        tally.add(mag)
        classes.add(mag)
    mags = tally.mags
    if walk.complete:
        return _Found(mags, len(classes), tally.scores(solutions, lambda value: value))
    late = NotFinished(patience, mags)
    scores = tally.scores(solutions, lambda value: Partial(value, mags) if mags else late)
    return _Found(late, NotFinished(patience, len(classes)), scores)


class _Tally:
    """How many edges of some answers are right, by each truth."""

    def __init__(self, truths: Sequence[Truth], variables: Sequence[str]) -> None:
        self._truths = truths
        self._variables = variables
        self._wanted = [_places(truth.edges(variables), variables) for truth in truths]
        self._right = [0] * len(truths)
        self._edges = 0
        self.mags = 0

    def add(self, mag: MixedGraph) -> None:
        """Look at one more answer."""
        marks = mag.marks
        self.mags += 1
        self._edges += (len(marks) - marks.count(0)) // 2  # each edge has two marks
        for number, places in enumerate(self._wanted):
            self._right[number] += sum(marks[a] == mark_a and marks[b] == mark_b for a, mark_a, b, mark_b in places)

    def scores(self, solutions: SolutionSet, worth: Callable[[float], Rated]) -> tuple[Score, ...]:
        """The scores by each truth; ``worth`` says what the figures are worth."""
        return tuple(
            Score(
                truth.name,
                worth(self._share(hits, self._edges)),
                worth(self._share(hits, len(places) * self.mags)),
                mag is not None and contains(solutions, mag),
            )
            for truth, hits, places in zip(self._truths, self._right, self._wanted, strict=True)
            for mag in (truth.mag(self._variables),)
        )

    def _share(self, part: int, whole: int) -> float:
        """A share; nothing wrong out of nothing is 1, and no answer at all has nothing right."""
        return part / whole if whole else float(self.mags > 0)


def _places(edges: Iterable[Edge], variables: Sequence[str]) -> list[tuple[int, int, int, int]]:
    """Where the two marks of each edge stand in the matrix of a graph over the variables, and what they are."""
    size, index = len(variables), {name: place for place, name in enumerate(variables)}
    both = ((index[edge.x], edge.mark_x, index[edge.y], edge.mark_y) for edge in edges)
    return [(y * size + x, mark_x, x * size + y, mark_y) for x, mark_x, y, mark_y in both]


def contains(solutions: SolutionSet, mag: MixedGraph) -> bool | NotFinished:
    """Whether a MAG is one of the answers, without listing them."""
    answer = solutions.contains(mag)
    return NotFinished(solutions.timeout or 0.0) if answer is None else answer
