"""How many solutions there are, and a fair draw of them, where they are too many to walk.

Every solution is put into one of 2^m *cells* by m random parities of its edges' marks: each parity looks at each mark
with probability 1/2. Any two solutions fall into the same cell with probability 2^-m, independently of a third, so that
the size of a cell, any cell, tells the number of all: with a mean of N / 2^m, its variance is no larger than its mean.
That is the scheme of ApproxMC and UniGen (Chakraborty, Meel and Vardi); the bounds here are plain Chebyshev.

**Counting** (:func:`estimated`) takes two steps. The *rough* step looks for an m whose cell has no more than C = 512
solutions while that of m - 1 has more. Wherever the mean is at most C / 2, more than C is found with a probability
of at most mean / (C / 2)^2; over all such m, that is 4 / C at most. So the mean at m - 1 is above C / 2, but for that
probability. The *final* step counts one fresh cell at an m so much lower that its mean is above what the factor needs:
the size is off by a share r of the mean with a probability of at most 1 / (mean r^2).

**Parts** (:func:`part_of`) of what was counted are estimated by a fair sample. Two draws are nearly independent, more
of them need not be, so that the bounds are Chebyshev's again.

**Drawing** (:class:`Drawing`) takes whole cells at random, of about 1,024 solutions, in a random order each. So every
solution of a cell that is not too large (4,096) has the same chance, whatever the size of its cell. A cell is too large
with a probability of mean / (4,096 - mean)^2 at most, less than :data:`UNEVEN`, whichever solution it holds: that is by
how much the chances of two solutions can differ. (Small cells take longer: each is a search of its own, and has more
parities.)

Numbers come from the seed, and the solutions of a cell are sorted: neither depends on the solver's ways.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from weft.effort import spend
from weft.evidence.claims import Claim
from weft.graphs.mixed import MixedGraph
from weft.search.engine import OutOfTime, check_time
from weft.search.program import Program, has_ended, interrupted_at, stoppable, wait_for

FACTOR, PROBABILITY = 1.2, 0.95
"""How near an estimate is, and how often, unless something else is asked for."""
ROUGH = 512
"""The size of a cell that the rough step looks for."""
CELL, LARGEST = 1024, 4096
"""The size of a cell that is drawn from, and the most that it may have."""
UNEVEN = 0.01
"""By how much, at most, the chances of two solutions to be drawn differ."""
SURE = 0.99
"""How probable it is at least that there are as many as :class:`TooMany` says."""
WALKED = 10
"""To walk over so many solutions takes about as long as one conflict."""
HASHES = 16
"""So many cells are drawn with the same parities, and so many sets of parities put into one program."""


TRIES = 2
"""So often walks are given time to meet, the second time twice as much."""


@dataclass(frozen=True)
class Estimate:
    """How many there are, where they were not all counted. It is no number, so that nobody takes it for the count.

    >>> str(Estimate(3_100_000_000, 1.2, 0.95))
    'about 3.1e9 (within a factor 1.2, 95 %)'
    """

    value: int
    """About so many."""
    factor: float
    """The true number is between ``value / factor`` and ``value * factor`` ..."""
    probability: float
    """... with this probability at least."""
    walks: int = 0
    """If it rests on random walks: so many pairs of them, all of which met (:mod:`weft.search.meeting`). With 0 the
    guarantee holds whatever the structures are like; with walks, as far as these show."""

    @property
    def about(self) -> str:
        """The estimate in two digits."""
        return f"about {rounded(self.value)}"

    @property
    def guarantee(self) -> str:
        """What it is worth."""
        far = f"; by walks, {self.walks} pairs of which met" if self.walks else ""
        return f"within a factor {self.factor:g}, {100 * self.probability:g} %{far}"

    def __str__(self) -> str:
        return f"{self.about} ({self.guarantee})"


class TooMany(OutOfTime):
    """The time or the effort did not suffice to estimate their number.

    Parameters
    ----------
    more_than
        There are more than so many, with a probability of :data:`SURE`; 0 if nothing is known.
    """

    def __init__(self, more_than: int) -> None:
        super().__init__(more_than)
        self.more_than = more_than


@dataclass(frozen=True)
class NotKnown:
    """A number that is not known, and why; in no way a number.

    >>> str(NotKnown("there are too many to list"))
    'not known: there are too many to list'
    """

    why: str

    def __str__(self) -> str:
        return f"not known: {self.why}"


def rounded(number: int) -> str:
    """A large number in two digits.

    >>> rounded(95_432), rounded(3_149_000), rounded(99_900_000_000)
    ('95,000', '3.1e6', '1e11')
    """
    digits = float(f"{number:.1e}")
    if digits < 1e6:
        return f"{digits:,.0f}"
    mantissa, exponent = f"{digits:.1e}".split("e")
    return f"{mantissa.removesuffix('.0')}e{int(exponent)}"


class Row(NamedTuple):
    """A sum of parities: the marks that it looks at, and which of the given parities it is the sum of."""

    mask: int
    combined: int


def echelon(masks: Sequence[int]) -> list[Row]:
    """The same parities in reduced form: each has a mark, the last it can have, that no other one looks at.

    They say the same, and the solver finds the solutions of a cell 20 times as fast: it has to choose the other marks
    only, and those of the first vertices, which a graph's rules bind together, come first. A sum that looks at no mark
    is always even.

    >>> [(f"{row.mask:04b}", f"{row.combined:03b}") for row in echelon([0b1100, 0b1010, 0b0110])]
    [('1010', '010'), ('0110', '011'), ('0000', '111')]
    """
    reduced: list[Row] = []
    empty: list[Row] = []
    for place, mask in enumerate(masks):
        row = Row(mask, 1 << place)
        for other in reduced:
            if row.mask >> other.mask.bit_length() - 1 & 1:
                row = _sum(row, other)
        if not row.mask:
            empty.append(row)
            continue
        pivot = row.mask.bit_length() - 1
        reduced = [_sum(other, row) if other.mask >> pivot & 1 else other for other in reduced]
        reduced.append(row)
    return reduced + empty


def _sum(one: Row, other: Row) -> Row:
    return Row(one.mask ^ other.mask, one.combined ^ other.combined)


@dataclass(frozen=True)
class Parities:
    """Random parities, in reduced form: for each a literal that holds where it is odd, and what it is the sum of."""

    number: int
    rows: tuple[tuple[int, int], ...] = ()

    def cell(self, source: random.Random) -> list[int]:
        """The literals of one of the cells, each as likely."""
        odd = source.getrandbits(self.number) if self.number else 0
        return [literal if (combined & odd).bit_count() % 2 else -literal for literal, combined in self.rows]


class Cells:
    """The solutions of a problem under claims, cell by cell.

    Parameters
    ----------
    make
        Makes a program in which every model is a solution. Parities stay in a program for good, so that a new one is
        made from time to time.
    claims
        What the solutions must satisfy.
    """

    def __init__(self, make: Callable[[], Program], claims: Sequence[Claim] = ()) -> None:
        self._make = make
        self._claims = tuple(claims)
        self._renew()

    def _renew(self) -> None:
        self._program = self._make()
        self._assumed = self._program.assumptions(self._claims)
        self._marks = _marks(self._program)
        self._made = 0

    def parities(self, number: int, source: random.Random) -> Parities:
        """So many new random parities."""
        if self._made == HASHES:
            self._renew()
        self._made += 1
        program, marks = self._program, self._marks
        rows = echelon([source.getrandbits(len(marks)) if marks else 0 for _ in range(number)])
        literals = [_parity(program, [one for k, one in enumerate(marks) if row.mask >> k & 1]) for row in rows]
        return Parities(number, tuple(zip(literals, (row.combined for row in rows), strict=True)))

    def size(self, cell: Sequence[int], most: int, deadline: float | None) -> int:
        """How many solutions satisfy the literals; ``most`` + 1 if more than ``most`` do."""
        program, found, ended = self._program, 0, False
        program.walk_at_most(most + 1)
        while not ended and not found:  # an interrupt meant for an earlier question may be pending
            check_time(deadline)
            with (
                program.limited(),
                stoppable(program.control),
                program.control.solve(assumptions=[*self._assumed, *cell], async_=True) as handle,
            ):
                wait_for(handle, deadline)
                ended = has_ended(handle.get())
            found = int(program.control.statistics["summary"]["models"]["enumerated"])
        if not ended and found <= most:
            raise OutOfTime
        spend(found // WALKED)
        return found

    def solutions(self, cell: Sequence[int], most: int, deadline: float | None) -> list[MixedGraph]:
        """The solutions that satisfy the literals, sorted; the first ``most`` + 1 found if there are more."""
        program, ended = self._program, False
        found: list[MixedGraph] = []
        program.walk_at_most(most + 1)
        while not ended and not found:
            check_time(deadline)
            with (
                program.limited(),
                interrupted_at(program.control, deadline),
                program.control.solve(assumptions=[*self._assumed, *cell], yield_=True) as handle,
            ):
                found = [program.read(model) for model in handle]
                ended = has_ended(handle.get())
        if not ended and len(found) <= most:
            raise OutOfTime
        spend(len(found) // WALKED)
        return sorted(found, key=lambda graph: graph.marks)


def _marks(program: Program) -> list[int]:
    """Literals that tell every solution from every other: the arrowheads that may be, and the ``--`` edges."""
    found: list[int] = []
    for x in range(program.size):
        for y in range(x + 1, program.size):
            edges = program.edge_literals(x, y)
            groups = [tuple(edges[one] for one in symbols if one in edges) for symbols in _TELLING]
            for own in dict.fromkeys(group for group in groups if group):
                found.append(own[0] if len(own) == 1 else program.any_of(own))
    return found


_TELLING = (("->", "<->"), ("<-", "<->"), ("--",))


def _parity(program: Program, literals: Sequence[int]) -> int:
    """A literal that holds where an odd number of the given ones do."""
    if not literals:
        return -program.true
    odd, *others = literals
    with program.control.backend() as backend:
        for literal in others:
            following = backend.add_atom()
            backend.add_rule([following], [odd, -literal])
            backend.add_rule([following], [-odd, literal])
            odd = following
    return odd


# -- how many ----------------------------------------------------------------------------------------------------------


def estimated(
    cells: Cells,
    seed: int,
    deadline: float | None = None,
    *,
    factor: float = FACTOR,
    probability: float = PROBABILITY,
) -> int | Estimate:
    """The number of solutions within a factor, with a probability; exactly where they are few.

    Raises
    ------
    TooMany
        If the time or the effort ends before.
    """
    source = random.Random(f"count {seed}")
    rough = max(ROUGH, math.ceil(16 / (1 - probability)))
    low, high = -1, 0  # the cells of `low` parities have more than `rough` solutions, those of `high` do not
    try:
        while (found := _size(cells, high, rough, source, deadline)) > rough:
            low, high = high, high + (4 if high < 16 else 2)  # each takes much longer than the one before
        if high == 0:
            return found
        while high - low > 1:
            middle = max(low + 1, high - max(1, round(math.log2(rough / max(1, found)))))
            size = _size(cells, middle, rough, source, deadline)
            low, high, found = (middle, high, found) if size > rough else (low, middle, size)
        return _estimate(cells, low, rough, source, deadline, factor, probability)
    except OutOfTime:
        raise TooMany(0 if low < 0 else (rough // 2 if low else rough) << low) from None


def _estimate(
    cells: Cells, low: int, rough: int, source: random.Random, deadline: float | None, factor: float, probability: float
) -> int | Estimate:
    """The final step, where the cells of ``low`` parities have more than ``rough`` solutions."""
    needed = 1 / ((1 - 1 / factor) ** 2 * (1 - probability - 4 / rough))
    final = low - max(0, math.ceil(math.log2(needed / (rough / 2))))
    if final <= 0:
        most = 64 * rough  # seldom more than 8 times as many
        found = _size(cells, 0, most, source, deadline)
        if found <= most:
            return found
        raise OutOfTime
    most = 1024 * rough
    found = _size(cells, final, most, source, deadline)
    if not 0 < found <= most:
        raise OutOfTime
    return Estimate(found << final, factor, probability)


def _size(cells: Cells, number: int, most: int, source: random.Random, deadline: float | None) -> int:
    parities = cells.parities(number, source) if number else Parities(0)
    return cells.size(parities.cell(source), most, deadline)


LOOSEST = 2.0
"""What could be off by a larger factor is no estimate."""


def part_of(total: int | Estimate, share: float, drawn: int, probability: float = PROBABILITY) -> Estimate | None:
    """About how many of all there are if they have this share of some that were drawn fairly; ``None`` if too few tell.

    Parameters
    ----------
    total
        How many there are in all.
    share
        A share of those drawn, or the mean of something between 0 and 1.
    drawn
        How many were drawn; 1 / (1 - ``probability``) at least to tell anything.
    probability
        How often the bounds of the share hold; those of the total hold with a probability of their own.

    >>> print(part_of(1_000_000, 0.25, 2_000))
    about 250,000 (within a factor 1.21, 95 %)
    >>> print(part_of(Estimate(3_100_000_000, 1.2, 0.95), 0.25, 2_000))
    about 7.8e8 (within a factor 1.45, 90 %)
    >>> part_of(1_000_000, 0.001, 2_000)
    """
    if not share or not drawn:
        return None
    low, high = _bounds(share, 1 / ((1 - probability) * drawn))
    late = late_of(walks) if (walks := total.walks if isinstance(total, Estimate) else 0) else 0.0
    if low <= late:
        return None
    factor = max(share / (low - late), (high + late) / share) * (1 + UNEVEN)
    if isinstance(total, Estimate):
        factor, probability = factor * total.factor, total.probability + probability - 1
    factor = math.ceil(100 * factor) / 100
    value = round(share * (total.value if isinstance(total, Estimate) else total))
    return Estimate(value, factor, round(probability, 6), walks) if factor <= LOOSEST else None


def late_of(pairs: int) -> float:
    """If so many pairs of walks met in time: fewer of all such pairs would not, with 95 %, than this share.

    They may have had a second time, so that each must be right with 97.5 %.

    >>> round(late_of(150), 4)
    0.0243
    """
    return float(1 - ((1 - PROBABILITY) / TRIES) ** (1 / pairs))


def _bounds(share: float, square: float) -> tuple[float, float]:
    """The p for which ``share`` is no farther than sqrt(p (1 - p) ``square``) from p.

    >>> [round(one, 3) for one in _bounds(0.5, 0.01)]
    [0.45, 0.55]
    """
    middle = share + square / 2
    reach = math.sqrt(square * share * (1 - share) + square * square / 4)
    return (middle - reach) / (1 + square), (middle + reach) / (1 + square)


# -- which -------------------------------------------------------------------------------------------------------------


class Drawing:
    """Solutions drawn one after the other, each as likely as any other up to :data:`UNEVEN`; repeats are possible.

    Parameters
    ----------
    cells
        Where they are drawn from.
    about
        How many there are; a mistake by a factor of 1.5 does no harm.
    seed
        The same seed draws the same.
    """

    def __init__(self, cells: Cells, about: int, seed: int, deadline: float | None = None) -> None:
        self._cells = cells
        self._number = max(0, round(math.log2(about / CELL))) if about else 0
        self._source = random.Random(f"draw {seed}")
        self._deadline = deadline

    def __iter__(self) -> Iterator[MixedGraph]:
        while True:
            parities = self._cells.parities(self._number, self._source)
            for _ in range(HASHES):
                yield from self._drawn(parities.cell(self._source))

    def _drawn(self, cell: Sequence[int]) -> list[MixedGraph]:
        """The solutions of a cell in a random order; none if they are too many."""
        there = self._cells.solutions(cell, LARGEST, self._deadline)
        self._source.shuffle(there)
        return there if len(there) <= LARGEST else []


def drawn(cells: Cells, number: int, about: int, seed: int, deadline: float | None = None) -> list[MixedGraph]:
    """So many different solutions, drawn fairly; there must be more than that by far."""
    found: dict[MixedGraph, None] = {}
    if number:
        for graph in Drawing(cells, about, seed, deadline):
            found.setdefault(graph)
            if len(found) == number:
                break
    return list(found)
