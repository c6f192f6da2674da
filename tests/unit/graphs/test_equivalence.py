"""PAGs, their rules and their MAGs: named graphs whose answer can be checked by hand."""

from __future__ import annotations

import itertools

import pytest

from tests.support.graphs import letters
from weft.errors import GraphError
from weft.graphs.ancestral import is_mag
from weft.graphs.equivalence import MagClasses, is_pag, mag_in, mags_of, markov_equivalent, pag_of
from weft.graphs.mixed import MixedGraph
from weft.graphs.pag import complete_orientation, complete_orientations

SQUARE = "A -- B; B -- C; C -- D; D -- A"

MAGS_AND_PAGS = {
    "one edge": ("X -> Y", "X o-o Y"),
    "chain": ("X -> Y -> Z", "X o-o Y o-o Z"),
    "collider": ("X -> Y <- Z", "X o-> Y; Z o-> Y"),
    "triangle": ("X -> Y -> Z; X -> Z", "X o-o Y o-o Z; X o-o Z"),
    "Y structure": ("X -> Y <- Z; Y -> W", "X o-> Y; Z o-> Y; Y -> W"),
    "confounded pair with two instruments": ("X -> A <-> B <- Y", "X o-> A; A <-> B; Y o-> B"),
    "discriminating path, non-collider": ("T -> A; B -> A; A -> C; B -> C", "T o-> A; B o-> A; A -> C; B -> C"),
    "discriminating path, collider": ("T -> A; A <-> B; A -> C; B <-> C", "T o-> A; A <-> B; A -> C; B <-> C"),
    "long discriminating path, collider": (
        "T -> Q; Q <-> A; A <-> B; Q -> C; A -> C; B <-> C",
        "T o-> Q; Q <-> A; A <-> B; Q -> C; A -> C; B <-> C",
    ),
    "long discriminating path, non-collider": (
        "T -> Q; Q <-> A; A <-> B; Q -> C; A -> C; B -> C",
        "T o-> Q; Q <-> A; B o-> A; Q -> C; A -> C; B -> C",
    ),
    "no edges": ("X; Y", "X; Y"),
    # The smallest graphs found where leaving out one rule gives another PAG.
    "needs R1": ("A -> B; C -> A; D -> A", "A -> B; C o-> A; D o-> A"),
    "needs R2": ("A <-> B; A -> C; D -> A; B <-> C; E -> B", "A <-> B; A -> C; D o-> A; B <-> C; E o-> B"),
    "needs R3": ("A -> B; A -> C; A -> D; C -> B; D -> B", "A o-> B; A o-o C; A o-o D; C o-> B; D o-> B"),
    "needs R4": ("A -> B; C -> A; D -> A; C -> B", "A -> B; C o-> A; D o-> A; C -> B"),
    "needs R5": (SQUARE, SQUARE),
    "needs R6": (f"{SQUARE}; A -> E", f"{SQUARE}; A --o E"),
    "needs R7": (f"{SQUARE}; A -> E -> F", f"{SQUARE}; A --o E; E --o F"),
    "needs R8": (
        "A -> C; A -> E; B -> D; B -> G; C -> D; F -> C; E -> D; F -> D; G -> D; E -> F; E -> G; G -> F",
        "A -> C; A o-o E; B o-> D; B o-> G; C -> D; F -> C; E -> D; F -> D; G -> D; E -> F; E o-> G; G -> F",
    ),
    "needs R9": ("A -> B; A -> C; B -> D; C -> D", "A o-o B; A o-o C; B -> D; C -> D"),
    "needs R10": (
        "A -> C; A -> D; A -> E; C -> B; D -> B; E -> B; D -> C; D -> E",
        "A o-o C; A o-o D; A o-o E; C -> B; D -> B; E -> B; C o-o D; D o-o E",
    ),
}


def unknown(_t: int, _a: int, _b: int, _c: int) -> None:
    """A caller that knows nothing about discriminating paths."""


def completed(text: str, *, collider: bool | None = None, selection: bool = True) -> MixedGraph | None:
    return complete_orientation(MixedGraph.parse(text), discriminated=lambda t, a, b, c: collider, selection=selection)


def all_circles(size: int) -> MixedGraph:
    edges = "; ".join(f"{x} o-o {y}" for x, y in itertools.combinations(letters(size), 2))
    return MixedGraph.parse(edges)


class TestPagOf:
    @pytest.mark.parametrize(("mag", "pag"), MAGS_AND_PAGS.values(), ids=MAGS_AND_PAGS)
    def test_named_graphs(self, mag: str, pag: str) -> None:
        assert pag_of(MixedGraph.parse(mag), selection=True) == MixedGraph.parse(pag)

    @pytest.mark.parametrize("name", [name for name, (mag, _) in MAGS_AND_PAGS.items() if "--" not in mag])
    def test_selection_changes_nothing_where_it_is_not_needed(self, name: str) -> None:
        mag, pag = MAGS_AND_PAGS[name]
        assert pag_of(MixedGraph.parse(mag), selection=False) == MixedGraph.parse(pag)

    def test_undirected_edges_that_are_not_needed_leave_no_trace(self) -> None:
        assert pag_of(MixedGraph.parse("X -- Y -- Z")) == MixedGraph.parse("X o-o Y o-o Z")

    def test_undirected_edges_that_are_needed_must_be_allowed(self) -> None:
        with pytest.raises(GraphError, match="selection=True"):
            pag_of(MixedGraph.parse(SQUARE))

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("X o-> Y", "circles"),
            ("X -> Y; X <-> Y", "one edge a pair"),
            ("X -> Y -> Z -> X", "not ancestral"),
            ("X -> Y -> Z; X <-> Z", "not ancestral"),
            ("X -- Y; Z -> Y", "not ancestral"),
            ("A <-> B <-> C <-> D; B -> D; C -> A", "not maximal"),
        ],
    )
    def test_takes_mags_only(self, text: str, message: str) -> None:
        with pytest.raises(GraphError, match=message):
            pag_of(MixedGraph.parse(text))

    def test_graphs_with_one_vertex_or_none(self) -> None:
        for graph in (MixedGraph.parse("X"), MixedGraph((), b"")):
            assert pag_of(graph) == graph
            assert list(mags_of(graph)) == [graph]
            assert MagClasses().add(graph) == 0


class TestMarkovEquivalent:
    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("X -> Y", "X -- Y"),
            ("X -> Y -> Z", "X <-> Y -> Z"),
            ("X -> Y <- Z", "X <-> Y <-> Z"),
            ("A -- B -- C", "A <- B -> C"),
            ("T -> A; B -> A; A -> C; B -> C", "T <-> A; A <-> B; A -> C; B -> C"),
        ],
    )
    def test_equivalent(self, a: str, b: str) -> None:
        assert markov_equivalent(MixedGraph.parse(a), MixedGraph.parse(b))
        assert markov_equivalent(MixedGraph.parse(b), MixedGraph.parse(a))

    @pytest.mark.parametrize(
        ("a", "b"),
        [
            ("X -> Y; Z", "X; Y; Z"),
            ("X -> Y -> Z", "X -> Y <- Z"),
            # the same edges and unshielded colliders: only the discriminating path T, A, B, C tells them apart
            ("T -> A; A <-> B; A -> C; B -> C", "T -> A; A <-> B; A -> C; B <-> C"),
            ("X -> Y", "X -> Y; Z"),
            ("X -> Y", "X -> Z"),
        ],
    )
    def test_not_equivalent(self, a: str, b: str) -> None:
        assert not markov_equivalent(MixedGraph.parse(a), MixedGraph.parse(b))
        assert not markov_equivalent(MixedGraph.parse(b), MixedGraph.parse(a))

    def test_takes_mags_only(self) -> None:
        with pytest.raises(GraphError, match="not ancestral"):
            markov_equivalent(MixedGraph.parse("X -> Y; Y -> Z; Z -> X"), MixedGraph.parse("X -> Y; Z"))


class TestRules:
    """Each rule by itself, on the smallest graph where it applies."""

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            pytest.param("A o-> B; B o-o C", "A o-> B; B -> C", id="R1"),
            pytest.param("A -> B; B o-> C; A o-o C", "A -> B; B o-> C; A o-> C", id="R2, first way"),
            pytest.param("A o-> B; B -> C; A o-o C", "A o-> B; B -> C; A o-> C", id="R2, second way"),
            pytest.param(
                "A o-> B; C o-> B; A o-o T; C o-o T; T o-o B", "A o-> B; C o-> B; A o-o T; C o-o T; T o-> B", id="R3"
            ),
            pytest.param("A o-o B; B o-o C; C o-o D; D o-o A", SQUARE, id="R5, four vertices"),
            pytest.param(
                "A o-o B; B o-o C; C o-o D; D o-o E; E o-o A", "A -- B; B -- C; C -- D; D -- E; E -- A", id="R5, five"
            ),
            pytest.param(
                "A o-o B; B o-o C; C o-o D; D o-o A; A o-o C", "A o-o B; B o-o C; C o-o D; D o-o A; A o-o C", id="no R5"
            ),
            pytest.param("A -- B; B o-o C", "A -- B; B --o C", id="R6"),
            pytest.param("A --o B; B o-o C", "A --o B; B --o C", id="R7"),
            pytest.param("A --o B; B o-o C; A o-o C", "A --o B; B o-o C; A o-o C", id="no R7"),
            pytest.param("A -> B; B -> C; A o-> C", "A -> B; B -> C; A -> C", id="R8, first way"),
            pytest.param("A --o B; B -> C; A o-> C", "A --o B; B -> C; A -> C", id="R8, second way"),
            pytest.param("A o-> C; A o-o B; B o-o D; D -> C", "A -> C; A o-o B; B o-o D; D -> C", id="R9"),
            pytest.param(
                "A o-> C; B -> C; T -> C; A o-o B; A o-o T", "A -> C; B -> C; T -> C; A o-o B; A o-o T", id="R10"
            ),
            pytest.param(
                "A o-> C; B -> C; T -> C; A o-o B; A o-o T; B o-o T",
                "A o-> C; B -> C; T -> C; A o-o B; A o-o T; B o-o T",
                id="no R10",
            ),
        ],
    )
    def test_rule(self, before: str, after: str) -> None:
        assert completed(before) == MixedGraph.parse(after)

    def test_without_selection_there_are_no_undirected_edges(self) -> None:
        circles = "A o-o B; B o-o C; C o-o D; D o-o A"
        assert completed(circles, selection=False) == MixedGraph.parse(circles)

    @pytest.mark.parametrize(
        ("collider", "after"),
        [
            (True, "T o-> Q; Q <-> A; A <-> B; Q -> C; A -> C; B <-> C"),
            (False, "T o-> Q; Q <-> A; B o-> A; Q -> C; A -> C; B -> C"),
            (None, "T o-> Q; Q <-> A; B o-> A; Q -> C; A -> C; B o-> C"),
        ],
    )
    def test_rule_4_asks(self, collider: bool | None, after: str) -> None:
        before = "T o-> Q; Q <-> A; B o-> A; Q -> C; A -> C; B o-> C"
        assert completed(before, collider=collider) == MixedGraph.parse(after)

    def test_rule_4_names_the_ends_of_the_path(self) -> None:
        graph = MixedGraph.parse("T o-> Q; Q <-> A; B o-> A; Q -> C; A -> C; B o-> C")
        questions = []

        def listen(*question: int) -> bool:
            questions.append("".join(graph.names[v] for v in question))
            return True

        complete_orientation(graph, discriminated=listen)
        assert questions == ["TABC"]


class TestCompleteOrientation:
    def test_does_not_change_what_it_is_given(self) -> None:
        graph = MixedGraph.parse("A o-> B; C o-> B; B o-o D")
        marks = graph.marks
        assert complete_orientation(graph, discriminated=unknown) != graph
        assert graph.marks == marks

    @pytest.mark.parametrize(
        "text",
        [
            "A o-> B; B o-- C",  # R1 wants an arrowhead where a tail is
            "A <-> D; C o-> B; B o-o D",  # R1 makes another unshielded collider, at D
            "B -> A; T o-> A; A -> C; B o-o C",  # fine by itself, but see the answer to R4
        ],
    )
    def test_contradictions(self, text: str) -> None:
        assert completed(text, collider=True, selection=False) is None

    def test_both_answers_to_a_question(self) -> None:
        graph = MixedGraph.parse("T o-> A; B o-> A; A o-o C; B o-o C")
        answers = set(complete_orientations(graph, discriminated=unknown))
        assert answers == {
            MixedGraph.parse("T o-> A; B o-> A; A -> C; B -> C"),
            MixedGraph.parse("T o-> A; A <-> B; A -> C; B <-> C"),
        }
        assert all(is_pag(pag) for pag in answers)

    def test_an_answer_that_contradicts_is_left_out(self) -> None:
        graph = MixedGraph.parse("B -> A; T o-> A; A -> C; B o-o C")
        assert list(complete_orientations(graph, discriminated=unknown)) == [
            MixedGraph.parse("B -> A; T o-> A; A -> C; B -> C")
        ]


class TestIsPag:
    @pytest.mark.parametrize(("mag", "pag"), MAGS_AND_PAGS.values(), ids=MAGS_AND_PAGS)
    def test_named_pags(self, mag: str, pag: str) -> None:
        assert is_pag(MixedGraph.parse(pag), selection=True)
        assert is_pag(MixedGraph.parse(pag), selection=False) == ("--" not in pag)

    @pytest.mark.parametrize(
        "text",
        [
            "X -> Y",
            "X o-> Y",
            "X o-> Y; Y o-o Z",
            "X -> Y; X <-> Y",
            "X -- Y",
            "A o-o B; B o-o C; C o-o D; D o-o A",  # a MAG must have undirected edges or a collider here
            "A -> B; B -> C; C -> A",
        ],
    )
    def test_others(self, text: str) -> None:
        assert not is_pag(MixedGraph.parse(text), selection=True)
        assert not is_pag(MixedGraph.parse(text), selection=False)


class TestMagsOf:
    def test_edge(self) -> None:
        pag = MixedGraph.parse("X o-o Y")
        assert {str(mag) for mag in mags_of(pag)} == {"X -> Y", "Y -> X", "X <-> Y"}
        assert {str(mag) for mag in mags_of(pag, selection=True)} == {"X -> Y", "Y -> X", "X <-> Y", "X -- Y"}

    def test_chain(self) -> None:
        """The middle is no collider: at most one arrowhead there, so 3 * 3 - 2 * 2 ways; with ``--`` three more."""
        pag = MixedGraph.parse("X o-o Y; Y o-o Z")
        assert len(set(mags_of(pag))) == 5
        assert {str(mag) for mag in mags_of(pag, selection=True) if mag.has_selection} == {
            "X -- Y; Y -- Z",
            "X -- Y; Y -> Z",
            "Y -> X; Y -- Z",
        }

    def test_triangle(self) -> None:
        """A triangle's circles can be filled in 27 ways without ``--``; 2 are cycles and 6 almost cycles."""
        assert len(set(mags_of(all_circles(3)))) == 27 - 2 - 6

    def test_a_pag_without_circles_has_one_mag(self) -> None:
        pag = MixedGraph.parse(SQUARE)
        assert list(mags_of(pag, selection=True)) == [pag]

    def test_the_same_order_every_time(self) -> None:
        assert list(mags_of(all_circles(4))) == list(mags_of(all_circles(4)))

    @pytest.mark.parametrize("selection", [False, True])
    def test_large_classes_are_listed_lazily(self, selection: bool) -> None:
        """Ten variables, all joined by ``o-o``: far more MAGs than could ever be listed."""
        first = list(itertools.islice(mags_of(all_circles(10), selection=selection), 50))
        assert len(set(first)) == 50
        assert all(is_mag(mag) for mag in first)

    def test_refuses_what_is_not_a_pag_at_once(self) -> None:
        with pytest.raises(GraphError, match="not the PAG of any MAG"):
            mags_of(MixedGraph.parse("X o-> Y"))
        with pytest.raises(GraphError, match="selection=True"):
            mags_of(MixedGraph.parse(SQUARE))
        with pytest.raises(GraphError, match="one edge a pair"):
            mags_of(MixedGraph.parse("X -> Y; X <-> Y"))


class TestMagIn:
    @pytest.mark.parametrize(("mag", "pag"), MAGS_AND_PAGS.values(), ids=MAGS_AND_PAGS)
    def test_is_in_the_class(self, mag: str, pag: str) -> None:
        found = mag_in(MixedGraph.parse(pag))
        assert is_mag(found)
        assert markov_equivalent(found, MixedGraph.parse(mag))

    def test_adds_no_common_cause_and_no_selection(self) -> None:
        pag = MixedGraph.parse("X o-> Y; Z o-> Y; A o-o B; B o-o C; A o-o C; C o-o D")
        assert {edge.symbol for edge in mag_in(pag).edges()} == {"->"}


class TestMagClasses:
    def test_numbers_in_the_order_of_arrival(self) -> None:
        classes = MagClasses()
        texts = (
            "T -> A <-> B; A -> C; B -> C",
            "T -> A <-> B; A -> C; B <-> C",
            "T <-> A <- B; A -> C; B -> C",
            "A; B; C; T",
        )
        assert [classes.add(MixedGraph.parse(text)) for text in texts] == [0, 1, 0, 2]
        assert len(classes) == 3
        assert classes.pag(0) == MixedGraph.parse("T o-> A; B o-> A; A -> C; B -> C")
        assert classes.pag(1) == MixedGraph.parse("T o-> A; A <-> B; A -> C; B <-> C")

    def test_undirected_edges(self) -> None:
        classes = MagClasses()
        texts = ("A -- B -- C", "A <- B -- C", "A -> B -> C", "A -> B <- C")
        assert [classes.add(MixedGraph.parse(text)) for text in texts] == [0, 0, 0, 1]

    def test_all_mags_have_the_same_variables(self) -> None:
        classes = MagClasses()
        classes.add(MixedGraph.parse("X -> Y"))
        with pytest.raises(GraphError, match="over X, Y take no MAG over X, Z"):
            classes.add(MixedGraph.parse("X -> Z"))
