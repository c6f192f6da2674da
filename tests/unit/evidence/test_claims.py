"""Claims: reading them from words, and writing them back."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.graphs.mixed import EDGE_SYMBOLS, Mark


@pytest.mark.parametrize(
    ("text", "claim"),
    [
        ("X -> Y", Claim(Topic.EDGE, "X", "Y", symbol="->")),
        ("X->Y", Claim(Topic.EDGE, "X", "Y", symbol="->")),
        ("Y <- X", Claim(Topic.EDGE, "X", "Y", symbol="->")),
        ("X <-> Y", Claim(Topic.EDGE, "X", "Y", symbol="<->")),
        ("X -- Y", Claim(Topic.EDGE, "X", "Y", symbol="--")),
        ("X o-> Y", Claim(Topic.EDGE, "X", "Y", symbol="o->")),
        ("not X -> Y", Claim(Topic.EDGE, "X", "Y", holds=False, symbol="->")),
        ("  not   X -> Y ", Claim(Topic.EDGE, "X", "Y", holds=False, symbol="->")),
        ("not X->Y", Claim(Topic.EDGE, "X", "Y", holds=False, symbol="->")),
        ("X and Y are adjacent", Claim(Topic.EDGE, "X", "Y", symbol="o-o")),
        ("X and Y are not adjacent", Claim(Topic.EDGE, "X", "Y", holds=False, symbol="o-o")),
        ("X causes Y", Claim(Topic.CAUSES, "X", "Y")),
        ("X does not cause Y", Claim(Topic.CAUSES, "X", "Y", holds=False)),
        ("not X causes Y", Claim(Topic.CAUSES, "X", "Y", holds=False)),
        ("not X does not cause Y", Claim(Topic.CAUSES, "X", "Y")),
        ("X and Y are confounded", Claim(Topic.CONFOUNDED, "X", "Y")),
        ("X and Y are not confounded", Claim(Topic.CONFOUNDED, "X", "Y", holds=False)),
        ("not X and Y are confounded", Claim(Topic.CONFOUNDED, "X", "Y", holds=False)),
        ('"my X" causes "the \\"Y\\""', Claim(Topic.CAUSES, "my X", 'the "Y"')),
        ('not "my X" -> Y', Claim(Topic.EDGE, "my X", "Y", holds=False, symbol="->")),
        # A variable may be called anything, and the reading without negation comes first.
        ("not causes Y", Claim(Topic.CAUSES, "not", "Y")),
        ("not not causes Y", Claim(Topic.CAUSES, "not", "Y", holds=False)),
        ("causes causes causes", Claim(Topic.CAUSES, "causes", "causes")),
        ('"X" and "and" are confounded', Claim(Topic.CONFOUNDED, "X", "and")),
    ],
)
def test_reading(text: str, claim: Claim) -> None:
    assert Claim.parse(text) == claim


@pytest.mark.parametrize(
    "text",
    [
        "",
        "not",
        "not ",
        "X",
        "X Y",
        "X => Y",
        "X cause Y",
        "X -> Y -> Z",
        "X -> Y; Z",
        "X -> Y; X <-> Y",
        "X -> X",
        "X -> ",
        '"X causes Y',
        'X "causes" Y',
        "X does cause Y",
        "X and Y are friends",
        "X causes Y and Z",
    ],
)
def test_what_is_no_claim_is_named_with_the_way_out(text: str) -> None:
    with pytest.raises(ProblemError) as caught:
        Claim.parse(text)
    assert str(caught.value).startswith(f"{text!r} is not a claim; write 'X -> Y', 'X causes Y'")
    assert "\n" not in str(caught.value)


NAMES = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=6)
SYMBOLS = st.sampled_from(sorted(set(EDGE_SYMBOLS) - {"-->", "<--", "---"}))


@given(st.sampled_from([Topic.CAUSES, Topic.CONFOUNDED]), NAMES, NAMES, st.booleans())
def test_a_phrase_reads_back_as_itself(topic: Topic, x: str, y: str, holds: bool) -> None:
    claim = Claim(topic, x, y, holds)
    assert Claim.parse(str(claim)) == claim


@given(st.lists(NAMES, min_size=2, max_size=2, unique=True), SYMBOLS, st.booleans())
def test_an_edge_reads_back_as_one_that_fits_the_same_edges(names: list[str], symbol: str, holds: bool) -> None:
    claim = Claim(Topic.EDGE, names[0], names[1], holds, symbol)
    back = Claim.parse(str(claim))
    assert {back.x, back.y} == set(names)
    assert back.holds is holds
    turned = back.x != claim.x
    for mark_x, mark_y in itertools.product((Mark.ARROW, Mark.TAIL), repeat=2):
        seen = (mark_y, mark_x) if turned else (mark_x, mark_y)
        assert back.fits_edge(*seen) == claim.fits_edge(mark_x, mark_y)


@pytest.mark.parametrize(
    ("claim", "fitting"),
    [
        ("X -> Y", {"->"}),
        ("X <-> Y", {"<->"}),
        ("X -- Y", {"--"}),
        ("X o-> Y", {"->", "<->"}),
        ("Y o-> X", {"<-", "<->"}),
        ("X o-- Y", {"<-", "--"}),
        ("X o-o Y", {"->", "<-", "<->", "--"}),
    ],
)
def test_a_circle_is_a_wild_card(claim: str, fitting: set[str]) -> None:
    parsed = Claim.parse(claim)
    edges = {"->", "<-", "<->", "--"}
    marks = {symbol: EDGE_SYMBOLS[symbol] if parsed.x == "X" else EDGE_SYMBOLS[symbol][::-1] for symbol in edges}
    assert {symbol for symbol in edges if parsed.fits_edge(*marks[symbol])} == fitting
    assert not parsed.fits_edge(0, 0)


def test_the_negation_of_a_negation_is_the_claim() -> None:
    claim = Claim.parse("X o-> Y")
    assert claim.negated != claim
    assert claim.negated.negated == claim
    assert str(claim.negated) == "not X o-> Y"


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("blood pressure causes heart attack", '"blood pressure" causes "heart attack"'),
        ("not blood pressure -> age", 'not "blood pressure" -> age'),
        ('"blood pressure" causes age', '"blood pressure" causes age'),
        ("blood and blood pressure are confounded", 'blood and "blood pressure" are confounded'),
        ("age causes blood", "age causes blood"),
    ],
)
def test_names_of_known_variables_need_no_quotes(text: str, meant: str) -> None:
    names = ["age", "blood", "blood pressure", "heart attack"]
    assert Claim.among(text, names) == Claim.parse(meant)


def test_what_is_no_claim_among_known_variables() -> None:
    with pytest.raises(ProblemError, match="is not a claim"):
        Claim.among("blood pressure hurts", ["blood pressure"])


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("smokin status causes age", '"smoking status" causes age'),
        ("age cause BMI", "age causes BMI"),
        ("not age caues BMI", "age does not cause BMI"),
        ("smoking statsu and bmi are confunded", '"smoking status" and BMI are confounded'),
        ("smokin status -> BMI", '"smoking status" -> BMI'),
    ],
)
def test_a_slip_in_a_claim(text: str, near: str) -> None:
    with pytest.raises(ProblemError) as caught:
        Claim.among(text, ["age", "BMI", "smoking status"])
    assert str(caught.value) == f"{text!r} is not a claim; did you mean {near!r}?"
    with pytest.raises(ProblemError, match="is not a claim; write"):
        Claim.among(text, [])
