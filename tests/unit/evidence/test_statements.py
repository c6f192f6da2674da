"""Statements and evidence: the normal form, and what is refused."""

from __future__ import annotations

import math
import pickle

import pytest

from weft.errors import EvidenceError
from weft.evidence.statements import (
    Apart,
    Connected,
    Dependent,
    Evidence,
    FlawError,
    Provenance,
    Relation,
    Scope,
    Separated,
    Statement,
    as_structure,
    flaws,
    study_names,
)
from weft.graphs.criteria import Structure

A = Scope("a", ("X", "Y", "Z"))
B = Scope("b", ("W", "Z"))
NONE: frozenset[str] = frozenset()


def relation(x: str, y: str, *allowed: str, weight: float | None = None, source: str | None = None) -> Relation:
    return Relation(x, y, frozenset(map(Structure, allowed)), weight, Provenance(source))


@pytest.mark.parametrize(
    ("weight", "shown"),
    [(0.0, "0"), (2.0, "2"), (0.20174, "0.202"), (123.4, "123"), (999.6, "1,000"),
     (1230.0, "1,230"), (43210.9, "43,211"),
     (999999.4, "999,999"), (1e6, "1e+06"), (0.00001234, "0.0000123"), (1e-9, "1e-09")],
)  # fmt: skip
def test_a_weight_is_written_as_people_write_it(weight: float, shown: str) -> None:
    assert Connected("a", "X", "Y", weight).sentence().endswith(f"(weight {shown})")


def test_a_pair_is_kept_in_sorted_order() -> None:
    assert Connected("a", "Y", "X") == Connected("a", "X", "Y")
    assert Separated("Z", "X", frozenset("Y"), ("a",)) == Separated("X", "Z", frozenset("Y"), ("a",))


@pytest.mark.parametrize(
    ("allowed", "turned"),
    [
        (["->"], ["<-"]),
        (["<-"], ["->"]),
        (["<->"], ["<->"]),
        (["none"], ["none"]),
        (["-> & <->"], ["<- & <->"]),
        (["<- & <->", "none", "->"], ["-> & <->", "none", "<-"]),
    ],
)
def test_a_relation_is_turned_round_with_its_pair(allowed: list[str], turned: list[str]) -> None:
    assert relation("Y", "X", *allowed) == relation("X", "Y", *turned)


def test_fields_are_normal_whatever_came_in() -> None:
    given = ["Y", "Y"]
    assert Separated("X", "Z", given, ("a",)).given == frozenset("Y")  # type: ignore[arg-type]
    assert Dependent("X", "Z", NONE, ["b", "a", "b"]).studies == ("a", "b")  # type: ignore[arg-type]
    assert Relation("X", "Y", {"->"}).allowed == {Structure.CAUSES}  # type: ignore[arg-type]
    assert Scope("a", ["Y", "X"]).variables == ("X", "Y")  # type: ignore[arg-type]


def test_an_unknown_structure_is_an_evidence_error_that_lists_the_six() -> None:
    with pytest.raises(
        EvidenceError, match=r"'=>' is not a structure of a pair; there are 'none', '->', '<-', '<->', "
    ):
        as_structure("=>")
    with pytest.raises(EvidenceError, match="'<- & <->'"):
        Relation("X", "Y", {"=>"})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("statement", "text"),
    [
        (Separated("X", "Z", frozenset("Y"), ("a",)), "X and Z are separated given Y in study 'a'"),
        (Separated("X", "Z", NONE, ("a",)), "X and Z are separated in study 'a'"),
        (Separated("X y", "Z", frozenset({"Q", "P"}), ("a",)), "\"X y\" and Z are separated given P, Q in study 'a'"),
        (Separated("X", "Z", frozenset("Y")), "X and Z are separated given Y"),
        (Dependent("Z", "X", NONE, ("c", "b", "a")), "X and Z are dependent in studies 'a', 'b' and 'c'"),
        (Connected("a", "Y", "X"), "X and Y are connected in study 'a'"),
        (Apart("a", "Y", "X"), "X and Y are apart in study 'a'"),
        (relation("X", "Y", "<->", "->"), "the structure of (X, Y) is -> or <->"),
    ],
)
def test_statements_read_as_sentences(statement: Statement, text: str) -> None:
    assert str(statement) == text


def test_evidence_has_one_order() -> None:
    statements: list[Statement] = [
        relation("X", "Y", "->", "none", source="second of the file"),
        relation("X", "Y", "->", source="first"),
        relation("W", "Z", "<-"),
        Connected("b", "Z", "W"),
        Separated("X", "Z", frozenset("Y"), ("a",)),
        Connected("a", "Z", "Y"),
        Connected("a", "X", "Y"),
        Dependent("X", "Z", NONE, ("c", "a")),
        Separated("X", "Z", frozenset("Y"), ("c", "a")),
        Separated("X", "Z", NONE, ("c",)),
        Dependent("X", "Z", frozenset("Y")),
        Apart("a", "Z", "X"),
    ]
    studies = (A, B, Scope("c", A.variables))
    evidence = Evidence(studies, tuple(statements))
    assert evidence.statements == (
        Connected("a", "X", "Y"),
        Connected("a", "Y", "Z"),
        Apart("a", "X", "Z"),
        Separated("X", "Z", frozenset("Y"), ("a",)),
        Separated("X", "Z", frozenset("Y"), ("a", "c")),
        Dependent("X", "Z", NONE, ("a", "c")),
        Connected("b", "W", "Z"),
        Separated("X", "Z", NONE, ("c",)),
        Dependent("X", "Z", frozenset("Y")),
        statements[2],
        statements[0],
        statements[1],
    )
    shuffled = [statements[i] for i in (5, 11, 8, 0, 4, 9, 1, 6, 10, 3, 2, 7)]
    assert Evidence(studies, tuple(shuffled)) == evidence
    assert hash(Evidence(studies, tuple(shuffled))) == hash(evidence)


def test_evidence_by_kind() -> None:
    apart, dependent = Apart("a", "X", "Z"), Dependent("X", "Z", frozenset("Y"))
    connected, separated = Connected("b", "W", "Z"), Separated("X", "Z", NONE, ("a",))
    evidence = Evidence((A, B), (apart, connected, relation("X", "Y", "->"), separated, dependent))
    assert evidence.variables == ("W", "X", "Y", "Z")
    assert evidence.connected == (connected,)
    assert evidence.apart == (apart,)
    assert evidence.separated == (separated,)
    assert evidence.dependent == (dependent,)
    assert evidence.relations == (relation("X", "Y", "->"),)
    assert evidence.study("b") == B
    with pytest.raises(EvidenceError, match=r"^there is no study 'c'; there are 'a', 'b'$"):
        evidence.study("c")


def test_other_statements_for_the_same_studies() -> None:
    evidence = Evidence((A, B), (Connected("b", "W", "Z"),))
    fewer = evidence.with_statements([])
    assert fewer.studies == evidence.studies
    assert fewer.statements == ()
    assert fewer.connected == ()


@pytest.mark.parametrize(
    ("studies", "statements", "message"),
    [
        ([], [], "there is no study; give at least one"),
        ([A, A], [], "study 'a': another study is called 'a' too; give each its own name"),
        ([Scope("", ("X", "Y"))], [], "study '': the name is empty; give the study one"),
        ([Scope("a", ("X", "", "Y"))], [], "study 'a': a variable's name is empty; give it one"),
        ([Scope("a", ("X", "Y", "X"))], [], "study 'a': 'X' is listed twice"),
        ([Scope("a", ("X",))], [], "study 'a': a study of fewer than two variables says nothing about a pair"),
        (
            [A, B, Scope("c", ("P", "Q"))],
            [],
            "study 'c': no variable is shared with study 'a' or with a study linked to it; studies must overlap "
            "(check the spelling of the variables, or solve the parts apart)",
        ),
        (
            [A],
            [Connected("q", "X", "Y")],
            "'X and Y are connected in study 'q'': there is no study 'q'; there are 'a'",
        ),
        (
            [A],
            [Connected("a", "X", "X")],
            "'X and X are connected in study 'a'': 'X' is paired with itself; a pair needs two different variables",
        ),
        (
            [A],
            [Separated("X", "Z", frozenset("Q"), ("a",))],
            "'X and Z are separated given Q in study 'a'': 'Q' is not a variable of study 'a'",
        ),
        (
            [A, B],
            [Connected("b", "X", "Z")],
            "'X and Z are connected in study 'b'': 'X' is not a variable of study 'b'",
        ),
        (
            [A],
            [Separated("X", "Z", frozenset("Z"), ("a",))],
            "'X and Z are separated given Z in study 'a'': 'Z' is one of the pair and cannot be given",
        ),
        (
            [A],
            [Connected("a", "X", "Y"), Connected("a", "Y", "X")],
            "'X and Y are connected in study 'a'': X and Y have a statement in study 'a' already; keep one of the two",
        ),
        (
            [A],
            [Connected("a", "X", "Y"), Apart("a", "X", "Y")],
            "'X and Y are apart in study 'a'': X and Y are both connected and apart in study 'a'; "
            "a pair is one or the other",
        ),
        (
            [A],
            [Separated("X", "Z", frozenset("Y"), ("a",)), Dependent("X", "Z", frozenset("Y"), ("a",))],
            "'X and Z are dependent given Y in study 'a'': X and Z are both separated and dependent given Y in "
            "study 'a'; a pair is one or the other",
        ),
        (
            [A, B],
            [Separated("X", "Z", frozenset("W"))],
            "'X and Z are separated given W': no study measured 'W', 'X', 'Z' together",
        ),
        (
            [A],
            [Dependent("X", "Z", NONE, ("a", "c"))],
            "'X and Z are dependent in studies 'a' and 'c'': there is no study 'c'; there are 'a'",
        ),
        (
            [A],
            [relation("X", "Q", "->")],
            "'the structure of (Q, X) is <-': 'Q' is not a variable of any study",
        ),
        (
            [A],
            [relation("X", "Y")],
            "'the structure of (X, Y) is none that there is': nothing is allowed; give at least one structure",
        ),
        (
            [A],
            [relation("X", "Y", "->"), relation("Y", "X", "<-")],
            "'the structure of (X, Y) is ->': this relation is stated twice",
        ),
    ],
)
def test_what_evidence_refuses(studies: list[Scope], statements: list[Statement], message: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        Evidence(tuple(studies), tuple(statements))
    assert str(caught.value) == message


@pytest.mark.parametrize("weight", [math.nan, math.inf, -math.inf, -0.5])
def test_a_weight_is_finite_and_not_negative(weight: float) -> None:
    with pytest.raises(EvidenceError, match="is not a weight; give a finite number, 0 or more, or leave it out"):
        Evidence((A,), (Connected("a", "X", "Y", weight),))


@pytest.mark.parametrize("p_value", [math.nan, 1.0001, -1e-9, math.inf])
def test_a_p_value_lies_between_0_and_1(p_value: float) -> None:
    with pytest.raises(EvidenceError, match="is not a p-value; these lie between 0 and 1"):
        Evidence((A,), (Connected("a", "X", "Y", provenance=Provenance(p_value=p_value)),))


def test_a_number_of_rows_is_not_negative() -> None:
    with pytest.raises(EvidenceError, match="-1 is not a number of rows"):
        Evidence((A,), (Connected("a", "X", "Y", provenance=Provenance(rows=-1)),))


def test_numbers_at_their_bounds_are_taken() -> None:
    statement = Connected("a", "X", "Y", 0.0, Provenance("test", 1.0, 0))
    assert Evidence((A,), (statement,)).statements == (statement,)


def test_a_pair_may_have_statements_in_two_studies_and_several_relations() -> None:
    both = (Scope("a", ("X", "Y")), Scope("b", ("X", "Y")))
    statements = (
        Connected("a", "X", "Y"),
        Separated("X", "Y", NONE, ("b",)),
        relation("X", "Y", "->", source="one"),
        relation("X", "Y", "->", source="two"),
        relation("X", "Y", "->", "<->", source="one"),
    )
    assert Evidence(both, statements).statements == statements


def test_a_chain_of_studies_hangs_together_in_any_order() -> None:
    chain = [Scope(f"s{i}", (f"v{i}", f"v{i + 1}")) for i in range(50)]
    assert len(Evidence(tuple(chain[::2] + chain[1::2])).variables) == 51
    with pytest.raises(EvidenceError, match="study 's6': no variable is shared"):
        Evidence(tuple(chain[:5] + chain[6:]))


def test_every_flaw_is_found_as_data() -> None:
    found = list(
        flaws(
            (A, Scope("b", ("Z", "Z")), Scope("b", ("Y", "Z"))),
            (Separated("X", "X", frozenset("Q"), ("a",), -1.0), Connected("n", "X", "Y"), relation("X", "Y")),
        )
    )
    assert [(flaw.kind, flaw.position, flaw.part, flaw.earlier) for flaw in found] == [
        ("study", 1, "variables", None),
        ("study", 2, "name", 1),
        ("statement", 0, "pair", None),
        ("statement", 0, "given", None),
        ("statement", 0, "weight", None),
        ("statement", 1, "study", None),
        ("statement", 2, "allowed", None),
    ]


def test_the_error_carries_the_flaw_and_survives_pickling() -> None:
    with pytest.raises(FlawError) as caught:
        Evidence((A,), (Connected("a", "X", "Q"),))
    copy = pickle.loads(pickle.dumps(caught.value))
    assert copy.flaw == caught.value.flaw
    assert str(copy) == str(caught.value)


def test_evidence_survives_pickling() -> None:
    evidence = Evidence((A, B), (Connected("b", "W", "Z", 2.0, Provenance("test", 0.5, 9)), relation("X", "Y", "->")))
    assert evidence.variables
    assert pickle.loads(pickle.dumps(evidence)) == evidence


def test_a_message_is_one_line_whatever_the_names_are() -> None:
    with pytest.raises(EvidenceError) as caught:
        Evidence((Scope("a\nb", ("X", "Y\n")),), (Connected("a\nb", "X", "Q\n\n"),))
    assert "\n" not in str(caught.value)


def test_names_for_studies_without_one_differ() -> None:
    names = study_names(60)
    assert names[:2] + names[25:27] == ("a", "b", "z", "study27")
    assert len(set(names)) == 60
