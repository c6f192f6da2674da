"""What tools are given, and how their claims are judged."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.overlapping import (
    SOURCES,
    Case,
    Judged,
    cases,
    judged,
    larger_network,
    number_of_pairs,
    right_and_wrong,
)
from benchmarks.tools import LEVELS, Said
from weft.graphs.mixed import MixedGraph

CHAIN = MixedGraph.parse("X -> H; H -> Y; Y <-> Z")
"""H is hidden: X causes Y all the same."""


def test_a_claim_is_judged_by_the_true_graph() -> None:
    said = [
        Said("X", "Y", True),
        Said("Y", "X", True),
        Said("Y", "Z", False),
        Said("Z", "X", False),
        Said("X", "Y", False),
    ]
    right = {(one.x, one.y, one.causes): one.right for one in judged(said, CHAIN, "XYZ")}
    assert right == {
        ("X", "Y", True): True,
        ("Y", "X", True): False,
        ("Y", "Z", False): True,
        ("Z", "X", False): True,
        ("X", "Y", False): False,  # both claims about a pair count
    }


def test_a_claim_counts_once_with_its_greatest_confidence() -> None:
    said = [Said("X", "Y", True, 0.7), Said("X", "Y", True, 0.9), Said("X", "Y", True), Said("Y", "X", False)]
    assert judged(said, CHAIN, "XYZ") == [
        Judged("X", "Y", True, 0.9, True),
        Judged("Y", "X", False, None, True),
    ]
    assert judged(reversed(said), CHAIN, "XYZ") == judged(said, CHAIN, "XYZ")


@pytest.mark.parametrize("pair", [("X", "X"), ("X", "H"), ("X", "W")])
def test_a_claim_about_what_was_not_measured_is_refused(pair: tuple[str, str]) -> None:
    with pytest.raises(ValueError, match="not about two variables that were measured"):
        judged([Said(*pair, True)], CHAIN, "XYZ")


def test_pairs_and_causes_are_counted_among_the_measured() -> None:
    assert number_of_pairs(CHAIN, "XYZ") == (6, 1)
    assert number_of_pairs(CHAIN, "XHYZ") == (12, 3)


def test_right_and_wrong_at_a_confidence() -> None:
    claims = [
        Judged("X", "Y", True, 0.95, True),
        Judged("Y", "Z", True, 0.94, False),
        Judged("Z", "Y", True, None, False),
        Judged("Z", "X", False, 0.99, True),
    ]
    assert right_and_wrong(claims, True) == (1, 2)
    assert right_and_wrong(claims, True, 0.9) == (1, 1)
    assert right_and_wrong(claims, True, 0.95) == (1, 0)
    assert right_and_wrong(claims, False, 0.95) == (1, 0)


@pytest.mark.parametrize("source", SOURCES)
def test_studies_share_two_fifths_and_no_row(source: str) -> None:
    if SOURCES[source].missing():
        pytest.skip(SOURCES[source].missing())
    for case in (Case(source, 2, 1000, 0), Case(source, 3, 1000, 1)):
        graph, studies = case.drawn()
        shared = set.intersection(*(set(study.variables) for study in studies))
        assert len(studies) == case.studies
        assert {name for study in studies for name in study.variables} == set(graph.names)
        assert len(shared) == round(0.4 * graph.size)
        for study in studies:
            assert all(len(column.values) == case.rows for column in study.columns)
            assert all(bool(column.levels) == (SOURCES[source].kind == LEVELS) for column in study.columns)
        again = case.drawn()[1]
        assert all(
            np.array_equal(x.values, y.values)
            for one, other in zip(studies, again, strict=True)
            for x, y in zip(one.columns, other.columns, strict=True)
        )


def test_simulated_studies_have_rows_of_their_own() -> None:
    _, (first, second) = Case("linear", 2, 1000, 0).drawn()
    shared = sorted({*first.variables} & {*second.variables})[0]
    columns = [next(one for one in study.columns if one.name == shared) for study in (first, second)]
    assert not {*columns[0].values.tolist()} & {*columns[1].values.tolist()}


def test_the_same_graph_with_few_rows_and_many() -> None:
    assert Case("nonlinear", 3, 1000, 2).drawn()[0] == Case("nonlinear", 3, 5000, 2).drawn()[0]


def test_the_larger_network_follows_its_graph() -> None:
    graph, values = larger_network()
    assert (graph.size, len(graph.edges()), values.shape) == (27, 52, (15_000, 27))
    # Columns are those of the graph's names: every variable without causes is independent of all others like it, and
    # most edges show.
    roots = [place for place in range(27) if not graph.parents[place]]
    strength = np.abs(np.corrcoef(values.T))
    assert max(strength[a, b] for a in roots for b in roots if a < b) < 0.04
    edges = [(graph.index(edge.x), graph.index(edge.y)) for edge in graph.edges()]
    assert np.median([strength[a, b] for a, b in edges]) > 0.05


def test_a_quick_run_looks_at_one_case() -> None:
    assert cases("linear", quick=True) == [Case("linear", 2, 1000, 0)]
    assert len(cases("linear", quick=False)) == 20
    assert len(cases("larger", quick=False)) == 8
