"""Names in text: one way to write them, and every name comes back, wherever it stands."""

from __future__ import annotations

import shlex

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from weft.cli.failures import as_options
from weft.cli.studies import read_studies
from weft.cli.tables import column_kinds
from weft.errors import Argument, WeftError
from weft.evidence.claims import Claim
from weft.graphs.mixed import MixedGraph
from weft.knowledge.items import parse_item
from weft.reading.names import first_repeated, printable, quote, quoted, split, too_many, unquoted, words_in

ODD = [
    "a, b", 'say "yes"', '"', "\\", 'back\\"slash\\', "X -> Y", "o-o", "->", "two\nlines", "tab\there", "größe", "年齢",
    "🙂 mood", "red\x1b[31m", "c1\x9b31m", "a\u2028b", "nbsp\u00a0", "nothing", "no", "among", "not", "x:", "a=b",
    "<10", "(weight", "{{x}}", " ",
]  # fmt: skip
SIGNS = st.text('ab ",;:<>=-\\\n\to&()', min_size=1, max_size=8)
NAMES = st.text(min_size=1, max_size=12) | SIGNS | st.sampled_from(ODD)


@given(NAMES, NAMES)
@example("a", "a\\")
def test_every_name_comes_back_from_every_text(x: str, y: str) -> None:
    if x == y:
        y += "!"
    graph = MixedGraph.build([], MixedGraph.parse(f"{quote(x)} -> {quote(y)}").edges())
    assert set(graph.names) == {x, y}
    assert MixedGraph.parse(str(graph)) == graph
    claim = Claim.parse(f"{quote(x)} and {quote(y)} are not confounded")
    assert (claim.x, claim.y, claim.holds) == (x, y, False)
    assert Claim.parse(str(claim)) == claim
    item = parse_item(f"{quote(x)} causes {quote(y)}")
    assert item.names == (x, y)
    assert parse_item(str(item)) == item
    tiers = parse_item(f"tiers: {quote(x)} < {quote(y)}")
    assert tiers.groups == ((x,), (y,))
    assert read_studies([f"{quoted(x)}={quoted(x)},{quoted(y)}"]) == {x: [x, y]}


@given(NAMES)
def test_what_is_written_is_one_line_that_can_be_seen(name: str) -> None:
    assert quote(name).isprintable()
    assert [(word.text, word.quoted) for word in words_in(quoted(name), "", WeftError)] == [(name, True)]


@given(NAMES.filter(lambda name: name == name.strip()), st.lists(NAMES.map(str.strip), min_size=2, max_size=4))
def test_kinds_that_a_message_suggests_are_read_back(column: str, levels: list[str]) -> None:
    """The command line's own words for a kind, without the shell's quotes."""
    said = as_options(Argument("kinds", {column: levels}))
    if "$'" not in said:
        assert column_kinds([shlex.split(said)[1]]) == {column: levels}


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (r'"\"\\\n"', '"\\\n'),
        (r'"\u2028\U0001f642"', "\u2028🙂"),
        (r'"\q\u12"', "qu12"),
        ('"two\nlines"', "two\nlines"),
        ('""', ""),
    ],
)
def test_escapes(text: str, name: str) -> None:
    assert unquoted(text, WeftError) == name
    assert words_in(text, "", WeftError)[0].text == name


@pytest.mark.parametrize("text", ['a"b', '"a"b', '"a" "b"'])
def test_a_part_that_is_not_one_name(text: str) -> None:
    with pytest.raises(WeftError, match="is not one name; put it in double quotes"):
        unquoted(text, WeftError)


def test_a_quote_that_is_never_closed() -> None:
    for read in (words_in, split):
        with pytest.raises(WeftError, match="the quote at character 3 is never closed"):
            read('a,"b\\"', ",", WeftError)


def test_signs_in_quotes_do_not_split() -> None:
    assert split('"a,b",c,', ",", WeftError) == ['"a,b"', "c", ""]
    assert [word.text for word in words_in('a;"b;c" ;d', ";", WeftError)] == ["a", ";", "b;c", ";", "d"]


def test_printable_keeps_what_can_be_seen() -> None:
    assert printable("größe 年齢 🙂") == "größe 年齢 🙂"
    assert printable("\x1b]0;title\x07\x9b\r\n") == r"\u001b]0;title\u0007\u009b\u000d\n"


def test_the_repeated_one_of_many() -> None:
    names = [f"v{i}" for i in range(200_000)]
    assert first_repeated(names) is None
    assert first_repeated([*names, "v150000", "v3"]) == "v150000"


def test_so_many_variables_and_no_more() -> None:
    assert too_many(5_000) == ""
    assert too_many(5_001).startswith("5,001 variables are too many; weft takes at most 5,000")
