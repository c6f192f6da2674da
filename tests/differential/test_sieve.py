"""Solutions sifted out of graphs that are drawn layer by layer, against all solutions one by one."""

from __future__ import annotations

import math
import random
from collections import Counter
from dataclasses import replace
from itertools import combinations, permutations, product

import numpy as np
import pytest

from tests.differential.test_repair import random_evidence, weighted
from tests.support.problems import random_claim, shown
from weft import oracle
from weft.effort import Effort
from weft.evidence.claims import Claim
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph, bits
from weft.parallel import Workers, working
from weft.search import sieve
from weft.search.annealing import in_kernel
from weft.search.asp import AspSearch
from weft.search.bounds import Bounds, bounds_of
from weft.search.engine import OutOfTime
from weft.search.enumeration import consequences_of
from weft.search.kernel import SUMMED
from weft.search.kinds import Connection, Dependence, PairRelation
from weft.search.problem import Problem, is_solution
from weft.search.repair import optimum, softened, within
from weft.search.sieve import FEWEST, HITS, Sieve, can_sift, layering_of, limits, tops
from weft.search.wandering import Wandering, can_wander, shows_all

FIVE = Problem.of(oracle("A -> B -> C; D -> C; E <-> D", [["A", "B", "C"], ["C", "D"], ["D", "E"]]), "iod")
"""12,438 MAGs."""


def problems(name: str, number: int, fewest: int = 1, *, most: int = 5_000, selection: bool = False) -> list[Problem]:
    """Problems of three to five variables with some solutions: hard ones, and softened ones within a cost."""
    chance, found = random.Random(name), list[Problem]()
    while len(found) < number:
        method = chance.choice(["iod", "iod-bcd", "causal-iod"])
        evidence = random_evidence(chance, chance.choice([3, 4, 4, 5]), method, selection=selection, conflict=False)
        problem = Problem.of(evidence, method, selection=selection)
        if chance.random() < 0.4:
            soft, scale = softened(Problem.of(weighted(chance, evidence), method, selection=selection))
            least = optimum(soft)
            problem = within(soft, least, least.cost + scale.cost(2.0)) if least.cost is not None else problem
        if chance.random() < 0.3:
            problem = problem.with_claims([random_claim(chance, problem.names)])
        if fewest <= AspSearch(problem).count(problem.claims, most)[0] < most:
            found.append(problem)
    return found


def solutions(problem: Problem) -> list[MixedGraph]:
    return list(AspSearch(problem).graphs(problem.claims))


def drawn(problem: Problem, number: int, seed: int = 1) -> list[MixedGraph]:
    return Sieve(problem).sifted(seed, number).graphs


# -- what is drawn -----------------------------------------------------------------------------------------------------


def test_all_solutions_are_drawn_alike_and_nothing_else_is() -> None:
    every = problems("alike", 25)
    assert sum(not can_wander(one) for one in every) >= 4
    assert sum(bool(one.costs) for one in every) >= 4
    _assert_alike(every)


def test_solutions_with_selection_are_drawn_alike() -> None:
    every = problems("selection", 20, most=1_000, selection=True)
    assert sum(any(graph.has_selection for graph in solutions(one)) for one in every) >= 12
    assert sum(not shows_all(one) for one in every) >= 2
    assert sum(bool(one.costs) for one in every) >= 4
    chance = random.Random("lacking")
    while len(every) < 22:
        problem = replace(dense(chance), selection=True)
        if 5 <= AspSearch(problem).count(problem.claims, 4_000)[0] < 4_000:
            every.append(problem)
    _assert_alike(every)


def test_solutions_are_drawn_alike_where_the_variables_that_studies_lack_matter() -> None:
    """Nearly all is connected in two studies that lack a variable each, as with the proteins of the paper."""
    found, chance = list[Problem](), random.Random("dense")
    while len(found) < 7:
        problem = dense(chance)
        if 5 <= AspSearch(problem).count(problem.claims, 1_500)[0] < 1_500:
            found.append(problem)
    for rule in zip(*map(_bites, found), strict=True):
        assert sum(rule) >= 5
    _assert_alike(found)


def dense(chance: random.Random) -> Problem:
    """Five variables, two studies that lack one of them each, and an order that some causes must keep."""
    names = "ABCDE"
    scopes, says = list[Scope](), list[Statement]()
    for study, lacking in zip("ab", chance.sample(names, 2), strict=True):
        own = [name for name in names if name != lacking]
        scopes.append(Scope(study, tuple(own)))
        says += [Connected(study, x, y) for x, y in combinations(own, 2) if chance.random() < 0.9]
    for x, y in combinations(chance.sample(names, len(names)), 2):
        if chance.random() < 0.6:
            says.append(Relation(x, y, frozenset(map(Structure, ("->", "<->", "-> & <->")))))
    return Problem.of(Evidence(tuple(scopes), tuple(says)), "causal-iod")


def _bites(problem: Problem) -> tuple[bool, ...]:
    """Which of the rules about these variables make fewer graphs to draw from than there would be without."""
    own, alone, neither, together = (Plain(problem) for _ in range(4))
    alone.heeded, neither.heeded, neither.summed, together.aside = [], [], [], frozenset()
    sooner = any(
        placed & lacking and "" not in own.options(u, v, placed)
        for placed in subsets(own.every)
        for both, lacking in own.connected
        for u, v in permutations(both)
        if v not in placed
    )
    return sooner, alone.whole < neither.whole, own.whole < alone.whole, own.whole < together.whole


def _assert_alike(problems: list[Problem]) -> None:
    """All solutions of each are drawn, and none more often than chance would have it."""
    squares = []
    for problem in problems:
        every = solutions(problem)
        number = max(400, 15 * len(every))
        found = Counter(drawn(problem, number))
        assert set(found) == set(every), shown(problem)
        expected = number / len(every)
        square = sum((found[graph] - expected) ** 2 / expected for graph in every)
        if len(every) > 1:
            squares.append((square - len(every) + 1) / math.sqrt(2 * (len(every) - 1)))
    assert max(squares) < 4.5
    assert abs(sum(squares)) / math.sqrt(len(squares)) < 3


def test_what_is_drawn_is_a_solution_by_definition() -> None:
    for problem in [*problems("definition", 10), *problems("selected", 5, selection=True)]:
        for graph in drawn(problem, 30):
            assert is_solution(problem, graph), f"{graph}; {shown(problem)}"


def test_the_number_is_within_its_factor_as_often_as_promised() -> None:
    right, number = 0, 0
    for problem in problems("number", 12):
        truth = len(solutions(problem))
        for seed in range(10):
            found = Sieve(problem).sifted(seed, 40).number
            right += truth / found.factor <= found.value <= truth * found.factor
            number += 1
    assert right >= 0.95 * number - 2 * math.sqrt(0.95 * 0.05 * number)
    large = Sieve(FIVE).sifted(3).number
    assert 12_438 / 1.2 < large.value < 12_438 * 1.2
    assert (large.factor, large.probability) == (1.2, 0.95)


def test_a_sieve_is_the_same_each_time_and_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "WAVES", ((1, 500), (3, 700)))
    alone = Sieve(FIVE).sifted(7, 300)
    assert Sieve(FIVE).sifted(7, 300) == alone
    with working(Workers(2)):
        assert Sieve(FIVE).sifted(7, 300) == alone
    assert Sieve(FIVE).sifted(8, 300) != alone
    assert Sieve(FIVE).sifted(7, 50).graphs == alone.graphs[:50]
    selected = replace(FIVE, selection=True)
    alone = Sieve(selected).sifted(7, 300)
    assert any(graph.has_selection for graph in alone.graphs)
    with working(Workers(2)):
        assert Sieve(selected).sifted(7, 300) == alone
    assert Sieve(selected).sifted(7, 50).graphs == alone.graphs[:50]


def test_walks_from_fair_draws_are_fair() -> None:
    """From every solution as often as from any other, however short the walk."""
    squares = []
    for problem in [one for one in problems("spread", 40, fewest=5) if can_wander(one)]:
        every = solutions(problem)
        if len(every) > 60:
            continue
        ends = Counter[MixedGraph]()
        for turn in range(10):
            ends.update(_ends(problem, every, turn))
        expected = sum(ends.values()) / len(every)
        assert set(ends) <= set(every)
        square = sum((ends[graph] - expected) ** 2 / expected for graph in every)
        squares.append((square - len(every) + 1) / math.sqrt(2 * (len(every) - 1)))
    assert len(squares) >= 10
    assert sum(squares) / math.sqrt(len(squares)) < 3


def test_walks_from_fair_draws_meet_more_of_them() -> None:
    starts = drawn(FIVE, 40)
    met = Wandering(FIVE, starts[:1]).spread(starts, 400, 1)
    assert met.graphs[:40] == starts
    assert 200 < len(met.graphs) <= 400
    assert 100 < met.worth <= len(met.graphs)
    assert all(is_solution(FIVE, graph) for graph in met.graphs)


def _ends(problem: Problem, starts: list[MixedGraph], seed: int) -> list[MixedGraph]:
    """Where short walks end."""
    from weft.search.wandering import Course, read_edges, walk

    course = Course(problem, tuple(combinations(range(len(problem.names)), 2)), 64, 0, 1, 1)
    chains = walk(course, starts, seed)
    return [read_edges(problem.names, chain[0].tolist()) for chain in chains]


# -- when it ends ------------------------------------------------------------------------------------------------------


def test_it_ends_with_the_effort_and_the_time() -> None:
    with Effort(1).here(), pytest.raises(OutOfTime):
        Sieve(FIVE).sifted(1)
    with pytest.raises(OutOfTime):
        Sieve(FIVE).sifted(1, deadline=0.0)


def test_with_less_effort_it_is_less_sure(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "WAVES", ((1, 100),))
    with Effort(5).here():
        found = Sieve(FIVE).sifted(1)
    assert FEWEST <= len(found.graphs) < HITS
    assert 1.2 < found.number.factor < 2.1
    assert 12_438 / found.number.factor < found.number.value < 12_438 * found.number.factor


def test_it_gives_up_where_nothing_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sieve, "WAVES", ((1, 10), (1, 1_000_000_000)))
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), (Connected("a", "X", "Y"),)), "iod")
    with Effort(20).here() as effort, pytest.raises(OutOfTime):
        Sieve(problem.with_claims([Claim.parse("not X o-o Y")])).sifted(1)
    assert effort.left > 0


@pytest.mark.parametrize(("selection", "most"), [(False, sieve.MOST_VARIABLES), (True, sieve.MOST_WITH_SELECTION)])
def test_not_too_many_variables(selection: bool, most: int) -> None:
    for number, can in ((2, True), (most, True), (most + 1, False)):
        evidence = Evidence((Scope("a", tuple(f"X{k:02}" for k in range(number))),))
        assert can_sift(Problem.of(evidence, "iod", selection=selection)) is can


@pytest.mark.parametrize("mean", [3.0, 9.0, 20.0, 39.0, 41.0, 60.0, 400.0])
def test_limits_hold_the_truth_whichever_ends_the_draws(mean: float) -> None:
    """Hits come at random times, at a rate of 1; the draws end at the 40th, or when ``mean`` has passed."""
    chance, missed, number = np.random.default_rng(round(mean)), 0, 20_000
    for _ in range(number):
        times = np.cumsum(chance.exponential(size=40))
        ended = times[-1] <= mean
        hits, passed = (40, times[-1]) if ended else (int((times <= mean).sum()), mean)
        low, high = limits(hits, 0.95, ended=bool(ended)) if hits else (0.0, math.inf)
        missed += not low <= passed <= high
    assert missed / number < 0.05 + 3 * math.sqrt(0.05 * 0.95 / number)


# -- how many graphs there are to draw from ----------------------------------------------------------------------------


def test_the_number_of_graphs_to_draw_from_against_plain_sums() -> None:
    counted = 0
    chance = random.Random("sums")
    for problem in [*problems("sums", 25), *(dense(chance) for _ in range(6)), FIVE]:
        table, masks, _ = in_kernel(problem, frozenset(), 0)
        _, whole = layering_of(bounds_of(problem.hard), table, masks)
        if can_wander(problem):
            assert whole == pytest.approx(Plain(problem).whole, rel=1e-12), shown(problem)
            counted += 1
        assert whole >= len(solutions(problem))
    assert counted > 10


def test_the_number_of_graphs_with_selection_against_plain_sums() -> None:
    counted = with_edges = 0
    chance = random.Random("dense and selected")
    lacking = [replace(dense(chance), selection=True) for _ in range(3)]
    for problem in [*problems("selected sums", 25, most=1_000, selection=True), *lacking]:
        table, masks, _ = in_kernel(problem, frozenset(), 0)
        whole = 0.0
        for top in tops(bounds_of(problem.hard)):
            number = layering_of(bounds_of(problem.hard), table, masks, top)[1]
            if shows_all(problem):
                plain = Plain(problem, frozenset(bits(top))).whole
                assert number == pytest.approx(plain, rel=1e-6), f"{top}; {shown(problem)}"
                counted += 1
                with_edges += bool(top) and number > 0
            whole += number
        assert whole >= len(solutions(problem)) or not shows_all(problem)
    assert counted > 100
    assert with_edges > 50


Linked = tuple[frozenset[int], frozenset[int]]
"""Two variables that are connected in a study, and those that the study lacks."""


class Plain:
    """The same sums, written down as :mod:`weft.search.sieve` says it, with sets and without sparing any work."""

    def __init__(self, problem: Problem, top: frozenset[int] = frozenset()) -> None:
        self.every, self.top = frozenset(range(len(problem.names))), top
        self.bounds: Bounds = below(bounds_of(problem.hard), sum(1 << v for v in top))
        hard = [one for key, one in problem.statements.items() if key not in problem.costs]
        self.connected = [
            (frozenset({one.x, one.y}), frozenset(v for v in self.every if one.latent >> v & 1))
            for one in hard
            if isinstance(one, Connection)
        ]
        self.dependent = {
            frozenset({one.x, one.y})
            for one in hard
            if isinstance(one, Connection)
            or (isinstance(one, Dependence) and not one.given)
            or (isinstance(one, PairRelation) and all(s.causes or s.caused or s.confounded for s in one.allowed))
        }
        for claim in problem.claims:  # claims about causes or confounding count in the first layer, too
            x, y = problem.names.index(claim.x), problem.names.index(claim.y)
            if claim.holds and claim.topic.name in ("CAUSES", "CONFOUNDED"):
                self.dependent.add(frozenset({x, y}))
        numbers = Counter(lacking for _, lacking in self.connected if lacking)
        heeded = sorted(numbers, key=lambda one: (-numbers[one], sum(1 << v for v in one)))[: sieve.MOST_STUDIES]
        self.heeded = [(pair, lacking) for pair, lacking in self.connected if lacking in heeded]
        self.summed = [(pair, lacking) for pair, lacking in self.connected if lacking in heeded[:SUMMED]]
        self.lacking = frozenset[int]().union(*heeded)
        self.aside = frozenset(sorted(self.lacking)[: sieve.MOST_ASIDE])

    def may(self, sets: tuple[int, ...], u: int, v: int) -> bool:
        return bool(sets[u] >> v & 1)

    def above(self, v: int, sets: tuple[int, ...] | None = None) -> set[int]:
        """Those that may be ancestors of v; or that must, or may have an edge to v."""
        sets = self.bounds.may_cause if sets is None else sets
        return {u for u in self.every if u != v and self.may(sets, u, v)}

    def ends(self, u: int, v: int, lacking: frozenset[int], placed: frozenset[int]) -> bool:
        """Whether an inducing path from u may end at v."""
        pointing = lacking & self.above(v, self.bounds.may_point)
        return bool(placed & (pointing | (self.above(v, self.bounds.may_confound) & self.above(u))))

    def options(self, u: int, v: int, placed: frozenset[int]) -> list[str]:
        """What may stand between an earlier vertex u and v, or between two of a new layer: "", "->", "<->"."""
        pair = frozenset({u, v})
        apart = all(
            placed & lacking & (self.above(u) | self.above(v))
            and self.ends(u, v, lacking, placed)
            and (u in placed or self.ends(v, u, lacking, placed))
            for both, lacking in self.connected
            if both == pair
        )
        apart = apart and (bool(placed) or pair not in self.dependent)
        found = [""] if apart else []
        found += ["->"] if u in placed and self.may(self.bounds.may_point, u, v) else []
        return found + (["<->"] if self.may(self.bounds.may_confound, u, v) else [])

    @property
    def whole(self) -> float:
        if self.top == self.every:
            return self.ties
        return self.ties * sum(
            self.inside(layer, self.top)
            * math.prod(self.first_ways(v) for v in layer)
            * self.ahead(self.top | layer, layer, 1)
            for layer in subsets(self.every - self.top)
        )

    @property
    def ties(self) -> int:
        """In how many ways ``--`` can join the top, so that none of it stays alone."""
        number, pairs = 0, list(combinations(sorted(self.top), 2))
        for joined in product([False, True], repeat=len(pairs)):
            edges = {frozenset(pair) for pair, one in zip(pairs, joined, strict=True) if one}
            missing = [pair for pair, lacking in self.connected if pair <= self.top and not lacking & self.top - pair]
            possible = all(self.may(self.bounds.may_join, *sorted(pair)) for pair in edges)
            number += possible and edges >= set(missing) and frozenset[int]().union(*edges) == self.top
        return number

    def first_ways(self, v: int) -> int:
        """In how many ways v can be put into the first layer, where only the top may point at it."""
        if not self.above(v, self.bounds.must_cause) <= self.top:
            return 0
        options = {u: [edge for edge in self.options(u, v, self.top) if edge != "<->"] for u in self.top}
        every = [dict(zip(options, edges, strict=True)) for edges in product(*options.values())]
        return sum(self.may_be(v, edges, self.heeded, above=False) for edges in every)

    def inside(self, layer: frozenset[int], placed: frozenset[int]) -> float:
        return math.prod(
            len([o for o in self.options(u, v, placed) if o != "->"]) for u, v in combinations(sorted(layer), 2)
        )

    def ahead(self, placed: frozenset[int], last: frozenset[int], layers: int) -> float:
        if placed == self.every:
            return 1.0
        return sum(
            self.inside(layer, placed)
            * math.prod(self.ways(v, placed, last, layers) for v in layer)
            * self.ahead(placed | layer, layer, layers + 1)
            for layer in subsets(self.every - placed)
        )

    def ways(self, v: int, placed: frozenset[int], last: frozenset[int], layers: int) -> float:
        """In how many ways v can be put below the last layer, at most."""
        if not self.above(v, self.bounds.must_cause) <= placed:
            return 0.0
        options = {u: self.options(u, v, placed) for u in placed}
        possible = {u for u in placed - last - self.top if u in self.above(v) and set(options[u]) - {"<->"}}
        every = [dict(zip(options, edges, strict=True)) for edges in product(*options.values())]
        every = [edges for edges in every if any(edges[u] == "->" for u in last)]
        quiet = [edges for edges in every if not any(edges[u] == "<->" for u in placed - last)]
        loud = len(every) * math.prod(self.least_losses(possible, options, layers - 1)) - len(quiet)
        bound = max(0.0, loud) + sum(self.may_be(v, edges, self.summed, above=False) for edges in quiet)
        most = 0.0
        for own in [frozenset[int](), *subsets(self.aside)]:
            if own <= possible:
                without = [one for one in every if not any(one[u] == "<->" for u in own)]
                number = sum(self.may_be(v, edges, self.heeded) for edges in without)
                losses = self.least_losses(possible - self.aside, options, layers - 1 - len(own), self.lacking)
                most = max(most, number * math.prod(losses))
        return min(bound, most) if self.heeded else bound

    def may_be(self, v: int, edges: dict[int, str], heeded: list[Linked], *, above: bool = True) -> bool:
        """Whether v may have these edges; with a ``<->`` ``above`` another vertex, too, if it has no edge to that."""
        parents, spouses = ({u for u in edges if edges[u] == edge} for edge in ("->", "<->"))
        return all(
            edges[u] or parents & lacking or (above and spouses & self.above(u))
            for u in edges
            for both, lacking in heeded
            if both == {u, v}
        )

    def least_losses(
        self, possible: set[int], options: dict[int, list[str]], number: int, spared: frozenset[int] = frozenset()
    ) -> list[float]:
        """The shares that are left if so many of these vertices, those that lose least, have no ``<->``."""
        shares = [1.0 if u in spared else len(set(options[u]) - {"<->"}) / len(options[u]) for u in possible]
        number = max(0, number)
        return sorted(shares, reverse=True)[:number] if number <= len(shares) else [0.0]


def below(bounds: Bounds, top: int) -> Bounds:
    """What the bounds leave where ``--`` joins the top: no arrowhead there."""
    return replace(
        bounds,
        may_point=tuple(one & ~top for one in bounds.may_point),
        may_cause=tuple(one & ~top for one in bounds.may_cause),
        may_confound=tuple(0 if top >> u & 1 else one & ~top for u, one in enumerate(bounds.may_confound)),
    )


def subsets(vertices: frozenset[int]) -> list[frozenset[int]]:
    """All but the empty one."""
    return [frozenset(one) for size in range(1, len(vertices) + 1) for one in combinations(sorted(vertices), size)]


# -- closer bounds -----------------------------------------------------------------------------------------------------


def agreed_on(problem: Problem) -> Bounds:
    found = AspSearch(problem).consequences(problem.claims)
    return found.narrowed(bounds_of(problem.hard), problem.names)


def test_solutions_are_drawn_alike_from_what_they_agree_on() -> None:
    """With selection and without, within a cost and under claims: every solution is left, and the set is smaller."""
    smaller = 0
    for problem in [*problems("closer", 20), *problems("closer, selection", 8, most=1_000, selection=True)]:
        every, closer = solutions(problem), agreed_on(problem)
        told = Sieve(problem).with_bounds(closer)
        assert set(told.sifted(1, 20 * len(every) + 100).graphs) == set(every), shown(problem)
        smaller += sum(told._job._numbers.values()) < sum(Sieve(problem)._job._numbers.values())
    assert smaller >= 5


def test_bounds_that_are_not_known_are_left_as_they_are() -> None:
    unknown = consequences_of(FIVE, (), complete=False)
    assert unknown.narrowed(bounds_of(FIVE), FIVE.names) == bounds_of(FIVE)
    sieve = Sieve(FIVE)
    assert sieve.with_bounds(bounds_of(FIVE)) is sieve


def test_who_hurries_gives_up_early() -> None:
    """After ``soon``, if nothing is found; who does not goes on until it is as good as certain that nothing will be."""
    none = replace(FIVE, claims=(Claim.parse("A -> B"), Claim.parse("A does not cause B")))
    for hurried in (True, False):
        with Effort(3_000).here() as effort, pytest.raises(OutOfTime):
            Sieve(none).sifted(1, soon=0, hurried=hurried)
        assert (effort.left > 2_500) is hurried
