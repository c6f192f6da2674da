"""The walk over the structures, packed: what went in comes out, and all can be asked at once."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weft
from weft.errors import ProblemError
from weft.evidence.claims import Claim, Topic
from weft.graphs.equivalence import pag_of
from weft.graphs.separation import ancestor_mask
from weft.search.counting import Estimate
from weft.solutions.structures import (
    Structures,
    _column,
    bytes_of,
    column_text,
    read_total,
    text_of,
    total_document,
    walked,
)

CHAIN = weft.oracle("X -> Y -> Z", [["X", "Y"], ["Y", "Z"]])


@pytest.fixture(scope="module", params=[False, True], ids=["plain", "selection"])
def found(request: pytest.FixtureRequest) -> tuple[list[weft.MixedGraph], Structures]:
    solutions = weft.solve(CHAIN, "iod", selection=request.param)
    return list(solutions), solutions.structures


@given(st.lists(st.booleans(), max_size=200))
def test_columns_unpack(flags: list[bool]) -> None:
    packed = _column(numpy.array(flags, dtype=bool))
    assert len(packed) % 4 == 0
    number = int.from_bytes(packed, "little")
    assert [bool(number >> place & 1) for place in range(len(flags))] == flags
    assert number >> len(flags) == 0
    assert bytes_of(column_text(number, len(flags))) == packed


@given(st.binary(max_size=300))
def test_text_unpacks(content: bytes) -> None:
    assert bytes_of(text_of(content)) == content


def test_every_graph_is_there_once_class_by_class(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    graphs, structures = found
    assert len(structures) == len(graphs) == len(set(structures))
    assert set(structures) == set(graphs)
    assert list(structures) == [structures[place] for place in range(len(structures))]
    selection = structures.planes == 3
    for pag, places in structures.classes:
        assert {pag_of(structures[place], selection=selection) for place in places} == {pag}
    assert len(set(structures.pags)) == len(structures.class_sizes)
    edges = [len(pag.edges()) for pag in structures.pags]
    assert edges == sorted(edges)


def test_the_order_does_not_depend_on_the_solver(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    graphs, structures = found
    for order in (graphs, graphs[::-1]):
        assert walked(order, structures.names, selection=structures.planes == 3) == structures


def test_claims_hold_where_the_graphs_say(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    _, structures = found
    for x, y in permutations(structures.names, 2):
        a, b = structures.names.index(x), structures.names.index(y)
        for place, graph in enumerate(structures):
            causes = bool(ancestor_mask(graph, 1 << b) >> a & 1)
            assert bool(structures.where(Claim(Topic.CAUSES, x, y)) >> place & 1) is causes
            for symbol in ("->", "<-", "<->", "--"):
                claim = Claim(Topic.EDGE, x, y, symbol=symbol)
                assert bool(structures.where(claim) >> place & 1) is (graph.edge(x, y) == symbol)
                assert bool(structures.where(claim.negated) >> place & 1) is (graph.edge(x, y) != symbol)
            adjacent = Claim(Topic.EDGE, x, y)
            assert bool(structures.where(adjacent) >> place & 1) is (graph.edge(x, y) is not None)


def test_a_structure_does_not_settle_common_causes(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    with pytest.raises(ProblemError, match="'X and Y are confounded': a structure alone does not say so"):
        found[1].where(Claim.parse("X and Y are confounded"))


def test_some_of_them(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    _, structures = found
    places = [0, 3, 4, 9, 20, len(structures) - 1]
    some = structures.taken(places)
    assert list(some) == [structures[place] for place in places]
    assert not some.complete
    for pag, own in some.classes:
        assert {pag_of(some[place], selection=some.planes == 3) for place in own} == {pag}
    assert structures.taken(range(len(structures))) == structures


def test_a_sample_is_fair_and_repeats(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    _, structures = found
    assert structures.sampled(len(structures), 0) is structures
    assert structures.sampled(5, 1) == structures.sampled(5, 1)
    drawn = [graph for seed in range(400) for graph in structures.sampled(5, seed)]
    expected = len(drawn) / len(structures)
    assert set(drawn) == set(structures)
    assert all(abs(drawn.count(graph) - expected) < 6 * expected**0.5 for graph in structures)


def test_files_give_them_back(found: tuple[list[weft.MixedGraph], Structures]) -> None:
    _, structures = found
    assert Structures.read(structures.names, structures.document()) == structures


def test_none_at_all() -> None:
    empty = walked((), ("X", "Y", "Z"))
    assert (len(empty), list(empty), list(empty.classes), empty.complete) == (0, [], [], True)
    assert Structures.read(empty.names, empty.document()) == empty


@pytest.mark.parametrize("total", [None, 5_000_000, Estimate(10**9, 1.2, 0.95), Estimate(10**9, 1.8, 0.95, 150)])
def test_what_they_were_drawn_from_comes_back(total: int | Estimate | None) -> None:
    document = total_document(total)
    assert read_total(document) == total
    assert (document or {}).get("walks") == (150 if isinstance(total, Estimate) and total.walks else None)


def test_many_chunks(monkeypatch: pytest.MonkeyPatch, found: tuple[list[weft.MixedGraph], Structures]) -> None:
    graphs, structures = found
    monkeypatch.setattr("weft.solutions.structures.CHUNK", 7)
    again = walked(graphs, structures.names, selection=structures.planes == 3)
    assert again == structures
    assert list(again) == [structures[place] for place in range(len(structures))]


def test_pairs_are_packed_as_documented() -> None:
    graph = weft.MixedGraph.parse("A -> B; A <-> C; C -> B")
    structures = walked([graph], graph.names)
    for (x, y), bits in zip(combinations(range(3), 2), ([1, 0], [1, 1], [0, 1]), strict=True):
        assert [structures._flags((3 * x - x * (x + 1) // 2 + y - x - 1) * 2 + plane)[0] for plane in (0, 1)] == bits
