"""What each item means, by its definition over latent-variable models and over all MAGs; how items are written.

Covers ``knowledge.py`` and ``items.py``.
"""

from __future__ import annotations

import random
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.graphs import all_mags, letters
from tests.support.slow import slow
from tests.unit.knowledge.test_models import shapes, table
from weft.errors import WeftError
from weft.evidence.claims import Claim
from weft.evidence.statements import Evidence, Scope
from weft.graphs.ancestral import latent_projection, mag_of
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.knowledge import Item, Kind, Knowledge, KnowledgeError
from weft.knowledge.items import parse_item
from weft.reading.names import quote
from weft.search.problem import Problem, is_solution
from weft.solutions.solution_set import solve


def by_definition(knowledge: Knowledge, size: int) -> set[MixedGraph]:
    """The MAGs of which some latent-variable model has every item."""
    return table(size).mags_with(fact for item in knowledge.items for fact in item.facts(letters(size)))


def problem_of(knowledge: Knowledge, size: int) -> Problem:
    names = letters(size)
    relations = knowledge.over(names).relations
    return Problem.of(Evidence((Scope("s", names),), relations)).with_claims(knowledge.over(names).claims)


def by_constraints(knowledge: Knowledge, size: int) -> set[MixedGraph]:
    """The MAGs that meet the constraints."""
    problem = problem_of(knowledge, size)
    return {mag for mag in all_mags(size) if is_solution(problem, mag)}


# -- meaning over latent-variable models -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "holds_in", "fails_in"),
    [
        ("A causes B", "A -> C; C -> B", "A <-> B; C"),
        ("A does not cause B", "B -> A; A <-> B; C", "A -> C; C -> B"),
        ("direct edge A -> B", "A -> B; A <-> B; C", "A -> C; C -> B"),
        ("no direct edge A -> B", "A -> C; A <-> C; C -> B; C <-> B", "A -> B; C"),
        ("A and B are not adjacent", "A -> C; C -> B", "A -> C; A <-> C; C -> B; C <-> B"),
        ("A and B are confounded", "C -> A; C -> B", "A -> B; A <-> C"),
        ("A and B are not confounded", "A -> B; B -> C; A <-> C", "A <-> C; C -> B"),
        ("the structure of A and B is -> & <->", "A -> B; C -> A; C -> B", "A -> B; C"),
        ("tiers: A < B, C", "A -> B; B -> C", "B -> C; C -> A"),
        ("no causes among A, B", "A <-> B; C", "A -> C; C -> B"),
        ("nothing causes A", "A <-> B; A -> C", "C -> B; B -> A"),
        ("A causes nothing", "C -> B; B -> A", "A <-> B; A -> C"),
    ],
)
def test_each_item_by_example(text: str, holds_in: str, fails_in: str) -> None:
    item = parse_item(text)
    assert item.holds(MixedGraph.parse(holds_in))
    assert not item.holds(MixedGraph.parse(fails_in))


@pytest.mark.parametrize("size", [3, 4])
def test_items_of_a_pair_against_the_marginal_graph(size: int) -> None:
    """Hiding all other variables leaves a graph of two, on which causes and common causes are plain edges."""
    for number, model in enumerate(shapes(size)):
        pairs = list(permutations(letters(size), 2))
        x, y = pairs[number % len(pairs)]
        edge = latent_projection(model, [x, y]).edge(x, y) or "none"
        for kind, expected in (
            (Kind.CAUSES, edge.startswith("->")),
            (Kind.NOT_CAUSES, not edge.startswith("->")),
            (Kind.CONFOUNDED, edge.endswith("<->")),
            (Kind.NOT_CONFOUNDED, not edge.endswith("<->")),
            (Kind.DIRECT, (model.edge(x, y) or "").startswith("->")),
            (Kind.NO_DIRECT, not (model.edge(x, y) or "").startswith("->")),
            (Kind.NOT_ADJACENT, mag_of(model).edge(x, y) is None),
        ):
            assert Item.of_pair(kind, x, y).holds(model) == expected
        for structure in Structure:
            assert Item.of_pair(Kind.ALLOWED, x, y, [structure]).holds(model) == (edge == structure)


# -- meaning over MAGs -----------------------------------------------------------------------------------------------

SINGLE = [
    "A causes B",
    "A does not cause B",
    "direct edge A -> B",
    "A and B are not adjacent",
    "A and B are confounded",
    "A and B are not confounded",
    "tiers: B < A, C",
    "tiers: C < B < A",
    "no causes among A, B, C",
    "nothing causes A",
    "B causes nothing",
    "the structure of A and B is -> or <-",
    "the structure of A and B is -> or <->",
    "the structure of A and B is none or -> or -> & <->",
    "the structure of A and B is <- & <->",
]


@pytest.mark.parametrize("text", SINGLE)
@pytest.mark.parametrize("size", [3, 4])
def test_each_item_is_expressed_exactly(text: str, size: int) -> None:
    knowledge = Knowledge.of(text)
    expected = by_definition(knowledge, size)
    assert by_constraints(knowledge, size) == expected
    assert 0 < len(expected) < len(all_mags(size)) or "confounded" in text


def random_knowledge(chance: random.Random, names: tuple[str, ...], count: int, kinds: list[Kind]) -> Knowledge:
    items = []
    for _ in range(count):
        kind = chance.choice(kinds)
        order = chance.sample(names, len(names))
        if kind is Kind.TIERS:
            items.append(Item(kind, ((order[0],), tuple(order[1:]))))
        elif kind is Kind.APART:
            items.append(Item(kind, (tuple(order[:2]),)))
        elif kind in (Kind.ROOT, Kind.SINK):
            items.append(Item(kind, ((order[0],),)))
        else:
            some = chance.sample(list(Structure), chance.randint(1, 4)) if kind is Kind.ALLOWED else ()
            items.append(Item.of_pair(kind, order[0], order[1], some))
    return Knowledge(tuple(dict.fromkeys(items)))


@pytest.mark.parametrize(("size", "runs"), [(3, 100), (4, 6), slow(3, 300), slow(4, 12)])
def test_items_together_are_expressed_exactly(size: int, runs: int) -> None:
    """One and the same latent-variable model must have them all."""
    chance = random.Random(size)
    kinds: list[Kind] = [kind for kind in Kind if kind is not Kind.NO_DIRECT]
    solvable = 0
    for _ in range(runs):
        knowledge = random_knowledge(chance, letters(size), chance.randint(2, 6), kinds)
        expected = by_definition(knowledge, size)
        assert by_constraints(knowledge, size) == expected, [str(item) for item in knowledge.items]
        assert (knowledge.over(letters(size)).contradiction() is None) == bool(expected)
        solvable += bool(expected)
    assert 0 < solvable < runs


def test_no_direct_edge_is_expressed_exactly_or_refused() -> None:
    chance = random.Random(1)
    kinds = [Kind.NO_DIRECT, Kind.NO_DIRECT, Kind.NO_DIRECT, *Kind]
    refused = exact = 0
    for _ in range(400):
        knowledge = random_knowledge(chance, letters(3), chance.randint(1, 6), kinds)
        try:
            knowledge.over("ABC").constraints  # noqa: B018
        except KnowledgeError:
            refused += 1
            continue
        if any(item.kind is Kind.NO_DIRECT for item in knowledge.items):
            exact += 1
            assert by_constraints(knowledge, 3) == by_definition(knowledge, 3), [str(i) for i in knowledge.items]
    assert refused > 50
    assert exact > 50


def test_why_no_direct_edge_cannot_always_be_imposed() -> None:
    """Neither nothing nor "no such edge in the MAG" is what it says."""
    fitting = by_definition(Knowledge.of("no direct edge A -> B"), 3)
    with_edge = {mag for mag in all_mags(3) if mag.edge("A", "B") == "->"}
    assert MixedGraph.parse("A -> C; C -> B; A -> B") in fitting & with_edge
    assert MixedGraph.parse("A -> B; C") in with_edge - fitting
    with pytest.raises(KnowledgeError, match=r"^'no direct edge A -> B' cannot be imposed exactly: A may cause B"):
        Knowledge.of("no direct edge A -> B").over("ABC").claims  # noqa: B018


def test_a_black_list_that_leaves_no_way_is_imposed() -> None:
    knowledge = Knowledge.of(no_direct_edges=[(x, y) for x in "CD" for y in "AB"]).over("ABCD")
    assert set(map(str, knowledge.claims)) == {f"{x} does not cause {y}" for x in "CD" for y in "AB"}
    beside = Knowledge.of("no direct edge A -> B", "A and B are not adjacent").over("ABC")
    assert list(map(str, beside.claims)) == ["A and B are not adjacent"]


def test_forbidding_a_cause_invents_nothing() -> None:
    """Every MAG in which A does not cause B is still there, with whatever edge between them allows it, or none."""
    left = by_constraints(Knowledge.of("A does not cause B"), 3)
    assert {mag.edge("A", "B") for mag in left} == {None, "<-", "<->"}
    assert left == {mag for mag in all_mags(3) if not Item.of_pair(Kind.CAUSES, "A", "B").holds(mag)}


def test_the_solver_takes_the_constraints() -> None:
    knowledge = Knowledge.of("tiers: A < B < C", "A and B are not adjacent", "the structure of B and C is -> or <->")
    expected = by_definition(knowledge, 3)
    bound = knowledge.over("ABC")
    evidence = Evidence((Scope("s", letters(3)),), bound.relations)
    assert set(solve(evidence).assume(*bound.claims)) == expected
    assert len(bound.relations) == 1
    assert bound.relations[0].weight is None


# -- the value -------------------------------------------------------------------------------------------------------


def test_structures_become_claims_where_they_can() -> None:
    def said(*allowed: str) -> tuple[list[str], int]:
        knowledge = Knowledge.of(allowed={("X", "Y"): allowed}).over("XY")
        return sorted(map(str, knowledge.claims)), len(knowledge.relations)

    assert said("->", "-> & <->") == (["X causes Y"], 0)
    assert said("->") == (["X and Y are not confounded", "X causes Y"], 0)
    assert said("none") == (["X and Y are not confounded", "X does not cause Y", "Y does not cause X"], 0)
    assert said("->", "<->") == ([], 1)
    assert said(*Structure) == ([], 0)


def test_a_relation_reads_from_the_first_of_the_pair_and_knows_its_source() -> None:
    (relation,) = Knowledge.of(allowed=[{"pair": ["Y", "X"], "structures": ["->", "<->"]}]).over("XY").relations
    assert relation.allowed == {Structure.CAUSED, Structure.COMMON}
    assert relation.provenance.source == "allowed[0]"


def test_constraints_know_their_items() -> None:
    knowledge = Knowledge.of("tiers: A < B", "B does not cause A").over("AB")
    (constraint,) = knowledge.constraints
    assert constraint.says == Claim.parse("B does not cause A")
    assert constraint.item.kind is Kind.TIERS


def test_roots_and_sinks_need_the_variables() -> None:
    knowledge = Knowledge.of("nothing causes A", "B causes nothing")
    with pytest.raises(KnowledgeError, match=r"'nothing causes A'.*: .*use knowledge.over"):
        knowledge.claims  # noqa: B018
    assert set(map(str, knowledge.over("ABC").claims)) == {
        "B does not cause A", "C does not cause A", "B does not cause C",
    }  # fmt: skip


def test_unknown_names_are_reported_with_a_suggestion() -> None:
    knowledge = Knowledge.of("Smoking causes cancr", "randomised in trial: dosis")
    lines = knowledge.check(["smoking", "cancer", "dose"])
    assert len(lines) == 3
    assert lines[0].endswith("there is no variable 'Smoking'; did you mean 'smoking'?")
    assert lines[1].endswith("there is no variable 'cancr'; did you mean 'cancer'?")
    assert all("\n" not in line for line in lines)
    with pytest.raises(KnowledgeError, match=r"'Smoking'.*\(2 other names are unknown, too\)$"):
        knowledge.over(["smoking", "cancer", "dose"])
    assert Knowledge.of("X causes Y").check(["X", "Y", "Z"]) == ()
    assert "there are 'a', 'b'" in Knowledge.of("QQQ causes a").check(["a", "b"])[0]


def test_knowledge_adds_up() -> None:
    both = Knowledge.of("X causes Y", "randomised in t: X") + Knowledge.of("X causes Y", "randomised in t: Z")
    assert len(both.items) == 1
    assert both.interventions == {"t": frozenset("XZ")}
    assert hash(both) == hash(Knowledge.of("X causes Y", "randomised in t: X, Z"))


# -- words -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("no direct edge X Y", "no direct edge X -> Y"),
        ("direct edge X Y", "direct edge X -> Y"),
        ("not adjacent X Y", "X and Y are not adjacent"),
        ("X is a root", "nothing causes X"),
        ("X is a sink", "X causes nothing"),
        ("tiers: A,B<C", "tiers: A, B < C"),
        ('  "X"   causes "Y" ', "X causes Y"),
        ("the structure of X and Y is -> & <-> or none", "the structure of X and Y is none or -> & <->"),
    ],
)
def test_other_ways_to_write_the_same(text: str, same: str) -> None:
    assert str(parse_item(text)) == same
    assert parse_item(text) == parse_item(same)


NAMES = st.one_of(
    st.sampled_from(
        ["nothing", "causes", "a b", 'say "x"', "a,b", "a < b", "<", "->", ":", "a:", "\\", "é", "名", "\n"]
    ),
    st.text(min_size=1, max_size=8),
)


@given(
    st.sampled_from(list(Kind)),
    st.lists(NAMES, min_size=3, max_size=3, unique=True),
    st.sets(st.sampled_from(Structure), min_size=1),
)
def test_what_is_written_is_read_back(kind: Kind, names: list[str], allowed: set[Structure]) -> None:
    a, b, c = names
    groups = {
        Kind.TIERS: ((a, b), (c,)), Kind.APART: ((a, b, c),), Kind.ROOT: ((a,),), Kind.SINK: ((a,),),
    }.get(kind, ((a,), (b,)))  # fmt: skip
    item = Item(kind, groups, frozenset(allowed) if kind is Kind.ALLOWED else frozenset())
    assert parse_item(str(item)) == item
    knowledge = Knowledge((item,)) + Knowledge.of(f"randomised in {quote(c)}: {quote(a)}, {quote(b)}")
    assert knowledge.interventions == {c: frozenset({a, b})}
    assert Knowledge.of(**knowledge.to_document()) == knowledge


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("X -> Y", "may mean two things; write 'X causes Y' or 'direct edge X -> Y'"),
        ("X causes X", "'X' appears twice; name two different variables"),
        ("X makes Y", "is not something weft can read; write for example 'X causes Y'"),
        ("tiers: A, B < B", "'B' appears twice; keep one"),
        ("tiers: A B < C", "expected a name, found 'A B'"),
        ("tiers:", "expected a name, found ''"),
        ("tiers: A < < B", "expected a name, found ''"),
        ('"X causes Y', "the quote at character 1 is never closed"),
        ('"" causes Y', "a name is empty"),
        ("the structure of X and Y is =>", "'=>' is not a structure of a pair; there are"),
        ("no causes among", "expected a name"),
        ("", "is not something weft can read"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_line(text: str, message: str) -> None:
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.of(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
    assert isinstance(caught.value, WeftError)


def test_every_pair_of_kinds_is_told_apart() -> None:
    items = [Item.of_pair(kind, x, y) for kind in Kind if kind.is_of_pair for x, y in permutations("XY")]
    assert len({str(item) for item in items}) == len(items)


def test_several_unknown_names_are_counted_once() -> None:
    knowledge = Knowledge.of("a causes b", "b causes X", "X does not cause c")
    with pytest.raises(KnowledgeError, match=r"no variable 'a'; .*\(2 other names are unknown, too\)$"):
        knowledge.over(["X", "Y"])
    with pytest.raises(KnowledgeError, match=r"\(1 other name is unknown, too\)$"):
        knowledge.over(["X", "a"])
