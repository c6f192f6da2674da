"""Evidence from the studies' graphs: every MAG of a class and its PAG say the same, and what is no PAG is refused."""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterable

import pytest

from tests.support.graphs import all_mags, random_models, subsets
from weft.errors import EvidenceError
from weft.evidence.networks import NETWORK, from_networks
from weft.evidence.oracle import oracle
from weft.evidence.statements import Apart, Connected, Dependent, Scope, Separated
from weft.graphs.ancestral import mag_of, marginal_mag
from weft.graphs.equivalence import mag_in, pag_of
from weft.graphs.mixed import Mark, MixedGraph
from weft.graphs.separation import m_separated
from weft.search.problem import Problem, is_solution


def test_two_pags_by_name() -> None:
    evidence = from_networks({"east": "X o-> Y; Z o-> Y", "west": MixedGraph.parse("Y o-o W")})
    assert evidence.studies == (Scope("east", ("X", "Y", "Z")), Scope("west", ("W", "Y")))
    assert evidence.statements == (
        Connected("east", "X", "Y", provenance=NETWORK),
        Connected("east", "Y", "Z", provenance=NETWORK),
        Apart("east", "X", "Z", provenance=NETWORK),
        Separated("X", "Z", frozenset(), ("east",), provenance=NETWORK),
        Dependent("X", "Z", frozenset("Y"), ("east",), provenance=NETWORK),
        Connected("west", "W", "Y", provenance=NETWORK),
    )


def test_graphs_in_order_and_isolated_variables() -> None:
    evidence = from_networks(iter(["X o-o Y; Y o-o Z; V", "Z; W"]))
    assert [study.name for study in evidence.studies] == ["a", "b"]
    found = {(*s.studies, s.x + s.y): set(s.given) for s in evidence.separated}
    assert found == {("a", "VX"): set(), ("a", "VY"): set(), ("a", "VZ"): set(), ("a", "XZ"): {"Y"}, ("b", "WZ"): set()}


def test_no_relation_comes_from_a_graph() -> None:
    assert from_networks(["X -> Y -> Z; X -> Z"]).relations == ()


def test_ion_on_the_chain_has_iods_answers() -> None:
    """A study of two dependent variables has the PAG ``o-o``: 38 MAGs in all."""
    problem = Problem.of(from_networks(["A o-o B", "B o-o C"]), "ion")
    assert sum(is_solution(problem, mag) for mag in all_mags(3)) == 38


@pytest.mark.parametrize("selection", [False, True])
def test_every_statement_is_so_in_the_whole_class(selection: bool) -> None:
    """All MAGs of three variables: the statements of the PAG are right in the MAG, by trying every subset."""
    for mag in all_mags(3, selection=selection):
        evidence = from_networks([pag_of(mag, selection=True)])
        assert len(evidence.connected) + len(evidence.separated) == 3
        assert [(s.x, s.y) for s in evidence.apart] == [(s.x, s.y) for s in evidence.separated]
        for s in evidence.separated:
            assert m_separated(mag, s.x, s.y, s.given)
        for d in evidence.dependent:
            assert not m_separated(mag, d.x, d.y, d.given)
        for c in evidence.connected:
            others = [name for name in mag.names if name not in (c.x, c.y)]
            assert not any(m_separated(mag, c.x, c.y, z) for z in subsets(others))


@pytest.mark.parametrize("selection", [False, True])
def test_a_pag_says_what_an_oracle_says_of_its_study(selection: bool) -> None:
    """Random models: the same pairs are connected, and the truth answers ION's question."""
    chance = random.Random(8)
    for model in random_models(60, [5, 6], 21, selection=selection):
        truth = mag_of(model)
        studies = [sorted([*chance.sample(truth.names[1:], 3), truth.names[0]]) for _ in range(2)]
        evidence = from_networks([pag_of(marginal_mag(truth, study), selection=True) for study in studies])
        expected = oracle(truth, studies)
        assert {(s.study, s.x, s.y) for s in evidence.connected} == {(s.study, s.x, s.y) for s in expected.connected}
        problem = Problem.of(evidence, "ion", selection=truth.has_selection)
        assert is_solution(problem, marginal_mag(truth, evidence.variables))


def test_a_mag_says_what_its_pag_says() -> None:
    for mag in all_mags(3, selection=True):
        pag = pag_of(mag, selection=True)
        for statements in (from_networks([mag]).statements, from_networks([mag_in(pag)]).statements):
            assert {(type(s), s.x, s.y) for s in statements} == {
                (type(s), s.x, s.y) for s in from_networks([pag]).statements
            }


@pytest.mark.parametrize(
    ("networks", "message"),
    [
        (
            ["X o-> Y; Y o-o Z"],
            "study 'a': the graph is not a PAG: it has 'X o-> Y' where its class of MAGs has 'X o-o Y'",
        ),
        (
            ["X o-> Y; Z o-> Y; W o-o Y"],
            "study 'a': the graph is not a PAG: it has 'W o-o Y' where its class of MAGs has 'W ",
        ),
        (
            {"one": "X -> Y; Z o-o W"},
            "study 'one': the graph is not a PAG: it has 'X -> Y' where its class of MAGs has 'X o-o Y'",
        ),
        (
            ["X -> Y -> Z; Z -> X"],
            "study 'a': the graph is neither a PAG nor a MAG: it has a directed cycle among X, Y, Z",
        ),
        (["X -> Y; Y -- Z"], "study 'a': the graph is neither a PAG nor a MAG: it is not ancestral"),
        (["X -> Y -> Z; X <-> Z"], "study 'a': the graph is neither a PAG nor a MAG: it is not ancestral"),
        (["X -> Y; X -- Y"], "study 'a': 'X -> Y' and 'X -- Y' cannot stand together"),
        (["A <-> B <-> C <-> D; B -> D; C -> A"], "study 'a': the graph is neither a PAG nor a MAG: it is not maximal"),
        (
            ["A <-> B <-> C <-> D; B -> D; C -> A; E o-o F"],
            "study 'a': the graph is neither a PAG nor a MAG: with its circles filled in it is not maximal",
        ),
        (["A o-o B; B o-o C; C o-o D; D o-o A"], "study 'a': the graph is not a PAG: "),
        (["X -> Y; X <-> Y"], "study 'a': a pair carries both '->' and '<->'"),
        (["X o-> "], "study 'a': graph text: "),
        (["X o-o Y", "Z o-o W"], "study 'b': no variable is shared with study 'a'"),
        (["X"], "study 'a': a study of fewer than two variables"),
        ([""], "study 'a': a study of fewer than two variables"),
        ([], "there is no study"),
        ("X o-o Y", "give a list of graphs, one for each study"),
    ],
)
def test_what_is_refused(networks: Iterable[str], message: str) -> None:
    with pytest.raises(EvidenceError) as caught:
        from_networks(networks)
    assert str(caught.value).startswith(message)
    assert "\n" not in str(caught.value)


def test_no_other_marks_pass_than_those_of_pags_and_mags() -> None:
    """All graphs on three variables: accepted are exactly the MAGs and the PAGs of MAGs."""
    names = ("A", "B", "C")
    mags = set(all_mags(3, selection=True))
    right = mags | {pag_of(mag, selection=True) for mag in mags}
    pairs = list(itertools.combinations(range(3), 2))
    edges = [(0, 0), *itertools.product((Mark.CIRCLE, Mark.ARROW, Mark.TAIL), repeat=2)]
    accepted = set()
    for choice in itertools.product(edges, repeat=3):
        marks = bytearray(9)
        for (a, b), (mark_a, mark_b) in zip(pairs, choice, strict=True):
            marks[b * 3 + a], marks[a * 3 + b] = mark_a, mark_b
        graph = MixedGraph(names, bytes(marks))
        try:
            from_networks([graph])
        except EvidenceError:
            continue
        accepted.add(graph)
    assert accepted == right
