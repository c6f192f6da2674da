"""The steps of the paper's search one by one, and its whole on the paper's examples."""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import pytest

from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Evidence, Relation, Scope, Separated
from weft.graphs.criteria import Structure
from weft.graphs.equivalence import mags_of, pag_of
from weft.graphs.mixed import MixedGraph
from weft.search.brute import Brute
from weft.search.powerset import (
    Powerset,
    Triple,
    consistent_pags,
    edges_to_remove,
    global_graph,
    immoralities_to_orient,
    known_immoralities,
    possible_separators,
    power_set,
    sizes,
    triples,
    unshielded_triples,
)
from weft.search.problem import Problem, is_solution

CHAIN = oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])
SYNTHETIC_2 = oracle("Y -> X; Y -> Z; Z -> W; W -> V; S -> V", [list("XYZ"), list("ZWSV")])

# In G, X - Y seems necessary unless Possible-Sep passes through B and Y, which no study shows to be colliders.
HIDDEN_COLLIDER = "X -> B; C -> B; B -> D; D -> Y; C -> Y"
HIDDEN_COLLIDER_STUDIES = (list("BXY"), list("BDX"), list("CX"), list("BCDY"))


def named(graph: MixedGraph, triple: Triple) -> str:
    x, z, y = (graph.names[v] for v in triple)
    return f"{x}{z}{y}"


# -- the power set -----------------------------------------------------------------------------------------------------


def test_power_set_holds_every_subset_once() -> None:
    found = list(power_set(range(6)))
    assert len(found) == len(set(found)) == 2**6
    assert found[0] == ()
    assert [len(subset) for subset in found] == sorted(len(subset) for subset in found)


def test_power_set_is_lazy() -> None:
    assert list(itertools.islice(power_set(range(200)), 3)) == [(), (0,), (1,)]


# -- G -----------------------------------------------------------------------------------------------------------------


def test_global_graph_lacks_separated_pairs_and_has_the_studies_immoralities() -> None:
    graph = global_graph(Problem.of(SYNTHETIC_2, "iod"))
    missing = {(x, y) for x, y in itertools.combinations(graph.names, 2) if graph.edge(x, y) is None}
    assert missing == {("X", "Z"), ("S", "Z"), ("S", "W"), ("V", "Z")}
    assert [str(edge) for edge in graph.edges() if edge.symbol != "o-o"] == ["S o-> V", "W o-> V"]


@pytest.mark.parametrize("method", ["iod-bcd", "causal-iod"])
def test_global_graph_is_oriented_by_relations(method: str) -> None:
    graph = global_graph(Problem.of(SYNTHETIC_2, method))
    oriented = {str(edge) for edge in graph.edges() if edge.symbol != "o-o"}
    assert oriented == {"Y -> X", "Y -> Z", "Z -> W", "W -> V", "S -> V"}


def test_a_relation_that_leaves_a_choice_orients_what_is_common_to_it() -> None:
    allowed = frozenset({Structure.CAUSES, Structure.CAUSES_COMMON, Structure.COMMON})
    evidence = Evidence(CHAIN.studies, (*CHAIN.connected, Relation("X", "Y", allowed)))
    assert global_graph(Problem.of(evidence, "causal-iod")).edge("X", "Y") == "o->"


# -- RemoveEdges -------------------------------------------------------------------------------------------------------


def test_an_edge_is_certain_if_one_study_measured_all_that_could_separate_it() -> None:
    problem = Problem.of(oracle("A -> B; B -> C", [["A", "B", "C"]]), "iod")
    assert edges_to_remove(problem, global_graph(problem)) == []


def test_every_edge_is_in_doubt_when_no_study_sees_a_whole_neighbourhood() -> None:
    problem = Problem.of(CHAIN, "iod")
    assert edges_to_remove(problem, global_graph(problem)) == [(0, 1), (0, 2), (1, 2)]


def test_a_pair_that_was_measured_but_not_reported_stays_in_doubt() -> None:
    evidence = oracle("A -> B; B -> C", [["A", "B", "C"]])
    partial = evidence.with_statements(s for s in evidence.connected if (s.x, s.y) != ("A", "B"))
    problem = Problem.of(partial, "iod")
    assert (0, 1) in edges_to_remove(problem, global_graph(problem))
    assert set(Powerset().graphs(problem)) == set(Brute().graphs(problem))


def test_possible_separators_pass_through_possible_colliders() -> None:
    problem = Problem.of(oracle(HIDDEN_COLLIDER, HIDDEN_COLLIDER_STUDIES), "iod")
    graph = global_graph(problem)
    assert graph.names_of(possible_separators(problem, graph, graph.index("X"))) == ("B", "C", "D", "Y")
    assert (graph.index("X"), graph.index("Y")) in edges_to_remove(problem, graph)


def test_possible_separators_do_not_pass_through_known_non_colliders() -> None:
    problem = Problem.of(oracle("A -> B; B -> C; C -> D", [list("ABCD")]), "iod")
    graph = global_graph(problem)
    assert graph.names_of(possible_separators(problem, graph, 0)) == ("B",)


def test_the_truth_behind_a_hidden_collider_is_found() -> None:
    problem = Problem.of(oracle(HIDDEN_COLLIDER, HIDDEN_COLLIDER_STUDIES), "iod")
    found = list(Powerset().graphs(problem))
    assert MixedGraph.parse(HIDDEN_COLLIDER) in found
    assert len(found) == len(set(found)) == 6


# -- PossImmoralities --------------------------------------------------------------------------------------------------


def test_immoralities_of_the_first_round() -> None:
    problem = Problem.of(SYNTHETIC_2, "iod")
    graph = global_graph(problem)
    assert {named(graph, t) for t in immoralities_to_orient(problem, graph)} == {"SXW", "SYW", "SYZ", "VYZ", "XWZ"}
    assert {named(graph, t) for t in known_immoralities(problem, graph)} == {"SVW"}


def test_relations_leave_fewer_immoralities() -> None:
    problem = Problem.of(SYNTHETIC_2, "causal-iod")
    graph = global_graph(problem)
    assert {named(graph, t) for t in immoralities_to_orient(problem, graph)} == {"SXW", "SYW", "XWZ"}


def test_a_study_that_did_not_measure_the_middle_does_not_tell() -> None:
    problem = Problem.of(oracle("A -> C; B -> C", [["A", "B"], ["B", "C"], ["A", "C"]]), "iod")
    graph = global_graph(problem)
    assert immoralities_to_orient(problem, graph) == [Triple(0, 2, 1)]
    assert known_immoralities(problem, graph) == []


def test_a_study_of_separations_only_tells_about_the_variables_it_speaks_of() -> None:
    studies = (Scope("a", ("A", "B", "C")), Scope("b", ("A", "B", "C")))
    separated = Separated("A", "B", frozenset({"C"}), ("a",))
    problem = Problem.of(Evidence(studies, (separated,)), "iod")
    graph = global_graph(problem)
    assert immoralities_to_orient(problem, graph) == known_immoralities(problem, graph) == []
    assert set(Powerset().graphs(problem)) == set(Brute().graphs(problem))


def test_triples() -> None:
    graph = MixedGraph.parse("A o-o B; B o-o C; A o-o C; C o-o D")
    assert {named(graph, t) for t in triples(graph)} == {"ABC", "BAC", "ACB", "ACD", "BCD"}
    assert {named(graph, t) for t in unshielded_triples(graph)} == {"ACD", "BCD"}


# -- sizes -------------------------------------------------------------------------------------------------------------


def test_sizes_of_synthetic_2_for_iod() -> None:
    found = sizes(Problem.of(SYNTHETIC_2, "iod"))
    assert (found.edges_to_remove, found.immoralities_first, found.immoralities_largest) == (11, 5, 12)
    assert found.candidates == 129_871  # the number that rIOD reports
    assert found.triples_first == 29  # the number that the paper prints


def test_sizes_of_synthetic_2_for_causal_iod() -> None:
    found = sizes(Problem.of(SYNTHETIC_2, "causal-iod"))
    assert (found.edges_to_remove, found.immoralities_first, found.immoralities_largest) == (11, 3, 11)
    assert found.candidates == 32_997
    assert found.triples_first == 8  # the number that the paper prints


def test_sizes_count_the_rounds_of_the_search() -> None:
    problem = Problem.of(CHAIN, "iod")
    found = sizes(problem)
    assert found.edges_to_remove == 3
    assert found.candidates == 8 + 3  # of the eight graphs, the three with two edges have one triple each
    assert found.immoralities_largest == 1


def test_sizes_give_up_where_there_are_too_many_rounds() -> None:
    found = sizes(Problem.of(SYNTHETIC_2, "iod"), limit=2**10)
    assert found.candidates is found.immoralities_largest is None
    assert found.edges_to_remove == 11


# -- the whole search --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("method", "selection", "count"),
    [("iod", False, 38), ("iod", True, 51), ("iod-bcd", False, 6), ("causal-iod", False, 1), ("causal-iod", True, 1)],
)
def test_chain(method: str, selection: bool, count: int) -> None:
    found = list(Powerset().graphs(Problem.of(CHAIN, method, selection=selection)))
    assert len(found) == len(set(found)) == count


def test_motivating_example() -> None:
    evidence = oracle("Y -> X; Y <-> Z", [["X", "Y"], ["Y", "Z"]])
    found = set(Powerset().graphs(Problem.of(evidence, "causal-iod")))
    assert found == {MixedGraph.parse("Y -> X; Y <-> Z"), MixedGraph.parse("Y -> X; Y <-> Z; X <-> Z")}


def test_direct_and_common_cause() -> None:
    evidence = oracle("X -> Y; X <-> Y; Y -> Z", [["X", "Y"], ["Y", "Z"]])
    assert [str(mag) for mag in Powerset().graphs(Problem.of(evidence, "causal-iod"))] == ["X -> Y; Y -> Z"]


@pytest.mark.parametrize("selection", [False, True])
def test_consistent_pags_are_pags_and_different(selection: bool) -> None:
    pags = list(consistent_pags(Problem.of(CHAIN, "iod", selection=selection)))
    assert len(pags) == len(set(pags)) == 5
    for pag in pags:
        assert {pag_of(mag, selection=selection) for mag in mags_of(pag, selection=selection)} == {pag}


def test_pags_that_contradict_a_relation_are_dropped() -> None:
    evidence = oracle("A -> B; B -> C; B -> D", [["A", "B"], ["B", "C"], ["B", "D"]])
    known = evidence.with_statements((*evidence.connected, Relation("A", "B", frozenset({Structure.CAUSES}))))
    pag = MixedGraph.parse("C o-> B; D o-> B; B -> A")
    assert pag in set(consistent_pags(Problem.of(known, "iod")))
    assert pag not in set(consistent_pags(Problem.of(known, "iod-bcd")))


def test_both_answers_of_rule_4_are_tried() -> None:
    # T *-> A <-* B, A -> C and B - C: T, A, B, C discriminates B, and no study separates T and C.
    problem = Problem.of(oracle("T -> A; B -> A; A -> C; B -> C", [["A", "B", "T"], ["A", "B", "C"]]), "iod")
    edges = "A -> C; T o-> A; "
    found = {str(pag) for pag in consistent_pags(problem)}
    assert {str(MixedGraph.parse(edges + rest)) for rest in ("B o-> A; B -> C", "A <-> B; B <-> C")} <= found


def test_inconsistent_evidence_has_no_answer() -> None:
    evidence = oracle("X -> Y", [["X", "Y"]])
    separated = Separated("X", "Y", frozenset(), ("b",))
    both = Evidence((*evidence.studies, Scope("b", ("X", "Y"))), (*evidence.connected, separated))
    assert list(Powerset().graphs(Problem.of(both, "iod"))) == []


def test_claims_narrow_the_answer() -> None:
    problem = Problem.of(CHAIN, "iod").with_claims([Claim.parse("X causes Z"), Claim.parse("not X -> Z")])
    found = set(Powerset().graphs(problem))
    assert found == set(Brute().graphs(problem))
    assert found


def test_the_search_is_lazy() -> None:
    problem = Problem(tuple(f"V{i:02}" for i in range(12)))  # 2^66 edge sets
    first = list(itertools.islice(Powerset().graphs(problem), 5))
    assert len(set(first)) == 5
    assert all(is_solution(problem, mag) for mag in first)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "pags", "mags"), [("iod", 332, 3913), ("iod-bcd", None, 285), ("causal-iod", None, 12)]
)
def test_synthetic_2(method: str, pags: int | None, mags: int) -> None:
    problem = Problem.of(SYNTHETIC_2, method)

    def found() -> Iterator[MixedGraph]:
        for mag in Powerset().graphs(problem):
            assert is_solution(problem, mag)
            yield mag

    answers = list(found())
    assert len(answers) == len(set(answers)) == mags
    if pags is not None:
        assert len({pag_of(mag) for mag in answers}) == pags
