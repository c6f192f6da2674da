"""Whether knowledge contradicts itself, against every ADMG of three and four variables."""

from __future__ import annotations

import random
from itertools import combinations, permutations

import pytest

from tests.support.slow import slow
from tests.unit.knowledge.test_models import table
from weft.graphs.criteria import Structure
from weft.knowledge import Item, Kind, Knowledge
from weft.knowledge.contradictions import UndecidedError, find_model, never_causes
from weft.knowledge.items import Fact

PLAIN = (
    Kind.CAUSES, Kind.NOT_CAUSES, Kind.DIRECT, Kind.NO_DIRECT, Kind.NOT_ADJACENT, Kind.CONFOUNDED, Kind.NOT_CONFOUNDED,
)  # fmt: skip


def random_facts(chance: random.Random, names: tuple[str, ...], count: int) -> list[Fact]:
    facts = []
    for _ in range(count):
        x, y = chance.sample(names, 2)
        kind = chance.choice((*PLAIN, Kind.ALLOWED, Kind.NOT_ADJACENT, Kind.CONFOUNDED))
        some = chance.sample(list(Structure), chance.choice((1, 2, 2, 3)))
        facts.append(Fact(kind, x, y, frozenset(some) if kind is Kind.ALLOWED else frozenset()))
    return facts


@pytest.mark.parametrize(("size", "runs"), [(2, 300), (3, 800), (4, 250), slow(3, 2500), slow(4, 1000)])
def test_a_model_is_found_exactly_if_there_is_one(size: int, runs: int) -> None:
    chance = random.Random(size)
    brute = table(size)
    answers = set()
    for _ in range(runs):
        facts = random_facts(chance, brute.names, chance.randint(1, 3 * size))
        model = find_model(facts, brute.names)
        assert (model is not None) == brute.possible(facts), facts
        assert model is None or all(fact.holds(model) for fact in facts), (facts, model)
        answers.add(model is None)
    assert answers == {True, False}


def test_all_small_sets_of_facts_over_three_variables() -> None:
    brute = table(3)
    facts = [Fact(kind, x, y) for kind in PLAIN for x, y in permutations(brute.names, 2)]
    for chosen in [*combinations(facts, 2), *random.Random(0).sample(list(combinations(facts, 3)), 2000)]:
        assert (find_model(chosen, brute.names) is not None) == brute.possible(list(chosen)), chosen


def test_who_never_causes_whom_is_sound() -> None:
    chance = random.Random(5)
    brute = table(4)
    for _ in range(300):
        facts = random_facts(chance, brute.names, chance.randint(1, 8))
        never = never_causes(facts, brute.names)
        if never is None:
            assert not brute.possible(facts)
            continue
        assert all(not brute.possible([*facts, Fact(Kind.CAUSES, x, y)]) for x, y in never)


def test_the_named_items_are_a_minimal_contradiction() -> None:
    chance = random.Random(8)
    brute = table(3)
    found = 0
    for _ in range(400):
        facts = random_facts(chance, brute.names, 8)
        items = tuple(dict.fromkeys(Item(f.kind, ((f.x,), (f.y,)), f.allowed) for f in facts))
        core = Knowledge(items).over(brute.names).contradiction()
        assert (core is None) == brute.possible(facts)
        if core is not None:
            found += 1
            parts = [next(iter(item.facts(brute.names))) for item in core]
            assert not brute.possible(parts)
            assert all(brute.possible(parts[:i] + parts[i + 1 :]) for i in range(len(parts)))
    assert found > 50


@pytest.mark.parametrize(
    ("statements", "variables", "core"),
    [
        (["A causes B", "C causes A", "B causes C", "A causes D"], None, 3),
        (["A causes B", "tiers: B < A"], None, 2),
        (["A causes B", "nothing causes B", "A causes nothing"], None, 2),
        (["A causes B", "no causes among C, B, A"], None, 2),
        (["direct edge A -> B", "no direct edge A -> B"], None, 2),
        (["A causes B", "no direct edge A -> B"], None, None),
        (["A causes B", "no direct edge A -> B"], "AB", 2),
        (["A and B are confounded", "A and B are not adjacent"], None, None),
        (["A and B are confounded", "A and B are not adjacent"], "AB", 2),
        (["A and B are confounded", "A and B are not adjacent", "A is a root", "B is a root"], None, 4),
        (["the structure of A and B is ->", "A and B are confounded"], None, 2),
        (["the structure of A and B is -> or <-", "A is a sink", "B is a sink"], None, 3),
        (["A does not cause B", "no direct edge A -> B", "A and B are not adjacent"], None, None),
    ],
)
def test_named_contradictions(statements: list[str], variables: str | None, core: int | None) -> None:
    knowledge = Knowledge.of(*statements)
    found = (knowledge.over(variables) if variables else knowledge).contradiction()
    assert (len(found) if found else None) == core


def test_while_the_variables_are_not_known_others_may_exist() -> None:
    """A contradiction of two or three variables is none if a model with one or two more has all the items."""
    chance = random.Random(2)
    brute = table(4)
    found = 0
    for _ in range(60):
        facts = random_facts(chance, brute.names[: chance.choice((2, 3))], chance.randint(1, 6))
        items = tuple(dict.fromkeys(Item(f.kind, ((f.x,), (f.y,)), f.allowed) for f in facts))
        if Knowledge(items).contradiction() is not None:
            found += 1
            assert not brute.possible(facts), facts
        elif len(facts) == 1:
            assert brute.possible(facts)
    assert 10 < found < 60


def test_no_allowed_structure_is_a_contradiction() -> None:
    knowledge = Knowledge.of("A causes B", allowed={("A", "C"): []})
    found = knowledge.contradiction()
    assert found is not None
    assert [item.kind for item in found] == [Kind.ALLOWED]


def test_many_variables() -> None:
    names = [f"V{i}" for i in range(40)]
    tiers = [names[i : i + 10] for i in range(0, 40, 10)]
    causes = list(zip(names[:-1:7], names[1::7], strict=True))
    apart = [(names[0], names[30]), (names[1], names[2])]
    knowledge = Knowledge.of(tiers=tiers, causes=[*causes, (names[0], names[30])], not_adjacent=apart).over(names)
    assert knowledge.contradiction() is None
    wrong = knowledge + Knowledge.of(causes=[(names[31], names[3])])
    found = wrong.contradiction()
    assert found is not None
    assert {item.kind for item in found} == {Kind.TIERS, Kind.CAUSES}
    nowhere = knowledge + Knowledge.of(no_direct_edges=[(names[0], name) for name in names[1:]])
    assert nowhere.contradiction() is not None


def test_a_search_that_takes_too_long_says_so() -> None:
    facts = [Fact(Kind.CAUSES, "A", "B"), Fact(Kind.NOT_ADJACENT, "A", "B")]
    with pytest.raises(UndecidedError):
        find_model(facts, "ABC", steps=1)
