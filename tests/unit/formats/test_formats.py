"""Each format: what is written, mark by mark; what is read; and what is said about input that is wrong.

Covers every module of ``weft.formats``.
"""

from __future__ import annotations

import doctest
import io
import json
import re
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy
import pytest

from weft.errors import GraphError, WeftError
from weft.formats import FORMATS, from_causallearn, from_networkx, from_pcalg, read_graph, reads, write_graph, writes
from weft.graphs.mixed import EDGE_SYMBOLS, MixedGraph

# Every kind of edge, and a vertex without one.
ALL_MARKS = MixedGraph.parse("A -> B; B <-> C; C -- D; D o-> E; E o-o F; F o-- G; H")
ADMG = MixedGraph.parse("X -> Y; X <-> Y; Y -> Z")


def complaint(text: str, format: str | None = None) -> str:
    """What is said about a text that is wrong."""
    with pytest.raises(GraphError) as caught:
        reads(text, format)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def refusal(graph: str, format: str) -> str:
    """What is said about a graph that the format cannot hold."""
    with pytest.raises(GraphError) as caught:
        writes(MixedGraph.parse(graph), format)
    assert "\n" not in str(caught.value)
    return str(caught.value)


# -- what is written -------------------------------------------------------------------------------------------------


def test_weft() -> None:
    assert writes(ALL_MARKS, "weft") == "A -> B; B <-> C; C -- D; D o-> E; E o-o F; F o-- G; H\n"
    assert writes(ADMG, "weft") == "X -> Y; X <-> Y; Y -> Z\n"


def test_edges() -> None:
    assert writes(ALL_MARKS, "edges") == ("from,edge,to\nA,-->,B\nB,<->,C\nC,---,D\nD,o->,E\nE,o-o,F\nF,o--,G\nH,,\n")
    assert writes(ADMG, "edges") == "from,edge,to\nX,-->,Y\nX,<->,Y\nY,-->,Z\n"
    assert writes(MixedGraph.parse('"a, b" -> "c \\"d\\""'), "edges") == 'from,edge,to\n"a, b",-->,"c ""d"""\n'


def test_pcalg_has_the_mark_at_the_column() -> None:
    # A -> B: the tail (3) at A stands in A's column, the arrowhead (2) at B in B's.
    assert writes(ALL_MARKS, "pcalg") == (
        '"",A,B,C,D,E,F,G,H\n'
        "A,0,2,0,0,0,0,0,0\n"
        "B,3,0,2,0,0,0,0,0\n"
        "C,0,2,0,3,0,0,0,0\n"
        "D,0,0,3,0,2,0,0,0\n"
        "E,0,0,0,1,0,1,0,0\n"
        "F,0,0,0,0,1,0,3,0\n"
        "G,0,0,0,0,0,1,0,0\n"
        "H,0,0,0,0,0,0,0,0\n"
    )


def test_causal_learn_has_the_mark_at_the_row() -> None:
    # A -> B: the tail (-1) at A stands in A's row, the arrowhead (1) at B in B's.
    assert writes(ALL_MARKS, "causal-learn") == (
        '"",A,B,C,D,E,F,G,H\n'
        "A,0,-1,0,0,0,0,0,0\n"
        "B,1,0,1,0,0,0,0,0\n"
        "C,0,1,0,-1,0,0,0,0\n"
        "D,0,0,-1,0,2,0,0,0\n"
        "E,0,0,0,1,0,2,0,0\n"
        "F,0,0,0,0,2,0,2,0\n"
        "G,0,0,0,0,0,-1,0,0\n"
        "H,0,0,0,0,0,0,0,0\n"
    )


def test_tetrad() -> None:
    assert writes(ALL_MARKS, "tetrad") == (
        "Graph Nodes:\nA;B;C;D;E;F;G;H\n\n"
        "Graph Edges:\n1. A --> B\n2. B <-> C\n3. C --- D\n4. D o-> E\n5. E o-o F\n6. F o-- G\n"
    )


def test_dagitty() -> None:
    assert writes(ALL_MARKS, "dagitty") == ("pag {\nH\nA -> B\nB <-> C\nC -- D\nD @-> E\nE @-@ F\nF @-- G\n}\n")
    assert writes(MixedGraph.parse('"a \\"b\\"" -> é'), "dagitty") == 'dag {\n"a \\"b\\"" -> "é"\n}\n'


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("X -> Y", "dag"),
        ("X -> Y; X <-> Y", "dag"),
        ("X -> Y; Y -> Z; X <-> Z", "dag"),  # Z and its cause X are joined by <->: not ancestral
        ("X <-> Y; Y -> Z", "mag"),
        ("X <-> Y; A -- B", "mag"),
        ("X -- Y; Y -> Z", "pdag"),
        ("X o-> Y", "pag"),
    ],
)
def test_dagitty_is_told_the_kind_of_graph(text: str, kind: str) -> None:
    assert writes(MixedGraph.parse(text), "dagitty").startswith(f"{kind} {{")


def test_dot() -> None:
    graph = MixedGraph.parse(r'A -> B; B <-> C; C -- D; D o-o "say \"hi\""; "a\\b & c"')
    assert writes(graph, "dot") == (
        "digraph {\n"
        '  "A";\n  "B";\n  "C";\n  "D";\n'
        '  "a\\\\b & c" [label="a\\\\b &amp; c"];\n'
        '  "say \\"hi\\"";\n'
        '  "A" -> "B";\n'
        '  "B" -> "C" [dir=both, arrowtail=normal, arrowhead=normal];\n'
        '  "C" -> "D" [dir=both, arrowtail=none, arrowhead=none];\n'
        '  "D" -> "say \\"hi\\"" [dir=both, arrowtail=odot, arrowhead=odot];\n'
        "}\n"
    )


def test_graphml() -> None:
    names = ["<&>", "a\nb", "c\rd"]
    graph = MixedGraph.build(names, MixedGraph.parse("X o-> Y; X -- Z").edges())
    space = "{http://graphml.graphdrawing.org/xmlns}"
    root = ElementTree.fromstring(writes(graph, "graphml").encode())
    found = {node.get("id"): node.findtext(f"{space}data") for node in root.iter(f"{space}node")}
    edges = [
        (found[edge.get("source")], *(data.text for data in edge.iter(f"{space}data")), found[edge.get("target")])
        for edge in root.iter(f"{space}edge")
    ]
    assert list(found.values()) == sorted([*names, "X", "Y", "Z"])
    assert edges == [("X", "circle", "arrow", "Y"), ("X", "tail", "tail", "Z")]


def test_graphml_is_read_by_networkx() -> None:
    networkx = pytest.importorskip("networkx")
    graph = networkx.read_graphml(io.BytesIO(writes(ADMG, "graphml").encode()))
    marks = sorted((x, y, data["source_mark"], data["target_mark"]) for x, y, data in graph.edges(data=True))
    assert marks == [("n0", "n1", "arrow", "arrow"), ("n0", "n1", "tail", "arrow"), ("n1", "n2", "tail", "arrow")]
    assert graph.nodes["n2"] == {"name": "Z"}


def test_cytoscape() -> None:
    assert json.loads(writes(MixedGraph.parse("X o-> Y; é"), "cytoscape")) == {
        "data": {},
        "directed": True,
        "multigraph": False,
        "elements": {
            "nodes": [{"data": {"id": name, "value": name, "name": name}} for name in ("X", "Y", "é")],
            "edges": [{"data": {"source": "X", "target": "Y", "source_mark": "circle", "target_mark": "arrow"}}],
        },
    }


@pytest.mark.parametrize(
    "text", ["X o-> Y; Z", "X -> Y; X <-> Y; Y -> Z", '"a b" -- "say \\"yes\\""', "X <-> Y; Y <- Z"]
)
def test_networkx_reads_cytoscape(text: str) -> None:
    networkx = pytest.importorskip("networkx")
    graph = MixedGraph.parse(text)
    read = networkx.cytoscape_graph(json.loads(writes(graph, "cytoscape")))
    assert sorted(read.nodes) == list(graph.names)
    marks = sorted((x, data["source_mark"], data["target_mark"], y) for x, y, data in read.edges(data=True))
    assert marks == sorted((e.x, e.mark_x.name.lower(), e.mark_y.name.lower(), e.y) for e in graph.edges())


@pytest.mark.parametrize("format", ["weft", "dagitty", "edges"])
def test_more_vertices_than_a_graph_can_have(format: str) -> None:
    """No line is to blame, and nothing is tried line by line."""
    edges = [(f"v{i}", f"v{i + 1}") for i in range(100_000)]
    text = {
        "weft": "; ".join(f"{x} -> {y}" for x, y in edges),
        "dagitty": f"dag {{ {' '.join(f'{x} -> {y}' for x, y in edges)} }}",
        "edges": "from,edge,to\n" + "".join(f"{x},-->,{y}\n" for x, y in edges),
    }[format]
    with pytest.raises(GraphError, match=r"^100,001 variables are too many; weft takes at most 5,000"):
        reads(text, format)


# -- what is read ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("symbol", EDGE_SYMBOLS)
def test_an_edge_table_takes_every_spelling(symbol: str) -> None:
    assert reads(f"from,edge,to\nX,{symbol},Y\n") == MixedGraph.parse(f"X {symbol} Y")


@pytest.mark.parametrize(
    "text",
    [
        "from,edge,to\nX,-->,Y\nZ,,\n",
        "\ufefffrom,edge,to\r\nX,-->,Y\r\n\r\nZ,,\r\n,,\r\n",
        "From;To;Edge;weight\nX;Y;-->;0.5\nZ;;;\n",
        'from\tedge\tto\n"X"\t-->\tY\nZ\t\t\n',
        "from, edge, to\nX, -->, Y\nZ, ,\n",
    ],
)
def test_edge_tables_of_other_programs(text: str) -> None:
    assert reads(text) == MixedGraph.parse("X -> Y; Z")


@pytest.mark.parametrize(
    "text",
    [
        '"","X","Y"\n"X",0,2\n"Y",1,0\n',  # write.csv
        '"X","Y"\n"X",0,2\n"Y",1,0\n',  # write.table(sep = ",")
        "X,Y\n0,2\n1,0\n",  # write.csv(row.names = FALSE)
        "amat;X;Y\nX;0;2\nY;1;0\n",
        ",X,Y\n0,0.0,2.0\n1,1.0,0.0\n",  # a data frame of numbers without an index
        '"","X","Y"\n"1",0,2\n"2",1,0\n',
    ],
)
def test_matrices_of_other_programs(text: str) -> None:
    assert reads(text, "pcalg") == MixedGraph.parse("X o-> Y")


def test_columns_of_a_matrix_may_stand_in_any_order() -> None:
    assert reads(",Y,X\nY,0,1\nX,-1,0\n", "causal-learn") == MixedGraph.parse("X -> Y")


def test_tetrad_text_with_tags_shares_and_other_sections() -> None:
    text = """
    Graph Nodes:
    X1;X2;(L1);X4

    Graph Edges:
    1. X1 --> X2 dd nl
    2. X2 o-> L1 [X2 o-> L1]:0.9800;[no edge]:0.0200;
    10. X4 <-- X1

    Graph Attributes:
    BIC: -123.4

    Graph Node Attributes:
    BIC: [X1: -1;X2: -2]

    Ambiguous triples (i.e. list of triples for which there is ambiguous data about whether they are colliders or not):
    <X1, X2, L1>
    """
    assert reads(text) == MixedGraph.parse("X1 -> X2; X2 o-> L1; X1 -> X4")
    assert reads("Graph Nodes:\nX,Y\n\nGraph Edges:\n1. X <-> Y\n") == MixedGraph.parse("X <-> Y")


@pytest.mark.parametrize(
    ("text", "graph"),
    [
        ("dag{}", ""),
        ("mag { a <-> b -- c }", "a <-> b; b -- c"),
        ("pag { a @-> b <-@ c; a --@ d @-@ e @-- f }", "a o-> b; b <-o c; a --o d; d o-o e; e o-- f"),
        ('dag "my graph" { bb="0,0,1,1" X [exposure,pos="-1.0,]"] Y [outcome] X->Y [beta=.5] }', "X -> Y"),
        ("PDAG g {\nx1 -- x2\nx.3\n-4\n}\n", 'x1 -- x2; x.3; "-4"'),
        ("dag { x <- {a b} -> {c d} }", "x <- a; x <- b; a -> c; a -> d; b -> c; b -> d"),
        ("dag { a {b -> c} -> d }", "a; b -> c; b -> d; c -> d"),
        ('dag { "a \\"b\\" \\c" -> "d"+"e" }', '"a \\"b\\" \\\\c" -> de'),
        ("dag { graph [bb=1] node [x] a }", "a"),
    ],
)
def test_dagitty_text(text: str, graph: str) -> None:
    assert reads(text) == MixedGraph.parse(graph)


# -- what cannot be held ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("format", ["pcalg", "causal-learn"])
def test_a_matrix_holds_one_edge_for_a_pair(format: str) -> None:
    message = refusal("X -> Y; X <-> Y", format)
    assert message == f"'X' and 'Y' are joined by '->' and by '<->'; {format}'s matrix has one edge for a pair"


@pytest.mark.parametrize(
    ("name", "format"),
    [
        ("a b", "tetrad"),
        ("a;b", "tetrad"),
        ("(a)", "tetrad"),
        ("", "tetrad"),
        ("", "edges"),
        ("", "cytoscape"),
        ("a\nb", "dagitty"),
        ("a\\", "dagitty"),
        ("node", "dagitty"),
        ("a\0b", "dot"),
        ("a\x01b", "graphml"),
        ("a\ud800b", "weft"),
        ("a\ud800b", "cytoscape"),
    ],
)
def test_a_name_that_does_not_fit_is_named(name: str, format: str) -> None:
    with pytest.raises(GraphError) as caught:
        writes(MixedGraph.build([name, "other"], []), format)
    assert str(caught.value).startswith(f"{name!r} cannot stand in a")
    assert "\n" not in str(caught.value)


# -- what is wrong with input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("format", "text", "message"),
    [
        ("weft", "X -> Y\nY -> \n", "line 2: graph text: 'Y ->' ends with an edge"),
        ("weft", 'X -> Y\nY -> "Z\n', "line 2: graph text: the quote"),
        ("weft", "X -> Y\nA\nY -> X\nB\n", "line 3: 'Y <- X' and 'Y -> X' cannot stand together"),
        ("edges", "", "the file is empty"),
        ("edges", "a,b,c\n", "line 1: expected a header with the columns 'from', 'edge' and 'to'"),
        ("edges", ",X,Y\nX,0,2\nY,1,0\n", "line 1: expected a header with the columns 'from', 'edge' and 'to'"),
        ("edges", "from,edge,to\nX,-->,Y\nX,=>,Y\n", "line 3: '=>' is not an edge"),
        ("edges", "from,edge,to\nX,-->\n", "line 2: expected a name, an edge and a name"),
        ("edges", "from,edge,to\n\nX,-->,\n", "line 3: a name is empty"),
        ("edges", 'from,edge,to\n"X,-->,Y\n', "line 2: this is not CSV"),
        ("edges", "from,edge,to\nX,-->,X\n", "line 2: 'X -> X' joins a vertex to itself"),
        ("edges", 'from,edge,to\n"a\nb",-->,Y\nZ,-->,Y\nY,-->,Z\n', "line 5: 'Y <- Z' and 'Y -> Z' cannot stand"),
        ("pcalg", "", "the file is empty"),
        ("pcalg", "0,2\n3,0\n", "line 1: '0' stands where a name should"),
        ("pcalg", ",X,Y\nX,0,2\nY,4,0\n", "line 3: entry ('Y', 'X') = 4 is not a mark; pcalg has 0 none, 1 circle"),
        ("pcalg", ",X,Y\nX,0,a\nY,4,0\n", "line 2: entry ('X', 'Y') = 'a' is not a mark"),
        ("pcalg", ",X,Y\nX,0,1\nY,0,0\n", "line 3: entry ('X', 'Y') = 1 and entry ('Y', 'X') = 0: an edge has"),
        ("pcalg", ",X,Y\nX,2,1\nY,1,0\n", "line 2: entry ('X', 'X') = 2: an edge from a vertex to itself"),
        ("pcalg", ",X,Y\nX,0,1\nZ,1,0\n", "line 3: the row of 'Y' is called 'Z'"),
        ("pcalg", ",X,Y\nX,0,1\nY,1\n", "line 3: 2 fields where 3 are needed"),
        ("pcalg", ",X,Y,Z\nX,0,1,1\nY,1,0,1\n", "line 3: 3 names need 3 rows, not 2"),
        ("pcalg", ",X,X\nX,0,1\nX,1,0\n", "the name 'X' appears twice"),
        (
            "causal-learn",
            ",X,Y\nX,0,3\nY,1,0\n",
            "line 2: entry ('X', 'Y') = 3 is not a mark; causal-learn has -1 tail",
        ),
        ("tetrad", "", "the file is empty"),
        ("tetrad", "X --> Y\n", "line 1: expected 'Graph Nodes:', found 'X --> Y'"),
        ("tetrad", "Graph Nodes:\nX;Y\n\nGraph Edges:\n1. X --> Z\n", "line 5: 'Z' is not among the nodes"),
        ("tetrad", "Graph Nodes:\nX;Y\n\nGraph Edges:\n1. X => Y\n", "line 5: '=>' is not an edge"),
        ("tetrad", "Graph Nodes:\nX;Y\n\nGraph Edges:\n1. X -->\n", "line 5: expected '1. X --> Y', found '1. X -->'"),
        ("tetrad", "Graph Nodes:\nX;a b\n", "line 2: 'a b' is not a name"),
        ("dagitty", "X -> Y", "line 1: expected 'dag {', 'mag {', 'pdag {' or 'pag {', found 'X -> Y'"),
        ("dagitty", "dag {\nX -> Y\n", "line 3: expected a closing '}'"),
        ("dagitty", "dag {\nX ->\n}", "line 3: expected a name where '}' stands"),
        ("dagitty", 'dag {\nX -> "Y\n}', "line 2: '\"' is a quote or bracket that is never closed"),
        ("dagitty", "dag {\nX [pos\n}", "line 2: '[' is a quote or bracket that is never closed"),
        ("dagitty", "dag {" + "{" * 10_000, "this is not a graph: it is nested too deeply"),
        ("dagitty", "dag { X ~ Y }", "line 1: '~' is not expected here"),
        ("dagitty", "dag { X }\ndag { Y }", "line 2: 'dag' stands behind the graph's last '}'"),
        ("dagitty", "dag {\nX -> Y\nY -> X }", "line 3: 'Y <- X' and 'Y -> X' cannot stand together"),
        ("dot", "digraph {}", "weft writes dot, and does not read it; it reads tetrad,"),
        ("parquet", "", "parquet is not text"),
        ("pajek", "", "there is no format 'pajek'; there are tetrad,"),
        (None, "a,b\n", "the format cannot be told (a matrix is never guessed); name it with format=, one of tetrad,"),
    ],
)
def test_wrong_text_is_named_with_its_line(format: str | None, text: str, message: str) -> None:
    assert complaint(text, format).startswith(message)


# -- arrays and networkx ---------------------------------------------------------------------------------------------


def test_arrays_are_whole_numbers_with_names() -> None:
    pcalg, causal_learn = MixedGraph.parse("Y o-> X").to_pcalg(), MixedGraph.parse("Y o-> X").to_causallearn()
    assert pcalg.names == causal_learn.names == ("X", "Y")
    assert pcalg.matrix.tolist() == [[0, 1], [2, 0]]  # at (X, Y) the mark at Y, a circle
    assert causal_learn.matrix.tolist() == [[0, 1], [2, 0]]  # at (X, Y) the mark at X, an arrowhead
    assert pcalg.matrix.dtype == causal_learn.matrix.dtype == numpy.int64
    pcalg.matrix[0, 1] = 0  # a copy, which may be changed


@pytest.mark.parametrize(
    ("matrix", "names", "message"),
    [
        ([[0, 1]], ["X", "Y"], "2 names need a matrix of 2 x 2, not 1 x 2"),
        ([[0, 1], [1]], ["X", "Y"], "2 names need a matrix of 2 x 2, not 0"),
        ([[0, 1], [0.5, 0]], ["X", "Y"], r"entry \('Y', 'X'\) = 0.5 is not a mark"),
        ([[0, 1], [1, 0]], ["X", 3], "3 is not a name"),
        (numpy.zeros((2, 2, 2)), ["X", "Y"], "not 2 x 2 x 2"),
    ],
)
def test_wrong_arrays(matrix: Any, names: list[str], message: str) -> None:
    with pytest.raises(GraphError, match=message):
        from_pcalg(matrix, names)


# causal-learn's add_edge leaves "o--" out without a word; its matrix could hold it.
COMMON = MixedGraph.build(ALL_MARKS.names, [edge for edge in ALL_MARKS.edges() if edge.symbol != "o--"])


def test_causal_learn_agrees() -> None:
    pytest.importorskip("causallearn")
    from causallearn.graph.Edge import Edge
    from causallearn.graph.Endpoint import Endpoint
    from causallearn.graph.GeneralGraph import GeneralGraph
    from causallearn.graph.GraphNode import GraphNode

    nodes = {name: GraphNode(name) for name in COMMON.names}
    endpoints = {"ARROW": Endpoint.ARROW, "TAIL": Endpoint.TAIL, "CIRCLE": Endpoint.CIRCLE}
    theirs = GeneralGraph(list(nodes.values()))
    for x, mark_x, mark_y, y in COMMON.edges():
        theirs.add_edge(Edge(nodes[x], nodes[y], endpoints[mark_x.name], endpoints[mark_y.name]))
    assert COMMON.to_causallearn().matrix.tolist() == theirs.graph.tolist()
    assert from_causallearn(theirs.graph, nodes) == COMMON
    assert reads(str(theirs)) == COMMON  # Tetrad's text


def test_causal_learn_reads_our_tetrad_text(tmp_path: Path) -> None:
    pytest.importorskip("causallearn")
    from causallearn.utils.TXT2GeneralGraph import txt2generalgraph

    write_graph(COMMON, tmp_path / "graph.txt", "tetrad")
    theirs = txt2generalgraph(str(tmp_path / "graph.txt"))
    assert from_causallearn(theirs.graph, theirs.get_node_names()) == COMMON


def test_networkx_marks() -> None:
    networkx = pytest.importorskip("networkx")
    graph = MixedGraph.parse("B o-> A; B -- C; D").to_networkx()
    assert type(graph) is networkx.Graph
    assert graph.edges["A", "B"] == {"marks": {"A": ">", "B": "o"}}
    assert graph.edges["B", "C"] == {"marks": {"B": "-", "C": "-"}}
    assert set(graph.nodes) == {"A", "B", "C", "D"}
    assert type(ADMG.to_networkx()) is networkx.MultiGraph


def test_networkx_directed_graphs_need_no_marks() -> None:
    networkx = pytest.importorskip("networkx")
    assert from_networkx(networkx.DiGraph([("X", "Y"), ("Z", "Y")])) == MixedGraph.parse("X -> Y; Z -> Y")


def test_networkx_graphs_that_are_wrong() -> None:
    networkx = pytest.importorskip("networkx")
    with pytest.raises(GraphError, match="the node 1 is not text"):
        from_networkx(networkx.Graph([(1, 2)]))
    for marks in (
        {},
        {"marks": {"X": "-"}},
        {"marks": {"X": "-", "Y": "<"}},
        {"marks": {"X": "-", "Y": []}},
        {"marks": "->"},
    ):
        with pytest.raises(GraphError, match="the edge between 'X' and 'Y' has marks="):
            from_networkx(networkx.Graph([("X", "Y", marks)]))


def test_packages_that_are_not_there_are_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for package in ("networkx", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(WeftError, match="pip install networkx"):
        ADMG.to_networkx()
    with pytest.raises(WeftError, match=r"pip install 'weft\[parquet\]'"):
        write_graph(ADMG, tmp_path / "graph.parquet")


# -- files and streams -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["g.weft", "g.csv", "g.dagitty", "g.DAGITTY", "g.parquet", "g.pq"])
def test_the_suffix_tells_the_format(name: str, tmp_path: Path) -> None:
    if name.endswith(("parquet", "pq")):
        pytest.importorskip("pyarrow")
    write_graph(ADMG, tmp_path / name)
    assert read_graph(tmp_path / name) == ADMG
    assert read_graph(str(tmp_path / name)) == ADMG


@pytest.mark.parametrize("format", ["tetrad", "dagitty", "weft", "edges", "parquet"])
def test_the_content_tells_the_format(format: str, tmp_path: Path) -> None:
    if format == "parquet":
        pytest.importorskip("pyarrow")
    for name in ("g.txt", "g"):
        write_graph(ADMG, tmp_path / name, format)
        assert read_graph(tmp_path / name) == ADMG


def test_what_the_name_does_not_tell(tmp_path: Path) -> None:
    with pytest.raises(
        GraphError, match=r"g.txt: the format may be tetrad or weft; name it with format=, one of tetrad, "
    ):
        write_graph(ADMG, tmp_path / "g.txt")
    with pytest.raises(GraphError, match=r"g: the format cannot be told by the name; name it with format="):
        write_graph(ADMG, tmp_path / "g")
    with pytest.raises(GraphError, match=r"^the format cannot be told by the name"):
        write_graph(ADMG, io.StringIO())
    assert list(tmp_path.iterdir()) == []


def test_a_refused_graph_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    path = tmp_path / "g.csv"
    path.write_text("precious")
    with pytest.raises(GraphError, match=r"g.csv: 'X' and 'Y' are joined"):
        write_graph(ADMG, path, "pcalg")
    assert path.read_text() == "precious"


def test_streams_of_text_and_bytes() -> None:
    text, data = io.StringIO(), io.BytesIO()
    write_graph(ADMG, text, "edges")
    write_graph(ADMG, data, "edges")
    assert text.getvalue().encode() == data.getvalue()
    assert read_graph(io.StringIO(text.getvalue())) == read_graph(io.BytesIO(data.getvalue())) == ADMG
    with pytest.raises(GraphError, match="open the file as bytes"):
        read_graph(io.StringIO("PAR1"), "parquet")


def test_parquet_needs_a_stream_of_bytes() -> None:
    pytest.importorskip("pyarrow")
    with pytest.raises(GraphError, match="open the file as bytes"):
        write_graph(ADMG, io.StringIO(), "parquet")
    with pytest.raises(GraphError, match="parquet is not text; write it to a file"):
        writes(ADMG, "parquet")


def test_parquet_of_other_programs(tmp_path: Path) -> None:
    pandas = pytest.importorskip("pandas")
    pytest.importorskip("pyarrow")
    table = {"to": ["Y", None], "edge": ["o->", None], "from": ["X", "Z"], "share": [0.5, None]}
    pandas.DataFrame(table).astype({"edge": "category"}).to_parquet(tmp_path / "g.parquet")
    assert read_graph(tmp_path / "g.parquet") == MixedGraph.parse("X o-> Y; Z")
    pandas.DataFrame({"from": ["X"], "to": ["Y"]}).to_parquet(tmp_path / "g.parquet")
    with pytest.raises(GraphError, match=r"g.parquet: expected the columns 'from', 'edge' and 'to', found from, to"):
        read_graph(tmp_path / "g.parquet")
    (tmp_path / "g.parquet").write_bytes(b"PAR1 and no more")
    with pytest.raises(GraphError, match=r"g.parquet: this is not a whole Parquet file"):
        read_graph(tmp_path / "g.parquet")


def test_files_that_cannot_be_read_or_written(tmp_path: Path) -> None:
    (tmp_path / "latin.weft").write_bytes(b"X -> Y\nZ -> \xe9\n")
    (tmp_path / "bad.csv").write_text("from,edge,to\nX,=>,Y\n")
    for name, message in (
        ("none.csv", "none.csv: there is no such file"),
        ("latin.weft", "latin.weft: line 2: not UTF-8 text"),
        ("bad.csv", "bad.csv: line 2: '=>' is not an edge"),
        ("g.dot", "g.dot: there is no such file"),
        ("", "this is a directory"),
        ("a\0b", "null byte"),
    ):
        with pytest.raises(GraphError, match=message):
            read_graph(tmp_path / name)
    with pytest.raises(GraphError, match=r"g.csv: there is no such directory to write to"):
        write_graph(ADMG, tmp_path / "none" / "g.csv")


def test_every_format_says_what_it_is() -> None:
    assert all(name == format.name and format.description for name, format in FORMATS.items())
    assert all(format.read or format.write for format in FORMATS.values())
    assert [name for name, format in FORMATS.items() if format.read is None] == [
        "dagitty-mag", "dowhy", "dot", "graphml", "cytoscape"]  # fmt: skip


def test_the_page_on_formats_is_true() -> None:
    page = Path(__file__).parents[3] / "docs" / "formats.md"
    assert doctest.testfile(str(page), module_relative=False).failed == 0
    rows = re.findall(r"^\| `([a-z-]+)` \| (.*?) \| (.*?) \|", page.read_text(encoding="utf-8"), flags=re.MULTILINE)
    documented = {name: (re.findall(r"`(.*?)`", suffixes), ways) for name, suffixes, ways in rows}
    assert documented == {
        name: ([s for s in format.suffixes if s != ".txt"], "read, write" if format.read else "write")
        for name, format in FORMATS.items()
    }
