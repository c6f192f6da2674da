"""MixedGraph: its text form, its parts, and what it refuses."""

from __future__ import annotations

import subprocess
import sys

import numpy
import pytest

from tests.support.graphs import DOUBLED, SELECTION, all_graphs
from weft.errors import GraphError
from weft.graphs.mixed import EDGE_SYMBOLS, Edge, Mark, MixedGraph, bits, quote

NINE_EDGES = {
    "->": (Mark.TAIL, Mark.ARROW),
    "<-": (Mark.ARROW, Mark.TAIL),
    "<->": (Mark.ARROW, Mark.ARROW),
    "--": (Mark.TAIL, Mark.TAIL),
    "o->": (Mark.CIRCLE, Mark.ARROW),
    "<-o": (Mark.ARROW, Mark.CIRCLE),
    "o-o": (Mark.CIRCLE, Mark.CIRCLE),
    "o--": (Mark.CIRCLE, Mark.TAIL),
    "--o": (Mark.TAIL, Mark.CIRCLE),
}


class TestEdgeSymbols:
    @pytest.mark.parametrize("symbol", NINE_EDGES)
    def test_each_edge_has_its_marks_and_is_read_from_either_end(self, symbol: str) -> None:
        graph = MixedGraph.parse(f"X {symbol} Y")
        mark_x, mark_y = NINE_EDGES[symbol]
        assert (graph.mark("Y", "X"), graph.mark("X", "Y")) == (mark_x, mark_y)
        assert graph.edge("X", "Y") == symbol
        assert NINE_EDGES[graph.edge("Y", "X") or ""] == (mark_y, mark_x)
        assert Edge("X", mark_x, mark_y, "Y").symbol == symbol

    @pytest.mark.parametrize("symbol", NINE_EDGES)
    def test_each_edge_prints_as_text_that_reads_back(self, symbol: str) -> None:
        graph = MixedGraph.parse(f"X {symbol} Y")
        assert MixedGraph.parse(str(graph)) == graph
        assert len(graph.edges()) == 1

    def test_long_arrows_are_the_short_ones(self) -> None:
        assert MixedGraph.parse("A --> B; C <-- D; E --- F") == MixedGraph.parse("A -> B; C <- D; E -- F")
        assert set(EDGE_SYMBOLS) == {*NINE_EDGES, "-->", "<--", "---"}

    def test_edges_point_at_their_arrowhead(self) -> None:
        assert str(MixedGraph.parse("A <- B; C <-o D; E --o F")) == "B -> A; D o-> C; E --o F"


class TestParse:
    @pytest.mark.parametrize(
        ("text", "printed"),
        [
            ("", ""),
            (" ;; \n ; ", ""),
            ("X", "X"),
            ("B; A", "A; B"),
            ("X->Y", "X -> Y"),
            ("X<->Y;Y--Z", "X <-> Y; Y -- Z"),
            ("X -> Y -> Z <-> W", "W <-> Z; X -> Y; Y -> Z"),
            ("X -> Y\nY -> Z", "X -> Y; Y -> Z"),
            ("X -> Y;\r\n\tZ", "X -> Y; Z"),
            ("X <-> Y; X -> Y", "X -> Y; X <-> Y"),
            ("X -> Y; X -> Y; Y <- X", "X -> Y"),
            ("X <-> Y; X -> Y; Y <-> X; X -> Y", "X -> Y; X <-> Y"),
            ("foo -> o", "foo -> o"),
            ("o o-o oo", "o o-o oo"),
            ("age-group -> bmi.kg/m2", "age-group -> bmi.kg/m2"),
            ('"X" -> Y', "X -> Y"),
            ('"a b" -> ";"', '"a b" -> ";"'),
            ('"->" -> "o-o"', '"->" -> "o-o"'),
            ('""', '""'),
            (r'"say \"hi\"" -> "back\\slash"', r'"say \"hi\"" -> "back\\slash"'),
            (r'"two\nlines"', r'"two\nlines"'),
            ("größe -> Ω; 変数", "größe -> Ω; 変数"),
        ],
    )
    def test_text_is_read_and_printed_in_normal_form(self, text: str, printed: str) -> None:
        graph = MixedGraph.parse(text)
        assert str(graph) == printed
        assert MixedGraph.parse(str(graph)) == graph

    def test_the_printed_form_is_in_the_order_of_the_names(self) -> None:
        assert str(MixedGraph.parse("Z <-> W; Y -> Z; X; X -> Y; A")) == "W <-> Z; X -> Y; Y -> Z; A"

    def test_quoted_names_are_taken_as_they_are(self) -> None:
        assert MixedGraph.parse(r'"a -> b; c" -> "x\ny\\z\""').names == ("a -> b; c", 'x\ny\\z"')

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("X ->", "ends with an edge"),
            ("-> X", "expected a name where '->' stands"),
            ("X Y", "expected an edge such as '->' where 'Y' stands"),
            ("X -> -> Y", "expected a name where '->' stands"),
            ("X -> Y Z", "expected an edge"),
            ("X => Y", "expected an edge such as '->' where '=>' stands"),
            ('X "->" Y', "expected an edge"),
            ('X -> "Y', "quote at character 6 is never closed"),
            ("X -> X", "joins a vertex to itself"),
            ("X -> Y; Y -> X", "cannot stand together"),
            ("X -> Y; X <-> Y; Y -> X", "cannot stand together"),
            ("X -- Y; X <-> Y", "cannot stand together"),
            ("X o-> Y; X -> Y", "cannot stand together"),
            ("X o-> Y; X <-> Y", "cannot stand together"),
        ],
    )
    def test_errors_say_what_is_wrong_in_one_line(self, text: str, message: str) -> None:
        with pytest.raises(GraphError) as caught:
            MixedGraph.parse(text)
        assert message in str(caught.value)
        assert "\n" not in str(caught.value)

    @pytest.mark.parametrize("text", [r'"a\nb" Y', r'X "c\nd"', r'X -> "a\nb" ->'])
    def test_errors_stay_one_line_when_a_name_has_two(self, text: str) -> None:
        with pytest.raises(GraphError) as caught:
            MixedGraph.parse(text)
        assert "\n" not in str(caught.value)


class TestQuote:
    @pytest.mark.parametrize("name", ["X", "x1", "1", "_", "o", "oo", "age-group", "a.b/c:d+e", "Ω"])
    def test_plain_names_stay_bare(self, name: str) -> None:
        assert quote(name) == name

    @pytest.mark.parametrize(
        "name", ["", " ", "a b", "->", "o-o", "o--", "--o", "a-", "a->b", "a--b", "a<-b", "a;b", '"', "\\"]
    )
    def test_names_that_could_be_misread_are_quoted(self, name: str) -> None:
        assert quote(name).startswith('"')
        assert MixedGraph.parse(quote(name)).names == (name,)


class TestEquality:
    def test_the_order_of_text_does_not_matter(self) -> None:
        one, other = MixedGraph.parse("X -> Y; Y <-> Z; W"), MixedGraph.parse("W; Z <-> Y; Y <- X")
        assert one == other
        assert hash(one) == hash(other)

    def test_every_graph_on_three_variables_is_its_own_value(self) -> None:
        choices = (*DOUBLED, *SELECTION, "o->", "<-o", "o-o", "o--", "--o")
        graphs = list(all_graphs(3, choices))
        assert len(set(graphs)) == len(graphs) == 12**3
        assert all(MixedGraph.parse(str(graph)) == graph for graph in graphs)

    def test_names_matter(self) -> None:
        assert MixedGraph.parse("X -> Y") != MixedGraph.parse("X -> Z")
        assert MixedGraph.parse("X -> Y") != MixedGraph.parse("X -> Y; Z")

    def test_the_representation_makes_an_equal_graph(self) -> None:
        graph = MixedGraph.parse(r'X -> Y; X <-> Y; "a \"b\"\n" o-o Y')
        assert eval(repr(graph)) == graph

    def test_it_is_frozen(self) -> None:
        with pytest.raises(AttributeError):
            MixedGraph.parse("X").names = ("Y",)  # type: ignore[misc]


class TestBuild:
    def test_names_may_repeat_and_ends_need_not_be_listed(self) -> None:
        edge = Edge("B", Mark.TAIL, Mark.ARROW, "A")
        assert MixedGraph.build(["C", "C"], [edge]) == MixedGraph.parse("B -> A; C")

    def test_a_reversed_edge_is_the_same_edge(self) -> None:
        edge = Edge("A", Mark.CIRCLE, Mark.ARROW, "B")
        assert edge.reversed() == Edge("B", Mark.ARROW, Mark.CIRCLE, "A")
        assert MixedGraph.build([], [edge.reversed()]) == MixedGraph.build([], [edge])

    def test_building_from_its_own_edges_gives_the_graph_back(self) -> None:
        for graph in all_graphs(3, (*DOUBLED, *SELECTION)):
            assert MixedGraph.build(graph.names, graph.edges()) == graph


class TestReading:
    GRAPH = MixedGraph.parse("A -> B; A <-> B; B -- C; D <-> C; E o-> A; F")

    def names(self, masks: tuple[int, ...]) -> dict[str, str]:
        return {name: "".join(self.GRAPH.names_of(mask)) for name, mask in zip(self.GRAPH.names, masks, strict=True)}

    def test_vertex_sets_by_kind_of_edge(self) -> None:
        assert self.names(self.GRAPH.parents) == {"A": "", "B": "A", "C": "", "D": "", "E": "", "F": ""}
        assert self.names(self.GRAPH.children) == {"A": "B", "B": "", "C": "", "D": "", "E": "", "F": ""}
        assert self.names(self.GRAPH.spouses) == {"A": "B", "B": "A", "C": "D", "D": "C", "E": "", "F": ""}
        assert self.names(self.GRAPH.neighbours) == {"A": "", "B": "C", "C": "B", "D": "", "E": "", "F": ""}
        assert self.names(self.GRAPH.adjacencies) == {"A": "BE", "B": "AC", "C": "BD", "D": "C", "E": "A", "F": ""}

    def test_edge_and_mark(self) -> None:
        assert self.GRAPH.edge("A", "B") == "-> & <->"
        assert self.GRAPH.edge("B", "A") == "<- & <->"
        assert self.GRAPH.edge("A", "E") == "<-o"
        assert self.GRAPH.edge("A", "F") is None
        assert self.GRAPH.mark("A", "B") is Mark.ARROW
        assert self.GRAPH.mark("B", "A") is Mark.TAIL  # of the directed edge
        assert self.GRAPH.mark("A", "F") is Mark.NONE

    def test_a_doubled_pair_gives_two_edges(self) -> None:
        assert [str(edge) for edge in self.GRAPH.edges()] == ["A -> B", "A <-> B", "E o-> A", "B -- C", "C <-> D"]

    def test_undoubled_keeps_the_directed_edge(self) -> None:
        assert MixedGraph.parse("A <-> B; B -> A; B <-> C").undoubled() == MixedGraph.parse("B -> A; B <-> C")

    def test_kinds(self) -> None:
        assert self.GRAPH.has_circles
        assert self.GRAPH.has_selection
        plain = MixedGraph.parse("A -> B <-> C")
        assert not plain.has_circles
        assert not plain.has_selection

    def test_the_matrix_has_the_mark_at_the_column(self) -> None:
        matrix = MixedGraph.parse("A o-> B; B -- C").matrix
        assert matrix.dtype == numpy.uint8
        assert matrix.tolist() == [[0, 2, 0], [1, 0, 3], [0, 3, 0]]  # pcalg: 1 circle, 2 arrow, 3 tail
        with pytest.raises(ValueError, match="read-only"):
            matrix[0, 0] = 1

    def test_masks(self) -> None:
        graph = MixedGraph.parse("C; A; B")
        assert graph.size == 3
        assert graph.index("B") == 1
        assert graph.mask(["C", "A", "C"]) == 0b101
        assert graph.names_of(0b110) == ("B", "C")
        assert list(bits(0)) == []
        assert list(bits(1 << 300 | 1)) == [0, 300]

    def test_an_unknown_vertex_is_named(self) -> None:
        with pytest.raises(GraphError, match="'Q' is not a vertex of the graph; it has A, B"):
            MixedGraph.parse("A -> B").mark("A", "Q")

    def test_an_unknown_vertex_is_named_in_one_line(self) -> None:
        with pytest.raises(GraphError) as caught:
            MixedGraph.parse(r'"A\nB"').index("Q\nR")
        assert "\n" not in str(caught.value)


def test_graphs_are_imported_without_numpy() -> None:
    """The command line must start at once."""
    command = "import sys, weft.graphs; sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", command], check=False).returncode == 0
