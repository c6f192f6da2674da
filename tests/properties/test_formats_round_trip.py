"""Every format that is read and written: a graph reads back as it was, or it is refused in one line."""

from __future__ import annotations

import io
import itertools
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.graphs import graph_from, nasty_names
from weft.errors import GraphError
from weft.formats import FORMATS, from_causallearn, from_networkx, from_pcalg, read_graph, reads, write_graph, writes
from weft.graphs.mixed import EDGE_SYMBOLS, MixedGraph

BOTH_WAYS = [name for name, format in FORMATS.items() if format.read is not None and format.write is not None]
TEXT = [name for name in BOTH_WAYS if not FORMATS[name].binary]
GUESSED = [name for name in TEXT if FORMATS[name].looks is not None]
MATRICES = ("pcalg", "causal-learn")
SINGLE = ["", *EDGE_SYMBOLS]
PIECES = [
    ",",
    ";",
    '""',
    "'",
    "\t",
    "\r",
    "\r\n",
    "\\",
    "\\\\",
    "{",
    "}",
    "[",
    "]",
    "(a)",
    "@",
    "=",
    "+",
    "0",
    "1",
    "-1",
    "X",
]


def any_names() -> st.SearchStrategy[str]:
    """Names, among them such as mean something in one of the formats."""
    words = st.sampled_from(
        ["", "graph", "node", "from", "dag", "Graph Nodes:", "1.", "é", "变量", "\u2028", "a b", "\0"]
    )
    return st.one_of(nasty_names(), words, st.lists(st.sampled_from(PIECES), max_size=4).map("".join))


@st.composite
def graphs(draw: st.DrawFn, names: st.SearchStrategy[str], choices: list[str]) -> MixedGraph:
    chosen = draw(st.lists(names, max_size=5, unique=True))
    return graph_from(chosen, {pair: draw(st.sampled_from(choices)) for pair in itertools.combinations(chosen, 2)})


plain_names = st.text("abcXYZ_.012", min_size=1, max_size=4)
plain_graphs = graphs(plain_names, [*SINGLE, "-> & <->", "<- & <->"])
nasty_graphs = graphs(any_names(), [*SINGLE, "-> & <->"])


def written(graph: MixedGraph, format: str) -> bytes:
    stream = io.BytesIO()
    write_graph(graph, stream, format)
    return stream.getvalue()


def refusal(attempt: Callable[[], object]) -> str | None:
    """What is said against it; ``None`` if nothing is."""
    try:
        attempt()
    except GraphError as error:
        return str(error)
    return None


def is_one_line(message: str) -> bool:
    return message != "" and "\n" not in message


@pytest.mark.parametrize("format", BOTH_WAYS)
@given(graph=nasty_graphs)
def test_a_graph_is_refused_or_reads_back(format: str, graph: MixedGraph) -> None:
    message = refusal(lambda: written(graph, format))
    if message is None:
        assert read_graph(io.BytesIO(written(graph, format)), format) == graph
    else:
        assert is_one_line(message)


@pytest.mark.parametrize("format", BOTH_WAYS)
@given(graph=plain_graphs)
def test_a_graph_with_plain_names_is_refused_only_if_a_matrix_cannot_hold_it(format: str, graph: MixedGraph) -> None:
    if format in MATRICES and graph.doubled:
        with pytest.raises(GraphError, match="has one edge for a pair"):
            writes(graph, format)
    else:
        assert read_graph(io.BytesIO(written(graph, format)), format) == graph


@pytest.mark.parametrize(
    "format", [name for name in FORMATS if name not in ("tetrad", "dagitty", "dagitty-mag", *MATRICES)]
)
@given(graph=graphs(st.text("aé \"',;->\\", min_size=1, max_size=6), ["", "->", "-> & <->"]))
def test_odd_names_are_not_refused_where_they_fit(format: str, graph: MixedGraph) -> None:
    content = written(graph, format)
    assert content
    if FORMATS[format].read is not None:
        assert read_graph(io.BytesIO(content), format) == graph


@pytest.mark.parametrize("format", GUESSED)
@given(graph=plain_graphs)
def test_the_format_is_told_by_the_content(format: str, graph: MixedGraph) -> None:
    if format != "weft" or graph.edges():
        assert reads(writes(graph, format)) == graph


@pytest.mark.parametrize("format", MATRICES)
@given(graph=plain_graphs)
def test_a_matrix_is_never_guessed(format: str, graph: MixedGraph) -> None:
    with pytest.raises(GraphError, match="a matrix is never guessed"):
        reads(writes(graph.undoubled(), format))


@given(text=st.text(), format=st.sampled_from(TEXT))
def test_any_text_is_read_or_refused_in_one_line(text: str, format: str) -> None:
    message = refusal(lambda: reads(text, format))
    assert message is None or is_one_line(message)


@given(
    lines=st.lists(st.text(' \t,;"{}[]=+@<>-o0123ab\\', max_size=12), max_size=4),
    head=st.sampled_from(
        ["", "dag {", "Graph Nodes:", "Graph Nodes:\na;b\nGraph Edges:", "from,edge,to", ",a,b", "a,b"]
    ),
    format=st.sampled_from(TEXT),
)
def test_damaged_text_is_read_or_refused_in_one_line(lines: list[str], head: str, format: str) -> None:
    text = "\n".join([head, *lines])
    message = refusal(lambda: reads(text, format))
    assert message is None or is_one_line(message)
    if message is None:
        assert reads(writes(reads(text, format), "weft"), "weft") == reads(text, format)


@given(graph=nasty_graphs)
def test_networkx_reads_back(graph: MixedGraph) -> None:
    pytest.importorskip("networkx")
    assert from_networkx(graph.to_networkx()) == graph


@given(graph=graphs(any_names(), SINGLE))
def test_matrices_read_back(graph: MixedGraph) -> None:
    assert from_pcalg(*graph.to_pcalg()) == graph
    assert from_causallearn(*graph.to_causallearn()) == graph
