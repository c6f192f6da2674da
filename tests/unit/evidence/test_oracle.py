"""The oracle: named cases, a slow twin that tries every subset, and the true MAG among the answers."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable, Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.graphs import admgs, all_mags, mags, random_models, subsets
from weft.errors import EvidenceError, GraphError, WeftError
from weft.evidence.oracle import ORACLE, as_scopes, oracle
from weft.evidence.statements import Apart, Connected, Dependent, Evidence, Relation, Scope, Separated, Statement
from weft.graphs.ancestral import latent_projection, marginal_mag
from weft.graphs.criteria import Structure
from weft.graphs.mixed import MixedGraph
from weft.graphs.separation import m_separated
from weft.search.problem import Problem, is_solution

METHODS = ("iod", "iod-bcd", "causal-iod", "ion")


def connected(study: str, x: str, y: str) -> Connected:
    return Connected(study, x, y, provenance=ORACLE)


def apart(study: str, x: str, y: str) -> Apart:
    return Apart(study, x, y, provenance=ORACLE)


def separated(studies: str, x: str, y: str, given: str = "") -> Separated:
    return Separated(x, y, frozenset(given), tuple(studies), provenance=ORACLE)


def dependent(studies: str, x: str, y: str, given: str = "") -> Dependent:
    return Dependent(x, y, frozenset(given), tuple(studies), provenance=ORACLE)


def relation(x: str, y: str, structure: str) -> Relation:
    return Relation(x, y, frozenset({Structure(structure)}), provenance=ORACLE)


@pytest.mark.parametrize(
    ("graph", "studies", "statements"),
    [
        pytest.param(
            "X -> Y -> Z",
            ["XY", "YZ"],
            [connected("a", "X", "Y"), connected("b", "Y", "Z"), relation("X", "Y", "->"), relation("Y", "Z", "->")],
            id="the paper's Synthetic 1",
        ),
        pytest.param(
            "X <- Y <-> Z",
            ["XY", "YZ"],
            [connected("a", "X", "Y"), connected("b", "Y", "Z"), relation("X", "Y", "<-"), relation("Y", "Z", "<->")],
            id="the motivating example",
        ),
        pytest.param(
            "X -> Y; X <-> Y; Y -> Z",
            ["XY", "YZ"],
            [
                connected("a", "X", "Y"),
                connected("b", "Y", "Z"),
                relation("X", "Y", "-> & <->"),
                relation("Y", "Z", "->"),
            ],
            id="a cause and a common cause",
        ),
        pytest.param(
            "X -> Y -> Z",
            ["XYZ", "XZ"],
            [
                connected("a", "X", "Y"),
                connected("a", "Y", "Z"),
                apart("a", "X", "Z"),
                separated("a", "X", "Z", "Y"),
                dependent("a", "X", "Z"),
                connected("b", "X", "Z"),
                relation("X", "Y", "->"),
                relation("X", "Z", "->"),
                relation("Y", "Z", "->"),
            ],
            id="a pair that one study separates and the other cannot",
        ),
        pytest.param(
            "X -> Y <- Z; Y -> W",
            ["XZW"],
            [
                connected("a", "W", "X"),
                connected("a", "W", "Z"),
                apart("a", "X", "Z"),
                separated("a", "X", "Z"),
                dependent("a", "X", "Z", "W"),
                relation("W", "X", "<-"),
                relation("W", "Z", "<-"),
            ],
            id="a collider is not conditioned on",
        ),
        pytest.param(
            "X <- C -> Y; X -> Y; Z",
            ["XYZ"],
            [
                connected("a", "X", "Y"),
                apart("a", "X", "Z"),
                apart("a", "Y", "Z"),
                separated("a", "X", "Z"),
                separated("a", "Y", "Z"),
                relation("X", "Y", "-> & <->"),
            ],
            id="a latent common cause, and an isolated variable",
        ),
        pytest.param(
            "X -- Y -> Z",
            ["XYZ"],
            [
                connected("a", "X", "Y"),
                connected("a", "Y", "Z"),
                apart("a", "X", "Z"),
                separated("a", "X", "Z", "Y"),
                dependent("a", "X", "Z"),
                relation("X", "Y", "none"),
                relation("X", "Z", "none"),
                relation("Y", "Z", "->"),
            ],
            id="selection: dependent without a causal structure",
        ),
        pytest.param(
            "X -- U -> Y -> Z",
            ["XYZ"],
            [
                connected("a", "X", "Y"),
                connected("a", "Y", "Z"),
                apart("a", "X", "Z"),
                separated("a", "X", "Z", "Y"),
                dependent("a", "X", "Z"),
                relation("Y", "Z", "->"),
            ],
            id="selection at a latent variable: the MAG shows X -> Y, which is not so",
        ),
    ],
)
def test_named_cases(graph: str, studies: list[str], statements: list[Statement]) -> None:
    assert list(oracle(graph, [list(study) for study in studies]).statements) == statements


@pytest.mark.parametrize(
    ("graph", "method", "selection", "count"),
    [
        ("A -> B -> C", "iod", False, 38),
        ("A -> B -> C", "ion", False, 38),
        ("A -> B -> C", "iod", True, 51),
        ("A -> B -> C", "iod-bcd", False, 6),
        ("A -> B -> C", "causal-iod", False, 1),
        ("A <- B <-> C", "causal-iod", False, 2),
        ("A -> B; A <-> B; B -> C", "causal-iod", False, 1),
    ],
)
def test_how_many_mags_fit_what_the_oracle_says(graph: str, method: str, selection: bool, count: int) -> None:
    problem = Problem.of(oracle(graph, [["A", "B"], ["B", "C"]]), method, selection=selection)
    assert sum(is_solution(problem, mag) for mag in all_mags(3, selection=True)) == count


def test_a_smaller_separating_set_is_preferred() -> None:
    """Near X there are three variables to hold fixed, near Y one."""
    evidence = oracle("X -> A; X -> B; X -> C; A -> M; B -> M; C -> M; M -> Y", [list("ABCMXY")])
    (found,) = (s for s in evidence.separated if (s.x, s.y) == ("X", "Y"))
    assert found.given == {"M"}


def test_studies_by_name_and_in_order() -> None:
    named = oracle("X -> Y -> Z", {"north": ["Y", "X"], "south": iter(["Y", "Z"])})
    assert named.studies == (Scope("north", ("X", "Y")), Scope("south", ("Y", "Z")))
    assert [s.study for s in named.connected] == ["north", "south"]
    many = oracle("X -> Y", [["X", "Y"]] * 28)
    assert [study.name for study in many.studies[25:]] == ["z", "study27", "study28"]


def test_a_graph_as_text_is_the_graph_as_value() -> None:
    text = "X -> Y; Y <-> Z"
    assert oracle(text, [["X", "Y"], ["Y", "Z"]]) == oracle(MixedGraph.parse(text), (("X", "Y"), ("Z", "Y")))


def test_one_relation_a_pair_however_many_studies_measured_it() -> None:
    evidence = oracle("X -> Y", [["X", "Y"], ["X", "Y"], ["Y", "X"]])
    assert len(evidence.connected) == 3
    assert evidence.relations == (relation("X", "Y", "->"),)


def test_what_is_said_of_a_set_is_said_once_however_many_studies_show_it() -> None:
    evidence = oracle("X -> Y -> Z", [["X", "Y", "Z"], ["X", "Y", "Z"]])
    assert evidence.apart == (apart("a", "X", "Z"), apart("b", "X", "Z"))
    assert evidence.separated == (separated("ab", "X", "Z", "Y"),)
    assert evidence.dependent == (dependent("ab", "X", "Z"),)


def test_few_rival_sets_are_stated() -> None:
    """Between X and Y are six variables: three of them are shown to be no colliders."""
    between = "ABCDEF"
    evidence = oracle("; ".join(f"X -> {v}; {v} -> Y" for v in between), [["X", "Y", *between]])
    rivals = [one.given for one in evidence.dependent if (one.x, one.y) == ("X", "Y")]
    assert rivals == [frozenset(between) - {v} for v in "CBA"]


def test_an_oracle_gives_no_numbers() -> None:
    evidence = oracle("X -> Y -> Z; W", [["W", "X", "Y", "Z"]])
    assert evidence.statements
    for statement in evidence.statements:
        assert statement.weight is None
        assert statement.provenance == ORACLE
        assert statement.provenance.p_value is None


@pytest.mark.parametrize(
    ("graph", "studies", "error", "message"),
    [
        (
            "X o-> Y",
            [["X", "Y"]],
            GraphError,
            "a graph with circles stands for many models, and an oracle needs one; take one of its MAGs",
        ),
        ("X -> Y -> Z; Z -> X", [["X", "Y"]], GraphError, "the graph has a directed cycle among X, Y, Z"),
        (
            "X -> Y; Y -- Z",
            [["X", "Y"]],
            GraphError,
            "'X -> Y' points at 'Y', which has an undirected edge '--'; no MAG has both",
        ),
        ("X <-> Y; X -- Z", [["X", "Y"]], GraphError, "'X <-> Y' points at 'X', which has an undirected edge"),
        ("X -> Y;; -> Z", [["X", "Y"]], GraphError, "graph text: "),
        (
            "X -> Y",
            [["X", "Y"], ["Y", "Q"]],
            EvidenceError,
            "study 'b': 'Q' is not a variable of the graph; write a variable without edges by its name alone",
        ),
        ("X -> Y", [["X"]], EvidenceError, "study 'a': a study of fewer than two variables"),
        ("X -> Y", [["X", "Y", "X"]], EvidenceError, "study 'a': 'X' is listed twice"),
        ("X -> Y", [], EvidenceError, "there is no study; give at least one"),
        ("X -> Y; Z -> W", [["X", "Y"], ["Z", "W"]], EvidenceError, "study 'b': no variable is shared with study 'a'"),
        ("X -> Y", "XY", EvidenceError, "studies: expected a list of lists of variables, found the string 'XY'"),
        ("X -> Y", ["X,Y"], EvidenceError, "study 'a': expected a list of variables, found the string 'X,Y'"),
    ],
)
def test_what_an_oracle_refuses(
    graph: str, studies: Iterable[Iterable[str]], error: type[WeftError], message: str
) -> None:
    with pytest.raises(error) as caught:
        oracle(graph, studies)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_as_scopes_takes_any_iterables() -> None:
    assert as_scopes(iter([iter("YX")])) == (Scope("a", ("X", "Y")),)


# -- a slow twin -----------------------------------------------------------------------------------------------------


def readable(graph: MixedGraph) -> bool:
    """Whether no arrowhead stands at a vertex with an undirected edge."""
    return not any(graph.neighbours[v] and (graph.parents[v] or graph.spouses[v]) for v in range(graph.size))


def with_studies(graphs: Iterable[MixedGraph], seed: int) -> Iterator[tuple[MixedGraph, list[list[str]]]]:
    """Each graph with one to three studies that share a variable."""
    chance = random.Random(seed)
    for graph in graphs:
        if graph.size >= 3 and readable(graph):
            shared, *others = chance.sample(graph.names, graph.size)
            sizes = [chance.randint(1, len(others)) for _ in range(chance.randint(1, 3))]
            yield graph, [[shared, *chance.sample(others, size)] for size in sizes]


CASES = [
    *with_studies(random_models(150, [3, 4, 5], 11), 1),
    *with_studies(random_models(30, [6], 12), 2),
    *with_studies(random_models(500, [3, 4, 5], 13, selection=True), 3),
]


def test_the_cases_are_many_and_cover_selection() -> None:
    assert len(CASES) > 200
    assert sum(graph.has_selection for graph, _ in CASES) > 30


def test_a_pair_is_connected_if_no_subset_separates_it_and_else_a_minimal_one_is_stated() -> None:
    separating = 0
    for graph, studies in CASES:
        evidence = oracle(graph, studies)
        verdicts: list[Connected | Separated] = [*evidence.connected, *evidence.separated]
        stated = {(study, s.x, s.y): s for s in verdicts for study in s.studies}
        is_apart = {(s.study, s.x, s.y) for s in evidence.apart}
        assert is_apart == {key for key, s in stated.items() if isinstance(s, Separated)}
        for rival in evidence.dependent:
            assert not m_separated(graph, rival.x, rival.y, rival.given), f"{rival} of {graph}"
            assert not any(key in stated and isinstance(stated[key], Connected) for key in keys_of(rival))
        for study in evidence.studies:
            for x, y in itertools.combinations(study.variables, 2):
                statement = stated.pop((study.name, x, y))
                others = [name for name in study.variables if name not in (x, y)]
                sets = {frozenset(z) for z in subsets(others) if m_separated(graph, x, y, z)}
                if isinstance(statement, Connected):
                    assert not sets, f"{statement} of {graph}"
                else:
                    assert statement.given in sets, f"{statement} of {graph}"
                    assert not any(z < statement.given for z in sets), f"{statement} of {graph} is not minimal"
                    separating += bool(statement.given)
        assert not stated
    assert separating > 100


def keys_of(statement: Dependent) -> list[tuple[str, str, str]]:
    return [(study, statement.x, statement.y) for study in statement.studies]


def test_a_relation_is_stated_if_the_pair_is_dependent_and_it_is_the_latent_projection() -> None:
    stated = 0
    for graph, studies in CASES:
        evidence = oracle(graph, studies)
        relations = {(r.x, r.y): r for r in evidence.relations}
        pairs = {pair for study in evidence.studies for pair in itertools.combinations(study.variables, 2)}
        hides_selection = bool(graph.selected & ~graph.mask(evidence.variables))
        for x, y in pairs:
            relation = relations.pop((x, y), None)
            if m_separated(graph, x, y):
                assert relation is None
            elif not hides_selection:
                assert relation is not None
            if relation and not graph.has_selection:
                projected = latent_projection(graph, [x, y]).edge(x, y) or "none"
                assert relation.allowed == {Structure(projected)}
                stated += 1
        assert not relations
    assert stated > 200


def test_the_true_mag_is_an_answer_to_every_method() -> None:
    for graph, studies in CASES:
        assert_true_mag_is_solution(graph, oracle(graph, studies))


def assert_true_mag_is_solution(graph: MixedGraph, evidence: Evidence) -> None:
    truth = marginal_mag(graph, evidence.variables)
    for method in METHODS:
        problem = Problem.of(evidence, method, selection=graph.has_selection)
        assert is_solution(problem, truth), f"{method}: {truth}, from {graph}"


@given(st.one_of(admgs(5), mags(5), mags(5, selection=True)), st.data())
def test_the_true_mag_is_an_answer(graph: MixedGraph, data: st.DataObject) -> None:
    if graph.size < 2:
        return
    studies = data.draw(
        st.lists(st.lists(st.sampled_from(graph.names[1:]), min_size=1, unique=True), min_size=1, max_size=3)
    )
    assert_true_mag_is_solution(graph, oracle(graph, [[graph.names[0], *study] for study in studies]))


def test_a_hundred_variables() -> None:
    """Two studies of 65: 4,160 pairs, each with its statement, the separations true and minimal."""
    chance = random.Random(5)
    names = [f"V{i:02}" for i in range(100)]
    order = chance.sample(names, 100)
    edges = {tuple(sorted(chance.sample(range(100), 2))) for _ in range(150)}
    confounded = {tuple(sorted(chance.sample(names, 2))) for _ in range(40)}
    text = [*names, *(f"{order[a]} -> {order[b]}" for a, b in edges), *(f"{x} <-> {y}" for x, y in confounded)]
    graph = MixedGraph.parse("; ".join(text))
    evidence = oracle(graph, [order[::2] + order[1:30:2], order[1::2] + order[:30:2]])
    assert len(evidence.connected) + len(evidence.apart) == 2 * 65 * 64 // 2
    assert sum(len(s.studies) for s in evidence.separated) == len(evidence.apart)
    conditioned = [s for s in evidence.separated if s.given]
    assert len(conditioned) > 100
    for statement in conditioned[:200]:
        assert m_separated(graph, statement.x, statement.y, statement.given)
        for name in statement.given:
            assert not m_separated(graph, statement.x, statement.y, statement.given - {name})
