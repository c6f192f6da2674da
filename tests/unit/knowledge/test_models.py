"""All latent-variable models of a few variables, as a table that the tests of knowledge look things up in."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations, permutations

import pytest

from tests.support.graphs import all_admgs, all_dags, all_mags, graph_from, letters, renamed, subsets, up_to_renaming
from weft.graphs.ancestral import mag_of
from weft.graphs.mixed import MixedGraph, bits
from weft.knowledge import Kind
from weft.knowledge.items import Fact


@lru_cache
def shapes(size: int) -> tuple[MixedGraph, ...]:
    """Every ADMG whose directed part is one of each shape: with all ways to rename them, every ADMG."""
    names = letters(size)
    pairs = list(combinations(names, 2))
    models = []
    for dag in up_to_renaming(all_dags(size)):
        for common in subsets(pairs):
            symbols = {pair: [dag.edge(*pair) or ""] for pair in pairs}
            for pair in common:
                symbols[pair].append("<->")
            models.append(graph_from(names, {pair: " & ".join(filter(None, both)) for pair, both in symbols.items()}))
    return tuple(models)


class ModelTable:
    """For each fact, the shapes that have it, as the bits of an int.

    A renamed shape has a fact exactly if the shape has the fact with its variables renamed back: so all ADMGs are
    looked through without being made.
    """

    def __init__(self, size: int) -> None:
        self.names = letters(size)
        self.models = shapes(size)
        self.mags = [mag_of(model) for model in self.models]
        self.orders = [dict(zip(self.names, order, strict=True)) for order in permutations(self.names)]
        self._columns: dict[Fact, int] = {}
        self._renamed: dict[tuple[MixedGraph, int], MixedGraph] = {}

    def _column(self, fact: Fact) -> int:
        if len(fact.allowed) > 1:
            found = 0
            for one in fact.allowed:
                found |= self._column(fact._replace(allowed=frozenset({one})))
            return found
        if fact not in self._columns:
            self._columns[fact] = sum(1 << i for i, model in enumerate(self.models) if fact.holds(model))
        return self._columns[fact]

    def _fitting(self, facts: Iterable[Fact]) -> Iterator[tuple[int, int]]:
        """For each order, the shapes (as bits) that have the facts when renamed so."""
        facts = list(facts)
        for number, order in enumerate(self.orders):
            back = {new: old for old, new in order.items()}
            left = (1 << len(self.models)) - 1
            for fact in facts:
                left &= self._column(fact._replace(x=back[fact.x], y=back[fact.y])) if left else 0
            if left:
                yield number, left

    def possible(self, facts: Iterable[Fact]) -> bool:
        """Whether some ADMG has all the facts."""
        return any(True for _ in self._fitting(facts))

    def mags_with(self, facts: Iterable[Fact]) -> set[MixedGraph]:
        """The MAGs of the ADMGs that have all the facts."""
        found = set()
        for number, left in self._fitting(facts):
            for mag in {self.mags[i] for i in bits(left)}:
                if (mag, number) not in self._renamed:
                    self._renamed[mag, number] = renamed(mag, self.orders[number])
                found.add(self._renamed[mag, number])
        return found


@lru_cache
def table(size: int) -> ModelTable:
    return ModelTable(size)


@pytest.mark.parametrize("size", [3, 4])
def test_the_table_holds_every_mag(size: int) -> None:
    assert table(size).mags_with([]) == set(all_mags(size))


def test_the_table_against_every_model_of_three_variables() -> None:
    kinds = [kind for kind in Kind if kind.is_of_pair and kind is not Kind.ALLOWED]
    facts = [Fact(kind, x, y) for kind in kinds for x, y in permutations("ABC", 2)]
    models = all_admgs(3)
    for one, other in combinations(facts, 2):
        expected = {mag_of(model) for model in models if one.holds(model) and other.holds(model)}
        assert table(3).mags_with([one, other]) == expected
        assert table(3).possible([one, other]) == bool(expected)
