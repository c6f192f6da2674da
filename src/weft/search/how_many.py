"""How many solutions there are, and some that are drawn fairly: by the best means that there is for a problem.

================================ ==================================================== ==========================
means                            tells                                                up to
================================ ==================================================== ==========================
a walk over all                  the number, exactly                                  about a million
:mod:`~weft.search.sieve`        about how many, with a guarantee; independent draws  14 variables (12 with selection),
                                                                                      and 1 solution in a million draws
:mod:`~weft.search.counting`     the same, by parities; draws from cells              about 10^8
:mod:`~weft.search.meeting`      the same, as far as walks show; draws with a bound   some 20 variables, if walks meet
:mod:`~weft.search.wandering`    a guess; draws without a bound                       some 20 variables
================================ ==================================================== ==========================
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from weft.effort import USUAL, current_effort, portion
from weft.evidence.claims import Claim
from weft.graphs.mixed import MixedGraph
from weft.search.counting import WALKED, Estimate, TooMany, drawn, estimated
from weft.search.engine import OutOfTime, halfway
from weft.search.meeting import Meeting, Met
from weft.search.search import Search
from weft.search.sieve import Sieve, Sifted
from weft.search.wandering import COUNTED

COUNTED_SOON = 20_000
"""So many solutions are walked before it is tried to estimate their number."""
COUNTING_SEED = 0
"""An estimate is the same whenever it is asked for."""
FAIR_SAMPLE = 5_000
"""So many are drawn where there are too many to walk: nearly every share of them is within 2 points, most within 1."""
MOST_SIFTED = 2 * USUAL
"""The effort of the sieve at most, if there is no limit; it sees soon whether it gets anywhere."""
MOST_CLOSER = 20_000
"""The effort that may go into what solutions agree on, if the sieve gets nowhere without that."""
CELLED_BITS = 36.0
"""Where there may be more structures than that, no cell can be counted in time."""
SOON = 2_000
"""The effort after which fewer must do to tell the number, and walks from these meet more."""
DRAWING, FEWEST_STARTS = 15_000, 20
"""The effort that goes into independent draws, if so many of them are found; walks from these meet the rest."""


class Counted(NamedTuple):
    """How many solutions there are."""

    total: int | Estimate
    exact: bool
    """Whether the total is a number, and exact; a number that is not is how many were found."""
    more_than: int = 0
    """Where there are too many to estimate: more than so many (:class:`~weft.search.counting.TooMany`)."""
    sifted: Sifted | None = None
    """Those that were sifted, where that is how their number is known."""
    met: Met | None = None
    """Those that were drawn by walks that met, where neither the sieve nor cells tell the number."""

    @property
    def is_known(self) -> bool:
        """Whether it is more than how many were found."""
        return self.exact or isinstance(self.total, Estimate)

    @property
    def about(self) -> int:
        """The total, or the middle of an estimate."""
        return self.total.value if isinstance(self.total, Estimate) else self.total


class Drawn(NamedTuple):
    """Different solutions that were drawn fairly."""

    graphs: list[MixedGraph]
    worth: int | None = None
    """If some of them were met on walks from others: about so many independent draws tell as much."""


def count(
    search: Search,
    claims: Sequence[Claim],
    deadline: float | None,
    *,
    walking: bool = True,
    for_cells: int | None = None,
) -> Counted:
    """The exact number if it is known soon or (``walking``) the effort suffices to walk so many, else an estimate.

    The sieve sees soon whether it gets anywhere; cells, which do not, may take no more than an effort of their own.
    """
    found, whole = search.count(claims, COUNTED_SOON, deadline)
    if whole:
        return Counted(found, True)
    estimate, more_than, meeting, sifted = None, max(0, found - 1), None, _sifted(search, claims, deadline)
    if sifted is not None:
        estimate = sifted.number
    else:
        meeting = _met(search, claims, deadline) if walking else None
        if meeting is None or meeting.bits <= CELLED_BITS:
            try:
                with portion(0.5 if walking else 1.0, for_cells):
                    total = _by_cells(search, claims, deadline)
                if isinstance(total, int):
                    return Counted(total, True)
                estimate = total
            except TooMany as many:
                more_than = max(found, many.more_than)
            except OutOfTime:
                pass
        if meeting is not None and estimate is None:
            estimate = _by_walks(search, claims, meeting, deadline)
    met = None if meeting is None or (estimate is not None and not estimate.walks) else meeting.met
    effort = current_effort()
    most = None if effort is None else WALKED * max(0, effort.left)
    if walking and (estimate is None or most is None or estimate.value <= most):
        walked, whole = search.count(claims, most, deadline)
        if whole:
            return Counted(walked, True)
        found = max(found, walked)
    return Counted(found if estimate is None else estimate, False, 0 if estimate else more_than, sifted, met)


def _sifted(search: Search, claims: Sequence[Claim], deadline: float | None) -> Sifted | None:
    """What the sieve finds. If that is next to nothing soon, it is told what all solutions agree on."""
    try:
        sieve = search.sieve(claims, deadline)
        if sieve is None:
            return None
        with portion(1.0, MOST_SIFTED), suppress(OutOfTime):
            return sieve.sifted(COUNTING_SEED, FAIR_SAMPLE, SOON, deadline=halfway(deadline), hurried=True)
        with portion(0.3, MOST_CLOSER):
            agreed = search.consequences(claims, halfway(deadline))
        sieve = sieve.with_bounds(agreed.narrowed(sieve.bounds, search.problem.names))
        with portion(1.0, MOST_SIFTED):
            return sieve.sifted(COUNTING_SEED, FAIR_SAMPLE, SOON, deadline=halfway(deadline))
    except OutOfTime:
        return None


def _by_cells(search: Search, claims: Sequence[Claim], deadline: float | None) -> int | Estimate | None:
    cells = search.cells(claims, deadline)
    return None if cells is None else estimated(cells, COUNTING_SEED, halfway(deadline))


class _Meeting(NamedTuple):
    """Walks that met."""

    walks: Meeting
    met: Met
    bits: float
    """There are no more than so many structures, in bits, by the shares of edges among their draws."""


def _met(search: Search, claims: Sequence[Claim], deadline: float | None) -> _Meeting | None:
    """Walks over the solutions, if they meet and the effort suffices."""
    try:
        walks = search.meeting(claims, deadline)
        if walks is None:
            return None
        with portion(0.5):
            met = walks.met(COUNTING_SEED, halfway(deadline))
        return _Meeting(walks, met, walks.bits(met))
    except OutOfTime:
        return None


def _by_walks(search: Search, claims: Sequence[Claim], known: _Meeting, deadline: float | None) -> Estimate | None:
    """The number by walks that met, if the effort suffices."""

    def count_few(more: Sequence[Claim]) -> tuple[int, bool]:
        return search.count((*claims, *more), COUNTED, deadline)

    try:
        return known.walks.estimated(known.met, count_few, COUNTING_SEED, halfway(deadline))
    except OutOfTime:
        return None


def draw(
    search: Search,
    claims: Sequence[Claim],
    counted: Counted,
    number: int,
    seed: int,
    deadline: float | None = None,
    *,
    fewer: bool = False,
) -> Drawn:
    """So many different solutions, drawn fairly; there must be more than that by far.

    With ``fewer``, as many as there soon are will do.

    Raises
    ------
    OutOfTime
        If the effort or the time ends before.
    """
    if counted.met is not None:
        return _on_walks(search, claims, counted.met, number, seed, deadline, fewer=fewer)
    if counted.sifted is None:
        cells = search.cells(claims, deadline) if counted.is_known else None
        if cells is None:
            raise OutOfTime
        return Drawn(drawn(cells, number, counted.about, seed, deadline))
    sieve = search.sieve(claims, deadline)
    assert sieve is not None, "it was there before"
    sieve = sieve.with_bounds(counted.sifted.bounds)
    sifted = counted.sifted.graphs if fewer else _sift(sieve, number, counted.about, seed, deadline)
    different = list(dict.fromkeys(sifted))[:number]
    short = len(different) < number and not (fewer and len(sifted) >= number)
    walks = sieve.wandering(different[0]) if short else None
    if walks is None:
        found = Drawn(different)
    else:
        met = walks.spread(different, round(1.2 * number), seed, deadline)  # some are met twice
        found = Drawn(met.graphs[:number], min(met.worth, number))
    if len(found.graphs) < number and not fewer:
        raise OutOfTime
    return found


def _on_walks(
    search: Search, claims: Sequence[Claim], known: Met, number: int, seed: int, deadline: float | None, *, fewer: bool
) -> Drawn:
    """Draws by walks that met, and more of them on walks from there."""
    meeting = search.meeting(claims, deadline)
    assert meeting is not None, "they met before"
    met = known if fewer else meeting.met(seed, deadline)
    found = meeting.spread(met, number, seed, deadline, fewer=fewer)
    if len(found.graphs) < number and not fewer:
        raise OutOfTime
    return Drawn(found.graphs[:number], min(found.worth, number))


def _sift(sieve: Sieve, number: int, about: int, seed: int, deadline: float | None) -> list[MixedGraph]:
    """About so many, and some that are drawn twice; fewer if that takes long."""
    wanted = round(1.1 * number + number**2 / about)
    with portion(0.8):
        return sieve.sifted(seed, wanted, DRAWING, FEWEST_STARTS, halfway(deadline)).graphs
