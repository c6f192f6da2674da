"""The compiled part: what statements say of a model, by bits; walks over models; and graphs drawn layer by layer.

:mod:`weft.search.annealing` and what stands on it (estimates, draws, wandering) walk, :mod:`weft.search.sieve` draws.

A model is an ADMG of at most 63 vertices. For each vertex there are four sets of vertices, each the bits of a number:
its parents, children, spouses (``<->``) and ancestors (itself included). The edges of a pair are the sum of
:data:`TO`, :data:`FROM` and :data:`BOTH`.

The answer to a statement changes rarely when one pair of vertices does. With each answer goes the set of vertices that
the search for a path has *touched*. A path that was found is still there unless an edge within the set was removed, or
vertices lost ancestors that its colliders need; where none was found there is still none unless an edge was added that
has an end in the set, or vertices gained ancestors. Only the other statements are looked at again.

Everything is whole numbers, so that every machine finds the same. All compiled functions stand in one file, because
what is kept of a compilation is renewed when its file changes. Compiling takes some twenty seconds, once for a machine;
importing what is kept takes one: do so where it is used.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar

import numba
import numpy as np
from llvmlite import ir
from numba.core import types
from numba.core.options import DefaultOptions
from numba.extending import intrinsic
from numpy.typing import NDArray

INDUCING, CONNECTING, STRUCTURE, EDGE, ABOVE = 0, 1, 2, 3, 4
"""What a statement asks of its pair: an inducing path relative to a set, a connecting path given a set (0 or 1); the
marginal structure (1 if x causes y, 2 if y causes x, and 4 if they are confounded); the edge of the MAG (0 for none, 1
for ``->``, 2 for ``<-``, 3 for ``<->``, 4 for ``--``); whether a vertex is an ancestor of one of the two (0 or 1)."""

TO, FROM, BOTH = 1, 2, 4
"""The edges that may stand between a and b: ``a -> b``, ``a <- b``, ``a <-> b``."""

PARENTS, CHILDREN, SPOUSES, ANCESTORS, NEIGHBOURS = 0, 1, 2, 3, 4
"""The rows of a graph's sets; the last one, for ``--``, is there only where there is selection."""

COST, FAILING, KEPT, LEAST = 0, 1, 2, 3
"""Places in :attr:`Model.totals`: the cost; hard statements that fail; statements of which one must be kept and that
hold; the least cost of a model in which all that is hard holds, -1 before there was one."""

ADDED, REMOVED, GAINED, LOST = 0, 1, 3, 4
"""What a change holds: the ends of added edges; the ends of a removed edge, and of another; the vertices that gained
ancestors; those that lost some."""

LOTS = 4096
"""So many different lots decide how much worse a model may be."""

ONE = np.uint64(1)
NOTHING = np.uint64(0)

Bits = NDArray[np.uint64]
Numbers = NDArray[np.int64]
Floats = NDArray[np.float64]
F = TypeVar("F", bound=Callable[..., Any])


ASKS, X, Y, ALLOWED, PRICE, HARD, KEEP = 0, 1, 2, 3, 4, 5, 6
"""The columns of a table of statements: what they ask of which pair, the answers (bits) with which they hold, the cost
if they fail, 1 for what may not fail, 1 for those of which one must hold."""


class Model(NamedTuple):
    """Where a walk over models is."""

    graph: Bits
    """Four sets for each vertex."""
    answers: Numbers
    """To each statement."""
    touched: Bits
    totals: Numbers
    best: Bits
    """The graph of the cheapest model so far."""
    lot: Bits
    """The state of the random numbers."""


_njit: Any = numba.njit
_UNCOUNTED = {"_nrt": False} if hasattr(DefaultOptions, "_nrt") else {}
"""Tells numba, if it has such an option, not to count who holds an array."""


def compiled(function: F) -> F:
    """The function in machine code, for others here to call; it makes no array.

    Those that it is given belong to whoever called it. To count how often each is held, at every call, would take half
    of the time of a walk.
    """
    inner: F = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_UNCOUNTED)(function)
    return inner


def allocating(function: F) -> F:
    """The same, for a function that makes arrays."""
    inner: F = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return inner


def entered(function: F) -> F:
    """The function in machine code, kept beside this file or in the user's cache, if either can be written to.

    It lets other threads run, so that jobs need no process of their own (:func:`weft.parallel.anywhere`).
    """
    try:
        kept: F = _njit(cache=True, nogil=True)(function)
    except RuntimeError:  # there is no such place
        kept = _njit(nogil=True)(function)
    return kept


def _count_zeros(context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


lowest: Any = intrinsic(_count_zeros)
"""The lowest bit of a set that is not empty."""


@compiled
def bit(v: int) -> np.uint64:
    """The set of one vertex."""
    return ONE << np.uint64(v)


@compiled
def has(mask: np.uint64, v: int) -> bool:
    """Whether a vertex is in a set."""
    return (mask >> np.uint64(v)) & ONE != NOTHING


@compiled
def united(graph: Bits, row: int, vertices: np.uint64) -> np.uint64:
    """The union of the sets that a row has of some vertices."""
    union = NOTHING
    while vertices:
        union |= graph[row, lowest(vertices)]
        vertices &= vertices - ONE
    return union


# -- what a statement asks ---------------------------------------------------------------------------------------------


@compiled
def search(
    graph: Bits,
    x: int,
    arrow: np.uint64,
    tail: np.uint64,
    colliders: np.uint64,
    noncolliders: np.uint64,
    wanted_arrow: np.uint64,
    wanted_tail: np.uint64,
) -> tuple[bool, np.uint64]:
    """Whether walks from x lead to what is wanted, and the vertices touched: ``weft.graphs.separation.walk``.

    They have arrived in ``arrow`` at an arrowhead and in ``tail`` at a tail, and never come back to x.
    """
    elsewhere = ~bit(x)
    new_arrow, new_tail = arrow, tail
    while not (arrow & wanted_arrow or tail & wanted_tail):
        if not (new_arrow | new_tail):
            return False, arrow | tail | bit(x)
        forth = (new_arrow | new_tail) & noncolliders
        back = (new_tail & noncolliders) | (new_arrow & colliders)
        next_arrow = united(graph, CHILDREN, forth) | united(graph, SPOUSES, back)
        next_tail = united(graph, PARENTS, back)
        if len(graph) > NEIGHBOURS:
            next_tail |= united(graph, NEIGHBOURS, forth)
        new_arrow = next_arrow & elsewhere & ~arrow
        new_tail = next_tail & elsewhere & ~tail
        arrow |= new_arrow
        tail |= new_tail
    return True, arrow | tail | bit(x)


@compiled
def neighbours_of(graph: Bits, v: int) -> np.uint64:
    """The vertices that ``--`` joins v to."""
    return graph[NEIGHBOURS, v] if len(graph) > NEIGHBOURS else NOTHING


@compiled
def path_of(graph: Bits, asks: int, x: int, y: int, mask: np.uint64) -> tuple[bool, np.uint64]:
    """Whether there is a path as a statement speaks of, and the vertices touched."""
    arrow, tail, end = graph[CHILDREN, x] | graph[SPOUSES, x], graph[PARENTS, x], bit(y)
    if asks == STRUCTURE:
        inside = ~(bit(x) | end)
        return search(graph, x, graph[SPOUSES, x], tail & inside, NOTHING, inside, end, NOTHING)
    tail |= neighbours_of(graph, x)
    if asks == CONNECTING:
        return search(graph, x, arrow, tail, united(graph, ANCESTORS, mask), ~mask, end, end)
    colliders = graph[ANCESTORS, x] | graph[ANCESTORS, y]
    return search(graph, x, arrow, tail, colliders, mask if asks == INDUCING else NOTHING, end, end)


@compiled
def answer_of(graph: Bits, asks: int, x: int, y: int, mask: np.uint64) -> tuple[int, np.uint64]:
    """The answer to what a statement asks, and the vertices touched."""
    if asks == ABOVE:
        above = (graph[ANCESTORS, x] | graph[ANCESTORS, y]) & mask or neighbours_of(graph, lowest(mask))
        return (1 if above else 0), NOTHING
    joined, touched = path_of(graph, asks, x, y, mask)
    if asks < STRUCTURE:
        return (1 if joined else 0), touched
    forth = 1 if has(graph[ANCESTORS, y], x) else 0
    back = 2 if has(graph[ANCESTORS, x], y) else 0
    if asks == STRUCTURE:
        return forth + back + (4 if joined else 0), touched
    if has(neighbours_of(graph, x), y):
        return 4, touched
    return (0 if not joined else forth + back if forth + back else 3), touched


@compiled
def is_joined(asks: int, answer: int) -> bool:
    """Whether an answer says that there is a path."""
    return answer >= 4 if asks == STRUCTURE else answer != 0


@compiled
def holds(allowed: int, answer: int) -> bool:
    """Whether a statement holds with this answer."""
    return (allowed >> answer) & 1 != 0


# -- changing a model --------------------------------------------------------------------------------------------------


@compiled
def edges_of(graph: Bits, a: int, b: int) -> int:
    """The edges between a and b."""
    return (
        (TO if has(graph[CHILDREN, a], b) else 0)
        + (FROM if has(graph[PARENTS, a], b) else 0)
        + (BOTH if has(graph[SPOUSES, a], b) else 0)
    )


@compiled
def join(graph: Bits, a: int, b: int, edges: int) -> None:
    """Put these edges between a and b, and no others; the ancestors stay as they are."""
    here, there = bit(a), bit(b)
    for row in range(3):
        graph[row, a] &= ~there
        graph[row, b] &= ~here
    if edges & TO:
        graph[CHILDREN, a] |= there
        graph[PARENTS, b] |= here
    if edges & FROM:
        graph[PARENTS, a] |= there
        graph[CHILDREN, b] |= here
    if edges & BOTH:
        graph[SPOUSES, a] |= there
        graph[SPOUSES, b] |= here


@compiled
def find_ancestors(graph: Bits, vertices: np.uint64) -> bool:
    """Find the ancestors of these vertices anew from their parents'; whether no directed cycle is among them."""
    left = vertices
    while left:
        before, rest = left, left
        while rest:
            v = lowest(rest)
            rest &= rest - ONE
            if not graph[PARENTS, v] & left:
                graph[ANCESTORS, v] = bit(v) | united(graph, ANCESTORS, graph[PARENTS, v])
                left &= ~bit(v)
        if left == before:
            return False
    return True


@compiled
def below(graph: Bits, v: int) -> np.uint64:
    """The vertex and its descendants, by the ancestors."""
    found = NOTHING
    for w in range(graph.shape[1]):
        if has(graph[ANCESTORS, w], v):
            found |= bit(w)
    return found


# -- what a model shows ------------------------------------------------------------------------------------------------


@compiled
def is_confounded(graph: Bits, x: int, y: int) -> bool:
    """Whether a trek with an arrowhead at both ends joins x and y."""
    above_x, above_y = graph[ANCESTORS, x], graph[ANCESTORS, y]
    if not has(above_x, y) and not has(above_y, x):  # a vertex above both, or <-> from one above x to one above y
        return (above_x | united(graph, SPOUSES, above_x)) & above_y != NOTHING
    joined, _ = path_of(graph, STRUCTURE, x, y, NOTHING)
    return joined


@compiled
def note(least: Numbers, where: Numbers, place: int, value: bool, cost: int, number: int) -> bool:
    """Note what a model shows of one fact, if none so far shows it as cheaply; whether it does."""
    column = 1 if value else 0
    if least[place, column] >= 0 and least[place, column] <= cost:
        return False
    least[place, column] = cost
    where[place, column] = number
    return True


@compiled
def are_adjacent(graph: Bits, x: int, y: int) -> bool:
    """Whether an edge joins two vertices in the MAG."""
    if edges_of(graph, x, y) != 0:
        return True
    joined, _ = path_of(graph, EDGE, x, y, NOTHING)
    return joined


@entered
def tally(graph: Bits, facts: int, counts: Numbers) -> None:
    """Count each fact that a model has; the facts are those of :func:`record`."""
    size, place = graph.shape[1], 0
    for x in range(size):
        for y in range(x + 1, size):
            forth, back = has(graph[ANCESTORS, y], x), has(graph[ANCESTORS, x], y)
            if are_adjacent(graph, x, y):
                counts[place] += 1
                counts[place + (1 if forth else 2 if back else 3)] += 1
            if forth:
                counts[place + facts - 3] += 1
            if back:
                counts[place + facts - 2] += 1
            if is_confounded(graph, x, y):
                counts[place + facts - 1] += 1
            place += facts


@entered
def record(graph: Bits, cost: int, facts: int, least: Numbers, where: Numbers, number: int) -> bool:
    """Note the cost of a model with each fact that it has and without each that it has not, where that is less.

    The facts of a pair are those of ``weft.search.facts.facts_about``, so many of each, in that order: an edge, ``->``,
    ``<-``, ``<->`` (and ``--``, which no model here has), x causes y, y causes x, confounded. ``least`` has their
    costs, -1 for none so far, and ``where`` the numbers of their models. Returns whether anything was noted.
    """
    size, place, noted = graph.shape[1], 0, False
    for x in range(size):
        for y in range(x + 1, size):
            forth, back = has(graph[ANCESTORS, y], x), has(graph[ANCESTORS, x], y)
            adjacent = are_adjacent(graph, x, y)
            noted |= note(least, where, place, adjacent, cost, number)
            noted |= note(least, where, place + 1, adjacent and forth, cost, number)
            noted |= note(least, where, place + 2, adjacent and back, cost, number)
            noted |= note(least, where, place + 3, adjacent and not forth and not back, cost, number)
            if facts > 7:
                noted |= note(least, where, place + 4, False, cost, number)
            noted |= note(least, where, place + facts - 3, forth, cost, number)
            noted |= note(least, where, place + facts - 2, back, cost, number)
            noted |= note(least, where, place + facts - 1, is_confounded(graph, x, y), cost, number)
            place += facts
    return noted


# -- random numbers ----------------------------------------------------------------------------------------------------


@compiled
def next_lot(lot: Bits) -> np.uint64:
    """The next random number (xorshift64*, Vigna 2016); its high bits are the better ones."""
    state = lot[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    lot[0] = state
    return state * np.uint64(0x2545F4914F6CDD1D)


@compiled
def draw(lot: Bits, most: int) -> Any:
    """A number from 0 to below ``most``."""
    return np.int64(((next_lot(lot) >> np.uint64(32)) * np.uint64(most)) >> np.uint64(32))


@compiled
def draw_share(lot: Bits) -> float:
    """A number from 0 to below 1."""
    return (next_lot(lot) >> np.uint64(11)) * (1.0 / (1 << 53))


@compiled
def draw_bit(lot: Bits, mask: np.uint64) -> int:
    """A member of a set that is not empty."""
    count, rest = 0, mask
    while rest:
        rest &= rest - ONE
        count += 1
    for _ in range(draw(lot, count)):
        mask &= mask - ONE
    return lowest(mask)


# -- the walk ----------------------------------------------------------------------------------------------------------


@compiled
def remember_best(graph: Bits, totals: Numbers, best: Bits, must_keep: bool) -> None:
    """Keep the model if nothing hard fails in it and it is the cheapest so far."""
    allowed = totals[FAILING] == 0 and (totals[KEPT] > 0 or not must_keep)
    if allowed and (totals[LEAST] < 0 or totals[COST] < totals[LEAST]):
        totals[LEAST] = totals[COST]
        for row in range(4):  # to compile a copy of the whole array takes seconds
            for v in range(graph.shape[1]):
                best[row, v] = graph[row, v]


@entered
def settle(
    table: Numbers, masks: Bits, graph: Bits, answers: Numbers, touched: Bits, totals: Numbers, best: Bits, keep: bool
) -> bool:
    """Find everything anew that follows from the edges of a model; whether it is acyclic."""
    everything = NOTHING
    for v in range(graph.shape[1]):
        everything |= bit(v)
    if not find_ancestors(graph, everything):
        return False
    for k in range(LEAST):
        totals[k] = 0
    for i in range(len(table)):
        answers[i], touched[i] = answer_of(graph, table[i, ASKS], table[i, X], table[i, Y], masks[i])
        if holds(table[i, ALLOWED], answers[i]):
            totals[KEPT] += table[i, KEEP]
        else:
            totals[COST] += table[i, PRICE]
            totals[FAILING] += table[i, HARD]
    remember_best(graph, totals, best, keep)
    return True


@compiled
def propose(table: Numbers, masks: Bits, answers: Numbers, cost: int, graph: Bits, lot: Bits) -> tuple[int, int]:
    """Two vertices whose edges may be changed: of a statement that fails, joined ones, or any."""
    size, way = graph.shape[1], draw(lot, 4)
    if way < 2 and cost > 0:
        count = len(table)
        i = draw(lot, count)
        while holds(table[i, ALLOWED], answers[i]):
            i = i + 1 if i + 1 < count else 0
        a, b = table[i, X], table[i, Y]
        if draw(lot, 2):
            a, b = b, a
        if table[i, ASKS] == ABOVE:
            b = lowest(masks[i])
        return a, (draw(lot, size) if draw(lot, 2) else b)
    a = draw(lot, size)
    near = graph[PARENTS, a] | graph[CHILDREN, a] | graph[SPOUSES, a]
    if way == 2 and near:
        return a, draw_bit(lot, near)
    return a, draw(lot, size)


@compiled
def change_pair(graph: Bits, a: int, b: int, edges: int, change: Bits, place: int) -> bool:
    """Put edges between a and b and note what that adds and removes; whether the graph is still acyclic."""
    old, pair = edges_of(graph, a, b), bit(a) | bit(b)
    change[place] = pair if old & ~edges else NOTHING
    if edges & ~old:
        change[ADDED] |= pair
    join(graph, a, b, edges)
    lost, gained = old & ~edges & (TO | FROM), edges & ~old & (TO | FROM)
    if lost:
        find_ancestors(graph, below(graph, b if lost == TO else a))
    if gained:
        cause, effect = (a, b) if gained == TO else (b, a)
        if has(graph[ANCESTORS, cause], effect):
            return False
        above = graph[ANCESTORS, cause]
        for v in range(graph.shape[1]):
            if has(graph[ANCESTORS, v], effect):
                graph[ANCESTORS, v] |= above
    return True


@compiled
def note_ancestors(graph: Bits, before: Bits, change: Bits) -> None:
    """Note which vertices gained and which lost ancestors."""
    for v in range(graph.shape[1]):
        old, new = before[v], graph[ANCESTORS, v]
        if new & ~old:
            change[GAINED] |= bit(v)
        if old & ~new:
            change[LOST] |= bit(v)


@compiled
def is_open(asks: int, answer: int, touched: np.uint64, within: np.uint64, change: Bits) -> bool:
    """Whether an answer may be another after a change: see the module's text.

    ``within`` holds the vertices whose ancestors the answer depends on.
    """
    if asks >= STRUCTURE and within & (change[GAINED] | change[LOST]):
        return True
    if is_joined(asks, answer):
        first, second = change[REMOVED], change[REMOVED + 1]
        removed = (first and first & ~touched == NOTHING) or (second and second & ~touched == NOTHING)
        return removed or within & change[LOST] != NOTHING
    return touched & change[ADDED] != NOTHING or within & change[GAINED] != NOTHING


@compiled
def list_failing(table: Numbers, within: Bits, answers: Numbers, touched: Bits, change: Bits, waiting: Numbers) -> int:
    """List those statements to look at again that fail; how many they are."""
    number = 0
    for i in range(len(table)):
        if not holds(table[i, ALLOWED], answers[i]) and is_open(
            table[i, ASKS], answers[i], touched[i], within[i], change
        ):
            waiting[number] = i
            number += 1
    return number


class Room(NamedTuple):
    """Room to try a step in."""

    before: Bits
    """The ancestors of each vertex before the step."""
    change: Bits
    now: Numbers
    """The totals after it, as far as it is known."""
    news: Numbers
    """The answers after it of statements that were looked at again."""
    seen: Bits
    """What was touched to find them."""
    waiting: Numbers
    """Which statements these are."""


@allocating
def room_for(size: int, count: int) -> Room:
    """Room for a graph of so many vertices and so many statements."""
    return Room(
        np.empty(size, np.uint64),
        np.zeros(5, np.uint64),
        np.zeros(4, np.int64),
        np.empty(count, np.int64),
        np.empty(count, np.uint64),
        np.empty(count, np.int64),
    )


@compiled
def look_again(
    table: Numbers, masks: Bits, graph: Bits, answers: Numbers, i: int, totals: Numbers, news: Numbers, seen: Bits
) -> None:
    """Ask a statement again, note the answer, and count what it changes."""
    answer, touched = answer_of(graph, table[i, ASKS], table[i, X], table[i, Y], masks[i])
    news[i], seen[i] = answer, touched
    held, does = holds(table[i, ALLOWED], answers[i]), holds(table[i, ALLOWED], answer)
    if held != does:
        sign = 1 if held else -1
        totals[COST] += sign * table[i, PRICE]
        totals[FAILING] += sign * table[i, HARD]
        totals[KEPT] -= sign * table[i, KEEP]


@compiled
def take_over(
    waiting: Numbers,
    number: int,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    news: Numbers,
    seen: Bits,
    now: Numbers,
) -> None:
    """Make the new answers of so many statements that were looked at again those of the model."""
    for place in range(number):
        i = waiting[place]
        answers[i], touched[i] = news[i], seen[i]
    for k in range(3):
        totals[k] = now[k]


@compiled
def anneal_in(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    best: Bits,
    lot: Bits,
    choices: Numbers,
    excesses: Numbers,
    heat: int,
    evaluations: int,
    penalty: int,
    must_keep: bool,
    evenly: bool,
    prices: Numbers,
    room: Room,
) -> None:
    """Walk as :func:`anneal` says, in this room."""
    size, count = graph.shape[1], len(table)
    before, change, now, news, seen, waiting = room
    for _ in range(evaluations):
        if evenly:
            a, b = draw(lot, size), draw(lot, size)
        else:
            a, b = propose(table, masks, answers, totals[COST], graph, lot)
        c, d = a, b
        if not evenly and draw(lot, 10) < 3:  # of two changes, one may be possible only before the other
            c, d = (a if draw(lot, 2) else b), draw(lot, size)
        if a == b:
            continue
        old, new = edges_of(graph, a, b), choices[draw(lot, len(choices))]
        two = c != d and (bit(c) | bit(d)) != (bit(a) | bit(b))
        old_two = edges_of(graph, c, d) if two else 0
        new_two = choices[draw(lot, len(choices))] if two else 0
        if new == old and new_two == old_two:
            continue
        for v in range(size):
            before[v] = graph[ANCESTORS, v]
        for k in range(5):
            change[k] = NOTHING
        possible = change_pair(graph, a, b, new, change, REMOVED)
        if possible and two:
            possible = change_pair(graph, c, d, new_two, change, REMOVED + 1)
        taken, number = False, 0
        if possible:
            note_ancestors(graph, before, change)
            most = totals[COST] + (penalty if must_keep and totals[KEPT] == 0 else 0)
            most += (heat * excesses[draw(lot, LOTS)]) >> 20
            most += prices[old] - prices[new] + prices[old_two] - prices[new_two]
            for k in range(3):
                now[k] = totals[k]
            # What fails can only make it cheaper: first, so that the rest may end early.
            number = list_failing(table, within, answers, touched, change, waiting)
            for place in range(number):
                look_again(table, masks, graph, answers, waiting[place], now, news, seen)
            for i in range(count):
                if now[COST] > most:
                    break
                if holds(table[i, ALLOWED], answers[i]) and is_open(
                    table[i, ASKS], answers[i], touched[i], within[i], change
                ):
                    look_again(table, masks, graph, answers, i, now, news, seen)
                    waiting[number] = i
                    number += 1
            taken = now[COST] + (penalty if must_keep and now[KEPT] == 0 else 0) <= most
        if taken:
            take_over(waiting, number, answers, touched, totals, news, seen, now)
            remember_best(graph, totals, best, must_keep)
        else:
            if two:
                join(graph, c, d, old_two)
            join(graph, a, b, old)
            for v in range(size):
                graph[ANCESTORS, v] = before[v]


@entered
def anneal(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    best: Bits,
    lot: Bits,
    choices: Numbers,
    excesses: Numbers,
    heat: int,
    evaluations: int,
    penalty: int,
    must_keep: bool,
    evenly: bool,
    prices: Numbers,
) -> None:
    """Walk over models by so many evaluations.

    A step that makes a model costlier by the heat (in 256ths) times an excess (in 4096ths; drawn) at most is taken.
    ``prices`` says what the edges of a pair cost by themselves, whatever is stated. If steps are proposed ``evenly``,
    each is as likely as the step back: then models are met in proportion to exp(-(cost + prices) / heat) in the long
    run (Metropolis). Else rather those are proposed that may make a model cheaper.
    """
    room = room_for(graph.shape[1], len(table))
    anneal_in(
        table, masks, within, graph, answers, touched, totals, best, lot, choices, excesses, heat, evaluations, penalty,
        must_keep, evenly, prices, room,
    )  # fmt: skip


# -- a walk over MAGs --------------------------------------------------------------------------------------------------


@compiled
def flaws(graph: Bits) -> int:
    """How many edges ``<->`` join a vertex and its ancestor, and how many pairs without an edge should have one.

    A graph without either is a MAG.
    """
    size, found = graph.shape[1], 0
    for v in range(size):
        rest = graph[SPOUSES, v] & graph[ANCESTORS, v]
        while rest:
            found += 1
            rest &= rest - ONE
    for x in range(size):
        near = graph[PARENTS, x] | graph[CHILDREN, x] | graph[SPOUSES, x]
        for y in range(x + 1, size):
            if not has(near, y):
                joined, _ = path_of(graph, EDGE, x, y, NOTHING)
                found += 1 if joined else 0
    return found


@compiled
def distance(totals: Numbers, own_flaws: int, allowed: int, unit: int) -> int:
    """How far a graph is from a solution, in 256ths: flaws, hard statements that fail, and what it costs too much.

    It is 0 for solutions only: what is the least bit too costly is rounded up.
    """
    return 256 * (own_flaws + totals[FAILING]) + (max(0, totals[COST] - allowed) * 256 + unit - 1) // unit


@compiled
def number_edges(graph: Bits, numbers: NDArray[np.uint8]) -> None:
    """Note the edge of each pair: 0 for none, 1 for ``->``, 2 for ``<-``, 3 for ``<->``, 4 for ``--``."""
    size, place = graph.shape[1], 0
    for x in range(size):
        for y in range(x + 1, size):
            edges = edges_of(graph, x, y)
            numbers[place] = 4 if has(neighbours_of(graph, x), y) else 3 if edges == BOTH else edges
            place += 1


@compiled
def step(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    own: int,
    a: int,
    b: int,
    new: int,
    allowed: int,
    unit: int,
    excesses: Numbers,
    heat: int,
    lot: Bits,
    room: Room,
) -> int:
    """Put other edges between a and b if the graph is then no farther from a solution, or by lot not much farther.

    Returns the flaws of the graph, of which there were ``own``.
    """
    old = edges_of(graph, a, b)
    if new == old:
        return own
    size, count = graph.shape[1], len(table)
    before, change, now, news, seen, waiting = room
    for v in range(size):
        before[v] = graph[ANCESTORS, v]
    for k in range(5):
        change[k] = NOTHING
    taken, number, others = False, 0, 0
    if change_pair(graph, a, b, new, change, REMOVED):
        bound = distance(totals, own, allowed, unit) + ((heat * excesses[draw(lot, LOTS)]) >> 12)
        others = flaws(graph)
        if 256 * others <= bound:
            note_ancestors(graph, before, change)
            for k in range(3):
                now[k] = totals[k]
            number = list_failing(table, within, answers, touched, change, waiting)
            for place in range(number):  # what fails can only bring it nearer
                look_again(table, masks, graph, answers, waiting[place], now, news, seen)
            for i in range(count):
                if holds(table[i, ALLOWED], answers[i]) and is_open(
                    table[i, ASKS], answers[i], touched[i], within[i], change
                ):
                    if distance(now, others, allowed, unit) > bound:
                        break
                    look_again(table, masks, graph, answers, i, now, news, seen)
                    waiting[number] = i
                    number += 1
            taken = distance(now, others, allowed, unit) <= bound
    if taken:
        take_over(waiting, number, answers, touched, totals, news, seen, now)
        return others
    join(graph, a, b, old)
    for v in range(size):
        graph[ANCESTORS, v] = before[v]
    return own


@compiled
def wander_in(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    lot: Bits,
    free: Numbers,
    allowed: int,
    unit: int,
    excesses: Numbers,
    heat: int,
    between: int,
    most: int,
    found: NDArray[np.uint8],
    room: Room,
) -> tuple[int, int]:
    """Walk as :func:`wander` says, in this room."""
    steps, own = 0, flaws(graph)
    for row in range(len(found)):
        visits = 0
        while visits < between:
            if steps == most:
                return row, steps
            steps += 1
            pair, new = draw(lot, len(free)), draw(lot, 4)
            a, b, new = free[pair, 0], free[pair, 1], BOTH if new == 3 else new
            own = step(
                table, masks, within, graph, answers, touched, totals, own, a, b, new, allowed, unit, excesses, heat,
                lot, room,
            )  # fmt: skip
            visits += distance(totals, own, allowed, unit) == 0
        number_edges(graph, found[row])
    return len(found), steps


@entered
def wander(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    best: Bits,
    lot: Bits,
    free: Numbers,
    allowed: int,
    unit: int,
    excesses: Numbers,
    heat: int,
    between: int,
    most: int,
    found: NDArray[np.uint8],
) -> tuple[int, int]:
    """Walk over graphs with one edge at most between two vertices, and note the solutions met.

    A solution is a MAG in which all that is hard holds, and that costs no more than is allowed (a unit too much counts
    like a statement that fails). Each step proposes any edge, or none, for one of the ``free`` pairs, all alike. So
    graphs are met in proportion to exp(-distance / heat), and solutions, whose distance is 0, all alike.

    After each ``between`` steps that end at a solution its edges go into the next row of ``found``. Only such steps
    count, so that these solutions are a walk by themselves, over solutions alone: if the first is drawn fairly, so is
    each.
    After ``most`` steps of any kind it is over. Returns how many rows are filled, and the number of steps.
    """
    room = room_for(graph.shape[1], len(table))
    return wander_in(
        table, masks, within, graph, answers, touched, totals, lot, free, allowed, unit, excesses, heat, between, most,
        found, room,
    )  # fmt: skip


@compiled
def are_same(one: Bits, other: Bits) -> bool:
    """Whether two graphs have the same edges."""
    for v in range(one.shape[1]):
        if one[CHILDREN, v] != other[CHILDREN, v] or one[SPOUSES, v] != other[SPOUSES, v]:
            return False
    return True


@compiled
def couple_in(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    graph_behind: Bits,
    answers_behind: Numbers,
    touched_behind: Bits,
    totals_behind: Numbers,
    lot: Bits,
    free: Numbers,
    allowed: int,
    unit: int,
    excesses: Numbers,
    heat: int,
    ahead: int,
    most: int,
    found: NDArray[np.uint8],
    excess: Bits,
    room: Room,
) -> tuple[bool, int]:
    """Walk as :func:`couple` says, in this room; ``excess`` is where both draw how much farther they may go."""
    own, behind, solved = flaws(graph), flaws(graph_behind), False
    for steps in range(ahead + most + 1):
        if steps == ahead:
            solved = distance(totals, own, allowed, unit) == 0
            number_edges(graph, found)
        if steps >= ahead and are_same(graph, graph_behind):
            return solved, steps - ahead
        pair, new, common = draw(lot, len(free)), draw(lot, 4), next_lot(lot)
        a, b, new = free[pair, 0], free[pair, 1], BOTH if new == 3 else new
        excess[0] = common
        own = step(
            table, masks, within, graph, answers, touched, totals, own, a, b, new, allowed, unit, excesses, heat,
            excess, room,
        )  # fmt: skip
        if steps >= ahead:
            excess[0] = common
            behind = step(
                table, masks, within, graph_behind, answers_behind, touched_behind, totals_behind, behind, a, b, new,
                allowed, unit, excesses, heat, excess, room,
            )  # fmt: skip
    return solved, most + 1


@entered
def couple(
    table: Numbers,
    masks: Bits,
    within: Bits,
    graph: Bits,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    graph_behind: Bits,
    answers_behind: Numbers,
    touched_behind: Bits,
    totals_behind: Numbers,
    lot: Bits,
    free: Numbers,
    allowed: int,
    unit: int,
    excesses: Numbers,
    heat: int,
    ahead: int,
    most: int,
    found: NDArray[np.uint8],
) -> tuple[bool, int]:
    """Walk with two graphs as :func:`wander` does, by the same random numbers, until they are the same.

    The first goes so many steps ``ahead``, alone; its edges then go into ``found``. Told are whether it is a solution
    then, and how many steps both take until they meet; one more than ``most`` if they do not within so many.
    """
    room, excess = room_for(graph.shape[1], len(table)), np.zeros(1, np.uint64)
    return couple_in(
        table, masks, within, graph, answers, touched, totals, graph_behind, answers_behind, touched_behind,
        totals_behind, lot, free, allowed, unit, excesses, heat, ahead, most, found, excess, room,
    )  # fmt: skip


# -- graphs drawn layer by layer ---------------------------------------------------------------------------------------

MAY_POINT, MAY_JOIN, MAY_BE_ABOVE, MUST_BE_ABOVE = 0, 1, 2, 3
"""The rows of what is known of a vertex: the sets of those that may point at it, that ``<->`` may join it to, that may
be its ancestors, and that must be."""
POWERS_OF_THREE = 3.0 ** np.arange(64)
SUMMED = 3
"""Of so many studies at most it is added up exactly who stays without ``<->``: sums take 3 times as long with each."""
LEFT_OF_THREE, LEFT_OF_TWO = (2.0 / 3.0) ** np.arange(64), 0.5 ** np.arange(64)
"""The shares that are left if so many vertices lose one of three ways, or one of two."""


class Layering(NamedTuple):
    """What graphs are drawn from, layer by layer: see :mod:`weft.search.sieve`."""

    nones: Bits
    """For each set of placed vertices and each vertex, the others that it may stay without an edge to."""
    may: Bits
    """Four sets for each vertex."""
    latents: Bits
    """The variables that a study lacks, of some studies."""
    linked: Bits
    """For each of these and each vertex, the others that it is connected with in that study."""
    rows: Numbers
    """Where the numbers of each set of placed vertices begin in :attr:`ahead`."""
    inner: Numbers
    """Where they begin in :attr:`inside`."""
    starts: Numbers
    """Where they begin in :attr:`below`: see :func:`place_below`."""
    inside: Floats
    """In how many ways the vertices of a next layer can be joined to each other."""
    aside: Bits
    """Sets of variables that studies lack, the empty one first and the union of all last."""
    below: NDArray[np.float32]
    """In how many ways each vertex can be put below the last layer, without ``<->`` to each set of :attr:`aside`; and
    without any beyond that layer."""
    ahead: Floats
    """In how many ways, at most, a graph can go on with a next layer; with the first two layers, added up."""
    top: Any
    """The vertices with ``--`` (a set), which are placed before the first layer."""
    ties: Bits
    """The vertices that ``--`` may join each of these to."""
    tied: Bits
    """Those that it must join them to."""


class Space(NamedTuple):
    """Room to draw a graph in."""

    graph: Bits
    offspring: Bits
    """The descendants of each vertex, without itself."""
    members: Numbers
    sets: Bits
    unions: Bits
    each: Floats
    """In how many ways each vertex can be put below the last layer, at most."""
    weights: Floats
    products: Floats
    sums: Floats


@allocating
def space_for(size: int, rows: int) -> Space:
    """Room for a graph of so many vertices, with so many sets for each."""
    return Space(
        np.zeros((rows, size), np.uint64),
        np.zeros(size, np.uint64),
        np.empty(size, np.int64),
        np.empty(1 << size, np.uint64),
        np.empty(1 << size, np.uint64),
        np.empty(size),
        np.empty(size),
        np.empty(1 << size),
        np.empty(1 << size),
    )


def _count_ones(context: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


number_of: Any = intrinsic(_count_ones)
"""How many vertices are in a set."""


@compiled
def lowest_of(mask: np.uint64) -> np.uint64:
    """The set of the lowest vertex of a set."""
    return mask & (~mask + ONE)


@compiled
def ways_beside(none: np.uint64, join: np.uint64, others: np.uint64) -> float:
    """In how many ways a vertex can be joined to others of its layer: by ``<->``, or not at all."""
    return 0.0 if others & ~(none | join) else float(1 << number_of(none & join & others))


@compiled
def ways(none: np.uint64, to: np.uint64, join: np.uint64, others: np.uint64) -> float:
    """In how many ways a vertex can be joined to others: each points at it, is joined by ``<->``, or is not joined."""
    if others & ~(none | to | join):
        return 0.0
    three = none & to & join
    two = ((none & to) | (none & join) | (to & join)) & ~three
    return POWERS_OF_THREE[number_of(three & others)] * (1 << number_of(two & others))


@compiled
def ways_below(none: np.uint64, to: np.uint64, join: np.uint64, last: np.uint64) -> float:
    """In how many ways a vertex can be joined to the last layer so that one of it, at least, points at the vertex."""
    return ways(none, to, join, last) - ways(none, NOTHING, join, last)


@compiled
def quiet_ways(layering: Layering, v: int, placed: np.uint64, last: np.uint64) -> float:
    """In how many ways v can be joined to what is placed without ``<->`` beyond the last layer.

    No such vertex is an ancestor of another that is placed, so that v has an edge to whatever it needs one to
    (:func:`needed_by`). Inclusion and exclusion, over the studies of whose latents none points at v.
    """
    none, to, join = layering.nones[placed, v], layering.may[MAY_POINT, v], layering.may[MAY_JOIN, v]
    found, earlier, studies = 0.0, placed & ~last, min(SUMMED, len(layering.latents))
    for avoided in range(1 << studies):
        barred = NOTHING
        for i in range(studies):
            barred |= layering.latents[i] if avoided >> i & 1 else NOTHING
        heeded = avoided
        while True:
            needed = NOTHING
            for i in range(studies):
                needed |= layering.linked[i, v] if heeded >> i & 1 else NOTHING
            apart, points = none & ~needed, to & ~barred
            number = ways_below(apart, points, join, last) * ways(apart, points, NOTHING, earlier)
            found += number if number_of(np.uint64(avoided ^ heeded)) % 2 == 0 else -number
            if heeded == 0:
                break
            heeded = (heeded - 1) & avoided
    return found


@compiled
def needed_by(layering: Layering, v: int, parents: np.uint64) -> np.uint64:
    """To what v needs an edge unless it has a ``<->`` to an ancestor of that, if these are its parents.

    It is what v is connected with in a study of whose latents none points at v.
    """
    needed = NOTHING
    for i in range(len(layering.latents)):
        if not parents & layering.latents[i]:
            needed |= layering.linked[i, v]
    return needed


@compiled
def place_below(layering: Layering, v: int, placed: np.uint64, code: int) -> int:
    """Where the numbers of v below a last layer are; ``code`` numbers what is placed before that layer."""
    rank = number_of((bit(v) - ONE) & ~placed)
    return layering.starts[placed] + (rank << number_of(placed)) + code


@allocating
def fill_below(layering: Layering, size: int, members: Numbers, reach: Bits) -> None:
    """Count in how many ways each vertex can be put below each last layer.

    ``reach`` has, for each set, what its vertices may be ancestors of. All ways in which the parents are among some
    placed vertices are added up; of these, those with a parent in the last layer are asked for.
    """
    top, kinds = layering.top, len(layering.aside)
    found, sets = np.empty((1 << size, kinds)), np.zeros(1 << size, np.uint64)
    for number in range(1, (1 << size) - 1):
        placed = np.uint64(number)
        if top & ~placed or placed == top:
            continue
        count = list_members(placed, members)
        for code in range(1, 1 << count):
            sets[code] = sets[code & (code - 1)] | bit(members[lowest(np.uint64(code))])
        for v in range(size):
            if has(placed, v):
                continue
            none, to, join = layering.nones[placed, v], layering.may[MAY_POINT, v], layering.may[MAY_JOIN, v]
            found[: 1 << count] = 0.0
            for code in range(1 << count):
                parents = sets[code]
                if not parents & ~to:
                    needed = needed_by(layering, v, parents)
                    count_spouses(placed & ~parents, none, join, needed, reach, layering.aside, found[code])
            for k in range(count):
                for code in range(1 << count):
                    if code >> k & 1:
                        for kind in range(kinds):
                            found[code, kind] += found[code ^ 1 << k, kind]
            every = (1 << count) - 1
            for code in range(every):
                if top & ~sets[code]:
                    continue
                place = place_below(layering, v, placed, code)
                for kind in range(kinds):
                    layering.below[place, kind] = found[every, kind] - found[code, kind]
                layering.below[place, kinds] = quiet_ways(layering, v, placed, placed & ~sets[code])


@compiled
def count_spouses(
    others: np.uint64, none: np.uint64, join: np.uint64, needed: np.uint64, reach: Bits, aside: Bits, found: Floats
) -> None:
    """Add up in how many ways ``<->`` can join a vertex to others, to none of each set of ``aside``.

    Without an edge stays only what may, and what is needed only if ``<->`` joins the vertex to one that may be above.
    """
    forced, free = others & ~none, others & none & join
    if forced & ~join:
        return
    if not needed & others & ~forced:
        for kind in range(len(aside)):
            if not forced & aside[kind]:
                found[kind] += float(1 << number_of(free & ~aside[kind]))
        return
    chosen = free
    while True:
        spouses = forced | chosen
        if not needed & others & ~(spouses | reach[spouses]):
            for kind in range(len(aside)):
                if not spouses & aside[kind]:
                    found[kind] += 1.0
        if not chosen:
            break
        chosen = (chosen - ONE) & free


@compiled
def share_left(losing: np.uint64, thirds: np.uint64, number: int) -> float:
    """The share of the ways that is left, at most, if so many of the losing vertices lose ``<->``.

    ``thirds`` are those that have three ways, and so lose least. There is none if so many cannot be.
    """
    if number <= 0:
        return 1.0
    least = min(number, number_of(thirds))
    return LEFT_OF_THREE[least] * LEFT_OF_TWO[number - least] if number <= number_of(losing) else 0.0


@compiled
def ways_of(layering: Layering, v: int, placed: np.uint64, last: np.uint64, layers: int, code: int) -> float:
    """In how many ways v can be put below the last layer, at most; ``code`` numbers what is placed before that layer.

    One vertex of each earlier layer, at least, is an ancestor of v, and to an ancestor there is no ``<->``. Which
    vertices they are is not known: those that lose least, among those that may be above. There are two bounds, by what
    v needs an edge to: one heeds that where v has no ``<->`` beyond the last layer, the other throughout. There, of the
    variables that studies lack, it is counted what is lost, or nothing is supposed to be.
    """
    if layering.may[MUST_BE_ABOVE, v] & ~placed:
        return 0.0
    none, to, join = layering.nones[placed, v], layering.may[MAY_POINT, v], layering.may[MAY_JOIN, v]
    earlier, kinds, place = placed & ~last, len(layering.aside), place_below(layering, v, placed, code)
    above = layering.may[MAY_BE_ABOVE, v] & earlier & ~layering.top & (none | to)
    losing, three = above & join, above & join & none & to
    left = layers - 1 - number_of(above & ~join)
    every = ways(none, to, join, earlier) * share_left(losing, three, left) - ways(none, to, NOTHING, earlier)
    bound = ways_below(none, to, join, last) * max(0.0, every) + layering.below[place, kinds]
    if not len(layering.latents):
        return bound
    lacking, most = NOTHING, 0.0
    for i in range(len(layering.latents)):
        lacking |= layering.latents[i]
    losing &= ~lacking
    left = layers - 1 - number_of(above & ~(losing | layering.aside[kinds - 1]))
    for kind in range(kinds):
        if not layering.aside[kind] & ~above:
            share = share_left(losing, three & losing, left - number_of(layering.aside[kind]))
            most = max(most, layering.below[place, kind] * share)
    return min(bound, most)


@compiled
def list_members(vertices: np.uint64, members: Numbers) -> int:
    """List the vertices of a set; returns their number."""
    count = 0
    while vertices:
        members[count] = lowest(vertices)
        vertices &= vertices - ONE
        count += 1
    return count


@compiled
def place_of(vertices: np.uint64, within: np.uint64) -> int:
    """The number of a subset among all subsets."""
    number, one = 0, 1
    while within:
        if vertices & lowest_of(within):
            number |= one
        within &= within - ONE
        one <<= 1
    return number


@compiled
def subset_of(number: int, members: Numbers) -> np.uint64:
    """The subset with a number."""
    found, place = NOTHING, 0
    while number:
        if number & 1:
            found |= bit(members[place])
        number >>= 1
        place += 1
    return found


@compiled
def subset_in(number: int, within: np.uint64) -> np.uint64:
    """The subset of a set with a number, among all subsets."""
    found = NOTHING
    while number:
        if number & 1:
            found |= lowest_of(within)
        within &= within - ONE
        number >>= 1
    return found


@compiled
def united_of(sets: Bits, vertices: np.uint64) -> np.uint64:
    """The union of the sets of some vertices."""
    union = NOTHING
    while vertices:
        union |= sets[lowest(vertices)]
        vertices &= vertices - ONE
    return union


@compiled
def weigh(layering: Layering, row: int, count: int, weights: Floats, products: Floats, sums: Floats) -> float:
    """Add up in how many ways a graph can go on, over all next layers; ``sums`` has the sums so far."""
    products[0], total = 1.0, 0.0
    for i in range(1, 1 << count):
        products[i] = products[i & (i - 1)] * weights[lowest(np.uint64(i))]
        total += products[i] * layering.ahead[row + i]
        sums[i] = total
    return total


@allocating
def fill_inside(layering: Layering, size: int, members: Numbers) -> None:
    """Count in how many ways the vertices of each next layer can be joined to each other."""
    full, sets = bit(size) - ONE, np.zeros(1 << size, np.uint64)
    for number in range(1 << size):
        placed = np.uint64(number)
        if layering.top & ~placed:
            continue
        start, count = layering.inner[number], list_members(full & ~placed, members)
        layering.inside[start] = 1.0
        for i in range(1, 1 << count):
            v, others = members[lowest(np.uint64(i))], i & (i - 1)
            sets[i] = sets[others] | bit(v)
            own = ways_beside(layering.nones[placed, v], layering.may[MAY_JOIN, v], sets[others])
            layering.inside[start + i] = layering.inside[start + others] * own


@compiled
def first_ways(layering: Layering, v: int) -> float:
    """In how many ways v can be put into the first layer: some of the top point at it, and nothing else does."""
    top = layering.top
    if layering.may[MUST_BE_ABOVE, v] & ~top:
        return 0.0
    forced, free, found = top & ~layering.nones[top, v], top & layering.may[MAY_POINT, v], 0.0
    parents = free
    while True:
        if not (forced | (needed_by(layering, v, parents) & top)) & ~parents:
            found += 1.0
        if not parents:
            break
        parents = (parents - ONE) & free
    return found


@entered
def ways_to_tie(layering: Layering) -> float:
    """In how many ways ``--`` can join the vertices of the top, none of which stays alone: inclusion and exclusion."""
    found, alone = 0.0, layering.top
    for v in range(len(layering.ties)):
        if layering.tied[v] & ~layering.ties[v]:
            return 0.0
    while True:
        others, twice, must = layering.top & ~alone, 0, NOTHING
        left = layering.top
        while left:
            v = lowest(left)
            left &= left - ONE
            if has(alone, v):
                must |= layering.tied[v]
            else:
                twice += number_of(layering.ties[v] & others & ~layering.tied[v])
        if not must:
            number = 2.0 ** (twice // 2)
            found += number if number_of(alone) % 2 == 0 else -number
        if not alone:
            break
        alone = (alone - ONE) & layering.top
    return found


@compiled
def tie(layering: Layering, graph: Bits, lot: Bits) -> None:
    """Draw which vertices of the top ``--`` joins, until none stays alone."""
    alone = layering.top
    while alone:
        alone, left = NOTHING, layering.top
        while left:
            graph[NEIGHBOURS, lowest(left)] = NOTHING
            left &= left - ONE
        left = layering.top
        while left:
            v = lowest(left)
            left &= left - ONE
            others = left & layering.ties[v]
            while others:
                u = lowest(others)
                others &= others - ONE
                if has(layering.tied[v], u) or draw(lot, 2):
                    graph[NEIGHBOURS, u] |= bit(v)
                    graph[NEIGHBOURS, v] |= bit(u)
            graph[ANCESTORS, v] = bit(v)
            if not graph[NEIGHBOURS, v]:
                alone |= bit(v)


@entered
def fill(layering: Layering, size: int) -> float:
    """Count all ways, the last layers first; returns how many graphs there are to draw from.

    What lies ahead of some placed vertices with a last layer is added up over all next layers. It is noted with the
    vertices before that layer, for which it is the next.
    """
    full, top, members = bit(size) - ONE, layering.top, np.empty(size, np.int64)
    weights, products, sums = np.empty(size), np.empty(1 << size), np.empty(1 << size)
    if top == full:
        return 1.0
    reach = np.zeros(1 << size, np.uint64)
    for number in range(1, 1 << size):
        reach[number] = reach[number & (number - 1)]
        for v in range(size):
            if has(layering.may[MAY_BE_ABOVE, v], lowest(np.uint64(number))):
                reach[number] |= bit(v)
    fill_inside(layering, size, members)
    fill_below(layering, size, members, reach)
    for number in range((1 << size) - 1, 0, -1):
        placed = np.uint64(number)
        if top & ~placed:
            continue
        count, last = list_members(full & ~placed, members), placed & ~top
        while last:
            earlier = placed & ~last
            place = place_of(last, full & ~earlier)
            at, code = layering.inner[earlier] + place, place_of(earlier, placed)
            for layers in range(1 if earlier == top else 2, number_of(earlier & ~top) + 2):
                total = 1.0 if count == 0 else 0.0
                if count and layering.inside[at] > 0.0:
                    for k in range(count):
                        weights[k] = ways_of(layering, members[k], placed, last, layers, code)
                    total = weigh(layering, row_of(layering, size, placed, layers), count, weights, products, sums)
                layering.ahead[row_of(layering, size, earlier, layers - 1) + place] = layering.inside[at] * total
            last = (last - ONE) & placed & ~top
    for number in range(1 << size):  # to look for the first two layers takes longest: added up beforehand
        placed = np.uint64(number)
        if top & ~placed:
            continue
        count, first = list_members(full & ~placed, members), placed & ~top
        code, row = place_of(top, placed), layering.rows[number]
        for k in range(count):
            v = members[k]
            weights[k] = ways_of(layering, v, placed, first, 1, code) if first else first_ways(layering, v)
        weigh(layering, row, count, weights, products, sums)
        for i in range(1, 1 << count):
            layering.ahead[row + i] = sums[i]
    return layering.ahead[layering.rows[top] + (1 << number_of(full & ~top)) - 1]


@compiled
def row_of(layering: Layering, size: int, placed: np.uint64, layers: int) -> int:
    """Where the numbers of placed vertices in so many layers begin."""
    return layering.rows[placed] + max(0, layers - 1) * (1 << (size - number_of(placed)))


@compiled
def reached(sums: Floats, start: int, number: int, total: float) -> int:
    """The first place, from 1, at which sums reach beyond a total."""
    low, high = 1, number - 1
    while low < high:
        middle = (low + high) // 2
        if sums[start + middle] > total:
            high = middle
        else:
            low = middle + 1
    return low


@compiled
def next_layer(
    layering: Layering, placed: np.uint64, last: np.uint64, layers: int, code: int, space: Space, lot: Bits
) -> int:
    """Draw the next layer, as often as there are ways to go on with it; its number among the subsets of the others."""
    size = layering.may.shape[1]
    count = list_members((bit(size) - ONE) & ~placed, space.members)
    row, number = row_of(layering, size, placed, layers), 1 << count
    if layers < 2:
        return reached(layering.ahead, row, number, draw_share(lot) * layering.ahead[row + number - 1])
    for k in range(count):
        v = space.members[k]
        space.each[v] = space.weights[k] = ways_of(layering, v, placed, last, layers, code)
    total = weigh(layering, row, count, space.weights, space.products, space.sums)
    return reached(space.sums, 0, number, draw_share(lot) * total)


@compiled
def find_way(
    layering: Layering, v: int, placed: np.uint64, last: np.uint64, rank: int, space: Space
) -> tuple[bool, np.uint64, np.uint64]:
    """The parents and spouses of v in the way with this rank, among those to put it, if there are so many.

    Here it is known who is an ancestor of whom, which :func:`ways_of` allows for. What is needed by the parents
    (:func:`needed_by`) is as there, so that there are no more ways than it says. Besides, a vertex without an edge to v
    that v is connected with in a study has one of the latents of the study among the ancestors of the two.
    """
    none, to, join = layering.nones[placed, v], layering.may[MAY_POINT, v] & placed, layering.may[MAY_JOIN, v]
    members, sets, unions = space.members, space.sets, space.unions
    count = list_members(to, members)
    sets[0], unions[0] = NOTHING, NOTHING
    for code in range(1 if last else 0, 1 << count):
        if code:
            u = members[lowest(np.uint64(code))]
            sets[code] = sets[code & (code - 1)] | bit(u)
            unions[code] = unions[code & (code - 1)] | space.graph[ANCESTORS, u]
        parents, above = sets[code], unions[code]
        if (
            (last and not parents & last)
            or above & ~layering.may[MAY_BE_ABOVE, v]
            or layering.may[MUST_BE_ABOVE, v] & ~above
        ):
            continue
        apart, needed = none, NOTHING
        for i in range(len(layering.latents)):
            if not parents & layering.latents[i]:
                needed |= layering.linked[i, v]
            if not above & layering.latents[i]:
                apart &= ~layering.linked[i, v] | united_of(space.offspring, layering.latents[i])
        others = placed & ~above
        forced, free = others & ~apart, others & apart & join
        if above & ~(parents | apart) or forced & ~join:
            continue
        if not needed & placed & ~(parents | forced):
            number = 1 << number_of(free)
            if rank < number:
                return True, parents, forced | subset_in(rank, free)
            rank -= number
            continue
        chosen = free
        while True:
            spouses = forced | chosen
            if not needed & placed & ~(parents | spouses | united_of(space.offspring, spouses)):
                if rank == 0:
                    return True, parents, spouses
                rank -= 1
            if not chosen:
                break
            chosen = (chosen - ONE) & free
    return False, NOTHING, NOTHING


@compiled
def put_below(layering: Layering, v: int, placed: np.uint64, last: np.uint64, space: Space, lot: Bits) -> bool:
    """Put v below the last layer, in one of the ways that there are at most; whether it is one of those there are."""
    graph, rank = space.graph, int(draw_share(lot) * space.each[v])
    found, parents, spouses = find_way(layering, v, placed, last, rank, space)
    if not found:
        return False
    ancestors = united(graph, ANCESTORS, parents)
    graph[PARENTS, v], graph[SPOUSES, v], graph[ANCESTORS, v] = parents, spouses, ancestors | bit(v)
    while parents:
        graph[CHILDREN, lowest(parents)] |= bit(v)
        parents &= parents - ONE
    while spouses:
        graph[SPOUSES, lowest(spouses)] |= bit(v)
        spouses &= spouses - ONE
    while ancestors:
        space.offspring[lowest(ancestors)] |= bit(v)
        ancestors &= ancestors - ONE
    return True


@compiled
def join_layer(layering: Layering, placed: np.uint64, layer: np.uint64, graph: Bits, lot: Bits) -> None:
    """Draw which vertices of a new layer ``<->`` joins."""
    left = layer
    while left:
        v = lowest(left)
        left &= left - ONE
        others = left & layering.may[MAY_JOIN, v]
        while others:
            u = lowest(others)
            others &= others - ONE
            if not has(layering.nones[placed, v], u) or draw(lot, 2):
                graph[SPOUSES, u] |= bit(v)
                graph[SPOUSES, v] |= bit(u)


@compiled
def put_layer(
    layering: Layering,
    placed: np.uint64,
    last: np.uint64,
    layer: np.uint64,
    layers: int,
    code: int,
    space: Space,
    lot: Bits,
) -> bool:
    """Put a new layer below what is placed; whether that can be."""
    left = layer
    while left:
        v = lowest(left)
        left &= left - ONE
        if layers == 0 and not layering.top:
            space.graph[ANCESTORS, v] = bit(v)
            continue
        if layers == 0:
            space.each[v] = first_ways(layering, v)
        elif layers == 1:  # the next layer was drawn by sums from beforehand
            space.each[v] = ways_of(layering, v, placed, last, layers, code)
        if not put_below(layering, v, placed, last, space, lot):
            return False
    join_layer(layering, placed, layer, space.graph, lot)
    return True


@compiled
def is_maximal(graph: Bits, placed: np.uint64, layer: np.uint64) -> bool:
    """Whether no vertex of a new layer lacks an edge that it should have, to what is placed by now."""
    left = layer
    while left:
        v = lowest(left)
        others = placed & ~(left | graph[PARENTS, v] | graph[SPOUSES, v])
        left &= left - ONE
        while others:
            joined, _ = path_of(graph, EDGE, lowest(others), v, NOTHING)
            if joined:
                return False
            others &= others - ONE
    return True


@compiled
def cost_of(
    table: Numbers, masks: Bits, about: Bits, mine: Numbers, graph: Bits, placed: np.uint64, layer: np.uint64
) -> int:
    """What those statements cost that fail and that a new layer decides; -1 if one of them is hard."""
    cost, left = 0, layer
    while left:
        v = lowest(left)
        left &= left - ONE
        near = bit(v) | graph[PARENTS, v] | graph[SPOUSES, v]
        for place in range(mine.shape[1]):
            i = mine[v, place]
            if i < 0:
                break
            if about[i] & (~placed | left):  # not decided yet, or the turn of a later vertex of the layer
                continue
            x, y = table[i, X], table[i, Y]
            if table[i, ASKS] <= CONNECTING and (x == v or y == v) and has(near, x) and has(near, y):
                answer = 1  # an edge is such a path
            else:
                answer, _ = answer_of(graph, table[i, ASKS], x, y, masks[i])
            if not holds(table[i, ALLOWED], answer):
                if table[i, HARD]:
                    return -1
                cost += table[i, PRICE]
    return cost


@compiled
def sift_in(
    layering: Layering,
    table: Numbers,
    masks: Bits,
    about: Bits,
    mine: Numbers,
    allowed: int,
    tries: int,
    lot: Bits,
    found: NDArray[np.uint8],
    when: Numbers,
    space: Space,
) -> tuple[int, int]:
    """Draw as :func:`sift` says, in this space."""
    size, top, hits = layering.may.shape[1], layering.top, 0
    full = bit(size) - ONE
    for trial in range(tries):
        placed, last, layers, code, cost = top, NOTHING, 0, 0, 0
        for v in range(size):
            space.offspring[v] = NOTHING
            for row in range(len(space.graph)):
                space.graph[row, v] = NOTHING
        if top:
            tie(layering, space.graph, lot)
            cost = cost_of(table, masks, about, mine, space.graph, placed, top)
            if cost < 0 or cost > allowed:
                continue
        while placed != full:
            number = next_layer(layering, placed, last, layers, code, space, lot)
            layer = subset_of(number, space.members)
            if not put_layer(layering, placed, last, layer, layers, code, space, lot):
                break
            code, last = place_of(placed, placed | layer), layer
            placed, layers = placed | layer, layers + 1
            more = cost_of(table, masks, about, mine, space.graph, placed, layer)
            cost += more
            if more < 0 or cost > allowed or not is_maximal(space.graph, placed, layer):
                break
        else:
            number_edges(space.graph, found[hits])
            when[hits] = trial
            hits += 1
            if hits == len(found):
                return hits, trial + 1
    return hits, tries


@entered
def sift(
    layering: Layering,
    table: Numbers,
    masks: Bits,
    about: Bits,
    mine: Numbers,
    allowed: int,
    tries: int,
    lot: Bits,
    found: NDArray[np.uint8],
    when: Numbers,
) -> tuple[int, int]:
    """Draw so many graphs and note those that are solutions, and which they were, as long as there is room.

    Returns their number, and that of the graphs drawn.

    A graph that cannot become a solution any more is given up at once: what statements about placed vertices say does
    not depend on those that follow, which are not their ancestors.
    """
    space = space_for(layering.may.shape[1], 5 if layering.top else 4)
    return sift_in(layering, table, masks, about, mine, allowed, tries, lot, found, when, space)
