"""What a method makes of evidence, and the plain definition of a right answer."""

from __future__ import annotations

import pytest

from weft.errors import ProblemError
from weft.evidence.claims import Claim
from weft.evidence.oracle import oracle
from weft.evidence.statements import Connected, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.search.kinds.oriented import edge_of
from weft.search.problem import METHODS, Problem, fitting_models, is_solution

STUDIES = (Scope("a", ("W", "X", "Y")), Scope("b", ("X", "Z")))
STATEMENTS = (
    Separated("W", "Y", frozenset({"X"}), ("a",)),
    Connected("a", "W", "X"),
    Connected("b", "X", "Z"),
    Relation("W", "X", frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})),
    Relation("W", "Z", frozenset({Structure.COMMON})),
)
EVIDENCE = Evidence(STUDIES, STATEMENTS)


def problem_of(*statements: Separated | Connected | Relation, method: str = "causal-iod") -> Problem:
    return Problem.of(Evidence((Scope("a", ("X", "Y", "Z")),), statements), method)


# -- methods -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
def test_independences_are_the_same_for_all_methods(method: str) -> None:
    problem = Problem.of(EVIDENCE, method)
    assert problem.names == ("W", "X", "Y", "Z")
    assert problem.studies == {"a": 0b0111, "b": 0b1010}
    assert [(s.x, s.y, s.given) for s in problem.separations] == [(0, 2, 0b0010)]
    assert [(c.x, c.y, c.latent) for c in problem.connections] == [(0, 1, 0b1000), (1, 3, 0b0101)]


@pytest.mark.parametrize("method", ["iod", "ion"])
def test_relations_mean_nothing_to_iod(method: str) -> None:
    problem = Problem.of(EVIDENCE, method)
    assert not problem.relations
    assert not problem.orientations


def test_iod_bcd_orients_the_pairs_that_are_connected() -> None:
    problem = Problem.of(EVIDENCE, "iod-bcd")
    assert problem.relations == ()
    assert [(o.x, o.y, o.allowed) for o in problem.orientations] == [(0, 1, frozenset({"->"}))]


def test_causal_iod_takes_every_relation() -> None:
    problem = Problem.of(EVIDENCE, "causal-iod")
    assert problem.orientations == ()
    assert [(r.x, r.y, r.allowed) for r in problem.relations] == [
        (0, 1, frozenset({Structure.CAUSES, Structure.CAUSES_COMMON})),
        (0, 3, frozenset({Structure.COMMON})),
    ]


def test_each_constraint_remembers_its_statement() -> None:
    problem = Problem.of(EVIDENCE, "causal-iod")
    origins: set[Statement] = {s.origin for s in problem.separations}
    origins |= {c.origin for c in problem.connections} | {r.origin for r in problem.relations}
    assert origins == set(STATEMENTS)


def test_unknown_method() -> None:
    with pytest.raises(ProblemError, match=r"^there is no method 'pc'; choose one of iod, iod-bcd, causal-iod, ion$"):
        Problem.of(EVIDENCE, "pc")


@pytest.mark.parametrize(
    ("structure", "edge"),
    [("none", "--"), ("->", "->"), ("<-", "<-"), ("<->", "<->"), ("-> & <->", "->"), ("<- & <->", "<-")],
)
def test_the_edge_that_goes_with_a_structure(structure: str, edge: str) -> None:
    assert edge_of(Structure(structure)) == edge


# -- claims ------------------------------------------------------------------------------------------------------------


def test_claims_add_up() -> None:
    first, second = Claim.parse("W causes Z"), Claim.parse("X -> Y")
    assert Problem.of(EVIDENCE).with_claims([first]).with_claims([second]).claims == (first, second)


@pytest.mark.parametrize("text", ["Q causes X", "X causes Q", "X -> Q", "Q and X are confounded"])
def test_a_claim_about_an_unknown_variable(text: str) -> None:
    with pytest.raises(ProblemError, match=r"'Q' is not one of the variables W, X, Y, Z$"):
        Problem.of(EVIDENCE).with_claims([Claim.parse(text)])


def test_a_claim_about_one_variable() -> None:
    with pytest.raises(ProblemError, match="name two different variables"):
        Problem.of(EVIDENCE).with_claims([Claim.parse("X causes X")])


# -- the definition ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X -> Y; Y -> Z", True),
        ("X; Y; Z", True),
        ("X -> Y; Y -> Z; Z -> X", False),
        ("X -> Y; Y <-> X; Z", False),
        ("X -- Y; Z", False),
    ],
)
def test_only_mags_without_selection_are_solutions_of_nothing(text: str, expected: bool) -> None:
    assert is_solution(problem_of(), MixedGraph.parse(text)) is expected


def test_with_selection_undirected_edges_are_allowed() -> None:
    assert is_solution(Problem(("X", "Y"), selection=True), MixedGraph.parse("X -- Y"))


def test_separations() -> None:
    problem = problem_of(Separated("X", "Z", frozenset({"Y"}), ("a",)))
    assert is_solution(problem, MixedGraph.parse("X -> Y; Y -> Z"))
    assert not is_solution(problem, MixedGraph.parse("X -> Y; Z -> Y"))


def test_connections_look_through_what_the_study_did_not_measure() -> None:
    studies = (Scope("a", ("X", "Z")), Scope("b", ("X", "Y", "Z")))
    chain = MixedGraph.parse("X -> Y; Y -> Z")
    assert is_solution(Problem.of(Evidence(studies, (Connected("a", "X", "Z"),))), chain)
    assert not is_solution(Problem.of(Evidence(studies, (Connected("b", "X", "Z"),))), chain)


def test_orientations_speak_of_edges_only() -> None:
    evidence = Evidence(
        (Scope("a", ("X", "Z")), Scope("b", ("X", "Y"))),
        (Connected("a", "X", "Z"), Relation("X", "Z", frozenset({Structure.CAUSED}))),
    )
    problem = Problem.of(evidence, "iod-bcd")
    assert is_solution(problem, MixedGraph.parse("X -> Y; Y -> Z"))  # wrong cause, but no edge
    assert is_solution(problem, MixedGraph.parse("Z -> X; Y"))
    assert not is_solution(problem, MixedGraph.parse("X -> Z; Y"))


def test_a_hidden_common_cause_is_found_behind_a_directed_edge() -> None:
    problem = problem_of(Relation("X", "Y", frozenset({Structure.CAUSES_COMMON})))
    mag = MixedGraph.parse("X -> Y; Z")
    assert is_solution(problem, mag)
    assert [str(model) for model in fitting_models(problem, mag)] == ["X -> Y; X <-> Y; Z"]


def test_a_hidden_common_cause_must_leave_the_mag_as_it_is() -> None:
    # With X <-> Y beside X -> Y, Y would be a collider on Z -> X <-> Y and Z, Y would need an edge.
    problem = problem_of(Relation("X", "Y", frozenset({Structure.CAUSES_COMMON})))
    assert not is_solution(problem, MixedGraph.parse("Z -> X; X -> Y"))


def test_claims_about_confounding_hold_in_one_model_together_with_the_relations() -> None:
    mag = MixedGraph.parse("X -> Y; Z")
    both = [Claim.parse("X and Y are confounded"), Claim.parse("X and Y are not confounded")]
    problem = problem_of()
    assert all(is_solution(problem.with_claims([claim]), mag) for claim in both)
    assert not is_solution(problem.with_claims(both), mag)
    related = problem_of(Relation("X", "Y", frozenset({Structure.CAUSES})))
    assert [is_solution(related.with_claims([claim]), mag) for claim in both] == [False, True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("X causes Z", True),
        ("not X causes Z", False),
        ("Z causes X", False),
        ("X -> Z", False),
        ("not X -> Z", True),
        ("X o-> Y", True),
        ("X <-o Y", False),
        ("X and Z are adjacent", False),
        ("X and Y are adjacent", True),
    ],
)
def test_claims_about_a_chain(text: str, expected: bool) -> None:
    problem = problem_of().with_claims([Claim.parse(text)])
    assert is_solution(problem, MixedGraph.parse("X -> Y; Y -> Z")) is expected


def test_contradictory_relations_of_one_pair_have_no_solution() -> None:
    relations = (Relation("X", "Y", frozenset({Structure.COMMON})), Relation("X", "Y", frozenset({Structure.CAUSES})))
    problem = Problem.of(Evidence((Scope("a", ("X", "Y")),), relations))
    assert len(problem.relations) == 2
    assert not any(is_solution(problem, MixedGraph.parse(text)) for text in ("X; Y", "X -> Y", "Y -> X", "X <-> Y"))


def test_the_truth_of_an_oracle_is_a_solution() -> None:
    truth = "X -> Y; X <-> Y; Y -> Z"
    evidence = oracle(truth, [["X", "Y"], ["Y", "Z"]])
    assert is_solution(Problem.of(evidence), MixedGraph.parse("X -> Y; Y -> Z"))


@pytest.mark.parametrize(
    ("weight", "method", "expected"),
    [(None, "causal-iod", False), (1.5, "causal-iod", True), (1.5, "iod-bcd", True), (1.5, "iod", False)],
)
def test_a_relation_that_may_be_wrong_is_a_judgement_where_the_method_heeds_it(
    weight: float | None, method: str, expected: bool
) -> None:
    problem = problem_of(
        Connected("a", "X", "Y", weight=2.0),
        Relation("X", "Y", frozenset({Structure.CAUSES}), weight),
        method=method,
    )
    assert problem.judges_directions is expected
