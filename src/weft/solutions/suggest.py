"""What to do next: which study or experiment would tell the solutions apart best.

Suppose that each solution is equally likely to be the truth. Something that could be done has an *outcome* under each
solution; solutions with the same outcome stay indistinguishable, so an outcome that ``n`` of ``N`` solutions share has
probability ``n / N`` and leaves ``n`` solutions. What is *expected* to be left is the sum of ``n^2 / N`` over the
outcomes, and what is learnt is the entropy of the outcome, in bits.

Of a sample at least the one that is the truth is left, however many there are of all. So there the *share* that is left
is told: how often two of the sample have the same outcome. That is the sum of p^2 over the outcomes on average, where p
is the share of all solutions that have an outcome.

=============================== ======================================================================================
what could be done              its outcome under a solution (a MAG)
=============================== ======================================================================================
measure a pair together that    what perfect tests find: the Markov equivalence class of the marginal MAG over the set
no study measured together      of variables; and, if the solutions keep to causal relations (``iod-bcd``,
measure one more variable in a  ``causal-iod``), also which variable of the set is an ancestor of which
study
randomise a variable and        the variables that respond: the descendants of that variable
measure all
=============================== ======================================================================================

The best that any study without an experiment could do is to measure all variables together; that is given as a
*reference*. All of this is for tests that make no mistakes. Real ones do, and learn less.

How it is computed: for every two variables one ``int`` holds a fact such as "x -> y" for all solutions at once, a bit
for each. Ancestors and inducing paths (see :mod:`weft.graphs.separation`) are then found for all solutions together by
a few thousand operations on whole numbers, whatever their length. Without ``--`` edges the class of a MAG and its
ancestors are the MAG itself, so only for ``iod`` or with selection are equivalence classes looked at.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import TYPE_CHECKING, Any

from weft.errors import ProblemError
from weft.graphs.equivalence import MagClasses
from weft.graphs.mixed import Mark, MixedGraph, bits, quote
from weft.knowledge.common_sense import given_by_nature
from weft.reading.arguments import check_whole
from weft.reading.frames import frame_of, html_table
from weft.search.engine import check_time
from weft.solutions.paragraphs import wrapped
from weft.solutions.structures import Slice, Structures

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from weft.evidence.statements import Scope
    from weft.solutions.solution_set import SolutionSet

MOST = 20_000
"""The most solutions that are looked at."""


class Kind(StrEnum):
    """What could be done."""

    PAIR = "pair"
    """Measure two variables together."""
    ADD = "add"
    """Measure one more variable in a study."""
    RANDOMISE = "randomise"
    """Set one variable by chance and measure all."""
    ALL = "all"
    """Measure all variables together."""


@dataclass(frozen=True)
class Suggestion:
    """Something that could be done, and what can be expected of it."""

    kind: Kind
    variables: tuple[str, ...]
    """What is measured, sorted."""
    variable: str | None
    """The variable that is added or randomised."""
    study: str | None
    """The study that it is added to."""
    expected: float
    """How many of the solutions that were looked at are left on average."""
    share: float
    """The share of all solutions that is left on average; of a sample, estimated without bias."""
    worst: int
    """How many are left at worst."""
    outcomes: int
    """How many different outcomes there can be."""
    bits: float
    """How much is learnt on average."""

    def __str__(self) -> str:
        if self.kind is Kind.PAIR:
            return f"measure {' and '.join(map(quote, self.variables))} together"
        if self.kind is Kind.ALL:
            return "measure all variables together"
        assert self.variable is not None
        if self.kind is Kind.ADD:
            return f"measure {quote(self.variable)} too in study {self.study!r}"
        return f"randomise {quote(self.variable)} and see which variables respond"

    def __repr__(self) -> str:
        return f"<Suggestion: {self}; {share_in_words(self.share)} of the structures left on average>"

    def as_json(self) -> dict[str, Any]:
        """The row as plain data."""
        return {
            "kind": self.kind.value,
            "text": str(self),
            "variables": list(self.variables),
            "variable": self.variable,
            "study": self.study,
            "expected": self.expected,
            "share": self.share,
            "worst": self.worst,
            "outcomes": self.outcomes,
            "bits": self.bits,
        }


_SHOWN = 10
"""Rows in a notebook."""


@dataclass(frozen=True)
class Suggestions:
    """What could be done, the best first."""

    rows: tuple[Suggestion, ...]
    reference: Suggestion | None
    """All variables in one study: the best that can be done without an experiment. ``None`` without any solution."""
    structures: int
    """How many solutions were looked at."""
    exact: bool
    """Whether these are all the solutions."""
    how: str
    """Which solutions were looked at, in words."""
    useless: int
    """How many things that could be done would tell nothing."""

    def left(self, row: Suggestion) -> str:
        """How much is left on average: a number, or a share if only a sample was looked at."""
        return f"{row.expected:,.1f}" if self.exact else share_in_words(row.share)

    def at_worst(self, row: Suggestion) -> str:
        """How much is left at worst, likewise."""
        return f"{row.worst:,}" if self.exact else share_in_words(row.worst / self.structures)

    def lines(self, top: int = 10) -> Iterator[str]:
        """The best of them as a table, and what they can be compared with."""
        return _lines(self, top)

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def __repr__(self) -> str:
        return f"<Suggestions: {len(self.rows)}, from {self.structures:,} structures>"

    def _repr_html_(self) -> str:
        titles = ("left", "at worst", "outcomes", "bits", "what to do")
        cells = [(self.left(one), self.at_worst(one), one.outcomes, f"{one.bits:.2f}", one) for one in self.rows]
        return html_table(cells[:_SHOWN], titles)

    def __len__(self) -> int:
        return len(self.rows)

    def __iter__(self) -> Iterator[Suggestion]:
        return iter(self.rows)

    def __getitem__(self, place: int) -> Suggestion:
        return self.rows[place]

    def to_frame(self) -> Any:
        """A data frame, a row for each suggestion."""
        rows = [{"what": str(one), **one.as_json()} for one in self.rows]
        return frame_of(rows, ("what", "kind", "variable", "study", "expected", "share", "worst", "outcomes", "bits"))

    def as_json(self) -> dict[str, Any]:
        """Everything as plain data."""
        return {
            "structures": self.structures,
            "exact": self.exact,
            "how": self.how,
            "useless": self.useless,
            "reference": None if self.reference is None else self.reference.as_json(),
            "rows": [row.as_json() for row in self.rows],
        }


def suggest(solutions: SolutionSet, *, most: int = MOST, seed: int = 0) -> Suggestions:
    """What to do next so that, in expectation over the solutions, the fewest are left.

    Parameters
    ----------
    solutions
        The solutions in question; their limits hold.
    most
        How many solutions to look at. If there are more, it is a sample of so many: :attr:`Suggestions.how` says.
    seed
        For the sample.

    Examples
    --------
    >>> from weft import oracle, solve
    >>> found = suggest(solve(oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])))
    >>> found.structures, found.how
    (2, 'all solutions')
    >>> for row in found.rows:
    ...     print(f"{row.expected:g} left: {row}")
    1 left: measure X too in study 'b'
    1 left: measure Z too in study 'a'

    X and Z by themselves would not do: they are dependent in both solutions, through Y.

    >>> found.useless
    4
    """
    return suggested(solutions.structures, solutions.evidence.studies, solutions.method, most=most, seed=seed)


def suggested(
    every: Structures, studies: Sequence[Scope], method: str, *, most: int = MOST, seed: int = 0
) -> Suggestions:
    """What to do next, by these structures; see :func:`suggest`."""
    check_whole("most", most)
    check_whole("seed", seed)
    if most < 1:
        raise ProblemError(f"most is {most}; look at 1 solution at least")
    looked_at = every.sampled(most, seed)
    exact, how = every.complete and looked_at is every, _how(every, looked_at)
    if not looked_at.number:
        return Suggestions((), None, 0, exact, how, 0)
    outcomes = _Outcomes(looked_at, relations=method in ("iod-bcd", "causal-iod"))
    names = every.names
    rows = [_row(outcomes, exact, *candidate) for candidate in candidates(names, studies)]
    useful = sorted((row for row in rows if row.outcomes > 1), key=_merit)
    reference = _row(outcomes, exact, Kind.ALL, names, None, None)
    return Suggestions(tuple(useful), reference, looked_at.number, exact, how, len(rows) - len(useful))


def _merit(row: Suggestion) -> tuple[float, int, str]:
    return row.expected, len(row.variables), str(row)


# -- which solutions, and what could be done ---------------------------------------------------------------------------


def _how(every: Structures, looked_at: Structures) -> str:
    """Which solutions are looked at, in words."""
    if every.total is not None:
        return looked_at.drawn
    if every.worth is not None:
        return looked_at.met
    if not every.complete:
        sample = f"a fair sample of {looked_at.number:,} of " if looked_at is not every else ""
        return f"{sample}the first {every.number:,} solutions found, which need not be typical of all"
    return (
        "all solutions"
        if looked_at is every
        else f"a fair sample of {looked_at.number:,} of {every.number:,} solutions"
    )


Candidate = tuple[Kind, tuple[str, ...], str | None, str | None]


def candidates(names: Sequence[str], studies: Sequence[Scope]) -> Iterator[Candidate]:
    """What could be done: the kind, what is measured, the variable in question, the study."""
    everything = tuple(names)
    measured = [frozenset(study.variables) for study in studies]
    for pair in combinations(names, 2):
        if not any(known.issuperset(pair) for known in measured):
            yield Kind.PAIR, pair, None, None
    for study, own in zip(studies, measured, strict=True):
        for name in names:
            wider = own | {name}
            if name not in own and not any(wider <= known for known in measured):
                yield Kind.ADD, tuple(sorted(wider)), name, study.name
    for name in names:
        if given_by_nature(name) is None:  # nobody can set an age
            yield Kind.RANDOMISE, everything, name, None


def _row(
    outcomes: _Outcomes, exact: bool, kind: Kind, variables: tuple[str, ...], name: str | None, study: str | None
) -> Suggestion:
    check_time(None)  # there may be many, and whoever asked may want something else by now
    if kind is Kind.RANDOMISE:
        assert name is not None
        sizes = outcomes.of_setting(name)
    else:
        sizes = outcomes.of_measuring(variables)
    total = sum(sizes)
    expected = sum(size * size for size in sizes) / total
    return Suggestion(
        kind,
        variables,
        name,
        study,
        expected,
        share=expected / total if exact or total == 1 else (expected - 1) / (total - 1),
        worst=max(sizes),
        outcomes=len(sizes),
        bits=max(0.0, math.log2(total) - sum(size * math.log2(size) for size in sizes) / total),
    )


# -- outcomes, for all solutions at once -------------------------------------------------------------------------------


class _Outcomes:
    """How many solutions share each outcome of what could be done."""

    def __init__(self, structures: Structures, *, relations: bool) -> None:
        self.names = structures.names
        self.number = structures.number
        self.relations = relations
        self._size = len(self.names)
        self._all = structures.everywhere
        self._above = structures.ancestors
        self._read(structures)
        self._known: dict[int, tuple[int, ...]] = {}

    def _read(self, structures: Structures) -> None:
        """For each kind of edge and each vertex v, by w: where v has it with w."""

        def edges(symbol: str) -> list[dict[int, Slice]]:
            return [
                {w: where for w in range(self._size) if w != v and (where := structures.edge(v, symbol, w))}
                for v in range(self._size)
            ]

        self._children, self._parents, self._spouses, self._neighbours = map(edges, ("->", "<-", "<->", "--"))
        self._selected = [_union(row.values()) for row in self._neighbours]
        self._selection = any(self._selected)

    @cached_property
    def _above_selected(self) -> list[Slice]:
        """For each vertex: where it is an ancestor of one that has a ``--`` edge."""
        found = [0] * self._size
        for v, where in enumerate(self._selected):
            if where:
                found = [old | new & where for old, new in zip(found, self._above[v], strict=True)]
        return found

    # -- outcomes ----------------------------------------------------------------------------------------------------

    def of_setting(self, name: str) -> tuple[int, ...]:
        """How many solutions agree on which variables respond to one that is set."""
        v = self.names.index(name)
        return tuple(Counter(self._rows(self._above[w][v] for w in range(self._size))).values())

    def of_measuring(self, names: Sequence[str]) -> tuple[int, ...]:
        """How many solutions agree on what perfect tests (and relations) say of a set of variables."""
        kept = sum(1 << self.names.index(name) for name in names)
        if kept not in self._known:
            self._known[kept] = self._measured(kept)
        return self._known[kept]

    def _measured(self, kept: int) -> tuple[int, ...]:
        vertices = list(bits(kept))
        adjacent = {(a, b): self._joined(a, b, kept) for a, b in combinations(vertices, 2)}
        ancestors = [self._above[b][a] for a in vertices for b in vertices if a != b]
        if self.relations and not self._selection:  # then the marginal MAG is all there is to know
            return tuple(Counter(self._rows([*adjacent.values(), *ancestors])).values())
        marginals = self._marginals(vertices, adjacent)
        classes, names = MagClasses(), tuple(self.names[v] for v in vertices)
        numbers = {marks: classes.add(MixedGraph(names, marks)) for marks in dict.fromkeys(marginals)}
        related = self._rows(ancestors) if self.relations else [b""] * self.number
        return tuple(Counter((numbers[marks], row) for marks, row in zip(marginals, related, strict=True)).values())

    def _marginals(self, vertices: Sequence[int], adjacent: Mapping[tuple[int, int], Slice]) -> list[bytes]:
        """The marks of each solution's marginal MAG."""
        import numpy

        size = len(vertices)
        marks = numpy.zeros((size * size, self.number), dtype=numpy.uint8)
        for i, a in enumerate(vertices):
            for j, b in enumerate(vertices):
                if i != j:
                    joined = adjacent[min(a, b), max(a, b)]
                    tail = joined & (self._above[a][b] | self._above_selected[b])
                    marks[i * size + j] = Mark.ARROW * self._array(joined & ~tail) + Mark.TAIL * self._array(tail)
        rows = numpy.ascontiguousarray(marks.T)
        return [row.tobytes() for row in rows]

    def _joined(self, x: int, y: int, kept: int) -> Slice:
        """Where an inducing path relative to the variables that are not kept joins two vertices.

        The walks of :func:`weft.graphs.separation.has_inducing_path`, in all solutions at once.
        """
        adjacent = self._edge(x, y)
        open_ = self._all & ~adjacent
        colliders = [
            open_ & (a | b | s) for a, b, s in zip(self._above[x], self._above[y], self._above_selected, strict=True)
        ]
        colliders[y] = 0
        arrow, tail = [0] * self._size, [0] * self._size
        new_arrow: dict[int, Slice] = {}
        new_tail: dict[int, Slice] = {}

        def arrive(edges: Mapping[int, Slice], where: Slice, seen: list[Slice], new: dict[int, Slice]) -> None:
            for w, there in edges.items():
                if w != x and (fresh := there & where & ~seen[w]):
                    seen[w] |= fresh
                    new[w] = new.get(w, 0) | fresh

        for edges in (self._children[x], self._spouses[x]):
            arrive(edges, open_, arrow, new_arrow)
        for edges in (self._parents[x], self._neighbours[x]):
            arrive(edges, open_, tail, new_tail)
        while new_arrow or new_tail:
            came_arrow, came_tail = new_arrow, new_tail
            new_arrow, new_tail = {}, {}
            for v in came_arrow.keys() | came_tail.keys():
                if v == y:
                    continue
                at_arrow, at_tail = came_arrow.get(v, 0), came_tail.get(v, 0)
                hidden = not kept >> v & 1
                if hidden:  # leave v at a tail
                    arrive(self._children[v], at_arrow | at_tail, arrow, new_arrow)
                    arrive(self._neighbours[v], at_arrow | at_tail, tail, new_tail)
                if leaving := at_arrow & colliders[v] | (at_tail if hidden else 0):  # leave v at an arrowhead
                    arrive(self._spouses[v], leaving, arrow, new_arrow)
                    arrive(self._parents[v], leaving, tail, new_tail)
        return adjacent | arrow[y] | tail[y]

    def _edge(self, x: int, y: int) -> Slice:
        """Where an edge joins two vertices."""
        kinds = (self._children, self._parents, self._spouses, self._neighbours)
        return _union(kind[x].get(y, 0) for kind in kinds)

    # -- slices and arrays -------------------------------------------------------------------------------------------

    def _array(self, where: Slice) -> NDArray[np.uint8]:
        """A slice as zeros and ones."""
        import numpy

        packed = where.to_bytes((self.number + 7) // 8, "little")
        return numpy.unpackbits(numpy.frombuffer(packed, dtype=numpy.uint8), count=self.number, bitorder="little")

    def _rows(self, slices: Iterable[Slice]) -> list[bytes]:
        """For each solution what a list of facts says of it; facts that are the same everywhere are left out."""
        import numpy

        telling = [self._array(one) for one in dict.fromkeys(slices) if one not in (0, self._all)]
        if not telling:
            return [b""] * self.number
        packed = numpy.packbits(numpy.array(telling), axis=0).T
        return [row.tobytes() for row in numpy.ascontiguousarray(packed)]


def _union(slices: Iterable[Slice]) -> Slice:
    return reduce(or_, slices, 0)


# -- in words ----------------------------------------------------------------------------------------------------------


def share_in_words(share: float) -> str:
    """A share that may be very small, as per cent with two digits.

    >>> share_in_words(0.254), share_in_words(0.0254), share_in_words(0.000254), share_in_words(0.0)
    ('25 %', '2.5 %', '0.025 %', '< 0.001 %')
    """
    if share < 1e-5:
        return "< 0.001 %"
    digits = max(0, 1 - math.floor(math.log10(100 * share)))
    return f"{100 * share:.{digits}f} %"


def _lines(found: Suggestions, top: int) -> Iterator[str]:
    """The best rows as a table, and what they can be compared with."""
    if not found.structures:
        yield (
            "No structure is consistent, so there is nothing to tell apart."
            if found.exact
            else "The time ran out before a consistent structure was found."
        )
        return
    if found.structures == 1 and found.exact:
        yield "There is one consistent structure: nothing is left to tell apart."
        return
    yield from wrapped(f"{found.structures:,} structures were looked at: {found.how}.")
    if found.rows:
        yield ""
        yield from _table(found, top)
    yield ""
    if found.useless:
        others = "other thing" if found.rows else "thing"
        yield from wrapped(f"{found.useless:,} {others}{'s' * (found.useless > 1)} to do would tell nothing.")
    if found.reference is not None:
        reference = f"{found.left(found.reference)} left on average, {found.at_worst(found.reference)} at worst"
        yield from wrapped(f"For comparison, without an experiment: {found.reference} ({reference}).")


def _table(found: Suggestions, top: int) -> Iterator[str]:
    titles = ("left", "at worst", "outcomes", "bits")
    shown = found.rows[:top]
    cells = [(found.left(row), found.at_worst(row), f"{row.outcomes:,}", f"{row.bits:.2f}") for row in shown]
    widths = [max(map(len, column)) for column in zip(titles, *cells, strict=True)]

    def row(values: Sequence[str]) -> str:
        return "  ".join(f"{value:>{width}}" for value, width in zip(values, widths, strict=True)) + "  "

    yield f"{row(titles)}what to do"
    for values, suggestion in zip(cells, shown, strict=True):
        yield from wrapped(str(suggestion), row(values))
    if left := len(found.rows) - len(shown):
        yield f"and {left:,} more (--top N shows more)"
