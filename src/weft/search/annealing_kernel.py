"""The compiled part of :mod:`weft.search.annealing`: what statements say of a model, by bits, and the walk over models.

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
from numba.extending import intrinsic
from numpy.typing import NDArray

INDUCING, CONNECTING, STRUCTURE, EDGE, ABOVE = 0, 1, 2, 3, 4
"""What a statement asks of its pair: an inducing path relative to a set, a connecting path given a set (0 or 1); the
marginal structure (1 if x causes y, 2 if y causes x, and 4 if they are confounded); the edge of the MAG (0 for none, 1
for ``->``, 2 for ``<-``, 3 for ``<->``); whether a vertex of a set is an ancestor of one of the two (0 or 1)."""

TO, FROM, BOTH = 1, 2, 4
"""The edges that may stand between a and b: ``a -> b``, ``a <- b``, ``a <-> b``."""

PARENTS, CHILDREN, SPOUSES, ANCESTORS = 0, 1, 2, 3
"""The rows of a graph's sets."""

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


def compiled(function: F) -> F:
    """The function in machine code, for others here to call."""
    inner: F = _njit(no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    return inner


def entered(function: F) -> F:
    """The function in machine code, kept beside this file or in the user's cache, if either can be written to."""
    try:
        kept: F = _njit(cache=True)(function)
    except RuntimeError:  # there is no such place
        kept = _njit(function)
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
        new_arrow = next_arrow & elsewhere & ~arrow
        new_tail = next_tail & elsewhere & ~tail
        arrow |= new_arrow
        tail |= new_tail
    return True, arrow | tail | bit(x)


@compiled
def path_of(graph: Bits, asks: int, x: int, y: int, mask: np.uint64) -> tuple[bool, np.uint64]:
    """Whether there is a path as a statement speaks of, and the vertices touched."""
    arrow, tail, end = graph[CHILDREN, x] | graph[SPOUSES, x], graph[PARENTS, x], bit(y)
    if asks == STRUCTURE:
        inside = ~(bit(x) | end)
        return search(graph, x, graph[SPOUSES, x], tail & inside, NOTHING, inside, end, NOTHING)
    if asks == CONNECTING:
        return search(graph, x, arrow, tail, united(graph, ANCESTORS, mask), ~mask, end, end)
    colliders = graph[ANCESTORS, x] | graph[ANCESTORS, y]
    return search(graph, x, arrow, tail, colliders, mask if asks == INDUCING else NOTHING, end, end)


@compiled
def answer_of(graph: Bits, asks: int, x: int, y: int, mask: np.uint64) -> tuple[int, np.uint64]:
    """The answer to what a statement asks, and the vertices touched."""
    if asks == ABOVE:
        return (1 if (graph[ANCESTORS, x] | graph[ANCESTORS, y]) & mask else 0), NOTHING
    joined, touched = path_of(graph, asks, x, y, mask)
    if asks < STRUCTURE:
        return (1 if joined else 0), touched
    forth = 1 if has(graph[ANCESTORS, y], x) else 0
    back = 2 if has(graph[ANCESTORS, x], y) else 0
    if asks == STRUCTURE:
        return forth + back + (4 if joined else 0), touched
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
def draw(lot: Bits, most: int) -> Any:
    """A number from 0 to below ``most`` (xorshift64*, Vigna 2016)."""
    state = lot[0]
    state ^= state >> np.uint64(12)
    state ^= state << np.uint64(25)
    state ^= state >> np.uint64(27)
    lot[0] = state
    high = (state * np.uint64(0x2545F4914F6CDD1D)) >> np.uint64(32)
    return np.int64((high * np.uint64(most)) >> np.uint64(32))


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
        best[:] = graph


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
    totals[:LEAST] = 0
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
def list_open(
    table: Numbers, within: Bits, answers: Numbers, touched: Bits, change: Bits, waiting: Numbers
) -> tuple[int, int]:
    """List the statements to look at again: from the front those that hold, from the back those that fail."""
    count = len(table)
    front, back = 0, count
    for i in range(count):
        if is_open(table[i, ASKS], answers[i], touched[i], within[i], change):
            if holds(table[i, ALLOWED], answers[i]):
                waiting[front] = i
                front += 1
            else:
                back -= 1
                waiting[back] = i
    return front, back


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
    front: int,
    back: int,
    answers: Numbers,
    touched: Bits,
    totals: Numbers,
    news: Numbers,
    seen: Bits,
    now: Numbers,
) -> None:
    """Make the new answers of the statements that were looked at again those of the model."""
    for place in range(len(waiting)):
        if place < front or place >= back:
            i = waiting[place]
            answers[i], touched[i] = news[i], seen[i]
    for k in range(3):
        totals[k] = now[k]


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
    size, count = graph.shape[1], len(table)
    before, change = np.empty(size, np.uint64), np.zeros(5, np.uint64)
    now, news, seen = np.zeros(4, np.int64), np.empty(count, np.int64), np.empty(count, np.uint64)
    waiting = np.empty(count, np.int64)
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
        taken, front, back = False, 0, count
        if possible:
            note_ancestors(graph, before, change)
            most = totals[COST] + (penalty if must_keep and totals[KEPT] == 0 else 0)
            most += (heat * excesses[draw(lot, LOTS)]) >> 20
            most += prices[old] - prices[new] + prices[old_two] - prices[new_two]
            for k in range(3):
                now[k] = totals[k]
            front, back = list_open(table, within, answers, touched, change, waiting)
            for place in range(
                back, count
            ):  # what fails can only make it cheaper: first, so that the rest may end early
                look_again(table, masks, graph, answers, waiting[place], now, news, seen)
            for place in range(front):
                if now[COST] > most:
                    break
                look_again(table, masks, graph, answers, waiting[place], now, news, seen)
            taken = now[COST] + (penalty if must_keep and now[KEPT] == 0 else 0) <= most
        if taken:
            take_over(waiting, front, back, answers, touched, totals, news, seen, now)
            remember_best(graph, totals, best, must_keep)
        else:
            if two:
                join(graph, c, d, old_two)
            join(graph, a, b, old)
            for v in range(size):
                graph[ANCESTORS, v] = before[v]


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
    """Note the edge of each pair: 0 for none, 1 for ``->``, 2 for ``<-``, 3 for ``<->``."""
    size, place = graph.shape[1], 0
    for x in range(size):
        for y in range(x + 1, size):
            edges = edges_of(graph, x, y)
            numbers[place] = 3 if edges == BOTH else edges
            place += 1


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
    found: NDArray[np.uint8],
) -> int:
    """Walk over graphs with one edge at most between two vertices, and note the solutions met.

    A solution is a MAG in which all that is hard holds, and that costs no more than is allowed (a unit too much counts
    like a statement that fails). Each step proposes any edge, or none, for one of the ``free`` pairs, all alike. So
    graphs are met in proportion to exp(-distance / heat), and solutions, whose distance is 0, all alike.

    After each ``between`` steps the graph is looked at, as often as ``found`` has rows. The edges of a solution go into
    the next one. Returns how many rows are filled.
    """
    size, count = graph.shape[1], len(table)
    before, change = np.empty(size, np.uint64), np.zeros(5, np.uint64)
    now, news, seen = np.zeros(4, np.int64), np.empty(count, np.int64), np.empty(count, np.uint64)
    waiting = np.empty(count, np.int64)
    number, own = 0, flaws(graph)
    for _ in range(len(found)):
        for _ in range(between):
            pair, new = draw(lot, len(free)), draw(lot, 4)
            a, b = free[pair, 0], free[pair, 1]
            old, new = edges_of(graph, a, b), BOTH if new == 3 else new
            if new == old:
                continue
            for v in range(size):
                before[v] = graph[ANCESTORS, v]
            for k in range(5):
                change[k] = NOTHING
            taken, front, back, others = False, 0, count, 0
            if change_pair(graph, a, b, new, change, REMOVED):
                room = distance(totals, own, allowed, unit) + ((heat * excesses[draw(lot, LOTS)]) >> 12)
                others = flaws(graph)
                if 256 * others <= room:
                    note_ancestors(graph, before, change)
                    for k in range(3):
                        now[k] = totals[k]
                    front, back = list_open(table, within, answers, touched, change, waiting)
                    for place in range(back, count):  # what fails can only bring it nearer
                        look_again(table, masks, graph, answers, waiting[place], now, news, seen)
                    for place in range(front):
                        if distance(now, others, allowed, unit) > room:
                            break
                        look_again(table, masks, graph, answers, waiting[place], now, news, seen)
                    taken = distance(now, others, allowed, unit) <= room
            if taken:
                take_over(waiting, front, back, answers, touched, totals, news, seen, now)
                own = others
            else:
                join(graph, a, b, old)
                for v in range(size):
                    graph[ANCESTORS, v] = before[v]
        if distance(totals, own, allowed, unit) == 0:
            number_edges(graph, found[number])
            number += 1
    return number
