"""Knowledge in files: TOML, JSON, Tetrad's and bnlearn's; and every mistake in one line."""

from __future__ import annotations

import json
import re
import tomllib
from pathlib import Path

import pytest

from weft.knowledge import Item, Kind, Knowledge, KnowledgeError
from weft.knowledge.knowledge import parse

TOML = """
statements = ["smoking causes cancer", '"blood pressure" does not cause "âge d\\"or"', "randomised in trial: income"]
tiers = [["age", "sex"], [], ["smoking"], ["cancer"]]
causes_within_tiers = false
no_causes_among = [["age", "income"]]
roots = ["age"]
sinks = ["cancer"]
causes = [["smoking", "cancer"], ["age", "income"]]
not_causes = [["a", "b"]]
direct_edges = [["c", "d"]]
no_direct_edges = [["d", "c"]]
not_adjacent = [["e", "f"]]
confounded = [["g", "h"]]
not_confounded = [["<script>", "h"]]

[[allowed]]
pair = ["smoking", "income"]
structures = ["none", "<->"]

[randomised]
trial = ["dose"]
"lab 2" = ["a", "b"]
"""
SAID = [
    "smoking causes cancer",
    '"blood pressure" does not cause "âge d\\"or"',
    "tiers: age, sex < smoking < cancer",
    "no causes among age, sex",
    "no causes among age, income",
    "nothing causes age",
    "cancer causes nothing",
    "age causes income",
    "a does not cause b",
    "direct edge c -> d",
    "no direct edge d -> c",
    "e and f are not adjacent",
    "g and h are confounded",
    '"<script>" and h are not confounded',
    "the structure of smoking and income is none or <->",
]


def written(folder: Path, name: str, content: str) -> Path:
    path = folder / name
    path.write_text(content, encoding="utf-8")
    return path


def test_toml_and_json_say_the_same(tmp_path: Path) -> None:
    toml = Knowledge.read(written(tmp_path, "k.toml", TOML))
    same = Knowledge.read(written(tmp_path, "k.json", json.dumps(tomllib.loads(TOML))))
    assert [str(item) for item in toml.items] == SAID
    assert toml.interventions == {"trial": frozenset({"dose", "income"}), "lab 2": frozenset("ab")}
    assert toml == same


def test_each_item_remembers_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "k.toml", TOML)
    places = [item.origin.removeprefix(f"{path}: ") for item in Knowledge.read(path).items]
    assert places == [
        "statements[0]", "statements[1]", "tiers", "tiers[0]", "no_causes_among[0]", "roots[0]", "sinks[0]",
        "causes[1]", "not_causes[0]", "direct_edges[0]", "no_direct_edges[0]", "not_adjacent[0]", "confounded[0]",
        "not_confounded[0]", "allowed[0]",
    ]  # fmt: skip
    assert (
        Knowledge.read(path).check(["smoking"])[0].startswith(f"{path}: statements[0]: there is no variable 'cancer'")
    )


def test_a_document_is_read_back(tmp_path: Path) -> None:
    knowledge = Knowledge.read(written(tmp_path, "k.toml", TOML))
    again = Knowledge.read(written(tmp_path, "again.json", json.dumps(knowledge.to_document())))
    assert set(again.items) == set(knowledge.items)
    assert again.interventions == knowledge.interventions


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("causes = [", "this is not TOML: "),
        ("cause = []", "'cause' is not a key of a knowledge file; did you mean 'causes'?"),
        ("causes = 3", "causes: expected a list [...], found 3"),
        ('causes = "X causes Y"', "causes: expected a list [...], found 'X causes Y'"),
        ('causes = [["X"]]', "causes[0]: expected two names, found 1"),
        ('causes = [["X", "Y"], ["X", "X"]]', "causes[1]: 'X causes X': 'X' appears twice"),
        ('causes = [["X", 3]]', "causes[0][1]: expected a name in quotes, found 3"),
        ('causes = [["X", ""]]', "causes[0][1]: expected a name in quotes, found ''"),
        ('statements = ["X causes Y", "X, Y"]', "statements[1]: 'X, Y' is not something weft can read"),
        ("statements = [1]", "statements[0]: expected a sentence such as 'X causes Y', found 1"),
        ('tiers = [["A"], ["A"]]', "tiers: 'tiers: A < A': 'A' appears twice"),
        ('tiers = ["A", "B"]', "tiers[0]: expected a list [...], found 'A'"),
        ('tiers = [["A"]]\ncauses_within_tiers = "no"', "causes_within_tiers: expected true or false, found 'no'"),
        ('no_causes_among = [["A", "A"]]', "no_causes_among[0]: "),
        ("roots = [1]", "roots[0]: expected a name in quotes, found 1"),
        ('allowed = [{pair = ["X", "Y"], structures = ["=>"]}]', "allowed[0]: '=>' is not a structure of a pair"),
        ('allowed = [{pair = ["X", "Y"]}]', "allowed[0]: expected a table with 'pair' and 'structures'"),
        ('randomised = ["X"]', "randomised: expected a table of studies"),
        ("[randomised]\ntrial = []", "randomised.trial: no variable is named"),
        ('[randomised]\ntrial = "X"', "randomised.trial: expected a list"),
    ],
)
def test_mistakes_in_toml(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path, "k.toml", content)
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("k.json", "{", "line 1, column 2: this is not JSON"),
        ("k.json", "[]", "expected an object such as"),
        ("k.json", '{"causes": [], "causes": []}', "line 1: the key 'causes' appears twice"),
        ("k.json", "[" * 100_000, "this JSON cannot be read: it is nested too deeply"),
        ("k.json", '{"causes": [["\\n", "\\n"]]}', "causes[0]: "),
        ("k.txt", "X causes Y", "what kind of file this is cannot be told"),
        ("arcs.csv", "from,to\nA,B\n", "what kind of file this is cannot be told"),
    ],
)
def test_mistakes_in_other_files(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


def test_files_that_are_not_there_or_not_text(tmp_path: Path) -> None:
    with pytest.raises(KnowledgeError, match="there is no such file"):
        Knowledge.read(tmp_path / "none.toml")
    with pytest.raises(KnowledgeError, match="this is a directory"):
        Knowledge.read(tmp_path)
    (tmp_path / "k.toml").write_bytes(b"causes = \xff")
    with pytest.raises(KnowledgeError, match=r"not UTF-8 text \(at byte 9\)"):
        Knowledge.read(tmp_path / "k.toml")
    with pytest.raises(KnowledgeError, match="there is no kind of knowledge file 'xml'"):
        Knowledge.read(tmp_path / "k.toml", "xml")


# -- Tetrad ----------------------------------------------------------------------------------------------------------

TETRAD = """/knowledge
addtemporal

1 age sex
// what people do
2*- smoking "blood pressure"
3 cancer
4 death

forbiddirect
age cancer
sex cancer

requiredirect
smoking cancer
"""


def test_tetrad(tmp_path: Path) -> None:
    path = written(tmp_path, "tetrad.txt", TETRAD)
    knowledge = Knowledge.read(path)
    assert [str(item) for item in knowledge.items] == [
        'tiers: age, sex < smoking, "blood pressure" < cancer < death',
        'no causes among smoking, "blood pressure"',
        "no direct edge smoking -> death",
        'no direct edge "blood pressure" -> death',
        "no direct edge age -> cancer",
        "no direct edge sex -> cancer",
        "direct edge smoking -> cancer",
    ]
    assert knowledge.items[4].origin == f"{path}: line 11"
    assert knowledge.items[1].origin == f"{path}: line 6"


def test_tetrad_with_commas_and_tiers_from_zero(tmp_path: Path) -> None:
    text = '/knowledge comma\naddtemporal\n0, Exam 1, Exam 2\n1* Unit 1, "a, b"\n\nforbiddirect\nExam 1, Unit 1\n'
    items = Knowledge.read(written(tmp_path, "k.txt", text)).items
    assert [item.groups for item in items] == [
        (("Exam 1", "Exam 2"), ("Unit 1", "a, b")), (("Unit 1", "a, b"),), (("Exam 1",), ("Unit 1",)),
    ]  # fmt: skip


def test_a_forbidden_direct_edge_is_refused_where_it_cannot_be_imposed(tmp_path: Path) -> None:
    path = written(tmp_path, "k.txt", "/knowledge\nforbiddirect\nX Y\n")
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path).over("XYZ").claims  # noqa: B018
    assert str(caught.value).startswith(f"{path}: line 3: 'no direct edge X -> Y' cannot be imposed exactly")
    back = written(tmp_path, "back.txt", "/knowledge\naddtemporal\n1 X\n2 Y\nforbiddirect\nY X\n")
    assert [str(claim) for claim in Knowledge.read(back).over("XY").claims] == ["Y does not cause X"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("/knowledges\n", "a Tetrad knowledge file starts with '/knowledge', this one with '/knowledges'"),
        ("/knowledge\nX Y\n", "line 2: 'X Y' stands in no section that weft reads"),
        ("/knowledge\nforbiddirect\nX\n", "line 3: expected two names below 'forbiddirect', found 'X'"),
        ("/knowledge\nforbiddirect\nX X\n", "line 3: "),
        ("/knowledge\nforbiddirect\nX* Y\n", "line 3: 'X*' is a pattern"),
        ("/knowledge\naddtemporal\nX Y\n", "line 3: expected the number of a tier, found 'X'"),
        ('/knowledge\naddtemporal\n1 "X Y\n', "line 3: a quote in"),
        ("/knowledge\naddtemporal\n1 X\n2 X\n", "'tiers: X < X': 'X' appears twice"),
        ("/knowledge\naddtemporal\n1 X\n1* Y\n", "line 4: tier 1 has other signs than in"),
    ],
)
def test_mistakes_in_tetrad_files(tmp_path: Path, content: str, message: str) -> None:
    path = written(tmp_path, "k.txt", content)
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path, "tetrad")
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


# -- bnlearn ---------------------------------------------------------------------------------------------------------


def test_bnlearn_lists(tmp_path: Path) -> None:
    black = written(tmp_path, "blacklist.csv", '"","from","to"\n"1","A","B c"\n"2","B c","A"\n')
    white = written(tmp_path, "arcs.csv", "from;to\nA;é\n")
    knowledge = Knowledge.read(black) + Knowledge.read(white, "whitelist")
    assert [(item.kind, item.names) for item in knowledge.items] == [
        (Kind.NO_DIRECT, ("A", "B c")), (Kind.NO_DIRECT, ("B c", "A")), (Kind.DIRECT, ("A", "é")),
    ]  # fmt: skip
    assert knowledge.items[1].origin == f"{black}: line 3"
    wrong = Knowledge.read(black) + Knowledge.of('direct edge A -> "B c"')
    assert wrong.contradiction() is not None


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("whitelist.csv", "from,to\nA,B\nC,D\nB,A\n", "line 2: the arc between 'A' and 'B' is listed both ways"),
        ("blacklist.csv", "", "the file is empty; a list has the columns 'from' and 'to'"),
        ("blacklist.csv", "A,B\n", "line 1: expected a header with the columns 'from' and 'to', found ['A', 'B']"),
        ("blacklist.csv", "from,to\nA\n", "line 2: expected two names, found 'A'"),
        ("blacklist.csv", "from,to\nA,A\n", "line 2: 'no direct edge A -> A': 'A' appears twice"),
        ("blacklist.csv", "from,to\nA,\n", "line 2: a name is empty"),
        ("blacklist.csv", 'from,to\n"A,B\n', "line 2: this is not CSV"),
    ],
)
def test_mistakes_in_bnlearn_lists(tmp_path: Path, name: str, content: str, message: str) -> None:
    path = written(tmp_path, name, content)
    with pytest.raises(KnowledgeError) as caught:
        Knowledge.read(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert "\n" not in str(caught.value)


# -- the documentation -----------------------------------------------------------------------------------------------


def test_the_page_lists_every_kind_of_item_and_which_may_have_a_weight() -> None:
    text = (Path(__file__).parents[3] / "docs" / "knowledge.md").read_text(encoding="utf-8")
    sentences = re.findall(r"^\| `([^|]+)` \|[^|]+\|( yes)? \|$", text, re.MULTILINE)
    found = {item.kind: bool(weight) for text, weight in sentences if isinstance(item := parse(text), Item)}
    assert found == {kind: kind.may_have_weight for kind in Kind}


def test_a_long_name_between_commas_in_a_tetrad_file(tmp_path: Path) -> None:
    name = "x" * 140_000
    path = written(tmp_path, "k.txt", f'/knowledge comma\nforbiddirect\n"{name}", "a, b"\n')
    assert [item.names for item in Knowledge.read(path).items] == [(name, "a, b")]
