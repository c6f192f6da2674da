"""Knowledge that has a weight: how it is written, what it means, and that it binds nothing.

Covers the weights of ``items.py`` and ``knowledge.py``.
"""

from __future__ import annotations

import json
from dataclasses import replace
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.graphs import all_admgs, all_mags, letters, subsets
from weft.evidence.statements import Connected, Evidence, Provenance, Relation, Scope, Separated
from weft.graphs.criteria import Structure, structure_of
from weft.knowledge import Item, Kind, Knowledge, KnowledgeError, undisturbed
from weft.knowledge.items import parse_item
from weft.reading.names import quote

SOFT = [kind for kind in Kind if kind.may_have_weight]
HARD = [kind for kind in Kind if not kind.may_have_weight]


def item_of(kind: Kind, weight: float | None = None) -> Item:
    if kind is Kind.TIERS:
        return Item(kind, (("A",), ("B",)), weight=weight)
    if not kind.is_of_pair:
        return Item(kind, (("A", "B") if kind is Kind.APART else ("A",),), weight=weight)
    return Item.of_pair(kind, "A", "B", ["->", "<->"] if kind is Kind.ALLOWED else (), weight=weight)


def soft_items(weight: float = 2.5) -> list[Item]:
    """Every item with a weight about a pair of three variables."""
    allowed = [Item.of_pair(Kind.ALLOWED, x, y, some, weight=weight)
               for x, y in permutations("ABC", 2) for some in subsets(list(Structure)) if some]  # fmt: skip
    kinds = [kind for kind in SOFT if kind is not Kind.ALLOWED]
    return allowed + [Item.of_pair(kind, x, y, weight=weight) for kind in kinds for x, y in permutations("ABC", 2)]


# -- what it means ---------------------------------------------------------------------------------------------------


def test_which_kinds_can_have_a_weight() -> None:
    assert SOFT == [Kind.CAUSES, Kind.NOT_CAUSES, Kind.CONFOUNDED, Kind.NOT_CONFOUNDED, Kind.ALLOWED]


def test_a_soft_relation_is_exactly_the_item_over_all_graphs_of_three_variables() -> None:
    models = (*all_admgs(3), *all_mags(3))
    structures = {(x, y): [structure_of(model, x, y) for model in models] for x, y in permutations("ABC", 2)}
    for item in soft_items():
        (relation,) = Knowledge((item,)).soft_relations
        found = structures[relation.x, relation.y]
        holds = [item.holds(model) for model in models]
        assert [one in relation.allowed for one in found] == holds, str(item)
        assert {one for one, held in zip(found, holds, strict=True) if held} == relation.allowed


def test_the_weight_and_the_source_go_with_it() -> None:
    (relation,) = Knowledge.of("Y causes X (weight 2.5)").soft_relations
    source = Provenance("'Y causes X (weight 2.5)'")
    assert relation == Relation("X", "Y", frozenset({Structure("<-"), Structure("<- & <->")}), 2.5, source)
    (relation,) = Knowledge((item_of(Kind.CAUSES, 2),)).soft_relations
    assert (relation.weight, relation.provenance) == (2.0, Provenance("knowledge"))


def test_what_is_said_twice_counts_once_at_the_greater_weight() -> None:
    """Else 2 and 2 would count for less than 2 and 2.1."""
    for first, second in ((2, 3), (3, 2), (3, 3)):
        knowledge = Knowledge.of(
            f"X and Y are confounded (weight {first})", f"Y and X are confounded (weight {second})"
        )
        assert len(knowledge.items) == 2
        assert [relation.weight for relation in knowledge.soft_relations] == [3]
    same = Knowledge.of("X causes Y (weight 2)", "the structure of X and Y is -> or -> & <-> (weight 1)")
    assert [relation.weight for relation in same.soft_relations] == [2]
    other = Knowledge.of("X causes Y (weight 2)", "X does not cause Y (weight 3)", "Y causes X (weight 2)")
    assert [relation.weight for relation in other.soft_relations] == [2, 3, 2]


def test_all_soft_relations_together_make_evidence() -> None:
    knowledge = Knowledge(tuple(soft_items()))
    relations = knowledge.over("ABC").soft_relations
    assert set(Evidence((Scope("s", letters(3)),), relations).relations) == set(relations)
    assert {(one.x, one.y, one.allowed) for one in relations} == {
        (x, y, frozenset(some)) for x, y in ("AB", "AC", "BC") for some in subsets(list(Structure)) if some
    }


# -- it binds nothing ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("variables", [None, "ABC"])
def test_what_has_a_weight_takes_no_part_in_what_is_hard(variables: str | None) -> None:
    hard = Knowledge.of("tiers: A < B", "the structure of A and B is none or -> & <->")
    if variables:
        hard = hard.over(variables)
    both = hard + Knowledge(tuple(soft_items()))
    assert both.variables == hard.variables
    assert (both.claims, both.relations, both.constraints) == (hard.claims, hard.relations, hard.constraints)
    assert both.never_causes == hard.never_causes
    assert both.contradiction() is None
    assert hard.soft_relations == ()
    assert len(hard.relations) == 1


def test_soft_items_contradict_nobody_and_are_in_no_contradiction() -> None:
    against = Knowledge.of("X causes Y (weight 1)", "X does not cause Y (weight 1)", "Y causes X")
    assert against.over("XY").contradiction() is None
    wrong = against + Knowledge.of("X causes Y")
    assert wrong.contradiction() == (parse_item("Y causes X"), parse_item("X causes Y"))


def test_a_soft_item_does_not_speak_for_an_experiment() -> None:
    """Only what is certain may keep a separation that an experiment found."""
    evidence = Evidence((Scope("s", ("A", "B", "X")),), (Separated("A", "B", frozenset(), ("s",)),))
    said = ["X does not cause A", "X does not cause B"]
    hard = Knowledge.of("randomised in s: X", *said)
    soft = Knowledge.of("randomised in s: X", *(f"{text} (weight 9)" for text in said))
    assert undisturbed(evidence, hard).evidence == evidence
    assert undisturbed(evidence, soft).evidence.statements == ()


def test_its_names_are_checked() -> None:
    knowledge = Knowledge.of("smokng causes cancer (weight 2)")
    assert knowledge.names == ("cancer", "smokng")
    with pytest.raises(KnowledgeError, match="there is no variable 'smokng'; did you mean 'smoking'"):
        knowledge.over(["smoking", "cancer"])


# -- how it is written -----------------------------------------------------------------------------------------------

NASTY = [
    "(weight",
    "2.5)",
    "Y (weight 2.5)",
    "(weight 2.5)",
    "weight",
    "(",
    ")",
    "a b",
    'say "x"',
    "名",
    "\r",
    "\\",
    "or",
]


@given(
    st.sampled_from(SOFT),
    st.lists(st.one_of(st.sampled_from(NASTY), st.text(min_size=1, max_size=6)), min_size=2, max_size=2, unique=True),
    st.sets(st.sampled_from(Structure), min_size=1),
    st.none() | st.floats(min_value=0, exclude_min=True, allow_infinity=False),
)
def test_what_is_written_is_read_back(
    kind: Kind, names: list[str], allowed: set[Structure], weight: float | None
) -> None:
    x, y = names
    item = Item.of_pair(kind, x, y, sorted(allowed) if kind is Kind.ALLOWED else (), weight=weight)
    assert parse_item(str(item)) == item
    knowledge = Knowledge((item, Item.of_pair(Kind.DIRECT, x, y)))
    assert Knowledge.of(**json.loads(json.dumps(knowledge.to_document()))) == knowledge
    assert Knowledge.of(str(item), str(knowledge.items[1])) == knowledge


@pytest.mark.parametrize(
    ("text", "same"),
    [
        ("X causes Y (weight 2.50)", "X causes Y (weight 2.5)"),
        ("X causes Y ( weight 2e0 )", "X causes Y (weight 2)"),
        ('X causes "Y"(weight .5)', "X causes Y (weight 0.5)"),
        ('X causes "Y (weight 2)"', 'X causes "Y (weight 2)"'),
        ('X causes "Y (weight 2)" (weight 3)', 'X causes "Y (weight 2)" (weight 3)'),
        ('direct edge "(weight" "2.5)"', 'direct edge "(weight" -> "2.5)"'),
        ("(weight causes 2.5)", '"(weight" causes "2.5)"'),
        ("weight causes height (weight 1)", "weight causes height (weight 1)"),
        ("the structure of X and Y is none or -> (weight 1)", "the structure of X and Y is none or -> (weight 1)"),
    ],
)
def test_ways_to_write_it(text: str, same: str) -> None:
    assert str(parse_item(text)) == same
    assert parse_item(same) == parse_item(text)


def test_the_weight_counts_when_items_are_compared() -> None:
    plain = parse_item("X causes Y")
    assert len({plain, replace(plain, weight=1), replace(plain, weight=1.0), replace(plain, weight=2)}) == 3
    both = Knowledge.of("X causes Y", "X causes Y (weight 2)") + Knowledge.of("X causes Y (weight 2.0)")
    assert [str(item) for item in both.items] == ["X causes Y", "X causes Y (weight 2)"]
    assert both == Knowledge.of("X causes Y (weight 2)", "X causes Y")
    assert hash(both) == hash(Knowledge.of("X causes Y (weight 2)", "X causes Y"))
    assert both != Knowledge.of("X causes Y")
    assert both != "X causes Y"


def test_files_and_python_say_the_same(tmp_path: Path) -> None:
    toml = tmp_path / "k.toml"
    toml.write_text('[[weighted]]\nstatement = "X causes Y"\nweight = 2.5\n\n[[weighted]]\n'
                    "statement = '\"a b\" and Y are not confounded'\nweight = 3\n", encoding="utf-8")  # fmt: skip
    read = Knowledge.read(toml)
    assert [str(item) for item in read.items] == [
        "X causes Y (weight 2.5)", '"a b" and Y are not confounded (weight 3)',
    ]  # fmt: skip
    assert read.items[1].origin == f"{toml}: weighted[1]"
    assert read.soft_relations[1].provenance.source == f"{toml}: weighted[1]"
    (tmp_path / "k.json").write_text(json.dumps(read.to_document()), encoding="utf-8")
    assert Knowledge.read(tmp_path / "k.json") == read
    assert Knowledge.of(weighted={"X causes Y": 2.5, '"a b" and Y are not confounded': 3}) == read
    assert Knowledge.of(*read.items) == Knowledge.of(*map(str, read.items)) == read


# -- mistakes --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("kind", HARD)
def test_other_kinds_cannot_have_a_weight(kind: Kind) -> None:
    sentence = str(item_of(kind))
    for make in (
        lambda: item_of(kind, 2),
        lambda: parse_item(f"{sentence} (weight 2)"),
        lambda: Knowledge.of(weighted=[{"statement": sentence, "weight": 2}]),
        lambda: replace(item_of(kind), weight=2),
    ):
        with pytest.raises(KnowledgeError) as caught:
            make()
        said = str(caught.value).removeprefix("weighted[0].statement: ")
        assert said.startswith(f"'{sentence}' cannot have a weight; these can: 'X causes Y', 'X does not cause Y',")
        assert "\n" not in said


@pytest.mark.parametrize("text", ["0", "-1", "nan", "inf", "1e999", "1e-999", "1_0", "2.5x", "٣", "two"])
def test_what_is_not_a_weight(text: str) -> None:
    with pytest.raises(KnowledgeError, match="is not a weight; give a positive finite number"):
        parse_item(f"X causes Y (weight {text})")


@pytest.mark.parametrize("value", [0, -1.5, float("nan"), float("inf"), True, "2", [], 10**400, 1j])
def test_values_that_are_no_weight(value: object) -> None:
    for make in (
        lambda: Item.of_pair(Kind.CAUSES, "X", "Y", weight=value),  # type: ignore[arg-type]
        lambda: Knowledge.of(weighted={"X causes Y": value}),
    ):
        with pytest.raises(KnowledgeError, match="is not a weight; give a positive finite number"):
            make()


def test_a_number_that_python_does_not_write_is_no_weight() -> None:
    with pytest.raises(KnowledgeError, match=r"^this number is not a weight"):
        Item.of_pair(Kind.CAUSES, "X", "Y", weight=10**5000)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('weighted = "X causes Y"', "weighted: expected a list [...], found 'X causes Y'"),
        ('weighted = [{statement = "X causes Y"}]', "weighted[0]: expected a table with 'statement' and 'weight'"),
        ('weighted = [{statement = "X causes Y", weight = nan}]', "weighted[0].weight: nan is not a weight"),
        ('weighted = [{statement = "X causes Y", weight = "2"}]', "weighted[0].weight: '2' is not a weight"),
        ('weighted = [{statement = "X, Y", weight = 2}]', "weighted[0].statement: 'X, Y' is not something weft can"),
        ("weighted = [{statement = 3, weight = 2}]", "weighted[0].statement: expected a sentence such as"),
        (
            'weighted = [{statement = "X causes Y (weight 1)", weight = 2}]',
            "weighted[0].statement: 'X causes Y (weight 1)' has a weight already",
        ),
        (
            'weighted = [{statement = "randomised in t: X", weight = 2}]',
            "weighted[0].statement: 'randomised in ...' cannot have a weight",
        ),
        ('statements = ["randomised in t: X (weight 2)"]', "statements[0]: 'randomised in ...' cannot have a weight"),
        ('statements = ["X causes Y (weight 2,5)"]', "statements[0]: 'X causes Y (weight 2,5)' is not something"),
    ],
)
def test_mistakes_in_files(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "k.toml"
    path.write_text(content, encoding="utf-8")
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_a_weight_in_the_wrong_place_is_explained() -> None:
    for text in (
        "X (weight 2) causes Y",
        "X causes Y (weight)",
        "X causes Y (weight 1) (weight 2)",
        "X causes (weight 2)",
    ):
        with pytest.raises(KnowledgeError, match="is not something weft can read"):
            parse_item(text)
    with pytest.raises(KnowledgeError, match=r"a weight comes last, as in 'X causes Y \(weight 2.5\)'$"):
        parse_item("X (weight 2) causes Y")
    with pytest.raises(KnowledgeError, match="nothing is allowed; give at least one structure"):
        Item.of_pair(Kind.ALLOWED, "X", "Y", [], weight=2)


# -- names -----------------------------------------------------------------------------------------------------------

ODD = {
    "blanks": (" ", "  "),
    "line ends": ("a\rb", "a\u2028b"),
    "control": ("\0", "\x1b[31m"),
    "direction": ("\u202eabc", "a\u200db"),
    "surrogates": ("\ud800", "\udfff x"),
    "markup": ("<script>alert(1)</script>", "</script>"),
    "quotes": ('"', "'\"\\"),
    "long": ("x" * 10_000, "x" * 9_999 + "y"),
    "long, no letter twice": ("".join(map(chr, range(0x4E00, 0x4E00 + 10_000))), "y"),
}


@pytest.mark.parametrize("case", ODD)
def test_odd_names(case: str) -> None:
    x, y = ODD[case]
    items = [Item.of_pair(kind, x, y) for kind in Kind if kind.is_of_pair] + [item_of(Kind.CAUSES, 0.1 + 0.2)]
    knowledge = Knowledge(tuple(items)) + Knowledge.of(f"randomised in {quote(y)}: {quote(x)}")
    assert knowledge.interventions == {y: frozenset({x})}
    assert Knowledge.of(**json.loads(json.dumps(knowledge.to_document()))) == knowledge
    for item in items:
        assert str(item).isprintable()
        assert item.kind is Kind.ALLOWED or parse_item(str(item)) == item
    evidence = Evidence((Scope(y, (x, y, "X")),), (Connected(y, x, "X"), Separated("X", y, frozenset(), (y,))))
    found = undisturbed(evidence, knowledge)
    assert [relation.allowed for relation in found.evidence.relations] != []
    assert len(found.changes) == 2
    said = [change.reason for change in found.changes]
    said += [relation.provenance.source or "" for relation in found.evidence.relations] if len(x) < 1000 else []
    said += knowledge.check(["X", f"{x}z", f"{y}z"])
    hard = Knowledge((Item.of_pair(Kind.NO_DIRECT, x, y),)).over([x, y, "X"])
    unknown = Knowledge.of(f"randomised in {quote(x)}: {quote(x)}")
    for wrong in (
        lambda: knowledge.over(["X"]),
        lambda: hard.claims,
        lambda: Item.of_pair(Kind.CAUSES, x, x),
        lambda: parse_item(f"{quote(x)} -> {quote(y)}"),
        lambda: parse_item(f"{quote(x)} {quote(y)}"),
        lambda: parse_item(f"tiers: {quote(x)} {quote(y)}"),
        lambda: undisturbed(evidence, unknown),
        lambda: undisturbed(evidence, knowledge, {x: []}),
        lambda: undisturbed(evidence, knowledge, {y: [(x, "Q")]}),
        lambda: undisturbed(evidence, knowledge, {y: [(x, x)]}),
        lambda: Knowledge.of(randomised={x: []}),
        lambda: Knowledge.of(**{x: []}),
    ):
        with pytest.raises(KnowledgeError) as caught:
            wrong()
        said.append(str(caught.value))
    assert all(line.isprintable() for line in said)
    assert max(map(len, said)) < 2_500


def test_escapes_in_quoted_names() -> None:
    assert parse_item(r'"a\u2028b" causes "\U0001f600\n\"\\u"').names == ("a\u2028b", '\U0001f600\n"\\u')
    assert parse_item(r'"\Uffffffff" causes "\u12"').names == ("Uffffffff", "u12")


def test_names_that_look_the_same() -> None:
    (line,) = Knowledge.of("Jos\u00e9 causes Y").check(["Jose\u0301", "Y"])
    assert line.endswith(r"did you mean 'Jose\u0301'? It looks the same and is coded otherwise")
    (line,) = Knowledge.of("jos\u00e9 causes Y").check(["Jose\u0301", "Y"])
    assert line.endswith("did you mean 'Jose\u0301'?")


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda: Item(Kind.CAUSES, (("X",),)), "'causes' speaks of two variables; use Item.of_pair"),
        (lambda: Item(Kind.CAUSES, (("X", "Y"), ("Z",))), "'causes' speaks of two variables; use Item.of_pair"),
        (lambda: Item(Kind.ROOT, (("X", "Y"),)), "'root' speaks of one variable, not 2; make an item of each"),
        (lambda: Knowledge.of(causes=[{"X", 3}]), "causes[0][0]: expected a name in quotes, found 3"),
        (lambda: Knowledge.of('randomised in "": X'), "a name is empty; give the name of a study"),
        (lambda: Knowledge.of('randomised in t: ""'), "a name is empty; give the name of a variable"),
        (lambda: Knowledge.of(randomised={"": ["X"]}), 'randomised."": a name is empty; give the name of a study'),
    ],
)
def test_values_that_are_not_items(wrong: object, message: str) -> None:
    assert callable(wrong)
    with pytest.raises(KnowledgeError) as caught:
        wrong()
    assert str(caught.value).startswith(message)
